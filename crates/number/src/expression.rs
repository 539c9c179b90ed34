//! Numbers as people write them: `1000003`, `1_000_000`, `2^256`, `10^18+9`, `52!`, `1/29`,
//! `2^-128`.
//!
//! A number is an expression, parsed by [`crate::grammar`]: `+ - * / ^ !`, brackets, decimals,
//! exponents of ten and the names of [`super::named`], for example `p256`. If a whole number is
//! required, only the value of the expression must be whole: `52!/50!` is accepted. An operation
//! that would exceed [`LIMITS`] is refused before it is computed.

use super::rationals::{Limits, format_short, rational_value};
use super::{BigInt, BigUint, Rational};
pub use crate::grammar::error::ExpressionError;
use crate::grammar::{Expr, Vocabulary};
use num_traits::{Signed, ToPrimitive};

/// The maximum number of bits of a written number (about five million decimal digits).
const MAX_BITS: u64 = 1 << 24;

/// The limits for a written number. The product of two powers of `MAX_BITS` bits each takes
/// 538,000,000 steps.
pub const LIMITS: Limits = Limits {
    bits: MAX_BITS,
    steps: 600_000_000,
};

/// The words for error messages about numbers.
pub static NUMBER: Vocabulary = Vocabulary {
    noun: "a number",
    operand: "a number like 6, 1_000_000, 10^18+9 or 52! was expected",
    operator: "one of + - * / ^ ! or the end was expected",
    names: true,
    dice: false,
    functions: &[],
};

/// Parses a rational number: `-7`, `11/3`, `0.05`, `1e6`, `2^-128`, `1/2 + 1/3`.
///
/// ```
/// use flipcost_number::Rational;
/// use flipcost_number::expression::parse_signed;
/// assert_eq!(parse_signed("1/3 - 3 + 1/2")?, Rational::new((-13).into(), 6.into()));
/// # Ok::<(), flipcost_number::expression::ExpressionError>(())
/// ```
///
/// # Errors
/// If the text is not a number, with the position of the character; if the work exceeds [`LIMITS`].
pub fn parse_signed(text: &str) -> Result<Rational, ExpressionError> {
    let expr = Expr::parse(text, &NUMBER)?;
    let readings = expr.check_percentages();
    readings.map_err(|error| expr.refuse(&NUMBER, error))?;
    rational_value(&expr, &NUMBER, LIMITS)
}

/// The error for a value of the wrong kind.
fn wrong_kind_error(text: &str, value: &Rational, expected: &str) -> ExpressionError {
    let value = format_short(value);
    let what = format!("its value is {value}, and {expected} was expected");
    ExpressionError::of_value(text, &NUMBER, what)
}

/// Parses a rational number, 0 or positive, as [`parse_signed`] does.
///
/// ```
/// use flipcost_number::Rational;
/// use flipcost_number::expression::parse_rational;
/// assert_eq!(parse_rational("2.5 + 1/3").unwrap(), Rational::new(17.into(), 6.into()));
/// ```
///
/// # Errors
/// As [`parse_signed`]; also if the value is below 0.
pub fn parse_rational(text: &str) -> Result<Rational, ExpressionError> {
    match parse_signed(text)? {
        value if value.is_negative() => Err(wrong_kind_error(text, &value, "a number from 0")),
        value => Ok(value),
    }
}

/// Parses an integer: an expression with a whole value.
///
/// ```
/// use flipcost_number::expression::parse_integer;
/// assert_eq!(parse_integer("-4 + 2").unwrap(), (-2).into());
/// ```
///
/// # Errors
/// As [`parse_signed`]; also if the value is not whole.
pub fn parse_integer(text: &str) -> Result<BigInt, ExpressionError> {
    match parse_signed(text)? {
        value if value.is_integer() => Ok(value.to_integer()),
        value => Err(wrong_kind_error(text, &value, "a whole number")),
    }
}

