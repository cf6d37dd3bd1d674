//! Drawing of one chart as SVG that takes its colours and its letters from the style sheet of the page.
//!
//! plotters writes fixed colours. The chart is drawn in colours that stand for a role, and each is then replaced by a
//! class, so that one drawing serves light and dark screens. It is drawn larger than it is shown, as plotters rounds
//! coordinates to whole units.

use super::ReportError;
use super::text::escape;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// The width of a chart in its own units; some 480 pixels.
pub(super) const WIDTH: u32 = 1920;
/// The height of a chart with two axes, in the same units.
pub(super) const HEIGHT: u32 = 1060;
/// The height of a line of a chart with a line a thing.
pub(super) const LINE: u32 = 112;
/// The size of its letters in the same units. The style sheet has the same number.
pub(super) const LETTERS: u32 = 54;

/// An area to draw on.
pub(super) type Canvas<'a> = DrawingArea<SVGBackend<'a>, Shift>;
/// What drawing returns.
pub(super) type Drawn = Result<(), DrawingAreaErrorKind<std::io::Error>>;

/// What a colour stands for.
#[derive(Clone, Copy)]
pub(super) enum Role {
    /// Text.
    Ink,
    /// Lines behind the data.
    Grid,
    /// The axes, and the line of equality.
    Axis,
    /// The band of an interval.
    Band,
    /// Bounds of a test.
    Bound,
    /// The series of this number, from 0.
    Series(usize),
}

/// Series that look different, by their colour or their dashes; later ones look like earlier ones.
pub(super) const SERIES: usize = 12;

impl Role {
    /// The number in the names of its classes: `f` and it for areas, `s` and it for lines.
    pub(super) fn number(self) -> usize {
        match self {
            Role::Ink => 0,
            Role::Grid => 1,
            Role::Axis => 2,
            Role::Band => 3,
            Role::Bound => 4,
            Role::Series(n) => 5 + n % SERIES,
        }
    }

    /// The colour that stands for it; red 1 and green 0 are used for nothing else.
    pub(super) fn color(self) -> RGBColor {
        RGBColor(1, 0, self.number() as u8)
    }
}

/// A style for words.
pub(super) fn letters(horizontal: HPos, vertical: VPos) -> TextStyle<'static> {
    let style = TextStyle::from(("sans-serif", LETTERS).into_font()).pos(Pos::new(horizontal, vertical));
    TextStyle { color: Role::Ink.color().to_backend_color(), ..style }
}

/// Draws a chart of that height in units, with a description for those who do not see it.
pub(super) fn draw(
    description: &str,
    height: u32,
    draw: impl FnOnce(&Canvas<'_>) -> Drawn,
) -> Result<String, ReportError> {
    let mut svg = String::new();
    {
        let canvas = SVGBackend::with_string(&mut svg, (WIDTH, height)).into_drawing_area();
        draw(&canvas).and_then(|()| canvas.present()).map_err(|e| ReportError::Plot(e.to_string()))?;
    }
    let shapes = svg.split_once('>').map_or("", |(_, shapes)| shapes);
    let mut shapes = shapes.replace(" opacity=\"1\"", "").replace(" stroke=\"none\"", "").replace(" fill=\"none\"", "");
    for number in 0..Role::Series(SERIES - 1).number() + 1 {
        shapes = shapes
            .replace(&format!("fill=\"#0100{number:02X}\""), &format!("class=\"f{number}\""))
            .replace(&format!("stroke=\"#0100{number:02X}\""), &format!("class=\"s{number}\""));
    }
    // Letters are those of the page.
    let family = " font-family=\"sans-serif\"";
    let shapes: String = shapes
        .split(family)
        .enumerate()
        .map(|(i, part)| if i == 0 { part } else { part.split_once("\" ").map_or(part, |(_, rest)| rest) })
        .collect::<Vec<_>>()
        .join(" ");
    let label = escape(description);
    Ok(format!("<svg class=\"chart\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{label}\">{shapes}"))
}
