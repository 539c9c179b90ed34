//! Computes the probability that each card lies at each place after a shuffle that is not uniform.
//!
//! The law of a single card c at place q, with u = 1 - 1/K and with cards and places counted from
//! 0:
//!
//! ```text
//! swap-any     K P(c, q) = u^(K-1-q) + u^c (1 - u^(K-1-q))  for q >= c,   u^(K-1-q) + u^c  for q < c
//! sattolo      1 / (K - 1) for each place but its own
//! ```
//!
//! In `swap-any` the card is at place i after step i with probability 1/K, wherever it was before.
//! The probability a_i that it is at place i before that step is 0 for i < c, u^c for i = c and u^c
//! / K for i > c. Each later step moves it away from q with probability 1/K, and from i to q with
//! probability a_i / K. In `sattolo` all cycles of length K are equally likely.
//!
//! In the insertion sorts, card i goes to place j or a place before it with probability r_i(j).
//! Then a card at place p moves on to p + 1 with probability r_i(p), and otherwise stays. In a
//! merge, card a of a block comes after exactly b of the n cards of the other block with
//! probability C(a+b, a) / 2^(a+b+1) for b < n, and after all n of them with probability sum_{s<=a}
//! C(n-1+s, s) / 2^(n+s).
//!
//! All these probabilities are sums of products of positive numbers. Up to [`MAX_BROKEN`] cards
//! they are computed as fractions. For more cards, doubles find the largest and the least
//! probability, each within a relative error of 10^-11 (5 K roundings of 2^-53), and enclosures
//! compare values that are closer than that.

use super::broken::{MAX_BROKEN, binary_insertion_weights, linear_insertion_weight_logs};
use flipcost_number::budget::spend;
use flipcost_number::nearest_f64;
use flipcost_number::scaled::Scaled;
use flipcost_number::{BigUint, Rational, Real};
use num_traits::{One, Zero};
use std::collections::HashSet;
use std::ops::Range;

/// The maximum number of cards for which the places are computed.
pub const MAX_FOLLOWED: u64 = 1000;

/// The probability that a card lies at a place; both are counted from 0.
#[derive(Clone, Debug)]
pub struct CardPlace {
    pub card: usize,
    pub place: usize,
    pub probability: Real,
}

/// Positive numbers with which the laws of places are computed.
trait PlaceWeight: Clone {
    fn ratio(p: &BigUint, q: &BigUint) -> Self;
    fn add(&self, other: &Self) -> Self;
    fn times(&self, other: &Self) -> Self;

    fn zero() -> Self {
        Self::ratio(&BigUint::zero(), &BigUint::one())
    }

    fn small_ratio(p: u64, q: u64) -> Self {
        Self::ratio(&p.into(), &q.into())
    }

    /// p / 2^k.
    fn dyadic(p: &BigUint, k: u64) -> Self {
        Self::ratio(p, &(BigUint::one() << k))
    }
}

impl PlaceWeight for Rational {
    fn ratio(p: &BigUint, q: &BigUint) -> Self {
        Rational::new(p.clone().into(), q.clone().into())
    }

    fn add(&self, other: &Self) -> Self {
        self + other
    }

    fn times(&self, other: &Self) -> Self {
        self * other
    }
}

impl PlaceWeight for f64 {
    fn ratio(p: &BigUint, q: &BigUint) -> Self {
        nearest_f64(&p.clone().into(), &q.clone().into())
    }

    fn add(&self, other: &Self) -> Self {
        self + other
    }

    fn times(&self, other: &Self) -> Self {
        self * other
    }
}

/// The precision of an interval in bits. All errors together are below 2^-178, so they affect only
/// the last bits.
const PRECISION_BITS: u64 = 192;
/// The maximum number of decimals of a probability that an interval of this precision determines.
pub const MAX_DECIMALS: u32 = 50;
/// If two doubles differ by less than this relative amount, enclosures decide which value is
/// larger.
const COMPARISON_TOLERANCE: f64 = 1e-10;
/// For up to this many cards a probability is computed as a fraction.
const MAX_EXACT: usize = 64;
/// The number of bits of fixed-point values; no probability is below 2^-1000.
const FIXED_POINT_BITS: u64 = 1200;

impl PlaceWeight for Scaled {
    fn ratio(p: &BigUint, q: &BigUint) -> Self {
        if p.is_zero() {
            Scaled::exact(BigUint::zero(), 0)
        } else {
            Scaled::ratio(p, q, PRECISION_BITS)
        }
    }

