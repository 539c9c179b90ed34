//! Theorems, each checked for every n of a range by computing what it says.
//!
//! **layman.** *If 2 is a primitive root of the prime p, the cycle of p has a(p) = (p-1)/2 rounds*
//! (OEIS A136043; Layman had confirmed it to 2000). Proof. The order p-1 of 2 is even and h =
//! (p-1)/2 is the least exponent with 2^h = -1 modulo p: 2^h is a square root of 1 other than 1. So
//! the residues x = 2^t of one period pair off as x and p - x. Exactly one of the two is above p/2,
//! so exactly one has 2x >= p and ends a round. There are (p-1)/2 pairs. Conversely a(n) = (n-1)/2
//! for an odd n > 1 makes n such a prime (see the entry's remarks).
//!
//! **half-period.** *If -1 is a power of 2 modulo the odd part n' > 2 of n, the cycle of n has p/2
//! rounds, p its flips.* Proof: as above, with n' for p; the residues of the cycle are 2^s times
//! the powers of 2 modulo n', n = 2^s n', and x ends a round for n iff x / 2^s does for n'.
//! Machine-checked: `proofs/HalfPeriod.v, rounds_are_half_the_period`.
//!
//! **halving.** *E(2n) = E(n) + 1 for the fast dice roller with a coin.* Proof: 2^(t+1) mod 2n = 2
//! (2^t mod n), so x_0 = 1 and x_(t+1)/2^(t+1) for 2n is x_t/2^t for n. The sweep compares the two
//! streams of residues, each stepped separately, over the pre-period and one whole period: if they
//! match there, they match everywhere. Machine-checked: `proofs/Halving.v, E_of_double`.
//!
//! **toll.** *E(n) < log2 n + 2 for the fast dice roller with a coin* (Knuth & Yao 1976). Proof.
//! Let k = ceil(log2 n), r = n/2^k and x = 1/r - 1, 0 <= x < 1. Then E(n) = k + r nu(x), where
//! nu(x) is the sum of t b_t/2^t over the binary digits of x = 0.b_1 b_2 ... It is at most 1 + x:
//! with y = 0.b_2 b_3 ..., nu(x) = b_1/2 + (nu(y) + y)/2 <= b_1/2 + 1/2 + y < 1 + b_1/2 + y/2 = 1 +
//! x, by induction on the number of digits and then in the limit. So E(n) < k + r (1 + x) = k + 1,
//! and k < log2 n + 1.
//!
//! **ceil-plus-one.** *E(n) < ceil(log2 n) + 1 for the fast dice roller with a coin* (Huber & Vargas 2024,
//! with <=). Proof: the last but one step of the proof of `toll`. The 1 is the least upper bound: for n =
//! (2^k + 1) / 3 with an odd k >= 3 it is k / (2^k + 1) short of it (`law/toll.rs`). The inequality is
//! machine-checked: `proofs/Bound.v, E_below_ceil_plus_one`.
//!
//! **aldr-toll.** *The amplified loaded dice roller with K = 2k costs less than 2 flips above the
//! entropy, for all weights of sum n, k the least with 2^k >= n* (Draper & Saad 2025). Weights are
//! divided by their greatest common divisor first, so a sweep to n covers every distribution whose
//! weights then have a sum of at most n. The largest toll of a sum is a knapsack
//! (`algorithms/largest_toll.rs` has the reasons), bounded from above by
//! exact sums of values rounded up.
//!
//! **aldr-toll-even.** *So does K = 2k - 1, for all weights of an even sum n.* It is open, and false
//! for odd sums (7:3:3 costs 2.235 above the entropy). A sweep decides each sum by the same knapsack.
//!
//! **Certificates.** The values that decide a claim can be recorded, to be digested: [`Claim::record`]
//! says which. [`sample`] computes some of them again by another method.
//!
//! Where a sweep counts rounds, it counts the 1 bits of one whole period of 1/n, bit for bit. The
//! period p comes from the sieve of orders, and 2^p mod n = 1 is computed anew: it makes the low p
//! bits of the 2-adic -1/n, which are counted, the bits of (2^p - 1)/n.

