//! Pools shards: parts of one match that were played apart, each with rounds, a seed or openings of its own.

use super::config::{ConfigFile, Host, OpeningSource, Program, Tournament, config_hash};
use super::journal::MatchRecord;
use super::played::PlayedGame;
use crate::game::Variant;
use serde_json::Value;
use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

/// Why shards cannot be pooled. Shards are numbered from 1, in the order in which they were given.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MergeError {
    /// There are none.
    #[error("nothing to merge: expected at least one match")]
    Nothing,
    /// Who plays whom depends on results, so that parts do not make a whole.
    #[error("shard {shard} is a {} tournament, expected a {} or a {}", .found.name(), Tournament::RoundRobin.name(),
        Tournament::Gauntlet.name())]
    Tournament {
        /// The shard.
        shard: usize,
        /// What it is.
        found: Tournament,
    },
    /// They are parts of different matches.
    #[error("shard {shard} differs from shard 1 in {key} of config.json: found {found}, expected {expected}")]
    Differs {
        /// The shard.
        shard: usize,
        /// The first key that differs, such as `match.engines[1].limits.nodes`.
        key: String,
        /// Its value in that shard, as JSON.
        found: String,
        /// Its value in shard 1, as JSON.
        expected: String,
    },
    /// A game would count twice.
    #[error("game {} of shard {} is game {} of shard {} again: {game}, expected each game once", .second.1, .second.0,
        .first.1, .first.0)]
    Twice {
        /// A shard and the number of the game there.
        first: (usize, u64),
        /// The same of the game that repeats it.
        second: (usize, u64),
        /// What the game is, in words.
        game: String,
    },
    /// More rounds or openings than can be counted.
    #[error("the shards have too many {what}: expected at most {} in all", u32::MAX)]
    TooMany {
        /// What there are too many of.
        what: &'static str,
    },
}

/// A shard with its games in the order of its schedule.
struct Shard<'a> {
    number: usize,
    file: &'a ConfigFile,
    games: Vec<&'a PlayedGame>,
    order: (u64, u32, String, Vec<u64>),
}

