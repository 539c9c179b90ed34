//! Targets as users type them and in JSON: fair dice or weights.

use crate::description::{FieldValue, ValueAbout, text_from_json, to_sentence};
use crate::endless::{has_end, is_endless};
use crate::say;
use crate::sentence::Sentence;
use crate::sides::check_known_source;
use crate::value::{
    fast_dice_roller, knuth_yao_id, negative_difference_error, parse_range, registered_algorithm,
};
use crate::{AlgorithmId, CellKind, Names, Natural, QueryError, Sides};
use flipcost::table::Cell;
use flipcost::task::{
    DiceLaw, Source, Target, Task, Weights, WeightsError, coin_weights, has_dice, strip_die,
};
use flipcost_number::BigUint;
use flipcost_number::grammar::{items, unbracketed};
use flipcost_number::named::NamedNumber;
use flipcost_number::short::short;
use num_traits::Zero;
use serde_json::Value as Json;
use std::fmt;
use std::fmt::Write;
use std::str::FromStr;
use std::sync::Arc;

/// A target with its text: `6`, `10^18+9`, `1:2:3`, `3d6`, `binomial:n=20,p=1/3`, or weights with
/// the names of their outcomes, `{'red': 1, 'blue': 2}`. Two targets are equal if they have the
/// same probabilities and names.
///
/// ```
/// use flipcost_question::TargetText;
/// let sum: TargetText = "2d6".parse()?;
/// assert_eq!((sum.to_string().as_str(), sum.label(&0u8.into()).as_str()), ("2d6", "2"));
/// // The text of a file becomes the weights themselves.
/// let file = TargetText::of_file("red,1/2\nblue,1/6\nelse,1/3\n", None)?;
/// assert_eq!(file.to_string(), "{'red': 3, 'blue': 1, 'else': 2}");
/// assert_eq!(file.to_string().parse::<TargetText>()?, file);
/// # Ok::<(), flipcost_question::TargetTextError>(())
/// ```
#[derive(Clone, Debug)]
pub struct TargetText {
    text: Arc<str>,
    weights: Weights,
}

/// The error for a text that is not a target.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TargetTextError {
    /// The text is not a target.
    #[error(transparent)]
    Weights(#[from] WeightsError),
    /// A name of an outcome cannot be written in the text of a question.
    #[error(
        "the outcome {0} has a name with a backslash, a control character or both kinds of quotes: another name was expected"
    )]
    Name(String),
    /// The text is a probability instead of a target.
    #[error(
        "\"{text}\" is a probability, not a target: for an event with this probability write the weights {heads}:{tails}"
    )]
    Probability {
        /// The text as the user typed it.
        text: String,
        /// The weight of heads of the coin with this probability.
        heads: BigUint,
        /// The weight of tails of this coin.
        tails: BigUint,
    },
    /// The text lists several targets instead of one.
    #[error(
        "\"{0}\" is a range of targets, and a single target was expected: a die with the faces 1 to {1} is written {1}"
    )]
    Range(String, u64),
    /// The text has dice in braces.
    #[error(
        "\"{0}\" is a group of dice in braces: the highest of several is written max(2d20, d12), the lowest min(2d20, d12), and the highest of four dice 4d6kh1"
    )]
    Group(String),
    /// The text names outcomes in a wrong notation.
    #[error("\"{text}\" names outcomes, which are written {right} or stand in a file, @FILE")]
    Names {
        /// The names as the user typed them.
        text: String,
        /// The names with their weights, in the right notation.
        right: String,
    },
}

impl TargetText {
    /// Reads a target from the text of a file, as [`Weights::of_file`] or [`Weights::of_column`]
    /// does. The target is displayed as its weights, with the names of the outcomes if they have
    /// names.
    ///
    /// # Errors
    /// [`TargetTextError`], if the text is not a target.
    pub fn of_file(text: &str, column: Option<&str>) -> Result<TargetText, TargetTextError> {
        let weights = match column {
            Some(column) => Weights::of_column(text, column)?,
            None => Weights::of_file(text)?,
        };
        let text = if weights.is_labelled() {
            format_named_weights(&weights)?
        } else {
            weights.target().to_string()
        };
        Ok(TargetText {
            text: text.into(),
            weights,
        })
    }

    /// Reads a target from a file and writes it as an item of a list.
    pub fn item_of_file(text: &str, column: Option<&str>) -> Result<String, String> {
        let target = TargetText::of_file(text, column).map_err(|error| error.to_string())?;
        Ok(target.as_item())
    }

