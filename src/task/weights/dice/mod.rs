//! Formulas of dice: `3d6 + 2`, `2d20kh1 >= 15`, `max(d6!, d8!)`, and `a + 6 * (b % 2)` where letters are dice.
//!
//! ```text
//! dice     = [number] 'd' (sides | '%' | 'F') modifier*      3d6; d% is d100, dF shows -1, 0 or 1
//! modifier = 'ro' test                                       ones rolled again once: 4d6ro1, ro<=2
//!          | '!'                                             the highest face is rolled on and added: d6!
//!          | ('kh' | 'kl' | 'dh' | 'dl') [number]            the highest or lowest kept or dropped: 4d6kh3
//!          | 'cs' test                                       how many: 5d10cs>=8
//! test     = ['<' | '<=' | '=' | '>=' | '>'] number
//! ```
//!
//! They are written in this order, which is the order in which it is done; an exploding die counts as one die, with all
//! that it shows. Between them stand `+ - * / %` (whole division and its remainder, by Euclid), comparisons of values
//! (1 where they hold, else 0), `and`, `or`, and around them `max(a, b)`, `min(a, b)`, `count(5d10 >= 8, a = 1)`. All dice
//! are independent, but a letter is the same roll wherever it stands: the formula is computed for each of its faces where
//! it comes twice.

mod endless;
mod finite;
mod pool;
#[cfg(test)]
mod tests;

use super::values::{MOST_WEIGHTS, Weights, WeightsError, WrongText, fits, integers, too_many};
use endless::Endless;
use finite::{certain, ends, pairs, sum, total};
use flipcost_number::collect::ordered;
use flipcost_number::grammar::{
    Algebra, AlgebraError, Expr, ExpressionError, Literal, Operator, Vocabulary, dice_length,
};
use flipcost_number::{BigInt, BigUint, Rational};
use num_traits::{One, Zero};
use pool::{Pool, event};
use std::collections::BTreeMap;

/// Steps of the law of a formula: words of the numbers of its values, and combinations of the faces of letters that come twice.
pub const MOST_ROLLS: u64 = 1 << 26;

static FORMULA: Vocabulary = Vocabulary {
    noun: "a formula of dice",
    operand: "a number, dice such as 3d6, 4d6kh3 or d6!, max(d6, d8), min(d6, d8), count(5d10 >= 8) or a bracket was expected",
    operator: "one of + - * / % < <= = != >= > and or, or the end was expected",
    names: true,
    dice: true,
    functions: &["max", "min", "count"],
};

/// Is there a die such as 3d6 or d6 in a text?
///
/// ```
/// use flipcost::task::has_dice;
/// assert!(has_dice("2 + 4d6kh3") && !has_dice("0x3d6"));
/// ```
pub fn has_dice(text: &str) -> bool {
    let bytes = text.as_bytes();
    let part = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'.';
    let begins = |i: usize| i == 0 || !part(bytes[i - 1]);
    (0..bytes.len()).any(|i| begins(i) && dice_length(&bytes[i..]).is_some())
}

/// How many of the combinations of faces have each value, or numbers in proportion to the probabilities.
type Counts = BTreeMap<i64, BigUint>;

/// What is done for one formula, and the character that asks for it.
struct Work {
    steps: u64,
    at: usize,
}

impl Work {
    fn add(&mut self, steps: u64) -> Result<(), AlgebraError> {
        self.steps = self.steps.saturating_add(steps);
        if self.steps <= MOST_ROLLS {
            Ok(())
        } else {
            let what = format!("the law of these dice would take more than {MOST_ROLLS} steps");
            Err(AlgebraError::new(self.at, what))
        }
    }

    /// The length of a series, if it is not too long.
    fn terms(&self, length: u64) -> Result<usize, AlgebraError> {
        match usize::try_from(length) {
            Ok(length) if length <= endless::MOST_TERMS => Ok(length),
            _ => {
                let what = format!(
                    "a law without end is computed for {} values at most",
                    endless::MOST_TERMS
                );
                Err(AlgebraError::new(self.at, what))
            }
        }
    }

