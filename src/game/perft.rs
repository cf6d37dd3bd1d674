//! Counting the leaves of the game tree: the standard check of a move generator.

use super::{Move, Position};

/// The number of sequences of `depth` legal moves.
///
/// A game that is over earlier is not counted; an endless relay (rule K5) is a leaf at its own depth; repetition (rule
/// G5b) counts from `position`. `go_on` is asked now and then; once it says no, the count is given up with `None`.
///
/// ```
/// use kete::game::{Kimasai, Position, perft};
/// assert_eq!(perft(&Kimasai::start(), 6, &mut || true), Some(40));
/// ```
pub fn perft<P: Position>(position: &P, depth: u32, go_on: &mut dyn FnMut() -> bool) -> Option<u64> {
    if depth == 0 {
        return Some(1);
    }
    if position.outcome().is_some() {
        return Some(0);
    }
    count(&mut vec![position.clone()], depth, go_on)
}

/// [`perft`] of each legal move, in the order of the legal moves; their sum is the perft of `position`.
pub fn divide<P: Position>(position: &P, depth: u32, go_on: &mut dyn FnMut() -> bool) -> Option<Vec<(Move, u64)>> {
    if depth == 0 {
        return Some(Vec::new());
    }
    let mut path = vec![position.clone()];
    position.legal_moves().into_iter().map(|m| Some((m, count_after(&mut path, m, depth, go_on)?))).collect()
}

/// Leaves below the last position of `path`, which is not over.
fn count<P: Position>(path: &mut Vec<P>, depth: u32, go_on: &mut dyn FnMut() -> bool) -> Option<u64> {
    let Some(position) = path.last() else { return Some(0) };
    let moves = position.movements();
    if depth == 1 {
        return Some(moves.len() as u64);
    }
    if depth > 2 && !go_on() {
        return None;
    }
    moves.into_iter().try_fold(0, |sum, m| Some(sum + count_after(path, m, depth, go_on)?))
}

/// Leaves after the legal move `m` in the last position of `path`.
fn count_after<P: Position>(path: &mut Vec<P>, m: Move, depth: u32, go_on: &mut dyn FnMut() -> bool) -> Option<u64> {
    if depth == 1 {
        return Some(1);
    }
    let Some(mut next) = path.last().cloned() else { return Some(0) };
    let over = next.play_unchecked(m).endless
        || next.outcome().is_some()
        || path.iter().any(|earlier| earlier.same_state(&next));
    if over {
        return Some(0);
    }
    path.push(next);
    let leaves = count(path, depth - 1, go_on);
    path.pop();
    leaves
}
