//! A signal that ends what every thread of the runner waits for.

use rustix::event::{PollFd, PollFlags};
use std::io::{self, PipeReader, PipeWriter, Write};
use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// Tells all threads to stop what they are doing. It can be polled together with the pipes of engines, so that nobody
/// sleeps through it, and stays given once it is.
#[derive(Debug)]
pub struct StopSignal {
    /// Readable from the moment the signal is given; nobody reads it empty.
    reader: PipeReader,
    writer: PipeWriter,
    interrupted: Arc<AtomicBool>,
    cause: OnceLock<StopCause>,
}

/// Why a match stops before its last game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopCause {
    /// Somebody wants it to.
    Interrupted,
    /// It has decided.
    Decided,
    /// It cannot go on.
    Failed,
}

impl StopSignal {
    /// A signal that has not been given.
    ///
    /// # Errors
    /// If the operating system has no more pipes.
    pub fn new() -> io::Result<StopSignal> {
        let (reader, writer) = io::pipe()?;
        Ok(StopSignal { reader, writer, interrupted: Arc::default(), cause: OnceLock::new() })
    }

    /// Has the signal given by an interrupt, a request to terminate, or a hangup, unless hangups are to be ignored, as
    /// `nohup` has it. The second of them ends the process at once with `exit_code`.
    ///
    /// # Errors
    /// If the operating system refuses.
    pub fn on_interrupts(&self, exit_code: i32) -> io::Result<()> {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            if signal == SIGHUP && is_ignored(signal) {
                continue;
            }
            // In this order: the first interrupt finds the flag unset.
            signal_hook::flag::register_conditional_shutdown(signal, exit_code, Arc::clone(&self.interrupted))?;
            signal_hook::flag::register(signal, Arc::clone(&self.interrupted))?;
            signal_hook::low_level::pipe::register(signal, std::os::fd::OwnedFd::from(self.writer.try_clone()?))?;
        }
        Ok(())
    }

    /// Gives the signal. Of several causes an interrupt counts, else the first.
    pub fn give(&self, cause: StopCause) {
        if self.cause.set(cause).is_ok() {
            // A byte fits into an empty pipe.
            let _ = (&self.writer).write_all(&[0]);
        }
    }

    /// Why to stop; `None` while there is no reason.
    pub fn cause(&self) -> Option<StopCause> {
        if self.interrupted.load(Ordering::Relaxed) {
            return Some(StopCause::Interrupted);
        }
        self.cause.get().copied()
    }

    /// Whether the signal has been given.
    pub fn is_given(&self) -> bool {
        self.cause().is_some()
    }

    /// What to poll beside the pipes of an engine.
    pub(super) fn poll_fd(&self) -> PollFd<'_> {
        PollFd::new(&self.reader, PollFlags::IN)
    }
}

/// Whether the process ignores a signal, as far as the operating system tells.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    // The lowest bit is that of signal 1.
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signal_stays_given() {
        let stop = StopSignal::new().unwrap();
        let readable = |stop: &StopSignal| {
            let mut fds = [stop.poll_fd()];
            rustix::event::poll(&mut fds, Some(&rustix::event::Timespec { tv_sec: 0, tv_nsec: 0 })).unwrap()
        };
        assert_eq!((stop.cause(), readable(&stop)), (None, 0));
        stop.give(StopCause::Decided);
        stop.give(StopCause::Failed);
        for _ in 0..2 {
            assert_eq!((stop.cause(), readable(&stop)), (Some(StopCause::Decided), 1));
        }
    }
}
