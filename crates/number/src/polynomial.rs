//! Polynomials and rational functions with integer coefficients: they express exact results if the
//! probabilities of a source are unknown.
//!
//! A polynomial is stored as a map from its monomials (the exponents of the variables) to their
//! coefficients. A [`RationalFunction`] of one variable is kept in lowest terms, so that equal
//! functions are equal values and are printed alike: terms in increasing powers, the lowest
//! coefficient of the denominator positive. In several variables only common integers and common
//! powers of the variables are cancelled, so use [`RationalFunction::is`] to test equality.
//!
//! **Source.** Knuth, The Art of Computer Programming 2, section 4.6.1, algorithm E: greatest
//! common divisors by primitive remainders.

use super::{BigInt, Rational};
use crate::budget::spend;
use crate::collect::ordered;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::{Add, Mul, Neg, Sub};

/// A polynomial with integer coefficients in any number of variables.
///
/// ```
/// use flipcost_number::Polynomial;
/// let p = Polynomial::variable(0);
/// let q = &Polynomial::one() - &p;
/// assert_eq!((&p * &q).to_string(), "p - p^2");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Polynomial(BTreeMap<Monomial, BigInt>);

/// A product of powers of the variables, as a list of exponents without trailing zeros. Monomials
/// are ordered by degree, then by the exponents of the first variables.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Monomial(Vec<u32>);

impl Monomial {
    fn degree(&self) -> u64 {
        self.0.iter().map(|e| u64::from(*e)).sum()
    }

    fn times(&self, other: &Monomial) -> Monomial {
        let (long, short) = if self.0.len() >= other.0.len() {
            (self, other)
        } else {
            (other, self)
        };
        let mut exponents = long.0.clone();
        for (e, more) in exponents.iter_mut().zip(&short.0) {
            *e += more;
        }
        Monomial(exponents)
    }

    fn exponent(&self, variable: usize) -> u32 {
        self.0.get(variable).copied().unwrap_or(0)
    }
}

impl Ord for Monomial {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.degree().cmp(&other.degree())).then_with(|| other.0.cmp(&self.0))
    }
}

impl PartialOrd for Monomial {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Polynomial {
    /// The polynomial 0.
    pub fn zero() -> Polynomial {
        Polynomial(BTreeMap::new())
    }

    /// The polynomial 1.
    pub fn one() -> Polynomial {
        Polynomial::constant(1)
    }

    /// A constant polynomial.
    pub fn constant(value: impl Into<BigInt>) -> Polynomial {
        Polynomial::from_terms([(Vec::new(), value.into())])
    }

    /// The variable with this index, counted from 0.
    pub fn variable(index: usize) -> Polynomial {
        let mut exponents = vec![0; index + 1];
        exponents[index] = 1;
        Polynomial::from_terms([(exponents, BigInt::one())])
    }

    /// Creates a polynomial from its terms: the exponents of the variables, and the coefficient.
    pub fn from_terms(terms: impl IntoIterator<Item = (Vec<u32>, BigInt)>) -> Polynomial {
        let mut sum = Polynomial::zero();
        for (mut exponents, coefficient) in terms {
            while exponents.last() == Some(&0) {
                exponents.pop();
            }
            sum.add_term(Monomial(exponents), coefficient);
        }
        sum
    }

    fn add_term(&mut self, monomial: Monomial, coefficient: BigInt) {
        let sum = self.0.entry(monomial.clone()).or_default();
        *sum += coefficient;
        if sum.is_zero() {
            self.0.remove(&monomial);
        }
    }

    /// The terms as exponents and coefficients, by increasing degree.
    pub fn terms(&self) -> impl Iterator<Item = (&[u32], &BigInt)> {
        self.0.iter().map(|(monomial, c)| (&monomial.0[..], c))
    }

    /// Whether the polynomial is 0.
    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// The polynomial's value, if it is a constant.
    pub(crate) fn as_constant(&self) -> Option<BigInt> {
        match self.0.iter().next() {
            None => Some(BigInt::zero()),
            Some((monomial, c)) => (self.0.len() == 1 && monomial.0.is_empty()).then(|| c.clone()),
        }
    }

    /// The number of variables, including unused variables before the last used one.
    pub fn variables(&self) -> usize {
        self.0
            .keys()
            .map(|monomial| monomial.0.len())
            .max()
            .unwrap_or(0)
    }

    /// The largest degree of a term.
    pub fn degree(&self) -> u64 {
        self.0.keys().next_back().map_or(0, Monomial::degree)
    }

