//! The kinds of documents: one file each, and one line of the list below beside its `mod`.
//!
//! A document is a text in Markdown, `data/STUDY/NAME.md`, and where it is a table also its
//! numbers, `NAME.csv`. A new kind is a struct that serde reads and that implements [`Compose`].

mod library_table;
mod library_versions;
mod questions;

use super::compose::Compose;
use super::tagged::tagged;

tagged! {
    /// A document: an item of the list of its kind, `[[questions]]`, `[[library-table]]`, ...
    pub enum Document: Compose {
        "questions" => Questions(questions::Questions),
        "library-table" => LibraryTable(library_table::LibraryTable),
        "library-versions" => LibraryVersions(library_versions::LibraryVersions),
    }
}
