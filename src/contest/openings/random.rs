//! Openings by random play.

use super::{OpeningError, generator, shuffle, text};
use crate::game::{AnyPosition, GameRecord, Variant};
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;
use std::collections::HashSet;

/// Up to so many positions of one depth are listed and shuffled. Beyond, random games find new ones fast enough.
const MAX_LISTED: usize = 20_000;

/// So many random games in a row without a new position: there are no more, or too few to be found.
const MAX_IN_VAIN: u32 = 10_000;

/// How deep a number of plies that suffices is looked for.
const MAX_DEPTH: u32 = 64;

/// Openings `start..start + count` of the sequence.
pub(super) fn draw(
    variant: Variant,
    plies: u32,
    start: usize,
    count: usize,
    seed: u64,
) -> Result<Vec<AnyPosition>, OpeningError> {
    let needed = start.saturating_add(count);
    let listed = Listing::new(variant).after(plies);
    let complete = listed.is_some();
    let mut found = sequence(variant, plies, listed, needed, seed);
    if found.len() < needed {
        let suffices = fewest_plies(variant, needed, seed);
        return Err(OpeningError::TooFew { variant, plies, found: found.len(), complete, needed, suffices });
    }
    Ok(found.split_off(start))
}

/// The first `needed` openings of the sequence, or all that it has. `listed`: all positions of that depth, if they are few.
fn sequence(
    variant: Variant,
    plies: u32,
    listed: Option<Vec<AnyPosition>>,
    needed: usize,
    seed: u64,
) -> Vec<AnyPosition> {
    let mut rng = generator(seed);
    match listed {
        Some(mut all) => {
            shuffle(&mut all, &mut rng);
            all.truncate(needed);
            all
        }
        None => sample(variant, plies, needed, &mut rng),
    }
}

/// Different positions in the order in which random games come upon them.
fn sample(variant: Variant, plies: u32, needed: usize, rng: &mut Xoshiro256PlusPlus) -> Vec<AnyPosition> {
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    let mut in_vain = 0;
    while found.len() < needed && in_vain < MAX_IN_VAIN {
        match random_game(variant, plies, rng).filter(|position| seen.insert(text(position))) {
            Some(position) => {
                found.push(position);
                in_vain = 0;
            }
            None => in_vain += 1,
        }
    }
    found
}

/// A random game of so many plies; `None` if it was over by then.
fn random_game(variant: Variant, plies: u32, rng: &mut Xoshiro256PlusPlus) -> Option<AnyPosition> {
    let mut game = GameRecord::of_variant(variant);
    for _ in 0..plies {
        let moves = game.legal_moves();
        // No moves: it is over.
        let choice = rng.random_range(0..moves.len().max(1));
        game.play(*moves.get(choice)?).ok()?;
    }
    game.outcome().is_none().then(|| game.position().clone())
}

/// All undecided positions ply by ply, each once, as long as they are few.
///
/// Repetition needs no regard: in no game are there so few positions at a depth at which one could recur.
struct Listing {
    depth: u32,
    positions: Vec<AnyPosition>,
}

impl Listing {
    /// The start position alone.
    fn new(variant: Variant) -> Listing {
        Listing { depth: 0, positions: vec![AnyPosition::start(variant)] }
    }

    /// All positions after so many plies; `None` if they, or those of a smaller depth, are too many.
    fn after(mut self, plies: u32) -> Option<Vec<AnyPosition>> {
        while self.depth < plies && !self.positions.is_empty() {
            self = self.deeper()?;
        }
        Some(self.positions)
    }

    /// The positions one ply on; `None` if they are too many.
    fn deeper(&self) -> Option<Listing> {
        let mut seen = HashSet::new();
        let mut positions = Vec::new();
        for position in &self.positions {
            for m in position.legal_moves() {
                let mut next = position.clone();
                let goes_on = next.play(m).is_ok_and(|completion| !completion.endless) && next.outcome().is_none();
                if goes_on && seen.insert(text(&next)) {
                    positions.push(next);
                }
            }
            if positions.len() > MAX_LISTED {
                return None;
            }
        }
        Some(Listing { depth: self.depth.saturating_add(1), positions })
    }
}

/// The fewest plies after which the sequence has so many openings.
fn fewest_plies(variant: Variant, needed: usize, seed: u64) -> Option<u32> {
    let mut listing = Some(Listing::new(variant));
    for plies in 0..=MAX_DEPTH {
        let enough = match &listing {
            Some(listing) => listing.positions.len() >= needed,
            None => sequence(variant, plies, None, needed, seed).len() >= needed,
        };
        if enough {
            return Some(plies);
        }
        listing = listing.and_then(|listing| listing.deeper());
    }
    None
}