mod claim;
mod cycles;
mod excess;
mod weights;

pub use claim::{Claim, Outcome, Record, Recorder, UnknownClaim, VerifyError};
#[cfg(test)]
pub(super) use excess::toll;

use crate::number::order;
use crate::number::residues::ResidueSequence;
use crate::number::sieve::OrderTable;
use crate::roller::doubles;
use crate::roller::lanes::{Job, count_ones};
use crate::sweep::{Pace, ordered};
use claim::{counted, go_on};
use cycles::{Found, cycle, halving, meant, rounds};
use excess::{Level, excesses, mean};
use std::ops::{ControlFlow, RangeInclusive};
use weights::all_weights;

/// Checks a claim for every n from its first to `to`, on `threads` threads (0: all cores). After
/// each part of the range it calls `progress` with the last n done; `progress` may stop it.
///
/// # Errors
/// [`VerifyError::Range`] if the sweep would end before the first n or too far away,
/// [`VerifyError::Undecided`] if enclosures do not decide a comparison, [`VerifyError::Stopped`] if
/// `progress` breaks.
///
/// # Cost
/// layman to 10^7 counts 1.2 * 10^12 flips, many periods side by side (see [`count_ones`]); halving
/// steps through O(N^2) flips one by one, the others take less.
pub fn verify(
    claim: Claim,
    to: u64,
    threads: usize,
    progress: impl FnMut(u64) -> ControlFlow<()>,
) -> Result<Outcome, VerifyError> {
    verify_range(claim, claim.first()..=to, threads, None, progress)
}

/// As [`verify`], for the n of a range; the values of [`Claim::record`] go to `recorder`. They do not
/// depend on the number of threads, and those of two ranges side by side are those of both.
///
/// # Errors
/// As [`verify`], [`VerifyError::Start`] if the range begins before the first n of the claim or is
/// empty, [`VerifyError::NoRecord`] if values are wanted that the claim does not record.
pub fn verify_range(
    claim: Claim,
    range: RangeInclusive<u64>,
    threads: usize,
    mut recorder: Recorder,
    mut progress: impl FnMut(u64) -> ControlFlow<()>,
) -> Result<Outcome, VerifyError> {
    let (first, largest) = (claim.first(), claim.largest());
    let (from, to) = (*range.start(), *range.end());
    if !(first..=largest).contains(&to) {
        return Err(VerifyError::Range { first, largest, to });
    }
    if from < first || from > to {
        return Err(VerifyError::Start { first, from });
    }
    if recorder.is_some() && claim.record().is_none() {
        return Err(VerifyError::NoRecord { claim });
    }
    let pace = |chunk| Pace { chunk, threads };
    match claim {
        Claim::Toll => return excesses(Level::Log, range, pace(1 << 18), recorder, progress),
        Claim::CeilPlusOne => {
            return excesses(Level::CeilOfLog, range, pace(1 << 18), recorder, progress);
        }
        Claim::AldrToll => return all_weights(range, 0, pace(8), progress),
        Claim::AldrTollEven => return all_weights(range, 1, pace(8), progress),
        Claim::Layman | Claim::HalfPeriod | Claim::Halving => {}
    }
    // The lanes want many periods of about the same length.
    let (table, chunk) = match claim {
        Claim::Halving => (OrderTable::new(2, 2), 2048),
        _ => (OrderTable::new(2, to), 1 << 17),
    };
    let recorded = recorder.is_some();
    let work = |part: RangeInclusive<u64>| {
        let mut found = Found::default();
        match claim {
            Claim::Halving => part.for_each(|n| halving(n, &mut found)),
            _ => rounds(claim, part, &table, recorded, &mut found),
        }
        Ok::<Found, VerifyError>(found)
    };
    let mut all = Found::default();
    ordered(range, pace(chunk), work, |found, last| {
        if let Some(record) = &mut recorder {
            record(&found.values);
        }
        all.join(found);
        go_on(progress(last))
    })?;
    let words = |(size, n): (u64, u64)| match claim {
        Claim::Layman => {
            let rounds = counted(n / 2, "round");
            format!("the largest such prime is {n}, with {rounds}")
        }
        _ => format!("the longest period is {size}, at n = {n}"),
    };
    Ok(Outcome {
        checked: all.checked,
        extreme: all.extreme.map(words),
        counterexample: all.wrong,
    })
}

