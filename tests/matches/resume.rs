//! A match that is interrupted, at whatever moment and by whatever signal, and gone on with is the match that nobody
//! interrupted; where it would not be, going on is refused. On the real program, with real processes.

use crate::fake::fake_engine;
use crate::interruption::{Ended, PATIENCE, Place, random, table, wait_for};
use kete::contest::{Journal, JournalError, MatchRecord, PlayedGame, SprtState, Standings};
use rustix::process::Signal;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

const MCTS: &str = "--engine cmd=builtin name=mcts nodes=60";
const RANDOM: &str = "--engine cmd=builtin name=random option.Player=random nodes=1";
const GREEDY: &str = "--engine cmd=builtin name=greedy option.Player=greedy nodes=1";
const SIGNALS: [Signal; 3] = [Signal::INT, Signal::TERM, Signal::KILL];

/// The words of an engine that is the fake.
fn fake(name: &str, flags: &str) -> String {
    format!("--engine 'cmd={}' name={name} 'args={flags}' nodes=1", fake_engine().display())
}

/// Starts the match of so many games in `run`, or goes on with it, and ends it at a random moment by a random signal, long
/// before its last game. Returns what it said.
#[track_caller]
fn interrupt(place: &Place, words: &str, games: usize, moment: u64) -> Ended {
    let before = place.lines("run");
    // However fast games are, this run leaves most of them to the next.
    let share = (games - before) / 4;
    let resume = place.path("run").join("config.json").exists();
    let mut runner = place.start(&if resume { "--resume run".to_owned() } else { format!("{words} --out run") });
    let mut wait = |games: usize, time: Duration| {
        let until = Instant::now() + time;
        wait_for("some games", || {
            let enough = place.lines("run") >= before + games || Instant::now() >= until;
            (enough || runner.has_ended()).then_some(())
        });
    };
    // In every other run while it starts, else after some games.
    if moment.is_multiple_of(2) {
        // It listens to signals by then, in general.
        wait(share, Duration::from_millis(20 + random(180)));
    } else {
        wait(random(12.min(share as u64)) as usize, PATIENCE);
        wait(share, Duration::from_millis(random(20)));
    }
    assert!(!runner.has_ended(), "the match was over before the interrupt: {:?}", runner.wait());
    let signal = SIGNALS[random(3) as usize];
    runner.signal(signal);
    let ended = runner.wait();
    place.expect_nobody();
    // Before it listens to signals it dies of them.
    let code = if signal == Signal::KILL { None } else { Some(130) };
    assert!(ended.code == code || (ended.code.is_none() && place.lines("run") == before), "{signal:?}: {ended:?}");
    if ended.code.is_some() {
        assert!(ended.stdout.contains("nterrupted"), "{ended:?}");
    }
    ended
}

/// Makes sure that two directories have the same match on record, each game once.
#[track_caller]
fn expect_same_match(place: &Place, one: &str, other: &str) {
    let (one, other) = (place.games(one), place.games(other));
    let once: BTreeSet<_> = one.iter().map(|g| (g.variant.name(), &g.south, &g.north, &g.opening)).collect();
    assert_eq!(once.len(), one.len(), "a game was played twice");
    assert_eq!(one.len(), other.len());
    for (one, other) in one.iter().zip(&other) {
        assert_eq!(one, other);
    }
}

/// Makes sure that every pairing consists of complete pairs, by the last event of `--json`.
#[track_caller]
fn expect_whole_pairs(json: &str, games: u64) {
    let end: Value = serde_json::from_str(json.lines().last().expect("an event")).expect("JSON");
    assert_eq!((&end["event"], &end["ending"]), (&"end".into(), &"finished".into()));
    assert_eq!(end["results"]["games"], games);
    let pairings = end["results"]["pairings"].as_array().expect("pairings");
    let mut by_variant: BTreeMap<bool, u64> = BTreeMap::new();
    for pairing in pairings {
        let pairs: u64 = pairing["penta"].as_array().expect("five counts").iter().map(|n| n.as_u64().unwrap()).sum();
        assert_eq!(Some(2 * pairs), pairing["games"].as_u64());
        *by_variant.entry(!pairing["variant"].is_null()).or_default() += 2 * pairs;
    }
    assert!(by_variant.values().all(|&sum| sum == games), "{by_variant:?}");
}

