//! Tests whether a die is fair, by its most unusual face and by Pearson's chi-square.
//!
//! In n rolls, the count of a face of probability p has the binomial law. The smaller of its two
//! tails says how unusual the count is: the tail is the probability of a count as small or smaller,
//! or as large or larger. **Theorem.** For m faces and any number t, the probability that a die
//! with these probabilities shows counts of which some tail is at most t is at most 2 m t. Proof:
//! for one face, either tail is at most t with probability at most t, and there are 2 m tails
//! (Bonferroni). So if t is the smallest tail that was observed, min(1, 2 m t) is a p-value, for
//! any number of rolls and any law.
//!
//! Tails are computed from the law of the number of trials until some succeed ([`Draws`]): at most
//! k of n trials succeed if and only if success number k + 1 comes after trial n. Among faces of
//! the same probability, only the smallest and the largest count matter.
//!
//! The tail of chi-square with d degrees of freedom is Q(d/2, y), where y is half the statistic.
//! With Q(1, y) = e^-y and Q(1/2, y) = erfc(sqrt y),
//!
//! ```text
//! Q(a + 1, y) = Q(a, y) + e^-y y^a / Gamma(a + 1)
//! erfc(sqrt y) = e^-y / sqrt(pi y) / (1 + v/(1 + 2v/(1 + 3v/(1 + ...)))),  v = 1/(2y)
//! ```
//!
//! whose terms are all positive. The rest of the continued fraction after k steps lies between 1
//! and 1 + (k + 1) v, which gives an enclosure. For small y, erfc is computed as 1 - erf.
//!
//! **Source.** Clopper & Pearson 1934, Biometrika 26, for the tails; Pearson 1900 for chi-square;
//! Abramowitz & Stegun, 6.5 and 7.1.14, for its tail.

use flipcost::law::Draws;
use flipcost_number::e_pi::pi;
use flipcost_number::exponential::{erf, exp};
use flipcost_number::scaled::Scaled;
use flipcost_number::{BigInt, BigUint, Enclosure, Rational, Real, ln};
use num_traits::{One, ToPrimitive, Zero};
use std::collections::BTreeMap;

/// If the fraction of a tail has more bits than this, the bound is not computed as an exact
/// fraction.
const MAX_EXACT_BITS: u64 = 10_000;
/// Two tails count as equal if this many bits do not separate their logarithms.
const SEPARATING_BITS: u64 = 128;
/// The smallest expected count of each outcome for which the asymptotic law is used.
const MIN_EXPECTED_COUNT: u64 = 5;

/// The number of times that each outcome of a law occurred.
///
/// ```
/// use flipcost_extraction::fairness::FaceCounts;
/// let seen = FaceCounts::from_fair_die(vec![3, 0]).unwrap();
/// assert_eq!(seen.most_unusual_face().at_most.to_string(), "1/2"); // 2 2 (1/2)^3
/// assert_eq!(seen.chi_square().unwrap().to_string(), "3");
/// assert_eq!(format!("{:.6}", seen.chi_square_p()), "0.083265"); // erfc(sqrt(3/2))
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaceCounts {
    counts: Vec<u64>,
    weights: Vec<BigUint>,
    weight_sum: BigUint,
    rolls: u64,
}

/// The face whose count is the most unusual.
#[derive(Clone, Debug)]
pub struct UnusualFace {
    /// The face, counted from 0; the first face if several are equally unusual.
    pub face: usize,
    /// An upper bound of the probability that any face is so unusual.
    pub at_most: Real,
    /// A number such that the bound is at most 2^-zeros.
    pub zeros: u64,
}

/// A tail of the count of a face.
struct Tail {
    face: usize,
    /// The law of the number of trials until enough of them succeed. The tail is the probability
    /// that more trials are needed than there were rolls; `None` if that is certain.
    law: Option<Draws>,
    log2: Real,
}

impl FaceCounts {
    /// The largest number of faces.
    pub const MAX_FACES: usize = 1000;
    /// The largest number of rolls.
    pub const MAX_ROLLS: u64 = 1_000_000_000_000;

