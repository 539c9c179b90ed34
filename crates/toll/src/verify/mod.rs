//! Theorems that are checked for every n of a range by computing their values.
//!
//! **rounds.** *The cycle of an odd n > 1 has a(n) <= (n-1)/2 rounds (OEIS A136043), and (n-1)/2
//! only if n is a prime of which 2 is a primitive root; an even n has as many rounds as its odd
//! part.* Proof. The cycle has p flips, where p is the order of 2 modulo n. If -1 is a power of 2,
//! a(n) = p/2 as for `half-period` below, and p <= phi(n) <= n-1 with equality for the primes of
//! which 2 is a primitive root. Otherwise the powers of 2 are at most half of the units modulo n,
//! so p <= (n-1)/2; and for n > 2 not every flip ends a round. The sweep computes a(n) by the
//! formulas of `src/roller/rounds.rs`; its certificate records the terms of A136043.
//!
//! **layman.** *If 2 is a primitive root of the prime p, the cycle of p has a(p) = (p-1)/2 rounds*
//! (OEIS A136043; Layman had confirmed it to 2000). Proof. The order p-1 of 2 is even and h =
//! (p-1)/2 is the least exponent with 2^h = -1 modulo p: 2^h is a square root of 1 other than 1. So
//! the residues x = 2^t of one period form pairs x and p - x. Exactly one number of a pair is above
//! p/2, so exactly one has 2x >= p and ends a round. There are (p-1)/2 pairs. Conversely a(n) =
//! (n-1)/2 for an odd n > 1 implies that n is such a prime (see the entry's remarks).
//!
//! **half-period.** *If -1 is a power of 2 modulo the odd part n' > 2 of n, the cycle of n has p/2
//! rounds, where p is its number of flips.* Proof: as above, with n' for p; the residues of the
//! cycle are 2^s times the powers of 2 modulo n', n = 2^s n', and x ends a round for n if and only
//! if x / 2^s does for n'. Machine-checked: `proofs/HalfPeriod.v, rounds_are_half_the_period`.
//!
//! **toll.** *E(n) < log2 n + 2 for the fast dice roller with a coin* (Knuth & Yao 1976). Proof.
//! Let k = ceil(log2 n), r = n/2^k and x = 1/r - 1, 0 <= x < 1. Then E(n) = k + r nu(x), where
//! nu(x) is the sum of t b_t/2^t over the binary digits of x = 0.b_1 b_2 ... This nu(x) is at most
//! 1 + x: with y = 0.b_2 b_3 ..., nu(x) = b_1/2 + (nu(y) + y)/2 <= b_1/2 + 1/2 + y < 1 + b_1/2 +
//! y/2 = 1 + x, by induction on the number of digits and then in the limit. So E(n) < k + r (1 +
//! x) = k + 1, and k < log2 n + 1.
//!
//! **ceil-plus-one.** *E(n) < ceil(log2 n) + 1 for the fast dice roller with a coin* (Huber &
//! Vargas 2024, with <=). Proof: the last step but one of the proof of `toll`. The 1 is the least
//! upper bound: for n = (2^k + 1) / 3 with an odd k >= 3, E(n) is only k / (2^k + 1) below the
//! bound (`toll.rs`). The inequality is machine-checked: `proofs/Bound.v, E_below_ceil_plus_one`.
//!
//! **Certificates.** The values that decide a claim can be recorded, and then hashed:
//! [`Claim::record`] describes these values. [`sample`] computes some of them again by another
//! method.
//!
//! A sweep that counts rounds counts the 1 bits of one whole period of 1/n. The period p comes from
//! the sieve of orders, and the sweep checks that 2^p mod n = 1. So the low p bits of the 2-adic
//! number -1/n, which are counted, are the bits of (2^p - 1)/n.

mod claim;
mod cycles;
mod excess;
mod found;
mod parts;

pub use claim::{
    Claim, ClaimResult, Progress, Record, Recorder, Sample, VerifyError, check_progress,
};
pub use found::{Extreme, RangeFindings};
pub use parts::{describe_extreme, is_larger, sweep};

use std::ops::{ControlFlow, RangeInclusive};

/// The claims of this package; other packages define further claims.
pub const CLAIMS: &[Claim] = &[
    cycles::LAYMAN,
    excess::TOLL,
    excess::CEIL_PLUS_ONE,
    cycles::HALF_PERIOD,
    cycles::ROUNDS,
];

