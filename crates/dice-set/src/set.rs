//! Sets of dice, prices of rolls, and throws of several dice.

use crate::{PlanError, polyhedral};
use flipcost::task::several_dice;
use flipcost_number::Rational;
use flipcost_number::expression::{ExpressionError, parse_rational};
use flipcost_number::grammar::{items, unbracketed};
use flipcost_question::description::{FieldValue, ValueAbout, text_from_json, to_sentence};
use flipcost_question::sentence::Sentence;
use flipcost_question::sides::weights_of_text;
use flipcost_question::sources::is_law;
use flipcost_question::texts;
use flipcost_question::value::join_values;
use flipcost_question::{Names, Sides, SidesError};
use num_traits::Zero;
use serde_json::Value as Json;
use std::fmt;
use std::str::FromStr;

/// Several dice in the given order: `6,10`, `coin,d6` or `2d6`; `polyhedral` means
/// `4,6,8,10,12,20`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dice {
    sides: Vec<u128>,
    /// The numbers of sides that two or more of the dice have, each listed once.
    twice: Vec<u128>,
}

/// The error for a text that is not a set of dice.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DiceError {
    /// An entry is not a die.
    #[error(transparent)]
    Sides(#[from] SidesError),
    /// An entry is part of a law: commas separate dice, but also the parts of a law.
    #[error("\"{0}\" is a law: each of several dice must have equally likely sides, as in 2,6")]
    Law(String),
}

impl Dice {
    /// The numbers of sides, each listed once; the list is not empty, and 2 means a coin.
    pub fn get(&self) -> &[u128] {
        &self.sides
    }

    /// Returns the number of sides of a die that occurs at least twice.
    pub fn twice(&self) -> Option<u128> {
        self.twice.first().copied()
    }
}

impl fmt::Display for Dice {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let each = |sides: &u128| {
            let count = if self.twice.contains(sides) { 2 } else { 1 };
            std::iter::repeat_n(*sides, count)
        };
        let all: Vec<u128> = self.sides.iter().flat_map(each).collect();
        f.write_str(&join_values(&all, ","))
    }
}

impl FromStr for Dice {
    type Err = DiceError;

    fn from_str(text: &str) -> Result<Dice, DiceError> {
        let (mut dice, mut twice) = (Vec::new(), Vec::new());
        for item in items(text) {
            let law = unbracketed(item).filter(|(inner, _)| inner.contains([':', '=']));
            let part = law.map_or(item, |(inner, _)| inner.trim());
            let sides = match part {
                "polyhedral" => polyhedral().iter().map(|die| die.sides).collect(),
                die => {
                    match Sides::parse_single_die(several_dice(die).map_or(die, |(_, sides)| sides))
                    {
                        Err(wrong) if is_law(die) && !matches!(wrong, SidesError::Loaded(_)) => {
                            return Err(DiceError::Law(die.to_string()));
                        }
                        sides => vec![sides?; if several_dice(die).is_some() { 2 } else { 1 }],
                    }
                }
            };
            for sides in sides {
                if !dice.contains(&sides) {
                    dice.push(sides);
                } else if !twice.contains(&sides) {
                    twice.push(sides);
                }
            }
        }
        Ok(Dice { sides: dice, twice })
    }
}

/// The price of a roll of one of the dice, written as `10=3/2`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Price {
    sides: u128,
    price: Rational,
}

/// The error for a text that is not a price.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PriceError {
    /// The text contains no `=`.
    #[error("a price is written as die=price, as in 10=3/2")]
    Form,
    /// There is no die before the `=`.
    #[error(transparent)]
    Sides(#[from] SidesError),
    /// There is no number after the `=`, or a negative number.
    #[error(transparent)]
    Number(#[from] ExpressionError),
    /// The price is 0.
    #[error(transparent)]
    Zero(#[from] PlanError),
}

impl Price {
    /// The number of sides of the die.
    pub fn sides(&self) -> u128 {
        self.sides
    }

    /// The price of a roll, above 0.
    pub fn price(&self) -> &Rational {
        &self.price
    }
}

impl fmt::Display for Price {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}={}", self.sides, self.price)
    }
}

