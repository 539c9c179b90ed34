//! A table for a reader at a terminal: as wide as the screen, numbers to six digits, and what is
//! the same in every row said once above.

use crate::terminal;
use flipcost::table::{Cell, Column, ColumnUnit};
use flipcost_question::{CellKind, ColumnHead, spell};

/// How a reader sees a table.
pub struct TableStyle<'a> {
    /// Letters in a line.
    pub width: usize,
    /// Are colours shown?
    pub color: bool,
    /// The column whose least value is the best: rows that have it stand out.
    pub best: Option<&'a str>,
}

/// A column of words is not made narrower than this to fit the screen.
const NARROWEST_WORDS: usize = 16;
/// But it is where nothing else is left that could be hidden.
const NARROWEST_ANSWERS: usize = 10;
/// Between two columns.
const GAP: usize = 2;

/// A sentence with its decimals to six significant digits, after `≈` where it had `=` and digits are left
/// out. They must be doubles: a decimal of as many digits as were asked for is not to be rounded.
pub fn rounded(text: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    for word in text.split(' ') {
        let number = word.trim_end_matches([',', ';', ':', '.']);
        let shown = match number.parse::<f64>() {
            Ok(value) if number.contains('.') => {
                spell(&Cell::Double(value), CellKind::Decimal) + &word[number.len()..]
            }
            _ => word.to_string(),
        };
        if shown != word
            && let Some(sign) = words.last_mut().filter(|sign| *sign == "=")
        {
            *sign = "≈".to_string();
        }
        words.push(shown);
    }
    words.join(" ")
}

fn length(text: &str) -> usize {
    text.chars().count()
}

/// What is left out first where not all columns fit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum ColumnRank {
    /// Fractions take much room, and their decimals stand beside them.
    Exact,
    Other,
    /// What the question is about.
    Answer,
}

/// One column as it will be printed.
struct Printed {
    name: String,
    rank: ColumnRank,
    unit: String,
    cells: Vec<String>,
    words: bool,
    width: usize,
}

impl Printed {
    /// `doubles` says for each row whether the decimals in its words are doubles; `has_decimal`, whether
    /// a column has the same numbers as decimals.
    fn new(head: &ColumnHead, cells: Vec<&Cell>, doubles: &[bool], has_decimal: bool) -> Printed {
        let name = &head.name;
        let words = (cells.iter()).any(|cell| matches!(cell, Cell::Text(_) | Cell::Formula(_)));
        let mut texts: Vec<String> = (cells.iter()).map(|cell| spell(cell, head.kind)).collect();
        // Words that have a unit are several numbers.
        if head.kind == CellKind::Text && !head.unit.is_empty() {
            for (text, _) in texts.iter_mut().zip(doubles).filter(|(_, is)| **is) {
                *text = rounded(text);
            }
        }
        if cells.iter().any(|cell| matches!(cell, Cell::Double(_))) {
            align_points(&mut texts);
        }
        let widest = texts.iter().map(|text| length(text)).max().unwrap_or(0);
        Printed {
            name: name.to_string(),
            rank: if head.answers {
                ColumnRank::Answer
            } else if has_decimal {
                ColumnRank::Exact
            } else {
                ColumnRank::Other
            },
            unit: head.unit.clone(),
            words,
            width: widest.max(length(name)),
            cells: texts,
        }
    }

    /// The lines of one cell.
    fn lines(&self, row: usize) -> Vec<String> {
        if length(&self.cells[row]) <= self.width {
            vec![self.cells[row].clone()]
        } else {
            textwrap::wrap(&self.cells[row], self.width)
                .into_iter()
                .map(|line| line.into_owned())
                .collect()
        }
    }

    fn padded(&self, text: &str) -> String {
        let pad = " ".repeat(self.width.saturating_sub(length(text)));
        if self.words {
            format!("{text}{pad}")
        } else {
            format!("{pad}{text}")
        }
    }
}

/// Decimal points stand below each other.
fn align_points(texts: &mut [String]) {
    let after = |text: &str| match text.split_once('.') {
        Some((_, decimals)) => length(decimals) + 1,
        None => 0,
    };
    let most = texts.iter().map(|text| after(text)).max().unwrap_or(0);
    for text in texts {
        let pad = most - after(text);
        text.extend(std::iter::repeat_n(' ', pad));
    }
}

