//! How long an engine may think: time controls and other limits, as they are typed and as they are kept.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The longest time that is understood: ten days in milliseconds.
const MAX_TIME_MS: u64 = 864_000_000;

/// A clock for each side: so much time for so many moves, and an increment after each move.
///
/// ```
/// use kete::contest::TimeControl;
/// let control: TimeControl = "40/1:30+0.5".parse().unwrap();
/// assert_eq!(control, TimeControl { moves: Some(40), time_ms: 90_000, increment_ms: 500 });
/// assert_eq!(control.to_string(), "40/90+0.5");
/// let error = "1:75".parse::<TimeControl>().unwrap_err();
/// assert_eq!(error.to_string(), "\"1:75\": expected [MOVES/][MINUTES:]SECONDS[+INCREMENT], such as 8+0.08 or 40/1:30+0.5");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeControl {
    /// After so many moves of a side its clock gets `time_ms` again; never if `None`.
    pub moves: Option<u32>,
    /// Milliseconds on the clock at the start.
    pub time_ms: u64,
    /// Milliseconds added after each move.
    pub increment_ms: u64,
}

/// A text that is no time control or no time.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: expected {expected}", crate::notation::quote(.text))]
pub struct LimitError {
    /// The text.
    pub text: String,
    /// What was expected.
    pub expected: &'static str,
}

const A_CONTROL: &str = "[MOVES/][MINUTES:]SECONDS[+INCREMENT], such as 8+0.08 or 40/1:30+0.5";

impl FromStr for TimeControl {
    type Err = LimitError;

    fn from_str(text: &str) -> Result<TimeControl, LimitError> {
        let error = || LimitError { text: text.to_owned(), expected: A_CONTROL };
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => {
                let moves = plain_number(moves).and_then(|n| u32::try_from(n).ok()).filter(|&n| n > 0);
                (Some(moves.ok_or_else(error)?), rest)
            }
            None => (None, text),
        };
        let (time, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        let (minutes, seconds) = time.split_once(':').unwrap_or(("0", time));
        let minutes_ms = plain_number(minutes).and_then(|n| n.checked_mul(60_000)).ok_or_else(error)?;
        let seconds_ms = milliseconds(seconds).ok_or_else(error)?;
        if time.contains(':') && seconds_ms >= 60_000 {
            return Err(error());
        }
        let time_ms = minutes_ms.checked_add(seconds_ms).ok_or_else(error)?;
        let increment_ms = milliseconds(increment).ok_or_else(error)?;
        if time_ms > MAX_TIME_MS || increment_ms > MAX_TIME_MS || time_ms + increment_ms == 0 {
            return Err(error());
        }
        Ok(TimeControl { moves, time_ms, increment_ms })
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}+{}", seconds_text(self.time_ms), seconds_text(self.increment_ms))
    }
}

/// Reads a time of more than 0 in seconds, with up to three decimals, as milliseconds.
///
/// # Errors
/// [`LimitError`] with what was expected.
///
/// ```
/// use kete::contest::parse_seconds;
/// assert_eq!(parse_seconds("0.05"), Ok(50));
/// assert!(parse_seconds("-1").is_err());
/// ```
pub fn parse_seconds(text: &str) -> Result<u64, LimitError> {
    milliseconds(text)
        .filter(|ms| (1..=MAX_TIME_MS).contains(ms))
        .ok_or_else(|| LimitError { text: text.to_owned(), expected: "seconds, such as 2 or 0.05" })
}

fn plain_number(text: &str) -> Option<u64> {
    text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

/// Seconds with up to three decimals as milliseconds.
fn milliseconds(text: &str) -> Option<u64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    if fraction.is_empty() || fraction.len() > 3 {
        return None;
    }
    let fraction_ms = plain_number(&format!("{fraction:0<3}"))?;
    plain_number(whole)?.checked_mul(1000)?.checked_add(fraction_ms)
}

/// Milliseconds as seconds, without needless zeros.
pub(super) fn seconds_text(ms: u64) -> String {
    let text = format!("{}.{:03}", ms / 1000, ms % 1000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// What ends an engine's thinking about a move. At least one of the first four is given; clock and move time exclude
/// each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineLimits {
    /// A clock.
    pub clock: Option<TimeControl>,
    /// Milliseconds for each move.
    pub move_time_ms: Option<u64>,
    /// Nodes for each move, in the engine's own count.
    pub nodes: Option<u64>,
    /// Depth for each move, in the engine's own measure.
    pub depth: Option<u64>,
    /// Milliseconds by which a time may be overrun unpunished.
    pub margin_ms: u64,
}

impl fmt::Display for EngineLimits {
    /// In the words of the command line: `tc=8+0.08 nodes=1000 timemargin=20`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        parts.extend(self.clock.map(|clock| format!("tc={clock}")));
        parts.extend(self.move_time_ms.map(|ms| format!("st={}", seconds_text(ms))));
        parts.extend(self.nodes.map(|nodes| format!("nodes={nodes}")));
        parts.extend(self.depth.map(|depth| format!("depth={depth}")));
        parts.extend((self.margin_ms > 0).then(|| format!("timemargin={}", self.margin_ms)));
        f.write_str(&parts.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_are_read_and_written() {
        for (text, moves, time_ms, increment_ms, again) in [
            ("8+0.08", None, 8000, 80, "8+0.08"),
            ("60", None, 60_000, 0, "60+0"),
            ("40/60", Some(40), 60_000, 0, "40/60+0"),
            ("1:00+1", None, 60_000, 1000, "60+1"),
            ("0.5+0.005", None, 500, 5, "0.5+0.005"),
            ("0+1", None, 0, 1000, "0+1"),
        ] {
            let control: TimeControl = text.parse().unwrap();
            assert_eq!(control, TimeControl { moves, time_ms, increment_ms });
            assert_eq!(control.to_string(), again);
            assert_eq!(again.parse(), Ok(control));
        }
    }

    #[test]
    fn what_is_no_time_control_is_refused() {
        for text in [
            "",
            "+",
            "8+",
            "+1",
            "-8",
            "8+-1",
            "0",
            "0+0",
            "0/8",
            "a/8",
            "8.0001",
            "8.",
            ".5",
            "1:60",
            "1:2:3",
            "1e3",
            "8+1+1",
            "99999999999999999999",
            "864001",
            "infinite",
            "4 0/8",
        ] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }

    #[test]
    fn limits_are_written_as_they_are_typed() {
        let limits =
            EngineLimits { clock: "8+0.08".parse().ok(), nodes: Some(1000), margin_ms: 20, ..EngineLimits::default() };
        assert_eq!(limits.to_string(), "tc=8+0.08 nodes=1000 timemargin=20");
        let limits = EngineLimits { move_time_ms: Some(50), depth: Some(4), ..EngineLimits::default() };
        assert_eq!(limits.to_string(), "st=0.05 depth=4");
    }
}
