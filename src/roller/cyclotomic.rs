//! Lowest terms of the expected costs with a coin, by the cyclotomic factors of their denominators.
//!
//! **Identity.** The denominators are 2^p - 1 or 2^h + 1 (see [`super::numerator`]), and
//!
//! ```text
//! 2^p - 1 = product of Phi_d(2) over d | p
//! 2^h + 1 = product of Phi_d(2) over d | 2h that do not divide h
//! ```
//!
//! where Phi_d is the d-th cyclotomic polynomial.
//!
//! **Coprime factors.** A prime r | Phi_d(2) either has order d (the order of 2 modulo r), or it is
//! the largest prime factor of d, d = order * r^k with k >= 1, and r^2 does not divide Phi_d(2)
//! (Bang 1886; Birkhoff & Vandiver 1904); then r is called intrinsic. Let Phi*_d be Phi_d(2)
//! without its intrinsic prime. The Phi*_d of different d are coprime, so the gcd of a numerator N
//! and the denominator D is the product of all gcd(N, Phi*_d), except for the primes that are
//! intrinsic in some factor: those odd r | b (b = p or h) with r | D. For these v_r(D) =
//! v_r(2^o -+ 1) + v_r(b), where o is the smallest exponent (lifting the exponent), and the power
//! of r in the gcd is found from N modulo r^v_r(D).
//!
//! **The value.** For d > 1, Phi_d(2) = product of (1 - 2^e)^mu(d/e) over e | d, and it is less
//! than 2^(phi(d) + 2). So it is enough to compute it modulo a power of 2, where multiplying or
//! dividing by 1 - 2^e is a shift and a subtraction, and where factors with large e are 1.
//!
//! **Why a gcd is needed at all.** For a prime n, N modulo Phi_d is a generalized Bernoulli number:
//! its common factors with Phi*_d are those of the relative class number of the subfield of degree
//! d of the n-th cyclotomic field, for which no formula is known (Washington 1997, chapter 4). For
//! composite n an Euler factor 1 - chi(q) may be 0; then N = 0 modulo Phi*_d, and no gcd is taken.

use crate::number::factor::pow_mod;
use crate::number::words::ubig;
use dashu_int::UBig;

/// 2^p - 1 or 2^h + 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Denominator {
    /// 2^p - 1
    Minus(u64),
    /// 2^h + 1
    Plus(u64),
}

/// Primes with exponents.
pub(super) type PrimePowers = Vec<(u64, u32)>;

/// Words from the low end, without leading zeros.
pub(super) type Words = Vec<u64>;

impl Denominator {
    pub(super) fn exponent(self) -> u64 {
        match self {
            Denominator::Minus(p) => p,
            Denominator::Plus(h) => h,
        }
    }

    /// All its words.
    pub(super) fn words(self) -> Words {
        match self {
            Denominator::Minus(p) => {
                let mut words = vec![u64::MAX; p.div_ceil(64) as usize];
                if p % 64 > 0 {
                    *words.last_mut().expect("p > 0") >>= 64 - p % 64;
                }
                words
            }
            Denominator::Plus(h) => {
                let mut words = vec![0; h as usize / 64 + 1];
                words[h as usize / 64] |= 1 << (h % 64);
                words[0] |= 1;
                words
            }
        }
    }

    /// The d of its factors Phi_d(2), from the prime factors of the exponent.
    pub(super) fn indices(self, factors: &[(u64, u32)]) -> Vec<u64> {
        let (start, skip) = match self {
            Denominator::Minus(_) => (1, 0),
            // d | 2h with all the twos of 2h
            Denominator::Plus(h) => (2 << h.trailing_zeros(), 2),
        };
        let mut all = vec![start];
        for &(q, k) in factors.iter().filter(|&&(q, _)| q != skip) {
            let known = all.len();
            let mut power = 1;
            for _ in 0..k {
                power *= q;
                for i in 0..known {
                    all.push(all[i] * power);
                }
            }
        }
        all
    }

    /// The odd primes that may divide two of its Phi_d(2), with their exponents in it.
    pub(super) fn intrinsic(self, factors: &[(u64, u32)]) -> PrimePowers {
        let exponent = self.exponent();
        let divides = |power: u64| match self {
            Denominator::Minus(_) => pow_mod(2, exponent, power) == 1,
            Denominator::Plus(_) => pow_mod(2, exponent, power) == power - 1,
        };
        (factors.iter().filter(|&&(r, _)| r > 2))
            .filter_map(|&(r, _)| {
                let mut power = r;
                let mut exponent = 0;
                while divides(power) {
                    exponent += 1;
                    power = power
                        .checked_mul(r)
                        .expect("r^v divides r^2 times the exponent");
                }
                (exponent > 0).then_some((r, exponent))
            })
            .collect()
    }
}

