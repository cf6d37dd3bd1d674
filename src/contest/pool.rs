//! The engine processes of a match: started when they are needed, kept between games.

use super::client::{Client, Failure, Trouble, end_all};
use super::config::{Deadlines, EngineConfig, Program};
use super::guard::{Guard, OwnProgram};
use super::stop::StopSignal;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Starts engines and keeps those that are idle.
#[derive(Debug)]
pub(super) struct Pool {
    engines: Vec<Arc<EngineConfig>>,
    deadlines: Deadlines,
    own: OwnProgram,
    guard: Arc<Guard>,
    /// Where standard error goes; nowhere if `None`.
    stderr_directory: Option<PathBuf>,
    /// No more processes than this, if that can be helped by ending idle ones.
    most: usize,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    idle: Vec<Lease>,
    /// The numbers in use, by engine.
    used: BTreeSet<(usize, usize)>,
}

/// A running engine with its number among those of its kind.
#[derive(Debug)]
pub(super) struct Lease {
    pub(super) client: Client,
    engine: usize,
    slot: usize,
}

/// Why there is no engine to play.
#[derive(Debug)]
pub(super) enum NoEngine {
    /// Its program is not there any more: nothing can be said of its strength.
    Missing(String),
    /// It fails before the game begins. With its client, if it got so far.
    Failed(Failure, Option<Box<Lease>>),
    /// The runner stops.
    Stopped,
}

impl Pool {
    pub(super) fn new(
        engines: &[EngineConfig],
        deadlines: Deadlines,
        own: OwnProgram,
        guard: Arc<Guard>,
        stderr_directory: Option<PathBuf>,
        concurrency: usize,
    ) -> Pool {
        Pool {
            engines: engines.iter().cloned().map(Arc::new).collect(),
            deadlines,
            own,
            guard,
            stderr_directory,
            most: concurrency.saturating_mul(2),
            state: Mutex::default(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An idle process of an engine, or a new one, its options set.
    pub(super) fn take(&self, engine: usize, stop: &StopSignal) -> Result<Lease, NoEngine> {
        let (slot, superfluous) = {
            let mut state = self.state();
            if let Some(at) = state.idle.iter().rposition(|lease| lease.engine == engine) {
                return Ok(state.idle.remove(at));
            }
            let slot = (0..).find(|&slot| !state.used.contains(&(engine, slot))).unwrap_or(usize::MAX);
            state.used.insert((engine, slot));
            let superfluous =
                if state.used.len() > self.most && !state.idle.is_empty() { Some(state.idle.remove(0)) } else { None };
            (slot, superfluous)
        };
        if let Some(lease) = superfluous {
            self.discard(lease);
        }
        let started = self.start(engine, slot, stop);
        // A failed engine that is still there keeps its number until it is discarded.
        if !matches!(started, Ok(_) | Err(NoEngine::Failed(_, Some(_)))) {
            self.state().used.remove(&(engine, slot));
        }
        started
    }

    fn start(&self, engine: usize, slot: usize, stop: &StopSignal) -> Result<Lease, NoEngine> {
        let Some(config) = self.engines.get(engine) else {
            return Err(NoEngine::Missing(format!("there is no engine {engine}")));
        };
        if let Program::File(path) = &config.program
            && let Err(error) = std::fs::metadata(path)
        {
            return Err(NoEngine::Missing(format!("{}: {}: {error}", config.name, path.display())));
        }
        let stderr = match &self.stderr_directory {
            Some(directory) => directory.join(stderr_name(engine, &config.name, slot)),
            None => PathBuf::from("/dev/null"),
        };
        let client = Client::start(config, self.deadlines, &self.own, &self.guard, &stderr)
            .map_err(|failure| NoEngine::Failed(failure, None))?;
        let mut lease = Lease { client, engine, slot };
        match lease.client.introduce(stop).and_then(|()| lease.client.set_options(stop)) {
            Ok(()) => Ok(lease),
            Err(Trouble::Stopped) => Err(NoEngine::Stopped),
            Err(Trouble::Failure(failure)) => Err(NoEngine::Failed(failure, Some(Box::new(lease)))),
        }
    }

    /// Takes an engine back for the next game.
    pub(super) fn give_back(&self, lease: Lease) {
        self.state().idle.push(lease);
    }

    /// Ends an engine that is not to be used any more.
    pub(super) fn discard(&self, lease: Lease) {
        let key = (lease.engine, lease.slot);
        end_all([lease.client], Duration::from_millis(self.deadlines.quit_ms));
        self.state().used.remove(&key);
    }

    /// Ends these engines and all that are idle.
    pub(super) fn end(&self, leases: Vec<Lease>) {
        let idle = std::mem::take(&mut self.state().idle);
        let clients = leases.into_iter().chain(idle).map(|lease| lease.client);
        end_all(clients, Duration::from_millis(self.deadlines.quit_ms));
    }
}

/// The name of the file for an engine's standard error: its number, its name as far as file systems take it, and which of
/// its processes it is.
fn stderr_name(engine: usize, name: &str, slot: usize) -> String {
    let plain: String =
        name.chars().take(40).map(|c| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '_' }).collect();
    format!("{}-{plain}-{}.txt", engine + 1, slot + 1)
}
