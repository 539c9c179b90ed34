//! Computes how many results a statistical test needs to detect that a rule is biased (see
//! [`Detection`]), and tails of the chi-square law. All computations use doubles.
//!
//! **Source.** Pearson 1900; Patnaik 1949, The non-central chi-square and F-distributions and their
//! applications, Biometrika 36 (the noncentral law as a Poisson mixture).

use super::bias::{Bias, BiasClass};
use flipcost_number::long::div_ceil;
use flipcost_number::reduce::{minus, over, plus, times};
use flipcost_number::{BigInt, Rational};
use num_traits::{One, ToPrimitive, Zero};
use statrs::distribution::{ChiSquared, ContinuousCDF};
use statrs::function::gamma::ln_gamma;

/// The size of the tests: the probability that the test calls a fair die unfair.
const TEST_SIZE: f64 = 0.01;
/// The power of the tests: the probability that the test finds the bias.
const TEST_POWER: f64 = 0.9;
/// The least expected number of results in each class for which the asymptotic law is used.
const MIN_EXPECTED: u8 = 5;

/// The number of results that reveal a bias ([`Bias::detect`]).
///
/// Pearson's test compares N results with the probabilities q_i of the target. Its statistic has
/// `n - 1` degrees of freedom and, asymptotically, the noncentrality N D with D = sum (p_i - q_i)^2
/// / q_i. With size 0.01, the test finds the bias with probability 0.9 as soon as N D reaches a
/// noncentrality that depends only on n. If fewer than 5 results are expected for some outcome, the
/// asymptotic law is not used, and no number of results is given. Digits that the doubles do not
/// determine are written as zeros.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Detection {
    /// This number of results reveals the bias.
    Results(BigInt),
    /// The bias is so large that fewer results reveal it than the asymptotic law needs.
    BelowAsymptotics,
    /// No number of results reveals a bias: the rule is fair.
    Never,
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

impl Bias {
    /// The number of results that reveal the bias in a chi-square test of all outcomes, of size
    /// 0.01 (the probability that it calls a fair die unfair) and power 0.9 (the probability that
    /// it finds the bias). The number is statistical, see [`Detection`], and needs the feature
    /// `statistics`.
    ///
    /// ```
    /// use flipcost::law::{Bias, Detection, OutcomeLaw};
    /// let bias = Bias::new(&OutcomeLaw::of_words(256, 31), 31); // a byte modulo 31
    /// assert!(matches!(bias.detect(), Detection::Results(count) if count > 1000.into()));
    /// ```
    pub fn detect(&self) -> Detection {
        let distances = self.classes.iter().map(BiasClass::distance);
        let distance = distances.fold(Rational::zero(), |all, one| plus(&all, &one));
        let least = self.classes.iter().map(|class| &class.wanted).min();
        let least = least.expect("a law has an outcome");
        detection(distance, &self.outcomes.clone().into(), least)
    }

