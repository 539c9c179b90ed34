//! The p-value of the exact multinomial test ([`super::fairness`]) for counts that a fair die hardly ever shows, where 1 less
//! the probability of what is inside would take long numbers.
//!
//! The counts outside, those that are no more likely, are enumerated themselves if they are few: in descending order, from
//! all rolls on one face on; a branch ends where even the most uneven counts of the other faces are inside. Each is worth
//!
//! ```text
//! n! / prod k_i!  series of rolls of m^n,  times m! / prod r_j!  orders, r_j faces with one count
//! ```
//!
//! and a product of factorials over another is one of powers of primes (Legendre's formula). Where they are many, the
//! p-value lies between the probability of those seen in any order, and that of those seen times C(n + m - 1, m - 1), the
//! number of all counts.

use super::fairness::{FaceCounts, Logs, factorials, product};
use flipcost_number::budget::{spend, spend_on};
use flipcost_number::reduce::reduce;
use flipcost_number::sieve::primes_up_to;
use flipcost_number::{BigUint, Rational};
use num_traits::One;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Counts are rare below 2 to this power of 1/2, by the upper end.
const RARE: f64 = 200.0;
/// All series of rolls are at most 2 to this.
const MOST_BITS: f64 = 3e6;
/// The bits of all counts outside together.
const ALL_BITS: f64 = 5e7;
const MOST_OUTSIDE: f64 = 20_000.0;
const MOST_PLACES: u64 = 1_000_000;

impl FaceCounts {
    /// Is the p-value surely below 2^-200?
    pub(super) fn is_rare(&self) -> bool {
        let (n, m) = (self.rolls(), self.counts().len() as u64);
        let logs = Logs::up_to(n);
        let of = |k: u64| (logs.of[k as usize] >> 32) as f64 / 2f64.powi(32);
        let seen: f64 = self.counts().iter().map(|&k| of(k)).sum();
        let series = n as f64 * (m as f64).log2() + seen - of(n);
        // C(n + m - 1, m - 1) is at most (2e (n + m) / m)^m
        let all = m as f64 * (5.5 * (n + m) as f64 / m as f64).log2();
        series - all > RARE
    }

    /// The p-value, if the counts outside are few.
    pub(super) fn rare_p_value(&self) -> Option<Rational> {
        let (n, m) = (self.rolls(), self.counts().len() as u64);
        let bits = n as f64 * (m as f64).log2();
        if bits > MOST_BITS {
            return None;
        }
        let most = (ALL_BITS / bits).clamp(20.0, MOST_OUTSIDE) as usize;
        let outside = Outside::enumerate(self, most)?;
        let series = outside.iter().map(|counts| {
            spend(bits as u64 * 8);
            series(counts) * orders(counts)
        });
        let series: BigUint = series.sum();
        Some(reduce(&series, &power(m, n)))
    }

    /// Two ends of the p-value: 1 at most.
    pub(super) fn rare_range(&self) -> [Rational; 2] {
        let (n, m) = (self.rolls(), self.counts().len() as u64);
        let (seen, all) = (series(self.counts()), power(m, n));
        let every = product(n + 1..n + m) / product(1..m);
        let [low, high] = [&seen * orders(self.counts()), seen * every];
        // rounded outwards to some 100 bits: in lowest terms they would take long
        let part = |series: BigUint, up: u8| {
            let shift = (all.bits() + 100).saturating_sub(series.bits());
            let quotient = (series << shift) / &all + up;
            Rational::new(quotient.into(), (BigUint::one() << shift).into()).min(Rational::one())
        };
        [part(low, 0), part(high, 1)]
    }
}

fn power(m: u64, n: u64) -> BigUint {
    let bits = n * u64::from(u64::BITS - m.leading_zeros());
    spend_on(bits, bits);
    BigUint::from(m).pow(n as u32)
}

/// The exponent of a prime in k!.
fn legendre(prime: u64, mut k: u64) -> u64 {
    let mut sum = 0;
    while k > 0 {
        k /= prime;
        sum += k;
    }
    sum
}

/// How many series of rolls have these counts: n! / prod k_i!.
fn series(counts: &[u64]) -> BigUint {
    let n = counts.iter().sum();
    let mut alike: BTreeMap<u64, u64> = BTreeMap::new();
    counts
        .iter()
        .for_each(|&k| *alike.entry(k).or_default() += 1);
    let primes = primes_up_to(n).into_iter().filter_map(|prime| {
        let below: u64 = alike
            .iter()
            .map(|(&k, &faces)| faces * legendre(prime, k))
            .sum();
        let exponent = legendre(prime, n) - below;
        (exponent > 0).then(|| BigUint::from(prime).pow(exponent as u32))
    });
    of_all(&primes.collect::<Vec<_>>())
}

