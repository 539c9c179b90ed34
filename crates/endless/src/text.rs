//! Parses laws without an end: `dgauss:sigma=3/2`, `bernoulli:exp(-1)`.

use crate::law::{Digits, DigitsError, LawFamily, real_from_enclosures};
use crate::laws;
use flipcost::table::{Cell, Precision};
use flipcost_number::constant::Constant;
use flipcost_number::expression::parse_signed;
use flipcost_number::grammar::{items, unbracketed};
use flipcost_number::{Enclosure, Rational, Real};
use flipcost_question::description::{FieldValue, ValueAbout, text_from_json};
use flipcost_question::endless::{LAWS, is_endless};
use flipcost_question::precision::decimal;
use flipcost_question::serde_json::Value as Json;
use flipcost_question::{Names, QueryError, Sentence};
use num_traits::{One, Signed, ToPrimitive};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// The maximum number of decimals for a law whose digits are counted, since only a limited number
/// of digits can be counted.
const MAX_COUNTED_DECIMALS: u32 = 12;

/// The largest parameter of a law.
const MAX_PARAMETER: u64 = 1 << 40;

/// A law with its parameters.
#[derive(Clone)]
pub enum LawKind {
    /// The number of trials up to the first success.
    Geometric(laws::Geometric),
    /// The Poisson law.
    Poisson(laws::Poisson),
    /// The two-sided geometric law.
    DiscreteLaplace(laws::DiscreteLaplace),
    /// The law in proportion to e^(-x^2 / (2 sigma^2)).
    DiscreteGaussian(laws::DiscreteGaussian),
    /// The law of a normal variable, rounded to an integer.
    RoundedGaussian(laws::RoundedGaussian),
    /// The law in proportion to x^-s.
    Zeta(laws::Zeta),
    /// The law of a coin, and x if its probability was written as exp(-x).
    Bernoulli(laws::Bernoulli, Option<Rational>),
}

impl LawKind {
    /// Whether x can be an outcome.
    pub fn has(&self, x: i64) -> bool {
        match self {
            LawKind::Geometric(_) | LawKind::Zeta(_) => x >= 1,
            LawKind::Poisson(_) => x >= 0,
            LawKind::DiscreteGaussian(law) => law.both || x >= 0,
            LawKind::DiscreteLaplace(_) | LawKind::RoundedGaussian(_) => true,
            LawKind::Bernoulli(..) => x == 0 || x == 1,
        }
    }

    /// Returns the law as a family.
    ///
    /// # Panics
    /// For the zeta law, which has too many outcomes to be listed.
    pub fn family(&self) -> &dyn LawFamily {
        match self {
            LawKind::Geometric(law) => law,
            LawKind::Poisson(law) => law,
            LawKind::DiscreteLaplace(law) => law,
            LawKind::DiscreteGaussian(law) => law,
            LawKind::RoundedGaussian(law) => law,
            LawKind::Bernoulli(law, _) => law,
            LawKind::Zeta(_) => unreachable!("the outcomes of a zeta law are not listed"),
        }
    }
}

/// A law without an end, with the text from which it was parsed.
#[derive(Clone)]
pub struct EndlessText {
    text: Arc<str>,
    kind: Arc<LawKind>,
    /// The digits that were computed so far.
    known: Arc<Mutex<Option<Arc<Digits>>>>,
}

/// Parses the fields of a law: the field that the law requires, and `from`.
fn parse_fields<'a>(text: &'a str, law: &(&str, &str, &str)) -> Result<(&'a str, bool), String> {
    let (name, example, needed) = law;
    let (mut value, mut both) = (None, true);
    let rest = text.split_once(':').map_or("", |(_, rest)| rest);
    for item in items(rest) {
        let (field, given) = match item.split_once('=') {
            Some((field, given)) => (field.trim(), given.trim()),
            None => (*needed, item.trim()),
        };
        if item.trim().is_empty() {
            return Err(format!("{name} is written as in {example}"));
        }
        match field {
            field if field == *needed && value.is_none() => value = Some(given),
            field if field == *needed => return Err(format!("{name} has {needed} twice")),
            "from" if *name == "dgauss" && given == "0" => both = false,
            "from" if *name == "dgauss" => {
                return Err(
                    "a discrete Gaussian begins at 0 or has both signs: from=0 was expected".into(),
                );
            }
            "max" => {
                return Err(format!(
                    "{name} has no end, so it takes no max: write it as in {example}"
                ));
            }
            _ => {
                return Err(format!(
                    "{name} has no {field}: it is written as in {example}"
                ));
            }
        }
    }
    match value {
        Some(value) => Ok((value, both)),
        None => Err(format!("{name} is written as in {example}")),
    }
}

fn parse_positive(name: &str, value: &str) -> Result<Rational, String> {
    let number = parse_signed(value).map_err(|error| error.to_string())?;
    if !number.is_positive() {
        return Err(format!("{name} must be above 0, and {value} is not"));
    }
    let most = Rational::from(flipcost_number::BigInt::from(MAX_PARAMETER));
    if number > most || number.recip() > most {
        let above = if name == "p" { "1" } else { "2^40" };
        return Err(format!("{name} must lie between 2^-40 and {above}"));
    }
    Ok(number)
}

