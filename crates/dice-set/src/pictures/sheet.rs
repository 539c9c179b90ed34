//! A recipe as a page to print.

use crate::RecipeSheet;
use crate::questions::Plan;
use flipcost_figures::{Drawing, SheetPart};
use flipcost_question::PictureError;
use flipcost_question::{Answer, Control};

/// Draws the recipe of [`crate::questions::Plan`].
///
/// # Errors
/// [`PictureError::Figure`] if the sheet is too long for a picture.
pub fn sheet(sheet: &RecipeSheet) -> Result<Drawing, PictureError> {
    let facts = sheet.facts.iter();
    let mut parts: Vec<SheetPart> = facts
        .map(|(name, value)| SheetPart::Item(name.clone(), value.clone()))
        .collect();
    parts.push(SheetPart::Gap);
    let intro = sheet
        .intro
        .iter()
        .map(|line| SheetPart::Text(keep_formulas_together(line)));
    parts.extend(intro);
    let table = |i: usize| match merge_equal_lines(&sheet.steps[i].table) {
        rows if rows.len() > MAX_DRAWN_LINES => (rows, None),
        rows => (rows, sheet.pairs.get(i).copied().flatten()),
    };
    if (0..sheet.steps.len()).any(|i| table(i).1.is_some()) {
        parts.push(SheetPart::Text(HOW_TO_READ_GRID.to_string()));
    }
    for (i, step) in sheet.steps.iter().enumerate() {
        let (rows, pair) = table(i);
        match (step.table.is_empty(), pair) {
            (true, _) => {
                if i == 0 {
                    parts.push(SheetPart::Gap);
                }
                parts.push(SheetPart::Item(
                    step.name.clone(),
                    keep_formulas_together(&step.text),
                ));
            }
            (false, None) => parts.extend([
                SheetPart::Gap,
                SheetPart::Heading(format!("{}: {}", step.name, step.text)),
                SheetPart::Table(rows),
            ]),
            (false, Some(sides)) => {
                for row in &rows[1..] {
                    parts.extend([
                        SheetPart::Gap,
                        SheetPart::Heading(format!("{}: {}", row[0], step.text)),
                        SheetPart::Table(arrange_in_grid(sides, &row[1..])),
                    ]);
                }
            }
        }
    }
    let picture = flipcost_figures::Sheet {
        title: sheet.title.clone(),
        parts,
    };
    Ok(picture.draw()?)
}

/// The sentence that says how to read a table for two dice.
const HOW_TO_READ_GRID: &str = "In a table of two dice, a is the row and b the column.";
/// If a table has at most this many lines, including its head, each line may be drawn as a grid.
const MAX_DRAWN_LINES: usize = 13;
/// At most this many equal lines of a table are merged into one line.
const MAX_MERGED_LINES: usize = 4;

/// Merges equal lines of a table into one line with all their names.
fn merge_equal_lines(table: &[Vec<String>]) -> Vec<Vec<String>> {
    let mut rows: Vec<(Vec<&str>, &[String])> = Vec::new();
    let lines = table.iter().skip(1);
    for row in lines {
        let (name, cells) = (row[0].as_str(), &row[1..]);
        let same = |(names, known): &&mut (Vec<&str>, &[String])| {
            *known == cells && names.len() < MAX_MERGED_LINES
        };
        match rows.iter_mut().find(same) {
            Some((names, _)) => names.push(name),
            None => rows.push((vec![name], cells)),
        }
    }
    let row = |(names, cells): &(Vec<&str>, &[String])| {
        let name = names.join(", ");
        std::iter::once(name).chain(cells.iter().cloned()).collect()
    };
    let head = table.iter().take(1).cloned();
    head.chain(rows.iter().map(row)).collect()
}

/// Arranges the cells of a line in a grid with a line for each face of the first die.
fn arrange_in_grid([lines, columns]: [u64; 2], cells: &[String]) -> Vec<Vec<String>> {
    let head = (1..=columns).map(|face| face.to_string());
    let head = std::iter::once("a \\ b".to_string()).chain(head).collect();
    let line = |(face, cells): (u64, &[String])| {
        let name = face.to_string();
        std::iter::once(name).chain(cells.iter().cloned()).collect()
    };
    let lines = (1..=lines).zip(cells.chunks(columns as usize)).map(line);
    std::iter::once(head).chain(lines).collect()
}

/// Prevents line breaks within formulas: replaces the spaces around their signs by no-break spaces.
fn keep_formulas_together(text: &str) -> String {
    let signs = ["=", "<", "+", "-", "mod"];
    signs.iter().fold(text.to_string(), |text, sign| {
        text.replace(&format!(" {sign} "), &format!("\u{a0}{sign}\u{a0}"))
    })
}

impl Plan {
    pub(crate) fn picture(&self, _: &Answer) -> Result<Drawing, PictureError> {
        sheet(&self.sheet(&Control::default())?)
    }
}

#[cfg(test)]
mod tests {
    use super::{arrange_in_grid, keep_formulas_together, merge_equal_lines};

    fn table(lines: &[&str]) -> Vec<Vec<String>> {
        let cells = |line: &&str| line.split(' ').map(String::from).collect();
        lines.iter().map(cells).collect()
    }

    #[test]
    fn equal_lines_are_one() {
        let rows = merge_equal_lines(&table(&["face 1 2", "B1 1 2", "B2 2 1", "B3 1 2"]));
        assert_eq!(rows[0], ["face", "1", "2"]);
        assert_eq!(rows[1], ["B1, B3", "1", "2"]);
        assert_eq!(rows[2], ["B2", "2", "1"]);
        assert_eq!(rows.len(), 3);
    }

    /// A d2 a and a d3 b stand for the face 3(a - 1) + b.
    #[test]
    fn two_dice_are_a_line_and_a_column() {
        let cells = ["p", "q", "r", "s", "t", "u"].map(String::from);
        let rows = arrange_in_grid([2, 3], &cells);
        assert_eq!(rows[0][1..], ["1", "2", "3"]);
        assert_eq!(rows[1], ["1", "p", "q", "r"]);
        assert_eq!(rows[2], ["2", "s", "t", "u"]);
    }

    #[test]
    fn a_formula_is_one_word() {
        let text = keep_formulas_together(
            "Otherwise c = c - 5, go to C. c < 9: the result is c mod 3 + 1.",
        );
        let words: Vec<&str> = text.split(' ').map(|word| word.trim_end()).collect();
        assert_eq!(words[1], "c\u{a0}=\u{a0}c\u{a0}-\u{a0}5,");
        assert!(
            words.contains(&"c\u{a0}mod\u{a0}3\u{a0}+\u{a0}1."),
            "{words:?}"
        );
    }
}
