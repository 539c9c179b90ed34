//! Formats a table for a person at a terminal. It is as wide as the screen, numbers have six
//! digits, and a value that is the same in every row is shown once above the table. If the screen
//! is too narrow, columns that do not answer the question are left out; if the answers alone do not
//! fit, the table is turned on its side, with one line for each field.

use crate::terminal;
use flipcost::table::{Cell, Column, ColumnUnit};
use flipcost_question::{CellKind, ColumnHead, format_cell};

/// How a table looks on the screen.
pub struct TableStyle<'a> {
    /// The width in characters.
    pub width: usize,
    /// Whether colours are shown.
    pub color: bool,
    /// The column whose least value is the best: rows with that value are highlighted.
    pub best: Option<&'a str>,
}

/// A column of words is never made narrower than this.
const NARROWEST_WORDS: usize = 16;
/// A word of at most this many characters, such as an id, is not broken.
const MAX_WORD_LEN: usize = 40;
/// If a table on its side has more rows, only the answers are shown.
const MAX_FULL_TRANSPOSED_ROWS: usize = 4;
/// The gap between two columns: the usual one, and the one for narrow screens.
const GAP: usize = 2;
const NARROW_GAP: usize = 1;

/// Rounds the decimals in a sentence to six significant digits; a rounded decimal after `=` comes
/// after `≈` instead. The decimals must be doubles: decimals whose number of digits was requested
/// must not be rounded.
pub fn round_decimals(text: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    for word in text.split(' ') {
        let number = word.trim_end_matches([',', ';', ':', '.']);
        let shown = match number.parse::<f64>() {
            Ok(value) if number.contains('.') => {
                format_cell(&Cell::Double(value), CellKind::Decimal) + &word[number.len()..]
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

fn display_length(text: &str) -> usize {
    text.chars().count()
}

/// The order in which columns are left out if not all columns fit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum ColumnRank {
    /// Fractions, which take much room and have their decimals in another column.
    Exact,
    Other,
    /// The answer to the question.
    Answer,
}

/// Replaces a fraction that is too long if its decimal is in another column.
const LONG_FRACTION: &str = "long";

/// A column, formatted for printing.
struct PrintedColumn {
    name: String,
    rank: ColumnRank,
    unit: String,
    cells: Vec<String>,
    words: bool,
    width: usize,
}

impl PrintedColumn {
    /// `doubles` says for each row whether the decimals in its words are doubles. If
    /// `has_decimal_column`, a fraction that is too long is replaced, because another column has
    /// its decimal.
    fn new(
        head: &ColumnHead,
        cells: Vec<&Cell>,
        doubles: &[bool],
        rank: ColumnRank,
        has_decimal: bool,
    ) -> PrintedColumn {
        let name = &head.name;
        let words = (cells.iter()).any(|cell| matches!(cell, Cell::Text(_) | Cell::Formula(_)));
        let spelled = |cell: &&Cell| match (format_cell(cell, head.kind), cell) {
            (text, Cell::Exact(_)) if has_decimal && text.starts_with(['≈', '=']) => {
                LONG_FRACTION.into()
            }
            (text, _) => text,
        };
        let mut texts: Vec<String> = cells.iter().map(spelled).collect();
        // Words with a unit contain several numbers.
        if head.kind == CellKind::Text && !head.unit.is_empty() {
            for (text, _) in texts.iter_mut().zip(doubles).filter(|(_, is)| **is) {
                *text = round_decimals(text);
            }
        }
        if cells.iter().any(|cell| matches!(cell, Cell::Double(_))) {
            align_points(&mut texts);
        }
        let widest = texts
            .iter()
            .map(|text| display_length(text))
            .max()
            .unwrap_or(0);
        PrintedColumn {
            name: name.to_string(),
            rank,
            unit: head.unit.clone(),
            words,
            width: widest.max(display_length(name)),
            cells: texts,
        }
    }

    /// The lines of one cell.
    fn cell_lines(&self, row: usize) -> Vec<String> {
        if display_length(&self.cells[row]) <= self.width {
            vec![self.cells[row].clone()]
        } else {
            textwrap::wrap(&self.cells[row], self.width)
                .into_iter()
                .map(|line| line.into_owned())
                .collect()
        }
    }

    fn pad_cell(&self, text: &str) -> String {
        let pad = " ".repeat(self.width.saturating_sub(display_length(text)));
        if self.words {
            format!("{text}{pad}")
        } else {
            format!("{pad}{text}")
        }
    }
}

/// Aligns the decimal points of a column.
fn align_points(texts: &mut [String]) {
    // an integer is aligned by its end, and a difference is not aligned
    let numbers = || texts.iter().filter(|text| !text.contains(' '));
    let after = |text: &str| match text.split_once('.') {
        Some((_, decimals)) => display_length(decimals) + 1,
        None => 0,
    };
    let most = numbers().map(|text| after(text)).max().unwrap_or(0);
    for text in texts.iter_mut().filter(|text| !text.contains(' ')) {
        let pad = most - after(text);
        text.extend(std::iter::repeat_n(' ', pad));
    }
}

/// Makes the columns fit. First, columns of words are wrapped, the widest first. Then columns that
/// do not answer the question are left out, those of fractions first, from right to left. Returns
/// the indices of the remaining columns and the gap between them, or `None` if the answers are too
/// wide.
fn fit_columns(columns: &mut [PrintedColumn], width: usize) -> Option<(Vec<usize>, usize)> {
    let natural: Vec<usize> = columns.iter().map(|column| column.width).collect();
    let mut kept: Vec<usize> = (0..columns.len()).collect();
    let (mut gap, mut is_broken) = (GAP, false);
    while !wrap_words(columns, &kept, width, gap, is_broken) {
        let aside = kept.iter().enumerate().rev();
        let aside = aside.filter(|(_, at)| columns[**at].rank != ColumnRank::Answer);
        match aside.min_by_key(|(_, at)| columns[**at].rank) {
            Some((out, _)) => drop(kept.remove(out)),
            None if gap == GAP => gap = NARROW_GAP,
            None if !is_broken => is_broken = true,
            None => return None,
        }
        for (column, natural) in columns.iter_mut().zip(&natural) {
            column.width = *natural;
        }
    }
    Some((kept, gap))
}

/// Narrows columns of words, the widest first, until all remaining columns fit; returns `false` if
/// they do not. Names of functions such as std::uniform_int_distribution are broken only if
/// `is_broken`.
fn wrap_words(
    columns: &mut [PrintedColumn],
    kept: &[usize],
    width: usize,
    gap: usize,
    is_broken: bool,
) -> bool {
    // an id or a file name on one line can be copied
    let is_one = |word: &&str| !is_broken || word.contains('/') || !word.contains(['.', ':', '(']);
    let least = |column: &PrintedColumn| {
        let words = column
            .cells
            .iter()
            .flat_map(|cell| cell.split(' '))
            .filter(is_one);
        let longest = words
            .map(display_length)
            .max()
            .unwrap_or(0)
            .min(MAX_WORD_LEN);
        NARROWEST_WORDS
            .max(longest)
            .max(display_length(&column.name))
    };
    loop {
        let widths: usize = kept.iter().map(|at| columns[*at].width).sum();
        let total = widths + gap * kept.len().saturating_sub(1);
        if total <= width {
            return true;
        }
        let wide = kept.iter().filter(|at| {
            let column = &columns[**at];
            column.words && column.width > least(column)
        });
        let Some(at) = wide.max_by_key(|at| (**at > 0, columns[**at].width)) else {
            return false;
        };
        let narrow = columns[*at].width.saturating_sub(total - width);
        columns[*at].width = narrow.max(least(&columns[*at]));
    }
}

/// The line below a table that names the rolls in which its columns are counted.
fn unit_line(columns: &[&PrintedColumn]) -> Option<String> {
    let in_rolls = |column: &&PrintedColumn| {
        let known = Column::find(&column.name);
        known.is_ok_and(|known| known.unit() == ColumnUnit::Rolls)
    };
    let columns: Vec<&&PrintedColumn> = columns.iter().filter(|column| in_rolls(column)).collect();
    let unit = &columns.first()?.unit;
    let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    let same = !unit.is_empty() && columns.iter().all(|column| column.unit == *unit);
    same.then(|| format!("In {unit}: {}", names.join(", ")))
}

/// Explains the words and the column names that occur in the table and have explanations.
fn explanation_lines(
    heads: &[ColumnHead],
    rows: &[Vec<Cell>],
    shown: &[&PrintedColumn],
) -> Vec<String> {
    let mut lines = Vec::new();
    for (at, head) in heads.iter().enumerate() {
        if shown.iter().all(|column| column.name != head.name) {
            continue;
        }
        let occurs = |word: &str| {
            let is_word = |row: &Vec<Cell>| matches!(&row[at], Cell::Text(text) if text == word);
            word == head.name || rows.iter().any(is_word)
        };
        let known = head.words.iter().filter(|(word, _)| occurs(word));
        lines.extend(known.map(|(word, meaning)| format!("{word}: {meaning}")));
    }
    lines
}

/// Returns whether another column has the same numbers as decimals.
fn has_decimal_column(heads: &[ColumnHead], head: &ColumnHead) -> bool {
    let decimal = head.name.strip_suffix("_exact");
    decimal.is_some_and(|name| heads.iter().any(|other| other.name == name))
}

/// Returns the indices of the columns that answer the question: those that name the row, and those
/// that contain the requested values.
pub fn answering_columns(heads: &[ColumnHead], rows: &[Vec<Cell>]) -> Vec<usize> {
    let several = heads.iter().any(|head| head.answers);
    let varies = |at: usize| rows.windows(2).any(|pair| pair[0][at] != pair[1][at]);
    let is_key =
        |at: usize| ["n", "target", "source", "algorithm"].contains(&heads[at].name.as_str());
    let answers = |at: usize| {
        if several {
            heads[at].answers
        } else {
            !has_decimal_column(heads, &heads[at])
        }
    };
    let has_names = heads.iter().any(|head| head.names_rows);
    let names_rows = |at: usize| {
        if has_names {
            heads[at].names_rows
        } else if is_key(at) {
            varies(at)
        } else {
            at == 0
        }
    };
    (0..heads.len())
        .filter(|at| answers(*at) || names_rows(*at))
        .collect()
}

/// Folds a line; all lines after the first are indented.
fn fold_indented(line: &str, width: usize, indent: usize) -> String {
    let indent = " ".repeat(indent.min(width / 2));
    textwrap::fill(
        line,
        textwrap::Options::new(width).subsequent_indent(&indent),
    )
}

/// Lists the rows one after the other, with one line for each field.
fn transposed_table(columns: &[&PrintedColumn], width: usize) -> String {
    let names = columns.iter().map(|column| display_length(&column.name));
    let wide = names.max().unwrap_or(0) + GAP;
    let rows = columns.first().map_or(0, |column| column.cells.len());
    let mut text = String::new();
    for row in 0..rows {
        if row > 0 {
            text.push('\n');
        }
        for column in columns {
            let cell = column.cells[row].trim_end();
            let known = Column::find(&column.name);
            let known = known.map_or(true, |known| known.unit() == ColumnUnit::Rolls);
            let unit = match column.unit.as_str() {
                unit if known && cell != "-" && !column.words => unit,
                _ => "",
            };
            let line = format!("{:wide$}{cell} {unit}", column.name);
            text += &fold_indented(line.trim_end(), width, wide);
            text.push('\n');
        }
    }
    text
}

/// Puts the rows below each other, under the names of the columns.
fn upright_table(
    columns: &[&PrintedColumn],
    rows: &[Vec<Cell>],
    gap: usize,
    best: Option<usize>,
    color: bool,
) -> String {
    let value = |row: usize| match best.map(|i| &rows[row][i]) {
        Some(Cell::Double(value)) => Some(*value),
        _ => None,
    };
    let least = (0..rows.len()).filter_map(value).reduce(f64::min);
    let gap = " ".repeat(gap);
    let names: Vec<String> = columns.iter().map(|c| c.pad_cell(&c.name)).collect();
    let mut text = names.join(&gap).trim_end().to_string() + "\n";
    for row in 0..rows.len() {
        let cells: Vec<Vec<String>> = columns
            .iter()
            .map(|column| column.cell_lines(row))
            .collect();
        let height = cells.iter().map(Vec::len).max().unwrap_or(1);
        for line in 0..height {
            let parts = columns.iter().zip(&cells);
            let parts = parts.map(|(c, cell)| c.pad_cell(cell.get(line).map_or("", |text| text)));
            let joined = parts.collect::<Vec<_>>().join(&gap);
            let is_best = rows.len() > 1 && least.is_some() && value(row) == least;
            if color && is_best {
                text += &terminal::paint_best(joined.trim_end())
            } else {
                text += joined.trim_end()
            }
            text.push('\n');
        }
    }
    text
}

/// The columns of a table that differ from row to row, and a text about the others.
struct TableParts<'a> {
    /// The values that are the same in all rows, each with its name.
    caption: Vec<String>,
    columns: Vec<PrintedColumn>,
    /// The names of the columns that are empty in every row.
    blank: Vec<&'a str>,
}

fn split_columns<'a>(heads: &'a [ColumnHead], rows: &[Vec<Cell>]) -> TableParts<'a> {
    let is_of_task =
        |head: &ColumnHead| Column::find(&head.name).is_ok_and(|column| column.is_of_task());
    let same = |i: usize| rows.windows(2).all(|pair| pair[0][i] == pair[1][i]);
    let is_blank = |i: usize| rows.len() > 1 && rows.iter().all(|row| row[i] == Cell::Empty);
    let (mut caption, mut columns, mut blank) = (Vec::new(), Vec::new(), Vec::new());
    let has_double = |row: &Vec<Cell>| row.iter().any(|cell| matches!(cell, Cell::Double(_)));
    let doubles: Vec<bool> = rows.iter().map(has_double).collect();
    let answers = answering_columns(heads, rows);
    for (i, head) in heads.iter().enumerate() {
        if !rows.is_empty() && is_of_task(head) && same(i) && !rows[0][i].is_empty() {
            let shown = format_cell(&rows[0][i], head.kind);
            caption.push(
                format!("{} {shown} {}", head.name, head.unit)
                    .trim_end()
                    .to_string(),
            );
        } else if is_blank(i) && !head.answers {
            blank.push(head.name.as_str());
        } else {
            let cells = rows.iter().map(|row| &row[i]).collect();
            let has_decimal = has_decimal_column(heads, head);
            let rank = if answers.contains(&i) {
                ColumnRank::Answer
            } else if has_decimal {
                ColumnRank::Exact
            } else {
                ColumnRank::Other
            };
            columns.push(PrintedColumn::new(head, cells, &doubles, rank, has_decimal));
        }
    }
    TableParts {
        caption,
        columns,
        blank,
    }
}

