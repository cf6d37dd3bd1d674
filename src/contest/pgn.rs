//! Games as PGN, for programs that rate players, such as Ordo and BayesElo, and for any other reader of the format.
//!
//! Source: *Standard: Portable Game Notation Specification and Implementation Guide* (S. J. Edwards, 1994), export format:
//! tags (8.1, 9), movetext (8.2), comments (5). South is White, also where the opening lets North move first. What the
//! standard has no word for:
//!
//! * `[Variant]` is the game, `[FEN]` the opening's position text, and `[Reason]` the journal's word for the end of the game,
//!   beside the standard's `[Termination]`.
//! * Moves are written as in the journal, with one exception: the `>` of a safari (rule S9) is written `+`, for the standard
//!   reserves `>`, and a strict reader would take it for a token of its own. Programs that rate players look at the tags
//!   alone; programs that play chess cannot follow the moves.
//! * Moves are numbered from 1 at the opening. A comment after each says what is known of it: the mover's score (`cp 12`,
//!   `mate -3`), the depth (`d5`), the nodes (`n1000`) and the time in seconds (`0.123s`).

use super::journal::MatchRecord;
use super::played::{MoveInfo, PlayedGame, Termination};
use crate::game::Side;
use crate::notation::parse_setup;

/// The longest line of movetext, in characters: fewer than 80 (8.2.1).
const MAX_LINE: usize = 79;

/// All games of a match, by their numbers.
pub fn pgn(record: &MatchRecord) -> String {
    let event = format!("kete-match {}", record.file.config.tournament.name());
    let mut games: Vec<&PlayedGame> = record.games.iter().collect();
    games.sort_by_key(|game| game.game);
    games.into_iter().map(|game| game_pgn(game, &event)).collect()
}

/// One game, with an empty line at its end. `event` is the name of the match.
pub fn game_pgn(game: &PlayedGame, event: &str) -> String {
    let result = game.result.name();
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| text.extend(["[", name, " \"", &escaped(value), "\"]\n"]);
    // The roster of seven, then the others by name (8.1.1).
    tag("Event", event);
    tag("Site", "?");
    tag("Date", &date(&game.started));
    tag("Round", &format!("{}.{}", game.round, game.game));
    tag("White", &game.south);
    tag("Black", &game.north);
    tag("Result", result);
    tag("FEN", &game.opening);
    tag("PlyCount", &game.moves.len().to_string());
    tag("Reason", game.reason.name());
    tag("SetUp", "1");
    tag("Termination", termination(game.reason));
    tag("Variant", game.variant.name());
    text.push('\n');
    text.push_str(&wrapped(&movetext(game)));
    text.push('\n');
    text
}

/// The value of a tag as a string token (7): quotes and backslashes escaped, what cannot be printed left out.
fn escaped(value: &str) -> String {
    let mut text = String::new();
    for c in value.chars().filter(|c| !c.is_control()) {
        if matches!(c, '"' | '\\') {
            text.push('\\');
        }
        text.push(c);
    }
    text
}

/// The day of a time such as `2026-11-30T12:00:00Z`, as PGN writes it (8.1.1.3).
fn date(time: &str) -> String {
    let day = time.get(..10).unwrap_or_default();
    let shape: String = day.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    if shape == "0000-00-00" { day.replace('-', ".") } else { "????.??.??".to_owned() }
}

/// The word of the standard (9.8.1).
const fn termination(reason: Termination) -> &'static str {
    match reason {
        Termination::Normal | Termination::Repetition | Termination::EndlessRelay => "normal",
        Termination::Resign | Termination::MaxPlies | Termination::Adjudication => "adjudication",
        Termination::Time | Termination::Stall => "time forfeit",
        Termination::IllegalMove | Termination::ProtocolError => "rules infraction",
        Termination::Crash => "abandoned",
    }
}

/// Numbers, moves, comments and the result, as words between which a line may end.
fn movetext(game: &PlayedGame) -> Vec<String> {
    let opening = parse_setup(&game.opening, game.variant);
    let north_first = opening.is_ok_and(|setup| setup.side == Side::North);
    let mut words = Vec::new();
    let mut infos = game.infos.iter();
    let mut interrupted = true;
    for (ply, m) in (usize::from(north_first)..).zip(&game.moves) {
        let number = ply / 2 + 1;
        if ply.is_multiple_of(2) {
            words.push(format!("{number}."));
        } else if interrupted {
            words.push(format!("{number}..."));
        }
        words.push(symbol(m));
        let comment = infos.next().map(comment);
        interrupted = comment.is_some();
        words.extend(comment.into_iter().flatten());
    }
    words.push(game.result.name().to_owned());
    words
}

