//! `flipcost sequence`: the terms of a named sequence.

use super::Failure;
use super::args;
use crate::oeis;
use crate::sequences;
use crate::table::Output;
use clap::ValueEnum;
use std::path::PathBuf;

/// The terms of a named sequence
#[derive(clap::Args)]
pub struct Sequence {
    /// Its A-number, or our own id
    #[arg(value_name = "ID")]
    id: String,
    /// How many terms
    #[arg(short, long, value_name = "K", default_value = "50", value_parser = args::positive, allow_negative_numbers = true)]
    terms: u64,
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
}

impl Sequence {
    pub fn run(self) -> Result<(), Failure> {
        let sequence = sequences::find(&self.id).ok_or_else(|| {
            let known: Vec<&str> = sequences::REGISTRY
                .iter()
                .map(|s| s.a_number.unwrap_or(s.id))
                .collect();
            Failure::Input(format!(
                "\"{}\" is not a known sequence: choose one of {}",
                self.id,
                known.join(", ")
            ))
        })?;
        let last = sequence.offset + (self.terms - 1);
        let terms = (sequence.terms)(sequence.offset..=last);
        let mut output = Output::open(self.output.as_deref())?;
        output.with(|mut out| match self.format {
            SequenceFormat::List => oeis::list::write(&mut out, &terms),
            SequenceFormat::BFile => {
                oeis::bfile::write(&mut out, &[], sequence.offset as i64, &terms)
            }
        })?;
        Ok(output.finish()?)
    }
}
