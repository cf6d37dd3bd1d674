//! The one owner of standard output.

use super::response::Response;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Instant;

/// Writes answers, whole ones, one after the other, from whatever thread they come. Once the other end is closed it writes
/// nothing more.
pub struct Writer {
    sink: Mutex<Box<dyn Write + Send>>,
    closed: AtomicBool,
    /// What to do once writing has failed.
    when_closed: OnceLock<Box<dyn Fn() + Send + Sync>>,
    dialogue: Option<Dialogue>,
}

/// A file with all that is said, both ways.
struct Dialogue {
    file: Mutex<File>,
    started: Instant,
}

impl Dialogue {
    /// Adds lines with the seconds since the start and an arrow.
    fn add(&self, arrow: char, text: &str) {
        let seconds = self.started.elapsed().as_secs_f64();
        let mut lines = String::with_capacity(text.len() + 32);
        for line in text.lines() {
            // Writing to a string cannot fail.
            let _ = writeln!(lines, "{seconds:.6} {arrow} {line}");
        }
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = file.write_all(lines.as_bytes()) {
            log::warn!("the protocol log cannot be written: {error}");
        }
    }
}

impl Writer {
    /// A writer onto `sink`.
    pub fn new(sink: impl Write + Send + 'static) -> Writer {
        Writer {
            sink: Mutex::new(Box::new(sink)),
            closed: AtomicBool::new(false),
            when_closed: OnceLock::new(),
            dialogue: None,
        }
    }

    /// Has `then` called whenever writing fails. It can be set once.
    pub(super) fn when_closed(&self, then: impl Fn() + Send + Sync + 'static) {
        if self.when_closed.set(Box::new(then)).is_err() {
            log::warn!("the writer is in use by a session already");
        }
    }

    /// The same writer, which also notes the dialogue of the protocol in a new file.
    ///
    /// # Errors
    /// Whatever hinders the file's creation.
    pub fn with_dialogue(self, path: &Path) -> io::Result<Writer> {
        let dialogue = Dialogue { file: Mutex::new(File::create(path)?), started: Instant::now() };
        Ok(Writer { dialogue: Some(dialogue), ..self })
    }

    /// Writes one answer.
    pub fn write(&self, response: &Response) {
        self.write_all(std::iter::once(response.clone()));
    }

    /// Writes answers that belong together: nothing comes between them.
    pub fn write_all(&self, responses: impl Iterator<Item = Response>) {
        let mut text = String::new();
        for response in responses {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{response}");
        }
        if self.is_closed() {
            return;
        }
        let mut sink = self.sink.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(dialogue) = &self.dialogue {
            dialogue.add('<', &text);
        }
        if let Err(error) = sink.write_all(text.as_bytes()).and_then(|()| sink.flush()) {
            log::info!("the output is closed: {error}");
            self.closed.store(true, Ordering::Relaxed);
            if let Some(then) = self.when_closed.get() {
                then();
            }
        }
    }

    /// Notes a line that was read.
    pub(super) fn note_input(&self, line: &str) {
        if let Some(dialogue) = &self.dialogue {
            dialogue.add('>', line);
        }
    }

    /// Whether the other end has been closed, as far as writing has shown.
    pub fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }
}

/// Calls `then` on a thread of its own once whoever reads standard output is gone, even if nothing is being written.
/// Where the operating system cannot tell, it is found out at the next write.
pub fn watch_standard_output(then: impl FnOnce() + Send + 'static) {
    #[cfg(unix)]
    {
        use rustix::event::{PollFd, PollFlags, poll};
        let watch = move || {
            let stdout = io::stdout();
            let gone = PollFlags::ERR | PollFlags::HUP | PollFlags::NVAL;
            loop {
                let mut fds = [PollFd::new(&stdout, PollFlags::empty())];
                match poll(&mut fds, None) {
                    Ok(_) if fds.iter().any(|fd| fd.revents().intersects(gone)) => break then(),
                    Ok(_) | Err(rustix::io::Errno::INTR) => {}
                    Err(error) => break log::warn!("standard output cannot be watched: {error}"),
                }
            }
        };
        if let Err(error) = std::thread::Builder::new().name("kete-output".to_owned()).spawn(watch) {
            log::warn!("standard output cannot be watched: {error}");
        }
    }
    #[cfg(not(unix))]
    drop(then);
}