#[test]
fn a_match_that_is_interrupted_ten_times_is_the_match_that_was_not() {
    let place = Place::new("ten-times");
    // Three engines have three pairings: 204 games are the round robin that is nearest to 200.
    let words = format!(
        "--variant kigogo --variant kimasai {MCTS} {RANDOM} {GREEDY} --rounds 17 --concurrency 2 --seed 20 --quiet"
    );
    let whole = place.run_well(&format!("{words} --out whole"));
    place.expect_nobody();
    for moment in 0..10 {
        interrupt(&place, &words, 204, moment);
    }
    let resumed = place.run_well("--resume run --json");
    place.expect_nobody();
    assert_eq!(place.games("run").len(), 204);
    expect_same_match(&place, "run", "whole");
    expect_whole_pairs(&resumed, 204);
    // It is finished now: nothing is left to play, and the table is that of the whole.
    let journal = fs::read(place.path("run/games.jsonl")).expect("a journal");
    assert_eq!(table(&place.run_well("--resume run --quiet")), table(&whole));
    assert_eq!(fs::read(place.path("run/games.jsonl")).expect("a journal"), journal);
}

#[test]
fn engines_that_never_end_by_themselves_do_not_outlive_the_runner() {
    let place = Place::new("stubborn");
    let stubborn = "--ignore-quit --ignore-term --child --pid-file";
    let words = format!(
        "--variant kimasai {} {} --rounds 150 --concurrency 2 --seed 3 --quit-ms 50 --quiet",
        fake("one", &format!("{stubborn} {}", place.word("pids"))),
        fake("two", &format!("--pick first {stubborn} {}", place.word("pids"))),
    );
    place.run_well(&format!("{words} --out whole"));
    place.expect_nobody();
    for moment in 0..6 {
        interrupt(&place, &words, 300, moment);
    }
    place.run_well("--resume run --quiet");
    place.expect_nobody();
    expect_same_match(&place, "run", "whole");
    // The mark that finds them is one that the fakes and their children had: here are their numbers as well.
    let pids = fs::read_to_string(place.path("pids")).expect("numbers");
    assert!(pids.lines().count() >= 8, "{pids}");
    for pid in pids.lines() {
        let words = fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        assert!(!words.contains("fake_engine") && !words.contains("sleep"), "{pid}: {words}");
    }
}

/// A match of two fakes that plays some games and then comes to a halt in one: `one` does not answer any more, and has all
/// the time in the world. Returns its words and the file with what `one` was told.
fn halting_match(place: &Place, flags: &str) -> String {
    let told = place.word("told");
    let one = fake("one", &format!("--stall-on-go 60 --tell {told} {flags}"));
    let two = fake("two", &format!("--pick first {flags}"));
    // Not by nodes, which are limited by the ceiling alone.
    let words = format!(
        "--variant kimasai {one} {two} --rounds 50 --openings random plies=10 --seed 8 --move-ceiling 3600 --quiet"
    );
    words.replace("nodes=1", "st=3000")
}

/// Waits until the halting match has halted.
#[track_caller]
fn wait_for_halt(place: &Place) {
    let goes = || fs::read_to_string(place.path("told")).unwrap_or_default().matches("\ngo ").count();
    wait_for("the halt", || (goes() >= 60).then_some(()));
}

#[test]
fn the_first_interrupt_ends_a_match_in_the_middle_of_a_move() {
    // Tests that run under nohup have runners that ignore hangups.
    let status = fs::read_to_string("/proc/self/status").expect("a status");
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:\t")).expect("a mask");
    let nohup = mask.ends_with(['1', '3', '5', '7', '9', 'b', 'd', 'f']);
    let hangup = if nohup { Signal::INT } else { Signal::HUP };
    for signal in [Signal::INT, Signal::TERM, hangup] {
        let place = Place::new("first");
        let runner = place.start(&format!("{} --out run", halting_match(&place, "")));
        wait_for_halt(&place);
        let games = place.lines("run");
        assert!(games > 0, "games that were finished before the halt");
        let asked = Instant::now();
        runner.signal(signal);
        let ended = runner.wait();
        assert!(asked.elapsed() < Duration::from_secs(60), "{signal:?}: {:?}", asked.elapsed());
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(130), ""), "{signal:?}");
        assert!(ended.stdout.contains(&format!("one against two: {games} game")), "{}", ended.stdout);
        assert!(ended.stdout.contains("Interrupted. Go on: kete-match --resume run\n"), "{}", ended.stdout);
        // The game in progress is not on record.
        assert_eq!(place.games("run").len(), games);
        assert!(place.games("run").iter().all(|game| game.reason.name() == "normal"));
        place.expect_nobody();
    }
}

