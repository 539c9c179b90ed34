//! Stores rows column by column, where each column is a buffer of 8-byte words. Rows are sent to
//! other processes in the same form. A cell takes 8 or 9 bytes in this form, and about a hundred
//! bytes as an object.
//!
//! The words of a column are either all doubles or all integers. Any other cell (a text that is
//! often repeated, a fraction, an empty cell) is stored in a side list, and its word is its index
//! in that list.

use crate::cell::StoredCell;
use flipcost::table::{Cell, Integer};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::HashMap;
use std::ops::Range;

/// Rows, stored column by column. Two buffers are equal if they have the same cells, even if they
/// were built in a different order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Buffers {
    rows: usize,
    columns: Vec<Buffer>,
}

/// One column.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Buffer {
    /// `true` if the words are doubles, `false` if they are integers; `None` while the column has
    /// no number.
    doubles: Option<bool>,
    /// The side list: the cells that are not words. A repeated text is stored only once.
    #[serde(serialize_with = "write_cells", deserialize_with = "read_cells")]
    beside: Vec<Cell>,
    /// Which words are indices into the side list; empty if no word is.
    #[serde(skip)]
    is_in_side_list: Vec<bool>,
    #[serde(skip)]
    words: Vec<u64>,
    #[serde(skip)]
    texts: HashMap<String, u64>,
    #[serde(skip)]
    others: [Option<u64>; 5],
}

fn write_cells<S: Serializer>(cells: &[Cell], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(cells.iter().map(|cell| StoredCell(cell.clone())))
}

fn read_cells<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Cell>, D::Error> {
    let cells = Vec::<StoredCell>::deserialize(from)?;
    Ok(cells.into_iter().map(|StoredCell(cell)| cell).collect())
}

impl Buffer {
    /// The number of rows.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The words of the column (for doubles, their bits), with `None` for each cell in the side
    /// list.
    pub fn words(&self) -> impl ExactSizeIterator<Item = Option<u64>> {
        let is_in_side_list = |row| self.is_in_side_list.get(row) == Some(&true);
        let words = self.words.iter().enumerate();
        words.map(move |(row, word)| (!is_in_side_list(row)).then_some(*word))
    }

    /// `true` if the numbers are doubles, `false` if they are integers; `None` if there are no
    /// numbers.
    pub fn doubles(&self) -> Option<bool> {
        self.doubles
    }

    /// The cells in the side list.
    pub fn beside(&self) -> &[Cell] {
        &self.beside
    }

    /// The indices into the side list, for a column whose cells are all in the side list.
    pub fn codes(&self) -> &[u64] {
        &self.words
    }

    /// Returns the cell of a row; `None` after the last row.
    pub fn cell(&self, row: usize) -> Option<Cell> {
        let word = *self.words.get(row)?;
        Some(if self.is_in_side_list.get(row) == Some(&true) {
            self.beside[word as usize].clone()
        } else if self.doubles == Some(true) {
            Cell::Double(f64::from_bits(word))
        } else {
            Cell::Integer(word.into())
        })
    }

    /// Adds a cell, and returns the approximate number of bytes that it takes.
    pub fn push(&mut self, cell: Cell) -> u64 {
        let (doubles, word) = match &cell {
            Cell::Double(value) => (true, value.to_bits()),
            Cell::Integer(Integer::Word(word)) => (false, *word),
            _ => return self.push_side_cell(cell),
        };
        if *self.doubles.get_or_insert(doubles) != doubles {
            return self.push_side_cell(cell);
        }
        self.words.push(word);
        if self.is_in_side_list.is_empty() {
            8
        } else {
            self.is_in_side_list.push(false);
            9
        }
    }

    fn push_side_cell(&mut self, cell: Cell) -> u64 {
        let before = self.beside.len();
        let bytes = cell_size(&cell);
        let number = self.side_index(cell);
        self.push_word(number);
        if self.beside.len() > before {
            9 + bytes
        } else {
            9
        }
    }

    fn push_word(&mut self, number: u64) {
        self.is_in_side_list.resize(self.words.len(), false);
        self.is_in_side_list.push(true);
        self.words.push(number);
    }

    /// Returns the index of a cell in the side list, and adds the cell if it is not there yet.
    fn side_index(&mut self, cell: Cell) -> u64 {
        let next = self.beside.len() as u64;
        let known = match &cell {
            Cell::Text(text) => match self.texts.get(text) {
                Some(number) => *number,
                None => *self.texts.entry(text.clone()).or_insert(next),
            },
            Cell::Empty => *self.others[0].get_or_insert(next),
            Cell::Undefined => *self.others[1].get_or_insert(next),
            Cell::Infinite => *self.others[2].get_or_insert(next),
            Cell::Flag(value) => *self.others[3 + usize::from(*value)].get_or_insert(next),
            _ => next,
        };
        if known == next {
            self.beside.push(cell);
        }
        known
    }

