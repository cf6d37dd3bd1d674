//! What the words of a command mean for the game at hand: moves and positions are resolved here, and nothing is changed.

use super::command::{Go, Query, Words};
use super::error::{CommandError, expected_moves};
use super::response::{Response, moves_text};
use crate::game::{AnyPosition, GameRecord, Move, Side, Variant};
use crate::notation::{parse_move, parse_setup, position_text};
use crate::search::Limits;
use std::time::Duration;

/// The game of a `position` command: it begins in `text`, or in the start position of `variant`, and goes on with `moves`.
pub(super) fn game(variant: Variant, text: Option<Words<'_>>, moves: &[Words<'_>]) -> Result<GameRecord, CommandError> {
    let start = match text {
        None => AnyPosition::start(variant),
        Some(Words { text, column }) => {
            let setup = parse_setup(text, variant).map_err(|error| CommandError::PositionText { error, column })?;
            AnyPosition::from_setup(&setup).map_err(|error| CommandError::Setup { error, column })?
        }
    };
    let mut game = GameRecord::new(start);
    for (index, &Words { text, column }) in (1..).zip(moves) {
        let owned = || text.to_owned();
        let m = parse_move(text, game.position()).map_err(|error| CommandError::MoveText {
            index,
            text: owned(),
            column,
            error,
        })?;
        game.play(m).map_err(|error| {
            let expected = expected_moves(&game);
            CommandError::Play { index, text: owned(), column, error, expected }
        })?;
    }
    Ok(game)
}

/// The limits of a `go` for the present position of `game`.
pub(super) fn limits(go: &Go<'_>, game: &GameRecord) -> Result<Limits, CommandError> {
    let count = |n: Option<u64>| n.map(|n| u32::try_from(n).unwrap_or(u32::MAX));
    let search_moves = go.search_moves.iter().flatten().map(|&m| search_move(m, game));
    Ok(Limits {
        clock: go.clock_ms.map(|ms| ms.map(Duration::from_millis)),
        increment: go.increment_ms.map(|ms| Duration::from_millis(ms.unwrap_or(0))),
        moves_to_go: count(go.moves_to_go),
        move_time: go.move_time_ms.map(Duration::from_millis),
        nodes: go.nodes,
        depth: count(go.depth),
        mate: count(go.mate),
        infinite: go.infinite,
        ponder: go.ponder,
        search_moves: search_moves.collect::<Result<_, _>>()?,
    })
}

fn search_move(Words { text, column }: Words<'_>, game: &GameRecord) -> Result<Move, CommandError> {
    let owned = || text.to_owned();
    let m = parse_move(text, game.position()).map_err(|error| CommandError::SearchMoveText {
        text: owned(),
        column,
        error,
    })?;
    if game.legal_moves().contains(&m) {
        Ok(m)
    } else {
        Err(CommandError::SearchMove { text: owned(), column, expected: expected_moves(game) })
    }
}

/// The answer to a `query` about `game`.
pub(super) fn answer(query: Query<'_>, game: &GameRecord) -> Response {
    match query {
        Query::GameOver => Response::Bool(game.outcome().is_some()),
        Query::P1Turn => Response::Bool(game.side_to_move() == Side::South),
        Query::Result => Response::Result(game.outcome()),
        Query::Reason => Response::Reason(game.outcome().map(|o| o.reason)),
        Query::Fen => Response::Words(position_text(&game.position().to_setup()).to_string()),
        Query::Moves => Response::Words(moves_text(&game.legal_moves(), game.side_to_move())),
        Query::IsLegal(Words { text, .. }) => {
            let m = parse_move(text, game.position());
            Response::Bool(m.is_ok_and(|m| game.legal_moves().contains(&m)))
        }
    }
}
