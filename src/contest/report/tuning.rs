//! The page of a tuning run: where its parameters went, and what the games say about it.

mod plots;
#[cfg(test)]
mod tests;

use super::text::Head::{Numbers, Words};
use super::text::{Head, List, NOT_AVAILABLE, Table, cards, count, escape, grouped, percent, preformatted, signed};
use super::{ReportError, frame, navigation};
use crate::contest::{Objective, PairCounts, Parameter, ParameterKind, TuningRecord};

/// The report of a tuning run, finished or not, as the text of an HTML file. The same record gives the same text.
///
/// # Errors
/// [`ReportError`] if a plot cannot be drawn, which no record is known to cause.
pub fn tuning_html(record: &TuningRecord) -> Result<String, ReportError> {
    let subject = match (record.config.variant, record.config.objective) {
        (Some(variant), _) => variant.name(),
        (None, Objective::Match) => "an unnamed game",
        (None, Objective::Quadratic) => "a quadratic function",
    };
    let plots = plots::section(record)?;
    let parts = [("parameters", "Parameters"), ("plots", "Plots"), ("settings", "Settings")];
    let body = [
        head(record, &format!("Tuning of <b>{subject}</b>")),
        navigation(parts.into_iter().filter(|(id, _)| *id != "plots" || !plots.is_empty())),
        "<main>\n".to_owned(),
        parameters(record),
        plots,
        settings(record),
        format!("</main>\n<footer class=\"soft\">Kete {}</footer>\n", env!("CARGO_PKG_VERSION")),
    ];
    Ok(frame(&format!("Tuning of {subject} · Kete"), &body.concat(), None))
}

/// Pairs played.
fn pairs(record: &TuningRecord) -> u32 {
    record.iterations.last().map_or(0, |iteration| iteration.pairs)
}

/// All pairs together, from the viewpoint of the plus side.
fn pooled<'a>(counts: impl IntoIterator<Item = &'a PairCounts>) -> PairCounts {
    let mut sum = PairCounts::default();
    counts.into_iter().for_each(|counts| sum += counts);
    sum
}

fn head(record: &TuningRecord, title: &str) -> String {
    let (played, planned) = (u64::from(pairs(record)), record.config.pairs);
    let progress = format!("{} of {} played", grouped(played), count(planned, "pair"));
    let headline = if record.iterations.is_empty() {
        "No iteration is finished yet.".to_owned()
    } else if played < planned {
        format!("The run is not finished: {progress}.")
    } else {
        "The run is finished. Whether its values are stronger is for a match to say.".to_owned()
    };
    let counts = pooled(record.iterations.iter().map(|iteration| &iteration.counts));
    let split = (counts.pairs() > 0).then(|| counts.wl_dd as f64 / counts.pairs() as f64);
    let cards = cards([
        ("Game", record.config.variant.map_or("none", |variant| variant.name()).to_owned()),
        ("Pairs", format!("{} of {}", grouped(played), grouped(planned))),
        ("Iterations", grouped(record.iterations.len() as u64)),
        ("Parameters", grouped(record.config.parameters.len() as u64)),
        ("Split pairs", percent(split)),
    ]);
    format!(
        "<header class=\"top\"><h1>{title}</h1>\n<p class=\"soft\">SPSA, objective {}, {} an iteration</p>\n\
         <p class=\"headline\">{headline}</p>\n{cards}</header>\n",
        record.config.objective.name(),
        count(record.config.pairs_per_iteration, "pair"),
    )
}

/// Where each parameter is, and how to set an engine to it.
fn parameters(record: &TuningRecord) -> String {
    const HEADS: &[Head] = &[
        Words("Parameter"),
        Numbers("Start"),
        Numbers("Now"),
        Numbers("Change in c_end"),
        Numbers("Min"),
        Numbers("Max"),
        Numbers("c_end"),
        Numbers("r_end"),
    ];
    let mut table = Table::new("Where each parameter is", HEADS);
    let values = record.iterations.last().map(|iteration| iteration.values.as_slice()).unwrap_or_default();
    let now = values.iter().copied().map(Some).chain(std::iter::repeat(None));
    for (parameter, now) in record.config.parameters.iter().zip(now) {
        let Parameter { start, min, max, c_end, r_end, .. } = *parameter;
        table.row([
            escape(&parameter.name),
            number(start),
            now.map_or_else(|| NOT_AVAILABLE.to_owned(), number),
            now.map_or_else(|| NOT_AVAILABLE.to_owned(), |now| signed(parameter.change(now), 2)),
            number(min),
            number(max),
            number(c_end),
            number(r_end),
        ]);
    }
    let lines: Vec<_> = record.config.parameters.iter().zip(values).map(|(p, &value)| option_line(p, value)).collect();
    let options = if lines.is_empty() {
        String::new()
    } else {
        format!("<h3>The values now, for an engine</h3>\n{}\n", preformatted(lines, " class=\"paste\""))
    };
    format!("<section id=\"parameters\"><h2>Parameters</h2>\n{}{options}</section>\n", table.html())
}

/// The command that sets an engine's option to the value, rounded as the option is.
fn option_line(parameter: &Parameter, value: f64) -> String {
    let rounded = match parameter.kind {
        ParameterKind::Int => value.round(),
        ParameterKind::Float => rounded(value),
    };
    // 0 is added since -0 is no number to type.
    format!("setoption name {} value {}", parameter.name, rounded + 0.0)
}

/// The number to six digits.
fn rounded(value: f64) -> f64 {
    format!("{value:.5e}").parse().unwrap_or(value)
}

/// A number with up to six digits, as a power of ten where it would be long otherwise.
fn number(value: f64) -> String {
    let value = rounded(value) + 0.0;
    let is_long = value != 0.0 && !(1e-6..1e9).contains(&value.abs());
    let text = if is_long { format!("{value:e}") } else { value.to_string() };
    text.replace('-', "−")
}

fn settings(record: &TuningRecord) -> String {
    let config = &record.config;
    let mut list = List::default();
    list.text("Objective", config.objective.name());
    list.text("Pairs", &grouped(config.pairs));
    list.text("Pairs an iteration", &grouped(config.pairs_per_iteration));
    list.text("Seed", &config.seed.to_string());
    let schedule = config.schedule;
    list.text(
        "Schedule",
        &format!(
            "A = {}, alpha = {}, gamma = {}",
            number(schedule.stability),
            number(schedule.alpha),
            number(schedule.gamma)
        ),
    );
    for (key, value) in &config.rest {
        // A value that was read as JSON can be written as JSON.
        list.lines(key, &serde_json::to_string_pretty(value).unwrap_or_default());
    }
    format!(
        "<section id=\"settings\"><h2>Settings</h2>\n<div class=\"setting\"><h3>Tuning run</h3>{}</div></section>\n",
        list.html()
    )
}
