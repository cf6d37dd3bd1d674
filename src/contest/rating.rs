//! A joint estimate of the strength of several engines.

mod solve;

use super::sample::Sample;
use super::statistics::Z_95;
use solve::{Matrix, fitted, inverse_of_information};

/// Elo a unit of the logistic curve's natural scale: 400/ln 10.
const ELO_SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// What two engines have played against each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The index of the engine from whose viewpoint the sample is.
    pub first: usize,
    /// The index of the other one.
    pub second: usize,
    /// Their games or pairs.
    pub sample: Sample,
}

/// An Elo number and its uncertainty.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// Elo.
    pub elo: f64,
    /// Half the width of its 95 % interval, in Elo.
    pub error: f64,
}

/// The ratings of several engines from all their games together.
///
/// The model is that of Bradley and Terry: an engine θ_i expects p_ij = 1/(1 + e^(θ_j - θ_i)) points from a game with an
/// engine θ_j, a draw being half a point for each. The likeliest θ are those with which each engine has scored just what it
/// expects, Σ_j n_ij (s_ij - p_ij) = 0, for n_ij games with mean score s_ij. Elo is θ × 400/ln 10, and the mean of all rated
/// engines is 0. Of two engines the difference is [`Statistics::elo`](super::Statistics::elo).
///
/// The errors are those of the sandwich H⁺BH⁺. H is the information, the Laplacian of the weights n_ij p_ij (1 - p_ij), and
/// H⁺ its inverse on vectors of mean zero; B is the covariance of the points, Σ Σ (points - expected points)² d dᵀ, over all
/// pairs of games (or games) of all pairings, where d is 1 at the first engine, -1 at the second. So draws, and pairs that
/// vary less than two games do, narrow the errors. Sources: R. Bradley and M. Terry, *Rank analysis of incomplete block
/// designs*; P. Huber, *The behavior of maximum likelihood estimates under nonstandard conditions*.
///
/// Ratings exist for engines of which each can be reached from each other one along games that were not lost (L. Ford,
/// *Solution of a ranking problem from binary comparisons*); an engine that won everything, or lost everything, is beyond
/// any number. The largest such group is rated, from its own games; of equal groups that with the engine listed first.
///
/// ```
/// use kete::contest::{Comparison, GameCounts, Ratings, Sample};
/// let games = |wins, draws, losses| Sample::Games(GameCounts { wins, draws, losses });
/// let ratings = Ratings::fit(4, &[
///     Comparison { first: 0, second: 1, sample: games(30, 20, 10) },
///     Comparison { first: 1, second: 2, sample: games(30, 20, 10) },
///     Comparison { first: 2, second: 3, sample: games(9, 0, 0) },
/// ]);
/// assert_eq!(format!("{:.2}", ratings.of(0).unwrap().elo), "120.41");
/// assert_eq!(format!("{:.2}", ratings.difference(0, 2).unwrap().elo), "240.82");
/// assert_eq!(ratings.of(3), None);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Ratings {
    /// The indices of the rated engines, ascending.
    members: Vec<usize>,
    /// Their ratings on the natural scale.
    strengths: Vec<f64>,
    /// The covariance of these.
    covariance: Matrix,
}

/// A comparison of two members, as numbers: positions among the members, games, and the first one's share of the points.
#[derive(Clone, Copy, Debug)]
struct Edge {
    first: usize,
    second: usize,
    games: f64,
    score: f64,
    /// Pairs or games, what varies independently.
    units: f64,
    /// The variance of the score of one of these.
    variance: f64,
}

impl Ratings {
    /// Rates so many engines by their games. Two engines may occur in more than one comparison.
    pub fn fit(engines: usize, comparisons: &[Comparison]) -> Ratings {
        let members = largest_group(engines, comparisons);
        if members.len() < 2 {
            return Ratings::default();
        }
        let place = |engine: usize| members.binary_search(&engine).ok();
        let edges: Vec<Edge> = comparisons
            .iter()
            .filter_map(|c| {
                let (first, second) = (place(c.first)?, place(c.second)?);
                let moments = c.sample.moments()?;
                let games = c.sample.games_each() * moments.count;
                let (score, variance) = (moments.mean, moments.variance);
                Some(Edge { first, second, games, score, units: moments.count, variance })
            })
            .collect();
        let solution = fitted(members.len(), &edges).and_then(|strengths| {
            let covariance = sandwich(&strengths, &edges)?;
            let finite = strengths.iter().chain(covariance.iter().flatten()).all(|x| x.is_finite());
            finite.then_some((strengths, covariance))
        });
        match solution {
            Some((strengths, covariance)) => Ratings { members, strengths, covariance },
            None => Ratings::default(),
        }
    }

