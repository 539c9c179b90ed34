//! Evaluates expressions with real numbers: the operations of rationals, and also `e`, `pi` and the
//! [`FUNCTIONS`].
//!
//! A part of an expression is exact as long as it contains only rational operations. Everything
//! else becomes a list of steps on enclosures, which is evaluated once for each requested
//! precision: the value is a [`Real`]. The signs of divisors and of the arguments of logarithms and
//! square roots come from enclosures of up to 8192 bits; if an enclosure still contains 0, the
//! operation is refused.
//!
//! **Bounds.** A number has at most 2^16 bits before its point, an exponent is at most 1000, and
//! rational parts have their own limits (`RATIONAL_PARTS`). All passes together, for the value
//! and for the signs, take at most 10,000 steps. A sum, product or quotient of enclosures is one
//! step, a power one step for each of its products, a square root 10 steps, and a logarithm, `exp`
//! or `erf` 100 steps.

use super::e_pi::{e, pi};
use super::enclosure::{self, Enclosure};
use super::exponential::{erf, exp};
use super::near::nearest;
use super::rationals::{Limits, Rationals};
use super::real::Real;
use super::{BigInt, Rational};
use crate::grammar::{Algebra, AlgebraError, Expr, ExpressionError, Literal, Operator, Vocabulary};
use num_traits::{One, Pow, Signed, ToPrimitive, Zero};
use std::cmp::Ordering;

/// The names of the functions. `round(x, places)` takes two arguments, all others take one.
pub const FUNCTIONS: &[&str] = &["sqrt", "ln", "log2", "exp", "erf", "round"];

/// The maximum number of bits of a number before its point.
pub(crate) const MAX_WHOLE_BITS: u64 = 1 << 16;

/// The largest exponent for a base that is not rational.
pub(crate) const MAX_EXPONENT: u32 = 1000;

/// The limits on rational parts of an expression.
pub(crate) const RATIONAL_PARTS: Limits = Limits {
    bits: MAX_WHOLE_BITS,
    steps: 1 << 24,
};

/// The maximum number of steps on enclosures, over all passes that an expression needs.
pub(crate) const MAX_STEPS: u64 = 10_000;

/// The number of bits to which the value of a name is enclosed at first. This is enough to round
/// most values to a double, and logarithms and means of small dice then fit in machine words.
const FIRST_BITS: u64 = 60;

/// The precisions, in bits after the point, that are tried in this order to find the sign of a
/// part.
const SIGN_BITS: [u64; 3] = [256, 1024, 8192];

/// The algebra of real numbers, with names that have values.
pub(crate) struct Reals<'a> {
    names: &'a [(&'a str, Real)],
    rationals: Rationals,
    /// The steps in postfix order.
    code: Vec<RealOp>,
    /// The number of steps of all passes so far.
    steps: u64,
    /// The maximum number of bits before the point of any part.
    largest: u64,
}

/// A part of an expression: an exact value, or the steps from `first` to the last recorded one.
pub(crate) struct RealTerm {
    first: usize,
    exact: Option<Rational>,
    /// An interval that contains the value; it excludes 0 if the value is known to be nonzero.
    near: Enclosure,
}

enum RealOp {
    Exact(Rational),
    Named(Real),
    E,
    Pi,
    Plus,
    Minus,
    Times,
    Over,
    Negate,
    Power(u32),
    Inverse,
    Sqrt,
    Ln,
    Log2,
    Exp,
    Erf,
}

impl RealOp {
    /// The cost of the operation, in units of a sum.
    fn weight(&self) -> u64 {
        match self {
            RealOp::Power(exponent) => u64::from(2 * (32 - exponent.leading_zeros())),
            RealOp::Sqrt | RealOp::Named(_) => 10,
            RealOp::Ln | RealOp::Log2 | RealOp::Exp | RealOp::Erf => 100,
            _ => 1,
        }
    }
}

