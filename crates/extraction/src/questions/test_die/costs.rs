//! What fair results cost with a die of any load, by rules that a person can follow.

use flipcost::algorithms::{FAST_DICE_ROLLER, find};
use flipcost::task::{Source, Target, Task};
use flipcost_number::{BigInt, BigUint, Rational};
use flipcost_question::QueryError;
use num_traits::{One, Zero};
use std::fmt;

/// Blocks whose arrangements are listed are at most so long.
const MAX_LIST_LEN: u64 = 6;

/// Blocks have at most so many types.
const MAX_TYPES: u128 = 600_000;

/// A rule for a fair die of m sides from m loaded faces, fair for every load.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum FairRule {
    /// The order of k different rolls, m | k!.
    Orders(u64),
    /// By the fast dice roller, from the coin of two rolls.
    Coin,
    /// Dijkstra's roulette: m rolls, m prime.
    Dijkstra,
    /// The place of so many rolls among their arrangements.
    Elias(u64),
}

/// Named as algorithms are, where they are algorithms.
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

/// What a rule costs.
pub(super) struct RuleCost {
    pub rule: FairRule,
    /// Expected rolls.
    pub mean: Rational,
}

/// What fair results cost, in rolls, by rules that are fair for every load.
pub(super) struct FairResultCosts {
    /// Of a fair coin: two rolls until they differ.
    pub coin: Rational,
    /// Of a fair die: the cheapest rule for which nothing is written down.
    pub by_hand: RuleCost,
    /// A cheaper one, for which arrangements are listed.
    pub by_lists: Option<RuleCost>,
}

impl FairResultCosts {
    /// With probabilities as the faces came; `None` if one always comes.
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
        let flips = Task::new(Source::COIN, target.clone());
        let flips = FAST_DICE_ROLLER.law(&flips).map_err(QueryError::input)?;
        // faces that never came change no rule, and no source has them
        let came = counts.into_iter().filter(|count| !count.is_zero());
        let faces = came.clone().count() as u128;
        let task = Task::new(Source::loaded(came).map_err(QueryError::input)?, target);
        // a rule that refuses the task, or cannot be solved, is no candidate
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
        if let Some(cost) = (m > 2).then(|| orders(m, &probabilities)).flatten()
            && cheaper(&cost, &by_hand)
        {
            by_hand = cost;
        }
        // m rolls at least
        if by_hand.mean > BigInt::from(m).into()
            && let Some(cost) = by(FairRule::Dijkstra)
            && cheaper(&cost, &by_hand)
        {
            by_hand = cost;
        }
        // C(faces + length - 1, length)
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

/// k rolls that all differ: with e_k(p) the sum of the products of k of the probabilities, k! e_k.
fn orders(m: u64, probabilities: &[Rational]) -> Option<RuleCost> {
    let k = orders_for(m)?;
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

/// The least k with m | k!.
fn orders_for(m: u64) -> Option<u64> {
    let mut rest = 1;
    (1..=m).find(|k| {
        rest = (u128::from(rest) * u128::from(*k) % u128::from(m)) as u64;
        rest == 0
    })
}

impl FairRule {
    /// How a person follows it.
    pub fn words(self, m: usize) -> String {
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

    /// 3 rolls that differ of 6: 3 / (5/6 4/6); from the coin 12/5 for each of 11/3 flips; 4 rolls
    /// with 6 arrangements or 12 or 24, that is, not of the types aaaa and aaab: 4 / (1 -
    /// 126/1296).
    #[test]
    fn the_cheapest_rule_is_found() {
        let fair = costs_of_counts(&[1; 6]);
        let both = [&fair.by_hand, cheapest(&fair)].map(|cost| (cost.rule, cost.mean.to_string()));
        assert_eq!(both[0], (FairRule::Orders(3), "27/5".to_string()));
        assert_eq!(both[1], (FairRule::Elias(4), "288/65".to_string()));
        // Dijkstra: 3 / (1 - 3/27)
        let three = costs_of_counts(&[7; 3]);
        assert_eq!(cheapest(&three).rule, FairRule::Dijkstra);
        assert_eq!(cheapest(&three).mean.to_string(), "27/8");
        // two flips for a d4, from the coin of 8/3 rolls
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

    /// No block of any length is cheaper for a few loads: MAX_LIST_LEN is long enough for small
    /// dice.
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
            let task = Task::new(Source::loaded(counts.iter().copied()).unwrap(), target);
            let best = find("elias").unwrap().law(&task).unwrap().mean().unwrap();
            assert!(cheapest(&costs).mean <= best, "{counts:?}");
        }
    }
}
