//! The quantity `stream`: see [`Stream`].

use crate::studies::asked::number;
use crate::studies::case::Case;
use crate::studies::error::{Mistake, StudyError};
use crate::studies::measure::Measure;
use crate::studies::of_n::OfN;
use crate::studies::values::{coin, task};
use flipcost::number::BigUint;
use flipcost::number::Real;
use flipcost::streams::{LongRun, eager_repeat};
use flipcost::unstable::number::short;
use num_traits::ToPrimitive;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use serde_json::json;

/// The long-run rolls per outcome of an
/// endless stream of one target, with the state kept.
///
/// ```toml
/// stream = { source = 6, n = 2, capacity = 36 }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Stream {
    #[serde(default = "coin")]
    source: u64,
    n: OfN<BigUint>,
    /// Expand to this capacity before every extraction.
    #[serde(default = "plain")]
    capacity: OfN<BigUint>,
}

/// The capacity that asks for nothing.
pub fn plain() -> OfN<BigUint> {
    OfN::Is(1u8.into())
}

/// A target or a capacity as a word.
///
/// # Errors
/// If it is none.
pub fn word(field: &str, number: &BigUint) -> Result<u64, StudyError> {
    number.to_u64().ok_or_else(|| {
        let what = "the target and the capacity of a stream must be below 2^64";
        Mistake::of(field, short(number), what).into()
    })
}

impl Measure for Stream {
    fn of_n(&self) -> bool {
        self.n.of_n() || self.capacity.of_n()
    }

    fn question(&self) -> Option<Value> {
        asked(self.source, &self.n, &self.capacity)
    }

    fn value(&self, case: &Case) -> Result<Real, StudyError> {
        let (n, capacity) = (self.n.at(case.n)?, self.capacity.at(case.n)?);
        long_run(self.source, word("n", &n)?, word("capacity", &capacity)?)
    }
}

/// The question what an endless stream costs.
pub fn asked(source: u64, n: &OfN<BigUint>, capacity: &OfN<BigUint>) -> Option<Value> {
    let mut question = json!({
        "ask": "batch",
        "targets": [number(n)?],
        "source": source.to_string(),
        "repeat": true,
    });
    if *capacity != plain() {
        question["capacity"] = number(capacity)?.into();
    }
    Some(question)
}

/// The long-run cost, exact or enclosed, and its stores.
///
/// # Errors
/// If source and n are no dice.
pub fn run(source: u64, n: u64, capacity: u64) -> Result<LongRun, StudyError> {
    task(source, n)?;
    Ok(eager_repeat(source, n, capacity))
}

/// The long-run cost, if it is exact.
///
/// # Errors
/// If source and n are no dice, or the chain is too large.
pub fn long_run(source: u64, n: u64, capacity: u64) -> Result<Real, StudyError> {
    let run = run(source, n, capacity)?;
    run.exact.map(Real::Exact).ok_or_else(|| {
        let what = format!(
            "the stream of a d{n} from a d{source} with capacity {capacity} has too many states for an exact cost"
        );
        Mistake::of("capacity", capacity, what).into()
    })
}
