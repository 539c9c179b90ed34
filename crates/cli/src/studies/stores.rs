//! What a store loses: bounds, and the decimals that an enclosure leaves.

use super::error::StudyError;
use flipcost::number::{BigInt, Rational, Real};
use flipcost::unstable::number::common_decimals;

/// The decimals, at most 12, that two ends have in common, if there is one.
///
/// # Errors
/// If a rounding cannot be decided.
pub fn common(low: &Real, high: &Real) -> Result<Option<String>, StudyError> {
    Ok(common_decimals(low, high, 12)?)
}

/// Grant's bound of what filling loses: H(p) / (1 - p) = -p/(1-p) log2 p - log2(1-p), 0 < p < 1.
pub fn grants_bound(p: &Rational) -> Real {
    let log = |x: &Rational| {
        let part = |part: &BigInt| Real::log(part.magnitude(), 2);
        part(x.numer()).minus(&part(x.denom()))
    };
    let q = Rational::from_integer(1.into()) - p;
    let odds = Real::Exact(p / &q);
    let none = Real::integer(0);
    none.minus(&odds.times(&log(p))).minus(&log(&q))
}
