//! Claims about the toll of loaded dice, each checked for every n of a range.
//!
//! **aldr-toll.** *The amplified loaded dice roller with K = 2k costs less than 2 flips above the
//! entropy, for all weights of sum n, where k is the least number with 2^k >= n* (Draper & Saad
//! 2025). The algorithm first divides weights by their greatest common divisor. So a sweep to n
//! covers every distribution whose weights, divided in this way, have a sum of at most n. Finding
//! the largest toll of a sum is a knapsack problem (see `crates/toll/src/largest_toll.rs`), bounded
//! from above by exact sums of values that are rounded up.
//!
//! **aldr-toll-even.** *The same holds for K = 2k - 1, for all weights of an even sum n.* It is not
//! known whether this is true. For odd sums it is false (7:3:3 costs 2.235 flips above the
//! entropy). A sweep decides each sum by the same knapsack.

mod weights;

use crate::verify::Claim;

/// The claims of this module.
pub const CLAIMS: &[Claim] = &[weights::ALDR_TOLL, weights::ALDR_TOLL_EVEN];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::verify;
    use std::ops::ControlFlow;

    #[test]
    fn the_claims_hold_and_count_what_they_check() {
        let check = |claim, to| verify(claim, to, 2, |_| ControlFlow::Continue(())).unwrap();
        // Draper & Saad 2025, their code: 1.885213 is the largest toll of the sum 24
        let weights = check(weights::ALDR_TOLL, 24);
        assert_eq!((weights.checked, weights.counterexample), (23, None));
        let most = weights.extreme.unwrap();
        assert!(
            most.contains("1.885213") && most.ends_with("(n = 24)"),
            "{most}"
        );
        let even = check(weights::ALDR_TOLL_EVEN, 200);
        assert_eq!((even.checked, even.counterexample), (100, None));
    }
}
