//! Rules G1 to G7, and what rule S9 allows on input, clause by clause.

use crate::assertions::{
    a_move, assert_after, assert_ends, assert_over, draw, kigogo, kimasai, kiswahili, legal, position, record, setup,
    setup_error, text_error, text_of, variant_of, win,
};
use kete::game::{
    AnyPosition, EndReason, GameRecord, Kigogo, Kimasai, Kiswahili, Pit, PlayError, Position, Row, Setup, SetupError,
    Side, Variant,
};
use kete::notation::{MoveTextError, move_text, parse_move, parse_setup, position_text};

fn pit(row: Row, number: u8) -> Pit {
    Pit::new(row, number).expect("a pit")
}

fn front(number: u8) -> Pit {
    pit(Row::Front, number)
}

#[test]
fn g1_south_moves_first_and_the_sides_take_turns() {
    for variant in Variant::ALL {
        let mut record = GameRecord::of_variant(variant);
        for side in [Side::South, Side::North, Side::South] {
            assert_eq!(record.side_to_move(), side);
            record.play(record.legal_moves()[0]).expect("legal");
        }
    }
}

#[test]
fn g2_names_run_from_each_owners_left() {
    let twelve = "kigogo 1,0,0,0,0,0,0,0,0,0,0,2/3,0,0,0,0,0,0,0,0,0,0,4/\
                  5,0,0,0,0,0,0,0,0,0,0,6/7,0,0,0,0,0,0,0,0,0,0,8 S 0";
    let eight = "kiswahili 1,0,0,0,0,0,0,2/3,0,0,0,0,0,0,4/5,0,0,0,0,0,0,6/7,0,0,0,0,0,0,8 S 0,0 - - 0";
    for text in [twelve, eight] {
        let setup = setup(text);
        let last = variant_of(text).columns();
        let corners = [(Row::Back, last), (Row::Back, 1), (Row::Front, last), (Row::Front, 1)];
        assert_eq!(corners.map(|(row, n)| setup.count(Side::North, pit(row, n))), [1, 2, 3, 4]);
        let corners = [(Row::Front, 1), (Row::Front, last), (Row::Back, 1), (Row::Back, last)];
        assert_eq!(corners.map(|(row, n)| setup.count(Side::South, pit(row, n))), [5, 6, 7, 8]);
    }
}

#[test]
fn g2_turning_the_board_swaps_the_sides_and_keeps_the_names() {
    let before = setup(&kiswahili("A1=1 B3=2 a4=5 a2=2", "S 3,4 N - 9"));
    assert_eq!(before.turned(), setup(&kiswahili("a1=1 b3=2 A4=5 A2=2", "N 4,3 S - 9")));
    let blocked = setup(&kiswahili("a6=2 a4=1 a2=2 A4=3 A7=1", "N 0,0 - a2 1"));
    assert_eq!(blocked.turned(), setup(&kiswahili("A6=2 A4=1 A2=2 a4=3 a7=1", "S 0,0 - A2 1")));
}

// G3 and G4 are tested with the sowing of each game: k3_*, g4_* and s9_*.

#[test]
fn g5a_the_side_now_to_move_without_a_legal_move_has_lost() {
    // A3 goes to A2. North's lone ring of singles is blocked all round.
    let ring: String = (1..=12).map(|n| format!("a{n}=1 b{n}=1 ")).collect();
    let before = kigogo(&format!("B3=1 {ring}"), "S 4");
    let after = kigogo(&format!("B4=1 {ring}"), "N 5");
    assert_ends(&before, "B3", &after, win(Side::South, EndReason::Immobile));
}

#[test]
fn g5a_no_seeds_included() {
    let after = kimasai("A3", "N 1");
    assert_ends(&kimasai("A4 a10", "S 0"), "A4", &after, win(Side::South, EndReason::NoSeeds));
}

/// Forty single steps: either side's seeds go round until everything stands as before.
const ROUND: &str = "b2 B12 b3 A12 b4 A11 b5 A10 b6 A7 b7 A6 b8 A5 b9 A4 b10 A1 b11 B1 \
                     b12 B2 a12 B3 a11 B4 a8 B5 a7 B6 a6 B7 a3 B8 a2 B9 a1 B10 b1 B11";

