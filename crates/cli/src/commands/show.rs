//! Shows the answers of `flipcost show`: as lines, as rows, or as a picture.

use super::args::OutputArgs;
use super::{Failure, QuestionCommand, answer};
use flipcost_endless::questions::EndlessTree;
use flipcost_one_draw::questions::{DecisionTree, Flowchart, Follow, LookupTable, Why};
use flipcost_question::{Answer, Query};
use flipcost_terminal::rows::{Format, Output};
use flipcost_terminal::terminal;

#[derive(clap::Args)]
pub struct ShowArgs {
    #[command(flatten)]
    output: OutputArgs,
}

impl QuestionCommand for ShowArgs {
    fn run(self, query: Query) -> Result<(), Failure> {
        let is_drawn =
            query.is::<DecisionTree>() || query.is::<Flowchart>() || query.is::<EndlessTree>();
        if query.is::<Why>() && self.output.format() == Format::Markdown {
            let answer = answer::collect(query)?;
            let proof = answer.foot.text.as_deref().unwrap_or_default();
            let text = answer::markdown_text(&answer, proof)?;
            Output::write_all(self.output.output.as_deref(), text.as_bytes())?;
            return answer::print_foot(&answer.foot);
        }
        if self.output.format.is_some() || self.output.output.is_some() {
            return answer::write(query, &self.output);
        }
        if query
            .downcast::<Follow>()
            .is_some_and(|asked| asked.rolls.trim().is_empty())
        {
            return Err(Failure::Input(
                "--rolls is empty: faces such as 6,3,4,3, or HTHHT for a coin, were expected"
                    .to_string(),
            ));
        }
        if is_drawn {
            let answer = answer::collect(query)?;
            return answer::print_page(&answer, &answer.to_text(flipcost_all::terminal())?);
        }
        if query.is::<Why>() {
            let answer = answer::collect(query)?;
            return answer::print_answer_text(
                &answer,
                answer.foot.text.as_deref().unwrap_or_default(),
            );
        }
        if query.is::<LookupTable>() && terminal::is_terminal() {
            let mut answer = answer::collect(query)?;
            number_rolls(&mut answer, terminal::output_width());
            let notes = answer
                .foot
                .render_notes(flipcost_all::terminal())
                .join("\n");
            answer.foot.notes.clear();
            return answer::show_with_footer(&answer, None, &notes);
        }
        answer::write(query, &self.output)
    }
}

/// Replaces the names of the columns of rolls by 1, 2, ... if the names do not fit into this width.
fn number_rolls(answer: &mut Answer, width: usize) {
    let columns = &mut answer.head.columns;
    let wide: usize = columns.iter().map(|column| column.name.len() + 2).sum();
    let rolls = columns.len().saturating_sub(1);
    if wide + "discard (early)".len() > width {
        for (i, column) in columns.iter_mut().take(rolls).enumerate() {
            column.name = (i + 1).to_string();
        }
        let note = format!("columns 1 to {rolls} are the rolls, in order");
        answer.foot.note(note);
    }
}
