//! Sampling that takes the next free item if the item with the drawn index is already taken: the
//! law of the resulting sets, and how far it is from uniform.
//!
//! Taking the next free item, where item 1 comes after item N, is the parking problem. On the
//! circle of N items, a set consists of runs of neighboring items; let their lengths be L_1, ...,
//! L_r. The set results from K! / (L_1! ... L_r!) (L_1 + 1)^(L_1 - 1) ... of the N^K sequences of
//! indices, and
//!
//! ```text
//! N / (N - K)  C(N - K, r)  r! / (m_1! m_2! ...)      sets have these runs, m_l of length l
//! ```
//!
//! **Source.** Konheim & Weiss 1966, An occupancy discipline and applications (parking).

use flipcost_number::budget::spend;
use flipcost_number::{BigInt, BigUint, Rational, Real};
use num_traits::Zero;

/// The maximum number of chosen items for which all possible lengths of runs are listed.
const MAX_LISTED_RUN_ITEMS: u64 = 45;
/// The maximum number of chosen items for which the bias is computed.
const MAX_CHOSEN_ITEMS: u64 = 2000;

/// Calls `each` with all partitions of k into parts of at most `most`; `parts` contains the parts
/// chosen before.
fn partitions(k: u64, most: u64, parts: &mut Vec<u64>, each: &mut dyn FnMut(&[u64])) {
    if k == 0 {
        return each(parts);
    }
    for part in (1..=most.min(k)).rev() {
        parts.push(part);
        partitions(k - part, part, parts, each);
        parts.pop();
    }
}

fn factorial(k: u64) -> BigUint {
    (1..=k).map(BigUint::from).product()
}

pub(crate) fn binomial(n: u64, k: u64) -> BigUint {
    let top: BigUint = (0..k).map(|i| BigUint::from(n.saturating_sub(i))).product();
    top / factorial(k)
}

/// Returns the classes of sets that next-free sampling makes: for each class, the number of index
/// sequences that lead to one set, and the number of sets; K < N.
fn run_classes(n: u64, k: u64) -> Vec<(BigUint, BigUint)> {
    let factorials: Vec<BigUint> = (0..=k).map(factorial).collect();
    let mut classes = Vec::new();
    partitions(k, k, &mut Vec::new(), &mut |parts| {
        spend(50_000);
        let (r, empty) = (parts.len() as u64, n - k);
        if r > empty {
            return;
        }
        let mut ways = factorials[k as usize].clone();
        for part in parts {
            ways =
                ways * BigUint::from(part + 1).pow(*part as u32 - 1) / &factorials[*part as usize];
        }
        let mut sets = binomial(empty, r) * factorial(r);
        for same in parts.chunk_by(|a, b| a == b) {
            sets /= factorial(same.len() as u64);
        }
        classes.push((ways, sets * n / empty));
    });
    classes
}

/// Returns the bias of next-free sampling: the total variation distance from uniform, and the
/// largest probability of a set relative to a uniform one, each if it is computed.
pub(crate) fn next_free(n: u64, k: u64) -> (Option<Real>, Option<Real>) {
    if k <= 1 || k == n {
        return (Some(Real::integer(0)), Some(Real::integer(1)));
    }
    let (sequences, sets) = (
        BigUint::from(n).pow(k.min(MAX_CHOSEN_ITEMS) as u32),
        binomial(n, k.min(MAX_CHOSEN_ITEMS)),
    );
    if k > MAX_CHOSEN_ITEMS {
        return (None, None);
    }
    // The likeliest sets consist of a single run.
    let most = BigUint::from(k + 1).pow(k as u32 - 1) * &sets;
    let ratio = Rational::new(most.into(), sequences.clone().into());
    let distance = (k <= MAX_LISTED_RUN_ITEMS).then(|| {
        let above = |(ways, count): (BigUint, BigUint)| {
            let beyond = BigInt::from(ways * &sets) - BigInt::from(sequences.clone());
            beyond.max(BigInt::zero()) * BigInt::from(count)
        };
        let sum: BigInt = run_classes(n, k).into_iter().map(above).sum();
        Real::Exact(Rational::new(sum, (sequences * &sets).into()))
    });
    (distance, Some(Real::Exact(ratio)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn ratio(p: u64, q: u64) -> Rational {
        Rational::new(p.into(), q.into())
    }

    /// Counts the results of all sequences of indices below N, where an index that is already taken
    /// moves to the next free item.
    fn parked(n: u64, k: u64) -> BTreeMap<Vec<u64>, u64> {
        let mut sets = BTreeMap::new();
        for code in 0..n.pow(k as u32) {
            let mut taken = Vec::new();
            for i in 0..k {
                let mut at = code / n.pow(i as u32) % n;
                while taken.contains(&at) {
                    at = (at + 1) % n;
                }
                taken.push(at);
            }
            taken.sort();
            *sets.entry(taken).or_default() += 1;
        }
        sets
    }

    #[test]
    fn next_free_by_all_sequences() {
        for n in 1..=6u64 {
            for k in 1..=n {
                let sets = parked(n, k);
                let all = n.pow(k as u32);
                let fair = ratio(1, sets.len() as u64);
                assert_eq!(BigUint::from(sets.len()), binomial(n, k));
                let likely = |count: &u64| ratio(*count, all);
                let distance: Rational = sets
                    .values()
                    .map(|count| (likely(count) - &fair).max(Rational::zero()))
                    .sum();
                let most = sets.values().map(likely).max().unwrap() / &fair;
                let (found, largest) = next_free(n, k);
                assert_eq!(found.unwrap().exact(), Some(&distance), "{k} of {n}");
                assert_eq!(largest.unwrap().exact(), Some(&most), "{k} of {n}");
            }
        }
    }
}
