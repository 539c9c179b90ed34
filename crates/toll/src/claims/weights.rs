//! Theorems about all weights of a sum: the largest toll of the amplified loaded dice roller.

use crate::largest_toll::{LargestToll, LargestTolls, least_depth};
use crate::verify::RangeFindings;
use crate::verify::{Claim, Progress, VerifyError, check_progress};
use crate::verify::{describe_extreme, is_larger};
use flipcost_number::threads::Workers;
use std::ops::RangeInclusive;

pub const ALDR_TOLL: Claim = Claim {
    id: "aldr-toll",
    statement: "for all weights of sum n, aldr:K=2k costs less than 2 flips above the entropy, k the least with 2^k >= n",
    standing: "theorem (Draper & Saad 2025): checked for every distribution of a sum at once, by a knapsack of its parts that bounds the largest toll from above; weights with a common divisor are not checked here, but at a smaller sum, after division by it",
    record: None,
    first: 2,
    largest: LargestTolls::MAX_SUM,
    // Only some dozen parts are useful, and there are only a few sets of primes.
    work: |to| 50 * to * to,
    check: |sums, threads, _, progress| check_all_weights(sums, 0, threads, progress),
    above: is_larger,
    words: |_, found| describe_extreme(found, |_, sum| largest_toll_of_sum(sum, 0)),
};

pub const ALDR_TOLL_EVEN: Claim = Claim {
    id: "aldr-toll-even",
    statement: "for all weights of an even sum n, aldr:K=2k-1 costs less than 2 flips above the entropy, k the least with 2^k >= n",
    standing: "open: decided here for every distribution of a sum at once, by a knapsack of its parts that bounds the largest toll from above; weights have no common divisor",
    work: |to| 25 * to * to,
    check: |sums, threads, _, progress| check_all_weights(sums, 1, threads, progress),
    words: |_, found| describe_extreme(found, |_, sum| largest_toll_of_sum(sum, 1)),
    ..ALDR_TOLL
};

/// Computes the largest tolls of the amplified loaded dice roller for K = 2k - `less`: for all sums
/// of the range, or only for the even sums if `less` is 1. The size that is recorded for each sum
/// is the upper bound of its largest toll, in units of 2^-56.
fn check_all_weights(
    sums: RangeInclusive<u64>,
    less: u32,
    threads: usize,
    progress: Progress,
) -> Result<RangeFindings, VerifyError> {
    let tolls = LargestTolls::up_to(*sums.end());
    let work = |part: RangeInclusive<u64>| {
        let meant = part.filter(|sum| less == 0 || sum % 2 == 0);
        let largest = |sum: u64| tolls.largest_toll(sum, 2 * least_depth(sum) - less);
        Ok::<_, VerifyError>(meant.map(|sum| (sum, largest(sum))).collect::<Vec<_>>())
    };
    let mut found = RangeFindings::default();
    Workers::new(threads).ordered(sums, 8, work, |part, last| {
        for (sum, largest) in part {
            match largest.is_below(2) {
                Some(true) => {}
                Some(false) => found.record_contradiction(|| toll_with_weights(sum, &largest)),
                None => return Err(VerifyError::Near { sum }),
            }
            // No toll is below 0.
            found.count_size(largest.high as u64, sum);
        }
        check_progress(progress(last))
    })?;
    Ok(found)
}

/// Describes the largest toll of a sum.
fn largest_toll_of_sum(sum: u64, less: u32) -> String {
    let largest = LargestTolls::up_to(sum).largest_toll(sum, 2 * least_depth(sum) - less);
    format!("the largest toll is {}", toll_with_weights(sum, &largest))
}

/// Formats `1.885213... flips, of the weights 12:6:3:2:1 (n = 24)`.
fn toll_with_weights(sum: u64, largest: &LargestToll) -> String {
    let weights: Vec<String> = largest.weights.iter().map(u64::to_string).collect();
    format!(
        "{} flips, of the weights {} (n = {sum})",
        largest.decimals(),
        weights.join(":")
    )
}
