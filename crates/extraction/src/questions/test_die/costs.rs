//! The cost of fair results from a die of any load, by rules that a person can follow.

use flipcost::algorithms::{FAST_DICE_ROLLER, find};
use flipcost::task::{Source, Target, Task};
use flipcost_number::{BigInt, BigUint, Rational};
use flipcost_question::QueryError;
use num_traits::{One, Zero};
use std::fmt;

/// The length of the longest block whose arrangements are listed.
const MAX_LIST_LEN: u64 = 6;

/// The largest number of types of a block.
const MAX_TYPES: u128 = 600_000;

/// A rule that makes a fair die of m sides from a loaded die; the rule is fair for every load.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum FairRule {
    /// Uses the order of k different rolls, where k! is a multiple of m.
    Orders(u64),
    /// Uses the fast dice roller, with a fair coin that is made from two rolls.
    Coin,
    /// Uses Dijkstra's roulette, which takes m rolls, for a prime m.
    Dijkstra,
    /// Uses the rank of a block of this many rolls among the arrangements of the same rolls.
    Elias(u64),
}

/// Formats the id of the algorithm, or a description if the rule is not an algorithm.
impl fmt::Display for FairRule {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            FairRule::Orders(k) => write!(f, "orders of {k}"),
            FairRule::Coin => f.write_str("coin"),
            FairRule::Dijkstra => f.write_str("dijkstra"),
            FairRule::Elias(length) => write!(f, "elias:{length}"),
        }
    }
}

/// A rule and its cost.
pub(super) struct RuleCost {
    pub rule: FairRule,
    /// The expected rolls.
    pub mean: Rational,
}

/// The costs of fair results, in rolls, by rules that are fair for every load.
pub(super) struct FairResultCosts {
    /// The cost of a fair coin: pairs of rolls until the two rolls differ.
    pub coin: Rational,
    /// The cost of a fair die by the cheapest rule that a person can follow without written lists.
    pub by_hand: RuleCost,
    /// A cheaper rule that needs written lists of arrangements.
    pub by_lists: Option<RuleCost>,
}

impl FairResultCosts {
    /// Returns the costs for a die whose probabilities are proportional to the counts; `None` if
    /// only one face occurred.
    pub fn new(counts: Vec<BigUint>) -> Result<Option<FairResultCosts>, QueryError> {
        let rolls: BigUint = counts.iter().sum();
        let part = |count: &BigUint| Rational::new(count.clone().into(), rolls.clone().into());
        let probabilities: Vec<Rational> = counts.iter().map(part).collect();
        let repeats: Rational = probabilities.iter().map(|p| p * p).sum();
        if repeats.is_one() {
            return Ok(None);
        }
        let coin = Rational::from_integer(2.into()) / (Rational::one() - repeats);
        let m = counts.len() as u64;
        let target = Target::uniform(m).map_err(QueryError::input)?;
        let flips = Task::new(target.clone(), Source::COIN);
        let flips = FAST_DICE_ROLLER.law(&flips).map_err(QueryError::input)?;
        // faces that never occurred change no rule, and a source cannot have them
        let came = counts.into_iter().filter(|count| !count.is_zero());
        let came = came.collect::<Vec<_>>();
        let faces = came.len() as u128;
        let task = Task::new(target, Source::loaded(came).map_err(QueryError::input)?);
        // Returns `None` for a rule that refuses the task, or whose cost cannot be computed.
        let by = |rule: FairRule| {
            let law = find(&rule.to_string()).ok()?.law(&task).ok()?;
            let mean = law.mean().ok()?;
            Some(RuleCost { rule, mean })
        };
        let mut by_hand = RuleCost {
            rule: FairRule::Coin,
            mean: &coin * flips.mean().map_err(QueryError::input)?,
        };
        let cheaper = |cost: &RuleCost, than: &RuleCost| cost.mean <= than.mean;
        if let Some(cost) = (m > 2).then(|| cost_by_order(m, &probabilities)).flatten()
            && cheaper(&cost, &by_hand)
        {
            by_hand = cost;
        }
        // Every rule takes at least m rolls.
        if by_hand.mean > BigInt::from(m).into()
            && let Some(cost) = by(FairRule::Dijkstra)
            && cheaper(&cost, &by_hand)
        {
            by_hand = cost;
        }
        // The number of types: C(faces + length - 1, length).
        let types =
            |length: u64| (1..=u128::from(length)).fold(1, |all, j| all * (faces - 1 + j) / j);
        let listed = (2..=MAX_LIST_LEN).filter(|&length| {
            types(length) <= MAX_TYPES && by_hand.mean > BigInt::from(length).into()
        });
        let by_lists = listed
            .filter_map(|length| by(FairRule::Elias(length)))
            .min_by(|a, b| a.mean.cmp(&b.mean))
            .filter(|cost| cost.mean < by_hand.mean);
        Ok(Some(FairResultCosts {
            coin,
            by_hand,
            by_lists,
        }))
    }
}

