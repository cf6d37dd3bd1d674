//! Training data: the engine plays against itself and writes down what it saw, for whoever fits an evaluation to it.
//!
//! [`fn@generate`] plays games (`play`) and puts their positions as [`Record`]s (`record`) into a file (`file`) that can be
//! gone on with wherever it was interrupted. Game `i` depends on the [`Settings`] and on `i` alone, so the bytes of the file
//! depend neither on the number of threads nor on interruptions. [`DataFile`] reads a file back.
//!
//! # The file
//!
//! All numbers are little-endian.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `KETEDATA` |
//! | 4 | version, 1 |
//! | 4 | length of the JSON text |
//! | so many | a JSON object, the [`Header`]; spaces at its end make room for it to change in place |
//!
//! Then a chunk for every 64 games, the last one for those that are left:
//!
//! | bytes | what |
//! |---|---|
//! | 4 | `CHNK` |
//! | 8 | number of its first game, from 0 |
//! | 4 | games |
//! | 4 | records |
//! | 4 | the first bytes of the SHA-256 of its records |
//! | so many | the records, game by game, ply by ply |
//!
//! A record is a board seen by the side to move, the mover, who comes first; each side is seen from its own left:
//!
//! | game | bytes of the board | what |
//! |---|---|---|
//! | kigogo | 48 | seeds of the mover's pits `B1..B12`, `A12..A1`, then the opponent's |
//! | kimasai | 6 | the mover's occupied pits as a set of 24 bits, bit 0 being `B1` in the same order; then the opponent's |
//! | kiswahili | 36 | seeds of the mover's pits `A1..A8`, `B8..B1`, then the opponent's; the mover's reserve, the opponent's; who owns a house: bit 0 the mover, bit 1 the opponent; 0, or the number of the mover's front pit that takasia blocks |
//!
//! and 7 bytes more:
//!
//! | bytes | what |
//! |---|---|
//! | 2 | score of the search for the mover, signed: in 1/256 logit of his chance to win, or, from 30000 on, proved: a win in `n` plies is `32000 - n`, a loss `n - 32000`. A proved draw is 0 |
//! | 1 | how the game ended for the mover: 0 lost, 1 drawn, 2 won |
//! | 4 | number of the game |
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

mod append;
mod file;
mod generate;
mod header;
mod play;
mod progress;
mod record;
mod settings;

pub use file::{Chunk, DataFile};
pub use generate::{Summary, Task, generate};
pub use header::Header;
pub use record::{Board, MoverResult, PROVED_FROM, Record, Tally, board_bytes, record_bytes};
pub use settings::{Settings, default_opening_plies};

use std::io;
use std::path::PathBuf;

/// Why data cannot be made or read.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// The operating system refuses.
    #[error("{}: {error}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What it says.
        error: io::Error,
    },
    /// The file is something else.
    #[error("{}: {reason}", .path.display())]
    NotData {
        /// The file.
        path: PathBuf,
        /// What was found, and what was expected.
        reason: String,
    },
    /// The file holds data of other settings.
    #[error("{} was made with other settings: {difference}; name another file, or ask for the same", .path.display())]
    OtherSettings {
        /// The file.
        path: PathBuf,
        /// Each setting that differs, with both values.
        difference: String,
    },
    /// A chunk is not what was written, or not all of it is there.
    #[error("{}, byte {offset}: {reason}", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where the chunk begins, from 0.
        offset: u64,
        /// What is wrong with it.
        reason: String,
    },
    /// A chunk is damaged though the data go on behind it, which no interruption does.
    #[error("{}, byte {offset}: {reason}, and the data go on behind it: mend the file, or cut it to {offset} bytes", .path.display())]
    DamagedInside {
        /// The file.
        path: PathBuf,
        /// Where the chunk begins, from 0.
        offset: u64,
        /// What is wrong with it.
        reason: String,
    },
    /// Settings that cannot be meant.
    #[error("{0}")]
    Settings(String),
    /// A game went wrong.
    #[error("game {game}: the search chose a move that the rules do not allow")]
    IllegalMove {
        /// The number of the game.
        game: u32,
    },
    /// The operating system gave no more threads.
    #[error("cannot start {threads} threads: {source}")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// Why there are none.
        source: rayon::ThreadPoolBuildError,
    },
}

#[cfg(test)]
mod tests;
