//! What the games of a record add up to: the one place of the report in which games are counted.

use super::openings::Openings;
use crate::contest::{
    GameCounts, Hypothesis, MatchRecord, PairCounts, PlayedGame, Sample, Sprt, Statistics, Tournament,
};
use crate::game::{GameResult, Side, Variant};
use std::collections::HashMap;

/// The most points that a curve over the games has.
const CURVE_POINTS: usize = 240;

/// What an engine scored, from its own viewpoint.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Tally {
    /// All of its games.
    pub games: GameCounts,
    /// Its complete pairs.
    pub pairs: PairCounts,
    /// Whether the match plays pairs, so that these are the sample.
    paired: bool,
}

impl Tally {
    /// Games played.
    pub(super) fn played(&self) -> u64 {
        self.games.wins + self.games.draws + self.games.losses
    }

    /// Pairs played to their end.
    pub(super) fn complete_pairs(&self) -> u64 {
        let PairCounts { ll, ld, wl_dd, wd, ww } = self.pairs;
        ll + ld + wl_dd + wd + ww
    }

    /// Games that wait for the other one of their pair, and so are not in the sample.
    pub(super) fn waiting(&self) -> u64 {
        if self.paired { self.played().saturating_sub(2 * self.complete_pairs()) } else { 0 }
    }

    /// What the estimates rest on: pairs if the match plays pairs.
    pub(super) fn sample(&self) -> Sample {
        if self.paired { Sample::Pairs(self.pairs) } else { Sample::Games(self.games) }
    }

    /// How many pairs or games the sample has.
    pub(super) fn sample_size(&self) -> u64 {
        if self.paired { self.complete_pairs() } else { self.played() }
    }

    /// The estimates.
    pub(super) fn statistics(&self) -> Statistics {
        Statistics::of(&self.sample())
    }

    /// Points, a win being 1 and a draw 1/2.
    pub(super) fn points(&self) -> f64 {
        self.games.wins as f64 + self.games.draws as f64 / 2.0
    }

    /// The share of the points in all games, half pairs included; `None` if there are none.
    pub(super) fn share(&self) -> Option<f64> {
        (self.played() > 0).then(|| self.points() / self.played() as f64)
    }
}

/// A sequential test and where it stands.
pub(super) struct SprtState {
    /// The test.
    pub sprt: Sprt,
    /// Its log-likelihood ratio now.
    pub llr: Option<f64>,
    /// What it has decided.
    pub verdict: Option<Hypothesis>,
    /// Pairs or games counted, and how many it takes before a verdict counts.
    pub samples: (u64, u64),
}

/// A record with what is needed to count its games.
pub(super) struct Figures<'a> {
    /// The record.
    pub record: &'a MatchRecord,
    /// The engines: those of the configuration, and any other name that the journal has.
    pub engines: Vec<&'a str>,
    /// Whether the match plays pairs.
    pub paired: bool,
    /// For each game, the earlier game that makes it a pair.
    partners: Vec<Option<&'a PlayedGame>>,
}

impl<'a> Figures<'a> {
    pub(super) fn new(record: &'a MatchRecord) -> Figures<'a> {
        let mut engines: Vec<&str> = record.file.config.engines.iter().map(|engine| engine.name.as_str()).collect();
        let mut halves: HashMap<u64, &PlayedGame> = HashMap::new();
        let mut partners = Vec::with_capacity(record.games.len());
        for game in &record.games {
            for name in [game.south.as_str(), &game.north] {
                if !engines.contains(&name) {
                    engines.push(name);
                }
            }
            let partner = halves.get(&game.pair).copied().filter(|other| {
                other.variant == game.variant && other.south == game.north && other.north == game.south
            });
            if partner.is_some() {
                halves.remove(&game.pair);
            } else {
                halves.insert(game.pair, game);
            }
            partners.push(partner);
        }
        Figures { record, engines, paired: record.file.config.games == 2, partners }
    }

    /// Whether the match is one of two engines, so that a single viewpoint tells everything.
    pub(super) fn is_duel(&self) -> bool {
        self.engines.len() == 2
    }

    /// The engines whose viewpoints the tables show.
    pub(super) fn viewpoints(&self) -> &[&'a str] {
        if self.is_duel() { self.engines.get(..1).unwrap_or_default() } else { &self.engines }
    }

    /// The games of a variant, or all.
    pub(super) fn games(&self, variant: Option<Variant>) -> impl Iterator<Item = &'a PlayedGame> {
        self.record.games.iter().filter(move |game| variant.is_none_or(|v| v == game.variant))
    }

    /// What `engine` scored in a variant, or in all, against one opponent, or all.
    pub(super) fn tally(&self, engine: &str, variant: Option<Variant>, opponent: Option<&str>) -> Tally {
        self.running(engine, variant, opponent, |_, _| ())
    }

