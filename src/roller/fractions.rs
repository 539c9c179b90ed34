//! E(n) in lowest terms for a range of n. Values that many n share are computed only once.
//!
//! E(2^k m) = k + E(m), so the fraction of every odd part m is computed only once. If the
//! denominators of several m share a factor, the numerators are tested together for a common
//! divisor with this factor (`src/roller/cyclotomic.rs`).

use super::cyclotomic::{Denominator, Words};
use super::divisors::{Divisor, OrderLookup, common_divisors, exact_quotient};
use super::half_open;
use super::numerator::odd_fraction;
use flipcost_number::order::{orbit, period};
use flipcost_number::reduce::from_words;
use flipcost_number::sieve::{Factors, OrderTable};
use flipcost_number::text::DecimalLimbs;
use flipcost_number::threads;
use num_rational::BigRational;
use std::ops::RangeInclusive;
use std::sync::OnceLock;

/// The expected flips of the optimal roller with a coin, in lowest terms, for every n of a range.
///
/// ```
/// use flipcost::roller::fractions::ExpectedFractions;
/// let all = ExpectedFractions::for_range(5..=8);
/// let (mut numerator, mut denominator) = (Vec::new(), Vec::new());
/// all.put_words(6, &mut numerator, &mut denominator);
/// assert_eq!((numerator, denominator), (vec![11], vec![3]));
/// ```
pub struct ExpectedFractions {
    /// The odd parts of the targets, in increasing order.
    odd: Vec<u64>,
    /// The numerators, in lowest terms.
    numerators: Vec<Words>,
    /// The denominators before reduction, each with the greatest common divisor of it and its
    /// numerator, which in most cases is 1.
    denominators: Vec<(Denominator, Divisor)>,
    /// Numerators and denominators in decimals, if they are requested.
    decimals: OnceLock<Vec<(DecimalLimbs, DecimalLimbs)>>,
}

impl ExpectedFractions {
    /// Computes the fractions on all threads of the pool. Cost: for each odd part O(p / 64) word
    /// operations, and O(b^2 / 64) for each value Phi_d(2), of b bits, that divides a denominator;
    /// memory: the fractions of the odd parts, at least p bits for each.
    ///
    /// # Panics
    /// If the range holds 0.
    pub fn for_range(range: RangeInclusive<u64>) -> ExpectedFractions {
        let range = half_open(range);
        if range.is_empty() {
            return ExpectedFractions {
                odd: Vec::new(),
                numerators: Vec::new(),
                denominators: Vec::new(),
                decimals: OnceLock::new(),
            };
        }
        assert!(range.start > 0, "a target has at least 1 side");
        let mut odd: Vec<u64> = range.clone().map(|n| n >> n.trailing_zeros()).collect();
        odd.sort_unstable();
        odd.dedup();
        let table = (range.end <= OrderTable::MAX_LIMIT && range.end / 64 <= odd.len() as u64)
            .then(|| OrderTable::new(2, range.end - 1));
        let orbit_of = |m| (table.as_ref()).map_or_else(|| orbit(2, m), |table| table.orbit(m));
        let fractions = threads::map_of(&odd, &|&m| odd_fraction(m, orbit_of(m)));
        let factors = |n| match &table {
            Some(table) => table.factors(n),
            None => Factors::factorize(n),
        };
        let order = |r| (table.as_ref()).map_or_else(|| period(2, r), |table| table.period(r));
        let known = OrderLookup {
            factors: &factors,
            order: &order,
        };
        let divisors = common_divisors(&fractions, known);
        let (mut numerators, denominators): (Vec<Words>, Vec<Denominator>) =
            fractions.into_iter().unzip();
        threads::change(&mut numerators, 64, &|first, part| {
            for (numerator, divisor) in part.iter_mut().zip(&divisors[first..]) {
                *numerator = exact_quotient(std::mem::take(numerator), divisor);
            }
        });
        let denominators = denominators.into_iter().zip(divisors).collect();
        ExpectedFractions {
            odd,
            numerators,
            denominators,
            decimals: OnceLock::new(),
        }
    }

    /// Writes n = 2^k m, and returns the index of the odd part m, and k. Cost: a binary search.
    fn odd_index(&self, n: u64) -> (usize, u32) {
        let k = n.trailing_zeros();
        let at = self.odd.binary_search(&(n >> k));
        (at.expect("all odd parts are there"), k)
    }

    /// Converts all fractions to decimal digits, on all threads of the pool, for
    /// [`ExpectedFractions::push_text`]. The denominators are neighbours of powers of 2, and each
    /// power follows from the previous one in linear time; the numerators cost as much as
    /// [`DecimalLimbs::from_words`].
    pub(crate) fn convert(&self) {
        self.decimals.get_or_init(|| {
            let mut exponents: Vec<u64> = (self.denominators.iter())
                .filter(|(_, divisor)| divisor.word().is_some())
                .map(|(denominator, _)| denominator.exponent())
                .collect();
            exponents.sort_unstable();
            exponents.dedup();
            let powers = threads::concat(exponents.len(), &|part| powers_of_two(&exponents[part]));
            threads::map(self.numerators.len(), &|i| {
                let (given, divisor) = &self.denominators[i];
                let denominator = match divisor.word() {
                    Some(word) => {
                        let at = exponents.binary_search(&given.exponent());
                        let power = &powers[at.expect("all exponents are there")];
                        power.beside_power(matches!(given, Denominator::Plus(_)), word)
                    }
                    None => {
                        let mut words = Words::new();
                        self.denominator(i, &mut words);
                        DecimalLimbs::from_words(&words)
                    }
                };
                (DecimalLimbs::from_words(&self.numerators[i]), denominator)
            })
        });
    }

