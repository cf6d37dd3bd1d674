//! Positions and moves as text, both ways (rules G6, G7, S9).
//!
//! Reading is tolerant exactly where the rule book says so: VARIANT and PLY may be missing from a position, a trailing
//! `*` is ignored, and the letter of some namua captures may be left out. Reading never decides whether a position makes
//! sense or a move is legal; that is for [`game`](crate::game).
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

mod moves;
mod position;

pub use moves::{MoveTextError, move_text, parse_move};
pub use position::{PositionTextError, board_diagram, parse_setup, position_text};

/// How much of a token an error message repeats.
const QUOTED_CHARS: usize = 40;

/// A piece of input as an error message shows it: in double quotes, control characters escaped, cut after 40 characters.
///
/// ```
/// assert_eq!(kete::notation::quote("a\tb"), "\"a\\tb\"");
/// ```
pub fn quote(text: &str) -> String {
    let mut quoted = String::new();
    for c in text.chars().take(QUOTED_CHARS) {
        // Inside double quotes a single one needs no escape.
        if c == '\'' { quoted.push(c) } else { quoted.extend(c.escape_debug()) }
    }
    if text.chars().nth(QUOTED_CHARS).is_some() {
        quoted.push('…');
    }
    format!("\"{quoted}\"")
}
