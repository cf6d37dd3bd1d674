//! The move: one small value that serves all three games.

use super::{Pit, Row};
use arrayvec::ArrayVec;

/// The direction letter of a Kiswahili move, as the mover's hand moves, seen by himself (rule S9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Hand {
    /// `L`: to the mover's left; in a namua capture, the left kichwa.
    Left = 1,
    /// `R`: to the mover's right; in a namua capture, the right kichwa.
    Right = 2,
}

/// A complete choice for one turn: the pit, and in Kiswahili the hand and whether the mover goes on safari.
///
/// It says exactly what the move text says (rules G7, S9), without the case of the mover; so its text needs only the
/// side that moves. One byte: bits 0-3 the pit's number less one, bit 4 the row, bits 5-6 the hand, bit 7 safari.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(u8);

impl Move {
    const ROW_BIT: u8 = 1 << 4;
    const HAND_SHIFT: u8 = 5;
    const SAFARI_BIT: u8 = 1 << 7;

    /// A move that is a pit alone (Kigogo, Kimasai).
    #[inline]
    pub const fn of_pit(pit: Pit) -> Move {
        let row = match pit.row() {
            Row::Front => 0,
            Row::Back => Self::ROW_BIT,
        };
        Move((pit.number() - 1) | row)
    }

    /// A move of Kiswahili; `safari` says that the mover goes on when he may stop in his house.
    #[inline]
    pub const fn with_hand(pit: Pit, hand: Hand, safari: bool) -> Move {
        let safari = if safari { Self::SAFARI_BIT } else { 0 };
        Move(Self::of_pit(pit).0 | (hand as u8) << Self::HAND_SHIFT | safari)
    }

    /// The pit that is played.
    #[inline]
    pub const fn pit(self) -> Pit {
        let number = (self.0 & 0xf) + 1;
        if self.0 & Self::ROW_BIT == 0 { Pit::front(number) } else { Pit::back(number) }
    }

    /// The direction letter, `None` in the games that have none.
    #[inline]
    pub const fn hand(self) -> Option<Hand> {
        match self.0 >> Self::HAND_SHIFT & 3 {
            1 => Some(Hand::Left),
            2 => Some(Hand::Right),
            _ => None,
        }
    }

    /// Whether the mover goes on safari (rule S7d).
    #[inline]
    pub const fn is_safari(self) -> bool {
        self.0 & Self::SAFARI_BIT != 0
    }

    /// The byte that stands for this move in a tree node.
    #[inline]
    pub(crate) const fn to_byte(self) -> u8 {
        self.0
    }

    /// The move of a byte that [`Move::to_byte`] gave.
    #[inline]
    pub(crate) const fn from_byte(byte: u8) -> Move {
        Move(byte)
    }
}

/// No position of the three games can have more legal moves: Kiswahili has at most 8 front pits x 2 hands x
/// 2 (safari) or 16 pits x 2 hands, Kigogo 24 pits, Kimasai 12.
pub const MAX_MOVES: usize = 32;

/// The legal moves of one position.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_keeps_what_it_was_made_of() {
        for row in [Row::Front, Row::Back] {
            for number in 1..=Pit::MAX_NUMBER {
                let pit = Pit::new(row, number).unwrap();
                let plain = Move::of_pit(pit);
                assert_eq!((plain.pit(), plain.hand(), plain.is_safari()), (pit, None, false));
                for hand in [Hand::Left, Hand::Right] {
                    for safari in [false, true] {
                        let m = Move::with_hand(pit, hand, safari);
                        assert_eq!((m.pit(), m.hand(), m.is_safari()), (pit, Some(hand), safari));
                        assert_eq!(Move::from_byte(m.to_byte()), m);
                    }
                }
            }
        }
    }
}
