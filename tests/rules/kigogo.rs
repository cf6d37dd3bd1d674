//! Rules K1 to K5 clause by clause, on boards made by hand.

use crate::assertions::{
    assert_after, assert_ends, assert_legal, assert_over, draw, kigogo, laps, record, text_of, win,
};
use kete::game::{AnyPosition, EndReason, Kigogo, Position, Side, Variant};

#[test]
fn k1_two_seeds_in_every_pit_but_the_first_front_pits() {
    let start = "kigogo 2,2,2,2,2,2,2,2,2,2,2,2/2,2,2,2,2,2,2,2,2,2,2,0/\
                 0,2,2,2,2,2,2,2,2,2,2,2/2,2,2,2,2,2,2,2,2,2,2,2 S 0";
    assert_eq!(text_of(&AnyPosition::start(Variant::Kigogo)), start);
    assert_eq!(Side::ALL.map(|side| Kigogo::start().seeds(side)), [46, 46]);
}

#[test]
fn k2_with_two_or_more_somewhere_exactly_those_pits_may_be_played() {
    assert_legal(&kigogo("A3=2 A5=1 B7=3 B9=1 a1=1", "S 0"), "A3 B7");
    assert_legal(&kigogo("a3=2 a5=1 b7=3 b9=1 A1=5", "N 0"), "a3 b7");
}

#[test]
fn k2_otherwise_single_seeds_whose_next_pit_is_empty() {
    // A1 stands before B1, B1 before B2: both blocked. A5 goes to A4, B2 to B3, B12 to A12.
    assert_legal(&kigogo("A1=1 B1=1 B2=1 A5=1 B12=1 a1=1", "S 0"), "A5 B2 B12");
}

#[test]
fn k2_singles_that_block_each_other_all_round_cannot_move() {
    let ring = |front: &str, back: &str| -> String { (1..=12).map(|n| format!("{front}{n}=1 {back}{n}=1 ")).collect() };
    assert_over(&kigogo(&(ring("A", "B") + "a1=2"), "S 0"), win(Side::North, EndReason::Immobile));
    assert_over(&kigogo(&(ring("a", "b") + "A1=2"), "N 0"), win(Side::South, EndReason::Immobile));
}

#[test]
fn k3_a_lap_that_ends_in_an_empty_pit_ends_the_sowing() {
    let before = kigogo("B1=2 a1=1 b1=1", "S 0");
    assert_after(&before, "B1", &kigogo("B2=1 B3=1 a1=1 b1=1", "N 1"));
    assert_eq!(laps(&before, "B1"), 1);
}

#[test]
fn k3_the_last_pit_is_lifted_with_the_seed_just_dropped() {
    // B1's two: B2, B3 (2). B3's two: B4, B5.
    let before = kigogo("B1=2 B3=1 a1=1", "S 0");
    assert_after(&before, "B1", &kigogo("B2=1 B4=1 B5=1 a1=1", "N 1"));
    assert_eq!(laps(&before, "B1"), 2);
}

#[test]
fn k3_the_emptied_starting_pit_is_sown_too() {
    // 24 seeds: one into every pit, the last into B1 itself, which is empty.
    let all: String = (1..=12).map(|n| format!("A{n}=1 B{n}=1 ")).collect();
    assert_after(&kigogo("B1=24 b5=2", "S 0"), "B1", &kigogo(&(all + "b5=2"), "N 1"));
}

#[test]
fn k3_more_than_a_round_goes_on_into_pits_already_sown() {
    // 25 seeds: B2 gets the 1st and the 25th, so it is lifted; from then on every second pit is lifted with two: B2, B4,
    // .. B12, A11, .. A1, whose two fall into B1 and the empty B2. Thirteen laps.
    let before = kigogo("B1=25 b5=2", "S 0");
    let after = "B1=2 B2=1 B3=2 B5=2 B7=2 B9=2 B11=2 A12=2 A10=2 A8=2 A6=2 A4=2 A2=2 b5=2";
    assert_after(&before, "B1", &kigogo(after, "N 1"));
    assert_eq!(laps(&before, "B1"), 13);
}

#[test]
fn g4_sowing_goes_from_b12_to_a12_and_from_a1_to_b1_for_either_side() {
    assert_after(&kigogo("B12=2 b6=2", "S 0"), "B12", &kigogo("A12=1 A11=1 b6=2", "N 1"));
    assert_after(&kigogo("A1=2 b6=2", "S 0"), "A1", &kigogo("B1=1 B2=1 b6=2", "N 1"));
    assert_after(&kigogo("b12=2 B6=2", "N 0"), "b12", &kigogo("a12=1 a11=1 B6=2", "S 1"));
    assert_after(&kigogo("a1=2 B6=2", "N 0"), "a1", &kigogo("b1=1 b2=1 B6=2", "S 1"));
}

#[test]
fn k4_the_facing_front_pit_is_taken_with_the_back_pit_of_its_column() {
    // A5's two: A4, A3; A3 faces a10.
    assert_after(&kigogo("A5=2 a10=3 b10=4 a12=1", "S 0"), "A5", &kigogo("A4=1 A3=1 a12=1", "N 1"));
}

