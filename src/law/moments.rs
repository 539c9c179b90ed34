//! The third and fourth central moments of a law, `E[(T - E[T])^3]` and `E[(T - E[T])^4]`.
//!
//! With the operator D = z d/dz and S(z) = sum_t s(t) z^t, the sums W_k = sum_t t^k s(t) / m^t are
//! D^k S at z = 1/m, and summing (t+1)^j - t^j over all t < T gives
//!
//! ```text
//! E[T]   = W_0                      E[T^3] = 3 W_2 + 3 W_1 + W_0
//! E[T^2] = 2 W_1 + W_0              E[T^4] = 4 W_3 + 6 W_2 + 4 W_1 + W_0.
//! ```
//!
//! Since D satisfies Leibniz' rule, four values (f, D f, D^2 f, D^3 f) are enough to multiply and
//! divide functions. For [`super::Blocks`], S = H + z^t0 C / (1 - D); residues of pre-period s and
//! period p are a head of s rolls and blocks of p rolls. For a [`Chain`], the mean h_k(u) of T^k
//! from state u solves h_k = b_k + P h_k with b_k = sum_{j<k} C(k,j) r^(k-j) P h_j for states of r
//! rolls (Kemeny & Snell 1960, section 3.5, for r = 1). For independent stages the cumulants are
//! added.
//!
//! If the period is long, the sum is enclosed. Since s(t) <= n,
//!
//! ```text
//! sum_{t>=K} ((t+1)^j - t^j) s(t) / m^t <= j (K+1)^(j-1) c n / m^K,   c = sum_i (1+i)^3 / 2^i = 52.
//! ```

use super::{Chain, FractionSize, Law, Next};
use flipcost_number::Real;
use flipcost_number::reduce::reduce;
use flipcost_number::{BigInt, BigUint, Rational};
use num_traits::{One, Zero};
use std::ops::{Add, Mul};

/// The values D^k f at z = 1/m for k = 0, 1, 2, 3.
type Jet = [Rational; 4];

/// C(k, j).
const BINOMIALS: [[u32; 5]; 5] = [
    [1, 0, 0, 0, 0],
    [1, 1, 0, 0, 0],
    [1, 2, 1, 0, 0],
    [1, 3, 3, 1, 0],
    [1, 4, 6, 4, 1],
];

fn binomial_fraction(k: usize, j: usize) -> Rational {
    Rational::from(BigInt::from(BINOMIALS[k][j]))
}

/// The jet of sum c_t z^t; the terms must come in increasing order of t.
fn polynomial_jet(m: &BigUint, terms: impl Iterator<Item = (u64, BigUint)>) -> Jet {
    let mut sums = [const { BigUint::ZERO }; 4];
    let mut last = 0;
    for (t, count) in terms {
        let step = m.pow((t - last) as u32); // Horner in m
        let mut term = count;
        for sum in &mut sums {
            *sum = &*sum * &step + &term;
            term *= t;
        }
        last = t;
    }
    let scale = m.pow(last as u32);
    sums.map(|sum| reduce(&sum, &scale))
}

fn jet_product(a: &Jet, b: &Jet) -> Jet {
    let term = |k: usize, j: usize| binomial_fraction(k, j) * &a[j] * &b[k - j];
    [0, 1, 2, 3].map(|k| (0..=k).map(|j| term(k, j)).sum())
}

/// The jet of a / (1 - b): the q with q (1 - b) = a.
fn jet_quotient(a: &Jet, b: &Jet) -> Jet {
    let rest = Rational::one() - &b[0];
    let mut all: Jet = std::array::from_fn(|_| Rational::zero());
    for k in 0..4 {
        let known: Rational = (0..k)
            .map(|j| binomial_fraction(k, j) * &all[j] * &b[k - j])
            .sum();
        all[k] = (&a[k] + known) / &rest;
    }
    all
}

/// The jet of H + z^t0 C / (1 - D).
fn regenerative_jet(m: &BigUint, head: Jet, t0: u64, block: &Jet, returned: &Jet) -> Jet {
    let shift = polynomial_jet(m, std::iter::once((t0, BigUint::one())));
    let blocks = jet_product(&shift, &jet_quotient(block, returned));
    let mut all = head;
    for (sum, more) in all.iter_mut().zip(blocks) {
        *sum += more;
    }
    all
}

/// E[T^j], j = 0, ..., 4, for undecided nodes with a head of s terms and then a cycle of p terms.
pub(super) fn of_period(
    m: u128,
    mut terms: impl Iterator<Item = BigUint>,
    (s, p): (u64, u64),
) -> [Rational; 5] {
    let m = &BigUint::from(m);
    let mut part = |rolls: u64| {
        let terms = (&mut terms).take(rolls as usize);
        polynomial_jet(m, (0..).zip(terms))
    };
    let (head, cycle) = (part(s), part(p));
    let returned = polynomial_jet(m, std::iter::once((p, BigUint::one())));
    power_moments(&regenerative_jet(m, head, s, &cycle, &returned))
}

