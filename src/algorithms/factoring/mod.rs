//! Factoring: recipes that make a big die from small ones, or a small die from a big one.
//!
//! A recipe makes a dN from a set of dice with three procedures:
//!
//! ```text
//! A  N divides the sides m of a die you have: roll it modulo N        cost(N) = 1
//! B  some X > N: make a dX again and again until it shows at most N   cost(N) = cost(X) X / N
//! C  N = P Q: make a dP and a dQ                                      cost(N) = cost(P) + cost(Q)
//! ```
//!
//! [`recipe`] finds the recipe of least expected cost. None of the procedures makes a die cheaper
//! than its parts, so the least costs can be settled in increasing order (Knuth 1977, a
//! generalisation of Dijkstra's algorithm).
//!
//! **A larger X cannot be cheaper.** Let M be the largest die of the set, and k the least exponent
//! with M^k >= N. Then no X above M^k is needed, so the search up to M^k is complete. Proof: k
//! rolls and B with X = M^k give cost(N) <= k M^k / N. Now take any part dY of a best recipe of dN,
//! and let W be the mean number of times that the part is made. On the way from N down to Y, a
//! procedure B multiplies both the number of sides and W by X/N, and C makes the number of sides
//! smaller and leaves W unchanged; so W >= Y/N. One roll gives at most log2 M bits, so cost(Y) >=
//! log_M Y, and
//!
//! ```text
//! (Y/N) log_M Y <= W cost(Y) <= cost(N) <= k M^k / N,   so   Y log_M Y <= M^k log_M M^k,   Y <= M^k.
//! ```
//!
//! For the same reason a part with Y cost(Y) > k M^k can be left out.
//!
//! **Remainders of products.** A recipe of [`recipe_with_remainders`] may also make a die and take
//! its number modulo N: two d6 make a d36, of which the first 35 numbers modulo 7 are a d7. Every
//! part of a recipe is made at least once, so that log_M Y <= cost(Y) <= cost(N) for each part dY.
//! So if c is the cost of the best recipe found so far, no part with more than M^c sides can help.
//! The search continues up to that bound, or reports that it stopped earlier.
//!
//! **Cost.** With X = M^k, procedure C takes O(X log X) sums, in doubles if these differ clearly
//! and otherwise in rationals. Procedure B takes O(log X) steps for each die: among all t for which
//! a dt is best made from the same dX, at the cost X cost(X) / t, only the largest unsettled t can
//! be settled next. **Source.** "How to: Accurately simulate the roll of dice with any number of
//! sides" (2016).

mod prose;
mod rounding_up;
mod search;

pub(super) use rounding_up::ROUNDING_UP;
pub use search::{FactoringRecipe, Procedure, RecipeDie, recipe, recipe_with_remainders};

use super::{About, Memory, Rule, RuleInfo, Step};
use crate::law::{Branch, Chain, ChainState, Law, Next};
use crate::task::{Refusal, Task};
use flipcost_number::BigUint;
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};
use std::fmt;

/// An action on the value after a roll of the recipe. A roll may have several actions, which are
/// applied in order.
enum AfterRoll {
    /// Keep the value; the next roll starts the second factor.
    Keep,
    /// Multiply the kept value by this number, and add the value.
    Combine(u64),
    /// Replace the value by its remainder modulo this number.
    Reduce(u64),
    /// If the value is at least this number, forget it and go back to the roll with this index.
    Test(u64, usize),
}

struct RolledDie {
    die: u128,
    sides: u64,
    after: Vec<AfterRoll>,
}

fn compile_recipe(part: &RecipeDie, leaves: &mut Vec<RolledDie>) {
    let then = |leaves: &mut Vec<RolledDie>, what| {
        let last = leaves.last_mut().expect("a part rolls at least once");
        last.after.push(what);
    };
    match &part.procedure {
        Procedure::Nothing => {}
        Procedure::Roll(die) => leaves.push(RolledDie {
            die: *die,
            sides: part.sides,
            after: Vec::new(),
        }),
        Procedure::Reduce(from) => {
            compile_recipe(from, leaves);
            then(leaves, AfterRoll::Reduce(part.sides));
        }
        Procedure::Retry(from) => {
            let back = leaves.len();
            compile_recipe(from, leaves);
            then(leaves, AfterRoll::Test(part.sides, back));
        }
        Procedure::Product(first, second) => {
            compile_recipe(first, leaves);
            then(leaves, AfterRoll::Keep);
            compile_recipe(second, leaves);
            then(leaves, AfterRoll::Combine(second.sides));
        }
    }
}

/// The rule that follows a recipe; see the module documentation. The registered algorithm has a
/// single source die.
pub(crate) struct Factoring {
    source: u128,
    leaves: Vec<RolledDie>,
}

/// The next roll of the recipe, and the values that are needed for it.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct RecipeState {
    roll: usize,
    kept: Vec<u64>,
}

