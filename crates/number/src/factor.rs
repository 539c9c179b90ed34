//! Finds the prime factors of a number. Every multiplicative order is computed from prime factors.
//!
//! **Machine words.** Trial division by small primes, then Brent's variant of Pollard's rho (Brent
//! 1980, BIT 20) with a deterministic Miller-Rabin test. All products are computed by Montgomery's
//! method (1985), so that the loops contain no division.
//!
//! **Big integers.** The same methods, within a work limit: [`factor_big`] returns `None` when it
//! gives up; it never guesses a factorisation. The primes that it finds above 3.3 * 10^24 are
//! *probable* primes in the sense of Baillie, Pomerance, Selfridge and Wagstaff (a strong
//! Miller-Rabin test to fixed bases and a strong Lucas test): no composite number is known that
//! passes both tests, but such numbers may exist.

use crate::budget::spend;
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Zero};

/// Arithmetic modulo an odd n without divisions (Montgomery 1985). A number x is represented by its
/// image x 2^64 mod n.
#[derive(Debug, Clone, Copy)]
pub struct Montgomery {
    n: u64,
    /// -1/n modulo 2^64
    negated_inverse: u64,
    /// 2^64 mod n, the image of 1
    one: u64,
    /// 2^128 mod n; multiplying by it gives the image of a number
    square: u64,
}

impl Montgomery {
    /// Prepares the arithmetic for an odd modulus n >= 1.
    ///
    /// # Panics
    /// If n is even.
    pub fn new(n: u64) -> Self {
        assert!(
            n % 2 == 1,
            "Montgomery's representation needs an odd modulus, not {n}"
        );
        let one = ((1u128 << 64) % u128::from(n)) as u64;
        let square = (u128::from(one) * u128::from(one) % u128::from(n)) as u64;
        Self {
            n,
            negated_inverse: inverse_of_odd(n).wrapping_neg(),
            one,
            square,
        }
    }

    /// The image of 1.
    pub fn one(&self) -> u64 {
        self.one
    }

    /// Returns the image of any word x.
    pub fn enter(&self, x: u64) -> u64 {
        self.mul(x % self.n, self.square)
    }

    /// Returns the number whose image is x.
    pub fn leave(&self, x: u64) -> u64 {
        self.mul(x, 1)
    }

    /// Returns the image of the product of two numbers, given by their images. Cost: two
    /// multiplications of words and a correction.
    #[inline]
    pub fn mul(&self, a: u64, b: u64) -> u64 {
        let product = u128::from(a) * u128::from(b);
        let q = (product as u64).wrapping_mul(self.negated_inverse);
        let lifted = u128::from(q) * u128::from(self.n);
        // The low words of the two summands cancel: their sum is 0 if the low word is 0, and
        // otherwise 2^64.
        let carry = u128::from(product as u64 != 0);
        let high = (product >> 64) + (lifted >> 64) + carry;
        let n = u128::from(self.n);
        (if high >= n { high - n } else { high }) as u64
    }

    /// Returns the image of x^exponent; x is given by its image. Cost: O(log exponent) products.
    pub fn pow(&self, x: u64, mut exponent: u64) -> u64 {
        let (mut base, mut power) = (x, self.one);
        while exponent > 0 {
            if exponent & 1 == 1 {
                power = self.mul(power, base);
            }
            base = self.mul(base, base);
            exponent >>= 1;
        }
        power
    }

    /// Raises several numbers to the same power, as [`Montgomery::pow`] does. The products are
    /// interleaved, since processors can start a product before the previous one has ended.
    pub fn powers<const N: usize>(&self, x: [u64; N], exponent: u64) -> [u64; N] {
        let mut power = [self.one; N];
        for bit in (0..u64::BITS - exponent.leading_zeros()).rev() {
            for power in &mut power {
                *power = self.mul(*power, *power);
            }
            if exponent >> bit & 1 == 1 {
                for (power, &x) in power.iter_mut().zip(&x) {
                    *power = self.mul(*power, x);
                }
            }
        }
        power
    }
}

