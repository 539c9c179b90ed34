//! The MR-expansion of a positive rational (Layman, OEIS A136042-A136044, A158379).
//!
//! For a base m >= 2 and x(1) = x > 0:
//!
//! ```text
//! s(i) = the least d >= 0 with m^d x(i) > 1      (strict)
//! x(i+1) = m^d x(i) - 1
//! ```
//!
//! The denominators of all x(i) differ from that of x only by powers of m, and as soon as one x(i)
//! is at most m - 1, so are all later ones. Therefore the expansion of a rational is eventually
//! periodic.

use super::real::Real;
use super::{BigInt, BigUint, Rational};
use crate::budget::spend;
use num_traits::{One, Signed, Zero};

/// The expansion of x in base m, term by term. Each term costs O(log) products of the length of x.
#[derive(Clone, Debug)]
pub(crate) struct Expansion {
    /// x(i) = top / bottom.
    top: BigInt,
    bottom: BigInt,
    base: u64,
}

impl Expansion {
    /// The expansion of x > 0 in base m >= 2; `None` for other x or m.
    pub(crate) fn new(x: &Rational, base: u64) -> Option<Self> {
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
        let d = multiply_tops([&mut self.top], &self.bottom, self.base);
        self.top -= &self.bottom;
        Some(d)
    }
}

/// Multiplies the tops, which are positive and in increasing order, by the least power of the base
/// that makes the last top exceed the bottom; returns the exponent. While the lengths alone show
/// that several factors are needed, these are combined into one product. Cost: O(log) products of
/// the length of the bottom.
fn multiply_tops<const N: usize>(mut tops: [&mut BigInt; N], bottom: &BigInt, base: u64) -> u64 {
    let most = u64::BITS - (base - 1).leading_zeros(); // base <= 2^most
    let mut d = 0;
    spend(bottom.bits() / 32 + 8);
    while *tops[N - 1] <= *bottom {
        // After this many factors the top is still below 2^(bits of the bottom - 1).
        let spare = bottom.bits() - tops[N - 1].bits();
        let many = (spare.saturating_sub(1) / u64::from(most)).max(1);
        let many = many.min(u32::MAX.into()) as u32;
        if base.is_power_of_two() {
            let shift = u64::from(many) * u64::from(most);
            tops.iter_mut().for_each(|top| **top <<= shift);
        } else {
            let power = BigInt::from(base).pow(many);
            tops.iter_mut().for_each(|top| **top *= &power);
        }
        d += u64::from(many);
    }
    d
}

/// The pre-period and the period of an expansion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Period {
    /// The number of terms before the expansion repeats.
    pub before: BigUint,
    /// The number of terms in one period.
    pub length: u64,
}

/// The number of terms between two calls of `go_on` in a search.
const TERMS_BETWEEN_CALLS: u64 = 1 << 12;

/// Finds the period of the expansion of x, by Brent's cycle search over the x(i); `None` if it is
/// not found within `most` terms.
///
/// While x > m, the expansion only subtracts 1; those terms are skipped in one step. The search
/// calls `go_on` from time to time; if `go_on` returns false, the search ends with `None`.
pub fn period(
    x: &Rational,
    base: u64,
    most: u64,
    mut go_on: impl FnMut() -> bool,
) -> Option<Period> {
    let mut start = Expansion::new(x, base)?;
    // x(i) > 1 gives the term 0 and x - 1: every such x except the last comes before the cycle.
    let units = (&start.top - BigInt::one()) / &start.bottom - BigInt::from(base);
    let skipped = if units.is_positive() {
        units
    } else {
        BigInt::zero()
    };
    start.top -= &skipped * &start.bottom;
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
        if steps > most || (steps.is_multiple_of(TERMS_BETWEEN_CALLS) && !go_on()) {
            return None;
        }
    }
    let (mut slow, mut fast) = (start.clone(), start);
    for step in 1..=length {
        fast.next();
        if step.is_multiple_of(TERMS_BETWEEN_CALLS) && !go_on() {
            return None;
        }
    }
    let mut met = 0u64;
    while slow.top != fast.top {
        slow.next();
        fast.next();
        met += 1;
        if met.is_multiple_of(TERMS_BETWEEN_CALLS) && !go_on() {
            return None;
        }
    }
    let before = skipped.magnitude() + met;
    Some(Period { before, length })
}

/// The first terms, at most `count`.
pub(crate) fn terms(x: &Rational, base: u64, count: usize) -> Option<Vec<u64>> {
    Some(Expansion::new(x, base)?.take(count).collect())
}

/// The error if no enclosure decided a term: some x(i) may be exactly a power of the base.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "term {term} cannot be decided: the number may lie exactly on a boundary, and enclosures of {bits} bits did not decide"
)]
pub struct UndecidedTerm {
    /// The index of the term, counted from 1.
    pub(crate) term: usize,
    /// The number of bits of the last attempt.
    pub(crate) bits: u64,
}

