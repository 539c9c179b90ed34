//! Several source dice at once: computes the least expected cost of making a die from a set of
//! dice, proves it, and gives the recipe with this cost.
//!
//! While the outcome is undecided, an algorithm is at one of v equally likely *nodes* of its DDG
//! tree, v < n. It may roll any die m_i of the set at its price p_i, which makes v m_i nodes: the
//! largest multiple of n among them become outcomes, and the rest stay undecided. It may also
//! *split* its nodes, v = a + b, and continue the two parts separately. Let F(v) be the expected
//! remaining cost times v. Then
//!
//! ```text
//! F(v) = min( min_i [ p_i v + F(v m_i mod n) / m_i ], min_{a+b=v} [ F(a) + F(b) ] ),   F(0) = 0,
//! ```
//!
//! and the least cost of a dn is F(1). If splitting is not allowed, the second minimum is left out.
//!
//! **What is proved.** [`DicePlan::expected`] is the exact F(1): no algorithm *of this form* costs
//! less. The policy is found in floating point. Then its value is computed exactly, and integers
//! decide every inequality of the equation for all v < n, equality included. If an inequality
//! fails, the policy is improved and the proof is repeated. The tests solve the chain of each
//! recipe: each of its outcomes has probability exactly 1/n, and its cost is F(1). **What is not
//! claimed:** the plan is not compared with algorithms of other forms. Such algorithms may leave
//! more nodes undecided than a multiple of n requires, or make an outcome from nodes of different
//! probability. All of them cost at least [`DicePlan::entropy_bound`]. With one die, F(1) is the
//! optimum over all algorithms: the cost of the fast dice roller (Knuth & Yao 1976).
//!
//! **The entropy bound.** In every algorithm the rolls determine the outcome, and a roll of die i
//! adds log m_i to the entropy of the rolls (earlier rolls determine which die is next). So log n
//! <= E[sum of log m] <= E[sum of p] / min_i (p_i / log m_i), and the cost is at least min_i p_i
//! log n / log m_i, which is the bound of the best die alone.
#![warn(unnameable_types)]

mod die;
pub mod optimal;
pub mod page;
#[cfg(feature = "questions")]
pub mod pictures;
mod policy;
mod proof;
#[cfg(feature = "questions")]
pub mod questions;
pub mod recipe;
#[cfg(feature = "questions")]
mod set;
#[cfg(feature = "questions")]
pub mod sheet;

pub use optimal::{EFFORT, Optimal, longest_path, optimal};
pub use recipe::Recipe;
#[cfg(feature = "questions")]
pub use set::{Dice, DiceError, Price, PriceError, Throw, ThrowError};
#[cfg(feature = "questions")]
pub use sheet::RecipeSheet;

pub use die::Die;
use flipcost::task::{Source, Target, Task};
use flipcost_number::Enclosure;
use flipcost_number::Rational;
use flipcost_number::Real;
use num_traits::{Signed, Zero};
use policy::{Action, PlanProblem};
use proof::{PolicyValues, PolicyVerdict};
use std::cmp::Ordering;

/// The largest target for which a plan is computed. The proof takes O(n^2) memory and, with
/// splitting, O(n^3) time.
pub const MAX_PLANNED_SIDES: u64 = 5000;

/// The maximum number of bits of m^n. The numbers in the proof have about as many bits as m^n.
const MAX_BITS: u64 = 40_000;

/// Returns the usual set of dice: d4, d6, d8, d10, d12, d20.
pub fn polyhedral() -> Vec<Die> {
    [4, 6, 8, 10, 12, 20].map(Die::new).to_vec()
}