/// Computes 1/n modulo 2^64 for odd n, by Newton's iteration: each step doubles the number of
/// correct bits.
#[inline]
pub fn inverse_of_odd(n: u64) -> u64 {
    let mut x = n.wrapping_mul(3) ^ 2; // correct to 5 bits
    for _ in 0..4 {
        x = x.wrapping_mul(2u64.wrapping_sub(n.wrapping_mul(x)));
    }
    x
}

/// base^exponent mod n, for any n >= 1. O(log exponent) products of words.
pub fn pow_mod(base: u64, mut exponent: u64, n: u64) -> u64 {
    if n % 2 == 1 {
        let ring = Montgomery::new(n);
        return ring.leave(ring.pow(ring.enter(base), exponent));
    }
    let n = u128::from(n);
    let (mut square, mut power) = (u128::from(base) % n, 1 % n);
    while exponent > 0 {
        if exponent & 1 == 1 {
            power = power * square % n;
        }
        square = square * square % n;
        exponent >>= 1;
    }
    power as u64
}

/// The greatest common divisor of two words, by shifts and subtractions (Stein 1967); gcd(0, x) =
/// x. Cost: O(log a + log b) steps.
#[inline]
pub fn gcd_words(mut a: u64, mut b: u64) -> u64 {
    if a == 0 || b == 0 {
        return a | b;
    }
    let twos = (a | b).trailing_zeros();
    a >>= a.trailing_zeros();
    while b != 0 {
        b >>= b.trailing_zeros();
        (a, b) = (a.min(b), a.abs_diff(b));
    }
    a << twos
}

/// The least common multiple of two words.
///
/// # Panics
/// If the multiple does not fit in 64 bits (in every build).
pub(crate) fn lcm_words(a: u64, b: u64) -> u64 {
    if a == 0 || b == 0 {
        return 0;
    }
    if (a | b) >> 32 == 0 {
        return lcm_short(a as u32, b as u32);
    }
    (a / gcd_words(a, b))
        .checked_mul(b)
        .unwrap_or_else(|| panic!("lcm({a}, {b}) exceeds 64 bits"))
}

/// The least common multiple of two positive 32-bit numbers. The order modulo a small prime is
/// short, so one division makes the other number equally short.
#[inline]
fn lcm_short(a: u32, b: u32) -> u64 {
    let twos = a.trailing_zeros().max(b.trailing_zeros());
    let (a, b) = (a >> a.trailing_zeros(), b >> b.trailing_zeros());
    let (small, large) = (a.min(b), a.max(b));
    if small == 1 {
        return u64::from(large) << twos;
    }
    let rest = large % small;
    if rest == 0 {
        return u64::from(large) << twos;
    }
    let (mut g, mut h) = (small, rest >> rest.trailing_zeros());
    while g != h {
        let difference = g.abs_diff(h);
        g = g.min(h);
        h = difference >> difference.trailing_zeros();
    }
    let cofactor = if g == 1 { small } else { small / g };
    (u64::from(cofactor) * u64::from(large)) << twos
}

/// The first thirteen primes. As Miller-Rabin bases they prove or disprove that n is prime for
/// every n below 3,317,044,064,679,887,385,961,981, which includes every word (Sorenson & Webster
/// 2015).
const MILLER_RABIN_BASES: [u64; 13] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41];

