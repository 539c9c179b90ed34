//! How far a deck is from shuffled after riffles, or after a machine with shelves: the exact law of its orders.
//!
//! An order of n cards is as likely as any other with as many rising sequences after riffles, and as any other with
//! as many valleys after the machine, so its law has at most n classes.
//!
//! **Source.** Bayer & Diaconis 1992, Trailing the dovetail shuffle to its lair, Ann. Appl. Probab. 2: the model of
//! Gilbert, Shannon and Reeds. Diaconis, Fulman & Holmes 2013, Analysis of casino shelf shuffling machines, Ann.
//! Appl. Probab. 23.

use flipcost::law::{OutcomeClass, OutcomeLaw};
use flipcost_number::budget::spend;
use flipcost_number::rationals::binomials;
use flipcost_number::{BigInt, BigUint, Rational};
use num_traits::{One, Pow, Zero};

/// The most cards of a deck here.
pub const MOST_RIFFLED: u64 = 500;
/// The most riffles.
pub const MOST_RIFFLES: u64 = 64;
/// The most shelves of a machine.
pub const MOST_SHELVES: u64 = 1 << 20;

/// The numbers T(n, k) of a triangle with T(1, 0) = 1 and T(m, k) = above(m, k) T(m - 1, k) + beside(m, k) T(m - 1,
/// k - 1), k = 0, 1, ..., where they are not 0.
fn triangle(n: u64, above: fn(u64, u64) -> u64, beside: fn(u64, u64) -> u64) -> Vec<BigUint> {
    let mut row = vec![BigUint::one()];
    for m in 2..=n {
        spend(m * m / 16);
        row.push(BigUint::zero());
        for k in (0..row.len()).rev() {
            let at = k as u64;
            row[k] *= above(m, at);
            if k > 0 {
                let left = &row[k - 1] * beside(m, at);
                row[k] += left;
            }
        }
        while row.last().is_some_and(Zero::is_zero) {
            row.pop();
        }
    }
    row
}

/// Classes of orders: how many there are, and the probability of each over a common denominator.
fn law(counts: Vec<BigUint>, weight: impl Fn(u64) -> BigUint, all: BigUint) -> OutcomeLaw {
    let all = BigInt::from(all);
    let classes = counts.into_iter().enumerate().map(|(k, multiplicity)| {
        spend(all.bits() / 16);
        OutcomeClass {
            probability: Rational::new(weight(k as u64).into(), all.clone()),
            multiplicity,
        }
    });
    OutcomeLaw::new(classes).expect("probabilities of all orders")
}

/// The product of n consecutive numbers down from `top`, by n!; 0 where they reach 0.
fn choose(top: BigUint, n: u64) -> BigUint {
    if top < n.into() {
        return BigUint::zero();
    }
    spend(n * n / 16);
    (0..n).fold(BigUint::one(), |c, i| c * (&top - i) / (i + 1))
}

/// The law of the n! orders after k riffles: an order with r rising sequences has the probability C(2^k + n - r, n) /
/// 2^(kn), and the Eulerian number A(n, r - 1) counts them.
///
/// ```
/// use flipcost::law::Bias;
/// let law = flipcost_streams::riffle::riffled(3, 1);
/// // the order left alone has 4/8, four others 1/8, the reversal none
/// let bias = Bias::new(&law, 6);
/// assert_eq!(bias.total_variation().to_string(), "1/3");
/// ```
///
/// # Panics
/// Without cards or beyond [`MOST_RIFFLED`] and [`MOST_RIFFLES`]. Cost: O(n^2) products of O(n log n) bits.
pub fn riffled(cards: u64, riffles: u64) -> OutcomeLaw {
    assert!((1..=MOST_RIFFLED).contains(&cards) && riffles <= MOST_RIFFLES);
    let eulerian = triangle(cards, |_, k| k + 1, |m, k| m - k);
    let packets = BigUint::one() << riffles;
    let weight = |k: u64| choose(&packets + (cards - 1 - k), cards);
    law(eulerian, weight, BigUint::one() << (riffles * cards))
}

