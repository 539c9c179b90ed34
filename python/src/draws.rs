//! The class `Draws` of Python: the law of all rolls of many results.

use crate::answer::failure;
use crate::argument::{self, OneOrSeveral, for_each};
use crate::error::{self, FlipcostError, TooLargeError};
use crate::fraction::{Fraction, decimal};
use crate::law::{Law, MAX_BITS, probability};
use crate::measured::{Draw, Moment, decimals, nearest};
use crate::run::{run_quietly, run_with_control};
use flipcost::law::{Draws as Exact, TooSmall};
use flipcost::table::Precision;
use flipcost_number::{BigInt, Rational, Real};
use flipcost_question::fraction_with_decimal;
use pyo3::prelude::*;
use pyo3::types::PyList;
use std::collections::HashMap;

/// The maximum number of bits of an exact tail; a longer tail becomes the nearest double.
const MAX_TAIL: u64 = 1 << 16;
/// The largest number of bits of a probability generating function.
const MAX_PGF: u64 = 1 << 22;
/// The largest number of decimals of a logarithm.
const MAX_DIGITS: u32 = 10_000;
/// The largest number of draws.
const MAX_DRAWS: u64 = 1_000_000_000;

/// The exact law of T, the number of rolls of many independent results.
///
/// >>> import flipcost
/// >>> d6 = flipcost.algorithms["fast-dice-roller"].law(6, "coin")
/// >>> dice = d6.repeat(100)
/// >>> dice.mean, dice.isf("2^-40"), dice.log2_sf(488)
/// (Fraction(1100, 3), 488, -40.67548288503893)
#[pyclass(frozen, module = "flipcost")]
pub struct Draws {
    parts: Vec<(Py<Law>, u64)>,
    draws: Exact,
}

/// A function that returns P(T > t), which is 1 for t below 0.
type Tail<'a> = dyn FnMut(Option<u64>) -> Result<Real, TooSmall> + 'a;

impl Draws {
    fn from_parts(parts: Vec<(Py<Law>, u64)>) -> PyResult<Draws> {
        let count = |sum: u64, (_, count): &(Py<Law>, u64)| sum.checked_add(*count);
        let all = parts.iter().try_fold(0, count);
        if all.is_none_or(|all| all > MAX_DRAWS) {
            return Err(TooLargeError::new_err(format!(
                "these are too many draws: {MAX_DRAWS} is the most"
            )));
        }
        let draws = parts
            .iter()
            .map(|(law, count)| law.get().engine().repeat(*count));
        let draws = Exact::all(draws);
        Ok(Draws { parts, draws })
    }

    /// Returns the parts of a law, which is a single draw, or of draws.
    fn parts(value: &Bound<'_, PyAny>) -> PyResult<Vec<(Py<Law>, u64)>> {
        if let Ok(law) = value.cast::<Law>() {
            return Ok(vec![(law.clone().unbind(), 1)]);
        }
        let Ok(draws) = value.cast::<Draws>() else {
            return Err(argument::kind_error(value, "other", "a Law or Draws"));
        };
        Ok(draws.get().cloned(value.py()))
    }

    fn cloned(&self, py: Python<'_>) -> Vec<(Py<Law>, u64)> {
        let part = |(law, count): &(Py<Law>, u64)| (law.clone_ref(py), *count);
        self.parts.iter().map(part).collect()
    }

    /// Returns the draws of `one` followed by those of `other`.
    pub fn sum(one: &Bound<'_, PyAny>, other: &Bound<'_, PyAny>) -> PyResult<Draws> {
        let mut parts = Draws::parts(one)?;
        parts.extend(Draws::parts(other)?);
        Draws::from_parts(parts)
    }

