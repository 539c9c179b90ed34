//! Vectors of four doubles, by AVX2 and FMA.

use std::arch::x86_64::*;

kernel!(#[target_feature(enable = "avx2,fma")] __m256d, width: 4);

#[inline]
#[target_feature(enable = "avx2,fma")]
fn splat(x: f64) -> V {
    _mm256_set1_pd(x)
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn add(a: V, b: V) -> V {
    _mm256_add_pd(a, b)
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn sub(a: V, b: V) -> V {
    _mm256_sub_pd(a, b)
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn mul(a: V, b: V) -> V {
    _mm256_mul_pd(a, b)
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn mul_add(a: V, b: V, c: V) -> V {
    _mm256_fmadd_pd(a, b, c)
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn mul_sub(a: V, b: V, c: V) -> V {
    _mm256_fmsub_pd(a, b, c)
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn neg_mul_add(a: V, b: V, c: V) -> V {
    _mm256_fnmadd_pd(a, b, c)
}

/// The bits of the double 2^52. With a word below 2^52 in the low bits, they are the bits of the
/// double 2^52 + the word.
const EXPONENT: i64 = 1075 << 52;

#[inline]
#[target_feature(enable = "avx2,fma")]
fn split_halves(words: &[u64; W]) -> (V, V) {
    // SAFETY: the array is 32 readable bytes, and the load needs no alignment.
    let words = unsafe { _mm256_loadu_si256(words.as_ptr().cast()) };
    let double = |x: __m256i| {
        let x = _mm256_or_si256(x, _mm256_set1_epi64x(EXPONENT));
        _mm256_sub_pd(_mm256_castsi256_pd(x), splat((1u64 << 52) as f64))
    };
    let low = _mm256_and_si256(words, _mm256_set1_epi64x(0xFFFF_FFFF));
    (double(_mm256_srli_epi64::<32>(words)), double(low))
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn to_integers(x: V) -> [u64; W] {
    let x = _mm256_castpd_si256(add(x, splat((1u64 << 52) as f64)));
    let x = _mm256_xor_si256(x, _mm256_set1_epi64x(EXPONENT));
    let mut words = [0; W];
    // SAFETY: the array is 32 writable bytes, and the store needs no alignment.
    unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), x) };
    words
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn from_lanes(lanes: [f64; W]) -> V {
    // SAFETY: the array is 32 readable bytes, and the load needs no alignment.
    unsafe { _mm256_loadu_pd(lanes.as_ptr()) }
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn to_lanes(x: V) -> [f64; W] {
    let mut lanes = [0.0; W];
    // SAFETY: the array is 32 writable bytes, and the store needs no alignment.
    unsafe { _mm256_storeu_pd(lanes.as_mut_ptr(), x) };
    lanes
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn reversed(x: V) -> V {
    _mm256_permute4x64_pd::<0b00_01_10_11>(x)
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn transpose(v: &mut [V; W]) {
    let (a, b) = (
        _mm256_unpacklo_pd(v[0], v[1]),
        _mm256_unpackhi_pd(v[0], v[1]),
    );
    let (c, d) = (
        _mm256_unpacklo_pd(v[2], v[3]),
        _mm256_unpackhi_pd(v[2], v[3]),
    );
    *v = [
        _mm256_permute2f128_pd::<0x20>(a, c),
        _mm256_permute2f128_pd::<0x20>(b, d),
        _mm256_permute2f128_pd::<0x31>(a, c),
        _mm256_permute2f128_pd::<0x31>(b, d),
    ];
}
