//! Enclosures of complex numbers: discs that are certain to contain the value.
//!
//! A [`Disc`] has a centre and a radius, all multiples of 2^-bits. A rectangle, with one
//! [`Enclosure`] for the real part and one for the imaginary part, would grow by a factor of up to
//! sqrt 2 whenever it is multiplied by a number of absolute value 1. A disc grows only by rounding,
//! so the enclosures of high powers stay narrow.

use super::BigInt;
use super::e_pi::pi;
use super::enclosure::Enclosure;
use crate::budget::spend_on;
use num_integer::Integer;
use num_traits::{ToPrimitive, Zero};

/// The disc of radius radius / 2^bits around (re + i im) / 2^bits.
#[derive(Clone, Debug)]
pub struct Disc {
    re: BigInt,
    im: BigInt,
    radius: BigInt,
    bits: u64,
}

/// An upper bound, in units, of the distance by which a point moves if both parts are rounded down:
/// it is below sqrt 2.
const ROUNDING: u8 = 2;

/// Returns the middle of an enclosure and the distance from there to the ends.
fn midpoint_and_radius(part: &Enclosure, bits: u64) -> (BigInt, BigInt) {
    let part = part.clone().coarsen(bits);
    let middle = (&part.low + &part.high) >> 1u8;
    let half = part.high - &middle;
    (middle, half)
}

/// Returns an upper bound of sqrt(a^2 + b^2); the relative error is below 2^-28, plus 4 units.
fn hypotenuse_bound(a: &BigInt, b: &BigInt) -> BigInt {
    let shift = a.bits().max(b.bits()).saturating_sub(30);
    let top = |x: &BigInt| (x.magnitude() >> shift).to_u64().expect("30 bits") + 1;
    let (a, b) = (top(a), top(b));
    BigInt::from((a * a + b * b).isqrt() + 1) << shift
}

impl Disc {
    /// Encloses the complex number with this real and this imaginary part.
    pub fn new(re: &Enclosure, im: &Enclosure, bits: u64) -> Disc {
        let ((re, a), (im, b)) = (midpoint_and_radius(re, bits), midpoint_and_radius(im, bits));
        let radius = a + b;
        Disc {
            re,
            im,
            radius,
            bits,
        }
    }

    /// Encloses a real number.
    pub fn real(value: &Enclosure, bits: u64) -> Disc {
        let (re, radius) = midpoint_and_radius(value, bits);
        Disc {
            re,
            im: BigInt::zero(),
            radius,
            bits,
        }
    }

    /// Returns the disc of an integer, with radius 0.
    pub fn integer(value: impl Into<BigInt>, bits: u64) -> Disc {
        Disc {
            re: value.into() << bits,
            im: BigInt::zero(),
            radius: BigInt::zero(),
            bits,
        }
    }

    /// The sum of two numbers with the same bits.
    pub fn plus(&self, other: &Disc) -> Disc {
        debug_assert_eq!(self.bits, other.bits);
        Disc {
            re: &self.re + &other.re,
            im: &self.im + &other.im,
            radius: &self.radius + &other.radius,
            bits: self.bits,
        }
    }

    /// The product of two numbers with the same bits. For the centres A and B, |ab - AB| <= |A|
    /// r_b + |B| r_a + r_a r_b.
    pub fn times(&self, other: &Disc) -> Disc {
        debug_assert_eq!(self.bits, other.bits);
        spend_on(self.bits, self.bits);
        let (a, b) = (self, other);
        let spread = hypotenuse_bound(&a.re, &a.im) * &b.radius
            + hypotenuse_bound(&b.re, &b.im) * &a.radius
            + &a.radius * &b.radius;
        Disc {
            re: (&a.re * &b.re - &a.im * &b.im) >> self.bits,
            im: (&a.re * &b.im + &a.im * &b.re) >> self.bits,
            radius: (spread >> self.bits) + 1 + ROUNDING,
            bits: self.bits,
        }
    }

    /// The quotient by a positive integer.
    pub fn over(&self, divisor: u64) -> Disc {
        let divisor = BigInt::from(divisor);
        Disc {
            re: self.re.div_floor(&divisor),
            im: self.im.div_floor(&divisor),
            radius: self.radius.div_ceil(&divisor) + ROUNDING,
            bits: self.bits,
        }
    }

    /// The number times -1.
    pub fn negated(self) -> Disc {
        Disc {
            re: -self.re,
            im: -self.im,
            ..self
        }
    }

    /// Encloses the same disc with fewer bits.
    pub fn coarsen(self, bits: u64) -> Disc {
        let shift = self.bits - bits;
        Disc {
            re: self.re >> shift,
            im: self.im >> shift,
            radius: (self.radius >> shift) + 1 + ROUNDING,
            bits,
        }
    }

    /// Enlarges the disc by this many units of 2^-bits.
    pub fn widened(self, units: &BigInt) -> Disc {
        Disc {
            radius: self.radius + units,
            ..self
        }
    }

    /// Returns an upper bound of the absolute value of all numbers in the disc, in units of
    /// 2^-bits.
    pub fn most(&self) -> BigInt {
        hypotenuse_bound(&self.re, &self.im) + &self.radius
    }

    /// The real part.
    pub fn re(&self) -> Enclosure {
        Enclosure {
            low: &self.re - &self.radius,
            high: &self.re + &self.radius,
            bits: self.bits,
        }
    }

