//! Forced wins: who can win within so many plies, whatever the other side does, and in how few.
//!
//! A search of alternatives, deeper and deeper, that remembers its answers by position and distance (the idea of df-pn
//! solvers, with a bound of depth instead of proof numbers). Its answers rest on the rules and the game's past alone: not on
//! a score, and not on the path. That is sound although repetition is a draw (rule G5b): on the shortest way to a win each
//! ply is nearer to the end, so no position occurs twice, whatever the loser tries.

use super::control::Control;
use super::past::Past;
use super::proof::Proof;
use crate::game::{MAX_MOVES, Move, Position, Variant};
use arrayvec::ArrayVec;

/// What is known about a position: bounds of the plies to a win of the side to move, and to one of its opponent.
#[derive(Clone, Copy, Default)]
struct Known {
    key: u64,
    bounds: [Distance; 2],
}

/// A win takes at least `from` plies and, unless that is 0, at most `to`.
#[derive(Clone, Copy, Default)]
struct Distance {
    from: u16,
    to: u16,
}

/// Who is to win, seen from the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Winner {
    Mover,
    Opponent,
}

impl Winner {
    /// The same side after a move.
    fn after_a_move(self) -> Winner {
        match self {
            Winner::Mover => Winner::Opponent,
            Winner::Opponent => Winner::Mover,
        }
    }

    /// The last ply of a game is the winner's (rules G5a, S7a): so many plies of the smallest number, and every second one
    /// from there, can be his distance.
    fn nearest(self) -> u16 {
        match self {
            Winner::Mover => 1,
            Winner::Opponent => 2,
        }
    }
}

/// The answers are remembered in so many places; a new one takes the place of an old one.
const PLACES: usize = 1 << 15;
/// No win is looked for at a greater distance.
pub(super) const MAX_PLIES: u16 = 160;

/// How often it is looked at whether the search is to end, in positions: each may take some microseconds.
const LOOK_INTERVAL: u64 = 16;

/// A search for forced wins in one game, whose past does not change.
pub(super) struct Forced<'a> {
    past: &'a Past,
    control: Option<&'a Control>,
    known: Box<[Known]>,
    /// Positions tried so far.
    nodes: u64,
    limit: u64,
}

/// A move and where it leads to.
struct Reply<P> {
    position: P,
    rank: usize,
}

