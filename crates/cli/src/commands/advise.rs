//! Shows the answers of `flipcost advise`: a page, rows, or only the function.

use super::args::OutputArgs;
use super::{Failure, QuestionCommand, answer, page};
use clap::ArgMatches;
use flipcost_all::questions::{Advise, CodeLanguage};
use flipcost_question::{Answer, Query};
use flipcost_terminal::question;
use flipcost_terminal::rows::Output;
use flipcost_terminal::screen::print_remark;

#[derive(clap::Args)]
pub struct AdviseArgs {
    /// Flip a coin, which is also the default source
    #[arg(long, conflicts_with_all = ["dice", "source"])]
    coin: bool,
    /// Print only the function; -o with a name such as die.c does the same
    #[arg(long, conflicts_with = "format")]
    code: bool,
    #[command(flatten)]
    output: OutputArgs,
}

impl AdviseArgs {
    /// Returns the language that the file's extension names, unless `--format` requests rows.
    fn language_of_file(&self) -> Option<CodeLanguage> {
        if self.output.format.is_some() {
            return None;
        }
        let extension = self.output.output.as_deref()?.extension()?.to_str()?;
        CodeLanguage::of_extension(extension)
    }
}

impl QuestionCommand for AdviseArgs {
    fn ask(&self, name: &str, matches: &ArgMatches) -> Result<Query, Failure> {
        let named = matches.try_get_one::<String>("language").ok().flatten();
        let of_file = self.language_of_file();
        match (named, of_file) {
            (Some(named), Some(of_file)) if *named != of_file.name() => {
                let path = self
                    .output
                    .output
                    .as_deref()
                    .unwrap_or("".as_ref())
                    .display();
                return Err(Failure::Input(format!(
                    "\"{path}\" is the name of a file in {}, and --language is {named}: name the same language in both",
                    of_file.title()
                )));
            }
            (None, None) if self.code => {
                let known: Vec<&str> = CodeLanguage::ALL.iter().map(|one| one.name()).collect();
                return Err(Failure::Input(format!(
                    "--code prints a function, but no language is named: add --language with one of {}",
                    known.join(", ")
                )));
            }
            _ => {}
        }
        let of_file = of_file.filter(|_| named.is_none());
        let language = of_file.map(|of_file| ("language".to_string(), of_file.name().into()));
        let more = language.into_iter().collect();
        question::query_from_matches(name, matches, more).map_err(Failure::Input)
    }

    fn run(self, query: Query) -> Result<(), Failure> {
        if !self.code && self.language_of_file().is_none() {
            return page::write_page_or_rows(query, &self.output);
        }
        let answer = answer::collect(query)?;
        let code = recommended_function(&answer)?;
        Ok(Output::write_all(
            self.output.output.as_deref(),
            code.as_bytes(),
        )?)
    }
}

/// The function of the recommended method, or of the best method that has one.
fn recommended_function(answer: &Answer) -> Result<String, Failure> {
    let advised = answer.query.downcast::<Advise>();
    let language = advised.and_then(|advised| advised.language);
    let language = language.map_or("", CodeLanguage::title);
    let code = |row: &usize| answer.cell(*row, "code").to_string();
    let written = (0..answer.rows.len()).find(|row| !code(row).is_empty());
    let Some(row) = written else {
        return Err(Failure::Input(format!(
            "flipcost has no function in {language} for any of these methods: the page, without --code, explains how to do each"
        )));
    };
    if row > 0 {
        let cost = answer.measure(row, "expected").unwrap_or_default();
        print_remark(&format!(
            "flipcost has no function in {language} for {}: this one is for {}, {cost} on average",
            answer.cell(0, "method"),
            answer.cell(row, "method")
        ));
    }
    Ok(code(&row) + "\n")
}
