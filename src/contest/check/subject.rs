//! The engine that is checked: a process that is started again whenever a step has spoilt it.

use super::super::client::{Client, Failure, Trouble, end_all};
use super::super::config::{Deadlines, EngineConfig};
use super::super::guard::{Guard, OwnProgram};
use super::super::played::Termination;
use super::super::preflight::last_words;
use super::super::stop::StopSignal;
use super::CheckError;
use crate::game::Variant;
use crate::protocol::option_spec::OptionSpec;
use crate::protocol::reply::{Reply, parse_reply};
use std::fs::{File, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Why a step did not come to a good end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Flaw {
    /// What was seen, and what was expected.
    Wrong(String),
    /// The engine has nothing to be looked at here.
    Untested(String),
    /// The runner stops.
    Stopped,
}

impl From<Trouble> for Flaw {
    fn from(trouble: Trouble) -> Flaw {
        match trouble {
            Trouble::Stopped => Flaw::Stopped,
            Trouble::Failure(Failure { detail, .. }) => Flaw::Wrong(detail),
        }
    }
}

pub(super) fn wrong<T>(text: impl Into<String>) -> Result<T, Flaw> {
    Err(Flaw::Wrong(text.into()))
}

pub(super) fn untested<T>(text: impl Into<String>) -> Result<T, Flaw> {
    Err(Flaw::Untested(text.into()))
}

/// The file that takes an engine's standard error, for as long as it is of use.
struct ErrorFile(PathBuf);

impl ErrorFile {
    fn new() -> io::Result<ErrorFile> {
        let number = RandomState::new().hash_one(std::process::id());
        let path = std::env::temp_dir().join(format!("kete-match-{number:016x}.txt"));
        OpenOptions::new().write(true).create_new(true).open(&path)?;
        Ok(ErrorFile(path))
    }

    /// Throws away what is in it.
    fn clear(&self) {
        if let Err(error) = File::create(&self.0) {
            log::warn!("{}: {error}", self.0.display());
        }
    }
}

impl Drop for ErrorFile {
    fn drop(&mut self) {
        // It lies where such files are cleared away.
        let _ = std::fs::remove_file(&self.0);
    }
}

/// The engine that is checked.
pub(super) struct Subject<'a> {
    engine: Arc<EngineConfig>,
    deadlines: Deadlines,
    own: &'a OwnProgram,
    guard: Arc<Guard>,
    stop: &'a StopSignal,
    errors: ErrorFile,
    client: Option<Client>,
    name: Option<String>,
    variants: Vec<Variant>,
    /// What it answered to the first `uci`.
    introduction: Vec<String>,
    /// What kept it from ending that answer with `uciok`.
    broken_off: Option<String>,
}

