//! The grammar of an engine's answers, with nom, for whoever talks to one. It knows no game: moves stay text.
//!
//! Other engines answer in many ways, so it is tolerant: a line of which it knows nothing is [`Reply::Unknown`], what is
//! unknown or wrong within `info` is passed over. Errors are left for the two lines that mean nothing if they are wrong:
//! `bestmove` and `option`.

use super::option_spec::{EMPTY, OptionKind, OptionSpec};
pub use super::words::SyntaxError;
use super::words::{Line, Parsed, Problem, end, fail, is_space, keyword, required, word};
use nom::Parser;
use nom::branch::alt;
use nom::combinator::{map, map_opt, opt, recognize, value, verify};
use nom::multi::many0_count;
use nom::sequence::preceded;

/// One line of an engine's output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply<'a> {
    /// `id name X`.
    IdName(&'a str),
    /// `id author X`.
    IdAuthor(&'a str),
    /// `option name N type ...`.
    Option(OptionSpec),
    /// `uciok`.
    UciOk,
    /// `ugiok`.
    UgiOk,
    /// `readyok`.
    ReadyOk,
    /// `bestmove M [ponder P]`.
    BestMove {
        /// The move; `(none)` is left to whoever knows the game.
        best: &'a str,
        /// The answer that the engine would like to think about.
        ponder: Option<&'a str>,
    },
    /// `info ...`.
    Info(Info<'a>),
    /// `response X`, the answer to `query`.
    Response(&'a str),
    /// Anything else, empty lines too.
    Unknown,
}

/// A score from the viewpoint of the engine, which is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// `cp X`: centipawns.
    Centipawns(i64),
    /// `mate Y`: a win in so many moves of its own, or a loss if negative.
    Mate(i64),
}

/// On which side of a [`Score`] the truth lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// `lowerbound`: it is the score or better.
    Lower,
    /// `upperbound`: it is the score or worse.
    Upper,
}

/// What an `info` line tells. If it tells something twice, the last one counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info<'a> {
    /// `depth`.
    pub depth: Option<u64>,
    /// `seldepth`.
    pub seldepth: Option<u64>,
    /// `multipv`: which of the best lines this is, from 1.
    pub multipv: Option<u64>,
    /// `score`.
    pub score: Option<Score>,
    /// Whether the score is only a bound.
    pub bound: Option<Bound>,
    /// `wdl`: wins, draws, losses, in per mille.
    pub wdl: Option<[u64; 3]>,
    /// `nodes`.
    pub nodes: Option<u64>,
    /// `nps`: nodes a second.
    pub nps: Option<u64>,
    /// `hashfull`, in per mille.
    pub hashfull: Option<u64>,
    /// `time`, in milliseconds.
    pub time_ms: Option<u64>,
    /// `pv`: the moves with whatever white space is between them.
    pub pv: Option<&'a str>,
    /// `string`: the rest of the line.
    pub string: Option<&'a str>,
}

impl<'a> Info<'a> {
    /// The moves of the `pv`.
    pub fn moves(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        words_of(self.pv.unwrap_or(""))
    }
}

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(is_space).filter(|word| !word.is_empty())
}

/// Reads one line of an engine's output, with or without its line end.
///
/// # Errors
/// A [`SyntaxError`] if the line begins with `bestmove` or `option` and does not go on as it must.
///
/// ```
/// use kete::protocol::reply::{Reply, Score, parse_reply};
/// assert_eq!(parse_reply("bestmove  A6L\tponder a2R"), Ok(Reply::BestMove { best: "A6L", ponder: Some("a2R") }));
/// let Ok(Reply::Info(info)) = parse_reply("info depth 7 speed high score cp -12 pv A6L a2R") else { unreachable!() };
/// assert_eq!((info.depth, info.score, info.pv), (Some(7), Some(Score::Centipawns(-12)), Some("A6L a2R")));
/// assert_eq!(parse_reply("Kete 1.0 by its developers"), Ok(Reply::Unknown));
/// assert_eq!(parse_reply("bestmove").unwrap_err().to_string(), "nothing at column 9, expected a move");
/// ```
pub fn parse_reply(line: &str) -> Result<Reply<'_>, SyntaxError> {
    let Ok((rest, verb)) = word(line) else { return Ok(Reply::Unknown) };
    let parsed = match verb {
        "id" => id(rest),
        "option" => map(option, Reply::Option).parse(rest),
        "bestmove" => best_move(rest),
        "info" => return Ok(Reply::Info(info(rest))),
        "response" => return Ok(Reply::Response(trimmed(rest))),
        "uciok" => return Ok(Reply::UciOk),
        "ugiok" => return Ok(Reply::UgiOk),
        "readyok" => return Ok(Reply::ReadyOk),
        _ => return Ok(Reply::Unknown),
    };
    Line(line).outcome(parsed)
}

