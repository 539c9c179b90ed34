//! Chooses the colour and the line style of each series of a chart, and draws it as lines, points
//! or bars.

use plotters::prelude::*;

use super::axis::Scale;
use super::canvas::units;
use super::error::FigureError;
use super::glyphs;
use super::pen::{Anchor, Ink, Pen, TextStyle};
use super::plot::{PlotArea, color};
use super::series::{Mark, Series};
use super::style::{self, Dash, Hue, Rgb};

/// The width of a series' sample in a legend, in pixels.
pub(super) const SWATCH: f64 = 32.0;

/// A series with its chosen colour, line style and shape of points.
pub(super) struct StyledSeries<'a> {
    pub series: &'a Series,
    pub color: Rgb,
    pub dash: Dash,
    /// The index of the shape of the points.
    pub shape: usize,
    /// For bars, the position of the series among the bars at one x, and the number of these bars.
    pub share: (usize, usize),
}

/// Chooses the look of every series. A series without a hue or a dash pattern gets the next one in
/// order.
pub(super) fn style_series(series: &[Series]) -> Vec<StyledSeries<'_>> {
    let asked: Vec<Hue> = series.iter().filter_map(|s| s.hue).collect();
    let mut free: Vec<Hue> = Hue::ORDER
        .into_iter()
        .filter(|h| !asked.contains(h))
        .collect();
    if free.is_empty() {
        free = Hue::ORDER.to_vec();
    }
    let (mut hues, mut dashes, mut shapes) = (free.iter().cycle(), Dash::ORDER.iter().cycle(), 0);
    let bars = |s: &&Series| matches!(s.mark, Mark::Bars { .. });
    let beside = series.iter().filter(bars).count();
    let mut bar = 0;
    series
        .iter()
        .map(|series| {
            let hue = series
                .hue
                .unwrap_or_else(|| *hues.next().expect("it cycles"));
            let lined = matches!(series.mark, Mark::Line | Mark::Step | Mark::HLine(_));
            let next = if lined {
                *dashes.next().expect("it cycles")
            } else {
                Dash::Solid
            };
            let styled = StyledSeries {
                series,
                color: hue.rgb(),
                dash: series.dash.unwrap_or(next),
                shape: shapes,
                share: (bar, beside),
            };
            shapes += usize::from(series.mark == Mark::Points);
            bar += usize::from(bars(&series));
            styled
        })
        .collect()
}