#[test]
fn the_built_in_engine_is_interrupted_in_a_long_move() {
    let place = Place::new("long-move");
    let words = "--engine cmd=builtin name=a --engine cmd=builtin name=b --each st=3000";
    let runner = place.start(&format!("--variant kigogo {words} --move-ceiling 3600 --out run --json"));
    wait_for("the start", || runner.stdout().contains("\"event\":\"start\"").then_some(()));
    sleep(Duration::from_millis(100));
    let asked = Instant::now();
    runner.signal(Signal::INT);
    let ended = runner.wait();
    assert!(asked.elapsed() < Duration::from_secs(60), "{:?}", asked.elapsed());
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(130), ""));
    assert!(ended.stdout.lines().last().is_some_and(|end| end.contains("\"ending\":\"interrupted\"")));
    assert_eq!(place.games("run"), []);
    place.expect_nobody();
}

#[test]
fn the_second_interrupt_waits_for_nobody() {
    for (first, second) in [(Signal::INT, Signal::INT), (Signal::TERM, Signal::TERM), (Signal::INT, Signal::TERM)] {
        let place = Place::new("second");
        let words = halting_match(&place, "--ignore-quit --ignore-term --child");
        let mut runner = place.start(&format!("{words} --quit-ms 3600000 --out run"));
        wait_for_halt(&place);
        runner.signal(first);
        let told = || fs::read_to_string(place.path("told")).unwrap_or_default();
        wait_for("quit", || told().ends_with("stop\nquit\n").then_some(()));
        assert!(!runner.has_ended(), "it waits for the engine");
        let asked = Instant::now();
        runner.signal(second);
        let ended = runner.wait();
        assert!(asked.elapsed() < Duration::from_secs(60), "{:?}", asked.elapsed());
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(130), ""), "{first:?}, {second:?}");
        place.expect_nobody();
        assert!(!place.games("run").is_empty());
    }
}

#[test]
fn an_interrupt_before_the_first_game_is_an_interrupt() {
    let place = Place::new("before");
    let engine = |name| fake(name, "--startup-ms 3600000 --ignore-term");
    let words = format!("--variant kimasai {} {} --startup-ms 3600000", engine("one"), engine("two"));
    for signal in [Signal::INT, Signal::TERM] {
        let runner = place.start(&format!("{words} --out run"));
        wait_for("an engine", || place.path("run/stderr/1-one-1.txt").exists().then_some(()));
        runner.signal(signal);
        let ended = runner.wait();
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(130), ""), "{}", ended.stdout);
        assert!(ended.stdout.contains("Interrupted before the first game"), "{}", ended.stdout);
        assert!(!place.path("run").exists(), "of a match that did not begin nothing is left");
        place.expect_nobody();
    }
    // Of a match that goes on the games so far are on record, and told.
    let words = format!("--variant kimasai {RANDOM} {} --rounds 1 --seed 1", fake("slow", "--startup-ms 100"));
    place.run_well(&format!("{words} --out run"));
    let runner = place.start("--resume run --quiet");
    wait_for("an engine", || {
        let alive = place.alive();
        alive.iter().any(|words| words.contains("startup-ms")).then_some(())
    });
    runner.signal(Signal::INT);
    let ended = runner.wait();
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(130), ""), "{}", ended.stdout);
    assert!(ended.stdout.contains("random against slow: 2 games"), "{}", ended.stdout);
    assert!(ended.stdout.contains("Interrupted. Go on: kete-match --resume run"), "{}", ended.stdout);
}

#[test]
fn a_hangup_that_was_to_be_ignored_is_ignored() {
    let place = Place::new("nohup");
    let words = halting_match(&place, "");
    let mut command = place.command("/bin/sh");
    let runner = format!("{} {words} --out run", env!("CARGO_BIN_EXE_kete-match"));
    command.args(["-c", &format!("trap '' HUP; exec {runner}")]);
    let mut runner = place.start_command(command);
    wait_for_halt(&place);
    runner.signal(Signal::HUP);
    sleep(Duration::from_millis(300));
    assert!(!runner.has_ended(), "nohup keeps the match going");
    runner.signal(Signal::INT);
    assert_eq!(runner.wait().code, Some(130));
    place.expect_nobody();
}

#[test]
fn the_same_seed_gives_the_same_games_however_many_are_played_at_once() {
    let place = Place::new("seed");
    let words = format!("--variant all {MCTS} {RANDOM} {GREEDY} --rounds 2 --quiet");
    let mut tables = Vec::new();
    for concurrency in [1, 2, 4] {
        let out = format!("--concurrency {concurrency} --out at-once-{concurrency}");
        tables.push(table(&place.run_well(&format!("{words} --seed 77 {out}"))));
    }
    assert_eq!(place.games("at-once-1").len(), 36);
    expect_same_match(&place, "at-once-1", "at-once-2");
    expect_same_match(&place, "at-once-1", "at-once-4");
    assert!(tables.iter().all(|table| *table == tables[0]));

    place.run_well(&format!("{words} --seed 78 --out other"));
    let openings =
        |directory| -> BTreeSet<String> { place.games(directory).into_iter().map(|game| game.opening).collect() };
    assert_ne!(openings("at-once-1"), openings("other"));
    let moves = |directory| -> Vec<Vec<String>> { place.games(directory).into_iter().map(|game| game.moves).collect() };
    assert!(moves("at-once-1").iter().zip(moves("other")).all(|(one, other)| *one != other));
}

