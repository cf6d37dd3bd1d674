//! Move text (rules G7, S9).

use super::quote;
use crate::game::{AnyPosition, Hand, Move, Pit, Row, Side, Variant};
use std::fmt;

/// Why a token is not the text of a move. Whether the move is legal is another question.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveTextError {
    /// It does not begin with a row letter of the mover.
    #[error("{} is not a move: expected a pit of {mover}, {} and a number", quote(.text), rows_of(*.mover))]
    Row {
        /// The token.
        text: String,
        /// Whose move was expected.
        mover: Side,
    },
    /// It names a pit of the other side.
    #[error("{} is a pit of {}, expected a move of {mover}", quote(.text), !*.mover)]
    WrongSide {
        /// The token.
        text: String,
        /// Whose move was expected.
        mover: Side,
    },
    /// The pit number is missing or there is no such pit.
    #[error("{} is not a move: expected a pit number from 1 to {columns}", quote(.text))]
    Number {
        /// The token.
        text: String,
        /// The pits of a row.
        columns: u8,
    },
    /// Kiswahili: the direction letter is missing or another.
    #[error("{} is not a move: expected L or R after the pit", quote(.text))]
    Hand {
        /// The token.
        text: String,
    },
    /// Something follows the complete move.
    #[error("{} is not a move: {} after its end, expected {expected}", quote(.text), quote(.rest))]
    Trailing {
        /// The token.
        text: String,
        /// What follows.
        rest: String,
        /// What may follow.
        expected: &'static str,
    },
}

fn rows_of(side: Side) -> &'static str {
    match side {
        Side::South => "A or B",
        Side::North => "a or b",
    }
}

/// The text of a move by `mover`.
///
/// ```
/// use kete::game::{Hand, Move, Pit, Row, Side};
/// let m = Move::with_hand(Pit::new(Row::Front, 8).unwrap(), Hand::Right, true);
/// assert_eq!(kete::notation::move_text(m, Side::North).to_string(), "a8R>");
/// ```
pub fn move_text(m: Move, mover: Side) -> impl fmt::Display {
    MoveText { m, mover }
}

struct MoveText {
    m: Move,
    mover: Side,
}

impl fmt::Display for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.m.pit().name(self.mover))?;
        match self.m.hand() {
            Some(Hand::Left) => f.write_str("L")?,
            Some(Hand::Right) => f.write_str("R")?,
            None => {}
        }
        f.write_str(if self.m.is_safari() { ">" } else { "" })
    }
}

/// Reads the text of a move by the side to move in `position`.
///
/// # Errors
/// A [`MoveTextError`] that quotes the token and says what was expected. A well-formed move that is not legal is no error
/// here.
///
/// ```
/// use kete::game::{AnyPosition, Variant};
/// use kete::notation::{move_text, parse_move};
/// let start = AnyPosition::start(Variant::Kiswahili);
/// let m = parse_move("A6L*", &start).unwrap();
/// assert_eq!(move_text(m, start.side_to_move()).to_string(), "A6L");
/// assert_eq!(
///     parse_move("A9L", &start).unwrap_err().to_string(),
///     "\"A9L\" is not a move: expected a pit number from 1 to 8"
/// );
/// ```
pub fn parse_move(text: &str, position: &AnyPosition) -> Result<Move, MoveTextError> {
    let (pit, rest) = parse_pit(text, position.side_to_move(), position.variant())?;
    let trailing =
        |rest: &str, expected| Err(MoveTextError::Trailing { text: text.to_owned(), rest: rest.to_owned(), expected });
    let AnyPosition::Kiswahili(kiswahili) = position else {
        return if rest.is_empty() { Ok(Move::of_pit(pit)) } else { trailing(rest, "nothing") };
    };
    let (hand, rest) = if let Some(rest) = rest.strip_prefix('L') {
        (Some(Hand::Left), rest)
    } else if let Some(rest) = rest.strip_prefix('R') {
        (Some(Hand::Right), rest)
    } else {
        (None, rest)
    };
    let (safari, rest) = rest.strip_prefix('>').map_or((false, rest), |rest| (true, rest));
    let rest = rest.strip_suffix('*').unwrap_or(rest);
    if !rest.is_empty() {
        return match hand {
            Some(_) => trailing(rest, "> or *"),
            None => Err(MoveTextError::Hand { text: text.to_owned() }),
        };
    }
    // Rule S9: in a namua capture the outer pits leave no choice of letter.
    let hand = hand.or(match pit.number() {
        1 | 2 => Some(Hand::Left),
        7 | 8 => Some(Hand::Right),
        _ => None,
    }
    .filter(|_| pit.row() == Row::Front && kiswahili.captures_in_namua()));
    match hand {
        Some(hand) => Ok(Move::with_hand(pit, hand, safari)),
        None => Err(MoveTextError::Hand { text: text.to_owned() }),
    }
}

/// Reads the pit at the head of a move and returns what follows it.
fn parse_pit(text: &str, mover: Side, variant: Variant) -> Result<(Pit, &str), MoveTextError> {
    let mut chars = text.chars();
    let (row, owner) = match chars.next() {
        Some('A') => (Row::Front, Side::South),
        Some('B') => (Row::Back, Side::South),
        Some('a') => (Row::Front, Side::North),
        Some('b') => (Row::Back, Side::North),
        _ => return Err(MoveTextError::Row { text: text.to_owned(), mover }),
    };
    let rest = chars.as_str();
    let digits_end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (digits, rest) = rest.split_at(digits_end);
    let pit = digits
        .parse()
        .ok()
        .filter(|&number: &u8| number <= variant.columns() && !digits.starts_with('0'))
        .and_then(|number| Pit::new(row, number))
        .ok_or(MoveTextError::Number { text: text.to_owned(), columns: variant.columns() })?;
    if owner == mover { Ok((pit, rest)) } else { Err(MoveTextError::WrongSide { text: text.to_owned(), mover }) }
}
