//! When forced wins are looked for, and how the tree learns of them.

use super::alphabeta::{PROVED, plies_to_end};
use super::forced::Winner;
use super::proof::Proof;
use super::reachable::{Extent, Reachable};
use super::tree::{Node, ROOT};
use super::worker::{Shared, Worker};
use crate::evaluation::{Inputs, Score256};
use crate::game::Side;

/// A proof of a leaf that takes more positions has to come from the tree.
const LEAF_NODES: u64 = 1_000;
/// Positions that the right distance of a move of the root may take, or its line...
const REFINE_NODES: u64 = 4_000;
/// ... and those of all moves together.
const REFINE_ALL_NODES: u64 = 20_000;
/// The root is looked at first after so many nodes, and then each time their number has doubled.
const FIRST_ATTEMPT: u64 = 2_048;
/// One position is tried for so many nodes of the search...
const NODES_PER_TRY: u64 = 32;
/// ... or, where the plies looked at whole show that this leads somewhere, for so many.
const NODES_PER_GOOD_TRY: u64 = 8;
/// ... or, beside a scout, in a short search: it finds what is near.
const NODES_PER_SHORT_TRY: u64 = 64;
/// So many plies show it.
const GOOD_PLIES: u16 = 12;
/// With no more seeds on the board little may be reached. In Kiswahili they never leave it.
const FEW_SEEDS: u32 = 24;
/// A search is short up to so many nodes. It has better uses for its time than to enumerate what can be reached.
const SHORT_NODES: u64 = 1 << 19;
/// What can be reached is enumerated at one position for so many nodes of the search.
const NODES_PER_REACHED: u64 = 8;
/// Where a thousand positions do not reach so far, in plies, forced wins are left to the tree.
const MIN_PLIES: u16 = 6;

/// When the root is looked at next, and what can be reached from it.
pub(super) struct Attempt<P> {
    due: u64,
    nodes_per_try: u64,
    reachable: Option<Reachable<P>>,
    extent: Extent,
}

impl<P> Attempt<P> {
    pub(super) fn first() -> Attempt<P> {
        Attempt { due: FIRST_ATTEMPT, nodes_per_try: NODES_PER_TRY, reachable: None, extent: Extent::Open }
    }

    /// Everything that can be reached, if that is known.
    fn solved(&self) -> Option<&Reachable<P>> {
        self.reachable.as_ref().filter(|_| self.extent == Extent::Whole)
    }
}

