//! `flipcost figure`: one chart from the command line.

use super::args::{self, SourceArg};
use super::{Failure, flowchart};
use crate::studies::columns::column_chart;
use clap::ValueEnum;
use flipcost::algorithms::Algorithm;
use flipcost::table::{Column, Precision, Request};
use flipcost_figures::Scale;
use std::path::PathBuf;

/// Draw one column of every target in a range, a curve for each algorithm
#[derive(clap::Args)]
pub struct Figure {
    /// The column
    #[arg(value_name = "COLUMN", default_value = "expected", value_parser = super::sweep::column())]
    column: Column,
    /// The first target
    #[arg(long, value_name = "A", default_value = "1", value_parser = args::positive, allow_negative_numbers = true)]
    from: u64,
    /// The last target
    #[arg(long, value_name = "B", default_value = "100", value_parser = args::positive, allow_negative_numbers = true)]
    to: u64,
    #[command(flatten)]
    source: SourceArg,
    /// Only these algorithms, by id
    #[arg(short, long, value_name = "ID", value_delimiter = ',', value_parser = args::algorithm())]
    algorithm: Vec<&'static dyn Algorithm>,
    /// The scale of the axis of n
    #[arg(long, default_value = "linear")]
    scale: ScaleArg,
    /// The picture: its name ends in .svg or .png
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

#[derive(Clone, Copy, ValueEnum)]
enum ScaleArg {
    /// In proportion
    Linear,
    /// By the logarithm
    Log2,
}

impl Figure {
    pub fn run(self) -> Result<(), Failure> {
        let (from, to) = (self.from, self.to);
        if from > to {
            return Err(Failure::Input(format!(
                "--from {from} --to {to} is reversed: the first target must not be above the last"
            )));
        }
        if to - from > 1_000_000 {
            return Err(Failure::Input(format!(
                "a chart of {} targets holds too many points: 1000000 is the most",
                to - from + 1
            )));
        }
        if matches!(
            self.column,
            Column::Algorithm | Column::ExpectedExact | Column::VarianceExact
        ) {
            let name = self.column.name();
            return Err(Failure::Input(format!(
                "the column {name} holds no numbers to draw: choose one such as expected or toll"
            )));
        }
        let request = Request {
            methods: args::methods(&self.algorithm),
            source: self.source.source,
            columns: vec![self.column],
            precision: Precision::default(),
        };
        let scale = match self.scale {
            ScaleArg::Linear => Scale::Linear,
            ScaleArg::Log2 => Scale::Log2,
        };
        let unit = if self.source.source == 2 {
            "flip"
        } else {
            "roll"
        };
        flowchart::write(&self.output, None, || {
            column_chart(&request, from..=to, self.column, scale, unit)
        })
    }
}
