//! What a sweep gathers from part to part of its range.

use super::claim::{Outcome, Progress, Recorder, VerifyError, go_on};
use crate::sweep::{Pace, ordered};
use std::ops::RangeInclusive;

/// What one part of a range has shown.
#[derive(Clone, Default)]
pub(super) struct Found {
    checked: u64,
    /// The extreme case: a size and its n, the largest size first met.
    extreme: Option<(u64, u64)>,
    /// The first n and the last of each run of n that are marked.
    pub runs: Vec<(u64, u64)>,
    pub wrong: Option<String>,
    /// What is recorded, if it is.
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

    fn join(&mut self, later: Found) {
        self.checked += later.checked;
        if let Some((size, n)) = later.extreme {
            self.checked -= 1;
            self.see(size, n);
        }
        later.runs.into_iter().for_each(|run| self.mark(run));
        self.wrong = self.wrong.take().or(later.wrong);
    }

    /// The outcome, the extreme case in these words.
    pub fn outcome(self, words: impl FnOnce(u64, u64) -> String) -> Outcome {
        Outcome {
            checked: self.checked,
            extreme: self.extreme.map(|(size, n)| words(size, n)),
            counterexample: self.wrong,
        }
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
        all.join(found);
        go_on(progress(last))
    })?;
    Ok(all)
}
