//! The theorem about where the toll is largest and least.

use super::claim::Claim;
use super::excess::toll;
use super::parts::{describe_extreme, larger, sweep};

pub(super) const TOLL_EXTREMES: Claim = Claim {
    id: "toll-extremes",
    statement: "between 2^k and 2^(k+1) the toll of the fast dice roller with a coin is largest at 2^k + 1 and least at 2^(k+1) - 1",
    standing: "theorem: by the entropies between which the binary digits of 2^(k+1)/n - 1 keep the toll; checked by sums of 128 terms and a bound on the rest, by exact enclosures where they do not tell",
    record: None,
    first: 3,
    largest: 1 << 32,
    work: |to| 200 * to,
    check: |range, threads, recorder, progress| {
        let ends: Vec<_> = (0..=range.end().ilog2())
            .map(|k| ((1 << k) + 1, (2 << k) - 1))
            .map(|(most, least)| (toll(most), toll(least)))
            .collect();
        sweep(
            range,
            1 << 16,
            threads,
            recorder,
            progress,
            |part, found| {
                for n in part.filter(|n| !n.is_power_of_two()) {
                    let k = n.ilog2();
                    found.see(k.into(), n);
                    let (here, (largest, least)) = (toll(n), ends[k as usize]);
                    if n != largest.n && !largest.is_above(here)? {
                        found.refute(|| {
                            format!("the toll of {n} is not below that of {}", largest.n)
                        });
                    }
                    if n != least.n && !here.is_above(least)? {
                        found
                            .refute(|| format!("the toll of {n} is not above that of {}", least.n));
                    }
                }
                Ok(())
            },
        )
    },
    above: larger,
    words: |_, found| describe_extreme(found, |k, _| format!("the largest k is {k}")),
};
