//! Both sources of openings as a match uses them.

use super::*;
use crate::game::Variant::{Kigogo, Kimasai, Kiswahili};
use proptest::prelude::*;
use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::Path;

fn random(variant: Variant, plies: u32, start: u32, count: usize, seed: u64) -> Result<Vec<String>, String> {
    let source = OpeningSource::Random { plies, start };
    let drawn = openings(&source, &Variant::ALL, variant, count, seed);
    drawn.map(|drawn| drawn.iter().map(text).collect()).map_err(|error| error.to_string())
}

fn different(texts: &[String]) -> usize {
    texts.iter().collect::<BTreeSet<_>>().len()
}

#[test]
fn few_positions_are_all_found() {
    for (variant, plies, all) in [(Kimasai, 1, 1), (Kimasai, 4, 7), (Kiswahili, 1, 4), (Kigogo, 1, 23)] {
        let drawn = random(variant, plies, 0, all, 3).unwrap();
        assert_eq!(different(&drawn), all);
        assert!(random(variant, plies, 0, all + 1, 3).is_err(), "{variant} {plies}");
    }
}

#[test]
fn too_few_positions_name_the_plies_that_suffice() {
    for (variant, plies, start, count, message) in [
        (
            Kimasai,
            4,
            0,
            100,
            "kimasai has 7 undecided positions after 4 plies, 100 are needed: expected plies=8 or more",
        ),
        (Kiswahili, 1, 0, 5, "kiswahili has 4 undecided positions after 1 ply, 5 are needed: expected plies=2 or more"),
        (Kigogo, 0, 0, 2, "kigogo has 1 undecided position after 0 plies, 2 are needed: expected plies=1 or more"),
        (Kimasai, 4, 5, 3, "kimasai has 7 undecided positions after 4 plies, 8 are needed: expected plies=5 or more"),
    ] {
        assert_eq!(random(variant, plies, start, count, 1), Err(message.to_owned()));
    }
    assert_eq!(random(Kimasai, 8, 0, 100, 1).unwrap().len(), 100);
    assert!(random(Kimasai, 7, 0, 100, 1).is_err());
    let late = random(Kimasai, 4000, 0, 5, 1).unwrap_err();
    let expected = "random play of kimasai finds 0 undecided positions after 4000 plies, 5 are needed: \
                    expected fewer plies, such as plies=4";
    assert_eq!(late, expected);
}

/// All undecided positions at the end of games of so many plies, move for move.
fn all_by_play(game: &crate::game::GameRecord, plies: u32, found: &mut BTreeSet<String>) {
    if plies == 0 {
        found.extend(game.outcome().is_none().then(|| text(game.position())));
        return;
    }
    for m in game.legal_moves() {
        let mut next = game.clone();
        next.play(m).unwrap();
        all_by_play(&next, plies - 1, found);
    }
}

#[test]
fn what_is_listed_is_what_can_be_played() {
    for (variant, plies) in [(Kimasai, 9), (Kiswahili, 6), (Kigogo, 3)] {
        let mut all = BTreeSet::new();
        all_by_play(&crate::game::GameRecord::of_variant(variant), plies, &mut all);
        let drawn: BTreeSet<String> = random(variant, plies, 0, all.len(), 5).unwrap().into_iter().collect();
        assert_eq!(drawn, all, "{variant}");
        assert!(random(variant, plies, 0, all.len() + 1, 5).is_err());
    }
}

#[test]
fn the_start_position_is_one_opening() {
    assert_eq!(random(Kigogo, 0, 0, 1, 1).unwrap(), [text(&AnyPosition::start(Kigogo))]);
    assert_eq!(random(Kigogo, 0, 0, 0, 1), Ok(Vec::new()));
}

#[test]
fn random_openings_are_the_same_everywhere() {
    // Written down once: another machine, and a later version, must draw the same.
    let drawn = random(Kiswahili, 8, 0, 2, 1).unwrap();
    assert_eq!(drawn, EIGHT_PLIES);
    assert_eq!(random(Kimasai, 5, 0, 1, 1).unwrap(), FIVE_PLIES);
}

const EIGHT_PLIES: [&str; 2] = [
    "kiswahili 1,1,0,0,0,0,0,0/0,7,3,0,4,2,1,0/0,0,0,0,1,2,4,0/0,0,0,0,0,0,1,1 S 18,18 - - 8",
    "kiswahili 0,0,0,0,0,0,0,0/3,1,4,0,0,0,1,2/0,3,0,3,9,1,1,0/0,0,0,0,0,0,0,0 S 18,18 S - 8",
];
const FIVE_PLIES: [&str; 1] =
    ["kimasai 1,0,1,1,1,1,1,1,1,1,1,1/0,0,1,1,1,1,1,1,1,1,0,1/1,1,0,1,1,1,1,1,1,1,1,0/1,1,1,1,1,1,1,1,1,1,0,1 N 5"];

#[test]
fn a_thousand_openings_of_each_game() {
    for variant in Variant::ALL {
        let drawn = openings(&OpeningSource::Random { plies: 12, start: 0 }, &[variant], variant, 1000, 9).unwrap();
        assert_eq!(different(&drawn.iter().map(text).collect::<Vec<_>>()), 1000);
        for position in drawn {
            assert_eq!((position.ply(), position.outcome()), (12, None));
        }
    }
}

