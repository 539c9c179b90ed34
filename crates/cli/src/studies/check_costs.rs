//! Claims about costs beyond one target and one algorithm: batches, streams, recipes.

use super::check::Question;
use super::draw::{dice, fair};
use super::spec::{Fraction, Natural, StudyError, coin};
use flipcost::algorithms::{CHAIN_LIMIT, recipe};
use flipcost::number::real::Real;
use flipcost::number::{BigUint, Rational};
use flipcost::streams::{batch, best_order, eager_repeat, joint};
use num_traits::ToPrimitive;
use serde::Deserialize;
use std::path::Path;

/// A value that is exact, or rounded to the decimals of a text.
fn same(value: &Real, is: Option<&Rational>, decimals: Option<&str>) -> Result<bool, StudyError> {
    if is.is_none() && decimals.is_none() {
        let what = "the check must say what the value is, or its decimals";
        return Err(StudyError::Spec(what.to_string()));
    }
    let exact = is.is_none_or(|is| value.exact() == Some(is));
    let rounded = match decimals {
        Some(text) => {
            let digits = text.split_once('.').map_or(0, |(_, digits)| digits.len());
            value.decimals(digits as u32)? == text
        }
        None => true,
    };
    Ok(exact && rounded)
}

fn shown(value: &Real) -> Result<String, StudyError> {
    let decimals = value.decimals(6)?;
    Ok(match value.exact().map(Rational::to_string) {
        Some(exact) if exact.len() <= 60 => format!("{exact} = {decimals}"),
        _ => decimals,
    })
}

fn targets(source: u64, list: &[Natural]) -> Result<Vec<BigUint>, StudyError> {
    let checked = |n: &Natural| Ok(fair(&dice(source, n)?)?.n.clone());
    list.iter().map(checked).collect()
}

/// The expected rolls of a sequence of targets, by mode: keep, separate, product or bound.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BatchCost {
    #[serde(default = "coin")]
    source: u64,
    targets: Vec<Natural>,
    mode: String,
    is: Option<Fraction>,
    decimals: Option<String>,
}

impl Question for BatchCost {
    fn decide(&self, _: &Path) -> Result<(String, bool), StudyError> {
        let batch = batch(self.source, &targets(self.source, &self.targets)?);
        let mode = batch.modes().into_iter().find(|mode| mode.id == self.mode);
        let mode = mode.ok_or_else(|| {
            StudyError::Spec(format!(
                "\"{}\" is not a mode: choose one of keep, separate, product, bound",
                self.mode
            ))
        })?;
        let is = self.is.as_ref().map(|is| &is.0);
        let holds = same(&mode.cost, is, self.decimals.as_deref())?;
        Ok((shown(&mode.cost)?, holds))
    }
}

/// The order of a batch that costs least with the state kept.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BestOrderIs {
    #[serde(default = "coin")]
    source: u64,
    targets: Vec<Natural>,
    is: Vec<u64>,
}

impl Question for BestOrderIs {
    fn decide(&self, _: &Path) -> Result<(String, bool), StudyError> {
        let best = best_order(self.source, &targets(self.source, &self.targets)?);
        let order: Vec<String> = best.targets.iter().map(BigUint::to_string).collect();
        let proved = if best.proved { "proved" } else { "not proved" };
        let computed = format!("{}: {}, {proved}", order.join(", "), shown(&best.cost)?);
        let same = best.targets.iter().eq(self
            .is
            .iter()
            .map(|&n| BigUint::from(n))
            .collect::<Vec<_>>()
            .iter());
        Ok((computed, same && best.proved))
    }
}

/// The long-run rolls per outcome of an endless stream of one target, the state kept.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Stream {
    #[serde(default = "coin")]
    source: u64,
    n: u64,
    /// Expand to this capacity before every extraction.
    #[serde(default = "plain")]
    capacity: u64,
    is: Option<Fraction>,
    decimals: Option<String>,
}

fn plain() -> u64 {
    1
}

/// The long-run cost, if it is exact.
pub(super) fn long_run(source: u64, n: u64, capacity: u64) -> Result<Real, StudyError> {
    dice(source, &Natural(n.into()))?;
    let run = eager_repeat(source, n, capacity);
    run.exact.map(Real::Exact).ok_or_else(|| {
        StudyError::Spec(format!(
            "the stream of a d{n} from a d{source} with capacity {capacity} has too many states for an exact cost"
        ))
    })
}

impl Question for Stream {
    fn decide(&self, _: &Path) -> Result<(String, bool), StudyError> {
        let cost = long_run(self.source, self.n, self.capacity)?;
        let is = self.is.as_ref().map(|is| &is.0);
        Ok((shown(&cost)?, same(&cost, is, self.decimals.as_deref())?))
    }
}

/// Are all sequences of outcomes of a batch exactly equally likely?
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct UniformBatch {
    #[serde(default = "coin")]
    source: u64,
    targets: Vec<Natural>,
}

impl Question for UniformBatch {
    fn decide(&self, _: &Path) -> Result<(String, bool), StudyError> {
        let sides: Option<Vec<u64>> = targets(self.source, &self.targets)?
            .iter()
            .map(ToPrimitive::to_u64)
            .collect();
        let too_large = || StudyError::Spec("the batch has too many outcomes".to_string());
        let sides = sides.ok_or_else(too_large)?;
        let law = joint(self.source, &sides, CHAIN_LIMIT).map_err(|_| too_large())?;
        let all: u128 = sides.iter().map(|&n| u128::from(n)).product();
        let share = Rational::new(1.into(), all.into());
        let holds = law.len() as u128 == all && law.values().all(|p| *p == share);
        let computed = match (law.values().min(), law.values().max()) {
            (Some(least), Some(most)) if least != most => {
                format!("{} outcomes, from {least} to {most} each", law.len())
            }
            _ => format!("{} outcomes, {share} each", law.len()),
        };
        Ok((computed, holds))
    }
}

/// The cheapest recipe by procedures A, B and C, and what it costs.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RecipeCost {
    dice: Vec<u64>,
    n: u64,
    is: Fraction,
}

impl Question for RecipeCost {
    fn decide(&self, _: &Path) -> Result<(String, bool), StudyError> {
        let found = recipe(&self.dice, self.n).map_err(|e| StudyError::Spec(e.to_string()))?;
        let computed = format!("{}: {}", super::draw_tables::words(&found.root), found.cost);
        Ok((computed, found.cost == self.is.0))
    }
}
