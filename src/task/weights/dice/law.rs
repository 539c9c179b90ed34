//! The law of a formula of dice. This module parses the formula, goes through the faces of letters
//! that occur several times, and computes the properties of the law.

use super::super::values::{
    MAX_WEIGHTS, Weights, WeightsError, check_size, integers, too_many_weights,
};
use super::algebra::{DiceLaws, DiceValue, FORMULA, OperatorReadings};
use super::endless::SummedLaw;
use super::finite::total;
use super::names::{FormulaParts, find_word};
use super::pool::DicePool;
use super::readings::part_of_dice;
use super::work::Counts;
use DiceValue::Finite;
use flipcost_number::collect::ordered;
use flipcost_number::expression::ExpressionError;
use flipcost_number::grammar::Expr;
use flipcost_number::{BigInt, BigUint, Rational};
use num_traits::{One, Zero};
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
    is_condition: bool,
    /// Dice that occur several times in the formula, with the byte position and the length of each
    /// occurrence.
    repeated: Vec<(String, Vec<(usize, usize)>)>,
    readings: OperatorReadings,
}

/// Adds up the laws of a formula for all combinations that its names may show.
struct LawSum<'a> {
    text: &'a str,
    laws: DiceLaws,
    counts: Counts,
    /// The probabilities of the values; used instead of `counts` if there are no equally likely
    /// combinations to count.
    parts: BTreeMap<i64, Rational>,
}

impl<'a> LawSum<'a> {
    fn new(text: &'a str, laws: DiceLaws) -> LawSum<'a> {
        let (counts, parts) = (Counts::new(), BTreeMap::new());
        LawSum {
            text,
            laws,
            counts,
            parts,
        }
    }

    fn law_of(&mut self, expr: &Expr, value: DiceValue) -> Result<Counts, WeightsError> {
        match self.laws.law(value) {
            Ok(Finite(law)) => Ok(law),
            Ok(_) => {
                let what = "a letter that occurs twice cannot be combined with a law with infinitely many values: compare the law with a number, as in d6! >= 10";
                Err(refuse_formula(self.text, what))
            }
            Err(refusal) => Err(expr.refuse(&FORMULA, refusal).into()),
        }
    }

    fn add(
        &mut self,
        formula: &FormulaParts,
        value: DiceValue,
        given: Option<DiceValue>,
        ways: &BigUint,
    ) -> Result<(), WeightsError> {
        let law = self.law_of(&formula.value, value)?;
        let mut part = Rational::from_integer(ways.clone().into());
        let is_sure = given.is_none();
        if let (Some(given), Some(expr)) = (given, &formula.given) {
            let holds = self.law_of(expr, given)?;
            if holds.keys().any(|value| ![0, 1].contains(value)) {
                let what =
                    "a comparison was expected after `given`, as in r given r >= 5 where r = d20";
                return Err(refuse_formula(self.text, what));
            }
            let p = holds.get(&1).cloned().unwrap_or_default();
            part *= Rational::new(p.into(), total(&holds).into());
        }
        if is_sure && !self.laws.explodes {
            for (value, count) in law {
                *self.counts.entry(value).or_default() += count * ways;
            }
            return Ok(());
        }
        let sum = total(&law);
        for (value, count) in law {
            *self.parts.entry(value).or_insert_with(Rational::zero) +=
                Rational::new(count.into(), sum.clone().into()) * &part;
        }
        Ok(())
    }

    fn counts(self) -> Result<Counts, WeightsError> {
        if self.parts.is_empty() {
            return Ok(self.counts);
        }
        let mut parts = self.parts;
        for (value, count) in self.counts {
            *parts.entry(value).or_insert_with(Rational::zero) +=
                Rational::from_integer(count.into());
        }
        parts.retain(|_, part| !part.is_zero());
        if parts.is_empty() {
            let what = "the condition after `given` never holds";
            return Err(refuse_formula(self.text, what));
        }
        let (values, weights): (Vec<i64>, Vec<Rational>) = parts.into_iter().unzip();
        Ok(ordered(values.into_iter().zip(integers(weights)?)))
    }
}

impl DiceLaw {
    /// Parses a formula in which letters may stand for dice; `letters` gives the number of sides of
    /// each, and faces begin at `from`. Cost: products of long numbers for a sum of dice, and one
    /// step for each pair of values for other operators. All of this is repeated for each
    /// combination of faces of the letters that occur several times.
    ///
    /// # Errors
    /// If the text is not a formula with these letters, takes more than 2^26 steps, or has values
    /// beyond 2^63.
    pub fn read(text: &str, letters: &[(&str, u64)], from: i64) -> Result<DiceLaw, WeightsError> {
        let readings = super::super::lines::date_readings(text);
        if let Some(what) = readings.or_else(|| part_of_dice(text)) {
            return Err(refuse_formula(text, what));
        }
        let parts = FormulaParts::read(text)?;
        let mut dice = Vec::new();
        for (letter, sides) in letters {
            let die = DicePool::die(from, *sides, 0);
            let die = die.map_err(|error| ExpressionError::new(text, &FORMULA, error))?;
            dice.push((*letter, DiceValue::Pool(die.named(letter))));
        }
        if !parts.shares_roll() {
            let what =
                "one roll stands on both sides of `given`, as in r given r >= 5 where r = d20";
            return Err(refuse_formula(text, what));
        }
        let (names, rolls) = parts
            .rolls(dice)
            .map_err(|what| refuse_formula(text, what))?;
        let mut sum = LawSum::new(
            text,
            DiceLaws {
                names,
                explodes: parts.explodes,
                readings: parts.readings,
                ..DiceLaws::default()
            },
        );
        let mut at = vec![0; rolls.len()];
        loop {
            let mut ways = BigUint::one();
            for (roll, at) in rolls.iter().zip(&at) {
                let (value, times) = &roll.ways[*at];
                sum.laws.names[roll.place].1 = value.clone();
                ways *= times;
            }
            let value = parts.evaluate(&parts.value, &mut sum.laws)?;
            let refuse = |refusal| WeightsError::from(parts.value.refuse(&FORMULA, refusal));
            let value = sum.laws.law(value).map_err(refuse)?;
            let given = parts
                .given
                .as_ref()
                .map(|given| parts.evaluate(given, &mut sum.laws));
            if let DiceValue::Endless(law) = &value
                && rolls.is_empty()
                && given.is_none()
            {
                let law = SummedLaw::Endless(law.clone());
                let readings = sum.laws.readings;
                return Ok(DiceLaw::new(text, law, &parts, (false, readings)));
            }
            sum.add(&parts, value, given.transpose()?, &ways)?;
            // Go to the next combination of what the rolls show.
            let next = (0..rolls.len()).find(|place| {
                at[*place] += 1;
                let more = at[*place] < rolls[*place].ways.len();
                if !more {
                    at[*place] = 0;
                }
                more
            });
            if next.is_none() {
                break;
            }
        }
        let counted = !sum.laws.explodes && parts.given.is_none();
        let readings = sum.laws.readings;
        let law = SummedLaw::Finite(sum.counts()?);
        Ok(DiceLaw::new(text, law, &parts, (counted, readings)))
    }

