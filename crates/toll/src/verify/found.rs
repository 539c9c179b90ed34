//! The findings of a sweep, which are collected from part to part of its range.

/// A size and its n. If n alone determines the size, 0 is stored instead.
pub type Extreme = (u64, u64);

/// The findings for a part of a range.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RangeFindings {
    /// The number of n that the claim covers.
    pub checked: u64,
    /// The extreme case; of several equal cases, the first.
    pub extreme: Option<Extreme>,
    /// The first and the last n of each run of consecutive marked n.
    pub runs: Vec<(u64, u64)>,
    /// A sentence about the first n that contradicts the claim.
    pub wrong: Option<String>,
    /// The recorded values, until the recorder takes them; empty in the result of a sweep.
    pub values: Vec<u8>,
}

impl RangeFindings {
    /// Counts an n that the claim covers, and keeps the largest size, which the outcome describes.
    pub fn count_size(&mut self, size: u64, n: u64) {
        self.checked += 1;
        if self.extreme.is_none_or(|(most, _)| size > most) {
            self.extreme = Some((size, n));
        }
    }

    /// Marks a run of n that comes after all other runs.
    pub(crate) fn mark_run(&mut self, (first, last): (u64, u64)) {
        match self.runs.last_mut() {
            Some((_, end)) if *end + 1 == first => *end = last,
            _ => self.runs.push((first, last)),
        }
    }

    /// Records a contradiction at one n; only the first contradiction counts.
    pub fn record_contradiction(&mut self, wrong: impl FnOnce() -> String) {
        self.wrong.get_or_insert_with(wrong);
    }

    /// Adds the findings for a later part.
    pub(super) fn join<E>(
        &mut self,
        later: RangeFindings,
        above: impl Fn(Extreme, Extreme) -> Result<bool, E>,
    ) -> Result<(), E> {
        self.checked += later.checked;
        self.extreme = match (self.extreme, later.extreme) {
            (Some(most), Some(other)) if !above(other, most)? => Some(most),
            (most, other) => other.or(most),
        };
        later.runs.into_iter().for_each(|run| self.mark_run(run));
        self.wrong = self.wrong.take().or(later.wrong);
        Ok(())
    }
}
