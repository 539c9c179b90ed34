//! The files that studies compare with, in the program.

use super::embedded::TEXTS;
use std::path::Path;

/// The text of a file that studies compare with, where there is none below this root.
pub(crate) fn embedded_text(root: &Path, file: &str) -> Option<&'static str> {
    let text = TEXTS.get(&file.replacen("data/reference", "data", 1))?;
    (!root.join(file).exists()).then_some(text)
}
