//! Tests of the joint ratings.

use super::super::sample::{GameCounts, PairCounts};
use super::super::statistics::{Statistics, score_of_elo};
use super::*;
use proptest::prelude::*;

fn games(first: usize, second: usize, wins: u64, draws: u64, losses: u64) -> Comparison {
    Comparison { first, second, sample: Sample::Games(GameCounts { wins, draws, losses }) }
}

/// Numbers in 0..1 from a linear congruence (Knuth's MMIX).
struct Luck(u64);

impl Luck {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Half points of a game with this expected score, of which a fifth are draws.
    fn half_points(&mut self, score: f64) -> u8 {
        if self.next() < 0.2 {
            return 1;
        }
        if self.next() < (score - 0.1) / 0.8 { 2 } else { 0 }
    }
}

/// A round robin of engines with these ratings, as pairs: the side is worth some points, which pairs cancel.
fn simulated(elo: &[f64], pairs: u32, luck: &mut Luck) -> Vec<Comparison> {
    let mut comparisons = Vec::new();
    for first in 0..elo.len() {
        for second in first + 1..elo.len() {
            let score = score_of_elo(elo[first] - elo[second]);
            let mut counts = PairCounts::default();
            for _ in 0..pairs {
                counts.add(luck.half_points(score + 0.05) + luck.half_points(score - 0.05));
            }
            comparisons.push(Comparison { first, second, sample: Sample::Pairs(counts) });
        }
    }
    comparisons
}

#[test]
fn two_engines_are_as_far_apart_as_their_statistics_say() {
    let samples = [
        Sample::Games(GameCounts { wins: 30, draws: 20, losses: 10 }),
        Sample::Games(GameCounts { wins: 999, draws: 0, losses: 1 }),
        Sample::Pairs(PairCounts { ll: 5, ld: 20, wl_dd: 60, wd: 25, ww: 15 }),
        Sample::Pairs(PairCounts { ll: 700, ld: 10, wl_dd: 1800, wd: 11, ww: 500 }),
    ];
    for sample in samples {
        let statistics = Statistics::of(&sample);
        let ratings = Ratings::fit(2, &[Comparison { first: 0, second: 1, sample }]);
        let difference = ratings.difference(0, 1).unwrap();
        assert!((difference.elo - statistics.elo.unwrap()).abs() < 1e-6, "{sample:?}");
        if let Some(error) = statistics.elo_error.filter(|error| *error < 100.0) {
            assert!((difference.error / error - 1.0).abs() < 0.05, "{} {error}", difference.error);
        }
        let (a, b) = (ratings.of(0).unwrap(), ratings.of(1).unwrap());
        assert!((a.elo + b.elo).abs() < 1e-9);
        assert!((a.error + b.error - difference.error).abs() < 1e-9);
        assert_eq!(ratings.difference(1, 0).unwrap().elo, -difference.elo);
    }
}

#[test]
fn a_comparison_may_be_told_from_either_side_and_in_parts() {
    let whole = Ratings::fit(3, &[games(0, 1, 30, 20, 10), games(1, 2, 8, 4, 8), games(0, 2, 9, 9, 3)]);
    let parts = [games(1, 0, 10, 20, 10), games(0, 1, 20, 0, 0), games(2, 1, 8, 4, 8), games(2, 0, 3, 9, 9)];
    let parts = Ratings::fit(3, &parts);
    for engine in 0..3 {
        let (a, b) = (whole.of(engine).unwrap(), parts.of(engine).unwrap());
        assert!((a.elo - b.elo).abs() < 1e-7);
        assert!((a.error - b.error).abs() < 1e-7);
    }
}

#[test]
fn each_engine_has_scored_what_it_expects() {
    let list = [games(0, 1, 30, 20, 10), games(1, 2, 50, 4, 8), games(2, 3, 1, 0, 99), games(0, 3, 5, 5, 5)];
    let ratings = Ratings::fit(4, &list);
    let mut excess = [0.0; 4];
    for Comparison { first, second, sample } in list {
        let Sample::Games(counts) = sample else { unreachable!() };
        let win = score_of_elo(ratings.difference(first, second).unwrap().elo);
        let surprise = counts.points() - counts.games() as f64 * win;
        excess[first] += surprise;
        excess[second] -= surprise;
    }
    assert!(excess.iter().all(|x| x.abs() < 1e-6), "{excess:?}");
}

