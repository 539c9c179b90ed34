//! Positive numbers of any size, to a relative precision: `[low, high] 2^exponent`.
//!
//! An [`Enclosure`] has a fixed unit. A very small number, for example the probability that 256
//! draws need 560 rolls (about 2^-261), needs a unit that adapts to its size. Every operation
//! rounds outwards. The exponent has more than 64 bits, because a number may be raised to a power
//! of up to 2^64. When numbers of very different sizes are added, neither is shifted by the whole
//! difference of their exponents.

use super::enclosure::{Enclosure, log2};
use super::{BigInt, BigUint, Rational};
use crate::budget::reserve;
use num_integer::Integer;
use num_traits::{One, Zero};
use std::cmp::Ordering;

/// The interval `[low, high] 2^exponent`. It is certain to contain the nonnegative value that it
/// represents.
#[derive(Clone, Debug)]
pub struct Scaled {
    pub low: BigUint,
    pub high: BigUint,
    pub exponent: i128,
}

/// ceil(x / 2^shift).
fn shift_right_ceil(x: &BigUint, shift: u64) -> BigUint {
    let down: BigUint = x >> shift;
    if x.trailing_zeros().is_some_and(|zeros| zeros < shift) {
        down + 1u8
    } else {
        down
    }
}

/// Converts a distance in bits to 64 bits; a larger distance exceeds the length of any number.
fn bit_distance(shift: i128) -> u64 {
    u64::try_from(shift.unsigned_abs()).unwrap_or(u64::MAX)
}

/// x 2^shift, rounded down.
pub fn shifted_down(x: &BigUint, shift: i128) -> BigUint {
    if shift >= 0 {
        shift_left(x, bit_distance(shift))
    } else {
        x >> bit_distance(shift)
    }
}

/// x 2^shift, rounded up.
pub fn shifted_up(x: &BigUint, shift: i128) -> BigUint {
    if shift >= 0 {
        shift_left(x, bit_distance(shift))
    } else {
        shift_right_ceil(x, bit_distance(shift))
    }
}

/// Computes x 2^shift; reserves the memory for the result first.
fn shift_left(x: &BigUint, shift: u64) -> BigUint {
    if x.is_zero() {
        return BigUint::zero();
    }
    reserve(shift / 8);
    x << shift
}

impl Scaled {
    pub fn one() -> Scaled {
        Scaled::exact(BigUint::one(), 0)
    }

    /// The exact number value 2^exponent.
    pub fn exact(value: BigUint, exponent: i128) -> Scaled {
        Scaled {
            low: value.clone(),
            high: value,
            exponent,
        }
    }

    /// Encloses numerator / denominator with `bits` significant bits.
    pub fn ratio(numerator: &BigUint, denominator: &BigUint, bits: u64) -> Scaled {
        let shift = bits as i64 + denominator.bits() as i64 - numerator.bits() as i64 + 1;
        let (top, bottom) = if shift >= 0 {
            (numerator << shift as u64, denominator.clone())
        } else {
            (numerator.clone(), denominator << shift.unsigned_abs())
        };
        let (low, rest) = top.div_rem(&bottom);
        let high = if rest.is_zero() {
            low.clone()
        } else {
            &low + 1u8
        };
        Scaled {
            low,
            high,
            exponent: -i128::from(shift),
        }
    }

    /// Encloses a nonnegative rational.
    pub fn from_rational(value: &Rational, bits: u64) -> Scaled {
        Scaled::ratio(value.numer().magnitude(), value.denom().magnitude(), bits)
    }

    /// Rounds the ends outwards to at most `bits` bits.
    pub fn rounded(self, bits: u64) -> Scaled {
        match self.high.bits().checked_sub(bits) {
            None | Some(0) => self,
            Some(more) => Scaled {
                low: self.low >> more,
                high: shift_right_ceil(&self.high, more),
                exponent: self.exponent + i128::from(more),
            },
        }
    }

    pub fn times(&self, other: &Scaled, bits: u64) -> Scaled {
        let product = Scaled {
            low: &self.low * &other.low,
            high: &self.high * &other.high,
            exponent: self.exponent + other.exponent,
        };
        product.rounded(bits)
    }

