//! Vectors of two lanes, with NEON.

use std::arch::aarch64::*;

kernel!("neon", uint64x2_t, lanes: 2, flight: 6);

#[inline]
#[target_feature(enable = "neon")]
fn product(a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
    vmull_u32(vmovn_u64(a), vmovn_u64(b))
}

#[inline]
#[target_feature(enable = "neon")]
fn high(x: uint64x2_t) -> uint64x2_t {
    vshrq_n_u64::<32>(x)
}

#[inline]
#[target_feature(enable = "neon")]
fn both(first: uint64x2_t, second: uint64x2_t) -> uint32x4_t {
    vreinterpretq_u32_u64(vsliq_n_u64::<32>(first, second))
}

#[inline]
#[target_feature(enable = "neon")]
fn negative(first: uint64x2_t, second: uint64x2_t) -> uint64x2_t {
    vreinterpretq_u64_u32(vsubq_u32(vdupq_n_u32(0), both(first, second)))
}

#[inline]
#[target_feature(enable = "neon")]
fn less_one(first: uint64x2_t, second: uint64x2_t) -> uint64x2_t {
    vreinterpretq_u64_u32(vsubq_u32(both(first, second), vdupq_n_u32(1)))
}

#[inline]
#[target_feature(enable = "neon")]
fn sum(a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
    vaddq_u64(a, b)
}

#[inline]
#[target_feature(enable = "neon")]
fn add(sum: &mut uint64x2_t, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
    let either = veorq_u64(a, b);
    // The bits of the sum where a and b differ, otherwise those of a.
    let carry = vbslq_u64(either, *sum, a);
    *sum = veorq_u64(*sum, either);
    carry
}

#[inline]
#[target_feature(enable = "neon")]
fn count(x: uint64x2_t) -> uint64x2_t {
    let bytes = vcntq_u8(vreinterpretq_u8_u64(x));
    vpaddlq_u32(vpaddlq_u16(vpaddlq_u8(bytes)))
}

#[inline]
#[target_feature(enable = "neon")]
fn from_lanes(lanes: [u64; 2]) -> uint64x2_t {
    // SAFETY: the array is 16 readable bytes.
    unsafe { vld1q_u64(lanes.as_ptr()) }
}

#[inline]
#[target_feature(enable = "neon")]
fn to_lanes(x: uint64x2_t) -> [u64; 2] {
    let mut lanes = [0; 2];
    // SAFETY: the array is 16 writable bytes.
    unsafe { vst1q_u64(lanes.as_mut_ptr(), x) };
    lanes
}
