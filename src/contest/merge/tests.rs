//! Shards of small matches.

use super::*;
use crate::contest::played::{ResultText, Termination};
use crate::contest::{OptionValue, specimen};
use crate::game::Side;
use proptest::prelude::*;

/// A match of so many rounds, each a pair of games for each of three pairings. Its seed and its openings begin at `seed`.
fn shard(seed: u64, rounds: u32, results: &[u8]) -> MatchRecord {
    let mut file = specimen::file();
    file.config.engines = ["new", "old", "third"].map(specimen::engine).into();
    (file.config.seed, file.config.rounds) = (seed, rounds);
    let openings: Vec<String> = (0..rounds).map(|n| format!("opening {seed} {n}")).collect();
    file.openings.insert("kigogo".to_owned(), openings.clone());
    file.hash = config_hash(&file.config, &file.binaries, &file.openings);
    let mut results = results.iter().cycle();
    let mut games: Vec<PlayedGame> = Vec::new();
    for (round, opening) in (1..).zip(&openings) {
        for (a, b) in [("new", "old"), ("new", "third"), ("old", "third")] {
            for (south, north) in [(a, b), (b, a)] {
                let number = games.len() as u64;
                games.push(PlayedGame {
                    game: number + 1,
                    pair: number / 2 + 1,
                    round,
                    opening: opening.clone(),
                    opening_number: round,
                    south: south.to_owned(),
                    north: north.to_owned(),
                    result: ResultText::ALL[usize::from(*results.next().unwrap()) % 3],
                    reason: Termination::Normal,
                    seed: seed * 1000 + number / 2,
                    ..specimen::game()
                });
            }
        }
    }
    MatchRecord { file, games }
}

/// By engine and pairing: games, half points as South and as North; and how many pairs had so many half points of the
/// engine whose name comes first.
fn totals(record: &MatchRecord) -> BTreeMap<String, u64> {
    let mut totals = BTreeMap::new();
    let mut pairs: BTreeMap<u64, Vec<&PlayedGame>> = BTreeMap::new();
    for game in &record.games {
        for side in Side::ALL {
            *totals.entry(format!("{} {side}", game.engine(side))).or_default() +=
                u64::from(game.result.half_points(side));
            *totals.entry(format!("{} games", game.engine(side))).or_default() += 1;
        }
        pairs.entry(game.pair).or_default().push(game);
    }
    for games in pairs.values() {
        let mut names = [games[0].engine(Side::South), games[0].engine(Side::North)];
        names.sort_unstable();
        let points: u8 = games
            .iter()
            .map(|g| g.result.half_points(if g.south == names[0] { Side::South } else { Side::North }))
            .sum();
        *totals.entry(format!("{names:?} {} games, {points} half points", games.len())).or_default() += 1;
    }
    totals
}

#[test]
fn games_pairs_and_openings_are_numbered_on() {
    let (first, second) = (shard(1, 2, &[0]), shard(2, 1, &[1]));
    let merged = merge(&[second.clone(), first.clone()]).unwrap();
    let numbers: Vec<u64> = merged.games.iter().map(|game| game.game).collect();
    assert_eq!(numbers, (1..=18).collect::<Vec<_>>());
    let last = &merged.games[17];
    assert_eq!((last.pair, last.round, last.opening_number), (9, 3, 3));
    assert_eq!(merged.file.config.rounds, 3);
    assert_eq!(merged.file.config.seed, 1);
    for game in &merged.games {
        assert_eq!(merged.file.openings["kigogo"][game.opening_number as usize - 1], game.opening);
    }
    assert_ne!(merged.file.hash, first.file.hash);
    assert_eq!(merged.file.hash, config_hash(&merged.file.config, &merged.file.binaries, &merged.file.openings));
    assert_eq!(merge(&[]), Err(MergeError::Nothing));
}

#[test]
fn half_pairs_stay_apart() {
    let mut record = shard(1, 1, &[0]);
    // Interrupted within the first pair; games finish in any order.
    record.games.remove(0);
    record.games.reverse();
    let merged = merge(&[record, shard(2, 1, &[0])]).unwrap();
    let pairs: Vec<u64> = merged.games.iter().map(|game| game.pair).collect();
    assert_eq!(pairs, [1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]);
}

#[test]
fn shards_of_different_matches_are_refused() {
    type Change = fn(&mut ConfigFile);
    let changes: [(Change, &str); 11] = [
        (
            |f| f.config.engines[1].limits.nodes = Some(5),
            "match.engines[1].limits.nodes of config.json: found 5, expected 1000",
        ),
        (
            |f| f.config.engines[0].options.push(OptionValue { name: "A".into(), value: None }),
            "match.engines[0].options of",
        ),
        (|f| f.config.engines[0].arguments.push("x".into()), "match.engines[0].arguments of"),
        (|f| f.config.engines[2].name = "last".into(), "match.engines[2].name of"),
        (|f| drop(f.config.engines.pop()), "match.engines of"),
        (|f| f.config.variants.push(Variant::Kimasai), "match.variants of"),
        (|f| f.config.max_plies = Some(1), "match.max_plies of config.json: found 1, expected null"),
        (|f| f.config.deadlines.ping_ms = 1, "match.deadlines.ping_ms of"),
        (|f| f.config.openings = OpeningSource::Random { plies: 4, start: 0 }, "match.openings.random.plies of"),
        (
            |f| drop(f.binaries.insert("old".into(), "cd".into())),
            "binaries.old of config.json: found \"cd\", expected \"ab",
        ),
        (|f| f.kete = "9".into(), "kete of config.json"),
    ];
    for (change, expected) in changes {
        let mut other = shard(2, 1, &[0]);
        change(&mut other.file);
        let error = merge(&[shard(1, 1, &[0]), shard(3, 1, &[0]), other]).unwrap_err().to_string();
        let expected = format!("shard 3 differs from shard 1 in {expected}");
        assert!(error.starts_with(&expected), "{error}\n{expected}");
    }
}

