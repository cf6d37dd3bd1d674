//! Setups written by hand, the most unlikely ones included: whatever rule G6 accepts can be asked, played and written
//! without a panic, and whatever it refuses is refused with the reason.

use kete::game::{
    AnyPosition, EndReason, GameRecord, GameResult, Hand, Kigogo, Kimasai, Kiswahili, Move, Outcome, PLAYOUT_MAX_PLIES,
    Pit, Position, Row, Setup, SetupError, Side, Variant, random_playout,
};
use kete::notation::{board_diagram, move_text, parse_move, parse_setup, position_text};
use proptest::prelude::*;
use rand::SeedableRng;
use rand::rngs::SmallRng;

const CASES: u32 = 10_000;
const RECORD_PLIES: usize = 200;

fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(CASES) }
}

fn all_pits(variant: Variant) -> Vec<(Side, Pit)> {
    Side::ALL.into_iter().flat_map(|side| Setup::pits(variant).map(move |pit| (side, pit))).collect()
}

/// Seeds of one side at the start of the two games without reserves (rules K1, M1).
fn seeds_of_side(variant: Variant) -> usize {
    variant.seeds() as usize / 2
}

fn any_side() -> impl Strategy<Value = Side> {
    prop_oneof![Just(Side::South), Just(Side::North)]
}

/// Plies up to ten thousand short of the largest, so that a game and its playouts can still go on.
fn any_ply() -> impl Strategy<Value = u32> {
    prop_oneof![Just(0), 0..1_000u32, Just(u32::MAX - 10_000)]
}

/// Up to `most` indices below `pits`, drawn from a pool of pits: a pool of one puts all seeds into one pit.
fn drops(pits: usize, most: usize) -> impl Strategy<Value = Vec<usize>> {
    let pool = prop_oneof![
        prop::collection::vec(0..pits, 1..=3),
        prop::collection::vec(0..pits, 1..=pits),
        Just((0..pits).collect::<Vec<_>>()),
    ];
    let seeds = prop_oneof![2 => 0..=most, 2 => Just(most), 1 => 0..=most.min(6)];
    (pool, seeds).prop_flat_map(|(pool, seeds)| prop::collection::vec(prop::sample::select(pool), seeds))
}

fn kigogo_setup() -> impl Strategy<Value = Setup> {
    (drops(24, 46), drops(24, 46), any_side(), any_ply()).prop_map(|(south, north, side, ply)| {
        let mut setup = Setup::empty(Variant::Kigogo);
        let pits: Vec<Pit> = Setup::pits(Variant::Kigogo).collect();
        for (owner, drops) in [(Side::South, south), (Side::North, north)] {
            for index in drops {
                setup.set_count(owner, pits[index], setup.count(owner, pits[index]) + 1);
            }
        }
        setup.side = side;
        setup.ply = ply;
        setup
    })
}

fn kimasai_setup() -> impl Strategy<Value = Setup> {
    let seeds = || {
        let count = prop_oneof![0..=23usize, 0..=3usize, 21..=23usize];
        count.prop_flat_map(|n| prop::sample::subsequence((0..24usize).collect::<Vec<_>>(), n))
    };
    (seeds(), seeds(), any_side(), any_ply()).prop_map(|(south, north, side, ply)| {
        let mut setup = Setup::empty(Variant::Kimasai);
        let pits: Vec<Pit> = Setup::pits(Variant::Kimasai).collect();
        for (owner, occupied) in [(Side::South, south), (Side::North, north)] {
            for index in occupied {
                setup.set_count(owner, pits[index], 1);
            }
        }
        setup.side = side;
        setup.ply = ply;
        setup
    })
}

