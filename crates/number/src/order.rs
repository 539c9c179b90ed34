//! The powers of a source m modulo a target n: the pre-period and the multiplicative order.
//!
//! The sequence 1, m, m^2, ... modulo n runs through a *pre-period* of s steps and then repeats a
//! cycle of p steps, the *period*. Write n' = n / gcd(n, m^s) with s so large that n' is coprime to
//! m:
//!
//! ```text
//! s = max over primes q | gcd(n, m) of ceil(v_q(n) / v_q(m))
//! p = the multiplicative order of m modulo n'
//! ```
//!
//! (`proofs/Period.v, period_is_order`.)
//!
//! The period p is computed from the prime factors of n', without stepping through the cycle. The
//! order modulo a prime q divides q - 1: start with q - 1, and remove prime factors while the power
//! of m stays 1. The order modulo q^k is the order modulo q times a power of q, and the order
//! modulo a product of coprime factors is the least common multiple of their orders.
//!
//! If -1 is a power of m modulo n' > 2, then p is even, m^(p/2) = -1, and the solutions h of m^h =
//! -1 are the odd multiples of p/2 (`proofs/HalfPeriod.v, half_of_order`). Half a period then
//! determines the rest.

use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};

use super::factor::{factor, factor_big, gcd_words, lcm_words, pow_mod};

/// The cycle structure of the powers of m modulo n.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Orbit {
    /// The number of rolls before the cycle: the least s for which n / gcd(n, m^s) is coprime to m.
    pub pre_period: u64,
    /// The number of rolls in the cycle: the order of m modulo n'; 1 if n' = 1.
    pub period: u64,
    /// Whether n' > 2 and -1 is a power of m modulo n'.
    pub minus_one: bool,
}

impl Orbit {
    /// The least h > 0 with m^h = -1 modulo n', if there is one and n' > 2.
    pub fn half_period(&self) -> Option<u64> {
        self.minus_one.then_some(self.period / 2)
    }
}

/// The cycle structure of the powers of m modulo a big n; see [`Orbit`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BigOrbit {
    /// The number of rolls before the cycle.
    pub pre_period: u64,
    /// The number of rolls in the cycle.
    pub period: BigUint,
    /// Whether n' > 2 and -1 is a power of m modulo n'.
    pub minus_one: bool,
}

/// Returns the part of n that is coprime to m: n' = n / gcd(n, m^s), where s is the pre-period.
/// Cost: O(log n) greatest common divisors.
pub fn coprime_part(m: u64, mut n: u64) -> u64 {
    loop {
        let g = gcd_words(n, m);
        if g <= 1 {
            return n;
        }
        n /= g;
    }
}

/// Returns the least s for which n / gcd(n, m^s) is coprime to m; s is 0 if and only if m and n are
/// coprime. Cost: O(log n) greatest common divisors.
pub fn pre_period(m: u64, mut n: u64) -> u64 {
    // n_0 = n and n_(s+1) = n_s / gcd(n_s, m) give n_s = n / gcd(n, m^s): each step reduces the
    // exponent of each prime q in m by its exponent in m, down to 0.
    let mut steps = 0;
    loop {
        let g = gcd_words(n, m);
        if g <= 1 {
            return steps;
        }
        n /= g;
        steps += 1;
    }
}

/// Returns the least p > 0 with m^p = 1 modulo n; `None` if m and n have a common factor, or n = 0.
/// For n = 1 the result is 1. Cost: factoring n, and q - 1 for each prime factor q of n, which
/// takes about n^(1/4) products at worst.
pub fn multiplicative_order(m: u64, n: u64) -> Option<u64> {
    if n == 0 || gcd_words(m, n) != 1 {
        return None;
    }
    Some(
        factor(n)
            .into_iter()
            .map(|(q, k)| order_mod_prime_power(m, q, k))
            .fold(1, lcm_words),
    )
}

/// Returns the order of m modulo the prime q, from the prime factors of q - 1; q must not divide m.
pub(crate) fn order_mod_prime(m: u64, q: u64) -> u64 {
    let mut order = q - 1;
    for (r, k) in factor(q - 1) {
        for _ in 0..k {
            if pow_mod(m, order / r, q) != 1 {
                break;
            }
            order /= r;
        }
    }
    order
}

/// Returns the order of m modulo q^k, for a prime q that does not divide m. It is the order modulo
/// q times a power of q (for q = 2, a power of 2), found by lifting: m^o = 1 mod q^(k-1) gives
/// m^(oq) = 1 mod q^k.
pub(crate) fn order_mod_prime_power(m: u64, q: u64, k: u32) -> u64 {
    let n = q.pow(k);
    let mut order = order_mod_prime(m, q);
    while pow_mod(m, order, n) != 1 % n {
        order *= q;
    }
    order
}

