//! Where positions come from: games by chance and greed, and boards with few seeds.

use kete::game::{AnyPosition, GameRecord, Move, Setup, Side, Variant};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

/// Random numbers that depend on a seed and on the number of the game alone.
pub fn random_of(seed: u64, game: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(game))
}

/// A whole game. Each game has its own share of greedy moves, so that even and one-sided endings both occur.
pub fn game(variant: Variant, rng: &mut Xoshiro256PlusPlus) -> GameRecord {
    let greed: f64 = rng.random();
    let mut game = GameRecord::of_variant(variant);
    while game.outcome().is_none() {
        let moves = game.legal_moves();
        let chance = moves[rng.random_range(0..moves.len())];
        let chosen = if rng.random_bool(greed) { greedy(game.position(), &moves).unwrap_or(chance) } else { chance };
        if game.play(chosen).is_err() {
            break;
        }
    }
    game
}

/// The first move that leaves the opponent the fewest seeds.
fn greedy(position: &AnyPosition, moves: &[Move]) -> Option<Move> {
    let opponent = !position.side_to_move();
    let left = |&m: &Move| {
        let mut after = position.clone();
        // Illegal moves there are none; they would come last.
        after.play(m).map_or(u32::MAX, |_| after.seeds(opponent))
    };
    moves.iter().copied().min_by_key(left)
}

/// The positions of a game in which there was a move to make, in order.
pub fn positions(game: &GameRecord) -> Vec<AnyPosition> {
    let mut position = AnyPosition::start(game.variant());
    let mut positions = Vec::with_capacity(game.moves().len());
    for &m in game.moves() {
        positions.push(position.clone());
        if position.play(m).is_err() {
            break;
        }
    }
    positions
}

/// The most seeds of a side on a scattered board.
const MAX_SCATTERED: u32 = 9;

/// A board with few seeds, as play seldom leaves it; the game may be over. In Kiswahili some may be in reserve.
pub fn scattered(variant: Variant, rng: &mut Xoshiro256PlusPlus) -> Option<AnyPosition> {
    let pits: Vec<_> = Setup::pits(variant).collect();
    let mut setup = Setup::empty(variant);
    setup.side = Side::ALL[rng.random_range(0..2)];
    for side in Side::ALL {
        for _ in 0..rng.random_range(1..=MAX_SCATTERED) {
            let pit = pits[rng.random_range(0..pits.len())];
            setup.set_count(side, pit, setup.count(side, pit) + 1);
        }
        if variant.has_reserves() {
            setup.reserves[side.index()] = rng.random_range(0..=6_u8).saturating_sub(4);
        }
    }
    AnyPosition::from_setup(&setup).ok()
}