    /// As [`Bias::detect`], but in a test with only two classes: the favoured outcomes and the
    /// others.
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

/// The probability that a chi-square variable with `degrees` degrees of freedom exceeds
/// `statistic`: the regularized upper incomplete gamma function Q(degrees/2, statistic/2), which
/// `statrs` computes to a relative error of 10^-9 for up to 10^6 degrees.
pub fn chi_square_tail(degrees: u64, statistic: f64) -> f64 {
    let law = ChiSquared::new(degrees as f64).expect("there is a degree of freedom");
    law.sf(statistic)
}

/// Computes ceil(lambda / D) for a test of this many classes; `least` is the probability of the
/// least likely class.
fn detection(distance: Rational, classes: &BigInt, least: &Rational) -> Detection {
    if distance.is_zero() {
        return Detection::Never;
    }
    // Beyond the range of doubles, lambda is taken as a fixed multiple of the square root of the
    // degrees.
    let degrees = classes - 1u8;
    let quarters = degrees.bits().saturating_sub(1000).div_ceil(2);
    let near = (degrees >> (2 * quarters)).to_f64().expect("a double");
    let (lambda, error) = (noncentrality(near), noncentrality_error(near));
    let [low, high] = [1.0 - error, 1.0 + error].map(|factor| {
        let lambda = Rational::from_float(lambda * factor).expect("it is finite");
        lambda * (BigInt::one() << quarters) / &distance
    });
    let results = common_digits(&low, &high);
    if &results * least.numer() < least.denom() * MIN_EXPECTED {
        Detection::BelowAsymptotics
    } else {
        Detection::Results(results)
    }
}

/// Returns the least whole number above a value that lies between `low` and `high`; from the first
/// digit in which the two ends differ, all digits become zeros.
fn common_digits(low: &Rational, high: &Rational) -> BigInt {
    let mut unit = BigInt::one();
    loop {
        let [least, most] = [low, high].map(|end| div_ceil(end.numer(), &(end.denom() * &unit)));
        // If not even the first digit agrees, take the larger number.
        if least == most || most.is_one() {
            return most * unit;
        }
        unit *= 10;
    }
}

/// A bound of the relative error of [`noncentrality`]. For few degrees of freedom the functions are
/// accurate to 10^-12, and they become less accurate as the degrees grow; for many degrees the
/// error of the series is 0.08 / degrees^2.
fn noncentrality_error(degrees: f64) -> f64 {
    if degrees < SERIES_FROM {
        2e-12 * (0.1 * degrees).max(1.0)
    } else {
        0.1 / (degrees * degrees) + 1e-14
    }
}

/// From this number of degrees on, quantiles are computed by a series.
const SERIES_FROM: f64 = 20_000.0;

/// The quantile of a noncentral chi-square variable minus its degrees, by the series of Cornish &
/// Fisher 1938 in the cumulants 2^(r-1) (r-1)! (degrees + r lambda), up to the third order.
fn series_quantile(z: f64, degrees: f64, lambda: f64) -> f64 {
    let square = 2.0 * (degrees + 2.0 * lambda);
    let spread = square.sqrt();
    let third = 8.0 * (degrees + 3.0 * lambda) / square / spread;
    let fourth = 48.0 * (degrees + 4.0 * lambda) / square / square;
    let fifth = 384.0 * (degrees + 5.0 * lambda) / square / square / spread;
    let (z2, z3, z4) = (z * z, z * z * z, z * z * z * z);
    let standard = z + third * (z2 - 1.0) / 6.0 + fourth * (z3 - 3.0 * z) / 24.0
        - third * third * (2.0 * z3 - 5.0 * z) / 36.0
        + fifth * (z4 - 6.0 * z2 + 3.0) / 120.0
        - third * fourth * (z4 - 5.0 * z2 + 2.0) / 24.0
        + third * third * third * (12.0 * z4 - 53.0 * z2 + 17.0) / 324.0;
    lambda + spread * standard
}

/// The noncentrality with which a chi-square variable with this many degrees of freedom exceeds its
/// central quantile of 0.99 with probability 0.9: 14.879 for 1 degree, about 3.6 sqrt(2 degrees)
/// for many.
fn noncentrality(degrees: f64) -> f64 {
    if degrees >= SERIES_FROM {
        let (size, power) = (2.326_347_874_040_841, 1.281_551_565_544_600_4);
        let central = series_quantile(size, degrees, 0.0);
        let mut lambda = central;
        for _ in 0..200 {
            // The quantile of the noncentral variable must equal the central one.
            lambda = central - (series_quantile(-power, degrees, lambda) - lambda);
        }
        return lambda;
    }
    let critical = quantile(degrees, TEST_SIZE);
    let (mut low, mut high) = (0.0, 16.0 + 8.0 * degrees.sqrt());
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if noncentral_survival(degrees, middle, critical) < TEST_POWER {
            low = middle
        } else {
            high = middle
        }
    }
    high
}

