//! The recipe that is printed in place of a cheapest one with many steps.

use super::{FEW_STEPS, Plan, both, die_name};
use crate::page::{RecipeBlock, RecipePage};
use crate::{DicePlan, Die};
use flipcost::algorithms::factoring::{
    FactoringRecipe, Procedure, RecipeDie, recipe_with_remainders,
};
use flipcost_number::Rational;
use flipcost_question::prelude::*;
use num_traits::One;

/// A recipe of few steps.
pub(super) enum SimpleRecipe {
    /// By factoring: rolls that are combined, and all of them again where they show too much.
    Factoring(FactoringRecipe),
    /// One that carries a number, and never splits what is left over.
    Unsplit(DicePlan),
}

impl SimpleRecipe {
    pub(super) fn cost(&self) -> &Rational {
        match self {
            SimpleRecipe::Factoring(recipe) => &recipe.cost,
            SimpleRecipe::Unsplit(plan) => &plan.expected,
        }
    }

    pub(super) fn worst_case(&self) -> Option<u64> {
        match self {
            SimpleRecipe::Factoring(recipe) => most_rolls(&recipe.root),
            SimpleRecipe::Unsplit(plan) => plan.worst_case,
        }
    }

    /// What is done, in place of the page of the cheapest.
    pub(super) fn page(&self, name: &dyn Fn(&Die) -> String) -> RecipePage {
        let recipe = match self {
            SimpleRecipe::Unsplit(plan) => return plan.recipe.page(name),
            SimpleRecipe::Factoring(recipe) => recipe,
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

    /// The dice that are rolled.
    pub(super) fn dice(&self) -> Vec<Die> {
        match self {
            SimpleRecipe::Factoring(_) => Vec::new(),
            SimpleRecipe::Unsplit(plan) => plan
                .recipe
                .tables()
                .iter()
                .map(|table| table.die.clone())
                .collect(),
        }
    }
}

/// The rolls of a part that never begins again.
fn most_rolls(part: &RecipeDie) -> Option<u64> {
    match &part.procedure {
        Procedure::Nothing => Some(0),
        Procedure::Roll(_) => Some(1),
        Procedure::Reduce(from) => most_rolls(from),
        Procedure::Retry(_) => None,
        Procedure::Product(a, b) => Some(most_rolls(a)? + most_rolls(b)?),
    }
}

impl Plan {
    /// The recipe that is printed in place of the cheapest, which has so many steps; none where that has few.
    pub(super) fn simple(
        &self,
        plan: &DicePlan,
        steps: usize,
    ) -> Result<Option<SimpleRecipe>, QueryError> {
        if !plan.split || self.cheapest || steps <= FEW_STEPS {
            return Ok(None);
        }
        let plain = self.throws.is_empty() && plan.dice.iter().all(|die| die.price.is_one());
        let sides: Vec<u128> = plan.dice.iter().map(|die| die.sides).collect();
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

    /// The fact that the cheapest costs less.
    pub(super) fn difference(
        plan: &DicePlan,
        simple: &SimpleRecipe,
        steps: usize,
    ) -> Result<String, QueryError> {
        let less = both(&(simple.cost() - &plan.expected))?;
        Ok(format!(
            "{}, {less} less, in {steps} steps",
            both(&plan.expected)?
        ))
    }
}
