//! Heat maps: a colour for every pair of x and y shows a number.

use super::axis::{Axis, Scale};
use super::drawing::Drawing;
use super::error::FigureError;
use super::glyphs;
use super::pen::{Ink, Pen, TextStyle, rect_data};
use super::plot::PlotArea;
use super::ruler::Ruler;
use super::style::{self, ColorMap};

/// A grid of numbers shown as colours, with a bar that explains the colours.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatMap {
    /// The title.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The axis of the colours; its scale decides how numbers map to colours.
    pub value: Axis,
    /// The x of each column, in increasing order.
    pub xs: Vec<f64>,
    /// The y of each row, in increasing order.
    pub ys: Vec<f64>,
    /// The numbers, row by row: `values[j][i]` belongs to `xs[i]` and `ys[j]`. A cell is light grey
    /// if its number is `None`, is not finite, or cannot be shown on a logarithmic scale.
    pub values: Vec<Vec<Option<f64>>>,
    /// The meaning of a grey cell, for example `exactly 0`; it is shown under the map if there is a
    /// grey cell.
    pub missing: String,
    /// The texts in the cells of small grids, row by row; empty for no texts.
    pub texts: Vec<Vec<String>>,
    /// The colours.
    pub colors: ColorMap,
    /// Width and height in pixels at scale 1.
    pub size: (f64, f64),
}

/// The number of different colours. Neighbouring cells of the same colour become one shape.
const LEVELS: usize = 128;

impl HeatMap {
    /// Returns a heat map of these values in the colours of [`ColorMap::Viridis`].
    pub fn new(
        title: impl Into<String>,
        xs: Vec<f64>,
        ys: Vec<f64>,
        values: Vec<Vec<Option<f64>>>,
    ) -> HeatMap {
        HeatMap {
            title: title.into(),
            x: Axis::default(),
            y: Axis::default(),
            value: Axis::default(),
            xs,
            ys,
            values,
            missing: String::new(),
            texts: Vec::new(),
            colors: ColorMap::default(),
            size: style::CHART_SIZE,
        }
    }

    /// Returns the same map with this horizontal axis.
    pub fn x(self, x: Axis) -> HeatMap {
        HeatMap { x, ..self }
    }

    /// Returns the same map with this vertical axis.
    pub fn y(self, y: Axis) -> HeatMap {
        HeatMap { y, ..self }
    }

    /// Returns the same map with this axis of values.
    pub fn value(self, value: Axis) -> HeatMap {
        HeatMap { value, ..self }
    }

    /// Returns the same map with this meaning of its grey cells.
    pub fn missing(self, missing: impl Into<String>) -> HeatMap {
        HeatMap {
            missing: missing.into(),
            ..self
        }
    }

    /// Returns the same map with these texts in its cells.
    pub fn texts(self, texts: Vec<Vec<String>>) -> HeatMap {
        HeatMap { texts, ..self }
    }

    /// Returns the same map in these colours.
    pub fn colors(self, colors: ColorMap) -> HeatMap {
        HeatMap { colors, ..self }
    }

    /// Returns the same map in another size.
    pub fn size(self, width: f64, height: f64) -> HeatMap {
        HeatMap {
            size: (width, height),
            ..self
        }
    }

