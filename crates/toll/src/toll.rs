//! The toll of the fast dice roller with a coin is an exactly periodic function of log2 n; this
//! module proves it, and computes its extremes and its means. The Fourier coefficients are in
//! `fourier.rs`.
//!
//! **Theorem.** Let y = 2^ceil(log2 n) / n, so that 1 <= y < 2, and {u} the fractional part of u.
//! Then
//!
//! ```text
//! E(n) - log2 n = F(y),    F(y) = log2 y + sum_{j>=0} {2^j y} / (2^j y),
//! ```
//!
//! without an error term. Proof. 2^t mod n = n {2^t / n}, so E(n) = sum_t (2^t mod n) / 2^t is the
//! sum of {u} / u over u = 2^t / n. Let k = ceil(log2 n). In the k terms before t = k, u < 1, so
//! each of them is 1; the other terms have u = 2^j y. So E(n) = k + sum_j {2^j y} / (2^j y), and
//! k - log2 n = log2 y. As y depends only on the fractional part of log2 n, the toll has period 1
//! in log2 n. (With 2^(floor(log2 n)+1) instead of 2^ceil(log2 n) the same is true except for
//! powers of two, which would get y = 2 and F = 1 although their toll is 0.)
//!
//! As y falls to 1, F falls to 0. As y rises to 2, log2 y rises to 1 and the term j to 2^-(j+1): F
//! rises to 2. At powers of two, where F jumps, F is 0, and its Fourier series has the mean value
//! 1.
//!
//! **If 2^k = -1 modulo n.** Let q = 2^-k and S = sum_{t<k} (2^t mod n) / 2^t. The residues of the
//! next k flips are n minus those of the first k, so E = S + q (n (2 - 2q) - S) + q^2 E and E =
//! (S + 2 q n) / (1 + q) (machine-checked: `proofs/HalfPeriod.v, E_half_period`).
//!
//! - n = 2^k + 1, k >= 1: S = k and E = 2 + k 2^k / (2^k + 1).
//! - n = (2^k + 1) / 3, k odd and >= 3: 2^(k-2) < n < 2^(k-1), so S = k - 1 + (2^(k-1) - n) /
//!   2^(k-1) = k - 2 q n and E = k 2^k / (2^k + 1) = ceil(log2 n) + 1 - k / (2^k + 1).
//!
//! For n = 2^k - 1, k >= 2, the period is k and E = k + E / 2^k: E = k 2^k / (2^k - 1).
//!
//! **Extremes.** *Of the n with 2^k <= n < 2^(k+1), k >= 1, 2^k + 1 has the largest toll; of those
//! with 2^k < n < 2^(k+1), 2^(k+1) - 1 has the least.* Let nu(x) be the sum of t / 2^t over the
//! binary digits 1 of x: E(n) = K + nu(x) / y with K = ceil(log2 n), x = y - 1. As a digit 2^-t of
//! x is at most x, nu(x) >= x log2(1/x); and nu(x) = 2 - nu(1 - x) unless x is dyadic.
//!
//! Least toll: let n = 2^K - d, a = d / 2^K. Then x = a / (1 - a), and the toll is at least (1 - a)
//! log2(1 / (1 - a)) + a log2(1/a) = h(a), the entropy of a coin, which rises up to a = 1/2. With
//! q = 2^-K, for d >= 2 it is at least h(2q) = 2 (K-1) q - (1 - 2q) log2(1 - 2q); for d = 1 it is K
//! q / (1-q) - log2(1-q). The difference is at least (K-2) q - K q^2 / (1-q) + (q / ln 2) (2 - 4q -
//! 1 / (1-q)) > 0 for K >= 3; between 2 and 4 there is only one n.
//!
//! Largest toll: let n = 2^k + d, a = d / 2^k, 1 - x = 2 d / n. So E(n) <= k + 1 + (n / 2^(k+1))
//! (2 - (1-x) log2(1 / (1-x))), and the toll is at most U(a) = 2 + 2a + a log2 a - (1+a) log2(1+a),
//! which falls up to a = 1/3. Let q = 2^-k; the toll of 2^k + 1 is 2 - k q / (1+q) - log2(1+q). For
//! 2 <= d <= 2^k / 3 it is above U(2q) by at least (k-6) q + log2(1 + q / (1+q)) > 0, k >= 5. For
//! d > 2^k / 3 the toll is below 2 - log2(4/3), as E(n) < k + 2, and the toll of 2^k + 1 is above
//! this number for k >= 4. For k < 5 a test checks all n.
//!
//! **Means.** Over log2 n: the integral of F is the integral of log2 y over log2 y from 0 to 1,
//! which is 1/2, plus that of {u} / u over log2 u from 0 on, which is (1 - gamma) / ln 2. Over n: n
//! / 2^k = 2 / y is uniform, and the mean of the toll over 2^k < n <= 2^(k+1) tends to the integral
//! of 2 F(y) / y^2 from 1 to 2. As the integral of {u} / u^3 from m to m+1 is 1/(2m) - 1/(2(m+1)) -
//! 1/(2(m+1)^2), this is
//!
//! ```text
//! 1/ln 2 - 1 + sum_{j>=0} (1/2 - 2^j S_j),    S_j = sum_{2^j < m <= 2^(j+1)} 1 / m^2.
//! ```
//!
//! **Remainders.** If Euler and Maclaurin's sum of f from N on ends with the term of B_2K, the
//! remainder is at most
//! |B_2K| / (2K)! times the integral of |f^(2K)|, since the Bernoulli function of order 2K is at
//! most |B_2K| in absolute value. For 1/u and 1/u^2 that is the last term.

