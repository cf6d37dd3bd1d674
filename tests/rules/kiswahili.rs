//! Rules S1 to S12 clause by clause, on boards made by hand.
//!
//! Most boards hold a lone seed in `a1` (it faces `A8`, mostly empty): it keeps North's front row occupied, so that rule
//! S7a does not end the move before the clause in question.

use crate::assertions::{
    a_move, assert_after, assert_ends, assert_legal, assert_over, kiswahili, laps, legal, position, record, text_of,
    win,
};
use kete::game::{AnyPosition, EndReason, GameRecord, GameResult, Kiswahili, MAX_LAPS, Position, Side, Variant};

/// South to move in mtaji, nobody owning a house. North also has two seeds in `b4`: he can move, but reach no front pit.
fn mtaji(pits: &str) -> String {
    kiswahili(&format!("{pits} b4=2"), "S 0,0 - - 0")
}

/// The same, North to move one ply later.
fn then(pits: &str) -> String {
    kiswahili(&format!("{pits} b4=2"), "N 0,0 - - 1")
}

#[test]
fn s1_the_start() {
    let start = AnyPosition::start(Variant::Kiswahili);
    assert_eq!(text_of(&start), kiswahili("A5=6 A6=2 A7=2 a5=6 a6=2 a7=2", "S 22,22 SN - 0"));
    assert_eq!(Side::ALL.map(|side| Kiswahili::start().seeds(side)), [32, 32]);
    assert_legal(&text_of(&start), "A6L A6R A7L A7R");
}

#[test]
fn s1_captured_seeds_are_sown_again() {
    let before = kiswahili("A3=1 a6=2 a1=1", "S 5,5 - - 0");
    let record = record(&before, "A3L");
    let total = |p: &AnyPosition| p.seeds(Side::South) + p.seeds(Side::North);
    assert_eq!(total(record.position()), total(&position(&before)));
    assert_eq!(record.position().seeds(Side::North), 6);
}

#[test]
fn s2_a_house_is_functional_from_six_seeds_on() {
    // With a functional house the singles may be played and the house may not (S5); with five it is like any pit.
    assert_legal(&kiswahili("A5=6 A3=1 a1=1", "S 5,5 S - 0"), "A3L A3R");
    assert_legal(&kiswahili("A5=5 A3=1 a1=1", "S 5,5 S - 0"), "A5L A5R");
    assert_legal(&kiswahili("A5=6 A3=1 a1=1", "S 5,5 N - 0"), "A5L A5R");
}

#[test]
fn s2_a_lifted_house_is_owned_no_more() {
    let before = kiswahili("A5=3 a1=1 b4=2", "S 0,0 SN - 0");
    assert_after(&before, "A5R", &kiswahili("A6=1 A7=1 A8=1 a1=1 b4=2", "N 0,0 N - 1"));
}

#[test]
fn s2_a_captured_house_is_owned_no_more() {
    // A4 faces a5. Its two go into A1 and A2.
    let before = kiswahili("A4=1 a5=2 a1=1", "S 5,5 SN - 0");
    assert_after(&before, "A4L", &kiswahili("A1=1 A2=1 A4=2 a1=1", "N 4,5 S - 1"));
}

#[test]
fn s3_the_movers_own_reserve_settles_the_stage() {
    // A3 faces a6: a capture in namua, while in mtaji no lap ends there.
    assert_legal(&kiswahili("A3=1 A1=3 a6=1 a1=1", "S 1,0 - - 0"), "A3L A3R");
    assert_legal(&kiswahili("A3=1 A1=3 a6=1 a1=1", "S 0,1 - - 0"), "A1L A1R");
}

#[test]
fn s3_plies_1_to_44_are_namua() {
    let mut record = GameRecord::of_variant(Variant::Kiswahili);
    for ply in 0..44 {
        let setup = record.position().to_setup();
        assert!(setup.reserves[setup.side.index()] > 0, "ply {ply}");
        let moves = record.legal_moves();
        assert!(!moves.is_empty(), "this game is longer");
        record.play(moves[ply * 7 % moves.len()]).expect("legal");
    }
    assert_eq!(record.position().to_setup().reserves, [0, 0]);
}

#[test]
fn s4_a_capture_is_compulsory() {
    // A1 and A2 stand too, but only A3 faces an occupied pit.
    assert_legal(&kiswahili("A1=2 A2=4 A3=1 a6=1 a1=1", "S 5,5 - - 0"), "A3L A3R");
}

