//! Numbers as people write them: `1000003`, `1_000_000`, `2^256`, `10^18+9`, `52!`, `1/29`.
//!
//! ```text
//! ratio   = sum ['/' sum]
//! sum     = product (('+' | '-') product)*
//! product = power ('*' power)*
//! power   = primary ['^' power]           right to left: 2^3^2 = 2^9
//! primary = (digits | '(' sum ')') '!'*   digits may be parted by '_'
//! ```

use super::{BigInt, BigUint, Rational};
use num_traits::{One, Pow, ToPrimitive, Zero};
use std::fmt;

/// The most bits that a written number may have (about five million decimal digits).
pub const MOST_BITS: u64 = 1 << 24;

/// Why a text is not a number: where, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpressionError {
    text: String,
    /// Character position, counted from 0.
    at: usize,
    what: String,
}

impl std::error::Error for ExpressionError {}

impl fmt::Display for ExpressionError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let shown = |text: &str| match text.chars().count() {
            0..=60 => text.to_string(),
            _ => text.chars().take(57).chain("...".chars()).collect(),
        };
        write!(
            f,
            "\"{}\" is not a number that can be used: {}",
            shown(&self.text),
            self.what
        )?;
        match self.text.chars().nth(self.at) {
            Some(c) => write!(f, ", at character {} ('{c}')", self.at + 1),
            None if self.text.is_empty() => write!(f, ", but nothing is there"),
            None => write!(f, ", at its end (character {})", self.at + 1),
        }
    }
}

struct Parser<'a> {
    text: &'a str,
    chars: Vec<char>,
    at: usize,
    depth: u32,
}

type Parsed<T> = Result<T, ExpressionError>;

impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Self {
        Parser {
            text,
            chars: text.chars().collect(),
            at: 0,
            depth: 0,
        }
    }

    fn error<T>(&self, at: usize, what: impl Into<String>) -> Parsed<T> {
        Err(ExpressionError {
            text: self.text.to_string(),
            at,
            what: what.into(),
        })
    }

    fn skip_blanks(&mut self) {
        while self.chars.get(self.at).is_some_and(|c| *c == ' ') {
            self.at += 1;
        }
    }

    fn eat(&mut self, wanted: &[char]) -> Option<char> {
        self.skip_blanks();
        let c = *self.chars.get(self.at)?;
        wanted.contains(&c).then(|| {
            self.at += 1;
            c
        })
    }

    fn fits(&self, at: usize, bits: u64) -> Parsed<()> {
        if bits > MOST_BITS {
            return self.error(at, format!("the result would pass {MOST_BITS} bits"));
        }
        Ok(())
    }

    fn sum(&mut self) -> Parsed<BigInt> {
        let mut total = self.product()?;
        loop {
            self.skip_blanks();
            match self.eat(&['+', '-']) {
                Some('+') => total += self.product()?,
                Some(_) => total -= self.product()?,
                None => return Ok(total),
            }
        }
    }

    fn product(&mut self) -> Parsed<BigInt> {
        let mut total = self.power()?;
        loop {
            self.skip_blanks();
            let at = self.at;
            if self.eat(&['*']).is_none() {
                return Ok(total);
            }
            let factor = self.power()?;
            self.fits(at, total.bits() + factor.bits())?;
            total *= factor;
        }
    }

    fn power(&mut self) -> Parsed<BigInt> {
        let base = self.primary()?;
        self.skip_blanks();
        let at = self.at;
        if self.eat(&['^']).is_none() {
            return Ok(base);
        }
        self.nest(at)?;
        let exponent = self.power()?;
        self.depth -= 1;
        let small = base.magnitude().bits() <= 1; // 0, 1 and -1 stay small in any power
        match exponent.to_u64() {
            Some(e) if small || base.bits().saturating_sub(1).saturating_mul(e) <= MOST_BITS => {
                Ok(if small && e > 1 {
                    base.pow(2 - e % 2)
                } else {
                    base.pow(e)
                })
            }
            None if exponent < BigInt::zero() => self.error(at, "an exponent cannot be negative"),
            _ => self.error(at, format!("the result would pass {MOST_BITS} bits")),
        }
    }

    fn nest(&mut self, at: usize) -> Parsed<()> {
        self.depth += 1;
        if self.depth > 50 {
            self.error(at, "nested too deeply (50 levels at most)")
        } else {
            Ok(())
        }
    }

    fn primary(&mut self) -> Parsed<BigInt> {
        self.skip_blanks();
        let start = self.at;
        let mut value = match self.chars.get(self.at) {
            Some('(') => {
                self.at += 1;
                self.nest(start)?;
                let inner = self.sum()?;
                self.depth -= 1;
                if self.eat(&[')']).is_none() {
                    return self.error(self.at, "a ')' is missing");
                }
                inner
            }
            Some(c) if c.is_ascii_digit() => self.digits()?,
            Some('-') => return self.error(start, "a negative number is not allowed"),
            Some(_) => {
                return self.error(
                    start,
                    "a number like 6, 1_000_000, 10^18+9 or 52! was expected",
                );
            }
            None => {
                return self.error(
                    start,
                    "a number like 6, 1_000_000, 10^18+9 or 52! was expected",
                );
            }
        };
        loop {
            self.skip_blanks();
            let at = self.at;
            if self.eat(&['!']).is_none() {
                return Ok(value);
            }
            value = match value.to_u64() {
                Some(k) if k <= 400_000 => factorial(k).into(),
                _ => return self.error(at, "a factorial is taken of 0 to 400000 only"),
            };
            self.fits(at, value.bits())?;
        }
    }

    fn digits(&mut self) -> Parsed<BigInt> {
        let start = self.at;
        let mut digits = String::new();
        while let Some(&c) = self.chars.get(self.at) {
            match c {
                '0'..='9' => digits.push(c),
                '_' if self
                    .chars
                    .get(self.at + 1)
                    .is_some_and(char::is_ascii_digit) => {}
                '_' => return self.error(self.at, "a '_' stands between digits only"),
                _ => break,
            }
            self.at += 1;
        }
        self.fits(start, (digits.len() as u64).saturating_mul(10) / 3)?;
        Ok(digits.parse().expect("only digits"))
    }

    fn end(&mut self) -> Parsed<()> {
        self.skip_blanks();
        match self.chars.get(self.at) {
            None => Ok(()),
            Some(_) => self.error(self.at, "one of + - * ^ ! or the end was expected"),
        }
    }
}

