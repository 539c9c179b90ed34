//! The document `questions`: see [`Questions`].

use crate::compose::{Compose, DocumentContents};
use crate::error::{Mistake, StudyError};
use crate::limits::{MAX_ANSWER_BYTES, MAX_ANSWER_WORK, MAX_COMMANDS, check_at_most};
use crate::values::{FigureName, FromText, Line, read_from_text};
use flipcost_question::{Answer, Control, Query, Verdict};
use flipcost_terminal::question;
use flipcost_terminal::rows::reader::{self, TableStyle};
use flipcost_terminal::screen;
use schemars::JsonSchema;
use serde::Deserialize;
use std::fmt::Write;

/// Questions that people asked. The document shows the command lines that answer each question and
/// what they print, computed when the study runs.
///
/// ```toml
/// [[questions]]
/// name = "answers"
/// title = "Questions about dice from coins"
///
/// [[questions.asked]]
/// question = "Is a fixed number of tosses enough for a d6?"
/// asked-in = "a forum"
/// commands = ["flipcost cost 6..6 -a bounded -c possible,missing_prime"]
/// note = "It is not."
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Questions {
    name: FigureName,
    title: Line,
    /// The questions, in order.
    asked: Vec<QuestionEntry>,
}

/// A question with the command lines that answer it.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct QuestionEntry {
    /// The question, in the words of the person.
    question: Line,
    /// The person who asked the question, and the place.
    asked_in: Line,
    /// The command lines that answer the question.
    commands: Vec<CommandQuery>,
    /// A note about the answers.
    note: Option<Line>,
}

/// A command line, parsed into its question.
struct CommandQuery(Query);

impl FromText for CommandQuery {
    const WHAT: &'static str = "a command line, such as \"flipcost cost 6\"";

    fn read(text: &str) -> Result<Self, Mistake> {
        let Line(line) = Line::read(text)?;
        let words = shlex::split(&line).ok_or_else(|| {
            Mistake::new(format!("the command line \"{line}\" has an open quote"))
        })?;
        if words.first().is_none_or(|word| word != "flipcost") {
            let what = "is not a command line of this program";
            let mistake = Mistake::new(format!("\"{line}\" {what}"));
            return Err(mistake.right("a command line begins with flipcost"));
        }
        // A study must be complete in itself, so it may not depend on the contents of a file.
        if let Some(word) = words.iter().find(|word| word.starts_with('@')) {
            let mistake = Mistake::new(format!("\"{word}\" names a file"));
            return Err(mistake.right("write the weights themselves in a study"));
        }
        let query = question::query_from_words(words.into_iter().map(Into::into));
        query
            .map(CommandQuery)
            .map_err(|what| Mistake::new(format!("\"{line}\": {what}")))
    }
}

read_from_text!(CommandQuery);

/// The width of the printed answers, in letters.
const WIDTH: usize = 80;

impl CommandQuery {
    /// Returns the command line, followed by the answer as a terminal shows it.
    fn render_with_answer(&self) -> Result<String, StudyError> {
        let line = self.0.command().to_string();
        let place = |error: StudyError| error.with_place(format!("`{line}`"));
        let estimate = self.0.estimate();
        for (asked, what, most) in [
            (estimate.work, "operations", MAX_ANSWER_WORK),
            (estimate.output, "bytes of output", MAX_ANSWER_BYTES),
        ] {
            check_at_most("commands", asked.try_into().unwrap_or(u64::MAX), what, most)
                .map_err(place)?;
        }
        let answer = self.0.answer(&Control::default());
        let answer = answer
            .map_err(|error| place(Mistake::new(error.render(flipcost_all::terminal())).into()))?;
        Ok(format!("$ {line}\n{}", render_answer(&answer)))
    }
}

/// Renders an answer as a terminal shows it, with its notes below.
fn render_answer(answer: &Answer) -> String {
    let look = TableStyle {
        width: WIDTH,
        color: false,
        best: None,
    };
    let foot = &answer.foot;
    // A text of several lines replaces the rows. A text of one line is printed above the rows.
    let page = (foot.text.as_ref()).filter(|text| text.trim_end().contains('\n'));
    let mut text = screen::fold_line(&answer.summary(), WIDTH, 0) + "\n\n";
    text += &match page {
        Some(page) => page.trim_end().to_string() + "\n",
        None => reader::format_table(&answer.head.columns, &answer.rows, &look),
    };
    let line = foot.text.as_ref().filter(|_| page.is_none());
    let line = line.map(|text| text.trim_end().to_string());
    let notes = line
        .into_iter()
        .chain(foot.render_notes(flipcost_all::terminal()));
    let mut lines: Vec<String> = notes.map(|note| format!("note: {note}")).collect();
    if let Some(Verdict::Fails(sentence)) = &foot.verdict {
        lines.push(format!("error: {sentence}"));
    }
    for line in lines {
        text += &screen::fold_line(&line, WIDTH, 2);
        text.push('\n');
    }
    text
}

impl Compose for Questions {
    fn name(&self) -> &str {
        &self.name.0
    }

    fn title(&self) -> &str {
        &self.title.0
    }

    fn compose(&self) -> Result<DocumentContents, StudyError> {
        let commands = self.asked.iter().map(|asked| asked.commands.len() as u64);
        check_at_most("commands", commands.sum(), "command lines", MAX_COMMANDS)?;
        let mut text = String::new();
        for (number, asked) in (1..).zip(&self.asked) {
            let (question, place) = (&asked.question.0, &asked.asked_in.0);
            let answered = asked.commands.iter().map(CommandQuery::render_with_answer);
            let answered = answered.collect::<Result<Vec<_>, _>>()?.join("\n");
            write!(
                text,
                "\n## {number}. {question}\n\nAsked in: {place}.\n\n```console\n{answered}```\n"
            )
            .expect("memory takes every byte");
            if let Some(Line(note)) = &asked.note {
                write!(text, "\n{note}\n").expect("memory takes every byte");
            }
        }
        Ok(DocumentContents { text, table: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(line: &str) -> String {
        let read = CommandQuery::read(line);
        read.err()
            .map(|error| error.to_string())
            .unwrap_or_default()
    }

    #[test]
    fn a_command_line_is_parsed_as_a_question() {
        let command = CommandQuery::read("flipcost cost 6 -a fdr -c 'algorithm,expected_exact'");
        let answered = command.unwrap().render_with_answer().unwrap();
        // 11/3: Knuth & Yao 1976
        assert_eq!(
            answered,
            "$ flipcost cost 6 --algorithm fast-dice-roller --columns algorithm,expected_exact\n\
             A d6 from a coin takes 11/3 ≈ 3.667 flips on average by the fast dice roller; no\nmethod takes fewer.\n\n\
             algorithm         expected_exact\nfast-dice-roller            11/3\n\nIn flips: expected_exact\n"
        );
        assert!(refusal("cost 6").contains("begins with flipcost"));
        assert!(refusal("flipcost cost 'six").contains("open quote"));
        assert!(refusal("flipcost cost").contains("flipcost cost"));
        assert!(refusal("flipcost cost @weights").contains("names a file"));
        let words = refusal("flipcost list words");
        assert!(words.contains("does not ask a question"), "{words}");
    }

    #[test]
    fn long_work_is_refused() {
        let long = CommandQuery::read("flipcost cost 1..10^12").unwrap();
        let refused = long.render_with_answer().unwrap_err().to_string();
        assert!(refused.contains("too many for a study"), "{refused}");
    }
}
