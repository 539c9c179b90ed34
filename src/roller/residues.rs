//! Sequences of residues: m^t modulo n one at a time, and the binary digits of 1/n a word at a
//! time.
//!
//! The number x_t = m^t mod n of undecided nodes at depth t of the optimal decision tree for a dn
//! from a dm gives the digits of 1/n in base m: d_(t+1) = floor(m x_t / n) (Knuth & Yao 1976). For
//! a coin, 64 digits at a time can be computed from the low end without any division
//! ([`LowWords`]): for odd n and 0 < c <= n let q = -c/n modulo 2^64. Then q n + c is a multiple of
//! 2^64 and
//!
//! ```text
//! c' = (q n + c) / 2^64 = floor(q n / 2^64) + 1,  0 < c' <= n,  c' = c / 2^64 modulo n.
//! ```
//!
//! If c is 1 at the start, the words q are those of (2^p - 1)/n, lowest first, repeated forever: in
//! the 2-adic integers, -1/n = ((2^p - 1)/n) (1 + 2^p + 2^(2p) + ...).

use flipcost_number::factor::inverse_of_odd;

/// The endless sequence 1, m, m^2, ... modulo n. Cost: one product and one remainder per item.
#[derive(Debug, Clone)]
pub struct ResidueSequence {
    m: u64,
    n: u64,
    x: u64,
}

impl ResidueSequence {
    /// Creates the sequence, which starts at x_0 = 1 mod n.
    ///
    /// # Panics
    /// If n = 0.
    pub fn new(m: u64, n: u64) -> Self {
        assert!(n > 0, "a target has at least 1 side");
        Self { m, n, x: 1 % n }
    }
}

impl Iterator for ResidueSequence {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let x = self.x;
        self.x = (u128::from(x) * u128::from(self.m) % u128::from(self.n)) as u64;
        Some(x)
    }
}

/// The words of (2^p - 1)/n from the low end, repeated forever, where p is the order of 2 modulo
/// the odd n; in the 2-adic integers these are the words of -1/n. Cost: two multiplications per
/// item, without a division.
#[derive(Debug, Clone)]
pub struct LowWords {
    n: u64,
    /// -1/n modulo 2^64
    negated_inverse: u64,
    c: u64,
}

impl LowWords {
    /// Creates the sequence, which starts at c = 1.
    ///
    /// # Panics
    /// If n is even.
    pub fn new(n: u64) -> Self {
        Self::starting(n, 1)
    }

    /// Creates the sequence that starts at any state 0 < c <= n: the words of -c/n.
    ///
    /// # Panics
    /// If n is even, or c is 0 or above n.
    pub fn starting(n: u64, c: u64) -> Self {
        assert!(n % 2 == 1, "the low end of 1/n needs an odd n, not {n}");
        assert!(0 < c && c <= n, "a state lies in 1..={n}, not {c}");
        Self {
            n,
            negated_inverse: inverse_of_odd(n).wrapping_neg(),
            c,
        }
    }
}

impl Iterator for LowWords {
    type Item = u64;

    #[inline]
    fn next(&mut self) -> Option<u64> {
        let q = self.c.wrapping_mul(self.negated_inverse);
        self.c = ((u128::from(q) * u128::from(self.n)) >> 64) as u64 + 1;
        Some(q)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flipcost_number::BigUint;
    use flipcost_number::order::multiplicative_order;
    use num_traits::One;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_low_words_are_those_of_the_period(half in 0u64..5000) {
            let n = 2 * half + 1;
            let p = multiplicative_order(2, n).unwrap();
            let period = ((BigUint::one() << p) - 1u32) / n;
            let mut all = BigUint::default();
            for i in 0..3 {
                all += &period << (p * i);
            }
            let words = (3 * p / 64) as usize;
            let expected = all.iter_u64_digits().chain(std::iter::repeat(0)).take(words);
            prop_assert!(LowWords::new(n).take(words).eq(expected));
        }
    }
}
