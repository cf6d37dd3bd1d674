//! The scout: an alpha-beta search of the root beside the tree, with a share of the effort, which has the last word on the move.
//!
//! A tree grows along paths. Where play goes to and fro between few positions, as in endgames, many paths lead to each of
//! them, and an alpha-beta search with a table, which counts positions, looks much farther for the same effort. In a game that
//! has a scout each worker has one; they share the table, and keep out of each other's way ([`Busy`](super::alphabeta::Busy)).
//! Where several lines are asked for, the scouts search as many moves, each as deep as the best one.

use super::alphabeta::{AlphaBeta, Bounds, PROVED, RootMove, plies_to_end};
use super::atomic::{AtomicU64, Ordering};
use super::tree::ROOT;
use super::worker::Shared;
use crate::evaluation::{Inputs, Score256};
use crate::game::Move;
use std::cmp::Reverse;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What the scouts think of the root.
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
    /// The opinion after one more depth, or, if that was broken off, after a part of it: then there is a new one only if another
    /// move has turned out better, which was searched to the end.
    fn after(last: Option<Opinion>, best: Move, score: Score256, is_whole: bool) -> Option<Opinion> {
        let same = last.filter(|last| last.best == best);
        if is_whole {
            let depth = last.map_or(0, |last| last.depth) + 1;
            return Some(Opinion { best, score, depth, agreement: same.map_or(0, |same| same.agreement) + 1 });
        }
        last.filter(|_| same.is_none()).map(|last| Opinion { best, score, agreement: 0, ..last })
    }

    /// Whether more depth is unlikely to change the best move.
    pub(super) fn is_settled(self) -> bool {
        self.agreement >= 2
    }
}

/// The best moves of the root at one depth, and what they are worth to the side to move there; best first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Ranking {
    depth: u32,
    pub(super) moves: Vec<(Move, Score256)>,
}

/// Where the scouts tell what they think. The opinion is one word, so that it is read whole. Relaxed orderings do, since it
/// publishes nothing but itself.
#[derive(Debug, Default)]
pub(super) struct Bulletin {
    opinion: AtomicU64,
    /// Told only where several lines are asked for, once a depth.
    ranking: Mutex<Ranking>,
}

impl Bulletin {
    /// Tells an opinion, unless a deeper one was told. Says whether it is the first of its depth.
    fn post(&self, opinion: Opinion) -> bool {
        let is_behind = |told: Opinion| told.depth <= opinion.depth;
        let word = Bulletin::word(opinion);
        let replace = |told| Bulletin::opinion(told).is_none_or(is_behind).then_some(word);
        match self.opinion.fetch_update(Ordering::Relaxed, Ordering::Relaxed, replace) {
            Ok(told) => Bulletin::opinion(told).is_none_or(|told| told.depth < opinion.depth),
            Err(_) => false,
        }
    }

    /// The opinion told last; `None` before the first depth is done.
    pub(super) fn latest(&self) -> Option<Opinion> {
        Bulletin::opinion(self.opinion.load(Ordering::Relaxed))
    }

    /// Tells a ranking, unless a deeper one was told.
    fn post_ranking(&self, ranking: Ranking) {
        let mut told = self.told_ranking();
        if told.depth <= ranking.depth {
            *told = ranking;
        }
    }

    /// The ranking told last; empty before the first, and where one line is asked for.
    pub(super) fn ranking(&self) -> Ranking {
        self.told_ranking().clone()
    }

    /// What was told last of a move of the root, for the side to move there.
    pub(super) fn score(&self, m: Move) -> Option<Score256> {
        let best = self.latest().filter(|opinion| opinion.best == m).map(|opinion| opinion.score);
        best.or_else(|| self.told_ranking().moves.iter().find(|&&(first, _)| first == m).map(|&(_, score)| score))
    }

    fn told_ranking(&self) -> MutexGuard<'_, Ranking> {
        self.ranking.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn word(Opinion { best, score, depth, agreement }: Opinion) -> u64 {
        // Bits 0-7 the move, 8-15 the depth, 16-23 the agreement, 24 that there is one, 32-47 the score.
        u64::from(best.to_byte())
            | u64::from(depth.min(0xff)) << 8
            | u64::from(agreement.min(0xff)) << 16
            | 1 << 24
            | u64::from(score as i16 as u16) << 32
    }

