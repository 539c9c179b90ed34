//! The class `Law` of Python: the exact law of the number of rolls.

mod methods;

use crate::algorithm::{Algorithm, algorithm_exception, task};
use crate::answer::failure;
use crate::argument::{self, OneOrSeveral, for_each};
use crate::error::{FlipcostError, RefusedError, TooLargeError};
use crate::fraction::Fraction;
use crate::measured::{Draw, Measured, Moment, decimals, nearest};
use crate::run::{run_quietly, run_with_control};
use crate::survival::Survival;
use crate::task::{Source, Target};
use flipcost::law::{FractionSize, Law as Exact};
use flipcost::table::{Costs, Precision, RowError};
use flipcost::task::Refusal;
use flipcost_number::reduce::reduce;
use flipcost_number::short::short;
use flipcost_number::{BigInt, BigUint, Rational};
use flipcost_question::{AlgorithmId, fraction_with_decimal};
use num_traits::{One, Signed, ToPrimitive, Zero};
use pyo3::exceptions::{PyException, PyTypeError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The largest number of bits of an exact mean; its decimals have no such limit.
pub const MAX_BITS: u128 = 1 << 22;
/// The largest total number of bits of z, counted once for every roll of the head and the period,
/// for a probability generating function.
const MAX_PGF_BITS: u128 = 1 << 20;
/// The largest t of a probability, since the t-th probability takes numbers of t log2 m bits.
const MAX_T: u64 = 1_000_000;

/// The exact law of T, the number of rolls for one outcome.
///
/// >>> import flipcost
/// >>> law = flipcost.algorithms["fast-dice-roller"].law(6, "coin")
/// >>> law.mean, law.variance, law.pmf(3), law.quantile("9/10")
/// (Fraction(11, 3), Fraction(16, 9), Fraction(3, 4), 5)
/// >>> law.decimal(30)
/// Decimal('3.666666666666666666666666666667')
#[pyclass(frozen, module = "flipcost")]
pub struct Law {
    costs: Arc<Measured>,
    algorithm: AlgorithmId,
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
        let costs = run_quietly(py, move || {
            let costs = Costs::new(algorithm.0.0, &task)?;
            Ok(Measured::new(
                costs.law().clone(),
                costs.entropy().clone(),
                &task,
            ))
        })?;
        let costs = costs.map_err(|error| match error {
            RowError::Refused(Refusal::UnknownSource(source)) => {
                let name = source.with_article();
                RefusedError::new_err(format!(
                    "{algorithm}: a law in numbers needs known probabilities, and those of {name} are unknown: formula() is the expected number of rolls as a function of them, and cost() with at= has the moments at known ones",
                    algorithm = algorithm.0
                ))
            }
            RowError::Refused(why) => algorithm_exception(algorithm.0, why.into()),
            RowError::TooLarge { .. } => TooLargeError::new_err(error.to_string()),
            error => FlipcostError::new_err(error.to_string()),
        })?;
        Ok(Law {
            costs,
            algorithm: algorithm.0,
            source,
            target,
            mean: PyOnceLock::new(),
            variance: PyOnceLock::new(),
        })
    }

    pub fn costs(&self) -> &Arc<Measured> {
        &self.costs
    }

    pub fn engine(&self) -> &Exact {
        &self.costs.law
    }

    /// Returns the result of `compute`, which runs without the interpreter's lock, if the exact
    /// mean has at most `most` bits; otherwise TooLargeError.
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

    /// Returns the result of `compute`, which runs without the interpreter's lock; TooLargeError
    /// with the number of bits if it is too long.
    fn up_to(
        &self,
        py: Python<'_>,
        most: u128,
        compute: impl FnOnce(&Exact, u128) -> Result<Rational, FractionSize> + Send + 'static,
    ) -> PyResult<Fraction> {
        let costs = self.costs.clone();
        let value = run_quietly(py, move || compute(&costs.law, most).map(Fraction))?;
        value.map_err(|size| {
            TooLargeError::new_err(format!(
                "{size}: at most {most} bits are computed; decimal(digits) gives any number of decimals"
            ))
        })
    }

    /// Returns the result of `up_to`, which is computed only once and then stored.
    fn compute_once(
        &self,
        py: Python<'_>,
        kept: &PyOnceLock<Py<PyAny>>,
        compute: fn(&Exact, u128) -> Result<Rational, FractionSize>,
    ) -> PyResult<Py<PyAny>> {
        let found = kept.get_or_try_init(py, || {
            let value = self.up_to(py, MAX_BITS, compute)?;
            Ok::<_, PyErr>(value.into_pyobject(py)?.unbind())
        })?;
        Ok(found.clone_ref(py))
    }

    /// Returns this law as a single draw.
    pub fn as_single_draw(&self) -> Vec<Draw> {
        vec![(self.costs.clone(), 1)]
    }

    fn nearest(&self, py: Python<'_>, of: Moment) -> PyResult<f64> {
        nearest(py, self.as_single_draw(), of)
    }

    /// Returns a probability for t, or for each of several t: the number that `count` returns,
    /// divided by base^t; `before` for t below 0. The arguments of `count` are numbers of the
    /// base^t paths of t rolls: those undecided one roll earlier (all, for t = 0), those still
    /// undecided, and all base^t. It runs without the interpreter's lock.
    fn probabilities<'py>(
        &self,
        t: &Bound<'py, PyAny>,
        before: u8,
        count: fn(BigUint, BigUint, &BigUint) -> BigUint,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, several) = (t.py(), OneOrSeveral::new(t)?);
        let rolls = several.values.iter().map(number_of_rolls);
        let rolls = rolls.collect::<PyResult<Vec<Option<u64>>>>()?;
        let wanted: BTreeSet<u64> = rolls.iter().flatten().copied().collect();
        let costs = self.costs.clone();
        let computed = run_with_control(py, move |control| {
            let (mut undecided, base) = costs.law.undecided_nodes();
            let (mut next, mut last, mut computed) = (0, None, BTreeMap::new());
            for t in wanted {
                while next < t {
                    control.go_on()?;
                    last = undecided.next();
                    next += 1;
                }
                let before = match t {
                    0 => BigUint::one(),
                    _ => last.take().unwrap_or_default() * &base,
                };
                let after = undecided.next().unwrap_or_default();
                let all = base.pow(t as u32);
                control.go_on()?;
                let share = reduce(&count(before, after.clone(), &all), &all);
                computed.insert(t, share);
                (last, next) = (Some(after), t + 1);
            }
            Ok(computed)
        })?;
        let computed = computed.map_err(failure)?;
        let none = Rational::from_integer(before.into());
        let share = |t: &Option<u64>| Fraction(t.map_or(&none, |t| &computed[&t]).clone());
        several.reshape(py, rolls.iter().map(share).collect())
    }
}

