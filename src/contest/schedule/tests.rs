//! Tests of the order of games.

mod decided;

use super::super::config::{Deadlines, EngineConfig, Program};
use super::super::limits::EngineLimits;
use super::super::played::{ResultText, Termination};
use super::seed::scattered;
use super::*;
use crate::game::GameResult;
use proptest::prelude::*;
use std::collections::{BTreeSet, HashSet};

fn config(tournament: Tournament, engines: usize, rounds: u32, games: u32) -> MatchConfig {
    let engine = |index| EngineConfig {
        name: format!("engine{index}"),
        program: Program::Builtin,
        directory: None,
        arguments: Vec::new(),
        options: Vec::new(),
        limits: EngineLimits::default(),
    };
    MatchConfig {
        variants: vec![Variant::Kimasai, Variant::Kigogo],
        engines: (0..engines).map(engine).collect(),
        tournament,
        rounds,
        games,
        openings: OpeningSource::Random { plies: 6, start: 0 },
        seed: 17,
        max_plies: None,
        resign: None,
        draw: None,
        sprt: None,
        deadlines: Deadlines::default(),
    }
}

fn starting_at(start: u32, config: MatchConfig) -> MatchConfig {
    MatchConfig { openings: OpeningSource::Random { plies: 6, start }, ..config }
}

fn openings(config: &MatchConfig) -> BTreeMap<String, Vec<String>> {
    let texts = |variant: &Variant| {
        let texts = (0..Schedule::openings_needed(config)).map(|i| format!("{variant} opening {i} S")).collect();
        (variant.name().to_owned(), texts)
    };
    config.variants.iter().map(texts).collect()
}

fn played(config: &MatchConfig, task: &GameTask, result: GameResult) -> PlayedGame {
    PlayedGame {
        game: task.game,
        pair: task.pair,
        round: task.round,
        variant: task.variant,
        south: config.engines[task.south].name.clone(),
        north: config.engines[task.north].name.clone(),
        opening: openings(config)[task.variant.name()][task.opening].clone(),
        opening_number: task.opening as u32 + 1,
        moves: Vec::new(),
        result: ResultText(result),
        reason: Termination::Normal,
        ending: None,
        detail: None,
        plies: 0,
        seed: task.seed,
        started: String::new(),
        duration_ms: 0,
        infos: Vec::new(),
        runner_late_ms: None,
        disputes: Vec::new(),
    }
}

/// A result that depends on the game alone; three of eight are draws.
fn by_seed(task: &GameTask) -> GameResult {
    match scattered(task.seed) % 8 {
        0..3 => GameResult::Win(Side::South),
        3..5 => GameResult::Win(Side::North),
        _ => GameResult::Draw,
    }
}

fn draws(_: &GameTask) -> GameResult {
    GameResult::Draw
}

/// The engine that is listed first wins.
fn by_index(task: &GameTask) -> GameResult {
    GameResult::Win(if task.south < task.north { Side::South } else { Side::North })
}

/// Plays on to the end with so many games at once, which finish in an order drawn from `luck`.
fn play(
    schedule: &mut Schedule,
    config: &MatchConfig,
    at_once: usize,
    mut luck: u64,
    result: fn(&GameTask) -> GameResult,
) -> Vec<(GameTask, PlayedGame)> {
    let mut finished = Vec::new();
    let mut running: Vec<GameTask> = Vec::new();
    loop {
        let step = if running.len() < at_once { schedule.step() } else { Step::Wait };
        match step {
            Step::Play(task) => running.push(task),
            Step::Finished if running.is_empty() => break,
            Step::Wait | Step::Finished => {
                luck = scattered(luck);
                assert!(!running.is_empty(), "waits for nothing");
                let task = running.swap_remove((luck % running.len() as u64) as usize);
                let game = played(config, &task, result(&task));
                schedule.finished(&game).unwrap();
                finished.push((task, game));
            }
        }
    }
    assert_eq!(schedule.step(), Step::Finished);
    assert_eq!(schedule.total(), Some(schedule.done()));
    assert_eq!(schedule.total_at_least(), schedule.done());
    finished
}

fn whole(config: &MatchConfig, result: fn(&GameTask) -> GameResult) -> Vec<GameTask> {
    let mut schedule = Schedule::new(config);
    play(&mut schedule, config, 1, 0, result).into_iter().map(|(task, _)| task).collect()
}

/// Of each round, who plays whom.
fn rounds(tasks: &[GameTask]) -> BTreeMap<u32, BTreeSet<(usize, usize)>> {
    let mut rounds: BTreeMap<u32, BTreeSet<(usize, usize)>> = BTreeMap::new();
    for task in tasks {
        rounds.entry(task.round).or_default().insert((task.south.min(task.north), task.south.max(task.north)));
    }
    rounds
}

