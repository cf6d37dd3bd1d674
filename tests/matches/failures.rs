//! Failures in a game, each in a match with a limit of nodes and in one with a clock, with `--recover` and without.

use crate::runner::{Place, Run, Runner, read_json, text_of};
use kete::game::{AnyPosition, GameRecord, Variant};
use kete::notation::{parse_move, parse_setup, position_text};
use serde_json::Value;
use std::path::Path;

/// A fault of the engine `bad`, and what is to come of it.
#[derive(Clone, Copy)]
struct Fault {
    /// The flags of the fake.
    flags: &'static str,
    /// The flags of its opponent, if it must be a fake.
    opponent: &'static str,
    /// Whether the opponent plays South in the first game.
    second: bool,
    reason: &'static str,
    /// What the detail must say.
    detail: &'static str,
    /// How the process ended, in the bundle; `None` if it was still there.
    exit: Option<&'static str>,
    /// Whether the engine must run out of time to fail.
    timed: bool,
    /// More words for the runner.
    words: &'static str,
    /// Pairs of games.
    rounds: u64,
    /// The games that fail if the match goes on.
    failing: &'static [u64],
    /// Whether the engine is started anew after it has failed.
    restarted: bool,
}

/// Most faults come with a move of each process.
const FAULT: Fault = Fault {
    flags: "",
    opponent: "",
    second: false,
    reason: "",
    detail: "",
    exit: None,
    timed: false,
    words: "",
    rounds: 2,
    failing: &[1, 2, 3, 4],
    restarted: true,
};

#[derive(Clone, Copy, Debug)]
enum Limit {
    Nodes,
    Clock,
}

impl Fault {
    #[track_caller]
    fn play(self, place: &Place, limit: Limit, words: &str) -> Run {
        let runner = place.runner("--variant kigogo --out match --seed 7 --openings random plies=6");
        let runner = runner.words(&format!("--rounds {}", self.rounds)).words(self.words).words(words);
        let runner = match (limit, self.timed) {
            (Limit::Nodes, true) => runner.words("--move-ceiling 0.4"),
            _ => runner,
        };
        let runner = if self.second {
            self.bad(self.good(runner, limit), limit, place)
        } else {
            self.good(self.bad(runner, limit, place), limit)
        };
        runner.run()
    }

