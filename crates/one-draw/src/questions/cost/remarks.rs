//! Notes that say what the rows leave out and why: fractions that are too long, expressions without
//! a value, and algorithms that refuse the task.

use flipcost::law::{FractionSize, TOO_MANY};
use flipcost::table::{Column, Row, Unwritten};
use flipcost_question::prelude::*;
use serde_json::Value as Json;

/// Returns a sentence about the exact fractions that were left out; `exact` says whether the user
/// asked for them.
pub fn omission_sentence(of: &str, more: u64, size: &str, exact: bool) -> Sentence {
    omission_sentence_about(&name_of_fraction(of), more, size, exact)
}

pub(super) fn name_of_fraction(of: &str) -> String {
    format!("the exact fraction of {of}")
}

/// Returns the names of the columns of exact moments whose cells are empty, if other columns of
/// exact moments have values.
pub(super) fn missing_columns(columns: &[&Column], cells: &[Cell]) -> Option<String> {
    let moments = [
        "expected_exact",
        "variance_exact",
        "third_central_exact",
        "fourth_central_exact",
    ];
    let all = columns
        .iter()
        .zip(cells)
        .filter(|(column, _)| moments.contains(&column.name()));
    let (empty, known): (Vec<_>, Vec<_>) = all.partition(|(_, cell)| matches!(cell, Cell::Empty));
    let names: Vec<&str> = empty.iter().map(|(column, _)| column.name()).collect();
    (!known.is_empty() && !names.is_empty()).then(|| names.join(" and "))
}

pub(super) fn omission_sentence_about(what: &str, more: u64, size: &str, exact: bool) -> Sentence {
    let more = match more {
        0 => String::new(),
        more => format!(" (and {more} more)"),
    };
    use FractionSize::{Product, Sum, Unknown};
    let has_none = [Product, Sum, Unknown].map(|size| format!("{size:#}"));
    if exact || has_none.iter().any(|known| known == size) || size.ends_with(TOO_MANY) {
        return say!("{what}{more} is left out: it {size}");
    }
    say!(
        "{what}{more} is left out: it {size}; ",
        field("exact").is(true),
        " asks for it all the same"
    )
}

/// The values that the rows of a sweep leave out.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Remarks {
    /// The subject of the first row without its exact fraction, the size of this fraction, and the
    /// number of later rows without theirs.
    fraction: Option<(String, String, u64)>,
    omissions: Omissions,
}

impl Remarks {
    /// Adds the omissions of a row; `of` names the subject of the row.
    pub fn add(&mut self, row: &Row, of: impl Fn() -> String) {
        match (row.left_out, &mut self.fraction) {
            (None, _) => {}
            (Some(_), Some((.., more))) => *more += 1,
            (Some(size), none) => *none = Some((of(), format!("{size:#}"), 0)),
        }
        self.omissions.add(row, of);
    }

    /// Returns whether there is nothing to note.
    pub fn is_empty(&self) -> bool {
        *self == Remarks::default()
    }

    /// Adds the remarks on later rows.
    pub fn join(&mut self, later: Remarks) {
        match (&mut self.fraction, later.fraction) {
            (Some((.., more)), Some((.., others))) => *more += others + 1,
            (none @ None, later) => *none = later,
            (Some(_), None) => {}
        }
        self.omissions.join(later.omissions);
    }

    /// Joins the remarks on two adjacent runs of rows; takes and returns them as JSON.
    pub fn joined(seen: Json, later: Json) -> Result<Json, QueryError> {
        let mut all: Remarks = from_json_value(seen)?;
        all.join(from_json_value(later)?);
        Ok(to_json_value(&all))
    }

    /// Returns a foot with the notes; `exact` if the user asked for the fractions.
    pub fn foot(&self, exact: bool) -> Foot {
        let mut foot = Foot::default();
        if let Some((of, size, more)) = &self.fraction {
            foot.note(omission_sentence(of, *more, size, exact));
        }
        foot.notes.extend(self.omissions.notes());
        foot
    }
}

/// The empty cells of rows: those of expressions without a value, for example a logarithm of 0, and
/// of algorithms that refuse.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Omissions(Vec<Omission>);

#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
struct Omission {
    /// The expression or the algorithm.
    what: String,
    rows: u64,
    /// The subject of the first row.
    first: String,
    why: String,
}

impl Omissions {
    /// Adds the omissions of a row; `of` names the subject of the row.
    pub fn add(&mut self, row: &Row, of: impl Fn() -> String) {
        for (what, why) in &row.omitted {
            self.count(what, 1, || (of(), why.clone()));
        }
    }

    /// Adds the omissions of later rows.
    pub fn join(&mut self, later: Omissions) {
        for other in later.0 {
            self.count(&other.what, other.rows, || (other.first, other.why));
        }
    }

    /// Counts rows. The first row of each omission gives the example and the reason.
    pub(super) fn count(
        &mut self,
        what: &str,
        rows: u64,
        first: impl FnOnce() -> (String, String),
    ) {
        match self.0.iter_mut().find(|known| known.what == what) {
            Some(known) => known.rows += rows,
            None => {
                let (first, why) = first();
                self.0.push(Omission {
                    what: what.to_string(),
                    rows,
                    first,
                    why,
                });
            }
        }
    }

    /// Returns one sentence on each omission.
    pub fn notes(&self) -> impl Iterator<Item = Sentence> {
        self.0.iter().map(|of| {
            let more = match of.rows - 1 {
                0 => String::new(),
                more => format!(" (and {more} more)"),
            };
            let Omission {
                what, first, why, ..
            } = of;
            let how = if [Unwritten::TooSmall, Unwritten::TooLarge]
                .iter()
                .any(|one| one.to_string() == *why)
            {
                say!(": decimals (", field("digits"), ") show its value")
            } else {
                Sentence::default()
            };
            say!("{what} is left out of {first}{more}: {why}", how)
        })
    }
}
