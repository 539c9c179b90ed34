//! Bounds of real numbers by doubles, rounded outwards: they decide most comparisons of a long range, and
//! the few that they leave open are decided exactly.

/// A number is between these doubles.
#[derive(Clone, Copy, Debug)]
pub struct Near {
    low: f64,
    high: f64,
}

impl Near {
    /// A number whose nearest double this is.
    pub fn of_nearest(double: f64) -> Near {
        Near {
            low: double.next_down(),
            high: double.next_up(),
        }
    }

    /// The quotient of two numbers above 0.
    pub fn over(self, other: Near) -> Near {
        match self.low > 0.0 && other.low > 0.0 {
            true => Near {
                low: (self.low / other.high).next_down(),
                high: (self.high / other.low).next_up(),
            },
            false => Near {
                low: f64::NEG_INFINITY,
                high: f64::INFINITY,
            },
        }
    }

    /// Is it certainly below the other? What is not known is not below.
    pub fn is_below(self, other: Near) -> bool {
        self.high < other.low
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flipcost::number::{Rational, Real};
    use proptest::prelude::*;

    fn near(value: &Rational) -> Near {
        Near::of_nearest(Real::Exact(value.clone()).nearest_f64().unwrap())
    }

    fn holds(near: Near, value: &Rational) -> bool {
        let end = |end: f64| Rational::from_float(end);
        end(near.low).is_none_or(|low| low <= *value)
            && end(near.high).is_none_or(|high| *value <= high)
    }

    proptest! {
        #[test]
        fn what_is_bounded_lies_between_the_bounds(
            (a, b) in (any::<i64>(), 1..i64::MAX),
            (c, d) in (any::<i64>(), 1..i64::MAX),
        ) {
            let [x, y] = [(a, b), (c, d)].map(|(p, q)| Rational::new(p.into(), q.into()));
            prop_assert!(holds(near(&x), &x));
            if c != 0 {
                prop_assert!(holds(near(&x).over(near(&y)), &(&x / &y)));
            }
            prop_assert!(!near(&x).is_below(near(&y)) || x < y);
            prop_assert!(!near(&x).is_below(Near::of_nearest(f64::NAN)));
        }
    }
}
