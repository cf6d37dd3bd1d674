//! What a game is written down on while it is played, and how it ended.

use super::{FailedTurn, Finished};
use crate::contest::played::{MoveInfo, PlayedGame, ResultText, Termination};
use crate::contest::schedule::GameTask;
use crate::game::{EndReason, GameResult, Outcome};
use std::time::{Duration, Instant};

/// What a game is written down on while it is played.
#[derive(Default)]
pub(super) struct Sheet {
    /// The position in which it began, as text.
    pub(super) opening: String,
    pub(super) moves: Vec<String>,
    pub(super) infos: Vec<MoveInfo>,
    pub(super) disputes: Vec<String>,
}

impl Sheet {
    /// The game at its end; `names` are South's and North's, `started` when it began, by the calendar and by the clock.
    pub(super) fn finish(
        self,
        task: &GameTask,
        [south, north]: [String; 2],
        usable: [bool; 2],
        end: End,
        (started, clock): (jiff::Timestamp, Instant),
    ) -> Finished {
        let game = PlayedGame {
            game: task.game,
            pair: task.pair,
            round: task.round,
            variant: task.variant,
            south,
            north,
            opening: self.opening,
            opening_number: u32::try_from(task.opening + 1).unwrap_or(u32::MAX),
            plies: u32::try_from(self.moves.len()).unwrap_or(u32::MAX),
            moves: self.moves,
            result: ResultText(end.result),
            reason: end.reason,
            ending: end.ending.map(|rule| rule.name().to_owned()),
            detail: end.detail,
            seed: task.seed,
            started: started.to_string(),
            duration_ms: u64::try_from(clock.elapsed().as_millis()).unwrap_or(u64::MAX),
            infos: self.infos,
            runner_late_ms: end.runner_late.map(|late| u64::try_from(late.as_millis()).unwrap_or(u64::MAX)),
            disputes: self.disputes,
        };
        Finished { game, failed: end.failed, usable }
    }
}

/// How a game ended.
pub(super) struct End {
    pub(super) result: GameResult,
    pub(super) reason: Termination,
    pub(super) ending: Option<EndReason>,
    pub(super) detail: Option<String>,
    pub(super) failed: Option<FailedTurn>,
    pub(super) runner_late: Option<Duration>,
}

impl End {
    pub(super) fn by_rule(outcome: Outcome) -> End {
        let reason = match outcome.reason {
            EndReason::Repetition => Termination::Repetition,
            EndReason::EndlessRelay => Termination::EndlessRelay,
            EndReason::Immobile | EndReason::NoSeeds | EndReason::FrontRowEmpty => Termination::Normal,
        };
        End {
            result: outcome.result,
            reason,
            ending: Some(outcome.reason),
            detail: None,
            failed: None,
            runner_late: None,
        }
    }
}
