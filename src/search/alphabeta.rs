//! Alpha-beta: iterative deepening of a principal variation search, on one thread.
//!
//! The frame is here: one pass a depth over the moves of the root, each with its score and line. `node` searches what is
//! below them, `table` remembers it. Scores are log-odds for the side to move in units of 1/256 ([`Score256`]); beyond them
//! lie the proved results: a win after n plies counts [`WIN`] - n.

mod busy;
mod children;
mod leaf;
mod line;
mod node;
mod table;

use super::allowance::Allowance;
use super::control::Control;
use super::past::Past;
use crate::evaluation::{Evaluator, Inputs, Score256};
use crate::game::Move;
pub(super) use busy::Busy;
use children::Child;
use line::Lines;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
pub(super) use table::{Bound, Entry, Table};

/// A win on the spot.
pub(super) const WIN: Score256 = 32_000;
/// A score from here on is a proved win, and its negative a proved loss.
pub(super) const PROVED: Score256 = 30_000;
/// Beyond every score.
const INFINITE: Score256 = 32_500;
/// No line is followed further.
pub(super) const MAX_PLY: usize = 120;
/// How often it is looked at whether the search is to stop, in nodes; a power of two.
const LOOK_INTERVAL: u64 = 256;
/// From this depth on, a pass begins with a window around the score of the one before.
const WINDOW_DEPTH: i32 = 4;
/// The half-width of that window.
const WINDOW: Score256 = 48;

/// What ends a search besides its depth.
#[derive(Clone, Copy, Default)]
pub(super) struct Bounds<'a> {
    pub(super) allowance: Option<&'a Allowance>,
    pub(super) control: Option<&'a Control>,
    /// Where the number of nodes is written now and then.
    pub(super) counter: Option<&'a AtomicU64>,
    /// What the searches of the same root are at, if there are others.
    pub(super) busy: Option<&'a Busy>,
    /// No move is searched less deep than the others, and nothing is believed that was found out on another path: the
    /// distance of a proved result is right then. Slower.
    pub(super) exact: bool,
}

/// A move of the root, and what came out for it.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) first: Move,
    /// For the side to move in the root.
    pub(super) score: Score256,
    /// From the root on, `first` included.
    pub(super) line: Vec<Move>,
    /// Nodes searched below it.
    pub(super) nodes: u64,
}

impl RootMove {
    /// A move of which nothing is known.
    pub(super) fn new(first: Move) -> RootMove {
        RootMove { first, score: -INFINITE, line: vec![first], nodes: 0 }
    }

    /// Whether it has a score.
    pub(super) fn is_known(&self) -> bool {
        self.score > -INFINITE
    }
}

/// The state after a depth.
pub(super) struct Pass<'s> {
    pub(super) depth: u32,
    pub(super) seldepth: u32,
    pub(super) nodes: u64,
    /// Best first, as far as lines were asked for.
    pub(super) moves: &'s [RootMove],
    pub(super) fullness_per_mille: u32,
}

/// One search.
pub(super) struct AlphaBeta<'a> {
    evaluator: &'a Evaluator,
    table: &'a Table,
    /// How often a move of a side, by its byte, was good enough, weighted by depth.
    history: Box<[[i32; 256]; 2]>,
    past: &'a Past,
    bounds: Bounds<'a>,
    /// The keys of the positions from the root to the present one.
    keys: Vec<u64>,
    /// Two moves a ply that were good enough without capturing.
    killers: Box<[[Option<Move>; 2]; MAX_PLY]>,
    lines: Box<Lines>,
    nodes: u64,
    /// Nodes that were taken from the allowance.
    granted: u64,
    seldepth: usize,
    /// The first pass is never broken off: the answer rests on it.
    may_stop: bool,
    /// The number of nodes at which the search is to stop, or soon after.
    quota: u64,
    stopped: bool,
}

