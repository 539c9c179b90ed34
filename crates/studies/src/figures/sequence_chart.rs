//! The figure `sequence-chart`: see [`SequenceChart`].

use crate::axis::{AxisSpec, HueName};
use crate::draw::{Draw, Drawn, Work};
use crate::error::StudyError;
use crate::limits::{CURVES, at_most};
use crate::terms::terms;
use crate::values::{FigureName, Line, Span};
use flipcost::sequences;
use flipcost::table::Cell;
use flipcost_figures::{Chart, Series};
use flipcost_number::{BigInt, Rational};
use num_traits::ToPrimitive;
use schemars::JsonSchema;
use serde::Deserialize;

/// Terms of named sequences against their index.
///
/// ```toml
/// [[sequence-chart]]
/// name = "cycle"
/// title = "Rounds in the cycle of the flow chart of n"
/// indices = "1..=256"
/// x = { label = "n" }
/// y = { label = "rounds" }
/// series = [
///   { name = "rounds", id = "cycle-rounds", hue = "blue", step = false },
/// ]
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SequenceChart {
    name: FigureName,
    title: Line,
    /// The range of the index.
    indices: Span,
    x: AxisSpec,
    y: AxisSpec,
    /// The sequences.
    series: Vec<SequenceSeries>,
}

/// One sequence of a chart.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[schemars(rename = "sequence")]
struct SequenceSeries {
    /// Its name in the legend.
    name: Line,
    id: Line,
    hue: Option<HueName>,
    /// Draw steps instead of points.
    #[serde(default)]
    step: bool,
}

impl Draw for SequenceChart {
    fn name(&self) -> &str {
        &self.name.0
    }

    fn draw(&self, _: &Work) -> Result<Drawn, StudyError> {
        at_most(
            "series",
            self.series.len() as u64,
            "sequences",
            CURVES as u64,
        )?;
        let mut chart = Chart::new(&self.title.0).x(self.x.axis()).y(self.y.axis());
        let mut headers = vec!["n".to_string()];
        let indices = self.indices.0.clone();
        let mut rows: Vec<Vec<Cell>> = Vec::new();
        for one in &self.series {
            let sequence = sequences::find(&one.id.0)?;
            let terms = terms(&sequence, indices.clone())?;
            let point = |(n, term): (u64, &BigInt)| (n as f64, term.to_f64().unwrap_or(f64::NAN));
            let points = indices.clone().zip(&terms).map(point).collect();
            let mut series = if one.step {
                Series::step(&one.name.0, points)
            } else {
                Series::points(&one.name.0, points)
            };
            if let Some(HueName(hue)) = one.hue {
                series = series.hue(hue);
            }
            chart = chart.series(series);
            headers.push(sequence.name().to_string());
            if rows.is_empty() {
                let index = |n: u64| vec![Cell::Integer(n.into())];
                rows = indices.clone().map(index).collect();
            }
            for (row, term) in rows.iter_mut().zip(terms) {
                row.push(match term.to_biguint() {
                    Some(term) => Cell::Integer(term.into()),
                    None => Cell::from(Rational::from(term)),
                });
            }
        }
        Ok(Drawn {
            drawing: chart.draw()?,
            headers,
            rows,
        })
    }
}
