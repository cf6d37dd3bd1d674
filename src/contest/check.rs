//! Walks an engine through the protocol and names each step at which it stumbles.
//!
//! A step that fails costs the engine its process: the next step begins with a new one, so that it says something of its
//! own.

mod acquaintance;
mod answers;
mod endings;
mod positions;
mod queries;
mod scenes;
mod searches;
mod subject;

use super::config::{Deadlines, EngineConfig};
use super::guard::OwnProgram;
use super::stop::StopSignal;
use crate::game::Variant;
use std::fmt;
use std::time::{Duration, Instant};
use subject::{Flaw, Subject};

/// After so many steps in a row that failed and took long, the others are not tried.
const SLOW_STEPS: u32 = 5;
/// A failure that took so long is one that others must not be waited for.
const LONG: Duration = Duration::from_millis(400);

/// Why an engine cannot be checked.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// It does not start.
    #[error("--check-engine: the engine does not start: {0}")]
    Start(String),
    /// The operating system.
    #[error("--check-engine: {0}")]
    System(#[from] std::io::Error),
    /// The runner stops.
    #[error("interrupted")]
    Interrupted,
}

/// What came of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Finding {
    /// All is well.
    Passed,
    /// What was seen and what was expected, a line for each game in which it went wrong.
    Failed(Vec<String>),
    /// Why there was nothing to look at.
    Skipped(String),
    /// An earlier step left nothing to look at.
    NotTried,
}

/// What an engine did at each step. Written out, it is a line for each of them and the totals at the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    engine: String,
    findings: Vec<(&'static str, Finding)>,
    /// Why the last steps were not tried.
    broken_off: Option<&'static str>,
}

impl Check {
    /// How many steps failed.
    pub fn failed(&self) -> usize {
        self.count(|finding| matches!(finding, Finding::Failed(_)))
    }

    fn count(&self, is_meant: impl Fn(&Finding) -> bool) -> usize {
        self.findings.iter().filter(|(_, finding)| is_meant(finding)).count()
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (step, finding) in &self.findings {
            match finding {
                Finding::Passed => writeln!(f, "ok       {step}")?,
                Finding::Skipped(reason) => writeln!(f, "skipped  {step}: {reason}")?,
                Finding::Failed(flaws) => {
                    writeln!(f, "FAILED   {step}")?;
                    flaws.iter().try_for_each(|flaw| writeln!(f, "           {flaw}"))?;
                }
                Finding::NotTried => {}
            }
        }
        let not_tried = self.count(|finding| *finding == Finding::NotTried);
        if let Some(reason) = self.broken_off {
            writeln!(f, "skipped  {not_tried} more: {reason}")?;
        }
        let passed = self.count(|finding| *finding == Finding::Passed);
        let (engine, all, failed) = (&self.engine, self.findings.len(), self.failed());
        let skipped = all - passed - failed;
        write!(f, "\n{engine}: {all} steps, {passed} passed, {failed} failed, {skipped} skipped")
    }
}

