//! What decides the bytes of a file.

use super::DataError;
use crate::game::Variant;

/// All that decides which positions are in a file, and with which scores.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The game.
    pub variant: Variant,
    /// How many games.
    pub games: u32,
    /// Nodes of the search of a position.
    pub nodes: u64,
    /// How many moves in a hundred, behind the opening, are random ones.
    pub random_moves: u8,
    /// The fewest and the most random plies at the start of a game, all numbers between having the same chance.
    pub opening_plies: (u32, u32),
    /// A game of so many plies, those of the opening included, is given up as drawn.
    pub max_plies: u32,
    /// Where random numbers start.
    pub seed: u64,
    /// The name of the evaluation that the search uses.
    pub evaluation: String,
    /// The SHA-256 of the net, if the evaluation is one, in hexadecimal digits.
    pub net: Option<String>,
}

/// The random plies at the start of a game, if nobody says. Two random players are done with one game of Bao la Kiswahili
/// in twenty within 24 plies, so it gets fewer of them; in Bao la Kimasai a ply moves a single seed and there are few moves
/// to choose from at first, so its games need more to differ.
pub const fn default_opening_plies(variant: Variant) -> (u32, u32) {
    match variant {
        Variant::Kiswahili => (4, 16),
        Variant::Kigogo => (4, 24),
        Variant::Kimasai => (8, 30),
    }
}

impl Settings {
    /// Whether they can be meant.
    pub(super) fn check(&self) -> Result<(), DataError> {
        let (fewest, most) = self.opening_plies;
        let complaint = if self.games == 0 {
            "games: 0, expected at least 1".to_owned()
        } else if self.nodes == 0 {
            "nodes: 0, expected at least 1".to_owned()
        } else if self.random_moves > 100 {
            format!("random moves: {} in a hundred, expected 0 to 100", self.random_moves)
        } else if fewest > most {
            format!("opening plies: {fewest}..{most}, expected the smaller number first")
        } else if most >= self.max_plies {
            let max = self.max_plies;
            format!("opening plies: up to {most}, but a game ends after {max}: expected more plies of a game")
        } else {
            return Ok(());
        };
        Err(DataError::Settings(complaint))
    }
}
