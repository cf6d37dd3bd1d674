//! The real `kete` over pipes: what it survives, how it answers during a search, how it ends, that it repeats itself, what
//! it says on the command line, and a whole dialogue of a UGI harness.
//!
//! Times are bounded only as far as "the process is alive" needs it. `cargo test --test engine pipes -- --nocapture` prints the
//! times that were measured.

// The times that were measured are printed; cargo shows them with --nocapture.
#![allow(clippy::print_stdout)]

use crate::process::info::{Info, Score, Search, result_word};
use crate::process::{Engine, PATIENCE, oneshot, text};
use kete::game::{GameRecord, Move, Side, Variant};
use kete::notation::{move_text, parse_move, position_text};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The bound for an end of the process; what is aimed at is a tenth of it.
const EXIT_BOUND: Duration = Duration::from_secs(5);
const START: &str = "response kiswahili 0,0,0,0,0,0,0,0/0,2,2,6,0,0,0,0/0,0,0,0,6,2,2,0/0,0,0,0,0,0,0,0 S 22,22 SN - 0";

fn start(variant: Variant) -> GameRecord {
    GameRecord::of_variant(variant)
}

/// A game that goes on for as long as random moves that do not end it are found, and at most `plies`.
fn long_game(variant: Variant, plies: usize, seed: u64) -> GameRecord {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut game = start(variant);
    while game.moves().len() < plies {
        let mut moves: Vec<Move> = game.legal_moves().to_vec();
        let next = std::iter::from_fn(|| {
            (!moves.is_empty()).then(|| {
                let mut next = game.clone();
                next.play(moves.swap_remove(rng.random_range(0..moves.len()))).expect("a legal move");
                next
            })
        })
        .find(|next| next.outcome().is_none());
        match next {
            Some(next) => game = next,
            None => break,
        }
    }
    game
}

/// A random game up to its end.
fn finished_game(variant: Variant, seed: u64) -> GameRecord {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut game = start(variant);
    while game.outcome().is_none() {
        let moves = game.legal_moves();
        game.play(moves[rng.random_range(0..moves.len())]).expect("a legal move");
    }
    game
}

/// The game before its last `plies` plies.
fn shortened(game: &GameRecord, plies: usize) -> GameRecord {
    let mut short = start(game.variant());
    for &m in &game.moves()[..game.moves().len() - plies] {
        short.play(m).expect("a legal move");
    }
    short
}

fn moves_text(game: &GameRecord) -> String {
    let sides = [Side::South, Side::North].into_iter().cycle();
    let texts: Vec<String> = game.moves().iter().zip(sides).map(|(&m, side)| move_text(m, side).to_string()).collect();
    texts.join(" ")
}

fn fen(game: &GameRecord) -> String {
    format!("response {}", position_text(&game.position().to_setup()))
}

/// Sets up a game that began at the start position.
#[track_caller]
fn set_up(engine: &mut Engine, game: &GameRecord) {
    engine.send(&format!("position startpos moves {}", moves_text(game)));
    assert_eq!(engine.fen(), fen(game));
}

// What an engine under a pipe survives.

#[test]
fn lines_may_end_in_crlf_and_words_be_apart_by_any_white_space() {
    let mut engine = Engine::start();
    engine.send_bytes(b"isready\r\n");
    engine.expect("readyok");
    engine.send_bytes(b"\tisready\t\r\n  isready  \n");
    engine.expect("readyok");
    engine.expect("readyok");
    engine.send_bytes(b"position\tstartpos   moves \t A6L\r\nquery \t fen\r\n");
    assert_ne!(engine.line(), START);
    engine.send_bytes(b"  position  startpos\t\nsetoption  name  Move \t Overhead   value  20 \r\ngo  nodes\t5\r\n");
    engine.read_search(&start(Variant::Kiswahili));
    assert_eq!(engine.fen(), START);
    engine.finish();
}

#[test]
fn empty_lines_and_unknown_words_before_a_command_are_nothing() {
    let mut engine = Engine::start();
    engine.send_bytes(b"\n\r\n   \n\t\n\n");
    engine.ready();
    engine.send("joho debug on");
    engine.ready();
    engine.send("joho isready");
    engine.expect("readyok");
    engine.send("debug off");
    assert_eq!(engine.refused("joho joho"), "\"joho\" at column 1, expected a command (try help)");
    assert_eq!(engine.fen(), START);
    engine.finish();
}

#[test]
fn bytes_that_are_no_text_are_refused_as_any_other_word() {
    let mut engine = Engine::start();
    for bytes in [&b"\xff\xfe\n"[..], b"\x00\x01\x02\n", b"position fen \xc3\x28\n", b"go nodes \x80\n"] {
        engine.send_bytes(bytes);
        assert!(engine.line().starts_with("info string error: "));
        engine.ready();
    }
    engine.send_bytes(b"\xf0\x9f isready\n");
    engine.expect("readyok");
    assert_eq!(engine.fen(), START);
    engine.finish();
}