impl fmt::Debug for RecipeState {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "roll {} of the recipe", self.roll + 1)?;
        for (i, value) in self.kept.iter().enumerate() {
            write!(f, "{} {value}", if i == 0 { ", kept" } else { "," })?;
        }
        Ok(())
    }
}

impl Rule for Factoring {
    type State = RecipeState;

    fn start(&self) -> Step<RecipeState> {
        if self.leaves.is_empty() {
            return Step::Output(BigUint::zero());
        }
        Step::Roll(RecipeState {
            roll: 0,
            kept: Vec::new(),
        })
    }

    fn step(&self, at: &RecipeState, face: u64) -> Step<RecipeState> {
        let leaf = &self.leaves[at.roll];
        let mut kept = at.kept.clone();
        let mut value = face % leaf.sides;
        for after in &leaf.after {
            match after {
                AfterRoll::Keep => {
                    kept.push(value);
                    return Step::Roll(RecipeState {
                        roll: at.roll + 1,
                        kept,
                    });
                }
                AfterRoll::Combine(sides) => {
                    value += sides * kept.pop().expect("the first factor was kept");
                }
                AfterRoll::Reduce(sides) => value %= sides,
                AfterRoll::Test(sides, back) => {
                    if value >= *sides {
                        return Step::Roll(RecipeState { roll: *back, kept });
                    }
                }
            }
        }
        Step::Output(value.into())
    }

    fn sides(&self, state: &RecipeState) -> Option<u64> {
        self.leaves[state.roll].die.try_into().ok()
    }
}

impl RuleInfo for Factoring {
    const ABOUT: About = About {
        id: "factoring",
        name: "Factoring (procedures A, B, C)",
        citation: "\"How to: Accurately simulate the roll of dice with any number of sides\" (2016)",
        memory: Memory::State,
        bounded: "if every prime factor of n divides m",
        rule: "multiply dice that can be read off the source, or make a larger die and re-roll it: the cheapest recipe of such steps",
        law: "A: cost(N) = 1 if N divides m; B: cost(N) = cost(X) X / N for some X > N; C: cost(P Q) = cost(P) + cost(Q); the least of all recipes",
    };

    fn new(task: &Task) -> Result<Self, Refusal> {
        let dice = task.fair()?;
        let m = dice.m;
        let n = dice.n.to_u64().ok_or_else(|| {
            Refusal::Rule(format!(
                "a recipe for a target of {} bits is not searched for: the search ends at {}",
                dice.n.bits(),
                search::MAX_SEARCH
            ))
        })?;
        let mut leaves = Vec::new();
        compile_recipe(&recipe(&[m], n)?.root, &mut leaves);
        Ok(Factoring { source: m, leaves })
    }

    /// The chain ignores values, because a value is uniform when it is tested: the test of a value
    /// uniform on [0, X) succeeds with probability N/X. Rolls without a test between them form one
    /// state of the chain; the final outcome is ignored. A state stands for a set of nodes of the
    /// decision tree, so its size is counted in units of a power of 1/m.
    fn closed_law(&self) -> Option<Law> {
        // A state begins at the first roll, at each roll to which a test leads back, and at each
        // roll after a test.
        let mut begins = vec![false; self.leaves.len() + 1];
        begins[0] = true;
        for (roll, leaf) in self.leaves.iter().enumerate() {
            for after in &leaf.after {
                if let AfterRoll::Test(_, back) = after {
                    begins[*back] = true;
                    begins[roll + 1] = true;
                }
            }
        }
        let state = |roll: usize| {
            let before = begins[..roll].iter().filter(|begins| **begins).count();
            Next::State(before as u32)
        };
        let (mut states, mut kept, mut rolls) = (Vec::new(), Vec::new(), 0);
        for (roll, leaf) in self.leaves.iter().enumerate() {
            rolls += 1;
            let mut sides = leaf.sides;
            let mut next = Next::Outcome(0);
            let mut here = BigUint::one(); // the weight of this state
            let mut branches: Vec<Branch> = Vec::new();
            for after in &leaf.after {
                match *after {
                    AfterRoll::Keep => {
                        kept.push(sides);
                        next = state(roll + 1);
                        break;
                    }
                    AfterRoll::Combine(second) => {
                        debug_assert_eq!(second, sides);
                        sides *= kept.pop().expect("the first factor was kept");
                    }
                    AfterRoll::Reduce(wanted) => sides = wanted,
                    AfterRoll::Test(wanted, back) => {
                        let common = sides.gcd(&wanted);
                        let (all, pass) = (sides / common, wanted / common);
                        branches.iter_mut().for_each(|branch| branch.weight *= all);
                        if all > pass {
                            branches.push(Branch {
                                weight: &here * (all - pass),
                                next: state(back),
                            });
                        }
                        here *= pass;
                        sides = wanted;
                    }
                }
            }
            if begins[roll + 1] || roll + 1 == self.leaves.len() {
                branches.push(Branch { weight: here, next });
                states.push(ChainState {
                    rolls: std::mem::take(&mut rolls),
                    branches,
                });
            }
        }
        let start = if states.is_empty() {
            Next::Outcome(0)
        } else {
            Next::State(0)
        };
        let chain = Chain::new(start, states, vec![BigUint::zero()]);
        let chain = chain.expect("a recipe ends").counted_by(self.source);
        Some(chain.into())
    }
}
#[cfg(test)]
mod tests {
    use super::super::entry::RuleEntry;
    use super::super::{Algorithm, CHAIN_LIMIT, FAST_DICE_ROLLER};
    use super::*;
    use crate::task::Source;
    use flipcost_number::Rational;

