//! DOCS
#![allow(unsafe_code)]

#[macro_use]
mod kernel;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod field;
#[cfg(any(test, target_arch = "aarch64"))]
mod plain;

use field::Shape;
pub(crate) use field::Term;
use std::sync::OnceLock;

/// How products are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Path {
    /// Vectors of 512 bits, by AVX-512 F.
    Avx512,
    /// Vectors of 256 bits, by AVX2 and FMA.
    Avx2,
    /// Without vectors.
    Plain,
}

impl Path {
    /// All of them, the fastest first.
    const ALL: [(&str, Path); 2] = [("avx512", Path::Avx512), ("avx2", Path::Avx2)];

    /// Has this processor what it takes?
    fn is_here(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            Path::Avx512 => is_x86_feature_detected!("avx512f"),
            #[cfg(target_arch = "x86_64")]
            Path::Avx2 => is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma"),
            Path::Plain => cfg!(any(test, target_arch = "aarch64")),
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }

    pub(crate) fn chosen() -> Option<Path> {
        static CHOSEN: OnceLock<Option<Path>> = OnceLock::new();
        *CHOSEN.get_or_init(|| {
            let named = std::env::var("FLIPCOST_LANES").unwrap_or_default();
            let here = || Path::ALL.iter().filter(|(_, path)| path.is_here());
            if named == "popcnt" || named == "portable" {
                return None;
            }
            let asked = here().find(|(name, _)| *name == named);
            asked.or_else(|| here().next()).map(|(_, path)| *path)
        })
    }

    pub(crate) fn sums(self, operands: &[&[u64]], sums: &[&[Term]], threads: bool) -> Vec<Vec<u64>> {
        let length = |term: &Term| operands[term.left].len() + operands[term.right].len();
        let words = sums.iter().flat_map(|terms| terms.iter()).map(length).max().unwrap_or(0);
        let least = match self {
            Path::Avx512 => 64,
            Path::Avx2 => 16,
            Path::Plain => 4,
        };
        let shape = Shape::new(words, least, words + 1);
        match self {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: its features are here.
            Path::Avx512 => unsafe { avx512::sums(operands, sums, shape, threads) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: its features are here.
            Path::Avx2 => unsafe { avx2::sums(operands, sums, shape, threads) },
            #[cfg(any(test, target_arch = "aarch64"))]
            Path::Plain => plain::sums(operands, sums, shape, threads),
            #[allow(unreachable_patterns)]
            _ => unreachable!("this processor does not multiply by {self:?}"),
        }
    }
}
