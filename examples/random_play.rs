//! Plays uniformly random games of the three variants and compares their statistics with part 4 of the rule book.
//!
//! `cargo run --release --example random_play -- [GAMES [SEED]]`. Exit code 1 if a share or a mean differs from the rule
//! book's by more than three standard errors.

// This program's purpose is the table that it prints.
#![allow(clippy::print_stdout)]

use clap::Parser;
use kete::game::{EndReason, GameResult, Kigogo, Kimasai, Kiswahili, Outcome, Position, Side};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;
use std::process::ExitCode;
use std::time::Instant;

/// Random games of the three variants against the rule book's figures.
#[derive(Parser)]
struct Args {
    /// Games of Kigogo and of Kimasai.
    #[arg(default_value_t = 1_000_000)]
    games: u64,
    /// Seed of the random numbers; game `i` of a variant depends on it and on `i` alone.
    #[arg(default_value_t = 1)]
    seed: u64,
    /// Games of Kiswahili; a fifth of the others if left out.
    #[arg(long)]
    kiswahili: Option<u64>,
}

/// A row of the rule book's table: figures of its own sample, as precise as it prints them.
struct Book {
    games: f64,
    /// Share of South's wins, printed to 0.1 %.
    south: f64,
    repetitions: f64,
    endless: f64,
    /// Mean plies of a game, printed to 0.1.
    plies: f64,
    max_plies: u32,
    /// Mean moves of a position, printed to 0.01.
    moves: f64,
    max_moves: u32,
}

const KIGOGO: Book = Book {
    games: 1e6,
    south: 0.504,
    repetitions: 489.0,
    endless: 862.0,
    plies: 185.8,
    max_plies: 411,
    moves: 4.28,
    max_moves: 23,
};
const KIMASAI: Book = Book {
    games: 1e6,
    south: 0.550,
    repetitions: 0.0,
    endless: 0.0,
    plies: 177.4,
    max_plies: 363,
    moves: 3.65,
    max_moves: 11,
};
const KISWAHILI: Book = Book {
    games: 4e4,
    south: 0.510,
    repetitions: 0.0,
    endless: 0.0,
    plies: 54.4,
    max_plies: 242,
    moves: 3.96,
    max_moves: 17,
};

/// Differences beyond this many standard errors fail.
const TOLERANCE: f64 = 3.0;

/// Sums over games. A game of `n` plies has `n` positions with moves; `m` is the sum of their moves.
#[derive(Clone, Copy, Default)]
struct Sums {
    games: u64,
    south: u64,
    repetitions: u64,
    endless: u64,
    plies: u64,
    plies_squared: u64,
    moves: u64,
    moves_squared: u64,
    moves_times_plies: u64,
    max_plies: u32,
    max_moves: u32,
}

impl Sums {
    fn merge(self, other: Sums) -> Sums {
        Sums {
            games: self.games + other.games,
            south: self.south + other.south,
            repetitions: self.repetitions + other.repetitions,
            endless: self.endless + other.endless,
            plies: self.plies + other.plies,
            plies_squared: self.plies_squared + other.plies_squared,
            moves: self.moves + other.moves,
            moves_squared: self.moves_squared + other.moves_squared,
            moves_times_plies: self.moves_times_plies + other.moves_times_plies,
            max_plies: self.max_plies.max(other.max_plies),
            max_moves: self.max_moves.max(other.max_moves),
        }
    }
}

/// The past of the game at hand, kept from game to game for its memory.
struct Past<P> {
    keys: Vec<u64>,
    positions: Vec<P>,
}

/// Plays one random game to its end by rules G5 and K5.
fn play<P: Position>(past: &mut Past<P>, rng: &mut Xoshiro256PlusPlus) -> Sums {
    past.keys.clear();
    past.positions.clear();
    let mut position = P::start();
    let mut sums = Sums { games: 1, ..Sums::default() };
    let (mut plies, mut moves_seen) = (0_u64, 0_u64);
    let outcome = loop {
        let moves = position.legal_moves();
        if moves.is_empty()
            && let Some(outcome) = position.outcome()
        {
            break outcome;
        }
        // Keys sort out candidates, the states decide.
        let key = position.key();
        if past.keys.iter().zip(&past.positions).any(|(k, earlier)| *k == key && earlier.same_state(&position)) {
            break Outcome::draw(EndReason::Repetition);
        }
        past.keys.push(key);
        past.positions.push(position.clone());
        plies += 1;
        moves_seen += moves.len() as u64;
        sums.max_moves = sums.max_moves.max(moves.len() as u32);
        if position.play_unchecked(moves[rng.random_range(0..moves.len())]).endless {
            break Outcome::draw(EndReason::EndlessRelay);
        }
    };
    sums.south = u64::from(outcome.result == GameResult::Win(Side::South));
    sums.repetitions = u64::from(outcome.reason == EndReason::Repetition);
    sums.endless = u64::from(outcome.reason == EndReason::EndlessRelay);
    sums.plies = plies;
    sums.plies_squared = plies * plies;
    sums.moves = moves_seen;
    sums.moves_squared = moves_seen * moves_seen;
    sums.moves_times_plies = moves_seen * plies;
    sums.max_plies = plies as u32;
    sums
}