/// Computes the real value of an expression in which these names have values, besides e and pi. The
/// result is exact if the expression contains only rational operations.
///
/// # Errors
/// For names, functions and operators that reals do not have; divisors of 0, roots and logarithms
/// of invalid arguments; signs that cannot be decided; and results that exceed a bound.
pub fn real_value(
    expr: &Expr,
    words: &'static Vocabulary,
    names: &[(&str, Real)],
) -> Result<Real, ExpressionError> {
    let mut reals = Reals::new(words, names);
    let term = expr.evaluate(&mut reals)?;
    Ok(real_from_steps(reals.code, term, reals.largest))
}

/// The value of a number as it is written.
///
/// # Errors
/// If the number is too long.
pub fn literal_value(
    number: Literal<'_>,
    words: &'static Vocabulary,
    at: usize,
) -> Result<Rational, AlgebraError> {
    Rationals::new(words, RATIONAL_PARTS).number(number, at)
}

impl<'a> Reals<'a> {
    /// Creates the algebra in which these names have values, besides e and pi.
    pub fn new(words: &'static Vocabulary, names: &'a [(&'a str, Real)]) -> Self {
        Reals {
            names,
            rationals: Rationals::new(words, RATIONAL_PARTS),
            code: Vec::new(),
            steps: 0,
            largest: 0,
        }
    }

    /// The number of steps of all passes so far.
    #[cfg(test)]
    fn steps(&self) -> u64 {
        self.steps
    }

    fn count_steps(&mut self, steps: u64, at: usize) -> Result<(), AlgebraError> {
        self.steps = self.steps.saturating_add(steps);
        if self.steps <= MAX_STEPS {
            Ok(())
        } else {
            let what = format!("the work would take more than {MAX_STEPS} steps on enclosures");
            Err(AlgebraError::new(at, what))
        }
    }

    /// Fails if a number has more bits before its point than allowed.
    fn check_whole_bits(&mut self, bits: u64, at: usize) -> Result<(), AlgebraError> {
        self.largest = self.largest.max(bits);
        if bits <= MAX_WHOLE_BITS {
            Ok(())
        } else {
            let what =
                format!("the number would have more than {MAX_WHOLE_BITS} bits before its point");
            Err(AlgebraError::new(at, what))
        }
    }

    fn push_exact(&mut self, value: Rational, first: usize) -> RealTerm {
        self.code.truncate(first);
        // With this many bits, the enclosure of a nonzero number does not contain 0.
        let near = Enclosure::of_rational(&value, 64 + value.denom().bits());
        self.code.push(RealOp::Exact(value.clone()));
        self.largest = self.largest.max(whole_bits(&near));
        RealTerm {
            first,
            exact: Some(value),
            near,
        }
    }

    fn push_enclosed(
        &mut self,
        step: RealOp,
        near: Enclosure,
        first: usize,
        at: usize,
    ) -> Result<RealTerm, AlgebraError> {
        self.count_steps(step.weight(), at)?;
        self.check_whole_bits(whole_bits(&near), at)?;
        self.code.push(step);
        Ok(RealTerm {
            first,
            exact: None,
            near,
        })
    }

    /// Finds the sign of `term`, the last part, which must not be 0. Afterwards `term.near`
    /// excludes 0.
    fn decide_sign(
        &mut self,
        term: &mut RealTerm,
        at: usize,
        what: &str,
    ) -> Result<Ordering, AlgebraError> {
        if let Some(exact) = &term.exact {
            return match exact.cmp(&Rational::zero()) {
                Ordering::Equal => Err(AlgebraError::new(at, format!("{what} cannot be 0"))),
                order => Ok(order),
            };
        }
        let mut more = SIGN_BITS.into_iter();
        loop {
            if term.near.low.is_positive() {
                return Ok(Ordering::Greater);
            }
            if term.near.high.is_negative() {
                return Ok(Ordering::Less);
            }
            let Some(bits) = more.next() else {
                return Err(AlgebraError::new(
                    at,
                    format!("{what} cannot be distinguished from 0"),
                ));
            };
            let weight = self.code[term.first..].iter().map(RealOp::weight).sum();
            self.count_steps(weight, at)?;
            if let Some(near) = enclose_steps(&self.code[term.first..], bits) {
                term.near = near;
            }
        }
    }

    fn sqrt(&mut self, mut x: RealTerm, at: usize) -> Result<RealTerm, AlgebraError> {
        let below = || {
            Err(AlgebraError::new(
                at,
                "a square root can be taken only of 0 or more",
            ))
        };
        if let Some(exact) = &x.exact {
            if exact.is_negative() {
                return below();
            }
            let root = |part: &BigInt| {
                let root = part.magnitude().sqrt();
                (&root * &root == *part.magnitude()).then(|| BigInt::from(root))
            };
            if let (Some(top), Some(bottom)) = (root(exact.numer()), root(exact.denom())) {
                return Ok(self.push_exact(Rational::new_raw(top, bottom), x.first));
            }
        } else if self.decide_sign(&mut x, at, "the number under a square root")? == Ordering::Less
        {
            return below();
        }
        let near = x.near.sqrt().expect("it is above 0");
        self.push_enclosed(RealOp::Sqrt, near, x.first, at)
    }

    fn ln(&mut self, mut x: RealTerm, step: RealOp, at: usize) -> Result<RealTerm, AlgebraError> {
        if self.decide_sign(&mut x, at, "the argument of a logarithm")? == Ordering::Less {
            let what = "a logarithm can be taken only of a number above 0";
            return Err(AlgebraError::new(at, what));
        }
        if x.exact.as_ref().is_some_and(One::is_one) {
            return Ok(self.push_exact(Rational::zero(), x.first));
        }
        if let (RealOp::Log2, Some(exact)) = (&step, &x.exact) {
            if let Some(log) = exact_log2(exact) {
                return Ok(self.push_exact(log, x.first));
            }
            if exact.is_integer() {
                self.code.truncate(x.first);
                let log = Real::log(exact.numer().magnitude().clone(), 2);
                return self.push_named(log, x.first, at);
            }
        }
        let near = ln(&x.near, 64).expect("it is above 0");
        let near = match step {
            RealOp::Log2 => near.over(&ln2(64)).expect("ln 2 is not 0"),
            _ => near,
        };
        self.push_enclosed(step, near, x.first, at)
    }

    fn exp(&mut self, x: RealTerm, at: usize) -> Result<RealTerm, AlgebraError> {
        if x.exact.as_ref().is_some_and(Zero::is_zero) {
            return Ok(self.push_exact(Rational::one(), x.first));
        }
        // e^x has at most 3x/2 + 1 bits before its point
        let top = (&x.near.high >> x.near.bits).to_u64().unwrap_or_else(|| {
            if x.near.high.is_negative() {
                0
            } else {
                u64::MAX
            }
        });
        self.check_whole_bits(top.saturating_add(top / 2 + 1), at)?;
        self.push_enclosed(RealOp::Exp, exp(&x.near.clone().coarsen(64)), x.first, at)
    }

    fn erf(&mut self, x: RealTerm, at: usize) -> Result<RealTerm, AlgebraError> {
        if x.exact.as_ref().is_some_and(Zero::is_zero) {
            Ok(self.push_exact(Rational::zero(), x.first))
        } else {
            self.push_enclosed(RealOp::Erf, erf(&x.near.clone().coarsen(64)), x.first, at)
        }
    }

    /// Rounds a number correctly to this many decimals.
    fn round(
        &mut self,
        x: RealTerm,
        places: RealTerm,
        at: usize,
    ) -> Result<RealTerm, AlgebraError> {
        self.code.truncate(places.first);
        let whole = places.exact.filter(Rational::is_integer);
        let whole = whole.and_then(|value| value.to_integer().to_u32());
        let Some(places) = whole.filter(|places| *places <= MAX_EXPONENT) else {
            let what = format!("a number is rounded to 0 to {MAX_EXPONENT} places");
            return Err(AlgebraError::new(at, what));
        };
        let first = x.first;
        let real = real_from_steps(self.code.split_off(first), x, self.largest);
        let decimal = real.decimal(places);
        let decimal = decimal.map_err(|error| AlgebraError::new(at, error))?;
        let unit = BigInt::from(10u8).pow(places);
        Ok(self.push_exact(Rational::new(decimal.units(), unit), first))
    }

    fn push_named(
        &mut self,
        value: Real,
        first: usize,
        at: usize,
    ) -> Result<RealTerm, AlgebraError> {
        let near = value.enclose(FIRST_BITS);
        self.push_enclosed(RealOp::Named(value), near, first, at)
    }

    fn unknown_name_error(&self, name: &str, at: usize) -> AlgebraError {
        let names = self.names.iter().map(|(name, _)| *name);
        AlgebraError::new(at, only_names(name, names))
    }

    fn power(&mut self, x: RealTerm, y: RealTerm, at: usize) -> Result<RealTerm, AlgebraError> {
        let whole = y.exact.filter(Rational::is_integer);
        let exponent = whole.and_then(|value| value.to_integer().to_i32());
        let Some(exponent) = exponent.filter(|e| e.unsigned_abs() <= MAX_EXPONENT) else {
            let what = format!("an exponent is an integer from -{MAX_EXPONENT} to {MAX_EXPONENT}");
            return Err(AlgebraError::new(at, what));
        };
        if exponent == 0 {
            return Ok(self.push_exact(Rational::one(), x.first));
        }
        self.code.truncate(y.first);
        let x = if exponent < 0 {
            self.inverse(x, at)?
        } else {
            x
        };
        let exponent = exponent.unsigned_abs();
        self.check_whole_bits(whole_bits(&x.near) * u64::from(exponent), at)?;
        let near = integer_power(&x.near, exponent);
        self.push_enclosed(RealOp::Power(exponent), near, x.first, at)
    }

    fn inverse(&mut self, mut x: RealTerm, at: usize) -> Result<RealTerm, AlgebraError> {
        self.decide_sign(&mut x, at, "the base of a negative exponent")?;
        let near = enclosed_one(x.near.bits)
            .over(&x.near)
            .expect("it is not 0");
        self.push_enclosed(RealOp::Inverse, near, x.first, at)
    }
}

impl Algebra for Reals<'_> {
    type Value = RealTerm;

    fn words(&self) -> &'static Vocabulary {
        self.rationals.words()
    }

