//! Vectors of eight doubles, by AVX-512 F.

use std::arch::x86_64::*;

kernel!(#[target_feature(enable = "avx512f")] __m512d, width: 8);

#[inline]
#[target_feature(enable = "avx512f")]
fn splat(x: f64) -> V {
    _mm512_set1_pd(x)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn add(a: V, b: V) -> V {
    _mm512_add_pd(a, b)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn sub(a: V, b: V) -> V {
    _mm512_sub_pd(a, b)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn mul(a: V, b: V) -> V {
    _mm512_mul_pd(a, b)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn mul_add(a: V, b: V, c: V) -> V {
    _mm512_fmadd_pd(a, b, c)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn mul_sub(a: V, b: V, c: V) -> V {
    _mm512_fmsub_pd(a, b, c)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn neg_mul_add(a: V, b: V, c: V) -> V {
    _mm512_fnmadd_pd(a, b, c)
}

/// The bits of the double 2^52. With a word below 2^52 in the low bits, they are the bits of the
/// double 2^52 + the word.
const EXPONENT: i64 = 1075 << 52;

#[inline]
#[target_feature(enable = "avx512f")]
fn split_halves(words: &[u64; W]) -> (V, V) {
    // SAFETY: the array is 64 readable bytes, and the load needs no alignment.
    let words = unsafe { _mm512_loadu_si512(words.as_ptr().cast()) };
    let double = |x: __m512i| {
        let x = _mm512_or_si512(x, _mm512_set1_epi64(EXPONENT));
        _mm512_sub_pd(_mm512_castsi512_pd(x), splat((1u64 << 52) as f64))
    };
    let low = _mm512_and_si512(words, _mm512_set1_epi64(0xFFFF_FFFF));
    (double(_mm512_srli_epi64::<32>(words)), double(low))
}

#[inline]
#[target_feature(enable = "avx512f")]
fn to_integers(x: V) -> [u64; W] {
    let x = _mm512_castpd_si512(add(x, splat((1u64 << 52) as f64)));
    let x = _mm512_xor_si512(x, _mm512_set1_epi64(EXPONENT));
    let mut words = [0; W];
    // SAFETY: the array is 64 writable bytes, and the store needs no alignment.
    unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), x) };
    words
}

#[inline]
#[target_feature(enable = "avx512f")]
fn from_lanes(lanes: [f64; W]) -> V {
    // SAFETY: the array is 64 readable bytes, and the load needs no alignment.
    unsafe { _mm512_loadu_pd(lanes.as_ptr()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn to_lanes(x: V) -> [f64; W] {
    let mut lanes = [0.0; W];
    // SAFETY: the array is 64 writable bytes, and the store needs no alignment.
    unsafe { _mm512_storeu_pd(lanes.as_mut_ptr(), x) };
    lanes
}

#[inline]
#[target_feature(enable = "avx512f")]
fn reversed(x: V) -> V {
    _mm512_permutexvar_pd(_mm512_set_epi64(0, 1, 2, 3, 4, 5, 6, 7), x)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn transpose(v: &mut [V; W]) {
    // Combine the lanes of two rows each, then of four rows, then of all eight.
    let columns = |a, b, c, d| {
        let (p, q) = (
            _mm512_shuffle_f64x2::<0x88>(a, b),
            _mm512_shuffle_f64x2::<0x88>(c, d),
        );
        let (r, s) = (
            _mm512_shuffle_f64x2::<0xDD>(a, b),
            _mm512_shuffle_f64x2::<0xDD>(c, d),
        );
        [
            _mm512_shuffle_f64x2::<0x88>(p, q),
            _mm512_shuffle_f64x2::<0x88>(r, s),
            _mm512_shuffle_f64x2::<0xDD>(p, q),
            _mm512_shuffle_f64x2::<0xDD>(r, s),
        ]
    };
    let low = |i: usize| _mm512_unpacklo_pd(v[i], v[i + 1]);
    let high = |i: usize| _mm512_unpackhi_pd(v[i], v[i + 1]);
    let [a, c, e, g] = columns(low(0), low(2), low(4), low(6));
    let [b, d, f, h] = columns(high(0), high(2), high(4), high(6));
    *v = [a, b, c, d, e, f, g, h];
}
