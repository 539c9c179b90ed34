//! The description of an axis: its label, range, scale and ticks.

/// How an axis maps numbers to positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Scale {
    /// Equal distances mean equal differences.
    #[default]
    Linear,
    /// A logarithmic scale with ticks at powers of two, for numbers above 0.
    Log2,
    /// A logarithmic scale with ticks at powers of ten, for numbers above 0.
    Log10,
}

impl Scale {
    /// Returns the coordinate in which the axis is linear.
    pub(super) fn scale_value(self, v: f64) -> f64 {
        match self {
            Scale::Linear => v,
            Scale::Log2 => libm::log2(v),
            Scale::Log10 => libm::log10(v),
        }
    }

    /// Returns the number with this coordinate.
    pub(super) fn unscale_value(self, v: f64) -> f64 {
        match self {
            Scale::Linear => v,
            Scale::Log2 => libm::exp2(v),
            Scale::Log10 => libm::exp10(v),
        }
    }
}

/// Where an axis has ticks.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum Ticks {
    /// Ticks at round numbers; at powers of two or ten on a logarithmic axis.
    #[default]
    Auto,
    /// Ticks at the multiples of a step (of the exponent, on a logarithmic axis).
    Every(f64),
    /// Ticks at these numbers, with these labels.
    At(Vec<(f64, String)>),
}

/// One axis of a chart.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Axis {
    /// The label, which names the numbers and their unit.
    pub label: String,
    /// The two ends of the axis; if they are not given, the range of the data.
    pub range: Option<(f64, f64)>,
    /// The scale: linear or logarithmic.
    pub scale: Scale,
    /// Where the ticks are.
    pub ticks: Ticks,
}

impl Axis {
    /// Returns a linear axis over the range of the data.
    pub fn new(label: impl Into<String>) -> Axis {
        Axis {
            label: label.into(),
            ..Axis::default()
        }
    }

    /// Returns the same axis from `low` to `high`.
    pub fn range(self, low: f64, high: f64) -> Axis {
        Axis {
            range: Some((low, high)),
            ..self
        }
    }

    /// Returns the same axis with this scale.
    pub fn scale(self, scale: Scale) -> Axis {
        Axis { scale, ..self }
    }

    /// Returns the same axis with these ticks.
    pub fn ticks(self, ticks: Ticks) -> Axis {
        Axis { ticks, ..self }
    }
}
