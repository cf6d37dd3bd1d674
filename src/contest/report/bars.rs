//! A chart of counts, a bar each.

use super::ReportError;
use super::chart::{self, HEIGHT, LETTERS, LINE, Role, WIDTH, letters};
use super::text::percent;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

/// Names with their counts, from top to bottom, each with its share of them all.
pub(super) fn bars(description: &str, counts: &[(&str, u64)]) -> Result<String, ReportError> {
    let total: u64 = counts.iter().map(|&(_, n)| n).sum();
    let most = counts.iter().map(|&(_, n)| n).max().unwrap_or(1).max(1);
    // As high as the plot of lengths beside it, unless that would be too loose or too tight.
    let lines = counts.len() as u32;
    let line = (HEIGHT * 3 / 4 / lines.max(1)).clamp(LINE, LINE * 3 / 2);
    let (height, line) = (line * lines, line as i32);
    chart::draw(description, height, |canvas| {
        let thick = LINE as i32 * 2 / 3;
        let (from, to) = (LETTERS as i32 * 11, WIDTH as i32 - LETTERS as i32 * 10);
        for ((name, n), i) in counts.iter().zip(0..) {
            let middle = line * i + line / 2;
            let end = from + (f64::from(to - from) * *n as f64 / most as f64).round() as i32;
            let label = letters(HPos::Right, VPos::Center);
            canvas.draw(&Text::new(*name, (from - LETTERS as i32 / 2, middle), label))?;
            let bar = [(from, middle - thick / 2), (end.max(from + 4), middle + thick / 2)];
            canvas.draw(&Rectangle::new(bar, Role::Series(0).color().filled()))?;
            let text = format!("{n}  ({})", percent((total > 0).then(|| *n as f64 / total as f64)));
            canvas.draw(&Text::new(text, (end + LETTERS as i32 / 2, middle), letters(HPos::Left, VPos::Center)))?;
        }
        Ok(())
    })
}
