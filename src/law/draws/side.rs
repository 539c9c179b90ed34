//! The smaller side of a number of rolls: the form in which tails are stored.

use flipcost_number::scaled::Scaled;

/// The smaller side of a number t of rolls, or about the smaller: P(T > t), or P(T <= t).
pub(super) enum Side {
    Above(Scaled),
    Below(Scaled),
}

/// A tail is smaller than 2^-262144 and is not computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the probability is too small: 2^-{MAX_BITS} is the least that is computed")]
pub struct TooSmall;

/// Probabilities smaller than 2^-MAX_BITS are not computed.
pub const MAX_BITS: u64 = 1 << 18;
