//! Columns of the engine's tables in a study: the one file here that speaks of [`Column`].

use super::error::{StudyError, WrongValue};
use super::values::{Written, read_from_text, task};
use flipcost::algorithms::Algorithm;
use flipcost::number::BigUint;
use flipcost::number::Real;
use flipcost::table::{COLUMNS, Cell, Column, ColumnKind, Precision, Request, Row, RowError};
use flipcost::unstable::sweep::{Pace, ordered};
use flipcost::unstable::table::columns;
use std::ops::RangeInclusive;

/// A column that holds numbers, by its name.
#[derive(Clone, Copy)]
pub struct ColumnName(&'static Column);

impl Written for ColumnName {
    const WHAT: &'static str = "the name of a column";

    fn read(name: &str) -> Result<Self, WrongValue> {
        let drawn = |column: &&'static Column| {
            matches!(column.kind(), ColumnKind::Count | ColumnKind::Decimal)
        };
        let names = || {
            let all = COLUMNS.iter().copied().filter(drawn);
            all.map(|column| column.name())
                .collect::<Vec<_>>()
                .join(", ")
        };
        match Column::find(name) {
            Some(column) if drawn(&column) => Ok(ColumnName(column)),
            Some(_) => Err(format!(
                "the column {name} holds no numbers to draw: choose one of {}",
                names()
            )
            .into()),
            None => Err(format!("\"{name}\" is not a column: choose one of {}", names()).into()),
        }
    }
}

read_from_text!(ColumnName);

impl ColumnName {
    /// Its name, as in headers.
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// Is it a column of the task alone, the same for every algorithm?
    pub fn is_of_the_task(self) -> bool {
        self.0.is_of_task()
    }

    /// The cells of a range of n, of an algorithm or of the task; empty where the algorithm
    /// refuses.
    ///
    /// # Errors
    /// If the source is no die, a column of an algorithm is requested without an algorithm, or a
    /// rounding cannot be decided.
    pub fn cells(
        self,
        algorithm: Option<&'static dyn Algorithm>,
        source: u64,
        targets: RangeInclusive<u64>,
    ) -> Result<Vec<Cell>, StudyError> {
        let from = task(source, *targets.start())?.source();
        match algorithm {
            Some(algorithm) => Ok(cells(
                &Request {
                    algorithms: vec![algorithm],
                    source: from,
                    columns: vec![self.0],
                    precision: Precision::default(),
                },
                targets,
            )?),
            None => self.cells_of_the_task(source, targets),
        }
    }

    fn cells_of_the_task(
        self,
        source: u64,
        targets: RangeInclusive<u64>,
    ) -> Result<Vec<Cell>, StudyError> {
        let cell = |n: u64| match self.0 {
            column if column == columns::N => Ok(Cell::Integer(n.into())),
            column if column == columns::SOURCE => Ok(Cell::Integer(source.into())),
            column if column == columns::ENTROPY => {
                let entropy = Real::log(&BigUint::from(n), source);
                Ok(Precision::default().cell(&entropy)?)
            }
            column => Err(StudyError::Input(format!(
                "the column {} is one of an algorithm, and none is named",
                column.name()
            ))),
        };
        let mut cells = Vec::new();
        let work = |part: RangeInclusive<u64>| part.map(cell).collect::<Result<Vec<_>, _>>();
        ordered(targets, PACE, work, |part, _| {
            cells.extend(part);
            Ok::<(), StudyError>(())
        })?;
        Ok(cells)
    }
}

/// Small parts: the last n of a chart can take longer than all others together.
const PACE: Pace = Pace {
    chunk: 64,
    threads: 0,
};

/// The cells of a request for one column of one algorithm.
fn cells(request: &Request, targets: RangeInclusive<u64>) -> Result<Vec<Cell>, RowError> {
    let mut cells = Vec::new();
    let tables = request.tables(*targets.end());
    let collect = |part: Vec<Row>, _| {
        cells.extend(part.into_iter().flat_map(|row| row.cells));
        Ok::<(), RowError>(())
    };
    ordered(targets, PACE, |part| request.rows(part, &tables), collect)?;
    Ok(cells)
}

pub use flipcost_pictures::curves::place as plotted;

#[cfg(test)]
mod tests {
    use super::*;
    use flipcost::algorithms::FAST_DICE_ROLLER;

    #[test]
    fn columns_of_the_task_need_no_algorithm_and_are_the_same_for_each() {
        for name in ["n", "source", "entropy"] {
            let column = ColumnName::read(name).unwrap();
            assert!(column.is_of_the_task());
            let alone = column.cells(None, 6, 1..=100).unwrap();
            let with = column.cells(Some(FAST_DICE_ROLLER), 6, 1..=100).unwrap();
            assert_eq!(alone, with, "{name}");
        }
        let toll = ColumnName::read("toll").unwrap();
        assert!(!toll.is_of_the_task());
        let refused = toll.cells(None, 6, 1..=100).unwrap_err().to_string();
        assert!(refused.contains("none is named"), "{refused}");
        assert!(toll.cells(Some(FAST_DICE_ROLLER), 1, 1..=9).is_err());
    }

    #[test]
    fn columns_of_texts_are_not_drawn() {
        for name in ["algorithm", "expected_exact", "colour"] {
            let refused = ColumnName::read(name).err().unwrap().to_string();
            assert!(
                refused
                    .to_string()
                    .contains("choose one of n, weight_sum, source, expected,"),
                "{refused}"
            );
        }
    }
}
