//! Axes, colours and dashes as a study states them.

use super::error::{Mistake, Packed};
use super::values::{Line, texts};
use flipcost_figures::{Axis, Dash, Hue, Scale, Series, Ticks};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An axis.
///
/// ```toml
/// x = { label = "sides, n", range = [1, 100], scale = "linear", every = 10 }
/// ```
#[derive(Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[schemars(rename = "Axis")]
pub struct AxisSpec {
    /// What stands beside it.
    label: Line,
    /// Its two ends; what is drawn decides unless it is given.
    range: Option<(f64, f64)>,
    /// How values are spaced.
    #[serde(default)]
    scale: ScaleSpec,
    /// The distance of its ticks.
    every: Option<TickDistance>,
}

/// The distance of an axis's ticks.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(try_from = "f64")]
#[schemars(inline)]
struct TickDistance(f64);

impl TryFrom<f64> for TickDistance {
    type Error = Packed;
    fn try_from(step: f64) -> Result<Self, Packed> {
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
    /// The distance of the ticks, where it is given.
    pub fn every(&self) -> Option<f64> {
        self.every.map(|TickDistance(step)| step)
    }

    /// Are there no places for 0 and below?
    pub fn is_logarithmic(&self) -> bool {
        !matches!(self.scale, ScaleSpec::Linear)
    }

    /// The axis of a chart.
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

/// A horizontal line.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[schemars(rename = "line")]
pub struct HorizontalLine {
    /// Its name in the legend.
    name: Line,
    /// Where it is.
    y: f64,
}

impl HorizontalLine {
    /// What is drawn: two lines of a chart differ in their dashes.
    pub fn all(lines: &[HorizontalLine]) -> impl Iterator<Item = Series> + '_ {
        let dashes = [Dash::Dotted, Dash::Dashed, Dash::DashDot, Dash::LongDash];
        let lines = lines.iter().zip(dashes.into_iter().cycle());
        lines.map(|(line, dash)| {
            let series = Series::hline(&line.name.0, line.y);
            series.hue(Hue::Grey).dash(dash)
        })
    }
}

/// How the values of a curve are drawn.
#[derive(Clone, Copy, Default, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
pub enum MarkName {
    /// One line.
    #[default]
    Line,
    /// Steps.
    Step,
    /// A point for each.
    Points,
    /// Not at all: they are a column of the table.
    None,
}

impl MarkName {
    /// A curve; none where nothing is drawn, or there is no point.
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
