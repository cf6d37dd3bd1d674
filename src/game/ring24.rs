//! The ring of 24 pits that Kigogo and Kimasai share (rule G4, counterclockwise).
//!
//! Index 0..=11 is `B1..B12`, 12..=23 is `A12..A1`, for either side from its own left; sowing goes upwards and from 23
//! back to 0. Sets of pits are the low 24 bits of a `u32`.

use super::{Pit, Row};

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

/// The opponent's front pit that faces the front pit `index`, as an index on his own ring (rule G2).
#[inline]
pub(super) fn facing(index: usize) -> usize {
    debug_assert!((FIRST_FRONT..PITS).contains(&index));
    35 - index
}

/// The opponent's back pit in the column of the front pit `index`, as an index on his own ring.
#[inline]
pub(super) fn behind_facing(index: usize) -> usize {
    debug_assert!((FIRST_FRONT..PITS).contains(&index));
    index - FIRST_FRONT
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

/// The position of the `k`-th set bit (from 0) of `set`, which has more than `k` of them.
#[inline]
pub(super) fn nth_set_bit(mut set: u32, k: u32) -> usize {
    debug_assert!(k < set.count_ones());
    for _ in 0..k {
        set &= set - 1;
    }
    set.trailing_zeros() as usize
}

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

    #[test]
    fn rule_g2_facing_pits_are_mirrored_and_stand_before_their_back_pit() {
        for i in 1..=12u8 {
            let mine = index_of(Pit::front(i));
            assert_eq!(pit_at(facing(mine)), Pit::front(13 - i));
            assert_eq!(pit_at(behind_facing(mine)), Pit::back(13 - i));
            assert_eq!(facing(facing(mine)), mine);
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
    fn the_nth_set_bit_is_the_nth_index() {
        for set in [1, 0b1011_0110, ALL, 1 << 23 | 1] {
            for (k, index) in indices(set).enumerate() {
                assert_eq!(nth_set_bit(set, k as u32), index);
            }
        }
    }
}
