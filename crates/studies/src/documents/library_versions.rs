//! The document `library-versions`: see [`LibraryVersions`].

use crate::compose::{Compose, DocumentContents};
use crate::draw::headers;
use crate::error::StudyError;
use crate::sheet::markdown;
use crate::values::{FigureName, Line};
use flipcost::table::Cell;
use flipcost_libraries::{LIBRARIES, SHUFFLES};
use schemars::JsonSchema;
use serde::Deserialize;

/// The rule that each version of a library uses: the tables of library functions and of library
/// shuffles, in words.
///
/// ```toml
/// [[library-versions]]
/// name = "versions"
/// title = "Which version uses which rule"
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LibraryVersions {
    name: FigureName,
    title: Line,
}

impl Compose for LibraryVersions {
    fn name(&self) -> &str {
        &self.name.0
    }

    fn title(&self) -> &str {
        &self.title.0
    }

    fn compose(&self) -> Result<DocumentContents, StudyError> {
        let headers = headers([
            "language", "function", "version", "rule", "id", "file", "checked",
        ]);
        let functions = LIBRARIES.iter().map(|line| {
            let texts = [line.language, line.function, line.version, line.rule];
            (texts, [line.id, line.file, line.checked.word()])
        });
        let shuffles = SHUFFLES.iter().map(|line| {
            let texts = [line.language, line.function, line.version, line.rule];
            (texts, [line.id, line.file, line.checked.word()])
        });
        let cells = |(about, of): ([&str; 4], [&str; 3])| {
            let texts = about.into_iter().chain(of);
            texts.map(|text| Cell::Text(text.to_string())).collect()
        };
        let rows: Vec<Vec<Cell>> = functions.chain(shuffles).map(cells).collect();
        // a reader needs only the first five cells; the CSV also names the source file of the rule
        let read: Vec<Vec<Cell>> = rows.iter().map(|row| row[..5].to_vec()).collect();
        Ok(DocumentContents {
            text: format!("\n{}", markdown(&headers[..5], &read)),
            table: Some((headers, rows)),
        })
    }
}
