//! What the searches of one root are at, so that they share the work instead of all doing the same.
//!
//! A search that comes to a child which another one is searching to the same depth goes on with its siblings, and comes back
//! to it in the end: by then the table knows the answer as a rule, or a sibling has made it unnecessary. (Weill's ABDADA,
//! 1996, in the simple form of Kerrigan, 2015: the marks lie beside the table, and none is counted.)

use super::AlphaBeta;
use super::children::Child;
use crate::search::atomic::{AtomicU64, Ordering};

/// Marks, one a place: far more than there are children under way at a time.
const PLACES: usize = 1 << 12;
/// Below this depth a child is done before another search could spare itself anything.
const LEAST_DEPTH: i32 = 3;

/// The marks of the children that are being searched.
///
/// They are hints. Whoever overwrites a mark, or reads an old one, searches a child now instead of later or the other way
/// round, which is sound either way: relaxed orderings do.
pub(in crate::search) struct Busy(Box<[AtomicU64]>);

impl Default for Busy {
    fn default() -> Busy {
        Busy((0..PLACES).map(|_| AtomicU64::new(0)).collect())
    }
}

/// The mark of a child that is searched to `depth` less one; never zero, which is no mark.
fn mark(key: u64, depth: i32) -> u64 {
    (key ^ u64::from(depth.unsigned_abs())).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1
}

impl Busy {
    fn place(&self, mark: u64) -> &AtomicU64 {
        &self.0[(mark >> 52) as usize % PLACES]
    }

    fn begin(&self, mark: u64) {
        self.place(mark).store(mark, Ordering::Relaxed);
    }

    fn end(&self, mark: u64) {
        // It may have been overwritten.
        if self.has(mark) {
            self.place(mark).store(0, Ordering::Relaxed);
        }
    }

    fn has(&self, mark: u64) -> bool {
        self.place(mark).load(Ordering::Relaxed) == mark
    }
}

impl AlphaBeta<'_> {
    /// Whether another search is at a child of a node that is searched to `depth`.
    #[inline]
    pub(super) fn is_busy<P>(&self, child: &Child<P>, depth: i32) -> bool {
        depth >= LEAST_DEPTH && self.bounds.busy.is_some_and(|busy| busy.has(mark(child.key, depth)))
    }

    /// Does `work` on that child, and lets the others know meanwhile.
    #[inline]
    pub(super) fn while_busy<P, T>(&mut self, child: &Child<P>, depth: i32, work: impl FnOnce(&mut Self) -> T) -> T {
        let Some(busy) = self.bounds.busy.filter(|_| depth >= LEAST_DEPTH) else { return work(self) };
        let mark = mark(child.key, depth);
        busy.begin(mark);
        let done = work(self);
        busy.end(mark);
        done
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::{Inputs, Score256};
    use crate::game::{Kigogo, Kimasai, Kiswahili};
    use crate::search::SearchOptions;
    use crate::search::alphabeta::{Bounds, Table};
    use crate::search::past::Past;

    const DEPTH: u32 = 5;

    /// The score of the start at [`DEPTH`], exact, so that it depends on nothing but the depth.
    fn score<P: Inputs>(table: &Table, busy: Option<&Busy>) -> Score256 {
        let evaluator = SearchOptions::default().evaluator(P::VARIANT);
        let past = Past::of_keys([]);
        let bounds = Bounds { busy, exact: true, ..Bounds::default() };
        let root = P::start();
        let mut search = AlphaBeta::new(&evaluator, table, &past, bounds);
        search.run(&root, &root.legal_moves(), DEPTH, 1, |_| {})[0].score
    }

    fn assert_nothing_is_lost<P: Inputs>() {
        let root = P::start();
        let alone = score::<P>(&Table::with_bytes(1 << 20), None);
        let busy = Busy::default();
        for m in root.legal_moves() {
            let mut child = root.clone();
            child.play_unchecked(m);
            busy.begin(mark(child.key(), DEPTH as i32));
        }
        assert_eq!(score::<P>(&Table::with_bytes(1 << 20), Some(&busy)), alone, "all moves of the root are busy");
        let (table, busy) = (Table::with_bytes(1 << 20), Busy::default());
        let [here, there] = std::thread::scope(|scope| {
            let there = scope.spawn(|| score::<P>(&table, Some(&busy)));
            [score::<P>(&table, Some(&busy)), there.join().unwrap()]
        });
        assert_eq!([here, there], [alone; 2], "two at a time");
        assert!(busy.0.iter().all(|place| place.load(Ordering::Relaxed) == 0), "a mark was left");
    }

    #[test]
    fn what_is_put_off_is_not_lost() {
        assert_nothing_is_lost::<Kiswahili>();
        assert_nothing_is_lost::<Kigogo>();
        assert_nothing_is_lost::<Kimasai>();
    }

    #[test]
    fn a_mark_is_there_from_begin_to_end() {
        let busy = Busy::default();
        let [a, b, other_depth] = [mark(1, 5), mark(2, 5), mark(1, 6)];
        busy.begin(a);
        assert!(busy.has(a) && !busy.has(b) && !busy.has(other_depth));
        busy.begin(b);
        busy.end(a);
        assert!(!busy.has(a) && busy.has(b));
    }

    #[test]
    fn who_lost_its_place_to_another_mark_leaves_that_alone() {
        let busy = Busy::default();
        let first = mark(1, 5);
        let same_place = (2..).map(|key| mark(key, 5)).find(|mark| mark >> 52 == first >> 52).unwrap();
        busy.begin(first);
        busy.begin(same_place);
        assert!(!busy.has(first));
        busy.end(first);
        assert!(busy.has(same_place));
    }
}
