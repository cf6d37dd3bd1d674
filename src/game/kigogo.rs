//! Bao Kigogo: relay sowing on the ring of 24, with the exact test for relays that never end.

use super::position::{Position, key_of_words};
use super::ring24::{self, PITS};
use super::setup::{Setup, SetupError};
use super::{Completion, EndReason, Move, MoveList, Outcome, Side, Variant};
use rand::Rng;

/// Seeds of one side by ring index; padded to a power of two so that an index masked with `PAD - 1` needs no bounds check.
type Counts = [u8; PAD];
const PAD: usize = 32;

/// A position of Bao Kigogo.
#[derive(Clone, Debug)]
pub struct Kigogo {
    counts: [Counts; 2],
    /// The pits with one or more seeds, as sets on the ring of 24; always in step with `counts`.
    occupied: [u32; 2],
    /// The pits with two or more.
    many: [u32; 2],
    side: Side,
    ply: u32,
}

/// How a sowing of one or more laps ended.
struct Sown {
    /// Ring index of the last pit.
    last: usize,
    laps: u64,
    endless: bool,
}

/// The seeds of one side while it sows, with the sets that are kept in step with them. The sets are kept lap by lap, since
/// wide loads of counts that have just been written one by one would wait for these.
struct Sowing<'a> {
    counts: &'a mut Counts,
    occupied: &'a mut u32,
    many: &'a mut u32,
}

impl Sowing<'_> {
    /// Sows from `start` until a lap ends in an empty pit or the relay is seen to be endless, which leaves all as it was
    /// (rules K3, K5).
    #[inline]
    fn relay(&mut self, start: usize) -> Sown {
        let mut last = start;
        let mut laps = 0;
        loop {
            last = self.lap(last);
            laps += 1;
            if *self.many >> last & 1 == 0 {
                return Sown { last, laps, endless: false };
            }
            if last == start {
                return self.relay_from_its_start(start, laps);
            }
        }
    }

    /// Goes on with a relay that is back at `start` after so many laps, and about to lift the same pit. A loop of its own:
    /// with what it remembers, that of all other relays is a sixth slower.
    ///
    /// Rule K5: a lap is an injective map, so an endless relay runs in a circle, all of whose positions at `start` come by
    /// here; no cap on laps is needed. The first of them is waited for, and the one before it is where the move began.
    #[cold]
    fn relay_from_its_start(&mut self, start: usize, laps_to_first: u64) -> Sown {
        let first = *self.counts;
        let mut before = first;
        let mut last = start;
        let mut laps = laps_to_first;
        loop {
            last = self.lap(last);
            laps += 1;
            if *self.many >> last & 1 == 0 {
                return Sown { last, laps, endless: false };
            }
            if last == start {
                if *self.counts == first {
                    *self.counts = before;
                    *self.occupied = at_least::<1>(&before);
                    *self.many = at_least::<2>(&before);
                    return Sown { last, laps: laps - laps_to_first, endless: true };
                }
                before = *self.counts;
            }
        }
    }

    /// Sows the pit at `from`; returns the pit of its last seed.
    #[inline]
    fn lap(&mut self, from: usize) -> usize {
        let seeds = usize::from(std::mem::take(&mut self.counts[from & (PAD - 1)]));
        let mut at = from;
        for _ in 0..seeds {
            at = ring24::next(at);
            self.counts[at & (PAD - 1)] += 1;
        }
        *self.occupied &= !(1 << from);
        *self.many &= !(1 << from);
        let sown = ring24::after(from, seeds.min(PITS));
        *self.many |= *self.occupied & sown;
        *self.occupied |= sown;
        if seeds > PITS {
            *self.many |= ring24::after(from, seeds - PITS);
        }
        at
    }
}

/// The pits with at least `LEAST` seeds (1 or 2), eight counts a word: adding `128 - LEAST` carries into the top bit of
/// a byte exactly when its count, at most 46, is at least `LEAST`.
#[inline]
fn at_least<const LEAST: u64>(counts: &Counts) -> u32 {
    const LOW_BITS: u64 = 0x0101_0101_0101_0101;
    /// Multiplying by this brings the lowest bits of the eight bytes together in the top byte, in order.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let mut set = 0;
    for (i, chunk) in counts.as_chunks::<8>().0.iter().take(PITS / 8).enumerate() {
        let word = u64::from_le_bytes(*chunk).wrapping_add((128 - LEAST) * LOW_BITS);
        let bits = (word >> 7 & LOW_BITS).wrapping_mul(GATHER) >> 56;
        set |= (bits as u32) << (8 * i);
    }
    set
}

impl Kigogo {
    /// Seeds that a side has at the start (rule K1); captured seeds never return.
    const SEEDS_OF_SIDE: u32 = 46;

    fn new(counts: [Counts; 2], side: Side, ply: u32) -> Kigogo {
        let occupied = [at_least::<1>(&counts[0]), at_least::<1>(&counts[1])];
        let many = [at_least::<2>(&counts[0]), at_least::<2>(&counts[1])];
        Kigogo { counts, occupied, many, side, ply }
    }

