//! A positive number between two ends that share an exponent: `[low, high] 2^exponent`, for products of which
//! neither the size nor a common number of places is known.

use flipcost_number::BigUint;
use num_traits::One;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Scaled {
    pub low: BigUint,
    pub high: BigUint,
    pub exponent: i64,
}

impl Scaled {
    pub fn of(value: BigUint) -> Scaled {
        Scaled {
            low: value.clone(),
            high: value,
            exponent: 0,
        }
    }

    /// Cut to so many bits of its lower end, outwards.
    fn cut(mut self, bits: u64) -> Scaled {
        let more = self.low.bits().saturating_sub(bits);
        if more > 0 {
            let up = (BigUint::one() << more) - 1u8;
            self = Scaled {
                low: self.low >> more,
                high: (self.high + up) >> more,
                exponent: self.exponent + more as i64,
            };
        }
        self
    }

    pub fn times(&self, other: &Scaled, bits: u64) -> Scaled {
        let product = Scaled {
            low: &self.low * &other.low,
            high: &self.high * &other.high,
            exponent: self.exponent + other.exponent,
        };
        product.cut(bits)
    }

    /// Times p / q. What is exact stays so as long as it is an integer of so many bits.
    pub fn times_ratio(&self, p: &BigUint, q: &BigUint, bits: u64) -> Scaled {
        let (low, high) = (&self.low * p, &self.high * p);
        if self.exponent == 0 && low == high && (&low % q) == BigUint::ZERO {
            return Scaled::of(low / q).cut(bits);
        }
        // as many bits in the quotient as there should be
        let shift = (bits + q.bits()).saturating_sub(low.bits());
        let up = q - 1u8;
        let quotient = Scaled {
            low: (low << shift) / q,
            high: ((high << shift) + up) / q,
            exponent: self.exponent - shift as i64,
        };
        quotient.cut(bits)
    }

    /// (p / q)^n by squares.
    pub fn power(p: &BigUint, q: &BigUint, n: u64, bits: u64) -> Scaled {
        let base = Scaled::of(BigUint::one()).times_ratio(p, q, bits);
        let mut power = Scaled::of(BigUint::one());
        for i in (0..u64::BITS - n.leading_zeros()).rev() {
            power = power.times(&power, bits);
            if n >> i & 1 == 1 {
                power = power.times(&base, bits);
            }
        }
        power
    }

    /// An exponent e with value < 2^e.
    pub fn top(&self) -> i64 {
        self.high.bits() as i64 + self.exponent
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flipcost_number::{BigInt, Rational};

    /// The ends hold C(60, k), (2/3)^60 and their product, and are near each other.
    #[test]
    fn products_lie_between_the_ends() {
        let end = |end: &BigUint, exponent: i64| {
            let two = Rational::from_integer(2.into());
            Rational::from_integer(end.clone().into()) * num_traits::Pow::pow(two, exponent as i32)
        };
        let holds = |scaled: &Scaled, value: &Rational| {
            let (low, high) = (
                end(&scaled.low, scaled.exponent),
                end(&scaled.high, scaled.exponent),
            );
            low <= *value && *value <= high && (high - low) * BigInt::from(1u64 << 50) <= *value
        };
        let power = Scaled::power(&2u8.into(), &3u8.into(), 60, 64);
        let exact = Rational::new(BigInt::from(2u8).pow(60), BigInt::from(3u8).pow(60));
        assert!(holds(&power, &exact));
        let (mut c, mut choose) = (Scaled::of(BigUint::one()), BigInt::one());
        for k in 0..60u64 {
            c = c.times_ratio(&(60 - k).into(), &(k + 1).into(), 40);
            choose = choose * (60 - k) / (k + 1);
            let both = c.times(&power, 64);
            assert!(end(&c.low, c.exponent) <= choose.clone().into());
            assert!(end(&c.high, c.exponent) >= choose.clone().into());
            assert!(end(&both.low, both.exponent) <= &exact * &choose);
            assert!(k > 5 || c.low == c.high);
        }
    }
}
