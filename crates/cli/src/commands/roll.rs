//! How `flipcost roll` shows its answer.

use super::{Failure, Shown, answer};
use flipcost::table::Cell;
use flipcost_question::Query;
use flipcost_terminal::rows::Output;

#[derive(clap::Args)]
pub struct Roll {}

impl Shown for Roll {
    fn run(self, query: Query) -> Result<(), Failure> {
        let Some(asked) = query.downcast::<flipcost_one_draw::questions::Roll>() else {
            unreachable!("it is the question of its command");
        };
        let unit = asked.source.0.unit();
        let mut output = Output::open(None)?;
        let answered = answer::stream(query, &mut output, |row, out| match row {
            [result, rolls, Cell::Text(trace)] => {
                (trace.lines()).try_for_each(|line| writeln!(out, "  {line}"))?;
                let s = rolls.to_string() == "1";
                let unit = if s { unit.singular() } else { unit.plural() };
                match result {
                    Cell::Empty => Ok(()), // its rolls ran out
                    result => writeln!(out, "{result}  ({rolls} {unit})"),
                }
            }
            [result, ..] => writeln!(out, "{result}"),
            [] => Ok(()),
        });
        if !matches!(answered, Err(Failure::Output(_))) {
            output.finish()?;
        }
        answer::remarks(&answered?.notes);
        Ok(())
    }
}
