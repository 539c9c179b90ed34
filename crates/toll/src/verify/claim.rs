//! What can be verified, and what is found.

use super::found::{Extreme, RangeFindings};
use flipcost_number::Undecided;
use std::ops::{ControlFlow, RangeInclusive};

/// What can be verified: a theorem or a conjecture, each in the file of its kind.
#[derive(Clone, Copy, Debug)]
pub struct Claim {
    /// Its name, such as `half-period`, which [`str::parse`] reads.
    pub id: &'static str,
    /// The statement.
    pub statement: &'static str,
    /// Whether it is proved, and how it is checked.
    pub standing: &'static str,
    /// What a sweep can record, and how it is checked by another method, if it can.
    pub record: Option<Record>,
    /// The least n of a sweep.
    pub first: u64,
    /// The largest n of a sweep.
    pub largest: u64,
    /// About how many steps of machine words a sweep to n takes, at most; saturates.
    pub work: fn(u128) -> u128,
    /// Checks a range.
    pub check: Check,
    /// Is one extreme case above another, which was met before?
    pub above: fn(Extreme, Extreme) -> Result<bool, VerifyError>,
    /// The extreme case of a range, in words.
    pub words: fn(&RangeInclusive<u64>, &RangeFindings) -> Result<Option<String>, VerifyError>,
}

/// Checks a claim for a range that has been found right, on so many threads.
pub(crate) type Check = fn(
    RangeInclusive<u64>,
    usize,
    Recorder<'_>,
    Progress<'_>,
) -> Result<RangeFindings, VerifyError>;

/// What hears the last n of each part that is done, and may stop the sweep.
pub type Progress<'a> = &'a mut dyn FnMut(u64) -> ControlFlow<()>;

impl PartialEq for Claim {
    fn eq(&self, other: &Claim) -> bool {
        self.id == other.id
    }
}

impl Claim {
    /// Adds what a part of the range that lies behind has shown.
    ///
    /// # Errors
    /// [`VerifyError::Undecided`] if enclosures do not decide which extreme case is above.
    pub fn join(&self, found: &mut RangeFindings, later: RangeFindings) -> Result<(), VerifyError> {
        found.join(later, self.above)
    }

    /// The outcome of a range, from what all of it has shown.
    ///
    /// # Errors
    /// [`VerifyError::Undecided`] if enclosures do not decide a decimal of the extreme case.
    pub fn outcome(
        &self,
        range: &RangeInclusive<u64>,
        found: RangeFindings,
    ) -> Result<ClaimResult, VerifyError> {
        Ok(ClaimResult {
            checked: found.checked,
            extreme: (self.words)(range, &found)?,
            counterexample: found.wrong,
        })
    }
}

/// The values that a sweep records, in words.
#[derive(Clone, Copy, Debug)]
pub struct Record {
    /// Which they are.
    pub values: &'static str,
    /// The other method that `sample` computes some of them by.
    pub second: &'static str,
    /// How many n a sample should have at most.
    pub count: u64,
    /// Values of at most `count` n of a range by both methods.
    pub(super) sample: fn(RangeInclusive<u64>, u64) -> Result<Sample, VerifyError>,
}

/// Some of the values, by the method of the sweep and by another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sample {
    /// How many n.
    pub count: u64,
    /// As the sweep records them.
    pub swept: Vec<u8>,
    /// By the second method.
    pub second: Vec<u8>,
}

/// Where a sweep leaves the values of [`Claim::record`], in order, if somebody wants them.
pub type Recorder<'a> = Option<&'a mut dyn FnMut(&[u8])>;

/// The result of a sweep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimResult {
    /// How many n were checked.
    pub checked: u64,
    /// The extreme case, in words.
    pub extreme: Option<String>,
    /// The first n that contradicts the claim, in words.
    pub counterexample: Option<String>,
}

/// A sweep that could not be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// The end lies before the first n, or too far away.
    #[error("a sweep of this claim ends between n = {first} and n = {largest}, not at {to}")]
    Range {
        /// The least end.
        first: u64,
        /// The largest end.
        largest: u64,
        /// The requested end.
        to: u64,
    },
    /// The first n is too small, or behind the last.
    #[error(
        "the first n of this claim must lie between {first} and the last n, and {from} does not"
    )]
    Start {
        /// The least start.
        first: u64,
        /// The requested start.
        from: u64,
    },
    /// The claim's values are not recorded.
    #[error("the values of {claim} have no second method that would check them")]
    NoRecord {
        /// The claim's name.
        claim: &'static str,
    },
    /// A comparison could not be decided.
    #[error(transparent)]
    Undecided(#[from] Undecided),
    /// The largest toll of a sum is too near the bound.
    #[error("the largest toll of the weight sum {sum} lies within 2^-40 of 2, too near to decide")]
    Near {
        /// The sum.
        sum: u64,
    },
    /// The progress callback stopped it.
    #[error("the sweep was stopped before its end")]
    Stopped,
}

/// Fails if the progress callback says so.
///
/// # Errors
/// [`VerifyError::Stopped`].
pub fn go_on(said: ControlFlow<()>) -> Result<(), VerifyError> {
    match said {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(VerifyError::Stopped),
    }
}

/// At most `count` n, spread evenly over a range, and how far each is from the next.
pub(super) fn places(range: RangeInclusive<u64>, count: u64) -> impl Iterator<Item = (u64, u64)> {
    let step = ((range.end() - range.start() + 1) / count.max(1)).max(1);
    let places = range.step_by(step as usize).take(count as usize);
    places.map(move |place| (place, step))
}

/// A number of things: `1 round`, `2 rounds`.
pub(super) fn counted(count: u64, thing: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {thing}{plural}")
}