    fn number(&mut self, number: Literal<'_>, at: usize) -> Result<RealTerm, AlgebraError> {
        let value = self.rationals.number(number, at)?;
        Ok(self.push_exact(value, self.code.len()))
    }

    fn name(&mut self, name: &str, at: usize) -> Result<RealTerm, AlgebraError> {
        let first = self.code.len();
        if let Some((_, value)) = self.names.iter().find(|(known, _)| *known == name) {
            return match value {
                Real::Exact(value) => Ok(self.push_exact(value.clone(), first)),
                value => self.push_named(value.clone(), first, at),
            };
        }
        match name {
            "e" => self.push_enclosed(RealOp::E, e(64), first, at),
            "pi" => self.push_enclosed(RealOp::Pi, pi(64), first, at),
            _ => match self.rationals.name(name, at) {
                Ok(value) => Ok(self.push_exact(value, first)),
                Err(_) => Err(self.unknown_name_error(name, at)),
            },
        }
    }

    fn call(
        &mut self,
        name: &str,
        mut given: Vec<RealTerm>,
        at: usize,
    ) -> Result<RealTerm, AlgebraError> {
        let (x, alone) = (given.pop(), given.is_empty());
        match (name, x) {
            ("sqrt", Some(x)) if alone => self.sqrt(x, at),
            ("ln", Some(x)) if alone => self.ln(x, RealOp::Ln, at),
            ("log2", Some(x)) if alone => self.ln(x, RealOp::Log2, at),
            ("exp", Some(x)) if alone => self.exp(x, at),
            ("erf", Some(x)) if alone => self.erf(x, at),
            ("round", Some(places)) if given.len() == 1 => {
                let x = given.remove(0);
                self.round(x, places, at)
            }
            ("round", _) => {
                let what = "round takes a number and its places, as in round(pi, 4)";
                Err(AlgebraError::new(at, what))
            }
            _ if FUNCTIONS.contains(&name) => {
                Err(AlgebraError::new(at, format!("{name} takes one number")))
            }
            _ if name == "e" || name == "pi" || self.names.iter().any(|(n, _)| *n == name) => Err(
                AlgebraError::new(at, format!("{name} is a number, not a function")),
            ),
            _ => Err(self.unknown_name_error(name, at)),
        }
    }

