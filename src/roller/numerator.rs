//! Computes the optimal expected cost E(n) as an exact fraction.
//!
//! **Identities.** If x_t = m^t mod n is the number of undecided nodes at depth t, E(n) is the sum
//! over t >= 0 of x_t / m^t (Knuth & Yao 1976; it is the cost of the fast dice roller, Lumbroso
//! 2013). For a coin and n = 2^k r with r > 1 odd, E(n) = k + E(r). Let p be the order of 2 modulo
//! r, and J(W) the sum of j 2^j over the set bits j of W. Then
//!
//! ```text
//! E(r) = (p 2^p - r J(B)) / (2^p - 1)          B = (2^p - 1)/r, the repetend of 1/r
//! E(r) = (h 2^h + 2r - r J(A)) / (2^h + 1)     A = (2^h + 1)/r - 1, where -1 = 2^h modulo r, p = 2h
//! ```
//!
//! **Code.** Both A and B are computed from the low end without a division
//! (`crate::roller::residues::LowWords`): A is the complement of the low h bits of -1/r, since ~x =
//! -x - 1. For each word, J takes six masked additions and two products, and the numerator is
//! computed in the same pass.
//!
//! **Cost.** O(p / 64) word operations for the numerator; the gcd of numbers of p (or h) bits takes
//! most of the time. For other sources, with b = (s + p) log2 m bits: O(M(b) log b) for the sums,
//! by binary splitting, and a gcd of b bits.
//!
//! # Derivation
//!
//! **A coin.** Write n = 2^k r with r odd. After k flips the residues modulo n are 2^k times those
//! modulo r, so E(n) = k + E(r). Let p be the order of 2 modulo r > 1, B = (2^p - 1)/r, and J(B)
//! the sum of j 2^j over the set bits j of B. The binary digits of 1/r are the bits of B from the
//! top, repeated: d_i = bit p - i of B for 1 <= i <= p. Since x_t = r * sum over i > t of d_i
//! 2^(t-i), exchanging the sums gives E = r * sum of i d_i / 2^i. Over one period, let u = sum of
//! d_i / 2^i = B / 2^p and v = sum of i d_i / 2^i = (p B - J(B)) / 2^p. With q = 2^-p,
//!
//! ```text
//! sum over all periods = v / (1-q) + p u q / (1-q)^2,    u / (1-q) = 1/r
//! E(r) = r (p B - J(B)) / (2^p - 1) + p / (2^p - 1)
//!      = (p 2^p - r J(B)) / (2^p - 1)                        as r B = 2^p - 1
//! ```
//!
//! If -1 = 2^h modulo r, p = 2h, then x_(t+h) = r - x_t. Let S be the sum of x_t / 2^t, t < h. The
//! next h terms give 2^-h (2r (1 - 2^-h) - S), and E = (S + 2^-h (2r (1 - 2^-h) - S)) / (1 - 2^-2h)
//! = (2^h S + 2r) / (2^h + 1) (`proofs/HalfPeriod.v, E_half_period`). So the factor 2^h - 1 cancels
//! before any gcd. With A = (2^h + 1)/r - 1, of h bits (the first half of the digits of 1/r:
//! floor(2^h / r)), and again exchanging sums, 2^h S = h 2^h - r J(A). This holds because
//! x_t = 2^t - r floor(2^t / r), floor(2^t / r) = floor(A / 2^(h-t)), and the sum over t < h of
//! floor(A / 2^(h-t)) 2^(h-t) is J(A), since bit j of A is counted for 0 < h - t <= j. Hence
//!
//! ```text
//! E(r) = (h 2^h + 2r - r J(A)) / (2^h + 1)
//! ```
//!
//! **Any source.** Let s be the pre-period, p the period, M = m^p, H the sum of x_t m^(s-1-t) over
//! t < s, and S the sum of x_(s+t) m^(p-1-t) over t < p. Then
//!
//! ```text
//! E[T]   = m (H (M-1) + S) / (m^s (M-1))
//! `E[T^2]` = m (H' (M-1)^2 + S' (M-1) + 2 p S) / (m^s (M-1)^2)
//! ```
//!
//! The first line is machine-checked: `proofs/Period.v, E_closed`. In the primed sums H' and S' of
//! the second line, each term is multiplied by 2t + 1, where t is its depth (`E[T^2]` = sum of
//! (2t+1) P(T > t)); the last term arises because these factors grow by 2p from one cycle to the
//! next. The sums are computed by binary splitting.

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::{One, Zero};

