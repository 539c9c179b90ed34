//! The quantity `recipe`: see [`Recipe`].

use crate::studies::asked::number;
use crate::studies::case::Case;
use crate::studies::error::{Mistake, StudyError};
use crate::studies::measure::Measure;
use crate::studies::of_n::OfN;
use flipcost::number::BigUint;
use flipcost::number::Real;
use flipcost::unstable::algorithms::{Part, Procedure};
use flipcost::unstable::number::short;
use num_traits::ToPrimitive;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use serde_json::json;

/// The expected rolls of the cheapest recipe by procedures
/// A, B and C; and a recipe in words.
///
/// ```toml
/// recipe = { dice = [6], n = 13 }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// The sides of the dice that can be rolled.
    dice: Vec<u64>,
    n: OfN<BigUint>,
}

impl Measure for Recipe {
    fn of_n(&self) -> bool {
        self.n.of_n()
    }

    fn question(&self) -> Option<Value> {
        Some(asked(&self.dice, &number(&self.n)?))
    }

    fn value(&self, case: &Case) -> Result<Real, StudyError> {
        let n = self.n.at(case.n)?;
        let n = n.to_u64().ok_or_else(|| {
            let what = "the target of a recipe must be below 2^64";
            Mistake::of("n", short(&n), what)
        })?;
        Ok(Real::Exact(recipe(&self.dice, n)?.cost))
    }
}

/// The cheapest recipe.
///
/// # Errors
/// If the search would go too far, or there is no recipe.
pub fn recipe(
    dice: &[u64],
    n: u64,
) -> Result<flipcost::unstable::algorithms::FactoringRecipe, StudyError> {
    Ok(flipcost::unstable::algorithms::recipe(dice, n)?)
}

/// The question how a die is made by the procedures.
pub fn asked(dice: &[u64], n: &str) -> Value {
    let dice: Vec<String> = dice.iter().map(u64::to_string).collect();
    json!({ "ask": "recipe", "target": n, "dice": dice.join(",") })
}

/// A recipe in a line: `d6 mod 2 x d6`, `(d6 x d6) up to 35`.
pub fn words(part: &Part) -> String {
    let inner = |part: &Part| match part.procedure {
        Procedure::Product(..) | Procedure::Reduce(_) | Procedure::Retry(_) => {
            format!("({})", words(part))
        }
        _ => words(part),
    };
    match &part.procedure {
        Procedure::Nothing => "nothing".to_string(),
        Procedure::Roll(die) if *die == part.sides => format!("d{die}"),
        Procedure::Roll(die) => format!("d{die} mod {}", part.sides),
        Procedure::Reduce(from) => format!("{} mod {}", inner(from), part.sides),
        Procedure::Retry(from) => format!("{} up to {}", inner(from), part.sides),
        Procedure::Product(first, second) => format!("{} x {}", inner(first), inner(second)),
    }
}