    /// Makes the counts from 2 to 1000 faces with a weight for each face and 1 to 10^12 rolls;
    /// returns `None` for other numbers.
    pub fn new(counts: Vec<u64>, weights: Vec<BigUint>) -> Option<FaceCounts> {
        let mut counted = counts.iter();
        let rolls = counted.try_fold(0u64, |sum, count| sum.checked_add(*count))?;
        let weight_sum: BigUint = weights.iter().sum();
        let faces = (2..=Self::MAX_FACES).contains(&counts.len());
        let weighed = weights.len() == counts.len() && !weight_sum.is_zero();
        let rolled = (1..=Self::MAX_ROLLS).contains(&rolls);
        (faces && weighed && rolled).then_some(FaceCounts {
            counts,
            weights,
            weight_sum,
            rolls,
        })
    }

    /// Makes the counts as [`FaceCounts::new`] does, with the weights of a fair die.
    pub fn from_fair_die(counts: Vec<u64>) -> Option<FaceCounts> {
        let weights = vec![BigUint::one(); counts.len()];
        FaceCounts::new(counts, weights)
    }

    /// Returns the number of rolls.
    pub fn rolls(&self) -> u64 {
        self.rolls
    }

    /// Returns the count of each face.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Returns the weight of each face.
    pub fn weights(&self) -> &[BigUint] {
        &self.weights
    }

    /// Returns the first face that came although its weight is 0.
    pub fn impossible_face(&self) -> Option<usize> {
        let mut faces = self.counts.iter().zip(&self.weights);
        faces.position(|(count, weight)| *count > 0 && weight.is_zero())
    }

    /// Returns the face with the smallest tail, and the bound min(1, 2 m times this tail), as a
    /// fraction unless the fraction is long.
    pub fn most_unusual_face(&self) -> UnusualFace {
        if let Some(face) = self.impossible_face() {
            return UnusualFace {
                face,
                at_most: Real::integer(0),
                zeros: 0,
            };
        }
        // For each weight, the first face with the smallest count and the first face with the
        // largest count.
        let mut ends: BTreeMap<&BigUint, [usize; 2]> = BTreeMap::new();
        let possible = (0..self.counts.len()).filter(|face| !self.weights[*face].is_zero());
        // With two faces, both have the same tails.
        let looked_at = match possible.clone().count() {
            2 => 1,
            many => many,
        };
        for face in possible.take(looked_at) {
            let [least, most] = ends.entry(&self.weights[face]).or_insert([face, face]);
            if self.counts[face] < self.counts[*least] {
                *least = face;
            }
            if self.counts[face] > self.counts[*most] {
                *most = face;
            }
        }
        let mut tails: Vec<Tail> = ends
            .values()
            .flat_map(|[least, most]| [self.tail(*least, false), self.tail(*most, true)])
            .collect();
        tails.sort_by_key(|tail| tail.face);
        let mut least: Vec<Tail> = Vec::new();
        for tail in tails {
            let beside = |other: &Tail| {
                let apart = tail.log2.minus(&other.log2).enclose(SEPARATING_BITS);
                (apart.high < BigInt::ZERO, apart.low > BigInt::ZERO)
            };
            match least.first().map(beside) {
                Some((true, _)) | None => least = vec![tail],
                Some((_, true)) => {}
                Some(_) => least.push(tail),
            }
        }
        let face = least[0].face;
        let mut values = least.iter().map(|tail| self.probability(tail));
        let first = values.next().expect("there is a face");
        let value = values.fold(first, smaller_real);
        let faces = 2 * self.counts.len();
        let bound = value * Real::from(faces);
        let at_most = match bound.compare(1) {
            Ok(order) if order.is_lt() => bound,
            _ => Real::integer(1),
        };
        let log2 = least[0].log2.enclose(8).high();
        let zeros = (-log2).floor().to_integer().to_u64().unwrap_or(0);
        UnusualFace {
            face,
            at_most,
            zeros: zeros.saturating_sub(u64::from(faces.next_power_of_two().ilog2())),
        }
    }

