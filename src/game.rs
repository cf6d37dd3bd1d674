//! The rules of the three games, and nothing else: no input or output, no log, no clock.
//!
//! Rule numbers in comments (`Rule K4`) are those of `docs/rules.md`, the rule book.
//!
//! A [`Setup`] can describe anything that has the shape of a board. Only a [`Position`], which is a setup that passed
//! validation, can be played on. A [`GameRecord`] is a position with its past, which is what repetition needs.

mod any;
mod board;
mod kigogo;
mod kimasai;
mod kiswahili;
mod moves;
mod outcome;
mod perft;
mod position;
mod record;
mod ring24;
mod setup;
mod variant;

pub use any::AnyPosition;
pub use board::{Pit, Row, Side};
pub use kigogo::Kigogo;
pub use kimasai::Kimasai;
pub use kiswahili::{Kiswahili, MAX_LAPS};
pub use moves::{Hand, MAX_MOVES, Move, MoveList};
pub use outcome::{EndReason, GameResult, IllegalMove, Outcome};
pub use perft::{divide, perft};
pub use position::{Completion, PLAYOUT_MAX_PLIES, Position, random_playout};
pub use record::{GameRecord, PlayError};
pub use setup::{Setup, SetupError, TakasiaError};
pub use variant::Variant;
