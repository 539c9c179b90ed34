//! The interface to the library plotters: maps data to the page and draws grid, axes and series,
//! one layer after the other, on the pen's [`Canvas`].

use std::convert::Infallible;

use plotters::prelude::*;

use super::canvas::{Canvas, UNIT, units};
use super::error::FigureError;
use super::glyphs;
use super::pen::Pen;
use super::ruler::Ruler;
use super::style::{self, Dash, Rgb};

/// The chart context on which a layer draws.
pub(super) type Context<'a, 'b> = ChartContext<'a, Canvas<'b>, Cartesian2d<Ruler, Ruler>>;

/// The result of drawing a layer.
pub(super) type DrawResult = Result<(), DrawingAreaErrorKind<Infallible>>;

/// The position of a chart on its page, in pixels.
#[derive(Clone, Debug)]
pub(super) struct PlotArea {
    pub width: f64,
    pub height: f64,
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
    pub x: Ruler,
    pub y: Ruler,
}

impl PlotArea {
    /// Returns a plot on a page of this width and height. It lies under the title, which ends at
    /// `head`, and reaches to `right`. At the left and at the bottom there is room for the labels
    /// of the axes.
    pub fn new((width, height): (f64, f64), head: f64, right: f64, x: Ruler, y: Ruler) -> PlotArea {
        let label = |ruler: &Ruler| {
            if ruler.label.is_empty() {
                0.0
            } else {
                style::LABEL_SIZE + 8.0
            }
        };
        PlotArea {
            width,
            height,
            left: style::MARGIN + label(&y) + y.label_width() + 10.0,
            top: head + 8.0,
            right,
            bottom: height - style::MARGIN - label(&x) - style::TICK_SIZE - 11.0,
            x,
            y,
        }
    }

    /// Moves the ends of the horizontal axis inwards until all labels of its ticks are on the page.
    pub fn keep_labels_inside(&mut self) {
        const EDGE: f64 = 2.0;
        let span = self.x.high - self.x.low;
        for (at, text) in &self.x.ticks {
            let (share, half) = (
                (at - self.x.low) / span,
                glyphs::width(text, style::TICK_SIZE) / 2.0,
            );
            let place = self.left + share * (self.right - self.left);
            if share > 0.0 && place + half > self.width - EDGE {
                self.right = self.left + (self.width - EDGE - half - self.left) / share;
            }
            if share < 1.0 && place - half < EDGE {
                self.left = (EDGE + half - share * self.right) / (1.0 - share);
            }
        }
    }

    /// Removes labels of the horizontal axis that would overlap: only every second, third, ...
    /// label remains.
    pub fn thin_labels(&mut self) {
        let scale = (self.right - self.left) / (self.x.high - self.x.low);
        let widths: Vec<f64> = (self.x.ticks.iter())
            .map(|(_, text)| glyphs::width(text, style::TICK_SIZE))
            .collect();
        let ticks = &self.x.ticks;
        let meet = |step: usize| {
            let kept: Vec<usize> = (0..ticks.len()).step_by(step).collect();
            kept.windows(2).any(|pair| {
                let room = (ticks[pair[1]].0 - ticks[pair[0]].0) * scale;
                room < (widths[pair[0]] + widths[pair[1]]) / 2.0
            })
        };
        let step = (1..=ticks.len()).find(|step| !meet(*step)).unwrap_or(1);
        let mut at = 0..;
        self.x
            .ticks
            .retain(|_| at.next().is_some_and(|at: usize| at.is_multiple_of(step)));
    }

    /// Refuses a plot if the labels around it leave no room; `around` names the labels.
    pub fn check_room(&self, around: &str) -> Result<(), FigureError> {
        if self.bottom - self.top < 40.0 || self.right - self.left < 40.0 {
            return Err(FigureError::Mismatch(format!(
                "{around} leave no room in {} x {} pixels",
                self.width, self.height
            )));
        }
        Ok(())
    }

    /// Returns the position on the page of a point, given in the coordinates in which the axes are
    /// linear.
    pub fn place(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let across = (x - self.x.low) / (self.x.high - self.x.low);
        let up = (y - self.y.low) / (self.y.high - self.y.low);
        (
            self.left + across * (self.right - self.left),
            self.bottom - up * (self.bottom - self.top),
        )
    }

    /// Returns the point of a pair of values in the coordinates in which the axes are linear, if
    /// there is such a point. A point far outside the plot is moved closer to it, to a position
    /// that is still outside.
    pub fn point(&self, (x, y): (f64, f64)) -> Option<(f64, f64)> {
        let near = |ruler: &Ruler, v: f64| {
            let v = ruler.scale.scale_value(v);
            let span = ruler.high - ruler.low;
            (!v.is_nan()).then(|| v.clamp(ruler.low - 9.0 * span, ruler.high + 9.0 * span))
        };
        Some((near(&self.x, x)?, near(&self.y, y)?))
    }

