//! What the match says, in a sentence and a few numbers.

use super::figures::{Figures, Tally};
use super::text::{self, NOT_AVAILABLE, count, escape, estimate, grouped, likelihood, percent, results, signed};
use crate::contest::{Hypothesis, Statistics};
use std::cmp::Ordering;

/// Fewer pairs (or games, where there are no pairs) than this decide nothing: the interval is that of a normal
/// distribution, which so few results do not have.
const ENOUGH: u64 = 10;

/// The head of the page.
pub(super) fn section(figures: &Figures<'_>) -> String {
    let file = &figures.record.file;
    let engines: Vec<_> = figures.engines.iter().map(|name| format!("<b>{}</b>", escape(name))).collect();
    let separator = if figures.is_duel() { " against " } else { ", " };
    let variants: Vec<_> = file.config.variants.iter().map(|v| v.name()).collect();
    let played = figures.record.games.len() as u64;
    let planned = match figures.planned() {
        Some(planned) => format!("{} of {} played", grouped(played), count(planned, "game")),
        None => format!("{} played", count(played, "game")),
    };
    let last = figures.record.games.iter().map(|game| game.started.as_str()).max();
    let last = last.map(|last| format!(", last game begun {}", escape(last))).unwrap_or_default();
    format!(
        "<header class=\"top\"><h1>{}</h1>\n<p class=\"soft\">{} · {planned} · match begun {}{last}</p>\n\
         <p class=\"headline\">{}</p>\n{}{}</header>\n",
        engines.join(separator),
        variants.join(", "),
        escape(&file.created),
        headline(figures),
        test(figures),
        cards(figures),
    )
}

/// Who is stronger, as far as the games tell.
fn headline(figures: &Figures<'_>) -> String {
    if figures.record.games.is_empty() {
        return "No game is finished yet.".to_owned();
    }
    let ([first, second], intro) = match *figures.engines.as_slice() {
        [first, second] => ([first, second], String::new()),
        _ => {
            let mut ranking: Vec<_> =
                figures.engines.iter().map(|name| (*name, figures.tally(name, None, None))).collect();
            ranking.sort_by(|(_, a), (_, b)| b.share().partial_cmp(&a.share()).unwrap_or(Ordering::Equal));
            let [(first, best), (second, next), ..] = ranking.as_slice() else {
                return "There are no two engines to compare.".to_owned();
            };
            let intro = format!(
                "<b>{}</b> has scored {} against all others, <b>{}</b> comes next with {}. ",
                escape(first),
                percent(best.share()),
                escape(second),
                percent(next.share()),
            );
            ([*first, *second], intro)
        }
    };
    intro + &comparison(first, second, &figures.tally(first, None, Some(second)))
}

fn comparison(first: &str, second: &str, tally: &Tally) -> String {
    let (first, second) = (format!("<b>{}</b>", escape(first)), format!("<b>{}</b>", escape(second)));
    let statistics = tally.statistics();
    let Statistics { score: Some(score), score_error: Some(error), los: Some(los), .. } = statistics else {
        return match tally.share() {
            Some(share) => {
                format!("Undecided: {first} has {} of the points, no pair is complete.", percent(Some(share)))
            }
            None => "Undecided: they have not met.".to_owned(),
        };
    };
    let numbers = format!(
        "Elo {} (95\u{a0}%), LOS {}, score {} in {}",
        estimate(statistics.elo, statistics.elo_error),
        likelihood(Some(los)),
        percent(Some(score)),
        count(tally.played(), "game"),
    );
    if tally.sample_size() < ENOUGH {
        format!("Undecided: too few games to compare {first} with {second}. {numbers}.")
    } else if score - error > 0.5 {
        format!("{first} is stronger than {second}: {numbers}.")
    } else if score + error < 0.5 {
        format!("{first} is weaker than {second}: {numbers}.")
    } else {
        format!("Undecided between {first} and {second}: {numbers}. The interval includes equal strength.")
    }
}

/// The state of the sequential test.
fn test(figures: &Figures<'_>) -> String {
    let Some(config) = figures.record.file.config.sprt else { return String::new() };
    let Some(state) = figures.sprt() else {
        return "<p class=\"test\"><b>SPRT</b>: its settings make no test.</p>\n".to_owned();
    };
    let (lower, upper) = state.sprt.bounds();
    let unit = if figures.paired { "pair" } else { "game" };
    let verdict = match state.verdict {
        Some(Hypothesis::H0) => "H0 accepted".to_owned(),
        Some(Hypothesis::H1) => "H1 accepted".to_owned(),
        None if state.samples.0 < state.samples.1 => {
            format!("no verdict before {}", count(state.samples.1, unit))
        }
        None => "no verdict yet".to_owned(),
    };
    format!(
        "<p class=\"test\"><b>SPRT: {verdict}</b>. LLR {} with bounds {} and {} after {}; H0: {} Elo, H1: {} Elo ({}), \
         α\u{a0}=\u{a0}{}, β\u{a0}=\u{a0}{}.</p>\n",
        state.llr.map_or_else(|| NOT_AVAILABLE.to_owned(), |llr| signed(llr, 2)),
        signed(lower, 2),
        signed(upper, 2),
        count(state.samples.0, unit),
        config.elo0,
        config.elo1,
        config.model.name(),
        config.alpha,
        config.beta,
    )
}

/// The numbers of the first engine, or those of the match if there are more than two.
fn cards(figures: &Figures<'_>) -> String {
    let failures = figures.record.games.iter().filter(|game| game.reason.is_failure()).count() as u64;
    let mut cards = Vec::new();
    if let (true, Some(first)) = (figures.is_duel(), figures.engines.first()) {
        let tally = figures.tally(first, None, None);
        let statistics = tally.statistics();
        cards.push(("W–D–L", results(tally.games)));
        cards.push(("Score", percent(tally.share())));
        cards.push(("Elo", estimate(statistics.elo, statistics.elo_error)));
        cards.push(("Normalized Elo", estimate(statistics.nelo, statistics.nelo_error)));
        cards.push(("Superiority (LOS)", likelihood(statistics.los)));
        if figures.paired {
            cards.push(("Complete pairs", grouped(tally.complete_pairs())));
        }
    } else {
        cards.push(("Engines", grouped(figures.engines.len() as u64)));
        cards.push(("Games", grouped(figures.record.games.len() as u64)));
        cards.push(("Plies", grouped(figures.record.games.iter().map(|game| u64::from(game.plies)).sum())));
    }
    cards.push(("Failures", grouped(failures)));
    text::cards(cards)
}
