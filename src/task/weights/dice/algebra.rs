//! Applies the operators and functions of a formula of dice to laws.

use super::super::named;
use super::super::values::WeightsError;
use super::endless::{Endless, SummedLaw};
use super::finite::{certain, ends, negated, pairs, sum, total, zero_one_law};
use super::pool::DicePool;
use super::readings::joined_comparisons;
use super::work::{Counts, DiceWork, counts_of};
use flipcost_number::grammar::{Algebra, AlgebraError, Literal, Operator, Vocabulary};
use flipcost_number::{BigUint, Rational};
use num_traits::{One, Zero};

pub(super) static FORMULA: Vocabulary = Vocabulary {
    noun: "a formula of dice",
    operand: "a number, dice such as 3d6, 4d6kh3 or d6!, a law such as binomial:n=20,p=1/3, max(d6, d8), min(d6, d8), count(5d10 >= 8), total(3d6) or a bracket was expected",
    operator: "one of + - * / % < <= = != >= > and or, or the end was expected",
    names: true,
    dice: true,
    functions: &["max", "min", "count", "count_rolls", "total"],
};

/// The error that lists the supported operations on a law without end.
const ENDLESS_LAW_OPERATIONS: &str = "a law with infinitely many values can only be added, multiplied by a number, compared, or used as an argument of max, min and count";

/// The value of a part of a formula.
#[derive(Clone, Debug)]
pub(super) enum DiceValue {
    Whole(i64),
    Finite(Counts),
    /// Dice that have not been added up yet, because another part of the formula may count how many
    /// of them satisfy a comparison.
    Pool(DicePool),
    /// A comparison of the dice with a number, and the position of its sign.
    Compared(DicePool, Operator, i64, usize),
    Endless(Endless),
}

impl From<SummedLaw> for DiceValue {
    fn from(law: SummedLaw) -> DiceValue {
        match law {
            SummedLaw::Finite(law) => Finite(law),
            SummedLaw::Endless(law) => DiceValue::Endless(law),
        }
    }
}

use DiceValue::{Finite, Whole};

#[derive(Default)]
pub(super) struct DiceLaws {
    /// The values of names.
    pub(super) names: Vec<(String, DiceValue)>,
    /// Whether a die explodes, so that the combinations of faces are infinitely many.
    pub(super) explodes: bool,
    pub(super) readings: OperatorReadings,
    pub(super) work: DiceWork,
}

/// The operators in a formula whose results differ between programs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct OperatorReadings {
    /// Whether the formula contains a `/`, which rounds down.
    pub(super) rounds: bool,
    /// Whether a negative number stands before a `%`.
    pub(super) reduces_negative: bool,
    /// Whether `<` or `>` compares a single die with one of its faces.
    pub(super) excludes_face: bool,
}

impl DiceValue {
    /// Whether it is known, before the law is computed, that there are infinitely many values.
    fn is_endless(&self) -> bool {
        match self {
            DiceValue::Pool(pool) => pool.explodes && !pool.is_counted(),
            value => matches!(value, DiceValue::Endless(_)),
        }
    }

    /// Whether it is known, before the law is computed, that there is more than one value.
    fn has_several(&self) -> bool {
        match self {
            Finite(law) => law.len() > 1,
            DiceValue::Pool(pool) => !pool.is_counted() && !pool.explodes && pool.has_several(),
            _ => false,
        }
    }
}

/// Parses a named law, for example `binomial:n=20,p=1/3`, which begins at the character `at` of the
/// formula.
fn named_law(text: &str, at: usize) -> Result<Counts, AlgebraError> {
    let (name, fields) = text.split_once(':').unwrap_or((text, ""));
    let weights = named::read(text, 0, name, text.len() - fields.len());
    let weights = weights.map_err(|error| match error {
        WeightsError::Text(error) => AlgebraError::new(at + error.position(), error.what()),
        error => AlgebraError::new(at, error),
    })?;
    let value = |outcome: &BigUint| weights.label(outcome).parse::<i64>().ok();
    let values = weights
        .target()
        .iter()
        .map(|(outcome, weight)| Some((value(&outcome)?, weight)));
    let values: Option<Counts> = values
        .filter(|pair| pair.as_ref().is_none_or(|(_, w)| !w.is_zero()))
        .collect();
    values.ok_or_else(|| AlgebraError::new(at, "a law of small whole numbers was expected"))
}

