//! What a match is: engines, games, limits and rules, as `config.json` keeps them.

use super::limits::EngineLimits;
use super::sprt::{Model, SprtSettings};
use crate::game::Variant;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The format of `config.json` and `games.jsonl`; another number is not read.
pub const FORMAT: u32 = 1;

/// Everything that decides which games are played and how they are counted. How many are played at once and what is
/// shown is not part of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchConfig {
    /// The games, without repetition.
    pub variants: Vec<Variant>,
    /// The engines, at least two, of different names.
    pub engines: Vec<EngineConfig>,
    /// Who plays whom.
    pub tournament: Tournament,
    /// Openings for each pairing and game; in a Swiss or knockout tournament, what [`Tournament`] says.
    pub rounds: u32,
    /// Games from each opening: 1, or 2 with sides swapped.
    pub games: u32,
    /// Where games begin.
    pub openings: OpeningSource,
    /// Where random numbers start; at most 2^53 - 1.
    pub seed: u64,
    /// A game of so many plies is drawn.
    pub max_plies: Option<u32>,
    /// When a game is given up for an engine.
    pub resign: Option<ResignRule>,
    /// When a game is called a draw.
    pub draw: Option<DrawRule>,
    /// The sequential test that ends the match.
    pub sprt: Option<SprtConfig>,
    /// How long the runner waits for engines.
    pub deadlines: Deadlines,
}

/// One engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineConfig {
    /// Its name in tables and journal.
    pub name: String,
    /// The program.
    pub program: Program,
    /// The directory in which it runs; that of the runner if `None`.
    pub directory: Option<PathBuf>,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Options in the order in which they are set.
    pub options: Vec<OptionValue>,
    /// What ends its thinking.
    pub limits: EngineLimits,
}

/// An option and its value; a button has none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OptionValue {
    /// The name.
    pub name: String,
    /// The value.
    pub value: Option<String>,
}

/// A program to run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Program {
    /// The engine that is compiled into the runner.
    Builtin,
    /// A file, by its absolute path.
    File(PathBuf),
}

/// Who plays whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tournament {
    /// Everyone plays everyone, `rounds` openings each.
    RoundRobin,
    /// The first engine plays each other one, `rounds` openings each.
    Gauntlet,
    /// `rounds` rounds, in each of which engines of about equal score that have not met play one opening.
    Swiss,
    /// The winner of `rounds` openings goes on; stages are as many as it takes.
    Knockout,
}

impl Tournament {
    /// All kinds.
    pub const ALL: [Tournament; 4] =
        [Tournament::RoundRobin, Tournament::Gauntlet, Tournament::Swiss, Tournament::Knockout];

    /// The word of the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Tournament::RoundRobin => "round-robin",
            Tournament::Gauntlet => "gauntlet",
            Tournament::Swiss => "swiss",
            Tournament::Knockout => "knockout",
        }
    }
}

/// Where games begin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OpeningSource {
    /// Positions after so many random plies from the start, drawn from the seed.
    Random {
        /// The plies.
        plies: u32,
        /// How many openings of the sequence are passed over first.
        start: u32,
    },
    /// The lines of a file.
    File {
        /// Its absolute path.
        path: PathBuf,
        /// The order in which they are taken.
        order: Order,
        /// How many openings of that order are passed over first.
        start: u32,
    },
}

/// The order of the openings of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// As they stand.
    Sequential,
    /// Shuffled by the seed.
    Random,
}

/// An engine's game is given up if it says so often enough that it is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResignRule {
    /// So many moves in a row.
    pub move_count: u32,
    /// Each with a score of at most minus this, in centipawns of the mover.
    pub score_cp: i64,
    /// And the opponent with at least plus this, in as many.
    pub two_sided: bool,
}

/// A game is drawn if both engines say often enough that it is level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawRule {
    /// Not before this move of each side, from 1.
    pub move_number: u32,
    /// So many moves of each side in a row.
    pub move_count: u32,
    /// Each with a score of at most this either way, in centipawns.
    pub score_cp: i64,
}

