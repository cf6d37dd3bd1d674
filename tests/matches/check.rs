//! `kete-match --check-engine`: what it says of good engines, and of a bad one for each of its faults.

use crate::fake::fake_engine;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The exit codes.
const PASSED: i32 = 0;
const FAILED: i32 = 1;
const USAGE: i32 = 2;

/// What a check said.
struct Report {
    code: Option<i32>,
    text: String,
    errors: String,
}

impl Report {
    /// The names of the steps with that word in front.
    fn steps(&self, word: &str) -> Vec<&str> {
        self.text.lines().filter_map(|line| line.strip_prefix(word)).map(str::trim_start).collect()
    }

    fn failed(&self) -> Vec<&str> {
        self.steps("FAILED ")
    }

    fn last_line(&self) -> &str {
        self.text.lines().last().unwrap_or("")
    }
}

/// Checks an engine: the word of `--check-engine`, and more flags.
fn check(command: &str, flags: &[&str]) -> Report {
    let output = Command::new(env!("CARGO_BIN_EXE_kete-match"))
        .args(["--check-engine", command])
        .args(flags)
        .env_remove("KETE_LOG")
        .stdin(Stdio::null())
        .output()
        .expect("kete-match runs");
    Report {
        code: output.status.code(),
        text: String::from_utf8(output.stdout).expect("UTF-8"),
        errors: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

fn quoted(program: &str) -> String {
    format!("'{program}'")
}

/// Checks the fake with these flags, with the time that engines usually have.
fn check_fake(flags: &str, deadlines: &[&str]) -> Report {
    check(&format!("{} {flags}", quoted(fake_engine().to_str().expect("a path of text"))), deadlines)
}

/// Nothing is waited for long that does not come.
const IMPATIENT: [&str; 6] = ["--startup-ms", "2000", "--ping-ms", "700", "--quit-ms", "300"];

#[test]
fn the_engine_of_this_project_passes_every_step() {
    for command in ["builtin", &quoted(env!("CARGO_BIN_EXE_kete"))] {
        let report = check(command, &[]);
        assert_eq!(
            (report.code, report.failed(), report.errors.as_str()),
            (Some(PASSED), vec![], ""),
            "{}",
            report.text
        );
        assert_eq!(report.steps("skipped "), Vec::<&str>::new());
        let steps = report.steps("ok ").len();
        assert!(steps >= 40, "{steps} steps");
        assert!(report.last_line().starts_with("Kete "), "{}", report.text);
        assert!(report.last_line().ends_with(&format!(": {steps} steps, {steps} passed, 0 failed, 0 skipped")));
    }
}

#[test]
fn a_plain_engine_passes_whatever_it_lacks() {
    for (flags, lacks) in [
        ("", "MultiPV 2: there is no such option"),
        ("--no-query", "query result: it does not answer query"),
        (
            "--no-variant",
            "setoption: UCI_Variant takes each game: there is no such option; it is taken to play kiswahili",
        ),
        ("--only-variant kimasai", "MultiPV 2: there is no such option"),
        ("--tabs --crlf --torn --spam-info 50", "MultiPV 2: there is no such option"),
        ("--spam-stderr 100000 --long-line 100000 --ignore-term", "MultiPV 2: there is no such option"),
    ] {
        let report = check_fake(flags, &[]);
        assert_eq!((report.code, report.failed()), (Some(PASSED), vec![]), "{flags}: {}", report.text);
        assert!(report.steps("skipped ").contains(&lacks), "{flags}: {}", report.text);
    }
}

/// Each fault with a step that fails by it, and a piece of what is said of it.
const FAULTS: [(&str, &str, &str); 25] = [
    ("--late-ms 300 --only-variant kigogo", "go movetime 50", " ms at the earliest, expected at most 250 ms"),
    ("--no-uciok", "uci is answered by uciok", "no uciok within 2000 ms after \"uci\""),
    ("--startup-ms 2500", "uci is answered by uciok", "no uciok within 2000 ms"),
    ("--no-readyok", "isready is answered by readyok alone", "no readyok within 700 ms after \"isready\""),
    ("--no-newgame-readyok", "isready is answered by readyok alone", "no readyok within 700 ms"),
    ("--unasked-bestmove", "isready is answered by readyok alone", " without go"),
    ("--crash-on-newgame 1", "ucinewgame", "kimasai: ended instead of readyok (exit status 3)"),
    ("--crash-on-go 1", "position startpos", "(exit status 3), after \"position startpos\", \"go nodes 10\""),
    ("--crash-on-go 30", "a whole game against itself", "(exit status 3)"),
    ("--abort-on-go 1", "go depth 2", "killed by SIGABRT"),
    ("--exit-on-go 1", "go infinite is answered after stop", "(exit status 0), after"),
    ("--close-stdout-on-go 1", "position startpos", "closed its pipes"),
    ("--stall-on-go 1", "position startpos", "no bestmove within 700 ms after \"position startpos\", \"go nodes 10\""),
    ("--deaf-on-go 1", "position startpos", "no bestmove within 700 ms"),
    ("--stall-until-stop 1", "position startpos", "no bestmove within 700 ms"),
    ("--late-ms 1000", "position startpos", "no bestmove within 700 ms"),
    ("--illegal-on-go 1", "position fen", "bestmove a1 after \"position fen kimasai "),
    ("--garbage-move-on-go 2", "go nodes 100", "kigogo: bestmove xyzzy after"),
    ("--none-on-go 1", "go nodes 100", "kigogo: bestmove (none) after \"position startpos\""),
    ("--empty-bestmove-on-go 1", "go nodes 100", "\"bestmove\": nothing at column 9, expected a move"),
    ("--double-bestmove-on-go 1", "go movetime 50", " without go"),
    (
        "--lying-result",
        "query result",
        "kigogo: query result is answered by p1win after \"position startpos\", expected none",
    ),
    ("--lying-legal", "query islegal", "kiswahili: query islegal A6R is answered by false"),
    ("--huge-numbers", "info holds numbers that can be", ", expected a whole number"),
    ("--bad-utf8", "info holds numbers that can be", "expected UTF-8"),
];

#[test]
fn each_fault_is_named_by_a_step() {
    // Several at a time: most of it is waiting.
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| {
                while let Some((flags, step, told)) = FAULTS.get(next.fetch_add(1, Ordering::Relaxed)) {
                    assert_named(flags, step, told);
                }
            });
        }
    });
}

