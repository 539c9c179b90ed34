//! Counts the set bits of many periods in parallel, with vectors. This module uses `unsafe`, as do
//! `number::transform`, `number::orders_of_two` and `super::characters` (powers), and
//! `number::gcd_pairs` (quotients).
//!
//! For odd n the words of (2^p - 1)/n are computed from the low end by q = -c/n mod 2^w, c' =
//! floor(q n / 2^w) + 1 (see `residues`). Within a period each product depends on the one before,
//! so many periods are computed at the same time (see `CountKernel`):
//!
//! - in words, w = 64: six periods in parallel in plain Rust, compiled twice: for any processor,
//!   and for processors that count the set bits of a word in one instruction;
//! - in vectors, w = 32: a period in each 64-bit lane, several vectors in flight. The words of two
//!   steps make a vector of 64-bit words. Carry-save adders add eight of these bit by bit (Harley &
//!   Seal; see Muła, Kurz & Lemire 2018), and only the carries of weight 8 are counted.
//!
//! The vectors need no addition of 1: with q = d/n mod 2^w and d' = floor(q n / 2^w), d 2^-w = -d'
//! modulo n. So the residues c of successive steps are alternately d and n - d. For c = d the word
//! -d/n is -q, for c = n - d it is q - 1. This requires 0 < d < n.
//!
//! All kernels count exactly the same bits; the choice is made at run time.
//!
//! **Proof obligations of the `unsafe`.** (1) Code compiled for features of a processor is called
//! only from `CountKernel::ones`, for a kernel that `CountKernel::is_supported` has confirmed. (2)
//! The vectors access memory only through local arrays, by unaligned loads and stores of exactly
//! their length; there is no pointer arithmetic. (3) Each line of assembly is one instruction
//! between registers. This folder has no other `unsafe`.
#![allow(unsafe_code)]

#[macro_use]
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod kernel;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod job;
#[cfg(target_arch = "aarch64")]
mod neon;
mod words;

pub use job::Job;
use std::sync::OnceLock;
pub(crate) use words::WIDTH;

/// A method of counting set bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CountKernel {
    /// Vectors of 512 bits, with AVX-512 F and BW.
    Avx512,
    /// Vectors of 256 bits, with AVX2.
    Avx2,
    /// Vectors of 128 bits, with NEON.
    Neon,
    /// Words, with POPCNT and BMI2.
    Popcnt,
    /// Words, on any processor.
    Portable,
}

impl CountKernel {
    /// All kernels, in the order of [`KERNELS`].
    const ALL: [CountKernel; 5] = [
        CountKernel::Avx512,
        CountKernel::Avx2,
        CountKernel::Neon,
        CountKernel::Popcnt,
        CountKernel::Portable,
    ];

    /// The kernels that are available on this processor, with their names.
    fn available() -> impl Iterator<Item = (&'static str, CountKernel)> {
        let all = KERNELS.into_iter().zip(CountKernel::ALL);
        all.filter(|(_, path)| path.is_supported())
    }