/// Returns the number of rolls in the cycle: the order of m modulo n' (1 for n' = 1). Cost: as
/// [`multiplicative_order`].
///
/// # Panics
/// If n = 0 or m < 2.
pub fn period(m: u64, n: u64) -> u64 {
    assert!(
        m >= 2 && n >= 1,
        "a source has at least 2 sides and a target at least 1, not {m} and {n}"
    );
    multiplicative_order(m, coprime_part(m, n)).expect("n' is coprime to m")
}

/// Returns the pre-period, the period and whether -1 is a power of m. Cost: as
/// [`multiplicative_order`].
///
/// ```
/// use flipcost_number::order::{Orbit, orbit};
/// assert_eq!(orbit(2, 6), Orbit { pre_period: 1, period: 2, minus_one: true }); // 1; 2, 4, 2, 4, ...
/// ```
///
/// # Panics
/// If n = 0 or m < 2.
pub fn orbit(m: u64, n: u64) -> Orbit {
    let period = period(m, n);
    let rest = coprime_part(m, n);
    let minus_one =
        rest > 2 && period.is_multiple_of(2) && pow_mod(m, period / 2, rest) == rest - 1;
    Orbit {
        pre_period: pre_period(m, n),
        period,
        minus_one,
    }
}

/// Returns the greatest common divisor of 0 < m <= 2^64 and a big n. Cost: one division by m.
pub fn gcd_with_word(m: impl Into<u128>, n: &BigUint) -> u128 {
    let m = m.into();
    m.gcd(&(n % m).to_u128().expect("a residue of m"))
}

/// The prime factors of a source of 2 <= m <= 2^64 sides, with their exponents.
fn primes_of_source(m: u128) -> Vec<(u64, u32)> {
    match u64::try_from(m) {
        Ok(m) => factor(m),
        Err(_) => {
            assert_eq!(m, 1 << 64, "a source has at most 2^64 sides");
            vec![(2, 64)]
        }
    }
}

/// Computes [`coprime_part`] and [`pre_period`] for a big n. For each prime q let e be its exponent
/// in m and v its exponent in n: the pre-period is the largest ceil(v / e). Cost: for each q about
/// 2 log2 v divisions of n.
///
/// # Panics
/// If m > 2^64.
pub fn coprime_part_big(m: impl Into<u128>, n: &BigUint) -> (BigUint, u64) {
    let m = m.into();
    let (mut rest, mut steps) = (n.clone(), 0);
    if n.is_zero() || m < 2 {
        return (rest, steps);
    }
    for (q, e) in primes_of_source(m) {
        let times;
        (rest, times) = remove_factor(rest, q);
        steps = steps.max(times.div_ceil(u64::from(e)));
    }
    (rest, steps)
}

/// Removes all factors q > 1 from n > 0; returns the rest and the number of factors. n is divided
/// by q, q^2, q^4, ... as long as possible, and then by the same powers downwards, each at most
/// once.
fn remove_factor(n: BigUint, q: u64) -> (BigUint, u64) {
    if q == 2 {
        let times = n.trailing_zeros().unwrap_or(0);
        return (n >> times, times);
    }
    let (mut rest, mut times) = (n, 0);
    let mut divide = |power: &BigUint, i: usize| {
        let (quotient, remainder) = rest.div_rem(power);
        let divides = remainder.is_zero();
        if divides {
            rest = quotient;
            times += 1 << i;
        }
        divides
    };
    let mut powers = vec![BigUint::from(q)];
    while divide(&powers[powers.len() - 1], powers.len() - 1) {
        powers.push(powers[powers.len() - 1].pow(2));
    }
    for (i, power) in powers.iter().enumerate().rev().skip(1) {
        divide(power, i);
    }
    (rest, times)
}

/// Returns the least k with m^k >= n: the least number of rolls with at least n possible results.
/// Cost: one power, and a few more products.
pub fn ceil_log(m: impl Into<u128>, n: &BigUint) -> u32 {
    let m = m.into();
    if m > 1 && m.is_power_of_two() && !n.is_zero() {
        let k = (n - 1u8).bits().div_ceil(m.trailing_zeros().into());
        return u32::try_from(k).expect("a number of less than 2^32 bits");
    }
    // If b is the number of bits of m^64, then 64 log2 m < b, so m^(64 (bits - 1) / b) < 2^(bits -
    // 1) <= n.
    let b = BigUint::from(m).pow(64).bits();
    let least = u128::from(n.bits().max(1) - 1) * 64 / u128::from(b);
    let mut k = u32::try_from(least).expect("a number of less than 2^32 bits");
    let mut power = BigUint::from(m).pow(k);
    while power < *n {
        power *= m;
        k += 1;
    }
    k
}

