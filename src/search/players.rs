//! Sparring partners of known weakness, which choose without searching.

use super::limits::Limits;
use crate::game::{Move, MoveList, Position};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

/// Who chooses the moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Player {
    /// The tree search.
    #[default]
    Mcts,
    /// Alpha-beta, on one thread.
    AlphaBeta,
    /// Takes the most seeds that one move can take, ties at random.
    Greedy,
    /// Any legal move, all with the same chance.
    Random,
}

impl Player {
    /// All players.
    pub const ALL: [Player; 4] = [Player::Mcts, Player::AlphaBeta, Player::Greedy, Player::Random];

    /// The word of the option `Player`.
    pub const fn name(self) -> &'static str {
        match self {
            Player::Mcts => "mcts",
            Player::AlphaBeta => "alphabeta",
            Player::Greedy => "greedy",
            Player::Random => "random",
        }
    }
}

/// The root's legal moves that the limits allow, in their usual order. Never empty if there is a legal move at all:
/// a restriction that leaves none is no restriction.
pub(super) fn root_moves<P: Position>(root: &P, limits: &Limits) -> MoveList {
    let legal = root.legal_moves();
    let allowed: MoveList = legal.iter().copied().filter(|m| limits.search_moves.contains(m)).collect();
    if allowed.is_empty() { legal } else { allowed }
}

/// Chooses at random among `moves`, or, greedily, among those of them that take the most seeds from the opponent.
pub(super) fn choose<P: Position>(root: &P, mut moves: MoveList, greedy: bool, seed: u64) -> Option<Move> {
    if greedy {
        let opponent = !root.side_to_move();
        let seeds_left = |m: Move| {
            let mut next = root.clone();
            next.play_unchecked(m);
            next.seeds(opponent)
        };
        let fewest = moves.iter().map(|&m| seeds_left(m)).min()?;
        moves.retain(|m| seeds_left(*m) == fewest);
    }
    if moves.is_empty() {
        return None;
    }
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed ^ root.key());
    moves.get(rng.random_range(0..moves.len())).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Kigogo, Pit, Row};

    #[test]
    fn greedy_takes_the_most_seeds_and_random_takes_any() {
        let root = Kigogo::start();
        let moves = root.legal_moves();
        let taken = |m: Move| {
            let mut next = root.clone();
            next.play_unchecked(m);
            46 - next.seeds(!root.side_to_move())
        };
        let most = moves.iter().map(|&m| taken(m)).max().unwrap();
        let mut random_moves = std::collections::HashSet::new();
        for seed in 0..200 {
            assert_eq!(taken(choose(&root, moves.clone(), true, seed).unwrap()), most);
            random_moves.insert(choose(&root, moves.clone(), false, seed).unwrap());
        }
        assert!(random_moves.len() > 15, "{} of {} moves in 200 choices", random_moves.len(), moves.len());
    }

    #[test]
    fn a_restriction_holds_and_an_empty_one_is_none() {
        let root = Kigogo::start();
        let only = Move::of_pit(Pit::new(Row::Back, 3).unwrap());
        let limits = Limits { search_moves: vec![only], ..Limits::default() };
        assert_eq!(root_moves(&root, &limits).as_slice(), [only]);
        assert_eq!(root_moves(&root, &Limits::default()).len(), 23);
    }
}