/// Checks a claim for every n from its first to `to`, on `threads` threads (0: all cores). After
/// each part of the range it calls `progress` with the last n that is done; `progress` may stop the
/// sweep.
///
/// # Errors
/// [`VerifyError::Range`] if the sweep would end before the claim's first n or beyond its largest
/// n, [`VerifyError::Undecided`] if enclosures do not decide a comparison, [`VerifyError::Stopped`]
/// if `progress` breaks.
///
/// # Cost
/// `layman` to 10^7 counts 1.2 * 10^12 flips, many periods at the same time; the other claims take
/// less.
pub fn verify(
    claim: Claim,
    to: u64,
    threads: usize,
    progress: impl FnMut(u64) -> ControlFlow<()>,
) -> Result<ClaimResult, VerifyError> {
    verify_range(claim, claim.first..=to, threads, None, progress)
}

/// As [`verify`], for the n of a range; also sends the values of [`Claim::record`] to `recorder`.
/// The values do not depend on the number of threads, and the values of two adjacent ranges,
/// concatenated, are those of their union.
///
/// # Errors
/// As [`verify_part`].
pub(crate) fn verify_range(
    claim: Claim,
    range: RangeInclusive<u64>,
    threads: usize,
    recorder: Recorder,
    progress: impl FnMut(u64) -> ControlFlow<()>,
) -> Result<ClaimResult, VerifyError> {
    let found = verify_part(claim, range.clone(), threads, recorder, progress)?;
    claim.outcome(&range, found)
}

/// Returns the findings for a part of a range; [`Claim::join`] combines them with those for later
/// parts.
///
/// # Errors
/// As [`verify`]; [`VerifyError::Start`] if the range begins before the first n of the claim or is
/// empty, [`VerifyError::NoRecord`] if values are requested that the claim does not record.
pub fn verify_part(
    claim: Claim,
    range: RangeInclusive<u64>,
    threads: usize,
    recorder: Recorder,
    mut progress: impl FnMut(u64) -> ControlFlow<()>,
) -> Result<RangeFindings, VerifyError> {
    claim.may_check(&range, recorder.is_some())?;
    (claim.check)(range, threads, recorder, &mut progress)
}

impl Claim {
    /// Fails unless the claim can be checked for this range, with its values recorded or not.
    ///
    /// # Errors
    /// [`VerifyError::Range`], [`VerifyError::Start`] or [`VerifyError::NoRecord`].
    pub fn may_check(&self, range: &RangeInclusive<u64>, record: bool) -> Result<(), VerifyError> {
        let Claim { first, largest, .. } = *self;
        let (from, to) = (*range.start(), *range.end());
        if !(first..=largest).contains(&to) {
            return Err(VerifyError::Range { first, largest, to });
        }
        if from < first || from > to {
            return Err(VerifyError::Start { first, from });
        }
        if record {
            record_of(*self)?;
        }
        Ok(())
    }
}

fn record_of(claim: Claim) -> Result<Record, VerifyError> {
    claim
        .record
        .ok_or(VerifyError::NoRecord { claim: claim.id })
}

/// Computes the values of at most `count` n, spread evenly over a range, by two methods. For
/// `layman` and `half-period`, each of the evenly spread places gives the first covered n after it
/// whose period is at most 2^22, if there is one within a distance of 1000.
///
/// # Errors
/// [`VerifyError::NoRecord`] if the claim's values are not recorded, [`VerifyError::Undecided`] if
/// enclosures do not decide a rounding.
pub fn sample(claim: Claim, range: RangeInclusive<u64>, count: u64) -> Result<Sample, VerifyError> {
    (record_of(claim)?.sample)(range, count)
}

#[cfg(test)]
mod tests {
    use super::cycles::*;
    use super::excess::*;
    use super::*;

