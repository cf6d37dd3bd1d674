//! Sides, rows and pits: the names of things on a four-row board (rules G1, G2).

use std::fmt;
use std::ops::Not;

/// One of the two players. South sits below and moves first (rule G1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Side {
    /// The player below, who moves first; player 1 of the protocol.
    South = 0,
    /// The player above; player 2 of the protocol.
    North = 1,
}

impl Side {
    /// Both sides, South first.
    pub const ALL: [Side; 2] = [Side::South, Side::North];

    /// 0 for South, 1 for North: the index of the side's data in an array of two.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The letter of the position text (rule G6): `S` or `N`.
    pub const fn letter(self) -> char {
        match self {
            Side::South => 'S',
            Side::North => 'N',
        }
    }

    /// The English name, for messages.
    pub const fn name(self) -> &'static str {
        match self {
            Side::South => "South",
            Side::North => "North",
        }
    }
}

impl Not for Side {
    type Output = Side;

    /// The opponent.
    #[inline]
    fn not(self) -> Side {
        match self {
            Side::South => Side::North,
            Side::North => Side::South,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One of the two rows of a side (rule G1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Row {
    /// The row next to the opponent: `A` or `a` in names.
    Front = 0,
    /// The row next to the player: `B` or `b` in names.
    Back = 1,
}

/// A pit of one side, named as that side sees it: its row and its number from 1, counted from the owner's left
/// (rule G2). Which side owns it is said elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pit {
    row: Row,
    number: u8,
}

impl Pit {
    /// The largest pit number of any game.
    pub const MAX_NUMBER: u8 = 12;

    /// The pit `number` (from 1) of `row`, or `None` if the number is not in `1..=12`.
    #[inline]
    pub const fn new(row: Row, number: u8) -> Option<Pit> {
        if number >= 1 && number <= Self::MAX_NUMBER { Some(Pit { row, number }) } else { None }
    }

    /// A pit of the front row.
    ///
    /// # Panics
    /// In debug builds, if `number` is not in `1..=12`.
    #[inline]
    pub(crate) const fn front(number: u8) -> Pit {
        debug_assert!(number >= 1 && number <= Self::MAX_NUMBER);
        Pit { row: Row::Front, number }
    }

    /// A pit of the back row.
    ///
    /// # Panics
    /// In debug builds, if `number` is not in `1..=12`.
    #[inline]
    pub(crate) const fn back(number: u8) -> Pit {
        debug_assert!(number >= 1 && number <= Self::MAX_NUMBER);
        Pit { row: Row::Back, number }
    }

    /// The row.
    #[inline]
    pub const fn row(self) -> Row {
        self.row
    }

    /// The number, from 1, counted from the owner's left.
    #[inline]
    pub const fn number(self) -> u8 {
        self.number
    }

    /// The name with its owner's case: `A7` for South, `a7` for North.
    ///
    /// ```
    /// use kete::game::{Pit, Row, Side};
    /// let pit = Pit::new(Row::Back, 12).unwrap();
    /// assert_eq!(pit.name(Side::South).to_string(), "B12");
    /// assert_eq!(pit.name(Side::North).to_string(), "b12");
    /// ```
    pub fn name(self, owner: Side) -> impl fmt::Display {
        PitName { pit: self, owner }
    }
}

struct PitName {
    pit: Pit,
    owner: Side,
}

impl fmt::Display for PitName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = match (self.pit.row, self.owner) {
            (Row::Front, Side::South) => 'A',
            (Row::Front, Side::North) => 'a',
            (Row::Back, Side::South) => 'B',
            (Row::Back, Side::North) => 'b',
        };
        write!(f, "{letter}{}", self.pit.number)
    }
}
