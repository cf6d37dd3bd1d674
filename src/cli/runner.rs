//! What may be typed to `kete-match`.

use super::plan::{self, PlanError};
use super::rules;
use crate::contest::{Display, Manner, Start, Task, Tournament};
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use std::ffi::OsString;
use std::path::PathBuf;

/// Plays engines for Bao la Kiswahili, Bao Kigogo and Bao la Kimasai against each other.
///
/// Without any argument it plays a short match of the built-in engine against a weaker setting of itself. Exit codes: 0
/// finished, 1 H0 accepted, 2 cannot be done as typed, 3 an engine failed, 130 interrupted.
#[derive(Debug, Parser)]
#[command(name = "kete-match", version, args_conflicts_with_subcommands = true, allow_negative_numbers = true)]
pub struct KeteMatch {
    /// Something else than a match.
    #[command(subcommand)]
    pub errand: Option<Errand>,
    /// The match.
    #[command(flatten)]
    pub play: PlayArguments,
    /// The words of each `--engine`, which clap keeps in one heap.
    #[arg(skip)]
    pub engines: Vec<Vec<String>>,
    /// The flags that were typed, as clap knows them, that say which match is played; `engine` is not among them.
    #[arg(skip)]
    pub described_by: Vec<&'static str>,
}

/// The flags, as clap knows them, that say which match is played: all but `--engine`, and those for how it is run and shown.
const OF_THE_MATCH: [&str; 16] = [
    "variant",
    "each",
    "tournament",
    "rounds",
    "games",
    "openings",
    "seed",
    "maxplies",
    "resign",
    "draw",
    "sprt",
    "min_pairs",
    "startup_ms",
    "ping_ms",
    "quit_ms",
    "move_ceiling",
];

/// The flags that mean nothing beside `--check-engine`.
const BESIDE_A_CHECK: [&str; 22] = [
    "engine",
    "variant",
    "each",
    "tournament",
    "rounds",
    "games",
    "openings",
    "seed",
    "concurrency",
    "maxplies",
    "resign",
    "draw",
    "recover",
    "sprt",
    "min_pairs",
    "ratinginterval",
    "move_ceiling",
    "out",
    "resume",
    "dry_run",
    "json",
    "quiet",
];

impl KeteMatch {
    /// Reads the command line; ends the process on a mistake, or after help was asked for.
    pub fn from_command_line() -> KeteMatch {
        let matches = KeteMatch::command().get_matches();
        KeteMatch::with_engines(&matches).unwrap_or_else(|error| error.exit())
    }

    /// Reads words, of which the first is the name of the program.
    ///
    /// # Errors
    /// What clap says.
    pub fn try_from_words(
        words: impl IntoIterator<Item = impl Into<OsString> + Clone>,
    ) -> Result<KeteMatch, clap::Error> {
        KeteMatch::with_engines(&KeteMatch::command().try_get_matches_from(words)?)
    }

    fn with_engines(matches: &ArgMatches) -> Result<KeteMatch, clap::Error> {
        let mut typed = KeteMatch::from_arg_matches(matches)?;
        // Beside a subcommand there is no such argument.
        if let Ok(Some(occurrences)) = matches.try_get_occurrences::<String>("engine") {
            typed.engines = occurrences.map(|words| words.cloned().collect()).collect();
        }
        if typed.errand.is_none() {
            let is_typed = |id: &&str| matches.value_source(id) == Some(ValueSource::CommandLine);
            typed.described_by = OF_THE_MATCH.into_iter().filter(is_typed).collect();
        }
        Ok(typed)
    }
}

impl KeteMatch {
    /// What was typed, as what is to be done.
    ///
    /// # Errors
    /// [`PlanError`], which names the flag, what was found and what was expected.
    pub fn task(self) -> Result<Task, PlanError> {
        let Some(errand) = self.errand else { return self.match_or_check() };
        Ok(match errand {
            Errand::Stats { wdl, penta, sprt, json } => {
                let sample = plan::sample(wdl.as_deref(), penta.as_deref())?;
                Task::Statistics { sample, test: rules::sprt(&sprt, 0)?, json }
            }
            Errand::Report { directory, out } => Task::Report { directory, out },
            Errand::Pgn { directory } => Task::Pgn { directory },
            Errand::Merge { directories, out, json } => Task::Merge { directories, out, json },
            Errand::Replay { directory, game } => Task::Replay { directory, game },
            Errand::Engine | Errand::Guard | Errand::Launch { .. } => return Err(PlanError::Internal),
        })
    }