/// A sequential test of the first engine against the second, on pairs if the match plays pairs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SprtConfig {
    /// Elo under H0.
    pub elo0: f64,
    /// Elo under H1.
    pub elo1: f64,
    /// The probability of a wrong H1.
    pub alpha: f64,
    /// The probability of a wrong H0.
    pub beta: f64,
    /// What Elo means.
    pub model: Model,
    /// No verdict before so many pairs (or games, if there are no pairs).
    pub min_pairs: u64,
}

impl SprtConfig {
    /// What [`Sprt::new`](super::Sprt::new) takes.
    pub fn settings(&self) -> SprtSettings {
        let SprtConfig { elo0, elo1, alpha, beta, model, .. } = *self;
        SprtSettings { elo0, elo1, alpha, beta, model }
    }
}

/// How long the runner waits for engines, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deadlines {
    /// For `uciok`.
    pub startup_ms: u64,
    /// For `readyok`, and for an answer once its time is over.
    pub ping_ms: u64,
    /// For the end of the process after `quit`.
    pub quit_ms: u64,
    /// For a move, whatever its limits.
    pub move_ceiling_ms: u64,
}

impl Default for Deadlines {
    fn default() -> Deadlines {
        Deadlines { startup_ms: 10_000, ping_ms: 5_000, quit_ms: 1_000, move_ceiling_ms: 60_000 }
    }
}

/// The file `config.json`: the match, and what else it takes to play it again. Written once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConfigFile {
    /// [`FORMAT`].
    pub format: u32,
    /// The version of Kete that wrote it.
    pub kete: String,
    /// When the match began, in UTC.
    pub created: String,
    /// The command line, as it was typed.
    pub command: Vec<String>,
    /// Where it was played.
    pub host: Host,
    /// The match.
    #[serde(rename = "match")]
    pub config: MatchConfig,
    /// The SHA-256 of each engine's program, by the engine's name, in hexadecimal digits.
    pub binaries: BTreeMap<String, String>,
    /// The openings of each game, in the order in which rounds take them, as position texts.
    pub openings: BTreeMap<String, Vec<String>>,
    /// The SHA-256 of match, binaries and openings, in hexadecimal digits: what a resumed match must agree with.
    pub hash: String,
}

/// What [`ConfigFile::hash`] keeps: the SHA-256 of match, binaries and openings, in hexadecimal digits.
///
/// It is taken of their JSON, in the order of the fields and of the names, so it is the same on every machine. Paths that
/// are not Unicode have no JSON; such a match has no `config.json` either.
pub fn config_hash(
    config: &MatchConfig,
    binaries: &BTreeMap<String, String>,
    openings: &BTreeMap<String, Vec<String>>,
) -> String {
    let json = serde_json::to_vec(&(config, binaries, openings)).unwrap_or_default();
    Sha256::digest(json).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The machine on which a match was played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Host {
    /// The operating system, such as `linux`.
    pub system: String,
    /// The architecture, such as `x86_64`.
    pub architecture: String,
    /// The cores that the runner may use.
    pub cores: usize,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::specimen;

    #[test]
    fn the_hash_tells_what_was_changed() {
        let file = specimen::record().file;
        let hash = |file: &ConfigFile| config_hash(&file.config, &file.binaries, &file.openings);
        let before = hash(&file);
        assert_eq!(before.len(), 64);
        // Written down once: a resumed match must find the hash that an earlier version wrote.
        assert_eq!(before, "978af736719c0c2fbf0db3eb013f9fdb45301438a06c4169de9626df3c4df489");
        let changes: [fn(&mut ConfigFile); 5] = [
            |file| file.config.seed += 1,
            |file| file.config.engines.swap(0, 1),
            |file| file.config.max_plies = Some(300),
            |file| drop(file.binaries.insert("new".to_owned(), "cd".repeat(32))),
            |file| file.openings.values_mut().for_each(|texts| texts.push(String::new())),
        ];
        for change in changes {
            let mut changed = file.clone();
            change(&mut changed);
            assert_ne!(hash(&changed), before);
        }
        let elsewhere = ConfigFile { command: Vec::new(), created: String::new(), ..file };
        assert_eq!(hash(&elsewhere), before);
    }
}