    /// Appends the text of E(n), for example `11/3`, formatted like a fraction. `sum` is a buffer
    /// that is reused between calls. Cost: linear in the number of digits.
    ///
    /// # Panics
    /// If n is not in the range, or the fractions were not converted.
    pub(crate) fn push_text(&self, n: u64, sum: &mut DecimalLimbs, out: &mut Vec<u8>) {
        let (at, k) = self.odd_index(n);
        let all = self.decimals.get().expect("they were converted");
        let (numerator, denominator) = &all[at];
        match k {
            0 => numerator.push_to(out),
            _ => {
                sum.set_sum(numerator, denominator, k.into());
                sum.push_to(out);
            }
        }
        if !denominator.is_one() {
            out.push(b'/');
            denominator.push_to(out);
        }
    }

    /// Writes the denominator at an index to `words`.
    fn denominator(&self, at: usize, words: &mut Words) {
        let (given, divisor) = &self.denominators[at];
        given.put_words(words);
        *words = exact_quotient(std::mem::take(words), divisor);
    }

    /// Replaces the lists by the numerator and the denominator of E(n), as words from the low end,
    /// without leading zeros.
    ///
    /// # Panics
    /// If n is not in the range.
    pub fn put_words(&self, n: u64, numerator: &mut Vec<u64>, denominator: &mut Vec<u64>) {
        // k + N/D has the same common divisor as N/D
        let (at, k) = self.odd_index(n);
        numerator.clone_from(&self.numerators[at]);
        self.denominator(at, denominator);
        if k == 0 {
            return;
        }
        numerator.resize(numerator.len().max(denominator.len()), 0);
        let mut carry = 0;
        // Indices instead of zipped iterators, which compile to a call that is not inlined.
        let (low, high) = numerator.split_at_mut(denominator.len());
        for i in 0..low.len() {
            let part = u128::from(denominator[i]) * u128::from(k);
            let sum = part + u128::from(low[i]) + carry;
            (low[i], carry) = (sum as u64, sum >> 64);
        }
        for word in high {
            let sum = u128::from(*word) + carry;
            (*word, carry) = (sum as u64, sum >> 64);
        }
        if carry > 0 {
            numerator.push(carry as u64);
        }
    }

    /// Returns E(n).
    ///
    /// # Panics
    /// If n is not in the range.
    pub(crate) fn rational(&self, n: u64) -> BigRational {
        let (mut numerator, mut denominator) = (Vec::new(), Vec::new());
        self.put_words(n, &mut numerator, &mut denominator);
        let [numerator, denominator] = [numerator, denominator].map(|words| from_words(&words));
        BigRational::new_raw(numerator.into(), denominator.into())
    }
}

/// Returns E(n) for a coin for every n of the range, in order and in lowest terms, on all threads
/// of the pool. Every odd part is computed once: E(2n) = E(n) + 1. Cost: as
/// [`super::numerator::expected_flips`] for each odd part; memory: all the fractions, at least p
/// bits for each n.
///
/// # Panics
/// If the range holds 0.
pub fn expected_flips_range(range: RangeInclusive<u64>) -> Vec<BigRational> {
    if range.is_empty() {
        return Vec::new();
    }
    let (first, length) = (*range.start(), (range.end() - range.start() + 1) as usize);
    let all = ExpectedFractions::for_range(range);
    threads::map(length, &|i| all.rational(first + i as u64))
}

/// Computes 2^e for each exponent of an increasing list.
fn powers_of_two(exponents: &[u64]) -> Vec<DecimalLimbs> {
    let mut powers: Vec<DecimalLimbs> = Vec::with_capacity(exponents.len());
    let mut last = 0;
    for &exponent in exponents {
        let power = match powers.last() {
            // A shift by less than 2^8 is far cheaper than a conversion.
            Some(power) if exponent - last < 1 << 8 => {
                let mut power = power.clone();
                while last < exponent {
                    let step = (exponent - last).min(63);
                    power.double(step as u32);
                    last += step;
                }
                power
            }
            _ => DecimalLimbs::power_of_two(exponent),
        };
        powers.push(power);
        last = exponent;
    }
    powers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_those_of_the_fractions() {
        let (mut sum, mut text) = (DecimalLimbs::default(), Vec::new());
        for range in [1..=399, 1000..=1099, 60_000..=60_009] {
            let all = ExpectedFractions::for_range(range.clone());
            all.convert();
            for n in range {
                text.clear();
                all.push_text(n, &mut sum, &mut text);
                assert_eq!(String::from_utf8_lossy(&text), all.rational(n).to_string());
            }
        }
    }
}
