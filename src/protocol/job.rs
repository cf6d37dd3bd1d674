//! Work that runs beside the session, on a thread of its own, so that the session can go on reading.

use super::input::Event;
use super::listing;
use super::response::{Response, report_lines};
use super::writer::Writer;
use crate::game::GameRecord;
use crate::search::{Control, Limits, SearchOptions, Searcher, bench};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::SyncSender;
use std::thread::{Builder, JoinHandle};
use std::time::Instant;

/// A piece of work under way.
pub(super) struct Job {
    handle: JoinHandle<Option<Searcher>>,
    control: Arc<Control>,
    /// Set before the last word of the answer is written: whoever reads it can rely on the session being free again.
    answered: Arc<AtomicBool>,
    kind: JobKind,
    /// What it turns into with the ponder hit, if it is pondering.
    after_ponder_hit: Option<JobKind>,
}

/// What a job is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JobKind {
    /// A search that is sure to end by itself.
    BoundedSearch,
    /// A search that may go on until it is told to end.
    UnboundedSearch,
    /// A count of leaves or a benchmark.
    Other,
}

/// Says whether a line waits to be read.
pub(super) type InputProbe = Box<dyn Fn() -> bool + Send + Sync>;

/// What a job needs of its session.
pub(super) struct JobFrame {
    pub(super) writer: Arc<Writer>,
    pub(super) events: SyncSender<Event>,
    /// Whether a line waits to be read, if that can be told.
    pub(super) input_waits: Option<InputProbe>,
}

/// Wakes the session when the job's thread ends, even if it panics. A full queue wakes it as well.
struct WakeAtEnd {
    events: SyncSender<Event>,
    answered: Arc<AtomicBool>,
}

impl Drop for WakeAtEnd {
    fn drop(&mut self) {
        self.answered.store(true, Ordering::Release);
        let _ = self.events.try_send(Event::Wake);
    }
}

impl Job {
    /// Searches with a searcher, which [`Job::join`] gives back, and answers with reports and the best move.
    ///
    /// # Errors
    /// If no thread is to be had; the searcher is lost then.
    pub(super) fn search(
        frame: JobFrame,
        searcher: Searcher,
        game: GameRecord,
        limits: Limits,
        options: SearchOptions,
        started: Instant,
    ) -> std::io::Result<Job> {
        let side = game.side_to_move();
        let kind = |limits: &Limits| {
            if limits.is_bounded(side) { JobKind::BoundedSearch } else { JobKind::UnboundedSearch }
        };
        let after_ponder_hit = limits.ponder.then(|| kind(&Limits { ponder: false, ..limits.clone() }));
        let job = Job::spawn(kind(&limits), frame, move |writer, control, answered| {
            let mut searcher = searcher;
            let report = |report: &_| writer.write_all(report_lines(report, side));
            let best = searcher.search(&game, &limits, &options, started, control, &report);
            answered.store(true, Ordering::Release);
            writer.write(&Response::BestMove(best.map(|m| (m, side))));
            Some(searcher)
        })?;
        Ok(Job { after_ponder_hit, ..job })
    }

    /// Counts leaves.
    pub(super) fn perft(frame: JobFrame, game: GameRecord, depth: u32) -> std::io::Result<Job> {
        Job::spawn(JobKind::Other, frame, move |writer, control, answered| {
            // A game that ended by repetition or by an endless relay has no leaves; its position alone does not show it.
            let over = game.outcome().is_some() && depth > 0;
            let leaves = if over {
                Some(Vec::new())
            } else {
                listing::count_leaves(game.position(), depth, &mut || !control.is_stopped())
            };
            answered.store(true, Ordering::Release);
            writer.write(&match leaves {
                Some(leaves) => listing::perft(&leaves, depth, game.side_to_move()),
                None => Response::InfoString("perft stopped".to_owned()),
            });
            None
        })
    }

    /// Runs the benchmark.
    pub(super) fn bench(frame: JobFrame, options: SearchOptions) -> std::io::Result<Job> {
        Job::spawn(JobKind::Other, frame, move |writer, control, answered| {
            let report = bench::run(&options, &|| !control.is_stopped());
            answered.store(true, Ordering::Release);
            writer.write(&match report {
                Ok(Some(report)) => listing::bench(&report),
                Ok(None) => Response::InfoString("bench stopped".to_owned()),
                Err(error) => Response::Error(format!("bench: {error}")),
            });
            None
        })
    }

    fn spawn(
        kind: JobKind,
        frame: JobFrame,
        work: impl FnOnce(&Writer, &Control, &AtomicBool) -> Option<Searcher> + Send + 'static,
    ) -> std::io::Result<Job> {
        let JobFrame { writer, events, input_waits } = frame;
        let control = Arc::new(input_waits.map_or_else(Control::new, Control::giving_way));
        let answered = Arc::new(AtomicBool::new(false));
        let (job_control, job_answered) = (Arc::clone(&control), Arc::clone(&answered));
        let handle = Builder::new().name("kete-job".to_owned()).spawn(move || {
            let _wake = WakeAtEnd { events, answered: Arc::clone(&job_answered) };
            work(&writer, &job_control, &job_answered)
        })?;
        Ok(Job { handle, control, answered, kind, after_ponder_hit: None })
    }

    pub(super) fn kind(&self) -> JobKind {
        self.kind
    }

    /// Whether the answer has been given, or will never be.
    pub(super) fn is_answered(&self) -> bool {
        self.answered.load(Ordering::Acquire)
    }

    /// Asks for the answer. From here on the job ends by itself.
    pub(super) fn stop(&mut self) {
        if self.kind == JobKind::UnboundedSearch {
            self.kind = JobKind::BoundedSearch;
        }
        self.control.stop();
    }

    /// The opponent has played the expected move.
    pub(super) fn ponder_hit(&mut self, now: Instant) {
        if let Some(kind) = self.after_ponder_hit.take() {
            self.kind = kind;
            self.control.ponder_hit(now);
        }
    }

    /// Waits for the end of the thread and returns its searcher. `Err` if it panicked.
    pub(super) fn join(self) -> Result<Option<Searcher>, Panicked> {
        self.handle.join().map_err(|_| Panicked)
    }
}

/// A job has panicked: a fault of the engine.
#[derive(Debug)]
pub(super) struct Panicked;
