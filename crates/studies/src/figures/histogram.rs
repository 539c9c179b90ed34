//! The figure `histogram`: probabilities as bars. See [`Bars`].

use crate::axis::{AxisSpec, HueName};
use crate::costs::{chain, costs};
use crate::draw::{Draw, DrawContext, DrawnFigure, headers};
use crate::error::{Mistake, SerializedMistake, StudyError};
use crate::limits::{MAX_OUTCOMES, MAX_ROLLS, check_at_most, check_total_bits};
use crate::rule::DiceRule;
use crate::values::{AlgorithmName, FigureName, Line, Natural, coin, task};
use flipcost::table::Cell;
use flipcost_figures::{Chart, Series};
use flipcost_number::Real;
use flipcost_number::{BigUint, Rational};
use num_traits::{ToPrimitive, Zero};
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Exact probabilities as bars: the law of the number of rolls of an algorithm, of its outcomes, or
/// of the value of a rule.
///
/// ```toml
/// [[histogram]]
/// name = "unfair-die"
/// title = "Three flips, taken modulo 6: not a fair die"
/// x = { label = "outcome", every = 1 }
/// y = { label = "probability", range = [0, 0.3] }
/// hue = "red"
/// rule = { dice = [2, 2, 2], value = "(4 * (a-1) + 2 * (b-1) + c-1) % 6 + 1" }
/// # or: rolls = { source = 6, algorithm = "parity-bits", n = 12, upto = 24 }
/// # or: outcomes = { source = 4, algorithm = "interval", n = 20, first = 1 }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(try_from = "BarsTable")]
#[schemars(with = "BarsTable")]
pub struct Bars {
    name: FigureName,
    title: Line,
    x: AxisSpec,
    y: AxisSpec,
    hue: Option<HueName>,
    law: HistogramLaw,
}

/// The law that the bars show.
enum HistogramLaw {
    Rolls(HistogramRolls),
    Outcomes(Outcomes),
    Rule(DiceRule),
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct BarsTable {
    name: FigureName,
    title: Line,
    x: AxisSpec,
    y: AxisSpec,
    hue: Option<HueName>,
    /// Draws the number of rolls that an algorithm takes. Exactly one of rolls, outcomes and rule
    /// is needed.
    rolls: Option<HistogramRolls>,
    /// Draws the outcomes of an algorithm.
    outcomes: Option<Outcomes>,
    /// Draws the value of a rule.
    rule: Option<DiceRule>,
}

impl TryFrom<BarsTable> for Bars {
    type Error = SerializedMistake;

    fn try_from(table: BarsTable) -> Result<Self, SerializedMistake> {
        let law = match (table.rolls, table.outcomes, table.rule) {
            (Some(rolls), None, None) => HistogramLaw::Rolls(rolls),
            (None, Some(outcomes), None) => HistogramLaw::Outcomes(outcomes),
            (None, None, Some(rule)) => HistogramLaw::Rule(rule),
            _ => {
                let name = table.name.0;
                let what =
                    format!("the histogram \"{name}\" needs one of rolls, outcomes and rule");
                return Err(Mistake::new(what).into());
            }
        };
        Ok(Bars {
            name: table.name,
            title: table.title,
            x: table.x,
            y: table.y,
            hue: table.hue,
            law,
        })
    }
}

/// Returns an upper bound for the number of bits of one roll.
fn max_roll_bits(source: u64) -> u128 {
    u128::from(u64::BITS - source.leading_zeros())
}

/// The law of the number of rolls that an algorithm takes.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct HistogramRolls {
    #[serde(default = "coin")]
    source: u64,
    algorithm: AlgorithmName,
    n: Natural,
    /// The last number of rolls that has a bar.
    upto: u64,
}

