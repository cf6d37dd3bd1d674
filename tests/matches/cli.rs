//! What is typed to `kete-match`, and what it prints: mistakes, statistics, plans, events, tables, and the smaller errands.

use crate::fake::fake_engine;
use clap::CommandFactory;
use kete::cli::KeteMatch;
use kete::contest::MatchRecord;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A directory of a test, empty at first and gone at its end.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Place {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("match_cli-{name}"));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a directory");
        Place(path)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.join(name), text).expect("a file");
    }

    /// What is in it.
    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).expect("a directory").flatten();
        let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// Runs `kete-match` there, with words split as a shell does.
    fn run(&self, words: &str) -> Ran {
        let fake = fake_engine().to_str().expect("a path of text");
        let words = shell_words::split(&words.replace("FAKE", fake)).expect("words");
        let output = Command::new(env!("CARGO_BIN_EXE_kete-match"))
            .args(&words)
            .current_dir(&self.0)
            .env_remove("KETE_LOG")
            .stdin(Stdio::null())
            .output()
            .expect("kete-match runs");
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        Ran { code: output.status.code(), output: text(output.stdout), errors: text(output.stderr) }
    }

    /// The same, to a good end.
    #[track_caller]
    fn done(&self, words: &str) -> String {
        let ran = self.run(words);
        assert_eq!((ran.code, ran.errors.as_str()), (Some(0), ""), "{words}: {}", ran.output);
        assert_numbers(&ran.output);
        ran.output
    }

    fn record(&self, name: &str) -> MatchRecord {
        MatchRecord::load(&self.0.join(name)).expect("a match")
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

struct Ran {
    code: Option<i32>,
    output: String,
    errors: String,
}

/// No output has a number that is none.
#[track_caller]
fn assert_numbers(text: &str) {
    for word in text.split(|c: char| !c.is_alphanumeric()) {
        assert!(!["nan", "inf", "infinity"].contains(&word.to_lowercase().as_str()), "{word} in {text}");
    }
}

/// Two engines that have limits.
const DUEL: &str = "--variant kigogo --engine cmd=builtin name=a --engine cmd=builtin name=b --each nodes=1";
/// One engine that has what stands behind it, and another.
const ENGINE: &str = "--variant kigogo --each nodes=1 --engine cmd=builtin name=b --engine cmd=builtin name=a";
/// The same without the limit.
const NO_LIMIT: &str = "--variant kigogo --engine cmd=builtin name=b nodes=1 --engine cmd=builtin name=a";

#[test]
fn every_mistake_is_told_by_its_flag_and_leaves_nothing() {
    let place = Place::new("mistakes");
    place.write("notes.txt", "no program");
    place.write("book.txt", "kigogo startpos\nkigogo startpos moves A99\n");
    place.write("short.txt", "kigogo startpos moves A6\n");
    let expected_words = "cmd=, name=, dir=, args=, tc=, st=, nodes=, depth=, timemargin=";
    let control = "expected [MOVES/][MINUTES:]SECONDS[+INCREMENT], such as 8+0.08 or 40/1:30+0.5";
    let seconds = "expected seconds, such as 2 or 0.05";
    let whole = "expected a whole number of at least 1";
    let mistakes = [
        // Which match.
        ("--variant kigogo", "--engine is missing: expected at least two engines".to_owned()),
        ("--games 1", "--engine is missing: expected at least two engines".to_owned()),
        ("DUEL --variant chess", "--variant \"chess\": expected one of kiswahili, kigogo, kimasai, all".to_owned()),
        ("--engine cmd=builtin name=a --engine cmd=builtin name=b --each nodes=1", "--variant is missing: expected kiswahili, kigogo, kimasai or all".to_owned()),
        ("DUEL --games 3", "--games 3: expected 2, a pair with sides swapped, or 1".to_owned()),
        ("DUEL --games 0", "--games 0: expected 2, a pair with sides swapped, or 1".to_owned()),
        ("DUEL --rounds 0", "--rounds 0: expected at least 1".to_owned()),
        ("DUEL --seed 9007199254740992", "--seed 9007199254740992: expected at most 9007199254740991".to_owned()),
        ("--seed 9007199254740992 --dry-run", "--seed 9007199254740992: expected at most 9007199254740991".to_owned()),
        ("DUEL --startup-ms 0", "--startup-ms 0: expected 1 to 3600000".to_owned()),
        ("DUEL --ping-ms 3600001", "--ping-ms 3600001: expected 1 to 3600000".to_owned()),
        ("DUEL --quit-ms 0", "--quit-ms 0: expected 1 to 3600000".to_owned()),
        ("DUEL --move-ceiling soon", format!("--move-ceiling: \"soon\": {seconds}")),
        ("DUEL --move-ceiling 0", format!("--move-ceiling: \"0\": {seconds}")),
        // Which engines.
        ("--variant kigogo --engine cmd=builtin nodes=1", "--engine is given once, expected at least two engines".to_owned()),
        ("ENGINE --engine cmd=builtin name=a", "--engine: two are named \"a\", expected name= to differ".to_owned()),
        ("NO_LIMIT", "--engine a: no limit, expected tc=, st=, nodes= or depth=, here or in --each".to_owned()),
        ("ENGINE --engine name=c", "--engine: cmd= is missing, expected a program or builtin".to_owned()),
        ("ENGINE --engine cmd=no-such-program", "--engine: cmd=no-such-program: no such program in PATH, expected a program or builtin".to_owned()),
        ("ENGINE --engine cmd=notes.txt", "--engine: cmd=notes.txt: no such program in PATH, expected a program or builtin; did you mean cmd=./notes.txt?".to_owned()),
        ("ENGINE --engine cmd=./notes.txt", "--engine: cmd=./notes.txt: it may not be executed, expected a program".to_owned()),
        ("ENGINE --engine cmd=/", "--engine: cmd=/: a directory, expected a program".to_owned()),
        ("ENGINE --engine cmd=/nowhere/x", "--engine: cmd=/nowhere/x: No such file or directory (os error 2), expected a program".to_owned()),
        ("ENGINE dir=/nowhere", "--engine: dir=/nowhere: expected a directory".to_owned()),
        ("ENGINE dir=notes.txt", "--engine: dir=notes.txt: expected a directory".to_owned()),
        ("ENGINE \"args='x\"", "--engine: args=: missing closing quote, expected words as a shell takes them".to_owned()),
        ("NO_LIMIT tc=1:99", format!("--engine: tc=\"1:99\": {control}")),
        ("NO_LIMIT tc=0", format!("--engine: tc=\"0\": {control}")),
        ("NO_LIMIT st=x", format!("--engine: st=\"x\": {seconds}")),
        ("NO_LIMIT tc=1 st=1", "--engine a: tc= and st=, expected one of them".to_owned()),
        ("NO_LIMIT nodes=0", format!("--engine: nodes=0: {whole}")),
        ("NO_LIMIT nodes=many", format!("--engine: nodes=many: {whole}")),
        ("NO_LIMIT depth=-1", format!("--engine: depth=-1: {whole}")),
        ("ENGINE timemargin=x", "--engine: timemargin=x: expected milliseconds".to_owned()),
        ("ENGINE option.Threads=1 option.threads=2", "--engine: option.threads is given twice, expected it once".to_owned()),
        ("ENGINE option.=1", "--engine: \"option.\": expected option.NAME=VALUE on one line".to_owned()),
        ("ENGINE 'option.Hash=1\nquit'", "--engine: \"option.Hash\": expected option.NAME=VALUE on one line".to_owned()),
        ("ENGINE colour=red", format!("--engine: \"colour\" is not known here, expected {expected_words}")),
        ("ENGINE name=c", "--engine: name= is given twice, expected it once".to_owned()),
        ("ENGINE dir=", "--engine: dir has no value, expected dir=...".to_owned()),
        ("ENGINE tc", "--engine: tc has no value, expected tc=...".to_owned()),
        ("ENGINE --engine cmd=builtin 'name= c'", "--engine: name=\" c\": expected a name on one line, without spaces around it".to_owned()),
        ("DUEL --each nodes=2", "--each: nodes= is given twice, expected it once".to_owned()),
        ("DUEL --each colour=red", format!("--each: \"colour\" is not known here, expected {expected_words}")),
        // The engines themselves.
        ("ENGINE option.Thraeds=1", "engine a: there is no option \"Thraeds\", expected one that uci lists; did you mean Threads?".to_owned()),
        ("ENGINE option.Threads=0", "engine a: option Threads cannot be \"0\", expected a whole number from 1 to 256".to_owned()),
        ("ENGINE --engine cmd=FAKE name=c 'args=--only-variant kimasai'", "engine c does not play kigogo: its UCI_Variant is one of kimasai".to_owned()),
        // The test.
        ("DUEL --sprt elo0=0", "--sprt: elo1= is missing, expected a number of Elo".to_owned()),
        ("DUEL --sprt elo0=x elo1=5", "--sprt: elo0=x: expected a number of Elo".to_owned()),
        ("DUEL --sprt elo0=5 elo1=0", "--sprt: elo0 is 5 and elo1 is 0, expected elo0 below elo1".to_owned()),
        ("DUEL --sprt elo0=nan elo1=5", "--sprt: elo0 is NaN, expected a finite number of Elo".to_owned()),
        ("DUEL --sprt elo0=0 elo1=5 alpha=0.6", "--sprt: alpha is 0.6, expected a probability above 0 and below 0.5".to_owned()),
        ("DUEL --sprt elo0=0 elo1=5 beta=x", "--sprt: beta=x: expected a probability".to_owned()),
        ("DUEL --sprt elo0=0 elo1=5 model=bayesian", "--sprt: model=bayesian: expected one of logistic, normalized".to_owned()),
        ("DUEL --sprt elo0=0 elo1=5 gamma=1", "--sprt: \"gamma\" is not known here, expected model=, elo0=, elo1=, alpha=, beta=".to_owned()),
        ("DUEL --engine cmd=builtin name=c --sprt elo0=0 elo1=5", "--sprt: there are 3 engines, expected two".to_owned()),
        ("DUEL --sprt elo0=0 elo1=5 --tournament swiss", "--sprt: not in a swiss tournament, expected round-robin".to_owned()),
        // Openings.
        ("DUEL --openings random plies=x", "--openings: plies=x: expected a whole number".to_owned()),
        ("DUEL --openings random start=-1", "--openings: start=-1: expected a whole number".to_owned()),
        ("DUEL --openings random plies=2 plies=3", "--openings: plies= is given twice, expected it once".to_owned()),
        ("DUEL --openings random order=random", "--openings: \"order\" is not known here, expected start=, plies=".to_owned()),
        ("DUEL --openings book.txt", "--openings: \"book.txt\": expected random plies=N, or file=F order=sequential|random".to_owned()),
        ("DUEL --openings plies=6", "--openings: file= is missing, expected random plies=N, or file=F order=sequential|random".to_owned()),
        ("DUEL --openings file=short.txt order=up", "--openings: order=up: expected sequential or random".to_owned()),
        ("DUEL --openings file=/nowhere", "--openings: /nowhere: No such file or directory (os error 2)".to_owned()),
        ("DUEL --variant kimasai --openings random plies=4", "--openings: kimasai has 7 undecided positions after 4 plies, 10 are needed: expected plies=5 or more".to_owned()),
        // Rules.
        ("DUEL --resign score=3", format!("--resign: movecount= is missing, {whole}")),
        ("DUEL --resign movecount=0 score=3", format!("--resign: movecount=0: {whole}")),
        ("DUEL --resign movecount=3", "--resign: score= is missing, expected centipawns".to_owned()),
        ("DUEL --resign movecount=3 score=-3", "--resign: score=-3: expected centipawns of at least 0".to_owned()),
        ("DUEL --resign movecount=3 score=3 twosided=yes", "--resign: twosided=yes: expected true or false".to_owned()),
        ("DUEL --draw movecount=3 score=3", format!("--draw: movenumber= is missing, {whole}")),
        ("DUEL --draw movenumber=1 movecount=3 score=x", "--draw: score=x: expected centipawns".to_owned()),
        ("DUEL --draw movenumber=1 movecount=3 score=-1", "--draw: score=-1: expected centipawns of at least 0".to_owned()),
        // Records.
        ("--resume nowhere", "nowhere holds no match: expected a config.json there".to_owned()),
        ("pgn nowhere", "nowhere holds no match: expected a config.json there".to_owned()),
        ("merge nowhere", "nowhere holds no match: expected a config.json there".to_owned()),
        ("report nowhere", "nowhere holds no match: expected a config.json there".to_owned()),
        ("replay nowhere 1", "nowhere holds no match: expected a config.json there".to_owned()),
        // Counts.
        ("stats", "stats: expected --wdl or --penta".to_owned()),
        ("stats --wdl 1,2", "--wdl \"1,2\": expected W,D,L, whole numbers".to_owned()),
        ("stats --wdl 1,2,x", "--wdl \"1,2,x\": expected W,D,L, whole numbers".to_owned()),
        ("stats --wdl 99999999999999,0,0", "--wdl \"99999999999999,0,0\": expected W,D,L, whole numbers".to_owned()),
        ("stats --penta 1,2,3,4,-5", "--penta \"1,2,3,4,-5\": expected LL,LD,WL+DD,WD,WW, whole numbers".to_owned()),
        ("stats --penta 1,2,3,4", "--penta \"1,2,3,4\": expected LL,LD,WL+DD,WD,WW, whole numbers".to_owned()),
        ("stats --wdl 1,2,3 --sprt elo0=0", "--sprt: elo1= is missing, expected a number of Elo".to_owned()),
    ];
    let before = place.names();
    for (words, told) in &mistakes {
        let words = words.replace("DUEL", DUEL).replace("ENGINE", ENGINE).replace("NO_LIMIT", NO_LIMIT);
        let ran = place.run(&words);
        assert_eq!((ran.code, ran.errors), (Some(2), format!("error: {told}\n")), "{words}");
        assert_eq!((ran.output.as_str(), place.names()), ("", before.clone()), "{words}");
    }
    // Places in files.
    let ran = place.run(&format!("{DUEL} --openings file=book.txt"));
    assert_eq!(ran.code, Some(2));
    assert!(ran.errors.contains("/book.txt, line 2, column 23: move 1, \"A99\""), "{}", ran.errors);
    let ran = place.run(&format!("{DUEL} --openings file=short.txt"));
    assert!(
        ran.errors.ends_with("/short.txt has 1 different opening of kigogo, expected at least 10\n"),
        "{}",
        ran.errors
    );
    assert_eq!((ran.code, place.names()), (Some(2), before));
}

#[test]
fn what_clap_refuses_names_the_flag_too() {
    let place = Place::new("clap");
    for (words, told) in [
        ("--nonsense", "unexpected argument '--nonsense' found"),
        ("--engine", "a value is required for '--engine <KEY=VALUE>...' but none was supplied"),
        ("--rounds -1", "invalid value '-1' for '--rounds <N>'"),
        ("--rounds many", "invalid value 'many' for '--rounds <N>'"),
        ("--ratinginterval 0", "invalid value '0' for '--ratinginterval <N>'"),
        (
            "--tournament cup",
            "'cup' for '--tournament <TOURNAMENT>': expected one of round-robin, gauntlet, swiss, knockout",
        ),
        ("--min-pairs 3", "the following required arguments were not provided:\n  --sprt <KEY=VALUE>..."),
        ("--resume a --out b", "the argument '--resume <DIR>' cannot be used with '--out <DIR>'"),
        ("--check-engine builtin --variant kigogo", "'--check-engine <CMD>' cannot be used with '--variant <GAME>'"),
        ("--check-engine builtin --games 1", "'--check-engine <CMD>' cannot be used with '--games <N>'"),
        ("stats --wdl 1,2,3 --penta 1,2,3,4,5", "cannot be used with '--penta <LL,LD,WL+DD,WD,WW>'"),
        ("--quiet stats --wdl 1,2,3", "the subcommand 'stats' cannot be used with"),
        ("replay d x", "invalid value 'x' for '<GAME>'"),
        ("replay d", "the following required arguments were not provided:\n  <GAME>"),
        ("merge", "the following required arguments were not provided:\n  <DIRECTORIES>..."),
    ] {
        let ran = place.run(words);
        assert_eq!((ran.code, ran.output.as_str()), (Some(2), ""), "{words}");
        assert!(ran.errors.starts_with("error: ") && ran.errors.contains(told), "{words}: {}", ran.errors);
    }
    assert_eq!(place.names(), Vec::<String>::new());
}

#[test]
fn every_flag_has_its_help() {
    let place = Place::new("help");
    let command = KeteMatch::command();
    let mut seen = 0;
    for errand in std::iter::once(&command).chain(command.get_subcommands().filter(|errand| !errand.is_hide_set())) {
        let name = if errand.get_name() == "kete-match" { "" } else { errand.get_name() };
        let help = place.done(&format!("{name} --help"));
        assert!(errand.get_about().is_some(), "{name}");
        for argument in errand.get_arguments().filter(|argument| !argument.is_hide_set()) {
            assert!(argument.get_help().is_some(), "{name} {}", argument.get_id());
            if let Some(long) = argument.get_long() {
                assert!(help.contains(&format!("--{long}")), "{name}: --{long} in {help}");
                seen += 1;
            }
        }
        for other in errand.get_subcommands() {
            let listed = help.contains(&format!("\n  {} ", other.get_name()));
            assert_eq!(listed, !other.is_hide_set(), "{}", other.get_name());
        }
    }
    assert!(seen > 30, "{seen} flags");
    assert!(place.done("--version").starts_with("kete-match "));
}

fn rows() -> Vec<Value> {
    let path = format!("{}/tests/data/match_statistics.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).expect("the data")).expect("JSON")
}

/// The flag and the counts of a row, in the order in which they are typed. The file gives games as wins, losses, draws.
fn counts(row: &Value) -> String {
    let counts: Vec<u64> = row["counts"].as_array().expect("counts").iter().filter_map(Value::as_u64).collect();
    match (row["kind"].as_str(), counts.as_slice()) {
        (Some("tri"), [wins, losses, draws]) => format!("--wdl {wins},{draws},{losses}"),
        (Some("penta"), [ll, ld, wl_dd, wd, ww]) => format!("--penta {ll},{ld},{wl_dd},{wd},{ww}"),
        _ => panic!("{row}"),
    }
}

/// Equal but for `tolerance`; the file's `null`, `"inf"` and `"-inf"` are all `null` in what is printed.
#[track_caller]
fn assert_near(found: &Value, expected: &Value, tolerance: f64, what: &str) {
    match expected.as_f64() {
        None => assert!(found.is_null(), "{what}: {found}"),
        Some(expected) => {
            let found = found.as_f64().unwrap_or_else(|| panic!("{what}: {found}, expected {expected}"));
            assert!((found - expected).abs() < tolerance, "{what}: {found}, expected {expected}");
        }
    }
}

#[test]
fn statistics_of_counts_are_printed_as_they_were_published() {
    let place = Place::new("stats");
    let rows = rows();
    assert_eq!(rows.len(), 38);
    let mut ratios = 0;
    for row in &rows {
        let counts = counts(row);
        let line = place.done(&format!("stats {counts} --json"));
        let told: Value = serde_json::from_str(&line).expect("JSON");
        let keys: Vec<&String> = told.as_object().expect("an object").keys().collect();
        assert_eq!(keys, ["elo", "elo_error", "llr", "los", "lower", "nelo", "nelo_error", "upper"]);
        for (key, name) in
            [("elo", "elo"), ("elo_error", "err"), ("nelo", "nelo"), ("nelo_error", "nerr"), ("los", "los")]
        {
            assert_near(&told[key], &row[name], 1e-4, &format!("{key} of {counts}"));
        }
        assert!(["llr", "lower", "upper"].iter().all(|key| told[key].is_null()));
        let text = place.done(&format!("stats {counts}"));
        match row["elo"].as_f64() {
            // Halves of the last digit are rounded either way.
            Some(elo) => assert!(
                [elo - 1e-6, elo + 1e-6].iter().any(|elo| text.starts_with(&format!("Elo {elo:.1} ± "))),
                "{counts}: {text}"
            ),
            None => assert!(text.starts_with("Elo n/a\n"), "{counts}: {text}"),
        }
        for ratio in row["llr"].as_array().expect("a list") {
            let model = ratio[0].as_str().expect("a model");
            if ["normalized", "logistic"].contains(&model) {
                let test = format!("--sprt elo0={} elo1={} model={model}", ratio[1], ratio[2]);
                let line = place.done(&format!("stats {counts} {test} --json"));
                let told: Value = serde_json::from_str(&line).expect("JSON");
                assert_near(&told["llr"], &ratio[3], 1e-3, &format!("{test} of {counts}"));
                assert_near(&told["lower"], &(-2.944439).into(), 1e-4, "lower bound");
                assert_near(&told["upper"], &2.944439.into(), 1e-4, "upper bound");
                ratios += 1;
            }
        }
    }
    assert_eq!(ratios, 55);
}

#[test]
fn statistics_for_people_say_what_is_accepted() {
    let place = Place::new("stats-text");
    for (words, text) in [
        ("--wdl 0,0,0", "Elo n/a\nnElo n/a\nLOS n/a\n"),
        ("--wdl 5,0,0", "Elo n/a\nnElo n/a\nLOS 100.0 %\n"),
        ("--wdl ' 880, 1863,759'", "Elo 12.0 ± 7.9\nnElo 17.6 ± 11.5\nLOS 99.9 %\n"),
        (
            "--wdl 880,1863,759 --sprt elo0=0 elo1=5 model=logistic",
            "Elo 12.0 ± 7.9\nnElo 17.6 ± 11.5\nLOS 99.9 %\nLLR 2.95 in (-2.94, 2.94), logistic elo0=0 elo1=5: H1 accepted\n",
        ),
        (
            "--wdl 700,1863,939 --sprt elo0=0 elo1=5",
            "Elo -23.7 ± 7.9\nnElo -34.8 ± 11.5\nLOS 0.0 %\nLLR -5.39 in (-2.94, 2.94), normalized elo0=0 elo1=5: H0 accepted\n",
        ),
        (
            "--penta 0,0,0,0,0 --sprt elo0=0 elo1=5 alpha=0.1 beta=0.2",
            "Elo n/a\nnElo n/a\nLOS n/a\nLLR 0.00 in (-1.50, 2.08), normalized elo0=0 elo1=5: undecided\n",
        ),
    ] {
        // A verdict is not an exit code here: the question was answered.
        assert_eq!(place.done(&format!("stats {words}")).trim_end(), text.trim_end(), "{words}");
    }
}

#[test]
fn a_dry_run_prints_the_plan_and_leaves_nothing() {
    let place = Place::new("dry");
    let plan = place.done(
        "--variant kigogo --variant kimasai --engine cmd=FAKE name=a 'args=--pick first --name \"A b\"' dir=/ tc=40/1:30+0.5 \
         --engine cmd=builtin name=b option.Hash=2 'option.Clear Hash' nodes=7 --rounds 3 --games 1 --seed 5 --maxplies 99 \
         --openings random plies=6 start=2 --resign movecount=3 score=400 twosided=true --draw movenumber=20 movecount=4 \
         score=5 --sprt elo0=0 elo1=5 --min-pairs 9 --out there --dry-run",
    );
    let fake = fake_engine().display();
    let expected = format!(
        "round-robin, 3 rounds of 1 game each, in kigogo, kimasai; seed 5\n  \
           a: {fake} --pick first --name 'A b', tc=40/90+0.5, in /\n  \
           b: built in, nodes=7, Hash=2, Clear Hash\n  \
           openings: 6 random plies, from number 3 (3 kigogo, 3 kimasai)\n  \
           ends: drawn after 99 plies; lost after 3 moves at -400 cp or worse, both agreeing; drawn after 4 moves within 5 cp, \
           from move 20 on; normalized SPRT elo0=0 elo1=5 alpha=0.05 beta=0.05, not before 9 pairs\n\
         Everything is in order; no game was played.\n"
    );
    assert_eq!(plan.trim_end(), expected.trim_end());
    let plan = place.done("--dry-run --seed 12");
    assert!(
        plan.starts_with("round-robin, 10 rounds of 2 games each, in kiswahili, kigogo, kimasai; seed 12\n"),
        "{plan}"
    );
    assert!(plan.contains("\n  kete: built in, nodes=10000\n  kete-weak: built in, nodes=1000\n"), "{plan}");
    let told: Value = serde_json::from_str(&place.done("--dry-run --json --seed 12")).expect("a line of JSON");
    assert_eq!((told["event"].as_str(), told["ending"].as_str()), (Some("end"), Some("checked")));
    let (one, other) = (place.done("--dry-run"), place.done("--dry-run"));
    assert_ne!(one, other, "seeds that nobody gave are random");
    assert_eq!(place.names(), Vec::<String>::new());
}

/// A short match of two fakes.
const MATCH: &str = "--variant all --engine cmd=FAKE name=one --engine cmd=FAKE name=two 'args=--pick first' --each nodes=1 \
                     --rounds 2 --seed 3";

#[test]
fn events_are_objects_that_agree_with_the_records() {
    let place = Place::new("events");
    let text = place.done(&format!("{MATCH} --json --ratinginterval 5 --out there"));
    let events: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect();
    let of_kind = |kind: &str| -> Vec<&Value> { events.iter().filter(|event| event["event"] == kind).collect() };
    let record = place.record("there");
    assert_eq!((record.games.len(), of_kind("game").len(), of_kind("rating").len()), (12, 12, 2));

    let start = events.first().expect("an event");
    assert_eq!(start["event"], "start");
    assert_eq!((&start["done"], &start["total"], &start["concurrency"]), (&0.into(), &12.into(), &1.into()));
    assert_eq!((&start["directory"], start["hash"].as_str()), (&"there".into(), Some(record.file.hash.as_str())));
    assert_eq!(start["match"], serde_json::to_value(&record.file.config).expect("JSON"));

    for (index, (event, played)) in of_kind("game").into_iter().zip(&record.games).enumerate() {
        let played = serde_json::to_value(played).expect("JSON");
        for key in ["game", "pair", "round", "variant", "south", "north", "result", "reason", "plies"] {
            assert_eq!(event[key], played[key], "{key}");
        }
        assert_eq!((&event["done"], &event["total"]), (&(index + 1).into(), &12.into()));
    }
    assert_eq!(of_kind("rating")[0]["results"]["games"], 5);

    let end = events.last().expect("an event");
    assert_eq!(
        (&end["event"], &end["ending"], &end["directory"]),
        (&"end".into(), &"finished".into(), &"there".into())
    );
    assert_eq!(end["results"]["games"], 12);
    let pairings = end["results"]["pairings"].as_array().expect("pairings");
    assert_eq!(pairings.len(), 4, "each game, and all of them");
    for pairing in pairings {
        let [wins, draws, losses] = ["wins", "draws", "losses"].map(|key| pairing[key].as_u64().expect("a count"));
        let games: Vec<_> = record
            .games
            .iter()
            .filter(|game| pairing["variant"].is_null() || pairing["variant"] == game.variant.name())
            .collect();
        assert_eq!(wins + draws + losses, games.len() as u64);
        let won = games.iter().filter(|game| match game.result.name() {
            "1-0" => game.south == "one",
            "0-1" => game.north == "one",
            _ => false,
        });
        assert_eq!(won.count() as u64, wins, "{pairing}");
    }
}

#[test]
fn quiet_is_the_table_alone_and_the_table_has_a_line_a_game() {
    let place = Place::new("quiet");
    let loud = place.done(&format!("{MATCH} --ratinginterval 4 --out loud"));
    assert!(
        loud.starts_with("round-robin, 2 rounds of 2 games each, in kiswahili, kigogo, kimasai; seed 3\n"),
        "{loud}"
    );
    assert!(loud.contains("  12 games; 1 at once; records in loud\n"), "{loud}");
    for done in [4, 8, 12] {
        assert!(loud.contains(&format!("\n{done}/12 games, ")), "{loud}");
    }
    let quiet = place.done(&format!("{MATCH} --quiet --out quiet"));
    let table = loud.find("one against two: 12 games\n").map(|at| &loud[at..]).expect("a table");
    assert_eq!(quiet.replace("quiet", "loud"), table);
    let rows: Vec<&str> = quiet.lines().collect();
    assert_eq!(rows[0..2], ["one against two: 12 games", ""]);
    let words = |line: usize| -> Vec<&str> { rows[line].split_whitespace().collect() };
    assert_eq!(words(2), "games W D L score Elo nElo LOS LL LD WL+DD WD WW".split(' ').collect::<Vec<_>>());
    for (line, name) in [(3, "kiswahili"), (4, "kigogo"), (5, "kimasai")] {
        assert_eq!(words(line)[..2], [name, "4"]);
    }
    assert!(rows[6].starts_with("all, equal weights     12  "), "{quiet}");
    assert!(rows[8].ends_with("  openings  all South  all North  how games ended"), "{quiet}");
    assert_eq!(words(12)[0], "all");
    assert_eq!(rows[14..], ["Records: quiet", "To look at them: kete-match report quiet"]);
}

#[test]
fn three_engines_are_ranked_and_failures_counted() {
    let place = Place::new("three");
    let third = "--engine cmd=FAKE name=three 'args=--illegal-on-go 3' --recover";
    let text = place.done(&format!("{MATCH} {third} --variant kigogo --quiet --out there"));
    assert!(text.starts_with("kiswahili  "), "{text}");
    assert!(!text.contains("\n\n\n"), "{text}");
    for piece in ["\n3 three  ", "  vs 1  ", "illegal-move 12", "\nFailures of three: illegal-move 12\n"] {
        assert!(text.contains(piece), "{piece}: {text}");
    }
    let ran = place.run("--variant kigogo --engine cmd=FAKE name=a --engine cmd=FAKE name=b 'args=--crash-on-go 2' --each nodes=1 --out it");
    assert_eq!((ran.code, ran.errors.as_str()), (Some(3), ""));
    for piece in [
        "a against b: 1 game\n",
        "\nStopped: game 1: b (North): ended while it was to move (exit status 3)\n",
        "\nWhat is known of it: it/failures/1\n",
        "\nGo on: kete-match --resume it (with --recover, whatever fails)\n",
    ] {
        assert!(ran.output.contains(piece), "{piece}: {}", ran.output);
    }
}

#[test]
fn a_verdict_is_an_exit_code() {
    let place = Place::new("verdict");
    let duel = "--variant kimasai --engine cmd=builtin name=a option.Player=A nodes=1 --engine cmd=builtin name=b option.Player=B \
                nodes=1 --rounds 100 --seed 4 --sprt elo0=0 elo1=200 --quiet --out";
    let strong = duel.replace("=A", "=greedy").replace("=B", "=random");
    let ran = place.run(&format!("{strong} strong"));
    assert_eq!(ran.code, Some(0), "{}", ran.output);
    assert!(ran.output.contains("\nH1 accepted: the first engine is stronger.\n"), "{}", ran.output);
    let weak = duel.replace("=A", "=random").replace("=B", "=greedy");
    let ran = place.run(&format!("{weak} weak"));
    assert_eq!(ran.code, Some(1), "{}", ran.output);
    assert!(ran.output.contains("\nH0 accepted: the first engine is not that much stronger.\n"), "{}", ran.output);
    assert!(place.record("weak").games.len() < 200);
}

#[test]
fn shards_add_up_to_the_match_that_they_are_parts_of() {
    let place = Place::new("merge");
    // Their games do not depend on the seeds that they are given.
    let duel = "--variant kigogo --variant kimasai --engine cmd=FAKE name=one 'args=--pick last' --engine cmd=FAKE name=two \
                'args=--pick first' --each nodes=1 --seed 3 --quiet";
    place.done(&format!("{duel} --rounds 4 --openings random plies=8 --out whole"));
    place.done(&format!("{duel} --rounds 3 --openings random plies=8 --out left"));
    place.done(&format!("{duel} --rounds 1 --openings random plies=8 start=3 --out right"));
    let whole = place.done("merge whole --json");
    assert_eq!(place.done("merge left right --json --out pooled"), whole);
    assert_eq!(place.done("merge right left --json"), whole);
    let told: Value = serde_json::from_str(&whole).expect("JSON");
    assert_eq!(told["games"], 16);
    assert_eq!(place.done("merge left right"), place.done("merge whole"));

    let (pooled, whole) = (place.record("pooled"), place.record("whole"));
    let moves = |record: &MatchRecord| {
        let mut games: Vec<_> =
            record.games.iter().map(|game| (game.opening.clone(), game.south.clone(), game.moves.clone())).collect();
        games.sort();
        games
    };
    assert_eq!(moves(&pooled), moves(&whole));
    assert_eq!(place.done("pgn pooled").matches("[Variant ").count(), 16);

    for (words, told) in [
        ("merge left right left", "game 1 of shard 3 is game 1 of shard 1 again: "),
        (
            "merge left right --out whole",
            "whole holds a match already: go on with it by --resume, or name another directory",
        ),
    ] {
        let ran = place.run(words);
        assert_eq!((ran.code, ran.output.as_str()), (Some(2), ""));
        assert!(ran.errors.starts_with(&format!("error: {told}")), "{words}: {}", ran.errors);
    }
    assert_eq!(place.names(), ["left", "pooled", "right", "whole"]);
}

#[test]
fn a_game_on_record_is_printed_and_played_again() {
    let place = Place::new("replay");
    place.done(&format!("{MATCH} --quiet --out there"));
    let record = place.record("there");
    let pgn = place.done("pgn there");
    assert_eq!(pgn.matches("[Variant \"kigogo\"]").count(), 4, "{pgn}");
    for tag in ["[FEN ", "[Result ", "[Termination "] {
        assert_eq!(pgn.matches(tag).count(), 12, "{tag}");
    }
    for game in [1, 12] {
        let played = &record.games[game - 1];
        let (result, reason, plies) = (played.result.name(), played.reason.name(), played.plies);
        let line = format!("{result} ({reason}) in {plies} plies");
        let text = place.done(&format!("replay there {game}"));
        assert_eq!(text.trim_end(), format!("the same game\nnow: {line}\nthen: {line}"));
    }
    let ran = place.run("replay there 13");
    assert_eq!((ran.code, ran.output.as_str()), (Some(2), ""));
    assert_eq!(ran.errors, "error: there is no game 13 on record in that match\n");

    // What is on record is not what is played.
    let path = place.0.join("there/games.jsonl");
    let text = std::fs::read_to_string(&path).expect("the records");
    let last = record.games[0].moves.last().expect("a move");
    let changed = text.replacen(&format!("\"{last}\"]"), "\"A1\"]", 1);
    assert_ne!(text, changed);
    std::fs::write(&path, changed).expect("the records");
    let ran = place.run("replay there 1");
    assert_eq!((ran.code, ran.errors.as_str()), (Some(1), ""), "{}", ran.output);
    let ply = record.games[0].moves.len();
    assert!(
        ran.output.starts_with(&format!("another game\nfirst difference at ply {ply}: {last} now, A1 then\n")),
        "{}",
        ran.output
    );
}

#[test]
fn a_tuning_run_has_a_page_as_a_match_has() {
    let place = Place::new("tuning");
    std::fs::create_dir(place.0.join("run")).expect("a directory");
    let settings = r#"{"format": 1, "kind": "tuning", "variant": "kimasai", "objective": "match", "pairs": 24,
        "pairs_per_iteration": 8, "seed": 1, "schedule": {"A": 2.0, "alpha": 0.602, "gamma": 0.101},
        "parameters": [{"name": "KimasaiExploration", "type": "int", "start": 75.0, "min": 0.0, "max": 3000.0,
                        "c_end": 20.0, "r_end": 0.002}],
        "engine": "<kete>"}"#;
    let history = "iteration,pairs,ll,ld,even,wd,ww,KimasaiExploration,KimasaiExploration+,KimasaiExploration-\r\n\
                   1,8,1,1,4,1,1,75.0,95.0,55.0\r\n2,16,0,1,4,1,2,80.6,56.5,93.5\r\n3,24,0";
    place.write("run/config.json", settings);
    place.write("run/history.csv", history);
    assert_eq!(place.done("report run"), "run/report.html\n");
    let page = std::fs::read_to_string(place.0.join("run/report.html")).expect("a page");
    assert_numbers(page.split_once("</style>").expect("a style sheet").1);
    for piece in [
        "<h1>Tuning of <b>kimasai</b></h1>",
        "The run is not finished: 16 of 24 pairs played.",
        "setoption name KimasaiExploration value 81<",
        ">+0.28<",
        "2 windows of 1 iteration.",
        "&quot;&lt;kete&gt;&quot;",
    ] {
        assert!(page.contains(piece), "{piece}");
    }
    place.done("report run --out again.html");
    assert_eq!(std::fs::read_to_string(place.0.join("again.html")).expect("a page"), page);

    place.write("run/history.csv", &history.replace("56.5", "nan"));
    let ran = place.run("report run --out wrong.html");
    assert_eq!((ran.code, ran.output.as_str()), (Some(2), ""));
    let told = "run/history.csv, line 3: KimasaiExploration+ is \"nan\", expected a finite number";
    assert_eq!(ran.errors, format!("error: {told}\n"));
    assert_eq!(place.names(), ["again.html", "run"]);

    // A match is still shown as one.
    place.done(&format!("{MATCH} --quiet --out there"));
    assert_eq!(place.done("report there"), "there/report.html\n");
    let page = std::fs::read_to_string(place.0.join("there/report.html")).expect("a page");
    assert!(page.contains("<title>one against two · Kete match</title>"));
}
