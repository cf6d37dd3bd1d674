//! Position text, move text and the diagram: tables of what is read and what is refused with which words, and
//! properties that hold for any text whatever.

use kete::game::{AnyPosition, GameRecord, Hand, Move, Pit, Row, Setup, Side, Variant};
use kete::notation::{
    MoveTextError, PositionTextError, board_diagram, move_text, parse_move, parse_setup, position_text, quote,
};
use proptest::prelude::*;

const CASES: u32 = 10_000;

fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(CASES) }
}

const KIGOGO_ROWS: &str =
    "2,2,2,2,2,2,2,2,2,2,2,2/2,2,2,2,2,2,2,2,2,2,2,0/0,2,2,2,2,2,2,2,2,2,2,2/2,2,2,2,2,2,2,2,2,2,2,2";
const KIMASAI_ROWS: &str =
    "1,1,1,1,1,1,1,1,1,1,1,1/1,1,1,1,1,1,1,1,1,1,1,0/0,1,1,1,1,1,1,1,1,1,1,1/1,1,1,1,1,1,1,1,1,1,1,1";
/// 63 characters: SIDE is at column 65, RESERVES at 67, HOUSES at 73, TAKASIA at 76, PLY at 78.
const KISWAHILI_ROWS: &str = "0,0,0,0,0,0,0,0/0,2,2,6,0,0,0,0/0,0,0,0,6,2,2,0/0,0,0,0,0,0,0,0";

fn position(text: &str) -> AnyPosition {
    let (name, _) = text.split_once(' ').expect("a variant");
    let setup = parse_setup(text, Variant::from_name(name).expect("a variant")).unwrap_or_else(|e| panic!("{e}"));
    AnyPosition::from_setup(&setup).unwrap_or_else(|e| panic!("{text}: {e}"))
}

// ---- Position text -------------------------------------------------------------------------------------------------

/// The starting positions as rule G6 prints them.
#[test]
fn the_starting_positions_have_the_text_of_the_rule_book() {
    let table = [
        (Variant::Kigogo, format!("kigogo {KIGOGO_ROWS} S 0")),
        (Variant::Kimasai, format!("kimasai {KIMASAI_ROWS} S 0")),
        (Variant::Kiswahili, format!("kiswahili {KISWAHILI_ROWS} S 22,22 SN - 0")),
    ];
    for (variant, text) in table {
        let setup = AnyPosition::start(variant).to_setup();
        assert_eq!(position_text(&setup).to_string(), text);
        assert_eq!(parse_setup(&text, variant), Ok(setup));
    }
}

/// The printed board, field by field: no two pits hold the same, so none can be taken for another.
#[test]
fn each_count_goes_to_its_own_pit() {
    for variant in Variant::ALL {
        let columns = variant.columns();
        let count = |row: u8, i: u8| (row * columns + i + 1).to_string();
        let rows: Vec<String> =
            (0..4).map(|row| (0..columns).map(|i| count(row, i)).collect::<Vec<_>>().join(",")).collect();
        let rest = if variant == Variant::Kiswahili { " 7,9 N a3" } else { "" };
        let setup = parse_setup(&format!("{} N{rest}", rows.join("/")), variant).expect("a setup");
        for i in 0..columns {
            let (left, right) = (i + 1, columns - i);
            let at = |row, side, number| setup.count(side, Pit::new(row, number).expect("a pit"));
            assert_eq!(at(Row::Back, Side::North, right), i + 1, "{variant}");
            assert_eq!(at(Row::Front, Side::North, right), columns + i + 1, "{variant}");
            assert_eq!(at(Row::Front, Side::South, left), 2 * columns + i + 1, "{variant}");
            assert_eq!(at(Row::Back, Side::South, left), 3 * columns + i + 1, "{variant}");
        }
        assert_eq!((setup.side, setup.ply), (Side::North, 0));
        if variant == Variant::Kiswahili {
            assert_eq!(setup.reserves, [7, 9]);
            assert_eq!(setup.houses, [false, true]);
            assert_eq!(setup.takasia, Some((Side::North, Pit::new(Row::Front, 3).expect("a3"))));
        }
    }
}

/// VARIANT and PLY may be left out, and any ASCII white space parts the fields; written text has one form.
#[test]
fn what_is_read_tolerantly_is_written_in_one_form() {
    let r = KISWAHILI_ROWS;
    let table = [
        (format!("{r} S 22,22 SN -"), format!("kiswahili {r} S 22,22 SN - 0")),
        (format!("kiswahili {r} S 22,22 SN -"), format!("kiswahili {r} S 22,22 SN - 0")),
        (format!("{r} N 0,22 - a5 17"), format!("kiswahili {r} N 0,22 - a5 17")),
        (format!("  \t{r}\tS  0,255\r\n S \u{c} B8   4294967295 \n"), format!("kiswahili {r} S 0,255 S B8 4294967295")),
        (format!("{r} N 22,0 N A1 1"), format!("kiswahili {r} N 22,0 N A1 1")),
    ];
    for (text, written) in table {
        let setup = parse_setup(&text, Variant::Kiswahili).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(position_text(&setup).to_string(), written);
    }
    for (variant, rows) in [(Variant::Kigogo, KIGOGO_ROWS), (Variant::Kimasai, KIMASAI_ROWS)] {
        for text in [format!("{rows} N"), format!("{variant} {rows} N"), format!("{rows} N 0")] {
            let setup = parse_setup(&text, variant).unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!(position_text(&setup).to_string(), format!("{variant} {rows} N 0"));
        }
    }
}

