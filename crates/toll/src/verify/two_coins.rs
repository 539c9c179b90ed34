//! The theorem that two kinds of coins make any fair die in a bounded number of tosses.

use super::claim::Claim;
use super::parts::{describe_extreme, larger, sweep};

pub(super) const TWO_COINS: Claim = Claim {
    id: "two-coins",
    statement: "one toss of a coin of bias 1/n and t of a fair coin make a fair die of n sides, t the least with n floor(2^t / (n-1)) >= 2^t, and t <= log2(n (n-2)) rounded up (t = 0 for n = 2)",
    standing: "theorem (after Feldman, Impagliazzo, Naor, Nisan & Rudich 1993): the words are shared out, and the chances of every outcome summed exactly",
    record: None,
    first: 2,
    largest: 1 << 40,
    work: |to| 1000 * to,
    check: |range, threads, recorder, progress| {
        sweep(
            range,
            1 << 16,
            threads,
            recorder,
            progress,
            |part, found| {
                for n in part {
                    let t = fair_tosses(n);
                    found.see(t.into(), n);
                    // 2^(t-1) < n (n-2), and t = 0 for n = 2
                    let few = t == 0 || 1 << (t - 1) < u128::from(n) * u128::from(n - 2);
                    if !few || !is_fair(n, t, &shares(n, t)) {
                        found.refute(|| format!("the words of {t} fair tosses at n = {n}"));
                    }
                }
                Ok(())
            },
        )
    },
    above: larger,
    words: |_, found| {
        describe_extreme(found, |t, n| {
            format!("{t} tosses of the fair coin at n = {n}")
        })
    },
};

/// The least t for which every outcome can hold its share of the words with tails.
fn fair_tosses(n: u64) -> u32 {
    let n = u128::from(n);
    let enough = |t: &u32| n * ((1 << t) / (n - 1)) >= 1 << t;
    (0..).find(enough).expect("t = log2(n (n-2)) is enough")
}

/// So many outcomes, each with so many words of heads (of the coin of bias 1/n) and of tails.
type Share = (u128, [u128; 2]);

/// Of 2^t words with tails, each of which has the chance of n - 1 words with heads, all outcomes hold as many as they can
/// until none is left; words with heads fill all up.
fn shares(n: u64, t: u32) -> [Share; 3] {
    let (n, all) = (u128::from(n), 1u128 << t);
    let most = all / (n - 1);
    let (full, rest) = (all / most, all % most);
    let share = |tails: u128| [all - (n - 1) * tails, tails];
    let partly = u128::from(rest > 0);
    [
        (full, share(most)),
        (partly, share(rest)),
        (n - full - partly, share(0)),
    ]
}

/// Are all words given to n outcomes, 2^t with heads and 2^t with tails, and the chances of each outcome 2^t of n 2^t?
fn is_fair(n: u64, t: u32, shares: &[Share; 3]) -> bool {
    let (n, all) = (u128::from(n), 1u128 << t);
    let total = |of: fn(&Share) -> u128| shares.iter().map(of).sum::<u128>();
    let sums = [
        total(|share| share.0),
        total(|(count, [heads, _])| count * heads),
        total(|(count, [_, tails])| count * tails),
    ];
    let chance = |(_, [heads, tails]): &Share| heads + (n - 1) * tails;
    sums == [n, all, all] && shares.iter().all(|share| chance(share) == all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flipcost::task::{Source, Target};
    use flipcost_number::Rational;
    use num_traits::Zero;

    /// The tree, word by word: the first toss is that of the coin of bias 1/n.
    #[test]
    fn every_outcome_has_its_probability() {
        for n in 2..=33u64 {
            let t = fair_tosses(n);
            let heads = Rational::new(1.into(), n.into());
            let word = Rational::new(1.into(), (1u64 << t).into());
            let mut left = [1u128 << t; 2];
            let mut outcomes = 0;
            for (count, words) in shares(n, t) {
                for _ in 0..count {
                    let mut probability = Rational::zero();
                    for (side, chance) in [&heads, &(Rational::from_integer(1.into()) - &heads)]
                        .into_iter()
                        .enumerate()
                    {
                        for _ in 0..words[side] {
                            probability += chance * &word;
                            left[side] -= 1;
                        }
                    }
                    assert_eq!(probability, heads, "n = {n}");
                    outcomes += 1;
                }
            }
            assert_eq!((outcomes, left), (n, [0, 0]), "n = {n}");
            let coins = [Source::loaded([1, n - 1]).unwrap(), Source::COIN];
            assert!(Target::uniform(n).unwrap().is_bounded(&coins));
        }
    }

    /// d3: the coin of 1/3, then a fair one. d7: of 16 fair words each outcome holds 2 words of tails at most, 14 in all; of 32, 5.
    #[test]
    fn fewest_fair_tosses() {
        let fewest = (2..=12).map(fair_tosses).collect::<Vec<_>>();
        assert_eq!(fewest, [0, 1, 2, 2, 4, 5, 3, 3, 6, 5, 7]);
        // fewer fail whatever is shared out: n outcomes hold 2^t words with tails, and each has at most 2^t / (n-1)
        for n in 3..=40u64 {
            for t in 0..fair_tosses(n) {
                let most = (0..=1u64 << t)
                    .filter(|tails| tails * (n - 1) <= 1 << t)
                    .max()
                    .unwrap();
                assert!(n * most < 1 << t, "n = {n}, t = {t}");
            }
        }
    }
}