    /// Writes the target as an item of a list, where commas separate targets.
    pub fn as_item(&self) -> String {
        match items(&self.text).count() {
            1 => self.text.to_string(),
            _ => format!("({})", self.text),
        }
    }

    /// A note that a text with commas was read as weights; `None` for other texts.
    pub fn as_weights(&self) -> Option<String> {
        let weights = items(&self.text).nth(1).is_some() && !self.text.contains(':');
        let text = shorten_text(&self.text);
        weights.then(|| {
            format!(
                "{text} is read as the weights {}, which colons show more clearly; where a list of targets is allowed, {text}, with a comma at its end means {} dice",
                shorten_text(&items(&self.text).collect::<Vec<_>>().join(":")),
                items(&self.text).count()
            )
        })
    }

    /// The probabilities of the outcomes.
    pub fn target(&self) -> &Target {
        self.weights.target()
    }

    /// The sides of a fair die; `None` for other targets.
    pub fn sides(&self) -> Option<&BigUint> {
        self.target().sides()
    }

    /// The name of outcome i (counted from 0).
    pub fn label(&self, outcome: &BigUint) -> String {
        self.weights.label(outcome)
    }

    /// Whether the outcomes have names.
    pub fn is_labelled(&self) -> bool {
        self.weights.is_labelled()
    }

    /// The bits of the sum of the weights; for a fair die the bits of n.
    pub fn bits(&self) -> u64 {
        self.target().weight_sum().bits()
    }

    /// The sum of the weights, or n for a fair die; at most the largest `u128`. For estimates.
    pub fn sum_or_most(&self) -> u128 {
        self.target().weight_sum().try_into().unwrap_or(u128::MAX)
    }

    /// The number of listed weights (1 for a fair die), and the number of bits of all weights
    /// together.
    pub fn size(&self) -> (u128, u128) {
        match self.target().weights() {
            None => (1, self.bits().into()),
            Some(weights) => {
                let bits: u128 = weights.iter().map(|weight| u128::from(weight.bits())).sum();
                (weights.len() as u128, bits)
            }
        }
    }

    /// Returns the target if it is short enough to compute with.
    ///
    /// # Errors
    /// If the target is too long.
    pub fn checked(&self) -> Result<&Target, QueryError> {
        match (self.bits(), self.sides()) {
            (0..=Natural::MAX_BITS, _) => Ok(self.target()),
            (bits, sides) => {
                let (what, of) = match sides {
                    Some(_) => (format!("a target of {bits} bits is too long"), "n"),
                    None => (
                        format!("weights whose sum has {bits} bits are too long"),
                        "the sum",
                    ),
                };
                let right = format!("{of} must be below 2^{}", Natural::MAX_BITS);
                Err(QueryError::wrong("target", what).right(right))
            }
        }
    }

    /// Returns the task with a source of known probabilities.
    ///
    /// # Errors
    /// The errors of [`TargetText::task_of_any`]; also if the source is unknown.
    pub fn task(&self, source: &Source) -> Result<Task, QueryError> {
        check_known_source(source)?;
        self.task_of_any(source)
    }

    /// Returns the task with a source of known probabilities, which may be a word of any width,
    /// since costs are computed but no faces are rolled.
    ///
    /// # Errors
    /// The errors of [`TargetText::checked`]; also if the source is unknown.
    pub fn task_of_any_width(&self, source: &Source) -> Result<Task, QueryError> {
        check_known_source(source)?;
        Ok(Task::new(self.checked()?.clone(), source.clone()))
    }

    /// Returns the task with a source whose probabilities may be unknown, for rolls that a person
    /// made.
    ///
    /// # Errors
    /// The errors of [`TargetText::checked`]; also if the source is a word that is too wide.
    pub fn task_of_any(&self, source: &Source) -> Result<Task, QueryError> {
        let task = Task::new(self.checked()?.clone(), source.clone());
        if source.is_fair() {
            task.words().map_err(QueryError::for_field("source"))?;
        }
        Ok(task)
    }

    /// The kind of a column of targets: counts of sides for fair dice, texts for weights.
    pub fn kind(&self) -> CellKind {
        match self.sides() {
            Some(_) => CellKind::Count,
            None => CellKind::Text,
        }
    }

    /// The formula of dice or the named law whose values are the outcomes, for example `3d6 + 2`.
    pub fn formula(&self) -> Option<&str> {
        self.written_formula().filter(|_| self.sides().is_none())
    }

    /// As [`TargetText::formula`], also if all outcomes are equally likely.
    fn written_formula(&self) -> Option<&str> {
        let is_formula = self.is_labelled() && !self.text.starts_with('{');
        is_formula.then_some(&*self.text)
    }