#[test]
fn lines_of_a_megabyte_are_survived() {
    let mut engine = Engine::start();
    let (long, words) = ("x".repeat(1 << 20), "joho ".repeat(1 << 18));
    for head in ["", "go ", "go nodes ", "debug ", "query islegal A ", "setoption name ", "position fen ", "perft "] {
        engine.refused(&format!("{head}{long}"));
        engine.refused(&format!("{head}{words}"));
    }
    engine.refused(&format!("setoption name Hash value {long}"));
    engine.refused(&format!("position startpos moves {long}"));
    engine.refused(&format!("go nodes {}x", "9".repeat(1 << 20)));
    assert_eq!(engine.ask(&format!("query islegal {long}")), "response false");
    for line in [format!("isready {long}"), format!("{}isready", " ".repeat(1 << 20)), format!("{words}isready")] {
        assert_eq!(engine.ask(&line), "readyok");
    }
    assert_eq!(engine.fen(), START);
    engine.finish();
}

#[test]
fn a_command_may_come_in_several_writes() {
    let mut engine = Engine::start();
    for part in ["isr", "ea", "dy", "\n", "position star", "tpos\nque", "ry fen\n"] {
        engine.send_bytes(part.as_bytes());
        std::thread::sleep(Duration::from_millis(15));
    }
    engine.expect("readyok");
    engine.expect(START);
    engine.finish();
}

#[test]
fn games_of_hundreds_of_plies_are_read_and_searched() {
    for variant in Variant::ALL {
        let game =
            (0..40).map(|seed| long_game(variant, 1000, seed)).max_by_key(|game| game.moves().len()).expect("games");
        println!("{variant}: a game of {} plies", game.moves().len());
        assert!(game.moves().len() >= 100, "{variant}: {}", game.moves().len());
        let mut engine = Engine::of(variant);
        set_up(&mut engine, &game);
        engine.search("go nodes 300", &game);
        assert_eq!(engine.ask("query gameover"), "response false");
        engine.finish();
    }
}

#[test]
fn two_hundred_thousand_moves_are_read_and_the_first_bad_one_is_named() {
    for variant in Variant::ALL {
        let mut engine = Engine::of(variant);
        let before = engine.fen();
        let game = long_game(variant, 60, 1);
        let moves = moves_text(&game);
        let first = moves.split(' ').next().expect("a move");
        let many = vec![first; 200_000].join(" ");
        let error = engine.refused(&format!("position startpos moves {many}"));
        assert!(error.starts_with(&format!("move 2 \"{first}\" at column {}: ", 26 + first.len())), "{error}");
        let error = engine.refused(&format!("position startpos moves {moves} {many} {many}"));
        assert!(error.starts_with(&format!("move {} \"", game.moves().len() + 1)), "{error}");
        assert_eq!(engine.fen(), before);
        engine.finish();
    }
}

#[test]
fn moves_may_be_followed_by_nothing() {
    let mut engine = Engine::start();
    engine.send("position startpos moves A6L");
    assert_ne!(engine.fen(), START);
    engine.send("position startpos moves");
    assert_eq!(engine.fen(), START);
    engine.send(&format!("position fen {} moves ", START.trim_start_matches("response ")));
    assert_eq!(engine.fen(), START);
    engine.finish();
}

#[test]
fn an_illegal_move_in_the_list_leaves_everything_as_it_was() {
    let mut engine = Engine::start();
    engine.send("position startpos moves A7R");
    let before = engine.fen();
    for (list, head) in [
        ("A6L A6L", "move 2 \"A6L\" at column 29: \"A6L\" is a pit of South, expected a move of North"),
        ("A1L", "move 1 \"A1L\" at column 25: not a legal move of kiswahili in this position, expected one of "),
        ("A6L a1L A1L", "move 2 \"a1L\" at column 29: not a legal move of kiswahili"),
        ("A6L a6L joho", "move 3 \"joho\" at column 33: \"joho\" is not a move"),
        ("A6L A99L", "move 2 \"A99L\" at column 29: \"A99L\" is not a move: expected a pit number from 1 to 8"),
    ] {
        let error = engine.refused(&format!("position startpos moves {list}"));
        assert!(error.starts_with(head), "{list}: {error}");
        assert_eq!(engine.fen(), before, "{list}");
    }
    engine.finish();
}

#[test]
fn nothing_is_played_after_the_end_of_a_game() {
    for variant in Variant::ALL {
        let game = finished_game(variant, 5);
        let mut engine = Engine::of(variant);
        set_up(&mut engine, &game);
        let error = engine.refused(&format!("position startpos moves {} {}", moves_text(&game), "A1"));
        assert!(error.starts_with(&format!("move {} \"A1\"", game.moves().len() + 1)), "{error}");
        assert_eq!(engine.fen(), fen(&game));
        engine.finish();
    }
}

#[test]
fn a_position_of_another_game_is_refused() {
    for session in Variant::ALL {
        let mut engine = Engine::of(session);
        let before = engine.fen();
        for other in Variant::ALL.into_iter().filter(|&other| other != session) {
            let text = fen(&start(other));
            let text = text.trim_start_matches("response ");
            let error = engine.refused(&format!("position fen {text}"));
            assert!(
                error.starts_with(&format!("\"{other}\" at column 1 of the position, expected {session}")),
                "{error}"
            );
            let (_, without_name) = text.split_once(' ').expect("fields");
            engine.refused(&format!("position fen {without_name} moves A1"));
            assert_eq!(engine.fen(), before);
        }
        engine.finish();
    }
}