    /// How the tally grew: games played and the tally, after at most 240 pairs or games of equal distance and the last.
    pub(super) fn curve(&self, engine: &str, opponent: Option<&str>) -> Vec<(u64, Tally)> {
        let size = usize::try_from(self.tally(engine, None, opponent).sample_size()).unwrap_or(usize::MAX);
        let stride = size.div_ceil(CURVE_POINTS).max(1);
        let mut points = Vec::new();
        let mut seen = 0;
        self.running(engine, None, opponent, |tally, grown| {
            if grown {
                seen += 1;
                if seen == size || seen % stride == 0 {
                    points.push((tally.played(), *tally));
                }
            }
        });
        points
    }

    /// Counts, and tells after each game whether the sample has grown.
    fn running(
        &self,
        engine: &str,
        variant: Option<Variant>,
        opponent: Option<&str>,
        mut after: impl FnMut(&Tally, bool),
    ) -> Tally {
        let mut tally = Tally { paired: self.paired, ..Tally::default() };
        for (game, partner) in self.record.games.iter().zip(&self.partners) {
            let Some(points) = half_points(game, engine) else { continue };
            let is_opponent = |name: &str| game.south == name || game.north == name;
            if variant.is_some_and(|v| v != game.variant) || !opponent.is_none_or(is_opponent) {
                continue;
            }
            add(&mut tally.games, points);
            let pair = partner.and_then(|other| half_points(other, engine)).map(|other| points + other);
            match pair {
                Some(0) => tally.pairs.ll += 1,
                Some(1) => tally.pairs.ld += 1,
                Some(2) => tally.pairs.wl_dd += 1,
                Some(3) => tally.pairs.wd += 1,
                Some(_) => tally.pairs.ww += 1,
                None => {}
            }
            after(&tally, pair.is_some() || !self.paired);
        }
        tally
    }

    /// The games of a variant from the viewpoint of South, and from that of the side that moved first.
    pub(super) fn first_movers(&self, variant: Variant, openings: &Openings<'a>) -> [GameCounts; 2] {
        let mut counts = [GameCounts::default(); 2];
        let [south, first] = &mut counts;
        for game in self.games(Some(variant)) {
            add(south, game.result.half_points(Side::South));
            if let Some(mover) = openings.first_mover(game) {
                add(first, game.result.half_points(mover));
            }
        }
        counts
    }

    /// How many games the match is to have; `None` where results decide that.
    pub(super) fn planned(&self) -> Option<u64> {
        let config = &self.record.file.config;
        let engines = config.engines.len() as u64;
        let pairings = match config.tournament {
            Tournament::RoundRobin => engines * engines.saturating_sub(1) / 2,
            Tournament::Gauntlet => engines.saturating_sub(1),
            Tournament::Swiss => engines / 2,
            Tournament::Knockout => return None,
        };
        let games = u64::from(config.rounds) * u64::from(config.games) * config.variants.len() as u64;
        pairings.checked_mul(games)
    }

    /// The sequential test of the first engine against the second, if the match has one that makes sense.
    pub(super) fn sprt(&self) -> Option<SprtState> {
        let config = self.record.file.config.sprt?;
        let sprt = Sprt::new(config.settings()).ok()?;
        let [first, second, ..] = *self.engines.as_slice() else { return None };
        let tally = self.tally(first, None, Some(second));
        let llr = sprt.llr(&tally.sample());
        let samples = (tally.sample_size(), config.min_pairs);
        let verdict = llr.filter(|_| samples.0 >= samples.1).and_then(|llr| sprt.verdict(llr));
        Some(SprtState { sprt, llr, verdict, samples })
    }
}

/// Twice the points of an engine in a game, if it took part.
fn half_points(game: &PlayedGame, engine: &str) -> Option<u8> {
    let side = Side::ALL.into_iter().find(|&side| game.engine(side) == engine)?;
    Some(game.result.half_points(side))
}

/// Adds a game to the counts by twice its points.
pub(super) fn add(counts: &mut GameCounts, half_points: u8) {
    match half_points {
        0 => counts.losses += 1,
        1 => counts.draws += 1,
        _ => counts.wins += 1,
    }
}

/// Why a game ended, in one word: the rule, or the reason if no rule ended it.
pub(super) fn ending(game: &PlayedGame) -> &str {
    match &game.ending {
        Some(rule) if !game.reason.is_failure() => rule,
        _ => game.reason.name(),
    }
}

/// The engine that a failed game was lost by.
pub(super) fn loser(game: &PlayedGame) -> Option<&str> {
    match game.result.0 {
        GameResult::Win(side) => Some(game.engine(!side)),
        GameResult::Draw => None,
    }
}
