//! The signals between a search and those who steer it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// The steering wheel of one search: shared by the session, the search's own thread and its workers.
#[derive(Debug, Default)]
pub struct Control {
    /// Read by every worker at every iteration; says no more than "end your work".
    halt: AtomicBool,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    stop: bool,
    ponder_hit: Option<Instant>,
    /// Workers that still run; `None` before they start.
    workers: Option<usize>,
}

/// Why a wait ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wake {
    /// Somebody asked for the answer.
    Stop,
    /// All workers have ended by themselves.
    WorkersDone,
    /// The opponent played the expected move, at that time. Told once.
    PonderHit(Instant),
    /// The time given is over.
    Timeout,
}

impl Control {
    /// Signals for one search.
    pub fn new() -> Control {
        Control::default()
    }

    /// Asks for the answer. May be called at any time and any number of times.
    pub fn stop(&self) {
        self.state().stop = true;
        self.halt();
        self.changed.notify_all();
    }

    /// Says that the opponent has played the expected move: a ponder search goes on as a normal one, its time counted from
    /// `now`.
    pub fn ponder_hit(&self, now: Instant) {
        self.state().ponder_hit = Some(now);
        self.changed.notify_all();
    }

    /// Ends the workers' search.
    pub(super) fn halt(&self) {
        self.halt.store(true, Ordering::Relaxed);
    }

    /// Whether the work is to end: somebody asked for it, or there is nothing left to do.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.halt.load(Ordering::Relaxed)
    }

    /// Says how many workers start now.
    pub(super) fn workers_start(&self, workers: usize) {
        self.state().workers = Some(workers);
    }

    /// Says, when it is dropped, that one worker has ended; also if it panicked.
    pub(super) fn worker_guard(&self) -> impl Drop + '_ {
        WorkerGuard(self)
    }

    fn worker_done(&self) {
        if let Some(workers) = &mut self.state().workers {
            *workers = workers.saturating_sub(1);
        }
        self.changed.notify_all();
    }

    /// Waits for one of the events, at the longest until `until`. With `despite_done`, workers that have ended are no
    /// reason to wake: an infinite search waits for its stop.
    pub(super) fn wait(&self, until: Option<Instant>, despite_done: bool) -> Wake {
        let mut state = self.state();
        loop {
            if state.stop {
                return Wake::Stop;
            }
            if let Some(when) = state.ponder_hit.take() {
                return Wake::PonderHit(when);
            }
            if state.workers == Some(0) && !despite_done {
                return Wake::WorkersDone;
            }
            state = match until {
                None => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
                Some(until) => {
                    let left = until.saturating_duration_since(Instant::now());
                    if left.is_zero() {
                        return Wake::Timeout;
                    }
                    self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
    }

    /// The state, also after a panic elsewhere: each field is written in one step, so none is ever half-changed.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct WorkerGuard<'a>(&'a Control);

impl Drop for WorkerGuard<'_> {
    fn drop(&mut self) {
        self.0.worker_done();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_before_the_wait_is_not_lost() {
        let control = Control::new();
        control.stop();
        control.stop();
        assert!(control.is_stopped());
        assert_eq!(control.wait(None, true), Wake::Stop);
    }

    #[test]
    fn a_ponder_hit_is_told_once() {
        let control = Control::new();
        let now = Instant::now();
        control.ponder_hit(now);
        assert_eq!(control.wait(None, false), Wake::PonderHit(now));
        assert_eq!(control.wait(Some(now), false), Wake::Timeout);
    }

    #[test]
    fn the_last_worker_wakes_the_waiter_unless_it_waits_for_a_stop() {
        let control = Control::new();
        control.workers_start(2);
        let now = Instant::now();
        control.worker_done();
        assert_eq!(control.wait(Some(now), false), Wake::Timeout);
        control.worker_done();
        assert_eq!(control.wait(None, false), Wake::WorkersDone);
        assert_eq!(control.wait(Some(now), true), Wake::Timeout);
    }
}
