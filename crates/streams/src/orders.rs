//! All orders of a deck at once: the entropy log_m K!, and one roll of a die with K! sides.

use super::batch::fast;
use flipcost_number::BigUint;
use flipcost_number::rationals::product_of;
use flipcost_number::real::Real;
use num_traits::One;

/// The entropy of all orders of K cards in rolls of a source of m sides, and the cost of one roll of the
/// fast dice roller for a die with K! sides, for each K of a list that does not fall.
///
/// Cost: K! for the largest K, O(K^2 log K / 64) word operations, and a few dozen sums of its length for
/// each K.
///
/// ```
/// let [small, deck] = &flipcost_streams::all_orders(2, &[3, 52])[..] else { panic!() };
/// assert_eq!(small.1.exact().unwrap().to_string(), "11/3"); // a d6
/// assert_eq!(deck.0.decimals(3)?, "225.581");
/// assert_eq!(deck.1.decimals(3)?, "226.680");
/// # Ok::<(), flipcost_number::Undecided>(())
/// ```
///
/// # Panics
/// With a source of fewer than 2 sides, or if the list falls.
pub fn all_orders(source: u64, sizes: &[u64]) -> Vec<(Real, Real)> {
    assert!(sizes.is_sorted(), "the decks are in order");
    let (mut orders, mut cards) = (BigUint::one(), 1);
    let at = |size: &u64| {
        if *size > cards {
            orders *= product_of(cards + 1..=*size);
            cards = *size;
        }
        (Real::log(&orders, source), fast(source.into(), &orders))
    };
    sizes.iter().map(at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_factorials_are_no_other_dice() {
        for (entropy, cost) in all_orders(2, &[170, 171]) {
            let toll = cost.minus(&entropy);
            assert!(toll.compare(&Real::integer(0)).unwrap().is_gt());
            assert!(toll.compare(&Real::integer(2)).unwrap().is_lt());
        }
    }
}