    fn opinion(word: u64) -> Option<Opinion> {
        (word >> 24 & 1 == 1).then(|| Opinion {
            best: Move::from_byte(word as u8),
            score: Score256::from((word >> 32) as u16 as i16),
            depth: (word >> 8 & 0xff) as u32,
            agreement: (word >> 16 & 0xff) as u32,
        })
    }
}

/// The scout of one worker.
pub(super) struct Scout<'a> {
    search: AlphaBeta<'a>,
    /// Best first.
    moves: Vec<RootMove>,
    /// What it thinks itself.
    opinion: Option<Opinion>,
    /// How many moves each depth is to rank.
    lines: usize,
    /// How many moves of the present depth are ranked; 0 where the next depth is to begin.
    ranked: usize,
    most_depth: u32,
}

/// No fewer nodes at a time...
const LEAST_NODES: u64 = 1_024;
/// ... nor less than this part of all that its worker has looked at: a depth that was broken off begins at its first move again.
const PARTS: u64 = 8;
/// No deeper; the lines of the search end soon after.
const MOST_DEPTH: u32 = 100;

impl<'a> Scout<'a> {
    /// A scout of the moves that the root has in the tree. It goes on from the opinion that was told last, if any: workers end
    /// and begin again where a full tree is pruned.
    pub(super) fn new<P: Inputs>(shared: &'a Shared<'a, P>) -> Scout<'a> {
        let Shared { tree, table, past, evaluator, control, allowance, depth_limit, bulletin, busy, multi_pv, .. } =
            *shared;
        let bounds = Bounds { allowance, control: Some(control), busy, ..Bounds::default() };
        let children = tree.children(tree.node(ROOT)).into_iter().flatten();
        let mut moves: Vec<RootMove> = children.map(|id| RootMove::new(tree.node(id).incoming_move())).collect();
        let opinion = bulletin.latest();
        if let Some(Opinion { best, score, .. }) = opinion
            && let Some(place) = moves.iter().position(|m| m.first == best)
        {
            moves[..=place].rotate_right(1);
            moves[0].score = score;
        }
        let most_depth = depth_limit.unwrap_or(MOST_DEPTH).min(MOST_DEPTH);
        let lines = multi_pv.clamp(1, moves.len().max(1));
        Scout { search: AlphaBeta::new(evaluator, table, past, bounds), moves, opinion, lines, ranked: 0, most_depth }
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
    /// whether it is the first to have done a depth.
    pub(super) fn go_on<P: Inputs>(&mut self, shared: &Shared<'_, P>, iteration_nodes: u64) -> bool {
        let Shared { root, tuning, bulletin, .. } = *shared;
        let share = u64::from(tuning.scout_share);
        let due = (iteration_nodes * share / (1_000 - share)).saturating_sub(self.nodes());
        let part = LEAST_NODES.max((iteration_nodes + self.nodes()) / PARTS);
        if due < part || self.is_done() {
            return false;
        }
        // Not all at once, so that the tree gets its share now and then.
        let end = self.nodes() + due.min(2 * part);
        let mut is_news = false;
        while self.nodes() < end && !self.is_done() {
            let depth = self.depth() + u32::from(self.ranked == 0);
            let left = end - self.nodes();
            let is_whole = self.search.deepen(root, self.moves.get_mut(self.ranked..).unwrap_or_default(), depth, left);
            if self.ranked == 0 {
                is_news |= self.tell(bulletin, is_whole);
            }
            if !is_whole {
                break;
            }
            self.ranked += 1;
            if self.ranked >= self.lines {
                self.end_depth(bulletin);
            }
        }
        is_news
    }

