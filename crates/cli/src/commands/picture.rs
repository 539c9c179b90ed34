//! Answers as pictures in files.

use super::Failure;
use flipcost_figures::Drawing;
use flipcost_question::PictureError;
use flipcost_terminal::rows::Output;
use std::path::Path;

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
