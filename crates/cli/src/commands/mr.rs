//! How `flipcost mr` shows its answer.

use super::{Failure, Shown, answer, args};
use flipcost::table::Cell;
use flipcost_question::{Door, Query};
use flipcost_terminal::rows::Output;
use flipcost_terminal::{screen, terminal};

#[derive(clap::Args)]
pub struct Mr {}

impl Shown for Mr {
    fn run(self, query: Query) -> Result<(), Failure> {
        if terminal::is_read() {
            return show(query);
        }
        let mut output = Output::open(None)?;
        let mut between = "";
        let foot = answer::stream(query, &mut output, |row, out| {
            let term = row.last().expect("a place and a term");
            write!(out, "{between}{term}")?;
            between = ", ";
            Ok(())
        })?;
        output.with(|out| {
            writeln!(out)?;
            (foot.notes.iter()).try_for_each(|note| writeln!(out, "{}", note.at(Door::Terminal)))
        })?;
        Ok(output.finish()?)
    }
}

/// The same, folded to the screen.
fn show(query: Query) -> Result<(), Failure> {
    let answer = answer::collect(query)?;
    let terms: Vec<&Cell> = answer.rows.iter().filter_map(|row| row.last()).collect();
    let width = terminal::width();
    let mut text = screen::fold(&args::joined(&terms, ", "), width, 0) + "\n";
    for note in &answer.foot.notes {
        text += &screen::fold(&note.at(Door::Terminal), width, 2);
        text += "\n";
    }
    Ok(screen::print(&text)?)
}
