//! Searching for a move: a parallel Monte Carlo tree search, an alpha-beta search, and two sparring partners that do not
//! search.
//!
//! One tree is shared by all workers (`tree`), each of which repeats one iteration (`worker`): select by UCT, expand,
//! evaluate the leaf (`leaf`), back up. Proved results are carried up and never searched again (`proof`). [`Searcher`]
//! owns the threads and the memory, runs a search within its [`Limits`], and sends a [`Report`] now and then (`watch`); it
//! prints nothing. [`Control`] stops it. `players` has the sparring partners, [`mod@bench`] the benchmark.
//!
//! The alpha-beta search (`alphabeta`) shares the frame: `timekeeper` keeps the time of both, `deepening` tells what came
//! out. A [`Labeller`] uses it without a frame, for training data.
//!
//! All values are in 0..=1, 1 being a win; whose win is said at each.

mod alphabeta;
pub mod bench;
mod control;
mod deepening;
mod label;
mod leaf;
mod limits;
mod options;
mod params;
mod past;
mod players;
mod proof;
mod report;
mod searcher;
mod task;
mod timekeeper;
mod tree;
mod watch;
mod worker;

pub use control::Control;
pub use label::{Label, Labeller, PROVED_SCORE};
pub use limits::Limits;
pub use options::SearchOptions;
pub use params::{GameTunable, Params, R_END, TUNABLES, Tunable};
pub use players::Player;
pub use report::{Line, Report, Score, Wdl};
pub use searcher::{DEFAULT_HASH_MIB, Searcher, SearcherError};
