//! Tests of the grammar.

use super::*;

fn command(line: &str) -> Command<'_> {
    parse_line(line).ok().flatten().unwrap_or(Command::Help)
}

fn error(line: &str) -> String {
    parse_line(line).err().map_or_else(String::new, |e| e.to_string())
}

#[test]
fn go_takes_its_arguments_in_any_order() {
    let line = "go ponder binc 2 nodes 7 searchmoves A1 b2 wtime 1000 movestogo 3 btime -5 infinite p1inc 4";
    let Command::Go(go) = command(line) else { unreachable!("{line}") };
    assert_eq!(go.clock_ms, [Some(1000), Some(0)]);
    assert_eq!(go.increment_ms, [Some(4), Some(2)]);
    assert_eq!((go.nodes, go.moves_to_go, go.infinite, go.ponder), (Some(7), Some(3), true, true));
    let moves: Vec<&str> = go.search_moves.iter().flatten().map(|w| w.text).collect();
    assert_eq!(moves, ["A1", "b2"]);
}

#[test]
fn numbers_beyond_64_bits_count_as_the_largest() {
    let Command::Go(go) = command("go nodes 99999999999999999999999999 wtime 99999999999999999999999999") else {
        unreachable!()
    };
    assert_eq!((go.nodes, go.clock_ms[0]), (Some(u64::MAX), Some(u64::MAX)));
    assert_eq!(command("go perft 99999999999"), Command::Perft(u32::MAX));
}

#[test]
fn errors_name_word_column_and_expectation() {
    for (line, expected) in [
        ("blah blub", "\"blah\" at column 1, expected a command (try help)"),
        ("  \u{1f41a} x", "\"\u{1f41a}\" at column 3, expected a command (try help)"),
        ("debug maybe", "\"maybe\" at column 7, expected on or off"),
        ("debug", "nothing at column 6, expected on or off"),
        ("go nodes -1", "\"-1\" at column 10, expected a whole number of at least 0"),
        ("go nodes", "nothing at column 9, expected a whole number of at least 0"),
        ("go wtime --5", "\"--5\" at column 10, expected a whole number of milliseconds"),
        ("go wtime x", "\"x\" at column 10, expected a whole number of at least 0"),
        ("go depth 3 depth 4", "\"depth\" at column 12, expected it only once"),
        ("go infinite infinite", "\"infinite\" at column 13, expected it only once"),
        ("go searchmoves nodes 5", "\"nodes\" at column 16, expected a move after searchmoves"),
        ("go fast", "\"fast\" at column 4, expected a limit of go, such as movetime 1000 or nodes 5000"),
        ("position", "nothing at column 9, expected startpos or fen"),
        ("position fen moves A1", "\"moves\" at column 14, expected a position after the word fen"),
        ("position startpos A1", "\"A1\" at column 19, expected moves or the end of the line"),
        ("setoption Threads 4", "\"Threads\" at column 11, expected name"),
        ("setoption name value 4", "\"value\" at column 16, expected the name of an option"),
        ("setoption name Threads value ", "nothing at column 30, expected a value after the word value"),
        ("query islegal", "nothing at column 14, expected a move"),
        ("perft 3 4", "\"4\" at column 9, expected the end of the line"),
    ] {
        assert_eq!(error(line), expected, "{line}");
    }
}

#[test]
fn option_names_and_values_may_hold_spaces() {
    let line = "setoption  name Move \t Overhead value  a  b ";
    let Command::SetOption { name, name_words, value } = command(line) else { unreachable!() };
    assert_eq!(name, "Move Overhead");
    assert_eq!(name_words, Words { text: "Move \t Overhead", column: 17 });
    assert_eq!(value, Some(Words { text: "a  b", column: 40 }));
}

#[test]
fn a_position_keeps_its_text_and_the_columns_of_its_moves() {
    let Command::Position { text, moves } = command("position fen 1,1/x  S moves  é A1\tb2") else { unreachable!() };
    assert_eq!(text, Some(Words { text: "1,1/x  S", column: 14 }));
    let columns: Vec<(&str, usize)> = moves.iter().map(|w| (w.text, w.column)).collect();
    assert_eq!(columns, [("é", 30), ("A1", 32), ("b2", 35)]);
    assert_eq!(command("position startpos moves"), Command::Position { text: None, moves: Vec::new() });
}

#[test]
fn every_word_that_go_knows_ends_a_list_of_moves() {
    for name in ["wtime 1", "p2inc 1", "perft 1", "infinite", "ponder", "mate 2", "depth 1", "movetime 1"] {
        let line = format!("go searchmoves A1 {name}");
        assert!(parse_line(&line).is_ok(), "{line}");
    }
}

#[test]
fn commands_without_arguments_ignore_what_follows() {
    assert_eq!(command("isready now"), Command::IsReady);
    assert_eq!(command("register later name x"), Command::Register);
}
