//! The classes `Source` and `Target` of Python.

use crate::argument;
use crate::error::{self, KindError, SourceError, TargetError};
use flipcost::task::{MAX_WEIGHTS, Task};
use flipcost_number::expression::parse_rational;
use flipcost_number::{BigInt, BigUint};
use flipcost_question::endless::is_endless;
use flipcost_question::{Sides, TargetText};
use num_traits::{Signed, ToPrimitive};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{
    PyByteArray, PyBytes, PyDict, PyFloat, PyFrozenSet, PyInt, PyList, PyRange, PySet, PyString,
    PyTuple, PyType,
};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

pub fn hash(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Returns the text of an integer, or a text itself; `None` for another type.
fn text_of(value: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    if let Ok(text) = value.extract::<String>() {
        return Ok(Some(text));
    }
    Ok(argument::integer(value).map(|number| number.to_string()))
}

/// A source of rolls: a die (fair, loaded or unknown), a coin, or a word of random bits. The number
/// of rolls is the cost.
///
/// A source is made from the number of sides or from a text: `Source(6)`, `Source("coin")`,
/// `Source("d%")`, `Source("word:64")`, `Source("1:2")`; or from a list of weights, one for each
/// face. Every function that takes a source also accepts a number, a text or a list.
///
/// >>> from flipcost import Source
/// >>> from fractions import Fraction
/// >>> Source.die(6).sides, str(Source.coin), Source.words(64).unit
/// (6, '2', 'words')
/// >>> Source([1, 2]) == Source.coin(Fraction(1, 3)), Source.unknown(2).sides
/// (True, 2)
#[pyclass(frozen, eq, hash, from_py_object, module = "flipcost")]
#[derive(Clone, PartialEq)]
pub struct Source(pub Sides);

impl Hash for Source {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.0.hash(state);
    }
}

/// Why a value is not a source or a target.
enum Unfit {
    /// It has a wrong type.
    Kind(String),
    /// It has a wrong value.
    Value(String),
    /// Reading it raised an exception.
    Raised(PyErr),
}

impl From<PyErr> for Unfit {
    fn from(error: PyErr) -> Unfit {
        Unfit::Raised(error)
    }
}

impl Unfit {
    /// The reason why a text is not a source or a target. The exception shows the text itself.
    fn text(text: &str, error: impl std::fmt::Display) -> Unfit {
        let sentence = error.to_string();
        let rest = sentence.strip_prefix(&format!("{text:?} is not "));
        let reason = rest.and_then(|rest| rest.split_once(": "));
        Unfit::Value(reason.map_or(sentence.clone(), |(_, reason)| reason.to_string()))
    }

    /// Returns the exception about the argument `name`, of this class if the value is wrong.
    fn exception(
        self,
        value: &Bound<'_, PyAny>,
        name: &str,
        class: impl Fn(argument::Wrong) -> PyErr,
    ) -> PyErr {
        let given = argument::describe(value);
        let wrong = |reason: String| {
            let sentence = format!("{name} is {given}: {reason}");
            (sentence, name.to_string(), given.clone())
        };
        match self {
            Unfit::Kind(reason) => KindError::new_err(wrong(reason)),
            Unfit::Value(reason) => class(wrong(reason)),
            Unfit::Raised(error) => error,
        }
    }
}

