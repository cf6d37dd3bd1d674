//! The runner's side of the protocol: what is sent to an engine, and what is expected in return by when.

mod thinking;

pub(super) use thinking::{Allowance, Answer};

use super::config::{Deadlines, EngineConfig};
use super::guard::{Guard, OwnProgram};
use super::played::Termination;
use super::process::{EngineProcess, Incoming, SendError, describe_exit, file_length};
use super::stop::StopSignal;
use super::transcript::Transcript;
use crate::game::Variant;
use crate::notation::quote;
use crate::protocol::option_spec::{self, OptionKind, OptionSpec};
use crate::protocol::reply::{Reply, parse_reply};
use std::path::Path;
use std::process::ExitStatus;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a process whose output is closed may take to end before it counts as still running.
const EXIT_GRACE: Duration = Duration::from_millis(500);

/// What an engine did wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{detail}")]
pub(super) struct Failure {
    /// Stall, crash, protocol error, time, or an illegal move.
    pub(super) kind: Termination,
    /// In words.
    pub(super) detail: String,
}

impl Failure {
    pub(super) fn new(kind: Termination, detail: impl Into<String>) -> Failure {
        Failure { kind, detail: detail.into() }
    }
}

/// Why a dialogue did not come to its end.
#[derive(Debug)]
pub(super) enum Trouble {
    /// The engine's fault.
    Failure(Failure),
    /// The runner stops.
    Stopped,
}

impl From<Failure> for Trouble {
    fn from(failure: Failure) -> Trouble {
        Trouble::Failure(failure)
    }
}

/// A running engine that has introduced itself and taken its options.
#[derive(Debug)]
pub(super) struct Client {
    process: EngineProcess,
    engine: Arc<EngineConfig>,
    deadlines: Deadlines,
    options: Vec<OptionSpec>,
    /// What it calls itself.
    id_name: Option<String>,
    answers_queries: bool,
    /// The game it is set to; `None` before the first.
    variant: Option<Variant>,
    /// The length of its error file when the game under way began.
    stderr_start: u64,
}

impl Client {
    /// Starts an engine; nothing is said to it yet.
    ///
    /// # Errors
    /// If no process can be started, which is told as a crash.
    pub(super) fn start(
        engine: &Arc<EngineConfig>,
        deadlines: Deadlines,
        own: &OwnProgram,
        guard: &Arc<Guard>,
        stderr_path: &Path,
    ) -> Result<Client, Failure> {
        let stderr_start = file_length(stderr_path);
        let process = EngineProcess::start(engine, own, guard, stderr_path)
            .map_err(|detail| Failure::new(Termination::Crash, detail))?;
        Ok(Client {
            process,
            engine: Arc::clone(engine),
            deadlines,
            options: Vec::new(),
            id_name: None,
            answers_queries: false,
            variant: None,
            stderr_start,
        })
    }

    /// Has the engine introduce itself: its name, its options.
    ///
    /// # Errors
    /// If it fails.
    pub(super) fn introduce(&mut self, stop: &StopSignal) -> Result<(), Trouble> {
        let time = Duration::from_millis(self.deadlines.startup_ms);
        let (mut options, mut id_name) = (Vec::new(), None);
        self.exchange(&["uci"], time, stop, "uciok", |reply| match reply {
            Reply::Option(line) => {
                options.push(line);
                None
            }
            Reply::IdName(name) => {
                id_name = Some(name.to_owned());
                None
            }
            Reply::UciOk => Some(()),
            _ => None,
        })?;
        self.options = options;
        self.id_name = id_name;
        Ok(())
    }

    /// Sets the options that the match gives to the engine, each of which it must know, and finds out whether it answers
    /// queries.
    ///
    /// # Errors
    /// If it does not take one of them, in words, or fails.
    pub(super) fn set_options(&mut self, stop: &StopSignal) -> Result<(), Trouble> {
        let engine = Arc::clone(&self.engine);
        let refused = |error: option_spec::OptionError| Failure::new(Termination::ProtocolError, error.to_string());
        for option in &engine.options {
            let known = option_spec::find(&self.options, &option.name).map_err(refused)?;
            known.accepts(option.value.as_deref()).map_err(refused)?;
            let line = match &option.value {
                Some(value) => format!("setoption name {} value {value}", option.name),
                None => format!("setoption name {}", option.name),
            };
            self.ready(&[&line], stop)?;
        }
        let mut answers = false;
        let time = Duration::from_millis(self.deadlines.ping_ms);
        self.exchange(&["query gameover", "isready"], time, stop, "readyok", |reply| match reply {
            Reply::Response(_) => {
                answers = true;
                None
            }
            Reply::ReadyOk => Some(()),
            _ => None,
        })?;
        self.answers_queries = answers;
        Ok(())
    }

