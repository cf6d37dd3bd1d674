//! A scriptable fake engine for tests of the match runner: it speaks the protocol and plays legal moves, and has every fault
//! that is asked for by a flag. See `--help`; it is never installed.
//!
//! ```text
//! cargo run --example fake_engine -- --pick first --crash-on-go 3
//! ```

mod faults;
mod output;
mod player;

use clap::Parser;
use faults::Arguments;
use kete::protocol::command::{Command, Go};
use kete::protocol::input::{InputLine, read_line};
use kete::protocol::parse::parse_line;
use output::{Output, spam_stderr};
use player::Player;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;
use std::process::{ExitCode, Stdio, exit};
use std::thread::sleep;
use std::time::Duration;

/// The exit code of a crash.
const CRASH: u8 = 3;

/// The engine between two lines.
struct Fake {
    arguments: Arguments,
    output: Output,
    player: Player,
    /// The `go` that were received.
    goes: u64,
    new_games: u64,
    readies: u64,
    /// What is to be written later.
    owed: Option<Owed>,
}

/// An answer that is held back until `stop`, or `ponderhit` if the search began on the opponent's time.
struct Owed {
    lines: Vec<String>,
    until_ponderhit: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if arguments.crash_at_start {
        return ExitCode::from(CRASH);
    }
    match run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "fake_engine: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: Arguments) -> io::Result<()> {
    if arguments.ignore_term {
        ignore_term()?;
    }
    if let Some(path) = &arguments.pid_file {
        append(path, &std::process::id().to_string())?;
    }
    if arguments.child {
        let child = std::process::Command::new("sleep").arg("600").stdin(Stdio::null()).spawn()?;
        if let Some(path) = &arguments.pid_file {
            append(path, &child.id().to_string())?;
        }
    }
    sleep(Duration::from_millis(arguments.startup_ms));
    let mut input = io::stdin().lock();
    let (output, player) = (Output::new(&arguments), Player::new(&arguments));
    let mut fake = Fake { arguments, output, player, goes: 0, new_games: 0, readies: 0, owed: None };
    while let Some(line) = read_line(&mut input)? {
        let InputLine::Text(line) = line else { continue };
        if let Some(path) = &fake.arguments.tell {
            append(path, &line)?;
        }
        match parse_line(&line) {
            Ok(Some(Command::Quit)) if fake.arguments.ignore_quit => {}
            Ok(Some(Command::Quit)) => break,
            Ok(Some(command)) => fake.carry_out(command)?,
            Ok(None) => {}
            Err(error) => fake.output.line(&format!("info string error: {error}")),
        }
    }
    if fake.arguments.ignore_quit {
        sleep_for_ever();
    }
    sleep(Duration::from_millis(fake.arguments.slow_quit));
    Ok(())
}

/// Adds a line to a file, whole, whoever else does so at the same time.
fn append(path: &Path, line: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    file.write_all(format!("{line}\n").as_bytes())
}

fn sleep_for_ever() -> ! {
    loop {
        sleep(Duration::from_secs(3600));
    }
}

#[cfg(unix)]
fn ignore_term() -> io::Result<()> {
    // Whoever handles a signal does not die of it.
    let received = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    signal_hook::flag::register(signal_hook::consts::SIGTERM, received).map(|_| ())
}

#[cfg(not(unix))]
fn ignore_term() -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

impl Fake {
    fn carry_out(&mut self, command: Command<'_>) -> io::Result<()> {
        match command {
            Command::Uci => self.introduce("uciok"),
            Command::Ugi => self.introduce("ugiok"),
            Command::IsReady => self.ready(),
            Command::NewGame => {
                self.new_games += 1;
                if self.arguments.crash_on_newgame == Some(self.new_games) {
                    exit(CRASH.into());
                }
                self.player.new_game();
            }
            Command::SetOption { name, value, .. } => {
                let done = self.player.set_option(&name, value.map(|words| words.text));
                self.complain(done);
            }
            Command::Position { text, moves } => {
                let done = self.player.set_up(text.map(|words| words.text), &moves);
                self.complain(done);
            }
            Command::Go(go) => self.go(&go)?,
            Command::Stop => self.pay(),
            Command::PonderHit if self.owed.as_ref().is_some_and(|owed| owed.until_ponderhit) => self.pay(),
            Command::Query(query) if !self.arguments.no_query => {
                self.output.line(&format!("response {}", self.player.answer(query)));
            }
            _ => {}
        }
        Ok(())
    }

