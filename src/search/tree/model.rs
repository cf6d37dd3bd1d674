//! What threads may see of the tree, with every value that the memory model lets them read (loom).

use super::*;
use crate::game::{Pit, Row};
use loom::model::Builder;
use loom::thread;
use std::sync::Arc;

/// A tree with room for so many nodes, and with its root.
fn tree(capacity: usize) -> Tree {
    let mut tree = Tree::with_bytes(capacity * Tree::BYTES_PER_NODE).unwrap();
    tree.reset();
    tree
}

fn some_move(number: u8) -> Move {
    Move::of_pit(Pit::new(Row::Front, number).unwrap())
}

/// Two children that differ in all they have.
fn twins() -> [Seedling; 2] {
    [
        Seedling { m: some_move(3), proof: None, score: -300, prior: 0.25 },
        Seedling { m: some_move(5), proof: Some(Proof::Win(1)), score: 700, prior: 1.0 },
    ]
}

/// Whether a node has no children, or all of `twins` with all they have.
fn has_none_or_twins(tree: &Tree, node: Node<'_>) -> bool {
    let Some(children) = tree.children(node) else { return true };
    assert_eq!(children.len(), 2);
    for (id, seedling) in children.zip(twins()) {
        let child = tree.node(id);
        let statistics = child.statistics();
        assert_eq!(child.incoming_move(), seedling.m);
        assert_eq!((statistics.score, statistics.proof), (seedling.score, seedling.proof));
        assert!((statistics.prior - seedling.prior).abs() < 0.01);
        assert_eq!((statistics.visits, statistics.under_way, statistics.sum), (0, 0, 0.0));
        assert!(tree.children(child).is_none());
    }
    true
}

#[test]
fn children_are_seen_whole_or_not_at_all() {
    loom::model(|| {
        let tree = Arc::new(tree(3));
        let expanding = thread::spawn({
            let tree = tree.clone();
            move || assert!(tree.claim_expansion(tree.node(ROOT)) && tree.expand(tree.node(ROOT), &twins()))
        });
        let root = tree.node(ROOT);
        assert!(has_none_or_twins(&tree, root));
        // A visit counted in the word of the first child must not come between it and who reads it.
        root.add_value(0.5);
        assert!(has_none_or_twins(&tree, root));
        expanding.join().unwrap();
        assert!(tree.children(root).is_some() && has_none_or_twins(&tree, root));
        assert_eq!(root.visits(), 1);
    });
}

#[test]
fn one_claim_wins_and_one_family_is_made() {
    loom::model(|| {
        let tree = Arc::new(tree(5));
        let grow = |tree: &Tree| {
            let root = tree.node(ROOT);
            let won = tree.claim_expansion(root);
            assert!(!won || tree.expand(root, &twins()));
            assert!(has_none_or_twins(tree, root));
            won
        };
        let other = thread::spawn({
            let tree = tree.clone();
            move || grow(&tree)
        });
        let won = grow(&tree);
        assert!(won != other.join().unwrap());
        assert_eq!(tree.children(tree.node(ROOT)), Some(1..3));
        assert!(has_none_or_twins(&tree, tree.node(ROOT)));
        assert_eq!(tree.used.0.load(Ordering::Relaxed), 3);
    });
}

#[test]
fn the_last_room_is_given_once() {
    loom::model(|| {
        let tree = Arc::new(tree(5));
        assert!(tree.expand(tree.node(ROOT), &twins()));
        let grow =
            |tree: &Tree, id: NodeId| tree.claim_expansion(tree.node(id)) && tree.expand(tree.node(id), &twins());
        let other = thread::spawn({
            let tree = tree.clone();
            move || grow(&tree, 2)
        });
        let (first, second) = (grow(&tree, 1), other.join().unwrap());
        assert!(first != second);
        for (id, grown) in [(1, first), (2, second)] {
            assert_eq!(tree.children(tree.node(id)), grown.then_some(3..5));
            assert!(has_none_or_twins(&tree, tree.node(id)));
        }
    });
}

/// A tree whose node 1 has all that a node can have before its first visit, two children included.
fn grown() -> Arc<Tree> {
    let tree = tree(5);
    for id in [ROOT, 1] {
        assert!(tree.claim_expansion(tree.node(id)) && tree.expand(tree.node(id), &twins()));
    }
    Arc::new(tree)
}

/// Asserts that what workers do not write is as `grown` made it.
fn assert_rest_untouched(tree: &Tree) {
    let node = tree.node(1);
    assert_eq!(node.incoming_move(), some_move(3));
    assert!((node.statistics().prior - 0.25).abs() < 0.01);
    assert_eq!(tree.children(node), Some(3..5));
    assert!(!tree.claim_expansion(node));
}

#[test]
fn no_visit_is_lost_and_the_first_proof_stays() {
    let mut model = Builder::new();
    // There are too many interleavings to go through all of them. LOOM_MAX_PREEMPTIONS asks for more.
    model.preemption_bound.get_or_insert(3);
    model.check(|| {
        let tree = grown();
        let visit = |tree: &Tree, value: f64, score: Score256, proof: Proof| {
            let node = tree.node(1);
            node.begin_visit();
            node.add_value(value);
            node.set_score(score);
            node.prove(proof);
            node.end_visit();
            node.proof()
        };
        let other = thread::spawn({
            let tree = tree.clone();
            move || visit(&tree, 0.75, 31_999, Proof::Win(1))
        });
        let seen = visit(&tree, 0.5, -32_000, Proof::Loss(4));
        assert!(seen == Some(Proof::Win(1)) || seen == Some(Proof::Loss(4)));
        assert_eq!(other.join().unwrap(), seen);
        let Statistics { visits, under_way, sum, score, proof, .. } = tree.node(1).statistics();
        assert_eq!((visits, under_way, sum, proof), (2, 0, 1.25, seen));
        assert!(score == 31_999 || score == -32_000);
        assert_rest_untouched(&tree);
    });
}

#[test]
fn a_refined_proof_and_a_visit_leave_each_other_alone() {
    loom::model(|| {
        let tree = grown();
        tree.node(1).prove(Proof::Loss(9));
        let refining = thread::spawn({
            let tree = tree.clone();
            move || tree.node(1).refine_proof(Proof::Loss(5))
        });
        let node = tree.node(1);
        node.begin_visit();
        node.set_score(-700);
        node.prove(Proof::Win(1));
        node.end_visit();
        let seen = node.proof();
        assert!(seen == Some(Proof::Loss(9)) || seen == Some(Proof::Loss(5)));
        refining.join().unwrap();
        let Statistics { under_way, score, proof, .. } = node.statistics();
        assert_eq!((under_way, score, proof), (0, -700, Some(Proof::Loss(5))));
        assert_rest_untouched(&tree);
    });
}
