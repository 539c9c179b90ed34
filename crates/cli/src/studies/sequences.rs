//! Named sequences in a study: charts of them, and which entry of the OEIS they are.

use super::check::Question;
use super::draw::{Drawn, Figure};
use super::spec::{AxisSpec, Span, StudyError};
use flipcost::number::BigInt;
use flipcost::sequences::{self, Sequence, SequenceError};
use flipcost::table::Cell;
use flipcost_figures::{Chart, Hue, Series};
use flipcost_oeis::identify::{Relation, Search, in_published};
use num_traits::ToPrimitive;
use serde::Deserialize;
use std::path::Path;

impl From<SequenceError> for StudyError {
    fn from(error: SequenceError) -> Self {
        StudyError::Spec(error.to_string())
    }
}

/// Terms of named sequences against their index.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SequenceChart {
    name: String,
    title: String,
    indices: Span,
    x: AxisSpec,
    y: AxisSpec,
    series: Vec<SequenceSeries>,
}

/// One sequence of a chart.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct SequenceSeries {
    name: String,
    id: String,
    hue: Option<String>,
    #[serde(default)]
    step: bool,
}

impl Figure for SequenceChart {
    fn name(&self) -> &str {
        &self.name
    }

    fn draw(&self) -> Result<Drawn, StudyError> {
        let mut chart = Chart::new(&self.title).x(self.x.axis()).y(self.y.axis());
        let mut headers = vec!["n".to_string()];
        let indices = self.indices.0.clone();
        let index = |n: u64| vec![Cell::Integer(n.into())];
        let mut rows: Vec<Vec<Cell>> = indices.clone().map(index).collect();
        for one in &self.series {
            let sequence = sequences::find(&one.id)?;
            let terms = sequence.terms(indices.clone())?;
            let point = |(n, term): (u64, &BigInt)| (n as f64, term.to_f64().unwrap_or(f64::NAN));
            let points = indices.clone().zip(&terms).map(point).collect();
            let mut series = match one.step {
                true => Series::step(&one.name, points),
                false => Series::points(&one.name, points),
            };
            if let Some(hue) = &one.hue {
                series = series.hue(hue.parse::<Hue>().map_err(StudyError::Spec)?);
            }
            chart = chart.series(series);
            headers.push(sequence.name().to_string());
            for (row, term) in rows.iter_mut().zip(terms) {
                row.push(match term.to_biguint() {
                    Some(term) => Cell::Integer(term.into()),
                    None => Cell::Exact(term.to_string()),
                });
            }
        }
        Ok(Drawn {
            drawing: chart.draw()?,
            data: Some((headers, rows)),
        })
    }
}

/// Which entry under `data/oeis` has the terms of a named sequence, or that none has.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Identified {
    id: String,
    /// The entry.
    a_number: Option<String>,
    /// What the entry has: "the terms" unless it says otherwise, as "the terms divided by 2".
    holds: Option<String>,
    /// The first index from which on it has them; the offset unless it says otherwise.
    from: Option<u64>,
    /// No entry has the terms, even without a few at the start.
    #[serde(default)]
    absent: bool,
}

/// Terms that are searched for.
const SEARCHED: u64 = 40;

/// Leading terms that an entry may lack.
const DROPPED: u64 = 5;

impl Identified {
    /// What the entries have that hold the terms from an index on, best first.
    fn found(
        &self,
        sequence: &Sequence,
        from: u64,
    ) -> Result<Vec<(String, String, usize)>, StudyError> {
        let mut search = Search::new(sequence.terms(from..=from + SEARCHED - 1)?);
        search.leading = 0;
        search.transformed = self.holds.is_some();
        let outcome = in_published(&search).map_err(|e| StudyError::Spec(e.to_string()))?;
        let wanted = |relation: &Relation| match &self.holds {
            Some(holds) => relation.to_string() == *holds,
            None => *relation == Relation::Contains,
        };
        let found = outcome.found.into_iter().filter(|f| wanted(&f.relation));
        let words = found.map(|f| (f.a_number.to_string(), f.relation.to_string(), f.matched));
        Ok(words.collect())
    }
}

impl Question for Identified {
    fn decide(&self, _: &Path) -> Result<(String, bool), StudyError> {
        let sequence = sequences::find(&self.id)?;
        let offset = sequence.offset();
        let entries = flipcost_oeis::published().len();
        let number = match (&self.a_number, self.absent) {
            (Some(number), false) => number,
            (None, true) => {
                for from in offset..=offset + DROPPED {
                    if let Some((number, ..)) = self.found(&sequence, from)?.first() {
                        return Ok((format!("{number} has the terms from n = {from}"), false));
                    }
                }
                let none = format!(
                    "none of {entries} entries has the {SEARCHED} terms, with up to {DROPPED} dropped"
                );
                return Ok((none, true));
            }
            _ => {
                let what = format!("{} must be given one of a-number and absent", self.id);
                return Err(StudyError::Spec(what));
            }
        };
        let from = self.from.unwrap_or(offset);
        let here = self.found(&sequence, from)?;
        let at = here.iter().find(|(known, ..)| known == number);
        let Some((_, relation, matched)) = at else {
            let others: Vec<&str> = here.iter().map(|(number, ..)| number.as_str()).collect();
            let found = match others.is_empty() {
                true => "no entry".to_string(),
                false => others.join(", "),
            };
            return Ok((format!("{found} has the terms from n = {from}"), false));
        };
        // One index earlier they must differ.
        let earlier = from > offset
            && self
                .found(&sequence, from - 1)?
                .iter()
                .any(|(known, ..)| known == number);
        let computed = format!("{number} has {relation} from n = {from}, {matched} terms agree");
        Ok(match earlier {
            true => (format!("{computed}, and one more before"), false),
            false => (computed, true),
        })
    }
}
