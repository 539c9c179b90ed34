//! The quantity `batch`: see [`Batch`].

use crate::studies::asked::number;
use crate::studies::case::Case;
use crate::studies::error::{Mistake, StudyError};
use crate::studies::limits::{BATCH, BATCH_BITS, at_most};
use crate::studies::measure::Measure;
use crate::studies::of_n::OfN;
use crate::studies::values::{Line, Natural, coin, task};
use flipcost::number::BigUint;
use flipcost::number::Real;
use flipcost::streams;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use serde_json::json;

/// The expected rolls of a sequence
/// of targets, with the state kept, separately, for the product of all, or the entropy bound.
///
/// ```toml
/// batch = { source = 6, targets = [4, 13], mode = "keep" }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Batch {
    #[serde(default = "coin")]
    source: u64,
    /// The targets, in their order.
    targets: Vec<OfN<BigUint>>,
    /// What is done between the targets: keep (the state is kept), separate, product (one target of
    /// all), or bound (the entropy).
    mode: Line,
}

impl Measure for Batch {
    fn of_n(&self) -> bool {
        self.targets.iter().any(OfN::of_n)
    }

    fn question(&self) -> Option<Value> {
        let targets: Option<Vec<String>> = self.targets.iter().map(number).collect();
        Some(asked(self.source, &targets?))
    }

    fn value(&self, case: &Case) -> Result<Real, StudyError> {
        let target = |n: &OfN<BigUint>| Ok(n.at(case.n)?.into_owned());
        let targets: Result<Vec<BigUint>, StudyError> = self.targets.iter().map(target).collect();
        batch_cost(self.source, targets?, &self.mode)
    }
}

/// The targets of a batch, as long as they are dice and not too many.
///
/// # Errors
/// If one of them or the source is no die, or they are too many.
pub fn targets(
    source: u64,
    targets: impl IntoIterator<Item = BigUint>,
) -> Result<Vec<BigUint>, StudyError> {
    let (mut checked, mut bits) = (Vec::new(), 0);
    for n in targets {
        task(source, n.clone())?;
        bits += n.bits();
        at_most(
            "targets",
            bits,
            "bits in the targets of a batch",
            BATCH_BITS,
        )?;
        checked.push(n);
    }
    at_most(
        "targets",
        checked.len() as u64,
        "targets of a batch",
        BATCH as u64,
    )?;
    match checked.is_empty() {
        true => {
            let mistake = Mistake::new("a batch needs a target").field("targets");
            Err(mistake.right("targets = [4, 13]").into())
        }
        false => Ok(checked),
    }
}

/// The question what a batch costs, in all modes.
pub fn asked(source: u64, targets: &[String]) -> Value {
    json!({ "ask": "batch", "targets": targets, "source": source.to_string() })
}

/// The targets as a check lists them.
pub fn listed(list: &[Natural]) -> impl Iterator<Item = BigUint> + '_ {
    list.iter().map(|n| n.0.clone())
}

/// The expected rolls of a batch in one mode.
///
/// # Errors
/// As [`targets`], and if there is no such mode.
pub fn batch_cost(
    source: u64,
    list: impl IntoIterator<Item = BigUint>,
    mode: &Line,
) -> Result<Real, StudyError> {
    let batch = streams::batch(source, &targets(source, list)?);
    let found = batch.modes().into_iter().find(|known| known.id == mode.0);
    let found = found.ok_or_else(|| {
        let mistake = Mistake::new(format!("\"{}\" is not a mode", mode.0));
        let mistake = mistake.field("mode").given(&mode.0);
        mistake.right("choose one of keep, separate, product, bound")
    })?;
    Ok(found.cost.clone())
}
