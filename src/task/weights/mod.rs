//! Targets as people write them, and the names of their outcomes.
//!
//! ```text
//! target = number                             a fair die: 6, 10^18 + 9
//!        | number (',' number)+               weights: 4,7,8; 1/2, 0.25, 1/4
//!        | number (':' number)+               the same: 1:2:3
//!        | expression of dice                 its value: 3d6, d6 + 2d4, 3d6 >= 11; / is whole division
//!        | name ':' field (',' field)*        a law by its name:
//!            binomial:n=20,p=1/3              successes in 20 trials
//!            geometric:p=1/3,max=10           trials up to the first success, max for that many or more
//!            hypergeometric:N=52,K=4,n=5      marked ones among 5 drawn of 52 of which 4 are marked
//!            zipf:n=10,s=1                    1, ..., n in proportion to 1/i^s; s = 1 by default
//!            benford:digits=6                 first digits, log10(1 + 1/d) rounded to so many decimals
//!            doubles:0.1,0.2,0.7              weights that are binary64 numbers: their exact values
//!        | '(' target ')'                    so that a list of targets can hold a law with commas
//! ```
//!
//! A number is a whole number, a fraction or decimals, exactly as written, and may be an expression
//! (`2^64 - 1`); weights that are fractions are multiplied by their common denominator. The literals
//! of an expression of dice are independent dice. Files of weights are another door to the same
//! target, [`Weights::of_file`]; a formula in which a letter is a die is one more,
//! [`Weights::of_formula`].
//!
//! **Limits.** At most [`MOST_WEIGHTS`] weights, and [`MOST_BITS`] bits of all of them together.

mod dice;
mod file;
mod named;

use super::{Target, TargetError};
use crate::grammar::{AlgebraError, ExpressionError, Words, unbracketed};
use crate::number::expression::{parse_natural, parse_rational};
use crate::number::{BigUint, Rational};
use num_integer::Integer;
use num_traits::{One, ToPrimitive};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// A target may be given by at most so many weights.
pub const MOST_WEIGHTS: usize = 1 << 22;

/// All weights together may have so many bits: 256 MB.
pub const MOST_BITS: u64 = 1 << 31;

/// A target as it was written, and what its outcomes are called.
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
    target: Target,
    labels: Labels,
}

/// What the outcomes are called.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Labels {
    /// Faces 1, 2, 3, ...
    Faces,
    /// Values, in increasing order.
    Values(Arc<[i64]>),
    /// As in a file.
    Names(Arc<[String]>),
}

/// A text is no target.
///
/// ```
/// use flipcost::task::{Weights, WeightsError};
/// assert!(matches!("0,0".parse::<Weights>(), Err(WeightsError::Target(_))));
/// assert!(matches!("3d".parse::<Weights>(), Err(WeightsError::Text(_))));
/// assert!(matches!(Weights::of_file("1\ntwo\n"), Err(WeightsError::Line { line: 2, .. })));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WeightsError {
    /// The text, with the character that is wrong.
    #[error(transparent)]
    Text(#[from] WrongText),
    /// A line of a file.
    #[error("line {line} of the weights: {what}")]
    Line {
        /// Counted from 1.
        line: usize,
        /// What is wrong, and what would be right.
        what: String,
    },
    /// The weights are no target.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// There are too many of them, or they are too long.
    #[error("{0}")]
    TooLarge(String),
}

/// A text that is no target: where, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongText(ExpressionError);

impl WrongText {
    /// The character that is wrong, from 0.
    pub fn at(&self) -> usize {
        self.0.at()
    }
}