/// E[T^j], j = 0, ..., 4, from the parts of [`super::Blocks`].
pub(super) fn of_blocks(
    m: &BigUint,
    (head, alive, returns): (&[BigUint], &[BigUint], &[(usize, BigUint)]),
) -> [Rational; 5] {
    let listed = |list: &[BigUint]| polynomial_jet(m, (0..).zip(list.iter().cloned()));
    let returned = returns.iter().map(|(t, count)| (*t as u64, count.clone()));
    let (returned, t0) = (polynomial_jet(m, returned), head.len() as u64);
    power_moments(&regenerative_jet(
        m,
        listed(head),
        t0,
        &listed(alive),
        &returned,
    ))
}

/// E[T^j] for j = 0, ..., 4, from the sums W_k.
fn power_moments(jet: &Jet) -> [Rational; 5] {
    [0, 1, 2, 3, 4].map(|j| match j {
        0 => Rational::one(),
        _ => (0..j).map(|k| binomial_fraction(j, k) * &jet[k]).sum(),
    })
}

/// E[T^j], j = 0, ..., 4, for a chain.
pub(super) fn of_chain(chain: &Chain) -> [Rational; 5] {
    let mut all: [Rational; 5] = std::array::from_fn(|_| Rational::zero());
    all[0] = Rational::one();
    let Next::State(start) = chain.start() else {
        return all;
    };
    let count = chain.len();
    let rolls: Vec<Rational> = (0..count as u32)
        .map(|state| Rational::from(BigInt::from(chain.rolls(state))))
        .collect();
    // P h_j, the mean of h_j at the next state, for each j; P h_0 is 1.
    let mut next: Vec<Vec<Rational>> = vec![vec![Rational::one(); count]];
    for (k, moment) in all.iter_mut().enumerate().skip(1) {
        let reward = |state: usize| -> Rational {
            let mut power = Rational::one();
            let mut sum = Rational::zero();
            for j in (0..k).rev() {
                power *= &rolls[state];
                sum += binomial_fraction(k, j) * &power * &next[j][state];
            }
            sum
        };
        let rewards: Vec<Rational> = (0..count).map(reward).collect();
        let means = chain.sums_of_rewards(rewards.clone());
        *moment = means[start as usize].clone();
        next.push(means.iter().zip(&rewards).map(|(h, b)| h - b).collect());
    }
    all
}

fn sum<T>(terms: impl Iterator<Item = T>) -> T
where
    T: From<Rational>,
    for<'a> &'a T: Add<&'a T, Output = T>,
{
    terms.fold(T::from(Rational::zero()), |sum, term| &sum + &term)
}

/// The central moments E[(T - E[T])^j], j = 3, 4, from E[T^j], j = 0, ..., 4.
fn central<T>(powers: &[T; 5]) -> [T; 2]
where
    T: From<Rational>,
    for<'a> &'a T: Add<&'a T, Output = T> + Mul<&'a T, Output = T>,
{
    let less = &powers[1] * &T::from(-Rational::one());
    [3, 4].map(|j| {
        let mut factor = T::from(Rational::one()); // (-mean)^(j-k)
        sum((0..=j).rev().map(|k| {
            let term = &(&T::from(binomial_fraction(j, k)) * &powers[k]) * &factor;
            factor = &factor * &less;
            term
        }))
    })
}

/// E[(T1 + T2)^j], j = 0, ..., 4, for independent T1 and T2.
pub(super) fn of_sum<T>(first: &[T; 5], second: &[T; 5]) -> [T; 5]
where
    T: From<Rational>,
    for<'a> &'a T: Add<&'a T, Output = T> + Mul<&'a T, Output = T>,
{
    let term =
        |j: usize, k: usize| &(&T::from(binomial_fraction(j, k)) * &first[k]) * &second[j - k];
    [0, 1, 2, 3, 4].map(|j| sum((0..=j).map(|k| term(j, k))))
}

impl Law {
    /// `(E[(T - E[T])^3], E[(T - E[T])^4])` as reduced fractions, if [`Law::size`] is at most
    /// `most_bits`; the fourth moment has about four times as many bits. Cost: as
    /// [`Law::variance`], for numbers four times as long; for a [`Chain`], two more products for
    /// each entry of its elimination.
    ///
    /// # Errors
    /// As [`Law::mean_up_to`].
    pub(crate) fn central_moments_up_to(
        &self,
        most_bits: u128,
    ) -> Result<[Rational; 2], FractionSize> {
        self.fraction_up_to(most_bits, |kind| Ok(central(&kind.exact_powers()?)))
    }