    fn beyond(&self) -> AlgebraError {
        AlgebraError::new(self.at, "a result can pass 2^63")
    }
}

/// What a part of a formula is.
#[derive(Clone, Debug)]
enum DiceValue {
    Whole(i64),
    Finite(Counts),
    /// Dice that were not added yet: another part may ask how many of them stand so to a number.
    Pool(Pool),
    /// A comparison of their sum with a number.
    Compared(Pool, Operator, i64),
    Endless(Endless),
}

use DiceValue::{Finite, Whole};

/// Numbers in proportion to probabilities.
fn counts_of(law: Vec<(i64, Rational)>, work: &Work) -> Result<Counts, AlgebraError> {
    let (values, weights): (Vec<i64>, Vec<Rational>) = law.into_iter().unzip();
    let weights = integers(weights).map_err(|error| AlgebraError::new(work.at, error))?;
    Ok(ordered(values.into_iter().zip(weights)))
}

fn negated(x: &Counts, work: &Work) -> Result<Counts, AlgebraError> {
    let negated = |(value, count): (&i64, &BigUint)| Some((value.checked_neg()?, count.clone()));
    let all: Option<Vec<_>> = x.iter().rev().map(negated).collect();
    Ok(ordered(all.ok_or_else(|| work.beyond())?))
}

struct DiceLaws<'a> {
    letters: &'a [(&'a str, u64)],
    from: i64,
    /// The faces of letters that come twice.
    fixed: Vec<Option<i64>>,
    /// Does a die explode, so that combinations of faces are not counted?
    explodes: bool,
    work: Work,
}

