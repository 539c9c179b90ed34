//! Measures how far the outcomes of a biased rule are from the target.
//!
//! Let p_i be the probabilities of the n outcomes (also 0), and q_i the probabilities in the
//! target, all 1/n for a fair die:
//!
//! ```text
//! total variation        (1/2) sum |p_i - q_i| = sum over p_i > q_i of (p_i - q_i)
//! ratio                  max p_i / min p_i, infinite if an outcome never occurs
//! Kullback-Leibler       sum p_i log2(p_i / q_i) bits, of the law from the target
//! min-entropy            -log2 max p_i bits
//! ```
//!
//! These measures are exact, or enclosed if they contain a logarithm.

use super::outcomes::{OutcomeClass, OutcomeLaw, sides_of};
use crate::task::Target;
use flipcost_number::Real;
use flipcost_number::reduce::{minus, over, plus, times};
use flipcost_number::{BigInt, BigUint, Rational};
use num_traits::{One, Zero};
use std::collections::BTreeMap;

/// Compares a law of outcomes with a target.
///
/// ```
/// use flipcost::law::{Bias, OutcomeLaw};
/// use flipcost::number::Rational;
/// // 8 bits modulo 31: eight outcomes have 9 words, the others 8
/// let p = |k: u32| Rational::new(k.into(), 256.into());
/// let law = OutcomeLaw::of_probabilities((0..31u32).map(|i| p(if i < 8 { 9 } else { 8 })))?;
/// let bias = Bias::new(&law, 31);
/// assert_eq!(bias.total_variation().to_string(), "23/992");
/// assert_eq!(bias.ratio().unwrap().to_string(), "9/8");
/// # Ok::<(), flipcost::law::OutcomeError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bias {
    /// Classes of outcomes, the likelier first; outcomes that never occur come last.
    pub(super) classes: Vec<BiasClass>,
    pub(super) outcomes: BigUint,
}

/// A class of outcomes that all have the same probability in the law, and the same probability in
/// the target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BiasClass {
    pub(super) probability: Rational,
    /// The probability of each outcome in the target, above 0.
    pub(super) wanted: Rational,
    pub(super) multiplicity: Rational,
}

impl Bias {
    /// Compares a law of at most n outcomes with a fair die of n sides.
    ///
    /// # Panics
    /// If the law has more than n outcomes.
    pub fn new(law: &OutcomeLaw, sides: impl TryInto<BigUint>) -> Bias {
        let (possible, sides) = (law.outcomes(), sides_of(sides));
        assert!(possible <= sides, "{possible} outcomes of {sides}");
        let never = OutcomeClass {
            probability: Rational::zero(),
            multiplicity: &sides - possible,
        };
        let wanted = Rational::new(BigInt::one(), sides.clone().into());
        let classes = law.classes().iter().chain([&never]);
        let classes = classes.filter(|class| !class.multiplicity.is_zero());
        Bias {
            classes: classes
                .map(|class| BiasClass {
                    probability: class.probability.clone(),
                    wanted: wanted.clone(),
                    multiplicity: BigInt::from(class.multiplicity.clone()).into(),
                })
                .collect(),
            outcomes: sides,
        }
    }

    /// Compares the probabilities of outcomes, which sum to 1, with a target that has all these
    /// outcomes.
    pub(crate) fn from_probabilities(
        probabilities: &BTreeMap<BigUint, Rational>,
        target: &Target,
    ) -> Bias {
        let share = |weight: &BigUint| {
            Rational::new(weight.clone().into(), target.weight_sum().clone().into())
        };
        let mut never: BTreeMap<Rational, BigUint> = BTreeMap::new();
        never.extend(
            target
                .groups()
                .iter()
                .map(|(weight, k)| (share(weight), k.clone())),
        );
        let mut counts: BTreeMap<(Rational, Rational), BigUint> = BTreeMap::new();
        for (outcome, probability) in probabilities {
            let wanted = target.probability(outcome);
            *never.get_mut(&wanted).expect("an outcome of the target") -= 1u8;
            *counts.entry((probability.clone(), wanted)).or_default() += 1u8;
        }
        let never = never
            .into_iter()
            .map(|(wanted, k)| ((Rational::zero(), wanted), k));
        let classes = counts.into_iter().rev().chain(never);
        Bias {
            classes: classes
                .filter(|(_, k)| !k.is_zero())
                .map(|((probability, wanted), k)| BiasClass {
                    probability,
                    wanted,
                    multiplicity: BigInt::from(k).into(),
                })
                .collect(),
            outcomes: target.possible(),
        }
    }

