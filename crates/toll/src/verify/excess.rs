//! Theorems about E(n) minus log2 n (the toll), and about E(n) minus ceil(log2 n).

use super::claim::{
    Claim, Progress, Record, Recorder, Sample, VerifyError, check_progress, spread_places,
};
use super::found::RangeFindings;
use flipcost::algorithms;
use flipcost::law::Law;
use flipcost::roller::doubles;
use flipcost::task::{Source, Task};
use flipcost_number::fixed::Fixed;
use flipcost_number::threads::Workers;
use flipcost_number::{Real, Undecided};
use std::cmp::Ordering;
use std::ops::RangeInclusive;

pub(super) const TOLL: Claim = Claim {
    id: "toll",
    statement: "E(n) < log2 n + 2 for the fast dice roller with a coin",
    standing: "theorem: E(n) < ceil(log2 n) + 1; checked by sums of 128 terms and a bound on the rest, by exact enclosures where they do not tell",
    record: Some(Record {
        values: "E(n) of every n as the nearest double, 8 bytes each, least first",
        second: "nearest doubles of sums of 2^t mod n over 2^t, in numbers of any length",
        count: 1000,
        sample: sample_means,
    }),
    first: 1,
    largest: 1 << 40,
    work: |to| 100 * to,
    check: |range, threads, recorder, progress| {
        check_excesses(Baseline::Log, range, threads, recorder, progress)
    },
    above: |one, most| Ok(toll(one.1).is_above(toll(most.1))?),
    words: |_, found| Baseline::Log.largest_in_words(found),
};

pub(super) const CEIL_PLUS_ONE: Claim = Claim {
    id: "ceil-plus-one",
    statement: "E(n) < ceil(log2 n) + 1 for the fast dice roller with a coin",
    standing: "theorem: the binary digits of 2^k/n - 1, k = ceil(log2 n), cost less than 1 flip above k; checked by sums of 128 terms and a bound on the rest, by exact enclosures where they do not tell",
    check: |range, threads, recorder, progress| {
        check_excesses(Baseline::CeilOfLog, range, threads, recorder, progress)
    },
    above: |one, most| {
        let of = |n| excess(Baseline::CeilOfLog, n);
        Ok(of(one.1).is_above(of(most.1))?)
    },
    words: |_, found| Baseline::CeilOfLog.largest_in_words(found),
    ..TOLL
};

/// The baseline that is subtracted from E(n).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Baseline {
    /// log2 n: the excess is the toll.
    Log,
    /// ceil(log2 n).
    CeilOfLog,
}

impl Baseline {
    /// The name of the baseline.
    fn name(self) -> &'static str {
        match self {
            Baseline::Log => "log2 n",
            Baseline::CeilOfLog => "ceil(log2 n)",
        }
    }

    /// The bound that the theorem states: every excess is below this number.
    fn excess_bound(self) -> u8 {
        match self {
            Baseline::Log => 2,
            Baseline::CeilOfLog => 1,
        }
    }

    /// The excess of n to within 2^-59, if the odd part of n is below 2^32.
    fn fixed_excess(self, n: u64) -> Option<Fixed> {
        match self {
            Baseline::Log => doubles::toll_fixed(n),
            Baseline::CeilOfLog => {
                let cost = doubles::expected_flips_fixed(n)?;
                let whole = u128::from(ceil_log2(n)) << 64;
                // The enclosure of E(n) may begin below k, but at most by its width.
                Some(Fixed {
                    low: cost.low.saturating_sub(whole),
                    high: cost.high.saturating_sub(whole),
                })
            }
        }
    }

    /// Describes the largest excess.
    fn largest_in_words(self, found: &RangeFindings) -> Result<Option<String>, VerifyError> {
        let words = |(_, n)| {
            let (name, most) = (self.name(), self.exact_excess(n).decimals(15)?);
            Ok(format!("the largest E(n) - {name} is {most}, at n = {n}"))
        };
        found.extreme.map(words).transpose()
    }

    /// The excess of n, exactly or enclosed.
    fn exact_excess(self, n: u64) -> Real {
        match self {
            Baseline::Log => coin_mean(n).minus(&Real::log(n, 2)),
            Baseline::CeilOfLog => coin_mean(n).minus(&Real::integer(ceil_log2(n))),
        }
    }
}

/// The law of the fast dice roller with a coin.
fn coin_law(n: u64) -> Law {
    let dice = Task::die(n, Source::COIN).expect("a coin, and n >= 1");
    let law = algorithms::FAST_DICE_ROLLER.law(&dice);
    law.expect("the fast dice roller has a law")
}

/// E(n), exact or enclosed to any precision.
fn coin_mean(n: u64) -> Real {
    coin_law(n).mean_real()
}

fn ceil_log2(n: u64) -> u32 {
    n.ilog2() + u32::from(!n.is_power_of_two())
}

/// E(n) minus a baseline, with its n.
#[derive(Clone, Copy)]
pub(crate) struct Excess {
    /// The number n of sides of the target.
    pub(crate) n: u64,
    baseline: Baseline,
    /// An enclosure in machine words, if there is one.
    near: Option<Fixed>,
}

fn excess(baseline: Baseline, n: u64) -> Excess {
    let near = baseline.fixed_excess(n);
    Excess { n, baseline, near }
}

/// The toll of n.
pub(crate) fn toll(n: u64) -> Excess {
    excess(Baseline::Log, n)
}

