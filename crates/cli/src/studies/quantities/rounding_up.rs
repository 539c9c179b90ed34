//! The quantity `rounding-up`: see [`RoundingUp`].

use crate::studies::case::Case;
use crate::studies::error::{Mistake, StudyError};
use crate::studies::measure::Measure;
use crate::studies::of_n::OfN;
use flipcost::number::{BigUint, Rational, Real};
use flipcost::unstable::number::short;
use num_traits::{ToPrimitive, Zero};
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// The flips of the best rule that makes a dn by these steps alone: a flip and a d(n/2); a larger di,
/// thrown again until it is at most n; dice of two factors of n. T(1) = 0, and T(n) is the least of
/// 1 + T(n/2), (i/n) T(i) for i from n+1 to the next power of 2, and T(a) + T(b), a b = n.
///
/// ```toml
/// rounding-up = { n = 9 }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RoundingUp {
    n: OfN<BigUint>,
}

/// The largest n.
const MOST: u64 = 2000;

/// T(n) of the n that were met.
static KNOWN: Mutex<BTreeMap<u64, Rational>> = Mutex::new(BTreeMap::new());

/// T(n), and those that it takes.
fn least(n: u64, known: &mut BTreeMap<u64, Rational>) -> Rational {
    if n == 1 {
        return Rational::zero();
    }
    if let Some(known) = known.get(&n) {
        return known.clone();
    }
    let mut rules = Vec::new();
    if n.is_multiple_of(2) {
        rules.push(least(n / 2, known) + Rational::from_integer(1.into()));
    }
    // from the top, so that no call is deep
    let above = (n + 1..=n.next_power_of_two()).rev();
    let up = above.map(|i| least(i, known) * Rational::from_integer(i.into()));
    rules.extend(
        up.min()
            .map(|least| least / Rational::from_integer(n.into())),
    );
    for a in (2..n)
        .take_while(|a| a * a <= n)
        .filter(|a| n.is_multiple_of(*a))
    {
        rules.push(least(a, known) + least(n / a, known));
    }
    let best = rules.into_iter().min().expect("2 or more has a rule");
    known.insert(n, best.clone());
    best
}

impl Measure for RoundingUp {
    fn of_n(&self) -> bool {
        self.n.of_n()
    }

    fn value(&self, case: &Case) -> Result<Real, StudyError> {
        let n = self.n.at(case.n)?;
        let word = n.to_u64().filter(|n| (1..=MOST).contains(n));
        let n = word.ok_or_else(|| {
            let what = format!("rounding-up is computed for n from 1 to {MOST}");
            Mistake::of("n", short(&n), what)
        })?;
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(Real::Exact(least(n, &mut known)))
    }
}