/// Checks whether n is prime; the answer is proved for every n < 2^64 (Miller 1976, Rabin 1980;
/// bases by Sorenson & Webster 2015). Cost: O(log n) products.
pub fn is_prime(n: u64) -> bool {
    if n < 2 {
        return false;
    }
    for p in MILLER_RABIN_BASES {
        if n.is_multiple_of(p) {
            return n == p;
        }
    }
    if n < 43 * 43 {
        return true;
    }
    let ring = Montgomery::new(n);
    let minus_one = n - ring.one();
    let twos = (n - 1).trailing_zeros();
    MILLER_RABIN_BASES[..12].iter().all(|&base| {
        let mut x = ring.pow(ring.enter(base), (n - 1) >> twos);
        if x == ring.one() || x == minus_one {
            return true;
        }
        for _ in 1..twos {
            x = ring.mul(x, x);
            if x == minus_one {
                return true;
            }
        }
        false
    })
}

/// The prime factors of n with their exponents, in increasing order; empty for n = 1.
///
/// Method: trial division to 211, then Brent's rho. Expected cost: O(sqrt(q)) products, where q is
/// the second largest prime factor, thus at most O(n^(1/4)). The cost is heuristic; the result is
/// proved.
///
/// # Panics
/// If n = 0, which has no factorisation.
pub fn factor(n: u64) -> Vec<(u64, u32)> {
    assert!(n > 0, "0 has no factorisation");
    spend(200);
    let mut rest = n;
    let mut factors = Vec::new();
    for p in
        (2..=211).filter(|p| [2, 3, 5, 7].contains(p) || (p % 2 * (p % 3) * (p % 5) * (p % 7) != 0))
    {
        if p * p > rest {
            break;
        }
        let mut exponent = 0;
        while rest.is_multiple_of(p) {
            rest /= p;
            exponent += 1;
        }
        if exponent > 0 {
            factors.push((p, exponent));
        }
    }
    let mut primes = Vec::new();
    split_into_primes(rest, &mut primes);
    primes.sort_unstable();
    for p in primes {
        match factors.last_mut() {
            Some((q, exponent)) if *q == p => *exponent += 1,
            _ => factors.push((p, 1)),
        }
    }
    factors
}

/// Appends the prime factors of n, with repetition. Each prime factor of n must exceed 211, or n
/// must be below 211^2.
fn split_into_primes(n: u64, primes: &mut Vec<u64>) {
    if n == 1 {
        return;
    }
    if n < 211 * 211 || is_prime(n) {
        primes.push(n);
        return;
    }
    let root = n.isqrt();
    if root * root == n {
        split_into_primes(root, primes);
        split_into_primes(root, primes);
        return;
    }
    let factor = (1..)
        .find_map(|constant| rho_factor(n, constant))
        .expect("some constant splits n");
    split_into_primes(factor, primes);
    split_into_primes(n / factor, primes);
}

/// Finds a proper factor of an odd composite n from the sequence x -> x^2 + constant; `None` if the
/// sequence repeats modulo all prime factors at the same step.
fn rho_factor(n: u64, constant: u64) -> Option<u64> {
    let ring = Montgomery::new(n);
    let c = ring.enter(constant);
    let step = |x: u64| {
        let square = ring.mul(x, x);
        if square >= n - c {
            square - (n - c)
        } else {
            square + c
        }
    };
    let mut y = ring.enter(2);
    let mut length = 1u64;
    loop {
        let x = y;
        for _ in 0..length {
            y = step(y);
        }
        let mut done = 0;
        while done < length {
            let start = y;
            let batch = (length - done).min(128);
            let mut product = ring.one();
            for _ in 0..batch {
                y = step(y);
                product = ring.mul(product, x.abs_diff(y));
            }
            let g = gcd_words(product, n);
            if g > 1 && g < n {
                return Some(g);
            }
            if g == n {
                // The product of the batch is 0 modulo n: repeat the batch one factor at a time.
                y = start;
                for _ in 0..batch {
                    y = step(y);
                    let g = gcd_words(x.abs_diff(y), n);
                    if g == n {
                        return None;
                    }
                    if g > 1 {
                        return Some(g);
                    }
                }
            }
            done += batch;
        }
        length *= 2;
    }
}