#[test]
fn simulated_ratings_are_recovered_within_their_errors() {
    let truth = [150.0, 80.0, 20.0, -30.0, -80.0, -140.0];
    let mut luck = Luck(1);
    let (mut squares, mut count) = (0.0, 0.0);
    for _ in 0..200 {
        let ratings = Ratings::fit(6, &simulated(&truth, 40, &mut luck));
        for (engine, elo) in truth.iter().enumerate() {
            let rating = ratings.of(engine).unwrap();
            let z = (rating.elo - elo) / (rating.error / 1.96);
            assert!(z.abs() < 5.0, "{rating:?} {elo}");
            squares += z * z;
            count += 1.0;
        }
    }
    let mean: f64 = squares / count;
    assert!((0.85..1.15).contains(&mean), "{mean}");
}

#[test]
fn who_won_or_lost_everything_has_no_rating() {
    let ratings = Ratings::fit(4, &[games(0, 1, 9, 0, 0), games(1, 2, 4, 1, 3), games(2, 3, 7, 0, 0)]);
    assert_eq!((ratings.of(0), ratings.of(3)), (None, None));
    assert_eq!(ratings.difference(0, 1), None);
    let pair = Ratings::fit(2, &[games(0, 1, 4, 1, 3)]);
    assert!((ratings.of(1).unwrap().elo - pair.of(0).unwrap().elo).abs() < 1e-9);
    assert!(ratings.of(4).is_none());
}

#[test]
fn a_circle_of_wins_is_enough() {
    let ratings = Ratings::fit(3, &[games(0, 1, 5, 0, 0), games(1, 2, 5, 0, 0), games(2, 0, 5, 0, 0)]);
    (0..3).for_each(|engine| assert!(ratings.of(engine).unwrap().elo.abs() < 1e-9));
}

#[test]
fn groups_without_games_between_them_are_not_compared() {
    let two = [games(0, 1, 5, 0, 5), games(2, 3, 5, 0, 5)];
    let ratings = Ratings::fit(4, &two);
    assert!(ratings.of(0).is_some() && ratings.of(1).is_some());
    assert!(ratings.of(2).is_none() && ratings.of(3).is_none());
    // All games between the groups were won by one of them.
    let ratings = Ratings::fit(5, &[two[0], games(2, 3, 5, 0, 5), games(3, 4, 5, 0, 5), games(0, 2, 9, 0, 0)]);
    let rated: Vec<usize> = (0..5).filter(|&engine| ratings.of(engine).is_some()).collect();
    assert_eq!(rated, [2, 3, 4]);
}

#[test]
fn nothing_played_rates_nobody() {
    for list in [vec![], vec![games(0, 1, 0, 0, 0)], vec![games(0, 0, 3, 0, 3)], vec![games(0, 9, 3, 0, 3)]] {
        assert!(Ratings::fit(2, &list).of(0).is_none());
    }
    assert!(Ratings::fit(0, &[]).of(0).is_none());
}

#[test]
fn long_chains_of_lopsided_results_converge() {
    let chain: Vec<Comparison> = (0..20).map(|engine| games(engine, engine + 1, 1_000_000, 0, 1)).collect();
    let ratings = Ratings::fit(21, &chain);
    let difference = ratings.difference(0, 20).unwrap();
    assert!((difference.elo / (20.0 * 400.0 * 6.0) - 1.0).abs() < 1e-6, "{difference:?}");
    let begun = std::time::Instant::now();
    let many = Ratings::fit(64, &simulated(&[0.0; 64], 4, &mut Luck(3)));
    assert!(many.of(63).is_some());
    assert!(begun.elapsed().as_secs() < 5);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn numbers_are_finite_and_their_mean_is_zero(
        engines in 1_usize..8,
        list in prop::collection::vec((0_usize..8, 0_usize..8, 0_u64..2000, 0_u64..3, 0_u64..3), 0..20),
    ) {
        let list: Vec<Comparison> = list.into_iter().map(|(a, b, w, d, l)| games(a, b, w, d, l)).collect();
        let ratings = Ratings::fit(engines, &list);
        let rated: Vec<Rating> = (0..engines).filter_map(|engine| ratings.of(engine)).collect();
        prop_assert!(rated.iter().all(|r| r.elo.is_finite() && r.error.is_finite() && r.error >= 0.0));
        prop_assert!(rated.iter().map(|r| r.elo).sum::<f64>().abs() < 1e-6);
        let group = largest_group(engines, &list);
        prop_assert_eq!(rated.len(), if group.len() > 1 { group.len() } else { 0 });
    }
}
