//! `flipcost cost`: what one target costs, the algorithms side by side.

use super::args::{self, OutputArgs, PrecisionArgs, RowFormat, SourceArg};
use super::{Failure, remark};
use crate::algorithms::Dice;
pub use crate::algorithms::short;
use crate::number::BigUint;
use crate::table::columns::{Costs, size_in_words};
use crate::table::{Column, Request};

/// What a fair die with N sides costs, the algorithms side by side, best first
#[derive(clap::Args)]
pub struct Cost {
    /// Sides of the target
    #[arg(value_name = "N", value_parser = args::target, allow_negative_numbers = true)]
    n: BigUint,
    #[command(flatten)]
    source: SourceArg,
    /// Only these algorithms, by id (see `flipcost algorithms`)
    #[arg(short, long, value_name = "ID", value_delimiter = ',', value_parser = args::algorithm())]
    algorithm: Vec<&'static str>,
    #[command(flatten)]
    precision: PrecisionArgs,
    /// Only these columns
    #[arg(short, long, value_name = "NAMES", value_delimiter = ',', value_parser = super::sweep::column())]
    columns: Vec<Column>,
    #[command(flatten)]
    output: OutputArgs,
}

/// What a reader at a terminal wants to see.
const SHOWN: [Column; 7] = [
    Column::Algorithm,
    Column::ExpectedExact,
    Column::Expected,
    Column::Entropy,
    Column::Toll,
    Column::Efficiency,
    Column::WorstCase,
];

impl Cost {
    pub fn run(self) -> Result<(), Failure> {
        let twice = (1..self.columns.len()).find(|&i| self.columns[..i].contains(&self.columns[i]));
        if let Some(twice) = twice {
            return Err(Failure::Input(format!(
                "--columns names {} twice: once is enough",
                self.columns[twice].name()
            )));
        }
        let table = self.output.format() == RowFormat::Table;
        let columns = match (self.columns.is_empty(), table) {
            (false, _) => self.columns.clone(),
            (true, true) => SHOWN.to_vec(),
            (true, false) => Column::ALL.to_vec(),
        };
        let methods = args::methods(&self.algorithm);
        let request = Request {
            methods: methods.clone(),
            source: self.source.source,
            columns,
            precision: self.precision.precision(),
        };
        let dice = Dice::new(self.source.source, self.n.clone()).map_err(Failure::input)?;
        let mut rows = Vec::new();
        for method in methods {
            let row = Costs::new(method, &dice)
                .and_then(|costs| Ok((costs.mean, request.row(method, &self.n)?)));
            match row {
                Ok((mean, row)) => rows.push((method, mean, row)),
                Err(error) if self.algorithm.len() != 1 => {
                    if table || !self.algorithm.is_empty() {
                        remark(&format!("{}: {error}", method.about().id));
                    }
                }
                Err(error) => return Err(Failure::input(error)),
            }
        }
        // Best first; equal means keep the order of the registry.
        rows.sort_by(|(_, a, _), (_, b, _)| a.compare(b).unwrap_or(std::cmp::Ordering::Equal));
        for (method, _, row) in &rows {
            if let Some(size) = row.left_out {
                let of = format!("{} for n = {}", method.about().id, short(&self.n));
                args::say_left_out(1, Some((of, size_in_words(size))));
            }
        }
        let headers: Vec<&str> = request.columns.iter().map(|column| column.name()).collect();
        let cells: Vec<_> = rows.into_iter().map(|(_, _, row)| row.cells).collect();
        self.output.write(&headers, &cells)
    }
}
