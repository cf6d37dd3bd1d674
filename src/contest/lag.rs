//! How late the runner itself is: an engine that loses on time while the machine did not let the runner look at its clock
//! has perhaps not been slow.

use std::collections::VecDeque;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often lateness is measured.
const PERIOD: Duration = Duration::from_millis(5);
/// Less than this is not worth keeping.
const NOTEWORTHY: Duration = Duration::from_millis(1);
/// How many measurements are kept.
const KEPT: usize = 4_096;

/// Measures on a thread of its own how much later than asked a thread of this process wakes up.
#[derive(Debug)]
pub(super) struct LagMeter {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    ended: AtomicBool,
    late: Mutex<VecDeque<(Instant, Duration)>>,
}

impl LagMeter {
    /// Starts measuring.
    ///
    /// # Errors
    /// If there is no thread to run on.
    pub(super) fn start() -> io::Result<LagMeter> {
        let shared = Arc::new(Shared::default());
        let measuring = Arc::clone(&shared);
        let measure = move || {
            while !measuring.ended.load(Ordering::Relaxed) {
                let asked = Instant::now() + PERIOD;
                std::thread::sleep(PERIOD);
                measuring.note(Instant::now(), Instant::now().saturating_duration_since(asked));
            }
        };
        std::thread::Builder::new().name("kete-lag".to_owned()).spawn(measure)?;
        Ok(LagMeter { shared })
    }

    /// The longest that the runner was late between `start` and now.
    pub(super) fn worst_since(&self, start: Instant) -> Duration {
        self.shared.worst_since(start)
    }
}

impl Shared {
    fn note(&self, at: Instant, late: Duration) {
        if late >= NOTEWORTHY {
            let mut kept = self.late.lock().unwrap_or_else(PoisonError::into_inner);
            if kept.len() == KEPT {
                kept.pop_front();
            }
            kept.push_back((at, late));
        }
    }

    fn worst_since(&self, start: Instant) -> Duration {
        let kept = self.late.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().rev().take_while(|(at, _)| *at >= start).map(|(_, late)| *late).max().unwrap_or_default()
    }
}

impl Drop for LagMeter {
    fn drop(&mut self) {
        self.shared.ended.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lateness_since_the_start_counts() {
        let shared = Shared::default();
        let ms = Duration::from_millis;
        let zero = Instant::now();
        shared.note(zero + ms(10), ms(50));
        shared.note(zero + ms(20), Duration::from_micros(10));
        shared.note(zero + ms(30), ms(7));
        assert_eq!(shared.worst_since(zero), ms(50));
        assert_eq!(shared.worst_since(zero + ms(15)), ms(7));
        assert_eq!(shared.worst_since(zero + ms(40)), ms(0));
    }
}