/// Parses a natural number, including 0: an expression whose value is a natural number.
///
/// ```
/// use flipcost_number::expression::parse_natural;
/// assert_eq!(parse_natural("2^10 + 1_000").unwrap(), 2024u32.into());
/// assert_eq!(parse_natural("52!/50!").unwrap(), 2652u32.into());
/// assert!(parse_natural("2^^3").unwrap_err().to_string().contains("character 3"));
/// let error = parse_natural("3+1/2").unwrap_err().to_string();
/// assert!(error.ends_with("its value is 7/2, and a whole number from 0 was expected"));
/// ```
///
/// # Errors
/// As [`parse_signed`]; also if the value is not whole, or below 0.
pub fn parse_natural(text: &str) -> Result<BigUint, ExpressionError> {
    let value = parse_signed(text)?;
    if !value.is_integer() || value.is_negative() {
        return Err(wrong_kind_error(text, &value, "a whole number from 0"));
    }
    let groups: Vec<&str> = text.trim().split('.').collect();
    let is_group = |group: &&str| group.len() == 3 && group.bytes().all(|b| b.is_ascii_digit());
    if groups.len() > 1 && groups[1..].iter().all(is_group) {
        let (whole, value) = (groups.concat(), format_short(&value));
        let what = format!("it has two readings: write {whole} or {value}, without a point");
        return Err(ExpressionError::of_value(text, &NUMBER, what));
    }
    Ok(value.into_raw().0.into_parts().1)
}

