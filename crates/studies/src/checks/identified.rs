//! The check `identified`: see [`Identified`].

use crate::case::Case;
use crate::decide::{CheckResult, Decide, question};
use crate::error::{Mistake, StudyError};
use crate::terms::terms;
use crate::values::Line;
use flipcost::sequences;
use flipcost::sequences::Sequence;
use flipcost_oeis::identify::{Relation, TermSearch, in_published};
use flipcost_question::Query;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// The entry under `data/oeis` that has the terms of a named sequence, or the claim that no entry
/// has these terms.
///
/// ```toml
/// [check.identified]
/// id = "cycle-rounds"
/// a-number = "A136043"
/// holds = "the terms"
/// from = 2
/// # or: absent = true
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Identified {
    id: Line,
    /// The A-number of the entry that has the terms.
    a_number: Option<Line>,
    /// How the entry is related to the sequence, for example "the terms divided by 2"; "the terms"
    /// if the key is missing.
    holds: Option<Line>,
    /// The index of the first term that the entry has; the offset of the sequence if the key is
    /// missing.
    from: Option<u64>,
    /// Whether the claim is that no entry has the terms, even if the first few terms are left out.
    #[serde(default)]
    absent: bool,
}

/// The number of terms that are searched for.
const SEARCHED_TERMS: u64 = 40;

/// The largest number of first terms that may be missing from an entry.
const MAX_MISSING_FIRST_TERMS: u64 = 5;

impl Identified {
    /// Returns the entries that contain the terms from index `from` on, the best match first.
    fn matching_entries(
        &self,
        sequence: &Sequence,
        from: u64,
    ) -> Result<Vec<(String, String, usize)>, StudyError> {
        let mut query = TermSearch::new(terms(
            sequence,
            from..=from.saturating_add(SEARCHED_TERMS - 1),
        )?);
        query.leading = 0;
        query.transformed = self.holds.is_some();
        let outcome = in_published(&query).map_err(Mistake::new)?;
        let wanted = |relation: &Relation| match &self.holds {
            Some(holds) => relation.to_string() == holds.0,
            None => *relation == Relation::Contains,
        };
        let found = outcome.found.into_iter().filter(|f| wanted(&f.relation));
        let words = found.map(|f| (f.a_number.to_string(), f.relation.to_string(), f.matched));
        Ok(words.collect())
    }
}

impl Decide for Identified {
    fn question(&self, _: &Case) -> Option<Query> {
        question(json!({ "ask": "oeis-identify", "sequence": self.id.0 }))
    }

    fn standing(&self) -> &'static str {
        "the terms are searched for"
    }

    fn decide(&self, _: &Case) -> Result<CheckResult, StudyError> {
        let sequence = sequences::find_with(&self.id.0, flipcost_all::algorithms())?;
        let offset = sequence.offset();
        let entries = flipcost_oeis::published().len();
        let number = match (&self.a_number, self.absent) {
            (Some(Line(number)), false) => number,
            (None, true) => {
                for from in offset..=offset + MAX_MISSING_FIRST_TERMS {
                    if let Some((number, ..)) = self.matching_entries(&sequence, from)?.first() {
                        let found = format!("{number} has the terms from n = {from}");
                        return Ok(CheckResult::new(found, false));
                    }
                }
                let none = format!(
                    "none of {entries} entries has the {SEARCHED_TERMS} terms, with up to {MAX_MISSING_FIRST_TERMS} dropped"
                );
                return Ok(CheckResult::new(none, true));
            }
            _ => {
                let what = format!("{} needs exactly one of a-number and absent", self.id.0);
                return Err(Mistake::new(what).field("a-number").into());
            }
        };
        let from = self.from.unwrap_or(offset);
        let here = self.matching_entries(&sequence, from)?;
        let at = here.iter().find(|(known, ..)| known == number);
        let Some((_, relation, matched)) = at else {
            let others: Vec<&str> = here.iter().map(|(number, ..)| number.as_str()).collect();
            let found = if others.is_empty() {
                "no entry".to_string()
            } else {
                others.join(", ")
            };
            let found = format!("{found} has the terms from n = {from}");
            return Ok(CheckResult::new(found, false));
        };
        // the entry must not contain the term at the index before `from`
        let earlier = from > offset
            && self
                .matching_entries(&sequence, from - 1)?
                .iter()
                .any(|(known, ..)| known == number);
        let computed = format!("{number} has {relation} from n = {from}, {matched} terms agree");
        Ok(if earlier {
            CheckResult::new(format!("{computed}, and one more before"), false)
        } else {
            CheckResult::new(computed, true)
        })
    }
}
