//! The signals between a search and those who steer it.

use super::courtesy::Courtesy;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The steering wheel of one search: shared by the session, the search's own thread and its workers.
#[derive(Debug)]
pub struct Control {
    /// Read by every worker at every iteration; says no more than "end your work". Relaxed: it publishes nothing else.
    halt: AtomicBool,
    /// When the work is to end, in nanoseconds since `made`; `u64::MAX` for never.
    deadline: AtomicU64,
    made: Instant,
    courtesy: Option<Courtesy>,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    stop: bool,
    ponder_hit: Option<Instant>,
    /// Workers that still run; `None` before they start.
    workers: Option<usize>,
    /// A worker has asked for a pause.
    pause: bool,
}

/// Why a wait ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wake {
    /// Somebody asked for the answer.
    Stop,
    /// All workers have ended by themselves.
    WorkersDone,
    /// All workers have ended because one asked for a pause.
    Paused,
    /// The opponent played the expected move, at that time. Told once.
    PonderHit(Instant),
    /// The time given is over.
    Timeout,
}

impl Default for Control {
    fn default() -> Self {
        Control {
            halt: AtomicBool::new(false),
            deadline: AtomicU64::new(u64::MAX),
            made: Instant::now(),
            courtesy: None,
            state: Mutex::default(),
            changed: Condvar::new(),
        }
    }
}

impl Control {
    /// Signals for one search.
    pub fn new() -> Control {
        Control::default()
    }

    /// As [`Control::new`], for a search whose workers leave their cores for a moment where `input_waits`: then there is
    /// something to be read by a thread that they may keep from running. It is called two thousand times a second.
    pub fn giving_way(input_waits: impl Fn() -> bool + Send + Sync + 'static) -> Control {
        Control { courtesy: Some(Courtesy::new(input_waits)), ..Control::default() }
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

    /// As [`Control::is_stopped`]; also looks at the clock, and stops the work once the deadline has passed. A worker finds
    /// that out sooner than a thread that has to be woken while workers keep all cores busy. Gives way to such a thread.
    #[inline]
    pub(super) fn is_over(&self) -> bool {
        if self.is_stopped() {
            return true;
        }
        let deadline = self.deadline.load(Ordering::Relaxed);
        if deadline == u64::MAX && self.courtesy.is_none() {
            return false;
        }
        let now = self.made.elapsed();
        if deadline != u64::MAX && now >= Duration::from_nanos(deadline) {
            self.halt();
            return true;
        }
        if let Some(rest) = self.courtesy.as_ref().and_then(|courtesy| courtesy.rest(now)) {
            std::thread::sleep(rest);
        }
        self.is_stopped()
    }

    /// When the workers are to end by themselves; never with `None`.
    pub(super) fn set_deadline(&self, deadline: Option<Instant>) {
        let nanos = deadline.map_or(u64::MAX, |deadline| {
            u64::try_from(deadline.saturating_duration_since(self.made).as_nanos()).unwrap_or(u64::MAX)
        });
        self.deadline.store(nanos, Ordering::Relaxed);
    }

    /// Says how many workers start now.
    pub(super) fn workers_start(&self, workers: usize) {
        let mut state = self.state();
        state.workers = Some(workers);
        state.pause = false;
    }

    /// Asks for a pause, in which no worker runs.
    pub(super) fn request_pause(&self) {
        self.state().pause = true;
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
            if state.workers == Some(0) && state.pause {
                return Wake::Paused;
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

    #[test]
    fn workers_that_want_a_pause_wake_even_who_waits_for_a_stop() {
        let control = Control::new();
        control.workers_start(1);
        control.request_pause();
        let now = Instant::now();
        assert_eq!(control.wait(Some(now), true), Wake::Timeout);
        control.worker_done();
        assert_eq!(control.wait(None, true), Wake::Paused);
        // The next round begins without one.
        control.workers_start(1);
        control.worker_done();
        assert_eq!(control.wait(Some(now), true), Wake::Timeout);
    }

    #[test]
    fn a_worker_ends_at_the_deadline_by_itself() {
        let control = Control::new();
        assert!(!control.is_over());
        control.set_deadline(Some(Instant::now() + Duration::from_secs(3600)));
        assert!(!control.is_over());
        control.set_deadline(None);
        assert!(!control.is_over());
        control.set_deadline(Some(Instant::now()));
        assert!(control.is_over());
        assert!(control.is_stopped());
    }

    #[test]
    fn a_worker_that_gives_way_sees_what_happened_meanwhile() {
        let control = std::sync::Arc::new_cyclic(|control: &std::sync::Weak<Control>| {
            let control = control.clone();
            Control::giving_way(move || {
                control.upgrade().expect("the control that asks").stop();
                true
            })
        });
        assert!(!control.is_stopped());
        assert!(control.is_over(), "stopped while it slept");
        let control = Control::giving_way(|| true);
        assert!(!control.is_over());
        control.set_deadline(Some(Instant::now()));
        assert!(control.is_over());
    }
}
