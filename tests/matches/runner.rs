//! The real `kete-match`, started in a directory of its own, with what it leaves there: exit code, output, records.
//!
//! ```text
//! let place = Place::new();
//! let run = place.runner("--variant kigogo --rounds 1 --out match").fake("bad", "--crash-on-go 2", "nodes=10")
//!     .fake("good", "", "nodes=10").run();
//! assert_eq!(run.code, Some(3), "{run}");
//! ```
//!
//! Nothing here is a measurement: [`PATIENCE`] only keeps a test from hanging.

use crate::fake::fake_engine;
use serde_json::Value;
use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How long a run may take that must end.
pub const PATIENCE: Duration = Duration::from_secs(60);
/// How often something is looked for that must come.
const GLANCE: Duration = Duration::from_millis(5);

/// The program.
pub fn kete_match() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_kete-match"))
}

/// A new temporary directory, which is removed in the end.
pub struct Place {
    path: PathBuf,
}

impl Place {
    /// A directory with nothing in it.
    pub fn new() -> Place {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("kete-match-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).expect("a temporary directory");
        // The runner writes absolute paths without symbolic links where it asks the system.
        let path = path.canonicalize().expect("it is there");
        Place { path }
    }

    /// The path of something in it.
    pub fn at(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// The same as text.
    pub fn text_at(&self, name: &str) -> String {
        self.at(name).display().to_string()
    }

    /// What is written there; nothing if there is no file.
    pub fn read(&self, name: &str) -> String {
        let bytes = std::fs::read(self.at(name)).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Writes a file and returns its path.
    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        std::fs::write(self.at(name), text).expect("a file can be written");
        self.at(name)
    }

    /// Writes a shell script that can be run as a program.
    pub fn script(&self, name: &str, text: &str) -> PathBuf {
        let path = self.write(name, &format!("#!/bin/sh\n{text}\n"));
        make_executable(&path);
        path
    }

    /// The runner with arguments, which are split as a shell splits words. It runs in this directory.
    pub fn runner(&self, words: &str) -> Runner<'_> {
        let mut command = Command::new(kete_match());
        command.args(split(words)).current_dir(&self.path);
        Runner::new(self, command)
    }

    /// A line that begins with `kete-match`, as somebody types it to a shell in the root directory.
    #[track_caller]
    pub fn typed(&self, line: &str) -> Runner<'_> {
        let arguments = line.strip_prefix("kete-match ").unwrap_or_else(|| panic!("{line:?}"));
        let program = shell_words::quote(kete_match().to_str().expect("a text"));
        let mut command = Command::new("sh");
        command.arg("-c").arg(format!("exec {program} {arguments}")).current_dir("/");
        Runner::new(self, command)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        // Of a test that failed it is looked at what was left.
        if !std::thread::panicking() {
            let _ = std::fs::remove_dir_all(&self.path);
        }
    }
}

/// Words as a shell takes them.
pub fn split(words: &str) -> Vec<String> {
    shell_words::split(words).expect("words of a shell")
}

/// Whoever has the file may run it.
pub fn make_executable(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, PermissionsExt::from_mode(0o755)).expect("permissions can be set");
}

/// A command line under way.
pub struct Runner<'a> {
    place: &'a Place,
    command: Command,
}

impl<'a> Runner<'a> {
    fn new(place: &'a Place, mut command: Command) -> Self {
        command.env_remove("KETE_LOG").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Runner { place, command }
    }

    /// More arguments, split as a shell splits words.
    pub fn words(mut self, words: &str) -> Self {
        self.command.args(split(words));
        self
    }

    /// One more argument, as it is.
    pub fn word(mut self, word: impl AsRef<std::ffi::OsStr>) -> Self {
        self.command.arg(word);
        self
    }

    /// The fake as an engine: its flags, and more words of the group, such as limits.
    pub fn fake(self, name: &str, flags: &str, words: &str) -> Self {
        self.program(fake_engine(), name, flags, words)
    }

    /// The engine that is compiled in.
    pub fn builtin(self, name: &str, words: &str) -> Self {
        self.words("--engine cmd=builtin").word(format!("name={name}")).words(words)
    }

    /// Any program as an engine.
    pub fn program(self, path: &Path, name: &str, flags: &str, words: &str) -> Self {
        let mut runner = self.word("--engine").word(format!("cmd={}", path.display())).word(format!("name={name}"));
        if !flags.is_empty() {
            runner = runner.word(format!("args={flags}"));
        }
        runner.words(words)
    }

    /// Starts it; for what is done to it while it runs.
    pub fn start(mut self) -> Running<'a> {
        let mut child = self.command.spawn().expect("the runner starts");
        let stdout = Stream::of(child.stdout.take().expect("stdout is piped"));
        let stderr = Stream::of(child.stderr.take().expect("stderr is piped"));
        let deadline = Instant::now() + PATIENCE;
        let records = place_of_records(&self.command);
        Running { place: self.place, records, child, stdout, stderr, deadline }
    }

    /// Runs it to its end.
    #[track_caller]
    pub fn run(self) -> Run {
        self.start().finish()
    }
}

/// The directory that was named by `--out` or `--resume`.
fn place_of_records(command: &Command) -> Option<PathBuf> {
    let words: Vec<_> = command.get_args().collect();
    let at = words.iter().position(|word| *word == "--out" || *word == "--resume")?;
    words.get(at + 1).map(PathBuf::from)
}

/// What a process writes, read by a thread.
struct Stream {
    text: Arc<Mutex<Vec<u8>>>,
    ended: Receiver<()>,
}

