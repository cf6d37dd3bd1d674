//! Sees to it that no engine outlives the runner, however the runner ends.
//!
//! The runner starts a second process, the guard, and tells it each process group that it starts and each that has ended.
//! When the runner ends, even by SIGKILL, the operating system closes the pipe between them, and the guard kills what is
//! left. Engines are started by a launcher that waits for a byte before it becomes the engine: the runner sends it when the
//! guard knows the group, so there is no moment at which an engine runs unguarded.

use super::config::Program;
use rustix::process::{Pid, Signal, kill_process_group};
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::io::{self, BufRead, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// What the runner's own program calls its parts when it starts itself.
#[derive(Clone, Debug)]
pub struct OwnProgram {
    path: PathBuf,
}

/// The word that makes the runner's program a guard.
pub const GUARD: &str = "guard";
/// The word that makes it a launcher.
pub const LAUNCH: &str = "launch";
/// The word that makes it the engine.
pub const ENGINE: &str = "engine";

impl OwnProgram {
    /// The program that is running, which must be one that understands [`GUARD`], [`LAUNCH`] and [`ENGINE`].
    ///
    /// # Errors
    /// If the operating system does not tell where it is.
    pub fn current() -> io::Result<OwnProgram> {
        // The very file that is running, even if another one was put in its place since.
        let running = Path::new("/proc/self/exe");
        let path = if running.exists() { running.to_owned() } else { std::env::current_exe()? };
        Ok(OwnProgram { path })
    }

    /// A program that understands the three words, wherever it is: for tests.
    pub fn at(path: &Path) -> OwnProgram {
        OwnProgram { path: path.to_owned() }
    }

    /// The file itself, to be read.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn command(&self, word: &str) -> Command {
        let mut command = Command::new(&self.path);
        command.arg(word);
        command
    }

    /// The command that launches a program with arguments, once it is allowed to.
    pub(super) fn launcher(&self, program: &Program, arguments: &[String]) -> Command {
        let mut command = self.command(LAUNCH);
        match program {
            Program::Builtin => command.arg(&self.path).arg(ENGINE),
            Program::File(path) => command.arg(path),
        };
        command.args(arguments);
        command
    }
}

/// The runner's end of the guard.
#[derive(Debug)]
pub struct Guard {
    input: Mutex<ChildStdin>,
    /// Kept, so that it is not waited for: it ends after the runner.
    _child: Child,
}

impl Guard {
    /// Starts the guard.
    ///
    /// # Errors
    /// If the process cannot be started.
    pub fn start(own: &OwnProgram) -> io::Result<Guard> {
        let mut child = own
            .command(GUARD)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()?;
        let input = child.stdin.take().ok_or_else(|| io::Error::other("the guard has no input"))?;
        Ok(Guard { input: Mutex::new(input), _child: child })
    }

    fn tell(&self, sign: char, group: Pid) -> io::Result<()> {
        let mut input = self.input.lock().unwrap_or_else(PoisonError::into_inner);
        input.write_all(format!("{sign}{}\n", group.as_raw_nonzero()).as_bytes())
    }

    /// From here on the group dies with the runner.
    ///
    /// # Errors
    /// If the guard is gone; the group must not be allowed to run then.
    pub(super) fn watch(&self, group: Pid) -> io::Result<()> {
        self.tell('+', group)
    }

    /// The group has ended; its number may come to mean another one.
    pub(super) fn release(&self, group: Pid) {
        if let Err(error) = self.tell('-', group) {
            log::warn!("the guard of the engines is gone: {error}");
        }
    }
}

/// The guard's work: follows what the runner tells until it ends, and kills what is left.
///
/// # Errors
/// What hinders reading; the groups are killed all the same.
pub fn stand_guard(mut told: impl BufRead) -> io::Result<()> {
    let mut groups = BTreeSet::new();
    let mut line = String::new();
    let ended = loop {
        line.clear();
        match told.read_line(&mut line) {
            Ok(0) => break Ok(()),
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => break Err(error),
        }
        let (sign, number) = line.trim_end().split_at_checked(1).unwrap_or(("", ""));
        if let Some(group) = number.parse().ok().and_then(Pid::from_raw) {
            match sign {
                "+" => drop(groups.insert(group.as_raw_nonzero())),
                "-" => drop(groups.remove(&group.as_raw_nonzero())),
                _ => {}
            }
        }
    };
    for group in groups.iter().filter_map(|group| Pid::from_raw(group.get())) {
        // It may have ended by itself.
        let _ = kill_process_group(group, Signal::KILL);
    }
    ended
}

/// The launcher's work: waits for a byte on standard input, then becomes the program. It returns only if that fails.
///
/// # Errors
/// If the runner has ended meanwhile, or the program cannot be run.
pub fn launch(words: &[OsString]) -> io::Result<std::convert::Infallible> {
    let [program, arguments @ ..] = words else {
        return Err(io::Error::other("there is no program to launch"));
    };
    let mut byte = [0];
    // Not through std's standard input, which reads ahead what is meant for the engine.
    match rustix::io::retry_on_intr(|| rustix::io::read(rustix::stdio::stdin(), &mut byte))? {
        0 => Err(io::Error::other("the runner has ended")),
        _ => Err(Command::new(program).args(arguments).arg0(shown(program)).exec()),
    }
}

/// What a process list shows of the program.
fn shown(program: &OsStr) -> &OsStr {
    if program == OsStr::new("/proc/self/exe") { OsStr::new("kete-match") } else { program }
}
