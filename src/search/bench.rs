//! The benchmark: a signature of the search's behaviour, and its speed.

use super::control::Control;
use super::limits::Limits;
use super::options::SearchOptions;
use super::players::Player;
use super::report::{Report, Score};
use super::searcher::{Searcher, SearcherError};
use super::tree::Tree;
use crate::game::{
    AnyPosition, GameRecord, Kigogo, Kimasai, Kiswahili, PLAYOUT_MAX_PLIES, Position, Variant, random_playout,
};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// What the benchmark found.
#[derive(Clone, Debug)]
pub struct BenchReport {
    /// A checksum of what the search chose and how it divided its visits; the same on every machine and in every run.
    pub signature: u64,
    /// Positions looked at in the searches that make up the signature.
    pub nodes: u64,
    /// Their time.
    pub time: Duration,
    /// The speed in each game, in the order of [`Variant::ALL`].
    pub speeds: Vec<Speed>,
}

/// The speed in one game.
#[derive(Clone, Copy, Debug)]
pub struct Speed {
    /// The game.
    pub variant: Variant,
    /// Uniform random games from the start, by the rules but for repetition, a second on one core.
    pub playouts_per_s: f64,
    /// Iterations a second from the start position, one thread; each has a search from a leaf in it.
    pub iterations_per_s: f64,
    /// The same with two threads.
    pub iterations_per_s_2: f64,
    /// Memory of a tree node.
    pub bytes_per_node: usize,
}

/// Searched positions are those after so many random plies.
const PLIES: [u32; 6] = [0, 4, 12, 24, 36, 48];
/// Nodes a position.
const NODES: u64 = 20_000;
/// A small tree, which no search of that size can fill.
const SIGNATURE_HASH_MIB: usize = 16;
/// A tree that is not filled while speed is measured.
const SPEED_HASH_MIB: usize = 256;
/// Time of each speed measurement.
const SPEED_TIME: Duration = Duration::from_millis(400);
const SEED: u64 = 20_261_130;

/// Runs the benchmark with the tunables and the evaluation of `given`; everything else is fixed. `go_on` is asked between its parts, and once it says
/// no, the rest is left out and the answer is `None`.
///
/// # Errors
/// [`SearcherError`] if threads or memory are not to be had.
pub fn run(given: &SearchOptions, go_on: &dyn Fn() -> bool) -> Result<Option<BenchReport>, SearcherError> {
    let options = SearchOptions {
        params: given.params.clone(),
        evaluation: given.evaluation.clone(),
        multi_pv: usize::MAX,
        seed: SEED,
        ..SearchOptions::default()
    };
    let mut searcher = Searcher::new(1, SIGNATURE_HASH_MIB)?;
    let mut signature = Signature::new();
    let mut nodes = 0;
    let started = Instant::now();
    for game in Variant::ALL.into_iter().flat_map(games) {
        if !go_on() {
            return Ok(None);
        }
        for player in [Player::Mcts, Player::AlphaBeta] {
            let options = SearchOptions { player, ..options.clone() };
            searcher.clear();
            let report = last_report(&mut searcher, &game, &Limits::of_nodes(NODES), &options);
            nodes += report.nodes;
            signature.add_report(&report);
        }
    }
    let time = started.elapsed();
    let mut speeds = Vec::new();
    for variant in Variant::ALL {
        if !go_on() {
            return Ok(None);
        }
        speeds.push(speed(variant, &options)?);
    }
    Ok(Some(BenchReport { signature: signature.0, nodes, time, speeds }))
}

/// One game a number of plies, at its present position; a game that is over sooner stays before its last move.
fn games(variant: Variant) -> impl Iterator<Item = GameRecord> {
    PLIES.into_iter().map(move |plies| {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(SEED + u64::from(plies));
        let mut game = GameRecord::of_variant(variant);
        for _ in 0..plies {
            let moves = game.legal_moves();
            let mut next = game.clone();
            if next.play(moves[rng.random_range(0..moves.len())]).is_err() || next.outcome().is_some() {
                break;
            }
            game = next;
        }
        game
    })
}

fn last_report(searcher: &mut Searcher, game: &GameRecord, limits: &Limits, options: &SearchOptions) -> Report {
    let last = Mutex::new(None);
    let keep = |report: &Report| {
        if let Ok(mut last) = last.lock() {
            *last = Some(report.clone());
        }
    };
    searcher.search(game, limits, options, Instant::now(), &Control::new(), &keep);
    last.into_inner().ok().flatten().unwrap_or(Report {
        depth: 0,
        seldepth: 0,
        nodes: 0,
        hashfull: 0,
        time: Duration::ZERO,
        lines: Vec::new(),
    })
}

fn speed(variant: Variant, options: &SearchOptions) -> Result<Speed, SearcherError> {
    let playouts_per_s = match variant {
        Variant::Kiswahili => playouts_per_s::<Kiswahili>(),
        Variant::Kigogo => playouts_per_s::<Kigogo>(),
        Variant::Kimasai => playouts_per_s::<Kimasai>(),
    };
    let game = GameRecord::new(AnyPosition::start(variant));
    // Iterations are the tree's.
    let options = SearchOptions { params: options.params.clone().without_scout(), ..options.clone() };
    let rate = |threads| {
        let mut searcher = Searcher::new(threads, SPEED_HASH_MIB)?;
        // Memory that was never written is fetched page by page, for which threads wait for each other.
        searcher.clear();
        let report = last_report(&mut searcher, &game, &Limits::of_move_time(SPEED_TIME), &options);
        // Each iteration is a visit of one of the root's moves, all of which are told.
        let iterations: u64 = report.lines.iter().map(|line| u64::from(line.visits)).sum();
        Ok(iterations as f64 / report.time.as_secs_f64().max(1e-9))
    };
    Ok(Speed {
        variant,
        playouts_per_s,
        iterations_per_s: rate(1)?,
        iterations_per_s_2: rate(2)?,
        bytes_per_node: Tree::BYTES_PER_NODE,
    })
}

fn playouts_per_s<P: Position>() -> f64 {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(SEED);
    let start = P::start();
    let started = Instant::now();
    let mut playouts = 0_u32;
    while started.elapsed() < SPEED_TIME {
        for _ in 0..200 {
            std::hint::black_box(random_playout(start.clone(), &mut rng, PLAYOUT_MAX_PLIES));
        }
        playouts += 200;
    }
    f64::from(playouts) / started.elapsed().as_secs_f64()
}

/// FNV-1a, 64 bits.
struct Signature(u64);

impl Signature {
    fn new() -> Signature {
        Signature(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, number: i64) {
        for byte in number.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// Everything but times: the visits of all root moves, best first, with their scores and lines.
    fn add_report(&mut self, report: &Report) {
        for number in [report.nodes, u64::from(report.depth), u64::from(report.seldepth)] {
            self.add(number as i64);
        }
        for line in &report.lines {
            self.add(i64::from(line.visits));
            match line.score {
                Score::Centipawns(centipawns) => self.add(i64::from(centipawns)),
                Score::Mate(moves) => self.add(i64::from(moves) + 1_000_000),
            }
            for m in &line.pv {
                self.add(i64::from(m.to_byte()));
            }
        }
    }
}