/// The prime factors of n with their exponents, in increasing order. Returns `None` for n = 0, or
/// if some factor would need more than `limit` steps of Brent's rho.
///
/// Trial division to 2^16 comes first. Primes above 3.3 * 10^24 in the answer are probable primes
/// (see the module); smaller ones are proved. A step takes about four products modulo n; a factor q
/// needs about sqrt(q) steps, so a limit of 10^6 finds factors of up to about 12 digits.
pub fn factor_big(n: &BigUint, limit: u64) -> Option<Vec<(BigUint, u32)>> {
    if n.is_zero() {
        return None;
    }
    if let Ok(word) = u64::try_from(n) {
        return Some(
            factor(word)
                .into_iter()
                .map(|(p, k)| (p.into(), k))
                .collect(),
        );
    }
    let mut rest = n.clone();
    let mut primes: Vec<BigUint> = Vec::new();
    let mut p = 2u32;
    while p < 1 << 16 && !rest.is_one() {
        while (&rest % p).is_zero() {
            rest /= p;
            primes.push(p.into());
        }
        p += if p == 2 { 1 } else { 2 };
    }
    split_big_into_primes(rest, limit, &mut primes)?;
    primes.sort_unstable();
    let mut factors: Vec<(BigUint, u32)> = Vec::new();
    for p in primes {
        match factors.last_mut() {
            Some((q, exponent)) if *q == p => *exponent += 1,
            _ => factors.push((p, 1)),
        }
    }
    Some(factors)
}

fn split_big_into_primes(n: BigUint, limit: u64, primes: &mut Vec<BigUint>) -> Option<()> {
    if let Ok(word) = u64::try_from(&n) {
        for (p, k) in factor(word) {
            primes.extend((0..k).map(|_| BigUint::from(p)));
        }
        return Some(());
    }
    if is_probable_prime(&n) {
        primes.push(n);
        return Some(());
    }
    let root = n.sqrt();
    if &root * &root == n {
        split_big_into_primes(root.clone(), limit, primes)?;
        return split_big_into_primes(root, limit, primes);
    }
    let factor = (1u32..=3).find_map(|constant| rho_factor_of_big(&n, constant, limit))?;
    let other = &n / &factor;
    split_big_into_primes(factor, limit, primes)?;
    split_big_into_primes(other, limit, primes)
}

fn rho_factor_of_big(n: &BigUint, constant: u32, limit: u64) -> Option<BigUint> {
    let step = |x: &BigUint| (x * x + constant) % n;
    let distance = |x: &BigUint, y: &BigUint| if x > y { x - y } else { y - x };
    let (mut y, mut length, mut spent) = (BigUint::from(2u32), 1u64, 0u64);
    loop {
        let x = y.clone();
        for _ in 0..length {
            y = step(&y);
        }
        let mut done = 0;
        while done < length {
            let start = y.clone();
            let batch = (length - done).min(256);
            let mut product = BigUint::one();
            for _ in 0..batch {
                y = step(&y);
                product = product * distance(&x, &y) % n;
            }
            if !product.gcd(n).is_one() {
                y = start;
                loop {
                    y = step(&y);
                    let g = distance(&x, &y).gcd(n);
                    if &g == n {
                        return None;
                    }
                    if !g.is_one() {
                        return Some(g);
                    }
                }
            }
            done += batch;
        }
        spent += 2 * length;
        if spent >= limit {
            return None;
        }
        length *= 2;
    }
}

/// Checks whether n is prime: proved below 3.3 * 10^24; above, "probably" in the sense of the
/// module documentation (strong tests to thirteen bases, and a strong Lucas test: Baillie &
/// Wagstaff 1980).
pub(crate) fn is_probable_prime(n: &BigUint) -> bool {
    if let Ok(word) = u64::try_from(n) {
        return is_prime(word);
    }
    if MILLER_RABIN_BASES.iter().any(|&p| (n % p).is_zero()) {
        return false;
    }
    let minus_one = n - 1u32;
    let twos = minus_one.trailing_zeros().expect("n > 1");
    let odd = &minus_one >> twos;
    let strong = MILLER_RABIN_BASES.iter().all(|&base| {
        let mut x = BigUint::from(base).modpow(&odd, n);
        if x.is_one() || x == minus_one {
            return true;
        }
        for _ in 1..twos {
            x = &x * &x % n;
            if x == minus_one {
                return true;
            }
        }
        false
    });
    strong && is_strong_lucas_probable_prime(n)
}

