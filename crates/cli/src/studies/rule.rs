//! Rules that people state in words: roll these dice, keep or discard, and read off a number.
//!
//! A rule's dice are called a, b, c, ... in the order of its list, each showing 1 to its sides. Its
//! formulas know `+ - * / %` (whole division, and the remainder from 0), comparisons `< <= = >= >`
//! (1 or 0) and brackets:
//!
//! ```toml
//! rule = { dice = [6, 2], value = "a + 6 * (b - 1)" }
//! rule = { dice = [4, 4], value = "(4 * (a-1) + b-1) % 6 + 1", keep = "4 * (a-1) + b <= 12" }
//! ```
//!
//! Without `keep` every throw counts; with it, a throw is repeated until `keep` is not 0. The law of
//! the value is found by going through all throws: exact, in O(product of the sides).

use super::error::StudyError;
use flipcost::number::{BigInt, Rational};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::iter::Peekable;
use std::vec::IntoIter;

/// Rules of up to this many throws are gone through.
pub const MOST_THROWS: u64 = 1_000_000;

/// Task, what is read off them, and which throws count.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// Their sides.
    pub dice: Vec<u64>,
    value: Formula,
    keep: Option<Formula>,
}

/// The faces of a throw, from 1, and its value; `None`: throw again.
pub type Throw = (Vec<i64>, Option<i64>);

impl Rule {
    /// All throws, in the order of their faces.
    pub fn throws(&self) -> Result<Vec<Throw>, StudyError> {
        let wrong = |what: &str| StudyError::Input(format!("the rule \"{}\" {what}", self.value.0));
        let all = self
            .dice
            .iter()
            .try_fold(1u64, |all, &sides| all.checked_mul(sides));
        let all = match all {
            Some(all) if (1..=MOST_THROWS).contains(&all) => all,
            _ => return Err(wrong("must have 1 to 1000000 throws")),
        };
        let throw = |number: u64| {
            let mut rest = number;
            let mut faces: Vec<i64> = Vec::new();
            for &sides in self.dice.iter().rev() {
                faces.push((rest % sides) as i64 + 1);
                rest /= sides;
            }
            faces.reverse();
            let read = |formula: &Formula| {
                let broken = "names a die that it has not, divides by 0 or overflows";
                formula.1.eval(&faces).ok_or_else(|| wrong(broken))
            };
            let counts = match &self.keep {
                Some(keep) => read(keep)? != 0,
                None => true,
            };
            let value = if counts {
                Some(read(&self.value)?)
            } else {
                None
            };
            Ok((faces, value))
        };
        (0..all).map(throw).collect()
    }

    /// The exact probability of every value.
    pub fn law(&self) -> Result<BTreeMap<i64, Rational>, StudyError> {
        let mut counts: BTreeMap<i64, u64> = BTreeMap::new();
        for value in self.throws()?.into_iter().filter_map(|(_, value)| value) {
            *counts.entry(value).or_default() += 1;
        }
        let all: u64 = counts.values().sum();
        if all == 0 {
            let what = format!("the rule \"{}\" keeps no throw", self.value.0);
            return Err(StudyError::Input(what));
        }
        let share = |(value, count): (i64, u64)| {
            (value, Rational::new(BigInt::from(count), BigInt::from(all)))
        };
        Ok(counts.into_iter().map(share).collect())
    }
}

/// A law in one line: `1: 1/12, 2..6: 1/6`.
pub fn law_text(law: &BTreeMap<i64, Rational>) -> String {
    let mut runs: Vec<(i64, i64, &Rational)> = Vec::new();
    for (&value, p) in law {
        match runs.last_mut() {
            Some((_, last, q)) if *last + 1 == value && *q == p => *last = value,
            _ => runs.push((value, value, p)),
        }
    }
    let run = |(first, last, p): (i64, i64, &Rational)| {
        if first == last {
            format!("{first}: {p}")
        } else {
            format!("{first}..{last}: {p}")
        }
    };
    runs.into_iter().map(run).collect::<Vec<_>>().join(", ")
}

/// A formula and its text.
#[derive(Clone, Deserialize)]
#[serde(try_from = "String")]
struct Formula(String, Expr);

