//! The trait that every kind of check implements.

use super::case::Case;
use super::error::StudyError;
use flipcost_question::Query;

/// The computed value of a claim, in words, and whether the claim holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckResult {
    /// The computed value, in words.
    pub computed: String,
    /// Whether the claim holds.
    pub holds: bool,
    /// How this claim was decided, if this differs from what [`Decide::standing`] says of its kind.
    pub standing: Option<&'static str>,
}

impl CheckResult {
    /// Creates a result. `holds` says whether the claim holds.
    pub fn new(computed: impl Into<String>, holds: bool) -> CheckResult {
        CheckResult {
            computed: computed.into(),
            holds,
            standing: None,
        }
    }
}

/// A kind of check: a question asked by a claim, which is decided exactly by integers and
/// rationals, or rigorously by enclosures.
pub trait Decide: Sync {
    /// Returns whether the question contains the n of `for`.
    fn contains_n(&self) -> bool {
        false
    }

    /// Returns the path of the file that the question reads, if any, below the folder of the
    /// studies.
    fn file(&self) -> Option<&str> {
        None
    }

    /// Returns the question whose answer contains the computed value, if there is one.
    fn question(&self, _: &Case) -> Option<Query> {
        None
    }

    /// Returns how claims of this kind are decided, in words.
    fn standing(&self) -> &'static str;

    /// Decides the claim.
    ///
    /// # Errors
    /// If the claim cannot be decided. The error says what to change. A claim that does not hold is
    /// not an error.
    fn decide(&self, case: &Case) -> Result<CheckResult, StudyError>;
}

/// Parses a question from JSON; returns `None` if the JSON is not a question.
pub fn question(json: serde_json::Value) -> Option<Query> {
    flipcost_all::from_json(&json.to_string()).ok()
}
