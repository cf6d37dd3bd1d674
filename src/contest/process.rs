//! An engine's process: its pipes, its process group, its end.
//!
//! One thread talks to an engine. It never waits for anything without a deadline: both pipes are non-blocking and polled
//! together with the runner's stop signal, so neither an engine that does not read, nor one that does not answer, nor a
//! flood of output holds it up.

use super::config::EngineConfig;
use super::guard::{Guard, OwnProgram};
use super::stop::StopSignal;
use super::transcript::{Direction, Transcript};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use std::collections::VecDeque;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What is kept of one line; the rest of a longer one is thrown away.
const MAX_LINE_BYTES: usize = 1 << 20;
/// How much is read at once.
const CHUNK_BYTES: usize = 1 << 16;
/// How often an end is looked for that nothing announces, of a process that was asked to end.
const GLANCE: Duration = Duration::from_millis(2);
/// The same of one that is expected to answer.
const LOOK: Duration = Duration::from_millis(100);

/// Something that came from an engine, or did not.
#[derive(Debug)]
pub(super) enum Incoming {
    /// A line without its end, and when it was there.
    Line(String, Instant),
    /// The engine has closed its output.
    Closed,
    /// The deadline has passed.
    TimedOut,
    /// The stop signal has been given.
    Stopped,
}

/// Why a line could not be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SendError {
    /// The engine does not read.
    Blocked,
    /// The engine has closed its input.
    Closed,
    /// The stop signal has been given.
    Stopped,
}

/// A running engine. Dropping it kills its process group.
#[derive(Debug)]
pub(super) struct EngineProcess {
    child: Child,
    group: Pid,
    guard: Arc<Guard>,
    input: Option<ChildStdin>,
    output: ChildStdout,
    lines: Lines,
    closed: bool,
    ended: Option<ExitStatus>,
    /// Whether it had to be killed.
    killed: bool,
    /// What was said, both ways.
    pub(super) transcript: Transcript,
    stderr_path: PathBuf,
}

impl EngineProcess {
    /// Starts an engine; what it writes to standard error is added to the file at `stderr_path`.
    ///
    /// # Errors
    /// A sentence that says what could not be done.
    pub(super) fn start(
        engine: &EngineConfig,
        own: &OwnProgram,
        guard: &Arc<Guard>,
        stderr_path: &Path,
    ) -> Result<EngineProcess, String> {
        let stderr = OpenOptions::new()
            .create(true)
            .append(true)
            .open(stderr_path)
            .map_err(|e| format!("{}: {e}", stderr_path.display()))?;
        let mut command = own.launcher(&engine.program, &engine.arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(stderr).process_group(0);
        if let Some(directory) = &engine.directory {
            command.current_dir(directory);
        }
        let mut child = command.spawn().map_err(|e| format!("no process can be started: {e}"))?;
        let pipes = (child.stdin.take(), child.stdout.take(), Pid::from_raw(child.id().cast_signed()));
        let (Some(mut input), Some(output), Some(group)) = pipes else {
            return Err("the process has no pipes".to_owned());
        };
        let ready = guard
            .watch(group)
            .and_then(|()| input.write_all(b"\n"))
            .and_then(|()| rustix::io::ioctl_fionbio(&input, true).map_err(io::Error::from))
            .and_then(|()| rustix::io::ioctl_fionbio(&output, true).map_err(io::Error::from));
        let process = EngineProcess {
            child,
            group,
            guard: Arc::clone(guard),
            input: Some(input),
            output,
            lines: Lines::default(),
            closed: false,
            ended: None,
            killed: false,
            transcript: Transcript::new(),
            stderr_path: stderr_path.to_owned(),
        };
        ready.map_err(|e| format!("the process cannot be talked to: {e}"))?;
        Ok(process)
    }

    /// Where its standard error goes.
    pub(super) fn stderr_path(&self) -> &Path {
        &self.stderr_path
    }

    /// Sends lines, each of which needs no line end, and returns when the last byte is in the pipe.
    pub(super) fn send(&mut self, lines: &[&str], deadline: Instant, stop: &StopSignal) -> Result<Instant, SendError> {
        let mut text = String::with_capacity(lines.iter().map(|line| line.len() + 1).sum());
        for line in lines {
            text.push_str(line);
            text.push('\n');
        }
        let mut rest = text.as_bytes();
        let mut stopped = false;
        loop {
            let input = self.input.as_mut().ok_or(SendError::Closed)?;
            match input.write(rest) {
                Ok(n) => rest = rest.get(n..).unwrap_or_default(),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    let wanted = PollFd::new(&*input, PollFlags::OUT);
                    match wait(wanted, deadline, Some(stop)) {
                        Waited::Ready => {}
                        Waited::TimedOut => return Err(SendError::Blocked),
                        Waited::Stopped => stopped = true,
                    }
                }
                Err(_) => return Err(SendError::Closed),
            }
            if rest.is_empty() {
                break;
            }
            if stopped {
                return Err(SendError::Stopped);
            }
        }
        let now = Instant::now();
        for line in lines {
            self.transcript.add(Direction::ToEngine, line, now);
        }
        Ok(now)
    }

