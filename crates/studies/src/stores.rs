//! What the best policy of a store loses: its cost, bounds, and the decimals that an enclosure leaves.

use super::error::{Mistake, StudyError};
use super::limits::at_most;
use super::values::Span;
use flipcost::table::Cell;
use flipcost_number::real::common_decimals;
use flipcost_number::{BigInt, BigUint, Decimal, Rational, Real};
use flipcost_streams::{MOST_STATES, Policy, best_store, eager_repeat};

/// The decimals, at most 12, that two ends have in common, if there is one.
///
/// # Errors
/// If a rounding cannot be decided.
pub fn common(low: &Real, high: &Real) -> Result<Option<Decimal>, StudyError> {
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

/// A step of sizes where none is given.
pub fn one() -> u64 {
    1
}

/// The best policy of one store.
pub struct Found {
    /// The sides of the target.
    pub n: u64,
    /// S.
    pub states: u64,
    /// What the best policy costs, at least.
    pub low: Rational,
    /// What it costs, at most.
    pub high: Rational,
    /// What filling and extracting costs, if it can, and its chain is solved exactly.
    pub fill: Option<Rational>,
    /// Sizes at which the best policy does not fill and extract.
    pub exceptions: u64,
}

/// The best policy of a store, if it ever gives an outcome.
pub fn found(m: u64, n: u64, states: u64) -> Result<Option<Found>, StudyError> {
    if states / m * m < n {
        return Ok(None);
    }
    let best = best_store(m, &[n], states, &mut || true).map_err(Mistake::new)?;
    let fill = if n <= states / m + 1 {
        eager_repeat(m.into(), n, states / m + 1).exact
    } else {
        None
    };
    let filling = Policy::fill(m, &[n], states);
    let reached = best.policy.reached();
    let other = |v: &u64| reached[0][*v as usize] && best.policy.at(0, *v) != filling.at(0, *v);
    Ok(Some(Found {
        n,
        states,
        exceptions: (1..=best.policy.largest()).filter(other).count() as u64,
        low: best.low,
        high: best.high,
        fill,
    }))
}

/// What a cost loses, in bits.
pub fn loss(m: u64, n: u64, cost: &Rational) -> Real {
    let entropy = Real::log(&BigUint::from(n), m);
    let loss = Real::Exact(cost.clone()).minus(&entropy);
    loss.times(&Real::log(&BigUint::from(m), 2))
}

/// What a cost between two ends loses: its cell, the decimals that both have if they are two, and the
/// same as a point of a curve.
pub fn lost(
    m: u64,
    n: u64,
    low: &Rational,
    high: &Rational,
) -> Result<(Cell, Option<f64>), StudyError> {
    let high = (low != high).then(|| loss(m, n, high));
    near(&loss(m, n, low), high.as_ref())
}

/// A value, or one between two ends: its cell and its point.
pub fn near(low: &Real, high: Option<&Real>) -> Result<(Cell, Option<f64>), StudyError> {
    let Some(high) = high else {
        let near = low.nearest_f64()?;
        return Ok((Cell::Double(near), Some(near)));
    };
    let known = common(low, high)?;
    let near = known.as_ref().map(Decimal::to_f64);
    Ok((known.map_or(Cell::Empty, Cell::Decimal), near))
}

/// The sizes of stores that a figure takes.
///
/// # Errors
/// If they are too large, or `every` is 0.
pub fn sizes(states: &Span, every: u64) -> Result<Vec<u64>, StudyError> {
    if every == 0 {
        let what = "every = 0 takes no size of the store";
        return Err(Mistake::of("every", every, what)
            .right("write 1 or more")
            .into());
    }
    at_most("states", *states.0.end(), "states of a store", MOST_STATES)?;
    Ok(states.0.clone().step_by(every as usize).collect())
}
