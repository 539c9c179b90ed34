//! A number in decimals.

use crate::precision::decimal;
use crate::sentence::say;
use crate::{
    CommandLine, Control, Estimate, Foot, Head, Kind, Positive, QueryError, Question, Sink,
};
use flipcost::table::{Cell, Precision};
use serde::{Deserialize, Serialize};

/// A positive number, such as a fraction that another answer has, in correctly rounded decimals: one
/// row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decimals {
    /// The number: `11/3`, `e`, `sqrt(2)`.
    pub of: Positive,
    /// Decimals after the point, at most 10,000.
    #[serde(default = "fifty", skip_serializing_if = "is_fifty")]
    pub digits: u32,
}

fn fifty() -> u32 {
    50
}

fn is_fifty(digits: &u32) -> bool {
    *digits == fifty()
}

/// The most decimals.
const MOST: u32 = 10_000;

impl Question for Decimals {
    fn command(&self) -> CommandLine {
        let digits = (!is_fifty(&self.digits)).then_some(self.digits);
        CommandLine::new("decimals")
            .word(&self.of)
            .maybe("digits", digits)
    }

    fn estimate(&self) -> Estimate {
        let digits = u128::from(self.digits.min(MOST)) + self.of.to_string().len() as u128;
        Estimate {
            work: digits * digits,
            memory: 100 * digits,
            output: 2 * digits,
        }
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        if self.digits > MOST {
            let what = format!("{} decimals are too many", self.digits);
            return Err(QueryError::wrong("digits", what).right(say!("{MOST} is the most")));
        }
        control.go_on()?;
        let precision = Precision {
            digits: Some(self.digits),
            ..Precision::default()
        };
        let head = Head::new()
            .column("number", Kind::Text)
            .column("decimals", Kind::Decimal);
        sink.head(&head)?;
        let number = Cell::Text(self.of.to_string());
        sink.rows(vec![vec![number, decimal(self.of.value(), precision)?]])?;
        sink.foot(Foot::default())
    }
}
