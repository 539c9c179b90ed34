//! Computes moments and decimals of the rolls of several draws; a single law is one draw.

use crate::argument;
use crate::error::{self, FlipcostError, TooLargeError};
use crate::fraction::decimal;
use crate::run::run_quietly;
use flipcost::law::Law;
use flipcost::task::Task;
use flipcost_number::Real;
use num_traits::Zero;
use pyo3::prelude::*;
use std::sync::Arc;

/// The largest number of decimals.
const MAX_DIGITS: u32 = 1_000_000;
/// The largest number of steps of a computation of decimals, which take about a minute. Longer
/// computations are refused, since they cannot be stopped.
const MAX_STEPS: u128 = 1 << 36;

/// A law with its mean and the entropy of its outcomes, both in rolls.
pub struct Measured {
    pub law: Law,
    pub mean: Real,
    pub entropy: Real,
    /// The number of distinct weights of the target, and the bits of their sum.
    weights: u128,
    long: u128,
    /// log2 of the sides of the source, rounded down.
    each: u128,
}

/// A law, and the number of its draws.
pub type Draw = (Arc<Measured>, u64);

impl Measured {
    /// Makes a law with the entropy of its outcomes, and computes its mean.
    pub fn new(law: Law, entropy: Real, task: &Task) -> Arc<Measured> {
        let target = task.target();
        Arc::new(Measured {
            mean: law.mean_real(),
            law,
            entropy,
            weights: target.groups().len() as u128,
            long: u128::from(target.weight_sum().bits()),
            each: u128::from(task.source().sides().bits() - 1),
        })
    }

    /// Estimates the steps for a number of decimals; a step adds or multiplies words. Let b be the
    /// number of bits of the decimals. Each distinct weight needs a logarithm and a sum of b / log2
    /// m terms with up to b bits each (if the source is words and the weights fit into a word, the
    /// sum is computed by halves).
    fn steps(&self, digits: u32, of: Moment) -> u128 {
        const HALVES: u128 = 1 << 10;
        const LOGARITHM: u128 = 41_000;
        let bits = u128::from(digits) * 3322 / 1000 + 64;
        let terms = bits / self.each;
        let series = match (self.mean.exact(), self.long) {
            (Some(_), _) => 0,
            (None, 0..=64) => self.weights * terms * HALVES,
            (None, long) => self.weights * terms * (bits + long) / 64,
        };
        let logarithms = match self.entropy.exact() {
            Some(_) => 0,
            None => self.weights * bits * LOGARITHM,
        };
        match of {
            Moment::Entropy => logarithms,
            Moment::Toll => series + logarithms,
            _ => series,
        }
    }
}

/// A statistic of a law of which decimals can be computed.
#[derive(Clone, Copy, PartialEq)]
pub enum Moment {
    Mean,
    Variance,
    Std,
    Skewness,
    Entropy,
    Toll,
}

impl Moment {
    fn parse(of: &str) -> PyResult<Moment> {
        Ok(match of {
            "mean" => Moment::Mean,
            "variance" => Moment::Variance,
            "std" => Moment::Std,
            "skewness" => Moment::Skewness,
            "entropy" => Moment::Entropy,
            "toll" => Moment::Toll,
            other => {
                return Err(FlipcostError::new_err(format!(
                    "{other:?} has no decimals here: choose mean, variance, std, skewness, entropy or toll"
                )));
            }
        })
    }

    /// Returns the moment of all draws together. Cumulants of independent draws add up, so the
    /// skewness is the sum of the third central moments divided by Var[T]^(3/2).
    fn real(self, draws: &[Draw]) -> Real {
        let sum = |of: &dyn Fn(&Measured) -> Real| {
            let parts = draws.iter().map(|(one, count)| match count {
                1 => of(one),
                count => of(one).times(&Real::integer(*count)),
            });
            parts.reduce(|sum, part| sum.plus(&part)).expect("a draw")
        };
        match self {
            Moment::Mean => sum(&|one| one.mean.clone()),
            Moment::Variance => sum(&|one| one.law.variance_real()),
            Moment::Std => Moment::Variance.real(draws).sqrt(),
            Moment::Skewness => {
                let variance = Moment::Variance.real(draws);
                let third = sum(&|one| {
                    let [third, _] = one.law.central_moments_real();
                    third
                });
                third.over(&variance.times(&variance.sqrt()))
            }
            Moment::Entropy => sum(&|one| one.entropy.clone()),
            Moment::Toll => Moment::Mean.real(draws).minus(&Moment::Entropy.real(draws)),
        }
    }
}

/// Returns the nearest double; not a number for the skewness if T does not vary.
pub fn nearest(py: Python<'_>, draws: Vec<Draw>, of: Moment) -> PyResult<f64> {
    let found = run_quietly(py, move || {
        let constant = of == Moment::Skewness
            && (Moment::Variance.real(&draws).exact()).is_some_and(Zero::is_zero);
        if constant {
            Ok(f64::NAN)
        } else {
            of.real(&draws).to_f64()
        }
    })?;
    found.map_err(error::undecided_exception)
}

/// Returns an error if this number of decimals takes too long.
fn check_affordable(draws: &[Draw], digits: u32, of: Moment, name: &str) -> PyResult<()> {
    let fits = |digits: &u32| {
        let steps = draws.iter().map(|(one, _)| one.steps(*digits, of));
        *digits <= MAX_DIGITS && steps.sum::<u128>() <= MAX_STEPS
    };
    if fits(&digits) {
        return Ok(());
    }
    let most = (0..u32::BITS).rev().fold(0, |most, bit| {
        let more = most | 1 << bit;
        if fits(&more) { more } else { most }
    });
    Err(TooLargeError::new_err(format!(
        "{digits} decimals of the {name} are too many: {most} is the most here"
    )))
}

/// Returns correctly rounded decimals of the moment with this name.
pub fn decimals<'py>(
    py: Python<'py>,
    draws: Vec<Draw>,
    digits: &Bound<'py, PyAny>,
    name: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let expected = format!("a number of decimals from 0 to {MAX_DIGITS}");
    let digits = argument::parse_integer(digits, "digits", &expected, FlipcostError::new_err)?;
    let of = Moment::parse(name)?;
    check_affordable(&draws, digits, of, name)?;
    let text = run_quietly(py, move || of.real(&draws).decimals(digits))?;
    decimal(py, &text.map_err(error::undecided_exception)?)
}
