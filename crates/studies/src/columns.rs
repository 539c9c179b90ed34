//! Columns of the engine's tables in a study: the one file here that speaks of [`Column`].

use super::error::{Mistake, StudyError, one_of};
use super::values::{Written, read_from_text, task};
use flipcost::algorithms::Algorithm;
use flipcost::table::columns;
use flipcost::table::{COLUMNS, Cell, Column, ColumnKind, Precision, Request, RowError};
use flipcost_number::BigUint;
use flipcost_number::Real;
use flipcost_number::chunks::{Pace, ordered};
use std::ops::RangeInclusive;

/// A column that holds numbers, by its name.
#[derive(Clone, Copy)]
pub struct ColumnName(&'static Column);

impl Written for ColumnName {
    const WHAT: &'static str = "the name of a column";

    fn read(name: &str) -> Result<Self, Mistake> {
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
            Some(_) => Err(one_of(
                format!("the column {name} holds no numbers to draw"),
                names(),
            )),
            None => Err(one_of(format!("\"{name}\" is not a column"), names())),
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

    /// The cells of some n in increasing order, of an algorithm or of the task; empty where the
    /// algorithm refuses.
    ///
    /// # Errors
    /// If the source is no die, a column of an algorithm is requested without an algorithm, or a
    /// rounding cannot be decided.
    pub fn cells(
        self,
        algorithm: Option<&'static dyn Algorithm>,
        source: u64,
        targets: &[u64],
    ) -> Result<Vec<Cell>, StudyError> {
        let from = match targets.first() {
            Some(first) => task(source, *first)?.source().clone(),
            None => return Ok(Vec::new()),
        };
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

    fn cells_of_the_task(self, source: u64, targets: &[u64]) -> Result<Vec<Cell>, StudyError> {
        let cell = |n: u64| match self.0 {
            column if column == columns::N => Ok(Cell::Integer(n.into())),
            column if column == columns::SOURCE => Ok(Cell::Integer(source.into())),
            column if column == columns::ENTROPY => {
                let entropy = Real::log(&BigUint::from(n), source);
                Ok(Precision::default().cell(&entropy)?)
            }
            column => {
                let name = column.name();
                let what = format!("the column {name} is one of an algorithm, and none is named");
                Err(Mistake::of("column", name, what).into())
            }
        };
        of_parts(targets, |part| part.iter().map(|n| cell(*n)).collect())
    }
}

/// Parts for all threads: of 64 at most, as the last n of a chart can take longer than all others together,
/// but for the long ranges of closed forms.
fn pace(targets: usize) -> Pace {
    Pace {
        chunk: (targets as u64 / 64).max(64),
        threads: 0,
    }
}

/// The cells of all parts, computed in parallel, in order.
fn of_parts<E: Send>(
    targets: &[u64],
    cells: impl Fn(&[u64]) -> Result<Vec<Cell>, E> + Sync,
) -> Result<Vec<Cell>, E> {
    let mut all = Vec::new();
    let Some(last) = targets.len().checked_sub(1) else {
        return Ok(all);
    };
    let work =
        |part: RangeInclusive<u64>| cells(&targets[*part.start() as usize..=*part.end() as usize]);
    ordered(0..=last as u64, pace(targets.len()), work, |part, _| {
        all.extend(part);
        Ok(())
    })?;
    Ok(all)
}

/// The cells of a request for one column of one algorithm.
fn cells(request: &Request, targets: &[u64]) -> Result<Vec<Cell>, RowError> {
    let tables = request.tables(targets.last().copied().unwrap_or(1));
    of_parts(targets, |part| {
        let mut cells = Vec::new();
        for run in part.chunk_by(|a, b| a + 1 == *b) {
            let rows = request.rows(run[0]..=run[run.len() - 1], &tables)?;
            cells.extend(rows.into_iter().flat_map(|row| row.cells));
        }
        Ok(cells)
    })
}

pub use flipcost_one_draw::pictures::curves::place as plotted;

#[cfg(test)]
mod tests {
    use super::*;
    use flipcost::algorithms::FAST_DICE_ROLLER;

    #[test]
    fn columns_of_the_task_need_no_algorithm_and_are_the_same_for_each() {
        for name in ["n", "source", "entropy"] {
            let column = ColumnName::read(name).unwrap();
            assert!(column.is_of_the_task());
            let targets: Vec<u64> = (1..=100).chain([107, 200, 201, 999]).collect();
            let alone = column.cells(None, 6, &targets).unwrap();
            let with = column.cells(Some(FAST_DICE_ROLLER), 6, &targets).unwrap();
            assert_eq!((alone.len(), &alone), (104, &with), "{name}");
        }
        let toll = ColumnName::read("toll").unwrap();
        assert!(!toll.is_of_the_task());
        let refused = toll.cells(None, 6, &[1, 2]).unwrap_err().to_string();
        assert!(refused.contains("none is named"), "{refused}");
        assert!(toll.cells(Some(FAST_DICE_ROLLER), 1, &[1, 2]).is_err());
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