#[test]
fn a_round_robin_plays_each_opening_with_both_sides_in_each_variant() {
    let config = config(Tournament::RoundRobin, 3, 2, 2);
    let tasks = whole(&config, draws);
    let found: Vec<_> =
        tasks.iter().map(|t| (t.game, t.pair, t.round, t.variant, t.south, t.north, t.opening)).collect();
    let mut expected = Vec::new();
    for round in 1..=2 {
        for variant in [Variant::Kimasai, Variant::Kigogo] {
            for (a, b) in [(0, 1), (0, 2), (1, 2)] {
                for (south, north) in [(a, b), (b, a)] {
                    let game = expected.len() as u64 + 1;
                    expected.push((game, game.div_ceil(2), round, variant, south, north, round as usize - 1));
                }
            }
        }
    }
    assert_eq!(found, expected);
    assert_eq!(Schedule::new(&config).total(), Some(24));
}

#[test]
fn without_pairs_the_sides_alternate() {
    let config = config(Tournament::Gauntlet, 3, 4, 1);
    let tasks = whole(&config, draws);
    assert_eq!(tasks.len(), 16);
    for task in &tasks {
        assert_eq!(task.pair, task.game);
        assert_eq!(task.south == 0, task.round % 2 == 1);
        assert!(task.south == 0 || task.north == 0);
    }
}

#[test]
fn parts_of_a_match_have_the_games_of_the_whole() {
    for games in [1, 2] {
        let key = |start: usize| {
            move |t: &GameTask| (t.variant, t.south, t.north, t.opening + start, t.seed) // the opening in the sequence
        };
        let all: Vec<_> = whole(&config(Tournament::RoundRobin, 3, 5, games), draws).iter().map(key(0)).collect();
        let mut parts: Vec<_> = whole(&config(Tournament::RoundRobin, 3, 3, games), draws).iter().map(key(0)).collect();
        let rest = starting_at(3, config(Tournament::RoundRobin, 3, 2, games));
        parts.extend(whole(&rest, draws).iter().map(key(3)));
        assert_eq!(all, parts);
    }
}

#[test]
fn seeds_are_distinct_and_fit_a_double() {
    let config = config(Tournament::RoundRobin, 5, 200, 2);
    let tasks = whole(&config, draws);
    let seeds: HashSet<u64> = tasks.iter().map(|task| task.seed).collect();
    assert_eq!(seeds.len(), tasks.len());
    assert!(seeds.iter().all(|&seed| seed < 1 << 53));
    let other = whole(&MatchConfig { seed: 18, ..config }, draws);
    assert!(other.iter().all(|task| !seeds.contains(&task.seed)));
    // Journals of other versions hold these numbers.
    assert_eq!(scattered(0), 0xe220_a839_7b1d_cdaf);
    assert_eq!(tasks[0].seed, mixed(17, [2, 0, 1, 0, 0]) >> 11);
    assert_eq!(tasks[1].seed, mixed(17, [2, 0, 1, 0, 1]) >> 11);
}

#[test]
fn a_hundred_thousand_games_are_quick() {
    let small = config(Tournament::RoundRobin, 2, 1, 2);
    let template = played(&small, &whole(&small, draws)[0], GameResult::Draw);
    let config = config(Tournament::RoundRobin, 2, 25_000, 2);
    let list = openings(&config);
    let begun = std::time::Instant::now();
    let mut schedule = Schedule::new(&config);
    let mut games = Vec::new();
    while let Step::Play(task) = schedule.step() {
        games.push(PlayedGame {
            game: task.game,
            pair: task.pair,
            round: task.round,
            variant: task.variant,
            south: config.engines[task.south].name.clone(),
            north: config.engines[task.north].name.clone(),
            opening: list[task.variant.name()][task.opening].clone(),
            opening_number: task.opening as u32 + 1,
            seed: task.seed,
            ..template.clone()
        });
    }
    assert_eq!(games.len(), 100_000);
    let mut schedule = Schedule::resume(&config, &games, &list).unwrap();
    assert_eq!(schedule.step(), Step::Finished);
    assert!(begun.elapsed().as_secs() < 5);
}

#[test]
fn a_record_of_another_match_is_refused() {
    let config = config(Tournament::RoundRobin, 3, 2, 2);
    let list = openings(&config);
    let task = whole(&config, draws)[4];
    let good = played(&config, &task, GameResult::Draw);
    let resumed =
        |games: &[PlayedGame]| Schedule::resume(&config, games, &list).map(|s| s.done()).map_err(|e| e.to_string());
    assert_eq!(resumed(std::slice::from_ref(&good)), Ok(1));
    assert_eq!(resumed(&[good.clone(), good.clone()]), Err("game 5 is on record twice".to_owned()));
    let change = |change: &dyn Fn(&mut PlayedGame)| {
        let mut game = good.clone();
        change(&mut game);
        resumed(&[game]).unwrap_err()
    };
    for number in [0, 25, u64::MAX] {
        let expected = format!("game {number} is on record, but the match has no such game");
        assert_eq!(change(&|game| game.game = number), expected);
    }
    assert_eq!(change(&|game| game.pair = 4), "game 5: pair is 4, expected 3");
    assert_eq!(change(&|game| game.round = 2), "game 5: round is 2, expected 1");
    assert_eq!(change(&|game| game.variant = Variant::Kigogo), "game 5: variant is kigogo, expected kimasai");
    assert_eq!(change(&|game| game.south = "x".to_owned()), "game 5: south is x, expected engine1");
    assert_eq!(change(&|game| game.north = "engine1".to_owned()), "game 5: north is engine1, expected engine2");
    assert_eq!(change(&|game| game.opening_number = 2), "game 5: opening_number is 2, expected 1");
    assert_eq!(change(&|game| game.opening = "x".to_owned()), "game 5: opening is x, expected kimasai opening 0 S");
    assert_eq!(change(&|game| game.seed = 1), format!("game 5: seed is 1, expected {}", task.seed));
    assert_eq!(change(&|game| game.game = 6), "game 6: south is engine1, expected engine2");
}

