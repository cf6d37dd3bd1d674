//! What is counted of a pairing, an engine, a variant and an opening.

use super::super::played::{PlayedGame, Termination};
use super::super::sample::PairCounts;
use super::GameCounts;
use crate::game::Side;
use std::collections::BTreeMap;
use std::ops::AddAssign;

/// The games of two engines, from the viewpoint of the first. Twice the pairs and the unpaired games are all games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// All games.
    pub games: GameCounts,
    /// The pairs that are complete.
    pub pairs: PairCounts,
    /// The games of pairs that are not complete; all games if the match does not play pairs.
    pub unpaired: GameCounts,
}

impl Tally {
    /// The same games from the second engine's viewpoint.
    pub fn reversed(&self) -> Tally {
        let Tally { games, pairs, unpaired } = self;
        Tally { games: games.reversed(), pairs: pairs.reversed(), unpaired: unpaired.reversed() }
    }
}

impl AddAssign<&Tally> for Tally {
    fn add_assign(&mut self, other: &Tally) {
        self.games += &other.games;
        self.pairs += &other.pairs;
        self.unpaired += &other.unpaired;
    }
}

/// How many games ended for which reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Terminations([u64; Termination::ALL.len()]);

impl Terminations {
    /// The games that ended for this reason.
    pub fn count(&self, reason: Termination) -> u64 {
        self.iter().find(|&(known, _)| known == reason).map_or(0, |(_, count)| count)
    }

    /// Every reason with its games, in the order of [`Termination::ALL`].
    pub fn iter(&self) -> impl Iterator<Item = (Termination, u64)> + '_ {
        Termination::ALL.into_iter().zip(self.0)
    }

    /// The games that ended because an engine failed: see [`Termination::is_failure`].
    pub fn failures(&self) -> u64 {
        self.iter().filter(|(reason, _)| reason.is_failure()).map(|(_, count)| count).sum()
    }

    fn add(&mut self, reason: Termination) {
        let counts = Termination::ALL.into_iter().zip(&mut self.0);
        counts.filter(|(known, _)| *known == reason).for_each(|(_, count)| *count += 1);
    }
}

impl AddAssign<&Terminations> for Terminations {
    fn add_assign(&mut self, other: &Terminations) {
        self.0.iter_mut().zip(other.0).for_each(|(count, more)| *count += more);
    }
}

/// The games of one engine, from its own viewpoint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EngineRecord {
    /// Its games as South.
    pub south: GameCounts,
    /// Its games as North.
    pub north: GameCounts,
    /// Its games in which it had the first move from the opening.
    pub moving_first: GameCounts,
    /// The reasons for the games that it lost; failures among them are its own.
    pub losses: Terminations,
}

impl EngineRecord {
    /// All its games.
    pub fn all(&self) -> GameCounts {
        let mut all = self.south;
        all += &self.north;
        all
    }

    /// Its points: 1 a win, 1/2 a draw.
    pub fn points(&self) -> f64 {
        self.all().points()
    }

    pub(super) fn add(&mut self, game: &PlayedGame, side: Side, mover: Option<Side>) {
        let half_points = game.result.half_points(side);
        match side {
            Side::South => self.south.add(half_points),
            Side::North => self.north.add(half_points),
        }
        if mover == Some(side) {
            self.moving_first.add(half_points);
        }
        if half_points == 0 {
            self.losses.add(game.reason);
        }
    }
}

impl AddAssign<&EngineRecord> for EngineRecord {
    fn add_assign(&mut self, other: &EngineRecord) {
        self.south += &other.south;
        self.north += &other.north;
        self.moving_first += &other.moving_first;
        self.losses += &other.losses;
    }
}

/// The games of one variant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VariantRecord {
    /// South's results against North.
    pub south: GameCounts,
    /// The results of the side that moved first from the opening, against the other side.
    pub first_mover: GameCounts,
    /// Why games ended.
    pub terminations: Terminations,
    /// How long they were.
    pub lengths: Lengths,
}

impl VariantRecord {
    pub(super) fn add(&mut self, game: &PlayedGame, mover: Option<Side>) {
        self.south.add(game.result.half_points(Side::South));
        if let Some(mover) = mover {
            self.first_mover.add(game.result.half_points(mover));
        }
        self.terminations.add(game.reason);
        *self.lengths.0.entry(game.plies).or_default() += 1;
    }
}

impl AddAssign<&VariantRecord> for VariantRecord {
    fn add_assign(&mut self, other: &VariantRecord) {
        self.south += &other.south;
        self.first_mover += &other.first_mover;
        self.terminations += &other.terminations;
        for (plies, games) in &other.lengths.0 {
            *self.lengths.0.entry(*plies).or_default() += games;
        }
    }
}

/// How many games had which length, in plies from the opening.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lengths(BTreeMap<u32, u64>);

impl Lengths {
    /// Every length that occurred, ascending, with its games.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u64)> + '_ {
        self.0.iter().map(|(&plies, &games)| (plies, games))
    }

    /// The shortest game; `None` if there are no games.
    pub fn shortest(&self) -> Option<u32> {
        self.0.keys().next().copied()
    }

    /// The longest game; `None` if there are no games.
    pub fn longest(&self) -> Option<u32> {
        self.0.keys().next_back().copied()
    }

    /// The mean length; `None` if there are no games.
    pub fn mean(&self) -> Option<f64> {
        let games = self.games();
        let plies: f64 = self.iter().map(|(plies, games)| f64::from(plies) * games as f64).sum();
        (games > 0).then(|| plies / games as f64)
    }

    /// The median length, of an even number of games the mean of the middle two; `None` if there are no games.
    pub fn median(&self) -> Option<f64> {
        let games = self.games();
        let middle = [games.checked_sub(1)? / 2, games / 2];
        let [low, high] = middle.map(|rank| self.at_rank(rank));
        Some(f64::midpoint(f64::from(low?), f64::from(high?)))
    }

    fn games(&self) -> u64 {
        self.0.values().sum()
    }

    /// The length of the game that so many games come before, in the order of length.
    fn at_rank(&self, rank: u64) -> Option<u32> {
        let mut passed = 0;
        self.iter().find_map(|(plies, games)| {
            passed += games;
            (passed > rank).then_some(plies)
        })
    }
}

/// The games from one opening.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpeningRecord {
    /// From the viewpoint of the engine with the lower index; in a match of two, the first engine.
    pub first: GameCounts,
    /// From South's viewpoint.
    pub south: GameCounts,
}
