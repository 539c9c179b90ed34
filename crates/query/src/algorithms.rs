//! What the registry of algorithms holds.

use crate::{CommandLine, Control, Estimate, Foot, Head, Kind, QueryError, Question, Sink};
use flipcost::algorithms::REGISTRY;
use flipcost::table::Cell;
use serde::{Deserialize, Serialize};

/// The algorithms: a row for each, with its id, name, citation, and whether its rolls are bounded.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Algorithms {}

impl Question for Algorithms {
    fn command(&self) -> CommandLine {
        CommandLine::new("algorithms")
    }

    fn estimate(&self) -> Estimate {
        Estimate::table(REGISTRY.len() as u128, 4, 100, 50)
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        control.go_on()?;
        let head = Head::new()
            .column("id", Kind::Text)
            .column("name", Kind::Text)
            .column("citation", Kind::Text)
            .column("bounded", Kind::Text);
        sink.head(&head)?;
        let rows = REGISTRY.iter().map(|algorithm| {
            let about = algorithm.about();
            let texts = [about.id, about.name, about.citation, about.bounded];
            texts.map(|text| Cell::Text(text.to_string())).to_vec()
        });
        sink.rows(rows.collect())?;
        sink.foot(Foot::default())
    }
}
