//! Simple recipes. If the cheapest recipe has many steps, a simple one is printed instead.

use super::walk::{GivenRolls, die_name};
use super::{FEW_STEPS, Plan, fraction_and_decimals};
use crate::page::{RecipeBlock, RecipePage};
use crate::{DicePlan, Die};
use flipcost::algorithms::factoring::{
    FactoringRecipe, Procedure, RecipeDie, recipe_with_remainders,
};
use flipcost::task::roll_formula;
use flipcost_number::{BigUint, Rational};
use flipcost_question::prelude::*;
use num_traits::{One, ToPrimitive, Zero};

/// A recipe with few steps.
pub(super) enum SimpleRecipe {
    /// Factoring: combines rolls, and repeats all of them if the result is too large.
    Factoring(FactoringRecipe),
    /// A recipe that carries a number and never splits the remaining nodes.
    Unsplit(DicePlan),
    /// Rolls the dice of a formula as it is written; the second field is the number of rolls.
    Formula(String, Rational),
}

impl SimpleRecipe {
    /// Whether the recipe rolls the dice of a formula.
    pub(super) fn is_formula(&self) -> bool {
        matches!(self, SimpleRecipe::Formula(..))
    }

    pub(super) fn cost(&self) -> &Rational {
        match self {
            SimpleRecipe::Factoring(recipe) => &recipe.cost,
            SimpleRecipe::Unsplit(plan) => &plan.expected,
            SimpleRecipe::Formula(_, rolls) => rolls,
        }
    }

    pub(super) fn worst_case(&self) -> Option<u64> {
        match self {
            SimpleRecipe::Factoring(recipe) => max_rolls(&recipe.root),
            SimpleRecipe::Unsplit(plan) => plan.worst_case,
            SimpleRecipe::Formula(_, rolls) => rolls.to_u64(),
        }
    }

    /// Returns the instructions that replace the page of the cheapest recipe.
    pub(super) fn page(&self, name: &dyn Fn(&Die) -> String) -> RecipePage {
        let recipe = match self {
            SimpleRecipe::Unsplit(plan) => return plan.recipe.page(name),
            SimpleRecipe::Factoring(recipe) => recipe,
            SimpleRecipe::Formula(formula, _) => {
                let text = format!("Roll the dice of {formula} and compute its value.");
                return RecipePage {
                    intro: vec![text],
                    blocks: Vec::new(),
                };
            }
        };
        let block = |(step, text): (usize, String)| RecipeBlock {
            name: step.to_string(),
            text,
            table: Vec::new(),
        };
        RecipePage {
            intro: Vec::new(),
            blocks: (1..).zip(recipe.steps()).map(block).collect(),
        }
    }

    /// The dice that the recipe rolls.
    pub(super) fn dice(&self) -> Vec<Die> {
        match self {
            SimpleRecipe::Factoring(_) | SimpleRecipe::Formula(..) => Vec::new(),
            SimpleRecipe::Unsplit(plan) => plan
                .recipe
                .tables()
                .iter()
                .map(|table| table.die.clone())
                .collect(),
        }
    }
}

/// The maximum number of rolls of a part; `None` if the part may begin again without end.
fn max_rolls(part: &RecipeDie) -> Option<u64> {
    match &part.procedure {
        Procedure::Nothing => Some(0),
        Procedure::Roll(_) => Some(1),
        Procedure::Reduce(from) => max_rolls(from),
        Procedure::Retry(_) => None,
        Procedure::Product(a, b) => Some(max_rolls(a)? + max_rolls(b)?),
    }
}

/// The number of rolls of a formula, for example `4d6kh3 + 2`, if each of its dice is in the set
/// and is rolled once.
fn rolls_of_formula(formula: &str, sides: &[u128]) -> Option<Rational> {
    if formula.contains([':', '%']) {
        return None;
    }
    let mut rolls = 0u64;
    let roll = |die: u64| {
        rolls += 1;
        sides.contains(&die.into()).then_some(1).ok_or(())
    };
    roll_formula(formula, roll).ok()??;
    (rolls > 0).then(|| Rational::from_integer(rolls.into()))
}

impl Plan {
    /// Returns the simple recipe to print instead of the cheapest recipe, which has `steps` steps.
    /// Unless it rolls the dice of a formula, there is one only if `steps` is above `few`.
    pub(super) fn find_simple_recipe(
        &self,
        plan: &DicePlan,
        steps: usize,
        few: usize,
    ) -> Result<Option<SimpleRecipe>, QueryError> {
        if !plan.split || self.cheapest {
            return Ok(None);
        }
        let plain = self.throws.is_empty() && plan.dice.iter().all(|die| die.price.is_one());
        let sides: Vec<u128> = plan.dice.iter().map(|die| die.sides).collect();
        if let Some(formula) = self.target.formula().filter(|_| plain)
            && let Some(rolls) = rolls_of_formula(formula, &sides)
            && rolls <= plan.expected
        {
            return Ok(Some(SimpleRecipe::Formula(formula.to_string(), rolls)));
        }
        if steps <= few {
            return Ok(None);
        }
        if plain && let Ok(recipe) = recipe_with_remainders(&sides, plan.target) {
            let recipe = SimpleRecipe::Factoring(recipe);
            let name = |die: &Die| die_name(die.sides);
            if recipe.page(&name).blocks.len() < steps {
                return Ok(Some(recipe));
            }
        }
        let unsplit = crate::plan_with(plan.target, &plan.dice, false);
        let unsplit = unsplit.map_err(QueryError::for_field("dice"))?;
        let fewer = unsplit.recipe.page(&|die| self.name(die)).blocks.len() < steps;
        Ok(fewer.then_some(SimpleRecipe::Unsplit(unsplit)))
    }

    /// Returns words that say how much less the cheapest recipe costs than the printed one.
    pub(super) fn cost_difference(
        plan: &DicePlan,
        simple: &SimpleRecipe,
        steps: usize,
    ) -> Result<String, QueryError> {
        let less = simple.cost() - &plan.expected;
        let less = if less.is_zero() {
            "as many".to_string()
        } else {
            format!("{} less", fraction_and_decimals(&less)?)
        };
        let steps = count_with_noun(steps as u64, "step");
        Ok(format!(
            "{}, {less}, in {steps}",
            fraction_and_decimals(&plan.expected)?
        ))
    }

    /// Writes a row for each of the `rolls`, and a last row with the next die to roll or the
    /// result.
    pub(super) fn write_walk(&self, rolls: &str, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let plan = self.make_plan(&self.priced()?)?;
        let steps = plan.recipe.page(&|die| self.name(die)).blocks.len();
        let mut given = GivenRolls::parse(rolls);
        let end = match self.find_simple_recipe(&plan, steps, FEW_STEPS)? {
            Some(SimpleRecipe::Factoring(recipe)) => given.follow_factoring(&recipe.root),
            Some(SimpleRecipe::Unsplit(plan)) => given.follow_recipe(&plan.recipe),
            Some(SimpleRecipe::Formula(formula, _)) => {
                let shown = given.follow_formula(&formula);
                return given.write(shown, sink);
            }
            None => given.follow_recipe(&plan.recipe),
        };
        let outcome = |face: BigUint| match self.target.sides() {
            Some(_) => self.target.label(&face),
            None => self.outcome_label(&face),
        };
        given.write(end.map(outcome), sink)
    }
}
