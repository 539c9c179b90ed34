//! `flipcost law`: the law of a formula of dice.

use super::args::{DigitsArg, OutputArgs};
use super::{Failure, answer, flowchart};
use flipcost_query::{Letters, Query};

/// The law of a formula of dice: each value with its exact probability, and whether it is fair
#[derive(clap::Args)]
pub struct Law {
    /// The formula, as in "a + b": a is the first die, b the second; a letter may come twice, and / is
    /// whole division
    #[arg(value_name = "FORMULA", allow_hyphen_values = true)]
    formula: String,
    /// The dice of the letters a, b, c, ... in order, as in 6,6,6
    #[arg(long, value_name = "DICE", allow_negative_numbers = true)]
    dice: Letters,
    #[command(flatten)]
    digits: DigitsArg,
    #[command(flatten)]
    output: OutputArgs,
}

impl Law {
    pub fn query(&self) -> Result<Query, Failure> {
        Ok(Query::from(flipcost_query::Law {
            formula: self.formula.clone(),
            dice: self.dice.clone(),
            digits: self.digits.digits,
        }))
    }

    pub fn run(mut self) -> Result<(), Failure> {
        let Some(path) = self.output.take_picture() else {
            return answer::write(self.query()?, &self.output);
        };
        flowchart::check(&path, false)?;
        let answer = answer::collect(self.query()?)?;
        flowchart::write(&path, None, || flipcost_pictures::draw(&answer))?;
        answer::write_answer(&answer, &self.output)
    }
}
