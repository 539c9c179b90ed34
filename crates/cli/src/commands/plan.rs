//! `flipcost plan`: several dice at once.

use super::args::{self, OutputArgs, RowFormat};
use super::{Failure, answer};
use crate::rows::Output;
use flipcost_query::{Dice, Natural, Price, Query};

/// A die from a set of dice, as tables to follow by hand: the cheapest of all rules that keep one
/// number uniform below v, roll a die with it, and share out its values equally
#[derive(clap::Args)]
pub struct Plan {
    /// Sides of the target
    #[arg(value_name = "N", value_parser = args::natural, allow_negative_numbers = true)]
    n: Natural,
    /// The dice, as in 6,10; `polyhedral` is 4,6,8,10,12,20
    #[arg(long, value_name = "DICE", allow_negative_numbers = true)]
    dice: Dice,
    /// Never split what is left over between two dice: simpler tables, sometimes more rolls
    #[arg(long)]
    no_split: bool,
    /// What a roll of a die costs, as in 6=1,10=3/2 [default: 1 each]
    #[arg(
        long,
        value_name = "PRICES",
        value_delimiter = ',',
        allow_negative_numbers = true
    )]
    cost: Vec<Price>,
    #[command(flatten)]
    output: OutputArgs,
}

impl Plan {
    pub fn query(&self) -> Result<Query, Failure> {
        Ok(flipcost_query::Plan {
            target: self.n.clone(),
            dice: self.dice.clone(),
            no_split: self.no_split,
            cost: self.cost.clone(),
        }
        .into())
    }

    pub fn run(self) -> Result<(), Failure> {
        if self.output.format() != RowFormat::Table {
            return answer::write(self.query()?, &self.output);
        }
        let answer = answer::collect(self.query()?)?;
        let page = answer.foot.text.unwrap_or_default();
        let path = self.output.output.as_deref();
        Ok(Output::write_all(path, page.as_bytes())?)
    }
}
