//! Streams of residues: m^t modulo n, one at a time or a word of digits at a time.
//!
//! x_t = m^t mod n counts the undecided nodes at depth t of the optimal decision tree of a dn from
//! dm, and the digits of 1/n in base m are d_(t+1) = floor(m x_t / n) (Knuth & Yao 1976). A word
//! takes w digits together: with M = m^w,
//!
//! ```text
//! M x = Q n + x',  0 <= x' < n
//! ```
//!
//! Q holds the next w digits of x / n in base m, and x' is the residue w rolls later. For a coin
//! the same digits can be had from the low end without any division ([`LowWords`]): for odd n and 0
//! < c <= n let q = -c/n modulo 2^64. Then q n + c is a multiple of 2^64 and
//!
//! ```text
//! c' = (q n + c) / 2^64 = floor(q n / 2^64) + 1,  0 < c' <= n,  c' = c / 2^64 modulo n.
//! ```
//!
//! Starting with c = 1 the words q are those of (2^p - 1)/n, lowest first, over and over: indeed
//! -1/n = ((2^p - 1)/n) (1 + 2^p + 2^(2p) + ...) in the 2-adic integers.

use num_bigint::BigUint;
use num_traits::One;

use super::factor::inverse_of_odd;

/// 1, m, m^2, ... modulo n, for ever. One product and one remainder per item.
#[derive(Debug, Clone)]
pub struct Residues {
    m: u64,
    n: u64,
    x: u64,
}

impl Residues {
    /// From x_0 = 1 mod n on.
    ///
    /// # Panics
    /// If n = 0.
    pub fn new(m: u64, n: u64) -> Self {
        assert!(n > 0, "a target has at least 1 side");
        Self { m, n, x: 1 % n }
    }
}

impl Iterator for Residues {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let x = self.x;
        self.x = (u128::from(x) * u128::from(self.m) % u128::from(self.n)) as u64;
        Some(x)
    }
}

/// 1, m, m^2, ... modulo a big n, for ever. O(log n) per item.
#[derive(Debug, Clone)]
pub struct BigResidues {
    m: u64,
    n: BigUint,
    x: BigUint,
}

impl BigResidues {
    /// From x_0 = 1 mod n on.
    ///
    /// # Panics
    /// If n = 0.
    pub fn new(m: u64, n: BigUint) -> Self {
        let x = BigUint::one() % &n;
        Self { m, n, x }
    }
}

impl Iterator for BigResidues {
    type Item = BigUint;

    fn next(&mut self) -> Option<BigUint> {
        let next = &self.x * self.m % &self.n;
        Some(std::mem::replace(&mut self.x, next))
    }
}

/// The digits of 1/n in base m, w at a time from the top: items (Q, x') as in the module text.
/// One division of two words by one per item.
#[derive(Debug, Clone)]
pub struct WordResidues {
    n: u64,
    x: u64,
    power: u128,
    width: u32,
}

impl WordResidues {
    /// From x = 1 mod n on, with the largest w for which m^w <= 2^64.
    ///
    /// # Panics
    /// If n = 0, m < 2 or m > 2^32.
    pub fn new(m: u64, n: u64) -> Self {
        assert!(n > 0, "a target has at least 1 side");
        let (width, power) = word_of_digits(m);
        Self {
            n,
            x: 1 % n,
            power,
            width,
        }
    }

    /// w, the number of digits in an item.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The residue before the next item.
    pub fn state(&self) -> u64 {
        self.x
    }
}

impl Iterator for WordResidues {
    type Item = (u64, u64);

    fn next(&mut self) -> Option<(u64, u64)> {
        // M x <= 2^64 (n - 1) < 2^128, and Q < M <= 2^64.
        let product = self.power * u128::from(self.x);
        let quotient = product / u128::from(self.n);
        self.x = (product % u128::from(self.n)) as u64;
        Some((quotient as u64, self.x))
    }
}

/// The largest w with m^w <= 2^64, and m^w.
///
/// # Panics
/// If m < 2 or m > 2^32.
pub fn word_of_digits(m: u64) -> (u32, u128) {
    assert!(
        (2..=1 << 32).contains(&m),
        "a source has 2 to 2^32 sides, not {m}"
    );
    let (mut width, mut power) = (0, 1u128);
    while power * u128::from(m) <= 1 << 64 {
        power *= u128::from(m);
        width += 1;
    }
    (width, power)
}

/// The words of (2^p - 1)/n from the low end, p the order of 2 modulo the odd n, over and over
/// (2-adically: the words of -1/n). Two multiplications per item, no division.
#[derive(Debug, Clone)]
pub struct LowWords {
    n: u64,
    /// -1/n modulo 2^64
    negated_inverse: u64,
    c: u64,
}

impl LowWords {
    /// From c = 1 on.
    ///
    /// # Panics
    /// If n is even.
    pub fn new(n: u64) -> Self {
        Self::starting(n, 1)
    }

    /// From any state 0 < c <= n on: the words of -c/n.
    ///
    /// # Panics
    /// If n is even, or c is not in 1..=n.
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
    use crate::number::order::multiplicative_order;
    use proptest::prelude::*;

    #[test]
    fn a_word_is_w_steps_of_one() {
        for (m, n) in [
            (2, 1),
            (2, 7),
            (3, 10),
            (6, 1000),
            (10, 97),
            (1 << 32, 1_000_003),
            (255, u64::MAX),
        ] {
            let mut words = WordResidues::new(m, n);
            let mut ones = Residues::new(m, n);
            let mut x = ones.next().unwrap();
            for _ in 0..5 {
                let mut digits = 0u128;
                for _ in 0..words.width() {
                    digits = digits * u128::from(m) + u128::from(m) * u128::from(x) / u128::from(n);
                    x = ones.next().unwrap();
                }
                assert_eq!(words.next(), Some((digits as u64, x)), "m = {m}, n = {n}");
                assert_eq!(words.state(), x);
            }
        }
    }

    #[test]
    fn big_and_small_streams_agree() {
        for (m, n) in [(2, 11), (6, 35), (10, 1), (1 << 32, u64::MAX - 58)] {
            let small = Residues::new(m, n).map(BigUint::from).take(100);
            assert!(
                BigResidues::new(m, n.into())
                    .zip(small)
                    .all(|(a, b)| a == b),
                "m = {m}, n = {n}"
            );
        }
    }

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
