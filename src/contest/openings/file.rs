//! Openings from the lines of a file.

use super::OpeningError;
use crate::game::{AnyPosition, GameRecord, PlayError, Variant};
use crate::notation::{move_text, parse_move, parse_setup, quote};
use std::collections::HashSet;
use std::fs;
use std::path::Path;

/// What is wrong with a line, and at which byte of it.
struct Fault {
    offset: usize,
    reason: String,
}

/// The openings of `variant` in a file, in its order, each position once. `variants`: the games of the match.
pub(super) fn read(path: &Path, variants: &[Variant], variant: Variant) -> Result<Vec<AnyPosition>, OpeningError> {
    let bytes = fs::read(path).map_err(|error| OpeningError::Io { path: path.to_owned(), error })?;
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    for (number, bytes) in (1..).zip(bytes.split(|&b| b == b'\n')) {
        let fault = |column, reason| OpeningError::Line { path: path.to_owned(), line: number, column, reason };
        let line = str::from_utf8(bytes).map_err(|error| {
            let good = bytes.get(..error.valid_up_to()).map_or(0, |good| String::from_utf8_lossy(good).chars().count());
            fault(good + 1, "not a text: expected UTF-8".to_owned())
        })?;
        let line = if number == 1 { line.trim_start_matches('\u{feff}') } else { line };
        let position = opening(line, variants, variant).map_err(|Fault { offset, reason }| {
            let before = line.get(..offset).unwrap_or(line);
            fault(before.trim_end_matches('\r').chars().count() + 1, reason)
        })?;
        found.extend(position.filter(|position| seen.insert(identity(position))));
    }
    Ok(found)
}

/// The position as text, whatever its ply: that of a position decides nothing.
fn identity(position: &AnyPosition) -> String {
    let mut setup = position.to_setup();
    setup.ply = 0;
    crate::notation::position_text(&setup).to_string()
}

/// A word of a line and the byte at which it begins.
#[derive(Clone, Copy)]
struct Word<'a> {
    text: &'a str,
    offset: usize,
}

fn words(line: &str) -> Vec<Word<'_>> {
    let offset_of = |part: &str| (part.as_ptr() as usize).saturating_sub(line.as_ptr() as usize);
    line.split_ascii_whitespace().map(|text| Word { text, offset: offset_of(text) }).collect()
}

/// The opening of a line; `None` if it has none, or one of another game.
fn opening(line: &str, variants: &[Variant], variant: Variant) -> Result<Option<AnyPosition>, Fault> {
    let words = words(line);
    let Some(first) = words.first().filter(|word| !word.text.starts_with('#')) else {
        return Ok(None);
    };
    let first_move = words.iter().position(|word| word.text == "moves").unwrap_or(words.len());
    let (mut head, mut moves) = words.split_at_checked(first_move).unwrap_or((&words, &[]));
    let end = moves.first().map_or(line.len(), |word| word.offset);
    moves = moves.split_first().map_or(moves, |(_, moves)| moves);

    let named = game_name(&mut head);
    let fen = take(&mut head, "fen");
    let body = head;
    let named = named.or_else(|| game_name(&mut head));
    match named {
        Some(other) if other != variant => return Ok(None),
        None if variants.len() > 1 => {
            let names: Vec<&str> = variants.iter().map(|v| v.name()).collect();
            let reason = format!("expected the name of the game first, one of {}", names.join(", "));
            return Err(Fault { offset: first.offset, reason: format!("{}, {reason}", quote(first.text)) });
        }
        _ => {}
    }
    let start = if !fen && take(&mut head, "startpos") {
        if let Some(extra) = head.first() {
            let reason = format!("{}, expected moves or the end of the line", quote(extra.text));
            return Err(Fault { offset: extra.offset, reason });
        }
        AnyPosition::start(variant)
    } else {
        let offset = body.first().map_or(end, |word| word.offset);
        position(line.get(offset..end).unwrap_or_default(), offset, variant)?
    };
    let mut game = GameRecord::new(start);
    for (number, word) in (1..).zip(moves) {
        play(&mut game, *word).map_err(|reason| Fault {
            offset: word.offset,
            reason: format!("move {number}, {}: {reason}", quote(word.text)),
        })?;
    }
    match game.outcome() {
        None => Ok(Some(game.position().clone())),
        Some(outcome) => {
            let over = PlayError::Over(outcome);
            Err(Fault { offset: first.offset, reason: format!("{over}, expected a position that is not decided") })
        }
    }
}

