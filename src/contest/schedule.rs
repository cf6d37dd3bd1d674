//! Which games a match has, in which order.
//!
//! A match is played in waves: pairings that play the same openings, each in every variant. In a round robin and a
//! gauntlet a wave is a round and follows from the configuration. In a Swiss or knockout tournament a wave follows from
//! the results of the waves before it, and begins when these are complete. So the list of games is a function of the
//! configuration and of the results alone, in whichever order the results come in, and a resumed match goes on with the
//! games that it would have had.

mod knockout;
mod matching;
mod plan;
mod seed;
mod swiss;

use super::config::{MatchConfig, OpeningSource, Tournament};
use super::played::PlayedGame;
use crate::game::{Side, Variant};
use plan::{PairResult, Plan, games_a_pair};
use seed::mixed;
use std::collections::BTreeMap;
use std::fmt::Display;

pub use knockout::{KnockoutMatch, KnockoutStage, TIE_BREAKS};
pub use swiss::SwissPlace;

/// One game to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameTask {
    /// Its number in the match, from 1.
    pub game: u64,
    /// The number of its pair, from 1; without pairs, that of the game.
    pub pair: u64,
    /// The round of the tournament, from 1; in a knockout tournament, the stage.
    pub round: u32,
    /// The game that is played.
    pub variant: Variant,
    /// South's index in the list of engines.
    pub south: usize,
    /// North's.
    pub north: usize,
    /// The index of the opening in the variant's list.
    pub opening: usize,
    /// The seed of the game, less than 2^53. It depends on the seed of the match, the variant, the engines, their sides and
    /// the number of the opening in the whole sequence, not on the number of the game: a part of a match that passes over
    /// the first openings has the same games as the whole.
    pub seed: u64,
}

/// What is to be done next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// This game is to be played.
    Play(GameTask),
    /// Nothing now: the results of games in progress decide what comes next.
    Wait,
    /// Nothing any more: every game is finished or in progress.
    Finished,
}

/// Why a game is none of the match.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScheduleError {
    /// A number that no game has.
    #[error("game {game} is on record, but the match has no such game")]
    Unknown {
        /// The number.
        game: u64,
    },
    /// Which games come next is not decided yet.
    #[error("game {game} is on record, but games that must be finished before it begins are not")]
    TooEarly {
        /// The number.
        game: u64,
    },
    /// Two results of one game.
    #[error("game {game} is on record twice")]
    Twice {
        /// The number.
        game: u64,
    },
    /// Another game than that of the schedule.
    #[error("game {game}: {field} is {found}, expected {expected}")]
    Differs {
        /// The number.
        game: u64,
        /// What differs, by its key in the journal.
        field: &'static str,
        /// Its value.
        found: String,
        /// The value by the schedule.
        expected: String,
    },
}

/// The state of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Progress {
    Open,
    HandedOut,
    /// With the half points of the first engine.
    Finished(u8),
    /// There is no such game: pairs have but one.
    Absent,
}

/// The games of two engines from one opening.
#[derive(Clone, Debug)]
struct Pair {
    round: u32,
    variant: Variant,
    first: usize,
    second: usize,
    opening: u32,
    games: [Progress; 2],
}

/// The games of a match: which come next, and which are finished.
#[derive(Clone, Debug)]
pub struct Schedule {
    names: Vec<String>,
    variants: Vec<Variant>,
    games_a_pair: u64,
    seed: u64,
    /// The openings that the match passes over.
    start: u64,
    plan: Plan,
    /// There is no further wave.
    closed: bool,
    /// Every pair that is planned so far; its number is the index plus 1.
    pairs: Vec<Pair>,
    /// The index of the first pair of the present wave.
    wave: usize,
    /// Games of the present wave that are not finished, if their results are needed.
    unfinished: u64,
    /// The index of the next game to look at.
    cursor: u64,
    done: u64,
}

impl Schedule {
    /// The schedule of a match that begins.
    pub fn new(config: &MatchConfig) -> Schedule {
        let start = match config.openings {
            OpeningSource::Random { start, .. } | OpeningSource::File { start, .. } => start,
        };
        let mut schedule = Schedule {
            names: config.engines.iter().map(|engine| engine.name.clone()).collect(),
            variants: config.variants.clone(),
            games_a_pair: games_a_pair(config),
            seed: config.seed,
            start: start.into(),
            plan: Plan::new(config),
            closed: false,
            pairs: Vec::new(),
            wave: 0,
            unfinished: 0,
            cursor: 0,
            done: 0,
        };
        schedule.plan_wave();
        schedule
    }