/// The text, the field that is refused, its column and what was expected.
#[test]
fn a_bad_position_text_is_refused_with_field_column_and_expectation() {
    const COUNT: &str = "a number of seeds from 0 to 255";
    const ROWS8: &str = "four rows of 8 counts, joined by /";
    const ROW8: &str = "8 counts in a row, joined by ,";
    const SIDE: &str = "S or N, the side to move";
    const RESERVES: &str = "the reserves of South and North, joined by ,";
    const HOUSES: &str = "the owned houses: SN, S, N or -";
    const TAKASIA: &str = "the takasiaed pit by name, or -";
    const PLY: &str = "the number of plies played";
    const EITHER: &str = "kiswahili or the four rows";
    const E: &str = "0,0,0,0,0,0,0,0";
    let r = KISWAHILI_ROWS;
    let session = "kiswahili, the game at hand (see option UCI_Variant)";
    let cases: Vec<(String, &str, usize, &str)> = vec![
        // Nothing, or nothing of the kind.
        ("".into(), "", 1, "a position"),
        ("   ".into(), "", 4, "a position"),
        ("startpos".into(), "startpos", 1, EITHER),
        ("  startpos".into(), "startpos", 3, EITHER),
        ("\0".into(), "\0", 1, EITHER),
        ("nyumba\u{e9}".into(), "nyumba\u{e9}", 1, EITHER),
        (format!("Kiswahili {r} S 22,22 SN - 0"), "Kiswahili", 1, EITHER),
        (format!("kigogo {KIGOGO_ROWS} S 0"), "kigogo", 1, session),
        (format!("\t kimasai {r} S 22,22 SN - 0"), "kimasai", 3, session),
        ("kiswahili".into(), "", 10, "the four rows"),
        ("kiswahili ".into(), "", 11, "the four rows"),
        // Rows.
        (format!("kiswahili kiswahili {r} S 22,22 SN - 0"), "kiswahili", 11, COUNT),
        (format!("{E}/{E}/{E} S 0,0 - - 0"), "0,0,0,0,0,0,0,0/0,0,0,0,0,0,0,0/0,0,0,0,0,0,0,0", 1, ROWS8),
        (format!("{E}/{E}/{E}/{E}/{E} S 0,0 - - 0"), E, 65, "four rows"),
        (
            format!("{E}/{E}/{E}/{E}/ S 0,0 - - 0"),
            "0,0,0,0,0,0,0,0/0,0,0,0,0,0,0,0/0,0,0,0,0,0,0,0/0,0,0,0,0,0,0,0/",
            1,
            "four rows",
        ),
        (format!("{E}/0,0,0,0,0,0,0/{E}/{E} S 0,0 - - 0"), "0,0,0,0,0,0,0", 17, ROW8),
        (format!("{E}/{E},7/{E}/{E} S 0,0 - - 0"), "7", 33, ROW8),
        (format!("{E}/{E},/{E}/{E} S 0,0 - - 0"), "0,0,0,0,0,0,0,0,", 17, ROW8),
        (format!("{E}/{E}/0,,0,0,0,0,0,0/{E} S 0,0 - - 0"), "0,,0,0,0,0,0,0", 33, COUNT),
        (format!("{E}/{E}/{E}/,0,0,0,0,0,0,0 S 0,0 - - 0"), ",0,0,0,0,0,0,0", 49, COUNT),
        (format!("kiswahili {E}/{E}/{E}/0,0,0,256,0,0,0,0 S 0,0 - - 0"), "256", 65, COUNT),
        (format!("0,0,-1,0,0,0,0,0/{E}/{E}/{E} S 0,0 - - 0"), "-1", 5, COUNT),
        (format!("0,0,+1,0,0,0,0,0/{E}/{E}/{E} S 0,0 - - 0"), "+1", 5, COUNT),
        (format!("0,0,01,0,0,0,0,0/{E}/{E}/{E} S 0,0 - - 0"), "01", 5, COUNT),
        (format!("0,0,00,0,0,0,0,0/{E}/{E}/{E} S 0,0 - - 0"), "00", 5, COUNT),
        (format!("0,0,1.5,0,0,0,0,0/{E}/{E}/{E} S 0,0 - - 0"), "1.5", 5, COUNT),
        (format!("0,0,x,0,0,0,0,0/{E}/{E}/{E} S 0,0 - - 0"), "x", 5, COUNT),
        (format!("0,0,\u{663},0,0,0,0,0/{E}/{E}/{E} S 0,0 - - 0"), "\u{663}", 5, COUNT),
        (format!("0,0,\u{a0}1,0,0,0,0,0/{E}/{E}/{E} S 0,0 - - 0"), "\u{a0}1", 5, COUNT),
        (format!("0,0,99999999999999999999,0,0,0,0,0/{E}/{E}/{E} S"), "99999999999999999999", 5, COUNT),
        (format!("0, 0,0,0,0,0,0,0/{E}/{E}/{E} S 0,0 - - 0"), "0,", 1, COUNT),
        // Side.
        (r.into(), "", 64, SIDE),
        (format!("{r} s 22,22 SN - 0"), "s", 65, SIDE),
        (format!("{r} SN 22,22 SN - 0"), "SN", 65, SIDE),
        (format!("kiswahili {r} 22,22 SN - 0"), "22,22", 75, SIDE),
        (format!("{r} South 22,22 SN - 0"), "South", 65, SIDE),
        // Reserves.
        (format!("{r} S"), "", 66, RESERVES),
        (format!("{r} S 22 SN - 0"), "22", 67, RESERVES),
        (format!("{r} S 22/22 SN - 0"), "22/22", 67, RESERVES),
        (format!("{r} S , SN - 0"), ",", 67, RESERVES),
        (format!("{r} S ,22 SN - 0"), ",22", 67, RESERVES),
        (format!("{r} S 22, SN - 0"), "22,", 67, RESERVES),
        (format!("{r} S 22,22,0 SN - 0"), "22,0", 70, RESERVES),
        (format!("{r} S 256,22 SN - 0"), "256", 67, RESERVES),
        (format!("{r} S 22,256 SN - 0"), "256", 70, RESERVES),
        (format!("{r} S 022,22 SN - 0"), "022", 67, RESERVES),
        (format!("{r} S 22,-2 SN - 0"), "-2", 70, RESERVES),
        // Houses.
        (format!("{r} S 22,22"), "", 72, HOUSES),
        (format!("{r} S 22,22 NS - 0"), "NS", 73, HOUSES),
        (format!("{r} S 22,22 sn - 0"), "sn", 73, HOUSES),
        (format!("{r} S 22,22 -- - 0"), "--", 73, HOUSES),
        // Takasia.
        (format!("{r} S 22,22 SN"), "", 75, TAKASIA),
        (format!("{r} S 22,22 SN 0"), "0", 76, TAKASIA),
        (format!("{r} S 22,22 SN A9 0"), "A9", 76, TAKASIA),
        (format!("{r} S 22,22 SN A0 0"), "A0", 76, TAKASIA),
        (format!("{r} S 22,22 SN A01 0"), "A01", 76, TAKASIA),
        (format!("{r} S 22,22 SN C1 0"), "C1", 76, TAKASIA),
        (format!("{r} S 22,22 SN A1L 0"), "A1L", 76, TAKASIA),
        // Ply and end.
        (format!("{r} S 22,22 SN - -1"), "-1", 78, PLY),
        (format!("{r} S 22,22 SN - 007"), "007", 78, PLY),
        (format!("{r} S 22,22 SN - x"), "x", 78, PLY),
        (format!("{r} S 22,22 SN - 4294967296"), "4294967296", 78, PLY),
        (format!("{r} S 22,22 SN - 0 0"), "0", 80, "the end of the position"),
        (format!("{r} S 22,22 SN - 12 moves A6L"), "moves", 81, "the end of the position"),
    ];
    for (text, found, column, expected) in &cases {
        let error = parse_setup(text, Variant::Kiswahili).expect_err(text);
        let wanted = PositionTextError { text: (*found).to_owned(), column: *column, expected: (*expected).to_owned() };
        assert_eq!(error, wanted, "{text:?}");
    }
}