    /// Returns a tail of the count of a face: the probability of at least the count if `upper`,
    /// otherwise of at most the count.
    fn tail(&self, face: usize, upper: bool) -> Tail {
        let weight = &self.weights[face];
        // The successes: rolls of the face, or rolls of all other faces.
        let (succeeds, most) = if upper {
            (&self.weight_sum - weight, self.rolls - self.counts[face])
        } else {
            (weight.clone(), self.counts[face])
        };
        let law = (most < self.rolls && !succeeds.is_zero()).then(|| {
            let p = Rational::new(succeeds.into(), self.weight_sum.clone().into());
            Draws::attempts(p, 1).repeat(most + 1)
        });
        let log2 = law.as_ref().map_or(Real::integer(0), |law| {
            let log2 = law
                .log2_sf(self.rolls)
                .expect("the probability of an attempt is not too small");
            log2.expect("more rolls may be needed")
        });
        Tail { face, law, log2 }
    }

    fn probability(&self, tail: &Tail) -> Real {
        let Some(law) = &tail.law else {
            return Real::integer(1);
        };
        let short = law.sf_up_to(self.rolls, MAX_EXACT_BITS);
        let short = short.expect("the probability of an attempt is not too small");
        short.map_or_else(
            || {
                law.sf(self.rolls)
                    .expect("the probability of an attempt is not too small")
            },
            Real::Exact,
        )
    }

    /// Returns Pearson's statistic, sum (k - n p)^2 / (n p); `None` if a face of weight 0 came.
    pub fn chi_square(&self) -> Option<Rational> {
        if self.impossible_face().is_some() {
            return None;
        }
        // sum k^2 / p = sum k^2 W / w; the statistic is this over n, minus n.
        let mut squares: BTreeMap<&BigUint, BigUint> = BTreeMap::new();
        for (count, weight) in self.counts.iter().zip(&self.weights) {
            if !weight.is_zero() {
                *squares.entry(weight).or_default() += BigUint::from(*count) * *count;
            }
        }
        let ratio = |(weight, sum): (&BigUint, BigUint)| {
            Rational::new((sum * &self.weight_sum).into(), weight.clone().into())
        };
        let sum: Rational = squares.into_iter().map(ratio).sum();
        let rolls = BigInt::from(self.rolls);
        Some(sum / &rolls - rolls)
    }

    /// Returns the asymptotic probability of a statistic at least as large, which is that of a
    /// chi-square variable whose degrees of freedom are one less than the number of outcomes.
    pub fn chi_square_p(&self) -> Real {
        let possible = self.weights.iter().filter(|weight| !weight.is_zero());
        match self.chi_square() {
            None => Real::integer(0),
            Some(statistic) => chi_square_tail(possible.count() as u64 - 1, &statistic),
        }
    }

    /// Returns whether the expected count of some outcome is below 5.
    pub fn is_below_asymptotics(&self) -> bool {
        let mut weights = self.weights.iter().filter(|weight| !weight.is_zero());
        weights.any(|weight| weight * self.rolls < &self.weight_sum * MIN_EXPECTED_COUNT)
    }
}

/// Returns the smaller of two numbers, even if no short enclosure separates them.
fn smaller_real(a: Real, b: Real) -> Real {
    if let (Real::Exact(a), Real::Exact(b)) = (&a, &b) {
        return Real::Exact(a.min(b).clone());
    }
    Real::enclosed(move |bits| {
        let [a, b] = [&a, &b].map(|x| x.enclose(bits + 2).coarsen(bits + 2));
        Enclosure {
            low: a.low.min(b.low),
            high: a.high.min(b.high),
            bits: bits + 2,
        }
    })
}

