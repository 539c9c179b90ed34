//! The question `law`: the values of a formula of dice and their probabilities.

use flipcost::table::Precision;
use flipcost::task::{DiceLaw, is_formula, strip_die};
use flipcost_figures::Drawing;
use flipcost_number::expression::{ExpressionError, parse_signed, parse_u64};
use flipcost_number::{BigInt, BigUint, Rational, Real};
use flipcost_question::description::ValueAbout;
use flipcost_question::prelude::*;
use flipcost_question::target_text::{TargetTextError, no_target_error};
use flipcost_question::texts;
use flipcost_question::value::join_values;
use flipcost_question::{Answer, PictureError, Query};
use num_traits::{One, Zero};
use serde_json::Value as Json;
use std::fmt;
use std::ops::Deref;
use std::str::FromStr;

question! {
    /// The law of a formula of dice: each value with its exact probability, and whether it is fair
    ///
    /// A row for every value of the formula, in increasing order, with the number of combinations
    /// of faces that give it and its probability. The notes state mean and variance, and whether
    /// all values are equally likely. A comparison is 1 if it holds and 0 if not; the notes state
    /// the probability that it holds. A target that is not a formula has a row for each outcome, by
    /// its name, with its weight as the count. Dice that explode have no largest value: the rows
    /// end when the probability of all further values is below one in a billion, and a note gives
    /// this probability.
    pub struct FormulaLaw: "law" {
        /// The formula; or weights (1:2:3), a law (binomial:n=20,p=1/3), or @FILE with weights in a
        /// file. Dice: 3d6, d%, dF; 4d6kh3 (kh and kl keep the highest and lowest dice, dh and dl
        /// drop them), 4d6ro1 (ones are rolled again once), d6! (explodes), 5d10cs>=8 (how many are
        /// at least 8). Operators: + - * / (rounds down) % (remainder), < <= = == != >= >, and, or.
        /// Functions: max(a, b), min(a, b), count(5d10 >= 8), total(3d6). A letter stands for a die
        /// of the list of dice, and for the same roll wherever it occurs. A name also stands for
        /// one roll: count(r >= 8) - count(r = 1) where r = 5d10. The word given makes a
        /// conditional law: r given r >= 15 where r = 3d6
        formula: LawText; word("FORMULA").dash(),
        /// The dice that the letters a, b, c, ... stand for, in order, as in 6,6,6 or 2d6,d8
        dice: Option<Letters>; option("DICE"),
        /// The lowest face of the dice with letters: 1, or 0 so that a coin shows 0 or 1
        faces_from: FirstFace = FirstFace::One; option("F"),
        /// Decimals after the point; without it, the nearest doubles.
        digits: Option<u32>; DIGITS,
    }
    purpose: Numbers
    examples: [
        "law 3d6",
        "law binomial:n=20,p=1/3",
        "law \"4d6kh3 >= 15\"",
        "law \"max(d8!, d6!) >= 4\"",
        "law \"count(r >= 8) - count(r = 1) where r = 5d10\"",
        "law \"hypergeometric:N=60,K=4,n=7 >= 1\"",
        "law \"r given r >= 2 where r = binomial:n=20,p=1/10\"",
        "law a+b+c --dice 3d6",
        "law \"(4*a + 2*b + c) % 6\" --dice 2,2,2 --faces-from 0",
        "law \"a + 6 * (b % 2)\" --dice 6,6",
        "law a*b --dice 6,6 -o product.svg",
    ]
}

choices! {
    /// The first face of a die.
    pub enum FirstFace {
        /// Faces from 1: a coin is 1 or 2.
        One = "1",
        /// Faces from 0: a coin is a bit.
        Zero = "0",
    }
}

/// The numbers of sides of the dice for which the letters a, b, c, ... stand, as in `6,6,6`; a
/// number may occur several times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letters(Vec<u64>);

/// The errors of a list of dice with letters.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LettersError {
    /// An entry is not a number.
    #[error(transparent)]
    Number(#[from] ExpressionError),
    /// An entry has no sides.
    #[error("a die of 0 sides has no face: 1 or more sides were expected")]
    NoSides,
    /// The list has more dice than there are letters.
    #[error("{0} dice are too many: there are 26 letters")]
    TooMany(usize),
}

