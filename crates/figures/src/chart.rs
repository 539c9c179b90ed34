//! Charts with two axes: lines, steps, points, bars and reference lines.

use plotters::prelude::*;

use super::canvas::units;
use super::glyphs;
use super::pen::{Anchor, Ink, Pen, Type};
use super::plot::{Plot, Ruler, color, title};
use super::render::{Drawing, FigureError};
use super::style::{self, Dash, Hue, Rgb};

/// How an axis maps numbers to places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Scale {
    /// In proportion.
    #[default]
    Linear,
    /// By the logarithm, with ticks at powers of two. For numbers above 0.
    Log2,
    /// By the logarithm, with ticks at powers of ten. For numbers above 0.
    Log10,
}

impl Scale {
    /// The coordinate in which the axis is linear.
    pub(super) fn forward(self, v: f64) -> f64 {
        match self {
            Scale::Linear => v,
            Scale::Log2 => v.log2(),
            Scale::Log10 => v.log10(),
        }
    }
}

/// Where an axis has ticks.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum Ticks {
    /// At round numbers; at powers of two or ten on a logarithmic axis.
    #[default]
    Auto,
    /// At the multiples of a step (in the exponent, on a logarithmic axis).
    Every(f64),
    /// At these numbers, with these labels.
    At(Vec<(f64, String)>),
}

/// One axis of a chart.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Axis {
    /// What the numbers are, with their unit.
    pub label: String,
    /// From where to where; without it, the range of the data.
    pub range: Option<(f64, f64)>,
    /// Linear or logarithmic.
    pub scale: Scale,
    /// Where the ticks are.
    pub ticks: Ticks,
}

impl Axis {
    /// A linear axis over the range of the data.
    pub fn new(label: impl Into<String>) -> Axis {
        Axis {
            label: label.into(),
            ..Axis::default()
        }
    }

    /// The same axis from `low` to `high`.
    pub fn range(self, low: f64, high: f64) -> Axis {
        Axis {
            range: Some((low, high)),
            ..self
        }
    }

    /// The same axis with this scale.
    pub fn scale(self, scale: Scale) -> Axis {
        Axis { scale, ..self }
    }

    /// The same axis with these ticks.
    pub fn ticks(self, ticks: Ticks) -> Axis {
        Axis { ticks, ..self }
    }
}

/// How a series is drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// Points joined by straight lines.
    Line,
    /// A staircase: each y holds from its x to the next x.
    Step,
    /// Points alone.
    Points,
    /// Bars from 0 up to each y, centred on each x: a histogram of a discrete law.
    Bars {
        /// Width of a bar in units of x.
        width: f64,
        /// What stands above each bar, such as `1/4`; empty for nothing.
        labels: Vec<String>,
    },
    /// A horizontal line across the chart at this y; the series has no points.
    HLine(f64),
}

/// One series of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Its name in the legend; a series without a name is not in it.
    pub name: String,
    /// How it is drawn.
    pub mark: Mark,
    /// Its points in order of x. A y that is not a number leaves a gap.
    pub points: Vec<(f64, f64)>,
    /// Its hue; without it, the next of [`Hue::ORDER`] that no series of the chart asks for.
    pub hue: Option<Hue>,
    /// Its line style; without it, the next of [`Dash::ORDER`].
    pub dash: Option<Dash>,
}

impl Series {
    /// A series of this mark.
    pub fn new(name: impl Into<String>, mark: Mark, points: Vec<(f64, f64)>) -> Series {
        Series {
            name: name.into(),
            mark,
            points,
            hue: None,
            dash: None,
        }
    }

    /// Points joined by lines.
    pub fn line(name: impl Into<String>, points: Vec<(f64, f64)>) -> Series {
        Series::new(name, Mark::Line, points)
    }

    /// A staircase.
    pub fn step(name: impl Into<String>, points: Vec<(f64, f64)>) -> Series {
        Series::new(name, Mark::Step, points)
    }

    /// Points alone.
    pub fn points(name: impl Into<String>, points: Vec<(f64, f64)>) -> Series {
        Series::new(name, Mark::Points, points)
    }

    /// Bars of this width, each with the label above it (give no labels for none).
    pub fn bars(
        name: impl Into<String>,
        width: f64,
        points: Vec<(f64, f64)>,
        labels: Vec<String>,
    ) -> Series {
        Series::new(name, Mark::Bars { width, labels }, points)
    }

    /// A horizontal line at this y.
    pub fn hline(name: impl Into<String>, y: f64) -> Series {
        Series::new(name, Mark::HLine(y), Vec::new())
    }

