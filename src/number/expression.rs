//! Numbers as people write them: `1000003`, `1_000_000`, `2^256`, `10^18+9`, `52!`, `1/29`.
//!
//! Numbers without names are read by [`crate::grammar`]: a natural number is an expression with
//! `+ - * ^ !` and brackets, and a rational may have `/` and decimals besides. What would pass
//! [`LIMITS`] is refused before it is computed.

use super::rationals::Rationals;
use super::{BigInt, BigUint, Rational};
use crate::grammar::{AlgebraError, Expr, Integers, Limits, Words};
pub use crate::grammar::{ExpressionError, factorial};
use num_traits::{Signed, ToPrimitive};

/// The most bits that a written number may have (about five million decimal digits).
pub const MOST_BITS: u64 = 1 << 24;

/// What a written number may take. Two powers of [`MOST_BITS`] each take 538,000,000 steps.
pub const LIMITS: Limits = Limits {
    bits: MOST_BITS,
    steps: 600_000_000,
};

/// The words of errors about natural numbers.
pub static NATURAL: Words = Words {
    noun: "a number",
    operand: "a number like 6, 1_000_000, 10^18+9 or 52! was expected",
    operator: "one of + - * ^ ! or the end was expected",
    names: false,
    functions: &[],
};

/// The words of errors about rational numbers.
pub static RATIONAL: Words = Words {
    operator: "one of + - * / ^ ! or the end was expected",
    ..NATURAL
};

/// A number is written without a sign before it.
fn unsigned(expr: Expr, words: &Words) -> Result<Expr, ExpressionError> {
    match expr.first_negation() {
        None => Ok(expr),
        Some(at) => {
            let refusal = AlgebraError::new(at, "a negative number is not allowed");
            Err(expr.refuse(words, refusal))
        }
    }
}

/// A natural number, 0 included, as written by a person.
///
/// ```
/// use flipcost::unstable::number::expression::parse_natural;
/// assert_eq!(parse_natural("2^10 + 1_000").unwrap(), 2024u32.into());
/// assert!(parse_natural("2^^3").unwrap_err().to_string().contains("character 3"));
/// ```
///
/// # Errors
/// A text that is no such number, with the character; a result below 0; work beyond [`LIMITS`].
pub fn parse_natural(text: &str) -> Result<BigUint, ExpressionError> {
    let expr = unsigned(Expr::parse(text, &NATURAL)?, &NATURAL)?;
    let value = Integers::value(&expr, &NATURAL, LIMITS)?;
    let negative = || expr.refuse(&NATURAL, AlgebraError::new(0, "it is negative"));
    value.to_biguint().ok_or_else(negative)
}

/// An integer: as [`parse_natural`], with signs.
///
/// ```
/// use flipcost::unstable::number::expression::parse_integer;
/// assert_eq!(parse_integer("-4 + 2").unwrap(), (-2).into());
/// assert_eq!(parse_integer("1 - 5").unwrap(), (-4).into());
/// ```
///
/// # Errors
/// A text that is no such number, with the character; work beyond [`LIMITS`].
pub fn parse_integer(text: &str) -> Result<BigInt, ExpressionError> {
    Integers::value(&Expr::parse(text, &NATURAL)?, &NATURAL, LIMITS)
}

/// A natural number that fits one machine word.
///
/// # Errors
/// As [`parse_natural`], and numbers of 2^64 or more.
pub fn parse_u64(text: &str) -> Result<u64, ExpressionError> {
    let large = || AlgebraError::new(0, "it must be below 2^64 here");
    let value = parse_natural(text)?.to_u64();
    value.ok_or_else(|| ExpressionError::new(text, &NATURAL, large()))
}

