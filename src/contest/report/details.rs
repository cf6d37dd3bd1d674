//! What somebody should look at, and what the match was set to.

use super::figures::{Figures, loser};
use super::replay::Replay;
use super::tables::name;
use super::text::Head::{Numbers, Words};
use super::text::{Head, List, NOT_AVAILABLE, Table, count, escape, grouped};
use crate::contest::{EngineConfig, OpeningSource, Order, Program};

/// Lines of a list of incidents. A match that fails this often is looked at in its journal.
const MAX_INCIDENTS: usize = 500;

/// Failed games, disputes, and games whose record is damaged.
pub(super) fn incidents(figures: &Figures<'_>, replays: &[Replay]) -> String {
    const HEADS: &[Head] = &[Numbers("Game"), Words("Game type"), Words("What"), Words("Engine"), Words("Details")];
    let mut table = Table::new("Games to look at", HEADS);
    let mut lines = 0;
    for (game, replay) in figures.record.games.iter().zip(replays) {
        let mut row = |what: &str, engine: &str, details: &str| {
            lines += 1;
            if lines <= MAX_INCIDENTS {
                table.row([
                    format!("<a href=\"#game={}&amp;ply={}\">{}</a>", game.game, replay.changes.len(), game.game),
                    game.variant.name().to_owned(),
                    what.to_owned(),
                    name(engine),
                    escape(details),
                ]);
            }
        };
        if game.reason.is_failure() {
            let late = game.runner_late_ms.filter(|&ms| ms > 0);
            let late = late.map(|ms| format!(" The runner itself was {ms} ms late in that move.")).unwrap_or_default();
            let details = game.detail.as_deref().unwrap_or("No details were recorded.");
            row(game.reason.name(), loser(game).unwrap_or_default(), &format!("{details}{late}"));
        }
        for dispute in &game.disputes {
            row("dispute", "", dispute);
        }
        if let Some(trouble) = &replay.trouble {
            row("damaged record", "", trouble);
        }
    }
    let body = match lines {
        0 => "<p>No engine failed, none disputes a result, and every game can be played again.</p>\n".to_owned(),
        n if n > MAX_INCIDENTS => {
            let note = format!("The first {MAX_INCIDENTS} of {} are shown; the journal has all.", grouped(n as u64));
            format!("{}<p class=\"soft\">{note}</p>\n", table.html())
        }
        _ => table.html(),
    };
    format!("<section id=\"failures\"><h2>Failures and disputes</h2>\n{body}</section>\n")
}

/// The effective configuration.
pub(super) fn settings(figures: &Figures<'_>) -> String {
    let file = &figures.record.file;
    let config = &file.config;
    let mut list = List::default();
    list.text("Command line", &shell_words::join(&file.command));
    list.text("Tournament", config.tournament.name());
    let games =
        format!("{}, {} from each opening", count(config.rounds.into(), "round"), count(config.games.into(), "game"));
    list.text("Rounds", &games);
    list.text("Openings", &openings(&config.openings));
    for (variant, openings) in &file.openings {
        list.text(&format!("Openings of {variant}"), &grouped(openings.len() as u64));
    }
    list.text("Seed", &config.seed.to_string());
    list.text(
        "Longest game",
        &config.max_plies.map_or_else(|| "no limit".to_owned(), |n| format!("{n} plies, then a draw")),
    );
    list.text(
        "Resign rule",
        &config.resign.map_or_else(none, |rule| {
            let two_sided = if rule.two_sided { ", both engines agreeing" } else { "" };
            format!("{} in a row at −{} cp or less{two_sided}", count(rule.move_count.into(), "move"), rule.score_cp)
        }),
    );
    list.text(
        "Draw rule",
        &config.draw.map_or_else(none, |rule| {
            let moves = count(rule.move_count.into(), "move");
            format!("from move {}, {moves} of each side within ±{} cp", rule.move_number, rule.score_cp)
        }),
    );
    list.text(
        "SPRT",
        &config.sprt.map_or_else(none, |sprt| {
            format!(
                "elo0={} elo1={} alpha={} beta={} model={} min-pairs={}",
                sprt.elo0,
                sprt.elo1,
                sprt.alpha,
                sprt.beta,
                sprt.model.name(),
                sprt.min_pairs
            )
        }),
    );
    let wait = config.deadlines;
    list.text(
        "Deadlines",
        &format!(
            "start-up {} ms, ping {} ms, quit {} ms, move {} ms",
            wait.startup_ms, wait.ping_ms, wait.quit_ms, wait.move_ceiling_ms
        ),
    );
    let host = &file.host;
    list.text("Host", &format!("{} {}, {}", host.system, host.architecture, count(host.cores as u64, "core")));
    list.text("Kete", &file.kete);
    list.text("Begun", &file.created);
    list.code("Configuration hash", &file.hash);
    let mut engines = String::new();
    for engine in &config.engines {
        engines += &engine_settings(engine, file.binaries.get(&engine.name).map(String::as_str));
    }
    format!(
        "<section id=\"settings\"><h2>Settings</h2>\n<div class=\"settings\">\n{engines}</div>\n\
         <div class=\"setting\"><h3>Match</h3>{}</div></section>\n",
        list.html()
    )
}

fn none() -> String {
    "none".to_owned()
}

fn engine_settings(engine: &EngineConfig, sha256: Option<&str>) -> String {
    let mut list = List::default();
    match &engine.program {
        Program::Builtin => list.text("Program", "built in"),
        Program::File(path) => list.code("Program", &path.display().to_string()),
    }
    if !engine.arguments.is_empty() {
        list.code("Arguments", &shell_words::join(&engine.arguments));
    }
    if let Some(directory) = &engine.directory {
        list.code("Directory", &directory.display().to_string());
    }
    list.text("Limits", &engine.limits.to_string());
    for option in &engine.options {
        list.code(&option.name, option.value.as_deref().unwrap_or("(pressed)"));
    }
    list.code("SHA-256", sha256.unwrap_or(NOT_AVAILABLE));
    format!("<div class=\"setting\"><h3>{}</h3>{}</div>\n", escape(&engine.name), list.html())
}

fn openings(source: &OpeningSource) -> String {
    let from = |start: u32| if start > 0 { format!(", the first {start} passed over") } else { String::new() };
    match source {
        OpeningSource::Random { plies, start } => format!("{} random plies from the start{}", plies, from(*start)),
        OpeningSource::File { path, order, start } => {
            let order = match order {
                Order::Sequential => "in order",
                Order::Random => "shuffled",
            };
            format!("{}, {order}{}", path.display(), from(*start))
        }
    }
}