/// The reason why a plan is impossible.
///
/// ```
/// use flipcost_dice_set::{Die, PlanError, plan};
/// assert_eq!(plan::<Die>(6, &[]).err(), Some(PlanError::Empty));
/// assert_eq!(plan(6, &[1]).err(), Some(PlanError::Sides(1)));
/// assert_eq!(plan(6, &[-6]).err(), Some(PlanError::Negative));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// The target has no sides.
    #[error("a target of 0 sides has no outcome: n must be at least 1")]
    Target,
    /// The target has too many sides.
    #[error("a d{0} is too large to plan: n must be at most {MAX_PLANNED_SIDES}")]
    TooLarge(u64),
    /// The die has too many sides for this target.
    #[error(
        "a d{target} with a d{sides} is too large to plan: with this target a die may have at most 2^{} sides",
        MAX_BITS / target
    )]
    TooWide {
        /// The target.
        target: u64,
        /// The die.
        sides: u128,
    },
    /// The set is empty.
    #[error("the set of dice is empty: it needs at least one die")]
    Empty,
    /// The die has too few sides, or too many.
    #[error("a die of {0} sides cannot be rolled: it needs 2 to 2^64 sides (2 is a coin)")]
    Sides(u128),
    /// The number of sides is below 0.
    #[error("a number of sides is below 0: a die needs 2 to 2^64 sides (2 is a coin)")]
    Negative,
    /// The die has too many sides for the search of [`fn@optimal`].
    #[error(
        "the search among rules of every form takes dice of 2 to 2^32 sides, and one of {0} sides was given"
    )]
    WideSearch(u128),
    /// Two of the dice are equal.
    #[error("the d{0} is in the set twice: once is enough, it can be rolled again and again")]
    Twice(u128),
    /// The price is not positive.
    #[error("a price of {price} for the d{sides} is not positive: every roll must cost something")]
    Price {
        /// The die.
        sides: u128,
        /// The price of the die.
        price: Rational,
    },
    /// The prices are so far apart that doubles could not find a policy.
    #[error("the prices are too far apart to prove a plan")]
    Unproved,
}

/// Converts errors of the engine, so that `?` works in functions that return them.
macro_rules! convert_engine_errors {
    ($($error:ty)*) => {$(
        impl From<$error> for flipcost::Error {
            fn from(error: $error) -> Self {
                flipcost::Error::other(error)
            }
        }
    )*};
}

convert_engine_errors! { PlanError }
#[cfg(feature = "questions")]
convert_engine_errors! { DiceError PriceError ThrowError }

/// The least expected cost of a die with a set of dice, and the recipe with this cost.
///
/// ```
/// use flipcost_dice_set::{plan, polyhedral};
/// let plan = plan(29, &polyhedral())?;
/// assert!(plan.expected < plan.without_split); // splitting helps here
/// assert!(plan.without_split < *plan.alone.iter().min().unwrap()); // and so do several dice
/// # Ok::<(), flipcost_dice_set::PlanError>(())
/// ```
#[derive(Clone)]
#[non_exhaustive]
pub struct DicePlan {
    /// The number n of sides of the target.
    pub target: u64,
    /// The set of dice.
    pub dice: Vec<Die>,
    /// Whether nodes may be split.
    pub split: bool,
    /// The least expected cost F(1), in rolls if every price is 1. The module documentation says
    /// what is proved about it.
    pub expected: Rational,
    /// The least expected cost without splitting.
    pub without_split: Rational,
    /// [`DicePlan::worst_case`] without splitting.
    pub worst_without_split: Option<u64>,
    /// The least expected cost with each die alone, in the order of the set: the price of the die
    /// times the expected rolls of the fast dice roller.
    pub alone: Vec<Rational>,
    /// A lower bound of the cost of every algorithm with these dice, of any form.
    pub entropy_bound: Real,
    /// The maximum number of rolls of the recipe; `None` if unbounded. Of all recipes with the
    /// least expected cost, this one has the least worst case.
    pub worst_case: Option<u64>,
    /// The recipe to follow.
    pub recipe: Recipe,
}