#[test]
fn options_that_do_not_exist_or_values_that_do_not_fit_are_refused() {
    let mut engine = Engine::start();
    engine.send("position startpos moves A7R");
    let before = engine.fen();
    for (line, head) in [
        ("setoption", "nothing at column 10, expected name"),
        ("setoption name", "nothing at column 15, expected the name of an option"),
        ("setoption name Contempt value 4", "there is no option \"Contempt\""),
        ("setoption name Threads", "option Threads has no value here, expected a whole number from 1 to 256"),
        ("setoption name Threads value", "nothing at column 29, expected a value"),
        ("setoption name Threads value 0", "option Threads cannot be \"0\""),
        ("setoption name Threads value 257", "option Threads cannot be \"257\""),
        ("setoption name Threads value -1", "option Threads cannot be \"-1\""),
        ("setoption name Threads value 1.5", "option Threads cannot be \"1.5\""),
        ("setoption name Threads value two", "option Threads cannot be \"two\""),
        ("setoption name Threads value 2 3", "option Threads cannot be \"2 3\""),
        ("setoption name Hash value 18446744073709551616", "option Hash cannot be \"18446744073709551616\""),
        ("setoption name Hash value 65537", "option Hash cannot be \"65537\""),
        ("setoption name Seed value -1", "option Seed cannot be \"-1\""),
        ("setoption name Move Overhead value 1e9", "option Move Overhead cannot be \"1e9\""),
        ("setoption name MultiPV value 33", "option MultiPV cannot be \"33\""),
        ("setoption name Player value stockfish", "option Player cannot be \"stockfish\""),
        ("setoption name UCI_Variant value chess", "option UCI_Variant cannot be \"chess\""),
        ("setoption name UCI_Variant", "option UCI_Variant has no value"),
        ("setoption name Clear Hash value 1", "option Clear Hash takes no value"),
        ("setoption name KigogoExploration value 3001", "option KigogoExploration cannot be \"3001\""),
    ] {
        let error = engine.refused(line);
        assert!(error.starts_with(head), "{line}: {error}");
    }
    assert_eq!(engine.fen(), before);
    engine.finish();
}

#[test]
fn every_limit_that_go_accepts_gives_one_best_move() {
    let mut engine = Engine::of(Variant::Kigogo);
    let game = start(Variant::Kigogo);
    const HUGE: &str = "99999999999999999999999999";
    for go in [
        "go nodes 0".to_owned(),
        "go nodes 1".to_owned(),
        "go depth 0".to_owned(),
        "go depth 1".to_owned(),
        "go movetime 0".to_owned(),
        "go movetime 1".to_owned(),
        "go wtime 0 btime 0".to_owned(),
        "go wtime -5 btime -5 winc -1 binc 0".to_owned(),
        "go p1time 20 p2time 20 p1inc 1 p2inc 1".to_owned(),
        "go wtime 50 btime 50 movestogo 0".to_owned(),
        format!("go wtime 50 btime 50 movestogo {HUGE}"),
        format!("go btime 5 wtime {HUGE} winc {HUGE} binc {HUGE} nodes 20"),
        format!("go movetime {HUGE} nodes 20"),
        format!("go nodes {HUGE} movetime 5"),
        format!("go depth {HUGE} nodes 20"),
        format!("go depth {HUGE} nodes {HUGE} mate {HUGE} movetime 5"),
        "go mate 0 nodes 20".to_owned(),
        "go movestogo 3 nodes 20".to_owned(),
        "go nodes 20 searchmoves A6 A9 A6".to_owned(),
        "go searchmoves A3 nodes 20".to_owned(),
        "go nodes 20 winc 4 binc 4".to_owned(),
    ] {
        let search = engine.search(&go, &game);
        engine.ready();
        // The search for a win finishes its first depth.
        if go.contains("nodes 20") && !go.contains("mate") {
            assert!(search.infos.last().is_some_and(|info| info.nodes <= 20), "{go}");
        }
        if go.contains("searchmoves A3") {
            assert_eq!(search.best, "A3");
        }
    }
    // Limits that are never reached.
    for go in ["go".to_owned(), format!("go movetime {HUGE}"), format!("go nodes {HUGE}"), format!("go wtime {HUGE}")] {
        engine.send(&go);
        engine.only_reports_during(Duration::from_millis(30));
        engine.send("stop");
        engine.read_search(&game);
        engine.ready();
    }
    engine.finish();
}

