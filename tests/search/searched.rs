//! A search run to its end: the move, and everything that was reported on the way.

use kete::game::{GameRecord, Move};
use kete::search::{Control, Limits, Report, Score, SearchOptions, Searcher};
use std::sync::Mutex;
use std::time::{Duration, Instant};

pub struct Searched {
    pub best: Option<Move>,
    pub reports: Vec<Report>,
}

impl Searched {
    pub fn last(&self) -> &Report {
        self.reports.last().expect("at least one report")
    }

    /// The score of the best line.
    pub fn score(&self) -> Score {
        self.last().lines[0].score
    }

    /// The length of the best line in plies.
    pub fn plies(&self) -> u32 {
        self.last().lines[0].pv.len() as u32
    }

    /// The reports without what differs from run to run.
    pub fn timeless(&self) -> Vec<Report> {
        self.reports.iter().map(|report| Report { time: Duration::ZERO, ..report.clone() }).collect()
    }
}

pub fn search_with(searcher: &mut Searcher, game: &GameRecord, limits: &Limits, options: &SearchOptions) -> Searched {
    let reports = Mutex::new(Vec::new());
    let keep = |report: &Report| reports.lock().expect("the reports").push(report.clone());
    let best = searcher.search(game, limits, options, Instant::now(), &Control::new(), &keep);
    Searched { best, reports: reports.into_inner().expect("the reports") }
}