/// Setups without takasia; that field has a test of its own.
fn kiswahili_setup() -> impl Strategy<Value = Setup> {
    let reserve = || prop_oneof![3 => Just(0u8), 2 => 0..=22u8, 1 => 1..=2u8];
    let houses = any::<[bool; 2]>();
    ([reserve(), reserve()], houses, any_side(), any_ply()).prop_flat_map(|(reserves, houses, side, ply)| {
        let most = 64 - usize::from(reserves[0]) - usize::from(reserves[1]);
        drops(32, most).prop_map(move |drops| {
            let mut setup = Setup::empty(Variant::Kiswahili);
            let pits = all_pits(Variant::Kiswahili);
            for index in drops {
                let (owner, pit) = pits[index];
                setup.set_count(owner, pit, setup.count(owner, pit) + 1);
            }
            setup.reserves = reserves;
            setup.houses = houses;
            setup.side = side;
            setup.ply = ply;
            setup
        })
    })
}

/// Every field at random, most of it nonsense. `pits` says how many seeds a pit may get.
fn wild_setup(pits: std::ops::RangeInclusive<u8>) -> impl Strategy<Value = Setup> {
    let variant = prop::sample::select(Variant::ALL.to_vec());
    let counts = prop::collection::vec(prop_oneof![4 => Just(0), 1 => pits], 48);
    let reserves = prop_oneof![2 => Just([0; 2]), 1 => any::<[u8; 2]>(), 1 => [0..=23u8, 0..=23u8]];
    let houses = prop_oneof![Just([false; 2]), any::<[bool; 2]>()];
    let takasia = prop_oneof![2 => Just(None), 1 => (any_side(), any_pit()).prop_map(Some)];
    (variant, counts, reserves, houses, takasia, any_side(), any::<u32>()).prop_map(
        |(variant, counts, reserves, houses, takasia, side, ply)| {
            let mut setup = Setup::empty(variant);
            for ((owner, pit), count) in all_pits(variant).into_iter().zip(counts) {
                setup.set_count(owner, pit, count);
            }
            setup.reserves = reserves;
            setup.houses = houses;
            setup.takasia = takasia;
            setup.side = side;
            setup.ply = ply.min(u32::MAX - 10_000);
            setup
        },
    )
}

/// Any pit of any board: a Kiswahili setup can be given the pits 9 to 12, which its board does not have.
fn any_pit() -> impl Strategy<Value = Pit> {
    (prop_oneof![Just(Row::Front), Just(Row::Back)], 1..=12u8)
        .prop_map(|(row, number)| Pit::new(row, number).expect("a number from 1 to 12"))
}

/// Every value that a move can have: 24 pits, three hands, two safaris.
fn all_moves() -> Vec<Move> {
    let mut moves = Vec::new();
    for row in [Row::Front, Row::Back] {
        for pit in (1..=12).filter_map(|number| Pit::new(row, number)) {
            moves.push(Move::of_pit(pit));
            for hand in [Hand::Left, Hand::Right] {
                moves.extend([false, true].map(|safari| Move::with_hand(pit, hand, safari)));
            }
        }
    }
    moves
}

fn total(position: &AnyPosition) -> u32 {
    Side::ALL.into_iter().map(|side| position.seeds(side)).sum()
}

