//! The figure `grid`: see [`Grid`].

use crate::draw::{Draw, Drawn, Work, headers};
use crate::error::{Mistake, StudyError};
use crate::limits::{CELLS, at_most};
use crate::rule::{Rule, Throw};
use crate::sheet::{DISCARD, SheetCell, sheet};
use crate::values::{FigureName, Line};
use flipcost::table::Cell;
use flipcost_number::Rational;
use schemars::JsonSchema;
use serde::Deserialize;

/// What a rule makes of every throw of two dice, as a table.
///
/// ```toml
/// [[grid]]
/// name = "expand-d4-d6"
/// title = "A d4, then a d6, make a d24"
/// rule = { dice = [4, 6], value = "6 * (a - 1) + b" }
/// x = "the d6 shows"
/// y = "the d4 shows"
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Grid {
    name: FigureName,
    title: Line,
    /// The first die of the rule is the row, the second the column.
    rule: Rule,
    /// What the columns are.
    x: Line,
    /// What the rows are.
    y: Line,
}

impl Draw for Grid {
    fn name(&self) -> &str {
        &self.name.0
    }

    fn draw(&self, _: &Work) -> Result<Drawn, StudyError> {
        let [rows, columns] = self.rule.dice[..] else {
            let what = "a grid needs a rule of two dice, such as dice = [4, 6]";
            return Err(Mistake::of("dice", format_args!("{:?}", self.rule.dice), what).into());
        };
        at_most("rule", rows.saturating_mul(columns), "cells", CELLS)?;
        let throws = self.rule.throws()?;
        let cell = |(_, value): &Throw| match value {
            Some(value) => (Some(*value as f64), value.to_string()),
            None => (None, DISCARD.to_string()),
        };
        let cells: Vec<Vec<SheetCell>> = throws
            .chunks(columns as usize)
            .map(|row| row.iter().map(cell).collect())
            .collect();
        let row = |(faces, value): &Throw| {
            let word = |value: i64| Cell::from(Rational::from_integer(value.into()));
            let mut row: Vec<Cell> = faces.iter().map(|&face| word(face)).collect();
            row.push(value.map_or(Cell::Text("discard".to_string()), word));
            row
        };
        Ok(Drawn {
            drawing: sheet(&self.title.0, (&self.x.0, &self.y.0), &cells)?,
            headers: headers(["a", "b", "result"]),
            rows: throws.iter().map(row).collect(),
        })
    }
}
