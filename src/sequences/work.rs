//! Estimates the work for the terms of a range before any term is computed.
//!
//! A family states the kind of its rule. From this kind and the range follow an estimate, and the
//! length of a part of the range that can be computed separately without losing the work that
//! neighbouring terms share.

use std::ops::RangeInclusive;

/// The kind of work that the terms of a family take. A step takes about a nanosecond on two cores.
/// The numbers of steps are rough, and were measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    /// Each term is computed from its index alone: some hundred steps, and n^(1/4) if a period is
    /// needed and n is above 2^32.
    Index,
    /// Each term is computed from the exact law at its index: fractions of about n bits, n^2/64
    /// steps.
    Law,
    /// Multiplicative orders come from one sieve for the whole range: hundreds of steps for each n.
    Sieve,
    /// Each term counts the rounds of one period of 1/n: for a coin with tables for the whole
    /// range, otherwise digit by digit.
    Rounds,
    /// Each term counts digits over one period of 1/n: for a coin up to 64 digits in one step,
    /// otherwise digit by digit.
    Digits,
    /// Each term is an extreme over one period of 1/n: for a coin it follows from the bits of n,
    /// otherwise from all residues.
    Extreme,
    /// Each term steps through up to n residues.
    Steps,
    /// The members of a list are computed from its beginning, each in this many steps.
    List(u32),
    /// The digits of an irrational number, all at once.
    Expansion,
    /// Each term has a formula, and may have n digits.
    Long,
}

/// The largest n for which tables help to count rounds.
const MAX_TABLED: u128 = 1 << 32;

impl Work {
    /// Estimates the number of steps that computing the terms of a range takes; at most
    /// `u128::MAX`. Cost: O(1).
    pub(crate) fn steps(self, coin: bool, range: &RangeInclusive<u64>) -> u128 {
        let last = u128::from(*range.end());
        let count = if range.is_empty() {
            return 0;
        } else {
            last - u128::from(*range.start()) + 1
        };
        let sieve = || 300 * (count + last.isqrt().min(8 * count)) + last.isqrt();
        let walk = || sieve().saturating_add(count.saturating_mul(last / 2));
        match self {
            Work::Index if last <= MAX_TABLED => 200 * count,
            Work::Index => count * (5000 + 200 * last.isqrt().isqrt()),
            Work::Law => count.saturating_mul(5000 + last.saturating_mul(last) / 64),
            Work::Sieve => sieve(),
            Work::Extreme if coin => sieve(),
            Work::Rounds if coin && last <= MAX_TABLED => {
                // as `sweep::nanoseconds`, for the average term and two cores
                sieve() + count * last.min(last.isqrt() << 13) / (1 << 15)
            }
            Work::Rounds if coin => sieve() + count.saturating_mul(last / 64),
            Work::Digits if coin => count.saturating_mul(3000 + last / (1 << 11)),
            Work::Rounds | Work::Digits | Work::Extreme | Work::Steps => walk(),
            Work::List(each) => u128::from(each) * last,
            Work::Expansion => last.saturating_mul(2000 + last / 5 * 2),
            Work::Long => last.saturating_mul(5000 + last.saturating_mul(2)),
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
            Work::Digits if coin => Some(1 << 14),
            Work::Rounds | Work::Extreme if coin => None,
            Work::Rounds | Work::Digits | Work::Extreme | Work::Steps => Some(1 << 12),
            Work::Sieve | Work::List(_) | Work::Expansion | Work::Long => None,
        }
    }
}
