//! What the rule tests share: boards written pit by pit, and short ways to ask for moves and results.

use kete::game::{AnyPosition, EndReason, GameRecord, GameResult, Move, Outcome, Setup, SetupError, Side, Variant};
use kete::notation::{PositionTextError, move_text, parse_move, parse_setup, position_text};

/// The four printed rows of a board (rules G2, G6) on which only the named pits hold seeds: `"A3=2 b10=4"`.
pub fn rows(columns: usize, pits: &str) -> String {
    let mut counts = [const { [0_u32; 13] }; 4];
    for pit in pits.split_whitespace() {
        let (name, count) = pit.split_once('=').expect("pit=count");
        let row = "baAB".find(&name[..1]).expect("a row letter");
        let number: usize = name[1..].parse().expect("a pit number");
        assert!((1..=columns).contains(&number), "{pit}");
        counts[row][number] = count.parse().expect("a count");
    }
    let printed = counts.iter().enumerate().map(|(row, counts)| {
        let mut texts: Vec<String> = counts[1..=columns].iter().map(u32::to_string).collect();
        if row < 2 {
            texts.reverse();
        }
        texts.join(",")
    });
    printed.collect::<Vec<_>>().join("/")
}

/// The text of a Kigogo position: the named pits, then `SIDE PLY`.
pub fn kigogo(pits: &str, rest: &str) -> String {
    format!("kigogo {} {rest}", rows(12, pits))
}

/// The text of a Kimasai position: the named pits, then `SIDE PLY`. A pit without a count holds one seed.
pub fn kimasai(pits: &str, rest: &str) -> String {
    let pits: Vec<String> =
        pits.split_whitespace().map(|p| if p.contains('=') { p.to_owned() } else { format!("{p}=1") }).collect();
    format!("kimasai {} {rest}", rows(12, &pits.join(" ")))
}

/// The text of a Kiswahili position: the named pits, then `SIDE RESERVES HOUSES TAKASIA PLY`.
pub fn kiswahili(pits: &str, rest: &str) -> String {
    format!("kiswahili {} {rest}", rows(8, pits))
}

/// The game that a position text begins with.
pub fn variant_of(text: &str) -> Variant {
    text.split_whitespace().next().and_then(Variant::from_name).unwrap_or_else(|| panic!("no variant: {text}"))
}

pub fn setup(text: &str) -> Setup {
    parse_setup(text, variant_of(text)).unwrap_or_else(|e| panic!("{text}: {e}"))
}

pub fn position(text: &str) -> AnyPosition {
    AnyPosition::from_setup(&setup(text)).unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// The legal moves as text, in alphabetical order.
pub fn legal(text: &str) -> Vec<String> {
    legal_texts(&position(text))
}

pub fn legal_texts(position: &AnyPosition) -> Vec<String> {
    let mover = position.side_to_move();
    let mut moves: Vec<String> = position.legal_moves().iter().map(|&m| move_text(m, mover).to_string()).collect();
    moves.sort();
    moves
}

/// Asserts that exactly these moves are legal: `"A3L A3R"`.
#[track_caller]
pub fn assert_legal(text: &str, moves: &str) {
    let mut expected: Vec<&str> = moves.split_whitespace().collect();
    expected.sort_unstable();
    assert_eq!(legal(text), expected, "{text}");
}

/// The move that a token stands for.
pub fn a_move(text: &str, position: &AnyPosition) -> Move {
    parse_move(text, position).unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// A game from that position in which those moves were played.
#[track_caller]
pub fn record(text: &str, moves: &str) -> GameRecord {
    let mut record = GameRecord::new(position(text));
    for token in moves.split_whitespace() {
        let m = a_move(token, record.position());
        record.play(m).unwrap_or_else(|e| panic!("{token} in {}: {e}", text_of(record.position())));
    }
    record
}

pub fn text_of(position: &AnyPosition) -> String {
    position_text(&position.to_setup()).to_string()
}

/// Asserts the position after those moves, and that the game goes on.
#[track_caller]
pub fn assert_after(before: &str, moves: &str, after: &str) {
    let record = record(before, moves);
    assert_eq!(text_of(record.position()), after, "{before} {moves}");
    assert_eq!(record.outcome(), None, "{before} {moves}");
}

/// Asserts the position after those moves, and that they ended the game like that.
#[track_caller]
pub fn assert_ends(before: &str, moves: &str, after: &str, outcome: Outcome) {
    let record = record(before, moves);
    assert_eq!(text_of(record.position()), after, "{before} {moves}");
    assert_eq!(record.outcome(), Some(outcome), "{before} {moves}");
}

/// Asserts that the position is valid and over like that.
#[track_caller]
pub fn assert_over(text: &str, outcome: Outcome) {
    let position = position(text);
    assert_eq!(position.outcome(), Some(outcome), "{text}");
    assert!(position.legal_moves().is_empty(), "{text}");
    assert_eq!(GameRecord::new(position).outcome(), Some(outcome), "{text}");
}

/// How many laps a move has.
#[track_caller]
pub fn laps(text: &str, token: &str) -> u64 {
    let mut position = position(text);
    let m = a_move(token, &position);
    position.play(m).unwrap_or_else(|e| panic!("{token} in {text}: {e}")).laps
}

pub fn win(side: Side, reason: EndReason) -> Outcome {
    Outcome { result: GameResult::Win(side), reason }
}

pub fn draw(reason: EndReason) -> Outcome {
    Outcome { result: GameResult::Draw, reason }
}

/// The refusal of a well-formed text that is no position.
#[track_caller]
pub fn setup_error(text: &str) -> SetupError {
    AnyPosition::from_setup(&setup(text)).expect_err(text)
}

/// The refusal of a text that is not one of a position.
#[track_caller]
pub fn text_error(text: &str, variant: Variant) -> PositionTextError {
    parse_setup(text, variant).expect_err(text)
}