impl<P: Inputs> Worker<'_, P> {
    /// Proves a leaf for which the short search found a proved score, if that is so. Such a score may rest on what the
    /// table knows from another path, where other positions were repetitions.
    pub(super) fn confirm_leaf(&mut self, node: Node<'_>, position: &P, score: Score256) {
        let winner = match score {
            score if score >= PROVED => Winner::Mover,
            score if score <= -PROVED => Winner::Opponent,
            _ => return,
        };
        let max_plies = u16::try_from(plies_to_end(score)).unwrap_or(u16::MAX);
        if let Some(plies) = self.forced.distance(position, winner, max_plies, LEAF_NODES) {
            node.prove(proof_into(winner, plies));
        }
    }

    /// Looks for a forced win in the root, if it is time for that.
    pub(super) fn attempt_proof(&mut self) {
        if self.nodes() < self.attempt.due {
            return;
        }
        let root = self.shared.root;
        let due = self.attempt.due;
        let is_short = due < SHORT_NODES;
        let beside_scout = is_short && self.shared.tuning.scout_share > 0;
        let nodes = due / if beside_scout { NODES_PER_SHORT_TRY } else { self.attempt.nodes_per_try };
        self.attempt.due *= 2;
        let seeds: u32 = Side::ALL.iter().map(|&side| root.seeds(side)).sum();
        let is_promising = seeds <= FEW_SEEDS || self.attempt.nodes_per_try == NODES_PER_GOOD_TRY;
        if is_promising && !is_short {
            self.enumerate(due / NODES_PER_REACHED);
            if self.attempt.solved().is_some() {
                return;
            }
        }
        let (found, plies_reached) = self.forced.either(root, nodes);
        match found {
            Some((winner, plies)) => self.learn_result(winner, plies, nodes),
            None if nodes > 1_000 && plies_reached < MIN_PLIES => self.attempt.due = u64::MAX,
            None if plies_reached >= GOOD_PLIES => self.attempt.nodes_per_try = NODES_PER_GOOD_TRY,
            None => {}
        }
    }

    /// Goes on with what can be reached from the root, by so many positions, and proves the moves of the root if that is all.
    fn enumerate(&mut self, positions: u64) {
        let Shared { tree, root, past, control, .. } = *self.shared;
        let attempt = &mut self.attempt;
        if attempt.extent != Extent::Open {
            return;
        }
        let reachable = attempt.reachable.get_or_insert_with(|| Reachable::from(root));
        attempt.extent = reachable.grow(past, Some(control), positions);
        match attempt.extent {
            Extent::Open => {}
            Extent::TooMuch => attempt.reachable = None,
            Extent::Whole => {
                let node = tree.node(ROOT);
                for child in tree.children(node).into_iter().flatten().map(|id| tree.node(id)) {
                    if let Some(proof) = reachable.proof(root, child.incoming_move(), past) {
                        child.refine_proof(proof);
                    }
                }
                self.prove_from_children(node);
            }
        }
    }

    /// Proves the root, in which the winner, seen from its side to move, wins after so many plies.
    fn learn_result(&mut self, winner: Winner, plies: u16, nodes: u64) {
        let Shared { tree, root, .. } = self.shared;
        let node = tree.node(ROOT);
        let first = match winner {
            Winner::Mover => self.forced.line(*root, winner, plies, nodes).and_then(|line| line.first().copied()),
            Winner::Opponent => None,
        };
        for child in tree.children(node).into_iter().flatten().map(|id| tree.node(id)) {
            match winner {
                Winner::Mover if Some(child.incoming_move()) == first => child.refine_proof(Proof::Win(plies)),
                Winner::Mover => {}
                // So much is known of every move; how soon it loses is looked for later.
                Winner::Opponent => child.prove(Proof::Loss(plies)),
            }
        }
        self.prove_from_children(node);
    }

    /// Looks for the right distances once the root is proved, and for the lines: the proof that the tree found first need not
    /// be the shortest. No other worker goes on with a proved root.
    pub(super) fn refine_root_proof(&mut self) {
        let tree = self.shared.tree;
        let root = tree.node(ROOT);
        let (Some(Proof::Win(_) | Proof::Loss(_)), Some(children)) = (root.proof(), tree.children(root)) else {
            return;
        };
        if self.attempt.solved().is_some() {
            for child in children.map(|id| tree.node(id)) {
                self.learn_line(child, REFINE_NODES);
            }
            return;
        }
        let end = self.forced.nodes() + REFINE_ALL_NODES;
        let nodes = |worker: &Self| REFINE_NODES.min(end.saturating_sub(worker.forced.nodes()));
        let mut shortest_win = u16::MAX;
        for child in children.clone().map(|id| tree.node(id)) {
            match child.proof() {
                Some(Proof::Win(plies)) => {
                    self.refine(child, Winner::Opponent, plies, nodes(self));
                    shortest_win = shortest_win.min(child.proof().map_or(plies, Proof::plies));
                }
                Some(Proof::Loss(plies)) => self.refine(child, Winner::Mover, plies, nodes(self)),
                Some(Proof::Draw(_)) | None => {}
            }
        }
        // A move that is not proved may win sooner.
        for child in children.clone().map(|id| tree.node(id)).filter(|child| child.proof().is_none()) {
            if shortest_win < u16::MAX {
                self.refine(child, Winner::Opponent, shortest_win - 1, nodes(self));
            }
        }
        for child in children.map(|id| tree.node(id)) {
            self.learn_line(child, nodes(self));
        }
    }

    /// Proves the nodes along the shortest way from a proved child of the root to the end, if so many positions more suffice
    /// to find it.
    fn learn_line(&mut self, child: Node<'_>, nodes: u64) {
        let Shared { tree, root, .. } = self.shared;
        let (winner, plies) = match child.proof() {
            Some(Proof::Win(plies)) => (Winner::Opponent, plies),
            Some(Proof::Loss(plies)) => (Winner::Mover, plies),
            Some(Proof::Draw(_)) | None => return,
        };
        if plies <= 1 {
            return;
        }
        let mut position = (*root).clone();
        position.play_unchecked(child.incoming_move());
        let line = match self.attempt.solved() {
            Some(reachable) => reachable.line(&position, self.shared.past),
            None => self.forced.line(&position, winner, plies - 1, nodes).unwrap_or_default(),
        };
        let mut node = child;
        self.keys.clear();
        self.keys.extend([root.key(), position.key()]);
        for (&m, left) in line.iter().zip((1..=line.len() as u16).rev()) {
            if tree.children(node).is_none() && !self.expand(node, &position) {
                return;
            }
            let mut children = tree.children(node).into_iter().flatten().map(|id| tree.node(id));
            let Some(next) = children.find(|next| next.incoming_move() == m) else { return };
            // The last ply is the winner's.
            next.refine_proof(if left % 2 == 1 { Proof::Win(left) } else { Proof::Loss(left) });
            node = next;
            position.play_unchecked(m);
            self.keys.push(position.key());
        }
    }

    /// Gives a child of the root the right proof, if the winner, seen from the side to move after it, wins no more than so
    /// many plies after the root.
    fn refine(&mut self, child: Node<'_>, winner: Winner, max_plies: u16, nodes: u64) {
        if max_plies <= 1 || child.proof().is_some_and(|proof| proof.plies() == 1) {
            return;
        }
        let mut position = self.shared.root.clone();
        position.play_unchecked(child.incoming_move());
        if let Some(plies) = self.forced.distance(&position, winner, max_plies - 1, nodes) {
            child.refine_proof(proof_into(winner, plies));
        }
    }
}

/// The proof of the move into a position in which the winner, seen from the side to move, wins after so many plies.
fn proof_into(winner: Winner, plies: u16) -> Proof {
    match winner {
        Winner::Mover => Proof::Loss(plies + 1),
        Winner::Opponent => Proof::Win(plies + 1),
    }
}
