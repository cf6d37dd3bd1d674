//! What engines are sent, as they tell it themselves.

use crate::runner::{Place, Run};

/// Plays a match of two fakes that write down what they are sent.
#[track_caller]
fn play(place: &Place, words: &str, flags: [&str; 2], limits: [&str; 2]) -> Run {
    let mut runner = place.runner("--out match --seed 7").words(words);
    for ((name, flags), limits) in ["first", "second"].iter().zip(flags).zip(limits) {
        runner = runner.fake(name, &format!("{flags} --tell '{}'", place.text_at(name)), limits);
    }
    runner.run()
}

/// The lines that begin with a word.
fn told(place: &Place, name: &str, word: &str) -> Vec<String> {
    let text = place.read(name);
    text.lines().filter(|line| line.split(' ').next() == Some(word)).map(str::to_owned).collect()
}

/// The numbers of a `go` line.
#[track_caller]
fn number(go: &str, key: &str) -> Option<u64> {
    let mut words = go.split(' ').skip_while(|word| *word != key);
    words.next()?;
    Some(words.next().and_then(|word| word.parse().ok()).unwrap_or_else(|| panic!("{go}")))
}

const KEYS: [&str; 5] = ["wtime", "winc", "btime", "binc", "movestogo"];

#[test]
fn limits_are_said_to_the_engine_that_has_them() {
    for (own, expected) in [
        ("nodes=10", "go nodes 10"),
        ("depth=3", "go depth 3"),
        ("st=5", "go movetime 5000"),
        ("nodes=10 depth=3 st=5", "go movetime 5000 nodes 10 depth 3"),
    ] {
        let place = Place::new();
        let run = play(&place, "--variant kigogo --rounds 1 --maxplies 4", [""; 2], [own, "tc=60"]);
        assert_eq!(run.code, Some(0), "{run}");
        let goes = told(&place, "first", "go");
        assert!(goes.len() == 4 && goes.iter().all(|go| go == expected), "{goes:?}");
        // Only its own clock runs.
        let goes = told(&place, "second", "go");
        assert!(goes.len() == 4 && goes[..2].iter().all(|go| go.starts_with("go btime ")), "{goes:?}");
        assert!(goes[2..].iter().all(|go| go.starts_with("go wtime ")), "{goes:?}");
    }
}

#[test]
fn both_clocks_are_told_and_each_side_has_its_own() {
    let place = Place::new();
    let words = "--variant kigogo --rounds 1 --maxplies 8";
    // Each spends at least 50 ms a move.
    let run = play(&place, words, ["--late-ms 50", "--late-ms 50"], ["tc=3/60+2", "tc=1:30"]);
    assert_eq!(run.code, Some(0), "{run}");
    let numbers = |go: &String| KEYS.map(|key| number(go, key));
    let (first, second) = (told(&place, "first", "go"), told(&place, "second", "go"));
    // The first engine is South in the first game and North in the second.
    assert_eq!(numbers(&first[0]), [Some(60_000), Some(2000), Some(90_000), Some(0), Some(3)]);
    let [w, wi, b, bi, moves] = numbers(&second[0]);
    assert_eq!([wi, bi, moves, b], [Some(2000), Some(0), None, Some(90_000)], "{second:?}");
    // The increment is added after the move, and what it took is taken off.
    assert!(w.is_some_and(|w| (60_001..=61_950).contains(&w)), "{second:?}");
    for (at, moves) in [(0, 3), (1, 2), (2, 1), (3, 3), (4, 3), (5, 2)] {
        assert_eq!(number(&first[at], "movestogo"), Some(moves), "{first:?}");
    }
    // After three moves the time is added again.
    assert!(number(&first[3], "wtime").is_some_and(|w| (120_000..=125_850).contains(&w)), "{first:?}");
    let seconds: Vec<_> = second[..4].iter().map(|go| number(go, "btime")).collect();
    assert!(seconds.windows(2).all(|pair| pair[1] <= pair[0].map(|ms| ms - 50)), "{seconds:?}");
    assert_eq!(numbers(&second[4]), [Some(90_000), Some(0), Some(60_000), Some(2000), None]);
    // Both are told the same of the same clock: North hears of South's clock what it was after his move.
    assert_eq!(number(&first[1], "wtime"), w);
}