/// The subject of a law: a formula of dice, or the text of a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LawText(String);

impl Deref for LawText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for LawText {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self)
    }
}

impl FieldValue for LawText {
    const ABOUT: ValueAbout = ValueAbout {
        file: Some(|text, column| match TargetText::of_file(text, column) {
            Ok(target) if target.target().outcomes().is_one() => {
                Err("the file has only one weight: two weights or more were expected".to_string())
            }
            Ok(target) => Ok(target.to_string()),
            Err(error) => Err(error.to_string()),
        }),
        ..String::ABOUT
    };

    fn of_json(json: &Json, names: Names) -> Result<LawText, Sentence> {
        let text = String::of_json(json, names)?;
        if parse_signed(&text).is_ok() {
            let is_whole = text.bytes().all(|byte| byte.is_ascii_digit());
            let die = if is_whole { &text } else { "6" };
            return Err(format!("a number has no law: a fair die is written d{die}").into());
        }
        Ok(LawText(text))
    }

    fn json(&self) -> Option<Json> {
        self.0.json()
    }

    fn reading(&self) -> Option<String> {
        let list = Some(&self.0).filter(|text| !text.contains(char::is_alphabetic))?;
        list.parse::<TargetText>().ok()?.as_weights()
    }
}

/// The values of an unbounded law are listed until the probability of the rest is below 1 divided
/// by this number.
const LISTED_PRECISION: u64 = 1_000_000_000;

/// If the text of a fraction is longer than this, notes show the fraction rounded.
const MAX_LABEL_LEN: usize = 60;

/// The letters of the dice.
const LETTER_NAMES: [&str; 26] = [
    "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q", "r", "s",
    "t", "u", "v", "w", "x", "y", "z",
];

impl Letters {
    /// Returns the sides of each die, in the order of the letters.
    pub fn get(&self) -> &[u64] {
        &self.0
    }
}

impl FromStr for Letters {
    type Err = LettersError;

    fn from_str(text: &str) -> Result<Letters, LettersError> {
        let mut dice: Vec<u64> = Vec::new();
        for item in text.split(',') {
            // 2d6 stands for two dice.
            let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
            let several = item.trim().split_once(['d', 'D']);
            match several.filter(|(count, _)| !count.is_empty() && digits(count)) {
                Some((count, sides)) => {
                    let count = usize::try_from(parse_u64(count)?).unwrap_or(usize::MAX);
                    if count > LETTER_NAMES.len() {
                        return Err(LettersError::TooMany(count));
                    }
                    dice.extend(std::iter::repeat_n(parse_u64(sides)?, count));
                }
                None => dice.push(parse_u64(strip_die(item))?),
            }
        }
        match dice.len() {
            _ if dice.contains(&0) => Err(LettersError::NoSides),
            0..=26 => Ok(Letters(dice)),
            many => Err(LettersError::TooMany(many)),
        }
    }
}

impl fmt::Display for Letters {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&join_values(&self.0, ","))
    }
}

/// Lists values for a sentence. If there are many values, lists only the first two, and says how
/// many others there are.
fn list_in_sentence(values: &[String]) -> String {
    match values {
        [all @ .., last] if (1..4).contains(&all.len()) => format!("{} and {last}", all.join(", ")),
        [first, second, _, ..] => format!("{first}, {second} and {} more", values.len() - 2),
        _ => values.concat(),
    }
}

/// Returns the columns of an answer whose values are numbers or names.
fn law_head(values: CellKind) -> Head {
    Head::new()
        .column("value", values)
        .column("count", CellKind::Count)
        .column("probability_exact", CellKind::Exact)
        .column("probability", CellKind::Decimal)
}

