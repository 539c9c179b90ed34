//! The check `bounded`: see [`BoundedRolls`].

use crate::studies::asked::number;
use crate::studies::case::Case;
use crate::studies::decide::{Decide, Found};
use crate::studies::error::StudyError;
use crate::studies::of_n::OfN;
use crate::studies::values::{coin, task};
use flipcost::number::BigUint;
use flipcost::unstable::algorithms::bounded_rolls;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use serde_json::json;

/// Can a die be made with a bounded number of rolls, and with how many?
///
/// ```toml
/// bounded = { source = 6, n = 12, rolls = 2 }
/// # or: bounded = { source = 6, n = 5, missing = 5 }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BoundedRolls {
    #[serde(default = "coin")]
    source: u64,
    n: OfN<BigUint>,
    /// The least number of rolls; left out if there is none.
    rolls: Option<OfN<BigUint>>,
    /// A prime factor of n that does not divide the source.
    missing: Option<u64>,
}

impl Decide for BoundedRolls {
    fn of_n(&self) -> bool {
        self.n.of_n() || self.rolls.as_ref().is_some_and(OfN::of_n)
    }

    fn question(&self) -> Option<Value> {
        Some(json!({
            "ask": "bounded",
            "sources": self.source.to_string(),
            "targets": number(&self.n)?,
        }))
    }

    fn decide(&self, case: &Case) -> Result<Found, StudyError> {
        let n = self.n.at(case.n)?.into_owned();
        task(self.source, n.clone())?;
        let wanted = self.rolls.as_ref().map(|rolls| rolls.at(case.n));
        let wanted = wanted.transpose()?;
        Ok(match bounded_rolls(self.source, &n) {
            Ok(rolls) => Found::new(
                format!("{rolls} rolls: {n} divides {}^{rolls}", self.source),
                wanted.is_some_and(|wanted| *wanted == BigUint::from(rolls)),
            ),
            Err(prime) => Found::new(
                format!("never: {prime} divides no power of {}", self.source),
                wanted.is_none() && self.missing.is_some_and(|q| BigUint::from(q) == prime),
            ),
        })
    }
}
