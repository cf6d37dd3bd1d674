//! Rules M1 to M3 clause by clause, on boards made by hand.

use crate::assertions::{
    assert_after, assert_ends, assert_legal, assert_over, kimasai, laps, setup_error, text_of, win,
};
use kete::game::{AnyPosition, EndReason, Kimasai, Pit, Position, Row, SetupError, Side, Variant};

fn ring(front: &str, back: &str, but: &str) -> String {
    (1..=12)
        .flat_map(|n| [format!("{front}{n}"), format!("{back}{n}")])
        .filter(|pit| pit != but)
        .map(|pit| pit + " ")
        .collect()
}

#[test]
fn m1_one_seed_in_every_pit_but_the_first_front_pits() {
    let start = "kimasai 1,1,1,1,1,1,1,1,1,1,1,1/1,1,1,1,1,1,1,1,1,1,1,0/\
                 0,1,1,1,1,1,1,1,1,1,1,1/1,1,1,1,1,1,1,1,1,1,1,1 S 0";
    assert_eq!(text_of(&AnyPosition::start(Variant::Kimasai)), start);
    assert_eq!(Side::ALL.map(|side| Kimasai::start().seeds(side)), [23, 23]);
}

#[test]
fn m1_no_pit_holds_more_than_one() {
    let b7 = Pit::new(Row::Back, 7).expect("a pit");
    let error = SetupError::CrowdedPit { side: Side::North, pit: b7, count: 2 };
    assert_eq!(setup_error(&kimasai("A1 b7=2", "S 0")), error);
}

#[test]
fn m2_exactly_the_seeds_whose_next_pit_is_empty_may_step() {
    // At the start only A2 can, into A1.
    assert_legal(&text_of(&AnyPosition::start(Variant::Kimasai)), "A2");
    // A1 is blocked by B1, B1 by B2; B12 goes to A12, B2 to B3, A5 to A4.
    assert_legal(&kimasai("A1 B1 B2 A5 B12 a1", "S 0"), "A5 B2 B12");
    assert_legal(&kimasai("a1 b1 b2 a5 b12 A1", "N 0"), "a5 b2 b12");
}

#[test]
fn m2_the_seed_steps_to_the_next_pit() {
    assert_after(&kimasai("B4 b1", "S 0"), "B4", &kimasai("B5 b1", "N 1"));
    assert_after(&kimasai("B12 b1", "S 0"), "B12", &kimasai("A12 b1", "N 1"));
    assert_after(&kimasai("A1 b1", "S 0"), "A1", &kimasai("B1 b1", "N 1"));
    assert_after(&kimasai("a7 B1", "N 0"), "a7", &kimasai("a6 B1", "S 1"));
    assert_eq!(laps(&kimasai("B4 b1", "S 0"), "B4"), 1);
}

#[test]
fn m2_g5a_a_full_ring_cannot_move_and_loses() {
    // No ring is full with 23 seeds, so a side without moves has none left; see `m3_taking_the_last_seed_wins`. With one
    // pit empty exactly the seed before it moves.
    assert_legal(&kimasai(&(ring("A", "B", "B7") + "a1"), "S 0"), "B6");
    assert_over(&kimasai("a1", "S 0"), win(Side::North, EndReason::NoSeeds));
}

#[test]
fn m3_the_pit_that_was_entered_takes_front_and_back_of_its_column() {
    // A4 enters A3, which faces a10.
    assert_after(&kimasai("A4 a10 b10 b1", "S 0"), "A4", &kimasai("A3 b1", "N 1"));
    assert_after(&kimasai("A4 a10 b9", "S 0"), "A4", &kimasai("A3 b9", "N 1"));
}

#[test]
fn m3_the_back_pit_is_taken_only_with_the_front_pit() {
    assert_after(&kimasai("A4 b10 b1", "S 0"), "A4", &kimasai("A3 b10 b1", "N 1"));
}

#[test]
fn m3_entering_the_back_row_takes_nothing() {
    // B4 enters B5; the columns of a5 and a8 stay. A1 enters B1; a1 and a12 stay.
    assert_after(&kimasai("B4 a5 b5 a8 b8", "S 0"), "B4", &kimasai("B5 a5 b5 a8 b8", "N 1"));
    assert_after(&kimasai("A1 a1 b1 a12 b12", "S 0"), "A1", &kimasai("B1 a1 b1 a12 b12", "N 1"));
}

#[test]
fn m3_capturing_is_not_compulsory() {
    assert_legal(&kimasai("A4 B1 a10", "S 0"), "A4 B1");
}

#[test]
fn m3_every_front_pit_faces_its_own_column() {
    for i in 1..=12 {
        let facing = 13 - i;
        let spare = if facing == 12 { "b1" } else { "b12" };
        let from = if i == 12 { "B12".to_owned() } else { format!("A{}", i + 1) };
        let before = kimasai(&format!("{from} a{facing} b{facing} {spare}"), "S 0");
        assert_after(&before, &from, &kimasai(&format!("A{i} {spare}"), "N 1"));
        let (from, spare) = (from.to_lowercase(), spare.to_uppercase());
        let before = kimasai(&format!("{from} A{facing} B{facing} {spare}"), "N 0");
        assert_after(&before, &from, &kimasai(&format!("a{i} {spare}"), "S 1"));
    }
}

#[test]
fn m3_taking_the_last_seed_wins() {
    let after = kimasai("A3", "N 1");
    assert_ends(&kimasai("A4 a10 b10", "S 0"), "A4", &after, win(Side::South, EndReason::NoSeeds));
}
