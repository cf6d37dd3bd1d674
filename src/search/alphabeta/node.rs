//! One node of the alpha-beta search: the order of its moves, reductions, and the captures at its end.

use super::children::{Child, Children};
use super::{AlphaBeta, Bound, Entry, INFINITE, MAX_PLY, PROVED, WIN};
use crate::evaluation::{Evaluate, Inputs, Score256};
use crate::game::{Completion, GameResult, Move};

/// Plies of captures that are followed where the depth is used up.
const CAPTURE_PLIES: u32 = 2;
/// From this depth on, late moves are searched less deep at first.
const REDUCTION_DEPTH: i32 = 3;
/// Moves that are searched in full before that.
const FULL_MOVES: usize = 3;

/// A window of scores: below the first the side to move has better elsewhere, from the second on the opponent has.
pub(super) type Window = (Score256, Score256);

impl AlphaBeta<'_> {
    /// Plays the move of a child of `position`, the last one of the path, at `ply`; so many plies are to be searched after it.
    #[inline]
    pub(super) fn play<P: Inputs>(&self, child: &mut Child<P>, position: &P, ply: usize, depth: i32) {
        let completion = child.position.play_unchecked(child.m);
        self.judge(child, completion, position, ply, depth);
    }

    /// Plays it, or takes over what was played already, of the successors of `position`.
    #[inline]
    fn succeed<P: Inputs>(
        &self,
        child: &mut Child<P>,
        played: Option<(P, Completion)>,
        position: &P,
        ply: usize,
        depth: i32,
    ) {
        let Some((next, completion)) = played else { return self.play(child, position, ply, depth) };
        child.position = next;
        self.judge(child, completion, position, ply, depth);
    }

    /// What there is to know of a child that has just been played.
    #[inline]
    fn judge<P: Inputs>(&self, child: &mut Child<P>, completion: Completion, position: &P, ply: usize, depth: i32) {
        let (mover, opponent) = (position.side_to_move(), !position.side_to_move());
        let next = &child.position;
        child.key = next.key();
        // Where only captures follow, the table is not asked.
        if depth > 0 {
            self.table.prefetch(child.key);
        }
        child.verdict = if completion.endless {
            // Rule K5.
            Some(0)
        } else if let Some(outcome) = next.evident_outcome() {
            let win = WIN - (ply as Score256 + 1);
            Some(if outcome.result == GameResult::Win(mover) { win } else { -win })
        } else {
            self.repeats(child.key).then_some(0)
        };
        child.captured = position.seeds(opponent).saturating_sub(next.seeds(opponent));
    }

    /// Rule G5b: whether a position after the present path has occurred before, in the game or on the path.
    #[inline]
    fn repeats(&self, key: u64) -> bool {
        // The side to move is part of the key; positions of the other side are passed over.
        self.keys.iter().rev().skip(1).step_by(2).any(|&earlier| earlier == key) || self.past.contains(key)
    }

    /// The score of a child for the mover, searched to `depth` less one, if it is the first that is searched with the whole window.
    /// The line of the next ply is that of the child.
    #[inline]
    pub(super) fn search_child<P: Inputs>(
        &mut self,
        child: &Child<P>,
        depth: i32,
        ply: usize,
        is_first: bool,
        (alpha, beta): Window,
    ) -> Score256 {
        if let Some(verdict) = child.verdict {
            self.count_node(ply + 1);
            self.lines.clear(ply + 1);
            return verdict;
        }
        self.keys.push(child.key);
        let score = self.while_busy(child, depth, |search| {
            if is_first {
                return -search.search(&child.position, depth - 1, ply + 1, (-beta, -alpha));
            }
            let reduction = if search.bounds.exact { 0 } else { reduction(depth, child.place, child.captured) };
            let mut score = -search.search(&child.position, depth - 1 - reduction, ply + 1, (-alpha - 1, -alpha));
            if score > alpha && reduction > 0 && !search.stopped {
                score = -search.search(&child.position, depth - 1, ply + 1, (-alpha - 1, -alpha));
            }
            if score > alpha && beta - alpha > 1 && !search.stopped {
                score = -search.search(&child.position, depth - 1, ply + 1, (-beta, -alpha));
            }
            score
        });
        self.keys.pop();
        score
    }

    /// The score of a position for its side to move, within the window exact, outside a bound (fail-soft).
    pub(super) fn search<P: Inputs>(
        &mut self,
        position: &P,
        depth: i32,
        ply: usize,
        (alpha, beta): Window,
    ) -> Score256 {
        if depth <= 0 {
            return self.search_captures(position, CAPTURE_PLIES, ply, (alpha, beta));
        }
        self.count_node(ply);
        self.lines.clear(ply);
        if self.stopped {
            return 0;
        }
        if ply + 1 >= MAX_PLY {
            return self.evaluator.evaluate(position);
        }
        // A shorter win is known elsewhere, or a loss as short cannot be avoided any more.
        let (mut alpha, beta) = (alpha.max(ply as Score256 - WIN), beta.min(WIN - ply as Score256 - 1));
        if alpha >= beta {
            return alpha;
        }
        let is_principal = beta - alpha > 1;
        let key = self.keys.last().copied().unwrap_or_default();
        let known = self.table.get(key);
        if let Some(entry) = known
            && !is_principal
            && !self.bounds.exact
            && entry.depth >= depth
        {
            let score = entry.score_at(ply);
            match entry.bound {
                Bound::Exact => return score,
                Bound::Lower if score >= beta => return score,
                Bound::Upper if score <= alpha => return score,
                _ => {}
            }
        }
        let hint = known.and_then(|entry| entry.best);
        let original_alpha = alpha;
        let mut best = -INFINITE;
        let mut best_move = None;
        let mut searched = 0;
        // The move of the table is often all that is needed; then the others are not even listed.
        let mut children = Children::new();
        let mut listed = false;
        if let Some(m) = hint {
            self.play(children.add(position, m), position, ply, depth - 1);
            children.rank_last(0);
        }
        loop {
            let child = match children.take_best() {
                Some(child) => child,
                None if listed => break,
                None => {
                    listed = true;
                    self.list_children(position, hint, ply, depth - 1, &mut children);
                    continue;
                }
            };
            if searched > 0 && !child.is_late && self.is_busy(child, depth) {
                children.put_off();
                continue;
            }
            let score = self.search_child(child, depth, ply, searched == 0, (alpha, beta));
            if self.stopped {
                return 0;
            }
            searched += 1;
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = Some(child.m);
                    if is_principal {
                        self.lines.extend(ply, child.m);
                    }
                }
                if score >= beta {
                    if child.captured == 0 {
                        self.reward(position.side_to_move().index(), child.m, depth, ply);
                    }
                    break;
                }
            }
        }
        if searched == 0 {
            return stuck(ply);
        }
        let bound = match best {
            best if best >= beta => Bound::Lower,
            best if best > original_alpha => Bound::Exact,
            _ => Bound::Upper,
        };
        let best_move = best_move.or(hint);
        self.table.put(key, Entry { best: best_move, score: Entry::score_from(best, ply), bound, depth });
        best
    }

    /// The score where the depth is used up: the position as it stands, or after captures, of which the side to move may
    /// make any or none.
    fn search_captures<P: Inputs>(&mut self, position: &P, plies: u32, ply: usize, (alpha, beta): Window) -> Score256 {
        self.count_node(ply);
        self.lines.clear(ply);
        if self.stopped {
            return 0;
        }
        let mut best = self.evaluator.evaluate(position);
        if best >= beta || plies == 0 || ply + 1 >= MAX_PLY {
            return best;
        }
        let mut alpha = alpha.max(best);
        let mut children = Children::new();
        let mut win = None;
        position.successors(|m, played| {
            if win.is_some() {
                return;
            }
            let child = children.add(position, m);
            self.succeed(child, played, position, ply, 0);
            match child.verdict {
                Some(score) if score >= PROVED => win = Some((m, score)),
                None if child.captured > 0 => {
                    let rank = child.captured as i32;
                    children.rank_last(rank);
                }
                _ => {}
            }
        });
        if let Some((m, score)) = win {
            self.lines.clear(ply + 1);
            self.lines.extend(ply, m);
            return score;
        }
        if children.is_empty() {
            return stuck(ply);
        }
        while let Some(child) = children.take_best() {
            self.keys.push(child.key);
            let score = -self.search_captures(&child.position, plies - 1, ply + 1, (-beta, -alpha));
            self.keys.pop();
            if self.stopped {
                return 0;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    self.lines.extend(ply, child.m);
                }
                if score >= beta {
                    break;
                }
            }
        }
        best
    }

    /// All children but that of `hint`, with their ranks: captures by their size, then killers, then by history.
    fn list_children<P: Inputs>(
        &self,
        position: &P,
        hint: Option<Move>,
        ply: usize,
        depth: i32,
        children: &mut Children<P>,
    ) {
        let killers = self.killers[ply % MAX_PLY];
        let history = &self.history[position.side_to_move().index()];
        position.successors(|m, played| {
            if Some(m) == hint {
                return;
            }
            let child = children.add(position, m);
            self.succeed(child, played, position, ply, depth);
            let rank = if child.verdict.is_some_and(|score| score >= PROVED) {
                i32::MAX
            } else if child.captured > 0 {
                (2 << 24) + child.captured as i32
            } else if let Some(place) = killers.iter().position(|&killer| killer == Some(m)) {
                (1 << 24) - place as i32
            } else {
                history[usize::from(m.to_byte())].min(1 << 23)
            };
            children.rank_last(rank);
        });
    }

    /// Remembers a move that was good enough without capturing.
    fn reward(&mut self, side: usize, m: Move, depth: i32, ply: usize) {
        let killers = &mut self.killers[ply % MAX_PLY];
        if killers[0] != Some(m) {
            *killers = [Some(m), killers[0]];
        }
        let merit = &mut self.history[side][usize::from(m.to_byte())];
        *merit = merit.saturating_add(depth * depth).min(1 << 22);
    }
}

/// The score of a side that has no legal move, though one had to try them to see it (rules G5a, S11).
fn stuck(ply: usize) -> Score256 {
    ply as Score256 - WIN
}

/// How much less deep a late move is searched at first.
fn reduction(depth: i32, index: usize, captured: u32) -> i32 {
    if depth < REDUCTION_DEPTH || index < FULL_MOVES || captured > 0 {
        return 0;
    }
    1 + i32::from(index >= 2 * FULL_MOVES + 2)
}