/// The strong Lucas test with Selfridge's parameters, for odd n > 2^64 without small factors.
fn is_strong_lucas_probable_prime(n: &BigUint) -> bool {
    let root = n.sqrt();
    if &root * &root == *n {
        return false; // no smaller D has (D/n) = -1
    }
    let modulus = BigInt::from(n.clone());
    let mut magnitude = 5i64;
    let d = loop {
        let d = if magnitude % 4 == 1 {
            magnitude
        } else {
            -magnitude
        };
        match jacobi(&BigInt::from(d), n) {
            -1 => break d,
            0 => return false, // |D| is small and n > 2^64, so the common factor is proper
            _ => magnitude += 2,
        }
    };
    let q = BigInt::from((1 - d) / 4);
    let d = BigInt::from(d);
    let halve = |x: BigInt| -> BigInt {
        if x.is_odd() {
            (x + &modulus) >> 1
        } else {
            x >> 1
        }
    };
    let order = n + 1u32;
    let twos = order.trailing_zeros().expect("n + 1 > 0");
    let odd = &order >> twos;
    // Computes (U_k, V_k, Q^k) from the top bit of k down, with P = 1.
    let (mut u, mut v, mut power) = (BigInt::one(), BigInt::one(), q.mod_floor(&modulus));
    for bit in (0..odd.bits() - 1).rev() {
        (u, v) = (
            (&u * &v).mod_floor(&modulus),
            (&v * &v - (&power << 1u32)).mod_floor(&modulus),
        );
        power = (&power * &power).mod_floor(&modulus);
        if odd.bit(bit) {
            (u, v) = (
                halve((&u + &v).mod_floor(&modulus)).mod_floor(&modulus),
                halve((&d * &u + &v).mod_floor(&modulus)).mod_floor(&modulus),
            );
            power = (&power * &q).mod_floor(&modulus);
        }
    }
    if u.is_zero() || v.is_zero() {
        return true;
    }
    for _ in 1..twos {
        v = (&v * &v - (&power << 1u32)).mod_floor(&modulus);
        if v.is_zero() {
            return true;
        }
        power = (&power * &power).mod_floor(&modulus);
    }
    false
}

/// The Jacobi symbol (a/n) for odd n > 0.
fn jacobi(a: &BigInt, n: &BigUint) -> i32 {
    let mut n = BigInt::from(n.clone());
    let mut a = a.mod_floor(&n);
    let mut sign = 1;
    while !a.is_zero() {
        let twos = a.trailing_zeros().expect("a > 0");
        a >>= twos;
        let n_mod_8 = low_word(&n) & 7;
        if twos % 2 == 1 && (n_mod_8 == 3 || n_mod_8 == 5) {
            sign = -sign;
        }
        if low_word(&a) & 3 == 3 && n_mod_8 & 3 == 3 {
            sign = -sign;
        }
        std::mem::swap(&mut a, &mut n);
        a = a.mod_floor(&n);
    }
    if n.is_one() { sign } else { 0 }
}

