//! Endless laws, which have infinitely many values: exploding dice, which are rolled again when
//! they show their highest face.
//!
//! The generating function of an endless law is rational: a polynomial divided by factors 1 - c x^a
//! with rational c < 1. So the law of a sum of independent numbers is the product of their
//! functions. Mean and variance are sums over the polynomial and the factors, where each factor
//! contributes a c / (1 - c) and a^2 c / (1 - c)^2. A probability is a term of the series. An
//! operation that combines the terms of two laws value by value, for example the maximum F(v) G(v),
//! has a series of the same kind. First both series are written with the same a, which is possible
//! since 1 - c x^a divides 1 - c^k x^(ak). Then the factors of the result are 1 - c d x^a for all
//! pairs of factors 1 - c x^a and 1 - d x^a. The polynomial of the result is the product of its
//! first terms and these factors.
//!
//! In a pool of n exploding dice of which j continue, all j show their highest face t again with
//! probability c^j, and each of them that is kept adds t. Dice that stop have lower totals than all
//! dice that continue. So for j dice that continue, the sum of the kept dice has the generating
//! function H_j = c^j x^(t k_j) H_j + sum over i < j of C(j, i) c^i x^(t k_i) S_(j-i) H_i. Here k_i
//! is the number of kept dice among the i that continue again, and S_(j-i) is the function of the
//! sum of the kept dice among those that stop. One pass from j = 0 computes all H_j.

use super::finite::{ends, kept_sum, total};
use super::work::{Counts, DiceWork, MAX_TERMS};
use flipcost_number::budget::spend;
use flipcost_number::grammar::{AlgebraError, Operator};
use flipcost_number::rationals::binomials;
use flipcost_number::{BigUint, Rational};
use num_integer::Integer;
use num_traits::{One, Pow, Zero};
use std::ops::Range;

/// The law of `first + i`, or of `-(first + i)` if `is_negated`, where the probability of i is term
/// i of the series.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Endless {
    first: i64,
    above: Vec<Rational>,
    below: Vec<Factor>,
    is_negated: bool,
}

/// The law of a sum of dice, finite or endless.
#[derive(Clone, Debug)]
pub(super) enum SummedLaw {
    Finite(Counts),
    Endless(Endless),
}

/// A factor 1 - c x^a, as (c, a).
type Factor = (Rational, usize);

fn ratio(count: &BigUint, of: &BigUint) -> Rational {
    Rational::new(count.clone().into(), of.clone().into())
}

/// Counts the steps of a product of two fractions; reducing the result takes most of them.
fn spend_on_product(a: &Rational, b: &Rational) {
    let words = (a.denom().bits() + b.denom().bits()) / 64 + 1;
    spend(64 * words * words);
}

fn multiply_polynomials(x: &[Rational], y: &[Rational]) -> Vec<Rational> {
    let mut all = vec![Rational::zero(); (x.len() + y.len()).saturating_sub(1)];
    for (i, a) in x.iter().enumerate().filter(|(_, a)| !a.is_zero()) {
        for (j, b) in y.iter().enumerate().filter(|(_, b)| !b.is_zero()) {
            spend_on_product(a, b);
            all[i + j] += a * b;
        }
    }
    all
}

/// Multiplies the polynomial by these factors, up to `length` terms.
fn multiply_factors(terms: &mut Vec<Rational>, factors: &[Factor], length: usize) {
    for (c, a) in factors {
        terms.resize((terms.len() + a).min(length), Rational::zero());
        for i in (*a..terms.len()).rev() {
            spend_on_product(c, &terms[i - a]);
            let less = c * &terms[i - a];
            terms[i] -= less;
        }
    }
}

/// Rewrites the factors with a common exponent `period`, which must be a multiple of their
/// exponents.
fn raise_to_period(factors: &[Factor], period: usize) -> Vec<Rational> {
    factors
        .iter()
        .map(|(c, a)| Pow::pow(c, period / a))
        .collect()
}

