//! Estimates the work for the terms of a range before any term is computed.
//!
//! A family states the kind of its rule. From this kind and the range follow an estimate, and the
//! length of a part of the range that can be computed separately without losing the work that
//! neighbouring terms share.

use std::ops::RangeInclusive;

/// The kind of work that the terms of a family take. Steps are operations on machine words; the
/// numbers are rough upper estimates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    /// Each term is computed from its index alone: a few thousand steps, and n^(1/4) if a period is
    /// needed.
    Index,
    /// Each term is computed from the exact law at its index: fractions of about n bits, n^2/64
    /// steps.
    Law,
    /// Multiplicative orders come from one sieve for the whole range: hundreds of steps for each n.
    Sieve,
    /// Each term counts digits over one period of 1/n: for a coin up to 64 digits in one step, with
    /// tables for the whole range; otherwise digit by digit.
    Rounds,
    /// Each term steps through up to n residues.
    Steps,
    /// The members of a list are computed from its beginning.
    List,
    /// Each term has a formula, and may have n digits.
    Long,
}

impl Work {
    /// Estimates the number of machine-word steps that the terms of a range take; at most
    /// `u128::MAX`. Cost: O(1).
    pub(crate) fn steps(self, coin: bool, range: &RangeInclusive<u64>) -> u128 {
        let last = u128::from(*range.end());
        let count = if range.is_empty() {
            return 0;
        } else {
            last - u128::from(*range.start()) + 1
        };
        let sieve = || 1000 * (count + last.isqrt().min(8 * count)) + last.isqrt();
        let walk = || sieve().saturating_add(count.saturating_mul(8 * last));
        match self {
            Work::Index => count * (5000 + 200 * last.isqrt().isqrt()),
            Work::Law => count.saturating_mul(5000 + last.saturating_mul(last) / 64),
            Work::Sieve => sieve(),
            Work::Rounds if coin => sieve() + count.saturating_mul(last / 64),
            Work::Rounds | Work::Steps => walk(),
            Work::List => 50_000 * last,
            Work::Long => last.saturating_mul(50_000 + last),
        }
    }

    /// Estimates the maximum number of decimal digits of a term up to the index `last`. Cost: O(1).
    pub(crate) fn digits(self, last: u64) -> u64 {
        match self {
            Work::Law => last.saturating_add(20), // fractions with powers of 2^p - 1, p < n
            Work::Long => last.saturating_add(20),
            _ => 20,
        }
    }

    /// The number of consecutive terms to compute together, if dividing a long range into parts of
    /// this size costs little; `None` if a range should be computed as a whole.
    pub(crate) fn part(self, coin: bool) -> Option<u64> {
        match self {
            Work::Index => Some(1 << 14),
            Work::Law => Some(1 << 8),
            Work::Rounds if coin => None,
            Work::Rounds | Work::Steps => Some(1 << 12),
            Work::Sieve | Work::List | Work::Long => None,
        }
    }
}
