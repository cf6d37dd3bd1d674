//! What was counted in a match: games, or pairs of games, by their score.

use arrayvec::ArrayVec;
use std::ops::AddAssign;

/// The largest number of classes that a sample has.
pub(super) const MAX_CLASSES: usize = 5;

/// A number for each class of a sample, the worst class of the first engine first.
pub(super) type PerClass = ArrayVec<f64, MAX_CLASSES>;

/// Games by their result, from the viewpoint of the first engine: a trinomial sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameCounts {
    /// Games that the first engine won.
    pub wins: u64,
    /// Games that nobody won.
    pub draws: u64,
    /// Games that the first engine lost.
    pub losses: u64,
}

/// Pairs of games by their joint result, from the viewpoint of the first engine: a pentanomial sample.
///
/// A pair is two games from one opening, with sides swapped. What the opening and the first move give to one engine they
/// give to the other in the second game, so pairs vary less than games do, and tell more of the engines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairCounts {
    /// Pairs that the first engine lost twice.
    pub ll: u64,
    /// Pairs of a loss and a draw.
    pub ld: u64,
    /// Pairs of a win and a loss, and pairs of two draws.
    pub wl_dd: u64,
    /// Pairs of a win and a draw.
    pub wd: u64,
    /// Pairs that the first engine won twice.
    pub ww: u64,
}

/// What a match is judged by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sample {
    /// Games, taken as independent of each other.
    Games(GameCounts),
    /// Pairs of games, each pair independent of the others.
    Pairs(PairCounts),
}

impl GameCounts {
    /// All games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The points of the first engine: 1 a win, 1/2 a draw.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// The mean score of the first engine, in 0..=1 a game; `None` without games.
    pub fn score(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.points() / self.games() as f64)
    }

    /// The same games from the other side's viewpoint.
    pub fn reversed(&self) -> GameCounts {
        GameCounts { wins: self.losses, draws: self.draws, losses: self.wins }
    }

    /// Counts a game by twice its points: 0, 1 or 2.
    pub(super) fn add(&mut self, half_points: u8) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// Takes back what [`GameCounts::add`] has counted.
    pub(super) fn remove(&mut self, half_points: u8) {
        let count = match half_points {
            0 => &mut self.losses,
            1 => &mut self.draws,
            _ => &mut self.wins,
        };
        *count = count.saturating_sub(1);
    }
}

impl AddAssign<&GameCounts> for GameCounts {
    fn add_assign(&mut self, other: &GameCounts) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

impl PairCounts {
    /// All pairs; half as many as games.
    pub fn pairs(&self) -> u64 {
        self.ll + self.ld + self.wl_dd + self.wd + self.ww
    }

    /// The same pairs from the second engine's viewpoint.
    pub fn reversed(&self) -> PairCounts {
        PairCounts { ll: self.ww, ld: self.wd, wl_dd: self.wl_dd, wd: self.ld, ww: self.ll }
    }

    /// Counts a pair by twice the points of both games: 0 to 4.
    pub(super) fn add(&mut self, half_points: u8) {
        match half_points {
            0 => self.ll += 1,
            1 => self.ld += 1,
            2 => self.wl_dd += 1,
            3 => self.wd += 1,
            _ => self.ww += 1,
        }
    }
}

impl AddAssign<&PairCounts> for PairCounts {
    fn add_assign(&mut self, other: &PairCounts) {
        self.ll += other.ll;
        self.ld += other.ld;
        self.wl_dd += other.wl_dd;
        self.wd += other.wd;
        self.ww += other.ww;
    }
}

/// Mean and variance of the score of one game or pair.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moments {
    /// Games or pairs, N.
    pub(super) count: f64,
    /// The mean score mu = Σ p a, in 0..=1, of the first engine.
    pub(super) mean: f64,
    /// The variance Σ p (a - mu)² of a single score.
    pub(super) variance: f64,
}

/// Mean and variance Σ p (a - mu)² of scores with these probabilities.
pub(super) fn mean_and_variance(probabilities: &[f64], scores: &[f64]) -> (f64, f64) {
    let mean: f64 = probabilities.iter().zip(scores).map(|(p, a)| p * a).sum();
    let variance = probabilities.iter().zip(scores).map(|(p, a)| p * (a - mean) * (a - mean)).sum();
    (mean, variance)
}

impl Sample {
    /// The score of each class in 0..=1, of the first engine, ascending.
    ///
    /// A pair scores the mean of its two games.
    pub(super) fn scores(&self) -> &'static [f64] {
        match self {
            Sample::Games(_) => &[0.0, 0.5, 1.0],
            Sample::Pairs(_) => &[0.0, 0.25, 0.5, 0.75, 1.0],
        }
    }

    /// How many games or pairs each class has.
    pub(super) fn counts(&self) -> PerClass {
        let counts: ArrayVec<u64, MAX_CLASSES> = match *self {
            Sample::Games(GameCounts { wins, draws, losses }) => [losses, draws, wins].into_iter().collect(),
            Sample::Pairs(PairCounts { ll, ld, wl_dd, wd, ww }) => [ll, ld, wl_dd, wd, ww].into(),
        };
        counts.into_iter().map(|n| n as f64).collect()
    }

    /// How many games or pairs were counted.
    pub fn size(&self) -> u64 {
        match self {
            Sample::Games(games) => games.games(),
            Sample::Pairs(pairs) => pairs.pairs(),
        }
    }

    /// How many games make one of what is counted: 1, or 2 in pairs.
    pub(super) fn games_each(&self) -> f64 {
        match self {
            Sample::Games(_) => 1.0,
            Sample::Pairs(_) => 2.0,
        }
    }

    /// Mean and variance; `None` of an empty sample.
    pub(super) fn moments(&self) -> Option<Moments> {
        let counts = self.counts();
        let count: f64 = counts.iter().sum();
        if count == 0.0 {
            return None;
        }
        let probabilities: PerClass = counts.iter().map(|n| n / count).collect();
        let (mean, variance) = mean_and_variance(&probabilities, self.scores());
        Some(Moments { count, mean, variance })
    }
}
