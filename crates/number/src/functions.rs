//! Rational functions of p as people write them: `p^2/(p^2+(1-p)^2)`, `1/3`, `p - p^2/2`.
//!
//! They are read by [`crate::grammar`]: `+ - * / ^` and brackets, numbers and the name p.

use super::polynomial::{Polynomial, RationalFunction};
use super::rationals::{Limits, Rationals};
use super::{BigInt, Rational};
use crate::grammar::{Algebra, AlgebraError, Expr, ExpressionError, Literal, Operator, Vocabulary};
use num_traits::{Signed, ToPrimitive, Zero};

/// The highest power of p on the way, above and below the bar of a fraction.
const MOST_DEGREE: u64 = 128;
/// The most bits of a coefficient on the way.
const MOST_BITS: u64 = 1 << 12;

/// The words of errors about functions.
static FUNCTION: Vocabulary = Vocabulary {
    noun: "a function of p",
    operand: "p or a number like 2 or 1/3 was expected",
    operator: "one of + - * / ^ or the end was expected",
    names: true,
    dice: false,
    functions: &[],
};

/// Rational functions of p within limits.
struct Functions(Rationals);

/// A rational function of p.
///
/// ```
/// use flipcost_number::functions::parse_function;
/// assert_eq!(parse_function("p^2/(p^2+(1-p)^2)")?.to_string(), "p^2/(1 - 2*p + 2*p^2)");
/// assert!(parse_function("sqrt(p)").unwrap_err().to_string().contains("character 1"));
/// # Ok::<(), flipcost_number::expression::ExpressionError>(())
/// ```
///
/// # Errors
/// A text that is no such function, with the character; powers above 128 and long
/// coefficients.
pub fn parse_function(text: &str) -> Result<RationalFunction, ExpressionError> {
    let limits = Limits {
        bits: MOST_BITS,
        steps: 1_000_000,
    };
    Expr::parse(text, &FUNCTION)?.evaluate(&mut Functions(Rationals::new(&FUNCTION, limits)))
}

/// The bits of the longest coefficient.
fn bits(f: &RationalFunction) -> u64 {
    let all = f.numerator().terms().chain(f.denominator().terms());
    all.map(|(_, c)| c.bits()).max().unwrap_or(0)
}

/// Refuses what is too large to go on with.
fn fits(degree: u64, bits: u64, at: usize) -> Result<(), AlgebraError> {
    if degree > MOST_DEGREE {
        let what = format!("this part may have p^{degree}, and p^{MOST_DEGREE} is the most");
        return Err(AlgebraError::new(at, what));
    }
    if bits > MOST_BITS {
        let what =
            format!("a coefficient of this part may have {bits} bits, and {MOST_BITS} is the most");
        return Err(AlgebraError::new(at, what));
    }
    Ok(())
}

fn constant(f: &RationalFunction) -> Option<Rational> {
    let (above, below) = (f.numerator().as_constant()?, f.denominator().as_constant()?);
    Some(Rational::new(above, below))
}

impl Algebra for Functions {
    type Value = RationalFunction;

    fn words(&self) -> &'static Vocabulary {
        &FUNCTION
    }

    fn number(&mut self, number: Literal<'_>, at: usize) -> Result<RationalFunction, AlgebraError> {
        Ok((&self.0.number(number, at)?).into())
    }

    fn name(&mut self, name: &str, at: usize) -> Result<RationalFunction, AlgebraError> {
        match name {
            "p" => Ok(Polynomial::variable(0).into()),
            _ => Err(FUNCTION.no_operand(at)),
        }
    }

    fn negate(
        &mut self,
        x: RationalFunction,
        _at: usize,
    ) -> Result<RationalFunction, AlgebraError> {
        Ok(-&x)
    }

    fn binary(
        &mut self,
        operator: Operator,
        x: RationalFunction,
        y: RationalFunction,
        at: usize,
    ) -> Result<RationalFunction, AlgebraError> {
        let degrees = |f: &RationalFunction| (f.numerator().degree(), f.denominator().degree());
        let ((a, b), (c, d)) = (degrees(&x), degrees(&y));
        if operator == Operator::Power {
            let whole = constant(&y).filter(Rational::is_integer);
            let exponent = whole.and_then(|e| e.numer().to_i64());
            let most = MOST_DEGREE.max(MOST_BITS);
            let exponent = exponent
                .filter(|e| e.unsigned_abs() <= most)
                .ok_or_else(|| {
                    AlgebraError::new(
                        at,
                        format!("a whole number up to {most} was expected as exponent"),
                    )
                })?;
            let e = exponent.unsigned_abs();
            // a power of a polynomial of d + 1 terms has coefficients of at most e log2(d + 1) bits more
            let degree = a.max(b);
            let terms = u64::from(64 - degree.leading_zeros());
            fits(degree * e, (bits(&x) + terms).saturating_mul(e), at)?;
            if exponent < 0 && x.is_zero() {
                return Err(AlgebraError::new(at, "0 has no negative power"));
            }
            let base = if exponent < 0 { x.inverse() } else { x };
            let e = e as u32;
            return Ok(RationalFunction::new(
                base.numerator().power(e),
                base.denominator().power(e),
            ));
        }
        let degree = match operator {
            Operator::Over => (a + d).max(b + c),
            Operator::Times => (a + c).max(b + d),
            _ => (a + d).max(b + c).max(b + d),
        };
        fits(degree, bits(&x) + bits(&y) + 8, at)?;
        match operator {
            Operator::Plus => Ok(&x + &y),
            Operator::Minus => Ok(&x - &y),
            Operator::Times => Ok(&x * &y),
            Operator::Over if y.is_zero() => Err(AlgebraError::new(at, "a denominator is 0")),
            Operator::Over => Ok(&x * &y.inverse()),
            _ => Err(FUNCTION.no_operator(at)),
        }
    }
}

