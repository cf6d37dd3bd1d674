//! Searching for a move: a parallel Monte Carlo tree search, an alpha-beta search, and two sparring partners that do not
//! search.
//!
//! One tree (`tree`) is shared by all workers, each of which repeats one iteration (`worker`): select by PUCT
//! (`selection`), expand (`growth`), search the leaf by alpha-beta (`alphabeta`) on a table that all share, back up. Proved
//! results are carried up and never searched again (`proof`); forced wins are looked for besides (`forced`, `proving`), and in
//! some games the root is searched by alpha-beta (`scout`).
//! [`Searcher`] owns the threads and the memory, runs a search within its [`Limits`], and sends a [`Report`] now and then
//! (`watch`, with lines from `walk`); it prints nothing. [`Control`] stops it; workers leave their cores to whoever reads the input (`courtesy`). `players` has the sparring partners,
//! [`mod@bench`] the benchmark. docs/search.md says why it is so.
//!
//! The alpha-beta search by itself shares the frame: `timekeeper` keeps the time of both, `deepening` tells what came
//! out. A [`Labeller`] uses it without a frame, for training data.
//!
//! All values are in 0..=1, 1 being a win; whose win is said at each.

mod allowance;
mod alphabeta;
mod atomic;
pub mod bench;
mod control;
mod courtesy;
mod deepening;
mod forced;
mod growth;
mod label;
mod leaf;
mod limits;
mod options;
mod params;
mod past;
mod players;
mod proof;
mod proving;
mod reachable;
mod report;
mod scout;
mod searcher;
mod selection;
mod task;
mod timekeeper;
mod tree;
mod walk;
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