    /// The polynomial raised to a power. Cost: about 2 log2(exponent) products.
    pub fn power(&self, exponent: u32) -> Polynomial {
        let (mut result, mut square, mut rest) = (Polynomial::one(), self.clone(), exponent);
        while rest > 0 {
            if rest & 1 == 1 {
                result = &result * &square;
            }
            rest >>= 1;
            if rest > 0 {
                square = &square * &square;
            }
        }
        result
    }

    /// Computes the value of the polynomial for these values of the variables; a variable without a
    /// value is 0.
    ///
    /// Cost: one power of each variable for every term.
    pub fn evaluate(&self, values: &[Rational]) -> Rational {
        let mut sum = Rational::zero();
        for (monomial, coefficient) in &self.0 {
            let mut term = Rational::from(coefficient.clone());
            for (variable, &e) in monomial.0.iter().enumerate() {
                let value = values.get(variable).cloned().unwrap_or_default();
                term *= num_traits::pow(value, e as usize);
            }
            sum += term;
        }
        sum
    }

    /// Multiplies every term by a power of the sum of `variables` variables, so that all terms have
    /// this degree. For the probabilities of the faces of a source this sum is 1, so the value
    /// stays the same. The coefficients then count the sequences of rolls that contain each face a
    /// given number of times (Pólya).
    ///
    /// # Panics
    /// If a term has a larger degree than requested.
    pub fn homogenised(&self, degree: u64, variables: usize) -> Polynomial {
        let all: Vec<Polynomial> = (0..variables).map(Polynomial::variable).collect();
        let one = all.iter().fold(Polynomial::zero(), |sum, x| &sum + x);
        let mut sum = Polynomial::zero();
        for (monomial, coefficient) in &self.0 {
            let lift = degree
                .checked_sub(monomial.degree())
                .expect("at most this degree");
            let term = Polynomial(ordered([(monomial.clone(), coefficient.clone())]));
            sum = &sum + &(&term * &one.power(lift as u32));
        }
        sum
    }

    /// The coefficients of a polynomial in the first variable only, beginning with the constant.
    pub(super) fn dense_coefficients(&self) -> Vec<BigInt> {
        let mut all = vec![BigInt::zero(); self.degree() as usize + 1];
        for (monomial, coefficient) in &self.0 {
            all[monomial.exponent(0) as usize] = coefficient.clone();
        }
        trim_zeros(all)
    }

    fn from_dense_coefficients(coefficients: Vec<BigInt>) -> Polynomial {
        let terms = coefficients.into_iter().enumerate();
        Polynomial::from_terms(terms.map(|(e, c)| (vec![e as u32], c)))
    }

    /// The greatest common divisor of the coefficients.
    fn content(&self) -> BigInt {
        self.0.values().fold(BigInt::zero(), |g, c| g.gcd(c))
    }

    /// Divides by an integer and by powers of variables; they must divide the polynomial.
    fn divide_by(&self, by: &BigInt, powers: &[u32]) -> Polynomial {
        let down = |(monomial, c): (&Monomial, &BigInt)| {
            let exponents = (monomial.0.iter().enumerate())
                .map(|(i, e)| e - powers.get(i).copied().unwrap_or(0));
            (exponents.collect(), c / by)
        };
        Polynomial::from_terms(self.0.iter().map(down))
    }
}

impl Add for &Polynomial {
    type Output = Polynomial;

    fn add(self, other: &Polynomial) -> Polynomial {
        let mut sum = self.clone();
        for (monomial, c) in &other.0 {
            sum.add_term(monomial.clone(), c.clone());
        }
        sum
    }
}

impl Neg for &Polynomial {
    type Output = Polynomial;

    fn neg(self) -> Polynomial {
        Polynomial(ordered(
            (self.0.iter()).map(|(monomial, c)| (monomial.clone(), -c)),
        ))
    }
}

impl Sub for &Polynomial {
    type Output = Polynomial;

    fn sub(self, other: &Polynomial) -> Polynomial {
        self + &-other
    }
}

impl Mul for &Polynomial {
    type Output = Polynomial;

    /// Cost: one product of coefficients for every pair of terms.
    fn mul(self, other: &Polynomial) -> Polynomial {
        spend(8 * self.0.len() as u64 * other.0.len() as u64);
        let mut product = Polynomial::zero();
        for (a, c) in &self.0 {
            for (b, d) in &other.0 {
                product.add_term(a.times(b), c * d);
            }
        }
        product
    }
}

/// Writes the terms by increasing degree. A single variable is called p; several variables are
/// called p1, p2, and so on.
impl fmt::Display for Polynomial {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        PaddedPolynomial {
            polynomial: self,
            variables: self.variables(),
        }
        .fmt(f)
    }
}

