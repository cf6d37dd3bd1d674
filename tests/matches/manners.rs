//! Engines that are ill-mannered, but do not fail: rough output, slow ends, children left behind, lies about the rules.

use crate::runner::{Place, Run, half_points, is_running, text_of};
use std::time::Duration;

const MATCH: &str = "--variant kigogo --out match --seed 7 --openings random plies=6 --rounds 1";

/// A match against a good fake with either limit, all of which must be played.
fn play_both(words: &str, flags: &str, check: impl Fn(&Place, &Run) + Sync) {
    std::thread::scope(|scope| {
        for limits in ["nodes=10", "tc=60+1"] {
            let check = &check;
            scope.spawn(move || {
                let place = Place::new();
                let flags = flags.replace("HERE", &place.text_at(""));
                let run = place.runner(MATCH).words(words).fake("bad", &flags, limits).fake("good", "", limits).run();
                assert_eq!(run.code, Some(0), "{run}");
                assert_eq!(run.games().len(), 2, "{run}");
                assert_eq!(run.failures(), [0; 0], "{run}");
                for reason in run.reasons() {
                    assert!(["normal", "repetition", "endless-relay"].contains(&&*reason), "{run}");
                }
                check(&place, &run);
            });
        }
    });
}

#[test]
fn rough_output_is_understood() {
    for flags in ["--tabs --crlf --torn", "--spam-info 200 --huge-numbers --bad-utf8", "--no-query"] {
        play_both("", flags, |_, run| {
            assert!(run.games().iter().all(|game| game["plies"].as_u64() > Some(1)), "{run}");
        });
    }
}

#[test]
fn long_lines_are_survived() {
    // Few plies, since each costs megabytes.
    let place = Place::new();
    let run = place.runner(MATCH).words("--maxplies 6").fake("bad", "--long-line 5000000", "nodes=10");
    let run = run.fake("good", "", "nodes=10").run();
    assert_eq!((run.code, run.reasons()), (Some(0), vec!["max-plies".to_owned(); 2]), "{run}");
    // What is said behind the long line counts.
    assert!(run.games().iter().all(|game| game["infos"][0]["score"] == "cp 0"), "{run}");
}

#[test]
fn standard_error_goes_to_a_file_and_blocks_nothing() {
    for limits in ["nodes=10", "tc=60+1"] {
        let place = Place::new();
        let run = place.runner(MATCH).words("--maxplies 6").fake("bad", "--spam-stderr 1000000", limits);
        let run = run.fake("good", "", limits).run();
        assert_eq!((run.code, run.reasons()), (Some(0), vec!["max-plies".to_owned(); 2]), "{run}");
        assert!(run.stdout.len() + run.stderr.len() < 10_000, "{run}");
        let lengths = ["1-bad-1.txt", "2-good-1.txt"]
            .map(|name| run.directory().join("stderr").join(name).metadata().expect("each process has its file").len());
        assert_eq!(lengths, [6_000_000, 0]);
    }
}

#[test]
fn a_bundle_has_the_standard_error_of_its_game_alone() {
    let place = Place::new();
    // South moves three times in the first game, North fails at his second move of the next one.
    let runner = place.runner(MATCH).words("--maxplies 5").fake("bad", "--spam-stderr 5 --crash-on-go 5", "nodes=10");
    let run = runner.fake("good", "--spam-stderr 2", "nodes=10").run();
    assert_eq!((run.code, run.failures()), (Some(3), vec![2]), "{run}");
    let read = |name: &str| std::fs::read_to_string(run.bundle(2).join(name)).expect("a file");
    assert_eq!([read("south.stderr.txt"), read("north.stderr.txt")], ["!".repeat(4), "!".repeat(10)]);
}

#[test]
fn an_answer_within_the_margin_is_no_loss() {
    for limits in ["tc=0.3", "st=0.05"] {
        let place = Place::new();
        let limits = format!("{limits} timemargin=20000");
        let flags = format!("--late-ms 400 --late-on-go 2 --tell '{}'", place.text_at("told"));
        let run = place.runner(MATCH).fake("bad", &flags, &limits).fake("good", "", "nodes=10").run();
        assert_eq!((run.code, run.failures()), (Some(0), vec![]), "{run}");
        let goes: Vec<String> =
            place.read("told").lines().filter(|line| line.starts_with("go")).map(str::to_owned).collect();
        if limits.starts_with("tc") {
            // South's first game; after the overrun there is nothing left.
            assert_eq!((&*goes[0], &*goes[2]), ("go wtime 300 winc 0", "go wtime 0 winc 0"));
        } else {
            assert!(goes.iter().all(|go| go == "go movetime 50"), "{goes:?}");
        }
    }
}

#[test]
fn an_engine_that_does_not_end_is_killed() {
    for flags in ["--slow-quit 600000", "--ignore-quit --ignore-term"] {
        play_both("--quit-ms 200", &format!("{flags} --pid-file 'HEREpids'"), |place, run| {
            assert_gone(place, 1, run);
        });
    }
}

