//! Enclosures of the constants e and pi.

use super::enclosure::Enclosure;
use super::{BigInt, BigUint};
use num_traits::{One, Zero};

/// Encloses e = sum 1/k!. Every quotient is rounded down by less than a unit. The terms after the
/// last one used add up to less than twice the first of them, which rounds to 0.
pub fn e(bits: u64) -> Enclosure {
    let work = bits + 16 + u64::from(64 - bits.leading_zeros());
    let mut term = BigUint::one() << work;
    let (mut sum, mut k) = (BigUint::zero(), 0u64);
    while !term.is_zero() {
        sum += &term;
        k += 1;
        term /= k;
    }
    // Term k is too small by less than 1 + 1/k + ... < 2 units.
    let low = BigInt::from(sum);
    Enclosure {
        high: &low + BigInt::from(2 * k + 4),
        low,
        bits: work,
    }
}

/// Returns atan(1/q) and a bound of the error, both in units of 2^-bits. The series alternates:
/// each quotient has an error of at most 2 units, and the omitted terms add less than one.
fn atan_of_reciprocal(q: u64, bits: u64) -> (BigInt, u64) {
    let mut power = (BigInt::one() << bits) / q;
    let (mut sum, mut k, mut terms) = (BigInt::zero(), 1u64, 0u64);
    while !power.is_zero() {
        let term = &power / k;
        match terms % 2 {
            0 => sum += term,
            _ => sum -= term,
        }
        power /= q * q;
        k += 2;
        terms += 1;
    }
    (sum, 2 * terms + 2)
}

/// Encloses pi = 16 atan(1/5) - 4 atan(1/239) (Machin 1706).
pub fn pi(bits: u64) -> Enclosure {
    let work = bits + 16 + u64::from(64 - bits.leading_zeros());
    let ((a, slack_a), (b, slack_b)) = (atan_of_reciprocal(5, work), atan_of_reciprocal(239, work));
    let (value, slack) = (a * 16 - b * 4, BigInt::from(16 * slack_a + 4 * slack_b));
    Enclosure {
        low: &value - &slack,
        high: value + slack,
        bits: work,
    }
}