/// Returns the probability that a chi-square variable with this many degrees of freedom reaches a
/// statistic of at least 0.
fn chi_square_tail(degrees: u64, statistic: &Rational) -> Real {
    if degrees == 0 || statistic.is_zero() {
        return Real::integer(1);
    }
    let y = statistic / BigInt::from(2);
    if y.to_integer().bits() > 64 {
        return Real::enclosed(|bits| Enclosure {
            low: BigInt::ZERO,
            high: BigInt::one(),
            bits,
        });
    }
    let near = upper_gamma(degrees, &y, 16);
    let zeros = u64::try_from(-near.exponent - i128::from(near.high.bits())).unwrap_or(0);
    Real::cached(move |bits| {
        // The value is below 2^-zeros.
        let mut significant = (bits + 8).saturating_sub(zeros).max(16);
        loop {
            let value = upper_gamma(degrees, &y, significant).fixed(bits + 2);
            if value.is_within(bits) {
                return value;
            }
            significant += 32;
        }
    })
}

/// Returns Q(degrees/2, y) for y above 0, with about this many significant bits.
fn upper_gamma(degrees: u64, y: &Rational, significant: u64) -> Scaled {
    let bits = significant + 48;
    let falling = exp_of_negative(y, bits);
    let (up, down) = (y.numer().magnitude(), y.denom().magnitude());
    let is_even = degrees.is_multiple_of(2);
    // Start with Q(a, y) and e^-y y^a / Gamma(a + 1) for a = 1 or 1/2.
    let (mut sum, mut term) = if is_even {
        (falling.clone(), falling.times_ratio(up, down, bits))
    } else {
        let unit = 2 * bits + 2 * down.bits();
        let root = Enclosure::of_rational(y, unit)
            .over(&pi(unit))
            .and_then(|square| square.sqrt())
            .expect("y is above 0");
        let term = falling.times(&positive_scaled(root), bits);
        let twice = term.times_ratio(&2u8.into(), &One::one(), bits);
        (erfc_of_square_root(y, &falling, bits), twice)
    };
    for step in 1..=(degrees - 1) / 2 {
        sum = sum.plus(&term, bits);
        let next = 2 * step + 1 + u64::from(is_even); // 2 (a + 1)
        term = term.times_ratio(&(up * 2u8), &(down * next), bits);
    }
    sum
}

/// Returns erfc(sqrt y) for y above 0, given e^-y.
fn erfc_of_square_root(y: &Rational, falling: &Scaled, bits: u64) -> Scaled {
    let root = |x: &Enclosure| x.sqrt().expect("the argument is above 0");
    if let Some(most) = y.ceil().to_integer().to_u64()
        && most <= bits
    {
        // The result is above e^(-2 y) / 4.
        let unit = bits + 3 * most + 16;
        let one = Enclosure::of_rational(&One::one(), unit);
        return positive_scaled(one.minus(&erf(&root(&Enclosure::of_rational(y, unit)))));
    }
    let unit = bits + 64;
    let one = Enclosure::of_rational(&One::one(), unit);
    let v = (Rational::from_integer(2.into()) * y).recip();
    let times = |k: u64| Enclosure::of_rational(&(&v * BigInt::from(k)), unit);
    let mut steps = 8 + bits / 8;
    let fraction = loop {
        // The rest of the fraction is between 1 and 1 + (steps + 1) v.
        let mut fraction = Enclosure {
            low: one.low.clone(),
            ..one.plus(&times(steps + 1))
        };
        for k in (1..=steps).rev() {
            let quotient = times(k).over(&fraction);
            fraction = one.plus(&quotient.expect("the denominator is at least 1"));
        }
        if fraction.is_within(bits) {
            break fraction;
        }
        steps *= 2;
    };
    let width = unit + 2 * y.numer().bits();
    let square = Enclosure::of_rational(y, width).times(&pi(width));
    let all = root(&square).times(&fraction);
    let over = Enclosure::of_rational(&One::one(), width).over(&all);
    falling.times(
        &positive_scaled(over.expect("the denominator is above 0")),
        bits,
    )
}

/// Returns e^-y as 2^-m e^(m ln 2 - y), where m is the integral part of y / ln 2.
fn exp_of_negative(y: &Rational, bits: u64) -> Scaled {
    let unit = bits + 16 + y.ceil().numer().bits();
    let (near, two) = (
        Enclosure::of_rational(y, unit),
        ln(&Rational::from_integer(2.into()), unit).coarsen(unit),
    );
    let many = &near.low / &two.high;
    let rest = Enclosure {
        low: &two.low * &many,
        high: &two.high * &many,
        bits: unit,
    };
    let power = positive_scaled(exp(&rest.minus(&near)));
    Scaled {
        exponent: power.exponent - many.to_i128().expect("a number of rolls and weights"),
        ..power
    }
}

