//! Everything that can be reached from the root, where that is little, solved backwards from the ends of games
//! (retrograde analysis).
//!
//! It finds what a search for forced wins cannot: draws, and wins so far away that few positions lie in many plies. Its
//! answers rest on the rules and the game's past alone. A position from which nobody can force a win is drawn, since
//! whoever would lose can go round in circles (rule G5b).

use super::control::Control;
use super::past::Past;
use super::proof::Proof;
use crate::game::{Move, Position};
use std::collections::{HashMap, VecDeque};

/// More positions are not enumerated.
const MOST: usize = 1 << 17;
/// How often it is looked at whether the search is to end, in positions.
const LOOK_INTERVAL: usize = 16;

/// How far the enumeration is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// There are positions whose moves have not been tried.
    Open,
    /// Every position that matters is known.
    Whole,
    /// There are too many.
    TooMuch,
}

/// What is known of a position, for its side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value {
    /// Nothing, or at the end: a draw.
    Open,
    /// Plies to the end, the winner taking the shortest way, the loser the longest.
    Win(u16),
    Loss(u16),
}

/// The positions that were met, by number.
pub(super) struct Reachable<P> {
    numbers: HashMap<u64, u32>,
    /// The positions whose moves have not been tried; they are the last ones that were met.
    untried: VecDeque<P>,
    values: Vec<Value>,
    /// Moves of each position that are not known to lose.
    open: Vec<u16>,
    /// A move: the position after it, the one before.
    moves: Vec<(u32, u32)>,
}

impl<P: Position> Reachable<P> {
    /// The enumeration begins with this position, in which the game is not over.
    pub(super) fn from(first: &P) -> Reachable<P> {
        let mut reachable = Reachable {
            numbers: HashMap::new(),
            untried: VecDeque::new(),
            values: Vec::new(),
            open: Vec::new(),
            moves: Vec::new(),
        };
        reachable.number(first.clone());
        reachable
    }

    /// Tries the moves of so many more positions; once all are known, they are solved.
    pub(super) fn grow(&mut self, past: &Past, control: Option<&Control>, positions: u64) -> Extent {
        for _ in 0..positions {
            if self.values.len() > MOST {
                return Extent::TooMuch;
            }
            let tried = self.values.len() - self.untried.len();
            if tried.is_multiple_of(LOOK_INTERVAL) && control.is_some_and(Control::is_over) {
                return Extent::Open;
            }
            let Some(position) = self.untried.pop_front() else {
                self.solve();
                return Extent::Whole;
            };
            self.try_moves(&position, tried, past);
        }
        Extent::Open
    }

    fn try_moves(&mut self, position: &P, number: usize, past: &Past) {
        let mut after = Vec::new();
        let mut open = 0;
        for m in position.movements() {
            let mut next = position.clone();
            match Proof::by_rules(&mut next, m) {
                Some(Proof::Win(_)) => {
                    // What its other moves lead to does not matter.
                    self.values[number] = Value::Win(1);
                    return;
                }
                Some(Proof::Loss(_)) => {}
                Some(Proof::Draw(_)) => open += 1,
                None => {
                    open += 1;
                    if !past.contains(next.key()) {
                        after.push(next);
                    }
                }
            }
        }
        self.open[number] = open;
        if open == 0 {
            self.values[number] = Value::Loss(1);
        }
        for next in after {
            let next = self.number(next);
            self.moves.push((next, number as u32));
        }
    }

    /// The number of a position, which is a new one if it was not met before.
    fn number(&mut self, position: P) -> u32 {
        let new = self.values.len() as u32;
        *self.numbers.entry(position.key()).or_insert_with(|| {
            self.untried.push_back(position);
            self.values.push(Value::Open);
            self.open.push(0);
            new
        })
    }

