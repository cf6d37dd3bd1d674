//! Bao la Kiswahili, the Zanzibar game.
//!
//! Its words (rule S2), used in this module and nowhere else without need:
//!
//! * *nyumba*, the house: pit 5 of the front row. It is *owned* until its content is once lifted by its owner or
//!   captured, and *functional* while owned and holding six seeds or more;
//! * *kichwa*: the first and the last pit of the front row; *kimbi*: the kichwa and the pit beside it;
//! * *namua*: a move that brings a seed from the reserve; *mtaji*: a move of a side whose reserve is empty;
//! * *takata*: a move that does not capture in its first step or lap, and then not at all;
//! * *takasia*: the blocking of one pit of the opponent for one turn (rule S8);
//! * *safari*: going on with the house's seeds where the mover may stop in it (rule S7d).
//!
//! `ring` is the board of one side, `movement` says which moves there are (rules S4 to S6, S8, S10), `sowing` what a
//! move does (rules S7, S11).

mod movement;
mod ring;
mod sowing;

use super::position::{Position, key_of_words};
use super::setup::{Setup, SetupError, TakasiaError};
use super::{Completion, EndReason, Move, MoveList, Outcome, Side, Variant};
use movement::Choices;
use rand::Rng;
use ring::{HOUSE, Ring};
use sowing::Start;

pub use sowing::MAX_LAPS;

/// A position of Bao la Kiswahili.
#[derive(Clone, Debug)]
pub struct Kiswahili {
    rings: [Ring; 2],
    reserves: [u8; 2],
    /// Whether each side owns its house (rule S2).
    owned: [bool; 2],
    /// The ring index of the front pit that the side to move may not use this turn (rule S8).
    takasia: Option<u8>,
    side: Side,
    ply: u32,
}

impl Kiswahili {
    /// Seeds in a reserve at the start (rule S1).
    const RESERVE: u8 = 22;

    /// Whether the side to move must capture in namua (rule S4), so that move letters name kichwa (rule S9).
    pub fn captures_in_namua(&self) -> bool {
        self.choices().is_namua_capture()
    }

    /// The seeds of a side by ring index: `A1..A8`, then `B8..B1` (rule G4).
    #[inline]
    pub(crate) fn counts(&self, side: Side) -> [u8; ring::PITS] {
        self.rings[side.index()].counts()
    }

    /// The seeds in a side's reserve.
    #[inline]
    pub(crate) fn reserve(&self, side: Side) -> u8 {
        self.reserves[side.index()]
    }

    /// Whether a side owns its house (rule S2).
    #[inline]
    pub(crate) fn owns_house(&self, side: Side) -> bool {
        self.owned[side.index()]
    }

    /// The ring index of the front pit that is blocked for the side to move (rule S8).
    #[inline]
    pub(crate) fn blocked(&self) -> Option<u8> {
        self.takasia
    }

    /// Whether `side` has a functional house (rule S2), the counts being those of the board as it stands.
    #[inline]
    fn has_functional_house(&self, side: Side) -> bool {
        self.owned[side.index()] && self.rings[side.index()].count(HOUSE) >= ring::FUNCTIONAL
    }

    /// The outcome as far as the seeds alone show it.
    #[inline]
    fn outcome_by_seeds(&self) -> Option<Outcome> {
        let them = !self.side;
        if self.rings[self.side.index()].front() == 0 {
            // Rules S7a and S12: whatever stands behind or in reserve.
            Some(Outcome::win(them, EndReason::FrontRowEmpty))
        } else if self.rings[them.index()].is_empty() && self.reserves[them.index()] == 0 {
            // Rule G6, only by hand. The side to move can still be the one that is stuck; that goes first.
            let stuck = self.choices().is_empty();
            let (winner, reason) = if stuck { (them, EndReason::Immobile) } else { (self.side, EndReason::NoSeeds) };
            Some(Outcome::win(winner, reason))
        } else {
            None
        }
    }

    /// Checks a takasia that was written by hand (rules G6, S8).
    fn check_takasia(&self, side: Side, index: Option<u8>) -> Result<(), TakasiaError> {
        let index = index.filter(|_| side == self.side).ok_or(TakasiaError::NotFrontOfMover)?;
        if self.rings[side.index()].count(usize::from(index)) == 0 {
            return Err(TakasiaError::Empty);
        }
        if self.reserves != [0; 2] {
            return Err(TakasiaError::ReservesLeft);
        }
        if self.has_capture(side) {
            return Err(TakasiaError::MoverCaptures);
        }
        match self.only_target() {
            Some(target) if target == index && self.is_exempt(target) => Err(TakasiaError::Exempt),
            Some(target) if target == index => Ok(()),
            _ => Err(TakasiaError::NotOnlyTarget),
        }
    }
}

impl Position for Kiswahili {
    const VARIANT: Variant = Variant::Kiswahili;

    fn start() -> Self {
        let mut ring = Ring::default();
        for (index, count) in [(HOUSE, 6), (5, 2), (6, 2)] {
            ring.set(index, count);
        }
        Kiswahili {
            rings: [ring; 2],
            reserves: [Self::RESERVE; 2],
            owned: [true; 2],
            takasia: None,
            side: Side::South,
            ply: 0,
        }
    }

