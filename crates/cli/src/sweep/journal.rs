//! The journal of a file that is being written. Each line is JSON: the first is a [`Heading`] that
//! says what the file holds; each further line is a [`WrittenPrefix`], which is added once the
//! bytes that it counts are safe on the disk.

use crate::failure::Failure;
use crc32fast::Hasher;
use flipcost_one_draw::questions::Remarks;
use flipcost_question::{Query, QueryError};
use flipcost_terminal::rows::Format;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// What a file holds, and in which format. A run can continue a file only if its heading is the
/// same.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Heading {
    /// The version of this program.
    flipcost: String,
    /// The format of the rows; `None` for a certificate.
    format: Option<Format>,
    /// The text above the rows.
    header: String,
    /// Number of rows, which follows from the query.
    rows: u64,
    query: Map<String, Value>,
}

/// Writes a value as a line of JSON.
pub fn json_line(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("plain values") + "\n"
}

impl Heading {
    /// The heading for all rows of a question, which are written after `header`.
    ///
    /// # Errors
    /// [`QueryError::Input`] if the question cannot be answered.
    pub fn new(
        query: &Query,
        format: Option<Format>,
        header: String,
    ) -> Result<Heading, QueryError> {
        Ok(Heading {
            flipcost: env!("CARGO_PKG_VERSION").to_string(),
            format,
            header,
            rows: query.unit()?.places().end,
            query: serde_json::from_str(&query.to_json()).expect("a query is an object"),
        })
    }

    /// Number of rows.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The text above the rows.
    pub fn header(&self) -> &str {
        &self.header
    }

    /// Describes in words the first difference from another heading, or returns `None` if they are
    /// equal.
    pub fn difference(&self, other: &Heading) -> Option<String> {
        let fields = |of: &Heading| {
            let mut all = of.query.clone();
            all.insert("flipcost".into(), of.flipcost.clone().into());
            all.insert(
                "format".into(),
                serde_json::to_value(of.format).unwrap_or_default(),
            );
            all.insert("header".into(), of.header.clone().into());
            all
        };
        let (here, there) = (fields(self), fields(other));
        let mut names = here.keys().chain(there.keys());
        let name = names.find(|name| here.get(*name) != there.get(*name))?;
        let text = |all: &Map<String, Value>| match all.get(name) {
            None | Some(Value::Null) => "not given".to_string(),
            Some(value) => value.to_string(),
        };
        let (here, there) = (text(&here), text(&there));
        Some(format!("{name} is {there} and not {here}"))
    }
}

/// How much of a file is written.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WrittenPrefix {
    /// The file has the rows below this index.
    pub done: u64,
    /// Number of bytes of these rows.
    pub bytes: u64,
    /// The CRC-32 of these bytes followed by the 8 bytes of `done`.
    pub crc32: u32,
    /// Remarks on what was left out of the rows.
    #[serde(default, skip_serializing_if = "Remarks::is_empty")]
    pub remarks: Remarks,
}

/// Returns the checksum of these bytes followed by the number of rows.
pub fn prefix_checksum(bytes: &Hasher, done: u64) -> u32 {
    let mut all = bytes.clone();
    all.update(&done.to_le_bytes());
    all.finalize()
}

impl WrittenPrefix {
    /// Compares the bytes that this line of the journal counts with the beginning of the file,
    /// which was just opened. Returns the state of the checksum of those bytes if they match, and
    /// `None` otherwise.
    ///
    /// # Errors
    /// `Failure` if the file cannot be read.
    pub fn check(&self, path: &Path, file: &File) -> Result<Option<Hasher>, Failure> {
        let mut input = file.take(self.bytes);
        let (mut crc, mut buffer) = (Hasher::new(), vec![0; 1 << 18]);
        loop {
            match input.read(&mut buffer) {
                Ok(0) => return Ok((prefix_checksum(&crc, self.done) == self.crc32).then_some(crc)),
                Ok(length) => crc.update(&buffer[..length]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    let path = path.display();
                    return Err(Failure::Input(format!("cannot read \"{path}\": {error}")));
                }
            }
        }
    }
}
