//! The recipe followed with a person's own rolls: which die is next, or the result.

use super::{Plan, die_name};
use flipcost::law::Step;
use flipcost_question::Answer;
use flipcost_question::prelude::*;

impl Plan {
    /// What the last row says.
    pub(super) fn walked(&self, answer: &Answer) -> String {
        let last = answer.rows.len().saturating_sub(1);
        let target = self.target.with_article();
        match (answer.cell(last, "die"), answer.cell(last, "outcome")) {
            (Cell::Text(die), _) => {
                let die = die.parse().map_or(String::new(), die_name);
                format!("for {target} the next roll is that of a {die}")
            }
            (_, outcome) => format!(
                "{target} shows {outcome}, after {}",
                counted(last as u64, "roll")
            ),
        }
    }

    /// A row for each roll of `rolls`, and a last one with the die that is rolled next, or with the result.
    pub(super) fn walk(&self, rolls: &str, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let recipe = self.planned(&self.priced()?)?.recipe;
        let mut given = rolls
            .split(',')
            .map(str::trim)
            .filter(|face| !face.is_empty());
        let (mut now, mut rows) = (recipe.start(), Vec::new());
        while let Step::Roll(place) = now {
            let sides = recipe.sides(&place);
            let Some(face) = given.next() else { break };
            let number = face.parse().ok();
            let Some(face) = number.filter(|f: &u64| (1..=sides).contains(&u128::from(*f))) else {
                let die = die_name(sides);
                let at = rows.len() + 1;
                let what = say!(
                    "roll {at} of ",
                    field("rolls"),
                    " is of a {die}, and {face} is no face of it"
                );
                return Err(
                    QueryError::wrong("rolls", what).right(say!("1 to {sides} were expected"))
                );
            };
            rows.push(row![
                rows.len() as u64 + 1,
                sides.to_string(),
                face,
                place.to_string(),
                Cell::Empty
            ]);
            now = recipe.step(&place, face - 1);
        }
        if given.next().is_some() {
            let what = say!(
                "the result is known after ",
                counted(rows.len() as u64, "roll")
            );
            return Err(
                QueryError::wrong("rolls", what).right(say!(field("rolls"), " has more of them"))
            );
        }
        let next = rows.len() as u64 + 1;
        rows.push(match now {
            Step::Roll(place) => row![
                next,
                recipe.sides(&place).to_string(),
                Cell::Empty,
                place.to_string(),
                Cell::Empty
            ],
            Step::Output(outcome) => row![
                next,
                Cell::Empty,
                Cell::Empty,
                Cell::Empty,
                (outcome + 1u8).to_string()
            ],
        });
        let head = Head::new()
            .column("roll", CellKind::Count)
            .column("die", CellKind::Text)
            .column("face", CellKind::Count)
            .column("place", CellKind::Text)
            .column("outcome", CellKind::Text);
        sink.write_answer(&head, rows, Foot::default())
    }
}
