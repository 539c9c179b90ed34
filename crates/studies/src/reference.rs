//! The files that studies compare with, in the program.

use std::path::Path;

/// The files by their places in a checkout.
const REFERENCES: [(&str, &str); 1] = [(
    "data/reference/a136043.txt",
    include_str!("../data/a136043.txt"),
)];

/// The text of a file that studies compare with, where there is none below this root.
pub(crate) fn embedded_text(root: &Path, file: &str) -> Option<&'static str> {
    let embedded = REFERENCES.iter().find(|(name, _)| *name == file);
    let (_, text) = embedded.filter(|_| !root.join(file).exists())?;
    Some(text)
}