    #[test]
    fn the_claims_hold_and_count_what_they_check() {
        let check = |claim, to| verify(claim, to, 2, |_| ControlFlow::Continue(())).unwrap();
        let layman = check(LAYMAN, 2000);
        assert_eq!((layman.checked, layman.counterexample), (117, None));
        assert!(layman.extreme.unwrap().contains("1997"));
        // The terms of A014657 up to 100 without 1 and 2.
        let half = check(HALF_PERIOD, 100);
        assert_eq!((half.checked, half.counterexample), (24, None));
        // 1997 is the last prime below 2000 of which 2 is a primitive root
        let rounds = check(ROUNDS, 2000);
        assert_eq!((rounds.checked, rounds.counterexample), (999, None));
        let most = "the most rounds are 998, at n = 1997";
        assert_eq!(rounds.extreme.as_deref(), Some(most));
        let toll = check(TOLL, 5000);
        assert_eq!((toll.checked, toll.counterexample), (5000, None));
        assert!(toll.extreme.unwrap().ends_with("at n = 4097"));
        // (2^13 + 1) / 3 = 2731, which is 13 / 8193 short of 1
        let ceil = check(CEIL_PLUS_ONE, 5000);
        assert_eq!((ceil.checked, ceil.counterexample), (5000, None));
        assert!(
            ceil.extreme
                .unwrap()
                .ends_with("is 0.998413279628952, at n = 2731")
        );
        let short = verify(LAYMAN, 2, 1, |_| ControlFlow::Continue(()));
        assert!(matches!(short, Err(VerifyError::Range { first: 3, .. })));
    }

    /// The values that the sweep records for a range, on this many threads.
    fn record_of(claim: Claim, range: RangeInclusive<u64>, threads: usize) -> Vec<u8> {
        let mut all = Vec::new();
        let mut record = |values: &[u8]| all.extend_from_slice(values);
        let go_on = |_| ControlFlow::Continue(());
        verify_range(claim, range, threads, Some(&mut record), go_on).unwrap();
        all
    }

    #[test]
    fn values_do_not_depend_on_threads_or_parts() {
        for (claim, to) in [
            (TOLL, 600_000),
            (CEIL_PLUS_ONE, 1000),
            (LAYMAN, 300_000),
            (ROUNDS, 300_000),
            (HALF_PERIOD, 3000),
        ] {
            let first = claim.first;
            let whole = record_of(claim, first..=to, 1);
            assert_eq!(record_of(claim, first..=to, 3), whole, "{claim:?}");
            let halves = [first..=to / 3, to / 3 + 1..=to].map(|part| record_of(claim, part, 2));
            assert_eq!(halves.concat(), whole, "{claim:?}");
            // The first values are n, flips and rounds of the cycle of 3; E(1) and E(2); the rounds
            // of 3 and 5.
            let begin = match (claim == ROUNDS, [TOLL, CEIL_PLUS_ONE].contains(&claim)) {
                (true, _) => [1u64, 2].map(u64::to_le_bytes).concat(),
                (_, true) => [0f64, 1.0].map(f64::to_le_bytes).concat(),
                _ => [3u64, 2, 1].map(u64::to_le_bytes).concat(),
            };
            assert_eq!(whole[..begin.len()], begin, "{claim:?}");
        }
    }

    #[test]
    fn a_second_method_has_the_same_values() {
        for claim in CLAIMS.iter().copied() {
            let record = claim.record.expect("each of these has one");
            let range = claim.first.max(5000)..=200_000;
            let found = sample(claim, range, record.count).unwrap();
            assert_eq!(found.count, record.count, "{claim:?}");
            assert_eq!(found.swept, found.second, "{claim:?}");
        }
    }

    #[test]
    fn invalid_ranges_are_refused() {
        let (mut none, go_on) = (|_: &[u8]| {}, |_| ControlFlow::Continue(()));
        let empty = verify_range(TOLL, RangeInclusive::new(9, 8), 1, None, go_on);
        assert_eq!(empty, Err(VerifyError::Start { first: 1, from: 9 }));
        let before = verify_range(LAYMAN, 2..=9, 1, None, go_on);
        assert_eq!(before, Err(VerifyError::Start { first: 3, from: 2 }));
        let claim = crate::claims::CLAIMS[0];
        let said = sample(claim, 2..=10, 1).unwrap_err();
        assert!(said.to_string().contains(claim.id), "{said}");
        let values = verify_range(claim, 2..=9, 1, Some(&mut none), go_on);
        assert_eq!(values, Err(VerifyError::NoRecord { claim: claim.id }));
    }

    #[test]
    fn a_sweep_can_be_stopped() {
        for claim in CLAIMS.iter().copied() {
            let mut parts = 0;
            let stopped = verify(claim, claim.largest.min(1 << 20), 1, |_| {
                parts += 1;
                ControlFlow::Break(())
            });
            assert_eq!(
                (stopped, parts),
                (Err(VerifyError::Stopped), 1),
                "{claim:?}"
            );
        }
    }
}
