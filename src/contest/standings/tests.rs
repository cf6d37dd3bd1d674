//! Tests of the totals.

use super::super::played::{ResultText, Termination};
use super::super::sample::PairCounts;
use super::*;
use crate::game::GameResult;
use proptest::prelude::*;

const SOUTH: ResultText = ResultText(GameResult::Win(Side::South));
const NORTH: ResultText = ResultText(GameResult::Win(Side::North));
const DRAW: ResultText = ResultText(GameResult::Draw);

fn game(pair: u64, variant: Variant, sides: [&str; 2], result: ResultText) -> PlayedGame {
    let [south, north] = sides.map(str::to_owned);
    PlayedGame {
        game: 0,
        pair,
        round: 1,
        variant,
        south,
        north,
        opening: format!("{variant} 1,0/0,{pair} S 0,0 SN - 0"),
        opening_number: pair as u32,
        moves: Vec::new(),
        result,
        reason: Termination::Normal,
        ending: None,
        detail: None,
        plies: 10,
        seed: 0,
        started: String::new(),
        duration_ms: 0,
        infos: Vec::new(),
        runner_late_ms: None,
        disputes: Vec::new(),
    }
}

fn standings(games: u32, played: &[PlayedGame]) -> Standings {
    let mut standings = Standings::new(&["a".to_owned(), "b".to_owned()], games);
    played.iter().for_each(|game| standings.add(game));
    standings
}

#[test]
fn pairs_are_counted_by_class_and_half_pairs_apart() {
    let kigogo = Variant::Kigogo;
    let mut played = Vec::new();
    // Results of a: as South, then as North.
    let pairs = [(NORTH, SOUTH), (NORTH, DRAW), (SOUTH, SOUTH), (DRAW, DRAW), (DRAW, NORTH), (SOUTH, NORTH)];
    for (pair, (first, second)) in (1..).zip(pairs) {
        played.push(game(pair, kigogo, ["a", "b"], first));
        played.push(game(pair, kigogo, ["b", "a"], second));
    }
    played.push(game(7, kigogo, ["b", "a"], NORTH));
    let standings = standings(2, &played);
    let tally = standings.pairing(0, 1, Some(kigogo));
    assert_eq!(tally.pairs, PairCounts { ll: 1, ld: 1, wl_dd: 2, wd: 1, ww: 1 });
    assert_eq!(tally.unpaired, GameCounts { wins: 1, draws: 0, losses: 0 });
    assert_eq!(tally.games, GameCounts { wins: 5, draws: 4, losses: 4 });
    let other = standings.pairing(1, 0, None);
    assert_eq!((other, other.reversed()), (tally.reversed(), tally));
    assert_eq!(other.games, GameCounts { wins: 4, draws: 4, losses: 5 });
    assert_eq!(standings.sample(0, 1, None), Sample::Pairs(tally.pairs));
    assert_eq!(standings.pairing(0, 1, Some(Variant::Kimasai)), Tally::default());
    assert_eq!(standings.variants(), [kigogo]);
    assert_eq!(standings.pairings(), [(0, 1)]);
    assert_eq!(standings.engine(0, None).points() + standings.engine(1, None).points(), 13.0);
    assert_eq!(standings.openings(kigogo)[&2].first, GameCounts { wins: 0, draws: 1, losses: 1 });
    assert_eq!(standings.openings(kigogo)[&2].south, GameCounts { wins: 0, draws: 1, losses: 1 });
    assert_eq!(standings.openings(kigogo)[&6].first, GameCounts { wins: 2, draws: 0, losses: 0 });
    assert_eq!(standings.openings(kigogo)[&6].south, GameCounts { wins: 1, draws: 0, losses: 1 });
}

#[test]
fn without_pairs_games_are_the_sample() {
    let played = [game(1, Variant::Kigogo, ["a", "b"], SOUTH), game(2, Variant::Kigogo, ["b", "a"], DRAW)];
    let standings = standings(1, &played);
    let counts = GameCounts { wins: 1, draws: 1, losses: 0 };
    assert_eq!(standings.sample(0, 1, None), Sample::Games(counts));
    assert_eq!(standings.pairing(0, 1, None), Tally { games: counts, pairs: PairCounts::default(), unpaired: counts });
}