impl DiceLaws<'_> {
    fn refuse<T>(&self, what: &str) -> Result<T, AlgebraError> {
        Err(AlgebraError::new(self.work.at, what))
    }

    /// The law of a part, with nothing left to be asked of its dice.
    fn law(&mut self, value: DiceValue) -> Result<DiceValue, AlgebraError> {
        match value {
            Whole(value) => Ok(Finite(certain(value))),
            DiceValue::Pool(pool) => pool.law(&mut self.work),
            DiceValue::Compared(pool, operator, number) => {
                let sum = pool.law(&mut self.work)?;
                self.combine(operator, sum, Finite(certain(number)))
            }
            law => Ok(law),
        }
    }

    /// A law that has an end, written as one that has none.
    fn series(&mut self, x: &Counts, falls: bool) -> Result<Endless, AlgebraError> {
        if falls {
            Ok(Endless::of_finite(&negated(x, &self.work)?, &mut self.work)?.negated())
        } else {
            Endless::of_finite(x, &mut self.work)
        }
    }

    /// Two laws with a sign between them.
    fn combine(
        &mut self,
        operator: Operator,
        x: DiceValue,
        y: DiceValue,
    ) -> Result<DiceValue, AlgebraError> {
        use DiceValue::Endless as Unending;
        let is_order = operator.is_comparison();
        Ok(match (x, y) {
            (Finite(x), Finite(y)) => Finite(self.finite(operator, &x, &y)?),
            (x, y) if operator == Operator::Minus => {
                let y = self.negate(y, self.work.at)?;
                self.combine(Operator::Plus, x, y)?
            }
            (Unending(x), Unending(y)) if operator == Operator::Plus => {
                if x.falls() != y.falls() {
                    return self.refuse("a difference of two laws without end has no first value: compare them, as in d6! > d8!");
                }
                Unending(x.plus(&y, &mut self.work)?)
            }
            (Unending(x), Unending(y)) if is_order => {
                let p = if x.falls() == y.falls() {
                    x.against(operator, &y, &mut self.work)?
                } else {
                    x.plus(&y.negated(), &mut self.work)?.compared(operator, 0, &mut self.work)?
                };
                Finite(event(p))
            }
            (Unending(x), Finite(y)) if is_order => {
                let (mut p, all) = (Rational::zero(), total(&y));
                for (value, count) in y {
                    let part = Rational::new(count.into(), all.clone().into());
                    p += x.compared(operator, value, &mut self.work)? * part;
                }
                Finite(event(p))
            }
            (Unending(x), Finite(y)) if operator == Operator::Plus => {
                let y = self.series(&y, x.falls())?;
                Unending(x.plus(&y, &mut self.work)?)
            }
            (Unending(x), Finite(y)) if operator == Operator::Times && y.len() == 1 => match ends(&y).0 {
                0 => Whole(0),
                k if k < 0 => Unending(x.scaled(k.checked_neg().ok_or_else(|| self.work.beyond())?, &mut self.work)?.negated()),
                k => Unending(x.scaled(k, &mut self.work)?),
            },
            (x @ Finite(_), y) if is_order || matches!(operator, Operator::Plus | Operator::Times) => {
                self.combine(operator.mirrored(), y, x)?
            }
            _ => return self.refuse("a law without end is added, multiplied by a number, compared, or an argument of max, min and count"),
        })
    }

    fn finite(
        &mut self,
        operator: Operator,
        x: &Counts,
        y: &Counts,
    ) -> Result<Counts, AlgebraError> {
        let dense = match operator {
            Operator::Plus => sum(x, y, &mut self.work)?,
            Operator::Minus => sum(x, &negated(y, &self.work)?, &mut self.work)?,
            _ => None,
        };
        if let Some(counts) = dense {
            return Ok(counts);
        }
        let at = self.work.at;
        pairs(x, y, |a, b| of_words(operator, a, b, at), &mut self.work)
    }

    /// The larger or the smaller of two laws.
    fn extreme(
        &mut self,
        larger: bool,
        x: DiceValue,
        y: DiceValue,
    ) -> Result<DiceValue, AlgebraError> {
        use DiceValue::Endless as Unending;
        Ok(match (x, y) {
            (Finite(x), Finite(y)) => {
                let of = |a: i64, b: i64| Ok(if larger { a.max(b) } else { a.min(b) });
                Finite(pairs(&x, &y, of, &mut self.work)?)
            }
            (Unending(x), Unending(y)) => {
                if x.falls() != y.falls() {
                    return self.refuse("of two laws without end, of which one has no first value, neither max nor min is computed");
                }
                Unending(x.extreme(&y, larger, &mut self.work)?)
            }
            (Unending(x), Finite(y)) | (Finite(y), Unending(x)) => {
                let y = self.series(&y, x.falls())?;
                if larger == x.falls() {
                    let law = x.bounded(&y, &mut self.work)?;
                    Finite(counts_of(law, &self.work)?)
                } else {
                    Unending(x.extreme(&y, larger, &mut self.work)?)
                }
            }
            _ => unreachable!("both are laws"),
        })
    }
}

fn refuse_formula(text: &str, what: impl Into<String>) -> WeightsError {
    WrongText(ExpressionError::of_value(text, &FORMULA, what.into())).into()
}

/// The value for two words.
fn of_words(operator: Operator, a: i64, b: i64, at: usize) -> Result<i64, AlgebraError> {
    operator.of_words(a, b).ok_or_else(|| {
        let divides = matches!(operator, Operator::Over | Operator::Modulo);
        let what = if divides && b == 0 {
            "a divisor can be 0"
        } else {
            "a result can pass 2^63"
        };
        AlgebraError::new(at, what)
    })
}

