//! The plots of a match: how score, Elo and test came about, how long games were and how they ended.

use super::ReportError;
use super::bars::bars;
use super::chart::{self, Canvas, Drawn, HEIGHT, LETTERS, LINE, Role, letters};
use super::figures::{Figures, SprtState, Tally, ending};
use super::plane::{Curve, Plane, figure, legend, per_cent, range_of};
use super::text::{count, escape, estimate, shortened, signed};
use crate::contest::{Statistics, elo_of_score};
use crate::game::Variant;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};
use std::collections::BTreeMap;
use std::ops::Range;

/// Classes of game length.
const BINS: u32 = 24;

/// All plots that the record has something to show for.
pub(super) fn section(figures: &Figures<'_>) -> Result<String, ReportError> {
    if figures.record.games.is_empty() {
        return Ok(String::new());
    }
    let mut course = score(figures)?.unwrap_or_default();
    if let Some(state) = figures.sprt() {
        course += &llr(figures, &state)?.unwrap_or_default();
    }
    course += &elo(figures)?.unwrap_or_default();
    let mut games = String::new();
    for &variant in &figures.record.file.config.variants {
        if figures.games(Some(variant)).next().is_some() {
            games += &lengths(figures, variant)?;
            games += &endings(figures, variant)?;
        }
    }
    Ok(format!(
        "<section id=\"plots\"><h2>Plots</h2>\n<div class=\"plots course\">\n{course}</div>\n\
         <div class=\"plots\">\n{games}</div></section>\n"
    ))
}

fn games(tally_games: u64) -> u32 {
    u32::try_from(tally_games).unwrap_or(u32::MAX)
}

fn score(figures: &Figures<'_>) -> Result<Option<String>, ReportError> {
    let mut curves = Vec::new();
    let mut names = Vec::new();
    for engine in figures.viewpoints() {
        let points = figures.curve(engine, None);
        let scores: Vec<_> = points.iter().map(|(n, tally)| (games(*n), tally.statistics())).collect();
        let points = scores.iter().filter_map(|&(n, s)| Some((n, s.score?))).collect();
        let band = |&(n, s): &(u32, Statistics)| {
            let (mean, error) = (s.score?, s.score_error?);
            Some((n, (mean - error).max(0.0), (mean + error).min(1.0)))
        };
        let band = if figures.is_duel() { scores.iter().filter_map(band).collect() } else { Vec::new() };
        names.push(escape(engine));
        curves.push(Curve { points, band, is_joined: true });
    }
    curves.truncate(6);
    let Some(x_end) = curves.iter().flat_map(|curve| &curve.points).map(|&(n, _)| n).max() else {
        return Ok(None);
    };
    // The first few results swing from end to end: the axis is made for what follows them.
    let settled = |n: &u32| *n >= x_end / 20;
    let values = curves.iter().flat_map(|curve| {
        let bands = curve.band.iter().filter(|(n, ..)| settled(n)).flat_map(|&(_, low, high)| [low, high]);
        bands.chain(curve.points.iter().filter(|(n, _)| settled(n)).map(|&(_, score)| score))
    });
    let y = range_of(values.chain([0.5]), 0.0..1.0);
    curves.iter_mut().for_each(|curve| curve.clamp(&y));
    let plane = Plane { x_name: "games", x_end, y, y_label: &per_cent, curves: &curves, levels: &[(0.5, Role::Axis)] };
    let svg = plane.draw("Score over the games")?;
    let note = if figures.is_duel() {
        format!("Share of the points of {}, with the 95 % interval.", names.concat())
    } else {
        let more = names.len().saturating_sub(6);
        let rest = if more > 0 { format!("and {} not drawn", count(more as u64, "engine")) } else { String::new() };
        legend(names.iter().take(6)) + &rest
    };
    Ok(Some(figure("Score over the games", &svg, &note)))
}

