//! Bao la Kimasai, the four-row game: single seeds that step, and a board that fits into 48 bits.

use super::position::Position;
use super::ring24;
use super::setup::{Setup, SetupError};
use super::{Completion, EndReason, Move, MoveList, Outcome, Side, Variant};
use rand::Rng;

/// A position of Bao la Kimasai.
#[derive(Clone, Debug)]
pub struct Kimasai {
    /// The occupied pits of each side, as sets on the ring of 24 (rule M1: no pit holds more than one seed).
    pits: [u32; 2],
    side: Side,
    ply: u32,
}

impl Kimasai {
    /// Seeds that a side has at the start (rule M1).
    const SEEDS_OF_SIDE: u32 = 23;

    /// The occupied pits of a side: bits 0 to 11 are `B1..B12`, 12 to 23 are `A12..A1` (rule G4).
    #[inline]
    pub(crate) fn occupied(&self, side: Side) -> u32 {
        self.pits[side.index()]
    }

    /// The seeds that can step: those whose next pit is empty (rule M2).
    #[inline]
    fn movable(&self) -> u32 {
        let own = self.pits[self.side.index()];
        own & !ring24::before(own)
    }

    /// Steps the seed at `index` and captures (rules M2, M3).
    #[inline]
    fn step(&mut self, index: usize) {
        let to = ring24::next(index);
        self.pits[self.side.index()] ^= 1 << index | 1 << to;
        self.side = !self.side;
        self.ply = self.ply.saturating_add(1);
        // Rule K4: the facing front pit, and with it the back pit of its column. No branch: it could not be predicted.
        let theirs = &mut self.pits[self.side.index()];
        let (facing, column) = ring24::FACED[to];
        let captures = u32::from(*theirs & facing != 0);
        *theirs &= !(column * captures);
    }

    /// The outcome when the side to move cannot move (rule G5a).
    #[cold]
    fn immobile(&self) -> Outcome {
        let reason = if self.pits[self.side.index()] == 0 { EndReason::NoSeeds } else { EndReason::Immobile };
        Outcome::win(!self.side, reason)
    }
}

impl Position for Kimasai {
    const VARIANT: Variant = Variant::Kimasai;

    fn start() -> Self {
        let all_but_a1 = ring24::ALL & !(1 << 23);
        Kimasai { pits: [all_but_a1; 2], side: Side::South, ply: 0 }
    }

    fn from_setup(setup: &Setup) -> Result<Self, SetupError> {
        let variant = Self::VARIANT;
        if setup.variant() != variant {
            return Err(SetupError::WrongVariant { expected: variant, found: setup.variant() });
        }
        if !setup.is_plain() {
            return Err(SetupError::NotPlain { variant });
        }
        let mut pits = [0; 2];
        for side in Side::ALL {
            for pit in Setup::pits(variant) {
                match setup.count(side, pit) {
                    0 => {}
                    1 => pits[side.index()] |= 1 << ring24::index_of(pit),
                    count => return Err(SetupError::CrowdedPit { side, pit, count }),
                }
            }
            let seeds = setup.seeds_on_board(side);
            if seeds > Self::SEEDS_OF_SIDE {
                return Err(SetupError::TooManySeeds { side, seeds, max: Self::SEEDS_OF_SIDE });
            }
        }
        Ok(Kimasai { pits, side: setup.side, ply: setup.ply })
    }

    fn to_setup(&self) -> Setup {
        let mut setup = Setup::empty(Self::VARIANT);
        setup.side = self.side;
        setup.ply = self.ply;
        for side in Side::ALL {
            for index in ring24::indices(self.pits[side.index()]) {
                setup.set_count(side, ring24::pit_at(index), 1);
            }
        }
        setup
    }

    #[inline]
    fn side_to_move(&self) -> Side {
        self.side
    }

    #[inline]
    fn ply(&self) -> u32 {
        self.ply
    }

    #[inline]
    fn seeds(&self, side: Side) -> u32 {
        self.pits[side.index()].count_ones()
    }

    #[inline]
    fn movements(&self) -> MoveList {
        ring24::indices(self.movable()).map(|index| Move::of_pit(ring24::pit_at(index))).collect()
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if self.movable() == 0 {
            Some(self.immobile())
        } else if self.pits[(!self.side).index()] == 0 {
            // Rule G6, only by hand.
            Some(Outcome::win(self.side, EndReason::NoSeeds))
        } else {
            None
        }
    }

    #[inline]
    fn play_unchecked(&mut self, m: Move) -> Completion {
        let index = ring24::index_of(m.pit());
        debug_assert!(self.movable() & 1 << index != 0);
        self.step(index);
        Completion { laps: 1, endless: false }
    }

    #[inline]
    fn play_random<R: Rng>(&mut self, rng: &mut R) -> Option<Outcome> {
        let movable = self.movable();
        if movable == 0 || self.pits[(!self.side).index()] == 0 {
            return self.outcome();
        }
        self.step(ring24::random_set_bit(movable, rng));
        None
    }

    #[inline]
    fn same_state(&self, other: &Self) -> bool {
        self.pits == other.pits && self.side == other.side
    }

    /// Exact: the 49 bits of the state, scrambled by a bijection.
    #[inline]
    fn key(&self) -> u64 {
        let state = u64::from(self.pits[0]) | u64::from(self.pits[1]) << 24 | (self.side.index() as u64) << 48;
        // The finaliser of SplitMix64, a bijection on 64 bits.
        let mut key = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        key = (key ^ key >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        key = (key ^ key >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        key ^ key >> 31
    }
}
