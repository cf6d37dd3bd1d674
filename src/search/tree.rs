//! The shared search tree: nodes of 24 bytes in one preallocated arena, read and written by all workers without locks.

use super::atomic::{AtomicU32, AtomicU64, Ordering, try_zeroed_slice_box};
use super::proof::Proof;
use crate::evaluation::Score256;
use crate::game::{MAX_MOVES, Move};

/// The index of a node in the arena.
pub(super) type NodeId = u32;

/// The root is always the first node. No node has it as a child, so 0 also means "no children".
pub(super) const ROOT: NodeId = 0;

/// One visit's value of 1.0 in fixed point. Sums stay below 2^56 for 2^32 visits.
const ONE: f64 = (1_u64 << 24) as f64;

/// No node is visited more often, since the count has 32 bits; a margin is left for visits under way.
pub(super) const MAX_VISITS: u32 = u32::MAX - (1 << 16);

/// The words of a node.
///
/// 0: the sum of its values in fixed point. 1: visits in the low half, the first child in the high half. 2, from bit 0 on:
/// the move (8 bits), the number of children (6), the claim to expand (1), visits under way (9), the prior (7, and one
/// unused), the score (16), the proof (16).
///
/// Values, scores and proofs are from the viewpoint of the side that moved into the node. An array of atomics is all zeros
/// when the operating system hands it out, so a tree of any size is ready at once.
type Words = [AtomicU64; 3];

const CHILD_COUNT_SHIFT: u32 = 8;
const CHILD_COUNT_MASK: u64 = 0x3f;
const EXPANDING: u64 = 1 << 14;
const UNDER_WAY_SHIFT: u32 = 15;
const UNDER_WAY_MASK: u64 = 0x1ff;
const PRIOR_SHIFT: u32 = 24;
const PRIOR_MASK: u64 = 0x7f;
const SCORE_SHIFT: u32 = 32;
const SCORE_MASK: u64 = 0xffff << SCORE_SHIFT;
const PROOF_SHIFT: u32 = 48;
const FIRST_CHILD_SHIFT: u32 = 32;

/// The arena.
pub(super) struct Tree {
    nodes: Box<[Words]>,
    /// Nodes handed out so far; may exceed the capacity once the arena is full.
    used: Alone<AtomicU32>,
}

/// A value with cache lines of its own: what all workers write must not share a line with what all of them read.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(super) struct Alone<T>(pub(super) T);

/// A node, for as long as the tree is searched.
#[derive(Clone, Copy)]
pub(super) struct Node<'a>(&'a Words);

/// What a worker reads of a node on its way down.
#[derive(Clone, Copy)]
pub(super) struct Statistics {
    /// Finished visits.
    pub(super) visits: u32,
    /// Visits under way.
    pub(super) under_way: u32,
    /// The sum of the values of the finished visits, 1.0 for a win of the side that moved into the node.
    pub(super) sum: f64,
    /// The share of the visits that the node is expected to deserve, in 0..=1.
    pub(super) prior: f64,
    /// The minimax score of what is below the node; before its first visit what is expected of it.
    pub(super) score: Score256,
    pub(super) proof: Option<Proof>,
}

impl Statistics {
    /// The mean value; exact where the result is proved. `None` without finished visits.
    #[inline]
    pub(super) fn value(self) -> Option<f64> {
        match self.proof {
            Some(proof) => Some(proof.value()),
            None => (self.visits > 0).then(|| self.sum / f64::from(self.visits)),
        }
    }

    /// Finished visits and those under way.
    #[inline]
    pub(super) fn all_visits(self) -> u32 {
        self.visits + self.under_way
    }
}

/// A child to be.
#[derive(Clone, Copy)]
pub(super) struct Seedling {
    pub(super) m: Move,
    pub(super) proof: Option<Proof>,
    /// What is expected of it, for the side that moves into it.
    pub(super) score: Score256,
    /// The share of the visits that it is expected to deserve, in 0..=1.
    pub(super) prior: f64,
}