#[test]
fn another_seed_gives_other_games_from_the_same_opening() {
    let place = Place::new("moves");
    fs::write(place.path("openings"), "startpos\n").expect("a file");
    let words =
        format!("--variant kigogo {RANDOM} {} --openings file=openings --rounds 1 --quiet", fake("fake", "--torn"));
    for (seed, out) in [(1, "one"), (1, "same"), (2, "other")] {
        place.run_well(&format!("{words} --seed {seed} --out {out}"));
    }
    expect_same_match(&place, "one", "same");
    let (one, other) = (place.games("one"), place.games("other"));
    assert!(one.iter().zip(&other).all(|(one, other)| one.opening == other.opening && one.moves != other.moves));
}

/// Random against random, `rounds` pairs of each game, twice.
fn random_games_repeat(name: &str, rounds: usize) {
    let place = Place::new(name);
    let two = RANDOM.replace("name=random", "name=two");
    let words = format!("--variant all {RANDOM} {two} --rounds {rounds} --seed 5 --quiet");
    place.run_well(&format!("{words} --concurrency 2 --out one"));
    place.run_well(&format!("{words} --concurrency 3 --out other"));
    let games = place.games("one");
    assert_eq!(games.len(), 6 * rounds);
    assert!(games.iter().all(|game| !game.reason.is_failure() && game.disputes.is_empty()));
    expect_same_match(&place, "one", "other");
}

#[test]
fn random_games_are_the_same_again() {
    random_games_repeat("random", 20);
}

#[test]
#[ignore = "takes minutes: cargo test --test matches resume -- --ignored"]
fn a_thousand_random_games_of_each_kind_are_the_same_again() {
    random_games_repeat("random-thousand", 500);
}

/// A finished match of four short games in `whole`.
fn short_match(place: &Place) {
    let words = format!("--variant kimasai {RANDOM} {GREEDY} --rounds 2 --maxplies 4 --seed 4 --quiet");
    place.run_well(&format!("{words} --out whole"));
}

/// A copy of the match in `whole` with this journal.
fn with_journal(place: &Place, directory: &str, journal: &[u8]) {
    let path = place.path(directory);
    fs::create_dir_all(&path).expect("a directory");
    fs::copy(place.path("whole/config.json"), path.join("config.json")).expect("a copy");
    fs::write(path.join("games.jsonl"), journal).expect("a journal");
}

#[test]
fn a_last_line_can_be_cut_anywhere() {
    let place = Place::new("cut");
    short_match(&place);
    let whole = fs::read(place.path("whole/games.jsonl")).expect("a journal");
    let games = place.record("whole").games;
    let head = whole[..whole.len() - 1].iter().rposition(|&b| b == b'\n').expect("lines") + 1;
    let directory = place.path("run");
    for end in head..whole.len() {
        with_journal(&place, "run", &whole[..end]);
        assert_eq!(place.record("run").games, games[..3], "{end}");
        let (record, mut journal) = Journal::resume(&directory).expect("it goes on");
        assert_eq!(record.games, games[..3], "{end}");
        assert_eq!(fs::read(directory.join("games.jsonl")).expect("a journal"), whole[..head], "{end}");
        journal.append(&games[3]).expect("room");
        assert_eq!(fs::read(directory.join("games.jsonl")).expect("a journal"), whole, "{end}");
    }
}

#[test]
fn what_is_no_line_at_the_end_is_cut_off_and_played_again() {
    let place = Place::new("rubbish");
    short_match(&place);
    let whole = fs::read(place.path("whole/games.jsonl")).expect("a journal");
    let lines: Vec<&[u8]> = whole.split_inclusive(|&b| b == b'\n').collect();
    let tails: [&[u8]; 7] =
        [&lines[3][..40], b"rubbish", b"rubbish\n", &[0; 5000], b"\0\0\0\n", b"\n", b"{\"game\":4}\n"];
    for (n, tail) in tails.into_iter().enumerate() {
        let directory = format!("run-{n}");
        with_journal(&place, &directory, &[lines[0], lines[1], lines[2], tail].concat());
        let ended = place.run(&format!("--resume {directory} --quiet"));
        assert_eq!(ended.code, Some(0), "{tail:?}: {ended:?}");
        assert!(ended.stderr.contains(&format!("{} bytes of an unfinished line cut off", tail.len())), "{ended:?}");
        expect_same_match(&place, &directory, "whole");
    }
    // No journal at all, as after a crash between the two files: all games are to be played.
    with_journal(&place, "none", b"");
    fs::remove_file(place.path("none/games.jsonl")).expect("a file");
    place.run_well("--resume none --quiet");
    expect_same_match(&place, "none", "whole");
}

