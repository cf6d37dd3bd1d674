//! The transposition table: what was found out about positions, by their keys.

use super::{MAX_PLY, PROVED};
use crate::evaluation::Score256;
use crate::game::Move;
use crate::search::atomic::{AtomicU8, AtomicU64, Ordering, try_zeroed_slice_box};
use prefetch_index::prefetch_index;

/// What a stored score says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(in crate::search) enum Bound {
    /// It is not larger.
    Upper = 1,
    /// It is not smaller.
    Lower = 2,
    /// It is that.
    Exact = 3,
}

/// What is known about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::search) struct Entry {
    /// The best move, or one that was good enough.
    pub(in crate::search) best: Option<Move>,
    /// For the side to move; wins and losses count from the position, not from the root.
    pub(in crate::search) score: Score256,
    pub(in crate::search) bound: Bound,
    /// The plies below the position that the score rests on.
    pub(in crate::search) depth: i32,
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

/// A cell: the key, exclusive-or the word, and the word. A word of zero is no entry.
///
/// The two halves are written one after the other, without a lock. Whoever reads halves of two different entries sees a key
/// that is not his (Hyatt and Mann's lockless hashing, 2002), so relaxed orderings do: a cell publishes nothing but itself.
type Cell = [AtomicU64; 2];

/// The table, read and written by all workers of a search. Two cells a place: one for what is deep and new, one for
/// whatever came last.
pub(in crate::search) struct Table {
    cells: Box<[Cell]>,
    /// Cells before the first place, so that no place lies on two lines of the cache.
    skipped: usize,
    generation: AtomicU8,
    /// Mixed into all keys that are stored: what was stored with another one cannot be found.
    salt: u64,
}

fn load(cell: &Cell) -> (u64, u64) {
    let word = cell[1].load(Ordering::Relaxed);
    (cell[0].load(Ordering::Relaxed) ^ word, word)
}

fn store(cell: &Cell, key: u64, word: u64) {
    cell[0].store(key ^ word, Ordering::Relaxed);
    cell[1].store(word, Ordering::Relaxed);
}

/// Where a key belongs: its high bits, scaled to the number of places.
#[inline]
fn index(key: u64, places: usize) -> usize {
    ((u128::from(key) * places as u128) >> 64) as usize
}

impl Table {
    /// A table of `bytes` bytes; smaller if so much is not to be had.
    pub(in crate::search) fn with_bytes(bytes: usize) -> Table {
        const PLACE: usize = size_of::<[Cell; 2]>();
        let mut count = (bytes / PLACE).max(1);
        loop {
            match try_zeroed_slice_box::<Cell>(2 * count + 1) {
                Ok(cells) => {
                    let skipped = usize::from(!cells.as_ptr().addr().is_multiple_of(PLACE));
                    return Table { cells, skipped, generation: AtomicU8::new(0), salt: 0 };
                }
                // A table of one place is always to be had, or nothing is.
                Err(()) if count > 1 => count /= 2,
                Err(()) => {
                    return Table { cells: Box::default(), skipped: 0, generation: AtomicU8::new(0), salt: 0 };
                }
            }
        }
    }

    /// Forgets everything.
    pub(in crate::search) fn clear(&mut self) {
        for word in self.cells.iter_mut().flatten() {
            *word = AtomicU64::new(0);
        }
        self.generation = AtomicU8::new(0);
    }

    /// From here on, what was stored before gives way to what is new.
    pub(in crate::search) fn next_generation(&mut self) {
        // After a round of generations, what is old would be taken for new.
        if self.generation.fetch_add(1, Ordering::Relaxed) == u8::MAX {
            self.clear();
        }
    }

    /// As [`Table::next_generation`], and what was stored before is forgotten, without a walk through all of it: the table
    /// behaves as a cleared one does.
    pub(in crate::search) fn forget(&mut self) {
        self.next_generation();
        self.salt = self.salt.wrapping_add(0x9e37_79b9_7f4a_7c15);
    }

    #[inline]
    fn places(&self) -> &[[Cell; 2]] {
        self.cells.get(self.skipped..).unwrap_or_default().as_chunks().0
    }

    #[inline]
    fn place(&self, key: u64) -> Option<&[Cell; 2]> {
        let places = self.places();
        places.get(index(key, places.len()))
    }