/// The law of the n! orders that a machine with m shelves makes: each card in turn goes to a shelf drawn at random,
/// above or below what lies there by a flip, and the shelves are put on each other. An order with v valleys has the
/// probability 4^(v+1) / (2 (2m)^n) times the sum over a of C(n + m - a - 1, n) C(n - 1 - 2v, a - v).
///
/// # Panics
/// Without cards or shelves, or beyond [`MOST_RIFFLED`] and [`MOST_SHELVES`]. Cost: O(n^2) products of O(n log m)
/// bits.
pub fn shelved(cards: u64, shelves: u64) -> OutcomeLaw {
    assert!((1..=MOST_RIFFLED).contains(&cards) && (1..=MOST_SHELVES).contains(&shelves));
    let valleys = triangle(cards, |_, k| 2 * (k + 1), |m, k| m.saturating_sub(2 * k));
    let laid: Vec<BigUint> = (0..cards.min(shelves))
        .map(|a| choose((cards + shelves - a - 1).into(), cards))
        .collect();
    let weight = |v: u64| {
        spend(cards * cards / 16);
        let row = binomials((cards - 1 - 2 * v) as usize);
        let both = row.iter().zip(laid.iter().skip(v as usize));
        let sum: BigUint = both.map(|(c, laid)| c * laid).sum();
        sum << (2 * v + 1)
    };
    law(valleys, weight, Pow::pow(BigUint::from(2 * shelves), cards))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, VecDeque};

    /// The law of orders that are told one by one, each equally likely.
    fn counted(orders: impl Iterator<Item = Vec<u8>>) -> OutcomeLaw {
        let mut counts: BTreeMap<Vec<u8>, u64> = BTreeMap::new();
        let mut all = 0u64;
        for order in orders {
            *counts.entry(order).or_default() += 1;
            all += 1;
        }
        let p = |k: u64| Rational::new(k.into(), all.into());
        OutcomeLaw::of_probabilities(counts.into_values().map(p)).unwrap()
    }

    /// The digits of all numbers below base^n.
    fn digits(base: usize, n: u32) -> impl Iterator<Item = Vec<usize>> {
        let digit = move |x: usize, i: u32| x / base.pow(i) % base;
        (0..base.pow(n)).map(move |x| (0..n).map(|i| digit(x, i)).collect())
    }

    /// Inverse riffles: each card draws k bits, and the cards are sorted by them, equal ones in their order. An order
    /// and its inverse are equally likely in this law of classes.
    #[test]
    fn riffles_card_by_card() {
        for n in 1..=5u8 {
            for k in 0..=2u64 {
                let sorted = digits(1 << k, u32::from(n)).map(|bits| {
                    let mut deck: Vec<u8> = (0..n).collect();
                    deck.sort_by_key(|card| bits[usize::from(*card)]);
                    deck
                });
                assert_eq!(riffled(n.into(), k), counted(sorted), "{n} {k}");
            }
        }
    }

    /// The machine itself, card by card.
    #[test]
    fn shelves_card_by_card() {
        for n in 1..=5u8 {
            for m in 1..=3usize {
                let dealt = digits(2 * m, u32::from(n)).map(|choices| {
                    let mut shelves = vec![VecDeque::new(); m];
                    for (card, choice) in (0..n).zip(choices) {
                        match choice % 2 {
                            0 => shelves[choice / 2].push_front(card),
                            _ => shelves[choice / 2].push_back(card),
                        }
                    }
                    shelves.into_iter().flatten().collect()
                });
                assert_eq!(shelved(n.into(), m as u64), counted(dealt), "{n} {m}");
            }
        }
    }

    /// Each of the n! orders is in a class.
    #[test]
    fn classes_hold_all_orders() {
        for n in [1u64, 2, 7, 52] {
            let all: BigUint = (1..=n).product();
            assert_eq!(riffled(n, 20).outcomes(), all);
            assert_eq!(shelved(n, n + 3).outcomes(), all);
        }
    }
}
