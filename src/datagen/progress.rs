//! How far it is, on a terminal.

use super::record::Tally;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// How often the bar is drawn anew though no game has ended.
const TICK: Duration = Duration::from_secs(1);

/// A bar on standard error, or nothing.
pub(super) struct Progress {
    bar: Option<ProgressBar>,
    positions: AtomicU64,
}

impl Progress {
    /// Shows how far it is if `show` says so and somebody can see it.
    pub(super) fn new(show: bool, before: &Tally, games: u32) -> Progress {
        let bar = (show && std::io::stderr().is_terminal()).then(|| ProgressBar::new(games.into()));
        if let Some(bar) = &bar {
            if let Ok(style) =
                ProgressStyle::with_template("{bar:24} {pos}/{len} games, {per_sec}, {eta} left  {wide_msg}")
            {
                bar.set_style(style);
            }
            bar.set_position(before.games);
            bar.reset_eta();
            bar.enable_steady_tick(TICK);
        }
        Progress { bar, positions: AtomicU64::new(before.positions) }
    }

    /// A game with so many positions has ended.
    pub(super) fn game(&self, positions: u64) {
        let all = self.positions.fetch_add(positions, Ordering::Relaxed) + positions;
        if let Some(bar) = &self.bar {
            bar.set_message(format!("{all} positions"));
            bar.inc(1);
        }
    }

    /// Takes the bar away.
    pub(super) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
