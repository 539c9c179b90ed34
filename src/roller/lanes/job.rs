//! The jobs that the counting kernels execute.

/// A job: count the set bits among the low `bits` bits of -start/n, which are a period or the first
/// part of a period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Job {
    /// The odd n.
    pub n: u32,
    /// The number of bits to count, from the low end.
    pub bits: u32,
    /// The starting state, in 1..=n; 1 for a period of 1/n.
    pub start: u32,
}