impl Tree {
    /// The size of a node.
    pub(super) const BYTES_PER_NODE: usize = size_of::<Words>();

    /// A tree that may use so many bytes, or `None` if the memory is not to be had.
    pub(super) fn with_bytes(bytes: usize) -> Option<Tree> {
        // A margin below 2^32 keeps the count of used nodes from wrapping, however many workers find the arena full at once.
        let capacity = (bytes / Self::BYTES_PER_NODE).min(u32::MAX as usize - (1 << 20));
        let nodes = try_zeroed_slice_box(capacity.max(1)).ok()?;
        Some(Tree { nodes, used: Alone(AtomicU32::new(1)) })
    }

    /// Forgets all nodes and makes a new root.
    pub(super) fn reset(&mut self) {
        self.used.0 = AtomicU32::new(1);
        self.node(ROOT).init(0, 0, 0.0);
    }

    #[inline]
    pub(super) fn node(&self, id: NodeId) -> Node<'_> {
        Node(&self.nodes[id as usize])
    }

    /// Whether a node might find no room for children any more.
    #[inline]
    pub(super) fn is_full(&self) -> bool {
        u64::from(self.used.0.load(Ordering::Relaxed)) + MAX_MOVES as u64 > self.nodes.len() as u64
    }

    /// The share of the arena that is used, in per mille.
    pub(super) fn fullness_per_mille(&self) -> u32 {
        let used = u64::from(self.used.0.load(Ordering::Relaxed)).min(self.nodes.len() as u64);
        (used * 1000 / self.nodes.len() as u64) as u32
    }

    /// The children of a node, in the order of the legal moves; `None` before it is expanded.
    #[inline]
    pub(super) fn children(&self, node: Node<'_>) -> Option<std::ops::Range<NodeId>> {
        // Acquire pairs with the release in `Node::publish`: whoever sees the first child sees the children's words.
        let first = (node.0[1].load(Ordering::Acquire) >> FIRST_CHILD_SHIFT) as u32;
        (first != 0).then(|| {
            let count = node.0[2].load(Ordering::Relaxed) >> CHILD_COUNT_SHIFT & CHILD_COUNT_MASK;
            first..first + count as u32
        })
    }

    /// Claims the right to expand a node; only one caller ever gets it.
    #[inline]
    pub(super) fn claim_expansion(&self, node: Node<'_>) -> bool {
        node.0[2].fetch_or(EXPANDING, Ordering::Relaxed) & EXPANDING == 0
    }

    /// Gives a claimed node its children. If the arena is full it stays a leaf for good, and the answer is `false`.
    pub(super) fn expand(&self, node: Node<'_>, children: &[Seedling]) -> bool {
        let count = children.len() as u32;
        // Checked before the addition, so that a full arena cannot make the counter wrap.
        if u64::from(self.used.0.load(Ordering::Relaxed)) + u64::from(count) > self.nodes.len() as u64 {
            return false;
        }
        let first = self.used.0.fetch_add(count, Ordering::Relaxed);
        if u64::from(first) + u64::from(count) > self.nodes.len() as u64 {
            return false;
        }
        for (id, &Seedling { m, proof, score, prior }) in (first..).zip(children) {
            let child = self.node(id);
            child.init(m.to_byte(), score, prior);
            if let Some(proof) = proof {
                child.prove(proof);
            }
        }
        node.0[2].fetch_or(u64::from(count) << CHILD_COUNT_SHIFT, Ordering::Relaxed);
        node.0[1].fetch_add(u64::from(first) << FIRST_CHILD_SHIFT, Ordering::Release);
        true
    }
}

fn score_bits(score: Score256) -> u64 {
    u64::from(score as i16 as u16) << SCORE_SHIFT
}

