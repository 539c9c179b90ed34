//! What a sweep gathers from part to part of its range.

/// A size and its n. The size is 0 where only n tells it.
pub type Extreme = (u64, u64);

/// What a part of a range has shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RangeFindings {
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

impl RangeFindings {
    /// One n that the claim speaks of; of the largest size the words of the outcome speak.
    pub fn see(&mut self, size: u64, n: u64) {
        self.checked += 1;
        if self.extreme.is_none_or(|(most, _)| size > most) {
            self.extreme = Some((size, n));
        }
    }

    /// Marks a run of n that lies behind all others.
    pub(crate) fn mark(&mut self, (first, last): (u64, u64)) {
        match self.runs.last_mut() {
            Some((_, end)) if *end + 1 == first => *end = last,
            _ => self.runs.push((first, last)),
        }
    }

    /// What is wrong at one n; the first such n counts.
    pub fn refute(&mut self, wrong: impl FnOnce() -> String) {
        self.wrong.get_or_insert_with(wrong);
    }

    /// Adds what a part that lies behind has shown.
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
        later.runs.into_iter().for_each(|run| self.mark(run));
        self.wrong = self.wrong.take().or(later.wrong);
        Ok(())
    }
}
