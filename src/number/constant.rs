//! Real numbers as people write them: `e`, `pi`, `sqrt(2)`, `ln(2)`, `e-2`, `(1+sqrt(5))/2`.
//!
//! ```text
//! sum     = product (('+' | '-') product)*
//! product = power (('*' | '/') power)*
//! power   = primary ['^' digits]
//! primary = digits ['.' digits] | 'e' | 'pi' | ('sqrt' | 'ln' | 'log2') '(' sum ')' | '(' sum ')'
//! ```
//!
//! The value is a [`Real`]: exact as long as it is rational on the face of it, else enclosed.

use super::enclosure::{self, Enclosure};
use super::expression::{ExpressionError, parse_rational};
use super::real::Real;
use super::{BigInt, BigUint, Rational};
use num_traits::{One, Signed, ToPrimitive, Zero};
use std::cmp::Ordering;
use std::sync::Arc;

/// A positive number that was written by a person.
#[derive(Clone)]
pub struct Constant {
    value: Real,
}

/// Why a text is not a positive number.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConstantError {
    /// It is no rational, and nothing in it is a constant or a function.
    #[error(transparent)]
    Expression(#[from] ExpressionError),
    /// Something in the text is wrong.
    #[error("\"{text}\" is not a number that can be used: {what}, at character {}", .at + 1)]
    Text {
        /// The text, or its beginning.
        text: String,
        /// What is wrong.
        what: String,
        /// The character, counted from 0.
        at: usize,
    },
    /// The value is 0 or below.
    #[error("\"{0}\" is not above 0")]
    NotPositive(String),
}

impl Constant {
    /// A positive number from its text: a rational as [`parse_rational`] takes it, or an expression
    /// of this module.
    ///
    /// ```
    /// use flipcost::number::constant::Constant;
    /// let x = Constant::positive("e - 2").unwrap();
    /// assert_eq!(x.value().decimals(10).unwrap(), "0.7182818285");
    /// ```
    pub fn positive(text: &str) -> Result<Constant, ConstantError> {
        let short = || text.chars().take(60).collect::<String>();
        let value = match parse_rational(text) {
            Ok(value) => Real::Exact(value),
            Err(error) => {
                let names = ["e", "pi", "sqrt", "ln", "log2"];
                let mut words = text.split(|c: char| !c.is_ascii_alphanumeric());
                if !words.any(|word| names.contains(&word)) {
                    return Err(error.into());
                }
                Reader::new(text).whole()?.real()
            }
        };
        match value.compare(&Real::integer(0)) {
            Ok(Ordering::Greater) => Ok(Constant { value }),
            _ => Err(ConstantError::NotPositive(short())),
        }
    }

    /// The value.
    pub fn value(&self) -> &Real {
        &self.value
    }
}

/// A value on the way: exact while it is rational on the face of it, and a rule that encloses it when
/// its parts are enclosed with so many bits. The width is not promised; `None` asks for more bits.
#[derive(Clone)]
struct Node {
    exact: Option<Rational>,
    rule: Rule,
}

type Rule = Arc<dyn Fn(u64) -> Option<Enclosure> + Send + Sync>;

impl Node {
    fn exact(value: Rational) -> Node {
        let kept = value.clone();
        Node {
            exact: Some(value),
            rule: Arc::new(move |bits| Some(Enclosure::of_rational(&kept, bits))),
        }
    }

    fn enclosed(rule: impl Fn(u64) -> Option<Enclosure> + Send + Sync + 'static) -> Node {
        Node {
            exact: None,
            rule: Arc::new(rule),
        }
    }

    fn with(
        &self,
        other: &Node,
        exact: impl Fn(&Rational, &Rational) -> Rational,
        enclosed: impl Fn(&Enclosure, &Enclosure) -> Option<Enclosure> + Send + Sync + 'static,
    ) -> Node {
        if let (Some(a), Some(b)) = (&self.exact, &other.exact) {
            return Node::exact(exact(a, b));
        }
        let (a, b) = (self.rule.clone(), other.rule.clone());
        Node::enclosed(move |bits| enclosed(&a(bits)?, &b(bits)?))
    }