use flipcost_number::budget::spend_on;
use flipcost_number::{BigInt, Rational, Real};
use flipcost_number::{Enclosure, ln};
use num_traits::{One, Pow, Signed, Zero};
use std::sync::OnceLock;

/// The Bernoulli numbers B_2, B_4, ..., from the tangent numbers, which are integers (Brent &
/// Harvey 2011).
pub(super) fn bernoulli(count: usize) -> Vec<Rational> {
    let mut tangent = vec![BigInt::one(); count];
    for k in 1..count {
        tangent[k] = &tangent[k - 1] * k;
    }
    for k in 1..count {
        for j in k..count {
            spend_on(2 * tangent[j].bits(), 1);
            tangent[j] = &tangent[j - 1] * (j - k) + &tangent[j] * (j - k + 2);
        }
    }
    let number = |(i, tangent): (usize, BigInt)| {
        spend_on(tangent.bits(), tangent.bits());
        let four = BigInt::from(4).pow(i as u32 + 1);
        let value = Rational::new(tangent * (2 * (i + 1)), &four * (&four - 1));
        if i % 2 == 0 { value } else { -value }
    };
    tangent.into_iter().enumerate().map(number).collect()
}

/// The number of terms of Euler and Maclaurin's sum from 2^J on, 2^J >= bits + 64, after which the
/// remainder is below 2^-bits. Each term is smaller than the one before: at first by a factor of
/// more than 2^12, and up to that number of terms by a factor of at least 2^4.
fn terms_for(bits: u64) -> usize {
    bits as usize / 8 + 4
}

/// Encloses a sum whose error is at most `rest`.
fn enclosure_around(sum: &Rational, rest: &Rational, bits: u64) -> Enclosure {
    let low = Enclosure::of_rational(&(sum - rest), bits);
    Enclosure {
        high: Enclosure::of_rational(&(sum + rest), bits).high,
        ..low
    }
}

pub(super) fn ln2(bits: u64) -> Enclosure {
    ln(&BigInt::from(2).into(), bits)
}

/// Creates a real number from a rule for an enclosure. The rule is evaluated with more and more
/// bits until the enclosure is narrow enough.
pub(super) fn narrowing_real(rule: impl Fn(u64) -> Enclosure + Send + Sync + 'static) -> Real {
    Real::cached(move |bits| {
        let mut work = bits + 8;
        loop {
            let value = rule(work);
            if value.is_within(bits) {
                return value;
            }
            work += 16 + work / 4;
        }
    })
}

/// The exponent J of [`terms_for`].
fn exponent_for(bits: u64) -> u64 {
    u64::from((bits + 64).next_power_of_two().trailing_zeros())
}

