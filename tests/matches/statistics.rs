//! The statistics of matches: against published figures, against plain computations, and on random counts.

use kete::contest::{
    GameCounts, Hypothesis, Model, PairCounts, Sample, Sprt, SprtError, SprtSettings, Statistics, elo_of_score,
    score_of_elo,
};
use proptest::prelude::*;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use serde_json::Value;

fn test(elo0: f64, elo1: f64, model: Model) -> Sprt {
    Sprt::new(SprtSettings { elo0, elo1, alpha: 0.05, beta: 0.05, model }).expect("a test")
}

fn games(wins: u64, draws: u64, losses: u64) -> Sample {
    Sample::Games(GameCounts { wins, draws, losses })
}

fn pairs([ll, ld, wl_dd, wd, ww]: [u64; 5]) -> Sample {
    Sample::Pairs(PairCounts { ll, ld, wl_dd, wd, ww })
}

fn rows() -> Vec<Value> {
    let path = format!("{}/tests/data/match_statistics.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// The counts of a row. The file gives games as wins, losses, draws, as its scores show: 76, 89, 123 score
/// (76 + 123/2)/288 = 0.4774. Pairs are in the usual order, worst first.
fn sample(row: &Value) -> Sample {
    let counts: Vec<u64> = row["counts"].as_array().expect("counts").iter().filter_map(Value::as_u64).collect();
    match (row["kind"].as_str(), counts.as_slice()) {
        (Some("tri"), &[wins, losses, draws]) => games(wins, draws, losses),
        (Some("penta"), &[ll, ld, wl_dd, wd, ww]) => pairs([ll, ld, wl_dd, wd, ww]),
        _ => panic!("{row}"),
    }
}

/// The file's `null`, `"inf"` and `"-inf"` are all undefined.
fn assert_near(found: Option<f64>, expected: &Value, tolerance: f64, what: &str) {
    match (found, expected.as_f64()) {
        (None, None) => {}
        (Some(found), Some(expected)) => assert!((found - expected).abs() < tolerance, "{what}: {found} {expected}"),
        _ => panic!("{what}: {found:?}, expected {expected}"),
    }
}

#[test]
fn every_row_of_the_data_has_its_statistics() {
    let rows = rows();
    assert_eq!(rows.len(), 38);
    for row in &rows {
        let statistics = Statistics::of(&sample(row));
        assert_near(statistics.score, &row["score"], 1e-12, &format!("score of {row}"));
        for (name, found) in [
            ("elo", statistics.elo),
            ("err", statistics.elo_error),
            ("nelo", statistics.nelo),
            ("nerr", statistics.nelo_error),
            ("los", statistics.los),
        ] {
            assert_near(found, &row[name], 1e-6, &format!("{name} of {row}"));
        }
    }
}

#[test]
fn every_row_of_the_data_has_its_log_likelihood_ratios() {
    let mut checked = 0;
    for row in &rows() {
        for ratio in row["llr"].as_array().expect("a list") {
            let name = ratio[0].as_str().expect("a model");
            // Models of other programs, and approximations.
            if ["bayesian", "cutechess", "asymptotic"].contains(&name) {
                continue;
            }
            let model = Model::from_name(name).unwrap_or_else(|| panic!("{name}"));
            let (elo0, elo1) = (ratio[1].as_f64().expect("elo0"), ratio[2].as_f64().expect("elo1"));
            let llr = test(elo0, elo1, model).llr(&sample(row));
            assert_near(llr, &ratio[3], 1e-9, &format!("{ratio} of {row}"));
            checked += 1;
        }
    }
    assert_eq!(checked, CHECKED_RATIOS);
}

/// Log-likelihood ratios of the file in the two models.
const CHECKED_RATIOS: usize = 55;

#[test]
fn nothing_played_says_nothing() {
    for sample in [games(0, 0, 0), pairs([0; 5])] {
        assert_eq!(Statistics::of(&sample), Statistics::default());
        for model in Model::ALL {
            assert_eq!(test(0.0, 5.0, model).llr(&sample), Some(0.0));
        }
    }
}

#[test]
fn one_sided_results_have_no_elo_but_a_likelihood_of_superiority() {
    for (sample, los) in [(games(7, 0, 0), 1.0), (games(0, 0, 7), 0.0), (pairs([0, 0, 0, 0, 7]), 1.0)] {
        let statistics = Statistics::of(&sample);
        assert_eq!((statistics.elo, statistics.elo_error, statistics.nelo), (None, None, None));
        assert_eq!((statistics.nelo_error, statistics.los), (None, Some(los)));
    }
    let drawn = Statistics::of(&games(0, 7, 0));
    assert_eq!((drawn.elo, drawn.elo_error, drawn.nelo, drawn.los), (Some(0.0), Some(0.0), None, Some(0.5)));
    assert!(drawn.elo.is_some_and(f64::is_sign_positive), "an even match must not be printed as -0");
}

#[test]
fn the_same_games_tell_more_as_pairs() {
    // Every pair is split: the opening decides each game, so the engines are equal beyond doubt.
    let as_pairs = Statistics::of(&pairs([1, 0, 98, 0, 1])).elo_error.expect("an error");
    let as_games = Statistics::of(&games(100, 0, 100)).elo_error.expect("an error");
    assert!(as_pairs * 4.0 < as_games, "{as_pairs} {as_games}");
}

#[test]
fn the_logistic_curve_and_its_inverse() {
    for elo in [-2000.0, -400.0, -1.0, 0.0, 3.5, 800.0] {
        let back = elo_of_score(score_of_elo(elo)).expect("a score within 0 and 1");
        assert!((back - elo).abs() < 1e-6, "{elo} {back}");
    }
    for outside in [0.0, 1.0, -0.1, 1.1, f64::NAN, f64::INFINITY] {
        assert_eq!(elo_of_score(outside), None);
    }
    assert_eq!((score_of_elo(f64::MAX), score_of_elo(f64::MIN)), (1.0, 0.0));
}

#[test]
fn settings_that_make_no_test_are_refused_in_words() {
    let good = SprtSettings { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.1, model: Model::Logistic };
    assert_eq!(Sprt::new(good).map(|test| test.settings()), Ok(good));
    let refused = |settings: SprtSettings| Sprt::new(settings).expect_err("refused").to_string();
    for (found, text) in [(f64::INFINITY, "inf"), (f64::NAN, "NaN")] {
        let words = format!("is {text}, expected a finite number of Elo");
        assert_eq!(refused(SprtSettings { elo0: found, ..good }), format!("elo0 {words}"));
        assert_eq!(refused(SprtSettings { elo1: found, ..good }), format!("elo1 {words}"));
    }
    for elo0 in [5.0, 6.0] {
        assert_eq!(Sprt::new(SprtSettings { elo0, ..good }), Err(SprtError::Order { elo0, elo1: 5.0 }));
    }
    for found in [0.0, -0.1, 0.5, 1.0] {
        let words = format!("is {found}, expected a probability above 0 and below 0.5");
        assert_eq!(refused(SprtSettings { alpha: found, ..good }), format!("alpha {words}"));
        assert_eq!(refused(SprtSettings { beta: found, ..good }), format!("beta {words}"));
    }
    assert!(refused(SprtSettings { alpha: f64::NAN, ..good }).starts_with("alpha is NaN"));
}

#[test]
fn models_have_names() {
    for model in Model::ALL {
        assert_eq!(Model::from_name(model.name()), Some(model));
    }
    assert_eq!(Model::from_name("bayesian"), None);
}

#[test]
fn a_verdict_is_given_at_the_bounds_and_beyond() {
    let settings = SprtSettings { elo0: 0.0, elo1: 5.0, alpha: 0.02, beta: 0.1, model: Model::Normalized };
    let test = Sprt::new(settings).expect("a test");
    let (lower, upper) = test.bounds();
    assert!((lower - (0.1_f64 / 0.98).ln()).abs() < 1e-12 && (upper - (0.9_f64 / 0.02).ln()).abs() < 1e-12);
    assert_eq!((test.verdict(lower), test.verdict(lower - 9.0)), (Some(Hypothesis::H0), Some(Hypothesis::H0)));
    assert_eq!((test.verdict(upper), test.verdict(upper + 9.0)), (Some(Hypothesis::H1), Some(Hypothesis::H1)));
    assert_eq!((test.verdict(lower + 1e-9), test.verdict(upper - 1e-9), test.verdict(0.0)), (None, None, None));
    assert_eq!(test.verdict(f64::NAN), None);
}

/// The lead over 1/2 of a mean that is so many standard deviations above it, when games are drawn with this chance:
/// sd² = (1 - draws)/4 - lead².
fn lead(ratio: f64, draws: f64) -> f64 {
    ratio * ((1.0 - draws) / 4.0 / (1.0 + ratio * ratio)).sqrt()
}

/// The normalized model on games by plain trial: the chance of a draw leaves only one law. Trials are dense at 0 and 1.
fn largest_likelihood_of_games(counts: [f64; 3], ratio: f64) -> f64 {
    let mut best = f64::NEG_INFINITY;
    for i in -200_000..200_000 {
        let draws = 1.0 / (1.0 + (f64::from(i) / 10_000.0).exp());
        let lead = lead(ratio, draws);
        let law = [0.5 - lead - draws / 2.0, draws, 0.5 + lead - draws / 2.0];
        if law.iter().all(|&q| q > 0.0) {
            best = f64::max(best, counts.iter().zip(law).map(|(n, q)| n * q.ln()).sum());
        }
    }
    best
}

#[test]
fn the_normalized_ratio_is_the_largest_likelihood_even_of_extreme_counts() {
    let scale = 800.0 / std::f64::consts::LN_10;
    for (wins, draws, losses) in [(30, 20, 10), (3, 1, 149), (90, 7, 2), (1, 50, 1), (12, 0, 30), (400, 300, 0)] {
        for (elo0, elo1) in [(-10.0, 10.0), (20.0, 80.0), (-1500.0, -500.0), (300.0, 1200.0)] {
            let counts = [losses, draws, wins].map(|n| if n == 0 { 0.001 } else { n as f64 });
            let expected =
                largest_likelihood_of_games(counts, elo1 / scale) - largest_likelihood_of_games(counts, elo0 / scale);
            let llr = test(elo0, elo1, Model::Normalized).llr(&games(wins, draws, losses)).expect("a ratio");
            let tolerance = 1e-3 + 1e-4 * expected.abs();
            assert!((llr - expected).abs() < tolerance, "{wins} {draws} {losses} {elo0} {elo1}: {llr} {expected}");
        }
    }
}

/// The share of matches that end with H1, and that end with H0, when games have these chances of win, draw and loss.
fn verdicts(test: &Sprt, as_pairs: bool, win: f64, draw: f64, matches: u32, seed: u64) -> (f64, f64) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    // The score of a game in half points.
    let mut game = || {
        let x: f64 = rng.random();
        if x < win { 2 } else { usize::from(x < win + draw) }
    };
    let (mut h0, mut h1) = (0, 0);
    for _ in 0..matches {
        let (mut single, mut double) = ([0; 3], [0; 5]);
        for _ in 0..4_000 {
            let sample = if as_pairs {
                double[game() + game()] += 1;
                pairs(double)
            } else {
                single[game()] += 1;
                games(single[2], single[1], single[0])
            };
            match test.verdict(test.llr(&sample).expect("a ratio")) {
                Some(Hypothesis::H0) => h0 += 1,
                Some(Hypothesis::H1) => h1 += 1,
                None => continue,
            }
            break;
        }
    }
    (f64::from(h1) / f64::from(matches), f64::from(h0) / f64::from(matches))
}

#[test]
fn error_rates_stay_near_alpha_and_beta() {
    const DRAWS: f64 = 0.3;
    const MATCHES: u32 = 500;
    let (elo0, elo1, alpha, beta) = (10.0, 90.0, 0.05, 0.15);
    for (seed, model, as_pairs) in [
        (1, Model::Logistic, false),
        (2, Model::Logistic, true),
        (3, Model::Normalized, false),
        (4, Model::Normalized, true),
    ] {
        let test = Sprt::new(SprtSettings { elo0, elo1, alpha, beta, model }).expect("a test");
        // The chance of a win that makes a hypothesis true.
        let win = |elo: f64| {
            let lead = match model {
                Model::Logistic => score_of_elo(elo) - 0.5,
                Model::Normalized => lead(elo * std::f64::consts::LN_10 / 800.0, DRAWS),
            };
            0.5 + lead - DRAWS / 2.0
        };
        let (false_h1, true_h0) = verdicts(&test, as_pairs, win(elo0), DRAWS, MATCHES, seed);
        let (true_h1, false_h0) = verdicts(&test, as_pairs, win(elo1), DRAWS, MATCHES, seed + 100);
        assert_eq!((false_h1 + true_h0, true_h1 + false_h0), (1.0, 1.0), "matches that did not end");
        assert!((0.015..0.085).contains(&false_h1), "{model:?} {as_pairs} alpha {false_h1}");
        assert!((0.08..0.21).contains(&false_h0), "{model:?} {as_pairs} beta {false_h0}");
    }
}

/// Counts of any size, empty classes often.
fn count() -> impl Strategy<Value = u64> {
    prop_oneof![3 => Just(0), 3 => 1..20_u64, 2 => 1..5_000_u64, 1 => 1..50_000_000_u64, 1 => Just(u64::MAX)]
}

fn any_sample() -> impl Strategy<Value = Sample> {
    prop_oneof![
        [count(), count(), count()].prop_map(|[wins, draws, losses]| games(wins, draws, losses)),
        prop::array::uniform5(count()).prop_map(pairs),
    ]
}

/// Counts of matches that are played.
fn usual_sample() -> impl Strategy<Value = Sample> {
    prop_oneof![
        prop::array::uniform3(0..3_000_u64).prop_map(|[wins, draws, losses]| games(wins, draws, losses)),
        prop::array::uniform5(0..3_000_u64).prop_map(pairs),
    ]
}

/// The sample of the other engine.
fn swapped(sample: Sample) -> Sample {
    match sample {
        Sample::Games(GameCounts { wins, draws, losses }) => games(losses, draws, wins),
        Sample::Pairs(PairCounts { ll, ld, wl_dd, wd, ww }) => pairs([ww, wd, wl_dd, ld, ll]),
    }
}

fn model() -> impl Strategy<Value = Model> {
    prop::sample::select(Model::ALL.to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_number_is_finite(
        sample in any_sample(),
        elo0 in prop_oneof![-20.0..20.0, -3_000.0..3_000.0, Just(-1e300), Just(0.0)],
        width in prop_oneof![0.001..20.0, 1.0..3_000.0, Just(1e300)],
        model in model(),
    ) {
        let Statistics { score, score_error, elo, elo_error, nelo, nelo_error, los } = Statistics::of(&sample);
        for number in [score, score_error, elo, elo_error, nelo, nelo_error, los].into_iter().flatten() {
            prop_assert!(number.is_finite(), "{sample:?}: {number}");
        }
        for share in [score, los].into_iter().flatten() {
            prop_assert!((0.0..=1.0).contains(&share), "{sample:?}: {share}");
        }
        for error in [elo_error, nelo_error].into_iter().flatten() {
            prop_assert!(error >= 0.0, "{sample:?}: {error}");
        }
        if let Ok(test) = Sprt::new(SprtSettings { elo0, elo1: elo0 + width, alpha: 0.05, beta: 0.05, model })
            && let Some(llr) = test.llr(&sample)
        {
            prop_assert!(llr.is_finite(), "{sample:?}: {llr}");
        }
    }

    #[test]
    fn usual_tests_always_have_a_ratio(sample in usual_sample(), elo0 in -50.0..50.0, width in 0.5..100.0, model in model()) {
        prop_assert!(test(elo0, elo0 + width, model).llr(&sample).is_some());
    }

    #[test]
    fn one_sided_matches_always_have_a_ratio(class in 0..5_usize, n in 1..100_000_000_u64, elo0 in -20.0..20.0, model in model()) {
        let mut counts = [0; 5];
        counts[class] = n;
        let test = test(elo0, elo0 + 5.0, model);
        prop_assert!(test.llr(&pairs(counts)).is_some());
        let llr = test.llr(&if class < 3 { games(0, 0, n) } else { games(n, 0, 0) }).expect("a ratio");
        prop_assert_eq!(llr > 0.0, class >= 3);
    }

    #[test]
    fn the_other_engine_has_the_opposite(sample in usual_sample(), elo0 in -20.0..20.0, width in 0.5..20.0, model in model()) {
        let (here, there) = (Statistics::of(&sample), Statistics::of(&swapped(sample)));
        let sums = [
            (here.elo, there.elo, 0.0),
            (here.nelo, there.nelo, 0.0),
            (here.score, there.score, 1.0),
            (here.los, there.los, 1.0),
            (test(elo0, elo0 + width, model).llr(&sample), test(-elo0 - width, -elo0, model).llr(&swapped(sample)), 0.0),
        ];
        for (a, b, sum) in sums {
            prop_assert_eq!(a.is_some(), b.is_some());
            let difference = a.unwrap_or_default() + b.unwrap_or_default() - if a.is_some() { sum } else { 0.0 };
            prop_assert!(difference.abs() < 1e-6, "{:?}: {:?} {:?}", sample, a, b);
        }
    }
}
