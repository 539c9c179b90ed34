//! The figure `digit-bound`: see [`DigitBound`].

use crate::axis::AxisSpec;
use crate::draw::{Draw, Drawn, Work, headers};
use crate::error::{Mistake, StudyError};
use crate::values::{FigureName, Line};
use flipcost::table::Cell;
use flipcost_figures::{Chart, Dash, Hue, Series};
use flipcost_toll::digits::{bound, relative_toll};
use schemars::JsonSchema;
use serde::Deserialize;

/// The toll of an outcome of probability x relative to x, for all x in [1/2, 1) of so many binary
/// digits, and a bound of it (see the theorem of this name). Both axes say how near to their end a
/// value is, in binary digits: log2(1 / (1-x)) and log2(1 / (2 - toll)).
///
/// ```toml
/// [[digit-bound]]
/// name = "digit-bound"
/// title = "The toll of one probability"
/// depth = 11
/// x = { label = "x" }
/// y = { label = "toll" }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DigitBound {
    name: FigureName,
    title: Line,
    /// The binary digits of x.
    depth: u32,
    x: AxisSpec,
    y: AxisSpec,
}

/// The most digits of x.
const DEEPEST: u32 = 20;

impl Draw for DigitBound {
    fn name(&self) -> &str {
        &self.name.0
    }

    fn draw(&self, _: &Work) -> Result<Drawn, StudyError> {
        let depth = self.depth;
        if !(1..=DEEPEST).contains(&depth) {
            let what = format!("x has 1 to {DEEPEST} binary digits here, not {depth}");
            let mistake = Mistake::of("depth", depth, what);
            return Err(mistake.right("depth = 12").into());
        }
        let (mut tolls, mut bounds, mut rows) = (Vec::new(), Vec::new(), Vec::new());
        let mut piece: Vec<(f64, f64)> = Vec::new();
        let mut last = 0;
        let all = 1u64 << depth;
        for j in all / 2..all {
            let toll = relative_toll(j, depth).nearest_f64()?;
            let bound = bound(j, depth).nearest_f64()?;
            let x = -((all - j) as f64 / all as f64).log2();
            tolls.push((x, -(2.0 - toll).log2()));
            // the bound jumps where f does
            let f = (all - j).ilog2();
            if f != last && !piece.is_empty() {
                bounds.push(std::mem::take(&mut piece));
            }
            last = f;
            piece.push((x, -(2.0 - bound).log2()));
            rows.push(vec![
                Cell::Integer(j.into()),
                Cell::Double(toll),
                Cell::Double(bound),
            ]);
        }
        bounds.push(piece);
        let mut chart = Chart::new(&self.title.0)
            .x(self.x.axis())
            .y(self.y.axis())
            .series(Series::points("(ν(x) − x log₂ 1/x)/x", tolls).hue(Hue::Green));
        for (at, piece) in bounds.into_iter().enumerate() {
            let name = if at == 0 { "bound" } else { "" };
            chart = chart.series(
                Series::line(name, piece)
                    .hue(Hue::Vermillion)
                    .dash(Dash::Solid),
            );
        }
        Ok(Drawn {
            drawing: chart.draw()?,
            headers: headers(["numerator", "relative_toll", "bound"]),
            rows,
        })
    }
}
