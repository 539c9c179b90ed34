//! Reduces the expected costs with a coin to lowest terms, using the cyclotomic factors of their
//! denominators.
//!
//! **Identity.** A denominator is 2^p - 1 or 2^h + 1 (see [`super::numerator`]), and
//!
//! ```text
//! 2^p - 1 = product of Phi_d(2) over d | p
//! 2^h + 1 = product of Phi_d(2) over d | 2h that do not divide h
//! ```
//!
//! where Phi_d is the d-th cyclotomic polynomial.
//!
//! **Coprime factors.** Let the order of a prime r be the order of 2 modulo r. A prime r that
//! divides Phi_d(2) either has order d, or it is the largest prime factor of d, d = order * r^k
//! with k >= 1, and r^2 does not divide Phi_d(2) (Bang 1886; Birkhoff & Vandiver 1904). In the
//! second case r is called intrinsic. Let Phi*_d be Phi_d(2) without its intrinsic prime. The
//! Phi*_d of different d are coprime. So the gcd of a numerator N and the denominator D is the
//! product of all gcd(N, Phi*_d), except for the primes that are intrinsic in some factor. These
//! are the odd primes r that divide both b (b = p or h) and D. For these v_r(D) = v_r(2^o -+ 1) +
//! v_r(b), where o is the smallest exponent (lifting the exponent), and the power of r in the gcd
//! is found from N modulo r^v_r(D).
//!
//! **The value.** For d > 1, Phi_d(2) = product of (1 - 2^e)^mu(d/e) over e | d, and this is less
//! than 2^(phi(d) + 2). So the product can be computed modulo a power of 2, where multiplying or
//! dividing by 1 - 2^e is a shift and a subtraction, and where factors with large e are 1.
//!
//! **Why a gcd is needed.** For a prime n, N modulo Phi_d is a generalized Bernoulli number: its
//! common factors with Phi*_d are those of the relative class number of the subfield of degree d of
//! the n-th cyclotomic field, for which no formula is known (Washington 1997, chapter 4). For
//! composite n an Euler factor 1 - chi(q) may be 0; then N = 0 modulo Phi*_d, and the gcd is
//! skipped.

use flipcost_number::budget::spend;
use flipcost_number::factor::{inverse_of_odd, pow_mod};

/// A denominator: 2^p - 1 or 2^h + 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Denominator {
    /// 2^p - 1
    Minus(u64),
    /// 2^h + 1
    Plus(u64),
}

/// The words of a number from the low end, without leading zeros.
pub type Words = Vec<u64>;

impl Denominator {
    pub(super) fn exponent(self) -> u64 {
        match self {
            Denominator::Minus(p) => p,
            Denominator::Plus(h) => h,
        }
    }

    /// The words of the denominator.
    pub(super) fn words(self) -> Words {
        let mut words = Words::new();
        self.put_words(&mut words);
        words
    }

    /// Replaces `words` by the words of the denominator.
    pub(super) fn put_words(self, words: &mut Words) {
        words.clear();
        match self {
            Denominator::Minus(p) => {
                words.resize(p.div_ceil(64) as usize, u64::MAX);
                if p % 64 > 0 {
                    *words.last_mut().expect("p > 0") >>= 64 - p % 64;
                }
            }
            Denominator::Plus(h) => {
                words.resize(h as usize / 64 + 1, 0);
                words[h as usize / 64] |= 1 << (h % 64);
                words[0] |= 1;
            }
        }
    }

    /// Appends the indices d of the factors Phi_d(2) of the denominator to an empty list, given the
    /// prime factors of the exponent.
    pub(super) fn indices(self, factors: &[(u64, u32)], all: &mut Vec<u64>) {
        let (start, skip) = match self {
            Denominator::Minus(_) => (1, 0),
            // The d that divide 2h and contain the full power of 2 of 2h.
            Denominator::Plus(h) => (2 << h.trailing_zeros(), 2),
        };
        all.push(start);
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
    }

