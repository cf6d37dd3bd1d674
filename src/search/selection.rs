//! Which child an iteration goes down to.

use super::alphabeta::WIN;
use super::params::Tuning;
use super::proof::Proof;
use super::tree::{Node, NodeId, Statistics, Tree};
use crate::evaluation::{Score256, win_probability};
use std::ops::Range;

/// The child to go down to, by PUCT (Rosin, 2011) on a mixture of mean and minimax values (implicit minimax backups: Lanctot
/// et al., 2014): the one with the largest
///
/// `w m + (1 - w) q + c p sqrt(N) / (1 + n)`
///
/// where m is the win probability of the child's minimax score, q its mean value, p its prior, n its visits and N those of
/// the node; w is `MinimaxWeight` and c `Exploration`. A child without visits has m alone. Visits under way count in n and
/// N, and weigh on the value as losses (virtual loss). Children that are proved lost are left out while there is another.
pub(super) fn puct(tree: &Tree, node: Node<'_>, children: Range<NodeId>, tuning: &Tuning) -> NodeId {
    let curiosity = tuning.exploration * f64::from(node.statistics().all_visits().max(1)).sqrt();
    best(tree, children, |child| {
        let mut value = worth(child, tuning);
        if child.under_way > 0 {
            let visits = f64::from(child.visits + 1);
            value *= visits / (visits + f64::from(child.under_way));
        }
        value + curiosity * child.prior / f64::from(1 + child.all_visits())
    })
}

/// What a child is worth to the side that moves into it, in 0..=1: a mixture of its minimax and its mean value.
pub(super) fn worth(child: Statistics, tuning: &Tuning) -> f64 {
    let minimax = win_probability(known_score(child));
    match child.value() {
        Some(mean) => tuning.minimax_weight * minimax + (1.0 - tuning.minimax_weight) * mean,
        None => minimax,
    }
}

/// The child to go down to, by UCT (Kocsis, Szepesvári, 2006): the one with the largest `q + c sqrt(ln N / n)`. Visits under
/// way count as losses. Each child is visited once before any is visited twice.
pub(super) fn uct(tree: &Tree, node: Node<'_>, children: Range<NodeId>, exploration: f64) -> NodeId {
    let log_visits = libm::log(f64::from(node.statistics().all_visits().max(1)));
    best(tree, children, |child| {
        let value = match (child.proof, child.all_visits()) {
            (Some(proof), _) => proof.value(),
            (None, 0) => return f64::INFINITY,
            (None, visits) => child.sum / f64::from(visits),
        };
        value + exploration * (log_visits / f64::from(child.all_visits().max(1))).sqrt()
    })
}

/// The first child with the largest bound, proved losses left out.
#[inline]
fn best(tree: &Tree, children: Range<NodeId>, bound: impl Fn(Statistics) -> f64) -> NodeId {
    let mut best = children.start;
    let mut best_bound = f64::NEG_INFINITY;
    for id in children {
        let child = tree.node(id).statistics();
        if matches!(child.proof, Some(Proof::Loss(_))) {
            continue;
        }
        let bound = bound(child);
        if bound > best_bound {
            best_bound = bound;
            best = id;
        }
    }
    best
}

/// The score of a node, of a proved one by its proof.
#[inline]
pub(super) fn known_score(node: Statistics) -> Score256 {
    match node.proof {
        Some(Proof::Win(plies)) => WIN - Score256::from(plies.min(1000)),
        Some(Proof::Draw(_)) => 0,
        Some(Proof::Loss(plies)) => Score256::from(plies.min(1000)) - WIN,
        None => node.score,
    }
}
