//! Multiplies long integers, and computes sums of two products, by number-theoretic transforms in
//! doubles. This folder contains `unsafe` code.
//!
//! A number is a polynomial in 2^64 whose coefficients are its words. Products are computed modulo
//! three primes p = c 2^26 + 1 just below 2^50 (`field.rs`), and modulo a polynomial: x^(4 b) - 1,
//! or its product with one or two of the factors x^b - r of x^(4 b) + 1. So 4, 5 or 6 blocks of b
//! points hold all coefficients, where b is a power of two. Each operand is transformed once, for
//! all products in which it occurs.
//!
//! **Roots.** Let T(0) = 1, and T(2^k) a primitive root of unity of the order 2^(k+2), with T(2^k)
//! = T(2^(k+1))^2, and T(2^k + j) = T(2^k) T(j) for j < 2^k. Then T(2j)^2 = T(j) and T(2j+1)^2 =
//! -T(j). Node j, x^(2l) - T(j)^2, has the nodes 2j and 2j + 1 below it, x^l - T(j) and x^l + T(j):
//! the same roots for every length. The inverses follow from T(2^k + j) T(2^(k+1) - 1 - j) = -1.
//! Word W r + c is in lane c of row r; first rows are transformed, then lanes, after transposing W
//! rows at a time.
//!
//! **Products modulo p** (van der Hoeven, Lecerf & Quintin 2016, "Modular SIMD arithmetic in
//! Mathemagix"). With h = a b rounded, q = h / p rounded to an integer and l = a b - h, which a
//! fused product gives exactly, r = (h - q p) + l. For integers |a| <= A p, A <= 4, and |b| <= p /
//! 2 (or |a b| <= 2 p^2) all of this is exact, as p < 2^50: q differs from h / p by at most 1/2 and
//! A p / 2^54 <= A / 16, so that |h - q p| <= (1/2 + A/16) p; |l| <= A p^2 / 2^54 <= A p / 16; h -
//! q p and r are integers below 2^53. So r = a b modulo p, |r| <= (1/2 + A/8) p <= p. Reducing a
//! alone leaves at most p / 2. Between two reductions the sizes, in units of p, are: after forward
//! steps of radix 4 below 2.25, as 1/2 + (1/2 + 2.25/8) + 1/2 + (2.25 (1 + 1/8) + 1/2) / 8 < 2.25;
//! in a leaf, which is reduced at every other level, below 2; on the way back at most 1 at the
//! start of every step of radix 4, so that an operand of a product is at most 4 p; in a leaf at
//! most 3.7. Every sum is below 2^53.
//!
//! **The sum.** For factors of w words, the coefficients of a product, and of the sum of two
//! products, are below 2 w 2^128 in size. This is less than half of the product of the primes,
//! 2^149.99 / 2, if w < 2^20 (`ProductKernel::can_hold_sum`). So the residues determine the
//! coefficients and their signs (Garner 1959).
//!
//! **Cost.** O(n log n) for n words: for each prime and each transform about n log2 n / 2 modular
//! products, which are six operations on a vector each.
//!
//! **Proof obligations of the `unsafe`.** (1) Code compiled for features of a processor is called
//! only from `ProductKernel::sums`, for a kernel that `ProductKernel::is_supported` has confirmed.
//! (2) Vectors are loaded from and stored to whole arrays of their length, unaligned; there is no
//! pointer arithmetic. This folder has no other `unsafe`.
#![allow(unsafe_code)]
#![cfg_attr(not(target_arch = "x86_64"), allow(dead_code, unused_macros))]

#[macro_use]
mod kernel;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod field;
#[cfg(test)]
mod plain;

pub(crate) use field::ProductTerm;
use field::TransformShape;
use std::sync::OnceLock;

/// The kind of vectors with which products are computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProductKernel {
    /// Vectors of 512 bits, by AVX-512 F.
    Avx512,
    /// Vectors of 256 bits, by AVX2 and FMA.
    Avx2,
    /// Plain arrays instead of vectors: only for tests, as not every processor has a fused product.
    #[cfg(test)]
    Plain,
}

impl ProductKernel {
    /// All kernels, the fastest first.
    pub(crate) const ALL: [(&str, ProductKernel); 2] = [
        ("avx512", ProductKernel::Avx512),
        ("avx2", ProductKernel::Avx2),
    ];

    /// Checks whether this processor has the required features.
    pub(crate) fn is_supported(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            ProductKernel::Avx512 => is_x86_feature_detected!("avx512f"),
            #[cfg(target_arch = "x86_64")]
            ProductKernel::Avx2 => {
                is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")
            }
            #[cfg(test)]
            ProductKernel::Plain => true,
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }

    /// Checks whether a sum of products with this many words, counting the shorter factors of all
    /// its terms, is below half of the product of the primes: 2^21 2^128 < 2^149.
    pub(crate) fn can_hold_sum(words: usize) -> bool {
        words < 1 << 20
    }

    /// Returns the kernel that the environment variable `FLIPCOST_LANES` names, if it is available;
    /// `None` if the variable is `popcnt` or `portable`; otherwise the fastest kernel. The variable
    /// is read only once.
    pub fn chosen() -> Option<ProductKernel> {
        static CHOSEN: OnceLock<Option<ProductKernel>> = OnceLock::new();
        *CHOSEN.get_or_init(|| {
            let named = std::env::var("FLIPCOST_LANES").unwrap_or_default();
            let here = || {
                ProductKernel::ALL
                    .iter()
                    .filter(|(_, kernel)| kernel.is_supported())
            };
            if named == "popcnt" || named == "portable" {
                return None;
            }
            let asked = here().find(|(name, _)| *name == named);
            asked.or_else(|| here().next()).map(|(_, kernel)| *kernel)
        })
    }

