//! Shows the answers of `flipcost roll`: results, or a test of very many results.

use super::args::{self, OutputArgs};
use super::{Failure, QuestionCommand, answer};
use flipcost::table::Cell;
use flipcost_endless::questions::EndlessRoll;
use flipcost_one_draw::questions::Simulate;
use flipcost_question::{Foot, Query};
use flipcost_terminal::rows::Format;
use flipcost_terminal::rows::{Output, OutputError};
use flipcost_terminal::terminal;
use std::io::Write;

/// The largest number of results that are collected and shown below the summary; more results are
/// written as they come.
const MAX_INLINE_RESULTS: u64 = 100;

#[derive(clap::Args)]
pub struct RollArgs {
    #[command(flatten)]
    output: OutputArgs,
    /// Threads of a test [default: all cores]; they do not change the result
    #[arg(long, value_name = "T", value_parser = crate::numbers::parse_positive, allow_negative_numbers = true, requires = "test")]
    threads: Option<u64>,
}

impl QuestionCommand for RollArgs {
    fn run(self, query: Query) -> Result<(), Failure> {
        if query.is::<Simulate>() {
            return self.print_fairness_test(query);
        }
        let (unit, count) = match query.downcast::<flipcost_one_draw::questions::Roll>() {
            Some(asked) => (asked.source.0.unit(), asked.count),
            None => match query.downcast::<EndlessRoll>() {
                Some(asked) => (asked.source.0.unit(), asked.count),
                None => unreachable!("each command asks its own question"),
            },
        };
        if self.output.format.is_some() || self.output.output.is_some() {
            return answer::write(query, &self.output);
        }
        let few = count <= MAX_INLINE_RESULTS && terminal::is_terminal();
        let write = |row: &[Cell], out: &mut dyn Write| match row {
            [result, rolls, Cell::Text(trace)] => {
                (trace.lines()).try_for_each(|line| writeln!(out, "  {line}"))?;
                let s = rolls.to_string() == "1";
                let unit = if s { unit.singular() } else { unit.plural() };
                match result {
                    Cell::Empty => Ok(()), // the rolls ran out
                    result => writeln!(out, "{result}  ({rolls} {unit})"),
                }
            }
            [result, ..] => writeln!(out, "{result}"),
            [] => Ok(()),
        };
        if few {
            let (answer, answered) = answer::collect_partial_rows(query)?;
            let mut text = Vec::new();
            for row in &answer.rows {
                write(row, &mut text).map_err(OutputError::from)?;
            }
            answer::print_page(&answer, &String::from_utf8_lossy(&text))?;
            answered?;
            return answer::print_foot(&answer.foot);
        }
        let mut output = Output::open(None)?;
        let answered = answer::stream_rows(query, &mut output, write);
        if !matches!(answered, Err(Failure::Output(_))) {
            output.finish()?;
        }
        answer::print_notes(&answered?.notes);
        Ok(())
    }
}

impl RollArgs {
    /// Prints the result of the fairness test as sentences, or as a row of numbers if a format
    /// other than a table was requested.
    fn print_fairness_test(self, query: Query) -> Result<(), Failure> {
        let threads = self.threads.map_or(0, |threads| threads as usize);
        let named = (self.output.output.as_deref()).and_then(Format::from_extension);
        let answer = answer::collect_with_threads(query, threads)?;
        if matches!(self.output.format.or(named), None | Some(Format::Table)) {
            let text = answer.to_text(flipcost_all::terminal())?;
            args::refuse_picture(self.output.output.as_deref())?;
            match self.output.output.as_deref() {
                None => answer::print_answer_text(&answer, &text)?,
                path => answer::write_text(path, &text)?,
            }
        } else {
            answer::write_rows(&answer, &self.output)?;
        }
        // only the verdict is left to report
        let verdict = answer.foot.verdict;
        answer::print_foot(&Foot {
            verdict,
            ..Foot::default()
        })
    }
}
