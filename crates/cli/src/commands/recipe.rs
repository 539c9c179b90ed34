//! `flipcost recipe`: procedures A, B and C as steps for a person.

use super::args;
use super::{Failure, answer};
use flipcost_query::{Dice, Natural, Query, Sides};

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
        conflicts_with = "dice"
    )]
    source: Option<Sides>,
    /// Several sources, as in 6,10 or coin,d6; `polyhedral` is 4,6,8,10,12,20
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    dice: Option<Dice>,
}

impl Recipe {
    pub fn query(&self) -> Result<Query, Failure> {
        let (n, dice) = (self.n.clone(), self.dice.clone());
        let dice = dice.or(self.source.map(Dice::from));
        Ok(flipcost_query::Recipe { target: n, dice }.into())
    }

    pub fn run(self) -> Result<(), Failure> {
        let answer = answer::collect(self.query()?)?;
        let text = answer.foot.text.as_deref().unwrap_or_default();
        answer::write_text(None, text)?;
        answer::conclude(&answer.foot)
    }
}
