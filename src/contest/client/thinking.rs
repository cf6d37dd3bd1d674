//! An engine asked for a move: the answer, what was told about it, and whether it came in time.

use super::{Client, Failure, Trouble, unasked};
use crate::contest::played::{EngineScore, MoveInfo, Termination};
use crate::contest::process::Incoming;
use crate::contest::stop::StopSignal;
use crate::protocol::reply::{Reply, Score};
use std::time::{Duration, Instant};

/// How long an engine is heard out before it is asked for a move.
const HEARING: Duration = Duration::from_millis(100);

/// The answer to `go`.
#[derive(Clone, Debug, PartialEq)]
pub(in super::super) struct Answer {
    /// The word behind `bestmove`.
    pub(in super::super) best: String,
    /// From the last byte of `go` to that line.
    pub(in super::super) time: Duration,
    /// What the engine told about it.
    pub(in super::super) info: MoveInfo,
}

/// The time that an answer may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Allowance {
    /// From `go` to `bestmove`.
    pub(in super::super) time: Duration,
    /// What sets it, for messages: `clock`, `move time`, `ceiling`.
    pub(in super::super) source: &'static str,
}

impl Client {
    /// Lets the engine think about a position.
    ///
    /// # Errors
    /// If it fails: an answer that comes too late is [`Termination::Time`], one that does not come at all
    /// [`Termination::Stall`].
    pub(in super::super) fn think(
        &mut self,
        position: &str,
        go: &str,
        allowance: Allowance,
        stop: &StopSignal,
    ) -> Result<Answer, Trouble> {
        // What the engine said since its last answer belongs to no question. Some never stop talking.
        let end = Instant::now() + HEARING;
        while Instant::now() < end
            && let Some(line) = self.process.pending()
        {
            if let Reply::BestMove { .. } = self.parse(&line)? {
                return Err(unasked(&line).into());
            }
        }
        let grace = Duration::from_millis(self.deadlines.ping_ms);
        let asked = self.send(&[position, go], Instant::now() + allowance.time + grace, stop)?;
        let due = asked + allowance.time;
        let mut info = MoveInfo::default();
        let mut stop_sent = false;
        loop {
            let deadline = if stop_sent { due + grace } else { due };
            match self.process.receive(deadline, Some(stop)) {
                Incoming::Line(line, at) => {
                    if let Some(best) = self.take_in(&line, &mut info)? {
                        let time = at.saturating_duration_since(asked);
                        if time > allowance.time {
                            return Err(self.late(time, allowance).into());
                        }
                        info.time_us = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
                        return Ok(Answer { best, time, info });
                    }
                    // A flood of lines is no answer either.
                    if Instant::now() < deadline {
                        continue;
                    }
                }
                Incoming::Closed => return Err(self.crashed("while it was to move").into()),
                Incoming::Stopped => return Err(Trouble::Stopped),
                Incoming::TimedOut => {}
            }
            if stop_sent {
                let detail = format!("no answer to \"{go}\" within {} ms", (allowance.time + grace).as_millis());
                return Err(Failure::new(Termination::Stall, detail).into());
            }
            stop_sent = true;
            // It may have stopped reading; then it will not answer either.
            let _ = self.process.send(&["stop"], Instant::now(), stop);
        }
    }

    fn late(&self, time: Duration, allowance: Allowance) -> Failure {
        let (ms, allowed) = (time.as_secs_f64() * 1e3, allowance.time.as_secs_f64() * 1e3);
        Failure::new(
            Termination::Time,
            format!(
                "answered after {ms:.1} ms, {:.1} ms too late ({}: {allowed:.0} ms)",
                ms - allowed,
                allowance.source
            ),
        )
    }

    /// Notes what an `info` line says; gives the move of a `bestmove` line.
    fn take_in(&mut self, line: &str, info: &mut MoveInfo) -> Result<Option<String>, Failure> {
        match self.parse(line)? {
            Reply::BestMove { best, .. } => Ok(Some(best.to_owned())),
            Reply::Info(told) => {
                // Other lines than the best one are about other moves.
                if told.multipv.is_none_or(|n| n == 1) {
                    info.score = told.score.map(engine_score).or(info.score);
                    info.depth = told.depth.or(info.depth);
                    info.nodes = told.nodes.or(info.nodes);
                }
                Ok(None)
            }
            _ => Ok(None),
        }
    }
}

fn engine_score(score: Score) -> EngineScore {
    match score {
        Score::Centipawns(cp) => EngineScore::Centipawns(cp),
        Score::Mate(moves) => EngineScore::Mate(moves),
    }
}
