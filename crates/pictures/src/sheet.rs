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
    parts.extend(sheet.intro.iter().cloned().map(SheetPart::Text));
    for (i, step) in sheet.steps.iter().enumerate() {
        match step.table.is_empty() {
            true => {
                if i == 0 {
                    parts.push(SheetPart::Gap);
                }
                parts.push(SheetPart::Item(step.name.clone(), step.text.clone()));
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