    /// Draws the map. The size of the picture grows with the number of cells whose left neighbour
    /// has another colour.
    ///
    /// # Errors
    /// [`FigureError::Mismatch`] if the values are not a grid of `xs` by `ys`, or if `xs` or `ys`
    /// do not increase; [`FigureError::Empty`] if there is no value; [`FigureError::Range`] for an
    /// impossible axis.
    pub fn draw(&self) -> Result<Drawing, FigureError> {
        self.check()?;
        let (width, height) = (self.size.0.max(300.0), self.size.1.max(180.0));
        let columns = edges(&self.xs, self.x.scale);
        let rows = edges(&self.ys, self.y.scale);
        let shown = |v: &f64| v.is_finite() && (self.value.scale == Scale::Linear || *v > 0.0);
        let all = || {
            self.values
                .iter()
                .flatten()
                .flatten()
                .copied()
                .filter(shown)
        };
        let data = (
            all().fold(f64::INFINITY, f64::min),
            all().fold(f64::NEG_INFINITY, f64::max),
        );
        if data.0 > data.1 {
            return Err(FigureError::Empty(format!(
                "the heat map {:?} has no values",
                self.title
            )));
        }
        let value = Ruler::new(&self.value, data, true, (height / 60.0) as usize)?;
        let x = self.ruler(&self.x, &columns, (width / 85.0) as usize)?;
        let y = self.ruler(&self.y, &rows, (height / 45.0) as usize)?;

        let mut pen = Pen::default();
        let head = pen.title(&self.title, width);
        let label = if value.label.is_empty() {
            0.0
        } else {
            style::LABEL_SIZE + 10.0
        };
        let bar_space = 20.0 + 16.0 + 8.0 + value.label_width() + label;
        let right = width - style::MARGIN - bar_space;
        let plot = PlotArea::new((width, height), head, right, x, y);
        plot.check_room("title and labels")?;
        let missing = Ink {
            crisp: true,
            ..Ink::fill(style::MISSING)
        };
        pen.rect(
            &missing,
            plot.left,
            plot.top,
            plot.right - plot.left,
            plot.bottom - plot.top,
        );
        pen.clip(
            plot.left,
            plot.top,
            plot.right - plot.left,
            plot.bottom - plot.top,
        );
        self.cells(&mut pen, &plot, &value, &columns, &rows);
        pen.end();
        self.cell_texts(&mut pen, &plot, &value, &columns, &rows);
        plot.axes(&mut pen, (false, false))?;
        self.draw_color_bar(&mut pen, &plot, &value);
        let cells = self.values.iter().flatten();
        if !self.missing.is_empty() && cells.clone().any(|v| self.level(&value, *v).is_none()) {
            let y = height - style::MARGIN - style::LABEL_SIZE / 2.0;
            let left = width - style::MARGIN - glyphs::width(&self.missing, style::TICK_SIZE);
            pen.text(
                &TextStyle::start(style::TICK_SIZE),
                (left, y),
                &self.missing,
            );
            let ink = Ink::fill(style::MISSING).outlined(style::AXIS, 0.8);
            pen.rect(&ink, left - 22.0, y - 6.0, 14.0, 12.0);
        }
        Ok(pen.finish(width, height, &self.title))
    }

    fn check(&self) -> Result<(), FigureError> {
        let wrong = |text: String| Err(FigureError::Mismatch(text));
        let rising =
            |v: &[f64]| v.iter().all(|a| a.is_finite()) && v.windows(2).all(|w| w[0] < w[1]);
        if self.xs.is_empty() || self.ys.is_empty() {
            return Err(FigureError::Empty(format!(
                "the heat map {:?} has no cells",
                self.title
            )));
        }
        if !rising(&self.xs) || !rising(&self.ys) {
            return wrong("the columns and rows of a heat map must rise".into());
        }
        for (what, axis, first) in [("x", &self.x, self.xs[0]), ("y", &self.y, self.ys[0])] {
            if axis.scale != Scale::Linear && first <= 0.0 {
                return wrong(format!(
                    "{what} begins at {first}, a logarithmic axis above 0"
                ));
            }
        }
        let (columns, rows) = (self.xs.len(), self.ys.len());
        if self.values.len() != rows || self.values.iter().any(|r| r.len() != columns) {
            return wrong(format!(
                "a heat map of {columns} columns, {rows} rows needs a value for each"
            ));
        }
        let texts = &self.texts;
        if !texts.is_empty() && (texts.len() != rows || texts.iter().any(|r| r.len() != columns)) {
            return wrong(format!(
                "a heat map of {columns} columns, {rows} rows needs a text for each"
            ));
        }
        Ok(())
    }

    /// Returns an axis from the first edge to the last, unless a range is given.
    fn ruler(&self, axis: &Axis, edges: &[f64], room: usize) -> Result<Ruler, FigureError> {
        let mut ruler = Ruler::new(
            &Axis {
                range: axis.range.or(Some((
                    axis.scale.unscale_value(edges[0]),
                    axis.scale.unscale_value(edges[edges.len() - 1]),
                ))),
                ..axis.clone()
            },
            (0.0, 1.0),
            true,
            room,
        )?;
        ruler.minor.clear();
        Ok(ruler)
    }

    /// Returns the colour level of a value, if it can be shown.
    fn level(&self, value: &Ruler, v: Option<f64>) -> Option<usize> {
        let v = value.scale.scale_value(v?);
        let t = (v - value.low) / (value.high - value.low);
        t.is_finite()
            .then(|| (t.clamp(0.0, 1.0) * (LEVELS - 1) as f64).round() as usize)
    }

