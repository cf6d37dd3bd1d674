//! What is read of a tuning run, and what is said of files that are damaged.

use super::*;
use std::fs;

const SETTINGS: &str = r#"{
  "format": 1,
  "kind": "tuning",
  "variant": "kigogo",
  "objective": "match",
  "pairs": 2000,
  "pairs_per_iteration": 8,
  "seed": 1,
  "schedule": {"A": 200.0, "alpha": 0.602, "gamma": 0.101},
  "parameters": [
    {"name": "KigogoExploration", "type": "int", "start": 150, "min": 0, "max": 1000, "c_end": 50.0, "r_end": 0.002},
    {"name": "Slope", "type": "float", "start": 0.5, "min": 0.0, "max": 1.0, "c_end": 0.1, "r_end": 0.002}
  ],
  "limit": {"nodes": 1000},
  "engine": "./kete"
}
"#;

const HEADER: &str = "iteration,pairs,ll,ld,even,wd,ww,\
                      KigogoExploration,Slope,KigogoExploration+,Slope+,KigogoExploration-,Slope-\r\n";
const FIRST: &str = "1,8,1,0,5,0,2,160.5,0.45,212,0.35,108,0.55\r\n";
const SECOND: &str = "2,16,0,2,4,2,0,155.25,0.5,100,0.5,221,0.4\r\n";

fn settings() -> TuningConfig {
    parse_config(SETTINGS.as_bytes()).unwrap()
}

fn history(text: &str) -> Result<Vec<Iteration>, (u64, String)> {
    parse_history(text.as_bytes(), &settings().parameters)
}

#[test]
fn a_run_is_read_as_it_was_written() {
    let config = settings();
    assert_eq!((config.variant, config.objective), (Some(Variant::Kigogo), Objective::Match));
    assert_eq!((config.pairs, config.pairs_per_iteration, config.seed), (2000, 8, 1));
    assert_eq!(config.schedule, GainSchedule { stability: 200.0, alpha: 0.602, gamma: 0.101 });
    let [exploration, slope] = config.parameters.as_slice() else { panic!("{config:?}") };
    assert_eq!((exploration.kind, slope.kind), (ParameterKind::Int, ParameterKind::Float));
    let Parameter { start, min, max, c_end, r_end, .. } = *exploration;
    assert_eq!((start, min, max, c_end, r_end), (150.0, 0.0, 1000.0, 50.0, 0.002));
    assert_eq!(exploration.change(125.0), -0.5);
    assert_eq!(config.rest.keys().collect::<Vec<_>>(), ["engine", "limit"]);

    let iterations = history(&[HEADER, FIRST, SECOND].concat()).unwrap();
    let [first, second] = iterations.as_slice() else { panic!("{iterations:?}") };
    assert_eq!(first.counts, PairCounts { ll: 1, ld: 0, wl_dd: 5, wd: 0, ww: 2 });
    assert_eq!((first.pairs, second.pairs), (8, 16));
    assert_eq!(
        (&first.values, &first.plus, &first.minus),
        (&vec![160.5, 0.45], &vec![212.0, 0.35], &vec![108.0, 0.55])
    );
    assert_eq!(second.counts, PairCounts { ll: 0, ld: 2, wl_dd: 4, wd: 2, ww: 0 });
    // Line ends of either kind.
    assert_eq!(history(&[HEADER, FIRST, SECOND].concat().replace('\r', "")), Ok(iterations));
}

#[test]
fn half_a_line_at_the_end_is_left_out() {
    let whole = [HEADER, FIRST, SECOND].concat();
    let one = history(&[HEADER, FIRST].concat()).unwrap();
    for cut in 1..SECOND.len() {
        assert_eq!(history(&whole[..whole.len() - cut]).as_ref(), Ok(&one), "{cut}");
    }
    for begun in ["", "iter", &HEADER[..HEADER.len() - 2], HEADER] {
        assert_eq!(history(begun), Ok(Vec::new()), "{begun}");
    }
}

#[test]
fn damaged_lines_are_named_with_what_was_expected() {
    let whole = "expected a whole number up to 4294967295";
    let changes = [
        ("even", "wl", 1, "column 5 is \"wl\", expected \"even\"".to_owned()),
        ("Slope+", "Slope-", 1, "column 11 is \"Slope-\", expected \"Slope+\"".to_owned()),
        (",Slope-", "", 1, "12 fields, expected 13".to_owned()),
        ("\r\n2,16", ",9\r\n2,16", 2, "14 fields, expected 13".to_owned()),
        (",221,0.4\r", ",221\r", 3, "12 fields, expected 13".to_owned()),
        ("\n2,16", "\n3,16", 3, "iteration is 3, expected 2".to_owned()),
        ("1,8,", "0,8,", 2, "iteration is 0, expected 1".to_owned()),
        ("\n2,16", "\n2,7", 3, "pairs is 7, expected at least the 8 of the line before".to_owned()),
        ("1,0,5", "1,,5", 2, format!("ld is \"\", {whole}")),
        ("1,0,5", "1,-1,5", 2, format!("ld is \"-1\", {whole}")),
        ("2,4,2", "2,4294967296,2", 3, format!("even is \"4294967296\", {whole}")),
        ("1,8,", "\r\n\n9,8,", 4, "iteration is 9, expected 1".to_owned()),
        ("160.5", "x<b>", 2, "KigogoExploration is \"x<b>\", expected a finite number".to_owned()),
        ("0.45", "nan", 2, "Slope is \"nan\", expected a finite number".to_owned()),
        ("212", "inf", 2, "KigogoExploration+ is \"inf\", expected a finite number".to_owned()),
        ("0.4\r", "-1e999\r", 3, "Slope- is \"-1e999\", expected a finite number".to_owned()),
        // It is finite, but so many c_end are not.
        ("0.35", "1e308", 2, "Slope+ is \"1e308\", expected a finite number".to_owned()),
    ];
    for (old, new, line, told) in changes {
        let text = [HEADER, FIRST, SECOND].concat();
        assert!(text.contains(old), "{old}");
        assert_eq!(history(&text.replacen(old, new, 1)), Err((line, told)), "{old} to {new}");
    }
    let mut bytes = [HEADER, FIRST].concat().into_bytes();
    bytes.extend(b"\xff\xfe\n");
    let parameters = settings().parameters;
    assert_eq!(parse_history(&bytes, &parameters), Err((3, "1 fields, expected 13".to_owned())));
}

