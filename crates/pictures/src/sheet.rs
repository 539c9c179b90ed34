//! A recipe as a page to print.

use crate::PictureError;
use flipcost_figures::{Drawing, SheetPart};
use flipcost_query::Sheet;

/// Draws the recipe of a [`flipcost_query::Plan`].
///
/// # Errors
/// [`PictureError::Figure`] if it is too long for a picture.
pub fn sheet(sheet: &Sheet) -> Result<Drawing, PictureError> {
    let facts = sheet.facts.iter();
    let mut parts: Vec<SheetPart> = facts
        .map(|(name, value)| SheetPart::Item(name.clone(), value.clone()))
        .collect();
    parts.push(SheetPart::Gap);
    let intro = sheet.intro.iter().map(|line| SheetPart::Text(unbroken(line)));
    parts.extend(intro);
    for (i, step) in sheet.steps.iter().enumerate() {
        match step.table.is_empty() {
            true => {
                if i == 0 {
                    parts.push(SheetPart::Gap);
                }
                parts.push(SheetPart::Item(step.name.clone(), unbroken(&step.text)));
            }
            false => parts.extend([
                SheetPart::Gap,
                SheetPart::Heading(format!("{}: {}", step.name, step.text)),
                SheetPart::Table(step.table.clone()),
            ]),
        }
    }
    let picture = flipcost_figures::Sheet {
        title: sheet.title.clone(),
        parts,
    };
    Ok(picture.draw()?)
}

/// A text whose formulas stay on one line: the spaces around their signs are no-break spaces.
fn unbroken(text: &str) -> String {
    let signs = ["=", "<", "+", "-", "mod"];
    signs.iter().fold(text.to_string(), |text, sign| {
        text.replace(&format!(" {sign} "), &format!("\u{a0}{sign}\u{a0}"))
    })
}

#[cfg(test)]
mod tests {
    use super::unbroken;

    #[test]
    fn a_formula_is_one_word() {
        let text = unbroken("Otherwise c = c - 5, go to C. c < 9: the result is c mod 3 + 1.");
        let words: Vec<&str> = text.split(' ').map(|word| word.trim_end()).collect();
        assert_eq!(words[1], "c\u{a0}=\u{a0}c\u{a0}-\u{a0}5,");
        assert!(words.contains(&"c\u{a0}mod\u{a0}3\u{a0}+\u{a0}1."), "{words:?}");
    }
}
