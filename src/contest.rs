//! Matches between engines: processes that are told to play, a referee, records, and what the results say about strength.
//!
//! A [`Sample`] counts what was played: games ([`GameCounts`]), or pairs of games from one opening with sides swapped
//! ([`PairCounts`]). [`Statistics`] estimates from it how strong the first engine is, and a sequential test ([`Sprt`])
//! tells when the match has decided between two hypotheses.
//!
//! The viewpoint is everywhere that of the first engine, the one that the match is about: its wins, its score, its Elo
//! above the second engine. Numbers come in the order win, draw, loss. What is undefined is `None`; no number is ever NaN
//! or infinite.
//!
//! ```
//! use kete::contest::{GameCounts, Hypothesis, Model, Sample, Sprt, SprtSettings, Statistics};
//! let sample = Sample::Games(GameCounts { wins: 880, draws: 1863, losses: 759 });
//! let statistics = Statistics::of(&sample);
//! assert_eq!(format!("{:.2}", statistics.elo.unwrap()), "12.01");
//! let settings = SprtSettings { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model: Model::Logistic };
//! let sprt = Sprt::new(settings)?;
//! let llr = sprt.llr(&sample).unwrap();
//! assert_eq!(format!("{llr:.4}"), "2.9472");
//! assert_eq!(sprt.verdict(llr), Some(Hypothesis::H1));
//! # Ok::<(), kete::contest::SprtError>(())
//! ```
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

mod adjudication;
#[cfg(unix)]
mod bundle;
#[cfg(unix)]
mod check;
#[cfg(unix)]
mod client;
mod clock;
mod config;
#[cfg(unix)]
mod errands;
#[cfg(unix)]
mod guard;
mod journal;
#[cfg(unix)]
mod lag;
mod limits;
mod merge;
mod openings;
mod pgn;
mod played;
#[cfg(unix)]
mod pool;
#[cfg(unix)]
mod preflight;
#[cfg(unix)]
mod process;
#[cfg(unix)]
mod progress;
mod rating;
#[cfg(unix)]
mod referee;
#[cfg(unix)]
mod replay;
mod report;
#[cfg(unix)]
mod runner;
mod sample;
mod schedule;
#[cfg(test)]
mod specimen;
mod sprt;
mod standings;
mod statistics;
#[cfg(unix)]
mod stop;
mod summary;
mod tables;
#[cfg(unix)]
mod transcript;
mod tuning;

pub use adjudication::{Adjudicator, DrawWatch, PlyWatch, ResignWatch, Verdict};
#[cfg(unix)]
pub use bundle::{Bundle, bundle_directory};
#[cfg(unix)]
pub use check::{Check, CheckError, check_engine};
pub use clock::{Clock, Overrun};
pub use config::{
    ConfigFile, Deadlines, DrawRule, EngineConfig, FORMAT, Host, MatchConfig, OpeningSource, OptionValue, Order,
    Program, ResignRule, SprtConfig, Tournament, config_hash,
};
#[cfg(unix)]
pub use errands::{Display, ErrandError, Outcome, Task};
#[cfg(unix)]
pub use guard::{ENGINE, GUARD, LAUNCH, OwnProgram, launch, stand_guard};
pub use journal::{Journal, JournalError, MatchRecord};
pub use limits::{EngineLimits, LimitError, TimeControl, parse_seconds};
pub use merge::{MergeError, merge};
pub use openings::{OpeningError, opening_texts, openings};
pub use pgn::{game_pgn, pgn};
pub use played::{EngineScore, MoveInfo, PlayedGame, ResultText, Termination};
#[cfg(unix)]
pub use preflight::PreflightError;
pub use rating::{Comparison, Rating, Ratings};
#[cfg(unix)]
pub use replay::{Replay, ReplayError, replay};
pub use report::{ReportError, html, tuning_html};
#[cfg(unix)]
pub use runner::{Ending, Event, Manner, MatchError, Observer, Start, play_match};
pub use sample::{GameCounts, PairCounts, Sample};
pub use schedule::{GameTask, KnockoutMatch, KnockoutStage, Schedule, ScheduleError, Step, SwissPlace, TIE_BREAKS};
pub use sprt::{Hypothesis, Model, Sprt, SprtError, SprtSettings};
pub use standings::{EngineRecord, Lengths, OpeningRecord, Standings, Tally, Terminations, VariantRecord};
pub use statistics::{Statistics, elo_of_score, score_of_elo};
#[cfg(unix)]
pub use stop::{StopCause, StopSignal};
pub use summary::{Pairing, SprtState, Summary};
pub use tuning::{
    GainSchedule, Iteration, Objective, Parameter, ParameterKind, TuningConfig, TuningError, TuningRecord,
};