#[test]
fn s4_outer_pits_have_one_kichwa_and_inner_pits_the_choice() {
    let before = kiswahili("A1=1 A2=1 A3=1 A6=1 A7=1 A8=1 a8=1 a7=1 a6=1 a3=1 a2=1 a1=1", "S 5,5 - - 0");
    assert_legal(&before, "A1L A2L A3L A3R A6L A6R A7R A8R");
    assert_legal(&kiswahili("A4=1 A5=1 a5=1 a4=1", "S 5,5 - - 0"), "A4L A4R A5L A5R");
}

#[test]
fn s4_captured_seeds_start_at_the_chosen_kichwa() {
    let before = kiswahili("A3=1 a6=2 a1=1", "S 5,5 - - 0");
    assert_after(&before, "A3L", &kiswahili("A1=1 A2=1 A3=2 a1=1", "N 4,5 - - 1"));
    assert_after(&before, "A3R", &kiswahili("A3=2 A7=1 A8=1 a1=1", "N 4,5 - - 1"));
    // From A2 rightwards: A1, A2 (3 with the reserve seed), and a relay of three: A3, A4, A5.
    let before = kiswahili("A2=1 a7=2 a1=1", "S 5,5 - - 0");
    assert_after(&before, "A2L", &kiswahili("A1=1 A3=1 A4=1 A5=1 a1=1", "N 4,5 - - 1"));
    // From A7 leftwards: A8, A7 (3), relay A6, A5, A4.
    let before = kiswahili("A7=1 a2=2 a8=1", "S 5,5 - - 0");
    assert_after(&before, "A7R", &kiswahili("A8=1 A6=1 A5=1 A4=1 a8=1", "N 4,5 - - 1"));
}

#[test]
fn s5_with_a_functional_house_any_other_front_pit() {
    assert_legal(&kiswahili("A1=2 A3=1 A5=6 B2=5 a1=1", "S 5,5 S - 0"), "A1L A1R A3L A3R");
}

#[test]
fn s5_the_functional_house_alone_pays_a_tax_of_two_and_stays_owned() {
    let before = kiswahili("A5=6 B2=5 a1=1", "S 5,5 S - 0");
    assert_legal(&before, "A5L A5R");
    assert_after(&before, "A5R", &kiswahili("A5=5 A6=1 A7=1 B2=5 a1=1", "N 4,5 S - 1"));
    assert_after(&before, "A5L", &kiswahili("A5=5 A4=1 A3=1 B2=5 a1=1", "N 4,5 S - 1"));
}

#[test]
fn s5_without_one_the_pits_with_two_or_more() {
    assert_legal(&kiswahili("A1=2 A3=1 A5=5 a1=1", "S 5,5 S - 0"), "A1L A1R A5L A5R");
    assert_legal(&kiswahili("A3=1 A5=6 a1=1", "S 5,5 - - 0"), "A5L A5R");
}

#[test]
fn s5_without_those_any_occupied_front_pit() {
    assert_legal(&kiswahili("A3=1 A6=1 B2=5 a1=1", "S 5,5 - - 0"), "A3L A3R A6L A6R");
}

#[test]
fn s5_a_house_that_was_not_functional_before_is_lifted_whole() {
    // Five and the reserve seed are six: A6, A7, A8, B8, B7, B6.
    let before = kiswahili("A5=5 a1=1", "S 5,5 S - 0");
    assert_after(&before, "A5R", &kiswahili("A6=1 A7=1 A8=1 B8=1 B7=1 B6=1 a1=1", "N 4,5 - - 1"));
}

#[test]
fn s5_the_reserve_seed_is_sown_with_the_pit() {
    assert_after(&kiswahili("A3=2 a1=1", "S 5,5 - - 0"), "A3R", &kiswahili("A4=1 A5=1 A6=1 a1=1", "N 4,5 - - 1"));
}

#[test]
fn s6_exactly_the_first_laps_that_end_in_an_occupied_pit_facing_an_occupied_one_capture() {
    // A2's two reach A4, which faces a5. B1's five reach A5, which is empty.
    assert_legal(&mtaji("A2=2 A4=1 B1=5 a5=1 a1=1"), "A2R");
    // The last pit is empty: no capture, though a5 faces it.
    assert_legal(&mtaji("A2=2 a5=1 a1=1"), "A2L A2R");
    // The facing pit is empty.
    assert_legal(&mtaji("A2=2 A4=1 a1=1"), "A2L A2R");
}