    fn negate(&mut self, x: RealTerm, at: usize) -> Result<RealTerm, AlgebraError> {
        match x.exact {
            Some(value) => Ok(self.push_exact(-value, x.first)),
            None => self.push_enclosed(RealOp::Negate, x.near.negated(), x.first, at),
        }
    }

    fn factorial(&mut self, x: RealTerm, at: usize) -> Result<RealTerm, AlgebraError> {
        match x.exact {
            Some(value) => {
                let value = self.rationals.factorial(value, at)?;
                Ok(self.push_exact(value, x.first))
            }
            None => Err(AlgebraError::new(
                at,
                "a factorial can be taken only of whole numbers",
            )),
        }
    }

    fn binary(
        &mut self,
        operator: Operator,
        x: RealTerm,
        mut y: RealTerm,
        at: usize,
    ) -> Result<RealTerm, AlgebraError> {
        if let (Some(a), Some(b)) = (&x.exact, &y.exact) {
            let value = self.rationals.binary(operator, a.clone(), b.clone(), at)?;
            return Ok(self.push_exact(value, x.first));
        }
        let (step, near) = match operator {
            Operator::Plus => (RealOp::Plus, x.near.plus(&y.near)),
            Operator::Minus => (RealOp::Minus, x.near.minus(&y.near)),
            Operator::Times => {
                self.check_whole_bits(whole_bits(&x.near) + whole_bits(&y.near), at)?;
                (RealOp::Times, x.near.times(&y.near))
            }
            Operator::Over => {
                self.decide_sign(&mut y, at, "a divisor")?;
                (RealOp::Over, x.near.over(&y.near).expect("it is not 0"))
            }
            Operator::Power => return self.power(x, y, at),
            _ => return Err(self.words().no_operator(at)),
        };
        self.push_enclosed(step, near, x.first, at)
    }
}

