//! The trait of every kind of check.

use super::case::Case;
use super::error::StudyError;
use flipcost_question::Query;

/// The computed value of a claim, in words, and whether the claim holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckResult {
    /// The computed value, in words.
    pub computed: String,
    /// Does the claim hold?
    pub holds: bool,
    /// How it was decided, if that differs from [`Decide::standing`] of its kind.
    pub standing: Option<&'static str>,
}

impl CheckResult {
    /// A result from the computed value and whether the claim holds.
    pub fn new(computed: impl Into<String>, holds: bool) -> CheckResult {
        CheckResult {
            computed: computed.into(),
            holds,
            standing: None,
        }
    }
}

/// A kind of check: a question that a claim asks, decided exactly, in integers and rationals or by
/// enclosures.
pub trait Decide: Sync {
    /// Whether the question contains the n of `for`.
    fn of_n(&self) -> bool {
        false
    }

    /// The file that the question reads, if any, below the folder of the studies.
    fn file(&self) -> Option<&str> {
        None
    }

    /// The question of the program whose answer contains the computed value, if there is one.
    fn question(&self, _: &Case) -> Option<Query> {
        None
    }

    /// How claims of this kind are decided, in words.
    fn standing(&self) -> &'static str;

    /// Decides the claim.
    ///
    /// # Errors
    /// If the claim cannot be decided; the sentence says what would be right. A claim that does not
    /// hold is not an error.
    fn decide(&self, case: &Case) -> Result<CheckResult, StudyError>;
}

/// Parses a question from JSON; `None` if it is not a question.
pub fn question(json: serde_json::Value) -> Option<Query> {
    flipcost_all::from_json(&json.to_string()).ok()
}
