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
//! D obeys Leibniz' rule, so that four values (f, D f, D^2 f, D^3 f) are enough to multiply and
//! divide: [`Blocks`] are H + z^t0 C / (1 - D) as they stand, and residues of pre-period s and
//! period p are blocks of p rolls that all return. For a [`Chain`], h_k(u), the mean of T^k from
//! state u, solves h_k = b_k + P h_k with b_k = sum_{j<k} C(k,j) r^(k-j) P h_j for states of r rolls
//! (Kemeny & Snell 1960, section 3.5, for r = 1). Independent stages add their cumulants.
//!
//! Where the period is long, the sum is enclosed: with s(t) <= n,
//!
//! ```text
//! sum_{t>=K} ((t+1)^j - t^j) s(t) / m^t <= j (K+1)^(j-1) c n / m^K,   c = sum_i (1+i)^3 / 2^i = 52.
//! ```

use super::residues::enclose;
use super::{Blocks, Chain, Law, Next, Residues, Stages, WeightedResidues};
use flipcost_number::real::Real;
use flipcost_number::reduce::reduce;
use flipcost_number::{BigInt, BigUint, Rational};
use num_traits::{One, Zero};
use std::sync::Arc;

/// D^k f at z = 1/m for k = 0, 1, 2, 3.
type Jet = [Rational; 4];

/// C(k, j).
const CHOOSE: [[u32; 5]; 5] = [
    [1, 0, 0, 0, 0],
    [1, 1, 0, 0, 0],
    [1, 2, 1, 0, 0],
    [1, 3, 3, 1, 0],
    [1, 4, 6, 4, 1],
];

fn choose(k: usize, j: usize) -> Rational {
    Rational::from(BigInt::from(CHOOSE[k][j]))
}

/// Of sum c_t z^t, the terms in increasing order of t.
fn polynomial(m: u128, terms: impl Iterator<Item = (u64, BigUint)>) -> Jet {
    let mut sums = [const { BigUint::ZERO }; 4];
    let mut last = 0;
    for (t, count) in terms {
        let step = BigUint::from(m).pow((t - last) as u32); // Horner in m
        let mut term = count;
        for sum in &mut sums {
            *sum = &*sum * &step + &term;
            term *= t;
        }
        last = t;
    }
    let scale = BigUint::from(m).pow(last as u32);
    sums.map(|sum| reduce(&sum, &scale))
}

fn product(a: &Jet, b: &Jet) -> Jet {
    let term = |k: usize, j: usize| choose(k, j) * &a[j] * &b[k - j];
    [0, 1, 2, 3].map(|k| (0..=k).map(|j| term(k, j)).sum())
}

/// a / (1 - b): q with q (1 - b) = a.
fn quotient(a: &Jet, b: &Jet) -> Jet {
    let rest = Rational::one() - &b[0];
    let mut all: Jet = std::array::from_fn(|_| Rational::zero());
    for k in 0..4 {
        let known: Rational = (0..k).map(|j| choose(k, j) * &all[j] * &b[k - j]).sum();
        all[k] = (&a[k] + known) / &rest;
    }
    all
}

/// H + z^t0 C / (1 - D).
fn regenerative(m: u128, head: Jet, t0: u64, block: &Jet, returned: &Jet) -> Jet {
    let shift = polynomial(m, std::iter::once((t0, BigUint::one())));
    let blocks = product(&shift, &quotient(block, returned));
    let mut all = head;
    for (sum, more) in all.iter_mut().zip(blocks) {
        *sum += more;
    }
    all
}

/// Terms with a head of s and then a cycle of p of them.
fn periodic(m: u128, mut terms: impl Iterator<Item = BigUint>, s: u64, p: u64) -> Jet {
    let mut part = |rolls: u64| {
        let terms = (&mut terms).take(rolls as usize);
        polynomial(m, (0..).zip(terms))
    };
    let (head, cycle) = (part(s), part(p));
    let returned = polynomial(m, std::iter::once((p, BigUint::one())));
    regenerative(m, head, s, &cycle, &returned)
}

impl Blocks {
    fn jet(&self) -> Jet {
        let m = self.source();
        let (head, alive, returns) = self.terms();
        let listed = |list: &[BigUint]| polynomial(m, (0..).zip(list.iter().cloned()));
        let returned = returns.iter().map(|(t, count)| (*t as u64, count.clone()));
        let returned = polynomial(m, returned);
        regenerative(
            m,
            listed(head),
            head.len() as u64,
            &listed(alive),
            &returned,
        )
    }
}

/// E[T^j] for j = 0, ..., 4, from the sums W_k.
fn raw(jet: &Jet) -> [Rational; 5] {
    [0, 1, 2, 3, 4].map(|j| match j {
        0 => Rational::one(),
        _ => (0..j).map(|k| choose(j, k) * &jet[k]).sum(),
    })
}