impl FromStr for Price {
    type Err = PriceError;

    fn from_str(text: &str) -> Result<Price, PriceError> {
        let (die, price) = text.split_once('=').ok_or(PriceError::Form)?;
        let (sides, price) = (Sides::parse_single_die(die)?, parse_rational(price)?);
        if price.is_zero() {
            Err(PlanError::Price { sides, price }.into())
        } else {
            Ok(Price { sides, price })
        }
    }
}

/// Distinguishable dice that are thrown together, in an order: `6,6` is a red and a blue d6. A
/// throw is one roll of a die whose number of sides is the product of theirs.
///
/// The text `cards:4/52` means four cards drawn from a deck of 52 without replacement. This is the
/// same as a throw of dice with 52, 51, 50 and 49 sides, since each card comes from one of the
/// equally likely places among the cards that are left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Throw(Vec<u64>);

/// The error for a text that is not a throw.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ThrowError {
    /// An entry is not a die.
    #[error(transparent)]
    Sides(#[from] SidesError),
    /// The text is not K cards of N.
    #[error(
        "\"{0}\" is not a draw of cards: cards:4/52 draws four from a deck of 52, and at least one card must stay"
    )]
    Cards(String),
    /// There are more dice than a person can throw.
    #[error("a throw of {0} dice is too large: {MAX_THROWN} is the most")]
    Dice(usize),
    /// The throw has more results than the largest die has sides.
    #[error("a throw of these dice has more than 2^32 results: throw fewer dice")]
    Results,
}

/// The maximum number of dice in a throw.
const MAX_THROWN: usize = 20;

impl Throw {
    /// The number of sides of each die; the list is not empty.
    pub fn get(&self) -> &[u64] {
        &self.0
    }

    /// Whether the throw is a draw of cards: each die has one side less than the one before.
    pub(crate) fn is_draw(&self) -> bool {
        self.0.len() > 1 && self.0.windows(2).all(|pair| pair[0] == pair[1] + 1)
    }

    /// The number of results of the throw, which are all equally likely.
    pub fn results(&self) -> u128 {
        self.0.iter().copied().map(u128::from).product()
    }
}

impl fmt::Display for Throw {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&join_values(&self.0, ","))
    }
}

impl FromStr for Throw {
    type Err = ThrowError;

    fn from_str(text: &str) -> Result<Throw, ThrowError> {
        let sides: Vec<u64> = match text.strip_prefix("cards:") {
            Some(cards) => {
                let wrong = || ThrowError::Cards(text.chars().take(40).collect());
                let number = |text: &str| text.trim().parse::<u64>().map_err(|_| wrong());
                let (drawn, deck) = cards.split_once('/').ok_or_else(wrong)?;
                let (drawn, deck) = (number(drawn)?, number(deck)?);
                if drawn == 0 || drawn >= deck {
                    return Err(wrong());
                }
                // One card more than the maximum is enough: the check below rejects it.
                let most = drawn.min(MAX_THROWN as u64 + 1);
                let places =
                    (0..most).map(|card| Sides::parse_thrown_die(&(deck - card).to_string()));
                places.collect::<Result<_, SidesError>>()?
            }
            None => {
                let sides = text.split(',').map(Sides::parse_thrown_die);
                sides.collect::<Result<_, SidesError>>()?
            }
        };
        if sides.len() > MAX_THROWN {
            return Err(ThrowError::Dice(sides.len()));
        }
        let product = sides.iter().try_fold(1u64, |all, m| all.checked_mul(*m));
        if product.is_some_and(|all| all <= 1 << 32) {
            Ok(Throw(sides))
        } else {
            Err(ThrowError::Results)
        }
    }
}

impl FieldValue for Dice {
    const ABOUT: ValueAbout = ValueAbout {
        file: Some(weights_of_text),
        list: true,
        ..ValueAbout::python("DiceLike")
    };