    fn cost(dice: &[u128], n: u64) -> Rational {
        recipe(dice, n).unwrap().cost
    }

    #[test]
    fn the_recipe_costs_what_its_steps_cost() {
        for m in [2u64, 3, 6, 20] {
            for n in 1..=60 {
                let bound = RuleEntry::<Factoring>::NEW;
                let bound = bound
                    .prepare(&Task::die(n, Source::die(m).unwrap()).unwrap())
                    .unwrap();
                let (chain, _) = bound.chain(CHAIN_LIMIT).unwrap();
                assert_eq!(chain.mean(), cost(&[m.into()], n), "m = {m}, n = {n}");
            }
        }
    }

    #[test]
    fn several_dice_are_at_least_as_good_as_each_and_fair() {
        let dice = [4, 6, 10];
        for n in 1..=60 {
            let [plain, reduced] =
                [recipe, recipe_with_remainders].map(|search| search(&dice, n).unwrap());
            assert!(reduced.cost <= plain.cost, "n = {n}");
            for m in dice {
                assert!(plain.cost <= cost(&[m], n), "n = {n}");
            }
            is_fair(&plain, n);
            is_fair(&reduced, n);
        }
    }

    /// Checks that the rolls of the recipe make a fair die, and that their mean number is the cost
    /// of the recipe, also by the chain of the recipe.
    fn is_fair(recipe: &FactoringRecipe, n: u64) {
        let mut leaves = Vec::new();
        compile_recipe(&recipe.root, &mut leaves);
        let source = recipe.dice[recipe.dice.len() - 1];
        let rule = Factoring { source, leaves };
        let sides = |state: &RecipeState| rule.sides(state).unwrap();
        let step = |state: &RecipeState, face| rule.step(state, face);
        let chain = crate::law::Chain::explore(rule.start(), CHAIN_LIMIT, sides, step);
        let chain = chain.unwrap().0;
        assert_eq!(chain.mean(), recipe.cost, "n = {n}");
        let fair = Rational::new(1.into(), n.into());
        let probabilities = chain.probabilities();
        assert!(probabilities.values().all(|p| *p == fair), "n = {n}");
        assert_eq!(probabilities.len() as u64, n);
        if recipe.dice.len() == 1 {
            let law = rule.closed_law().unwrap();
            assert_eq!(
                (law.mean().unwrap(), law.second_moment().unwrap()),
                chain.moments(),
                "n = {n}"
            );
        }
    }

    #[test]
    fn remainders_of_one_die_are_fair() {
        for m in [2, 3, 6, 10] {
            for n in 1..=60 {
                let recipe = recipe_with_remainders(&[m], n).unwrap();
                is_fair(&recipe, n);
                let fast = Law::from(crate::law::Residues::new(m, n.into()));
                assert!(fast.mean().unwrap() <= recipe.cost && recipe.cost <= cost(&[m], n));
            }
        }
        let d7 = recipe_with_remainders(&[6], 7).unwrap();
        let d36 = "c = 6 * (a - 1) + b.";
        assert!(d7.steps().iter().any(|step| step == d36), "{d7}");
        assert!(d7.complete && d7.largest >= 36);
    }

    /// If n divides 2^64, the recipe is a single word modulo n; for other n no recipe is searched
    /// for.
    #[test]
    fn a_word_is_read_modulo_its_divisors() {
        let word = 1u128 << 64;
        for k in 1..64 {
            assert_eq!(cost(&[word], 1 << k), Rational::one(), "2^{k}");
            assert!(recipe(&[word], (1 << k) + 1).is_err(), "2^{k} + 1");
        }
    }

    #[test]
    fn no_recipe_beats_the_optimum() {
        for m in [2u64, 6, 10] {
            for n in 1u64..=80 {
                let fast = FAST_DICE_ROLLER
                    .prepare(&Task::die(n, Source::die(m).unwrap()).unwrap())
                    .unwrap();
                let law = fast.law().unwrap();
                assert!(
                    cost(&[m.into()], n) >= law.mean().unwrap(),
                    "m = {m}, n = {n}"
                );
            }
        }
    }
}
