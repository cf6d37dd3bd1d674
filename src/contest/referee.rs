//! Plays one game between two engines by the rules, and says who won and why.

mod sheet;

use super::adjudication::Adjudicator;
use super::client::{Allowance, Answer, Client, Failure, Trouble};
use super::clock::Clock;
use super::config::MatchConfig;
use super::lag::LagMeter;
use super::limits::EngineLimits;
use super::played::{MoveInfo, PlayedGame, Termination};
use super::schedule::GameTask;
use super::stop::StopSignal;
use crate::game::{AnyPosition, GameRecord, GameResult, Side, Variant};
use crate::notation::{move_text, parse_move, position_text, quote};
use sheet::{End, Sheet};
use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// The runner stops, and the game with it.
#[derive(Debug)]
pub(super) struct Stopped;

/// A game that came to an end.
#[derive(Debug)]
pub(super) struct Finished {
    /// The game as the journal keeps it.
    pub(super) game: PlayedGame,
    /// The failure that ended it.
    pub(super) failed: Option<FailedTurn>,
    /// The engines that can play on, South's and North's.
    pub(super) usable: [bool; 2],
}

/// The turn in which an engine failed.
#[derive(Clone, Debug)]
pub(super) struct FailedTurn {
    pub(super) side: Side,
    pub(super) failure: Failure,
    /// The position on the board, as text.
    pub(super) position: String,
    /// How long its last answer was allowed to take; `None` if it was not to move.
    pub(super) allowance: Option<Allowance>,
    /// What it answered, if that was the failure.
    pub(super) answer: Option<String>,
}

/// What the referee needs besides the engines.
#[derive(Clone, Copy)]
pub(super) struct Surroundings<'a> {
    pub(super) config: &'a MatchConfig,
    pub(super) lag: &'a LagMeter,
    pub(super) stop: &'a StopSignal,
}

/// Which of South's and North's things is meant.
pub(super) const fn of_side<T>(things: &[T; 2], side: Side) -> &T {
    let [south, north] = things;
    match side {
        Side::South => south,
        Side::North => north,
    }
}

fn of_side_mut<T>(things: &mut [T; 2], side: Side) -> &mut T {
    let [south, north] = things;
    match side {
        Side::South => south,
        Side::North => north,
    }
}

/// Plays a game of `task` from `opening`.
///
/// # Errors
/// [`Stopped`] if the runner stops first.
pub(super) fn play(
    task: &GameTask,
    opening: &AnyPosition,
    clients: [&mut Client; 2],
    surroundings: Surroundings<'_>,
) -> Result<Finished, Stopped> {
    let started = (jiff::Timestamp::now(), Instant::now());
    let mut game = Game::new(task.variant, opening, clients, surroundings);
    let end = match game.begin(task.seed) {
        Ok(()) => game.play_on(),
        Err(end) => Err(end),
    };
    let end = match end {
        Ok(end) => end,
        Err(Interruption::End(end)) => *end,
        Err(Interruption::Stopped) => return Err(Stopped),
    };
    game.hear_disputes(&end)?;
    let names = game.clients.each_ref().map(|client| client.engine().name.clone());
    Ok(game.sheet.finish(task, names, game.usable, end, started))
}

/// A game that is lost before it begins, because an engine could not be started for it.
pub(super) fn forfeit(
    task: &GameTask,
    opening: &AnyPosition,
    names: [String; 2],
    side: Side,
    failure: &Failure,
) -> Finished {
    let started = (jiff::Timestamp::now(), Instant::now());
    let opening = position_text(&opening.to_setup()).to_string();
    let position = opening.clone();
    let end = End {
        result: GameResult::Win(!side),
        reason: failure.kind,
        ending: None,
        detail: Some(format!("{side}, at its start: {failure}")),
        failed: Some(FailedTurn { side, failure: failure.clone(), position, allowance: None, answer: None }),
        runner_late: None,
    };
    let usable = [side != Side::South, side != Side::North];
    Sheet { opening, ..Sheet::default() }.finish(task, names, usable, end, started)
}

enum Interruption {
    End(Box<End>),
    Stopped,
}

/// A game under way.
struct Game<'a> {
    record: GameRecord,
    sheet: Sheet,
    /// The line `position ...` with the moves so far.
    position: String,
    clients: [&'a mut Client; 2],
    clocks: [Option<Clock>; 2],
    usable: [bool; 2],
    adjudicator: Adjudicator,
    surroundings: Surroundings<'a>,
}

