//! `flipcost recipe`: procedures A, B and C as steps for a person.

use super::args::{self, DiceList};
use super::{Failure, remark};
use crate::rows::Output;
use flipcost::algorithms;
use flipcost::number::BigUint;
use flipcost::number::real::Real;
use num_traits::ToPrimitive;

/// The factoring method as steps to follow: roll and reduce (A), re-roll (B), two dice as one (C)
#[derive(clap::Args)]
pub struct Recipe {
    /// Sides of the target
    #[arg(value_name = "N", value_parser = args::target, allow_negative_numbers = true)]
    n: BigUint,
    /// Sides of the source [default: 6]
    #[arg(short, long, value_name = "M", value_parser = args::source, allow_negative_numbers = true, conflicts_with = "dice")]
    source: Option<u64>,
    /// Several sources, as in 6,10; `polyhedral` is 4,6,8,10,12,20
    #[arg(long, value_name = "M", value_parser = args::bag, allow_negative_numbers = true)]
    dice: Option<DiceList>,
}

impl Recipe {
    pub fn run(self) -> Result<(), Failure> {
        let dice = match (self.source, self.dice) {
            (Some(source), _) => vec![source],
            (None, Some(dice)) => dice.0,
            (None, None) => {
                remark("the source is a d6: --source or --dice names others");
                vec![6]
            }
        };
        let n = self.n.to_u64().ok_or_else(|| {
            let n = super::cost::short(&self.n);
            Failure::Input(format!(
                "a recipe for n = {n} is not searched: n must be below 2^64"
            ))
        })?;
        let recipe = algorithms::recipe(&dice, n).map_err(Failure::input)?;
        let cost = Real::Exact(recipe.cost.clone());
        let double = cost.nearest_f64().map_err(Failure::input)?;
        let from: Vec<String> = dice.iter().map(|&m| die_name(m)).collect();
        let exact = match recipe.cost.is_integer() {
            true => double.to_string(),
            false => format!("{} = {double}", recipe.cost),
        };
        let unit = if dice == [2] { "flip" } else { "roll" };
        let text = format!(
            "A d{n} from {}: {exact} {unit}s on average.\n\
             No cheaper way by these procedures: dice of up to X = {} sides were searched, and larger ones cannot help.\n\n\
             {recipe}",
            from.join(" and "),
            recipe.largest
        );
        Ok(Output::write_all(None, text.as_bytes())?)
    }
}

/// A die as a person calls it.
pub fn die_name(sides: u64) -> String {
    match sides {
        2 => "a coin".to_string(),
        _ => format!("a d{sides}"),
    }
}