#[test]
fn k4_the_front_pit_is_taken_alone_if_the_back_pit_is_empty() {
    assert_after(&kigogo("A5=2 a10=3 b9=1 a12=1", "S 0"), "A5", &kigogo("A4=1 A3=1 b9=1 a12=1", "N 1"));
}

#[test]
fn k4_the_back_pit_is_taken_only_with_the_front_pit() {
    assert_after(&kigogo("A5=2 b10=4 a12=1", "S 0"), "A5", &kigogo("A4=1 A3=1 b10=4 a12=1", "N 1"));
}

#[test]
fn k4_a_sowing_that_ends_in_the_back_row_takes_nothing() {
    // B3's two end in B5; a5, a8 and what stands behind them stay.
    assert_after(&kigogo("B3=2 a5=2 b5=2 a8=2 b8=2", "S 0"), "B3", &kigogo("B4=1 B5=1 a5=2 b5=2 a8=2 b8=2", "N 1"));
}

#[test]
fn k4_a_single_step_captures_too() {
    assert_after(&kigogo("A4=1 a10=2 b10=1 b1=1", "S 0"), "A4", &kigogo("A3=1 b1=1", "N 1"));
}

#[test]
fn k4_only_the_last_seed_of_the_whole_move_captures() {
    // A9's two end in A7 (2), which faces a6; the relay ends in A5, which faces the empty a8.
    assert_after(&kigogo("A9=2 A7=1 a6=1 a12=2", "S 0"), "A9", &kigogo("A8=1 A6=1 A5=1 a6=1 a12=2", "N 1"));
}

#[test]
fn k4_the_turn_ends_with_the_capture() {
    let record = record(&kigogo("A5=2 B1=2 a10=3 a12=1", "S 0"), "A5");
    assert_eq!(record.side_to_move(), Side::North);
}

#[test]
fn k4_capturing_is_not_compulsory() {
    // A5 would take a10, B1 takes nothing.
    assert_legal(&kigogo("A5=2 B1=2 a10=1", "S 0"), "A5 B1");
}

#[test]
fn k4_g2_ai_faces_the_pit_13_less_i_on_either_side() {
    for i in 1..=11 {
        let facing = 13 - i;
        let spare = if facing == 12 { "b1=5" } else { "b12=5" };
        let from = i + 1;
        let before = kigogo(&format!("A{from}=1 a{facing}=2 b{facing}=3 {spare}"), "S 0");
        assert_after(&before, &format!("A{from}"), &kigogo(&format!("A{i}=1 {spare}"), "N 1"));
        let (upper, lower) = (spare.to_uppercase(), spare);
        let before = kigogo(&format!("a{from}=1 A{facing}=2 B{facing}=3 {upper}"), "N 0");
        assert_after(&before, &format!("a{from}"), &kigogo(&format!("a{i}=1 {upper}"), "S 1"));
        assert_ne!(upper, lower);
    }
}

#[test]
fn k4_taking_the_last_seeds_wins() {
    // North is left without a seed and is to move.
    let after = kigogo("A4=1 A3=1", "N 1");
    assert_ends(&kigogo("A5=2 a10=3 b10=4", "S 0"), "A5", &after, win(Side::South, EndReason::NoSeeds));
}

/// The never-ending relay of 288 laps that `data/` gives as its second: North's only playable pit.
const ENDLESS: &str = "kigogo 0,1,0,1,3,1,0,1,0,1,0,1/1,0,1,0,1,0,1,0,1,0,1,0/\
                       0,1,1,1,0,1,0,0,2,1,1,0/2,1,0,0,2,0,2,1,1,1,0,2 N 1";

#[test]
fn k5_a_never_ending_relay_is_legal_and_draws() {
    assert_legal(ENDLESS, "b8");
    let after = ENDLESS.replace("N 1", "S 2");
    assert_ends(ENDLESS, "b8", &after, draw(EndReason::EndlessRelay));
    assert_eq!(laps(ENDLESS, "b8"), 288);
}

#[test]
fn k5_the_draw_stands_even_if_the_opponent_could_not_move() {
    // The same with 24 singles of South, who would have lost.
    let rows: Vec<&str> = ENDLESS.split(' ').nth(1).unwrap_or_default().split('/').collect();
    let ones = "1,1,1,1,1,1,1,1,1,1,1,1";
    let board = format!("kigogo {}/{}/{ones}/{ones}", rows[0], rows[1]);
    assert_over(&format!("{board} S 2"), win(Side::North, EndReason::Immobile));
    assert_ends(&format!("{board} N 1"), "b8", &format!("{board} S 2"), draw(EndReason::EndlessRelay));
}

#[test]
fn k5_a_lap_that_ends_in_the_starting_pit_with_other_counts_is_no_circle() {
    // 26 seeds: once round, then B2 (2) and B3 (2). Two seeds each from B3, B5, .. B11, A12, A10, .. A2, the last into B1
    // (2): the pit chosen, about to be lifted again, but not with 26. Its two: B2 (3) and the empty B3.
    let before = kigogo("B1=26 b5=2", "S 0");
    let after = "B2=3 B3=1 B4=2 B6=2 B8=2 B10=2 B12=2 A11=2 A9=2 A7=2 A5=2 A3=2 A1=2 b5=2";
    assert_after(&before, "B1", &kigogo(after, "N 1"));
    assert_eq!(laps(&before, "B1"), 13);
}