    fn match_or_check(self) -> Result<Task, PlanError> {
        let play = &self.play;
        if let Some(command) = &play.check_engine {
            let engine = Box::new(plan::engine_to_check(command)?);
            return Ok(Task::CheckEngine { engine, deadlines: plan::deadlines(play)? });
        }
        let built_in = self.engines.is_empty();
        if built_in && play.resume.is_none() && self.described_by.iter().any(|flag| *flag != "seed") {
            return Err(PlanError::Other("--engine is missing: expected at least two engines".to_owned()));
        }
        plan::check_seed(play.seed)?;
        let typed = if built_in { None } else { Some(Box::new(plan::match_config(&self)?)) };
        let start = match (&play.resume, typed) {
            (Some(directory), typed) => {
                if typed.is_none()
                    && let Some(flag) = self.described_by.first()
                {
                    return Err(PlanError::Other(format!(
                        "--{}: the match is on record; with --engine and all other flags it is compared with it, without \
                         them it just goes on",
                        flag.replace('_', "-")
                    )));
                }
                let same_seed = play.seed.is_some();
                Start::Resume { directory: directory.clone(), typed, same_seed }
            }
            (None, typed) => Start::New {
                config: typed.unwrap_or_else(|| Box::new(plan::built_in_match(play.seed))),
                directory: play.out.clone().unwrap_or_else(plan::new_directory),
                command: std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect(),
            },
        };
        // The match that is built in is a quick look: it takes what cores there are.
        let concurrency = play.concurrency.unwrap_or(if built_in && play.resume.is_none() { 0 } else { 1 });
        Ok(Task::Play {
            start,
            manner: Manner { concurrency, recover: play.recover, dry_run: play.dry_run },
            display: Display { json: play.json, quiet: play.quiet, interval: play.ratinginterval },
        })
    }
}