/// A polynomial to be printed together with others, which may have more variables.
struct PaddedPolynomial<'a> {
    polynomial: &'a Polynomial,
    variables: usize,
}

impl fmt::Display for PaddedPolynomial<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.polynomial.is_zero() {
            return f.write_str("0");
        }
        for (i, (monomial, c)) in self.polynomial.0.iter().enumerate() {
            match (i, c.is_negative()) {
                (0, false) => {}
                (0, true) => f.write_str("-")?,
                (_, false) => f.write_str(" + ")?,
                (_, true) => f.write_str(" - ")?,
            }
            let mut factors = Vec::new();
            if monomial.0.is_empty() || !c.magnitude().is_one() {
                factors.push(c.magnitude().to_string());
            }
            for (index, e) in monomial.0.iter().enumerate().filter(|(_, e)| **e > 0) {
                let name = match self.variables {
                    0 | 1 => "p".to_string(),
                    _ => format!("p{}", index + 1),
                };
                factors.push(match e {
                    1 => name,
                    e => format!("{name}^{e}"),
                });
            }
            f.write_str(&factors.join("*"))?;
        }
        Ok(())
    }
}

fn trim_zeros(mut coefficients: Vec<BigInt>) -> Vec<BigInt> {
    while coefficients.last().is_some_and(Zero::is_zero) {
        coefficients.pop();
    }
    coefficients
}

/// Divides by the greatest common divisor of the coefficients.
fn primitive_part(mut a: Vec<BigInt>) -> Vec<BigInt> {
    let content = a.iter().fold(BigInt::zero(), |g, c| g.gcd(c));
    if !content.is_zero() && !content.is_one() {
        a.iter_mut().for_each(|c| *c /= &content);
    }
    a
}

/// Subtracts multiples of b from a constant multiple of a until the degree is below the degree of
/// b.
fn remainder(mut a: Vec<BigInt>, b: &[BigInt]) -> Vec<BigInt> {
    let lead = b.last().expect("not 0");
    while a.len() >= b.len() {
        let (top, shift) = (a.last().expect("not 0").clone(), a.len() - b.len());
        let g = top.gcd(lead);
        let (up, times) = (lead / &g, top / g);
        a.iter_mut().for_each(|c| *c *= &up);
        for (c, d) in a[shift..].iter_mut().zip(b) {
            *c -= &times * d;
        }
        spend(16 * a.len() as u64);
        a = trim_zeros(a);
    }
    a
}

/// The primitive greatest common divisor of two nonzero polynomials in one variable.
fn gcd(a: Vec<BigInt>, b: Vec<BigInt>) -> Vec<BigInt> {
    let (mut a, mut b) = (primitive_part(a), primitive_part(b));
    while !b.is_empty() {
        let rest = primitive_part(remainder(a, &b));
        a = std::mem::replace(&mut b, rest);
    }
    a
}

/// a / b for a primitive divisor b.
fn quotient(mut a: Vec<BigInt>, b: &[BigInt]) -> Vec<BigInt> {
    let lead = b.last().expect("not 0");
    let mut result = vec![BigInt::zero(); (a.len() + 1).saturating_sub(b.len())];
    while a.len() >= b.len() {
        let shift = a.len() - b.len();
        let times = a.last().expect("not 0") / lead;
        for (c, d) in a[shift..].iter_mut().zip(b) {
            *c -= &times * d;
        }
        result[shift] = times;
        a = trim_zeros(a);
    }
    debug_assert!(a.is_empty(), "it divides");
    result
}

/// A quotient of two polynomials.
///
/// ```
/// use flipcost_number::{Polynomial, RationalFunction};
/// let p = Polynomial::variable(0);
/// let q = &Polynomial::one() - &p;
/// let cost = RationalFunction::new(Polynomial::constant(2), &(&p * &q) * &Polynomial::constant(2));
/// assert_eq!(cost.to_string(), "1/(p - p^2)");
/// let third = flipcost_number::Rational::new(1.into(), 3.into());
/// assert_eq!(cost.evaluate(&[third]).unwrap().to_string(), "9/2");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RationalFunction {
    numerator: Polynomial,
    denominator: Polynomial,
}

