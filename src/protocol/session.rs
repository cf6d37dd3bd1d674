//! The session: reads commands, carries them out on the game at hand and on the search, answers.

use super::command::{Command, Go, Words};
use super::error::CommandError;
use super::input::{Event, InputLine, LinesUnderWay, read_lines};
use super::job::{InputProbe, Job, JobFrame, JobKind, Panicked};
use super::listing;
use super::option_spec::OptionError;
use super::options::{self, Setting};
use super::parse::parse_line;
use super::resolve;
use super::response::{Dialect, Response};
use super::weighing;
use super::writer::Writer;
use crate::evaluation::Net;
use crate::game::{GameRecord, Variant};
use crate::notation::quote;
use crate::search::{DEFAULT_HASH_MIB, SearchOptions, Searcher};
use std::collections::VecDeque;
use std::io::BufRead;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::{Duration, Instant};

/// Lines that may lie between the reader and the session; a faster writer has to wait, but not while the session waits for a
/// job, as it looks for a `stop` then.
const QUEUE_LENGTH: usize = 1024;

/// How long the answer of the last job is waited for at the end.
const LAST_ANSWER: Duration = Duration::from_millis(300);

/// One dialogue with a harness or a person.
pub struct Session {
    writer: Arc<Writer>,
    events: Receiver<Event>,
    sender: SyncSender<Event>,
    /// Whether the input could be read without waiting, if that can be told.
    has_bytes: Option<fn() -> bool>,
    under_way: Arc<LinesUnderWay>,
    /// Events that came while the session was waiting for a job.
    deferred: VecDeque<Event>,
    variant: Variant,
    game: GameRecord,
    options: SearchOptions,
    threads: usize,
    hash_mib: usize,
    /// At rest here; during a search it is with the job.
    searcher: Option<Searcher>,
    job: Option<Job>,
}

/// Whether the session goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flow {
    Continue,
    End,
}

impl Session {
    /// A session that answers through `writer`, with the start position of Bao la Kiswahili on the board.
    pub fn new(writer: Writer) -> Session {
        let (sender, events) = sync_channel(QUEUE_LENGTH);
        let waker = sender.clone();
        // A full queue wakes the session as well.
        writer.when_closed(move || drop(waker.try_send(Event::Wake)));
        let variant = Variant::Kiswahili;
        Session {
            writer: Arc::new(writer),
            events,
            sender,
            has_bytes: None,
            under_way: Arc::default(),
            deferred: VecDeque::new(),
            variant,
            game: GameRecord::of_variant(variant),
            options: SearchOptions::default(),
            threads: 1,
            hash_mib: DEFAULT_HASH_MIB,
            searcher: None,
            job: None,
        }
    }