/// Parses a natural number that fits one machine word.
///
/// # Errors
/// As [`parse_natural`]; also for numbers of 2^64 or more.
pub fn parse_u64(text: &str) -> Result<u64, ExpressionError> {
    let value = parse_natural(text)?;
    let large = || {
        wrong_kind_error(
            text,
            &Rational::from(BigInt::from(value.clone())),
            "a number below 2^64",
        )
    };
    value.to_u64().ok_or_else(large)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constant::REAL;
    use crate::grammar::trees::{Tree, numbers, trees};
    use crate::grammar::{Formula, Operator};
    use crate::rationals::product_of;
    use crate::reals::real_value;
    use num_traits::Zero;
    use proptest::prelude::*;

    fn rational(p: i64, q: i64) -> Rational {
        Rational::new(p.into(), q.into())
    }

    #[test]
    fn numbers_as_people_write_them() {
        for (text, value) in [
            ("6", "6"),
            ("1_000_000", "1000000"),
            ("10^18+9", "1000000000000000009"),
            ("10^18+9/3", "1000000000000000003"),
            ("2^3^2", "512"),
            ("(2+3)*4-1", "19"),
            ("5!", "120"),
            ("3!!", "720"),
            ("1.000", "write 1000 or 1, without a point"),
            ("2.0", "2"),
            ("2^2!", "4"),
            ("2^3!", "64"),
            ("20-2", "18"),
            ("-4+6", "2"),
            ("52!/50!", "2652"),
            ("6/2", "3"),
            (
                "100+100%",
                "two readings: 100 + 10% is 100 + 10/100, or 100 + 100*10/100",
            ),
            ("2-(4-3%)", "two readings"),
            ("1-100%", "0"),
            ("50%+150%", "2"),
            ("1.5*4", "6"),
            ("1e6", "1000000"),
            ("1.5E+3", "1500"),
            ("1_0e0_0", "character 6"),
            ("2^-1*2", "1"),
            (" 7 ", "7"),
            ("0^0", "1"),
            ("1^10000000000000", "1"),
            ("(-1)^(10^30+1)+1", "0"),
        ] {
            match parse_natural(text) {
                Ok(number) => assert_eq!(number.to_string(), value, "{text}"),
                Err(error) => assert!(error.to_string().contains(value), "{text}: {error}"),
            }
        }
        for (text, p, q) in [
            ("1/29", 1, 29),
            ("3+1/2", 7, 2),
            ("3/4*2", 3, 2),
            ("1-1/2^5", 31, 32),
            ("10-1/2", 19, 2),
            ("1/2+1/3", 5, 6),
            ("1/2/3", 1, 6),
            ("2^-3", 1, 8),
            ("(2/3)^-2", 9, 4),
            ("-2^2", -4, 1),
            ("-2^-2", -1, 4),
            ("(-2)^2", 4, 1),
            ("--7", 7, 1),
            ("1.50", 3, 2),
            (".5", 1, 2),
            ("0.05", 1, 20),
            ("1e-3", 1, 1000),
            ("2.5e-1", 1, 4),
            ("10^2+1/7", 701, 7),
            ("(2/3)^2/(1+1/3)", 1, 3),
            ("0e999999999999999999999", 0, 1),
        ] {
            assert_eq!(parse_signed(text), Ok(rational(p, q)), "{text}");
        }
    }

    #[test]
    fn an_error_points_at_the_character() {
        for (text, at) in [
            ("", 0),
            ("10^", 3),
            ("2^10^10", 1),
            ("1__0", 1),
            ("10_", 2),
            ("(1", 2),
            ("9999999999!", 10),
            ("six", 0),
            ("6 7", 2),
            ("٣", 0),
            ("(6 7)", 3),
            ("sqrt(4)", 0),
            ("2 < 3", 2),
            ("3d6", 1),
            ("1,5", 1),
            ("1.2.3", 3),
            ("1e", 1),
            ("1e+", 1),
            ("1/0", 1),
            ("1/(2-2)", 1),
            ("0^-1", 1),
            ("(1/2)^(1/2)", 5),
            ("(1/2)!", 5),
            ("(-3)!", 4),
        ] {
            assert_eq!(parse_natural(text).unwrap_err().position(), at, "{text}");
        }
    }

    /// An error about the wrong kind of number contains the value.
    #[test]
    fn values_of_the_wrong_kind_are_reported() {
        let nines = "9".repeat(40);
        for (text, value) in [
            ("-5", "-5"),
            ("3-5", "-2"),
            ("1.5", "3/2"),
            ("3+1/2", "7/2"),
            ("2^-128", "1/34028236...68211456 (39 digits)"),
            (&format!("-{nines}/2"), "-99999999...99999999 (40 digits)/2"),
        ] {
            let said = parse_natural(text).unwrap_err().to_string();
            let ending = format!(": its value is {value}, and a whole number from 0 was expected");
            assert!(said.ends_with(&ending), "{text}: {said}");
        }
        let said = |error: ExpressionError| error.what().to_string();
        let (below, above) = (parse_rational("1-3/2"), parse_u64("2^64"));
        assert_eq!(
            said(below.unwrap_err()),
            "its value is -1/2, and a number from 0 was expected"
        );
        assert_eq!(
            said(above.unwrap_err()),
            "its value is 18446744073709551616, and a number below 2^64 was expected"
        );
        assert!(parse_integer("-7/2").is_err() && parse_integer("-8/2") == Ok((-4).into()));
    }

    /// The error says how large the result would be; the result is not computed.
    #[test]
    fn refused_before_anything_is_multiplied() {
        let sum = vec!["400000!"; 100].join("+");
        for (text, what) in [
            ("9^9^9^9", "about 1228093895 bits, and 16777216 is the most"),
            ("2^2^2^2^2^2", "more than 2^64 bits"),
            ("2^-(2^2^2^2^2)", "more than 2^64 bits"),
            ("(2/3)^10^9", "about 1000000001 bits"),
            ("(2/3)^-10^9", "about 1584962501 bits"),
            ("9^5400000", "about 17117596 bits"),
            ("2^16777216", "about 16777217 bits"),
            ("1e100000000", "about 332100001 bits"),
            ("1e-100000000", "about 332100001 bits"),
            ("1e999999999999999999999", "bits, and 16777216 is the most"),
            ("333352!!", "0 to 400000"),
            ("3!!!!", "0 to 400000"),
            ("(1-2^1000)!", "0 to 400000"),
            ("2^16777215*2", "about 16777217 bits"),
            ("400000!*400000!*400000!", "bits, and 16777216 is the most"),
            (&sum, "600000000 steps"),
        ] {
            let error = parse_rational(text).unwrap_err();
            assert!(error.what().contains(what), "{text}: {error}");
        }
        // Each of the largest powers alone is accepted.
        for text in [
            "2^16777215",
            "9^5290000",
            "400000!",
            "1^2^1000",
            "2^-16777215",
        ] {
            assert!(parse_rational(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn factorials_are_products() {
        let mut product = BigUint::from(1u8);
        for n in 0..100u64 {
            product *= n.max(1);
            assert_eq!(product_of(1..=n), product, "{n}");
        }
    }

    /// Why the test cannot compute the value of a tree.
    #[derive(Clone, Copy, PartialEq)]
    enum NoValue {
        /// The value or an intermediate result is too long.
        TooLong,
        /// The expression has no value.
        Undefined,
    }

    /// Evaluates the tree by recursion; it contains only numbers, signs and + - * / ^ !.
    fn evaluate_tree(tree: &Tree) -> Result<Rational, NoValue> {
        // `Undefined` takes precedence over `TooLong`: if one operand has no value, the result has
        // none, even if the other operand is too long.
        let both = |x, y| match (evaluate_tree(x), evaluate_tree(y)) {
            (Ok(x), Ok(y)) => Ok((x, y)),
            (Err(NoValue::Undefined), _) | (_, Err(NoValue::Undefined)) => Err(NoValue::Undefined),
            _ => Err(NoValue::TooLong),
        };
        let one = || Rational::from(BigInt::from(1));
        let small = |x: &Rational| match (x.is_integer() && !x.is_negative(), x.to_u32()) {
            (true, Some(small @ 0..=50)) => Ok(small),
            (true, _) => Err(NoValue::TooLong),
            _ => Err(NoValue::Undefined),
        };
        let value = match tree {
            Tree::Number(text) => {
                let text = text.replace('_', "");
                let (text, exponent) = text.split_once(['e', 'E']).unwrap_or((&text, "0"));
                let (whole, part) = text.split_once('.').unwrap_or((text, ""));
                let all: BigInt = format!("0{whole}{part}").parse().unwrap();
                let ten = Rational::from(BigInt::from(10));
                ten.pow(exponent.parse::<i32>().unwrap() - part.len() as i32) * all
            }
            Tree::Negate(x) => -evaluate_tree(x)?,
            Tree::Factorial(x) => {
                let k = small(&evaluate_tree(x)?)?;
                (1..=k).fold(one(), |product, k| product * BigInt::from(k))
            }
            Tree::Binary(operator, x, y) => {
                let (x, y) = both(x, y)?;
                let power = |x: &Rational, y| (0..y).fold(one(), |power, _| power * x);
                match operator {
                    Operator::Plus => x + y,
                    Operator::Minus => x - y,
                    Operator::Times => x * y,
                    Operator::Over if y.is_zero() => return Err(NoValue::Undefined),
                    Operator::Over => x / y,
                    _ if y.is_negative() && x.is_zero() => return Err(NoValue::Undefined),
                    _ if y.is_negative() => power(&x.recip(), small(&-y)?),
                    _ => power(&x, small(&y)?),
                }
            }
            _ => unreachable!("not among those that are drawn"),
        };
        match value.numer().bits().max(value.denom().bits()) {
            0..=3000 => Ok(value),
            _ => Err(NoValue::TooLong),
        }
    }

    const SIGNS: &[Operator] = &[
        Operator::Plus,
        Operator::Minus,
        Operator::Times,
        Operator::Over,
        Operator::Power,
    ];
    const SMALL_LIMITS: Limits = Limits {
        bits: 1 << 14,
        steps: 1 << 20,
    };

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        /// The text of a random tree, with only the necessary brackets, has the same value as the
        /// tree in every algebra that parses it.
        #[test]
        fn a_text_has_the_value_of_its_tree(
            tree in trees(
                numbers("[0-9]{1,2}|[0-9]|[0-9]?\\.[0-9]{1,2}|[0-9]e-?[0-9]|1_[0-9]{20,42}"),
                SIGNS, true, true, &[],
            )
        ) {
            let text = tree.expr().to_string();
            let expr = Expr::parse(&text, &NUMBER).unwrap();
            let value = rational_value(&expr, &NUMBER, SMALL_LIMITS);
            match evaluate_tree(&tree) {
                Ok(known) => {
                    prop_assert_eq!(value.as_ref(), Ok(&known), "{}", text);
                    let real = real_value(&Expr::parse(&text, &REAL).unwrap(), &REAL, &[]).unwrap();
                    prop_assert_eq!(real.exact(), Some(&known));
                    let is_clear = expr.check_percentages().is_ok();
                    let whole = is_clear && known.is_integer() && !known.is_negative();
                    prop_assert_eq!(parse_natural(&text).is_ok(), whole);
                }
                Err(NoValue::Undefined) => prop_assert!(value.is_err(), "{}", text),
                Err(NoValue::TooLong) => {}
            }
            // Without a quotient, a formula over machine words gives the same value.
            if !text.contains('/')
                && let Ok(formula) = Formula::read(&text, &[])
                && let Ok(word) = formula.value(&[])
            {
                prop_assert_eq!(value, Ok(Rational::from(BigInt::from(word))));
            }
        }

        #[test]
        fn no_text_panics(text in "[-0-9_+*^!()/. e]{0,12}|.{0,8}") {
            let inside = |error: ExpressionError| {
                prop_assert!(error.position() <= text.chars().count());
                Ok(())
            };
            parse_natural(&text).map_or_else(inside, |_| Ok(()))?;
            parse_signed(&text).map_or_else(inside, |_| Ok(()))?;
            parse_u64(&text).map_or_else(inside, |_| Ok(()))?;
        }

        #[test]
        fn a_plain_number_reads_back(n in any::<u128>()) {
            prop_assert_eq!(parse_natural(&n.to_string()).unwrap(), BigUint::from(n));
        }
    }

    #[test]
    fn long_numbers_read_back() {
        // Lengths around 4000 digits: longer numbers are parsed in two halves.
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
