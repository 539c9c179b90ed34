//! The law of an expression of dice.
//!
//! The law of a sum of independent numbers is the product of their generating functions; a die of s
//! sides is x + x^2 + ... + x^s, and k of them are its power, multiplied out one factor at a time by
//! sums that slide: (x + ... + x^s) f(x) has the coefficients F(v-1) - F(v-s-1), F the sums of f.
//! Another sign combines every pair of values. In a formula with letters a letter may come twice, so
//! there all combinations of faces are gone through.

use super::values::{MOST_WEIGHTS, WORDS, Weights, WeightsError, WrongText, fits, too_many, wrong};
use flipcost_number::BigUint;
use flipcost_number::collect::ordered;
use flipcost_number::grammar::{
    Algebra, AlgebraError, Expr, Formula, Literal, Operator, Vocabulary,
};
use num_traits::{One, Zero};
use std::collections::BTreeMap;

/// Combinations of faces, or pairs of values, that are gone through for one target.
pub const MOST_ROLLS: u64 = 1 << 26;

/// Is there a die such as 3d6 or d6 in a text?
pub(crate) fn has_dice(text: &str) -> bool {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    words.filter(|word| !word.starts_with("0x")).any(has_die)
}

fn has_die(word: &str) -> bool {
    let bytes = word.as_bytes();
    let digit = |i: usize| bytes.get(i).is_some_and(u8::is_ascii_digit);
    let letter = |i: usize| bytes.get(i).is_some_and(u8::is_ascii_alphabetic);
    let is_die = |i: usize| match i.checked_sub(1) {
        Some(before) => digit(before) || digit(i + 1) && !letter(before),
        None => digit(i + 1),
    };
    (0..bytes.len()).any(|i| bytes[i] == b'd' && is_die(i))
}

/// How many of the combinations of faces have each value.
type Counts = BTreeMap<i64, BigUint>;

struct Laws {
    /// Pairs and sums so far.
    steps: u64,
}

impl Laws {
    fn work(&mut self, steps: u64, at: usize) -> Result<(), AlgebraError> {
        self.steps = self.steps.saturating_add(steps);
        if self.steps <= MOST_ROLLS {
            Ok(())
        } else {
            Err(AlgebraError::new(
                at,
                format!("the law of these dice would take more than {MOST_ROLLS} steps"),
            ))
        }
    }

    /// The sum of k dice of s sides.
    fn dice(&mut self, k: i64, s: i64, at: usize) -> Result<Counts, AlgebraError> {
        if !(1..=1 << 20).contains(&k) || !(1..=1 << 22).contains(&s) {
            let what = "1 to 2^20 dice of 1 to 2^22 sides were expected";
            return Err(AlgebraError::new(at, what));
        }
        let (k, s) = (k as usize, s as usize);
        let values = k * (s - 1) + 1;
        let words = k as u64 * u64::from((s as u64).ilog2() + 1) / 64 + 1;
        self.work(
            (k as u64)
                .saturating_mul(values as u64)
                .saturating_mul(words),
            at,
        )?;
        let mut counts = vec![BigUint::one(); s];
        for _ in 1..k {
            let mut sum = BigUint::zero();
            let longer = (0..counts.len() + s - 1).map(|v| {
                if let Some(count) = counts.get(v) {
                    sum += count;
                }
                if v >= s {
                    sum -= &counts[v - s];
                }
                sum.clone()
            });
            counts = longer.collect();
        }
        let least = k as i64;
        let value = |(i, count)| (least + i as i64, count);
        Ok(ordered(counts.into_iter().enumerate().map(value)))
    }
}

impl Algebra for Laws {
    type Value = Counts;

    fn words(&self) -> &'static Vocabulary {
        &WORDS
    }

    fn number(&mut self, number: Literal<'_>, at: usize) -> Result<Counts, AlgebraError> {
        let value = number.word();
        let value = value.map_err(|what| AlgebraError::new(at, what))?;
        Ok(ordered([(value, BigUint::one())]))
    }

    fn name(&mut self, name: &str, at: usize) -> Result<Counts, AlgebraError> {
        match name.strip_prefix('d').and_then(|sides| sides.parse().ok()) {
            Some(sides) => self.dice(1, sides, at),
            None => Err(WORDS.no_operand(at)),
        }
    }

    fn negate(&mut self, x: Counts, _at: usize) -> Result<Counts, AlgebraError> {
        Ok(ordered(x.into_iter().map(|(value, count)| (-value, count))))
    }

    fn binary(
        &mut self,
        operator: Operator,
        x: Counts,
        y: Counts,
        at: usize,
    ) -> Result<Counts, AlgebraError> {
        if operator == Operator::Dice {
            let number = |counts: &Counts| *counts.keys().next().expect("a number");
            return self.dice(number(&x), number(&y), at);
        }
        if operator == Operator::Power {
            return Err(WORDS.no_operator(at));
        }
        let bits = |counts: &Counts| counts.values().map(BigUint::bits).max().unwrap_or(0);
        let words = (bits(&x) + bits(&y)) / 64 + 1;
        let pairs = (x.len() as u64).saturating_mul(y.len() as u64);
        self.work(pairs.saturating_mul(words), at)?;
        let mut counts = Counts::new();
        for (a, times) in &x {
            for (b, count) in &y {
                let value = operator.of_words(*a, *b).ok_or_else(|| {
                    let divides = matches!(operator, Operator::Over | Operator::Modulo);
                    let what = if divides && *b == 0 {
                        "a divisor can be 0"
                    } else {
                        "a result can pass 2^63"
                    };
                    AlgebraError::new(at, what)
                })?;
                *counts.entry(value).or_default() += times * count;
            }
        }
        Ok(counts)
    }
}

