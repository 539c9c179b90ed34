//! Charts with two axes: lines, steps, points, bars and reference lines.

use super::axis::{Axis, Scale};
use super::drawing::Drawing;
use super::error::FigureError;
use super::glyphs;
use super::legend::{self, Legend};
use super::marks::{self, StyledSeries};
use super::pen::Pen;
use super::plot::PlotArea;
use super::ruler::Ruler;
use super::series::{Mark, Series};
use super::style;
use super::ticks;

/// A chart: a title, two axes, and series of points.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// The title.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The series; the first is drawn first, behind the others.
    pub series: Vec<Series>,
    /// Where the legend is placed.
    pub legend: Legend,
    /// Width and height in pixels at scale 1, [`style::CHART_SIZE`] by default.
    pub size: (f64, f64),
}

impl Chart {
    /// Returns an empty chart.
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

    /// Returns the same chart with this horizontal axis.
    pub fn x(self, x: Axis) -> Chart {
        Chart { x, ..self }
    }

    /// Returns the same chart with this vertical axis.
    pub fn y(self, y: Axis) -> Chart {
        Chart { y, ..self }
    }

    /// Returns the same chart with one more series.
    pub fn series(mut self, series: Series) -> Chart {
        self.series.push(series);
        self
    }

    /// Returns the same chart with its legend in this place.
    pub fn legend(self, legend: Legend) -> Chart {
        Chart { legend, ..self }
    }

    /// Returns the same chart in another size.
    pub fn size(self, width: f64, height: f64) -> Chart {
        Chart {
            size: (width, height),
            ..self
        }
    }

    /// Returns the same chart with raised exponents in its title, labels and names: 2^-n becomes
    /// 2⁻ⁿ.
    pub fn typeset(mut self) -> Chart {
        let texts = [&mut self.title, &mut self.x.label, &mut self.y.label];
        let names = self.series.iter_mut().map(|series| &mut series.name);
        for text in texts.into_iter().chain(names) {
            *text = ticks::typeset(text);
        }
        self
    }

    /// Draws the chart. The time and the size of the picture grow with the number of points.
    ///
    /// # Errors
    /// [`FigureError::Empty`] if there is no point to show; [`FigureError::Range`] for an
    /// impossible axis; [`FigureError::Mismatch`] if the number of bars and the number of their
    /// labels differ.
    pub fn draw(&self) -> Result<Drawing, FigureError> {
        let (x_data, y_data) = self.data_range()?;
        let (width, height) = (self.size.0.max(240.0), self.size.1.max(180.0));
        let x = Ruler::new(&self.x, x_data, true, (width / 75.0) as usize)?;
        let y = Ruler::new(&self.y, y_data, false, (height / 55.0) as usize)?;
        let styled = marks::style_series(&self.series);
        let named = |s: &&StyledSeries| !s.series.name.is_empty();
        let entries: Vec<&StyledSeries> = styled.iter().filter(named).collect();

        let mut pen = Pen::default();
        let head = pen.title(&self.title, width);
        // The last label of the x axis may extend beyond the end of the axis.
        let overhang = match x.ticks.last() {
            Some((v, text)) if (x.high - v) / (x.high - x.low) < 0.03 => {
                glyphs::width(text, style::TICK_SIZE) / 2.0
            }
            _ => 0.0,
        };
        let right = width - style::MARGIN.max(overhang + 4.0);
        let mut plot = PlotArea::new((width, height), head, right, x, y);
        plot.keep_labels_inside();
        plot.thin_labels();
        let corner = match self.legend {
            Legend::Auto if styled.len() > 1 => legend::free_corner(&plot, &styled, &entries),
            _ => None,
        };
        let above = match self.legend {
            Legend::None => false,
            Legend::Top => true,
            Legend::Auto => styled.len() > 1 && corner.is_none(),
        };
        if above && !entries.is_empty() {
            plot.top = legend::draw_rows(&mut pen, &entries, plot.top, width) + 8.0;
        }
        plot.check_room("title, legend and labels")?;
        let bars_alone = self
            .series
            .iter()
            .all(|s| matches!(s.mark, Mark::Bars { .. }));
        plot.axes(&mut pen, (!bars_alone, true))?;
        plot.clip(&mut pen);
        let mut clipped = true;
        for s in &styled {
            // The mark of a point on an edge of the plot is shown whole; a point outside is left
            // out.
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
            legend::draw_boxed_legend(&mut pen, &entries, place);
        }
        Ok(pen.finish(width, height, &self.title))
    }

    /// Returns the ranges of x and y over all points that can be shown.
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
                        // leave room for the label
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
}