use super::cyclotomic::{Denominator, Words};
use super::divisors::{Divisor, OrderLookup, common_divisors, exact_quotient};
use crate::roller::residues::{LowWords, ResidueSequence};
use flipcost_number::budget::spend;
use flipcost_number::gcd::gcd;
use flipcost_number::long::product;
use flipcost_number::order::{Orbit, orbit, period};
use flipcost_number::reduce::{from_words, reduce};
use flipcost_number::sieve::Factors;
use flipcost_number::words::ubig;

/// Returns E(n) for a coin, in flips, in lowest terms.
///
/// Cost: O(p / 64) word operations for the numerator, where p is the order of 2 modulo the odd part
/// of n, and one gcd of numbers of p bits (p/2 if -1 is a power of 2), which takes O(p^2 / 64) and
/// most of the time. Memory: O(p) bits.
///
/// ```
/// use flipcost::roller::numerator::expected_flips;
/// assert_eq!(expected_flips(6).to_string(), "11/3");
/// ```
///
/// # Panics
/// If n = 0.
pub fn expected_flips(n: u64) -> BigRational {
    expected_flips_of_orbit(n, orbit(2, n))
}

/// As [`expected_flips`], for a caller that already has the orbit of 2 modulo n (for example from a
/// sieve).
///
/// # Panics
/// If n = 0; a wrong orbit gives a wrong value or panics.
pub(crate) fn expected_flips_of_orbit(n: u64, orbit: Orbit) -> BigRational {
    let k = n.trailing_zeros();
    let (numerator, denominator) = odd_fraction(n >> k, orbit);
    let divisor = if numerator.len() < MIN_FACTORED_WORDS {
        Divisor::Long(ubig(&gcd(numerator.clone(), denominator.words())))
    } else {
        let fraction = [(numerator.clone(), denominator)];
        let order = |r| period(2, r);
        let known = OrderLookup {
            factors: &Factors::factorize,
            order: &order,
        };
        common_divisors(&fraction, known).remove(0)
    };
    // The fraction k + N/D has the same common divisor as N/D; num-rational's own sum would compute
    // another gcd.
    lowest_terms(numerator, denominator, &divisor).plus(k)
}

/// The least number of words of a numerator for which factoring the denominator is worthwhile.
const MIN_FACTORED_WORDS: usize = 48;

/// A fraction in lowest terms.
struct ReducedFraction {
    numerator: BigUint,
    denominator: BigUint,
}

impl ReducedFraction {
    fn plus(&self, k: u32) -> BigRational {
        let numerator = match k {
            0 => self.numerator.clone(),
            _ => &self.numerator + &self.denominator * k,
        };
        BigRational::new_raw(numerator.into(), self.denominator.clone().into())
    }
}

fn lowest_terms(numerator: Words, denominator: Denominator, divisor: &Divisor) -> ReducedFraction {
    let quotient = |words| from_words(&exact_quotient(words, divisor));
    ReducedFraction {
        numerator: quotient(numerator),
        denominator: quotient(denominator.words()),
    }
}

/// Returns numerator and denominator of E(n) before reduction. The denominator is 2^p - 1, or 2^h +
/// 1 if 2^h = -1, or 1 for a power of two. Cost: O(p / 64) word operations.
///
/// # Panics
/// If n = 0.
pub fn expected_flips_unreduced(n: u64) -> (BigUint, BigUint) {
    let orbit = orbit(2, n);
    let k = n.trailing_zeros();
    let r = n >> k;
    // Use 32-bit words, which num-bigint accepts; this saves one copy of a long number.
    let denominator = odd_denominator(r, orbit);
    let mut halves = Vec::with_capacity(2 * (denominator.exponent() / 64 + 4) as usize);
    put_numerator(r, denominator, |word| {
        halves.extend_from_slice(&[word as u32, (word >> 32) as u32]);
    });
    let numerator = BigUint::new(halves);
    let denominator = match denominator {
        Denominator::Minus(p) => (BigUint::one() << p) - 1u32,
        Denominator::Plus(h) => (BigUint::one() << h) + 1u32,
    };
    match k {
        0 => (numerator, denominator),
        _ => (numerator + &denominator * k, denominator),
    }
}

/// Computes E(r) for odd r, without reduction. E(1) = 0 has the denominator 2^1 - 1.
pub(super) fn odd_fraction(r: u64, orbit: Orbit) -> (Words, Denominator) {
    let denominator = odd_denominator(r, orbit);
    let mut digits = Vec::with_capacity((denominator.exponent() / 64 + 4) as usize);
    put_numerator(r, denominator, |word| digits.push(word));
    while digits.last() == Some(&0) {
        digits.pop();
    }
    (digits, denominator)
}

