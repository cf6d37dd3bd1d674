//! An exact solver for endgames, written apart from the search of the engine: it shares nothing with it but the rules.
//!
//! Two methods, both exact. `graph` enumerates everything that can be reached and works backwards from the ends: it knows
//! draws and any distance, where the positions are few enough. `forced` tries everything up to a number of plies: it knows
//! wins and losses that are near, however large the rest of the game is.
//!
//! Neither looks at repetition among the positions that it meets, and need not (rule G5b): in a win that is as short as can
//! be, the distance falls with each ply, so that no position comes twice; and who can avoid losing for ever has a draw.
//! The past of the game is another matter: its positions are draws for whoever gets back to them.

mod forced;
mod graph;
mod state;
mod text;

pub use text::{Entry, read_position, read_suite};

use forced::Prover;
use graph::Graph;
use kete::game::{AnyPosition, GameResult, Kigogo, Kimasai, Kiswahili, Outcome, Position, Side};
use state::{State, StateSet};

/// What a position is worth to its side to move, if both play as well as can be: the winner shortest, the loser longest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    /// A win, with the plies to the end of the game.
    Win(u32),
    /// A loss, with the plies to the end of the game.
    Loss(u32),
    /// Nobody can force a win.
    Draw,
}

impl Value {
    /// The value of a game that is over, for `side`.
    pub fn of_outcome(outcome: Outcome, side: Side) -> Value {
        match outcome.result {
            GameResult::Win(winner) if winner == side => Value::Win(0),
            GameResult::Win(_) => Value::Loss(0),
            GameResult::Draw => Value::Draw,
        }
    }
}

/// How much the solver may try before it gives a position up.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// The most positions that are enumerated; 0 for no enumeration.
    pub positions: usize,
    /// The most positions that are visited to find wins and losses that are near; 0 for no such search.
    pub nodes: u64,
}

/// The game of a position, as the solver's methods need it.
pub trait Game: Position {
    /// The position inside, if it is of this game.
    fn of(any: &AnyPosition) -> Option<&Self>;
}

macro_rules! game {
    ($game:ident) => {
        impl Game for $game {
            fn of(any: &AnyPosition) -> Option<&Self> {
                match any {
                    AnyPosition::$game(position) => Some(position),
                    _ => None,
                }
            }
        }
    };
}

game!(Kiswahili);
game!(Kigogo);
game!(Kimasai);

/// Does the same with the position inside, whichever game it is of.
macro_rules! each {
    ($any:expr, $position:ident => $body:expr) => {
        match $any {
            AnyPosition::Kiswahili($position) => $body,
            AnyPosition::Kigogo($position) => $body,
            AnyPosition::Kimasai($position) => $body,
        }
    };
}

/// The value of a position in a game that has had the positions of `past`; `None` if the effort does not suffice.
///
/// With an empty past, the position stands alone.
pub fn solve(position: &AnyPosition, past: &[AnyPosition], effort: Effort) -> Option<Value> {
    each!(position, p => solve_game(p, past, effort))
}

/// Whether the side to move of `position` can force a win ([`Value::Win`]) within so many plies, or cannot avoid a loss
/// ([`Value::Loss`]) within so many; `None` if `nodes` positions do not suffice to know. A draw is never forced in that
/// sense: `Some(false)`.
pub fn is_forced(position: &AnyPosition, past: &[AnyPosition], claim: Value, nodes: u64) -> Option<bool> {
    each!(position, p => {
        let past = states(past);
        let mut prover = Prover::new(&past, nodes);
        match claim {
            Value::Win(plies) => prover.forces(p, p.side_to_move(), plies),
            Value::Loss(plies) => prover.forces(p, !p.side_to_move(), plies),
            Value::Draw => Some(false),
        }
    })
}

fn solve_game<P: Game>(position: &P, past: &[AnyPosition], effort: Effort) -> Option<Value> {
    let past = states(past);
    let enumerated = Graph::from(position, &past, effort.positions).map(|graph| graph.value_of_first());
    enumerated.or_else(|| Prover::new(&past, effort.nodes).nearest(position))
}

fn states<P: Game>(past: &[AnyPosition]) -> StateSet<P> {
    past.iter().filter_map(P::of).map(|position| State(position.clone())).collect()
}
