//! Theorems about the cycle of the flow chart: layman, half-period, halving.

use super::claim::{Claim, counted};
use crate::number::factor::pow_mod;
use crate::number::order;
use crate::number::residues::ResidueSequence;
use crate::number::sieve::OrderTable;
use crate::roller::lanes::{Job, count_ones};
use std::ops::RangeInclusive;

/// One chunk's findings; the extreme case is a pair (size, n), the largest size first met.
#[derive(Clone, Default)]
pub(super) struct Found {
    pub(super) checked: u64,
    pub(super) extreme: Option<(u64, u64)>,
    pub(super) wrong: Option<String>,
    /// What is recorded, if it is.
    pub(super) values: Vec<u8>,
}

impl Found {
    pub(super) fn see(&mut self, size: u64, n: u64) {
        self.checked += 1;
        if self.extreme.is_none_or(|(most, _)| size > most) {
            self.extreme = Some((size, n));
        }
    }

    pub(super) fn join(&mut self, later: Found) {
        self.checked += later.checked;
        if let Some((size, n)) = later.extreme {
            self.checked -= 1;
            self.see(size, n);
        }
        self.wrong = self.wrong.take().or(later.wrong);
    }
}

/// The odd n of a part that a claim about rounds speaks of, with their periods.
pub(super) fn meant(
    claim: Claim,
    part: RangeInclusive<u64>,
    table: &OrderTable,
) -> impl Iterator<Item = Job> {
    // An order of n-1 is one modulo a prime.
    let meant = move |n: u64| match claim {
        Claim::Layman => table.period(n) == n - 1,
        _ => table.minus_one(n),
    };
    let odd = part.filter(move |n| n % 2 == 1 && meant(*n));
    odd.map(|n| Job {
        n: n as u32,
        bits: table.period(n) as u32,
        start: 1,
    })
}

/// Counts the rounds of every n of a part that the claim speaks of, the longest periods first.
pub(super) fn rounds(
    claim: Claim,
    part: RangeInclusive<u64>,
    table: &OrderTable,
    recorded: bool,
    found: &mut Found,
) {
    let mut jobs: Vec<Job> = meant(claim, part, table).collect();
    jobs.iter()
        .for_each(|job| found.see(job.bits.into(), job.n.into()));
    jobs.sort_unstable_by_key(|job| job.bits);
    let mut counted: Vec<(Job, u64)> = jobs.iter().copied().zip(count_ones(&jobs)).collect();
    counted.sort_unstable_by_key(|(job, _)| job.n);
    found.wrong = counted
        .iter()
        .find_map(|(job, ones)| contradiction(*job, *ones));
    if recorded {
        let values = |(job, ones): &(Job, u64)| cycle(job.n.into(), job.bits.into(), *ones);
        found.values = counted.iter().flat_map(values).collect();
    }
}

/// What is recorded of a cycle.
pub(super) fn cycle(n: u64, flips: u64, rounds: u64) -> [u8; 24] {
    let mut bytes = [0; 24];
    for (place, value) in bytes.chunks_exact_mut(8).zip([n, flips, rounds]) {
        place.copy_from_slice(&value.to_le_bytes());
    }
    bytes
}

/// What is wrong if the `bits` bits counted are no period of 1/n, or if not half of them are
/// `ones`.
fn contradiction(job: Job, ones: u64) -> Option<String> {
    let Job { n, bits, .. } = job;
    if pow_mod(2, bits.into(), n.into()) != 1 {
        return Some(format!("n = {n}: the period of 1/n is not {bits}"));
    }
    (2 * ones != u64::from(bits)).then(|| {
        let (rounds, flips) = (counted(ones, "round"), counted(bits.into(), "flip"));
        format!("n = {n} has {rounds} and {flips} in its cycle")
    })
}

pub(super) fn halving(n: u64, found: &mut Found) {
    let orbit = order::orbit(2, n);
    let length = orbit.pre_period + orbit.period;
    found.see(orbit.period, n);
    let mut doubled = ResidueSequence::new(2, 2 * n);
    let start = doubled.next() == Some(1);
    let agree = ResidueSequence::new(2, n)
        .zip(doubled)
        .take(length as usize + 1)
        .all(|(x, y)| y == 2 * x);
    if !(start && agree) {
        let wrong = format!("E(2n) - E(n) is not 1 at n = {n}");
        found.wrong.get_or_insert(wrong);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ones_are_the_rounds_that_are_seen() {
        let odd = (3..3000u64).step_by(2);
        for n in odd.chain([100_003, 1_000_003, 8_388_607]) {
            let bits = order::period(2, n) as u32;
            let job = Job {
                n: n as u32,
                bits,
                start: 1,
            };
            let residues = ResidueSequence::new(2, n).take(bits as usize);
            let seen = residues.filter(|x| 2 * x >= n).count() as u64;
            assert_eq!(count_ones(&[job]), [seen], "n = {n}");
            assert_eq!(
                contradiction(job, seen).is_none(),
                2 * seen == u64::from(bits)
            );
        }
        let job = Job {
            n: 11,
            bits: 9,
            start: 1,
        };
        assert!(contradiction(job, 4).unwrap().contains("is not 9"));
        let job = Job {
            n: 11,
            bits: 10,
            start: 1,
        };
        assert!(contradiction(job, 4).unwrap().contains("4 rounds"));
    }
}
