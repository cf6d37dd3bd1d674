//! What a net sees of a position: the active rows of its first layer, from the mover's view.
//!
//! Rows come in groups of which each has one active row at the most. A count of seeds is one of sixteen rows ([`BUCKET`]).

use crate::game::{Kigogo, Kimasai, Kiswahili, Position};

/// The most stages that a net may tell apart by weights of their own in the last layer.
pub const STAGES: usize = 4;

/// No position of any game has more active rows: one a group.
pub(super) const MAX_ACTIVE: usize = 48;

/// A game whose positions a net can see.
pub trait Inputs: Position {
    /// The name of the set of inputs; a net fits only the one that it was trained with.
    const NAME: &'static str;

    /// Rows of the first layer.
    const ROWS: usize;

    /// Calls `visit` with each active row, by number below [`Inputs::ROWS`].
    fn visit_rows(&self, visit: impl FnMut(usize));

    /// The stage of the game, below [`STAGES`].
    fn stage(&self) -> usize;

    /// Groups of rows of which at most one is active at a time.
    const GROUPS: usize;

    /// The group of a row, below [`Inputs::GROUPS`].
    fn group_of(row: usize) -> usize;
}

const BUCKETS: usize = 16;

/// The row of a count within its group: 0 to 9 by themselves, then ever wider classes.
static BUCKET: [u8; 256] = {
    /// The smallest count of each class.
    const LEAST: [usize; BUCKETS] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 17, 21, 28];
    let mut table = [0; 256];
    let mut count = 0;
    while count < 256 {
        let mut class = 0;
        while class + 1 < BUCKETS && LEAST[class + 1] <= count {
            class += 1;
        }
        table[count] = class as u8;
        count += 1;
    }
    table
};

#[inline]
fn bucket(count: u8) -> usize {
    usize::from(BUCKET[usize::from(count)])
}

/// The stage of a game in which seeds only leave the board: quarters of those it begins with.
#[inline]
fn stage_by_seeds<P: Position>(position: &P) -> usize {
    let side = position.side_to_move();
    let seeds = (position.seeds(side) + position.seeds(!side)) as usize;
    (seeds * STAGES / (P::VARIANT.seeds() as usize + 1)).min(STAGES - 1)
}

impl Inputs for Kigogo {
    const NAME: &'static str = "kigogo-pits-1";
    const ROWS: usize = 48 * BUCKETS;

    /// A group a pit: the mover's by ring index, then the opponent's.
    #[inline]
    fn visit_rows(&self, mut visit: impl FnMut(usize)) {
        for (half, side) in [self.side_to_move(), !self.side_to_move()].into_iter().enumerate() {
            for (pit, &count) in self.counts(side).iter().enumerate() {
                visit((half * 24 + pit) * BUCKETS + bucket(count));
            }
        }
    }

    #[inline]
    fn stage(&self) -> usize {
        stage_by_seeds(self)
    }

    const GROUPS: usize = 48;

    fn group_of(row: usize) -> usize {
        row / BUCKETS
    }
}

/// Rows of a group of eight pits with at most one seed each.
const PATTERNS: usize = 256;

impl Inputs for Kimasai {
    const NAME: &'static str = "kimasai-patterns-1";
    const ROWS: usize = 12 * PATTERNS;

    /// A group for each third of each side's ring, the mover's first, and one for each two neighbouring columns of all
    /// four rows; its row is the pattern of the eight pits.
    #[inline]
    fn visit_rows(&self, mut visit: impl FnMut(usize)) {
        let own = self.occupied(self.side_to_move());
        let theirs = self.occupied(!self.side_to_move());
        for third in 0..3 {
            visit(third * PATTERNS + (own >> (8 * third) & 0xff) as usize);
            visit((3 + third) * PATTERNS + (theirs >> (8 * third) & 0xff) as usize);
        }
        let bit = |set: u32, index: usize| (set >> index & 1) as usize;
        for pair in 0..6 {
            let mut pattern = 0;
            for half in 0..2 {
                let column = 2 * pair + half;
                let four = bit(own, column)
                    | bit(own, 23 - column) << 1
                    | bit(theirs, 12 + column) << 2
                    | bit(theirs, 11 - column) << 3;
                pattern |= four << (4 * half);
            }
            visit((6 + pair) * PATTERNS + pattern);
        }
    }

    #[inline]
    fn stage(&self) -> usize {
        stage_by_seeds(self)
    }

    const GROUPS: usize = 12;

    fn group_of(row: usize) -> usize {
        row / PATTERNS
    }
}

/// The places of Kiswahili's groups within the rows of one stage, namua or mtaji.
mod kiswahili {
    use super::BUCKETS;

    pub(super) const PITS: usize = 32;
    pub(super) const OWN_HOUSE: usize = PITS * BUCKETS;
    pub(super) const OWN_RESERVE: usize = OWN_HOUSE + 2 * BUCKETS;
    /// A reserve has 0 to 22 seeds.
    pub(super) const RESERVES: usize = 23;
    pub(super) const TAKASIA: usize = OWN_RESERVE + 2 * RESERVES;
    /// Nine rows: no pit is blocked, or one of eight.
    pub(super) const ROWS: usize = TAKASIA + 9;
    /// The ring index of the house.
    pub(super) const HOUSE: usize = 4;
}

