//! The grammar of the protocol, with nom. It knows no game: see [`Command`].
//!
//! An error of a parser is either *recoverable*, which lets another parser try, or a *failure*, which is the answer: once a
//! command word is read, its arguments must be right.

use super::command::{Command, Go, Query, Words};
pub use super::words::SyntaxError;
use super::words::{Line, Parsed, Problem, end, fail, is_space, keyword, required, word};
use nom::branch::alt;
use nom::combinator::{cut, map, opt, peek, verify};
use nom::multi::{many_till, many0};
use nom::{Err, Parser};

/// Reads one line, without its line end. An empty one is no command. Unknown words before a command are passed over, as UCI
/// wants it.
///
/// # Errors
/// A [`SyntaxError`] that names the word, its column, and what was expected.
///
/// ```
/// use kete::protocol::command::Command;
/// use kete::protocol::parse::parse_line;
/// assert_eq!(parse_line("joho debug\ton"), Ok(Some(Command::Debug(true))));
/// assert_eq!(parse_line("  "), Ok(None));
/// assert_eq!(
///     parse_line("go nodes many").unwrap_err().to_string(),
///     "\"many\" at column 10, expected a whole number of at least 0"
/// );
/// ```
pub fn parse_line(line: &str) -> Result<Option<Command<'_>>, SyntaxError> {
    if end(line).is_ok() {
        return Ok(None);
    }
    let grammar = Line(line);
    grammar.outcome(grammar.first_command(line)).map(Some)
}

const A_COMMAND: &str = "a command (try help)";

impl<'a> Line<'a> {
    /// The first command word of the line with its arguments.
    fn first_command(self, line: &'a str) -> Parsed<'a, Command<'a>> {
        let mut rest = line;
        loop {
            match self.command(rest) {
                Err(Err::Error(_)) => {}
                answer => return answer,
            }
            rest = word(rest)?.0;
            if end(rest).is_ok() {
                return fail(line, A_COMMAND);
            }
        }
    }

    /// A command word with its arguments; recoverable if the word is none.
    fn command(self, rest: &'a str) -> Parsed<'a, Command<'a>> {
        let (arguments, verb) = word(rest)?;
        // Commands without arguments ignore what follows them, so that no harness waits in vain for their answer.
        let simple = |command| Ok((arguments, command));
        match verb {
            "uci" => simple(Command::Uci),
            "ugi" => simple(Command::Ugi),
            "isready" => simple(Command::IsReady),
            "ucinewgame" | "uginewgame" => simple(Command::NewGame),
            "register" => simple(Command::Register),
            "ponderhit" => simple(Command::PonderHit),
            "stop" => simple(Command::Stop),
            "quit" => simple(Command::Quit),
            "d" => simple(Command::Display),
            "eval" => simple(Command::Eval),
            "moves" => simple(Command::Moves),
            "bench" => simple(Command::Bench),
            "params" => simple(Command::Params),
            "help" => simple(Command::Help),
            "wait" => simple(Command::Wait),
            "debug" => self.debug(arguments),
            "setoption" => self.set_option(arguments),
            "position" => self.position(arguments),
            "go" => self.go(arguments),
            "query" => self.query(arguments),
            "perft" => self.perft(arguments),
            _ => Err(Err::Error(Problem { rest, expected: A_COMMAND })),
        }
    }

    fn debug(self, rest: &'a str) -> Parsed<'a, Command<'a>> {
        let switch = alt((map(keyword("on"), |_| true), map(keyword("off"), |_| false)));
        let (after, on) = required(switch, "on or off").parse(rest)?;
        finished(after, Command::Debug(on))
    }

    fn set_option(self, rest: &'a str) -> Parsed<'a, Command<'a>> {
        let (rest, _) = required(keyword("name"), "name").parse(rest)?;
        let name_end = alt((map(keyword("value"), |_| true), map(end, |_| false)));
        let (after, (words, has_value)) = many_till(word, name_end).parse(rest)?;
        let (Some(&first), Some(&last)) = (words.first(), words.last()) else {
            return fail(rest, "the name of an option");
        };
        let value = has_value.then(|| after.trim_matches(is_space));
        let value = match value {
            Some("") => return fail("", "a value after the word value"),
            Some(text) => Some(self.words(text)),
            None => None,
        };
        let name_words = Words { text: self.between(first, last), column: self.words(first).column };
        Ok(("", Command::SetOption { name: words.join(" "), name_words, value }))
    }

    fn position(self, rest: &'a str) -> Parsed<'a, Command<'a>> {
        let (after, base) = required(alt((keyword("startpos"), keyword("fen"))), "startpos or fen").parse(rest)?;
        let list = alt((map(keyword("moves"), |_| true), map(end, |_| false)));
        let (after, text, has_moves) = if base == "fen" {
            let (after_text, (words, has_moves)) = many_till(word, list).parse(after)?;
            let (Some(first), Some(last)) = (words.first(), words.last()) else {
                return fail(after, "a position after the word fen");
            };
            let text = Words { text: self.between(first, last), column: self.words(first).column };
            (after_text, Some(text), has_moves)
        } else {
            let (after, has_moves) = required(list, "moves or the end of the line").parse(after)?;
            (after, None, has_moves)
        };
        let (rest, moves) = if has_moves { many0(word).parse(after)? } else { (after, Vec::new()) };
        Ok((rest, Command::Position { text, moves: self.all_words(&moves) }))
    }