    /// Begins to fetch what [`Table::get`] will read: it lies outside the caches as a rule, and is there a hundred
    /// nanoseconds later.
    #[inline]
    pub(super) fn prefetch(&self, key: u64) {
        let places = self.places();
        prefetch_index(places, index(key, places.len()));
    }

    pub(in crate::search) fn get(&self, key: u64) -> Option<Entry> {
        let stored_key = key ^ self.salt;
        let words = self.place(key)?.iter().map(load);
        words.into_iter().find(|&(stored, _)| stored == stored_key).and_then(|(_, word)| Entry::from_word(word))
    }

    pub(super) fn put(&self, key: u64, entry: Entry) {
        let generation = self.generation.load(Ordering::Relaxed);
        let Some([deep, last]) = self.place(key) else { return };
        let key = key ^ self.salt;
        let word = entry.to_word(generation);
        let (kept_key, kept_word) = load(deep);
        let kept = Entry::from_word(kept_word);
        let gives_way = kept_key == key
            || generation_of(kept_word) != generation
            || kept.is_none_or(|kept| kept.depth <= entry.depth);
        if gives_way {
            if kept_key != key {
                store(last, kept_key, kept_word);
            }
            store(deep, key, word);
        } else {
            store(last, key, word);
        }
    }

    /// The share of places in use by the present generation, in per mille, from a sample.
    pub(in crate::search) fn fullness_per_mille(&self) -> u32 {
        let generation = self.generation.load(Ordering::Relaxed);
        let sample = self.places().iter().take(1000);
        let count = sample.len().max(1);
        let in_use = |[deep, _]: &&[Cell; 2]| {
            let (_, word) = load(deep);
            word != 0 && generation_of(word) == generation
        };
        (sample.filter(in_use).count() * 1000 / count) as u32
    }
}

#[cfg(all(test, loom))]
mod model;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Hand, Pit, Row};

    fn entry(score: Score256, depth: i32) -> Entry {
        Entry { best: None, score, bound: Bound::Exact, depth }
    }

    #[test]
    fn an_entry_is_what_was_stored() {
        let mut table = Table::with_bytes(1 << 20);
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
        let mut table = Table::with_bytes(1 << 20);
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
    fn what_was_forgotten_is_not_found_and_leaves_no_trace() {
        let mut used = Table::with_bytes(1 << 20);
        for round in 0..600 {
            used.forget();
            let mut fresh = Table::with_bytes(1 << 20);
            fresh.next_generation();
            // Keys that share places, with depths in all orders.
            for key in 0..40 {
                let stored = entry(key as i32, (key * 7 + round) as i32 % 11);
                assert_eq!(used.get(key << 50), fresh.get(key << 50));
                used.put((key % 5) << 50 | key, stored);
                fresh.put((key % 5) << 50 | key, stored);
            }
            for key in 0..40 {
                assert_eq!(used.get((key % 5) << 50 | key), fresh.get((key % 5) << 50 | key), "round {round}");
            }
        }
    }

    #[test]
    fn threads_never_read_an_entry_of_another_key() {
        // Four places for 64 keys, so that halves of entries meet all the time.
        let table = Table::with_bytes(4 * size_of::<[Cell; 2]>());
        let key_of = |number: u64| number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let entry_of = |number: u64| Entry {
            best: Some(Move::from_byte(number as u8)),
            score: (key_of(number) >> 50) as Score256,
            bound: [Bound::Upper, Bound::Lower, Bound::Exact][(number % 3) as usize],
            depth: (number % 8) as i32,
        };
        let found = AtomicU64::new(0);
        // Without it the first thread would be done before the last one starts.
        let start = std::sync::Barrier::new(4);
        std::thread::scope(|scope| {
            // Odd steps: each thread meets all keys, in an order of its own.
            for step in [7, 11, 13, 17] {
                let (table, found, start) = (&table, &found, &start);
                scope.spawn(move || {
                    start.wait();
                    for i in 0..1_000_000_u64 {
                        let number = i * step % 64;
                        table.put(key_of(number), entry_of(number));
                        let number = (number + i % 7) % 64;
                        if let Some(entry) = table.get(key_of(number)) {
                            assert_eq!(entry, entry_of(number));
                            found.fetch_add(1, Ordering::Relaxed);
                        }
                    }
                });
            }
        });
        assert!(found.into_inner() > 10_000, "hardly anything is ever found");
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
