//! The smaller side of a number of rolls, in which tails are told.

use flipcost_number::scaled::Scaled;

/// The smaller side of a number t of rolls, or nearly: P(T > t), or P(T <= t).
pub(super) enum Side {
    Above(Scaled),
    Below(Scaled),
}

/// A tail is smaller than 2^-262144 and not computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the probability is too small: 2^-{MAX_BITS} is the least that is computed")]
pub struct TooSmall;

/// Smaller probabilities than 2^-(this) are not computed.
pub const MAX_BITS: u64 = 1 << 18;
