//! What is looked at before the first game, so that a match that starts can be played.

use super::client::{Client, Trouble};
use super::config::{ConfigFile, EngineConfig, FORMAT, Host, MatchConfig, Program, config_hash};
use super::guard::OwnProgram;
use super::openings::openings;
use super::pool::{NoEngine, Pool};
use super::schedule::Schedule;
use super::stop::StopSignal;
use crate::game::{AnyPosition, Variant};
use crate::notation::{parse_setup, position_text};
use crate::protocol::option_spec::OptionKind;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;

/// What keeps a match from being played, in a sentence.
#[derive(Debug, thiserror::Error)]
pub enum PreflightError {
    /// Something is wrong.
    #[error("{0}")]
    Wrong(String),
    /// The runner stops.
    #[error("interrupted")]
    Interrupted,
}

pub(super) fn wrong(text: impl Into<String>) -> PreflightError {
    PreflightError::Wrong(text.into())
}

/// The openings of each game of the match, in the order of its list of games.
pub(super) type Openings = Vec<Vec<AnyPosition>>;

/// Finds the openings of a match and the checksums of its programs, and writes down what the match is.
///
/// # Errors
/// If openings or programs are not as they should be.
pub(super) fn describe(
    config: &MatchConfig,
    own: &OwnProgram,
    command: Vec<String>,
) -> Result<(ConfigFile, Openings), PreflightError> {
    let count = Schedule::openings_needed(config);
    let mut found = Vec::new();
    for &variant in &config.variants {
        found.push(
            openings(&config.openings, &config.variants, variant, count, config.seed)
                .map_err(|e| wrong(format!("--openings: {e}")))?,
        );
    }
    let texts: BTreeMap<String, Vec<String>> = config
        .variants
        .iter()
        .zip(&found)
        .map(|(variant, list)| {
            let texts = list.iter().map(|position| position_text(&position.to_setup()).to_string()).collect();
            (variant.name().to_owned(), texts)
        })
        .collect();
    let binaries = binaries(&config.engines, own)?;
    let hash = config_hash(config, &binaries, &texts);
    let file = ConfigFile {
        format: FORMAT,
        kete: env!("CARGO_PKG_VERSION").to_owned(),
        created: jiff::Timestamp::now().to_string(),
        command,
        host: host(),
        config: config.clone(),
        binaries,
        openings: texts,
        hash,
    };
    Ok((file, found))
}

fn host() -> Host {
    Host { system: std::env::consts::OS.to_owned(), architecture: std::env::consts::ARCH.to_owned(), cores: cores() }
}

/// The cores that the runner may use.
pub(super) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The most threads that the match gives to an engine by its option `Threads`; 1 if it says nothing.
pub(super) fn most_threads(engines: &[EngineConfig]) -> usize {
    let options = engines.iter().flat_map(|engine| &engine.options);
    let threads = options.filter(|option| option.name.eq_ignore_ascii_case("Threads"));
    threads.filter_map(|option| option.value.as_ref()?.parse().ok()).fold(1, usize::max)
}

/// The SHA-256 of each engine's program.
fn binaries(engines: &[EngineConfig], own: &OwnProgram) -> Result<BTreeMap<String, String>, PreflightError> {
    let mut sums = BTreeMap::new();
    for engine in engines {
        let path = match &engine.program {
            Program::Builtin => own.path(),
            Program::File(path) => path,
        };
        let sum =
            sha256(path).map_err(|error| wrong(format!("engine {}: {}: {error}", engine.name, path.display())))?;
        sums.insert(engine.name.clone(), sum);
    }
    Ok(sums)
}

