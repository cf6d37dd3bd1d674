//! Runs `kete-match` for tests that interrupt it: each run in a place of its own, its processes marked so that whatever
//! outlives it is found.

use kete::contest::{MatchRecord, PlayedGame};
use rustix::process::{Pid, Signal, kill_process};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long something may take that must happen.
pub const PATIENCE: Duration = Duration::from_secs(120);
/// How often it is looked for.
const GLANCE: Duration = Duration::from_millis(2);
/// The variable in the environment of all processes of a place; children inherit it.
const MARK: &str = "KETE_TEST_PLACE";

/// Waits until something is there.
#[track_caller]
pub fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < deadline, "waited in vain for {what}");
        sleep(GLANCE);
    }
}

/// A number less than `end`, another one at each call.
pub fn random(end: u64) -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(end) % end
}

/// A directory for one test and all processes that are started from it. It is removed if the test passes.
pub struct Place {
    path: PathBuf,
}

impl Place {
    pub fn new(name: &str) -> Place {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("match-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a directory");
        Place { path }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// The path as a word of a command line.
    pub fn word(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }

    /// A program that runs in this place.
    pub fn command(&self, program: impl AsRef<Path>) -> Command {
        let mut command = Command::new(program.as_ref());
        command.current_dir(&self.path).env(MARK, &self.path).stdin(Stdio::null());
        command
    }

    /// Starts `kete-match` with these words, split as a shell splits them.
    pub fn start(&self, words: &str) -> Runner {
        let mut command = self.command(env!("CARGO_BIN_EXE_kete-match"));
        command.args(shell_words::split(words).expect("words"));
        self.start_command(command)
    }

    /// Starts a command, its output in files.
    pub fn start_command(&self, mut command: Command) -> Runner {
        let run = (1..).find(|n| !self.path(&format!("stdout-{n}")).exists()).expect("a number");
        let [stdout, stderr] = ["stdout", "stderr"].map(|name| self.path(&format!("{name}-{run}")));
        command.stdout(File::create(&stdout).expect("a file")).stderr(File::create(&stderr).expect("a file"));
        let child = command.spawn().expect("the runner starts");
        Runner { child, stdout, stderr }
    }

    /// Runs `kete-match` to its end.
    #[track_caller]
    pub fn run(&self, words: &str) -> Ended {
        self.start(words).wait()
    }

    /// Runs it and expects it to end well. Returns its standard output.
    #[track_caller]
    pub fn run_well(&self, words: &str) -> String {
        let ended = self.run(words);
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{words}\n{}", ended.stdout);
        ended.stdout
    }

    /// Runs it and expects it to refuse. Returns what it says.
    #[track_caller]
    pub fn refusal(&self, words: &str) -> String {
        let ended = self.run(words);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{words}\n{}", ended.stderr);
        ended.stderr
    }

    /// The processes of this place that are alive, with their command lines.
    pub fn alive(&self) -> Vec<String> {
        let mark = format!("{MARK}={}", self.path.display());
        let processes = fs::read_dir("/proc").expect("a process list").flatten();
        let marked = processes.filter(|process| {
            // Of a process that has ended, waited for or not, nothing can be read.
            let environment = fs::read(process.path().join("environ")).unwrap_or_default();
            environment.split(|&b| b == 0).any(|variable| variable == mark.as_bytes())
        });
        let shown = |process: fs::DirEntry| {
            let words = fs::read(process.path().join("cmdline")).unwrap_or_default();
            format!("{}: {}", process.file_name().display(), String::from_utf8_lossy(&words).replace('\0', " "))
        };
        marked.map(shown).collect()
    }

    /// Makes sure that engines and guard end, all of them. The guard has work to do when the runner is gone.
    #[track_caller]
    pub fn expect_nobody(&self) {
        let deadline = Instant::now() + PATIENCE;
        while !self.alive().is_empty() {
            assert!(Instant::now() < deadline, "still alive: {:#?}", self.alive());
            sleep(GLANCE);
        }
    }

    /// What is on record in a directory of this place.
    #[track_caller]
    pub fn record(&self, directory: &str) -> MatchRecord {
        MatchRecord::load(&self.path(directory)).expect("records that can be read")
    }

    /// The games on record, by number, without what depends on the clock.
    #[track_caller]
    pub fn games(&self, directory: &str) -> Vec<PlayedGame> {
        timeless(self.record(directory).games)
    }

    /// How many lines the journal has; 0 if there is none.
    pub fn lines(&self, directory: &str) -> usize {
        let bytes = fs::read(self.path(directory).join("games.jsonl")).unwrap_or_default();
        bytes.iter().filter(|&&b| b == b'\n').count()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}

/// Games by number, without what depends on the clock.
pub fn timeless(mut games: Vec<PlayedGame>) -> Vec<PlayedGame> {
    games.sort_by_key(|game| game.game);
    for game in &mut games {
        game.started.clear();
        game.duration_ms = 0;
        game.infos.iter_mut().for_each(|info| info.time_us = 0);
    }
    games
}

/// A table without the lines that name its directory.
pub fn table(output: &str) -> String {
    let lines = output.lines().filter(|line| !line.starts_with("Records: ") && !line.contains("kete-match report"));
    lines.collect::<Vec<_>>().join("\n")
}

/// A running `kete-match`. If a test fails it is killed.
pub struct Runner {
    pub child: Child,
    stdout: PathBuf,
    stderr: PathBuf,
}

/// One that has ended.
#[derive(Debug)]
pub struct Ended {
    /// `None` if a signal ended it.
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Runner {
    pub fn signal(&self, signal: Signal) {
        let pid = Pid::from_raw(self.child.id().cast_signed()).expect("a process number");
        kill_process(pid, signal).expect("a process that is not waited for takes signals");
    }

    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().expect("a child").is_some()
    }

    pub fn stdout(&self) -> String {
        fs::read_to_string(&self.stdout).expect("what it wrote")
    }

    /// Waits for its end.
    #[track_caller]
    pub fn wait(mut self) -> Ended {
        let status: ExitStatus = wait_for("the end of the runner", || self.child.try_wait().expect("a child"));
        let ended = Ended {
            code: status.code(),
            stdout: self.stdout(),
            stderr: fs::read_to_string(&self.stderr).expect("what it wrote"),
        };
        assert!(!ended.stderr.contains("panicked"), "{}", ended.stderr);
        ended
    }
}

impl Drop for Runner {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