/// Returns the distinct numbers, each with its multiplicity.
fn multiplicities(all: &[Rational]) -> Vec<(Rational, usize)> {
    let mut sorted: Vec<&Rational> = all.iter().collect();
    sorted.sort_unstable();
    let same = sorted.chunk_by(|x, y| x == y);
    same.map(|same| (same[0].clone(), same.len())).collect()
}

impl Endless {
    /// Converts a finite law to this form.
    pub(super) fn of_finite(counts: &Counts, work: &mut DiceWork) -> Result<Endless, AlgebraError> {
        let (first, last) = ends(counts);
        let length = work.terms(last.abs_diff(first).saturating_add(1))?;
        let all = total(counts);
        let mut above = vec![Rational::zero(); length];
        for (value, count) in counts {
            above[value.abs_diff(first) as usize] = ratio(count, &all);
        }
        Ok(Endless {
            first,
            above,
            below: Vec::new(),
            is_negated: false,
        })
    }

    /// The law of the sum of the kept dice among n exploding dice; place 0 is the highest die. The
    /// least face must be at least 1.
    pub(super) fn of_pool(
        n: usize,
        faces: &Counts,
        kept: Range<usize>,
        work: &mut DiceWork,
    ) -> Result<Endless, AlgebraError> {
        let mut stops = faces.clone();
        let (top, weight) = stops.pop_last().expect("a die has a face");
        let all = total(faces);
        let c = ratio(&weight, &all);
        if kept == (0..n) && n > 1 {
            // All dice are kept, so the sum is that of independent dice
            let die = Endless::of_pool(1, faces, 0..1, work)?;
            return (1..n).try_fold(die.clone(), |sum, _| sum.plus(&die, work));
        }
        let kept_of = |j: usize| kept.end.min(j).saturating_sub(kept.start);
        let factor = |j: usize| (Pow::pow(&c, j), top as usize * kept_of(j));
        // The numerators of all H_j; the denominator of H_j is the product of the factors of all i
        // <= j.
        let mut sums = vec![vec![Rational::one()]];
        for j in 1..=n {
            if kept_of(j) == 0 {
                sums.push(vec![Rational::one()]);
                continue;
            }
            let mut sum: Vec<Rational> = Vec::new();
            for (i, ways) in binomials(j).iter().enumerate().take(j) {
                let stopped = j - i;
                let places = kept.start.saturating_sub(i)..kept.end.saturating_sub(i).min(stopped);
                let counts = kept_sum(stopped, &stops, places, |face| face, work)?;
                let ways = Pow::pow(&c, i) * Rational::from_integer(ways.clone().into());
                let above = Pow::pow(&all, stopped);
                let last = ends(&counts).1 as usize;
                let start = top as usize * kept_of(i);
                let mut part = vec![Rational::zero(); start + work.terms(last as u64 + 1)?];
                for (value, count) in &counts {
                    part[start + *value as usize] = ratio(count, &above) * &ways;
                }
                let mut part = multiply_polynomials(&part, &sums[i]);
                let between: Vec<Factor> =
                    (i + 1..j).filter(|k| kept_of(*k) > 0).map(factor).collect();
                multiply_factors(&mut part, &between, usize::MAX);
                work.terms(part.len() as u64)?;
                work.add((part.len() * (1 + between.len()) * n) as u64)?;
                sum.resize(sum.len().max(part.len()), Rational::zero());
                sum.iter_mut()
                    .zip(part)
                    .for_each(|(sum, part)| *sum += part);
            }
            sums.push(sum);
        }
        let below = (1..=n).filter(|j| kept_of(*j) > 0).map(factor).collect();
        let above = sums.pop().expect("one for each number of dice");
        Ok(Endless {
            first: 0,
            above,
            below,
            is_negated: false,
        }
        .trimmed())
    }

