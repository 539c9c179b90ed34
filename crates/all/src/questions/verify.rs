//! The question `verify` about a theorem, which is checked for every n of a range.

use crate::{ClaimName, claims};
use flipcost_number::BigUint;
use flipcost_question::prelude::*;
use flipcost_question::{Buffer, Verdict};
use flipcost_toll::verify;
use flipcost_toll::verify::{Claim, Extreme, RangeFindings, Recorder, VerifyError};
use serde_json::Value as Json;
use sha2::{Digest, Sha256};
use std::ops::{ControlFlow, Range, RangeInclusive};

question! {
    /// Check a theorem or conjecture for every n of a range by computing it
    ///
    /// Checks a theorem or conjecture for every n of a range: one row. The verdict fails if there
    /// is a counterexample. With `digest` the row ends with the digest of the computed values, and
    /// some of them are computed again by a second method: the verdict fails if the results differ.
    pub struct Verify: "verify" {
        /// The claim
        claim: ClaimName; word("CLAIM"),
        /// The first n [default: the first n of the claim]
        from: Option<u64>; option("A"),
        /// The last n, or the largest sum of weights
        to: u64; option("N").alias("sum"),
        /// Also print the SHA-256 of the computed values and, for the claims that have a second
        /// method, compute some of the values again by it
        digest: bool; flag().without(&["that"]),
    }
    purpose: Numbers in units
    examples: [
        "verify toll --to 10^6",
        "verify aldr-toll --sum 40",
        "verify ceil-plus-one --to 10^6 --digest",
    ]
}

question! {
    /// The theorems and conjectures that can be checked, each after its id
    pub struct Claims: "list-claims", "list claims" {
    }
    purpose: Reference
    examples: ["list claims"]
}

impl Question for Claims {
    fn summary(&self, answer: &Answer) -> String {
        format!(
            "{} theorems and conjectures can be checked",
            answer.rows.len()
        )
    }

    fn run(&self, _: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let head = Head::new()
            .columns(CellKind::Text, ["id", "claim"])
            .answers()
            .column("standing", CellKind::Text)
            .column("from", CellKind::Count);
        sink.head(&head)?;
        let row = |claim: Claim| row![claim.id, claim.statement, claim.standing, claim.first];
        sink.rows(claims().map(row).collect())?;
        sink.foot(Foot::default())
    }
}

impl Question for Verify {
    fn summary(&self, answer: &Answer) -> String {
        verdict_phrase(answer)
    }

    fn is_streamed(&self) -> bool {
        true
    }

    fn estimate(&self) -> Estimate {
        let to = self.to.min(self.claim.0.largest);
        Estimate::new(
            (self.claim.0.work)(to.into()),
            16 * u128::from(to) + (1 << 24),
            1000,
        )
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let mut sum = Sha256::new();
        let found = self.check_range(self.range()?, control, &mut |values| sum.update(values))?;
        self.write_findings(found, sum, sink)
    }
}

/// The [`RangeFindings`] of a unit as JSON. The recorded values are in the rows of the unit; each
/// value takes 8 bytes.
type FindingsState = (u64, Option<Extreme>, Vec<(u64, u64)>, Option<String>);

fn findings_to_json(found: RangeFindings) -> Json {
    let seen: FindingsState = (found.checked, found.extreme, found.runs, found.wrong);
    to_json_value(&seen)
}

fn findings_from_json(seen: Json) -> Result<RangeFindings, QueryError> {
    let (checked, extreme, runs, wrong): FindingsState = from_json_value(seen)?;
    Ok(RangeFindings {
        checked,
        extreme,
        runs,
        wrong,
        ..RangeFindings::default()
    })
}

// the index of a place is an n of the range
impl Chunked for Verify {
    fn count(&self) -> Result<u64, QueryError> {
        let (from, to) = self.range()?.into_inner();
        Ok(to - from + 1)
    }

    fn nanoseconds(&self) -> Box<dyn Fn(u64) -> u128 + '_> {
        let (work, from) = (self.claim.0.work, self.from.unwrap_or(self.claim.0.first));
        let upto = move |n: u64| work(u128::from(n));
        Box::new(move |end| upto(from - 1 + end).saturating_sub(upto(from - 1)))
    }

    fn compute(&self, places: Range<u64>, control: &Control) -> Result<ChunkResult, QueryError> {
        let from = self.range()?.into_inner().0;
        let range = from + places.start..=from + places.end - 1;
        let mut values = Buffer::default();
        let mut record = |bytes: &[u8]| {
            for word in bytes.as_chunks().0 {
                values.push(Cell::Integer(u64::from_le_bytes(*word).into()));
            }
        };
        let seen = findings_to_json(self.check_range(range, control, &mut record)?);
        let rows = values.into();
        Ok(ChunkResult { rows, seen })
    }

    fn join(&self, before: Json, later: Json) -> Result<Json, QueryError> {
        let mut all = findings_from_json(before)?;
        (self.claim.0.join(&mut all, findings_from_json(later)?)).map_err(input_error)?;
        Ok(findings_to_json(all))
    }

    fn answer(&self, all: ChunkResult, _: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let mut sum = Sha256::new();
        for column in all.rows.into_columns() {
            let words = column.words().flatten();
            words.for_each(|word| sum.update(word.to_le_bytes()));
        }
        self.write_findings(findings_from_json(all.seen)?, sum, sink)
    }
}