    fn new(
        text: &str,
        law: SummedLaw,
        parts: &FormulaParts,
        (counted, readings): (bool, OperatorReadings),
    ) -> DiceLaw {
        let mut repeated: Vec<(String, Vec<(usize, usize)>)> = Vec::new();
        for (place, expr) in parts.formulas().enumerate() {
            for (dice, at) in expr.dice() {
                let at = (at + place * parts.given_at, dice.len());
                let same = |known: &str| spelling(known) == spelling(dice);
                match repeated.iter_mut().find(|(known, _)| same(known)) {
                    Some((_, places)) => places.push(at),
                    None => repeated.push((dice.to_string(), vec![at])),
                }
            }
        }
        repeated.retain(|(_, places)| places.len() > 1);
        DiceLaw {
            text: text.to_string(),
            law,
            counted,
            is_condition: parts.value.is_condition(),
            repeated,
            readings,
        }
    }

    /// Whether the formula is a comparison, or several comparisons joined by `and` and `or`.
    pub fn is_condition(&self) -> bool {
        self.is_condition
    }

    /// A note that dice which occur several times in the formula are separate rolls; `None` if no
    /// dice occur several times.
    ///
    /// ```
    /// use flipcost::task::DiceLaw;
    /// let twice = DiceLaw::read("count(5d10 >= 8) - count(5d10 = 1)", &[], 1)?;
    /// assert_eq!(twice.rolled_again().unwrap(), "5d10 is rolled twice, once for each place");
    /// let once = twice.of_one_roll().unwrap();
    /// assert_eq!(once, "count(r >= 8) - count(r = 1) where r = 5d10");
    /// # Ok::<(), flipcost::task::WeightsError>(())
    /// ```
    pub fn rolled_again(&self) -> Option<String> {
        let times = |(dice, places): &(String, Vec<(usize, usize)>)| match places.len() {
            2 => format!("{dice} is rolled twice"),
            count => format!("{dice} is rolled {count} times"),
        };
        let all: Vec<String> = self.repeated.iter().map(times).collect();
        (!all.is_empty()).then(|| format!("{}, once for each place", all.join(", ")))
    }