#[test]
fn a_damaged_line_in_the_middle_is_refused_by_its_number() {
    let place = Place::new("damaged");
    short_match(&place);
    let whole = fs::read(place.path("whole/games.jsonl")).expect("a journal");
    let lines: Vec<&[u8]> = whole.split_inclusive(|&b| b == b'\n').collect();
    let damaged: [&[u8]; 4] = [b"rubbish\n", b"\n", b"\0\0\0\0\n", &[&lines[1][..50], b"\n"].concat()];
    for middle in damaged {
        let journal = [lines[0], middle, lines[2], lines[3]].concat();
        with_journal(&place, "run", &journal);
        let refusal = place.refusal("--resume run");
        assert!(refusal.starts_with("error: run/games.jsonl, line 2: "), "{refusal}");
        assert_eq!(fs::read(place.path("run/games.jsonl")).expect("a journal"), journal, "nothing is cut off");
        assert!(matches!(MatchRecord::load(&place.path("run")), Err(JournalError::Line { line: 2, .. })));
    }
    // Lines that are whole, but are not this match's.
    for (journal, said) in [
        ([lines[0], lines[0]].concat(), "game 1 is on record twice"),
        (
            [lines[0], &replaced(lines[1], "\"game\":2", "\"game\":99")].concat(),
            "game 99 is on record, but the match has no",
        ),
        ([lines[0], &replaced(lines[1], "\"seed\":", "\"seed\":1")].concat(), "game 2: seed is 1"),
    ] {
        with_journal(&place, "run", &journal);
        let refusal = place.refusal("--resume run");
        assert!(refusal.contains(said), "{refusal}");
    }
    place.expect_nobody();
}

fn replaced(line: &[u8], from: &str, to: &str) -> Vec<u8> {
    let text = String::from_utf8_lossy(line);
    assert!(text.contains(from), "{text}");
    text.replacen(from, to, 1).into_bytes()
}

#[test]
fn two_runners_do_not_play_one_match() {
    let place = Place::new("lock");
    let words = halting_match(&place, "");
    let runner = place.start(&format!("{words} --out run"));
    wait_for_halt(&place);
    let games = place.lines("run");
    assert_eq!(place.refusal("--resume run"), "error: run is in use by another kete-match\n");
    let exists = "error: run holds a match already: go on with it by --resume, or name another directory\n";
    assert_eq!(place.refusal(&format!("{words} --out run")), exists);
    assert_eq!(place.lines("run"), games);
    // The first one does not mind, and lets go even if it is killed.
    runner.signal(Signal::KILL);
    assert_eq!(runner.wait().code, None);
    place.expect_nobody();
    fs::remove_file(place.path("told")).expect("a file");
    let runner = place.start("--resume run");
    wait_for_halt(&place);
    runner.signal(Signal::INT);
    assert_eq!(runner.wait().code, Some(130));
    assert_eq!(place.refusal(&format!("{words} --out run")), exists);
    place.expect_nobody();
}