/// The same words as they are printed, one of each kind and game.
#[test]
fn position_errors_read_as_sentences() {
    let r = KIGOGO_ROWS;
    let table: Vec<(Variant, String, &str)> = vec![
        (Variant::Kigogo, "".into(), "nothing at column 1 of the position, expected a position"),
        (Variant::Kigogo, r.into(), "nothing at column 96 of the position, expected S or N, the side to move"),
        (
            Variant::Kigogo,
            format!("{r} S 22,22 SN - 0"),
            "\"22,22\" at column 99 of the position, expected the number of plies played",
        ),
        (
            Variant::Kigogo,
            format!("kimasai {r} S"),
            "\"kimasai\" at column 1 of the position, expected kigogo, the game at hand (see option \
             UCI_Variant)",
        ),
        (
            Variant::Kimasai,
            format!("{KISWAHILI_ROWS} S"),
            "\"0,0,0,0,0,0,0,0\" at column 1 of the position, expected 12 counts in a row, joined by ,",
        ),
        (
            Variant::Kimasai,
            format!("kimasai {KIMASAI_ROWS}/0 S"),
            "\"0\" at column 105 of the position, expected four rows",
        ),
        (
            Variant::Kiswahili,
            format!("{r} S"),
            "\"2\" at column 17 of the position, expected 8 counts in a row, joined by ,",
        ),
        (
            Variant::Kiswahili,
            "a/\u{7}\"b\"".into(),
            "\"a\" at column 1 of the position, expected a number of seeds from 0 to 255",
        ),
        (
            Variant::Kiswahili,
            "x".repeat(1_000),
            "\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…\" at column 1 of the position, expected kiswahili or the four \
             rows",
        ),
    ];
    for (variant, text, message) in table {
        let error = parse_setup(&text, variant).expect_err(&text);
        assert_eq!(error.to_string(), message, "{text:?}");
    }
}

