//! What a sweep gathers from part to part of its range.

use super::claim::{Claim, Extreme, Outcome, Progress, Recorder, VerifyError, go_on};
use crate::sweep::{Pace, ordered};
use std::ops::RangeInclusive;

/// What a part of a range has shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// How many n the claim speaks of.
    pub checked: u64,
    /// The extreme case, the first of several that are equal.
    pub extreme: Option<Extreme>,
    /// The first n and the last of each run of n that are marked.
    pub runs: Vec<(u64, u64)>,
    /// The first n that contradicts the claim, in words.
    pub wrong: Option<String>,
    /// What is recorded, on its way to the recorder: empty in what a sweep gives.
    pub values: Vec<u8>,
}

impl Found {
    /// One n that the claim speaks of; of the largest size the words of the outcome speak.
    pub fn see(&mut self, size: u64, n: u64) {
        self.checked += 1;
        if self.extreme.is_none_or(|(most, _)| size > most) {
            self.extreme = Some((size, n));
        }
    }

    /// Marks a run of n that lies behind all others.
    pub fn mark(&mut self, (first, last): (u64, u64)) {
        match self.runs.last_mut() {
            Some((_, end)) if *end + 1 == first => *end = last,
            _ => self.runs.push((first, last)),
        }
    }

    /// What is wrong at one n; the first such n counts.
    pub fn refute(&mut self, wrong: impl FnOnce() -> String) {
        self.wrong.get_or_insert_with(wrong);
    }

    fn join(
        &mut self,
        later: Found,
        above: impl Fn(Extreme, Extreme) -> Result<bool, VerifyError>,
    ) -> Result<(), VerifyError> {
        self.checked += later.checked;
        self.extreme = match (self.extreme, later.extreme) {
            (Some(most), Some(other)) if !above(other, most)? => Some(most),
            (most, other) => other.or(most),
        };
        later.runs.into_iter().for_each(|run| self.mark(run));
        self.wrong = self.wrong.take().or(later.wrong);
        Ok(())
    }
}

/// Compares the sizes alone.
pub(super) fn larger(one: Extreme, most: Extreme) -> Result<bool, VerifyError> {
    Ok(one.0 > most.0)
}

/// The extreme case in words, if there is one.
pub(super) fn said(
    found: &Found,
    words: impl FnOnce(u64, u64) -> String,
) -> Result<Option<String>, VerifyError> {
    Ok(found.extreme.map(|(size, n)| words(size, n)))
}

impl Claim {
    /// Adds what a part of the range that lies behind has shown.
    ///
    /// # Errors
    /// [`VerifyError::Undecided`] if enclosures do not decide which extreme case is above.
    pub fn join(&self, found: &mut Found, later: Found) -> Result<(), VerifyError> {
        found.join(later, self.above)
    }

    /// The outcome of a range, from what all of it has shown.
    ///
    /// # Errors
    /// [`VerifyError::Undecided`] if enclosures do not decide a decimal of the extreme case.
    pub fn outcome(
        &self,
        range: &RangeInclusive<u64>,
        found: Found,
    ) -> Result<Outcome, VerifyError> {
        Ok(Outcome {
            checked: found.checked,
            extreme: (self.words)(range, &found)?,
            counterexample: found.wrong,
        })
    }
}

/// Works through a range in parts.
pub(super) fn sweep(
    range: RangeInclusive<u64>,
    pace: Pace,
    mut recorder: Recorder,
    progress: Progress,
    work: impl Fn(RangeInclusive<u64>, &mut Found) -> Result<(), VerifyError> + Sync,
) -> Result<Found, VerifyError> {
    let part = |part| {
        let mut found = Found::default();
        work(part, &mut found)?;
        Ok::<Found, VerifyError>(found)
    };
    let mut all = Found::default();
    ordered(range, pace, part, |found, last| {
        if let Some(record) = &mut recorder {
            record(&found.values);
        }
        all.join(found, larger)?;
        go_on(progress(last))
    })?;
    Ok(all)
}