/// Euler's constant gamma.
fn gamma(bits: u64) -> Enclosure {
    let exponent = exponent_for(bits);
    let last = 1u64 << exponent;
    // The harmonic sum is rounded down by less than one unit per term.
    let work = bits + exponent + 8;
    let part = |m: u64| {
        spend_on(work, 1);
        (BigInt::one() << work) / m
    };
    let low: BigInt = (1..=last).map(part).sum();
    let harmonic = Enclosure {
        high: &low + last,
        low,
        bits: work,
    };
    let mut sum = -Rational::new(1.into(), (2 * last).into());
    let mut rest = Rational::one();
    for (i, b) in bernoulli(terms_for(bits)).into_iter().enumerate() {
        let k = i as u64 + 1;
        spend_on(b.numer().bits(), b.numer().bits());
        let term = b / ((BigInt::one() << (2 * k * exponent)) * (2 * k));
        rest = term.abs();
        sum += term;
    }
    let log = ln2(work).times(&Enclosure::of_rational(
        &BigInt::from(exponent).into(),
        work,
    ));
    harmonic
        .minus(&log)
        .plus(&enclosure_around(&sum, &rest, work))
}

/// The mean of the toll over log2 n, 1/2 + (1 - gamma) / ln 2.
pub fn mean_over_log() -> Real {
    static PART: OnceLock<Real> = OnceLock::new();
    let part = PART.get_or_init(|| {
        narrowing_real(|bits| {
            let one = Enclosure::of_rational(&Rational::one(), bits);
            let ratio = one.minus(&gamma(bits)).over(&ln2(bits));
            ratio.expect("ln 2 is not 0")
        })
    });
    part.plus(&Rational::new(1.into(), 2.into()).into())
}