    /// The law of the number of counted rolls of an exploding die. `last` is the law of the last
    /// roll: 1 if it counts, otherwise 0. Of the `all` faces, `again` faces make the die roll
    /// again.
    pub(super) fn of_counted_rolls(
        last: &Counts,
        again: &BigUint,
        all: &BigUint,
        counts: bool,
    ) -> Endless {
        let mut above = vec![Rational::zero(); 2];
        for (value, weight) in last {
            above[*value as usize] = ratio(weight, all);
        }
        let c = ratio(again, all);
        let below = if counts {
            vec![(c, 1)]
        } else {
            // If the top face does not count, it has no effect until the die stops.
            let ends = Rational::one() - c;
            above.iter_mut().for_each(|p| *p = &*p / &ends);
            Vec::new()
        };
        Endless {
            first: 0,
            above,
            below,
            is_negated: false,
        }
        .trimmed()
    }

    /// Removes the zeros before the first term of the series.
    fn trimmed(mut self) -> Endless {
        let zeros = self.above.iter().take_while(|term| term.is_zero()).count();
        self.above.drain(..zeros);
        self.first += zeros as i64;
        self
    }

    pub(super) fn negated(mut self) -> Endless {
        self.is_negated = !self.is_negated;
        self
    }

    /// Whether the values are negated, so that the law has no least value.
    pub(super) fn is_negated(&self) -> bool {
        self.is_negated
    }

    /// The law of the sum of two independent numbers. Both must have a least value, or both a
    /// largest one.
    pub(super) fn plus(
        &self,
        other: &Endless,
        work: &mut DiceWork,
    ) -> Result<Endless, AlgebraError> {
        work.terms((self.above.len() + other.above.len()) as u64)?;
        work.add((self.above.len() as u64).saturating_mul(other.above.len() as u64))?;
        let first = self.first.checked_add(other.first);
        Ok(Endless {
            first: first.ok_or_else(|| work.too_long_series())?,
            above: multiply_polynomials(&self.above, &other.above),
            below: [&self.below[..], &other.below].concat(),
            is_negated: self.is_negated,
        })
    }

    /// The law of k times the number, for k >= 1.
    pub(super) fn scaled(&self, k: i64, work: &mut DiceWork) -> Result<Endless, AlgebraError> {
        let k = k as usize;
        let length = work.terms((self.above.len() as u64).saturating_mul(k as u64))?;
        let mut above = vec![Rational::zero(); length];
        above
            .iter_mut()
            .step_by(k)
            .zip(&self.above)
            .for_each(|(to, term)| *to = term.clone());
        let first = self.first.checked_mul(k as i64);
        let below: Vec<Factor> = self.below.iter().map(|(c, a)| (c.clone(), a * k)).collect();
        Ok(Endless {
            first: first.ok_or_else(|| work.too_long_series())?,
            above,
            below,
            is_negated: self.is_negated,
        })
    }

    /// The first terms of the series.
    fn terms(&self, count: usize) -> Vec<Rational> {
        let mut terms: Vec<Rational> = self.above.iter().take(count).cloned().collect();
        terms.resize(count, Rational::zero());
        for (c, a) in &self.below {
            for i in *a..count {
                let more = c * &terms[i - a];
                terms[i] += more;
            }
        }
        terms
    }

    /// The probabilities of all values up to `value`.
    fn up_to(&self, value: i64, work: &mut DiceWork) -> Result<Vec<Rational>, AlgebraError> {
        let count = match value.checked_sub(self.first) {
            Some(last) if last >= 0 => work.terms(last as u64 + 1)?,
            _ => 0,
        };
        work.add((count * (1 + self.below.len())) as u64)?;
        Ok(self.terms(count))
    }

    /// The sum of all terms of the series.
    fn sum(&self) -> Rational {
        let above: Rational = self.above.iter().sum();
        let below: Rational = self
            .below
            .iter()
            .map(|(c, _)| Rational::one() - c)
            .product();
        above / below
    }

