//! Do counts fit a law that is not fair? The exact multinomial test against any probabilities.
//!
//! The p-value is the probability, under the law, of all counts of as many results that are no more likely than those seen. With
//! weights w_i of sum W the counts k have n! prod w_i^(k_i) / k_i! of the W^n cases. Few counts are enumerated, and so is the
//! **power**, the probability that the counts of another law have a p-value of at most the size.
//!
//! For many counts two ends are found, as of a fair die (`fairness_range.rs`): e_i(k) = log2 k! - k log2(n w_i / W), less its
//! least value, is at least 0 and convex, and less likely counts have a larger sum E of them. With b_i(k) = floor(e_i(k) / w) a table
//! of doubles adds the products of v_i(k) = (n w_i / W)^k / k!, each over that of the mode floor(n w_i / W), by
//! rolls and by sums of b, face by face; E / w lies between that sum and m more. All terms are positive, so that each of
//! the operations is off by a part of 2^-53 at most, and what vanishes is below 2^-900. Over all counts the products sum to
//! (n^n / n!) times the scales of the modes, exactly.

use crate::fairness::Logs;
use flipcost::law::detection::{chi_square_tail, to_30_bits};
use flipcost_number::budget::spend;
use flipcost_number::{BigInt, BigUint, Rational, Real};
use num_traits::{One, ToPrimitive, Zero};

/// The most counts that are enumerated.
const MOST: u64 = 200_000;
/// The most bits of all of them together.
const MOST_BITS: u64 = 1 << 32;
/// The most results of a table, and about how many products it takes.
const MOST_RESULTS: u64 = 20_000;
const STEPS: f64 = 1e9;
const BUCKETS: f64 = 4096.0;

/// Counts of results beside a law.
#[derive(Clone, Debug)]
pub struct LawTest {
    /// How often each outcome came, of those that the law has.
    counts: Vec<u64>,
    weights: Vec<BigUint>,
    sum: BigUint,
    results: u64,
    /// Did an outcome come that the law never has?
    impossible: bool,
}

impl LawTest {
    /// Counts of outcomes with these weights, as many of both; one result at least.
    ///
    /// ```
    /// use flipcost_extraction::against::LawTest;
    /// // of 1:3 twice the first outcome: 1 of 16
    /// let test = LawTest::new(&[2, 0], &[1u8.into(), 3u8.into()]);
    /// assert_eq!(test.p_value().unwrap().to_string(), "1/16");
    /// ```
    pub fn new(counts: &[u64], weights: &[BigUint]) -> LawTest {
        let there = || {
            counts
                .iter()
                .zip(weights)
                .filter(|(_, weight)| !weight.is_zero())
        };
        LawTest {
            counts: there().map(|(count, _)| *count).collect(),
            weights: there().map(|(_, weight)| weight.clone()).collect(),
            sum: weights.iter().sum(),
            results: counts.iter().sum(),
            impossible: counts
                .iter()
                .zip(weights)
                .any(|(count, weight)| *count > 0 && weight.is_zero()),
        }
    }

    /// How many counts there are, if they are few enough.
    fn is_small(&self) -> bool {
        let (n, m) = (self.results, self.counts.len() as u64);
        let length = n.saturating_mul(self.sum.bits()) + 64;
        let mut all = 1u64;
        for i in 1..m {
            all = match all.checked_mul(n + i) {
                Some(product) => product / i,
                None => return false,
            };
            if all > MOST || all.saturating_mul(length) > MOST_BITS {
                return false;
            }
        }
        true
    }

    /// Calls with the cases of each counts under these weights, and under others.
    fn each_case(&self, others: &[BigUint], see: &mut dyn FnMut(&BigUint, &BigUint)) {
        let mut walk = Walk {
            laws: [&self.weights, others],
            see,
        };
        walk.go(0, self.results, [BigUint::one(), BigUint::one()]);
    }

    /// The cases of the counts seen.
    fn cases(&self) -> BigUint {
        let (mut left, mut cases) = (self.results, BigUint::one());
        for (count, weight) in self.counts.iter().zip(&self.weights) {
            cases *= choose(left, *count) * weight.pow(*count as u32);
            left -= count;
        }
        cases
    }

