//! Shuffling into heaps: what the flips of the method of Rao and Sandelius cost.
//!
//! Every card flips a coin: the heap of heads is put before the heap of tails, and each heap is
//! shuffled in the same way; two cards are settled by one flip, and one card by none. So T(0) = T(1) =
//! 0, T(2) = 1, and
//!
//! ```text
//! T(K) = K + 2 sum_j C(K, j) T(j) / 2^K,   K >= 3.
//! ```
//!
//! With a die of m sides there are m heaps, and two cards are settled by a fair d2, which costs c = 1
//! roll, or m/(m-1) if m is odd.
//!
//! **Derivation.** At depth l there are m^l heaps, of Bin(K, p) cards each, p = m^-l. A heap of k >= 3
//! cards takes k rolls; one of two takes t with t + T(2)/m = c (as if it were split on and on), t = c
//! (1 - 1/m). The expected rolls of a heap, sum over k >= 3 of k P(k) + t P(2), need no sum over k:
//!
//! ```text
//! T(K) = sum_{l>=0} [K - K (1-p)^(K-1) - (2-t) C(K,2) p (1-p)^(K-2)],   p = m^-l
//!      = K sum_{j=1}^{K-1} (-1)^(j+1) C(K-1,j) (1 - (1 - t/2) j) / (1 - m^-j).
//! ```
//!
//! The second line is the first, expanded in powers of p and summed over l. The terms of the first lie
//! between 0 and K (K-1) p, so that a few dozen of them enclose T(K) for any K.
//!
//! **Source.** Rao 1961, Generation of random permutation of given number of elements using random
//! sampling numbers, Sankhya A 23; Sandelius 1962, A simple randomization procedure, J. R. Statist.
//! Soc. B 24; the recurrence for a coin after Bacher, Bodini, Hwang & Tsai 2017.

use super::dice::sides;
use flipcost::task::{Refusal, Source};
use flipcost_number::Enclosure;
use flipcost_number::Real;
use flipcost_number::{BigInt, Rational};
use num_traits::{One, Pow, Zero};

/// Up to so many cards the cost is a fraction.
const MOST_EXACT: u64 = 40;

/// Expected rolls of a source of m sides that shuffle K cards by heaps: exact up to 40 cards, else
/// enclosed. Cost: 40 binomials, or about (bits + 2 log2 K) / log2 m powers of fixed point.
///
/// ```
/// use flipcost::task::Source;
/// let flips = |cards| flipcost_streams::rao_sandelius(&Source::COIN, cards);
/// assert_eq!(flips(4)?.to_string(), "58/7");
/// assert_eq!(flips(52)?.decimals(3)?, "308.736");
/// # Ok::<(), flipcost::Error>(())
/// ```
///
/// # Errors
/// If the source is not fair, or has more than 2^64 sides.
pub fn rao_sandelius(source: &Source, cards: u64) -> Result<Real, Refusal> {
    let source = sides(source)?;
    Ok(match cards {
        0 | 1 => Real::integer(0),
        2..=MOST_EXACT => Real::Exact(exact(source, cards)),
        _ => Real::enclosed(move |bits| enclosed(source, cards, bits)),
    })
}

/// t, the rolls of a heap of two cards as if it were split on.
fn pair(source: u128) -> Rational {
    match source % 2 {
        0 => Rational::one() - Rational::new(BigInt::one(), source.into()),
        _ => Rational::one(), // m/(m-1) (1 - 1/m)
    }
}

/// The second line, for K >= 2.
fn exact(source: u128, cards: u64) -> Rational {
    let slope = Rational::one() - pair(source) / BigInt::from(2);
    let mut binomial = BigInt::one();
    let mut sum = Rational::zero();
    for j in 1..cards {
        binomial = binomial * -BigInt::from(cards - j) / j; // (-1)^j C(K-1, j)
        let power: BigInt = BigInt::from(source).pow(j as u32);
        let geometric = Rational::new(power.clone(), power - 1);
        sum -= (Rational::one() - &slope * BigInt::from(j)) * geometric * &binomial;
    }
    sum * BigInt::from(cards)
}

/// x^exponent, 0 <= x <= 1.
fn power(x: &Enclosure, mut exponent: u64) -> Enclosure {
    let mut result = Enclosure::of_rational(&Rational::one(), x.bits);
    let mut square = x.clone();
    while exponent > 0 {
        if exponent % 2 == 1 {
            result = result.times(&square);
        }
        exponent /= 2;
        if exponent > 0 {
            square = square.times(&square);
        }
    }
    result
}