impl Stream {
    fn of(mut pipe: impl Read + Send + 'static) -> Stream {
        let (sender, ended) = channel();
        let text = Arc::new(Mutex::new(Vec::new()));
        let shared = Arc::clone(&text);
        std::thread::spawn(move || {
            let mut chunk = [0; 1 << 16];
            while let Ok(n @ 1..) = pipe.read(&mut chunk) {
                shared.lock().expect("nobody panics here").extend_from_slice(&chunk[..n]);
            }
            // The test may have given up.
            let _ = sender.send(());
        });
        Stream { text, ended }
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.text.lock().expect("nobody panics here")).into_owned()
    }

    /// All that was written, once the pipe is closed.
    fn finish(&self, deadline: Instant) -> Option<String> {
        self.ended.recv_timeout(deadline.saturating_duration_since(Instant::now())).ok()?;
        Some(self.text())
    }
}

/// The runner at work. It is killed if it is dropped; its guard kills the engines.
pub struct Running<'a> {
    place: &'a Place,
    records: Option<PathBuf>,
    child: Child,
    stdout: Stream,
    stderr: Stream,
    deadline: Instant,
}

impl Running<'_> {
    /// What it has written to standard output so far.
    pub fn stdout(&self) -> String {
        self.stdout.text()
    }

    /// What it has written to standard error so far.
    pub fn stderr(&self) -> String {
        self.stderr.text()
    }

    /// Waits for its end.
    #[track_caller]
    pub fn finish(mut self) -> Run {
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                break status;
            }
            if Instant::now() >= self.deadline {
                // Dropping it kills it.
                panic!("kete-match still runs\n{}\n{}", self.stdout(), self.stderr());
            }
            std::thread::sleep(GLANCE);
        };
        let Some(stdout) = self.stdout.finish(self.deadline) else { panic!("somebody holds its standard output") };
        let Some(stderr) = self.stderr.finish(self.deadline) else { panic!("somebody holds its standard error") };
        let directory = self.records.as_ref().map(|records| self.place.path.join(records));
        Run { code: status.code(), stdout, stderr, directory }
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What came of a run.
#[derive(Debug)]
pub struct Run {
    /// `None` if a signal ended it.
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
    /// Where its records are, if `--out` or `--resume` said so.
    directory: Option<PathBuf>,
}

impl Run {
    /// Where its records are.
    #[track_caller]
    pub fn directory(&self) -> &Path {
        self.directory.as_deref().expect("--out names the records")
    }

    /// The games on record, in the order in which they ended; none if there is no record.
    #[track_caller]
    pub fn games(&self) -> Vec<Value> {
        let text = std::fs::read_to_string(self.directory().join("games.jsonl")).unwrap_or_default();
        text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
    }

    /// `config.json`.
    #[track_caller]
    pub fn config(&self) -> Value {
        read_json(&self.directory().join("config.json"))
    }

    /// The numbers of the games that have a bundle, in order.
    #[track_caller]
    pub fn failures(&self) -> Vec<u64> {
        let Ok(entries) = std::fs::read_dir(self.directory().join("failures")) else { return Vec::new() };
        let name = |entry: std::fs::DirEntry| entry.file_name().into_string().expect("a text");
        let mut numbers: Vec<u64> =
            entries.map(|entry| name(entry.expect("an entry")).parse().expect("a number")).collect();
        numbers.sort_unstable();
        numbers
    }

    /// The bundle of a game.
    #[track_caller]
    pub fn bundle(&self, game: u64) -> PathBuf {
        self.directory().join("failures").join(game.to_string())
    }

    /// The reasons for which the games on record ended.
    #[track_caller]
    pub fn reasons(&self) -> Vec<String> {
        self.games().iter().map(|game| text_of(game, "reason").to_owned()).collect()
    }
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "exit code {:?}", self.code)?;
        writeln!(f, "--- stdout\n{}--- stderr\n{}---", self.stdout, self.stderr)?;
        for game in self.directory.as_ref().map(|_| self.games()).unwrap_or_default() {
            let key = |key: &str| game[key].to_string();
            let keys = ["game", "variant", "south", "north", "result", "reason", "plies", "detail", "disputes"];
            writeln!(f, "{}", keys.map(key).join(" "))?;
        }
        Ok(())
    }
}

/// A file of JSON.
#[track_caller]
pub fn read_json(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The text of a key that must be there.
#[track_caller]
pub fn text_of<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_else(|| panic!("no text {key} in {value}"))
}

/// Half points of an engine in games: wins count 2.
pub fn half_points(games: &[Value], engine: &str) -> usize {
    let points = |game: &Value| match (text_of(game, "result"), text_of(game, "south") == engine) {
        ("1-0", true) | ("0-1", false) => 2,
        ("1/2-1/2", _) => 1,
        _ => 0,
    };
    games.iter().map(points).sum()
}

/// Whether a process of that number runs; one that has ended and is not waited for does not.
pub fn is_running(pid: u32) -> bool {
    // The state is the first word behind the name, which stands in parentheses.
    match std::fs::read_to_string(format!("/proc/{pid}/stat")) {
        Ok(text) => !text.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with(['Z', 'X'])),
        // Without /proc a signal that is none tells.
        Err(_) if Path::new("/proc/self").exists() => false,
        Err(_) => rustix::process::Pid::from_raw(pid.cast_signed())
            .is_some_and(|pid| rustix::process::test_kill_process(pid).is_ok()),
    }
}