#[test]
fn games_of_equal_pair_numbers_from_pooled_matches_are_no_pair() {
    let mut other = game(1, Variant::Kigogo, ["b", "a"], SOUTH);
    other.opening = "kigogo 0,1/0,1 S 0,0 SN - 0".to_owned();
    let standings = standings(2, &[game(1, Variant::Kigogo, ["a", "b"], SOUTH), other]);
    assert_eq!(standings.pairing(0, 1, None).pairs.pairs(), 0);
    assert_eq!(standings.pairing(0, 1, None).unpaired.games(), 2);
}

#[test]
fn the_first_mover_is_read_off_the_opening() {
    use crate::game::AnyPosition;
    use crate::notation::position_text;
    for variant in Variant::ALL {
        let mut setup = AnyPosition::start(variant).to_setup();
        for side in Side::ALL {
            setup.side = side;
            assert_eq!(first_mover(&position_text(&setup).to_string()), Some(side));
        }
    }
    assert_eq!(first_mover("startpos"), None);
    let mut north_first = game(1, Variant::Kigogo, ["a", "b"], SOUTH);
    north_first.opening = "kigogo 1/1 N 0".to_owned();
    let standings = standings(2, &[north_first, game(2, Variant::Kigogo, ["b", "a"], SOUTH)]);
    let record = standings.variant(Some(Variant::Kigogo));
    assert_eq!(record.south, GameCounts { wins: 2, draws: 0, losses: 0 });
    assert_eq!(record.first_mover, GameCounts { wins: 1, draws: 0, losses: 1 });
    let b = standings.engine(1, None);
    assert_eq!((b.south.wins, b.north.losses), (1, 1));
    assert_eq!(b.moving_first, GameCounts { wins: 1, draws: 0, losses: 1 });
    assert_eq!(standings.engine(0, None).moving_first, GameCounts::default());
}

#[test]
fn failures_are_those_of_the_engine_that_lost() {
    let mut played = vec![
        game(1, Variant::Kigogo, ["a", "b"], SOUTH),
        game(1, Variant::Kigogo, ["b", "a"], SOUTH),
        game(2, Variant::Kimasai, ["a", "b"], NORTH),
        game(2, Variant::Kimasai, ["b", "a"], DRAW),
    ];
    let reasons = [Termination::Crash, Termination::Time, Termination::Normal, Termination::MaxPlies];
    played.iter_mut().zip(reasons).for_each(|(game, reason)| game.reason = reason);
    let standings = standings(2, &played);
    let (a, b) = (standings.engine(0, None).losses, standings.engine(1, None).losses);
    assert_eq!((b.count(Termination::Crash), b.failures(), b.count(Termination::Time)), (1, 1, 0));
    assert_eq!((a.count(Termination::Time), a.count(Termination::Normal), a.failures()), (1, 1, 1));
    let all = standings.variant(None).terminations;
    assert_eq!(all.iter().map(|(_, count)| count).sum::<u64>(), 4);
    assert_eq!((all.failures(), all.count(Termination::MaxPlies)), (2, 1));
    assert_eq!(standings.variant(Some(Variant::Kimasai)).terminations.failures(), 0);
}

#[test]
fn lengths_have_mean_and_median() {
    let with = |plies: &[u32]| {
        let games = plies.iter().map(|&plies| PlayedGame { plies, ..game(1, Variant::Kigogo, ["a", "b"], SOUTH) });
        standings(1, &games.collect::<Vec<_>>()).variant(None).lengths
    };
    let none = with(&[]);
    assert_eq!((none.shortest(), none.longest(), none.mean(), none.median()), (None, None, None, None));
    let odd = with(&[9, 1, 5]);
    assert_eq!((odd.shortest(), odd.longest(), odd.mean(), odd.median()), (Some(1), Some(9), Some(5.0), Some(5.0)));
    let even = with(&[9, 1, 4, 9]);
    assert_eq!((even.mean(), even.median()), (Some(5.75), Some(6.5)));
    assert_eq!(even.iter().collect::<Vec<_>>(), [(1, 1), (4, 1), (9, 2)]);
}