impl RationalFunction {
    /// Creates the quotient of two polynomials. Cost: for one variable, a greatest common divisor,
    /// which takes about d^2 products of coefficients for degree d.
    ///
    /// # Panics
    /// If the denominator is 0.
    pub fn new(numerator: Polynomial, denominator: Polynomial) -> RationalFunction {
        assert!(!denominator.is_zero(), "a denominator is not 0");
        if numerator.is_zero() {
            return Polynomial::zero().into();
        }
        let variables = numerator.variables().max(denominator.variables());
        let (mut a, mut b) = (numerator, denominator);
        if variables == 1 && b.as_constant().is_none() {
            let (x, y) = (a.dense_coefficients(), b.dense_coefficients());
            let common = gcd(x.clone(), y.clone());
            if common.len() > 1 {
                a = Polynomial::from_dense_coefficients(quotient(x, &common));
                b = Polynomial::from_dense_coefficients(quotient(y, &common));
            }
        }
        let lowest = |i: usize| {
            let all = a.0.keys().chain(b.0.keys());
            all.map(|monomial| monomial.exponent(i)).min().unwrap_or(0)
        };
        let powers: Vec<u32> = (0..variables).map(lowest).collect();
        let mut content = a.content().gcd(&b.content());
        if b.0.values().next().is_some_and(Signed::is_negative) {
            content = -content;
        }
        if !content.is_one() || powers.iter().any(|e| *e > 0) {
            a = a.divide_by(&content, &powers);
            b = b.divide_by(&content, &powers);
        }
        RationalFunction {
            numerator: a,
            denominator: b,
        }
    }

    /// The numerator.
    pub fn numerator(&self) -> &Polynomial {
        &self.numerator
    }

    /// The denominator.
    pub fn denominator(&self) -> &Polynomial {
        &self.denominator
    }

    /// Whether the function is 0.
    pub fn is_zero(&self) -> bool {
        self.numerator.is_zero()
    }

    /// Checks whether two quotients are the same function.
    pub fn is(&self, other: &RationalFunction) -> bool {
        &self.numerator * &other.denominator == &other.numerator * &self.denominator
    }

    /// Computes the value of the function for these values of the variables; `None` at a pole.
    pub fn evaluate(&self, values: &[Rational]) -> Option<Rational> {
        let below = self.denominator.evaluate(values);
        (!below.is_zero()).then(|| self.numerator.evaluate(values) / below)
    }

    /// The reciprocal.
    ///
    /// # Panics
    /// If the function is 0.
    pub fn inverse(&self) -> RationalFunction {
        RationalFunction::new(self.denominator.clone(), self.numerator.clone())
    }
}

impl From<Polynomial> for RationalFunction {
    fn from(numerator: Polynomial) -> RationalFunction {
        RationalFunction {
            numerator,
            denominator: Polynomial::one(),
        }
    }
}

impl From<&Rational> for RationalFunction {
    fn from(value: &Rational) -> RationalFunction {
        let part = |part: &BigInt| Polynomial::constant(part.clone());
        RationalFunction::new(part(value.numer()), part(value.denom()))
    }
}

impl Add for &RationalFunction {
    type Output = RationalFunction;

    fn add(self, other: &RationalFunction) -> RationalFunction {
        let (a, b) = (&self.denominator, &other.denominator);
        if a == b {
            return if a.as_constant().is_some_and(|a| a.is_one()) {
                (&self.numerator + &other.numerator).into()
            } else {
                RationalFunction::new(&self.numerator + &other.numerator, a.clone())
            };
        }
        let sum = &(&self.numerator * b) + &(&other.numerator * a);
        RationalFunction::new(sum, a * b)
    }
}

impl Neg for &RationalFunction {
    type Output = RationalFunction;

    fn neg(self) -> RationalFunction {
        RationalFunction {
            numerator: -&self.numerator,
            denominator: self.denominator.clone(),
        }
    }
}

impl Sub for &RationalFunction {
    type Output = RationalFunction;

    fn sub(self, other: &RationalFunction) -> RationalFunction {
        self + &-other
    }
}

impl Mul for &RationalFunction {
    type Output = RationalFunction;

    fn mul(self, other: &RationalFunction) -> RationalFunction {
        RationalFunction::new(
            &self.numerator * &other.numerator,
            &self.denominator * &other.denominator,
        )
    }
}

/// Writes the quotient as `1/(p - p^2)`, a form that computer algebra systems accept.
impl fmt::Display for RationalFunction {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let variables = self.numerator.variables().max(self.denominator.variables());
        let written = |polynomial: &Polynomial, is_atom: fn(&str) -> bool| {
            let text = PaddedPolynomial {
                polynomial,
                variables,
            }
            .to_string();
            if is_atom(&text) {
                text
            } else {
                format!("({text})")
            }
        };
        let whole = self.denominator == Polynomial::one();
        if whole {
            return f.write_str(&written(&self.numerator, |_| true));
        }
        let above = written(&self.numerator, |text| !text.contains(' '));
        let below = written(&self.denominator, |text| !text.contains([' ', '*']));
        write!(f, "{above}/{below}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn polynomials() -> impl Strategy<Value = Polynomial> {
        prop::collection::vec(-6i64..7, 0..5).prop_map(|all| {
            Polynomial::from_dense_coefficients(all.into_iter().map(BigInt::from).collect())
        })
    }