impl StyledSeries<'_> {
    fn line_width(&self) -> f64 {
        match self.series.points.len() {
            0..=250 => 2.0,
            251..=1200 => 1.5,
            _ => 1.0,
        }
    }

    fn radius(&self) -> f64 {
        match self.series.points.len() {
            0..=60 => 3.4,
            61..=300 => 2.2,
            301..=2000 => 1.4,
            _ => 0.9,
        }
    }

    /// Returns the line as pieces, one between each two gaps, and each piece as its corners in the
    /// coordinates in which the axes are linear.
    fn pieces(&self, plot: &PlotArea) -> Vec<Vec<(f64, f64)>> {
        if let Mark::HLine(y) = self.series.mark {
            let y = plot.y.scale.scale_value(y);
            return vec![vec![(plot.x.low, y), (plot.x.high, y)]];
        }
        let mut pieces = vec![Vec::new()];
        for point in &self.series.points {
            match plot.point(*point) {
                None => pieces.push(Vec::new()),
                Some((x, y)) => {
                    let piece = pieces.last_mut().expect("it is never empty");
                    if let (Mark::Step, Some(&(_, before))) = (&self.series.mark, piece.last()) {
                        piece.push((x, before));
                    }
                    piece.push((x, y));
                }
            }
        }
        pieces.retain(|p: &Vec<_>| !p.is_empty());
        pieces
    }

    /// Returns the left, right, lower and upper edge of each bar, in the coordinates in which the
    /// axes are linear.
    fn bars(&self, plot: &PlotArea) -> Vec<(f64, f64, f64, f64)> {
        let Mark::Bars { width, .. } = &self.series.mark else {
            return Vec::new();
        };
        let (i, of) = (self.share.0 as f64, self.share.1 as f64);
        let foot = match plot.y.scale {
            Scale::Linear => 0.0,
            _ => plot.y.low,
        };
        let bar = |(x, y): &(f64, f64)| {
            let left = x - width / 2.0 + width * i / of;
            let ((l, top), (r, _)) = (
                plot.point((left, *y))?,
                plot.point((left + width / of, *y))?,
            );
            Some((l, r, foot, top))
        };
        self.series.points.iter().filter_map(bar).collect()
    }

    pub fn draw(&self, plot: &PlotArea, pen: &mut Pen) -> Result<(), FigureError> {
        match &self.series.mark {
            Mark::Line | Mark::Step | Mark::HLine(_) => {
                let line = color(self.color).stroke_width(units(self.line_width()));
                plot.layer(pen, self.dash, |context| {
                    for piece in self
                        .pieces(plot)
                        .into_iter()
                        .flat_map(|piece| clip_to_plot(plot, piece))
                    {
                        context.draw_series(LineSeries::new(piece, line))?;
                    }
                    Ok(())
                })
            }
            Mark::Points => {
                let s = units(self.radius()) as i32;
                let fill = color(self.color).filled();
                let shown = self.series.points.iter().filter_map(|p| plot.point(*p));
                let points: Vec<(f64, f64)> = shown.filter(|p| plot.contains(*p)).collect();
                let square = [(-s * 9 / 10, -s * 9 / 10), (s * 9 / 10, s * 9 / 10)];
                let r = s * 5 / 4;
                let diamond = [(0, -r), (r, 0), (0, r), (-r, 0)];
                plot.layer(pen, Dash::Solid, |context| {
                    let dots = points.iter().map(|p| Circle::new(*p, s, fill));
                    let squares = points
                        .iter()
                        .map(|p| EmptyElement::at(*p) + Rectangle::new(square, fill));
                    match self.shape % 4 {
                        0 => context.draw_series(dots)?,
                        1 => context.draw_series(squares)?,
                        2 => context
                            .draw_series(points.iter().map(|p| TriangleMarker::new(*p, r, fill)))?,
                        _ => context.draw_series(
                            points
                                .iter()
                                .map(|p| EmptyElement::at(*p) + Polygon::new(diamond, fill)),
                        )?,
                    };
                    Ok(())
                })
            }
            Mark::Bars { .. } => {
                let bars = self.bars(plot);
                let fill = color(self.color.tint(0.55)).filled();
                let line = color(self.color).stroke_width(units(1.0));
                plot.layer(pen, Dash::Solid, |context| {
                    let shape = |s| {
                        move |&(l, r, foot, top): &(f64, f64, f64, f64)| {
                            Rectangle::new([(l, foot), (r, top)], s)
                        }
                    };
                    context.draw_series(bars.iter().map(shape(fill)))?;
                    context.draw_series(bars.iter().map(shape(line)))?;
                    Ok(())
                })
            }
        }
    }

    pub fn bar_labels(&self, plot: &PlotArea, pen: &mut Pen) {
        let Mark::Bars { labels, .. } = &self.series.mark else {
            return;
        };
        if labels.is_empty() {
            return;
        }
        let bars = self.bars(plot);
        let pitch = match bars.as_slice() {
            [a, b, ..] => plot.place((b.0, 0.0)).0 - plot.place((a.0, 0.0)).0,
            _ => plot.right - plot.left,
        };
        let widest = labels
            .iter()
            .map(|l| glyphs::width(l, style::NOTE_SIZE))
            .fold(0.0, f64::max);
        for (bar, label) in bars.iter().zip(labels) {
            let (x, y) = plot.place(((bar.0 + bar.1) / 2.0, bar.3));
            if x < plot.left || x > plot.right {
                continue;
            }
            let y = y.max(plot.top + 2.0);
            let set = TextStyle::centred(style::NOTE_SIZE).color(style::INK);
            if widest <= pitch * 0.94 {
                pen.label(&set, (x, y - 4.0 - style::NOTE_SIZE * 0.4), label);
            } else {
                let upright = TextStyle {
                    anchor: Anchor::Start,
                    angle: -90.0,
                    ..set
                };
                pen.text(&upright, (x, y - 4.0), label);
            }
        }
    }

    /// Returns whether any part of the series touches this rectangle, in pixels.
    pub fn touches(&self, plot: &PlotArea, (x, y, w, h): (f64, f64, f64, f64)) -> bool {
        let inside = |(px, py): (f64, f64)| px >= x && px <= x + w && py >= y && py <= y + h;
        match &self.series.mark {
            Mark::Points => self
                .series
                .points
                .iter()
                .filter_map(|p| plot.point(*p))
                .any(|p| inside(plot.place(p))),
            Mark::Bars { .. } => self.bars(plot).iter().any(|&(l, r, foot, top)| {
                let ((l, low), (r, high)) = (plot.place((l, foot)), plot.place((r, top)));
                l <= x + w && r >= x && high - 18.0 <= y + h && low >= y
            }),
            _ => self.pieces(plot).iter().any(|piece| {
                let pixels: Vec<_> = piece.iter().map(|p| plot.place(*p)).collect();
                pixels.iter().any(|p| inside(*p))
                    || pixels
                        .windows(2)
                        .any(|s| crosses_rectangle(s[0], s[1], (x, y, w, h)))
            }),
        }
    }

    /// Draws a sample of the series for the legend.
    pub fn swatch(&self, pen: &mut Pen, (x, y): (f64, f64)) {
        match &self.series.mark {
            Mark::Points => match self.shape % 4 {
                0 => pen.dot(self.color, 1.0, (x + SWATCH / 2.0, y), 3.4),
                1 => pen.rect(
                    &Ink::fill(self.color),
                    x + SWATCH / 2.0 - 3.2,
                    y - 3.2,
                    6.4,
                    6.4,
                ),
                2 => {
                    let (cx, r) = (x + SWATCH / 2.0, 4.2);
                    let points = [
                        (cx, y - r),
                        (cx + r * 0.87, y + r / 2.0),
                        (cx - r * 0.87, y + r / 2.0),
                    ];
                    pen.polygon(&Ink::fill(self.color), &points);
                }
                _ => {
                    let (cx, r) = (x + SWATCH / 2.0, 4.2);
                    pen.polygon(
                        &Ink::fill(self.color),
                        &[(cx, y - r), (cx + r, y), (cx, y + r), (cx - r, y)],
                    );
                }
            },
            Mark::Bars { .. } => {
                let ink = Ink::fill(self.color.tint(0.55)).outlined(self.color, 1.2);
                pen.rect(&ink, x + SWATCH / 2.0 - 8.0, y - 5.0, 16.0, 10.0);
            }
            _ => {
                let ink = Ink::stroke(self.color, 2.0).dashed(self.dash);
                pen.line(&ink, &[(x, y), (x + SWATCH, y)]);
            }
        }
    }
}

