//! The legend of a chart: its entries, and a place for it where it covers no data.

use super::glyphs;
use super::marks::{SWATCH, StyledSeries};
use super::pen::{Ink, Pen, TextStyle};
use super::plot::PlotArea;
use super::style;

/// Where the legend is placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Legend {
    /// In a corner of the chart where the legend covers no data, or else above the chart; a single
    /// series has no legend.
    #[default]
    Auto,
    /// In a row above the chart.
    Top,
    /// No legend.
    None,
}

/// The height of one line.
const ROW_HEIGHT: f64 = 19.0;

fn entry_width(entry: &StyledSeries) -> f64 {
    SWATCH + 8.0 + glyphs::width(&entry.series.name, style::TICK_SIZE)
}

fn size(entries: &[&StyledSeries]) -> (f64, f64) {
    let widest = entries.iter().map(|e| entry_width(e)).fold(0.0, f64::max);
    (widest + 20.0, ROW_HEIGHT * entries.len() as f64 + 10.0)
}

/// Returns a corner of the plot where a legend with these entries covers no data; `None` if there
/// is no such corner or no entry.
pub(super) fn free_corner(
    plot: &PlotArea,
    all: &[StyledSeries],
    entries: &[&StyledSeries],
) -> Option<(f64, f64)> {
    if entries.is_empty() {
        return None;
    }
    let (w, h) = size(entries);
    let (left, right) = (plot.left + 10.0, plot.right - w - 10.0);
    let (top, bottom) = (plot.top + 8.0, plot.bottom - h - 10.0);
    if right < left || bottom < top {
        return None;
    }
    [(right, top), (left, top), (right, bottom), (left, bottom)]
        .into_iter()
        .find(|&(x, y)| {
            !all.iter()
                .any(|s| s.touches(plot, (x - 5.0, y - 5.0, w + 10.0, h + 10.0)))
        })
}

/// Draws the legend as a box whose top left corner is at (x, y).
pub(super) fn draw_boxed_legend(pen: &mut Pen, entries: &[&StyledSeries], (x, y): (f64, f64)) {
    let (w, h) = size(entries);
    pen.rect(
        &Ink::fill(style::WHITE).outlined(style::GRID, 1.0),
        x,
        y,
        w,
        h,
    );
    for (i, entry) in entries.iter().enumerate() {
        let middle = y + 5.0 + ROW_HEIGHT * (i as f64 + 0.5);
        entry.swatch(pen, (x + 10.0, middle));
        let place = (x + 10.0 + SWATCH + 8.0, middle);
        pen.text(
            &TextStyle::start(style::TICK_SIZE),
            place,
            &entry.series.name,
        );
    }
}

/// Draws the legend in rows from `top` downwards; returns the height at which it ends.
pub(super) fn draw_rows(pen: &mut Pen, entries: &[&StyledSeries], top: f64, width: f64) -> f64 {
    let (mut x, mut y) = (style::MARGIN, top + ROW_HEIGHT / 2.0);
    for entry in entries {
        let w = entry_width(entry);
        if x > style::MARGIN && x + w > width - style::MARGIN {
            (x, y) = (style::MARGIN, y + ROW_HEIGHT);
        }
        entry.swatch(pen, (x, y));
        pen.text(
            &TextStyle::start(style::TICK_SIZE),
            (x + SWATCH + 8.0, y),
            &entry.series.name,
        );
        x += w + 26.0;
    }
    y + ROW_HEIGHT / 2.0
}