#[test]
fn another_match_is_not_gone_on_with() {
    let place = Place::new("changed");
    let words = format!("--variant kimasai {RANDOM} {GREEDY} --rounds 2 --maxplies 4 --seed 4 --quiet");
    let finished = place.run_well(&format!("{words} --out run"));
    let config = fs::read_to_string(place.path("run/config.json")).expect("a configuration");

    // The same flags are the same match, with or without the seed; how it is run is not part of it.
    for words in [&words, &words.replace("--seed 4 ", ""), &format!("{words} --concurrency 2 --recover")] {
        assert_eq!(table(&place.run_well(&format!("{words} --resume run"))), table(&finished));
    }
    for (from, to, said) in [
        ("--rounds 2", "--rounds 3", "--resume: rounds was 2 in that match, and is 3 now"),
        ("--seed 4", "--seed 5", "--resume: seed was 4 in that match, and is 5 now"),
        ("--maxplies 4", "--maxplies 5", "--resume: max_plies was 4 in that match, and is 5 now"),
        (
            "--variant kimasai",
            "--variant kigogo",
            "--resume: variants.1 was \"kimasai\" in that match, and is \"kigogo\" now",
        ),
        ("name=greedy", "name=other", "--resume: engines.2.name was \"greedy\" in that match, and is \"other\" now"),
        ("--quiet", "--games 1 --quiet", "--resume: games was 2 in that match, and is 1 now"),
        (
            "--quiet",
            "--tournament gauntlet",
            "--resume: tournament was \"round-robin\" in that match, and is \"gauntlet\"",
        ),
        ("--quiet", "--quit-ms 77", "--resume: deadlines.quit_ms was 1000 in that match, and is 77 now"),
        ("--quiet", "--sprt elo0=0 elo1=5", "--resume: sprt was null in that match"),
    ] {
        assert!(words.contains(from));
        let refusal = place.refusal(&format!("{} --resume run", words.replace(from, to)));
        assert!(refusal.contains(said), "{refusal}");
    }
    // Flags of a match without its engines are not passed over in silence.
    for flag in [
        "--rounds 2",
        "--seed 4",
        "--games 2",
        "--tournament round-robin",
        "--maxplies 4",
        "--quit-ms 1000",
        "--ping-ms 5000",
        "--startup-ms 10000",
        "--move-ceiling 60",
        "--variant kimasai",
    ] {
        let refusal = place.refusal(&format!("--resume run {flag}"));
        let name = flag.split(' ').next().expect("a flag");
        assert!(refusal.starts_with(&format!("error: {name}: the match is on record")), "{flag}: {refusal}");
    }
    for (from, to) in [("\"rounds\": 2", "\"rounds\": 1"), ("\"seed\": 4", "\"seed\": 5"), ("kimasai 1", "kimasai 2")] {
        let changed = config.replacen(from, to, 1);
        assert_ne!(changed, config);
        fs::write(place.path("run/config.json"), changed).expect("a configuration");
        let refusal = place.refusal("--resume run");
        assert!(refusal.contains("config.json was changed since the match began"), "{refusal}");
    }
    for (text, said) in [
        (&config[..config.len() / 2], "error: run/config.json: EOF while parsing"),
        (&config.replacen("\"format\": 1", "\"format\": 2", 1), "error: run/config.json: format 2, expected format 1"),
        ("", "error: run/config.json: EOF while parsing"),
    ] {
        fs::write(place.path("run/config.json"), text).expect("a configuration");
        let refusal = place.refusal("--resume run");
        assert!(refusal.starts_with(said), "{refusal}");
    }
    fs::remove_file(place.path("run/config.json")).expect("a file");
    assert_eq!(place.refusal("--resume run"), "error: run holds no match: expected a config.json there\n");
    assert_eq!(place.refusal("--resume nowhere"), "error: nowhere holds no match: expected a config.json there\n");
    place.expect_nobody();
}

#[test]
fn a_match_of_another_program_is_not_gone_on_with() {
    use std::io::Write;
    let place = Place::new("program");
    let program = place.path("an engine");
    fs::copy(fake_engine(), &program).expect("a copy");
    let words = format!("--engine 'cmd={}' name=copy nodes=1 {RANDOM}", program.display());
    place.run_well(&format!("--variant kimasai {words} --rounds 1 --out run --quiet"));
    place.run_well("--resume run --quiet");
    // It runs as before, and is another program all the same.
    fs::OpenOptions::new().append(true).open(&program).and_then(|mut file| file.write_all(b"!")).expect("a change");
    let refusal = place.refusal("--resume run");
    assert!(refusal.contains("--resume: the program of engine copy is another one now"), "{refusal}");
    fs::remove_file(&program).expect("a file");
    let refusal = place.refusal("--resume run");
    assert!(refusal.contains("engine copy: ") && refusal.contains("No such file"), "{refusal}");
}

#[test]
fn a_full_disk_ends_the_match_and_harms_no_game() {
    let place = Place::new("full");
    let words = format!("--variant kimasai {RANDOM} {GREEDY} --rounds 20 --concurrency 2 --seed 6 --quiet");
    place.run_well(&format!("{words} --out whole"));
    // A file must not grow beyond 64 blocks: writing fails, or ends the process if it does not mind the signal.
    for (trap, code) in [("trap '' XFSZ;", Some(2)), ("", None)] {
        let mut command = place.command("/bin/sh");
        let runner = env!("CARGO_BIN_EXE_kete-match");
        let start = if trap.is_empty() { "--resume run".to_owned() } else { format!("{words} --out run") };
        command.args(["-c", &format!("{trap} ulimit -f 64; exec {runner} {start}")]);
        let ended = place.start_command(command).wait();
        assert_eq!(ended.code, code, "{ended:?}");
        if code.is_some() {
            assert_eq!(ended.stderr, "error: run/games.jsonl: File too large (os error 27)\n");
        }
        place.expect_nobody();
        let games = place.games("run").len();
        assert!((1..40).contains(&games), "{games}");
    }
    place.run("--resume run --quiet");
    expect_same_match(&place, "run", "whole");
}

