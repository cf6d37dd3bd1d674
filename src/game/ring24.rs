//! The ring of 24 pits that Kigogo and Kimasai share (rule G4, counterclockwise).
//!
//! Index 0..=11 is `B1..B12`, 12..=23 is `A12..A1`, for either side from its own left; sowing goes upwards and from 23
//! back to 0. Sets of pits are the low 24 bits of a `u32`.

use super::{Pit, Row};
use rand::{Rng, RngExt};

/// Pits on the ring.
pub(super) const PITS: usize = 24;
/// The set of all pits.
pub(super) const ALL: u32 = (1 << PITS) - 1;
/// The index of the first front pit, `A12`.
pub(super) const FIRST_FRONT: usize = 12;

/// The pit after `index`.
#[inline]
pub(super) fn next(index: usize) -> usize {
    if index == PITS - 1 { 0 } else { index + 1 }
}

/// The set of pits whose next pit is in `set`.
#[inline]
pub(super) fn before(set: u32) -> u32 {
    (set >> 1 | set << (PITS - 1)) & ALL
}

/// The set of the `count` pits after `index`, up to all of them.
#[inline]
pub(super) fn after(index: usize, count: usize) -> u32 {
    debug_assert!(index < PITS && count <= PITS);
    let run = ((1_u64 << count) - 1) << (index + 1);
    (run | run >> PITS) as u32 & ALL
}

/// The pit at `index`.
#[inline]
pub(super) fn pit_at(index: usize) -> Pit {
    debug_assert!(index < PITS);
    if index < FIRST_FRONT { Pit::back(index as u8 + 1) } else { Pit::front((PITS - index) as u8) }
}

/// The index of `pit`.
#[inline]
pub(super) fn index_of(pit: Pit) -> usize {
    match pit.row() {
        Row::Front => PITS - usize::from(pit.number()),
        Row::Back => usize::from(pit.number()) - 1,
    }
}

/// A set bit of `set`, which has some, each with the same chance; without a branch that depends on the set.
#[inline]
pub(super) fn random_set_bit<R: Rng>(set: u32, rng: &mut R) -> usize {
    // Bit counts of the three bytes, then their running sums, by adding up ever larger fields of the word.
    let pairs = set - (set >> 1 & 0x55_5555);
    let nibbles = (pairs & 0x33_3333) + (pairs >> 2 & 0x33_3333);
    let bytes = (nibbles + (nibbles >> 4)) & 0x0f_0f0f;
    let sums = bytes.wrapping_mul(0x01_0101);
    let k = rng.random_range(0..sums >> 16 & 0xff);
    nth_set_bit(set, sums, k)
}

/// The position of the `k`-th set bit (from 0) of `set`, which has more than `k` of them; `sums` are the running sums of the
/// bit counts of its three bytes.
#[inline]
fn nth_set_bit(set: u32, sums: u32, k: u32) -> usize {
    let byte = u32::from(k >= sums & 0xff) + u32::from(k >= sums >> 8 & 0xff);
    let before = (sums << 8) >> (8 * byte) & 0xff;
    let within = (set >> (8 * byte) & 0xff) as usize;
    let bit = NTH_BIT_OF_BYTE[within][(k.wrapping_sub(before) & 7) as usize];
    (8 * byte) as usize + usize::from(bit)
}

/// For each byte, the positions of its set bits, lowest first.
static NTH_BIT_OF_BYTE: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        let mut k = 0;
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte][k] = bit;
                k += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// What a seed that falls into a pit of the ring looks at: `.0` the opponent's facing front pit, `.1` that and the back pit
/// behind it (rule K4), as sets on the opponent's ring; both empty for back pits.
pub(super) static FACED: [(u32, u32); PITS] = {
    let mut faced = [(0, 0); PITS];
    let mut index = FIRST_FRONT;
    while index < PITS {
        let facing = 1 << (35 - index);
        faced[index] = (facing, facing | 1 << (index - FIRST_FRONT));
        index += 1;
    }
    faced
};

/// The set bits of `set`, lowest first.
#[inline]
pub(super) fn indices(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let index = set.trailing_zeros() as usize;
            set &= set - 1;
            index
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand::rngs::Xoshiro256PlusPlus;

    #[test]
    fn rule_g2_facing_pits_are_mirrored_and_stand_before_their_back_pit() {
        for i in 1..=12u8 {
            let (front, column) = FACED[index_of(Pit::front(i))];
            assert_eq!(indices(front).map(pit_at).collect::<Vec<_>>(), [Pit::front(13 - i)]);
            assert_eq!(indices(column & !front).map(pit_at).collect::<Vec<_>>(), [Pit::back(13 - i)]);
            assert_eq!(FACED[index_of(Pit::back(i))], (0, 0));
        }
    }

    #[test]
    fn rule_g4_the_ring_runs_b1_to_b12_then_a12_to_a1() {
        let mut at = index_of(Pit::back(1));
        let mut seen = Vec::new();
        for _ in 0..PITS {
            seen.push(pit_at(at));
            at = next(at);
        }
        let expected: Vec<Pit> = (1..=12).map(Pit::back).chain((1..=12).rev().map(Pit::front)).collect();
        assert_eq!(seen, expected);
        assert_eq!(at, index_of(Pit::back(1)));
        assert_eq!(before(1), 1 << 23);
        assert_eq!(before(1 << 12 | 1 << 1), 1 << 11 | 1);
    }

    #[test]
    fn so_many_pits_after_one_are_those_that_sowing_comes_by() {
        for index in 0..PITS {
            let mut at = index;
            let mut sown = 0;
            for count in 0..=PITS {
                assert_eq!(after(index, count), sown, "{count} after {index}");
                at = next(at);
                sown |= 1 << at;
            }
        }
    }

    #[test]
    fn every_set_bit_is_found_and_only_those() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        for set in [1, 0b1011_0110, ALL, 1 << 23 | 1, 0x80_0000, 0x01_0100, 0xff_00ff] {
            let mut found = 0_u32;
            for _ in 0..2_000 {
                found |= 1 << random_set_bit(set, &mut rng);
            }
            assert_eq!(found, set);
        }
    }

    #[test]
    fn the_nth_set_bit_is_the_nth_index() {
        for set in (1..=ALL).step_by(977) {
            let counts = [set, set & 0xffff, set & 0xff].map(u32::count_ones);
            let sums = counts[0] << 16 | counts[1] << 8 | counts[2];
            for (k, index) in indices(set).enumerate() {
                assert_eq!(nth_set_bit(set, sums, k as u32), index, "{set:x} {k}");
            }
        }
    }
}
