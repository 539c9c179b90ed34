//! The texts that the build script packed into the program: studies, the rules that they name, and
//! the files that studies compare with.

use flipcost_question::text::unpack_texts;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;

/// The embedded texts, by their paths.
pub(crate) static TEXTS: LazyLock<BTreeMap<String, String>> =
    LazyLock::new(|| unpack_texts(include_bytes!(concat!(env!("OUT_DIR"), "/texts.gz"))));

/// Returns the embedded text of a file that studies compare with; `None` if the file exists below
/// `root`, or if it is not embedded.
pub(crate) fn embedded_text(root: &Path, file: &str) -> Option<&'static str> {
    let text = TEXTS.get(file)?;
    (!root.join(file).exists()).then_some(text)
}
