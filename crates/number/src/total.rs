//! Sums of many reals.

use super::budget::spend;
use super::enclosure::Enclosure;
use super::reduce::sum;
use super::{BigInt, Rational, Real};
use num_traits::Zero;
use std::collections::{BTreeMap, BTreeSet};

/// The sum is not computed exactly if the denominators of its different terms together have more
/// than this many bits.
const MAX_DENOMINATOR_BITS: u64 = 1 << 14;

/// Returns the number of leading terms that can be added exactly: they are exact, and their
/// denominators are small together.
pub fn exact_terms(terms: &[Real]) -> usize {
    let (mut known, mut bits) = (BTreeSet::<&Rational>::new(), 0);
    let exact = terms.iter().map_while(Real::exact);
    let small = exact.take_while(|term| {
        if known.insert(term) {
            bits += term.denom().bits();
        }
        bits <= MAX_DENOMINATOR_BITS
    });
    small.count()
}

/// The sum of exact terms, as a fraction.
pub fn exact_total(terms: &[Real]) -> Rational {
    let mut exact = BTreeMap::<&Rational, u64>::new();
    for term in terms.iter().filter_map(Real::exact) {
        *exact.entry(term).or_default() += 1;
    }
    let times = |(term, times): (&Rational, u64)| term * BigInt::from(times);
    sum(&exact.into_iter().map(times).collect::<Vec<_>>())
}

/// Adds the terms; the sum is exact if all terms are exact and the fraction stays small.
pub fn total(terms: &[Real]) -> Real {
    if exact_terms(terms) == terms.len() {
        return Real::Exact(exact_total(terms));
    }
    if let Some(undefined) = terms.iter().find(|x| matches!(x, Real::Undefined(_))) {
        return undefined.clone();
    }
    let terms = terms.to_vec();
    let more = 65 - (terms.len() as u64).leading_zeros() as u64;
    Real::enclosed(move |bits| {
        let mut sum = Enclosure::of_rational(&Rational::zero(), bits + more);
        for term in &terms {
            sum = sum.plus(&term.enclose(bits + more).coarsen(bits + more + 4));
        }
        debug_assert!(sum.is_within(bits));
        sum
    })
}

/// Computes floor(2^100 p / q), for p and q of at most 2^64.
pub fn ratio_units(p: u128, q: u128) -> u128 {
    let (high, rest) = ((p << 63) / q, (p << 63) % q);
    (high << 37) + (rest << 37) / q
}

/// Adds fractions p / q, p < q <= 2^64, at most 2^32 of them. A sum of few terms is exact if the
/// fraction stays small. Otherwise the sum is enclosed: in machine words up to 60 bits. Cost: a few
/// divisions per term.
pub fn ratio_total<I: Iterator<Item = (u128, u128)>>(
    ratios: impl Fn() -> I + Send + Sync + 'static,
) -> Real {
    const MAX_EXACT_TERMS: usize = 4096;
    let few = ratios().filter(|(p, _)| *p > 0).take(MAX_EXACT_TERMS + 1);
    let few = few.map(|(p, q)| Real::Exact(Rational::new(p.into(), q.into())));
    let few: Vec<Real> = few.collect();
    if few.len() <= MAX_EXACT_TERMS {
        return total(&few);
    }
    Real::cached(move |bits| {
        let (mut sum, mut count, work) = (BigInt::zero(), 0u64, bits.max(60) + 40);
        if work == 100 {
            let mut units = 0;
            for (p, q) in ratios() {
                units += ratio_units(p, q);
                count += 1;
                spend(30);
            }
            sum = units.into();
        } else {
            for (p, q) in ratios() {
                sum += (BigInt::from(p) << work) / q;
                count += 1;
                spend(200);
            }
        }
        let high = &sum + count;
        Enclosure {
            low: sum,
            high,
            bits: work,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The enclosure of the sum of 5000 terms contains their exact sum.
    #[test]
    fn sums_of_ratios_are_exact() {
        let ratios = || (2..5002u128).map(|i| ((1 << 64) % i, i));
        let terms = ratios().map(|(p, q)| Rational::new(p.into(), q.into()));
        let exact: Rational = sum(&terms.collect::<Vec<_>>());
        let found = ratio_total(ratios);
        for bits in [10, 64, 200] {
            let near = found.enclose(bits);
            assert!(near.is_within(bits) && near.contains(&exact), "{bits}");
        }
        let few = ratio_total(|| [(1, 3), (0, 1), (1, 1 << 64)].into_iter());
        assert!(few.exact().is_some());
    }

    /// The sum 1/1 + 1/2 + ... is exact while the fraction is short, and enclosed beyond that;
    /// equal terms count once.
    #[test]
    fn sums_of_fractions_are_exact() {
        let terms = |last: u64| -> Vec<Real> {
            let term = |i: u64| Real::Exact(Rational::new(1.into(), i.into()));
            (1..=last).map(term).collect()
        };
        for last in [1, 2, 100, 3000] {
            let exact = (1..=last).map(|i| Rational::new(1.into(), i.into()));
            let exact: Rational = sum(&exact.collect::<Vec<_>>());
            let found = total(&terms(last));
            assert_eq!(found.exact().is_some(), last < 3000);
            assert!(found.enclose(70).contains(&exact) && found.enclose(70).is_within(70));
        }
        let many = vec![Real::Exact(Rational::new(11.into(), 3.into())); 10_000];
        assert_eq!(total(&many), Rational::new(110_000.into(), 3.into()));
        assert_eq!(total(&[]), Rational::zero());
    }
}