    fn add(&self, other: &Self) -> Self {
        if self.high.is_zero() {
            other.clone()
        } else if other.high.is_zero() {
            self.clone()
        } else {
            self.plus(other, PRECISION_BITS)
        }
    }

    fn times(&self, other: &Self) -> Self {
        if self.high.is_zero() || other.high.is_zero() {
            return PlaceWeight::zero();
        }
        Scaled::times(self, other, PRECISION_BITS)
    }
}

/// The probabilities of the steps or merges of a shuffle, which are the same for every card.
enum Moves<W> {
    SwapAny,
    Sattolo,
    /// The function that gives the weights of the places to which a card goes; and, for each card
    /// from the second on and each place, the probability of going to this place or before it, and
    /// the probability of going behind it.
    Insert(fn(usize) -> Vec<BigUint>, Vec<Vec<[W; 2]>>),
    /// The whole deck, which is merged from two halves.
    Merge(Option<Box<Merged<W>>>),
}

/// Two blocks that are merged: for each block and each old place in it, the law of the new place of
/// the card.
struct Merged<W> {
    halves: [Moves<W>; 2],
    rows: [Vec<Vec<W>>; 2],
}

fn insertion_moves<W: PlaceWeight>(cards: usize, weights: fn(usize) -> Vec<BigUint>) -> Moves<W> {
    let step = |i: usize| {
        let weights = weights(i);
        let all: BigUint = weights.iter().sum();
        let mut before = BigUint::zero();
        let chances = weights.iter().map(|weight| {
            spend(500);
            before += weight;
            [&before, &(&all - &before)].map(|p| W::ratio(p, &all))
        });
        chances.collect()
    };
    Moves::Insert(weights, (1..cards).map(step).collect())
}

/// For each of the m cards of a block, returns the probabilities of coming after 0, 1, ..., n cards
/// of the other block.
fn merge_rows<W: PlaceWeight>(m: usize, n: usize) -> Vec<Vec<W>> {
    let mut all = Vec::new();
    // The sum over s <= a cards taken before the other block is empty.
    let (mut tail, mut left) = (W::zero(), BigUint::one());
    // C(a, a) = 1 at b = 0
    for a in 0..m {
        let mut row = Vec::new();
        let mut ways = BigUint::one();
        for b in 0..n {
            spend(200);
            row.push(W::dyadic(&ways, (a + b + 1) as u64));
            ways = ways * (a + b + 1) / (b + 1);
        }
        tail = tail.add(&W::dyadic(&left, (n + a) as u64));
        left = left * (n + a) / (a + 1);
        row.push(tail.clone());
        all.push(row);
    }
    all
}

fn merge_moves<W: PlaceWeight>(cards: usize) -> Moves<W> {
    Moves::Merge((cards > 1).then(|| {
        let (m, n) = (cards / 2, cards - cards / 2);
        Box::new(Merged {
            halves: [merge_moves(m), merge_moves(n)],
            rows: [merge_rows(m, n), merge_rows(n, m)],
        })
    }))
}

fn moves_of_shuffle<W: PlaceWeight>(id: &str, cards: usize) -> Moves<W> {
    match id {
        "swap-any" => Moves::SwapAny,
        "sattolo" => Moves::Sattolo,
        "sort-insertion" => insertion_moves(cards, |i| {
            linear_insertion_weight_logs(i)
                .map(|k| BigUint::one() << k)
                .collect()
        }),
        "sort-binary-insertion" => insertion_moves(cards, |i| {
            binary_insertion_weights(i)
                .into_iter()
                .map(BigUint::from)
                .collect()
        }),
        "sort-merge" => merge_moves(cards),
        _ => unreachable!("it is in the list"),
    }
}

impl<W: PlaceWeight> Moves<W> {
    /// A key that is equal only for cards with the same set of probabilities, perhaps at different
    /// places. In a merge sort, cards have the same key if they lie in blocks of the same sizes at
    /// every level.
    fn law_key(&self, cards: usize, card: usize) -> Vec<usize> {
        match self {
            Moves::Sattolo | Moves::Merge(None) => vec![],
            Moves::SwapAny | Moves::Insert(..) => vec![card],
            Moves::Merge(Some(merged)) => {
                let middle = cards / 2;
                let [own, half, card] = if card < middle {
                    [middle, 0, card]
                } else {
                    [cards - middle, 1, card - middle]
                };
                let mut sizes = merged.halves[half].law_key(own, card);
                sizes.push(own);
                sizes
            }
        }
    }