    /// Mean and variance.
    pub(super) fn moments(&self) -> (Rational, Rational) {
        let whole = |i: usize| Rational::from_integer(i.into());
        let moment = |power: usize| -> Rational {
            let all = self.above.iter().enumerate();
            all.map(|(i, term)| whole(i.pow(power as u32)) * term).sum()
        };
        let (all, first, second) = (moment(0), moment(1), moment(2));
        let mut mean = &first / &all;
        let mut variance = second / all - &mean * &mean;
        for (c, a) in &self.below {
            let odds = c / (Rational::one() - c);
            mean += whole(*a) * &odds;
            variance += whole(a * a) * &odds * (Rational::one() + odds);
        }
        mean += Rational::from_integer(self.first.into());
        (if self.is_negated { -mean } else { mean }, variance)
    }

    /// Lists values with their probabilities in increasing order, until a probability of less than
    /// `rest` remains, and returns them with this remaining probability. The list begins with the
    /// least value or, if the law has no least value, ends with the largest.
    pub(super) fn values(&self, rest: &Rational) -> (Vec<(i64, Rational)>, Rational) {
        let (mut count, mut left) = (64, Rational::one());
        let mut all = Vec::new();
        loop {
            let known = all.len();
            all = self.terms(count);
            for (i, term) in all.iter().enumerate().skip(known) {
                left -= term;
                if left < *rest {
                    all.truncate(i + 1);
                    let sign = if self.is_negated { -1 } else { 1 };
                    let values = (self.first..).map(|value| sign * value).zip(all);
                    let mut values: Vec<_> = values.filter(|(_, p)| !p.is_zero()).collect();
                    values.sort_unstable_by_key(|(value, _)| *value);
                    return (values, left);
                }
            }
            count *= 2;
        }
    }

    /// The probability that a value satisfies a comparison with an integer.
    pub(super) fn satisfied_probability(
        &self,
        operator: Operator,
        with: i64,
        work: &mut DiceWork,
    ) -> Result<Rational, AlgebraError> {
        let (operator, with) = if self.is_negated {
            let with = with.checked_neg().ok_or_else(|| work.too_long_series())?;
            (operator.mirrored(), with)
        } else {
            (operator, with)
        };
        let terms = self.up_to(with, work)?;
        let at_most: Rational = terms.iter().sum();
        let equal = match with.checked_sub(self.first) {
            Some(last) if last >= 0 => terms[last as usize].clone(),
            _ => Rational::zero(),
        };
        Ok(match operator {
            Operator::Less => at_most - equal,
            Operator::AtMost => at_most,
            Operator::Equal => equal,
            Operator::NotEqual => Rational::one() - equal,
            Operator::AtLeast => Rational::one() - at_most + equal,
            _ => Rational::one() - at_most,
        })
    }

    /// Computes the series whose terms are a function of the terms p and the partial sums F of two
    /// laws. Both must have a least value, or both a largest one.
    fn combine_terms(
        &self,
        other: &Endless,
        term: impl Fn([&Rational; 2], [&Rational; 2]) -> Rational,
        work: &mut DiceWork,
    ) -> Result<Endless, AlgebraError> {
        let first = self.first.min(other.first);
        let [x, y] = [self, other].map(|one| (one, one.first.abs_diff(first)));
        let period = [&x.0.below[..], &y.0.below]
            .concat()
            .iter()
            .fold(1, |period, (_, a)| period.lcm(a));
        let sides = [x.0, y.0].map(|one| {
            // The series of the partial sums also has the factor 1 - x.
            let mut all = raise_to_period(&one.below, period.min(MAX_TERMS));
            all.push(Rational::one());
            multiplicities(&all)
        });
        let mut below = Vec::new();
        for (c, often) in &sides[0] {
            for (d, also) in &sides[1] {
                if !(c.is_one() && d.is_one()) {
                    below.resize(below.len() + often + also - 1, (c * d, period));
                }
            }
        }
        let from = (x.0.above.len() as u64 + x.1).max(y.0.above.len() as u64 + y.1);
        let length = work
            .terms(from.saturating_add((period as u64).saturating_mul(below.len() as u64 + 1)))?;
        work.add((length * (2 + below.len())) as u64)?;
        let terms = [x, y].map(|(one, zeros)| {
            let mut terms = vec![Rational::zero(); (zeros as usize).min(length)];
            terms.extend(one.terms(length - terms.len()));
            terms
        });
        let mut sums = [Rational::zero(), Rational::zero()];
        let pairs = terms[0].iter().zip(&terms[1]);
        let mut above: Vec<Rational> = pairs
            .map(|(p, q)| {
                sums[0] += p;
                sums[1] += q;
                term([p, q], [&sums[0], &sums[1]])
            })
            .collect();
        multiply_factors(&mut above, &below, length);
        Ok(Endless {
            first,
            above,
            below,
            is_negated: self.is_negated,
        }
        .trimmed())
    }