/// The value that a chi-square variable with this many degrees of freedom exceeds with probability
/// `tail`, which must be at least 1/1000; found by bisection.
fn quantile(degrees: f64, tail: f64) -> f64 {
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

/// The probability that the noncentral variable exceeds x. It is a mixture of central variables
/// with 2 j more degrees, where j has Poisson's law with mean lambda / 2. Two more degrees of
/// freedom add y^a e^-y / Gamma(a + 1) to the tail, where y = x / 2 and a is half the degrees, so
/// all terms are positive and can be computed one from the other.
fn noncentral_survival(degrees: f64, lambda: f64, x: f64) -> f64 {
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
    use super::super::OutcomeLaw;
    use super::super::bias::tests::modulo;
    use super::*;

    /// For W words modulo n, D = r (n - r) / W^2 with r = W mod n.
    #[test]
    fn words_modulo_n_are_detected() {
        for words in [1u64, 2, 7, 16, 100, 256] {
            for n in 1..=40u64 {
                let bias = modulo(words, n);
                let r = words % n;
                let share = r * (n - r);
                if r == 0 {
                    assert_eq!(bias.detect(), Detection::Never);
                    assert_eq!(bias.detect_best(), Detection::Never);
                }
                if let Detection::Results(results) = bias.detect() {
                    let degrees = (n - 1) as f64;
                    let (lambda, error) = (noncentrality(degrees), noncentrality_error(degrees));
                    let [low, lambda] = [1.0 - error, 1.0 + error]
                        .map(|factor| Rational::from_float(lambda * factor).unwrap());
                    let d = Rational::new(share.into(), (words * words).into());
                    let results = Rational::from_integer(results);
                    assert!(&results * &d >= low && (results - Rational::one()) * d < lambda);
                }
            }
        }
    }

    #[test]
    fn one_face_of_four_is_seen_too_soon() {
        let one = OutcomeLaw::of_probabilities([Rational::one()]).unwrap();
        let bias = Bias::new(&one, 4);
        assert_eq!(bias.detect(), Detection::BelowAsymptotics);
    }

    /// Even beyond the range of doubles, lambda grows like the square root of n: with 4 times as
    /// many outcomes and a sixteenth of the distance, 32 times as many results are needed.
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
            // In the next case 2^(2 bits) is 16 times as large, and lambda twice as large, as far
            // as the digits are known.
            let (next, before) = (results(bits + 2), results(bits));
            let apart: BigInt = &next - (&before << 5);
            // The value of one unit of a number's last digit that is not 0.
            let unit = |of: &BigInt| {
                let text = of.to_string();
                let zeros = text.len() - text.trim_end_matches('0').len();
                BigInt::from(10).pow(zeros as u32)
            };
            let most: BigInt = unit(&next) + (unit(&before) << 5);
            assert!(*apart.magnitude() <= *most.magnitude(), "{bits}");
        }
        let few = Rational::new(BigInt::one(), BigInt::from(3));
        assert_eq!(
            detection_of_fair(few, BigInt::one() << 20_000),
            Detection::BelowAsymptotics
        );
    }

    /// D = r (n - r) / W^2; lambda was computed by mpmath 1.3 with 40 digits: 23.181828695166 for 6
    /// degrees, and the series for 10^7 - 1 degrees.
    #[test]
    fn all_digits_are_right() {
        let bias = |bits: u32, n: u64| {
            let law = OutcomeLaw::of_words(1u64 << bits, n);
            Bias::new(&law, n).detect()
        };
        assert_eq!(bias(16, 7), Detection::Results(9_956_519_611u64.into()));
        assert_eq!(
            bias(32, 10_000_000),
            Detection::Results(11_914_726_601u64.into())
        );
        let ratio = |p: u64| Rational::new(p.into(), 10.into());
        assert_eq!(
            common_digits(&ratio(123_451), &ratio(123_459)),
            12_346.into()
        );
        assert_eq!(
            common_digits(&ratio(123_449), &ratio(123_459)),
            12_350.into()
        );
    }

    fn detection_of_fair(distance: Rational, sides: BigInt) -> Detection {
        detection(distance, &sides, &Rational::new(1.into(), sides.clone()))
    }

    /// Solved in mpmath 1.3 with 40 digits. For 1 degree, a normal variable of mean sqrt(lambda) is
    /// beyond +-2.5758 with probability 0.9 (Cohen 1988, Statistical Power Analysis, prints 14.88).
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
            (30_000.0, 895.4816725833),
            (100_000.0, 1625.2455364332),
        ] {
            let found = noncentrality(degrees);
            let error = noncentrality_error(degrees).max(1e-13);
            assert!((found / lambda - 1.0).abs() < error, "{degrees}: {found}");
        }
        // The two methods agree at the number of degrees where one replaces the other.
        let (below, above) = (noncentrality(19_999.0), noncentrality(20_000.0));
        assert!(
            above > below && (above / below - 1.0).abs() < 3e-5,
            "{below} {above}"
        );
        assert!(noncentrality(1e9) > noncentrality(1e8));
    }
}
