//! Shuffling by merging: what the flips of MergeShuffle cost.
//!
//! The deck is cut into 2^d blocks of 1 or 2 cards, block j from card floor(K j / 2^d) on; a block of
//! two is settled by a d2, and then neighbouring blocks are merged, d times. A merge of shuffled blocks
//! of a and b cards takes, flip by flip, the next card of the first or of the second block, until a flip
//! asks for a block that is empty; each card that is left is then put at a uniform place among those
//! before it and its own: if i cards were taken, by a d(i+1), a d(i+2), ..., a d(a+b).
//!
//! **Cost of a merge.** The flips end after i cards if the i flips before took all of one block, and
//! the next flip asks for it:
//!
//! ```text
//! P(i) = (C(i,a) + C(i,b)) / 2^(i+1),       min(a,b) <= i <= a+b
//! cost = sum_i P(i) [c (i+1) + F(a+b) - F(i)],
//! ```
//!
//! with c the cost of a d2 (1 flip of a coin) and F(i) = E(2) + ... + E(i), E by the fast dice roller.
//! From i = a+b, where both binomials are equal, C(i-1,a)/2^i follows from C(i,a)/2^(i+1) by the factor
//! 2 (i-a)/i; the common unit cancels, as the P(i) sum to 1. At every depth the blocks have two sizes
//! at most, so that K cards need about 2 log2 K merges.
//!
//! **Source.** Bacher, Bodini, Hollender & Lumbroso 2015, MergeShuffle: a very fast, parallel random
//! permutation algorithm, arXiv 1508.03167; the sizes of the blocks after the authors' code, with a
//! cut-off of one card.

use super::batch::fast;
use super::dice::sides;
use super::fisher_yates::{MOST_CARDS, RunningSums, SparseSums};
use flipcost::task::{Refusal, Source};
use flipcost_number::Enclosure;
use flipcost_number::Real;
use flipcost_number::{BigInt, Rational};
use num_traits::Zero;
use std::collections::HashMap;

/// Up to so many cards the cost is a fraction.
const MOST_EXACT: u64 = 20;

/// Numbers in which a cost can be computed: fractions, or enclosures of them.
trait Arithmetic {
    type Number: Clone;
    fn integer(&self, n: u64) -> Self::Number;
    fn add(&self, a: &Self::Number, b: &Self::Number) -> Self::Number;
    fn subtract(&self, a: &Self::Number, b: &Self::Number) -> Self::Number;
    fn multiply(&self, a: &Self::Number, b: &Self::Number) -> Self::Number;
    /// a p / q, a >= 0.
    fn scale(&self, a: &Self::Number, p: u64, q: u64) -> Self::Number;
    /// a / b, b > 0.
    fn divide(&self, a: &Self::Number, b: &Self::Number) -> Self::Number;
    /// Can it not be told from 0?
    fn vanishes(&self, a: &Self::Number) -> bool;
}

struct ExactArithmetic;

impl Arithmetic for ExactArithmetic {
    type Number = Rational;

    fn integer(&self, n: u64) -> Rational {
        Rational::from_integer(n.into())
    }

    fn add(&self, a: &Rational, b: &Rational) -> Rational {
        a + b
    }

    fn subtract(&self, a: &Rational, b: &Rational) -> Rational {
        a - b
    }

    fn multiply(&self, a: &Rational, b: &Rational) -> Rational {
        a * b
    }

    fn scale(&self, a: &Rational, p: u64, q: u64) -> Rational {
        a * Rational::new(p.into(), q.into())
    }

    fn divide(&self, a: &Rational, b: &Rational) -> Rational {
        a / b
    }

    fn vanishes(&self, _: &Rational) -> bool {
        false
    }
}

/// Enclosures with ends at multiples of 2^-bits.
struct Bits(u64);

impl Arithmetic for Bits {
    type Number = Enclosure;

    fn integer(&self, n: u64) -> Enclosure {
        let end = BigInt::from(n) << self.0;
        Enclosure {
            low: end.clone(),
            high: end,
            bits: self.0,
        }
    }

