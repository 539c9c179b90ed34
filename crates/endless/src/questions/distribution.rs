//! The exact distribution of the number of flips of a draw.

use super::{check_row_count, require_coin};
use crate::text::EndlessText;
use flipcost_number::{BigInt, Rational, Real};
use flipcost_question::prelude::*;
use num_traits::One;

question! {
    /// The exact distribution of the number of flips for a law with infinitely many outcomes, by
    /// its optimal tree: P(T = t) and P(T > t)
    pub struct EndlessDistribution: "distribution" {
        /// The law.
        target: EndlessText; TARGET,
        /// The source.
        source: Sides = Sides::default(); SOURCE,
        /// The last t [default: the first t with P(T > t) < 1/1000]
        upto: Option<u64>; option("T").short('u'),
        /// Decimals after the point; without it, the nearest doubles.
        digits: Option<u32>; DIGITS,
    }
    purpose: Numbers
    examples: ["distribution dgauss:sigma=3/2", "distribution 'bernoulli:exp(-1)' --upto 10"]
}

/// The maximum number of rows.
const MAX_ROWS: u64 = 4096;

impl Question for EndlessDistribution {
    fn summary(&self, answer: &Answer) -> String {
        let last = answer.rows.len().saturating_sub(1);
        format!(
            "{} from a coin takes at most {} except with probability {}",
            self.target,
            answer.measure(last, "t").unwrap_or_default(),
            answer.phrase(last, "survival").unwrap_or_default()
        )
    }

    fn estimate(&self) -> Estimate {
        let rows = u128::from(self.upto.unwrap_or(64).min(MAX_ROWS)) + 1;
        Estimate::cells(5 * rows, rows / 3 + 16)
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        require_coin(&self.source)?;
        check_row_count("upto", self.upto.unwrap_or(0), MAX_ROWS)?;
        let precision = precision(self.digits, false)?;
        let digits = self
            .target
            .checked("target", self.upto.unwrap_or(64).max(16))?;
        let head = Head::new()
            .measured("t", CellKind::Count, "flips")
            .column("probability_exact", CellKind::Exact)
            .column("probability", CellKind::Decimal)
            .column("survival_exact", CellKind::Exact)
            .column("survival", CellKind::Decimal);
        let mut rows = Chunks::begin(&head, control, sink)?;
        let real = |value: &Rational| decimal(&Real::Exact(value.clone()), precision);
        let enough = Rational::new(1.into(), 1000.into());
        let mut before = Rational::one();
        for (t, open) in digits.undecided().enumerate() {
            control.go_on()?;
            let survival = Rational::new(open.into(), BigInt::one() << t);
            let probability = &before - &survival;
            rows.push(row![
                t as u64,
                &probability,
                real(&probability)?,
                &survival,
                real(&survival)?
            ])?;
            let is_last = match self.upto {
                Some(last) => t as u64 == last,
                None => survival < enough,
            };
            if is_last {
                break;
            }
            before = survival;
        }
        let [mean, _, variance] = self.target.flip_cells(precision)?;
        let foot = Foot {
            text: Some(format!(
                "mean {mean} flips, variance {variance}, worst case unbounded\n"
            )),
            ..Foot::default()
        };
        rows.end(foot)
    }
}