impl fmt::Display for WrongText {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for WrongText {}

/// The words of an error about a whole target.
static WORDS: Words = Words {
    noun: "a target",
    operand: "a number of sides such as 6, weights such as 1:2:3, dice such as 3d6 or a law such as binomial:n=20,p=1/3 was expected",
    operator: "one of , : + - * / % < <= = >= > or the end was expected",
    names: true,
    functions: &[],
};

/// A refusal that points at a character of the text.
fn wrong(text: &str, at: usize, what: impl fmt::Display) -> WeightsError {
    let refusal = AlgebraError::new(at, what);
    WrongText(ExpressionError::new(text, &WORDS, refusal)).into()
}

/// The refusal of a target in brackets, which begins at this byte of the text.
fn moved(text: &str, begin: usize, error: WeightsError) -> WeightsError {
    match error {
        WeightsError::Text(WrongText(error)) => inside(text, begin, &error),
        error => error,
    }
}

/// A refusal of a part that begins at this byte of the text.
fn inside(text: &str, begin: usize, error: &ExpressionError) -> WeightsError {
    if begin == 0 && !error.has_place() {
        let what = error.what().to_string();
        return WrongText(ExpressionError::of_value(text, &WORDS, what)).into();
    }
    wrong(
        text,
        text[..begin].chars().count() + error.at(),
        error.what(),
    )
}

fn too_many() -> WeightsError {
    WeightsError::TooLarge(format!(
        "there are more than {MOST_WEIGHTS} weights, which is the most that a target can have"
    ))
}

fn too_long() -> WeightsError {
    WeightsError::TooLarge(format!(
        "the weights would have more than {MOST_BITS} bits together, which is the most that a target can have"
    ))
}

/// Weights of about so many bits each; refused before they are made.
fn fits(count: u64, bits: u64) -> Result<(), WeightsError> {
    if count > MOST_WEIGHTS as u64 {
        return Err(too_many());
    }
    match count.saturating_mul(bits) <= MOST_BITS {
        true => Ok(()),
        false => Err(too_long()),
    }
}

/// The integers in proportion to rationals from 0: times the least common denominator.
fn integers(weights: Vec<Rational>) -> Result<Vec<BigUint>, WeightsError> {
    if weights.len() > MOST_WEIGHTS {
        return Err(too_many());
    }
    let mut common = BigUint::one();
    for weight in &weights {
        let below = weight.denom().magnitude();
        if !below.is_one() && !common.is_multiple_of(below) {
            common = common.lcm(below);
            fits(weights.len() as u64, common.bits())?;
        }
    }
    let bits = weights
        .iter()
        .map(|weight| weight.numer().bits() + common.bits());
    if bits.sum::<u64>() > 2 * MOST_BITS {
        return Err(too_long());
    }
    let scaled = |weight: Rational| {
        let (above, below) = weight.into_raw();
        above.magnitude() * (&common / below.magnitude())
    };
    Ok(weights.into_iter().map(scaled).collect())
}

impl Weights {
    /// A target whose outcomes have no names: they are faces 1, 2, 3, ...
    pub fn new(target: Target) -> Weights {
        Weights {
            target,
            labels: Labels::Faces,
        }
    }

    fn of_values(weights: Vec<BigUint>, values: Vec<i64>) -> Result<Weights, WeightsError> {
        Ok(Weights {
            target: Target::weighted(weights)?,
            labels: Labels::Values(values.into()),
        })
    }

    /// The law of a formula of dice in which a letter is a die: `dice` are its letters and their
    /// sides, and the value of a letter is a face from 1. It may use a letter more than once.
    /// Outcomes are the values that it can have, in increasing order. Cost: one value for each face
    /// of all dice together.
    ///
    /// ```
    /// use flipcost::task::Weights;
    /// let sum = Weights::of_formula("a + b", &[("a", 6), ("b", 6)])?;
    /// assert_eq!(sum.target().to_string(), "1:2:3:4:5:6:5:4:3:2:1");
    /// assert_eq!(sum.label(&10u8.into()), "12");
    /// // a d12 from two d6
    /// let fair = Weights::of_formula("a + 6 * (b % 2)", &[("a", 6), ("b", 6)])?;
    /// assert_eq!(fair.target().to_string(), "12");
    /// # Ok::<(), flipcost::task::WeightsError>(())
    /// ```
    ///
    /// # Errors
    /// A text that is no formula of these letters; a die without sides; more than
    /// [`MOST_ROLLS`] combinations of faces; values beyond 2^63.
    pub fn of_formula(text: &str, dice: &[(&str, u64)]) -> Result<Weights, WeightsError> {
        dice::of_formula(text, dice)
    }

    /// The weights in the text of a file: one weight a line (a number as in the grammar of targets;
    /// blank lines and lines that begin with `#` are skipped); or lines of fields between commas,
    /// semicolons or tabs, of which the last is the weight and the first the outcome's name, or the
    /// column `weight` if the first line names one; or a Python dict of whole numbers and fractions
    /// as `icepool` and `dyce` print it.
    ///
    /// ```
    /// use flipcost::task::Weights;
    /// assert_eq!(Weights::of_file("4\n7\n8\n")?.target().to_string(), "4:7:8");
    /// let table = Weights::of_file("name,weight\nred,1/2\nblue,1/6\nelse,1/3\n")?;
    /// assert_eq!((table.target().to_string().as_str(), table.label(&1u8.into()).as_str()), ("3:1:2", "blue"));
    /// let dict = Weights::of_file("Die({2: Fraction(1, 3), 5: Fraction(2, 3)})")?;
    /// assert_eq!((dict.target().to_string().as_str(), dict.label(&1u8.into()).as_str()), ("1:2", "5"));
    /// # Ok::<(), flipcost::task::WeightsError>(())
    /// ```
    ///
    /// # Errors
    /// [`WeightsError`], with the line.
    pub fn of_file(text: &str) -> Result<Weights, WeightsError> {
        // what spreadsheets write before the first line
        file::read(text.strip_prefix('\u{feff}').unwrap_or(text))
    }

    /// The target.
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// What outcome i (from 0) is called: its value for dice and laws of numbers, its name in a
    /// file, else face i + 1.
    pub fn label(&self, outcome: &BigUint) -> String {
        let place = outcome.to_usize();
        let known = match &self.labels {
            Labels::Faces => None,
            Labels::Values(values) => place.and_then(|i| values.get(i)).map(i64::to_string),
            Labels::Names(names) => place.and_then(|i| names.get(i)).cloned(),
        };
        known.unwrap_or_else(|| (outcome + 1u8).to_string())
    }

