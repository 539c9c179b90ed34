//! Runs a sweep part by part over its range.

use super::claim::{Progress, Recorder, VerifyError, check_progress};
use super::found::{Extreme, RangeFindings};
use flipcost_number::threads::Workers;
use std::ops::RangeInclusive;

/// Decides whether the first of two extreme cases has the larger size.
pub fn is_larger(one: Extreme, most: Extreme) -> Result<bool, VerifyError> {
    Ok(one.0 > most.0)
}

/// A sentence about the extreme case, if there is one.
pub fn describe_extreme(
    found: &RangeFindings,
    words: impl FnOnce(u64, u64) -> String,
) -> Result<Option<String>, VerifyError> {
    Ok(found.extreme.map(|(size, n)| words(size, n)))
}

/// Checks a range part by part; each part has the same number of n.
pub fn sweep(
    range: RangeInclusive<u64>,
    part: u64,
    threads: usize,
    mut recorder: Recorder,
    progress: Progress,
    work: impl Fn(RangeInclusive<u64>, &mut RangeFindings) -> Result<(), VerifyError> + Sync,
) -> Result<RangeFindings, VerifyError> {
    let find = |part| {
        let mut found = RangeFindings::default();
        work(part, &mut found)?;
        Ok::<RangeFindings, VerifyError>(found)
    };
    let mut all = RangeFindings::default();
    Workers::new(threads).ordered(range, part, find, |found, last| {
        if let Some(record) = &mut recorder {
            record(&found.values);
        }
        all.join(found, is_larger)?;
        check_progress(progress(last))
    })?;
    Ok(all)
}