    /// The cell of this target in a column of targets.
    pub fn cell(&self) -> Cell {
        match (self.sides(), self.formula()) {
            (Some(n), _) => Cell::Integer(n.into()),
            (None, Some(formula)) => Cell::Text(formula.to_string()),
            (None, None) => Cell::Text(self.target().to_string()),
        }
    }

    /// The cell of an outcome (counted from 0): a number counted from 1, or the outcome's name.
    pub fn outcome(&self, outcome: &BigUint) -> Cell {
        if self.is_labelled() {
            Cell::Text(self.label(outcome))
        } else {
            Cell::Integer((outcome + 1u8).into())
        }
    }

    /// The kind of a column of outcomes.
    pub fn outcome_kind(&self) -> CellKind {
        if self.is_labelled() {
            CellKind::Text
        } else {
            CellKind::Count
        }
    }

    /// Names the target for a sentence: `n = 6`, `3d6`, `the weights 1:2:3`. A long target is
    /// shortened.
    pub fn phrase(&self) -> String {
        match (self.sides(), self.displayed_formula()) {
            (_, Some(formula)) => shorten_text(formula),
            (Some(n), _) => format!("n = {}", short_number_phrase(&self.text, n)),
            (None, None) => format!("the weights {self:#}"),
        }
    }

    /// The formula or the law whose values are the outcomes. A fair die has a formula if its values
    /// are not 1 to n: `d20 + 5`.
    fn displayed_formula(&self) -> Option<&str> {
        let is_moved = self.is_labelled() && self.label(&BigUint::ZERO) != "1";
        let is_formula = is_moved && !self.text.starts_with('{');
        self.formula().or(is_formula.then_some(&*self.text))
    }

    /// Names the target for a title: `a d6`, `3d6`, `weights 1:2:3`. A long target is shortened.
    pub fn with_article(&self) -> String {
        match (self.sides(), self.displayed_formula()) {
            (_, Some(formula)) => shorten_text(formula),
            (Some(n), _) => match short_number_phrase(&self.text, n) {
                name if name == short(n) => format!("a d{name}"),
                name => format!("a die of {name} sides"),
            },
            (None, None) => match self.short_weights_text() {
                Some(typed) => format!("weights {typed} (= {self:#})"),
                None => format!("weights {self:#}"),
            },
        }
    }

    /// The weights as the user typed them, with colons; `None` if they are in lowest terms or if
    /// there are many.
    fn short_weights_text(&self) -> Option<String> {
        let is_number = |part: &&str| part.parse::<u64>().is_ok();
        let parts: Vec<&str> = self.text.split([',', ':']).map(str::trim).collect();
        let typed = parts.join(":");
        let is_few = self.text.len() <= 40 && parts.iter().all(is_number);
        (is_few && typed != format!("{:#}", self.target())).then_some(typed)
    }

    /// The default algorithm for this target: for a fair source, the fast dice roller for a fair
    /// die and the Knuth-Yao algorithm for weights, which cost the least; for a loaded source, the
    /// interval algorithm, which accepts every loaded source and target; for an unknown source,
    /// Elias' blocks.
    pub fn algorithm(&self, source: &Sides) -> AlgorithmId {
        match (source.0.is_fair(), self.sides()) {
            (true, Some(_)) => fast_dice_roller(),
            (true, None) => knuth_yao_id(),
            (false, Some(_)) if source.0.is_unknown() => registered_algorithm("elias"),
            (false, _) => registered_algorithm("interval"),
        }
    }

    /// The default algorithm if a finite chain is needed. For a loaded source the chain of the
    /// interval algorithm is mostly infinite, while that of Elias' blocks is finite.
    pub fn finite_algorithm(&self, source: &Sides) -> AlgorithmId {
        match (source.0.is_fair(), self.sides()) {
            (false, Some(_)) => registered_algorithm("elias"),
            _ => self.algorithm(source),
        }
    }
}

/// Formats a number for a sentence: as the user typed it (`p256`, `52!`) if it has many digits.
pub fn short_number_phrase(text: &str, n: &BigUint) -> String {
    let digits = short(n);
    let is_shorter = digits.ends_with(')') && text.len() < digits.len();
    if is_shorter { text.to_string() } else { digits }
}

/// Returns the beginning of a long text, for a sentence.
fn shorten_text(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_string(),
    }
}

