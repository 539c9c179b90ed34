//! The cheapest way to roll a die with several dice.

use crate::precision::decimal;
use crate::{
    CommandLine, Control, Dice, Estimate, Foot, Head, Kind, Natural, Price, QueryError, Question,
    Sink,
};
use flipcost::dice_set::{self, Die, MOST};
use flipcost::law::Residues;
use flipcost::number::Rational;
use flipcost::number::Real;
use flipcost::table::{Cell, Precision};
use flipcost::unstable::number::short;
use flipcost::unstable::table::fraction;
use num_traits::{One, ToPrimitive};
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// The least expected cost of a die with these dice, a row each with and without splitting and with
/// every die alone. The document of the answer is a page with the tables to follow by hand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Sides of the target.
    pub target: Natural,
    /// The dice.
    pub dice: Dice,
    /// Never split what is left over between two dice: simpler tables, sometimes more rolls.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub no_split: bool,
    /// What a roll of a die costs, where it is not 1.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cost: Vec<Price>,
}

impl Question for Plan {
    fn command(&self) -> CommandLine {
        CommandLine::new("plan")
            .word(&self.target)
            .option("dice", &self.dice)
            .flag("no-split", self.no_split)
            .list("cost", &self.cost)
    }

    /// The proof takes numbers of O(n log m) bits for all v < n, and the search n^2 words.
    fn estimate(&self) -> Estimate {
        let n = u128::from(self.target.value().to_u64().unwrap_or(MOST).min(MOST));
        let dice = self.dice.get().len() as u128;
        let bits = self.dice.get().iter().map(|m| m.ilog2() + 1).max();
        let words = n * u128::from(bits.unwrap_or(1)) / 64 + 1;
        Estimate {
            work: 2 * n * n * (dice + words),
            memory: 8 * n * (dice + words),
            output: 100 * (dice + 2) + 100_000,
        }
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let dice = self.priced()?;
        let n = (self.target.positive()?.to_u64().filter(|n| *n <= MOST)).ok_or_else(|| {
            let n = short(self.target.value());
            QueryError::Input(format!(
                "a d{n} is too large to plan: n must be at most {MOST}"
            ))
        })?;
        control.go_on()?;
        let split = !self.no_split;
        let plan = dice_set::plan(n, &dice, split).map_err(QueryError::input)?;
        control.go_on()?;
        let row = |dice: &[Die], split: bool, cost: &Rational, worst: Option<u64>| {
            let sides: Vec<String> = dice.iter().map(|die| die.sides.to_string()).collect();
            Ok(vec![
                Cell::Integer(n.into()),
                Cell::Text(sides.join(",")),
                Cell::Flag(split),
                Cell::Exact(fraction(cost)),
                double(&Real::Exact(cost.clone()))?,
                worst.map_or(Cell::Text("inf".to_string()), |t| Cell::Integer(t.into())),
            ])
        };
        let first = row(&dice, split, &plan.expected, plan.worst_case)?;
        let other = match split {
            true => row(&dice, false, &plan.without_split, plan.worst_without_split)?,
            false => {
                let other = dice_set::plan(n, &dice, true).map_err(QueryError::input)?;
                row(&dice, true, &other.expected, other.worst_case)?
            }
        };
        let mut rows = vec![first, other];
        if dice.len() > 1 {
            for (die, cost) in dice.iter().zip(&plan.alone) {
                let worst = Residues::new(die.sides, n.into()).worst_case();
                let alone: Result<_, QueryError> =
                    row(std::slice::from_ref(die), false, cost, worst);
                rows.push(alone?);
            }
        }
        let bound = double(&plan.entropy_bound)?;
        let mut foot = Foot::default();
        foot.note(format!("the entropy bound of these dice is {bound}"));
        foot.text = Some(page(&plan)?);
        let unit = unit(&plan);
        let head = Head::new()
            .column("target", Kind::Count)
            .column("dice", Kind::Text)
            .column("splitting", Kind::Flag)
            .measured("expected_exact", Kind::Exact, unit)
            .measured("expected", Kind::Decimal, unit)
            .measured("worst_case", Kind::Count, "rolls");
        sink.head(&head)?;
        sink.rows(rows)?;
        sink.foot(foot)
    }
}

impl Plan {
    /// The dice with their prices.
    fn priced(&self) -> Result<Vec<Die>, QueryError> {
        let mut dice: Vec<Die> = self.dice.get().iter().copied().map(Die::new).collect();
        let mut priced = Vec::new();
        for price in &self.cost {
            let sides = price.sides();
            let Some(die) = dice.iter_mut().find(|die| die.sides == sides) else {
                return Err(QueryError::Input(format!(
                    "--cost names a d{sides}, which is not among the dice"
                )));
            };
            if priced.contains(&sides) {
                return Err(QueryError::Input(format!(
                    "--cost names the d{sides} twice"
                )));
            }
            priced.push(sides);
            die.price = price.price().clone();
        }
        Ok(dice)
    }
}

/// What the expected cost counts; nothing if there are prices.
fn unit(plan: &dice_set::Plan) -> &'static str {
    match plan.dice.iter().all(|die| die.price.is_one()) {
        true => "rolls",
        false => "",
    }
}

/// The nearest double.
fn double(value: &Real) -> Result<Cell, QueryError> {
    decimal(value, Precision::default())
}

/// An exact value and its decimals; a fraction that is too long to read is left out.
fn both(value: &Rational) -> Result<String, QueryError> {
    let (text, double) = (fraction(value), double(&Real::Exact(value.clone()))?);
    Ok(match text.len() {
        _ if value.is_integer() => text,
        0..=60 => format!("{text} = {double}"),
        _ => double.to_string(),
    })
}

/// The headline numbers, and the recipe.
fn page(plan: &dice_set::Plan) -> Result<String, QueryError> {
    let priced = unit(plan).is_empty();
    let name = |die: &Die| match (die.sides, priced) {
        (2, false) => "coin".to_string(),
        (m, false) => format!("d{m}"),
        (2, true) => format!("coin ({} a flip)", die.price),
        (m, true) => format!("d{m} ({} a roll)", die.price),
    };
    let names: Vec<String> = plan.dice.iter().map(name).collect();
    let mut lines: Vec<(String, String)> = Vec::new();
    let label = if priced {
        "expected cost"
    } else {
        "expected rolls"
    };
    lines.push((label.to_string(), both(&plan.expected)?));
    if plan.split {
        lines.push(("without splitting".to_string(), both(&plan.without_split)?));
    }
    if plan.dice.len() > 1 {
        for (die, cost) in plan.dice.iter().zip(&plan.alone) {
            let alone = match die.sides {
                2 => "the coin alone".to_string(),
                m => format!("the d{m} alone"),
            };
            lines.push((alone, both(cost)?));
        }
    }
    let bound = double(&plan.entropy_bound)?;
    lines.push(("entropy bound".to_string(), bound.to_string()));
    let worst = match plan.worst_case {
        Some(rolls) => format!("{rolls} rolls"),
        None => "no bound, but ever less likely".to_string(),
    };
    lines.push(("worst case".to_string(), worst));
    let mut text = format!(
        "A d{} with these dice: {}\n\n",
        plan.target,
        names.join(", ")
    );
    let width = lines.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, value) in &lines {
        let _ = writeln!(text, "{name:width$}  {value}");
    }
    text += "\n";
    text += &plan.recipe.to_text();
    Ok(text)
}