#[test]
fn a_shard_may_have_been_played_elsewhere() {
    let mut other = shard(2, 4, &[0]);
    other.file.config.openings = OpeningSource::Random { plies: 3, start: 17 };
    other.file.config.engines[0].program = Program::File("/elsewhere/kete".into());
    other.file.config.engines[0].directory = Some("/elsewhere".into());
    other.file.host.cores = 99;
    other.file.created.push('!');
    other.file.command.clear();
    assert_eq!(merge(&[shard(1, 1, &[0]), other]).unwrap().file.config.rounds, 5);
}

#[test]
fn a_game_counts_once() {
    let (first, mut second) = (shard(1, 1, &[0]), shard(2, 1, &[0]));
    let mut copy = first.games[3].clone();
    copy.game = 7;
    second.games.push(copy);
    let error = merge(&[second.clone(), first.clone()]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "game 7 of shard 1 is game 4 of shard 2 again: third against new from opening 1 0, seed 1001, expected each game once"
    );
    assert!(matches!(merge(&[first.clone(), first]), Err(MergeError::Twice { .. })));
    // The same players on the other sides, or another seed, make another game.
    second.games.pop();
    let mut again = second.games[0].clone();
    again.seed += 500;
    second.games.push(again);
    assert!(merge(&[second]).is_ok());
}

#[test]
fn tournaments_that_depend_on_results_are_refused() {
    let mut record = shard(1, 1, &[0]);
    record.file.config.tournament = Tournament::Gauntlet;
    assert!(merge(std::slice::from_ref(&record)).is_ok());
    record.file.config.tournament = Tournament::Swiss;
    let error = merge(&[record]).unwrap_err();
    assert_eq!(error.to_string(), "shard 1 is a swiss tournament, expected a round-robin or a gauntlet");
}

#[test]
fn rounds_beyond_all_counting_are_refused() {
    let (mut a, mut b) = (shard(1, 1, &[0]), shard(2, 1, &[0]));
    (a.file.config.rounds, b.file.config.rounds) = (u32::MAX, 1);
    b.games.clear();
    assert_eq!(merge(&[a, b]), Err(MergeError::TooMany { what: "rounds" }));
}

proptest! {
    /// Rounds of one match, dealt to shards and stirred, add up to that match again, in whatever order they come.
    #[test]
    fn shards_of_a_match_add_up_to_it(
        results in proptest::collection::vec(0..3_u8, 1..60),
        dealt in proptest::collection::vec(0..3_usize, 1..12),
        lost in proptest::collection::vec(any::<bool>(), 72),
        turns in 0..3_usize,
    ) {
        let mut whole = shard(1, dealt.len() as u32, &results);
        let mut shards = vec![MatchRecord { games: Vec::new(), ..whole.clone() }; 3];
        let mut kept = lost.iter().cycle();
        whole.games.retain(|_| *kept.next().unwrap());
        for (i, part) in shards.iter_mut().enumerate() {
            let mine = |number: u32| dealt[number as usize - 1] == i;
            // Numbers of games and pairs may have gaps; openings are those of the shard alone.
            let own: Vec<u32> = (1..=dealt.len() as u32).filter(|&number| mine(number)).collect();
            part.games = whole.games.iter().rev().filter(|game| mine(game.opening_number)).cloned().collect();
            for game in &mut part.games {
                game.opening_number = own.iter().position(|n| *n == game.opening_number).unwrap() as u32 + 1;
                game.round = game.opening_number;
            }
            part.file.config.rounds = own.len() as u32;
            part.file.openings.values_mut().for_each(|texts| {
                *texts = own.iter().map(|&number| texts[number as usize - 1].clone()).collect();
            });
        }
        let merged = merge(&shards).unwrap();
        prop_assert_eq!(totals(&merged), totals(&whole));
        prop_assert_eq!(merged.file.config.rounds, whole.file.config.rounds);
        for (game, number) in merged.games.iter().zip(1..) {
            prop_assert_eq!(game.game, number);
            prop_assert_eq!(&merged.file.openings["kigogo"][game.opening_number as usize - 1], &game.opening);
            prop_assert_eq!(game.round, game.opening_number);
        }
        shards.rotate_left(turns);
        shards.swap(0, 1);
        prop_assert_eq!(merge(&shards).unwrap(), merged.clone());
        // What was merged can be merged again.
        prop_assert_eq!(merge(std::slice::from_ref(&merged)).unwrap(), merged);
    }
}
