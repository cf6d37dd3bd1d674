//! A chart with two axes: curves over a number of games or pairs; and what stands about a chart.

use super::ReportError;
use super::chart::{self, Canvas, Drawn, HEIGHT, LETTERS, Role, letters};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};
use std::ops::Range;

/// A curve: its points, and the interval about each.
pub(super) struct Curve {
    pub points: Vec<(u32, f64)>,
    pub band: Vec<(u32, f64, f64)>,
    /// Whether a line goes through the points and the intervals make a band; otherwise each stands alone.
    pub is_joined: bool,
}

impl Curve {
    /// Moves what is outside the range to its end.
    pub(super) fn clamp(&mut self, y: &Range<f64>) {
        let inside = |v: f64| v.max(y.start).min(y.end);
        self.points.iter_mut().for_each(|point| point.1 = inside(point.1));
        self.band.iter_mut().for_each(|point| (point.1, point.2) = (inside(point.1), inside(point.2)));
    }
}

/// Two axes and what is drawn on them.
pub(super) struct Plane<'a> {
    /// What is counted from left to right, from 0.
    pub x_name: &'static str,
    pub x_end: u32,
    pub y: Range<f64>,
    /// How a number of the other axis is written.
    pub y_label: &'a dyn Fn(&f64) -> String,
    pub curves: &'a [Curve],
    /// Lines across.
    pub levels: &'a [(f64, Role)],
}

impl Plane<'_> {
    /// Draws it, with a description for those who do not see it.
    pub(super) fn draw(&self, description: &str) -> Result<String, ReportError> {
        chart::draw(description, HEIGHT, |canvas| self.draw_on(canvas))
    }

    fn draw_on(&self, canvas: &Canvas<'_>) -> Drawn {
        let mut chart = ChartBuilder::on(canvas)
            .margin_top(LETTERS / 2)
            .margin_right(LETTERS * 2)
            .set_label_area_size(LabelAreaPosition::Left, LETTERS * 4)
            .set_label_area_size(LabelAreaPosition::Bottom, LETTERS * 3)
            .build_cartesian_2d(0..self.x_end, self.y.clone())?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(Role::Grid.color())
            .axis_style(Role::Axis.color())
            .label_style(letters(HPos::Center, VPos::Center))
            .x_labels(5)
            .y_labels(6)
            .set_all_tick_mark_size(12)
            .y_label_formatter(self.y_label)
            .x_desc(self.x_name)
            .axis_desc_style(letters(HPos::Center, VPos::Center))
            .draw()?;
        for curve in self.curves.iter().filter(|curve| curve.is_joined) {
            let up = curve.band.iter().map(|&(x, low, _)| (x, low));
            let outline: Vec<_> = up.chain(curve.band.iter().rev().map(|&(x, _, high)| (x, high))).collect();
            if curve.band.len() > 1 {
                chart.draw_series([Polygon::new(outline, Role::Band.color().filled())])?;
            }
        }
        for &(level, role) in self.levels {
            chart.draw_series(LineSeries::new([(0, level), (self.x_end, level)], role.color().stroke_width(4)))?;
        }
        for (i, curve) in self.curves.iter().enumerate() {
            let color = Role::Series(i).color();
            if curve.is_joined && curve.points.len() > 1 {
                chart.draw_series(LineSeries::new(curve.points.iter().copied(), color.stroke_width(8)))?;
                continue;
            }
            for &(x, low, high) in curve.band.iter().filter(|_| !curve.is_joined) {
                chart.draw_series(LineSeries::new([(x, low), (x, high)], color.stroke_width(8)))?;
            }
            chart.draw_series(curve.points.iter().map(|&point| Circle::new(point, 16, color.filled())))?;
        }
        Ok(())
    }
}

/// The range of values with a margin, within limits.
pub(super) fn range_of(values: impl Iterator<Item = f64>, limits: Range<f64>) -> Range<f64> {
    let (low, high) = values.fold((f64::MAX, f64::MIN), |(low, high), v| (low.min(v), high.max(v)));
    if low > high {
        return limits;
    }
    let margin = ((high - low) * 0.06).max(1e-3);
    (low - margin).max(limits.start)..(high + margin).min(limits.end)
}

/// A share in 0..=1 at an axis.
pub(super) fn per_cent(share: &f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

/// A chart with what stands above and below it.
pub(super) fn figure(title: &str, svg: &str, note: &str) -> String {
    format!("<figure><h3>{title}</h3>\n{svg}<figcaption>{note}</figcaption></figure>\n")
}

/// The names of the curves, each behind a piece of its line.
pub(super) fn legend<'a>(names: impl IntoIterator<Item = &'a String>) -> String {
    let entry = |(i, name)| {
        let class = Role::Series(i).number();
        format!(
            "<span class=\"key\"><svg viewBox=\"0 0 28 8\" aria-hidden=\"true\"><line class=\"s{class}\" x1=\"0\" y1=\"4\" \
             x2=\"28\" y2=\"4\"/></svg>{name}</span> "
        )
    };
    names.into_iter().enumerate().map(entry).collect()
}
