//! A table that speeds up the least common multiple of two orders, if one is the order modulo a
//! small prime.
//!
//! In lcm(a, b) = b (a / gcd(a, b)) the second factor depends only on b modulo a. For each small
//! prime q with the order a < q, the table stores this factor for every residue modulo a, in `a`
//! bytes. So a lookup replaces Euclid's algorithm. Four of five odd numbers have a prime factor
//! below 256.

use super::factor::{gcd_words, inverse_of_odd, pow_mod};
use super::order::order_mod_prime;

/// The data for one prime. A prime that is not in the table has the default value.
#[derive(Debug, Clone, Copy, Default)]
struct KnownOrder {
    /// 1/q modulo 2^32
    inverse: u32,
    /// the order, or 0 if the prime is not in the table
    order: u32,
    /// the power of 2 in the order
    twos: u32,
    /// the index where the cofactors of this prime begin
    first: u32,
    /// floor((2^64 - 1) / order) + 1 modulo 2^64
    reciprocal: u64,
}

/// The table: odd primes below 256, with the orders of one source.
#[derive(Debug, Clone)]
pub(super) struct SmallOrders {
    /// indexed by q / 2
    known: [KnownOrder; 128],
    /// order / gcd(order, i)
    cofactors: Vec<u8>,
}

/// The division n = q r by a prime q, with the data for q.
pub(super) struct PrimeQuotient {
    q: u32,
    pub(super) rest: u32,
    known: KnownOrder,
}

impl PrimeQuotient {
    /// The exponent of the prime q in r.
    #[inline(always)]
    fn valuation(&self) -> u32 {
        let (mut rest, mut k) = (self.rest, 0);
        loop {
            // t q = rest modulo 2^32; q divides the rest if and only if t q = rest.
            let t = rest.wrapping_mul(self.known.inverse);
            if u64::from(t) * u64::from(self.q) != u64::from(rest) {
                return k;
            }
            (rest, k) = (t, k + 1);
        }
    }

    /// Computes the order modulo n from the order modulo r, if q divides r.
    ///
    /// The order modulo q^k is q^(k-1) times the order modulo q. So q divides the order modulo n at
    /// least k - 1 times, and the order modulo r perhaps one time less; all other factors are the
    /// same.
    #[inline(always)]
    pub(super) fn order_if_prime_repeats(&self, order: u32) -> Option<u32> {
        match self.valuation() {
            0 => None,
            k if order.is_multiple_of(self.q.pow(k)) => Some(order),
            _ => Some(order * self.q),
        }
    }
}

impl SmallOrders {
    /// Prepares the table for the source m. It contains those of the primes that are odd, below 256
    /// and not divisors of m, and for which the order modulo the square differs from the order
    /// modulo the prime (then the orders modulo all higher powers differ as well).
    pub(super) fn new(m: u64, primes: &[u64]) -> Self {
        let mut found = Self {
            known: [KnownOrder::default(); 128],
            cofactors: Vec::new(),
        };
        for &q in primes {
            if q == 2 || q >= 256 || m.is_multiple_of(q) {
                continue;
            }
            let order = order_mod_prime(m, q);
            if pow_mod(m, order, q * q) != 1 {
                found.known[(q / 2) as usize] = KnownOrder {
                    inverse: inverse_of_odd(q) as u32,
                    order: order as u32,
                    twos: order.trailing_zeros(),
                    first: found.cofactors.len() as u32,
                    reciprocal: (u64::MAX / order).wrapping_add(1),
                };
                let cofactor = |i| (order / gcd_words(order, i)) as u8;
                found.cofactors.extend((0..order).map(cofactor));
            }
        }
        found
    }

    /// Divides a composite n by its least prime factor q, if the table contains q; `None` for q =
    /// 0.
    #[inline(always)]
    pub(super) fn divide_by_prime(&self, n: u32, q: u16) -> Option<PrimeQuotient> {
        let known = *self.known.get(usize::from(q / 2))?;
        let rest = n.wrapping_mul(known.inverse);
        (q % 2 == 1 && known.order > 0).then_some(PrimeQuotient {
            q: u32::from(q),
            rest,
            known,
        })
    }

    /// Returns the least common multiple of the order modulo q and another order, and whether both
    /// orders contain the same power of 2.
    #[inline(always)]
    pub(super) fn lcm(&self, divided: &PrimeQuotient, order: u32) -> (u32, bool) {
        let known = divided.known;
        // order modulo known.order (Lemire, Kaser & Kurz 2019): both are below 2^32
        let low = known.reciprocal.wrapping_mul(u64::from(order));
        let remainder = (u128::from(low) * u128::from(known.order)) >> 64;
        let cofactor = self.cofactors[known.first as usize + remainder as usize];
        (
            u32::from(cofactor) * order,
            known.twos == order.trailing_zeros(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::factor::lcm_words;
    use crate::order::{order_mod_prime_power, period};
    use crate::sieve::primes_up_to;

    #[test]
    fn lcm_agrees_with_the_definition() {
        for m in [2, 3, 10] {
            let small = SmallOrders::new(m, &primes_up_to(300));
            for q in primes_up_to(300) {
                let usable = q > 2
                    && q < 256
                    && !m.is_multiple_of(q)
                    && order_mod_prime_power(m, q, 2) > order_mod_prime(m, q);
                for rest in [1u32, 257, 7 * 257, 1009, 65_537]
                    .into_iter()
                    .filter(|&r| !u64::from(r).is_multiple_of(q))
                {
                    let divided = small.divide_by_prime(q as u32 * rest, q as u16);
                    assert_eq!(divided.is_some(), usable, "m = {m}, q = {q}");
                    let Some(divided) = divided else { continue };
                    assert_eq!(
                        (divided.rest, divided.order_if_prime_repeats(1)),
                        (rest, None)
                    );
                    let order = order_mod_prime(m, q);
                    for other in (1u64..600).chain([123_456, 1 << 20, (1 << 22) - 1]) {
                        let same = order.trailing_zeros() == other.trailing_zeros();
                        let (lcm, twos) = small.lcm(&divided, other as u32);
                        assert_eq!((u64::from(lcm), twos), (lcm_words(order, other), same));
                    }
                }
                for k in 2..4 {
                    for other in [1u64, 5, 7, 9, 27, 21, 1009].into_iter().filter(|_| usable) {
                        let n = q.pow(k) * other;
                        let divided = small.divide_by_prime(n as u32, q as u16).unwrap();
                        let [order, whole] = [n / q, n].map(|n| period(m, n) as u32);
                        assert_eq!(
                            divided.order_if_prime_repeats(order),
                            Some(whole),
                            "m = {m}, n = {n}"
                        );
                    }
                }
            }
        }
    }
}