#[test]
fn g5b_the_first_recurrence_of_the_whole_state_draws_and_the_start_counts() {
    let before = kigogo("a10=1 a5=1 b2=2 b3=1 A3=1 A9=1 A12=1 B12=2", "N 17");
    let after = before.replace("N 17", "N 57");
    assert_ends(&before, ROUND, &after, draw(EndReason::Repetition));
    // Not before: a ply earlier the game goes on.
    let (all_but_last, _) = ROUND.rsplit_once(' ').expect("moves");
    assert_eq!(record(&before, all_but_last).outcome(), None);
}

#[test]
fn g5b_the_state_is_everything_but_the_ply() {
    let base = kiswahili("a6=2 a4=1 a2=2 A4=3 A7=1", "N 0,0 - - 1");
    let same = position(&base.replace("- 1", "- 9"));
    assert!(position(&base).same_state(&same));
    assert_eq!(position(&base).key(), same.key());
    let rests = ["S 0,0 - - 1", "N 1,0 - - 1", "N 0,1 - - 1", "N 0,0 S - 1", "N 0,0 N - 1", "N 0,0 - a2 1"];
    let others = rests.map(|rest| base.replace("N 0,0 - - 1", rest));
    let moved_pit = kiswahili("a6=2 a4=1 a2=2 A4=3 A8=1", "N 0,0 - - 1");
    for other in others.iter().chain([&moved_pit]) {
        assert!(!position(&base).same_state(&position(other)), "{other}");
        assert_ne!(position(&base).key(), position(other).key(), "{other}");
    }
}

#[test]
fn g5_nothing_is_played_after_the_end() {
    let outcome = win(Side::South, EndReason::NoSeeds);
    let mut record = record(&kimasai("A4 B1 a10", "S 0"), "A4");
    assert!(record.legal_moves().is_empty());
    let before = text_of(record.position());
    let m = a_move("a10", record.position());
    assert_eq!(record.play(m), Err(PlayError::Over(outcome)));
    assert_eq!((text_of(record.position()), record.moves().len()), (before, 1));
    let message = record.play(m).expect_err("over").to_string();
    assert_eq!(message, "the game is over: South has won (no-seeds)");
}

#[test]
fn g5_a_refused_move_changes_nothing() {
    for variant in Variant::ALL {
        let mut record = GameRecord::of_variant(variant);
        let m = a_move(if variant.has_reserves() { "A1L" } else { "A1" }, record.position());
        assert!(matches!(record.play(m), Err(PlayError::Illegal(e)) if e.variant == variant));
        assert_eq!(text_of(record.position()), text_of(&AnyPosition::start(variant)));
        assert!(record.moves().is_empty() && record.outcome().is_none());
    }
}

// G6: the text.

const STARTS: [&str; 3] = [
    "kiswahili 0,0,0,0,0,0,0,0/0,2,2,6,0,0,0,0/0,0,0,0,6,2,2,0/0,0,0,0,0,0,0,0 S 22,22 SN - 0",
    "kigogo 2,2,2,2,2,2,2,2,2,2,2,2/2,2,2,2,2,2,2,2,2,2,2,0/0,2,2,2,2,2,2,2,2,2,2,2/2,2,2,2,2,2,2,2,2,2,2,2 S 0",
    "kimasai 1,1,1,1,1,1,1,1,1,1,1,1/1,1,1,1,1,1,1,1,1,1,1,0/0,1,1,1,1,1,1,1,1,1,1,1/1,1,1,1,1,1,1,1,1,1,1,1 S 0",
];

#[test]
fn g6_the_starting_positions() {
    for (variant, text) in Variant::ALL.into_iter().zip(STARTS) {
        assert_eq!(text_of(&AnyPosition::start(variant)), text);
        assert!(position(text).same_state(&AnyPosition::start(variant)));
    }
}

#[test]
fn g6_variant_and_ply_may_be_left_out_and_are_always_written() {
    for (variant, text) in Variant::ALL.into_iter().zip(STARTS) {
        let (_, without_variant) = text.split_once(' ').expect("fields");
        let without_ply = text.strip_suffix(" 0").expect("a ply");
        let without_both = without_variant.strip_suffix(" 0").expect("a ply");
        for short in [without_variant, without_ply, without_both] {
            let setup = parse_setup(short, variant).unwrap_or_else(|e| panic!("{short}: {e}"));
            assert_eq!(position_text(&setup).to_string(), text);
        }
    }
    let with_ply = parse_setup(&STARTS[1].replace("S 0", "N 17"), Variant::Kigogo).expect("a position");
    assert_eq!((with_ply.side, with_ply.ply), (Side::North, 17));
}