    /// The law of the place of a card.
    fn law(&self, cards: usize, card: usize) -> Vec<W> {
        match self {
            Moves::SwapAny => {
                let k = cards as u64;
                let u = W::small_ratio(k - 1, k);
                let each = W::small_ratio(1, k);
                let mut powers = vec![W::small_ratio(1, 1)];
                // The values 1 - u^j, as sums of u^i / K
                let mut rest = vec![W::zero()];
                for j in 0..cards {
                    rest.push(rest[j].add(&powers[j].times(&each)));
                    powers.push(powers[j].times(&u));
                }
                let place = |q: usize| {
                    let (from, own) = (cards - 1 - q, &powers[card]);
                    let own = if q >= card {
                        own.times(&rest[from])
                    } else {
                        own.clone()
                    };
                    powers[from].add(&own).times(&each)
                };
                (0..cards).map(place).collect()
            }
            Moves::Sattolo => {
                let elsewhere = |q| {
                    if q == card && cards > 1 {
                        W::zero()
                    } else {
                        W::small_ratio(1, (cards as u64 - 1).max(1))
                    }
                };
                (0..cards).map(elsewhere).collect()
            }
            Moves::Insert(weights, steps) => {
                let mut law = match card {
                    0 => vec![W::small_ratio(1, 1)],
                    _ => {
                        let weights = weights(card);
                        let all = weights.iter().sum();
                        weights
                            .iter()
                            .map(|weight| W::ratio(weight, &all))
                            .collect()
                    }
                };
                for step in &steps[card..] {
                    spend(law.len() as u64 * 10);
                    law.push(W::zero());
                    for p in (0..law.len() - 1).rev() {
                        let [before, behind] = &step[p];
                        let on = law[p].times(before);
                        law[p + 1] = law[p + 1].add(&on);
                        law[p] = law[p].times(behind);
                    }
                }
                law
            }
            Moves::Merge(None) => vec![W::small_ratio(1, 1)],
            Moves::Merge(Some(merged)) => {
                let middle = cards / 2;
                let (half, own, card) = if card < middle {
                    (0, middle, card)
                } else {
                    (1, cards - middle, card - middle)
                };
                let mut law = vec![W::zero(); cards];
                let inside = merged.halves[half].law(own, card);
                for (a, (p, row)) in inside.iter().zip(&merged.rows[half]).enumerate() {
                    spend(row.len() as u64 * 10);
                    for (b, q) in row.iter().enumerate() {
                        law[a + b] = law[a + b].add(&p.times(q));
                    }
                }
                law
            }
        }
    }
}

/// The laws of the places of all cards as fractions, for 1 to [`MAX_BROKEN`] cards.
pub fn places(id: &str, cards: u64) -> Vec<CardPlace> {
    assert!(cards <= MAX_BROKEN, "{cards} cards");
    let of_card = |card| places_of_card(id, cards, card);
    (0..cards as usize).flat_map(of_card).collect()
}

/// The probabilities of [`places`] as doubles, card by card, for a picture; each relative error is
/// at most 10^-11.
pub fn places_in_doubles(id: &str, cards: u64) -> Vec<Vec<f64>> {
    let cards = cards as usize;
    let moves = moves_of_shuffle::<f64>(id, cards);
    (0..cards).map(|card| moves.law(cards, card)).collect()
}

/// The law of one card's place, place by place, for 2 to [`MAX_FOLLOWED`] cards. Cost: O(K^2)
/// products of 192 bits, or of fractions for small decks.
pub fn places_of_card(id: &str, cards: u64, card: usize) -> Vec<CardPlace> {
    let cards = cards as usize;
    let law: Vec<Real> = if is_exact(id, cards) {
        let law = moves_of_shuffle::<Rational>(id, cards).law(cards, card);
        law.into_iter().map(Real::Exact).collect()
    } else {
        let law = moves_of_shuffle::<Scaled>(id, cards).law(cards, card);
        law.into_iter().map(enclosed).collect()
    };
    let place = |(place, probability)| CardPlace {
        card,
        place,
        probability,
    };
    law.into_iter().enumerate().map(place).collect()
}

/// Whether the probabilities are computed as fractions.
fn is_exact(id: &str, cards: usize) -> bool {
    cards <= MAX_EXACT || matches!(id, "swap-any" | "sattolo")
}