    /// Multiplies the interval by p / q. An exact value stays exact as long as the product is an
    /// integer of at most `bits` bits.
    pub fn times_ratio(&self, p: &BigUint, q: &BigUint, bits: u64) -> Scaled {
        let (low, high) = (&self.low * p, &self.high * p);
        if self.exponent == 0 && low == high && (&low % q).is_zero() {
            return Scaled::exact(low / q, 0).rounded(bits);
        }
        // Shift the dividend, so that the quotient has the requested number of bits.
        let shift = (bits + q.bits()).saturating_sub(low.bits());
        let quotient = Scaled {
            low: (low << shift) / q,
            high: (high << shift).div_ceil(q),
            exponent: self.exponent - i128::from(shift),
        };
        quotient.rounded(bits)
    }

    /// Adds two numbers. If one is smaller than the last bit of the other, only its upper end has
    /// an effect.
    pub fn plus(&self, other: &Scaled, bits: u64) -> Scaled {
        for (one, rest) in [(self, other), (other, self)] {
            if one.high.is_zero() {
                return rest.clone().rounded(bits);
            }
        }
        let top = |one: &Scaled| one.exponent + i128::from(one.high.bits());
        let last = top(self).max(top(other)) - i128::from(bits) - 2;
        let exponent = self.exponent.min(other.exponent).max(last);
        let low = |one: &Scaled| shifted_down(&one.low, one.exponent - exponent);
        let high = |one: &Scaled| shifted_up(&one.high, one.exponent - exponent);
        let sum = Scaled {
            low: low(self) + low(other),
            high: high(self) + high(other),
            exponent,
        };
        sum.rounded(bits)
    }

    /// Raises the number to a power. Cost: 2 log2(times) products.
    pub fn power(&self, times: u64, bits: u64) -> Scaled {
        let mut power = Scaled::one();
        for bit in (0..u64::BITS - times.leading_zeros()).rev() {
            power = power.times(&power.clone(), bits);
            if times >> bit & 1 == 1 {
                power = power.times(self, bits);
            }
        }
        power
    }

    /// Replaces the lower end by 0, so that the interval is only an upper bound.
    pub fn or_less(mut self) -> Scaled {
        self.low = BigUint::zero();
        self
    }

    /// Checks whether the width is at most 2^-bits times the lower end.
    pub fn is_within(&self, bits: u64) -> bool {
        (&self.high - &self.low) << bits <= self.low
    }

    /// Compares the interval with a number above 0; `None` if the number lies inside the interval.
    pub fn compare(&self, value: &Rational) -> Option<Ordering> {
        let (top, bottom) = (value.numer().magnitude(), value.denom().magnitude());
        let side = |end: &BigUint| {
            let end = end * bottom;
            // If the lengths differ, the longer number is larger.
            let lengths = (i128::from(end.bits()) + self.exponent).cmp(&top.bits().into());
            let shift = bit_distance(self.exponent);
            match (end.is_zero(), lengths) {
                (true, _) => Ordering::Less,
                (_, Ordering::Equal) if self.exponent >= 0 => (end << shift).cmp(top),
                (_, Ordering::Equal) => end.cmp(&(top << shift)),
                (_, lengths) => lengths,
            }
        };
        let (low, high) = (side(&self.low), side(&self.high));
        (low == high).then_some(low)
    }

    /// Converts the interval to one whose ends are multiples of 2^-bits.
    pub fn fixed(&self, bits: u64) -> Enclosure {
        let shift = self.exponent + i128::from(bits);
        Enclosure {
            low: shifted_down(&self.low, shift).into(),
            high: shifted_up(&self.high, shift).into(),
            bits,
        }
    }

    /// Encloses log2; the result is wider than necessary by at most 2^-bits. `None` if the interval
    /// contains 0.
    pub fn log2(&self, bits: u64) -> Option<Enclosure> {
        if self.low.is_zero() {
            return None;
        }
        let (low, high) = (log2(&self.low, bits + 1), log2(&self.high, bits + 1));
        let whole = |unit: u64| BigInt::from(self.exponent) << unit;
        let ends = Enclosure {
            low: low.low + whole(low.bits),
            high: BigInt::zero(),
            bits: low.bits,
        };
        let unit = ends.bits.max(high.bits);
        Some(Enclosure {
            low: ends.low << (unit - ends.bits),
            high: (high.high + whole(high.bits)) << (unit - high.bits),
            bits: unit,
        })
    }

    /// An approximate log2, for searches only: it never decides a result.
    pub fn about_log2(&self) -> f64 {
        about_log2(&self.high) + self.exponent as f64
    }
}