/// A row that is empty is nothing to point at; the column should still be where it was missed.
#[test]
fn an_empty_row_is_reported_where_it_is() {
    let error = parse_setup("0,0,0,0,0,0,0,0//0,0,0,0,0,0,0,0/0,0,0,0,0,0,0,0 S 0,0 - -", Variant::Kiswahili);
    assert_eq!(error.expect_err("an empty row").column, 17);
}

// ---- Move text -----------------------------------------------------------------------------------------------------

/// A position of each kind of turn, for either side.
struct Boards {
    kigogo: [AnyPosition; 2],
    kimasai: [AnyPosition; 2],
    /// Namua, no capture.
    takata: [AnyPosition; 2],
    /// Namua, captures in pits 1, 2, 7, 8.
    capture: [AnyPosition; 2],
    /// Mtaji, with captures.
    mtaji: [AnyPosition; 2],
}

fn boards() -> Boards {
    let both = |text: &str| {
        let south = position(text);
        let north = AnyPosition::from_setup(&south.to_setup().turned()).expect("a position");
        [south, north]
    };
    Boards {
        kigogo: both(&format!("kigogo {KIGOGO_ROWS} S 0")),
        kimasai: both(&format!("kimasai {KIMASAI_ROWS} S 0")),
        takata: both(&format!("kiswahili {KISWAHILI_ROWS} S 22,22 SN - 0")),
        capture: both("kiswahili 0,0,0,0,0,0,0,0/4,3,1,8,0,2,5,6/1,2,0,0,8,0,3,4/0,0,0,0,0,0,0,0 S 8,8 SN - 0"),
        mtaji: both("kiswahili 0,0,0,0,0,0,0,0/0,0,0,0,5,6,0,0/0,3,0,0,4,1,0,0/0,9,0,0,0,0,0,0 S 0,0 - - 0"),
    }
}

/// The same text in the other side's case: `A7R` and `a7R`, the letters L and R as they are.
fn other_case(text: &str) -> String {
    let mut chars = text.chars();
    let swapped = match chars.next() {
        Some(c) if c.is_ascii_lowercase() => c.to_ascii_uppercase(),
        Some(c) => c.to_ascii_lowercase(),
        None => return String::new(),
    };
    std::iter::once(swapped).chain(chars).collect()
}

/// Each text, and what is written for the move that was read; for South, and in the other case for North.
#[test]
fn move_texts_are_read_and_written_for_both_sides() {
    let boards = boards();
    let table: Vec<(&[AnyPosition; 2], &str, &str)> = vec![
        (&boards.kigogo, "A1", "A1"),
        (&boards.kigogo, "A9", "A9"),
        (&boards.kigogo, "A12", "A12"),
        (&boards.kigogo, "B1", "B1"),
        (&boards.kigogo, "B10", "B10"),
        (&boards.kigogo, "B12", "B12"),
        (&boards.kimasai, "A2", "A2"),
        (&boards.kimasai, "B11", "B11"),
        (&boards.takata, "A6L", "A6L"),
        (&boards.takata, "A6R", "A6R"),
        (&boards.takata, "A6L*", "A6L"),
        (&boards.takata, "A1R>", "A1R>"),
        (&boards.takata, "A1R>*", "A1R>"),
        (&boards.takata, "B8L", "B8L"),
        (&boards.takata, "B1R*", "B1R"),
        (&boards.capture, "A1", "A1L"),
        (&boards.capture, "A2", "A2L"),
        (&boards.capture, "A7", "A7R"),
        (&boards.capture, "A8", "A8R"),
        (&boards.capture, "A8>", "A8R>"),
        (&boards.capture, "A8*", "A8R"),
        (&boards.capture, "A8>*", "A8R>"),
        (&boards.capture, "A1L", "A1L"),
        (&boards.capture, "A8L", "A8L"),
        (&boards.capture, "A3L>", "A3L>"),
        (&boards.mtaji, "A2R", "A2R"),
        (&boards.mtaji, "B2R", "B2R"),
        (&boards.mtaji, "B2L*", "B2L"),
    ];
    for (sides, text, written) in table {
        for (board, text, written) in
            [(&sides[0], text.to_owned(), written.to_owned()), (&sides[1], other_case(text), other_case(written))]
        {
            let m = parse_move(&text, board).unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!(move_text(m, board.side_to_move()).to_string(), written, "{text}");
            assert_eq!(parse_move(&written, board), Ok(m), "{written}");
        }
    }
    let [south, north] = &boards.capture;
    let expected = Move::with_hand(Pit::new(Row::Front, 8).expect("a pit"), Hand::Right, true);
    assert_eq!(parse_move("A8>", south), Ok(expected));
    assert_eq!(parse_move("a8>", north), Ok(expected));
    let expected = Move::with_hand(Pit::new(Row::Back, 2).expect("a pit"), Hand::Left, false);
    assert_eq!(parse_move("b2L", &boards.mtaji[1]), Ok(expected));
    let expected = Move::of_pit(Pit::new(Row::Back, 12).expect("a pit"));
    assert_eq!(parse_move("b12", &boards.kigogo[1]), Ok(expected));
}