/// Computes the least expected cost of making one roll of a dn with these dice, and the recipe with
/// this cost, which may split nodes. A die is given by its number of sides, or as a [`Die`] with a
/// price. Cost: with splitting, the search takes O(n^2) operations on words for each sweep; the
/// proof takes numbers of O(n log m) bits for all v < n, and at most O(n^2) additions of them.
///
/// ```
/// use flipcost_dice_set::plan;
/// let found = plan(12, &[2, 6])?;
/// assert_eq!((found.expected.to_string().as_str(), found.worst_case), ("2", Some(2)));
/// assert!(plan(13, &[6, 10, 20])?.expected > found.expected / flipcost_number::BigInt::from(2));
/// # Ok::<(), flipcost_dice_set::PlanError>(())
/// ```
///
/// # Errors
/// [`PlanError`] for a target of 0 or more than [`MAX_PLANNED_SIDES`] sides, an empty set, a die
/// that occurs twice or has fewer than 2 or too many sides, a price that is not positive, and
/// prices so far apart that no policy could be proved.
pub fn plan<D: Clone + TryInto<Die>>(target: u64, dice: &[D]) -> Result<DicePlan, PlanError> {
    let dice = dice.iter().cloned().map(TryInto::try_into);
    let dice: Result<Vec<Die>, _> = dice.collect();
    plan_with(target, &dice.map_err(|_| PlanError::Negative)?, true)
}

/// Like [`plan`], with splitting or without.
///
/// # Errors
/// As [`plan`].
pub fn plan_with(target: u64, dice: &[Die], split: bool) -> Result<DicePlan, PlanError> {
    check_inputs(target, dice)?;
    let problem = PlanProblem {
        target: target as usize,
        dice,
        split,
    };
    let solved = solve_problem(&problem)?;
    let (without_split, worst_without_split) = if split {
        let split = false;
        let other = solve_problem(&PlanProblem { split, ..problem })?;
        (other.expected, other.worst_case)
    } else {
        (solved.expected.clone(), solved.worst_case)
    };
    let alone = |die: &Die| {
        &die.price
            * die
                .law(target)
                .mean_up_to(u128::MAX)
                .expect("a target of a word has a period of one")
    };
    Ok(DicePlan {
        target,
        dice: dice.to_vec(),
        split,
        expected: solved.expected,
        without_split,
        worst_without_split,
        alone: dice.iter().map(alone).collect(),
        entropy_bound: entropy_bound(&Target::uniform(target).expect("n >= 1 was checked"), dice),
        worst_case: solved.worst_case,
        recipe: solved.recipe,
    })
}

fn check_inputs(target: u64, dice: &[Die]) -> Result<(), PlanError> {
    if target == 0 {
        return Err(PlanError::Target);
    }
    if target > MAX_PLANNED_SIDES {
        return Err(PlanError::TooLarge(target));
    }
    check_dice(dice)?;
    let wide = |die: &&Die| target * u64::from((die.sides - 1).ilog2() + 1) > MAX_BITS;
    match dice.iter().find(wide) {
        None => Ok(()),
        Some(&Die { sides, .. }) => Err(PlanError::TooWide { target, sides }),
    }
}

/// Checks that these dice are a set, each with a price.
fn check_dice(dice: &[Die]) -> Result<(), PlanError> {
    if dice.is_empty() {
        return Err(PlanError::Empty);
    }
    for (i, die) in dice.iter().enumerate() {
        let sides = die.sides;
        if !(2..=1 << 64).contains(&sides) {
            return Err(PlanError::Sides(sides));
        }
        if dice[..i].iter().any(|other| other.sides == sides) {
            return Err(PlanError::Twice(sides));
        }
        if !die.price.is_positive() {
            let price = die.price.clone();
            return Err(PlanError::Price { sides, price });
        }
    }
    Ok(())
}

struct SolvedPlan {
    expected: Rational,
    worst_case: Option<u64>,
    recipe: Recipe,
}

/// Improves the policy until one is proved optimal. Returns the values of that policy, and for
/// every v all optimal actions; `None` if it could not be shown that a policy ends with probability
/// 1.
fn prove_optimal_policy(
    problem: &PlanProblem,
    mut policy: Vec<Action>,
) -> Option<(PolicyValues, Vec<Vec<Action>>)> {
    loop {
        let values = problem.evaluate(&policy)?;
        match problem.judge_policy(&policy, &values) {
            PolicyVerdict::Optimal(actions) => return Some((values, actions)),
            PolicyVerdict::Improved(better) => policy = better,
        }
    }
}

