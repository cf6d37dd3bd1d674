//! The sixteen pits of one side, sixteen counts in one word.

use crate::game::{Pit, Row};

/// Pits on the ring.
pub(super) const PITS: usize = 16;
/// Pits in a row.
const COLUMNS: usize = 8;
/// The ring index of the house (rule S2): `A5`.
pub(super) const HOUSE: usize = 4;
/// Seeds from which an owned house is functional (rule S2).
pub(super) const FUNCTIONAL: u8 = 6;

/// The two ways round the ring (rule G4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// `A1 .. A8 B8 .. B1`: upwards by index.
    Right,
    /// The other way: downwards by index.
    Left,
}

/// The counts of one side: index 0..=7 is `A1..A8`, 8..=15 is `B8..B1` (rule G4), a byte each. No byte can overflow,
/// since there are 64 seeds in all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Ring(u128);

const ONES: u128 = u128::from_ne_bytes([1; PITS]);

impl Ring {
    #[inline]
    pub(super) fn count(self, index: usize) -> u8 {
        (self.0 >> (8 * (index & (PITS - 1)))) as u8
    }

    #[inline]
    pub(super) fn set(&mut self, index: usize, count: u8) {
        self.lift(index);
        self.0 |= u128::from(count) << (8 * (index & (PITS - 1)));
    }

    /// Empties a pit and says what was in it.
    #[inline]
    pub(super) fn lift(&mut self, index: usize) -> u8 {
        let shift = 8 * (index & (PITS - 1));
        let count = (self.0 >> shift) as u8;
        self.0 &= !(0xff << shift);
        count
    }

    /// Adds one seed.
    #[inline]
    pub(super) fn add(&mut self, index: usize) {
        self.0 += 1 << (8 * (index & (PITS - 1)));
    }

    /// Sows `seeds` (at least one) one by one, beginning with the pit after `from`, and returns the last pit (rule G3).
    #[inline]
    pub(super) fn sow(&mut self, from: usize, seeds: u8, direction: Direction) -> usize {
        let mut seeds = usize::from(seeds);
        while seeds > PITS {
            self.0 += ONES;
            seeds -= PITS;
        }
        let ones = ONES >> (8 * ((PITS - seeds) & (PITS - 1)));
        let (first, last) = match direction {
            Direction::Right => (from + 1, (from + seeds) % PITS),
            Direction::Left => ((from + PITS - seeds) % PITS, (from + PITS - seeds) % PITS),
        };
        self.0 += ones.rotate_left(8 * (first % PITS) as u32);
        last
    }

    /// All counts by ring index.
    #[inline]
    pub(super) fn counts(self) -> [u8; PITS] {
        self.0.to_le_bytes()
    }

    /// The front row, `A1` in the lowest byte; 0 if it is empty.
    #[inline]
    pub(super) fn front(self) -> u64 {
        self.0 as u64
    }

    #[inline]
    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline]
    pub(super) fn seeds(self) -> u32 {
        self.counts().iter().map(|&count| u32::from(count)).sum()
    }

    /// Front row and back row as words, for the key.
    #[inline]
    pub(super) fn words(self) -> [u64; 2] {
        [self.0 as u64, (self.0 >> 64) as u64]
    }

    /// The front pits with one or more seeds, bit `i` for index `i`.
    #[inline]
    pub(super) fn front_occupied(self) -> u32 {
        at_least(self.front(), 1)
    }

    /// The front pits that face an occupied pit of the side with this ring, by the other side's index (rule G2: the pit
    /// that faces index `i` has index `7 - i`).
    #[inline]
    pub(super) fn front_faced(self) -> u32 {
        at_least(self.front().swap_bytes(), 1)
    }

    /// The front pits with two or more seeds.
    #[inline]
    pub(super) fn front_many(self) -> u32 {
        at_least(self.front(), 2)
    }

    /// The back pits with two or more seeds, bit `i` for index `i` (8..=15).
    #[inline]
    pub(super) fn back_many(self) -> u32 {
        at_least((self.0 >> 64) as u64, 2) << COLUMNS
    }
}

