//! `flipcost recipe`: procedures A, B and C as steps for a person.

use super::args;
use super::{Failure, answer};
use flipcost_query::{Dice, DiceError, Natural, Query};

/// The factoring method as steps to follow: roll and reduce (A), re-roll (B), two dice as one (C)
#[derive(clap::Args)]
pub struct Recipe {
    /// Sides of the target
    #[arg(value_name = "N", value_parser = args::natural, allow_negative_numbers = true)]
    n: Natural,
    /// Sides of the source [default: 6]
    #[arg(
        short,
        long,
        value_name = "M",
        allow_negative_numbers = true,
        value_parser = one_die,
        conflicts_with = "dice"
    )]
    source: Option<Dice>,
    /// Several sources, as in 6,10 or coin,d6; `polyhedral` is 4,6,8,10,12,20
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    dice: Option<Dice>,
}

/// One die of 2 to 2^32 sides.
fn one_die(text: &str) -> Result<Dice, String> {
    let dice: Dice = text.parse().map_err(|wrong: DiceError| wrong.to_string())?;
    match dice.get() {
        [_] => Ok(dice),
        _ => Err("one source was expected, as in 6: --dice takes several".to_string()),
    }
}

impl Recipe {
    pub fn query(&self) -> Result<Query, Failure> {
        let (n, dice) = (self.n.clone(), self.dice.clone());
        let dice = dice.or(self.source.clone());
        Ok(flipcost_query::Recipe { target: n, dice }.into())
    }

    pub fn run(self) -> Result<(), Failure> {
        let answer = answer::collect(self.query()?)?;
        let text = answer.foot.text.as_deref().unwrap_or_default();
        answer::write_text(None, text)?;
        answer::conclude(&answer.foot)
    }
}
