//! One iteration of the search: select, expand, evaluate, back up.

use super::control::Control;
use super::leaf::{leaf_value, outcome_value};
use super::params::Tuning;
use super::past::Past;
use super::proof::Proof;
use super::tree::{Alone, MAX_VISITS, Node, NodeId, ROOT, Tree};
use crate::evaluation::{Evaluator, Inputs};
use crate::game::{MAX_MOVES, Move};
use arrayvec::ArrayVec;
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// What all workers of a search share and none changes, but for the tree and the counters.
pub(super) struct Shared<'a, P> {
    pub(super) tree: &'a Tree,
    pub(super) root: &'a P,
    pub(super) past: &'a Past,
    pub(super) evaluator: &'a Evaluator,
    pub(super) tuning: Tuning,
    pub(super) control: &'a Control,
    pub(super) counters: &'a [Alone<Counters>],
    pub(super) node_limit: Option<u64>,
    pub(super) depth_limit: Option<u32>,
    /// Iterations that workers have taken on so far; counted if there is a node limit.
    pub(super) claimed: Alone<AtomicU64>,
    pub(super) seed: u64,
}

/// What one worker has done.
#[derive(Debug, Default)]
pub(super) struct Counters {
    iterations: AtomicU64,
    depth_sum: AtomicU64,
    seldepth: AtomicU64,
}

/// The work of all workers together.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Totals {
    pub(super) iterations: u64,
    pub(super) depth_sum: u64,
    pub(super) seldepth: u64,
}

impl Totals {
    pub(super) fn of(counters: &[Alone<Counters>]) -> Totals {
        counters.iter().fold(Totals::default(), |totals, Alone(c)| Totals {
            iterations: totals.iterations + c.iterations.load(Ordering::Relaxed),
            depth_sum: totals.depth_sum + c.depth_sum.load(Ordering::Relaxed),
            seldepth: totals.seldepth.max(c.seldepth.load(Ordering::Relaxed)),
        })
    }

    /// Whether the mean depth of selection has reached `depth` plies.
    fn has_depth(self, depth: u32) -> bool {
        self.iterations > 0 && self.depth_sum >= self.iterations * u64::from(depth)
    }
}

/// How often a worker looks at what needs a sum over all workers: every so many of its iterations.
const LOOK_INTERVAL: u64 = 16;

/// One worker: its random numbers, and memory that it uses again and again.
pub(super) struct Worker<'a, P> {
    shared: &'a Shared<'a, P>,
    index: usize,
    rng: Xoshiro256PlusPlus,
    /// The nodes from the root to the present one.
    path: Vec<NodeId>,
    /// The keys of the positions on the path.
    keys: Vec<u64>,
}

type Children = ArrayVec<(Move, Option<Proof>), MAX_MOVES>;