    fn add(&self, a: &Enclosure, b: &Enclosure) -> Enclosure {
        Enclosure {
            low: &a.low + &b.low,
            high: &a.high + &b.high,
            bits: self.0,
        }
    }

    fn subtract(&self, a: &Enclosure, b: &Enclosure) -> Enclosure {
        a.minus(b)
    }

    fn multiply(&self, a: &Enclosure, b: &Enclosure) -> Enclosure {
        a.times(b)
    }

    fn scale(&self, a: &Enclosure, p: u64, q: u64) -> Enclosure {
        Enclosure {
            low: &a.low * p / q,
            high: (&a.high * p + (q - 1)) / q,
            bits: self.0,
        }
    }

    fn divide(&self, a: &Enclosure, b: &Enclosure) -> Enclosure {
        a.over(b).expect("the weights sum to at least 1")
    }

    fn vanishes(&self, a: &Enclosure) -> bool {
        a.low.is_zero()
    }
}

/// What the merges of a deck cost, in one arithmetic.
struct Merges<'a, A: Arithmetic> {
    arithmetic: &'a A,
    /// F(0), F(1), ...
    indices: &'a dyn Fn(u64) -> A::Number,
    known: HashMap<(u64, u32), A::Number>,
}

impl<A: Arithmetic> Merges<'_, A> {
    /// Of so many cards, cut into 2^depth blocks.
    fn deck(&mut self, cards: u64, depth: u32) -> A::Number {
        if depth == 0 {
            return (self.indices)(cards);
        }
        if let Some(known) = self.known.get(&(cards, depth)) {
            return known.clone();
        }
        let (a, b) = (cards / 2, cards - cards / 2);
        let halves = [self.deck(a, depth - 1), self.deck(b, depth - 1)];
        let cost = self.arithmetic.add(&halves[0], &halves[1]);
        let cost = self.arithmetic.add(&cost, &self.merge(a, b));
        self.known.insert((cards, depth), cost.clone());
        cost
    }

    /// Of two blocks, 1 <= a <= b.
    fn merge(&self, a: u64, b: u64) -> A::Number {
        let with = self.arithmetic;
        let (flip, all) = (&(self.indices)(2), &(self.indices)(a + b));
        let (mut first, mut second) = (with.integer(1), with.integer(1));
        let (mut weights, mut sum) = (with.integer(0), with.integer(0));
        for i in (a..=a + b).rev() {
            let weight = with.add(&first, &second);
            if i <= 2 * a && with.vanishes(&weight) {
                // the weights fall with i, and each cost is at most that of all flips and draws
                let rest = with.multiply(&weight, &with.integer(i - a + 1));
                let cost = with.add(&with.multiply(flip, &with.integer(a + b + 1)), all);
                sum = with.add(&sum, &with.multiply(&rest, &cost));
                weights = with.add(&weights, &rest);
                break;
            }
            let cost = with.multiply(flip, &with.integer(i + 1));
            let left = with.subtract(all, &(self.indices)(i));
            sum = with.add(&sum, &with.multiply(&weight, &with.add(&cost, &left)));
            weights = with.add(&weights, &weight);
            first = with.scale(&first, 2 * (i - a), i);
            second = with.scale(&second, 2 * i.saturating_sub(b), i);
        }
        with.divide(&sum, &weights)
    }
}

/// d, for K >= 2: the least with floor(K / 2^d) = 1.
fn depth(cards: u64) -> u32 {
    cards.ilog2()
}

