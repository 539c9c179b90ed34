//! What proves that no policy of a store costs less.
//!
//! Numbers G(v), v = 1 .. m floor(S / m), and lambda with
//!
//! ```text
//! m G(v) <= m v + G(m v)          a roll
//! G(a + b) <= G(a) + G(b)         a split
//! G(n q) <= n G(q) - lambda n q   an outcome
//! ```
//!
//! bound every policy. Let h(v) = G(v) / v. By each inequality the move's cost (1 for a roll, -lambda
//! for an outcome, 0 for a split) plus the expected h after it is at least h before it; so after any
//! number of moves, however they were chosen, E[rolls] - lambda E[outcomes] >= h(first) - E[h(last)]
//! >= - (greatest h - least h), and rolls per outcome are at least lambda in the long run.

use crate::number::{BigInt, Rational};
use std::ops::{Add, Mul};

/// The numbers of a proof: see the module's page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// m.
    pub source: u64,
    /// n.
    pub target: u64,
    /// lambda: no policy costs less.
    pub cost: Rational,
    /// G(v) times `unit`, for v = 0 (which is 0), 1, 2, ...
    pub values: Vec<BigInt>,
    /// A multiple of the denominator of the cost.
    pub unit: BigInt,
}

/// Are all inequalities true? O(S^2) comparisons of integers.
pub fn holds(certificate: &Certificate) -> bool {
    let Certificate {
        source,
        target,
        cost,
        values,
        unit,
    } = certificate;
    let whole = &(unit * cost.numer());
    let lambda = whole / cost.denom();
    lambda.clone() * cost.denom() == *whole && inequalities(*source, *target, values, unit, &lambda)
}

/// The inequalities in any integers: G and lambda in multiples of 1 / unit.
pub(super) fn inequalities<T>(m: u64, n: u64, values: &[T], unit: &T, lambda: &T) -> bool
where
    T: Ord + From<u64>,
    for<'a> &'a T: Add<&'a T, Output = T> + Mul<&'a T, Output = T>,
{
    let size = values.len() as u64 - 1;
    let at = |v: u64| &values[v as usize];
    let number = |x: u64| T::from(x);
    let rolls = (1..=size / m).all(|v| {
        let (own, paid) = (at(v) * &number(m), unit * &number(m * v));
        own <= &paid + at(m * v)
    });
    let splits = (2..=size).all(|v| (1..=v / 2).all(|a| *at(v) <= at(a) + at(v - a)));
    let outputs = (1..=size / n).all(|q| {
        // G(nq) + lambda n q <= n G(q)
        let gained = at(n * q) + &(lambda * &number(n * q));
        gained <= at(q) * &number(n)
    });
    rolls && splits && outputs
}
