//! The law of a formula: read, summed up over letters that come twice, and what is known of it.

use super::super::values::{MOST_WEIGHTS, Weights, WeightsError, fits, integers, too_many};
use super::algebra::{DiceLaws, DiceValue, FORMULA};
use super::endless::SummedLaw;
use super::finite::total;
use super::work::{Counts, DiceWork, MOST_ROLLS};
use DiceValue::{Finite, Whole};
use flipcost_number::collect::ordered;
use flipcost_number::expression::ExpressionError;
use flipcost_number::grammar::Expr;
use flipcost_number::{BigInt, BigUint, Rational};
use num_traits::Zero;
use std::collections::BTreeMap;

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

impl DiceLaw {
    /// Reads a formula in which some letters are dice, whose faces begin at `from`, each with its sides. Cost: the
    /// product of long numbers for a sum of dice, one step for each pair of values of other signs, and all of it for each
    /// combination of faces of the letters that come twice.
    ///
    /// # Errors
    /// A text that is no formula of these letters; more than 2^26 steps; values beyond 2^63.
    pub fn read(text: &str, letters: &[(&str, u64)], from: i64) -> Result<DiceLaw, WeightsError> {
        let expr = Expr::parse(text, &FORMULA)?;
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
            work: DiceWork { steps: 0, at: 0 },
        };
        twice
            .iter()
            .for_each(|&place| laws.fixed[place] = Some(from));
        let mut all = Counts::new();
        let mut parts: BTreeMap<i64, Rational> = BTreeMap::new();
        for _ in 0..combinations {
            let value = expr.evaluate(&mut laws)?;
            let law = match value {
                Whole(value) => {
                    *all.entry(value).or_default() += 1u8;
                    None
                }
                value => {
                    let refuse = |refusal| expr.refuse(&FORMULA, refusal);
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
                "its law has no end, and a target has finitely many outcomes: compare it with a number, as in {text} >= 10, or bound it, as in min({text}, 20)"
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

fn refuse_formula(text: &str, what: impl Into<String>) -> WeightsError {
    ExpressionError::of_value(text, &FORMULA, what.into()).into()
}
