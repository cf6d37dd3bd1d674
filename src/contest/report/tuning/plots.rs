//! The plots of a tuning run: the way of its parameters, the score of the plus side, and the pairs.

use super::super::ReportError;
use super::super::bars::bars;
use super::super::chart::{Role, SERIES};
use super::super::plane::{Curve, Plane, figure, legend, per_cent, range_of};
use super::super::text::{count, escape, percent, signed};
use super::{pairs, pooled};
use crate::contest::{Iteration, PairCounts, Sample, Statistics, TuningRecord};

/// The most points that a curve has after its first.
const CURVE_POINTS: usize = 240;
/// The most windows in which the score is taken; half as many or more are used if there are so many iterations.
pub(super) const WINDOWS: usize = 40;
/// Changes beyond this many c_end are drawn at the edge: the axis cannot hold every number.
const FARTHEST: f64 = 1e9;

/// All plots; none if there is nothing to show.
pub(super) fn section(record: &TuningRecord) -> Result<String, ReportError> {
    if record.iterations.is_empty() {
        return Ok(String::new());
    }
    let plots = [changes(record)?, score(record)?, histogram(record)?].concat();
    Ok(format!("<section id=\"plots\"><h2>Plots</h2>\n<div class=\"plots\">\n{plots}</div></section>\n"))
}

/// An axis of pairs has a length even if none was played.
fn x_end(record: &TuningRecord) -> u32 {
    pairs(record).max(1)
}

fn changes(record: &TuningRecord) -> Result<String, ReportError> {
    let size = record.iterations.len();
    let stride = size.div_ceil(CURVE_POINTS).max(1);
    let shown: Vec<&Iteration> =
        record.iterations.iter().zip(1..).filter(|(_, n)| n % stride == 0 || *n == size).map(|(i, _)| i).collect();
    let mut curves = Vec::new();
    let mut names = Vec::new();
    for (i, parameter) in record.config.parameters.iter().enumerate() {
        let values = shown.iter().filter_map(|iteration| Some((iteration.pairs, *iteration.values.get(i)?)));
        let changes = values.map(|(pairs, value)| (pairs, parameter.change(value)));
        curves.push(Curve {
            points: [(0, 0.0)].into_iter().chain(changes).collect(),
            band: Vec::new(),
            is_joined: true,
        });
        names.push(escape(&parameter.name));
    }
    // At least one c_end in all: a change that is small in this unit looks small.
    let values = curves.iter().flat_map(|curve| &curve.points).map(|&(_, change)| change);
    let y = range_of(values.chain([-0.5, 0.5]), -FARTHEST..FARTHEST);
    curves.iter_mut().for_each(|curve| curve.clamp(&y));
    let y_label = |v: &f64| signed(*v, 1);
    let levels = [(0.0, Role::Axis)];
    let plane = Plane { x_name: "pairs", x_end: x_end(record), y, y_label: &y_label, curves: &curves, levels: &levels };
    let svg = plane.draw("Change of each parameter over the pairs, in units of its c_end")?;
    let same = if names.len() > SERIES { " Lines look alike from the 13th on." } else { "" };
    let note = format!("Change from the start in units of c_end.{same}<br>{}", legend(&names));
    Ok(figure("Parameters", &svg, &note))
}

/// Iterations next to each other.
pub(super) struct Window {
    /// The pairs in their middle, counted from the beginning of the run.
    pub middle: u32,
    /// Their pairs, from the viewpoint of the plus side.
    pub counts: PairCounts,
}

/// How many iterations a window has, and the windows: equally long but for the last, which may be shorter.
pub(super) fn windows(iterations: &[Iteration]) -> (usize, Vec<Window>) {
    let size = iterations.len().div_ceil(WINDOWS).max(1);
    let mut before = 0;
    let window = |part: &[Iteration]| {
        let after = part.last().map_or(before, |iteration| iteration.pairs);
        let middle = u32::midpoint(before, after);
        before = after;
        Window { middle, counts: pooled(part.iter().map(|iteration| &iteration.counts)) }
    };
    (size, iterations.chunks(size).map(window).collect())
}

/// Empty if no pair was played.
fn score(record: &TuningRecord) -> Result<String, ReportError> {
    let (size, windows) = windows(&record.iterations);
    let statistics = |window: &Window| (window.middle, Statistics::of(&Sample::Pairs(window.counts)));
    let scores: Vec<_> = windows.iter().map(statistics).collect();
    let points: Vec<_> = scores.iter().filter_map(|&(x, s)| Some((x, s.score?))).collect();
    if points.is_empty() {
        return Ok(String::new());
    }
    let interval = |&(x, s): &(u32, Statistics)| {
        let (mean, error) = (s.score?, s.score_error?);
        Some((x, (mean - error).max(0.0), (mean + error).min(1.0)))
    };
    let curve = Curve { points, band: scores.iter().filter_map(interval).collect(), is_joined: false };
    let y = range_of(curve.band.iter().flat_map(|&(_, low, high)| [low, high]).chain([0.5]), 0.0..1.0);
    let levels = [(0.5, Role::Axis)];
    let plane =
        Plane { x_name: "pairs", x_end: x_end(record), y, y_label: &per_cent, curves: &[curve], levels: &levels };
    let svg = plane.draw("Score of the plus side over the pairs")?;
    let last = match record.iterations.len() % size {
        0 => String::new(),
        rest => format!(", the last one of {rest}"),
    };
    let note = format!(
        "Share of the points of the engine with the plus parameters, with the 95 % interval, in {} of {}{last}.",
        count(windows.len() as u64, "window"),
        count(size as u64, "iteration"),
    );
    Ok(figure("Score of the plus side", &svg, &note))
}

/// Empty if no pair was played.
fn histogram(record: &TuningRecord) -> Result<String, ReportError> {
    let counts = pooled(record.iterations.iter().map(|iteration| &iteration.counts));
    if counts.pairs() == 0 {
        return Ok(String::new());
    }
    let PairCounts { ll, ld, wl_dd, wd, ww } = counts;
    let svg = bars("Pairs by their score", &[("LL", ll), ("LD", ld), ("WL+DD", wl_dd), ("WD", wd), ("WW", ww)])?;
    let score = Statistics::of(&Sample::Pairs(counts)).score;
    let note = format!(
        "{} from the viewpoint of the plus side, which scored {}. WL+DD are split: they speak for neither side.",
        count(counts.pairs(), "pair"),
        percent(score),
    );
    Ok(figure("Pairs", &svg, &note))
}