    fn from_setup(setup: &Setup) -> Result<Self, SetupError> {
        let variant = Self::VARIANT;
        if setup.variant() != variant {
            return Err(SetupError::WrongVariant { expected: variant, found: setup.variant() });
        }
        let seeds = Side::ALL.into_iter().map(|side| setup.seeds(side)).sum();
        if seeds > variant.seeds() {
            return Err(SetupError::TooManySeedsInAll { seeds, max: variant.seeds() });
        }
        let mut rings = [Ring::default(); 2];
        for side in Side::ALL {
            let reserve = setup.reserves[side.index()];
            if reserve > Self::RESERVE {
                return Err(SetupError::ReserveTooLarge { side, seeds: reserve, max: Self::RESERVE });
            }
            for pit in Setup::pits(variant) {
                rings[side.index()].set(ring::index_of(pit), setup.count(side, pit));
            }
        }
        let mut position = Kiswahili {
            rings,
            reserves: setup.reserves,
            owned: setup.houses,
            takasia: None,
            side: setup.side,
            ply: setup.ply,
        };
        if let Some((side, pit)) = setup.takasia {
            let index = ring::front_index_of(pit);
            position.check_takasia(side, index).map_err(|why| SetupError::Takasia { side, pit, why })?;
            position.takasia = index;
        }
        Ok(position)
    }

    fn to_setup(&self) -> Setup {
        let mut setup = Setup::empty(Self::VARIANT);
        setup.side = self.side;
        setup.reserves = self.reserves;
        setup.houses = self.owned;
        setup.takasia = self.takasia.map(|index| (self.side, ring::pit_at(usize::from(index))));
        setup.ply = self.ply;
        for side in Side::ALL {
            for index in 0..ring::PITS {
                setup.set_count(side, ring::pit_at(index), self.rings[side.index()].count(index));
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
        self.rings[side.index()].seeds() + u32::from(self.reserves[side.index()])
    }

    fn movements(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.successors(|m, _| moves.push(m));
        moves
    }

    fn successors(&self, mut visit: impl FnMut(Move, Option<(Self, Completion)>)) {
        let choices = self.choices();
        for (slot, start) in choices.starts() {
            if start.safari {
                continue;
            }
            let mut try_out = |start: Start| {
                let mut next = self.clone();
                let sown = next.sow(start);
                if !sown.never_ending {
                    next.end_turn(start.kind);
                    visit(choices.to_move(start), Some((next, Completion { laps: sown.laps, endless: false })));
                }
                sown.choice
            };
            // Rule S9: the safari form exists where the choice arises; rule S11 judges it by itself.
            if try_out(start) && choices.contains(slot.with_safari()) {
                try_out(Start { safari: true, ..start });
            }
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome_by_seeds().or_else(|| {
            let movable =
                self.choices().starts().any(|(_, start)| !start.safari && !self.clone().sow(start).never_ending);
            (!movable).then(|| Outcome::win(!self.side, EndReason::Immobile))
        })
    }

    #[inline]
    fn evident_outcome(&self) -> Option<Outcome> {
        self.outcome_by_seeds()
            .or_else(|| self.choices().is_empty().then(|| Outcome::win(!self.side, EndReason::Immobile)))
    }

    #[inline]
    fn play_unchecked(&mut self, m: Move) -> Completion {
        let start = self.choices().start_of(m);
        let sown = self.sow(start);
        debug_assert!(!sown.never_ending);
        self.end_turn(start.kind);
        Completion { laps: sown.laps, endless: false }
    }

    /// Uniform over the legal moves without listing them: slots are tried in random order until one is legal, which
    /// is each legal move with the same chance. Most turns sow a single move that way.
    fn play_random<R: Rng>(&mut self, rng: &mut R) -> Option<Outcome> {
        if let Some(outcome) = self.outcome_by_seeds() {
            return Some(outcome);
        }
        let mut choices: Choices = self.choices();
        while let Some(start) = choices.take_random(rng) {
            let mut next = self.clone();
            let sown = next.sow(start);
            if sown.never_ending || (start.safari && !sown.choice) {
                continue;
            }
            *self = next;
            self.end_turn(start.kind);
            return None;
        }
        Some(Outcome::win(!self.side, EndReason::Immobile))
    }

    #[inline]
    fn same_state(&self, other: &Self) -> bool {
        self.rings == other.rings
            && self.reserves == other.reserves
            && self.owned == other.owned
            && self.takasia == other.takasia
            && self.side == other.side
    }

    #[inline]
    fn key(&self) -> u64 {
        let [south, north] = self.rings.map(Ring::words);
        let rest = u64::from(self.reserves[0])
            | u64::from(self.reserves[1]) << 8
            | u64::from(self.owned[0]) << 16
            | u64::from(self.owned[1]) << 17
            | (self.side.index() as u64) << 18
            | self.takasia.map_or(0, |index| u64::from(index) + 1) << 24;
        key_of_words([south[0], south[1], north[0], north[1], rest])
    }
}
