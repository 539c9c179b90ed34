//! The DOT language of Graphviz.

/// A string as DOT writes it.
pub(super) fn quote(text: &str) -> String {
    format!(
        "\"{}\"",
        text.replace('\\', "\\\\")
            .replace('"', "\\\"")
            .replace('\n', "\\n")
    )
}
