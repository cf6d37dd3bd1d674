//! The eye on a running tree search: what it has to report.

use super::proof::Proof;
use super::report::{Line, Report, Score, Wdl};
use super::task::Task;
use super::timekeeper::Watched;
use super::tree::{NodeId, ROOT, Tree};
use super::worker::{Shared, Totals};
use crate::evaluation::Inputs;
use std::sync::{Mutex, PoisonError};

/// The eye on a running search.
pub(super) struct View<'a, P> {
    shared: &'a Shared<'a, P>,
    task: Task<'a>,
    /// Held while a report is made and sent, so that no older one follows a newer one.
    reporting: Mutex<()>,
}

impl<P: Inputs> Watched for View<'_, P> {
    fn has_answer(&self) -> bool {
        Totals::of(self.shared.counters).iterations > 0
    }

    /// The most visited move also has the best value.
    fn is_settled(&self) -> bool {
        let tree = self.shared.tree;
        let ranked = self.ranked_children();
        let value = |id: NodeId| tree.node(id).statistics().value().unwrap_or(0.0);
        let Some((&best, others)) = ranked.split_first() else { return true };
        tree.node(best).visits() > 0 && others.iter().all(|&other| value(other) <= value(best))
    }

    fn send_report(&self) {
        let _reporting = self.reporting.lock().unwrap_or_else(PoisonError::into_inner);
        (self.task.on_report)(&self.report());
    }
}

impl<'a, P: Inputs> View<'a, P> {
    pub(super) fn new(shared: &'a Shared<'a, P>, task: Task<'a>) -> View<'a, P> {
        View { shared, task, reporting: Mutex::new(()) }
    }

    /// The children of the root, best first.
    pub(super) fn ranked_children(&self) -> Vec<NodeId> {
        rank(self.shared.tree, ROOT)
    }

    fn report(&self) -> Report {
        let totals = Totals::of(self.shared.counters);
        let mean_depth = totals.depth_sum as f64 / totals.iterations.max(1) as f64;
        let lines = self
            .ranked_children()
            .into_iter()
            .take(self.task.options.multi_pv.max(1))
            .map(|id| self.line(id))
            .collect();
        Report {
            depth: (libm::round(mean_depth) as u32).max(1),
            seldepth: (totals.seldepth as u32).max(1),
            nodes: totals.iterations,
            hashfull: self.shared.tree.fullness_per_mille(),
            time: self.task.started.elapsed(),
            lines,
        }
    }

    /// The line that begins with a child of the root.
    fn line(&self, first: NodeId) -> Line {
        let tree = self.shared.tree;
        let statistics = tree.node(first).statistics();
        let (score, wdl) = match statistics.proof {
            Some(Proof::Win(plies)) => (Score::win_in(plies), Wdl::of_value(1.0)),
            Some(Proof::Loss(plies)) => (Score::loss_in(plies), Wdl::of_value(0.0)),
            Some(Proof::Draw(_)) => (Score::of_value(0.5), Wdl::DRAW),
            None => {
                let value = statistics.value().unwrap_or(0.5);
                (Score::of_value(value), Wdl::of_value(value))
            }
        };
        let mut pv = vec![tree.node(first).incoming_move()];
        let mut at = first;
        while let Some(next) = next_in_line(tree, at) {
            let node = tree.node(next);
            if node.visits() == 0 && node.proof().is_none() {
                break;
            }
            pv.push(node.incoming_move());
            at = next;
        }
        Line { score, wdl, visits: statistics.visits, pv }
    }
}

/// The child with which a line goes on: where a proof says how the game ends, the one it rests on, so that the line is as
/// long as the proof says.
fn next_in_line(tree: &Tree, at: NodeId) -> Option<NodeId> {
    let node = tree.node(at);
    let reason = node.proof().map(Proof::reason);
    let rests_on = |proof| tree.children(node)?.find(|&id| tree.node(id).proof() == Some(proof));
    reason.and_then(rests_on).or_else(|| rank(tree, at).first().copied())
}

/// The children of a node, best first for the side to move in it: a proved win, the shortest first; then by visits; then
/// proved losses, the longest first. Ties by value, then in the order of the legal moves.
fn rank(tree: &Tree, parent: NodeId) -> Vec<NodeId> {
    let Some(children) = tree.children(tree.node(parent)) else { return Vec::new() };
    let mut ranked: Vec<_> = children
        .map(|id| {
            let statistics = tree.node(id).statistics();
            let (class, within) = match statistics.proof {
                Some(Proof::Win(plies)) => (2, i64::from(u16::MAX - plies)),
                Some(Proof::Loss(plies)) => (0, i64::from(plies)),
                Some(Proof::Draw(_)) | None => (1, i64::from(statistics.visits)),
            };
            (class, within, statistics.value().unwrap_or(0.0), id)
        })
        .collect();
    ranked.sort_by(|a, b| (b.0, b.1).cmp(&(a.0, a.1)).then(b.2.total_cmp(&a.2)).then(a.3.cmp(&b.3)));
    ranked.into_iter().map(|(.., id)| id).collect()
}