fn play_all<P: Position>(games: u64, seed: u64) -> Sums {
    (0..games)
        .into_par_iter()
        .map_init(
            || Past { keys: Vec::new(), positions: Vec::new() },
            |past, game| {
                let stream = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(game);
                play::<P>(past, &mut Xoshiro256PlusPlus::seed_from_u64(stream))
            },
        )
        .reduce(Sums::default, Sums::merge)
}

/// One figure beside the rule book's, with the standard errors of both; returns whether it is within tolerance.
/// `unit` is the last printed digit of the rule book's figure, whose rounding counts as a uniform error.
fn figure(name: &str, ours: f64, our_error: f64, book: f64, book_error: f64, unit: f64) -> bool {
    let error = (our_error.powi(2) + book_error.powi(2) + unit.powi(2) / 12.0).sqrt();
    let difference = ours - book;
    let errors = if difference == 0.0 { 0.0 } else { difference / error };
    let fits = errors.abs() <= TOLERANCE;
    let verdict = if fits { "" } else { "  DIFFERS" };
    println!(
        "  {name:<16} {ours:>10.4} +- {our_error:<8.4} book {book:>9.4} +- {book_error:<8.4} {errors:>+6.2} SE{verdict}"
    );
    fits
}

/// Compares two shares in per cent, their errors from the pooled share.
fn share(name: &str, count: u64, games: f64, book: f64, book_games: f64, unit: f64) -> bool {
    let ours = count as f64 / games;
    let pooled = (count as f64 + book * book_games) / (games + book_games);
    let error = |n: f64| 100.0 * (pooled * (1.0 - pooled) / n).sqrt();
    figure(name, 100.0 * ours, error(games), 100.0 * book, error(book_games), unit)
}

fn report<P: Position>(games: u64, seed: u64, book: &Book) -> bool {
    let began = Instant::now();
    let sums = play_all::<P>(games, seed);
    println!("{}: {games} games, {:.1} s; rule book: {} games", P::VARIANT, began.elapsed().as_secs_f64(), book.games);
    let n = sums.games as f64;
    let draws = sums.repetitions + sums.endless;
    let mean_plies = sums.plies as f64 / n;
    let plies_deviation = (sums.plies_squared as f64 / n - mean_plies.powi(2)).max(0.0).sqrt();
    // Positions of one game are not independent: the error of the ratio (moves / positions) comes from whole games.
    let mean_moves = sums.moves as f64 / sums.plies as f64;
    let residual = sums.moves_squared as f64 - 2.0 * mean_moves * sums.moves_times_plies as f64
        + mean_moves.powi(2) * sums.plies_squared as f64;
    let moves_deviation = (residual.max(0.0) / n).sqrt() / mean_plies;
    // `&` and not `&&`: every line is printed.
    let fits = share("South wins %", sums.south, n, book.south, book.games, 0.1)
        & share("draws %", draws, n, (book.repetitions + book.endless) / book.games, book.games, 0.0)
        & share("  repetitions %", sums.repetitions, n, book.repetitions / book.games, book.games, 0.0)
        & share("  endless %", sums.endless, n, book.endless / book.games, book.games, 0.0)
        & figure(
            "mean plies",
            mean_plies,
            plies_deviation / n.sqrt(),
            book.plies,
            plies_deviation / book.games.sqrt(),
            0.1,
        )
        & figure(
            "mean moves",
            mean_moves,
            moves_deviation / n.sqrt(),
            book.moves,
            moves_deviation / book.games.sqrt(),
            0.01,
        );
    println!(
        "  max plies {:>6} (book {}), max moves {:>3} (book {})",
        sums.max_plies, book.max_plies, sums.max_moves, book.max_moves
    );
    println!("  draws: {} repetitions, {} endless\n", sums.repetitions, sums.endless);
    fits
}

fn main() -> ExitCode {
    let args = Args::parse();
    if args.games == 0 || args.kiswahili == Some(0) {
        println!("expected at least one game");
        return ExitCode::from(2);
    }
    let kiswahili = args.kiswahili.unwrap_or(args.games.div_ceil(5));
    let fits = report::<Kigogo>(args.games, args.seed, &KIGOGO)
        & report::<Kimasai>(args.games, args.seed, &KIMASAI)
        & report::<Kiswahili>(kiswahili, args.seed, &KISWAHILI);
    if fits { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
