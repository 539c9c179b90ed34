//! Vectors of four lanes, by AVX2.

use std::arch::x86_64::*;

kernel!("avx2", __m256i, lanes: 4, flight: 4);

/// Multiplies with the instruction VPMULUDQ; `avx512.rs` explains why it does not use the
/// intrinsic.
#[inline]
#[target_feature(enable = "avx2")]
fn product(a: __m256i, b: __m256i) -> __m256i {
    let product;
    // SAFETY: this is one AVX2 instruction on registers; the caller has checked that AVX2 is
    // available.
    unsafe {
        std::arch::asm!(
            "vpmuludq {product}, {a}, {b}",
            product = lateout(ymm_reg) product,
            a = in(ymm_reg) a,
            b = in(ymm_reg) b,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    product
}

#[inline]
#[target_feature(enable = "avx2")]
fn high(x: __m256i) -> __m256i {
    _mm256_srli_epi64::<32>(x)
}

#[inline]
#[target_feature(enable = "avx2")]
fn both(first: __m256i, second: __m256i) -> __m256i {
    _mm256_blend_epi32::<0b1010_1010>(first, _mm256_slli_epi64::<32>(second))
}

#[inline]
#[target_feature(enable = "avx2")]
fn negative(first: __m256i, second: __m256i) -> __m256i {
    _mm256_sub_epi32(_mm256_setzero_si256(), both(first, second))
}

#[inline]
#[target_feature(enable = "avx2")]
fn less_one(first: __m256i, second: __m256i) -> __m256i {
    _mm256_add_epi32(both(first, second), _mm256_set1_epi32(-1))
}

#[inline]
#[target_feature(enable = "avx2")]
fn sum(a: __m256i, b: __m256i) -> __m256i {
    _mm256_add_epi64(a, b)
}

#[inline]
#[target_feature(enable = "avx2")]
fn add(sum: &mut __m256i, a: __m256i, b: __m256i) -> __m256i {
    let either = _mm256_xor_si256(a, b);
    let carry = _mm256_or_si256(_mm256_and_si256(a, b), _mm256_and_si256(*sum, either));
    *sum = _mm256_xor_si256(*sum, either);
    carry
}

#[inline]
#[target_feature(enable = "avx2")]
fn count(x: __m256i) -> __m256i {
    // A table of bytes: the number of set bits of 0..16, in both halves.
    let table = _mm256_setr_epi8(
        0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, //
        0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
    );
    let nibble = _mm256_set1_epi8(15);
    let low = _mm256_shuffle_epi8(table, _mm256_and_si256(x, nibble));
    let high = _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi64::<4>(x), nibble));
    _mm256_sad_epu8(_mm256_add_epi8(low, high), _mm256_setzero_si256())
}

#[inline]
#[target_feature(enable = "avx2")]
fn from_lanes(lanes: [u64; 4]) -> __m256i {
    // SAFETY: the array is 32 readable bytes, and the load needs no alignment.
    unsafe { _mm256_loadu_si256(lanes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn to_lanes(x: __m256i) -> [u64; 4] {
    let mut lanes = [0; 4];
    // SAFETY: the array is 32 writable bytes, and the store needs no alignment.
    unsafe { _mm256_storeu_si256(lanes.as_mut_ptr().cast(), x) };
    lanes
}
