//! The table `digit-bound`: see [`DigitBound`].

use super::tabulate::{Rows, Tabulate};
use crate::draw::headers;
use crate::error::{Mistake, StudyError};
use flipcost::table::Cell;
use flipcost_toll::digits::{bound, relative_toll};
use schemars::JsonSchema;
use serde::Deserialize;

/// The toll of an outcome of probability x, divided by x, for all x in [1/2, 1) with a given number
/// of binary digits. The table also has an upper bound of this ratio (see the theorem
/// `digit-bound`).
///
/// ```toml
/// table = { digit-bound = { depth = 11 } }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DigitBound {
    /// The number of binary digits of x.
    depth: u32,
}

/// The largest number of digits of x.
const MAX_DEPTH: u32 = 20;

impl Tabulate for DigitBound {
    fn rows(&self) -> Result<Rows, StudyError> {
        let depth = self.depth;
        if !(1..=MAX_DEPTH).contains(&depth) {
            let what = format!("x has 1 to {MAX_DEPTH} binary digits here, not {depth}");
            let mistake = Mistake::in_field("depth", depth, what);
            return Err(mistake.right("depth = 12").into());
        }
        let row = |j: u64| {
            let (toll, bound) = (relative_toll(j, depth), bound(j, depth));
            let [toll, bound] = [toll.to_f64()?, bound.to_f64()?].map(Cell::Double);
            Ok(vec![Cell::Integer(j.into()), toll, bound])
        };
        let rows = (1u64 << depth >> 1..1 << depth).map(row);
        let heads = headers(["numerator", "relative_toll", "bound"]);
        Ok((heads, rows.collect::<Result<_, StudyError>>()?))
    }
}