    /// Goes from the ends of games backwards.
    fn solve(&mut self) {
        let (begins, before) = self.predecessors();
        let count = self.values.len();
        let mut queue: VecDeque<usize> = (0..count).filter(|&number| self.values[number] != Value::Open).collect();
        // First in, first out: positions come in the order of their distances.
        while let Some(solved) = queue.pop_front() {
            for &place in &before[begins[solved] as usize..begins[solved + 1] as usize] {
                let place = place as usize;
                if self.values[place] != Value::Open {
                    continue;
                }
                match self.values[solved] {
                    // The first to come is the shortest,
                    Value::Loss(plies) => self.values[place] = Value::Win(plies + 1),
                    // the last the longest.
                    Value::Win(plies) => {
                        self.open[place] -= 1;
                        if self.open[place] == 0 {
                            self.values[place] = Value::Loss(plies + 1);
                        }
                    }
                    Value::Open => {}
                }
                if self.values[place] != Value::Open {
                    queue.push_back(place);
                }
            }
        }
    }

    /// Where the predecessors of each position begin, and one place more; and the predecessors.
    fn predecessors(&self) -> (Vec<u32>, Vec<u32>) {
        let mut begins = vec![0; self.values.len() + 1];
        for &(after, _) in &self.moves {
            begins[after as usize] += 1;
        }
        let mut sum = 0;
        for begin in &mut begins {
            sum += *begin;
            *begin = sum;
        }
        // Each place now is where the next one begins; filling from there goes back to where it begins itself.
        let mut predecessors = vec![0; self.moves.len()];
        for &(after, before) in &self.moves {
            let place = &mut begins[after as usize];
            *place -= 1;
            predecessors[*place as usize] = before;
        }
        (begins, predecessors)
    }

    /// The proof of a move from a position that was reached; right once everything is [`Extent::Whole`]. `None` if it was not.
    pub(super) fn proof(&self, position: &P, m: Move, past: &Past) -> Option<Proof> {
        let mut next = position.clone();
        if let Some(proof) = Proof::by_rules(&mut next, m) {
            return Some(proof);
        }
        if past.contains(next.key()) {
            return Some(Proof::Draw(1));
        }
        Some(match self.values[*self.numbers.get(&next.key())? as usize] {
            Value::Win(plies) => Proof::Loss(plies + 1),
            Value::Loss(plies) => Proof::Win(plies + 1),
            // A ply more than a draw by the rules has: this one is not over after the move.
            Value::Open => Proof::Draw(2),
        })
    }

