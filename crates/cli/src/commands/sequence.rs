//! `flipcost sequence`: the named sequences, and their terms.

use super::args::{self, OutputArgs};
use super::{Failure, remark};
use crate::rows::Output;
use clap::{Subcommand, ValueEnum};
use flipcost::number::BigInt;
use flipcost::sequences::{self, MOST_TERMS};
use flipcost::table::Cell;
use flipcost_oeis::draft::{self, Submission};
use flipcost_oeis::{bfile, internal, list};
use num_traits::ToPrimitive;
use std::path::PathBuf;

/// The terms of a named sequence, by A-number or by an id of ours such as mr-period:base=3
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Sequence {
    #[command(subcommand)]
    action: Option<Action>,
    #[command(flatten)]
    terms: Terms,
}

#[derive(Subcommand)]
enum Action {
    List(List),
}

/// Name every sequence: id, A-number, offset, title, definition
#[derive(clap::Args)]
struct List {
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(clap::Args)]
struct Terms {
    /// Its A-number, or our own id
    #[arg(value_name = "ID", required = true)]
    id: Option<String>,
    /// How many terms, from the first index on [default: 50]
    #[arg(short, long, value_name = "K", value_parser = args::positive, allow_negative_numbers = true, conflicts_with = "to")]
    terms: Option<u64>,
    /// The first index [default: the offset of the sequence]
    #[arg(long, value_name = "A", value_parser = args::word, allow_negative_numbers = true)]
    from: Option<u64>,
    /// The last index
    #[arg(long, value_name = "B", value_parser = args::word, allow_negative_numbers = true)]
    to: Option<u64>,
    /// How terms are written
    #[arg(short, long, default_value = "list")]
    format: SequenceFormat,
    /// Write to a file, which appears whole or not at all
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SequenceFormat {
    /// 1, 1, 2
    List,
    /// Lines `n a(n)`
    BFile,
    /// An entry in the OEIS's internal format, with as many terms as it asks for
    Internal,
    /// One JSON object per line; terms beyond 2^53 are strings
    Jsonl,
}

impl Sequence {
    pub fn run(self) -> Result<(), Failure> {
        match self.action {
            Some(Action::List(list)) => list.run(),
            None => self.terms.run(),
        }
    }
}

impl List {
    fn run(self) -> Result<(), Failure> {
        let text = |text: &str| Cell::Text(text.to_string());
        let row = |sequence: sequences::Sequence| {
            let number = sequence.a_number();
            vec![
                text(sequence.id()),
                number.map_or(Cell::Empty, |number| Cell::Text(number.to_string())),
                Cell::Integer(sequence.offset().into()),
                text(&sequence.description().title),
                text(&sequence.description().definition),
            ]
        };
        let rows: Vec<Vec<Cell>> = sequences::all().into_iter().map(row).collect();
        let headers = ["id", "a_number", "offset", "title", "definition"];
        self.output.write(&headers, &rows)
    }
}

impl Terms {
    fn run(self) -> Result<(), Failure> {
        let id = self.id.as_deref().unwrap_or_default();
        let sequence = sequences::find(id).map_err(Failure::input)?;
        let from = self.from.unwrap_or(sequence.offset());
        let to = match (self.terms, self.to) {
            (_, Some(to)) => to,
            (terms, None) => from.saturating_add(terms.unwrap_or(50) - 1),
        };
        if from > to {
            let what = format!(
                "--from {from} --to {to} is reversed: the first index must not be above the last"
            );
            return Err(Failure::Input(what));
        }
        if to - from >= MOST_TERMS {
            let what = format!("{MOST_TERMS} terms are the most at once: ask for a smaller range");
            return Err(Failure::Input(what));
        }
        let terms = sequence.terms(from..=to).map_err(Failure::input)?;
        let entry = match self.format {
            SequenceFormat::Internal => {
                let mut entry = crate::entry::entry(&sequence);
                entry.offset = from as i64;
                let shown = terms[..draft::data_length(&terms)].to_vec();
                if shown.len() < terms.len() {
                    remark(&format!(
                        "an entry takes about {} characters of terms: {} of the {} are in it",
                        draft::DATA_CHARACTERS,
                        shown.len(),
                        terms.len()
                    ));
                }
                let unsigned = Submission {
                    signed: false,
                    ..Submission::default()
                };
                let made = draft::draft(&entry, shown, &unsigned);
                Some(made.map_err(Failure::input)?.entry)
            }
            _ => None,
        };
        let mut output = Output::open(self.output.as_deref())?;
        output.with(|mut out| match (self.format, &entry) {
            (SequenceFormat::BFile, _) => bfile::write(&mut out, &[], from as i64, &terms),
            (SequenceFormat::Jsonl, _) => (from..)
                .zip(&terms)
                .try_for_each(|(n, term)| writeln!(out, "{{\"n\":{n},\"a\":{}}}", json(term))),
            (SequenceFormat::Internal, Some(entry)) => {
                internal::write(&mut out, entry, internal::Signs::InPlace)
            }
            _ => list::write(&mut out, &terms),
        })?;
        Ok(output.finish()?)
    }
}

/// A number that every JSON reader takes exactly, else a string.
fn json(term: &BigInt) -> String {
    match term.to_i64() {
        Some(small) if small.unsigned_abs() <= 1 << 53 => small.to_string(),
        _ => format!("\"{term}\""),
    }
}