impl Inputs for Kiswahili {
    const NAME: &'static str = "kiswahili-pits-1";
    const ROWS: usize = 2 * kiswahili::ROWS;

    /// The rows of namua, while the mover has a reserve, and those of mtaji are different ones. In each: a group a pit,
    /// the mover's by ring index, then the opponent's; the counts of the houses that are still owned; the reserves; the
    /// pit that is blocked by takasia.
    #[inline]
    fn visit_rows(&self, mut visit: impl FnMut(usize)) {
        use kiswahili::{HOUSE, OWN_HOUSE, OWN_RESERVE, RESERVES, ROWS, TAKASIA};
        let sides = [self.side_to_move(), !self.side_to_move()];
        let first = if self.reserve(sides[0]) > 0 { 0 } else { ROWS };
        for (half, side) in sides.into_iter().enumerate() {
            let counts = self.counts(side);
            for (pit, &count) in counts.iter().enumerate() {
                visit(first + (half * 16 + pit) * BUCKETS + bucket(count));
            }
            if self.owns_house(side) {
                visit(first + OWN_HOUSE + half * BUCKETS + bucket(counts[HOUSE]));
            }
            visit(first + OWN_RESERVE + half * RESERVES + usize::from(self.reserve(side)).min(RESERVES - 1));
        }
        visit(first + TAKASIA + self.blocked().map_or(0, |index| usize::from(index & 7) + 1));
    }

    /// By the seeds in both reserves: none, a third, two thirds, more.
    #[inline]
    fn stage(&self) -> usize {
        match self.reserve(self.side_to_move()) + self.reserve(!self.side_to_move()) {
            0 => 0,
            1..=14 => 1,
            15..=28 => 2,
            _ => 3,
        }
    }

    const GROUPS: usize = 37;

    fn group_of(row: usize) -> usize {
        use kiswahili::{OWN_RESERVE, PITS, RESERVES, ROWS, TAKASIA};
        // The rows of namua and those of mtaji are never active together.
        match row % ROWS {
            row if row < OWN_RESERVE => row / BUCKETS,
            row if row < TAKASIA => PITS + 2 + (row - OWN_RESERVE) / RESERVES,
            _ => PITS + 4,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{AnyPosition, GameRecord, Variant};
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::{RngExt, SeedableRng};

    fn active_rows<P: Inputs>(position: &P) -> Vec<usize> {
        let mut rows = Vec::new();
        position.visit_rows(|row| rows.push(row));
        rows.sort_unstable();
        rows
    }

    /// No two active rows are of the same group.
    fn check<P: Inputs>(position: &P, seen: &mut std::collections::HashSet<usize>) {
        let active = active_rows(position);
        let groups: std::collections::HashSet<_> = active.iter().map(|&row| P::group_of(row)).collect();
        assert_eq!(groups.len(), active.len(), "{}", P::NAME);
        assert!(active.iter().all(|&row| row < P::ROWS) && groups.iter().all(|&group| group < P::GROUPS));
        assert!(position.stage() < STAGES);
        seen.extend(active);
    }

    #[test]
    fn every_group_has_one_active_row_at_the_most() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
        for variant in Variant::ALL {
            let mut seen = std::collections::HashSet::new();
            for _ in 0..200 {
                let mut game = GameRecord::of_variant(variant);
                while game.outcome().is_none() {
                    match game.position() {
                        AnyPosition::Kiswahili(p) => check(p, &mut seen),
                        AnyPosition::Kigogo(p) => check(p, &mut seen),
                        AnyPosition::Kimasai(p) => check(p, &mut seen),
                    }
                    let moves = game.legal_moves();
                    game.play(moves[rng.random_range(0..moves.len())]).unwrap();
                }
            }
            assert!(seen.len() > 400, "{variant}: {} rows seen", seen.len());
        }
    }

    #[test]
    fn the_start_position_is_seen_as_documented() {
        // Two seeds a pit but A1, the last on the ring.
        let rows = active_rows(&Kigogo::start());
        assert_eq!((rows.len(), rows[0], rows[23], rows[24], rows[47]), (48, 2, 23 * 16, 24 * 16 + 2, 47 * 16));
        // A1 is empty on both sides: the top bit of the last third, and in the outer columns one front pit each.
        let rows = active_rows(&Kimasai::start());
        assert_eq!((rows.len(), rows[1], rows[2]), (12, 256 + 0xff, 2 * 256 + 0x7f));
        assert_eq!((rows[6], rows[7], rows[11]), (6 * 256 + 0b1111_1101, 7 * 256 + 0xff, 11 * 256 + 0b1011_1111));
        // The house with six seeds, still owned, and a reserve of 22.
        let rows = active_rows(&Kiswahili::start());
        assert_eq!((rows.len(), rows[0], rows[4], rows[20]), (37, 0, 4 * 16 + 6, 20 * 16 + 6));
        assert_eq!(rows[32..], [512 + 6, 528 + 6, 544 + 22, 567 + 22, 590]);
        assert_eq!(Kiswahili::start().stage(), 3);
    }

    #[test]
    fn counts_fall_into_ever_wider_classes() {
        let classes = [0, 1, 9, 10, 11, 12, 13, 14, 16, 17, 20, 21, 27, 28, 64].map(bucket);
        assert_eq!(classes, [0, 1, 9, 10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15]);
    }
}