    /// What to call when nobody reads the output any more.
    pub fn output_closed_handler(&self) -> impl FnOnce() + Send + 'static {
        let sender = self.sender.clone();
        move || {
            // The session may be gone already.
            let _ = sender.send(Event::OutputClosed);
        }
    }

    /// Has searches leave their cores to the reader where a line waits, which `has_bytes` tells: whether the input that
    /// [`Session::run`] gets could be read without waiting.
    pub fn with_probe(mut self, has_bytes: fn() -> bool) -> Session {
        self.has_bytes = Some(has_bytes);
        self
    }

    /// Reads commands from `input`, on a thread of its own, and carries them out until `quit`, the end of the input, or the
    /// end of whoever reads the answers. A search under way is stopped and answers first.
    ///
    /// # Errors
    /// If no thread is to be had for reading.
    pub fn run(mut self, input: impl BufRead + Send + 'static) -> std::io::Result<()> {
        let (lines, under_way) = (self.sender.clone(), Arc::clone(&self.under_way));
        std::thread::Builder::new()
            .name("kete-input".to_owned())
            .spawn(move || read_lines(input, &lines, &under_way))?;
        while let Some(event) = self.next_event() {
            if self.handle(event) == Flow::End || self.writer.is_closed() {
                break;
            }
        }
        self.end_job();
        Ok(())
    }

    /// Stops the job and lets it answer; one that does not answer soon, in the midst of a move of millions of laps, is left
    /// to itself.
    fn end_job(&mut self) {
        let Some(mut job) = self.job.take() else { return };
        job.stop();
        let deadline = Instant::now() + LAST_ANSWER;
        while !job.is_answered() {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                log::warn!("the search did not stop in time");
                return;
            }
            // Whatever comes, the job's wake or another line, it is time to look again.
            let _ = self.events.recv_timeout(left);
        }
        self.finish(job);
    }

    fn next_event(&mut self) -> Option<Event> {
        match self.deferred.pop_front() {
            // Its time begins now, when it is taken up.
            Some(Event::Line(line, _)) => Some(Event::Line(line, Instant::now())),
            Some(event) => Some(event),
            None => self.receive(),
        }
    }

    fn receive(&self) -> Option<Event> {
        let event = self.events.recv().ok();
        if matches!(event, Some(Event::Line(..) | Event::EndOfInput)) {
            self.under_way.note_taken();
        }
        event
    }

    fn handle(&mut self, event: Event) -> Flow {
        self.collect_finished_job();
        match event {
            Event::Wake => Flow::Continue,
            Event::EndOfInput | Event::OutputClosed => Flow::End,
            Event::Line(InputLine::TooLong, _) => {
                self.report(CommandError::LineTooLong);
                Flow::Continue
            }
            Event::Line(InputLine::Text(line), at) => {
                log::debug!("received {}", quote(&line));
                self.writer.note_input(&line);
                let flow = match parse_line(&line) {
                    Ok(None) => Ok(Flow::Continue),
                    Ok(Some(command)) => self.carry_out(command, at),
                    Err(error) => Err(error.into()),
                };
                flow.unwrap_or_else(|error| {
                    self.report(error);
                    Flow::Continue
                })
            }
        }
    }

    fn report(&self, error: CommandError) {
        self.writer.write(&Response::Error(error.to_string()));
    }

    fn carry_out(&mut self, command: Command<'_>, at: Instant) -> Result<Flow, CommandError> {
        match command {
            Command::Uci => self.writer.write(&Response::Identity(Dialect::Uci)),
            Command::Ugi => self.writer.write(&Response::Identity(Dialect::Ugi)),
            Command::IsReady => self.writer.write(&Response::ReadyOk),
            Command::Register => {}
            Command::Debug(on) => log::info!("debug {on}"),
            Command::NewGame => self.new_game()?,
            Command::SetOption { name, name_words, value } => self.set_option(&name, name_words, value)?,
            Command::Position { text, moves } => self.set_position(text, &moves)?,
            Command::Go(go) => self.go(&go, at)?,
            Command::Stop => self.job.iter_mut().for_each(Job::stop),
            Command::PonderHit => self.job.iter_mut().for_each(|job| job.ponder_hit(at)),
            Command::Wait => return self.wait(),
            Command::Quit => return Ok(Flow::End),
            Command::Query(query) => self.writer.write(&resolve::answer(query, &self.game)),
            Command::Display => self.writer.write(&listing::board(&self.game)),
            Command::Eval => self.writer.write(&weighing::evaluation(&self.game, &self.options)),
            Command::Moves => self.writer.write(&listing::moves(&self.game)),
            Command::Params => self.writer.write(&listing::params(&self.options.params)),
            Command::Help => self.writer.write(&listing::help()),
            Command::Perft(depth) => {
                self.idle_for("perft")?;
                self.job = Some(Job::perft(self.frame(), self.game.clone(), depth)?);
                return Ok(self.wait_for_job());
            }
            Command::Bench => {
                self.idle_for("bench")?;
                self.job = Some(Job::bench(self.frame(), self.options.clone())?);
                return Ok(self.wait_for_job());
            }
        }
        Ok(Flow::Continue)
    }

    fn frame(&self) -> JobFrame {
        let input_waits = self.has_bytes.map(|has_bytes| {
            let under_way = Arc::clone(&self.under_way);
            Box::new(move || under_way.wait(has_bytes)) as InputProbe
        });
        JobFrame { writer: Arc::clone(&self.writer), events: self.sender.clone(), input_waits }
    }

    /// An error if a search is running.
    fn idle_for(&self, verb: &'static str) -> Result<(), CommandError> {
        if self.job.is_some() { Err(CommandError::Busy(verb)) } else { Ok(()) }
    }

    fn new_game(&mut self) -> Result<(), CommandError> {
        self.idle_for("a new game")?;
        if let Some(searcher) = &mut self.searcher {
            searcher.clear();
        }
        self.game = GameRecord::of_variant(self.variant);
        Ok(())
    }

    fn set_option(&mut self, name: &str, at: Words<'_>, value: Option<Words<'_>>) -> Result<(), CommandError> {
        let setting = options::resolve(name, value.map(|v| v.text)).map_err(|error| {
            let column = match (&error, value) {
                (OptionError::BadValue { .. } | OptionError::NeedlessValue { .. }, Some(value)) => value.column,
                _ => at.column,
            };
            CommandError::Option { error, column }
        })?;
        self.idle_for("setoption")?;
        match setting {
            Setting::Variant(variant) => {
                self.variant = variant;
                self.game = GameRecord::of_variant(variant);
                self.writer.write(&Response::Variant(variant));
            }
            Setting::Threads(threads) => {
                if let Some(searcher) = &mut self.searcher {
                    searcher.set_threads(threads)?;
                } else {
                    self.searcher = Some(Searcher::new(threads, self.hash_mib)?);
                }
                self.threads = threads;
            }
            Setting::HashMib(mib) => {
                if let Some(searcher) = &mut self.searcher {
                    searcher.set_hash_mib(mib)?;
                } else {
                    self.searcher = Some(Searcher::new(self.threads, mib)?);
                }
                self.hash_mib = mib;
            }
            Setting::ClearHash => self.forget(),
            Setting::MultiPv(lines) => self.options.multi_pv = lines,
            Setting::MoveOverheadMs(ms) => self.options.move_overhead = Duration::from_millis(ms),
            Setting::Seed(seed) => self.options.seed = seed,
            Setting::Evaluation(kind) => {
                self.options.evaluation.kind = kind;
                self.forget();
            }
            Setting::EvalFile(None) => {
                self.options.evaluation.unload();
                self.forget();
            }
            Setting::EvalFile(Some(path)) => {
                let column = value.map_or(at.column, |v| v.column);
                let net = Net::from_file(&path).map_err(|error| CommandError::EvalFile { path, error, column })?;
                let variant = net.variant();
                self.options.evaluation.load(net);
                self.forget();
                self.writer.write(&Response::InfoString(format!("EvalFile: a net for {variant}")));
            }
            Setting::Vectors(vectors) => self.options.evaluation.vectors = vectors,
            Setting::Player(player) => self.options.player = player,
            Setting::Tunable(which, value) => {
                self.options.params.set(which, value);
                self.forget();
            }
        }
        Ok(())
    }

    /// What the searcher remembers was found with other settings.
    fn forget(&mut self) {
        if let Some(searcher) = &mut self.searcher {
            searcher.clear();
        }
    }

    fn set_position(&mut self, text: Option<Words<'_>>, moves: &[Words<'_>]) -> Result<(), CommandError> {
        self.idle_for("position")?;
        self.game = resolve::game(self.variant, text, moves)?;
        Ok(())
    }

    fn go(&mut self, go: &Go<'_>, at: Instant) -> Result<(), CommandError> {
        self.idle_for("go")?;
        let limits = resolve::limits(go, &self.game)?;
        let searcher = match self.searcher.take() {
            Some(searcher) => searcher,
            None => Searcher::new(self.threads, self.hash_mib)?,
        };
        let (game, options) = (self.game.clone(), self.options.clone());
        self.job = Some(Job::search(self.frame(), searcher, game, limits, options, at)?);
        Ok(())
    }

    /// The command `wait`.
    fn wait(&mut self) -> Result<Flow, CommandError> {
        match self.job.as_ref().map(Job::kind) {
            Some(JobKind::UnboundedSearch) => Err(CommandError::EndlessWait),
            Some(JobKind::BoundedSearch | JobKind::Other) => Ok(self.wait_for_job()),
            None => Ok(Flow::Continue),
        }
    }

    /// Lets everything wait for the end of the job, but for a closed output, and for the next `stop`, unless another job
    /// stands before it: then it is meant for that one.
    fn wait_for_job(&mut self) -> Flow {
        let mut waiting = std::mem::take(&mut self.deferred);
        let mut may_stop = true;
        loop {
            self.collect_finished_job();
            if self.job.is_none() {
                self.deferred.append(&mut waiting);
                return Flow::Continue;
            }
            let event = match waiting.pop_front().or_else(|| self.receive()) {
                Some(Event::Wake) if self.writer.is_closed() => return Flow::End,
                Some(Event::Wake) => continue,
                Some(Event::OutputClosed) | None => return Flow::End,
                Some(event) => event,
            };
            if may_stop && let Event::Line(InputLine::Text(line), _) = &event {
                match parse_line(line) {
                    Ok(Some(Command::Stop)) => {
                        self.writer.note_input(line);
                        self.job.iter_mut().for_each(Job::stop);
                        continue;
                    }
                    Ok(Some(Command::Go(_) | Command::Perft(_) | Command::Bench)) => may_stop = false,
                    _ => {}
                }
            }
            self.deferred.push_back(event);
        }
    }

    /// Takes the searcher back from a job that has given its answer.
    fn collect_finished_job(&mut self) {
        if let Some(job) = self.job.take_if(|job| job.is_answered()) {
            self.finish(job);
        }
    }

    fn finish(&mut self, job: Job) {
        let kind = job.kind();
        match job.join() {
            Ok(Some(searcher)) => self.searcher = Some(searcher),
            Ok(None) => {}
            Err(Panicked) => {
                log::error!("a job panicked");
                self.writer.write(&Response::Error("the engine failed while it was working".to_owned()));
                // Every `go` is answered, even now; the next one gets a new searcher.
                if kind != JobKind::Other {
                    let side = self.game.side_to_move();
                    let first = self.game.legal_moves().first().map(|&m| (m, side));
                    self.writer.write(&Response::BestMove(first));
                }
            }
        }
    }
}
