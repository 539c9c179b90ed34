//! The check `in-a-row`: see [`InARow`].

use crate::studies::case::Case;
use crate::studies::decide::{Decide, Found};
use crate::studies::error::{Mistake, StudyError};
use crate::studies::limits::few_bits;
use crate::studies::values::Fraction;
use flipcost::number::Rational;
use num_traits::One;
use schemars::JsonSchema;
use serde::Deserialize;

/// The probability that an independent event happens a given number of times in a row.
///
/// ```toml
/// in-a-row = { event = "1/6", times = 10, is = "1/60466176" }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InARow {
    /// The probability of the event.
    event: Fraction,
    /// How many times in a row.
    times: u32,
    /// The probability of all of them.
    is: Fraction,
}

impl Decide for InARow {
    fn decide(&self, _: &Case) -> Result<Found, StudyError> {
        if self.event.0 > Rational::one() {
            let what = "the event has a probability above 1";
            return Err(Mistake::of("event", &self.event.0, what)
                .right("write one such as event = \"1/6\"")
                .into());
        }
        let (above, below) = (self.event.0.numer(), self.event.0.denom());
        few_bits(u128::from(below.bits()) * u128::from(self.times))?;
        let all = Rational::new(above.pow(self.times), below.pow(self.times));
        Ok(Found::new(all.to_string(), all == self.is.0))
    }
}