impl DiceLaws {
    /// Rejects operations on endless laws that [`DiceLaws::combine`] does not support.
    fn check_endless(
        &self,
        operator: Operator,
        x: &DiceValue,
        y: &DiceValue,
    ) -> Result<(), AlgebraError> {
        let both = x.is_endless() && y.is_endless();
        let is_known = match operator {
            Operator::Plus | Operator::Minus => true,
            Operator::Times => !both && !x.has_several() && !y.has_several(),
            operator => operator.is_comparison(),
        };
        if is_known {
            Ok(())
        } else {
            self.refuse(ENDLESS_LAW_OPERATIONS)
        }
    }

    fn refuse<T>(&self, what: &str) -> Result<T, AlgebraError> {
        Err(AlgebraError::new(self.work.at, what))
    }

    /// Returns the law of a part of the formula; after that, its dice can no longer be counted.
    pub(super) fn law(&mut self, value: DiceValue) -> Result<DiceValue, AlgebraError> {
        match value {
            Whole(value) => Ok(Finite(certain(value))),
            DiceValue::Pool(pool) => Ok(pool.law(&mut self.work)?.into()),
            DiceValue::Compared(pool, operator, number, at) => {
                if let Some(readings) = pool.comparison_readings((operator, number), at) {
                    return Err(AlgebraError::new(at, readings));
                }
                let sum = pool.law(&mut self.work)?.into();
                self.combine(operator, sum, Finite(certain(number)))
            }
            law => Ok(law),
        }
    }

    /// Converts a finite law to the form of an endless law.
    fn endless_from_finite(
        &mut self,
        x: &Counts,
        is_negated: bool,
    ) -> Result<Endless, AlgebraError> {
        if is_negated {
            Ok(Endless::of_finite(&negated(x, &self.work)?, &mut self.work)?.negated())
        } else {
            Endless::of_finite(x, &mut self.work)
        }
    }

    /// Applies an operator to two laws.
    fn combine(
        &mut self,
        operator: Operator,
        x: DiceValue,
        y: DiceValue,
    ) -> Result<DiceValue, AlgebraError> {
        use DiceValue::Endless as Unending;
        let is_order = operator.is_comparison();
        Ok(match (x, y) {
            (Finite(x), Finite(y)) => Finite(self.combine_finite(operator, &x, &y)?),
            (x, y) if operator == Operator::Minus => {
                let y = self.negate(y, self.work.at)?;
                self.combine(Operator::Plus, x, y)?
            }
            (Unending(x), Unending(y)) if operator == Operator::Plus => {
                if x.is_negated() != y.is_negated() {
                    return self.refuse("a difference of two laws with infinitely many values has no least or largest value: compare them, as in d6! > d8!");
                }
                Unending(x.plus(&y, &mut self.work)?)
            }
            (Unending(x), Unending(y)) if is_order => {
                let p = if x.is_negated() == y.is_negated() {
                    x.comparison_probability(operator, &y, &mut self.work)?
                } else {
                    x.plus(&y.negated(), &mut self.work)?
                        .satisfied_probability(operator, 0, &mut self.work)?
                };
                Finite(zero_one_law(p))
            }
            (Unending(x), Finite(y)) if is_order => {
                let (mut p, all) = (Rational::zero(), total(&y));
                for (value, count) in y {
                    let part = Rational::new(count.into(), all.clone().into());
                    p += x.satisfied_probability(operator, value, &mut self.work)? * part;
                }
                Finite(zero_one_law(p))
            }
            (Unending(x), Finite(y)) if operator == Operator::Plus => {
                let y = self.endless_from_finite(&y, x.is_negated())?;
                Unending(x.plus(&y, &mut self.work)?)
            }
            (Unending(x), Finite(y)) if operator == Operator::Times && y.len() == 1 => {
                match ends(&y).0 {
                    0 => Whole(0),
                    k if k < 0 => Unending(
                        x.scaled(
                            k.checked_neg().ok_or_else(|| self.work.too_long_series())?,
                            &mut self.work,
                        )?
                        .negated(),
                    ),
                    k => Unending(x.scaled(k, &mut self.work)?),
                }
            }
            (x @ Finite(_), y)
                if is_order || matches!(operator, Operator::Plus | Operator::Times) =>
            {
                self.combine(operator.mirrored(), y, x)?
            }
            _ => return self.refuse(ENDLESS_LAW_OPERATIONS),
        })
    }

