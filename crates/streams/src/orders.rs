//! Draws all orders of a deck at once: the entropy log_m K!, and the cost of one roll of a die with
//! K! sides.
//!
//! For a large deck K! is only enclosed, by its leading bits. Let L be the least number with m^L >=
//! n, and y = m^L / n, which lies between 1 and m. The fast dice roller for a die of n sides costs
//!
//! ```text
//! E = sum_t (m^t mod n) / m^t = L + (1/y) sum_{j>=0} frac(m^j y) / m^j,
//! ```
//!
//! since m^t mod n = m^t for t < L, and m^t mod n = n frac(m^j y) for t = L + j.

use super::batch::{entropy, fast_roller_cost};
use flipcost::task::{Refusal, Source};
use flipcost_number::budget::spend;
use flipcost_number::rationals::product_of;
use flipcost_number::scaled::{Scaled, shifted_down, shifted_up};
use flipcost_number::threads;
use flipcost_number::{BigInt, BigUint, Enclosure, Real};
use num_traits::{One, Zero};
use std::ops::RangeInclusive;

/// The cost of drawing one order of K cards with a single roll.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct OrderCost {
    /// The number K of cards.
    pub cards: u64,
    /// The entropy, log_m K!, in rolls.
    pub entropy: Real,
    /// The expected rolls of the fast dice roller for a die with K! sides.
    pub cost: Real,
}

/// For each K of a list in ascending order, returns the entropy of all orders of K cards in rolls
/// of a source of m sides, and the cost of one roll of a die with K! sides by the fast dice roller.
///
/// Cost: K! for the largest K, O(K^2 log K / 64) word operations, and a few dozen sums of the same
/// length for each K.
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
/// If the list is not in ascending order.
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
            cost: fast_roller_cost(source, &orders),
        }
    };
    Ok(sizes.iter().map(at).collect())
}

/// Returns only the entropy of all orders of K >= 1 cards, in rolls of a source of m sides. Cost:
/// O(K) products.
///
/// ```
/// let million = flipcost_streams::order_entropy(&flipcost::task::Source::COIN, 1_000_000)?;
/// assert_eq!(million.decimals(3)?, "18488884.820");
/// # Ok::<(), flipcost::Error>(())
/// ```
///
/// # Errors
/// If the source is not fair, or has more than 2^64 sides.
pub fn order_entropy(source: &Source, cards: u64) -> Result<Real, Refusal> {
    Ok(drawn_orders(crate::dice::sides(source)?, cards, cards).0)
}

/// Products of up to this many factors are computed exactly.
const MAX_EXACT_FACTORS: u64 = 1 << 16;

/// The entropy and the cost for the first J of K cards, which have K!/(K-J)! outcomes.
pub(crate) fn drawn_orders(source: u128, cards: u64, drawn: u64) -> (Real, Real) {
    let range = (cards - drawn + 1).max(2)..=cards;
    if drawn <= MAX_EXACT_FACTORS {
        let orders = product_of(range);
        return (entropy(source, &orders), fast_roller_cost(source, &orders));
    }
    enclosed_orders(source, range)
}

/// Computes the two values of `drawn_orders` from enclosures of the product of a range; the product
/// must not be a power of m.
fn enclosed_orders(source: u128, range: RangeInclusive<u64>) -> (Real, Real) {
    let orders = range.clone();
    let entropy = Real::cached(move |bits| {
        let work = bits + 32;
        let log = leading_bits(orders.clone(), work)
            .log2(work)
            .expect("above 0");
        let unit = Real::log(source, 2).enclose(work + 64);
        log.over(&unit).expect("above 0").coarsen(bits + 4)
    });
    let rolls = entropy.clone();
    let cost = Real::cached(move |bits| {
        let least = rolls.floor().expect("no power of m") + 1;
        let least = u64::try_from(least).expect("fewer rolls than 2^64");
        let mut work = 2 * bits + 64 + 2 * u64::from(u64::BITS - least.leading_zeros());
        loop {
            let orders = leading_bits(range.clone(), work);
            let power = Scaled::exact(source.into(), 0).power(least, work);
            match toll(source, &power, &orders, work, bits + 8) {
                Some(toll) if toll.is_within(bits + 1) => {
                    let least = Enclosure {
                        low: least.into(),
                        high: least.into(),
                        bits: 0,
                    };
                    return least.plus(&toll).coarsen(bits + 4);
                }
                _ => work *= 2,
            }
        }
    });
    (entropy, cost)
}

