//! How a game ends, and why a move is refused.

use super::{Side, Variant};
use std::fmt;

/// Why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EndReason {
    /// The side to move has seeds but no legal move (rule G5a).
    Immobile,
    /// A side has no seeds left, reserve included (rules G5a, G6).
    NoSeeds,
    /// Kiswahili: the front row of the side to move is empty (rules S7a, S12).
    FrontRowEmpty,
    /// The whole state has occurred before in this game (rule G5b).
    Repetition,
    /// Kigogo: the last move was a never-ending relay (rule K5).
    EndlessRelay,
}

impl EndReason {
    /// All reasons.
    pub const ALL: [EndReason; 5] = [
        EndReason::Immobile,
        EndReason::NoSeeds,
        EndReason::FrontRowEmpty,
        EndReason::Repetition,
        EndReason::EndlessRelay,
    ];

    /// The word of the protocol for this reason.
    pub const fn name(self) -> &'static str {
        match self {
            EndReason::Immobile => "immobile",
            EndReason::NoSeeds => "no-seeds",
            EndReason::FrontRowEmpty => "front-row-empty",
            EndReason::Repetition => "repetition",
            EndReason::EndlessRelay => "endless-relay",
        }
    }
}

impl fmt::Display for EndReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Who won a game that is over; absolute, not from a side's viewpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// That side has won.
    Win(Side),
    /// Nobody has.
    Draw,
}

/// The end of a game: its result and the reason for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// Who won, in absolute terms.
    pub result: GameResult,
    /// Why the game is over.
    pub reason: EndReason,
}

impl Outcome {
    /// A win of `side`.
    #[inline]
    pub const fn win(side: Side, reason: EndReason) -> Outcome {
        Outcome { result: GameResult::Win(side), reason }
    }

    /// A draw.
    #[inline]
    pub const fn draw(reason: EndReason) -> Outcome {
        Outcome { result: GameResult::Draw, reason }
    }
}

/// A move that the rules do not allow in the position at hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a legal move of {variant} in this position")]
pub struct IllegalMove {
    /// The game in which it was tried.
    pub variant: Variant,
}
