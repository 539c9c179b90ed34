//! `flipcost mr`: MR-expansions.

use super::args::{self, ArgumentError};
use super::{Failure, answer};
use crate::rows::Output;
use crate::{screen, terminal};
use flipcost::table::Cell;
use flipcost_query::{Door, Mr as Question, Positive, Query};

/// The MR-expansion of a positive number: terms, and for a rational pre-period and period
#[derive(clap::Args)]
pub struct Mr {
    /// The number, such as 1/29, e, pi, sqrt(2), ln(2) or e-2
    #[arg(value_name = "X", allow_hyphen_values = true)]
    x: Positive,
    /// The base
    #[arg(short, long, value_name = "M", default_value = "2", value_parser = base, allow_negative_numbers = true)]
    base: u64,
    /// How many terms to print
    #[arg(short, long, value_name = "K", default_value = "30", value_parser = args::word, allow_negative_numbers = true)]
    terms: u64,
}

fn base(text: &str) -> Result<u64, ArgumentError> {
    let base = args::word(text)?;
    Question::check_base(base)?;
    Ok(base)
}

impl Mr {
    pub fn query(&self) -> Result<Query, Failure> {
        Ok(Query::from(Question {
            x: self.x.clone(),
            base: self.base,
            terms: self.terms,
        }))
    }

    pub fn run(self) -> Result<(), Failure> {
        if terminal::is_read() {
            return self.show();
        }
        let mut output = Output::open(None)?;
        let mut between = "";
        let foot = answer::stream(self.query()?, &mut output, |row, out| {
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

    /// The same, folded to the screen.
    fn show(&self) -> Result<(), Failure> {
        let answer = answer::collect(self.query()?)?;
        let terms: Vec<&Cell> = answer.rows.iter().filter_map(|row| row.last()).collect();
        let width = terminal::width();
        let mut text = screen::fold(&args::joined(&terms, ", "), width, 0) + "\n";
        for note in &answer.foot.notes {
            text += &screen::fold(&note.at(Door::Terminal), width, 2);
            text += "\n";
        }
        Ok(screen::print(&text)?)
    }
}
