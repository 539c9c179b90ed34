//! What any rule of at most t flips can reach: the least bias, and what it costs.
//!
//! A rule of at most t flips of a coin gives outcome i a probability k_i / 2^t with integers k_i of
//! sum 2^t: each of the 2^t sequences of t flips ends with one outcome. The total variation distance
//! from p is least for k_i = floor(2^t p_i), and one more for the R outcomes of largest remainder, R =
//! 2^t - sum floor(2^t p_i): any other integers can be changed towards these by moving one sequence from
//! an outcome that is above to one that is below, which makes the distance no larger, and equal only
//! between equal remainders. It is then
//!
//! ```text
//! sum over those R of (floor(2^t p_i) + 1) / 2^t - p_i,   for a fair die R (n - R) / (n 2^t).
//! ```
//!
//! The least expected number of flips for that law is the cost of its optimal tree (Knuth & Yao 1976),
//! sum_i nu(k_i / 2^t), nu(x) = sum_d d b_d(x) / 2^d over the binary digits b_d of x.
//!
//! **Source.** Knuth & Yao 1976; the remainders as in Saad, Freer, Rinard & Mansinghka 2020, Optimal
//! Approximate Sampling from Discrete Probability Distributions, arXiv 2001.04555.

use flipcost::task::Target;
use flipcost_number::{BigInt, BigUint, Rational};
use num_integer::Integer;
use num_traits::{One, Zero};

/// The best law of at most so many flips.
///
/// ```
/// use flipcost_libraries::frontier::frontier;
/// use flipcost::task::Target;
/// let die = Target::uniform(6u8)?;
/// let three = frontier(&die, 3); // two faces come twice as often
/// assert_eq!(three.total_variation.to_string(), "1/6");
/// assert_eq!(three.expected.to_string(), "5/2");
/// # Ok::<(), flipcost::task::TargetError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FrontierPoint {
    /// The most flips, t.
    pub bits: u32,
    /// The least total variation distance of any rule of at most t flips.
    pub total_variation: Rational,
    /// The least expected flips that reach it.
    pub expected: Rational,
}

/// 2^t nu(k / 2^t), k <= 2^t: bit j of k is a leaf at depth t - j.
fn depths(k: &BigUint, t: u32) -> BigUint {
    let bits = (0..k.bits()).filter(|j| k.bit(*j));
    bits.map(|j| BigUint::from(u64::from(t) - j) << j).sum()
}

/// The point for t flips. Cost: O(t) operations on numbers of t bits for each different weight, and one
/// sort of these.
pub fn frontier(target: &Target, bits: u32) -> FrontierPoint {
    let all = BigUint::one() << bits;
    let sum = target.weight_sum();
    // of each weight the largest remainder first, and of equal ones what costs less to round up
    let share = |(weight, outcomes): (BigUint, BigUint)| {
        let (floor, rest) = (weight * &all).div_rem(sum);
        let down = depths(&floor, bits);
        let up = if rest.is_zero() {
            // never rounded up
            down.clone()
        } else {
            depths(&(&floor + 1u8), bits)
        };
        (
            rest,
            BigInt::from(up.clone()) - BigInt::from(down.clone()),
            floor,
            outcomes,
            [down, up],
        )
    };
    let mut shares: Vec<_> = target.groups().into_iter().map(share).collect();
    shares.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let given = (shares.iter()).map(|(_, _, floor, outcomes, _)| floor * outcomes);
    let mut left = &all - given.sum::<BigUint>();
    let (mut above, mut leaves) = (BigUint::zero(), BigUint::zero());
    for (rest, _, _, outcomes, [down, up]) in &shares {
        let more = left.clone().min(outcomes.clone());
        left -= &more;
        // (floor + 1) / 2^t - p = (M - rest) / (M 2^t)
        above += (sum - rest) * &more;
        leaves += up * &more;
        leaves += down * (outcomes - more);
    }
    let all = BigInt::from(all);
    FrontierPoint {
        bits,
        total_variation: Rational::new(above.into(), BigInt::from(sum.clone()) * &all),
        expected: Rational::new(leaves.into(), all),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_traits::Signed;

    fn ratio(p: u64, q: u64) -> Rational {
        Rational::new(p.into(), q.into())
    }

    /// R (n - R) / (n 2^t), R = 2^t mod n.
    #[test]
    fn fair_dice() {
        for n in 1..=40u64 {
            for t in 0..=12 {
                let point = frontier(&Target::uniform(n).unwrap(), t);
                let r = (1u64 << t) % n;
                assert_eq!(point.total_variation, ratio(r * (n - r), n << t), "{n} {t}");
            }
        }
    }

    /// No integers k of sum 2^t are nearer, and the cost is that of the optimal tree: all of them tried.
    #[test]
    fn nothing_is_nearer() {
        for weights in [
            vec![1u64, 2],
            vec![1, 2, 3],
            vec![1, 1, 1],
            vec![5, 4, 2],
            vec![7, 3, 3],
        ] {
            let target = Target::weighted(weights.clone()).unwrap();
            for t in 0..=5u32 {
                let all = 1u64 << t;
                let point = frontier(&target, t);
                let p = |i: usize| target.probability(&i.into());
                let mut best: Option<Rational> = None;
                let mut cheapest: Option<Rational> = None;
                // two free counts, the rest is the third
                let counts =
                    (0..=all).flat_map(|a| (0..=all - a).map(move |b| [a, b, all - a - b]));
                for k in counts.filter(|k| weights.len() == 3 || k[2] == 0) {
                    let away = (0..weights.len()).map(|i| (ratio(k[i], all) - p(i)).abs());
                    let away = away.sum::<Rational>() / BigInt::from(2);
                    let cost: BigUint = k.iter().map(|k| depths(&(*k).into(), t)).sum();
                    let cost = Rational::new(cost.into(), all.into());
                    if best.as_ref().is_none_or(|best| away < *best) {
                        (best, cheapest) = (Some(away), Some(cost));
                    } else if best.as_ref() == Some(&away)
                        && cheapest.as_ref().is_some_and(|c| cost < *c)
                    {
                        cheapest = Some(cost);
                    }
                }
                assert_eq!(point.total_variation, best.unwrap(), "{weights:?} {t}");
                assert_eq!(point.expected, cheapest.unwrap(), "{weights:?} {t}");
            }
        }
    }
}