    /// The next line. Lines that are there already are given out even if the deadline has passed: their time tells.
    pub(super) fn receive(&mut self, deadline: Instant, stop: Option<&StopSignal>) -> Incoming {
        let mut passed = false;
        loop {
            if let Some((line, at)) = self.lines.next() {
                self.transcript.add(Direction::FromEngine, &line, at);
                return Incoming::Line(line, at);
            }
            if self.closed {
                return Incoming::Closed;
            }
            // Output without a line end never runs dry, if the engine likes it so.
            if passed {
                return Incoming::TimedOut;
            }
            // A child that an engine leaves behind can hold its pipe open: then the end of the engine is not to be seen there.
            let look = Instant::now() + LOOK;
            match wait(PollFd::new(&self.output, PollFlags::IN), deadline.min(look), stop) {
                Waited::Ready => {
                    passed = Instant::now() >= deadline;
                    self.read();
                }
                Waited::Stopped => return Incoming::Stopped,
                Waited::TimedOut if self.has_ended() => self.closed = true,
                Waited::TimedOut if look < deadline => {}
                Waited::TimedOut => return Incoming::TimedOut,
            }
        }
    }

    /// A line that is there at this moment, without waiting.
    pub(super) fn pending(&mut self) -> Option<String> {
        match self.receive(Instant::now(), None) {
            Incoming::Line(line, _) => Some(line),
            Incoming::Closed | Incoming::TimedOut | Incoming::Stopped => None,
        }
    }

    fn read(&mut self) {
        let mut chunk = [0; CHUNK_BYTES];
        match self.output.read(&mut chunk) {
            Ok(0) => self.closed = true,
            Ok(n) => self.lines.add(chunk.get(..n).unwrap_or_default(), Instant::now()),
            Err(error) if matches!(error.kind(), io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock) => {}
            Err(error) => {
                log::warn!("an engine's output cannot be read: {error}");
                self.closed = true;
            }
        }
    }

    /// Asks the engine to end; whether it hears is seen by [`EngineProcess::end`].
    pub(super) fn ask_to_end(&mut self) {
        if let Some(input) = self.input.as_mut() {
            // If the pipe is full the engine is beyond asking.
            let _ = input.write(b"stop\nquit\n");
        }
        self.input = None;
    }

    /// Ends the engine's input.
    pub(super) fn close_input(&mut self) {
        self.input = None;
    }

    /// Waits until the process has ended, at most until `deadline`, kills whatever is left of its group, and says how it
    /// ended; `None` if it had to be killed.
    pub(super) fn end(&mut self, deadline: Instant) -> Option<ExitStatus> {
        if self.ended.is_some() {
            return self.ended.filter(|_| !self.killed);
        }
        let by_itself = loop {
            if self.has_ended() {
                break true;
            }
            let now = Instant::now();
            if now >= deadline {
                break false;
            }
            if self.closed {
                std::thread::sleep(GLANCE);
            } else if let Waited::Ready =
                wait(PollFd::new(&self.output, PollFlags::IN), deadline.min(now + GLANCE), None)
            {
                self.read();
                while self.lines.next().is_some() {}
            }
        };
        self.killed = !by_itself;
        self.kill().filter(|_| by_itself)
    }

