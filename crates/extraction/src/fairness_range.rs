//! The p-value of the exact multinomial test ([`super::fairness`]) where the counts are too many to be enumerated: two
//! ends between which it lies.
//!
//! With c = floor(n/m), e(k) = log2(k!/c!) - (k - c) log2(c + 1) is at least 0 and convex, and for counts of n rolls the sum
//! of the e(k_i) grows with prod k_i!: counts are inside where it is below that of the counts seen, E. With b(k) =
//! floor(e(k)/w) for buckets of width w the sum of the b(k_i) is at most the sum of the e(k_i)/w, and more than it less m.
//! So the probability that the sum of the b(k_i) is at most E/w - m, and that it is below E/w, are a lower and an upper end
//! of that of the counts inside. Both come from a table: how many rolls, and which sum of buckets, face by face.
//!
//! The table holds doubles. All terms are positive, so each operation is off by a part of at most 2^-53 of the result. What
//! vanishes below the least double, at most 2^-1074 for each product, is counted and grows with each further face as all
//! does, by the sum of its factors at most. Cost: m K S G for K counts a face, S sums of rolls, G buckets; G is as large as `STEPS`
//! allows. The ends are about m/G of E apart.

use super::fairness::{FaceCounts, Logs, balanced, product};
use flipcost::law::detection::{quantile, to_30_bits};
use flipcost_number::budget::{spend, spend_on};
use flipcost_number::{BigInt, BigUint, Rational};
use num_traits::{One, ToPrimitive, Zero};
use std::ops::RangeInclusive;

/// About so many products are made.
const STEPS: f64 = 4e9;
/// The most cells of the table.
const CELLS: f64 = 4e6;
/// The most buckets.
const BUCKETS: f64 = 8192.0;
/// In units of 2^-1074, less than 2^-150: no row has lost more.
const MOST_LOST: f64 = 1e278;

/// Counts of n rolls of a die of m faces by their sums of e, up to a limit, in buckets.
struct Buckets<'a> {
    logs: &'a Logs,
    n: u64,
    m: u64,
    /// Sums of e up to this one are counted.
    limit: i128,
    width: i128,
    number: usize,
    /// The counts of a face that can be in such a sum.
    counts: RangeInclusive<u64>,
}

/// Their probabilities for a die: a row of sums of products, times a number between `scale` and `scale` + 1, over a power of 2.
struct BucketProbabilities {
    sums: Vec<f64>,
    scale: BigInt,
    shift: i64,
    /// What a sum is off by at most, as a part of it.
    off: f64,
}

impl FaceCounts {
    /// Two ends between which [`FaceCounts::p_value`] lies, for more counts than can be enumerated, and any number of rolls;
    /// far apart, and no more than the probability of these counts and what it is at most, for many faces with many rolls.
    ///
    /// ```
    /// use flipcost_extraction::fairness::FaceCounts;
    /// let seen = FaceCounts::new(vec![170_500, 169_500, 170_000, 169_000, 171_000, 170_000]).unwrap();
    /// assert!(seen.p_value().is_none());
    /// let [low, high] = seen.p_value_range();
    /// assert!(low < high);
    /// ```
    pub fn p_value_range(&self) -> [Rational; 2] {
        let wide = || self.rare_range();
        if self.is_rare() {
            return wide();
        }
        let Some([low, high]) = self.by_buckets() else {
            return wide();
        };
        if high > Rational::new(1.into(), (1 << 20).into()) {
            return [low, high];
        }
        let [least, most] = wide();
        [low.max(least), high.min(most)]
    }

    /// `None` where they would be far apart.
    fn by_buckets(&self) -> Option<[Rational; 2]> {
        let (n, m) = (self.rolls(), self.counts().len() as u64);
        let logs = Logs::up_to(n);
        let all = self.counts().iter().map(|&k| e(&logs, n, m, k)).sum();
        let buckets = Buckets::new(&logs, n, m, all)?;
        let row = buckets.probabilities(&vec![BigUint::one(); m as usize])?;
        // certain where the sum of the e, less than that of the buckets and one for each face, is below that seen
        let slack = logs.slack() as i128;
        let certain = (all - slack) / buckets.width - i128::from(m);
        Some(row.outside([certain, buckets.number as i128 - 1]))
    }
}