    /// The same series in this hue.
    pub fn hue(self, hue: Hue) -> Series {
        Series {
            hue: Some(hue),
            ..self
        }
    }

    /// The same series in this line style.
    pub fn dash(self, dash: Dash) -> Series {
        Series {
            dash: Some(dash),
            ..self
        }
    }
}

/// Where the legend stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Legend {
    /// In a corner of the chart where it covers no data, or else above the chart; left out if
    /// there is only one series.
    #[default]
    Auto,
    /// In a row above the chart.
    Top,
    /// Nowhere.
    None,
}

/// A chart: series over two axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// What the chart shows.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// What is drawn, the first at the back.
    pub series: Vec<Series>,
    /// Where the legend stands.
    pub legend: Legend,
    /// Width and height in pixels at scale 1, [`style::CHART_SIZE`] by default.
    pub size: (f64, f64),
}

/// A series with its look decided.
struct Styled<'a> {
    series: &'a Series,
    color: Rgb,
    dash: Dash,
    /// Which shape its points have.
    shape: usize,
    /// For bars: which of how many beside each other.
    share: (usize, usize),
}

impl Chart {
    /// An empty chart.
    pub fn new(title: impl Into<String>) -> Chart {
        Chart {
            title: title.into(),
            x: Axis::default(),
            y: Axis::default(),
            series: Vec::new(),
            legend: Legend::Auto,
            size: style::CHART_SIZE,
        }
    }

    /// The same chart with this horizontal axis.
    pub fn x(self, x: Axis) -> Chart {
        Chart { x, ..self }
    }

    /// The same chart with this vertical axis.
    pub fn y(self, y: Axis) -> Chart {
        Chart { y, ..self }
    }

    /// The same chart with one more series.
    pub fn series(mut self, series: Series) -> Chart {
        self.series.push(series);
        self
    }

    /// The same chart with its legend there.
    pub fn legend(self, legend: Legend) -> Chart {
        Chart { legend, ..self }
    }

    /// The same chart in another size.
    pub fn size(self, width: f64, height: f64) -> Chart {
        Chart {
            size: (width, height),
            ..self
        }
    }

    /// Draws the chart. Time and size grow with the number of points.
    ///
    /// # Errors
    /// [`FigureError::Empty`] without a single point to show; [`FigureError::Range`] for an axis
    /// that cannot be; [`FigureError::Mismatch`] for bars whose labels are not one for each bar.
    pub fn draw(&self) -> Result<Drawing, FigureError> {
        let (x_data, y_data) = self.data_range()?;
        let (width, height) = (self.size.0.max(240.0), self.size.1.max(180.0));
        let x = Ruler::new(&self.x, x_data, true, (width / 75.0) as usize)?;
        let y = Ruler::new(&self.y, y_data, false, (height / 55.0) as usize)?;
        let styled = self.styled();
        let entries: Vec<&Styled> = styled
            .iter()
            .filter(|s| !s.series.name.is_empty())
            .collect();
        let wanted = match self.legend {
            Legend::None => false,
            Legend::Top => !entries.is_empty(),
            Legend::Auto => styled.len() > 1 && !entries.is_empty(),
        };

        let mut pen = Pen::default();
        let head = title(&mut pen, &self.title, width);
        let overhang = x.ticks.last().map_or(0.0, |(v, text)| {
            let near = (x.high - v) / (x.high - x.low) < 0.03;
            if near {
                glyphs::width(text, style::TICK_SIZE) / 2.0
            } else {
                0.0
            }
        });
        let under = if x.label.is_empty() {
            0.0
        } else {
            style::LABEL_SIZE + 8.0
        };
        let beside = if y.label.is_empty() {
            0.0
        } else {
            style::LABEL_SIZE + 8.0
        };
        let mut plot = Plot {
            width,
            height,
            left: style::MARGIN + beside + y.label_width() + 10.0,
            top: head + 8.0,
            right: width - style::MARGIN.max(overhang + 4.0),
            bottom: height - style::MARGIN - under - style::TICK_SIZE - 11.0,
            x,
            y,
        };
        let mut corner = None;
        if wanted {
            corner = match self.legend {
                Legend::Auto => free_corner(&plot, &styled, legend_size(&entries)),
                _ => None,
            };
            if corner.is_none() {
                plot.top = legend_row(&mut pen, &entries, plot.top, width) + 8.0;
            }
        }
        if plot.bottom - plot.top < 40.0 || plot.right - plot.left < 40.0 {
            return Err(FigureError::Mismatch(format!(
                "title, legend and labels leave no room in {width} x {height} pixels"
            )));
        }
        let bars_alone = self
            .series
            .iter()
            .all(|s| matches!(s.mark, Mark::Bars { .. }));
        plot.axes(&mut pen, (!bars_alone, true))?;
        plot.clip(&mut pen);
        let mut clipped = true;
        for s in &styled {
            // A point on an edge is shown whole; one outside is left out.
            let free = s.series.mark == Mark::Points;
            if free && clipped {
                pen.end();
            } else if !free && !clipped {
                plot.clip(&mut pen);
            }
            clipped = !free;
            s.draw(&plot, &mut pen)?;
        }
        if clipped {
            pen.end();
        }
        for s in &styled {
            s.bar_labels(&plot, &mut pen);
        }
        if let Some(place) = corner {
            legend_box(&mut pen, &entries, place);
        }
        Ok(pen.finish(width, height, &self.title))
    }