fn parse_exponent(number: &Rational) -> Result<u32, String> {
    let most = laws::MAX_EXPONENT;
    let s = number.is_integer().then(|| number.to_integer().to_u32());
    s.flatten().filter(|s| (3..=most).contains(s)).ok_or_else(|| {
        format!(
            "s must be a whole number from 3 to {most}: for a smaller s, too many outcomes contribute to the first digits of the cost"
        )
    })
}

fn parse_coin(value: &str) -> Result<LawKind, String> {
    let p = Constant::real(value).map_err(|error| error.to_string())?;
    let (Ok(low), Ok(high)) = (p.compare(0), p.compare(1)) else {
        return Err(format!(
            "{value} is too near to 0 or 1 to be distinguished from it"
        ));
    };
    if low.is_le() || high.is_ge() {
        return Err(format!("{value} is not a probability between 0 and 1"));
    }
    let exponent = value
        .strip_prefix("exp(")
        .and_then(|rest| rest.strip_suffix(')'));
    let exponent = exponent.and_then(|x| parse_signed(x).ok()).map(|x| -x);
    Ok(LawKind::Bernoulli(laws::Bernoulli { p }, exponent))
}

fn parse_kind(text: &str) -> Result<LawKind, String> {
    let name = text.split(':').next().unwrap_or_default().trim();
    let known = LAWS
        .iter()
        .find(|law| law.0 == name)
        .filter(|_| is_endless(text));
    let Some(law) = known else {
        let examples: Vec<&str> = LAWS.iter().map(|law| law.1).collect();
        let examples = examples.join(", ");
        return Err(format!(
            "a law with infinitely many outcomes was expected, such as {examples}"
        ));
    };
    let (value, both) = parse_fields(text, law)?;
    if name == "bernoulli" {
        return parse_coin(value);
    }
    let number = parse_positive(law.2, value)?;
    Ok(match name {
        "zeta" => LawKind::Zeta(laws::Zeta {
            s: parse_exponent(&number)?,
        }),
        "geometric" if number >= Rational::one() => {
            return Err("p must lie between 0 and 1".to_string());
        }
        "geometric" => LawKind::Geometric(laws::Geometric { p: number }),
        "poisson" => LawKind::Poisson(laws::Poisson { mean: number }),
        "dlaplace" => LawKind::DiscreteLaplace(laws::DiscreteLaplace { scale: number }),
        "dgauss" => LawKind::DiscreteGaussian(laws::DiscreteGaussian {
            sigma: number,
            both,
        }),
        _ => LawKind::RoundedGaussian(laws::RoundedGaussian { sigma: number }),
    })
}

impl EndlessText {
    /// Returns the law with its parameters.
    pub fn kind(&self) -> &LawKind {
        &self.kind
    }

    /// Returns at least the first `depth` digits of all probabilities.
    ///
    /// # Errors
    /// A [`DigitsError`] if there are too many outcomes, or if a digit cannot be decided.
    pub fn digits(&self, depth: u64) -> Result<Arc<Digits>, DigitsError> {
        self.digits_of(depth, true)
    }

    fn digits_of(&self, depth: u64, limited: bool) -> Result<Arc<Digits>, DigitsError> {
        let kept = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let known = kept()
            .as_ref()
            .filter(|known| known.depth >= depth)
            .cloned();
        if let Some(known) = known {
            return Ok(known);
        }
        let digits = match &*self.kind {
            LawKind::Zeta(zeta) => zeta.digits(depth)?,
            kind => Digits::of_family(kind.family(), depth, limited)?,
        };
        let digits = Arc::new(digits);
        *kept() = Some(digits.clone());
        Ok(digits)
    }

    /// Like [`EndlessText::digits`], for a question: the error is about the field `field`.
    ///
    /// # Errors
    /// A sentence if there are too many outcomes, or if a digit cannot be decided.
    pub fn checked(&self, field: &str, depth: u64) -> Result<Arc<Digits>, QueryError> {
        self.digits(depth)
            .map_err(|error| self.digits_error(field, error))
    }

    /// Returns the error for a question whose field `field` is this law.
    pub fn digits_error(&self, field: &str, error: DigitsError) -> QueryError {
        match error {
            DigitsError::TooMany => {
                QueryError::wrong(field, format!("{self} is too wide: {error}"))
                    .right("a smaller parameter, or fewer digits, were expected")
            }
            DigitsError::Undecided => {
                QueryError::wrong(field, format!("{self} cannot be computed: {error}"))
                    .right("the fraction itself, or a less extreme parameter, was expected")
            }
        }
    }

    /// Checks whether this many decimals (or, if `None`, the nearest doubles) can be computed.
    ///
    /// # Errors
    /// The errors of [`EndlessText::checked`].
    pub fn check_precision(&self, field: &str, decimals: Option<u32>) -> Result<(), QueryError> {
        let depth = match &*self.kind {
            LawKind::Zeta(_)
                if decimals.is_some_and(|decimals| decimals > MAX_COUNTED_DECIMALS) =>
            {
                let what = "a zeta law has only a limited number of decimals here";
                let right = format!("at most {MAX_COUNTED_DECIMALS} decimals were expected");
                return Err(QueryError::wrong("digits", what).right(right));
            }
            LawKind::Zeta(zeta) => zeta.max_depth(),
            _ => u64::from(decimals.unwrap_or(20)) * 10 / 3 + 80,
        };
        self.checked(field, depth).map(|_| ())
    }

