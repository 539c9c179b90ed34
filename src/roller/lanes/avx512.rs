//! Vectors of eight lanes, by AVX-512 F and BW.

use std::arch::x86_64::*;

kernel!("avx512f,avx512bw", __m512i, lanes: 8, flight: 4);

/// Multiplies with the instruction VPMULUDQ. The compiler treats the intrinsic as a product of
/// masked words, and would merge it with neighbouring operations into 64-bit products, which take
/// three instructions each.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn product(a: __m512i, b: __m512i) -> __m512i {
    let product;
    // SAFETY: this is one AVX-512 F instruction on registers; the caller has checked that AVX-512 F
    // is available.
    unsafe {
        std::arch::asm!(
            "vpmuludq {product}, {a}, {b}",
            product = lateout(zmm_reg) product,
            a = in(zmm_reg) a,
            b = in(zmm_reg) b,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    product
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn high(x: __m512i) -> __m512i {
    _mm512_srli_epi64::<32>(x)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn both(first: __m512i, second: __m512i) -> __m512i {
    _mm512_mask_shuffle_epi32::<0b10_10_00_00>(first, 0xAAAA, second)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn negative(first: __m512i, second: __m512i) -> __m512i {
    _mm512_sub_epi32(_mm512_setzero_si512(), both(first, second))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn less_one(first: __m512i, second: __m512i) -> __m512i {
    _mm512_add_epi32(both(first, second), _mm512_set1_epi32(-1))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn sum(a: __m512i, b: __m512i) -> __m512i {
    _mm512_add_epi64(a, b)
}

/// Computes the majority and the parity of three bits, by truth tables of 8 entries.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn add(sum: &mut __m512i, a: __m512i, b: __m512i) -> __m512i {
    let carry = _mm512_ternarylogic_epi64::<0xE8>(*sum, a, b);
    *sum = _mm512_ternarylogic_epi64::<0x96>(*sum, a, b);
    carry
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn count(x: __m512i) -> __m512i {
    // A table of bytes: the number of set bits of 0..16, repeated in every 128 bits.
    let table = _mm512_set4_epi32(0x0403_0302, 0x0302_0201, 0x0302_0201, 0x0201_0100);
    let nibble = _mm512_set1_epi8(15);
    let low = _mm512_shuffle_epi8(table, _mm512_and_si512(x, nibble));
    let high = _mm512_shuffle_epi8(table, _mm512_and_si512(_mm512_srli_epi64::<4>(x), nibble));
    _mm512_sad_epu8(_mm512_add_epi8(low, high), _mm512_setzero_si512())
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn from_lanes(lanes: [u64; 8]) -> __m512i {
    // SAFETY: the array is 64 readable bytes, and the load needs no alignment.
    unsafe { _mm512_loadu_si512(lanes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn to_lanes(x: __m512i) -> [u64; 8] {
    let mut lanes = [0; 8];
    // SAFETY: the array is 64 writable bytes, and the store needs no alignment.
    unsafe { _mm512_storeu_si512(lanes.as_mut_ptr().cast(), x) };
    lanes
}
