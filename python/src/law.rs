//! The exact law of the number of rolls.

mod methods;

use crate::algorithm::{Algorithm, refused, task};
use crate::answer::failure;
use crate::argument;
use crate::error::{self, FlipcostError, RefusedError, TooLargeError};
use crate::fraction::{Fraction, decimal};
use crate::run::{aside, heeding};
use crate::survival::Survival;
use crate::task::{Source, Target};
use flipcost::law::{FractionSize, Law as Exact};
use flipcost::table::{Costs, Precision, RowError};
use flipcost::task::Refusal;
use flipcost_number::reduce::reduce;
use flipcost_number::short::short;
use flipcost_number::{BigInt, BigUint, Rational, Real};
use flipcost_question::spelled;
use num_traits::{One, Signed, ToPrimitive, Zero};
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use std::sync::Arc;

/// The most bits of an exact mean; its decimals have no such limit.
pub const MOST_BITS: u128 = 1 << 22;
/// The most decimals.
const MOST_DIGITS: u32 = 1_000_000;
/// The most steps of decimals, which cannot be stopped: about a minute.
const MOST_STEPS: u128 = 1 << 36;
/// The most bits of z, for every roll of the head and the period, of a probability generating function.
const MOST_PGF_BITS: u128 = 1 << 20;
/// The last t of a probability: the t-th takes numbers of t log2 m bits.
const MOST_T: u64 = 1_000_000;

/// The exact law of T, the number of rolls for one outcome.
///
/// >>> import flipcost
/// >>> law = flipcost.algorithms["fast-dice-roller"].law("coin", 6)
/// >>> law.mean, law.variance, law.pmf(3), law.quantile("9/10")
/// (Fraction(11, 3), Fraction(16, 9), Fraction(3, 4), 5)
/// >>> law.decimal(30)
/// Decimal('3.666666666666666666666666666667')
#[pyclass(frozen, module = "flipcost")]
pub struct Law {
    costs: Arc<Costs>,
    algorithm: Algorithm,
    source: Source,
    target: Target,
    mean: PyOnceLock<Py<PyAny>>,
    variance: PyOnceLock<Py<PyAny>>,
}

impl Law {
    pub fn new(
        py: Python<'_>,
        algorithm: Algorithm,
        source: Source,
        target: Target,
    ) -> PyResult<Law> {
        let task = task(&source, &target);
        let costs = aside(py, move || {
            let costs = Costs::new(algorithm.0.0, &task)?;
            // what a line about it says is found without the interpreter's lock
            costs.mean();
            costs.entropy();
            Ok(Arc::new(costs))
        })?;
        let costs = costs.map_err(|error| match error {
            RowError::Refused(Refusal::UnknownSource(source)) => {
                let name = source.with_article();
                RefusedError::new_err(format!(
                    "{algorithm}: a law in numbers is of known probabilities, and nobody knows those of {name}: formula() is the expected number of rolls for all of them, and cost() with at= has the moments at known ones",
                    algorithm = algorithm.0
                ))
            }
            RowError::Refused(why) => refused(algorithm.0, why.into()),
            RowError::TooLarge { .. } => TooLargeError::new_err(error.to_string()),
            error => FlipcostError::new_err(error.to_string()),
        })?;
        Ok(Law {
            costs,
            algorithm,
            source,
            target,
            mean: PyOnceLock::new(),
            variance: PyOnceLock::new(),
        })
    }

    pub fn engine(&self) -> &Exact {
        self.costs.law()
    }

    /// What is computed aside, if the exact mean is not longer than so many bits.
    fn exact(
        &self,
        py: Python<'_>,
        most: u128,
        compute: impl FnOnce(&Exact) -> Result<Rational, FractionSize> + Send + 'static,
    ) -> PyResult<Fraction> {
        self.up_to(py, most, move |law, most| match law.size() {
            FractionSize::Bits(bits) if bits <= most => compute(law),
            size => Err(size),
        })
    }

