//! The MR-expansion of a positive rational (Layman, OEIS A136042-A136044, A158379).
//!
//! For a base m >= 2 and x(1) = x > 0:
//!
//! ```text
//! s(i) = the least d >= 0 with m^d x(i) > 1      (strict)
//! x(i+1) = m^d x(i) - 1
//! ```
//!
//! All x(i) share the denominator of x up to powers of m, and stay at most m - 1 once they are below
//! that, so the expansion of a rational is periodic in the end.

use super::{BigInt, BigUint, Rational};
use num_traits::{One, Signed, ToPrimitive, Zero};

/// The expansion of x in base m, term by term. Each term costs products of the length of x.
#[derive(Clone, Debug)]
pub struct Expansion {
    /// x(i) = top / bottom.
    top: BigInt,
    bottom: BigInt,
    base: u64,
}

impl Expansion {
    /// The expansion of x > 0 in base m >= 2; `None` for other x or m.
    pub fn new(x: &Rational, base: u64) -> Option<Self> {
        let fits = x.is_positive() && base >= 2;
        fits.then(|| Expansion {
            top: x.numer().clone(),
            bottom: x.denom().clone(),
            base,
        })
    }
}

impl Iterator for Expansion {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let mut d = 0;
        while self.top <= self.bottom {
            self.top *= self.base;
            d += 1;
        }
        self.top -= &self.bottom;
        Some(d)
    }
}

/// Terms before the period and terms in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// Terms before the expansion repeats.
    pub before: u64,
    /// Terms in one period.
    pub length: u64,
}

/// The period of the expansion of x, by Brent's cycle search over the x(i); `None` if it is not
/// found within `most` terms.
///
/// While x > m the expansion only subtracts units; those terms are skipped in one step.
pub fn period(x: &Rational, base: u64, most: u64) -> Option<Period> {
    let mut start = Expansion::new(x, base)?;
    // x(i) > 1 gives the term 0 and x - 1: every such x but the last lies before the cycle.
    let units = (&start.top - BigInt::one()) / &start.bottom - BigInt::from(base);
    let skipped = if units.is_positive() {
        units
    } else {
        BigInt::zero()
    };
    start.top -= &skipped * &start.bottom;
    let skipped = skipped.to_u64()?;
    let (mut power, mut length, mut steps) = (1u64, 1u64, 1u64);
    let (mut slow, mut fast) = (start.clone(), start.clone());
    fast.next();
    while slow.top != fast.top {
        if power == length {
            slow = fast.clone();
            power *= 2;
            length = 0;
        }
        fast.next();
        length += 1;
        steps += 1;
        if steps > most {
            return None;
        }
    }
    let (mut slow, mut fast) = (start.clone(), start);
    for _ in 0..length {
        fast.next();
    }
    let mut before = 0;
    while slow.top != fast.top {
        slow.next();
        fast.next();
        before += 1;
    }
    Some(Period {
        before: before + skipped,
        length,
    })
}

/// The first terms, at most `count`.
pub fn terms(x: &Rational, base: u64, count: usize) -> Option<Vec<u64>> {
    Some(Expansion::new(x, base)?.take(count).collect())
}

/// The natural numbers as rationals, for callers that hold a [`BigUint`].
pub fn reciprocal(n: &BigUint) -> Rational {
    Rational::new(BigInt::one(), n.clone().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(p: i64, q: i64) -> Rational {
        Rational::new(p.into(), q.into())
    }

    #[test]
    fn the_expansion_of_a_29th() {
        // OEIS A136042
        let period = [5, 4, 1, 2, 3, 1, 1, 1, 2, 1, 1, 3, 2, 1];
        let twice: Vec<u64> = period.iter().chain(&period).copied().collect();
        assert_eq!(terms(&ratio(1, 29), 2, 28).unwrap(), twice);
        assert_eq!(
            super::period(&ratio(1, 29), 2, 100),
            Some(Period {
                before: 0,
                length: 14
            })
        );
    }

    #[test]
    fn strictness_shows_at_powers_of_the_base() {
        // 1/1 in base 3 is 1, 0, 1, 0, ... (OEIS A158379)
        assert_eq!(terms(&ratio(1, 1), 3, 4).unwrap(), [1, 0, 1, 0]);
        assert_eq!(super::period(&ratio(1, 1), 3, 100).unwrap().length, 2);
        assert_eq!(
            super::period(&ratio(1, 1), 2, 100),
            Some(Period {
                before: 0,
                length: 1
            })
        );
    }

    #[test]
    fn the_period_is_the_one_that_is_seen() {
        for (p, q, m) in [
            (7, 3, 2),
            (100, 7, 2),
            (1, 10, 3),
            (22, 9, 6),
            (1000, 1, 10),
            (1, 96, 2),
        ] {
            let Period { before, length } = super::period(&ratio(p, q), m, 100_000).unwrap();
            // in terms of the x(i), the least before and length
            let mut at = Expansion::new(&ratio(p, q), m).unwrap();
            let mut seen: Vec<Rational> = Vec::new();
            loop {
                let x = Rational::new(at.top.clone(), at.bottom.clone());
                if let Some(first) = seen.iter().position(|y| *y == x) {
                    assert_eq!(
                        (before as usize, length as usize),
                        (first, seen.len() - first),
                        "{p}/{q} {m}"
                    );
                    break;
                }
                seen.push(x);
                at.next();
            }
        }
    }
}