impl FormulaLaw {
    /// Adds notes on two likely mistakes: writing the same dice twice although one roll is meant,
    /// and using one letter for the sum of the dice of `2d6`.
    fn note_likely_mistakes(&self, foot: &mut Foot) {
        let words = self.formula.split(|c: char| !c.is_alphanumeric());
        let used: Vec<&str> = words.filter(|word| word.len() == 1).collect();
        let letters = self.letters();
        let (used, unused): (Vec<_>, Vec<_>) =
            (letters.iter()).partition(|(letter, _)| used.contains(letter));
        if let [(letter, sides), ..] = &used[..]
            && !unused.is_empty()
        {
            let names: Vec<String> = unused.iter().map(|(name, _)| name.to_string()).collect();
            let names = list_in_sentence(&names);
            let sum: Vec<&str> = letters.iter().map(|(name, _)| *name).collect();
            foot.note(format!(
                "{names} {} not used: {letter} is a single d{sides}, and {} is the sum of all dice",
                if unused.len() == 1 { "is" } else { "are" },
                sum.join("+")
            ));
        }
        let Ok(law) = self.law() else {
            return;
        };
        if let Some(note) = law.operator_note() {
            foot.note(note);
        }
        let Some(text) = law.rolled_again() else {
            return;
        };
        let one = law.of_one_roll().filter(|_| self.dice.is_none());
        foot.note(match one.map(LawText) {
            Some(formula) => {
                let once = FormulaLaw {
                    formula,
                    ..self.clone()
                };
                say!(text, "; of one roll: ", once)
            }
            None => say!(text),
        });
    }

    /// Returns the letters with the sides of their dice.
    fn letters(&self) -> Vec<(&'static str, u64)> {
        let sides = self.dice.iter().flat_map(|dice| dice.0.iter().copied());
        LETTER_NAMES.into_iter().zip(sides).collect()
    }

    /// Returns the target, if the text is not a formula.
    fn target(&self) -> Result<Option<TargetText>, QueryError> {
        let has_numbers_alone = !self.formula.contains(char::is_alphabetic);
        let is_target = !is_formula(&self.formula)
            && (self.formula.contains([':', '{'])
                || self.formula.contains(',') && has_numbers_alone);
        if !is_target || self.dice.is_some() {
            return Ok(None);
        }
        let wrong = |error: TargetTextError| {
            QueryError::wrong("formula", no_target_error(&self.formula)(error))
        };
        self.formula.parse().map(Some).map_err(wrong)
    }

    /// Writes a row for each outcome of a target.
    fn run_target(
        &self,
        target: &TargetText,
        control: &Control,
        sink: &mut dyn Sink,
    ) -> Result<(), QueryError> {
        let precision = precision(self.digits, false)?;
        let sum = BigInt::from(target.target().weight_sum().clone());
        let outcomes: Vec<(String, BigUint)> = (target.target().iter())
            .map(|(outcome, weight)| (target.label(&outcome), weight.clone()))
            .collect();
        let numbers = outcomes.iter().map(|(name, _)| name.parse().ok());
        let numbers: Option<Vec<i64>> = numbers.collect();
        let kind = if numbers.is_some() {
            CellKind::Exact
        } else {
            CellKind::Text
        };
        let mut rows = Chunks::begin(&law_head(kind), control, sink)?;
        let (mut mean, mut square) = (Rational::zero(), Rational::zero());
        for (place, (name, weight)) in outcomes.into_iter().enumerate() {
            if place % 1024 == 0 {
                control.go_on()?;
            }
            let p = Rational::new(weight.clone().into(), sum.clone());
            let value = match &numbers {
                Some(numbers) => {
                    let value = Rational::from_integer(numbers[place].into());
                    mean += &value * &p;
                    square += &value * &value * &p;
                    Cell::from(&value)
                }
                None => Cell::Text(name),
            };
            let decimal = decimal(&Real::Exact(p.clone()), precision)?;
            rows.push(row![value, Some(weight), p, decimal])?;
        }
        let mut foot = Foot::default();
        if numbers.is_some() {
            let number = |value: &Rational| fraction_with_decimal(value, MAX_LABEL_LEN, precision);
            let variance = &square - &mean * &mean;
            foot.note(format!(
                "mean {}, variance {}",
                number(&mean)?,
                number(&variance)?
            ));
        }
        rows.end(foot)
    }