    /// Creates the comparison from classes of outcomes: the probability in the law, the probability
    /// in the target, and the number of outcomes in the class; both kinds of probabilities sum
    /// to 1. If the law has an outcome that the target does not have, [`Bias::is_finite`] is false.
    ///
    /// ```
    /// use flipcost::law::Bias;
    /// use flipcost::number::Rational;
    /// let p = |a: u32, b: u32| Rational::new(a.into(), b.into());
    /// let bias = Bias::between([(p(1, 2), p(1, 3), 1u8.into()), (p(1, 2), p(2, 3), 1u8.into())]);
    /// assert_eq!(bias.total_variation(), p(1, 6));
    /// ```
    pub fn between(classes: impl IntoIterator<Item = (Rational, Rational, BigUint)>) -> Bias {
        let mut counts: BTreeMap<(Rational, Rational), BigUint> = BTreeMap::new();
        for (probability, wanted, outcomes) in classes {
            *counts.entry((probability, wanted)).or_default() += outcomes;
        }
        let outcomes = counts.values().sum();
        let class = |((probability, wanted), k): (_, BigUint)| BiasClass {
            probability,
            wanted,
            multiplicity: BigInt::from(k).into(),
        };
        Bias {
            classes: counts.into_iter().rev().map(class).collect(),
            outcomes,
        }
    }

    /// The classes of outcomes: the probability in the law, the probability in the target, and the
    /// number of outcomes in the class.
    pub fn classes(&self) -> impl ExactSizeIterator<Item = (&Rational, &Rational, &BigUint)> {
        self.classes.iter().map(|class| {
            (
                &class.probability,
                &class.wanted,
                class.multiplicity.numer().magnitude(),
            )
        })
    }

    /// The bias of a pair of independent outcomes, one of this law and one of the other law. Cost:
    /// the product of the numbers of classes.
    pub fn joint(&self, other: &Bias) -> Bias {
        let with = |(p, q, k): (&Rational, &Rational, &BigUint)| {
            let pair = move |(a, b, c): (&Rational, &Rational, &BigUint)| {
                (times(p, a), times(q, b), k * c)
            };
            other.classes().map(pair).collect::<Vec<_>>()
        };
        Bias::between(self.classes().flat_map(with))
    }

    /// The law of the outcomes.
    pub fn outcomes(&self) -> OutcomeLaw {
        let classes = self.classes.iter().map(|class| OutcomeClass {
            probability: class.probability.clone(),
            multiplicity: class.multiplicity.numer().magnitude().clone(),
        });
        OutcomeLaw::new(classes).expect("probabilities of all outcomes")
    }

    /// The total probability, in the law and in the target, of the outcomes that are likelier in
    /// the law than in the target.
    pub fn favoured(&self) -> (Rational, Rational) {
        let mut all = (Rational::zero(), Rational::zero());
        for class in (self.classes.iter()).filter(|class| class.probability > class.wanted) {
            all.0 = plus(&all.0, &times(&class.probability, &class.multiplicity));
            all.1 = plus(&all.1, &times(&class.wanted, &class.multiplicity));
        }
        all
    }

    /// The total variation distance from the target, between 0 and 1.
    pub fn total_variation(&self) -> Rational {
        let (probability, wanted) = self.favoured();
        minus(&probability, &wanted)
    }

    /// The largest probability of an outcome.
    pub fn largest(&self) -> &Rational {
        &self.classes[0].probability
    }

