//! What a law can be asked: moments, probabilities, quantiles, decimals, and repetition.

use super::*;
use crate::draws::Draws;

#[pymethods]
impl Law {
    /// The algorithm.
    #[getter]
    fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// What is rolled.
    #[getter]
    fn source(&self) -> Source {
        self.source.clone()
    }

    /// What is wanted.
    #[getter]
    fn target(&self) -> Target {
        self.target.clone()
    }

    /// What T counts: `flips`, `rolls` or `words`.
    #[getter]
    fn unit(&self) -> &'static str {
        self.costs.law().unit().plural()
    }

    /// The expected number of rolls, as a Fraction. TooLargeError if it has millions of digits:
    /// `decimal` has no such limit.
    #[getter]
    fn mean(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let mean = self.mean.get_or_try_init(py, || {
            let value = self.up_to(py, MOST_BITS, Exact::mean_up_to)?;
            Ok::<_, PyErr>(value.into_pyobject(py)?.unbind())
        })?;
        Ok(mean.clone_ref(py))
    }

    /// The variance, as a Fraction.
    #[getter]
    fn variance(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.once(py, &self.variance, Exact::exact_variance)
    }

    /// The standard deviation, as the nearest double.
    #[getter]
    fn std(&self, py: Python<'_>) -> PyResult<f64> {
        self.nearest(py, "std")
    }

    /// The skewness E[(T - E[T])^3] / std^3, as the nearest double; not a number where T does not vary.
    #[getter]
    fn skewness(&self, py: Python<'_>) -> PyResult<f64> {
        let costs = self.costs.clone();
        let constant = aside(py, move || {
            costs.law().variance().exact().is_some_and(Zero::is_zero)
        })?;
        if constant {
            Ok(f64::NAN)
        } else {
            self.nearest(py, "skewness")
        }
    }

    /// The median: the least t with P(T <= t) >= 1/2.
    #[getter]
    fn median(&self, py: Python<'_>) -> PyResult<Option<u64>> {
        self.first_with(py, Rational::new(1.into(), 2.into()))
    }

    /// The probability generating function E[z^T], as a Fraction, for z from 0 to 1 such as
    /// `Fraction(1, 2)` or `"1/2"`.
    fn pgf(&self, py: Python<'_>, z: &Bound<'_, PyAny>) -> PyResult<Fraction> {
        let z = probability(z, "z")?;
        // each of head and block is as many rolls as the mean has digits
        let most = MOST_PGF_BITS / u128::from(z.denom().bits() + 1);
        self.exact(py, most, move |law| law.generating_function(&z))
    }

    /// `digits` correctly rounded decimals of the mean, as a `decimal.Decimal`; or of what `of`
    /// names: `"mean"`, `"variance"`, `"std"`, `"skewness"`, `"entropy"` or `"toll"`. TooLargeError for more than a million,
    /// or for so many that they would take minutes: logarithms and targets beyond 2^64 take longest.
    #[pyo3(signature = (digits, of = "mean"))]
    fn decimal<'py>(
        &self,
        py: Python<'py>,
        digits: &Bound<'py, PyAny>,
        of: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let expected = format!("a number of decimals from 0 to {MOST_DIGITS}");
        let digits = argument::parse_integer(digits, "digits", &expected, FlipcostError::new_err)?;
        let (costs, real) = (self.costs.clone(), self.real(of)?);
        self.affordable(digits, of)?;
        let text = aside(py, move || real(&costs).decimals(digits))?.map_err(error::undecided)?;
        decimal(py, &text)
    }

    /// The entropy of the target in rolls, as the nearest double: no method costs less.
    #[getter]
    fn entropy(&self, py: Python<'_>) -> PyResult<f64> {
        self.nearest(py, "entropy")
    }

    /// The expected number of rolls above the entropy, as the nearest double.
    #[getter]
    fn toll(&self, py: Python<'_>) -> PyResult<f64> {
        self.nearest(py, "toll")
    }

    /// The largest number of rolls that can be needed; None if there is none.
    #[getter]
    fn worst_case(&self, py: Python<'_>) -> PyResult<Option<u64>> {
        let costs = self.costs.clone();
        aside(py, move || costs.law().worst_case())
    }

    /// P(T = t), as a Fraction; 0 for t below 0. TooLargeError for t above a million.
    fn pmf(&self, py: Python<'_>, t: &Bound<'_, PyAny>) -> PyResult<Fraction> {
        self.probability_at(py, t, 0, |before, after, _| before - after)
    }

    /// P(T <= t), as a Fraction; 0 for t below 0. TooLargeError for t above a million.
    fn cdf(&self, py: Python<'_>, t: &Bound<'_, PyAny>) -> PyResult<Fraction> {
        self.probability_at(py, t, 0, |_, after, all| all - after)
    }

    /// P(T > t) for t = 0, 1, 2, ..., as an iterator of Fractions that does not end. Threads may
    /// share it: each value is given once.
    fn survival(&self) -> Survival {
        let (algorithm, target) = (self.algorithm.0, self.target.0.with_article());
        let source = self.source.0.0.with_article();
        let of = format!("{algorithm} for {target} from {source}");
        Survival::new(self.costs.clone(), of)
    }

    /// The least t with P(T <= t) >= q, for q such as `Fraction(9, 10)` or `"9/10"`; None if there
    /// is none.
    fn quantile(&self, py: Python<'_>, q: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
        self.first_with(py, probability(q, "q")?)
    }

    /// The law of all rolls of `count` results.
    fn repeat(slf: &Bound<'_, Self>, count: &Bound<'_, PyAny>) -> PyResult<Draws> {
        Draws::times(slf.as_any(), count)
    }

    /// P(T > t), as a Fraction; 1 for t below 0. TooLargeError for t above a million.
    fn sf(&self, py: Python<'_>, t: &Bound<'_, PyAny>) -> PyResult<Fraction> {
        self.probability_at(py, t, 1, |_, after, _| after)
    }

    /// The least t with P(T > t) <= q, for q such as `Fraction(1, 2**256)` or `"2^-256"`; None if there
    /// is none.
    fn isf(&self, py: Python<'_>, q: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
        self.first_with(py, Rational::one() - probability(q, "q")?)
    }

    fn __add__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Draws> {
        Draws::sum(slf.as_any(), other)
    }

    fn __radd__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Draws> {
        Draws::added_to(slf.as_any(), other)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(found) = other.cast::<Law>() else {
            return Ok(false);
        };
        let law = found.get();
        let same = law.algorithm.0 == self.algorithm.0 && law.source == self.source;
        Ok(same && self.target.is_same(other.py(), &law.target)?)
    }

    fn __hash__(&self) -> u64 {
        let task = task(&self.source, &self.target);
        crate::task::hash((self.algorithm.0.id(), task))
    }

    fn __repr__(&self) -> String {
        format!(
            "<Law of {} for {} from {}: {} {}>",
            self.algorithm.0,
            self.target.0.with_article(),
            self.source.0.0.with_article(),
            self.costs.mean(),
            self.unit()
        )
    }

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let escape = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;");
        let worst = self.worst_case(py)?;
        let worst = worst.map_or("unbounded".to_string(), |rolls| rolls.to_string());
        let unit = self.unit();
        let rows = [
            ("algorithm", self.algorithm.0.to_string()),
            ("target", self.target.0.in_words()),
            ("source", self.source.0.0.with_article()),
            ("expected", format!("{} {unit}", self.short(py)?)),
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
        let value = match self.costs.law().mean_up_to(SHORT) {
            Ok(mean) if mean.is_integer() => format!("= {mean}"),
            Ok(mean) => format!("= \\frac{{{}}}{{{}}}", mean.numer(), mean.denom()),
            Err(_) => format!("\\approx {}", self.nearest(py, "mean")?),
        };
        Ok(format!("$E[T] {value}$"))
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (Algorithm, Source, Target))> {
        let new = py.get_type::<Law>().getattr("_of")?;
        Ok((
            new,
            (self.algorithm, self.source.clone(), self.target.clone()),
        ))
    }

    /// What `algorithm.law(source, target)` is.
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
