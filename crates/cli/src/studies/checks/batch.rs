//! The check `batch`: see [`BatchCost`].

use crate::studies::case::Case;
use crate::studies::decide::{Decide, Found};
use crate::studies::error::StudyError;
use crate::studies::quantities::batch::{asked, batch_cost, listed};
use crate::studies::shown::{same, shown};
use crate::studies::values::{Decimals, Fraction, Line, Natural, coin};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

/// The expected rolls of a sequence of targets, by mode: keep, separate, product or bound.
///
/// ```toml
/// [check.batch]
/// source = 6
/// targets = [4, 13]
/// mode = "keep"
/// is = "2327482/699855"
/// decimals = "3.3257"
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BatchCost {
    #[serde(default = "coin")]
    source: u64,
    /// The targets, in their order.
    targets: Vec<Natural>,
    /// What is done between the targets: keep (the state is kept), separate, product (one target of
    /// all), or bound (the entropy).
    mode: Line,
    is: Option<Fraction>,
    decimals: Option<Decimals>,
}

impl Decide for BatchCost {
    fn question(&self) -> Option<Value> {
        let targets: Vec<String> = listed(&self.targets).map(|n| n.to_string()).collect();
        Some(asked(self.source, &targets))
    }

    fn decide(&self, _: &Case) -> Result<Found, StudyError> {
        let cost = batch_cost(self.source, listed(&self.targets), &self.mode)?;
        let holds = same(&cost, self.is.as_ref(), self.decimals.as_ref())?;
        Ok(Found::new(shown(&cost)?, holds))
    }
}
