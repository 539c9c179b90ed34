//! Terms of named sequences, within the limits of a study.

use super::error::{Mistake, StudyError};
use super::limits::{INDEX, POINTS, check_at_most};
use flipcost::sequences::Sequence;
use flipcost_number::BigInt;
use std::ops::RangeInclusive;

/// Returns the terms for a range of indices.
///
/// # Errors
/// If the range is too long or goes too far for a study, or begins before the sequence does.
pub fn terms(sequence: &Sequence, indices: RangeInclusive<u64>) -> Result<Vec<BigInt>, StudyError> {
    let (first, last) = (*indices.start(), *indices.end());
    check_at_most("indices", last.saturating_sub(first), "terms", POINTS)?;
    // The members of a sparse sequence are searched from its first member on.
    let practical = sequence.practical().map(|few| sequence.offset() + few - 1);
    let most = practical.unwrap_or(INDEX);
    if last > most {
        let name = sequence.name();
        let what = format!("the term of {name} with index {last} is out of a study's reach");
        let mistake = Mistake::new(what).with_value(last);
        Err(mistake.right(format!("{most} is the last index")).into())
    } else {
        Ok(sequence.terms(indices)?)
    }
}
