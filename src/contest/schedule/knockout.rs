//! Knockout tournaments: who wins a match goes on, until one engine is left.

use super::plan::{PairResult, Wave};

/// After so many tie-break openings without a decision the engine that is listed first goes on. If 6 of 10 openings leave
/// two engines level, 1 or 2 matches of 100 tied ones come to that.
pub const TIE_BREAKS: u32 = 8;

/// One stage of a knockout tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnockoutStage {
    /// Its number, from 1: the round of its games.
    pub round: u32,
    /// Its matches, in the order of the bracket: the winners of the first two meet in the next stage, and so on.
    pub matches: Vec<KnockoutMatch>,
}

/// A match of two engines in a knockout tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnockoutMatch {
    /// The index of the engine that is listed first of the two.
    pub first: usize,
    /// The other's; `None` if the first goes on without a game.
    pub second: Option<usize>,
    /// Twice the points of both, from the openings that all matches of the stage have played, and the tie-breaks that all
    /// tied ones have.
    pub half_points: [u64; 2],
    /// The tie-break openings that were needed so far.
    pub tie_breaks: u32,
    /// The engine that goes on, if that is decided. If the points are level, it is the one that is listed first.
    pub winner: Option<usize>,
}

impl KnockoutMatch {
    fn new(one: usize, other: Option<usize>) -> KnockoutMatch {
        let first = other.map_or(one, |other| one.min(other));
        let winner = if other.is_none() { Some(first) } else { None };
        KnockoutMatch { first, second: other.map(|other| one.max(other)), half_points: [0, 0], tie_breaks: 0, winner }
    }

    fn pairing(&self) -> Option<(usize, usize)> {
        self.second.map(|second| (self.first, second))
    }

    fn decide(&mut self) {
        let Some(second) = self.second.filter(|_| self.winner.is_none()) else { return };
        let [first_points, second_points] = self.half_points;
        if first_points < second_points {
            self.winner = Some(second);
        } else if first_points > second_points || self.tie_breaks == TIE_BREAKS {
            self.winner = Some(self.first);
        }
    }
}

/// The state of a knockout tournament.
#[derive(Clone, Debug)]
pub(super) struct Knockout {
    engines: usize,
    rounds: u32,
    stages: Vec<KnockoutStage>,
}

impl Knockout {
    pub(super) fn new(engines: usize, rounds: u32) -> Knockout {
        Knockout { engines, rounds, stages: Vec::new() }
    }

    pub(super) fn stages(&self) -> &[KnockoutStage] {
        &self.stages
    }

    pub(super) fn champion(&self) -> Option<usize> {
        match self.stages.last()?.matches.as_slice() {
            [last] => last.winner,
            _ => None,
        }
    }

    /// Openings that pairings not begun so far will play, without tie-breaks.
    pub(super) fn openings_to_come(&self) -> u64 {
        let begun = self.stages.iter().flat_map(|stage| &stage.matches).filter(|m| m.second.is_some()).count();
        // Every match puts one engine out, and one is left.
        self.engines.saturating_sub(1).saturating_sub(begun) as u64 * u64::from(self.rounds)
    }

    /// The wave after the one with these results: tie-breaks of this stage, or the next stage.
    pub(super) fn next(&mut self, results: &[PairResult]) -> Option<Wave> {
        let rounds = self.rounds;
        let Some(stage) = self.stages.last_mut() else { return self.begin_stage(self.bracket()) };
        for result in results {
            let pairing = Some((result.first, result.second));
            let found = stage.matches.iter_mut().find(|m| m.pairing() == pairing)?;
            let ([a, b], [c, d]) = (found.half_points, result.half_points);
            found.half_points = [a + c, b + d];
        }
        stage.matches.iter_mut().for_each(KnockoutMatch::decide);
        // All tied matches of a stage have played as many tie-breaks.
        let mut wave = Wave { round: stage.round, openings: 0..0, pairings: Vec::new() };
        for tied in stage.matches.iter_mut().filter(|m| m.winner.is_none()) {
            wave.openings = rounds + tied.tie_breaks..rounds + tied.tie_breaks + 1;
            wave.pairings.extend(tied.pairing());
            tied.tie_breaks += 1;
        }
        if !wave.pairings.is_empty() {
            return Some(wave);
        }
        let winners: Vec<usize> = stage.matches.iter().filter_map(|m| m.winner).collect();
        if winners.len() < 2 {
            return None;
        }
        self.begin_stage(winners.chunks(2).filter_map(pair_up).collect())
    }

    /// The first stage. The engines are seeded in the listed order, so that the best two can only meet in the final, the
    /// best four in the semi-finals and so on; if their number is no power of two, the best have no opponent.
    fn bracket(&self) -> Vec<KnockoutMatch> {
        let mut seeds = vec![0];
        while seeds.len() < self.engines {
            let last = 2 * seeds.len() - 1;
            seeds = seeds.into_iter().flat_map(|seed| [seed, last - seed]).collect();
        }
        let matches = seeds.chunks(2).filter_map(|pair| {
            let present: Vec<usize> = pair.iter().copied().filter(|&seed| seed < self.engines).collect();
            pair_up(&present)
        });
        matches.collect()
    }

    fn begin_stage(&mut self, matches: Vec<KnockoutMatch>) -> Option<Wave> {
        let round = self.stages.len() as u32 + 1;
        let pairings = matches.iter().filter_map(KnockoutMatch::pairing).collect();
        self.stages.push(KnockoutStage { round, matches });
        Some(Wave { round, openings: 0..self.rounds, pairings })
    }
}

fn pair_up(engines: &[usize]) -> Option<KnockoutMatch> {
    match *engines {
        [one] => Some(KnockoutMatch::new(one, None)),
        [one, other] => Some(KnockoutMatch::new(one, Some(other))),
        _ => None,
    }
}
