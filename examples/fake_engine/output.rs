//! How the fake writes: well or badly.

use super::faults::Arguments;
use std::io::{self, Write};

/// Standard output in the manner that was asked for. Nobody may be reading; the end of the input tells that soon enough.
pub struct Output {
    tabs: bool,
    torn: bool,
    line_end: &'static [u8],
}

impl Output {
    /// The manner of the arguments.
    pub fn new(arguments: &Arguments) -> Output {
        let line_end = if arguments.crlf { b"\r\n".as_slice() } else { b"\n" };
        Output { tabs: arguments.tabs, torn: arguments.torn, line_end }
    }

    /// Writes one line.
    pub fn line(&self, text: &str) {
        self.bytes(text.as_bytes());
    }

    /// Writes one line that need not be text.
    pub fn bytes(&self, line: &[u8]) {
        let mut bytes = line.to_vec();
        if self.tabs {
            bytes.iter_mut().filter(|byte| **byte == b' ').for_each(|byte| *byte = b'\t');
        }
        bytes.extend_from_slice(self.line_end);
        let mut stdout = io::stdout().lock();
        let pieces = bytes.chunks(if self.torn { 1 } else { bytes.len() });
        for piece in pieces {
            if stdout.write_all(piece).and_then(|()| stdout.flush()).is_err() {
                return;
            }
        }
    }

    /// Closes standard output for whoever reads it.
    ///
    /// # Errors
    /// If the operating system cannot.
    #[cfg(unix)]
    pub fn close(&self) -> io::Result<()> {
        let nowhere = std::fs::OpenOptions::new().write(true).open("/dev/null")?;
        Ok(rustix::stdio::dup2_stdout(nowhere)?)
    }

    /// Closes standard output for whoever reads it.
    ///
    /// # Errors
    /// Always: only Unix can.
    #[cfg(not(unix))]
    pub fn close(&self) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// Writes so many bytes without a line end to standard error.
pub fn spam_stderr(mut bytes: usize) {
    let mut stderr = io::stderr().lock();
    let noise = [b'!'; 4096];
    while bytes > 0 {
        let piece = &noise[..bytes.min(noise.len())];
        if stderr.write_all(piece).is_err() {
            return;
        }
        bytes -= piece.len();
    }
}