#[test]
fn limits_that_go_refuses_start_no_search() {
    let mut engine = Engine::of(Variant::Kimasai);
    let before = engine.fen();
    for (go, head) in [
        ("go nodes", "nothing at column 9, expected a whole number"),
        ("go nodes -1", "\"-1\" at column 10"),
        ("go nodes +1", "\"+1\" at column 10"),
        ("go nodes 1.5", "\"1.5\" at column 10"),
        ("go nodes 1e3", "\"1e3\" at column 10"),
        ("go nodes many", "\"many\" at column 10"),
        ("go nodes 5 nodes 5", "\"nodes\" at column 12, expected it only once"),
        ("go wtime 5 p1time 5", "\"p1time\" at column 12, expected it only once"),
        ("go infinite infinite", "\"infinite\" at column 13"),
        ("go movetime -5", "\"-5\" at column 13"),
        ("go movetime nodes 5", "\"nodes\" at column 13"),
        ("go depth -3", "\"-3\" at column 10"),
        ("go mate", "nothing at column 8"),
        ("go movestogo -1", "\"-1\" at column 14"),
        ("go wtime --5", "\"--5\" at column 10"),
        ("go wtime - btime 5", "\"-\" at column 10"),
        ("go 5", "\"5\" at column 4"),
        ("go fast", "\"fast\" at column 4"),
        ("go searchmoves", "nothing at column 15"),
        ("go searchmoves A99 nodes 5", "searchmoves \"A99\" at column 16"),
        ("go searchmoves B1 nodes 5", "searchmoves \"B1\" at column 16: not legal in this position"),
        ("go perft", "nothing at column 9"),
        ("go perft -1", "\"-1\" at column 10"),
    ] {
        let error = engine.refused(go);
        assert!(error.starts_with(head), "{go}: {error}");
    }
    assert_eq!(engine.lines_during(Duration::from_millis(50)), [""; 0]);
    assert_eq!(engine.fen(), before);
    engine.finish();
}

#[test]
fn what_would_change_a_search_under_way_is_refused_and_the_search_goes_on() {
    let mut engine = Engine::start();
    engine.send("position startpos moves A7R");
    let mut game = start(Variant::Kiswahili);
    let m = parse_move("A7R", game.position()).expect("a move");
    game.play(m).expect("a legal move");
    let before = engine.fen();
    engine.send("go infinite");
    for line in [
        "setoption name Hash value 32",
        "setoption name UCI_Variant value kigogo",
        "setoption name Clear Hash",
        "setoption name Threads value 2",
        "setoption name KigogoExploration value 5",
        "position startpos",
        "position startpos moves A6L",
        "ucinewgame",
        "uginewgame",
        "go nodes 5",
        "go infinite",
        "go ponder",
        "perft 2",
        "go perft 2",
        "bench",
    ] {
        let error = engine.refused(line);
        assert!(error.ends_with(" while a search is running, expected stop first"), "{line}: {error}");
    }
    // What is wrong anyway is said to be wrong.
    assert!(engine.refused("setoption name Hash value 0").starts_with("option Hash cannot be \"0\""));
    assert_eq!(engine.fen(), before);
    assert_eq!(engine.ask("query islegal a6L"), "response true");
    engine.send("ponderhit");
    engine.only_reports_during(Duration::from_millis(30));
    engine.send("stop");
    engine.read_search(&game);
    assert_eq!(engine.fen(), before);
    engine.search("go nodes 5", &game);
    engine.finish();
}

// Answers during a search.

#[test]
fn isready_is_answered_at_once_during_a_search() {
    for (variant, threads) in [(Variant::Kiswahili, 1), (Variant::Kigogo, 1), (Variant::Kimasai, 2)] {
        let mut engine = Engine::of(variant);
        engine.set("Threads", threads);
        engine.send("go infinite");
        let mut latencies: Vec<Duration> = (0..20)
            .map(|_| {
                std::thread::sleep(Duration::from_millis(5));
                let asked = Instant::now();
                engine.ready();
                asked.elapsed()
            })
            .collect();
        engine.send("stop");
        engine.read_search(&start(variant));
        engine.finish();
        latencies.sort();
        println!(
            "{variant}, {threads} threads: readyok after {:?} (median), {:?} (at most)",
            latencies[10], latencies[19]
        );
        assert!(latencies[19] < Duration::from_secs(2), "{latencies:?}");
    }
}

/// The positions in which an answer is known at once, beside one in which it is not: decided, over, without a choice.
fn special_positions() -> Vec<(&'static str, GameRecord)> {
    let over = finished_game(Variant::Kigogo, 3);
    let won = (0..)
        .map(|seed| finished_game(Variant::Kiswahili, seed))
        .find(|game| result_word(game) != "draw")
        .expect("a decided game");
    let forced = start(Variant::Kimasai);
    assert_eq!(forced.legal_moves().len(), 1);
    vec![
        ("open", start(Variant::Kigogo)),
        ("decided", shortened(&won, 1)),
        ("over", over),
        ("over, kiswahili", won),
        ("forced", forced),
    ]
}

