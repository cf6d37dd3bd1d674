//! Scores of positions by short searches, for training data.

use super::allowance::Allowance;
use super::alphabeta::{AlphaBeta, Bounds, Table};
use super::options::SearchOptions;
use super::past::Past;
use crate::evaluation::{Inputs, Score256};
use crate::game::{AnyPosition, GameRecord, Move};

/// What a short search says about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label {
    /// The best move.
    pub best: Move,
    /// Its score for the side to move, in units of 1/256 of a logit; ± (32000 - n) for a proved result in n plies.
    pub score: Score256,
}

/// A score from here on is a proved win, and its negative a proved loss.
pub const PROVED_SCORE: Score256 = super::alphabeta::PROVED;

/// Searches positions by alpha-beta on the calling thread, one after the other.
pub struct Labeller {
    options: SearchOptions,
    table: Table,
}

/// The size of a labeller's table: what a few thousand nodes need.
const TABLE_BYTES: usize = 2 << 20;

impl Labeller {
    /// A labeller with the evaluation and the tunables of `options`.
    pub fn new(options: SearchOptions) -> Labeller {
        Labeller { options, table: Table::with_bytes(TABLE_BYTES) }
    }

    /// Forgets what it found out so far.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// Searches the present position of a game for `nodes` nodes; `None` if the game is over.
    pub fn label(&mut self, game: &GameRecord, nodes: u64) -> Option<Label> {
        if game.outcome().is_some() {
            return None;
        }
        match game.position() {
            AnyPosition::Kiswahili(root) => self.label_position(root, game, nodes),
            AnyPosition::Kigogo(root) => self.label_position(root, game, nodes),
            AnyPosition::Kimasai(root) => self.label_position(root, game, nodes),
        }
    }

    fn label_position<P: Inputs>(&mut self, root: &P, game: &GameRecord, nodes: u64) -> Option<Label> {
        let evaluator = self.options.evaluator(P::VARIANT);
        let past = Past::of(game);
        let allowance = Allowance::new(nodes);
        let bounds = Bounds { allowance: Some(&allowance), ..Bounds::default() };
        self.table.next_generation();
        let mut search = AlphaBeta::new(&evaluator, &self.table, &past, bounds);
        let moves = search.run(root, &root.movements(), u32::MAX, 1, |_| ());
        moves.first().map(|best| Label { best: best.first, score: best.score })
    }
}
