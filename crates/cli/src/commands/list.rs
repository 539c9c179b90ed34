//! `flipcost list`: lists of things with names. Most lists are answers to questions, whose rows are
//! shown; the lists of words and of studies do not come from questions.

use super::args::OutputArgs;
use super::{Failure, QuestionCommand, answer, glossary, reproduce};
use clap::Subcommand;
use flipcost_question::Query;

/// List algorithms, columns, constants, words, claims, sequences or studies
#[derive(clap::Args)]
#[command(arg_required_else_help = true)]
pub struct ListArgs {
    #[command(subcommand)]
    action: ListCommand,
}

#[derive(Subcommand)]
enum ListCommand {
    Words(glossary::ListWordsArgs),
    Studies(reproduce::ListStudiesArgs),
}

impl ListArgs {
    pub fn run(self) -> Result<(), Failure> {
        match self.action {
            ListCommand::Words(action) => action.run(),
            ListCommand::Studies(action) => action.run(),
        }
    }
}

#[derive(clap::Args)]
pub struct ListAlgorithmsArgs {
    #[command(flatten)]
    output: OutputArgs,
}

impl QuestionCommand for ListAlgorithmsArgs {
    fn run(self, query: Query) -> Result<(), Failure> {
        let asked = query.downcast::<flipcost_all::questions::Algorithms>();
        if asked.is_some_and(|asked| {
            asked.as_rule || asked.algorithm.is_some() && self.output.shows_screen_table()
        }) {
            let answer = answer::collect(query)?;
            return answer::print_answer_text(
                &answer,
                answer.foot.text.as_deref().unwrap_or_default(),
            );
        }
        answer::write(query, &self.output)
    }
}

#[derive(clap::Args)]
pub struct ListSequencesArgs {
    #[command(flatten)]
    output: OutputArgs,
}

impl QuestionCommand for ListSequencesArgs {
    fn run(self, query: Query) -> Result<(), Failure> {
        if !self.output.shows_screen_table() {
            return answer::write(query, &self.output);
        }
        // The definitions would fill the screen; `-f csv` has them.
        let mut answer = answer::collect(query)?;
        answer.head.columns.pop();
        answer.rows.iter_mut().for_each(|row| drop(row.pop()));
        answer::show_answer(&answer, None)
    }
}
