//! Weights with their labels, and the errors of a text or a file of weights.

use super::super::{Target, TargetError};
use flipcost_number::expression::ExpressionError;
use flipcost_number::grammar::{AlgebraError, Vocabulary};

use flipcost_number::{BigInt, BigUint, Decimal, Rational, Rounding};
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};
use std::fmt;

use std::sync::Arc;

/// The maximum number of weights of a target.
pub const MAX_WEIGHTS: usize = 1 << 22;

/// The maximum number of bits of all weights together: 256 MB.
pub const MAX_BITS: u64 = 1 << 31;

/// A target as it was written, with the labels of its outcomes. It is parsed with this grammar:
///
/// ```text
/// target = number                             a fair die: 6, 10^18 + 9
///        | number (',' number)+               weights: 4,7,8; 1/2, 0.25, 1/4
///        | number (':' number)+               the same: 1:2:3
///        | formula of dice                    its value: 3d6 + 2, 4d6kh3, 5d10cs>=8, max(d6, d8), 3d6 >= 11
///        | name ':' field (',' field)*        a law by its name:
///            bernoulli:p=1/3, bernoulli:1/3   1 with that probability, else 0; double:0.1 is its exact value
///            binomial:n=20,p=1/3              successes in 20 trials
///            geometric:p=1/3,max=10           trials up to the first success, max for that many or more
///            hypergeometric:N=52,K=4,n=5      marked ones among 5 drawn of 52 of which 4 are marked
///            zipf:n=10,s=1                    1, ..., n in proportion to 1/i^s; s = 1 by default
///            benford:digits=6                 first digits, log10(1 + 1/d) rounded to this many decimals
///            doubles:0.1,0.2,0.7              weights that are binary64 numbers: their exact values
///        | '(' target ')'                    so that a list of targets can hold a law with commas
/// ```
///
/// A number is a whole number, a fraction or a decimal with its exact value, or an expression
/// (`2^64 - 1`). Weights that are fractions are multiplied by their common denominator. The dice of
/// a formula are independent; [`DiceLaw`](super::DiceLaw) parses formulas, also with letters that
/// stand for dice. [`Weights::of_file`] parses weights from the text of a file instead.
///
/// **Limits.** At most 2^22 weights, with at most 2^31 bits together.
///
/// ```
/// use flipcost::task::Weights;
/// let sum: Weights = "3d6".parse()?;
/// assert_eq!(sum.target().to_string(), "1:3:6:10:15:21:25:27:27:25:21:15:10:6:3:1");
/// assert_eq!(sum.label(&0u8.into()), "3"); // three ones
/// let loaded: Weights = "1:2:3".parse()?;
/// assert_eq!(loaded.label(&0u8.into()), "1"); // the first face
/// assert_eq!("1/2, 1/3, 1/6".parse::<Weights>()?.target().to_string(), "3:2:1");
/// let error = "1:2:x".parse::<Weights>().unwrap_err().to_string();
/// assert!(error.ends_with("at character 5 ('x')"), "{error}");
/// # Ok::<(), flipcost::task::WeightsError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    pub(super) target: Target,
    pub(super) labels: Labels,
}

/// The labels of the outcomes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Labels {
    /// Faces 1, 2, 3, ...
    Faces,
    /// Values, in increasing order.
    Values(Arc<[i64]>),
    /// Names from a file.
    Names(Arc<[String]>),
}

/// The error for a text that is not a target.
///
/// ```
/// use flipcost::task::{Weights, WeightsError};
/// assert!(matches!("0:0".parse::<Weights>(), Err(WeightsError::Target(_))));
/// assert!(matches!("3d".parse::<Weights>(), Err(WeightsError::Text(_))));
/// assert!(matches!(Weights::of_file("1\ntwo\n"), Err(WeightsError::Line { line: 2, .. })));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WeightsError {
    /// The text is invalid at some character.
    #[error(transparent)]
    Text(#[from] ExpressionError),
    /// A line of the file is invalid.
    #[error("line {line} of the weights: {what}")]
    Line {
        /// The number of the line, counted from 1.
        line: usize,
        /// The problem, and what would be valid.
        what: String,
    },
    /// The column does not exist, or more than one column is possible.
    #[error("{0}")]
    Column(String),
    /// The weights do not form a target.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// There are too many weights, or they are too long.
    #[error("{0}")]
    TooLarge(String),
}