/// Two ends between which [`super::fairness::test_power`] lies, where the counts are too many to be enumerated; `None` where they would be far
/// apart: for many faces.
///
/// With the sum B of the buckets of counts x and m faces, the counts with a sum of at most B - m - 1 are more likely than x, and
/// no others than those with at most B + m + 1. So x is rare, with a p-value of at most 1/100, if a fair die has those with 99/100 at
/// least, and is not if it has not even these. The power lies between the probabilities of both for the loaded die.
///
/// ```
/// use flipcost_number::Rational;
/// let load = [1u8, 1, 1, 1, 1, 2].map(Into::into);
/// let size = Rational::new(1.into(), 100.into());
/// let [low, high] = flipcost_extraction::fairness_range::test_power_range(&load, 30_000, &size).unwrap();
/// assert!(Rational::new(99.into(), 100.into()) < low && low < high);
/// ```
pub fn test_power_range(weights: &[BigUint], n: u64, size: &Rational) -> Option<[Rational; 2]> {
    let m = weights.len() as u64;
    let logs = Logs::up_to(n);
    let enough = Rational::one() - size;
    let even = vec![BigUint::one(); m as usize];
    // half of chi-square, in bits; a guess, which is made larger where it is too small
    let exceeded = to_30_bits(quantile((m - 1) as f64, (size.to_f64()? / 10.0).max(1e-3)));
    let guess = exceeded / std::f64::consts::LN_2 / 2.0 + 1.0;
    // the least sum: e is the same for c and c + 1
    let least = i128::from(m) * e(&logs, n, m, n / m);
    let guesses = (0..4).map(|k| least + ((guess * 1.3f64.powi(k)) * 2f64.powi(64)) as i128);
    for limit in guesses {
        let buckets = Buckets::new(&logs, n, m, limit)?;
        let apart = m as usize + 1;
        let last = buckets.number.checked_sub(apart + 1)?;
        if buckets.width < 4 * i128::from(m) * logs.slack() as i128 {
            return None;
        }
        let fair = buckets.probabilities(&even)?;
        // the first sum that surely is enough
        let mut ends = [0, last];
        if fair.inside(last as i128)[0] < enough {
            continue;
        }
        while ends[0] < ends[1] {
            let middle = (ends[0] + ends[1]) / 2;
            if fair.inside(middle as i128)[0] >= enough {
                ends[1] = middle
            } else {
                ends[0] = middle + 1
            }
        }
        let surely = ends[1] + apart;
        // the last sum that surely is not
        let mut ends = [0, ends[1] + 1];
        while ends[0] < ends[1] {
            let middle = (ends[0] + ends[1]) / 2;
            if fair.inside(middle as i128)[1] < enough {
                ends[0] = middle + 1
            } else {
                ends[1] = middle
            }
        }
        let surely_not = ends[0] as i128 - 1 - apart as i128;
        if surely + apart > buckets.number {
            continue;
        }
        let loaded = buckets.probabilities(weights)?;
        return Some(loaded.outside([surely_not, surely as i128 - 1]));
    }
    None
}

/// log2(k!/c!) - (k - c) log2(c + 1) with c = floor(n/m), in units of 2^-64, lifted so that none is below 0 for all that is not
/// known of the logarithms; the sums of all faces have that in common.
fn e(logs: &Logs, n: u64, m: u64, k: u64) -> i128 {
    let c = n / m;
    let slope = (logs.of[c as usize + 1] - logs.of[c as usize]) as i128;
    let log = logs.of[k as usize] as i128 - logs.of[c as usize] as i128;
    log - (k as i128 - c as i128) * slope + logs.slack() as i128 * (n as i128 + 1)
}