/// Returns the message about an unknown name: it suggests the nearest known name, or lists all
/// known names. The known names are `names`, e, pi and the functions.
pub fn only_names<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> String {
    let all = names.chain(["e", "pi"]).map(str::to_string);
    let all: Vec<String> = all
        .chain(FUNCTIONS.iter().map(|f| format!("{f}()")))
        .collect();
    if let Some(near) = nearest(name, all.iter().map(String::as_str)) {
        return format!("{name} has no value here: did you mean {near}?");
    }
    let (last, others) = all.split_last().expect("there are functions");
    format!("only {} and {last} have names here", others.join(", "))
}

/// Creates the real number that the steps compute; `largest` bounds the bits before the point of
/// any part.
fn real_from_steps(code: Vec<RealOp>, term: RealTerm, largest: u64) -> Real {
    match term.exact {
        Some(exact) => Real::Exact(exact),
        None => Real::enclosed(move |bits| {
            if term.near.is_within(bits) {
                return term.near.clone();
            }
            let mut work = bits + 16 + largest;
            loop {
                match enclose_steps(&code, work).filter(|value| value.is_within(bits)) {
                    Some(value) => return value,
                    None => work += 16 + work / 4,
                }
            }
        }),
    }
}

/// Computes log2 of a positive fraction if it is rational: numerator and denominator must be powers
/// of 2.
fn exact_log2(x: &Rational) -> Option<Rational> {
    let log = |part: &BigInt| {
        let zeros = part.trailing_zeros()?;
        (part.bits() == zeros + 1).then(|| BigInt::from(zeros))
    };
    Some(Rational::from(log(x.numer())? - log(x.denom())?))
}

