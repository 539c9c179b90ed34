//! The best rule for several dice: the least expected cost over every decision tree.
//!
//! A rule is a tree, perhaps infinite. Every inner node rolls a die of the set, its faces lead to
//! the next nodes with equal probability, and a leaf is an outcome; each outcome has its exact
//! probability. The order in which nodes are rolled does not matter, since each inner node is
//! rolled once and the costs add up. So every step rolls all open nodes. What remains to be done is
//! then a `Situation`: the sizes of the open nodes and the deficits of the outcomes (the
//! probabilities that they still need), up to scale. Nodes of the same size are exchangeable, and
//! so are outcomes of the same deficit, so only their numbers matter. Let V be the least cost from
//! a situation. Then
//!
//! ```text
//! V(s) = min over steps of [ price of the rolls + V(next), rescaled ],    V(end) = 0,
//! ```
//!
//! and the least expected cost is V of one node of size 1 and the target's probabilities. The
//! minimum is attained: a rule of cost <= C reaches depth T with probability at most C / (T min p),
//! and there are finitely many trees of depth T. So every sequence of rules has a subsequence that
//! converges (by a diagonal argument), and the cost is lower semicontinuous.
//!
//! **What is proved.** [`Optimal::lower`] is a lower bound for every rule, and
//! [`Optimal::expected`] the exact cost of one rule; if [`Optimal::proved`], the two are equal. The
//! bound is at first the price of leaves that need not compete for nodes (`leaves`). Then the
//! search lists the steps of situations, which raises the bound (`search`). If the sides of every
//! die divide those of the largest die and no smaller die is cheaper, the largest die alone is
//! optimal: after t rolls of any dice, the probability decided for an outcome is a multiple of
//! m^-t, so no tree leaves less undecided than Knuth and Yao's.

mod fixed;
mod leaves;
mod rule;
mod search;
mod situation;
mod step;

pub use rule::{LookUp, LookUpTable, RuleCell, longest_path};

use super::{Die, PlanError, check_dice, plan};
use flipcost::algorithms::find;
use flipcost::law::Law;
use flipcost::task::{Source, Target, Task};
use flipcost_number::{BigInt, Rational};
use leaves::PricedDie;
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};
use search::SituationGraph;

/// The default number of steps of the search; so many steps take some seconds.
pub const EFFORT: u64 = 40_000_000;

/// The maximum number of sides of a die for the search, which counts the nodes of several rolls in
/// 128 bits.
const MAX_SEARCHED_SIDES: u128 = 1 << 32;

/// The result of the search for the best rule.
///
/// ```
/// use flipcost_dice_set::{Die, optimal, plan};
/// use flipcost::task::Target;
/// let dice = [Die::new(2), Die::new(3)];
/// let found = optimal(&Target::uniform(7u8)?, &dice, 1_000_000, &mut |_| true)?;
/// assert!(found.proved);
/// assert_eq!(found.expected.to_string(), "398/161"); // no rule costs less
/// assert!(found.expected < plan(7, &dice)?.expected);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Optimal {
    /// The expected cost of the best rule that was found.
    pub expected: Rational,
    /// A lower bound of the cost of every rule.
    pub lower: Rational,
    /// Whether `expected` and `lower` are equal.
    pub proved: bool,
    /// The rule as tables, proved by its chain; `None` if the tables would have more than 20,000
    /// cells.
    pub rule: Option<LookUp>,
    /// The steps that the search took.
    pub steps: u64,
}

