//! Text in columns, and the numbers in it.

use std::fmt::Write as _;

/// Columns of text: the first to the left, the others to the right, but for a last one of words.
#[derive(Default)]
pub(super) struct Columns {
    rows: Vec<Vec<String>>,
    ends_in_words: bool,
}

impl Columns {
    pub(super) fn ending_in_words() -> Columns {
        Columns { ends_in_words: true, ..Columns::default() }
    }

    pub(super) fn add(&mut self, row: impl IntoIterator<Item = impl Into<String>>) {
        self.rows.push(row.into_iter().map(Into::into).collect());
    }

    pub(super) fn text(&self) -> String {
        let width = |column: usize| {
            self.rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.rows.iter().map(Vec::len).max().unwrap_or(0)).map(width).collect();
        let mut text = String::new();
        for row in &self.rows {
            let mut line = String::new();
            for (index, (cell, width)) in row.iter().zip(&widths).enumerate() {
                // Writing to a string cannot fail.
                let _ = match index {
                    0 => write!(line, "{cell:<width$}"),
                    n if self.ends_in_words && n + 1 == widths.len() => write!(line, "  {cell}"),
                    _ => write!(line, "  {cell:>width$}"),
                };
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

pub(super) fn number(value: Option<f64>, decimals: usize) -> String {
    let Some(value) = value else { return "n/a".to_owned() };
    let text = format!("{value:.decimals$}");
    // What rounds to nothing has no sign.
    match text.strip_prefix('-') {
        Some(digits) if digits.chars().all(|c| c == '0' || c == '.') => digits.to_owned(),
        _ => text,
    }
}

pub(super) fn percent(value: Option<f64>) -> String {
    value.map_or_else(|| "n/a".to_owned(), |value| format!("{:.1} %", value * 100.0))
}

pub(super) fn with_error(value: Option<f64>, error: Option<f64>) -> String {
    match value {
        None => "n/a".to_owned(),
        Some(_) => format!("{} ± {}", number(value, 1), number(error, 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rounded_and_have_no_idle_sign() {
        let texts = [Some(-0.04), Some(-0.06), Some(0.0), Some(-0.0), Some(12.34), None].map(|value| number(value, 1));
        assert_eq!(texts, ["0.0", "-0.1", "0.0", "0.0", "12.3", "n/a"]);
        assert_eq!([Some(0.4996), None].map(percent), ["50.0 %", "n/a"]);
        assert_eq!(with_error(Some(-3.0), None), "-3.0 ± n/a");
        assert_eq!(with_error(None, Some(1.0)), "n/a");
    }

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let mut columns = Columns::ending_in_words();
        columns.add(["", "é", "words"]);
        columns.add(["abc", "10", "x"]);
        assert_eq!(columns.text(), "      é  words\nabc  10  x\n");
    }
}