#[test]
fn stop_gives_exactly_one_best_move_and_nothing_gives_one_before() {
    for (name, game) in special_positions() {
        for player in ["mcts", "greedy", "random"] {
            let mut engine = Engine::of(game.variant());
            engine.set("Player", player);
            set_up(&mut engine, &game);
            engine.send("stop");
            engine.send("go infinite");
            let before: Vec<Info> = engine.only_reports_during(Duration::from_millis(40));
            before.iter().for_each(|info| info.check(&game));
            if before.is_empty() {
                engine.send_bytes(b"stop\nstop\nstop\n");
                engine.read_search(&game);
            } else {
                engine.send_bytes(b"stop\nstop\nstop\n");
                let lines = engine.lines_until("bestmove");
                lines[..lines.len() - 1].iter().for_each(|line| Info::parse(line).check(&game));
                assert_eq!(lines.last().is_some_and(|l| l == "bestmove (none)"), game.outcome().is_some(), "{name}");
            }
            engine.ready();
            assert_eq!(engine.lines_during(Duration::from_millis(20)), [""; 0], "{name}, {player}");
            engine.search("go nodes 20", &game);
            engine.finish();
        }
    }
}

#[test]
fn a_decided_position_is_known_to_be_decided() {
    let (_, game) = special_positions().swap_remove(1);
    let mut engine = Engine::of(game.variant());
    set_up(&mut engine, &game);
    let search = engine.search("go movetime 60000", &game);
    let mate = Score::Mate(1);
    assert!(search.infos.last().is_some_and(|info| info.score == mate), "{search:?}");
    engine.finish();
}

#[test]
fn pondering_gives_no_best_move_before_ponderhit_or_stop() {
    for (name, game) in special_positions() {
        let mut engine = Engine::of(game.variant());
        set_up(&mut engine, &game);
        for go in ["go ponder nodes 10", "go ponder movetime 20", "go nodes 10 ponder wtime 200 btime 200", "go ponder"]
        {
            // Without a limit a ponder hit gives a search that is still to be stopped.
            let ends: &[&str] = if go == "go ponder" { &["stop"] } else { &["ponderhit", "stop"] };
            for end in ends {
                engine.send(go);
                let reports = engine.only_reports_during(Duration::from_millis(40));
                reports.iter().for_each(|info| info.check(&game));
                engine.send(end);
                let lines = engine.lines_until("bestmove");
                assert!(!reports.is_empty() || lines.len() > 1, "{name}, {go}, {end}: {lines:?}");
                lines[..lines.len() - 1].iter().for_each(|line| Info::parse(line).check(&game));
                engine.ready();
            }
        }
        engine.send("ponderhit");
        engine.finish();
    }
}

// Ends of the process.

/// Brings engines of each game, with one and two threads, idle and in mid-search, to an end, and asserts that it is clean.
fn ends(what: &str, end: impl Fn(&mut Engine)) {
    let mut slowest = Duration::ZERO;
    for variant in Variant::ALL {
        for threads in [1, 2] {
            for searching in [false, true] {
                let mut engine = Engine::of(variant);
                engine.set("Threads", threads);
                engine.search("go nodes 20", &start(variant));
                if searching {
                    engine.send("go infinite");
                    engine.lines_until("info depth");
                }
                end(&mut engine);
                let exit = engine.wait_exit(EXIT_BOUND);
                exit.assert_clean();
                slowest = slowest.max(exit.after);
                if what != "closed output" {
                    assert_eq!(exit.best_moves(), usize::from(searching), "{what}: {variant}, {threads} threads");
                }
            }
        }
    }
    println!("{what}: the process ended after {slowest:?} at most");
}

#[test]
fn quit_ends_the_process() {
    ends("quit", |engine| engine.send("quit"));
}

#[test]
fn the_end_of_the_input_ends_the_process() {
    ends("end of input", Engine::close_input);
}

#[test]
fn a_closed_output_ends_the_process() {
    ends("closed output", Engine::close_output);
}

#[test]
fn a_search_that_the_end_of_the_input_interrupts_still_answers() {
    for last in
        ["go movetime 100000\n", "go movetime 100000", "go infinite\n", "go ponder\n", "go movetime 100000\nquit\n"]
    {
        let mut engine = Engine::start();
        engine.send_bytes(last.as_bytes());
        engine.close_input();
        let exit = engine.wait_exit(EXIT_BOUND);
        exit.assert_clean();
        Search::of_lines(exit.lines.iter().map(String::as_str), &start(Variant::Kiswahili));
        println!("{last:?}: the process ended after {:?}", exit.after);
    }
}

#[test]
fn a_script_can_wait_for_its_search() {
    let mut engine = Engine::start();
    engine.send_bytes(b"go nodes 500\nwait\nquery fen\nperft 3\nisready\n");
    engine.close_input();
    let exit = engine.wait_exit(PATIENCE);
    exit.assert_clean();
    let best = exit.lines.iter().position(|line| line.starts_with("bestmove")).expect("a best move");
    Search::of_lines(exit.lines[..=best].iter().map(String::as_str), &start(Variant::Kiswahili));
    assert_eq!(exit.lines[best + 1], START);
    let [.., count, ready] = exit.lines.as_slice() else { panic!("{:?}", exit.lines) };
    assert!(count.starts_with("Nodes searched: "), "{count}");
    assert_eq!(ready, "readyok");
}