    /// These draws repeated `count` times.
    pub fn times(one: &Bound<'_, PyAny>, count: &Bound<'_, PyAny>) -> PyResult<Draws> {
        let expected = format!("a number of draws from 1 to {MAX_DRAWS}");
        let many: u64 = argument::parse_integer(count, "count", &expected, FlipcostError::new_err)?;
        if !(1..=MAX_DRAWS).contains(&many) {
            return Err(FlipcostError::new_err(argument::wrong(
                count, "count", &expected,
            )));
        }
        let parts = Draws::parts(one)?.into_iter();
        Draws::from_parts(
            parts
                .map(|(law, count)| (law, count.saturating_mul(many)))
                .collect(),
        )
    }

    /// Returns the draws of `one` and `other`; one of them may be 0, since Python's `sum` begins
    /// with 0.
    pub fn added_to(one: &Bound<'_, PyAny>, other: &Bound<'_, PyAny>) -> PyResult<Draws> {
        if argument::integer(other).is_some_and(|zero| zero == 0.into()) {
            Draws::from_parts(Draws::parts(one)?)
        } else {
            Draws::sum(other, one)
        }
    }

    /// Returns a single draw from a law.
    pub fn from_law(law: &Bound<'_, Law>) -> PyResult<Draws> {
        Draws::from_parts(vec![(law.clone().unbind(), 1)])
    }

    fn measured(&self) -> Vec<Draw> {
        let part = |(law, count): &(Py<Law>, u64)| (law.get().costs().clone(), *count);
        self.parts.iter().map(part).collect()
    }

    /// Returns a probability of t, or of each of several t, from P(T > t), which is computed once
    /// for each t. It is a Fraction if its denominator is short, otherwise the nearest double.
    fn probability<'py>(
        &self,
        t: &Bound<'py, PyAny>,
        name: &str,
        compute: fn(&mut Tail<'_>, Option<u64>) -> Result<Real, TooSmall>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, several, draws) = (t.py(), OneOrSeveral::new(t)?, self.draws.clone());
        let rolls = several.values.iter().map(rolls);
        let rolls = rolls.collect::<PyResult<Vec<Option<u64>>>>()?;
        let computed = run_with_control(py, move |control| {
            let mut known: HashMap<u64, Real> = HashMap::new();
            let mut tail = |t: Option<u64>| {
                let Some(t) = t else {
                    return Ok(Real::integer(1));
                };
                if let Some(tail) = known.get(&t) {
                    return Ok(tail.clone());
                }
                let tail = match draws.sf_up_to(t, MAX_TAIL)? {
                    Some(exact) => Real::Exact(exact),
                    None => draws.sf(t)?,
                };
                known.insert(t, tail.clone());
                Ok(tail)
            };
            let mut computed = Vec::with_capacity(rolls.len());
            for t in rolls {
                control.go_on()?;
                computed.push(compute(&mut tail, t).map(|value| match value.exact() {
                    Some(exact) => Ok(exact.clone()),
                    None => Err(value.to_f64().ok().filter(|double| *double > 0.0)),
                }));
            }
            Ok(computed)
        })?;
        let object = |value: Result<Result<Rational, Option<f64>>, TooSmall>| match value
            .map_err(|error| TooLargeError::new_err(error.to_string()))?
        {
            Ok(exact) => Fraction(exact).into_pyobject(py),
            Err(Some(double)) => Ok(double.into_pyobject(py)?.into_any()),
            Err(None) => Err(TooLargeError::new_err(format!(
                "no double is near {name}: log2_sf(t) is the logarithm of P(T > t)"
            ))),
        };
        let computed = computed.map_err(failure)?.into_iter().map(object);
        several.reshape(py, computed.collect::<PyResult<Vec<_>>>()?)
    }