#[test]
fn g6_another_variant_than_the_sessions_is_refused() {
    for (variant, text) in Variant::ALL.into_iter().zip(STARTS) {
        for session in Variant::ALL.into_iter().filter(|&s| s != variant) {
            let error = text_error(text, session);
            assert_eq!((error.text.as_str(), error.column), (variant.name(), 1));
            assert!(error.expected.starts_with(session.name()), "{error}");
        }
    }
    for wrong in ["Kigogo", "bao", "KIGOGO"] {
        let error = text_error(&STARTS[1].replace("kigogo", wrong), Variant::Kigogo);
        assert_eq!((error.text.as_str(), error.column), (wrong, 1));
    }
}

#[test]
fn g6_every_malformed_field_is_named_with_its_column_and_what_was_expected() {
    let refused = |text: &str, found: &str, column: usize, expected: &str| {
        let error = text_error(text, Variant::Kiswahili);
        assert_eq!((error.text.as_str(), error.column), (found, column), "{text}: {error}");
        assert!(error.expected.contains(expected), "{text}: {error}");
    };
    let zeros = "0,0,0,0,0,0,0,0";
    let rows = format!("{zeros}/{zeros}/{zeros}/{zeros}");
    assert_eq!(rows.len(), 63);
    let at_side = 65;
    refused("", "", 1, "a position");
    refused("   ", "", 4, "a position");
    refused("kiswahili", "", 10, "four rows");
    // Rows: too few, too many, too short, too long, no number, an empty one.
    refused(&format!("{zeros}/{zeros}/{zeros} S 0,0 - -"), &format!("{zeros}/{zeros}/{zeros}"), 1, "four rows");
    refused(&format!("{rows}/{zeros} S 0,0 - -"), zeros, 65, "four rows");
    refused(&format!("{rows}/ S 0,0 - -"), &format!("{rows}/"), 1, "four rows");
    refused(&format!("{zeros}/0,0,0,0,0,0,0/{zeros}/{zeros} S 0,0 - -"), "0,0,0,0,0,0,0", 17, "8 counts");
    refused(&format!("{zeros}/{zeros},7/{zeros}/{zeros} S 0,0 - -"), "7", 33, "8 counts");
    refused(&format!("{zeros}/{zeros},/{zeros}/{zeros} S 0,0 - -"), &format!("{zeros},"), 17, "8 counts");
    for bad in ["x", "-1", "+1", "256", "01", "1.5", "99999999999999999999"] {
        refused(&format!("0,{bad},0,0,0,0,0,0/{zeros}/{zeros}/{zeros} S 0,0 - -"), bad, 3, "number of seeds");
    }
    refused(&format!("0,,0,0,0,0,0,0/{zeros}/{zeros}/{zeros} S 0,0 - -"), "0,,0,0,0,0,0,0", 1, "number of seeds");
    // Side.
    refused(&rows, "", 64, "S or N");
    for bad in ["s", "n", "X", "SN", "South"] {
        refused(&format!("{rows} {bad} 0,0 - -"), bad, at_side, "S or N");
    }
    // Reserves.
    refused(&format!("{rows} S"), "", 66, "reserves");
    refused(&format!("{rows} S 22 SN -"), "22", 67, "reserves");
    refused(&format!("{rows} S ,22 SN -"), ",22", 67, "reserves");
    refused(&format!("{rows} S 22, SN -"), "22,", 67, "reserves");
    refused(&format!("{rows} S 2,x SN -"), "x", 69, "reserves");
    refused(&format!("{rows} S 1,2,3 SN -"), "2,3", 69, "reserves");
    // Houses.
    refused(&format!("{rows} S 0,0"), "", 70, "houses");
    for bad in ["NS", "sn", "0", "--"] {
        refused(&format!("{rows} S 0,0 {bad} -"), bad, 71, "houses");
    }
    // Takasia.
    refused(&format!("{rows} S 0,0 -"), "", 72, "takasia");
    for bad in ["A9", "c1", "A", "A0", "a01", "x"] {
        refused(&format!("{rows} S 0,0 - {bad}"), bad, 73, "takasia");
    }
    // Ply and the end.
    for bad in ["x", "-1", "00", "4294967296"] {
        refused(&format!("{rows} S 0,0 - - {bad}"), bad, 75, "plies");
    }
    refused(&format!("{rows} S 0,0 - - 0 more"), "more", 77, "the end");
}