    /// What is computed aside, or a fraction of how many bits it is.
    fn up_to(
        &self,
        py: Python<'_>,
        most: u128,
        compute: impl FnOnce(&Exact, u128) -> Result<Rational, FractionSize> + Send + 'static,
    ) -> PyResult<Fraction> {
        let costs = self.costs.clone();
        let value = aside(py, move || compute(costs.law(), most).map(Fraction))?;
        value.map_err(|size| {
            TooLargeError::new_err(format!(
                "the exact fraction {size}: at most {most} bits are computed; decimal(digits) gives as many decimals as are wanted"
            ))
        })
    }

    /// The same, computed once.
    fn once(
        &self,
        py: Python<'_>,
        kept: &PyOnceLock<Py<PyAny>>,
        compute: fn(&Exact) -> Result<Rational, FractionSize>,
    ) -> PyResult<Py<PyAny>> {
        let found = kept.get_or_try_init(py, || {
            let value = self.exact(py, MOST_BITS, compute)?;
            Ok::<_, PyErr>(value.into_pyobject(py)?.unbind())
        })?;
        Ok(found.clone_ref(py))
    }

    fn real(&self, of: &str) -> PyResult<fn(&Costs) -> Real> {
        Ok(match of {
            "mean" => |costs| costs.mean().clone(),
            "variance" => |costs| costs.law().variance(),
            "std" => |costs| costs.law().variance().sqrt(),
            "skewness" => skewness,
            "entropy" => |costs| costs.entropy().clone(),
            "toll" => |costs| costs.toll(),
            other => {
                return Err(FlipcostError::new_err(format!(
                    "{other:?} has no decimals here: choose mean, variance, std, skewness, entropy or toll"
                )));
            }
        })
    }

    /// The steps of so many decimals, roughly: words that are added or multiplied. With b the bits:
    /// sums of b / log2 m terms of up to b bits each, for each distinct weight (in words, by halves,
    /// if the weights fit one), and a logarithm for each distinct weight.
    fn steps(&self, digits: u32, of: &str) -> u128 {
        const HALVES: u128 = 1 << 10;
        const LOGARITHM: u128 = 41_000;
        let bits = u128::from(digits) * 3322 / 1000 + 64;
        let target = self.target.0.target();
        let weights = target.groups().len() as u128;
        let long = u128::from(target.weight_sum().bits());
        let terms = bits / u128::from(self.source.0.get().ilog2());
        let series = match (self.costs.mean().exact(), long) {
            (Some(_), _) => 0,
            (None, 0..=64) => weights * terms * HALVES,
            (None, _) => weights * terms * (bits + long) / 64,
        };
        let logarithms = match self.costs.entropy().exact() {
            Some(_) => 0,
            None => weights * bits * LOGARITHM,
        };
        match of {
            "entropy" => logarithms,
            "toll" => series + logarithms,
            _ => series,
        }
    }

    /// Fails if so many decimals take too long.
    fn affordable(&self, digits: u32, of: &str) -> PyResult<()> {
        let fits = |digits: &u32| *digits <= MOST_DIGITS && self.steps(*digits, of) <= MOST_STEPS;
        if fits(&digits) {
            return Ok(());
        }
        let most = (0..u32::BITS).rev().fold(0, |most, bit| {
            let more = most | 1 << bit;
            if fits(&more) { more } else { most }
        });
        Err(TooLargeError::new_err(format!(
            "{digits} decimals of the {of} are too many: {most} is the most here"
        )))
    }

    fn nearest(&self, py: Python<'_>, of: &str) -> PyResult<f64> {
        let (costs, real) = (self.costs.clone(), self.real(of)?);
        aside(py, move || real(&costs).nearest_f64())?.map_err(error::undecided)
    }

