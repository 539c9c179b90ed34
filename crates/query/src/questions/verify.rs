//! Theorems, checked for every n of a range.

use crate::Verdict;
use crate::question::*;
use flipcost::number::BigUint;
use flipcost::unstable::sequences::verify;
use flipcost::unstable::sequences::verify::{Claim, Recorder, VerifyError};
use sha2::{Digest, Sha256};
use std::ops::ControlFlow;

question! {
    /// Check a theorem or conjecture for every n of a range by computing what it says
    ///
    /// A theorem, checked for every n of a range by computing what it says: one row. The verdict fails if
    /// there is a counterexample. With `digest` the row ends with the digest of the values that decide it,
    /// and some of them are computed by a second method: the verdict fails if that differs.
    pub struct Verify: "verify" {
        /// What is claimed
        claim: Claim; word("CLAIM"),
        /// The first n [default: the least that the claim speaks of]
        from: Option<u64>; option("A"),
        /// The last n, or the largest sum of weights
        to: u64; option("N").alias("sum"),
        /// Also print the SHA-256 of the values that decide the claim, and check some of them by a second
        /// method: of toll, ceil-plus-one, layman and half-period
        digest: bool; flag().without(&["that"]),
    }
    purpose: Numbers
    examples: [
        "verify toll --to 10^6",
        "verify aldr-toll --sum 40",
        "verify ceil-plus-one --to 10^6 --digest",
    ]
}

question! {
    /// The theorems and conjectures that can be checked, each by the id that stands first
    pub struct Claims: "claims", "verify" {
    }
    purpose: Numbers
    examples: ["verify"]
}

impl Question for Claims {
    fn estimate(&self) -> Estimate {
        Estimate::table(Claim::ALL.len() as u128, 4, 1, 100)
    }

    fn run(&self, _: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let head = Head::new()
            .columns(Kind::Text, ["id", "claim"])
            .answers()
            .column("standing", Kind::Text)
            .column("from", Kind::Count);
        sink.head(&head)?;
        let row = |claim: &Claim| row![claim.id, claim.statement, claim.standing, claim.first];
        sink.rows(Claim::ALL.iter().map(row).collect())?;
        sink.foot(Foot::default())
    }
}

impl Question for Verify {
    fn is_watched(&self) -> bool {
        true
    }

    fn estimate(&self) -> Estimate {
        let to = self.to.min(self.claim.largest);
        Estimate::of(
            (self.claim.work)(to.into()),
            16 * u128::from(to) + (1 << 24),
            1000,
        )
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        control.go_on()?;
        let Verify { claim, to, .. } = *self;
        let from = self.from.unwrap_or(claim.first);
        let cases = (to + 1).saturating_sub(from);
        let progress = |n: u64| {
            control.progress(n + 1 - from, cases);
            match control.go_on() {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        };
        let mut sum = Sha256::new();
        let mut record = |values: &[u8]| sum.update(values);
        let recorder: Recorder = match self.digest {
            true => Some(&mut record),
            false => None,
        };
        let outcome = verify::verify_range(claim, from..=to, control.threads, recorder, progress);
        let outcome = outcome.map_err(refused)?;
        let mut head = Head::new()
            .columns(Kind::Text, ["claim", "standing"])
            .columns(Kind::Count, ["from", "to", "checked"])
            .columns(Kind::Text, ["extreme", "counterexample"]);
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
            let sample = verify::sample(claim, from..=to, count).map_err(refused)?;
            let [swept, second] =
                [&sample.swept, &sample.second].map(|values| in_hex(&Sha256::digest(values)));
            differs = swept != second;
            head = head
                .column("values_sha256", Kind::Text)
                .column("sample", Kind::Count)
                .columns(Kind::Text, ["sample_sha256", "second_sha256"]);
            row.extend([
                Cell::Text(in_hex(&sum.finalize())),
                Cell::Integer(sample.count.into()),
                Cell::Text(swept),
                Cell::Text(second),
            ]);
        }
        sink.head(&head)?;
        sink.rows(vec![row])?;
        let verdict = match wrong {
            Some(wrong) => Verdict::Fails(format!("a counterexample: {wrong}")),
            None if differs => Verdict::Fails("a second method has other values".to_string()),
            None => Verdict::Holds,
        };
        sink.foot(Foot {
            verdict: Some(verdict),
            ..Foot::default()
        })
    }
}

/// The 32 bytes of a digest.
fn in_hex(digest: &[u8]) -> String {
    format!("{:064x}", BigUint::from_bytes_be(digest))
}

fn refused(error: VerifyError) -> QueryError {
    match error {
        VerifyError::Stopped => QueryError::Stopped,
        VerifyError::Start { first, from } => {
            let (from, to) = (field("from").is(from), field("to"));
            QueryError::wrong("from", say!(from, " must lie between {first} and ", to))
        }
        error => QueryError::input(error),
    }
}
