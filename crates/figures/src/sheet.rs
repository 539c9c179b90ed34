//! A page of text and tables as a picture that can be printed.

use crate::drawing::Drawing;
use crate::error::FigureError;
use crate::glyphs;
use crate::pen::{Anchor, Ink, Pen, TextStyle};
use crate::style;

/// A part of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SheetPart {
    /// A paragraph.
    Text(String),
    /// A name and its text; the texts of consecutive items are aligned.
    Item(String, String),
    /// The heading of a table.
    Heading(String),
    /// Rows of cells; the first row and the first column are labels.
    Table(Vec<Vec<String>>),
    /// Space between parts.
    Gap,
}

/// A page: a title, and parts below each other, in up to four columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sheet {
    /// The title.
    pub title: String,
    /// The page's parts in order.
    pub parts: Vec<SheetPart>,
}

const TEXT: f64 = 14.0;
/// The height of a line.
const LINE_HEIGHT: f64 = 20.0;
/// The width of a column of text.
const COLUMN_WIDTH: f64 = 620.0;
/// The largest height of a column; the lines below it go to the next column.
const MAX_COLUMN_HEIGHT: f64 = 1200.0;
/// The largest number of columns of a page.
const MAX_COLUMNS: usize = 4;
/// If fewer than this many rows of a table would fit at the end of a column, the whole table begins
/// in the next column, and this column stays shorter.
const MIN_ROWS_BEFORE_SPLIT: usize = 9;
/// The space between columns.
const GUTTER: f64 = 40.0;

/// A line of the page.
enum SheetLine {
    Text(f64, String, bool),
    Item(String, f64, String),
    Row {
        cells: Vec<String>,
        wide: (f64, f64),
        head: bool,
    },
    Gap,
}

impl SheetLine {
    fn height(&self) -> f64 {
        match self {
            SheetLine::Gap => LINE_HEIGHT * 0.6,
            _ => LINE_HEIGHT,
        }
    }
}

impl Sheet {
    /// Draws the page. With one column it is 700 pixels wide; a column is at most 1200 pixels high.
    ///
    /// # Errors
    /// [`FigureError::Mismatch`] if the page is longer than four columns, or the rows of a table
    /// differ in length.
    pub fn draw(&self) -> Result<Drawing, FigureError> {
        let lines = self.lines()?;
        // Tables are split only after their first rows, unless that would need one more column.
        let mut columns = fold_into_columns(&lines, MIN_ROWS_BEFORE_SPLIT);
        let split = fold_into_columns(&lines, 0);
        if columns.len() > split.len() {
            columns = split;
        }
        if columns.len() > MAX_COLUMNS {
            return Err(FigureError::Mismatch(format!(
                "a text of {} lines is too long for a picture: about {} fit",
                lines.len(),
                MAX_COLUMNS * (MAX_COLUMN_HEIGHT / LINE_HEIGHT) as usize
            )));
        }
        let count = columns.len().max(1) as f64;
        let width = 2.0 * style::MARGIN + COLUMN_WIDTH * count + GUTTER * (count - 1.0);
        let mut pen = Pen::default();
        let head = pen.title(&self.title, width) + LINE_HEIGHT * 0.7;
        let mut bottom = head;
        for (i, column) in columns.iter().enumerate() {
            let x = style::MARGIN + (COLUMN_WIDTH + GUTTER) * i as f64;
            let mut y = head;
            for line in *column {
                let high = line.height();
                line.draw(&mut pen, (x, y + high / 2.0));
                y += high;
            }
            bottom = bottom.max(y);
        }
        Ok(pen.finish(width, bottom + style::MARGIN, &self.title))
    }

    fn lines(&self) -> Result<Vec<SheetLine>, FigureError> {
        // The names of consecutive items form one column.
        let indent = |at: usize| {
            let names = self.parts[at..].iter().map_while(|part| match part {
                SheetPart::Item(name, _) => Some(glyphs::width(name, TEXT)),
                _ => None,
            });
            names.fold(0.0, f64::max) + 14.0
        };
        let (mut lines, mut room) = (Vec::new(), None);
        for (at, part) in self.parts.iter().enumerate() {
            let indent = match part {
                SheetPart::Item(..) => *room.get_or_insert_with(|| indent(at)),
                _ => {
                    room = None;
                    0.0
                }
            };
            match part {
                SheetPart::Gap => lines.push(SheetLine::Gap),
                SheetPart::Text(text) | SheetPart::Heading(text) => {
                    let strong = matches!(part, SheetPart::Heading(_));
                    let wrapped = glyphs::wrap(text, TEXT, COLUMN_WIDTH);
                    lines.extend(
                        wrapped
                            .into_iter()
                            .map(|text| SheetLine::Text(0.0, text, strong)),
                    );
                }
                SheetPart::Item(name, text) => {
                    let mut wrapped = glyphs::wrap(text, TEXT, COLUMN_WIDTH - indent).into_iter();
                    let first = wrapped.next().unwrap_or_default();
                    lines.push(SheetLine::Item(name.clone(), indent, first));
                    lines.extend(wrapped.map(|text| SheetLine::Text(indent, text, false)));
                }
                SheetPart::Table(rows) => table(rows, &mut lines)?,
            }
        }
        Ok(lines)
    }
}

