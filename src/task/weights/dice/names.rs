//! Splits the text of a formula into its parts: `VALUE given CONDITION where NAME = DICE and NAME =
//! LAW`.

use super::algebra::{DiceLaws, DiceValue, FORMULA, OperatorReadings};
use super::readings::{joined_comparisons, notation_of_words, range_or_difference};
use super::work::MAX_FORMULA_STEPS;
use flipcost_number::BigUint;
use flipcost_number::expression::ExpressionError;
use flipcost_number::grammar::{AlgebraError, Expr, Operator, dice_length};
use num_traits::One;

/// The maximum number of combinations of dice that are listed for one name.
const MAX_WAYS: u64 = 1 << 20;

/// The parts of the text of a formula, each with the byte position where it begins.
pub(super) struct FormulaParts<'a> {
    pub(super) value: Expr,
    pub(super) given: Option<Expr>,
    /// The byte position where the condition begins.
    pub(super) given_at: usize,
    text: &'a str,
    /// Whether a die after `where` explodes.
    pub(super) explodes: bool,
    /// The operators in the definitions after `where`.
    pub(super) readings: OperatorReadings,
    /// The names after `where`, with their values.
    names: Vec<(&'a str, DiceValue)>,
}

/// Names with their values.
pub(super) type NamedValues = Vec<(String, DiceValue)>;

/// A name that stands for the same roll in several places: its index in the list of names, and the
/// faces that it may show, with the number of ways for each.
pub(super) struct Roll {
    pub(super) place: usize,
    pub(super) ways: Vec<(DiceValue, BigUint)>,
}

/// The byte position of a word that stands between blanks and outside brackets.
pub(super) fn find_word(text: &str, word: &str) -> Option<usize> {
    let spaced = format!(" {word} ");
    text.match_indices(&spaced).map(|(at, _)| at).find(|at| {
        let before = text[..*at].bytes();
        let (open, close) = before.fold((0, 0), |(open, close), byte| {
            (
                open + usize::from(byte == b'('),
                close + usize::from(byte == b')'),
            )
        });
        open == close
    })
}

/// An error at a byte position of the text.
pub(super) fn refuse_at(text: &str, at: usize, what: impl ToString) -> ExpressionError {
    ExpressionError::new(text, &FORMULA, AlgebraError::new(at, what.to_string()))
}

/// Parses a formula. Rejects a number next to `and` or `or`, and a range after a comparison sign.
fn parse_formula(text: &str) -> Result<Expr, ExpressionError> {
    let expr = Expr::parse(text, &FORMULA).map_err(|error| {
        let from = text.char_indices().nth(error.position());
        let behind = from
            .filter(|_| error.has_place())
            .map(|(at, _)| &text[at..]);
        match behind.and_then(notation_of_words) {
            Some(what) => refuse_at(text, error.position(), what),
            None => error,
        }
    })?;
    let joined = expr.joined_number();
    let joined = joined.map(|(operator, at)| (joined_comparisons(operator), at));
    let range = || {
        let (first, last, at) = expr.compared_numbers()?;
        Some((range_or_difference(first, last)?, at))
    };
    match joined.or_else(range) {
        Some((what, at)) => Err(expr.refuse(&FORMULA, AlgebraError::new(at, what))),
        None => Ok(expr),
    }
}

/// Parses the part of a text between these byte positions.
fn parse_part<T>(
    text: &str,
    begin: usize,
    end: usize,
    read: impl Fn(&str) -> Result<T, ExpressionError>,
) -> Result<T, ExpressionError> {
    read(&text[begin..end]).map_err(|error| move_error(text, begin, error))
}

/// Converts the error of a part that begins at this byte of the text, so that its position is one
/// in the text.
fn move_error(text: &str, begin: usize, error: ExpressionError) -> ExpressionError {
    if error.has_place() {
        refuse_at(
            text,
            text[..begin].chars().count() + error.position(),
            error.what(),
        )
    } else {
        ExpressionError::of_value(text, &FORMULA, error.what().to_string())
    }
}