impl Verify {
    /// Returns the range of n, after checking that it is valid.
    fn range(&self) -> Result<RangeInclusive<u64>, QueryError> {
        let range = self.from.unwrap_or(self.claim.0.first)..=self.to;
        self.claim
            .0
            .may_check(&range, self.digest)
            .map_err(input_error)?;
        Ok(range)
    }

    /// Checks the theorem for these n. If there is a digest, passes the digested values to
    /// `record`.
    fn check_range(
        &self,
        range: RangeInclusive<u64>,
        control: &Control,
        mut record: &mut dyn FnMut(&[u8]),
    ) -> Result<RangeFindings, QueryError> {
        control.go_on()?;
        let (from, to) = range.clone().into_inner();
        let progress = |n: u64| {
            control.progress(n + 1 - from, to + 1 - from);
            match control.go_on() {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        };
        let recorder: Recorder = if self.digest { Some(&mut record) } else { None };
        verify::verify_part(self.claim.0, range, control.threads, recorder, progress)
            .map_err(input_error)
    }

    fn write_findings(
        &self,
        found: RangeFindings,
        sum: Sha256,
        sink: &mut dyn Sink,
    ) -> Result<(), QueryError> {
        let (claim, to) = (self.claim.0, self.to);
        let from = self.from.unwrap_or(claim.first);
        let outcome = claim.outcome(&(from..=to), found).map_err(input_error)?;
        let mut head = Head::new()
            .columns(CellKind::Text, ["claim", "standing"])
            .columns(CellKind::Count, ["from", "to", "checked"])
            .columns(CellKind::Text, ["extreme", "counterexample"]);
        let wrong = outcome.counterexample;
        let mut row = row![
            claim.statement.to_string(),
            claim.standing.to_string(),
            from,
            to,
            outcome.checked,
            outcome.extreme,
            wrong.clone()
        ];
        let mut differs = false;
        if self.digest {
            let count = claim.record.map_or(0, |record| record.count);
            let sample = verify::sample(claim, from..=to, count).map_err(input_error)?;
            let [swept, second] =
                [&sample.swept, &sample.second].map(|values| to_hex(&Sha256::digest(values)));
            differs = swept != second;
            head = head
                .column("values_sha256", CellKind::Text)
                .column("sample", CellKind::Count)
                .columns(CellKind::Text, ["sample_sha256", "second_sha256"]);
            row.extend([
                Cell::Text(to_hex(&sum.finalize())),
                Cell::Integer(sample.count.into()),
                Cell::Text(swept),
                Cell::Text(second),
            ]);
        }
        sink.head(&head)?;
        sink.rows(vec![row])?;
        let verdict = match wrong {
            Some(wrong) => Verdict::Fails(format!("a counterexample: {wrong}")),
            None if differs => Verdict::Fails("a second method computed other values".to_string()),
            None => Verdict::Holds,
        };
        sink.foot(Foot {
            verdict: Some(verdict),
            ..Foot::default()
        })
    }
}

/// Returns the outcome of a check in words.
pub(super) fn verdict_phrase(answer: &Answer) -> String {
    let value = |name: &str| answer.phrase(0, name);
    match (&answer.foot.verdict, value("from"), value("to")) {
        (Some(Verdict::Fails(why)), ..) => format!("the claim is false: {why}"),
        (_, Some(from), Some(to)) => {
            format!("the claim holds for every n from {from} to {to}, without a counterexample")
        }
        _ => "the claim is true".to_string(),
    }
}

/// Formats a digest of 32 bytes in hexadecimal digits.
fn to_hex(digest: &[u8]) -> String {
    format!("{:064x}", BigUint::from_bytes_be(digest))
}

fn input_error(error: VerifyError) -> QueryError {
    match error {
        VerifyError::Stopped => QueryError::Stopped,
        VerifyError::Start { first, from } => {
            let (from, to) = (field("from").is(from), field("to"));
            QueryError::wrong("from", say!(from, " must lie between {first} and ", to))
        }
        error => QueryError::input(error),
    }
}