    /// Joins two conditions by `and` or `or`.
    fn join(
        &mut self,
        operator: Operator,
        x: DiceValue,
        y: DiceValue,
    ) -> Result<DiceValue, AlgebraError> {
        if let (Whole(x @ 0..=1), Whole(y @ 0..=1)) = (&x, &y) {
            return Ok(Whole(apply_to_words(operator, *x, *y, self.work.at)?));
        }
        if x.is_endless() || y.is_endless() {
            return self.refuse(&joined_comparisons(operator));
        }
        let (x, y) = (self.law(x)?, self.law(y)?);
        let is_event = |value: &DiceValue| matches!(value, Finite(law) if law.keys().all(|value| [0, 1].contains(value)));
        if !is_event(&x) || !is_event(&y) {
            return self.refuse(&joined_comparisons(operator));
        }
        self.combine(operator, x, y)
    }

    fn combine_finite(
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
        self.readings.reduces_negative |= operator == Operator::Modulo && ends(x).0 < 0;
        pairs(
            x,
            y,
            |a, b| apply_to_words(operator, a, b, at),
            &mut self.work,
        )
    }

    /// The law of the larger, or the smaller, of two independent numbers with these laws.
    fn larger_or_smaller(
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
                if x.is_negated() != y.is_negated() {
                    return self
                        .refuse("max and min of two laws with infinitely many values work only if both have a least value, or both a largest value");
                }
                Unending(x.larger_or_smaller(&y, larger, &mut self.work)?)
            }
            (Unending(x), Finite(y)) | (Finite(y), Unending(x)) => {
                let y = self.endless_from_finite(&y, x.is_negated())?;
                if larger == x.is_negated() {
                    let law = x.minimum_with(&y, &mut self.work)?;
                    Finite(counts_of(law, &self.work)?)
                } else {
                    Unending(x.larger_or_smaller(&y, larger, &mut self.work)?)
                }
            }
            _ => unreachable!("both are laws"),
        })
    }
}

/// Applies an operator to two integers.
fn apply_to_words(operator: Operator, a: i64, b: i64, at: usize) -> Result<i64, AlgebraError> {
    operator.of_words(a, b).ok_or_else(|| {
        let divides = matches!(operator, Operator::Over | Operator::Modulo);
        let what = if divides && b == 0 {
            "a divisor can be 0"
        } else {
            "a result can exceed 2^63"
        };
        AlgebraError::new(at, what)
    })
}

impl Algebra for DiceLaws {
    type Value = DiceValue;