    /// The seeds of a side by ring index: `B1..B12`, then `A12..A1` (rule G4).
    #[inline]
    pub(crate) fn counts(&self, side: Side) -> &[u8] {
        &self.counts[side.index()][..PITS]
    }

    /// The pits that may be played (rule K2).
    #[inline]
    fn movable(&self) -> u32 {
        let me = self.side.index();
        if self.many[me] != 0 { self.many[me] } else { self.occupied[me] & !ring24::before(self.occupied[me]) }
    }

    /// Plays the pit at `index`.
    #[inline]
    fn sow_and_capture(&mut self, index: usize) -> Completion {
        let me = self.side.index();
        let mut sowing =
            Sowing { counts: &mut self.counts[me], occupied: &mut self.occupied[me], many: &mut self.many[me] };
        let sown = sowing.relay(index);
        self.side = !self.side;
        self.ply = self.ply.saturating_add(1);
        if !sown.endless {
            self.capture(sown.last);
        }
        Completion { laps: sown.laps, endless: sown.endless }
    }

    /// Takes what faces the pit `last` of the side that has just sown (rule K4).
    #[inline]
    fn capture(&mut self, last: usize) {
        let them = self.side.index();
        let (facing, column) = ring24::FACED[last];
        if self.occupied[them] & facing != 0 {
            for index in ring24::indices(column) {
                self.counts[them][index & (PAD - 1)] = 0;
            }
            self.occupied[them] &= !column;
            self.many[them] &= !column;
        }
    }

    /// The outcome when the side to move cannot move (rule G5a).
    #[cold]
    fn immobile(&self) -> Outcome {
        let reason = if self.occupied[self.side.index()] == 0 { EndReason::NoSeeds } else { EndReason::Immobile };
        Outcome::win(!self.side, reason)
    }
}

impl Position for Kigogo {
    const VARIANT: Variant = Variant::Kigogo;

    fn start() -> Self {
        let mut counts = [0; PAD];
        counts[..PITS - 1].fill(2);
        Kigogo::new([counts; 2], Side::South, 0)
    }

    fn from_setup(setup: &Setup) -> Result<Self, SetupError> {
        let variant = Self::VARIANT;
        if setup.variant() != variant {
            return Err(SetupError::WrongVariant { expected: variant, found: setup.variant() });
        }
        if !setup.is_plain() {
            return Err(SetupError::NotPlain { variant });
        }
        let mut counts = [[0; PAD]; 2];
        for side in Side::ALL {
            let seeds = setup.seeds_on_board(side);
            if seeds > Self::SEEDS_OF_SIDE {
                return Err(SetupError::TooManySeeds { side, seeds, max: Self::SEEDS_OF_SIDE });
            }
            for pit in Setup::pits(variant) {
                counts[side.index()][ring24::index_of(pit)] = setup.count(side, pit);
            }
        }
        Ok(Kigogo::new(counts, setup.side, setup.ply))
    }

    fn to_setup(&self) -> Setup {
        let mut setup = Setup::empty(Self::VARIANT);
        setup.side = self.side;
        setup.ply = self.ply;
        for side in Side::ALL {
            for index in 0..PITS {
                setup.set_count(side, ring24::pit_at(index), self.counts[side.index()][index]);
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
        self.counts[side.index()].iter().map(|&c| u32::from(c)).sum()
    }

    #[inline]
    fn movements(&self) -> MoveList {
        ring24::indices(self.movable()).map(|index| Move::of_pit(ring24::pit_at(index))).collect()
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if self.movable() == 0 {
            Some(self.immobile())
        } else if self.occupied[(!self.side).index()] == 0 {
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
        self.sow_and_capture(index)
    }

    #[inline]
    fn play_random<R: Rng>(&mut self, rng: &mut R) -> Option<Outcome> {
        let movable = self.movable();
        if movable == 0 || self.occupied[(!self.side).index()] == 0 {
            return self.outcome();
        }
        let index = ring24::random_set_bit(movable, rng);
        // Rule K5: choosing an endless relay draws.
        self.sow_and_capture(index).endless.then_some(Outcome::draw(EndReason::EndlessRelay))
    }

    #[inline]
    fn same_state(&self, other: &Self) -> bool {
        self.counts == other.counts && self.side == other.side
    }

    #[inline]
    fn key(&self) -> u64 {
        let word = |side: usize, i: usize| {
            self.counts[side].as_chunks::<8>().0.get(i).map_or(0, |chunk| u64::from_le_bytes(*chunk))
        };
        // A count is at most 46, so the top bit of a byte is free for the side to move.
        let side = (self.side.index() as u64) << 63;
        key_of_words([word(0, 0) ^ side, word(0, 1), word(0, 2), word(1, 0), word(1, 1), word(1, 2)])
    }
}
