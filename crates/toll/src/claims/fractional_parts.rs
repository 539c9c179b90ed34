//! The theorem about the sum of fractional parts that the cost is.

use crate::toll::expected_by_fractional_parts;
use crate::verify::{Claim, describe_extreme, larger, sweep};
use flipcost::law::FractionSize;
use flipcost::prelude::*;

pub const FRACTIONAL_PARTS: Claim = Claim {
    id: "fractional-parts",
    statement: "E(n) = ceil(log2 n) + the sum of {2^j y} / (2^j y) over j >= 0, y = 2^ceil(log2 n) / n, for the fast dice roller with a coin",
    standing: "theorem: 2^t mod n is n times the part of 2^t / n after its point; checked by exact fractions, from the law of the algorithm and by doubling the part of y after its point until it comes back",
    record: None,
    first: 1,
    largest: 1 << 16,
    // fractions of up to n bits, and their greatest common divisors
    work: |to| to.saturating_mul(10_000 + to * to / 16),
    check: |range, threads, recorder, progress| {
        sweep(range, 64, threads, recorder, progress, |part, found| {
            for n in part {
                let (mean, sum) = (expected(n), expected_by_fractional_parts(n));
                found.see(sum.denom().bits(), n);
                if mean.as_ref() != Ok(&sum) {
                    found.refute(|| format!("E(n) is not the sum {sum} at n = {n}"));
                }
            }
            Ok(())
        })
    },
    above: larger,
    words: |_, found| {
        describe_extreme(found, |bits, n| {
            format!("the largest denominator has {bits} bits, at n = {n}")
        })
    },
};

/// The mean of the law of the fast dice roller with a coin.
fn expected(n: u64) -> Result<Rational, FractionSize> {
    let task = Task::dice(2u8, n).expect("a coin, and n >= 1");
    let law = FAST_DICE_ROLLER.law(&task);
    law.expect("the fast dice roller has a law").mean()
}