/// Encloses the product of a range with this many leading bits.
fn leading_bits(range: RangeInclusive<u64>, bits: u64) -> Scaled {
    let (first, count) = (*range.start(), range.end() - range.start() + 1);
    let work = bits + u64::from(u64::BITS - count.leading_zeros()) + 8;
    let parts = threads::concat(count as usize, &|part| {
        let mut product = Scaled::one();
        let mut word = 1u64;
        for i in part {
            spend(60);
            let i = first + i as u64;
            word = word.checked_mul(i).unwrap_or_else(|| {
                product = product.times(&Scaled::exact(word.into(), 0), work);
                i
            });
        }
        vec![product.times(&Scaled::exact(word.into(), 0), work)]
    });
    let one = Scaled::one();
    parts
        .iter()
        .fold(one, |product, part| product.times(part, work))
}

/// Encloses (1/y) sum_j frac(m^j y) / m^j for y = power / orders, with the terms down to 2^-bits;
/// `None` if the enclosure does not determine an integer part.
fn toll(source: u128, power: &Scaled, orders: &Scaled, work: u64, bits: u64) -> Option<Enclosure> {
    let shift = i128::from(work) + power.exponent - orders.exponent;
    let mut low = shifted_down(&power.low, shift) / &orders.high;
    let mut high = shifted_up(&power.high, shift) / &orders.low + 1u8;
    let y = Enclosure {
        low: low.clone().into(),
        high: high.clone().into(),
        bits: work,
    };
    let mut sum = Enclosure {
        low: BigInt::zero(),
        high: BigInt::zero(),
        bits: work,
    };
    let mut scale = BigUint::one();
    while scale.bits() <= bits {
        let (whole, above) = (&low >> work, &high >> work);
        if whole != above {
            return None;
        }
        low -= &whole << work;
        high -= &whole << work;
        sum.low += BigInt::from(&low / &scale);
        sum.high += BigInt::from(&high / &scale + 1u8);
        low *= source;
        high *= source;
        scale *= source;
    }
    // The remaining terms are below m^-j each.
    sum.high += BigInt::from((BigUint::one() << (work + 1)) / &scale + 1u8);
    sum.over(&y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_factorials_are_not_confused_with_other_dice() {
        for OrderCost { entropy, cost, .. } in all_orders(&Source::COIN, &[170, 171]).unwrap() {
            let toll = cost.minus(&entropy);
            assert!(toll.compare(0).unwrap().is_gt());
            assert!(toll.compare(2).unwrap().is_lt());
        }
    }

    /// The leading bits of a product give the same cost as the product.
    #[test]
    fn enclosed_products() {
        for (source, first, last) in [
            (2u128, 2, 52),
            (2, 2, 1000),
            (6, 2, 300),
            (1 << 64, 2, 500),
            (10, 900, 1000),
        ] {
            let orders = product_of(first..=last);
            let (log, cost) = enclosed_orders(source, first..=last);
            for (near, known) in [
                (log, entropy(source, &orders)),
                (cost, fast_roller_cost(source, &orders)),
            ] {
                assert!(near.enclose(80).is_within(80));
                assert_eq!(
                    near.decimals(20).unwrap(),
                    known.decimals(20).unwrap(),
                    "{source} {last}"
                );
            }
        }
    }
}
