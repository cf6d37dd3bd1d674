//! The commands that are also given on the command line: one question, one answer.

use super::listing;
use super::response::Response;
use super::writer::Writer;
use crate::datagen::{self, DataError};
use crate::game::{AnyPosition, SetupError, Variant};
use crate::notation::{PositionTextError, parse_setup};
use crate::search::{Params, SearchOptions, SearcherError, bench};

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
    /// Training data that cannot be made.
    #[error(transparent)]
    Data(#[from] DataError),
    /// Nobody took the answer.
    #[error("the answer could not be written to standard output")]
    Output,
}

fn answer(writer: &Writer, response: &Response) -> Result<(), OneshotError> {
    writer.write(response);
    if writer.is_closed() { Err(OneshotError::Output) } else { Ok(()) }
}

/// `kete bench [--json] [--scalar]`.
///
/// # Errors
/// If threads or memory are not to be had, or nobody takes the answer.
pub fn write_bench(writer: &Writer, json: bool, vectors: bool) -> Result<(), OneshotError> {
    let mut options = SearchOptions::default();
    options.evaluation.vectors = vectors;
    match bench::run(&options, &|| true)? {
        Some(report) => answer(writer, &if json { listing::bench_json(&report) } else { listing::bench(&report) }),
        None => Ok(()),
    }
}

/// `kete perft DEPTH --variant V [--position TEXT]`.
///
/// # Errors
/// If the position is none, or nobody takes the answer.
pub fn write_perft(writer: &Writer, depth: u32, variant: Variant, position: Option<&str>) -> Result<(), OneshotError> {
    let position = match position {
        Some(text) => AnyPosition::from_setup(&parse_setup(text, variant)?)?,
        None => AnyPosition::start(variant),
    };
    let leaves = listing::count_leaves(&position, depth, &mut || true).unwrap_or_default();
    answer(writer, &listing::perft(&leaves, depth, position.side_to_move()))
}

/// `kete params [--json]`.
///
/// # Errors
/// If nobody takes the answer.
pub fn write_params(writer: &Writer, json: bool) -> Result<(), OneshotError> {
    answer(writer, &if json { listing::params_json() } else { listing::params(&Params::default()) })
}

/// `kete datagen`: makes the file, then says what is in it.
///
/// # Errors
/// If the file cannot be made, or nobody takes the answer.
pub fn write_datagen(writer: &Writer, task: &datagen::Task) -> Result<(), OneshotError> {
    let summary = datagen::generate(task)?;
    answer(writer, &Response::Text(summary.to_string()))
}