impl HistogramRolls {
    fn law(&self) -> Result<BTreeMap<u64, Rational>, StudyError> {
        check_at_most("upto", self.upto, "rolls", MAX_ROLLS)?;
        let upto = u128::from(self.upto);
        check_total_bits(max_roll_bits(self.source) * upto * upto)?;
        let costs = costs(self.algorithm.0, &task(self.source, self.n.0.clone())?)?;
        let survival: Vec<Rational> = costs
            .law()
            .survival()
            .take(self.upto as usize + 1)
            .collect();
        let drop = |t: usize| &survival[t - 1] - &survival[t];
        Ok((1..=self.upto)
            .map(|t| (t, drop(t as usize)))
            .filter(|(_, p)| !p.is_zero())
            .collect())
    }
}

/// The law of the outcomes of an algorithm.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Outcomes {
    #[serde(default = "coin")]
    source: u64,
    algorithm: AlgorithmName,
    n: Natural,
    /// The number of the first outcome.
    #[serde(default)]
    first: u32,
}

impl Outcomes {
    fn law(&self) -> Result<BTreeMap<u64, Rational>, StudyError> {
        let n = self.n.0.to_u64().unwrap_or(u64::MAX);
        check_at_most("n", n, "outcomes", MAX_OUTCOMES)?;
        let chain = chain(self.algorithm.0, &task(self.source, n)?)?;
        let outcome = |(outcome, p): (BigUint, Rational)| {
            let outcome = outcome.to_u64().expect("few outcomes");
            (outcome + u64::from(self.first), p)
        };
        Ok(chain.probabilities().into_iter().map(outcome).collect())
    }
}

/// Returns the law of the values of a rule.
///
/// # Errors
///
/// If a value is below 0.
fn rule_law(rule: &DiceRule) -> Result<BTreeMap<u64, Rational>, StudyError> {
    let law = rule.law()?;
    check_at_most("rule", law.len() as u64, "outcomes", MAX_OUTCOMES)?;
    let value = |(value, p): (i64, Rational)| Some((u64::try_from(value).ok()?, p));
    let law: Option<_> = law.into_iter().map(value).collect();
    law.ok_or_else(|| {
        let what = "the rule has values below 0, which have no bars";
        Mistake::new(what)
            .field("value")
            .right("add a number to its value")
            .into()
    })
}

impl Draw for Bars {
    fn name(&self) -> &str {
        &self.name.0
    }

    fn draw(&self, _: &DrawContext) -> Result<DrawnFigure, StudyError> {
        let law = match &self.law {
            HistogramLaw::Rolls(rolls) => rolls.law()?,
            HistogramLaw::Outcomes(outcomes) => outcomes.law()?,
            HistogramLaw::Rule(rule) => rule_law(rule)?,
        };
        let nearest = |p: &Rational| Real::Exact(p.clone()).to_f64();
        let mut points = Vec::new();
        for (value, p) in &law {
            points.push((*value as f64, nearest(p)?));
        }
        let labels = if law.len() <= 12 {
            law.values().map(Rational::to_string).collect()
        } else {
            Vec::new()
        };
        let step = law
            .keys()
            .zip(law.keys().skip(1))
            .map(|(a, b)| b - a)
            .min()
            .unwrap_or(1) as f64;
        // a tick may lie between two bars, at a value of probability 0: then the bars are narrow
        // enough to leave space for the tick
        let step = self.x.every().map_or(step, |every| step.min(every));
        let mut bars = Series::bars("", 0.7 * step, points, labels);
        if let Some(HueName(hue)) = self.hue {
            bars = bars.hue(hue);
        }
        let chart = Chart::new(&self.title.0)
            .x(self.x.axis())
            .y(self.y.axis())
            .series(bars);
        let row =
            |(value, p): (&u64, &Rational)| vec![Cell::Integer((*value).into()), Cell::from(p)];
        Ok(DrawnFigure {
            drawing: chart.draw()?,
            headers: headers(["value", "probability_exact"]),
            rows: law.iter().map(row).collect(),
        })
    }
}