/// Each text with the exact message, South's first, then North's.
#[test]
fn a_bad_move_text_is_refused_with_token_and_expectation() {
    let boards = boards();
    let no_row = "expected a pit of South, A or B and a number";
    let no_row_north = "expected a pit of North, a or b and a number";
    let to_12 = "expected a pit number from 1 to 12";
    let to_8 = "expected a pit number from 1 to 8";
    let hand = "expected L or R after the pit";
    let mut table: Vec<(&AnyPosition, &str, String)> = Vec::new();
    for text in
        ["", " ", "(none)", "0000", "C1", "\u{c1}1", "\u{ff21}1", "\0A1", " A1", "7A", "*", ">", "-A1", "\u{391}1"]
    {
        for board in [&boards.kigogo, &boards.kimasai, &boards.takata, &boards.capture, &boards.mtaji] {
            table.push((&board[0], text, format!("{} is not a move: {no_row}", quote(text))));
            table.push((&board[1], text, format!("{} is not a move: {no_row_north}", quote(text))));
        }
    }
    for text in [
        "A",
        "B",
        "A0",
        "A13",
        "A007",
        "A01",
        "B99999999999999999999",
        "A256",
        "A257",
        "A-1",
        "A+1",
        "A 1",
        "A\u{661}",
        "AA1",
    ] {
        for board in [&boards.kigogo[0], &boards.kimasai[0]] {
            table.push((board, text, format!("{} is not a move: {to_12}", quote(text))));
        }
    }
    for text in
        ["A", "BL", "A0L", "A9L", "A12R", "B13L", "A007L", "A08L", "A99999999999999999999R", "AL1", "A\u{ff11}L"]
    {
        for board in [&boards.takata[0], &boards.capture[0], &boards.mtaji[0]] {
            table.push((board, text, format!("{} is not a move: {to_8}", quote(text))));
        }
    }
    for text in ["a9L", "b0R", "a", "b99999999999999999999L"] {
        table.push((&boards.takata[1], text, format!("{} is not a move: {to_8}", quote(text))));
        table.push((&boards.takata[0], text, format!("{} is not a move: {to_8}", quote(text))));
    }
    // The other side's case.
    table.push((&boards.kigogo[0], "a7", "\"a7\" is a pit of North, expected a move of South".into()));
    table.push((&boards.kigogo[1], "B12", "\"B12\" is a pit of South, expected a move of North".into()));
    table.push((&boards.kimasai[1], "A2", "\"A2\" is a pit of South, expected a move of North".into()));
    table.push((&boards.mtaji[0], "b2L", "\"b2L\" is a pit of North, expected a move of South".into()));
    table.push((&boards.capture[1], "A8>", "\"A8>\" is a pit of South, expected a move of North".into()));
    // The letter is missing where it may not be: pits 3 to 6, the back row, a takata, mtaji.
    for text in ["A3", "A6", "A3>", "A4*", "B1", "B8>", "A1l", "A8r", "A5x", "A5>>", "A1 L", "A1\u{141}", "B2-"] {
        table.push((&boards.capture[0], text, format!("{} is not a move: {hand}", quote(text))));
    }
    for text in ["A1", "A2", "A7", "A8", "A8>", "A8*", "B2", "A6l", "A6\0"] {
        table.push((&boards.takata[0], text, format!("{} is not a move: {hand}", quote(text))));
        table.push((&boards.mtaji[0], text, format!("{} is not a move: {hand}", quote(text))));
    }
    // Something after the end.
    for (text, rest) in [
        ("A7L", "L"),
        ("A7*", "*"),
        ("A7>", ">"),
        ("A7 ", " "),
        ("A12x", "x"),
        ("B1\0", "\0"),
        ("A1\u{661}", "\u{661}"),
    ] {
        let message = format!("{} is not a move: {} after its end, expected nothing", quote(text), quote(rest));
        table.push((&boards.kigogo[0], text, message.clone()));
        table.push((&boards.kimasai[0], text, message));
    }
    for (text, rest) in [
        ("A6LL", "L"),
        ("A6LR", "R"),
        ("A6L**", "*"),
        ("A6L*>", "*>"),
        ("A6L>>", ">"),
        ("A6R>>*", ">"),
        ("A6Lx*", "x"),
        ("A6L ", " "),
        ("A6L\n", "\n"),
        ("A6L\0", "\0"),
        ("B8R>\u{301}", "\u{301}"),
    ] {
        let message = format!("{} is not a move: {} after its end, expected > or *", quote(text), quote(rest));
        for board in [&boards.takata[0], &boards.capture[0], &boards.mtaji[0]] {
            table.push((board, text, message.clone()));
        }
    }
    for (board, text, message) in &table {
        let error = parse_move(text, board).expect_err(text);
        assert_eq!(&error.to_string(), message, "{text:?}");
    }
    let long = format!("A6L{}", "y".repeat(100_000));
    let message = parse_move(&long, &boards.takata[0]).expect_err("junk").to_string();
    assert_eq!(
        message,
        format!("\"A6L{}…\" is not a move: \"{}…\" after its end, expected > or *", "y".repeat(37), "y".repeat(40))
    );
    assert_eq!(
        parse_move("a1", &boards.kigogo[0]),
        Err(MoveTextError::WrongSide { text: "a1".into(), mover: Side::South })
    );
}