    /// How many openings each variant needs: one a round, and in a knockout tournament `rounds` and [`TIE_BREAKS`] more,
    /// which all its matches share.
    pub fn openings_needed(config: &MatchConfig) -> usize {
        let tie_breaks = if config.tournament == Tournament::Knockout { TIE_BREAKS } else { 0 };
        config.rounds.saturating_add(tie_breaks) as usize
    }

    /// The schedule of a match of which these games are finished, in any order. `openings` are those of `config.json`.
    ///
    /// # Errors
    /// [`ScheduleError`] if a game is not the one that the schedule has under its number, or occurs twice.
    pub fn resume(
        config: &MatchConfig,
        games: &[PlayedGame],
        openings: &BTreeMap<String, Vec<String>>,
    ) -> Result<Schedule, ScheduleError> {
        let mut schedule = Schedule::new(config);
        // By number: what decides a wave comes before its games.
        let mut games: Vec<&PlayedGame> = games.iter().collect();
        games.sort_by_key(|game| game.game);
        for game in games {
            schedule.finished(game)?;
            let listed = openings.get(game.variant.name());
            let index = (game.opening_number as usize).saturating_sub(1);
            let expected = listed.and_then(|texts| texts.get(index)).map_or("none", String::as_str);
            same(game, "opening", &game.opening.as_str(), &expected)?;
        }
        Ok(schedule)
    }

    /// The next game, if there is one. Each is handed out once.
    pub fn step(&mut self) -> Step {
        loop {
            while let Some(task) = self.task(self.cursor) {
                let index = self.cursor;
                self.cursor += 1;
                if let Some(progress) = self.progress(index).filter(|progress| **progress == Progress::Open) {
                    *progress = Progress::HandedOut;
                    return Step::Play(task);
                }
            }
            if self.closed || self.plan.is_last() {
                return Step::Finished;
            }
            if self.plan.needs_results() {
                return Step::Wait;
            }
            self.plan_wave();
        }
    }

    /// Takes the result of a game.
    ///
    /// # Errors
    /// [`ScheduleError`] if the game is not the one that the schedule has under its number, or has a result already.
    pub fn finished(&mut self, game: &PlayedGame) -> Result<(), ScheduleError> {
        let number = game.game;
        let index = number.checked_sub(1).ok_or(ScheduleError::Unknown { game: number })?;
        if self.total().is_some_and(|total| number > total) {
            return Err(ScheduleError::Unknown { game: number });
        }
        let task = loop {
            match self.task(index) {
                Some(task) => break task,
                None if self.closed || self.plan.is_last() => return Err(ScheduleError::Unknown { game: number }),
                None if self.plan.needs_results() => return Err(ScheduleError::TooEarly { game: number }),
                None => self.plan_wave(),
            }
        };
        let name = |engine| self.names.get(engine).map_or("", String::as_str);
        same(game, "pair", &game.pair, &task.pair)?;
        same(game, "round", &game.round, &task.round)?;
        same(game, "variant", &game.variant, &task.variant)?;
        same(game, "south", &game.south.as_str(), &name(task.south))?;
        same(game, "north", &game.north.as_str(), &name(task.north))?;
        same(game, "opening_number", &(game.opening_number as usize), &(task.opening + 1))?;
        same(game, "seed", &game.seed, &task.seed)?;
        let side = if task.south < task.north { Side::South } else { Side::North };
        match self.progress(index) {
            None | Some(Progress::Finished(_) | Progress::Absent) => return Err(ScheduleError::Twice { game: number }),
            Some(progress) => *progress = Progress::Finished(game.result.half_points(side)),
        }
        self.done += 1;
        if self.plan.needs_results() {
            self.unfinished = self.unfinished.saturating_sub(1);
            if self.unfinished == 0 {
                self.plan_wave();
            }
        }
        Ok(())
    }

