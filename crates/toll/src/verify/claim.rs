//! Claims that a sweep can verify for every n of a range, and the results of a sweep.

use super::found::{Extreme, RangeFindings};
use flipcost_number::Undecided;
use std::ops::{ControlFlow, RangeInclusive};

/// A claim that a sweep can verify: a theorem or a conjecture. Each claim is defined in the file of
/// its kind.
#[derive(Clone, Copy, Debug)]
pub struct Claim {
    /// The claim's name, for example `half-period`, which [`str::parse`] accepts.
    pub id: &'static str,
    /// The statement.
    pub statement: &'static str,
    /// Whether the claim is proved, and how it is checked.
    pub standing: &'static str,
    /// The values that a sweep can record, and a second method that computes these values again;
    /// `None` if there is no second method.
    pub record: Option<Record>,
    /// The least n of a sweep.
    pub first: u64,
    /// The largest n of a sweep.
    pub largest: u64,
    /// An upper estimate of the number of operations on machine words that a sweep to n takes; at
    /// most `u128::MAX`.
    pub work: fn(u128) -> u128,
    /// The function that checks a range.
    pub check: Check,
    /// Decides whether the first of two extreme cases exceeds the second, which came earlier in the
    /// range.
    pub above: fn(Extreme, Extreme) -> Result<bool, VerifyError>,
    /// Describes the extreme case of a range.
    pub words: fn(&RangeInclusive<u64>, &RangeFindings) -> Result<Option<String>, VerifyError>,
}

/// A function that checks a claim for a range on a given number of threads. The range was validated
/// before.
pub(crate) type Check = fn(
    RangeInclusive<u64>,
    usize,
    Recorder<'_>,
    Progress<'_>,
) -> Result<RangeFindings, VerifyError>;

/// A callback that receives the last n of each finished part; it may stop the sweep.
pub type Progress<'a> = &'a mut dyn FnMut(u64) -> ControlFlow<()>;

impl PartialEq for Claim {
    fn eq(&self, other: &Claim) -> bool {
        self.id == other.id
    }
}

impl Claim {
    /// Adds the findings of a later part of the range.
    ///
    /// # Errors
    /// [`VerifyError::Undecided`] if enclosures do not decide which extreme case is greater.
    pub fn join(&self, found: &mut RangeFindings, later: RangeFindings) -> Result<(), VerifyError> {
        found.join(later, self.above)
    }

    /// Returns the outcome of a range, from the findings of all its parts.
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

/// The values that a sweep records.
#[derive(Clone, Copy, Debug)]
pub struct Record {
    /// A description of the values.
    pub values: &'static str,
    /// A description of the other method, by which `sample` computes some of the values.
    pub second: &'static str,
    /// The recommended maximum number of n in a sample.
    pub count: u64,
    /// Computes the values of at most `count` n of a range by both methods.
    pub(super) sample: fn(RangeInclusive<u64>, u64) -> Result<Sample, VerifyError>,
}

/// Some of the values, computed by the method of the sweep and by the second method.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sample {
    /// The number of n.
    pub count: u64,
    /// The values as the sweep records them.
    pub swept: Vec<u8>,
    /// The values by the second method.
    pub second: Vec<u8>,
}

/// A callback that receives the values of [`Claim::record`], in order; `None` if no values are
/// requested.
pub type Recorder<'a> = Option<&'a mut dyn FnMut(&[u8])>;

/// The result of a sweep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimResult {
    /// The number of n that were checked.
    pub checked: u64,
    /// A sentence about the extreme case.
    pub extreme: Option<String>,
    /// A sentence about the first n that contradicts the claim.
    pub counterexample: Option<String>,
}

/// The reason why a sweep could not be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// The end of the range is below the claim's first n, or above its largest n.
    #[error("a sweep of this claim ends between n = {first} and n = {largest}, not at {to}")]
    Range {
        /// The least possible end.
        first: u64,
        /// The largest possible end.
        largest: u64,
        /// The requested end.
        to: u64,
    },
    /// The first n is below the claim's first n, or above the last n.
    #[error(
        "the first n of this claim must lie between {first} and the last n, and {from} does not"
    )]
    Start {
        /// The least possible start.
        first: u64,
        /// The requested start.
        from: u64,
    },
    /// The claim does not record values.
    #[error("the values of {claim} have no second method that would check them")]
    NoRecord {
        /// The claim's name.
        claim: &'static str,
    },
    /// A comparison could not be decided.
    #[error(transparent)]
    Undecided(#[from] Undecided),
    /// The largest toll of a sum is too close to the bound.
    #[error("the largest toll of the weight sum {sum} lies within 2^-40 of 2, too near to decide")]
    Near {
        /// The sum of the weights.
        sum: u64,
    },
    /// The progress callback stopped the check.
    #[error("the sweep was stopped before its end")]
    Stopped,
}

/// Fails if the progress callback requests a stop.
///
/// # Errors
/// [`VerifyError::Stopped`], if it does.
pub fn check_progress(said: ControlFlow<()>) -> Result<(), VerifyError> {
    match said {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(VerifyError::Stopped),
    }
}

/// Returns at most `count` n, spread evenly over a range, each with its distance to the next.
pub(super) fn spread_places(
    range: RangeInclusive<u64>,
    count: u64,
) -> impl Iterator<Item = (u64, u64)> {
    let step = ((range.end() - range.start() + 1) / count.max(1)).max(1);
    let places = range.step_by(step as usize).take(count as usize);
    places.map(move |place| (place, step))
}

/// Formats a count with its noun: `1 round`, `2 rounds`.
pub(super) fn count_with_noun(count: u64, thing: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {thing}{plural}")
}
