//! Where a match is played: workers that take games from the schedule, and what they share.

use super::{Event, MatchError, Observer};
use crate::contest::bundle;
use crate::contest::config::ConfigFile;
use crate::contest::journal::Journal;
use crate::contest::lag::LagMeter;
use crate::contest::played::PlayedGame;
use crate::contest::pool::{Lease, NoEngine, Pool};
use crate::contest::preflight::{Openings, wrong};
use crate::contest::referee::{self, Finished, Stopped, Surroundings};
use crate::contest::schedule::{GameTask, Schedule, Step};
use crate::contest::standings::Standings;
use crate::contest::stop::{StopCause, StopSignal};
use crate::contest::summary::SprtState;
use crate::game::{AnyPosition, Side};
use std::path::Path;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How often a worker without work looks whether the match stops.
const GLANCE: Duration = Duration::from_millis(50);

/// Why a match does not go on.
pub(super) enum Ended {
    Failed(String),
    Error(MatchError),
}

/// Where a match is played.
pub(super) struct Hall<'a> {
    pub(super) file: &'a ConfigFile,
    pub(super) openings: &'a Openings,
    pub(super) directory: &'a Path,
    pub(super) recover: bool,
    pub(super) pool: &'a Pool,
    pub(super) lag: &'a LagMeter,
    pub(super) stop: &'a StopSignal,
    pub(super) state: Mutex<State<'a>>,
    /// A result has come in, or the match is over.
    pub(super) changed: Condvar,
}

/// What the workers change, one at a time.
pub(super) struct State<'a> {
    pub(super) schedule: Schedule,
    pub(super) standings: Standings,
    pub(super) games: Vec<PlayedGame>,
    pub(super) journal: Journal,
    pub(super) observer: &'a mut dyn Observer,
    pub(super) trouble: Option<Ended>,
}

impl<'a> Hall<'a> {
    /// Plays so many games at a time until there are no more, the match is decided, or it is stopped.
    pub(super) fn play_all(self, concurrency: usize) -> State<'a> {
        // The games on record may have decided it already.
        self.decide(&mut self.state());
        std::thread::scope(|scope| {
            for _ in 0..concurrency {
                scope.spawn(|| self.work());
            }
        });
        self.state.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

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
