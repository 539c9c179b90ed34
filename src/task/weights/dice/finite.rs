//! Finite laws, stored as the number of combinations of faces for each value.
//!
//! The law of a sum of independent numbers is the product of their generating functions. The
//! coefficients of each function are packed into one long number, wide enough that no coefficient
//! of the product overflows into the next, so that a single product of long numbers is enough
//! (Kronecker 1882).
//!
//! The sum of the kept dice of a pool is computed from the highest face down: if m dice show a
//! higher face, c of the other n - m dice show this face in C(n - m, c) w^c ways. As soon as all
//! kept places are filled, the remaining dice may show any lower face, which contributes a power.

use super::work::{Counts, DiceWork};
use flipcost_number::collect::ordered;
use flipcost_number::grammar::AlgebraError;
use flipcost_number::long::product;
use flipcost_number::rationals::binomials;
use flipcost_number::reduce::from_words;
use flipcost_number::{BigInt, BigUint, Rational};
use num_traits::{One, Pow, Zero};
use std::ops::Range;

/// The law of a single value that is certain.
pub(super) fn certain(value: i64) -> Counts {
    ordered([(value, BigUint::one())])
}

/// The number of steps for each word of a long number in a product.
const STEPS_PER_WORD: u64 = 16;

fn longest_bits(x: &Counts) -> u64 {
    x.values().map(BigUint::bits).max().unwrap_or(0)
}

/// The least and the largest value.
pub(super) fn ends(x: &Counts) -> (i64, i64) {
    let first = x.first_key_value().expect("a law has a value");
    let last = x.last_key_value().expect("a law has a value");
    (*first.0, *last.0)
}

/// The number of combinations.
pub(super) fn total(x: &Counts) -> BigUint {
    x.values().sum()
}

/// Computes the law of the result of an operation on two independent values by going through all
/// pairs.
pub(super) fn pairs(
    x: &Counts,
    y: &Counts,
    operation: impl Fn(i64, i64) -> Result<i64, AlgebraError>,
    work: &mut DiceWork,
) -> Result<Counts, AlgebraError> {
    let words = (longest_bits(x) + longest_bits(y)) / 64 + 1;
    work.add(
        (x.len() as u64)
            .saturating_mul(y.len() as u64)
            .saturating_mul(words),
    )?;
    let mut counts = Counts::new();
    for (a, times) in x {
        for (b, count) in y {
            *counts.entry(operation(*a, *b)?).or_default() += times * count;
        }
    }
    Ok(counts)
}

/// The law of the sum of two independent numbers; `None` if their values are too far apart.
pub(super) fn sum(
    x: &Counts,
    y: &Counts,
    work: &mut DiceWork,
) -> Result<Option<Counts>, AlgebraError> {
    let ((a, b), (c, d)) = (ends(x), ends(y));
    let (Some(first), Some(_)) = (a.checked_add(c), b.checked_add(d)) else {
        return Ok(None);
    };
    let span = |low: i64, high: i64| high.abs_diff(low).saturating_add(1);
    let dense = |x: &Counts, span: u64| span / 4 <= x.len() as u64;
    if !dense(x, span(a, b)) || !dense(y, span(c, d)) {
        return Ok(None);
    }
    // Every coefficient is a sum of at most this many products.
    let terms = x.len().min(y.len()) as u64;
    let words =
        ((longest_bits(x) + longest_bits(y) + u64::from(terms.ilog2()) + 1) / 64 + 1) as usize;
    let places = (span(a, b) + span(c, d)) as usize;
    work.add(
        (places as u64)
            .saturating_mul(words as u64)
            .saturating_mul(STEPS_PER_WORD),
    )?;
    let packed = |x: &Counts| {
        let (low, high) = ends(x);
        let mut all = vec![0u64; (high.abs_diff(low) + 1) as usize * words];
        for (value, count) in x {
            let at = value.abs_diff(low) as usize * words;
            for (place, word) in all[at..].iter_mut().zip(count.iter_u64_digits()) {
                *place = word;
            }
        }
        BigInt::from(from_words(&all))
    };
    let digits = product(&packed(x), &packed(y))
        .into_parts()
        .1
        .to_u64_digits();
    let counts = digits.chunks(words).map(from_words);
    let values = counts.zip(first..).filter(|(count, _)| !count.is_zero());
    Ok(Some(ordered(values.map(|(count, value)| (value, count)))))
}