#[test]
fn a_stop_behind_a_wait_does_not_cut_short_what_is_waited_for() {
    let mut engine = Engine::start();
    engine.send_bytes(b"go nodes 30000\nwait\ngo infinite\nstop\nwait\nisready\n");
    let game = start(Variant::Kiswahili);
    let search = engine.read_search(&game);
    assert_eq!(search.infos.last().map(|info| info.nodes), Some(30_000));
    engine.read_search(&game);
    engine.expect("readyok");
    engine.finish();
}

// The same again.

/// The lines of a search without what depends on the clock.
fn timeless(lines: &[String]) -> Vec<String> {
    let without = |line: &String| {
        let mut words: Vec<&str> = line.split(' ').collect();
        for key in ["nps", "time"] {
            if let Some(at) = words.iter().position(|&word| word == key) {
                words.drain(at..at + 2);
            }
        }
        words.join(" ")
    };
    lines.iter().map(without).collect()
}

fn seeded(variant: Variant, multi_pv: u32) -> Engine {
    let mut engine = Engine::of(variant);
    for (name, value) in [("Threads", 1), ("Seed", 7), ("MultiPV", multi_pv)] {
        engine.set(name, value);
    }
    engine
}

#[test]
fn one_thread_a_seed_and_a_node_limit_give_the_same_search_again() {
    for variant in Variant::ALL {
        let game = long_game(variant, 14, 2);
        for multi_pv in [1, 3] {
            let run = |engine: &mut Engine| {
                set_up(engine, &game);
                engine.send("go nodes 5000");
                let lines = engine.lines_until("bestmove");
                let search = Search::of_lines(lines.iter().map(String::as_str), &game);
                assert_eq!(search.last_report(), multi_pv.min(game.legal_moves().len()));
                timeless(&lines)
            };
            let mut engine = seeded(variant, multi_pv as u32);
            let expected = run(&mut engine);
            for repetition in 1..10 {
                if repetition == 5 {
                    // What was searched before does not matter.
                    engine.send("ucinewgame");
                    engine.search("go nodes 3000", &start(variant));
                }
                assert_eq!(run(&mut engine), expected, "{variant}, MultiPV {multi_pv}");
            }
            engine.finish();
            for _ in 0..10 {
                let mut engine = seeded(variant, multi_pv as u32);
                assert_eq!(run(&mut engine), expected, "{variant}, MultiPV {multi_pv}, another process");
                engine.finish();
            }
        }
    }
}

#[test]
fn another_seed_gives_another_search() {
    let mut engine = seeded(Variant::Kiswahili, 1);
    // A search with the net makes no random choice.
    engine.set("Evaluation", "playout");
    let game = start(Variant::Kiswahili);
    let first = engine.search("go nodes 2000", &game);
    engine.set("Seed", 8);
    let second = engine.search("go nodes 2000", &game);
    let scores = |search: &Search| search.infos.iter().map(|info| (info.score, info.pv.clone())).collect::<Vec<_>>();
    assert_ne!(scores(&first), scores(&second));
    engine.finish();
}

#[test]
fn bench_gives_the_same_signature_everywhere() {
    let mut engine = Engine::start();
    let signature = |engine: &mut Engine| -> String {
        engine.send("bench");
        let lines = engine.lines_until("signature ");
        assert_eq!(lines.len(), 4, "{lines:?}");
        let last = engine.line();
        let words: Vec<&str> = last.split(' ').collect();
        let [nodes, "nodes", nps, "nps"] = words.as_slice() else { panic!("{last}") };
        assert!(nodes.parse::<u64>().is_ok_and(|nodes| nodes > 100_000), "{last}");
        assert!(nps.parse::<u64>().is_ok_and(|nps| nps > 0), "{last}");
        lines[3].trim_start_matches("signature ").to_owned()
    };
    let first = signature(&mut engine);
    engine.send("ucinewgame");
    engine.choose(Variant::Kigogo);
    engine.set("Seed", 99);
    engine.set("Threads", 2);
    engine.search("go nodes 3000", &start(Variant::Kigogo));
    assert_eq!(signature(&mut engine), first);
    engine.finish();

    let output = oneshot(&["bench", "--json"]);
    assert!(output.status.success());
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(json["signature"], serde_json::json!(first));
    let keys =
        |value: &serde_json::Value| -> Vec<String> { value.as_object().expect("an object").keys().cloned().collect() };
    assert_eq!(keys(&json), ["signature", "variants"]);
    assert_eq!(keys(&json["variants"]).len(), 3);
    for variant in Variant::ALL {
        let speeds = &json["variants"][variant.name()];
        let names = ["bytes_per_node", "iterations_per_s", "iterations_per_s_2", "playouts_per_s"];
        assert_eq!(keys(speeds), names);
        assert!(names.iter().all(|&name| speeds[name].as_f64().is_some_and(|n| n > 0.0)), "{speeds}");
    }
}

// Questions on the command line.