impl Algebra for DiceLaws<'_> {
    type Value = DiceValue;

    fn words(&self) -> &'static Vocabulary {
        &FORMULA
    }

    fn number(&mut self, number: Literal<'_>, at: usize) -> Result<DiceValue, AlgebraError> {
        let value = number.word();
        Ok(Whole(value.map_err(|what| AlgebraError::new(at, what))?))
    }

    fn dice(&mut self, dice: &str, at: usize) -> Result<DiceValue, AlgebraError> {
        let pool = Pool::read(dice, at)?;
        self.explodes |= pool.explodes;
        Ok(DiceValue::Pool(pool))
    }

    fn name(&mut self, name: &str, at: usize) -> Result<DiceValue, AlgebraError> {
        match self.letters.iter().position(|(letter, _)| *letter == name) {
            Some(place) => match self.fixed[place] {
                Some(face) => Ok(Whole(face)),
                None => Ok(DiceValue::Pool(Pool::die(
                    self.from,
                    self.letters[place].1,
                    at,
                )?)),
            },
            None if self.letters.is_empty() && name.len() == 1 => {
                let what = "a letter is one of the dice that are listed, and none are";
                Err(AlgebraError::new(at, what))
            }
            None if self.letters.is_empty() => Err(FORMULA.no_operand(at)),
            None => {
                let known: Vec<&str> = self.letters.iter().map(|(letter, _)| *letter).collect();
                Err(AlgebraError::new(
                    at,
                    format!("only {} have a value here", known.join(", ")),
                ))
            }
        }
    }

    fn call(
        &mut self,
        name: &str,
        arguments: Vec<DiceValue>,
        at: usize,
    ) -> Result<DiceValue, AlgebraError> {
        self.work.at = at;
        let counts = name == "count";
        if !counts && (!["max", "min"].contains(&name) || arguments.len() < 2) {
            let what = "max(a, b), min(a, b) or count(5d10 >= 8) was expected; the highest of two dice is 2d20kh1";
            return Err(AlgebraError::new(at, what));
        }
        let mut all: Option<DiceValue> = None;
        for argument in arguments {
            let argument = match argument {
                DiceValue::Compared(pool, operator, number) if counts => {
                    let hits = pool.hits(operator, number).map(DiceValue::Pool);
                    hits.ok_or_else(|| AlgebraError::new(at, "these dice are counted already"))?
                }
                other => other,
            };
            let is_number = matches!(&argument, DiceValue::Pool(pool) if pool.is_counted());
            let law = self.law(argument)?;
            let is_event =
                matches!(&law, Finite(law) if law.keys().all(|value| [0, 1].contains(value)));
            if counts && !is_number && !is_event {
                return Err(AlgebraError::new(
                    at,
                    "count takes comparisons, as in count(5d10 >= 8)",
                ));
            }
            all = Some(match all {
                None => law,
                Some(before) if counts => self.combine(Operator::Plus, before, law)?,
                Some(before) => self.extreme(name == "max", before, law)?,
            });
        }
        Ok(all.expect("a function has an argument"))
    }

    fn negate(&mut self, x: DiceValue, at: usize) -> Result<DiceValue, AlgebraError> {
        self.work.at = at;
        Ok(match self.law(x)? {
            DiceValue::Endless(x) => DiceValue::Endless(x.negated()),
            Finite(x) if x.len() == 1 && !self.explodes && total(&x).is_one() => {
                Whole(ends(&negated(&x, &self.work)?).0)
            }
            Finite(x) => Finite(negated(&x, &self.work)?),
            _ => unreachable!("it is a law"),
        })
    }

    fn binary(
        &mut self,
        operator: Operator,
        x: DiceValue,
        y: DiceValue,
        at: usize,
    ) -> Result<DiceValue, AlgebraError> {
        self.work.at = at;
        let is_comparison = operator.is_comparison();
        match (x, y) {
            _ if operator == Operator::Power => Err(FORMULA.no_operator(at)),
            (Whole(x), Whole(y)) => Ok(Whole(of_words(operator, x, y, at)?)),
            (DiceValue::Pool(pool), Whole(y)) if is_comparison && !pool.is_counted() => {
                Ok(DiceValue::Compared(pool, operator, y))
            }
            (Whole(x), DiceValue::Pool(pool)) if is_comparison && !pool.is_counted() => {
                Ok(DiceValue::Compared(pool, operator.mirrored(), x))
            }
            (x, y) => {
                let (x, y) = (self.law(x)?, self.law(y)?);
                self.combine(operator, x, y)
            }
        }
    }
}

