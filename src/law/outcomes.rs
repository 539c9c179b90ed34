//! The law of the outcomes, stored in classes: each distinct probability, and the number of
//! outcomes that have it.
//!
//! A fair die with 2^31 sides has 2^31 outcomes, but only one probability. So a law of outcomes
//! consists of such classes; it does not say which outcomes are in a class. The constructor checks
//! that the probabilities sum to 1.

use flipcost_number::{BigInt, BigUint, Rational};
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use std::collections::{BTreeMap, BTreeSet};

/// A class of outcomes that all have the same probability.
///
/// ```
/// use flipcost::law::OutcomeLaw;
/// let die = OutcomeLaw::uniform(6);
/// let [class] = die.classes() else { panic!("a fair die has one class") };
/// assert_eq!((class.probability.to_string(), class.multiplicity.to_string()), ("1/6".into(), "6".into()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OutcomeClass {
    /// The probability of each of these outcomes, above 0.
    pub probability: Rational,
    /// The number of outcomes with this probability, at least 1.
    pub multiplicity: BigUint,
}

/// The distinct probabilities of the outcomes, and the number of outcomes that have each. Two laws
/// are equal if and only if their outcomes can be paired with equal probabilities.
///
/// ```
/// use flipcost::law::{OutcomeClass, OutcomeLaw};
/// let die = OutcomeLaw::uniform(1u64 << 31);
/// assert_eq!(die.classes().len(), 1);
/// // a sum of two dice has 11 outcomes; except for 7, two outcomes share each probability
/// let two = |k: u64| [k, k].map(|k| flipcost::number::Rational::new(k.into(), 36.into()));
/// let sum = (1..6).flat_map(two).chain(["6/36".parse().unwrap()]);
/// let sum = OutcomeLaw::of_probabilities(sum).unwrap();
/// assert_eq!((sum.classes().len(), sum.outcomes()), (6, 11u8.into()));
/// assert_eq!(sum.classes()[0].probability.to_string(), "1/6");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OutcomeLaw {
    classes: Vec<OutcomeClass>,
}

/// The reason why some numbers are not the probabilities of outcomes.
///
/// ```
/// use flipcost::law::{OutcomeError, OutcomeLaw};
/// let half = flipcost::number::Rational::new(1.into(), 2.into());
/// let error = OutcomeLaw::of_probabilities([half.clone()]).unwrap_err();
/// assert_eq!(error, OutcomeError::Total(half));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OutcomeError {
    /// An outcome has a probability below 0.
    #[error("an outcome has the probability {0}, which is below 0")]
    Negative(Rational),
    /// The probabilities of the outcomes do not sum to 1.
    #[error("the outcomes have probability {0} together, not 1")]
    Total(Rational),
}

impl OutcomeLaw {
    /// Creates the law with these classes, in any order. Equal probabilities are merged; classes of
    /// probability 0 or multiplicity 0 are dropped.
    ///
    /// # Errors
    /// If a probability is below 0, or if the probabilities do not sum to 1.
    pub fn new(classes: impl IntoIterator<Item = OutcomeClass>) -> Result<Self, OutcomeError> {
        let mut merged: BTreeMap<Rational, BigUint> = BTreeMap::new();
        for class in classes {
            if class.probability.is_negative() {
                return Err(OutcomeError::Negative(class.probability));
            }
            if !class.probability.is_zero() && !class.multiplicity.is_zero() {
                *merged.entry(class.probability).or_default() += class.multiplicity;
            }
        }
        let mass = |(p, k): (&Rational, &BigUint)| p * BigInt::from(k.clone());
        let total: Rational = merged.iter().map(mass).sum();
        if !total.is_one() {
            return Err(OutcomeError::Total(total));
        }
        let class = |(probability, multiplicity)| OutcomeClass {
            probability,
            multiplicity,
        };
        Ok(OutcomeLaw {
            classes: merged.into_iter().rev().map(class).collect(),
        })
    }

    /// Creates the law of outcomes from the probability of each outcome.
    ///
    /// # Errors
    /// As [`OutcomeLaw::new`].
    pub fn of_probabilities(
        probabilities: impl IntoIterator<Item = Rational>,
    ) -> Result<Self, OutcomeError> {
        let class = |probability| OutcomeClass {
            probability,
            multiplicity: BigUint::one(),
        };
        OutcomeLaw::new(probabilities.into_iter().map(class))
    }

    /// The law of a fair die of n sides, which has one class.
    ///
    /// # Panics
    /// If n < 1.
    pub fn uniform(n: impl TryInto<BigUint>) -> Self {
        let n = sides_of(n);
        OutcomeLaw {
            classes: vec![OutcomeClass {
                probability: Rational::new(1.into(), n.clone().into()),
                multiplicity: n,
            }],
        }
    }

