//! The commands that are also given on the command line: one question, one answer.

use super::listing;
use super::writer::Writer;
use crate::game::{AnyPosition, SetupError, Variant};
use crate::notation::{PositionTextError, parse_setup};
use crate::search::{Params, SearcherError, bench};

/// Why a question has no answer.
#[derive(Debug, thiserror::Error)]
pub enum OneshotError {
    /// The text is not that of a position.
    #[error("--position: {0}")]
    PositionText(#[from] PositionTextError),
    /// The position is not valid.
    #[error("--position: {0}")]
    Setup(#[from] SetupError),
    /// Threads or memory are not to be had.
    #[error(transparent)]
    Searcher(#[from] SearcherError),
}

/// `kete bench [--json]`.
///
/// # Errors
/// If threads or memory are not to be had.
pub fn write_bench(writer: &Writer, json: bool) -> Result<(), OneshotError> {
    if let Some(report) = bench::run(&Params::default(), &|| true)? {
        writer.write(&if json { listing::bench_json(&report) } else { listing::bench(&report) });
    }
    Ok(())
}

/// `kete perft DEPTH --variant V [--position TEXT]`.
///
/// # Errors
/// If the position is none.
pub fn write_perft(writer: &Writer, depth: u32, variant: Variant, position: Option<&str>) -> Result<(), OneshotError> {
    let position = match position {
        Some(text) => AnyPosition::from_setup(&parse_setup(text, variant)?)?,
        None => AnyPosition::start(variant),
    };
    let leaves = listing::count_leaves(&position, depth, &mut || true).unwrap_or_default();
    writer.write(&listing::perft(&leaves, depth, position.side_to_move()));
    Ok(())
}

/// `kete params [--json]`.
pub fn write_params(writer: &Writer, json: bool) {
    writer.write(&if json { listing::params_json() } else { listing::params(&Params::default()) });
}
