//! The theorem about the toll of one probability.

use crate::digits::{bound, relative_toll};
use crate::verify::Claim;
use crate::verify::{describe_extreme, larger, sweep};
use std::cmp::Ordering;

pub const DIGIT_BOUND: Claim = Claim {
    id: "digit-bound",
    statement: "for x = n / 2^k, n odd and of k bits, (nu(x) - x log2(1/x)) / x <= 2 - (1-x) (f - 2 + 1/ln 2), f = -floor(log2(1-x))",
    standing: "theorem (Draper & Saad 2025): nu(x) is the sum of j / 2^j over the binary digits 1 of x, the flips that an outcome of probability x costs; checked by exact enclosures",
    record: None,
    first: 1,
    largest: 1 << 24,
    work: |to| 50_000 * to,
    check: |range, threads, recorder, progress| {
        sweep(range, 1024, threads, recorder, progress, |part, found| {
            for n in part.filter(|n| n % 2 == 1) {
                let k = n.ilog2() + 1;
                found.see(k.into(), n);
                let (toll, bound) = (relative_toll(n, k), bound(n, k));
                if toll.compare(&bound)? == Ordering::Greater {
                    let (toll, bound) = (toll.decimals(9)?, bound.decimals(9)?);
                    found.refute(|| format!("{toll} above {bound} at x = {n} / 2^{k}"));
                }
            }
            Ok(())
        })
    },
    above: larger,
    words: |_, found| {
        describe_extreme(found, |digits, _| {
            format!("all x of up to {digits} binary digits")
        })
    },
};