#[test]
fn shuffles_have_no_favourites() {
    // Each of the 24 orders of four items is expected 1,000 times, with a standard deviation of 31.
    let mut counts: HashMap<[u8; 4], u32> = HashMap::new();
    let mut rng = generator(4);
    for _ in 0..24_000 {
        let mut items = [0, 1, 2, 3];
        shuffle(&mut items, &mut rng);
        *counts.entry(items).or_default() += 1;
    }
    assert_eq!(counts.len(), 24);
    assert!(counts.values().all(|n| (850..1150).contains(n)), "{counts:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Passing over some openings, or asking for more, takes another part of the same sequence; another seed another one.
    #[test]
    fn start_and_count_cut_one_sequence(
        variant in proptest::sample::select(&Variant::ALL[..]),
        plies in 7..12_u32,
        start in 0..20_u32,
        count in 1..20_usize,
        seed in 0..1_u64 << 53,
    ) {
        let whole = random(variant, plies, 0, 40, seed).unwrap();
        prop_assert_eq!(different(&whole), 40);
        let from = start as usize;
        prop_assert_eq!(&random(variant, plies, start, count, seed).unwrap()[..], &whole[from..from + count]);
        prop_assert_ne!(random(variant, plies, 0, 40, seed + 1).unwrap(), whole);
    }
}

/// A file of openings that is gone when the test is over.
struct Book(PathBuf);

impl Book {
    fn new(name: &str, content: &[u8]) -> Book {
        let path = std::env::temp_dir().join(format!("kete-openings-{}-{name}", std::process::id()));
        fs::write(&path, content).unwrap();
        Book(path)
    }

    fn take(&self, order: Order, start: u32, variant: Variant, count: usize) -> Result<Vec<String>, String> {
        let source = OpeningSource::File { path: self.0.clone(), order, start };
        let taken = openings(&source, &[variant], variant, count, 11);
        let name = self.0.display().to_string();
        taken.map(|t| t.iter().map(text).collect()).map_err(|e| e.to_string().replace(&name, "BOOK"))
    }
}

impl Drop for Book {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// The 23 first moves of Kigogo, a line each.
fn first_moves() -> String {
    let start = AnyPosition::start(Kigogo);
    let side = start.side_to_move();
    start.legal_moves().iter().map(|&m| format!("startpos moves {}\n", crate::notation::move_text(m, side))).collect()
}

#[test]
fn a_book_is_taken_in_its_order_and_goes_round() {
    let book = Book::new("order", first_moves().as_bytes());
    let all = book.take(Order::Sequential, 0, Kigogo, 23).unwrap();
    assert_eq!(different(&all), 23);
    let mut turned = all.clone();
    turned.rotate_left(20);
    assert_eq!(book.take(Order::Sequential, 20, Kigogo, 23).unwrap(), turned);
    assert_eq!(book.take(Order::Sequential, 43, Kigogo, 5).unwrap(), turned[..5]);
    let shuffled = book.take(Order::Random, 0, Kigogo, 23).unwrap();
    assert_ne!(shuffled, all);
    assert_eq!(different(&shuffled), 23);
    assert_eq!(book.take(Order::Random, 4, Kigogo, 6).unwrap(), shuffled[4..10]);
}

#[test]
fn a_book_counts_a_position_once_and_says_if_it_is_short() {
    let content =
        "\u{feff}# book\r\n\r\nstartpos\r\nkigogo startpos moves\nkimasai startpos moves A2\nstartpos moves A5";
    let book = Book::new("twice", content.as_bytes());
    assert_eq!(different(&book.take(Order::Sequential, 0, Kigogo, 2).unwrap()), 2);
    let short = book.take(Order::Sequential, 0, Kigogo, 3).unwrap_err();
    assert_eq!(short, "BOOK has 2 different openings of kigogo, expected at least 3");
    let board = text(&AnyPosition::start(Kimasai));
    let later = board.replace(" S 0", " S 6");
    let book = Book::new("ply", format!("{later}\n{board}\n").as_bytes());
    assert_eq!(book.take(Order::Random, 9, Kimasai, 1).unwrap(), [later]);
    let short = book.take(Order::Random, 9, Kimasai, 2).unwrap_err();
    assert_eq!(short, "BOOK has 1 different opening of kimasai, expected at least 2");
}

#[test]
fn faults_of_a_book_have_their_place() {
    let faulty = |name, content: &[u8]| Book::new(name, content).take(Order::Sequential, 0, Kigogo, 1).unwrap_err();
    let column = faulty("column", b"startpos\n\n  startpos moves A5 zz\r\n");
    assert!(column.starts_with("BOOK, line 3, column 21: move 2, \"zz\": \"zz\" is not a move"), "{column}");
    assert_eq!(faulty("bytes", b"# \xc3\xa9\n# \xc3\xa9\xff"), "BOOK, line 2, column 4: not a text: expected UTF-8");
    let source = OpeningSource::File { path: Path::new("/no/such/book").into(), order: Order::Sequential, start: 0 };
    let missing = openings(&source, &[Kigogo], Kigogo, 1, 0).unwrap_err().to_string();
    assert!(missing.starts_with("/no/such/book: "), "{missing}");
}

#[test]
fn texts_are_given_by_game() {
    let source = OpeningSource::Random { plies: 6, start: 0 };
    let texts = opening_texts(&source, &[Kimasai, Kigogo], 3, 2).unwrap();
    assert_eq!(texts.keys().collect::<Vec<_>>(), ["kigogo", "kimasai"]);
    assert_eq!(texts["kimasai"], random(Kimasai, 6, 0, 3, 2).unwrap());
}