fn trimmed(text: &str) -> &str {
    text.trim_matches(is_space)
}

fn id(rest: &str) -> Parsed<'_, Reply<'_>> {
    let (after, what) = opt(word).parse(rest)?;
    let reply = match what {
        Some("name") => Reply::IdName(trimmed(after)),
        Some("author") => Reply::IdAuthor(trimmed(after)),
        _ => Reply::Unknown,
    };
    Ok((after, reply))
}

fn best_move(rest: &str) -> Parsed<'_, Reply<'_>> {
    let a_move = verify(word, |found: &str| found != "ponder");
    let (rest, best) = required(a_move, "a move").parse(rest)?;
    let (rest, ponder) = opt(preceded(keyword("ponder"), word)).parse(rest)?;
    Ok((rest, Reply::BestMove { best, ponder }))
}

/// Words for as long as each is one of those meant, as they stand in the line.
fn words_while<'a>(is_meant: impl Fn(&str) -> bool) -> impl Parser<&'a str, Output = &'a str, Error = Problem<'a>> {
    map(recognize(many0_count(verify(word, move |found: &str| is_meant(found)))), trimmed)
}

/// What follows `info`. No line fails: whatever is not understood is passed over, a word at a time.
fn info(mut rest: &str) -> Info<'_> {
    let mut info = Info::default();
    while let Ok((after, key)) = word(rest) {
        rest = after;
        let count_slot = match key {
            "depth" => &mut info.depth,
            "seldepth" => &mut info.seldepth,
            "multipv" => &mut info.multipv,
            "nodes" => &mut info.nodes,
            "nps" => &mut info.nps,
            "hashfull" => &mut info.hashfull,
            "time" => &mut info.time_ms,
            "score" => {
                if let Ok((after, (score, bound))) = score(rest) {
                    (info.score, info.bound) = (Some(score), bound);
                    rest = after;
                }
                continue;
            }
            "wdl" => {
                if let Ok((after, (win, draw, loss))) = (count, count, count).parse(rest) {
                    info.wdl = Some([win, draw, loss]);
                    rest = after;
                }
                continue;
            }
            "pv" => {
                if let Ok((after, moves)) = words_while(|word| !is_info_key(word)).parse(rest) {
                    info.pv = Some(moves);
                    rest = after;
                }
                continue;
            }
            "string" => {
                info.string = Some(trimmed(rest));
                break;
            }
            _ => continue,
        };
        if let Ok((after, number)) = count(rest) {
            *count_slot = Some(number);
            rest = after;
        }
    }
    info
}

/// Whether a word begins something new in an `info` line, and so ends a list of moves: all words that UCI has there.
fn is_info_key(word: &str) -> bool {
    const KEYS: [&str; 18] = [
        "depth",
        "seldepth",
        "multipv",
        "score",
        "wdl",
        "nodes",
        "nps",
        "hashfull",
        "time",
        "pv",
        "string",
        "currmove",
        "currmovenumber",
        "tbhits",
        "sbhits",
        "cpuload",
        "refutation",
        "currline",
    ];
    KEYS.contains(&word)
}

/// What follows `score`.
fn score(rest: &str) -> Parsed<'_, (Score, Option<Bound>)> {
    let bound = || opt(alt((value(Bound::Lower, keyword("lowerbound")), value(Bound::Upper, keyword("upperbound")))));
    let centipawns = map(preceded(keyword("cp"), signed), Score::Centipawns);
    let mate = map(preceded(keyword("mate"), signed), Score::Mate);
    let (rest, (before, score, after)) = (bound(), alt((centipawns, mate)), bound()).parse(rest)?;
    Ok((rest, (score, before.or(after))))
}

/// A number of at least 0; what is beyond the range counts as its end.
fn count(rest: &str) -> Parsed<'_, u64> {
    map(map_opt(word, number), |n| u64::try_from(n.max(0)).unwrap_or(u64::MAX)).parse(rest)
}

/// A whole number with or without a sign; what is beyond the range counts as its end.
fn signed(rest: &str) -> Parsed<'_, i64> {
    map(map_opt(word, number), to_i64).parse(rest)
}

fn to_i64(number: i128) -> i64 {
    i64::try_from(number).unwrap_or(if number < 0 { i64::MIN } else { i64::MAX })
}