    /// The least and the greatest x and y of all points that can be shown.
    #[allow(clippy::type_complexity)]
    fn data_range(&self) -> Result<((f64, f64), (f64, f64)), FigureError> {
        let none = (f64::INFINITY, f64::NEG_INFINITY);
        let (mut xs, mut ys) = (none, none);
        let grow = |r: &mut (f64, f64), v: f64| *r = (r.0.min(v), r.1.max(v));
        let fits = |axis: &Axis, v: f64| v.is_finite() && (axis.scale == Scale::Linear || v > 0.0);
        for series in &self.series {
            let side = match &series.mark {
                Mark::Bars { width, labels } => {
                    if !labels.is_empty() && labels.len() != series.points.len() {
                        return Err(FigureError::Mismatch(format!(
                            "{:?} has {} bars, but {} labels",
                            series.name,
                            series.points.len(),
                            labels.len()
                        )));
                    }
                    if self.y.scale == Scale::Linear && !series.points.is_empty() {
                        grow(&mut ys, 0.0);
                    }
                    width * 0.75
                }
                _ => 0.0,
            };
            if let Mark::HLine(y) = series.mark
                && fits(&self.y, y)
            {
                grow(&mut ys, y);
            }
            for (x, y) in &series.points {
                if fits(&self.x, *x) && fits(&self.y, *y) {
                    grow(&mut xs, x - side);
                    grow(&mut xs, x + side);
                    grow(&mut ys, *y);
                    if let Mark::Bars { labels, .. } = &series.mark
                        && !labels.is_empty()
                        && self.y.scale == Scale::Linear
                    {
                        // Room for the label.
                        grow(&mut ys, y * 1.06);
                    }
                }
            }
        }
        let shown = |axis: &Axis, r: (f64, f64)| axis.range.is_some() || r.0 <= r.1;
        if !shown(&self.x, xs) || !shown(&self.y, ys) {
            return Err(FigureError::Empty(format!(
                "the chart {:?} has no points",
                self.title
            )));
        }
        Ok((xs, ys))
    }

    fn styled(&self) -> Vec<Styled<'_>> {
        let asked: Vec<Hue> = self.series.iter().filter_map(|s| s.hue).collect();
        let mut free: Vec<Hue> = Hue::ORDER
            .into_iter()
            .filter(|h| !asked.contains(h))
            .collect();
        if free.is_empty() {
            free = Hue::ORDER.to_vec();
        }
        let (mut hues, mut dashes, mut shapes) =
            (free.iter().cycle(), Dash::ORDER.iter().cycle(), 0);
        let bars = |s: &&Series| matches!(s.mark, Mark::Bars { .. });
        let beside = self.series.iter().filter(bars).count();
        let mut bar = 0;
        self.series
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
                let styled = Styled {
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
}

impl Styled<'_> {
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

