//! Wins and losses that are near, by trying everything up to a number of plies.

use super::Value;
use super::state::{State, StateMap, StateSet};
use kete::game::{GameResult, Position, Side};
use std::cmp::Reverse;

/// No search is deeper, in plies.
const MAX_PLIES: u32 = 200;

/// What is known of the distance, in plies, at which one side can force its win: it is `from` or more, and `to` or less.
#[derive(Clone, Copy)]
struct Distance {
    from: u32,
    to: u32,
}

impl Distance {
    const UNKNOWN: Distance = Distance { from: 0, to: u32::MAX };

    /// Whether the win is there within so many plies, if that is known.
    fn is_within(self, plies: u32) -> Option<bool> {
        if self.to <= plies {
            Some(true)
        } else if self.from > plies {
            Some(false)
        } else {
            None
        }
    }

    fn learn(&mut self, plies: u32, is_within: bool) {
        if is_within {
            self.to = self.to.min(plies);
        } else {
            self.from = self.from.max(plies + 1);
        }
    }
}

/// A search that answers yes-or-no questions about one game, whose past does not change.
pub struct Prover<'a, P> {
    past: &'a StateSet<P>,
    /// The distance of a win of the side to move, and of its opponent.
    known: StateMap<P, [Distance; 2]>,
    nodes_left: u64,
}

impl<'a, P: Position> Prover<'a, P> {
    /// A search that visits at most so many positions.
    pub fn new(past: &'a StateSet<P>, nodes: u64) -> Prover<'a, P> {
        Prover { past, known: StateMap::default(), nodes_left: nodes }
    }

    /// The value of a position that is a win or a loss, at whatever distance the nodes suffice for; else `None`.
    pub fn nearest(&mut self, position: &P) -> Option<Value> {
        if let Some(outcome) = position.outcome() {
            return Some(Value::of_outcome(outcome, position.side_to_move()));
        }
        for plies in 1..=MAX_PLIES {
            if self.forces(position, position.side_to_move(), plies)? {
                return Some(Value::Win(plies));
            }
            if self.forces(position, !position.side_to_move(), plies)? {
                return Some(Value::Loss(plies));
            }
        }
        None
    }

    /// Whether `attacker` can force his win within so many plies; `None` once the nodes are used up.
    pub fn forces(&mut self, position: &P, attacker: Side, plies: u32) -> Option<bool> {
        if let Some(outcome) = position.outcome() {
            return Some(outcome.result == GameResult::Win(attacker));
        }
        let attacks = position.side_to_move() == attacker;
        // The last move of a game is the winner's (rules G5a, S7a): his distance is odd if he is to move, else even.
        let plies = if (plies % 2 == 1) == attacks { plies } else { plies.saturating_sub(1) };
        if plies == 0 {
            return Some(false);
        }
        let which = usize::from(!attacks);
        if let Some(known) = self.known.get(&State(position.clone()))
            && let Some(answer) = known[which].is_within(plies)
        {
            return Some(answer);
        }
        self.nodes_left = self.nodes_left.checked_sub(1)?;
        let answer = self.forces_by_moving(position, attacker, plies)?;
        let known = self.known.entry(State(position.clone())).or_insert([Distance::UNKNOWN; 2]);
        known[which].learn(plies, answer);
        Some(answer)
    }

    /// [`Prover::forces`] by the moves of the position; `plies` is at least 1.
    fn forces_by_moving(&mut self, position: &P, attacker: Side, plies: u32) -> Option<bool> {
        let attacks = position.side_to_move() == attacker;
        let mut successors = Vec::new();
        for m in position.movements() {
            let mut after = position.clone();
            // Rules K5, G5b: a draw at once does for the defender and is no use to the attacker.
            let drawn = after.play_unchecked(m).endless || {
                !self.past.is_empty() && self.past.contains(&State(after.clone()))
            };
            match (drawn, attacks) {
                (false, _) => successors.push(after),
                (true, true) => {}
                (true, false) => return Some(false),
            }
        }
        if plies > 2 {
            // The order decides nothing but the effort: attackers take choices away, defenders seeds.
            if attacks {
                successors.sort_by_cached_key(|after| after.legal_moves().len());
            } else {
                successors.sort_by_cached_key(|after| (after.seeds(attacker), Reverse(after.seeds(!attacker))));
            }
        }
        for after in &successors {
            if self.forces(after, attacker, plies - 1)? == attacks {
                return Some(attacks);
            }
        }
        Some(!attacks)
    }
}
