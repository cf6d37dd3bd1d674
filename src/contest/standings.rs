//! What the games of a match add up to.
//!
//! Games are added one by one, in any order; every total is there at any time. Engines are known by their index in the
//! match. Of two engines the one with the lower index is the first, and the one whose points are counted, unless they are
//! asked for the other way round.

mod tally;

use super::config::MatchConfig;
use super::played::PlayedGame;
use super::rating::{Comparison, Ratings};
use super::sample::{GameCounts, Moments, Sample};
use super::statistics::Statistics;
use crate::game::{Side, Variant};
use std::collections::BTreeMap;
use std::ops::AddAssign;
pub use tally::{EngineRecord, Lengths, OpeningRecord, Tally, Terminations, VariantRecord};

/// What is kept for each variant.
#[derive(Clone, Debug, Default)]
struct PerVariant<T> {
    kiswahili: T,
    kigogo: T,
    kimasai: T,
}

impl<T> PerVariant<T> {
    fn of(&self, variant: Variant) -> &T {
        match variant {
            Variant::Kiswahili => &self.kiswahili,
            Variant::Kigogo => &self.kigogo,
            Variant::Kimasai => &self.kimasai,
        }
    }

    fn of_mut(&mut self, variant: Variant) -> &mut T {
        match variant {
            Variant::Kiswahili => &mut self.kiswahili,
            Variant::Kigogo => &mut self.kigogo,
            Variant::Kimasai => &mut self.kimasai,
        }
    }
}

impl<T: Clone + Default + for<'a> AddAssign<&'a T>> PerVariant<T> {
    /// What is kept for that variant, or the sum over all.
    fn sum(&self, variant: Option<Variant>) -> T {
        if let Some(variant) = variant {
            return self.of(variant).clone();
        }
        let mut sum = T::default();
        Variant::ALL.into_iter().for_each(|variant| sum += self.of(variant));
        sum
    }
}

/// What a game is known by as the first of its pair. The opening's text is part of it, as the numbers of pairs of matches
/// that were pooled can coincide.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct HalfPair {
    variant: &'static str,
    pair: u64,
    south: usize,
    north: usize,
    opening: String,
}

/// The totals of a match.
#[derive(Clone, Debug, Default)]
pub struct Standings {
    engines: Vec<String>,
    paired: bool,
    pairings: BTreeMap<(usize, usize), PerVariant<Tally>>,
    records: BTreeMap<usize, PerVariant<EngineRecord>>,
    variants: PerVariant<VariantRecord>,
    openings: PerVariant<BTreeMap<u32, OpeningRecord>>,
    /// Games whose pair is not complete, by the half points of the first engine.
    halves: BTreeMap<HalfPair, Vec<u8>>,
}

impl Standings {
    /// The totals of no games yet between these engines; `games` from each opening, as in [`MatchConfig::games`]: from 2 on
    /// they count as pairs.
    pub fn new(engines: &[String], games: u32) -> Standings {
        Standings { engines: engines.to_vec(), paired: games > 1, ..Standings::default() }
    }

    /// The totals of these games of a match.
    pub fn of(config: &MatchConfig, games: &[PlayedGame]) -> Standings {
        let engines: Vec<String> = config.engines.iter().map(|engine| engine.name.clone()).collect();
        let mut standings = Standings::new(&engines, config.games);
        games.iter().for_each(|game| standings.add(game));
        standings
    }

    /// Adds a game. An engine of an unknown name joins the others with the next index.
    pub fn add(&mut self, game: &PlayedGame) {
        let variant = game.variant;
        let (south, north) = (self.index(&game.south), self.index(&game.north));
        let (first, first_side) = if south < north { (south, Side::South) } else { (north, Side::North) };
        let second = south.max(north);
        let half_points = game.result.half_points(first_side);
        let mover = first_mover(&game.opening);

        let tally = self.pairings.entry((first, second)).or_default().of_mut(variant);
        tally.games.add(half_points);
        if self.paired {
            let key = |south, north| HalfPair {
                variant: variant.name(),
                pair: game.pair,
                south,
                north,
                opening: game.opening.clone(),
            };
            let other = key(north, south);
            let partner = self.halves.get_mut(&other).and_then(Vec::pop);
            match partner {
                Some(known) => {
                    tally.pairs.add(known + half_points);
                    tally.unpaired.remove(known);
                    if self.halves.get(&other).is_some_and(Vec::is_empty) {
                        self.halves.remove(&other);
                    }
                }
                None => {
                    tally.unpaired.add(half_points);
                    self.halves.entry(key(south, north)).or_default().push(half_points);
                }
            }
        } else {
            tally.unpaired.add(half_points);
        }
        for (engine, side) in [(south, Side::South), (north, Side::North)] {
            self.records.entry(engine).or_default().of_mut(variant).add(game, side, mover);
        }
        self.variants.of_mut(variant).add(game, mover);
        let opening = self.openings.of_mut(variant).entry(game.opening_number).or_default();
        opening.first.add(half_points);
        opening.south.add(game.result.half_points(Side::South));
    }