    /// Appends the cells of later rows.
    fn append(&mut self, later: &Buffer) {
        if let (Some(one), Some(other)) = (self.doubles, later.doubles)
            && one != other
        {
            let cells = (0..later.len()).filter_map(|row| later.cell(row));
            return cells.for_each(|cell| {
                self.push(cell);
            });
        }
        self.doubles = self.doubles.or(later.doubles);
        let before = self.words.len();
        self.words.extend_from_slice(&later.words);
        if later.is_in_side_list.is_empty() {
            if !self.is_in_side_list.is_empty() {
                self.is_in_side_list.resize(self.words.len(), false);
            }
            return;
        }
        let beside = later.beside.iter().cloned();
        let numbers: Vec<u64> = beside.map(|cell| self.side_index(cell)).collect();
        self.is_in_side_list.resize(before, false);
        self.is_in_side_list
            .extend_from_slice(&later.is_in_side_list);
        for (word, is) in self.words[before..].iter_mut().zip(&later.is_in_side_list) {
            if *is {
                *word = numbers[*word as usize];
            }
        }
    }
}

impl Extend<Vec<Cell>> for Buffers {
    fn extend<T: IntoIterator<Item = Vec<Cell>>>(&mut self, rows: T) {
        for row in rows {
            self.push(row);
        }
    }
}

impl FromIterator<Vec<Cell>> for Buffers {
    fn from_iter<T: IntoIterator<Item = Vec<Cell>>>(rows: T) -> Buffers {
        let mut all = Buffers::default();
        all.extend(rows);
        all
    }
}

impl Buffers {
    /// The number of rows.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// The columns; there are none if there are no rows.
    pub fn into_columns(self) -> Vec<Buffer> {
        self.columns
    }

    /// Adds a row, and returns the approximate number of bytes that it takes.
    pub fn push(&mut self, row: Vec<Cell>) -> u64 {
        if self.rows == 0 {
            self.columns = vec![Buffer::default(); row.len()];
        }
        self.rows += 1;
        let cells = self.columns.iter_mut().zip(row);
        cells.map(|(column, cell)| column.push(cell)).sum()
    }

    /// Appends later rows.
    pub fn append(&mut self, later: &Buffers) {
        if self.rows == 0 {
            *self = later.clone();
            return;
        }
        self.rows += later.rows;
        for (column, later) in self.columns.iter_mut().zip(&later.columns) {
            column.append(later);
        }
    }

    /// Iterates over a range of the rows, cell by cell.
    pub fn rows(&self, rows: Range<usize>) -> impl Iterator<Item = Vec<Cell>> {
        let cells = |row| self.columns.iter().filter_map(move |all| all.cell(row));
        rows.map(move |row| cells(row).collect())
    }

    /// The approximate number of bytes of all rows.
    pub fn bytes(&self) -> u64 {
        let words = |column: &Buffer| 9 * column.words.len() as u64;
        let beside = |column: &Buffer| column.beside.iter().map(cell_size).sum::<u64>();
        self.columns
            .iter()
            .map(|all| words(all) + beside(all))
            .sum()
    }

    /// Returns the number of rows and the columns, which are written as a line of JSON before the
    /// words. [`Buffers::write`] writes the words.
    pub fn json_header(&self) -> (u64, &[Buffer]) {
        (self.rows as u64, &self.columns)
    }

    /// Writes the words of each column in little-endian order. If the column has a side list, one
    /// byte for each word follows, which says whether that word is an index into the list.
    pub fn write(&self, to: &mut Vec<u8>) {
        for column in &self.columns {
            to.reserve(9 * column.words.len());
            to.extend(column.words.iter().flat_map(|word| word.to_le_bytes()));
            to.extend(column.is_in_side_list.iter().map(|is| u8::from(*is)));
        }
    }

    /// Reads the words that follow the line of JSON, and advances `from` past them. Returns `None`
    /// if there are not enough bytes.
    pub fn read((rows, mut columns): (u64, Vec<Buffer>), from: &mut &[u8]) -> Option<Buffers> {
        let rows = usize::try_from(rows).ok()?;
        let mut take = |bytes: usize| {
            let (first, rest) = from.split_at_checked(bytes)?;
            *from = rest;
            Some(first)
        };
        for column in &mut columns {
            let (words, _) = take(rows.checked_mul(8)?)?.as_chunks();
            column.words = words.iter().map(|word| u64::from_le_bytes(*word)).collect();
            if column.beside.is_empty() {
                continue;
            }
            let is_in_side_list = take(rows)?;
            let beside = std::mem::take(&mut column.beside);
            let wrong =
                |(is, number): (&u8, &u64)| *is > 1 || *is == 1 && *number >= beside.len() as u64;
            if is_in_side_list.iter().zip(&column.words).any(wrong) {
                return None;
            }
            column.is_in_side_list = is_in_side_list.iter().map(|is| *is == 1).collect();
            for (next, cell) in beside.into_iter().enumerate() {
                if column.side_index(cell) != next as u64 {
                    return None;
                }
            }
        }
        Some(Buffers { rows, columns })
    }

