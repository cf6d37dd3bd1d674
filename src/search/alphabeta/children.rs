//! The children of a node of the alpha-beta search, and the order in which they are searched.

use crate::evaluation::{Inputs, Score256};
use crate::game::{MAX_MOVES, Move};
use arrayvec::ArrayVec;

/// A move with the position it leads to.
pub(super) struct Child<P> {
    pub(super) m: Move,
    pub(super) position: P,
    pub(super) key: u64,
    /// The score for the mover, if the rules settle it.
    pub(super) verdict: Option<Score256>,
    /// Seeds that the move takes from the opponent.
    pub(super) captured: u32,
    /// How many come before it.
    pub(super) place: usize,
    /// Whether it was put off, since another search was at it.
    pub(super) is_late: bool,
}

impl<P: Inputs> Child<P> {
    /// A move that is still to be played, where the child lies in the end: a position that was written pit by pit a moment
    /// ago is slow to copy.
    #[inline]
    pub(super) fn before(position: &P, m: Move) -> Child<P> {
        Child { m, position: position.clone(), key: 0, verdict: None, captured: 0, place: 0, is_late: false }
    }
}

/// The moves of a position, and one more: that of the table, should it belong to another position.
const MOST: usize = MAX_MOVES + 1;

/// Children, those that are still to be searched: their ranks, of which larger ones come first, and where they are; and where
/// the one is that was taken last.
pub(super) struct Children<P> {
    all: ArrayVec<Child<P>, MOST>,
    waiting: ArrayVec<(i32, u8), MOST>,
    taken: u8,
    /// How many were taken, those that were taken again not counted.
    count: usize,
}

impl<P: Inputs> Children<P> {
    pub(super) fn new() -> Children<P> {
        Children { all: ArrayVec::new(), waiting: ArrayVec::new(), taken: 0, count: 0 }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Adds a move that is still to be played, and to be ranked if it is to be searched.
    #[inline]
    pub(super) fn add(&mut self, position: &P, m: Move) -> &mut Child<P> {
        self.all.push(Child::before(position, m));
        let last = self.all.len() - 1;
        &mut self.all[last]
    }

    /// Gives the last one its rank.
    #[inline]
    pub(super) fn rank_last(&mut self, rank: i32) {
        self.waiting.push((rank, (self.all.len() - 1) as u8));
    }

    /// The child of the highest rank that was not taken yet, of equal ones the first.
    #[inline]
    pub(super) fn take_best(&mut self) -> Option<&Child<P>> {
        let mut best = 0;
        for index in 1..self.waiting.len() {
            if self.waiting[index].0 > self.waiting[best].0 {
                best = index;
            }
        }
        (_, self.taken) = self.waiting.swap_pop(best)?;
        let child = &mut self.all[usize::from(self.taken)];
        if !child.is_late {
            child.place = self.count;
            self.count += 1;
        }
        Some(child)
    }

    /// Puts the one that was taken last behind all others.
    pub(super) fn put_off(&mut self) {
        self.all[usize::from(self.taken)].is_late = true;
        self.waiting.push((i32::MIN, self.taken));
    }
}