/// Returns the number of bits before the point, for the end with the larger absolute value.
fn whole_bits(x: &Enclosure) -> u64 {
    x.low.bits().max(x.high.bits()).saturating_sub(x.bits)
}

fn enclosed_one(bits: u64) -> Enclosure {
    Enclosure::of_rational(&Rational::one(), bits)
}

/// Computes x^exponent for an exponent of at least 1, by the binary digits of the exponent.
fn integer_power(x: &Enclosure, exponent: u32) -> Enclosure {
    let mut power = x.clone();
    for bit in (0..exponent.ilog2()).rev() {
        power = power.times(&power);
        if exponent >> bit & 1 == 1 {
            power = power.times(x);
        }
    }
    power
}

fn ln2(bits: u64) -> Enclosure {
    enclosure::ln(&Rational::from(BigInt::from(2)), bits)
}

/// Encloses ln x; `None` if the interval contains numbers that have no logarithm.
fn ln(x: &Enclosure, bits: u64) -> Option<Enclosure> {
    let end = |end: &BigInt| {
        let end = Rational::new_raw(end.clone(), Pow::pow(BigInt::from(2), x.bits));
        end.is_positive().then(|| enclosure::ln(&end, bits))
    };
    let (low, high) = (end(&x.low)?, end(&x.high)?);
    let (low, high) = (low.coarsen(bits + 8), high.coarsen(bits + 8));
    Some(Enclosure {
        low: low.low,
        high: high.high,
        bits: bits + 8,
    })
}

