//! The law of a formula of dice: what its values are, and how likely.

use flipcost::task::{DiceLaw, strip_die};
use flipcost_figures::Drawing;
use flipcost_number::expression::{ExpressionError, parse_u64};
use flipcost_number::{Rational, Real};
use flipcost_question::prelude::*;
use flipcost_question::texts;
use flipcost_question::value::joined;
use flipcost_question::{Answer, PictureError, Query};
use num_traits::{One, Zero};
use std::fmt;
use std::str::FromStr;

question! {
    /// The law of a formula of dice: each value with its exact probability, and whether it is fair
    ///
    /// A row for every value of the formula, in increasing order, with the number of combinations of faces that give it and its
    /// probability. The notes say mean and variance, and whether all values are equally likely; of a comparison, which is 1
    /// where it holds and else 0, they say the probability. Dice that explode have no largest value: the rows end where less
    /// than one in a billion is left, and a note says how much.
    pub struct FormulaLaw: "law" {
        /// The formula. Dice: 3d6, d%, dF; 4d6kh3, kl, dh, dl (kept or dropped), 4d6ro1 (ones rolled again once), d6! (explodes),
        /// 5d10cs>=8 (how many). Between them + - * / % (whole division), < <= = == != >= >, and, or; around them max(a, b),
        /// min(a, b), count(5d10 >= 8). A letter is a die of the list of dice, the same roll wherever it stands
        formula: String; word("FORMULA").dash(),
        /// The dice of the letters a, b, c, ... in order, as in 6,6,6 or 2d6,d8
        dice: Option<Letters>; option("DICE"),
        /// The first face of the dice of letters: 1, or 0 where a coin is a bit
        faces_from: FirstFace = FirstFace::One; option("F"),
        /// Decimals after the point; without it, the nearest doubles.
        digits: Option<u32>; DIGITS,
    }
    purpose: Numbers
    examples: [
        "law 3d6",
        "law \"4d6kh3 >= 15\"",
        "law \"max(d8!, d6!) >= 4\"",
        "law a+b+c --dice 3d6",
        "law \"(4*a + 2*b + c) % 6\" --dice 2,2,2 --faces-from 0",
        "law \"a + 6 * (b % 2)\" --dice 6,6",
        "law a*b --dice 6,6 -o product.svg",
    ]
}

choices! {
    /// The face that comes first.
    pub enum FirstFace {
        /// Faces from 1: a coin is 1 or 2.
        One = "1",
        /// Faces from 0: a coin is a bit.
        Zero = "0",
    }
}

/// The sides of a die for each letter from `a`, as in `6,6,6`; the same may come again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letters(Vec<u64>);

/// Why a text is no list of dice with letters.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LettersError {
    /// One of them is no number.
    #[error(transparent)]
    Number(#[from] ExpressionError),
    /// One of them has no side.
    #[error("a die of 0 sides has no face: 1 or more sides were expected")]
    NoSides,
    /// More dice than letters.
    #[error("{0} dice are too many: there are 26 letters")]
    TooMany(usize),
}

/// The values of a law without end are listed until one in so many is left.
const LEFT: u64 = 1_000_000_000;

/// The letters of the dice.
const NAMES: [&str; 26] = [
    "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q", "r", "s",
    "t", "u", "v", "w", "x", "y", "z",
];

impl Letters {
    /// The sides, in the order of the letters.
    pub fn get(&self) -> &[u64] {
        &self.0
    }
}

impl FromStr for Letters {
    type Err = LettersError;