/// Takes the name of a game off the head of a line.
fn game_name(words: &mut &[Word<'_>]) -> Option<Variant> {
    let (first, rest) = words.split_first()?;
    let named = Variant::from_name(first.text)?;
    *words = rest;
    Some(named)
}

/// Takes a word off the head of a line, if it is there.
fn take(words: &mut &[Word<'_>], expected: &str) -> bool {
    match words.split_first() {
        Some((first, rest)) if first.text == expected => {
            *words = rest;
            true
        }
        _ => false,
    }
}

/// Reads a position text that begins at byte `offset` of its line.
fn position(part: &str, offset: usize, variant: Variant) -> Result<AnyPosition, Fault> {
    let setup = parse_setup(part, variant).map_err(|error| {
        let found = if error.text.is_empty() { "nothing".to_owned() } else { quote(&error.text) };
        let before = part.char_indices().nth(error.column.saturating_sub(1)).map_or(part.len(), |(i, _)| i);
        Fault { offset: offset + before, reason: format!("{found}, expected {}", error.expected) }
    })?;
    AnyPosition::from_setup(&setup).map_err(|error| Fault { offset, reason: error.to_string() })
}

fn play(game: &mut GameRecord, word: Word<'_>) -> Result<(), String> {
    let m = parse_move(word.text, game.position()).map_err(|error| error.to_string())?;
    game.play(m).map_err(|error| match error {
        PlayError::Over(_) => format!("{error}, expected no more moves"),
        PlayError::Illegal(_) => {
            let mover = game.side_to_move();
            let legal: Vec<String> = game.legal_moves().iter().map(|&m| move_text(m, mover).to_string()).collect();
            format!("{error}, expected one of {}", legal.join(" "))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::openings::text;
    use crate::game::Variant::{Kigogo, Kimasai, Kiswahili};

    const KISWAHILI: &str = "0,0,0,0,0,0,0,0/0,2,2,6,0,0,0,0/0,0,0,0,6,2,2,0/0,0,0,0,0,0,0,0 S 22,22 SN - 0";

    fn one(line: &str, variants: &[Variant], variant: Variant) -> Result<Option<String>, String> {
        let answer = opening(line, variants, variant);
        answer.map(|p| p.as_ref().map(text)).map_err(|f| format!("{}: {}", f.offset, f.reason))
    }

    fn after(variant: Variant, moves: &str) -> String {
        let mut game = GameRecord::of_variant(variant);
        for m in moves.split_whitespace() {
            let m = parse_move(m, game.position()).unwrap();
            game.play(m).unwrap();
        }
        text(game.position())
    }

    #[test]
    fn all_forms_of_a_line_are_read() {
        let start = after(Kiswahili, "");
        let moved = after(Kiswahili, "A6L");
        for (line, expected) in [
            ("startpos", &start),
            ("  startpos\tmoves", &start),
            ("startpos moves A6L*\r", &moved),
            ("kiswahili startpos moves A6L", &moved),
            (KISWAHILI, &start),
            (&format!("{KISWAHILI}\r"), &start),
            (&format!("kiswahili {KISWAHILI}"), &start),
            (&format!("fen {KISWAHILI} moves A6L"), &moved),
            (&format!("fen kiswahili {KISWAHILI}"), &start),
            (&format!("kiswahili fen {KISWAHILI} moves A6L"), &moved),
            (&format!("{KISWAHILI} moves A6L"), &moved),
        ] {
            assert_eq!(one(line, &[Kiswahili], Kiswahili).as_ref(), Ok(&Some(expected.clone())), "{line}");
        }
    }

    #[test]
    fn empty_lines_comments_and_other_games_are_passed_over() {
        for line in ["", "  \r", "# startpos", " #x", "kigogo startpos moves what", "fen kimasai rubbish"] {
            assert_eq!(one(line, &[Kiswahili], Kiswahili), Ok(None), "{line}");
            assert_eq!(one(line, &[Kiswahili, Kigogo], Kiswahili), Ok(None), "{line}");
        }
    }

    #[test]
    fn what_is_no_opening_is_named_with_its_place() {
        let several = [Kigogo, Kimasai];
        for (line, expected) in [
            ("Kigogo startpos", "0: \"Kigogo\", expected kimasai or the four rows"),
            ("startpos A2", "9: \"A2\", expected moves or the end of the line"),
            (
                "startpos moves A2 a1",
                "18: move 2, \"a1\": not a legal move of kimasai in this position, expected one of ",
            ),
            ("startpos moves A2 A3", "18: move 2, \"A3\": \"A3\" is a pit of South, expected a move of North"),
            ("fen moves A2", "4: nothing, expected a position"),
            ("kimasai", "7: nothing, expected a position"),
            ("fen startpos", "4: \"startpos\", expected kimasai or the four rows"),
            ("kimasai kigogo startpos", "8: \"kigogo\", expected kimasai, the game at hand"),
            ("fen 1,1/1 S", "4: \"1,1\", expected 12 counts in a row, joined by ,"),
        ] {
            let error = one(line, &[Kimasai], Kimasai).unwrap_err();
            assert!(error.starts_with(expected), "{line}: {error}");
        }
        let error = one(" startpos", &several, Kimasai).unwrap_err();
        assert_eq!(error, "1: \"startpos\", expected the name of the game first, one of kigogo, kimasai");
    }

    #[test]
    fn decided_and_impossible_positions_are_refused() {
        let rows = |front: &str| {
            format!("fen 0,0,0,0,0,0,0,0,0,0,0,0/{front}/1,0,0,0,0,0,0,0,0,0,0,0/0,0,0,0,0,0,0,0,0,0,0,0 N")
        };
        let over = one(&rows("0,0,0,0,0,0,0,0,0,0,0,0"), &[Kimasai], Kimasai).unwrap_err();
        assert!(over.starts_with("0: the game is over: South has won (no-seeds), expected a position"), "{over}");
        let crowded = one(&rows("0,0,0,0,0,0,0,0,0,0,0,2"), &[Kimasai], Kimasai).unwrap_err();
        assert_eq!(crowded, "4: a1 holds 2 seeds, expected 0 or 1");
    }
}
