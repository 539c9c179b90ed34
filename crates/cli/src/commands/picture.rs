//! Answers as pictures in files: trees, flow charts, and what other commands draw.

use super::{Failure, Shown, answer};
use flipcost_figures::Drawing;
use flipcost_question::PictureError;
use flipcost_question::{Answer, Door, Query};
use flipcost_terminal::rows::Output;
use flipcost_terminal::screen;
use std::path::{Path, PathBuf};

/// How `flipcost tree` and `flipcost flowchart` show their answers.
#[derive(clap::Args)]
pub struct Picture {
    /// Write a picture instead: the name ends in .svg or .png
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Shown for Picture {
    fn run(self, query: Query) -> Result<(), Failure> {
        let picture = self.output.as_deref();
        picture.map_or(Ok(()), check)?;
        let answer = answer::collect(query)?;
        show(&answer, self.output.as_deref())
    }
}

/// Writes an answer as lines, or as the picture that the file's extension names.
pub fn show(answer: &Answer, path: Option<&Path>) -> Result<(), Failure> {
    match path {
        Some(path) => {
            write(path, || answer.draw())?;
            answer::conclude(&answer.foot)
        }
        None => {
            let text = answer.to_text(Door::Terminal)?;
            Ok(screen::print(&text)?)
        }
    }
}

/// Is this the name of a picture? Said before anything is computed.
pub fn check(path: &Path) -> Result<(), Failure> {
    let kind = path.extension().and_then(|extension| extension.to_str());
    match kind {
        Some("svg" | "png") => Ok(()),
        _ => Err(Failure::Input(format!(
            "\"{}\" is not a picture's name: it must end in .svg or .png",
            path.display()
        ))),
    }
}

/// Writes a picture in the format of its file's extension.
pub fn write<E: Into<PictureError>>(
    path: &Path,
    draw: impl FnOnce() -> Result<Drawing, E>,
) -> Result<(), Failure> {
    check(path)?;
    let drawing = draw().map_err(E::into)?;
    let bytes = if path.extension().is_some_and(|kind| kind == "svg") {
        drawing.svg().as_bytes().to_vec()
    } else {
        drawing.png(2.0).map_err(Failure::input)?
    };
    Ok(Output::write_all(Some(path), &bytes)?)
}
