//! The time of a running search: when it is over, and when its state is told.

use super::control::Wake;
use super::limits::TimeBudget;
use super::task::Task;
use std::time::{Duration, Instant};

/// Without a limit of nodes or depth a report is sent at least this often.
const REPORT_INTERVAL: Duration = Duration::from_secs(1);
/// How often it is looked at whether the choice is settled, once the soft bound may end the search.
const SETTLED_INTERVAL: Duration = Duration::from_millis(2);

/// A search whose time is kept.
pub(super) trait Watched {
    /// Whether there is an answer already, however poor.
    fn has_answer(&self) -> bool;

    /// Whether more time is unlikely to change the choice.
    fn is_settled(&self) -> bool;

    /// Sends the present state.
    fn send_report(&self);
}

/// Waits for the end of the search: a stop, a bound of time, or workers that have nothing left to do. Meanwhile sends
/// reports.
pub(super) fn keep_time(task: Task<'_>, choices: usize, watched: &impl Watched) {
    let Task { game, limits, options, control, .. } = task;
    let budget = TimeBudget::new(limits, game.side_to_move(), game.variant(), options.move_overhead, choices);
    let mut pondering = limits.ponder;
    let mut started = task.started;
    // Where nodes or depth limit the search, reports come by count alone, so that the same search gives the same ones.
    let counted = limits.nodes.is_some() || limits.depth.is_some();
    let mut next_report = (!counted).then(|| Instant::now() + REPORT_INTERVAL);
    loop {
        let timed = !pondering && !limits.infinite;
        let hard = budget.hard.filter(|_| timed).and_then(|hard| started.checked_add(hard));
        let soft = budget.soft.filter(|_| timed).and_then(|soft| started.checked_add(soft));
        let now = Instant::now();
        if hard.is_some_and(|hard| hard <= now) && watched.has_answer() {
            return;
        }
        let look = match soft {
            Some(soft) if soft <= now => {
                if watched.is_settled() {
                    return;
                }
                now.checked_add(SETTLED_INTERVAL)
            }
            other => other,
        };
        // Past the hard bound, only the first iteration is still waited for.
        let hard = hard.map(|hard| hard.max(now + Duration::from_micros(50)));
        let until = [hard, look, next_report].into_iter().flatten().min();
        match control.wait(until, !timed) {
            Wake::Stop | Wake::WorkersDone => return,
            Wake::PonderHit(when) => {
                pondering = false;
                started = when;
            }
            Wake::Timeout => {
                let now = Instant::now();
                if next_report.is_some_and(|at| at <= now) {
                    watched.send_report();
                    next_report = Some(now + REPORT_INTERVAL);
                }
            }
        }
    }
}