    fn bad<'a>(self, runner: Runner<'a>, limit: Limit, place: &Place) -> Runner<'a> {
        let flags = format!("{} --pid-file '{}'", self.flags, place.text_at("pids"));
        let limits = match (limit, self.timed) {
            (Limit::Nodes, _) => "nodes=10",
            (Limit::Clock, false) => "tc=60+1",
            (Limit::Clock, true) => "tc=0.4",
        };
        runner.fake("bad", &flags, limits)
    }

    fn good(self, runner: Runner<'_>, limit: Limit) -> Runner<'_> {
        match limit {
            Limit::Nodes if self.opponent.is_empty() => runner.builtin("good", "nodes=10 option.Player=random"),
            Limit::Nodes => runner.fake("good", self.opponent, "nodes=10"),
            Limit::Clock => runner.fake("good", self.opponent, "tc=60+1"),
        }
    }

    /// The match that stops at the failure, and the one that goes on, with either limit.
    #[track_caller]
    fn check(self) {
        std::thread::scope(|scope| {
            for limit in [Limit::Nodes, Limit::Clock] {
                scope.spawn(move || self.check_that_it_stops(limit));
                scope.spawn(move || self.check_that_it_goes_on(limit));
            }
        });
    }

    fn check_that_it_stops(self, limit: Limit) {
        let place = Place::new();
        let run = self.play(&place, limit, "");
        assert_eq!(run.code, Some(3), "{run}");
        let (games, first) = (run.games(), self.failing[0]);
        let numbers: Vec<u64> = games.iter().map(|game| game["game"].as_u64().expect("a number")).collect();
        assert_eq!(numbers, (1..=first).collect::<Vec<u64>>(), "{run}");
        let game = games.last().expect("a game");
        self.check_game(game, &run);
        assert!(run.stdout.contains(&format!("Stopped: game {first}: bad (")), "{run}");
        assert!(run.stdout.contains("What is known of it: match/failures/"), "{run}");
        assert_eq!(run.failures(), [first], "{run}");
        self.check_bundle(game, &run);
        assert_reproduced(&place, &run.bundle(first));
    }

    fn check_that_it_goes_on(self, limit: Limit) {
        let place = Place::new();
        let run = self.play(&place, limit, "--recover");
        assert_eq!(run.code, Some(0), "{run}");
        let games = run.games();
        assert_eq!(games.len() as u64, 2 * self.rounds, "{run}");
        for (number, game) in (1..).zip(&games) {
            assert_eq!(game["game"], number, "{run}");
            if self.failing.contains(&number) {
                self.check_game(game, &run);
            } else {
                assert!(
                    ["normal", "repetition", "endless-relay", "max-plies"].contains(&text_of(game, "reason")),
                    "{run}"
                );
            }
        }
        assert_eq!(run.failures(), self.failing, "{run}");
        let line = format!("Failures of bad: {} {}", self.reason, self.failing.len());
        assert!(run.stdout.contains(&line), "{line} is not in\n{run}");
        assert!(!run.stdout.contains("Stopped"), "{run}");
        // It is started for the preflight, and again for each game that is played after one that it failed.
        let restarts = self.failing.iter().filter(|&&game| game < 2 * self.rounds).count();
        let starts = if self.restarted { 1 + restarts } else { 1 };
        assert_eq!(place.read("pids").lines().count(), starts, "{run}");
    }

    /// The engine has lost the game, for its own reason.
    fn check_game(self, game: &Value, run: &Run) {
        let (lost, side) = if game["south"] == "bad" { ("0-1", "South: ") } else { ("1-0", "North: ") };
        assert_eq!(text_of(game, "reason"), self.reason, "{run}");
        assert_eq!(text_of(game, "result"), lost, "{run}");
        let detail = text_of(game, "detail");
        assert!(detail.starts_with(side) && detail.contains(self.detail), "{detail}");
        assert_eq!(game["plies"], game["moves"].as_array().expect("a list").len(), "{run}");
    }

    fn check_bundle(self, game: &Value, run: &Run) {
        let directory = run.bundle(game["game"].as_u64().expect("a number"));
        let bundle = read_json(&directory.join("bundle.json"));
        assert_eq!(text_of(&bundle, "failure"), self.reason);
        assert_eq!(bundle["engine"]["name"], "bad");
        let detail = text_of(&bundle, "detail");
        assert_eq!(text_of(game, "detail"), format!("{}: {detail}", text_of(&bundle, "side")));
        assert_eq!(bundle["exit"].as_str(), self.exit, "{run}");
        let position = position_of(game);
        assert_eq!(text_of(&bundle, "position"), position);
        assert_eq!(read(&directory, "position.txt"), format!("{position}\n"));
        for side in ["south", "north"] {
            let protocol = read(&directory, &format!("{side}.protocol.txt"));
            check_protocol(&protocol);
            read(&directory, &format!("{side}.stderr.txt"));
            if side == text_of(&bundle, "side").to_lowercase() {
                let mut sent = protocol.lines().filter_map(|line| line.split_once(" > ")).map(|(_, line)| line);
                let input = bundle["input"].as_array().expect("a list");
                assert_eq!(sent.next_back(), input.last().and_then(Value::as_str), "the last line of both");
            }
        }
    }
}

