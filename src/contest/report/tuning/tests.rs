//! Pages of made-up tuning runs.

use super::super::tests::{HOSTILE, checked_page};
use super::plots::{WINDOWS, windows};
use super::tuning_html;
use crate::contest::{
    GainSchedule, Iteration, Objective, PairCounts, Parameter, ParameterKind, TuningConfig, TuningRecord,
};
use crate::game::Variant;
use serde_json::{Map, json};

fn parameter(name: &str, kind: ParameterKind, start: f64, c_end: f64) -> Parameter {
    Parameter { name: name.to_owned(), kind, start, min: 0.0, max: 20.0 * c_end, c_end, r_end: 0.002 }
}

/// A run of 8 pairs an iteration in which each parameter goes from its start to a value of its own.
fn record(parameters: Vec<(Parameter, f64)>, iterations: u32) -> TuningRecord {
    let counts = [
        PairCounts { ll: 1, ld: 0, wl_dd: 5, wd: 0, ww: 2 },
        PairCounts { ll: 1, ld: 1, wl_dd: 3, wd: 1, ww: 2 },
        PairCounts { ll: 3, ld: 0, wl_dd: 4, wd: 0, ww: 1 },
    ];
    let iteration = |n: u32| {
        let share = f64::from(n) / f64::from(iterations);
        let noise = f64::from(n * 7919 % 101) / 101.0 * (1.0 - share);
        let values: Vec<_> = parameters
            .iter()
            .map(|(p, end)| p.start + (end - p.start) * share.sqrt() + noise * p.c_end / 4.0)
            .collect();
        Iteration { pairs: 8 * n, counts: counts[n as usize % 3], plus: values.clone(), minus: values.clone(), values }
    };
    let iterations = (1..=iterations).map(iteration).collect();
    let rest = json!({
        "engine": "/home/me/kete",
        "sha256": "0f".repeat(32),
        "limit": {"nodes": 1000},
        "options": [{"name": "Threads", "value": "1"}],
    });
    let config = TuningConfig {
        variant: Some(Variant::Kigogo),
        objective: Objective::Match,
        pairs: 2000,
        pairs_per_iteration: 8,
        seed: 1,
        schedule: GainSchedule { stability: 200.0, alpha: 0.602, gamma: 0.101 },
        parameters: parameters.into_iter().map(|(parameter, _)| parameter).collect(),
        rest: rest.as_object().cloned().unwrap(),
    };
    TuningRecord { config, iterations }
}

fn two_parameters() -> Vec<(Parameter, f64)> {
    vec![
        (parameter("KigogoExploration", ParameterKind::Int, 150.0, 50.0), 212.5),
        (parameter("Slope", ParameterKind::Float, 0.5, 0.1), 0.333_333_333),
    ]
}

fn checked(record: &TuningRecord) -> String {
    checked_page(|| tuning_html(record).unwrap())
}

/// The texts of the cells of a row of the table, by its first.
fn row(page: &str, name: &str) -> Vec<String> {
    let (_, row) = page.split_once(&format!("<th scope=\"row\">{name}</th>")).unwrap();
    let cells = row.split_once("</tr>").unwrap().0.split("</td>");
    cells.filter_map(|cell| Some(cell.split_once('>')?.1.to_owned())).collect()
}

#[test]
fn the_page_has_the_numbers_of_the_run() {
    let page = checked(&record(two_parameters(), 250));
    assert!(page.contains("<title>Tuning of kigogo · Kete</title>"));
    assert!(page.contains("The run is finished."));
    // 62.5 / 50 and -1/6 / 0.1.
    assert_eq!(row(&page, "KigogoExploration"), ["150", "212.5", "+1.25", "0", "1000", "50", "0.002"]);
    assert_eq!(row(&page, "Slope"), ["0.5", "0.333333", "−1.67", "0", "2", "0.1", "0.002"]);
    assert!(page.contains("setoption name KigogoExploration value 213\nsetoption name Slope value 0.333333</code>"));
    assert!(page.contains("<dt>Pairs</dt><dd>2,000 of 2,000</dd>"));
    assert!(page.contains("<dt>Iterations</dt><dd>250</dd>"));
    // 83 iterations with 5 of 8 split, 84 with 3, 83 with 4.
    assert!(page.contains("<dt>Split pairs</dt><dd>50.0\u{a0}%</dd>"), "{page}");
    assert!(page.contains("in 36 windows of 7 iterations, the last one of 5."));
    assert_eq!(page.matches("<figure>").count(), 3);
    assert_eq!(page.matches("<span class=\"key\">").count(), 2);
    assert!(page.contains("<dt>limit</dt><dd><pre><code>{\n  &quot;nodes&quot;: 1000\n}</code></pre></dd>"));
    assert!(page.contains("<dt>Schedule</dt><dd>A = 200, alpha = 0.602, gamma = 0.101</dd>"));
    // 83 iterations of each kind of counts, and 84 of the second.
    let histogram = page.split_once("aria-label=\"Pairs by their score\"").unwrap().1.split_once("</svg>").unwrap().0;
    let bars: Vec<_> =
        histogram.split('<').filter_map(|part| part.split_once('>')).map(|(_, text)| text.trim()).collect();
    let bars = bars.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ").replace('\u{a0}', " ");
    assert_eq!(bars, "LL 416  (20.8 %) LD 84  (4.2 %) WL+DD 999  (50.0 %) WD 84  (4.2 %) WW 417  (20.8 %)");
    assert!(!page.contains("<script"));
    assert!(page.contains("default-src 'none'") && !page.contains("script-src"));
}