    /// Returns the distinct laws, each with the number of its draws.
    fn merged(&self, py: Python<'_>) -> PyResult<Vec<(Py<Law>, u64)>> {
        let mut merged: Vec<(Py<Law>, u64)> = Vec::new();
        'parts: for (law, count) in &self.parts {
            for (known, sum) in &mut merged {
                if law.get().is_same(py, known.get())? {
                    *sum += count;
                    continue 'parts;
                }
            }
            merged.push((law.clone_ref(py), *count));
        }
        Ok(merged)
    }

    fn fraction(
        &self,
        py: Python<'_>,
        name: &str,
        of: fn(&Exact) -> Option<Rational>,
    ) -> PyResult<Fraction> {
        let draws = self.draws.clone();
        let value = run_quietly(py, move || of(&draws))?;
        value.map(Fraction).ok_or_else(|| {
            TooLargeError::new_err(format!(
                "the {name} is a fraction of more than {MAX_BITS} bits: longer ones are not computed"
            ))
        })
    }
}

/// Converts a number of rolls.
fn rolls(t: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    let expected = "a whole number of rolls below 2^64";
    let t: BigInt = argument::parse_integer(t, "t", expected, FlipcostError::new_err)?;
    if t < 0.into() {
        return Ok(None);
    }
    let known = u64::try_from(&t).ok();
    known
        .map(Some)
        .ok_or_else(|| FlipcostError::new_err(format!("t is too large: {expected} was expected")))
}

/// The contents of a pickle: the laws, each with the number of its draws.
type Parts = (Vec<(Py<Law>, u64)>,);

impl Draws {
    /// Returns the least t with P(T > t) <= q.
    fn least_rolls_for_tail(&self, py: Python<'_>, q: Rational) -> PyResult<Option<u64>> {
        let draws = self.draws.clone();
        let found = run_quietly(py, move || draws.quantile_above(&q))?;
        found.map_err(|error| TooLargeError::new_err(error.to_string()))
    }

    fn tail_log2<'py>(
        &self,
        py: Python<'py>,
        t: Option<u64>,
        digits: Option<u32>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let Some(t) = t else {
            return Ok(0f64.into_pyobject(py)?.into_any());
        };
        let draws = self.draws.clone();
        let found = run_quietly(py, move || {
            let log = draws.log2_sf(t)?;
            Ok::<_, TooSmall>(match (log, digits) {
                (None, _) => Ok((f64::NEG_INFINITY, None)),
                (Some(log), None) => log.to_f64().map(|log| (log, None)),
                (Some(log), Some(digits)) => log.decimals(digits).map(|text| (0.0, Some(text))),
            })
        })?;
        let found = found.map_err(|error| TooLargeError::new_err(error.to_string()))?;
        match found.map_err(error::undecided_exception)? {
            (_, Some(text)) => decimal(py, &text),
            (double, None) => Ok(double.into_pyobject(py)?.into_any()),
        }
    }
}

#[pymethods]
impl Draws {
    /// The number of draws.
    #[getter]
    fn count(&self) -> u64 {
        self.draws.count()
    }