fn odd_denominator(r: u64, orbit: Orbit) -> Denominator {
    match orbit.half_period() {
        _ if r == 1 => Denominator::Minus(1),
        Some(h) => Denominator::Plus(h),
        None => Denominator::Minus(orbit.period),
    }
}

/// Passes the words of the numerator of E(r), r odd, to `push`, from the low end, with leading
/// zeros.
fn put_numerator(r: u64, denominator: Denominator, push: impl FnMut(u64)) {
    match denominator {
        _ if r == 1 => {}
        Denominator::Plus(h) => numerator_words(r, h, u64::MAX, 2 * u128::from(r), push),
        Denominator::Minus(p) => numerator_words(r, p, 0, 0, push),
    }
}

/// The number of words between two checks of the budget.
const WORDS_BETWEEN_CHECKS: u64 = 1 << 12;

/// Computes b 2^b + extra - r J(W) in one pass, where W consists of the low b bits of -1/r, after
/// an exclusive or of each word with the mask.
#[inline(always)]
fn numerator_words(r: u64, bits: u64, mask: u64, extra: u128, mut push: impl FnMut(u64)) {
    let words = bits.div_ceil(64);
    // All carries are below 2^128: the carry of J is at most 64 * (index + 1) + 1 words.
    let (mut weights, mut product) = (0u128, 0u128);
    // The running value of extra - r J, as a two's complement carry.
    let mut balance = extra as i128;
    let top = bits % 64;
    for (i, word) in (0..words).zip(LowWords::new(r)) {
        if i % WORDS_BETWEEN_CHECKS == 0 {
            spend(4 * WORDS_BETWEEN_CHECKS);
        }
        let mut word = word ^ mask;
        if i + 1 == words && top > 0 {
            word &= (1 << top) - 1;
        }
        weights += weighted(word) + u128::from(64 * i) * u128::from(word);
        product += u128::from(r) * u128::from(weights as u64);
        weights >>= 64;
        balance -= i128::from(product as u64);
        product >>= 64;
        if i == bits / 64 {
            // The term b 2^b begins inside this word.
            let high = u128::from(bits) << top;
            balance += i128::from(high as u64);
            push(balance as u64);
            balance = (balance >> 64) + i128::from((high >> 64) as u64);
        } else {
            push(balance as u64);
            balance >>= 64;
        }
    }
    if top == 0 {
        balance += i128::from(bits);
    }
    // The remaining words of r J come from r times `weights`, which is a word now, and from the
    // carry of the product.
    product += u128::from(r) * weights;
    for _ in 0..3 {
        balance -= i128::from(product as u64);
        product >>= 64;
        push(balance as u64);
        balance >>= 64;
    }
    debug_assert!(balance == 0 && product == 0);
}

/// The sum of j 2^j over the set bits j of the word, computed separately for each of the six binary
/// digits of j.
#[inline]
pub fn weighted(word: u64) -> u128 {
    let part = |mask: u64, bit: u32| u128::from(word & mask) << bit;
    part(0xAAAA_AAAA_AAAA_AAAA, 0)
        + part(0xCCCC_CCCC_CCCC_CCCC, 1)
        + part(0xF0F0_F0F0_F0F0_F0F0, 2)
        + part(0xFF00_FF00_FF00_FF00, 3)
        + part(0xFFFF_0000_FFFF_0000, 4)
        + part(0xFFFF_FFFF_0000_0000, 5)
}

/// Returns E(n) for a source of m sides, in source rolls, in lowest terms.
///
/// Cost: O(M(b) log b) for the sums, and a gcd of b bits, O(b^2 / 64). Here b = (s + p) log2 m for
/// pre-period s and period p, and M(b) is the cost of a product of numbers of b bits. For m = 2 it
/// calls [`expected_flips`].
///
/// # Panics
/// If n = 0, m < 2 or m > 2^32.
pub(crate) fn expected_rolls(m: u64, n: u64) -> BigRational {
    if m == 2 {
        return expected_flips(n);
    }
    let sums = PeriodSums::new(m, n);
    let (numerator, denominator) = sums.mean();
    reduce(&numerator, &denominator)
}