// ---- The diagram and quoting ---------------------------------------------------------------------------------------

#[test]
fn the_board_is_drawn_as_rule_g2_prints_it() {
    let diagram = |variant| board_diagram(&AnyPosition::start(variant).to_setup()).to_string();
    let kiswahili = [
        "    8  7  6  5  4  3  2  1",
        "b   0  0  0  0  0  0  0  0",
        "a   0  2  2  6  0  0  0  0   North 32",
        "",
        "A   0  0  0  0  6  2  2  0   South 32",
        "B   0  0  0  0  0  0  0  0",
        "    1  2  3  4  5  6  7  8",
        "Reserves: South 22, North 22. Houses: South, North. Takasia: none",
    ];
    let kigogo = [
        "   12 11 10  9  8  7  6  5  4  3  2  1",
        "b   2  2  2  2  2  2  2  2  2  2  2  2",
        "a   2  2  2  2  2  2  2  2  2  2  2  0   North 46",
        "",
        "A   0  2  2  2  2  2  2  2  2  2  2  2   South 46",
        "B   2  2  2  2  2  2  2  2  2  2  2  2",
        "    1  2  3  4  5  6  7  8  9 10 11 12",
    ];
    let kimasai = [
        "   12 11 10  9  8  7  6  5  4  3  2  1",
        "b   1  1  1  1  1  1  1  1  1  1  1  1",
        "a   1  1  1  1  1  1  1  1  1  1  1  0   North 23",
        "",
        "A   0  1  1  1  1  1  1  1  1  1  1  1   South 23",
        "B   1  1  1  1  1  1  1  1  1  1  1  1",
        "    1  2  3  4  5  6  7  8  9 10 11 12",
    ];
    assert_eq!(diagram(Variant::Kiswahili), kiswahili.join("\n") + "\n");
    assert_eq!(diagram(Variant::Kigogo), kigogo.join("\n") + "\n");
    assert_eq!(diagram(Variant::Kimasai), kimasai.join("\n") + "\n");
}

#[test]
fn the_line_below_a_kiswahili_board_tells_what_is_beside_it() {
    let table = [
        ("S 22,22 SN -", "Reserves: South 22, North 22. Houses: South, North. Takasia: none"),
        ("S 0,7 S -", "Reserves: South 0, North 7. Houses: South. Takasia: none"),
        ("N 9,0 N -", "Reserves: South 9, North 0. Houses: North. Takasia: none"),
        ("N 0,0 - a3", "Reserves: South 0, North 0. Houses: none. Takasia: a3"),
        ("S 255,0 - B8", "Reserves: South 255, North 0. Houses: none. Takasia: B8"),
    ];
    for (rest, line) in table {
        let setup = parse_setup(&format!("{KISWAHILI_ROWS} {rest}"), Variant::Kiswahili).expect("a setup");
        assert_eq!(board_diagram(&setup).to_string().lines().last(), Some(line));
    }
}

#[test]
fn quoting_escapes_and_cuts() {
    let forty = "x".repeat(40);
    let table = [
        ("", "\"\"".to_owned()),
        ("A7", "\"A7\"".to_owned()),
        ("a b", "\"a b\"".to_owned()),
        ("\0\n\r\t\u{1b}[2J", "\"\\0\\n\\r\\t\\u{1b}[2J\"".to_owned()),
        ("say \"x\" \\", "\"say \\\"x\\\" \\\\\"".to_owned()),
        ("ny\u{fc}mba \u{663}", "\"ny\u{fc}mba \u{663}\"".to_owned()),
        ("\u{202e}\u{feff}", "\"\\u{202e}\\u{feff}\"".to_owned()),
        (&forty, format!("\"{forty}\"")),
        (&format!("{forty}y"), format!("\"{forty}…\"")),
        (&"\u{e9}".repeat(41), format!("\"{}…\"", "\u{e9}".repeat(40))),
    ];
    for (text, quoted) in table {
        assert_eq!(quote(text), quoted);
    }
}

// ---- Properties ----------------------------------------------------------------------------------------------------

fn any_variant() -> impl Strategy<Value = Variant> {
    prop::sample::select(Variant::ALL.to_vec())
}

/// A position reached by `choices`, an index of a legal move a ply.
fn reach(variant: Variant, choices: &[u16]) -> GameRecord {
    let mut record = GameRecord::of_variant(variant);
    for &choice in choices {
        let legal = record.legal_moves();
        if legal.is_empty() {
            break;
        }
        record.play(legal[usize::from(choice) % legal.len()]).expect("a legal move");
    }
    record
}