impl<'a> Subject<'a> {
    pub(super) fn new(
        engine: &EngineConfig,
        deadlines: Deadlines,
        own: &'a OwnProgram,
        stop: &'a StopSignal,
    ) -> Result<Subject<'a>, CheckError> {
        Ok(Subject {
            engine: Arc::new(engine.clone()),
            deadlines,
            own,
            guard: Arc::new(Guard::start(own)?),
            stop,
            errors: ErrorFile::new()?,
            client: None,
            name: None,
            variants: Vec::new(),
            introduction: Vec::new(),
            broken_off: None,
        })
    }

    /// Starts the engine and asks it who it is. What it answers is kept for the first steps to look at.
    ///
    /// # Errors
    /// If it ends without a word.
    pub(super) fn start(&mut self) -> Result<(), Flaw> {
        let mut client = self.process()?;
        let deadline = Instant::now() + Duration::from_millis(self.deadlines.startup_ms);
        match self.hear_introduction(&mut client, deadline) {
            Ok(()) => {}
            Err(Trouble::Stopped) => return Err(Flaw::Stopped),
            Err(Trouble::Failure(failure)) => {
                let text = format!("{failure}{}", last_words(&client));
                if self.introduction.is_empty() && failure.kind == Termination::Crash {
                    return wrong(text);
                }
                self.broken_off = Some(text);
            }
        }
        self.name = self.introduction.iter().find_map(|line| match parse_reply(line) {
            Ok(Reply::IdName(name)) if !name.is_empty() => Some(name.to_owned()),
            _ => None,
        });
        end_all([client], self.patience());
        Ok(())
    }

    fn hear_introduction(&mut self, client: &mut Client, deadline: Instant) -> Result<(), Trouble> {
        client.send(&["uci"], deadline, self.stop)?;
        while let Some((line, at)) = client.listen(deadline, self.stop, "uciok")? {
            let is_last = parse_reply(&line) == Ok(Reply::UciOk);
            self.introduction.push(line);
            if is_last {
                return Ok(());
            }
            if at > deadline {
                break;
            }
        }
        let text = format!("no uciok within {} ms after \"uci\"", self.deadlines.startup_ms);
        Err(Failure::new(Termination::Stall, text).into())
    }

    fn process(&self) -> Result<Client, Flaw> {
        self.errors.clear();
        Client::start(&self.engine, self.deadlines, self.own, &self.guard, &self.errors.0)
            .map_err(|failure| Trouble::from(failure).into())
    }

    /// The engine, introduced; a new process if there is none.
    pub(super) fn client(&mut self) -> Result<&mut Client, Flaw> {
        let client = match self.client.take() {
            Some(client) => client,
            None => {
                let mut client = self.process()?;
                client.introduce(self.stop)?;
                client.set_options(self.stop)?;
                client
            }
        };
        Ok(self.client.insert(client))
    }

    /// Ends the process, as a step does after which nothing of it is to be relied upon.
    pub(super) fn leave(&mut self) {
        end_all(self.client.take(), self.patience());
    }

    /// Ends everything.
    pub(super) fn end(mut self) {
        self.leave();
    }

    /// What the engine calls itself.
    pub(super) fn name(&self) -> &str {
        self.name.as_deref().unwrap_or("the engine")
    }

    /// The lines with which it introduced itself.
    pub(super) fn introduction(&self) -> &[String] {
        &self.introduction
    }

    /// What kept it from ending that answer with `uciok`.
    pub(super) fn broken_off(&self) -> Option<&str> {
        self.broken_off.as_deref()
    }

    /// The games that it plays, as far as that is known yet.
    pub(super) fn variants(&self) -> &[Variant] {
        &self.variants
    }

    pub(super) fn set_variants(&mut self, variants: Vec<Variant>) {
        self.variants = variants;
    }

    /// The signal that ends what the runner waits for.
    pub(super) fn signal(&self) -> &'a StopSignal {
        self.stop
    }

    /// How long an answer may take that needs no thought.
    pub(super) fn ping(&self) -> Duration {
        Duration::from_millis(self.deadlines.ping_ms)
    }

    /// How long the engine may take to end.
    pub(super) fn patience(&self) -> Duration {
        Duration::from_millis(self.deadlines.quit_ms)
    }

    pub(super) fn startup(&self) -> Duration {
        Duration::from_millis(self.deadlines.startup_ms)
    }

    /// The option of that name.
    pub(super) fn option(&mut self, name: &str) -> Result<Option<OptionSpec>, Flaw> {
        Ok(self.client()?.option(name).cloned())
    }

    /// Sends lines.
    pub(super) fn send(&mut self, lines: &[&str]) -> Result<Instant, Flaw> {
        let (deadline, stop) = (Instant::now() + self.ping(), self.stop);
        Ok(self.client()?.send(lines, deadline, stop)?)
    }

    /// The next line; `None` if there is none by `deadline`.
    pub(super) fn listen(&mut self, deadline: Instant, expected: &str) -> Result<Option<(String, Instant)>, Flaw> {
        let stop = self.stop;
        Ok(self.client()?.listen(deadline, stop, expected)?)
    }

    /// Sends lines and waits until the engine is ready. Gives the first error that it told, if it did.
    ///
    /// # Errors
    /// If it does not become ready, or sends a move meanwhile.
    pub(super) fn settle(&mut self, lines: &[&str]) -> Result<Option<String>, Flaw> {
        let lines: Vec<&str> = lines.iter().copied().chain(["isready"]).collect();
        let (time, stop) = (self.ping(), self.stop);
        let mut complaint = None;
        self.client()?.exchange(&lines, time, stop, "readyok", |reply| match reply {
            Reply::Info(info) => {
                if let Some(text) = info.string.filter(|text| text.starts_with("error")) {
                    complaint.get_or_insert_with(|| text.to_owned());
                }
                None
            }
            Reply::ReadyOk => Some(()),
            _ => None,
        })?;
        Ok(complaint)
    }

    /// Sends lines that the engine must take.
    ///
    /// # Errors
    /// If it calls one of them an error, or fails.
    pub(super) fn take(&mut self, lines: &[&str]) -> Result<(), Flaw> {
        match self.settle(lines)? {
            None => Ok(()),
            Some(text) => {
                let sent: Vec<String> = lines.iter().map(|line| shown(line)).collect();
                wrong(format!("{} was answered by {}, expected no error", sent.join(", "), shown(&text)))
            }
        }
    }

    /// Asks something after some lines; `None` if there is no answer.
    ///
    /// # Errors
    /// If the engine fails.
    pub(super) fn query(&mut self, lines: &[&str], query: &str) -> Result<Option<String>, Flaw> {
        let lines: Vec<&str> = lines.iter().copied().chain([query]).collect();
        let stop = self.stop;
        Ok(self.client()?.query(&lines, stop)?)
    }

    /// Has the engine begin a game of `variant`.
    ///
    /// # Errors
    /// If it fails.
    pub(super) fn begin(&mut self, variant: Variant) -> Result<(), Flaw> {
        let set = self.option("UCI_Variant")?.map(|option| format!("setoption name {} value {variant}", option.name));
        let lines: Vec<&str> = set.as_deref().into_iter().chain(["ucinewgame"]).collect();
        self.take(&lines)
    }
}

/// A line in quotes for a message, on one line and not too long.
pub(super) fn shown(line: &str) -> String {
    const LONGEST: usize = 200;
    let text: String = line.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    if line.chars().nth(LONGEST).is_some() { format!("\"{text}...\"") } else { format!("\"{text}\"") }
}