#[test]
fn s6_back_pits_capture_too() {
    // By the ring B1, A1, A2, A3: on the back row the hand moves left (S9).
    let before = mtaji("B1=3 A3=1 a6=1 a1=1");
    assert_legal(&before, "B1L");
    // A1, A2, A3 (2) takes a6's one into A1 (2), relay A2 (2), A3 (3), relay A4, A5, A6.
    assert_after(&before, "B1L", &then("A2=2 A4=1 A5=1 A6=1 a1=1"));
}

#[test]
fn s6_a_single_seed_neither_captures_nor_moves() {
    // A2 stands beside A3, which faces a6.
    assert_over(&mtaji("A2=1 A3=1 a6=1"), win(Side::North, EndReason::Immobile));
}

#[test]
fn s6_fifteen_seeds_capture_and_sixteen_do_not() {
    // 15 from A4 rightwards end in A3, which faces a6; leftwards in A5, which is empty.
    assert_legal(&mtaji("A4=15 A3=1 a6=1 a1=1"), "A4R");
    // 17 from A4 rightwards end in A5, which faces a4: a takata, either way.
    assert_legal(&mtaji("A4=17 A5=1 a4=1 a1=1"), "A4L A4R");
    // 16 end in A4 itself, which faces a5 but was emptied.
    assert_legal(&mtaji("A4=16 A7=2 a5=1 a1=1"), "A4L A4R A7L A7R");
}

#[test]
fn s6_takata_from_the_front_row_before_the_back_row() {
    assert_legal(&mtaji("A3=2 A6=1 B3=2 a1=1"), "A3L A3R");
    assert_legal(&mtaji("A3=1 B3=2 B5=1 a1=1"), "B3L B3R");
}

#[test]
fn s6_the_house_may_be_sown_whole() {
    let before = kiswahili("A5=6 A3=2 a1=1 b4=2", "S 0,0 S - 0");
    assert_legal(&before, "A3L A3R A5L A5R");
    assert_after(&before, "A5R", &kiswahili("A3=2 A6=1 A7=1 A8=1 B8=1 B7=1 B6=1 a1=1 b4=2", "N 0,0 - - 1"));
}

#[test]
fn s6_counts_are_those_before_the_move() {
    // Sixteen seeds end in the starting pit, emptied before: the move ends there.
    let all: String = (1..=8).map(|n| format!("A{n}=1 B{n}=1 ")).collect();
    assert_after(&mtaji("A4=16 a5=1"), "A4R", &then(&(all + "a5=1")));
}

#[test]
fn s7_the_movers_own_pit_keeps_its_seeds_and_the_direction_is_kept_in_the_middle() {
    // R: A3, A4 (2) takes a5's two: A1, A2.
    assert_after(&mtaji("A2=2 A4=1 a5=2 a1=1"), "A2R", &then("A1=1 A2=1 A3=1 A4=2 a1=1"));
    // L: A5, A4 (2) takes a5's two: A8, A7.
    assert_after(&mtaji("A6=2 A4=1 a5=2 a8=1"), "A6L", &then("A4=2 A5=1 A7=1 A8=1 a8=1"));
}

#[test]
fn s7_at_pits_1_and_2_the_seeds_go_right_from_the_left_kichwa() {
    // L: A3, A2 (2) takes a7's two: A1, A2 (3); now rightwards A3 (2), A4, A5.
    assert_after(&mtaji("A4=2 A2=1 a7=2 a1=1"), "A4L", &then("A1=1 A3=2 A4=1 A5=1 a1=1"));
    // L: A2, A1 (2) takes a8's one: A1 (3); relay rightwards A2 (2), A3, A4.
    assert_after(&mtaji("A3=2 A1=1 a8=1 a1=1"), "A3L", &then("A2=2 A3=1 A4=1 a1=1"));
}

#[test]
fn s7_at_pits_7_and_8_the_seeds_go_left_from_the_right_kichwa() {
    // R: A6, A7 (2) takes a2's two: A8, A7 (3); now leftwards A6 (2), A5, A4.
    assert_after(&mtaji("A5=2 A7=1 a2=2 a8=1"), "A5R", &then("A8=1 A6=2 A5=1 A4=1 a8=1"));
    // R: A7, A8 (2) takes a1's one: A8 (3); relay leftwards A7 (2), A6, A5.
    assert_after(&mtaji("A6=2 A8=1 a1=1 a8=1"), "A6R", &then("A7=2 A6=1 A5=1 a8=1"));
}

