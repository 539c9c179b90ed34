//! The figure `block-table`: see [`BlockSheet`].

use crate::draw::{Draw, Drawn, Work, headers};
use crate::error::{Mistake, StudyError};
use crate::limits::CELLS;
use crate::sheet::{DISCARD, SheetCell, sheet};
use crate::values::{AlgorithmName, FigureName, Line, Natural, coin, task};
use flipcost::algorithms::table::block_table;
use flipcost::table::Cell;
use flipcost_number::BigUint;
use num_traits::ToPrimitive;
use schemars::JsonSchema;
use serde::Deserialize;

/// The look-up table of a block of an algorithm: the last roll is the column, the rolls before it
/// are the row.
///
/// ```toml
/// [[block-table]]
/// name = "d6-from-coins"
/// title = "A d6 from three coin flips"
/// source = 2
/// algorithm = "base-conversion"
/// n = 6
/// x = "third flip (1 heads, 2 tails)"
/// y = "first two flips (1 HH, 2 HT, 3 TH, 4 TT)"
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BlockSheet {
    name: FigureName,
    title: Line,
    #[serde(default = "coin")]
    source: u64,
    algorithm: AlgorithmName,
    n: Natural,
    /// What the columns are.
    x: Line,
    /// What the rows are.
    y: Line,
}

impl Draw for BlockSheet {
    fn name(&self) -> &str {
        &self.name.0
    }

    fn draw(&self, _: &Work) -> Result<Drawn, StudyError> {
        let task = task(self.source, self.n.0.clone())?;
        let table = block_table(&task, self.algorithm.0)?;
        let columns = self.source as usize;
        let cells = (columns as u64).checked_pow(table.rolls as u32);
        let Some(cells) = cells.filter(|&cells| table.rolls > 0 && cells <= CELLS) else {
            let rolls = table.rolls;
            let what = format!("the table has {rolls} rolls of {columns} faces each");
            let right = format!("it must have 1 to {CELLS} cells to be drawn");
            return Err(Mistake::new(what).field("n").right(right).into());
        };
        let rows = cells as usize / columns;
        let blank: SheetCell = (None, DISCARD.to_string());
        let mut cells = vec![vec![blank; columns]; rows];
        let mut data = Vec::new();
        for row in &table.rows {
            let under = columns.pow((table.rolls - row.rolls.len()) as u32);
            let value = row
                .rolls
                .iter()
                .fold(0, |v, &face| v * columns + face as usize);
            let face = row.result.as_ref().map(|result| result + 1u8);
            let text = match (&face, row.early) {
                (Some(face), _) => face.to_string(),
                (None, true) => "early".to_string(),
                (None, false) => DISCARD.to_string(),
            };
            for leaf in value * under..(value + 1) * under {
                let shown = face.as_ref().and_then(BigUint::to_f64);
                cells[leaf / columns][leaf % columns] = (shown, text.clone());
            }
            let rolls: Vec<String> = row.rolls.iter().map(|f| (f + 1).to_string()).collect();
            data.push(vec![
                Cell::Text(rolls.join(" ")),
                match (face, row.early) {
                    (Some(face), _) => Cell::Integer(face.into()),
                    (None, true) => Cell::Text("discard early".to_string()),
                    (None, false) => Cell::Text("discard".to_string()),
                },
            ]);
        }
        Ok(Drawn {
            drawing: sheet(&self.title.0, (&self.x.0, &self.y.0), &cells)?,
            headers: headers(["rolls", "result"]),
            rows: data,
        })
    }
}
