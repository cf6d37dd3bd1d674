//! Plays a match: hands games to workers, writes each finished one to the journal, and says when it is over.

use super::bundle;
use super::config::{ConfigFile, MatchConfig};
use super::guard::{Guard, OwnProgram};
use super::journal::{Journal, JournalError, MatchRecord};
use super::lag::LagMeter;
use super::played::PlayedGame;
use super::pool::{Lease, NoEngine, Pool};
use super::preflight::{self, Openings, PreflightError, wrong};
use super::referee::{self, Finished, Stopped, Surroundings};
use super::schedule::{GameTask, Schedule, Step};
use super::sprt::Hypothesis;
use super::standings::Standings;
use super::stop::{StopCause, StopSignal};
use super::summary::SprtState;
use crate::game::{AnyPosition, Side};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How often a worker without work looks whether the match stops.
const GLANCE: Duration = Duration::from_millis(50);

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
    hall.decide(&mut hall.state());
    std::thread::scope(|scope| {
        for _ in 0..concurrency {
            scope.spawn(|| hall.work());
        }
    });
    pool.end(Vec::new());
    let State { standings, games, trouble, .. } = hall.state.into_inner().unwrap_or_else(PoisonError::into_inner);
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

/// Why a match does not go on.
enum Ended {
    Failed(String),
    Error(MatchError),
}

/// Where a match is played.
struct Hall<'a> {
    file: &'a ConfigFile,
    openings: &'a Openings,
    directory: &'a Path,
    recover: bool,
    pool: &'a Pool,
    lag: &'a LagMeter,
    stop: &'a StopSignal,
    state: Mutex<State<'a>>,
    /// A result has come in, or the match is over.
    changed: Condvar,
}

struct State<'a> {
    schedule: Schedule,
    standings: Standings,
    games: Vec<PlayedGame>,
    journal: Journal,
    observer: &'a mut dyn Observer,
    trouble: Option<Ended>,
}

impl<'a> Hall<'a> {
    fn state(&self) -> MutexGuard<'_, State<'a>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One worker: plays games until there are no more.
    fn work(&self) {
        while let Some(task) = self.next_task() {
            if let Err(Stopped) = self.play(&task) {
                return;
            }
        }
    }

    fn next_task(&self) -> Option<GameTask> {
        let mut state = self.state();
        loop {
            if self.stop.is_given() {
                return None;
            }
            match state.schedule.step() {
                Step::Play(task) => return Some(task),
                Step::Finished => return None,
                // Nobody wakes the waiting when the signal is given.
                Step::Wait => {
                    let waited = self.changed.wait_timeout(state, GLANCE);
                    state = waited.unwrap_or_else(PoisonError::into_inner).0;
                }
            }
        }
    }

    /// Plays a game and puts it on record.
    fn play(&self, task: &GameTask) -> Result<(), Stopped> {
        let Some(opening) = self.opening(task) else {
            return self.end(Ended::Error(wrong(format!("game {} has no opening", task.game)).into()));
        };
        let seats = [task.south, task.north];
        let mut leases: [Option<Lease>; 2] = [None, None];
        for ((side, engine), lease) in [Side::South, Side::North].into_iter().zip(seats).zip(&mut leases) {
            *lease = match self.pool.take(engine, self.stop) {
                Ok(taken) => Some(taken),
                Err(NoEngine::Stopped) => return Err(Stopped),
                Err(NoEngine::Missing(text)) => return self.end(Ended::Failed(format!("engine {text}"))),
                Err(NoEngine::Failed(failure, failed)) => {
                    let finished = referee::forfeit(task, opening, seats.map(|s| self.name(s)), side, &failure);
                    *lease = failed.map(|lease| *lease);
                    return self.conclude(finished, leases);
                }
            };
        }
        let finished = match &mut leases {
            [Some(south), Some(north)] => {
                let surroundings = Surroundings { config: &self.file.config, lag: self.lag, stop: self.stop };
                referee::play(task, opening, [&mut south.client, &mut north.client], surroundings)
            }
            _ => Err(Stopped),
        };
        match finished {
            Ok(finished) => self.conclude(finished, leases),
            Err(Stopped) => {
                self.pool.end(leases.into_iter().flatten().collect());
                Err(Stopped)
            }
        }
    }