/// Converts an enclosed probability, for callers that need at most [`MAX_DECIMALS`] decimals.
fn enclosed(p: Scaled) -> Real {
    Real::cached(move |bits| p.fixed(bits + 8))
}

/// Returns the card and place with the largest probability, and the card and place with the least;
/// if several are equal, the first. Takes 2 to [`MAX_FOLLOWED`] cards. Cost: O(K^3) products of
/// doubles, and O(K^2) products of 192 bits for each of the two.
pub fn extreme_places(id: &str, cards: u64) -> [CardPlace; 2] {
    let laws = places_in_doubles(id, cards);
    let all = || laws.iter().flatten().copied();
    let most = all().fold(0.0, f64::max);
    let least = all().fold(f64::INFINITY, f64::min);
    let near = [
        most * (1.0 - COMPARISON_TOLERANCE)..f64::INFINITY,
        0.0..least * (1.0 + COMPARISON_TOLERANCE) + f64::MIN_POSITIVE,
    ];
    let cards = cards as usize;
    let exact = is_exact(id, cards).then(|| moves_of_shuffle::<Rational>(id, cards));
    let moves = moves_of_shuffle::<Scaled>(id, cards);
    let mut larger = true;
    near.map(|range: Range<f64>| {
        let mut best: Option<(usize, usize, Scaled)> = None;
        let is_near = |law: &&Vec<f64>| law.iter().any(|p| range.contains(p));
        let mut seen = HashSet::new();
        for (card, law) in laws.iter().enumerate().filter(|(_, law)| is_near(law)) {
            if !seen.insert(moves.law_key(cards, card)) {
                continue;
            }
            for (place, p) in moves.law(cards, card).into_iter().enumerate() {
                let beyond = |best: &(usize, usize, Scaled)| {
                    let [best, p] = [best.2.fixed(FIXED_POINT_BITS), p.fixed(FIXED_POINT_BITS)];
                    if larger {
                        p.low > best.high
                    } else {
                        p.high < best.low
                    }
                };
                if range.contains(&law[place]) && best.as_ref().is_none_or(beyond) {
                    best = Some((card, place, p));
                }
            }
        }
        larger = false;
        let (card, place, p) = best.expect("every card has a likeliest place");
        let probability = match &exact {
            Some(moves) => Real::Exact(moves.law(cards, card).swap_remove(place)),
            None => enclosed(p),
        };
        CardPlace {
            card,
            place,
            probability,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::broken::{NAMES, orders, steps};

    /// Counts the places of each card over the orders of all paths.
    #[test]
    fn places_of_all_orders() {
        for cards in 1..=6u64 {
            for ((id, _), steps) in NAMES.into_iter().zip(steps(cards as usize)) {
                let (orders, all) = orders(&steps);
                let found = places(id, cards);
                assert_eq!(found.len() as u64, cards * cards);
                for CardPlace {
                    card,
                    place,
                    probability,
                } in found
                {
                    let there = orders
                        .iter()
                        .filter(|(order, _)| order[place] == card as u8);
                    let paths: u128 = there.map(|(_, paths)| paths).sum();
                    let exact = Rational::new(paths.into(), all.into());
                    assert_eq!(
                        probability.exact(),
                        Some(&exact),
                        "{id} {cards} {card} {place}"
                    );
                }
            }
        }
    }

    /// Doubles and intervals agree with the fractions; the probabilities of each card sum to 1.
    #[test]
    fn doubles_and_intervals() {
        for (id, _) in NAMES {
            let exact = places(id, 8);
            let doubles = places_in_doubles(id, 8);
            for one in &exact {
                let (near, exact) = (
                    doubles[one.card][one.place],
                    one.probability.to_f64().unwrap(),
                );
                assert!(
                    (near - exact).abs() <= COMPARISON_TOLERANCE / 10.0 * exact,
                    "{id} {one:?}"
                );
            }
            let [most, least] = extreme_places(id, 8);
            for (found, best) in [
                (
                    most,
                    exact
                        .iter()
                        .map(|one| one.probability.exact().unwrap())
                        .max(),
                ),
                (
                    least,
                    exact
                        .iter()
                        .map(|one| one.probability.exact().unwrap())
                        .min(),
                ),
            ] {
                assert!(
                    found.probability.enclose(150).contains(best.unwrap()),
                    "{id}"
                );
                let here = exact
                    .iter()
                    .find(|one| (one.card, one.place) == (found.card, found.place));
                assert_eq!(here.unwrap().probability.exact(), best, "{id}");
            }
        }
    }
}
