//! All orders of a deck at once: the entropy log_m K!, and one roll of a die with K! sides.

use super::batch::{entropy, fast};
use flipcost::task::{Refusal, Source};
use flipcost_number::BigUint;
use flipcost_number::Real;
use flipcost_number::rationals::product_of;
use num_traits::One;

/// What one order of all orders of K cards costs at once.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct OrderCost {
    /// K.
    pub cards: u64,
    /// The entropy, log_m K!, in rolls.
    pub entropy: Real,
    /// The expected rolls of the fast dice roller for a die with K! sides.
    pub cost: Real,
}

/// The entropy of all orders of K cards in rolls of a source of m sides, and the cost of one roll of the
/// fast dice roller for a die with K! sides, for each K of a list that does not fall.
///
/// Cost: K! for the largest K, O(K^2 log K / 64) word operations, and a few dozen sums of its length for
/// each K.
///
/// ```
/// let decks = flipcost_streams::all_orders(&flipcost::task::Source::COIN, &[3, 52])?;
/// assert_eq!(decks[0].cost.to_string(), "11/3"); // a d6
/// assert_eq!(decks[1].entropy.decimals(3)?, "225.581");
/// assert_eq!(decks[1].cost.decimals(3)?, "226.680");
/// # Ok::<(), flipcost::Error>(())
/// ```
///
/// # Errors
/// If the source is not fair, or has more than 2^64 sides.
///
/// # Panics
/// If the list falls.
pub fn all_orders(source: &Source, sizes: &[u64]) -> Result<Vec<OrderCost>, Refusal> {
    let source = crate::dice::sides(source)?;
    assert!(sizes.is_sorted(), "the decks are in order");
    let (mut orders, mut cards) = (BigUint::one(), 1);
    let at = |size: &u64| {
        if *size > cards {
            orders *= product_of(cards + 1..=*size);
            cards = *size;
        }
        OrderCost {
            cards,
            entropy: entropy(source, &orders),
            cost: fast(source, &orders),
        }
    };
    Ok(sizes.iter().map(at).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_factorials_are_no_other_dice() {
        for OrderCost { entropy, cost, .. } in all_orders(&Source::COIN, &[170, 171]).unwrap() {
            let toll = cost.minus(&entropy);
            assert!(toll.compare(0).unwrap().is_gt());
            assert!(toll.compare(2).unwrap().is_lt());
        }
    }
}