#[test]
fn g6_columns_count_characters_and_messages_quote_the_field() {
    let error = text_error("é,0", Variant::Kigogo);
    assert_eq!((error.text.as_str(), error.column), ("é", 1));
    let error = text_error("kigogo é,ü", Variant::Kigogo);
    assert_eq!((error.text.as_str(), error.column), ("é", 8));
    assert!(error.to_string().starts_with("\"é\" at column 8 of the position, expected "), "{error}");
    let error = text_error("kigogo", Variant::Kigogo);
    assert!(error.to_string().starts_with("nothing at column 7 of the position, expected "), "{error}");
}

#[test]
fn g6_kigogo_and_kimasai_have_twelve_columns_and_no_further_fields() {
    let eight = "0,0,0,0,0,0,0,0";
    let error = text_error(&format!("{eight}/{eight}/{eight}/{eight} S 0"), Variant::Kigogo);
    assert_eq!((error.text.as_str(), error.column), (eight, 1));
    let error = text_error(&kimasai("A1 a1", "S 0,0 - - 0"), Variant::Kimasai);
    assert_eq!(error.text, "0,0");
    let error = text_error(&kigogo("A1=2 a1=2", "S 0 0"), Variant::Kigogo);
    assert_eq!((error.text.as_str(), error.expected.as_str()), ("0", "the end of the position"));
}

#[test]
fn g6_a_takasia_pit_of_the_back_row_can_be_written_but_not_be_valid() {
    let error = setup_error(&kiswahili("A1=2 a1=2 B3=2", "S 0,0 - B3 0"));
    assert_takasia_error(error, Side::South, pit(Row::Back, 3), "NotFrontOfMover");
}

// G6: validity.

#[test]
fn g6_no_side_holds_more_than_at_the_start() {
    assert_eq!(text_of(&position(&kigogo("A1=46 a1=46", "S 0"))), kigogo("A1=46 a1=46", "S 0"));
    let south = SetupError::TooManySeeds { side: Side::South, seeds: 47, max: 46 };
    assert_eq!(setup_error(&kigogo("A1=40 B3=7 a1=1", "S 0")), south);
    let north = SetupError::TooManySeeds { side: Side::North, seeds: 255, max: 46 };
    assert_eq!(setup_error(&kigogo("A1=1 a1=255", "S 0")), north);

    let ring: String = (1..=12).map(|n| format!("a{n} b{n} ")).collect();
    let error = SetupError::TooManySeeds { side: Side::North, seeds: 24, max: 23 };
    assert_eq!(setup_error(&kimasai(&format!("{ring} A1"), "S 0")), error);
    let ring = ring.to_uppercase();
    let error = SetupError::TooManySeeds { side: Side::South, seeds: 24, max: 23 };
    assert_eq!(setup_error(&kimasai(&format!("{ring} a1"), "S 0")), error);
}

#[test]
fn g6_kimasai_pits_hold_0_or_1() {
    let error = SetupError::CrowdedPit { side: Side::South, pit: front(3), count: 2 };
    assert_eq!(setup_error(&kimasai("A3=2 a1", "S 0")), error);
}

#[test]
fn g6_kiswahili_holds_64_seeds_at_most_and_22_in_a_reserve() {
    position(&kiswahili("A1=62 a1=2", "S 0,0 - - 0"));
    position(&kiswahili("A1=18 a1=2", "S 22,22 - - 0"));
    let error = SetupError::TooManySeedsInAll { seeds: 65, max: 64 };
    assert_eq!(setup_error(&kiswahili("A1=63 a1=2", "S 0,0 - - 0")), error);
    assert_eq!(setup_error(&kiswahili("A1=19 a1=2", "S 22,22 - - 0")), error);
    let error = SetupError::ReserveTooLarge { side: Side::South, seeds: 23, max: 22 };
    assert_eq!(setup_error(&kiswahili("A1=2 a1=2", "S 23,0 - - 0")), error);
    let error = SetupError::ReserveTooLarge { side: Side::North, seeds: 23, max: 22 };
    assert_eq!(setup_error(&kiswahili("A1=2 a1=2", "S 0,23 - - 0")), error);
}

