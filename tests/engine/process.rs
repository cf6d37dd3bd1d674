//! The real `kete` over pipes: a child process, a deadline for everything that is waited for, and what is wrong with its
//! answers.

pub mod info;

use info::{Info, Search};
use kete::game::{GameRecord, Variant};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long an answer may take before it counts as missing. Generous: it says "alive", not "fast".
pub const PATIENCE: Duration = Duration::from_secs(30);

/// A running engine. It must end by [`Engine::finish`] or [`Engine::wait_exit`]; if a test fails before, it is killed.
pub struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    reader: Option<JoinHandle<()>>,
    errors: Option<JoinHandle<String>>,
    /// Makes the reader close the output after the next `readyok`.
    closing: Arc<AtomicBool>,
    ended: bool,
}

/// How an engine ended.
pub struct Exit {
    pub status: ExitStatus,
    /// From the call of [`Engine::wait_exit`] to the end.
    pub after: Duration,
    /// The lines that nobody had read yet.
    pub lines: Vec<String>,
    pub stderr: String,
}

impl Exit {
    /// Asserts code 0 and nothing on standard error.
    #[track_caller]
    pub fn assert_clean(&self) {
        assert_eq!((self.status.code(), self.stderr.as_str()), (Some(0), ""));
    }

    /// The unread lines that begin with `bestmove`.
    pub fn best_moves(&self) -> usize {
        self.lines.iter().filter(|line| line.starts_with("bestmove")).count()
    }
}

fn command(arguments: &[&str], variables: &[(&str, &str)]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kete"));
    command.args(arguments).env_remove("KETE_LOG").envs(variables.iter().copied());
    command
}

/// Runs `kete` with arguments and no input to its end.
pub fn oneshot(arguments: &[&str]) -> Output {
    command(arguments, &[]).stdin(Stdio::null()).output().expect("kete runs")
}

/// Standard output or error as text.
pub fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

impl Engine {
    pub fn start() -> Engine {
        Engine::start_with(&[], &[])
    }

    /// An engine that has chosen its game.
    pub fn of(variant: Variant) -> Engine {
        let mut engine = Engine::start();
        engine.choose(variant);
        engine
    }

    pub fn start_with(arguments: &[&str], variables: &[(&str, &str)]) -> Engine {
        let mut child = command(arguments, variables)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("kete starts");
        let mut output = BufReader::new(child.stdout.take().expect("stdout is piped"));
        let mut stderr = child.stderr.take().expect("stderr is piped");
        let closing = Arc::new(AtomicBool::new(false));
        let close = Arc::clone(&closing);
        let (sender, lines) = channel();
        let reader = std::thread::spawn(move || {
            loop {
                let mut line = Vec::new();
                if output.read_until(b'\n', &mut line).expect("stdout can be read") == 0 {
                    return;
                }
                assert_eq!(line.pop(), Some(b'\n'), "the output ends within a line");
                let line = String::from_utf8(line).expect("the output is UTF-8");
                let last = line == "readyok" && close.load(Ordering::SeqCst);
                // The test may have ended.
                let _ = sender.send(line);
                if last {
                    return;
                }
            }
        });
        let errors = std::thread::spawn(move || {
            let mut text = String::new();
            stderr.read_to_string(&mut text).expect("stderr is UTF-8");
            text
        });
        let input = child.stdin.take();
        Engine { child, input, lines, reader: Some(reader), errors: Some(errors), closing, ended: false }
    }