fn solve_problem(problem: &PlanProblem) -> Result<SolvedPlan, PlanError> {
    if problem.target == 1 {
        return Ok(SolvedPlan {
            expected: Rational::zero(),
            worst_case: Some(0),
            recipe: Recipe::new(problem, &problem.alone(0)),
        });
    }
    let proved = prove_optimal_policy(problem, problem.search())
        .or_else(|| prove_optimal_policy(problem, problem.alone(0)));
    let (values, optimal) = proved.ok_or(PlanError::Unproved)?;
    let worst = problem.worst_cases(&optimal);
    Ok(SolvedPlan {
        expected: problem.start_value(&values),
        worst_case: worst[1],
        recipe: Recipe::new(problem, &problem.choose_policy(&optimal, &worst)),
    })
}

/// Returns a lower bound of the cost of every algorithm of any form that makes this target with
/// these dice: min_i p_i H / log m_i, the least value of the price of a die times the entropy of
/// the target in rolls of this die (see the module documentation). The result is exact if the least
/// of these terms is exact, otherwise enclosed.
///
/// ```
/// use flipcost_dice_set::{Die, entropy_bound};
/// use flipcost::task::Target;
/// let target = Target::weighted([1u8, 1, 2])?; // 3/2 bits
/// assert_eq!(entropy_bound(&target, &[Die::new(2), Die::new(4)]).to_string(), "3/4");
/// # Ok::<(), flipcost::task::TargetError>(())
/// ```
///
/// # Panics
/// If there are no dice, or a die has fewer than 2 sides.
pub fn entropy_bound(target: &Target, dice: &[Die]) -> Real {
    let bound = |die: &Die| {
        let source = Source::die(die.sides).expect("a die has two sides");
        let entropy = Task::new(target.clone(), source).entropy();
        Real::Exact(die.price.clone()).times(&entropy)
    };
    let mut best = &dice[0];
    let mut least = bound(best);
    for die in &dice[1..] {
        // p / log m < P / log M if and only if p / P < log_M m, which is exact if it is rational.
        let prices = Real::Exact(&die.price / &best.price);
        let sides = Task::die(
            die.sides,
            Source::die(best.sides).expect("dice of two sides"),
        )
        .expect("dice of two sides");
        match prices.compare(sides.entropy()) {
            Ok(Ordering::Less) => (best, least) = (die, bound(die)),
            Ok(_) => {}
            Err(_) => least = smaller_real(least, bound(die)),
        }
    }
    least
}