#[test]
fn g6_the_wrong_variant_and_foreign_fields_are_refused() {
    let of = Setup::empty;
    let wrong = |expected, found| SetupError::WrongVariant { expected, found };
    assert_eq!(Kigogo::from_setup(&of(Variant::Kimasai)).err(), Some(wrong(Variant::Kigogo, Variant::Kimasai)));
    assert_eq!(Kimasai::from_setup(&of(Variant::Kiswahili)).err(), Some(wrong(Variant::Kimasai, Variant::Kiswahili)));
    assert_eq!(Kiswahili::from_setup(&of(Variant::Kigogo)).err(), Some(wrong(Variant::Kiswahili, Variant::Kigogo)));
    for variant in [Variant::Kigogo, Variant::Kimasai] {
        let foreign: [fn(&mut Setup); 3] = [
            |s| s.reserves[1] = 1,
            |s| s.houses[0] = true,
            |s| s.takasia = Pit::new(Row::Front, 1).map(|p| (s.side, p)),
        ];
        for change in foreign {
            let mut setup = of(variant);
            change(&mut setup);
            assert_eq!(AnyPosition::from_setup(&setup).err(), Some(SetupError::NotPlain { variant }));
        }
    }
}

#[track_caller]
fn takasia_refused(pits: &str, rest: &str, side: Side, number: u8, why: &str) {
    assert_takasia_error(setup_error(&kiswahili(pits, rest)), side, front(number), why);
}

/// `expected` is the name of the reason, a variant of `TakasiaError`.
#[track_caller]
fn assert_takasia_error(error: SetupError, owner: Side, named: Pit, expected: &str) {
    let SetupError::Takasia { side, pit, why } = error else { panic!("{error:?}") };
    assert_eq!((side, pit, format!("{why:?}").as_str()), (owner, named, expected));
}

/// South aims at a2 alone (A4's three reach A7), North captures nothing, no exception of rule S8 applies.
const BLOCKED_A2: &str = "a6=2 a4=1 a2=2 A4=3 A7=1";

#[test]
fn g6_a_takasia_that_s8_could_have_set_is_valid() {
    let text = kiswahili(BLOCKED_A2, "N 0,0 - a2 1");
    assert_eq!(text_of(&position(&text)), text);
}

#[test]
fn g6_takasia_must_be_an_occupied_front_pit_of_the_side_to_move() {
    takasia_refused(BLOCKED_A2, "N 0,0 - A7 1", Side::South, 7, "NotFrontOfMover");
    takasia_refused(BLOCKED_A2, "S 0,0 - a2 1", Side::North, 2, "NotFrontOfMover");
    takasia_refused(BLOCKED_A2, "N 0,0 - a3 1", Side::North, 3, "Empty");
}

#[test]
fn g6_takasia_needs_both_reserves_empty() {
    takasia_refused(BLOCKED_A2, "N 1,0 - a2 1", Side::North, 2, "ReservesLeft");
    takasia_refused(BLOCKED_A2, "N 0,1 - a2 1", Side::North, 2, "ReservesLeft");
}

#[test]
fn g6_takasia_is_refused_if_the_side_to_move_has_a_capture() {
    // a6's two reach a4, which now faces a seed in A5.
    takasia_refused(&format!("{BLOCKED_A2} A5=1"), "N 0,0 - a2 1", Side::North, 2, "MoverCaptures");
}

#[test]
fn g6_takasia_must_be_the_only_target() {
    takasia_refused(BLOCKED_A2, "N 0,0 - a6 1", Side::North, 6, "NotOnlyTarget");
    // No capture of South at all.
    takasia_refused("a6=2 a4=1 a2=2 A4=2 A7=1", "N 0,0 - a2 1", Side::North, 2, "NotOnlyTarget");
    // Two targets: B1's three reach A3, which faces a6.
    let two = format!("{BLOCKED_A2} A3=1 B1=3");
    takasia_refused(&two, "N 0,0 - a2 1", Side::North, 2, "NotOnlyTarget");
}