    /// Appends the odd primes that may divide two of the factors Phi_d(2), with their exponents in
    /// the denominator.
    pub(super) fn intrinsic(
        self,
        factors: &[(u64, u32)],
        lifts: &mut PrimeOrders,
        all: &mut Vec<(u64, u32)>,
    ) {
        let exponent = self.exponent();
        for &(r, k) in factors.iter().filter(|&&(r, _)| r > 2) {
            let (order, valuation) = lifts.order_and_valuation(r);
            let divides = match self {
                Denominator::Minus(p) => p.is_multiple_of(order),
                // The exponent h must be an odd multiple of half the order.
                Denominator::Plus(h) => (2 * h).is_multiple_of(order) && !h.is_multiple_of(order),
            };
            debug_assert!(exponent.is_multiple_of(r.pow(k)));
            if divides {
                all.push((r, valuation + k));
            }
        }
    }
}

/// A store of the order o of 2 modulo odd primes r that were requested recently, and of v_r(2^o -
/// 1), which is 1 except for the Wieferich primes, of which only 1093 and 3511 are known. For even
/// o, v_r(2^o - 1) is also the exponent of r in 2^(o/2) + 1.
pub(super) struct PrimeOrders<'a> {
    order: &'a dyn Fn(u64) -> u64,
    known: Vec<(u64, (u64, u32))>,
}

/// The maximum number of primes in the store.
const MAX_KEPT_PRIMES: usize = 16;

