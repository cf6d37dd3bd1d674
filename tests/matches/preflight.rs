//! What is found before the first game: one sentence that names engine and reason, exit code 2, and no record of a match.

use crate::fake::fake_engine;
use crate::runner::{Place, Run, Runner, make_executable};

const MATCH: &str = "--variant kigogo --out match --seed 7 --rounds 1 --startup-ms 500 --ping-ms 500 --quit-ms 100";

/// The match cannot be played; the message has these parts.
#[track_caller]
fn assert_refused(run: &Run, parts: &[&str]) {
    assert_eq!(run.code, Some(2), "{run}");
    let message = run.stderr.strip_prefix("error: ").unwrap_or_else(|| panic!("{run}"));
    assert_eq!(message.lines().count(), 1, "{run}");
    for part in parts {
        assert!(message.contains(part), "{part:?} is not in {message:?}");
    }
    assert!(!run.directory().join("games.jsonl").exists() && !run.directory().join("config.json").exists(), "{run}");
}

/// A match of the built-in engine and another one.
fn against_builtin<'a>(place: &'a Place, engine: impl FnOnce(Runner<'a>) -> Runner<'a>) -> Run {
    engine(place.runner(MATCH).builtin("good", "nodes=10 option.Player=random")).run()
}

#[test]
fn a_program_that_cannot_be_one_is_refused() {
    let place = Place::new();
    std::fs::create_dir(place.at("folder")).expect("a folder");
    place.write("text", "no program");
    place.script("no-such-word", "exit 1");
    for (path, reason) in [
        ("./missing", "cmd=./missing: No such file"),
        ("missing", "cmd=missing: no such program in PATH"),
        ("no-such-word", "did you mean cmd=./no-such-word?"),
        ("./folder", "cmd=./folder: a directory"),
        ("./text", "cmd=./text: it may not be executed"),
    ] {
        let run =
            against_builtin(&place, |runner| runner.words("--engine name=bad nodes=10").word(format!("cmd={path}")));
        assert_refused(&run, &["--engine: ", reason]);
    }
}

#[test]
fn an_engine_that_does_not_start_is_refused() {
    for (flags, reason) in [
        ("--crash-at-start", "ended instead of uciok (exit status 3)"),
        ("--no-uciok", "no uciok within 500 ms after \"uci\""),
        ("--startup-ms 5000", "no uciok within 500 ms after \"uci\""),
        ("--no-readyok", "no readyok within 500 ms after \"isready\""),
        ("--no-newgame-readyok", "no readyok within 500 ms after \"isready\", before a game of kigogo"),
        ("--crash-on-newgame 1", "ended instead of readyok (exit status 3), before a game of kigogo"),
        ("--unasked-bestmove", "without go"),
        ("--no-such-flag", "ended instead of uciok (exit status 2); its standard error ends with "),
    ] {
        std::thread::scope(|scope| {
            for limits in ["nodes=10", "tc=60+1"] {
                scope.spawn(move || {
                    let place = Place::new();
                    let run = against_builtin(&place, |runner| runner.fake("bad", flags, limits));
                    assert_refused(&run, &["engine bad: ", reason]);
                });
            }
        });
    }
}

#[test]
fn a_file_that_the_system_cannot_run_is_refused() {
    let place = Place::new();
    make_executable(&place.write("broken", "#!/no/such/interpreter\n"));
    let run = against_builtin(&place, |runner| runner.program(&place.at("broken"), "bad", "", "nodes=10"));
    assert_refused(&run, &["engine bad: ended instead of uciok (exit status 2)", "No such file"]);
}

#[test]
fn options_that_it_does_not_take_are_refused() {
    let not = "expected a whole number from 1 to 1024";
    for (words, parts) in [
        ("option.Threds=1", &["there is no option \"Threds\"", "did you mean Threads?"][..]),
        ("option.OwnBook=true", &["\"OwnBook\"", "did you mean Own Book?"]),
        ("option.Nonsense=1", &["\"Nonsense\""]),
        ("option.Hash=0", &["option Hash cannot be \"0\"", not]),
        ("option.Hash=many", &["option Hash cannot be \"many\"", not]),
        ("option.Hash", &["option Hash", not]),
        ("option.UCI_Variant=chess", &["UCI_Variant", "\"chess\"", "kigogo"]),
    ] {
        let place = Place::new();
        let run = against_builtin(&place, |runner| runner.fake("bad", "", &format!("nodes=10 {words}")));
        assert_refused(&run, &[&["engine bad: "], parts].concat());
    }
}

#[test]
fn games_that_it_does_not_play_are_refused() {
    let place = Place::new();
    let run = against_builtin(&place, |runner| runner.fake("bad", "--only-variant kimasai", "nodes=10"));
    assert_refused(&run, &["engine bad does not play kigogo: its UCI_Variant is one of kimasai"]);
    let several = MATCH.replace("kigogo", "all");
    let run = place.runner(&several).builtin("good", "nodes=10").fake("bad", "--no-variant", "nodes=10").run();
    assert_refused(&run, &["engine bad has no option UCI_Variant: it cannot play several games"]);
    // The one game of a match it may well play.
    let one = MATCH.replace("kigogo", "kiswahili");
    let run = place.runner(&one).builtin("good", "nodes=10").fake("bad", "--no-variant", "nodes=10").run();
    assert_eq!((run.code, run.failures()), (Some(0), vec![]), "{run}");
    assert!(format!("{}{}", run.stdout, run.stderr).contains("engine bad has no option UCI_Variant"), "{run}");
}

#[test]
fn a_path_with_a_space_and_arguments_with_quotes_are_what_they_are() {
    let place = Place::new();
    std::fs::create_dir(place.at("dir with space")).expect("a folder");
    std::fs::copy(fake_engine(), place.at("dir with space/fake engine")).expect("a copy");
    // Whoever cuts the path at its spaces runs this.
    place.script("dir", "touch wrong-program; exit 1");
    let flags = r#"--name 'two  words' --tell "told \"here\"" --pick first --score=-5"#;
    let run = place
        .runner(MATCH)
        .words("--maxplies 10 --engine name=bad nodes=10 'dir=dir with space' 'cmd=./dir with space/fake engine'")
        .word(format!("args={flags}"))
        .builtin("good", "nodes=10 option.Player=random")
        .run();
    assert_eq!((run.code, run.failures()), (Some(0), vec![]), "{run}");
    assert!(!place.at("wrong-program").exists());
    // It runs in its own directory, where it has written the file.
    assert!(place.read("dir with space/told \"here\"").starts_with("uci\n"), "{run}");
    let engine = &run.config()["match"]["engines"][0];
    let words = ["--name", "two  words", "--tell", "told \"here\"", "--pick", "first", "--score=-5"];
    assert_eq!(engine["arguments"], serde_json::json!(words));
    assert_eq!(run.games()[0]["infos"][0]["score"], "cp -5");
    let run = against_builtin(&Place::new(), |runner| runner.fake("bad", "--name 'open", "nodes=10"));
    assert_refused(&run, &["--engine: args=", "expected words as a shell takes them"]);
}