fn weights(counts: Counts) -> Result<Weights, WeightsError> {
    if counts.len() > MOST_WEIGHTS {
        return Err(too_many());
    }
    let bits = counts.values().map(BigUint::bits).max().unwrap_or(0);
    fits(counts.len() as u64, bits)?;
    let (values, weights) = counts.into_iter().unzip();
    Weights::of_values(weights, values)
}

/// The target of an expression in which every die is written as one.
pub(crate) fn read(text: &str) -> Result<Weights, WeightsError> {
    let expr = Expr::parse(text, &WORDS).map_err(WrongText)?;
    weights(expr.evaluate(&mut Laws { steps: 0 }).map_err(WrongText)?)
}

/// See [`Weights::of_formula`].
pub(crate) fn of_formula(
    text: &str,
    dice: &[(&str, u64)],
    from: i64,
) -> Result<Weights, WeightsError> {
    let names: Vec<&str> = dice.iter().map(|(name, _)| *name).collect();
    let formula = Formula::read(text, &names).map_err(WrongText)?;
    let all = dice
        .iter()
        .try_fold(1u64, |all, (_, sides)| all.checked_mul(*sides));
    let all = all.filter(|all| all.saturating_mul(formula.steps() as u64) <= MOST_ROLLS);
    let Some(all) = all else {
        let what = format!(
            "its dice show more than {MOST_ROLLS} combinations of faces, times the steps of the formula"
        );
        return Err(wrong(text, 0, what));
    };
    let mut faces: Vec<i64> = vec![from; dice.len()];
    let mut counts: BTreeMap<i64, u64> = BTreeMap::new();
    for _ in 0..all {
        *counts
            .entry(formula.value(&faces).map_err(WrongText)?)
            .or_default() += 1;
        for (face, (_, sides)) in faces.iter_mut().zip(dice) {
            *face += 1;
            if *face - from >= *sides as i64 {
                *face = from
            } else {
                break;
            }
        }
    }
    weights(ordered(
        counts
            .into_iter()
            .map(|(value, count)| (value, count.into())),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The law of an expression is that of the formula with a letter for every die.
    #[test]
    fn expressions_are_formulas() {
        type Letters = &'static [(&'static str, u64)];
        let formulas: [(&str, &str, Letters); 6] = [
            ("3d6", "a + b + c", &[("a", 6), ("b", 6), ("c", 6)]),
            ("2d6 + 1", "a + b + 1", &[("a", 6), ("b", 6)]),
            ("1d8 - 2d4", "a - b - c", &[("a", 8), ("b", 4), ("c", 4)]),
            ("1d6 * 1d4 % 5", "a * b % 5", &[("a", 6), ("b", 4)]),
            ("2d6 >= 7", "a + b >= 7", &[("a", 6), ("b", 6)]),
            ("-1d10 / 3", "-a / 3", &[("a", 10)]),
        ];
        for (dice, formula, letters) in formulas {
            assert_eq!(
                read(dice).unwrap(),
                of_formula(formula, letters, 1).unwrap(),
                "{dice}"
            );
        }
    }

    #[test]
    fn a_letter_may_come_twice() {
        let double = of_formula("a * a", &[("a", 3)], 1).unwrap();
        assert_eq!(double.target().to_string(), "3");
        assert_eq!(double.label(&2u8.into()), "9");
    }

    #[test]
    fn what_is_too_much_is_refused() {
        for text in [
            "1000000d1000",
            "0d6",
            "1d0",
            "1d6 / (1d3 - 1)",
            "4000000d2 * 1d6",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
        assert!(of_formula("a", &[("a", 1 << 40)], 1).is_err());
        assert!(of_formula("a", &[("a", 0)], 1).is_err());
        assert!(of_formula("a + b", &[("a", 6)], 1).is_err());
        assert_eq!(read("100d6").unwrap().target().possible(), 501u16.into());
    }
}