/// n!, by a balanced product.
pub fn factorial(n: u64) -> BigUint {
    fn product(low: u64, high: u64) -> BigUint {
        match high - low {
            0 => BigUint::one(),
            1..=8 => (low + 1..=high).fold(BigUint::one(), |p, k| p * k),
            _ => {
                let middle = low + (high - low) / 2;
                product(low, middle) * product(middle, high)
            }
        }
    }
    product(0, n)
}

/// A natural number, 0 included, as written by a person.
///
/// ```
/// use flipcost::number::expression::parse_natural;
/// assert_eq!(parse_natural("2^10 + 1_000").unwrap(), 2024u32.into());
/// assert!(parse_natural("2^^3").unwrap_err().to_string().contains("character 3"));
/// ```
pub fn parse_natural(text: &str) -> Result<BigUint, ExpressionError> {
    let mut parser = Parser::new(text);
    let value = parser.sum()?;
    parser.end()?;
    match value.to_biguint() {
        Some(value) => Ok(value),
        None => parser.error(0, "it is negative"),
    }
}

/// A natural number that fits one machine word.
pub fn parse_u64(text: &str) -> Result<u64, ExpressionError> {
    let value = parse_natural(text)?;
    match value.to_u64() {
        Some(value) => Ok(value),
        None => Parser::new(text).error(0, "it must be below 2^64 here"),
    }
}

/// A positive or zero rational `a` or `a/b`, each part an expression, or a decimal like `1.5`.
pub fn parse_rational(text: &str) -> Result<Rational, ExpressionError> {
    let mut parser = Parser::new(text);
    let decimal = text.split_once('.').filter(|(whole, part)| {
        let digits = |t: &str| t.bytes().all(|b| b.is_ascii_digit());
        digits(whole) && digits(part) && !part.is_empty() && text.len() < 100_000
    });
    if let Some((whole, part)) = decimal {
        let all: BigInt = format!("0{whole}{part}").parse().expect("only digits");
        return Ok(Rational::new(
            all,
            BigInt::from(10u8).pow(part.len() as u32),
        ));
    }
    let numerator = parser.sum()?;
    parser.skip_blanks();
    let at = parser.at;
    let denominator = match parser.eat(&['/']) {
        Some(_) => parser.sum()?,
        None => BigInt::one(),
    };
    parser.end()?;
    if denominator.is_zero() {
        return parser.error(at, "a denominator cannot be 0");
    }
    let value = Rational::new(numerator, denominator);
    if value < Rational::zero() {
        return parser.error(0, "it is negative");
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_as_people_write_them() {
        for (text, value) in [
            ("6", "6"),
            ("1_000_000", "1000000"),
            ("10^18+9", "1000000000000000009"),
            ("2^3^2", "512"),
            ("(2+3)*4-1", "19"),
            ("5!", "120"),
            ("3!!", "720"),
            ("2^2!", "4"),
            (" 7 ", "7"),
            ("0^0", "1"),
            ("1^10000000000000", "1"),
        ] {
            assert_eq!(
                parse_natural(text).map(|v| v.to_string()),
                Ok(value.to_string()),
                "{text}"
            );
        }
        assert_eq!(
            parse_rational("1/29").unwrap(),
            Rational::new(1.into(), 29.into())
        );
        assert_eq!(
            parse_rational("1.50").unwrap(),
            Rational::new(3.into(), 2.into())
        );
    }

    #[test]
    fn an_error_points_at_the_character() {
        for (text, at) in [
            ("", 0),
            ("-5", 0),
            ("1e6", 1),
            ("10^", 3),
            ("2^10^10", 1),
            ("1__0", 1),
            ("10_", 2),
            ("(1", 2),
            ("9999999999!", 10),
            ("3-5", 0),
            ("six", 0),
            ("6 7", 2),
            ("٣", 0),
            ("2^-1", 2),
        ] {
            assert_eq!(parse_natural(text).unwrap_err().at, at, "{text}");
        }
        assert!(parse_rational("1/0").is_err());
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "[-0-9_+*^!()/. e]{0,12}|.{0,8}") {
            let _ = parse_natural(&text);
            let _ = parse_rational(&text);
        }
        #[test]
        fn a_plain_number_reads_back(n in any::<u128>()) {
            prop_assert_eq!(parse_natural(&n.to_string()).unwrap(), BigUint::from(n));
        }
    }
}