/// The product, by halves.
fn of_all(factors: &[BigUint]) -> BigUint {
    match factors {
        [] => BigUint::one(),
        [one] => one.clone(),
        many => {
            let (left, right) = many.split_at(many.len() / 2);
            let (left, right) = (of_all(left), of_all(right));
            spend_on(left.bits(), right.bits());
            left * right
        }
    }
}

/// In how many orders the faces can have these counts.
fn orders(counts: &[u64]) -> BigUint {
    let mut alike: BTreeMap<u64, u64> = BTreeMap::new();
    counts
        .iter()
        .for_each(|&k| *alike.entry(k).or_default() += 1);
    series(&alike.into_values().collect::<Vec<_>>())
}

/// The enumeration of counts in descending order that are no more likely than those seen.
struct Outside<'a> {
    seen: &'a FaceCounts,
    logs: Logs,
    bound: u128,
    counts: Vec<u64>,
    found: Vec<Vec<u64>>,
    most: usize,
    places: u64,
}

impl Outside<'_> {
    /// All of them, `None` if there are more than `most`.
    fn enumerate(seen: &FaceCounts, most: usize) -> Option<Vec<Vec<u64>>> {
        let logs = Logs::up_to(seen.rolls());
        let mut outside = Outside {
            seen,
            bound: seen.counts().iter().map(|&k| logs.of[k as usize]).sum(),
            logs,
            counts: Vec::new(),
            found: Vec::new(),
            most,
            places: MOST_PLACES,
        };
        outside.walk(seen.rolls(), seen.rolls(), 0)?;
        Some(outside.found)
    }

    /// With so many rolls left, none of the other counts above `highest`, and such a sum of logarithms.
    fn walk(&mut self, rolls: u64, highest: u64, logs: u128) -> Option<()> {
        self.places = self.places.checked_sub(1)?;
        let left = (self.seen.counts().len() - self.counts.len()) as u64;
        if left == 0 {
            return self.add(logs);
        }
        for k in (rolls.div_ceil(left)..=rolls.min(highest)).rev() {
            let logs = logs + self.logs.of[k as usize];
            // the most uneven: as many faces as can have k, too, and one the rest
            let rest = rolls - k;
            let uneven = match rest.checked_div(k) {
                None => 0,
                Some(full) => {
                    u128::from(full) * self.logs.of[k as usize] + self.logs.of[(rest % k) as usize]
                }
            };
            if logs + uneven + self.logs.slack() < self.bound {
                break;
            }
            self.counts.push(k);
            let done = self.walk(rest, k, logs);
            self.counts.pop();
            done?;
        }
        Some(())
    }

    fn add(&mut self, logs: u128) -> Option<()> {
        let seen = self.seen.counts();
        let inside = if logs.abs_diff(self.bound) <= self.logs.slack() {
            factorials(&self.counts, seen) == Ordering::Less
        } else {
            logs < self.bound
        };
        if !inside {
            self.found.push(self.counts.clone());
        }
        (self.found.len() <= self.most).then_some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All that is outside, counted among all series, and against what is inside; the ends are about it.
    #[test]
    fn outside_is_what_is_not_inside() {
        for counts in [
            vec![9, 0, 0],
            vec![0, 7, 1, 1],
            vec![40, 2],
            vec![3, 3, 3, 12],
            vec![1, 30, 4, 0, 2, 2],
            vec![5, 5, 5],
        ] {
            let seen = FaceCounts::new(counts.clone()).unwrap();
            let p = seen.rare_p_value().unwrap();
            assert_eq!(seen.p_value().unwrap().exact(), Some(&p), "{counts:?}");
            let [low, high] = seen.rare_range();
            assert!(low <= p && p <= high, "{counts:?}");
        }
        // 3 of 3^3900, and 2 of 2^20000
        for (counts, p) in [
            (vec![3900, 0, 0], (3u8, 3899)),
            (vec![20_000, 0], (2, 19_999)),
        ] {
            let seen = FaceCounts::new(counts).unwrap();
            let all = BigUint::from(p.0).pow(p.1);
            assert!(seen.is_rare());
            let expected = Rational::new(1.into(), all.into());
            assert_eq!(seen.p_value().unwrap().exact(), Some(&expected));
        }
    }

    /// Too many outside to be enumerated: near ends, as logarithms are.
    #[test]
    fn ends_of_rare_counts() {
        let seen = FaceCounts::new(vec![60_000, 20_000, 20_000, 20_000]).unwrap();
        assert!(seen.is_rare() && seen.p_value().is_none());
        let [low, high] = seen.p_value_range();
        let bits = |end: &Rational| end.denom().bits() - end.numer().bits();
        assert!(low < high && bits(&low) - bits(&high) < 60 && bits(&high) > 1000);
    }
}
