//! One series of a chart: its points and how they are drawn.

use super::style::{Dash, Hue};

/// How a series is drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// Points joined by straight lines.
    Line,
    /// A staircase: each y continues from its x to the next x.
    Step,
    /// Points without lines.
    Points,
    /// Bars from 0 up to each y, centred on each x: a histogram of a discrete law.
    Bars {
        /// The width of a bar in units of x.
        width: f64,
        /// The label above each bar, for example `1/4`; empty for no labels.
        labels: Vec<String>,
    },
    /// A horizontal line across the chart at this y; the series has no points.
    HLine(f64),
}

/// One series of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// The name in the legend; a series without a name is not in the legend.
    pub name: String,
    /// How the series is drawn.
    pub mark: Mark,
    /// The points in order of x. A y that is not a number leaves a gap.
    pub points: Vec<(f64, f64)>,
    /// The hue. A series without a hue gets the next hue of [`Hue::ORDER`] that no other series of
    /// the chart uses.
    pub hue: Option<Hue>,
    /// The line style. A series without a line style gets the next of [`Dash::ORDER`].
    pub dash: Option<Dash>,
}

impl Series {
    /// Returns a series of this mark.
    pub fn new(name: impl Into<String>, mark: Mark, points: Vec<(f64, f64)>) -> Series {
        Series {
            name: name.into(),
            mark,
            points,
            hue: None,
            dash: None,
        }
    }

    /// Returns points joined by lines.
    pub fn line(name: impl Into<String>, points: Vec<(f64, f64)>) -> Series {
        Series::new(name, Mark::Line, points)
    }

    /// Returns a staircase through these points.
    pub fn step(name: impl Into<String>, points: Vec<(f64, f64)>) -> Series {
        Series::new(name, Mark::Step, points)
    }

    /// Returns points without lines.
    pub fn points(name: impl Into<String>, points: Vec<(f64, f64)>) -> Series {
        Series::new(name, Mark::Points, points)
    }

    /// Returns bars of this width, each with its label above it; `labels` may be empty.
    pub fn bars(
        name: impl Into<String>,
        width: f64,
        points: Vec<(f64, f64)>,
        labels: Vec<String>,
    ) -> Series {
        Series::new(name, Mark::Bars { width, labels }, points)
    }

    /// Returns a horizontal line at this y.
    pub fn hline(name: impl Into<String>, y: f64) -> Series {
        Series::new(name, Mark::HLine(y), Vec::new())
    }

    /// Returns the same series in this hue.
    pub fn hue(self, hue: Hue) -> Series {
        Series {
            hue: Some(hue),
            ..self
        }
    }

    /// Returns the same series in this line style.
    pub fn dash(self, dash: Dash) -> Series {
        Series {
            dash: Some(dash),
            ..self
        }
    }
}
