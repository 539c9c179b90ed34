//! The p-value of the exact multinomial test ([`super::fairness`]) where the counts are too many to be enumerated: two
//! ends between which it lies.
//!
//! With c = floor(n/m), e(k) = log2(k!/c!) - (k - c) log2(c + 1) is at least 0 and convex, and for counts of n rolls the sum
//! of the e(k_i) grows with prod k_i!: counts are inside where it is below that of the counts seen, E. With b(k) =
//! floor(e(k)/w) for buckets of width w the sum of the b(k_i) is at most the sum of the e(k_i)/w, and more than it less m.
//! So the probability that the sum of the b(k_i) is at most E/w - m, and that it is below E/w, are a lower and an upper end
//! of that of the counts inside. Both come from a table: how many rolls, and which sum of buckets, face by face.
//!
//! The table holds doubles. All terms are positive, so each operation is off by a part of at most 2^-53 of the result, and
//! what underflows is counted. Cost: m K S G for K counts a face, S sums of rolls, G buckets; G is as large as [`STEPS`]
//! allows. The ends are about m/G of E apart.

use super::fairness::{FaceCounts, Logs, product};
use crate::budget::{spend, spend_on};
use crate::number::enclosure::Enclosure;
use crate::number::{BigInt, BigUint, Rational};
use num_traits::{One, Zero};
use std::ops::RangeInclusive;

/// About so many products are made.
const STEPS: f64 = 4e9;
/// The most cells of the table.
const CELLS: f64 = 4e6;
/// The most buckets.
const BUCKETS: f64 = 8192.0;
/// What vanishes below the least double, at most 2^-1074 for each product, can grow K times with each face: to less than
/// 2^-150 in all if K^m is at most 2 to this.
const GROWTH: f64 = 800.0;

/// The counts of a face that can be inside: factors and buckets.
struct Face {
    first: u64,
    factors: Vec<f64>,
    buckets: Vec<usize>,
}

impl FaceCounts {
    /// Two ends between which [`FaceCounts::p_value`] lies, for more counts than can be enumerated, and any number of rolls;
    /// `None` where they would be far apart: for many faces.
    ///
    /// ```
    /// use flipcost::law::FaceCounts;
    /// let seen = FaceCounts::new(vec![170_500, 169_500, 170_000, 169_000, 171_000, 170_000]).unwrap();
    /// assert!(seen.p_value().is_none());
    /// let [low, high] = seen.p_value_range().unwrap();
    /// assert!(low < high);
    /// ```
    pub fn p_value_range(&self) -> Option<[Rational; 2]> {
        range(self, &Logs::up_to(self.rolls()))
    }
}