    /// The law of x mod n, and also of floor(x n / W), for one of W equally likely words x. With W
    /// = q n + r, r outcomes have q + 1 words each, and the others have q.
    ///
    /// ```
    /// use flipcost::law::OutcomeLaw;
    /// let law = OutcomeLaw::of_words(256, 6);
    /// let classes: Vec<String> = law.classes().iter().map(|class| class.probability.to_string()).collect();
    /// assert_eq!(classes, ["43/256", "21/128"]);
    /// ```
    ///
    /// # Panics
    /// If W < 1 or n < 1.
    pub fn of_words(words: impl TryInto<BigUint>, n: impl TryInto<BigUint>) -> Self {
        let (words, n) = (sides_of(words), sides_of(n));
        let (each, more) = words.div_rem(&n);
        let class = |count: BigUint, multiplicity| OutcomeClass {
            probability: Rational::new(count.into(), words.clone().into()),
            multiplicity,
        };
        let classes = [class(&each + 1u8, more.clone()), class(each, n - more)];
        OutcomeLaw::new(classes).expect("the words are shared out")
    }

    /// The law of floor(u n) in IEEE doubles, for u = y / 2^b with b random bits y. Cost: O(log n),
    /// by [`DoubleBounds::counts`].
    ///
    /// ```
    /// use flipcost::law::OutcomeLaw;
    /// // three words of 8 for 0, three for 1, two for 2
    /// let law = OutcomeLaw::of_doubles(3, 3);
    /// assert_eq!(law.classes()[0].probability.to_string(), "3/8");
    /// assert_eq!(law.outcomes(), 3u8.into());
    /// ```
    ///
    /// # Panics
    /// If b is not in 1 to 53, or n not in 1 to 2^53.
    pub fn of_doubles(bits: u32, n: u64) -> Self {
        assert!((1..=53).contains(&bits), "{bits} bits of a double");
        assert!((1..=1 << 53).contains(&n), "{n} outcomes");
        let all = BigInt::one() << bits;
        let class = |(count, multiplicity): (BigUint, BigUint)| OutcomeClass {
            probability: Rational::new(count.into(), all.clone()),
            multiplicity,
        };
        let counts = DoubleBounds { bits, n }.counts();
        OutcomeLaw::new(counts.into_iter().map(class)).expect("the words are shared out")
    }

    /// The classes, the largest probability first.
    pub fn classes(&self) -> &[OutcomeClass] {
        &self.classes
    }

    /// The number of outcomes.
    pub fn outcomes(&self) -> BigUint {
        self.classes.iter().map(|class| &class.multiplicity).sum()
    }
}

/// Converts the number of sides of a die, which must be at least 1.
pub(super) fn sides_of(n: impl TryInto<BigUint>) -> BigUint {
    let n: Option<BigUint> = n.try_into().ok();
    n.filter(|n| !n.is_zero())
        .expect("a die has at least 1 side")
}

/// The distances between neighbouring bounds, as pairs of a number of words and the number of
/// outcomes with that many words; each number of words occurs once.
pub fn widths(bounds: &[BigUint]) -> Vec<(BigUint, BigUint)> {
    let mut widths: Vec<BigUint> = bounds.windows(2).map(|pair| &pair[1] - &pair[0]).collect();
    widths.sort_unstable();
    let same = widths.chunk_by(|a, b| a == b);
    same.map(|same| (same[0].clone(), same.len().into()))
        .collect()
}

/// The rule floor(u n) in doubles, for u = y / 2^b, b <= 53 and n <= 2^53; it counts the words of
/// each outcome.
///
/// The product u n is rounded to the nearest double, ties to even. So a word gives at least j if
/// the exact product is at least j - h, where h is half the distance from j to the double below it:
/// h = 2^(e-53) with e = floor(log2 j), or half of that if j is a power of two. Between two powers
/// of two, an outcome therefore has floor(2^b / n) words or one more, and the words at the ends
/// determine how many outcomes have one more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DoubleBounds {
    /// b.
    pub bits: u32,
    /// n.
    pub n: u64,
}

impl DoubleBounds {
    /// The least word that gives at least j, for 0 <= j <= n.
    pub fn least(&self, j: u64) -> u64 {
        let last = 1u64 << self.bits;
        if j == 0 || j == self.n {
            return if j == 0 { 0 } else { last };
        }
        let half = 1u128 << (j.ilog2() + u32::from(!j.is_power_of_two()));
        let below = u128::from(self.n) << (54 - self.bits);
        let word = ((u128::from(j) << 54) - half).div_ceil(below);
        word.min(last.into()) as u64
    }