impl<'a> PrimeOrders<'a> {
    /// Creates a store with a function that returns the order of 2 modulo an odd prime.
    pub(super) fn new(order: &'a dyn Fn(u64) -> u64) -> PrimeOrders<'a> {
        let known = Vec::with_capacity(MAX_KEPT_PRIMES);
        PrimeOrders { order, known }
    }

    fn order_and_valuation(&mut self, r: u64) -> (u64, u32) {
        if let Some((_, found)) = self.known.iter().find(|(known, _)| *known == r) {
            return *found;
        }
        let order = (self.order)(r);
        let (mut power, mut valuation) = (r, 1);
        while let Some(next) = power.checked_mul(r)
            && pow_mod(2, order, next) == 1
        {
            (power, valuation) = (next, valuation + 1);
        }
        if self.known.len() == MAX_KEPT_PRIMES {
            self.known.truncate(MAX_KEPT_PRIMES / 2); // the first primes are small and needed again
        }
        self.known.push((r, (order, valuation)));
        (order, valuation)
    }
}

/// Computes Phi*_d for d > 1: Phi_d(2) without its intrinsic prime. Cost: O(2^w phi(d) / 64), where
/// w is the number of primes of d.
pub(super) fn cyclotomic(d: u64, factors: &[(u64, u32)]) -> Words {
    // log2 Phi_d(2) < phi(d) + 2
    let bits = totient(factors) + 2;
    let mut value = vec![0u64; bits.div_ceil(64) as usize];
    let mut old = value.clone();
    value[0] = 1;
    for set in 0u32..1 << factors.len() {
        let removed: u64 = (factors.iter().enumerate())
            .filter(|(i, _)| set >> i & 1 == 1)
            .map(|(_, &(q, _))| q)
            .product();
        let e = d / removed;
        if e < bits {
            spend(2 * value.len() as u64);
            if set.count_ones() % 2 == 0 {
                times_one_minus(&mut value, e, &mut old);
            } else {
                over_one_minus(&mut value, e);
            }
        }
    }
    if !bits.is_multiple_of(64) {
        *value.last_mut().expect("a word") &= u64::MAX >> (64 - bits % 64);
    }
    while value.last() == Some(&0) {
        value.pop();
    }
    let &(largest, _) = factors.last().expect("d > 1");
    // An intrinsic prime divides d; the other primes are 1 modulo d. The value is odd.
    if largest > 2 && divides(largest, &value) {
        over_word(&mut value, largest);
    }
    value
}

/// Euler's totient, from the prime factors.
pub(super) fn totient(factors: &[(u64, u32)]) -> u64 {
    let part = |&(q, k): &(u64, u32)| (q - 1) * q.pow(k - 1);
    factors.iter().map(part).product()
}

/// Checks whether the odd word divides the number.
fn divides(word: u64, x: &[u64]) -> bool {
    let inverse = inverse_of_odd(word);
    let mut borrow = 0;
    for digit in x {
        let (rest, below) = digit.overflowing_sub(borrow);
        let quotient = rest.wrapping_mul(inverse);
        borrow = ((u128::from(quotient) * u128::from(word)) >> 64) as u64 + u64::from(below);
    }
    borrow == 0
}

/// Computes x / g for an odd word g that divides x, from the low end without a division; the result
/// has no leading zeros.
pub(super) fn over_word(x: &mut Words, g: u64) {
    let inverse = inverse_of_odd(g);
    let mut borrow = 0;
    for digit in x.iter_mut() {
        let (rest, below) = digit.overflowing_sub(borrow);
        *digit = rest.wrapping_mul(inverse);
        borrow = ((u128::from(*digit) * u128::from(g)) >> 64) as u64 + u64::from(below);
    }
    while x.last() == Some(&0) {
        x.pop();
    }
}

/// Computes x - 2^e x modulo the power of 2 that the words hold.
fn times_one_minus(x: &mut [u64], e: u64, old: &mut [u64]) {
    let (skip, shift) = ((e / 64) as usize, e % 64);
    old.copy_from_slice(x);
    let mut carry = 1;
    let mut below = 0;
    for i in skip..x.len() {
        let word = old[i - skip];
        // To subtract a word, add its complement and 1.
        let sum = u128::from(x[i]) + u128::from(!join_words(word, below, shift)) + carry;
        (x[i], carry, below) = (sum as u64, sum >> 64, word);
    }
}

/// Computes x / (1 - 2^e) modulo the power of 2 that the words hold: the quotient is q = x + 2^e q,
/// from the low end.
fn over_one_minus(x: &mut [u64], e: u64) {
    let (skip, shift) = ((e / 64) as usize, e % 64);
    if skip == 0 {
        // For each word, q = (x + carry from below) / (1 - 2^e).
        let inverse = inverse_of_odd(1u64.wrapping_sub(1 << e));
        let mut carry = 0u128;
        for word in x {
            let sum = u128::from(*word) + carry;
            *word = (sum as u64).wrapping_mul(inverse);
            // The carry of the sum and of 2^e q.
            carry = (sum + (u128::from(*word) << e)) >> 64;
        }
        return;
    }
    let mut carry = 0;
    let mut below = 0;
    for i in skip..x.len() {
        let word = x[i - skip];
        let sum = u128::from(x[i]) + u128::from(join_words(word, below, shift)) + carry;
        (x[i], carry, below) = (sum as u64, sum >> 64, word);
    }
}

/// The upper 64 bits of two words shifted to the left.
#[inline(always)]
pub(super) fn join_words(word: u64, below: u64, shift: u64) -> u64 {
    // Shift twice, since Rust does not allow a shift by 64.
    word << shift | below >> 1 >> (63 - shift)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dashu_int::UBig;
    use flipcost_number::order::multiplicative_order;
    use flipcost_number::sieve::Factors;
    use flipcost_number::words::{ubig, words};

    /// The product of the coprime factors and of the powers of the intrinsic primes is the whole
    /// denominator.
    #[test]
    fn denominators_by_their_factors() {
        for b in 1..700 {
            for denominator in [Denominator::Minus(b), Denominator::Plus(b)] {
                let factors = Factors::factorize(b);
                let factors = factors.as_slice();
                let mut product = UBig::ONE;
                let mut indices = Vec::new();
                denominator.indices(factors, &mut indices);
                for d in indices {
                    if d > 1 {
                        product *= ubig(&cyclotomic(d, Factors::factorize(d).as_slice()));
                    }
                }
                let mut intrinsic = Vec::new();
                let order = |r| multiplicative_order(2, r).unwrap();
                denominator.intrinsic(factors, &mut PrimeOrders::new(&order), &mut intrinsic);
                for (r, exponent) in intrinsic {
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
                cyclotomic(d, Factors::factorize(d).as_slice()),
                [value],
                "d = {d}"
            );
        }
    }
}