impl Excess {
    /// Whether the excess is greater than that of another n with the same baseline. Enclosures in
    /// machine words decide if they can.
    pub(crate) fn is_above(self, other: Excess) -> Result<bool, Undecided> {
        if let (Some(a), Some(b)) = (self.near, other.near) {
            if a.low > b.high {
                return Ok(true);
            }
            if a.high < b.low {
                return Ok(false);
            }
        }
        // E(2n) = E(n) + 1, so n and 2n have the same excess, and no enclosure could separate them.
        if self.n >> self.n.trailing_zeros() == other.n >> other.n.trailing_zeros() {
            return Ok(false);
        }
        let [a, b] = [self, other].map(|one| one.baseline.exact_excess(one.n));
        Ok(a.compare(&b)? == Ordering::Greater)
    }

    fn is_below_its_bound(self) -> Result<bool, Undecided> {
        let bound = self.baseline.excess_bound();
        match self.near {
            Some(near) if near.high < u128::from(bound) << 64 => Ok(true),
            _ => {
                let exact = self.baseline.exact_excess(self.n);
                Ok(exact.compare(Real::integer(bound))? == Ordering::Less)
            }
        }
    }
}

/// Returns the larger of two excesses; if they are equal, the first.
fn larger_excess(a: Option<Excess>, b: Excess) -> Result<Option<Excess>, Undecided> {
    match a {
        Some(a) if !b.is_above(a)? => Ok(Some(a)),
        _ => Ok(Some(b)),
    }
}

/// The largest excess of a range, and the first n whose excess is not below its bound.
fn largest_excess(
    baseline: Baseline,
    range: RangeInclusive<u64>,
) -> Result<(Option<Excess>, Option<u64>), Undecided> {
    if baseline == Baseline::Log
        && *range.end() < 1 << 32
        && let Some(found) = doubles::largest_toll(range.clone())
        && found.toll.high < 2 << 64
        && found.ties == 0
    {
        // If the largest excess is below its bound, all others are below it as well.
        return Ok((Some(toll(found.n)), None));
    }
    let (mut most, mut wrong) = (None, None);
    for n in range {
        let excess = excess(baseline, n);
        if !excess.is_below_its_bound()? {
            wrong.get_or_insert(n);
        }
        most = larger_excess(most, excess)?;
    }
    Ok((most, wrong))
}

fn check_excesses(
    baseline: Baseline,
    range: RangeInclusive<u64>,
    threads: usize,
    mut recorder: Recorder,
    progress: Progress,
) -> Result<RangeFindings, VerifyError> {
    let recorded = recorder.is_some();
    let checked = range.end() - range.start() + 1;
    let work = |part: RangeInclusive<u64>| {
        let costs = if recorded {
            doubles::expected_flips_doubles(part.clone())
        } else {
            Vec::new()
        };
        let values: Vec<u8> = costs.into_iter().flat_map(f64::to_le_bytes).collect();
        let (most, wrong) = largest_excess(baseline, part)?;
        Ok::<_, VerifyError>((most, wrong, values))
    };
    let (mut most, mut wrong) = (None, None);
    Workers::new(threads).ordered(range, 1 << 18, work, |(part, bad, values), last| {
        if let Some(record) = &mut recorder {
            record(&values);
        }
        if let Some(part) = part {
            most = larger_excess(most, part)?;
        }
        wrong = wrong.or(bad);
        check_progress(progress(last))
    })?;
    let (name, bound) = (baseline.name(), baseline.excess_bound());
    Ok(RangeFindings {
        checked,
        extreme: most.map(|most| (0, most.n)),
        wrong: wrong.map(|n| format!("E(n) is not below {name} + {bound} at n = {n}")),
        ..RangeFindings::default()
    })
}

/// Computes E(n) for at most `count` n, spread evenly over the range, by both methods.
fn sample_means(range: RangeInclusive<u64>, count: u64) -> Result<Sample, VerifyError> {
    let mut sample = Sample::default();
    for (n, _) in spread_places(range, count) {
        let (swept, second) = (doubles::expected_flips_double(n), coin_mean(n).to_f64()?);
        sample.count += 1;
        sample.swept.extend(swept.to_le_bytes());
        sample.second.extend(second.to_le_bytes());
    }
    Ok(sample)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flipcost_number::BigInt;

    #[test]
    fn tolls_are_compared_as_their_values() {
        let some = [
            1u64,
            3,
            5,
            6,
            12,
            97,
            1 << 20,
            4097,
            (1 << 33) + 1,
            999_999_999_989,
        ];
        for (a, b) in some.iter().flat_map(|a| some.map(|b| (*a, b))) {
            let same = a >> a.trailing_zeros() == b >> b.trailing_zeros();
            for baseline in [Baseline::Log, Baseline::CeilOfLog] {
                let [exact_a, exact_b] = [a, b].map(|n| baseline.exact_excess(n));
                let above = !same && exact_a.compare(&exact_b) == Ok(Ordering::Greater);
                let found = excess(baseline, a).is_above(excess(baseline, b));
                assert_eq!(found, Ok(above), "{a} {b} {baseline:?}");
            }
        }
    }

    /// Compares the closed form with the tolls themselves. The toll of 2n equals that of n, so only
    /// 1 and odd n can set a record.
    #[test]
    fn records_of_the_toll_have_a_closed_form() {
        let (mut records, mut most) = (vec![BigInt::from(1)], toll(1));
        for n in (3..10_000).step_by(2) {
            let toll = toll(n);
            if toll.is_above(most).unwrap() {
                records.push(n.into());
                most = toll;
            }
        }
        assert_eq!(records.len(), 14);
        let listed = flipcost::sequences::find("toll-records").unwrap();
        assert_eq!(listed.terms(1..=14).unwrap(), records);
    }
}
