//! One iteration of the search: select, expand, evaluate, back up.

use super::allowance::Allowance;
use super::alphabeta::{AlphaBeta, Bounds, Busy, Table, WIN};
use super::control::Control;
use super::forced::Forced;
use super::leaf::playout_value;
use super::params::Tuning;
use super::past::Past;
use super::proof::Proof;
use super::proving::Attempt;
use super::scout::{Bulletin, Scout};
use super::selection::{known_score, puct, uct};
use super::tree::{Alone, MAX_VISITS, Node, NodeId, ROOT, Tree};
use crate::evaluation::{Evaluator, Inputs, Score256, win_probability};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use std::sync::atomic::{AtomicU64, Ordering};

/// What all workers of a search share and none changes, but for the tree and the counters.
pub(super) struct Shared<'a, P> {
    pub(super) tree: &'a Tree,
    pub(super) table: &'a Table,
    pub(super) root: &'a P,
    pub(super) past: &'a Past,
    pub(super) evaluator: &'a Evaluator,
    pub(super) tuning: Tuning,
    pub(super) control: &'a Control,
    pub(super) counters: &'a [Alone<Counters>],
    pub(super) bulletin: &'a Bulletin,
    /// What the scouts are at, if there are several.
    pub(super) busy: Option<&'a Busy>,
    pub(super) allowance: Option<&'a Allowance>,
    pub(super) depth_limit: Option<u32>,
    /// How many lines are asked for.
    pub(super) multi_pv: usize,
    /// Whether a full tree is pruned, for which the workers end; else it stays as it is and leaves are searched deeper.
    pub(super) prunes: bool,
    pub(super) seed: u64,
}

/// What one worker has done.
#[derive(Debug, Default)]
pub(super) struct Counters {
    iterations: AtomicU64,
    nodes: AtomicU64,
    depth_sum: AtomicU64,
    seldepth: AtomicU64,
}

/// The work of all workers together.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Totals {
    pub(super) iterations: u64,
    /// Positions looked at: one an iteration, and those of the searches from the leaves.
    pub(super) nodes: u64,
    pub(super) depth_sum: u64,
    pub(super) seldepth: u64,
}

impl Totals {
    pub(super) fn of(counters: &[Alone<Counters>]) -> Totals {
        counters.iter().fold(Totals::default(), |totals, Alone(c)| Totals {
            iterations: totals.iterations + c.iterations.load(Ordering::Relaxed),
            nodes: totals.nodes + c.nodes.load(Ordering::Relaxed),
            depth_sum: totals.depth_sum + c.depth_sum.load(Ordering::Relaxed),
            seldepth: totals.seldepth.max(c.seldepth.load(Ordering::Relaxed)),
        })
    }

    /// How many plies the iterations looked ahead, on average.
    pub(super) fn mean_depth(self) -> f64 {
        self.depth_sum as f64 / self.iterations.max(1) as f64
    }

    /// Whether the iterations looked `depth` plies ahead, on average.
    fn has_depth(self, depth: u32) -> bool {
        self.iterations > 0 && self.depth_sum >= self.iterations * u64::from(depth)
    }
}

/// How often a worker looks at what needs a sum over all workers: every so many of its iterations.
const LOOK_INTERVAL: u64 = 16;

/// One worker: its random numbers, and memory that it uses again and again.
pub(super) struct Worker<'a, P> {
    pub(super) shared: &'a Shared<'a, P>,
    index: usize,
    rng: Xoshiro256PlusPlus,
    pub(super) leaves: AlphaBeta<'a>,
    /// Nodes that the counters know of.
    told_nodes: u64,
    pub(super) forced: Forced<'a>,
    pub(super) attempt: Attempt<P>,
    /// In a game that has scouts.
    scout: Option<Scout<'a>>,
    parallel: bool,
    /// The nodes from the root to the present one.
    path: Vec<NodeId>,
    /// The keys of the positions on the path.
    pub(super) keys: Vec<u64>,
}

/// Adds to a counter that has one writer.
fn add(counter: &AtomicU64, number: u64) {
    counter.store(counter.load(Ordering::Relaxed) + number, Ordering::Relaxed);
}

