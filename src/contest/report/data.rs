//! The games as data for the scripts of the page.

use super::ReportError;
use super::figures::Figures;
use super::openings::Openings;
use super::replay::{DIGITS, Replay, base, replay};
use crate::contest::{MoveInfo, PlayedGame, ResultText, Termination};
use crate::game::Variant;
use serde::Serialize;

/// Moves that a page has at most, so that it stays a file that a browser opens at once: some 12 MB. Games that failed come
/// first, then the latest ones; of the others only the line in the list is there.
pub(super) const MAX_PLIES: usize = 400_000;

/// What the scripts read.
#[derive(Serialize)]
pub(super) struct PageData<'a> {
    digits: &'static str,
    /// Names with their columns.
    variants: Vec<(&'static str, u8)>,
    engines: &'a [&'a str],
    results: [&'static str; 3],
    reasons: Vec<&'static str>,
    openings: Vec<OpeningData<'a>>,
    games: Vec<GameData<'a>>,
    /// How many games have no moves here.
    left_out: usize,
}

#[derive(Serialize)]
struct OpeningData<'a> {
    variant: usize,
    number: u32,
    text: &'a str,
    /// The position, the side to move and the plies before; `None` if the text cannot be read.
    base: Option<(String, usize, u32)>,
    first: [u64; 3],
    engine: [u64; 3],
}

/// A game: a list with a fixed order, as there are many.
#[derive(Serialize)]
struct GameData<'a>(
    u64,
    u64,
    u32,
    usize,
    usize,
    usize,
    Option<usize>,
    usize,
    usize,
    u32,
    u64,
    #[serde(skip_serializing_if = "Option::is_none")] Option<Words<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")] Option<Moves>,
);

/// What is said of a game in words.
#[derive(Serialize)]
struct Words<'a> {
    started: &'a str,
    seed: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    ending: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<&'a str>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    disputes: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    late: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trouble: Option<&'a str>,
}

/// The moves of a game, each list as one text.
#[derive(Serialize)]
struct Moves {
    moves: String,
    changes: String,
    times: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    scores: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    depths: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    nodes: String,
}

/// Plays all games again; in the order of the record.
pub(super) fn replays(games: &[PlayedGame], openings: &Openings<'_>) -> Vec<Replay> {
    let unknown = || Replay { changes: Vec::new(), trouble: None };
    games.iter().map(|game| openings.of(game).map_or_else(unknown, |opening| replay(game, opening))).collect()
}

/// Which games have their moves on the page, if so many moves fit: those that failed, then the latest.
fn chosen(games: &[PlayedGame], replays: &[Replay], max_plies: usize) -> Vec<bool> {
    let mut left = max_plies;
    let mut chosen = vec![false; games.len()];
    let urgent = |game: &PlayedGame, replay: &Replay| game.reason.is_failure() || replay.trouble.is_some();
    for wanted in [true, false] {
        for ((game, replay), chosen) in games.iter().zip(replays).zip(&mut chosen).rev() {
            if urgent(game, replay) != wanted {
                continue;
            }
            let Some(rest) = left.checked_sub(replay.changes.len()) else { break };
            left = rest;
            *chosen = true;
        }
    }
    chosen
}

impl<'a> PageData<'a> {
    pub(super) fn new(
        figures: &'a Figures<'a>,
        openings: &'a Openings<'a>,
        replays: &'a [Replay],
        max_plies: usize,
    ) -> PageData<'a> {
        let games = &figures.record.games;
        let chosen = chosen(games, replays, max_plies);
        let data = games.iter().zip(replays).zip(&chosen);
        PageData {
            digits: DIGITS,
            variants: Variant::ALL.iter().map(|v| (v.name(), v.columns())).collect(),
            engines: &figures.engines,
            results: ResultText::ALL.map(ResultText::name),
            reasons: Termination::ALL.iter().map(|reason| reason.name()).collect(),
            openings: openings
                .list
                .iter()
                .map(|opening| OpeningData {
                    variant: opening.variant as usize,
                    number: opening.number,
                    text: opening.text,
                    base: opening.position.as_ref().ok().map(base),
                    first: [opening.first.wins, opening.first.draws, opening.first.losses],
                    engine: [opening.engine.wins, opening.engine.draws, opening.engine.losses],
                })
                .collect(),
            games: data.map(|((game, replay), &chosen)| row(figures, openings, game, replay, chosen)).collect(),
            left_out: chosen.iter().filter(|&&chosen| !chosen).count(),
        }
    }

    /// How many games have no moves on the page.
    pub(super) fn left_out(&self) -> usize {
        self.left_out
    }

    /// As JSON for a script element, in which no `<` can end it.
    pub(super) fn json(&self) -> Result<String, ReportError> {
        let json = serde_json::to_string(self)?;
        Ok(json
            .replace('<', "\\u003c")
            .replace('>', "\\u003e")
            .replace('&', "\\u0026")
            .replace('\u{2028}', "\\u2028")
            .replace('\u{2029}', "\\u2029"))
    }
}

fn row<'a>(
    figures: &Figures<'_>,
    openings: &Openings<'_>,
    game: &'a PlayedGame,
    replay: &'a Replay,
    chosen: bool,
) -> GameData<'a> {
    let engine = |name: &str| figures.engines.iter().position(|engine| *engine == name).unwrap_or_default();
    let words = Words {
        started: &game.started,
        seed: game.seed.to_string(),
        ending: game.ending.as_deref(),
        detail: game.detail.as_deref(),
        disputes: &game.disputes,
        late: game.runner_late_ms,
        trouble: replay.trouble.as_deref(),
    };
    GameData(
        game.game,
        game.pair,
        game.round,
        game.variant as usize,
        engine(&game.south),
        engine(&game.north),
        openings.index(game),
        ResultText::ALL.iter().position(|result| *result == game.result).unwrap_or_default(),
        Termination::ALL.iter().position(|reason| *reason == game.reason).unwrap_or_default(),
        game.plies,
        game.duration_ms,
        Some(words),
        chosen.then(|| moves(game, replay)),
    )
}

fn moves(game: &PlayedGame, replay: &Replay) -> Moves {
    let played = replay.changes.len();
    let told = |tell: &dyn Fn(&MoveInfo) -> Option<String>| {
        let mut list: Vec<_> = game.infos.iter().take(played).map(tell).collect();
        while list.pop_if(|last| last.is_none()).is_some() {}
        list.into_iter().map(Option::unwrap_or_default).collect::<Vec<_>>().join(",")
    };
    Moves {
        moves: game.moves.iter().take(played).map(String::as_str).collect::<Vec<_>>().join(" "),
        changes: replay.changes.join(","),
        times: told(&|info| Some(info.time_us.to_string())),
        scores: told(&|info| Some(info.score?.to_string().replace("cp ", "").replace("mate ", "#"))),
        depths: told(&|info| Some(info.depth?.to_string())),
        nodes: told(&|info| Some(info.nodes?.to_string())),
    }
}
