//! The least bias that any rule of at most t flips can reach.

use crate::chunks::Chunks;
use crate::precision::{decimal, precision};
use crate::{
    CommandLine, Control, Estimate, Foot, Head, Kind, QueryError, Question, Sink, TargetText,
};
use flipcost::law::frontier;
use flipcost::number::{Rational, Real};
use flipcost::table::Cell;
use flipcost::unstable::table::fraction;
use serde::{Deserialize, Serialize};

/// A row for each number of flips, from 0 on: the least total variation distance of any rule of at
/// most so many flips of a coin, and the least expected flips that reach it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Frontier {
    /// The target: the sides of a fair die, or weights.
    pub target: TargetText,
    /// The most flips.
    pub to: u32,
    /// Correctly rounded decimals instead of the nearest doubles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digits: Option<u32>,
}

/// The most flips that are asked for.
const MOST: u32 = 1 << 12;

impl Question for Frontier {
    fn command(&self) -> CommandLine {
        CommandLine::new("frontier")
            .target(&self.target)
            .option("to", self.to)
            .maybe("digits", self.digits)
    }

    fn estimate(&self) -> Estimate {
        let (weights, bits) = self.target.size();
        let flips = u128::from(self.to.min(MOST)) + 1;
        let length = flips + bits + 4 * u128::from(self.digits.unwrap_or(20));
        Estimate {
            work: (flips * weights).saturating_mul(length * (length / 64 + 1) + 1000),
            memory: weights.saturating_mul(length),
            output: flips.saturating_mul(length * 2),
        }
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let precision = precision(self.digits, false)?;
        let target = self.target.checked()?;
        if self.to > MOST {
            return Err(QueryError::Input(format!(
                "--to {} is too many flips: {MOST} is the most",
                self.to
            )));
        }
        let head = Head::new()
            .measured("bits", Kind::Count, "flips")
            .column("total_variation_exact", Kind::Exact)
            .measured("expected_exact", Kind::Exact, "flips")
            .column("total_variation", Kind::Decimal)
            .measured("expected", Kind::Decimal, "flips");
        let mut rows = Chunks::begin(&head, control, sink)?;
        for bits in 0..=self.to {
            let point = frontier(target, bits);
            let number = |value: &Rational| decimal(&Real::Exact(value.clone()), precision);
            rows.push(vec![
                Cell::Integer(u64::from(bits).into()),
                Cell::Exact(fraction(&point.total_variation)),
                Cell::Exact(fraction(&point.expected)),
                number(&point.total_variation)?,
                number(&point.expected)?,
            ])?;
        }
        rows.end(Foot::default())
    }
}
