//! What was typed: how the fake plays, what it says, and which faults it has.

use clap::{Parser, ValueEnum};
use kete::game::Variant;
use std::path::PathBuf;

/// A scriptable fake engine for tests of the match runner. Without flags it is a well-behaved engine that answers at once.
///
/// A fault "on go N" strikes at the N-th `go` that the process receives, counted from 1, and only there.
#[derive(Parser)]
pub struct Arguments {
    /// Which of the legal moves it plays; random ones depend on the position and the option Seed alone.
    #[arg(long, value_enum, default_value = "random")]
    pub pick: Pick,
    /// Its name.
    #[arg(long, default_value = "Fake")]
    pub name: String,
    /// The score that it reports, in centipawns.
    #[arg(long, allow_negative_numbers = true)]
    pub score: Option<i64>,
    /// It has no option UCI_Variant, and plays kiswahili.
    #[arg(long)]
    pub no_variant: bool,
    /// The only game that it offers and plays.
    #[arg(long, value_name = "V", value_parser = |name: &str| Variant::from_name(name).ok_or("expected kiswahili, kigogo or kimasai"))]
    pub only_variant: Option<Variant>,

    /// Appends each line that it receives to this file.
    #[arg(long, value_name = "FILE")]
    pub tell: Option<PathBuf>,
    /// Appends its process number to this file, and that of its child.
    #[arg(long, value_name = "FILE")]
    pub pid_file: Option<PathBuf>,
    /// Starts `sleep 600` in its own process group, with its own output, and leaves it behind.
    #[arg(long)]
    pub child: bool,

    /// Ends with code 3 before it reads anything.
    #[arg(long)]
    pub crash_at_start: bool,
    /// Sleeps before it reads anything.
    #[arg(long, value_name = "MS", default_value_t = 0)]
    pub startup_ms: u64,
    /// Does not end its list of options.
    #[arg(long)]
    pub no_uciok: bool,
    /// Never answers isready.
    #[arg(long)]
    pub no_readyok: bool,
    /// Answers the first isready alone.
    #[arg(long)]
    pub no_newgame_readyok: bool,
    /// Sends a best move after each readyok.
    #[arg(long)]
    pub unasked_bestmove: bool,
    /// Ends with code 3 at the N-th new game.
    #[arg(long, value_name = "N")]
    pub crash_on_newgame: Option<u64>,

    /// Answers no isready from the N-th new game on.
    #[arg(long, value_name = "N")]
    pub mute_on_newgame: Option<u64>,
    /// Sends a best move after the readyok of the N-th new game.
    #[arg(long, value_name = "N")]
    pub unasked_on_newgame: Option<u64>,

    /// Ends with code 3.
    #[arg(long, value_name = "N")]
    pub crash_on_go: Option<u64>,
    /// Is ended by a signal.
    #[arg(long, value_name = "N")]
    pub abort_on_go: Option<u64>,
    /// Ends with code 0 without a word.
    #[arg(long, value_name = "N")]
    pub exit_on_go: Option<u64>,
    /// Closes its output and stays alive.
    #[arg(long, value_name = "N")]
    pub close_stdout_on_go: Option<u64>,
    /// Does not answer, not even after stop, but goes on reading.
    #[arg(long, value_name = "N")]
    pub stall_on_go: Option<u64>,
    /// Neither answers nor reads any more.
    #[arg(long, value_name = "N")]
    pub deaf_on_go: Option<u64>,
    /// Answers only after stop.
    #[arg(long, value_name = "N")]
    pub stall_until_stop: Option<u64>,
    /// Sleeps before it answers a go, and reads nothing meanwhile.
    #[arg(long, value_name = "MS")]
    pub late_ms: Option<u64>,
    /// Is late at this go alone.
    #[arg(long, value_name = "N", requires = "late_ms")]
    pub late_on_go: Option<u64>,
    /// Plays a well-formed move that is not legal.
    #[arg(long, value_name = "N")]
    pub illegal_on_go: Option<u64>,
    /// Answers `bestmove xyzzy`.
    #[arg(long, value_name = "N")]
    pub garbage_move_on_go: Option<u64>,
    /// Answers `bestmove (none)`.
    #[arg(long, value_name = "N")]
    pub none_on_go: Option<u64>,
    /// Answers `bestmove` without a move.
    #[arg(long, value_name = "N")]
    pub empty_bestmove_on_go: Option<u64>,
    /// Answers twice.
    #[arg(long, value_name = "N")]
    pub double_bestmove_on_go: Option<u64>,

    /// Does not answer query.
    #[arg(long)]
    pub no_query: bool,
    /// Answers `query result` wrongly.
    #[arg(long)]
    pub lying_result: bool,
    /// Answers `query islegal` and `query moves` wrongly.
    #[arg(long)]
    pub lying_legal: bool,

    /// Writes so many bytes without a line end to standard error at each go.
    #[arg(long, value_name = "BYTES", default_value_t = 0)]
    pub spam_stderr: usize,
    /// Writes an info line of so many bytes before each best move.
    #[arg(long, value_name = "BYTES", default_value_t = 0)]
    pub long_line: usize,
    /// Writes so many info lines before each best move.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub spam_info: u64,
    /// Writes an info line with numbers beyond all ranges before each best move.
    #[arg(long)]
    pub huge_numbers: bool,
    /// Writes an info line that is no UTF-8 before each best move.
    #[arg(long)]
    pub bad_utf8: bool,
    /// Writes tabs instead of spaces.
    #[arg(long)]
    pub tabs: bool,
    /// Ends lines with CR LF.
    #[arg(long)]
    pub crlf: bool,
    /// Writes byte by byte.
    #[arg(long)]
    pub torn: bool,

    /// Sleeps before it obeys quit or the end of its input.
    #[arg(long, value_name = "MS", default_value_t = 0)]
    pub slow_quit: u64,
    /// Never ends by itself, whatever it is told and even if its input ends.
    #[arg(long)]
    pub ignore_quit: bool,
    /// Does not mind SIGTERM.
    #[arg(long)]
    pub ignore_term: bool,
}

/// Which of the legal moves is played.
#[derive(Clone, Copy, ValueEnum)]
pub enum Pick {
    /// The first.
    First,
    /// The last.
    Last,
    /// Any.
    Random,
}