impl<'a> Game<'a> {
    fn new(
        variant: Variant,
        opening: &AnyPosition,
        clients: [&'a mut Client; 2],
        surroundings: Surroundings<'a>,
    ) -> Game<'a> {
        let text = position_text(&opening.to_setup()).to_string();
        let start = position_text(&AnyPosition::start(variant).to_setup()).to_string();
        let position = if text == start { "position startpos".to_owned() } else { format!("position fen {text}") };
        let clocks = clients.each_ref().map(|client| client.engine().limits.clock.map(Clock::new));
        Game {
            record: GameRecord::new(opening.clone()),
            sheet: Sheet { opening: text, ..Sheet::default() },
            position,
            clients,
            clocks,
            usable: [true; 2],
            adjudicator: Adjudicator::new(surroundings.config),
            surroundings,
        }
    }

    /// Tells both engines that a game begins.
    fn begin(&mut self, seed: u64) -> Result<(), Interruption> {
        let variant = self.record.variant();
        for side in [Side::South, Side::North] {
            // Two engines of one program shall not think alike.
            let seed = if side == Side::South { seed } else { seed ^ 0x5_bd1e_9955_bd1e };
            let stop = self.surroundings.stop;
            if let Err(trouble) = of_side_mut(&mut self.clients, side).new_game(variant, seed, stop) {
                return Err(self.lost(side, trouble, None, Instant::now()));
            }
        }
        Ok(())
    }

    fn play_on(&mut self) -> Result<End, Interruption> {
        loop {
            if let Some(outcome) = self.record.outcome() {
                return Ok(End::by_rule(outcome));
            }
            if let Some(end) = self.turn()? {
                return Ok(end);
            }
        }
    }

    /// Has the side to move make one move; the end if an adjudication follows from it.
    fn turn(&mut self) -> Result<Option<End>, Interruption> {
        let side = self.record.side_to_move();
        let (go, allowance) = self.order(side);
        let stop = self.surroundings.stop;
        let started = Instant::now();
        let answer = of_side_mut(&mut self.clients, side).think(&self.position, &go, allowance, stop);
        let Answer { best, time, info } =
            answer.map_err(|trouble| self.lost(side, trouble, Some(allowance), started))?;
        let margin = Duration::from_millis(self.limits(side).margin_ms);
        if let Some(clock) = of_side_mut(&mut self.clocks, side)
            && let Err(overrun) = clock.spend(time, margin)
        {
            // The allowance is never longer than the clock: only its rounding could lead here.
            let failure = Failure::new(Termination::Time, overrun.to_string());
            return Err(self.lost(side, failure.into(), Some(allowance), started));
        }
        self.accept(side, &best).map_err(|detail| {
            let failure = Failure::new(Termination::IllegalMove, detail);
            let mut end = self.lost(side, failure.into(), Some(allowance), started);
            if let Interruption::End(end) = &mut end
                && let Some(turn) = &mut end.failed
            {
                turn.answer = Some(best.clone());
            }
            end
        })?;
        self.sheet.infos.push(info);
        Ok(self.adjudicate(side, info))
    }

    /// Plays the move that an engine names; in words, why it cannot be.
    fn accept(&mut self, side: Side, best: &str) -> Result<(), String> {
        let m = parse_move(best, self.record.position()).map_err(|error| error.to_string())?;
        self.record.play(m).map_err(|error| format!("{}: {error}", quote(best)))?;
        let text = move_text(m, side).to_string();
        if self.sheet.moves.is_empty() {
            self.position.push_str(" moves");
        }
        // Writing to a string cannot fail.
        let _ = write!(self.position, " {text}");
        self.sheet.moves.push(text);
        Ok(())
    }

    fn adjudicate(&mut self, mover: Side, info: MoveInfo) -> Option<End> {
        // An end by the rules comes first.
        if self.record.outcome().is_some() {
            return None;
        }
        let verdict = self.adjudicator.update(mover, info.score)?;
        Some(End {
            result: verdict.result().0,
            reason: verdict.termination(),
            ending: None,
            detail: Some(verdict.to_string()),
            failed: None,
            runner_late: None,
        })
    }

