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

/// The time of one search.
pub(super) struct Timekeeper<'a> {
    task: Task<'a>,
    budget: TimeBudget,
    pondering: bool,
    /// When its time began to count.
    started: Instant,
    /// Where nodes or depth limit the search, reports come by count alone, so that the same search gives the same ones.
    next_report: Option<Instant>,
}

impl<'a> Timekeeper<'a> {
    /// `choices` is how many moves the search has to choose from.
    pub(super) fn new(task: Task<'a>, choices: usize) -> Timekeeper<'a> {
        let Task { game, limits, options, .. } = task;
        let budget = TimeBudget::new(limits, game.side_to_move(), game.variant(), options.move_overhead, choices);
        let counted = limits.nodes.is_some() || limits.depth.is_some();
        let next_report = (!counted).then(|| Instant::now() + REPORT_INTERVAL);
        Timekeeper { task, budget, pondering: limits.ponder, started: task.started, next_report }
    }

    /// Waits for the end of the search: a stop, a bound of time, or workers that have nothing left to do. Meanwhile sends
    /// reports. Says whether the workers only want a pause.
    pub(super) fn keep(&mut self, watched: &impl Watched) -> bool {
        let Task { limits, control, .. } = self.task;
        loop {
            let timed = !self.pondering && !limits.infinite;
            let hard = self.budget.hard.filter(|_| timed).and_then(|hard| self.started.checked_add(hard));
            let soft = self.budget.soft.filter(|_| timed).and_then(|soft| self.started.checked_add(soft));
            control.set_deadline(hard);
            let now = Instant::now();
            if hard.is_some_and(|hard| hard <= now) && watched.has_answer() {
                return false;
            }
            let look = match soft {
                Some(soft) if soft <= now => {
                    if watched.is_settled() {
                        return false;
                    }
                    now.checked_add(SETTLED_INTERVAL)
                }
                other => other,
            };
            // Past the hard bound, only the first iteration is still waited for.
            let hard = hard.map(|hard| hard.max(now + Duration::from_micros(50)));
            let until = [hard, look, self.next_report].into_iter().flatten().min();
            match control.wait(until, !timed) {
                Wake::Stop | Wake::WorkersDone => return false,
                Wake::Paused => return true,
                Wake::PonderHit(when) => {
                    self.pondering = false;
                    self.started = when;
                }
                Wake::Timeout => {
                    let now = Instant::now();
                    if self.next_report.is_some_and(|at| at <= now) {
                        watched.send_report();
                        self.next_report = Some(now + REPORT_INTERVAL);
                    }
                }
            }
        }
    }
}