#[test]
fn s7a_the_mover_wins_at_once_when_the_opponents_front_row_is_empty() {
    // The lap ends in A1 (3), from where a relay would go on.
    let before = kiswahili("A1=2 A3=1 a6=1 b1=5", "S 5,5 - - 0");
    let after = kiswahili("A1=3 A3=2 b1=5", "N 4,5 - - 1");
    assert_ends(&before, "A3L", &after, win(Side::South, EndReason::FrontRowEmpty));
}

#[test]
fn s7a_an_empty_front_row_ends_a_takata_after_its_first_lap() {
    // Rule G6: only by hand, and not over before the move.
    let before = mtaji("A3=2 A5=1 b1=5");
    assert_legal(&before, "A3L A3R");
    assert_ends(&before, "A3R", &then("A4=1 A5=2 b1=5"), win(Side::South, EndReason::FrontRowEmpty));
    assert_eq!(laps(&before, "A3R"), 1);
}

#[test]
fn s7b_an_empty_last_pit_ends_the_move_even_before_an_occupied_pit() {
    // a5's one falls into the empty A1, which faces a8.
    assert_after(&mtaji("A2=2 A4=1 a5=1 a8=3"), "A2R", &then("A1=1 A3=1 A4=2 a8=3"));
}

#[test]
fn s7c_a_capture_move_captures_again_and_between_relays() {
    // A3, A4 (2) takes a5's three: A1, A2, A3 (2) takes a6's one: A1 (2), relay A2 (2), A3 (3), relay A4 (3), A5, A6.
    let before = mtaji("A2=2 A4=1 a5=3 a6=1 a1=1");
    assert_after(&before, "A2R", &then("A2=2 A4=3 A5=1 A6=1 a1=1"));
    assert_eq!(laps(&before, "A2R"), 5);
}

#[test]
fn s7c_a_takata_never_captures() {
    // A2, A3 (2), relay A4, A5 (2) which faces a4's two: no capture but a relay, A6, A7.
    let before = mtaji("A1=2 A3=1 A5=1 a4=2 a1=1");
    assert_legal(&before, "A1L A1R");
    let record = record(&before, "A1R");
    assert_eq!(text_of(record.position()), then("A2=1 A4=1 A6=1 A7=1 a4=2 a1=1"));
}

#[test]
fn s7c_a_relay_from_the_back_row_does_not_capture_there() {
    // A7, A8, B8 (2): the back row faces nothing; relay B7, B6.
    assert_after(
        &kiswahili("A6=2 B8=1 a8=1", "S 5,5 - - 0"),
        "A6R",
        &kiswahili("A7=1 A8=1 B7=1 B6=1 a8=1", "N 4,5 - - 1"),
    );
}

#[test]
fn s7d_a_namua_takata_ends_in_the_functional_house() {
    // A4, A5 (7).
    let before = kiswahili("A3=1 A5=6 a1=1", "S 5,5 S - 0");
    assert_after(&before, "A3R", &kiswahili("A4=1 A5=7 a1=1", "N 4,5 S - 1"));
}

#[test]
fn s7d_the_seed_just_dropped_counts() {
    // A3, A4, A5: five become six, functional.
    let before = kiswahili("A2=2 A5=5 a1=1", "S 5,5 S - 0");
    assert_after(&before, "A2R", &kiswahili("A3=1 A4=1 A5=6 a1=1", "N 4,5 S - 1"));
    // Four become five: lifted, A6, A7, A8, B8, B7, and owned no more.
    let before = kiswahili("A2=2 A5=4 a1=1", "S 5,5 S - 0");
    assert_after(&before, "A2R", &kiswahili("A3=1 A4=1 A6=1 A7=1 A8=1 B8=1 B7=1 a1=1", "N 4,5 - - 1"));
}

#[test]
fn s7d_a_namua_capture_may_stop_or_go_on_safari() {
    // a6's five: A1, A2, A3 (3), A4, A5 (7). Safari: A6, A7, A8, B8, B7, B6, B5.
    let before = kiswahili("A3=1 A5=6 a6=5 a1=1", "S 5,5 S - 0");
    assert_legal(&before, "A3L A3L> A3R");
    assert_after(&before, "A3L", &kiswahili("A1=1 A2=1 A3=3 A4=1 A5=7 a1=1", "N 4,5 S - 1"));
    let after = "A1=1 A2=1 A3=3 A4=1 A6=1 A7=1 A8=1 B8=1 B7=1 B6=1 B5=1 a1=1";
    assert_after(&before, "A3L>", &kiswahili(after, "N 4,5 - - 1"));
}

