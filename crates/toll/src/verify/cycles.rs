//! Theorems about the cycle of the flow chart: `rounds`, `layman` and `half-period`.

use super::claim::{
    Claim, Progress, Record, Recorder, Sample, VerifyError, count_with_noun, spread_places,
};
use super::found::RangeFindings;
use super::parts::{describe_extreme, is_larger, sweep};
use flipcost::roller::ResidueSequence;
use flipcost::roller::lanes::{Job, count_ones};
use flipcost::roller::rounds::{OddCycle, odd_cycles, ones_in_period};
use flipcost_number::factor::pow_mod;
use flipcost_number::order;
use flipcost_number::sieve::OrderTable;
use std::ops::RangeInclusive;

pub(super) const ROUNDS: Claim = Claim {
    id: "rounds",
    statement: "the cycle of an odd n > 1 has at most (n-1)/2 rounds, and (n-1)/2 only if n is a prime of which 2 is a primitive root (A136043)",
    standing: "theorem: p/2 rounds of p <= n-1 flips if -1 is a power of 2 modulo n, else fewer than p <= (n-1)/2; checked by computing the rounds of each odd n; an even n has the cycle of its odd part",
    record: Some(Record {
        values: "the rounds of the cycle of every odd n, 8 bytes each, least first",
        second: "the flips of the cycle counted, 64 at a time",
        count: 64,
        sample: sample_of_rounds,
    }),
    first: 3,
    largest: 1 << 40,
    work: |to| to.saturating_mul(1000 + 2 * to.isqrt()),
    check: record_all_rounds,
    above: is_larger,
    words: |_, found| {
        describe_extreme(found, |rounds, n| {
            format!("the most rounds are {rounds}, at n = {n}")
        })
    },
};

pub(super) const LAYMAN: Claim = Claim {
    id: "layman",
    statement: "if 2 is a primitive root of the prime p, the cycle of p has (p-1)/2 rounds (A136043)",
    standing: "theorem: 2^((p-1)/2) = -1, so the residues pair off as x and p-x, and one of each pair ends a round; checked by counting the 1 bits of one whole period of 1/p",
    record: Some(Record {
        sample: |range, count| sample_covered(COVERS_LAYMAN, range, count),
        ..RECORD
    }),
    first: 3,
    largest: OrderTable::MAX_LIMIT,
    work: period_cost,
    check: |range, threads, recorder, progress| {
        check_rounds(COVERS_LAYMAN, range, threads, recorder, progress)
    },
    above: is_larger,
    words: |_, found| {
        describe_extreme(found, |_, n| {
            let rounds = count_with_noun(n / 2, "round");
            format!("the largest such prime is {n}, with {rounds}")
        })
    },
};

pub(super) const HALF_PERIOD: Claim = Claim {
    id: "half-period",
    statement: "if -1 is a power of 2 modulo an odd n > 1, the cycle of n has p/2 rounds, p its flips",
    standing: "theorem: the residues pair off as x and n-x, and one of each pair ends a round; checked by counting the 1 bits of one whole period of 1/n; an even n has the cycle of its odd part",
    record: Some(Record {
        sample: |range, count| sample_covered(COVERS_HALF_PERIOD, range, count),
        ..RECORD
    }),
    first: 3,
    largest: OrderTable::MAX_LIMIT,
    work: period_cost,
    check: |range, threads, recorder, progress| {
        check_rounds(COVERS_HALF_PERIOD, range, threads, recorder, progress)
    },
    above: is_larger,
    words: |_, found| describe_extreme(found, longest_sentence),
};

const RECORD: Record = Record {
    values: "n, flips and rounds of the cycle of every n that the claim speaks of, 8 bytes each, least first",
    second: "the order of 2 by factoring, the rounds by stepping through the residues",
    count: 8,
    sample: |_, _| {
        Ok(Sample {
            count: 0,
            swept: Vec::new(),
            second: Vec::new(),
        })
    },
};

/// Estimates the work of counting the bits of all periods up to n = `to` with vectors; for `to` =
/// 10^7 this takes 12 s.
fn period_cost(to: u128) -> u128 {
    to.saturating_mul(500 + to / 8192)
}

fn longest_sentence(period: u64, n: u64) -> String {
    format!("the longest period is {period}, at n = {n}")
}

/// Checks whether a claim about rounds covers this odd n.
type CoveredTarget = fn(&OrderTable, u64) -> bool;
/// Covers n if the order of 2 modulo n is n - 1, which occurs only if n is a prime.
const COVERS_LAYMAN: CoveredTarget = |table, n| table.period(n) == n - 1;
const COVERS_HALF_PERIOD: CoveredTarget = OrderTable::minus_one;

/// Returns those odd n of a part that a claim about rounds covers, with their periods.
fn covered_jobs(
    covers: CoveredTarget,
    part: RangeInclusive<u64>,
    table: &OrderTable,
) -> impl Iterator<Item = Job> {
    let odd = part.filter(move |n| n % 2 == 1 && covers(table, *n));
    odd.map(|n| Job {
        n: n as u32,
        bits: table.period(n) as u32,
        start: 1,
    })
}