    fn opening(&self, task: &GameTask) -> Option<&'a AnyPosition> {
        let at = self.file.config.variants.iter().position(|&variant| variant == task.variant)?;
        self.openings.get(at)?.get(task.opening)
    }

    fn name(&self, engine: usize) -> String {
        self.file.config.engines.get(engine).map_or_else(String::new, |engine| engine.name.clone())
    }

    /// Keeps the bundle of a failure, gives the engines back, and records the game.
    fn conclude(&self, finished: Finished, mut leases: [Option<Lease>; 2]) -> Result<(), Stopped> {
        let Finished { game, failed, usable } = finished;
        // An interrupt that came while the game ended: engines that were told to stop have not failed.
        if failed.is_some() && self.stop.is_given() {
            self.pool.end(leases.into_iter().flatten().collect());
            return Err(Stopped);
        }
        let mut failure = None;
        if let Some(turn) = &failed {
            let name = game.engine(turn.side).to_owned();
            let engine = self.file.config.engines.iter().find(|engine| engine.name == name);
            let clients = leases.each_mut().map(|lease| lease.as_mut().map(|lease| &mut lease.client));
            if let Some(engine) = engine
                && let Err(error) = bundle::write(self.directory, &game, turn, clients, engine)
            {
                log::warn!("{}: {error}", bundle::bundle_directory(self.directory, game.game).display());
            }
            failure = Some(format!("game {}: {name} ({}): {}", game.game, turn.side, turn.failure));
        }
        for (lease, usable) in leases.into_iter().zip(usable) {
            match lease {
                Some(lease) if usable => self.pool.give_back(lease),
                Some(lease) => self.pool.discard(lease),
                None => {}
            }
        }
        self.record(game)?;
        match failure {
            Some(text) if !self.recover => self.end(Ended::Failed(text)),
            _ => Ok(()),
        }
    }

    /// Puts a game on record; it counts from here on.
    fn record(&self, game: PlayedGame) -> Result<(), Stopped> {
        let mut state = self.state();
        // Another game has decided the match while this one ended: it counts as little as those that are in progress, and
        // cannot take the verdict back.
        if self.decide(&mut state).is_some_and(|sprt| sprt.verdict.is_some()) {
            return Err(Stopped);
        }
        if let Err(error) = state.journal.append(&game) {
            drop(state);
            return self.end(Ended::Error(error.into()));
        }
        if let Err(error) = state.schedule.finished(&game) {
            drop(state);
            return self.end(Ended::Error(wrong(error.to_string()).into()));
        }
        state.standings.add(&game);
        let sprt = self.decide(&mut state);
        let State { schedule, standings, observer, .. } = &mut *state;
        let (done, total) = (schedule.done(), schedule.total());
        observer.event(&Event::Game { game: &game, standings, sprt, done, total });
        state.games.push(game);
        drop(state);
        self.changed.notify_all();
        Ok(())
    }

    /// Stops the match if the test has decided.
    fn decide(&self, state: &mut State<'_>) -> Option<SprtState> {
        let sprt = SprtState::of(&self.file.config, &state.standings);
        if sprt.is_some_and(|sprt| sprt.verdict.is_some()) {
            self.stop.give(StopCause::Decided);
        }
        sprt
    }

    /// Ends the match before its time.
    fn end(&self, ended: Ended) -> Result<(), Stopped> {
        self.state().trouble.get_or_insert(ended);
        self.stop.give(StopCause::Failed);
        Err(Stopped)
    }
}