#[test]
fn damaged_settings_are_told_with_what_was_expected() {
    let changes = [
        ("\"kind\": \"tuning\"", "\"kind\": \"match\"", "kind \"match\", expected kind \"tuning\""),
        ("\"kind\"", "\"sort\"", "no kind, expected kind \"tuning\""),
        ("\"format\": 1", "\"format\": 2", "format 2, expected format 1"),
        ("\"format\": 1", "\"version\": 1", "no format, expected format 1"),
        ("\"pairs\": 2000", "\"pairs\": -1", "invalid value: integer `-1`, expected u64 at line 6 column 13"),
        ("\"pairs\": 2000,", "", "missing field `pairs` at line 16 column 1"),
        (
            "kigogo",
            "chess",
            "invalid value: string \"chess\", expected kiswahili, kigogo or kimasai at line 4 column 20",
        ),
        ("\"match\"", "\"elo\"", "unknown variant `elo`, expected `match` or `quadratic` at line 5 column 20"),
        ("\"float\"", "\"text\"", "unknown variant `text`, expected `int` or `float` at line 12 column 36"),
        ("50.0", "1e999", "number out of range at line 11 column 100"),
        ("50.0", "NaN", "expected value at line 11 column 96"),
        ("50.0", "0.0", "parameter \"KigogoExploration\": c_end is 0, expected a number above 0"),
        (
            "\"max\": 1000",
            "\"max\": -1",
            "parameter \"KigogoExploration\": min is 0 and max is -1, expected min not above max",
        ),
        (
            "\"Slope\"",
            "\"KigogoExploration\"",
            "two parameters are named \"KigogoExploration\", expected names to differ",
        ),
        ("\n}\n", "\n", "EOF while parsing an object at line 16 column 0"),
    ];
    for (old, new, told) in changes {
        assert!(SETTINGS.contains(old), "{old}");
        let text = SETTINGS.replacen(old, new, 1);
        assert_eq!(parse_config(text.as_bytes()), Err(told.to_owned()), "{old} to {new}");
    }
    let (before, after) = (SETTINGS.find("\n    {").unwrap(), SETTINGS.find("\n  ],").unwrap());
    let text = format!("{}{}", &SETTINGS[..before], &SETTINGS[after..]);
    assert_eq!(parse_config(text.as_bytes()), Err("parameters is empty, expected at least one".to_owned()));
}

#[test]
fn a_directory_is_a_run_by_its_kind_and_errors_name_the_file() {
    let directory = std::env::temp_dir().join(format!("kete-tuning-{}", std::process::id()));
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(&directory).unwrap();
    let write = |name: &str, text: &str| fs::write(directory.join(name), text).unwrap();
    let error = || TuningRecord::load(&directory).unwrap_err().to_string();
    let place = directory.display();

    assert!(!TuningRecord::is_in(&directory));
    let missing = "No such file or directory (os error 2), expected";
    assert_eq!(error(), format!("{place}/config.json: {missing} the settings of a tuning run"));
    for other in ["", "[1]", "{\"format\": 1}", "{\"kind\": [\"tuning\"]}", "\"tuning\""] {
        write("config.json", other);
        assert!(!TuningRecord::is_in(&directory), "{other}");
    }
    assert_eq!(error(), format!("{place}/config.json: no kind, expected kind \"tuning\""));
    write("config.json", SETTINGS);
    assert!(TuningRecord::is_in(&directory));
    assert_eq!(error(), format!("{place}/history.csv: {missing} the iterations of a tuning run"));
    write("history.csv", &[HEADER, SECOND].concat());
    assert_eq!(error(), format!("{place}/history.csv, line 2: iteration is 2, expected 1"));
    write("history.csv", &[HEADER, FIRST].concat());
    assert_eq!(TuningRecord::load(&directory).unwrap().iterations.len(), 1);
    fs::remove_dir_all(&directory).unwrap();
}

proptest::proptest! {
    /// Whatever the files hold, reading them ends with a record or an error.
    #[test]
    fn no_contents_are_too_strange(
        bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..200),
        text in "([-0-9.,+eEnaif\"\r]{0,60}\n){0,5}",
    ) {
        let parameters = settings().parameters;
        for head in ["", HEADER] {
            let _ = parse_history(&[head.as_bytes(), &bytes].concat(), &parameters);
            let _ = parse_history(&[head.as_bytes(), text.as_bytes()].concat(), &parameters);
        }
        let _ = parse_config(&bytes);
    }
}