    /// The sign, unless enclosures of 8192 bits do not tell.
    fn sign(&self) -> Option<Ordering> {
        if let Some(exact) = &self.exact {
            return Some(exact.cmp(&Rational::zero()));
        }
        [64, 256, 1024, 8192].into_iter().find_map(|bits| {
            let value = (self.rule)(bits)?;
            match (value.low.is_positive(), value.high.is_negative()) {
                (true, _) => Some(Ordering::Greater),
                (_, true) => Some(Ordering::Less),
                _ => None,
            }
        })
    }

    fn real(self) -> Real {
        match self.exact {
            Some(exact) => Real::Exact(exact),
            None => Real::enclosed(move |bits| {
                let mut work = bits + 16;
                loop {
                    match (self.rule)(work).filter(|value| value.is_within(bits)) {
                        Some(value) => return value,
                        None => work += 16 + work / 4,
                    }
                }
            }),
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    chars: Vec<char>,
    at: usize,
    depth: u32,
}

type Read = Result<Node, ConstantError>;

/// The largest exponent, and the longest number in digits.
const MOST: usize = 1000;

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        Reader {
            text,
            chars: text.chars().collect(),
            at: 0,
            depth: 0,
        }
    }

    fn error<T>(&self, at: usize, what: &str) -> Result<T, ConstantError> {
        Err(ConstantError::Text {
            text: self.text.chars().take(60).collect(),
            what: what.to_string(),
            at,
        })
    }

    fn eat(&mut self, wanted: &[char]) -> Option<char> {
        while self.chars.get(self.at) == Some(&' ') {
            self.at += 1;
        }
        let c = *self.chars.get(self.at)?;
        wanted.contains(&c).then(|| {
            self.at += 1;
            c
        })
    }

    fn whole(mut self) -> Read {
        let value = self.sum()?;
        self.eat(&[]);
        match self.at < self.chars.len() {
            true => self.error(self.at, "one of + - * / ^ or the end was expected"),
            false => Ok(value),
        }
    }

    fn sum(&mut self) -> Read {
        self.depth += 1;
        if self.depth > 20 {
            return self.error(self.at, "nested too deeply (20 levels at most)");
        }
        let mut total = self.product()?;
        while let Some(sign) = self.eat(&['+', '-']) {
            let term = self.product()?;
            total = match sign {
                '+' => total.with(&term, |a, b| a + b, |a, b| Some(a.plus(b))),
                _ => total.with(&term, |a, b| a - b, |a, b| Some(a.minus(b))),
            };
        }
        self.depth -= 1;
        Ok(total)
    }

    fn product(&mut self) -> Read {
        let mut total = self.power()?;
        while let Some(sign) = self.eat(&['*', '/']) {
            let at = self.at;
            let factor = self.power()?;
            total = match sign {
                '*' => total.with(&factor, |a, b| a * b, |a, b| Some(a.times(b))),
                _ => {
                    self.sign(&factor, at, "a divisor")?;
                    total.with(&factor, |a, b| a / b, Enclosure::over)
                }
            };
        }
        Ok(total)
    }

    /// The sign of a value that must not be 0.
    fn sign(&self, value: &Node, at: usize, what: &str) -> Result<Ordering, ConstantError> {
        match value.sign() {
            Some(Ordering::Equal) => self.error(at, &format!("{what} cannot be 0")),
            Some(order) => Ok(order),
            None => self.error(at, &format!("{what} cannot be told from 0")),
        }
    }

    fn power(&mut self) -> Read {
        let base = self.primary()?;
        if self.eat(&['^']).is_none() {
            return Ok(base);
        }
        self.eat(&[]);
        let at = self.at;
        let exponent = self.number()?;
        let exponent = exponent.exact.filter(|value| value.is_integer());
        match exponent.and_then(|value| value.to_usize()) {
            Some(exponent) if exponent <= MOST => {
                let one = Node::exact(Rational::one());
                let times =
                    |power: Node, _| power.with(&base, |a, b| a * b, |a, b| Some(a.times(b)));
                Ok((0..exponent).fold(one, times))
            }
            _ => self.error(at, "an exponent is an integer from 0 to 1000"),
        }
    }