/// log2 to about 50 bits, for searches; minus infinity for 0.
pub fn about_log2(x: &BigUint) -> f64 {
    let more = x.bits().saturating_sub(64);
    let leading: BigUint = x >> more;
    let leading = leading.iter_u64_digits().next().unwrap_or(0);
    (leading as f64).log2() + more as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ratio(p: u64, q: u64) -> Rational {
        Rational::new(p.into(), q.into())
    }

    proptest! {
        /// At any precision, the enclosures of sums, products and powers contain the exact results.
        #[test]
        fn enclosures_contain_exact_results(
            (a, b) in (1u64..1_000_000, 1u64..1_000_000), (c, d) in (1u64..1000, 1u64..1_000_000_000),
            times in 0u64..40, bits in 2u64..90,
        ) {
            let (x, y) = (ratio(a, b), ratio(c, d));
            let (near_x, near_y) = (Scaled::from_rational(&x, bits), Scaled::from_rational(&y, bits));
            for (near, exact) in [
                (near_x.plus(&near_y, bits), &x + &y),
                (near_x.times(&near_y, bits), &x * &y),
                (near_y.power(times, bits), num_traits::pow(y.clone(), times as usize)),
            ] {
                prop_assert!(near.compare(&exact).is_none_or(Ordering::is_eq));
                prop_assert!(near.fixed(100).contains(&exact));
                prop_assert!(near.low.bits() <= bits + 2);
            }
            prop_assert!(near_x.is_within(bits - 1));
            prop_assert_eq!(Scaled::from_rational(&x, 60).compare(&(&x + &x)), Some(Ordering::Less));
            let log = near_x.log2(30).unwrap();
            let known = Scaled::from_rational(&x, 200).log2(100).unwrap();
            prop_assert!(log.low() <= known.low() && known.high() <= log.high());
        }
    }

    /// C(60, k) times (2/3)^60, where C(60, k) is exact as long as it is short.
    #[test]
    fn products_of_ratios() {
        let power = Scaled::ratio(&2u8.into(), &3u8.into(), 64).power(60, 64);
        let exact = num_traits::pow(ratio(2, 3), 60);
        let holds = |near: &Scaled, exact: &Rational| {
            near.is_within(50) && near.compare(exact).is_none_or(Ordering::is_eq)
        };
        assert!(holds(&power, &exact));
        let (mut near, mut choose) = (Scaled::one(), BigInt::one());
        for k in 0..60u64 {
            near = near.times_ratio(&(60 - k).into(), &(k + 1).into(), 60);
            choose = choose * (60 - k) / (k + 1);
            assert!(holds(&near, &choose.clone().into()));
            assert!(holds(&near.times(&power, 64), &(&exact * &choose)));
            assert!(k > 10 || near.low == near.high);
        }
    }

    /// (2/3)^(2^64 - 1) = 2^-10790653543520307103.04 (from mpmath and GP 2.15), where the exponent
    /// of 2 has more than 64 bits. The result is also compared with 1.
    #[test]
    fn exponents_of_more_than_64_bits() {
        let tiny = Scaled::ratio(&2u8.into(), &3u8.into(), 200).power(u64::MAX, 200);
        let log = tiny.log2(10).unwrap();
        let (low, high) = (log.low().floor(), log.high().floor());
        assert_eq!(low, high);
        assert_eq!(low.to_string(), "-10790653543520307104");
        assert_eq!(tiny.compare(&ratio(1, u64::MAX)), Some(Ordering::Less));
        for sum in [tiny.plus(&Scaled::one(), 80), Scaled::one().plus(&tiny, 80)] {
            assert!(sum.low.bits() <= 82 && sum.is_within(78));
            assert_eq!(sum.compare(&ratio(1, 2)), Some(Ordering::Greater));
            assert!(sum.fixed(70).contains(&ratio(1, 1)));
        }
        assert_eq!(
            tiny.fixed(70).high(),
            Rational::new(BigInt::one(), BigInt::one() << 70)
        );
        let huge = Scaled::ratio(&3u8.into(), &2u8.into(), 200).power(u64::MAX, 200);
        assert_eq!(huge.compare(&ratio(u64::MAX, 1)), Some(Ordering::Greater));
        assert!(huge.times(&tiny, 80).fixed(70).contains(&ratio(1, 1)));
    }
}
