//! Computes the order of 2 modulo many primes in parallel.
//!
//! The order is found from a multiple of it that divides q - 1: each prime factor r is removed as
//! long as the power of 2 remains 1. Each removal needs one test whether a power of 2 is 1. Tests
//! depend on each other only for the same q and r, so they are queued in lists by the length of
//! their exponents. A kernel performs as many tests at once as it has lanes: all tests need the
//! same squarings, and differ only in whether a doubling follows a squaring.
//!
//! **Montgomery's products without a final subtraction.** For x < 4 n and n < 2^28, x^2 < 2^32 n,
//! so (x^2 + c n) / 2^32 < 2 n, and twice that is again below 4 n.
//!
//! **Start.** The word x represents x / 2^32. Instead of 2^e = 1, test 2^-e = 1. With t = ceil(e /
//! 2^k) <= 32, the word 2^(32 - t) represents 2^-t, and k squarings with the bits of t 2^k - e turn
//! it into 2^-e: this saves a division and the first five squarings. For k = bits(e) - 5, t is at
//! least 16, so 2^(32 - t) is at most 2^16. An exponent e below the number of bits of n needs no
//! test, since 0 < 2^e - 1 < n.
#![allow(unsafe_code)]

use super::transform::ProductKernel;

/// The number of tests that are performed at once.
const WIDTH: usize = 32;

/// The mask of the lower half of a lane.
const LOW_HALF: u64 = u32::MAX as u64;

/// Whether [`OrdersOf2`] supports this prime: 2^16 < q < 2^28.
pub(super) fn is_supported_prime(q: u64) -> bool {
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

/// The orders of 2 modulo a list of primes, while they are being determined.
pub(super) struct OrdersOf2 {
    kernel: Option<ProductKernel>,
    /// for each prime, a multiple of the order, which becomes the order when all tests are done
    orders: Vec<u32>,
    /// the waiting tests, by the number of squarings that they need
    waiting: [Vec<OrderTest>; 28],
}

impl OrdersOf2 {
    pub(super) fn new() -> Self {
        Self {
            kernel: ProductKernel::chosen(),
            orders: Vec::new(),
            waiting: std::array::from_fn(|_| Vec::with_capacity(WIDTH)),
        }
    }

    /// Adds a supported prime n: a multiple of the order, and the prime factors that may be removed
    /// from this multiple.
    pub(super) fn push(&mut self, n: u32, multiple: u32, factors: impl Iterator<Item = u32>) {
        let place = self.orders.len() as u32;
        self.orders.push(multiple);
        for r in factors {
            let exponent = multiple / r;
            self.enqueue(OrderTest {
                place,
                n,
                r,
                exponent,
            });
        }
    }

    /// Returns the orders of all primes, in the order in which they were added.
    pub(super) fn finish(mut self) -> Vec<u32> {
        // Performing a test may add tests, but only with shorter exponents.
        for squarings in (0..self.waiting.len()).rev() {
            while !self.waiting[squarings].is_empty() {
                self.perform_tests(squarings);
            }
        }
        self.orders
    }

    #[inline]
    fn enqueue(&mut self, test: OrderTest) {
        let bits = |x: u32| 32 - x.leading_zeros();
        if bits(test.exponent) <= 5 && test.exponent < bits(test.n) {
            return;
        }
        let squarings = bits(test.exponent).saturating_sub(5) as usize;
        self.waiting[squarings].push(test);
        if self.waiting[squarings].len() == WIDTH {
            self.perform_tests(squarings);
        }
    }

    /// Performs all tests that need this number of squarings.
    fn perform_tests(&mut self, squarings: usize) {
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
        match self.kernel {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the processor supports this kernel, and so AVX-512F.
            Some(ProductKernel::Avx512) => unsafe { avx512(&n, &mut x, &bits, squarings) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the processor supports this kernel, and so AVX2.
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
                self.enqueue(OrderTest { exponent, ..*test });
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

/// Computes x^(2^squarings) 2^bits modulo n in Montgomery's form and converts it back; the result
/// is at most n. Requires an odd n < 2^28 and x <= 4 n. The products are products of 32-bit halves,
/// which the vectors of every processor support.
#[inline(always)]
fn powers(n: &[u64; WIDTH], x: &mut [u64; WIDTH], bits: &[u64; WIDTH], squarings: usize) {
    // Start with 5 correct bits of 1/n (Montgomery); each step doubles their number. The result is
    // -1/n.
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
            let square = (power[i] & LOW_HALF) * (power[i] & LOW_HALF);
            let c = ((square & LOW_HALF) * negated[i]) & LOW_HALF;
            let root = (square + c * (n[i] & LOW_HALF)) >> 32;
            power[i] = root + (root & 0u64.wrapping_sub(bits[i] >> bit & 1));
        }
    }
    for i in 0..WIDTH {
        let c = ((power[i] & LOW_HALF) * negated[i]) & LOW_HALF;
        x[i] = (power[i] + c * (n[i] & LOW_HALF)) >> 32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::factor::{factor, is_prime};
    use crate::order::order_mod_prime;

    /// Tests every kernel that the processor supports.
    #[test]
    fn orders_agree_with_multiplicative_order() {
        let here = ProductKernel::ALL
            .into_iter()
            .filter(|(_, kernel)| kernel.is_supported());
        for kernel in here.map(|(_, kernel)| Some(kernel)).chain([None]) {
            for start in [1 << 16, 1 << 20, 12_345_678, (1 << 28) - 20_000] {
                let primes: Vec<u64> = (start..start + 19_999)
                    .filter(|&q| is_supported_prime(q) && is_prime(q))
                    .collect();
                let mut orders = OrdersOf2::new();
                orders.kernel = kernel;
                for &q in &primes {
                    let factors = factor(q - 1).into_iter().map(|(r, _)| r as u32);
                    orders.push(q as u32, q as u32 - 1, factors);
                }
                for (&q, order) in primes.iter().zip(orders.finish()) {
                    assert_eq!(
                        u64::from(order),
                        order_mod_prime(2, q),
                        "{kernel:?}, q = {q}"
                    );
                }
            }
        }
        // Test the shortest exponents: 2^17 = 1 modulo 2^17 - 1, and 2^19 = 1 modulo 2^19 - 1.
        let mut orders = OrdersOf2::new();
        orders.push((1 << 17) - 1, 17 * 7710, [2, 3, 5, 257].into_iter());
        orders.push((1 << 19) - 1, 19 * 27_594, [2, 3, 7, 73].into_iter());
        assert_eq!(orders.finish(), [17, 19]);
    }
}