    fn limits(&self, side: Side) -> EngineLimits {
        of_side(&self.clients, side).engine().limits
    }

    /// The line `go ...` for a side, and how long the answer may take.
    fn order(&self, side: Side) -> (String, Allowance) {
        let limits = self.limits(side);
        let margin = Duration::from_millis(limits.margin_ms);
        let ceiling = Duration::from_millis(self.surroundings.config.deadlines.move_ceiling_ms);
        let mut allowance = Allowance { time: ceiling, source: "ceiling" };
        let mut shorten = |time: Duration, source| {
            if time < allowance.time {
                allowance = Allowance { time, source };
            }
        };
        let mut go = "go".to_owned();
        if let Some(own) = of_side(&self.clocks, side) {
            shorten(own.remaining() + margin, "clock");
            for (name, clock) in ["w", "b"].iter().zip(&self.clocks) {
                if let Some(clock) = clock {
                    let (time, increment) = (clock.remaining_ms(), clock.increment_ms());
                    let _ = write!(go, " {name}time {time} {name}inc {increment}");
                }
            }
            if let Some(moves) = own.moves_to_go() {
                let _ = write!(go, " movestogo {moves}");
            }
        }
        if let Some(ms) = limits.move_time_ms {
            shorten(Duration::from_millis(ms) + margin, "move time");
            let _ = write!(go, " movetime {ms}");
        }
        if let Some(nodes) = limits.nodes {
            let _ = write!(go, " nodes {nodes}");
        }
        if let Some(depth) = limits.depth {
            let _ = write!(go, " depth {depth}");
        }
        (go, allowance)
    }

    /// The game as it is lost by the failure of an engine.
    fn lost(&mut self, side: Side, trouble: Trouble, allowance: Option<Allowance>, since: Instant) -> Interruption {
        let failure = match trouble {
            Trouble::Failure(failure) => failure,
            Trouble::Stopped => return Interruption::Stopped,
        };
        // A wrong move leaves an engine as it was; all else does not.
        if failure.kind != Termination::IllegalMove {
            *of_side_mut(&mut self.usable, side) = false;
        }
        let late = self.surroundings.lag.worst_since(since);
        let timed = matches!(failure.kind, Termination::Time | Termination::Stall);
        Interruption::End(Box::new(End {
            result: GameResult::Win(!side),
            reason: failure.kind,
            ending: None,
            detail: Some(format!("{side}: {failure}")),
            runner_late: (timed && late >= Duration::from_millis(1)).then_some(late),
            failed: Some(FailedTurn {
                side,
                failure,
                position: position_text(&self.record.position().to_setup()).to_string(),
                allowance,
                answer: None,
            }),
        }))
    }

    /// Asks the engines whether they see the end as the referee does.
    fn hear_disputes(&mut self, end: &End) -> Result<(), Stopped> {
        let illegal = end.failed.as_ref().and_then(|turn| turn.answer.clone());
        let (question, expected) = match (end.ending, illegal) {
            (Some(_), _) => ("query result".to_owned(), result_word(end.result)),
            (None, Some(answer)) => (format!("query islegal {answer}"), "false"),
            (None, None) => return Ok(()),
        };
        for side in [Side::South, Side::North] {
            if !of_side(&self.usable, side) {
                continue;
            }
            let client = of_side_mut(&mut self.clients, side);
            match client.query(&[&self.position, &question], self.surroundings.stop) {
                Ok(Some(said)) if said != expected => {
                    let name = &client.engine().name;
                    let dispute =
                        format!("{name} ({side}) answers {question} by {}, the referee by {expected}", quote(&said));
                    log::warn!("{dispute}");
                    self.sheet.disputes.push(dispute);
                }
                Ok(_) => {}
                Err(Trouble::Stopped) => return Err(Stopped),
                // The game is over: this is no loss, but the engine must be started anew.
                Err(Trouble::Failure(failure)) => {
                    log::warn!("{} failed after the game: {failure}", client.engine().name);
                    *of_side_mut(&mut self.usable, side) = false;
                }
            }
        }
        Ok(())
    }
}

/// The word of `query result`.
const fn result_word(result: GameResult) -> &'static str {
    match result {
        GameResult::Win(Side::South) => "p1win",
        GameResult::Win(Side::North) => "p2win",
        GameResult::Draw => "draw",
    }
}
