//! The check `theorem`: see [`Theorem`].

use crate::case::Case;
use crate::decide::{CheckResult, Decide, question};
use crate::error::{Mistake, StudyError};
use crate::limits::{MAX_TARGETS, check_at_most};
use crate::values::texts;
use flipcost_question::Query;
use flipcost_toll::verify::verify;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::ops::ControlFlow;

/// A theorem of `flipcost verify`, checked by computing every n up to a limit.
///
/// ```toml
/// theorem = { claim = "ceil-plus-one", to = 1000000 }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Theorem {
    /// The name of the theorem.
    claim: ClaimName,
    /// The last n to check.
    to: u64,
}

texts! {
    /// The name of a theorem.
    ClaimName(flipcost_all::ClaimName): "the name of a theorem", str::parse, flipcost_all::ClaimName::all_names();
}

impl Decide for Theorem {
    fn question(&self, _: &Case) -> Option<Query> {
        question(json!({ "ask": "verify", "claim": self.claim.0.0.id, "to": self.to }))
    }

    fn standing(&self) -> &'static str {
        self.claim.0.0.standing
    }

    fn decide(&self, _: &Case) -> Result<CheckResult, StudyError> {
        check_at_most("to", self.to, "values of n", MAX_TARGETS)?;
        let outcome = verify(self.claim.0.0, self.to, 0, |_| ControlFlow::Continue(()));
        let outcome = outcome.map_err(|error| Mistake::in_field("to", self.to, error))?;
        let checked = format!("it holds for {} n up to {}", outcome.checked, self.to);
        Ok(match (outcome.counterexample, outcome.extreme) {
            (Some(wrong), _) => CheckResult::new(wrong, false),
            (None, Some(extreme)) => CheckResult::new(format!("{checked}; {extreme}"), true),
            (None, None) => CheckResult::new(checked, true),
        })
    }
}
