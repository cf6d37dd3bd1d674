//! The clock of one side, as arithmetic: it is told how long a move took, and never asks what time it is.

use super::limits::TimeControl;
use std::time::Duration;

/// More time was used than was left, the margin included: the game is lost on time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} over the {} ms left", milliseconds(*.by), .remaining.as_millis())]
pub struct Overrun {
    /// By how much the move was longer than what the clock showed; the margin is not taken off.
    pub by: Duration,
    /// What the clock showed before the move.
    pub remaining: Duration,
}

fn milliseconds(time: Duration) -> String {
    format!("{}.{:03} ms", time.as_millis(), time.subsec_micros() % 1000)
}

/// The time that one side has left, to the microsecond.
///
/// A clock whose control has an increment alone begins with one increment, as its first move could not be played
/// otherwise.
///
/// ```
/// use kete::contest::Clock;
/// use std::time::Duration;
/// let mut clock = Clock::new("8+0.08".parse().unwrap());
/// clock.spend(Duration::from_micros(1_000_500), Duration::ZERO).unwrap();
/// assert_eq!(clock.remaining(), Duration::from_micros(7_079_500));
/// assert_eq!(clock.remaining_ms(), 7079);
/// let late = clock.spend(Duration::from_secs(9), Duration::from_millis(20)).unwrap_err();
/// assert_eq!(late.to_string(), "1920.500 ms over the 7079 ms left");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    control: TimeControl,
    remaining: Duration,
    /// Moves to the next time that the clock is wound up, at least 1 if it ever is.
    moves_to_go: Option<u32>,
}

impl Clock {
    /// The clock at the start of a game.
    pub fn new(control: TimeControl) -> Clock {
        let first_ms = if control.time_ms == 0 { control.increment_ms } else { control.time_ms };
        let moves_to_go = control.moves.map(|moves| moves.max(1));
        Clock { control, remaining: Duration::from_millis(first_ms), moves_to_go }
    }

    /// The time left for the next move.
    pub fn remaining(&self) -> Duration {
        self.remaining
    }

    /// The time left in whole milliseconds, rounded down: what an engine is told, so that it never trusts in more than it
    /// has.
    pub fn remaining_ms(&self) -> u64 {
        whole_ms(self.remaining)
    }

    /// What each move adds, in milliseconds.
    pub fn increment_ms(&self) -> u64 {
        self.control.increment_ms
    }

    /// The moves left, at least 1, until the time of the control is added again; `None` if it never is.
    pub fn moves_to_go(&self) -> Option<u32> {
        self.moves_to_go
    }

    /// The longest that the next move may take: what is left, and the margin.
    pub fn deadline(&self, margin: Duration) -> Duration {
        self.remaining.saturating_add(margin)
    }

    /// Takes off what a move took, and adds what it earns. An overrun within `margin` is forgiven: nothing is left then but
    /// what is added.
    ///
    /// # Errors
    /// [`Overrun`] if the move took longer than [`Clock::deadline`]; the clock stays as it was.
    pub fn spend(&mut self, elapsed: Duration, margin: Duration) -> Result<(), Overrun> {
        if elapsed > self.deadline(margin) {
            let by = elapsed.saturating_sub(self.remaining);
            return Err(Overrun { by, remaining: self.remaining });
        }
        let mut earned_ms = self.control.increment_ms;
        self.moves_to_go = match self.moves_to_go {
            Some(0 | 1) => {
                earned_ms = earned_ms.saturating_add(self.control.time_ms);
                self.control.moves.map(|moves| moves.max(1))
            }
            other => other.map(|moves| moves - 1),
        };
        let left = self.remaining.saturating_sub(elapsed);
        self.remaining = left.saturating_add(Duration::from_millis(earned_ms));
        Ok(())
    }
}