    /// Returns the cells of the least expected number of flips, of its toll and of the variance.
    ///
    /// # Errors
    /// A sentence if the precision is too high for a law whose digits are counted.
    pub fn flip_cells(&self, precision: Precision) -> Result<[Cell; 3], QueryError> {
        let LawKind::Zeta(zeta) = &*self.kind else {
            let mean = self.optimum();
            let toll = mean.minus(&self.entropy());
            let cell = |value: &Real| decimal(value, precision);
            return Ok([cell(&mean)?, cell(&toll)?, cell(&self.variance())?]);
        };
        let digits = self.checked("target", zeta.max_depth())?;
        let mean = digits.moment(1);
        let toll = mean.minus(&digits.entropy());
        let variance = digits.moment(2).minus(&mean.times(&mean));
        // The enclosure cannot be narrowed, so both of its ends must give the same cell.
        let cell = |ends: &Enclosure| {
            let end = |value| decimal(&Real::Exact(value), precision);
            let (low, high) = (end(ends.low())?, end(ends.high())?);
            if low == high {
                Ok(low)
            } else {
                Err(self.digits_error("target", DigitsError::TooMany))
            }
        };
        Ok([cell(&mean)?, cell(&toll)?, cell(&variance)?])
    }

    /// Returns the real number that `of` encloses, from the first digits of all probabilities.
    fn enclosed_by_digits(&self, of: fn(&Digits) -> Enclosure) -> Real {
        let law = self.clone();
        Real::cached(move |bits| {
            let mut depth = bits + 48;
            loop {
                let digits = law.digits_of(depth, false);
                let value = of(&digits.expect("there is no limit"));
                if value.is_within(bits) {
                    return value;
                }
                depth += 32;
            }
        })
    }

    /// Whether exactly one node is undecided at every level. Then the number of flips has mean 2
    /// and variance 2. This holds for a coin with an irrational probability, and for the law P(x) =
    /// 2^-x, whose entropy is also 2.
    fn is_one_path(&self) -> bool {
        match &*self.kind {
            LawKind::Bernoulli(..) => true,
            LawKind::Geometric(law) => law.p == Rational::new(1.into(), 2.into()),
            _ => false,
        }
    }

    /// Returns the least expected number of flips.
    ///
    /// # Panics
    /// If the returned number is enclosed for a zeta law. For such a law, call
    /// [`EndlessText::flip_cells`].
    pub fn optimum(&self) -> Real {
        if self.is_one_path() {
            return Real::integer(2);
        }
        self.enclosed_by_digits(|digits| digits.moment(1))
    }

    /// Returns the variance of the number of flips of the optimal tree.
    pub fn variance(&self) -> Real {
        if self.is_one_path() {
            return Real::integer(2);
        }
        self.enclosed_by_digits(|digits| {
            let mean = digits.moment(1);
            digits.moment(2).minus(&mean.times(&mean))
        })
    }

    /// The entropy in bits.
    pub fn entropy(&self) -> Real {
        if matches!(*self.kind, LawKind::Geometric(_)) && self.is_one_path() {
            return Real::integer(2);
        }
        if let LawKind::Zeta(zeta) = &*self.kind {
            let zeta = zeta.clone();
            return real_from_enclosures(move |bits| zeta.entropy(bits));
        }
        self.enclosed_by_digits(Digits::entropy)
    }
}

impl fmt::Display for EndlessText {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for EndlessText {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{:?}", self.text)
    }
}

impl PartialEq for EndlessText {
    fn eq(&self, other: &EndlessText) -> bool {
        self.text == other.text
    }
}

impl std::str::FromStr for EndlessText {
    type Err = String;

    fn from_str(text: &str) -> Result<EndlessText, String> {
        let text = unbracketed(text).map_or(text, |(inner, _)| inner).trim();
        Ok(EndlessText {
            kind: Arc::new(parse_kind(text)?),
            text: text.into(),
            known: Arc::default(),
        })
    }
}

/// Returns the only entry of a list, or the value itself. In other questions, a field with the same
/// name may be a list.
fn only_entry(json: &Json) -> &Json {
    match json.as_array().map(Vec::as_slice) {
        Some([one]) => one,
        _ => json,
    }
}

impl FieldValue for EndlessText {
    const ABOUT: ValueAbout = ValueAbout {
        fits: |json| only_entry(json).as_str().is_some_and(is_endless),
        ..ValueAbout::python("TargetLike")
    };

    fn of_json(json: &Json, _: Names) -> Result<EndlessText, Sentence> {
        text_from_json(only_entry(json))?
            .parse()
            .map_err(|error: String| error.into())
    }

    fn json(&self) -> Option<Json> {
        Some(self.to_string().into())
    }
}