/// The mean of the toll over the n between two large powers of two.
pub fn mean_over_n() -> Real {
    narrowing_real(|bits| {
        let exponent = exponent_for(bits);
        let work = bits + exponent + 8;
        // 2^j S_j is rounded down by less than one unit per term of S_j.
        let mut head = BigInt::zero();
        let mut m = 2u64;
        for j in 0..exponent {
            let part: BigInt = (0..1u64 << j)
                .map(|i| {
                    spend_on(work + j, 1);
                    (BigInt::one() << (work + j)) / (u128::from(m + i).pow(2))
                })
                .sum();
            m += 1 << j;
            head += part;
        }
        let head = Enclosure {
            high: &head + (1u64 << exponent),
            low: head,
            bits: work,
        };
        let half = Rational::new(exponent.into(), 2.into());
        let mut tail = Rational::new(3.into(), BigInt::from(4) << exponent);
        let mut rest = Rational::one();
        for (i, b) in bernoulli(terms_for(bits)).into_iter().enumerate() {
            let k = i as u64 + 1;
            spend_on(b.numer().bits(), b.numer().bits());
            let power = |k: u64| Rational::new(1.into(), BigInt::one() << k);
            let one = Rational::one();
            let term =
                b * (&one - power(2 * k + 1)) * power(2 * k * exponent) / (&one - power(2 * k));
            rest = term.abs();
            tail -= term;
        }
        let one = Enclosure::of_rational(&Rational::one(), work);
        let log = one.over(&ln2(work)).expect("ln 2 is not 0");
        let rational = enclosure_around(&(half + tail - Rational::one()), &rest, work);
        log.plus(&rational).minus(&head)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use flipcost::prelude::*;
    use flipcost::roller::doubles::toll_fixed;
    use std::cmp::Ordering;
    use std::collections::BTreeMap;

    /// Computes ceil(log2 n) + sum_j {2^j y} / (2^j y) exactly, for n >= 1: doubles the fractional
    /// part until it repeats. The fraction has about as many bits as the period of n has flips.
    fn expected_by_fractional_parts(n: u64) -> Rational {
        let k = u64::from(n.next_power_of_two().trailing_zeros());
        // The fractional part is r / n; the first is that of y = 2^k / n.
        let mut r = (u128::from(n.next_power_of_two()) % u128::from(n)) as u64;
        let (mut parts, mut known) = (Vec::new(), BTreeMap::new());
        let start = loop {
            if let Some(start) = known.insert(r, parts.len()) {
                break start;
            }
            parts.push(r);
            r = (2 * u128::from(r) % u128::from(n)) as u64;
        };
        // The sum of r_j / 2^j over L terms is the sum of r_j 2^(L-j), divided by 2^L.
        let sum_of = |parts: &[u64]| {
            let doubled = parts.iter().fold(BigInt::zero(), |sum, r| (sum << 1u8) + r);
            doubled << 1u8
        };
        // The repeating part, after `period` terms, is summed as a geometric series.
        let (head, cycle) = parts.split_at(start);
        let period = cycle.len() as u64;
        let once = (BigInt::one() << period) - 1u8;
        let sum = Rational::from(sum_of(head)) + Rational::new(sum_of(cycle), once);
        // Each term is divided by y n = 2^k.
        Rational::from(BigInt::from(k)) + sum / (BigInt::one() << (start as u64 + k))
    }

    #[test]
    fn the_toll_is_a_function_of_the_fractional_part_of_the_logarithm() {
        for n in 1..400u64 {
            let law = FAST_DICE_ROLLER
                .law(&Task::die(n, Source::COIN).unwrap())
                .unwrap();
            let mean = law.mean().unwrap();
            assert_eq!(expected_by_fractional_parts(n), mean, "n = {n}");
        }
    }

    #[test]
    fn bernoulli_numbers() {
        let found: Vec<String> = bernoulli(6).iter().map(ToString::to_string).collect();
        assert_eq!(
            found,
            ["1/6", "-1/30", "1/42", "-1/30", "5/66", "-691/2730"]
        );
    }

    /// gamma: OEIS A001620. The mean over n agrees with the mean of the tolls from 2^19 to 2^20 to
    /// the decimals shown.
    #[test]
    fn means() {
        let gamma = narrowing_real(gamma).decimals(40).unwrap();
        assert_eq!(gamma, "0.5772156649015328606065120900824024310422");
        assert_eq!(mean_over_log().decimals(7).unwrap(), "1.1099489");
        let mean = mean_over_n();
        assert_eq!(mean.decimals(4).unwrap(), "1.0209");
        let tolls = (1u64 << 19..1 << 20).map(|n| toll_fixed(n).unwrap());
        let (low, high) = tolls.fold((0, 0), |(low, high), toll| {
            (low + toll.low, high + toll.high)
        });
        let near = |sum: u128| Real::Exact(Rational::new(sum.into(), BigInt::one() << 83u8));
        assert_eq!(near(low).decimals(4).unwrap(), "1.0209");
        assert_eq!(near(high).decimals(4).unwrap(), "1.0209");
        assert!(mean.enclose(300).is_within(300));
        // The value is sum_{j<J} (1/2 - 2^j S_j), in exact fractions, and between 0 and 3 / 2^(J+2)
        // more: 1/2 - a S is below 3 / (8 a) by the trapezoids and above 0 by the rectangles of
        // 1/u^2.
        let half = Rational::new(1.into(), 2.into());
        let part = |j: u32| {
            let terms = (1u64 << j) + 1..=2 << j;
            let sum: Rational = terms
                .map(|m| Rational::new(1.into(), BigInt::from(m) * m))
                .sum();
            &half - sum * BigInt::from(1u64 << j)
        };
        let head = Real::Exact((0..8).map(part).sum::<Rational>());
        let log = Real::enclosed(ln2);
        let sum = Real::integer(1)
            .over(&log)
            .minus(&Real::integer(1))
            .plus(&head);
        let above = sum.plus(&Rational::new(3.into(), 1024.into()).into());
        assert_eq!(mean.compare(&sum), Ok(Ordering::Greater));
        assert_eq!(mean.compare(&above), Ok(Ordering::Less));
    }

    /// The proof for the largest toll of an octave begins at k = 5; this test checks smaller k.
    #[test]
    fn extremes_of_the_first_blocks() {
        for k in 1..9u32 {
            let toll = |n: u64| toll_fixed(n).unwrap();
            let (top, low) = (toll((1 << k) + 1), toll((1 << (k + 1)) - 1));
            for n in (1 << k) + 1..1u64 << (k + 1) {
                assert!(n == (1 << k) + 1 || toll(n).high < top.low, "n = {n}");
                assert!(n == (1 << (k + 1)) - 1 || toll(n).low > low.high, "n = {n}");
            }
        }
    }
}
