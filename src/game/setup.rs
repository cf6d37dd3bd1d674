//! A setup: a board with everything beside it, before anyone asked whether it makes sense.

use super::{Pit, Row, Side, Variant};

/// A board as somebody described it. Any counts fit; whether a game can be played on it is for
/// [`Position::from_setup`](super::Position::from_setup) to say.
///
/// Units: seeds. Pits are named from their owner's viewpoint (rule G2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    variant: Variant,
    pits: [[u8; 24]; 2],
    /// The side to move.
    pub side: Side,
    /// Seeds in reserve, South first. Kiswahili alone; 0 elsewhere.
    pub reserves: [u8; 2],
    /// Who still owns his house (rule S2), South first. Kiswahili alone; `false` elsewhere.
    pub houses: [bool; 2],
    /// The takasiaed pit and its owner (rule S8). Kiswahili alone; `None` elsewhere.
    pub takasia: Option<(Side, Pit)>,
    /// Plies played before.
    pub ply: u32,
}

impl Setup {
    /// An empty board of that game, South to move at ply 0.
    pub fn empty(variant: Variant) -> Setup {
        Setup {
            variant,
            pits: [[0; 24]; 2],
            side: Side::South,
            reserves: [0; 2],
            houses: [false; 2],
            takasia: None,
            ply: 0,
        }
    }

    /// The game that the board is for.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// Seeds in a pit; 0 for a pit that the board does not have.
    pub fn count(&self, side: Side, pit: Pit) -> u8 {
        self.slot(pit).map_or(0, |i| self.pits[side.index()][i])
    }

    /// Puts `count` seeds into a pit. A pit that the board does not have is left out.
    pub fn set_count(&mut self, side: Side, pit: Pit, count: u8) {
        if let Some(i) = self.slot(pit) {
            self.pits[side.index()][i] = count;
        }
    }

    /// All pits of one side, front row first, each row from its owner's left.
    pub fn pits(variant: Variant) -> impl Iterator<Item = Pit> {
        [Row::Front, Row::Back]
            .into_iter()
            .flat_map(move |row| (1..=variant.columns()).filter_map(move |number| Pit::new(row, number)))
    }

    /// Seeds on a side's pits, without its reserve.
    pub fn seeds_on_board(&self, side: Side) -> u32 {
        self.pits[side.index()].iter().map(|&c| u32::from(c)).sum()
    }

    /// Seeds of a side, its reserve included.
    pub fn seeds(&self, side: Side) -> u32 {
        self.seeds_on_board(side) + u32::from(self.reserves[side.index()])
    }

    /// The board turned by 180 degrees: the sides swapped, pit names kept (rule G2). The ply stays.
    pub fn turned(&self) -> Setup {
        Setup {
            pits: [self.pits[1], self.pits[0]],
            side: !self.side,
            reserves: [self.reserves[1], self.reserves[0]],
            houses: [self.houses[1], self.houses[0]],
            takasia: self.takasia.map(|(side, pit)| (!side, pit)),
            ..self.clone()
        }
    }

    /// Whether everything that Kiswahili alone has is absent.
    pub(super) fn is_plain(&self) -> bool {
        self.reserves == [0; 2] && self.houses == [false; 2] && self.takasia.is_none()
    }

    fn slot(&self, pit: Pit) -> Option<usize> {
        let columns = self.variant.columns();
        (pit.number() <= columns).then(|| {
            let row = match pit.row() {
                Row::Front => 0,
                Row::Back => columns,
            };
            usize::from(row + pit.number() - 1)
        })
    }
}

/// Why a setup is not a position (rule G6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// The setup is for another game.
    #[error("the board is one of {found}, expected one of {expected}")]
    WrongVariant {
        /// The game asked for.
        expected: Variant,
        /// The game of the setup.
        found: Variant,
    },
    /// Reserves, houses or takasia in a game that has none.
    #[error("{variant} has no reserves, houses or takasia")]
    NotPlain {
        /// The game.
        variant: Variant,
    },
    /// One side holds more seeds than it had at the start.
    #[error("{side} holds {seeds} seeds, expected at most {max}, the number at the start")]
    TooManySeeds {
        /// Whose seeds.
        side: Side,
        /// How many there are.
        seeds: u32,
        /// How many there may be.
        max: u32,
    },
    /// Kiswahili: more seeds in all than the game has.
    #[error("pits and reserves hold {seeds} seeds in all, expected at most {max}")]
    TooManySeedsInAll {
        /// How many there are.
        seeds: u32,
        /// How many there may be.
        max: u32,
    },
    /// Kimasai: a pit with more than one seed (rule M1).
    #[error("{} holds {count} seeds, expected 0 or 1", pit.name(*side))]
    CrowdedPit {
        /// Whose pit.
        side: Side,
        /// The pit.
        pit: Pit,
        /// Its seeds.
        count: u8,
    },
    /// Kiswahili: a reserve larger than at the start.
    #[error("the reserve of {side} is {seeds}, expected at most {max}")]
    ReserveTooLarge {
        /// Whose reserve.
        side: Side,
        /// How many seeds it holds.
        seeds: u8,
        /// How many it may hold.
        max: u8,
    },
    /// Kiswahili: a takasiaed pit that rule S8 could not have set.
    #[error("{} cannot be takasiaed: {why}", pit.name(*side))]
    Takasia {
        /// Whose pit was named.
        side: Side,
        /// The pit.
        pit: Pit,
        /// The clause that is broken.
        why: TakasiaError,
    },
}

/// Why a pit cannot be takasiaed (rules G6, S8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TakasiaError {
    /// It is not a front pit of the side to move.
    #[error("expected a front pit of the side to move")]
    NotFrontOfMover,
    /// It is empty.
    #[error("the pit is empty")]
    Empty,
    /// A reserve is not empty yet.
    #[error("both reserves must be empty")]
    ReservesLeft,
    /// The side to move has a capture.
    #[error("the side to move has a capture")]
    MoverCaptures,
    /// The opponent's captures have no target, several, or another one.
    #[error("it is not the one pit that the opponent's captures aim at")]
    NotOnlyTarget,
    /// One of the three exceptions: the functional house, the only occupied front pit, the only one with two or more.
    #[error("it is a functional house, the only occupied front pit or the only one with two or more seeds")]
    Exempt,
}
