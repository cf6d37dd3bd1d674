//! What was said between the runner and an engine: enough of it to see what went wrong, and to say it again.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::time::Instant;

/// Lines that are kept with their times, both ways.
const KEPT_LINES: usize = 400;
/// What is kept of a long line.
const KEPT_BYTES: usize = 2_000;
/// What is kept of all that was sent, in bytes; of older games it is thrown away.
const KEPT_INPUT_BYTES: usize = 16 << 20;

/// Who said a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    ToEngine,
    FromEngine,
}

/// The dialogue with one process.
#[derive(Debug)]
pub(super) struct Transcript {
    started: Instant,
    recent: VecDeque<(f64, Direction, String)>,
    /// What was sent before the first game: options and the like.
    opening_lines: Vec<String>,
    /// What was sent since, oldest first.
    sent: Vec<String>,
    sent_bytes: usize,
    /// Where in `sent` the game under way begins; `None` before the first game.
    game_start: Option<usize>,
    /// Whether games were thrown away.
    incomplete: bool,
}

impl Transcript {
    pub(super) fn new() -> Transcript {
        Transcript {
            started: Instant::now(),
            recent: VecDeque::new(),
            opening_lines: Vec::new(),
            sent: Vec::new(),
            sent_bytes: 0,
            game_start: None,
            incomplete: false,
        }
    }

    /// A new game begins with the next line.
    pub(super) fn begin_game(&mut self) {
        if self.sent_bytes > KEPT_INPUT_BYTES {
            self.sent.clear();
            self.sent_bytes = 0;
            self.incomplete = true;
        }
        self.game_start = Some(self.sent.len());
    }

    pub(super) fn add(&mut self, direction: Direction, line: &str, at: Instant) {
        if direction == Direction::ToEngine {
            match self.game_start {
                None => self.opening_lines.push(line.to_owned()),
                Some(_) => {
                    self.sent_bytes += line.len() + 1;
                    self.sent.push(line.to_owned());
                }
            }
        }
        if self.recent.len() == KEPT_LINES {
            self.recent.pop_front();
        }
        let seconds = at.saturating_duration_since(self.started).as_secs_f64();
        self.recent.push_back((seconds, direction, shortened(line)));
    }

    /// All lines that were sent since the process started, and whether games before the present one are missing.
    pub(super) fn input(&self) -> (Vec<String>, bool) {
        (self.opening_lines.iter().chain(&self.sent).cloned().collect(), self.incomplete)
    }

    /// The last lines, with the seconds since the start of the process; `>` was sent, `<` was answered.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        for (seconds, direction, line) in &self.recent {
            let arrow = match direction {
                Direction::ToEngine => '>',
                Direction::FromEngine => '<',
            };
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{seconds:.6} {arrow} {line}");
        }
        text
    }
}

/// The line, or its beginning and how long it was.
fn shortened(line: &str) -> String {
    if line.len() <= KEPT_BYTES {
        return line.to_owned();
    }
    let end = (0..=KEPT_BYTES).rev().find(|&end| line.is_char_boundary(end)).unwrap_or(0);
    format!("{} [{} bytes in all]", line.get(..end).unwrap_or_default(), line.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_sent_can_be_said_again() {
        let mut transcript = Transcript::new();
        let now = Instant::now();
        transcript.add(Direction::ToEngine, "uci", now);
        transcript.add(Direction::FromEngine, "uciok", now);
        for game in 0..3 {
            transcript.begin_game();
            transcript.add(Direction::ToEngine, &format!("position {game}"), now);
        }
        let (input, incomplete) = transcript.input();
        assert_eq!(input, ["uci", "position 0", "position 1", "position 2"]);
        assert!(!incomplete);
        transcript.add(Direction::ToEngine, &"x".repeat(KEPT_INPUT_BYTES), now);
        transcript.begin_game();
        transcript.add(Direction::ToEngine, "position 3", now);
        assert_eq!(transcript.input(), (vec!["uci".to_owned(), "position 3".to_owned()], true));
        assert!(transcript.text().contains("[16777216 bytes in all]"));
    }

    #[test]
    fn long_lines_are_cut_between_characters() {
        let line = "\u{e9}".repeat(KEPT_BYTES);
        assert!(shortened(&line).starts_with('\u{e9}'));
        assert_eq!(shortened("short"), "short");
    }
}