/// Returns whether the line from `a` to `b` crosses a rectangle (Liang and Barsky's clipping).
fn crosses_rectangle(a: (f64, f64), b: (f64, f64), (x, y, w, h): (f64, f64, f64, f64)) -> bool {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let (mut from, mut to) = (0.0f64, 1.0f64);
    for (p, q) in [
        (-dx, a.0 - x),
        (dx, x + w - a.0),
        (-dy, a.1 - y),
        (dy, y + h - a.1),
    ] {
        if p == 0.0 {
            if q < 0.0 {
                return false;
            }
        } else if p < 0.0 {
            from = from.max(q / p);
        } else {
            to = to.min(q / p);
        }
    }
    from <= to
}
/// Returns the pieces of a line that lie on the plot. The line is cut here because plotters would
/// draw its outside parts along the edge of the plot.
fn clip_to_plot(plot: &PlotArea, line: Vec<(f64, f64)>) -> Vec<Vec<(f64, f64)>> {
    if line.iter().all(|point| plot.contains(*point)) {
        return vec![line];
    }
    let mut pieces: Vec<Vec<(f64, f64)>> = Vec::new();
    for [from, to] in line.windows(2).filter_map(|two| plot.cut(two[0], two[1])) {
        match pieces.last_mut() {
            Some(piece) if piece.last() == Some(&from) => piece.push(to),
            _ => pieces.push(vec![from, to]),
        }
    }
    pieces
}