    fn words(&self) -> &'static Vocabulary {
        &FORMULA
    }

    fn number(&mut self, number: Literal<'_>, at: usize) -> Result<DiceValue, AlgebraError> {
        let value = number.word();
        Ok(Whole(value.map_err(|what| AlgebraError::new(at, what))?))
    }

    fn dice(&mut self, dice: &str, at: usize) -> Result<DiceValue, AlgebraError> {
        if dice.contains(':') {
            return Ok(Finite(named_law(dice, at)?));
        }
        let pool = DicePool::read(dice, at)?;
        self.explodes |= pool.explodes;
        Ok(DiceValue::Pool(pool))
    }

    fn name(&mut self, name: &str, at: usize) -> Result<DiceValue, AlgebraError> {
        match self.names.iter().find(|(known, _)| *known == name) {
            Some((_, value)) => Ok(value.clone()),
            None if self.names.is_empty() && ["L", "l", "H", "h"].contains(&name) => {
                let what = "for the sum without the lowest or the highest die write dl1 or dh1, as in 4d6dl1";
                Err(AlgebraError::new(at, what))
            }
            None if self.names.is_empty() && name.len() == 1 => {
                let what = "a letter stands for a listed die, and no dice are listed";
                Err(AlgebraError::new(at, what))
            }
            None if self.names.is_empty() => Err(FORMULA.no_operand(at)),
            None => {
                let known: Vec<&str> = self.names.iter().map(|(name, _)| name.as_str()).collect();
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
        let rolls = name == "count_rolls";
        let counts = name == "count" || rolls;
        if name == "total" && arguments.len() == 1 {
            return match arguments.into_iter().next() {
                Some(DiceValue::Pool(pool)) if pool.is_counted() => Err(AlgebraError::new(
                    at,
                    "these dice are counted, so they have no total",
                )),
                Some(Whole(value)) => Ok(Whole(value)),
                value => self.law(value.expect("a function has an argument")),
            };
        }
        if !counts && (!["max", "min"].contains(&name) || arguments.len() < 2) {
            let what = "max(a, b), min(a, b), count(5d10 >= 8) or total(3d6) was expected; the highest of two dice is 2d20kh1";
            return Err(AlgebraError::new(at, what));
        }
        let mut all: Option<DiceValue> = None;
        let is_alone = arguments.len() == 1;
        for argument in arguments {
            let argument = match argument {
                DiceValue::Compared(pool, operator, number, _) if rolls && pool.explodes => {
                    if !pool.keeps_all() {
                        let what = "rolls can be counted only if all dice are kept";
                        return Err(AlgebraError::new(at, what));
                    }
                    let law = pool.rolls(operator, number, &mut self.work)?;
                    all = Some(match all {
                        None => DiceValue::Endless(law),
                        Some(before) => {
                            self.combine(Operator::Plus, before, DiceValue::Endless(law))?
                        }
                    });
                    continue;
                }
                DiceValue::Compared(pool, operator, number, _) if counts => {
                    let hits = pool.count_hits(operator, number).map(DiceValue::Pool);
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
            if counts && is_alone && !is_number {
                let what = "count counts dice, and here a sum is compared: write a sum without count, as in 5d10+2 >= 8, or the dice alone, as in count(5d10 >= 6)";
                return Err(AlgebraError::new(at, what));
            }
            all = Some(match all {
                None => law,
                Some(before) if counts => self.combine(Operator::Plus, before, law)?,
                Some(before) => self.larger_or_smaller(name == "max", before, law)?,
            });
        }
        Ok(all.expect("a function has an argument"))
    }

    fn percent(&mut self, _x: DiceValue, at: usize) -> Result<DiceValue, AlgebraError> {
        Err(AlgebraError::new(at, "a value was expected after %"))
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
        self.readings.rounds |= operator == Operator::Over;
        let is_comparison = operator.is_comparison();
        match (x, y) {
            _ if operator == Operator::Power => Err(FORMULA.no_operator(at)),
            (x, y) if matches!(operator, Operator::And | Operator::Or) => self.join(operator, x, y),
            (Whole(x), Whole(y)) => Ok(Whole(apply_to_words(operator, x, y, at)?)),
            (DiceValue::Pool(pool), Whole(y)) if is_comparison && !pool.is_counted() => {
                self.readings.excludes_face |= pool.excludes_face(operator, y);
                Ok(DiceValue::Compared(pool, operator, y, at))
            }
            (Whole(x), DiceValue::Pool(pool)) if is_comparison && !pool.is_counted() => {
                self.readings.excludes_face |= pool.excludes_face(operator.mirrored(), x);
                Ok(DiceValue::Compared(pool, operator.mirrored(), x, at))
            }
            (x, y) => {
                if x.is_endless() || y.is_endless() {
                    // Refuse an unsupported operation before hours of work.
                    self.check_endless(operator, &x, &y)?;
                }
                let (x, y) = (self.law(x)?, self.law(y)?);
                self.combine(operator, x, y)
            }
        }
    }
}