    fn primary(&mut self) -> Read {
        self.eat(&[]);
        let start = self.at;
        if self.eat(&['(']).is_some() {
            let value = self.sum()?;
            return self.closed(value);
        }
        let word: String = self.chars[start..]
            .iter()
            .take_while(|c| c.is_ascii_alphabetic())
            .collect();
        let word = match word.as_str() {
            "log" if self.chars.get(start + 3) == Some(&'2') => "log2".to_string(),
            _ => word,
        };
        self.at += word.len();
        match word.as_str() {
            "" => self.number(),
            "e" => Ok(Node::enclosed(|bits| Some(e(bits)))),
            "pi" => Ok(Node::enclosed(|bits| Some(pi(bits)))),
            "sqrt" | "ln" | "log2" => {
                if self.eat(&['(']).is_none() {
                    return self.error(self.at, &format!("a '(' is needed after {word}"));
                }
                let value = self.sum()?;
                let value = self.closed(value)?;
                match word.as_str() {
                    "sqrt" => self.sqrt(value, start),
                    "ln" => self.ln(value, start),
                    _ => {
                        let two = Node::enclosed(|bits| Some(ln2(bits)));
                        let ln = self.ln(value, start)?;
                        Ok(ln.with(&two, |a, b| a / b, Enclosure::over))
                    }
                }
            }
            _ => self.error(start, "only e, pi, sqrt(), ln() and log2() have names here"),
        }
    }

    fn closed(&mut self, value: Node) -> Read {
        match self.eat(&[')']) {
            Some(_) => Ok(value),
            None => self.error(self.at, "a ')' is missing"),
        }
    }

    fn number(&mut self) -> Read {
        let start = self.at;
        let (mut digits, mut places) = (String::new(), None);
        while let Some(&c) = self.chars.get(self.at) {
            match c {
                '0'..='9' => digits.push(c),
                '_' => {}
                '.' if places.is_none() => places = Some(digits.len()),
                _ => break,
            }
            self.at += 1;
        }
        if digits.is_empty() || digits.len() > MOST {
            return self.error(
                start,
                "a number, a constant like e or pi, or a function like sqrt(2) was expected",
            );
        }
        let places = places.map_or(0, |before| digits.len() - before);
        let value: BigInt = digits.parse().expect("only digits");
        let scale = BigInt::from(10u8).pow(places as u32);
        Ok(Node::exact(Rational::new(value, scale)))
    }

    fn sqrt(&self, value: Node, at: usize) -> Read {
        if let Some(exact) = &value.exact {
            if exact.is_negative() {
                return self.error(at, "a square root is taken of 0 or more");
            }
            let root = |part: &BigInt| -> Option<BigInt> {
                let root = part.magnitude().sqrt();
                (&root * &root == *part.magnitude()).then(|| root.into())
            };
            if let (Some(top), Some(bottom)) = (root(exact.numer()), root(exact.denom())) {
                return Ok(Node::exact(Rational::new(top, bottom)));
            }
        } else if self.sign(&value, at, "the number under a square root")? == Ordering::Less {
            return self.error(at, "a square root is taken of 0 or more");
        }
        Ok(Node::enclosed(move |bits| (value.rule)(bits)?.sqrt()))
    }

    fn ln(&self, value: Node, at: usize) -> Read {
        if self.sign(&value, at, "the argument of a logarithm")? == Ordering::Less {
            return self.error(at, "a logarithm is taken of a number above 0");
        }
        if value.exact.as_ref().is_some_and(One::is_one) {
            return Ok(Node::exact(Rational::zero()));
        }
        Ok(Node::enclosed(move |bits| {
            let x = (value.rule)(bits)?;
            let end = |end: &BigInt| {
                let end = Rational::new(end.clone(), BigInt::one() << x.bits);
                end.is_positive().then(|| enclosure::ln(&end, bits))
            };
            let (low, high) = (end(&x.low)?, end(&x.high)?);
            let (low, high) = (low.coarsen(bits + 8), high.coarsen(bits + 8));
            Some(Enclosure {
                low: low.low,
                high: high.high,
                bits: bits + 8,
            })
        }))
    }
}

