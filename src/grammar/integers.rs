//! Integers: `+ - * ^ !`, each operation refused before it is done if its result would be too long.

use super::sizes::power;
use super::{
    Algebra, AlgebraError, Expr, ExpressionError, Limits, Literal, Operator, Size, Sizes, Words,
    decimal,
};
use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{One, ToPrimitive};

/// The algebra of integers.
#[derive(Clone, Debug)]
pub struct Integers {
    sizes: Sizes,
}

impl Integers {
    /// Integers within limits.
    pub fn new(words: &'static Words, limits: Limits) -> Self {
        Integers {
            sizes: Sizes::new(words, limits, false),
        }
    }

    /// The value of an expression, which goes through [`Sizes`] first.
    ///
    /// # Errors
    /// Names, functions and signs that integers do not know; negative exponents; factorials beyond
    /// [`LARGEST_FACTORIAL`](super::LARGEST_FACTORIAL); what passes the limits.
    pub fn value(
        expr: &Expr,
        words: &'static Words,
        limits: Limits,
    ) -> Result<BigInt, ExpressionError> {
        let mut integers = Integers::new(words, limits);
        expr.evaluate(&mut integers.sizes.clone())?;
        expr.evaluate(&mut integers)
    }

    /// The steps that were counted so far.
    pub fn steps(&self) -> u64 {
        self.sizes.steps()
    }

    fn checked(&self, value: BigInt, at: usize) -> Result<BigInt, AlgebraError> {
        self.sizes.check(value.bits(), at)?;
        Ok(value)
    }
}

impl Algebra for Integers {
    type Value = BigInt;

    fn words(&self) -> &'static Words {
        self.sizes.words()
    }

    fn number(&mut self, number: Literal<'_>, at: usize) -> Result<BigInt, AlgebraError> {
        self.sizes.number(number, at)?;
        let value = BigInt::from_biguint(Sign::Plus, decimal(&number.digits()));
        self.checked(value, at)
    }

    fn negate(&mut self, x: BigInt, _at: usize) -> Result<BigInt, AlgebraError> {
        Ok(-x)
    }

    fn factorial(&mut self, x: BigInt, at: usize) -> Result<BigInt, AlgebraError> {
        self.sizes.factorial(Size::of(&x), at)?;
        let k = x.to_u64().ok_or_else(|| self.words().no_operator(at))?;
        self.checked(factorial(k).into(), at)
    }

    fn binary(
        &mut self,
        operator: Operator,
        x: BigInt,
        y: BigInt,
        at: usize,
    ) -> Result<BigInt, AlgebraError> {
        self.sizes
            .binary(operator, Size::of(&x), Size::of(&y), at)?;
        let value = match operator {
            Operator::Plus => x + y,
            Operator::Minus => x - y,
            Operator::Times => x * y,
            Operator::Power => power(&x, &y),
            _ => return Err(self.words().no_operator(at)),
        };
        self.checked(value, at)
    }
}

/// n!, by a balanced product. Cost: O(M(b) log n) for the b = O(n log n) bits of the result.
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