impl<'a> Forced<'a> {
    /// Nothing is found any more once `control` says that the search is over.
    pub(super) fn new(past: &'a Past, control: Option<&'a Control>) -> Forced<'a> {
        Forced { past, control, known: Box::default(), nodes: 0, limit: 0 }
    }

    /// Positions tried so far.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The smallest number of plies, up to `max_plies`, within which the winner wins. `None` if there is none, or if `nodes`
    /// more positions do not suffice.
    pub(super) fn distance<P: Position>(
        &mut self,
        position: &P,
        winner: Winner,
        max_plies: u16,
        nodes: u64,
    ) -> Option<u16> {
        self.limit = self.nodes + nodes;
        self.nearest(position, winner, max_plies)
    }

    /// The winner, if one of the two can force a win, and its plies; as far as `nodes` more positions go. Also how many plies
    /// were looked at whole.
    pub(super) fn either<P: Position>(&mut self, position: &P, nodes: u64) -> (Option<(Winner, u16)>, u16) {
        self.limit = self.nodes + nodes;
        for plies in 1..=MAX_PLIES {
            let winner = if plies % 2 == 1 { Winner::Mover } else { Winner::Opponent };
            match self.is_won(position, winner, plies) {
                Some(true) => return (Some((winner, plies)), plies),
                Some(false) => {}
                None => return (None, plies - 1),
            }
        }
        (None, MAX_PLIES)
    }

    /// The moves to the end with the shortest win and the longest defence; `None` as with `distance`.
    pub(super) fn line<P: Position>(
        &mut self,
        position: &P,
        winner: Winner,
        max_plies: u16,
        nodes: u64,
    ) -> Option<Vec<Move>> {
        self.limit = self.nodes + nodes;
        let mut left = self.nearest(position, winner, max_plies)?;
        let mut position = position.clone();
        let mut winner = winner;
        let mut line = Vec::new();
        while left > 0 {
            let (m, next) = self.on_the_way(&position, winner, left)?;
            line.push(m);
            position = next;
            winner = winner.after_a_move();
            left -= 1;
        }
        Some(line)
    }

    fn nearest<P: Position>(&mut self, position: &P, winner: Winner, max_plies: u16) -> Option<u16> {
        for plies in (winner.nearest()..=max_plies.min(MAX_PLIES)).step_by(2) {
            if self.is_won(position, winner, plies)? {
                return Some(plies);
            }
        }
        None
    }

    /// A move after which the win is one ply nearer, and no more than that.
    fn on_the_way<P: Position>(&mut self, position: &P, winner: Winner, left: u16) -> Option<(Move, P)> {
        for m in position.movements() {
            let mut next = position.clone();
            let fits = match Proof::by_rules(&mut next, m) {
                Some(Proof::Win(_)) => winner == Winner::Mover && left == 1,
                Some(_) => false,
                None if self.past.contains(next.key()) => false,
                None if left == 1 => false,
                None if winner == Winner::Mover => self.is_won(&next, Winner::Opponent, left - 1)?,
                None => {
                    left == 2 && self.is_won(&next, Winner::Mover, 1)?
                        || left > 2 && !self.is_won(&next, Winner::Mover, left - 3)?
                }
            };
            if fits {
                return Some((m, next));
            }
        }
        None
    }

    /// Whether the winner wins within so many plies, whatever the other side does; `None` once the nodes are used up. The
    /// game is not over.
    fn is_won<P: Position>(&mut self, position: &P, winner: Winner, plies: u16) -> Option<bool> {
        // Only every second number can be a distance.
        let plies = plies - u16::from(plies % 2 != winner.nearest() % 2 && plies > 0);
        if plies < winner.nearest() {
            return Some(false);
        }
        let key = position.key();
        if let Some(answer) = self.remembered(key, winner, plies) {
            return Some(answer);
        }
        if self.nodes >= self.limit {
            return None;
        }
        if self.nodes.is_multiple_of(LOOK_INTERVAL) && self.control.is_some_and(Control::is_over) {
            self.limit = 0;
            return None;
        }
        self.nodes += 1;
        let answer = self.try_moves(position, winner, plies)?;
        self.remember(key, winner, plies, answer);
        Some(answer)
    }

    fn try_moves<P: Position>(&mut self, position: &P, winner: Winner, plies: u16) -> Option<bool> {
        let mover_wins = winner == Winner::Mover;
        let mut replies = ArrayVec::<Reply<P>, MAX_MOVES>::new();
        for m in position.movements() {
            let mut next = position.clone();
            let proof = Proof::by_rules(&mut next, m);
            let drawn = proof.is_none() && self.past.contains(next.key());
            match proof {
                Some(Proof::Win(_)) => return Some(mover_wins),
                // Who may lose at once still has other moves.
                Some(Proof::Loss(_)) => {}
                // A draw at once does for the side that is to lose.
                Some(Proof::Draw(_)) if mover_wins => {}
                Some(Proof::Draw(_)) => return Some(false),
                None if drawn && mover_wins => {}
                None if drawn => return Some(false),
                None => replies.push(Reply { position: next, rank: 0 }),
            }
        }
        if plies > 2 {
            // The order decides nothing but the effort: the winner leaves few choices, the loser takes seeds. In Kiswahili
            // choices cannot be counted without playing them.
            let by_choices = mover_wins && P::VARIANT != Variant::Kiswahili;
            for Reply { position: next, rank } in &mut replies {
                *rank = if by_choices { next.movements().len() } else { next.seeds(next.side_to_move()) as usize };
            }
            replies.sort_by_key(|reply| reply.rank);
        }
        for reply in &replies {
            if self.is_won(&reply.position, winner.after_a_move(), plies - 1)? == mover_wins {
                return Some(mover_wins);
            }
        }
        Some(!mover_wins)
    }

    fn remembered(&self, key: u64, winner: Winner, plies: u16) -> Option<bool> {
        let known = self.known.get(place(key)).filter(|known| known.key == key)?;
        let Distance { from, to } = known.bounds[winner as usize];
        if to != 0 && to <= plies {
            Some(true)
        } else if from > plies {
            Some(false)
        } else {
            None
        }
    }

    fn remember(&mut self, key: u64, winner: Winner, plies: u16, answer: bool) {
        if self.known.is_empty() {
            self.known = vec![Known::default(); PLACES].into_boxed_slice();
        }
        let Some(known) = self.known.get_mut(place(key)) else { return };
        if known.key != key {
            *known = Known { key, ..Known::default() };
        }
        let bounds = &mut known.bounds[winner as usize];
        match answer {
            true if bounds.to == 0 || bounds.to > plies => bounds.to = plies,
            true => {}
            false => bounds.from = bounds.from.max(plies + 1),
        }
    }
}

fn place(key: u64) -> usize {
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 49) as usize
}