#[track_caller]
fn read(directory: &Path, name: &str) -> String {
    std::fs::read_to_string(directory.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Each line has a time, which does not go back, and a direction.
#[track_caller]
fn check_protocol(text: &str) {
    let mut last = 0.0;
    for line in text.lines() {
        let mut words = line.splitn(3, ' ');
        let time: f64 = words.next().and_then(|word| word.parse().ok()).unwrap_or_else(|| panic!("{line:?}"));
        assert!(time >= last, "{text}");
        last = time;
        assert!(matches!(words.next(), Some("<" | ">")), "{line:?}");
    }
    // The last lines are kept, and the first games are short.
    assert!(text.lines().count() == 400 || (text.contains(" > uci\n") && text.contains(" < uciok\n")), "{text}");
}

/// The position in which a game on record ended.
fn position_of(game: &Value) -> String {
    let variant = Variant::from_name(text_of(game, "variant")).expect("a game");
    let setup = parse_setup(text_of(game, "opening"), variant).expect("a setup");
    let mut record = GameRecord::new(AnyPosition::from_setup(&setup).expect("a position"));
    for word in game["moves"].as_array().expect("a list") {
        let m = parse_move(word.as_str().expect("a text"), record.position()).expect("a move");
        record.play(m).expect("a legal move");
    }
    position_text(&record.position().to_setup()).to_string()
}

/// The command of a bundle lets the failure happen again, wherever it is typed.
#[track_caller]
fn assert_reproduced(place: &Place, bundle: &Path) {
    let command = read(bundle, "reproduce.sh");
    assert_eq!(read_json(&bundle.join("bundle.json"))["reproduce"], command.trim_end());
    assert_eq!(command.lines().count(), 1, "{command:?}");
    let run = place.typed(&command).run();
    assert_eq!(run.code, Some(0), "{run}");
    assert!(run.stdout.starts_with("reproduced\n"), "{run}");
}

#[test]
fn a_crash() {
    Fault {
        flags: "--crash-on-go 2",
        reason: "crash",
        detail: "(exit status 3)",
        exit: Some("exit status 3"),
        ..FAULT
    }
    .check();
}

#[test]
fn a_crash_at_the_first_move() {
    let detail = "ended while it was to move (exit status 3)";
    Fault { flags: "--crash-on-go 1", reason: "crash", detail, exit: Some("exit status 3"), ..FAULT }.check();
}

#[test]
fn a_signal_is_named() {
    let exit = Some("killed by SIGABRT");
    Fault { flags: "--abort-on-go 2", reason: "crash", detail: "(killed by SIGABRT)", exit, ..FAULT }.check();
}

#[test]
fn an_end_without_a_word() {
    Fault { flags: "--exit-on-go 2", reason: "crash", detail: "(exit status 0)", exit: Some("exit status 0"), ..FAULT }
        .check();
}

#[test]
fn a_closed_output() {
    let detail = "closed its pipes while it was to move, without ending";
    let fault = Fault { flags: "--close-stdout-on-go 2", reason: "crash", detail, ..FAULT };
    Fault { rounds: 1, failing: &[1, 2], ..fault }.check();
}

#[test]
fn a_crash_whose_child_holds_the_pipe_open() {
    let exit = Some("exit status 3");
    let fault = Fault { flags: "--crash-on-go 2 --child", reason: "crash", detail: "(exit status 3)", exit, ..FAULT };
    std::thread::scope(|scope| {
        for limit in [Limit::Nodes, Limit::Clock] {
            scope.spawn(move || fault.check_that_it_stops(limit));
        }
    });
}

/// Each game takes its time.
const STALL: Fault = Fault {
    reason: "stall",
    detail: "no answer to \"go ",
    timed: true,
    words: "--ping-ms 500",
    rounds: 1,
    failing: &[1, 2],
    ..FAULT
};

#[test]
fn no_answer() {
    Fault { flags: "--stall-on-go 2", ..STALL }.check();
}

#[test]
fn no_answer_and_no_ear() {
    Fault { flags: "--deaf-on-go 2", ..STALL }.check();
}

/// The detail names what sets the time: the clock or the ceiling.
const LATE: Fault =
    Fault { reason: "time", detail: "ms too late (c", timed: true, rounds: 1, failing: &[1, 2], ..FAULT };

#[test]
fn an_answer_after_stop_alone() {
    Fault { flags: "--stall-until-stop 2", ..LATE }.check();
}

#[test]
fn an_answer_that_is_late() {
    Fault { flags: "--late-ms 700 --late-on-go 2", ..LATE }.check();
}

/// A wrong move ends the game, but not the engine.
const WRONG_MOVE: Fault = Fault { reason: "illegal-move", failing: &[1], restarted: false, ..FAULT };

#[test]
fn an_illegal_move() {
    Fault { flags: "--illegal-on-go 2", detail: "", ..WRONG_MOVE }.check();
}

#[test]
fn a_word_that_is_no_move() {
    Fault { flags: "--garbage-move-on-go 2", detail: "\"xyzzy\"", ..WRONG_MOVE }.check();
}

#[test]
fn the_word_for_no_move() {
    Fault { flags: "--none-on-go 2", detail: "\"(none)\"", ..WRONG_MOVE }.check();
}

#[test]
fn a_best_move_without_a_move() {
    Fault { flags: "--empty-bestmove-on-go 2", reason: "protocol-error", detail: "\"bestmove\"", ..FAULT }.check();
}

/// So slow that whatever is written to the runner beforehand has come.
const SLOW: &str = "--late-ms 20";
const SHORT: &str = "--maxplies 12";

#[test]
fn two_best_moves() {
    let flags = "--double-bestmove-on-go 2";
    Fault { flags, opponent: SLOW, words: SHORT, reason: "protocol-error", detail: "without go", ..FAULT }.check();
}

#[test]
fn a_best_move_that_nobody_asked_for() {
    // The first new game is that of the preflight.
    let flags = "--unasked-on-newgame 2";
    let fault = Fault { flags, opponent: SLOW, words: SHORT, reason: "protocol-error", detail: "without go", ..FAULT };
    Fault { second: true, failing: &[1, 3], ..fault }.check();
}

#[test]
fn a_crash_at_a_new_game() {
    // The first one is that of the preflight.
    let (flags, exit) = ("--crash-on-newgame 3", Some("exit status 3"));
    Fault { flags, reason: "crash", detail: "(exit status 3)", exit, failing: &[2], ..FAULT }.check();
}

#[test]
fn no_word_at_a_later_game() {
    let flags = "--mute-on-newgame 3";
    let detail = "no readyok within 500 ms after \"isready\"";
    Fault { flags, reason: "stall", detail, words: "--ping-ms 500", failing: &[2], ..FAULT }.check();
}
