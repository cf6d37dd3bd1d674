//! What came of a match, as text for people. What is undefined is `n/a`.

mod columns;

use super::config::{ConfigFile, MatchConfig, OpeningSource, Program, SprtConfig};
use super::played::Termination;
use super::sample::GameCounts;
use super::schedule::{KnockoutMatch, Schedule};
use super::sprt::Sprt;
use super::statistics::Statistics;
use super::summary::{Pairing, SprtState, Summary};
use crate::game::Variant;
use columns::{Columns, number, percent, with_error};
use std::fmt::Write as _;

fn scope_name(scope: Option<Variant>) -> &'static str {
    scope.map_or("all, equal weights", Variant::name)
}

/// One line about two engines: `kete against old: +12 =3 -5, Elo 125.5 ± 160.2`.
pub(super) fn short_line(pairing: &Pairing) -> String {
    let Pairing { first, second, wins, draws, losses, statistics, .. } = pairing;
    let elo = with_error(statistics.elo, statistics.elo_error);
    format!("{first} against {second}: +{wins} ={draws} -{losses}, Elo {elo}")
}

/// `1 game`, `2 games`.
fn counted(number: u64, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// One line about a test.
pub(super) fn sprt_line(state: &SprtState, paired: bool) -> String {
    let SprtState { llr, lower, upper, elo0, elo1, model, verdict, expected_remaining } = state;
    let verdict = match (verdict, expected_remaining) {
        (Some(hypothesis), _) => format!("{hypothesis:?} accepted"),
        (None, Some(more)) => {
            format!("undecided, some {more} more {} expected", if paired { "pairs" } else { "games" })
        }
        (None, None) => "undecided".to_owned(),
    };
    let model = model.name();
    format!("LLR {} in ({lower:.2}, {upper:.2}), {model} elo0={elo0} elo1={elo1}: {verdict}", number(*llr, 2))
}

/// The whole result of a match.
pub(super) fn summary(summary: &Summary<'_>) -> String {
    let standings = &summary.standings;
    if standings.games() == 0 {
        return "No game is finished.\n".to_owned();
    }
    let mut text = String::new();
    if standings.engines().len() == 2 {
        text.push_str(&duel(summary));
    } else {
        let rankings: Vec<String> = summary.scopes().into_iter().map(|scope| ranking(summary, scope)).collect();
        text.push_str(&rankings.join("\n"));
    }
    if let Some(state) = &summary.sprt {
        let _ = writeln!(text, "\n{}", sprt_line(state, summary.paired));
    }
    text.push('\n');
    text.push_str(&first_movers(summary));
    let failures = failures(summary);
    if !failures.is_empty() {
        let _ = write!(text, "\n{failures}");
    }
    text
}

/// Two engines, a line for each variant.
fn duel(summary: &Summary<'_>) -> String {
    let pairing = summary.pairing(0, 1, None);
    let mut text = format!("{} against {}: {}\n\n", pairing.first, pairing.second, counted(pairing.games, "game"));
    let mut columns = Columns::default();
    let mut head = vec!["", "games", "W", "D", "L", "score", "Elo", "nElo", "LOS"];
    if summary.paired {
        head.extend(["LL", "LD", "WL+DD", "WD", "WW"]);
    }
    columns.add(head);
    for scope in summary.scopes() {
        let Pairing { games, wins, draws, losses, penta, statistics, .. } = summary.pairing(0, 1, scope);
        let mut row = vec![scope_name(scope).to_owned()];
        row.extend([games, wins, draws, losses].map(|n| n.to_string()));
        row.extend([
            percent(statistics.score),
            with_error(statistics.elo, statistics.elo_error),
            with_error(statistics.nelo, statistics.nelo_error),
            percent(statistics.los),
        ]);
        row.extend(penta.iter().flatten().map(u64::to_string));
        columns.add(row);
    }
    text.push_str(&columns.text());
    text
}

/// Several engines in one variant or in all: ratings, points, and who beat whom.
fn ranking(summary: &Summary<'_>, scope: Option<Variant>) -> String {
    let standings = &summary.standings;
    let ratings = standings.ratings(scope);
    let points = |index: usize| standings.engine(index, scope).points();
    let mut order: Vec<usize> = (0..standings.engines().len()).collect();
    order.sort_by(|&a, &b| points(b).total_cmp(&points(a)));
    let mut columns = Columns::default();
    let mut head: Vec<String> =
        [scope.map_or("all", Variant::name), "Elo", "games", "W", "D", "L", "points"].map(str::to_owned).into();
    head.extend((1..=order.len()).map(|place| format!("vs {place}")));
    columns.add(head);
    for (place, &index) in (1..).zip(&order) {
        let name = standings.engines().get(index).map_or("", String::as_str);
        let games = standings.engine(index, scope).all();
        let rating = ratings.of(index);
        let mut row = vec![format!("{place} {name}"), with_error(rating.map(|r| r.elo), rating.map(|r| r.error))];
        row.extend([games.games(), games.wins, games.draws, games.losses].map(|n| n.to_string()));
        row.push(format!("{:.1}", games.points()));
        for &other in &order {
            let against = standings.pairing(index, other, scope).games;
            row.push(if index == other || against.games() == 0 {
                "-".to_owned()
            } else {
                format!("{:.1}/{}", against.points(), against.games())
            });
        }
        columns.add(row);
    }
    columns.text()
}

/// What the first move is worth, how many openings one side wins whoever plays it, and how games ended.
fn first_movers(summary: &Summary<'_>) -> String {
    let mut columns = Columns::ending_in_words();
    columns.add([
        "",
        "South's score",
        "first mover's",
        "mean plies",
        "openings",
        "all South",
        "all North",
        "how games ended",
    ]);
    for scope in summary.scopes() {
        let record = summary.standings.variant(scope);
        let ends: Vec<String> = Termination::ALL
            .into_iter()
            .map(|reason| (reason, record.terminations.count(reason)))
            .filter(|(_, count)| *count > 0)
            .map(|(reason, count)| format!("{} {count}", reason.name()))
            .collect();
        let variants = scope.map_or_else(|| summary.standings.variants(), |variant| vec![variant]);
        let openings = || variants.iter().flat_map(|&variant| summary.standings.openings(variant).values());
        let count = |is_meant: fn(&GameCounts) -> bool| openings().filter(|opening| is_meant(&opening.south)).count();
        let name = if scope.is_none() { "all" } else { scope_name(scope) };
        columns.add([
            name.to_owned(),
            percent(record.south.score()),
            percent(record.first_mover.score()),
            number(record.lengths.mean(), 1),
            count(|south| south.games() > 0).to_string(),
            count(|south| south.games() > 0 && south.wins == south.games()).to_string(),
            count(|south| south.games() > 0 && south.losses == south.games()).to_string(),
            ends.join(", "),
        ]);
    }
    columns.text()
}

/// A line for each engine that failed.
fn failures(summary: &Summary<'_>) -> String {
    let standings = &summary.standings;
    let mut text = String::new();
    for (index, name) in standings.engines().iter().enumerate() {
        let losses = standings.engine(index, None).losses;
        let failed: Vec<String> = Termination::ALL
            .into_iter()
            .filter(|reason| reason.is_failure())
            .map(|reason| (reason, losses.count(reason)))
            .filter(|(_, count)| *count > 0)
            .map(|(reason, count)| format!("{} {count}", reason.name()))
            .collect();
        if !failed.is_empty() {
            let _ = writeln!(text, "Failures of {name}: {}", failed.join(", "));
        }
    }
    text
}

/// How a Swiss or knockout tournament stands; nothing for others.
pub(super) fn tournament(schedule: &Schedule, config: &MatchConfig) -> String {
    let name = |index: usize| config.engines.get(index).map_or("", |engine| engine.name.as_str());
    let half = |points: u64| format!("{:.1}", points as f64 / 2.0);
    let mut text = String::new();
    let swiss = schedule.swiss_table();
    if !swiss.is_empty() {
        let mut columns = Columns::default();
        columns.add(["swiss", "points", "byes"]);
        for (place, entry) in (1..).zip(swiss) {
            columns.add([format!("{place} {}", name(entry.engine)), half(entry.half_points), entry.byes.to_string()]);
        }
        text.push_str(&columns.text());
    }
    for stage in schedule.stages() {
        let mut columns = Columns::default();
        columns.add([format!("stage {}", stage.round), "points".to_owned(), "goes on".to_owned()]);
        for KnockoutMatch { first, second, half_points: [own, others], tie_breaks, winner } in &stage.matches {
            let pair =
                second.map_or_else(|| name(*first).to_owned(), |second| format!("{} - {}", name(*first), name(second)));
            let breaks = if *tie_breaks > 0 { format!(", {tie_breaks} tie-breaks") } else { String::new() };
            let points = second.map_or_else(String::new, |_| format!("{} - {}{breaks}", half(*own), half(*others)));
            columns.add([pair, points, winner.map_or("-", name).to_owned()]);
        }
        text.push_str(&columns.text());
    }
    if let Some(champion) = schedule.champion() {
        let _ = writeln!(text, "Champion: {}", name(champion));
    }
    text
}

/// The statistics of a sample.
pub(super) fn statistics(statistics: &Statistics, test: Option<&Sprt>, llr: Option<f64>) -> String {
    let mut text = format!(
        "Elo {}\nnElo {}\nLOS {}\n",
        with_error(statistics.elo, statistics.elo_error),
        with_error(statistics.nelo, statistics.nelo_error),
        percent(statistics.los),
    );
    if let Some(test) = test {
        let (lower, upper) = test.bounds();
        let verdict = llr.and_then(|llr| test.verdict(llr));
        let settings = test.settings();
        let state = SprtState {
            llr,
            lower,
            upper,
            elo0: settings.elo0,
            elo1: settings.elo1,
            model: settings.model,
            verdict,
            expected_remaining: None,
        };
        let _ = writeln!(text, "{}", sprt_line(&state, true));
    }
    text
}

/// What a match is going to be.
pub(super) fn plan(file: &ConfigFile) -> String {
    let config = &file.config;
    let mut text = String::new();
    let variants: Vec<&str> = config.variants.iter().map(|variant| variant.name()).collect();
    let _ = writeln!(
        text,
        "{}, {} of {} each, in {}; seed {}",
        config.tournament.name(),
        counted(config.rounds.into(), "round"),
        counted(config.games.into(), "game"),
        variants.join(", "),
        config.seed
    );
    for engine in &config.engines {
        let program = match &engine.program {
            Program::Builtin => "built in".to_owned(),
            Program::File(path) => path.display().to_string(),
        };
        let words =
            std::iter::once(program).chain(engine.arguments.iter().map(|word| shell_words::quote(word).into_owned()));
        let _ = write!(text, "  {}: {}, {}", engine.name, words.collect::<Vec<String>>().join(" "), engine.limits);
        if let Some(directory) = &engine.directory {
            let _ = write!(text, ", in {}", directory.display());
        }
        for option in &engine.options {
            let _ = match &option.value {
                Some(value) => write!(text, ", {}={value}", option.name),
                None => write!(text, ", {}", option.name),
            };
        }
        text.push('\n');
    }
    let source = match &config.openings {
        OpeningSource::Random { plies, start: 0 } => format!("{plies} random plies"),
        OpeningSource::Random { plies, start } => format!("{plies} random plies, from number {}", start + 1),
        OpeningSource::File { path, .. } => path.display().to_string(),
    };
    let counts: Vec<String> = file.openings.iter().map(|(name, list)| format!("{} {name}", list.len())).collect();
    let _ = writeln!(text, "  openings: {source} ({})", counts.join(", "));
    let rules = rules(config);
    if !rules.is_empty() {
        let _ = writeln!(text, "  ends: {}", rules.join("; "));
    }
    text
}

/// The rules by which games and the match end before they would by themselves.
fn rules(config: &MatchConfig) -> Vec<String> {
    let plies = config.max_plies.map(|plies| format!("drawn after {plies} plies"));
    let resign = config.resign.map(|rule| {
        let sides = if rule.two_sided { ", both agreeing" } else { "" };
        format!("lost after {} moves at {} cp or worse{sides}", rule.move_count, -rule.score_cp)
    });
    let draw = config.draw.map(|rule| {
        format!("drawn after {} moves within {} cp, from move {} on", rule.move_count, rule.score_cp, rule.move_number)
    });
    let test = config.sprt.map(|test| {
        let SprtConfig { elo0, elo1, alpha, beta, model, min_pairs } = test;
        let least = if min_pairs > 0 { format!(", not before {}", counted(min_pairs, "pair")) } else { String::new() };
        format!("{} SPRT elo0={elo0} elo1={elo1} alpha={alpha} beta={beta}{least}", model.name())
    });
    [plies, resign, draw, test].into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_under_way_counts_what_it_counts() {
        let state = SprtState {
            llr: Some(1.0),
            lower: -2.0,
            upper: 2.0,
            elo0: 0.0,
            elo1: 5.0,
            model: crate::contest::Model::Logistic,
            verdict: None,
            expected_remaining: Some(3),
        };
        let line = "LLR 1.00 in (-2.00, 2.00), logistic elo0=0 elo1=5: undecided, some 3 more ";
        assert_eq!(sprt_line(&state, true), format!("{line}pairs expected"));
        assert_eq!(sprt_line(&state, false), format!("{line}games expected"));
    }
}
