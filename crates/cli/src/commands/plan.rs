//! `flipcost plan`: the best use of a bag of dice.

use super::args::{self, DiceList, OutputArgs, RowFormat};
use super::{Failure, remark};
use crate::rows::Output;
use flipcost::bag::{self, Die, MOST};
use flipcost::law::Residues;
use flipcost::number::expression::parse_rational;
use flipcost::number::real::Real;
use flipcost::number::{BigUint, Rational};
use flipcost::table::Cell;
use flipcost::table::fraction;
use num_traits::{One, Zero};
use std::fmt::Write;

/// The cheapest way to roll a die with a bag of dice, as tables to follow by hand
#[derive(clap::Args)]
pub struct Plan {
    /// Sides of the target
    #[arg(value_name = "N", value_parser = args::target, allow_negative_numbers = true)]
    n: BigUint,
    /// The dice, as in 6,10; `polyhedral` is 4,6,8,10,12,20
    #[arg(long, value_name = "DICE", value_parser = args::bag, allow_negative_numbers = true)]
    dice: DiceList,
    /// Never split what is left over between two dice: simpler tables, sometimes more rolls
    #[arg(long)]
    no_split: bool,
    /// What a roll of a die costs, as in 6=1,10=3/2 [default: 1 each]
    #[arg(long, value_name = "PRICES", value_delimiter = ',', value_parser = price, allow_negative_numbers = true)]
    cost: Vec<(u64, Rational)>,
    #[command(flatten)]
    output: OutputArgs,
}

fn price(text: &str) -> Result<(u64, Rational), String> {
    let Some((die, price)) = text.split_once('=') else {
        return Err("a price is written as die=price, as in 10=3/2".to_string());
    };
    let (sides, price) = (
        args::source(die)?,
        parse_rational(price).map_err(|e| e.to_string())?,
    );
    if price.is_zero() {
        return Err(bag::PlanError::Price { sides, price }.to_string());
    }
    Ok((sides, price))
}

impl Plan {
    /// The bag with its prices.
    fn bag(&self) -> Result<Vec<Die>, Failure> {
        let mut dice: Vec<Die> = self.dice.0.iter().map(|&sides| Die::new(sides)).collect();
        let mut priced = Vec::new();
        for (sides, price) in &self.cost {
            let Some(die) = dice.iter_mut().find(|die| die.sides == *sides) else {
                return Err(Failure::Input(format!(
                    "--cost names a d{sides}, which is not among the dice"
                )));
            };
            if priced.contains(sides) {
                return Err(Failure::Input(format!("--cost names the d{sides} twice")));
            }
            priced.push(*sides);
            die.price = price.clone();
        }
        Ok(dice)
    }

    pub fn run(self) -> Result<(), Failure> {
        let dice = self.bag()?;
        let n = u64::try_from(&self.n)
            .ok()
            .filter(|n| *n <= MOST)
            .ok_or_else(|| {
                let n = super::cost::short(&self.n);
                Failure::Input(format!(
                    "a d{n} is too large to plan: n must be at most {MOST}"
                ))
            })?;
        let split = !self.no_split;
        let plan = bag::plan(n, &dice, split).map_err(Failure::input)?;
        if self.output.format() == RowFormat::Table {
            let text = page(&plan)?;
            return Ok(Output::write_all(
                self.output.output.as_deref(),
                text.as_bytes(),
            )?);
        }
        let other = bag::plan(n, &dice, !split).map_err(Failure::input)?;
        let row = |dice: &[Die],
                   split: bool,
                   cost: &Rational,
                   worst: Option<u64>|
         -> Result<Vec<Cell>, Failure> {
            let sides: Vec<u64> = dice.iter().map(|die| die.sides).collect();
            Ok(vec![
                Cell::Integer(n.into()),
                Cell::Text(args::joined(&sides, ",")),
                Cell::Flag(split),
                Cell::Exact(fraction(cost)),
                Cell::Double(double(cost)?),
                worst.map_or(Cell::Text("inf".to_string()), |t| Cell::Integer(t.into())),
            ])
        };
        let of = |plan: &bag::Plan| row(&dice, plan.split, &plan.expected, plan.worst_case);
        let mut rows = vec![of(&plan)?, of(&other)?];
        if dice.len() > 1 {
            for (die, cost) in dice.iter().zip(&plan.alone) {
                let worst = Residues::new(die.sides, n.into()).worst_case();
                rows.push(row(std::slice::from_ref(die), false, cost, worst)?);
            }
        }
        let headers = [
            "target",
            "dice",
            "splitting",
            "expected_exact",
            "expected",
            "worst_case",
        ];
        self.output.write(&headers, &rows)?;
        let bound = plan.entropy_bound.nearest_f64().map_err(Failure::input)?;
        remark(&format!("the entropy bound of these dice is {bound}"));
        Ok(())
    }
}

fn double(value: &Rational) -> Result<f64, Failure> {
    Real::Exact(value.clone())
        .nearest_f64()
        .map_err(Failure::input)
}

/// An exact value and its decimals; a fraction that is too long to read is left out.
fn both(value: &Rational) -> Result<String, Failure> {
    let (text, double) = (fraction(value), double(value)?);
    Ok(match text.len() {
        _ if value.is_integer() => text,
        0..=60 => format!("{text} = {double}"),
        _ => format!("{double}"),
    })
}

/// The headline numbers, and the recipe.
fn page(plan: &bag::Plan) -> Result<String, Failure> {
    let priced = plan.dice.iter().any(|die| !die.price.is_one());
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
    let bound = plan.entropy_bound.nearest_f64().map_err(Failure::input)?;
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