    fn cells(&self, pen: &mut Pen, plot: &PlotArea, value: &Ruler, columns: &[f64], rows: &[f64]) {
        // If the grid is evenly spaced, the cells are unit squares, which one transform stretches;
        // otherwise each cell has its own coordinates.
        let even = |edges: &[f64]| {
            let step = (edges[edges.len() - 1] - edges[0]) / (edges.len() - 1) as f64;
            edges
                .windows(2)
                .all(|w| (w[1] - w[0] - step).abs() < 1e-9 * step)
        };
        let (origin, far) = (
            plot.place((columns[0], rows[0])),
            plot.place((columns[self.xs.len()], rows[self.ys.len()])),
        );
        let stretched = even(columns) && even(rows);
        if stretched {
            let sx = (far.0 - origin.0) / self.xs.len() as f64;
            let sy = (far.1 - origin.1) / self.ys.len() as f64;
            pen.transform(origin, (sx, sy));
        }
        let edge = |i: usize, j: usize| {
            if stretched {
                (i as f64, j as f64)
            } else {
                plot.place((columns[i], rows[j]))
            }
        };
        let mut shapes: Vec<String> = vec![String::new(); LEVELS];
        for (j, row) in self.values.iter().enumerate() {
            let levels: Vec<Option<usize>> = row.iter().map(|v| self.level(value, *v)).collect();
            let mut i = 0;
            while i < levels.len() {
                let run = levels[i..].iter().take_while(|l| **l == levels[i]).count();
                if let Some(level) = levels[i] {
                    shapes[level].push_str(&rect_data(edge(i, j), edge(i + run, j + 1)));
                }
                i += run;
            }
        }
        for (level, data) in shapes.iter().enumerate().filter(|(_, d)| !d.is_empty()) {
            let color = self.colors.rgb(level as f64 / (LEVELS - 1) as f64);
            pen.path(
                &Ink {
                    crisp: true,
                    ..Ink::fill(color)
                },
                data,
            );
        }
        if stretched {
            pen.end();
        }
    }

    fn cell_texts(
        &self,
        pen: &mut Pen,
        plot: &PlotArea,
        value: &Ruler,
        columns: &[f64],
        rows: &[f64],
    ) {
        for (j, row) in self.texts.iter().enumerate() {
            for (i, text) in row.iter().enumerate() {
                let (a, b) = (
                    plot.place((columns[i], rows[j])),
                    plot.place((columns[i + 1], rows[j + 1])),
                );
                let room = (b.0 - a.0) * 0.92;
                let wide = glyphs::width(text, style::NOTE_SIZE).max(1e-9);
                let size = (style::NOTE_SIZE * (room / wide).min(1.0)).min((a.1 - b.1) * 0.8);
                if size < 4.0 {
                    continue;
                }
                let ground = self
                    .level(value, self.values[j][i])
                    .map_or(style::MISSING, |l| {
                        self.colors.rgb(l as f64 / (LEVELS - 1) as f64)
                    });
                // On a ground with a luminance near 0.2, white and dark letters have the same
                // contrast.
                let ink = if ground.luminance() < 0.2 {
                    style::WHITE
                } else {
                    style::INK
                };
                let centre = ((a.0 + b.0) / 2.0, (a.1 + b.1) / 2.0);
                pen.text(&TextStyle::centred(size).color(ink), centre, text);
            }
        }
    }

    /// Draws the bar that explains the colours.
    fn draw_color_bar(&self, pen: &mut Pen, plot: &PlotArea, value: &Ruler) {
        let (x, w) = (plot.right + 20.0, 16.0);
        let height = plot.bottom - plot.top;
        let steps = LEVELS;
        for k in 0..steps {
            let ink = Ink {
                crisp: true,
                ..Ink::fill(self.colors.rgb(k as f64 / (steps - 1) as f64))
            };
            // Each area reaches up to the top of the bar, and the next area covers the upper part
            // of it, so that no gap is visible at any scale.
            pen.rect(
                &ink,
                x,
                plot.top,
                w,
                height * (1.0 - k as f64 / steps as f64),
            );
        }
        let frame = Ink::stroke(style::AXIS, 1.0);
        pen.rect(&frame, x, plot.top, w, height);
        for (v, text) in &value.ticks {
            let y = plot.bottom - height * (v - value.low) / (value.high - value.low);
            pen.line(&frame, &[(x + w, y), (x + w + 4.0, y)]);
            pen.text(&TextStyle::start(style::TICK_SIZE), (x + w + 8.0, y), text);
        }
        let set = TextStyle {
            angle: -90.0,
            ..TextStyle::centred(style::LABEL_SIZE)
        };
        let right = plot.width - style::MARGIN - style::LABEL_SIZE / 2.0;
        pen.text(&set, (right, (plot.top + plot.bottom) / 2.0), &value.label);
    }
}

/// Returns the edges of cells around these centres, in the coordinate in which the axis is linear.
/// There is one edge more than there are centres.
fn edges(centres: &[f64], scale: Scale) -> Vec<f64> {
    let at: Vec<f64> = centres.iter().map(|v| scale.scale_value(*v)).collect();
    let n = at.len();
    let (first, last) = match n {
        1 => (1.0, 1.0),
        _ => (at[1] - at[0], at[n - 1] - at[n - 2]),
    };
    let mut edges = vec![at[0] - first / 2.0];
    edges.extend(at.windows(2).map(|w| (w[0] + w[1]) / 2.0));
    edges.push(at[n - 1] + last / 2.0);
    edges
}
