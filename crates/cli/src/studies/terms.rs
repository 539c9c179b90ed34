//! Terms of named sequences, as many as a study may ask for.

use super::error::{Mistake, StudyError};
use super::limits::{INDEX, POINTS, at_most};
use super::values::Line;
use flipcost::number::{BigInt, BigUint};
use flipcost::sequences;
use flipcost::sequences::Sequence;
use flipcost::unstable::number::short;
use num_traits::ToPrimitive;
use std::ops::RangeInclusive;

/// The terms of a range of indices.
///
/// # Errors
/// If the range is too long or goes too far for a study, or begins before the sequence does.
pub fn terms(sequence: &Sequence, indices: RangeInclusive<u64>) -> Result<Vec<BigInt>, StudyError> {
    let (first, last) = (*indices.start(), *indices.end());
    at_most("indices", last.saturating_sub(first), "terms", POINTS)?;
    // The members of a sparse sequence are searched from its start on.
    let practical = sequence.practical().map(|few| sequence.offset() + few - 1);
    let most = practical.unwrap_or(INDEX);
    match last > most {
        true => {
            let name = sequence.name();
            let what = format!("the term of {name} with index {last} is out of a study's reach");
            let mistake = Mistake::new(what).given(last);
            Err(mistake.right(format!("{most} is the last index")).into())
        }
        false => Ok(sequence.terms(indices)?),
    }
}

/// A term of a named sequence, and the name.
///
/// # Errors
/// As [`terms`], and if there is no such sequence.
pub fn term(id: &Line, n: &BigUint) -> Result<(String, BigInt), StudyError> {
    let sequence = sequences::find(&id.0)?;
    let name = sequence.name().to_string();
    let far = || {
        let n = short(n);
        let what = format!("{name} has no term of index {n} in reach");
        Mistake::of("n", n, what)
    };
    let n = n.to_u64().ok_or_else(far)?;
    let mut found = terms(&sequence, n..=n)?;
    match found.pop() {
        Some(value) => Ok((name, value)),
        None => Err(far().into()),
    }
}
