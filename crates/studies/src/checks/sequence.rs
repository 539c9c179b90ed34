//! The check `sequence`: see [`SequenceTerms`].

use crate::case::Case;
use crate::decide::{CheckResult, Decide, question};
use crate::error::{Mistake, StudyError};
use crate::reference::embedded_text;
use crate::terms::terms;
use crate::values::Line;
use flipcost::sequences;
use flipcost_number::BigInt;
use flipcost_oeis::entry_of_sequence as entry;
use flipcost_oeis::{detect, published};
use flipcost_question::Query;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// Whether the terms of a named sequence, from its offset on, equal those of a list, a file or the
/// OEIS.
///
/// ```toml
/// sequence = { id = "A136043", is = [1, 1, 1, 1, 2] }
/// # or: sequence = { id = "A136043", file = "data/reference/a136043.txt" }
/// # or: sequence = { id = "A136043", as-in-oeis = true }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SequenceTerms {
    id: Line,
    /// The first terms of the sequence.
    #[serde(default)]
    is: Vec<i64>,
    /// A file with lines `n a(n)`; its path begins at the folder that contains `data/` and
    /// `analysis/`.
    file: Option<Line>,
    /// Whether to compare with the terms of the OEIS that come with the program.
    #[serde(default)]
    as_in_oeis: bool,
}

impl Decide for SequenceTerms {
    fn file(&self) -> Option<&str> {
        self.file.as_ref().map(|Line(file)| file.as_str())
    }

    fn question(&self, _: &Case) -> Option<Query> {
        question(json!({ "ask": "sequence", "id": self.id.0 }))
    }

    fn standing(&self) -> &'static str {
        "the terms are compared"
    }

    fn decide(&self, case: &Case) -> Result<CheckResult, StudyError> {
        let sequence = sequences::find_with(&self.id.0, flipcost_all::algorithms())?;
        let mut wanted: Vec<BigInt> = self.is.iter().map(|term| (*term).into()).collect();
        let mut offset = sequence.offset() as i64;
        if self.as_in_oeis {
            let entry = entry::a_number(&sequence).and_then(published::find);
            let entry = entry.ok_or_else(|| {
                let id = &self.id.0;
                let what = format!("no entry of the OEIS for {id} comes with the program");
                Mistake::in_field("id", id, what)
            })?;
            (offset, wanted) = (entry.offset, entry.terms);
        }
        if let Some(Line(file)) = &self.file {
            let loaded = match embedded_text(case.root, file) {
                Some(text) => detect::parse(file, text.as_bytes(), None),
                None => detect::load(&case.root.join(file), None),
            };
            let loaded = loaded.map_err(|error| Mistake::in_field("file", file, error))?;
            offset = loaded.offset.unwrap_or(offset);
            wanted = loaded.terms;
        }
        if wanted.is_empty() || offset < sequence.offset() as i64 {
            let what = format!(
                "no terms are given to compare with those of {}, which begins at {}",
                self.id.0,
                sequence.offset()
            );
            let right = "write is = [1, 1], file = \"...\" or as-in-oeis = true";
            return Err(Mistake::new(what).field("is").right(right).into());
        }
        let first = offset as u64;
        let last = first.saturating_add(wanted.len() as u64 - 1);
        let terms = terms(&sequence, first..=last)?;
        let differ = terms.iter().zip(&wanted).position(|(a, b)| a != b);
        Ok(match differ {
            None => CheckResult::new(format!("all {} terms agree", wanted.len()), true),
            Some(i) => CheckResult::new(
                format!("a({}) = {}, not {}", first + i as u64, terms[i], wanted[i]),
                false,
            ),
        })
    }
}
