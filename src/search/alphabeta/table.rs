//! The transposition table: what was found out about positions, by their keys.

use super::{MAX_PLY, PROVED};
use crate::evaluation::Score256;
use crate::game::Move;

/// What a stored score says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Bound {
    /// It is not larger.
    Upper = 1,
    /// It is not smaller.
    Lower = 2,
    /// It is that.
    Exact = 3,
}

/// What is known about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// The best move, or one that was good enough.
    pub(super) best: Option<Move>,
    /// For the side to move; wins and losses count from the position, not from the root.
    pub(super) score: Score256,
    pub(super) bound: Bound,
    /// The plies below the position that the score rests on.
    pub(super) depth: i32,
}

impl Entry {
    /// The score as it counts at `ply`, where proved results are so many plies further from the root.
    pub(super) fn score_at(self, ply: usize) -> Score256 {
        match self.score {
            score if score >= PROVED => score - ply as Score256,
            score if score <= -PROVED => score + ply as Score256,
            score => score,
        }
    }

    /// The score to store for one that counts at `ply`.
    pub(super) fn score_from(score: Score256, ply: usize) -> Score256 {
        match score {
            score if score >= PROVED => score + ply as Score256,
            score if score <= -PROVED => score - ply as Score256,
            score => score,
        }
    }

    /// Bits 0-15 the score, 16-23 the depth, 24-25 the bound, 26-34 the move and one, 40-47 the generation.
    fn to_word(self, generation: u8) -> u64 {
        let best = self.best.map_or(0, |m| u64::from(m.to_byte()) + 1);
        u64::from(self.score as i16 as u16)
            | (self.depth.clamp(0, MAX_PLY as i32) as u64) << 16
            | (self.bound as u64) << 24
            | best << 26
            | u64::from(generation) << 40
    }

    fn from_word(word: u64) -> Option<Entry> {
        let bound = match word >> 24 & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            3 => Bound::Exact,
            _ => return None,
        };
        let best = (word >> 26 & 0x1ff) as u16;
        Some(Entry {
            best: best.checked_sub(1).map(|byte| Move::from_byte(byte as u8)),
            score: Score256::from(word as u16 as i16),
            bound,
            depth: (word >> 16 & 0xff) as i32,
        })
    }
}

fn generation_of(word: u64) -> u8 {
    (word >> 40) as u8
}

/// A key and a word; a word of zero is no entry.
type Cell = [u64; 2];

/// The table. Two cells a place: one for what is deep and new, one for whatever came last.
pub(super) struct Table {
    places: Box<[[Cell; 2]]>,
    generation: u8,
}

impl Table {
    /// A table of `mib` MiB; smaller if so much is not to be had.
    pub(super) fn with_mib(mib: usize) -> Table {
        let mut count = (mib.saturating_mul(1 << 20) / size_of::<[Cell; 2]>()).max(1);
        loop {
            match bytemuck::allocation::try_zeroed_slice_box(count) {
                Ok(places) => return Table { places, generation: 0 },
                // A table of one place is always to be had, or nothing is.
                Err(()) if count > 1 => count /= 2,
                Err(()) => return Table { places: Box::new([[[0; 2]; 2]]), generation: 0 },
            }
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.places.fill([[0; 2]; 2]);
        self.generation = 0;
    }

    /// From here on, what was stored before gives way to what is new.
    pub(super) fn next_generation(&mut self) {
        self.generation = self.generation.wrapping_add(1);
    }

    fn place(&self, key: u64) -> usize {
        // The high bits of the key, scaled to the number of places.
        ((u128::from(key) * self.places.len() as u128) >> 64) as usize
    }

    pub(super) fn get(&self, key: u64) -> Option<Entry> {
        let place = self.places.get(self.place(key))?;
        place.iter().find(|cell| cell[0] == key).and_then(|cell| Entry::from_word(cell[1]))
    }

    pub(super) fn put(&mut self, key: u64, entry: Entry) {
        let (index, generation) = (self.place(key), self.generation);
        let Some([deep, last]) = self.places.get_mut(index) else { return };
        let cell: Cell = [key, entry.to_word(generation)];
        let kept = Entry::from_word(deep[1]);
        let gives_way =
            deep[0] == key || generation_of(deep[1]) != generation || kept.is_none_or(|kept| kept.depth <= entry.depth);
        if gives_way {
            if deep[0] != key {
                *last = *deep;
            }
            *deep = cell;
        } else {
            *last = cell;
        }
    }

    /// The share of places in use by the present generation, in per mille, from a sample.
    pub(super) fn fullness_per_mille(&self) -> u32 {
        let sample = self.places.iter().take(1000);
        let count = sample.len().max(1);
        let used = sample.filter(|[deep, _]| deep[1] != 0 && generation_of(deep[1]) == self.generation).count();
        (used * 1000 / count) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Hand, Pit, Row};

    fn entry(score: Score256, depth: i32) -> Entry {
        Entry { best: None, score, bound: Bound::Exact, depth }
    }

    #[test]
    fn an_entry_is_what_was_stored() {
        let mut table = Table::with_mib(1);
        let far = Move::with_hand(Pit::new(Row::Back, 12).unwrap(), Hand::Right, true);
        let near = Move::of_pit(Pit::new(Row::Front, 1).unwrap());
        for (key, best, score, bound, depth) in [
            (1, Some(far), -31_999, Bound::Upper, 0),
            (2, Some(near), 31_999, Bound::Lower, MAX_PLY as i32),
            (3 << 60, None, -1, Bound::Exact, 7),
        ] {
            let stored = Entry { best, score, bound, depth };
            table.put(key, stored);
            assert_eq!(table.get(key), Some(stored));
        }
        assert_eq!(table.get(4), None);
        table.clear();
        assert_eq!(table.get(1), None);
    }

    #[test]
    fn what_is_deep_stays_until_a_new_generation() {
        let mut table = Table::with_mib(1);
        // Keys that share a place: only their low bits differ.
        table.put(1, entry(10, 9));
        table.put(2, entry(20, 3));
        table.put(3, entry(30, 4));
        assert_eq!(table.get(1), Some(entry(10, 9)));
        assert_eq!((table.get(2), table.get(3)), (None, Some(entry(30, 4))));
        table.next_generation();
        table.put(4, entry(40, 1));
        assert_eq!((table.get(4), table.get(1)), (Some(entry(40, 1)), Some(entry(10, 9))));
    }

    #[test]
    fn proved_results_count_from_where_they_are_met() {
        let stored = entry(Entry::score_from(31_990, 6), 3);
        assert_eq!(stored.score_at(6), 31_990);
        assert_eq!(stored.score_at(10), 31_986);
        assert_eq!(entry(Entry::score_from(-31_990, 6), 3).score_at(10), -31_986);
        assert_eq!(entry(Entry::score_from(500, 6), 3).score_at(10), 500);
    }
}