/// Makes the columns fit: first those of words are wrapped, the widest first, then columns are left
/// out, those that answer the question last, and from the right. The names of those that are left out.
fn fit(columns: &mut Vec<Printed>, width: usize) -> Vec<String> {
    let natural: Vec<usize> = columns.iter().map(|column| column.width).collect();
    let mut kept: Vec<usize> = (0..columns.len()).collect();
    let mut left_out = Vec::new();
    let narrow = |columns: &mut Vec<Printed>| {
        let answers = columns
            .iter()
            .skip(1)
            .all(|column| column.rank == ColumnRank::Answer);
        wrap_words(columns, width, NARROWEST_WORDS)
            || answers && wrap_words(columns, width, NARROWEST_ANSWERS)
    };
    while !narrow(columns) && columns.len() > 1 {
        let after = columns.iter().enumerate().skip(1);
        let (out, _) = (after.rev())
            .min_by_key(|(_, column)| column.rank)
            .expect("there are two or more");
        left_out.push((kept.remove(out), columns.remove(out).name));
        for (column, at) in columns.iter_mut().zip(&kept) {
            column.width = natural[*at];
        }
    }
    left_out.sort();
    left_out.into_iter().map(|(_, name)| name).collect()
}

/// Makes columns of words narrower, the widest first, until all fit; `false` if they do not.
fn wrap_words(columns: &mut [Printed], width: usize, narrowest: usize) -> bool {
    let total = |columns: &[Printed]| {
        let widths: usize = columns.iter().map(|column| column.width).sum();
        widths + GAP * columns.len().saturating_sub(1)
    };
    // What a row is called, in the first column, can be copied while it stands on one line.
    let least = |at: usize, column: &Printed| match at {
        0 => NARROWEST_WORDS.max(length(&column.name)),
        _ => narrowest.max(length(&column.name)),
    };
    while total(columns) > width {
        let over = total(columns) - width;
        let wide = (columns.iter_mut().enumerate())
            .filter(|(at, column)| column.words && column.width > least(*at, column))
            .max_by_key(|(at, column)| (*at > 0, column.width));
        let Some((at, wide)) = wide else { break };
        wide.width = wide.width.saturating_sub(over).max(least(at, wide));
    }
    total(columns) <= width
}

/// The line above a table that says in which rolls its columns are.
fn units(columns: &[Printed]) -> Option<String> {
    let in_rolls = |column: &&Printed| {
        let known = Column::find(&column.name);
        known.is_some_and(|known| known.unit() == ColumnUnit::Rolls)
    };
    let columns: Vec<&Printed> = columns.iter().filter(in_rolls).collect();
    let unit = &columns.first()?.unit;
    let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    let same = !unit.is_empty() && columns.iter().all(|column| column.unit == *unit);
    same.then(|| format!("in {unit}: {}", names.join(", ")))
}

