//! Plays two settings of the engine against each other in one process: swapped pairs from random openings.
//!
//! ```text
//! cargo run --release --example duel -- --variant kigogo --a Player=mcts --b Player=greedy --movetime 20 --pairs 100
//! ```
//!
//! A setting is a list of `NAME=VALUE`: `Player`, `Evaluation`, `EvalFile`, or a tunable without its game
//! (`Exploration=500`). It is a check
//! for developers; results that decide something come from real engine processes.
#![allow(clippy::print_stdout)] // Printing is what it is for.

use clap::Parser;
use kete::contest::{PairCounts, Sample, Statistics};
use kete::evaluation::{EvaluationKind, Net};
use kete::game::{GameRecord, GameResult, Side, Variant};
use kete::search::{Control, GameTunable, Limits, Player, SearchOptions, Searcher};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

#[derive(Parser)]
struct Arguments {
    /// The game.
    #[arg(long, value_parser = |name: &str| Variant::from_name(name).ok_or("expected kiswahili, kigogo or kimasai"))]
    variant: Variant,
    /// Setting of the first engine.
    #[arg(long, num_args = 0.., default_values_t = Vec::<String>::new())]
    a: Vec<String>,
    /// Setting of the second engine.
    #[arg(long, num_args = 0.., default_values_t = Vec::<String>::new())]
    b: Vec<String>,
    /// Milliseconds a move.
    #[arg(long, default_value_t = 20)]
    movetime: u64,
    /// Iterations a move, instead of time.
    #[arg(long)]
    nodes: Option<u64>,
    /// Pairs of games.
    #[arg(long, default_value_t = 100)]
    pairs: u64,
    /// Random plies of the openings.
    #[arg(long, default_value_t = 6)]
    plies: u32,
    /// Seed of the openings.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Pairs played at the same time.
    #[arg(long, default_value_t = 2)]
    concurrency: usize,
}

fn options(setting: &[String], variant: Variant) -> Result<SearchOptions, String> {
    let mut options = SearchOptions::default();
    for assignment in setting {
        let (name, value) = assignment.split_once('=').ok_or(format!("{assignment}: expected NAME=VALUE"))?;
        let number = || value.parse().map_err(|_| format!("{assignment}: expected a whole number"));
        if name == "Player" {
            let player = Player::ALL.into_iter().find(|p| p.name() == value);
            options.player = player.ok_or(format!("{assignment}: expected mcts, alphabeta, greedy or random"))?;
        } else if name == "Evaluation" {
            let kind = EvaluationKind::ALL.into_iter().find(|kind| kind.name() == value);
            options.evaluation.kind = kind.ok_or(format!("{assignment}: expected net or material"))?;
        } else if name == "EvalFile" {
            options.evaluation.load(Net::from_file(value.as_ref()).map_err(|e| format!("{assignment}: {e}"))?);
        } else {
            let which = GameTunable::all()
                .find(|t| t.variant == variant && t.tunable().name == name)
                .ok_or(format!("{assignment}: no such tunable"))?;
            options.params.set(which, number()?);
        }
    }
    Ok(options)
}

/// A random position that is not over after so many plies.
fn opening(variant: Variant, plies: u32, rng: &mut Xoshiro256PlusPlus) -> GameRecord {
    loop {
        let mut game = GameRecord::of_variant(variant);
        while game.outcome().is_none() && game.moves().len() < plies as usize {
            let moves = game.legal_moves();
            if game.play(moves[rng.random_range(0..moves.len())]).is_err() {
                break;
            }
        }
        if game.outcome().is_none() {
            return game;
        }
    }
}

/// The score of the engine that plays South, in half points.
fn play(mut game: GameRecord, engines: [(&mut Searcher, &SearchOptions); 2], limits: &Limits, seed: u64) -> u64 {
    let [(south, south_options), (north, north_options)] = engines;
    while game.outcome().is_none() {
        let (searcher, options) = match game.side_to_move() {
            Side::South => (&mut *south, south_options),
            Side::North => (&mut *north, north_options),
        };
        let options = SearchOptions { seed, ..options.clone() };
        let best = searcher.search(&game, limits, &options, Instant::now(), &Control::new(), &|_| {});
        let Some(best) = best else { break };
        if game.play(best).is_err() {
            break;
        }
    }
    match game.outcome().map(|o| o.result) {
        Some(GameResult::Win(Side::South)) => 2,
        Some(GameResult::Win(Side::North)) => 0,
        _ => 1,
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let settings = [options(&arguments.a, arguments.variant), options(&arguments.b, arguments.variant)];
    let [Ok(a), Ok(b)] = settings else {
        for error in settings.into_iter().filter_map(Result::err) {
            println!("error: {error}");
        }
        return ExitCode::from(2);
    };
    let limits = match arguments.nodes {
        Some(nodes) => Limits::of_nodes(nodes),
        None => Limits::of_move_time(Duration::from_millis(arguments.movetime)),
    };
    let next = AtomicU64::new(0);
    // Pairs by the first engine's score in half points: LL, LD, WL+DD, WD, WW.
    let pairs: [AtomicU64; 5] = Default::default();
    let run = || -> Result<(), kete::search::SearcherError> {
        let (mut searcher_a, mut searcher_b) = (Searcher::new(1, 32)?, Searcher::new(1, 32)?);
        loop {
            let pair = next.fetch_add(1, Ordering::Relaxed);
            if pair >= arguments.pairs {
                return Ok(());
            }
            let seed = arguments.seed << 32 | pair;
            let start = opening(arguments.variant, arguments.plies, &mut Xoshiro256PlusPlus::seed_from_u64(seed));
            let as_south = play(start.clone(), [(&mut searcher_a, &a), (&mut searcher_b, &b)], &limits, seed);
            let as_north = 2 - play(start, [(&mut searcher_b, &b), (&mut searcher_a, &a)], &limits, seed);
            pairs[(as_south + as_north) as usize].fetch_add(1, Ordering::Relaxed);
        }
    };
    let ok = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..arguments.concurrency.max(1)).map(|_| scope.spawn(run)).collect();
        workers.into_iter().all(|worker| matches!(worker.join(), Ok(Ok(()))))
    });
    let [ll, ld, wl_dd, wd, ww] = pairs.map(AtomicU64::into_inner);
    let statistics = Statistics::of(&Sample::Pairs(PairCounts { ll, ld, wl_dd, wd, ww }));
    let shown = |number: Option<f64>| number.map_or("n/a".to_owned(), |number| format!("{number:.1}"));
    println!(
        "{}: {} games, pairs LL {ll} LD {ld} WL+DD {wl_dd} WD {wd} WW {ww}: the first scores {} +- {} %, Elo {} +- {}",
        arguments.variant,
        2 * (ll + ld + wl_dd + wd + ww),
        shown(statistics.score.map(|score| 100.0 * score)),
        shown(statistics.score_error.map(|error| 100.0 * error)),
        shown(statistics.elo),
        shown(statistics.elo_error)
    );
    if ok { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