/// Adds the lines of a table; a table that is wider than a column is split into parts.
fn table(rows: &[Vec<String>], lines: &mut Vec<SheetLine>) -> Result<(), FigureError> {
    let columns = rows.first().map_or(0, Vec::len);
    if columns < 2 || rows.iter().any(|row| row.len() != columns) {
        let text = "a table has rows of one length, of two cells at least";
        return Err(FigureError::Mismatch(text.to_string()));
    }
    let widest = |cells: &mut dyn Iterator<Item = &String>| {
        cells
            .map(|cell| glyphs::width(cell, TEXT))
            .fold(0.0, f64::max)
    };
    let first = widest(&mut rows.iter().map(|row| &row[0])) + 16.0;
    let cell = widest(&mut rows.iter().flat_map(|row| &row[1..])) + 14.0;
    let room = (((COLUMN_WIDTH - first) / cell) as usize).max(1);
    let all: Vec<usize> = (1..columns).collect();
    for part in all.chunks(room) {
        for (i, row) in rows.iter().enumerate() {
            let cells = part.iter().map(|column| row[*column].clone());
            lines.push(SheetLine::Row {
                cells: std::iter::once(row[0].clone()).chain(cells).collect(),
                wide: (first, cell),
                head: i == 0,
            });
        }
    }
    Ok(())
}

/// Distributes the lines over columns of about the same height. A heading, or the first row of a
/// table, stays in one column with the line after it. If fewer than `whole` rows of a table would
/// fit at the end of a column, the table begins in the next column.
fn fold_into_columns(lines: &[SheetLine], whole: usize) -> Vec<&[SheetLine]> {
    let all: f64 = lines.iter().map(SheetLine::height).sum();
    let columns = (all / MAX_COLUMN_HEIGHT).ceil().max(1.0);
    let most = (all / columns + LINE_HEIGHT * (1 + whole) as f64)
        .min(MAX_COLUMN_HEIGHT.max(all / columns + LINE_HEIGHT));
    let (mut parts, mut from, mut high) = (Vec::new(), 0, 0.0);
    for (i, line) in lines.iter().enumerate() {
        let leads = |line: &SheetLine| {
            matches!(
                line,
                SheetLine::Text(_, _, true) | SheetLine::Row { head: true, .. }
            )
        };
        if high + line.height() > most && i > from {
            let mut end = i;
            let cells = |line: &&SheetLine| matches!(line, SheetLine::Row { head: false, .. });
            let before = lines[from..i].iter().rev().take_while(cells).count();
            if cells(&line) && before < whole && i - before > from + 1 {
                end = i - before;
            }
            while end > from + 1 && leads(&lines[end - 1]) {
                end -= 1;
            }
            parts.push(&lines[from..end]);
            high = lines[end..i].iter().map(SheetLine::height).sum();
            from = end;
        }
        high += line.height();
    }
    parts.push(&lines[from..]);
    parts
}

impl SheetLine {
    fn draw(&self, pen: &mut Pen, (x, y): (f64, f64)) {
        let text = TextStyle::start(TEXT);
        let strong = text.color(style::Hue::Blue.rgb().mix(style::INK, 0.35));
        match self {
            SheetLine::Gap => {}
            SheetLine::Text(indent, line, false) => pen.text(&text, (x + indent, y), line),
            SheetLine::Text(indent, line, true) => pen.text(&strong, (x + indent, y), line),
            SheetLine::Item(name, indent, line) => {
                pen.text(&strong, (x, y), name);
                pen.text(&text, (x + indent, y), line);
            }
            SheetLine::Row {
                cells,
                wide: (first, cell),
                head,
            } => {
                let end = x + first + cell * (cells.len() - 1) as f64;
                let ink = Ink::stroke(style::GRID, 1.0);
                pen.line(
                    &ink,
                    &[(x, y + LINE_HEIGHT / 2.0), (end, y + LINE_HEIGHT / 2.0)],
                );
                pen.text(&strong, (x, y), &cells[0]);
                let set = if *head { strong } else { text };
                let right = TextStyle {
                    anchor: Anchor::End,
                    ..set
                };
                for (i, cell_text) in cells[1..].iter().enumerate() {
                    let right_end = x + first + cell * (i + 1) as f64 - 4.0;
                    pen.text(&right, (right_end, y), cell_text);
                }
            }
        }
    }
}
