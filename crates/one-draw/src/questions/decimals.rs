//! The question `decimals`: a number in decimals.

use flipcost::table::Precision;
use flipcost_number::{BigUint, Real};
use flipcost_question::Number;
use flipcost_question::prelude::*;
use num_traits::{Pow, Zero};

question! {
    /// A number, such as a fraction that another command printed, in correctly rounded decimals
    ///
    /// One row with a number, such as a fraction from another answer, in correctly rounded
    /// decimals.
    pub struct Decimals: "decimals" {
        /// The number: 11/3, 3+1/2, 2^-128, e, sqrt(2), ln(2)
        of: Number; word("X").dash(),
        /// Decimals after the point [default: 50, and more below 1, so that there are 50
        /// significant digits]
        digits: Option<u32>; option("D").short('d'),
    }
    purpose: Numbers
    examples: ["decimals 11/3", "decimals e --digits 100"]
}

/// The number of decimals after the point, or of significant digits, if the user gives none.
const DEFAULT_DECIMALS: u32 = 50;
/// The largest number of decimals.
const MAX_DECIMALS: u32 = 10_000;
/// The largest number of decimals if the user gives none: small numbers begin with many zeros.
const MAX_DEFAULT_DECIMALS: u32 = 1_000_000;

impl Decimals {
    /// Returns the number of decimals to write.
    fn places(&self) -> Result<u32, QueryError> {
        let too_many = |places: u64, most| {
            let what = format!("{places} decimals are too many");
            QueryError::wrong("digits", what).right(say!("{most} is the most"))
        };
        match self.digits {
            Some(digits) if digits > MAX_DECIMALS => Err(too_many(digits.into(), MAX_DECIMALS)),
            Some(digits) => Ok(digits),
            None => {
                let places = u64::from(DEFAULT_DECIMALS) + leading_zeros(self.of.value());
                match u32::try_from(places) {
                    Ok(places) if places <= MAX_DEFAULT_DECIMALS => Ok(places),
                    _ => Err(too_many(places, MAX_DEFAULT_DECIMALS)),
                }
            }
        }
    }
}

/// Counts the zeros between the point and the first nonzero digit of a number between -1 and 1.
/// Returns 0 for the number 0, and for a number whose enclosure still contains 0 at 10,000
/// decimals.
fn leading_zeros(value: &Real) -> u64 {
    let zeros = |decimals: &str| {
        let (whole, part) = decimals.trim_start_matches('-').split_once('.')?;
        let zeros = part.bytes().take_while(|digit| *digit == b'0').count();
        (whole == "0" && zeros < part.len()).then_some(zeros as u64)
    };
    if let Some(exact) = value.exact() {
        if exact.is_zero() || exact.is_integer() {
            return 0;
        }
        // With z zeros, 10^-z <= |x| < 10^-(z-1). Estimate z from the number of bits, then step up
        // to the exact value.
        let (above, below) = (exact.numer().magnitude(), exact.denom().magnitude());
        let bits = below.bits().saturating_sub(above.bits() + 1);
        let mut zeros = bits * 30_102 / 100_000;
        let mut scaled = above * Pow::pow(BigUint::from(10u8), zeros + 1);
        while scaled < *below {
            scaled *= 10u8;
            zeros += 1;
        }
        return zeros;
    }
    [DEFAULT_DECIMALS, MAX_DECIMALS]
        .into_iter()
        .find_map(|places| zeros(&value.decimals(places).ok()?))
        .unwrap_or(0)
}

impl Question for Decimals {
    fn summary(&self, answer: &Answer) -> String {
        let decimals = answer.cell(0, "decimals").to_string();
        let places = decimals
            .split_once('.')
            .map_or(0, |(_, places)| places.len());
        format!(
            "to {} {} is {decimals}",
            count_with_noun(places as u64, "decimal"),
            answer.cell(0, "number")
        )
    }

    fn estimate(&self) -> Estimate {
        let places = self.places().unwrap_or_default();
        let digits = u128::from(places) + self.of.to_string().len() as u128;
        Estimate::space(100 * digits, 2 * digits)
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        control.go_on()?;
        let precision = Precision {
            digits: Some(self.places()?),
            ..Precision::default()
        };
        let head = Head::new()
            .column("number", CellKind::Text)
            .column("decimals", CellKind::Decimal);
        let row = row![self.of.to_string(), decimal(self.of.value(), precision)?];
        sink.write_answer(&head, vec![row], Foot::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flipcost_question::Query;

    #[test]
    fn a_small_number_has_fifty_significant_digits() {
        for (text, zeros) in [
            ("3+1/2", 0),
            ("-1/3", 0),
            ("0", 0),
            ("1/10", 0),
            ("0.0999", 1),
            ("1/100", 1),
            ("1e-60", 59),
            ("2^-128", 38),
            ("2^-4096", 1233),
            ("e-2", 0),
            ("e/10^60", 59),
        ] {
            let of: Number = text.parse().unwrap();
            assert_eq!(leading_zeros(of.value()), zeros, "{text}");
            let query = Query::from(Decimals { of, digits: None });
            let answer = query.answer(&Control::default()).unwrap();
            let text = answer.rows[0][1].to_string();
            let (_, places) = text.split_once('.').unwrap();
            assert_eq!(places.len() as u64, 50 + zeros, "{text}");
        }
    }
}