#[derive(Clone, Debug, PartialEq)]
enum Expr {
    Number(i64),
    Die(usize),
    Both(Box<Expr>, Sign, Box<Expr>),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Sign {
    Plus,
    Minus,
    Times,
    Over,
    Modulo,
    Less,
    LessOrEqual,
    Equal,
    MoreOrEqual,
    More,
}

#[derive(Clone, Copy, PartialEq)]
enum Token {
    Number(i64),
    Die(usize),
    Sign(Sign),
    Open,
    Close,
}

fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let mut tokens = Vec::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let mut or_equal = |without, with| match chars.next_if_eq(&'=') {
            Some(_) => Token::Sign(with),
            None => Token::Sign(without),
        };
        tokens.push(match c {
            ' ' => continue,
            '+' => Token::Sign(Sign::Plus),
            '-' => Token::Sign(Sign::Minus),
            '*' => Token::Sign(Sign::Times),
            '/' => Token::Sign(Sign::Over),
            '%' => Token::Sign(Sign::Modulo),
            '=' => Token::Sign(Sign::Equal),
            '<' => or_equal(Sign::Less, Sign::LessOrEqual),
            '>' => or_equal(Sign::More, Sign::MoreOrEqual),
            '(' => Token::Open,
            ')' => Token::Close,
            'a'..='z' => Token::Die(c as usize - 'a' as usize),
            '0'..='9' => {
                let mut digits = String::from(c);
                while let Some(digit) = chars.next_if(char::is_ascii_digit) {
                    digits.push(digit);
                }
                let number = digits.parse();
                Token::Number(number.map_err(|_| format!("{digits} in \"{text}\" is too large"))?)
            }
            _ => return Err(format!("\"{c}\" in \"{text}\" means nothing")),
        });
    }
    Ok(tokens)
}

/// How tightly a sign binds: comparisons, sums, products.
fn strength(sign: Sign) -> u8 {
    match sign {
        Sign::Plus | Sign::Minus => 1,
        Sign::Times | Sign::Over | Sign::Modulo => 2,
        _ => 0,
    }
}

fn parse(tokens: &mut Peekable<IntoIter<Token>>, least: u8) -> Option<Expr> {
    let mut left = match tokens.next()? {
        Token::Number(number) => Expr::Number(number),
        Token::Die(die) => Expr::Die(die),
        Token::Open => {
            let inner = parse(tokens, 0)?;
            (tokens.next()? == Token::Close).then_some(inner)?
        }
        _ => return None,
    };
    while let Some(&Token::Sign(sign)) = tokens.peek() {
        if strength(sign) < least {
            break;
        }
        tokens.next();
        let right = parse(tokens, strength(sign) + 1)?;
        left = Expr::Both(left.into(), sign, right.into());
    }
    Some(left)
}

impl TryFrom<String> for Formula {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        let mut left = tokens(&text)?.into_iter().peekable();
        match parse(&mut left, 0) {
            Some(expr) if left.next().is_none() => Ok(Formula(text, expr)),
            _ => Err(format!(
                "\"{text}\" is not a formula: write dice as a, b, ... with + - * / % < <= = >= > and brackets"
            )),
        }
    }
}

impl Expr {
    fn eval(&self, faces: &[i64]) -> Option<i64> {
        match self {
            Expr::Number(number) => Some(*number),
            Expr::Die(die) => faces.get(*die).copied(),
            Expr::Both(left, sign, right) => {
                let (x, y) = (left.eval(faces)?, right.eval(faces)?);
                match sign {
                    Sign::Plus => x.checked_add(y),
                    Sign::Minus => x.checked_sub(y),
                    Sign::Times => x.checked_mul(y),
                    Sign::Over => x.checked_div_euclid(y),
                    Sign::Modulo => x.checked_rem_euclid(y),
                    Sign::Less => Some((x < y).into()),
                    Sign::LessOrEqual => Some((x <= y).into()),
                    Sign::Equal => Some((x == y).into()),
                    Sign::MoreOrEqual => Some((x >= y).into()),
                    Sign::More => Some((x > y).into()),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(dice: &[u64], value: &str, keep: Option<&str>) -> Rule {
        let formula = |text: &str| Formula::try_from(text.to_string()).unwrap();
        Rule {
            dice: dice.to_vec(),
            value: formula(value),
            keep: keep.map(formula),
        }
    }

    #[test]
    fn formulas_bind_as_in_arithmetic() {
        let value = |text: &str| Formula::try_from(text.to_string()).unwrap().1.eval(&[5, 3]);
        for (text, is) in [
            ("a + 2 * b", 11),
            ("(a + 2) * b", 21),
            ("a - b - 1", 1),
            ("a * 2 % 4", 2),
            ("a <= b + 2", 1),
            ("a / b", 1),
            ("a = b", 0),
        ] {
            assert_eq!(value(text), Some(is), "{text}");
        }
        assert_eq!(value("c"), None);
        assert_eq!(value("a / (b - 3)"), None);
        for text in [
            "",
            "a +",
            "a b",
            "(a",
            "a)",
            "a & b",
            "99999999999999999999",
        ] {
            assert!(Formula::try_from(text.to_string()).is_err(), "{text}");
        }
    }

    #[test]
    fn laws() {
        let sum = rule(&[6, 6], "a + b", None).law().unwrap();
        assert_eq!(sum[&7], Rational::new(1.into(), 6.into()));
        let d5 = rule(&[6], "a", Some("a <= 5")).law().unwrap();
        assert_eq!(law_text(&d5), "1..5: 1/5");
        assert!(rule(&[6], "a", Some("a > 6")).law().is_err());
        assert!(rule(&[1000, 1000, 1000], "a", None).law().is_err());
    }
}