/// Returns `E[T]` and `E[T^2]` for the optimal number T of rolls from a source of m sides, in
/// lowest terms. The variance is `E[T^2]` - `E[T]^2`. Cost: as [`expected_rolls`], with numbers
/// twice as long.
///
/// # Panics
/// If n = 0, m < 2 or m > 2^32.
pub(crate) fn moments(m: u64, n: u64) -> (BigRational, BigRational) {
    let sums = PeriodSums::new(m, n);
    let (mean, mean_denominator) = sums.mean();
    let (square, square_denominator) = sums.second_moment();
    (
        reduce(&mean, &mean_denominator),
        reduce(&square, &square_denominator),
    )
}

/// The sums in the module documentation, over the pre-period and over one period.
struct PeriodSums {
    m: u64,
    period: u64,
    head: WeightedSums,
    cycle: WeightedSums,
}

/// The sums of x_t m^(b-1-t) and of (2t+1) x_t m^(b-1-t) over a <= t < b, and m^(b-a).
struct WeightedSums {
    plain: BigInt,
    growing: BigInt,
    power: BigInt,
}

impl PeriodSums {
    fn new(m: u64, n: u64) -> Self {
        assert!(
            (2..=1 << 32).contains(&m),
            "a source has 2 to 2^32 sides, not {m}"
        );
        let Orbit {
            pre_period, period, ..
        } = orbit(m, n);
        let mut residues = ResidueSequence::new(m, n);
        let head = weighted_sum(m, &mut residues, 0, pre_period);
        let cycle = weighted_sum(m, &mut residues, pre_period, pre_period + period);
        Self {
            m,
            period,
            head,
            cycle,
        }
    }

    fn mean(&self) -> (BigUint, BigUint) {
        let around = &self.cycle.power - 1;
        let numerator = (product(&self.head.plain, &around) + &self.cycle.plain) * self.m;
        into_magnitudes(numerator, product(&self.head.power, &around))
    }

    fn second_moment(&self) -> (BigUint, BigUint) {
        let around = &self.cycle.power - 1;
        let inner = product(&self.head.growing, &around) + &self.cycle.growing;
        let numerator = (product(&inner, &around) + &self.cycle.plain * (2 * self.period)) * self.m;
        let denominator = product(&product(&self.head.power, &around), &around);
        into_magnitudes(numerator, denominator)
    }
}

fn into_magnitudes(numerator: BigInt, denominator: BigInt) -> (BigUint, BigUint) {
    (numerator.into_parts().1, denominator.into_parts().1)
}

/// Computes the sums by binary splitting: a sum over [a, b) is the sum over [a, c) times m^(b-c)
/// plus the sum over [c, b).
fn weighted_sum(m: u64, residues: &mut ResidueSequence, start: u64, end: u64) -> WeightedSums {
    if end - start <= 32 {
        let mut sum = WeightedSums {
            plain: BigInt::zero(),
            growing: BigInt::zero(),
            power: BigInt::one(),
        };
        for t in start..end {
            let x = residues.next().expect("residues never end");
            sum.plain = sum.plain * m + x;
            sum.growing = sum.growing * m + u128::from(x) * u128::from(2 * t + 1);
            sum.power *= m;
        }
        return sum;
    }
    let middle = start + (end - start) / 2;
    let left = weighted_sum(m, residues, start, middle);
    let right = weighted_sum(m, residues, middle, end);
    WeightedSums {
        plain: product(&left.plain, &right.power) + right.plain,
        growing: product(&left.growing, &right.power) + right.growing,
        power: product(&left.power, &right.power),
    }
}

#[cfg(test)]
mod tests {
    use super::super::fractions::expected_flips_range;
    use super::*;
    use proptest::prelude::*;

    /// Computes the moments from the definition, term by term: it sums w(t) x_t / m^t, with w(t) =
    /// 1 or 2t + 1, over the pre-period and the cycle, where each term of the cycle stands for all
    /// its repetitions, a geometric series.
    fn by_fractions(m: u64, n: u64) -> (BigRational, BigRational) {
        let Orbit {
            pre_period, period, ..
        } = orbit(m, n);
        let ratio = |a: u64, b: &BigInt| BigRational::new(a.into(), b.clone());
        let r = BigRational::new(BigInt::one(), BigInt::from(m).pow(period as u32));
        let keep = BigRational::one() - &r;
        let (mut mean, mut square) = (BigRational::zero(), BigRational::zero());
        let mut power = BigInt::one();
        for (t, x) in (0..pre_period + period).zip(ResidueSequence::new(m, n)) {
            let term = ratio(x, &power);
            let weight = BigRational::from_integer((2 * t + 1).into());
            if t < pre_period {
                mean += &term;
                square += term * weight;
            } else {
                mean += &term / &keep;
                let growth = BigRational::from_integer((2 * period).into());
                square += &term * weight / &keep + term * growth * &r / (&keep * &keep);
            }
            power *= m;
        }
        (mean, square)
    }