    /// Sends lines and waits until the engine is ready again. An engine that calls one of the lines an error does not take
    /// it.
    fn ready(&mut self, lines: &[&str], stop: &StopSignal) -> Result<(), Trouble> {
        let lines: Vec<&str> = lines.iter().copied().chain(["isready"]).collect();
        let time = Duration::from_millis(self.deadlines.ping_ms);
        let mut refused = None;
        self.exchange(&lines, time, stop, "readyok", |reply| match reply {
            Reply::Info(info) => {
                if let Some(text) = info.string.filter(|text| text.starts_with("error")) {
                    refused.get_or_insert_with(|| text.to_owned());
                }
                None
            }
            Reply::ReadyOk => Some(()),
            _ => None,
        })?;
        match refused {
            None => Ok(()),
            Some(text) => {
                let sent = lines.first().copied().unwrap_or_default();
                Err(Failure::new(
                    Termination::ProtocolError,
                    format!("{} was answered by {}", quote(sent), quote(&text)),
                )
                .into())
            }
        }
    }

    /// Begins a game.
    ///
    /// # Errors
    /// If the engine fails.
    pub(super) fn new_game(&mut self, variant: Variant, seed: u64, stop: &StopSignal) -> Result<(), Trouble> {
        self.process.transcript.begin_game();
        self.stderr_start = file_length(self.process.stderr_path());
        let mut lines = Vec::new();
        if self.variant != Some(variant)
            && let Some(option) = self.option("UCI_Variant")
        {
            lines.push(format!("setoption name {} value {variant}", option.name));
        }
        lines.push("ucinewgame".to_owned());
        lines.extend(self.seed_line(seed));
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        self.ready(&lines, stop)?;
        self.variant = Some(variant);
        Ok(())
    }

    /// The line that gives the game's seed to an engine that has an option for it, unless the match sets it.
    fn seed_line(&self, seed: u64) -> Option<String> {
        let option = self.option("Seed")?;
        if self.engine.options.iter().any(|o| o.name.eq_ignore_ascii_case("Seed")) {
            return None;
        }
        let OptionKind::Spin { min, max, .. } = option.kind else { return None };
        // A span of all numbers leaves the seed as it is.
        let offset = max.max(min).abs_diff(min).checked_add(1).map_or(seed, |span| seed % span);
        let value = min.checked_add_unsigned(offset)?;
        Some(format!("setoption name {} value {value}", option.name))
    }

    /// Asks about the position that was sent last; `None` if the engine answers no queries or not this one.
    ///
    /// # Errors
    /// If it fails.
    pub(super) fn query(&mut self, lines: &[&str], stop: &StopSignal) -> Result<Option<String>, Trouble> {
        if !self.answers_queries {
            return Ok(None);
        }
        let time = Duration::from_millis(self.deadlines.ping_ms);
        let lines: Vec<&str> = lines.iter().copied().chain(["isready"]).collect();
        let mut answer = None;
        self.exchange(&lines, time, stop, "readyok", |reply| match reply {
            Reply::Response(text) => {
                answer = Some(text.to_owned());
                None
            }
            Reply::ReadyOk => Some(()),
            _ => None,
        })?;
        Ok(answer)
    }