/// Expected rolls of a source of m sides that shuffle K cards by merging, for each K of a list: exact
/// up to 20 cards, else enclosed; above 2^16 cards few sums are kept.
///
/// Cost of an enclosure: that of E(2), ..., E(K), once for all K; and O(K log K) steps in fixed point
/// for each.
///
/// ```
/// use flipcost::task::Source;
/// let costs = flipcost_streams::merge_shuffle(&Source::COIN, &[2, 4, 52])?;
/// assert_eq!(costs[0].to_string(), "3"); // 2 flips, and 1 more either way
/// assert!(costs[2] > flipcost_streams::rao_sandelius(&Source::COIN, 52)?);
/// # Ok::<(), flipcost::Error>(())
/// ```
///
/// # Errors
/// If the source is not fair, or has more than 2^64 sides.
pub fn merge_shuffle(source: &Source, sizes: &[u64]) -> Result<Vec<Real>, Refusal> {
    let source = sides(source)?;
    let few = sizes.iter().copied().filter(|cards| *cards <= MOST_CARDS);
    let most = few.max().unwrap_or(0).max(2);
    let costs: Vec<Real> = (2..=most).map(|i| fast(source, &i.into())).collect();
    let sums = RunningSums::new(costs.clone());
    let of = |&cards: &u64| match cards {
        0 | 1 => Real::integer(0),
        2..=MOST_EXACT
            if costs[..cards as usize - 1]
                .iter()
                .all(|c| c.exact().is_some()) =>
        {
            let mut indices = vec![Rational::zero(); 2];
            for cost in &costs[..cards as usize - 1] {
                let sum = indices.last().expect("two are there") + cost.exact().expect("exact");
                indices.push(sum);
            }
            Real::Exact(deck(
                &ExactArithmetic,
                &|i| indices[i as usize].clone(),
                cards,
            ))
        }
        _ => {
            let sums = sums.clone();
            Real::cached(move |bits| {
                enclosed(cards, bits, &|work| {
                    if cards > MOST_CARDS {
                        let sums = SparseSums::new(source, cards, work);
                        return Box::new(move |i| sums.up_to(i));
                    }
                    let (known, zero) = (sums.enclosures(work), Bits(work).integer(0));
                    Box::new(move |i| match i {
                        0 => zero.clone(),
                        _ => known[i as usize - 1].clone().coarsen(work),
                    })
                })
            })
        }
    };
    Ok(sizes.iter().map(of).collect())
}

fn deck<A: Arithmetic>(
    arithmetic: &A,
    indices: &dyn Fn(u64) -> A::Number,
    cards: u64,
) -> A::Number {
    let known = HashMap::new();
    let mut merges = Merges {
        arithmetic,
        indices,
        known,
    };
    merges.deck(cards, depth(cards))
}

/// The sums of costs up to i, in units of 2^-bits.
type Costs = Box<dyn Fn(u64) -> Enclosure>;