#[test]
fn g6_takasia_is_refused_where_an_exception_of_s8_applies() {
    let why = "Exempt";
    // The only occupied front pit; the only one with two or more; the functional house.
    takasia_refused("a2=1 b5=2 A4=3 A7=1", "N 0,0 - a2 1", Side::North, 2, why);
    takasia_refused("a6=1 a2=2 A4=3 A7=1", "N 0,0 - a2 1", Side::North, 2, why);
    takasia_refused("a5=6 a8=2 A2=2 A4=1", "N 0,0 N a5 1", Side::North, 5, why);
    position(&kiswahili("a5=6 a8=2 A2=2 A4=1", "N 0,0 S a5 1"));
}

#[test]
fn g6_errors_tell_the_pit_and_the_numbers() {
    let message = |text: &str| setup_error(text).to_string();
    assert_eq!(message(&kimasai("A1 b7=2", "S 0")), "b7 holds 2 seeds, expected 0 or 1");
    assert_eq!(
        message(&kigogo("A1=47 a1=1", "S 0")),
        "South holds 47 seeds, expected at most 46, the number at the start"
    );
    assert_eq!(message(&kiswahili("A1=2 a1=2", "S 0,23 - - 0")), "the reserve of North is 23, expected at most 22");
    assert_eq!(message(&kiswahili(BLOCKED_A2, "N 0,0 - a3 1")), "a3 cannot be takasiaed: the pit is empty");
}

// G6: valid and over.

#[test]
fn g6_a_position_in_which_the_side_to_move_cannot_move_is_valid_and_over() {
    assert_over(&kimasai("a1", "S 3"), win(Side::North, EndReason::NoSeeds));
    assert_over(&kimasai("A1", "N 3"), win(Side::South, EndReason::NoSeeds));
    assert_over(&kigogo("a1=1", "S 3"), win(Side::North, EndReason::NoSeeds));
    assert_over(&kiswahili("A3=1 B3=1 a1=1", "S 0,4 - - 3"), win(Side::North, EndReason::Immobile));
    assert_over(&kiswahili("B3=5 a1=1", "S 4,4 - - 3"), win(Side::North, EndReason::FrontRowEmpty));
}

#[test]
fn g6_if_the_side_not_to_move_has_no_seeds_at_all_the_side_to_move_has_won() {
    assert_over(&kigogo("A1=2", "S 0"), win(Side::South, EndReason::NoSeeds));
    assert_over(&kimasai("b1", "N 0"), win(Side::North, EndReason::NoSeeds));
    assert_over(&kiswahili("A1=2", "S 0,0 - - 0"), win(Side::South, EndReason::NoSeeds));
    assert_over(&kiswahili("A1=2", "S 3,0 - - 0"), win(Side::South, EndReason::NoSeeds));
}

#[test]
fn g6_a_reserve_or_a_back_row_keeps_the_game_going() {
    assert!(!legal(&kiswahili("A3=2", "S 0,1 - - 0")).is_empty());
    assert!(!legal(&kiswahili("A3=2 b4=1", "S 0,0 - - 0")).is_empty());
    // The mover wins after his first lap by S7a: A4, A5.
    let after = kiswahili("A4=1 A5=1 b4=1", "N 0,0 - - 1");
    let outcome = win(Side::South, EndReason::FrontRowEmpty);
    assert_ends(&kiswahili("A3=2 b4=1", "S 0,0 - - 0"), "A3R", &after, outcome);
}

// G7 and S9: move text.

#[test]
fn g7_a_token_is_a_pit_in_the_movers_case() {
    for (text, token) in [(kigogo("A7=2 a1=2", "S 0"), "A7"), (kigogo("A1=2 b12=2", "N 0"), "b12")] {
        let position = position(&text);
        let m = a_move(token, &position);
        assert!(position.is_legal(m));
        assert_eq!(move_text(m, position.side_to_move()).to_string(), token);
    }
}

#[track_caller]
fn move_refused(token: &str, position: &AnyPosition) -> MoveTextError {
    parse_move(token, position).expect_err(token)
}