    /// Checks whether this processor has the required features.
    fn is_supported(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            CountKernel::Avx512 => {
                is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw")
            }
            #[cfg(target_arch = "x86_64")]
            CountKernel::Avx2 => {
                is_x86_feature_detected!("avx2") && CountKernel::Popcnt.is_supported()
            }
            #[cfg(target_arch = "x86_64")]
            CountKernel::Popcnt => {
                is_x86_feature_detected!("popcnt") && is_x86_feature_detected!("bmi2")
            }
            #[cfg(target_arch = "aarch64")]
            CountKernel::Neon => std::arch::is_aarch64_feature_detected!("neon"),
            CountKernel::Portable => true,
            _ => false,
        }
    }

    /// Returns the kernel named by the environment variable `FLIPCOST_LANES`, for example `avx2`,
    /// if it is available; otherwise the fastest kernel. The variable is read once.
    pub(crate) fn chosen() -> CountKernel {
        static CHOSEN: OnceLock<CountKernel> = OnceLock::new();
        *CHOSEN.get_or_init(|| {
            let named = std::env::var("FLIPCOST_LANES").unwrap_or_default();
            let asked = CountKernel::available().find(|(name, _)| *name == named);
            asked
                .or_else(|| CountKernel::available().next())
                .map_or(CountKernel::Portable, |(_, path)| path)
        })
    }

    /// For each job, returns the number of set bits among the low `bits` bits of -start/n.
    ///
    /// # Panics
    /// If an n is even, or the kernel is not available.
    pub(crate) fn ones(self, jobs: &[Job]) -> Vec<u64> {
        assert!(
            self.is_supported(),
            "this processor does not count by {self:?}"
        );
        match self {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the processor supports AVX-512 F and BW.
            CountKernel::Avx512 => {
                count_in_groups(jobs, |group, blocks| unsafe { avx512::ones(group, blocks) })
            }
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the processor supports AVX2.
            CountKernel::Avx2 => {
                count_in_groups(jobs, |group, blocks| unsafe { avx2::ones(group, blocks) })
            }
            #[cfg(target_arch = "aarch64")]
            // SAFETY: the processor supports NEON.
            CountKernel::Neon => {
                count_in_groups(jobs, |group, blocks| unsafe { neon::ones(group, blocks) })
            }
            _ => self.ones_in_words(jobs),
        }
    }

    /// As [`CountKernel::ones`], with words instead of vectors.
    fn ones_in_words(self, jobs: &[Job]) -> Vec<u64> {
        let mut counts = Vec::with_capacity(jobs.len());
        for group in jobs.chunks(WIDTH) {
            let job = |i: usize| group.get(i).unwrap_or(&group[0]);
            let n = std::array::from_fn(|i| job(i).n.into());
            let start = std::array::from_fn(|i| job(i).start.into());
            let common = group.iter().map(|job| job.bits).min().unwrap_or(0) / 64;
            let (ones, states) = self.streams(n, start, common.into());
            for (i, job) in group.iter().enumerate() {
                let rest = job.bits - 64 * common;
                counts.push(ones[i] + self.count_bits(job.n.into(), states[i], rest.into()));
            }
        }
        counts
    }

    /// Counts the set bits in the first `words` words of -start/n, for odd n; returns the counts
    /// and the states after these words.
    pub(crate) fn streams(
        self,
        n: [u64; WIDTH],
        start: [u64; WIDTH],
        words: u64,
    ) -> ([u64; WIDTH], [u64; WIDTH]) {
        #[cfg(target_arch = "x86_64")]
        if self != CountKernel::Portable && CountKernel::Popcnt.is_supported() {
            // SAFETY: the processor supports POPCNT and BMI2.
            return unsafe { words::streams_by_popcnt(n, start, words) };
        }
        words::streams(n, start, words)
    }

    /// Counts the set bits among the low `bits` bits of -c/n.
    fn count_bits(self, n: u64, c: u64, bits: u64) -> u64 {
        #[cfg(target_arch = "x86_64")]
        if self != CountKernel::Portable && CountKernel::Popcnt.is_supported() {
            // SAFETY: the processor supports POPCNT and BMI2.
            return unsafe { words::one_by_popcnt(n, c, bits) };
        }
        words::count_bits(n, c, bits)
    }
}

/// For each job, returns the number of set bits among the low `bits` bits of -start/n, by the
/// fastest available kernel. Each group of 32 neighbouring jobs takes as long as its longest job,
/// so sort the jobs by length. Cost: O(bits / 64) products per job with words.
///
/// # Panics
/// If an n is even.
pub fn count_ones(jobs: &[Job]) -> Vec<u64> {
    CountKernel::chosen().ones(jobs)
}

/// The names of the kernels, the fastest first.
pub const KERNELS: [&str; 5] = ["avx512", "avx2", "neon", "popcnt", "portable"];

/// As [`count_ones`], with the named kernel of [`KERNELS`]; `None` if the processor lacks the
/// required features.
pub fn count_ones_by(kernel: &str, jobs: &[Job]) -> Option<Vec<u64>> {
    let (_, path) = CountKernel::available().find(|(name, _)| *name == kernel)?;
    Some(path.ones(jobs))
}

/// Counts each group of jobs with vectors, up to the shortest job of the group, and the rest with
/// words.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
fn count_in_groups<const W: usize>(
    jobs: &[Job],
    ones: impl Fn(&[Job; W], u32) -> ([u64; W], [u64; W]),
) -> Vec<u64> {
    let mut counts = Vec::with_capacity(jobs.len());
    let groups = jobs.chunks_exact(W);
    let rest = groups.remainder();
    for group in groups {
        let group: &[Job; W] = group.try_into().expect("a whole group");
        let common = |job: &Job| if job.start < job.n { job.bits } else { 0 };
        let blocks = group.iter().map(common).min().unwrap_or(0) / kernel::BLOCK;
        let (ones, states) = ones(group, blocks);
        for (i, job) in group.iter().enumerate() {
            let rest = job.bits - blocks * kernel::BLOCK;
            counts.push(
                ones[i] + CountKernel::Popcnt.count_bits(job.n.into(), states[i], rest.into()),
            );
        }
    }
    counts.extend(CountKernel::Popcnt.ones_in_words(rest));
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::roller::residues::LowWords;
    use proptest::prelude::*;

    /// Counts from the definition, word by word.
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
            for kernel in KERNELS {
                let counts = count_ones_by(kernel, &jobs);
                prop_assert!(counts.is_none_or(|counts| counts == expected), "{kernel}");
            }
            prop_assert_eq!(count_ones(&jobs), expected);
        }
    }
}
