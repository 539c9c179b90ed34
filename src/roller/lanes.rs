//! Set bits of many periods side by side: the one file with `unsafe`.
//!
//! For odd n the words of (2^p - 1)/n come from the low end by q = -c/n mod 2^w, c' = floor(q n /
//! 2^w) + 1 (see `crate::number::residues`). One period is a chain of dependent products, so many
//! periods run at the same time:
//!
//! - portable: w = 64, four periods side by side in plain Rust;
//! - AVX-512 F and BW: w = 32, eight periods in a vector and four vectors in flight; the words of
//!   two steps make a vector of 64-bit words, eight of those are added bitwise by carry-save adders
//!   (Harley & Seal; see Muła, Kurz & Lemire 2018), and only the eights are counted, by a table of
//!   nibbles.
//!
//! The vectors need no addition of 1: with q = d/n mod 2^w and d' = floor(q n / 2^w), d 2^-w = -d'
//! modulo n, so that the residues of the steps are d, n - d, d, n - d, ... For c = d the word -d/n
//! is the complement of q - 1, for c = n - d it is q - 1. This needs 0 < d < n.
//!
//! Both count exactly the same bits; the choice is made when the program runs.
//!
//! **Proof obligations of the `unsafe`.** (1) `avx512::ones` is compiled for AVX-512 F and BW and
//! is called only after `is_x86_feature_detected!` has found both. (2) It touches memory only
//! through `[u64; 8]` arrays of its own and unaligned loads and stores of exactly 64 bytes; there
//! is no pointer arithmetic. (3) Its one line of assembly is an instruction between registers. No
//! other `unsafe` is in the crate.
#![allow(unsafe_code)]

use crate::number::factor::inverse_of_odd;

/// A period, or the first part of one: the low `bits` bits of -start/n.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Job {
    /// The odd n.
    pub n: u32,
    /// How many bits, from the low end.
    pub bits: u32,
    /// In 1..=n; 1 for a period of 1/n.
    pub start: u32,
}

/// How many of the low `bits` bits of -start/n are set, for each job. The time is that of the
/// longest job in every 32 neighbours, so sort them by length. O(bits / 64) products per job
/// (portable).
///
/// # Panics
/// If an n is even.
pub fn count_ones(jobs: &[Job]) -> Vec<u64> {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw") {
        let mut counts = Vec::with_capacity(jobs.len());
        let groups = jobs.chunks_exact(avx512::WIDTH);
        let rest = groups.remainder();
        for group in groups {
            let group: &[Job; avx512::WIDTH] = group.try_into().expect("a whole group");
            let common = |job: &Job| if job.start < job.n { job.bits } else { 0 };
            let blocks = group.iter().map(common).min().unwrap_or(0) / avx512::BLOCK;
            // SAFETY: the two features have just been found.
            let (ones, states) = unsafe { avx512::ones(group, blocks) };
            for (i, job) in group.iter().enumerate() {
                counts.push(
                    ones[i] + continue_one(job.n, states[i], job.bits - blocks * avx512::BLOCK),
                );
            }
        }
        counts.extend(count_ones_portably(rest));
        return counts;
    }
    count_ones_portably(jobs)
}

/// [`count_ones`] without special instructions.
///
/// # Panics
/// If an n is even.
pub fn count_ones_portably(jobs: &[Job]) -> Vec<u64> {
    let mut counts = Vec::with_capacity(jobs.len());
    let groups = jobs.chunks_exact(4);
    let rest = groups.remainder();
    for group in groups {
        let group: &[Job; 4] = group.try_into().expect("4 jobs");
        let n = group.map(|job| u64::from(job.n));
        let factor = n.map(|n| inverse_of_odd(n).wrapping_neg());
        let words = group.iter().map(|job| job.bits).min().unwrap_or(0) / 64;
        let (mut c, mut ones) = (group.map(|job| u64::from(job.start)), [0u64; 4]);
        for _ in 0..words {
            for i in 0..4 {
                let q = c[i].wrapping_mul(factor[i]);
                ones[i] += u64::from(q.count_ones());
                c[i] = ((u128::from(q) * u128::from(n[i])) >> 64) as u64 + 1;
            }
        }
        for (i, job) in group.iter().enumerate() {
            counts.push(ones[i] + continue_one(job.n, c[i], job.bits - 64 * words));
        }
    }
    counts.extend(
        rest.iter()
            .map(|job| continue_one(job.n, u64::from(job.start), job.bits)),
    );
    counts
}