    /// The probability of `count` of the base^t paths of t rolls, computed aside; `before` for t below 0. `count` gets how
    /// many were undecided a roll before (all, for t = 0), how many still are, and base^t.
    fn probability_at(
        &self,
        py: Python<'_>,
        t: &Bound<'_, PyAny>,
        before: u8,
        count: fn(BigUint, BigUint, &BigUint) -> BigUint,
    ) -> PyResult<Fraction> {
        let expected = "a whole number of rolls";
        let t: BigInt = argument::parse_integer(t, "t", expected, FlipcostError::new_err)?;
        if t.is_negative() {
            return Ok(Fraction(Rational::from_integer(before.into())));
        }
        let Some(t) = t.to_u64().filter(|t| *t <= MOST_T) else {
            let shown = t.magnitude();
            return Err(TooLargeError::new_err(format!(
                "t = {} is too large for an exact probability: {MOST_T} is the most",
                short(shown)
            )));
        };
        let costs = self.costs.clone();
        let found = heeding(py, move |control| {
            let (mut undecided, base) = costs.law().undecided_nodes();
            let mut before = BigUint::one();
            for at in 0..t {
                control.go_on()?;
                let now = undecided.next().unwrap_or_else(BigUint::zero);
                if at + 1 == t {
                    before = now * &base;
                }
            }
            let after = undecided.next().unwrap_or_else(BigUint::zero);
            let all = base.pow(t as u32);
            control.go_on()?;
            Ok(Fraction(reduce(&count(before, after, &all), &all)))
        })?;
        found.map_err(failure)
    }
}

/// The most bits of a fraction in a line.
const SHORT: u128 = 128;

impl Law {
    /// The least t with P(T <= t) >= q.
    fn first_with(&self, py: Python<'_>, q: Rational) -> PyResult<Option<u64>> {
        let costs = self.costs.clone();
        heeding(py, move |control| {
            let found = costs
                .law()
                .quantile_while(&q, &mut |_| control.go_on().is_ok());
            found.unwrap_or(None) // a stopped one has raised what stopped it
        })
    }

    /// The mean in a line: a short fraction with its double, or the double.
    fn short(&self, py: Python<'_>) -> PyResult<String> {
        match self.costs.law().mean_up_to(SHORT) {
            Ok(mean) => spelled(&mean, usize::MAX, Precision::default()).map_err(failure),
            Err(_) => Ok(format!("≈ {}", self.nearest(py, "mean")?)),
        }
    }
}

/// The most bits of the denominator of a q: longer ones take long to be read.
const MOST_Q_BITS: u64 = 1 << 18;

/// E[(T - E[T])^3] / Var[T]^(3/2).
fn skewness(costs: &Costs) -> Real {
    let law = costs.law();
    let [third, _] = law.central_moments();
    let variance = law.variance();
    third.over(&variance.times(&variance.sqrt()))
}

/// A probability from 0 to 1, which a sentence calls `name`: a text as everywhere, or whatever `Fraction` takes.
pub fn probability(q: &Bound<'_, PyAny>, name: &str) -> PyResult<Rational> {
    if let Ok(text) = q.extract::<String>() {
        let value = text.parse::<flipcost_question::Probability>();
        let value = value.map_err(|error| {
            FlipcostError::new_err(format!("{name} is {}: {error}", argument::describe(q)))
        })?;
        return check_probability(value.get().clone(), q, name);
    }
    let fraction = q.py().import("fractions")?.getattr("Fraction")?;
    let value = match fraction.call1((q,)) {
        Ok(value) => value,
        Err(error) if !error.is_instance_of::<PyException>(q.py()) => return Err(error),
        Err(_) => {
            return Err(FlipcostError::new_err(format!(
                "{name} is {}: a probability such as Fraction(9, 10), 0.9 or '9/10' was expected",
                argument::describe(q)
            )));
        }
    };
    let bits = value.getattr("denominator")?.extract::<BigInt>()?.bits();
    if bits > MOST_Q_BITS {
        return Err(TooLargeError::new_err(format!(
            "the denominator of {name} has {bits} bits: at most {MOST_Q_BITS} were expected"
        )));
    }
    check_probability(value.extract()?, q, name)
}

fn check_probability(value: Rational, q: &Bound<'_, PyAny>, name: &str) -> PyResult<Rational> {
    if value < Rational::zero() || value > Rational::one() {
        return Err(FlipcostError::new_err(format!(
            "{name} = {} is no probability: 0 to 1 was expected",
            argument::describe(q)
        )));
    }
    Ok(value)
}
