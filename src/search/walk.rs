//! Lines of play: along the tree, and on where the tree has ended.

use super::forced::{Forced, Winner};
use super::tree::NodeId;
use super::worker::Shared;
use crate::evaluation::Inputs;
use crate::game::Move;

/// A line that is walked along from the root.
pub(super) struct Walk<'a, P> {
    shared: &'a Shared<'a, P>,
    position: P,
    pub(super) moves: Vec<Move>,
    /// The keys of its positions.
    keys: Vec<u64>,
    is_over: bool,
}

impl<'a, P: Inputs> Walk<'a, P> {
    /// The walk along nodes of the tree, from a child of the root on.
    pub(super) fn of(shared: &'a Shared<'a, P>, path: &[NodeId]) -> Walk<'a, P> {
        let moves: Vec<Move> = path.iter().map(|&id| shared.tree.node(id).incoming_move()).collect();
        Walk::of_moves(shared, &moves)
    }

    fn of_moves(shared: &'a Shared<'a, P>, moves: &[Move]) -> Walk<'a, P> {
        let keys = vec![shared.root.key()];
        let mut walk = Walk { shared, position: shared.root.clone(), moves: Vec::new(), keys, is_over: false };
        moves.iter().for_each(|&m| walk.play(m));
        walk
    }

    fn play(&mut self, m: Move) {
        let completion = self.position.play_unchecked(m);
        let key = self.position.key();
        let repeats = self.keys.contains(&key) || self.shared.past.contains(key);
        self.is_over = completion.endless || repeats || self.position.outcome().is_some();
        self.moves.push(m);
        self.keys.push(key);
    }

    /// Goes on as the table says, where the tree has ended.
    pub(super) fn follow_table(&mut self) {
        for _ in 0..TABLE_PLIES {
            if self.is_over {
                return;
            }
            let best = self.shared.table.get(self.keys[self.keys.len() - 1]).and_then(|entry| entry.best);
            match best.filter(|m| self.position.movements().contains(m)) {
                Some(m) => self.play(m),
                None => return,
            }
        }
    }

    /// Goes on to the end of a game that is proved to end so many plies after the root, and returns how many they are: with
    /// the shortest win and the longest defence, if they can be found soon.
    pub(super) fn finish(&mut self, plies: u16, mover_wins: bool) -> u16 {
        if self.is_over && self.moves.len() == usize::from(plies) {
            return plies;
        }
        let Some(&first) = self.moves.first() else { return plies };
        let mut exact = Walk::of_moves(self.shared, &[first]);
        if exact.prove(plies, mover_wins) {
            *self = exact;
            return self.moves.len() as u16;
        }
        self.prove(plies, mover_wins);
        plies
    }

    /// Goes on to the end, which comes no later than so many plies after the root, if it can be found soon.
    fn prove(&mut self, plies: u16, mover_wins: bool) -> bool {
        if self.is_over {
            return true;
        }
        let root_is_to_move = self.moves.len().is_multiple_of(2);
        let winner = if mover_wins == root_is_to_move { Winner::Mover } else { Winner::Opponent };
        let left = plies.saturating_sub(self.moves.len() as u16);
        let line = Forced::new(self.shared.past, None).line(&self.position, winner, left, LINE_NODES);
        let found = line.is_some();
        for m in line.into_iter().flatten() {
            self.play(m);
        }
        found
    }
}

/// Positions that the rest of a proved line may take. The lines of proved moves are in the tree, as a rule.
const LINE_NODES: u64 = 100;
/// Moves of the table that a line has at the most.
const TABLE_PLIES: usize = 32;