/// Plays a match with a test and makes sure that it ended with the game that decided it.
#[track_caller]
fn decided(place: &Place, words: &str, out: &str, code: i32) -> MatchRecord {
    let ended = place.run(&format!("{words} --out {out} --quiet"));
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(code), ""), "{}", ended.stdout);
    let verdict =
        ["H1 accepted: the first engine is stronger", "H0 accepted: the first engine is not that much stronger"];
    assert!(ended.stdout.contains(verdict[code as usize]), "{}", ended.stdout);
    let record = place.record(out);
    let config = &record.file.config;
    let state = |games: &[PlayedGame]| SprtState::of(config, &Standings::of(config, games)).expect("a test");
    let (last, before) = record.games.split_last().expect("games");
    assert_eq!(state(before).verdict, None, "played on after the verdict: {last:?}");
    assert_eq!(format!("{:?}", state(&record.games).verdict), if code == 0 { "Some(H1)" } else { "Some(H0)" });
    // There is nothing more to play, and the verdict stands.
    let again = place.run(&format!("--resume {out} --quiet"));
    assert_eq!((again.code, table(&again.stdout)), (Some(code), table(&ended.stdout)));
    assert_eq!(place.record(out).games, record.games);
    record
}

#[test]
fn a_test_ends_the_match_when_it_has_decided() {
    let place = Place::new("sprt");
    for (n, concurrency) in [1, 2, 4].into_iter().enumerate() {
        let test = format!("--sprt elo0=0 elo1=50 --concurrency {concurrency}");
        decided(&place, &format!("--variant kigogo {MCTS} {RANDOM} {test}"), &format!("h1-{n}"), 0);
        decided(&place, &format!("--variant kigogo {RANDOM} {MCTS} {test}"), &format!("h0-{n}"), 1);
    }
    let output = place.run_well("--resume h1-0 --quiet");
    assert!(output.contains(" in (-2.94, 2.94), normalized elo0=0 elo1=50: H1 accepted\n"), "{output}");
}

#[test]
fn a_test_of_single_games_and_of_the_logistic_model_ends_too() {
    let place = Place::new("sprt-games");
    let words = format!("--variant kigogo {MCTS} {RANDOM} --games 1 --concurrency 2");
    let record = decided(&place, &format!("{words} --sprt elo0=0 elo1=80 model=logistic alpha=0.1 beta=0.2"), "run", 0);
    assert!(record.games.iter().all(|game| game.game == game.pair));
    let output = place.run_well("--resume run --quiet");
    assert!(output.contains(" in (-1.50, 2.08), logistic elo0=0 elo1=80: H1 accepted\n"), "{output}");
}

#[test]
fn a_test_does_not_decide_before_its_smallest_number_of_pairs() {
    let place = Place::new("min-pairs");
    let words = format!("--variant kigogo {MCTS} {RANDOM} --sprt elo0=0 elo1=200 --concurrency 2");
    let few = decided(&place, &words, "few", 0).games.len();
    let record = decided(&place, &format!("{words} --min-pairs 40"), "many", 0);
    let config = &record.file.config;
    let pairs = Standings::of(config, &record.games).sample(0, 1, None).size();
    assert!(few < 80 && pairs == 40, "{few} games, {pairs} pairs");
}

#[test]
fn a_test_that_does_not_decide_ends_with_the_last_game() {
    let place = Place::new("undecided");
    let two = RANDOM.replace("name=random", "name=two");
    let words = format!("--variant kimasai {RANDOM} {two} --sprt elo0=0 elo1=1 --rounds 8 --seed 2 --quiet");
    let output = place.run_well(&format!("{words} --out run"));
    assert!(output.contains(", normalized elo0=0 elo1=1: undecided"), "{output}");
    assert!(!output.contains("accepted"), "{output}");
    assert_eq!(place.games("run").len(), 16);
}

