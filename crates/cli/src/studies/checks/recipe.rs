//! The check `recipe`: see [`RecipeCost`].

use crate::studies::case::Case;
use crate::studies::decide::{Decide, Found};
use crate::studies::error::StudyError;
use crate::studies::quantities::recipe::{asked, recipe, words};
use crate::studies::values::Fraction;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

/// The cheapest recipe by procedures A, B and C, and what it costs.
///
/// ```toml
/// recipe = { dice = [6], n = 13, is = "33/13" }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecipeCost {
    /// The sides of the dice that can be rolled.
    dice: Vec<u64>,
    n: u64,
    is: Fraction,
}

impl Decide for RecipeCost {
    fn question(&self) -> Option<Value> {
        Some(asked(&self.dice, &self.n.to_string()))
    }

    fn decide(&self, _: &Case) -> Result<Found, StudyError> {
        let found = recipe(&self.dice, self.n)?;
        let computed = format!("{}: {}", words(&found.root), found.cost);
        Ok(Found::new(computed, found.cost == self.is.0))
    }
}