/// The table as lines of at most `look.width` letters (a single cell may be longer).
pub fn table(heads: &[ColumnHead], rows: &[Vec<Cell>], look: &TableStyle) -> String {
    let mut text = String::new();
    let is_of_task =
        |head: &ColumnHead| Column::find(&head.name).is_some_and(|column| column.is_of_task());
    let same = |i: usize| rows.windows(2).all(|pair| pair[0][i] == pair[1][i]);
    let (mut caption, mut columns) = (Vec::new(), Vec::new());
    let mut best = None;
    let has_double = |row: &Vec<Cell>| row.iter().any(|cell| matches!(cell, Cell::Double(_)));
    let doubles: Vec<bool> = rows.iter().map(has_double).collect();
    for (i, head) in heads.iter().enumerate() {
        if !rows.is_empty() && is_of_task(head) && same(i) && !rows[0][i].is_empty() {
            let unit = match head.unit.as_str() {
                "" => String::new(),
                unit => format!(" {unit}"),
            };
            let shown = spell(&rows[0][i], head.kind);
            caption.push(format!("{} {shown}{unit}", head.name));
        } else {
            let cells = rows.iter().map(|row| &row[i]).collect();
            let decimal = head.name.strip_suffix("_exact");
            let has_decimal =
                decimal.is_some_and(|name| heads.iter().any(|other| other.name == name));
            columns.push(Printed::new(head, cells, &doubles, has_decimal));
        }
        if look.best == Some(head.name.as_str()) {
            best = Some(i);
        }
    }
    if columns.is_empty() {
        return caption.join("\n") + "\n";
    }
    let left_out = fit(&mut columns, look.width);
    let of_all = (!caption.is_empty()).then(|| caption.join(", "));
    let above: Vec<String> = of_all.into_iter().chain(units(&columns)).collect();
    for line in &above {
        text += &textwrap::fill(line, look.width);
        text.push('\n');
    }
    if !above.is_empty() {
        text.push('\n');
    }
    let value = |row: usize| match best.map(|i| &rows[row][i]) {
        Some(Cell::Double(value)) => Some(*value),
        _ => None,
    };
    let least = (0..rows.len()).filter_map(value).reduce(f64::min);
    let gap = " ".repeat(GAP);
    let names: Vec<String> = columns.iter().map(|c| c.padded(&c.name)).collect();
    text += names.join(&gap).trim_end();
    text.push('\n');
    for row in 0..rows.len() {
        let cells: Vec<Vec<String>> = columns.iter().map(|column| column.lines(row)).collect();
        let height = cells.iter().map(Vec::len).max().unwrap_or(1);
        for line in 0..height {
            let parts = columns.iter().zip(&cells);
            let parts = parts.map(|(c, cell)| c.padded(cell.get(line).map_or("", |text| text)));
            let joined = parts.collect::<Vec<_>>().join(&gap);
            let is_best = rows.len() > 1 && least.is_some() && value(row) == least;
            if look.color && is_best {
                text += &terminal::best(joined.trim_end())
            } else {
                text += joined.trim_end()
            }
            text.push('\n');
        }
    }
    if !left_out.is_empty() {
        let names = left_out.join(", ");
        let line = format!("Too wide for this screen: {names} (-f csv has every column)");
        text.push('\n');
        text += &textwrap::fill(&line, look.width);
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn head(name: &str, unit: &str) -> ColumnHead {
        flipcost_question::Head::new()
            .measured(name, CellKind::Decimal, unit)
            .columns
            .remove(0)
    }

    fn look(width: usize) -> TableStyle<'static> {
        TableStyle {
            width,
            color: false,
            best: Some("expected"),
        }
    }

    #[test]
    fn what_every_row_shares_is_a_caption() {
        let heads = [
            head("algorithm", ""),
            head("expected", "flips"),
            head("entropy", "flips"),
        ];
        let row = |id: &str, mean: f64| {
            vec![
                Cell::Text(id.into()),
                Cell::Double(mean),
                Cell::Double(6f64.log2()),
            ]
        };
        let rows = [row("fast-dice-roller", 11.0 / 3.0), row("rejection", 4.0)];
        assert_eq!(
            table(&heads, &rows, &look(80)),
            "entropy 2.58496 flips\n\
             in flips: expected\n\n\
             algorithm         expected\n\
             fast-dice-roller   3.66667\n\
             rejection          4\n"
        );
        let painted = table(
            &heads,
            &rows,
            &TableStyle {
                color: true,
                ..look(80)
            },
        );
        let lines: Vec<&str> = painted.lines().collect();
        assert!(
            lines[4].contains('\x1b') && !lines[5].contains('\x1b'),
            "{painted}"
        );
    }

    /// Fractions go first, and what answers the question stays as long as it can.
    #[test]
    fn what_answers_the_question_is_hidden_last() {
        let heads = flipcost_question::Head::new()
            .column("id", CellKind::Text)
            .column("total_variation_exact", CellKind::Exact)
            .column("word_bits", CellKind::Count)
            .column("total_variation", CellKind::Decimal)
            .answers()
            .columns;
        let row = vec![
            Cell::Text("modulo".into()),
            Cell::from(&flipcost_number::Rational::new(
                1.into(),
                3_221_225_472u64.into(),
            )),
            Cell::Integer(32u64.into()),
            Cell::Double(3.1e-10),
        ];
        let shown = |width| table(&heads, std::slice::from_ref(&row), &look(width));
        let hidden = |width| shown(width).replace('\n', " ");
        assert!(hidden(50).contains("screen: total_variation_exact (-f"));
        assert!(hidden(30).contains("screen: total_variation_exact, word_bits (-f"));
        assert!(
            shown(30)
                .lines()
                .next()
                .unwrap()
                .ends_with("total_variation")
        );
    }

    proptest! {
        #[test]
        fn no_line_is_wider_than_the_screen(
            width in 40usize..120,
            texts in prop::collection::vec("[a-z]{1,12}( [a-z]{1,12}){0,20}", 1..5),
            numbers in prop::collection::vec(-1e9..1e9f64, 1..12),
        ) {
            let mut heads: Vec<_> = (0..numbers.len()).map(|i| head(&format!("c{i}"), "")).collect();
            heads.insert(0, head("words", ""));
            let rows: Vec<Vec<Cell>> = texts
                .iter()
                .map(|text| {
                    let mut row = vec![Cell::Text(text.clone())];
                    row.extend(numbers.iter().map(|x| Cell::Double(*x)));
                    row
                })
                .collect();
            for line in table(&heads, &rows, &look(width)).lines() {
                prop_assert!(line.chars().count() <= width, "{line}");
            }
        }
    }
}