impl Node<'_> {
    fn init(self, move_byte: u8, score: Score256, prior: f64) {
        let prior = libm::round(prior.clamp(0.0, 1.0) * PRIOR_MASK as f64) as u64;
        self.0[0].store(0, Ordering::Relaxed);
        self.0[1].store(0, Ordering::Relaxed);
        self.0[2].store(u64::from(move_byte) | prior << PRIOR_SHIFT | score_bits(score), Ordering::Relaxed);
    }

    /// The move that led into the node; of no meaning for the root.
    #[inline]
    pub(super) fn incoming_move(self) -> Move {
        Move::from_byte(self.0[2].load(Ordering::Relaxed) as u8)
    }

    /// Says that a visit is under way, which keeps other workers away (virtual loss).
    #[inline]
    pub(super) fn begin_visit(self) {
        self.0[2].fetch_add(1 << UNDER_WAY_SHIFT, Ordering::Relaxed);
    }

    /// Says that a visit that was begun is not under way any more.
    #[inline]
    pub(super) fn end_visit(self) {
        self.0[2].fetch_sub(1 << UNDER_WAY_SHIFT, Ordering::Relaxed);
    }

    /// Adds the value of a visit, in 0..=1 from the viewpoint of the side that moved into the node.
    #[inline]
    pub(super) fn add_value(self, value: f64) {
        // An integer sum: the order of the additions cannot change it.
        self.0[0].fetch_add((value * ONE) as u64, Ordering::Relaxed);
        self.0[1].fetch_add(1, Ordering::Relaxed);
    }

    /// Finished visits.
    #[inline]
    pub(super) fn visits(self) -> u32 {
        self.0[1].load(Ordering::Relaxed) as u32
    }

    #[inline]
    pub(super) fn statistics(self) -> Statistics {
        let word = self.0[2].load(Ordering::Relaxed);
        Statistics {
            visits: self.visits(),
            under_way: (word >> UNDER_WAY_SHIFT & UNDER_WAY_MASK) as u32,
            sum: self.0[0].load(Ordering::Relaxed) as f64 / ONE,
            prior: (word >> PRIOR_SHIFT & PRIOR_MASK) as f64 / PRIOR_MASK as f64,
            score: Score256::from((word >> SCORE_SHIFT) as u16 as i16),
            proof: Proof::from_bits((word >> PROOF_SHIFT) as u16),
        }
    }

    #[inline]
    pub(super) fn proof(self) -> Option<Proof> {
        Proof::from_bits((self.0[2].load(Ordering::Relaxed) >> PROOF_SHIFT) as u16)
    }

    #[inline]
    pub(super) fn score(self) -> Score256 {
        Score256::from((self.0[2].load(Ordering::Relaxed) >> SCORE_SHIFT) as u16 as i16)
    }

    /// Sets the minimax score.
    #[inline]
    pub(super) fn set_score(self, score: Score256) {
        let bits = score_bits(score);
        let _ = self.0[2].fetch_update(Ordering::Relaxed, Ordering::Relaxed, |word| Some(word & !SCORE_MASK | bits));
    }

    /// Replaces a proof by one with the same winner and a truer distance, or records it.
    pub(super) fn refine_proof(self, proof: Proof) {
        let bits = u64::from(proof.to_bits()) << PROOF_SHIFT;
        let rest = (1 << PROOF_SHIFT) - 1;
        let _ = self.0[2].fetch_update(Ordering::Relaxed, Ordering::Relaxed, |word| Some(word & rest | bits));
    }

    /// Records a proof, unless one is there: the first one stays, so its distance fits the proofs below it.
    pub(super) fn prove(self, proof: Proof) {
        let bits = u64::from(proof.to_bits()) << PROOF_SHIFT;
        let free = |word: u64| (word >> PROOF_SHIFT == 0).then_some(word | bits);
        // Failing means that another worker proved the node first, which is as good.
        let _ = self.0[2].fetch_update(Ordering::Relaxed, Ordering::Relaxed, free);
    }
}

mod pruning;