/// The lines that say what the table leaves out.
fn omission_lines(shown: &[&PrintedColumn], blank: &[&str], left_out: &[&str]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut cells = shown.iter().flat_map(|column| &column.cells);
    if cells.any(|cell| cell == LONG_FRACTION) {
        lines.push(format!(
            "{LONG_FRACTION}: a fraction too long for a table (-f csv has all of it)"
        ));
    }
    if !blank.is_empty() {
        lines.push(format!("Empty in every row: {}", blank.join(", ")));
    }
    if !left_out.is_empty() {
        let names = left_out.join(", ");
        lines.push(format!(
            "Too wide for this screen: {names} (-f csv has every column)"
        ));
    }
    lines
}

/// Formats the table in lines of at most `look.width` characters; only a single cell can be longer.
pub fn format_table(heads: &[ColumnHead], rows: &[Vec<Cell>], look: &TableStyle) -> String {
    let TableParts {
        caption,
        mut columns,
        blank,
    } = split_columns(heads, rows);
    let mut text = String::new();
    if !caption.is_empty() {
        text += &textwrap::fill(&caption.join(", "), look.width);
        text.push('\n');
    }
    if columns.is_empty() {
        return text;
    }
    if !caption.is_empty() {
        text.push('\n');
    }
    let kept = fit_columns(&mut columns, look.width);
    let few = rows.len() <= MAX_FULL_TRANSPOSED_ROWS;
    let is_shown = |at: usize| match &kept {
        Some((kept, _)) => kept.contains(&at),
        None => few || at == 0 || columns[at].rank == ColumnRank::Answer,
    };
    let (shown, left_out): (Vec<usize>, Vec<usize>) =
        (0..columns.len()).partition(|at| is_shown(*at));
    let mut shown: Vec<&PrintedColumn> = shown.into_iter().map(|at| &columns[at]).collect();
    let left_out: Vec<&str> = left_out
        .into_iter()
        .map(|at| columns[at].name.as_str())
        .collect();
    shown.sort_by_key(|column| {
        let head = heads.iter().find(|head| head.name == column.name);
        !head.is_some_and(|head| head.names_rows)
    });
    let mut below = Vec::new();
    if let Some((_, gap)) = kept {
        let best = heads
            .iter()
            .position(|head| look.best == Some(head.name.as_str()));
        text += &upright_table(&shown, rows, gap, best, look.color);
        below.extend(unit_line(&shown));
    } else {
        text += &transposed_table(&shown, look.width);
    }
    below.extend(explanation_lines(heads, rows, &shown));
    below.extend(omission_lines(&shown, &blank, &left_out));
    if !below.is_empty() {
        text.push('\n');
    }
    for line in below {
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
    fn values_shared_by_all_rows_are_a_caption() {
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
            format_table(&heads, &rows, &look(80)),
            "entropy 2.58496 flips\n\
             \n\
             algorithm         expected\n\
             fast-dice-roller   3.66667\n\
             rejection          4\n\
             \n\
             In flips: expected\n"
        );
        let painted = format_table(
            &heads,
            &rows,
            &TableStyle {
                color: true,
                ..look(80)
            },
        );
        let lines: Vec<&str> = painted.lines().collect();
        assert!(
            lines[3].contains('\x1b') && !lines[4].contains('\x1b'),
            "{painted}"
        );
    }

    /// Fractions are hidden first, and the answers last.
    #[test]
    fn answering_columns_are_hidden_last() {
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
        let shown = |width| format_table(&heads, std::slice::from_ref(&row), &look(width));
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
            for line in format_table(&heads, &rows, &look(width)).lines() {
                prop_assert!(line.chars().count() <= width, "{line}");
            }
        }
    }
}
