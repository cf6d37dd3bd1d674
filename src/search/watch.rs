//! The eye on a running tree search: what it has to report.

use super::proof::Proof;
use super::report::{Line, Report, Score, Wdl};
use super::scout::Opinion;
use super::selection::{known_score, worth};
use super::task::Task;
use super::timekeeper::Watched;
use super::tree::{NodeId, ROOT, Statistics, Tree};
use super::walk::Walk;
use super::worker::{Shared, Totals};
use crate::evaluation::{Inputs, win_probability};
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
        // The root has children before the search begins.
        true
    }

    /// The move to be chosen is also the most visited one.
    fn is_settled(&self) -> bool {
        if let Some(opinion) = self.shared.bulletin.latest() {
            return opinion.is_settled();
        }
        let ranked = self.ranked_children();
        let visits = |id: NodeId| self.shared.tree.node(id).visits();
        ranked.iter().map(|&id| visits(id)).max() == ranked.first().map(|&id| visits(id))
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

    /// The children of the root, best first: the choice of the scouts, if there are any, and what they have ranked; else, of those that
    /// were visited often, the one that is worth most; and then as `rank` says.
    pub(super) fn ranked_children(&self) -> Vec<NodeId> {
        let Shared { tree, tuning, bulletin, .. } = self.shared;
        let mut ranked = rank(tree, ROOT);
        let statistics = |id: NodeId| tree.node(id).statistics();
        let scouted = bulletin.ranking().moves;
        ranked.sort_by_cached_key(|&id| match statistics(id).proof {
            Some(Proof::Win(_)) => 0,
            Some(Proof::Loss(_)) => usize::MAX,
            Some(Proof::Draw(_)) | None => {
                let m = tree.node(id).incoming_move();
                1 + scouted.iter().position(|&(first, _)| first == m).unwrap_or(scouted.len())
            }
        });
        if ranked.first().is_some_and(|&first| matches!(statistics(first).proof, Some(Proof::Win(_)))) {
            return ranked;
        }
        let is_lost = |id: NodeId| matches!(statistics(id).proof, Some(Proof::Loss(_)));
        let chosen = |opinion: Opinion| {
            ranked.iter().position(|&id| tree.node(id).incoming_move() == opinion.best && !is_lost(id))
        };
        if let Some(place) = bulletin.latest().and_then(chosen) {
            ranked[..=place].rotate_right(1);
            return ranked;
        }
        let enough = f64::from(tree.node(ROOT).visits()) * OFTEN;
        let mut chosen: Option<(f64, usize)> = None;
        for (place, child) in ranked.iter().map(|&id| statistics(id)).enumerate() {
            let worth = worth(child, tuning);
            let is_lost = matches!(child.proof, Some(Proof::Loss(_)));
            if !is_lost && f64::from(child.visits) >= enough && chosen.is_none_or(|(most, _)| worth > most) {
                chosen = Some((worth, place));
            }
        }
        if let Some((_, place)) = chosen {
            ranked[..=place].rotate_right(1);
        }
        ranked
    }

    fn report(&self) -> Report {
        let Shared { counters, bulletin, .. } = self.shared;
        let totals = Totals::of(counters);
        let lines = self
            .ranked_children()
            .into_iter()
            .take(self.task.options.multi_pv.max(1))
            .map(|id| self.line(id))
            .collect();
        Report {
            depth: bulletin.latest().map_or(libm::round(totals.mean_depth()) as u32, |opinion| opinion.depth).max(1),
            seldepth: (totals.seldepth as u32).max(1),
            nodes: totals.nodes,
            hashfull: self.shared.tree.fullness_per_mille(),
            time: self.task.started.elapsed(),
            lines,
        }
    }

    /// The line that begins with a child of the root.
    fn line(&self, first: NodeId) -> Line {
        let statistics = self.shared.tree.node(first).statistics();
        let mut walk = Walk::of(self.shared, &self.path_from(first));
        let (score, wdl) = match statistics.proof {
            Some(Proof::Draw(_)) => (Score::of_value(0.5), Wdl::DRAW),
            Some(Proof::Win(plies)) => (Score::win_in(walk.finish(plies, true)), Wdl::of_value(1.0)),
            Some(Proof::Loss(plies)) => (Score::loss_in(walk.finish(plies, false)), Wdl::of_value(0.0)),
            None => {
                walk.follow_table();
                let m = self.shared.tree.node(first).incoming_move();
                let scouted = self.shared.bulletin.score(m);
                let value = scouted.map_or(value_of(statistics), win_probability);
                (Score::of_value(value), Wdl::of_value(value))
            }
        };
        Line { score, wdl, visits: statistics.visits, pv: walk.moves }
    }

    /// The nodes of all lines, as far as the tree goes.
    pub(super) fn lines(&self) -> Vec<Vec<NodeId>> {
        self.ranked_children().into_iter().map(|first| self.path_from(first)).collect()
    }

    /// The nodes of the line that begins with a child of the root.
    fn path_from(&self, first: NodeId) -> Vec<NodeId> {
        let tree = self.shared.tree;
        let mut path = vec![first];
        let mut at = first;
        while let Some(next) = next_in_line(tree, at) {
            let node = tree.node(next);
            if node.visits() == 0 && node.proof().is_none() {
                break;
            }
            path.push(next);
            at = next;
        }
        path
    }
}

/// The share of the visits of the root that a move must have to be chosen for its worth.
const OFTEN: f64 = 0.15;

/// The mean value of a node, before its first visit what is expected of it.
fn value_of(statistics: Statistics) -> f64 {
    statistics.value().unwrap_or_else(|| win_probability(known_score(statistics)))
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
            (class, within, value_of(statistics), id)
        })
        .collect();
    ranked.sort_by(|a, b| (b.0, b.1).cmp(&(a.0, a.1)).then(b.2.total_cmp(&a.2)).then(a.3.cmp(&b.3)));
    ranked.into_iter().map(|(.., id)| id).collect()
}