impl<'a> AlphaBeta<'a> {
    pub(super) fn new(evaluator: &'a Evaluator, table: &'a Table, past: &'a Past, bounds: Bounds<'a>) -> AlphaBeta<'a> {
        AlphaBeta {
            evaluator,
            table,
            history: Box::new([[0; 256]; 2]),
            past,
            bounds,
            keys: Vec::with_capacity(MAX_PLY),
            killers: Box::new([[None; 2]; MAX_PLY]),
            lines: Box::default(),
            nodes: 0,
            granted: 0,
            seldepth: 0,
            may_stop: false,
            quota: u64::MAX,
            stopped: false,
        }
    }

    /// Searches `moves` of the root, at least one, depth by depth, up to `max_depth` plies, until a bound is reached or
    /// the result is proved. After each depth `watch` gets the state, with `wanted` moves in order. Returns the moves, best first; of one that
    /// was not searched last, the score is that of an earlier depth.
    pub(super) fn run<P: Inputs>(
        &mut self,
        root: &P,
        moves: &[Move],
        max_depth: u32,
        wanted: usize,
        mut watch: impl FnMut(Pass<'_>),
    ) -> Vec<RootMove> {
        let wanted = wanted.clamp(1, moves.len().max(1));
        let mut moves: Vec<RootMove> = moves.iter().copied().map(RootMove::new).collect();
        for depth in 1..=max_depth.clamp(1, MAX_PLY as u32 - 20) {
            for rank in 0..wanted.min(moves.len()) {
                self.pass(root, &mut moves[rank..], depth as i32);
            }
            if self.stopped {
                break;
            }
            // The ranks were searched one after the other, and late moves less deep.
            moves[..wanted].sort_by_key(|m| std::cmp::Reverse(m.score));
            self.may_stop = true;
            watch(Pass {
                depth,
                seldepth: (self.seldepth as u32).max(depth),
                nodes: self.nodes,
                moves: &moves[..wanted],
                fullness_per_mille: self.table.fullness_per_mille(),
            });
            if moves.iter().take(wanted).all(|m| is_settled(m.score, depth)) {
                break;
            }
        }
        self.publish();
        moves
    }

    /// Searches `moves` of the root, at least one, to one depth, for about `nodes` nodes; the best comes first. Says whether
    /// that was enough. If not, asking for the same depth again goes on, since the table remembers.
    pub(super) fn deepen<P: Inputs>(&mut self, root: &P, moves: &mut [RootMove], depth: u32, nodes: u64) -> bool {
        self.may_stop = true;
        self.stopped = false;
        self.quota = self.nodes + nodes;
        self.pass(root, moves, depth as i32);
        self.give_back();
        !self.stopped
    }

    /// Leaves to others what was allowed and not needed.
    fn give_back(&mut self) {
        if let Some(allowance) = self.bounds.allowance {
            allowance.give_back(self.granted.saturating_sub(self.nodes));
            self.granted = self.nodes;
        }
    }

    /// Nodes searched so far.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The deepest ply so far.
    pub(super) fn seldepth(&self) -> usize {
        self.seldepth
    }

    /// Brings the best of `moves` to the front, with its score at that depth.
    fn pass<P: Inputs>(&mut self, root: &P, moves: &mut [RootMove], depth: i32) {
        let Some(expected) = moves.first().map(|m| m.score) else { return };
        let mut half_width = WINDOW;
        let narrow = depth >= WINDOW_DEPTH && expected.abs() < PROVED;
        let mut window = if narrow { (expected - half_width, expected + half_width) } else { (-INFINITE, INFINITE) };
        let before = moves.to_vec();
        let mut failed_high = false;
        loop {
            let score = self.search_root(root, moves, depth, window);
            if window.0 < score && score < window.1 {
                return;
            }
            if self.stopped {
                // Outside the window a score is a bound, and its line ends anywhere. A move that has just turned out better
                // than expected is still the one to play, but nothing is proved by it.
                if !(failed_high && moves[0].score < PROVED) {
                    moves.clone_from_slice(&before);
                }
                return;
            }
            failed_high = score >= window.1;
            half_width *= 4;
            // Only the side that failed is widened.
            if score <= window.0 {
                window.0 = if half_width > 1_000 { -INFINITE } else { (score - half_width).max(-INFINITE) };
            } else {
                window.1 = if half_width > 1_000 { INFINITE } else { (score + half_width).min(INFINITE) };
            }
        }
    }

    /// One pass within a window. A move that turns out best goes to the front.
    fn search_root<P: Inputs>(
        &mut self,
        root: &P,
        moves: &mut [RootMove],
        depth: i32,
        (mut alpha, beta): (Score256, Score256),
    ) -> Score256 {
        let mut best = -INFINITE;
        let mut waiting: VecDeque<_> =
            moves.iter().map(|m| m.first).enumerate().map(|(place, first)| (place, first, false)).collect();
        let mut searched = 0;
        while let Some((place, first, is_late)) = waiting.pop_front() {
            let before = self.nodes;
            self.keys.clear();
            self.keys.push(root.key());
            let mut child = Child::before(root, first);
            child.place = place;
            self.play(&mut child, root, 0, depth - 1);
            if searched > 0 && !is_late && self.is_busy(&child, depth) {
                waiting.push_back((place, first, true));
                continue;
            }
            let score = self.search_child(&child, depth, 0, searched == 0, (alpha, beta));
            let Some(index) = moves.iter().position(|m| m.first == first) else { continue };
            moves[index].nodes += self.nodes - before;
            if self.stopped {
                return best;
            }
            best = best.max(score);
            if score > alpha || searched == 0 {
                alpha = alpha.max(score);
                let entry = &mut moves[index];
                entry.score = score;
                entry.line.clear();
                entry.line.push(entry.first);
                entry.line.extend_from_slice(self.lines.of(1));
                moves[..=index].rotate_right(1);
            }
            if score >= beta {
                break;
            }
            searched += 1;
        }
        best
    }

    fn publish(&self) {
        if let Some(counter) = self.bounds.counter {
            counter.store(self.nodes, Ordering::Relaxed);
        }
    }

    /// Counts a node, and looks now and then whether to stop.
    #[inline]
    fn count_node(&mut self, ply: usize) {
        if self.nodes >= self.granted
            && let Some(allowance) = self.bounds.allowance
        {
            let got = allowance.take();
            if got == 0 && self.may_stop {
                self.stopped = true;
                return;
            }
            self.granted = self.nodes + got;
        }
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        if self.nodes.is_multiple_of(LOOK_INTERVAL) {
            self.publish();
            if self.may_stop && (self.nodes >= self.quota || self.bounds.control.is_some_and(Control::is_over)) {
                self.stopped = true;
            }
        }
    }
}

impl Drop for AlphaBeta<'_> {
    fn drop(&mut self) {
        self.give_back();
    }
}

/// Whether a proved result cannot come out shorter at a greater depth.
fn is_settled(score: Score256, depth: u32) -> bool {
    score.abs() >= PROVED && plies_to_end(score) <= depth
}

/// The plies to the end of a game whose result is proved.
pub(super) fn plies_to_end(score: Score256) -> u32 {
    (WIN - score.abs()).max(0) as u32
}