/// Rewrites names and weights with commas between them, as in `sword 5, shield 3`, in the right
/// notation, if there are only a few.
fn rewrite_named_weights(text: &str) -> Option<String> {
    let line = |item: &str| {
        let (name, weight) = match item.rsplit_once([' ', ':', '=']) {
            Some((name, weight)) if weight.parse::<u64>().is_ok() => (name, weight),
            _ => (item, "1"),
        };
        let is_name = name.chars().all(|c| c.is_alphabetic() || " _-".contains(c));
        is_name.then(|| format!("{},{weight}\n", name.trim()))
    };
    let lines: String = items(text).map(line).collect::<Option<_>>()?;
    let is_few = (2..=12).contains(&lines.lines().count());
    let read = is_few.then(|| TargetText::of_file(&lines, None).ok())?;
    read.map(|target| target.to_string())
}

/// Writes weights with the names of their outcomes; [`Weights::of_file`] can read them back.
fn format_named_weights(weights: &Weights) -> Result<String, TargetTextError> {
    let mut text = String::from("{");
    for (outcome, weight) in weights.target().iter() {
        let name = weights.label(&outcome);
        let mark = if name.contains('\'') { '"' } else { '\'' };
        if name.contains(|c: char| c == '\\' || c == mark || c.is_control()) {
            return Err(TargetTextError::Name((outcome + 1u8).to_string()));
        }
        let comma = if outcome.is_zero() { "" } else { ", " };
        let digits = name.strip_prefix('-').unwrap_or(&name);
        let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        if plain {
            write!(text, "{comma}{name}: {weight}")
        } else {
            write!(text, "{comma}{mark}{name}{mark}: {weight}")
        }
        .expect("memory takes every byte");
    }
    text.push('}');
    Ok(text)
}

impl PartialEq for TargetText {
    fn eq(&self, other: &TargetText) -> bool {
        self.weights == other.weights
    }
}

impl From<u64> for TargetText {
    /// A fair die of n >= 1 sides.
    ///
    /// # Panics
    /// If n = 0.
    fn from(n: u64) -> TargetText {
        BigUint::from(n).into()
    }
}

impl From<BigUint> for TargetText {
    /// A fair die of n >= 1 sides.
    ///
    /// # Panics
    /// If n = 0.
    fn from(n: BigUint) -> TargetText {
        let text = n.to_string().into();
        let target = Target::uniform(n).expect("a die has a side");
        TargetText {
            text,
            weights: Weights::new(target),
        }
    }
}

impl FromStr for TargetText {
    type Err = TargetTextError;

    fn from_str(text: &str) -> Result<TargetText, TargetTextError> {
        let mut text = strip_die(text);
        while let Some((inner, _)) = unbracketed(text)
            && items(inner).nth(1).is_some()
        {
            text = inner.trim();
        }
        let weights = if text.starts_with('{') {
            if !text.contains(':') && has_dice(text) {
                return Err(TargetTextError::Group(shorten_text(text)));
            }
            Weights::of_file(text)?
        } else {
            text.parse().map_err(|wrong: WeightsError| {
                let range = text
                    .contains("..")
                    .then(|| parse_range(text).ok())
                    .flatten();
                let names = rewrite_named_weights(text);
                let text = shorten_text(text);
                match (coin_weights(text.trim_start_matches("p=")), range) {
                    (Some((heads, tails)), _) => {
                        TargetTextError::Probability { text, heads, tails }
                    }
                    (_, Some((_, last))) => TargetTextError::Range(text, last),
                    _ => match names {
                        Some(right) => TargetTextError::Names { text, right },
                        None => wrong.into(),
                    },
                }
            })?
        };
        Ok(TargetText {
            text: text.into(),
            weights,
        })
    }
}

/// Writes the target as the user typed it. With `{:#}`, weights are in lowest terms and long
/// targets are shortened.
impl fmt::Display for TargetText {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.formula() {
            _ if !f.alternate() => f.write_str(&self.text),
            Some(formula) => f.write_str(&shorten_text(formula)),
            None => write!(f, "{:#}", self.target()),
        }
    }
}

/// If the text is a law without an end, names the question that accepts this law.
fn endless_hint(text: &str) -> Option<Sentence> {
    is_endless(text).then(|| {
        let json = serde_json::json!({ "ask": "cost", "target": text }).to_string();
        let cost = Sentence::question(&format!("flipcost cost '{text}'"), &json);
        say!(
            "its law has infinitely many outcomes or irrational probabilities, which this question does not accept; ",
            cost,
            " takes it"
        )
    })
}

