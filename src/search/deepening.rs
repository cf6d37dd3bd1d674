//! The eye on a running alpha-beta search: what came out at each depth, and what is told of it.

use super::allowance::Allowance;
use super::alphabeta::{AlphaBeta, Bounds, PROVED, Pass, RootMove, Table, plies_to_end};
use super::past::Past;
use super::report::{Line, Report, Score, Wdl};
use super::task::Task;
use super::timekeeper::Watched;
use crate::evaluation::{Inputs, Score256, win_probability};
use crate::game::Move;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// An alpha-beta search for a task.
pub(super) struct Deepening<'a> {
    task: Task<'a>,
    nodes: AtomicU64,
    state: Mutex<State>,
}

/// What is known so far.
#[derive(Default)]
struct State {
    depth: u32,
    seldepth: u32,
    fullness_per_mille: u32,
    /// Best first; empty before the first depth is done.
    moves: Vec<RootMove>,
    /// Passes in a row with the same best move.
    agreement: u32,
}

impl Watched for Deepening<'_> {
    fn has_answer(&self) -> bool {
        !self.state().moves.is_empty()
    }

    /// The last two depths agree.
    fn is_settled(&self) -> bool {
        self.state().agreement >= 2
    }

    fn send_report(&self) {
        // Held until the report is out, so that no older one follows a newer one.
        let state = self.state();
        if !state.moves.is_empty() {
            (self.task.on_report)(&self.report(&state));
        }
    }
}

impl<'a> Deepening<'a> {
    pub(super) fn new(task: Task<'a>) -> Deepening<'a> {
        Deepening { task, nodes: AtomicU64::new(0), state: Mutex::default() }
    }

    /// Searches `moves` of the root until a limit is reached, and reports each depth.
    pub(super) fn run<P: Inputs>(&self, root: &P, moves: &[Move], past: &Past, table: &Table) {
        let Task { limits, options, control, .. } = self.task;
        let evaluator = options.evaluator(P::VARIANT);
        let allowance = limits.nodes.map(Allowance::new);
        let bounds = Bounds {
            allowance: allowance.as_ref(),
            control: Some(control),
            counter: Some(&self.nodes),
            busy: None,
            exact: limits.mate.is_some(),
        };
        let mut search = AlphaBeta::new(&evaluator, table, past, bounds);
        let wanted = options.multi_pv.clamp(1, moves.len().max(1));
        // A win in so many moves takes at the most twice as many plies.
        let mate_plies = limits.mate.map_or(u32::MAX, |moves| moves.saturating_mul(2));
        let max_depth = limits.depth.unwrap_or(u32::MAX).min(mate_plies);
        let last = search.run(root, moves, max_depth, wanted, |pass| {
            self.nodes.store(pass.nodes, Ordering::Relaxed);
            self.state().take(&pass);
            self.send_report();
        });
        // What the depth that was broken off has found out counts too.
        let mut state = self.state();
        state.moves = last;
        state.moves.truncate(wanted);
        state.seldepth = state.seldepth.max(search.seldepth() as u32);
        self.nodes.store(search.nodes(), Ordering::Relaxed);
    }

    /// The best move.
    pub(super) fn best(&self) -> Option<Move> {
        self.state().moves.first().map(|m| m.first)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn report(&self, state: &State) -> Report {
        Report {
            depth: state.depth,
            seldepth: state.seldepth,
            nodes: self.nodes.load(Ordering::Relaxed),
            hashfull: state.fullness_per_mille,
            time: self.task.started.elapsed(),
            lines: state.moves.iter().map(line).collect(),
        }
    }
}

impl State {
    fn take(&mut self, pass: &Pass<'_>) {
        let same = self.moves.first().map(|m| m.first) == pass.moves.first().map(|m| m.first);
        self.agreement = if same { self.agreement + 1 } else { 1 };
        self.depth = pass.depth;
        self.seldepth = pass.seldepth;
        self.fullness_per_mille = pass.fullness_per_mille;
        self.moves = pass.moves.to_vec();
    }
}

/// What is told of a move.
fn line(root_move: &RootMove) -> Line {
    let RootMove { score, line, nodes, .. } = root_move;
    let (score, wdl) = reported(*score);
    Line { score, wdl, visits: u32::try_from(*nodes).unwrap_or(u32::MAX), pv: line.clone() }
}

fn reported(score: Score256) -> (Score, Wdl) {
    let plies = u16::try_from(plies_to_end(score)).unwrap_or(u16::MAX);
    if score >= PROVED {
        (Score::win_in(plies), Wdl::of_value(1.0))
    } else if score <= -PROVED {
        (Score::loss_in(plies), Wdl::of_value(0.0))
    } else {
        let value = win_probability(score);
        (Score::of_value(value), Wdl::of_value(value))
    }
}