/// The words for error messages about a whole target.
pub static WORDS: Vocabulary = Vocabulary {
    noun: "a target",
    operand: "a number of sides such as 6, weights such as 1:2:3, dice such as 3d6 or a law such as binomial:n=20,p=1/3 was expected",
    operator: "one of , : + - * / % < <= = >= > or the end was expected",
    names: true,
    dice: false,
    functions: &[],
};

/// Creates an error at a character of the text.
pub(super) fn error_at(text: &str, at: usize, what: impl fmt::Display) -> WeightsError {
    let refusal = AlgebraError::new(at, what);
    ExpressionError::new(text, &WORDS, refusal).into()
}

/// Converts the error of a target in brackets that begins at this byte of the text, so that its
/// position is one in the text.
pub(super) fn move_error(text: &str, begin: usize, error: WeightsError) -> WeightsError {
    match error {
        WeightsError::Text(error) => error_in_part(text, begin, &error),
        error => error,
    }
}

/// Converts the error of a part that begins at this byte of the text, so that its position is one
/// in the text.
pub(super) fn error_in_part(text: &str, begin: usize, error: &ExpressionError) -> WeightsError {
    if begin == 0 && !error.has_place() {
        let what = error.what().to_string();
        return ExpressionError::of_value(text, &WORDS, what).into();
    }
    error_at(
        text,
        text[..begin].chars().count() + error.position(),
        error.what(),
    )
}

pub(super) fn too_many_weights() -> WeightsError {
    WeightsError::TooLarge(format!(
        "there are more than {MAX_WEIGHTS} weights, which is the most that a target can have"
    ))
}

pub(super) fn too_long_weights() -> WeightsError {
    WeightsError::TooLarge(format!(
        "the weights would have more than {MAX_BITS} bits together, which is the most that a target can have"
    ))
}

/// Checks the number of weights and the approximate number of their bits against the limits, before
/// the weights are computed.
pub(super) fn check_size(count: u64, bits: u64) -> Result<(), WeightsError> {
    if count > MAX_WEIGHTS as u64 {
        return Err(too_many_weights());
    }
    if count.saturating_mul(bits) <= MAX_BITS {
        Ok(())
    } else {
        Err(too_long_weights())
    }
}

/// Converts nonnegative rationals to integers in the same proportion: multiplies them by their
/// least common denominator.
pub(super) fn integers(weights: Vec<Rational>) -> Result<Vec<BigUint>, WeightsError> {
    if weights.len() > MAX_WEIGHTS {
        return Err(too_many_weights());
    }
    let mut common = BigUint::one();
    for weight in &weights {
        let below = weight.denom().magnitude();
        if !below.is_one() && !common.is_multiple_of(below) {
            common = common.lcm(below);
            check_size(weights.len() as u64, common.bits())?;
        }
    }
    let bits = weights
        .iter()
        .map(|weight| weight.numer().bits() + common.bits());
    if bits.sum::<u64>() > 2 * MAX_BITS {
        return Err(too_long_weights());
    }
    let scaled = |weight: Rational| {
        let (above, below) = weight.into_raw();
        above.magnitude() * (&common / below.magnitude())
    };
    Ok(weights.into_iter().map(scaled).collect())
}

/// Refuses percentages that do not sum to 100%, because they may be weights, or an outcome may be
/// missing. Also refuses percentages next to other numbers, unless all of them sum to 1. A sum is
/// accepted if the rounding of the numbers explains its error: half a unit of the last decimal of
/// each number.
pub(super) fn check_percentages<'a>(
    texts: impl Iterator<Item = &'a str> + Clone,
    weights: &[Rational],
) -> Result<(), String> {
    let is_percentage = |text: &str| text.trim().ends_with('%');
    if weights.len() < 2 || !texts.clone().any(is_percentage) {
        return Ok(());
    }
    let mut pairs = texts.clone().zip(weights);
    let plain = pairs.find(|(text, weight)| !is_percentage(text) && !weight.is_zero());
    if let Some((plain, _)) = plain {
        let sum = weights.iter().sum::<Rational>();
        return if sum.is_one() {
            Ok(())
        } else {
            let plain = plain.trim();
            Err(format!(
                "\"{plain}\" next to percentages has two readings: {plain} percent are written {plain}%, and weights are all written without %"
            ))
        };
    }
    if is_rounded_sum(texts, weights, 1) {
        return Ok(());
    }
    let whole = Rational::from(BigInt::from(100));
    let sum = &whole * weights.iter().sum::<Rational>();
    let shown = short_sum(&sum);
    let other = if sum < whole {
        "what is missing is one more outcome with its percentage"
    } else {
        "probabilities sum to 100%"
    };
    Err(format!(
        "the percentages sum to {shown}%, which has two readings: weights in this proportion are written without %, and {other}"
    ))
}