/// A number in any of the ways in which engines write one, `1e9` and `12.5` included; of a fraction the whole part.
fn number(text: &str) -> Option<i128> {
    whole_number(text).or_else(|| {
        // Without the words that Rust takes for numbers as well: inf, nan.
        let is_decimal = text.bytes().all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b));
        // The conversion keeps to the range.
        is_decimal.then(|| text.parse::<f64>().ok()).flatten().map(|number| number as i128)
    })
}

fn whole_number(text: &str) -> Option<i128> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    is_number.then(|| text.parse().unwrap_or(if text.starts_with('-') { i128::MIN } else { i128::MAX }))
}

const ONLY_ONCE: &str = "it only once";

/// What follows `option`.
fn option(rest: &str) -> Parsed<'_, OptionSpec> {
    const TYPES: &str = "one of the types check, spin, combo, button, string";
    let (rest, _) = required(keyword("name"), "name").parse(rest)?;
    let (after, name) = words_while(|word| word != "type").parse(rest)?;
    if name.is_empty() {
        return fail(rest, "the name of an option");
    }
    let (rest, _) = required(keyword("type"), "type after the name").parse(after)?;
    let (after, kind) = required(word, TYPES).parse(rest)?;
    let (rest, kind) = match kind {
        "check" => check(after)?,
        "spin" => spin(after)?,
        "combo" => combo(after)?,
        "button" => (after, OptionKind::Button),
        "string" => text(after)?,
        _ => return fail(rest, TYPES),
    };
    let (rest, _) = required(end, "the end of the line").parse(rest)?;
    Ok((rest, OptionSpec { name: joined(name), kind }))
}

/// Words with single spaces between them.
fn joined(words: &str) -> String {
    let mut text = String::with_capacity(words.len());
    for word in words_of(words) {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(word);
    }
    text
}

fn check(rest: &str) -> Parsed<'_, OptionKind> {
    let default = alt((value(true, keyword("true")), value(false, keyword("false"))));
    let default = required(preceded(keyword("default"), default), "default true or default false");
    map(default, |default| OptionKind::Check { default }).parse(rest)
}

fn spin(mut rest: &str) -> Parsed<'_, OptionKind> {
    let [mut default, mut min, mut max] = [None; 3];
    while let (after, Some(key)) = opt(word).parse(rest)? {
        let slot = match key {
            "default" => &mut default,
            "min" => &mut min,
            "max" => &mut max,
            _ => return fail(rest, "default, min or max"),
        };
        if slot.is_some() {
            return fail(rest, ONLY_ONCE);
        }
        let (after, number) = required(map_opt(word, whole_number), "a whole number").parse(after)?;
        *slot = Some(to_i64(number));
        rest = after;
    }
    match (default, min, max) {
        (Some(default), Some(min), Some(max)) => Ok((rest, OptionKind::Spin { default, min, max })),
        (None, _, _) => fail(rest, "default and a number"),
        (_, None, _) => fail(rest, "min and a number"),
        (_, _, None) => fail(rest, "max and a number"),
    }
}

/// `default` and `var` in any order. Words may consist of several, and one of them may be called `default`.
fn combo(mut rest: &str) -> Parsed<'_, OptionKind> {
    let mut default = None;
    let mut choices = Vec::new();
    while let (after, Some(key)) = opt(word).parse(rest)? {
        let is_default = key == "default";
        if !is_default && key != "var" {
            return fail(rest, "default or var");
        }
        let ends_at_default = !is_default && default.is_none();
        let more = words_while(|word| word != "var" && (word != "default" || !ends_at_default));
        let choice = recognize((verify(word, |first: &str| first != "var"), more));
        let (after, choice) = required(choice, "a word to choose").parse(after)?;
        if is_default {
            default = Some(joined(choice));
        } else {
            choices.push(joined(choice));
        }
        rest = after;
    }
    match default {
        Some(default) if !choices.is_empty() => Ok((rest, OptionKind::Combo { default, choices })),
        Some(_) => fail(rest, "var and a word to choose"),
        None => fail(rest, "default and a word to choose"),
    }
}

/// The default of a text is the rest of the line; it may be missing.
fn text(rest: &str) -> Parsed<'_, OptionKind> {
    let (rest, default) = opt(keyword("default")).parse(rest)?;
    if default.is_none() {
        return Ok((rest, OptionKind::String { default: String::new() }));
    }
    let default = trimmed(rest);
    Ok(("", OptionKind::String { default: if default == EMPTY { String::new() } else { default.to_owned() } }))
}

#[cfg(test)]
mod tests;
