//! Limits on the work of computing the law of a formula.

use super::super::values::integers;
use flipcost_number::collect::ordered;
use flipcost_number::grammar::AlgebraError;
use flipcost_number::{BigUint, Rational};
use std::collections::BTreeMap;

/// The maximum number of steps for the law of a formula: roughly the number of words of its values,
/// multiplied by the number of combinations of faces of letters that occur several times.
pub const MAX_FORMULA_STEPS: u64 = 1 << 26;

/// The maximum number of terms of a series.
pub(super) const MAX_TERMS: usize = 10_000;

/// For each value, the number of combinations of faces, or a number in proportion to the
/// probability.
pub(super) type Counts = BTreeMap<i64, BigUint>;

/// Faces, each with the number of dice that show it.
pub(super) type ShownFaces = Vec<(i64, u64)>;

/// The work done so far for a formula, and the position of the character that requires it.
#[derive(Default)]
pub(super) struct DiceWork {
    pub(super) steps: u64,
    pub(super) at: usize,
}

impl DiceWork {
    pub(super) fn add(&mut self, steps: u64) -> Result<(), AlgebraError> {
        self.steps = self.steps.saturating_add(steps);
        if self.steps <= MAX_FORMULA_STEPS {
            Ok(())
        } else {
            let what =
                format!("the law of these dice would take more than {MAX_FORMULA_STEPS} steps");
            Err(AlgebraError::new(self.at, what))
        }
    }

    /// Checks the length of a series against the limit.
    pub(super) fn terms(&self, length: u64) -> Result<usize, AlgebraError> {
        match usize::try_from(length) {
            Ok(length) if length <= MAX_TERMS => Ok(length),
            _ => {
                let what = format!(
                    "a law with infinitely many values is computed for {} values at most",
                    MAX_TERMS
                );
                Err(AlgebraError::new(self.at, what))
            }
        }
    }

    pub(super) fn too_long_series(&self) -> AlgebraError {
        AlgebraError::new(self.at, "a result can exceed 2^63")
    }
}

/// Numbers in proportion to probabilities.
pub(super) fn counts_of(
    law: Vec<(i64, Rational)>,
    work: &DiceWork,
) -> Result<Counts, AlgebraError> {
    let (values, weights): (Vec<i64>, Vec<Rational>) = law.into_iter().unzip();
    let weights = integers(weights).map_err(|error| AlgebraError::new(work.at, error))?;
    Ok(ordered(values.into_iter().zip(weights)))
}
