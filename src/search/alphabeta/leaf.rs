//! Short searches from the leaves of a tree search.

use super::node::Window;
use super::{AlphaBeta, Bound, INFINITE, PROVED};
use crate::evaluation::{Inputs, Score256};

impl AlphaBeta<'_> {
    /// The score of a position for its side to move, from a search of `depth` plies; `None` if it was broken off. `path`
    /// has the keys of the positions from the root to this one. Outside the window the score is a bound; a proved result
    /// counts from the position.
    pub(in crate::search) fn search_leaf<P: Inputs>(
        &mut self,
        position: &P,
        path: &[u64],
        depth: i32,
        window: Window,
    ) -> Option<Score256> {
        let key = path.last().copied().unwrap_or_default();
        let window = (window.0.clamp(-INFINITE, INFINITE - 1), window.1.clamp(1 - INFINITE, INFINITE));
        if let Some(entry) = self.table.get(key)
            && entry.depth >= depth
            && match entry.bound {
                Bound::Exact => true,
                Bound::Lower => entry.score >= window.1,
                Bound::Upper => entry.score <= window.0,
            }
        {
            self.count_node(0);
            return (!self.stopped).then_some(entry.score);
        }
        self.keys.clear();
        self.keys.extend_from_slice(path);
        // Killers belong to a side: its plies have one parity.
        let ply = path.len() & 1;
        let score = self.search(position, depth, ply, window);
        let score = match score {
            score if score >= PROVED => score + ply as Score256,
            score if score <= -PROVED => score - ply as Score256,
            score => score,
        };
        (!self.stopped).then_some(score)
    }

    /// From here on the search may be broken off, by a stop or for want of nodes.
    pub(in crate::search) fn may_stop(&mut self) {
        self.may_stop = true;
    }

    /// Counts a node that is looked at elsewhere; `false` if it must not be, as there are no more.
    pub(in crate::search) fn take_node(&mut self) -> bool {
        self.count_node(0);
        !self.stopped
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Kiswahili, Position, Variant};
    use crate::notation::parse_setup;
    use crate::search::SearchOptions;
    use crate::search::alphabeta::{Bounds, Table, WIN};
    use crate::search::past::Past;

    #[test]
    fn a_side_whose_moves_never_end_has_lost_though_one_had_to_try_them() {
        let text = "0,2,0,1,0,2,1,0/0,1,1,2,2,0,0,1/1,0,1,3,1,0,1,0/0,1,0,1,0,1,0,3 S 0,0 - - 0";
        let stuck = Kiswahili::from_setup(&parse_setup(text, Variant::Kiswahili).unwrap()).unwrap();
        assert!(stuck.outcome().is_some() && stuck.evident_outcome().is_none());
        let evaluator = SearchOptions::default().evaluator(Variant::Kiswahili);
        for depth in 0..4 {
            let (table, past) = (Table::with_bytes(1 << 16), Past::of_keys([]));
            let mut search = AlphaBeta::new(&evaluator, &table, &past, Bounds::default());
            let score = search.search_leaf(&stuck, &[stuck.key()], depth, (-INFINITE, INFINITE));
            assert_eq!(score, Some(-WIN), "depth {depth}");
        }
    }
}
