//! The tables of a match: results, cross table, first movers, engines, reasons.

use super::figures::{Figures, Tally, loser};
use super::openings::Openings;
use super::text::Head::{Numbers, Words};
use super::text::{Head, NOT_AVAILABLE, Table, count, escape, estimate, grouped, likelihood, percent, results};
use crate::contest::{GameCounts, PlayedGame, Termination};
use crate::game::{Side, Variant};

/// All tables of results.
pub(super) fn section(figures: &Figures<'_>, openings: &Openings<'_>) -> String {
    format!(
        "<section id=\"results\"><h2>Results</h2>\n{}{}{}{}{}</section>\n",
        per_variant(figures),
        cross_table(figures),
        first_movers(figures, openings),
        engines(figures),
        reasons(figures),
    )
}

/// The name of an engine, cut by the style sheet if it is long.
pub(super) fn name(engine: &str) -> String {
    let engine = escape(engine);
    format!("<span class=\"name\" title=\"{engine}\">{engine}</span>")
}

fn per_variant(figures: &Figures<'_>) -> String {
    const HEADS: &[Head] = &[
        Words("Game"),
        Words("Engine"),
        Numbers("Games"),
        Numbers("W–D–L"),
        Numbers("Points"),
        Numbers("Score"),
        Numbers("LL"),
        Numbers("LD"),
        Numbers("WL+DD"),
        Numbers("WD"),
        Numbers("WW"),
        Numbers("Elo, 95 %"),
        Numbers("nElo, 95 %"),
        Numbers("LOS"),
    ];
    let mut table = Table::new("Results by game", HEADS);
    let variants = &figures.record.file.config.variants;
    let mut lines: Vec<Option<Variant>> = variants.iter().copied().map(Some).collect();
    if variants.len() > 1 {
        lines.push(None);
    }
    let mut waiting = 0;
    for &variant in &lines {
        let mut tallies: Vec<_> =
            figures.viewpoints().iter().map(|engine| (*engine, figures.tally(engine, variant, None))).collect();
        tallies.sort_by(|(_, a), (_, b)| b.share().partial_cmp(&a.share()).unwrap_or(std::cmp::Ordering::Equal));
        for (engine, tally) in tallies {
            table.row(result_cells(variant, engine, &tally, figures.paired));
            waiting += if variant.is_some() { tally.waiting() } else { 0 };
        }
    }
    let mut notes = Vec::new();
    if figures.paired {
        notes.push(
            "Elo, normalized Elo and LOS rest on complete pairs: two games from one opening with sides swapped."
                .to_owned(),
        );
        if waiting > 0 && figures.is_duel() {
            notes.push(format!("Not in them: {} whose pair is not complete.", count(waiting, "game")));
        }
    } else {
        notes.push("No pairs were played: each game counts by itself.".to_owned());
    }
    if !figures.is_duel() {
        notes.push("Each engine is compared with all of its opponents together.".to_owned());
    }
    format!("{}<p class=\"soft\">{}</p>\n", table.html(), notes.join(" "))
}

fn result_cells(variant: Option<Variant>, engine: &str, tally: &Tally, paired: bool) -> Vec<String> {
    let statistics = tally.statistics();
    let pairs = tally.pairs;
    let mut cells = vec![
        variant.map_or("all", Variant::name).to_owned(),
        name(engine),
        grouped(tally.played()),
        results(tally.games),
        format!("{:.1}", tally.points()),
        percent(tally.share()),
    ];
    let classes = [pairs.ll, pairs.ld, pairs.wl_dd, pairs.wd, pairs.ww];
    cells.extend(classes.map(|n| if paired { grouped(n) } else { "–".to_owned() }));
    cells.push(estimate(statistics.elo, statistics.elo_error));
    cells.push(estimate(statistics.nelo, statistics.nelo_error));
    cells.push(likelihood(statistics.los));
    cells
}

/// Each engine against each other one, if there are more than two.
fn cross_table(figures: &Figures<'_>) -> String {
    if figures.is_duel() {
        return String::new();
    }
    let heads: String =
        figures.engines.iter().map(|engine| format!("<th scope=\"col\" class=\"num\">{}</th>", name(engine))).collect();
    let mut rows = String::new();
    for engine in &figures.engines {
        rows += &format!("<tr><th scope=\"row\">{}</th>", name(engine));
        for opponent in &figures.engines {
            rows += &if engine == opponent {
                "<td class=\"num self\" aria-label=\"itself\">–</td>".to_owned()
            } else {
                cross_cell(&figures.tally(engine, None, Some(opponent)))
            };
        }
        rows += "</tr>\n";
    }
    let caption = "Cross table";
    format!(
        "<div class=\"scroll\" role=\"region\" aria-label=\"{caption}\"><table><caption>{caption}</caption>\n\
         <thead><tr><th scope=\"col\">Row against column</th>{heads}</tr></thead>\n<tbody>\n{rows}</tbody></table></div>\n"
    )
}

fn cross_cell(tally: &Tally) -> String {
    if tally.played() == 0 {
        return format!("<td class=\"num\">{NOT_AVAILABLE}</td>");
    }
    let statistics = tally.statistics();
    format!(
        "<td class=\"num\">{}<br><small>{} · Elo {}</small></td>",
        percent(tally.share()),
        results(tally.games),
        estimate(statistics.elo, statistics.elo_error)
    )
}

