//! Plays a game of a match again: lets an engine that failed fail again, or looks whether the same moves come.

use super::bundle::Bundle;
use super::client::{Allowance, Client, Failure, Trouble};
use super::config::{EngineConfig, MatchConfig};
use super::guard::{Guard, OwnProgram};
use super::journal::{JournalError, MatchRecord};
use super::lag::LagMeter;
use super::played::{PlayedGame, Termination};
use super::pool::{Lease, NoEngine, Pool};
use super::referee::{self, Surroundings};
use super::schedule::GameTask;
use super::stop::StopSignal;
use crate::game::AnyPosition;
use crate::notation::parse_setup;
use crate::protocol::reply::Reply;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// How long a move may take that did not fail.
const PATIENCE: Duration = Duration::from_secs(600);

/// Why a game cannot be played again.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The records.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// There is no such game.
    #[error("there is no game {0} on record in that match")]
    NoGame(u64),
    /// Something in the records, or an engine that does not start. In words.
    #[error("{0}")]
    Wrong(String),
    /// The operating system.
    #[error(transparent)]
    System(#[from] io::Error),
    /// The runner stops.
    #[error("interrupted")]
    Interrupted,
}

fn wrong(text: impl Into<String>) -> ReplayError {
    ReplayError::Wrong(text.into())
}

/// What came of playing a game again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    /// Whether the same happened.
    pub same: bool,
    /// What happened, and what had happened, in words.
    pub text: String,
}

/// Plays a game of the match in `directory` again. If an engine failed in it, that engine alone is started and told what
/// it was told then.
///
/// # Errors
/// [`ReplayError`], which says why it cannot be.
pub fn replay(directory: &Path, game: u64, own: &OwnProgram, stop: &StopSignal) -> Result<Replay, ReplayError> {
    let record = MatchRecord::load(directory)?;
    let config = &record.file.config;
    let guard = Arc::new(Guard::start(own)?);
    let bundle = Bundle::load(directory, game).map_err(|error| wrong(format!("bundle of game {game}: {error}")))?;
    if let Some(bundle) = bundle {
        return fail_again(&bundle, config, own, &guard, stop);
    }
    let played = record.games.iter().find(|played| played.game == game).ok_or(ReplayError::NoGame(game))?;
    let pool = Pool::new(&config.engines, config.deadlines, own.clone(), guard, None, 1);
    let replayed = play_again(played, config, &pool, stop);
    pool.end(Vec::new());
    replayed
}

/// Tells a failed engine what it was told.
fn fail_again(
    bundle: &Bundle,
    config: &MatchConfig,
    own: &OwnProgram,
    guard: &Arc<Guard>,
    stop: &StopSignal,
) -> Result<Replay, ReplayError> {
    let engine = Arc::new(bundle.engine.clone());
    let started = Client::start(&engine, config.deadlines, own, guard, Path::new("/dev/null"));
    let seen = match started {
        Ok(mut client) => {
            let seen = client.introduce(stop).and_then(|()| tell_again(bundle, config, &mut client, stop));
            super::client::end_all([client], Duration::from_millis(config.deadlines.quit_ms));
            seen
        }
        Err(failure) => Err(failure.into()),
    };
    let failure = match seen {
        Ok(Some(best)) if bundle.answer.as_ref() == Some(&best) => Some(bundle.failure),
        Ok(_) => None,
        Err(Trouble::Stopped) => return Err(ReplayError::Interrupted),
        Err(Trouble::Failure(Failure { kind, detail })) => {
            let same = kind == bundle.failure;
            let text = format!("now: {} ({detail})\nthen: {} ({})", kind.name(), bundle.failure.name(), bundle.detail);
            return Ok(Replay { same, text: format!("{}\n{text}", verdict(same)) });
        }
    };
    let same = failure.is_some();
    let now = if same { bundle.detail.as_str() } else { "no failure" };
    let mut text = format!("{}\nnow: {now}\nthen: {} ({})", verdict(same), bundle.failure.name(), bundle.detail);
    if bundle.incomplete && !same {
        text.push_str("\nearlier games of that process are not in the bundle: it may take them to fail");
    }
    Ok(Replay { same, text })
}

fn verdict(same: bool) -> &'static str {
    if same { "reproduced" } else { "not reproduced" }
}