#[test]
fn g7_the_wrong_case_is_refused() {
    for variant in Variant::ALL {
        let start = AnyPosition::start(variant);
        let tail = if variant.has_reserves() { "R" } else { "" };
        let token = format!("a6{tail}");
        let error = MoveTextError::WrongSide { text: token.clone(), mover: Side::South };
        assert_eq!(move_refused(&token, &start), error);
        assert_eq!(error.to_string(), format!("\"{token}\" is a pit of North, expected a move of South"));
    }
    let north = position(&kigogo("A1=2 a1=2", "N 0"));
    let error = MoveTextError::WrongSide { text: "A1".to_owned(), mover: Side::North };
    assert_eq!(move_refused("A1", &north), error);
}

#[test]
fn g7_what_is_no_pit_is_refused() {
    let start = AnyPosition::start(Variant::Kigogo);
    for token in ["", "C3", "7", " A7", "-", "é1"] {
        let error = MoveTextError::Row { text: token.to_owned(), mover: Side::South };
        assert_eq!(move_refused(token, &start), error);
    }
    for token in ["A", "A0", "A13", "A07", "A999", "A-1", "A+1", "Ax"] {
        let error = MoveTextError::Number { text: token.to_owned(), columns: 12 };
        assert_eq!(move_refused(token, &start), error);
    }
    for (token, rest) in [("A7R", "R"), ("A7*", "*"), ("A7 ", " "), ("A7>", ">")] {
        let error = move_refused(token, &start);
        assert!(matches!(&error, MoveTextError::Trailing { rest: r, .. } if r == rest), "{error}");
    }
    let start = AnyPosition::start(Variant::Kiswahili);
    let error = MoveTextError::Number { text: "A9L".to_owned(), columns: 8 };
    assert_eq!(move_refused("A9L", &start), error);
}

#[test]
fn s9_a_trailing_star_is_ignored() {
    let start = AnyPosition::start(Variant::Kiswahili);
    assert_eq!(a_move("A6L*", &start), a_move("A6L", &start));
    assert_eq!(a_move("A6L>*", &start), a_move("A6L>", &start));
    for token in ["A6L**", "A6*L", "A6L*>", "A6l", "A6LR", "A6L>>", "A6Lx"] {
        move_refused(token, &start);
    }
}

#[test]
fn s9_the_letter_may_be_left_out_in_a_namua_capture_from_the_outer_pits() {
    // All front pits of both sides stand against each other.
    let all: String = (1..=8).map(|n| format!("A{n}=1 a{n}=1 ")).collect();
    let namua = position(&kiswahili(&all, "S 5,5 - - 0"));
    for (short, long) in [("A1", "A1L"), ("A2", "A2L"), ("A7", "A7R"), ("A8", "A8R"), ("A8>", "A8R>"), ("A1>*", "A1L>")]
    {
        assert_eq!(a_move(short, &namua), a_move(long, &namua), "{short}");
    }
    for token in ["A3", "A4", "A5", "A6", "B1", "B8"] {
        assert_eq!(move_refused(token, &namua), MoveTextError::Hand { text: token.to_owned() });
    }
    let north = position(&kiswahili(&all, "N 5,5 - - 0"));
    assert_eq!(a_move("a7", &north), a_move("a7R", &north));
}

#[test]
fn s9_the_letter_may_not_be_left_out_in_any_other_move() {
    let takata = position(&kiswahili("A1=2 A7=2 a8=0 a3=1", "S 5,5 - - 0"));
    let mtaji = position(&kiswahili("A1=2 A7=2 A3=1 a6=1", "S 0,0 - - 0"));
    for position in [takata, mtaji] {
        for token in ["A1", "A7", "A8>"] {
            assert_eq!(move_refused(token, &position), MoveTextError::Hand { text: token.to_owned() });
        }
    }
}

#[test]
fn g7_a_well_formed_illegal_move_is_read_and_then_refused() {
    let start = position(STARTS[0]);
    let m = a_move("A1L", &start);
    assert!(!start.is_legal(m));
    let mut played = start.clone();
    let message = played.play(m).expect_err("illegal").to_string();
    assert_eq!(message, "not a legal move of kiswahili in this position");
    assert!(played.same_state(&start));
    assert_after(STARTS[0], "A6R", &kiswahili("A5=6 A7=3 A8=1 B8=1 a5=6 a6=2 a7=2", "N 21,22 SN - 1"));
}
