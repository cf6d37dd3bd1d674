//! A game as it was played: the present position with its past.

use super::{AnyPosition, EndReason, GameResult, IllegalMove, Move, Outcome, Side, Variant};

/// A game from a starting position to the present one. It knows what a position alone cannot know: repetition (rule
/// G5b) and endless relays (rule K5).
#[derive(Clone, Debug)]
pub struct GameRecord {
    /// Every earlier position of the game with its key, oldest first.
    past: Vec<(u64, AnyPosition)>,
    present: AnyPosition,
    moves: Vec<Move>,
    outcome: Option<Outcome>,
}

/// Why a move could not be added to a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    /// The rules do not allow the move here.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
    /// The game had ended before.
    #[error("the game is over: {}", describe(*.0))]
    Over(Outcome),
}

/// An outcome in words, for messages.
fn describe(outcome: Outcome) -> String {
    match outcome.result {
        GameResult::Win(side) => format!("{side} has won ({})", outcome.reason),
        GameResult::Draw => format!("drawn ({})", outcome.reason),
    }
}

impl GameRecord {
    /// A game that begins in `start`, which counts as its first occurrence.
    pub fn new(start: AnyPosition) -> GameRecord {
        let outcome = start.outcome();
        GameRecord { past: Vec::new(), present: start, moves: Vec::new(), outcome }
    }

    /// A game from the starting position of `variant`.
    pub fn of_variant(variant: Variant) -> GameRecord {
        GameRecord::new(AnyPosition::start(variant))
    }

    /// The position on the board now.
    pub fn position(&self) -> &AnyPosition {
        &self.present
    }

    /// The side to move now.
    pub fn side_to_move(&self) -> Side {
        self.present.side_to_move()
    }

    /// The game.
    pub fn variant(&self) -> Variant {
        self.present.variant()
    }

    /// The moves played since the start of the record.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The end of the game, repetition and endless relays included.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The legal moves: none if the game is over.
    pub fn legal_moves(&self) -> super::MoveList {
        if self.outcome.is_some() { super::MoveList::new() } else { self.present.legal_moves() }
    }

    /// The keys of all earlier positions, oldest first, without the present one.
    pub fn past_keys(&self) -> impl Iterator<Item = u64> {
        self.past.iter().map(|(key, _)| *key)
    }

    /// Plays a move and settles whether it ended the game (rules G5, K5, S7a). A refused move changes nothing.
    ///
    /// # Errors
    /// [`PlayError::Over`] after the end of the game, [`PlayError::Illegal`] for a move that the rules do not allow.
    pub fn play(&mut self, m: Move) -> Result<(), PlayError> {
        if let Some(outcome) = self.outcome {
            return Err(PlayError::Over(outcome));
        }
        let mut next = self.present.clone();
        let completion = next.play(m)?;
        let before = std::mem::replace(&mut self.present, next);
        self.past.push((before.key(), before));
        self.moves.push(m);
        self.outcome = if completion.endless {
            // Rule K5: the draw stands even if the opponent could not move.
            Some(Outcome::draw(EndReason::EndlessRelay))
        } else {
            self.present.outcome().or_else(|| self.repetition())
        };
        Ok(())
    }

    /// Rule G5b. Keys only sort out candidates; the states themselves decide.
    fn repetition(&self) -> Option<Outcome> {
        let key = self.present.key();
        self.past
            .iter()
            .rev()
            .any(|(earlier, position)| *earlier == key && position.same_state(&self.present))
            .then_some(Outcome::draw(EndReason::Repetition))
    }
}