    /// The unit of T: `flips`, `rolls` or `words`.
    #[getter]
    fn unit(&self) -> &'static str {
        let unit = |(law, _): &(Py<Law>, u64)| law.get().engine().unit().plural();
        let mut units = self.parts.iter().map(unit);
        match units.next() {
            Some(first) if units.all(|unit| unit == first) => first,
            _ => "rolls",
        }
    }

    /// The expected number of rolls, as a Fraction. TooLargeError if it has millions of digits.
    #[getter]
    fn mean(&self, py: Python<'_>) -> PyResult<Fraction> {
        self.fraction(py, "mean", |draws| draws.mean_up_to(MAX_BITS).ok())
    }

    /// The variance, as a Fraction.
    #[getter]
    fn variance(&self, py: Python<'_>) -> PyResult<Fraction> {
        self.fraction(py, "variance", |draws| draws.variance_up_to(MAX_BITS).ok())
    }

    /// The largest number of rolls that can be needed; None if it is unbounded.
    #[getter]
    fn worst_case(&self, py: Python<'_>) -> PyResult<Option<u64>> {
        let draws = self.draws.clone();
        run_quietly(py, move || draws.max())
    }

    /// The standard deviation, as the nearest double.
    #[getter]
    fn std(&self, py: Python<'_>) -> PyResult<f64> {
        nearest(py, self.measured(), Moment::Std)
    }

    /// The skewness, as the nearest double; not a number if T does not vary.
    #[getter]
    fn skewness(&self, py: Python<'_>) -> PyResult<f64> {
        nearest(py, self.measured(), Moment::Skewness)
    }

    /// The entropy of all targets in rolls, as the nearest double: no method costs less.
    #[getter]
    fn entropy(&self, py: Python<'_>) -> PyResult<f64> {
        nearest(py, self.measured(), Moment::Entropy)
    }

    /// The expected number of rolls above the entropy, as the nearest double.
    #[getter]
    fn toll(&self, py: Python<'_>) -> PyResult<f64> {
        nearest(py, self.measured(), Moment::Toll)
    }

    /// Returns `digits` correctly rounded decimals of the mean, or of the value that `of` names, as
    /// in `Law.decimal`.
    #[pyo3(signature = (digits, of = "mean"))]
    fn decimal<'py>(
        &self,
        py: Python<'py>,
        digits: &Bound<'py, PyAny>,
        of: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        decimals(py, self.measured(), digits, of)
    }

    /// The median: the least t with P(T <= t) >= 1/2.
    #[getter]
    fn median(&self, py: Python<'_>) -> PyResult<Option<u64>> {
        self.least_rolls_for_tail(py, Rational::new(1.into(), 2.into()))
    }

    /// Returns the probability generating function E[z^T], as a Fraction, for z from 0 to 1.
    fn pgf(&self, py: Python<'_>, z: &Bound<'_, PyAny>) -> PyResult<Fraction> {
        let mut product = Rational::from_integer(1.into());
        for (law, count) in &self.parts {
            let one = law.get().pgf(py, z)?.0;
            let bits = one.denom().bits().saturating_mul(*count);
            if bits > MAX_PGF {
                return Err(TooLargeError::new_err(format!(
                    "E[z^T] has a fraction of about {bits} bits: at most {MAX_PGF} are computed"
                )));
            }
            let count = *count as usize;
            let power = run_quietly(py, move || num_traits::pow(one, count))?;
            product *= power;
        }
        Ok(Fraction(product))
    }

    /// Returns P(T = t): a Fraction if its denominator has up to 65,536 bits, otherwise the nearest
    /// double. For a list or an array it is computed for each t.
    fn pmf<'py>(&self, t: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.probability(t, "P(T = t)", |tail, t| {
            let before = tail(t.and_then(|t| t.checked_sub(1)))?;
            Ok(before.minus(&tail(t)?))
        })
    }

    /// Returns P(T <= t), as a Fraction or a double like `pmf`.
    fn cdf<'py>(&self, t: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.probability(t, "P(T <= t)", |tail, t| {
            Ok(Real::integer(1).minus(&tail(t)?))
        })
    }

    /// Returns P(T > t), as a Fraction or a double like `pmf`. TooLargeError if it is too small for
    /// a double; `log2_sf` returns its logarithm.
    fn sf<'py>(&self, t: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.probability(t, "P(T > t)", |tail, t| tail(t))
    }

    /// Returns an endless iterator of P(T > t) for t = 0, 1, 2, ...
    fn survival<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let all = py.import("itertools")?.call_method0("count")?;
        let map = py.import("builtins")?.getattr("map")?;
        map.call1((slf.getattr("sf")?, all))
    }

    /// Returns log2 P(T > t), as the nearest double, or as a Decimal with `digits` correctly
    /// rounded decimals; minus infinity if P(T > t) is 0. For a list or an array it is computed for
    /// each t.
    #[pyo3(signature = (t, digits = None))]
    pub fn log2_sf<'py>(
        &self,
        t: &Bound<'py, PyAny>,
        digits: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let expected = format!("a number of decimals from 0 to {MAX_DIGITS}");
        let digits = digits.map(|digits| {
            argument::parse_integer::<u32>(digits, "digits", &expected, FlipcostError::new_err)
        });
        let digits = digits.transpose()?;
        if digits.is_some_and(|digits| digits > MAX_DIGITS) {
            return Err(TooLargeError::new_err(format!(
                "these decimals are too many: {MAX_DIGITS} is the most here"
            )));
        }
        for_each(t, |t| self.tail_log2(t.py(), rolls(t)?, digits))
    }

    /// Returns the least t with P(T <= t) >= q; None if there is no such t. For a list or an array
    /// it is computed for each q.
    fn quantile<'py>(&self, q: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let one = Rational::from_integer(1.into());
        for_each(q, |q| {
            self.least_rolls_for_tail(q.py(), &one - probability(q, "q")?)
        })
    }

    /// Returns the least t with P(T > t) <= q, for q such as `Fraction(1, 2**256)` or `"2^-256"`;
    /// None if there is no such t. For a list or an array it is computed for each q.
    fn isf<'py>(&self, q: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        for_each(q, |q| {
            self.least_rolls_for_tail(q.py(), probability(q, "q")?)
        })
    }

    /// Returns these draws, repeated `count` times.
    fn repeat(slf: &Bound<'_, Self>, count: &Bound<'_, PyAny>) -> PyResult<Draws> {
        Draws::times(slf.as_any(), count)
    }

    fn __add__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Draws> {
        Draws::sum(slf.as_any(), other)
    }

    fn __radd__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Draws> {
        Draws::added_to(slf.as_any(), other)
    }

    fn __mul__(slf: &Bound<'_, Self>, count: &Bound<'_, PyAny>) -> PyResult<Draws> {
        Draws::times(slf.as_any(), count)
    }

    fn __rmul__(slf: &Bound<'_, Self>, count: &Bound<'_, PyAny>) -> PyResult<Draws> {
        Draws::times(slf.as_any(), count)
    }

    /// Returns whether both objects have the same laws, with the same number of draws of each law.
    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let py = other.py();
        let Ok(other) = Draws::parts(other).and_then(Draws::from_parts) else {
            return Ok(false);
        };
        let (mine, others) = (self.merged(py)?, other.merged(py)?);
        for (law, count) in &mine {
            let mut equal = false;
            for (other, times) in &others {
                equal |= count == times && law.get().is_same(py, other.get())?;
            }
            if !equal {
                return Ok(false);
            }
        }
        Ok(mine.len() == others.len())
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<u64> {
        Ok(match &self.merged(py)?[..] {
            [(law, 1)] => law.get().__hash__(),
            merged => {
                let part = |(law, count): &(Py<Law>, u64)| {
                    crate::task::hash((law.get().__hash__(), count))
                };
                merged.iter().map(part).fold(0, u64::wrapping_add)
            }
        })
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let draws = self.draws.clone();
        let mean = run_quietly(py, move || match draws.mean_up_to(128).ok() {
            Some(mean) => fraction_with_decimal(&mean, usize::MAX, Precision::default()).ok(),
            None => draws
                .mean_real()
                .to_f64()
                .ok()
                .map(|mean| format!("≈ {mean}")),
        })?;
        let (count, unit) = (self.draws.count(), self.unit());
        let mean = mean.unwrap_or_default();
        let draws = if count == 1 {
            "1 draw".to_string()
        } else {
            format!("{count} draws")
        };
        Ok(format!("<Draws, {draws}: {mean} {unit} on average>"))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Parts)> {
        let new = py.get_type::<Draws>().getattr("_of")?;
        Ok((new, (self.cloned(py),)))
    }

    /// Returns the draws of these laws; each law comes with its number of draws.
    #[staticmethod]
    fn _of(parts: &Bound<'_, PyList>) -> PyResult<Draws> {
        Draws::from_parts(parts.extract()?)
    }
}