/// The law of a formula of dice.
///
/// ```
/// use flipcost::task::DiceLaw;
/// let sum = DiceLaw::read("a + b", &[("a", 6), ("b", 6)], 1)?;
/// assert_eq!(sum.weights()?.target().to_string(), "1:2:3:4:5:6:5:4:3:2:1");
/// // a d12 from two d6
/// let fair = DiceLaw::read("a + 6 * (b % 2)", &[("a", 6), ("b", 6)], 1)?;
/// assert_eq!(fair.weights()?.target().to_string(), "12");
/// // an exploding d6 has no largest value
/// let endless = DiceLaw::read("d6!", &[], 1)?;
/// assert_eq!(endless.moments().0.to_string(), "21/5");
/// assert!(endless.weights().is_err());
/// # Ok::<(), flipcost::task::WeightsError>(())
/// ```
#[derive(Clone, Debug)]
pub struct DiceLaw {
    text: String,
    law: SummedLaw,
    counted: bool,
}

#[derive(Clone, Debug)]
enum SummedLaw {
    Finite(Counts),
    Endless(Endless),
}

impl DiceLaw {
    /// Reads a formula in which some letters are dice, whose faces begin at `from`, each with its sides. Cost: the
    /// product of long numbers for a sum of dice, one step for each pair of values of other signs, and all of it for each
    /// combination of faces of the letters that come twice.
    ///
    /// # Errors
    /// A text that is no formula of these letters; more than [`MOST_ROLLS`] steps; values beyond 2^63.
    pub fn read(text: &str, letters: &[(&str, u64)], from: i64) -> Result<DiceLaw, WeightsError> {
        let expr = Expr::parse(text, &FORMULA).map_err(WrongText)?;
        let often = |letter: &str| expr.names().filter(|(name, _)| *name == letter).count();
        let twice: Vec<usize> = (0..letters.len())
            .filter(|&place| often(letters[place].0) > 1)
            .collect();
        let combinations = twice
            .iter()
            .try_fold(1u64, |all, &place| all.checked_mul(letters[place].1));
        let combinations =
            combinations.filter(|all| all.saturating_mul(expr.size() as u64) <= MOST_ROLLS);
        let Some(combinations) = combinations else {
            let what = format!(
                "its letters that come twice show more than {MOST_ROLLS} combinations of faces, times the steps of the formula"
            );
            return Err(refuse_formula(text, what));
        };
        let mut laws = DiceLaws {
            letters,
            from,
            fixed: vec![None; letters.len()],
            explodes: false,
            work: Work { steps: 0, at: 0 },
        };
        twice
            .iter()
            .for_each(|&place| laws.fixed[place] = Some(from));
        let mut all = Counts::new();
        let mut parts: BTreeMap<i64, Rational> = BTreeMap::new();
        for _ in 0..combinations {
            let value = expr.evaluate(&mut laws).map_err(WrongText)?;
            let law = match value {
                Whole(value) => {
                    *all.entry(value).or_default() += 1u8;
                    None
                }
                value => {
                    let refuse = |refusal| WrongText(expr.refuse(&FORMULA, refusal));
                    Some(laws.law(value).map_err(refuse)?)
                }
            };
            match law {
                Some(DiceValue::Endless(law)) if twice.is_empty() => {
                    let law = SummedLaw::Endless(law);
                    return Ok(DiceLaw {
                        text: text.to_string(),
                        law,
                        counted: false,
                    });
                }
                Some(DiceValue::Endless(_)) => {
                    let what = "a letter that comes twice and a law without end are not computed together: compare the law with a number, as in d6! >= 10";
                    return Err(refuse_formula(text, what));
                }
                Some(Finite(law)) if laws.explodes => {
                    let sum = total(&law);
                    for (value, count) in law {
                        *parts.entry(value).or_insert_with(Rational::zero) +=
                            Rational::new(count.into(), sum.clone().into());
                    }
                }
                Some(Finite(law)) => {
                    for (value, count) in law {
                        *all.entry(value).or_default() += count;
                    }
                }
                _ => {}
            }
            for &place in &twice {
                let face = laws.fixed[place].as_mut().expect("it has a face");
                *face += 1;
                if *face - from < letters[place].1 as i64 {
                    break;
                }
                *face = from;
            }
        }
        for (value, count) in &all {
            if laws.explodes {
                *parts.entry(*value).or_insert_with(Rational::zero) +=
                    Rational::from_integer(count.clone().into());
            }
        }
        if laws.explodes {
            let (values, weights): (Vec<i64>, Vec<Rational>) = parts.into_iter().unzip();
            all = ordered(values.into_iter().zip(integers(weights)?));
        }
        Ok(DiceLaw {
            text: text.to_string(),
            law: SummedLaw::Finite(all),
            counted: !laws.explodes,
        })
    }

