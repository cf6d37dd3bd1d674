//! Solved positions as lines of text: `POSITION; VALUE; PLIES`. A line that begins with `#` is a comment.

use super::Value;
use kete::game::{AnyPosition, Variant};
use kete::notation::{parse_setup, position_text, quote};
use std::fmt;

/// A position with its value, one line of a suite.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The position, without a past.
    pub position: AnyPosition,
    /// Its value for the side to move.
    pub value: Value,
}

impl Entry {
    /// Reads a line.
    ///
    /// # Errors
    /// A sentence that says what was expected.
    fn read(line: &str) -> Result<Entry, String> {
        let fields: Vec<&str> = line.split(';').map(str::trim).collect();
        let [position, value, plies] = fields[..] else {
            return Err(format!("{}: expected POSITION; VALUE; PLIES", quote(line)));
        };
        let number = || plies.parse().map_err(|_| format!("{}: expected plies", quote(plies)));
        let value = match value {
            "win" => Value::Win(number()?),
            "loss" => Value::Loss(number()?),
            "draw" if plies == "-" => Value::Draw,
            _ => return Err(format!("{} {}: expected win, loss or draw, its plies -", quote(value), quote(plies))),
        };
        Ok(Entry { position: read_position(position)?, value })
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; ", position_text(&self.position.to_setup()))?;
        match self.value {
            Value::Win(plies) => write!(f, "win; {plies}"),
            Value::Loss(plies) => write!(f, "loss; {plies}"),
            Value::Draw => write!(f, "draw; -"),
        }
    }
}

/// Reads a suite.
///
/// # Errors
/// A sentence that names the line and says what was expected.
pub fn read_suite(text: &str) -> Result<Vec<Entry>, String> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.starts_with('#') && !line.trim().is_empty());
    lines.map(|(i, line)| Entry::read(line).map_err(|error| format!("line {}: {error}", i + 1))).collect()
}

/// Reads the text of a position, which must name its game.
///
/// # Errors
/// A sentence that says what was expected.
pub fn read_position(text: &str) -> Result<AnyPosition, String> {
    let name = text.split_ascii_whitespace().next().unwrap_or("");
    let expected = || format!("{}: expected kiswahili, kigogo or kimasai", quote(name));
    let variant = Variant::from_name(name).ok_or_else(expected)?;
    let setup = parse_setup(text, variant).map_err(|e| e.to_string())?;
    AnyPosition::from_setup(&setup).map_err(|e| e.to_string())
}