    fn introduce(&self, closing: &str) {
        self.output.line(&format!("id name {}", self.arguments.name));
        self.output.line("id author the Kete developers");
        self.player.options().iter().for_each(|option| self.output.line(&option.to_string()));
        if !self.arguments.no_uciok {
            self.output.line(closing);
        }
    }

    fn ready(&mut self) {
        self.readies += 1;
        let (faults, now) = (&self.arguments, self.new_games);
        let mute = faults.mute_on_newgame.is_some_and(|first| now >= first);
        if faults.no_readyok || (faults.no_newgame_readyok && self.readies > 1) || mute {
            return;
        }
        self.output.line("readyok");
        if faults.unasked_bestmove || faults.unasked_on_newgame == Some(now) {
            self.output.line(&format!("bestmove {}", self.player.best_move()));
        }
    }

    fn complain(&self, done: Result<(), String>) {
        if let Err(error) = done {
            self.output.line(&format!("info string error: {error}"));
        }
    }

    /// Gives the answer that was held back.
    fn pay(&mut self) {
        if let Some(owed) = self.owed.take() {
            owed.lines.iter().for_each(|line| self.output.line(line));
        }
    }

    fn go(&mut self, go: &Go<'_>) -> io::Result<()> {
        self.goes += 1;
        let now = Some(self.goes);
        let faults = &self.arguments;
        spam_stderr(faults.spam_stderr);
        if faults.crash_on_go == now {
            exit(CRASH.into());
        } else if faults.abort_on_go == now {
            std::process::abort();
        } else if faults.exit_on_go == now {
            exit(0);
        } else if faults.deaf_on_go == now {
            sleep_for_ever();
        } else if faults.close_stdout_on_go == now {
            return self.output.close();
        } else if faults.stall_on_go == now {
            return Ok(());
        }
        if let Some(ms) = faults.late_ms
            && (faults.late_on_go.is_none() || faults.late_on_go == now)
        {
            sleep(Duration::from_millis(ms));
        }
        self.report();
        let answer = self.answer(go, now);
        if go.infinite || go.ponder || faults.stall_until_stop == now {
            let until_ponderhit = go.ponder && !go.infinite && faults.stall_until_stop != now;
            self.owed = Some(Owed { lines: answer, until_ponderhit });
        } else {
            answer.iter().for_each(|line| self.output.line(line));
        }
        Ok(())
    }

    /// The info lines of a search.
    fn report(&self) {
        let faults = &self.arguments;
        for n in 0..faults.spam_info {
            self.output.line(&format!("info depth 1 nodes {n} currmove {}", self.player.best_move()));
        }
        if faults.long_line > 0 {
            let head = "info string ";
            self.output.line(&format!("{head}{}", "x".repeat(faults.long_line.saturating_sub(head.len()))));
        }
        if faults.huge_numbers {
            let huge = "9".repeat(30);
            self.output.line(&format!(
                "info depth {huge} seldepth 1e9 score cp -{huge} nodes -5 nps 1e999 time {huge} wdl {huge} {huge} {huge}"
            ));
        }
        if faults.bad_utf8 {
            self.output.bytes(b"info string \xff\xfe\xc3\x28 score cp 5");
        }
        let (score, best) = (faults.score.unwrap_or(0), self.player.best_move());
        let pv = if best == "(none)" { String::new() } else { format!(" pv {best}") };
        self.output.line(&format!("info depth 1 seldepth 1 multipv 1 score cp {score} nodes 1 nps 1 time 0{pv}"));
    }

    /// The lines that end a search.
    fn answer(&self, go: &Go<'_>, now: Option<u64>) -> Vec<String> {
        let faults = &self.arguments;
        let best = match go.search_moves.iter().flatten().next() {
            Some(word) => word.text.to_owned(),
            None => self.player.best_move(),
        };
        let line = if faults.illegal_on_go == now {
            format!("bestmove {}", self.player.illegal_move())
        } else if faults.garbage_move_on_go == now {
            "bestmove xyzzy".to_owned()
        } else if faults.none_on_go == now {
            "bestmove (none)".to_owned()
        } else if faults.empty_bestmove_on_go == now {
            "bestmove".to_owned()
        } else {
            format!("bestmove {best}")
        };
        vec![line; if faults.double_bestmove_on_go == now { 2 } else { 1 }]
    }
}