/// Everything that can be asked of one position, short of a game.
fn inspect(position: &AnyPosition) {
    let setup = position.to_setup();
    let text = position_text(&setup).to_string();
    let legal = position.legal_moves();
    let outcome = position.outcome();
    assert_eq!(outcome.is_some(), legal.is_empty(), "{text}: {outcome:?} {legal:?}");
    if let Some(outcome) = outcome {
        assert!(!matches!(outcome.reason, EndReason::Repetition | EndReason::EndlessRelay), "{text}");
        assert_ne!(outcome.result, GameResult::Draw, "{text}");
    }
    let mut sorted = legal.to_vec();
    sorted.sort();
    sorted.dedup();
    assert_eq!(sorted.len(), legal.len(), "{text}: twice the same move");

    // What was reached can be written, read and validated again.
    assert_eq!(parse_setup(&text, position.variant()).as_ref(), Ok(&setup), "{text}");
    let again = AnyPosition::from_setup(&setup).unwrap_or_else(|e| panic!("{text}: {e}"));
    assert!(again.same_state(position), "{text}");
    assert_eq!(again.key(), position.key(), "{text}");
    assert_eq!(again.ply(), position.ply(), "{text}");
    assert!(!board_diagram(&setup).to_string().is_empty());

    for &m in &legal {
        let written = move_text(m, position.side_to_move()).to_string();
        assert_eq!(parse_move(&written, position), Ok(m), "{text} {written}");
        let mut next = position.clone();
        let completion = next.play(m).unwrap_or_else(|e| panic!("{text} {written}: {e}"));
        assert!(completion.laps >= 1, "{text} {written}");
        assert_eq!(next.side_to_move(), !position.side_to_move(), "{text} {written}");
        assert_eq!(next.ply(), position.ply() + 1, "{text} {written}");
        if position.variant() == Variant::Kiswahili {
            assert_eq!(total(&next), total(position), "{text} {written}: rule S1");
        } else {
            let mover = position.side_to_move();
            assert_eq!(next.seeds(mover), position.seeds(mover), "{text} {written}: rule K4");
            assert!(next.seeds(!mover) <= position.seeds(!mover), "{text} {written}: rule K4");
        }
        assert_eq!(completion.endless, completion.endless && position.variant() == Variant::Kigogo, "{text} {written}");
        next.outcome();
    }
}

/// Plays `choices` from `start`, one choice a ply, and inspects every tenth position.
fn play_record(start: AnyPosition, choices: &[u16]) {
    let mut record = GameRecord::new(start);
    for (ply, &choice) in choices.iter().enumerate() {
        let legal = record.legal_moves();
        assert_eq!(record.outcome().is_some(), legal.is_empty());
        if legal.is_empty() {
            let refused = record.moves().to_vec();
            assert!(record.play(Move::of_pit(Pit::new(Row::Front, 1).expect("A1"))).is_err());
            assert_eq!(record.moves(), refused);
            return;
        }
        let m = legal[usize::from(choice) % legal.len()];
        record.play(m).expect("a legal move");
        assert_eq!(record.moves().len(), ply + 1);
        assert_eq!(record.past_keys().count(), ply + 1);
        if ply % 10 == 0 {
            inspect(record.position());
        }
    }
}

fn play_out(position: &AnyPosition, seed: u64) {
    let mut rng = SmallRng::seed_from_u64(seed);
    match position {
        AnyPosition::Kiswahili(p) => random_playout::<Kiswahili, _>(p.clone(), &mut rng, PLAYOUT_MAX_PLIES),
        AnyPosition::Kigogo(p) => random_playout::<Kigogo, _>(p.clone(), &mut rng, PLAYOUT_MAX_PLIES),
        AnyPosition::Kimasai(p) => random_playout::<Kimasai, _>(p.clone(), &mut rng, PLAYOUT_MAX_PLIES),
    };
}

/// The sides swapped change nothing but names (rule G2).
fn check_turned(setup: &Setup, position: &AnyPosition) {
    let turned = AnyPosition::from_setup(&setup.turned()).expect("a turned position is a position");
    assert_eq!(turned.legal_moves(), position.legal_moves());
    let mirrored = position.outcome().map(|outcome| match outcome.result {
        GameResult::Win(side) => Outcome::win(!side, outcome.reason),
        GameResult::Draw => outcome,
    });
    assert_eq!(turned.outcome(), mirrored);
    for m in position.legal_moves() {
        let (mut here, mut there) = (position.clone(), turned.clone());
        assert_eq!(here.play(m), there.play(m));
        assert_eq!(here.to_setup().turned(), there.to_setup());
    }
}

fn exercise(setup: &Setup, choices: &[u16], seed: u64) {
    let position = AnyPosition::from_setup(setup).unwrap_or_else(|e| panic!("{}: {e}", position_text(setup)));
    assert_eq!(&position.to_setup(), setup);
    inspect(&position);
    check_turned(setup, &position);
    play_record(position.clone(), choices);
    play_out(&position, seed);
}

