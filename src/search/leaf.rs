//! The value of a leaf: a few random plies, then the seeds that each side holds.

use super::params::{Params, Tuning};
use crate::game::{AnyPosition, GameResult, Outcome, Position, Side};
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

/// The share of seeds by which `viewpoint` is ahead: (own - theirs) / (own + theirs), in -1..=1; 0 on an empty board.
#[inline]
pub(super) fn seed_share<P: Position>(position: &P, viewpoint: Side) -> f64 {
    let own = f64::from(position.seeds(viewpoint));
    let theirs = f64::from(position.seeds(!viewpoint));
    if own + theirs > 0.0 { (own - theirs) / (own + theirs) } else { 0.0 }
}

/// The static value for `viewpoint`, in 0..=1: 0.5 + 0.5 tanh(slope x seed share). With slope 3 and 40 seeds against 20,
/// the value is 0.881.
#[inline]
pub(super) fn static_value<P: Position>(position: &P, viewpoint: Side, slope: f64) -> f64 {
    // `libm` and not the system's tanh: a search gives the same result on every machine.
    0.5 + 0.5 * libm::tanh(slope * seed_share(position, viewpoint))
}

/// The static value of a position for the side to move, in 0..=1, as leaves get it without random plies.
pub fn evaluate(position: &AnyPosition, params: &Params) -> f64 {
    fn of_game<P: Position>(position: &P, params: &Params) -> f64 {
        static_value(position, position.side_to_move(), params.tuning(P::VARIANT).eval_slope)
    }
    match position {
        AnyPosition::Kiswahili(position) => of_game(position, params),
        AnyPosition::Kigogo(position) => of_game(position, params),
        AnyPosition::Kimasai(position) => of_game(position, params),
    }
}

/// The value of a leaf for `viewpoint`, in 0..=1: exact if the game ends within the random plies, else static.
#[inline]
pub(super) fn leaf_value<P: Position, R: Rng>(mut position: P, viewpoint: Side, tuning: &Tuning, rng: &mut R) -> f64 {
    for _ in 0..tuning.playout_plies {
        if let Some(outcome) = position.play_random(rng) {
            return outcome_value(outcome, viewpoint);
        }
    }
    static_value(&position, viewpoint, tuning.eval_slope)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{EndReason, Kigogo, Kiswahili};

    #[test]
    fn the_static_value_is_even_at_the_start_and_mirrored() {
        assert_eq!(static_value(&Kigogo::start(), Side::South, 3.0), 0.5);
        let mut position = Kiswahili::start();
        for _ in 0..30 {
            let Some(&m) = position.legal_moves().first() else { break };
            position.play_unchecked(m);
            let both = Side::ALL.map(|side| static_value(&position, side, 3.0));
            assert!((both[0] + both[1] - 1.0).abs() < 1e-12);
            assert_eq!(both[0] > 0.5, position.seeds(Side::South) > position.seeds(Side::North));
        }
    }

    #[test]
    fn an_outcome_is_worth_what_it_says() {
        let win = Outcome::win(Side::North, EndReason::Immobile);
        assert_eq!(outcome_value(win, Side::North), 1.0);
        assert_eq!(outcome_value(win, Side::South), 0.0);
        assert_eq!(outcome_value(Outcome::draw(EndReason::Repetition), Side::South), 0.5);
    }
}
