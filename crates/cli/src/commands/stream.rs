//! `flipcost stream`: the best policy of a store of S states.

use super::args::{self, DigitsArg, OutputArgs, RowFormat, SourceArg, TracedRolls};
use super::{Failure, answer};
use flipcost_query::{Query, StoreClass, TargetsInTurn};

/// What a store of S states costs at least for an endless stream of fair dice, and the policy that does
/// it, with its proof
///
/// The stream asks for one die again and again, or for several in turn, such as 4,13.
///
/// Between rolls and results the state is a number uniform on at most S values. The policy is proved to
/// be the best by a certificate in whole numbers up to 512 states, and enclosed up to 10,000, both
/// counted anew for each die in turn. The
/// class staged is a rule for coins that also holds a half-answered request: it works for every N and S.
#[derive(clap::Args)]
pub struct Stream {
    /// Sides of the die, or of the dice in the order in which they come: 6, or 4,13
    #[arg(value_name = "N", allow_negative_numbers = true)]
    target: TargetsInTurn,
    /// S, the values that the number in store may have at most
    #[arg(long, value_name = "S", value_parser = args::positive, allow_negative_numbers = true)]
    states: u64,
    #[command(flatten)]
    source: SourceArg,
    /// What a state may be: whole (a number, no request half answered) or staged
    #[arg(long, value_name = "CLASS", default_value = "whole")]
    class: StoreClass,
    #[command(flatten)]
    digits: DigitsArg,
    /// Really roll, and show every step
    #[arg(short, long, conflicts_with = "digits")]
    trace: bool,
    /// Results of --trace [default: 3]
    #[arg(long, value_name = "COUNT", requires = "trace", value_parser = args::positive, allow_negative_numbers = true)]
    results: Option<u64>,
    #[command(flatten)]
    rolls: TracedRolls,
    #[command(flatten)]
    output: OutputArgs,
}

impl Stream {
    pub fn query(&self) -> Result<Query, Failure> {
        Ok(flipcost_query::Stream {
            target: self.target.clone(),
            states: self.states,
            source: self.source.source,
            class: self.class,
            digits: self.digits.digits,
            trace: self.trace,
            results: self.results,
            input: self.rolls.input.clone(),
            seed: self.rolls.seed,
        }
        .into())
    }

    pub fn run(self) -> Result<(), Failure> {
        let page = self.output.format() == RowFormat::Table && self.output.output.is_none();
        if !page {
            return answer::write(self.query()?, &self.output);
        }
        let answer = answer::collect(self.query()?)?;
        let policy = answer.foot.text.clone().unwrap_or_default();
        if !self.output.is_reader() {
            answer::write_answer(&answer, &self.output)?;
            return answer::write_text(None, &policy);
        }
        answer::show_with(&answer, None, &policy)
    }
}