fn choices() -> impl Strategy<Value = Vec<u16>> {
    prop::collection::vec(any::<u16>(), RECORD_PLIES)
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_kigogo_setup_within_rule_g6_can_be_played(setup in kigogo_setup(), moves in choices(), seed in any::<u64>()) {
        exercise(&setup, &moves, seed);
    }

    #[test]
    fn any_kimasai_setup_within_rule_g6_can_be_played(setup in kimasai_setup(), moves in choices(), seed in any::<u64>()) {
        exercise(&setup, &moves, seed);
    }

    #[test]
    fn any_kiswahili_setup_within_rule_g6_can_be_played(
        setup in kiswahili_setup(), moves in choices(), seed in any::<u64>()
    ) {
        exercise(&setup, &moves, seed);
    }

    #[test]
    fn a_wild_setup_is_refused_with_a_reason_or_can_be_played(
        setup in prop_oneof![wild_setup(0..=255), wild_setup(0..=8), wild_setup(0..=1)],
        moves in choices(),
        seed in any::<u64>(),
    ) {
        match AnyPosition::from_setup(&setup) {
            Ok(_) => exercise(&setup, &moves, seed),
            Err(error) => {
                prop_assert!(!error.to_string().is_empty());
                prop_assert!(AnyPosition::from_setup(&setup.turned()).is_err());
            }
        }
        for wrong in Variant::ALL.into_iter().filter(|&v| v != setup.variant()) {
            let expected = Some(SetupError::WrongVariant { expected: wrong, found: setup.variant() });
            let refused = match wrong {
                Variant::Kiswahili => Kiswahili::from_setup(&setup).err(),
                Variant::Kigogo => Kigogo::from_setup(&setup).err(),
                Variant::Kimasai => Kimasai::from_setup(&setup).err(),
            };
            prop_assert_eq!(refused, expected);
        }
    }

    /// Every one of the 120 move values, those of other games and of pits that the board lacks included.
    #[test]
    fn only_legal_moves_are_accepted_and_a_refused_one_changes_nothing(
        setup in prop_oneof![kigogo_setup(), kimasai_setup(), kiswahili_setup()]
    ) {
        let position = AnyPosition::from_setup(&setup).expect("a position");
        let legal = position.legal_moves();
        for m in all_moves() {
            prop_assert_eq!(position.is_legal(m), legal.contains(&m));
            if !legal.contains(&m) {
                let mut untouched = position.clone();
                prop_assert!(untouched.play(m).is_err());
                prop_assert_eq!(untouched.to_setup(), setup.clone());
            }
        }
    }

    /// A takasia given by hand must be the pit that rule S8 would set: a second reading of S6 and S8, pit by pit.
    #[test]
    fn a_takasia_is_accepted_exactly_where_rule_s8_sets_it(mut setup in kiswahili_setup(), no_reserves in 0..8u8) {
        if no_reserves != 0 {
            setup.reserves = [0; 2];
        }
        let expected = takasia_of(&setup).filter(|_| setup.reserves == [0; 2]);
        for (side, row, number) in Side::ALL.into_iter().flat_map(|side| {
            [Row::Front, Row::Back].into_iter().flat_map(move |row| (1..=12).map(move |number| (side, row, number)))
        }) {
            let pit = Pit::new(row, number).expect("a pit");
            let mut blocked = setup.clone();
            blocked.takasia = Some((side, pit));
            let accepted = AnyPosition::from_setup(&blocked);
            prop_assert_eq!(
                accepted.is_ok(),
                expected == Some((side, pit)),
                "{} with {}: {:?}", position_text(&setup), pit.name(side), accepted.err()
            );
        }
        if let Some(pit) = expected {
            setup.takasia = Some(pit);
            let position = AnyPosition::from_setup(&setup).expect("a position");
            inspect(&position);
            for m in position.legal_moves() {
                prop_assert_ne!(m.pit(), pit.1, "rule S8: not started from");
            }
        }
    }

    /// Rules S7a, S12 and G5a in the order that the rule book decides.
    #[test]
    fn the_end_of_a_kiswahili_position_by_hand_is_judged_in_order(setup in kiswahili_setup()) {
        let outcome = AnyPosition::from_setup(&setup).expect("a position").outcome();
        let (mover, other) = (setup.side, !setup.side);
        let in_front = |side: Side| (1..=8).any(|n| setup.count(side, Pit::new(Row::Front, n).expect("a pit")) > 0);
        let holds_nothing = |side: Side| setup.seeds_on_board(side) == 0 && setup.reserves[side.index()] == 0;
        if !in_front(mover) {
            prop_assert_eq!(outcome, Some(Outcome::win(other, EndReason::FrontRowEmpty)));
        } else if holds_nothing(other) {
            let stuck = setup.reserves[mover.index()] == 0
                && Setup::pits(Variant::Kiswahili).all(|pit| setup.count(mover, pit) < 2);
            let expected = if stuck {
                Outcome::win(other, EndReason::Immobile)
            } else {
                Outcome::win(mover, EndReason::NoSeeds)
            };
            prop_assert_eq!(outcome, Some(expected));
        } else {
            prop_assert!(outcome.is_none_or(|o| o == Outcome::win(other, EndReason::Immobile)), "{:?}", outcome);
        }
    }
}

