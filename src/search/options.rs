//! What a search may be told beside its limits.

use super::params::Params;
use super::players::Player;
use std::time::Duration;

/// What a search may be told beside its limits.
#[derive(Clone, Debug)]
pub struct SearchOptions {
    /// Who chooses.
    pub player: Player,
    /// How many lines a report has at the most.
    pub multi_pv: usize,
    /// The time that passes outside the engine with each move.
    pub move_overhead: Duration,
    /// Where random numbers start.
    pub seed: u64,
    /// The tunables.
    pub params: Params,
}

impl Default for SearchOptions {
    fn default() -> Self {
        SearchOptions {
            player: Player::Mcts,
            multi_pv: 1,
            move_overhead: Duration::from_millis(10),
            seed: 1,
            params: Params::default(),
        }
    }
}
