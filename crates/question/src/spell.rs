//! Formats values for people, in the same way in every front end: a short value exactly, a long
//! value rounded, never with more digits than are known, and never as a bare `null` or `NaN`.

use crate::CellKind;
use flipcost::table::Cell;
use flipcost_number::expression::parse_signed;
use flipcost_number::short::{short, short_digits};
use flipcost_number::{BigInt, BigUint, Rational, Real, Rounding};
use num_traits::{One, Pow, Signed, Zero};

/// A fraction with more characters is shown as a decimal.
const MAX_FRACTION_LEN: usize = 26;

/// A power of two below 1 is shown in the form `2^-128` if its exponent exceeds this number.
const MAX_POWER_DIGITS: u64 = 40;

/// The number of significant digits of a rounded number.
pub const SHOWN_DIGITS: u32 = 6;
/// The number of significant digits of a statistical number.
const STATISTICAL_DIGITS: u32 = 2;

/// Formats a cell for people. A fraction that is too long is followed by its decimal, after `≈`, or
/// after `=` if the decimal is exact. A double has at most six significant digits, correctly
/// rounded. A statistical number has two, after `≈`.
///
/// ```
/// use flipcost::table::Cell;
/// use flipcost_question::{CellKind, format_cell};
/// assert_eq!(format_cell(&Cell::Double(11.0 / 3.0), CellKind::Decimal), "3.66667");
/// assert_eq!(format_cell(&Cell::Double(1.0), CellKind::Decimal), "1");
/// assert_eq!(format_cell(&Cell::Double(1.0000000004), CellKind::Decimal), "1.0000000004");
/// let flips = Cell::Integer(2_956_123_004u64.into());
/// assert_eq!(format_cell(&flips, CellKind::Statistical), "≈ 3.0e9");
/// assert_eq!(format_cell(&Cell::Empty, CellKind::Decimal), "-");
/// ```
pub fn format_cell(cell: &Cell, kind: CellKind) -> String {
    match (cell, kind) {
        (Cell::Empty, _) => "-".to_string(),
        (Cell::Infinite, _) => "infinite".to_string(),
        (Cell::Undefined, _) => "undefined".to_string(),
        (Cell::Integer(value), CellKind::Statistical) => {
            let value = Rational::from(BigInt::from(value.to_big()));
            format_rough(&value)
        }
        (Cell::Double(value), CellKind::Statistical) => match Rational::from_float(*value) {
            Some(exact) => format_rough(&exact),
            None => value.to_string(),
        },
        (Cell::Double(value), _) => six_digits(*value),
        (Cell::Exact(value), _) => format_fraction(value),
        (Cell::Integer(value), _) => short(&value.to_big()),
        (Cell::Text(text), _) => shorten_integers(text),
        (cell, _) => cell.to_string(),
    }
}

/// Formats a fraction for people.
fn format_fraction(value: &Rational) -> String {
    if value.is_integer() {
        let sign = if value.is_negative() { "-" } else { "" };
        return format!("{sign}{}", short(value.numer().magnitude()));
    }
    // Each number has at most as many digits as bits, so more bits mean too many characters.
    let bits = value.numer().bits() + value.denom().bits();
    let text = (bits < 100).then(|| value.to_string());
    let text = text.filter(|text| text.len() <= MAX_FRACTION_LEN);
    let power = power_of_two(value).filter(|_| value.denom().bits() > MAX_POWER_DIGITS);
    match power.or(text) {
        Some(text) => text,
        None => {
            let (decimal, whole) = round_near_integer(value, SHOWN_DIGITS);
            let sign = if whole { "=" } else { "≈" };
            format!("{sign} {decimal}")
        }
    }
}

/// Formats one over a power of two as `2^-128`; `None` for any other fraction.
pub fn power_of_two(value: &Rational) -> Option<String> {
    let power = value.denom().trailing_zeros()?;
    let is_power = value.numer().is_one() && value.denom().bits() == power + 1;
    is_power.then(|| format!("2^-{power}"))
}

/// Formats a measured value with its error, which has two significant digits: `3.6658 ± 0.0043`.
pub fn format_measured(value: f64, error: f64) -> String {
    let exact = |x: f64| Rational::from_float(x).filter(|_| error > 0.0);
    let (Some(value), Some(error)) = (exact(value), exact(error)) else {
        return format!("{value} ± {error}");
    };
    let places = (i64::from(STATISTICAL_DIGITS) - 1 - leading_exponent(&error)).max(0);
    let [value, error] = [value, error].map(|exact| round_decimals(&exact, places).0);
    format!("{value} ± {error}")
}

