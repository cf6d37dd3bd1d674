//! Workers that give way to whoever reads the input.
//!
//! Where workers keep all cores busy, a thread that is woken by a line of input waits until the operating system takes a core
//! from one of them, which can take ten milliseconds. So they look themselves, now and then, whether input waits, and leave
//! their cores for a moment if it does.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// How often the workers look, all of them together: a look is a call of the operating system.
const LOOK_INTERVAL: Duration = Duration::from_micros(500);
/// How long they leave their cores: enough for two threads that wake each other, the reader and the session.
const REST: Duration = Duration::from_micros(200);

/// When the workers of a search give way. Times are counted from its beginning. Relaxed orderings do: a look too many, or a
/// rest that one of the workers misses, does no harm.
pub(super) struct Courtesy {
    input_waits: Box<dyn Fn() -> bool + Send + Sync>,
    next_look: AtomicU64,
    rest_until: AtomicU64,
}

impl Courtesy {
    pub(super) fn new(input_waits: impl Fn() -> bool + Send + Sync + 'static) -> Courtesy {
        Courtesy { input_waits: Box::new(input_waits), next_look: AtomicU64::new(0), rest_until: AtomicU64::new(0) }
    }

    /// How long the worker that asks is to sleep.
    pub(super) fn rest(&self, now: Duration) -> Option<Duration> {
        let until = Duration::from_nanos(self.rest_until.load(Ordering::Relaxed));
        if now < until {
            return Some(until - now);
        }
        if now < Duration::from_nanos(self.next_look.load(Ordering::Relaxed)) {
            return None;
        }
        self.next_look.store(nanos(now + LOOK_INTERVAL), Ordering::Relaxed);
        (self.input_waits)().then(|| {
            self.rest_until.store(nanos(now + REST), Ordering::Relaxed);
            REST
        })
    }
}

impl fmt::Debug for Courtesy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Courtesy").field("rest_until", &self.rest_until).finish_non_exhaustive()
    }
}

/// Enough for six centuries.
fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    fn micros(micros: u64) -> Duration {
        Duration::from_micros(micros)
    }

    #[test]
    fn all_workers_rest_while_input_waits_and_only_then() {
        let waits = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&waits);
        let courtesy = Courtesy::new(move || seen.load(Ordering::Relaxed));
        assert_eq!(courtesy.rest(micros(10)), None);
        waits.store(true, Ordering::Relaxed);
        assert_eq!(courtesy.rest(micros(509)), None, "it is not time to look again");
        assert_eq!(courtesy.rest(micros(510)), Some(REST));
        assert_eq!(courtesy.rest(micros(600)), Some(REST - micros(90)), "another worker");
        assert_eq!(courtesy.rest(micros(710)), None, "work goes on until the next look");
        assert_eq!(courtesy.rest(micros(1_010)), Some(REST));
        waits.store(false, Ordering::Relaxed);
        assert_eq!(courtesy.rest(micros(1_510)), None);
    }
}
