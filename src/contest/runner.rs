//! Plays a match: checks everything, opens the records, has the games played, and says how it ended.

mod hall;

use super::config::{ConfigFile, MatchConfig};
use super::guard::{Guard, OwnProgram};
use super::journal::{Journal, JournalError, MatchRecord};
use super::lag::LagMeter;
use super::played::PlayedGame;
use super::pool::Pool;
use super::preflight::{self, Openings, PreflightError, wrong};
use super::schedule::Schedule;
use super::sprt::Hypothesis;
use super::standings::Standings;
use super::stop::{StopCause, StopSignal};
use super::summary::SprtState;
use hall::{Ended, Hall, State};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex};

/// How a match is run; nothing of it changes which games are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Manner {
    /// Games at the same time; 0 means as many as there are cores.
    pub concurrency: usize,
    /// Whether the match goes on after an engine has failed.
    pub recover: bool,
    /// Whether everything is checked and nothing played.
    pub dry_run: bool,
}

/// Which match to play.
#[derive(Clone, Debug)]
pub enum Start {
    /// A new one.
    New {
        /// The match.
        config: Box<MatchConfig>,
        /// Where its records go.
        directory: PathBuf,
        /// The command line, for the records.
        command: Vec<String>,
    },
    /// One that is on record.
    Resume {
        /// Where its records are.
        directory: PathBuf,
        /// What was typed beside; it must be the same match.
        typed: Option<Box<MatchConfig>>,
        /// Whether the seed is part of that, because it was typed.
        same_seed: bool,
    },
}

/// How a match ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    /// All games are played.
    Finished,
    /// The sequential test has decided.
    Decided(Hypothesis),
    /// An engine failed, and the match is not to go on then. In words.
    Failed(String),
    /// Somebody stopped it.
    Interrupted,
    /// Everything was checked and nothing played.
    Checked,
}

/// Why a match could not be played, or not to its end.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// Before the first game.
    #[error(transparent)]
    Preflight(#[from] PreflightError),
    /// The records.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The operating system.
    #[error("{what}: {error}")]
    System {
        /// What was wanted.
        what: &'static str,
        /// What it says.
        error: std::io::Error,
    },
}

/// What happens in a match, for those who watch.
#[derive(Debug)]
pub enum Event<'a> {
    /// Everything is checked; the games begin.
    Started {
        /// Where the records are.
        directory: &'a Path,
        /// The match.
        file: &'a ConfigFile,
        /// Games on record from before.
        done: u64,
        /// Games in all, if that is known.
        total: Option<u64>,
        /// Games at the same time.
        concurrency: usize,
        /// What they add up to.
        standings: &'a Standings,
    },
    /// A game is on record.
    Game {
        /// The game.
        game: &'a PlayedGame,
        /// What all of them add up to.
        standings: &'a Standings,
        /// The state of the test.
        sprt: Option<SprtState>,
        /// Games on record.
        done: u64,
        /// Games in all, if that is known.
        total: Option<u64>,
    },
    /// Something worth knowing that hinders nothing.
    Remark(&'a str),
}