fn assert_named(flags: &str, step: &str, told: &str) {
    let report = check_fake(flags, &IMPATIENT);
    assert_eq!((report.code, report.errors.as_str()), (Some(FAILED), ""), "{flags}: {}", report.text);
    let after = report.text.split_once(&format!("FAILED   {step}\n"));
    let (_, after) = after.unwrap_or_else(|| panic!("{flags}: {step} did not fail:\n{}", report.text));
    let flaws: Vec<&str> = after.lines().take_while(|line| line.starts_with("    ")).collect();
    assert!(flaws.iter().any(|flaw| flaw.contains(told)), "{flags}: {told} is not said:\n{}", report.text);
    let failed = report.failed().len();
    assert!(report.last_line().contains(&format!(" {failed} failed, ")), "{flags}: {}", report.text);
}

#[test]
fn an_engine_that_does_not_end_is_told_of_and_ended() {
    for flags in ["--slow-quit 3000", "--ignore-quit --ignore-term"] {
        let report = check_fake(flags, &["--quit-ms", "300"]);
        assert_eq!(
            report.failed(),
            [
                "quit ends the process",
                "quit ends a search and the process",
                "the end of the input ends the process",
                "the end of the input ends a search and the process"
            ],
            "{flags}: {}",
            report.text
        );
        assert!(report.text.contains("still running 300 ms after \"quit\", expected its end"));
    }
}

#[test]
fn steps_that_are_left_out_are_told_in_one_line() {
    let report = check_fake("--no-uciok", &IMPATIENT);
    assert!(report.text.contains("\nskipped  51 more: there is nothing to be seen without the step that failed\n"));
    assert_eq!(report.text.lines().count(), 5);
    let started = Instant::now();
    let report = check_fake("--stall-on-go 1", &IMPATIENT);
    assert!(report.text.contains(" more: too many steps in a row failed after a long wait\n"), "{}", report.text);
    assert!(started.elapsed() < Duration::from_secs(20));
}

#[test]
fn what_is_no_engine_is_an_error_and_not_a_bad_engine() {
    let crashing = format!("{} --crash-at-start", quoted(fake_engine().to_str().expect("a path of text")));
    for (command, told) in [
        ("", "--check-engine: expected a command, or builtin"),
        ("'a", "--check-engine: missing closing quote"),
        (
            "/nowhere/engine x",
            "--check-engine: cmd=/nowhere/engine: No such file or directory (os error 2), expected a program",
        ),
        (crashing.as_str(), "--check-engine: the engine does not start: ended instead of uciok (exit status 3)"),
        ("/bin/true", "--check-engine: the engine does not start: ended instead of uciok (exit status 0)"),
    ] {
        let report = check(command, &[]);
        assert_eq!((report.code, report.errors), (Some(USAGE), format!("error: {told}\n")), "{command}");
        assert_eq!(report.text, "");
    }
    // What a program says of itself is the best explanation.
    let report = check("cat /nowhere/file", &[]);
    assert_eq!(report.code, Some(USAGE));
    assert!(report.errors.contains("; its standard error ends with \""), "{}", report.errors);
}

#[test]
fn an_interrupt_ends_a_check() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_kete-match"))
        .args([
            "--check-engine",
            &format!("{} --late-ms 1000", quoted(fake_engine().to_str().expect("a path of text"))),
        ])
        .stdout(Stdio::null())
        .spawn()
        .expect("kete-match runs");
    std::thread::sleep(Duration::from_millis(500));
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).expect("a signal");
    let started = Instant::now();
    let status = child.wait().expect("its end");
    assert_eq!(status.code(), Some(130));
    assert!(started.elapsed() < Duration::from_secs(5));
}
