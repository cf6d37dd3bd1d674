//! Makes a suite: solved positions of many kinds and distances.

use crate::late;
use crate::solver::{Effort, Entry, Value, solve};
use kete::game::{AnyPosition, GameRecord, GameResult, Variant};
use kete::notation::position_text;
use std::collections::{BTreeMap, HashSet};
use std::io::{self, Write};

/// What suite is to be made. Equal orders give equal suites.
#[derive(Clone, Copy, Debug)]
pub struct Order {
    pub variant: Variant,
    /// Positions from games.
    pub played: usize,
    /// Draws: from drawn games, as far as [`GAMES_FOR_DRAWS`] games have them; in Kiswahili from boards with few seeds.
    pub draws: usize,
    /// Positions with few seeds that no game led to.
    pub scattered: usize,
    pub seed: u64,
    pub effort: Effort,
}

/// How far back from its end a game is looked at, in plies.
const LOOK_BACK: usize = 100;
/// So many unsolved positions in a row, and the game is left.
const MISSES: usize = 3;
/// So many boards are scattered for one that is taken.
const BOARDS: usize = 40;
/// So many games are played for draws; they are rare.
const GAMES_FOR_DRAWS: u64 = 100_000;
/// One position in so many may be a win in one ply.
const ONE_PLY_SHARE: usize = 12;

/// A suite under way.
#[derive(Default)]
struct Suite {
    entries: Vec<Entry>,
    /// Without their plies.
    texts: HashSet<String>,
    /// How often each class of values occurs.
    counts: BTreeMap<(Kind, u32), usize>,
}

/// Writes what the file is and how it was made.
///
/// # Errors
/// Of writing.
pub fn write_header(order: &Order, out: &mut impl Write) -> io::Result<()> {
    let Order { variant, played, draws, scattered, seed, effort: Effort { positions, nodes } } = order;
    writeln!(out, "# Endgames of {variant} with their exact values. Each position stands alone: its past is empty.")?;
    writeln!(out, "# POSITION; VALUE; PLIES: win, loss or draw for the side to move, and the plies to the end if the")?;
    writeln!(out, "# winner takes the shortest way and the loser the longest.")?;
    writeln!(
        out,
        "# First {played} from games by chance and greed, then {draws} draws, then {scattered} boards with few seeds."
    )?;
    writeln!(
        out,
        "# Made by: cargo run --release --example solve -- suite --variant {variant} --played {played} --draws {draws} \\"
    )?;
    writeln!(out, "#   --scattered {scattered} --seed {seed} --enumerate {positions} --search {nodes}")
}

/// Makes the suite, positions of games first.
pub fn make(order: &Order) -> Vec<Entry> {
    let mut suite = Suite::default();
    for game in 0.. {
        if suite.entries.len() >= order.played {
            break;
        }
        let solved = solved_of_game(order, game);
        suite.take_rarest(solved);
    }
    let wanted = suite.entries.len() + order.draws;
    for game in 0..GAMES_FOR_DRAWS {
        if suite.entries.len() >= wanted {
            break;
        }
        let draws = draws_of_game(order, game);
        suite.take_rarest(draws);
    }
    let wanted = suite.entries.len() + order.scattered;
    for batch in 0.. {
        if suite.entries.len() >= wanted {
            break;
        }
        let mut rng = late::random_of(!order.seed, batch);
        let boards = (0..BOARDS).filter_map(|_| late::scattered(order.variant, &mut rng));
        let boards = boards.filter(|position| position.outcome().is_none());
        let solved = boards.filter_map(|position| solved(position, order.effort)).collect();
        suite.take_rarest(solved);
    }
    suite.entries
}

fn solved(position: AnyPosition, effort: Effort) -> Option<Entry> {
    let value = solve(&position, &[], effort)?;
    Some(Entry { position, value })
}

/// Draws on the way to the end of a drawn game; of Kiswahili, whose games are not drawn, draws among scattered boards.
fn draws_of_game(order: &Order, number: u64) -> Vec<Entry> {
    let mut rng = late::random_of(order.seed, number);
    if order.variant == Variant::Kiswahili {
        let board = late::scattered(order.variant, &mut rng).and_then(|position| solved(position, order.effort));
        return board.into_iter().filter(|entry| entry.value == Value::Draw).collect();
    }
    let game = late::game(order.variant, &mut rng);
    if game.outcome().is_none_or(|outcome| outcome.result != GameResult::Draw) {
        return Vec::new();
    }
    solved_of(&game, order.effort).into_iter().filter(|entry| entry.value == Value::Draw).collect()
}

fn solved_of_game(order: &Order, number: u64) -> Vec<Entry> {
    solved_of(&late::game(order.variant, &mut late::random_of(order.seed, number)), order.effort)
}

/// The late positions of a game, the last first.
fn solved_of(game: &GameRecord, effort: Effort) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut misses = 0;
    // Not each position: one is taken in the end. Which, is settled by the length of the game.
    let stride = 1 + game.moves().len() % 4;
    for position in late::positions(game).into_iter().rev().take(LOOK_BACK).step_by(stride) {
        match solved(position, effort) {
            Some(entry) => {
                misses = 0;
                entries.push(entry);
            }
            None => misses += 1,
        }
        if misses == MISSES {
            break;
        }
    }
    entries
}

/// What kind of value it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Win,
    Loss,
    Draw,
}

/// Values of one class are about as hard: distances of 1 and 2 plies are one, from there each class reaches 1.4 times as
/// far as the one before.
fn class(value: Value) -> (Kind, u32) {
    let (kind, plies) = match value {
        Value::Win(plies) => (Kind::Win, plies),
        Value::Loss(plies) => (Kind::Loss, plies),
        Value::Draw => (Kind::Draw, 0),
    };
    // Half a power of two is a factor of 1.4; the square makes halves whole.
    (kind, (plies.div_ceil(2) * plies.div_ceil(2)).checked_ilog2().unwrap_or(0))
}

impl Suite {
    /// Takes the position whose value is the rarest so far; of several, the last.
    fn take_rarest(&mut self, entries: Vec<Entry>) {
        let rarity = |entry: &Entry| self.counts.get(&class(entry.value)).copied().unwrap_or(0);
        let easy = self.counts.get(&class(Value::Win(1))).copied().unwrap_or(0);
        let too_easy = (easy + 1) * ONE_PLY_SHARE > self.entries.len();
        let is_wanted = |entry: &Entry| {
            let is_easy = entry.value == Value::Win(1) && too_easy;
            !is_easy && !self.texts.contains(&text(entry))
        };
        let candidates = entries.into_iter().filter(is_wanted);
        if let Some(rarest) = candidates.rev().min_by_key(rarity) {
            *self.counts.entry(class(rarest.value)).or_default() += 1;
            self.texts.insert(text(&rarest));
            self.entries.push(rarest);
        }
    }
}

/// The position's text without its ply.
fn text(entry: &Entry) -> String {
    let mut setup = entry.position.to_setup();
    setup.ply = 0;
    position_text(&setup).to_string()
}