fn first_movers(figures: &Figures<'_>, openings: &Openings<'_>) -> String {
    const HEADS: &[Head] = &[
        Words("Game"),
        Numbers("Games"),
        Numbers("South W–D–L"),
        Numbers("South scored"),
        Numbers("First mover W–D–L"),
        Numbers("First mover scored"),
    ];
    let share = |counts: GameCounts| {
        let games = counts.wins + counts.draws + counts.losses;
        (games > 0).then(|| (counts.wins as f64 + counts.draws as f64 / 2.0) / games as f64)
    };
    let mut table = Table::new("The side and the first move", HEADS);
    for &variant in &figures.record.file.config.variants {
        let [south, first] = figures.first_movers(variant, openings);
        table.row([
            variant.name().to_owned(),
            grouped(south.wins + south.draws + south.losses),
            results(south),
            percent(share(south)),
            results(first),
            percent(share(first)),
        ]);
    }
    table.html() + "<p class=\"soft\">The first mover is the side to move in the opening.</p>\n"
}

fn engines(figures: &Figures<'_>) -> String {
    const HEADS: &[Head] = &[
        Words("Engine"),
        Numbers("Games"),
        Numbers("As South"),
        Numbers("As North"),
        Numbers("Time a move"),
        Numbers("Nodes a move"),
        Numbers("Nodes a second"),
        Numbers("Mean depth"),
    ];
    let mut table = Table::new("The engines at work", HEADS);
    for engine in &figures.engines {
        let work = Work::of(figures, engine);
        let side = |side: Side| {
            let games = figures.games(None).filter(|game| game.engine(side) == *engine);
            let (n, half) =
                games.fold((0_u64, 0_u64), |(n, half), game| (n + 1, half + u64::from(game.result.half_points(side))));
            percent((n > 0).then(|| half as f64 / 2.0 / n as f64))
        };
        table.row([
            name(engine),
            grouped(figures.tally(engine, None, None).played()),
            side(Side::South),
            side(Side::North),
            mean(work.time_us, work.moves)
                .map_or_else(|| NOT_AVAILABLE.to_owned(), |us| format!("{:.1} ms", us / 1000.0)),
            mean(work.nodes, work.moves_with_nodes)
                .map_or_else(|| NOT_AVAILABLE.to_owned(), |n| grouped(n.round() as u64)),
            mean(work.nodes, work.time_with_nodes_us)
                .map_or_else(|| NOT_AVAILABLE.to_owned(), |n| grouped((n * 1e6).round() as u64)),
            mean(work.depth, work.moves_with_depth).map_or_else(|| NOT_AVAILABLE.to_owned(), |n| format!("{n:.1}")),
        ]);
    }
    table.html()
}

/// What an engine told of its moves, added up.
#[derive(Default)]
struct Work {
    moves: u64,
    time_us: u64,
    moves_with_nodes: u64,
    time_with_nodes_us: u64,
    nodes: u64,
    moves_with_depth: u64,
    depth: u64,
}

impl Work {
    fn of(figures: &Figures<'_>, engine: &str) -> Work {
        let mut work = Work::default();
        for game in figures.games(None) {
            for info in
                game.infos.iter().zip(&game.moves).filter(|(_, text)| is_move_of(game, text, engine)).map(|(i, _)| i)
            {
                work.moves += 1;
                work.time_us = work.time_us.saturating_add(info.time_us);
                if let Some(nodes) = info.nodes {
                    work.moves_with_nodes += 1;
                    work.nodes = work.nodes.saturating_add(nodes);
                    work.time_with_nodes_us = work.time_with_nodes_us.saturating_add(info.time_us);
                }
                if let Some(depth) = info.depth {
                    work.moves_with_depth += 1;
                    work.depth = work.depth.saturating_add(depth);
                }
            }
        }
        work
    }
}

/// Whether an engine made the move: South's pits have capital letters (rule G7).
fn is_move_of(game: &PlayedGame, text: &str, engine: &str) -> bool {
    let side = if text.starts_with(|c: char| c.is_ascii_uppercase()) { Side::South } else { Side::North };
    game.engine(side) == engine
}

fn mean(sum: u64, n: u64) -> Option<f64> {
    (n > 0).then(|| sum as f64 / n as f64)
}

/// How the games of each engine ended: those that it won and lost by each reason.
fn reasons(figures: &Figures<'_>) -> String {
    let used: Vec<_> =
        Termination::ALL.into_iter().filter(|&reason| figures.games(None).any(|game| game.reason == reason)).collect();
    if used.is_empty() {
        return String::new();
    }
    let heads: String =
        used.iter().map(|reason| format!("<th scope=\"col\" class=\"num\">{}</th>", reason.name())).collect();
    let mut rows = String::new();
    for engine in &figures.engines {
        rows += &format!("<tr><th scope=\"row\">{}</th>", name(engine));
        for &reason in &used {
            let mut counts = GameCounts::default();
            for game in figures.games(None).filter(|game| game.reason == reason) {
                if game.south != *engine && game.north != *engine {
                    continue;
                }
                match loser(game) {
                    None => counts.draws += 1,
                    Some(lost) if lost == *engine => counts.losses += 1,
                    Some(_) => counts.wins += 1,
                }
            }
            let class = if reason.is_failure() && counts.losses > 0 { "num bad" } else { "num" };
            rows += &format!("<td class=\"{class}\">{}</td>", results(counts));
        }
        rows += "</tr>\n";
    }
    let caption = "Reasons for which games ended, W–D–L";
    format!(
        "<div class=\"scroll\" role=\"region\" aria-label=\"{caption}\"><table><caption>{caption}</caption>\n\
         <thead><tr><th scope=\"col\">Engine</th>{heads}</tr></thead>\n<tbody>\n{rows}</tbody></table></div>\n"
    )
}