#[test]
fn an_engine_that_ends_slowly_is_waited_for() {
    // It writes its last words only if it is left alone.
    let place = Place::new();
    let text =
        shell_words::join([crate::fake::fake_engine().display().to_string(), "--slow-quit".into(), "300".into()]);
    let engine = place.script("engine", &format!("{text}; echo done >&2"));
    let run = place.runner(MATCH).words("--quit-ms 20000").program(&engine, "slow", "", "nodes=10");
    let run = run.fake("good", "", "nodes=10").run();
    assert_eq!(run.code, Some(0), "{run}");
    assert_eq!(place.read("match/stderr/1-slow-1.txt"), "done\n");
}

#[test]
fn nobody_is_left_behind() {
    play_both("", "--child --pid-file 'HEREpids'", |place, run| assert_gone(place, 2, run));
    let place = Place::new();
    let flags = format!("--child --crash-on-go 2 --ignore-term --pid-file '{}'", place.text_at("pids"));
    let run = place.runner(MATCH).words("--recover").fake("bad", &flags, "nodes=10").fake("good", "", "nodes=10").run();
    assert_eq!(run.reasons(), ["crash"; 2], "{run}");
    assert_gone(&place, 4, &run);
}

#[track_caller]
fn assert_gone(place: &Place, count: usize, run: &Run) {
    let pids: Vec<u32> = place.read("pids").lines().map(|line| line.parse().expect("a number")).collect();
    assert_eq!(pids.len(), count, "{run}");
    // A child whose parent is gone may be dead before it is seen to be.
    let deadline = std::time::Instant::now() + Duration::from_secs(20);
    while pids.iter().any(|&pid| is_running(pid)) {
        assert!(std::time::Instant::now() < deadline, "one of {pids:?} is left\n{run}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_lie_about_the_result_is_a_dispute_and_nothing_else() {
    play_both("", "--lying-result", |_, run| {
        for game in run.games() {
            let disputes = game["disputes"].as_array().expect("a list");
            assert_eq!(disputes.len(), 1, "{run}");
            let side = if game["south"] == "bad" { "South" } else { "North" };
            let truth = match text_of(&game, "result") {
                "1-0" => "p1win",
                "0-1" => "p2win",
                _ => "draw",
            };
            let lie = if truth == "p1win" { "p2win" } else { "p1win" };
            let expected = format!("bad ({side}) answers query result by \"{lie}\", the referee by {truth}");
            assert_eq!(disputes[0], *expected, "{run}");
            assert!(run.stderr.contains(&expected), "{run}");
        }
    });
    // The same games without the lies end alike.
    let results = |flags: &str| {
        let place = Place::new();
        let run = place.runner(MATCH).fake("bad", flags, "nodes=10").fake("good", "", "nodes=10").run();
        (half_points(&run.games(), "bad"), run.games().iter().map(|g| g["moves"].clone()).collect::<Vec<_>>())
    };
    assert_eq!(results("--lying-result"), results(""));
}

#[test]
fn a_lie_about_a_move_does_not_save_it() {
    for limits in ["nodes=10", "tc=60+1"] {
        let place = Place::new();
        let runner = place.runner(MATCH).fake("bad", "--illegal-on-go 2 --lying-legal", limits);
        let run = runner.fake("good", "", limits).run();
        assert_eq!((run.code, run.reasons()), (Some(3), vec!["illegal-move".to_owned()]), "{run}");
        let game = &run.games()[0];
        assert_eq!(game["result"], "0-1", "{run}");
        let disputes = game["disputes"].as_array().expect("a list");
        assert_eq!(disputes.len(), 1, "{run}");
        let text = disputes[0].as_str().expect("a text");
        assert!(text.starts_with("bad (South) answers query islegal "), "{text}");
        assert!(text.ends_with(" by \"true\", the referee by false"), "{text}");
    }
}

#[test]
fn failures_of_games_side_by_side_are_each_recorded_once() {
    for limits in ["nodes=10", "tc=60+1"] {
        let place = Place::new();
        let runner = place.runner(&MATCH.replace("--rounds 1", "--rounds 4 --concurrency 2 --recover"));
        let run = runner.fake("bad", "--crash-on-go 3", limits).fake("good", "", limits).run();
        assert_eq!((run.code, run.reasons()), (Some(0), vec!["crash".to_owned(); 8]), "{run}");
        let mut numbers: Vec<_> = run.games().iter().map(|game| game["game"].as_u64()).collect();
        numbers.sort_unstable();
        assert_eq!(numbers, (1..=8).map(Some).collect::<Vec<_>>());
        assert_eq!(half_points(&run.games(), "good"), 16, "{run}");
        assert_eq!(run.failures(), (1..=8).collect::<Vec<u64>>());
    }
}