/// Refuses numbers below 1 that do not sum to 1: they may be probabilities of which one is missing.
pub(super) fn check_probabilities<'a>(
    texts: impl Iterator<Item = &'a str> + Clone,
    weights: &[Rational],
) -> Result<(), String> {
    let is_part = |weight: &Rational| !weight.is_negative() && *weight < Rational::one();
    let have_marks = texts
        .clone()
        .any(|text| text.contains('/') || text.contains('.'));
    if have_marks
        && weights.len() > 2
        && weights.is_sorted()
        && weights.last().is_some_and(One::is_one)
    {
        return Err(
            "the numbers rise to 1, which has two readings: of running sums their differences are written, and weights in this proportion are whole numbers"
                .to_string(),
        );
    }
    let are_parts = weights.len() > 1 && have_marks && weights.iter().all(is_part);
    if !are_parts || is_rounded_sum(texts, weights, 1) {
        return Ok(());
    }
    Err(format!(
        "the numbers sum to {}, which has two readings: weights in this proportion are written as whole numbers, or in a column called weight, and probabilities sum to 1",
        short_sum(&weights.iter().sum())
    ))
}

/// Whether numbers sum to 1 or 100 up to their rounding: half a unit of the last decimal of each
/// number, if they have decimals.
pub(super) fn is_rounded_sum<'a>(
    texts: impl Iterator<Item = &'a str>,
    weights: &[Rational],
    whole: u32,
) -> bool {
    let (mut places, mut are_decimal, mut have_percent) = (0, true, false);
    for text in texts {
        let text = text.trim();
        let digits = text.trim_end_matches('%').trim_end();
        have_percent |= digits.len() < text.len();
        are_decimal &= digits
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'.');
        let decimals = digits
            .rsplit_once('.')
            .map_or(0, |(_, digits)| digits.len());
        places = places.max(decimals as u32);
    }
    let units = BigInt::from(2) * BigInt::from(10).pow(places);
    let percent = if have_percent { 100 } else { 1 };
    let rounding = match places {
        1.. if are_decimal && (places > 1 || whole > 1 || have_percent) => {
            Rational::new(weights.len().into(), units * percent)
        }
        _ => Rational::zero(),
    };
    let apart = weights.iter().sum::<Rational>() - Rational::from(BigInt::from(whole));
    apart.abs() <= rounding
}

/// Formats a sum for a sentence.
pub(super) fn short_sum(sum: &Rational) -> String {
    let decimal = Decimal::down(sum, 6);
    match decimal.rounding() {
        Rounding::Exact => {
            let text = decimal.to_string();
            text.trim_end_matches('0').trim_end_matches('.').to_string()
        }
        _ => sum.to_string(),
    }
}

impl Weights {
    /// Creates a target whose outcomes have no names: they are the faces 1, 2, 3, ...
    pub fn new(target: Target) -> Weights {
        Weights {
            target,
            labels: Labels::Faces,
        }
    }

    pub(super) fn of_values(
        weights: Vec<BigUint>,
        values: Vec<i64>,
    ) -> Result<Weights, WeightsError> {
        Ok(Weights {
            target: Target::weighted(weights)?,
            labels: Labels::Values(values.into()),
        })
    }

    /// The target.
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// The label of outcome i, counted from 0: its value for dice and laws of numbers, its name in
    /// a file, otherwise face i + 1.
    pub fn label(&self, outcome: &BigUint) -> String {
        let place = outcome.to_usize();
        let known = match &self.labels {
            Labels::Faces => None,
            Labels::Values(values) => place.and_then(|i| values.get(i)).map(i64::to_string),
            Labels::Names(names) => place.and_then(|i| names.get(i)).cloned(),
        };
        known.unwrap_or_else(|| (outcome + 1u8).to_string())
    }

    /// Whether the outcomes have names.
    pub fn is_labelled(&self) -> bool {
        self.labels != Labels::Faces
    }
}
