//! Certificates, which prove that no policy of a store costs less.
//!
//! A certificate consists of numbers G(v), v = 1 .. m floor(S / m), and lambda with
//!
//! ```text
//! m G(v) <= m v + G(m v)          a roll
//! G(a + b) <= G(a) + G(b)         a split
//! G(n q) <= n G(q) - lambda n q   an outcome
//! ```
//!
//! These inequalities bound the cost of every policy from below. Let h(v) = G(v) / v. Each
//! inequality says that the cost of a move (1 for a roll, -lambda for an outcome, 0 for a split)
//! plus the expected h after the move is at least the h before it. So after any number of moves,
//! however chosen, E[rolls] - lambda E[outcomes] >= h(first) - E[h(last)] >= - (greatest h - least
//! h), and the rolls per outcome are at least lambda in the long run.
//!
//! If targets n_0, n_1, ... come in a fixed order, again and again, there is one G for each place
//! in the order: rolls and splits do not change the place, and an outcome leads to the next place:
//!
//! ```text
//! G_i(n_i q) <= n_i G_(i + 1)(q) - lambda n_i q
//! ```

use flipcost_number::{BigInt, Rational};
use std::ops::{Add, Mul};

/// The numbers of a proof; the module documentation defines them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreCertificate {
    /// The number m of sides of the source.
    pub source: u64,
    /// The numbers of sides of the targets, in the order in which they come; often a single n.
    pub targets: Vec<u64>,
    /// The cost lambda, of which the certificate proves that no policy costs less.
    pub cost: Rational,
    /// `values[i][v]` is G(v) times `unit` while target i is next, for v = 0 (where it is 0), 1, 2,
    /// ...
    pub values: Vec<Vec<BigInt>>,
    /// A multiple of the denominator of the cost.
    pub unit: BigInt,
}

/// Checks whether all inequalities hold. Cost: O(S^2) comparisons of integers for each target.
pub fn holds(certificate: &StoreCertificate) -> bool {
    let StoreCertificate {
        source,
        targets,
        cost,
        values,
        unit,
    } = certificate;
    let whole = &(unit * cost.numer());
    let lambda = whole / cost.denom();
    lambda.clone() * cost.denom() == *whole && inequalities(*source, targets, values, unit, &lambda)
}

/// Checks the inequalities in any integer type, with G and lambda in units of 1 / unit.
pub(super) fn inequalities<T>(
    m: u64,
    targets: &[u64],
    values: &[Vec<T>],
    unit: &T,
    lambda: &T,
) -> bool
where
    T: Ord + From<u64>,
    for<'a> &'a T: Add<&'a T, Output = T> + Mul<&'a T, Output = T>,
{
    let number = |x: u64| T::from(x);
    let size = values.first().map_or(0, Vec::len).saturating_sub(1) as u64;
    targets.len() == values.len()
        && values.iter().all(|values| values.len() as u64 == size + 1)
        && targets.iter().enumerate().all(|(place, &n)| {
            let (own, after) = (&values[place], &values[(place + 1) % values.len()]);
            let at = |v: u64| &own[v as usize];
            let rolls = (1..=size / m).all(|v| {
                let (before, paid) = (at(v) * &number(m), unit * &number(m * v));
                before <= &paid + at(m * v)
            });
            let splits = (2..=size).all(|v| (1..=v / 2).all(|a| *at(v) <= at(a) + at(v - a)));
            let outputs = (1..=size / n).all(|q| {
                // G(nq) + lambda n q <= n G(q), where the G on the right is that of the next target
                let gained = at(n * q) + &(lambda * &number(n * q));
                gained <= &after[q as usize] * &number(n)
            });
            rolls && splits && outputs
        })
}