/// Formats a value that is known only roughly: with two significant digits, or as a whole number
/// with at most two digits.
fn format_rough(value: &Rational) -> String {
    if value.is_integer() && value.numer().bits() <= 6 {
        value.to_string()
    } else {
        format!("≈ {}", round_significant(value, STATISTICAL_DIGITS).0)
    }
}

/// The exponent of ten of the leading digit: 0 for 1 to 9, -1 for 0.1; 0 for the number 0.
fn leading_exponent(value: &Rational) -> i64 {
    if value.is_zero() {
        return 0;
    }
    let (above, below) = (value.numer().magnitude(), value.denom().magnitude());
    let bits = above.bits() as i64 - below.bits() as i64;
    // 10^place <= x: estimate the place from the bits to within one, then correct it by the
    // definition.
    let mut place = (bits - 1) * 30_103 / 100_000 - 1;
    let at_least = |place: i64| {
        let power = Pow::pow(BigUint::from(10u8), place.unsigned_abs());
        if place < 0 {
            above * power >= *below
        } else {
            *above >= below * power
        }
    };
    while at_least(place + 1) {
        place += 1;
    }
    place
}

/// Rounds correctly to this many significant digits; uses an exponent if the number is far from 1.
/// Also returns whether the result is exact.
pub fn round_significant(value: &Rational, digits: u32) -> (String, bool) {
    let digits = i64::from(digits);
    let ten = |places: i64| Rational::from(BigInt::from(10u8)).pow(places as i32);
    let mut first = leading_exponent(value);
    if (-5..7).contains(&first) {
        let places = digits - 1 - first;
        let unit = ten(-places.min(0));
        let (text, exact) = round_decimals(&(value / &unit), places.max(0));
        return trim_zeros(text + "0".repeat(-places.min(0) as usize).as_str(), exact);
    }
    let mut mantissa = round_decimals(&(value * ten(-first)), digits - 1);
    if mantissa.0.trim_start_matches('-').starts_with("10") {
        first += 1;
        mantissa = round_decimals(&(value * ten(-first)), digits - 1);
    }
    let (text, exact) = trim_zeros(mantissa.0, mantissa.1);
    (format!("{text}e{first}"), exact)
}

/// A difference from an integer that rounding hides is shown separately if it is below 1 divided by
/// this number.
const HIDDEN_DIFFERENCE: u32 = 100;

/// Rounds like [`round_significant`], but shows a number that rounds to an integer as this integer
/// and the difference: `1 + 8.67362e-19`.
pub fn round_near_integer(value: &Rational, digits: u32) -> (String, bool) {
    let (text, exact) = round_significant(value, digits);
    let integer = value.round();
    let is_hidden = !exact && !integer.is_zero() && parse_signed(&text) == Ok(integer.clone());
    if !is_hidden || text.contains('e') {
        return (text, exact);
    }
    let more = value - &integer;
    if more.abs() >= Rational::new(BigInt::one(), HIDDEN_DIFFERENCE.into()) {
        return (text, exact);
    }
    let sign = if more.is_negative() { '-' } else { '+' };
    let (size, exact) = round_significant(&more.abs(), digits);
    (format!("{integer} {sign} {size}"), exact)
}

/// Removes the zeros at the end of an exact decimal.
fn trim_zeros(text: String, exact: bool) -> (String, bool) {
    if exact && text.contains('.') {
        (
            text.trim_end_matches('0').trim_end_matches('.').to_string(),
            exact,
        )
    } else {
        (text, exact)
    }
}

/// Rounds correctly to this many decimals. Also returns whether the result is exact.
fn round_decimals(value: &Rational, places: i64) -> (String, bool) {
    let decimal = Real::Exact(value.clone()).decimal(places as u32);
    let decimal = decimal.expect("a fraction is rounded");
    (
        decimal.text().to_string(),
        decimal.rounding() == Rounding::Exact,
    )
}