    /// The names of the engines, by index.
    pub fn engines(&self) -> &[String] {
        &self.engines
    }

    /// All games.
    pub fn games(&self) -> u64 {
        Variant::ALL.into_iter().map(|variant| self.variants.of(variant).south.games()).sum()
    }

    /// The variants that have games, in the order of [`Variant::ALL`].
    pub fn variants(&self) -> Vec<Variant> {
        Variant::ALL.into_iter().filter(|&variant| self.variants.of(variant).south.games() > 0).collect()
    }

    /// The pairings that have games, the lower index first.
    pub fn pairings(&self) -> Vec<(usize, usize)> {
        self.pairings.keys().copied().collect()
    }

    /// The games of two engines in one variant, or in all of them, from the viewpoint of the one that is named first.
    pub fn pairing(&self, first: usize, second: usize, variant: Option<Variant>) -> Tally {
        let known = self.pairings.get(&(first.min(second), first.max(second)));
        let tally = known.map(|tallies| tallies.sum(variant)).unwrap_or_default();
        if first < second { tally } else { tally.reversed() }
    }

    /// What the statistics of two engines are made from: pairs if the match plays pairs, else games. Over all variants it is
    /// the sum of their counts, which is what a sequential test takes.
    pub fn sample(&self, first: usize, second: usize, variant: Option<Variant>) -> Sample {
        let tally = self.pairing(first, second, variant);
        if self.paired { Sample::Pairs(tally.pairs) } else { Sample::Games(tally.games) }
    }

    /// The statistics of two engines over all variants in which they have complete pairs (or games), each variant with the
    /// same weight however many games it has: a stratified estimate.
    ///
    /// Of k variants with mean mu_v, variance var_v and N_v pairs or games: mu = Σ mu_v / k, and its standard error is
    /// sqrt(Σ var_v/N_v) / k. Score, Elo, their errors and LOS follow as for a single sample; normalized Elo is `None`.
    /// Source: W. G. Cochran, *Sampling Techniques*, 5.3.
    pub fn weighted(&self, first: usize, second: usize) -> Statistics {
        let samples = Variant::ALL.map(|variant| self.sample(first, second, Some(variant)).moments());
        let moments: Vec<Moments> = samples.into_iter().flatten().collect();
        if moments.is_empty() {
            return Statistics::default();
        }
        let weight = 1.0 / moments.len() as f64;
        let mean = moments.iter().map(|m| weight * m.mean).sum();
        let variance = moments.iter().map(|m| weight * weight * m.variance / m.count).sum();
        // The variance of the mean itself, as of a sample of one.
        Statistics::of_moments(&Moments { count: 1.0, mean, variance })
    }

    /// The sample of every pairing, in one variant or in all.
    pub fn comparisons(&self, variant: Option<Variant>) -> Vec<Comparison> {
        let pairings = self.pairings.keys();
        pairings
            .map(|&(first, second)| Comparison { first, second, sample: self.sample(first, second, variant) })
            .collect()
    }

    /// The joint ratings of all engines, in one variant or in all.
    pub fn ratings(&self, variant: Option<Variant>) -> Ratings {
        Ratings::fit(self.engines.len(), &self.comparisons(variant))
    }

    /// The games of one engine against all others, in one variant or in all.
    pub fn engine(&self, engine: usize, variant: Option<Variant>) -> EngineRecord {
        self.records.get(&engine).map(|records| records.sum(variant)).unwrap_or_default()
    }

    /// The games of one variant, or of all, without regard to the engines.
    pub fn variant(&self, variant: Option<Variant>) -> VariantRecord {
        self.variants.sum(variant)
    }

    /// The results of each opening of a variant that has games, by its number in the list of `config.json`, from 1.
    pub fn openings(&self, variant: Variant) -> &BTreeMap<u32, OpeningRecord> {
        self.openings.of(variant)
    }

    fn index(&mut self, name: &str) -> usize {
        if let Some(index) = self.engines.iter().position(|engine| engine == name) {
            return index;
        }
        self.engines.push(name.to_owned());
        self.engines.len() - 1
    }
}

/// The side that moves first from a position, by its text: the first field that is a side's letter. The fields before it,
/// variant and rows, are longer.
fn first_mover(opening: &str) -> Option<Side> {
    let side = |field: &str| Side::ALL.into_iter().find(|side| field.chars().eq([side.letter()]));
    opening.split_ascii_whitespace().find_map(side)
}

#[cfg(test)]
mod tests;
