//! The law of a formula of dice: what its values are, and how likely.

use flipcost::task::{MOST_ROLLS, Weights};
use flipcost_figures::Drawing;
use flipcost_number::expression::{ExpressionError, parse_u64};
use flipcost_number::{BigInt, Rational, Real};
use flipcost_question::prelude::*;
use flipcost_question::texts;
use flipcost_question::value::die;
use flipcost_question::value::joined;
use flipcost_question::{Answer, PictureError, Query};
use num_traits::{One, ToPrimitive, Zero};
use std::fmt;
use std::str::FromStr;

question! {
    /// The law of a formula of dice: each value with its exact probability, and whether it is fair
    ///
    /// The law of a formula in which a letter is a die: a row for every value, in increasing order, with
    /// the number of combinations of faces that give it and its probability. The notes say mean and
    /// variance, and whether all values are equally likely.
    pub struct FormulaLaw: "law" {
        /// The formula, as in "a + b": a is the first die, b the second; a letter may come twice, and / is
        /// whole division
        formula: String; word("FORMULA").dash(),
        /// The dice of the letters a, b, c, ... in order, as in 6,6,6
        dice: Letters; option("DICE"),
        /// The first face of every die: 1, or 0 where a coin is a bit
        faces_from: FirstFace = FirstFace::One; option("F"),
        /// Decimals after the point; without it, the nearest doubles.
        digits: Option<u32>; DIGITS,
    }
    purpose: Numbers
    examples: [
        "law a+b+c --dice 6,6,6",
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

    /// The letters with their sides.
    fn named(&self) -> Vec<(&'static str, u64)> {
        NAMES.into_iter().zip(self.0.iter().copied()).collect()
    }
}

impl FromStr for Letters {
    type Err = LettersError;

    fn from_str(text: &str) -> Result<Letters, LettersError> {
        let dice: Vec<u64> = text
            .split(',')
            .map(|sides| parse_u64(die(sides)))
            .collect::<Result<_, _>>()?;
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

impl Question for FormulaLaw {
    fn summary(&self, answer: &Answer) -> String {
        let values: Vec<_> = (0..answer.rows.len())
            .filter_map(|row| {
                match ["value", "probability_exact"].map(|name| answer.cell(row, name)) {
                    [Cell::Exact(value), Cell::Exact(part)] => Some((value, part)),
                    _ => None,
                }
            })
            .collect();
        if values
            .iter()
            .all(|(value, _)| value.is_zero() || value.is_one())
        {
            let part = values.iter().find(|(value, _)| value.is_one());
            let part = part.map_or("0".to_string(), |(_, part)| exact_phrase(part));
            return format!("the probability that {} is {part}", self.formula);
        }
        let mean: Rational = values
            .iter()
            .map(|(value, part)| &***value * &***part)
            .sum();
        let (_, likeliest) = answer.extremes("count").unwrap_or_default();
        format!(
            "the mean of {} is {}; its values are {} to {}, the likeliest is {} with probability {}",
            self.formula,
            exact_phrase(&mean),
            answer.cell(0, "value"),
            answer.cell(answer.rows.len().saturating_sub(1), "value"),
            answer.cell(likeliest, "value"),
            answer.phrase(likeliest, "probability").unwrap_or_default()
        )
    }

    fn estimate(&self) -> Estimate {
        let sides = self.dice.get().iter();
        let all = sides.fold(1u128, |all, sides| all.saturating_mul((*sides).into()));
        let rolls = all.min(MOST_ROLLS.into());
        Estimate::space(
            64 * rolls,
            rolls * (u128::from(self.digits.unwrap_or(20)) + 60),
        )
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let precision = precision(self.digits, false)?;
        control.go_on()?;
        let dice = self.dice.named();
        let law = Weights::of_formula(
            &self.formula,
            &dice,
            match self.faces_from {
                FirstFace::One => 1,
                FirstFace::Zero => 0,
            },
        )
        .map_err(QueryError::for_field("formula"))?;
        let all: u64 = self.dice.get().iter().product(); // at most MOST_ROLLS
        let all = BigInt::from(all);
        let head = Head::new()
            .column("value", CellKind::Exact)
            .column("count", CellKind::Count)
            .column("probability_exact", CellKind::Exact)
            .column("probability", CellKind::Decimal);
        let mut rows = Chunks::begin(&head, control, sink)?;
        let (mut first, mut second) = (Rational::zero(), Rational::zero());
        let mut ends: Option<[(Rational, String); 2]> = None;
        let values = law.target().outcomes().to_u64().unwrap_or(u64::MAX);
        for (done, (outcome, _)) in (0u64..).zip(law.target().iter()) {
            if done % 1024 == 0 {
                control.go_on()?;
                control.progress(done, values);
            }
            let value = law.label(&outcome);
            let p = law.target().probability(&outcome);
            let count = (&p * &all).to_integer().to_u64();
            let count = count.expect("at most all combinations");
            let number: BigInt = value.parse().expect("the values are integers");
            let number = Rational::from_integer(number);
            let weighted = &number * &p;
            second += &weighted * &number;
            first += weighted;
            rows.push(row![
                number,
                count,
                &p,
                decimal(&Real::Exact(p.clone()), precision)?
            ])?;
            match &mut ends {
                None => ends = Some([(p.clone(), value.clone()), (p, value)]),
                Some([least, most]) => {
                    if p < least.0 {
                        *least = (p, value);
                    } else if p > most.0 {
                        *most = (p, value);
                    }
                }
            }
        }
        let [least, most] = ends.expect("a target has an outcome");
        let mut foot = Foot::default();
        let number = |value: &Rational| spelled(value, usize::MAX, precision);
        let variance = second - &first * &first;
        foot.note(format!(
            "mean {}, variance {}",
            number(&first)?,
            number(&variance)?
        ));
        let count = law.target().outcomes();
        foot.note(match law.target().sides() {
            Some(_) if count == 1u8.into() => "fair: there is one value".to_string(),
            Some(_) => format!(
                "fair: each of the {count} values has probability {}",
                least.0
            ),
            None => format!(
                "unfair: the least probability is {} (of {}), the largest {} (of {})",
                least.0, least.1, most.0, most.1
            ),
        });
        if self.faces_from == FirstFace::One && self.dice.get().contains(&2) {
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