    /// The moves from a position that is won or lost to the end, with the shortest win and the longest defence.
    pub(super) fn line(&self, position: &P, past: &Past) -> Vec<Move> {
        let mut position = position.clone();
        let mut line = Vec::new();
        loop {
            let proofs = position.movements().into_iter().map(|m| (m, self.proof(&position, m, past)));
            let best = proofs.filter_map(|(m, proof)| Some((m, proof?))).min_by_key(|&(_, proof)| match proof {
                Proof::Win(plies) => i32::from(plies),
                Proof::Draw(_) => i32::MAX / 2,
                Proof::Loss(plies) => i32::MAX - i32::from(plies),
            });
            let Some((m, Proof::Win(plies) | Proof::Loss(plies))) = best else { return line };
            line.push(m);
            position.play_unchecked(m);
            if plies == 1 {
                return line;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{AnyPosition, GameRecord, GameResult, Kigogo, Kimasai, Kiswahili};
    use crate::notation::parse_setup;

    fn no_past() -> Past {
        Past::of_keys([])
    }

    /// The positions of a suite, with the winner's sign (for the side to move) and the plies.
    fn suite<P: Position>() -> Vec<(P, i32, u16)> {
        let variant = P::VARIANT;
        let path = format!("{}/tests/data/endgames/{variant}.txt", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).expect("the suite");
        let entries = text.lines().filter(|line| !line.starts_with('#'));
        entries
            .map(|line| {
                let fields: Vec<&str> = line.split("; ").collect();
                let sign = match fields[1] {
                    "win" => 1,
                    "loss" => -1,
                    _ => 0,
                };
                let setup = parse_setup(fields[0], variant).expect("a position");
                let position = P::from_setup(&setup).expect("a position");
                (position, sign, fields[2].parse().unwrap_or(0))
            })
            .collect()
    }

    /// What is known of a position for its side to move, from the proofs of its moves.
    fn value<P: Position>(reachable: &Reachable<P>, position: &P, past: &Past) -> Option<(i32, u16)> {
        let moves = position.movements();
        match Proof::from_children(moves.iter().map(|&m| reachable.proof(position, m, past)))? {
            Proof::Loss(plies) => Some((1, plies - 1)),
            Proof::Win(plies) => Some((-1, plies - 1)),
            Proof::Draw(_) => Some((0, 0)),
        }
    }

    /// Solves what is small of a suite: how many positions are lost, drawn and won.
    fn solved<P: Position>() -> [u32; 3] {
        let past = no_past();
        let mut solved = [0; 3];
        for (position, sign, plies) in suite::<P>() {
            let mut reachable = Reachable::from(&position);
            if reachable.grow(&past, None, 4_000) != Extent::Whole {
                continue;
            }
            solved[(sign + 1) as usize] += 1;
            let setup = position.to_setup();
            assert_eq!(value(&reachable, &position, &past), Some((sign, plies)), "{setup:?}");
            let line = reachable.line(&position, &past);
            assert_eq!(line.len(), usize::from(plies), "{setup:?}");
            let mut game = GameRecord::new(AnyPosition::from_setup(&setup).expect("a position"));
            for m in line {
                game.play(m).expect("a legal move");
            }
            let mover_wins = game.outcome().map(|end| end.result == GameResult::Win(position.side_to_move()));
            assert_eq!(mover_wins, (sign != 0).then_some(sign > 0), "{setup:?}");
        }
        solved
    }

    #[test]
    fn endgames_are_solved_at_the_exact_distance_where_all_can_be_reached() {
        let kigogo = solved::<Kigogo>();
        assert!(kigogo.iter().all(|&count| count >= 10), "{kigogo:?}");
        // Rule G5: Kimasai has no draws.
        let kimasai = solved::<Kimasai>();
        assert!(kimasai[0] >= 10 && kimasai[2] >= 10, "{kimasai:?}");
        // Seeds do not leave the board in Kiswahili, so that much can be reached until the end.
        let kiswahili = solved::<Kiswahili>();
        assert!(kiswahili.iter().sum::<u32>() >= 1, "{kiswahili:?}");
    }

    #[test]
    fn an_enumeration_in_steps_is_that_in_one() {
        let past = no_past();
        let is_small = |position: &Kigogo| {
            let mut reachable = Reachable::from(position);
            reachable.grow(&past, None, 4_000) == Extent::Whole && reachable.values.len() > 50
        };
        let (position, sign, plies) =
            suite::<Kigogo>().into_iter().find(|(position, ..)| is_small(position)).expect("a small endgame");
        let mut reachable = Reachable::from(&position);
        let mut steps = 0;
        while reachable.grow(&past, None, 7) == Extent::Open {
            steps += 1;
        }
        assert!(steps > 1);
        assert_eq!(value(&reachable, &position, &past), Some((sign, plies)));
    }

    #[test]
    fn what_is_too_much_is_given_up_and_a_stop_ends_it() {
        let past = no_past();
        let mut reachable = Reachable::from(&Kigogo::start());
        assert_eq!(reachable.grow(&past, None, 10), Extent::Open);
        let control = Control::new();
        control.stop();
        assert_eq!(reachable.grow(&past, Some(&control), u64::MAX), Extent::Open);
        assert_eq!(reachable.grow(&past, None, u64::MAX), Extent::TooMuch);
    }

    #[test]
    fn a_return_to_the_past_is_a_draw() {
        let past = no_past();
        let mut seen = 0;
        for (position, sign, plies) in suite::<Kigogo>() {
            let mut free = Reachable::from(&position);
            if sign <= 0 || plies < 5 || free.grow(&past, None, 4_000) != Extent::Whole {
                continue;
            }
            // A game in which the position after the best move has already been.
            let best = free.line(&position, &past)[0];
            let mut after = position.clone();
            after.play_unchecked(best);
            let barred = Past::of_keys([after.key()]);
            let mut reachable = Reachable::from(&position);
            assert_eq!(reachable.grow(&barred, None, 4_000), Extent::Whole);
            assert_eq!(reachable.proof(&position, best, &barred), Some(Proof::Draw(1)));
            let (new_sign, new_plies) = value(&reachable, &position, &barred).expect("a value");
            assert!(new_sign == 0 || new_sign == 1 && new_plies >= plies, "{new_sign} {new_plies}");
            seen += 1;
        }
        assert!(seen >= 5, "{seen}");
    }
}