/// Returns the cost of the rule that takes k rolls until all of them differ. They differ with
/// probability k! e_k(p), where e_k(p) is the sum of the products of k of the probabilities.
fn cost_by_order(m: u64, probabilities: &[Rational]) -> Option<RuleCost> {
    let k = fewest_ordered_rolls(m)?;
    let mut sums = vec![Rational::zero(); k as usize + 1];
    sums[0] = Rational::one();
    for p in probabilities {
        for i in (1..sums.len()).rev() {
            let more = &sums[i - 1] * p;
            sums[i] += more;
        }
    }
    let all: BigInt = (1..=k).map(BigInt::from).product();
    let differ = &sums[k as usize] * all;
    let mean = (!differ.is_zero()).then(|| Rational::from_integer(k.into()) / differ)?;
    Some(RuleCost {
        rule: FairRule::Orders(k),
        mean,
    })
}

/// Returns the least k for which m divides k!.
fn fewest_ordered_rolls(m: u64) -> Option<u64> {
    let mut rest = 1;
    (1..=m).find(|k| {
        rest = (u128::from(rest) * u128::from(*k) % u128::from(m)) as u64;
        rest == 0
    })
}

impl FairRule {
    /// Returns instructions for a person who follows the rule.
    pub fn instructions(self, m: usize) -> String {
        match self {
            FairRule::Orders(k) => {
                let terms = (1..k).map(|i| match (1..=k - i).product::<u64>() {
                    1 => format!("c{i}"),
                    factor => format!("{factor} c{i}"),
                });
                let result = if (1..=k).product::<u64>() == m as u64 {
                    "N + 1".to_string()
                } else {
                    format!("N mod {m} + 1")
                };
                format!(
                    "Roll {k} times, and again if two are equal. Let c1 be how many of the later rolls are lower than \
                     the first, c2 how many of the later ones are lower than the second, and so on. With N = {} the \
                     result is {result}.",
                    terms.collect::<Vec<_>>().join(" + ")
                )
            }
            FairRule::Coin => format!("From that coin, as `flipcost plan {m} --dice 2` says."),
            FairRule::Dijkstra => format!(
                "Roll {m} times, and again if all are equal. Add up the numbers of the rolls (the first is 1, the last \
                 {m}) that show the lowest face: the result is that sum mod {m}, plus 1."
            ),
            FairRule::Elias(length) => format!(
                "Roll {length} times. Write all different arrangements of these rolls in increasing order, in rows of \
                 {m}, and strike out the last row if it is shorter. The result is the place of your rolls in their row; \
                 if they are struck out, start again."
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cheapest(costs: &FairResultCosts) -> &RuleCost {
        costs.by_lists.as_ref().unwrap_or(&costs.by_hand)
    }

    fn costs_of_counts(counts: &[u32]) -> FairResultCosts {
        let counts = counts.iter().map(|count| (*count).into()).collect();
        FairResultCosts::new(counts).unwrap().unwrap()
    }

    /// Taking three rolls of a d6 until all differ costs 3 / (5/6 4/6) rolls. With the coin, each
    /// of the 11/3 flips costs 12/5 rolls. Taking four rolls until they have 6, 12 or 24
    /// arrangements, that is, until they are not of the types aaaa and aaab, costs 4 / (1 -
    /// 126/1296) rolls.
    #[test]
    fn the_cheapest_rule_is_found() {
        let fair = costs_of_counts(&[1; 6]);
        let both = [&fair.by_hand, cheapest(&fair)].map(|cost| (cost.rule, cost.mean.to_string()));
        assert_eq!(both[0], (FairRule::Orders(3), "27/5".to_string()));
        assert_eq!(both[1], (FairRule::Elias(4), "288/65".to_string()));
        // Dijkstra's rule takes 3 / (1 - 3/27).
        let three = costs_of_counts(&[7; 3]);
        assert_eq!(cheapest(&three).rule, FairRule::Dijkstra);
        assert_eq!(cheapest(&three).mean.to_string(), "27/8");
        // a d4 takes two flips of a coin that costs 8/3 rolls for each flip
        let four = costs_of_counts(&[5; 4]);
        assert_eq!(
            (four.by_hand.rule, four.by_hand.mean.to_string()),
            (FairRule::Coin, "16/3".to_string())
        );
        assert!(costs_of_counts(&[3, 4]).by_lists.is_none());
        assert!(
            FairResultCosts::new(vec![BigUint::zero(), BigUint::one()])
                .unwrap()
                .is_none()
        );
    }

    /// For some loads, checks that no longer block is cheaper, so that MAX_LIST_LEN is large enough
    /// for small dice.
    #[test]
    fn no_longer_block_is_cheaper() {
        for counts in [
            &[33, 33, 34][..],
            &[1, 2, 3, 4],
            &[2, 2, 2, 2, 3],
            &[1, 1, 1, 1, 1, 2],
            &[9; 7],
        ] {
            let costs = costs_of_counts(counts);
            let target = Target::uniform(counts.len() as u64).unwrap();
            let task = Task::new(target, Source::loaded(counts).unwrap());
            let best = find("elias").unwrap().law(&task).unwrap().mean().unwrap();
            assert!(cheapest(&costs).mean <= best, "{counts:?}");
        }
    }
}