fn llr(figures: &Figures<'_>, state: &SprtState) -> Result<Option<String>, ReportError> {
    let [first, second, ..] = *figures.engines.as_slice() else { return Ok(None) };
    let points: Vec<_> = figures
        .curve(first, Some(second))
        .iter()
        .filter_map(|(n, tally)| Some((games(*n), state.sprt.llr(&tally.sample())?)))
        .collect();
    let Some(&(x_end, _)) = points.last() else { return Ok(None) };
    let (lower, upper) = state.sprt.bounds();
    let widest = range_of(points.iter().map(|p| p.1).chain([lower, upper]), -1e9..1e9);
    let margin = (upper - lower) * 0.08;
    let y = widest.start.min(lower - margin)..widest.end.max(upper + margin);
    let curve = Curve { points: [(0, 0.0)].into_iter().chain(points).collect(), band: Vec::new(), is_joined: true };
    let levels = [(0.0, Role::Axis), (lower, Role::Bound), (upper, Role::Bound)];
    let y_label = |v: &f64| signed(*v, 1);
    let plane = Plane { x_name: "games", x_end, y, y_label: &y_label, curves: &[curve], levels: &levels };
    let svg = plane.draw("Log-likelihood ratio of the sequential test over the games")?;
    let note =
        format!("Dashed: H0 is accepted at {} and below, H1 at {} and above.", signed(lower, 2), signed(upper, 2));
    Ok(Some(figure("Log-likelihood ratio", &svg, &note)))
}

/// A line of the plot of Elo.
struct Estimate {
    name: String,
    statistics: Statistics,
}

impl Estimate {
    fn new(name: &str, tally: &Tally) -> Estimate {
        Estimate { name: shortened(name, 16), statistics: tally.statistics() }
    }

    /// Elo with the ends of its interval; an end is `None` if it is beyond all numbers.
    fn interval(&self) -> Option<(Option<f64>, f64, Option<f64>)> {
        let Statistics { score: Some(score), score_error: Some(error), elo: Some(elo), .. } = self.statistics else {
            return None;
        };
        Some((elo_of_score(score - error), elo, elo_of_score(score + error)))
    }
}

fn elo(figures: &Figures<'_>) -> Result<Option<String>, ReportError> {
    let variants = &figures.record.file.config.variants;
    let mut lines = Vec::new();
    if let (true, Some(first)) = (figures.is_duel(), figures.engines.first()) {
        lines.extend(variants.iter().map(|v| Estimate::new(v.name(), &figures.tally(first, Some(*v), None))));
        if variants.len() > 1 {
            lines.push(Estimate::new("all", &figures.tally(first, None, None)));
        }
    } else {
        lines.extend(figures.engines.iter().map(|name| Estimate::new(name, &figures.tally(name, None, None))));
    }
    if lines.iter().all(|line| line.interval().is_none()) {
        return Ok(None);
    }
    let ends = lines.iter().filter_map(Estimate::interval).flat_map(|(low, elo, high)| [low, Some(elo), high]);
    let widest = range_of(ends.flatten().chain([-20.0, 20.0]), -4000.0..4000.0);
    let height = HEIGHT.max(LINE * lines.len() as u32 + LETTERS * 4);
    let svg = chart::draw("Elo with its 95 % interval", height, |canvas| forest(canvas, &lines, widest))?;
    let texts: Vec<_> = lines
        .iter()
        .map(|line| {
            let Statistics { elo, elo_error, .. } = line.statistics;
            format!("<span class=\"key\">{} {}</span>", escape(&line.name), estimate(elo, elo_error))
        })
        .collect();
    let whose = match figures.engines.first() {
        Some(first) if figures.is_duel() => format!("Elo of {}", escape(first)),
        _ => "Elo against the field".to_owned(),
    };
    Ok(Some(figure("Elo, 95 %", &svg, &format!("{whose}: {}", texts.join(" ")))))
}

