//! `flipcost merge`: the shards of a sweep become one file.

use super::Failure;
use crate::sweep::shard::{MergeError, Shards};
use flipcost_terminal::rows::Output;
use std::path::PathBuf;

/// Put the shards of a sweep together: byte for byte what one run writes
#[derive(clap::Args)]
pub struct Merge {
    /// All the files that `sweep --shard 1/K`, ..., `--shard K/K` wrote, in any order
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Write to a file, which appears whole or not at all
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl From<MergeError> for Failure {
    fn from(error: MergeError) -> Self {
        Failure::input(error)
    }
}

impl Merge {
    pub fn run(self) -> Result<(), Failure> {
        let shards = Shards::find(&self.files)?;
        let place = |path: &PathBuf| std::fs::canonicalize(path).ok();
        let to = self.output.as_ref().and_then(place);
        if to.is_some() && self.files.iter().any(|file| place(file) == to) {
            let to = to.unwrap_or_default();
            return Err(Failure::Input(format!(
                "\"{}\" is one of the shards: choose another file for the whole",
                to.display()
            )));
        }
        let mut output = Output::open(self.output.as_deref())?;
        shards.merge(|bytes| Ok::<(), Failure>(output.with(|out| out.write_all(bytes))?))?;
        Ok(output.finish()?)
    }
}