#[cfg(all(test, loom))]
mod model;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Pit, Row};

    fn tree() -> Tree {
        let mut tree = Tree::with_bytes(1 << 20).unwrap();
        tree.reset();
        tree
    }

    fn seedling(number: u8, proof: Option<Proof>) -> Seedling {
        Seedling { m: some_move(number), proof, score: -300, prior: 0.25 }
    }

    fn some_move(number: u8) -> Move {
        Move::of_pit(Pit::new(Row::Front, number).unwrap())
    }

    #[test]
    fn a_node_has_24_bytes() {
        assert_eq!(Tree::BYTES_PER_NODE, 24);
    }

    #[test]
    fn children_are_seen_whole_and_only_once() {
        let tree = tree();
        let root = tree.node(ROOT);
        assert!(tree.children(root).is_none());
        assert!(tree.claim_expansion(root));
        assert!(!tree.claim_expansion(root));
        assert!(tree.expand(root, &[seedling(3, None), seedling(5, Some(Proof::Win(1)))]));
        let ids: Vec<NodeId> = tree.children(root).unwrap().collect();
        assert_eq!(ids.len(), 2);
        assert_eq!(tree.node(ids[1]).incoming_move(), some_move(5));
        assert_eq!(tree.node(ids[0]).proof(), None);
        assert_eq!(tree.node(ids[1]).proof(), Some(Proof::Win(1)));
    }

    #[test]
    fn the_parts_of_a_node_do_not_touch_each_other() {
        let tree = tree();
        let root = tree.node(ROOT);
        assert!(tree.claim_expansion(root) && tree.expand(root, &[seedling(3, None); 32]));
        let id = tree.children(root).unwrap().last().unwrap();
        let child = tree.node(id);
        let prior = child.statistics().prior;
        assert!((prior - 0.25).abs() < 0.01);
        assert_eq!((child.statistics().value(), child.score()), (None, -300));
        for _ in 0..256 {
            child.begin_visit();
        }
        child.set_score(31_999);
        child.add_value(0.75);
        child.add_value(0.25);
        assert_eq!((child.statistics().under_way, child.statistics().all_visits()), (256, 258));
        assert_eq!((child.score(), child.statistics().value(), child.proof()), (31_999, Some(0.5), None));
        child.prove(Proof::Loss(7));
        child.set_score(-32_000);
        for _ in 0..256 {
            child.end_visit();
        }
        assert_eq!((child.score(), child.proof(), child.statistics().under_way), (-32_000, Some(Proof::Loss(7)), 0));
        assert_eq!((child.incoming_move(), child.statistics().prior), (some_move(3), prior));
        assert!(tree.claim_expansion(child) && !tree.claim_expansion(child) && tree.children(child).is_none());
    }

    #[test]
    fn the_first_proof_stays() {
        let tree = tree();
        let root = tree.node(ROOT);
        root.prove(Proof::Loss(4));
        root.prove(Proof::Win(1));
        assert_eq!(root.proof(), Some(Proof::Loss(4)));
        assert_eq!(root.statistics().value(), Some(0.0));
    }

    #[test]
    fn a_full_arena_refuses_and_stays_intact() {
        let tree = tree();
        let children = [seedling(1, None); 30];
        let mut parent = ROOT;
        while tree.expand(tree.node(parent), &children) {
            parent = tree.children(tree.node(parent)).unwrap().start;
        }
        assert!(tree.fullness_per_mille() > 990);
        assert!(tree.children(tree.node(parent)).is_none());
        assert!(!tree.expand(tree.node(parent), &children));
    }

    #[test]
    fn workers_on_both_sides_lose_no_visit_and_no_child() {
        let tree = tree();
        let root = tree.node(ROOT);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for i in 0..10_000 {
                        root.begin_visit();
                        if i == 5_000 && tree.claim_expansion(root) {
                            assert!(tree.expand(root, &[seedling(7, None); 3]));
                        }
                        if let Some(children) = tree.children(root) {
                            assert_eq!(children.len(), 3);
                            assert!(children.into_iter().all(|id| tree.node(id).incoming_move() == some_move(7)));
                        }
                        root.add_value(0.5);
                        root.set_score(i);
                        root.end_visit();
                    }
                });
            }
        });
        assert_eq!(root.visits(), 40_000);
        assert_eq!((root.statistics().value(), root.statistics().under_way), (Some(0.5), 0));
        assert!(tree.children(root).is_some());
    }
}
