//! Values of positions without a tree: of a game that is over, of one that stands still, of one that random moves end.

use crate::evaluation::{Evaluate, Evaluator, Inputs, win_probability};
use crate::game::{GameResult, Outcome, PLAYOUT_MAX_PLIES, Side};
use rand::Rng;

/// The value of an outcome for `viewpoint`, in 0..=1.
#[inline]
pub(super) fn outcome_value(outcome: Outcome, viewpoint: Side) -> f64 {
    match outcome.result {
        GameResult::Win(side) if side == viewpoint => 1.0,
        GameResult::Win(_) => 0.0,
        GameResult::Draw => 0.5,
    }
}

/// The static value of a position for its side to move, in 0..=1.
#[inline]
pub(super) fn static_value<P: Inputs>(position: &P, evaluator: &Evaluator) -> f64 {
    win_probability(evaluator.evaluate(position))
}

/// The value for `viewpoint`, in 0..=1, of what random moves make of a position: the result of the game, or, should it not
/// end, the seeds that each side holds.
#[inline]
pub(super) fn playout_value<P: Inputs, R: Rng>(
    mut position: P,
    viewpoint: Side,
    evaluator: &Evaluator,
    rng: &mut R,
) -> f64 {
    for _ in 0..PLAYOUT_MAX_PLIES {
        if let Some(outcome) = position.play_random(rng) {
            return outcome_value(outcome, viewpoint);
        }
    }
    let value = static_value(&position, evaluator);
    if position.side_to_move() == viewpoint { value } else { 1.0 - value }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::EndReason;

    #[test]
    fn an_outcome_is_worth_what_it_says() {
        let win = Outcome::win(Side::North, EndReason::Immobile);
        assert_eq!(outcome_value(win, Side::North), 1.0);
        assert_eq!(outcome_value(win, Side::South), 0.0);
        assert_eq!(outcome_value(Outcome::draw(EndReason::Repetition), Side::South), 0.5);
    }
}
