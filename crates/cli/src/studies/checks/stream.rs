//! The check `stream`: see [`StreamCost`].

use crate::studies::case::Case;
use crate::studies::decide::{Decide, Found};
use crate::studies::error::StudyError;
use crate::studies::of_n::OfN;
use crate::studies::quantities::stream::asked;
use crate::studies::quantities::stream::{long_run, plain, run, word};
use crate::studies::shown::{same, shown};
use crate::studies::values::{Decimals, Fraction, coin};
use flipcost::number::{BigUint, Real};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

/// The long-run rolls per outcome of an endless stream of one target, the state kept. Where there
/// are too many states for an exact cost, both ends of an enclosure must round to the decimals.
///
/// ```toml
/// stream = { source = 6, n = 2, capacity = 36, decimals = "0.397076" }
/// # or: stream = { source = 2, n = 2, is = 1 }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StreamCost {
    #[serde(default = "coin")]
    source: u64,
    n: OfN<BigUint>,
    /// Expand to this capacity before every extraction.
    #[serde(default = "plain")]
    capacity: OfN<BigUint>,
    is: Option<Fraction>,
    decimals: Option<Decimals>,
}

impl Decide for StreamCost {
    fn of_n(&self) -> bool {
        self.n.of_n() || self.capacity.of_n()
    }

    fn question(&self) -> Option<Value> {
        asked(self.source, &self.n, &self.capacity)
    }

    fn decide(&self, case: &Case) -> Result<Found, StudyError> {
        let (n, capacity) = (self.n.at(case.n)?, self.capacity.at(case.n)?);
        let (n, capacity) = (word("n", &n)?, word("capacity", &capacity)?);
        let run = run(self.source, n, capacity)?;
        let store = run.stores.map_or(String::new(), |(_, largest)| {
            format!("; the largest store is {largest}")
        });
        // both ends of an enclosure must round to the decimals
        let (is, decimals) = (self.is.as_ref(), self.decimals.as_ref());
        let cost = match (run.exact, is) {
            (Some(exact), _) => Real::Exact(exact),
            (None, Some(_)) => long_run(self.source, n, capacity)?,
            (None, None) => {
                let high = Real::Exact(run.high);
                if !same(&high, is, decimals)? {
                    return Ok(Found::new(high.decimals(9)? + &store, false));
                }
                let low = Real::Exact(run.low);
                return Ok(Found::new(
                    low.decimals(9)? + &store,
                    same(&low, is, decimals)?,
                ));
            }
        };
        let holds = same(&cost, is, decimals)?;
        Ok(Found::new(shown(&cost)? + &store, holds))
    }
}
