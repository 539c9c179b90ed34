//! Decimals: numbers written with a point, with a record of how they were rounded.

use super::{BigInt, Rational, long, text};
use num_traits::{One, Signed, Zero};
use std::fmt::{self, Write};

/// How the digits of a [`Decimal`] relate to the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rounding {
    /// The digits are exactly the value.
    Exact,
    /// The nearest decimal with this many places. It differs from the value, or equality is not
    /// known.
    Nearest,
    /// The digits are below the value.
    Down,
    /// The digits are above the value.
    Up,
}

/// Digits with a point, and how they were rounded.
///
/// ```
/// use flipcost_number::{Decimal, Rational, Real, Rounding};
/// let third = Rational::new(1.into(), 3.into());
/// let nearest = Real::Exact(third.clone()).decimal(4)?;
/// assert_eq!((nearest.text(), nearest.rounding()), ("0.3333", Rounding::Nearest));
/// let above = Decimal::up(&third, 4);
/// assert_eq!((above.text(), above.rounding()), ("0.3334", Rounding::Up));
/// let half = Decimal::up(&Rational::new(1.into(), 2.into()), 4);
/// assert_eq!((half.text(), half.rounding()), ("0.5000", Rounding::Exact));
/// # Ok::<(), flipcost_number::Undecided>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Decimal {
    text: Box<str>,
    rounding: Rounding,
}

impl Decimal {
    /// Creates a decimal from digits that are rounded to nearest.
    pub fn nearest(text: String) -> Decimal {
        Decimal::new(text, Rounding::Nearest)
    }

    /// Parses digits in the form of [`Decimal::text`]; `None` if the text does not have this form.
    pub fn read(text: &str, rounding: Rounding) -> Option<Decimal> {
        let (whole, places) = text.split_once('.').unwrap_or((text, "0"));
        let whole = whole.strip_prefix('-').unwrap_or(whole);
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        (digits(whole) && digits(places)).then(|| Decimal::new(text.to_string(), rounding))
    }

    pub(super) fn new(text: String, rounding: Rounding) -> Decimal {
        let text = text.into();
        Decimal { text, rounding }
    }

    /// Rounds the value down to this many places.
    pub fn down(value: &Rational, places: u32) -> Decimal {
        Decimal::round_directed(value, places, Rounding::Down)
    }

    /// Rounds the value up to this many places.
    pub fn up(value: &Rational, places: u32) -> Decimal {
        Decimal::round_directed(value, places, Rounding::Up)
    }

    fn round_directed(value: &Rational, places: u32, rounding: Rounding) -> Decimal {
        let scaled = value * long::power(&10.into(), places);
        let (whole, rounding) = match rounding {
            _ if scaled.is_integer() => (scaled.to_integer(), Rounding::Exact),
            Rounding::Down => (scaled.floor().to_integer(), rounding),
            _ => (scaled.ceil().to_integer(), rounding),
        };
        let text = place_point(&whole, places as usize);
        Decimal::new(text, rounding)
    }

    /// Returns the decimal that is nearest to every value between `low` and `high`, if there is
    /// one.
    pub fn common(low: &Decimal, high: &Decimal) -> Option<Decimal> {
        let both = [low, high].map(|end| end.rounding);
        let rounding = match both {
            [Rounding::Exact, Rounding::Exact] => Rounding::Exact,
            _ => Rounding::Nearest,
        };
        let text = low.text.clone();
        (low.text == high.text).then_some(Decimal { text, rounding })
    }

    /// The digits as they are written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How the digits were rounded.
    pub fn rounding(&self) -> Rounding {
        self.rounding
    }

    /// The value as a double, for drawing.
    pub fn to_f64(&self) -> f64 {
        self.text.parse().expect("digits with a point")
    }

    /// The number in units of its last place.
    pub fn units(&self) -> BigInt {
        let digits = self.text.replace('.', "");
        digits.parse().expect("digits")
    }
}

/// Writes the digits as they were rounded, whatever the precision.
impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        pad_number(f, &self.text)
    }
}

/// Writes a number padded to the width of the formatter: [`fmt::Formatter::pad`] would truncate the
/// number at the precision.
pub(super) fn pad_number(f: &mut fmt::Formatter, text: &str) -> fmt::Result {
    let blank = f.width().unwrap_or(0).saturating_sub(text.chars().count());
    let before = match f.align() {
        Some(fmt::Alignment::Left) => 0,
        Some(fmt::Alignment::Center) => blank / 2,
        Some(fmt::Alignment::Right) | None => blank,
    };
    let fill = f.fill();
    (0..before).try_for_each(|_| f.write_char(fill))?;
    f.write_str(text)?;
    (before..blank).try_for_each(|_| f.write_char(fill))
}

/// Formats a whole number of units of 10^-digits as a decimal.
pub(super) fn place_point(scaled: &BigInt, digits: usize) -> String {
    let sign = if scaled.is_negative() { "-" } else { "" };
    let text = text::digits(scaled.magnitude());
    if digits == 0 {
        return format!("{sign}{text}");
    }
    // A format string allows a width of at most 65535.
    let text = "0".repeat((digits + 1).saturating_sub(text.len())) + &text;
    let (whole, part) = text.split_at(text.len() - digits);
    format!("{sign}{whole}.{part}")
}

/// Checks whether the value is a multiple of 10^-places, that is, whether its denominator is 2^i
/// 5^j with i, j <= places.
pub(super) fn has_places(value: &Rational, places: u32) -> bool {
    let twos = value.denom().trailing_zeros().unwrap_or(0);
    let mut odd = value.denom() >> twos;
    let fives = (0..places).take_while(|_| {
        let divides = (&odd % 5u8).is_zero();
        if divides {
            odd /= 5u8;
        }
        divides
    });
    fives.count();
    twos <= u64::from(places) && odd.is_one()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Real;
    use proptest::prelude::*;

    fn value_of(decimal: &Decimal, places: u32) -> Rational {
        Rational::new(decimal.units(), BigInt::from(10u8).pow(places))
    }

    proptest! {
        #[test]
        fn the_value_is_on_the_side_that_the_rounding_says(p in any::<i32>(), q in 1u32..2000, places in 0u32..6) {
            let value = Rational::new(p.into(), q.into());
            let (down, up) = (Decimal::down(&value, places), Decimal::up(&value, places));
            let nearest = Real::Exact(value.clone()).decimal(places).unwrap();
            let exact = |decimal: &Decimal| decimal.rounding() == Rounding::Exact;
            for decimal in [&down, &up, &nearest] {
                prop_assert_eq!(exact(decimal), value_of(decimal, places) == value);
                prop_assert_eq!(decimal.to_f64(), decimal.text().parse::<f64>().unwrap());
            }
            prop_assert!(value_of(&down, places) <= value && value <= value_of(&up, places));
            prop_assert!([down.text(), up.text()].contains(&nearest.text()));
        }
    }
}