/// Converts a number of rolls up to [`MAX_T`]; returns `None` for a number below 0.
fn number_of_rolls(t: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    let expected = "a whole number of rolls";
    let t: BigInt = argument::parse_integer(t, "t", expected, FlipcostError::new_err)?;
    if t.is_negative() {
        return Ok(None);
    }
    let fits = t.to_u64().filter(|t| *t <= MAX_T);
    fits.map(Some).ok_or_else(|| {
        TooLargeError::new_err(format!(
            "t = {} is too large for an exact probability: {MAX_T} is the most",
            short(t.magnitude())
        ))
    })
}

/// The largest number of bits of a mean that is shown as a fraction in a line of text.
const SHORT_MEAN_BITS: u128 = 128;

impl Law {
    /// Returns whether both objects are laws of the same rule, source and target.
    pub fn is_same(&self, py: Python<'_>, other: &Law) -> PyResult<bool> {
        let same = self.algorithm == other.algorithm && self.source == other.source;
        Ok(same && self.target.is_same(py, &other.target)?)
    }

    /// Returns the least t with P(T <= t) >= q.
    fn quantile_of_probability(&self, py: Python<'_>, q: Rational) -> PyResult<Option<u64>> {
        let costs = self.costs.clone();
        run_with_control(py, move |control| {
            let found = costs
                .law
                .quantile_while(&q, &mut |_| control.go_on().is_ok());
            found.unwrap_or(None) // a stopped computation has raised an exception
        })
    }

    /// Formats the mean for a line of text: a short fraction with its double, or only the double.
    fn short_mean(&self, py: Python<'_>) -> PyResult<String> {
        match self.costs.law.mean_up_to(SHORT_MEAN_BITS) {
            Ok(mean) => {
                fraction_with_decimal(&mean, usize::MAX, Precision::default()).map_err(failure)
            }
            Err(_) => Ok(format!("≈ {}", self.nearest(py, Moment::Mean)?)),
        }
    }
}

/// The largest number of bits of the denominator of a probability, since longer ones take long to
/// parse.
const MAX_Q_BITS: u64 = 1 << 18;

/// Parses a probability from 0 to 1 from a text or from anything that `Fraction` accepts; error
/// sentences call it `name`.
pub fn probability(q: &Bound<'_, PyAny>, name: &str) -> PyResult<Rational> {
    if let Ok(text) = q.extract::<String>() {
        let value = text.parse::<flipcost_question::Probability>();
        let value = value.map_err(|error| {
            FlipcostError::new_err(format!("{name} is {}: {error}", argument::describe(q)))
        })?;
        return check_probability(value.get().clone(), q, name);
    }
    let fraction = q.py().import("fractions")?.getattr("Fraction")?;
    // A double means the decimal that it shows: 0.9 is 9/10.
    let given = if q.is_instance_of::<pyo3::types::PyFloat>() {
        q.call_method0("__float__")?.repr()?.into_any()
    } else {
        q.clone()
    };
    let value = match fraction.call1((&given,)) {
        Ok(value) => value,
        Err(error) if !error.is_instance_of::<PyException>(q.py()) => return Err(error),
        Err(error) => {
            let expected = "a probability such as Fraction(9, 10), 0.9 or '9/10'";
            return Err(if error.is_instance_of::<PyTypeError>(q.py()) {
                argument::kind_error(q, name, expected)
            } else {
                FlipcostError::new_err(argument::wrong(q, name, expected))
            });
        }
    };
    let bits = value.getattr("denominator")?.extract::<BigInt>()?.bits();
    if bits > MAX_Q_BITS {
        return Err(TooLargeError::new_err(format!(
            "the denominator of {name} has {bits} bits: at most {MAX_Q_BITS} were expected"
        )));
    }
    check_probability(value.extract()?, q, name)
}

fn check_probability(value: Rational, q: &Bound<'_, PyAny>, name: &str) -> PyResult<Rational> {
    if value < Rational::zero() || value > Rational::one() {
        return Err(FlipcostError::new_err(format!(
            "{name} = {} is not a probability: 0 to 1 was expected",
            argument::describe(q)
        )));
    }
    Ok(value)
}
