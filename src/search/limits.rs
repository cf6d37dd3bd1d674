//! What ends a search: the limits as they were asked for, and the time they leave.

use crate::game::{Move, Side, Variant};
use std::time::Duration;

/// The limits of one search. The first one reached ends it; with none it runs until it is stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Time left on the clock of each side, South first.
    pub clock: [Option<Duration>; 2],
    /// Time that each side gets after a move, South first.
    pub increment: [Duration; 2],
    /// Moves until the next time control.
    pub moves_to_go: Option<u32>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// Positions looked at, those of the searches from the leaves included. Alpha-beta searches its first depth whole.
    pub nodes: Option<u64>,
    /// Mean depth in plies that an iteration looks ahead, the search from its leaf included. Of alpha-beta, the depth.
    pub depth: Option<u32>,
    /// A win in that many moves is looked for, and the search ends when it is found or when there is none. It goes deeper and
    /// deeper on one thread and passes over nothing, so that the distance it finds is the shortest.
    pub mate: Option<u32>,
    /// Answer only when told to, whatever is known before.
    pub infinite: bool,
    /// Think on the opponent's time: as infinite until the ponder hit, then with the other limits.
    pub ponder: bool,
    /// The moves to choose from; all if empty.
    pub search_moves: Vec<Move>,
}

impl Limits {
    /// Whether a search by `side` is sure to end by itself, be it after a long time. A proof may end one that is not.
    pub fn is_bounded(&self, side: Side) -> bool {
        let by_itself = !self.infinite && !self.ponder;
        let bounded = self.clock[side.index()].is_some()
            || self.move_time.is_some()
            || self.nodes.is_some()
            || self.depth.is_some()
            || self.mate.is_some();
        by_itself && bounded
    }

    /// A search of so many nodes.
    pub fn of_nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// A search of so much time.
    pub fn of_move_time(time: Duration) -> Limits {
        Limits { move_time: Some(time), ..Limits::default() }
    }
}

/// The time that a search may take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TimeBudget {
    /// From here on it may end as soon as its choice is settled.
    pub(super) soft: Option<Duration>,
    /// Here it ends.
    pub(super) hard: Option<Duration>,
}

/// Moves that a side is expected to have to make yet, when nobody says: half of a long game (rule book, part 4), fewer
/// where games are short.
fn expected_moves(variant: Variant) -> u32 {
    match variant {
        Variant::Kiswahili => 25,
        Variant::Kigogo | Variant::Kimasai => 45,
    }
}

impl TimeBudget {
    /// The budget of a search by `side`.
    ///
    /// `overhead` is what passes between the clock and the search. With a clock: an equal share of the time left for each
    /// expected move, and three quarters of the increment; the hard bound is three such shares, but never more than half
    /// of the time left, nor more than what the overhead leaves. A busy machine makes moves cost more than was planned, so
    /// not all is shared out: half of the overhead is taken off the increment, and the overhead of a quarter of the moves
    /// to come off the time left, as long as there is as much again. A choice of one (`choices`) takes no time.
    pub(super) fn new(limits: &Limits, side: Side, variant: Variant, overhead: Duration, choices: usize) -> TimeBudget {
        let clock = limits.clock[side.index()].map(|left| {
            if choices <= 1 {
                return (Duration::ZERO, Duration::ZERO);
            }
            let moves = limits.moves_to_go.unwrap_or(expected_moves(variant)).clamp(1, 200);
            let left = left.saturating_sub(overhead);
            let usable = left - (overhead * (moves / 4)).min(left / 2);
            let increment = limits.increment[side.index()].mul_f64(0.75).saturating_sub(overhead / 2);
            let share = (usable / moves).saturating_add(increment).min(usable);
            let ceiling = if moves == 1 { usable } else { usable / 2 };
            let hard = share.saturating_mul(3).min(ceiling).max(share.min(usable.mul_f64(0.9)));
            (share.min(hard), hard)
        });
        match (clock, limits.move_time) {
            (None, hard) => TimeBudget { soft: None, hard },
            (Some((soft, hard)), move_time) => {
                let hard = move_time.map_or(hard, |time| time.min(hard));
                TimeBudget { soft: Some(soft.min(hard)), hard: Some(hard) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OVERHEAD: Duration = Duration::from_millis(10);

    fn clock(left_ms: u64, increment_ms: u64, moves_to_go: Option<u32>) -> Limits {
        Limits {
            clock: [Some(Duration::from_millis(left_ms)), None],
            increment: [Duration::from_millis(increment_ms), Duration::ZERO],
            moves_to_go,
            ..Limits::default()
        }
    }

    fn budget(limits: &Limits, choices: usize) -> TimeBudget {
        TimeBudget::new(limits, Side::South, Variant::Kigogo, OVERHEAD, choices)
    }

    #[test]
    fn no_limit_of_time_gives_no_budget() {
        assert_eq!(budget(&Limits::of_nodes(5), 5), TimeBudget::default());
        let other_side = clock(1000, 0, None);
        let budget = TimeBudget::new(&other_side, Side::North, Variant::Kigogo, OVERHEAD, 5);
        assert_eq!(budget, TimeBudget::default());
    }

    #[test]
    fn move_time_is_used_whole() {
        let limits = Limits::of_move_time(Duration::from_millis(300));
        assert_eq!(budget(&limits, 1), TimeBudget { soft: None, hard: Some(Duration::from_millis(300)) });
    }

    #[test]
    fn a_clock_is_never_overrun_and_soft_comes_before_hard() {
        for left in [0, 1, 5, 10, 11, 50, 1000, 60_000, 3_600_000, u64::MAX / 2_000_000] {
            for increment in [0, 1, 100, 10_000] {
                for moves in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    let TimeBudget { soft, hard } = budget(&clock(left, increment, moves), 5);
                    let (soft, hard) = (soft.unwrap(), hard.unwrap());
                    assert!(soft <= hard, "{left} {increment} {moves:?}");
                    assert!(
                        hard <= Duration::from_millis(left).saturating_sub(OVERHEAD),
                        "{left} {increment} {moves:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_game_of_a_thousand_moves_stays_within_its_clock() {
        let mut left = Duration::from_secs(10);
        let increment = Duration::from_millis(100);
        for _ in 0..1000 {
            let limits = clock(left.as_millis() as u64, 100, None);
            let used = budget(&limits, 5).hard.unwrap() + Duration::from_millis(2);
            assert!(used <= left);
            left = left - used + increment;
        }
    }

    #[test]
    fn moves_that_cost_more_than_planned_leave_something_on_the_clock() {
        let mut left = Duration::from_secs(1);
        for _ in 0..200 {
            let limits = clock(left.as_millis() as u64, 10, None);
            left = left - budget(&limits, 5).soft.unwrap() - Duration::from_millis(6) + Duration::from_millis(10);
        }
        assert!(left > Duration::from_millis(150), "{left:?}");
    }

    #[test]
    fn a_forced_move_takes_no_time_on_the_clock() {
        assert_eq!(budget(&clock(1000, 0, None), 1).hard, Some(Duration::ZERO));
    }

    #[test]
    fn the_tighter_of_clock_and_move_time_counts() {
        let limits = Limits { move_time: Some(Duration::from_millis(20)), ..clock(60_000, 0, None) };
        assert_eq!(budget(&limits, 5).hard, Some(Duration::from_millis(20)));
    }
}