/// Computes [`orbit`] for a big n. Returns `None` if n = 0 or m < 2, or if factoring n' or some q -
/// 1 takes more than `limit` steps. See `factor_big`, also about primes above 3.3 * 10^24.
pub fn orbit_big(m: impl Into<u128>, n: &BigUint, limit: u64) -> Option<BigOrbit> {
    let m = m.into();
    if n.is_zero() || m < 2 {
        return None;
    }
    let (rest, pre_period) = coprime_part_big(m, n);
    if let Some(rest) = rest.to_u64() {
        // The powers of m modulo the rest are the powers of its residue.
        let base = (m % u128::from(rest)) as u64;
        let small = (base > 1).then(|| orbit(base, rest));
        return Some(BigOrbit {
            pre_period,
            period: small.map_or(1, |small| small.period).into(),
            minus_one: small.is_some_and(|small| small.minus_one),
        });
    }
    let base = BigUint::from(m);
    let mut period = BigUint::one();
    for (q, k) in factor_big(&rest, limit)? {
        let mut order = &q - 1u32;
        for (r, j) in factor_big(&order, limit)? {
            for _ in 0..j {
                let smaller = &order / &r;
                if !base.modpow(&smaller, &q).is_one() {
                    break;
                }
                order = smaller;
            }
        }
        let power = q.pow(k);
        while !(base.modpow(&order, &power) % &power).is_one() {
            order *= &q;
        }
        period = period.lcm(&order);
    }
    let minus_one = rest > BigUint::from(2u32)
        && period.is_even()
        && base.modpow(&(&period >> 1), &rest) == &rest - 1u32;
    Some(BigOrbit {
        pre_period,
        period,
        minus_one,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn ceil_log_is_the_least_exponent(m in 2u64..40, n in 1u64..) {
            let powers = std::iter::successors(Some(1u128), |power| Some(power * u128::from(m)));
            let least = powers.take_while(|power| *power < n.into()).count();
            prop_assert_eq!(ceil_log(m, &n.into()) as usize, least);
        }
    }

    /// The definition of an orbit: step until a residue repeats.
    fn orbit_by_walking(m: u64, n: u64) -> Orbit {
        let mut first_seen = vec![None; n as usize];
        let (mut x, mut t) = (1 % n, 0u64);
        loop {
            if let Some(start) = first_seen[x as usize] {
                let rest = coprime_part(m, n);
                let minus_one = rest > 2
                    && (0..n)
                        .filter(|&x| first_seen[x as usize].is_some())
                        .any(|x| x % rest == rest - 1);
                return Orbit {
                    pre_period: start,
                    period: t - start,
                    minus_one,
                };
            }
            first_seen[x as usize] = Some(t);
            x = x * m % n;
            t += 1;
        }
    }

    #[test]
    fn orbits_by_walking() {
        for m in 2..=36 {
            for n in 1..=400 {
                let expected = orbit_by_walking(m, n);
                assert_eq!(orbit(m, n), expected, "m = {m}, n = {n}");
                let big = orbit_big(m, &n.into(), 1000).unwrap();
                assert_eq!(big.period, expected.period.into());
                assert_eq!(
                    (big.pre_period, big.minus_one),
                    (expected.pre_period, expected.minus_one)
                );
                let coprime = gcd_words(m, n) == 1;
                assert_eq!(
                    multiplicative_order(m, n),
                    coprime.then_some(expected.period)
                );
            }
        }
    }

    #[test]
    fn wieferich_primes_do_not_lift_their_order() {
        for (m, q) in [(2, 1093), (2, 3511), (3, 11), (3, 1_006_003), (10, 487)] {
            assert_eq!(
                multiplicative_order(m, q * q),
                multiplicative_order(m, q),
                "m = {m}, q = {q}"
            );
        }
        assert_eq!(
            multiplicative_order(2, 1093 * 1093 * 1093),
            Some(364 * 1093)
        );
    }

    #[test]
    fn orders_modulo_large_numbers() {
        assert_eq!(multiplicative_order(2, 100_000_037), Some(100_000_036));
        assert_eq!(multiplicative_order(2, u64::MAX), Some(64));
        let f128 = (BigUint::one() << 64) + 1u32; // 2^64 = -1
        let orbit = orbit_big(2u8, &(f128 << 7u32), 1 << 20).unwrap();
        assert_eq!(
            orbit,
            BigOrbit {
                pre_period: 7,
                period: 128u32.into(),
                minus_one: true
            }
        );
        assert_eq!(orbit_big(2u8, &BigUint::zero(), 10), None);
    }

    proptest! {
        #[test]
        fn an_order_is_an_exponent_and_the_least(m in 2u64..=1 << 32, n in 1u64..) {
            let Some(order) = multiplicative_order(m, n) else {
                prop_assert!(gcd_words(m, n) > 1);
                return Ok(());
            };
            prop_assert_eq!(pow_mod(m, order, n), 1 % n);
            for (r, _) in factor(order) {
                prop_assert!(pow_mod(m, order / r, n) != 1 % n);
            }
        }
    }
}