/// The law of the sum of n >= 1 independent numbers with the same law; `None` as for [`sum`].
pub(super) fn times(
    x: &Counts,
    n: u64,
    work: &mut DiceWork,
) -> Result<Option<Counts>, AlgebraError> {
    // Reserve the work for the whole computation before beginning.
    let (low, high) = ends(x);
    let values = high.abs_diff(low).saturating_mul(n);
    let words = n.saturating_mul(total(x).bits()) / 64 + 1;
    DiceWork { ..*work }.add(values.saturating_mul(words).saturating_mul(STEPS_PER_WORD))?;
    let mut all = x.clone();
    for place in (0..n.ilog2()).rev() {
        let Some(twice) = sum(&all, &all, work)? else {
            return Ok(None);
        };
        all = twice;
        if n >> place & 1 == 1 {
            let Some(more) = sum(&all, x, work)? else {
                return Ok(None);
            };
            all = more;
        }
    }
    Ok(Some(all))
}

/// The law of the sum of the kept dice among n dice with these faces; place 0 is the highest die,
/// and a die adds `worth(face)`.
pub(super) fn kept_sum(
    n: usize,
    faces: &Counts,
    kept: Range<usize>,
    worth: impl Fn(i64) -> i64,
    work: &mut DiceWork,
) -> Result<Counts, AlgebraError> {
    let in_places = |places: Range<usize>| {
        places
            .end
            .min(kept.end)
            .saturating_sub(places.start.max(kept.start)) as i64
    };
    // The entry with index m is the law of the sum of the kept dice if m dice show a higher face
    // than the current one.
    let mut states = vec![Counts::new(); kept.end];
    let mut all = Counts::new();
    match states.first_mut() {
        Some(first) => *first = certain(0),
        None => return Ok(ordered([(0, Pow::pow(total(faces), n))])),
    }
    let mut below = total(faces);
    let words = n as u64 * below.bits() / 64 + 1;
    for (face, weight) in faces.iter().rev() {
        below -= weight;
        for m in (0..kept.end).rev() {
            if states[m].is_empty() {
                continue;
            }
            let left = n - m;
            let state = states[m].clone();
            work.add(
                (left as u64 + (kept.end - m) as u64 * state.len() as u64).saturating_mul(words),
            )?;
            let mut ends = BigUint::zero();
            let mut power = BigUint::one();
            let add = |counts: &mut Counts, places: i64, ways: &BigUint| {
                for (value, count) in &state {
                    *counts.entry(value + places * worth(*face)).or_default() += count * ways;
                }
            };
            for (c, ways) in binomials(left).into_iter().enumerate().skip(1) {
                power *= weight;
                let ways = ways * &power;
                if m + c >= kept.end {
                    ends += ways * Pow::pow(&below, left - c);
                } else {
                    add(&mut states[m + c], in_places(m..m + c), &ways);
                }
            }
            if !ends.is_zero() {
                add(&mut all, in_places(m..n), &ends);
            }
        }
    }
    Ok(all)
}

/// The law of a value that is 1 with this probability, and otherwise 0.
pub(super) fn zero_one_law(p: Rational) -> Counts {
    let all = [(0, Rational::one() - &p), (1, p)];
    let below = all[0].1.denom().magnitude().clone();
    let counts = all.into_iter().filter(|(_, p)| !p.is_zero());
    ordered(counts.map(|(value, p)| {
        (
            value,
            p.numer().magnitude() * (&below / p.denom().magnitude()),
        )
    }))
}

/// The law of the number multiplied by -1.
pub(super) fn negated(x: &Counts, work: &DiceWork) -> Result<Counts, AlgebraError> {
    let negated = |(value, count): (&i64, &BigUint)| Some((value.checked_neg()?, count.clone()));
    let all: Option<Vec<_>> = x.iter().rev().map(negated).collect();
    Ok(ordered(all.ok_or_else(|| work.too_long_series())?))
}
