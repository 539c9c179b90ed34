//! The kinds of documents. Each kind has its own file, a line in the list below, and a `mod`.
//!
//! A document is a text in Markdown, `data/STUDY/NAME.md`; if it is a table, its numbers are in
//! `NAME.csv`. A new kind is a struct that serde reads and that implements [`Compose`].

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