#[test]
fn a_record_of_a_round_that_cannot_have_begun_is_refused() {
    for kind in [Tournament::Swiss, Tournament::Knockout] {
        let config = config(kind, 4, 3, 2);
        let mut games: Vec<PlayedGame> =
            whole(&config, by_index).iter().map(|task| played(&config, task, by_index(task))).collect();
        let late = games.last().unwrap().game;
        games.remove(2);
        let error = Schedule::resume(&config, &games, &openings(&config)).unwrap_err();
        assert!(matches!(error, ScheduleError::TooEarly { game } if game <= late), "{error}");
    }
}

#[test]
fn a_schedule_without_games_is_finished() {
    for kind in Tournament::ALL {
        for (engines, rounds) in [(0, 3), (1, 3), (2, 0)] {
            let mut schedule = Schedule::new(&config(kind, engines, rounds, 2));
            if (kind, engines) != (Tournament::Knockout, 2) {
                assert_eq!(schedule.step(), Step::Finished, "{kind:?} {engines} {rounds}");
                assert_eq!(schedule.total(), Some(0));
            }
        }
    }
}

fn kinds() -> impl Strategy<Value = Tournament> {
    prop::sample::select(Tournament::ALL.to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn each_game_occurs_once_whatever_order_results_come_in(
        kind in kinds(), engines in 2_usize..10, rounds in 1_u32..5, games in 1_u32..3,
        at_once in 1_usize..9, luck: u64, seed in 0_u64..1000,
    ) {
        let config = MatchConfig { seed, ..config(kind, engines, rounds, games) };
        let tasks = whole(&config, by_seed);
        prop_assert!(tasks.iter().map(|task| task.game).eq(1..=tasks.len() as u64));
        let keys: HashSet<_> = tasks.iter().map(|t| (t.variant, t.south, t.north, t.opening)).collect();
        prop_assert_eq!(keys.len(), tasks.len());
        if games == 2 {
            for task in &tasks {
                prop_assert!(keys.contains(&(task.variant, task.north, task.south, task.opening)));
            }
            for pair in tasks.chunks(2) {
                prop_assert_eq!((pair[0].pair, pair[0].south), (pair[1].pair, pair[1].north));
                prop_assert!(pair[0].south < pair[0].north);
            }
        }
        prop_assert!(tasks.iter().all(|task| task.opening < Schedule::openings_needed(&config)));
        let mut schedule = Schedule::new(&config);
        let mut again: Vec<GameTask> =
            play(&mut schedule, &config, at_once, luck, by_seed).into_iter().map(|(task, _)| task).collect();
        again.sort_by_key(|task| task.game);
        prop_assert_eq!(again, tasks);
    }

    #[test]
    fn a_resumed_match_has_the_games_it_would_have_had(
        kind in kinds(), engines in 2_usize..8, rounds in 1_u32..4, games in 1_u32..3,
        at_once in 1_usize..9, luck: u64, cut: prop::sample::Index,
    ) {
        let config = config(kind, engines, rounds, games);
        let list = openings(&config);
        let mut schedule = Schedule::new(&config);
        let all = play(&mut schedule, &config, at_once, luck, by_seed);
        let mut kept: Vec<PlayedGame> = all.iter().take(cut.index(all.len() + 1)).map(|(_, game)| game.clone()).collect();
        kept.sort_by_key(|game| scattered(game.seed ^ luck));
        let mut resumed = Schedule::resume(&config, &kept, &list).unwrap();
        prop_assert_eq!(resumed.done(), kept.len() as u64);
        let rest = play(&mut resumed, &config, at_once, !luck, by_seed);
        let mut together: Vec<PlayedGame> = kept.into_iter().chain(rest.into_iter().map(|(_, game)| game)).collect();
        together.sort_by_key(|game| game.game);
        let mut expected: Vec<PlayedGame> = all.into_iter().map(|(_, game)| game).collect();
        expected.sort_by_key(|game| game.game);
        prop_assert_eq!(together, expected);
        prop_assert_eq!(resumed.stages(), schedule.stages());
        prop_assert_eq!(resumed.swiss_table(), schedule.swiss_table());
    }
}