fn reached() -> impl Strategy<Value = GameRecord> {
    (any_variant(), prop::collection::vec(any::<u16>(), 0..160)).prop_map(|(variant, choices)| reach(variant, &choices))
}

/// Every field at random: whatever the text of a position of that game can say.
fn any_setup() -> impl Strategy<Value = Setup> {
    let pit = (any::<bool>(), 1..=8u8, any::<bool>()).prop_map(|(back, number, north)| {
        let row = if back { Row::Back } else { Row::Front };
        (if north { Side::North } else { Side::South }, Pit::new(row, number).expect("a pit"))
    });
    let beside = (any::<[u8; 2]>(), any::<[bool; 2]>(), prop::option::of(pit));
    let counts = prop::collection::vec(prop_oneof![any::<u8>(), 0..=9u8], 48);
    (any_variant(), counts, any::<bool>(), any::<u32>(), beside).prop_map(|(variant, counts, north, ply, beside)| {
        let mut setup = Setup::empty(variant);
        let pits = Side::ALL.into_iter().flat_map(|side| Setup::pits(variant).map(move |pit| (side, pit)));
        for ((side, pit), count) in pits.zip(counts) {
            setup.set_count(side, pit, count);
        }
        setup.side = if north { Side::North } else { Side::South };
        setup.ply = ply;
        if variant.has_reserves() {
            (setup.reserves, setup.houses, setup.takasia) = beside;
        }
        setup
    })
}

/// Characters that make trouble, and some of the alphabet of both texts.
fn odd_char() -> impl Strategy<Value = char> {
    let alphabet: Vec<char> =
        "0123456789,,,///  \t\nSNABabLRlr>*-+.x\0\u{e9}\u{663}\u{a0}\u{2028}\u{1f40e}".chars().collect();
    prop_oneof![4 => prop::sample::select(alphabet), 1 => any::<char>()]
}

/// Deletes, inserts or replaces a character at a time.
fn mutate(text: &str, edits: &[(u8, prop::sample::Index, char)]) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for (kind, place, c) in edits {
        match (kind % 3, chars.is_empty()) {
            (0, false) => {
                chars.remove(place.index(chars.len()));
            }
            (1, false) => {
                let at = place.index(chars.len());
                chars[at] = *c;
            }
            _ => chars.insert(place.index(chars.len() + 1), *c),
        }
    }
    chars.into_iter().collect()
}

fn edits() -> impl Strategy<Value = Vec<(u8, prop::sample::Index, char)>> {
    prop::collection::vec((any::<u8>(), any::<prop::sample::Index>(), odd_char()), 1..4)
}

/// Any text at all: Unicode, the two alphabets, very long, made of separators.
fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        prop::collection::vec(odd_char(), 0..120).prop_map(String::from_iter),
        "[/,]{0,300}",
        "[0-9,/]{0,200} [SN] [0-9,]{0,9} [SN-]{1,2} [ABab0-9-]{1,3} [0-9]{0,12}",
        "[ABab]?[0-9]{0,25}[LR]?>?[*]?.{0,3}",
        (odd_char(), 0..20_000usize).prop_map(|(c, n)| c.to_string().repeat(n)),
        ("[a-z0-9/, ]{0,20}", 0..500usize).prop_map(|(s, n)| s.repeat(n)),
    ]
}

/// What must hold of whatever `parse_setup` says about `text`.
fn check_position_text(text: &str, variant: Variant) -> Result<(), TestCaseError> {
    match parse_setup(text, variant) {
        Ok(setup) => {
            let written = position_text(&setup).to_string();
            prop_assert_eq!(parse_setup(&written, variant), Ok(setup.clone()));
            // There is one spelling of each field: only VARIANT, PLY and white space can differ.
            let mut fields: Vec<&str> = text.split_ascii_whitespace().collect();
            if fields[0] != variant.name() {
                fields.insert(0, variant.name());
            }
            if fields.len() < written.split(' ').count() {
                fields.push("0");
            }
            prop_assert_eq!(fields.join(" "), written);
            // Whatever was read can be drawn, and is a position or is not.
            prop_assert!(board_diagram(&setup).to_string().lines().count() >= 7);
            let _ = AnyPosition::from_setup(&setup);
        }
        Err(error) => {
            prop_assert!(!error.expected.is_empty());
            prop_assert!(error.column >= 1);
            let at_column: String = text.chars().skip(error.column - 1).collect();
            prop_assert!(at_column.starts_with(&error.text), "{:?} of {:?}", error, text);
            if error.text.is_empty() {
                // Nothing was found where the text ends, or where a row or a count should have begun.
                let next = at_column.chars().next();
                prop_assert!(next.is_none_or(|c| "/, \t\n\r\x0c".contains(c)), "{:?} of {:?}", error, text);
            }
            let message = error.to_string();
            prop_assert!(message.chars().count() < 600 && !message.contains(char::is_control), "{}", message);
        }
    }
    Ok(())
}