/// Sends the lines of a bundle as they were sent, each question after the answer to the one before. Returns the last
/// move that came.
fn tell_again(
    bundle: &Bundle,
    config: &MatchConfig,
    client: &mut Client,
    stop: &StopSignal,
) -> Result<Option<String>, Trouble> {
    let ping = Duration::from_millis(config.deadlines.ping_ms);
    let last_go = bundle.input.iter().rposition(|line| is_verb(line, "go"));
    let mut batch: Vec<&str> = Vec::new();
    let mut best = None;
    // The first line, uci, was sent at the start; stop was sent because the engine was late.
    for (index, line) in bundle.input.iter().enumerate().filter(|(_, line)| !matches!(line.as_str(), "uci" | "stop")) {
        batch.push(line);
        if is_verb(line, "isready") {
            client.exchange(&batch, ping, stop, "readyok", |reply| matches!(reply, Reply::ReadyOk).then_some(()))?;
            batch.clear();
        } else if is_verb(line, "go") {
            let allowed = bundle.allowed_us.filter(|_| Some(index) == last_go).map(Duration::from_micros);
            let allowance = Allowance { time: allowed.unwrap_or(PATIENCE), source: "as it was then" };
            batch.pop();
            let position = batch.join("\n");
            best = Some(client.think(&position, line, allowance, stop)?.best);
            batch.clear();
        }
    }
    // A move too many comes when nobody asks.
    client.exchange(&["isready"], ping, stop, "readyok", |reply| matches!(reply, Reply::ReadyOk).then_some(()))?;
    Ok(best)
}

fn is_verb(line: &str, verb: &str) -> bool {
    line.split_ascii_whitespace().next() == Some(verb)
}

/// Lets both engines play the game again.
fn play_again(
    played: &PlayedGame,
    config: &MatchConfig,
    pool: &Pool,
    stop: &StopSignal,
) -> Result<Replay, ReplayError> {
    let index = |name: &str| -> Result<usize, ReplayError> {
        let found = config.engines.iter().position(|engine: &EngineConfig| engine.name == name);
        found.ok_or_else(|| wrong(format!("config.json knows no engine {name}")))
    };
    let task = GameTask {
        game: played.game,
        pair: played.pair,
        round: played.round,
        variant: played.variant,
        south: index(&played.south)?,
        north: index(&played.north)?,
        opening: (played.opening_number as usize).saturating_sub(1),
        seed: played.seed,
    };
    let setup = parse_setup(&played.opening, played.variant).map_err(|error| wrong(error.to_string()))?;
    let opening = AnyPosition::from_setup(&setup).map_err(|error| wrong(error.to_string()))?;
    let take = |engine| match pool.take(engine, stop) {
        Ok(lease) => Ok(lease),
        Err(NoEngine::Stopped) => Err(ReplayError::Interrupted),
        Err(NoEngine::Missing(text)) => Err(wrong(text)),
        Err(NoEngine::Failed(failure, _)) => Err(wrong(failure.to_string())),
    };
    let (mut south, mut north): (Lease, Lease) = (take(task.south)?, take(task.north)?);
    let lag = LagMeter::start()?;
    let surroundings = Surroundings { config, lag: &lag, stop };
    let finished = referee::play(&task, &opening, [&mut south.client, &mut north.client], surroundings);
    pool.end(vec![south, north]);
    let now = finished.map_err(|_| ReplayError::Interrupted)?.game;
    Ok(compare(played, &now))
}

fn compare(then: &PlayedGame, now: &PlayedGame) -> Replay {
    let describe =
        |game: &PlayedGame| format!("{} ({}) in {} plies", game.result.name(), game.reason.name(), game.plies);
    let differs = then.moves.iter().zip(&now.moves).position(|(a, b)| a != b);
    let differs = differs.or((then.moves.len() != now.moves.len()).then(|| then.moves.len().min(now.moves.len())));
    let same = differs.is_none() && then.result == now.result && then.reason == now.reason;
    let mut text = if same { "the same game".to_owned() } else { "another game".to_owned() };
    if let Some(ply) = differs {
        let word = |game: &PlayedGame| game.moves.get(ply).cloned().unwrap_or_else(|| "nothing".to_owned());
        text.push_str(&format!("\nfirst difference at ply {}: {} now, {} then", ply + 1, word(now), word(then)));
    }
    text.push_str(&format!("\nnow: {}\nthen: {}", describe(now), describe(then)));
    if then.reason == Termination::Crash {
        text.push_str("\nits bundle is missing");
    }
    Replay { same, text }
}
