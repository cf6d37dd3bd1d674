//! The games played again, for a page that knows no rules.
//!
//! A position is a list of numbers, its *slots*: the pits in the order in which the board is printed (rule G2), from the
//! top left to the bottom right; in Kiswahili then the reserves of South and North, the owned houses (1 South, 2 North, 3
//! both) and the takasiaed pit (its slot and one, or 0). A number is written as one character, a move as the slots that it
//! changed, each with its new number.
//!
//! The single laps of a move are not known to the page. It tells sown from captured pits by what changed: a changed pit of
//! the mover was sown or lifted, a changed pit of the opponent was captured from. A pit that was emptied and filled up to
//! its old number within one move is not seen as changed.

use super::openings::Opening;
use crate::contest::{PlayedGame, ResultText, Termination};
use crate::game::{AnyPosition, GameRecord, Pit, Row, Setup, Side};
use crate::notation::parse_move;

/// The characters of numbers, from 0. No position has a larger number than 64.
pub(super) const DIGITS: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_.~";

/// A game as it was played again.
pub(super) struct Replay {
    /// For each move that could be played, what it changed.
    pub changes: Vec<String>,
    /// What is wrong with the record of the game, in words.
    pub trouble: Option<String>,
}

/// Plays a game again, as far as that goes.
pub(super) fn replay(game: &PlayedGame, opening: &Opening<'_>) -> Replay {
    let start = match &opening.position {
        Ok(start) => start.clone(),
        Err(error) => {
            let trouble = format!("game {}: its opening cannot be read: {error}", game.game);
            return Replay { changes: Vec::new(), trouble: Some(trouble) };
        }
    };
    let mut before = slots(&start.to_setup());
    let mut record = GameRecord::new(start);
    let mut changes = Vec::with_capacity(game.moves.len());
    for (text, number) in game.moves.iter().zip(1..) {
        let played = parse_move(text, record.position())
            .map_err(|e| e.to_string())
            .and_then(|m| record.play(m).map_err(|e| e.to_string()));
        if let Err(error) = played {
            let trouble = format!("game {}, move {number}: {text} cannot be played: {error}", game.game);
            return Replay { changes, trouble: Some(trouble) };
        }
        let after = slots(&record.position().to_setup());
        changes.push(difference(&before, &after));
        before = after;
    }
    Replay { changes, trouble: disagreement(game, &record) }
}

/// Where result and reason are not what the moves lead to.
fn disagreement(game: &PlayedGame, record: &GameRecord) -> Option<String> {
    let by_rule = matches!(game.reason, Termination::Normal | Termination::Repetition | Termination::EndlessRelay);
    let number = game.game;
    match record.outcome() {
        Some(outcome) if outcome.result != game.result.0 => Some(format!(
            "game {number}: the moves lead to {} ({}), the record says {}",
            ResultText(outcome.result).name(),
            outcome.reason,
            game.result.name()
        )),
        None if by_rule => {
            Some(format!("game {number}: by its moves the game is not over, the record says that it is"))
        }
        _ => None,
    }
}

/// The numbers of a position.
pub(super) fn slots(setup: &Setup) -> Vec<u8> {
    let columns = setup.variant().columns();
    let printed =
        [(Side::North, Row::Back), (Side::North, Row::Front), (Side::South, Row::Front), (Side::South, Row::Back)];
    let pits = printed.into_iter().flat_map(|(side, row)| {
        (1..=columns).filter_map(move |i| {
            let number = if side == Side::North { columns + 1 - i } else { i };
            Some((side, Pit::new(row, number)?))
        })
    });
    let mut slots: Vec<u8> = pits.clone().map(|(side, pit)| setup.count(side, pit)).collect();
    if setup.variant().has_reserves() {
        let [south, north] = setup.houses;
        slots.extend(setup.reserves);
        slots.push(u8::from(south) + 2 * u8::from(north));
        let takasia = setup.takasia.and_then(|blocked| pits.zip(1..).find(|&(pit, _)| pit == blocked));
        slots.push(takasia.map_or(0, |(_, slot)| slot));
    }
    slots
}

/// Numbers as text.
pub(super) fn written(slots: &[u8]) -> String {
    slots.iter().map(|&n| digit(n)).collect()
}

fn digit(n: u8) -> char {
    DIGITS.as_bytes().get(usize::from(n)).map_or('?', |&b| char::from(b))
}

fn difference(before: &[u8], after: &[u8]) -> String {
    let changed = before.iter().zip(after).zip(0..).filter(|((old, new), _)| old != new);
    changed.flat_map(|((_, &new), slot)| [digit(slot), digit(new)]).collect()
}

/// The position of an opening as the page has it: its numbers, the side to move and the plies before.
pub(super) fn base(position: &AnyPosition) -> (String, usize, u32) {
    (written(&slots(&position.to_setup())), position.side_to_move().index(), position.ply())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Variant;

    #[test]
    fn positions_are_written_from_the_top_left() {
        let base = |variant| base(&AnyPosition::start(variant)).0;
        assert_eq!(
            base(Variant::Kimasai),
            format!("{}{}{}{}", "1".repeat(12), "1".repeat(11) + "0", "0".to_owned() + &"1".repeat(11), "1".repeat(12))
        );
        assert_eq!(base(Variant::Kiswahili), "00000000022600000000622000000000MM30");
    }

    #[test]
    fn a_move_is_what_it_changed() {
        let mut position = AnyPosition::start(Variant::Kimasai);
        let before = slots(&position.to_setup());
        position.play(parse_move("A2", &position).unwrap()).unwrap();
        // A1 faces a12 with b12 behind it: the left column of the board.
        assert_eq!(difference(&before, &slots(&position.to_setup())), "00C0O1P0");
    }
}
