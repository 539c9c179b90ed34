//! Terms of named sequences, within the limits of a study.

use super::error::{Mistake, StudyError};
use super::limits::{MAX_POINTS, MAX_TERM_INDEX, check_at_most};
use flipcost::sequences::Sequence;
use flipcost_number::BigInt;
use std::ops::RangeInclusive;

/// Returns the terms for a range of indices.
///
/// # Errors
/// If the range has too many terms, if its last index is too large for a study, or if it begins
/// before the sequence.
pub fn terms(sequence: &Sequence, indices: RangeInclusive<u64>) -> Result<Vec<BigInt>, StudyError> {
    let (first, last) = (*indices.start(), *indices.end());
    check_at_most("indices", last.saturating_sub(first), "terms", MAX_POINTS)?;
    // The search for members of a sparse sequence always begins at its first member.
    let practical = sequence.practical().map(|few| sequence.offset() + few - 1);
    let most = practical.unwrap_or(MAX_TERM_INDEX);
    if last > most {
        let name = sequence.name();
        let what = format!("the term of {name} with index {last} is out of a study's reach");
        let mistake = Mistake::new(what).with_value(last);
        Err(mistake.right(format!("{most} is the last index")).into())
    } else {
        Ok(sequence.terms(indices)?)
    }
}
