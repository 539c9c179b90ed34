//! How the toll of the fast dice roller with a coin is distributed: the part of all n whose toll is at
//! most z, in the limit, enclosed.
//!
//! **The limits.** With u = 2^k / n, 1/2 < u <= 1, the toll of n is G(u), which does not depend on k
//! ([`super::band`] has G and its bounds on the u that begin with the same binary digits). Let U(z) be
//! the set of the u in (1/2, 1] with G(u) <= z.
//!
//! - *Along log n*: n with the weight 1/n up to N, N to infinity. log2 u is then uniform on (-1, 0], and
//!   the limit is the measure of U(z) by du / (u ln 2).
//! - *Along n*: the n with 2^k < n <= 2^(k+1), k to infinity. 1/u is then uniform on [1, 2), and the
//!   limit is the measure of U(z) by du / u^2. Over all n up to N there is no limit: the part goes up
//!   and down with the part of log2 N after its point.
//!
//! Both hold where the set of u with G(u) = z and its closure have measure 0, as the enclosures show to
//! within their width: intervals of u whose digits decide G(u) <= z are in or out, and the others are
//! halved. What is left undecided at the end is all that separates the two ends. For finite N the same
//! intervals bound the count of the n among them.
//!
//! **Cost.** The digits of u after the j-th change G by at most about (j + 3) / 2^j, so that of the 2^j
//! intervals about j are undecided for most z: some thousand steps, and a width of about 2^-50. Where
//! more are, halving ends after [`MOST_PARTS`], with a wider enclosure.

use super::band::enclosed;
use flipcost_number::common_decimals;
use flipcost_number::fixed::log2_fixed;
use flipcost_number::long::div_floor;
use flipcost_number::{BigInt, Decimal, Rational, Real};
use num_integer::Integer;
use num_traits::ToPrimitive;

/// Digits of u that are looked at, at most.
const DIGITS: u32 = 60;

/// Intervals that are looked at, at most.
pub const MOST_PARTS: u64 = 1 << 20;

/// A probability between two ends, in units of 2^-64.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Mass {
    low: u128,
    high: u128,
}

impl Mass {
    fn add(&mut self, other: Mass) {
        self.low += other.low;
        self.high += other.high;
    }
}

/// The u from `begin` / 2^64 to `end` / 2^64 by du / (u ln 2): log2(end / begin).
fn along_log(begin: u64, end: u128) -> Mass {
    let log2 = |u: u128| match u64::try_from(u) {
        Ok(u) => (log2_fixed(u).low, log2_fixed(u).high),
        Err(_) => (64 << 64, 64 << 64),
    };
    let ((low, high), (end_low, end_high)) = (log2(begin.into()), log2(end));
    Mass {
        low: end_low.saturating_sub(high),
        high: end_high - low,
    }
}

/// The same u by du / u^2: 2^64 / begin - 2^64 / end.
fn along_n(begin: u64, end: u128) -> Mass {
    // 2^128 / u, rounded down and up
    let over = |u: u128| {
        let (quotient, rest) = u128::MAX.div_rem(&u);
        if rest == u - 1 {
            (quotient + 1, quotient + 1)
        } else {
            (quotient, quotient + 1)
        }
    };
    let ((low, high), (end_low, end_high)) = (over(begin.into()), over(end));
    Mass {
        low: low.saturating_sub(end_high),
        high: high - end_low,
    }
}

/// What is known of an interval of u.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Decided {
    /// Its tolls are at most z.
    In,
    /// They are above.
    Out,
    /// Not known.
    Open,
}

/// Calls `see` on intervals that make up [1/2, 1], in order, each with what is known of G(u) <= z there;
/// `z` in units of 2^-64, rounded down.
fn intervals(z: i128, mut see: impl FnMut(u64, u128, Decided)) {
    let mut looked = 0u64;
    let mut stack = vec![(1u64 << 63, 1u32)];
    while let Some((begin, digits)) = stack.pop() {
        let end = u128::from(begin) + (1 << (64 - digits));
        let found = enclosed(begin, digits, begin.into(), end);
        looked += 1;
        if found.high <= z {
            see(begin, end, Decided::In);
        } else if found.low > z {
            see(begin, end, Decided::Out);
        } else if digits == DIGITS || looked >= MOST_PARTS {
            see(begin, end, Decided::Open);
        } else {
            let half = 1u64 << (63 - digits);
            stack.push((begin + half, digits + 1));
            stack.push((begin, digits + 1));
        }
    }
}

/// The two ends of a probability.
pub type Ends = (Rational, Rational);

/// The part of all n whose toll is at most z.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Below {
    /// In the limit along log n.
    pub along_log: Ends,
    /// In the limit along n, from one power of two to the next.
    pub along_n: Ends,
}

/// The distribution of the toll at z, in flips: certain ends of both limits.
///
/// ```
/// use flipcost_number::Rational;
/// use flipcost_toll::toll_distribution::below;
/// let half = below(&Rational::new(1.into(), 1.into()));
/// let (low, high) = half.along_log;
/// assert!(low < high && &high - &low < Rational::new(1.into(), (1u64 << 40).into()));
/// ```
pub fn below(z: &Rational) -> Below {
    let unit = BigInt::from(1) << 64u32;
    let scaled = div_floor(&(z.numer() << 64u32), z.denom());
    // beyond either end nothing more happens
    let z = scaled.to_i128().unwrap_or(if scaled < BigInt::from(0) {
        -1
    } else {
        4 << 64
    });
    let (mut log, mut uniform) = ([Mass::default(); 2], [Mass::default(); 2]);
    intervals(z, |begin, end, decided| {
        let place = match decided {
            Decided::In => 0,
            Decided::Open => 1,
            Decided::Out => return,
        };
        log[place].add(along_log(begin, end));
        uniform[place].add(along_n(begin, end));
    });
    let ends = |[sure, open]: [Mass; 2]| {
        let all = 1u128 << 64;
        let end = |mass: u128| Rational::new(mass.min(all).into(), unit.clone());
        (end(sure.low), end(sure.high + open.high))
    };
    Below {
        along_log: ends(log),
        along_n: ends(uniform),
    }
}

