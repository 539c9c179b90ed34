//! The check `best-order`: see [`BestOrderIs`].

use crate::studies::case::Case;
use crate::studies::decide::{Decide, Found};
use crate::studies::error::StudyError;
use crate::studies::limits::at_most;
use crate::studies::quantities::batch::asked;
use crate::studies::quantities::batch::{listed, targets};
use crate::studies::shown::shown;
use crate::studies::values::{Natural, coin};
use flipcost::number::BigUint;
use flipcost::streams::best_order;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

/// The order of a batch that costs least with the state kept.
///
/// ```toml
/// best-order = { source = 6, targets = [4, 13], is = [13, 4] }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BestOrderIs {
    #[serde(default = "coin")]
    source: u64,
    /// The targets.
    targets: Vec<Natural>,
    /// Their best order.
    is: Vec<u64>,
}

impl Decide for BestOrderIs {
    fn question(&self) -> Option<Value> {
        let targets: Vec<String> = listed(&self.targets).map(|n| n.to_string()).collect();
        let mut question = asked(self.source, &targets);
        question["best_order"] = true.into();
        Some(question)
    }

    fn decide(&self, _: &Case) -> Result<Found, StudyError> {
        // Of more targets no order is proved.
        let most = flipcost::unstable::streams::EXHAUSTIVE as u64;
        at_most(
            "targets",
            self.targets.len() as u64,
            "targets to be ordered",
            most,
        )?;
        let best = best_order(self.source, &targets(self.source, listed(&self.targets))?);
        let order: Vec<String> = best.targets.iter().map(BigUint::to_string).collect();
        let proved = if best.proved { "proved" } else { "not proved" };
        let computed = format!("{}: {}, {proved}", order.join(", "), shown(&best.cost)?);
        let wanted = self.is.iter().map(|&n| BigUint::from(n));
        let same = best.targets.iter().cloned().eq(wanted);
        Ok(Found::new(computed, same && best.proved))
    }
}