/// The pit that rule S8 takasiaes on this board for the side to move, written pit by pit from the rule book.
fn takasia_of(setup: &Setup) -> Option<(Side, Pit)> {
    let front = |n: u8| Pit::new(Row::Front, n).expect("a front pit");
    let (mover, blocker) = (setup.side, !setup.side);
    if !targets(setup, mover).is_empty() {
        return None;
    }
    let [target] = targets(setup, blocker)[..] else { return None };
    let counts: Vec<u8> = (1..=8).map(|n| setup.count(mover, front(n))).collect();
    let count = counts[usize::from(target) - 1];
    let functional_house = target == 5 && setup.houses[mover.index()] && count >= 6;
    let only_occupied = counts.iter().filter(|&&c| c > 0).count() == 1;
    let only_many = count >= 2 && counts.iter().filter(|&&c| c >= 2).count() == 1;
    (!functional_house && !only_occupied && !only_many).then(|| (mover, front(target)))
}

/// The numbers of the front pits of the opponent at which the mtaji captures of `side` aim (rule S6).
fn targets(setup: &Setup, side: Side) -> Vec<u8> {
    let front = |n: u8| Pit::new(Row::Front, n).expect("a front pit");
    let ring: Vec<Pit> =
        (1..=8).map(front).chain((1..=8).rev().map(|n| Pit::new(Row::Back, n).expect("a back pit"))).collect();
    let mut found = Vec::new();
    for (index, &pit) in ring.iter().enumerate() {
        let seeds = usize::from(setup.count(side, pit));
        if !(2..=15).contains(&seeds) {
            continue;
        }
        for last in [ring[(index + seeds) % 16], ring[(index + 16 - seeds) % 16]] {
            let facing = 9 - last.number().min(8);
            if last.row() == Row::Front && setup.count(side, last) > 0 && setup.count(!side, front(facing)) > 0 {
                found.push(facing);
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

fn read(text: &str) -> Setup {
    let (name, _) = text.split_once(' ').expect("a variant");
    parse_setup(text, Variant::from_name(name).expect("a variant")).unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// A position text with `seeds` in one pit of one side and `others` of one seed on the opponent's side.
fn heap(variant: Variant, pit: (Side, Pit), seeds: u8, other: Option<Pit>) -> Setup {
    let mut setup = Setup::empty(variant);
    setup.side = pit.0;
    setup.set_count(pit.0, pit.1, seeds);
    if let Some(other) = other {
        setup.set_count(!pit.0, other, 1);
    }
    setup
}

#[test]
fn all_seeds_in_one_pit_wherever_it_is() {
    let choices: Vec<u16> = (0..RECORD_PLIES as u16).map(|i| i.wrapping_mul(40_503)).collect();
    for variant in Variant::ALL {
        let seeds = match variant {
            Variant::Kiswahili => 64,
            Variant::Kigogo => seeds_of_side(variant) as u8,
            Variant::Kimasai => 1,
        };
        for place in all_pits(variant) {
            let mut setup = heap(variant, place, seeds, None);
            for houses in [[false; 2], [true; 2]] {
                setup.houses = if variant == Variant::Kiswahili { houses } else { [false; 2] };
                exercise(&setup, &choices, 1);
                setup.side = !setup.side;
                exercise(&setup, &choices, 2);
                setup.side = !setup.side;
            }
            for other in Setup::pits(variant) {
                let seeds = if variant == Variant::Kiswahili { 63 } else { seeds };
                exercise(&heap(variant, place, seeds, Some(other)), &choices, 3);
            }
        }
    }
}

/// Text, its outcome and how many moves there are.
#[test]
fn positions_by_hand_that_are_over_or_nearly_so() {
    const E8: &str = "0,0,0,0,0,0,0,0";
    const E12: &str = "0,0,0,0,0,0,0,0,0,0,0,0";
    let win = |side, reason| Some(Outcome::win(side, reason));
    let (south, north) = (Side::South, Side::North);
    let table = [
        // Nobody has anything: the side to move cannot move (rule G5a), which goes before the empty other side.
        (format!("kigogo {E12}/{E12}/{E12}/{E12} S 0"), win(north, EndReason::NoSeeds), 0),
        (format!("kigogo {E12}/{E12}/{E12}/{E12} N 0"), win(south, EndReason::NoSeeds), 0),
        (format!("kimasai {E12}/{E12}/{E12}/{E12} S 0"), win(north, EndReason::NoSeeds), 0),
        (format!("kiswahili {E8}/{E8}/{E8}/{E8} S 0,0 - - 0"), win(north, EndReason::FrontRowEmpty), 0),
        (format!("kiswahili {E8}/{E8}/{E8}/{E8} N 0,0 SN - 0"), win(south, EndReason::FrontRowEmpty), 0),
        (format!("kiswahili {E8}/{E8}/{E8}/{E8} S 22,22 SN - 0"), win(north, EndReason::FrontRowEmpty), 0),
        // Kigogo: 24 singles would block each other; no seed of the other side does not help a stuck side.
        (format!("kigogo {E12}/{E12}/{}/{} S 0", ones(12), ones(12)), win(north, EndReason::Immobile), 0),
        (format!("kigogo {}/{E12}/{}/{} S 0", ones(12), ones(12), ones(12)), win(north, EndReason::Immobile), 0),
        // The other side has nothing at all: the side to move has won, and nobody moves any more.
        (format!("kigogo {E12}/{E12}/2,0,0,0,0,0,0,0,0,0,0,0/{E12} S 0"), win(south, EndReason::NoSeeds), 0),
        (format!("kimasai {E12}/0,1,0,0,0,0,0,0,0,0,0,0/{E12}/{E12} N 0"), win(north, EndReason::NoSeeds), 0),
        (format!("kiswahili {E8}/{E8}/2,0,0,0,0,0,0,0/{E8} S 0,0 - - 0"), win(south, EndReason::NoSeeds), 0),
        // Stuck singletons: lost, although the other side has nothing.
        (format!("kiswahili {E8}/{E8}/1,1,0,0,0,0,0,0/{E8} S 0,0 - - 0"), win(north, EndReason::Immobile), 0),
        // The same with a reserve can move, and wins at once.
        (format!("kiswahili {E8}/{E8}/1,1,0,0,0,0,0,0/{E8} S 1,0 - - 0"), win(south, EndReason::NoSeeds), 0),
        // An empty front row is lost whatever stands behind or in reserve.
        (format!("kiswahili {E8}/{E8}/{E8}/0,9,9,0,0,0,0,0 S 5,0 S - 0"), win(north, EndReason::FrontRowEmpty), 0),
        (
            format!("kiswahili {E8}/1,1,1,1,1,1,1,1/{E8}/9,9,0,0,0,0,0,0 S 0,0 - - 0"),
            win(north, EndReason::FrontRowEmpty),
            0,
        ),
        // The side not to move has a bare front row but seeds behind, or only a reserve: not over; two pits, two ways.
        (format!("kiswahili 0,0,0,0,0,0,0,1/{E8}/0,2,0,2,0,0,0,0/{E8} S 0,0 - - 0"), None, 4),
        (format!("kiswahili {E8}/{E8}/0,2,0,2,0,0,0,0/{E8} S 0,1 - - 0"), None, 4),
        // Singletons in front, but pairs behind.
        (format!("kiswahili {E8}/0,0,0,0,0,0,0,1/0,1,0,0,0,0,0,0/0,2,0,0,0,0,0,0 S 0,0 - - 0"), None, 2),
        // Rule S10: a lone kichwa goes towards the centre only.
        (format!("kiswahili {E8}/1,0,0,0,0,0,0,0/0,0,0,0,0,0,0,3/{E8} N 0,3 - - 0"), None, 1),
        (format!("kiswahili {E8}/0,1,0,0,0,0,0,0/3,0,0,0,0,0,0,0/{E8} S 0,0 - - 0"), None, 1),
        (format!("kiswahili {E8}/0,1,0,0,0,0,0,0/0,0,0,0,0,0,0,3/{E8} S 3,0 - - 0"), None, 1),
    ];
    let choices: Vec<u16> = (0..RECORD_PLIES as u16).collect();
    for (text, outcome, moves) in table {
        let setup = read(&text);
        let position = AnyPosition::from_setup(&setup).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(position.outcome(), outcome, "{text}");
        assert_eq!(position.legal_moves().len(), moves, "{text}");
        assert_eq!(GameRecord::new(position).outcome(), outcome, "{text}");
        exercise(&setup, &choices, 7);
    }
}

/// Every reason for a refusal, on the nearest setup that is refused.
#[test]
fn a_setup_outside_rule_g6_is_refused_with_the_reason() {
    const E8: &str = "0,0,0,0,0,0,0,0";
    const E12: &str = "0,0,0,0,0,0,0,0,0,0,0,0";
    let shut = "expected at most";
    let table = [
        (
            format!("kigogo {E12}/{E12}/{E12}/0,0,0,0,0,0,0,0,0,0,0,47 S 0"),
            format!("South holds 47 seeds, {shut} 46, the number at the start"),
        ),
        (
            format!("kigogo {E12}/{E12}/0,46,0,0,0,0,0,0,0,0,0,1/{E12} S 0"),
            format!("South holds 47 seeds, {shut} 46, the number at the start"),
        ),
        (
            format!("kigogo {E12}/23,0,0,0,0,0,0,0,0,0,0,24/{E12}/{E12} S 0"),
            format!("North holds 47 seeds, {shut} 46, the number at the start"),
        ),
        (
            format!("kimasai {}/{}/{E12}/{E12} S 0", ones(12), ones(12)),
            format!("North holds 24 seeds, {shut} 23, the number at the start"),
        ),
        (format!("kimasai {E12}/{E12}/{E12}/0,0,2,0,0,0,0,0,0,0,0,0 S 0"), "B3 holds 2 seeds, expected 0 or 1".into()),
        (format!("kimasai {E12}/0,255,0,0,0,0,0,0,0,0,0,0/{E12}/{E12} S 0"), "a11 holds 255 seeds, expected 0 or 1".into()),
        (
            format!("kiswahili {E8}/{E8}/{E8}/1,0,0,0,0,0,0,64 S 0,0 - - 0"),
            format!("pits and reserves hold 65 seeds in all, {shut} 64"),
        ),
        (
            format!("kiswahili {E8}/{E8}/{E8}/255,255,255,255,255,255,255,255 S 255,255 - - 0"),
            format!("pits and reserves hold 2550 seeds in all, {shut} 64"),
        ),
        (
            format!("kiswahili {E8}/1,0,0,0,0,0,0,0/{E8}/{E8} S 23,0 - - 0"),
            format!("the reserve of South is 23, {shut} 22"),
        ),
        (
            format!("kiswahili {E8}/1,0,0,0,0,0,0,0/{E8}/{E8} S 0,64 - - 0"),
            format!("pits and reserves hold 65 seeds in all, {shut} 64"),
        ),
        (
            format!("kiswahili {E8}/1,0,0,0,0,0,0,0/{E8}/{E8} S 0,63 - - 0"),
            format!("the reserve of North is 63, {shut} 22"),
        ),
        // Takasia; the board on which a2 is taken first, then one change a time.
        (
            format!("kiswahili {E8}/0,0,2,0,0,0,2,0/0,0,0,3,1,1,1,0/{E8} N 0,0 - b2 1"),
            "b2 cannot be takasiaed: expected a front pit of the side to move".into(),
        ),
        (
            format!("kiswahili {E8}/0,0,2,0,0,0,2,0/0,0,0,3,1,1,1,0/{E8} N 0,0 - A7 1"),
            "A7 cannot be takasiaed: expected a front pit of the side to move".into(),
        ),
        (
            format!("kiswahili {E8}/0,0,2,0,0,0,2,0/0,0,0,3,1,1,1,0/{E8} N 0,0 - a1 1"),
            "a1 cannot be takasiaed: the pit is empty".into(),
        ),
        (
            format!("kiswahili {E8}/0,0,2,0,0,0,2,0/0,0,0,3,1,1,1,0/{E8} N 1,0 - a2 1"),
            "a2 cannot be takasiaed: both reserves must be empty".into(),
        ),
        (
            format!("kiswahili 0,0,0,2,0,0,0,0/0,0,2,0,0,0,2,0/0,0,0,3,1,1,1,0/{E8} N 0,0 - a6 1"),
            "a6 cannot be takasiaed: it is not the one pit that the opponent's captures aim at".into(),
        ),
        (
            format!("kiswahili {E8}/0,0,0,1,0,0,2,0/0,0,0,3,1,1,1,0/0,2,0,0,0,0,0,0 S 0,0 - A4 1"),
            "A4 cannot be takasiaed: the side to move has a capture".into(),
        ),
        (
            format!("kiswahili {E8}/0,0,1,0,0,0,2,0/0,0,0,3,1,1,1,0/{E8} N 0,0 - a2 1"),
            "a2 cannot be takasiaed: it is a functional house, the only occupied front pit or the only one with two or \
             more seeds"
                .into(),
        ),
        (
            format!("kiswahili {E8}/0,0,2,0,0,0,2,0/2,0,1,3,1,1,1,0/{E8} N 0,0 - a2 1"),
            "a2 cannot be takasiaed: it is not the one pit that the opponent's captures aim at".into(),
        ),
    ];
    for (text, expected) in table {
        let refused = AnyPosition::from_setup(&read(&text)).expect_err(&text);
        assert_eq!(refused.to_string(), expected, "{text}");
    }
    let mut plain = AnyPosition::start(Variant::Kigogo).to_setup();
    plain.reserves = [0, 1];
    let refused = AnyPosition::from_setup(&plain).expect_err("a reserve in Kigogo");
    assert_eq!(refused.to_string(), "kigogo has no reserves, houses or takasia");
    let foreign = Kimasai::from_setup(&AnyPosition::start(Variant::Kigogo).to_setup()).expect_err("of Kigogo");
    assert_eq!(foreign.to_string(), "the board is one of kigogo, expected one of kimasai");
}

/// The largest ply of the position text is a position like any other.
#[test]
fn a_position_at_the_largest_ply_can_be_played() {
    for variant in Variant::ALL {
        let mut setup = AnyPosition::start(variant).to_setup();
        setup.ply = u32::MAX;
        let mut position = AnyPosition::from_setup(&setup).expect("a position");
        let m = position.legal_moves()[0];
        position.play(m).expect("a legal move");
    }
}

fn ones(columns: usize) -> String {
    vec!["1"; columns].join(",")
}
