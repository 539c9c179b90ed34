//! The figure `grid`: see [`GridFigure`].

use crate::draw::{Draw, DrawContext, DrawnFigure, headers};
use crate::error::{Mistake, StudyError};
use crate::limits::{MAX_CELLS, check_at_most};
use crate::rule::{DiceRule, Throw};
use crate::sheet::{DISCARDED_THROW, SheetCell, sheet};
use crate::values::{AlgorithmName, FigureName, Line, Natural, coin, task};
use flipcost::table::Cell;
use flipcost_number::{BigUint, Rational};
use flipcost_one_draw::block_table;
use num_traits::ToPrimitive;
use schemars::JsonSchema;
use serde::Deserialize;

/// A table of the outcome of every throw, for a rule of two dice or for the rolls of an algorithm
/// until it gives an outcome or begins again. The last roll selects the column, the rolls before it
/// select the row.
///
/// ```toml
/// [[grid]]
/// name = "expand-d4-d6"
/// title = "A d4, then a d6, make a d24"
/// x = "the d6 shows"
/// y = "the d4 shows"
/// rule = { dice = [4, 6], value = "6 * (a - 1) + b" }
/// # or: block = { source = 6, algorithm = "base-conversion", n = 20 }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GridFigure {
    name: FigureName,
    title: Line,
    /// The rule of two dice to show.
    rule: Option<DiceRule>,
    /// The block of an algorithm to show, instead of a rule.
    block: Option<RuleBlock>,
    /// The label of the columns.
    x: Line,
    /// The label of the rows.
    y: Line,
}

/// The rolls of an algorithm until it gives an outcome or begins again.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RuleBlock {
    #[serde(default = "coin")]
    source: u64,
    algorithm: AlgorithmName,
    n: Natural,
}

/// The cells, row by row; the number of columns; and the table.
struct GridTable {
    cells: Vec<SheetCell>,
    columns: u64,
    headers: Vec<String>,
    rows: Vec<Vec<Cell>>,
}

fn table_of_rule(rule: &DiceRule) -> Result<GridTable, StudyError> {
    let [lines, columns] = rule.dice[..] else {
        let what = "a grid needs a rule of two dice, such as dice = [4, 6]";
        return Err(Mistake::in_field("dice", format_args!("{:?}", rule.dice), what).into());
    };
    check_at_most("rule", lines.saturating_mul(columns), "cells", MAX_CELLS)?;
    let throws = rule.throws()?;
    let cell = |(_, value): &Throw| match value {
        Some(value) => (Some(*value as f64), value.to_string()),
        None => (None, DISCARDED_THROW.to_string()),
    };
    let row = |(faces, value): &Throw| {
        let word = |value: i64| Cell::from(Rational::from_integer(value.into()));
        let mut row: Vec<Cell> = faces.iter().map(|&face| word(face)).collect();
        row.push(value.map_or(Cell::Text("discard".to_string()), word));
        row
    };
    Ok(GridTable {
        cells: throws.iter().map(cell).collect(),
        columns,
        headers: headers(["a", "b", "result"]),
        rows: throws.iter().map(row).collect(),
    })
}

fn table_of_block(block: &RuleBlock) -> Result<GridTable, StudyError> {
    let columns = block.source;
    let table = block_table(&task(columns, block.n.0.clone())?, block.algorithm.0)?;
    let all = columns.checked_pow(table.rolls as u32);
    if table.rolls == 0 || all.is_none_or(|cells| cells > MAX_CELLS) {
        let rolls = table.rolls;
        let what = format!("the table has {rolls} rolls of {columns} faces each");
        let right = format!("it must have 1 to {MAX_CELLS} cells to be drawn");
        return Err(Mistake::new(what).field("n").right(right).into());
    }
    let (mut cells, mut rows) = (Vec::new(), Vec::new());
    for row in &table.rows {
        let face = row.result.as_ref().map(|result| result + 1u8);
        let (text, end) = match (&face, row.early) {
            (Some(face), _) => (face.to_string(), Cell::Integer(face.clone().into())),
            (None, true) => ("early".to_string(), Cell::Text("discard early".to_string())),
            (None, false) => (
                DISCARDED_THROW.to_string(),
                Cell::Text("discard".to_string()),
            ),
        };
        // if a sequence of rolls ends early, its outcome fills the cells of all throws that begin
        // with this sequence
        let under = columns.pow((table.rolls - row.rolls.len()) as u32);
        let cell = (face.as_ref().and_then(BigUint::to_f64), text);
        cells.extend(std::iter::repeat_n(cell, under as usize));
        let rolls: Vec<String> = row.rolls.iter().map(|f| (f + 1).to_string()).collect();
        rows.push(vec![Cell::Text(rolls.join(" ")), end]);
    }
    Ok(GridTable {
        cells,
        columns,
        headers: headers(["rolls", "result"]),
        rows,
    })
}

impl Draw for GridFigure {
    fn name(&self) -> &str {
        &self.name.0
    }

    fn draw(&self, _: &DrawContext) -> Result<DrawnFigure, StudyError> {
        let made = match (&self.rule, &self.block) {
            (Some(rule), None) => table_of_rule(rule)?,
            (None, Some(block)) => table_of_block(block)?,
            _ => {
                let mistake = Mistake::new("a grid shows a rule or a block").field("rule");
                return Err(mistake.right("give one of the two").into());
            }
        };
        let lines = made.cells.chunks(made.columns as usize);
        let lines: Vec<Vec<SheetCell>> = lines.map(<[SheetCell]>::to_vec).collect();
        Ok(DrawnFigure {
            drawing: sheet(&self.title.0, (&self.x.0, &self.y.0), &lines)?,
            headers: made.headers,
            rows: made.rows,
        })
    }
}