/// Of a chain: E[T^j], j = 0, ..., 4.
fn raw_of_chain(chain: &Chain) -> [Rational; 5] {
    let mut all: [Rational; 5] = std::array::from_fn(|_| Rational::zero());
    all[0] = Rational::one();
    let Next::State(start) = chain.start() else {
        return all;
    };
    let count = chain.len();
    let rolls: Vec<Rational> = (0..count as u32)
        .map(|state| Rational::from(BigInt::from(chain.rolls(state))))
        .collect();
    // P h_j: of the next state; P h_0 is 1
    let mut next: Vec<Vec<Rational>> = vec![vec![Rational::one(); count]];
    for (k, moment) in all.iter_mut().enumerate().skip(1) {
        let reward = |state: usize| -> Rational {
            let mut power = Rational::one();
            let mut sum = Rational::zero();
            for j in (0..k).rev() {
                power *= &rolls[state];
                sum += choose(k, j) * &power * &next[j][state];
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

/// E[(T - E[T])^j] for j = 3, 4.
fn central(raw: &[Rational; 5]) -> [Rational; 2] {
    let mean = &raw[1];
    let of = |j: usize| -> Rational {
        let mut power = Rational::one(); // (-mean)^(j-k)
        let mut sum = Rational::zero();
        for k in (0..=j).rev() {
            sum += choose(j, k) * &raw[k] * &power;
            power *= -mean;
        }
        sum
    };
    [of(3), of(4)]
}

fn central_of_reals(raw: &[Real; 5]) -> [Real; 2] {
    let of = |j: usize| {
        let mut power = Real::integer(1);
        let mut sum = Real::integer(0);
        for k in (0..=j).rev() {
            let term = Real::Exact(choose(j, k)).times(&raw[k]).times(&power);
            sum = sum.plus(&term);
            power = power.times(&Real::integer(0).minus(&raw[1]));
        }
        sum
    };
    [of(3), of(4)]
}

/// The terms s(0), s(1), ... of a law.
type Terms<L> = for<'a> fn(&'a L) -> Box<dyn Iterator<Item = BigUint> + 'a>;

/// E[T^j], j = 0, ..., 4, of a law with terms s(t) <= n and these first two means, enclosed.
fn enclosed<L: Send + Sync + 'static>(
    law: &Arc<L>,
    m: u128,
    n: &BigUint,
    terms: Terms<L>,
    [mean, second]: [Real; 2],
) -> [Real; 5] {
    let of = |j: u32| {
        let (law, n) = (law.clone(), n.clone());
        let sum = move |law: &L, rolls: u64| {
            let mut sum = BigUint::zero();
            for (t, s) in (0..rolls).zip(terms(law)) {
                let powers = BigUint::from(t + 1).pow(j) - BigUint::from(t).pow(j);
                sum = sum * m + s * powers;
            }
            sum
        };
        Real::enclosed(move |bits| {
            let tail = |rolls: u64| BigUint::from(rolls + 1).pow(j - 1) * (52 * j);
            enclose(m, &n, bits, |rolls| sum(&law, rolls), tail)
        })
    };
    [Real::integer(1), mean, second, of(3), of(4)]
}

/// E[T2^j], j = 0, ..., 4, of the second of two stages.
fn second_stage(law: &Stages) -> [Rational; 5] {
    let faces = BigInt::from(law.first().target().clone());
    let mut all = raw(&law.coins().jet());
    all.iter_mut().skip(1).for_each(|moment| *moment /= &faces);
    all
}

impl Law {
    /// `(E[(T - E[T])^3], E[(T - E[T])^4])` as reduced fractions, however large: ask [`Law::size`]
    /// first, which the fourth passes about fourfold. Cost: as [`Law::exact_moments`], for numbers
    /// four times as long; for a [`Chain`], two products more for each entry of its elimination.
    ///
    /// # Panics
    /// As [`Law::exact_mean`].
    ///
    /// ```
    /// use flipcost::prelude::*;
    /// use flipcost_number::Rational;
    /// // A d3 takes 2 flips again and again, each time with probability 3/4: twice a geometric law.
    /// let law = FAST_DICE_ROLLER.law(&Task::new(Source::COIN, Target::uniform(3u8)?))?;
    /// let [third, fourth] = law.exact_central_moments();
    /// assert_eq!(third, Rational::new(160.into(), 27.into())); // 8 (1-p)(2-p) / p^3
    /// assert_eq!(fourth, Rational::new(320.into(), 9.into())); // 16 (1-p)(p^2 - 9p + 9) / p^4
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn exact_central_moments(&self) -> [Rational; 2] {
        match self {
            Law::Blocks(law) => central(&raw(&law.jet())),
            Law::Residues(law) => {
                let (s, p) = law.summed_lengths();
                central(&raw(&periodic(law.source(), law.undecided_nodes(), s, p)))
            }
            Law::Weighted(law) => {
                let (s, p) = law.powers().summed_lengths();
                central(&raw(&periodic(law.source(), law.undecided_nodes(), s, p)))
            }
            Law::Chain(law) => central(&raw_of_chain(law)),
            Law::Doubling(_) | Law::Cuts(_) => panic!("{}", super::NO_FRACTION),
            Law::Stages(law) => {
                let first = Law::Residues(law.first().clone());
                let [third, fourth] = first.exact_central_moments();
                let second = second_stage(law);
                let [more, much] = central(&second);
                let variance = &second[2] - &second[1] * &second[1];
                let both = first.exact_variance() * variance * BigInt::from(6);
                [third + more, fourth + much + both]
            }
        }
    }

    /// The same: exact where the mean is a small fraction, else enclosed. Cost: as [`Law::mean`],
    /// for a sum of four times as many products.
    pub fn central_moments(&self) -> [Real; 2] {
        match self {
            Law::Residues(law) if !law.is_small() => {
                let moments = [self.mean(), self.second_moment()];
                let terms: Terms<Residues> = |law| Box::new(law.undecided_nodes());
                let (m, n) = (law.source(), law.target());
                central_of_reals(&enclosed(law, m, n, terms, moments))
            }
            Law::Weighted(law) if !law.is_small() => {
                let moments = [self.mean(), self.second_moment()];
                let terms: Terms<WeightedResidues> = |law| Box::new(law.undecided_nodes());
                let (m, n) = (law.source(), law.outcomes().into());
                central_of_reals(&enclosed(law, m, &n, terms, moments))
            }
            Law::Stages(law) if !law.first().is_small() => {
                let first = Law::Residues(law.first().clone());
                let [third, fourth] = first.central_moments();
                let second = second_stage(law);
                let [more, much] = central(&second).map(Real::Exact);
                let variance = &second[2] - &second[1] * &second[1];
                let six = Real::Exact(variance * BigInt::from(6));
                let both = first.variance().times(&six);
                [third.plus(&more), fourth.plus(&much).plus(&both)]
            }
            Law::Doubling(law) => {
                let [a, b, c, d] = law.moments();
                central_of_reals(&[Real::integer(1), a, b, c, d])
            }
            Law::Cuts(law) => {
                let [a, b, c, d] = law.moments();
                central_of_reals(&[Real::integer(1), a, b, c, d])
            }
            _ => self.exact_central_moments().map(Real::Exact),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::REGISTRY;
    use crate::task::{Target, Task};

    /// By the chain of the algorithm's own steps, whose states know nothing of the closed form.
    #[test]
    fn every_kind_of_law_has_the_moments_of_its_chain() {
        let mut kinds = [0; 5];
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
            let task = Task::new(crate::task::Source::die(m).unwrap(), target.unwrap());
            for algorithm in REGISTRY {
                let Ok(prepared) = algorithm.prepare(&task) else {
                    continue;
                };
                let Some(law) = prepared.closed_law() else {
                    continue;
                };
                let (chain, _) = prepared.chain(100_000).unwrap();
                let chain = Law::Chain(chain.into()).exact_central_moments();
                let what = format!("{task} by {}", algorithm.about().id);
                assert_eq!(law.exact_central_moments(), chain, "{what}");
                let near = law.central_moments();
                for (near, exact) in near.iter().zip(&chain) {
                    assert!(near.enclose(80).contains(exact), "{what}");
                }
                kinds[match law {
                    Law::Blocks(_) => 0,
                    Law::Residues(_) => 1,
                    Law::Weighted(_) => 2,
                    Law::Stages(_) => 3,
                    Law::Chain(_) => 4,
                    Law::Doubling(_) | Law::Cuts(_) => unreachable!("from fair sources"),
                }] += 1;
            }
        }
        assert!(kinds.iter().all(|count| *count > 1), "{kinds:?}");
    }

    /// Long periods are enclosed; their fractions lie in the enclosures.
    #[test]
    fn enclosures_contain_the_fractions() {
        for (m, target) in [
            (2u8, Target::uniform(1019u32)),
            (6, Target::uniform(1013u32)),
            (2, Target::weighted([3u32, 500, 516])),
        ] {
            let task = Task::new(crate::task::Source::die(m).unwrap(), target.unwrap());
            let optimum = crate::algorithms::find("knuth-yao").unwrap();
            let law = optimum.law(&task).unwrap();
            let exact = law.exact_central_moments();
            for (near, exact) in law.central_moments().iter().zip(&exact) {
                assert!(near.exact().is_none());
                for bits in [10, 60, 300] {
                    assert!(near.enclose(bits).contains(exact), "{task}");
                }
            }
        }
    }

    /// From P(T = t) itself.
    #[test]
    fn a_bounded_law_is_a_finite_sum() {
        // s = 1, 3, 1: P(T = 1) = 0, P(T = 2) = 8/9, P(T = 3) = 1/9
        let head = [1u8, 3, 1].map(BigUint::from).to_vec();
        let law = Law::Blocks(Blocks::new(3, head, vec![], vec![]).into());
        let ratio = |p: i64, q: i64| Rational::new(p.into(), q.into());
        let mean = ratio(19, 9);
        let of = |j: i32| -> Rational {
            let power = |t: i64| num_traits::Pow::pow(ratio(t, 1) - &mean, j);
            power(2) * ratio(8, 9) + power(3) * ratio(1, 9)
        };
        assert_eq!(law.exact_mean(), mean);
        assert_eq!(law.exact_central_moments(), [of(3), of(4)]);
    }
}