#[test]
fn s7d_a_house_that_is_not_owned_or_not_functional_leaves_no_choice() {
    assert_legal(&kiswahili("A3=1 A5=6 a6=5 a1=1", "S 5,5 - - 0"), "A3L A3R");
    // Four become five: lifted, A6, A7, A8, B8, B7.
    let before = kiswahili("A3=1 A5=4 a6=5 a1=1", "S 5,5 S - 0");
    assert_legal(&before, "A3L A3R");
    let after = "A1=1 A2=1 A3=3 A4=1 A6=1 A7=1 A8=1 B8=1 B7=1 a1=1";
    assert_after(&before, "A3L", &kiswahili(after, "N 4,5 - - 1"));
}

#[test]
fn s7c_comes_before_s7d() {
    // A1, A2, A3 (3), A4, A5 (7) takes a4's two: A1 (2), A2 (2), relay A3 (4), A4 (2), relay A5 (8), A6.
    let before = kiswahili("A3=1 A5=6 a6=5 a4=2 a1=1", "S 5,5 S - 0");
    assert!(!legal(&before).contains(&"A3L>".to_owned()));
    assert_after(&before, "A3L", &kiswahili("A1=2 A3=4 A5=8 A6=1 a1=1", "N 4,5 S - 1"));
}

#[test]
fn s7d_does_not_apply_in_mtaji() {
    // Takata: A4, A5 (7), lifted: A6, A7, A8, B8, B7, B6, B5.
    let before = kiswahili("A3=2 A5=6 a1=1 b4=2", "S 0,0 S - 0");
    let after = "A4=1 A6=1 A7=1 A8=1 B8=1 B7=1 B6=1 B5=1 a1=1 b4=2";
    assert_after(&before, "A3R", &kiswahili(after, "N 0,0 - - 1"));
    // Capture: B1's three end in A3 (2), a6's five in A5 (7): A6, A7, A8, B8, B7, B6, B5.
    let before = kiswahili("B1=3 A3=1 A5=6 a6=5 a1=1 b4=2", "S 0,0 S - 0");
    assert_legal(&before, "B1L");
    let after = "A1=2 A2=2 A3=3 A4=1 A6=1 A7=1 A8=1 B8=1 B7=1 B6=1 B5=1 a1=1 b4=2";
    assert_after(&before, "B1L", &kiswahili(after, "N 0,0 - - 1"));
}

/// South aims at a2 alone: A4's three reach A7. North's captures: none, for no lap ends in a2, and A5, which a4 faces, is
/// empty. Neither is a2 the only occupied front pit nor the only one with two.
const BLOCKED_A2: &str = "a6=2 a4=1 a2=2 A4=3 A7=1";

#[test]
fn s8_the_takasiaed_pit_is_no_start() {
    assert_legal(&kiswahili(BLOCKED_A2, "N 0,0 - a2 1"), "a6L a6R");
    assert_legal(&kiswahili(BLOCKED_A2, "N 0,0 - - 1"), "a2L a2R a6L a6R");
}

#[test]
fn s7e_a_takata_ends_in_the_takasiaed_pit() {
    // a5, a4 (2), relay a3, a2 (3): the end. South can capture (A4 to A7), so nothing of his is blocked.
    let before = kiswahili(BLOCKED_A2, "N 0,0 - a2 1");
    assert_after(&before, "a6L", &kiswahili("a5=1 a3=1 a2=3 A4=3 A7=1", "S 0,0 - - 2"));
    // Not blocked: a1, b1, b2.
    let before = kiswahili(BLOCKED_A2, "N 0,0 - - 1");
    assert_after(&before, "a6L", &kiswahili("a5=1 a3=1 a1=1 b1=1 b2=1 A4=3 A7=1", "S 0,0 - - 2"));
}

/// The only lap that ends in a takasiaed pit first is one of sixteen or more; fewer would be a capture.
const HOUSE_OF_19: &str = "a5=19 a2=1 A4=3 A7=1";

#[test]
fn s7e_not_in_the_first_lap_from_the_functional_house() {
    // a4 .. a1, b1 .. b8, a8 .. a5, a4, a3, a2 (3). On: a1 (2), b1, b2 (2); then two seeds from b2, b4, b6, b8, a7, a5 in
    // turn; a4 and a3 (3); from a3: a2, a1, b1 (3); from b1: b2, b3 (3), b4.
    let before = kiswahili(HOUSE_OF_19, "N 0,0 N a2 1");
    let after = "a8=2 a6=2 a4=3 a2=1 a1=3 b2=1 b3=3 b4=1 b5=2 b7=2 A4=3 A7=1";
    assert_after(&before, "a5L", &kiswahili(after, "S 0,0 - - 2"));
}