    fn query(self, rest: &'a str) -> Parsed<'a, Command<'a>> {
        const EXPECTED: &str = "gameover, p1turn, result, reason, fen, moves or islegal MOVE";
        let (after, topic) = required(word, EXPECTED).parse(rest)?;
        let query = match topic {
            "gameover" => Query::GameOver,
            "p1turn" => Query::P1Turn,
            "result" => Query::Result,
            "reason" => Query::Reason,
            "fen" => Query::Fen,
            "moves" => Query::Moves,
            "islegal" => {
                let (after, m) = required(word, "a move").parse(after)?;
                return finished(after, Command::Query(Query::IsLegal(self.words(m))));
            }
            _ => return fail(rest, EXPECTED),
        };
        finished(after, Command::Query(query))
    }

    fn perft(self, rest: &'a str) -> Parsed<'a, Command<'a>> {
        let (after, depth) = count(rest)?;
        finished(after, Command::Perft(saturating_u32(depth)))
    }

    /// The arguments of `go`, in any order, each at most once.
    fn go(self, mut rest: &'a str) -> Parsed<'a, Command<'a>> {
        let mut go = Go::default();
        while end(rest).is_err() {
            rest = self.go_argument(rest, &mut go)?.0;
        }
        let command = match go.perft {
            Some(depth) => Command::Perft(saturating_u32(depth)),
            None => Command::Go(go),
        };
        Ok((rest, command))
    }

    fn go_argument(self, rest: &'a str, go: &mut Go<'a>) -> Parsed<'a, ()> {
        let (after, name) = word(rest)?;
        let [clock_1, clock_2] = &mut go.clock_ms;
        let [increment_1, increment_2] = &mut go.increment_ms;
        let (slot, value): (_, Number) = match name {
            "wtime" | "p1time" => (clock_1, clock_time),
            "btime" | "p2time" => (clock_2, clock_time),
            "winc" | "p1inc" => (increment_1, clock_time),
            "binc" | "p2inc" => (increment_2, clock_time),
            "movestogo" => (&mut go.moves_to_go, count),
            "movetime" => (&mut go.move_time_ms, count),
            "nodes" => (&mut go.nodes, count),
            "depth" => (&mut go.depth, count),
            "mate" => (&mut go.mate, count),
            "perft" => (&mut go.perft, count),
            "infinite" => return once(rest, after, &mut go.infinite),
            "ponder" => return once(rest, after, &mut go.ponder),
            "searchmoves" => {
                if go.search_moves.is_some() {
                    return fail(rest, ONLY_ONCE);
                }
                let (after, moves) = many0(verify(word, |w: &str| !is_go_word(w))).parse(after)?;
                if moves.is_empty() {
                    return fail(after, "a move after searchmoves");
                }
                go.search_moves = Some(self.all_words(&moves));
                return Ok((after, ()));
            }
            _ => return fail(rest, "a limit of go, such as movetime 1000 or nodes 5000"),
        };
        if slot.is_some() {
            return fail(rest, ONLY_ONCE);
        }
        let (after, number) = value(after)?;
        *slot = Some(number);
        Ok((after, ()))
    }
}

/// A parser of the number behind an argument's name.
type Number = fn(&str) -> Parsed<'_, u64>;

const ONLY_ONCE: &str = "it only once";

fn once<'a>(rest: &'a str, after: &'a str, flag: &mut bool) -> Parsed<'a, ()> {
    if std::mem::replace(flag, true) { fail(rest, ONLY_ONCE) } else { Ok((after, ())) }
}

/// Whether a word begins an argument of `go`, and so ends a list of moves.
fn is_go_word(word: &str) -> bool {
    const WORDS: [&str; 17] = [
        "wtime",
        "btime",
        "winc",
        "binc",
        "p1time",
        "p2time",
        "p1inc",
        "p2inc",
        "movestogo",
        "movetime",
        "nodes",
        "depth",
        "mate",
        "perft",
        "infinite",
        "ponder",
        "searchmoves",
    ];
    WORDS.contains(&word)
}

/// The command, if the line ends there.
fn finished<'a>(rest: &'a str, command: Command<'a>) -> Parsed<'a, Command<'a>> {
    let (rest, _) = required(end, "the end of the line").parse(rest)?;
    Ok((rest, command))
}

/// A whole number of at least 0. One beyond 64 bits counts as the largest.
fn count(rest: &str) -> Parsed<'_, u64> {
    let digits = verify(word, |w: &str| w.bytes().all(|b| b.is_ascii_digit()));
    let (after, digits) = required(digits, "a whole number of at least 0").parse(rest)?;
    Ok((after, digits.parse().unwrap_or(u64::MAX)))
}

/// A time on a clock in milliseconds. A clock that has run out may be negative; that is no time at all.
fn clock_time(rest: &str) -> Parsed<'_, u64> {
    let (at_number, minus) = opt(peek(word).map(|w: &str| w.starts_with('-'))).parse(rest)?;
    if minus != Some(true) {
        return required(count, "a whole number of milliseconds").parse(rest);
    }
    let magnitude = verify(word, |w: &str| {
        let digits = w.strip_prefix('-').unwrap_or("");
        !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
    });
    let (after, _) = cut(required(magnitude, "a whole number of milliseconds")).parse(at_number)?;
    Ok((after, 0))
}

fn saturating_u32(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
