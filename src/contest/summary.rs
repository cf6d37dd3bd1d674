//! What came of a match, as data: for tables and for scripts.

use super::config::MatchConfig;
use super::sample::{GameCounts, PairCounts};
use super::sprt::{Hypothesis, Model, Sprt};
use super::standings::Standings;
use super::statistics::Statistics;
use crate::game::Variant;
use serde::Serialize;
use serde_json::{Value, json};

/// What came of a match so far.
#[derive(Clone, Debug)]
pub struct Summary<'a> {
    /// The totals.
    pub standings: &'a Standings,
    /// Whether games are counted as pairs.
    pub paired: bool,
    /// The state of the sequential test, if the match has one.
    pub sprt: Option<SprtState>,
}

/// The state of a sequential test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SprtState {
    /// The log-likelihood ratio; `None` where it is undefined.
    pub llr: Option<f64>,
    /// H0 is accepted at or below it.
    pub lower: f64,
    /// H1 is accepted at or above it.
    pub upper: f64,
    /// Elo under H0, in the units of the model.
    pub elo0: f64,
    /// Elo under H1.
    pub elo1: f64,
    /// What Elo means.
    pub model: Model,
    /// What is accepted.
    #[serde(serialize_with = "verdict_word")]
    pub verdict: Option<Hypothesis>,
    /// How many more pairs (or games) it takes if the ratio goes on as it went so far; `None` if that is not to be told.
    pub expected_remaining: Option<u64>,
}

fn verdict_word<S: serde::Serializer>(verdict: &Option<Hypothesis>, serializer: S) -> Result<S::Ok, S::Error> {
    verdict
        .map(|hypothesis| match hypothesis {
            Hypothesis::H0 => "H0",
            Hypothesis::H1 => "H1",
        })
        .serialize(serializer)
}

impl SprtState {
    /// The state of a match's test, on the pairs (or games) of all variants together; `None` if it has none.
    pub fn of(config: &MatchConfig, standings: &Standings) -> Option<SprtState> {
        let test = config.sprt?;
        let sprt = Sprt::new(test.settings()).ok()?;
        let (lower, upper) = sprt.bounds();
        let sample = standings.sample(0, 1, None);
        let llr = sprt.llr(&sample);
        let size = sample.size();
        let verdict = llr.filter(|_| size >= test.min_pairs.max(1)).and_then(|llr| sprt.verdict(llr));
        let remaining = |llr: f64| {
            let drift = llr / size as f64;
            let goal = if llr > 0.0 { upper } else { lower };
            let needed = (goal - llr) / drift;
            (needed.is_finite() && (0.0..1e9).contains(&needed)).then_some(needed.ceil() as u64)
        };
        let expected_remaining = if verdict.is_some() { None } else { llr.and_then(remaining) };
        Some(SprtState {
            llr,
            lower,
            upper,
            elo0: test.elo0,
            elo1: test.elo1,
            model: test.model,
            verdict,
            expected_remaining,
        })
    }
}

/// Two engines in one variant, or in all.
#[derive(Clone, Debug, Serialize)]
pub struct Pairing {
    /// The variant; `None` for all of them, each with the same weight.
    pub variant: Option<Variant>,
    /// The engine whose wins are counted.
    pub first: String,
    /// The other one.
    pub second: String,
    /// Games that are finished.
    pub games: u64,
    /// Won by the first.
    pub wins: u64,
    /// Won by nobody.
    pub draws: u64,
    /// Won by the second.
    pub losses: u64,
    /// Complete pairs by their score: LL, LD, WL+DD, WD, WW; `None` if the match plays no pairs.
    pub penta: Option<[u64; 5]>,
    /// What the counts say of the first engine against the second.
    #[serde(flatten)]
    pub statistics: Statistics,
}

impl<'a> Summary<'a> {
    /// The summary of a match's totals.
    pub fn of(config: &MatchConfig, standings: &'a Standings) -> Summary<'a> {
        Summary { paired: config.games > 1, sprt: SprtState::of(config, standings), standings }
    }

    /// The variants that have games, and all of them together if there are several.
    pub fn scopes(&self) -> Vec<Option<Variant>> {
        let variants = self.standings.variants();
        let total = (variants.len() > 1).then_some(None);
        variants.into_iter().map(Some).chain(total).collect()
    }

    /// Two engines in one variant, or in all.
    pub fn pairing(&self, first: usize, second: usize, variant: Option<Variant>) -> Pairing {
        let name = |index: usize| self.standings.engines().get(index).cloned().unwrap_or_default();
        let tally = self.standings.pairing(first, second, variant);
        let GameCounts { wins, draws, losses } = tally.games;
        let PairCounts { ll, ld, wl_dd, wd, ww } = tally.pairs;
        let statistics = match variant {
            Some(_) => Statistics::of(&self.standings.sample(first, second, variant)),
            None => self.standings.weighted(first, second),
        };
        Pairing {
            variant,
            first: name(first),
            second: name(second),
            games: wins + draws + losses,
            wins,
            draws,
            losses,
            penta: self.paired.then_some([ll, ld, wl_dd, wd, ww]),
            statistics,
        }
    }

    /// Everything, for scripts.
    pub fn json(&self) -> Value {
        let scopes = self.scopes();
        let pairings: Vec<Pairing> = self
            .standings
            .pairings()
            .into_iter()
            .flat_map(|(first, second)| scopes.iter().map(move |&scope| (first, second, scope)))
            .map(|(first, second, scope)| self.pairing(first, second, scope))
            .collect();
        let ratings = scopes.iter().map(|&scope| {
            let ratings = self.standings.ratings(scope);
            let engines = self.standings.engines().iter().enumerate().map(|(index, name)| {
                let rating = ratings.of(index);
                json!({"engine": name, "elo": rating.map(|r| r.elo), "elo_error": rating.map(|r| r.error)})
            });
            json!({"variant": scope, "engines": engines.collect::<Vec<Value>>()})
        });
        json!({
            "games": self.standings.games(),
            "pairings": pairings,
            "ratings": ratings.collect::<Vec<Value>>(),
            "sprt": self.sprt,
        })
    }
}

/// The statistics of a sample and the state of a test, for scripts; what is undefined is null.
pub(super) fn statistics_json(statistics: &Statistics, test: Option<&Sprt>, llr: Option<f64>) -> Value {
    let bounds = test.map(Sprt::bounds);
    json!({
        "elo": statistics.elo,
        "elo_error": statistics.elo_error,
        "nelo": statistics.nelo,
        "nelo_error": statistics.nelo_error,
        "los": statistics.los,
        "llr": llr,
        "lower": bounds.map(|(lower, _)| lower),
        "upper": bounds.map(|(_, upper)| upper),
    })
}
