//! Proved results and how they are carried up (MCTS-Solver: Winands, Björnsson, Saito, 2008).

use crate::game::{GameResult, Move, Position};

/// A proved result of a node, from the viewpoint of the side that moved into it, with the number of plies from the
/// node's parent to the end of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Proof {
    /// The side that moved into the node wins.
    Win(u16),
    /// Nobody can do better than a draw.
    Draw(u16),
    /// The side that moved into the node loses.
    Loss(u16),
}

impl Proof {
    /// Plays `m` in a position, which becomes the one after it: a proof if the game is over there by the rules, repetition
    /// aside.
    #[inline]
    pub(super) fn by_rules<P: Position>(position: &mut P, m: Move) -> Option<Proof> {
        let mover = position.side_to_move();
        if position.play_unchecked(m).endless {
            // Rule K5.
            return Some(Proof::Draw(1));
        }
        position.outcome().map(|outcome| match outcome.result {
            GameResult::Win(side) if side == mover => Proof::Win(1),
            GameResult::Win(_) => Proof::Loss(1),
            GameResult::Draw => Proof::Draw(1),
        })
    }

    /// The value for the side that moved into the node, in 0..=1.
    #[inline]
    pub(super) fn value(self) -> f64 {
        match self {
            Proof::Win(_) => 1.0,
            Proof::Draw(_) => 0.5,
            Proof::Loss(_) => 0.0,
        }
    }

    /// The plies from the node's parent to the end.
    pub(super) fn plies(self) -> u16 {
        match self {
            Proof::Win(plies) | Proof::Draw(plies) | Proof::Loss(plies) => plies,
        }
    }

    /// What the proofs of its children, at least one, say about a node; `None` while they prove nothing. The children's
    /// proofs are from the viewpoint of the side to move in the node, the answer from that of its opponent, who moved into
    /// it. The winner is taken to choose the shortest way, the loser the longest.
    pub(super) fn from_children(children: impl Iterator<Item = Option<Proof>>) -> Option<Proof> {
        let mut shortest_win: Option<u16> = None;
        let mut shortest_draw: Option<u16> = None;
        let mut longest_loss: Option<u16> = None;
        let mut open = false;
        for child in children {
            match child {
                Some(Proof::Win(plies)) => shortest_win = Some(shortest_win.map_or(plies, |w| w.min(plies))),
                Some(Proof::Draw(plies)) => shortest_draw = Some(shortest_draw.map_or(plies, |d| d.min(plies))),
                Some(Proof::Loss(plies)) => longest_loss = longest_loss.max(Some(plies)),
                None => open = true,
            }
        }
        match (shortest_win, open, shortest_draw, longest_loss) {
            (Some(plies), ..) => Some(Proof::Loss(plies.saturating_add(1))),
            (None, true, ..) => None,
            (None, false, Some(plies), _) => Some(Proof::Draw(plies.saturating_add(1))),
            (None, false, None, Some(plies)) => Some(Proof::Win(plies.saturating_add(1))),
            (None, false, None, None) => None,
        }
    }

    /// The proof of the child on which this one, carried up, rests.
    pub(super) fn reason(self) -> Proof {
        match self {
            Proof::Win(plies) => Proof::Loss(plies.saturating_sub(1)),
            Proof::Draw(plies) => Proof::Draw(plies.saturating_sub(1)),
            Proof::Loss(plies) => Proof::Win(plies.saturating_sub(1)),
        }
    }

    /// A non-zero word of 16 bits that [`Proof::from_bits`] reads back; longer ways than 16,383 plies count as that.
    pub(super) fn to_bits(self) -> u16 {
        let (kind, plies) = match self {
            Proof::Win(plies) => (1, plies),
            Proof::Draw(plies) => (2, plies),
            Proof::Loss(plies) => (3, plies),
        };
        kind << PLIES_BITS | plies.min(MAX_PLIES)
    }

    /// The proof of a word; `None` for 0.
    #[inline]
    pub(super) fn from_bits(bits: u16) -> Option<Proof> {
        let plies = bits & MAX_PLIES;
        match bits >> PLIES_BITS {
            1 => Some(Proof::Win(plies)),
            2 => Some(Proof::Draw(plies)),
            3 => Some(Proof::Loss(plies)),
            _ => None,
        }
    }
}

const PLIES_BITS: u32 = 14;
const MAX_PLIES: u16 = (1 << PLIES_BITS) - 1;

#[cfg(test)]
mod tests {
    use super::MAX_PLIES;
    use super::Proof::{self, Draw, Loss, Win};

    fn carried<const N: usize>(children: [Option<Proof>; N]) -> Option<Proof> {
        Proof::from_children(children.into_iter())
    }

    #[test]
    fn one_winning_move_loses_the_node_for_who_moved_into_it() {
        assert_eq!(carried([None, Some(Win(3)), Some(Win(1)), Some(Loss(2))]), Some(Loss(2)));
    }

    #[test]
    fn only_losing_moves_win_the_node_by_the_longest_defence() {
        assert_eq!(carried([Some(Loss(2)), Some(Loss(6))]), Some(Win(7)));
        assert_eq!(carried([Some(Loss(2)), None]), None);
    }

    #[test]
    fn a_draw_is_proved_once_nothing_is_open() {
        assert_eq!(carried([Some(Loss(2)), Some(Draw(4))]), Some(Draw(5)));
        assert_eq!(carried([None, Some(Draw(4))]), None);
        assert_eq!(carried([]), None);
    }

    #[test]
    fn a_proof_rests_on_one_of_the_children() {
        for children in [[Some(Win(5)), Some(Win(3))], [Some(Loss(2)), Some(Loss(6))], [Some(Draw(4)), Some(Loss(2))]] {
            let proof = carried(children).unwrap();
            assert!(children.contains(&Some(proof.reason())), "{children:?}");
        }
    }

    #[test]
    fn bits_keep_the_proof() {
        for proof in [Win(0), Win(MAX_PLIES), Draw(7), Loss(1)] {
            assert_eq!(Proof::from_bits(proof.to_bits()), Some(proof));
        }
        assert_eq!(Proof::from_bits(0), None);
    }
}