#[test]
fn s7e_ends_the_first_lap_from_a_pit_that_is_not_the_functional_house() {
    let before = kiswahili(HOUSE_OF_19, "N 0,0 - a2 1");
    let after = "a1=1 a2=3 a3=2 a4=2 a5=1 a6=1 a7=1 a8=1 b1=1 b2=1 b3=1 b4=1 b5=1 b6=1 b7=1 b8=1 A4=3 A7=1";
    assert_after(&before, "a5L", &kiswahili(after, "S 0,0 - - 2"));
}

#[test]
fn s7f_a_relay_keeps_the_direction() {
    // L: A3, A2 (3), relay A1, B1, B2.
    assert_after(&mtaji("A4=2 A2=2 a1=1"), "A4L", &then("A3=1 A1=1 B1=1 B2=1 a1=1"));
}

/// A6L sows A5 and A4; then A2's two reach A4, which faces a5. Before it South has no capture, for A4 is empty.
fn after_aiming_at_a5(north: &str, houses: &str) -> String {
    let before = kiswahili(&format!("A2=2 A6=2 {north}"), &format!("S 0,0 {houses} - 0"));
    assert_legal(&before, "A2L A2R A6L A6R");
    let takasia = text_of(record(&before, "A6L").position());
    let [.., takasia, _ply] = takasia.split(' ').collect::<Vec<_>>()[..] else { panic!("{takasia}") };
    takasia.to_owned()
}

#[test]
fn s8_the_one_target_is_takasiaed() {
    assert_after(&mtaji("A2=2 A6=2 a5=2 a8=2"), "A6L", &kiswahili("A2=2 A4=1 A5=1 a5=2 a8=2 b4=2", "N 0,0 - a5 1"));
}

#[test]
fn s8_a_single_seed_can_be_takasiaed() {
    assert_eq!(after_aiming_at_a5("a5=1 a8=2", "-"), "a5");
    assert_eq!(after_aiming_at_a5("a5=1 a8=1 b6=2", "-"), "a5");
}

#[test]
fn s8_not_the_functional_house() {
    assert_eq!(after_aiming_at_a5("a5=6 a8=2", "N"), "-");
    assert_eq!(after_aiming_at_a5("a5=5 a8=2", "N"), "a5");
    assert_eq!(after_aiming_at_a5("a5=6 a8=2", "S"), "a5");
}

#[test]
fn s8_not_the_only_occupied_front_pit() {
    assert_eq!(after_aiming_at_a5("a5=1 b6=2", "-"), "-");
}

#[test]
fn s8_not_the_only_front_pit_with_two_or_more() {
    assert_eq!(after_aiming_at_a5("a5=2 a8=1", "-"), "-");
    assert_eq!(after_aiming_at_a5("a5=2 a8=2", "-"), "a5");
}

#[test]
fn s8_not_with_two_targets() {
    // A6L: A5, A4, A3. A2's two reach A4 (a5); B2's four reach A3 (a6).
    let aim = |back: &str| mtaji(&format!("A2=2 A6=3 {back} a5=1 a6=1 a1=2"));
    assert_after(&aim(""), "A6L", &kiswahili("A2=2 A3=1 A4=1 A5=1 a5=1 a6=1 a1=2 b4=2", "N 0,0 - a5 1"));
    assert_after(&aim("B2=4"), "A6L", &then("A2=2 B2=4 A3=1 A4=1 A5=1 a5=1 a6=1 a1=2"));
}

#[test]
fn s8_two_captures_with_the_same_target_are_one_target() {
    // A2's two and B1's four, both to A4.
    let before = mtaji("A2=2 A6=2 B1=4 a5=2 a8=2");
    assert_after(&before, "A6L", &kiswahili("A2=2 A4=1 A5=1 B1=4 a5=2 a8=2 b4=2", "N 0,0 - a5 1"));
}

#[test]
fn s8_not_if_the_side_now_to_move_has_a_capture() {
    // a3's two reach a5, which faces A4.
    let before = mtaji("A2=2 A6=2 a5=2 a8=2 a3=2");
    // A6 faces a3, but no lap of South ends there.
    assert_legal(&before, "A2L A2R A6L A6R");
    assert_after(&before, "A6L", &then("A2=2 A4=1 A5=1 a5=2 a8=2 a3=2"));
}

