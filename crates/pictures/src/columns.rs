//! The cells of an answer by the names of their columns.

use crate::PictureError;
use flipcost::table::{Cell, Integer};
use flipcost_query::{Answer, say};

/// The rows of an answer, each as the cells of these columns in this order.
pub(crate) fn rows<'a, const N: usize>(
    answer: &'a Answer,
    names: [&str; N],
) -> Result<Vec<[&'a Cell; N]>, PictureError> {
    let mut at = [0; N];
    for (place, name) in at.iter_mut().zip(names) {
        let mut columns = answer.head.columns.iter();
        *place = columns
            .position(|column| column.name == name)
            .ok_or_else(|| PictureError::Input(say!("the answer has no column {name}")))?;
    }
    let row = |row: &'a Vec<Cell>| at.map(|i| row.get(i).unwrap_or(&Cell::Empty));
    Ok(answer.rows.iter().map(row).collect())
}

/// A count of machine words; `None` for any other cell.
pub(crate) fn word(cell: &Cell) -> Option<u64> {
    match cell {
        Cell::Integer(Integer::Word(word)) => Some(*word),
        _ => None,
    }
}

/// A double; NaN for any other cell.
pub(crate) fn double(cell: &Cell) -> f64 {
    match cell {
        Cell::Double(value) => *value,
        _ => f64::NAN,
    }
}