    /// The least probability of an outcome; 0 if some outcome never occurs.
    pub fn smallest(&self) -> &Rational {
        let last = self.classes.last().expect("a law has an outcome");
        &last.probability
    }

    /// The largest probability divided by the least; `None` if the least is 0.
    pub fn ratio(&self) -> Option<Rational> {
        let least = self.smallest();
        (!least.is_zero()).then(|| over(self.largest(), least))
    }

    /// The entropy of the outcomes in bits: exact if all probabilities are powers of two, otherwise
    /// enclosed.
    pub fn entropy(&self) -> Real {
        self.mean_surprise(|class| &class.probability)
    }

    /// Returns the mean of -log2 of the selected probability, in bits, over outcomes drawn from the
    /// law.
    fn mean_surprise(&self, probability: fn(&BiasClass) -> &Rational) -> Real {
        let mut sum = Real::integer(0);
        for class in (self.classes.iter()).filter(|class| !class.probability.is_zero()) {
            let weight = Real::Exact(&class.probability * &class.multiplicity);
            sum = sum.plus(&weight.times(&surprise(probability(class))));
        }
        sum
    }

    /// Whether the target has every outcome that occurs. If not, divergences, ratios to the target
    /// and the detection of a bias are infinite.
    pub fn is_finite(&self) -> bool {
        let mut never = self.classes.iter().filter(|class| class.wanted.is_zero());
        never.all(|class| class.probability.is_zero())
    }

    /// The probability of the outcomes that the target does not have.
    pub fn impossible(&self) -> Rational {
        let never = self.classes.iter().filter(|class| class.wanted.is_zero());
        never
            .map(|class| &class.probability * &class.multiplicity)
            .sum()
    }

    /// The largest ratio of the probability of an outcome to its probability in the target.
    pub fn largest_ratio(&self) -> Option<Rational> {
        let finite = self.is_finite();
        let possible = self.classes.iter().filter(|class| !class.wanted.is_zero());
        let ratios = possible.map(|class| over(&class.probability, &class.wanted));
        ratios.max().filter(|_| finite)
    }

    /// The Hellinger distance from the target, the square root of 1 - sum of sqrt(p q), between 0
    /// and 1.
    pub fn hellinger(&self) -> Real {
        let same = self
            .classes
            .iter()
            .all(|class| class.probability == class.wanted);
        if same {
            return Real::integer(0);
        }
        let mut rest = Real::integer(1);
        for class in &self.classes {
            let root = Real::Exact(times(&class.probability, &class.wanted)).sqrt();
            rest = rest.minus(&root.times(&Real::Exact(class.multiplicity.clone())));
        }
        rest.sqrt()
    }

    /// Checks whether all outcomes have the same probability in the target.
    fn is_of_fair_die(&self) -> bool {
        (self.classes.windows(2)).all(|pair| pair[0].wanted == pair[1].wanted)
    }

    /// The Kullback-Leibler divergence of the law from the target, sum p log2(p / q), in bits.
    pub fn divergence(&self) -> Real {
        let fair = self.is_of_fair_die();
        let same = |class: &BiasClass| class.probability == class.wanted;
        match self.classes.len() {
            _ if self.classes.iter().all(same) => Real::integer(0),
            _ if fair => Real::log(self.outcomes.clone(), 2).minus(&self.entropy()),
            _ => self
                .mean_surprise(|class| &class.wanted)
                .minus(&self.entropy()),
        }
    }

    /// The min-entropy -log2 p of the law in bits, where p is the largest probability.
    pub fn min_entropy(&self) -> Real {
        surprise(self.largest())
    }

    /// The Renyi divergence of order 2 of the law from the target, log2 sum p^2 / q, in bits.
    pub fn renyi2(&self) -> Real {
        let all = self.classes.iter().fold(Rational::zero(), |all, class| {
            let square = times(&class.probability, &class.probability);
            plus(
                &all,
                &times(&over(&square, &class.wanted), &class.multiplicity),
            )
        });
        log2(&all)
    }
}