#[test]
fn perft_is_answered_on_the_command_line() {
    let output = oneshot(&["perft", "5", "--variant", "kimasai"]);
    assert!(output.status.success() && output.stderr.is_empty());
    let answer = text(&output.stdout);
    assert_eq!(answer.lines().last(), Some("Nodes searched: 15"), "{answer}");
    let (moves, _) = answer.trim_end().rsplit_once('\n').expect("lines");
    let sum: u64 =
        moves.lines().map(|l| l.rsplit_once(": ").and_then(|(_, n)| n.parse::<u64>().ok()).expect("a count")).sum();
    assert_eq!(sum, 15);

    let game = long_game(Variant::Kigogo, 9, 4);
    let position = position_text(&game.position().to_setup()).to_string();
    let output = oneshot(&["perft", "1", "--variant", "kigogo", "--position", &position]);
    let last = format!("Nodes searched: {}", game.legal_moves().len());
    assert_eq!(text(&output.stdout).lines().last(), Some(last.as_str()));
}

#[test]
fn what_cannot_be_done_on_the_command_line_is_said_on_standard_error_with_code_2() {
    let no_directory = "/nonexistent/kete.log";
    for (arguments, words) in [
        (&["perft", "3", "--position", "joho"][..], &["--position", "joho", "column 1"][..]),
        (&["perft", "3", "--variant", "kigogo", "--position", "0,0/0 S"], &["\"0,0\"", "column 1"]),
        (&["perft", "3", "--variant", "chess"], &["chess", "kiswahili, kigogo, kimasai"]),
        (&["perft", "many"], &["many"]),
        (&["perft", "-1"], &["-1"]),
        (&["perft"], &["DEPTH"]),
        (&["joho"], &["joho"]),
        (&["--joho"], &["--joho"]),
        (&["bench", "joho"], &["joho"]),
        (&["--log-file", no_directory], &["--log-file", no_directory]),
    ] {
        let output = oneshot(arguments);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert_eq!(text(&output.stdout), "", "{arguments:?}");
        assert!(words.iter().all(|word| error.contains(word)), "{arguments:?}: {error}");
    }
}

#[test]
fn params_lists_every_tunable_that_uci_lists() {
    let output = oneshot(&["params", "--json"]);
    assert!(output.status.success() && output.stderr.is_empty());
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let params: Vec<String> = json
        .as_array()
        .expect("an array")
        .iter()
        .map(|p| {
            assert!(p["doc"].as_str().is_some_and(|doc| !doc.is_empty()), "{p}");
            let (name, default, min, max) = (&p["name"], &p["default"], &p["min"], &p["max"]);
            format!("option name {} type spin default {default} min {min} max {max}", name.as_str().expect("a name"))
        })
        .collect();
    let mut engine = Engine::start();
    engine.send("uci");
    let own = ["Threads", "Hash", "MultiPV", "Move", "Seed"];
    let is_tunable = |line: &String| {
        line.contains(" type spin ") && !own.iter().any(|name| line.starts_with(&format!("option name {name} ")))
    };
    let options: Vec<String> = engine.lines_until("uciok").into_iter().filter(is_tunable).collect();
    assert!(!params.is_empty());
    assert_eq!(params, options);
    engine.send("params");
    let listed = engine.lines_until("KimasaiExpandVisits").len();
    assert_eq!(listed, params.len() + 1);
    engine.finish();

    let output = oneshot(&["params"]);
    assert_eq!(text(&output.stdout).lines().count(), params.len() + 1);
}

#[test]
fn help_and_version_are_answered() {
    let output = oneshot(&["--help"]);
    assert!(output.status.success() && output.stderr.is_empty());
    for word in ["Usage: kete", "bench", "perft", "params", "datagen", "--log-file", "KETE_LOG"] {
        assert!(text(&output.stdout).contains(word), "{word}");
    }
    let output = oneshot(&["--version"]);
    assert_eq!(text(&output.stdout), format!("kete {}\n", env!("CARGO_PKG_VERSION")));
}

fn temporary(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()))
}

#[test]
fn the_log_file_has_both_directions() {
    let path = temporary("dialogue");
    let mut engine = Engine::start_with(&["--log-file", path.to_str().expect("a path")], &[]);
    engine.ready();
    engine.send("joho");
    engine.line();
    let search = engine.search("go nodes 300", &start(Variant::Kiswahili));
    engine.finish();
    let log = std::fs::read_to_string(&path).expect("a log file");
    std::fs::remove_file(&path).expect("the log file is ours");
    let entries: Vec<&str> = log
        .lines()
        .map(|line| {
            let (seconds, entry) = line.split_once(' ').expect("a time");
            assert!(seconds.parse::<f64>().is_ok_and(|s| (0.0..60.0).contains(&s)), "{line}");
            entry
        })
        .collect();
    assert_eq!(entries[..3], ["> isready", "< readyok", "> joho"]);
    assert!(entries[3].starts_with("< info string error: "), "{log}");
    assert_eq!(entries[4], "> go nodes 300");
    assert_eq!(entries.iter().filter(|entry| entry.starts_with("< info depth")).count(), search.infos.len());
    let best = format!("< bestmove {}", search.best);
    assert_eq!(entries[entries.len() - 4..], [&best, "> isready", "< readyok", "> quit"]);
}

