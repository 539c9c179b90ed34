//! The rule that halves, rounds up and factors.

use flipcost_number::{Rational, Real};
use flipcost_question::prelude::*;
use num_traits::Zero;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

question! {
    /// What a die costs with a coin by halving, rounding up and factoring alone
    ///
    /// The flips of the best rule that makes a dn by these steps alone: a flip and a d(n/2); a larger di,
    /// thrown again until it is at most n; dice of two factors of n. One row.
    pub struct RoundingUp: "rounding-up" {
        /// The sides of the die
        n: u64; word("N"),
        /// Decimals after the point; without it, the nearest doubles.
        digits: Option<u32>; DIGITS,
    }
    purpose: Numbers
    examples: ["rounding-up 9"]
}

/// The largest die.
const MOST: u64 = 2000;

/// T(n) of the n that were met.
static KNOWN: Mutex<BTreeMap<u64, Rational>> = Mutex::new(BTreeMap::new());

/// T(n), and those that it takes: T(1) = 0, and T(n) is the least of 1 + T(n/2), (i/n) T(i) for i from n+1
/// to the next power of 2, and T(a) + T(b), a b = n.
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
    let factors = (2..n).take_while(|a| a * a <= n);
    for a in factors.filter(|a| n.is_multiple_of(*a)) {
        rules.push(least(a, known) + least(n / a, known));
    }
    let best = rules.into_iter().min().expect("2 or more has a rule");
    known.insert(n, best.clone());
    best
}

impl Question for RoundingUp {
    fn estimate(&self) -> Estimate {
        let n = u128::from(self.n.min(MOST));
        Estimate::table(1, 1, n * n * 100, 1000)
    }

    fn run(&self, _: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let precision = precision(self.digits, false)?;
        if !(1..=MOST).contains(&self.n) {
            let sides = self.n;
            let what = say!("rounding up is not computed for a die of {sides} sides");
            return Err(QueryError::wrong("n", what).right(say!("1 to {MOST} sides are")));
        }
        let kept = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let mut known = kept().clone();
        let expected = least(self.n, &mut known);
        kept().append(&mut known);
        let head = Head::new()
            .column("n", Kind::Count)
            .measured("expected_exact", Kind::Exact, "flips")
            .answers()
            .measured("expected", Kind::Decimal, "flips")
            .answers();
        let row = row![
            self.n,
            &expected,
            decimal(&Real::Exact(expected), precision)?
        ];
        sink.whole(&head, vec![row], Foot::default())
    }
}