    /// The corners of what is drawn, piece by piece between gaps, in the linear coordinate.
    fn pieces(&self, plot: &Plot) -> Vec<Vec<(f64, f64)>> {
        if let Mark::HLine(y) = self.series.mark {
            let y = plot.y.scale.forward(y);
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

    /// Each bar in the linear coordinate: left, right, foot, top.
    fn bars(&self, plot: &Plot) -> Vec<(f64, f64, f64, f64)> {
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

    fn draw(&self, plot: &Plot, pen: &mut Pen) -> Result<(), FigureError> {
        match &self.series.mark {
            Mark::Line | Mark::Step | Mark::HLine(_) => {
                let line = color(self.color).stroke_width(units(self.line_width()));
                plot.layer(pen, self.dash, |context| {
                    for piece in self.pieces(plot) {
                        context.draw_series(LineSeries::new(piece, line))?;
                    }
                    Ok(())
                })
            }
            Mark::Points => {
                let size = units(self.radius()) as i32;
                let fill = color(self.color).filled();
                let shown = self.series.points.iter().filter_map(|p| plot.point(*p));
                let points: Vec<(f64, f64)> = shown.filter(|p| plot.holds(*p)).collect();
                plot.layer(pen, Dash::Solid, |context| {
                    let s = size;
                    match self.shape % 4 {
                        0 => {
                            context.draw_series(points.iter().map(|p| Circle::new(*p, s, fill)))?
                        }
                        1 => context.draw_series(points.iter().map(|p| {
                            EmptyElement::at(*p)
                                + Rectangle::new(
                                    [(-s * 9 / 10, -s * 9 / 10), (s * 9 / 10, s * 9 / 10)],
                                    fill,
                                )
                        }))?,
                        2 => context.draw_series(
                            points
                                .iter()
                                .map(|p| TriangleMarker::new(*p, s * 5 / 4, fill)),
                        )?,
                        _ => context.draw_series(points.iter().map(|p| {
                            EmptyElement::at(*p)
                                + Polygon::new(
                                    vec![
                                        (0, -s * 5 / 4),
                                        (s * 5 / 4, 0),
                                        (0, s * 5 / 4),
                                        (-s * 5 / 4, 0),
                                    ],
                                    fill,
                                )
                        }))?,
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

    fn bar_labels(&self, plot: &Plot, pen: &mut Pen) {
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
            let set = Type::centred(style::NOTE_SIZE).color(style::INK);
            if widest <= pitch * 0.94 {
                pen.label(&set, (x, y - 4.0 - style::NOTE_SIZE * 0.4), label);
            } else {
                let upright = Type {
                    anchor: Anchor::Start,
                    angle: -90.0,
                    ..set
                };
                pen.text(&upright, (x, y - 4.0), label);
            }
        }
    }

    /// Whether anything of the series (in pixels) touches this rectangle.
    fn touches(&self, plot: &Plot, (x, y, w, h): (f64, f64, f64, f64)) -> bool {
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
                    || pixels.windows(2).any(|s| crosses(s[0], s[1], (x, y, w, h)))
            }),
        }
    }

    /// A sample of the series, for the legend.
    fn swatch(&self, pen: &mut Pen, (x, y): (f64, f64)) {
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

/// Whether the line from `a` to `b` crosses a rectangle (Liang and Barsky's clipping).
fn crosses(a: (f64, f64), b: (f64, f64), (x, y, w, h): (f64, f64, f64, f64)) -> bool {
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

const SWATCH: f64 = 32.0;
const ROW: f64 = 19.0;

fn entry_width(entry: &Styled) -> f64 {
    SWATCH + 8.0 + glyphs::width(&entry.series.name, style::TICK_SIZE)
}

fn legend_size(entries: &[&Styled]) -> (f64, f64) {
    let widest = entries.iter().map(|e| entry_width(e)).fold(0.0, f64::max);
    (widest + 20.0, ROW * entries.len() as f64 + 10.0)
}

/// Where in the plot a legend of this size covers no data.
fn free_corner(plot: &Plot, all: &[Styled], (w, h): (f64, f64)) -> Option<(f64, f64)> {
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

fn legend_box(pen: &mut Pen, entries: &[&Styled], (x, y): (f64, f64)) {
    let (w, h) = legend_size(entries);
    pen.rect(
        &Ink::fill(style::WHITE).outlined(style::GRID, 1.0),
        x,
        y,
        w,
        h,
    );
    for (i, entry) in entries.iter().enumerate() {
        let middle = y + 5.0 + ROW * (i as f64 + 0.5);
        entry.swatch(pen, (x + 10.0, middle));
        let place = (x + 10.0 + SWATCH + 8.0, middle);
        pen.text(&Type::start(style::TICK_SIZE), place, &entry.series.name);
    }
}

/// Draws the legend in rows from `top` downwards; gives the height at which it ends.
fn legend_row(pen: &mut Pen, entries: &[&Styled], top: f64, width: f64) -> f64 {
    let (mut x, mut y) = (style::MARGIN, top + ROW / 2.0);
    for entry in entries {
        let w = entry_width(entry);
        if x > style::MARGIN && x + w > width - style::MARGIN {
            (x, y) = (style::MARGIN, y + ROW);
        }
        entry.swatch(pen, (x, y));
        pen.text(
            &Type::start(style::TICK_SIZE),
            (x + SWATCH + 8.0, y),
            &entry.series.name,
        );
        x += w + 26.0;
    }
    y + ROW / 2.0
}
