//! What a search may be told beside its limits.

use super::params::Params;
use super::players::Player;
use crate::evaluation::{Evaluate, Evaluation, Evaluator, Score256};
use crate::game::{AnyPosition, Variant};
use std::time::Duration;

/// What a search may be told beside its limits.
#[derive(Clone, Debug)]
pub struct SearchOptions {
    /// Who chooses.
    pub player: Player,
    /// What judges the leaves.
    pub evaluation: Evaluation,
    /// How many lines a report has at the most.
    pub multi_pv: usize,
    /// The time that passes outside the engine with each move.
    pub move_overhead: Duration,
    /// Where random numbers start.
    pub seed: u64,
    /// The tunables.
    pub params: Params,
}

impl SearchOptions {
    /// The worth of a position to its side to move, without searching.
    pub fn evaluate(&self, position: &AnyPosition) -> Score256 {
        let evaluator = self.evaluator(position.variant());
        match position {
            AnyPosition::Kiswahili(position) => evaluator.evaluate(position),
            AnyPosition::Kigogo(position) => evaluator.evaluate(position),
            AnyPosition::Kimasai(position) => evaluator.evaluate(position),
        }
    }

    /// What judges the positions of a game.
    pub(super) fn evaluator(&self, variant: Variant) -> Evaluator {
        self.evaluation.evaluator(variant, self.params.tuning(variant).eval_slope)
    }
}

impl Default for SearchOptions {
    fn default() -> Self {
        SearchOptions {
            player: Player::Mcts,
            evaluation: Evaluation::default(),
            multi_pv: 1,
            move_overhead: Duration::from_millis(10),
            seed: 1,
            params: Params::default(),
        }
    }
}