/// Phi*_d, d > 1: Phi_d(2) without its intrinsic prime. O(2^w phi(d) / 64), w the number of primes
/// of d.
pub(super) fn cyclotomic(d: u64, factors: &[(u64, u32)]) -> UBig {
    let totient: u64 = factors
        .iter()
        .map(|&(q, k)| (q - 1) * q.pow(k - 1))
        .product();
    // sum of e over squarefree d / e: log2 Phi_d(2) < phi(d) + 2
    let bits = totient + 2;
    let mut value = vec![0u64; bits.div_ceil(64) as usize];
    value[0] = 1;
    for set in 0u32..1 << factors.len() {
        let removed: u64 = (factors.iter().enumerate())
            .filter(|(i, _)| set >> i & 1 == 1)
            .map(|(_, &(q, _))| q)
            .product();
        let e = d / removed;
        if e < bits {
            if set.count_ones() % 2 == 0 {
                and_shifted(&mut value, e, u64::borrowing_sub);
            } else {
                over_one_minus(&mut value, e);
            }
        }
    }
    if !bits.is_multiple_of(64) {
        *value.last_mut().expect("a word") &= u64::MAX >> (64 - bits % 64);
    }
    let value = ubig(&value);
    let &(largest, _) = factors.last().expect("d > 1");
    // An intrinsic prime divides d; the others are 1 modulo d.
    if &value % largest == 0u64 {
        value / largest
    } else {
        value
    }
}

/// x + 2^e x modulo the power of 2 that the words hold, or x - 2^e x if the step is a subtraction.
fn and_shifted(x: &mut [u64], e: u64, step: impl Fn(u64, u64, bool) -> (u64, bool)) {
    let (skip, shift) = ((e / 64) as usize, e % 64);
    let old = x.to_vec();
    let mut carry = false;
    for (i, word) in x.iter_mut().skip(skip).enumerate() {
        (*word, carry) = step(*word, shifted(&old, i, shift), carry);
    }
}

/// x / (1 - 2^e) modulo the power of 2: the quotient is q = x + 2^e q, from the low end.
fn over_one_minus(x: &mut [u64], e: u64) {
    let (skip, shift) = ((e / 64) as usize, e % 64);
    if skip == 0 {
        // 1 / (1 - 2^e) is the product of 1 + 2^(e 2^i)
        let mut e = e;
        while e < 64 * x.len() as u64 {
            and_shifted(x, e, u64::carrying_add);
            e *= 2;
        }
        return;
    }
    let mut carry = false;
    for i in skip..x.len() {
        let low = shifted(x, i - skip, shift);
        (x[i], carry) = x[i].carrying_add(low, carry);
    }
}

/// Word i of the number times 2^shift.
#[inline]
fn shifted(x: &[u64], i: usize, shift: u64) -> u64 {
    match (shift, i) {
        (0, _) => x[i],
        (_, 0) => x[0] << shift,
        _ => x[i] << shift | x[i - 1] >> (64 - shift),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::sieve::Factors;
    use crate::number::words::words;

    /// The coprime factors and the intrinsic primes make the whole denominator.
    #[test]
    fn denominators_by_their_factors() {
        for b in 1..700 {
            for denominator in [Denominator::Minus(b), Denominator::Plus(b)] {
                let factors = Factors::of(b);
                let factors = factors.as_slice();
                let mut product = UBig::ONE;
                for d in denominator.indices(factors) {
                    if d > 1 {
                        product *= cyclotomic(d, Factors::of(d).as_slice());
                    }
                }
                for (r, exponent) in denominator.intrinsic(factors) {
                    let &(_, k) = factors.iter().find(|&&(q, _)| q == r).unwrap();
                    assert!(exponent > k, "a primitive part is there: {denominator:?}");
                    product *= UBig::from(r).pow(k as usize);
                }
                assert_eq!(
                    words(&product).to_vec(),
                    denominator.words(),
                    "{denominator:?}"
                );
            }
        }
    }

    /// OEIS A019320, "Cyclotomic polynomials at x=2" (CC BY-SA 4.0): 1, 3, 7, 5, 31, 3, 127, 17,
    /// 73, 11, ...
    #[test]
    fn small_values() {
        let expected: [u64; 19] = [
            3, 7, 5, 31, 1, 127, 17, 73, 11, 2047, 13, 8191, 43, 151, 257, 131071, 19, 524287, 41,
        ];
        for (d, value) in (2..).zip(expected) {
            // 3 is intrinsic in Phi_6(2) = 3 and in Phi_18(2) = 57, 5 in Phi_20(2) = 205
            assert_eq!(
                cyclotomic(d, Factors::of(d).as_slice()),
                UBig::from(value),
                "d = {d}"
            );
        }
    }
}