#[test]
fn logging_goes_to_standard_error_alone() {
    let dialogue = |variables: &[(&str, &str)]| {
        let mut engine = Engine::start_with(&[], variables);
        engine.ready();
        engine.send("debug on");
        engine.ready();
        engine.refused("joho");
        engine.send("quit");
        engine.wait_exit(PATIENCE)
    };
    let exit = dialogue(&[("KETE_LOG", "debug")]);
    assert_eq!((exit.status.code(), exit.lines), (Some(0), Vec::new()));
    assert!(exit.stderr.contains("received \"isready\"") && exit.stderr.contains("debug true"), "{}", exit.stderr);
    for variables in [&[][..], &[("KETE_LOG", "error")], &[("RUST_LOG", "debug")]] {
        dialogue(variables).assert_clean();
    }
}

// Whole games and all lines of searches.

#[test]
fn a_ugi_harness_that_knows_no_game_plays_whole_games() {
    for variant in Variant::ALL {
        let mut engine = Engine::start();
        engine.send("ugi");
        let identity = engine.lines_until("ugiok");
        assert!(identity[0].starts_with("id name Kete ") && identity[1].starts_with("id author "), "{identity:?}");
        engine.choose(variant);
        engine.send("uginewgame");
        engine.ready();
        let mut moves: Vec<String> = Vec::new();
        // The record is the judge alone; the harness follows nothing but answers.
        let mut game = start(variant);
        while engine.ask("query gameover") == "response false" {
            assert_eq!(engine.ask("query p1turn"), format!("response {}", moves.len().is_multiple_of(2)));
            assert_eq!(engine.ask("query result"), "response none");
            assert_eq!(engine.ask("query reason"), "response none");
            assert_eq!(engine.fen(), fen(&game));
            let legal = engine.ask("query moves");
            let best = engine.search("go p1time 60000 p2time 60000 p1inc 100 p2inc 100 nodes 50", &game).best;
            assert!(legal.split(' ').skip(1).any(|m| m == best), "{best}: {legal}");
            assert_eq!(engine.ask(&format!("query islegal {best}")), "response true");
            let m = parse_move(&best, game.position()).expect("a move");
            game.play(m).expect("a legal move");
            moves.push(best);
            engine.send(&format!("position startpos moves {}", moves.join(" ")));
            assert!(moves.len() < 2000, "{variant}: the game does not end");
        }
        assert_eq!(engine.ask("query gameover"), "response true");
        let outcome = game.outcome().expect("the game is over");
        assert_eq!(engine.ask("query result"), format!("response {}", result_word(&game)));
        assert_eq!(engine.ask("query reason"), format!("response {}", outcome.reason));
        assert_eq!(engine.ask("query moves"), "response (none)");
        assert_eq!(engine.ask(&format!("query islegal {}", moves[0])), "response false");
        assert_eq!(engine.search("go nodes 50", &game).best, "(none)");
        println!("{variant}: {} plies, {} ({})", moves.len(), result_word(&game), outcome.reason);
        engine.finish();
    }
}

#[test]
fn every_line_of_every_search_is_right() {
    for variant in Variant::ALL {
        let finished = finished_game(variant, 8);
        let mut games: Vec<GameRecord> = (0..6).map(|i| long_game(variant, 10 * i, i as u64)).collect();
        games.extend((0..=6).filter(|&n| n <= finished.moves().len()).map(|n| shortened(&finished, n)));
        let mut engine = Engine::of(variant);
        for (threads, multi_pv, hash) in [(1, 1, 64), (1, 4, 64), (1, 32, 1)] {
            engine.set("Threads", threads);
            engine.set("MultiPV", multi_pv);
            engine.set("Hash", hash);
            for game in &games {
                set_up(&mut engine, game);
                let search = engine.search("go nodes 3000", game);
                let lines = if game.outcome().is_some() { 1 } else { game.legal_moves().len().min(multi_pv) };
                assert_eq!(search.last_report(), lines);
            }
        }
        engine.finish();
    }
}

#[test]
fn every_line_of_a_search_by_two_threads_or_in_a_full_tree_is_right() {
    for variant in Variant::ALL {
        let mut engine = Engine::of(variant);
        engine.set("Threads", 2);
        engine.set("Hash", 1);
        engine.set("MultiPV", 3);
        for game in [start(variant), long_game(variant, 40, 3)] {
            set_up(&mut engine, &game);
            engine.search("go movetime 250", &game);
            engine.search("go nodes 20000", &game);
        }
        engine.finish();
    }
}

#[test]
fn sparring_partners_play_legal_moves() {
    for variant in Variant::ALL {
        for player in ["greedy", "random"] {
            let mut engine = Engine::of(variant);
            engine.set("Player", player);
            let mut game = start(variant);
            for _ in 0..30 {
                if game.outcome().is_some() {
                    break;
                }
                set_up(&mut engine, &game);
                let best = engine.search("go movetime 10", &game).best;
                let m = parse_move(&best, game.position()).expect("a move");
                game.play(m).expect("a legal move");
            }
            engine.finish();
        }
    }
}