    /// Returns whether a point lies on the plot; the point is given in the coordinates in which the
    /// axes are linear.
    pub fn contains(&self, (x, y): (f64, f64)) -> bool {
        let on = |r: &Ruler, v: f64| {
            let slack = 1e-9 * (r.high - r.low);
            v >= r.low - slack && v <= r.high + slack
        };
        on(&self.x, x) && on(&self.y, y)
    }

    /// Returns the part of a segment that lies on the plot, in the coordinates in which the axes
    /// are linear (Liang & Barsky 1984).
    pub fn cut(&self, a: (f64, f64), b: (f64, f64)) -> Option<[(f64, f64); 2]> {
        let (mut first, mut last) = (0.0f64, 1.0f64);
        for (a, b, ruler) in [(a.0, b.0, &self.x), (a.1, b.1, &self.y)] {
            if a == b {
                (ruler.low <= a && a <= ruler.high).then_some(())?;
                continue;
            }
            let [low, high] = [ruler.low, ruler.high].map(|end| (end - a) / (b - a));
            first = first.max(low.min(high));
            last = last.min(low.max(high));
        }
        let at = |t: f64| match t {
            0.0 => a,
            1.0 => b,
            _ => (a.0 + t * (b.0 - a.0), a.1 + t * (b.1 - a.1)),
        };
        (first < last).then(|| [at(first), at(last)])
    }

    /// Clips the shapes that follow to the plot, up to [`Pen::end`]. A line along an edge keeps its
    /// full width.
    pub fn clip(&self, pen: &mut Pen) {
        let (w, h) = (self.right - self.left, self.bottom - self.top);
        pen.clip(self.left - 1.0, self.top - 1.0, w + 2.0, h + 2.0);
    }

    /// Draws one layer with plotters: calls `draw` with a chart context for this plot.
    pub fn layer<F>(&self, pen: &mut Pen, dash: Dash, draw: F) -> Result<(), FigureError>
    where
        F: for<'a, 'b> FnOnce(&mut Context<'a, 'b>) -> DrawResult,
    {
        let size = (self.width, self.height);
        let area = Canvas { pen, size, dash }.into_drawing_area();
        ChartBuilder::on(&area)
            .margin_top(units(self.top))
            .margin_right(units(self.width - self.right))
            .margin_left(units(style::MARGIN))
            .margin_bottom(units(style::MARGIN))
            .x_label_area_size(units(self.height - self.bottom - style::MARGIN))
            .y_label_area_size(units(self.left - style::MARGIN))
            .build_cartesian_2d(self.x.clone(), self.y.clone())
            .and_then(|mut context| draw(&mut context))
            .map_err(|e| FigureError::Backend(e.to_string()))
    }

    /// Draws the axes with their ticks and labels, and the grid: vertical lines at the ticks of x
    /// and horizontal lines at the ticks of y. `grid` says which of the two kinds of lines are
    /// drawn.
    pub fn axes(&self, pen: &mut Pen, grid: (bool, bool)) -> Result<(), FigureError> {
        self.layer(pen, Dash::Solid, |context| {
            let font = |size: f64| (style::FONT, size * UNIT).into_font();
            let line = |c: Rgb, width: f64| color(c).stroke_width((width * UNIT) as u32);
            let mut mesh = context.configure_mesh();
            if !grid.0 {
                mesh.disable_x_mesh();
            }
            if !grid.1 {
                mesh.disable_y_mesh();
            }
            mesh.light_line_style(line(style::GRID_LIGHT, 0.8))
                .bold_line_style(line(style::GRID, 0.8))
                .axis_style(line(style::AXIS, 1.0))
                .x_label_style(font(style::TICK_SIZE).color(&color_of(style::INK)))
                .y_label_style(font(style::TICK_SIZE).color(&color_of(style::INK)))
                .axis_desc_style(font(style::LABEL_SIZE).color(&color_of(style::INK)))
                .x_desc(self.x.label.as_str())
                .y_desc(self.y.label.as_str())
                .set_all_tick_mark_size((4.0 * UNIT) as i32)
                .draw()
        })
    }
}

/// Converts a colour to that of plotters.
pub(super) fn color_of(c: Rgb) -> RGBColor {
    RGBColor(c.0, c.1, c.2)
}

/// Converts a colour to a style of plotters, to which a stroke width can be added.
pub(super) fn color(c: Rgb) -> ShapeStyle {
    ShapeStyle::from(&color_of(c))
}
