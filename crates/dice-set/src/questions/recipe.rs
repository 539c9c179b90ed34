//! The factoring method, as steps that a person can follow.

use crate::Dice;
use crate::questions::Plan;
use crate::questions::plan::walk::{GivenRolls, walk_summary};
use crate::{Die, MAX_PLANNED_SIDES, plan};
use flipcost::algorithms::factoring::{FactoringRecipe, Procedure, recipe_with_remainders};
use flipcost::table::Precision;
use flipcost_number::Rational;
use flipcost_number::Real;
use flipcost_number::short::short;
use flipcost_question::prelude::*;
use flipcost_question::{Always, Natural};
use num_traits::ToPrimitive;

question! {
    /// The factoring method as steps to follow: roll and reduce (A), re-roll (B), two dice as one
    /// (C)
    ///
    /// A row for each step, with the die that it completes and the cost of that die; the document
    /// of the answer is the same as text.
    pub struct RecipeSteps: "plan" {
        /// Sides of the target.
        target: Natural; word("N"),
        /// The dice, as in 6,10 or coin,d6; `polyhedral` is 4,6,8,10,12,20 [default: 6]
        dice: Option<Dice>; option("DICE"),
        /// Show the factoring method as steps: roll and reduce (A), re-roll (B), two dice as one
        /// (C)
        factoring: Always; flag().printed(),
        /// Instead of showing costs, follow the printed recipe with these rolls (for example 6,3)
        /// and show which die to roll next, or the result
        rolls: Option<String>; option("ROLLS"),
    }
    purpose: Table
    examples: ["plan 7 --factoring", "plan 100 --dice 10 --factoring"]
}

impl RecipeSteps {
    fn sides(&self) -> Result<u64, QueryError> {
        self.target
            .positive_value("target")?
            .to_u64()
            .ok_or_else(|| {
                let n = short(self.target.value());
                QueryError::wrong(
                    "target",
                    say!("n = {n} is too large to search for a recipe"),
                )
                .right("n must be below 2^64")
            })
    }
}

fn units(dice: &[u128]) -> &'static str {
    if dice == [2] { "flips" } else { "rolls" }
}

/// The recipe as text, with its cost and the dice that it rolls.
fn recipe_text(n: u64, dice: &[u128], recipe: &FactoringRecipe) -> Result<String, QueryError> {
    let exact = fraction_with_decimal(&recipe.cost, MAX_SENTENCE_FRACTION, Precision::default())?;
    let units = units(dice);
    let parts = recipe.parts();
    let is_rolled = |die: &&u128| {
        parts
            .iter()
            .any(|part| part.procedure == Procedure::Roll(**die))
    };
    let mut used: Vec<u128> = dice.iter().filter(is_rolled).copied().collect();
    if used.is_empty() {
        used = dice.to_vec();
    }
    let from: Vec<String> = used.into_iter().map(die_name).collect();
    Ok(format!(
        "A d{n} from {}: {exact} {units} on average.\n\
         No cheaper way by these procedures: dice of up to {} sides were searched, and larger ones {}.\n\n\
         {recipe}",
        from.join(" and "),
        recipe.largest,
        if recipe.complete {
            "cannot help"
        } else {
            "were not"
        }
    ))
}

impl Question for RecipeSteps {
    fn summary(&self, answer: &Answer) -> String {
        if self.rolls.is_some() {
            return walk_summary(&format!("a d{}", short(self.target.value())), answer);
        }
        let last = answer.rows.len().saturating_sub(1);
        let cost = answer.measure(last, "expected").unwrap_or_default();
        let n = short(self.target.value());
        format!(
            "a d{n} takes {cost} on average by factoring, in {}",
            count_with_noun(last as u64 + 1, "step")
        )
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let mut foot = Foot::default();
        let dice = match &self.dice {
            Some(dice) => dice.get().to_vec(),
            None => {
                foot.note(say!(
                    "the source is a d6: ",
                    field("dice"),
                    " takes other dice"
                ));
                vec![6]
            }
        };
        let n = self.sides()?;
        control.go_on()?;
        let recipe = recipe_with_remainders(&dice, n).map_err(QueryError::for_field("dice"))?;
        if let Some(rolls) = &self.rolls {
            let mut given = GivenRolls::parse(rolls);
            let end = given.follow_factoring(&recipe.root);
            return given.write(end.map(|face| (face + 1u8).to_string()), sink);
        }
        let double = |cost: &Rational| decimal(&Real::Exact(cost.clone()), Precision::default());
        let mut rows = Vec::new();
        for ((step, text), part) in (1u64..).zip(recipe.steps()).zip(recipe.parts()) {
            rows.push(row![
                step,
                text,
                part.sides,
                &part.cost,
                double(&part.cost)?
            ]);
        }
        if let Some(less) = plan_cost(n, &dice).filter(|less| *less < recipe.cost) {
            let sides: Vec<String> = dice.iter().map(u128::to_string).collect();
            let dice = sides
                .join(",")
                .parse()
                .map_err(QueryError::for_field("dice"))?;
            let plan = Plan::new(self.target.value().clone(), dice);
            let less = fraction_with_decimal(&less, MAX_SENTENCE_FRACTION, Precision::default())?;
            foot.note(say!(plan, " is cheaper: {less} rolls on average"));
        }
        foot.text = Some(recipe_text(n, &dice, &recipe)?);
        let units = units(&dice);
        let head = Head::new()
            .column("step", CellKind::Count)
            .column("instruction", CellKind::Text)
            .column("sides", CellKind::Count)
            .measured("expected_exact", CellKind::Exact, units)
            .measured("expected", CellKind::Decimal, units);
        sink.write_answer(&head, rows, foot)
    }
}

/// Names a die.
fn die_name(sides: u128) -> String {
    match sides {
        2 => "a coin".to_string(),
        _ => format!("a d{sides}"),
    }
}

/// The largest target for which a plan with several dice is computed for comparison.
const MAX_COMPARED_TARGET: u64 = 300;

/// Returns the cost of a plan with these dice if it takes little time; for one die this is the cost
/// of the fast dice roller.
fn plan_cost(n: u64, dice: &[u128]) -> Option<Rational> {
    match dice {
        [die] if n <= MAX_PLANNED_SIDES => Die::new(*die).law(n).mean().ok(),
        _ if n <= MAX_COMPARED_TARGET => {
            let dice: Vec<Die> = dice.iter().copied().map(Die::new).collect();
            plan(n, &dice).ok().map(|plan| plan.expected)
        }
        _ => None,
    }
}
