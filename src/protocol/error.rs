//! Why a command is refused, in words.

use super::input::MAX_LINE_BYTES;
use super::option_spec::OptionError;
use super::parse::SyntaxError;
use super::response::moves_text;
use crate::evaluation::NetError;
use crate::game::{GameRecord, PlayError, SetupError};
use crate::notation::{MoveTextError, PositionTextError, quote};
use crate::search::SearcherError;
use std::path::PathBuf;

/// Why a command was not carried out. Nothing has changed then.
#[derive(Debug, thiserror::Error)]
pub(super) enum CommandError {
    #[error("line of more than {MAX_LINE_BYTES} bytes, expected a shorter one")]
    LineTooLong,
    #[error(transparent)]
    Syntax(#[from] SyntaxError),
    #[error("{0} while a search is running, expected stop first")]
    Busy(&'static str),
    #[error("wait might never end: the search has no limit of time, nodes or depth, expected stop")]
    EndlessWait,
    #[error("{error} (column {column})")]
    Option { error: OptionError, column: usize },
    #[error("EvalFile {}: {error} (column {column})", quote(&.path.display().to_string()))]
    EvalFile { path: PathBuf, error: NetError, column: usize },
    #[error(transparent)]
    Searcher(#[from] SearcherError),
    #[error("no thread to run on: {0}")]
    Thread(#[from] std::io::Error),
    #[error("{error} (position begins at column {column})")]
    PositionText { error: PositionTextError, column: usize },
    #[error("no valid position at column {column}: {error}")]
    Setup { error: SetupError, column: usize },
    #[error("move {index} {} at column {column}: {error}", quote(.text))]
    MoveText { index: usize, text: String, column: usize, error: MoveTextError },
    #[error("move {index} {} at column {column}: {error}, expected {expected}", quote(.text))]
    Play { index: usize, text: String, column: usize, error: PlayError, expected: String },
    #[error("searchmoves {} at column {column}: {error}", quote(.text))]
    SearchMoveText { text: String, column: usize, error: MoveTextError },
    #[error("searchmoves {} at column {column}: not legal in this position, expected {expected}", quote(.text))]
    SearchMove { text: String, column: usize, expected: String },
}

/// The moves that would have been right, for an error message.
pub(super) fn expected_moves(game: &GameRecord) -> String {
    let moves = game.legal_moves();
    if moves.is_empty() {
        return "no more moves".to_owned();
    }
    format!("one of {}", moves_text(&moves, game.side_to_move()))
}
