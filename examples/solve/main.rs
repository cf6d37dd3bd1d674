//! Solves endgames exactly, makes the suites in `tests/data/endgames/`, and audits what the engine claims to have proved.
//!
//! ```text
//! cargo run --release --example solve -- values 'kimasai 0,0,... S 150'
//! cargo run --release --example solve -- suite --variant kigogo --seed 1
//! cargo run --release --example solve -- prove --movetime 1000 < tests/data/endgames/kigogo.txt
//! cargo run --release --example solve -- audit --variant kigogo --positions 35000 --nodes 300 --seed 1
//! ```

mod audit;
mod late;
mod prove;
mod solver;
mod suite;

use clap::{Args, Parser, Subcommand};
use kete::game::Variant;
use solver::{Effort, Entry, read_position, read_suite, solve};
use std::io::{self, BufRead, Write};
use std::process::ExitCode;

/// Exact values of endgames.
#[derive(Parser)]
#[command(name = "solve")]
struct Arguments {
    #[command(subcommand)]
    errand: Errand,
}

#[derive(Subcommand)]
enum Errand {
    /// Print the values of positions: wins and losses with their plies, or `unknown`.
    Values {
        /// Position texts that name their game; lines of standard input if there are none.
        texts: Vec<String>,
        #[command(flatten)]
        effort: EffortArguments,
    },
    /// Print a suite of solved positions.
    Suite {
        /// The game.
        #[arg(long, value_parser = variant)]
        variant: Variant,
        /// Positions from games.
        #[arg(long, default_value_t = 220)]
        played: usize,
        /// Draws: from drawn games, in Kiswahili from boards with few seeds, as far as there are any.
        #[arg(long, default_value_t = 0)]
        draws: usize,
        /// Positions with few seeds that no game led to.
        #[arg(long, default_value_t = 0)]
        scattered: usize,
        /// Where random numbers start.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        #[command(flatten)]
        effort: EffortArguments,
    },
    /// Solve a suite, which comes on standard input, once more. Exit code 1 if a value differs.
    Check {
        #[command(flatten)]
        effort: EffortArguments,
    },
    /// Have the engine search a suite, which comes on standard input. Exit code 1 if it does not prove all of it rightly.
    Prove(prove::Order),
    /// Search late positions of games, and check each result that the engine claims to have proved. Exit code 1 if one
    /// is wrong.
    Audit(audit::Order),
}

#[derive(Args, Clone, Copy)]
struct EffortArguments {
    /// The most positions to enumerate; 0 for no enumeration.
    #[arg(long = "enumerate", default_value_t = 2_000_000)]
    positions: usize,
    /// The most nodes of the search for wins and losses that are near.
    #[arg(long = "search", default_value_t = 2_000_000)]
    nodes: u64,
}

impl From<EffortArguments> for Effort {
    fn from(EffortArguments { positions, nodes }: EffortArguments) -> Effort {
        Effort { positions, nodes }
    }
}

/// Reads the name of a game.
fn variant(name: &str) -> Result<Variant, &'static str> {
    Variant::from_name(name).ok_or("expected kiswahili, kigogo or kimasai")
}

/// Prints the value of each position, or what is wrong with it; whether all could be read.
fn values(texts: impl Iterator<Item = io::Result<String>>, effort: Effort, out: &mut impl Write) -> io::Result<bool> {
    let mut all_read = true;
    for text in texts {
        let text = text?;
        match read_position(&text) {
            Ok(position) => match solve(&position, &[], effort) {
                Some(value) => writeln!(out, "{}", Entry { position, value })?,
                None => writeln!(out, "{}; unknown; -", text.trim())?,
            },
            Err(error) => {
                all_read = false;
                writeln!(out, "error: {error}")?;
            }
        }
        out.flush()?;
    }
    Ok(all_read)
}

/// Solves a suite once more, and prints what differs; whether nothing does.
fn check(suite: &str, effort: Effort, out: &mut impl Write) -> io::Result<bool> {
    let entries = match read_suite(suite) {
        Ok(entries) => entries,
        Err(error) => {
            writeln!(out, "error: {error}")?;
            return Ok(false);
        }
    };
    let mut different = 0;
    for entry in &entries {
        let value = solve(&entry.position, &[], effort);
        if value != Some(entry.value) {
            different += 1;
            writeln!(out, "{entry}: {value:?}")?;
        }
    }
    writeln!(out, "{} positions, {different} differ", entries.len())?;
    Ok(different == 0)
}

/// Does the errand; whether all is well.
fn run(errand: Errand, out: &mut impl Write) -> io::Result<bool> {
    match errand {
        Errand::Values { texts, effort } if texts.is_empty() => values(io::stdin().lock().lines(), effort.into(), out),
        Errand::Values { texts, effort } => values(texts.into_iter().map(Ok), effort.into(), out),
        Errand::Suite { variant, played, draws, scattered, seed, effort } => {
            let order = suite::Order { variant, played, draws, scattered, seed, effort: effort.into() };
            suite::write_header(&order, out)?;
            for entry in suite::make(&order) {
                writeln!(out, "{entry}")?;
            }
            Ok(true)
        }
        Errand::Check { effort } => check(&io::read_to_string(io::stdin())?, effort.into(), out),
        Errand::Prove(order) => match read_suite(&io::read_to_string(io::stdin())?) {
            Ok(suite) => prove::run(&order, &suite, out),
            Err(error) => {
                writeln!(out, "error: {error}")?;
                Ok(false)
            }
        },
        Errand::Audit(order) => audit::run(&order, out),
    }
}

fn main() -> ExitCode {
    match run(Arguments::parse().errand, &mut io::stdout().lock()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        // A closed pipe, most likely: whoever read has had enough.
        Err(_) => ExitCode::from(2),
    }
}