impl Buckets<'_> {
    /// `None` if they would be too few.
    fn new(logs: &Logs, n: u64, m: u64, limit: i128) -> Option<Buckets<'_>> {
        let c = n / m;
        let slack = logs.slack() as i128;
        let outwards = |range: &mut dyn Iterator<Item = u64>| {
            range
                .take_while(|&k| e(logs, n, m, k) <= limit + 2 * slack)
                .last()
        };
        let first = outwards(&mut (0..=c).rev())?;
        let last = outwards(&mut (c..=n)).unwrap_or(c);
        let mut buckets = Buckets {
            logs,
            n,
            m,
            limit,
            width: 0,
            number: 0,
            counts: first..=last,
        };
        let wide = buckets.sums(m / 2);
        let wide = (wide.end() - wide.start() + 1) as f64;
        spend(n * 4);
        let counts = (last - first + 1) as f64;
        let number = (STEPS / (m as f64 * counts * wide)).min(CELLS / wide);
        buckets.number = number.min(BUCKETS) as usize;
        if buckets.number < 3 * m as usize {
            return None;
        }
        buckets.width = (limit + slack) / buckets.number as i128 + 1;
        Some(buckets)
    }

    /// The rolls of so many faces from which the rest can come.
    fn sums(&self, faces: u64) -> RangeInclusive<u64> {
        let Buckets { logs, n, m, .. } = *self;
        let even = |rolls: u64, faces: u64| balanced(rolls, faces, |k| e(logs, n, m, k));
        let lift = logs.slack() as i128 * (n as i128 + 1);
        let reaches = |rolls: u64| {
            even(rolls, faces) + even(n - rolls, m - faces) <= self.limit + 3 * m as i128 * lift
        };
        let middle = (faces * n / m).min(n);
        let low = (0..=middle).rev().take_while(|&s| reaches(s)).last();
        let high = (middle..=n).take_while(|&s| reaches(s)).last();
        low.unwrap_or(middle)..=high.unwrap_or(middle)
    }

    /// The probabilities for a die with these weights.
    fn probabilities(&self, weights: &[BigUint]) -> Option<BucketProbabilities> {
        let Buckets { n, m, .. } = *self;
        let (first, last) = self.counts.clone().into_inner();
        let whole: BigUint = weights.iter().sum();
        let power = |x: &BigUint, k: u64| {
            spend_on(x.bits() * k, x.bits() * k);
            x.pow(k as u32)
        };
        // u(k) = (n a/A)^k / k! over its largest value between first and last; and n!/n^n times the product of these
        let (mut up, mut down, mut powers_of_n) = (product(1..n + 1), BigUint::one(), 0);
        let mut faces: Vec<FaceTerms> = Vec::new();
        let mut of: Vec<usize> = Vec::new();
        let mut known: Vec<&BigUint> = Vec::new();
        for weight in weights {
            let at = known.iter().position(|other| *other == weight);
            of.push(at.unwrap_or(known.len()));
            if at.is_none() {
                known.push(weight);
            }
        }
        for (i, weight) in known.into_iter().enumerate() {
            let many = of.iter().filter(|face| **face == i).count() as u64;
            let (a, all) = ((weight * n).to_f64()?, whole.to_f64()?);
            if !a.is_finite() || !all.is_finite() {
                return None;
            }
            let mode = (weight * n / &whole).to_u64()?.clamp(first, last);
            let ratio = |k: u64| a / (all * k as f64);
            let mut above = vec![1.0];
            (mode + 1..=last).for_each(|k| above.push(above[above.len() - 1] * ratio(k)));
            let mut below = vec![1.0];
            (first..mode)
                .rev()
                .for_each(|k| below.push(below[below.len() - 1] / ratio(k + 1)));
            below.reverse();
            below.pop();
            faces.push(FaceTerms([below, above].concat()));
            up *= power(weight, mode * many);
            down *= power(&whole, mode * many) * power(&product(1..mode + 1), many);
            powers_of_n += mode * many;
        }
        let n_power = power(&n.into(), n.abs_diff(powers_of_n));
        if powers_of_n >= n {
            up *= n_power
        } else {
            down *= n_power
        }
        let faces: Vec<&FaceTerms> = of.iter().map(|face| &faces[*face]).collect();
        let (sums, exponent) = self.table(&faces)?;
        let counts = last - first + 1;
        // each factor is off by 6 units for a step from the mode, what is made of it by one for each product and each sum, those of the
        // buckets at the end with them; twice as many are more than enough
        let off = (m * (16 * counts + 16) + self.number as u64) as f64 / (1u64 << 53) as f64;
        let shift = down.bits() as i64 + 200 - up.bits() as i64;
        let scale = match shift {
            0.. => (up << shift) / down,
            _ => up / (down << -shift),
        };
        Some(BucketProbabilities {
            sums,
            scale: scale.into(),
            shift: shift - exponent,
            off,
        })
    }

    /// The sums of products of factors for n rolls, by their sums of buckets, over a power of 2; `None` if too much vanishes.
    fn table(&self, faces: &[&FaceTerms]) -> Option<(Vec<f64>, i64)> {
        let (n, number) = (self.n, self.number);
        let buckets: Vec<usize> = self
            .counts
            .clone()
            .map(|k| (e(self.logs, n, self.m, k) / self.width) as usize)
            .collect();
        let (mut exponent, mut lost) = (0, 0.0);
        // no face: no roll, and no bucket
        let (mut start, mut rows) = (0, vec![vec![0.0; number]]);
        rows[0][0] = 1.0;
        for (i, face) in (1..).zip(faces) {
            let reached = if i == self.m { n..=n } else { self.sums(i) };
            let first = *reached.start();
            let mut next = vec![vec![0.0; number]; (reached.end() - first + 1) as usize];
            for (rolls, row) in (start..).zip(&rows) {
                let Some(least) = row.iter().position(|&value| value > 0.0) else {
                    continue;
                };
                for (k, (factor, &bucket)) in self.counts.clone().zip(face.0.iter().zip(&buckets)) {
                    let sum = rolls + k;
                    if !reached.contains(&sum) || least + bucket >= number {
                        continue;
                    }
                    spend((number - least - bucket) as u64 / 2 + 2);
                    let to = &mut next[(sum - first) as usize][least + bucket..];
                    to.iter_mut()
                        .zip(&row[least..])
                        .for_each(|(to, value)| *to += factor * value);
                }
            }
            // none is 2 or more: by a power of 2, so exactly but for what vanishes
            let most = next.iter().flatten().copied().fold(1.0, f64::max);
            let shift = (most.to_bits() >> 52) as i64 - 1023;
            if shift > 0 {
                let scale = f64::from_bits(((1023 - shift) as u64) << 52);
                next.iter_mut().flatten().for_each(|value| *value *= scale);
                exponent += shift;
            }
            // of a cell at most K products, each with its factor, which is off by K units, and a value below 2; and its shift
            let (cells, counts) = ((next.len() * number) as f64, face.0.len() as f64);
            let cells = cells * (4.0 * counts * counts + 1.0);
            let all: f64 = face.0.iter().sum();
            lost = (lost * all * 2f64.powi(-(shift.max(0) as i32)) + cells) * 1.001;
            (start, rows) = (first, next);
        }
        (lost < MOST_LOST).then(|| (rows.swap_remove(0), exponent))
    }
}

