//! Everything that can be reached from a position, solved backwards from the ends of games.

use super::Value;
use super::state::{State, StateMap, StateSet};
use kete::game::Position;
use std::collections::VecDeque;

/// The successor that stands for a draw on the spot: an endless relay (rule K5) or a return to the past (rule G5b).
const DRAW: u32 = u32::MAX;

/// All positions that can be reached from the first one.
pub struct Graph {
    /// Where the successors of each position begin in `successors`; one entry more than there are positions.
    begins: Vec<usize>,
    /// By number, one for each move; or [`DRAW`].
    successors: Vec<u32>,
    /// The positions in which the game is over, with their values.
    ends: Vec<(u32, Value)>,
}

impl Graph {
    /// Enumerates; `None` if more than `most` positions are met.
    pub fn from<P: Position>(first: &P, past: &StateSet<P>, most: usize) -> Option<Graph> {
        let mut graph = Graph { begins: vec![0], successors: Vec::new(), ends: Vec::new() };
        let mut positions = vec![first.clone()];
        let mut numbers: StateMap<P, u32> = StateMap::default();
        numbers.insert(State(first.clone()), 0);
        let mut next = 0;
        while let Some(position) = positions.get(next).cloned() {
            if positions.len() > most {
                return None;
            }
            if let Some(outcome) = position.outcome() {
                graph.ends.push((next as u32, Value::of_outcome(outcome, position.side_to_move())));
            } else {
                for m in position.movements() {
                    let mut after = position.clone();
                    let endless = after.play_unchecked(m).endless;
                    let after = State(after);
                    let number = if endless || past.contains(&after) {
                        DRAW
                    } else if let Some(&number) = numbers.get(&after) {
                        number
                    } else {
                        let number = positions.len() as u32;
                        positions.push(after.0.clone());
                        numbers.insert(after, number);
                        number
                    };
                    graph.successors.push(number);
                }
            }
            graph.begins.push(graph.successors.len());
            next += 1;
        }
        Some(graph)
    }

    /// The value of the first position.
    pub fn value_of_first(&self) -> Value {
        self.values().first().copied().flatten().unwrap_or(Value::Draw)
    }

    /// The value of each position; `None` is a draw.
    fn values(&self) -> Vec<Option<Value>> {
        let count = self.begins.len() - 1;
        let mut values = vec![None; count];
        // Moves of each position that are not yet known to lose. An end on the spot stays open for ever.
        let mut open: Vec<usize> = self.begins.windows(2).map(|ends| ends[1] - ends[0]).collect();
        let (begins, predecessors) = self.predecessors();
        let mut queue: VecDeque<u32> = VecDeque::new();
        for &(end, value) in &self.ends {
            values[end as usize] = (value != Value::Draw).then_some(value);
            queue.push_back(end);
        }
        // First in, first out: positions come in the order of their distances.
        while let Some(solved) = queue.pop_front() {
            let solved = solved as usize;
            for &before in &predecessors[begins[solved]..begins[solved + 1]] {
                let place = before as usize;
                if values[place].is_some() {
                    continue;
                }
                match values[solved] {
                    // The first to come is the shortest,
                    Some(Value::Loss(plies)) => values[place] = Some(Value::Win(plies + 1)),
                    // the last the longest.
                    Some(Value::Win(plies)) => {
                        open[place] -= 1;
                        if open[place] == 0 {
                            values[place] = Some(Value::Loss(plies + 1));
                        }
                    }
                    Some(Value::Draw) | None => {}
                }
                if values[place].is_some() {
                    queue.push_back(before);
                }
            }
        }
        values
    }

    /// The edges turned round: where the predecessors of each position begin, and the predecessors.
    fn predecessors(&self) -> (Vec<usize>, Vec<u32>) {
        let count = self.begins.len() - 1;
        let mut begins = vec![0; count + 1];
        for &to in self.successors.iter().filter(|&&to| to != DRAW) {
            begins[to as usize + 1] += 1;
        }
        for i in 0..count {
            begins[i + 1] += begins[i];
        }
        let mut places = begins.clone();
        let mut predecessors = vec![0; begins[count]];
        for from in 0..count {
            for &to in &self.successors[self.begins[from]..self.begins[from + 1]] {
                if to != DRAW {
                    predecessors[places[to as usize]] = from as u32;
                    places[to as usize] += 1;
                }
            }
        }
        (begins, predecessors)
    }
}
