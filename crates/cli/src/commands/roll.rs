//! `flipcost roll`: a sampler that really rolls.

use super::args::{self, SourceArg, TargetArg};
use super::{Failure, answer};
use crate::rows::Output;
use flipcost::table::Cell;
use flipcost_query::{AlgorithmId, Query};

/// Really roll: a fair number from 1 to N, or an outcome of weights, out of coin flips or other rolls
#[derive(clap::Args)]
pub struct Roll {
    #[command(flatten)]
    target: TargetArg,
    #[command(flatten)]
    source: SourceArg,
    /// The algorithm, by id (see `flipcost algorithms`, `flipcost libraries`) [default: fast-dice-roller, knuth-yao for
    /// weights]
    #[arg(short, long, value_name = "ID", value_parser = args::algorithm_id())]
    algorithm: Option<AlgorithmId>,
    /// How many results
    #[arg(short, long, value_name = "K", default_value = "1", value_parser = args::word, allow_negative_numbers = true)]
    count: u64,
    /// Repeatable rolls from this seed, instead of the operating system's randomness
    #[arg(long, value_name = "S", value_parser = args::word, allow_negative_numbers = true)]
    seed: Option<u64>,
    /// Show every step and the rolls used
    #[arg(short, long)]
    trace: bool,
    /// Your own physical rolls: HTHHT for a coin (H is face 1, T is 2), or faces such as 6,3,4,3
    #[arg(
        short,
        long,
        value_name = "ROLLS",
        conflicts_with = "seed",
        allow_hyphen_values = true
    )]
    input: Option<String>,
}

impl Roll {
    pub fn query(&self) -> Result<Query, Failure> {
        let target = self.target.get();
        Ok(Query::from(flipcost_query::Roll {
            algorithm: self.algorithm.unwrap_or(target.algorithm()),
            target,
            source: self.source.source,
            count: self.count,
            seed: self.seed,
            trace: self.trace,
            input: self.input.clone(),
        }))
    }

    pub fn run(self) -> Result<(), Failure> {
        let unit = self.source.source.0.unit();
        let mut output = Output::open(None)?;
        let answered = answer::stream(self.query()?, &mut output, |row, out| match row {
            [result, rolls, Cell::Text(trace)] => {
                (trace.lines()).try_for_each(|line| writeln!(out, "  {line}"))?;
                let s = rolls.to_string() == "1";
                let unit = if s { unit.singular() } else { unit.plural() };
                match result {
                    Cell::Empty => Ok(()), // its rolls ran out
                    result => writeln!(out, "{result}  ({rolls} {unit})"),
                }
            }
            [result, ..] => writeln!(out, "{result}"),
            [] => Ok(()),
        });
        if !matches!(answered, Err(Failure::Output(_))) {
            output.finish()?;
        }
        answer::remarks(&answered?.notes);
        Ok(())
    }
}