    /// A note on the results of `/`, of `%` for negative numbers, and of `<` and `>` for a die,
    /// which other programs compute differently; `None` if the formula has none of them.
    pub fn operator_note(&self) -> Option<String> {
        let OperatorReadings {
            rounds,
            reduces_negative,
            excludes_face,
        } = self.readings;
        let modulo = "% of a negative number is not negative: -1 % 3 is 2";
        let strict = "< and > leave the face itself out; Roll20 counts it, as <= and >= do here";
        let all = [
            (rounds, "/ rounds down"),
            (reduces_negative, modulo),
            (excludes_face, strict),
        ];
        let all = all.into_iter().filter(|(occurs, _)| *occurs);
        let all: Vec<&str> = all.map(|(_, note)| note).collect();
        (!all.is_empty()).then(|| all.join("; "))
    }

    /// The formula with a name for dice that occur several times, so that they are a single
    /// roll.
    pub fn of_one_roll(&self) -> Option<String> {
        if self.repeated.is_empty() || find_word(&self.text, "where").is_some() {
            return None;
        }
        let taken = |name: &char| {
            let mut words = self.text.split(|c: char| !c.is_ascii_alphanumeric());
            words.any(|word| word == name.to_string())
        };
        let names: Vec<char> = ('r'..='z').filter(|name| !taken(name)).collect();
        let mut places: Vec<(usize, usize, char)> = Vec::new();
        let mut meanings = Vec::new();
        for ((dice, at), name) in self.repeated.iter().zip(&names) {
            places.extend(at.iter().map(|(at, length)| (*at, *length, *name)));
            meanings.push(format!("{name} = {dice}"));
        }
        places.sort_unstable_by(|x, y| y.cmp(x));
        let mut text = self.text.clone();
        for (at, length, name) in places {
            text.replace_range(at..at + length, &name.to_string());
        }
        let text = format!("{} where {}", text.trim(), meanings.join(" and "));
        DiceLaw::read(&text, &[], 1).ok().map(|_| text)
    }

    /// Whether the formula has a least and a largest value.
    pub fn has_end(&self) -> bool {
        matches!(self.law, SummedLaw::Finite(_))
    }

    /// Whether the formula has no least value, as in -d6!, but a largest value.
    pub fn falls(&self) -> bool {
        matches!(&self.law, SummedLaw::Endless(law) if law.is_negated())
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

    /// Each value with its probability, in increasing order, and the remaining probability: zero if
    /// there are finitely many values, otherwise less than `rest`.
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

    /// The number of combinations of the faces of all dice; `None` if a die explodes.
    pub fn combinations(&self) -> Option<BigUint> {
        match &self.law {
            SummedLaw::Finite(counts) if self.counted => Some(total(counts)),
            _ => None,
        }
    }

    /// Converts the law to a target.
    ///
    /// # Errors
    /// If the law is endless, or has too many values.
    pub fn weights(&self) -> Result<Weights, WeightsError> {
        let SummedLaw::Finite(counts) = &self.law else {
            let text = &self.text;
            let what = format!(
                "its law has no end, and a target has finitely many outcomes: compare it with a number, as in {text} >= 10, or bound it, as in min({text}, 20)"
            );
            return Err(refuse_formula(text, what));
        };
        if counts.len() > MAX_WEIGHTS {
            return Err(too_many_weights());
        }
        let bits = counts.values().map(BigUint::bits).max().unwrap_or(0);
        check_size(counts.len() as u64, bits)?;
        let (values, weights) = counts.clone().into_iter().unzip();
        Weights::of_values(weights, values)
    }
}

/// Writes dice in a single spelling: `1d4` and `D4` become `d4`, and `d%` becomes `d100`.
fn spelling(dice: &str) -> String {
    if dice.contains(':') {
        return dice.to_string();
    }
    let small = dice.to_ascii_lowercase().replace('%', "100");
    match small.strip_prefix("1d") {
        Some(sides) => format!("d{sides}"),
        None => small,
    }
}

fn refuse_formula(text: &str, what: impl ToString) -> WeightsError {
    ExpressionError::of_value(text, &FORMULA, what.to_string()).into()
}
