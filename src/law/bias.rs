//! How far the outcomes of a biased rule are from the target, and when somebody notices.
//!
//! With p_i the probabilities of the n outcomes (those that never come included), q_i those of the target, all
//! 1/n of a fair die,
//!
//! ```text
//! total variation        (1/2) sum |p_i - q_i| = sum over p_i > q_i of (p_i - q_i)
//! ratio                  max p_i / min p_i, infinite if an outcome never comes
//! Kullback-Leibler       sum p_i log2(p_i / q_i) bits, of the law from the target
//! min-entropy            -log2 max p_i bits
//! ```
//!
//! These are exact, or enclosed where a logarithm is. **Detection is statistical**: Pearson's test of
//! N results against q_i each has n - 1 degrees of freedom and, asymptotically, the noncentrality N D,
//! D = sum (p_i - q_i)^2 / q_i; with size 0.01 it finds the bias with probability 0.9 once N D reaches the
//! lambda of [`noncentrality`]. An asymptotic law of expectations below 5 says nothing, and then no
//! number of results is given.
//!
//! **Source.** Pearson 1900; Patnaik 1949, The non-central chi-square and F-distributions and their
//! applications, Biometrika 36 (the noncentral law as a Poisson mixture).

use super::outcomes::{OutcomeClass, OutcomeLaw};
use crate::task::Target;
use flipcost_number::long::div_ceil;
use flipcost_number::real::Real;
use flipcost_number::reduce::{minus, over, plus, times};
use flipcost_number::{BigInt, BigUint, Rational};
use num_traits::{One, ToPrimitive, Zero};
use statrs::distribution::{ChiSquared, ContinuousCDF};
use statrs::function::gamma::ln_gamma;
use std::collections::BTreeMap;

/// The size of the tests: how often a fair die is called unfair.
pub const SIZE: f64 = 0.01;
/// Their power: how often the bias is found.
pub const POWER: f64 = 0.9;
/// The least expectation of a class for which the asymptotic law is used.
const LEAST_EXPECTED: u8 = 5;

/// A law of outcomes beside that of the target.
///
/// ```
/// use flipcost::law::{Bias, OutcomeLaw};
/// use flipcost_number::Rational;
/// // 8 bits modulo 31: eight outcomes have 9 words, the others 8
/// let p = |k: u32| Rational::new(k.into(), 256.into());
/// let law = OutcomeLaw::of_probabilities((0..31u32).map(|i| p(if i < 8 { 9 } else { 8 })))?;
/// let bias = Bias::new(&law, &31u8.into());
/// assert_eq!(bias.total_variation().to_string(), "23/992");
/// assert_eq!(bias.ratio().unwrap().to_string(), "9/8");
/// # Ok::<(), flipcost::law::OutcomeError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bias {
    /// The likelier first; those that never come last.
    classes: Vec<BiasClass>,
    outcomes: BigUint,
}

/// Outcomes with the same probability, of which the target has the same.
#[derive(Clone, Debug, PartialEq, Eq)]
struct BiasClass {
    probability: Rational,
    /// That of the target, above 0.
    wanted: Rational,
    multiplicity: Rational,
}

impl BiasClass {
    /// The sum of (p - q)^2 / q.
    fn distance(&self) -> Rational {
        let apart = minus(&self.probability, &self.wanted);
        times(
            &over(&times(&apart, &apart), &self.wanted),
            &self.multiplicity,
        )
    }
}

/// How many results find a bias; see the module's page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Detection {
    /// So many.
    Results(BigInt),
    /// So few that the asymptotic law says nothing.
    TooFew,
    /// There is no bias.
    Never,
}

impl Bias {
    /// Of a law with at most n outcomes, beside a fair die of n sides.
    ///
    /// # Panics
    /// If it has more.
    pub fn new(law: &OutcomeLaw, sides: &BigUint) -> Bias {
        let possible = law.outcomes();
        assert!(possible <= *sides, "{possible} outcomes of {sides}");
        let never = OutcomeClass {
            probability: Rational::zero(),
            multiplicity: sides - possible,
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
            outcomes: sides.clone(),
        }
    }

    /// Of the probabilities of outcomes, which sum to 1, beside a target that has them all.
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

    /// The law of the outcomes.
    pub fn outcomes(&self) -> OutcomeLaw {
        let classes = self.classes.iter().map(|class| OutcomeClass {
            probability: class.probability.clone(),
            multiplicity: class.multiplicity.numer().magnitude().clone(),
        });
        OutcomeLaw::new(classes).expect("probabilities of all outcomes")
    }

