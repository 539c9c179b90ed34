//! Theorems, checked for every n of a range.

use crate::value::{some_word, word};
use crate::{
    CommandLine, Control, Estimate, Foot, Head, Kind, QueryError, Question, Sink, Verdict,
};
use base16ct::lower::encode_string;
use flipcost::table::Cell;
use flipcost::unstable::sequences::verify;
use flipcost::unstable::sequences::verify::{Claim, Recorder, VerifyError};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::ops::ControlFlow;

/// A theorem, checked for every n of a range by computing what it says: one row. The verdict fails if
/// there is a counterexample. With `digest` the row ends with the digest of the values that decide it,
/// and some of them are computed by a second method: the verdict fails if that differs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Verify {
    /// What is claimed.
    #[serde(with = "by_name")]
    pub claim: Claim,
    /// The first n; the claim's own if it is left out.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "some_word"
    )]
    pub from: Option<u64>,
    /// The last n.
    #[serde(deserialize_with = "word")]
    pub to: u64,
    /// Digests of the values, too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub digest: bool,
}

/// A claim by its name.
mod by_name {
    use super::Claim;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(claim: &Claim, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(claim.id())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Claim, D::Error> {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}

impl Question for Verify {
    fn command(&self) -> CommandLine {
        CommandLine::new("verify")
            .word(self.claim.id())
            .maybe("from", self.from)
            .option("to", self.to)
            .flag("digest", self.digest)
    }

    fn estimate(&self) -> Estimate {
        let to = self.to.min(self.claim.largest());
        Estimate {
            work: self.claim.work(to),
            memory: 16 * u128::from(to) + (1 << 24),
            output: 1000,
        }
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        control.go_on()?;
        let Verify { claim, to, .. } = *self;
        let from = self.from.unwrap_or(claim.first());
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
            .column("claim", Kind::Text)
            .column("standing", Kind::Text)
            .column("from", Kind::Count)
            .column("to", Kind::Count)
            .column("checked", Kind::Count)
            .column("extreme", Kind::Text)
            .column("counterexample", Kind::Text);
        let wrong = outcome.counterexample;
        let mut row = vec![
            Cell::Text(claim.statement().to_string()),
            Cell::Text(claim.standing().to_string()),
            Cell::Integer(from.into()),
            Cell::Integer(to.into()),
            Cell::Integer(outcome.checked.into()),
            outcome.extreme.map_or(Cell::Empty, Cell::Text),
            wrong.clone().map_or(Cell::Empty, Cell::Text),
        ];
        let mut differs = false;
        if self.digest {
            let count = claim.record().map_or(0, |record| record.count);
            let sample = verify::sample(claim, from..=to, count).map_err(refused)?;
            let [swept, second] = [&sample.swept, &sample.second]
                .map(|values| encode_string(&Sha256::digest(values)));
            differs = swept != second;
            head = head
                .column("values_sha256", Kind::Text)
                .column("sample", Kind::Count)
                .column("sample_sha256", Kind::Text)
                .column("second_sha256", Kind::Text);
            row.extend([
                Cell::Text(encode_string(&sum.finalize())),
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

fn refused(error: VerifyError) -> QueryError {
    match error {
        VerifyError::Stopped => QueryError::Stopped,
        error => QueryError::input(error),
    }
}