    /// The p-value; `None` where too many counts would be enumerated.
    pub fn p_value(&self) -> Option<Rational> {
        if self.impossible {
            return Some(Rational::zero());
        }
        if !self.is_small() {
            return None;
        }
        let (seen, mut sum) = (self.cases(), BigUint::zero());
        self.each_case(&self.weights, &mut |cases, _| {
            if *cases <= seen {
                sum += cases;
            }
        });
        Some(Rational::new(
            sum.into(),
            self.sum.pow(self.results as u32).into(),
        ))
    }

    /// How often a test of this size rejects the law for results of another, of as many outcomes; `None` as for the
    /// p-value, and where the other has outcomes that the law has not.
    pub fn power(&self, load: &[BigUint], size: &Rational) -> Option<Rational> {
        if self.impossible || !self.is_small() || load.len() != self.weights.len() {
            return None;
        }
        let mut all: Vec<(BigUint, BigUint)> = Vec::new();
        self.each_case(load, &mut |cases, others| {
            all.push((cases.clone(), others.clone()))
        });
        all.sort_unstable();
        let whole = self.sum.pow(self.results as u32);
        let most = (size * BigInt::from(whole)).floor().to_integer();
        let (mut below, mut power) = (BigUint::zero(), BigUint::zero());
        for equal in all.chunk_by(|a, b| a.0 == b.0) {
            below += equal.iter().map(|(cases, _)| cases).sum::<BigUint>();
            if BigInt::from(below.clone()) > most {
                break;
            }
            power += equal.iter().map(|(_, others)| others).sum::<BigUint>();
        }
        let sum: BigUint = load.iter().sum();
        Some(Rational::new(
            power.into(),
            sum.pow(self.results as u32).into(),
        ))
    }

    /// Two ends of the p-value, from 0 to 1 where they would not be near.
    pub fn p_value_range(&self) -> [Rational; 2] {
        self.by_buckets()
            .unwrap_or([Rational::zero(), Rational::one()])
    }

    fn by_buckets(&self) -> Option<[Rational; 2]> {
        let (n, m) = (self.results, self.weights.len());
        if n > MOST_RESULTS {
            return None;
        }
        let logs = Logs::up_to(n);
        let slack = 64 * i128::from(n) + 4096;
        let faces: Vec<Face> = self
            .weights
            .iter()
            .map(|weight| Face::new(weight, &self.sum, n, &logs))
            .collect();
        let seen: i128 = faces
            .iter()
            .zip(&self.counts)
            .map(|(face, count)| face.e(*count, &logs))
            .sum();
        let ranges: Vec<_> = faces
            .iter()
            .map(|face| face.range(seen + slack, n, &logs))
            .collect();
        let longest = ranges.iter().map(|range| range.end - range.start).max()?;
        let steps: f64 = ranges
            .iter()
            .map(|range| (range.end - range.start) as f64)
            .sum::<f64>()
            * n as f64;
        let buckets = (STEPS / steps).min(BUCKETS).floor();
        if buckets < 4.0 * m as f64 {
            return None;
        }
        let width = (seen + slack) / buckets as i128 + 1;
        let number = ((seen + slack) / width + 1) as usize;
        spend(steps as u64 * number as u64 / 8);
        let mut table = vec![0.0f64; (n as usize + 1) * number];
        table[0] = 1.0;
        for (face, range) in faces.iter().zip(&ranges) {
            let mut next = vec![0.0f64; table.len()];
            let values = face.values(range.clone());
            for (k, v) in range.clone().zip(values) {
                let by = (face.e(k, &logs).max(0) / width) as usize;
                if by >= number {
                    continue;
                }
                for rolls in 0..=(n - k) as usize {
                    let from = &table[rolls * number..(rolls + 1) * number - by];
                    let to = (rolls + k as usize) * number + by;
                    let to = &mut next[to..to + from.len()];
                    to.iter_mut()
                        .zip(from)
                        .for_each(|(to, from)| *to += from * v);
                }
            }
            table = next;
        }
        let row = &table[n as usize * number..];
        let sure = ((seen - slack) / width - m as i128).max(0) as usize;
        let whole = self.probability_of(&faces);
        let off = Rational::new(
            ((6 * longest + 10) * m as u64 + number as u64).into(),
            (1u64 << 52).into(),
        );
        let lost = Rational::new(BigInt::one(), BigInt::one() << 900);
        let inside = |many: usize| {
            let sum: f64 = row[..many.min(number)].iter().sum();
            Rational::from_float(sum).unwrap_or_default() / &whole
        };
        let (least, most) = (inside(sure), inside(number));
        let low = Rational::one() - (most * (Rational::one() + &off) + lost);
        let high = Rational::one() - least * (Rational::one() - off);
        Some([low.max(Rational::zero()), high.min(Rational::one())])
    }

