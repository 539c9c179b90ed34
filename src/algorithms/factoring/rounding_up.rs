//! Halving, rounding up and factoring: makes a dn with a coin by the cheapest of these steps. The
//! cost is T(n) flips, and T(1) = 0.
//!
//! ```text
//! n even            a flip and a d(n/2)                      T(n) = 1 + T(n/2)
//! n < i <= 2^k      a di, thrown until it is at most n       T(n) = T(i) i / n
//! n = a b           a da and a db                            T(n) = T(a) + T(b)
//! ```
//!
//! 2^k is the smallest power of 2 that is at least n.
//!
//! [`super::recipe`] also considers dice above 2^k; this rule never uses one. The project in the
//! algorithm's citation describes it in this form. Users can request it by its id, but no list
//! shows it.
//!
//! **Cost.** O(n^2) operations on rationals for the first target, and fewer for later targets,
//! because T of their parts is already known.

use super::super::entry::from_rule;
use super::super::{About, Algorithm, Memory, Purpose, Rule, RuleInfo, Step};
use super::{Factoring, Procedure, RecipeDie, RecipeState, compile_recipe};
use crate::law::Law;
use crate::task::{Refusal, Task};
use flipcost_number::Rational;
use num_traits::{One, ToPrimitive, Zero};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// The largest target that is supported.
const MAX_N: u64 = 2000;

/// The best construction of a die.
#[derive(Clone, Copy)]
enum Construction {
    Nothing,
    Flip,
    Retry(u64),
    Product(u64, u64),
}

/// T(n) of every n computed so far, and the construction with that cost.
type KnownCosts = BTreeMap<u64, (Rational, Construction)>;

static KNOWN_COSTS: Mutex<KnownCosts> = Mutex::new(BTreeMap::new());

/// Returns T(n), and stores T for all dice that it needs.
fn record_cost(n: u64, known: &mut KnownCosts) -> Rational {
    if let Some((cost, _)) = known.get(&n) {
        return cost.clone();
    }
    let (least, way) = match n {
        1 => (Rational::zero(), Construction::Nothing),
        2 => (Rational::one(), Construction::Flip),
        _ => {
            // Compute the largest dice first, so that the recursion stays shallow.
            let above = (n + 1..=n.next_power_of_two()).rev();
            let up = above.map(|i| {
                let tries = Rational::new(i.into(), n.into());
                (record_cost(i, known) * tries, Construction::Retry(i))
            });
            let mut ways: Vec<(Rational, Construction)> = up.collect();
            let factors = (2..n).take_while(|a| a * a <= n);
            ways.extend(factors.filter(|a| n.is_multiple_of(*a)).map(|a| {
                let both = record_cost(a, known) + record_cost(n / a, known);
                (both, Construction::Product(a, n / a))
            }));
            let least = ways.into_iter().min_by(|one, other| one.0.cmp(&other.0));
            least.expect("3 or more has a larger die or a factor")
        }
    };
    known.insert(n, (least.clone(), way));
    least
}

/// The recipe of a die, as a part of a larger recipe.
fn recipe_part(n: u64, known: &KnownCosts) -> RecipeDie {
    let (cost, way) = known[&n].clone();
    let of = |n| Box::new(recipe_part(n, known));
    RecipeDie {
        sides: n,
        cost,
        procedure: match way {
            Construction::Nothing => Procedure::Nothing,
            Construction::Flip => Procedure::Roll(2),
            Construction::Retry(larger) => Procedure::Retry(of(larger)),
            Construction::Product(a, b) => Procedure::Product(of(a), of(b)),
        },
    }
}

/// See the module documentation.
pub(crate) struct RoundingUp(Factoring);

/// The algorithm that users request by its id.
pub(crate) static ROUNDING_UP: &dyn Algorithm = from_rule::<RoundingUp>();

impl Rule for RoundingUp {
    type State = RecipeState;

    fn start(&self) -> Step<RecipeState> {
        self.0.start()
    }

    fn step(&self, at: &RecipeState, face: u64) -> Step<RecipeState> {
        self.0.step(at, face)
    }
}

impl RuleInfo for RoundingUp {
    const ABOUT: About = About {
        id: "rounding-up",
        name: "Halving, rounding up and factoring",
        citation: "github.com/DQSevilla/dice-sim, which calls it the minimum",
        memory: Memory::State,
        bounded: "if n is a power of 2",
        rule: "a flip and a d(n/2), or a larger die thrown again, or dice of two factors; the cheapest such recipe",
        law: "T(n) is the least of 1 + T(n/2), T(i) i / n for i up to the next power of 2, and T(a) + T(b), a b = n",
    };
    const PURPOSE: Purpose = Purpose::Nothing;

    fn new(task: &Task) -> Result<Self, Refusal> {
        let dice = task.fair()?;
        if dice.m != 2 {
            return Err(Refusal::Rule(
                "rounding up works only with a coin".to_string(),
            ));
        }
        let n = dice.n.to_u64().filter(|n| *n <= MAX_N).ok_or_else(|| {
            Refusal::Rule(format!("the search for a larger die ends at {MAX_N} sides"))
        })?;
        let mut known = KNOWN_COSTS.lock().unwrap_or_else(PoisonError::into_inner);
        record_cost(n, &mut known);
        let mut leaves = Vec::new();
        compile_recipe(&recipe_part(n, &known), &mut leaves);
        Ok(RoundingUp(Factoring { source: 2, leaves }))
    }

    fn closed_law(&self) -> Option<Law> {
        self.0.closed_law()
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::{CHAIN_LIMIT, FAST_DICE_ROLLER, ids};
    use super::*;
    use crate::task::Source;

    /// The steps of the rule make a fair die at the cost T(n), which is never below the optimum;
    /// T(5) = 22/5 and T(9) = 16/3.
    #[test]
    fn the_cost_of_the_steps_follows_the_recursion() {
        for n in 1u64..=130 {
            let task = Task::die(n, Source::COIN).unwrap();
            let rule = ROUNDING_UP.prepare(&task).unwrap();
            let (chain, _) = rule.chain(CHAIN_LIMIT).unwrap();
            let fair = Rational::new(1.into(), n.into());
            assert!(
                chain.probabilities().values().all(|p| *p == fair),
                "n = {n}"
            );
            let mean = record_cost(n, &mut KnownCosts::new());
            assert_eq!(chain.mean(), mean, "n = {n}");
            assert_eq!(
                (
                    rule.law().unwrap().mean().unwrap(),
                    rule.law().unwrap().second_moment().unwrap()
                ),
                chain.moments(),
                "n = {n}"
            );
            assert!(
                mean >= FAST_DICE_ROLLER.law(&task).unwrap().mean().unwrap(),
                "n = {n}"
            );
        }
        let known = |n| record_cost(n, &mut KnownCosts::new()).to_string();
        assert_eq!([known(5), known(9)], ["22/5", "16/3"]);
    }

    #[test]
    fn it_is_not_listed() {
        assert!(!ids().contains(&"rounding-up"));
        assert!(
            ROUNDING_UP
                .prepare(&Task::die(5u8, Source::die(6u8).unwrap()).unwrap())
                .is_err()
        );
        assert!(
            ROUNDING_UP
                .prepare(&Task::die(2001u64, Source::COIN).unwrap())
                .is_err()
        );
    }
}
