//! A match as one HTML page: what it says, how it came about, and every game on a board. A tuning run has a page of its
//! own (`tuning`).
//!
//! A page is a single file without anything from elsewhere: styles, scripts and plots are in it. Its security policy
//! names the hashes of its own style sheet and script, so that nothing that an engine calls itself is ever run. Numbers
//! of a match are counted in `figures`, and the games are played again here, so that the page knows no rules (`replay`).

mod bars;
mod chart;
mod data;
mod details;
mod figures;
mod openings;
mod plane;
mod plots;
mod replay;
mod summary;
mod tables;
#[cfg(test)]
mod tests;
mod text;
mod tuning;

use super::MatchRecord;
use data::PageData;
use figures::Figures;
use openings::Openings;
use sha2::{Digest, Sha256};
use text::{count, escape, grouped};
pub use tuning::tuning_html;

const STYLE: &str = include_str!("report/page.css");
const SCRIPT: &str = concat!(include_str!("report/lists.js"), include_str!("report/board.js"));
const VIEWER: &str = include_str!("report/viewer.html");

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// A plot cannot be drawn.
    #[error("a plot cannot be drawn: {0}")]
    Plot(String),
    /// The games cannot be written as data of the page.
    #[error("the games cannot be written as JSON: {0}")]
    Data(#[from] serde_json::Error),
}

/// The report of a match, finished or not, as the text of an HTML file. The same record gives the same text.
///
/// A game whose moves cannot be played again is marked and listed with the move that is wrong. Where there are more than
/// 400,000 moves, failed games and the latest ones have theirs on the page; a note says how many have not.
///
/// # Errors
/// [`ReportError`] if a plot or the data of the page cannot be written, which no record is known to cause.
pub fn html(record: &MatchRecord) -> Result<String, ReportError> {
    page(record, data::MAX_PLIES)
}

fn page(record: &MatchRecord, max_plies: usize) -> Result<String, ReportError> {
    let figures = Figures::new(record);
    let openings = Openings::new(record);
    let replays = data::replays(&record.games, &openings);
    let data = PageData::new(&figures, &openings, &replays, max_plies);
    let title = figures.engines.join(if figures.is_duel() { " against " } else { ", " });
    let parts = [
        ("results", "Results"),
        ("plots", "Plots"),
        ("games", "Games"),
        ("failures", "Failures"),
        ("openings", "Openings"),
        ("settings", "Settings"),
    ];
    let parts =
        parts.into_iter().filter(|(id, _)| !record.games.is_empty() || !matches!(*id, "plots" | "games" | "openings"));
    let body = [
        summary::section(&figures),
        navigation(parts),
        "<main>\n".to_owned(),
        tables::section(&figures, &openings),
        plots::section(&figures)?,
        games(record, data.left_out(), max_plies),
        details::incidents(&figures, &replays),
        opening_table(&figures, &openings),
        details::settings(&figures),
        format!("</main>\n<footer class=\"soft\">Kete {}</footer>\n", escape(&record.file.kete)),
    ];
    Ok(frame(&format!("{title} · Kete match"), &body.concat(), Some(&data.json()?)))
}

/// A page of this title and body. If it has data, the script that shows them is added, and nothing else may run.
fn frame(title: &str, body: &str, data: Option<&str>) -> String {
    let (policy, scripts) = match data {
        Some(data) => (
            format!("; script-src '{}'", policy_hash(SCRIPT)),
            format!("<script type=\"application/json\" id=\"data\">{data}</script>\n<script>{SCRIPT}</script>\n"),
        ),
        None => Default::default(),
    };
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; base-uri 'none'; \
         form-action 'none'; style-src '{}'{policy}\">\n\
         <link rel=\"icon\" href=\"data:,\">\n<title>{}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         {body}{scripts}</body>\n</html>\n",
        policy_hash(STYLE),
        escape(title),
    )
}

/// Links to the parts of a page, by their ids and names.
fn navigation<'a>(parts: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let links: String = parts.into_iter().map(|(id, name)| format!("<a href=\"#{id}\">{name}</a>")).collect();
    format!("<nav aria-label=\"Parts of the report\">{links}</nav>\n")
}

fn games(record: &MatchRecord, left_out: usize, max_plies: usize) -> String {
    if record.games.is_empty() {
        return String::new();
    }
    let note = if left_out > 0 {
        format!(
            "<p class=\"note\">{} without moves on this page, which has room for {} moves: failed games and the latest ones \
             come first. <code>kete-match replay</code> shows the others.</p>\n",
            count(left_out as u64, "game"),
            grouped(max_plies as u64)
        )
    } else {
        String::new()
    };
    format!("<section id=\"games\"><h2>Games</h2>\n{note}{VIEWER}</section>\n")
}

/// The table of openings; its lines are written by the script, a page at a time.
fn opening_table(figures: &Figures<'_>, openings: &Openings<'_>) -> String {
    if openings.list.is_empty() {
        return String::new();
    }
    let engine = figures.engines.first().map(|name| escape(name)).unwrap_or_default();
    format!(
        "<section id=\"openings\"><h2>Openings</h2>\n<details id=\"opening-details\"><summary>Results of {}</summary>\n\
         <div class=\"scroll\" role=\"region\" aria-label=\"Results of each opening\"><table id=\"opening-table\">\
         <caption>W–D–L of the first mover, and of {engine}</caption><thead></thead><tbody></tbody></table></div>\n\
         <div class=\"pager\" id=\"opening-pager\"></div></details></section>\n",
        count(openings.list.len() as u64, "opening"),
    )
}

/// The hash of a piece of the page, as a security policy names it: SHA-256 in base 64.
fn policy_hash(text: &str) -> String {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut encoded = String::from("sha256-");
    for chunk in Sha256::digest(text.as_bytes()).chunks(3) {
        let bits = chunk.iter().fold(0_usize, |bits, &byte| bits << 8 | usize::from(byte)) << (8 * (3 - chunk.len()));
        for i in 0..4 {
            let letter = ALPHABET.get(bits >> (18 - 6 * i) & 63).filter(|_| i <= chunk.len());
            encoded.push(letter.map_or('=', |&b| char::from(b)));
        }
    }
    encoded
}