impl<'a, P: Inputs> Worker<'a, P> {
    pub(super) fn new(shared: &'a Shared<'a, P>, index: usize) -> Worker<'a, P> {
        // Seeded by what the search is about and by nothing else, so that a search can be repeated.
        let seed = (shared.seed ^ shared.root.key().rotate_left(17)).wrapping_add((index as u64) << 48 | index as u64);
        Worker {
            shared,
            index,
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
            path: Vec::with_capacity(256),
            keys: Vec::with_capacity(256),
        }
    }

    /// Iterates until the search is halted, a limit is reached or the root is proved. After each iteration of the first
    /// worker, `watch` gets the number of its own iterations.
    pub(super) fn run(&mut self, mut watch: impl FnMut(u64)) {
        let Alone(counters) = &self.shared.counters[self.index];
        let mut done = 0;
        while self.may_go_on(done) {
            let depth = self.iterate() as u64;
            done += 1;
            counters.iterations.store(done, Ordering::Relaxed);
            counters.depth_sum.store(counters.depth_sum.load(Ordering::Relaxed) + depth, Ordering::Relaxed);
            counters.seldepth.fetch_max(depth, Ordering::Relaxed);
            if self.index == 0 {
                watch(done);
            }
        }
    }

    fn may_go_on(&self, done: u64) -> bool {
        let shared = self.shared;
        let root = shared.tree.node(ROOT);
        // One iteration there is always, however soon the stop comes, so that the answer rests on something; a proved root
        // needs none.
        let may_stop = done > 0 || self.index > 0;
        if may_stop && shared.control.is_stopped() || root.proof().is_some() || root.visits() >= MAX_VISITS {
            return false;
        }
        if let Some(depth) = shared.depth_limit
            && (done.is_multiple_of(LOOK_INTERVAL) || shared.counters.len() == 1)
            // In a full tree the depth that was asked for may never come.
            && (Totals::of(shared.counters).has_depth(depth) || shared.tree.is_full())
        {
            return false;
        }
        shared.node_limit.is_none_or(|limit| shared.claimed.0.fetch_add(1, Ordering::Relaxed) < limit)
    }

    /// One iteration; returns the depth of its selection in plies.
    fn iterate(&mut self) -> usize {
        let Shared { tree, root, tuning, .. } = self.shared;
        let mut position = (*root).clone();
        let mut node = tree.node(ROOT);
        self.path.clear();
        self.path.push(ROOT);
        self.keys.clear();
        self.keys.push(position.key());
        node.begin_visit();
        let value = loop {
            if let Some(proof) = node.proof() {
                break proof.value();
            }
            let children = match tree.children(node) {
                Some(children) => children,
                None => {
                    if node.visits() > tuning.expand_visits && self.expand(node, &position) {
                        continue;
                    }
                    break {
                        let mover = !position.side_to_move();
                        leaf_value(position, mover, self.shared.evaluator, tuning, &mut self.rng)
                    };
                }
            };
            let child = self.select(node, children);
            node = tree.node(child);
            position.play_unchecked(node.incoming_move());
            node.begin_visit();
            self.path.push(child);
            self.keys.push(position.key());
        };
        self.back_up(value);
        self.path.len() - 1
    }

    /// Gives the root its children, those of `moves`; the arena has room for them.
    pub(super) fn expand_root(&mut self, moves: &[Move]) {
        let Shared { tree, root, .. } = self.shared;
        self.keys.clear();
        self.keys.push(root.key());
        let children: Children = moves.iter().map(|&m| (m, self.proof_after(root, m))).collect();
        let node = tree.node(ROOT);
        if tree.claim_expansion(node) {
            tree.expand(node, &children);
            self.prove_from_children(node);
        }
    }

    /// Expands a leaf if nobody else does. A winning move makes all others needless.
    fn expand(&mut self, node: Node<'_>, position: &P) -> bool {
        let tree = self.shared.tree;
        if !tree.claim_expansion(node) {
            return false;
        }
        let mut children = Children::new();
        for m in position.movements() {
            let proof = self.proof_after(position, m);
            if matches!(proof, Some(Proof::Win(_))) {
                children.clear();
                children.push((m, proof));
                break;
            }
            children.push((m, proof));
        }
        if children.is_empty() || !tree.expand(node, &children) {
            return false;
        }
        self.prove_from_children(node);
        true
    }

    /// What the rules say about the position after `m`: a proof if the game is over there.
    fn proof_after(&self, position: &P, m: Move) -> Option<Proof> {
        let mut next = position.clone();
        if next.play_unchecked(m).endless {
            return Some(Proof::Draw(1));
        }
        if let Some(outcome) = next.outcome() {
            let value = outcome_value(outcome, position.side_to_move());
            return Some(if value > 0.5 { Proof::Win(1) } else { Proof::Loss(1) });
        }
        self.repeats(next.key()).then_some(Proof::Draw(1))
    }

    /// Rule G5b: whether a position after the present path has occurred before, in the game or on the path.
    fn repeats(&self, key: u64) -> bool {
        // The side to move is part of the key; positions of the other side are passed over.
        self.keys.iter().rev().skip(1).step_by(2).any(|&earlier| earlier == key) || self.shared.past.contains(key)
    }

    fn prove_from_children(&self, node: Node<'_>) {
        let tree = self.shared.tree;
        let children = tree.children(node).unwrap_or(ROOT..ROOT);
        if let Some(proof) = Proof::from_children(children.map(|id| tree.node(id).proof())) {
            node.prove(proof);
        }
    }

    /// The child with the largest upper confidence bound (UCB1: Auer, Cesa-Bianchi, Fischer 2002; UCT: Kocsis, Szepesvári
    /// 2006). Children that are proved lost are left out while there is another.
    fn select(&self, node: Node<'_>, children: Range<NodeId>) -> NodeId {
        let Shared { tree, tuning, .. } = self.shared;
        let parent = node.statistics();
        let log_visits = libm::log(f64::from(parent.visits.max(1)));
        // The node's own value is its opponent's, who moved into it.
        let unvisited = 1.0 - parent.value().unwrap_or(0.5) - tuning.fpu_reduction;
        let mut best = children.start;
        let mut best_bound = f64::NEG_INFINITY;
        for id in children {
            let child = tree.node(id).statistics();
            if matches!(child.proof, Some(Proof::Loss(_))) {
                continue;
            }
            let bound = child.value().unwrap_or(unvisited)
                + tuning.exploration * (log_visits / f64::from(child.visits.max(1))).sqrt();
            if bound > best_bound {
                best_bound = bound;
                best = id;
            }
        }
        best
    }

    /// Adds the value, which is for the side that moved into the last node of the path, to all nodes of the path, and
    /// carries proofs up.
    fn back_up(&self, mut value: f64) {
        let tree = self.shared.tree;
        let mut child_is_proved = false;
        for &id in self.path.iter().rev() {
            let node = tree.node(id);
            if child_is_proved {
                self.prove_from_children(node);
            }
            let proof = node.proof();
            if let Some(proof) = proof {
                value = proof.value();
            }
            child_is_proved = proof.is_some();
            node.end_visit(value);
            value = 1.0 - value;
        }
    }
}