impl<'a, P: Inputs> Worker<'a, P> {
    pub(super) fn new(shared: &'a Shared<'a, P>, index: usize) -> Worker<'a, P> {
        let bounds = Bounds { allowance: shared.allowance, control: Some(shared.control), ..Bounds::default() };
        // Seeded by what the search is about and by nothing else, so that a search can be repeated.
        let seed = (shared.seed ^ shared.root.key().rotate_left(17)).wrapping_add((index as u64) << 48 | index as u64);
        let mut leaves = AlphaBeta::new(shared.evaluator, shared.table, shared.past, bounds);
        leaves.may_stop();
        Worker {
            shared,
            index,
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
            leaves,
            told_nodes: 0,
            forced: Forced::new(shared.past, Some(shared.control)),
            attempt: Attempt::first(),
            scout: None,
            parallel: shared.counters.len() > 1,
            path: Vec::with_capacity(256),
            keys: Vec::with_capacity(256),
        }
    }

    /// Iterates until the search is halted, a limit is reached or the root is proved. After each iteration of the first
    /// worker, and where a scout has looked farther ahead than any before, `watch` gets the number of this worker's iterations, and
    /// whether it is called for the scout.
    pub(super) fn run(&mut self, mut watch: impl FnMut(u64, bool)) {
        let Alone(counters) = &self.shared.counters[self.index];
        let mut done = 0;
        self.scout = (self.shared.tuning.scout_share > 0).then(|| Scout::new(self.shared));
        while self.may_go_on(done)
            && let Some(depth) = self.iterate()
        {
            done += 1;
            add(&counters.iterations, 1);
            add(&counters.depth_sum, depth);
            counters.seldepth.fetch_max(depth, Ordering::Relaxed);
            self.count_nodes();
            if self.index == 0 {
                watch(done, false);
                self.attempt_proof();
            }
            if let Some(scout) = &mut self.scout {
                let is_news = scout.go_on(self.shared, self.leaves.nodes());
                counters.seldepth.fetch_max(scout.seldepth(), Ordering::Relaxed);
                self.count_nodes();
                if is_news {
                    watch(done, true);
                }
            }
        }
        self.count_nodes();
        if self.index == 0 && self.shared.tree.node(ROOT).proof().is_some() {
            self.refine_root_proof();
        }
    }

    /// Tells how many nodes there were since the last time.
    pub(super) fn count_nodes(&mut self) {
        let Alone(counters) = &self.shared.counters[self.index];
        let nodes = self.nodes();
        add(&counters.nodes, nodes - self.told_nodes);
        self.told_nodes = nodes;
    }

    /// Positions that were looked at, those of the scout included.
    pub(super) fn nodes(&self) -> u64 {
        self.leaves.nodes() + self.scout.as_ref().map_or(0, Scout::nodes)
    }

    fn may_go_on(&self, done: u64) -> bool {
        let shared = self.shared;
        let root = shared.tree.node(ROOT);
        let looks = done.is_multiple_of(LOOK_INTERVAL);
        // Reading the clock takes as long as a small part of a leaf search, but a large one of an iteration without.
        let over =
            if looks || shared.tuning.leaf_depth > 0 { shared.control.is_over() } else { shared.control.is_stopped() };
        if over || root.proof().is_some() || root.visits() >= MAX_VISITS {
            return false;
        }
        if shared.prunes && shared.tree.is_full() {
            shared.control.request_pause();
            return false;
        }
        // In a full tree that is not pruned the depth that was asked for may never come.
        shared.depth_limit.is_none_or(|depth| {
            !(looks || shared.counters.len() == 1)
                || !self.has_depth(depth) && (shared.prunes || !shared.tree.is_full())
        })
    }

    /// Whether the search has looked `depth` plies ahead, the scouts if there are any, else the iterations on average.
    fn has_depth(&self, depth: u32) -> bool {
        match self.shared.bulletin.latest() {
            Some(opinion) => opinion.depth >= depth,
            None => Totals::of(self.shared.counters).has_depth(depth),
        }
    }

    /// One iteration; returns how deep it looked, in plies, or `None` if it was broken off.
    fn iterate(&mut self) -> Option<u64> {
        let Shared { tree, root, tuning, .. } = self.shared;
        let mut position = (*root).clone();
        let mut node = tree.node(ROOT);
        self.path.clear();
        self.path.push(ROOT);
        self.keys.clear();
        self.keys.push(position.key());
        let mut expected = None;
        let mut depth = 0;
        let value = loop {
            if let Some(proof) = node.proof() {
                break self.leaves.take_node().then(|| proof.value());
            }
            let children = match tree.children(node) {
                Some(children) => children,
                None => {
                    if node.visits() >= tuning.expand_visits && self.expand(node, &position) {
                        continue;
                    }
                    depth = leaf_depth(node, tuning);
                    break self.leaf(node, position, depth, expected);
                }
            };
            expected = Some(node.score());
            let child = match tuning.leaf_depth {
                0 => uct(tree, node, children, tuning.exploration),
                _ => puct(tree, node, children, tuning),
            };
            node = tree.node(child);
            position.play_unchecked(node.incoming_move());
            if self.parallel {
                node.begin_visit();
            }
            self.path.push(child);
            self.keys.push(position.key());
        };
        self.back_up(value);
        value.map(|_| u64::from(depth) + self.path.len() as u64 - 1)
    }

    /// The value of a leaf for the side that moved into it, in 0..=1, from a search of so many plies, or from a random game if
    /// there are none; `expected` is the score of its parent. `None` if the search is to stop.
    fn leaf(&mut self, node: Node<'_>, position: P, depth: u32, expected: Option<Score256>) -> Option<f64> {
        let Shared { tuning, evaluator, .. } = self.shared;
        if depth == 0 {
            let mover = !position.side_to_move();
            return self.leaves.take_node().then(|| playout_value(position, mover, evaluator, &mut self.rng));
        }
        let window = expected.map_or((-WIN, WIN), |score| (score - tuning.leaf_window, score + tuning.leaf_margin));
        let score = self.leaves.search_leaf(&position, &self.keys, depth as i32, window)?;
        node.set_score(-score);
        self.confirm_leaf(node, &position, score);
        Some(win_probability(-score))
    }

    /// Proves a node if the proofs of its children say enough.
    pub(super) fn prove_from_children(&self, node: Node<'_>) {
        let tree = self.shared.tree;
        let children = tree.children(node).unwrap_or(ROOT..ROOT);
        if let Some(proof) = Proof::from_children(children.map(|id| tree.node(id).proof())) {
            node.prove(proof);
        }
    }

    /// Gives a node its score from the scores of its children; whether that changes it.
    fn score_from_children(&self, node: Node<'_>) -> bool {
        let tree = self.shared.tree;
        let children = tree.children(node).unwrap_or(ROOT..ROOT);
        let Some(best) = children.map(|id| known_score(tree.node(id).statistics())).max() else { return false };
        // What is written, the other workers have to fetch again.
        let changes = node.score() != -best;
        if changes {
            node.set_score(-best);
        }
        changes
    }

    /// Adds the value, which is for the side that moved into the last node of the path, to all nodes of the path, and
    /// carries proofs and scores up. Without a value the visit only ends.
    fn back_up(&self, mut value: Option<f64>) {
        let tree = self.shared.tree;
        let minimax = self.shared.tuning.leaf_depth > 0;
        let mut child_is_proved = false;
        let mut child_has_changed = true;
        for (height, &id) in self.path.iter().rev().enumerate() {
            let node = tree.node(id);
            if self.parallel && id != ROOT {
                node.end_visit();
            }
            let Some(value) = &mut value else { continue };
            if child_is_proved {
                self.prove_from_children(node);
            }
            if minimax && height > 0 {
                child_has_changed = (child_has_changed || child_is_proved) && self.score_from_children(node);
            }
            let proof = node.proof();
            if let Some(proof) = proof {
                *value = proof.value();
            }
            child_is_proved = proof.is_some();
            node.add_value(*value);
            *value = 1.0 - *value;
        }
    }
}

/// How deep the search from a leaf goes, in plies: a leaf that stays one is searched deeper and deeper.
fn leaf_depth(node: Node<'_>, tuning: &Tuning) -> u32 {
    match tuning.leaf_depth {
        0 => 0,
        depth => depth + (node.visits() + 1).ilog2(),
    }
}