/// Some values of [`Claim::record`], by the method of the sweep and by another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// How many n.
    pub count: u64,
    /// As the sweep records them.
    pub swept: Vec<u8>,
    /// By the second method.
    pub second: Vec<u8>,
}

/// Values of at most `count` n, spread evenly over a range, by two methods. Of a claim about rounds they
/// are the first after each place whose period is at most 2^22, if there is one within 1000.
///
/// # Errors
/// [`VerifyError::NoRecord`] if the claim's values are not recorded, [`VerifyError::Undecided`] if
/// enclosures do not decide a rounding.
pub fn sample(claim: Claim, range: RangeInclusive<u64>, count: u64) -> Result<Sample, VerifyError> {
    let (from, to) = (*range.start(), *range.end());
    let step = ((to - from + 1) / count.max(1)).max(1);
    let places = (from..=to).step_by(step as usize).take(count as usize);
    let mut sample = Sample {
        count: 0,
        swept: Vec::new(),
        second: Vec::new(),
    };
    match claim {
        Claim::Toll | Claim::CeilPlusOne => {
            for n in places {
                let exact = mean(n).nearest_f64()?;
                sample.count += 1;
                sample
                    .swept
                    .extend(doubles::expected_flips_double(n).to_le_bytes());
                sample.second.extend(exact.to_le_bytes());
            }
        }
        Claim::Layman | Claim::HalfPeriod => {
            let table = OrderTable::new(2, to);
            for place in places {
                let near = place..=to.min(place + 1000.min(step - 1));
                let short = |job: &Job| job.bits <= 1 << 22;
                let Some(job) = meant(claim, near, &table).find(short) else {
                    continue;
                };
                let n = u64::from(job.n);
                let period = order::period(2, n);
                let residues = ResidueSequence::new(2, n).take(period as usize);
                let ends = residues.filter(|x| 2 * x >= n).count() as u64;
                let ones = count_ones(&[job])[0];
                sample.count += 1;
                sample.swept.extend(cycle(n, job.bits.into(), ones));
                sample.second.extend(cycle(n, period, ends));
            }
        }
        Claim::Halving | Claim::AldrToll | Claim::AldrTollEven => {
            return Err(VerifyError::NoRecord { claim });
        }
    }
    Ok(sample)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_claims_hold_and_count_what_they_check() {
        let check = |claim, to| verify(claim, to, 2, |_| ControlFlow::Continue(())).unwrap();
        let layman = check(Claim::Layman, 2000);
        assert_eq!((layman.checked, layman.counterexample), (117, None));
        assert!(layman.extreme.unwrap().contains("1997"));
        // A014657 up to 100 without 1 and 2
        let half = check(Claim::HalfPeriod, 100);
        assert_eq!((half.checked, half.counterexample), (24, None));
        let halving = check(Claim::Halving, 500);
        assert_eq!((halving.checked, halving.counterexample), (500, None));
        let toll = check(Claim::Toll, 5000);
        assert_eq!((toll.checked, toll.counterexample), (5000, None));
        assert!(toll.extreme.unwrap().ends_with("at n = 4097"));
        // (2^13 + 1) / 3 = 2731, 13 / 8193 short of 1
        let ceil = check(Claim::CeilPlusOne, 5000);
        assert_eq!((ceil.checked, ceil.counterexample), (5000, None));
        assert!(
            ceil.extreme
                .unwrap()
                .ends_with("is 0.998413279628952, at n = 2731")
        );
        // Draper & Saad 2025, their code: 1.885213 is the largest toll of sum 24
        let weights = check(Claim::AldrToll, 24);
        assert_eq!((weights.checked, weights.counterexample), (23, None));
        let most = weights.extreme.unwrap();
        assert!(
            most.contains("1.885213") && most.ends_with("(n = 24)"),
            "{most}"
        );
        let even = check(Claim::AldrTollEven, 200);
        assert_eq!((even.checked, even.counterexample), (100, None));
        let short = verify(Claim::Layman, 2, 1, |_| ControlFlow::Continue(()));
        assert!(matches!(short, Err(VerifyError::Range { first: 3, .. })));
    }

    /// The values of a range by the sweep, on so many threads.
    fn recorded(claim: Claim, range: RangeInclusive<u64>, threads: usize) -> Vec<u8> {
        let mut all = Vec::new();
        let mut record = |values: &[u8]| all.extend_from_slice(values);
        let go_on = |_| ControlFlow::Continue(());
        verify_range(claim, range, threads, Some(&mut record), go_on).unwrap();
        all
    }

    #[test]
    fn values_do_not_depend_on_threads_or_parts() {
        for (claim, to) in [
            (Claim::Toll, 600_000),
            (Claim::CeilPlusOne, 1000),
            (Claim::Layman, 300_000),
            (Claim::HalfPeriod, 3000),
        ] {
            let first = claim.first();
            let whole = recorded(claim, first..=to, 1);
            assert_eq!(recorded(claim, first..=to, 3), whole, "{claim:?}");
            let halves = [first..=to / 3, to / 3 + 1..=to].map(|part| recorded(claim, part, 2));
            assert_eq!(halves.concat(), whole, "{claim:?}");
            // n, flips and rounds of the cycle of 3; E(1) and E(2)
            let begin = match claim {
                Claim::Toll | Claim::CeilPlusOne => [0f64, 1.0].map(f64::to_le_bytes).concat(),
                _ => [3u64, 2, 1].map(u64::to_le_bytes).concat(),
            };
            assert_eq!(whole[..begin.len()], begin, "{claim:?}");
        }
    }

    #[test]
    fn a_second_method_has_the_same_values() {
        for claim in Claim::ALL {
            let Some(record) = claim.record() else {
                let said = sample(claim, 2..=10, 1).unwrap_err();
                assert!(said.to_string().contains(claim.id()), "{said}");
                continue;
            };
            let range = claim.first().max(5000)..=200_000;
            let found = sample(claim, range, record.count).unwrap();
            assert_eq!(found.count, record.count, "{claim:?}");
            assert_eq!(found.swept, found.second, "{claim:?}");
        }
    }

    #[test]
    fn a_range_that_is_none_is_refused() {
        let (mut none, go_on) = (|_: &[u8]| {}, |_| ControlFlow::Continue(()));
        let empty = verify_range(Claim::Toll, RangeInclusive::new(9, 8), 1, None, go_on);
        assert_eq!(empty, Err(VerifyError::Start { first: 1, from: 9 }));
        let before = verify_range(Claim::Layman, 2..=9, 1, None, go_on);
        assert_eq!(before, Err(VerifyError::Start { first: 3, from: 2 }));
        let claim = Claim::Halving;
        let values = verify_range(claim, 1..=9, 1, Some(&mut none), go_on);
        assert_eq!(values, Err(VerifyError::NoRecord { claim }));
    }

    #[test]
    fn a_sweep_stops_when_it_is_told() {
        for claim in Claim::ALL {
            let mut parts = 0;
            let stopped = verify(claim, claim.largest().min(1 << 20), 1, |_| {
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