/// The first line, for K >= 3, within 2^-bits.
fn enclosed(source: u128, cards: u64, bits: u64) -> Enclosure {
    let pairs = BigInt::from(cards) * (cards - 1); // twice C(K, 2)
    let log = u64::from(source.ilog2());
    // the terms from L on are together at most K (K-1) m^-L m/(m-1) <= 2^-bits / 4
    let depth = (bits + pairs.bits() + 3) / log + 1;
    // a power of 1 - p is off by less than 4 K units, and a term by 4 K^3
    let mut work = bits + 3 * (64 - u64::from(cards.leading_zeros())) + 16;
    loop {
        let number = |value: &Rational| Enclosure::of_rational(value, work);
        let all = number(&Rational::from_integer(cards.into()));
        let slope = Rational::one() - pair(source) / BigInt::from(2);
        let mut sum = number(&Rational::from_integer(cards.into())); // l = 0
        let mut sides = BigInt::one();
        for _ in 1..depth {
            sides *= source;
            let p = Rational::new_raw(BigInt::one(), sides.clone());
            let rest = number(&(Rational::one() - &p));
            let two = number(&(&slope * &p * &pairs));
            let powers = power(&rest, cards - 2);
            let alone = all.times(&rest).times(&powers);
            sum = sum.plus(&all.minus(&alone).minus(&two.times(&powers)));
        }
        let tail = Rational::new(2 * &pairs, Pow::pow(&BigInt::from(source), depth));
        sum.high += &number(&tail).high;
        if sum.is_within(bits) {
            return sum;
        }
        work += 16 + work / 4;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::die;
    use std::collections::BTreeMap;

    /// T by its recurrence, for a die of m sides.
    fn recurrence(m: u64, most: usize) -> Vec<Rational> {
        let odd = Rational::new(m.into(), (m - 1).into());
        let two = if m.is_multiple_of(2) {
            Rational::one()
        } else {
            odd
        };
        let mut costs = vec![Rational::zero(), Rational::zero(), two];
        let p = Rational::new(1.into(), m.into());
        let q = Rational::one() - &p;
        for cards in 3..=most {
            let mut binomial = BigInt::one();
            let mut sum = Rational::zero();
            for (j, cost) in costs.iter().enumerate() {
                let heap = Pow::pow(&p, j) * Pow::pow(&q, cards - j);
                sum += cost * heap * &binomial;
                binomial = binomial * (cards - j) / (j + 1);
            }
            // the heap of all cards, which may be any of the m
            let again: Rational = Pow::pow(&p, cards - 1);
            costs.push((sum * BigInt::from(m) + BigInt::from(cards)) / (Rational::one() - again));
        }
        costs
    }

    #[test]
    fn closed_form_and_series_are_the_recurrence() {
        for m in [2, 3, 6, 10] {
            for (cards, cost) in recurrence(m, 48).iter().enumerate() {
                let closed = rao_sandelius(&die(m), cards as u64).unwrap();
                if let Some(exact) = closed.exact() {
                    assert_eq!(exact, cost, "{cards} cards, m = {m}");
                }
                if cards >= 3 {
                    for bits in [10, 64, 200] {
                        let value = enclosed(m.into(), cards as u64, bits);
                        assert!(
                            value.is_within(bits) && value.contains(cost),
                            "{cards}, {m}"
                        );
                    }
                }
            }
        }
    }

    /// The values that follow from the recurrence by hand, and a float of T(1024) - 1024 log2 1024.
    #[test]
    fn known_values() {
        let exact = |cards| {
            rao_sandelius(&Source::COIN, cards)
                .unwrap()
                .exact()
                .unwrap()
                .to_string()
        };
        assert_eq!([2, 3, 4].map(exact), ["1", "5", "58/7"]);
        let large = rao_sandelius(&Source::COIN, 1024)
            .unwrap()
            .minus(&Real::integer(10_240));
        let each = large.over(&Real::integer(1024));
        assert_eq!(each.decimals(7).unwrap(), "0.2500144");
        assert!(
            rao_sandelius(&Source::COIN, 1 << 40)
                .unwrap()
                .decimals(3)
                .is_ok()
        );
    }

    /// Shuffles the cards with these flips, in the order of a person who splits the first heap first;
    /// `None` if they run out.
    fn shuffled(heap: &[u8], flips: &mut impl Iterator<Item = bool>) -> Option<Vec<u8>> {
        match heap {
            [] | [_] => Some(heap.to_vec()),
            [a, b] => Some(if flips.next()? {
                vec![*b, *a]
            } else {
                vec![*a, *b]
            }),
            _ => {
                let (mut first, mut second) = (Vec::new(), Vec::new());
                for card in heap {
                    if flips.next()? {
                        second.push(*card)
                    } else {
                        first.push(*card)
                    }
                }
                let mut order = shuffled(&first, flips)?;
                order.extend(shuffled(&second, flips)?);
                Some(order)
            }
        }
    }

    /// All strings of 16 flips: each order comes equally often by each number of flips, and the
    /// expected flips lie between those of the shuffles that ended, and these with the rest bounded:
    /// what is left to do after 16 flips takes at most K + T(K) more.
    #[test]
    fn every_string_of_flips() {
        const LENGTH: u64 = 16;
        for (cards, orders) in [(3u8, 6), (4, 24)] {
            let deck: Vec<u8> = (0..cards).collect();
            let mut ended: BTreeMap<(u64, Vec<u8>), u64> = BTreeMap::new();
            for string in 0u64..1 << LENGTH {
                let mut used = 0;
                let mut flips = (0..LENGTH).map(|i| {
                    used += 1;
                    string >> i & 1 == 1
                });
                if let Some(order) = shuffled(&deck, &mut flips) {
                    *ended.entry((used, order)).or_default() += 1;
                }
            }
            let mut by_flips: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
            for ((used, _), count) in ended {
                by_flips.entry(used).or_default().push(count);
            }
            let (mut low, mut rest) = (0, 1 << LENGTH);
            for (used, counts) in by_flips {
                assert_eq!(counts.len(), orders);
                assert!(
                    counts.iter().all(|count| *count == counts[0]),
                    "{used} flips"
                );
                let all: u64 = counts.iter().sum();
                low += used * all;
                rest -= all;
            }
            let cost = rao_sandelius(&Source::COIN, cards.into())
                .unwrap()
                .exact()
                .unwrap()
                .clone();
            let share = |count: u64| Rational::new(count.into(), (1u64 << LENGTH).into());
            let more = &cost + Rational::from_integer((u64::from(cards) + LENGTH).into());
            assert!(share(low) < cost && cost <= share(low) + share(rest) * more);
            assert!(rest < 1 << 12, "{rest}");
        }
    }
}
