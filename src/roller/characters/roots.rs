//! The roots of 1, rounded to the nearest doubles, and complex numbers of doubles.

use std::sync::OnceLock;

use super::group::MAX_ORDER;
use super::theta::{BITS, nearest_double};
use flipcost_number::Enclosure;
use flipcost_number::Rational;
use flipcost_number::disc::{Disc, turn};

/// A complex number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Complex(pub(super) f64, pub(super) f64);

impl Complex {
    /// The product, with an error below 3u times its length.
    pub(super) fn times(self, other: Self) -> Self {
        let (Complex(a, b), Complex(c, d)) = (self, other);
        Complex(a * c - b * d, a * d + b * c)
    }

    /// The absolute value, with a relative error of at most 2u.
    pub(super) fn size(self) -> f64 {
        (self.0 * self.0 + self.1 * self.1).sqrt()
    }
}

/// For each v < d the numbers e^(2 pi i v / d) and 1 - e^(2 pi i v / d). Real and imaginary parts
/// are the nearest doubles (a part that is 0 may be a double below 2^-150).
pub(super) struct RootsOfUnity(Vec<(Complex, Complex)>);

impl RootsOfUnity {
    /// Computes the roots on the first request, from enclosed powers of e^(2 pi i / d).
    pub(super) fn new(d: u32) -> &'static RootsOfUnity {
        static ALL: [OnceLock<RootsOfUnity>; MAX_ORDER as usize + 1] =
            [const { OnceLock::new() }; MAX_ORDER as usize + 1];
        ALL[d as usize].get_or_init(|| {
            let part = Rational::new(1.into(), d.into());
            let first = turn(&Enclosure::of_rational(&part, BITS), BITS);
            let one = Disc::integer(1, BITS);
            let parts = |z: &Disc| Complex(nearest_double(&z.re()), nearest_double(&z.im()));
            let powers = std::iter::successors(Some(one.clone()), |z| Some(z.times(&first)));
            RootsOfUnity(
                powers
                    .take(d as usize)
                    .map(|z| (parts(&z), parts(&one.plus(&z.negated()))))
                    .collect(),
            )
        })
    }

    /// e^(2 pi i v / d)
    pub(super) fn root(&self, v: u32) -> Complex {
        self.0[v as usize % self.0.len()].0
    }

    /// 1 - e^(2 pi i v / d)
    pub(super) fn one_minus_root(&self, v: u32) -> Complex {
        self.0[v as usize % self.0.len()].1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flipcost_number::nearest_f64;

    /// Each part is the double nearest to its value, which the test encloses in another way: it
    /// computes e^(2 pi i v / d) directly instead of as a power.
    #[test]
    fn roots_are_the_nearest_doubles() {
        let nearest = |part: &Enclosure| {
            let [low, high] =
                [part.low(), part.high()].map(|end| nearest_f64(end.numer(), end.denom()));
            (low == high).then_some(low)
        };
        for d in [2, 4, 6, 10, 54, 96, 126, 128] {
            let roots = RootsOfUnity::new(d);
            for v in 0..d {
                let part = Enclosure::of_rational(&Rational::new(v.into(), d.into()), 240);
                let z = turn(&part, 220);
                let less = Disc::integer(1, 220).plus(&z.clone().negated());
                let (root, one_less) = (roots.root(v + d), roots.one_minus_root(v));
                for (double, part) in [
                    (root.0, z.re()),
                    (root.1, z.im()),
                    (one_less.0, less.re()),
                    (one_less.1, less.im()),
                ] {
                    match nearest(&part) {
                        Some(nearest) => assert_eq!(double, nearest, "{v}/{d}"),
                        None => assert!(double.abs() < 2f64.powi(-150), "{v}/{d}"),
                    }
                }
            }
        }
    }
}