impl<'a> Shard<'a> {
    fn new(number: usize, record: &'a MatchRecord) -> Shard<'a> {
        let mut games: Vec<&PlayedGame> = record.games.iter().collect();
        games.sort_by_key(|game| (game.pair, game.game));
        let file = &record.file;
        let (OpeningSource::Random { start, .. } | OpeningSource::File { start, .. }) = file.config.openings;
        // What makes the order of two shards of one seed certain.
        let text = serde_json::to_string(file).unwrap_or_default();
        let order = (file.config.seed, start, text, games.iter().map(|game| game.game).collect());
        Shard { number, file, games, order }
    }

    fn compare(&self, other: &Shard<'_>) -> Ordering {
        self.order.cmp(&other.order)
    }
}

/// The record of all games of some shards, as if one match had played them. The order of `records` makes no difference.
///
/// The shards must agree in all that decides what a game is worth: format and version, games, engines with their options
/// and limits and the hashes of their programs, kind of tournament, rules and deadlines. They may differ in seed, rounds,
/// openings, and in where and when they were played; so also in the paths of programs, directories and opening files.
///
/// The result has the rounds and openings of all, by ascending seed and `start`; seed, `start`, host and command are those
/// of the first in that order. Games and pairs are numbered anew without gaps, each pair together.
///
/// # Errors
/// A [`MergeError`] that names the first shard that does not fit, and why. A game that two shards share (the same seed,
/// opening and engines on the same sides) is an error, not dropped: one of the shards is a copy, or was played with the
/// wrong seed.
pub fn merge(records: &[MatchRecord]) -> Result<MatchRecord, MergeError> {
    let mut shards: Vec<Shard<'_>> = (1..).zip(records).map(|(number, record)| Shard::new(number, record)).collect();
    agree(&shards)?;
    shards.sort_by(Shard::compare);
    each_once(&shards)?;
    let mut games = Vec::new();
    let mut openings: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let (mut rounds, mut pair) = (0_u32, 0);
    for shard in &shards {
        let mut last_pair = None;
        for &game in &shard.games {
            if last_pair != Some(game.pair) {
                pair += 1;
                last_pair = Some(game.pair);
            }
            let before = openings.get(game.variant.name()).map_or(0, Vec::len);
            let moved = u32::try_from(before).ok().and_then(|before| game.opening_number.checked_add(before));
            games.push(PlayedGame {
                game: games.len() as u64 + 1,
                pair,
                round: game.round.checked_add(rounds).ok_or(MergeError::TooMany { what: "rounds" })?,
                opening_number: moved.ok_or(MergeError::TooMany { what: "openings" })?,
                ..game.clone()
            });
        }
        for (variant, texts) in &shard.file.openings {
            openings.entry(variant.clone()).or_default().extend_from_slice(texts);
        }
        let more = shard.file.config.rounds;
        rounds = rounds.checked_add(more).ok_or(MergeError::TooMany { what: "rounds" })?;
    }
    let mut file = shards.first().ok_or(MergeError::Nothing)?.file.clone();
    file.created = shards.iter().map(|shard| &shard.file.created).min().cloned().unwrap_or_default();
    file.config.rounds = rounds;
    file.openings = openings;
    file.hash = config_hash(&file.config, &file.binaries, &file.openings);
    Ok(MatchRecord { file, games })
}

/// Whether all shards are parts of one match.
fn agree(shards: &[Shard<'_>]) -> Result<(), MergeError> {
    let expected = common_part(shards.first().ok_or(MergeError::Nothing)?.file);
    for shard in shards {
        let found = shard.file.config.tournament;
        if !matches!(found, Tournament::RoundRobin | Tournament::Gauntlet) {
            return Err(MergeError::Tournament { shard: shard.number, found });
        }
        if let Some((key, expected, found)) = difference("", &expected, &common_part(shard.file)) {
            return Err(MergeError::Differs { shard: shard.number, key, found, expected });
        }
    }
    Ok(())
}

/// What all shards must have in common: `config.json` with the rest blotted out, so that a new key must agree unless it is
/// named here.
fn common_part(file: &ConfigFile) -> Value {
    let mut config = file.config.clone();
    config.seed = 0;
    config.rounds = 0;
    match &mut config.openings {
        OpeningSource::Random { start, .. } => *start = 0,
        OpeningSource::File { path, start, .. } => (*path, *start) = (PathBuf::new(), 0),
    }
    for engine in &mut config.engines {
        // The hash stands for the program, wherever it lies.
        (engine.program, engine.directory) = (Program::Builtin, None);
    }
    let common = ConfigFile {
        format: file.format,
        kete: file.kete.clone(),
        created: String::new(),
        command: Vec::new(),
        host: Host { system: String::new(), architecture: String::new(), cores: 0 },
        config,
        binaries: file.binaries.clone(),
        openings: BTreeMap::new(),
        hash: String::new(),
    };
    serde_json::to_value(common).unwrap_or_default()
}

/// The first key whose values differ, with these values.
fn difference(key: &str, a: &Value, b: &Value) -> Option<(String, String, String)> {
    match (a, b) {
        (Value::Object(left), Value::Object(right)) => {
            let keys = left.keys().chain(right.keys().filter(|&name| !left.contains_key(name)));
            keys.into_iter().find_map(|name| {
                let key = if key.is_empty() { name.clone() } else { format!("{key}.{name}") };
                difference(&key, left.get(name).unwrap_or(&Value::Null), right.get(name).unwrap_or(&Value::Null))
            })
        }
        (Value::Array(left), Value::Array(right)) if left.len() == right.len() => {
            let mut pairs = left.iter().zip(right).enumerate();
            pairs.find_map(|(i, (left, right))| difference(&format!("{key}[{i}]"), left, right))
        }
        _ => (a != b).then(|| (key.to_owned(), a.to_string(), b.to_string())),
    }
}

/// What makes a game one of its own: variant, opening, South, North, seed.
type Identity<'a> = (Variant, &'a str, &'a str, &'a str, u64);

/// Whether no game is there twice.
fn each_once(shards: &[Shard<'_>]) -> Result<(), MergeError> {
    let mut seen: HashMap<Identity<'_>, (usize, u64)> = HashMap::new();
    for shard in shards {
        for game in &shard.games {
            let PlayedGame { variant, opening, south, north, seed, .. } = game;
            let place = (shard.number, game.game);
            if let Some(first) = seen.insert((*variant, opening, south, north, *seed), place) {
                let game = format!("{south} against {north} from {opening}, seed {seed}");
                return Err(MergeError::Twice { first, second: place, game });
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