/// The decimals, at most `digits`, that both ends of a probability have when they are rounded; `None` if
/// not even the first is one. Those of fractions are always decided.
pub fn decimals(ends: &Ends, digits: u32) -> Option<Decimal> {
    let [low, high] = [&ends.0, &ends.1].map(|end| Real::Exact(end.clone()));
    common_decimals(&low, &high, digits).ok().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toll::{expected_by_fractional_parts, mean_over_log, mean_over_n};
    use num_traits::{One, Zero};
    use proptest::prelude::*;
    use std::cmp::Ordering;

    fn rational(over: i64, under: i64) -> Rational {
        Rational::new(over.into(), under.into())
    }

    #[test]
    fn all_tolls_are_from_0_to_2() {
        for (z, all) in [
            (rational(2, 1), Rational::one()),
            (rational(-1, 9), Rational::zero()),
        ] {
            let found = below(&z);
            for (low, high) in [found.along_log, found.along_n] {
                assert!(low <= all && all <= high, "{z}");
                assert!(&high - &low < rational(1, 1 << 40), "{z}");
            }
        }
    }

    /// The mean of a number between 0 and 2 is the integral of the probability that it is above z. Sums
    /// over the ends of equal steps bound it from both sides.
    #[test]
    fn the_means_are_those_of_the_theorem() {
        let steps = 400;
        let found: Vec<Below> = (0..=steps)
            .map(|i| below(&rational(2 * i, steps)))
            .collect();
        let (mut log, mut uniform) = (
            (Rational::zero(), Rational::zero()),
            (Rational::zero(), Rational::zero()),
        );
        let step = rational(2, steps);
        for pair in found.windows(2) {
            let above = |end: &Rational| (Rational::one() - end) * &step;
            for (sum, [from, to]) in [
                (&mut log, [&pair[0].along_log, &pair[1].along_log]),
                (&mut uniform, [&pair[0].along_n, &pair[1].along_n]),
            ] {
                sum.0 += above(&to.1);
                sum.1 += above(&from.0);
            }
        }
        for ((low, high), mean) in [(log, mean_over_log()), (uniform, mean_over_n())] {
            assert_eq!(mean.compare(low.clone()), Ok(Ordering::Greater), "{low}");
            assert_eq!(mean.compare(high.clone()), Ok(Ordering::Less), "{high}");
            assert!(high - low <= rational(2, steps) + rational(1, 1 << 30));
        }
    }

    /// Intervals that are in or out hold for each n whose u lies there.
    #[test]
    fn every_n_lies_on_its_side() {
        for z in [
            rational(1, 3),
            rational(1, 1),
            rational(7, 5),
            rational(19, 10),
        ] {
            let scaled = (&z * Rational::from_integer(BigInt::from(1) << 64u32)).floor();
            let mut all = Vec::new();
            let scaled = scaled.to_integer().to_i128().unwrap();
            intervals(scaled, |begin, end, decided| {
                all.push((begin, end, decided))
            });
            // in order, without a gap
            assert_eq!((all[0].0, all[all.len() - 1].1), (1 << 63, 1 << 64));
            assert!(
                all.windows(2)
                    .all(|pair| pair[0].1 == u128::from(pair[1].0))
            );
            let k = 11;
            let mut seen = [false; 2];
            for n in (1u64 << k) + 1..=1 << (k + 1) {
                // u = 2^k / n in [1/2, 1), as 2^64 u
                let u = (1u128 << (64 + k)) / u128::from(n);
                let place = all.partition_point(|(begin, _, _)| u128::from(*begin) <= u) - 1;
                let flips = Real::Exact(expected_by_fractional_parts(n));
                let toll = flips.minus(&Real::log(n, 2));
                let exact = toll.compare(z.clone()).unwrap();
                match all[place].2 {
                    Decided::In => assert_ne!(exact, Ordering::Greater, "n = {n}, z = {z}"),
                    Decided::Out => assert_eq!(exact, Ordering::Greater, "n = {n}, z = {z}"),
                    Decided::Open => continue,
                }
                seen[usize::from(all[place].2 == Decided::In)] = true;
            }
            assert_eq!(seen, [true; 2], "z = {z}");
        }
    }

    proptest! {
        #[test]
        fn it_does_not_fall(a in 0i64..=2000, more in 1i64..500) {
            let (one, other) = (below(&rational(a, 1000)), below(&rational(a + more, 1000)));
            prop_assert!(one.along_log.0 <= other.along_log.1);
            prop_assert!(one.along_n.0 <= other.along_n.1);
            let (low, high) = one.along_log.clone();
            prop_assert!(low <= high && &high - &low < rational(1, 1_000_000));
            if let Some(known) = decimals(&one.along_log, 9) {
                prop_assert!(known.text().starts_with("0.") || known.text().starts_with("1."));
            }
        }
    }
}