#[test]
fn a_game_from_the_start_is_not_a_set_up_position() {
    let place = Place::new();
    let run =
        play(&place, "--variant kigogo --rounds 1 --openings random plies=0 --maxplies 3", [""; 2], ["nodes=1"; 2]);
    assert_eq!(run.code, Some(0), "{run}");
    let positions = told(&place, "first", "position");
    assert_eq!(positions[0], "position startpos");
    assert!(positions[1].starts_with("position startpos moves ") && positions[1].split(' ').count() == 5);
    let place = Place::new();
    place.write("openings", "startpos moves A2\n");
    let words = "--variant kigogo --rounds 1 --openings file=openings --maxplies 3";
    let run = play(&place, words, [""; 2], ["nodes=1"; 2]);
    assert_eq!(run.code, Some(0), "{run}");
    let opening = run.games()[0]["opening"].as_str().expect("a text").to_owned();
    // North moves first from there: that is the second engine in the first game.
    assert_eq!(told(&place, "second", "position")[0], format!("position fen {opening}"));
    let moves = run.games()[0]["moves"].clone();
    let first = moves[0].as_str().expect("a text");
    assert_eq!(told(&place, "first", "position")[0], format!("position fen {opening} moves {first}"));
}

#[test]
fn seeds_differ_by_engine_and_game_and_come_again() {
    let seeds = |words: &str, flags| {
        let place = Place::new();
        let run = play(&place, words, [flags; 2], ["nodes=1"; 2]);
        assert_eq!(run.code, Some(0), "{run}");
        ["first", "second"].map(|name| -> Vec<String> {
            let lines = told(&place, name, "setoption");
            lines.into_iter().filter(|line| line.starts_with("setoption name Seed value ")).collect()
        })
    };
    let words = "--variant kigogo --rounds 2 --maxplies 2";
    let [first, second] = seeds(words, "");
    // One for the preflight and one for each game.
    assert_eq!((first.len(), second.len()), (5, 5));
    let mut all = [&first[1..], &second[1..]].concat();
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 8, "{first:?} {second:?}");
    assert_eq!(seeds(words, ""), [first.clone(), second.clone()]);
    // An engine that the match gives a seed has that one alone.
    let [own, _] = seeds(&format!("{words} --each option.Seed=5"), "");
    assert_eq!(own, ["setoption name Seed value 5"]);
}

#[test]
fn options_are_set_in_their_order_and_again_after_a_restart() {
    let place = Place::new();
    let words = "--variant kigogo --rounds 1 --recover --each option.Hash=32 option.Threads=2";
    let limits = ["nodes=1 option.Threads=1 'option.Own Book=true' 'option.Clear Hash'", "nodes=1"];
    let run = play(&place, words, ["--crash-on-go 1", ""], limits);
    assert_eq!(run.reasons(), ["crash", "crash"], "{run}");
    let text = place.read("first");
    let starts: Vec<&str> = text.split("uci\n").skip(1).collect();
    assert_eq!(starts.len(), 2, "{text}");
    for start in starts {
        let options: Vec<&str> =
            start.lines().filter(|line| line.starts_with("setoption") && !line.contains("Seed")).collect();
        let expected = [
            "setoption name Hash value 32",
            "setoption name Threads value 1",
            "setoption name Own Book value true",
            "setoption name Clear Hash",
            "setoption name UCI_Variant value kigogo",
        ];
        assert_eq!(options, expected, "{text}");
    }
    let expected = ["setoption name Hash value 32", "setoption name Threads value 2"];
    assert_eq!(told(&place, "second", "setoption")[..2], expected);
}

#[test]
fn the_game_is_changed_between_games_of_several_variants() {
    let place = Place::new();
    let run = play(&place, "--variant all --rounds 1 --maxplies 2", [""; 2], ["nodes=1"; 2]);
    assert_eq!((run.code, run.failures()), (Some(0), vec![]), "{run}");
    let mut variant = String::new();
    let mut played = 0;
    for line in place.read("first").lines() {
        if let Some(name) = line.strip_prefix("setoption name UCI_Variant value ") {
            variant = name.to_owned();
        } else if let Some(text) = line.strip_prefix("position fen ") {
            assert!(text.starts_with(&format!("{variant} ")), "{line} in a game of {variant}");
            played += 1;
        }
    }
    assert_eq!(played, 6, "{run}");
}