    /// The probability of the outcomes together that come more often than they should, and that of the target.
    pub fn favoured(&self) -> (Rational, Rational) {
        let mut all = (Rational::zero(), Rational::zero());
        for class in (self.classes.iter()).filter(|class| class.probability > class.wanted) {
            all.0 = plus(&all.0, &times(&class.probability, &class.multiplicity));
            all.1 = plus(&all.1, &times(&class.wanted, &class.multiplicity));
        }
        all
    }

    /// The total variation distance from the target, 0 to 1.
    pub fn total_variation(&self) -> Rational {
        let (probability, wanted) = self.favoured();
        minus(&probability, &wanted)
    }

    /// The largest probability of an outcome.
    pub fn largest(&self) -> &Rational {
        &self.classes[0].probability
    }

    /// The least probability of an outcome, 0 if one never comes.
    pub fn smallest(&self) -> &Rational {
        let last = self.classes.last().expect("a law has an outcome");
        &last.probability
    }

    /// The largest over the least; `None` if that is 0.
    pub fn ratio(&self) -> Option<Rational> {
        let least = self.smallest();
        (!least.is_zero()).then(|| over(self.largest(), least))
    }

    /// The entropy of the outcomes in bits: exact where all probabilities are powers of two, else
    /// enclosed.
    pub fn entropy(&self) -> Real {
        self.mean_surprise(|class| &class.probability)
    }

    /// The mean of -log2 of a probability of the outcome that comes, in bits.
    fn mean_surprise(&self, probability: fn(&BiasClass) -> &Rational) -> Real {
        let mut sum = Real::integer(0);
        for class in (self.classes.iter()).filter(|class| !class.probability.is_zero()) {
            let weight = Real::Exact(&class.probability * &class.multiplicity);
            sum = sum.plus(&weight.times(&surprise(probability(class))));
        }
        sum
    }

    /// Has the target equal probabilities?
    fn is_of_fair_die(&self) -> bool {
        (self.classes.windows(2)).all(|pair| pair[0].wanted == pair[1].wanted)
    }

    /// The Kullback-Leibler divergence of the law from the target in bits, sum p log2(p / q).
    pub fn divergence(&self) -> Real {
        let fair = self.is_of_fair_die();
        match self.classes.len() {
            1 => Real::integer(0),
            _ if fair => Real::log(&self.outcomes, 2).minus(&self.entropy()),
            _ => self
                .mean_surprise(|class| &class.wanted)
                .minus(&self.entropy()),
        }
    }

    /// -log2 of the largest probability, in bits.
    pub fn min_entropy(&self) -> Real {
        surprise(self.largest())
    }

    /// The Renyi divergence of order 2 of the law from the target in bits, log2 sum p^2 / q.
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

    /// Have the outcomes at most two probabilities?
    pub fn has_two_classes(&self) -> bool {
        self.classes.len() <= 2
    }

    /// How many results find it in a test of all outcomes. Statistical, see the module's page.
    pub fn detect(&self) -> Detection {
        let distances = self.classes.iter().map(BiasClass::distance);
        let distance = distances.fold(Rational::zero(), |all, one| plus(&all, &one));
        let least = self.classes.iter().map(|class| &class.wanted).min();
        let least = least.expect("a law has an outcome");
        detection(distance, &self.outcomes.clone().into(), least)
    }

    /// How many results find it if only the favoured outcomes and the others are counted, two
    /// classes. Statistical, see the module's page.
    pub fn detect_best(&self) -> Detection {
        let (probability, wanted) = self.favoured();
        if wanted.is_zero() {
            return Detection::Never;
        }
        let apart = minus(&probability, &wanted);
        let spread = times(&wanted, &minus(&Rational::one(), &wanted));
        let distance = over(&times(&apart, &apart), &spread);
        detection(distance, &2.into(), &Rational::new(1.into(), 2.into()))
    }
}

/// log2 of a fraction above 0.
pub fn log2(p: &Rational) -> Real {
    let log = |x: &BigInt| Real::log(x.magnitude(), 2);
    log(p.numer()).minus(&log(p.denom()))
}

/// -log2 p.
pub(crate) fn surprise(p: &Rational) -> Real {
    log2(&p.recip())
}

