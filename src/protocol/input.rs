//! What reaches the session: lines from a reader, whatever their bytes, and news from elsewhere.

use std::io::{self, BufRead, Read};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::SyncSender;
use std::time::Instant;

/// The longest line that is read: 64 MiB. A game of a million moves fits.
pub const MAX_LINE_BYTES: usize = 64 << 20;

/// A line as it came.
#[derive(Debug, PartialEq, Eq)]
pub enum InputLine {
    /// A line without its line end; bytes that are no UTF-8 are replaced by U+FFFD.
    Text(String),
    /// A line of more than [`MAX_LINE_BYTES`], which is thrown away.
    TooLong,
}

/// Something that the session has to look at.
#[derive(Debug)]
pub(super) enum Event {
    /// A line was read at that time.
    Line(InputLine, Instant),
    /// There is no more input.
    EndOfInput,
    /// Nobody reads the output any more.
    OutputClosed,
    /// A job may have ended.
    Wake,
}

/// Reads the next line; `None` at the end of the input. The last line needs no line end. `\r\n` ends a line too.
///
/// # Errors
/// Whatever hinders reading.
pub fn read_line(reader: &mut impl BufRead) -> io::Result<Option<InputLine>> {
    let mut bytes = Vec::new();
    let limit = MAX_LINE_BYTES as u64 + 1;
    if reader.take(limit).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    if bytes.last() == Some(&b'\n') {
        bytes.pop();
    } else if bytes.len() > MAX_LINE_BYTES {
        drop(bytes);
        skip_line(reader)?;
        return Ok(Some(InputLine::TooLong));
    }
    if bytes.last() == Some(&b'\r') {
        bytes.pop();
    }
    let text = String::from_utf8(bytes).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned());
    Ok(Some(InputLine::Text(text)))
}

/// Where a line is on its way to the session, so that those who keep all cores busy can see whether one waits. Relaxed
/// orderings do: it is but a hint.
#[derive(Debug, Default)]
pub(super) struct LinesUnderWay {
    /// The reader waits for a line, or has been woken by one and not run yet.
    is_reading: AtomicBool,
    read: AtomicU64,
    taken: AtomicU64,
}

impl LinesUnderWay {
    /// Says that the session has taken a line up.
    pub(super) fn note_taken(&self) {
        self.taken.fetch_add(1, Ordering::Relaxed);
    }

    /// Whether the reader or the session would run, had it a core. After the end of the input nobody reads, though there is
    /// always an end to be read.
    pub(super) fn wait(&self, has_bytes: fn() -> bool) -> bool {
        self.taken.load(Ordering::Relaxed) < self.read.load(Ordering::Relaxed)
            || self.is_reading.load(Ordering::Relaxed) && has_bytes()
    }
}

/// Reads lines until there are no more or nobody wants them.
pub(super) fn read_lines(mut input: impl BufRead, lines: &SyncSender<Event>, under_way: &LinesUnderWay) {
    loop {
        under_way.is_reading.store(true, Ordering::Relaxed);
        let line = read_line(&mut input);
        under_way.is_reading.store(false, Ordering::Relaxed);
        under_way.read.fetch_add(1, Ordering::Relaxed);
        let event = match line {
            Ok(Some(line)) => Event::Line(line, Instant::now()),
            Ok(None) => Event::EndOfInput,
            Err(error) => {
                log::warn!("the input cannot be read: {error}");
                Event::EndOfInput
            }
        };
        let last = matches!(event, Event::EndOfInput);
        if lines.send(event).is_err() || last {
            return;
        }
    }
}

/// Whether standard input could be read without waiting; always `false` where that cannot be told.
pub fn standard_input_has_bytes() -> bool {
    #[cfg(unix)]
    {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        let stdin = io::stdin();
        let mut fds = [PollFd::new(&stdin, PollFlags::IN)];
        poll(&mut fds, Some(&Timespec { tv_sec: 0, tv_nsec: 0 })).is_ok_and(|ready| ready > 0)
    }
    #[cfg(not(unix))]
    false
}

/// Throws away what is left of a line.
fn skip_line(reader: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = reader.fill_buf()?;
        let end = buffer.iter().position(|&b| b == b'\n');
        let skipped = end.map_or(buffer.len(), |at| at + 1);
        reader.consume(skipped);
        if end.is_some() || skipped == 0 {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8]) -> Vec<InputLine> {
        let mut reader = bytes;
        std::iter::from_fn(|| read_line(&mut reader).unwrap()).collect()
    }

    fn text(line: &str) -> InputLine {
        InputLine::Text(line.to_owned())
    }

    #[test]
    fn lines_end_with_either_line_end_or_with_the_input() {
        assert_eq!(lines(b"uci\r\n\nstop\nquit"), [text("uci"), text(""), text("stop"), text("quit")]);
        assert_eq!(lines(b""), []);
    }

    #[test]
    fn bytes_that_are_no_text_are_replaced() {
        assert_eq!(lines(b"a\xff\xfeb\n"), [text("a\u{fffd}\u{fffd}b")]);
    }

    #[test]
    fn lines_wait_until_the_session_takes_them_and_the_end_does_not() {
        let (lines, events) = std::sync::mpsc::sync_channel(3);
        let under_way = LinesUnderWay::default();
        assert!(!under_way.wait(|| true), "nobody reads yet");
        read_lines(&b"uci\nstop\n"[..], &lines, &under_way);
        for _ in 0..3 {
            assert!(under_way.wait(|| false));
            events.recv().unwrap();
            under_way.note_taken();
        }
        assert!(!under_way.wait(|| true), "an end can always be read");
        under_way.is_reading.store(true, Ordering::Relaxed);
        assert_eq!([under_way.wait(|| true), under_way.wait(|| false)], [true, false]);
    }

    #[test]
    fn a_line_that_is_too_long_is_thrown_away_alone() {
        let mut bytes = vec![b'x'; MAX_LINE_BYTES + 5];
        bytes.extend_from_slice(b"\nuci\n");
        assert_eq!(lines(&bytes), [InputLine::TooLong, text("uci")]);
        let mut exact = vec![b'x'; MAX_LINE_BYTES];
        exact.push(b'\n');
        assert_eq!(lines(&exact).len(), 1);
        assert_ne!(lines(&exact), [InputLine::TooLong]);
    }
}
