//! The theorem about how many times the entropy rejection takes.

use super::claim::{Claim, VerifyError};
use super::parts::{describe_extreme, larger, sweep};
use flipcost_number::fixed::log2_fixed;
use flipcost_number::{Rational, Real};
use std::cmp::Ordering;

pub(super) const REJECTION_RATIO: Claim = Claim {
    id: "rejection-ratio",
    statement: "rejection with a coin takes at most 4 log2 n flips, and 4 log2 n at n = 2 alone",
    standing: "theorem: k 2^k / n, k the bits of n, falls from power to power of two while log2 n rises, and 2 k / (k-1) falls with k; checked by logarithms to 2^-60, by exact enclosures where they do not tell",
    record: None,
    first: 2,
    largest: 1 << 40,
    work: |to| 200 * to,
    check: |range, threads, recorder, progress| {
        sweep(
            range,
            1 << 16,
            threads,
            recorder,
            progress,
            |part, found| {
                for n in part {
                    found.see(0, n);
                    let expected = if n == 2 {
                        Ordering::Equal
                    } else {
                        Ordering::Less
                    };
                    if with_entropy(n, 4)? != expected {
                        found.refute(|| format!("the ratio is out of its bounds at n = {n}"));
                    }
                    if with_entropy(n, 2)? != Ordering::Less {
                        found.mark((n, n));
                    }
                }
                Ok(())
            },
        )
    },
    above: larger,
    words: |range, found| {
        // no other n has the largest ratio of all
        let largest = if range.contains(&2) {
            "4 log2 n at n = 2, "
        } else {
            ""
        };
        let count: u64 = found
            .runs
            .iter()
            .map(|(first, last)| last - first + 1)
            .sum();
        let run = |&(first, last): &(u64, u64)| {
            if first == last {
                first.to_string()
            } else {
                format!("{first}..{last}")
            }
        };
        let runs: Vec<String> = found.runs.iter().map(run).collect();
        let runs = runs.join(", ");
        let words = format!("{largest}2 log2 n or more for {count} n: {runs}");
        describe_extreme(found, |_, _| words)
    },
};

/// E(n) = k 2^k / n, k the bits of n, beside a multiple of log2 n.
fn with_entropy(n: u64, multiple: u8) -> Result<Ordering, VerifyError> {
    let k = u64::BITS - n.leading_zeros();
    let flips = u128::from(k) << k;
    // n is at most 2^40, so that both sides are below 2^114
    let times_n = |log: u128| u128::from(multiple) * u128::from(n) * log;
    // k - 1 <= log2 n < k decides nearly all
    if flips < times_n(u128::from(k - 1)) {
        return Ok(Ordering::Less);
    }
    let log = log2_fixed(n);
    let (low, high) = (times_n(log.low), times_n(log.high));
    match (flips << 64).cmp(&low) {
        Ordering::Less => Ok(Ordering::Less),
        order if low == high => Ok(order),
        _ if flips << 64 > high => Ok(Ordering::Greater),
        _ => {
            let flips = Real::Exact(Rational::new(flips.into(), n.into()));
            let entropy = Real::log(n, 2).times(&Real::integer(multiple));
            Ok(flips.compare(&entropy)?)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flipcost::algorithms::find;
    use flipcost::task::Task;

    #[test]
    fn the_comparison_is_that_of_the_law() {
        let rejection = find("rejection").unwrap();
        for n in 2..300u64 {
            let mean = rejection
                .law(&Task::dice(2u8, n).unwrap())
                .unwrap()
                .mean_real();
            for multiple in 1..=4u8 {
                let entropy = Real::log(n, 2).times(&Real::integer(multiple));
                assert_eq!(
                    with_entropy(n, multiple).unwrap(),
                    mean.compare(&entropy).unwrap(),
                    "n = {n}, {multiple}"
                );
            }
        }
    }
}
