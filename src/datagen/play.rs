//! A game of the engine against itself.

use super::DataError;
use super::record::{MoverResult, Record, board};
use super::settings::Settings;
use crate::game::{GameRecord, Move, Side};
use crate::search::Labeller;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, RngExt, SeedableRng};

/// Plays game `number`: some random plies, then moves of the search and now and then a random one. Adds a record of each
/// position behind the opening to `bytes`, and returns how many.
///
/// # Errors
/// [`DataError::IllegalMove`] if the search is broken.
pub(super) fn play(
    settings: &Settings,
    number: u32,
    labeller: &mut Labeller,
    bytes: &mut Vec<u8>,
) -> Result<u64, DataError> {
    // What a search knows of other games would make a game depend on who played it.
    labeller.clear();
    let mut rng = generator(settings.seed, number);
    let mut game = GameRecord::of_variant(settings.variant);
    let (fewest, most) = settings.opening_plies;
    for _ in 0..rng.random_range(fewest..=most) {
        let Some(m) = random_move(&game, &mut rng) else { return Ok(0) };
        add_move(&mut game, m, number)?;
    }
    let seen = record_plies(settings, number, labeller, &mut game, &mut rng)?;
    let outcome = game.outcome();
    for (mover, record) in &seen {
        Record { result: MoverResult::of(outcome, *mover), ..record.clone() }.write(bytes);
    }
    Ok(seen.len() as u64)
}

/// Plays on from the opening to the end of the game, or for as many plies as a game may have; each position with its mover,
/// the result still being open.
fn record_plies(
    settings: &Settings,
    number: u32,
    labeller: &mut Labeller,
    game: &mut GameRecord,
    rng: &mut Xoshiro256PlusPlus,
) -> Result<Vec<(Side, Record)>, DataError> {
    let mut seen = Vec::new();
    while game.moves().len() < settings.max_plies as usize
        && let Some(label) = labeller.label(game, settings.nodes)
    {
        seen.push((
            game.side_to_move(),
            Record {
                board: board(game.position()),
                score: file_score(label.score),
                result: MoverResult::Draw,
                game: number,
            },
        ));
        let random = rng.random_range(0..100) < settings.random_moves;
        let m = if random { random_move(game, rng).unwrap_or(label.best) } else { label.best };
        add_move(game, m, number)?;
    }
    Ok(seen)
}

fn add_move(game: &mut GameRecord, m: Move, number: u32) -> Result<(), DataError> {
    game.play(m).map_err(|_| DataError::IllegalMove { game: number })
}

/// A legal move, all having the same chance; `None` if the game is over.
fn random_move(game: &GameRecord, rng: &mut impl Rng) -> Option<Move> {
    let moves = game.legal_moves();
    if moves.is_empty() { None } else { moves.get(rng.random_range(0..moves.len())).copied() }
}

/// The score as it stands in the file. No score is outside, unless the search breaks its word.
fn file_score(score: i32) -> i16 {
    i16::try_from(score).unwrap_or(if score < 0 { -i16::MAX } else { i16::MAX })
}

/// Where the random numbers of a game come from. The constant keeps them apart from whatever else is drawn from the seed;
/// seeding mixes neighbouring numbers well (SplitMix64).
fn generator(seed: u64, number: u32) -> Xoshiro256PlusPlus {
    const DATAGEN: u64 = 0x6461_7461_2067_656e;
    let start = Xoshiro256PlusPlus::seed_from_u64(seed ^ DATAGEN).next_u64();
    Xoshiro256PlusPlus::seed_from_u64(start.wrapping_add(u64::from(number)))
}
