//! Fixed-point numbers in units of 2^-52, used as lower bounds of rational numbers.
//!
//! Every operation rounds down, so an operation on lower bounds gives a lower bound.

/// The number of bits after the point.
pub const BITS: u32 = 52;
/// The number 1.
pub const ONE: u64 = 1 << BITS;
/// A value above every computed bound.
pub const INFINITE: u64 = u64::MAX;

/// A u128 with more bits than this cannot be shifted left by [`BITS`] bits without overflow.
const MAX_SHIFTED_BITS: u32 = 127 - BITS;

/// floor(a / b) in units of 2^-52, or slightly less if a is long; at most `u64::MAX`.
pub fn div_floor(a: u128, b: u128) -> u64 {
    let shift = (128 - a.leading_zeros()).saturating_sub(MAX_SHIFTED_BITS);
    let (a, b) = match shift {
        0 => (a, b),
        _ => (a >> shift, (b >> shift) + 1),
    };
    u64::try_from((a << BITS) / b).unwrap_or(INFINITE - 1)
}

/// ceil(a / b) in units of 2^-52, or slightly more if a is long; at most `u64::MAX`.
pub fn div_ceil(a: u128, b: u128) -> u64 {
    let shift = (128 - a.leading_zeros()).saturating_sub(MAX_SHIFTED_BITS - 1);
    let (a, b) = match shift {
        0 => (a, b),
        _ => ((a >> shift) + 1, b >> shift),
    };
    match b {
        0 => INFINITE - 1,
        _ => u64::try_from((a << BITS).div_ceil(b)).unwrap_or(INFINITE - 1),
    }
}

/// Returns `share` times y, rounded down; the share is at most 1.
pub fn mul_floor(share: u64, y: u64) -> u64 {
    match y {
        INFINITE => INFINITE,
        _ => ((u128::from(share) * u128::from(y)) >> BITS) as u64,
    }
}
