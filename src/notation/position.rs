//! Position text (rule G6) and the board as a diagram (rule G2).

use super::quote;
use crate::game::{Pit, Row, Setup, Side, Variant};
use std::fmt;

/// Why a text is not that of a position: the field, where it stands, and what was expected in its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} at column {column} of the position, expected {expected}", found(.text))]
pub struct PositionTextError {
    /// The field as it was found; empty if the text ended too early.
    pub text: String,
    /// Its column in the text, in characters from 1.
    pub column: usize,
    /// What was expected.
    pub expected: String,
}

fn found(text: &str) -> String {
    if text.is_empty() { "nothing".to_owned() } else { quote(text) }
}

/// The fields of a position text, one after the other.
struct Fields<'a> {
    text: &'a str,
    rest: &'a str,
}

impl<'a> Fields<'a> {
    fn next(&mut self) -> Option<&'a str> {
        let rest = self.rest.trim_ascii_start();
        let end = rest.find(|c: char| c.is_ascii_whitespace()).unwrap_or(rest.len());
        let (field, rest) = rest.split_at(end);
        self.rest = rest;
        (!field.is_empty()).then_some(field)
    }

    fn required(&mut self, expected: &str) -> Result<&'a str, PositionTextError> {
        self.next().ok_or_else(|| self.error(self.text.get(self.text.len()..).unwrap_or(""), expected))
    }

    /// An error about `part`, a slice of the text.
    fn error(&self, part: &str, expected: impl Into<String>) -> PositionTextError {
        let offset = (part.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
        let column = self.text.get(..offset).map_or(0, |before| before.chars().count()) + 1;
        PositionTextError { text: part.to_owned(), column, expected: expected.into() }
    }

    /// A number without sign and leading zeros.
    fn number<T: std::str::FromStr>(&self, part: &str, expected: &str) -> Result<T, PositionTextError> {
        let plain = part.bytes().all(|b| b.is_ascii_digit()) && (part == "0" || !part.starts_with('0'));
        part.parse().ok().filter(|_| plain).ok_or_else(|| self.error(part, expected))
    }
}

/// Reads the text of a position of `variant`, the session's game.
///
/// The result can be any board of that shape; [`AnyPosition::from_setup`](crate::game::AnyPosition::from_setup) says
/// whether it is a position.
///
/// # Errors
/// A [`PositionTextError`] that names the field, its column and what was expected; a VARIANT other than the session's is
/// one.
///
/// ```
/// use kete::game::{AnyPosition, Variant};
/// use kete::notation::{parse_setup, position_text};
/// let text = "0,0,0,0,0,0,0,0/0,2,2,6,0,0,0,0/0,0,0,0,6,2,2,0/0,0,0,0,0,0,0,0 S 22,22 SN -";
/// let setup = parse_setup(text, Variant::Kiswahili).unwrap();
/// assert_eq!(setup, AnyPosition::start(Variant::Kiswahili).to_setup());
/// assert_eq!(position_text(&setup).to_string(), format!("kiswahili {text} 0"));
/// ```
pub fn parse_setup(text: &str, variant: Variant) -> Result<Setup, PositionTextError> {
    let mut fields = Fields { text, rest: text };
    let mut setup = Setup::empty(variant);
    let mut rows = fields.required("a position")?;
    match Variant::from_name(rows) {
        Some(named) if named != variant => {
            let expected = format!("{variant}, the game at hand (see option UCI_Variant)");
            return Err(fields.error(rows, expected));
        }
        Some(_) => rows = fields.required("the four rows")?,
        None if !rows.contains(['/', ',']) => {
            return Err(fields.error(rows, format!("{variant} or the four rows")));
        }
        None => {}
    }
    read_rows(&fields, rows, &mut setup)?;
    setup.side = match fields.required("S or N, the side to move")? {
        "S" => Side::South,
        "N" => Side::North,
        other => return Err(fields.error(other, "S or N, the side to move")),
    };
    if variant.has_reserves() {
        read_reserves(&mut fields, &mut setup)?;
        setup.houses = match fields.required("the owned houses: SN, S, N or -")? {
            "SN" => [true, true],
            "S" => [true, false],
            "N" => [false, true],
            "-" => [false, false],
            other => return Err(fields.error(other, "the owned houses: SN, S, N or -")),
        };
        setup.takasia = read_takasia(&mut fields)?;
    }
    if let Some(ply) = fields.next() {
        setup.ply = fields.number(ply, "the number of plies played")?;
    }
    match fields.next() {
        None => Ok(setup),
        Some(extra) => Err(fields.error(extra, "the end of the position")),
    }
}

fn read_rows(fields: &Fields<'_>, text: &str, setup: &mut Setup) -> Result<(), PositionTextError> {
    let columns = setup.variant().columns();
    let mut rows = text.split('/');
    for (side, row, numbers) in printed_rows(columns) {
        let expected = || format!("four rows of {columns} counts, joined by /");
        let row_text = rows.next().ok_or_else(|| fields.error(text, expected()))?;
        let mut counts = row_text.split(',');
        for number in numbers {
            let count = counts
                .next()
                .ok_or_else(|| fields.error(row_text, format!("{columns} counts in a row, joined by ,")))?;
            if let Some(pit) = Pit::new(row, number) {
                let part = if count.is_empty() { row_text } else { count };
                setup.set_count(side, pit, fields.number(part, "a number of seeds from 0 to 255")?);
            }
        }
        if let Some(extra) = counts.next() {
            let part = if extra.is_empty() { row_text } else { extra };
            return Err(fields.error(part, format!("{columns} counts in a row, joined by ,")));
        }
    }
    match rows.next() {
        None => Ok(()),
        Some(extra) => Err(fields.error(if extra.is_empty() { text } else { extra }, "four rows")),
    }
}

