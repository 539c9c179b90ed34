//! Shows the answers of `flipcost plan`.

use super::args::{self, OutputArgs};
use super::{Failure, QuestionCommand, answer, picture};
use flipcost_question::Query;
use flipcost_terminal::rows::Format;
use flipcost_terminal::rows::{Output, reader};
use flipcost_terminal::terminal;

#[derive(clap::Args)]
pub struct PlanArgs {
    #[command(flatten)]
    output: OutputArgs,
}

/// The width of a recipe that is written as a text, in characters.
const WIDTH: usize = 80;

impl QuestionCommand for PlanArgs {
    fn run(self, query: Query) -> Result<(), Failure> {
        if query.is::<flipcost_dice_set::questions::RecipeSteps>() {
            if self.output.format.is_some() || self.output.output.is_some() {
                return answer::write(query, &self.output);
            }
            let answer = answer::collect(query)?;
            // The answer about the steps with given rolls has rows and no text.
            let Some(text) = answer.foot.text.as_deref() else {
                return answer::write_answer(&answer, &self.output);
            };
            answer::print_answer_text(&answer, text)?;
            return answer::print_foot(&answer.foot);
        }
        let path = self.output.output.as_deref();
        let kind = path.and_then(|path| path.extension()?.to_str());
        let given = self.output.format;
        let written = match kind {
            Some("txt" | "md" | "svg" | "png") => given.is_none_or(|f| f == Format::Table),
            _ => self.output.format() == Format::Table,
        };
        if !written {
            return answer::write(query, &self.output);
        }
        let Some(question) = query.downcast::<flipcost_dice_set::questions::Plan>() else {
            unreachable!("each command asks its own question");
        };
        if !matches!(kind, Some("svg" | "png")) {
            args::refuse_picture(path)?;
        }
        let (control, bar) = answer::start_progress(&query);
        let sheet = control.run(|| question.sheet(&control));
        bar.finish_and_clear();
        let mut sheet = sheet?;
        let notes = std::mem::take(&mut sheet.notes);
        match (path, kind) {
            (Some(path), Some("svg" | "png")) => {
                picture::write_picture(path, || flipcost_dice_set::pictures::sheet::sheet(&sheet))
            }
            (Some(_), Some("md")) => Ok(Output::write_all(path, sheet.to_markdown().as_bytes())?),
            (None, _) if terminal::is_terminal() => {
                for (_, value) in &mut sheet.facts {
                    *value = reader::round_decimals(value);
                }
                let answer = answer::collect(query)?;
                answer::print_page(&answer, &sheet.to_text(terminal::output_width()))
            }
            _ => Ok(Output::write_all(path, sheet.to_text(WIDTH).as_bytes())?),
        }?;
        answer::print_notes(&notes);
        Ok(())
    }
}