    /// The imaginary part.
    pub fn im(&self) -> Enclosure {
        Enclosure {
            low: &self.im - &self.radius,
            high: &self.im + &self.radius,
            bits: self.bits,
        }
    }

    /// The absolute value.
    pub fn abs(&self) -> Enclosure {
        let root = (&self.re * &self.re + &self.im * &self.im).sqrt();
        Enclosure {
            low: (&root - &self.radius).max(BigInt::zero()),
            high: root + &self.radius + 1,
            bits: self.bits,
        }
    }
}

/// Computes exp(2 pi i x) for 0 <= x <= 1 by its power series. The terms are z^k / k! with |z| < 7;
/// from the 14th on, each term is less than half the one before. Cost: O(bits / log bits) products.
pub fn turn(x: &Enclosure, bits: u64) -> Disc {
    // The terms grow up to 7^7 / 7! < 2^8; rounding errors grow by the same factor.
    let work = bits + 24;
    let angle = pi(work).times(&x.clone().coarsen(work));
    let zero = Enclosure {
        low: BigInt::zero(),
        high: BigInt::zero(),
        bits: work,
    };
    let z = Disc::new(&zero, &angle.plus(&angle), work);
    let (mut sum, mut term) = (Disc::integer(1, work), Disc::integer(1, work));
    for k in 1.. {
        term = term.times(&z).over(k);
        sum = sum.plus(&term);
        let most = term.most();
        if k >= 14 && most.bits() <= 8 {
            return sum.widened(&most).coarsen(bits);
        }
    }
    unreachable!("the terms fall to 0")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rational;
    use num_traits::{One, Signed};
    use proptest::prelude::*;

    /// A point (p + i q) / 2^at.
    type Point = (i64, i64);

    /// Checks whether (p + i q) / 2^at is in the disc.
    fn contains_point(disc: &Disc, (p, q): (BigInt, BigInt), at: u64) -> bool {
        let scale = |part: &BigInt| part << at;
        let (re, im) = (
            scale(&disc.re) - (p << disc.bits),
            scale(&disc.im) - (q << disc.bits),
        );
        let radius = scale(&disc.radius);
        &re * &re + &im * &im <= &radius * &radius
    }

    /// Returns a disc that contains the given point, and whose centre is near it.
    fn disc_around((p, q): Point, (a, b): (i16, i16), bits: u64) -> Disc {
        let (a, b) = (BigInt::from(a), BigInt::from(b));
        Disc {
            re: BigInt::from(p) + &a,
            im: BigInt::from(q) + &b,
            radius: (&a * &a + &b * &b).sqrt() + 1,
            bits,
        }
    }

    proptest! {
        #[test]
        fn sums_products_and_quotients_are_enclosed(
            one: Point, other: Point, off: (i16, i16), away: (i16, i16),
            bits in 1u64..80, divisor in 1u64..1000, shift in 0u64..8,
        ) {
            let [one, other] = [one, other].map(|(p, q)| (p >> 2, q >> 2));
            let (a, b) = (disc_around(one, off, bits), disc_around(other, away, bits));
            let [(p, q), (r, s)] = [one, other].map(|(p, q)| (BigInt::from(p), BigInt::from(q)));
            prop_assert!(contains_point(&a.plus(&b), (&p + &r, &q + &s), bits));
            let product = (&p * &r - &q * &s, &p * &s + &q * &r);
            prop_assert!(contains_point(&a.times(&b), product, 2 * bits));
            // Instead of dividing the point, check that the point lies in the disc multiplied by
            // the divisor.
            let over = a.over(divisor);
            let times = |part: &BigInt| part * divisor;
            let larger = Disc {
                re: times(&over.re),
                im: times(&over.im),
                radius: times(&over.radius),
                bits,
            };
            prop_assert!(contains_point(&larger, (p.clone(), q.clone()), bits));
            let coarse = a.clone().coarsen(bits.saturating_sub(shift));
            prop_assert!(contains_point(&coarse, (p.clone(), q.clone()), bits));
            prop_assert!(contains_point(&a.clone().negated(), (-&p, -&q), bits));
            // |p + i q|^2 lies between the squares of the ends.
            let (abs, square) = (a.abs(), &p * &p + &q * &q);
            prop_assert!(&abs.low * &abs.low <= square && square <= &abs.high * &abs.high);
            prop_assert!(square <= a.most() * a.most());
        }
    }

    /// With z = exp(2 pi i / 12): z^3 = i and Re z > 0, which no other number satisfies; and exp(2
    /// pi i k / 12) is z^k.
    #[test]
    fn powers_of_a_twelfth_root_of_unity() {
        let bits = 200;
        let twelfth = |k: u8| {
            let x = Rational::new(k.into(), 12.into());
            turn(&Enclosure::of_rational(&x, bits + 30), bits)
        };
        let one = BigInt::one() << bits;
        let z = twelfth(1);
        assert!(z.re().low.is_positive());
        assert!(contains_point(
            &z.times(&z).times(&z),
            (BigInt::zero(), one),
            bits
        ));
        let mut power = Disc::integer(1, bits);
        for k in 0..=12u8 {
            let disc = twelfth(k);
            assert!(disc.radius <= 8.into() && power.radius <= 100.into());
            let (re, im) = (&disc.re - &power.re, &disc.im - &power.im);
            let most = &disc.radius + &power.radius;
            assert!(&re * &re + &im * &im <= &most * &most, "{k}");
            power = power.times(&z);
        }
    }
}