    /// Has it a least and a largest value?
    pub fn has_end(&self) -> bool {
        matches!(self.law, SummedLaw::Finite(_))
    }

    /// Has it no end below, as -d6!, and not above?
    pub fn falls(&self) -> bool {
        matches!(&self.law, SummedLaw::Endless(law) if law.falls())
    }

    /// Mean and variance.
    pub fn moments(&self) -> (Rational, Rational) {
        let counts = match &self.law {
            SummedLaw::Endless(law) => return law.moments(),
            SummedLaw::Finite(counts) => counts,
        };
        let (mut first, mut second) = (BigInt::zero(), BigInt::zero());
        for (value, count) in counts {
            let part = BigInt::from(count.clone()) * *value;
            second += &part * *value;
            first += part;
        }
        let all = BigInt::from(total(counts));
        let mean = Rational::new(first, all.clone());
        let variance = Rational::new(second, all) - &mean * &mean;
        (mean, variance)
    }

    /// Each value with its probability, in increasing order, and what is left for all others: nothing if there are
    /// finitely many, else less than `rest`.
    pub fn values(&self, rest: &Rational) -> (Vec<(i64, Rational)>, Rational) {
        match &self.law {
            SummedLaw::Endless(law) => law.values(rest),
            SummedLaw::Finite(counts) => {
                let all = BigInt::from(total(counts));
                let p = |count: &BigUint| Rational::new(count.clone().into(), all.clone());
                let values = counts.iter().map(|(value, count)| (*value, p(count)));
                (values.collect(), Rational::zero())
            }
        }
    }

    /// How many combinations of the faces of all dice there are; `None` if a die explodes.
    pub fn combinations(&self) -> Option<BigUint> {
        match &self.law {
            SummedLaw::Finite(counts) if self.counted => Some(total(counts)),
            _ => None,
        }
    }

    /// The law as a target.
    ///
    /// # Errors
    /// A law without end, or one of too many values.
    pub fn weights(&self) -> Result<Weights, WeightsError> {
        let SummedLaw::Finite(counts) = &self.law else {
            let text = &self.text;
            let what = format!(
                "its law has no end, and a target has finitely many outcomes: compare it with a number, as in {text} >= 10, or bound it, as in min({text}, 20); its probabilities are those of its law"
            );
            return Err(refuse_formula(text, what));
        };
        if counts.len() > MOST_WEIGHTS {
            return Err(too_many());
        }
        let bits = counts.values().map(BigUint::bits).max().unwrap_or(0);
        fits(counts.len() as u64, bits)?;
        let (values, weights) = counts.clone().into_iter().unzip();
        Weights::of_values(weights, values)
    }
}
