//! The table `recipes`: see [`Recipes`].

use super::tabulate::{Rows, Tabulate};
use crate::costs::dice_costs;
use crate::draw::headers;
use crate::error::StudyError;
use crate::limits::{MAX_COLUMNS, check_at_most};
use crate::values::{Span, task};
use flipcost::algorithms::FAST_DICE_ROLLER;
use flipcost::algorithms::factoring::{Procedure, RecipeDie, recipe};
use flipcost::table::Cell;
use flipcost_number::Real;
use schemars::JsonSchema;
use serde::Deserialize;

/// The cost of the cheapest recipe by procedures A, B and C, and the last procedure that it uses,
/// for each n.
///
/// ```toml
/// table = { recipes = { source = 6, targets = "2..=100" } }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Recipes {
    source: u64,
    targets: Span,
}

impl Tabulate for Recipes {
    fn rows(&self) -> Result<Rows, StudyError> {
        check_at_most("targets", self.targets.count(), "targets", MAX_COLUMNS)?;
        task(self.source, *self.targets.0.end())?;
        let row = |n: u64| {
            let found = recipe(&[self.source.into()], n)?;
            let costs = dice_costs(FAST_DICE_ROLLER, self.source, n)?;
            let name = match found.root.procedure {
                Procedure::Nothing | Procedure::Roll(_) | Procedure::Reduce(_) => "A",
                Procedure::Retry(_) => "B",
                Procedure::Product(..) => "C",
            };
            let double = |value: &Real| Ok::<_, StudyError>(Cell::Double(value.to_f64()?));
            Ok(vec![
                Cell::Integer(n.into()),
                Cell::Text(name.to_string()),
                Cell::Text(render_recipe(&found.root)),
                Cell::from(&found.cost),
                double(&Real::Exact(found.cost.clone()))?,
                double(costs.mean())?,
                double(costs.entropy())?,
            ])
        };
        let rows = self.targets.0.clone().map(row);
        let heads = headers([
            "n",
            "procedure",
            "recipe",
            "cost_exact",
            "cost",
            "fast_dice_roller",
            "entropy",
        ]);
        Ok((heads, rows.collect::<Result<_, StudyError>>()?))
    }
}

/// Renders a recipe in one line, for example `d6 mod 2 x d6` or `(d6 x d6) up to 35`.
fn render_recipe(part: &RecipeDie) -> String {
    let inner = |part: &RecipeDie| match part.procedure {
        Procedure::Product(..) | Procedure::Reduce(_) | Procedure::Retry(_) => {
            format!("({})", render_recipe(part))
        }
        _ => render_recipe(part),
    };
    match &part.procedure {
        Procedure::Nothing => "nothing".to_string(),
        Procedure::Roll(die) if *die == part.sides.into() => format!("d{die}"),
        Procedure::Roll(die) => format!("d{die} mod {}", part.sides),
        Procedure::Reduce(from) => format!("{} mod {}", inner(from), part.sides),
        Procedure::Retry(from) => format!("{} up to {}", inner(from), part.sides),
        Procedure::Product(first, second) => format!("{} x {}", inner(first), inner(second)),
    }
}
