//! Axes, colours and dashes as a study states them.

use super::error::{Mistake, SerializedMistake};
use super::values::{Line, texts};
use flipcost_figures::{Axis, Dash, Hue, Scale, Series, Ticks};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An axis of a figure.
///
/// ```toml
/// x = { label = "sides, n", range = [1, 100], scale = "linear", every = 10 }
/// ```
#[derive(Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[schemars(rename = "Axis")]
pub struct AxisSpec {
    /// The text next to the axis.
    label: Line,
    /// The two ends of the axis; the range of the curves if they are not given.
    range: Option<(f64, f64)>,
    /// The spacing of the values: in equal steps, or logarithmic to base 2 or 10.
    #[serde(default)]
    scale: ScaleSpec,
    /// The distance between the ticks of the axis.
    every: Option<TickDistance>,
}

/// The distance between the ticks of an axis.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(try_from = "f64")]
#[schemars(inline)]
struct TickDistance(f64);

impl TryFrom<f64> for TickDistance {
    type Error = SerializedMistake;
    fn try_from(step: f64) -> Result<Self, SerializedMistake> {
        if step > 0.0 && step.is_finite() {
            Ok(TickDistance(step))
        } else {
            let mistake = Mistake::new(format!("ticks every {step} cannot be drawn"));
            Err(mistake.right("every must be a number above 0").into())
        }
    }
}

#[derive(Clone, Copy, Default, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
enum ScaleSpec {
    #[default]
    Linear,
    Log2,
    Log10,
}

impl AxisSpec {
    /// Returns the distance between the ticks, if the study gives one.
    pub fn every(&self) -> Option<f64> {
        self.every.map(|TickDistance(step)| step)
    }

    /// Whether the scale is logarithmic, so that 0 and negative values have no position on it.
    pub fn is_logarithmic(&self) -> bool {
        !matches!(self.scale, ScaleSpec::Linear)
    }

    /// Returns the axis as the crate of figures draws it.
    pub fn axis(&self) -> Axis {
        let scale = match self.scale {
            ScaleSpec::Linear => Scale::Linear,
            ScaleSpec::Log2 => Scale::Log2,
            ScaleSpec::Log10 => Scale::Log10,
        };
        let mut axis = Axis::new(self.label.0.clone()).scale(scale);
        if let Some((low, high)) = self.range {
            axis = axis.range(low, high);
        }
        if let Some(step) = self.every() {
            axis = axis.ticks(Ticks::Every(step));
        }
        axis
    }
}

texts! {
    /// A colour, by name.
    #[derive(Clone, Copy)]
    HueName(Hue): "the name of a colour", str::parse, Hue::NAMES;
    /// A style of lines, by name.
    #[derive(Clone, Copy)]
    DashName(Dash): "the name of a style of lines", str::parse, Dash::NAMES;
}

/// A horizontal line across a chart.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[schemars(rename = "line")]
pub struct HorizontalLine {
    /// The line's name in the legend.
    name: Line,
    /// The line's height on the vertical axis.
    y: f64,
}

impl HorizontalLine {
    /// Returns the lines as curves, each with a different dash pattern.
    pub fn all(lines: &[HorizontalLine]) -> impl Iterator<Item = Series> + '_ {
        let dashes = [Dash::Dotted, Dash::Dashed, Dash::DashDot, Dash::LongDash];
        let lines = lines.iter().zip(dashes.into_iter().cycle());
        lines.map(|(line, dash)| {
            let series = Series::hline(&line.name.0, line.y);
            series.hue(Hue::Grey).dash(dash)
        })
    }
}

/// How a curve is drawn: as a line, as steps, as points, or not at all.
#[derive(Clone, Copy, Default, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
pub enum MarkName {
    /// One line.
    #[default]
    Line,
    /// Steps.
    Step,
    /// A point for each value.
    Points,
    /// Not drawn: the values are only a column of the table.
    None,
}

impl MarkName {
    /// Returns the curve; `None` if the study does not draw it, or if it has no point.
    pub fn series(
        self,
        name: &Line,
        points: Vec<(f64, f64)>,
        hue: Option<HueName>,
        dash: Option<DashName>,
    ) -> Option<Series> {
        let mut series = match self {
            MarkName::Line => Series::line(&name.0, points),
            MarkName::Step => Series::step(&name.0, points),
            MarkName::Points => Series::points(&name.0, points),
            MarkName::None => return None,
        };
        if let Some(HueName(hue)) = hue {
            series = series.hue(hue);
        }
        if let Some(DashName(dash)) = dash {
            series = series.dash(dash);
        }
        Some(series)
    }
}