/// ceil(lambda / D) for so many classes, the least likely of which has this probability.
fn detection(distance: Rational, classes: &BigInt, least: &Rational) -> Detection {
    if distance.is_zero() {
        return Detection::Never;
    }
    // beyond the doubles lambda is the same multiple of the root of the degrees as far as they go
    let degrees = classes - 1u8;
    let quarters = degrees.bits().saturating_sub(1000).div_ceil(2);
    let near = (degrees >> (2 * quarters)).to_f64().expect("a double");
    let lambda = Rational::from_float(noncentrality(near)).expect("it is finite");
    let lambda = lambda * (BigInt::one() << quarters);
    let results = div_ceil(
        &(lambda.numer() * distance.denom()),
        &(lambda.denom() * distance.numer()),
    );
    if &results * least.numer() < least.denom() * LEAST_EXPECTED {
        Detection::TooFew
    } else {
        Detection::Results(results)
    }
}

/// The noncentrality with which a chi-square variable of so many degrees of freedom exceeds its
/// central quantile of 0.99 with probability 0.9: 14.879 for 1 degree, about 3.6 sqrt(2
/// degrees) for many. To 30 bits, so that the functions of the system, which differ in the last of
/// theirs, do not decide it; from 10^6 degrees on by the normal law, whose relative error is then below
/// 0.3 %.
pub fn noncentrality(degrees: f64) -> f64 {
    to_30_bits(found_noncentrality(degrees))
}

/// The nearest double of 30 bits.
pub fn to_30_bits(x: f64) -> f64 {
    const DROPPED: u32 = f64::MANTISSA_DIGITS - 30;
    f64::from_bits((x.to_bits() + (1 << (DROPPED - 1))) >> DROPPED << DROPPED)
}

/// The same as far as doubles go.
fn found_noncentrality(degrees: f64) -> f64 {
    const NORMAL_FROM: f64 = 1e6;
    if degrees >= NORMAL_FROM {
        // the square root of 2 (degrees + 2 lambda) is the deviation
        let (size, power) = (2.326_347_874_040_841, 1.281_551_565_544_600_4);
        let central = size * (2.0 * degrees).sqrt();
        let mut lambda = central;
        for _ in 0..200 {
            lambda = central + power * (2.0 * (degrees + 2.0 * lambda)).sqrt();
        }
        return lambda;
    }
    let critical = quantile(degrees, SIZE);
    let (mut low, mut high) = (0.0, 16.0 + 8.0 * degrees.sqrt());
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if exceeds(degrees, middle, critical) < POWER {
            low = middle
        } else {
            high = middle
        }
    }
    high
}

/// What a chi-square variable with so many degrees of freedom exceeds with this probability, 1/1000 at least, by bisection
/// of the upper tail.
pub fn quantile(degrees: f64, tail: f64) -> f64 {
    let law = ChiSquared::new(degrees).expect("there is a degree of freedom");
    let (mut low, mut high) = (0.0, degrees + 20.0 + 8.0 * degrees.sqrt());
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if law.sf(middle) > tail {
            low = middle
        } else {
            high = middle
        }
    }
    high
}