/// Converts an enclosure of a positive number.
fn positive_scaled(near: Enclosure) -> Scaled {
    let end = |end: BigInt| end.to_biguint().unwrap_or_default();
    Scaled {
        low: end(near.low),
        high: end(near.high),
        exponent: -i128::from(near.bits),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flipcost::law;

    /// Returns all possible counts of n rolls of a die with this many faces.
    fn all(n: u64, faces: usize) -> Vec<Vec<u64>> {
        if faces == 1 {
            return vec![vec![n]];
        }
        let with = |k: u64| {
            all(n - k, faces - 1).into_iter().map(move |mut rest| {
                rest.push(k);
                rest
            })
        };
        (0..=n).flat_map(with).collect()
    }

    fn choose(n: u64, k: u64) -> BigUint {
        (1..=k).fold(BigUint::one(), |all, j| all * (n - k + j) / j)
    }

    /// Returns the sum of C(n, i) w^i (W - w)^(n - i) over W^n.
    fn binomial(n: u64, weight: u64, sum: u64, range: std::ops::RangeInclusive<u64>) -> Rational {
        let power = |x: u64, k: u64| BigUint::from(x).pow(k as u32);
        let (mut ways, mut all) = (BigUint::one(), BigUint::zero());
        for i in 0..=n {
            if range.contains(&i) {
                all += &ways * power(weight, i) * power(sum - weight, n - i);
            }
            ways = ways * (n - i) / (i + 1);
        }
        Rational::new(all.into(), power(sum, n).into())
    }

    fn big(weights: &[u64]) -> Vec<BigUint> {
        weights.iter().map(|weight| (*weight).into()).collect()
    }

    /// For all counts of few rolls, checks the bound against its definition, and checks the
    /// theorem: the probability of a face at least as unusual is at most the bound.
    #[test]
    fn the_bound_agrees_with_its_definition() {
        for (n, weights) in [
            (1, vec![1, 1]),
            (9, vec![1, 1]),
            (8, vec![1, 3]),
            (7, vec![1, 1, 1]),
            (8, vec![1, 2, 3]),
            (6, vec![1, 2, 1]),
            (5, vec![2, 1, 1, 4]),
            (6, vec![0, 1, 2]),
        ] {
            let (m, sum) = (weights.len(), weights.iter().sum());
            let least = |counts: &[u64]| {
                let tails = counts.iter().zip(&weights).flat_map(|(&k, &weight)| {
                    [0..=k, k..=n].map(|range| binomial(n, weight, sum, range))
                });
                tails.min().unwrap()
            };
            let probability = |counts: &[u64]| {
                let (mut left, mut all) = (n, BigUint::one());
                for (&k, &weight) in counts.iter().zip(&weights) {
                    all *= choose(left, k) * BigUint::from(weight).pow(k as u32);
                    left -= k;
                }
                Rational::new(all.into(), BigUint::from(sum).pow(n as u32).into())
            };
            let everything = all(n, m);
            for counts in &everything {
                let seen = FaceCounts::new(counts.clone(), big(&weights)).unwrap();
                let found = seen.most_unusual_face();
                let tail = least(counts);
                let bound = (&tail * BigInt::from(2 * m)).min(Rational::one());
                assert_eq!(
                    found.at_most.exact(),
                    Some(&bound),
                    "{counts:?} {weights:?}"
                );
                let (k, weight) = (counts[found.face], weights[found.face]);
                let of_face = [0..=k, k..=n].map(|range| binomial(n, weight, sum, range));
                assert_eq!(of_face.into_iter().min(), Some(tail.clone()));
                let unusual = everything.iter().filter(|other| least(other) <= tail);
                let all: Rational = unusual.map(|counts| probability(counts)).sum();
                assert!(all <= bound, "{counts:?} {weights:?}");
            }
        }
    }

    /// A d20 shows 20 seventeen times in 60 rolls. The bound is 40 P(17 or more of 60), which is
    /// below 1.49 * 10^-7.
    #[test]
    fn seventeen_twenties_of_a_d20_are_unusual() {
        let mut counts = vec![2u64; 20];
        (0..5).for_each(|face| counts[face] += 1);
        counts[19] = 17;
        let found = FaceCounts::from_fair_die(counts)
            .unwrap()
            .most_unusual_face();
        assert_eq!(found.face, 19);
        let exact = binomial(60, 1, 20, 17..=60) * BigInt::from(40);
        assert_eq!(found.at_most.exact(), Some(&exact));
        let units = (exact * BigInt::from(10).pow(9)).round().to_integer();
        assert_eq!(units, BigInt::from(149));
    }

    /// If the fraction is long, the bound is an enclosure, which contains the sum of the terms.
    #[test]
    fn long_bounds_are_enclosed() {
        for (counts, weights) in [
            (vec![600u64, 700, 700, 700, 700, 700], vec![1u64; 6]),
            (vec![2500, 2800], vec![1, 1]),
            (vec![1500, 1350, 4000], vec![2, 2, 5]),
        ] {
            let seen = FaceCounts::new(counts.clone(), big(&weights)).unwrap();
            let found = seen.most_unusual_face();
            assert!(found.at_most.exact().is_none());
            let sum = weights.iter().sum();
            let (k, weight) = (counts[found.face], weights[found.face]);
            let tails = [0..=k, k..=seen.rolls()];
            let tails = tails.map(|range| binomial(seen.rolls(), weight, sum, range));
            let bound = tails.into_iter().min().unwrap() * BigInt::from(2 * counts.len());
            for bits in [10, 100, 700] {
                let near = found.at_most.enclose(bits);
                assert!(near.is_within(bits) && near.contains(&bound), "{counts:?}");
            }
        }
    }

    /// Tests five million rolls, and ten billion rolls in which one face came ten million times too
    /// often.
    #[test]
    fn billions_of_rolls_have_a_bound() {
        let seen = FaceCounts::from_fair_die(vec![1_665_024, 1_667_012, 1_667_964]).unwrap();
        assert_eq!(
            format!("{:.5}", Real::from(seen.chi_square().unwrap())),
            "2.70041"
        );
        assert_eq!(format!("{:.5}", seen.chi_square_p()), "0.25919");
        // The count 1665024 is 1.559 standard deviations too low: the normal law gives 0.0596,
        // times six faces.
        let found = seen.most_unusual_face();
        assert_eq!(found.face, 0);
        assert!(found.at_most > Rational::new(1.into(), 3.into()));
        assert!(found.at_most < Rational::new(2.into(), 5.into()));
        let half = 5_000_000_000;
        let far = FaceCounts::from_fair_die(vec![half + 10_000_000, half - 10_000_000]).unwrap();
        let found = far.most_unusual_face();
        // By Hoeffding's bound, minus the logarithm of the tail is at least 2 (10^7)^2 / 10^10 =
        // 20000 nats; it is only slightly larger.
        assert!((28_853..28_880).contains(&found.zeros), "{}", found.zeros);
        let near = found.at_most.enclose(found.zeros + 100);
        let least = Rational::new(BigInt::one(), BigInt::one() << found.zeros);
        assert!(near.high() <= least && near.low() > least / BigInt::from(8));
    }

    /// If a face of weight 0 came, the rolls are impossible; if the face did not come, the face has
    /// no effect.
    #[test]
    fn a_face_of_weight_0_is_impossible_or_ignored() {
        let of = |counts: [u64; 2], weights| {
            let seen = FaceCounts::new(counts.to_vec(), big(weights)).unwrap();
            (
                seen.most_unusual_face(),
                seen.chi_square(),
                seen.chi_square_p(),
            )
        };
        let (found, statistic, p) = of([0, 1], &[1, 0]);
        assert_eq!((found.face, statistic), (1, None));
        assert!(found.at_most.is_zero() && p.is_zero());
        let (found, statistic, p) = of([3, 0], &[1, 0]);
        assert_eq!(statistic, Some(Rational::zero()));
        assert_eq!((found.at_most, p), (Real::integer(1), Real::integer(1)));
    }

    #[test]
    fn invalid_counts_of_faces_are_refused() {
        let most = FaceCounts::MAX_ROLLS;
        for counts in [
            vec![],
            vec![5],
            vec![0, 0],
            vec![u64::MAX, 1],
            vec![most, 1],
            vec![1; 1001],
        ] {
            assert_eq!(FaceCounts::from_fair_die(counts), None);
        }
        assert_eq!(FaceCounts::new(vec![1, 2], big(&[1, 2, 3])), None);
        assert_eq!(FaceCounts::new(vec![1, 2], big(&[0, 0])), None);
    }

    /// Compares the counts 17, 12, 20, 15, 18, 18 with another program.
    #[test]
    fn a_hundred_rolls_agree_with_another_program() {
        let seen = FaceCounts::from_fair_die(vec![17, 12, 20, 15, 18, 18]).unwrap();
        assert_eq!(seen.chi_square(), Some(Rational::new(59.into(), 25.into())));
        assert_eq!(format!("{:.4}", seen.chi_square_p()), "0.7974");
        assert_eq!(seen.most_unusual_face().at_most, Real::integer(1));
        assert!(!seen.is_below_asymptotics());
        assert!(
            FaceCounts::from_fair_die(vec![4; 6])
                .unwrap()
                .is_below_asymptotics()
        );
    }

    /// Compares with statrs, which computes to a relative error of 10^-9, and with published
    /// quantiles (Abramowitz & Stegun, table 26.8).
    #[test]
    fn tails_of_chi_square_agree_with_statrs_and_tables() {
        for degrees in [1u64, 2, 3, 4, 5, 9, 10, 99, 100, 999] {
            for times in [1u64, 3, 7, 12, 20, 40] {
                let statistic = Rational::new((degrees * times).into(), 8.into());
                let found = chi_square_tail(degrees, &statistic).to_f64().unwrap();
                let other = law::chi_square_tail(degrees, statistic.to_f64().unwrap());
                let apart = (found - other).abs();
                assert!(apart <= 1e-8 * other, "{degrees} {statistic}");
            }
        }
        for (degrees, quantile, tail) in [
            (1, "3.84146", "0.0500"),
            (2, "9.21034", "0.0100"),
            (5, "20.515", "0.0010"),
            (10, "15.9871", "0.1000"),
        ] {
            let quantile: Vec<&str> = quantile.split('.').collect();
            let scale = BigInt::from(10).pow(quantile[1].len() as u32);
            let digits: BigInt = quantile.concat().parse().unwrap();
            let found = chi_square_tail(degrees, &Rational::new(digits, scale));
            assert_eq!(format!("{found:.4}"), tail);
        }
        // This is far beyond the range of doubles, and beyond any number of rolls.
        let far = chi_square_tail(7, &Rational::from_integer(50_000.into()));
        assert_eq!(far.to_f64(), Ok(0.0));
        assert!(far.enclose(40_000).low() > Rational::zero());
        let furthest = Rational::from_integer(BigInt::one() << 5000);
        assert_eq!(chi_square_tail(7, &furthest).to_f64(), Ok(0.0));
    }

    /// The error function and the continued fraction give enclosures of the same number.
    #[test]
    fn both_formulas_of_erfc_agree() {
        for y in [20u64, 33, 47, 64] {
            let y = Rational::new((3 * y).into(), 2.into());
            let [fraction, series] =
                [24, 400].map(|bits| erfc_of_square_root(&y, &exp_of_negative(&y, bits), bits));
            assert!(fraction.is_within(16) && series.is_within(300), "{y}");
            let [fraction, series] = [fraction, series].map(|x| x.fixed(500));
            assert!(
                fraction.low <= series.high && series.low <= fraction.high,
                "{y}"
            );
        }
    }
}
