//! Waves of games: how the next one is found.

use super::super::config::{MatchConfig, Tournament};
use super::knockout::Knockout;
use super::swiss::Swiss;
use std::ops::Range;

/// Pairings that play the same openings, each in every variant.
#[derive(Clone, Debug)]
pub(super) struct Wave {
    pub(super) round: u32,
    pub(super) openings: Range<u32>,
    /// The lower index first.
    pub(super) pairings: Vec<(usize, usize)>,
}

/// What two engines scored in one pair of games, in half points.
#[derive(Clone, Copy, Debug)]
pub(super) struct PairResult {
    pub(super) first: usize,
    pub(super) second: usize,
    pub(super) half_points: [u64; 2],
}

/// How the next wave is found.
#[derive(Clone, Debug)]
pub(super) enum Plan {
    /// The same pairings in each round.
    Fixed {
        pairings: Vec<(usize, usize)>,
        rounds: u32,
        next: u32,
    },
    Swiss(Swiss),
    Knockout(Knockout),
}

impl Plan {
    pub(super) fn new(config: &MatchConfig) -> Plan {
        let engines = config.engines.len();
        let fixed = |pairings| Plan::Fixed { pairings, rounds: config.rounds, next: 0 };
        match config.tournament {
            Tournament::RoundRobin => {
                fixed((0..engines).flat_map(|first| (first + 1..engines).map(move |second| (first, second))).collect())
            }
            Tournament::Gauntlet => fixed((1..engines).map(|second| (0, second)).collect()),
            Tournament::Swiss => {
                let most_points = config.variants.len() as u64 * games_a_pair(config);
                Plan::Swiss(Swiss::new(engines, config.rounds, 2 * most_points))
            }
            Tournament::Knockout => Plan::Knockout(Knockout::new(engines, config.rounds)),
        }
    }

    /// The wave after the one with these results; `None` if that was the last.
    pub(super) fn next(&mut self, results: &[PairResult]) -> Option<Wave> {
        match self {
            Plan::Fixed { pairings, rounds, next } => {
                let round = next.checked_add(1).filter(|round| round <= rounds && !pairings.is_empty())?;
                *next = round;
                Some(Wave { round, openings: round - 1..round, pairings: pairings.clone() })
            }
            Plan::Swiss(swiss) => swiss.next(results),
            Plan::Knockout(knockout) => knockout.next(results),
        }
    }

    /// Whether no wave comes after the present one, whatever its results.
    pub(super) fn is_last(&self) -> bool {
        match self {
            Plan::Fixed { pairings, rounds, next } => next >= rounds || pairings.is_empty(),
            Plan::Swiss(swiss) => swiss.is_last(),
            Plan::Knockout(knockout) => knockout.champion().is_some(),
        }
    }

    /// Whether the next wave depends on the results of the present one.
    pub(super) fn needs_results(&self) -> bool {
        !matches!(self, Plan::Fixed { .. })
    }

    /// Games in all, if results have no influence on it.
    pub(super) fn total(&self, games_a_pairing: u64) -> Option<u64> {
        match self {
            Plan::Fixed { pairings, rounds, .. } => Some(u64::from(*rounds) * pairings.len() as u64 * games_a_pairing),
            Plan::Swiss(swiss) => Some(swiss.pairings_in_all() * games_a_pairing),
            Plan::Knockout(_) => None,
        }
    }
}

/// Games from one opening: 1, or 2 as a pair.
pub(super) fn games_a_pair(config: &MatchConfig) -> u64 {
    u64::from(config.games.clamp(1, 2))
}
