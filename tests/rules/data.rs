//! The worked positions, whole games and perft counts of the rule book's data, all of them.

use kete::game::{
    AnyPosition, EndReason, GameRecord, GameResult, Kigogo, Kimasai, Kiswahili, Outcome, Side, Variant, perft,
};
use kete::notation::{move_text, parse_move, parse_setup, position_text};
use serde_json::Value;
use std::sync::atomic::{AtomicUsize, Ordering};

fn data(name: &str) -> Vec<Value> {
    let path = format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{path}: {e}"))
}

fn text<'a>(row: &'a Value, key: &str) -> &'a str {
    row[key].as_str().unwrap_or_else(|| panic!("{key} of {row}"))
}

fn variant(row: &Value) -> Variant {
    Variant::from_name(text(row, "variant")).expect("a variant")
}

fn position(row: &Value, key: &str) -> AnyPosition {
    let setup = parse_setup(text(row, key), variant(row)).unwrap_or_else(|e| panic!("{}: {e}", row["id"]));
    AnyPosition::from_setup(&setup).unwrap_or_else(|e| panic!("{}: {e}", row["id"]))
}

fn strings(list: &Value) -> Vec<&str> {
    list.as_array().expect("a list").iter().map(|m| m.as_str().expect("a move")).collect()
}

fn result_word(outcome: Option<Outcome>) -> &'static str {
    match outcome.map(|o| o.result) {
        None => "none",
        Some(GameResult::Win(Side::South)) => "win S",
        Some(GameResult::Win(Side::North)) => "win N",
        Some(GameResult::Draw) => "draw",
    }
}

#[test]
fn every_worked_position_has_its_moves_and_its_result() {
    let rows = data("worked.json");
    assert_eq!(rows.len(), 109);
    for row in &rows {
        let id = &row["id"];
        let before = position(row, "position");
        let mover = before.side_to_move();
        let mut legal: Vec<String> = before.legal_moves().iter().map(|&m| move_text(m, mover).to_string()).collect();
        legal.sort();
        let mut expected = strings(&row["legal"]);
        expected.sort();
        assert_eq!(legal, expected, "{id}");

        let mut record = GameRecord::new(before.clone());
        let Some(played) = row["move"].as_str() else {
            assert_eq!(result_word(record.outcome()), text(row, "result"), "{id}");
            continue;
        };
        let m = parse_move(played, &before).unwrap_or_else(|e| panic!("{id}: {e}"));
        let completion = before.clone().play(m).unwrap_or_else(|e| panic!("{id}: {e}"));
        assert_eq!(completion.laps, row["laps"].as_u64().expect("laps"), "{id}");
        record.play(m).unwrap_or_else(|e| panic!("{id}: {e}"));
        assert_eq!(position_text(&record.position().to_setup()).to_string(), text(row, "after"), "{id}");
        assert_eq!(result_word(record.outcome()), text(row, "result"), "{id}");
        if let Some(refused) = row.get("never_ending") {
            for never in strings(refused) {
                let m = parse_move(never, &before).unwrap_or_else(|e| panic!("{id}: {e}"));
                assert!(before.clone().play(m).is_err(), "{id}: {never}");
            }
        }
    }
}

#[test]
fn every_game_replays_to_its_end() {
    let rows = data("games.json");
    assert_eq!(rows.len(), 22);
    for row in &rows {
        let id = &row["id"];
        let start =
            if text(row, "start") == "startpos" { AnyPosition::start(variant(row)) } else { position(row, "start") };
        let mut record = GameRecord::new(start);
        for (ply, played) in strings(&row["moves"]).into_iter().enumerate() {
            assert_eq!(record.outcome(), None, "{id}: over before ply {ply}");
            let m = parse_move(played, record.position()).unwrap_or_else(|e| panic!("{id}: {e}"));
            record.play(m).unwrap_or_else(|e| panic!("{id} ply {ply}: {e}"));
        }
        assert_eq!(position_text(&record.position().to_setup()).to_string(), text(row, "final"), "{id}");
        assert_eq!(result_word(record.outcome()), text(row, "result"), "{id}");
        assert_eq!(record.moves().len() as u64, row["plies"].as_u64().expect("plies"), "{id}");
        match id.as_str().unwrap_or_default() {
            "kigogo_repetition" | "kiswahili_repetition" | "kigogo_cycle20" => {
                assert_eq!(record.outcome(), Some(Outcome::draw(EndReason::Repetition)), "{id}");
            }
            "kigogo_endless" => {
                assert_eq!(record.outcome(), Some(Outcome::draw(EndReason::EndlessRelay)), "{id}");
            }
            _ => {}
        }
    }
}

/// Counts of more leaves than this are left to `the_long_perft_counts`.
const SHORT: u64 = 8_000_000;

fn check_perft(row: &Value, keep: impl Fn(u64) -> bool) -> usize {
    let position = position(row, "position");
    let mut checked = 0;
    for (i, expected) in row["perft"].as_array().expect("counts").iter().enumerate() {
        let expected = expected.as_u64().expect("a count");
        if !keep(expected) {
            continue;
        }
        let depth = i as u32 + 1;
        let go_on = &mut || true;
        let leaves = match &position {
            AnyPosition::Kiswahili(p) => perft::<Kiswahili>(p, depth, go_on),
            AnyPosition::Kigogo(p) => perft::<Kigogo>(p, depth, go_on),
            AnyPosition::Kimasai(p) => perft::<Kimasai>(p, depth, go_on),
        };
        assert_eq!(leaves, Some(expected), "{} depth {depth}", row["id"]);
        checked += 1;
    }
    checked
}

/// Checks all rows on two threads and returns how many counts there were.
fn check_all_perft(keep: impl Fn(u64) -> bool + Sync) -> usize {
    let rows = data("perft.json");
    assert_eq!(rows.len(), 42);
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let worker = || {
            let mut checked = 0;
            while let Some(row) = rows.get(next.fetch_add(1, Ordering::Relaxed)) {
                checked += check_perft(row, &keep);
            }
            checked
        };
        let other = scope.spawn(worker);
        worker() + other.join().expect("the other half")
    })
}

#[test]
fn every_perft_count_up_to_eight_million_leaves() {
    assert!(check_all_perft(|leaves| leaves <= SHORT) > 300);
}

#[test]
#[ignore = "minutes; run on demand with --run-ignored or --ignored"]
fn the_long_perft_counts() {
    assert!(check_all_perft(|leaves| leaves > SHORT) >= 5);
}
