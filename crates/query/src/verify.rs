//! Theorems, checked for every n of a range.

use crate::value::word;
use crate::{
    CommandLine, Control, Estimate, Foot, Head, Kind, QueryError, Question, Sink, Verdict,
};
use flipcost::table::Cell;
use flipcost::unstable::sequences::verify;
use flipcost::unstable::sequences::verify::{Claim, VerifyError};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;

/// A theorem, checked for every n up to a limit by computing what it says: one row. The verdict
/// fails if there is a counterexample.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Verify {
    /// What is claimed.
    #[serde(with = "by_name")]
    pub claim: Claim,
    /// The last n.
    #[serde(deserialize_with = "word")]
    pub to: u64,
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
            .option("to", self.to)
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
        let Verify { claim, to } = *self;
        let cases = (to + 1).saturating_sub(claim.first());
        let progress = |n: u64| {
            control.progress(n + 1 - claim.first(), cases);
            match control.go_on() {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        };
        let outcome = verify::verify(claim, to, control.threads, progress);
        let outcome = outcome.map_err(|error| match error {
            VerifyError::Stopped => QueryError::Stopped,
            error => QueryError::input(error),
        })?;
        let head = Head::new()
            .column("claim", Kind::Text)
            .column("standing", Kind::Text)
            .column("from", Kind::Count)
            .column("to", Kind::Count)
            .column("checked", Kind::Count)
            .column("extreme", Kind::Text)
            .column("counterexample", Kind::Text);
        sink.head(&head)?;
        let wrong = outcome.counterexample;
        sink.rows(vec![vec![
            Cell::Text(claim.statement().to_string()),
            Cell::Text(claim.standing().to_string()),
            Cell::Integer(claim.first().into()),
            Cell::Integer(to.into()),
            Cell::Integer(outcome.checked.into()),
            outcome.extreme.map_or(Cell::Empty, Cell::Text),
            wrong.clone().map_or(Cell::Empty, Cell::Text),
        ]])?;
        let verdict = match wrong {
            Some(wrong) => Verdict::Fails(format!("a counterexample: {wrong}")),
            None => Verdict::Holds,
        };
        sink.foot(Foot {
            verdict: Some(verdict),
            ..Foot::default()
        })
    }
}