    /// The rating of an engine relative to the mean of all rated ones; `None` if it has none.
    pub fn of(&self, engine: usize) -> Option<Rating> {
        let place = self.members.binary_search(&engine).ok()?;
        Some(rating(*self.strengths.get(place)?, self.covariance(place, place)?))
    }

    /// How far `first` is above `second`. Its error is not that of the two ratings together, as both depend on the same
    /// games.
    pub fn difference(&self, first: usize, second: usize) -> Option<Rating> {
        let (a, b) = (self.members.binary_search(&first).ok()?, self.members.binary_search(&second).ok()?);
        let variance = self.covariance(a, a)? + self.covariance(b, b)? - 2.0 * self.covariance(a, b)?;
        Some(rating(self.strengths.get(a)? - self.strengths.get(b)?, variance))
    }

    fn covariance(&self, row: usize, column: usize) -> Option<f64> {
        self.covariance.get(row)?.get(column).copied()
    }
}

fn rating(strength: f64, variance: f64) -> Rating {
    // Rounding can take a variance of 0 below it.
    Rating { elo: ELO_SCALE * strength, error: ELO_SCALE * Z_95 * variance.max(0.0).sqrt() }
}

/// The expected score of a member against another one.
fn expected(strengths: &[f64], first: usize, second: usize) -> Option<f64> {
    Some(1.0 / (1.0 + libm::exp(strengths.get(second)? - strengths.get(first)?)))
}

/// H⁺BH⁺: each pairing adds v u uᵀ, where v is the sum of the squares of its unexpected points and u = H⁺d.
fn sandwich(strengths: &[f64], edges: &[Edge]) -> Option<Matrix> {
    let size = strengths.len();
    let inverse = inverse_of_information(strengths, edges)?;
    let mut covariance = vec![vec![0.0; size]; size];
    for edge in edges {
        let surprise = edge.score - expected(strengths, edge.first, edge.second)?;
        let games_a_unit = edge.games / edge.units;
        let squares = edge.units * games_a_unit * games_a_unit * (edge.variance + surprise * surprise);
        let influence: Vec<f64> =
            inverse.get(edge.first)?.iter().zip(inverse.get(edge.second)?).map(|(a, b)| a - b).collect();
        for (row, a) in covariance.iter_mut().zip(&influence) {
            row.iter_mut().zip(&influence).for_each(|(cell, b)| *cell += squares * a * b);
        }
    }
    Some(covariance)
}

/// The largest set of engines of which each has taken points from each other one, directly or by way of others in the set.
fn largest_group(engines: usize, comparisons: &[Comparison]) -> Vec<usize> {
    // Of each engine, those from which it has taken points, and those to which it has given some.
    let mut taken_from = vec![Vec::new(); engines];
    let mut given_to = vec![Vec::new(); engines];
    for c in comparisons.iter().filter(|c| c.first != c.second && c.first.max(c.second) < engines) {
        let Some(moments) = c.sample.moments() else { continue };
        let directions = [(c.first, c.second, moments.mean > 0.0), (c.second, c.first, moments.mean < 1.0)];
        for (taker, giver, _) in directions.into_iter().filter(|&(_, _, any)| any) {
            taken_from.get_mut(taker).into_iter().for_each(|list: &mut Vec<usize>| list.push(giver));
            given_to.get_mut(giver).into_iter().for_each(|list: &mut Vec<usize>| list.push(taker));
        }
    }
    let mut grouped = vec![false; engines];
    let mut largest: Vec<usize> = Vec::new();
    for engine in 0..engines {
        if grouped.get(engine).is_some_and(|done| *done) {
            continue;
        }
        let (ahead, behind) = (reached(engine, &taken_from), reached(engine, &given_to));
        let both = ahead.iter().zip(&behind).enumerate().filter(|(_, (a, b))| **a && **b);
        let group: Vec<usize> = both.map(|(member, _)| member).collect();
        grouped.iter_mut().enumerate().for_each(|(member, done)| *done |= group.binary_search(&member).is_ok());
        if group.len() > largest.len() {
            largest = group;
        }
    }
    largest
}

/// Which engines can be reached from `start`, itself included.
fn reached(start: usize, next: &[Vec<usize>]) -> Vec<bool> {
    let mut seen = vec![false; next.len()];
    let mut open = vec![start];
    while let Some(engine) = open.pop() {
        let Some(mark) = seen.get_mut(engine).filter(|mark| !**mark) else { continue };
        *mark = true;
        open.extend(next.get(engine).into_iter().flatten());
    }
    seen
}

#[cfg(test)]
mod tests;