fn sha256(path: &std::path::Path) -> io::Result<String> {
    let mut file = std::fs::File::open(path)?;
    let mut hasher = Sha256::new();
    let mut chunk = vec![0; 1 << 16];
    loop {
        match io::Read::read(&mut file, &mut chunk)? {
            0 => break,
            n => hasher.update(chunk.get(..n).unwrap_or_default()),
        }
    }
    let mut text = String::new();
    for byte in hasher.finalize() {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    Ok(text)
}

/// Makes sure that a match on record is the one that can be played on now, and reads its openings.
///
/// # Errors
/// If the record, a program, or what was typed anew says otherwise.
pub(super) fn verify(
    file: &ConfigFile,
    own: &OwnProgram,
    typed: Option<&MatchConfig>,
) -> Result<Openings, PreflightError> {
    if let Some(typed) = typed
        && let (Ok(before), Ok(now)) = (serde_json::to_value(&file.config), serde_json::to_value(typed))
        && let Some((name, before, now)) = first_difference(&before, &now, "")
    {
        return Err(wrong(format!(
            "--resume: {name} was {before} in that match, and is {now} now: expected no change"
        )));
    }
    if config_hash(&file.config, &file.binaries, &file.openings) != file.hash {
        return Err(wrong("--resume: config.json was changed since the match began: its hash does not agree"));
    }
    for (name, sum) in binaries(&file.config.engines, own)? {
        if file.binaries.get(&name) != Some(&sum) {
            return Err(wrong(format!(
                "--resume: the program of engine {name} is another one now (SHA-256 {sum}): its games would not add up"
            )));
        }
    }
    file.config.variants.iter().map(|&variant| read_openings(file, variant)).collect()
}

fn read_openings(file: &ConfigFile, variant: Variant) -> Result<Vec<AnyPosition>, PreflightError> {
    let texts = file.openings.get(variant.name()).map(Vec::as_slice).unwrap_or_default();
    let read = |text: &String| {
        let setup = parse_setup(text, variant).map_err(|e| wrong(format!("config.json: opening: {e}")))?;
        AnyPosition::from_setup(&setup).map_err(|e| wrong(format!("config.json: opening: {e}")))
    };
    texts.iter().map(read).collect()
}

/// The first part of two matches that is not the same: its name, such as `engines.2.limits.nodes`, and its two values.
fn first_difference(before: &Value, now: &Value, name: &str) -> Option<(String, String, String)> {
    let part = |key: &str| if name.is_empty() { key.to_owned() } else { format!("{name}.{key}") };
    match (before, now) {
        (Value::Object(before), Value::Object(now)) if before.keys().eq(now.keys()) => {
            before.iter().zip(now.values()).find_map(|((key, before), now)| first_difference(before, now, &part(key)))
        }
        (Value::Array(before), Value::Array(now)) if before.len() == now.len() => (1..)
            .zip(before.iter().zip(now))
            .find_map(|(n, (before, now)): (usize, _)| first_difference(before, now, &part(&n.to_string()))),
        _ => (before != now).then(|| (name.to_owned(), before.to_string(), now.to_string())),
    }
}

/// Starts each engine, lets it take its options, and begins a game of each kind with it. The engines stay in the pool.
/// Returns what is worth telling though it hinders nothing.
///
/// # Errors
/// What is wrong with which engine.
pub(super) fn try_engines(config: &MatchConfig, pool: &Pool, stop: &StopSignal) -> Result<Vec<String>, PreflightError> {
    let mut remarks = Vec::new();
    for (index, engine) in config.engines.iter().enumerate() {
        let mut lease = match pool.take(index, stop) {
            Ok(lease) => lease,
            Err(NoEngine::Stopped) => return Err(PreflightError::Interrupted),
            Err(NoEngine::Missing(text)) => return Err(wrong(format!("engine {text}"))),
            Err(NoEngine::Failed(failure, lease)) => {
                let said = lease.as_ref().map(|lease| last_words(&lease.client)).unwrap_or_default();
                if let Some(lease) = lease {
                    pool.discard(*lease);
                }
                return Err(wrong(format!("engine {}: {failure}{said}", engine.name)));
            }
        };
        let tried = try_games(config, &mut lease.client, &mut remarks, stop);
        match tried {
            Ok(()) => pool.give_back(lease),
            Err(error) => {
                pool.discard(lease);
                return Err(error);
            }
        }
    }
    Ok(remarks)
}

fn try_games(
    config: &MatchConfig,
    client: &mut Client,
    remarks: &mut Vec<String>,
    stop: &StopSignal,
) -> Result<(), PreflightError> {
    let name = client.engine().name.clone();
    match client.option("UCI_Variant").map(|option| &option.kind) {
        Some(OptionKind::Combo { choices, .. }) => {
            let unknown = config.variants.iter().find(|v| !choices.iter().any(|c| c.eq_ignore_ascii_case(v.name())));
            if let Some(variant) = unknown {
                let choices = choices.join(", ");
                return Err(wrong(format!(
                    "engine {name} does not play {variant}: its UCI_Variant is one of {choices}"
                )));
            }
        }
        Some(_) => {}
        None if config.variants.len() == 1 => {
            remarks.push(format!("engine {name} has no option UCI_Variant: it is taken to play the game of the match"));
        }
        None => return Err(wrong(format!("engine {name} has no option UCI_Variant: it cannot play several games"))),
    }
    for &variant in &config.variants {
        match client.new_game(variant, config.seed, stop) {
            Ok(()) => {}
            Err(Trouble::Stopped) => return Err(PreflightError::Interrupted),
            Err(Trouble::Failure(failure)) => {
                return Err(wrong(format!(
                    "engine {name}: {failure}, before a game of {variant}{}",
                    last_words(client)
                )));
            }
        }
    }
    Ok(())
}

/// The end of what an engine wrote to standard error, for a message.
pub(super) fn last_words(client: &Client) -> String {
    let (path, start) = client.stderr();
    let text = super::bundle::stderr_since(path, start).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    match text.lines().rfind(|line| !line.trim().is_empty()) {
        Some(line) => format!("; its standard error ends with {}", crate::notation::quote(line)),
        None => String::new(),
    }
}

/// Makes sure that there are file descriptors enough for so many games at once.
///
/// # Errors
/// If there are not.
pub(super) fn check_descriptors(concurrency: usize) -> Result<(), PreflightError> {
    // Two pipes for each of two engines a game, twice that while one is started, and what the runner itself needs.
    let needed = concurrency as u64 * 8 + 40;
    let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    match limit {
        Some(limit) if limit < needed => Err(wrong(format!(
            "--concurrency {concurrency}: that takes {needed} file descriptors, and the limit is {limit}: expected fewer \
             games at once, or a higher limit (ulimit -n)"
        ))),
        _ => Ok(()),
    }
}