    fn law(&self) -> Result<DiceLaw, QueryError> {
        let from = match self.faces_from {
            FirstFace::One => 1,
            FirstFace::Zero => 0,
        };
        let is_letter = |word: &str| word.len() == 1 && word.starts_with(char::is_alphabetic);
        let mut words = self.formula.split(|c: char| !c.is_alphanumeric());
        let letters = self.letters();
        let has_letter = words
            .clone()
            .any(|word| letters.iter().any(|(name, _)| *name == word));
        if self.dice.is_some() && !has_letter {
            let what = say!(
                self.formula.to_string(),
                " has no letter for a die of ",
                field("dice")
            );
            return Err(QueryError::wrong("dice", what)
                .right("leave out the dice, or write a comparison in quotes, as '3d6 >= 15'"));
        }
        DiceLaw::read(&self.formula, &self.letters(), from).map_err(|error| match self.dice {
            None if words.any(is_letter) && !self.formula.contains(" where ") => {
                QueryError::wrong("formula", error.to_string())
                    .right(say!(field("dice").is("6,6"), " makes a and b two d6"))
            }
            _ => QueryError::for_field("formula")(error),
        })
    }
}

/// Returns a note that says whether all values are equally likely; for an event, how likely it is;
/// for a law without a largest or a least value, how likely the values are that are not listed.
fn fairness_note(
    law: &DiceLaw,
    values: &[(i64, Rational)],
    rest: &Rational,
    precision: Precision,
) -> Result<String, QueryError> {
    let number = |value: &Rational| fraction_with_decimal(value, MAX_LABEL_LEN, precision);
    let least = values.iter().min_by(|x, y| x.1.cmp(&y.1));
    let most = values.iter().max_by(|x, y| x.1.cmp(&y.1));
    let (least, most) = least.zip(most).expect("a law has a value");
    let count = values.len();
    Ok(if !law.has_end() {
        let left = number(rest)?;
        let (first, last) = (values[0].0, values[count - 1].0);
        if law.falls() {
            format!("its law has no end: all values below {first} together have probability {left}")
        } else {
            format!("its law has no end: all values above {last} together have probability {left}")
        }
    } else if law.is_condition() {
        let holds = values.iter().find(|(value, _)| *value == 1);
        let p = holds.map_or_else(Rational::zero, |(_, p)| p.clone());
        format!(
            "an event, 1 if it happens and 0 if not: its probability is {}",
            number(&p)?
        )
    } else if count == 1 {
        "fair: there is one value".to_string()
    } else if least.1 == most.1
        && &least.1 * Rational::from_integer(count.into()) == Rational::one()
    {
        format!(
            "fair: each of the {count} values has probability {}",
            least.1
        )
    } else {
        let extreme = |p: &Rational| {
            let equal = values.iter().filter(|(_, other)| other == p);
            let equal: Vec<String> = equal.map(|(value, _)| value.to_string()).collect();
            let p = match p.to_string() {
                text if text.len() <= MAX_LABEL_LEN => text,
                _ => fraction_with_decimal(p, MAX_LABEL_LEN, precision)?,
            };
            Ok::<_, QueryError>(format!("{p} (of {})", list_in_sentence(&equal)))
        };
        format!(
            "unfair: the least probability is {}, the largest {}",
            extreme(&least.1)?,
            extreme(&most.1)?
        )
    })
}

