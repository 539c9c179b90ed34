//! The claims that `verify` checks, by name.

use flipcost_question::description::{
    FieldValue, ValueAbout, plain_choices, plain_text, to_sentence,
};
use flipcost_question::{Names, Sentence, did_you_mean};
use flipcost_toll::claims;
use flipcost_toll::verify::{self, Claim};
use serde_json::Value as Json;
use std::str::FromStr;

/// Returns all claims, in the order of the program's help.
pub fn claims() -> impl Iterator<Item = Claim> {
    verify::CLAIMS.iter().chain(claims::CLAIMS).copied()
}

/// Returns the names of all claims.
fn claim_ids() -> Vec<&'static str> {
    claims().map(|claim| claim.id).collect()
}

/// A claim, parsed from its name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClaimName(pub Claim);

impl ClaimName {
    /// Returns the names of all claims in one text.
    pub fn all_names() -> String {
        claim_ids().join(", ")
    }
}

/// The error for a name that is not the name of a claim.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is not a claim: {right}", right = did_you_mean(.0, &claim_ids()))]
pub struct UnknownClaim(String);

impl FromStr for ClaimName {
    type Err = UnknownClaim;

    fn from_str(text: &str) -> Result<ClaimName, UnknownClaim> {
        let found = claims().find(|claim| claim.id == text);
        let unknown = || UnknownClaim(text.chars().take(60).collect());
        found.map(ClaimName).ok_or_else(unknown)
    }
}

impl FieldValue for ClaimName {
    const ABOUT: ValueAbout = ValueAbout::one_of(|| plain_choices(claim_ids()));

    fn of_json(json: &Json, _: Names) -> Result<ClaimName, Sentence> {
        plain_text(json)?.parse().map_err(to_sentence)
    }

    fn json(&self) -> Option<Json> {
        Some(self.0.id.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_claims_are_parsed_again() {
        for claim in claims() {
            assert_eq!(claim.id.parse(), Ok(ClaimName(claim)));
            let error = "goldbach".parse::<ClaimName>().unwrap_err().to_string();
            assert!(error.contains("goldbach") && error.contains(claim.id));
        }
    }
}
