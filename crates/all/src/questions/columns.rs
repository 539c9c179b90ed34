//! The question `list columns`: the columns of the engine.

use flipcost::table::{COLUMNS, Column, ColumnKind};
use flipcost_question::prelude::*;
use flipcost_question::unit;

question! {
    /// The columns of `cost` and `figure`: name, kind, unit, meaning
    ///
    /// Rolls are rolls of the source: flips of a coin, words, or rolls of a die. For a library's
    /// function that reads words of 32 bits, the rolls are flips if the source is a coin, and words
    /// with `--source word:32`.
    ///
    /// `over:ID` is also a column, for every algorithm: the expected source rolls above those of
    /// ID, as in `flipcost cost 1..1000 -a rejection -c over:interval --summary`.
    pub struct Columns: "list-columns", "list columns" {
    }
    purpose: Reference
    examples: ["list columns"]
}

impl Question for Columns {
    fn summary(&self, answer: &Answer) -> String {
        count_with_noun(answer.rows.len() as u64, "column") + " can be named"
    }

    fn run(&self, _: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let names = ["name", "kind", "unit", "meaning"];
        let head = names
            .iter()
            .fold(Head::new(), |head, name| head.column(name, CellKind::Text));
        sink.head(&head)?;
        let row = |column: &&'static Column| {
            let kind = match column.kind() {
                ColumnKind::Text => "text",
                ColumnKind::Count => "count",
                ColumnKind::Exact => "exact",
                ColumnKind::Decimal => "decimal",
                ColumnKind::Flag => "flag",
            };
            let unit = unit(column, None);
            let text = |text: &str| Cell::Text(text.to_string());
            let unit = if unit.is_empty() {
                Cell::Empty
            } else {
                text(&unit)
            };
            vec![text(column.name()), text(kind), unit, text(column.about())]
        };
        sink.rows(COLUMNS.iter().map(row).collect())?;
        sink.foot(Foot::default())
    }
}