    /// Returns `what` as a line of JSON, followed by the words of the rows.
    pub fn to_bytes(&self, what: &impl Serialize) -> Vec<u8> {
        encode_with_rows(&(what, self.json_header()), [self])
    }

    /// Reads what [`Buffers::to_bytes`] wrote; `None` for any other bytes.
    pub fn from_bytes<T: DeserializeOwned>(bytes: &[u8]) -> Option<(T, Buffers)> {
        let ((what, line), mut behind) = split_json_header(bytes)?;
        let rows = Buffers::read(line, &mut behind).filter(|_| behind.is_empty())?;
        Some((what, rows))
    }
}

impl From<Buffer> for Buffers {
    fn from(column: Buffer) -> Buffers {
        Buffers {
            rows: column.len(),
            columns: vec![column],
        }
    }
}

/// The approximate number of bytes of a cell.
pub fn cell_size(cell: &Cell) -> u64 {
    let more = match cell {
        Cell::Text(text) => text.len() as u64,
        Cell::Decimal(value) => value.text().len() as u64,
        Cell::Formula(formula) => formula.to_string().len() as u64,
        Cell::Exact(value) => (value.numer().bits() + value.denom().bits()) / 3,
        Cell::Integer(Integer::Big(value)) => value.bits() / 8,
        _ => 0,
    };
    size_of::<Cell>() as u64 + more
}

/// Returns a line of JSON, followed by the words of some rows.
pub fn encode_with_rows<'a>(
    line: &impl Serialize,
    all: impl IntoIterator<Item = &'a Buffers>,
) -> Vec<u8> {
    let mut bytes = serde_json::to_vec(line).expect("plain values");
    bytes.push(b'\n');
    for rows in all {
        rows.write(&mut bytes);
    }
    bytes
}

/// Splits bytes that [`encode_with_rows`] wrote into the value of the line of JSON and the bytes
/// after the line.
pub fn split_json_header<T: DeserializeOwned>(bytes: &[u8]) -> Option<(T, &[u8])> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let line = serde_json::from_slice(&bytes[..end]).ok()?;
    Some((line, &bytes[end + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use flipcost_number::{BigUint, Rational};
    use proptest::prelude::*;

    fn cell() -> impl Strategy<Value = Cell> {
        let none = [
            Cell::Empty,
            Cell::Undefined,
            Cell::Infinite,
            Cell::Flag(true),
            Cell::Flag(false),
        ];
        prop_oneof![
            prop::sample::select(none.to_vec()),
            "[a-c]".prop_map(Cell::Text),
            any::<u64>().prop_map(|word| Cell::Integer(word.into())),
            (0u32..99)
                .prop_map(|more| Cell::Integer((&(BigUint::from(1u8) << (64 + more))).into())),
            (-9.0..9.0).prop_map(Cell::Double),
            (1i64..99, 1i64..99).prop_map(|(p, q)| Cell::from(Rational::new(p.into(), q.into()))),
        ]
    }

    proptest! {
        /// Two buffers with equal rows are equal, whatever order the rows were joined in and
        /// whichever process computed them.
        #[test]
        fn rows_survive_a_round_trip(
            rows in prop::collection::vec(prop::collection::vec(cell(), 3), 0..40),
            cut in any::<prop::sample::Index>(),
            at in any::<prop::sample::Index>(),
            changed in any::<u8>(),
        ) {
            let collect = |rows: &[Vec<Cell>]| rows.iter().cloned().collect::<Buffers>();
            let all = collect(&rows);
            prop_assert_eq!(all.rows(0..rows.len()).collect::<Vec<_>>(), rows.clone());
            let (low, high) = rows.split_at(cut.index(rows.len() + 1));
            let mut joined = collect(low);
            joined.append(&collect(high));
            prop_assert_eq!(&joined, &all);
            let mut bytes = all.to_bytes(&7);
            prop_assert_eq!(Buffers::from_bytes(&bytes), Some((7, all)));
            let at = at.index(bytes.len());
            prop_assert_eq!(Buffers::from_bytes::<u8>(&bytes[..at]), None);
            bytes[at] = changed;
            if let Some((_, rows)) = Buffers::from_bytes::<u8>(&bytes) {
                prop_assert_eq!(rows.rows(0..rows.len()).count(), rows.len());
            }
        }
    }

    #[test]
    fn a_number_takes_8_bytes_and_a_missing_one_9() {
        let number = |n: u64| {
            vec![
                Cell::Integer(n.into()),
                Cell::Double(1.5),
                Cell::Text("coin".into()),
            ]
        };
        let bytes = |all: &Buffers| all.to_bytes(&()).len();
        let rows: Buffers = (0..1000).map(number).collect();
        assert!((25_000..25_200).contains(&bytes(&rows)));
        let gaps: Buffers = (0..1000)
            .map(|n| {
                vec![if n % 2 == 0 {
                    Cell::Empty
                } else {
                    Cell::Double(0.5)
                }]
            })
            .collect();
        assert!((9000..9100).contains(&bytes(&gaps)));
    }
}