impl<'a> FormulaParts<'a> {
    /// # Errors
    /// If a part is not a formula.
    pub(super) fn read(text: &'a str) -> Result<FormulaParts<'a>, ExpressionError> {
        let end = find_word(text, "where").unwrap_or(text.len());
        let given = find_word(&text[..end], "given");
        let value = parse_part(text, 0, given.unwrap_or(end), parse_formula)?;
        let given_at = given.map_or(0, |at| at + " given ".len());
        let condition = given.map(|_| parse_part(text, given_at, end, parse_formula));
        let (mut explodes, mut readings) = (false, OperatorReadings::default());
        let mut names: Vec<(&str, DiceValue)> = Vec::new();
        let mut begin = end + " where ".len();
        while begin < text.len() {
            let rest = &text[begin..];
            // Split off a name, its sign, and its value up to the next name.
            let sign = rest.find('=').unwrap_or(rest.len());
            let name = rest[..sign].trim();
            let next = rest.match_indices(" and ").map(|(at, _)| at).find(|at| {
                let word = rest[at + " and ".len()..].trim_start();
                let length = word.find(|c: char| !is_letter(c)).unwrap_or(word.len());
                length > 0 && word[length..].trim_start().starts_with('=')
            });
            let next = next.unwrap_or(rest.len());
            check_name(name, &names)
                .map_err(|what| refuse_at(text, text[..begin].chars().count(), what))?;
            let from = begin + (sign + 1).min(next);
            let (meaning, laws) = parse_part(text, from, begin + next, |text| {
                parse_named_value(name, text)
            })?;
            explodes |= laws.explodes;
            readings.rounds |= laws.readings.rounds;
            readings.reduces_negative |= laws.readings.reduces_negative;
            readings.excludes_face |= laws.readings.excludes_face;
            names.push((name, meaning));
            begin += next + " and ".len();
        }
        Ok(FormulaParts {
            value,
            given: condition.transpose()?,
            given_at,
            text,
            explodes,
            readings,
            names,
        })
    }

    /// Evaluates a part of the formula.
    pub(super) fn evaluate(
        &self,
        expr: &Expr,
        laws: &mut DiceLaws,
    ) -> Result<DiceValue, ExpressionError> {
        let begin = match &self.given {
            Some(given) if std::ptr::eq(given, expr) => self.given_at,
            _ => 0,
        };
        expr.evaluate(laws)
            .map_err(|error| move_error(self.text, begin, error))
    }

    /// The formulas in which the names may occur.
    pub(super) fn formulas(&self) -> impl Iterator<Item = &Expr> {
        [&self.value].into_iter().chain(&self.given)
    }

    /// The total number of numbers, names, operators and function calls in the formula.
    pub(super) fn size(&self) -> u64 {
        self.formulas().map(|expr| expr.size() as u64).sum()
    }

    fn count_uses(&self, name: &str) -> usize {
        let names = self.formulas().flat_map(Expr::names);
        names.filter(|(other, _)| *other == name).count()
    }

    /// The values of the names and letters, and the rolls that occur in several places.
    pub(super) fn rolls(
        &self,
        letters: Vec<(&str, DiceValue)>,
    ) -> Result<(NamedValues, Vec<Roll>), String> {
        let mut names = NamedValues::new();
        let mut rolls = Vec::new();
        let all = letters.into_iter().chain(self.names.iter().cloned());
        for (place, (name, value)) in all.enumerate() {
            if self.count_uses(name) > 1 {
                let ways = self.roll_values(name, &value).ok_or_else(|| {
                    format!(
                        "{name} is one roll in several places, and shows more than {MAX_WAYS} combinations of faces"
                    )
                })?;
                rolls.push(Roll { place, ways });
            }
            names.push((name.to_string(), value));
        }
        let combinations = rolls.iter().try_fold(self.size(), |all: u64, roll| {
            all.checked_mul(roll.ways.len() as u64)
        });
        if combinations.is_none_or(|all| all > MAX_FORMULA_STEPS) {
            return Err(format!(
                "its letters that occur several times show more than {MAX_FORMULA_STEPS} combinations of faces, times the steps of the formula"
            ));
        }
        Ok((names, rolls))
    }

    /// Lists all that a roll may show, each with the number of ways; `None` if there is too much to
    /// list.
    fn roll_values(&self, name: &str, value: &DiceValue) -> Option<Vec<(DiceValue, BigUint)>> {
        let whole = |(value, ways): (&i64, &BigUint)| (DiceValue::Whole(*value), ways.clone());
        Some(match value {
            DiceValue::Finite(law) if law.len() as u64 <= MAX_WAYS => {
                law.iter().map(whole).collect()
            }
            DiceValue::Whole(value) => vec![whole((value, &BigUint::one()))],
            DiceValue::Pool(pool) => {
                let asked = self.formulas().map(|expr| expr.comparisons_of(name));
                let asked: Option<Vec<Vec<(Operator, i64)>>> = asked.collect();
                let ways = pool.ways(asked.map(|all| all.concat()).as_deref(), MAX_WAYS)?;
                let pools = ways.into_iter();
                pools
                    .map(|(pool, ways)| (DiceValue::Pool(pool), ways))
                    .collect()
            }
            _ => return None,
        })
    }

    /// Whether a name occurs on both sides of `given`.
    pub(super) fn shares_roll(&self) -> bool {
        let Some(given) = &self.given else {
            return true;
        };
        given
            .names()
            .any(|(name, _)| self.value.names().any(|(other, _)| other == name))
    }
}

/// Parses the value of a name; also returns the properties of its formula that were found.
fn parse_named_value(name: &str, text: &str) -> Result<(DiceValue, DiceLaws), ExpressionError> {
    let refuse = |error| ExpressionError::new(text, &FORMULA, error);
    let mut laws = DiceLaws::default();
    let value = parse_formula(text)?.evaluate(&mut laws)?;
    let value = match value {
        DiceValue::Pool(pool) if pool.is_plain() => DiceValue::Pool(pool.named(name)),
        other => laws.law(other).map_err(refuse)?,
    };
    if let DiceValue::Endless(_) = value {
        let what = "a name stands for dice or a law that has an end";
        return Err(refuse(AlgebraError::new(0, what)));
    }
    Ok((value, laws))
}

fn is_letter(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn check_name(name: &str, known: &[(&str, DiceValue)]) -> Result<(), String> {
    let is_word =
        name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(is_letter);
    let is_taken = FORMULA.functions.contains(&name)
        || ["and", "or", "given", "where"].contains(&name)
        || dice_length(name.as_bytes()).is_some();
    if !is_word || is_taken {
        return Err("a name and its dice were expected after `where`, as in r = 5d10".to_string());
    }
    if known.iter().any(|(other, _)| *other == name) {
        return Err(format!("{name} stands for two rolls"));
    }
    Ok(())
}
