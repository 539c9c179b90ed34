//! `flipcost batch`: several targets in a row, and endless streams of one.

use super::args::{self, DigitsArg, OutputArgs, SourceArg, TracedRolls};
use super::{Failure, answer, flowchart};
use flipcost::table::Cell;
use flipcost_query::{Control, Foot, Head, Numbers, Query, QueryError, Sink, Targets};
use std::path::PathBuf;

/// What several targets in a row cost, with the state kept between them or not
#[derive(clap::Args)]
pub struct Batch {
    /// The targets, in order: the sides of fair dice, or weights such as 1:2:3, 3d6 or @FILE; a comma
    /// separates them, and a law with commas stands in brackets: '(binomial:n=20,p=1/3)'
    #[arg(value_name = "N", required = true, value_parser = args::wanted_list, allow_negative_numbers = true)]
    targets: Vec<Targets>,
    #[command(flatten)]
    source: SourceArg,
    /// Add the order of the targets that costs least with the state kept
    #[arg(long)]
    best_order: bool,
    /// Really roll the targets once, and show every step
    #[arg(short, long, conflicts_with_all = ["best_order", "repeat", "power", "chart", "digits", "format", "output"])]
    trace: bool,
    #[command(flatten)]
    rolls: TracedRolls,
    /// The long-run cost per result of an endless stream of one target
    #[arg(long, conflicts_with = "best_order")]
    repeat: bool,
    /// The eager variant: expand to at least C before every result (a list such as 1,64,4096 gives
    /// a row for each)
    #[arg(long, value_name = "C", value_parser = args::capacities, allow_negative_numbers = true)]
    capacity: Option<Numbers>,
    /// One roll of a die with N^J sides serves J results: its cost per result
    #[arg(long, value_name = "J", value_parser = args::positive, allow_negative_numbers = true, conflicts_with = "best_order")]
    power: Option<u64>,
    /// Draw the cost per result of an endless stream against the capacity, up to --capacity (the
    /// name ends in .svg or .png; -o with such a name does the same)
    #[arg(long, value_name = "FILE")]
    chart: Option<PathBuf>,
    #[command(flatten)]
    digits: DigitsArg,
    #[command(flatten)]
    output: OutputArgs,
}

impl Batch {
    fn batch(&self) -> flipcost_query::Batch {
        flipcost_query::Batch {
            targets: self.targets.iter().cloned().collect(),
            source: self.source.source,
            best_order: self.best_order,
            trace: self.trace,
            input: self.rolls.input.clone(),
            seed: self.rolls.seed,
            repeat: self.repeat,
            capacity: self.capacity.clone(),
            power: self.power,
            digits: self.digits.digits,
        }
    }

    pub fn query(&self) -> Result<Query, Failure> {
        Ok(self.batch().into())
    }

    pub fn run(mut self) -> Result<(), Failure> {
        let query = self.batch();
        if self.trace {
            return trace(query.into());
        }
        let chart = self.chart.take().or_else(|| self.output.take_picture());
        if let Some(path) = chart {
            let answer = answer::collect(query.curve()?)?;
            let chart = flipcost_pictures::stream(&answer)?;
            flowchart::write(&path, None, || chart.draw())?;
        }
        answer::write(query, &self.output)
    }
}

/// Writes the steps, also those of a run whose rolls run out.
fn trace(query: Query) -> Result<(), Failure> {
    let mut steps = Steps(Foot::default());
    let answered = query.run(&Control::default(), &mut steps);
    let text = steps.0.text.as_deref().unwrap_or_default();
    answer::write_text(None, text)?;
    answered?;
    answer::conclude(&steps.0)
}

/// Keeps the text of the steps.
struct Steps(Foot);

impl Sink for Steps {
    fn head(&mut self, _: &Head) -> Result<(), QueryError> {
        Ok(())
    }

    fn rows(&mut self, _: Vec<Vec<Cell>>) -> Result<(), QueryError> {
        Ok(())
    }

    fn foot(&mut self, foot: Foot) -> Result<(), QueryError> {
        self.0 = foot;
        Ok(())
    }
}
