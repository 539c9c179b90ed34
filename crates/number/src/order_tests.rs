//! Orders of 2 modulo many primes, by powers of 2 computed in parallel.
//!
//! The order is found from a multiple of it, a divisor of q - 1, by removing each prime r as often
//! as the power of 2 is still 1. All tests of all primes are independent except those of the same
//! r. The tests are queued in lists by the length of their exponents. A kernel does as many tests
//! as it has lanes together: the squarings are the same for all tests, and each squaring is
//! followed by a doubling or not.
//!
//! **Montgomery's products without a last subtraction.** For x < 4 n and n < 2^28, x^2 < 2^32 n,
//! and (x^2 + c n) / 2^32 < 2 n, doubled below 4 n again.
//!
//! **Start.** x represents x / 2^32, and 2^-e is 1 iff 2^e is. With t = ceil(e / 2^k) <= 32, the
//! word 2^(32 - t) represents 2^-t, and k squarings with the bits of t 2^k - e make 2^-e of it:
//! this saves a division and the first five squarings. For k = bits(e) - 5, t is at least 16 and
//! 2^(32 - t) at most 2^16. An exponent below the bits of n needs no test, since 2^e - 1 < n.
#![allow(unsafe_code)]

use super::transform::ProductKernel;

/// The number of tests that are done together.
const WIDTH: usize = 32;

/// The mask of a lane's lower half word.
const HALF: u64 = u32::MAX as u64;

/// Whether [`OrdersOf2`] supports this prime: 2^16 < q < 2^28.
pub(super) fn takes(q: u64) -> bool {
    (1 << 16) < q && q < 1 << 28
}

/// A test whether 2^exponent = 1 modulo n; if so, the factor r is removed from the order of a
/// prime.
#[derive(Clone, Copy, Default)]
struct OrderTest {
    place: u32,
    n: u32,
    r: u32,
    exponent: u32,
}

/// Orders of 2 modulo primes, as far as they are determined.
pub(super) struct OrdersOf2 {
    path: Option<ProductKernel>,
    /// for each prime, a multiple of the order, which becomes the order when all tests are done
    orders: Vec<u32>,
    /// the waiting tests, by the number of squarings that they need
    waiting: [Vec<OrderTest>; 28],
}

impl OrdersOf2 {
    pub(super) fn new() -> Self {
        Self {
            path: ProductKernel::chosen(),
            orders: Vec::new(),
            waiting: std::array::from_fn(|_| Vec::with_capacity(WIDTH)),
        }
    }

    /// Adds a supported prime n: a multiple of its order, and the prime factors of that multiple
    /// that may be removed.
    pub(super) fn push(&mut self, n: u32, multiple: u32, factors: impl Iterator<Item = u32>) {
        let place = self.orders.len() as u32;
        self.orders.push(multiple);
        for r in factors {
            let exponent = multiple / r;
            self.ask(OrderTest {
                place,
                n,
                r,
                exponent,
            });
        }
    }

    /// Returns the orders of all primes, in the order in which they were added.
    pub(super) fn finish(mut self) -> Vec<u32> {
        // A test may only add shorter ones.
        for squarings in (0..self.waiting.len()).rev() {
            while !self.waiting[squarings].is_empty() {
                self.decide(squarings);
            }
        }
        self.orders
    }

    #[inline]
    fn ask(&mut self, test: OrderTest) {
        let bits = |x: u32| 32 - x.leading_zeros();
        if bits(test.exponent) <= 5 && test.exponent < bits(test.n) {
            return;
        }
        let squarings = bits(test.exponent).saturating_sub(5) as usize;
        self.waiting[squarings].push(test);
        if self.waiting[squarings].len() == WIDTH {
            self.decide(squarings);
        }
    }