    /// The law of the larger of two independent numbers, or of the smaller.
    pub(super) fn larger_or_smaller(
        &self,
        other: &Endless,
        larger: bool,
        work: &mut DiceWork,
    ) -> Result<Endless, AlgebraError> {
        let one = Rational::one;
        if larger != self.is_negated {
            // F G - (F - p) (G - q)
            self.combine_terms(other, |[p, q], [f, g]| f * g - (f - p) * (g - q), work)
        } else {
            let before = |p: &Rational, f: &Rational| one() - f + p;
            self.combine_terms(
                other,
                |[p, q], [f, g]| before(p, f) * before(q, g) - (one() - f) * (one() - g),
                work,
            )
        }
    }

    /// The law of the minimum of a number with a least value and a number with a finite law; the
    /// result is finite.
    pub(super) fn minimum_with(
        &self,
        by: &Endless,
        work: &mut DiceWork,
    ) -> Result<Vec<(i64, Rational)>, AlgebraError> {
        let last = by.first + by.above.len() as i64 - 1;
        let first = self.first.min(by.first);
        let aligned = |one: &Endless, work: &mut DiceWork| {
            let mut terms = vec![Rational::zero(); work.terms(one.first.abs_diff(first))?];
            terms.extend(one.up_to(last, work)?);
            Ok(terms)
        };
        let (x, y) = (aligned(self, work)?, aligned(by, work)?);
        let (mut f, mut g) = (Rational::one(), Rational::one());
        let pairs = x.into_iter().zip(y).map(|(p, q)| {
            let before = &f * &g;
            f -= p;
            g -= q;
            before - &f * &g
        });
        let values = (first..)
            .zip(pairs)
            .map(|(value, p)| (if self.is_negated { -value } else { value }, p));
        Ok(values.filter(|(_, p)| !p.is_zero()).collect())
    }

    /// The probability that a number satisfies a comparison with another independent number. Both
    /// must have a least value, or both a largest one.
    pub(super) fn comparison_probability(
        &self,
        operator: Operator,
        other: &Endless,
        work: &mut DiceWork,
    ) -> Result<Rational, AlgebraError> {
        let operator = if self.is_negated {
            operator.mirrored()
        } else {
            operator
        };
        let less = |[p, _]: [&Rational; 2], [_, g]: [&Rational; 2]| p * (Rational::one() - g);
        let equal = |[p, q]: [&Rational; 2], _: [&Rational; 2]| p * q;
        let rest = |p: Rational| Rational::one() - p;
        Ok(match operator {
            Operator::Less => self.combine_terms(other, less, work)?.sum(),
            Operator::Greater => other.combine_terms(self, less, work)?.sum(),
            Operator::AtMost => rest(other.combine_terms(self, less, work)?.sum()),
            Operator::AtLeast => rest(self.combine_terms(other, less, work)?.sum()),
            Operator::Equal => self.combine_terms(other, equal, work)?.sum(),
            _ => rest(self.combine_terms(other, equal, work)?.sum()),
        })
    }
}