impl Question for FormulaLaw {
    fn summary(&self, answer: &Answer) -> String {
        let target = self.target().ok().flatten();
        let law = self.law().ok().filter(|_| target.is_none());
        let has_end = law.as_ref().is_none_or(DiceLaw::has_end);
        let again = law.as_ref().and_then(DiceLaw::rolled_again);
        let again = again.map_or_else(String::new, |again| format!("; {again}"));
        let noted = law.as_ref().and_then(DiceLaw::operator_note);
        let again = again + &noted.map_or_else(String::new, |note| format!("; {note}"));
        if let Some(law) = law.as_ref().filter(|law| law.is_condition()) {
            // The mean of a value that is 0 or 1 is the probability of 1.
            let mean = exact_phrase(&law.moments().0);
            return format!("the probability that {} is {mean}{again}", self.formula);
        }
        let (least, most) = answer.extremes("probability_exact").unwrap_or_default();
        let p = |row: usize| answer.cell(row, "probability_exact");
        let phrase = answer.phrase(most, "probability").unwrap_or_default();
        let likeliest: Vec<String> = (0..answer.rows.len())
            .filter(|row| p(*row) == p(most))
            .map(|row| answer.cell(row, "value").to_string())
            .collect();
        let likeliest = match &likeliest[..] {
            [one] => format!("the likeliest is {one} with probability {phrase}"),
            _ if has_end && p(least) == p(most) => {
                format!("all equally likely with probability {phrase}")
            }
            _ => {
                let values = list_in_sentence(&likeliest);
                format!("the likeliest are {values} with probability {phrase} each")
            }
        };
        let Some(law) = law else {
            let is_labelled = target.is_none_or(|target| target.is_labelled());
            let weights = if is_labelled {
                ""
            } else {
                ", one for each weight"
            };
            let outcomes = count_with_noun(answer.rows.len() as u64, "outcome");
            return format!("{outcomes}{weights}, {likeliest}");
        };
        let first = answer.cell(0, "value");
        let last = answer.cell(answer.rows.len().saturating_sub(1), "value");
        let range = match (law.has_end(), law.falls()) {
            (true, _) => format!("{first} to {last}"),
            (false, true) => format!("{last} and below"),
            (false, false) => format!("{first} and above"),
        };
        format!(
            "the mean of {} is {}; its values are {range}, {likeliest}{again}",
            self.formula,
            exact_phrase(&law.moments().0)
        )
    }

    fn estimate(&self) -> Estimate {
        Estimate::space(1 << 24, 1 << 20)
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let precision = precision(self.digits, false)?;
        control.go_on()?;
        if self.dice.is_none() && self.faces_from == FirstFace::Zero {
            let what = say!(
                field("faces_from"),
                " numbers the faces of dice with letters"
            );
            let right = say!("it needs ", field("dice"));
            return Err(QueryError::wrong("faces_from", what).right(right));
        }
        if let Some(target) = self.target()? {
            return self.run_target(&target, control, sink);
        }
        let law = self.law()?;
        let combinations = law
            .combinations()
            .map(|all| Rational::from_integer(all.into()));
        let (values, rest) = law.values(&Rational::new(1.into(), LISTED_PRECISION.into()));
        let mut rows = Chunks::begin(&law_head(CellKind::Exact), control, sink)?;
        for (done, (value, p)) in (0u64..).zip(&values) {
            if done % 1024 == 0 {
                control.go_on()?;
                control.progress(done, values.len() as u64);
            }
            let count = combinations
                .as_ref()
                .map(|all| (all * p).numer().magnitude().clone());
            let decimal = decimal(&Real::Exact(p.clone()), precision)?;
            rows.push(row![
                Rational::from_integer((*value).into()),
                count,
                p,
                decimal
            ])?;
        }
        let mut foot = Foot::default();
        let number = |value: &Rational| fraction_with_decimal(value, MAX_LABEL_LEN, precision);
        let (mean, variance) = law.moments();
        foot.note(format!(
            "mean {}, variance {}",
            number(&mean)?,
            number(&variance)?
        ));
        foot.note(fairness_note(&law, &values, &rest, precision)?);
        self.note_likely_mistakes(&mut foot);
        if self.faces_from == FirstFace::One && self.letters().iter().any(|(_, sides)| *sides == 2)
        {
            foot.note(say!(
                "faces are numbered from 1, so a coin shows 1 or 2: ",
                field("faces_from").is("0"),
                " makes that 0 or 1"
            ));
        }
        rows.end(foot)
    }

    fn picture_query(&self) -> Option<Query> {
        Some(self.clone().into())
    }

    fn draw_picture(&self, answer: &Answer) -> Result<Drawing, PictureError> {
        self.picture(answer)
    }
}

texts! { Letters, "DiceLike" }