/// The error for a text that is not a target; if its law has no end, it names the question about
/// that law.
pub fn no_target_error<E: fmt::Display>(text: &str) -> impl Fn(E) -> Sentence {
    move |error| {
        endless_hint(text).unwrap_or_else(|| match DiceLaw::read(text, &[], 1) {
            Ok(law) if !law.has_end() => {
                let json = serde_json::json!({ "ask": "law", "formula": text }).to_string();
                let law = Sentence::question(&format!("flipcost law '{text}'"), &json);
                say!(error.to_string(), "; ", law, " has its probabilities")
            }
            _ => to_sentence(error),
        })
    }
}

/// Checks whether this item of a list is a range, and not a name or a file that contains two dots.
pub(crate) fn is_range(item: &str) -> bool {
    item.contains("..") && !item.starts_with(['{', '(', '@'])
}

/// Checks whether the value is a list, if a single target is also allowed. A list has a range, a
/// comma at its end, or several dice: 3d6,4d6kh3.
pub(crate) fn is_list(json: &Json) -> bool {
    match json {
        Json::String(text) => {
            let has_dice = || items(text).nth(1).is_some() && items(text).any(has_dice);
            let is_list = items(text).any(is_range) || text.trim_end().ends_with(',') || has_dice();
            // The parser of lists then reports the difference.
            is_list || negative_difference_error(text).is_some()
        }
        json => json.is_array(),
    }
}

impl FieldValue for TargetText {
    const ABOUT: ValueAbout = ValueAbout {
        file: Some(TargetText::item_of_file),
        fits: |json| !is_list(json) && has_end(json),
        ..ValueAbout::python("TargetLike")
    };

    fn of_json(json: &Json, _: Names) -> Result<TargetText, Sentence> {
        let text = text_from_json(json)?;
        text.parse::<TargetText>().map_err(no_target_error(&text))
    }

    fn json(&self) -> Option<Json> {
        Some(self.to_string().into())
    }

    fn reading(&self) -> Option<String> {
        self.as_weights()
            .or_else(|| NamedNumber::reading(&self.text))
            .or_else(|| {
                let law = DiceLaw::read(self.written_formula()?, &[], 1).ok()?;
                let notes = law.rolled_again().into_iter().chain(law.operator_note());
                let notes: Vec<String> = notes.collect();
                (!notes.is_empty()).then(|| notes.join("; "))
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description::FieldValue;

    #[test]
    fn a_target_is_kept_as_written() {
        let names = Names::default();
        for text in ["6", "10^18+9", "1:2:3", "3d6", "binomial:n=4,p=1/3"] {
            let wanted = TargetText::of_json(&text.into(), names).unwrap();
            assert_eq!(wanted.to_string(), text);
            assert_eq!(wanted.json(), Some(text.into()));
        }
        let fair: TargetText = "1:1:1:1:1:1".parse().unwrap();
        assert_eq!(fair, 6.into());
        assert_eq!(TargetText::of_json(&6.into(), names).unwrap(), fair);
    }

    #[test]
    fn names_are_answered_with_how_they_are_written() {
        for (text, right) in [
            ("alice,bob", "{'alice': 1, 'bob': 1}"),
            ("sword 5, long bow 3", "{'sword': 5, 'long bow': 3}"),
            ("a:1,b:2", "{'a': 1, 'b': 2}"),
        ] {
            let said = text.parse::<TargetText>().unwrap_err().to_string();
            assert!(said.contains(&format!("are written {right} or")), "{said}");
        }
        let said = "p=1/3".parse::<TargetText>().unwrap_err().to_string();
        assert!(said.ends_with("write the weights 1:2"), "{said}");
        for text in ["alice", "6,x+1", "d6,", "0", "3,0", ""] {
            let said = text
                .parse::<TargetText>()
                .map_err(|error| error.to_string());
            assert!(
                !said.is_err_and(|said| said.contains("names outcomes")),
                "{text}"
            );
        }
    }

    #[test]
    fn names_of_a_file_are_read_back() {
        for text in [
            "it's,1\n\"a, b\",2\n",
            "{(1, 2): 1, -3: 2}",
            "weight,name\n1,12\n1,{x}\n",
            "a,0.75\nb,0.25\n",
        ] {
            let file = TargetText::of_file(text, None).unwrap();
            assert_eq!(file.to_string().parse(), Ok(file.clone()), "{text}: {file}");
        }
        assert_eq!(
            TargetText::of_file("4\n7\n8\n", None).unwrap().to_string(),
            "4:7:8"
        );
        let wrong = TargetText::of_file("a\\b,1\nc,2\n", None);
        assert_eq!(wrong, Err(TargetTextError::Name("1".into())));
    }
}
