//! What reaches the session: lines from a reader, whatever their bytes, and news from elsewhere.

use std::io::{self, BufRead, Read};
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
