//! Swiss tournaments: in each round engines of about equal score meet that have not met before.

use super::matching::most_pairs;
use super::plan::{PairResult, Wave};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// A place in the table of a Swiss tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SwissPlace {
    /// The engine's index.
    pub engine: usize,
    /// Twice its points, those of byes included: of each, as many as there are for winning all games of a round.
    pub half_points: u64,
    /// The rounds in which it had no opponent.
    pub byes: u32,
}

/// The state of a Swiss tournament between two rounds.
#[derive(Clone, Debug)]
pub(super) struct Swiss {
    rounds: u32,
    /// The present round, from 1; 0 before the first one.
    round: u32,
    /// By engine, in the listed order.
    places: Vec<SwissPlace>,
    /// The half points of a bye.
    bye: u64,
    /// How often two engines have met, the lower index first.
    met: BTreeMap<(usize, usize), u32>,
}

impl Swiss {
    pub(super) fn new(engines: usize, rounds: u32, bye: u64) -> Swiss {
        let places = (0..engines).map(|engine| SwissPlace { engine, half_points: 0, byes: 0 }).collect();
        Swiss { rounds, round: 0, places, bye, met: BTreeMap::new() }
    }

    pub(super) fn pairings_in_all(&self) -> u64 {
        u64::from(self.rounds) * (self.places.len() / 2) as u64
    }

    pub(super) fn is_last(&self) -> bool {
        self.round >= self.rounds || self.places.len() < 2
    }

    /// The engines by points, those that are level in the listed order.
    pub(super) fn table(&self) -> Vec<SwissPlace> {
        let mut table = self.places.clone();
        table.sort_by_key(|place| Reverse(place.half_points));
        table
    }

    pub(super) fn next(&mut self, results: &[PairResult]) -> Option<Wave> {
        for result in results {
            for (engine, points) in [result.first, result.second].into_iter().zip(result.half_points) {
                self.places.get_mut(engine)?.half_points += points;
            }
        }
        if self.is_last() {
            return None;
        }
        self.round += 1;
        let mut table = self.table();
        if table.len() % 2 == 1 {
            let without = self.bye(&table)?;
            table.retain(|place| place.engine != without);
            let place = self.places.get_mut(without)?;
            place.byes += 1;
            place.half_points += self.bye;
        }
        let pairings = self.pairings(&table);
        for &pairing in &pairings {
            *self.met.entry(pairing).or_default() += 1;
        }
        Some(Wave { round: self.round, openings: self.round - 1..self.round, pairings })
    }

    fn meetings(&self, one: usize, other: usize) -> u32 {
        self.met.get(&(one.min(other), one.max(other))).copied().unwrap_or(0)
    }

    /// How many of these engines' pairings need not be rematches.
    fn most_new(&self, engines: &[usize]) -> usize {
        most_pairs(engines, |one, other| self.meetings(one, other) == 0)
    }

    /// Who has no opponent: of the engines with the fewest byes the lowest in the table without which the others have the
    /// fewest rematches.
    fn bye(&self, table: &[SwissPlace]) -> Option<usize> {
        let fewest = table.iter().map(|place| place.byes).min()?;
        let mut best = None;
        for place in table.iter().rev().filter(|place| place.byes == fewest) {
            let others: Vec<usize> = table.iter().map(|p| p.engine).filter(|&engine| engine != place.engine).collect();
            let new = self.most_new(&others);
            if best.is_none_or(|(_, most)| new > most) {
                best = Some((place.engine, new));
            }
            if 2 * new == others.len() {
                break;
            }
        }
        best.map(|(engine, _)| engine)
    }

    /// Pairs an even number of engines, from the top of the table down. Each gets the opponent it likes best of those with
    /// which the round can still have the fewest rematches.
    fn pairings(&self, table: &[SwissPlace]) -> Vec<(usize, usize)> {
        let mut left = table.to_vec();
        let engines: Vec<usize> = left.iter().map(|place| place.engine).collect();
        let mut new = self.most_new(&engines);
        let mut pairings = Vec::new();
        while let Some((&top, rest)) = left.split_first() {
            let candidates = self.candidates(top, rest);
            let without =
                |chosen: usize| rest.iter().map(|p| p.engine).filter(|&e| e != chosen).collect::<Vec<usize>>();
            let fits = |chosen: usize| {
                let gained = usize::from(self.meetings(top.engine, chosen) == 0);
                // The others have not more than all of them paired.
                new <= gained + (left.len() - 2) / 2 && gained + self.most_new(&without(chosen)) == new
            };
            let best = candidates.iter().copied().find(|&candidate| fits(candidate));
            let Some(opponent) = best.or(candidates.first().copied()) else { break };
            new = new.saturating_sub(usize::from(self.meetings(top.engine, opponent) == 0));
            pairings.push((top.engine.min(opponent), top.engine.max(opponent)));
            left.retain(|place| place.engine != top.engine && place.engine != opponent);
        }
        pairings
    }

    /// The opponents of the best engine left, the best choice first: those that it has met least often; of these, those
    /// with as many points. A group of equal points is folded, so that its best plays the first one of its lower half:
    /// all of the first round is such a group. Then come those with fewer points, from the top down.
    fn candidates(&self, top: SwissPlace, rest: &[SwissPlace]) -> Vec<usize> {
        let equals = rest.iter().take_while(|place| place.half_points == top.half_points).count();
        let (group, lower) = rest.split_at_checked(equals).unwrap_or((rest, &[]));
        // Members of the upper half beside the engine itself.
        let upper = equals.div_ceil(2).saturating_sub(1);
        let order = group.iter().skip(upper).chain(group.iter().take(upper).rev()).chain(lower);
        let mut candidates: Vec<usize> = order.map(|place| place.engine).collect();
        candidates.sort_by_key(|&engine| self.meetings(top.engine, engine));
        candidates
    }
}
