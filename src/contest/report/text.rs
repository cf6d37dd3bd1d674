//! How names, numbers and tables are written on the page.

use crate::contest::GameCounts;
use std::fmt::Write;

/// What stands where a number is undefined.
pub(super) const NOT_AVAILABLE: &str = "n/a";

/// Text as HTML, between tags and in attributes with double quotes.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            // Nothing on the page is broken or turned round by what an engine calls itself.
            c if is_unseen(c) => escaped.extend(c.escape_unicode()),
            c => escaped.push(c),
        }
    }
    escaped
}

/// Whether a character breaks lines or turns the direction of what follows.
fn is_unseen(c: char) -> bool {
    c.is_control() || ('\u{2028}'..='\u{202e}').contains(&c) || ('\u{2066}'..='\u{2069}').contains(&c)
}

/// The text as a line, cut to `chars` characters if it is longer.
pub(super) fn shortened(text: &str, chars: usize) -> String {
    let text = text.replace(is_unseen, "\u{fffd}");
    if text.chars().nth(chars).is_none() {
        return text;
    }
    text.chars().take(chars.saturating_sub(1)).chain(['…']).collect()
}

/// A number with its sign and so many decimals; 0 has no sign.
pub(super) fn signed(number: f64, decimals: usize) -> String {
    let digits = format!("{:.decimals$}", number.abs());
    if digits.bytes().all(|b| matches!(b, b'0' | b'.')) {
        return digits;
    }
    format!("{}{digits}", if number < 0.0 { '−' } else { '+' })
}

/// An estimate and half the width of its interval, each as far as it is defined, on one line.
pub(super) fn estimate(value: Option<f64>, error: Option<f64>) -> String {
    match (value, error) {
        (Some(value), Some(error)) => format!("{}\u{a0}±\u{a0}{error:.1}", signed(value, 1)),
        (Some(value), None) => format!("{}\u{a0}±\u{a0}{NOT_AVAILABLE}", signed(value, 1)),
        (None, _) => NOT_AVAILABLE.to_owned(),
    }
}

/// A share in 0..=1 in per cent.
pub(super) fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| NOT_AVAILABLE.to_owned(), |share| format!("{:.1}\u{a0}%", 100.0 * share))
}

/// A likelihood in 0..=1 in per cent; never rounded to certainty.
pub(super) fn likelihood(share: Option<f64>) -> String {
    match share {
        Some(share) if share > 0.9995 => "&gt;\u{a0}99.9\u{a0}%".to_owned(),
        Some(share) if share < 0.0005 => "&lt;\u{a0}0.1\u{a0}%".to_owned(),
        share => percent(share),
    }
}

/// Wins, draws and losses.
pub(super) fn results(counts: GameCounts) -> String {
    format!("{}–{}–{}", counts.wins, counts.draws, counts.losses)
}

/// A number of things, with its noun.
pub(super) fn count(n: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(n), if n == 1 { "" } else { "s" })
}

/// A whole number, its digits in groups of three.
pub(super) fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A table; its cells are HTML already.
pub(super) struct Table {
    caption: &'static str,
    heads: &'static [Head],
    rows: String,
}

/// The head of a column.
pub(super) enum Head {
    /// Of words.
    Words(&'static str),
    /// Of numbers, which stand to the right.
    Numbers(&'static str),
}

impl Table {
    /// A table without rows. The first column names its row.
    pub(super) fn new(caption: &'static str, heads: &'static [Head]) -> Table {
        Table { caption, heads, rows: String::new() }
    }

    /// Adds a row with a cell for each head.
    pub(super) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push_str("<tr>");
        for (i, (cell, head)) in cells.into_iter().zip(self.heads).enumerate() {
            let class = if matches!(head, Head::Numbers(_)) { " class=\"num\"" } else { "" };
            let (open, close) = if i == 0 { ("th scope=\"row\"", "th") } else { ("td", "td") };
            let _ = write!(self.rows, "<{open}{class}>{cell}</{close}>");
        }
        self.rows.push_str("</tr>\n");
    }

    /// The table, in a box that scrolls sideways where the screen is narrow.
    pub(super) fn html(&self) -> String {
        let heads: String = self
            .heads
            .iter()
            .map(|head| match head {
                Head::Words(text) => format!("<th scope=\"col\">{text}</th>"),
                Head::Numbers(text) => format!("<th scope=\"col\" class=\"num\">{text}</th>"),
            })
            .collect();
        let Table { caption, rows, .. } = self;
        format!(
            "<div class=\"scroll\" role=\"region\" aria-label=\"{caption}\"><table><caption>{caption}</caption>\n\
             <thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}</tbody></table></div>\n"
        )
    }
}

/// A list of names and values.
#[derive(Default)]
pub(super) struct List(String);

impl List {
    pub(super) fn text(&mut self, name: &str, value: &str) {
        self.0 += &format!("<dt>{}</dt><dd>{}</dd>", escape(name), escape(value));
    }

    pub(super) fn code(&mut self, name: &str, value: &str) {
        self.0 += &format!("<dt>{}</dt><dd><code>{}</code></dd>", escape(name), escape(value));
    }

    /// A text that keeps its lines.
    pub(super) fn lines(&mut self, name: &str, value: &str) {
        self.0 += &format!("<dt>{}</dt><dd>{}</dd>", escape(name), preformatted(value.lines(), ""));
    }

    pub(super) fn html(&self) -> String {
        format!("<dl>{}</dl>", self.0)
    }
}

/// Lines of code, with the attributes of their box.
pub(super) fn preformatted<S: AsRef<str>>(lines: impl IntoIterator<Item = S>, attributes: &str) -> String {
    let lines: Vec<_> = lines.into_iter().map(|line| escape(line.as_ref())).collect();
    format!("<pre{attributes}><code>{}</code></pre>", lines.join("\n"))
}

/// Numbers that are seen first, each with its name; they are HTML already.
pub(super) fn cards<'a>(cards: impl IntoIterator<Item = (&'a str, String)>) -> String {
    let cards: String =
        cards.into_iter().map(|(name, value)| format!("<div><dt>{name}</dt><dd>{value}</dd></div>")).collect();
    format!("<dl class=\"cards\">{cards}</dl>\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_names_become_plain_text() {
        assert_eq!(escape("</script><b a=\"'&\n"), "&lt;/script&gt;&lt;b a=&quot;&#39;&amp;\\u{a}");
    }

    #[test]
    fn numbers_have_their_sign_and_are_never_undefined() {
        assert_eq!((signed(1.26, 1), signed(-1.26, 1), signed(-0.04, 1)), ("+1.3".into(), "−1.3".into(), "0.0".into()));
        assert_eq!(estimate(Some(12.0), Some(3.25)), "+12.0\u{a0}±\u{a0}3.2");
        assert_eq!(estimate(Some(12.0), None), "+12.0\u{a0}±\u{a0}n/a");
        assert_eq!((estimate(None, None), percent(None)), ("n/a".into(), "n/a".into()));
        assert_eq!((grouped(0), grouped(999), grouped(1_234_567)), ("0".into(), "999".into(), "1,234,567".into()));
        assert_eq!((shortened("abcd", 4), shortened("abcde", 4)), ("abcd".into(), "abc…".into()));
    }
}