    /// The sum of the products over all counts.
    fn probability_of(&self, faces: &[Face]) -> Rational {
        let n = BigUint::from(self.results);
        let (mut up, mut down) = (n.pow(self.results as u32), factorial(self.results));
        for (face, weight) in faces.iter().zip(&self.weights) {
            up *= factorial(face.mode) * self.sum.pow(face.mode as u32);
            down *= (weight * &n).pow(face.mode as u32);
        }
        Rational::new(up.into(), down.into())
    }

    /// The sum of (k - n p)^2 / (n p); `None` if an outcome came that the law never has.
    pub fn chi_square(&self) -> Option<Rational> {
        if self.impossible {
            return None;
        }
        let part = |(count, weight): (&u64, &BigUint)| {
            let expected = Rational::new((weight * self.results).into(), self.sum.clone().into());
            let apart = Rational::from_integer((*count).into()) - &expected;
            &apart * &apart / expected
        };
        Some(self.counts.iter().zip(&self.weights).map(part).sum())
    }

    /// The tail of chi-square, an approximation of the p-value.
    pub fn chi_square_tail(&self) -> f64 {
        match self
            .chi_square()
            .map(|statistic| statistic.to_f64().unwrap_or(f64::INFINITY))
        {
            Some(_) if self.counts.len() < 2 => 1.0,
            Some(statistic) => to_30_bits(chi_square_tail(self.counts.len() as u64 - 1, statistic)),
            None => 0.0,
        }
    }
}

/// An outcome of a table.
struct Face {
    /// log2 (n w / W) in units of 2^-64.
    log: i128,
    /// n w / W.
    mean: f64,
    mode: u64,
    /// log2 k! - k log2 (n w / W) for the mode, the least.
    least: i128,
}

impl Face {
    fn new(weight: &BigUint, sum: &BigUint, n: u64, logs: &Logs) -> Face {
        let log = Real::log(weight * n, 2)
            .minus(&Real::log(sum.clone(), 2))
            .enclose(66)
            .low();
        let unit: BigInt = BigInt::one() << 64;
        let log = (log * unit).floor().to_integer();
        let mut face = Face {
            log: log.to_i128().expect("a logarithm of a word"),
            mean: Rational::new((weight * n).into(), sum.clone().into())
                .to_f64()
                .expect("a double"),
            mode: (weight * n / sum).to_u64().expect("at most n"),
            least: 0,
        };
        face.least = face.e(face.mode, logs);
        face
    }

    fn e(&self, k: u64, logs: &Logs) -> i128 {
        logs.of[k as usize] as i128 - i128::from(k) * self.log - self.least
    }

    /// The counts with an e of at most this much.
    fn range(&self, most: i128, n: u64, logs: &Logs) -> std::ops::Range<u64> {
        let inside = |k: &u64| self.e(*k, logs) <= most;
        let below = (0..self.mode).rev().take_while(inside).last();
        let above = (self.mode..=n).take_while(inside).last();
        below.unwrap_or(self.mode)..above.map_or(self.mode + 1, |k| k + 1)
    }

