//! What may be typed on the command line.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

mod datagen;
mod groups;
mod plan;
mod rules;
mod runner;

pub use datagen::DatagenArguments;
pub use groups::GroupError;
pub use plan::{PlanError, built_in_match, match_config};
pub use rules::sprt;
pub use runner::{Errand, KeteMatch, PlayArguments};

use crate::game::Variant;
use clap::{Parser, Subcommand};
use std::path::PathBuf;

/// Kete, an engine for Bao la Kiswahili, Bao Kigogo and Bao la Kimasai.
///
/// Without a command it speaks a UCI-like protocol on standard input and output: type help there. KETE_LOG=debug (or
/// info, warn, error) logs to standard error.
#[derive(Debug, Parser)]
#[command(name = "kete", version)]
pub struct Kete {
    /// Write the dialogue of the protocol, both ways and with times, to this file.
    #[arg(long, value_name = "FILE")]
    pub log_file: Option<PathBuf>,
    /// A question to answer instead of a dialogue.
    #[command(subcommand)]
    pub command: Option<Question>,
}

/// A question that is asked and answered on the command line.
#[derive(Debug, Subcommand)]
pub enum Question {
    /// Measure the speed and print the signature of the search.
    Bench {
        /// As JSON.
        #[arg(long)]
        json: bool,
        /// Without vector instructions in the evaluation; the signature is the same.
        #[arg(long)]
        scalar: bool,
    },
    /// Count the leaves of the game tree.
    Perft {
        /// The depth in plies.
        depth: u32,
        /// The game.
        #[arg(long, value_parser = variant, default_value = "kiswahili")]
        variant: Variant,
        /// The position to count from, instead of the start position.
        #[arg(long, value_name = "TEXT")]
        position: Option<String>,
    },
    /// List the tunables of the search.
    Params {
        /// As JSON.
        #[arg(long)]
        json: bool,
    },
    /// Play against itself and write training data.
    ///
    /// The same command goes on with a file that was interrupted, and adds games to it if --games is larger.
    Datagen(DatagenArguments),
}

fn variant(name: &str) -> Result<Variant, String> {
    Variant::from_name(name).ok_or_else(|| format!("expected one of {}", Variant::ALL.map(Variant::name).join(", ")))
}