    /// Pairs of a number of words and the number of outcomes with that many words, for outcomes
    /// that have at least one word. Cost: O(log n).
    pub fn counts(&self) -> Vec<(BigUint, BigUint)> {
        let mut counts = BTreeMap::<u64, u64>::new();
        let mut add = |words: u64, outcomes: u64| {
            if words > 0 && outcomes > 0 {
                *counts.entry(words).or_default() += outcomes;
            }
        };
        let each = (1u64 << self.bits) / self.n;
        let powers = (0..=53).map(|e| 1u64 << e).filter(|power| *power <= self.n);
        let mut single = BTreeSet::from([0, self.n - 1]);
        for power in powers {
            single.extend([power - 1, power]);
            let inside = power + 1..(2 * power - 1).min(self.n - 1);
            if !inside.is_empty() {
                let outcomes = inside.end - inside.start;
                let more = self.least(inside.end) - self.least(inside.start) - each * outcomes;
                add(each + 1, more);
                add(each, outcomes - more);
            }
        }
        for j in single.into_iter().filter(|j| *j < self.n) {
            add(self.least(j + 1) - self.least(j), 1);
        }
        let count = |(words, outcomes): (u64, u64)| (words.into(), outcomes.into());
        counts.into_iter().map(count).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(p: i64, q: i64) -> Rational {
        Rational::new(p.into(), q.into())
    }

    fn class(p: Rational, k: u64) -> OutcomeClass {
        OutcomeClass {
            probability: p,
            multiplicity: k.into(),
        }
    }

    #[test]
    fn equal_probabilities_are_one_class() {
        let loaded = OutcomeLaw::of_probabilities(
            [(1, 6), (1, 2), (1, 6), (0, 1), (1, 6)].map(|(p, q)| ratio(p, q)),
        );
        let loaded = loaded.unwrap();
        assert_eq!(
            loaded.classes(),
            [class(ratio(1, 2), 1), class(ratio(1, 6), 3)]
        );
        assert_eq!(loaded.outcomes(), 4u8.into());
        let classes = [
            class(ratio(1, 6), 2),
            class(ratio(1, 2), 1),
            class(ratio(1, 6), 1),
        ];
        assert_eq!(OutcomeLaw::new(classes).unwrap(), loaded);
    }

    /// Compares the counts with a count of all outcomes, for fewer outcomes than words, for more
    /// outcomes than words, and for numbers near powers of two.
    #[test]
    fn doubles_by_counting_all() {
        for bits in [3u32, 5, 8, 12, 20, 53] {
            for n in (1..70u64).chain([100, 127, 128, 129, 255, 256, 257, 1000, 4095, 4096, 4097]) {
                let bounds = DoubleBounds { bits, n };
                let all: Vec<BigUint> = (0..=n).map(|j| bounds.least(j).into()).collect();
                let mut counted = widths(&all);
                counted.retain(|(words, _)| !words.is_zero());
                assert_eq!(bounds.counts(), counted, "{bits} {n}");
            }
        }
    }

    /// R before version 3.6, for 10^9 outcomes: q = 4 and r = 2^32 mod n = 294967296. Except for
    /// the rounding of products, the total variation distance is r (n - r) / (n 2^32), 4.84 %.
    #[test]
    fn doubles_of_large_dice() {
        let law = OutcomeLaw::of_doubles(32, 1_000_000_000);
        let counts = law.classes().iter().map(|class| {
            (
                &class.probability * (BigInt::one() << 32),
                class.multiplicity.clone(),
            )
        });
        let counts: Vec<_> = counts.collect();
        assert_eq!(
            counts,
            [
                (ratio(5, 1), 294_967_296u32.into()),
                (ratio(4, 1), 705_032_704u32.into())
            ]
        );
        let most = OutcomeLaw::of_doubles(53, 1 << 53);
        assert_eq!(most.outcomes(), (1u64 << 53).into());
    }

    #[test]
    fn a_fair_die_is_one_class() {
        for n in 1i64..=50 {
            let all = OutcomeLaw::of_probabilities((0..n).map(|_| ratio(1, n)));
            assert_eq!(all.unwrap(), OutcomeLaw::uniform(n as u64));
        }
        let large = OutcomeLaw::uniform(BigUint::one() << 4096);
        assert_eq!(large.outcomes(), BigUint::one() << 4096);
        assert_eq!(OutcomeLaw::new(large.classes().to_vec()).unwrap(), large);
    }

    #[test]
    fn probabilities_must_sum_to_1() {
        let none = OutcomeLaw::new([]);
        assert_eq!(none, Err(OutcomeError::Total(ratio(0, 1))));
        let less = OutcomeLaw::new([class(ratio(1, 1 << 40), (1 << 40) - 1)]);
        assert_eq!(
            less,
            Err(OutcomeError::Total(ratio((1 << 40) - 1, 1 << 40)))
        );
        let below = OutcomeLaw::of_probabilities([ratio(3, 2), ratio(-1, 2)]);
        assert_eq!(below, Err(OutcomeError::Negative(ratio(-1, 2))));
        assert_eq!(
            below.unwrap_err().to_string(),
            "an outcome has the probability -1/2, which is below 0"
        );
    }
}
