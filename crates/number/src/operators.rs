//! The operators + - * / for real numbers, also with fractions and integers, and sums of lists.

use super::total::{exact_total, total};
use super::{Rational, Real};
use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

// `i32` is the only integer type allowed on the left: with more types, the compiler could not infer
// the type of 1 in `(1 - x).sqrt()`.
/// Defines an operator. The right operand of a real may be a real, a fraction or an integer; the
/// left operand may be a fraction or an [`i32`], as in `1 - x`.
macro_rules! operators {
    ($($trait:ident $function:ident $method:ident $assign:ident $assigned:ident;)*) => {$(
        impl<T: Into<Real>> $trait<T> for Real {
            type Output = Real;
            fn $function(self, other: T) -> Real {
                self.$method(&other.into())
            }
        }

        impl<T: Into<Real>> $trait<T> for &Real {
            type Output = Real;
            fn $function(self, other: T) -> Real {
                self.$method(&other.into())
            }
        }

        impl<T: Into<Real>> $assign<T> for Real {
            fn $assigned(&mut self, other: T) {
                *self = self.$method(&other.into());
            }
        }

        impl $trait<Real> for Rational {
            type Output = Real;
            fn $function(self, other: Real) -> Real {
                Real::from(self).$method(&other)
            }
        }

        impl $trait<Real> for i32 {
            type Output = Real;
            fn $function(self, other: Real) -> Real {
                Real::from(self).$method(&other)
            }
        }
    )*};
}

operators! {
    Add add plus AddAssign add_assign;
    Sub sub minus SubAssign sub_assign;
    Mul mul times MulAssign mul_assign;
    Div div over DivAssign div_assign;
}

impl Neg for Real {
    type Output = Real;
    fn neg(self) -> Real {
        -&self
    }
}

impl Neg for &Real {
    type Output = Real;
    fn neg(self) -> Real {
        Real::from(0).minus(self)
    }
}

/// The sum is exact if all terms are.
impl<T: Into<Real>> Sum<T> for Real {
    fn sum<I: Iterator<Item = T>>(terms: I) -> Real {
        let terms: Vec<Real> = terms.map(Into::into).collect();
        if terms.iter().all(|term| term.exact().is_some()) {
            Real::Exact(exact_total(&terms))
        } else {
            total(&terms)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reals_compute_in_place() {
        let (root, half) = (Real::from(2).sqrt(), Rational::new(1.into(), 2.into()));
        let mut x = root.clone();
        x += 1;
        x -= half.clone();
        x *= 4u64;
        x /= Real::from(2);
        assert_eq!(format!("{x:.20}"), "3.82842712474619009760"); // 2 sqrt 2 + 1
        assert_eq!(format!("{:.20}", -&x), "-3.82842712474619009760");
        assert_eq!(-Real::from(half.clone()), -half.clone());
        let exact: Real = [half.clone(), half].into_iter().sum();
        assert_eq!(exact, 1);
        let sum: Real = [&root, &x, &root].into_iter().sum();
        assert!(sum > 6 && sum < 7);
        assert_eq!(std::iter::empty::<Real>().sum::<Real>(), 0);
    }

    /// Regression test: printing a quotient by 0 once ran forever.
    #[test]
    fn a_quotient_by_zero_is_undefined() {
        let root = Real::from(2).sqrt();
        for (zero, says) in [
            (&root - &root, "the divisor lies within 2^-"),
            (Real::from(0), "the divisor is 0"),
        ] {
            let (mut x, nothing) = (1 / zero, Real::integer(0));
            for _ in 0..2 {
                let error = x.decimals(3).unwrap_err();
                assert!(error.to_string().starts_with(says), "{error}");
                let errors = [
                    x.to_f64().map(drop),
                    x.floor().map(drop),
                    x.compare(1).map(drop),
                ];
                assert_eq!(errors, [Err(error); 3]);
                assert_eq!(
                    format!("{x} {x:.3} {x:?}"),
                    "undefined undefined Real(undefined)"
                );
                assert!(x.exact().is_none() && !x.is_zero() && x != x.clone() + 1);
                assert_eq!(x.partial_cmp(&1), None);
                x = (0 - x.sqrt() * &nothing + &root).sqrt() / 3;
                x = [x, root.clone()].into_iter().sum();
            }
        }
        assert_eq!((&root / (&root + &root)).to_f64(), Ok(0.5));
    }
}
