//! What an engine answers to `go`, heard and looked at.

use super::scenes::Scene;
use super::subject::{Flaw, Subject, shown, wrong};
use crate::game::Move;
use crate::protocol::reply::{Info, Reply, parse_reply};
use std::time::{Duration, Instant};

/// Lines of `info` that are kept.
const KEPT_LINES: usize = 1000;

/// A question under way.
pub(super) struct Search<'s> {
    scene: &'s Scene,
    go: String,
    asked: Instant,
    told: Vec<Told>,
    scored: bool,
}

/// An `info` line.
#[derive(Clone, Debug)]
pub(super) struct Told {
    /// As it came.
    pub(super) line: String,
    /// Which of the best lines it is about.
    pub(super) multipv: u64,
    /// The first move of its `pv`.
    pub(super) first: Option<String>,
}

/// What was heard within a while.
pub(super) enum Heard {
    /// No answer.
    Nothing,
    /// An answer.
    BestMove(String),
    /// That the question is wrong.
    Refusal(String),
}

/// The answer to a question, which is legal.
pub(super) struct Answer {
    /// The word behind `bestmove`.
    pub(super) best: String,
    /// The move.
    pub(super) played: Move,
    /// From the question to the answer.
    pub(super) time: Duration,
    /// The `info` lines before it.
    pub(super) told: Vec<Told>,
}

impl<'s> Search<'s> {
    /// Asks about a scene.
    pub(super) fn begin(subject: &mut Subject<'_>, scene: &'s Scene, go: &str) -> Result<Search<'s>, Flaw> {
        let asked = subject.send(&[scene.line(), go])?;
        Ok(Search { scene, go: go.to_owned(), asked, told: Vec::new(), scored: false })
    }

    /// Asks, and waits for the answer as long as it may take.
    pub(super) fn run(subject: &mut Subject<'_>, scene: &'s Scene, go: &str) -> Result<Answer, Flaw> {
        let search = Search::begin(subject, scene, go)?;
        let time = subject.ping();
        search.answer(subject, time)
    }

    /// Waits for the answer and looks at it: a legal move after a score, and nothing after it.
    pub(super) fn answer(mut self, subject: &mut Subject<'_>, time: Duration) -> Result<Answer, Flaw> {
        let deadline = Instant::now() + time;
        while let Some((line, at)) = self.next(subject, deadline)? {
            match self.take_in(&line)? {
                Heard::BestMove(best) => return self.judge(subject, best, at),
                Heard::Refusal(text) => return wrong(format!("{} was answered by {}", self.question(), shown(&text))),
                Heard::Nothing if at > deadline => break,
                Heard::Nothing => {}
            }
        }
        wrong(format!("no bestmove within {} ms after {}", time.as_millis(), self.question()))
    }

    fn judge(self, subject: &mut Subject<'_>, best: String, at: Instant) -> Result<Answer, Flaw> {
        let Some(played) = self.scene.read(&best) else {
            let expected = self.scene.legal().join(" ");
            return wrong(format!("bestmove {best} after {}, expected one of {expected}", self.question()));
        };
        if !self.scored {
            return wrong(format!(
                "bestmove {best} after {} without an info line with a score before",
                self.question()
            ));
        }
        // A second answer comes when nobody asks.
        subject.take(&[])?;
        Ok(Answer { best, played, time: at.saturating_duration_since(self.asked), told: self.told })
    }

    /// What comes within a while.
    pub(super) fn listen(&mut self, subject: &mut Subject<'_>, time: Duration) -> Result<Heard, Flaw> {
        let deadline = Instant::now() + time;
        while let Some((line, at)) = self.next(subject, deadline)? {
            match self.take_in(&line)? {
                Heard::Nothing if at > deadline => break,
                Heard::Nothing => {}
                heard => return Ok(heard),
            }
        }
        Ok(Heard::Nothing)
    }

    /// Waits for `readyok`, before which there must be no answer.
    pub(super) fn ready(&mut self, subject: &mut Subject<'_>) -> Result<(), Flaw> {
        let (time, deadline) = (subject.ping(), subject.send(&["isready"])? + subject.ping());
        while let Some((line, at)) = self.next(subject, deadline)? {
            if parse_reply(&line) == Ok(Reply::ReadyOk) {
                return Ok(());
            }
            match self.take_in(&line)? {
                Heard::BestMove(best) => {
                    return wrong(format!("bestmove {best} before stop after {}", self.question()));
                }
                Heard::Refusal(text) => return wrong(format!("{} was answered by {}", self.question(), shown(&text))),
                Heard::Nothing if at > deadline => break,
                Heard::Nothing => {}
            }
        }
        wrong(format!("no readyok within {} ms after {} and isready", time.as_millis(), self.question()))
    }

    fn next(&self, subject: &mut Subject<'_>, deadline: Instant) -> Result<Option<(String, Instant)>, Flaw> {
        subject.listen(deadline, "bestmove").map_err(|flaw| match flaw {
            Flaw::Wrong(text) => Flaw::Wrong(format!("{text}, after {}", self.question())),
            other => other,
        })
    }

    /// What was asked, for messages.
    pub(super) fn question(&self) -> String {
        format!("{}, {}", shown(self.scene.line()), shown(&self.go))
    }

    fn take_in(&mut self, line: &str) -> Result<Heard, Flaw> {
        let info = match parse_reply(line) {
            Ok(Reply::BestMove { best, .. }) => return Ok(Heard::BestMove(best.to_owned())),
            Ok(Reply::Info(info)) => info,
            Ok(_) => return Ok(Heard::Nothing),
            Err(error) => return wrong(format!("{}: {error}", shown(line))),
        };
        if let Some(text) = info.string.filter(|text| text.starts_with("error")) {
            return Ok(Heard::Refusal(text.to_owned()));
        }
        self.scored |= info.score.is_some();
        self.check_variation(line, &info)?;
        if self.told.len() < KEPT_LINES {
            let multipv = info.multipv.unwrap_or(1);
            self.told.push(Told { line: line.to_owned(), multipv, first: info.moves().next().map(str::to_owned) });
        }
        Ok(Heard::Nothing)
    }

    /// The moves of a `pv` are legal up to the end of the game.
    fn check_variation(&self, line: &str, info: &Info<'_>) -> Result<(), Flaw> {
        let mut scene = None;
        for (number, word) in (1..).zip(info.moves()) {
            let scene = scene.get_or_insert_with(|| self.scene.clone());
            if scene.game().outcome().is_some() {
                break;
            }
            match scene.read(word) {
                Some(m) => scene.play(m),
                None => {
                    let (line, asked) = (shown(line), self.question());
                    return wrong(format!("move {number} of the pv is not legal in {line} after {asked}"));
                }
            }
        }
        Ok(())
    }
}
