//! What the games of a file are like.

use super::{Scratch, settings};
use crate::datagen::{Board, DataError, DataFile, MoverResult, Record, Settings, Summary, Tally};
use crate::game::{AnyPosition, GameResult, Pit, Row, Setup, Side, Variant};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

/// The records of a file by their game.
fn games(path: &Path) -> BTreeMap<u32, Vec<Record>> {
    let mut file = DataFile::open(path).unwrap();
    let mut games: BTreeMap<u32, Vec<Record>> = BTreeMap::new();
    while let Some(chunk) = file.next_chunk().unwrap() {
        assert!(chunk.records().is_sorted_by_key(|record| record.game), "games follow each other");
        for record in chunk.records() {
            assert!((chunk.first_game..chunk.first_game + chunk.games).contains(&record.game));
            games.entry(record.game).or_default().push(record);
        }
    }
    assert_eq!(file.next_game(), file.header().games);
    games
}

/// The position of a board, as if South were the mover.
fn position(variant: Variant, board: &Board) -> AnyPosition {
    let mut setup = Setup::empty(variant);
    for (side, s) in [(Side::South, 0), (Side::North, 1)] {
        for index in 0..2 * usize::from(variant.columns()) {
            let number = |n: usize| u8::try_from(n).unwrap();
            let (pit, count) = match variant {
                Variant::Kiswahili if index < 8 => (Pit::new(Row::Front, number(index + 1)), board[16 * s + index]),
                Variant::Kiswahili => (Pit::new(Row::Back, number(16 - index)), board[16 * s + index]),
                _ => {
                    let (row, n) = if index < 12 { (Row::Back, index + 1) } else { (Row::Front, 24 - index) };
                    let count = if variant == Variant::Kigogo {
                        board[24 * s + index]
                    } else {
                        board[3 * s + index / 8] >> (index % 8) & 1
                    };
                    (Pit::new(row, number(n)), count)
                }
            };
            setup.set_count(side, pit.unwrap(), count);
        }
    }
    if variant == Variant::Kiswahili {
        setup.reserves = [board[32], board[33]];
        setup.houses = [board[34] & 1 != 0, board[34] & 2 != 0];
        setup.takasia = Pit::new(Row::Front, board[35]).map(|pit| (Side::South, pit));
    }
    AnyPosition::from_setup(&setup).unwrap()
}

#[test]
fn results_are_those_of_the_games() {
    for variant in Variant::ALL {
        let file = Scratch::new(&format!("results-{variant}"));
        file.generate(&settings(variant, 100), 2).unwrap();
        let games = games(&file.0);
        let mut decided = 0;
        for records in games.values() {
            let after = |from: &Record| {
                let start = position(variant, &from.board);
                let mut next: Vec<AnyPosition> = Vec::new();
                for m in start.legal_moves() {
                    next.push(start.clone());
                    next.last_mut().unwrap().play(m).unwrap();
                }
                next
            };
            for pair in records.windows(2) {
                assert_eq!(pair[0].result as u8 + pair[1].result as u8, 2, "movers take turns");
                let successors = after(&pair[0]);
                let reached = |p: &AnyPosition| crate::datagen::record::board(p) == pair[1].board;
                assert!(successors.iter().any(reached), "a position of {variant} does not follow from the one before");
            }
            // The last position has a move that ends the game as the file says.
            let last = records.last().unwrap();
            let end = match last.result {
                MoverResult::Win => GameResult::Win(Side::South),
                MoverResult::Loss => GameResult::Win(Side::North),
                MoverResult::Draw => continue,
            };
            decided += 1;
            assert!(after(last).iter().any(|p| p.outcome().is_some_and(|o| o.result == end)), "{variant} {last:?}");
        }
        assert!(decided > 60, "{variant}: {decided}");
    }
}

#[test]
fn the_summary_adds_up_what_is_in_the_file() {
    let file = Scratch::new("adds-up");
    let summary = file.generate(&settings(Variant::Kigogo, 70), 2).unwrap();
    let records: Vec<Record> = games(&file.0).into_values().flatten().collect();
    let count = |wanted: &dyn Fn(&Record) -> bool| records.iter().filter(|r| wanted(r)).count() as u64;
    let expected = Tally {
        games: 70,
        positions: records.len() as u64,
        proved: count(&|r| r.score.unsigned_abs() >= 30_000),
        wins: count(&|r| r.result == MoverResult::Win),
        draws: count(&|r| r.result == MoverResult::Draw),
        losses: count(&|r| r.result == MoverResult::Loss),
    };
    assert_eq!(summary.tally, expected);
    assert!(expected.proved > 0 && expected.wins > 0, "{expected:?}");
}