/// Set bits among the low `bits` of -c/n.
fn continue_one(n: u32, mut c: u64, bits: u32) -> u64 {
    assert!(n % 2 == 1, "the low end of 1/n needs an odd n, not {n}");
    let n = u64::from(n);
    let factor = inverse_of_odd(n).wrapping_neg();
    let mut ones = 0;
    for _ in 0..bits / 64 {
        let q = c.wrapping_mul(factor);
        ones += u64::from(q.count_ones());
        c = ((u128::from(q) * u128::from(n)) >> 64) as u64 + 1;
    }
    let rest = c.wrapping_mul(factor) & ((1 << (bits % 64)) - 1);
    ones + u64::from(rest.count_ones())
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use super::Job;
    use crate::number::factor::inverse_of_odd;
    use std::arch::x86_64::*;

    /// Bits per block: 16 steps of 32.
    pub(super) const BLOCK: u32 = 512;
    /// Vectors in flight.
    pub(super) const V: usize = 4;
    /// Periods side by side.
    pub(super) const WIDTH: usize = 8 * V;

    /// Set bits of the first `blocks` blocks of these jobs, and the states c after them; start < n
    /// for all.
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(super) fn ones(jobs: &[Job; WIDTH], blocks: u32) -> ([u64; WIDTH], [u64; WIDTH]) {
        let load = |value: &dyn Fn(Job) -> u64| -> [__m512i; V] {
            std::array::from_fn(|v| {
                let lanes: [u64; 8] = std::array::from_fn(|i| value(jobs[8 * v + i]));
                from_lanes(lanes)
            })
        };
        let n = load(&|job| u64::from(job.n));
        let inverse = load(&|job| inverse_of_odd(u64::from(job.n)) & 0xFFFF_FFFF);
        let zero = [_mm512_setzero_si512(); V];
        // In memory: so the frame is aligned, and what spills stays within a line of the cache.
        std::hint::black_box(&zero);
        let mut d = load(&|job| u64::from(job.start));
        let (mut ones, mut twos, mut fours, mut total) = (zero, zero, zero, zero);
        for _ in 0..blocks {
            // Written out, so that every vector keeps its register.
            let (even, odd) = words(&mut d, &inverse, &n);
            let first = add::<true>(&mut ones, even, odd);
            let (even, odd) = words(&mut d, &inverse, &n);
            let second = add::<true>(&mut ones, even, odd);
            let low = add::<false>(&mut twos, first, second);
            let (even, odd) = words(&mut d, &inverse, &n);
            let third = add::<true>(&mut ones, even, odd);
            let (even, odd) = words(&mut d, &inverse, &n);
            let fourth = add::<true>(&mut ones, even, odd);
            let high = add::<false>(&mut twos, third, fourth);
            let eights = add::<false>(&mut fours, low, high);
            for v in 0..V {
                total[v] = _mm512_add_epi64(total[v], count(eights[v]));
            }
        }
        let (mut counts, mut states) = ([0; WIDTH], [0; WIDTH]);
        for v in 0..V {
            let parts = [
                (total[v], 8),
                (count(fours[v]), 4),
                (count(twos[v]), 2),
                (count(ones[v]), 1),
            ];
            for (vector, weight) in parts {
                for (i, lane) in to_lanes(vector).into_iter().enumerate() {
                    counts[8 * v + i] += weight * lane;
                }
            }
            states[8 * v..][..8].copy_from_slice(&to_lanes(d[v]));
        }
        (counts, states)
    }

    /// Four steps of 32 bits of every period, the first with an even number: the complements of the
    /// words of the even steps, and the words of the odd steps.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn words(
        d: &mut [__m512i; V],
        inverse: &[__m512i; V],
        n: &[__m512i; V],
    ) -> ([__m512i; V], [__m512i; V]) {
        let mut step = || {
            let mut q = *d;
            for v in 0..V {
                // d < 2^32 in each lane; a product takes the low halves of the lanes.
                q[v] = mul(d[v], inverse[v]);
                d[v] = _mm512_srli_epi64::<32>(mul(q[v], n[v]));
            }
            q
        };
        let (mut even, mut odd) = (step(), step());
        for first in [&mut even, &mut odd] {
            let second = step();
            for v in 0..V {
                // The low halves of both: odd 32-bit places take the low half of the second.
                let both = _mm512_mask_shuffle_epi32::<0b10_10_00_00>(first[v], 0xAAAA, second[v]);
                first[v] = _mm512_add_epi32(both, _mm512_set1_epi32(-1));
            }
        }
        (even, odd)
    }

    /// The products of the low halves of the lanes: VPMULUDQ. As an intrinsic it is a product of
    /// masked words to the compiler, which mixes it with its neighbours into products of 64 bits,
    /// of three instructions each.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn mul(a: __m512i, b: __m512i) -> __m512i {
        let product;
        // SAFETY: one instruction of AVX-512 F, which is there, on registers.
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

    /// A full adder on every bit, of the complement of a if it is flipped: the sums stay, the
    /// carries are returned.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn add<const FLIPPED: bool>(
        sum: &mut [__m512i; V],
        a: [__m512i; V],
        b: [__m512i; V],
    ) -> [__m512i; V] {
        let mut carry = a;
        for v in 0..V {
            let bits = (sum[v], a[v], b[v]);
            // the majority and the parity of the three bits, as tables of 8
            (carry[v], sum[v]) = if FLIPPED {
                (
                    _mm512_ternarylogic_epi64::<0xB2>(bits.0, bits.1, bits.2),
                    _mm512_ternarylogic_epi64::<0x69>(bits.0, bits.1, bits.2),
                )
            } else {
                (
                    _mm512_ternarylogic_epi64::<0xE8>(bits.0, bits.1, bits.2),
                    _mm512_ternarylogic_epi64::<0x96>(bits.0, bits.1, bits.2),
                )
            };
        }
        carry
    }

    /// Set bits of each 64-bit lane.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn count(x: __m512i) -> __m512i {
        // The bits of 0..16, a byte each, repeated in every 128 bits.
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
        let mut lanes = [0u64; 8];
        // SAFETY: the array is 64 writable bytes, and the store needs no alignment.
        unsafe { _mm512_storeu_si512(lanes.as_mut_ptr().cast(), x) };
        lanes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::residues::LowWords;
    use proptest::prelude::*;

    /// The definition: word after word.
    fn by_words(job: Job) -> u64 {
        let words =
            LowWords::starting(job.n.into(), job.start.into()).take(job.bits.div_ceil(64) as usize);
        words
            .enumerate()
            .map(|(i, word)| match job.bits as usize - 64 * i {
                rest @ 0..64 => (word & ((1 << rest) - 1)).count_ones(),
                _ => word.count_ones(),
            })
            .map(u64::from)
            .sum()
    }

    proptest! {
        #[test]
        fn every_path_counts_the_same(
            jobs in proptest::collection::vec((0u32..=u32::MAX, 0u32..6000, 0u32..), 0..100),
            least in 0u32..4000,
        ) {
            let job = |(n, bits, start): (u32, u32, u32)| Job { n: n | 1, bits: least + bits, start: start % (n | 1) + 1 };
            let jobs: Vec<Job> = jobs.into_iter().map(job).collect();
            let expected: Vec<u64> = jobs.iter().copied().map(by_words).collect();
            prop_assert_eq!(count_ones_portably(&jobs), expected.clone());
            prop_assert_eq!(count_ones(&jobs), expected);
        }
    }
}