    /// Sends one line.
    #[track_caller]
    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    #[track_caller]
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes).and_then(|()| input.flush()).expect("the engine reads its input");
    }

    /// The next line of the output.
    #[track_caller]
    pub fn line(&mut self) -> String {
        self.line_within(PATIENCE).expect("a line in time")
    }

    /// The next line, which must come before `deadline`: a search without end sends lines for ever.
    #[track_caller]
    fn line_by(&mut self, deadline: Instant) -> String {
        self.line_within(deadline.saturating_duration_since(Instant::now())).expect("the answer in time")
    }

    /// The next line, if it comes in time.
    #[track_caller]
    pub fn line_within(&mut self, time: Duration) -> Option<String> {
        match self.lines.recv_timeout(time) {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => panic!("the engine has closed its output"),
        }
    }

    /// All lines that come within `time`.
    pub fn lines_during(&mut self, time: Duration) -> Vec<String> {
        let end = Instant::now() + time;
        std::iter::from_fn(|| self.line_within(end.saturating_duration_since(Instant::now()))).collect()
    }

    #[track_caller]
    pub fn expect(&mut self, expected: &str) {
        assert_eq!(self.line(), expected);
    }

    /// The lines up to the first that begins with `prefix`, which is the last of them.
    #[track_caller]
    pub fn lines_until(&mut self, prefix: &str) -> Vec<String> {
        let deadline = Instant::now() + PATIENCE;
        let mut lines = vec![self.line_by(deadline)];
        while lines.last().is_some_and(|line| !line.starts_with(prefix)) {
            lines.push(self.line_by(deadline));
        }
        lines
    }

    /// The next line that is no report of a search under way.
    #[track_caller]
    pub fn reply(&mut self) -> String {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let line = self.line_by(deadline);
            if !line.starts_with("info depth ") {
                return line;
            }
        }
    }

    /// Sends one line and returns the reply.
    #[track_caller]
    pub fn ask(&mut self, line: &str) -> String {
        self.send(line);
        self.reply()
    }

    /// Sends a line that must be refused and returns what is wrong with it; the engine goes on.
    #[track_caller]
    pub fn refused(&mut self, line: &str) -> String {
        let reply = self.ask(line);
        let error = reply.strip_prefix("info string error: ").unwrap_or_else(|| panic!("{line}: {reply}"));
        assert!(error.len() < 1000, "an error of {} bytes", error.len());
        self.ready();
        error.to_owned()
    }

    /// `isready`, and nothing but `readyok` as an answer.
    #[track_caller]
    pub fn ready(&mut self) {
        assert_eq!(self.ask("isready"), "readyok");
    }

    #[track_caller]
    pub fn choose(&mut self, variant: Variant) {
        let reply = self.ask(&format!("setoption name UCI_Variant value {variant}"));
        assert!(reply.starts_with(&format!("info string variant {variant} rows 4 cols ")), "{reply}");
    }

    /// Sets an option that answers nothing.
    #[track_caller]
    pub fn set(&mut self, name: &str, value: impl std::fmt::Display) {
        self.send(&format!("setoption name {name} value {value}"));
        self.ready();
    }

    /// The position text of the game at hand.
    #[track_caller]
    pub fn fen(&mut self) -> String {
        self.ask("query fen")
    }

    /// Sends a `go` that ends by itself and reads its answer, which must be right in the present position of `game`.
    #[track_caller]
    pub fn search(&mut self, go: &str, game: &GameRecord) -> Search {
        self.send(go);
        self.read_search(game)
    }

    /// Reads the reports of a search in the present position of `game`, and its best move.
    #[track_caller]
    pub fn read_search(&mut self, game: &GameRecord) -> Search {
        let deadline = Instant::now() + PATIENCE;
        let mut lines = vec![self.line_by(deadline)];
        while let Some(line) = lines.last().filter(|line| !line.starts_with("bestmove")) {
            Info::parse(line);
            lines.push(self.line_by(deadline));
        }
        Search::of_lines(lines.iter().map(String::as_str), game)
    }

    /// Asserts that there is nothing but reports for some time, and returns these.
    #[track_caller]
    pub fn only_reports_during(&mut self, time: Duration) -> Vec<Info> {
        self.lines_during(time).iter().map(|line| Info::parse(line)).collect()
    }

    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// Closes the reading end of the engine's output.
    pub fn close_output(&mut self) {
        self.closing.store(true, Ordering::SeqCst);
        self.send("isready");
        self.reader.take().expect("a reader").join().expect("the output was right");
    }

    /// Waits for the end of the process.
    #[track_caller]
    pub fn wait_exit(mut self, deadline: Duration) -> Exit {
        let started = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("the child can be waited for") {
                break status;
            }
            assert!(started.elapsed() < deadline, "the process still runs after {deadline:?}");
            std::thread::sleep(Duration::from_millis(1));
        };
        let after = started.elapsed();
        self.ended = true;
        if let Some(reader) = self.reader.take() {
            reader.join().expect("the output was right");
        }
        let stderr = self.errors.take().expect("a collector").join().expect("stderr was readable");
        Exit { status, after, lines: self.lines.try_iter().collect(), stderr }
    }

    /// Quits; there must be no output left, nothing on standard error, and code 0.
    #[track_caller]
    pub fn finish(mut self) {
        self.ready();
        self.send("quit");
        let exit = self.wait_exit(PATIENCE);
        exit.assert_clean();
        assert_eq!(exit.lines, [""; 0]);
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        if !self.ended {
            // Its own child, and only in a test that has failed.
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}