#[test]
fn s8_not_without_a_target() {
    assert_after(&mtaji("A6=2 a5=2 a8=2"), "A6L", &then("A4=1 A5=1 a5=2 a8=2"));
}

#[test]
fn s8_only_with_both_reserves_empty() {
    let before = kiswahili("A2=2 A6=2 a5=2 a8=2", "S 0,1 - - 0");
    assert_after(&before, "A6L", &kiswahili("A2=2 A4=1 A5=1 a5=2 a8=2", "N 0,1 - - 1"));
}

#[test]
fn s8_only_after_a_takata_in_mtaji() {
    // Namua: the last reserve seed, A6 (2): A5, A4. South aims at a5 and both reserves are empty.
    let before = kiswahili("A2=1 A6=2 a5=2 a8=2", "S 1,0 - - 0");
    assert_after(&before, "A6L", &kiswahili("A2=1 A3=1 A4=1 A5=1 a5=2 a8=2", "N 0,0 - - 1"));
    let before = kiswahili("A2=2 A6=2 a5=2 a8=2", "S 1,0 - - 0");
    assert_after(&before, "A6L", &kiswahili("A2=2 A3=1 A4=1 A5=1 a5=2 a8=2", "N 0,0 - - 1"));
    // A capture: A6, A5 (2) takes a4's one: A8. A2's two aim at a5 as before.
    let before = mtaji("A2=2 A4=1 A7=2 A5=1 a4=1 a5=2 a8=2");
    let after = "A2=2 A4=1 A6=1 A5=2 A8=1 a5=2 a8=2";
    assert_after(&before, "A7L", &then(after));
}

#[test]
fn s8_takasia_lasts_for_one_turn() {
    // After North's a8R (b8, b7) the field is empty again: South has a capture (A2 to A4, which faces a5).
    let before = mtaji("A2=2 A6=2 a5=2 a8=2");
    let record = record(&before, "A6L a8R");
    assert_eq!(record.position().to_setup().takasia, None);
    assert_eq!(text_of(record.position()), kiswahili("A2=2 A4=1 A5=1 a5=2 b8=1 b7=1 b4=2", "S 0,0 - - 2"));
}

#[test]
fn s9_the_letter_is_the_movers_hand_seen_by_himself() {
    // Front: R towards the higher numbers. Back: the hand's R too, which is against the ring.
    assert_after(&mtaji("A3=2 a1=1"), "A3R", &then("A4=1 A5=1 a1=1"));
    assert_after(&mtaji("A3=2 a1=1"), "A3L", &then("A2=1 A1=1 a1=1"));
    assert_after(&mtaji("A3=1 B3=2 a1=1"), "B3R", &then("A3=1 B4=1 B5=1 a1=1"));
    assert_after(&mtaji("A3=1 B3=2 a1=1"), "B3L", &then("A3=1 B2=1 B1=1 a1=1"));
    // North from his own left.
    let after = kiswahili("a4=1 a5=1 A1=1 B4=2", "S 0,0 - - 1");
    assert_after(&kiswahili("a3=2 A1=1 B4=2", "N 0,0 - - 0"), "a3R", &after);
}

#[test]
fn g4_the_ring_runs_round_both_corners() {
    assert_after(&mtaji("A8=2 A3=1 a8=1"), "A8R", &then("B8=1 B7=1 A3=1 a8=1"));
    assert_after(&mtaji("A1=2 A3=1 a1=1"), "A1L", &then("B1=1 B2=1 A3=1 a1=1"));
    assert_after(&mtaji("A4=1 B8=2 a1=1"), "B8R", &then("A4=1 A8=1 A7=1 a1=1"));
    assert_after(&mtaji("A4=1 B1=2 a1=1"), "B1L", &then("A4=1 A1=1 A2=1 a1=1"));
}

#[test]
fn s9_the_safari_form_exists_exactly_where_the_choice_arises() {
    let text = kiswahili("A3=1 A5=6 a6=5 a1=1", "S 5,5 S - 0");
    let position = position(&text);
    assert!(position.is_legal(a_move("A3L>", &position)));
    assert!(!position.is_legal(a_move("A3R>", &position)));
}

