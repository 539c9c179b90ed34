//! The methods of a law: moments, probabilities, quantiles, decimals, and repetition.

use super::*;
use crate::draws::Draws;
use crate::error::KindError;
use flipcost_number::Real;
use pyo3::types::PyTuple;

#[pymethods]
impl Law {
    #[new]
    #[pyo3(signature = (*_arguments))]
    fn made_by_algorithm(_arguments: &Bound<'_, PyTuple>) -> PyResult<Law> {
        Err(KindError::new_err(
            "a law is made by an algorithm, as in flipcost.algorithms['interval'].law(6)",
        ))
    }

    /// The algorithm.
    #[getter]
    fn algorithm(&self) -> Algorithm {
        Algorithm(self.algorithm)
    }

    /// The source, which is rolled.
    #[getter]
    fn source(&self) -> Source {
        self.source.clone()
    }

    /// The target.
    #[getter]
    fn target(&self) -> Target {
        self.target.clone()
    }

    /// The unit of T: `flips`, `rolls` or `words`.
    #[getter]
    fn unit(&self) -> &'static str {
        self.costs.law.unit().plural()
    }

    /// The expected number of rolls, as a Fraction. TooLargeError if it has millions of digits:
    /// `decimal` has no such limit.
    #[getter]
    fn mean(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let mean = self.mean.get_or_try_init(py, || {
            let value = self.up_to(py, MAX_BITS, Exact::mean_up_to)?;
            Ok::<_, PyErr>(value.into_pyobject(py)?.unbind())
        })?;
        Ok(mean.clone_ref(py))
    }

    /// The variance, as a Fraction.
    #[getter]
    fn variance(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.compute_once(py, &self.variance, Exact::variance_up_to)
    }

    /// The standard deviation, as the nearest double.
    #[getter]
    fn std(&self, py: Python<'_>) -> PyResult<f64> {
        self.nearest(py, Moment::Std)
    }

    /// The skewness E[(T - E[T])^3] / std^3, as the nearest double; not a number if T does not
    /// vary.
    #[getter]
    fn skewness(&self, py: Python<'_>) -> PyResult<f64> {
        self.nearest(py, Moment::Skewness)
    }

    /// The median: the least t with P(T <= t) >= 1/2.
    #[getter]
    fn median(&self, py: Python<'_>) -> PyResult<Option<u64>> {
        self.quantile_of_probability(py, Rational::new(1.into(), 2.into()))
    }

    /// Returns the probability generating function E[z^T], as a Fraction, for z from 0 to 1 such as
    /// `Fraction(1, 2)` or `"1/2"`.
    pub(crate) fn pgf(&self, py: Python<'_>, z: &Bound<'_, PyAny>) -> PyResult<Fraction> {
        let z = probability(z, "z")?;
        // the head and the period together have about as many rolls as the mean has digits
        let most = MAX_PGF_BITS / u128::from(z.denom().bits() + 1);
        self.exact(py, most, move |law| law.generating_function(&z))
    }

    /// Returns `digits` correctly rounded decimals of the mean, as a `decimal.Decimal`; or of the
    /// value that `of` names: `"mean"`, `"variance"`, `"std"`, `"skewness"`, `"entropy"` or
    /// `"toll"`. TooLargeError for more than a million decimals, or if they would take minutes:
    /// logarithms and targets beyond 2^64 take longest.
    #[pyo3(signature = (digits, of = "mean"))]
    fn decimal<'py>(
        &self,
        py: Python<'py>,
        digits: &Bound<'py, PyAny>,
        of: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        decimals(py, self.as_single_draw(), digits, of)
    }

    /// The entropy of the target in rolls, as the nearest double: no method costs less.
    #[getter]
    fn entropy(&self, py: Python<'_>) -> PyResult<f64> {
        self.nearest(py, Moment::Entropy)
    }

    /// The expected number of rolls above the entropy, as the nearest double.
    #[getter]
    fn toll(&self, py: Python<'_>) -> PyResult<f64> {
        self.nearest(py, Moment::Toll)
    }

    /// The largest number of rolls that can be needed; None if it is unbounded.
    #[getter]
    fn worst_case(&self, py: Python<'_>) -> PyResult<Option<u64>> {
        let costs = self.costs.clone();
        run_quietly(py, move || costs.law.max())
    }

    /// Returns P(T = t), as a Fraction; 0 for t below 0. For a list or an array it is computed for
    /// each t. TooLargeError for t above a million.
    fn pmf<'py>(&self, t: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.probabilities(t, 0, |before, after, _| before - after)
    }

    /// Returns P(T <= t), as a Fraction; 0 for t below 0. For a list or an array it is computed for
    /// each t. TooLargeError for t above a million.
    fn cdf<'py>(&self, t: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.probabilities(t, 0, |_, after, all| all - after)
    }

    /// Returns an endless iterator of the Fractions P(T > t) for t = 0, 1, 2, ... Threads may share
    /// it: each value is returned once.
    fn survival(&self) -> Survival {
        let (rule, target) = (self.algorithm, self.target.0.with_article());
        let source = self.source.0.0.with_article();
        let of = format!("{rule} for {target} from {source}");
        Survival::new(self.costs.clone(), of)
    }

    /// Returns the least t with P(T <= t) >= q, for q such as `Fraction(9, 10)` or `"9/10"`; None
    /// if there is no such t. For a list or an array it is computed for each q.
    fn quantile<'py>(&self, q: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        for_each(q, |q| {
            self.quantile_of_probability(q.py(), probability(q, "q")?)
        })
    }

    /// Returns the law of all rolls of `count` results.
    fn repeat(slf: &Bound<'_, Self>, count: &Bound<'_, PyAny>) -> PyResult<Draws> {
        Draws::times(slf.as_any(), count)
    }

    /// Returns P(T > t), as a Fraction; 1 for t below 0. For a list or an array it is computed for
    /// each t. TooLargeError for t above a million.
    fn sf<'py>(&self, t: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.probabilities(t, 1, |_, after, _| after)
    }

    /// Returns log2 P(T > t), in the same form as `Draws.log2_sf`.
    #[pyo3(signature = (t, digits = None))]
    fn log2_sf<'py>(
        slf: &Bound<'py, Self>,
        t: &Bound<'py, PyAny>,
        digits: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        Draws::from_law(slf)?.log2_sf(t, digits)
    }

    /// Returns the least t with P(T > t) <= q, for q such as `Fraction(1, 2**256)` or `"2^-256"`;
    /// None if there is no such t. For a list or an array it is computed for each q.
    fn isf<'py>(&self, q: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        for_each(q, |q| {
            self.quantile_of_probability(q.py(), Rational::one() - probability(q, "q")?)
        })
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

    fn __eq__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        match other.cast::<Law>() {
            Ok(other) => slf.get().is_same(other.py(), other.get()),
            Err(_) if other.is_instance_of::<Draws>() => other.eq(slf),
            Err(_) => Ok(false),
        }
    }

    pub(crate) fn __hash__(&self) -> u64 {
        crate::task::hash(task(&self.source, &self.target))
    }

    fn __repr__(&self) -> String {
        let mean = match &self.costs.mean {
            Real::Exact(mean) => mean.to_string(),
            mean => mean
                .to_f64()
                .map_or("?".to_string(), |mean| mean.to_string()),
        };
        format!(
            "<Law of {} for {} from {}: {} {}>",
            self.algorithm,
            self.target.0.with_article(),
            self.source.0.0.with_article(),
            mean,
            self.unit()
        )
    }

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let escape = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;");
        let worst = self.worst_case(py)?;
        let worst = worst.map_or("unbounded".to_string(), |rolls| rolls.to_string());
        let unit = self.unit();
        let rows = [
            ("algorithm", self.algorithm.to_string()),
            ("target", self.target.0.phrase()),
            ("source", self.source.0.0.with_article()),
            ("expected", format!("{} {unit}", self.short_mean(py)?)),
            ("entropy", format!("{} {unit}", self.entropy(py)?)),
            ("toll", format!("{} {unit}", self.toll(py)?)),
            ("worst case", worst),
        ];
        let row = |(name, value): &(&str, String)| {
            let value = escape(value);
            format!(
                "<tr><th style=\"text-align:left\">{name}</th><td style=\"text-align:left\">{value}</td></tr>"
            )
        };
        Ok(format!(
            "<table>{}</table><p>{}</p>",
            rows.iter().map(row).collect::<String>(),
            self._repr_latex_(py)?
        ))
    }

    fn _repr_latex_(&self, py: Python<'_>) -> PyResult<String> {
        let value = match self.costs.law.mean_up_to(SHORT_MEAN_BITS) {
            Ok(mean) if mean.is_integer() => format!("= {mean}"),
            Ok(mean) => format!("= \\frac{{{}}}{{{}}}", mean.numer(), mean.denom()),
            Err(_) => format!("\\approx {}", self.nearest(py, Moment::Mean)?),
        };
        Ok(format!("$E[T] {value}$"))
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let new = py.get_type::<Law>().getattr("_of")?;
        let (source, target) = (self.source.clone(), self.target.clone());
        let parts = (Algorithm(self.algorithm), source, target);
        Ok((new, parts.into_pyobject(py)?))
    }

    /// Returns the law `algorithm.law(target, source)`, for pickles.
    #[staticmethod]
    fn _of(
        py: Python<'_>,
        algorithm: &Algorithm,
        source: Source,
        target: &Target,
    ) -> PyResult<Law> {
        Law::new(py, *algorithm, source, target.clone())
    }
}