/// u(k) of a face for the counts that it can have, over the largest.
struct FaceTerms(Vec<f64>);

impl BucketProbabilities {
    /// The ends of the probability of sums of buckets up to this one; none below 0.
    fn inside(&self, last: i128) -> [Rational; 2] {
        let last = (last + 1).clamp(0, self.sums.len() as i128) as usize;
        let sum: f64 = self.sums[..last].iter().sum();
        let vanished = 2f64.powi(-150);
        let end = |part: f64, scale: &BigInt| {
            let part = Rational::from_float(part).expect("a sum of finitely many finite ones");
            match self.shift {
                0.. => Rational::new(part.numer() * scale, part.denom() << self.shift),
                _ => Rational::new((part.numer() * scale) << -self.shift, part.denom().clone()),
            }
        };
        [
            end(sum * (1.0 - 2.0 * self.off), &self.scale),
            end(sum * (1.0 + 2.0 * self.off) + vanished, &(&self.scale + 1)),
        ]
    }

    /// The ends of the probability of sums above one that is at least the first of these and at most the second.
    fn outside(&self, [low, high]: [i128; 2]) -> [Rational; 2] {
        let one = Rational::one();
        let [_, most] = self.inside(high);
        let [least, _] = self.inside(low);
        [&one - most, &one - least].map(|end| end.clamp(Rational::zero(), one.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size() -> Rational {
        Rational::new(1.into(), 100.into())
    }

    /// The exact p-value of counts that can be enumerated lies between the ends, and they are near.
    #[test]
    fn exact_p_values_lie_between_the_ends() {
        for (counts, apart) in [
            (vec![17, 12, 20, 15, 18, 18], 50),
            (vec![1, 0, 0, 0, 3, 0], 10),
            (vec![100, 130], 60),
            (vec![0, 30], 1000),
            (vec![30, 40, 35, 22], 100),
            (vec![230, 250, 199, 260, 210, 240], 50),
            (vec![2, 9, 5, 4, 7, 3, 6, 5, 4, 8, 1, 6], 50),
            (vec![1700, 1650, 1720], 100),
        ] {
            let seen = FaceCounts::new(counts.clone()).unwrap();
            let p = seen.p_value().unwrap();
            let [low, high] = seen.p_value_range();
            let exact = p.enclose(200);
            assert!(
                low <= exact.low() && exact.high() <= high,
                "{counts:?}: {low} {high}"
            );
            let apart = Rational::new(1.into(), apart.into());
            assert!(&high - &low <= apart, "{counts:?}: {:?} {:?}", low, high);
        }
    }

    /// The power where it can be enumerated lies between the ends, and they are near.
    #[test]
    fn exact_powers_lie_between_the_ends() {
        for (weights, n) in [
            (vec![1u8, 3], 100),
            (vec![2, 2, 2, 2, 2, 3], 100),
            (vec![1, 1, 1, 1, 1, 2], 150),
            (vec![4, 3, 2, 1], 60),
            (vec![7, 6, 6], 1000),
            (vec![1, 1], 2000),
        ] {
            let weights: Vec<BigUint> = weights.into_iter().map(BigUint::from).collect();
            let exact = crate::fairness::test_power(&weights, n, &size())
                .unwrap()
                .enclose(200);
            let [low, high] = test_power_range(&weights, n, &size()).unwrap();
            assert!(
                low <= exact.low() && exact.high() <= high,
                "{weights:?}: {low} {high}"
            );
            let apart = Rational::new(1.into(), 10.into());
            assert!(&high - &low <= apart, "{weights:?}: {low} {high}");
        }
    }

    /// A face that never comes shows in 200 rolls of a d20 nearly always; the power grows with the rolls.
    #[test]
    fn powers_of_many_rolls() {
        let mut load = vec![BigUint::from(2u8); 20];
        load[19] = 3u8.into();
        let [low, high] = test_power_range(&load, 210, &size()).unwrap();
        let [more, _] = test_power_range(&load, 2100, &size()).unwrap();
        assert!(low < high && high < more, "{low} {high} {more}");
        load[19] = BigUint::zero();
        let [low, _] = test_power_range(&load, 400, &size()).unwrap();
        assert!(low > Rational::new(1.into(), 2.into()), "{low}");
    }

    /// All the same counts: every other is less likely.
    #[test]
    fn even_counts() {
        let [_, high] = FaceCounts::new(vec![20_000; 6]).unwrap().p_value_range();
        assert!(high.is_one());
    }
}