/// The bytes of `row` that are at least `least` (1 or 2) as a set of eight bits. Adding `128 - least` carries into the
/// top bit exactly then, as no count is over 64.
#[inline]
fn at_least(row: u64, least: u64) -> u32 {
    const LOW_BITS: u64 = 0x0101_0101_0101_0101;
    // Multiplying by this brings the lowest bits of the eight bytes together in the top byte, in order.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let tops = row.wrapping_add((128 - least) * LOW_BITS) >> 7 & LOW_BITS;
    (tops.wrapping_mul(GATHER) >> 56) as u32
}

/// The ring index of the front pit that faces front index `index` (rule G2).
#[inline]
pub(super) fn facing(index: usize) -> usize {
    (COLUMNS - 1).wrapping_sub(index) & (COLUMNS - 1)
}

/// The pit at `index`.
#[inline]
pub(super) fn pit_at(index: usize) -> Pit {
    debug_assert!(index < PITS);
    if index < COLUMNS { Pit::front(index as u8 + 1) } else { Pit::back((PITS - index) as u8) }
}

/// The index of `pit`. A pit that this board does not have wraps to one that it has.
#[inline]
pub(super) fn index_of(pit: Pit) -> usize {
    let number = usize::from(pit.number());
    match pit.row() {
        Row::Front => (number - 1) % PITS,
        Row::Back => (PITS - number) % PITS,
    }
}

/// The index of `pit` if it is one of the front row.
#[inline]
pub(super) fn front_index_of(pit: Pit) -> Option<u8> {
    (pit.row() == Row::Front && usize::from(pit.number()) <= COLUMNS).then(|| pit.number() - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sowing seed by seed, as rule G3 says it.
    fn sow_one_by_one(counts: &mut [u8; PITS], from: usize, seeds: u8, direction: Direction) -> usize {
        let mut at = from;
        for _ in 0..seeds {
            at = match direction {
                Direction::Right => (at + 1) % PITS,
                Direction::Left => (at + PITS - 1) % PITS,
            };
            counts[at] += 1;
        }
        at
    }

    #[test]
    fn rule_g3_sowing_in_one_addition_equals_sowing_seed_by_seed() {
        for direction in [Direction::Right, Direction::Left] {
            for from in 0..PITS {
                for seeds in 1..=64 {
                    let mut ring = Ring::default();
                    let mut counts = [0; PITS];
                    let last = ring.sow(from, seeds, direction);
                    assert_eq!(last, sow_one_by_one(&mut counts, from, seeds, direction));
                    assert_eq!(std::array::from_fn(|i| ring.count(i)), counts, "{from} {seeds} {direction:?}");
                }
            }
        }
    }

    #[test]
    fn sets_of_pits_are_those_with_enough_seeds() {
        let mut ring = Ring::default();
        for (index, count) in [(0, 1), (1, 2), (4, 64), (7, 1), (8, 2), (12, 1), (15, 30)] {
            ring.set(index, count);
        }
        assert_eq!(ring.front_occupied(), 0b1001_0011);
        assert_eq!(ring.front_faced(), 0b1100_1001);
        assert_eq!(ring.front_many(), 0b0001_0010);
        assert_eq!(ring.back_many(), 1 << 8 | 1 << 15);
        assert_eq!(ring.seeds(), 101);
    }

    #[test]
    fn rule_g4_the_ring_runs_a1_to_a8_then_b8_to_b1() {
        let order: Vec<Pit> = (0..PITS).map(pit_at).collect();
        let expected: Vec<Pit> = (1..=8).map(Pit::front).chain((1..=8).rev().map(Pit::back)).collect();
        assert_eq!(order, expected);
        for (index, pit) in order.into_iter().enumerate() {
            assert_eq!(index_of(pit), index);
        }
        assert_eq!(facing(0), 7);
        assert_eq!(facing(4), 3);
    }
}
