//! How the tree grows: a leaf gets children, with what the rules and the table know of them.

use super::alphabeta::{Bound, WIN};
use super::proof::Proof;
use super::tree::{Node, ROOT, Seedling};
use super::worker::{Shared, Worker};
use crate::evaluation::{Evaluate, Inputs};
use crate::game::{MAX_MOVES, Move};
use arrayvec::ArrayVec;

type Children = ArrayVec<Seedling, MAX_MOVES>;

impl<P: Inputs> Worker<'_, P> {
    /// Gives the root its children, those of `moves`; the arena has room for them.
    pub(super) fn expand_root(&mut self, moves: &[Move]) {
        let Shared { tree, root, tuning, evaluator, .. } = self.shared;
        self.keys.clear();
        self.keys.push(root.key());
        let node = tree.node(ROOT);
        let searched = self.leaves.search_leaf(*root, &self.keys, tuning.leaf_depth as i32, (-WIN, WIN));
        node.set_score(-searched.unwrap_or_else(|| evaluator.evaluate(*root)));
        self.count_nodes();
        let children = self.seedlings(node, root, moves);
        if tree.claim_expansion(node) {
            tree.expand(node, &children);
            self.prove_from_children(node);
        }
    }

    /// Expands a leaf if nobody else does. A winning move makes all others needless.
    pub(super) fn expand(&mut self, node: Node<'_>, position: &P) -> bool {
        let tree = self.shared.tree;
        if !tree.claim_expansion(node) {
            return false;
        }
        let mut children = self.seedlings(node, position, &position.movements());
        if let Some(winning) = children.iter().find(|child| matches!(child.proof, Some(Proof::Win(_)))).copied() {
            children.clear();
            children.push(winning);
        }
        if children.is_empty() || !tree.expand(node, &children) {
            return false;
        }
        self.prove_from_children(node);
        true
    }

    /// The children of a node for `moves`, with what is known of them already.
    fn seedlings(&self, node: Node<'_>, position: &P, moves: &[Move]) -> Children {
        let Shared { table, tuning, .. } = self.shared;
        let own = -node.score();
        let hint = table.get(position.key()).and_then(|entry| entry.best);
        let mut children = Children::new();
        for &m in moves {
            let mut next = position.clone();
            let proof = self.proof_after(&mut next, m);
            let score = match proof {
                Some(Proof::Win(_)) => WIN - 1,
                Some(Proof::Draw(_)) => 0,
                Some(Proof::Loss(_)) => 1 - WIN,
                None if Some(m) == hint => own,
                None => {
                    let guess = own - tuning.sibling_margin;
                    match table.get(next.key()) {
                        Some(entry) if entry.bound != Bound::Upper => (-entry.score).min(own),
                        Some(entry) => guess.max(-entry.score).min(own),
                        None => guess,
                    }
                }
            };
            children.push(Seedling { m, proof, score, prior: 0.0 });
        }
        let has_hint = children.iter().any(|child| Some(child.m) == hint);
        let share = if has_hint { tuning.hint_prior } else { 0.0 };
        let rest = (1.0 - share) / children.len().max(1) as f64;
        for child in &mut children {
            child.prior = if Some(child.m) == hint { share + rest } else { rest };
        }
        children
    }

    /// What the rules say about the position after `m`, which `next` becomes: a proof if the game is over there.
    fn proof_after(&self, next: &mut P, m: Move) -> Option<Proof> {
        Proof::by_rules(next, m).or_else(|| self.repeats(next.key()).then_some(Proof::Draw(1)))
    }

    /// Rule G5b: whether a position after the present path has occurred before, in the game or on the path.
    fn repeats(&self, key: u64) -> bool {
        // The side to move is part of the key; positions of the other side are passed over.
        self.keys.iter().rev().skip(1).step_by(2).any(|&earlier| earlier == key) || self.shared.past.contains(key)
    }
}
