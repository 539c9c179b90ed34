//! An axis with its final range and ticks, in the form that plotters takes.

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};

use super::axis::{Axis, Scale, Ticks};
use super::error::FigureError;
use super::glyphs;
use super::style;
use super::ticks;

/// An axis with its final range and ticks, in the coordinate in which it is linear.
#[derive(Clone, Debug)]
pub(super) struct Ruler {
    pub label: String,
    pub scale: Scale,
    pub low: f64,
    pub high: f64,
    /// The ticks with labels: position and label.
    pub ticks: Vec<(f64, String)>,
    /// The positions of ticks without labels.
    pub minor: Vec<f64>,
}

impl Ruler {
    /// Chooses the range and the ticks. `data` is the range of the data. `snug` says whether the
    /// axis ends where the data end, as an x axis does, or at round numbers, as a y axis does.
    /// `room` is the number of labels that fit.
    pub fn new(
        axis: &Axis,
        data: (f64, f64),
        snug: bool,
        room: usize,
    ) -> Result<Ruler, FigureError> {
        let given = axis.range.is_some();
        let (low, high) = axis.range.unwrap_or(data);
        let wrong = |why| FigureError::Range {
            axis: axis.label.clone(),
            low,
            high,
            why,
        };
        if !(low.is_finite() && high.is_finite()) {
            return Err(wrong("both ends must be finite numbers"));
        }
        if low > high || (given && low == high) {
            return Err(wrong("it must rise"));
        }
        if axis.scale != Scale::Linear && low <= 0.0 {
            return Err(wrong("a logarithmic axis begins above 0"));
        }
        let (mut low, mut high) = (axis.scale.scale_value(low), axis.scale.scale_value(high));
        if !given {
            if high - low < 1e-9 * (1.0 + low.abs()) {
                (low, high) = (low - 0.5, high + 0.5);
            } else if snug && axis.scale == Scale::Linear {
                // Data that begin at 1 are near enough to 0 to show a labelled origin.
                if low > 0.0 && low < 0.04 * high {
                    low = 0.0;
                }
            } else if axis.scale == Scale::Linear {
                // Begin at zero if that costs little room; otherwise leave a small margin.
                if low > 0.0 && low < 0.35 * high {
                    low = 0.0;
                }
                let air = (high - low) * 0.04;
                high += air;
                if low != 0.0 {
                    low -= air;
                }
            } else if !snug {
                // On a logarithmic axis, leave a small margin on both sides.
                let air = (high - low) * 0.04;
                (low, high) = (low - air, high + air);
            }
        }
        let (ticks, minor) = match &axis.ticks {
            Ticks::At(list) => {
                let place = |(v, text): &(f64, String)| (axis.scale.scale_value(*v), text.clone());
                (list.iter().map(place).collect(), Vec::new())
            }
            Ticks::Every(step) => (ticks::evenly_spaced_ticks(low, high, *step), Vec::new()),
            Ticks::Auto => ticks::automatic_ticks(axis.scale, low, high, room),
        };
        let inside = |v: &f64| *v >= low - 1e-9 * (high - low) && *v <= high + 1e-9 * (high - low);
        Ok(Ruler {
            label: axis.label.clone(),
            scale: axis.scale,
            low,
            high,
            ticks: ticks.into_iter().filter(|(v, _)| inside(v)).collect(),
            minor: minor.into_iter().filter(inside).collect(),
        })
    }

    /// Returns the width of the widest tick label.
    pub fn label_width(&self) -> f64 {
        self.ticks
            .iter()
            .map(|(_, t)| glyphs::width(t, style::TICK_SIZE))
            .fold(0.0, f64::max)
    }

    fn text_at(&self, v: f64) -> String {
        let near = |t: &&(f64, String)| (t.0 - v).abs() <= 1e-9 * (self.high - self.low);
        self.ticks
            .iter()
            .find(near)
            .map(|(_, text)| text.clone())
            .unwrap_or_default()
    }
}

impl Ranged for Ruler {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (from, to): (i32, i32)) -> i32 {
        let share = (value - self.low) / (self.high - self.low);
        (f64::from(from) + f64::from(to - from) * share).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        if hint.weight().allow_light_points() {
            self.minor.clone()
        } else {
            self.ticks.iter().map(|(v, _)| *v).collect()
        }
    }

    fn range(&self) -> std::ops::Range<f64> {
        self.low..self.high
    }
}

impl ValueFormatter<f64> for Ruler {
    fn format(v: &f64) -> String {
        ticks::decimal(*v, 6)
    }

    fn format_ext(&self, v: &f64) -> String {
        self.text_at(*v)
    }
}