#[test]
fn windows_are_equally_long_and_have_all_pairs() {
    for (iterations, size, number) in
        [(1, 1, 1), (19, 1, 19), (40, 1, 40), (41, 2, 21), (80, 2, 40), (81, 3, 27), (250, 7, 36), (1_000, 25, 40)]
    {
        let record = record(two_parameters(), iterations);
        let (found, windows) = windows(&record.iterations);
        assert_eq!((found, windows.len()), (size, number), "{iterations}");
        assert!(iterations < 20 || (WINDOWS / 2..=WINDOWS).contains(&number));
        assert_eq!(windows.iter().map(|window| window.counts.pairs()).sum::<u64>(), u64::from(8 * iterations));
        let middle: Vec<_> = windows.iter().map(|window| window.middle).collect();
        assert_eq!(middle[0], 8 * size as u32 / 2);
        let last_begins = 8 * size as u32 * (number as u32 - 1);
        assert_eq!(middle.last(), Some(&u32::midpoint(last_begins, 8 * iterations)));
    }
}

#[test]
fn runs_of_any_length_have_a_page() {
    for iterations in [1, 2, 3, 39, 249] {
        let page = checked(&record(two_parameters(), iterations));
        assert!(page.contains("The run is not finished: "), "{iterations}");
    }
    let page = checked(&record(two_parameters(), 0));
    assert!(page.contains("No iteration is finished yet."));
    assert_eq!(row(&page, "KigogoExploration")[..3], ["150", "n/a", "n/a"]);
    for absent in ["<figure>", "setoption", "#plots"] {
        assert!(!page.contains(absent), "{absent}");
    }
}

#[test]
fn a_run_without_games_has_the_way_of_its_parameters_alone() {
    let mut record = record(two_parameters(), 50);
    record.config.variant = None;
    record.config.objective = Objective::Quadratic;
    record.iterations.iter_mut().for_each(|iteration| (iteration.counts, iteration.pairs) = Default::default());
    let page = checked(&record);
    assert!(page.contains("Tuning of <b>a quadratic function</b>"));
    assert!(page.contains("<dt>Split pairs</dt><dd>n/a</dd>"));
    assert_eq!(page.matches("<figure>").count(), 1);
}

#[test]
fn hostile_names_are_only_names() {
    let parameters = HOSTILE.map(|name| (parameter(name, ParameterKind::Int, 5.0, 1.0), 6.0)).into();
    let mut record = record(parameters, 30);
    record.config.rest = HOSTILE.iter().map(|name| ((*name).to_owned(), json!([name]))).collect::<Map<_, _>>();
    let page = checked(&record);
    for part in ["<script", "<!--", "<b>name", "\u{2028}"] {
        assert!(!page.contains(part), "{part}");
    }
    assert!(page.contains("setoption name a &quot;quoted&quot; &amp; &#39;odd&#39; &lt;b&gt;name&lt;/b&gt; value 6\n"));
}

#[test]
fn any_numbers_and_any_number_of_parameters_can_be_drawn() {
    let mut record = record(two_parameters(), 100);
    for (iteration, value) in
        record.iterations.iter_mut().zip([1e300, -1e300, -1e-300, 0.0, f64::MIN_POSITIVE].iter().cycle())
    {
        iteration.values.fill(*value);
    }
    record.config.pairs = u64::MAX;
    record.iterations.last_mut().unwrap().pairs = u32::MAX;
    record.iterations.last_mut().unwrap().values = vec![-0.2, 1e300];
    let page = checked(&record);
    assert_eq!(row(&page, "KigogoExploration")[1..3], ["−0.2", "−3.00"]);
    assert_eq!(row(&page, "Slope")[1], "1e300");
    assert!(page.contains("setoption name KigogoExploration value 0\n"));

    let many =
        |n: u32| (0..n).map(|i| (parameter(&format!("P{i}"), ParameterKind::Int, 9.0, 1.0), f64::from(i))).collect();
    let page = checked(&self::record(many(12), 100));
    assert!(page.contains("class=\"s16\"") && !page.contains("Lines look alike"));
    assert!(checked(&self::record(many(13), 100)).contains("Lines look alike from the 13th on."));
}

/// Pages to look at in a browser, in the directory for temporary files.
#[test]
#[ignore = "writes files"]
fn write_samples() {
    let tunables = [
        "Exploration",
        "MinimaxWeight",
        "HintPrior",
        "SiblingMargin",
        "LeafDepth",
        "LeafWindow",
        "LeafMargin",
        "EvalSlope",
        "ExpandVisits",
        "FpuReduction",
        "DrawValue",
        "ProofWeight",
    ];
    let ends = [3.2, -1.4, 0.3, 1.9, -0.6, 2.4, -2.2, 0.9, -1.0, 1.2, -0.2, 0.5];
    let twelve: Vec<_> = tunables
        .iter()
        .zip(ends)
        .map(|(name, end)| (parameter(&format!("Kigogo{name}"), ParameterKind::Int, 150.0, 50.0), 150.0 + 50.0 * end))
        .collect();
    for (name, record) in
        [("twelve", record(twelve, 230)), ("two", record(two_parameters(), 250)), ("none", record(two_parameters(), 0))]
    {
        let path = std::env::temp_dir().join(format!("kete-tuning-{name}.html"));
        std::fs::write(path, tuning_html(&record).unwrap()).unwrap();
    }
}
