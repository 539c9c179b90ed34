//! The check `stream`: see [`StreamCost`].

use crate::studies::case::Case;
use crate::studies::decide::{Decide, Found};
use crate::studies::error::StudyError;
use crate::studies::quantities::stream::{long_run, plain};
use crate::studies::shown::{same, shown};
use crate::studies::values::{Decimals, Fraction, coin};
use schemars::JsonSchema;
use serde::Deserialize;

/// The long-run rolls per outcome of an endless stream of one target, the state kept.
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
    n: u64,
    /// Expand to this capacity before every extraction.
    #[serde(default = "plain")]
    capacity: u64,
    is: Option<Fraction>,
    decimals: Option<Decimals>,
}

impl Decide for StreamCost {
    fn decide(&self, _: &Case) -> Result<Found, StudyError> {
        let cost = long_run(self.source, self.n, self.capacity)?;
        let holds = same(&cost, self.is.as_ref(), self.decimals.as_ref())?;
        Ok(Found::new(shown(&cost)?, holds))
    }
}
