//! Writes answers as pictures to files.

use super::Failure;
use flipcost_figures::Drawing;
use flipcost_question::PictureError;
use flipcost_terminal::rows::Output;
use std::path::Path;

/// Checks that this is the name of a picture, before anything is computed.
pub fn check_picture_path(path: &Path) -> Result<(), Failure> {
    let kind = path.extension().and_then(|extension| extension.to_str());
    match kind {
        Some("svg" | "png") => Ok(()),
        _ => Err(Failure::Input(format!(
            "\"{}\" is not a picture's name: it must end in .svg or .png",
            path.display()
        ))),
    }
}

/// Writes a picture in the format that the file's extension names.
pub fn write_picture<E: Into<PictureError>>(
    path: &Path,
    draw: impl FnOnce() -> Result<Drawing, E>,
) -> Result<(), Failure> {
    check_picture_path(path)?;
    let drawing = draw().map_err(E::into)?;
    let bytes = if path.extension().is_some_and(|kind| kind == "svg") {
        drawing.svg().into_bytes()
    } else {
        drawing.png(2.0).map_err(Failure::input)?
    };
    Ok(Output::write_all(Some(path), &bytes)?)
}
