//! The value of a leaf: what the net says; or a few random plies, and then the seeds that each side holds.

use super::params::Tuning;
use crate::evaluation::{Evaluate, Evaluator, Inputs, win_probability};
use crate::game::{GameResult, Outcome, Side};
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

/// The value of a leaf for `viewpoint`, in 0..=1: with material, exact if the game ends within the random plies; else
/// static.
#[inline]
pub(super) fn leaf_value<P: Inputs, R: Rng>(
    mut position: P,
    viewpoint: Side,
    evaluator: &Evaluator,
    tuning: &Tuning,
    rng: &mut R,
) -> f64 {
    if matches!(evaluator, Evaluator::Material(_)) {
        for _ in 0..tuning.playout_plies {
            if let Some(outcome) = position.play_random(rng) {
                return outcome_value(outcome, viewpoint);
            }
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