#[test]
fn openings_have_every_length_and_long_games_are_drawn() {
    let file = Scratch::new("lengths");
    let short = Settings { opening_plies: (4, 10), max_plies: 16, ..settings(Variant::Kimasai, 100) };
    file.generate(&short, 2).unwrap();
    let games = games(&file.0);
    // No game of Bao la Kimasai ends in so few plies.
    assert!(games.values().flatten().all(|r| r.result == MoverResult::Draw));
    let lengths: BTreeSet<usize> = games.values().map(Vec::len).collect();
    assert_eq!(lengths, (6..=12).collect());
}

#[test]
fn a_game_that_ends_in_its_opening_has_no_records_but_counts() {
    let file = Scratch::new("opening");
    let long = Settings { opening_plies: (60, 60), ..settings(Variant::Kiswahili, 100) };
    let summary = file.generate(&long, 2).unwrap();
    let recorded = games(&file.0).len();
    assert_eq!(summary.tally.games, 100);
    assert!((1..90).contains(&recorded), "{recorded}");
}

#[test]
fn random_moves_begin_behind_the_opening_and_are_as_frequent_as_asked() {
    let play = |random_moves| {
        let file = Scratch::new(&format!("random-{random_moves}"));
        file.generate(&Settings { random_moves, ..settings(Variant::Kigogo, 100) }, 2).unwrap();
        games(&file.0)
    };
    let [never, seldom, always] = [0, 10, 100].map(play);
    let boards = |games: &BTreeMap<u32, Vec<Record>>, ply: usize| -> Vec<Board> {
        (0..100).filter_map(|game| games[&game].get(ply)).map(|record| record.board.clone()).collect()
    };
    assert_eq!(boards(&never, 0), boards(&always, 0));
    let same = |a, b| {
        let (a, b) = (boards(a, 1), boards(b, 1));
        a.iter().zip(&b).filter(|(a, b)| a == b).count()
    };
    assert!((80..100).contains(&same(&never, &seldom)), "{}", same(&never, &seldom));
    assert!(same(&never, &always) < 40, "{}", same(&never, &always));
}

#[test]
fn another_seed_gives_other_games() {
    let first_boards = |seed| {
        let file = Scratch::new(&format!("seed-{seed}"));
        file.generate(&Settings { seed, ..settings(Variant::Kigogo, 50) }, 2).unwrap();
        games(&file.0).into_values().map(|records| records[0].board.clone()).collect::<BTreeSet<_>>()
    };
    let (one, two) = (first_boards(1), first_boards(2));
    assert!(one.len() > 45, "{} different openings of 50", one.len());
    assert!(one.intersection(&two).count() < 5);
}

#[test]
fn settings_that_cannot_be_meant_make_no_file() {
    let file = Scratch::new("meant");
    let good = settings(Variant::Kigogo, 10);
    for (settings, word) in [
        (Settings { games: 0, ..good.clone() }, "games"),
        (Settings { nodes: 0, ..good.clone() }, "nodes"),
        (Settings { random_moves: 101, ..good.clone() }, "101"),
        (Settings { opening_plies: (9, 8), ..good.clone() }, "9..8"),
        (Settings { max_plies: 24, ..good.clone() }, "after 24"),
    ] {
        let error = file.generate(&settings, 1).unwrap_err();
        assert!(matches!(&error, DataError::Settings(text) if text.contains(word)), "{error}");
        assert!(!file.0.exists());
    }
}

#[test]
fn a_summary_is_a_line() {
    let mut summary = Summary {
        tally: Tally { games: 10, positions: 1000, proved: 125, wins: 500, draws: 20, losses: 480 },
        first_game: 0,
        cut: 0,
        elapsed: Duration::from_millis(2540),
        out: "a.kdata".into(),
    };
    let line =
        "a.kdata: 10 games, 1000 positions, 12.5 % of them proved; for the mover 500 won, 20 drawn, 480 lost; 2.5 s";
    assert_eq!(summary.to_string(), line);
    (summary.first_game, summary.cut) = (64, 3);
    assert_eq!(summary.to_string(), format!("{line} from game 64 on; 3 bytes of an unfinished chunk were cut off"));
}
