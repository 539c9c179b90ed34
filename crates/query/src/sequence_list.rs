//! Which sequences have a name here.

use crate::{CommandLine, Control, Estimate, Foot, Head, Kind, QueryError, Question, Sink};
use flipcost::sequences;
use flipcost::table::Cell;
use serde::{Deserialize, Serialize};

/// The named sequences: a row for each, with its id, A-number, offset, title and definition.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SequenceList {}

impl Question for SequenceList {
    fn command(&self) -> CommandLine {
        CommandLine::new("sequence list")
    }

    fn estimate(&self) -> Estimate {
        Estimate::table(100, 5, 10_000, 100)
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        control.go_on()?;
        let head = Head::new()
            .column("id", Kind::Text)
            .column("a_number", Kind::Text)
            .column("offset", Kind::Count)
            .column("title", Kind::Text)
            .column("definition", Kind::Text);
        sink.head(&head)?;
        let text = |text: &str| Cell::Text(text.to_string());
        let rows = sequences::all().into_iter().map(|sequence| {
            vec![
                text(sequence.id()),
                sequence.a_number().map_or(Cell::Empty, text),
                Cell::Integer(sequence.offset().into()),
                text(&sequence.description().title),
                text(&sequence.description().definition),
            ]
        });
        sink.rows(rows.collect())?;
        sink.foot(Foot::default())
    }
}