    /// Games in all. In a knockout tournament `None` until there is a champion: see [`Schedule::total_at_least`].
    pub fn total(&self) -> Option<u64> {
        let known = self.plan.total(self.games_a_pairing());
        known.or_else(|| self.closed.then(|| self.pairs.len() as u64 * self.games_a_pair))
    }

    /// Games in all, those left out that only a tie in a knockout match to come would call for.
    pub fn total_at_least(&self) -> u64 {
        match &self.plan {
            Plan::Knockout(knockout) => {
                let to_come = knockout.openings_to_come() * self.games_a_pairing();
                self.pairs.len() as u64 * self.games_a_pair + to_come
            }
            _ => self.total().unwrap_or(0),
        }
    }

    /// Games that are finished.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// The index of the engine that has won a knockout tournament; `None` before that, and in other tournaments.
    pub fn champion(&self) -> Option<usize> {
        if let Plan::Knockout(knockout) = &self.plan { knockout.champion() } else { None }
    }

    /// The stages of a knockout tournament so far, the first one first; none of other tournaments.
    pub fn stages(&self) -> &[KnockoutStage] {
        if let Plan::Knockout(knockout) = &self.plan { knockout.stages() } else { &[] }
    }

    /// The table of a Swiss tournament after its last complete round, the leader first; none of other tournaments.
    pub fn swiss_table(&self) -> Vec<SwissPlace> {
        if let Plan::Swiss(swiss) = &self.plan { swiss.table() } else { Vec::new() }
    }

    /// Games of one pairing with one opening.
    fn games_a_pairing(&self) -> u64 {
        self.games_a_pair * self.variants.len() as u64
    }

    /// Adds the next wave that has games.
    fn plan_wave(&mut self) {
        while !self.closed {
            let results: Vec<PairResult> = self.pairs.iter().skip(self.wave).map(Pair::result).collect();
            self.wave = self.pairs.len();
            let Some(wave) = self.plan.next(&results) else {
                self.closed = true;
                return;
            };
            for opening in wave.openings {
                for &variant in &self.variants {
                    self.pairs.extend(wave.pairings.iter().map(|&(first, second)| {
                        let second_game = if self.games_a_pair == 2 { Progress::Open } else { Progress::Absent };
                        let games = [Progress::Open, second_game];
                        Pair { round: wave.round, variant, first, second, opening, games }
                    }));
                }
            }
            self.unfinished = (self.pairs.len() - self.wave) as u64 * self.games_a_pair;
            if self.unfinished > 0 {
                return;
            }
        }
    }

    fn progress(&mut self, index: u64) -> Option<&mut Progress> {
        let pair = self.pairs.get_mut((index / self.games_a_pair) as usize)?;
        pair.games.get_mut((index % self.games_a_pair) as usize)
    }

    fn task(&self, index: u64) -> Option<GameTask> {
        let (pair_index, second_game) = (index / self.games_a_pair, index % self.games_a_pair == 1);
        let pair = self.pairs.get(usize::try_from(pair_index).ok()?)?;
        let opening = self.start + u64::from(pair.opening);
        // Without pairs the sides alternate from opening to opening.
        let swapped = if self.games_a_pair == 2 { second_game } else { opening % 2 == 1 };
        let (south, north) = if swapped { (pair.second, pair.first) } else { (pair.first, pair.second) };
        let parts = [pair.variant as u64, pair.first as u64, pair.second as u64, opening, u64::from(swapped)];
        Some(GameTask {
            game: index + 1,
            pair: pair_index + 1,
            round: pair.round,
            variant: pair.variant,
            south,
            north,
            opening: pair.opening as usize,
            seed: mixed(self.seed, parts) >> 11,
        })
    }
}

impl Pair {
    fn result(&self) -> PairResult {
        let mut half_points = [0, 0];
        for progress in self.games {
            if let Progress::Finished(points) = progress {
                let [first, second] = half_points;
                half_points = [first + u64::from(points), second + u64::from(2 - points)];
            }
        }
        PairResult { first: self.first, second: self.second, half_points }
    }
}

fn same<T: PartialEq + Display>(
    game: &PlayedGame,
    field: &'static str,
    found: &T,
    expected: &T,
) -> Result<(), ScheduleError> {
    if found == expected {
        return Ok(());
    }
    Err(ScheduleError::Differs { game: game.game, field, found: found.to_string(), expected: expected.to_string() })
}

#[cfg(test)]
mod tests;