/// The description of a match.
#[derive(Args, Debug)]
pub struct PlayArguments {
    /// The game: kiswahili, kigogo, kimasai or all. Can be given several times.
    #[arg(long, value_name = "GAME")]
    pub variant: Vec<String>,
    /// An engine, given once for each.
    #[arg(
        long,
        value_name = "KEY=VALUE",
        num_args = 1..,
        help = "An engine: cmd=PROGRAM|builtin, name=, dir=, args=, option.NAME=VALUE, tc=[MOVES/][MIN:]SEC[+INC], st=SEC, \
                nodes=N, depth=N, timemargin=MS. Given once for each engine"
    )]
    pub engine: Vec<String>,
    /// The same for all engines; what an engine says of itself counts more.
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    pub each: Vec<String>,
    /// Who plays whom.
    #[arg(long, value_parser = tournament, default_value = "round-robin")]
    pub tournament: Tournament,
    /// Openings for each pairing and game (in a Swiss tournament: rounds). [default: 10; with --sprt 10000]
    #[arg(long, value_name = "N")]
    pub rounds: Option<u32>,
    /// Games from each opening: 2, with sides swapped, or 1.
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub games: u32,
    /// Where games begin: random plies=N [start=N], or file=F [order=sequential|random] [start=N].
    #[arg(long, value_name = "WORDS", num_args = 1..)]
    pub openings: Vec<String>,
    /// Where random numbers start; a random one is taken and told if there is none.
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Games that are played at the same time; 0 means as many as there are cores. [default: 1]
    #[arg(long, value_name = "N")]
    pub concurrency: Option<usize>,
    /// A game of so many plies is drawn; 0 means none is.
    #[arg(long, value_name = "N", default_value_t = 2000)]
    pub maxplies: u32,
    /// When a game is given up: movecount=N score=CENTIPAWNS [twosided=true|false].
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    pub resign: Vec<String>,
    /// When a game is called a draw: movenumber=N movecount=N score=CENTIPAWNS.
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    pub draw: Vec<String>,
    /// Go on after an engine has failed; it loses that game.
    #[arg(long)]
    pub recover: bool,
    /// Stop when the match has decided: elo0=E elo1=E [alpha=0.05] [beta=0.05] [model=normalized|logistic].
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    pub sprt: Vec<String>,
    /// No verdict of --sprt before so many pairs.
    #[arg(long, value_name = "N", default_value_t = 0, requires = "sprt")]
    pub min_pairs: u64,
    /// Without a terminal, and with --json: ratings after each so many games.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    pub ratinginterval: u64,
    /// How long an engine may take to start, in milliseconds.
    #[arg(long, value_name = "MS", default_value_t = 10_000)]
    pub startup_ms: u64,
    /// How long it may take to be ready, and to answer once its time is over.
    #[arg(long, value_name = "MS", default_value_t = 5_000)]
    pub ping_ms: u64,
    /// How long it may take to end.
    #[arg(long, value_name = "MS", default_value_t = 1_000)]
    pub quit_ms: u64,
    /// The longest that any move may take, in seconds.
    #[arg(long, value_name = "SEC", default_value = "60")]
    pub move_ceiling: String,
    /// The directory for the records. [default: a new one in runs/]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Go on with the match in that directory.
    #[arg(long, value_name = "DIR", conflicts_with = "out")]
    pub resume: Option<PathBuf>,
    /// Check everything, play nothing.
    #[arg(long)]
    pub dry_run: bool,
    /// Walk an engine through the protocol: a command with its arguments, or builtin.
    #[arg(long, value_name = "CMD", conflicts_with_all = BESIDE_A_CHECK)]
    pub check_engine: Option<String>,
    /// Events on standard output, a JSON object a line.
    #[arg(long)]
    pub json: bool,
    /// Nothing but the final table.
    #[arg(long)]
    pub quiet: bool,
}

/// Something else than a match.
#[derive(Debug, Subcommand)]
pub enum Errand {
    /// The statistics of given counts.
    Stats {
        /// Wins, draws and losses of the first engine.
        #[arg(long, value_name = "W,D,L", conflicts_with = "penta")]
        wdl: Option<String>,
        /// Pairs by their score: two losses, a loss and a draw, and so on.
        #[arg(long, value_name = "LL,LD,WL+DD,WD,WW")]
        penta: Option<String>,
        /// A test: elo0=E elo1=E [alpha=0.05] [beta=0.05] [model=normalized|logistic].
        #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
        sprt: Vec<String>,
        /// As JSON; what is undefined is null.
        #[arg(long)]
        json: bool,
    },
    /// Write an HTML page of a match: plots, tables, and a board with all games; or of a tuning run.
    Report {
        /// The directory of the match or of the tuning run.
        directory: PathBuf,
        /// The file to write. [default: DIR/report.html]
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// Print the games of a match as PGN.
    Pgn {
        /// The directory of the match.
        directory: PathBuf,
    },
    /// Pool matches that were played apart, and print their table.
    Merge {
        /// The directories of the matches.
        #[arg(required = true)]
        directories: Vec<PathBuf>,
        /// Where to write the pooled records.
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
        /// The table as a JSON object.
        #[arg(long)]
        json: bool,
    },
    /// Play a game again: let a failed engine fail again, or see whether the same moves come.
    Replay {
        /// The directory of the match.
        directory: PathBuf,
        /// The number of the game.
        game: u64,
    },
    /// The engine that is compiled in, as a process of its own.
    #[command(hide = true)]
    Engine,
    /// The process that kills engines when the runner is gone.
    #[command(hide = true)]
    Guard,
    /// The process that becomes an engine.
    #[command(hide = true, disable_help_flag = true)]
    Launch {
        /// The program and its arguments.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<OsString>,
    },
}

fn tournament(name: &str) -> Result<Tournament, String> {
    Tournament::ALL
        .into_iter()
        .find(|kind| kind.name() == name)
        .ok_or_else(|| format!("expected one of {}", Tournament::ALL.map(Tournament::name).join(", ")))
}
