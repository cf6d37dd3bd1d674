//! A small match for tests.

use super::config::{
    ConfigFile, Deadlines, EngineConfig, FORMAT, Host, MatchConfig, OpeningSource, Program, Tournament,
};
use super::journal::MatchRecord;
use super::limits::EngineLimits;
use super::played::{MoveInfo, PlayedGame, ResultText, Termination};
use crate::game::{AnyPosition, Variant};
use crate::notation::position_text;
use std::collections::BTreeMap;

/// An engine that thinks for 1,000 nodes.
pub(super) fn engine(name: &str) -> EngineConfig {
    EngineConfig {
        name: name.to_owned(),
        program: Program::Builtin,
        directory: None,
        arguments: Vec::new(),
        options: Vec::new(),
        limits: EngineLimits { nodes: Some(1000), ..EngineLimits::default() },
    }
}

/// Two engines, `new` and `old`, a round of Kigogo as a pair of games.
pub(super) fn config() -> MatchConfig {
    MatchConfig {
        variants: vec![Variant::Kigogo],
        engines: vec![engine("new"), engine("old")],
        tournament: Tournament::RoundRobin,
        rounds: 1,
        games: 2,
        openings: OpeningSource::Random { plies: 3, start: 0 },
        seed: 7,
        max_plies: None,
        resign: None,
        draw: None,
        sprt: None,
        deadlines: Deadlines::default(),
    }
}

/// The same with what else `config.json` has; no openings, no hash.
pub(super) fn file() -> ConfigFile {
    let config = config();
    let hash = "ab".repeat(32);
    ConfigFile {
        format: FORMAT,
        kete: "0.1.0".to_owned(),
        created: "2026-11-30T12:00:00Z".to_owned(),
        command: vec!["kete-match".to_owned()],
        host: Host { system: "linux".to_owned(), architecture: "x86_64".to_owned(), cores: 2 },
        binaries: config.engines.iter().map(|engine| (engine.name.clone(), hash.clone())).collect(),
        openings: BTreeMap::new(),
        config,
        hash: String::new(),
    }
}

/// A game of Kigogo from its start: two moves, and South's time is over.
pub(super) fn game() -> PlayedGame {
    let info = MoveInfo { time_us: 123_400, ..MoveInfo::default() };
    PlayedGame {
        game: 1,
        pair: 1,
        round: 1,
        variant: Variant::Kigogo,
        south: "new".to_owned(),
        north: "old".to_owned(),
        opening: position_text(&AnyPosition::start(Variant::Kigogo).to_setup()).to_string(),
        opening_number: 1,
        moves: vec!["A6".to_owned(), "b2".to_owned()],
        result: ResultText::ALL[1],
        reason: Termination::Time,
        ending: None,
        detail: None,
        plies: 2,
        seed: 5,
        started: "2026-11-30T12:00:01Z".to_owned(),
        duration_ms: 250,
        infos: vec![info, info],
        runner_late_ms: None,
        disputes: Vec::new(),
    }
}

/// The match with that game.
pub(super) fn record() -> MatchRecord {
    let game = game();
    let mut file = file();
    file.openings.insert(game.variant.to_string(), vec![game.opening.clone()]);
    MatchRecord { file, games: vec![game] }
}
