//! How `flipcost export` shows its answers: a model, or a whole family of them.

use super::args::OutputArgs;
use super::folder::Folder;
use super::{Failure, QuestionCommand, answer};
use flipcost::algorithms::FAST_DICE_ROLLER;
use flipcost::table::{Cell, Integer};
use flipcost::task::Task;
use flipcost_models::{Language, MOST_TRANSITIONS, Model, family, write};
use flipcost_question::{Answer, Query};
use flipcost_terminal::{rows, screen, terminal};
use std::path::PathBuf;

// With --family and without --folder the answers, a row for each n. With a folder: KY.prism, the family as one program
// with the constant n; answers.csv and answers.json; and models/KY-n.drn, the explicit model, where it
// has at most --explicit states. The folder appears whole: until then FOLDER.part holds what there is,
// and the same command goes on from there.
#[derive(clap::Args)]
pub struct ExportArgs {
    /// Write the models and the answers of the family into this folder
    #[arg(long, value_name = "FOLDER", requires = "family")]
    folder: Option<PathBuf>,
    /// The most states of a model that is written explicitly, with --folder [default: 10000, about
    /// 100 MB in all; 500000 writes every one, about 4 GB]
    #[arg(long, value_name = "S", value_parser = crate::numbers::positive, allow_negative_numbers = true, requires = "folder")]
    explicit: Option<u64>,
    #[command(flatten)]
    output: OutputArgs,
}

impl QuestionCommand for ExportArgs {
    fn run(self, query: Query) -> Result<(), Failure> {
        if query.is::<flipcost_models::questions::ModelFamily>() {
            return self.family(query);
        }
        if self.output.format.is_some() {
            return Err(Failure::Input(
                "a model is a text in its own language: --format is that of the rows of --family"
                    .to_string(),
            ));
        }
        let answer = answer::collect(query)?;
        let text = answer.foot.text.as_deref().unwrap_or_default();
        match self.output.output.as_deref() {
            None => answer::print_page(&answer, text),
            path => Ok(screen::print_or_write(path, text)?),
        }
    }
}

/// The most states of a model that is written explicitly, unless another number is named.
const EXPLICIT: u64 = 10_000;

/// What is said of the folder in it.
const ABOUT: &str = "\
# KY-n

The optimal tree of Knuth and Yao (1976) for a coin and a fair die of n sides, as a discrete-time Markov chain: the
fast dice roller of Lumbroso (2013) walks it. A benchmark for model checkers whose exact answers are known from number
theory and not from solving the chain.

- `KY.prism`: the family as one program of the PRISM language with the constant n.
- `answers.csv`, `answers.json`: for each n the states and transitions of the chain (final ones included), the period
  of 2^t mod n, and what a model checker should answer, as reduced fractions: `R{\"flips\"}=? [F \"done\"]` is
  expected_exact, the variance of the flips is variance_exact, and `P=? [F v=n & c=i]` is probability_exact for every
  i below n.
- `models/KY-n.drn`: the explicit chain in the format of Storm, for those n whose chain is small; `R{\"rolls\"}=?
  [F \"done\"]` and `P=? [F \"outcome_i\"]`.

";

impl ExportArgs {
    fn family(self, query: Query) -> Result<(), Failure> {
        let Some(folder) = &self.folder else {
            return answer::write(query, &self.output);
        };
        if self.output.output.is_some() || self.output.format.is_some() {
            return Err(Failure::Input(
                "--folder writes answers.csv and answers.json: without it --output and --format say where and how".to_string(),
            ));
        }
        let explicit = self.explicit.unwrap_or(EXPLICIT);
        let made = format!("{} --folder FOLDER --explicit {explicit}", query.command());
        let folder = Folder::begin(folder, &made)?;
        if terminal::is_read() {
            terminal::sum_up_files();
        }
        let answer = answer::collect(query)?;
        let headers = answer.head.names();
        for (name, format) in [
            ("answers.csv", rows::Format::Csv),
            ("answers.json", rows::Format::Json),
        ] {
            if !folder.has(name) {
                rows::write(Some(&folder.path(name)), format, &headers, &answer.rows)?;
            }
        }
        write_models(&folder, &answer, explicit)?;
        folder.write_file("KY.prism", family::PRISM.as_bytes())?;
        let made = format!(
            "Made by `{made}` of flipcost {}.\n",
            env!("CARGO_PKG_VERSION")
        );
        folder.write_file("README.md", (ABOUT.to_string() + made.as_str()).as_bytes())?;
        folder.finish(&format!(
            "answers.csv and answers.json of {} models, KY.prism for all of them, and models/ with the smaller ones",
            answer.rows.len()
        ))
    }
}

/// The explicit models of at most so many states; one that is there is whole.
fn write_models(folder: &Folder, answer: &Answer, explicit: u64) -> Result<(), Failure> {
    let column = |name: &'static str| -> Vec<u64> {
        let cells = answer.column(name).expect("a column of the family");
        let number = |cell: &Cell| match cell {
            Cell::Integer(Integer::Word(count)) => *count,
            other => unreachable!("{other} is no count"),
        };
        cells.map(number).collect()
    };
    let sizes = column("states").into_iter().zip(column("transitions"));
    let bar = crate::progress_bar::bar(answer.rows.len() as u64);
    folder.make("models")?;
    for (n, (states, transitions)) in column("n").into_iter().zip(sizes) {
        bar.inc(1);
        let file = format!("models/{}.drn", family::name(n));
        let too_large = states > explicit || transitions > MOST_TRANSITIONS as u64;
        if too_large || folder.has(&file) {
            continue;
        }
        let task = Task::dice(2u8, n).map_err(Failure::input)?;
        let model = Model::from_algorithm(FAST_DICE_ROLLER, &task).map_err(Failure::input)?;
        folder.write_file(&file, write(&model, Language::Drn).as_bytes())?;
    }
    bar.finish_and_clear();
    Ok(())
}
