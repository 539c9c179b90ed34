//! What every kind of check can do.

use super::case::Case;
use super::error::StudyError;
use flipcost_question::Query;

/// What was computed for a claim, in words, and whether the claim holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckResult {
    /// What was computed.
    pub computed: String,
    /// Does the claim hold?
    pub holds: bool,
    /// How it was decided, where that is more than what its kind says.
    pub standing: Option<&'static str>,
}

impl CheckResult {
    /// What was computed, and whether the claim holds.
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
    /// Does it speak of the n of `for`?
    fn of_n(&self) -> bool {
        false
    }

    /// A file that it reads, below the folder of the studies.
    fn file(&self) -> Option<&str> {
        None
    }

    /// The question of the program whose answer has what is computed, if it is one.
    fn question(&self, _: &Case) -> Option<Query> {
        None
    }

    /// How claims of the kind are decided, in words.
    fn standing(&self) -> &'static str;

    /// Decides it.
    ///
    /// # Errors
    /// If it cannot be decided, in a sentence that says what would be right. A claim that does not
    /// hold is no error.
    fn decide(&self, case: &Case) -> Result<CheckResult, StudyError>;
}

/// A question in JSON, if it is one.
pub fn question(json: serde_json::Value) -> Option<Query> {
    flipcost_all::from_json(&json.to_string()).ok()
}