/// Runs all steps once, with every part enclosed to this many bits, and returns an enclosure of the
/// value. The width of the result is not guaranteed; `None` means that more bits are needed.
fn enclose_steps(code: &[RealOp], bits: u64) -> Option<Enclosure> {
    let (mut e_kept, mut pi_kept) = (None, None);
    let mut stack: Vec<Enclosure> = Vec::new();
    for step in code {
        let value = match step {
            RealOp::Exact(value) => Enclosure::of_rational(value, bits),
            RealOp::Named(value) => value.enclose(bits),
            RealOp::E => e_kept.get_or_insert_with(|| e(bits)).clone(),
            RealOp::Pi => pi_kept.get_or_insert_with(|| pi(bits)).clone(),
            RealOp::Negate => stack.pop()?.negated(),
            RealOp::Power(exponent) => integer_power(&stack.pop()?, *exponent),
            RealOp::Inverse => enclosed_one(bits).over(&stack.pop()?)?,
            RealOp::Sqrt => stack.pop()?.sqrt()?,
            RealOp::Ln => ln(&stack.pop()?, bits)?,
            RealOp::Log2 => ln(&stack.pop()?, bits)?.over(&ln2(bits))?,
            RealOp::Exp => exp(&stack.pop()?),
            RealOp::Erf => erf(&stack.pop()?),
            RealOp::Plus | RealOp::Minus | RealOp::Times | RealOp::Over => {
                let y = stack.pop()?;
                let x = stack.pop()?;
                match step {
                    RealOp::Plus => x.plus(&y),
                    RealOp::Minus => x.minus(&y),
                    RealOp::Times => x.times(&y),
                    _ => x.over(&y)?,
                }
            }
        };
        stack.push(value);
    }
    stack.pop()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constant::REAL;
    use crate::grammar::trees::{Tree, numbers, trees};
    use proptest::prelude::*;

    const SIGNS: &[Operator] = &[
        Operator::Plus,
        Operator::Minus,
        Operator::Times,
        Operator::Over,
    ];

    /// Evaluates + - * / over small numbers and names; `None` if a divisor is 0.
    fn value(tree: &Tree, names: &[(&str, Rational)]) -> Option<Rational> {
        Some(match tree {
            Tree::Number(text) => Rational::from(text.parse::<BigInt>().unwrap()),
            Tree::Name(name) => {
                let known = names.iter().find(|(known, _)| known == name);
                known.unwrap().1.clone()
            }
            Tree::Negate(x) => -value(x, names)?,
            Tree::Binary(operator, x, y) => {
                let (x, y) = (value(x, names)?, value(y, names)?);
                match operator {
                    Operator::Plus => x + y,
                    Operator::Minus => x - y,
                    Operator::Times => x * y,
                    _ if y.is_zero() => return None,
                    _ => x / y,
                }
            }
            _ => unreachable!("not among those that are drawn"),
        })
    }

    fn parse(text: &str) -> Expr {
        Expr::parse(text, &REAL).unwrap()
    }

    proptest! {
        /// The names stand for rationals, but the algebra only receives enclosures of them. The
        /// enclosure of the result contains the exact result, and an expression is refused only if
        /// a divisor is 0.
        #[test]
        fn enclosures_contain_the_exact_value(
            tree in trees(
                prop_oneof![numbers("[0-9]{1,2}"), prop::sample::select(&["x", "y"]).prop_map(Tree::Name)],
                SIGNS, false, true, &[],
            ),
            (p, q, r, s) in (-99i64..99, 1i64..99, any::<i64>(), 1i64..),
        ) {
            let known = [
                ("x", Rational::new(p.into(), q.into())),
                ("y", Rational::new(r.into(), s.into())),
            ];
            let hidden = known.clone().map(|(name, value)| {
                (name, Real::enclosed(move |bits| Enclosure::of_rational(&value, bits)))
            });
            let real = real_value(&tree.expr(), &REAL, &hidden);
            match value(&tree, &known) {
                None => prop_assert!(real.is_err()),
                Some(exact) => {
                    let enclosure = real.unwrap().enclose(100);
                    prop_assert!(enclosure.contains(&exact) && enclosure.is_within(100));
                }
            }
        }

        /// (sqrt x)^2 = x, ln(x^k) = k ln x, log2(x) = ln(x)/ln(2).
        #[test]
        fn functions_satisfy_their_identities(p in 1u32..1000, q in 1u32..1000, k in 1u32..100) {
            let x = format!("({p}/{q})");
            for (one, other) in [
                (format!("sqrt{x}^2"), x.clone()),
                (format!("ln(({x}*e/e)^{k})"), format!("{k}*ln{x}")),
                (format!("log2{x}"), format!("ln{x}/ln(2)")),
                (format!("ln(e^{k}*{x})-{k}"), format!("ln{x}")),
            ] {
                let difference = format!("{one} - {other}");
                let zero = real_value(&parse(&difference), &REAL, &[]).unwrap();
                let enclosure = zero.enclose(200);
                prop_assert!(enclosure.is_within(200), "{}", difference);
                prop_assert!(enclosure.contains(&Rational::zero()), "{}", difference);
            }
        }
    }

    #[test]
    fn too_much_work_is_refused() {
        // 10 doublings, and at most 5 more products.
        let mut reals = Reals::new(&REAL, &[]);
        assert!(parse("pi^889").evaluate(&mut reals).is_ok());
        assert!(reals.steps() <= 1 + 20, "{}", reals.steps());
        let logs = |count: usize| vec!["ln(2)-ln(2)"; count].join("+");
        for (text, what) in [
            ("((pi^1000)^1000)^1000", "65536 bits before its point"),
            ("(e^1000)^46*pi^1000", "65536 bits before its point"),
            ("pi^1001", "-1000 to 1000"),
            ("pi^pi", "-1000 to 1000"),
            ("pi*2^65536", "about 65537 bits, and 65536 is the most"),
            ("333352!!*pi", "65536 is the most"),
            ("pi^-1001", "-1000 to 1000"),
            ("(e-e)^-1", "cannot be distinguished from 0"),
            (&logs(60), "10000 steps"),
            (&format!("1/({})", logs(20)), "10000 steps"),
            (
                &format!("1/({})", logs(10)),
                "cannot be distinguished from 0",
            ),
            ("1/(e-e)", "cannot be distinguished from 0"),
            ("pi!", "only of whole numbers"),
            ("tau+e", "round() have names here"),
            ("ln(2, 3)", "takes one number"),
            ("e(1)", "a number, not a function"),
            ("f(1)+e", "have names here"),
            ("e < 3", "one of + -"),
        ] {
            let error = real_value(&parse(text), &REAL, &[]).err().unwrap();
            assert!(error.what().contains(what), "{error}");
        }
    }

    /// To round pi - log2(6) to a double, where pi is a name with a value, the first enclosure of
    /// pi is enough.
    #[test]
    fn a_name_is_enclosed_once_for_a_double() {
        use std::sync::atomic::{AtomicU32, Ordering as Memory};
        static RULE_CALLS: AtomicU32 = AtomicU32::new(0);
        let x = Real::enclosed(|bits| {
            RULE_CALLS.fetch_add(1, Memory::Relaxed);
            pi(bits)
        });
        let value = real_value(&parse("x - log2(6)"), &REAL, &[("x", x)]).unwrap();
        // 3.14159265358979323846 - 2.58496250072115618145 = 0.55663015286863705701
        assert_eq!(value.to_f64().unwrap(), 0.556_630_152_868_637);
        assert_eq!(RULE_CALLS.load(Memory::Relaxed), 1);
        assert_eq!(value.decimals(20).unwrap(), "0.55663015286863705701");
        assert!(RULE_CALLS.load(Memory::Relaxed) > 1);
    }

    #[test]
    fn logarithms_of_powers_of_2_are_exact() {
        for (text, value) in [
            ("log2(8)", Some(3)),
            ("log2(1/2^70)", Some(-70)),
            ("log2(0.25) + 2", Some(0)),
            ("log2(6)", None),
            ("log2(6) - log2(3)", None),
            ("log2(1/3)", None),
            ("ln(8)", None),
        ] {
            let real = real_value(&parse(text), &REAL, &[]).unwrap();
            let value = value.map(|value: i32| Rational::from(BigInt::from(value)));
            assert_eq!(real.exact(), value.as_ref(), "{text}");
        }
    }

    /// Values whose magnitude is far from 1 are computed with more bits.
    #[test]
    fn large_and_small_parts_keep_their_bits() {
        for (text, value) in [
            ("e^1000/e^999 - e", 0),
            ("ln(1/2^60000)/ln(2)", -60000),
            ("sqrt(e/3^2000)*3^1000 - sqrt(e)", 0),
            ("log2(pi^1000)/1000 - log2(pi)", 0),
            ("-(e^-(-9))/e^9", -1),
            ("1/(1/(pi/2^5000)) * 2^5001 / pi", 2),
        ] {
            let real = real_value(&parse(text), &REAL, &[]).unwrap();
            let enclosure = real.enclose(80);
            assert!(enclosure.is_within(80), "{text}");
            let value = Rational::from(BigInt::from(value));
            assert!(enclosure.contains(&value), "{text}");
        }
    }
}