    fn of_json(json: &Json, _: Names) -> Result<Dice, Sentence> {
        text_from_json(json)?.parse::<Dice>().map_err(to_sentence)
    }

    fn json(&self) -> Option<Json> {
        Some(self.to_string().into())
    }
}

texts! { Price, "PricesLike"; Throw }

#[cfg(test)]
mod tests {
    use super::*;
    use flipcost_question::description::FieldValue;

    #[test]
    fn sets_of_dice_and_their_mistakes() {
        let names = Names::default();
        let dice: Dice = "10, 2^3,6".parse().unwrap();
        assert_eq!(
            (dice.get(), dice.to_string()),
            (&[10, 8, 6][..], "10,8,6".into())
        );
        let named: Dice = "coin, d6".parse().unwrap();
        assert_eq!(
            (named.get(), named.to_string()),
            (&[2, 6][..], "2,6".into())
        );
        let all: Dice = "polyhedral".parse().unwrap();
        assert_eq!(all.to_string(), "4,6,8,10,12,20");
        assert_eq!(Dice::of_json(&6.into(), names).unwrap().get(), [6]);
        let twice: Dice = "2d6,10".parse().unwrap();
        assert_eq!((twice.get(), twice.twice()), (&[6, 10][..], Some(6)));
        assert_eq!("d6,10,6".parse::<Dice>().unwrap().get(), [6, 10]);
        let words: Dice = "word:64,(2+4),(doubles:0.5,0.5)".parse().unwrap();
        assert_eq!(words.get(), [1 << 64, 6, 2]);
        assert_eq!(words.to_string().parse(), Ok(words));
        for (text, why) in [
            ("6,1", "2 to 2^64"),
            ("", "nothing is there"),
            ("doubles:0.3,0.7", "\"doubles:0.3\" is a law"),
            ("6,(doubles:0.25,0.75)", "a coin loaded 1:3 is not fair"),
            ("2^64+1", "2 to 2^64"),
        ] {
            let said = text.parse::<Dice>().unwrap_err().to_string();
            assert!(said.contains(why), "{text}: {said}");
        }
    }

    #[test]
    fn throws_and_their_mistakes() {
        let throw: Throw = "6,6,2".parse().unwrap();
        assert_eq!((throw.results(), throw.to_string()), (72, "6,6,2".into()));
        let cards: Throw = "cards:4/52".parse().unwrap();
        assert_eq!(
            (cards.to_string(), cards.is_draw()),
            ("52,51,50,49".into(), true)
        );
        assert_eq!(cards.results(), 52 * 51 * 50 * 49);
        assert!(!throw.is_draw());
        let many = ["2"; 21].join(",");
        for (text, why) in [
            ("6,1", "2 to 2^32"),
            ("6,", "nothing is there"),
            ("65536,65537", "more than 2^32"),
            ("cards:4", "not a draw of cards"),
            ("cards:4/4", "not a draw of cards"),
            ("cards:0/4", "not a draw of cards"),
            ("cards:x/4", "not a draw of cards"),
            ("cards:40/52", "21 dice"),
            ("cards:2/2^40", "not a draw of cards"),
            ("cards:2/99999999999", "2 to 2^32"),
            (&many, "21 dice"),
        ] {
            let said = text.parse::<Throw>().unwrap_err().to_string();
            assert!(said.contains(why), "{text}: {said}");
        }
    }

    #[test]
    fn prices_and_their_mistakes() {
        let price: Price = "10=1.5".parse().unwrap();
        assert_eq!((price.sides(), price.to_string()), (10, "10=3/2".into()));
        for (text, why) in [
            ("6", "die=price"),
            ("6=0", "not positive"),
            ("6=-1", "its value is -1"),
            ("1=2", "2 to 2^64"),
        ] {
            let said = text.parse::<Price>().unwrap_err().to_string();
            assert!(said.contains(why), "{text}: {said}");
        }
    }
}
