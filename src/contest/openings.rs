//! Where games begin: positions after random plies, or the lines of a file.
//!
//! Every choice is a pure function of the seed, the same on every machine. An opening is a position without a past: what
//! was played to reach it does not count for repetition (rule G5b).

mod file;
mod random;

use super::config::{OpeningSource, Order};
use crate::game::{AnyPosition, Variant};
use crate::notation::position_text;
use rand::RngExt;
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;

/// Why there are no openings for a match.
#[derive(Debug, thiserror::Error)]
pub enum OpeningError {
    /// Random play does not give as many different positions.
    #[error("{}", too_few(.variant, *.plies, *.found, *.complete, *.needed, *.suffices))]
    TooFew {
        /// The game.
        variant: Variant,
        /// The plies that were asked for.
        plies: u32,
        /// How many different undecided positions were found.
        found: usize,
        /// Whether these are all that there are.
        complete: bool,
        /// How many are needed, those that are passed over included.
        needed: usize,
        /// The fewest plies that give enough of them, if any number up to 64 does.
        suffices: Option<u32>,
    },
    /// The file cannot be read.
    #[error("{}: {error}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        error: io::Error,
    },
    /// A line of the file is no opening.
    #[error("{}, line {line}, column {column}: {reason}", .path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The column, in characters from 1.
        column: usize,
        /// What was found there, and what was expected.
        reason: String,
    },
    /// The file has fewer different openings than the match needs.
    #[error("{} has {}, expected at least {needed}", .path.display(), number(*.found, "different opening", .variant))]
    TooFewInFile {
        /// The file.
        path: PathBuf,
        /// The game.
        variant: Variant,
        /// How many different openings of the game it has.
        found: usize,
        /// How many the match needs.
        needed: usize,
    },
}

fn number(n: usize, what: &str, variant: &Variant) -> String {
    format!("{n} {what}{} of {variant}", if n == 1 { "" } else { "s" })
}

fn too_few(v: &Variant, plies: u32, found: usize, complete: bool, needed: usize, suffices: Option<u32>) -> String {
    let positions = if found == 1 { "undecided position" } else { "undecided positions" };
    let depth = if plies == 1 { "1 ply".to_owned() } else { format!("{plies} plies") };
    let have = if complete { format!("{v} has") } else { format!("random play of {v} finds") };
    let expected = match suffices {
        Some(fewest) if fewest > plies => format!("expected plies={fewest} or more"),
        Some(fewest) => format!("expected fewer plies, such as plies={fewest}"),
        None => "expected fewer openings".to_owned(),
    };
    format!("{have} {found} {positions} after {depth}, {needed} are needed: {expected}")
}

/// The first `count` openings of `variant`, one of the games of a match, `variants`. All are different, legal and
/// undecided.
///
/// *Random* openings form a sequence that depends on the seed, the game and the number of plies alone: `start` passes over
/// its head, and another `count` takes more or less of it. Where there are few positions after so many plies, the sequence
/// has them all.
///
/// A *file* has an opening a line, in one of these forms, with or without the name of a game in front:
///
/// ```text
/// # a comment
/// kigogo startpos moves A6 b2
/// kimasai 1,1,1,1,1,1,1,1,1,1,1,1/1,1,1,1,1,1,1,1,1,1,1,0/0,1,1,1,1,1,1,1,1,1,1,1/1,1,1,1,1,1,1,1,1,1,1,1 S 0 moves A2
/// fen 0,0,0,0,0,0,0,0/0,2,2,6,0,0,0,0/0,0,0,0,6,2,2,0/0,0,0,0,0,0,0,0 S 22,22 SN - 0
/// ```
/// Blank lines and lines that begin with `#` are passed over, and so are those of other games. A line that names no game
/// is an error in a match of several. A position that occurs again, the ply aside, counts once. `start` passes over so many
/// openings, in the order that was asked for, and goes round.
///
/// # Errors
/// [`OpeningError`]: fewer openings than `count`, or what is wrong with which line of the file.
///
/// ```
/// use kete::contest::{OpeningSource, openings};
/// use kete::game::Variant::Kimasai;
/// let openings = |plies, start, count| openings(&OpeningSource::Random { plies, start }, &[Kimasai], Kimasai, count, 1);
/// let text = |position: &kete::game::AnyPosition| kete::notation::position_text(&position.to_setup()).to_string();
/// let all = openings(4, 0, 7).unwrap();
/// assert_eq!(all.len(), 7);
/// assert_eq!(text(&openings(4, 5, 1).unwrap()[0]), text(&all[5]));
/// assert_eq!(
///     openings(4, 0, 8).unwrap_err().to_string(),
///     "kimasai has 7 undecided positions after 4 plies, 8 are needed: expected plies=5 or more"
/// );
/// ```
pub fn openings(
    source: &OpeningSource,
    variants: &[Variant],
    variant: Variant,
    count: usize,
    seed: u64,
) -> Result<Vec<AnyPosition>, OpeningError> {
    match source {
        OpeningSource::Random { plies, start } => random::draw(variant, *plies, index(*start), count, seed),
        OpeningSource::File { path, order, start } => {
            let mut found = file::read(path, variants, variant)?;
            if found.len() < count {
                return Err(OpeningError::TooFewInFile {
                    path: path.clone(),
                    variant,
                    found: found.len(),
                    needed: count,
                });
            }
            if *order == Order::Random {
                shuffle(&mut found, &mut generator(seed));
            }
            let passed_over = index(*start).checked_rem(found.len()).unwrap_or(0);
            found.rotate_left(passed_over);
            found.truncate(count);
            Ok(found)
        }
    }
}

/// The first `count` openings of each game of a match as position texts: what `config.json` keeps.
///
/// # Errors
/// As [`openings`].
pub fn opening_texts(
    source: &OpeningSource,
    variants: &[Variant],
    count: usize,
    seed: u64,
) -> Result<BTreeMap<String, Vec<String>>, OpeningError> {
    let texts = |variant| Ok(openings(source, variants, variant, count, seed)?.iter().map(text).collect());
    variants.iter().map(|&variant| Ok((variant.to_string(), texts(variant)?))).collect()
}

fn text(position: &AnyPosition) -> String {
    position_text(&position.to_setup()).to_string()
}

fn index(start: u32) -> usize {
    usize::try_from(start).unwrap_or(usize::MAX)
}

/// Where the random numbers of all openings come from. The constant keeps them apart from whatever else a match draws
/// from the same seed.
fn generator(seed: u64) -> Xoshiro256PlusPlus {
    const OPENINGS: u64 = 0x6f70_656e_696e_6773;
    Xoshiro256PlusPlus::seed_from_u64(seed ^ OPENINGS)
}

/// Puts items in random order, all orders having the same chance (Fisher and Yates).
fn shuffle<T>(items: &mut [T], rng: &mut Xoshiro256PlusPlus) {
    for last in (1..items.len()).rev() {
        items.swap(last, rng.random_range(0..=last));
    }
}

#[cfg(test)]
mod tests;