/// A rational number, 0 or positive: `a` or `a/b`, each part an expression, or decimals like `1.5`.
///
/// Outside of brackets there is one `/` at most, and it is the bar of a fraction: `10^18+9/7` is
/// `(10^18+9)/7`. In brackets `/` binds as `*` does.
///
/// ```
/// use flipcost::number::Rational;
/// use flipcost::unstable::number::expression::parse_rational;
/// assert_eq!(parse_rational("2.5 + (1/3)").unwrap(), Rational::new(17.into(), 6.into()));
/// ```
///
/// # Errors
/// A text that is no such number, with the character; a denominator of 0; a result below 0; work
/// beyond [`LIMITS`].
pub fn parse_rational(text: &str) -> Result<Rational, ExpressionError> {
    let expr = unsigned(Expr::parse_fraction(text, &RATIONAL)?, &RATIONAL)?;
    let value = Rationals::value(&expr, &RATIONAL, LIMITS)?;
    if value.is_negative() {
        return Err(expr.refuse(&RATIONAL, AlgebraError::new(0, "it is negative")));
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::trees::{Tree, numbers, trees};
    use crate::grammar::{Bits, Formula, Operator, Sizes};
    use crate::number::BigInt;
    use crate::number::constant::REAL;
    use crate::number::reals::Reals;
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
        for (text, p, q) in [
            ("1.50", 3, 2),
            (".5", 1, 2),
            ("10^2+1/7", 101, 7),
            ("1/2*3", 1, 6),
            ("(1/2)*3", 3, 2),
            ("(2/3)^2/(1+1/3)", 1, 3),
        ] {
            assert_eq!(
                parse_rational(text).unwrap(),
                Rational::new(p.into(), q.into())
            );
        }
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
            ("1.5", 1),
            ("6/2", 1),
            ("(6 7)", 3),
            ("sqrt(4)", 0),
            ("2 < 3", 2),
            ("3d6", 1),
            ("1,5", 1),
        ] {
            assert_eq!(parse_natural(text).unwrap_err().at(), at, "{text}");
        }
        for (text, at) in [
            ("1/0", 1),
            ("1/(2-2)", 1),
            ("1/2/3", 3),
            ("1.2.3", 3),
            ("(1/2)^(1/2)", 5),
            ("2^(1-2)", 1),
            ("(1/2)!", 5),
            ("1-3/2", 0),
        ] {
            assert_eq!(parse_rational(text).unwrap_err().at(), at, "{text}");
        }
    }

    /// Why a tree has no value that the test knows.
    #[derive(Clone, Copy, PartialEq)]
    enum No {
        /// It is long, or so is something on the way.
        Long,
        /// There is none.
        Value,
    }

    /// + - * / ^ ! and signs over numbers, by recursion.
    fn known(tree: &Tree) -> Result<Rational, No> {
        // of a part that has no value nothing has one, even where another part is long
        let both = |x, y| match (known(x), known(y)) {
            (Ok(x), Ok(y)) => Ok((x, y)),
            (Err(No::Value), _) | (_, Err(No::Value)) => Err(No::Value),
            _ => Err(No::Long),
        };
        let one = || Rational::from(BigInt::from(1));
        let small = |x: &Rational| match (x.is_integer() && !x.is_negative(), x.to_u32()) {
            (true, Some(small @ 0..=50)) => Ok(small),
            (true, _) => Err(No::Long),
            _ => Err(No::Value),
        };
        let value = match tree {
            Tree::Number(text) => {
                let text = text.replace('_', "");
                let (whole, part) = text.split_once('.').unwrap_or((&text, ""));
                let all: BigInt = format!("0{whole}{part}").parse().unwrap();
                Rational::new(all, BigInt::from(10).pow(part.len() as u32))
            }
            Tree::Negate(x) => -known(x)?,
            Tree::Factorial(x) => {
                let k = small(&known(x)?)?;
                (1..=k).fold(one(), |product, k| product * BigInt::from(k))
            }
            Tree::Binary(operator, x, y) => {
                let (x, y) = both(x, y)?;
                match operator {
                    Operator::Plus => x + y,
                    Operator::Minus => x - y,
                    Operator::Times => x * y,
                    Operator::Over if y == Rational::from(BigInt::ZERO) => return Err(No::Value),
                    Operator::Over => x / y,
                    _ => (0..small(&y)?).fold(one(), |power, _| power * &x),
                }
            }
            _ => unreachable!("not among those that are drawn"),
        };
        match value.numer().bits().max(value.denom().bits()) {
            0..=3000 => Ok(value),
            _ => Err(No::Long),
        }
    }

    const INTEGERS: &[Operator] = &[
        Operator::Plus,
        Operator::Minus,
        Operator::Times,
        Operator::Power,
    ];
    const FRACTIONS: &[Operator] = &[
        Operator::Plus,
        Operator::Minus,
        Operator::Times,
        Operator::Over,
        Operator::Power,
    ];
    const SMALL: Limits = Limits {
        bits: 1 << 14,
        steps: 1 << 20,
    };

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        /// One expression, four algebras, one value.
        #[test]
        fn an_integer_expression_has_one_value(
            tree in trees(numbers("[0-9]|[0-9]{1,3}|1_[0-9]{20,42}"), INTEGERS, true, true, &[])
        ) {
            let expr = tree.expr();
            let integer_value = Integers::value(&expr, &NATURAL, SMALL);
            let rational_value = Rationals::value(&expr, &RATIONAL, SMALL);
            match (&integer_value, &rational_value) {
                (Ok(integer), Ok(rational)) => {
                    prop_assert_eq!(&Rational::from(integer.clone()), rational);
                }
                (Err(one), Err(other)) => prop_assert_eq!(one, other),
                _ => prop_assert!(false, "{:?} and {:?}", integer_value, rational_value),
            }
            match known(&tree) {
                Ok(value) => {
                    prop_assert_eq!(rational_value.as_ref(), Ok(&value));
                    let real = Reals::value(&expr, &REAL, &[]).unwrap();
                    prop_assert_eq!(real.exact(), Some(&value));
                }
                Err(No::Value) => prop_assert!(integer_value.is_err()),
                Err(No::Long) => {}
            }
            if let Ok(formula) = Formula::read(&expr.to_string(), &[])
                && let Ok(value) = formula.value(&[])
            {
                prop_assert_eq!(integer_value, Ok(value.into()));
            }
        }

        #[test]
        fn a_rational_expression_has_one_value(
            tree in trees(numbers("[0-9]{1,2}|[0-9]?\\.[0-9]{1,2}"), FRACTIONS, false, true, &[])
        ) {
            let expr = tree.expr();
            let value = Rationals::value(&expr, &RATIONAL, SMALL);
            match known(&tree) {
                Ok(known) => {
                    prop_assert_eq!(value, Ok(known.clone()));
                    let real = Reals::value(&expr, &REAL, &[]).unwrap();
                    prop_assert_eq!(real.exact(), Some(&known));
                }
                Err(No::Value) => prop_assert!(value.is_err()),
                Err(No::Long) => {}
            }
        }

        /// What is said of sizes beforehand holds of fractions too.
        #[test]
        fn sizes_enclose_fractions(
            tree in trees(numbers("[0-9]{1,2}|[0-9]?\\.[0-9]{1,2}|[1-9]{40}"), FRACTIONS, true, true, &[])
        ) {
            let expr = tree.expr();
            let size = expr.evaluate(&mut Sizes::new(&RATIONAL, SMALL, true));
            let value = expr.evaluate(&mut Rationals::new(&RATIONAL, SMALL));
            match (size, value) {
                (Ok(size), Ok(value)) => {
                    let within = |bits: Bits, x: &BigInt| (bits.low..=bits.high).contains(&x.bits());
                    prop_assert!(within(size.top, value.numer()), "{} {:?}", expr, size);
                    let bottom = size.bottom.unwrap_or(Bits { low: 1, high: 1 });
                    prop_assert!(within(bottom, value.denom()), "{} {:?}", expr, size);
                    let exact = size.exact.map(Rational::from);
                    prop_assert!(exact.is_none_or(|exact| exact == value));
                    prop_assert!(size.negative.is_none_or(|known| known == value.is_negative()));
                }
                (Err(error), Ok(_)) => prop_assert!(error.what().contains("steps"), "{}", error),
                _ => {}
            }
        }

        #[test]
        fn no_text_panics(text in "[-0-9_+*^!()/. e]{0,12}|.{0,8}") {
            let inside = |error: ExpressionError| {
                prop_assert!(error.at() <= text.chars().count());
                Ok(())
            };
            parse_natural(&text).map_or_else(inside, |_| Ok(()))?;
            parse_rational(&text).map_or_else(inside, |_| Ok(()))?;
            parse_u64(&text).map_or_else(inside, |_| Ok(()))?;
        }

        #[test]
        fn a_plain_number_reads_back(n in any::<u128>()) {
            prop_assert_eq!(parse_natural(&n.to_string()).unwrap(), BigUint::from(n));
        }
    }

    #[test]
    fn long_numbers_read_back() {
        // past the length at which the two halves are read separately
        for digits in [4000, 4001, 8001, 20_000] {
            let text = "1234567".repeat(digits / 7 + 1);
            let text = &text[..digits];
            assert_eq!(parse_natural(text).unwrap().to_string(), text);
        }
        let zeros = "0".repeat(5000) + "7." + &"0".repeat(5000);
        assert_eq!(
            parse_rational(&zeros).unwrap(),
            Rational::from(BigInt::from(7))
        );
    }
}