fn ln2(bits: u64) -> Enclosure {
    enclosure::ln(&Rational::from(BigInt::from(2)), bits)
}

/// e = sum 1/k!: every quotient rounds down by less than a unit, and the rest of the series is below
/// twice the first term left out, which is 0 in units.
fn e(bits: u64) -> Enclosure {
    let work = bits + 16 + u64::from(64 - bits.leading_zeros());
    let mut term = BigUint::one() << work;
    let (mut sum, mut k) = (BigUint::zero(), 0u64);
    while !term.is_zero() {
        sum += &term;
        k += 1;
        term /= k;
    }
    // term k is below its true value by less than 1 + 1/k + ... < 2 units
    let low = BigInt::from(sum);
    Enclosure {
        high: &low + BigInt::from(2 * k + 4),
        low,
        bits: work,
    }
}

/// atan(1/q) in units of 2^-bits, as (value, error): the series alternates, each of its quotients is
/// off by at most 2 units, and what is left out is below one.
fn atan_of_reciprocal(q: u64, bits: u64) -> (BigInt, u64) {
    let mut power = (BigInt::one() << bits) / q;
    let (mut sum, mut k, mut terms) = (BigInt::zero(), 1u64, 0u64);
    while !power.is_zero() {
        let term = &power / k;
        match terms % 2 {
            0 => sum += term,
            _ => sum -= term,
        }
        power /= q * q;
        k += 2;
        terms += 1;
    }
    (sum, 2 * terms + 2)
}

/// pi = 16 atan(1/5) - 4 atan(1/239) (Machin 1706).
pub(crate) fn pi(bits: u64) -> Enclosure {
    let work = bits + 16 + u64::from(64 - bits.leading_zeros());
    let ((a, slack_a), (b, slack_b)) = (atan_of_reciprocal(5, work), atan_of_reciprocal(239, work));
    let (value, slack) = (a * 16 - b * 4, BigInt::from(16 * slack_a + 4 * slack_b));
    Enclosure {
        low: &value - &slack,
        high: value + slack,
        bits: work,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn constants_have_the_published_digits() {
        // A001113, A000796, A002193, A002162, A001622, and log2(e) = 1/ln 2, A007525
        for (text, digits) in [
            ("e", "2.718281828459045235360287471352662497757"),
            ("pi", "3.141592653589793238462643383279502884197"),
            ("sqrt(2)", "1.414213562373095048801688724209698078570"),
            ("ln(2)", "0.693147180559945309417232121458176568076"),
            ("(1+sqrt(5))/2", "1.618033988749894848204586834365638117720"),
            ("log2(e)", "1.442695040888963407359924681001892137427"),
            ("e - 2", "0.718281828459045235360287471352662497757"),
            ("ln(e^2) + 0.5", "2.500000000000000000000000000000000000000"),
            ("sqrt(4)*1_0/4", "5.000000000000000000000000000000000000000"),
        ] {
            let value = Constant::positive(text).unwrap();
            assert_eq!(value.value().decimals(39).unwrap(), digits, "{text}");
        }
        let exact = Constant::positive("sqrt(9/4)").unwrap();
        assert_eq!(
            exact.value().exact(),
            Some(&Rational::new(3.into(), 2.into()))
        );
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        for (text, what) in [
            ("e-3", "not above 0"),
            ("e-e", "not above 0"),
            ("1/(e-e)", "cannot be told from 0"),
            ("sqrt(1-e)", "0 or more"),
            ("ln(0)", "cannot be 0"),
            ("sqrt 2", "'(' is needed"),
            ("sqrt(2", "')' is missing"),
            ("e^e", "a number"),
            ("tau+e", "have names here"),
            ("e+", "was expected"),
            ("e 2", "the end was expected"),
            ("six", "a number like 6"),
            ("0", "not above 0"),
        ] {
            let error = Constant::positive(text).err().expect(text).to_string();
            assert!(error.contains(what), "{text}: {error}");
        }
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "[-0-9+*^()/. e]{0,8}|(e|pi|ln\\(|sqrt\\(|[0-9)+*/-]){0,6}") {
            let _ = Constant::positive(&text);
        }
    }
}