/// Somebody who watches a match.
pub trait Observer: Send {
    /// Something happened.
    fn event(&mut self, event: &Event<'_>);
}

/// Plays a match. Returns how it ended and what is on record of it.
///
/// # Errors
/// [`MatchError`]: what kept it from being played, in a sentence. Games on record stay there.
pub fn play_match(
    start: Start,
    manner: Manner,
    own: &OwnProgram,
    stop: &StopSignal,
    observer: &mut dyn Observer,
) -> Result<(Ending, MatchRecord, PathBuf), MatchError> {
    let concurrency = if manner.concurrency == 0 { preflight::cores() } else { manner.concurrency };
    preflight::check_descriptors(concurrency)?;
    let (prepared, directory) = prepare(start, own)?;
    let Prepared { file, openings, games, journal } = prepared;
    let guard = Arc::new(system("the guard of the engines cannot be started", Guard::start(own))?);
    let stderr_directory = (!manner.dry_run).then(|| directory.join("stderr"));
    if let Some(stderr) = &stderr_directory {
        std::fs::create_dir_all(stderr).map_err(|e| wrong(format!("{}: {e}", stderr.display())))?;
    }
    let pool = Pool::new(
        &file.config.engines,
        file.config.deadlines,
        own.clone(),
        guard,
        stderr_directory.clone(),
        concurrency,
    );
    let tried = preflight::try_engines(&file.config, &pool, stop).inspect_err(|_| {
        pool.end(Vec::new());
        // Of a match that did not begin nothing is left, unless an engine complained.
        if let Some(stderr) = stderr_directory.as_deref().filter(|_| journal.is_none()) {
            remove_if_silent(stderr);
        }
    });
    let remarks = match tried {
        // The games from before are still there, to be shown and gone on with.
        Err(PreflightError::Interrupted) if journal.is_some() => {
            return Ok((Ending::Interrupted, MatchRecord { file, games }, directory));
        }
        tried => tried?,
    };
    remarks.iter().for_each(|remark| observer.event(&Event::Remark(remark)));
    let threads = preflight::most_threads(&file.config.engines);
    if concurrency * threads > preflight::cores() {
        let each = if threads > 1 { format!(" of {threads} threads") } else { String::new() };
        let remark = format!("{concurrency} games{each} at once on {} cores: times will suffer", preflight::cores());
        observer.event(&Event::Remark(&remark));
    }
    if manner.dry_run {
        pool.end(Vec::new());
        return Ok((Ending::Checked, MatchRecord { file, games }, directory));
    }
    let journal = match journal {
        Some(journal) => journal,
        None => Journal::create(&directory, &file).inspect_err(|_| pool.end(Vec::new()))?,
    };
    let lag = system("the runner cannot watch itself", LagMeter::start())?;
    let schedule = Schedule::resume(&file.config, &games, &file.openings).map_err(|e| wrong(e.to_string()))?;
    let standings = Standings::of(&file.config, &games);
    observer.event(&Event::Started {
        directory: &directory,
        file: &file,
        done: schedule.done(),
        total: schedule.total(),
        concurrency,
        standings: &standings,
    });
    let hall = Hall {
        file: &file,
        openings: &openings,
        directory: &directory,
        recover: manner.recover,
        pool: &pool,
        lag: &lag,
        stop,
        state: Mutex::new(State { schedule, standings, games, journal, observer, trouble: None }),
        changed: Condvar::new(),
    };
    let State { standings, games, trouble, .. } = hall.play_all(concurrency);
    pool.end(Vec::new());
    let verdict = SprtState::of(&file.config, &standings).and_then(|state| state.verdict);
    let ending = match (trouble, stop.cause(), verdict) {
        (Some(Ended::Error(error)), ..) => return Err(error),
        (_, Some(StopCause::Interrupted), _) => Ending::Interrupted,
        (Some(Ended::Failed(text)), ..) => Ending::Failed(text),
        (None, _, Some(hypothesis)) => Ending::Decided(hypothesis),
        (None, _, None) => Ending::Finished,
    };
    Ok((ending, MatchRecord { file, games }, directory))
}

fn system<T>(what: &'static str, result: std::io::Result<T>) -> Result<T, MatchError> {
    result.map_err(|error| MatchError::System { what, error })
}

struct Prepared {
    file: ConfigFile,
    openings: Openings,
    games: Vec<PlayedGame>,
    /// The journal of a match that goes on; a new one is begun when all is checked.
    journal: Option<Journal>,
}

fn prepare(start: Start, own: &OwnProgram) -> Result<(Prepared, PathBuf), MatchError> {
    match start {
        Start::New { config, directory, command } => {
            if directory.join("config.json").exists() || directory.join("games.jsonl").exists() {
                return Err(JournalError::Exists(directory).into());
            }
            let (file, openings) = preflight::describe(&config, own, command)?;
            Ok((Prepared { file, openings, games: Vec::new(), journal: None }, directory))
        }
        Start::Resume { directory, mut typed, same_seed } => {
            let (MatchRecord { file, games }, journal) = Journal::resume(&directory)?;
            if let Some(typed) = typed.as_mut().filter(|_| !same_seed) {
                typed.seed = file.config.seed;
            }
            let openings = preflight::verify(&file, own, typed.as_deref())?;
            Ok((Prepared { file, openings, games, journal: Some(journal) }, directory))
        }
    }
}

/// Removes a directory of empty error files, and the match's directory if nothing else is in it.
fn remove_if_silent(stderr: &Path) {
    let Ok(entries) = std::fs::read_dir(stderr) else { return };
    let files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    if files.iter().all(|file| super::process::file_length(file) == 0) {
        for file in files {
            let _ = std::fs::remove_file(file);
        }
        let _ = std::fs::remove_dir(stderr);
        if let Some(directory) = stderr.parent() {
            let _ = std::fs::remove_dir(directory);
            // The place of matches that were not told where to go.
            if directory.parent() == Some(Path::new("runs")) {
                let _ = std::fs::remove_dir("runs");
            }
        }
    }
}