    /// Sends lines and reads until `closing` takes an answer as the last one.
    ///
    /// # Errors
    /// If the engine does not answer in time, ends, breaks the protocol, or moves unasked.
    pub(super) fn exchange<T>(
        &mut self,
        lines: &[&str],
        time: Duration,
        stop: &StopSignal,
        expected: &str,
        mut closing: impl FnMut(Reply<'_>) -> Option<T>,
    ) -> Result<T, Trouble> {
        let deadline = Instant::now() + time;
        self.send(lines, deadline, stop)?;
        loop {
            match self.process.receive(deadline, Some(stop)) {
                Incoming::Line(line, at) if at <= deadline => {
                    let reply = self.parse(&line)?;
                    if let Reply::BestMove { .. } = reply {
                        return Err(unasked(&line).into());
                    }
                    if let Some(answer) = closing(reply) {
                        return Ok(answer);
                    }
                }
                Incoming::Closed => return Err(self.crashed(&format!("instead of {expected}")).into()),
                Incoming::Stopped => return Err(Trouble::Stopped),
                Incoming::TimedOut | Incoming::Line(..) => {
                    let sent = lines.last().copied().unwrap_or_default();
                    let detail = format!("no {expected} within {} ms after {}", time.as_millis(), quote(sent));
                    return Err(Failure::new(Termination::Stall, detail).into());
                }
            }
        }
    }

    /// Sends lines and returns when the last byte is in the pipe.
    ///
    /// # Errors
    /// If the engine does not read them by `deadline`, or has ended.
    pub(super) fn send(&mut self, lines: &[&str], deadline: Instant, stop: &StopSignal) -> Result<Instant, Trouble> {
        self.process.send(lines, deadline, stop).map_err(|error| match error {
            SendError::Stopped => Trouble::Stopped,
            SendError::Blocked => Failure::new(Termination::Stall, "it does not read its input").into(),
            SendError::Closed => self.crashed("before it was asked").into(),
        })
    }

    /// The next line as it came; `None` if there is none by `deadline`.
    ///
    /// # Errors
    /// If the engine has ended.
    pub(super) fn listen(
        &mut self,
        deadline: Instant,
        stop: &StopSignal,
        expected: &str,
    ) -> Result<Option<(String, Instant)>, Trouble> {
        match self.process.receive(deadline, Some(stop)) {
            Incoming::Line(line, at) => Ok(Some((line, at))),
            Incoming::TimedOut => Ok(None),
            Incoming::Closed => Err(self.crashed(&format!("instead of {expected}")).into()),
            Incoming::Stopped => Err(Trouble::Stopped),
        }
    }

    /// Ends the engine's input.
    pub(super) fn close_input(&mut self) {
        self.process.close_input();
    }

    fn parse<'a>(&self, line: &'a str) -> Result<Reply<'a>, Failure> {
        parse_reply(line).map_err(|error| Failure::new(Termination::ProtocolError, format!("{}: {error}", quote(line))))
    }

    /// The failure of an engine whose output or input is closed.
    fn crashed(&mut self, when: &str) -> Failure {
        let detail = match self.process.end(Instant::now() + EXIT_GRACE) {
            Some(status) => format!("ended {when} ({})", describe_exit(status)),
            None => format!("closed its pipes {when}, without ending"),
        };
        Failure::new(Termination::Crash, detail)
    }

    /// The option of that name, in whatever case.
    pub(super) fn option(&self, name: &str) -> Option<&OptionSpec> {
        self.options.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// All options that the engine told.
    pub(super) fn options(&self) -> &[OptionSpec] {
        &self.options
    }

    /// What the engine calls itself.
    pub(super) fn id_name(&self) -> Option<&str> {
        self.id_name.as_deref()
    }

    /// Whether it answers `query`.
    pub(super) fn answers_queries(&self) -> bool {
        self.answers_queries
    }

    /// What was said.
    pub(super) fn transcript(&self) -> &Transcript {
        &self.process.transcript
    }

    /// The engine as the match describes it.
    pub(super) fn engine(&self) -> &EngineConfig {
        &self.engine
    }

    /// The file of its standard error, and where in it the game under way begins.
    pub(super) fn stderr(&self) -> (&Path, u64) {
        (self.process.stderr_path(), self.stderr_start)
    }

    /// Asks the engine to end. It need not hear.
    pub(super) fn ask_to_end(&mut self) {
        self.process.ask_to_end();
    }

    /// Waits for its end until `deadline` and kills what is left; `None` if it had to be killed.
    pub(super) fn end(&mut self, deadline: Instant) -> Option<ExitStatus> {
        self.process.end(deadline)
    }
}

fn unasked(line: &str) -> Failure {
    Failure::new(Termination::ProtocolError, format!("{} without go", quote(line)))
}

/// Ends engines together: all are asked first, then each is waited for until the same moment.
pub(super) fn end_all(clients: impl IntoIterator<Item = Client>, patience: Duration) {
    let mut clients: Vec<Client> = clients.into_iter().collect();
    clients.iter_mut().for_each(Client::ask_to_end);
    let deadline = Instant::now() + patience;
    for client in &mut clients {
        client.end(deadline);
    }
}