/// Searches for the best rule of any form for this target with these dice, in at most `effort`
/// steps (some millions a second). The result is deterministic. The search calls `go_on` with the
/// number of steps so far, and ends when `go_on` returns `false`. Memory: at most some hundred
/// bytes for each step.
///
/// # Errors
/// [`PlanError`] as for [`plan`], and for dice of more than 2^32 sides, weights beyond 64 bits or
/// prices that have no small common unit.
pub fn optimal(
    target: &Target,
    dice: &[Die],
    effort: u64,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Result<Optimal, PlanError> {
    check_dice(dice)?;
    if let Some(wide) = dice.iter().find(|die| die.sides > MAX_SEARCHED_SIDES) {
        return Err(PlanError::WideSearch(wide.sides));
    }
    let weights = coprime_weights(target)?;
    let (priced, unit) = price_in_units(dice)?;
    let mut search = SituationGraph::new(&weights, &priced, effort);
    let found = search.run(&mut |search| go_on(effort - search.effort));
    let steps = effort - search.effort;
    let scale = Rational::from_integer(search.least_price().into()) * &unit;
    let mut best = Optimal {
        lower: search.start_bound() * &scale,
        expected: Rational::zero(),
        proved: found.proved,
        rule: None,
        steps,
    };
    let of_search = found.value.map(|value| value * &scale);
    if let (true, Some(value)) = (found.proved, &of_search) {
        best.lower = value.clone();
    }
    if let Some((die, value)) = optimal_largest_die(target, dice) {
        (best.lower, best.proved) = (value.clone(), true);
        best.expected = value;
        best.rule = rule_for_one_die(target, &dice[die]);
    }
    let of_plan = match (best.proved, target.sides().and_then(ToPrimitive::to_u64)) {
        (false, Some(n)) => plan(n, dice).ok(),
        _ => None,
    };
    match (of_search, of_plan) {
        (Some(value), plan) if plan.as_ref().is_none_or(|plan| value <= plan.expected) => {
            let rule = found
                .rule
                .and_then(|rule| LookUp::new(&rule, &weights, dice));
            best.rule = rule.or(best.rule.take());
            best.expected = value;
        }
        (_, Some(plan)) => {
            best.rule = LookUp::from_recipe(&plan.recipe);
            best.expected = plan.expected;
        }
        (_, None) => {
            if !best.proved {
                let (die, value) = cheapest_single_die(target, dice)?;
                best.rule = rule_for_one_die(target, &dice[die]);
                best.expected = value;
            }
        }
    }
    best.proved = best.proved || best.lower == best.expected;
    // The rule is returned only if its chain has the exact probabilities and the cost.
    best.rule = best.rule.filter(|rule| {
        let law = rule.law();
        law.is_some_and(|(law, cost)| {
            law == rule::outcome_probabilities(&weights) && cost == best.expected
        })
    });
    Ok(best)
}

/// Returns the rule for one die, found by the search with this die alone.
fn rule_for_one_die(target: &Target, die: &Die) -> Option<LookUp> {
    let weights = coprime_weights(target).ok()?;
    let dice = std::slice::from_ref(die);
    let (priced, _) = price_in_units(dice).ok()?;
    let found = SituationGraph::new(&weights, &priced, EFFORT / 20).run(&mut |_| true);
    LookUp::new(&found.rule?, &weights, dice)
}

/// Returns the cost of Knuth and Yao's tree with one die.
fn knuth_yao_cost(target: &Target, die: &Die) -> Option<Rational> {
    let source = Source::die(die.sides).ok()?;
    let knuth_yao = find("knuth-yao").ok()?;
    let law: Law = knuth_yao.law(&Task::new(target.clone(), source)).ok()?;
    Some(&die.price * law.mean().ok()?)
}

/// Returns the index and the cost of the cheapest die alone.
fn cheapest_single_die(target: &Target, dice: &[Die]) -> Result<(usize, Rational), PlanError> {
    let costs = dice.iter().enumerate();
    let costs = costs.filter_map(|(i, die)| Some((i, knuth_yao_cost(target, die)?)));
    costs
        .min_by(|a, b| a.1.cmp(&b.1))
        .ok_or(PlanError::Unproved)
}

/// Returns the largest die if it is optimal alone, because the sides of all dice divide its sides
/// and no die is cheaper.
fn optimal_largest_die(target: &Target, dice: &[Die]) -> Option<(usize, Rational)> {
    let (i, most) = dice.iter().enumerate().max_by_key(|(_, die)| die.sides)?;
    let dearer = |die: &Die| most.sides.is_multiple_of(die.sides) && die.price >= most.price;
    if dice.iter().all(dearer) {
        Some((i, knuth_yao_cost(target, most)?))
    } else {
        None
    }
}

/// Returns the weights as words, without a common factor.
fn coprime_weights(target: &Target) -> Result<Vec<u64>, PlanError> {
    if let Some(n) = target.sides() {
        let small = n.to_u64().filter(|n| *n <= super::MAX_PLANNED_SIDES);
        let n = small.ok_or_else(|| PlanError::TooLarge(n.to_u64().unwrap_or(u64::MAX)))?;
        return Ok(vec![1; n as usize]);
    }
    let all = target.iter().map(|(_, weight)| weight.to_u64());
    all.collect::<Option<_>>().ok_or(PlanError::Unproved)
}

/// Returns the prices as multiples of a common unit, and the unit.
fn price_in_units(dice: &[Die]) -> Result<(Vec<PricedDie>, Rational), PlanError> {
    let prices = || dice.iter().map(|die| &die.price);
    let all = prices().fold(BigInt::one(), |all, price| all.lcm(price.denom()));
    let scaled: Vec<BigInt> = prices().map(|price| (price * &all).to_integer()).collect();
    let common = scaled
        .iter()
        .fold(BigInt::zero(), |common, price| common.gcd(price));
    let priced = dice.iter().zip(&scaled).map(|(die, price)| {
        let price = (price / &common).to_u32()?;
        Some(PricedDie {
            sides: die.sides.to_u64()?,
            price: price.into(),
        })
    });
    let priced = priced.collect::<Option<_>>().ok_or(PlanError::Unproved)?;
    Ok((priced, Rational::new(common, all)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::polyhedral;
    use flipcost_number::Real;
    use flipcost_number::threads;
    use std::cmp::Ordering;
    use std::collections::HashMap;

    fn dice(sides: &[u64]) -> Vec<Die> {
        sides.iter().map(|m| Die::new((*m).into())).collect()
    }

    fn ratio(p: u64, q: u64) -> Rational {
        Rational::new(p.into(), q.into())
    }

    fn best(target: &Target, dice: &[Die], effort: u64) -> Optimal {
        optimal(target, dice, effort, &mut |_| true).unwrap()
    }

    fn fair(n: u64) -> Target {
        Target::uniform(n).unwrap()
    }

    /// From a coin and a d3 the rules of `plan` are optimal for all n up to 24 except four. The
    /// values come from the search of a prototype in Python; the value for a d10 from a d4 and a d6
    /// comes from the rule in the tables.
    #[test]
    fn where_the_rules_of_a_plan_are_beaten() {
        let beaten: HashMap<u64, Rational> = [
            (7, ratio(398, 161)),
            (11, ratio(1162, 363)),
            (15, ratio(269, 80)),
            (19, ratio(1_327_866_821, 387_420_488)),
        ]
        .into();
        let set = dice(&[2, 3]);
        threads::map(23, &|i| {
            let n = i as u64 + 2;
            let found = best(&fair(n), &set, 2_000_000);
            assert!(found.proved, "d{n}");
            let planned = plan(n, &set).unwrap().expected;
            let expected = beaten.get(&n).unwrap_or(&planned);
            assert_eq!(found.expected, *expected, "d{n}");
            assert_eq!(found.lower, *expected, "d{n}");
        });
        assert_eq!(
            best(&fair(10), &dice(&[4, 6]), 100_000).expected,
            ratio(83, 40)
        );
        let thirteen = best(&fair(13), &dice(&[6, 10]), 1_000_000);
        assert_eq!(thirteen.expected, ratio(7_252_300, 3_599_999));
        assert!(thirteen.proved);
    }

    /// A d13 from the usual dice, for which a forum asked: no rule costs less than this one.
    #[test]
    fn a_d13_from_the_usual_dice() {
        let found = best(&fair(13), &polyhedral(), EFFORT);
        assert_eq!(found.expected, ratio(149_832_370_840, 110_591_999_999));
        assert!(found.proved);
    }

    /// For every rule, the chain has the target's probabilities and the cost, the page contains the
    /// same tables, and the bounds are in the right order.
    #[test]
    fn every_rule_is_proved_from_its_page() {
        let half = Die::priced(10, ratio(3, 2));
        let sets = [
            dice(&[2, 3]),
            dice(&[4, 6]),
            dice(&[4, 6, 8]),
            vec![Die::new(6), half],
        ];
        let targets = (1..=20).map(fair).chain(
            [
                vec![4u64, 7, 8],
                vec![1, 2, 3],
                vec![5],
                vec![3, 3, 1],
                vec![1, 0, 6],
            ]
            .map(|weights| Target::weighted(weights).unwrap()),
        );
        let targets: Vec<Target> = targets.collect();
        let cases = sets
            .iter()
            .flat_map(|set| targets.iter().map(move |target| (set, target)));
        let cases: Vec<_> = cases.collect();
        threads::map_of(&cases, &|(set, target)| {
            let found = best(target, set, 300_000);
            let what = format!("{target} from {set:?}: {found:?}");
            assert!(found.lower <= found.expected, "{what}");
            assert_eq!(found.proved, found.lower == found.expected, "{what}");
            let bound = crate::entropy_bound(target, set);
            let order = bound.compare(Real::Exact(found.expected.clone()));
            assert!(!matches!(order, Ok(Ordering::Greater)), "{what}");
            let rule = found.rule.as_ref().expect(&what);
            let (law, cost) = rule.law().unwrap();
            let weights = coprime_weights(target).unwrap();
            assert_eq!(law, rule::outcome_probabilities(&weights), "{what}");
            assert_eq!(cost, found.expected, "{what}");
            let (name, label) = (
                |die: &Die| format!("d{}", die.sides),
                |i: u64| (i + 1).to_string(),
            );
            let Some(page) = rule.page(&name, &label) else {
                assert!(rule.cells() > 300, "{what}");
                return;
            };
            let read = LookUp::read(&page, weights.len() as u64, set, &name, &label);
            assert_eq!(read.as_ref(), Some(rule), "{what}");
        });
    }

    /// With one die the rule is Knuth and Yao's tree, for fair dice and for weights.
    #[test]
    fn one_die_costs_what_its_tree_costs() {
        let weighted = [vec![4u64, 7, 8], vec![1, 2, 3], vec![2, 2, 1, 1, 1]];
        let weighted = weighted.map(|weights| Target::weighted(weights).unwrap());
        for target in (1..=30).map(fair).chain(weighted) {
            for m in [2, 3, 6, 10] {
                let die = Die::new(m);
                let found = best(&target, std::slice::from_ref(&die), 2_000_000);
                assert_eq!(
                    Some(&found.expected),
                    knuth_yao_cost(&target, &die).as_ref()
                );
                assert!(found.proved);
                // The search, without a shortcut, finds and proves the same rule.
                let (priced, _) = price_in_units(std::slice::from_ref(&die)).unwrap();
                let mut search =
                    SituationGraph::new(&coprime_weights(&target).unwrap(), &priced, 2_000_000);
                let outcome = search.run(&mut |_| true);
                assert!(outcome.proved, "{target} from a d{m}");
                assert_eq!(outcome.value, Some(found.expected));
            }
        }
    }

    /// If the sides of all other dice divide those of the largest die, the rule is the tree of the
    /// largest die; the search finds this rule, too.
    #[test]
    fn dice_that_divide_the_largest_do_not_help() {
        for set in [dice(&[2, 6]), dice(&[2, 4, 12])] {
            for n in 2..=16 {
                let (_, value) = optimal_largest_die(&fair(n), &set).unwrap();
                let (priced, _) = price_in_units(&set).unwrap();
                let mut search = SituationGraph::new(&vec![1; n as usize], &priced, 2_000_000);
                let outcome = search.run(&mut |_| true);
                assert!(
                    !outcome.proved || outcome.value == Some(value.clone()),
                    "d{n}"
                );
                assert!(search.start_bound() <= value, "d{n}");
            }
        }
        // A cheaper coin helps.
        let coin = Die::priced(2, ratio(1, 10));
        assert!(optimal_largest_die(&fair(3), &[coin, Die::new(6)]).is_none());
    }

    /// Computes the least price of the first steps of any rule by trying all possibilities: every
    /// die for every node, and for every node below every outcome or none.
    fn first_steps(nodes: &[u64], deficits: &[u64], sides: &[u64], steps: u32, unit: u64) -> u64 {
        fn assign(
            nodes: &[u64],
            deficits: &mut Vec<u64>,
            open: &mut Vec<u64>,
            then: &mut dyn FnMut(&[u64], &[u64]),
        ) {
            let Some((&size, others)) = nodes.split_first() else {
                return then(open, deficits);
            };
            open.push(size);
            assign(others, deficits, open, then);
            open.pop();
            let mut tried = Vec::new();
            for i in 0..deficits.len() {
                if deficits[i] >= size && !tried.contains(&deficits[i]) {
                    tried.push(deficits[i]);
                    deficits[i] -= size;
                    assign(others, deficits, open, then);
                    deficits[i] += size;
                }
            }
        }
        fn all(
            nodes: &[u64],
            deficits: &[u64],
            sides: &[u64],
            steps: u32,
            memo: &mut HashMap<(Vec<u64>, Vec<u64>, u32), u64>,
        ) -> u64 {
            let mass: u64 = nodes.iter().sum();
            if steps == 0 || mass == 0 {
                return 0;
            }
            let mut key = (nodes.to_vec(), deficits.to_vec(), steps);
            key.0.sort_unstable();
            key.1.sort_unstable();
            if let Some(known) = memo.get(&key) {
                return *known;
            }
            let mut least = u64::MAX;
            let mut choice = vec![0; nodes.len()];
            loop {
                let below: Vec<u64> = (nodes.iter().zip(&choice))
                    .flat_map(|(size, die)| vec![size / sides[*die]; sides[*die] as usize])
                    .collect();
                assign(
                    &below,
                    &mut deficits.to_vec(),
                    &mut Vec::new(),
                    &mut |open, left| {
                        let later = all(open, left, sides, steps - 1, memo);
                        least = least.min(mass + later);
                    },
                );
                let Some(place) = choice.iter().position(|die| die + 1 < sides.len()) else {
                    break;
                };
                choice[..place].fill(0);
                choice[place] += 1;
            }
            memo.insert(key, least);
            least
        }
        let scale = |values: &[u64]| values.iter().map(|v| v * unit).collect::<Vec<_>>();
        all(
            &scale(nodes),
            &scale(deficits),
            sides,
            steps,
            &mut HashMap::new(),
        )
    }

    /// No rule costs less than the least price of its first steps; if the rule ends within these
    /// steps, the two are equal.
    #[test]
    fn by_trying_everything() {
        let mut equal = 0;
        for (sides, most, steps) in [
            (vec![2u64, 3], 3u64, 2u32),
            (vec![2, 5], 3, 1),
            (vec![3, 4], 4, 1),
        ] {
            let common = sides.iter().fold(1u64, |all, m| all.lcm(m));
            let unit = common.pow(steps);
            for n in 2..=most {
                let least = first_steps(&[n], &vec![1; n as usize], &sides, steps, unit);
                let least = ratio(least, n * unit);
                let found = best(&fair(n), &dice(&sides), 300_000);
                assert!(
                    found.proved && least <= found.expected,
                    "d{n} from {sides:?}"
                );
                equal += u32::from(least == found.expected);
            }
        }
        assert!(equal >= 4);
    }

    #[test]
    fn a_spent_effort_is_an_honest_gap() {
        let found = best(&fair(97), &polyhedral(), 1000);
        assert!(!found.proved && found.lower < found.expected);
        let planned = plan(97, &polyhedral()).unwrap().expected;
        assert!(found.expected <= planned);
    }

    #[test]
    fn nonsense_is_refused_in_one_sentence() {
        let refused = |target: &Target, dice: &[Die]| {
            optimal(target, dice, 1000, &mut |_| true)
                .err()
                .unwrap()
                .to_string()
        };
        assert!(refused(&fair(6), &[]).contains("empty"));
        assert!(refused(&fair(5001), &dice(&[6])).contains("too large"));
        assert!(refused(&fair(6), &dice(&[6, 6])).contains("twice"));
        let tiny = Die::priced(6, Rational::new(1.into(), BigInt::one() << 80));
        assert!(refused(&fair(6), &[tiny, Die::new(4)]).contains("too far apart"));
    }
}