/// Computes the first `count` terms of the expansion of a real x > 0, from enclosures that are
/// narrowed until every term is determined.
///
/// A term is accepted only if both ends of the interval [low, high] give the same term; the
/// interval then becomes [m^d low - 1, m^d high - 1]. Each attempt starts again with twice the
/// bits, so the work is O(count) products of the length that is finally needed.
///
/// # Errors
/// [`UndecidedTerm`] if a term is still undecided at the highest precision that was tried.
///
/// # Panics
/// If base < 2.
pub fn terms_of_real(x: &Real, base: u64, count: usize) -> Result<Vec<u64>, UndecidedTerm> {
    assert!(base >= 2, "a base is at least 2, not {base}");
    if let Real::Exact(x) = x {
        let terms = terms(x, base, count);
        return terms.ok_or(UndecidedTerm { term: 1, bits: 0 });
    }
    let (mut bits, mut before) = (256, 0);
    loop {
        let terms = decided_terms(x, base, count, bits);
        if terms.len() == count {
            return Ok(terms);
        }
        // If even this doubled precision decides no further term, more bits will not help.
        if terms.len() == before && bits >= 1 << 15 {
            return Err(UndecidedTerm {
                term: before + 1,
                bits,
            });
        }
        before = terms.len();
        bits *= 2;
    }
}

/// The first terms, as long as both ends of an enclosure give the same term.
fn decided_terms(x: &Real, base: u64, count: usize, bits: u64) -> Vec<u64> {
    let interval = x.enclose(bits);
    let unit = BigInt::one() << interval.bits;
    let (mut low, mut high) = (interval.low, interval.high);
    let mut terms = Vec::new();
    while terms.len() < count && low.is_positive() {
        let d = multiply_tops([&mut low, &mut high], &unit, base);
        if low <= unit {
            break;
        }
        low -= &unit;
        high -= &unit;
        terms.push(d);
    }
    terms
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(p: i64, q: i64) -> Rational {
        Rational::new(p.into(), q.into())
    }

    #[test]
    fn the_expansion_of_e() {
        use crate::constant::Constant;
        // OEIS A136044 is MR(e, 2), although its title suggests MR(e - 2, 2).
        let of = |text: &str, count| {
            let x = Constant::positive(text).unwrap();
            terms_of_real(x.value(), 2, count).unwrap()
        };
        let e = of("e", 55);
        assert_eq!(e[..16], [0, 0, 1, 2, 1, 2, 1, 1, 1, 1, 1, 5, 2, 2, 4, 2]);
        assert_eq!(of("e-2", 53), e[2..]);
        let long = of("e", 5000);
        assert_eq!((long.len(), &long[..55]), (5000, &e[..]));
    }

    #[test]
    fn a_term_on_the_edge_is_reported_not_guessed() {
        use crate::constant::Constant;
        // The value is exactly 1/4, but this is not known, so the strict inequality cannot be
        // decided.
        let x = Constant::positive("e - e + 1/4").unwrap();
        let error = terms_of_real(x.value(), 2, 5).unwrap_err();
        assert_eq!(error.term, 1);
    }

    #[test]
    fn the_expansion_of_1_over_29() {
        // OEIS A136042
        let period = [5, 4, 1, 2, 3, 1, 1, 1, 2, 1, 1, 3, 2, 1];
        let twice: Vec<u64> = period.iter().chain(&period).copied().collect();
        assert_eq!(terms(&ratio(1, 29), 2, 28).unwrap(), twice);
        assert_eq!(
            super::period(&ratio(1, 29), 2, 100, || true),
            Some(Period {
                before: BigUint::ZERO,
                length: 14
            })
        );
    }

    /// The expansion of 1/m^k begins with the term k + 1, which leaves m - 1; its powers of m are
    /// not computed one by one.
    #[test]
    fn long_powers_take_few_products() {
        for (base, k) in [
            (2u64, 1_000_000u32),
            (3, 200_000),
            (6, 200_000),
            (1 << 32, 20_000),
        ] {
            let x = Rational::new_raw(1.into(), BigInt::from(base).pow(k));
            let found = terms(&x, base, 2).unwrap();
            let second = u64::from(base == 2);
            assert_eq!(found, [u64::from(k) + 1, second]);
        }
    }

    #[test]
    fn strictness_shows_at_powers_of_the_base() {
        // 1/1 in base 3 is 1, 0, 1, 0, ... (OEIS A158379)
        assert_eq!(terms(&ratio(1, 1), 3, 4).unwrap(), [1, 0, 1, 0]);
        assert_eq!(
            super::period(&ratio(1, 1), 3, 100, || true).unwrap().length,
            2
        );
        assert_eq!(
            super::period(&ratio(1, 1), 2, 100, || true),
            Some(Period {
                before: BigUint::ZERO,
                length: 1
            })
        );
    }

    #[test]
    fn the_period_agrees_with_listed_terms() {
        for (p, q, m) in [
            (7, 3, 2),
            (100, 7, 2),
            (1, 10, 3),
            (22, 9, 6),
            (1000, 1, 10),
            (1, 96, 2),
        ] {
            let Period { before, length } =
                super::period(&ratio(p, q), m, 100_000, || true).unwrap();
            // Compared with the x(i): the least start and the least length of the cycle.
            let mut at = Expansion::new(&ratio(p, q), m).unwrap();
            let mut seen: Vec<Rational> = Vec::new();
            loop {
                let x = Rational::new(at.top.clone(), at.bottom.clone());
                if let Some(first) = seen.iter().position(|y| *y == x) {
                    assert_eq!(
                        (before, length as usize),
                        (first.into(), seen.len() - first),
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