/// How a step is gone.
enum Walk {
    /// Once.
    Once(fn(&mut Subject<'_>) -> Result<(), Flaw>),
    /// Once, and without it nothing else can be looked at.
    Needed(fn(&mut Subject<'_>) -> Result<(), Flaw>),
    /// In each game that the engine plays.
    Games(fn(&mut Subject<'_>, Variant) -> Result<(), Flaw>),
}

use Walk::{Games, Needed, Once};

/// All steps. The word that a step is called by says what is sent.
const STEPS: [(&str, Walk); 52] = [
    ("uci is answered by uciok", Needed(acquaintance::uci)),
    ("uci lists options in lines that can be read", Needed(acquaintance::option_lines)),
    ("isready is answered by readyok alone", Needed(acquaintance::ready)),
    ("uci tells id name", Once(acquaintance::name)),
    ("uci tells id author", Once(acquaintance::author)),
    ("each option is listed once", Once(acquaintance::unique_names)),
    ("defaults are values that the options take", Once(acquaintance::defaults)),
    ("uci can be asked again", Once(acquaintance::uci_again)),
    ("an unknown command is passed over", Once(acquaintance::unknown_command)),
    ("an empty line is passed over", Once(acquaintance::empty_line)),
    ("tabs, many spaces and CR LF are read", Once(acquaintance::white_space)),
    ("setoption: each option takes its default", Once(acquaintance::set_defaults)),
    ("setoption: an unknown option is survived", Once(acquaintance::unknown_option)),
    ("setoption: values out of range are survived", Once(acquaintance::wrong_values)),
    ("setoption: UCI_Variant takes each game", Needed(acquaintance::variants)),
    ("ucinewgame", Games(positions::new_game)),
    ("position startpos", Games(positions::start)),
    ("position startpos moves", Games(positions::start_and_moves)),
    ("position fen", Games(positions::fen)),
    ("position fen moves", Games(positions::fen_and_moves)),
    ("position with the moves of a long game", Games(positions::long_line)),
    ("position: 5000 moves are survived", Games(positions::endless_line)),
    ("position: nonsense is survived", Games(positions::nonsense)),
    ("position: an illegal move is survived", Games(positions::illegal_move)),
    ("go nodes 100", Games(searches::nodes)),
    ("go depth 2", Games(searches::depth)),
    ("go movetime 50", Games(searches::move_time)),
    ("go wtime btime winc binc", Games(searches::clock)),
    ("go wtime btime movestogo", Games(searches::moves_to_go)),
    ("go infinite is answered after stop", Games(searches::infinite)),
    ("isready is answered during a search", Games(searches::ready_while_searching)),
    ("stop without a search is passed over", Games(searches::idle_stop)),
    ("one go after another", Games(searches::one_after_another)),
    ("go searchmoves", Games(searches::search_moves)),
    ("go ponder is answered after ponderhit", Games(searches::ponder_hit)),
    ("go ponder is answered after stop", Games(searches::ponder_stop)),
    ("MultiPV 2", Games(searches::multi_pv)),
    ("info holds numbers that can be", Games(searches::numbers)),
    ("go with one legal move", Games(searches::one_legal_move)),
    ("go one move before the end", Games(searches::last_move)),
    ("go in a finished game", Games(searches::finished)),
    ("the same search twice, the same move", Games(searches::reproducible)),
    ("a whole game against itself", Games(searches::whole_game)),
    ("query gameover", Games(queries::game_over)),
    ("query p1turn", Games(queries::first_player)),
    ("query result", Games(queries::result)),
    ("query fen", Games(queries::fen)),
    ("query islegal", Games(queries::is_legal)),
    ("quit ends the process", Once(endings::quit)),
    ("quit ends a search and the process", Once(endings::quit_search)),
    ("the end of the input ends the process", Once(endings::end_of_input)),
    ("the end of the input ends a search and the process", Once(endings::end_of_input_search)),
];

/// Walks an engine through the protocol.
///
/// # Errors
/// [`CheckError`] if it does not start, or the runner stops.
pub fn check_engine(
    engine: &EngineConfig,
    deadlines: Deadlines,
    own: &OwnProgram,
    stop: &StopSignal,
) -> Result<Check, CheckError> {
    let mut subject = Subject::new(engine, deadlines, own, stop)?;
    subject.start().map_err(|flaw| match flaw {
        Flaw::Stopped => CheckError::Interrupted,
        Flaw::Wrong(text) | Flaw::Untested(text) => CheckError::Start(text),
    })?;
    let mut check = Check { engine: subject.name().to_owned(), findings: Vec::new(), broken_off: None };
    let mut slow_steps = 0;
    for (name, walk) in STEPS {
        let finding = if check.broken_off.is_some() {
            Finding::NotTried
        } else {
            let (finding, slow) = go_through(&walk, &mut subject).ok_or(CheckError::Interrupted)?;
            slow_steps = if slow { slow_steps + 1 } else { 0 };
            if matches!((&finding, &walk), (Finding::Failed(_), Needed(_))) {
                check.broken_off = Some("there is nothing to be seen without the step that failed");
            } else if slow_steps == SLOW_STEPS {
                check.broken_off = Some("too many steps in a row failed after a long wait");
            }
            finding
        };
        check.findings.push((name, finding));
    }
    subject.end();
    Ok(check)
}

/// Goes one step. Says what came of it and whether that took too long; `None` if the runner stops.
fn go_through(walk: &Walk, subject: &mut Subject<'_>) -> Option<(Finding, bool)> {
    let mut notes = Notes::default();
    match walk {
        Once(step) | Needed(step) => {
            let started = Instant::now();
            let result = step(subject);
            notes.add(subject, "", result, started)?;
        }
        Games(step) => {
            for variant in subject.variants().to_vec() {
                let started = Instant::now();
                let result = subject.begin(variant).and_then(|()| step(subject, variant));
                notes.add(subject, &format!("{variant}: "), result, started)?;
                if notes.slow {
                    break;
                }
            }
        }
    }
    let Notes { flaws, untested, tested, slow } = notes;
    let finding = match untested {
        _ if !flaws.is_empty() => Finding::Failed(flaws),
        Some(reason) if !tested => Finding::Skipped(reason),
        _ => Finding::Passed,
    };
    Some((finding, slow))
}

/// What came of a step in one game after the other.
#[derive(Default)]
struct Notes {
    flaws: Vec<String>,
    untested: Option<String>,
    tested: bool,
    slow: bool,
}

impl Notes {
    /// Adds a result; `None` if the runner stops.
    fn add(&mut self, subject: &mut Subject<'_>, game: &str, result: Result<(), Flaw>, started: Instant) -> Option<()> {
        match result {
            Ok(()) => {
                self.tested = true;
                return Some(());
            }
            Err(Flaw::Stopped) => return None,
            Err(Flaw::Untested(reason)) => self.untested = Some(reason),
            Err(Flaw::Wrong(text)) => self.flaws.push(format!("{game}{text}")),
        }
        subject.leave();
        self.slow |= started.elapsed() > LONG && !self.flaws.is_empty();
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_has_a_line_for_each_step_and_the_totals() {
        let mut check = Check {
            engine: "Fake".to_owned(),
            findings: vec![
                ("one", Finding::Passed),
                ("two", Finding::Failed(vec!["kigogo: this".to_owned(), "kimasai: that".to_owned()])),
                ("three", Finding::Skipped("nothing there".to_owned())),
            ],
            broken_off: None,
        };
        let lines = "ok       one\nFAILED   two\n           kigogo: this\n           kimasai: that\nskipped  three: nothing there\n";
        let text = format!("{lines}\nFake: 3 steps, 1 passed, 1 failed, 1 skipped");
        assert_eq!((check.to_string(), check.failed()), (text, 1));
        check.findings.extend([("four", Finding::NotTried), ("five", Finding::NotTried)]);
        check.broken_off = Some("no more");
        let text = format!("{lines}skipped  2 more: no more\n\nFake: 5 steps, 1 passed, 1 failed, 3 skipped");
        assert_eq!(check.to_string(), text);
    }

    #[test]
    fn no_two_steps_have_the_same_name() {
        for (index, (name, _)) in STEPS.iter().enumerate() {
            assert!(STEPS.iter().skip(index + 1).all(|(other, _)| other != name), "{name}");
        }
    }
}