    /// All moves of a depth that are to be ranked are.
    fn end_depth(&mut self, bulletin: &Bulletin) {
        self.ranked = 0;
        if self.lines == 1 {
            return;
        }
        // They were searched one after the other, and late moves less deep.
        let ranked = self.moves.get_mut(..self.lines).unwrap_or_default();
        ranked.sort_by_key(|m| Reverse(m.score));
        let moves = ranked.iter().map(|m| (m.first, m.score)).collect();
        bulletin.post_ranking(Ranking { depth: self.depth(), moves });
        // If another move came to the front, it is the better one.
        self.tell(bulletin, false);
    }

    /// Tells what a depth has found, the whole of it or a part. Says whether the depth is new.
    fn tell(&mut self, bulletin: &Bulletin, is_whole: bool) -> bool {
        let Some(&RootMove { first: best, score, .. }) = self.moves.first() else { return false };
        Opinion::after(self.opinion, best, score, is_whole).is_some_and(|opinion| {
            self.opinion = Some(opinion);
            bulletin.post(opinion)
        })
    }

    /// The last depth that is done.
    fn depth(&self) -> u32 {
        self.opinion.map_or(0, |opinion| opinion.depth)
    }

    /// Whether nothing is to be found deeper.
    fn is_done(&self) -> bool {
        let is_settled =
            |m: &RootMove| m.is_known() && m.score.abs() >= PROVED && plies_to_end(m.score) <= self.depth();
        let is_enough = || self.depth() >= self.most_depth || self.moves.iter().take(self.lines).all(is_settled);
        self.ranked == 0 && is_enough()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{GameRecord, Kigogo, Pit, Position, Row, Variant};
    use crate::search::alphabeta::{Table, WIN};
    use crate::search::control::Control;
    use crate::search::options::SearchOptions;
    use crate::search::past::Past;
    use crate::search::tree::{Alone, Tree};
    use crate::search::worker::Worker;
    use std::collections::HashSet;

    /// How deep the scouts are to look.
    const DEPTH: u32 = 6;

    /// What the scouts of a new search of the start of Kigogo share, for as many lines, and the moves there.
    fn at_start<R>(multi_pv: usize, look: impl FnOnce(&Shared<'_, Kigogo>, &[Move]) -> R) -> R {
        let mut tree = Tree::with_bytes(1 << 20).unwrap();
        tree.reset();
        let root = Kigogo::start();
        let moves = root.legal_moves();
        let options = SearchOptions::default();
        let evaluator = options.evaluator(Variant::Kigogo);
        let shared = Shared {
            tree: &tree,
            table: &Table::with_bytes(1 << 20),
            root: &root,
            past: &Past::of(&GameRecord::of_variant(Variant::Kigogo)),
            evaluator: &evaluator,
            tuning: options.params.tuning(Variant::Kigogo),
            control: &Control::new(),
            counters: &[Alone::default()],
            bulletin: &Bulletin::default(),
            busy: None,
            allowance: None,
            depth_limit: Some(DEPTH),
            multi_pv,
            prunes: true,
            seed: 0,
        };
        Worker::new(&shared, 0).expand_root(&moves);
        look(&shared, &moves)
    }

    #[test]
    fn a_scout_that_begins_again_goes_on_from_what_was_told() {
        at_start(1, |shared, moves| {
            let first = |scout: &Scout<'_>| scout.moves[0].first;
            let mut scout = Scout::new(shared);
            assert_eq!((scout.depth(), first(&scout)), (0, moves[0]));
            while scout.depth() < DEPTH {
                scout.go_on(shared, 1_000_000);
            }
            let told = shared.bulletin.latest();
            let again = Scout::new(shared);
            assert_eq!((again.opinion, again.depth()), (told, DEPTH));
            assert_eq!(Some((first(&again), again.moves[0].score)), told.map(|told| (told.best, told.score)));
            assert_eq!(again.moves.len(), moves.len());
            assert_ne!(first(&again), moves[0], "the first legal move happens to be the best one");
            assert!(shared.bulletin.ranking().moves.is_empty());
        });
    }

    #[test]
    fn a_scout_of_several_lines_ranks_them_as_alpha_beta_does() {
        for multi_pv in [2, 3, 1_000] {
            at_start(multi_pv, |shared, moves| {
                let mut scout = Scout::new(shared);
                while !scout.is_done() {
                    scout.go_on(shared, 1_000_000);
                }
                let table = Table::with_bytes(1 << 20);
                let mut search = AlphaBeta::new(shared.evaluator, &table, shared.past, Bounds::default());
                let expected = search.run(shared.root, moves, DEPTH, multi_pv, |_| ());
                let expected: Vec<_> = expected.iter().take(multi_pv).map(|m| (m.first, m.score)).collect();
                let Ranking { depth, moves: told } = shared.bulletin.ranking();
                assert_eq!((depth, &told), (DEPTH, &expected));
                assert_eq!(told.len(), multi_pv.min(moves.len()));
                for (first, score) in expected {
                    assert_eq!(shared.bulletin.score(first), Some(score));
                }
            });
        }
    }

    #[test]
    fn a_ranking_that_is_often_broken_off_is_whole_at_last() {
        at_start(4, |shared, _| {
            let mut scout = Scout::new(shared);
            let mut broken_off = 0;
            while !scout.is_done() {
                scout.go_on(shared, scout.nodes() / 50 + 30);
                broken_off += u32::from(scout.ranked > 0);
            }
            assert!(broken_off > 3, "{broken_off}");
            let Ranking { depth, moves } = shared.bulletin.ranking();
            assert_eq!((depth, moves.len()), (DEPTH, 4));
            assert!(moves.is_sorted_by_key(|&(_, score)| Reverse(score)), "{moves:?}");
            let distinct: HashSet<Move> = moves.iter().map(|&(first, _)| first).collect();
            assert_eq!(distinct.len(), 4);
            assert_eq!(shared.bulletin.latest().map(|opinion| opinion.best), moves.first().map(|&(first, _)| first));
        });
    }

    #[test]
    fn a_part_of_a_depth_counts_if_it_finds_a_better_move() {
        let [a, b] = [3, 4].map(|number| Move::of_pit(Pit::new(Row::Front, number).unwrap()));
        let opinion = |best, score, depth, agreement| Some(Opinion { best, score, depth, agreement });
        assert_eq!(Opinion::after(None, a, 5, false), None);
        let first = Opinion::after(None, a, 5, true);
        assert_eq!(first, opinion(a, 5, 1, 1));
        let second = Opinion::after(first, a, 7, true);
        assert_eq!(second, opinion(a, 7, 2, 2));
        assert!(second.unwrap().is_settled());
        // What the best move is worth is known when the depth is done.
        assert_eq!(Opinion::after(second, a, 9, false), None);
        let part = Opinion::after(second, b, 9, false);
        assert_eq!(part, opinion(b, 9, 2, 0));
        assert!(!part.unwrap().is_settled());
        assert_eq!(Opinion::after(part, b, 8, true), opinion(b, 8, 3, 1));
    }

    #[test]
    fn an_opinion_is_read_as_it_was_told() {
        assert_eq!(Bulletin::default().latest(), None);
        for (score, depth, agreement) in [(WIN - 3, 1, 1), (-WIN, 100, 255), (-1, 17, 2), (0, 0, 0)] {
            let bulletin = Bulletin::default();
            let opinion = Opinion { best: Move::of_pit(Pit::new(Row::Front, 7).unwrap()), score, depth, agreement };
            assert!(bulletin.post(opinion));
            assert_eq!(bulletin.latest(), Some(opinion));
        }
    }

    #[test]
    fn the_deepest_opinion_counts_of_equal_ones_the_last() {
        let bulletin = Bulletin::default();
        let opinion = |pit, depth| Opinion {
            best: Move::of_pit(Pit::new(Row::Front, pit).unwrap()),
            score: 7,
            depth,
            agreement: 1,
        };
        for (told, is_news, kept) in [
            (opinion(3, 5), true, opinion(3, 5)),
            (opinion(4, 5), false, opinion(4, 5)),
            (opinion(3, 4), false, opinion(4, 5)),
            (opinion(5, 8), true, opinion(5, 8)),
        ] {
            assert_eq!(bulletin.post(told), is_news);
            assert_eq!(bulletin.latest(), Some(kept));
        }
    }
}