#[test]
fn each_variant_weighs_the_same() {
    let mut played = Vec::new();
    for pair in 1..=30 {
        let result = if pair % 3 == 0 { NORTH } else { SOUTH };
        played.push(game(pair, Variant::Kigogo, ["a", "b"], result));
    }
    for pair in 31..=34 {
        let result = if pair % 2 == 0 { NORTH } else { SOUTH };
        played.push(game(pair, Variant::Kimasai, ["a", "b"], result));
    }
    let games = standings(1, &played);
    let weighted = games.weighted(0, 1);
    let score = (2.0 / 3.0 + 0.5) / 2.0;
    let error = 1.959_963_984_540_054 * ((2.0 / 9.0 / 30.0 + 0.25 / 4.0) / 4.0_f64).sqrt();
    assert!((weighted.score.unwrap() - score).abs() < 1e-12);
    assert!((weighted.score_error.unwrap() - error).abs() < 1e-12);
    let elo = |score: f64| super::super::elo_of_score(score).unwrap();
    assert!((weighted.elo.unwrap() - elo(score)).abs() < 1e-9);
    assert!((weighted.elo_error.unwrap() - (elo(score + error) - elo(score - error)) / 2.0).abs() < 1e-9);
    assert!(weighted.los.unwrap() > 0.5 && weighted.nelo.is_none());
    let reversed = games.weighted(1, 0);
    assert!((reversed.score.unwrap() + score - 1.0).abs() < 1e-12);
    assert_eq!(standings(1, &[]).weighted(0, 1), Statistics::default());
    // With one variant it is the plain estimate.
    let one = standings(1, &played[..30]);
    let plain = Statistics::of(&one.sample(0, 1, None));
    assert!((one.weighted(0, 1).elo_error.unwrap() - plain.elo_error.unwrap()).abs() < 1e-9);
}

#[test]
fn two_engines_are_rated_as_their_statistics_say() {
    let played: Vec<PlayedGame> = (1..=40)
        .flat_map(|pair| {
            let results = [[SOUTH, DRAW], [SOUTH, SOUTH], [DRAW, DRAW], [NORTH, NORTH]][pair as usize % 4];
            let games = [(["a", "b"], results[0]), (["b", "a"], results[1])];
            games.map(|(sides, result)| game(pair, Variant::Kigogo, sides, result))
        })
        .collect();
    let standings = standings(2, &played);
    let statistics = Statistics::of(&standings.sample(0, 1, None));
    let difference = standings.ratings(None).difference(0, 1).unwrap();
    assert!((difference.elo - statistics.elo.unwrap()).abs() < 1e-6);
    assert!(standings.ratings(Some(Variant::Kimasai)).of(0).is_none());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pairs_and_unpaired_games_are_all_games(
        list in prop::collection::vec((1_u64..6, 0_usize..3, 0_usize..4, 0_usize..4, 0_usize..3), 0..60),
        games in 1_u32..3,
    ) {
        let names = ["a", "b", "c", "d"];
        let played: Vec<PlayedGame> = list
            .iter()
            .filter(|(_, _, south, north, _)| south != north)
            .map(|&(pair, variant, south, north, result)| {
                game(pair, Variant::ALL[variant], [names[south], names[north]], ResultText::ALL[result])
            })
            .collect();
        let standings = standings(games, &played);
        let index = |name: &str| standings.engines().iter().position(|engine| engine == name).unwrap();
        prop_assert_eq!(standings.games(), played.len() as u64);
        let mut sum = 0;
        for (first, second) in standings.pairings() {
            for variant in Variant::ALL {
                let tally = standings.pairing(first, second, Some(variant));
                prop_assert_eq!(2 * tally.pairs.pairs() + tally.unpaired.games(), tally.games.games());
                let of_pairs = tally.pairs.ld + 2 * tally.pairs.wl_dd + 3 * tally.pairs.wd + 4 * tally.pairs.ww;
                prop_assert_eq!(of_pairs as f64 / 2.0 + tally.unpaired.points(), tally.games.points());
                let meant = played.iter().filter(|game| {
                    let sides = [index(&game.south), index(&game.north)];
                    game.variant == variant && sides.contains(&first) && sides.contains(&second)
                });
                prop_assert_eq!(tally.games.games(), meant.count() as u64);
                sum += tally.games.games();
            }
        }
        prop_assert_eq!(sum, played.len() as u64);
        let engines = 0..standings.engines().len();
        let points: f64 = engines.clone().map(|engine| standings.engine(engine, None).points()).sum();
        prop_assert_eq!(points, played.len() as f64);
        let losses: u64 = engines
            .map(|engine| standings.engine(engine, None).losses.iter().map(|(_, count)| count).sum::<u64>())
            .sum();
        prop_assert_eq!(losses, played.iter().filter(|game| game.result != DRAW).count() as u64);
        let record = standings.variant(None);
        prop_assert_eq!(record.first_mover, record.south);
        let of_openings: u64 =
            Variant::ALL.iter().flat_map(|&v| standings.openings(v).values()).map(|o| o.first.games()).sum();
        prop_assert_eq!(of_openings, played.len() as u64);
    }
}