fn read_reserves(fields: &mut Fields<'_>, setup: &mut Setup) -> Result<(), PositionTextError> {
    const EXPECTED: &str = "the reserves of South and North, joined by ,";
    let reserves = fields.required(EXPECTED)?;
    let (south, north) = reserves.split_once(',').ok_or_else(|| fields.error(reserves, EXPECTED))?;
    for (reserve, part) in setup.reserves.iter_mut().zip([south, north]) {
        let part = if part.is_empty() { reserves } else { part };
        *reserve = fields.number(part, EXPECTED)?;
    }
    Ok(())
}

fn read_takasia(fields: &mut Fields<'_>) -> Result<Option<(Side, Pit)>, PositionTextError> {
    const EXPECTED: &str = "the takasiaed pit by name, or -";
    let field = fields.required(EXPECTED)?;
    if field == "-" {
        return Ok(None);
    }
    Side::ALL
        .into_iter()
        .flat_map(|side| Setup::pits(Variant::Kiswahili).map(move |pit| (side, pit)))
        .find(|&(side, pit)| pit.name(side).to_string() == field)
        .map(Some)
        .ok_or_else(|| fields.error(field, EXPECTED))
}

/// The four printed rows, top to bottom, with their pit numbers from left to right (rule G2).
fn printed_rows(columns: u8) -> impl Iterator<Item = (Side, Row, impl Iterator<Item = u8> + Clone)> {
    [(Side::North, Row::Back), (Side::North, Row::Front), (Side::South, Row::Front), (Side::South, Row::Back)]
        .into_iter()
        .map(move |(side, row)| {
            let number = move |i| if side == Side::North { columns + 1 - i } else { i };
            (side, row, (1..=columns).map(number))
        })
}

/// The canonical text of a position: all fields, VARIANT and PLY included (rule G6).
pub fn position_text(setup: &Setup) -> impl fmt::Display + '_ {
    PositionText(setup)
}

struct PositionText<'a>(&'a Setup);

impl fmt::Display for PositionText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let setup = self.0;
        write!(f, "{} ", setup.variant())?;
        for (i, (side, row, numbers)) in printed_rows(setup.variant().columns()).enumerate() {
            f.write_str(if i == 0 { "" } else { "/" })?;
            for (j, pit) in numbers.filter_map(|number| Pit::new(row, number)).enumerate() {
                write!(f, "{}{}", if j == 0 { "" } else { "," }, setup.count(side, pit))?;
            }
        }
        write!(f, " {}", setup.side.letter())?;
        if setup.variant().has_reserves() {
            write!(f, " {},{} {} ", setup.reserves[0], setup.reserves[1], houses_text(setup.houses))?;
            match setup.takasia {
                Some((side, pit)) => write!(f, "{}", pit.name(side))?,
                None => f.write_str("-")?,
            }
        }
        write!(f, " {}", setup.ply)
    }
}

fn houses_text(houses: [bool; 2]) -> &'static str {
    match houses {
        [true, true] => "SN",
        [true, false] => "S",
        [false, true] => "N",
        [false, false] => "-",
    }
}

/// The board as rule G2 prints it, a line a row, with pit names beside the counts, and in Kiswahili a line that tells
/// reserves, houses and takasia. Lines end with a newline.
pub fn board_diagram(setup: &Setup) -> impl fmt::Display + '_ {
    BoardDiagram(setup)
}

struct BoardDiagram<'a>(&'a Setup);

impl BoardDiagram<'_> {
    fn names(&self, f: &mut fmt::Formatter<'_>, side: Side) -> fmt::Result {
        f.write_str("  ")?;
        for number in printed_rows(self.0.variant().columns()).find(|row| row.0 == side).into_iter().flat_map(|r| r.2) {
            write!(f, " {number:>2}")?;
        }
        writeln!(f)
    }
}

impl fmt::Display for BoardDiagram<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let setup = self.0;
        self.names(f, Side::North)?;
        for (i, (side, row, numbers)) in printed_rows(setup.variant().columns()).enumerate() {
            if i == 2 {
                writeln!(f)?;
            }
            let letter = match (row, side) {
                (Row::Front, Side::South) => 'A',
                (Row::Back, Side::South) => 'B',
                (Row::Front, Side::North) => 'a',
                (Row::Back, Side::North) => 'b',
            };
            write!(f, "{letter} ")?;
            for pit in numbers.filter_map(|number| Pit::new(row, number)) {
                write!(f, " {:>2}", setup.count(side, pit))?;
            }
            if row == Row::Front {
                let seeds = setup.seeds(side);
                write!(f, "   {side} {seeds}")?;
            }
            writeln!(f)?;
        }
        self.names(f, Side::South)?;
        if setup.variant().has_reserves() {
            let [south, north] = setup.reserves;
            write!(f, "Reserves: South {south}, North {north}. Houses: ")?;
            f.write_str(match setup.houses {
                [true, true] => "South, North",
                [true, false] => "South",
                [false, true] => "North",
                [false, false] => "none",
            })?;
            match setup.takasia {
                Some((side, pit)) => writeln!(f, ". Takasia: {}", pit.name(side))?,
                None => writeln!(f, ". Takasia: none")?,
            }
        }
        Ok(())
    }
}
