//! The bytes of a record.

use crate::datagen::record::{Board, MoverResult, Record, Tally, board, board_bytes, record_bytes};
use crate::game::{AnyPosition, EndReason, GameRecord, Outcome, Pit, Row, Setup, Side, Variant};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

/// A board with North to move on which the named pits hold seeds: `A3` is South's third front pit, `a3` North's.
fn north_to_move(variant: Variant, pits: &[(&str, u8)]) -> Setup {
    let mut setup = Setup::empty(variant);
    setup.side = Side::North;
    for &(name, count) in pits {
        let side = if name.starts_with(char::is_uppercase) { Side::South } else { Side::North };
        let row = if name[..1].eq_ignore_ascii_case("a") { Row::Front } else { Row::Back };
        setup.set_count(side, Pit::new(row, name[1..].parse().unwrap()).unwrap(), count);
    }
    setup
}

/// The bytes of the board but for zeros, with where they are.
fn filled(setup: &Setup) -> Vec<(usize, u8)> {
    let board = board(&AnyPosition::from_setup(setup).unwrap());
    assert_eq!(board.len(), board_bytes(setup.variant()));
    board.into_iter().enumerate().filter(|(_, byte)| *byte != 0).collect()
}

#[test]
fn records_have_the_lengths_of_the_format() {
    assert_eq!(Variant::ALL.map(record_bytes), [43, 55, 13]);
}

#[test]
fn kigogo_has_the_mover_s_ring_before_the_opponent_s() {
    let pits = [("b1", 3), ("b12", 4), ("a12", 5), ("a1", 6), ("B2", 7), ("A11", 2)];
    let expected = [(0, 3), (11, 4), (12, 5), (23, 6), (24 + 1, 7), (24 + 13, 2)];
    assert_eq!(filled(&north_to_move(Variant::Kigogo, &pits)), expected);
}

#[test]
fn kimasai_has_two_sets_of_24_bits() {
    let setup = north_to_move(Variant::Kimasai, &[("b1", 1), ("a1", 1), ("b10", 1), ("B2", 1), ("A12", 1)]);
    let position = AnyPosition::from_setup(&setup).unwrap();
    assert_eq!(board(&position).as_slice(), [0x01, 0x02, 0x80, 0x02, 0x10, 0x00]);
}

#[test]
fn kiswahili_has_rings_reserves_houses() {
    let mut setup =
        north_to_move(Variant::Kiswahili, &[("a1", 3), ("a8", 4), ("b8", 5), ("b1", 6), ("A5", 7), ("B2", 1)]);
    setup.reserves = [11, 9];
    let mut expected = vec![(0, 3), (7, 4), (8, 5), (15, 6), (16 + 4, 7), (16 + 14, 1), (32, 9), (33, 11)];
    assert_eq!(filled(&setup), expected);
    setup.houses[Side::South.index()] = true;
    assert_eq!(filled(&setup), [&expected[..], &[(34, 2)]].concat());
    setup.houses[Side::North.index()] = true;
    expected.push((34, 3));
    assert_eq!(filled(&setup), expected);
}

#[test]
fn kiswahili_has_the_number_of_the_blocked_pit() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut blocked = 0;
    for _ in 0..3000 {
        let mut game = GameRecord::of_variant(Variant::Kiswahili);
        while game.outcome().is_none() {
            let moves = game.legal_moves();
            game.play(moves[rng.random_range(0..moves.len())]).unwrap();
            let takasia = game.position().to_setup().takasia;
            assert_eq!(board(game.position())[35], takasia.map_or(0, |(_, pit)| pit.number()));
            blocked += u32::from(takasia.is_some());
        }
    }
    assert!(blocked > 20, "{blocked}");
}

#[test]
fn behind_the_board_are_score_result_and_game() {
    let record =
        Record { board: Board::from_iter([1, 2, 3, 4, 5, 6]), score: -2, result: MoverResult::Win, game: 0x0102_0304 };
    let mut bytes = Vec::new();
    record.write(&mut bytes);
    assert_eq!(bytes, [1, 2, 3, 4, 5, 6, 0xfe, 0xff, 2, 4, 3, 2, 1]);
    assert_eq!(Record::read(&bytes), Some(record));
    bytes[8] = 3;
    assert_eq!(Record::read(&bytes), None);
    assert_eq!(Record::read(&bytes[..6]), None);
}

#[test]
fn a_result_is_the_mover_s() {
    let won = Some(Outcome::win(Side::North, EndReason::Immobile));
    assert_eq!(MoverResult::of(won, Side::North), MoverResult::Win);
    assert_eq!(MoverResult::of(won, Side::South), MoverResult::Loss);
    assert_eq!(MoverResult::of(Some(Outcome::draw(EndReason::Repetition)), Side::South), MoverResult::Draw);
    assert_eq!(MoverResult::of(None, Side::South), MoverResult::Draw);
}

#[test]
fn a_tally_counts_proofs_and_results() {
    let mut tally = Tally::default();
    for (score, result) in [
        (-31_999, MoverResult::Loss),
        (30_000, MoverResult::Win),
        (29_999, MoverResult::Win),
        (0, MoverResult::Draw),
        (-8191, MoverResult::Win),
    ] {
        tally.add(&Record { board: Board::new(), score, result, game: 0 });
    }
    assert_eq!(tally, Tally { games: 0, positions: 5, proved: 2, wins: 3, draws: 1, losses: 1 });
}