fn range(seen: &FaceCounts, logs: &Logs) -> Option<[Rational; 2]> {
    let (n, m) = (seen.rolls(), seen.counts().len() as u64);
    let c = n / m;
    let slack = logs.slack() as i128;
    let slope = (logs.of[c as usize + 1] - logs.of[c as usize]) as i128;
    // the sums of all faces have it in common: none is below 0 for all that is not known of the logarithms
    let lift = slack * (n as i128 + 1);
    let e = |k: u64| {
        let log = logs.of[k as usize] as i128 - logs.of[c as usize] as i128;
        log - (k as i128 - c as i128) * slope + lift
    };
    let all: i128 = seen.counts().iter().map(|&k| e(k)).sum();
    let outwards = |range: &mut dyn Iterator<Item = u64>| {
        range.take_while(|&k| e(k) <= all + 2 * slack).last()
    };
    let first = outwards(&mut (0..=c).rev())?;
    let last = outwards(&mut (c..=n)).unwrap_or(c);
    let counts = last - first + 1;
    // sums of rolls of j faces from which the rest can come: e of evenly spread counts is the least
    let even = |rolls: u64, faces: u64| match faces {
        0 => 0,
        _ => {
            let (each, more) = (rolls / faces, rolls % faces);
            let more_each = if more > 0 { e(each + 1) } else { 0 };
            (faces - more) as i128 * e(each) + more as i128 * more_each
        }
    };
    let reaches = |rolls: u64, faces: u64| {
        even(rolls, faces) + even(n - rolls, m - faces) <= all + 3 * m as i128 * lift
    };
    let sums = |faces: u64| -> RangeInclusive<u64> {
        let middle = (faces * n / m).min(n);
        let low = (0..=middle).rev().take_while(|&s| reaches(s, faces)).last();
        let high = (middle..=n).take_while(|&s| reaches(s, faces)).last();
        low.unwrap_or(middle)..=high.unwrap_or(middle)
    };
    let widest = sums(m / 2);
    let wide = (widest.end() - widest.start() + 1) as f64;
    spend(n * 4);
    let buckets = (STEPS / (m as f64 * counts as f64 * wide)).min(CELLS / wide);
    let buckets = buckets.min(BUCKETS) as usize;
    if buckets < 3 * m as usize || m as f64 * (counts as f64).log2() > GROWTH {
        return None;
    }
    let width = (all + slack) / buckets as i128 + 1;
    let face = {
        let ratio = |k: u64| n as f64 / (m * k) as f64;
        let mut up = vec![1.0];
        (c + 1..=last).for_each(|k| up.push(up[up.len() - 1] * ratio(k)));
        let mut down = vec![1.0];
        (first..c)
            .rev()
            .for_each(|k| down.push(down[down.len() - 1] / ratio(k + 1)));
        down.reverse();
        down.pop();
        Face {
            first,
            factors: [down, up].concat(),
            buckets: (first..=last).map(|k| (e(k) / width) as usize).collect(),
        }
    };
    let (rows, exponent) = table(&face, m, n, buckets, &sums);
    // certain where the sum of the e, less than that of the buckets and one for each face, is below E
    let certain = ((all - slack) / width - m as i128).clamp(-1, buckets as i128 - 1);
    let certain: f64 = rows[..(certain + 1) as usize].iter().sum();
    let possible: f64 = rows.iter().sum();
    // each factor is off by 2 units for a step from c, and what is made of it by one for each product and each sum,
    // those of the buckets at the end with them; twice as many are more than enough
    let off = (m * (8 * counts + 8) + buckets as u64) as f64 / (1u64 << 53) as f64;
    let vanished = 2f64.powi(-150);
    let low = Rational::from_float(certain * (1.0 - 2.0 * off))?;
    let high = Rational::from_float(possible * (1.0 + 2.0 * off) + vanished)?;
    // n!/m^n (m/n)^(n - mc) / c!^m, what the products of factors are to be multiplied by
    let up = BigInt::from(product(1..n + 1));
    let power = |x: BigUint, k: u64| {
        spend_on(x.bits() * k, x.bits() * k);
        x.pow(k as u32)
    };
    let down = power(m.into(), m * c) * power(n.into(), n - m * c) * power(product(1..c + 1), m);
    let down = BigInt::from(down);
    let probability = |part: Rational| {
        let (above, below) = (part.numer() * &up, part.denom() * &down);
        match exponent {
            0.. => Enclosure::of_ratio(&(above << exponent), &BigInt::zero(), &below, 80),
            _ => Enclosure::of_ratio(&above, &BigInt::zero(), &(below << -exponent), 80),
        }
    };
    let one = Rational::one();
    let ends = [
        &one - probability(high).high(),
        &one - probability(low).low(),
    ];
    Some(ends.map(|end| end.clamp(Rational::zero(), one.clone())))
}

/// The sums of products of factors for n rolls, by their sums of buckets, over a power of 2.
fn table(
    face: &Face,
    m: u64,
    n: u64,
    buckets: usize,
    sums: &dyn Fn(u64) -> RangeInclusive<u64>,
) -> (Vec<f64>, i64) {
    let mut exponent = 0;
    // no face: no roll, and no bucket
    let (mut start, mut rows) = (0, vec![vec![0.0; buckets]]);
    rows[0][0] = 1.0;
    for faces in 1..=m {
        let reached = if faces == m { n..=n } else { sums(faces) };
        let first = *reached.start();
        let mut next = vec![vec![0.0; buckets]; (reached.end() - first + 1) as usize];
        for (rolls, row) in (start..).zip(&rows) {
            let Some(least) = row.iter().position(|&value| value > 0.0) else {
                continue;
            };
            for (k, (factor, &bucket)) in (face.first..).zip(face.factors.iter().zip(&face.buckets))
            {
                let sum = rolls + k;
                if !reached.contains(&sum) || least + bucket >= buckets {
                    continue;
                }
                spend((buckets - least - bucket) as u64 / 2 + 2);
                let to = &mut next[(sum - first) as usize][least + bucket..];
                to.iter_mut()
                    .zip(&row[least..])
                    .for_each(|(to, value)| *to += factor * value);
            }
        }
        // none is 2 or more: by a power of 2, so exactly; and never made larger, nor is what vanished
        let most = next.iter().flatten().copied().fold(1.0, f64::max);
        let shift = (most.to_bits() >> 52) as i64 - 1023;
        if shift > 0 {
            let scale = f64::from_bits(((1023 - shift) as u64) << 52);
            next.iter_mut().flatten().for_each(|value| *value *= scale);
            exponent += shift;
        }
        (start, rows) = (first, next);
    }
    (rows.swap_remove(0), exponent)
}

#[cfg(test)]
mod tests {
    use super::*;

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
            let [low, high] = seen.p_value_range().unwrap();
            let exact = p.enclose(200);
            assert!(
                low <= exact.low() && exact.high() <= high,
                "{counts:?}: {low} {high}"
            );
            let apart = Rational::new(1.into(), apart.into());
            assert!(&high - &low <= apart, "{counts:?}: {:?} {:?}", low, high);
        }
    }

    /// All the same counts: every other is less likely.
    #[test]
    fn even_counts() {
        let [_, high] = FaceCounts::new(vec![20_000; 6])
            .unwrap()
            .p_value_range()
            .unwrap();
        assert!(high.is_one());
    }
}