    /// Decides all tests that wait for this number of squarings.
    fn decide(&mut self, squarings: usize) {
        let mut tests = [OrderTest::default(); WIDTH];
        let count = self.waiting[squarings].len();
        tests[..count].copy_from_slice(&self.waiting[squarings]);
        self.waiting[squarings].clear();
        let (mut n, mut x, mut bits) = ([1; WIDTH], [1; WIDTH], [0; WIDTH]);
        for (i, test) in tests[..count].iter().enumerate() {
            let top = test.exponent.div_ceil(1 << squarings);
            n[i] = u64::from(test.n);
            x[i] = 1 << (32 - top);
            bits[i] = u64::from((top << squarings) - test.exponent);
        }
        match self.path {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the processor has this path, and so AVX-512F.
            Some(ProductKernel::Avx512) => unsafe { avx512(&n, &mut x, &bits, squarings) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the processor has this path, and so AVX2.
            Some(ProductKernel::Avx2) => unsafe { avx2(&n, &mut x, &bits, squarings) },
            _ => powers(&n, &mut x, &bits, squarings),
        }
        for (i, test) in tests[..count].iter().enumerate() {
            if x[i] != 1 {
                continue;
            }
            self.orders[test.place as usize] /= test.r;
            if test.exponent.is_multiple_of(test.r) {
                let exponent = test.exponent / test.r;
                self.ask(OrderTest { exponent, ..*test });
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn avx512(n: &[u64; WIDTH], x: &mut [u64; WIDTH], bits: &[u64; WIDTH], squarings: usize) {
    powers(n, x, bits, squarings);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn avx2(n: &[u64; WIDTH], x: &mut [u64; WIDTH], bits: &[u64; WIDTH], squarings: usize) {
    powers(n, x, bits, squarings);
}

/// x^(2^squarings) 2^bits modulo n, computed in Montgomery's form and converted back: at most n.
/// For odd n < 2^28 and x <= 4 n. The products are of half words, which the vectors of every
/// processor support.
#[inline(always)]
fn powers(n: &[u64; WIDTH], x: &mut [u64; WIDTH], bits: &[u64; WIDTH], squarings: usize) {
    // -1/n: 5 correct bits of 1/n (Montgomery), doubled in each step.
    let mut negated = [0; WIDTH];
    for i in 0..WIDTH {
        let half = n[i] as u32;
        let mut inverse = half.wrapping_mul(3) ^ 2;
        for _ in 0..3 {
            inverse = inverse.wrapping_mul(2u32.wrapping_sub(half.wrapping_mul(inverse)));
        }
        negated[i] = u64::from(inverse.wrapping_neg());
    }
    let mut power = *x;
    for bit in (0..squarings).rev() {
        for i in 0..WIDTH {
            let square = (power[i] & HALF) * (power[i] & HALF);
            let c = ((square & HALF) * negated[i]) & HALF;
            let root = (square + c * (n[i] & HALF)) >> 32;
            power[i] = root + (root & 0u64.wrapping_sub(bits[i] >> bit & 1));
        }
    }
    for i in 0..WIDTH {
        let c = ((power[i] & HALF) * negated[i]) & HALF;
        x[i] = (power[i] + c * (n[i] & HALF)) >> 32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::factor::{factor, is_prime};
    use crate::order::order_mod_prime;

    /// Tests every path that the processor has.
    #[test]
    fn orders_are_the_orders() {
        let here = ProductKernel::ALL
            .into_iter()
            .filter(|(_, path)| path.is_supported());
        for path in here.map(|(_, path)| Some(path)).chain([None]) {
            for start in [1 << 16, 1 << 20, 12_345_678, (1 << 28) - 20_000] {
                let primes: Vec<u64> = (start..start + 19_999)
                    .filter(|&q| takes(q) && is_prime(q))
                    .collect();
                let mut orders = OrdersOf2::new();
                orders.path = path;
                for &q in &primes {
                    let factors = factor(q - 1).into_iter().map(|(r, _)| r as u32);
                    orders.push(q as u32, q as u32 - 1, factors);
                }
                for (&q, order) in primes.iter().zip(orders.finish()) {
                    assert_eq!(u64::from(order), order_mod_prime(2, q), "{path:?}, q = {q}");
                }
            }
        }
        // 2^17 = 1 modulo 2^17 - 1 and 2^19 = 1 modulo 2^19 - 1: the shortest exponents.
        let mut orders = OrdersOf2::new();
        orders.push((1 << 17) - 1, 17 * 7710, [2, 3, 5, 257].into_iter());
        orders.push((1 << 19) - 1, 19 * 27_594, [2, 3, 7, 73].into_iter());
        assert_eq!(orders.finish(), [17, 19]);
    }
}