fn low_word(x: &BigInt) -> u64 {
    x.iter_u64_digits().next().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn is_prime_by_definition(n: u64) -> bool {
        n > 1
            && (2..n)
                .take_while(|d| d * d <= n)
                .all(|d| !n.is_multiple_of(d))
    }

    #[test]
    fn small_numbers_by_definition() {
        for n in 1..20_000 {
            assert_eq!(is_prime(n), is_prime_by_definition(n), "n = {n}");
            let factors = factor(n);
            assert_eq!(factors.iter().map(|&(p, k)| p.pow(k)).product::<u64>(), n);
            assert!(
                factors.is_sorted_by(|a, b| a.0 < b.0),
                "n = {n}: {factors:?}"
            );
            assert!(
                factors
                    .iter()
                    .all(|&(p, k)| k > 0 && is_prime_by_definition(p)),
                "n = {n}"
            );
        }
    }

    #[test]
    fn strong_pseudoprimes_and_the_edge_of_a_word() {
        // Jaeschke 1993: the least strong pseudoprimes to the first 4, 8 and 9 primes.
        for n in [
            3_215_031_751,
            341_550_071_728_321,
            3_825_123_056_546_413_051,
        ] {
            assert!(!is_prime(n));
        }
        assert!(is_prime(18_446_744_073_709_551_557)); // the largest prime below 2^64
        assert!(!is_prime(u64::MAX));
        assert_eq!(
            factor(u64::MAX).iter().map(|f| f.0).collect::<Vec<_>>(),
            [3, 5, 17, 257, 641, 65537, 6_700_417]
        );
        assert_eq!(factor(4_294_967_291 * 4_294_967_291), [(4_294_967_291, 2)]);
        assert_eq!(
            factor(1_000_000_000_000_000_009),
            [(1_000_000_000_000_000_009, 1)]
        );
        assert_eq!(factor(223u64.pow(8)), [(223, 8)]);
    }

    #[test]
    fn big_numbers_are_factored() {
        let mersenne = |p: u32| (BigUint::one() << p) - 1u32;
        assert!(is_probable_prime(&mersenne(89)) && is_probable_prime(&mersenne(127)));
        assert!(
            !is_probable_prime(&mersenne(101))
                && !is_probable_prime(&(mersenne(89) * mersenne(89)))
        );
        // 2^101 - 1 = 7432339208719 * 341117531003194129 (Lucas)
        let factors = factor_big(&mersenne(101), 1 << 23).unwrap();
        assert_eq!(
            factors,
            [
                (7_432_339_208_719u64.into(), 1),
                (341_117_531_003_194_129u64.into(), 1)
            ]
        );
        assert_eq!(factor_big(&(mersenne(89) * mersenne(107)), 10_000), None);
        assert_eq!(
            factor_big(&(BigUint::from(65537u32).pow(6)), 10_000),
            Some(vec![(65537u32.into(), 6)])
        );
    }

    proptest! {
        #[test]
        fn factors_multiply_back(n in 1u64..) {
            let factors = factor(n);
            prop_assert_eq!(factors.iter().map(|&(p, k)| p.pow(k)).product::<u64>(), n);
            prop_assert!(factors.iter().all(|f| is_prime(f.0)));
        }

        #[test]
        fn products_of_two_primes_are_factored(a in 1u64..1 << 32, b in 1u64..1 << 32) {
            let next = |x: u64| (x..).find(|&p| is_prime(p)).unwrap();
            let (p, q) = (next(a), next(b).min((1 << 32) - 5));
            if p != q && p < 1 << 32 {
                prop_assert_eq!(factor(p * q), vec![(p.min(q), 1), (p.max(q), 1)]);
            }
        }

        #[test]
        fn powers_and_gcds_follow_their_definitions(base: u64, exponent in 0u64..40, n in 1u64.., a: u64, b: u64) {
            let mut expected = 1 % n;
            for _ in 0..exponent {
                expected = (u128::from(expected) * u128::from(base) % u128::from(n)) as u64;
            }
            prop_assert_eq!(pow_mod(base, exponent, n), expected);
            prop_assert_eq!(gcd_words(a, b), num_integer::gcd(a, b));
            prop_assert_eq!((n | 1).wrapping_mul(inverse_of_odd(n | 1)), 1);
        }
    }
}