/// Has a polynomial in p a zero between 0 and 1, both left out? By Sturm's theorem, on what is left
/// without its factors p and 1 - p. Cost: a chain of remainders, as for a greatest common divisor.
pub fn has_zero_inside(f: &Polynomial) -> bool {
    let mut f = f.dense();
    while f.first().is_some_and(Zero::is_zero) {
        f.remove(0);
    }
    while !f.is_empty() && f.iter().sum::<BigInt>().is_zero() {
        // f = (1 - p) g: g_k = f_0 + ... + f_k
        let mut sum = BigInt::zero();
        f.iter_mut().for_each(|c| {
            sum += &*c;
            *c = sum.clone();
        });
        f.pop();
    }
    let derivative = f.iter().enumerate().skip(1).map(|(k, c)| c * k).collect();
    let mut chain = vec![f, derivative];
    while let [.., a, b] = &chain[..]
        && !b.is_empty()
    {
        // the divisor has a positive lead, so that the remainder keeps its sign
        let positive: Vec<BigInt> = if b.last().is_some_and(Signed::is_negative) {
            b.iter().map(|c| -c).collect()
        } else {
            b.clone()
        };
        let rest = super::polynomial::positive_remainder(a.clone(), &positive);
        chain.push(rest.into_iter().map(|c| -c).collect());
    }
    let changes = |value: fn(&Vec<BigInt>) -> BigInt| {
        let signs = chain.iter().map(|f| value(f).signum());
        let signs: Vec<BigInt> = signs.filter(|sign| !sign.is_zero()).collect();
        signs.windows(2).filter(|pair| pair[0] != pair[1]).count()
    };
    let at_0 = changes(|f| f.first().cloned().unwrap_or_default());
    let at_1 = changes(|f| f.iter().sum());
    at_0 != at_1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_as_people_write_them() {
        for (text, read) in [
            ("p", "p"),
            ("1/2", "1/2"),
            ("0.25*p", "p/4"),
            ("(p - p^2)/(1 - p)", "p"),
            ("(1-p)^-1 - 1", "p/(1 - p)"),
            ("p^2/(p^2+(1-p)^2)", "p^2/(1 - 2*p + 2*p^2)"),
            ("-(p-1)^2^1", "-1 + 2*p - p^2"),
            ("p^0", "1"),
        ] {
            assert_eq!(parse_function(text).unwrap().to_string(), read, "{text}");
        }
        for (text, wrong) in [
            ("", "nothing is there"),
            ("x", "p or a number"),
            ("q^2", "p or a number"),
            ("p^p", "a whole number up to"),
            ("p^(1/2)", "a whole number up to"),
            ("2p", "one of + - * / ^"),
            ("p!", "one of + - * / ^"),
            ("p/(p-p)", "a denominator is 0"),
            ("0^-1", "0 has no negative power"),
            ("p^129", "p^128 is the most"),
            ("2^4000*2^4000", "bits"),
            ("sqrt(p)", "p or a number"),
        ] {
            let error = parse_function(text).unwrap_err().to_string();
            assert!(error.contains(wrong), "{text}: {error}");
        }
    }

    /// Products of known factors: zeros at k/7, simple or double, inside and outside of (0, 1).
    #[test]
    fn zeros_inside() {
        let zero_at =
            |k: i64| Polynomial::from_terms([(vec![], BigInt::from(-k)), (vec![1], 7.into())]);
        let square = Polynomial::from_terms([(vec![], 1.into()), (vec![2], 1.into())]);
        for a in -3..=10i64 {
            for b in -3..=10i64 {
                let f = &(&zero_at(a) * &zero_at(b)) * &square;
                for f in [f.clone(), &f * &zero_at(a), -&f] {
                    let inside = [a, b].iter().any(|k| (1..7).contains(k));
                    assert_eq!(has_zero_inside(&f), inside, "{f}");
                }
            }
        }
        assert!(!has_zero_inside(&Polynomial::one()));
    }
}
