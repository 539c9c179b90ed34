//! The check `same-as`: see [`SameAs`].

use crate::studies::case::Case;
use crate::studies::decide::{Decide, Found};
use crate::studies::error::{Mistake, Packed, StudyError};
use crate::studies::measure::Measure;
use crate::studies::shown::shown;
use flipcost::number::Real;
use schemars::JsonSchema;
use serde::Deserialize;
use std::cmp::Ordering;
use std::ops::Deref;

/// Two or more quantities are equal, exactly.
///
/// ```toml
/// for-all = "n in 1..1000"
/// same-as = [
///   { expected = { algorithm = "fast-dice-roller", n = "2*n" } },
///   { sum = [
///     { expected = { algorithm = "fast-dice-roller", n = "n" } },
///     { number = 1 },
///   ] },
/// ]
/// ```
///
/// Fractions are compared as fractions. A value that is only enclosed can be told from another, but
/// never be found equal to it: then the check has no answer, and says so.
#[derive(Deserialize, JsonSchema)]
#[serde(try_from = "Vec<Q>", bound = "Q: Deserialize<'de>")]
pub struct SameAs<Q>(Vec<Q>);

impl<Q> TryFrom<Vec<Q>> for SameAs<Q> {
    type Error = Packed;

    fn try_from(quantities: Vec<Q>) -> Result<Self, Packed> {
        match quantities.len() {
            0 | 1 => {
                let what = "same-as compares two or more quantities";
                Err(Mistake::new(what).right("write [{ ... }, { ... }]").into())
            }
            _ => Ok(SameAs(quantities)),
        }
    }
}

/// Are two values equal?
fn equal(a: &Real, b: &Real) -> Result<bool, StudyError> {
    if let (Some(a), Some(b)) = (a.exact(), b.exact()) {
        return Ok(a == b);
    }
    match a.compare(b) {
        Ok(order) => Ok(order == Ordering::Equal),
        Err(undecided) => {
            let (a, b) = (shown(a)?, shown(b)?);
            let what = format!(
                "{a} and {b} cannot be proved equal, because their fractions are too large or not known"
            );
            let right = format!("choose smaller numbers ({undecided})");
            Err(Mistake::new(what).field("same-as").right(right).into())
        }
    }
}

impl<Q: Deref<Target = dyn Measure> + Sync> Decide for SameAs<Q> {
    fn of_n(&self) -> bool {
        self.0.iter().any(|quantity| quantity.of_n())
    }

    fn decide(&self, case: &Case) -> Result<Found, StudyError> {
        let values = self.0.iter().map(|quantity| quantity.value(case));
        let values = values.collect::<Result<Vec<Real>, _>>()?;
        let first = &values[0];
        for other in &values[1..] {
            if !equal(first, other)? {
                let all = values.iter().map(shown).collect::<Result<Vec<_>, _>>()?;
                return Ok(Found::new(all.join(" and "), false));
            }
        }
        Ok(Found::new(shown(first)?, true))
    }
}