fn enclosed(cards: u64, bits: u64, sums: &dyn Fn(u64) -> Costs) -> Enclosure {
    // the weights lose a unit a step, and are multiplied by costs; there are 2 K blocks
    let mut work = bits + 4 * u64::from(cards.ilog2()) + 24;
    loop {
        let cost = deck(&Bits(work), &*sums(work), cards);
        if cost.is_within(bits) {
            return cost.coarsen(bits + 4);
        }
        work += 16 + work / 4;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::die;
    use num_traits::One;
    use std::collections::BTreeMap;

    type Law = BTreeMap<Vec<u8>, Rational>;

    /// Merges two blocks along every sequence of flips and draws: adds the law of the orders, and
    /// the expected cost, from a state of probability p.
    fn merged(
        (taken, first, second): (Vec<u8>, &[u8], &[u8]),
        (p, cost): (Rational, Rational),
        law: &mut Law,
        expected: &mut Rational,
    ) {
        let half = &p / BigInt::from(2);
        for (block, heads) in [(first, true), (second, false)] {
            let cost = &cost + Rational::one();
            let Some((card, rest)) = block.split_first() else {
                // the other block is left
                let left = if heads { second } else { first };
                inserted(taken.clone(), left, (half.clone(), cost), law, expected);
                continue;
            };
            let taken: Vec<u8> = taken.iter().copied().chain([*card]).collect();
            let blocks = if heads {
                (taken, rest, second)
            } else {
                (taken, first, rest)
            };
            merged(blocks, (half.clone(), cost), law, expected);
        }
    }

    /// Puts the cards that are left at uniform places, one after the other.
    fn inserted(
        taken: Vec<u8>,
        left: &[u8],
        (p, cost): (Rational, Rational),
        law: &mut Law,
        expected: &mut Rational,
    ) {
        let Some((card, left)) = left.split_first() else {
            *expected += &p * cost;
            *law.entry(taken).or_insert_with(Rational::zero) += p;
            return;
        };
        let places = taken.len() as u64 + 1;
        let cost = cost + fast(2, &places.into()).exact().unwrap();
        for place in 0..places as usize {
            let mut order = taken.clone();
            order.push(*card);
            let last = order.len() - 1;
            order.swap(place, last);
            let p = &p / BigInt::from(places);
            inserted(order, left, (p, cost.clone()), law, expected);
        }
    }

    /// All orders of a block, equally likely.
    fn orders(cards: &[u8]) -> Vec<Vec<u8>> {
        if cards.is_empty() {
            return vec![Vec::new()];
        }
        let mut all = Vec::new();
        for card in cards {
            let rest: Vec<u8> = cards.iter().copied().filter(|c| c != card).collect();
            all.extend(orders(&rest).into_iter().map(|mut order| {
                order.insert(0, *card);
                order
            }));
        }
        all
    }

    /// Every sequence of flips and draws of a merge: the orders are uniform, and the cost is the sum.
    #[test]
    fn every_path_of_a_merge() {
        for (a, b) in [(1u8, 1u8), (1, 2), (2, 2), (2, 3)] {
            let (mut law, mut expected) = (Law::new(), Rational::zero());
            let deck: Vec<u8> = (0..a + b).collect();
            let (first, second) = deck.split_at(a.into());
            let (first, second) = (orders(first), orders(second));
            let p = Rational::new(1.into(), (first.len() * second.len()).into());
            for x in &first {
                for y in &second {
                    let start = (p.clone(), Rational::zero());
                    merged((Vec::new(), x, y), start, &mut law, &mut expected);
                }
            }
            let count = orders(&deck).len();
            assert_eq!(law.len(), count);
            let each = Rational::new(1.into(), count.into());
            assert!(law.values().all(|p| *p == each), "{a} and {b}");
            let mut indices = vec![Rational::zero(); 2];
            for i in 2..=u64::from(a + b) {
                let sum = indices.last().unwrap() + fast(2, &i.into()).exact().unwrap();
                indices.push(sum);
            }
            let merges = Merges {
                arithmetic: &ExactArithmetic,
                indices: &|i| indices[i as usize].clone(),
                known: HashMap::new(),
            };
            assert_eq!(merges.merge(a.into(), b.into()), expected, "{a} and {b}");
        }
    }

    fn sparse(source: u128, cards: u64) -> impl Fn(u64) -> Costs {
        move |work| {
            let sums = SparseSums::new(source, cards, work);
            Box::new(move |i| sums.up_to(i))
        }
    }

    #[test]
    fn enclosures_hold_the_fractions() {
        for source in [2, 3, 6] {
            let sizes: Vec<u64> = (0..=MOST_EXACT).collect();
            for (cards, cost) in sizes
                .iter()
                .zip(merge_shuffle(&die(source), &sizes).unwrap())
                .skip(2)
            {
                let exact = cost.exact().expect("a fraction");
                let value = enclosed(*cards, 80, &sparse(source, *cards));
                assert!(value.is_within(80) && value.contains(exact), "{cards}");
            }
        }
        // the same whatever else is asked for
        let alone = merge_shuffle(&Source::COIN, &[300]).unwrap()[0].decimals(30);
        assert_eq!(
            merge_shuffle(&Source::COIN, &[1000, 300, 7]).unwrap()[1].decimals(30),
            alone
        );
        // sums that are kept, and those that are made of every 4096th
        let [kept] = &merge_shuffle(&Source::COIN, &[9000]).unwrap()[..] else {
            unreachable!()
        };
        let made = enclosed(9000, 60, &sparse(2, 9000));
        assert!(
            kept.minus(&Real::enclosed(move |_| made.clone()))
                .enclose(50)
                .contains(&Rational::zero())
        );
        // with 2000 bits no weight of 400 cards vanishes, and with 60 most do
        let all = enclosed(400, 2000, &sparse(2, 400));
        let few = enclosed(400, 60, &sparse(2, 400));
        assert!(few.contains(&all.low()) && few.contains(&all.high()));
    }
}
