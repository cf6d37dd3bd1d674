//! The words of a line, for the grammars of both directions, with nom.
//!
//! Each parser takes the rest of the line. An error is either *recoverable*, which lets another parser try, or a *failure*,
//! which is the answer.

use super::command::Words;
use crate::notation::quote;
use nom::bytes::complete::take_while1;
use nom::character::complete::space0;
use nom::combinator::{eof, verify};
use nom::error::{ErrorKind, ParseError};
use nom::sequence::preceded;
use nom::{Err, IResult, Parser};

/// Why a line cannot be read: what was found, where, and what was expected there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} at column {column}, expected {expected}", found_text(.found))]
pub struct SyntaxError {
    /// The word that was found; empty at the end of the line.
    pub found: String,
    /// Its column in the line, from 1.
    pub column: usize,
    /// What was expected.
    pub expected: &'static str,
}

fn found_text(found: &str) -> String {
    if found.is_empty() { "nothing".to_owned() } else { quote(found) }
}

/// The error of the parsers: the rest of the line where it arose, and what was expected there.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Problem<'a> {
    pub(super) rest: &'a str,
    pub(super) expected: &'static str,
}

impl<'a> ParseError<&'a str> for Problem<'a> {
    fn from_error_kind(rest: &'a str, _: ErrorKind) -> Self {
        Problem { rest, expected: "another word" }
    }

    /// Of nested parsers the innermost knows best.
    fn append(_: &'a str, _: ErrorKind, other: Self) -> Self {
        other
    }
}

/// What a parser makes of the rest of a line.
pub(super) type Parsed<'a, T> = IResult<&'a str, T, Problem<'a>>;

/// A failure: `expected` is not what comes next.
pub(super) fn fail<'a, T>(rest: &'a str, expected: &'static str) -> Parsed<'a, T> {
    Err(Err::Failure(Problem { rest: rest.trim_start_matches(is_space), expected }))
}

/// White space inside a line: everything that ASCII calls so, and vertical tabs.
pub(super) fn is_space(c: char) -> bool {
    c.is_ascii_whitespace() || c == '\u{b}'
}

/// Makes any white space a parser's matter of course: it reads the next word, however far away.
pub(super) fn word(rest: &str) -> Parsed<'_, &str> {
    let rest = rest.trim_start_matches(is_space);
    take_while1(|c| !is_space(c)).parse(rest)
}

/// The word `expected` itself.
pub(super) fn keyword<'a>(expected: &'static str) -> impl Parser<&'a str, Output = &'a str, Error = Problem<'a>> {
    verify(word, move |found: &str| found == expected)
}

/// The end of the line.
pub(super) fn end(rest: &str) -> Parsed<'_, &str> {
    let rest = rest.trim_start_matches(is_space);
    preceded(space0, eof).parse(rest)
}

/// The parser, its error being that `expected` was not there.
pub(super) fn required<'a, T>(
    mut parser: impl Parser<&'a str, Output = T, Error = Problem<'a>>,
    expected: &'static str,
) -> impl Parser<&'a str, Output = T, Error = Problem<'a>> {
    move |rest: &'a str| match parser.parse(rest) {
        Err(Err::Error(_)) => fail(rest, expected),
        answer => answer,
    }
}

/// One line, for as long as it lives.
#[derive(Clone, Copy)]
pub(super) struct Line<'a>(pub(super) &'a str);

impl<'a> Line<'a> {
    /// What the parsers found in this line.
    ///
    /// # Errors
    /// Their problem, with its place in the line.
    pub(super) fn outcome<T>(self, parsed: Parsed<'a, T>) -> Result<T, SyntaxError> {
        match parsed {
            Ok((_, found)) => Ok(found),
            Err(Err::Error(problem) | Err::Failure(problem)) => Err(self.syntax_error(&problem)),
            // The parsers are all complete ones.
            Err(Err::Incomplete(_)) => Err(self.syntax_error(&Problem { rest: self.0, expected: "a whole line" })),
        }
    }

    fn syntax_error(self, problem: &Problem<'a>) -> SyntaxError {
        let found = word(problem.rest).map_or("", |(_, found)| found);
        let column = self.column(problem.rest);
        SyntaxError { found: found.to_owned(), column, expected: problem.expected }
    }

    /// The column, from 1, at which `rest`, an end of this line, begins.
    fn column(self, rest: &str) -> usize {
        let offset = self.0.len().saturating_sub(rest.len());
        self.0.get(..offset).map_or(0, |before| before.chars().count()) + 1
    }

    /// A piece of the line with its column.
    pub(super) fn words(self, text: &'a str) -> Words<'a> {
        let offset = (text.as_ptr() as usize).saturating_sub(self.0.as_ptr() as usize);
        Words { text, column: self.column(self.0.get(offset..).unwrap_or("")) }
    }

    /// The text from the first word to the last.
    pub(super) fn between(self, first: &str, last: &str) -> &'a str {
        let offset = |text: &str| (text.as_ptr() as usize).saturating_sub(self.0.as_ptr() as usize);
        self.0.get(offset(first)..offset(last) + last.len()).unwrap_or("")
    }

    /// Words with their columns, counted in one pass: a line may have hundreds of thousands of them.
    pub(super) fn all_words(self, texts: &[&'a str]) -> Vec<Words<'a>> {
        let mut column = 1;
        let mut at = self.0;
        texts
            .iter()
            .map(|&text| {
                let skipped = (text.as_ptr() as usize).saturating_sub(at.as_ptr() as usize);
                column += at.get(..skipped).map_or(0, |before| before.chars().count());
                at = at.get(skipped..).unwrap_or("");
                Words { text, column }
            })
            .collect()
    }
}