    fn polynomials_in_several_variables() -> impl Strategy<Value = Polynomial> {
        let term = (prop::collection::vec(0u32..3, 3), -4i64..5);
        prop::collection::vec(term, 0..5)
            .prop_map(|terms| Polynomial::from_terms(terms.into_iter().map(|(e, c)| (e, c.into()))))
    }

    fn ratio(p: i64, q: i64) -> Rational {
        Rational::new(p.into(), q.into())
    }

    proptest! {
        /// A common factor of numerator and denominator is cancelled, and the value stays the same.
        #[test]
        fn equal_functions_are_equal_values(
            (a, b, c) in (polynomials(), polynomials(), polynomials()), x in -9i64..9,
        ) {
            prop_assume!(!b.is_zero() && !c.is_zero());
            let reduced = RationalFunction::new(a.clone(), b.clone());
            prop_assert_eq!(&reduced, &RationalFunction::new(&a * &c, &b * &c));
            let x = [ratio(x, 7)];
            if let Some(value) = reduced.evaluate(&x) {
                prop_assert_eq!(value * b.evaluate(&x), a.evaluate(&x));
            }
        }

        /// The values of sums, products and powers are the sums, products and powers of the values.
        /// A function of several variables equals itself with numerator and denominator multiplied
        /// by a factor.
        #[test]
        fn evaluation_commutes_with_arithmetic((a, b) in (polynomials_in_several_variables(), polynomials_in_several_variables()), c in polynomials_in_several_variables()) {
            let x = [ratio(2, 3), ratio(-1, 5), ratio(7, 2)];
            prop_assert_eq!((&a + &b).evaluate(&x), a.evaluate(&x) + b.evaluate(&x));
            prop_assert_eq!((&a * &b).evaluate(&x), a.evaluate(&x) * b.evaluate(&x));
            prop_assert_eq!(a.power(3).evaluate(&x), num_traits::pow(a.evaluate(&x), 3));
            prop_assume!(!b.is_zero() && !c.is_zero());
            let f = RationalFunction::new(a.clone(), b.clone());
            prop_assert!(f.is(&RationalFunction::new(&a * &c, &b * &c)));
            prop_assert!((&f - &f).is_zero());
            let sum = &f + &RationalFunction::from(c.clone());
            if let (Some(f), Some(sum)) = (f.evaluate(&x), sum.evaluate(&x)) {
                prop_assert_eq!(sum, f + c.evaluate(&x));
            }
        }

        /// If the variables sum to 1, homogenising a polynomial keeps its values.
        #[test]
        fn homogenising_keeps_the_values(a in polynomials_in_several_variables()) {
            let x = [ratio(1, 2), ratio(1, 3), ratio(1, 6)];
            let lifted = a.homogenised(9, 3);
            prop_assert!(lifted.terms().all(|(e, _)| e.iter().sum::<u32>() == 9));
            prop_assert_eq!(lifted.evaluate(&x), a.evaluate(&x));
        }
    }

    #[test]
    fn equal_functions_print_alike() {
        let of = |all: &[i64]| {
            Polynomial::from_dense_coefficients(all.iter().map(|c| BigInt::from(*c)).collect())
        };
        let written = |a: &[i64], b: &[i64]| RationalFunction::new(of(a), of(b)).to_string();
        assert_eq!(written(&[2], &[0, 2, -2]), "1/(p - p^2)");
        assert_eq!(written(&[-1], &[0, -2]), "1/(2*p)");
        assert_eq!(written(&[0, 3, 1], &[5]), "(3*p + p^2)/5");
        assert_eq!(written(&[1, -1], &[1, 0, -1]), "1/(1 + p)");
        assert_eq!(written(&[0], &[7, 1]), "0");
        assert_eq!(written(&[0, -4], &[2]), "-2*p");
        assert_eq!(written(&[0, -4], &[3]), "-4*p/3");
        let [a, b] = [0, 1].map(Polynomial::variable);
        let pairs = &(&a * &b) * &Polynomial::constant(2);
        let cost = RationalFunction::new(Polynomial::constant(2), pairs);
        assert_eq!(cost.to_string(), "1/(p1*p2)");
        let alone = RationalFunction::new(b, &Polynomial::one() + &a);
        assert_eq!(alone.to_string(), "p2/(1 + p1)");
    }
}
