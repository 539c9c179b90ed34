//! One of the two tails of a law, P(T > t) or P(T <= t). The smaller tail is stored; the other is 1
//! minus it.

use flipcost_number::scaled::Scaled;

/// A tail at t rolls: the smaller of P(T > t) and P(T <= t), or the other if it is hardly larger.
pub(super) enum Side {
    Above(Scaled),
    Below(Scaled),
}

/// The error if a tail is smaller than 2^-262144, the least probability that is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the probability is too small: 2^-{MAX_BITS} is the least that is computed")]
pub struct TooSmall;

/// Probabilities smaller than 2^-MAX_BITS are not computed.
pub const MAX_BITS: u64 = 1 << 18;
