//! `flipcost flowchart`: the rounds of the fast dice roller.

use super::args::{self, SourceArg};
use super::{Failure, cost::short};
use crate::rows::Output;
use flipcost::algorithms;
use flipcost::number::BigUint;
use flipcost::task::Task;
use flipcost_oeis::text::counted;
use std::path::{Path, PathBuf};

/// The flow chart of the fast dice roller: the rounds, and where the cycle closes
#[derive(clap::Args)]
pub struct Flowchart {
    /// Sides of the target
    #[arg(value_name = "N", value_parser = args::target, allow_negative_numbers = true)]
    n: BigUint,
    #[command(flatten)]
    source: SourceArg,
    /// Write a picture instead: the name ends in .svg, .png or .dot
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// The most rounds that a text can hold.
const MOST_LINES: usize = 10_000;
/// The most rounds that a picture can hold.
const MOST_DRAWN: usize = 200;

/// The flow chart of these dice as plain data for the figures.
pub fn describe(
    dice: &Task,
    most: usize,
) -> Result<(algorithms::FlowChart, flipcost_figures::FlowChart), Failure> {
    let chart =
        algorithms::flow_chart(dice.fair().map_err(Failure::input)?, most).ok_or_else(|| {
            let n = short(dice.target().weight_sum());
            Failure::Input(format!(
                "the flow chart of n = {n} has more than {most} rounds: choose a smaller n"
            ))
        })?;
    let described = crate::studies::picture_of_flow_chart(dice, &chart);
    Ok((chart, described))
}

/// Is this the name of a picture? Said before anything is computed.
pub fn check(path: &Path, dot: bool) -> Result<(), Failure> {
    let kind = path.extension().and_then(|extension| extension.to_str());
    match kind {
        Some("svg" | "png") => Ok(()),
        Some("dot") if dot => Ok(()),
        _ => Err(Failure::Input(format!(
            "\"{}\" is not a picture's name: it must end in {}",
            path.display(),
            if dot {
                ".svg, .png or .dot"
            } else {
                ".svg or .png"
            }
        ))),
    }
}

/// Writes a picture as its file's name asks; `dot` is the text of a graph, where there is one.
pub fn write<E: std::fmt::Display>(
    path: &Path,
    dot: Option<&dyn Fn() -> String>,
    draw: impl FnOnce() -> Result<flipcost_figures::Drawing, E>,
) -> Result<(), Failure> {
    let kind = path.extension().and_then(|extension| extension.to_str());
    let bytes = match (kind, dot) {
        (Some("svg"), _) => draw().map_err(Failure::input)?.svg().as_bytes().to_vec(),
        (Some("png"), _) => {
            let drawing = draw().map_err(Failure::input)?;
            drawing.png(2.0).map_err(Failure::input)?
        }
        (Some("dot"), Some(dot)) => dot().into_bytes(),
        (_, dot) => {
            let kinds = match dot {
                Some(_) => ".svg, .png or .dot",
                None => ".svg or .png",
            };
            return Err(Failure::Input(format!(
                "\"{}\" is not a picture's name: it must end in {kinds}",
                path.display()
            )));
        }
    };
    Ok(Output::write_all(Some(path), &bytes)?)
}

impl Flowchart {
    pub fn run(self) -> Result<(), Failure> {
        let dice = Task::dice(self.source.source, self.n.clone()).map_err(Failure::input)?;
        let Some(path) = self.output else {
            let (chart, described) = describe(&dice, MOST_LINES)?;
            let unit = dice.source().unit().singular();
            let rounds = |count: usize| counted(count as u64, "round");
            let mut text = described.to_text();
            text += &match chart.back_to {
                Some(_) => format!(
                    "{} in {} before the cycle, {} in {} in it\n",
                    counted(chart.rolls_before(), unit),
                    rounds(chart.rounds_before()),
                    counted(chart.rolls_in_cycle(), unit),
                    rounds(chart.rounds_in_cycle())
                ),
                None => format!(
                    "no cycle: at most {} in {}\n",
                    counted(chart.rolls_before(), unit),
                    rounds(chart.rounds.len())
                ),
            };
            return Ok(Output::write_all(None, text.as_bytes())?);
        };
        let (_, described) = describe(&dice, MOST_DRAWN)?;
        write(&path, Some(&|| described.to_dot()), || described.draw())
    }
}
