//! Whole games by chance.

use kete::game::{GameRecord, Variant};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

/// A random game to its end.
pub fn random_game(variant: Variant, seed: u64) -> GameRecord {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut game = GameRecord::of_variant(variant);
    while game.outcome().is_none() {
        let moves = game.legal_moves();
        game.play(moves[rng.random_range(0..moves.len())]).expect("a legal move");
    }
    game
}
