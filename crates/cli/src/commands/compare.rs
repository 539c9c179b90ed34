//! How `flipcost compare` shows its answer.

use super::args::OutputArgs;
use super::{Failure, Shown, answer, picture};
use flipcost_question::Query;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Compare {
    /// Draw a heat map of the toll in bits as well: the name ends in .svg or .png (-o with such a
    /// name does the same)
    #[arg(long, value_name = "FILE")]
    chart: Option<PathBuf>,
    #[command(flatten)]
    output: OutputArgs,
}

impl Shown for Compare {
    fn run(mut self, query: Query) -> Result<(), Failure> {
        let chart = self.chart.take().or_else(|| self.output.take_picture());
        let answer = answer::collect(query)?;
        if let Some(path) = &chart {
            picture::write(path, || {
                flipcost_one_draw::pictures::heat_map::compare(&answer)
            })?;
        }
        answer::write_answer(&answer, &self.output)
    }
}