    /// Whether the process has ended. It stays a zombie until its group is killed: its number cannot come to mean another
    /// one.
    fn has_ended(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        match waitid(WaitId::Pid(self.group), options) {
            Ok(ended) => ended.is_some(),
            Err(error) => {
                log::warn!("a process cannot be waited for: {error}");
                false
            }
        }
    }

    /// Kills the process group and takes note of its end.
    fn kill(&mut self) -> Option<ExitStatus> {
        if self.ended.is_none() {
            // The group may consist of a zombie alone.
            let _ = kill_process_group(self.group, Signal::KILL);
            match self.child.wait() {
                Ok(status) => self.ended = Some(status),
                Err(error) => log::warn!("a process cannot be waited for: {error}"),
            }
            self.guard.release(self.group);
        }
        self.ended
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        self.kill();
    }
}

/// How a process ended, in words.
pub(super) fn describe_exit(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exit status {code}"),
        (None, Some(signal)) => match signal_hook::low_level::signal_name(signal) {
            Some(name) => format!("killed by {name}"),
            None => format!("killed by signal {signal}"),
        },
        (None, None) => status.to_string(),
    }
}

/// The length of a file; 0 if there is none.
pub(super) fn file_length(path: &Path) -> u64 {
    File::open(path).and_then(|file| file.metadata()).map_or(0, |metadata| metadata.len())
}

enum Waited {
    Ready,
    TimedOut,
    Stopped,
}

/// Waits until the pipe is ready, the deadline has passed, or the signal is given.
fn wait(pipe: PollFd<'_>, deadline: Instant, stop: Option<&StopSignal>) -> Waited {
    let mut fds = [pipe.clone(), stop.map_or(pipe, StopSignal::poll_fd)];
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let timeout =
            Timespec { tv_sec: i64::try_from(left.as_secs()).unwrap_or(i64::MAX), tv_nsec: left.subsec_nanos().into() };
        let ready = poll(&mut fds, Some(&timeout));
        let [pipe, signal] = &fds;
        match ready {
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => {
                log::warn!("a pipe cannot be polled: {error}");
                return Waited::TimedOut;
            }
            Ok(0) => return Waited::TimedOut,
            Ok(_) if stop.is_some() && !signal.revents().is_empty() => return Waited::Stopped,
            Ok(_) if !pipe.revents().is_empty() => return Waited::Ready,
            Ok(_) => {}
        }
    }
}

/// Cuts a stream of bytes into lines.
#[derive(Debug, Default)]
struct Lines {
    ready: VecDeque<(String, Instant)>,
    partial: Vec<u8>,
}

impl Lines {
    fn add(&mut self, bytes: &[u8], at: Instant) {
        for part in bytes.split_inclusive(|&b| b == b'\n') {
            let (text, ends) = part.strip_suffix(b"\n").map_or((part, false), |text| (text, true));
            let room = MAX_LINE_BYTES.saturating_sub(self.partial.len());
            self.partial.extend_from_slice(text.get(..room.min(text.len())).unwrap_or_default());
            if ends {
                let line = self.partial.strip_suffix(b"\r").unwrap_or(&self.partial);
                self.ready.push_back((String::from_utf8_lossy(line).into_owned(), at));
                self.partial.clear();
            }
        }
    }

    fn next(&mut self) -> Option<(String, Instant)> {
        self.ready.pop_front()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_wherever_reads_are_torn() {
        let text = b"uciok\r\n\nbestmove A1\ninfo \xff\nrest";
        for size in 1..text.len() {
            let mut lines = Lines::default();
            for chunk in text.chunks(size) {
                lines.add(chunk, Instant::now());
            }
            let found: Vec<String> = std::iter::from_fn(|| lines.next()).map(|(line, _)| line).collect();
            assert_eq!(found, ["uciok", "", "bestmove A1", "info \u{fffd}"]);
        }
    }

    #[test]
    fn a_long_line_is_cut_short_and_costs_no_more_memory() {
        let mut lines = Lines::default();
        for _ in 0..100 {
            lines.add(&[b'x'; 100_000], Instant::now());
        }
        assert_eq!(lines.partial.len(), MAX_LINE_BYTES);
        lines.add(b"\nuciok\n", Instant::now());
        assert_eq!(lines.next().unwrap().0.len(), MAX_LINE_BYTES);
        assert_eq!(lines.next().unwrap().0, "uciok");
    }
}
