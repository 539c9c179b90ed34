//! `flipcost cost`: what one target costs, the algorithms side by side.

use super::args::{self, OutputArgs, PrecisionArgs, RowFormat, SourceArg};
use super::{Failure, remark};
use flipcost::algorithms::Algorithm;
pub use flipcost::algorithms::short;
use flipcost::kernels::rounds::cycle_rounds_alone;
use flipcost::number::BigUint;
use flipcost::table::columns::{Costs, size_in_words};
use flipcost::table::{Cell, Column, Request, Row};
use flipcost::task::Task;
use num_traits::ToPrimitive;

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
    algorithm: Vec<&'static dyn Algorithm>,
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
        args::each_once(&self.columns)?;
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
        let dice = Task::dice(self.source.source, self.n.clone()).map_err(Failure::input)?;
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
        self.say_uncounted(
            &request,
            &dice,
            rows.iter().map(|(method, _, row)| (*method, row)),
        );
        let headers: Vec<&str> = request.columns.iter().map(|column| column.name()).collect();
        let cells: Vec<_> = rows.into_iter().map(|(_, _, row)| row.cells).collect();
        self.output.write(&headers, &cells)
    }
    /// Says how long the rounds of a cycle would take to count, where they were left out.
    fn say_uncounted<'a>(
        &self,
        request: &Request,
        dice: &Task,
        rows: impl Iterator<Item = (&'a dyn Algorithm, &'a Row)>,
    ) {
        let at = (request.columns.iter()).position(|column| *column == Column::CycleRounds);
        let (Some(at), Some(n), 2) = (at, self.n.to_u64(), request.source) else {
            return;
        };
        let has_cycle = |method: &dyn Algorithm| {
            let bound = method.prepare(dice).ok();
            bound.is_some_and(|bound| bound.cycle(0).is_some())
        };
        let mut empty = rows.filter(|(_, row)| row.cells[at] == Cell::Empty);
        if empty.any(|(method, _)| has_cycle(method))
            && let Err(stepping) = cycle_rounds_alone(n, 0)
        {
            remark(&format!("cycle_rounds is left out: {stepping}"));
        }
    }
}
