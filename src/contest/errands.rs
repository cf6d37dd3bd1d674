//! What `kete-match` is told to do, done: a match for somebody who watches, and the smaller errands around matches.

use super::bundle::bundle_directory;
use super::check::{CheckError, check_engine};
use super::config::{Deadlines, EngineConfig, SprtConfig};
use super::guard::OwnProgram;
use super::journal::{Journal, JournalError, MatchRecord};
use super::merge::{MergeError, merge};
use super::pgn::pgn;
use super::preflight::PreflightError;
use super::progress::{JsonEvents, Progress};
use super::replay::{ReplayError, replay};
use super::report::{ReportError, html, tuning_html};
use super::runner::{Ending, Manner, MatchError, Observer, Start, play_match};
use super::sample::Sample;
use super::schedule::Schedule;
use super::sprt::{Hypothesis, Sprt};
use super::standings::Standings;
use super::statistics::Statistics;
use super::stop::StopSignal;
use super::summary::{Summary, statistics_json};
use super::tables;
use super::tuning::{TuningError, TuningRecord};
use crate::protocol::Writer;
use crate::protocol::response::Response;
use std::path::{Path, PathBuf};

/// Why an errand could not be done.
#[derive(Debug, thiserror::Error)]
pub enum ErrandError {
    /// A match.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// Records.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// Records of a tuning run.
    #[error(transparent)]
    Tuning(#[from] TuningError),
    /// Records that do not go together.
    #[error(transparent)]
    Merge(#[from] MergeError),
    /// A game.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// An engine that cannot be looked at.
    #[error(transparent)]
    Check(#[from] CheckError),
    /// A page.
    #[error(transparent)]
    Report(#[from] ReportError),
    /// The test of a match that cannot be a test.
    #[error(transparent)]
    Sprt(#[from] super::sprt::SprtError),
    /// A file.
    #[error("{}: {error}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        error: std::io::Error,
    },
    /// Nobody took the answer.
    #[error("the answer could not be written to standard output")]
    Output,
}

/// Something that `kete-match` can be told to do.
#[derive(Clone, Debug)]
pub enum Task {
    /// A match.
    Play {
        /// Which.
        start: Start,
        /// How.
        manner: Manner,
        /// What is shown of it.
        display: Display,
    },
    /// The statistics of counts.
    Statistics {
        /// What was counted.
        sample: Sample,
        /// A test.
        test: Option<SprtConfig>,
        /// As JSON.
        json: bool,
    },
    /// The page of a match or of a tuning run.
    Report {
        /// The directory of its records.
        directory: PathBuf,
        /// Where to write it.
        out: Option<PathBuf>,
    },
    /// The games of a match as PGN.
    Pgn {
        /// The directory of the match.
        directory: PathBuf,
    },
    /// Several matches as one.
    Merge {
        /// Their directories.
        directories: Vec<PathBuf>,
        /// Where to write the pooled records.
        out: Option<PathBuf>,
        /// The table as JSON.
        json: bool,
    },
    /// A game once more.
    Replay {
        /// The directory of the match.
        directory: PathBuf,
        /// The number of the game.
        game: u64,
    },
    /// An engine's manners.
    CheckEngine {
        /// The engine.
        engine: Box<EngineConfig>,
        /// How long it may take.
        deadlines: Deadlines,
    },
}

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is done.
    Done,
    /// H0 was accepted, a game went otherwise than before, or an engine has no manners.
    Refuted,
    /// An engine failed.
    Failed,
    /// Somebody stopped it.
    Interrupted,
}

impl Task {
    /// Does it.
    ///
    /// # Errors
    /// [`ErrandError`]: why it could not be done.
    pub fn carry_out(self, writer: &Writer, own: &OwnProgram, stop: &StopSignal) -> Result<Outcome, ErrandError> {
        let refuted = |same| if same { Outcome::Done } else { Outcome::Refuted };
        match self {
            Task::Play { start, manner, display } => {
                return Ok(match play(writer, start, manner, display, own, stop)? {
                    Ending::Finished | Ending::Checked | Ending::Decided(Hypothesis::H1) => Outcome::Done,
                    Ending::Decided(Hypothesis::H0) => Outcome::Refuted,
                    Ending::Failed(_) => Outcome::Failed,
                    Ending::Interrupted => Outcome::Interrupted,
                });
            }
            Task::Statistics { sample, test, json } => write_statistics(writer, &sample, test.as_ref(), json)?,
            Task::Report { directory, out } => write_report(writer, &directory, out)?,
            Task::Pgn { directory } => write_pgn(writer, &directory)?,
            Task::Merge { directories, out, json } => write_merged(writer, &directories, out.as_deref(), json)?,
            Task::Replay { directory, game } => {
                let replayed = match replay(&directory, game, own, stop) {
                    Err(ReplayError::Interrupted) => return Ok(Outcome::Interrupted),
                    replayed => replayed?,
                };
                say(writer, replayed.text)?;
                return Ok(refuted(replayed.same));
            }
            Task::CheckEngine { engine, deadlines } => {
                let checked = match check_engine(&engine, deadlines, own, stop) {
                    Err(CheckError::Interrupted) => return Ok(Outcome::Interrupted),
                    checked => checked?,
                };
                say(writer, checked.to_string())?;
                return Ok(refuted(checked.failed() == 0));
            }
        }
        Ok(Outcome::Done)
    }
}

/// What is shown of a match while it is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Display {
    /// Events as JSON.
    pub json: bool,
    /// Nothing but the last table.
    pub quiet: bool,
    /// Ratings after each so many games.
    pub interval: u64,
}

fn say(writer: &Writer, text: impl Into<String>) -> Result<(), ErrandError> {
    writer.write(&Response::Text(text.into()));
    if writer.is_closed() { Err(ErrandError::Output) } else { Ok(()) }
}

/// Plays a match, shows how it goes, and prints what came of it.
///
/// # Errors
/// [`ErrandError`]: why it could not be played.
fn play(
    writer: &Writer,
    start: Start,
    manner: Manner,
    display: Display,
    own: &OwnProgram,
    stop: &StopSignal,
) -> Result<Ending, ErrandError> {
    let mut json = JsonEvents::new(writer, display.interval);
    let mut progress = Progress::new(writer, display);
    let observer: &mut dyn Observer = if display.json { &mut json } else { &mut progress };
    let played = play_match(start, manner, own, stop, observer);
    progress.finish();
    let (ending, record, directory) = match played {
        Err(MatchError::Preflight(PreflightError::Interrupted)) => {
            if !display.json {
                let _ = say(writer, "Interrupted before the first game: nothing is on record.");
            }
            return Ok(Ending::Interrupted);
        }
        played => played?,
    };
    let config = &record.file.config;
    let standings = Standings::of(config, &record.games);
    let summary = Summary::of(config, &standings);
    if display.json {
        json.end(&ending, &directory, &summary);
        return Ok(ending);
    }
    // Whoever does not read any more has seen enough; the records are complete.
    let _ = say(writer, last_words(&ending, &directory, &record, &summary));
    Ok(ending)
}

/// The table at the end of a match, and what to do next.
fn last_words(ending: &Ending, directory: &Path, record: &MatchRecord, summary: &Summary<'_>) -> String {
    if *ending == Ending::Checked {
        return format!("{}Everything is in order; no game was played.\n", tables::plan(&record.file));
    }
    let mut text = tables::summary(summary);
    // What was just played agrees with its schedule.
    if let Ok(schedule) = Schedule::resume(&record.file.config, &record.games, &record.file.openings) {
        let stages = tables::tournament(&schedule, &record.file.config);
        if !stages.is_empty() {
            text.push_str(&format!("\n{stages}"));
        }
    }
    let place = shell_words::quote(&directory.display().to_string()).into_owned();
    match ending {
        Ending::Finished | Ending::Checked => {}
        Ending::Decided(Hypothesis::H0) => {
            text.push_str("\nH0 accepted: the first engine is not that much stronger.\n")
        }
        Ending::Decided(Hypothesis::H1) => text.push_str("\nH1 accepted: the first engine is stronger.\n"),
        Ending::Failed(failure) => {
            text.push_str(&format!("\nStopped: {failure}\n"));
            let last = record.games.iter().rev().find(|game| game.reason.is_failure());
            if let Some(bundle) = last.map(|game| bundle_directory(directory, game.game)).filter(|d| d.is_dir()) {
                text.push_str(&format!("What is known of it: {}\n", bundle.display()));
            }
            text.push_str(&format!("Go on: kete-match --resume {place} (with --recover, whatever fails)\n"));
        }
        Ending::Interrupted => text.push_str(&format!("\nInterrupted. Go on: kete-match --resume {place}\n")),
    }
    text.push_str(&format!("\nRecords: {}\nTo look at them: kete-match report {place}\n", directory.display()));
    text
}

/// Prints the statistics of a sample.
///
/// # Errors
/// If the test is none, or nobody takes the answer.
fn write_statistics(
    writer: &Writer,
    sample: &Sample,
    test: Option<&SprtConfig>,
    json: bool,
) -> Result<(), ErrandError> {
    let test = test.map(|test| Sprt::new(test.settings())).transpose()?;
    let statistics = Statistics::of(sample);
    let llr = test.as_ref().and_then(|test| test.llr(sample));
    let text = if json {
        statistics_json(&statistics, test.as_ref(), llr).to_string()
    } else {
        tables::statistics(&statistics, test.as_ref(), llr)
    };
    say(writer, text)
}

/// Writes the page of a match or of a tuning run and says where.
///
/// # Errors
/// If the records cannot be read or the page not written.
fn write_report(writer: &Writer, directory: &Path, out: Option<PathBuf>) -> Result<(), ErrandError> {
    let page = if TuningRecord::is_in(directory) {
        tuning_html(&TuningRecord::load(directory)?)?
    } else {
        html(&MatchRecord::load(directory)?)?
    };
    let path = out.unwrap_or_else(|| directory.join("report.html"));
    std::fs::write(&path, page).map_err(|error| ErrandError::File { path: path.clone(), error })?;
    say(writer, path.display().to_string())
}

/// Prints the games of a match as PGN.
///
/// # Errors
/// If the records cannot be read, or nobody takes the answer.
fn write_pgn(writer: &Writer, directory: &Path) -> Result<(), ErrandError> {
    say(writer, pgn(&MatchRecord::load(directory)?))
}

/// Pools matches, writes the pooled records if `out` says where, and prints their table.
///
/// # Errors
/// If records cannot be read or written, or do not go together.
fn write_merged(writer: &Writer, directories: &[PathBuf], out: Option<&Path>, json: bool) -> Result<(), ErrandError> {
    let records = directories.iter().map(|directory| MatchRecord::load(directory)).collect::<Result<Vec<_>, _>>()?;
    let pooled = merge(&records)?;
    if let Some(directory) = out {
        let mut journal = Journal::create(directory, &pooled.file)?;
        journal.append_all(&pooled.games)?;
    }
    let config = &pooled.file.config;
    let standings = Standings::of(config, &pooled.games);
    let summary = Summary::of(config, &standings);
    say(writer, if json { summary.json().to_string() } else { tables::summary(&summary) })
}
