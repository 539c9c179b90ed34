//! Leaves out exact fractions that are too long, unless they were requested.

use crate::say;
use crate::{CellKind, Foot, Head, QueryError, Sentence, Sink};
use flipcost::table::Cell;
use flipcost_number::Rational;

/// A fraction with more characters is written only if it was requested or is the answer itself.
const MAX_QUOTED_LEN: usize = 1000;

/// Says which exact columns of a question may be left empty.
pub struct OptionalFractions {
    /// The columns that the question is about; they are always written.
    pub answers: &'static [&'static str],
    /// Renders the option that requests the column with this name.
    pub ask: fn(&str) -> Sentence,
}

/// The fractions that were left out of one column.
struct ShortenedColumn {
    rows: u64,
    /// The largest number of digits of a numerator, and the number of digits of its denominator.
    digits: [usize; 2],
}

/// A sink that leaves out long fractions and passes everything else to another sink.
pub struct FractionShortener<'a> {
    short: OptionalFractions,
    sink: &'a mut dyn Sink,
    /// The name of each column from which fractions may be left out; `None` for other columns.
    columns: Vec<Option<String>>,
    left_out: Vec<Option<ShortenedColumn>>,
}

impl<'a> FractionShortener<'a> {
    pub fn new(short: OptionalFractions, sink: &'a mut dyn Sink) -> FractionShortener<'a> {
        let (columns, left_out) = (Vec::new(), Vec::new());
        FractionShortener {
            short,
            sink,
            columns,
            left_out,
        }
    }
}

/// The numbers of digits of numerator and denominator, if the fraction is long.
fn long_fraction_digits(value: &Rational) -> Option<[usize; 2]> {
    // A number of b bits has at most 0.30103 b + 1 digits. The 5 allows for the second 1, the sign,
    // the slash and rounding.
    if (value.numer().bits() + value.denom().bits()) * 30_103 / 100_000 + 5 <= MAX_QUOTED_LEN as u64
    {
        return None;
    }
    let text = value.to_string();
    let (p, q) = text.split_once('/').unwrap_or((&text, "1"));
    let digits = [p.trim_start_matches('-').len(), q.len()];
    (text.len() > MAX_QUOTED_LEN).then_some(digits)
}

impl Sink for FractionShortener<'_> {
    fn head(&mut self, head: &Head) -> Result<(), QueryError> {
        let answers = self.short.answers;
        let column = |column: &crate::ColumnHead| {
            let is_written = column.kind != CellKind::Exact || answers.contains(&&*column.name);
            (!is_written).then(|| column.name.clone())
        };
        self.columns = head.columns.iter().map(column).collect();
        self.left_out = head.columns.iter().map(|_| None).collect();
        self.sink.head(head)
    }

    fn rows(&mut self, mut rows: Vec<Vec<Cell>>) -> Result<(), QueryError> {
        for row in &mut rows {
            let columns = self.columns.iter().zip(&mut self.left_out);
            for ((column, left_out), cell) in columns.zip(row) {
                if let (Some(_), Cell::Exact(value)) = (column, &*cell)
                    && let Some(digits) = long_fraction_digits(value)
                {
                    let before = left_out.take();
                    let (rows, known) = before.map_or((0, [0, 0]), |of| (of.rows, of.digits));
                    let (rows, digits) = (rows + 1, known.max(digits));
                    *left_out = Some(ShortenedColumn { rows, digits });
                    *cell = Cell::Empty;
                }
            }
        }
        self.sink.rows(rows)
    }

    fn foot(&mut self, mut foot: Foot) -> Result<(), QueryError> {
        for (name, left_out) in self.columns.iter().zip(&self.left_out) {
            if let (Some(name), Some(ShortenedColumn { rows, digits })) = (name, left_out) {
                let [p, q] = digits;
                let what = match rows {
                    1 => "1 row: its fraction has".to_string(),
                    rows => format!("{rows} rows: the longest fraction has"),
                };
                foot.note(say!(
                    "{name} is left out of {what} a numerator of {p} and a denominator of {q} digits; ",
                    (self.short.ask)(name),
                    " asks for it all the same"
                ));
            }
        }
        self.sink.foot(foot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flipcost_number::BigInt;

    /// 10^a / (10^b + 1) is in lowest terms: it has a + 1 and b + 1 digits, and a slash.
    #[test]
    fn a_thousand_characters_are_not_long() {
        let power = |digits: u32| BigInt::from(10u8).pow(digits);
        let of = |a, b| long_fraction_digits(&Rational::new(power(a), power(b) + 1u8));
        assert_eq!(of(499, 498), None);
        assert_eq!(of(499, 499), Some([500, 500]));
        assert_eq!(long_fraction_digits(&-Rational::from(power(998))), None);
        assert_eq!(
            long_fraction_digits(&-Rational::from(power(999))),
            Some([1000, 1])
        );
    }
}