/// Counts the rounds of every n that the claim covers. In each part the longest periods are counted
/// first, since vectors work best on periods of about the same length.
fn check_rounds(
    covers: CoveredTarget,
    range: RangeInclusive<u64>,
    threads: usize,
    recorder: Recorder,
    progress: Progress,
) -> Result<RangeFindings, VerifyError> {
    let table = OrderTable::new(2, *range.end());
    let recorded = recorder.is_some();
    let chunk = 1 << 17;
    sweep(range, chunk, threads, recorder, progress, |part, found| {
        let mut jobs: Vec<Job> = covered_jobs(covers, part, &table).collect();
        jobs.iter()
            .for_each(|job| found.count_size(job.bits.into(), job.n.into()));
        jobs.sort_unstable_by_key(|job| job.bits);
        let mut counted: Vec<(Job, u64)> = jobs.iter().copied().zip(count_ones(&jobs)).collect();
        counted.sort_unstable_by_key(|(job, _)| job.n);
        found.wrong = counted
            .iter()
            .find_map(|(job, ones)| contradiction(*job, *ones));
        if recorded {
            let values =
                |(job, ones): &(Job, u64)| cycle_record(job.n.into(), job.bits.into(), *ones);
            found.values = counted.iter().flat_map(values).collect();
        }
        Ok(())
    })
}

/// Computes the rounds of every odd n.
fn record_all_rounds(
    range: RangeInclusive<u64>,
    threads: usize,
    recorder: Recorder,
    progress: Progress,
) -> Result<RangeFindings, VerifyError> {
    let recorded = recorder.is_some();
    sweep(
        range,
        1 << 15,
        threads,
        recorder,
        progress,
        |part, found| {
            let cycles = odd_cycles(part);
            for &OddCycle { n, flips, rounds } in &cycles {
                found.count_size(rounds, n);
                if rounds > n / 2 || rounds == n / 2 && flips < n - 1 {
                    let (rounds, flips) = (
                        count_with_noun(rounds, "round"),
                        count_with_noun(flips, "flip"),
                    );
                    found.record_contradiction(|| {
                        format!("n = {n} has {rounds} and {flips} in its cycle")
                    });
                }
            }
            if recorded {
                let values = cycles.iter().flat_map(|cycle| cycle.rounds.to_le_bytes());
                found.values = values.collect();
            }
            Ok(())
        },
    )
}

/// Computes the rounds of about `count` odd n, spread evenly over the range, by both methods.
fn sample_of_rounds(range: RangeInclusive<u64>, count: u64) -> Result<Sample, VerifyError> {
    let (to, mut sample) = (*range.end(), Sample::default());
    for (place, _) in spread_places(range, count) {
        for OddCycle { n, rounds, .. } in odd_cycles(place..=to.min(place + 1)) {
            let counted = ones_in_period(n, order::period(2, n));
            sample.count += 1;
            sample.swept.extend(rounds.to_le_bytes());
            sample.second.extend(counted.to_le_bytes());
        }
    }
    Ok(sample)
}

/// For each of `count` evenly spread places, finds the first n after the place whose period is at
/// most 2^22, if one lies within 1000.
fn sample_covered(
    covers: CoveredTarget,
    range: RangeInclusive<u64>,
    count: u64,
) -> Result<Sample, VerifyError> {
    let (to, mut sample) = (*range.end(), Sample::default());
    let table = OrderTable::new(2, to);
    for (place, step) in spread_places(range, count) {
        let near = place..=to.min(place + 1000.min(step - 1));
        let short = |job: &Job| job.bits <= 1 << 22;
        let Some(job) = covered_jobs(covers, near, &table).find(short) else {
            continue;
        };
        let n = u64::from(job.n);
        let period = order::period(2, n);
        let residues = ResidueSequence::new(2, n).take(period as usize);
        let ends = residues.filter(|x| 2 * x >= n).count() as u64;
        let ones = count_ones(&[job])[0];
        sample.count += 1;
        sample.swept.extend(cycle_record(n, job.bits.into(), ones));
        sample.second.extend(cycle_record(n, period, ends));
    }
    Ok(sample)
}

/// The bytes that are recorded for one cycle.
fn cycle_record(n: u64, flips: u64, rounds: u64) -> [u8; 24] {
    let mut bytes = [0; 24];
    for (place, value) in bytes.chunks_exact_mut(8).zip([n, flips, rounds]) {
        place.copy_from_slice(&value.to_le_bytes());
    }
    bytes
}

/// Describes the contradiction if the `bits` counted bits are not a period of 1/n, or if the number
/// of `ones` among them is not half.
fn contradiction(job: Job, ones: u64) -> Option<String> {
    let Job { n, bits, .. } = job;
    if pow_mod(2, bits.into(), n.into()) != 1 {
        return Some(format!("n = {n}: the period of 1/n is not {bits}"));
    }
    (2 * ones != u64::from(bits)).then(|| {
        let (rounds, flips) = (
            count_with_noun(ones, "round"),
            count_with_noun(bits.into(), "flip"),
        );
        format!("n = {n} has {rounds} and {flips} in its cycle")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counted_ones_agree_with_the_flow_chart() {
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

    /// The recorded values are the terms of A136043 at odd n, as in the OEIS entry; for large n the
    /// values from formulas agree with counted flips.
    #[test]
    fn recorded_rounds_are_the_terms() {
        let text = include_str!("../../../../data/reference/a136043.txt");
        let terms = text.lines().filter_map(|line| line.split_once(' '));
        let odd = terms.map(|(n, a)| (n.parse::<u64>().unwrap(), a.parse::<u64>().unwrap()));
        let expected: Vec<u8> = odd
            .filter(|(n, _)| n % 2 == 1 && *n > 1)
            .flat_map(|(_, a)| a.to_le_bytes())
            .collect();
        let mut found = Vec::new();
        let mut recorder = |values: &[u8]| found.extend_from_slice(values);
        let go_on = |_| std::ops::ControlFlow::Continue(());
        super::super::verify_range(ROUNDS, 3..=2000, 2, Some(&mut recorder), go_on).unwrap();
        assert_eq!(found, expected);
        let far = sample_of_rounds(400_000_001..=400_100_000, 20).unwrap();
        assert_eq!((far.count, &far.swept), (20, &far.second));
    }
}
