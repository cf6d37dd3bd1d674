//! One search as it was asked for, and the answers that need no search.

use super::control::{Control, Wake};
use super::leaf::{outcome_value, static_value};
use super::limits::Limits;
use super::options::SearchOptions;
use super::report::{Line, Report, Score, Wdl};
use crate::evaluation::Inputs;
use crate::game::{GameRecord, Move, Outcome, Position};
use std::time::Instant;

/// Everything that one call of [`Searcher::search`](super::Searcher::search) was given.
#[derive(Clone, Copy)]
pub(super) struct Task<'a> {
    pub(super) game: &'a GameRecord,
    pub(super) limits: &'a Limits,
    pub(super) options: &'a SearchOptions,
    pub(super) started: Instant,
    pub(super) control: &'a Control,
    pub(super) on_report: &'a (dyn Fn(&Report) + Sync),
}

impl Task<'_> {
    /// The report of a game that is over.
    pub(super) fn finished_report<P: Position>(&self, outcome: Outcome, root: &P) -> Report {
        let value = outcome_value(outcome, root.side_to_move());
        let (score, wdl) =
            if value == 0.5 { (Score::Centipawns(0), Wdl::DRAW) } else { (Score::Mate(0), Wdl::of_value(value)) };
        self.report_of(Line { score, wdl, visits: 0, pv: Vec::new() })
    }

    /// The report of a player that does not search.
    pub(super) fn static_report<P: Inputs>(&self, root: &P, chosen: Option<Move>) -> Report {
        let value = static_value(root, &self.options.evaluator(P::VARIANT));
        let pv = chosen.into_iter().collect();
        self.report_of(Line { score: Score::of_value(value), wdl: Wdl::of_value(value), visits: 1, pv })
    }

    fn report_of(&self, line: Line) -> Report {
        let depth = u32::from(!line.pv.is_empty());
        let nodes = u64::from(depth);
        Report { depth, seldepth: depth, nodes, hashfull: 0, time: self.started.elapsed(), lines: vec![line] }
    }

    /// An answer that is ready at once waits here until it may be given.
    pub(super) fn wait_for_leave(&self) {
        if !self.limits.infinite && !self.limits.ponder {
            return;
        }
        loop {
            match self.control.wait(None, true) {
                Wake::Stop => return,
                Wake::PonderHit(_) if !self.limits.infinite => return,
                _ => {}
            }
        }
    }
}