    /// (n w / W)^k / k! over that of the mode.
    fn values(&self, range: std::ops::Range<u64>) -> Vec<f64> {
        let (mut down, mut v) = (Vec::new(), 1.0);
        for k in (range.start..self.mode).rev() {
            v *= (k + 1) as f64 / self.mean;
            down.push(v);
        }
        down.reverse();
        let mut v = 1.0;
        down.extend((self.mode..range.end).map(|k| {
            let here = v;
            v *= self.mean / (k + 1) as f64;
            here
        }));
        down
    }
}

struct Walk<'a> {
    laws: [&'a [BigUint]; 2],
    see: &'a mut dyn FnMut(&BigUint, &BigUint),
}

impl Walk<'_> {
    fn go(&mut self, face: usize, left: u64, cases: [BigUint; 2]) {
        spend(50 + cases[0].bits() / 16);
        let weights = self.laws.map(|law| &law[face]);
        if face + 1 == self.laws[0].len() {
            let [a, b] = cases;
            let power = |weight: &BigUint| weight.pow(left as u32);
            return (self.see)(&(a * power(weights[0])), &(b * power(weights[1])));
        }
        // C(left, k) w^k
        let mut factors = [BigUint::one(), BigUint::one()];
        for k in 0..=left {
            let next = [&cases[0] * &factors[0], &cases[1] * &factors[1]];
            self.go(face + 1, left - k, next);
            for (factor, weight) in factors.iter_mut().zip(weights) {
                *factor = &*factor * weight * (left - k) / (k + 1);
            }
        }
    }
}

fn factorial(n: u64) -> BigUint {
    crate::fairness::product(1..n + 1)
}

fn choose(n: u64, k: u64) -> BigUint {
    factorial(n) / (factorial(k) * factorial(n - k))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fairness::{FaceCounts, test_power};

    fn test(counts: &[u64], weights: &[u64]) -> LawTest {
        let weights: Vec<BigUint> = weights.iter().map(|weight| (*weight).into()).collect();
        LawTest::new(counts, &weights)
    }

    /// Of a fair law it is the test of a fair die, and so is its power.
    #[test]
    fn a_fair_law() {
        for counts in [&[3u64, 1, 0][..], &[5, 0, 2, 1], &[2, 2, 2], &[9, 1]] {
            let fair = test(counts, &vec![1; counts.len()]);
            let die = FaceCounts::new(counts.to_vec()).unwrap();
            assert_eq!(fair.p_value().as_ref(), die.p_value().unwrap().exact());
            assert_eq!(fair.chi_square(), Some(die.chi_square()));
            let mut load: Vec<BigUint> = vec![2u8.into(); counts.len()];
            load[0] = 7u8.into();
            let size = Rational::new(1.into(), 100.into());
            let power = test_power(&load, die.rolls(), &size).unwrap();
            assert_eq!(
                fair.power(&load, &size).as_ref(),
                power.exact(),
                "{counts:?}"
            );
        }
    }

    /// The ends of the table beside the enumeration, for laws whose outcomes are far from equal.
    #[test]
    fn the_table_encloses_the_enumeration() {
        for (counts, weights) in [
            (&[10u64, 20, 31][..], &[1u64, 2, 3][..]),
            (&[60, 1, 3], &[10, 1, 1]),
            (&[3, 4, 8, 4, 1], &[1, 4, 6, 4, 1]),
            (&[100, 150], &[1, 2]),
            (&[7, 0, 9], &[2, 0, 3]),
        ] {
            let test = test(counts, weights);
            let exact = test.p_value().unwrap();
            let [low, high] = test.by_buckets().unwrap();
            assert!(
                low <= exact && exact <= high,
                "{counts:?}: {low} {exact} {high}"
            );
            // of two outcomes single counts are likely, and a range holds some of them
            let outcomes = weights.iter().filter(|weight| **weight > 0).count();
            assert!(
                outcomes == 2 || &high - &low < Rational::new(1.into(), 10.into()),
                "{counts:?}: {low} {high}"
            );
        }
    }

    #[test]
    fn what_never_comes() {
        let test = test(&[1, 1], &[0, 3]);
        assert_eq!(
            (test.p_value(), test.chi_square()),
            (Some(Rational::zero()), None)
        );
    }
}