/// A move as a symbol token (7): a letter or digit, then letters, digits and `_+#=:-`.
fn symbol(m: &str) -> String {
    m.chars()
        .map(|c| if c == '>' { '+' } else { c })
        .filter(|c| c.is_ascii_alphanumeric() || "_+#=:-".contains(*c))
        .collect()
}

/// What is known of a move, in braces. Nothing in it can be a brace.
fn comment(info: &MoveInfo) -> Vec<String> {
    let mut parts = Vec::new();
    parts.extend(info.score.map(|score| score.to_string()));
    parts.extend(info.depth.map(|depth| format!("d{depth}")));
    parts.extend(info.nodes.map(|nodes| format!("n{nodes}")));
    let ms = info.time_us / 1000;
    parts.push(format!("{}.{:03}s", ms / 1000, ms % 1000));
    format!("{{{}}}", parts.join(" ")).split(' ').map(str::to_owned).collect()
}

/// Words in lines, each ended.
fn wrapped(words: &[String]) -> String {
    let mut text = String::new();
    let mut length = 0;
    for word in words {
        let width = word.chars().count();
        if length > 0 && length + 1 + width > MAX_LINE {
            text.push('\n');
            length = 0;
        } else if length > 0 {
            text.push(' ');
            length += 1;
        }
        text.push_str(word);
        length += width;
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::played::{EngineScore, ResultText};
    use crate::contest::specimen;
    use crate::game::{AnyPosition, GameRecord, Variant};
    use crate::notation::{move_text, position_text};
    use proptest::prelude::*;

    #[test]
    fn a_game_is_written_to_the_letter() {
        let mut record = specimen::record();
        record.games[0].infos.pop();
        record.games[0].infos[0].score = Some(EngineScore::Centipawns(12));
        record.games[0].infos[0].depth = Some(5);
        let expected = "[Event \"kete-match round-robin\"]\n[Site \"?\"]\n[Date \"2026.11.30\"]\n[Round \"1.1\"]\n\
            [White \"new\"]\n[Black \"old\"]\n[Result \"0-1\"]\n[FEN \"OPENING\"]\n[PlyCount \"2\"]\n[Reason \"time\"]\n\
            [SetUp \"1\"]\n[Termination \"time forfeit\"]\n[Variant \"kigogo\"]\n\n\
            1. A6 {cp 12 d5 0.123s} 1... b2 0-1\n\n";
        assert_eq!(pgn(&record), expected.replace("OPENING", &record.games[0].opening));
        record.games[0].infos.clear();
        assert!(pgn(&record).ends_with("\n\n1. A6 b2 0-1\n\n"));
    }

    #[test]
    fn north_can_be_first() {
        let mut game = specimen::game();
        game.opening = game.opening.replace(" S ", " N ");
        game.moves = ["b2", "A6", "b3"].map(str::to_owned).into();
        game.infos.clear();
        assert!(game_pgn(&game, "e").ends_with("\n\n1... b2 2. A6 b3 0-1\n\n"));
        game.moves.clear();
        assert!(game_pgn(&game, "e").ends_with("\n\n0-1\n\n"));
    }

    #[test]
    fn names_and_times_cannot_break_a_tag() {
        let mut game = specimen::game();
        game.south = "a \"b\"\\\n]c".to_owned();
        game.started = "yesterday".to_owned();
        let text = game_pgn(&game, "e");
        assert!(text.contains("[White \"a \\\"b\\\"\\\\]c\"]\n[Black"), "{text}");
        assert!(text.contains("[Date \"????.??.??\"]\n"));
        let tokens = lex(&text);
        assert!(tokens.contains(&Token::Text("a \"b\"\\]c".to_owned())));
    }

    #[test]
    fn games_stand_by_their_numbers() {
        let mut record = specimen::record();
        let mut second = specimen::game();
        second.game = 2;
        record.games.insert(0, second);
        let rounds: Vec<String> =
            pgn(&record).lines().filter(|line| line.starts_with("[Round")).map(str::to_owned).collect();
        assert_eq!(rounds, ["[Round \"1.1\"]", "[Round \"1.2\"]"]);
    }

    #[derive(Debug, PartialEq, Eq)]
    enum Token {
        Open,
        Close,
        Period,
        Text(String),
        Symbol(String),
        Comment(String),
    }

    /// The tokens of part 7 of the standard and the comments of part 5. What is reserved there is refused.
    fn lex(text: &str) -> Vec<Token> {
        let mut tokens = Vec::new();
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            tokens.push(match c {
                ' ' | '\n' => continue,
                '[' => Token::Open,
                ']' => Token::Close,
                '.' => Token::Period,
                '{' => Token::Comment(chars.by_ref().take_while(|&c| c != '}').collect()),
                '"' => {
                    let mut value = String::new();
                    loop {
                        match chars.next().unwrap() {
                            '"' => break Token::Text(value),
                            '\\' => value.push(chars.next().unwrap()),
                            c => {
                                assert!(!c.is_control());
                                value.push(c);
                            }
                        }
                    }
                }
                c if c.is_ascii_alphanumeric() => {
                    let mut symbol = String::from(c);
                    // The slash is that of a drawn result alone.
                    while let Some(c) = chars.next_if(|c| c.is_ascii_alphanumeric() || "_+#=:-/".contains(*c)) {
                        symbol.push(c);
                    }
                    Token::Symbol(symbol)
                }
                other => panic!("{other:?} in {text}"),
            });
        }
        tokens
    }

    /// A random game to its end or for 300 plies.
    fn random_game(variant: Variant, choices: &[u8]) -> PlayedGame {
        let mut record = GameRecord::of_variant(variant);
        let mut moves = Vec::new();
        for &choice in choices {
            let legal = record.legal_moves();
            let Some(&m) = legal.get(usize::from(choice) % legal.len().max(1)) else { break };
            moves.push(move_text(m, record.side_to_move()).to_string());
            record.play(m).unwrap();
        }
        PlayedGame {
            opening: position_text(&AnyPosition::start(variant).to_setup()).to_string(),
            variant,
            moves,
            ..specimen::game()
        }
    }

    proptest! {
        /// Any game, any names: a strict reader finds every tag and every move, in lines of fewer than 80 characters.
        #[test]
        fn a_strict_reader_understands_every_game(
            variant in proptest::sample::select(&Variant::ALL[..]),
            choices in proptest::collection::vec(any::<u8>(), 0..300),
            names in proptest::array::uniform2("[ -~\n\t\u{e9}]{1,20}"),
            infos in proptest::collection::vec((any::<u64>(), proptest::option::of(any::<i64>())), 0..300),
            result in proptest::sample::select(&ResultText::ALL[..]),
            reason in proptest::sample::select(&Termination::ALL[..]),
        ) {
            let infos = infos.into_iter().map(|(time_us, cp)| MoveInfo {
                time_us,
                score: cp.map(EngineScore::Centipawns),
                depth: Some(time_us),
                nodes: None,
            });
            let game = PlayedGame {
                south: names[0].clone(),
                north: names[1].clone(),
                infos: infos.collect(),
                result,
                reason,
                ..random_game(variant, &choices)
            };
            let text = game_pgn(&game, "a match");
            let (tags, movetext) = text.split_once("\n\n").unwrap();
            prop_assert!(movetext.ends_with("\n\n") && !movetext.trim_end().contains("\n\n"));
            prop_assert!(movetext.lines().all(|line| line.len() < 80 && line.trim() == line));

            let tokens = lex(tags);
            let mut found = Vec::new();
            for tag in tokens.chunks(4) {
                let [Token::Open, Token::Symbol(name), Token::Text(value), Token::Close] = tag else {
                    panic!("{tag:?}");
                };
                found.push((name.as_str(), value.as_str()));
            }
            let names: Vec<&str> = found.iter().map(|(name, _)| *name).collect();
            prop_assert_eq!(&names[..7], ["Event", "Site", "Date", "Round", "White", "Black", "Result"]);
            prop_assert!(names[7..].is_sorted());
            let printable = |name: &str| name.replace(char::is_control, "");
            prop_assert_eq!(found[4].1, printable(&game.south));
            prop_assert_eq!(found[5].1, printable(&game.north));
            prop_assert_eq!(found[6].1, result.name());
            prop_assert!(found.contains(&("FEN", &game.opening)) && found.contains(&("Reason", reason.name())));

            let mut symbols = Vec::new();
            for token in lex(movetext) {
                match token {
                    Token::Symbol(symbol) => symbols.push(symbol),
                    Token::Period | Token::Comment(_) => {}
                    other => panic!("{other:?}"),
                }
            }
            prop_assert_eq!(symbols.pop().unwrap(), result.name());
            symbols.retain(|symbol| !symbol.bytes().all(|b| b.is_ascii_digit()));
            let moves: Vec<String> = game.moves.iter().map(|m| m.replace('>', "+")).collect();
            prop_assert_eq!(symbols, moves);
        }
    }
}
