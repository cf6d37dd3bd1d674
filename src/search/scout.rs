//! The scout: an alpha-beta search of the root beside the tree, with a share of the effort.
//!
//! A tree grows along paths. Where play goes to and fro between few positions, as in endgames, many paths lead to each of
//! them, and an alpha-beta search with a table, which counts positions, looks much farther for the same effort. The depth that
//! it reaches says whether that is so: where it is deeper than the tree, the scout *leads*, and has most of the effort of its
//! worker and the last word. A lone worker's scout, in a game that has one, always leads.

use super::alphabeta::{AlphaBeta, Bounds, PROVED, RootMove, plies_to_end};
use super::atomic::{AtomicU64, Ordering};
use super::params::Tuning;
use super::tree::{Alone, ROOT};
use super::worker::{Counters, Shared, Totals};
use crate::evaluation::{Inputs, Score256};
use crate::game::Move;

/// What the scout thinks of the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Opinion {
    pub(super) best: Move,
    /// For the side to move in the root.
    pub(super) score: Score256,
    /// The plies looked ahead, captures at their end not counted.
    pub(super) depth: u32,
    /// Depths in a row with the same best move.
    agreement: u32,
}

impl Opinion {
    /// Whether more depth is unlikely to change the best move.
    pub(super) fn is_settled(self) -> bool {
        self.agreement >= 2
    }
}

/// Where the scout tells its opinion: one word, so that it is read whole. Relaxed orderings do, since it publishes nothing
/// but itself.
#[derive(Debug, Default)]
pub(super) struct Bulletin(AtomicU64);

impl Bulletin {
    fn post(&self, Opinion { best, score, depth, agreement }: Opinion) {
        // Bits 0-7 the move, 8-15 the depth, 16-23 the agreement, 24 that there is one, 32-47 the score.
        let word = u64::from(best.to_byte())
            | u64::from(depth.min(0xff)) << 8
            | u64::from(agreement.min(0xff)) << 16
            | 1 << 24
            | u64::from(score as i16 as u16) << 32;
        self.0.store(word, Ordering::Relaxed);
    }

    /// The opinion, whoever leads; `None` before the first depth is done.
    fn latest(&self) -> Option<Opinion> {
        let word = self.0.load(Ordering::Relaxed);
        (word >> 24 & 1 == 1).then(|| Opinion {
            best: Move::from_byte(word as u8),
            score: Score256::from((word >> 32) as u16 as i16),
            depth: (word >> 8 & 0xff) as u32,
            agreement: (word >> 16 & 0xff) as u32,
        })
    }

    /// The opinion, if the scout leads: it has looked so much farther ahead than the iterations have on average, or it is that of
    /// a lone worker.
    pub(super) fn leading(&self, counters: &[Alone<Counters>], tuning: &Tuning) -> Option<Opinion> {
        let opinion = self.latest()?;
        let margin = f64::from(tuning.scout_margin);
        let leads = counters.len() == 1 || f64::from(opinion.depth) >= Totals::of(counters).mean_depth() + margin;
        leads.then_some(opinion)
    }
}

/// The scout of one worker.
pub(super) struct Scout<'a> {
    search: AlphaBeta<'a>,
    /// Best first.
    moves: Vec<RootMove>,
    /// The last depth that is done.
    depth: u32,
    agreement: u32,
    most_depth: u32,
}

/// No fewer nodes at a time.
const LEAST_NODES: u64 = 1_024;
/// The share of its worker's effort, in per mille, where the scout leads.
const LEADING_SHARE: u64 = 970;
/// No deeper; the lines of the search end soon after.
const MOST_DEPTH: u32 = 100;

impl<'a> Scout<'a> {
    /// A scout of the moves that the root has in the tree.
    pub(super) fn new<P: Inputs>(shared: &'a Shared<'a, P>) -> Scout<'a> {
        let Shared { tree, table, past, evaluator, control, allowance, depth_limit, .. } = *shared;
        let bounds = Bounds { allowance, control: Some(control), ..Bounds::default() };
        let children = tree.children(tree.node(ROOT)).into_iter().flatten();
        let moves = children.map(|id| RootMove::new(tree.node(id).incoming_move())).collect();
        let most_depth = depth_limit.unwrap_or(MOST_DEPTH).min(MOST_DEPTH);
        Scout { search: AlphaBeta::new(evaluator, table, past, bounds), moves, depth: 0, agreement: 0, most_depth }
    }

    /// The nodes that it has looked at.
    pub(super) fn nodes(&self) -> u64 {
        self.search.nodes()
    }

    /// The deepest ply so far.
    pub(super) fn seldepth(&self) -> u64 {
        self.search.seldepth() as u64
    }

    /// Goes on, if less than its share was done beside the nodes of its worker's iterations, and tells what it finds. Says
    /// whether it has done a depth and leads.
    pub(super) fn go_on<P: Inputs>(&mut self, shared: &Shared<'_, P>, iteration_nodes: u64) -> bool {
        let Shared { root, tuning, counters, bulletin, .. } = *shared;
        let leads = bulletin.leading(counters, &tuning).is_some();
        let share = if leads { LEADING_SHARE } else { u64::from(tuning.scout_share) };
        let due = (iteration_nodes * share / (1_000 - share)).saturating_sub(self.nodes());
        if due < LEAST_NODES || self.is_done() {
            return false;
        }
        // A part at a time, for who leads may change.
        let end = self.nodes() + due.min(LEAST_NODES.max((iteration_nodes + self.nodes()) / 4));
        let first_depth = self.depth;
        while self.nodes() < end && !self.is_done() {
            let before = self.moves.first().map(|m| m.first);
            let left = end - self.nodes();
            if !self.search.deepen(root, &mut self.moves, self.depth + 1, left) {
                break;
            }
            let Some(&RootMove { first: best, score, .. }) = self.moves.first() else { break };
            self.depth += 1;
            self.agreement = if before == Some(best) { self.agreement + 1 } else { 1 };
            bulletin.post(Opinion { best, score, depth: self.depth, agreement: self.agreement });
        }
        self.depth > first_depth && bulletin.leading(counters, &tuning).is_some()
    }

    /// Whether nothing is to be found deeper.
    fn is_done(&self) -> bool {
        let Some(best) = self.moves.first() else { return true };
        // Before the first depth is done the score is that of nothing.
        let proved = self.depth > 0 && best.score.abs() >= PROVED && plies_to_end(best.score) <= self.depth;
        proved || self.depth >= self.most_depth
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Pit, Row};
    use crate::search::alphabeta::WIN;

    #[test]
    fn an_opinion_is_read_as_it_was_told() {
        let bulletin = Bulletin::default();
        assert_eq!(bulletin.latest(), None);
        for (score, depth, agreement) in [(WIN - 3, 1, 1), (-WIN, 100, 255), (-1, 17, 2), (0, 0, 0)] {
            let opinion = Opinion { best: Move::of_pit(Pit::new(Row::Front, 7).unwrap()), score, depth, agreement };
            bulletin.post(opinion);
            assert_eq!(bulletin.latest(), Some(opinion));
        }
    }
}