#[test]
fn tournaments_go_on_as_if_nobody_had_interrupted_them() {
    for (tournament, rounds, games) in
        [("swiss", 3, Some(3 * 2 * 4)), ("knockout", 3, None), ("gauntlet", 4, Some(4 * 4 * 4))]
    {
        let place = Place::new(tournament);
        let others: String =
            (1..=3).map(|n| RANDOM.replace("name=random", &format!(" name=random-{n}")) + " ").collect();
        let words = format!(
            "--tournament {tournament} --variant kigogo --variant kimasai {GREEDY} {RANDOM} {others} --rounds {rounds} \
             --concurrency 2 --seed 12 --quiet"
        );
        let whole = place.run_well(&format!("{words} --out whole"));
        // After the first game, in the middle and near the end, so that no wave of games is without its interrupt.
        let count = place.games("whole").len();
        assert!(games.is_none_or(|games| games == count), "{tournament}: {count} games");
        for (signal, part) in SIGNALS.into_iter().zip([1, count / 2, count - 3]) {
            let resume = place.path("run").exists();
            let mut runner = place.start(&if resume { "--resume run".into() } else { format!("{words} --out run") });
            wait_for("some games", || (place.lines("run") >= part || runner.has_ended()).then_some(()));
            runner.signal(signal);
            runner.wait();
            place.expect_nobody();
        }
        assert_eq!(table(&place.run_well("--resume run --quiet")), table(&whole), "{tournament}");
        expect_same_match_of_waves(&place);
    }
}

/// As [`expect_same_match`], but engines can meet again from the same opening.
#[track_caller]
fn expect_same_match_of_waves(place: &Place) {
    let (run, whole) = (place.games("run"), place.games("whole"));
    assert_eq!(run.len(), whole.len());
    run.iter().zip(&whole).for_each(|(one, other)| assert_eq!(one, other));
}

#[test]
fn no_more_games_are_played_at_once_than_were_asked_for() {
    let place = Place::new("at-once");
    for (concurrency, games) in [(1, 2), (2, 1), (3, 2)] {
        let out = format!("run-{concurrency}");
        let words = format!("--variant all {RANDOM} {GREEDY} --rounds 3 --games {games} --concurrency {concurrency}");
        place.run_well(&format!("{words} --seed 9 --quiet --out {out}"));
        let played = place.record(&out).games;
        assert_eq!(played.len(), 9 * games);
        let variants: BTreeMap<&str, usize> = played.iter().fold(BTreeMap::new(), |mut counts, game| {
            *counts.entry(game.variant.name()).or_default() += 1;
            counts
        });
        assert_eq!(variants.into_values().collect::<Vec<_>>(), [3 * games; 3]);
        let times: Vec<(i128, i128)> = played
            .iter()
            .map(|game| {
                let began: jiff::Timestamp = game.started.parse().expect("a time");
                (began.as_nanosecond(), began.as_nanosecond() + i128::from(game.duration_ms) * 1_000_000)
            })
            .collect();
        // At the moment at which any game begins.
        let most =
            times.iter().map(|(at, _)| times.iter().filter(|(began, ended)| began <= at && at < ended).count()).max();
        assert!(most.is_some_and(|most| most <= concurrency), "{most:?} games at once, {concurrency} asked for");
        if games == 1 {
            // Sides alternate from opening to opening.
            let souths: BTreeSet<&str> = played.iter().map(|game| game.south.as_str()).collect();
            assert_eq!(souths.len(), 2);
            assert!(played.iter().all(|game| game.pair == game.game));
        }
    }
}

#[test]
fn a_match_goes_on_if_nobody_reads_about_it() {
    let place = Place::new("unread");
    let words = format!("--variant kimasai {RANDOM} {GREEDY} --rounds 10 --ratinginterval 1 --seed 1");
    for (n, manner) in ["", "--json", "--quiet"].into_iter().enumerate() {
        let out = format!("run-{n}");
        let mut command = place.command(env!("CARGO_BIN_EXE_kete-match"));
        let words = shell_words::split(&format!("{words} {manner} --out {out}")).expect("words");
        let mut child = command.args(words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        let mut reader = BufReader::new(child.stdout.take().expect("a pipe"));
        if manner != "--quiet" {
            let mut line = String::new();
            assert!(reader.read_line(&mut line).expect("a line") > 0);
        }
        drop(reader);
        let output = child.wait_with_output().expect("an end");
        assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""), "{manner}");
        assert_eq!(place.games(&out).len(), 20, "{manner}");
    }
    // Neither are a full device nor a closed one in its way.
    for (n, redirection) in ["> /dev/full 2> /dev/full", ">&- 2>&-"].into_iter().enumerate() {
        let out = format!("redirected-{n}");
        let mut command = place.command("/bin/sh");
        let runner = env!("CARGO_BIN_EXE_kete-match");
        command.args(["-c", &format!("exec {runner} {words} --out {out} {redirection}")]);
        assert_eq!(place.start_command(command).wait().code, Some(0), "{redirection}");
        assert_eq!(place.games(&out).len(), 20, "{redirection}");
    }
    place.expect_nobody();
}