    fn lines(text: &str) -> impl Iterator<Item = Vec<&str>> {
        text.lines()
            .filter(|line| !line.starts_with('#'))
            .map(|line| line.split_whitespace().collect())
    }

    #[test]
    fn the_reference_values_of_a_coin() {
        let text = include_str!("../../data/reference/expected_flips_fast_dice_roller.txt");
        let mut seen = 0;
        for line in lines(text).filter(|line| line.len() == 3) {
            let value = expected_flips(line[0].parse().unwrap());
            assert_eq!(
                (value.numer().to_string(), value.denom().to_string()),
                (line[1].into(), line[2].into()),
                "n = {}",
                line[0]
            );
            seen += 1;
        }
        assert_eq!(seen, 100);
    }

    #[test]
    fn the_reference_values_of_other_sources() {
        let text =
            include_str!("../../data/reference/expected_rolls_fast_dice_roller_by_source.txt");
        let mut seen = 0;
        for line in lines(text).filter(|line| line.len() == 4) {
            let value = expected_rolls(line[0].parse().unwrap(), line[1].parse().unwrap());
            assert_eq!(
                (value.numer().to_string(), value.denom().to_string()),
                (line[2].into(), line[3].into()),
                "{line:?}"
            );
            seen += 1;
        }
        assert_eq!(seen, 330);
    }

    /// The sum of numerator plus denominator, modulo 2^61 - 1, over all n up to a limit.
    fn checksum(limit: u64) -> u64 {
        let modulus = (1u64 << 61) - 1;
        let residue = |x: &BigInt| u64::try_from(x % modulus).unwrap();
        expected_flips_range(1..=limit)
            .iter()
            .map(|value| (residue(value.numer()) + residue(value.denom())) % modulus)
            .fold(0, |a, b| (a + b) % modulus)
    }

    /// Checksums on which GMP, PARI/GP and FLINT agree.
    #[test]
    fn the_checksums_of_independent_tools() {
        assert_eq!(checksum(1000), 9_487_469_785_271_321);
        assert_eq!(checksum(5000), 1_151_388_331_115_265_008);
        assert_eq!(checksum(20_000), 688_443_881_795_984_793);
    }

    #[test]
    fn small_cases_term_by_term() {
        for m in [2, 3, 4, 6, 7, 10, 12, 36, 100] {
            for n in 1..=48 {
                let expected = by_fractions(m, n);
                assert_eq!(expected_rolls(m, n), expected.0, "m = {m}, n = {n}");
                assert_eq!(moments(m, n), expected, "m = {m}, n = {n}");
            }
        }
    }

    #[test]
    fn periods_at_the_edge_of_a_word() {
        // p or h is 63, 64, 65, 127, 128 or 129, where n is a divisor of 2^p - 1 or 2^h + 1.
        let ends = [
            649_657,
            641,
            6_700_417,
            274_177,
            13_367_164_465_201,
            127,
            337,
            257,
            65_537,
            77_158_673_929,
        ];
        for n in ends
            .into_iter()
            .chain((1..64).map(|k| (1 << k) - 1))
            .chain((1..63).map(|k| (1 << k) + 1))
        {
            if orbit(2, n).period < 1000 {
                let (numerator, denominator) = expected_flips_unreduced(n);
                let value = BigRational::new(numerator.into(), denominator.into());
                assert_eq!(value, by_fractions(2, n).0, "n = {n}");
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn any_source_and_target(m in 2u64..200, n in 1u64..400) {
            let expected = by_fractions(m, n);
            prop_assert_eq!(moments(m, n), expected);
        }

        #[test]
        fn single_fractions_agree_with_ranges(n in 1u64..3000, length in 0u64..70) {
            let expected: Vec<_> = (n..n + length).map(expected_flips).collect();
            prop_assert_eq!(expected_flips_range(n..=n + length - 1), expected);
        }

        #[test]
        fn doubling_n_costs_one_more_flip(n in 1u64..20_000) {
            prop_assert_eq!(expected_flips(2 * n), expected_flips(n) + BigRational::one());
        }
    }
}