fn whole_ms(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const NO_MARGIN: Duration = Duration::ZERO;

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn clock(control: &str) -> Clock {
        Clock::new(control.parse().unwrap())
    }

    #[test]
    fn the_increment_comes_after_the_move() {
        let mut clock = clock("1+0.5");
        assert_eq!(clock.spend(ms(1001), NO_MARGIN), Err(Overrun { by: ms(1), remaining: ms(1000) }));
        assert_eq!(clock.remaining(), ms(1000));
        assert_eq!(clock.spend(ms(1000), NO_MARGIN), Ok(()));
        assert_eq!(clock.remaining(), ms(500));
        assert_eq!(clock.moves_to_go(), None);
    }

    #[test]
    fn an_overrun_within_the_margin_leaves_the_increment() {
        let mut clock = clock("1+0.05");
        assert_eq!(clock.deadline(ms(20)), ms(1020));
        assert_eq!(clock.spend(ms(1020), ms(20)), Ok(()));
        assert_eq!(clock.remaining(), ms(50));
        let late = clock.spend(ms(70) + Duration::from_micros(1), ms(20));
        assert_eq!(late, Err(Overrun { by: Duration::from_micros(20_001), remaining: ms(50) }));
        assert_eq!(late.unwrap_err().to_string(), "20.001 ms over the 50 ms left");
    }

    #[test]
    fn time_is_added_again_after_its_moves() {
        let mut clock = clock("2/10+1");
        assert_eq!(clock.moves_to_go(), Some(2));
        clock.spend(ms(4000), NO_MARGIN).unwrap();
        assert_eq!((clock.remaining(), clock.moves_to_go()), (ms(7000), Some(1)));
        clock.spend(ms(7010), ms(10)).unwrap();
        assert_eq!((clock.remaining(), clock.moves_to_go()), (ms(11_000), Some(2)));
        clock.spend(ms(0), NO_MARGIN).unwrap();
        assert_eq!((clock.remaining(), clock.moves_to_go()), (ms(12_000), Some(1)));
    }

    #[test]
    fn an_increment_alone_can_be_played() {
        let mut clock = clock("0+1");
        assert_eq!((clock.remaining_ms(), clock.increment_ms()), (1000, 1000));
        clock.spend(ms(600), NO_MARGIN).unwrap();
        assert_eq!(clock.remaining(), ms(1400));
    }

    #[test]
    fn an_engine_is_never_told_more_than_it_has() {
        let mut clock = clock("1");
        clock.spend(Duration::from_micros(1), NO_MARGIN).unwrap();
        assert_eq!(clock.remaining_ms(), 999);
    }

    proptest! {
        /// The books balance: what was given, less what was spent, is what is left, unless an overrun was forgiven.
        #[test]
        fn the_books_balance(
            moves in proptest::option::of(1..5_u32),
            time_ms in 1..5_000_u64,
            increment_ms in 0..500_u64,
            margin_ms in 0..100_u64,
            spent in proptest::collection::vec(0..3_000_000_u64, 1..40),
        ) {
            let mut clock = Clock::new(TimeControl { moves, time_ms, increment_ms });
            let (mut given, mut used, mut forgiven) = (ms(time_ms), Duration::ZERO, Duration::ZERO);
            for (played, elapsed) in (1_u32..).zip(spent.into_iter().map(Duration::from_micros)) {
                let before = clock;
                let result = clock.spend(elapsed, ms(margin_ms));
                prop_assert_eq!(result.is_ok(), elapsed <= before.deadline(ms(margin_ms)));
                if let Err(overrun) = result {
                    prop_assert_eq!(clock, before);
                    prop_assert_eq!(overrun.by + before.remaining(), elapsed);
                    prop_assert!(overrun.by > ms(margin_ms));
                    break;
                }
                forgiven += elapsed.saturating_sub(before.remaining());
                used += elapsed;
                given += ms(increment_ms);
                if moves.is_some_and(|moves| played.is_multiple_of(moves)) {
                    given += ms(time_ms);
                }
                prop_assert_eq!(clock.remaining() + used, given + forgiven);
                prop_assert_eq!(clock.moves_to_go(), moves.map(|moves| moves - played % moves));
                prop_assert!(ms(clock.remaining_ms()) <= clock.remaining());
                prop_assert!(clock.remaining() < ms(clock.remaining_ms() + 1));
            }
        }
    }
}