/// Converts a [`Source`], or a value from which one can be made; an error calls it `name`.
///
/// # Errors
/// `SourceError` if the value is not a source, `KindError` if the value has another type.
#[pyfunction]
pub fn source_of(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Source> {
    if let Ok(source) = value.cast::<Source>() {
        return Ok(source.get().clone());
    }
    let sides = read_source(value);
    Ok(Source(sides.map_err(|unfit| {
        unfit.exception(value, name, SourceError::new_err)
    })?))
}

fn read_source(value: &Bound<'_, PyAny>) -> Result<Sides, Unfit> {
    if let Some(text) = text_of(value)? {
        return text.parse().map_err(|error| Unfit::text(&text, error));
    }
    if value.cast::<PyList>().is_err() && value.cast::<PyTuple>().is_err() {
        // An array, a Series or an Index of numbers is read as its list.
        if value.hasattr("tolist")? && value.hasattr("dtype")? {
            let list = value.call_method0("tolist")?;
            if list.cast::<PyList>().is_ok() {
                return read_source(&list);
            }
        }
        return Err(Unfit::Kind(
            "a number of sides, a text such as 'coin', 'word:64' or '1:2', a list of weights or a Source was expected".to_string(),
        ));
    }
    match &weights(value)?[..] {
        // a text of one number is a die
        few @ ([] | [_]) => {
            let few = flipcost::task::SourceError::Weights(few.len());
            Err(Unfit::Value(few.to_string()))
        }
        weights => {
            let text = weights.join(":");
            text.parse().map_err(|error| Unfit::text(&text, error))
        }
    }
}

/// Returns the source, or a coin if none is given.
pub fn source_or_coin(value: Option<&Bound<'_, PyAny>>) -> PyResult<Source> {
    value.map_or(Ok(Source::coin()), |value| source_of(value, "source"))
}

#[pymethods]
impl Source {
    #[new]
    fn new(source: &Bound<'_, PyAny>) -> PyResult<Source> {
        source_of(source, "source")
    }

    /// A coin: a die of two sides.
    #[classattr]
    fn coin() -> Source {
        Source(Sides::default())
    }

    /// Returns a fair die of 2 to 2^64 sides.
    #[staticmethod]
    fn die(sides: &Bound<'_, PyAny>) -> PyResult<Source> {
        source_of(sides, "sides")
    }

    /// Returns a word of 1 to 8192 independent fair bits.
    #[staticmethod]
    fn words(bits: &Bound<'_, PyAny>) -> PyResult<Source> {
        let expected = "a number of bits from 1 to 8192";
        let bits: u32 = argument::parse_integer(bits, "bits", expected, SourceError::new_err)?;
        let sides = format!("word:{bits}").parse::<Sides>();
        Ok(Source(
            sides.map_err(error::to_exception(SourceError::new_err))?,
        ))
    }

    /// Returns a die of 2 to 64 faces whose probabilities are unknown.
    #[staticmethod]
    fn unknown(faces: &Bound<'_, PyAny>) -> PyResult<Source> {
        let expected = "a number of faces from 2 to 64";
        let faces: u64 = argument::parse_integer(faces, "faces", expected, SourceError::new_err)?;
        let sides = format!("unknown:{faces}").parse::<Sides>();
        Ok(Source(
            sides.map_err(error::to_exception(SourceError::new_err))?,
        ))
    }

    /// Returns a coin that shows heads, its first face, with this probability, as in
    /// `Source.coin(Fraction(1, 3))`. Only `Source.coin` can be called.
    fn __call__(&self, heads: &Bound<'_, PyAny>) -> PyResult<Source> {
        if self.0 != Sides::default() {
            return Err(PyTypeError::new_err(
                "only Source.coin takes a probability of heads",
            ));
        }
        let read = || {
            let text = format!("p={}", weight(heads, "the probability")?);
            text.parse().map_err(|error| Unfit::text(&text, error))
        };
        let sides = read().map_err(|unfit| unfit.exception(heads, "heads", SourceError::new_err));
        Ok(Source(sides?))
    }

    /// The probability of each face as a `Fraction`, in order; `None` if they are unknown, or if
    /// there are more than 2^16 faces.
    #[getter]
    fn probabilities(&self) -> Option<Vec<flipcost_number::Rational>> {
        let faces = u64::try_from(self.0.get())
            .ok()
            .filter(|faces| *faces <= 1 << 16)?;
        (0..faces).map(|face| self.0.0.probability(face)).collect()
    }

    /// The number of faces.
    #[getter]
    fn sides(&self) -> u128 {
        self.0.get()
    }

    /// The unit of cost: `flips`, `rolls` or `words`.
    #[getter]
    fn unit(&self) -> &'static str {
        self.0.0.unit().plural()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        match (self.0.0.bits(), self.0.get()) {
            (Some(bits), _) => format!("Source.words({bits})"),
            _ if !self.0.0.is_fair() => format!("Source('{}')", self.0),
            (None, 2) => "Source.coin".to_string(),
            (None, sides) => format!("Source.die({sides})"),
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (String,)) {
        (py.get_type::<Source>(), (self.__str__(),))
    }
}

/// A target: a fair die, or outcomes with probabilities proportional to weights.
///
/// A target is made from the number of sides, from a text in the notation of the program (`"3d6"`,
/// `"4:7:8"`, `"10^18+9"`, `"binomial:n=20,p=1/3"`), from a list of weights, or from a mapping from
/// outcomes to weights: a `dict`, a `Counter`, icepool's `Die`, dyce's `H`. Every function that
/// takes a target also accepts these values.
///
/// >>> from flipcost import Target
/// >>> Target(6).sides, Target([4, 7, 8]).total, Target("2d6").to_dict()[7]
/// (6, 19, 6)
/// >>> Target({"red": 1, "blue": 2}).to_dict()
/// {'red': 1, 'blue': 2}
///
/// `to_dict` and rolls return the original keys of a mapping. If the target is a text, an outcome
/// that is written as an integer is an int, and any other a str.
#[pyclass(frozen, module = "flipcost")]
#[derive(Clone)]
pub struct Target(pub TargetText, Option<Keys>);

/// The original objects of the outcomes, in order, if they cannot be recovered from the text.
type Keys = Arc<Py<PyTuple>>;

/// Returns the text of weights: integers and fractions as they are written.
fn weights(values: &Bound<'_, PyAny>) -> Result<Vec<String>, Unfit> {
    let mut written = Vec::new();
    for value in values.try_iter()? {
        if written.len() as u64 > MAX_WEIGHTS as u64 {
            break; // the engine rejects too many weights
        }
        let name = format!("the weight of {}", written.len() + 1);
        written.push(weight(&value?, &name)?);
    }
    Ok(written)
}

/// Returns the text of a weight; the reason why it is none calls it `name`.
fn weight(value: &Bound<'_, PyAny>, name: &str) -> Result<String, Unfit> {
    let given = || argument::describe(value);
    let no_number = || {
        Unfit::Value(format!(
            "{name} is {}, and a number from 0 was expected",
            given()
        ))
    };
    if let Some(text) = text_of(value)? {
        let alone = parse_rational(&text).is_ok_and(|number| !number.is_negative());
        return if alone || format!("{text}:1").parse::<TargetText>().is_ok() {
            Ok(text)
        } else {
            Err(no_number())
        };
    }
    let float = value.cast::<PyFloat>().map(PyFloatMethods::value);
    if let Ok(float) = float
        && float.is_finite()
    {
        return Err(Unfit::Kind(format!(
            "{name} is {float:?}, a float: use Fraction('{float:?}') for that very number, or a text with doubles: as in 'doubles:0.1,0.9'"
        )));
    }
    let py = value.py();
    let fraction = if value.is_instance(&py.import("decimal")?.getattr("Decimal")?)? {
        (py.import("fractions")?.getattr("Fraction")?).call1((value,))
    } else {
        Ok(value.clone())
    };
    match fraction.and_then(|number| number.extract::<flipcost_number::Rational>()) {
        Ok(fraction) if fraction.is_negative() => Err(no_number()),
        Ok(fraction) => Ok(fraction.to_string()),
        Err(_) => Err(Unfit::Kind(format!(
            "{name} is {}: an int, a Fraction, a Decimal or a text such as '0.05' was expected",
            given()
        ))),
    }
}

/// Returns the text of a mapping from outcomes to weights, and its keys.
fn parse_mapping(mapping: &Bound<'_, PyAny>) -> Result<(String, Option<Keys>), Unfit> {
    let py = mapping.py();
    let (mut parts, keys, mut plain) = (Vec::new(), PyDict::new(py), true);
    for item in mapping.call_method0("items")?.try_iter()? {
        let (outcome, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = item?.extract()?;
        let twice = keys.contains(&outcome).map_err(|_| {
            let outcome = argument::describe(&outcome);
            Unfit::Kind(format!(
                "{outcome} cannot be an outcome: an object that can be a key of a dict was expected"
            ))
        })?;
        if twice {
            let outcome = argument::describe(&outcome);
            return Err(Unfit::Value(format!(
                "the outcome {outcome} occurs twice: give it once, with the sum of its weights"
            )));
        }
        keys.set_item(&outcome, py.None())?;
        let name = match argument::integer(&outcome) {
            Some(number) => number.to_string(),
            None => quote_name(&outcome.str()?.to_string()),
        };
        plain &= is_read_back(&outcome);
        let called = || format!("the weight of {}", argument::describe(&outcome));
        let mut weight = weight(&value, &called())?;
        if value.is_instance_of::<PyString>() {
            // Within braces, a decimal would be parsed as a float of Python.
            weight = parse_rational(&weight).map_or(weight, |exact| exact.to_string());
        }
        parts.push(format!("{name}: {weight}"));
    }
    let keys = (!plain).then(|| Arc::new(keys.keys().to_tuple().unbind()));
    Ok((format!("{{{}}}", parts.join(", ")), keys))
}

/// Returns the name in quotation marks of a kind that does not occur in the name.
fn quote_name(name: &str) -> String {
    match (name.contains('\''), name.contains('"')) {
        (false, _) => format!("'{name}'"),
        (true, false) => format!("\"{name}\""),
        (true, true) => format!("'{}'", name.replace('\'', "\u{2019}")),
    }
}

/// Returns the integer that a text represents; `None` if the text is not its usual decimal form.
fn integer_of(text: &str) -> Option<BigInt> {
    let number = text.parse::<BigInt>().ok();
    number.filter(|number| number.to_string() == text)
}

/// Returns whether [`Target::label`] returns an equal object of the same type if it has only the
/// text of the target.
fn is_read_back(outcome: &Bound<'_, PyAny>) -> bool {
    let text = || outcome.extract::<String>();
    outcome.is_exact_instance_of::<PyInt>()
        || outcome.is_exact_instance_of::<PyString>()
            && text().is_ok_and(|text| {
                integer_of(&text).is_none() && !(text.contains('\'') && text.contains('"'))
            })
}

/// Converts a [`Target`], or a value from which one can be made; an error calls it `name`.
///
/// # Errors
/// `TargetError` if the value is not a target, `KindError` if the value has another type.
#[pyfunction]
pub fn target_of(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Target> {
    if let Ok(target) = value.cast::<Target>() {
        return Ok(target.get().clone());
    }
    read_target(value).map_err(|unfit| unfit.exception(value, name, TargetError::new_err))
}

fn read_target(value: &Bound<'_, PyAny>) -> Result<Target, Unfit> {
    // a set has no order
    let unordered = value.is_instance_of::<PySet>() || value.is_instance_of::<PyFrozenSet>();
    let bytes = value.is_instance_of::<PyBytes>() || value.is_instance_of::<PyByteArray>();
    let mut keys = None;
    let text = if let Some(text) = text_of(value)? {
        if is_endless(&text) {
            return Err(Unfit::Value(
                "it has infinitely many outcomes or irrational probabilities: flipcost.cost, flipcost.distribution and flipcost.roll take such a law as a text".to_string(),
            ));
        }
        text
    } else if value.hasattr("items")? {
        let (text, found) = parse_mapping(value)?;
        keys = found;
        text
    } else if value.is_instance_of::<PyRange>() {
        return Err(Unfit::Kind(
            "one target was expected: flipcost.cost and flipcost.sweep take a range of dice, and weights are a list".to_string(),
        ));
    } else if value.hasattr("__iter__")? && !unordered && !bytes {
        match &weights(value)?[..] {
            [] => "{}".to_string(),
            // a single outcome has weight 1, since a text of one number means a die
            [one] if one != "0" => "1".to_string(),
            all => all.join(":"),
        }
    } else {
        return Err(Unfit::Kind(
            "a number of sides, a text such as '3d6', weights in a list or a mapping, or a Target was expected".to_string(),
        ));
    };
    if text == "{}" {
        return Err(Unfit::Value("one weight or more was expected".to_string()));
    }
    let read = text.parse().map_err(|error| Unfit::text(&text, error))?;
    Ok(Target(read, keys))
}

/// Returns whether a text names a law with infinitely many outcomes or irrational probabilities.
#[pyfunction]
pub fn endless(text: &str) -> bool {
    is_endless(text)
}

/// Returns the id of the default algorithm for rolling a target from a source.
#[pyfunction]
pub fn usual(source: &Source, target: &Target) -> &'static str {
    target.0.algorithm(&source.0).id()
}

fn read(text: &str) -> PyResult<TargetText> {
    let target = text.parse::<TargetText>();
    target.map_err(error::to_exception(TargetError::new_err))
}

/// The largest number of outcomes that are listed as objects.
const MAX_LISTED: u64 = 1_000_000;

#[pymethods]
impl Target {
    #[new]
    fn new(target: &Bound<'_, PyAny>) -> PyResult<Target> {
        target_of(target, "target")
    }

    /// Returns a target with probabilities proportional to these weights: ints, Fractions, or a
    /// mapping to them.
    #[staticmethod]
    fn weighted(weights: &Bound<'_, PyAny>) -> PyResult<Target> {
        target_of(weights, "weights")
    }

    /// Returns the sum of dice in the usual notation: `"3d6"`, `"2d6+1d4"`.
    #[staticmethod]
    fn sum(dice: &Bound<'_, PyAny>) -> PyResult<Target> {
        let expected = "a text such as '3d6' or '2d6+1d4'";
        argument::text(dice, "dice", expected)?;
        target_of(dice, "dice")
    }

    /// The sides of a fair die; None for weights that differ.
    #[getter]
    fn sides(&self) -> Option<BigUint> {
        self.0.sides().cloned()
    }

    /// The sum of the weights in lowest terms; of a fair die, its sides.
    #[getter]
    fn total(&self) -> BigUint {
        self.0.target().weight_sum().clone()
    }

    /// Whether this is a fair die whose outcomes are its faces, counted from 1.
    #[getter]
    fn _is_die(&self) -> bool {
        self.0.sides().is_some() && self.1.is_none() && !self.0.is_labelled()
    }

    /// Returns the entropy in rolls of a source, as the nearest double: no method costs less on
    /// average.
    #[pyo3(signature = (source = None))]
    fn entropy(&self, py: Python<'_>, source: Option<&Bound<'_, PyAny>>) -> PyResult<f64> {
        let source = source_or_coin(source)?;
        let task = Task::new(self.0.target().clone(), source.0.0.clone());
        crate::run::run_quietly(py, move || task.entropy().to_f64())?
            .map_err(error::undecided_exception)
    }

    /// Returns the weight of each outcome, as a dict, which `icepool.Die(...)`, `dyce.H(...)` and
    /// `Counter(...)` accept. Outcomes with the same name share a key, whose weight is their sum.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let outcomes = self.0.target().outcomes();
        if outcomes.to_u64().is_none_or(|many| many > MAX_LISTED) {
            return Err(error::TooLargeError::new_err(format!(
                "{} has more than {MAX_LISTED} outcomes: they are not listed",
                self.0.phrase()
            )));
        }
        let weights = PyDict::new(py);
        for (outcome, weight) in self.0.target().iter() {
            let label = self.label(py, &outcome)?;
            // two outcomes of a text may have the same name
            let weight = match weights.get_item(&label)? {
                Some(other) => other.add(weight)?,
                None => weight.into_pyobject(py)?.into_any(),
            };
            weights.set_item(label, weight)?;
        }
        Ok(weights)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        match other.cast::<Target>() {
            Ok(found) => self.is_same(other.py(), found.get()),
            Err(_) => Ok(false),
        }
    }

    fn __hash__(&self) -> u64 {
        hash(self.0.target())
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        let text = self.0.to_string();
        match self.0.sides() {
            Some(sides) if *sides.to_string() == text => format!("Target({text})"),
            _ => format!("Target({text:?})"),
        }
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let class = py.get_type::<Target>();
        let text = self.__str__();
        match &self.1 {
            None => Ok((class.into_any(), (text,).into_pyobject(py)?)),
            Some(keys) => Ok((
                class.getattr("_of")?,
                (text, keys.bind(py)).into_pyobject(py)?,
            )),
        }
    }

    /// Returns a target from what `__reduce__` wrote.
    #[staticmethod]
    fn _of(text: &str, keys: Bound<'_, PyTuple>) -> PyResult<Target> {
        Ok(Target(read(text)?, Some(Arc::new(keys.unbind()))))
    }
}

impl Target {
    /// Returns a target whose outcomes have their own names.
    pub fn of_text(text: TargetText) -> Target {
        Target(text, None)
    }

    /// Returns the label of an outcome, counted from 0: its original key; otherwise an int, or a
    /// text that is not an integer.
    pub fn label<'py>(&self, py: Python<'py>, outcome: &BigUint) -> PyResult<Bound<'py, PyAny>> {
        if let (Some(keys), Some(place)) = (&self.1, outcome.to_usize()) {
            return keys.bind(py).get_item(place);
        }
        let label = if self.0.is_labelled() {
            self.0.label(outcome)
        } else {
            (outcome + 1u8).to_string()
        };
        match integer_of(&label) {
            Some(number) => Ok(number.into_pyobject(py)?.into_any()),
            None => Ok(label.into_pyobject(py)?.into_any()),
        }
    }

    /// Returns all labels, in order.
    fn labels<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let outcomes = self.0.target().iter();
        let labels = outcomes.map(|(outcome, _)| self.label(py, &outcome));
        PyTuple::new(py, labels.collect::<PyResult<Vec<_>>>()?)
    }

    /// Returns whether both targets give the same outcomes the same probabilities.
    pub fn is_same(&self, py: Python<'_>, other: &Target) -> PyResult<bool> {
        if self.0 == other.0 && self.1.is_none() && other.1.is_none() {
            return Ok(true);
        }
        let outcomes = |target: &Target| target.0.target().outcomes();
        let few = outcomes(self)
            .to_u64()
            .is_some_and(|many| many <= MAX_LISTED);
        if !few || self.0.target() != other.0.target() {
            return Ok(false);
        }
        self.labels(py)?.eq(other.labels(py)?)
    }
}
