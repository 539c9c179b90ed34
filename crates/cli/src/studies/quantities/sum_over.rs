//! The quantity `sum-over`: see [`SumOver`].

use crate::studies::case::Case;
use crate::studies::error::StudyError;
use crate::studies::limits::{TERMS, at_most};
use crate::studies::measure::Measure;
use crate::studies::values::Span;
use flipcost::number::Real;
use schemars::JsonSchema;
use serde::Deserialize;
use std::ops::Deref;

/// The sum of a quantity over all n of a range.
///
/// ```toml
/// sum-over = { n = "2..52", of = { expected = { algorithm = "fast-dice-roller", n = "n" } } }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, bound = "Q: Deserialize<'de>")]
pub struct SumOver<Q> {
    /// The range of n.
    n: Span,
    /// What is added up.
    of: Box<Q>,
}

impl<Q: Deref<Target = dyn Measure> + Sync> Measure for SumOver<Q> {
    fn of_n(&self) -> bool {
        false
    }

    fn value(&self, case: &Case) -> Result<Real, StudyError> {
        at_most("n", self.n.count(), "terms of a sum", TERMS)?;
        let term = |n| {
            self.of.value(&Case {
                n: Some(n),
                ..*case
            })
        };
        let mut terms = self
            .n
            .0
            .clone()
            .map(term)
            .collect::<Result<Vec<Real>, _>>()?;
        // by halves: a sum of enclosures is as deep as its tree
        while terms.len() > 1 {
            let pair = |pair: &[Real]| match pair {
                [a, b] => a.plus(b),
                rest => rest[0].clone(),
            };
            terms = terms.chunks(2).map(pair).collect();
        }
        Ok(terms.pop().unwrap_or_else(|| Real::integer(0)))
    }
}