/// log2 of a fraction above 0.
pub fn log2(p: &Rational) -> Real {
    let log = |x: &BigInt| Real::log(x.magnitude().clone(), 2);
    log(p.numer()).minus(&log(p.denom()))
}

/// -log2 p.
pub(crate) fn surprise(p: &Rational) -> Real {
    log2(&p.recip())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    fn small_ratio(p: i64, q: i64) -> Rational {
        Rational::new(p.into(), q.into())
    }

    /// The bias of W equally likely words taken modulo n.
    pub(in crate::law) fn modulo(words: u64, n: u64) -> Bias {
        let count = |i: u64| words / n + u64::from(i < words % n);
        let law = (0..n).map(|i| Rational::new(count(i).into(), words.into()));
        Bias::new(&OutcomeLaw::of_probabilities(law).unwrap(), n)
    }

    /// The total variation distance is r (n - r) / (n W) with r = W mod n; the ratio is (q + 1) /
    /// q.
    #[test]
    fn words_modulo_n() {
        for words in [1u64, 2, 7, 16, 100, 256] {
            for n in 1..=40u64 {
                let bias = modulo(words, n);
                let r = words % n;
                let share = r * (n - r);
                let expected = Rational::new(share.into(), (n * words).into());
                assert_eq!(bias.total_variation(), expected, "{words} {n}");
                let q = words / n;
                let ratio = match (r, q) {
                    (0, _) => Some(Rational::one()),
                    (_, 0) => None,
                    _ => Some(Rational::new((q + 1).into(), q.into())),
                };
                assert_eq!(bias.ratio(), ratio);
                if r == 0 {
                    assert_eq!(bias.divergence().exact(), Some(&Rational::zero()));
                }
            }
        }
    }

    /// The divergence of a law from itself is 0 for all probabilities.
    #[test]
    fn the_divergence_from_itself_is_zero() {
        let pair = |p: Rational| (p.clone(), p, BigUint::one());
        let same = Bias::between([pair(small_ratio(1, 3)), pair(small_ratio(2, 3))]);
        assert_eq!(same.divergence().exact(), Some(&Rational::zero()));
    }

    /// For a coin of 3/4, the divergence from a fair coin is 1 - H(1/4) bits and the min-entropy
    /// -log2 3/4. The joint law of 8 words modulo 3 and 8 words modulo 5 is checked pair by pair.
    #[test]
    fn independent_reductions() {
        let joint = modulo(8, 3).joint(&modulo(8, 5));
        let count = |i: i64, n: i64| 8 / n + i64::from(i < 8 % n);
        let pairs = (0..3).flat_map(|i| {
            (0..5).map(move |j| small_ratio(count(i, 3) * count(j, 5), 64) - small_ratio(1, 15))
        });
        let apart: Rational = pairs.filter(|apart| *apart > Rational::zero()).sum();
        assert_eq!(joint.total_variation(), apart);
    }

    #[test]
    fn entropies_of_a_coin() {
        let law = OutcomeLaw::of_probabilities([small_ratio(3, 4), small_ratio(1, 4)]).unwrap();
        let bias = Bias::new(&law, 2);
        assert_eq!(bias.entropy().decimals(9).unwrap(), "0.811278124");
        assert_eq!(bias.divergence().decimals(9).unwrap(), "0.188721876");
        assert_eq!(bias.min_entropy().decimals(9).unwrap(), "0.415037499");
        assert_eq!(bias.total_variation(), small_ratio(1, 4));
        // A rule that always gives the same face of a d4.
        let one = OutcomeLaw::of_probabilities([small_ratio(1, 1)]).unwrap();
        let bias = Bias::new(&one, 4);
        assert_eq!(bias.divergence().exact(), Some(&small_ratio(2, 1)));
        assert_eq!(
            (bias.total_variation(), bias.ratio()),
            (small_ratio(3, 4), None)
        );
    }
}
