//! The cheapest recipe by procedures A, B and C, and what it costs.
//!
//! ```toml
//! recipe = { dice = [6], n = 13, is = "33/13" }
//! ```

use crate::studies::case::Case;
use crate::studies::decide::{Decide, Found};
use crate::studies::error::StudyError;
use crate::studies::quantities::recipe::{recipe, words};
use crate::studies::values::Fraction;
use serde::Deserialize;

/// What the cheapest recipe costs.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecipeCost {
    dice: Vec<u64>,
    n: u64,
    is: Fraction,
}

impl Decide for RecipeCost {
    fn decide(&self, _: &Case) -> Result<Found, StudyError> {
        let found = recipe(&self.dice, self.n)?;
        let computed = format!("{}: {}", words(&found.root), found.cost);
        Ok(Found::new(computed, found.cost == self.is.0))
    }
}
