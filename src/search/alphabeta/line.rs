//! The best lines from each ply on, while the search is under way.

use super::MAX_PLY;
use crate::game::Move;
use arrayvec::ArrayVec;

/// A line a ply.
pub(super) struct Lines([ArrayVec<Move, MAX_PLY>; MAX_PLY + 1]);

impl Default for Lines {
    fn default() -> Self {
        Lines(std::array::from_fn(|_| ArrayVec::new()))
    }
}

impl Lines {
    /// The line from the position at `ply` on.
    pub(super) fn of(&self, ply: usize) -> &[Move] {
        self.0.get(ply).map_or(&[], |line| line)
    }

    /// Nothing is known from `ply` on.
    #[inline]
    pub(super) fn clear(&mut self, ply: usize) {
        if let Some(line) = self.0.get_mut(ply) {
            line.clear();
        }
    }

    /// The line at `ply` is `first` and then that of the next ply.
    #[inline]
    pub(super) fn extend(&mut self, ply: usize, first: Move) {
        if let Some([line, next]) = self.0.get_mut(ply..ply + 2) {
            line.clear();
            line.push(first);
            line.extend(next.iter().copied().take(MAX_PLY - 1));
        }
    }
}