    /// Have the outcomes names of their own?
    pub fn is_labelled(&self) -> bool {
        self.labels != Labels::Faces
    }
}

impl FromStr for Weights {
    type Err = WeightsError;

    /// Reads a target in the grammar of this module's page. Cost: linear in the text and the
    /// weights, but for expressions.
    fn from_str(text: &str) -> Result<Weights, WeightsError> {
        let first = text.trim_start();
        if let Some((inner, begin)) = unbracketed(text)
            && (inner.contains([',', ':']) || dice::has_dice(inner))
        {
            return inner.parse().map_err(|error| moved(text, begin, error));
        }
        if let Some((name, fields)) = first.split_once(':')
            && name.starts_with(|c: char| c.is_ascii_alphabetic())
        {
            let begin = text.len() - fields.len();
            return named::read(text, text.len() - first.len(), name.trim_end(), begin);
        }
        let mark = [',', ':'].into_iter().find(|mark| text.contains(*mark));
        if let Some(mark) = mark {
            return list(text, mark);
        }
        if dice::has_dice(text) {
            return dice::read(text);
        }
        if let Some(example) = named::example(first.trim_end()) {
            let what = format!("the law has fields, as in {example}");
            return Err(wrong(text, text.chars().count(), what));
        }
        let sides = parse_natural(text).map_err(|error| inside(text, 0, &error))?;
        Ok(Weights::new(Target::uniform(sides)?))
    }
}

/// Numbers between commas, or between colons.
fn list(text: &str, mark: char) -> Result<Weights, WeightsError> {
    let (mut weights, mut begin) = (Vec::new(), 0);
    for part in text.split(mark) {
        let weight = parse_rational(part).map_err(|error| inside(text, begin, &error))?;
        weights.push(weight);
        begin += part.len() + mark.len_utf8();
        if weights.len() > MOST_WEIGHTS {
            return Err(too_many());
        }
    }
    Ok(Weights::new(Target::weighted(integers(weights)?)?))
}

pub use dice::MOST_ROLLS;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> String {
        match text.parse::<Weights>() {
            Ok(weights) => weights.target().to_string(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn one_grammar() {
        assert_eq!(read("6"), "6");
        assert_eq!(read("2^70"), (BigUint::one() << 70u8).to_string());
        assert_eq!(read("4,7,8"), "4:7:8");
        assert_eq!(read(" 4 : 7 : 8 "), "4:7:8");
        assert_eq!(read("2:2"), "2");
        assert_eq!(read("0.1, 0.2, 0.7"), "1:2:7");
        assert_eq!(read("2^64, 1"), "18446744073709551616:1");
        assert_eq!(read("1d6"), "6");
        assert_eq!(read("2d2"), "1:2:1");
        assert_eq!(read("d2 + d2"), "1:2:1");
        assert_eq!(read("d6 + 1d4"), read("1d6 + 1d4"));
        assert_eq!(read("d2*2 + 1"), "2");
        assert_eq!(read("0:3:0"), "0:1:0");
    }

    #[test]
    fn errors_point_at_the_character() {
        for (text, at) in [
            ("1:2:x", 4),
            ("1,,2", 2),
            ("1,2,", 4),
            ("1;2", 1),
            ("", 0),
            ("3d", 1),
            ("3d6 +", 5),
            ("-1:2", 0),
            ("3d6^2", 3),
            ("binomial:n=20", 13),
            ("binomial:n=20,q=3", 14),
            ("poisson:l=3", 0),
            ("zipf:n=x", 7),
            ("é:2", 0),
            ("1:é", 2),
        ] {
            match text.parse::<Weights>() {
                Err(WeightsError::Text(error)) => assert_eq!(error.at(), at, "{text}: {error}"),
                other => panic!("{text}: {other:?}"),
            }
        }
        assert_eq!(
            read("0,0"),
            "weights that are all 0 give no outcome: at least one must be above 0"
        );
        assert_eq!(
            read("0"),
            "a target of 0 sides has no outcome: n must be at least 1"
        );
    }

    proptest! {
        /// What a target is written as is read as that target.
        #[test]
        fn a_target_is_read_back(weights in prop::collection::vec(any::<u64>(), 1..20), n in 1u64..) {
            for target in [Target::weighted(weights), Target::uniform(n)].into_iter().flatten() {
                // one weight alone is a fair die of one side
                prop_assert_eq!(target.to_string().parse::<Weights>(), Ok(Weights::new(target)));
            }
        }

        /// No text makes it panic.
        #[test]
        fn any_text_is_read_or_refused(text in "[0-9dx:,+*/%.()<= a-c^-]{0,24}") {
            let _ = text.parse::<Weights>();
            let _ = Weights::of_file(&text);
        }
    }
}