    fn from_str(text: &str) -> Result<Letters, LettersError> {
        let mut dice: Vec<u64> = Vec::new();
        for item in text.split(',') {
            // 2d6 are two dice
            let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
            let several = item.trim().split_once(['d', 'D']);
            match several.filter(|(count, _)| !count.is_empty() && digits(count)) {
                Some((count, sides)) => {
                    let count = usize::try_from(parse_u64(count)?).unwrap_or(usize::MAX);
                    if count > NAMES.len() {
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
        f.write_str(&joined(&self.0, ","))
    }
}

impl FormulaLaw {
    /// The letters with their sides.
    fn letters(&self) -> Vec<(&'static str, u64)> {
        let sides = self.dice.iter().flat_map(|dice| dice.0.iter().copied());
        NAMES.into_iter().zip(sides).collect()
    }

    fn law(&self) -> Result<DiceLaw, QueryError> {
        let from = match self.faces_from {
            FirstFace::One => 1,
            FirstFace::Zero => 0,
        };
        let is_letter = |word: &str| word.len() == 1 && word.starts_with(char::is_alphabetic);
        let mut words = self.formula.split(|c: char| !c.is_alphanumeric());
        DiceLaw::read(&self.formula, &self.letters(), from).map_err(|error| match self.dice {
            None if words.any(is_letter) => QueryError::wrong("formula", error.to_string())
                .right(say!(field("dice").is("6,6"), " makes a and b two d6")),
            _ => QueryError::for_field("formula")(error),
        })
    }
}

impl Question for FormulaLaw {
    fn summary(&self, answer: &Answer) -> String {
        let Ok(law) = self.law() else {
            return String::new(); // it was read for the answer
        };
        let mut values = (0..answer.rows.len()).map(|row| answer.cell(row, "value"));
        let is_event = |cell: &Cell| matches!(cell, Cell::Exact(x) if x.is_zero() || x.is_one());
        let (mean, _) = law.moments();
        if law.has_end() && values.all(is_event) {
            // the mean of 0 and 1 is the probability of 1
            return format!(
                "the probability that {} is {}",
                self.formula,
                exact_phrase(&mean)
            );
        }
        let (_, likeliest) = answer.extremes("probability_exact").unwrap_or_default();
        let first = answer.cell(0, "value");
        let last = answer.cell(answer.rows.len().saturating_sub(1), "value");
        let range = match (law.has_end(), law.falls()) {
            (true, _) => format!("{first} to {last}"),
            (false, true) => format!("{last} and below"),
            (false, false) => format!("{first} and above"),
        };
        format!(
            "the mean of {} is {}; its values are {range}, the likeliest is {} with probability {}",
            self.formula,
            exact_phrase(&mean),
            answer.cell(likeliest, "value"),
            answer.phrase(likeliest, "probability").unwrap_or_default()
        )
    }

    fn estimate(&self) -> Estimate {
        Estimate::space(1 << 24, 1 << 20)
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let precision = precision(self.digits, false)?;
        control.go_on()?;
        let law = self.law()?;
        let combinations = law
            .combinations()
            .map(|all| Rational::from_integer(all.into()));
        let (values, rest) = law.values(&Rational::new(1.into(), LEFT.into()));
        let head = Head::new()
            .column("value", CellKind::Exact)
            .column("count", CellKind::Count)
            .column("probability_exact", CellKind::Exact)
            .column("probability", CellKind::Decimal);
        let mut rows = Chunks::begin(&head, control, sink)?;
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
        let number = |value: &Rational| spelled(value, usize::MAX, precision);
        let (mean, variance) = law.moments();
        foot.note(format!(
            "mean {}, variance {}",
            number(&mean)?,
            number(&variance)?
        ));
        let least = values.iter().min_by(|x, y| x.1.cmp(&y.1));
        // the first of equal ones
        let most = values.iter().rev().max_by(|x, y| x.1.cmp(&y.1));
        let (least, most) = least.zip(most).expect("a law has a value");
        let count = values.len();
        foot.note(if !law.has_end() {
            let left = number(&rest)?;
            let (first, last) = (values[0].0, values[count - 1].0);
            if law.falls() {
                format!(
                    "its law has no end: all values below {first} together have probability {left}"
                )
            } else {
                format!(
                    "its law has no end: all values above {last} together have probability {left}"
                )
            }
        } else if values.iter().all(|(value, _)| [0, 1].contains(value)) {
            let holds = values.iter().find(|(value, _)| *value == 1);
            let p = holds.map_or_else(Rational::zero, |(_, p)| p.clone());
            format!(
                "an event, 1 where it holds: its probability is {}",
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
            format!(
                "unfair: the least probability is {} (of {}), the largest {} (of {})",
                least.1, least.0, most.1, most.0
            )
        });
        if self.faces_from == FirstFace::One && self.letters().iter().any(|(_, sides)| *sides == 2)
        {
            foot.note(say!(
                "faces count from 1, so that a coin is 1 or 2: ",
                field("faces_from").is("0"),
                " makes it a bit"
            ));
        }
        rows.end(foot)
    }

    fn picture_query(&self) -> Option<Query> {
        Some(self.clone().into())
    }

    fn draw(&self, answer: &Answer) -> Result<Drawing, PictureError> {
        self.picture(answer)
    }
}

texts! { Letters, "DiceLike" }
