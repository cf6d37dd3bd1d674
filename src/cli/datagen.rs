//! The command that makes training data.

use crate::datagen::{DataError, Settings, Task, default_opening_plies};
use crate::evaluation::{EvaluationKind, Net};
use crate::game::Variant;
use crate::search::SearchOptions;
use clap::{Args, ValueEnum};
use std::num::NonZero;
use std::path::PathBuf;
use std::thread::available_parallelism;

/// What training data to make.
#[derive(Args, Debug)]
pub struct DatagenArguments {
    /// The game.
    #[arg(long, value_parser = super::variant)]
    pub variant: Variant,
    /// How many games.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub games: u32,
    /// The file to write or to go on with.
    #[arg(long, value_name = "FILE.kdata")]
    pub out: PathBuf,
    /// Nodes of the search of each position.
    #[arg(long, value_name = "N", default_value_t = 800, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// How many moves in a hundred are random ones, once the opening is over.
    #[arg(long, value_name = "PERCENT", default_value_t = 25, value_parser = clap::value_parser!(u8).range(0..=100))]
    pub random_moves: u8,
    /// Random plies at the start of each game: a number, or a range of which each number has the same chance, both ends
    /// included. [default: kiswahili 4..16, kigogo 4..24, kimasai 8..30]
    #[arg(long, value_name = "MIN..MAX", value_parser = range)]
    pub opening_plies: Option<(u32, u32)>,
    /// A game of so many plies is drawn.
    #[arg(long, value_name = "N", default_value_t = 400)]
    pub max_plies: u32,
    /// Games that are played at the same time. [default: as many as there are cores]
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZero<usize>>,
    /// Where random numbers start.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// What a position is worth where the search ends.
    #[arg(long, value_enum, default_value_t = EvaluationName::Net)]
    pub evaluation: EvaluationName,
    /// The net, instead of the one that is compiled in.
    #[arg(long, value_name = "FILE")]
    pub eval_file: Option<PathBuf>,
    /// No progress bar.
    #[arg(long)]
    pub quiet: bool,
}

/// An evaluation, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EvaluationName {
    /// A net.
    Net,
    /// The seeds that each side has.
    Material,
}

impl DatagenArguments {
    /// What was typed as what it means.
    ///
    /// # Errors
    /// [`DataError::Settings`] if it means nothing.
    pub fn task(&self) -> Result<Task, DataError> {
        let chosen = self.evaluation()?;
        Ok(Task {
            settings: Settings {
                variant: self.variant,
                games: self.games,
                nodes: self.nodes,
                random_moves: self.random_moves,
                opening_plies: self.opening_plies.unwrap_or(default_opening_plies(self.variant)),
                max_plies: self.max_plies,
                seed: self.seed,
                evaluation: chosen.name.to_owned(),
                net: chosen.net,
            },
            options: SearchOptions { seed: self.seed, ..chosen.options },
            out: self.out.clone(),
            threads: self.threads.or(available_parallelism().ok()).map_or(1, NonZero::get),
            quiet: self.quiet,
        })
    }

    /// The evaluation that is to be used.
    fn evaluation(&self) -> Result<Chosen, DataError> {
        if self.evaluation == EvaluationName::Material && self.eval_file.is_some() {
            return Err(DataError::Settings("--eval-file: expected with --evaluation net alone".to_owned()));
        }
        let kind = match self.evaluation {
            EvaluationName::Net => EvaluationKind::Net,
            EvaluationName::Material => EvaluationKind::Material,
        };
        let mut options = SearchOptions::default();
        options.evaluation.kind = kind;
        if let Some(path) = &self.eval_file {
            let complaint = |why: String| DataError::Settings(format!("--eval-file {}: {why}", path.display()));
            let net = Net::from_file(path).map_err(|error| complaint(error.to_string()))?;
            if net.variant() != self.variant {
                return Err(complaint(format!("a net for {}, expected one for {}", net.variant(), self.variant)));
            }
            options.evaluation.load(net);
        }
        let net = (kind == EvaluationKind::Net).then(|| options.evaluation.net(self.variant).checksum());
        Ok(Chosen { options, name: kind.name(), net })
    }
}

/// An evaluation as a search and a header take it.
struct Chosen {
    options: SearchOptions,
    name: &'static str,
    /// The SHA-256 of the net in hexadecimal digits.
    net: Option<String>,
}

/// `MIN..MAX`, or one number for both.
fn range(text: &str) -> Result<(u32, u32), String> {
    let number = |text: &str| text.parse().map_err(|_| "expected a number, or MIN..MAX such as 4..24".to_owned());
    let (fewest, most) = text.split_once("..").unwrap_or((text, text));
    let range = (number(fewest)?, number(most)?);
    if range.0 > range.1 { Err("expected the smaller number first".to_owned()) } else { Ok(range) }
}
