//! What pictures of answers share: why there is none, and the cells of an answer by the names of their columns.

use crate::{Answer, Door, QueryError, Sentence, say};
use flipcost::table::{Cell, Integer};

/// Why an answer has no picture.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PictureError {
    /// The question has pictures of another kind, or none.
    #[error("{0}")]
    Kind(Sentence),
    /// It cannot be drawn as it stands.
    #[error("{0}")]
    Input(Sentence),
    /// What is drawn could not be computed.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// The drawing failed.
    #[error(transparent)]
    Figure(#[from] flipcost_figures::FigureError),
}

impl PictureError {
    /// The answer is of a question without this picture.
    pub fn kind(answer: &Answer) -> PictureError {
        PictureError::Kind(say!(answer.query.clone(), " has no such picture"))
    }

    /// Its sentence as it is said there.
    pub fn at(&self, door: Door) -> String {
        match self {
            PictureError::Kind(sentence) | PictureError::Input(sentence) => sentence.at(door),
            PictureError::Query(error) => error.at(door),
            PictureError::Figure(error) => error.to_string(),
        }
    }
}

/// The rows of an answer, each as the cells of these columns in this order.
pub fn rows<'a, const N: usize>(
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
pub fn word(cell: &Cell) -> Option<u64> {
    match cell {
        Cell::Integer(Integer::Word(word)) => Some(*word),
        _ => None,
    }
}

/// A double; NaN for any other cell.
pub fn double(cell: &Cell) -> f64 {
    match cell {
        Cell::Double(value) => *value,
        _ => f64::NAN,
    }
}