/// What must hold of whatever `parse_move` says about `text`.
fn check_move_text(text: &str, board: &AnyPosition) -> Result<(), TestCaseError> {
    match parse_move(text, board) {
        Ok(m) => {
            let written = move_text(m, board.side_to_move()).to_string();
            prop_assert_eq!(parse_move(&written, board), Ok(m));
            let bare = text.strip_suffix('*').unwrap_or(text);
            let letterless: String = written.chars().filter(|c| !matches!(c, 'L' | 'R')).collect();
            prop_assert!(bare == written || bare == letterless, "{} {}", text, written);
            if bare != written || bare != text {
                prop_assert_eq!(board.variant(), Variant::Kiswahili);
            }
            let _ = board.clone().play(m);
        }
        Err(error) => {
            let message = error.to_string();
            prop_assert!(message.starts_with(&quote(text)), "{}", message);
            prop_assert!(message.chars().count() < 1_000 && !message.contains(char::is_control), "{}", message);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_text_is_read_as_a_position_or_refused(text in any_text(), variant in any_variant()) {
        check_position_text(&text, variant)?;
    }

    #[test]
    fn any_text_is_read_as_a_move_or_refused(text in any_text(), record in reached()) {
        check_move_text(&text, record.position())?;
    }

    #[test]
    fn a_position_text_with_a_few_wrong_characters_is_read_or_refused(
        setup in any_setup(), edits in edits(), session in any_variant()
    ) {
        let text = mutate(&position_text(&setup).to_string(), &edits);
        check_position_text(&text, setup.variant())?;
        check_position_text(&text, session)?;
    }

    #[test]
    fn a_move_text_with_a_few_wrong_characters_is_read_or_refused(
        record in reached(), choice in any::<prop::sample::Index>(), edits in edits()
    ) {
        let board = record.position();
        let legal = board.legal_moves();
        let text = if legal.is_empty() {
            "A5L>".to_owned()
        } else {
            move_text(legal[choice.index(legal.len())], board.side_to_move()).to_string()
        };
        check_move_text(&mutate(&text, &edits), board)?;
        check_move_text(&mutate(&text, &edits[..1]), board)?;
    }

    #[test]
    fn any_setup_is_written_and_read_again(setup in any_setup()) {
        let text = position_text(&setup).to_string();
        prop_assert_eq!(parse_setup(&text, setup.variant()), Ok(setup.clone()), "{}", text);
        check_position_text(&text, setup.variant())?;
        let without_variant = text.split_once(' ').expect("fields").1;
        prop_assert_eq!(parse_setup(without_variant, setup.variant()), Ok(setup.clone()));
        let mut at_start = setup.clone();
        at_start.ply = 0;
        let without_ply = text.rsplit_once(' ').expect("fields").0;
        prop_assert_eq!(parse_setup(without_ply, setup.variant()), Ok(at_start));
        for other in Variant::ALL.into_iter().filter(|&v| v != setup.variant()) {
            prop_assert_eq!(parse_setup(&text, other).expect_err("another game").column, 1);
        }
    }

    #[test]
    fn any_reachable_position_and_its_moves_are_written_and_read_again(record in reached()) {
        let board = record.position();
        let setup = board.to_setup();
        let text = position_text(&setup).to_string();
        let read = parse_setup(&text, board.variant());
        prop_assert_eq!(read.as_ref(), Ok(&setup), "{}", text);
        let again = AnyPosition::from_setup(&setup).expect("a reached position is valid");
        prop_assert!(again.same_state(board), "{}", text);
        prop_assert_eq!(position_text(&setup.turned().turned()).to_string(), text.as_str());
        for m in board.legal_moves() {
            let written = move_text(m, board.side_to_move()).to_string();
            prop_assert_eq!(parse_move(&written, board), Ok(m));
            prop_assert_eq!(parse_move(&other_case(&written), board).is_err(), true);
            if let (Variant::Kiswahili, Some(hand)) = (board.variant(), m.hand()) {
                prop_assert_eq!(parse_move(&format!("{written}*"), board), Ok(m));
                let letterless: String = written.chars().filter(|c| !matches!(c, 'L' | 'R')).collect();
                let AnyPosition::Kiswahili(kiswahili) = board else { unreachable!() };
                let outer = matches!(m.pit().number(), 1 | 2 | 7 | 8) && m.pit().row() == Row::Front;
                let read = parse_move(&letterless, board);
                if kiswahili.captures_in_namua() && outer {
                    prop_assert_eq!(read, Ok(m), "{:?}", hand);
                } else {
                    prop_assert!(read.is_err(), "{}: {}", text, letterless);
                }
            }
        }
    }

    /// A quotation is one line of at most 40 characters of the text, and tells different short texts apart.
    #[test]
    fn quoting_is_safe_and_faithful(text in any_text()) {
        let quoted = quote(&text);
        prop_assert!(!quoted.contains(|c: char| c.is_control() || c == '\u{2028}'), "{}", quoted);
        prop_assert!(quoted.starts_with('"') && quoted.ends_with('"'));
        let head: String = text.chars().take(40).collect();
        let escaped: String = head.chars().flat_map(char::escape_debug).collect();
        let escaped = escaped.replace("\\'", "'");
        let cut = if head == text { "" } else { "…" };
        prop_assert_eq!(quoted, format!("\"{escaped}{cut}\""));
    }
}