/// Returns the smaller of two reals; if no enclosure separates them, returns one of them.
fn smaller_real(a: Real, b: Real) -> Real {
    Real::enclosed(move |bits| {
        let (a, b) = (a.enclose(bits + 1), b.enclose(bits + 1));
        let bits = a.bits.max(b.bits);
        let (a, b) = (a.coarsen(bits), b.coarsen(bits));
        Enclosure {
            low: a.low.min(b.low),
            high: a.high.min(b.high),
            bits,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recipe::RecipePlace;
    use flipcost::law::{Chain, Step};
    use flipcost_number::budget::{Budget, Spent};
    use flipcost_number::threads;

    fn unpriced(sides: &[u128]) -> Vec<Die> {
        sides.iter().copied().map(Die::new).collect()
    }

    fn ratio(p: u64, q: u64) -> Rational {
        Rational::new(p.into(), q.into())
    }

    fn dice_sets() -> Vec<Vec<Die>> {
        let priced = |list: &[(u128, u64, u64)]| {
            let die = |&(m, p, q): &(u128, u64, u64)| Die::priced(m, ratio(p, q));
            list.iter().map(die).collect()
        };
        vec![
            unpriced(&[6, 10]),
            unpriced(&[2, 6]),
            unpriced(&[2, 3]),
            unpriced(&[4, 9, 25]),
            polyhedral(),
            priced(&[(6, 1, 1), (10, 3, 2)]),
            priced(&[(2, 1, 3), (3, 1, 2), (20, 7, 5)]),
            priced(&[(2, 1, 1_000_000), (7, 1, 1)]),
        ]
    }

    /// Returns the absorbing chain of a recipe, and the place in the recipe for each state of the
    /// chain.
    fn chain(recipe: &Recipe) -> (Chain, Vec<RecipePlace>) {
        let sides = |place: &RecipePlace| recipe.sides(place) as u64;
        let step = |place: &RecipePlace, face| recipe.step(place, face);
        Chain::explore(recipe.start(), 1_000_000, sides, step).unwrap()
    }

    /// Returns the outcome of a recipe; `None` if the faces, from 0, run out.
    fn play(recipe: &Recipe, roll: &mut dyn FnMut(u128) -> Option<u64>) -> Option<u64> {
        let mut now = recipe.start();
        while let Step::Roll(place) = now {
            now = recipe.step(&place, roll(recipe.sides(&place))?);
        }
        let Step::Output(outcome) = now else {
            unreachable!("a place is followed");
        };
        outcome.try_into().ok()
    }

    fn expected_real(plan: &DicePlan) -> Real {
        Real::Exact(plan.expected.clone())
    }

    /// Returns the least cost with one die.
    fn best_alone(plan: &DicePlan) -> &Rational {
        plan.alone.iter().min().unwrap()
    }

    /// The sum, over the places of the chain, of the expected visits times the price of the die
    /// that is rolled there.
    fn cost_by_chain(plan: &DicePlan) -> Rational {
        let (chain, places) = chain(&plan.recipe);
        let die = |sides| plan.dice.iter().find(|die| die.sides == sides).unwrap();
        let prices = places
            .iter()
            .map(|place| die(plan.recipe.sides(place)).price.clone());
        let prices: Vec<Rational> = prices.collect();
        chain.mean_of(&prices)
    }

    /// Follows the steps of every recipe: each outcome has probability exactly 1/n, and the cost is
    /// F(1).
    #[test]
    fn every_recipe_is_fair_and_costs_what_its_plan_says() {
        let cases: Vec<_> = dice_sets()
            .into_iter()
            .flat_map(|dice| [(dice.clone(), false), (dice, true)])
            .flat_map(|(dice, split)| (1..=30u64).map(move |n| (n, dice.clone(), split)))
            .collect();
        threads::map_of(&cases, &|(n, dice, split)| {
            let (n, split) = (*n, *split);
            let plan = plan_with(n, dice, split).unwrap();
            let what = format!("d{n} from {dice:?}, split: {split}");
            let (chain, _) = chain(&plan.recipe);
            let probabilities = chain.probabilities();
            assert_eq!(probabilities.len() as u64, n, "{what}");
            assert!(probabilities.values().all(|p| *p == ratio(1, n)), "{what}");
            let cost = cost_by_chain(&plan);
            assert_eq!(cost, plan.expected, "{what}");
            assert_eq!(chain.worst_case(), plan.worst_case, "{what}");
            // entropy bound <= cost with splitting <= cost without splitting <= cost of every die
            // alone
            assert!(plan.expected <= plan.without_split, "{what}");
            assert!(plan.without_split <= *best_alone(&plan), "{what}");
            let order = plan.entropy_bound.compare(expected_real(&plan));
            assert!(!matches!(order, Ok(Ordering::Greater)), "{what}");
        });
    }

    /// Plans with words of 64 bits, alone and with other dice: each table turns multiples of n of
    /// its v m nodes into outcomes, and passes the others on. A word alone costs as much as the
    /// fast dice roller, and more dice never increase the cost.
    #[test]
    fn words_of_64_bits_are_dice() {
        let word = 1u128 << 64;
        for n in (2..=40u64).chain([625]) {
            let fast = Die::new(word).law(n).mean().unwrap();
            for sides in [
                vec![word],
                vec![word, word - 1],
                vec![word, 6],
                vec![2, word],
            ] {
                let dice: Vec<Die> = sides.iter().copied().map(Die::new).collect();
                let plan = plan_with(n, &dice, n < 100).unwrap();
                let what = format!("d{n} from {sides:?}");
                assert!(plan.expected <= fast, "{what}");
                assert!(sides.len() > 1 || plan.expected == fast, "{what}");
                let tables = plan.recipe.tables();
                for table in tables {
                    let rest: u64 = table.parts.iter().map(|part| tables[*part].nodes).sum();
                    assert_eq!(table.decided % u128::from(n), 0, "{what}");
                    let all = u128::from(table.nodes) * table.die.sides;
                    assert_eq!(table.decided + u128::from(rest), all, "{what}");
                }
                // The last faces lead to another table.
                let mut rolls = 0..10;
                let mut roll = |sides| rolls.next().map(|_| (sides - 1) as u64);
                let last = play(&plan.recipe, &mut roll);
                assert!(last.is_none_or(|outcome| outcome < n), "{what}");
            }
        }
    }

    /// Compares F(1) with plain value iteration in floating point. The iteration stops when the
    /// values change by far less than the last digit that is compared.
    #[test]
    fn the_least_cost_is_the_limit_of_value_iteration() {
        for dice in dice_sets() {
            let price = |die: &Die| Real::Exact(die.price.clone()).to_f64().unwrap();
            for n in 2..=30usize {
                for split in [false, true] {
                    let mut f = vec![0.0f64; n];
                    for _ in 0..400 {
                        let old = f.clone();
                        for v in 1..n {
                            let roll = |die: &Die| {
                                let rest = v * die.sides as usize % n;
                                price(die) * v as f64 + old[rest] / die.sides as f64
                            };
                            f[v] = dice.iter().map(roll).fold(f64::INFINITY, f64::min);
                            for a in 1..if split { v } else { 1 } {
                                f[v] = f[v].min(f[a] + f[v - a]);
                            }
                        }
                    }
                    let plan = plan_with(n as u64, &dice, split).unwrap();
                    let exact = expected_real(&plan).to_f64().unwrap();
                    assert!((exact - f[1]).abs() <= 1e-12 * exact, "d{n} from {dice:?}");
                }
            }
        }
    }

    /// The proof does not depend on the search: if it begins with a bad policy, which rolls only
    /// one die, exact improvements lead to the same cost.
    #[test]
    fn a_bad_policy_is_improved_to_the_same_cost() {
        for dice in dice_sets() {
            for target in [2, 7, 17, 26, 29, 30, 61] {
                for split in [false, true] {
                    let problem = PlanProblem {
                        target,
                        dice: &dice,
                        split,
                    };
                    let expected = plan_with(target as u64, &dice, split).unwrap().expected;
                    for die in 0..dice.len() {
                        let (values, _) =
                            prove_optimal_policy(&problem, problem.alone(die)).unwrap();
                        assert_eq!(
                            problem.start_value(&values),
                            expected,
                            "d{target} from {dice:?}"
                        );
                    }
                }
            }
        }
    }

    /// Plans with prices and dice near the limits of a double are proved, too.
    #[test]
    fn extreme_prices_and_dice_are_proved_too() {
        let ten = |e: i32| Rational::from(flipcost_number::BigInt::from(10)).pow(e);
        for dice in [
            vec![Die::priced(2, ten(-30)), Die::new(7)],
            vec![Die::priced(2, ten(400)), Die::priced(7, ten(400))],
            vec![Die::priced(2, ten(-400)), Die::priced(3, ten(-401))],
            unpriced(&[1 << 32, 3, 999_999_937]),
            vec![Die::new(1 << 32), Die::priced(2, ten(-9))],
        ] {
            for n in [1, 2, 9, 23] {
                let plan = plan(n, &dice).unwrap();
                assert!(plan.expected <= *best_alone(&plan));
                let order = plan.entropy_bound.compare(expected_real(&plan));
                assert!(!matches!(order, Ok(Ordering::Greater)));
                if dice[0].sides < 100 {
                    let cost = cost_by_chain(&plan);
                    assert_eq!(cost, plan.expected);
                }
            }
        }
    }

    /// The expected values come from plain value iteration in floating point, to four decimals.
    #[test]
    fn splitting_helps() {
        for (n, dice, split, unsplit, alone) in [
            (17, unpriced(&[6, 10]), "2.0576", "2.0648", "2.1153"),
            (29, polyhedral(), "2.0148", "2.0366", "2.0607"),
        ] {
            let plan = plan(n, &dice).unwrap();
            let decimals = |x: &Rational| Real::Exact(x.clone()).decimals(4).unwrap();
            assert_eq!(decimals(&plan.expected), split);
            assert_eq!(decimals(&plan.without_split), unsplit);
            assert_eq!(decimals(best_alone(&plan)), alone);
        }
    }

    /// Knuth & Yao: with one die the fast dice roller is optimal, and splitting gains nothing.
    #[test]
    fn one_die_costs_what_the_fast_dice_roller_costs() {
        for m in [2u128, 3, 6, 10, 20] {
            for n in 1..=60u64 {
                let law = Die::new(m).law(n);
                for split in [false, true] {
                    let plan = plan_with(n, &unpriced(&[m]), split).unwrap();
                    assert_eq!(Ok(&plan.expected), law.mean().as_ref(), "d{n} from d{m}");
                    assert_eq!(plan.alone, [plan.expected], "d{n} from d{m}");
                }
            }
        }
    }

    #[test]
    fn a_tie_between_bounds_is_decided_exactly() {
        let plan = plan(64, &[Die::priced(16, ratio(2, 1)), Die::new(4)]).unwrap();
        assert_eq!(plan.entropy_bound.exact(), Some(&ratio(3, 1)));
        assert_eq!(plan.expected, ratio(3, 1));
    }

    /// A plan that takes many seconds stops soon after its budget ends. The limit is generous, so
    /// that the test passes on a busy machine.
    #[test]
    fn a_budget_ends_a_plan() {
        let begun = std::time::Instant::now();
        let dice = unpriced(&[4, 6, 8, 10, 12, 20]);
        let limit = std::time::Duration::from_millis(50);
        let planned = Budget::default().timeout(limit).run(|| plan(4999, &dice));
        assert_eq!(planned.err(), Some(Spent::Time));
        assert!(begun.elapsed() < std::time::Duration::from_secs(5));
    }

    #[test]
    fn nonsense_is_refused_in_one_sentence() {
        let refused = |n, dice: &[Die]| plan(n, dice).err().unwrap().to_string();
        assert!(refused(0, &unpriced(&[6])).contains("0 sides"));
        assert!(refused(6, &unpriced(&[])).contains("empty"));
        assert!(refused(6, &unpriced(&[6, 1])).contains("1 sides"));
        assert!(refused(6, &unpriced(&[6, 4, 6])).contains("d6 is in the set twice"));
        assert!(refused(6, &[Die::priced(6, ratio(0, 1))]).contains("price of 0 for the d6"));
        assert!(refused(MAX_PLANNED_SIDES + 1, &unpriced(&[6])).contains("too large"));
    }

    /// A plan for a thousand sides from six dice takes seconds, its proof succeeds, and the large
    /// recipe can be followed to an outcome.
    #[test]
    fn a_thousand_sides_with_six_dice() {
        let plan = plan(997, &polyhedral()).unwrap();
        assert!(plan.expected < plan.without_split);
        let mut face = 7u64;
        let mut roll = |m: u128| {
            face = face
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            Some((face >> 33) % m as u64)
        };
        for _ in 0..1000 {
            assert!(play(&plan.recipe, &mut roll).unwrap() < 997);
        }
    }
}