/// The probability that the noncentral variable exceeds x: the mean of central ones with j pairs of
/// degrees more, j by Poisson's law of lambda / 2. A pair more adds y^a e^-y / Gamma(a + 1) to the tail,
/// y = x / 2 and a half the degrees, so that all terms are above 0 and follow from the first.
fn exceeds(degrees: f64, lambda: f64, x: f64) -> f64 {
    let (half, y) = (0.5 * lambda, 0.5 * x);
    let spread = 40.0 + 10.0 * lambda.sqrt();
    let first = (half - spread).max(0.0).floor();
    let last = half + spread;
    let mut a = 0.5 * degrees + first;
    let central = ChiSquared::new(2.0 * a).expect("there is a degree of freedom");
    let mut tail = central.sf(x);
    let mut more = (a * y.ln() - y - ln_gamma(a + 1.0)).exp();
    let mut weight =
        (first * half.max(f64::MIN_POSITIVE).ln() - half - ln_gamma(first + 1.0)).exp();
    let (mut sum, mut j) = (0.0, first);
    while j <= last {
        sum += weight * tail;
        tail += more;
        a += 1.0;
        more *= y / a;
        j += 1.0;
        weight *= half / j;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(p: i64, q: i64) -> Rational {
        Rational::new(p.into(), q.into())
    }

    /// W words modulo n.
    fn modulo(words: u64, n: u64) -> Bias {
        let count = |i: u64| words / n + u64::from(i < words % n);
        let law = (0..n).map(|i| Rational::new(count(i).into(), words.into()));
        Bias::new(&OutcomeLaw::of_probabilities(law).unwrap(), &n.into())
    }

    /// r (n - r) / (n W), r = W mod n, and D = r (n - r) / W^2; the ratio is (q + 1) / q.
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
                    assert_eq!(bias.detect(), Detection::Never);
                    assert_eq!(bias.detect_best(), Detection::Never);
                    assert_eq!(bias.divergence().exact(), Some(&Rational::zero()));
                }
                if let Detection::Results(results) = bias.detect() {
                    let lambda = Rational::from_float(noncentrality((n - 1) as f64)).unwrap();
                    let d = Rational::new(share.into(), (words * words).into());
                    let results = Rational::from_integer(results);
                    assert!(&results * &d >= lambda && (results - ratio1()) * d < lambda);
                }
            }
        }
    }

    /// Beyond the doubles, too, lambda grows like the root of n: for 4 n outcomes and a sixteenth of the
    /// distance, 32 times the results.
    #[test]
    fn detection_of_more_outcomes_than_a_double_counts() {
        let results = |bits: u32| {
            let distance = Rational::new(BigInt::one(), BigInt::one() << (2 * bits));
            match detection_of_fair(distance, BigInt::one() << bits) {
                Detection::Results(results) => results,
                other => panic!("{other:?}"),
            }
        };
        for bits in [998, 1000, 1002, 1100, 2000] {
            // 2^(2 bits) times 16 in the next, and lambda twice
            assert_eq!(results(bits + 2), results(bits) << 5, "{bits}");
        }
        let few = Rational::new(BigInt::one(), BigInt::from(3));
        assert_eq!(
            detection_of_fair(few, BigInt::one() << 20_000),
            Detection::TooFew
        );
    }

    fn detection_of_fair(distance: Rational, sides: BigInt) -> Detection {
        detection(distance, &sides, &Rational::new(1.into(), sides.clone()))
    }

    fn ratio1() -> Rational {
        ratio(1, 1)
    }

    /// A coin of 3/4: 1 - H(1/4) = 2 - (3/4) log2 3 - ... bits from fair, -log2 3/4 min-entropy.
    #[test]
    fn entropies_of_a_coin() {
        let law = OutcomeLaw::of_probabilities([ratio(3, 4), ratio(1, 4)]).unwrap();
        let bias = Bias::new(&law, &2u8.into());
        assert_eq!(bias.entropy().decimals(9).unwrap(), "0.811278124");
        assert_eq!(bias.divergence().decimals(9).unwrap(), "0.188721876");
        assert_eq!(bias.min_entropy().decimals(9).unwrap(), "0.415037499");
        assert_eq!(bias.total_variation(), ratio(1, 4));
        // always the same face of a d4
        let one = OutcomeLaw::of_probabilities([ratio(1, 1)]).unwrap();
        let bias = Bias::new(&one, &4u8.into());
        assert_eq!(bias.divergence().exact(), Some(&ratio(2, 1)));
        assert_eq!((bias.total_variation(), bias.ratio()), (ratio(3, 4), None));
        assert_eq!(bias.detect(), Detection::TooFew);
    }

    /// Solved in mpmath 1.3 with 40 digits; 1 degree is a normal variable of mean sqrt(lambda) beyond
    /// +-2.5758 with probability 0.9 (Cohen 1988, Statistical Power Analysis, prints 14.88).
    #[test]
    fn noncentralities_of_tables() {
        for (degrees, lambda) in [
            (1.0, 14.879387166502),
            (2.0, 17.426689067435),
            (5.0, 22.027505645468),
            (30.0, 39.074403393313),
            (99.0, 62.120291395623),
            (1000.0, 172.95810240916),
            (9999.0, 521.91759633995),
        ] {
            let found = noncentrality(degrees);
            assert!((found / lambda - 1.0).abs() < 1e-9, "{degrees}: {found}");
        }
        // no more than 30 bits
        let bits = noncentrality(7.0).to_bits();
        assert!(bits.trailing_zeros() >= 23 && bits != 0);
        // the two branches meet
        let (below, above) = (noncentrality(999_999.0), noncentrality(1_000_000.0));
        assert!((below / above - 1.0).abs() < 0.003, "{below} {above}");
        assert!(noncentrality(1e9) > noncentrality(1e8));
    }
}