#[test]
fn s10_the_only_front_pit_is_sown_towards_the_centre_if_it_is_a_kichwa() {
    for rest in ["S 5,5 - - 0", "S 0,0 - - 0"] {
        assert_legal(&kiswahili("A1=3 B4=5 a1=1", rest), "A1R");
        assert_legal(&kiswahili("A8=3 B4=5 a8=1", rest), "A8L");
        assert_legal(&kiswahili("A2=3 a1=1", rest), "A2L A2R");
        assert_legal(&kiswahili("A7=3 a8=1", rest), "A7L A7R");
    }
    assert_legal(&kiswahili("a1=3 A1=1", "N 0,0 - - 0"), "a1R");
}

#[test]
fn s10_not_if_another_front_pit_is_occupied_and_not_for_back_pits() {
    assert_legal(&mtaji("A1=3 A6=1 a1=1"), "A1L A1R");
    assert_legal(&mtaji("A8=3 A6=1 a8=1"), "A8L A8R");
    assert_legal(&mtaji("A1=1 B3=2 a1=1"), "B3L B3R");
}

/// Mancala World's third problem: A3L never ends.
const NEVER: &str = "kiswahili 0,0,0,0,0,0,0,0/0,0,0,0,9,0,0,1/1,6,3,1,0,5,4,0/2,1,0,5,0,3,0,1 S 11,11 - - 22";

#[test]
fn s11_a_never_ending_move_is_not_legal() {
    assert_eq!(MAX_LAPS, 4_096);
    assert_legal(NEVER, "A2L A2R A3R A6L A6R A7L A7R");
    let mut position = position(NEVER);
    let never = a_move("A3L", &position);
    assert!(position.play(never).is_err());
    assert_eq!(text_of(&position), NEVER);
}

#[test]
fn s11_a_side_whose_only_moves_never_end_has_lost() {
    // No first lap captures: A4's three end in A7 or A1, which face nothing, B8's three in the empty A6 or in B5. So there
    // is a takata from A4, the only front pit with two or more. It never ends either way, and B8 is no substitute.
    let text = "kiswahili 0,2,0,1,0,2,1,0/0,1,1,2,2,0,0,1/1,0,1,3,1,0,1,0/0,1,0,1,0,1,0,3 S 0,0 - - 0";
    assert_over(text, win(Side::North, EndReason::Immobile));
    // A seed more in A6 and one in a3 turn B8's lap into a capture, and the game goes on.
    let text = "kiswahili 0,2,0,1,0,2,1,0/0,1,1,2,2,1,0,1/1,0,1,3,1,1,1,0/0,1,0,1,0,1,0,3 S 0,0 - - 0";
    assert_legal(text, "B8R");
}

#[test]
fn s11_every_sowing_is_a_lap_and_the_reserve_seed_is_none() {
    // The captured seeds are the first lap, the relay of A1 the second.
    let before = kiswahili("A1=2 A3=1 a6=1 a1=1", "S 5,5 - - 0");
    assert_after(&before, "A3L", &kiswahili("A2=1 A3=3 A4=1 a1=1", "N 4,5 - - 1"));
    assert_eq!(laps(&before, "A3L"), 2);
    assert_eq!(laps(&kiswahili("A3=2 a1=1", "S 5,5 - - 0"), "A3R"), 1);
    // Stopping in the house and going on: one lap more.
    let before = kiswahili("A3=1 A5=6 a6=5 a1=1", "S 5,5 S - 0");
    assert_eq!([laps(&before, "A3L"), laps(&before, "A3L>")], [1, 2]);
}

#[test]
fn s12_an_empty_front_row_loses_whatever_stands_behind_or_in_reserve() {
    assert_over(&mtaji("B3=5 a1=1"), win(Side::North, EndReason::FrontRowEmpty));
    assert_over(&kiswahili("B3=5 a1=1", "S 5,5 - - 0"), win(Side::North, EndReason::FrontRowEmpty));
    assert_over(&kiswahili("b3=5 A1=1", "N 0,0 - - 0"), win(Side::South, EndReason::FrontRowEmpty));
}

#[test]
fn s12_only_singletons_in_mtaji_lose() {
    assert_over(&mtaji("A1=1 A3=1 B4=1 a1=1"), win(Side::North, EndReason::Immobile));
    // A2's three leave North with his two singles.
    let over = record(&kiswahili("A2=3 a8=1 a1=1", "S 0,0 - - 0"), "A2R");
    assert_eq!(text_of(over.position()), kiswahili("A3=1 A4=1 A5=1 a8=1 a1=1", "N 0,0 - - 1"));
    assert_eq!(over.outcome().map(|o| o.result), Some(GameResult::Win(Side::South)));
}
