//! The figure `fourier`: see [`FourierSums`].

use crate::axis::{AxisSpec, HueName};
use crate::columns::ColumnName;
use crate::draw::{Draw, Drawn, Work};
use crate::error::{Mistake, StudyError};
use crate::limits::{CURVES, OSCILLATIONS, at_most};
use crate::values::{FigureName, Line, Written};
use flipcost::algorithms::FAST_DICE_ROLLER;
use flipcost::table::Cell;
use flipcost_figures::{Chart, Hue, Series};
use flipcost_number::threads;
use flipcost_number::{BigUint, Real};
use flipcost_one_draw::pictures::curves::place;
use flipcost_toll::fourier::Fourier;
use schemars::JsonSchema;
use serde::Deserialize;

/// The toll of the fast dice roller with a coin over one period of log2 n, and partial sums of its
/// Fourier series over it.
///
/// ```toml
/// [[fourier]]
/// name = "series"
/// title = "The toll over one period, and its Fourier series"
/// block = 10
/// x = { label = "log₂ n after the point" }
/// y = { label = "flips" }
/// sums = [{ name = "5 terms", terms = 5, hue = "red" }]
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct FourierSums {
    name: FigureName,
    title: Line,
    /// The n are those from 2^k up to 2^(k+1): this k.
    block: u32,
    x: AxisSpec,
    y: AxisSpec,
    /// The partial sums.
    sums: Vec<PartialSum>,
}

/// A partial sum.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[schemars(rename = "partial-sum")]
struct PartialSum {
    /// Its name in the legend.
    name: Line,
    /// How many oscillations it has beside the mean.
    terms: u64,
    hue: Option<HueName>,
}

/// The largest block.
const BLOCK: u32 = 14;

/// Bits of the coefficients after the point: where they leave a sum between two doubles, more are computed.
const BITS: u64 = 100;

impl Draw for FourierSums {
    fn name(&self) -> &str {
        &self.name.0
    }

    fn draw(&self, _: &Work) -> Result<Drawn, StudyError> {
        at_most(
            "sums",
            self.sums.len() as u64,
            "partial sums",
            CURVES as u64,
        )?;
        at_most("block", self.block.into(), "for block", BLOCK.into())?;
        let counts: Vec<usize> = self.sums.iter().map(|sum| sum.terms as usize).collect();
        let most = counts.iter().copied().max().unwrap_or(0);
        at_most("terms", most as u64, "oscillations", OSCILLATIONS)?;
        let targets: Vec<u64> = (1u64 << self.block..2 << self.block).collect();
        let fourier = Fourier::new(most, BITS);
        let sums = threads::map_of(&targets, &|n| fourier.partial_sums(*n, &counts));
        let toll = ColumnName::read("toll").map_err(Mistake::new)?;
        let tolls = toll.cells(Some(FAST_DICE_ROLLER), 2, &targets)?;
        let whole = Real::integer(self.block);
        let x = targets.iter().map(|n| {
            let log = Real::log(&BigUint::from(*n), 2).minus(&whole);
            Ok(log.nearest_f64()?)
        });
        let x = x.collect::<Result<Vec<f64>, StudyError>>()?;
        let mut chart = Chart::new(&self.title.0).x(self.x.axis()).y(self.y.axis());
        let mut headers = vec!["n".to_string(), "toll".to_string()];
        let cells = |(n, toll): (&u64, &Cell)| vec![Cell::Integer((*n).into()), toll.clone()];
        let mut rows: Vec<Vec<Cell>> = targets.iter().zip(&tolls).map(cells).collect();
        let points = x.iter().copied().zip(tolls.iter().map(place)).collect();
        let exact = format!(
            "toll of n = {} to {}",
            targets[0],
            targets[targets.len() - 1]
        );
        chart = chart.series(Series::points(exact, points).hue(Hue::Green));
        for (i, sum) in self.sums.iter().enumerate() {
            let values = sums.iter().map(|sums| Ok(sums[i].nearest_f64()?));
            let values = values.collect::<Result<Vec<f64>, StudyError>>()?;
            let mut series = Series::line(&sum.name.0, x.iter().copied().zip(values).collect());
            if let Some(HueName(hue)) = sum.hue {
                series = series.hue(hue);
            }
            chart = chart.series(series);
            headers.push(format!("{} terms", sum.terms));
            for (row, sums) in rows.iter_mut().zip(&sums) {
                row.push(Cell::Decimal(sums[i].decimal(10)?));
            }
        }
        Ok(Drawn {
            drawing: chart.draw()?,
            headers,
            rows,
        })
    }
}