/// Rounds a double to six significant digits. The double is only near the exact number, so more
/// digits are shown if a neighbouring double would be rounded differently. More digits are also
/// shown if six digits would hide a difference: 1.0000000004 is not shown as 1.
pub fn six_digits(value: f64) -> String {
    let shortest = value.to_string();
    let significant = |text: &str| {
        let digits = text.chars().filter(char::is_ascii_digit);
        let digits = digits.collect::<String>();
        digits.trim_matches('0').len()
    };
    if !value.is_finite() || significant(&shortest) <= SHOWN_DIGITS as usize {
        return shortest;
    }
    let place = value.abs().log10().floor() as i32;
    if !(-5..15).contains(&place) {
        return format!("{value:.5e}");
    }
    let first = (5 - place).max(0) as usize;
    let (integer, digits) = (value.round(), significant(&shortest));
    if integer != 0.0
        && (value - integer).abs() < 1.0 / f64::from(HIDDEN_DIFFERENCE)
        && digits > 2 * SHOWN_DIGITS as usize
        && format!("{value:.first$}").parse() == Ok(integer)
    {
        // The difference of two neighbouring doubles is exact, so the digits on which all three
        // differences agree are known.
        let (less, more) = (value.next_down() - integer, value.next_up() - integer);
        let difference = (0..3).rev().map(|digits| {
            [less, value - integer, more].map(|difference| format!("{difference:.digits$e}"))
        });
        if let Some([_, text, _]) = difference.into_iter().find(|[a, b, c]| a == b && b == c) {
            let sign = if value > integer { '+' } else { '-' };
            return format!("{integer} {sign} {}", text.trim_start_matches('-'));
        }
    }
    let rounded = |decimals: usize| {
        let text = format!("{value:.decimals$}");
        let same = |near: &f64| format!("{near:.decimals$}") == text;
        let agrees = [value.next_down(), value.next_up()].iter().all(same);
        (agrees && significant(&text) > SHOWN_DIGITS as usize / 2).then_some(text)
    };
    (first..first + 12).find_map(rounded).unwrap_or(shortest)
}

/// Leaves out the middle of long integers in a text.
fn shorten_integers(text: &str) -> String {
    let is_integer = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let words = text.split(' ').map(|word| {
        if is_integer(word) {
            short_digits(word)
        } else {
            word.to_string()
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ratio(p: i64, q: u64) -> Rational {
        Rational::new(p.into(), q.into())
    }

    #[test]
    fn fractions_are_exact_while_they_are_short() {
        assert_eq!(format_fraction(&ratio(11, 3)), "11/3");
        assert_eq!(format_fraction(&ratio(-4, 2)), "-2");
        let long = ratio(1 << 60, (1 << 60) - 1);
        assert_eq!(format_fraction(&long), "≈ 1 + 8.67362e-19");
        let small = ratio(1, 3) / Pow::pow(BigInt::from(10u8), 40u8);
        assert_eq!(format_fraction(&small), "≈ 3.33333e-41");
        let power = ratio(1, 2) / Pow::pow(BigInt::from(2u8), 127u8);
        assert_eq!(format_fraction(&power), "2^-128");
        let whole = ratio(5, 4) * ratio(1 << 60, 1 << 60);
        assert_eq!(format_fraction(&whole), "5/4");
    }

    #[test]
    fn six_digits_are_those_of_the_number() {
        for (value, text) in [
            (11.0 / 3.0, "3.66667"),
            (4.0, "4"),
            (4.000_000_000_1, "4.0000000001"),
            (0.999_999_999_5, "0.9999999995"),
            (0.000_123_456_789, "0.000123457"),
            (664_385.618_977, "664386"),
            (55.000_000_943_125_17, "55 + 9.43e-7"),
            (2_035_008.805_123_4, "2035009"),
            (0.999_999_999_987_654_3, "1 - 1.23e-11"),
            (1.5e-9, "0.0000000015"),
            (1.234_567_89e-9, "1.23457e-9"),
            // The double nearest to 1.0000005 lies below the tie and the next double above it, so
            // more digits are shown.
            (1.000_005, "1.000005"),
        ] {
            assert_eq!(six_digits(value), text);
        }
    }

    #[test]
    fn statistical_values_have_two_digits() {
        for (value, text) in [
            (0.0, "0"),
            (7.0, "7"),
            (127.0, "≈ 130"),
            (2.956e9, "≈ 3.0e9"),
            (9.96e9, "≈ 1.0e10"),
            (0.04567, "≈ 0.046"),
            (1.5e-9, "≈ 1.5e-9"),
        ] {
            assert_eq!(
                format_cell(&Cell::Double(value), CellKind::Statistical),
                text
            );
        }
        assert_eq!(format_measured(3.66583, 0.00432), "3.6658 ± 0.0043");
        assert_eq!(format_measured(12345.6, 130.0), "12346 ± 130");
    }

    proptest! {
        /// |x - rounded| is at most half a unit of the last digit.
        #[test]
        fn digits_are_correctly_rounded(p in -1_000_000_000_000i64..1_000_000_000_000, q in 1u64..1_000_000) {
            prop_assume!(p != 0);
            let value = ratio(p, q);
            for digits in [2, 6] {
                let (text, exact) = round_significant(&value, digits);
                let read = parse_signed(&text).unwrap();
                prop_assert_eq!(exact, read == value);
                let first = leading_exponent(&value) as i32;
                let ten = |places| Rational::from(BigInt::from(10u8)).pow(places);
                prop_assert!(ten(first) <= value.abs() && value.abs() < ten(first + 1));
                let unit = ten(first + 1 - digits as i32);
                prop_assert!((read - &value).abs() * BigInt::from(2) <= unit, "{} {}", value, text);
            }
        }
    }
}