fn forest(canvas: &Canvas<'_>, lines: &[Estimate], x: Range<f64>) -> Drawn {
    let count = lines.len() as f64;
    let mut chart = ChartBuilder::on(canvas)
        .margin_top(LETTERS / 4)
        .margin_right(LETTERS * 2)
        .set_label_area_size(LabelAreaPosition::Left, LETTERS * 11)
        .set_label_area_size(LabelAreaPosition::Bottom, LETTERS * 3)
        .build_cartesian_2d(x.clone(), 0.0..count)?;
    chart
        .configure_mesh()
        .disable_y_mesh()
        .disable_y_axis()
        .light_line_style(TRANSPARENT)
        .bold_line_style(Role::Grid.color())
        .axis_style(Role::Axis.color())
        .label_style(letters(HPos::Center, VPos::Center))
        .x_labels(6)
        .y_labels(0)
        .set_all_tick_mark_size(12)
        .x_label_formatter(&|v| signed(*v, 0))
        .draw()?;
    chart.draw_series(LineSeries::new([(0.0, 0.0), (0.0, count)], Role::Axis.color().stroke_width(4)))?;
    let color = Role::Series(0).color();
    for (line, row) in lines.iter().zip(1..) {
        let y = count - f64::from(row) + 0.5;
        let (left, middle) = chart.backend_coord(&(x.start, y));
        let style = letters(HPos::Right, VPos::Center);
        canvas.draw(&Text::new(line.name.as_str(), (left - LETTERS as i32 / 2, middle), style))?;
        let Some((low, elo, high)) = line.interval() else {
            chart.draw_series([Text::new("n/a", (0.0, y), letters(HPos::Left, VPos::Center))])?;
            continue;
        };
        let ends = (low.unwrap_or(x.start), high.unwrap_or(x.end));
        chart.draw_series(LineSeries::new([(ends.0, y), (ends.1, y)], color.stroke_width(8)))?;
        let caps = [low, high].into_iter().flatten();
        for end in caps {
            let half = 22.0 * count / f64::from(canvas.dim_in_pixel().1);
            chart.draw_series(LineSeries::new([(end, y - half), (end, y + half)], color.stroke_width(8)))?;
        }
        chart.draw_series([Circle::new((elo, y), 18, color.filled())])?;
    }
    Ok(())
}

fn lengths(figures: &Figures<'_>, variant: Variant) -> Result<String, ReportError> {
    let mut lengths: Vec<u32> = figures.games(Some(variant)).map(|game| game.plies).collect();
    lengths.sort_unstable();
    let (low, high) = (lengths.first().copied().unwrap_or(0), lengths.last().copied().unwrap_or(0));
    let width = (high - low + 1).div_ceil(BINS).max(1);
    let mut bins: BTreeMap<u32, u32> = BTreeMap::new();
    for length in &lengths {
        *bins.entry((length - low) / width).or_default() += 1;
    }
    let tallest = bins.values().copied().max().unwrap_or(1);
    let x_end = low + width * (bins.keys().last().copied().unwrap_or(0) + 1);
    // Whole numbers only: an axis of one game would have ticks between 0 and 1.
    let top = tallest + tallest / 12 + 1;
    let svg = chart::draw(&format!("Plies of the games of {variant}"), HEIGHT * 3 / 4, |canvas| {
        let mut chart = ChartBuilder::on(canvas)
            .margin_top(LETTERS / 2)
            .margin_right(LETTERS * 2)
            .set_label_area_size(LabelAreaPosition::Left, LETTERS * 4)
            .set_label_area_size(LabelAreaPosition::Bottom, LETTERS * 3)
            .build_cartesian_2d(low.saturating_sub(width)..x_end + width, 0..top)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(Role::Grid.color())
            .axis_style(Role::Axis.color())
            .label_style(letters(HPos::Center, VPos::Center))
            .x_labels(6)
            .y_labels(5)
            .set_all_tick_mark_size(12)
            .x_desc("plies")
            .axis_desc_style(letters(HPos::Center, VPos::Center))
            .draw()?;
        chart.draw_series(bins.iter().map(|(&bin, &n)| {
            let from = low + bin * width;
            let mut bar = Rectangle::new([(from, 0), (from + width, n)], Role::Series(0).color().filled());
            bar.set_margin(0, 0, 3, 3);
            bar
        }))?;
        Ok(())
    })?;
    let total: u64 = lengths.iter().map(|&n| u64::from(n)).sum();
    let mean = total as f64 / lengths.len().max(1) as f64;
    let median = lengths.get(lengths.len() / 2).copied().unwrap_or(0);
    let note = format!("Shortest {low}, median {median}, mean {mean:.1}, longest {high} plies.");
    Ok(figure(&format!("Length of games: {variant}"), &svg, &note))
}

fn endings(figures: &Figures<'_>, variant: Variant) -> Result<String, ReportError> {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    let mut failures = 0;
    for game in figures.games(Some(variant)) {
        *counts.entry(ending(game)).or_default() += 1;
        failures += u64::from(game.reason.is_failure());
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|&(_, n)| std::cmp::Reverse(n));
    let svg = bars(&format!("How games of {variant} ended"), &counts)?;
    let note = if failures == 0 { "No engine failed.".to_owned() } else { count(failures, "failure") + "." };
    Ok(figure(&format!("How games ended: {variant}"), &svg, &note))
}
