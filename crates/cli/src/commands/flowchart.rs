//! `flipcost flowchart`: the rounds of the fast dice roller.

use super::args::{self, SourceArg};
use super::{Failure, answer};
use crate::rows::Output;
use crate::screen;
use flipcost_figures::Drawing;
use flipcost_pictures::PictureError;
use flipcost_query::{Answer, Door, Natural, Query};
use std::path::{Path, PathBuf};

/// The flow chart of the fast dice roller: the rounds, and where the cycle closes
///
/// In arithmetic a roll counts as its face less 1: heads, face 1 of a coin, is 0, and tails is 1.
#[derive(clap::Args)]
pub struct Flowchart {
    /// Sides of the target
    #[arg(value_name = "N", value_parser = args::natural, allow_negative_numbers = true)]
    n: Natural,
    #[command(flatten)]
    source: SourceArg,
    /// Write a picture instead: the name ends in .svg, .png or .dot
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Flowchart {
    pub fn query(&self) -> Result<Query, Failure> {
        let (n, source) = (self.n.clone(), self.source.source);
        Ok(flipcost_query::Flowchart { target: n, source }.into())
    }

    pub fn run(self) -> Result<(), Failure> {
        let picture = self.output.as_deref();
        picture.map_or(Ok(()), |path| check(path, true))?;
        let answer = answer::collect(self.query()?)?;
        show(&answer, self.output.as_deref())
    }
}

/// Writes an answer as lines, or as the picture or graph that the file's extension names.
pub fn show(answer: &Answer, path: Option<&Path>) -> Result<(), Failure> {
    match path {
        Some(path) => {
            write(path, Some(&|| flipcost_pictures::dot(answer)), || {
                flipcost_pictures::draw(answer)
            })?;
            answer::conclude(&answer.foot)
        }
        None => {
            let text = flipcost_pictures::text(answer, Door::Terminal)?;
            Ok(screen::print(&text)?)
        }
    }
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

/// Writes a picture in the format of its file's extension; `dot` is the text of a graph, where
/// there is one.
pub fn write<E: Into<PictureError>>(
    path: &Path,
    dot: Option<&dyn Fn() -> Result<String, PictureError>>,
    draw: impl FnOnce() -> Result<Drawing, E>,
) -> Result<(), Failure> {
    let kind = path.extension().and_then(|extension| extension.to_str());
    let draw = || draw().map_err(E::into);
    let bytes = match (kind, dot) {
        (Some("svg"), _) => draw()?.svg().as_bytes().to_vec(),
        (Some("png"), _) => {
            let drawing = draw()?;
            drawing.png(2.0).map_err(Failure::input)?
        }
        (Some("dot"), Some(dot)) => dot()?.into_bytes(),
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
