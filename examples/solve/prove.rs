//! The engine on a suite of solved positions: how many it proves within a time, and whether rightly.

use crate::solver::{Entry, Value};
use clap::Args;
use kete::game::GameRecord;
use kete::search::{Control, Limits, Line, Report, Score, SearchOptions, Searcher, Wdl};
use std::io::{self, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// How the engine is to search.
#[derive(Args)]
pub struct Order {
    /// Time for each position, in milliseconds; a search ends once it has a proof.
    #[arg(long, default_value_t = 1000)]
    movetime: u64,
    /// Worker threads.
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

/// The memory of the searcher, in MiB.
const HASH_MIB: usize = 64;

/// Searches each position and prints those that are not proved, or wrongly, and a summary; whether all were proved rightly.
///
/// # Errors
/// Of writing; and if there are no threads or no memory for the search.
pub fn run(order: &Order, suite: &[Entry], out: &mut impl Write) -> io::Result<bool> {
    let mut searcher = Searcher::new(order.threads, HASH_MIB).map_err(io::Error::other)?;
    let (mut proved, mut exact, mut wrong) = (0, 0, 0);
    let mut longest = Duration::ZERO;
    for entry in suite {
        let last: Mutex<Option<Report>> = Mutex::default();
        let keep = |report: &Report| {
            if let Ok(mut last) = last.lock() {
                *last = Some(report.clone());
            }
        };
        let game = GameRecord::new(entry.position.clone());
        let limits = Limits::of_move_time(Duration::from_millis(order.movetime));
        searcher.clear();
        let started = Instant::now();
        searcher.search(&game, &limits, &SearchOptions::default(), started, &Control::new(), &keep);
        let took = started.elapsed();
        let line = last.into_inner().ok().flatten().and_then(|report| report.lines.into_iter().next());
        match line.as_ref().and_then(|line| claim(line).map(|moves| (moves, truth(entry.value)))) {
            None => writeln!(out, "not proved: {entry}")?,
            Some((claimed, true_moves))
                if claimed.signum() != true_moves.signum() || claimed.abs() < true_moves.abs() =>
            {
                wrong += 1;
                writeln!(out, "wrong: {entry}: {line:?}")?;
            }
            Some((claimed, true_moves)) => {
                proved += 1;
                exact += u32::from(claimed == true_moves);
                longest = longest.max(took);
            }
        }
    }
    let all = suite.len();
    writeln!(
        out,
        "{all} positions: {proved} proved, {exact} at the exact distance, {wrong} wrong; the slowest proof took {longest:.0?}"
    )?;
    Ok(proved as usize == all)
}

/// The moves to a proved win, negative for a loss, 0 for a draw; `None` without a proof.
fn claim(line: &Line) -> Option<i32> {
    match line.score {
        Score::Mate(moves) => Some(moves),
        Score::Centipawns(_) => (line.wdl == Wdl::DRAW).then_some(0),
    }
}

/// The same of the true value.
fn truth(value: Value) -> i32 {
    match value {
        Value::Win(plies) => plies.div_ceil(2) as i32,
        Value::Loss(plies) => -(plies.div_ceil(2) as i32),
        Value::Draw => 0,
    }
}
