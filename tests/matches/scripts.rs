//! Engines that are shell scripts, for what the fake cannot do: to fail when they are started again, and to talk without
//! end.

use crate::fake::fake_engine;
use crate::runner::{Place, text_of};
use std::path::PathBuf;

const MATCH: &str = "--variant kigogo --out match --seed 7 --openings random plies=6";
const LIMITS: [&str; 2] = ["nodes=10", "tc=60+1"];

/// A script that does something at its second start, and is the fake at the first.
fn script(place: &Place, first: &str, later: &str) -> PathBuf {
    let quoted = |path: &str| shell_words::quote(path).into_owned();
    let (flag, fake) = (quoted(&place.text_at("started")), quoted(&fake_engine().display().to_string()));
    place.script("engine", &format!("[ -e {flag} ] && {later}\ntouch {flag}\n{first}\nexec {fake} \"$@\""))
}

#[test]
fn an_engine_that_does_not_start_again_loses_its_games() {
    for limits in LIMITS {
        let place = Place::new();
        let engine = script(&place, "", "{ echo broken >&2; exit 7; }");
        let runner =
            place.runner(MATCH).words("--rounds 2 --recover").program(&engine, "bad", "--crash-on-go 2", limits);
        let run = runner.fake("good", "", limits).run();
        assert_eq!(run.code, Some(0), "{run}");
        let games = run.games();
        assert_eq!(run.reasons(), ["crash"; 4], "{run}");
        assert_eq!(run.failures(), [1, 2, 3, 4]);
        for game in &games[1..] {
            let (lost, side) = if game["south"] == "bad" { ("0-1", "South") } else { ("1-0", "North") };
            assert_eq!((text_of(game, "result"), game["plies"].as_u64()), (lost, Some(0)), "{run}");
            let detail = format!("{side}, at its start: ended instead of uciok (exit status 7)");
            assert_eq!(text_of(game, "detail"), detail);
            let number = game["game"].as_u64().expect("a number");
            let stderr = run.bundle(number).join(format!("{}.stderr.txt", side.to_lowercase()));
            assert_eq!(std::fs::read_to_string(stderr).expect("a file"), "broken\n");
        }
        let replayed = place.runner("replay match 2").run();
        assert_eq!(replayed.code, Some(0), "{replayed}");
        // At a new start nobody plays with it.
        let resumed = place.runner("--resume match").run();
        assert_eq!(resumed.code, Some(2), "{resumed}");
        assert!(resumed.stderr.contains("engine bad: ended instead of uciok (exit status 7)"), "{resumed}");
        assert_eq!(resumed.games().len(), 4);
    }
}

#[test]
fn a_program_that_is_gone_ends_the_match_without_a_result() {
    for limits in LIMITS {
        let place = Place::new();
        let engine = script(&place, "rm -- \"$0\"", "exit 1");
        let runner =
            place.runner(MATCH).words("--rounds 2 --recover").program(&engine, "bad", "--crash-on-go 2", limits);
        let run = runner.fake("good", "", limits).run();
        assert_eq!(run.code, Some(3), "{run}");
        assert_eq!(run.games().len(), 1, "{run}");
        assert!(run.stdout.contains(&format!("Stopped: engine bad: {}: No such file", engine.display())), "{run}");
    }
}

/// An engine that talks without end from its first `go` on, or from the `readyok` before it.
fn talker(place: &Place, flood: &str, on_go: bool) -> PathBuf {
    // The third isready is that of the first game.
    let (ready, go) = if on_go { ("", flood) } else { (flood, "") };
    let text = format!(
        "n=0\nwhile read -r line; do case $line in\n\
         uci) echo 'option name UCI_Variant type combo default kigogo var kigogo'; echo uciok;;\n\
         isready) echo readyok; n=$((n + 1)); [ $n = 3 ] && {{ {ready} :; }};;\n\
         go*) {go} ;;\nquit) exit;;\nesac; done"
    );
    place.script("engine", &text)
}

#[test]
fn endless_talk_is_no_answer() {
    // Several that write at once, so that the pipe is never empty.
    let lines = "yes info & yes info & exec yes info;";
    let no_line = "cat /dev/zero & cat /dev/zero & exec cat /dev/zero;";
    std::thread::scope(|scope| {
        for (flood, on_go) in [(lines, true), (no_line, true), (lines, false), (no_line, false)] {
            scope.spawn(move || {
                let place = Place::new();
                let engine = talker(&place, flood, on_go);
                let runner = place.runner(MATCH).words("--rounds 1 --ping-ms 2000 --move-ceiling 0.4");
                // The talk is well under way when its turn comes.
                let runner = runner.fake("good", "--late-ms 100", "nodes=10");
                let run = runner.program(&engine, "bad", "", if on_go { "tc=0.4" } else { "nodes=10" }).run();
                assert_eq!((run.code, run.reasons()), (Some(3), vec!["stall".to_owned()]), "{run}");
                assert_eq!(run.games()[0]["result"], "1-0", "{run}");
            });
        }
    });
}

#[test]
fn an_engine_that_talks_without_end_does_not_start() {
    for flood in ["yes info", "cat /dev/zero"] {
        let place = Place::new();
        let engine = place.script("engine", &format!("exec {flood}"));
        let runner = place
            .runner(MATCH)
            .words("--rounds 1 --startup-ms 300 --quit-ms 100")
            .program(&engine, "bad", "", "nodes=10");
        let run = runner.fake("good", "", "nodes=10").run();
        assert_eq!(run.code, Some(2), "{run}");
        assert!(run.stderr.contains("engine bad: no uciok within 300 ms after \"uci\""), "{run}");
    }
}

#[test]
fn an_engine_that_does_not_read_does_not_hold_the_runner_up() {
    let place = Place::new();
    let options = "option name UCI_Variant type combo default kigogo var kigogo\\noption name Book type string";
    let engine = place.script("engine", &format!("printf '{options}\\nuciok\\n'; exec sleep 600"));
    let runner = place.runner(MATCH).words("--rounds 1 --ping-ms 300 --quit-ms 100");
    // More than a pipe takes.
    let runner = runner.program(&engine, "bad", "", "nodes=10").word(format!("option.Book={}", "x".repeat(100_000)));
    let run = runner.fake("good", "", "nodes=10").run();
    assert_eq!(run.code, Some(2), "{run}");
    assert!(run.stderr.contains("engine bad: it does not read its input"), "{run}");
}