    /// `(E[(T - E[T])^3], E[(T - E[T])^4])`: exact if the mean is a small fraction, otherwise
    /// enclosed. Cost: as [`Law::mean_real`], for a sum with four times as many products.
    ///
    /// ```
    /// use flipcost::prelude::*;
    /// // A d3 takes attempts of 2 flips, accepted with probability 3/4: twice a geometric law.
    /// let law = FAST_DICE_ROLLER.law(&Task::die(3, Source::COIN)?)?;
    /// let [third, fourth] = law.central_moments_real();
    /// assert_eq!(third, Rational::new(160.into(), 27.into())); // 8 (1-p)(2-p) / p^3
    /// assert_eq!(fourth, Rational::new(320.into(), 9.into())); // 16 (1-p)(p^2 - 9p + 9) / p^4
    /// # Ok::<(), flipcost::Error>(())
    /// ```
    pub fn central_moments_real(&self) -> [Real; 2] {
        let [a, b, c, d] = self.0.clone().moments();
        central(&[Real::integer(1), a, b, c, d])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::REGISTRY;
    use crate::law::Blocks;
    use crate::task::{Target, Task};
    use std::collections::BTreeMap;

    /// Compares the moments with those of the chain of the algorithm's steps, which does not use
    /// the closed form.
    #[test]
    fn every_kind_of_law_has_the_moments_of_its_chain() {
        let mut kinds = BTreeMap::new();
        for (m, target) in [
            (2u8, Target::uniform(6u8)),
            (2, Target::uniform(11u8)),
            (2, Target::uniform(8u8)),
            (3, Target::uniform(7u8)),
            (6, Target::uniform(10u8)),
            (2, Target::weighted([1u8, 2, 3])),
            (2, Target::weighted([4u8, 7, 8])),
            (3, Target::weighted([1u8, 1, 3])),
        ] {
            let task = Task::new(target.unwrap(), crate::task::Source::die(m).unwrap());
            for algorithm in REGISTRY {
                let Ok(prepared) = algorithm.prepare(&task) else {
                    continue;
                };
                let Some(law) = prepared.closed_law() else {
                    continue;
                };
                let (chain, _) = prepared.chain(100_000).unwrap();
                let chain = Law::from(chain).central_moments_up_to(u128::MAX).unwrap();
                let what = format!("{task} by {}", algorithm.about().id);
                assert_eq!(
                    law.central_moments_up_to(u128::MAX).as_ref(),
                    Ok(&chain),
                    "{what}"
                );
                let near = law.central_moments_real();
                for (near, exact) in near.iter().zip(&chain) {
                    assert!(near.enclose(80).contains(exact), "{what}");
                }
                *kinds.entry(law.0.name()).or_insert(0) += 1;
            }
        }
        assert!(
            kinds.len() == 4 && kinds.values().all(|count| *count > 1),
            "{kinds:?}"
        );
    }

    /// Long periods are enclosed; the exact fractions lie in the enclosures.
    #[test]
    fn enclosures_contain_the_fractions() {
        for (m, target) in [
            (2u8, Target::uniform(1019u32)),
            (6, Target::uniform(1013u32)),
            (2, Target::weighted([3u32, 500, 516])),
        ] {
            let task = Task::new(target.unwrap(), crate::task::Source::die(m).unwrap());
            let optimum = crate::algorithms::find("knuth-yao").unwrap();
            let law = optimum.law(&task).unwrap();
            let exact = law.central_moments_up_to(u128::MAX).unwrap();
            for (near, exact) in law.central_moments_real().iter().zip(&exact) {
                assert!(near.exact().is_none());
                for bits in [10, 60, 300] {
                    assert!(near.enclose(bits).contains(exact), "{task}");
                }
            }
        }
    }

    /// Compares the moments with the sums over P(T = t).
    #[test]
    fn a_bounded_law_is_a_finite_sum() {
        // s = 1, 3, 1: P(T = 1) = 0, P(T = 2) = 8/9, P(T = 3) = 1/9
        let head = [1u8, 3, 1].map(BigUint::from).to_vec();
        let law = Law::from(Blocks::new(3u8, head, vec![], vec![]));
        let ratio = |p: i64, q: i64| Rational::new(p.into(), q.into());
        let mean = ratio(19, 9);
        let of = |j: i32| -> Rational {
            let power = |t: i64| num_traits::Pow::pow(ratio(t, 1) - &mean, j);
            power(2) * ratio(8, 9) + power(3) * ratio(1, 9)
        };
        assert_eq!(law.mean().as_ref(), Ok(&mean));
        assert_eq!(law.central_moments_up_to(u128::MAX), Ok([of(3), of(4)]));
    }
}
