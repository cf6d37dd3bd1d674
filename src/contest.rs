//! Contests of two engines: what the results of a match say about their strength.
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
mod clock;
mod config;
mod journal;
mod limits;
mod merge;
mod openings;
mod pgn;
mod played;
mod rating;
mod report;
mod sample;
mod schedule;
mod sprt;
mod standings;
mod statistics;

pub use config::{
    ConfigFile, Deadlines, DrawRule, EngineConfig, FORMAT, Host, MatchConfig, OpeningSource, OptionValue, Order,
    Program, ResignRule, SprtConfig, Tournament,
};
pub use journal::{Journal, JournalError, MatchRecord};
pub use limits::{EngineLimits, LimitError, TimeControl, parse_seconds};
pub use played::{EngineScore, MoveInfo, PlayedGame, ResultText, Termination};
pub use sample::{GameCounts, PairCounts, Sample};
pub use sprt::{Hypothesis, Model, Sprt, SprtError, SprtSettings};
pub use statistics::{Statistics, elo_of_score, score_of_elo};