    /// Computes sums of one or two products of operands. Words are given from the low end, in two's
    /// complement; all sums have the same number of words, which must be enough for each sum. Uses
    /// more threads if `threads` is set.
    ///
    /// # Panics
    /// If the kernel is not available. The lengths of the shorter factors of a sum must satisfy
    /// [`ProductKernel::can_hold_sum`].
    pub(crate) fn sums(
        self,
        operands: &[&[u64]],
        sums: &[&[ProductTerm]],
        threads: bool,
    ) -> Vec<Vec<u64>> {
        let length = |term: &ProductTerm| operands[term.left].len() + operands[term.right].len();
        let words = sums
            .iter()
            .flat_map(|terms| terms.iter())
            .map(length)
            .max()
            .unwrap_or(0);
        assert!(
            self.is_supported(),
            "this processor does not multiply by {self:?}"
        );
        let least = match self {
            ProductKernel::Avx512 => 64,
            ProductKernel::Avx2 => 16,
            #[cfg(test)]
            ProductKernel::Plain => 4,
        };
        let shape = TransformShape::new(words, least, words + 1);
        match self {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the processor supports AVX-512 F.
            ProductKernel::Avx512 => unsafe { avx512::sums(operands, sums, shape, threads) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the processor supports AVX2 and FMA.
            ProductKernel::Avx2 => unsafe { avx2::sums(operands, sums, shape, threads) },
            #[cfg(test)]
            ProductKernel::Plain => plain::sums(operands, sums, shape, threads),
            #[allow(unreachable_patterns)]
            _ => unreachable!("{self:?} is not here, for {shape:?} on threads: {threads}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::{BigInt, BigUint};
    use proptest::prelude::*;

    const KERNELS: [ProductKernel; 3] = [
        ProductKernel::Avx512,
        ProductKernel::Avx2,
        ProductKernel::Plain,
    ];

    fn term(left: usize, right: usize, minus: bool) -> ProductTerm {
        ProductTerm { left, right, minus }
    }

    fn number(words: &[u64]) -> BigInt {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        BigUint::from_bytes_le(&bytes).into()
    }

    fn signed(words: &[u64]) -> BigInt {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        BigInt::from_signed_bytes_le(&bytes)
    }

    /// Compares x y, x^2, and sums and differences of products with num-bigint.
    fn check(x: &[u64], y: &[u64], threads: bool) {
        let (a, b) = (number(x), number(y));
        let sums: [&[ProductTerm]; 5] = [
            &[term(0, 1, false)],
            &[term(0, 0, true)],
            &[term(0, 1, false), term(1, 1, true)],
            &[term(0, 0, true), term(0, 1, true)],
            &[term(1, 0, true), term(0, 0, false)],
        ];
        let expected = [
            &a * &b,
            -&a * &a,
            (&a - &b) * &b,
            -&a * (&a + &b),
            (&a - &b) * &a,
        ];
        for kernel in KERNELS.into_iter().filter(|kernel| kernel.is_supported()) {
            let found = kernel.sums(&[x, y], &sums, threads);
            for (found, expected) in found.iter().zip(&expected) {
                assert_eq!(
                    &signed(found),
                    expected,
                    "{kernel:?} {} {}",
                    x.len(),
                    y.len()
                );
            }
        }
    }

    /// Tests the largest possible coefficients, and operands with alternating words, at the lengths
    /// around every change of shape.
    #[test]
    fn products_of_all_ones_have_the_known_value() {
        for points in [
            8, 16, 20, 24, 64, 80, 96, 128, 256, 320, 384, 512, 640, 768, 1024, 1536, 2560,
        ] {
            for more in 0..3 {
                let (x, y) = (
                    vec![u64::MAX; points / 2],
                    vec![u64::MAX; points / 2 + more - 1],
                );
                check(&x, &y, more == 1);
                check(
                    &vec![u64::MAX; points - 3],
                    &[u64::MAX, 0, 1 << 63][..more + 1],
                    false,
                );
                let alternating: Vec<u64> = (0..points / 2).map(|i| [u64::MAX, 0][i % 2]).collect();
                check(&alternating, &y, false);
            }
        }
    }

    /// (2^k - 1)^2 = 2^(2k) - 2^(k+1) + 1, at lengths that exceed the cache.
    #[test]
    fn a_long_square() {
        for words in [40_000, 100_003] {
            let x = vec![u64::MAX; words];
            let mut expected = vec![0; 2 * words + 1];
            expected[0] = 1;
            expected[words] = u64::MAX - 1;
            expected[words + 1..2 * words].fill(u64::MAX);
            for kernel in KERNELS.into_iter().filter(|kernel| kernel.is_supported()) {
                assert_eq!(
                    kernel.sums(&[&x], &[&[term(0, 0, false)]], true)[0],
                    expected
                );
            }
        }
    }

    proptest! {
        #[test]
        fn products_agree_with_num(
            x in proptest::collection::vec(any::<u64>(), 1..900),
            y in proptest::collection::vec(any::<u64>(), 1..900),
            threads: bool,
        ) {
            check(&x, &y, threads);
        }
    }
}
