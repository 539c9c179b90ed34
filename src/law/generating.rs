//! The probability generating function of a law, `E[z^T]`, for z from 0 to 1.
//!
//! With S(x) = sum_t s(t) x^t, summing z^t - z^(t+1) over all t < T gives
//!
//! ```text
//! E[z^T] = 1 - (1 - z) S(z/m).
//! ```
//!
//! For [`super::Blocks`], S = H + x^t0 C / (1 - D) as in [`super::moments`]; residues of pre-period
//! s and period p are a head of s rolls and blocks of p rolls. For independent stages the functions
//! are multiplied. For a [`Chain`], E[z^T] is the probability that the chain ends normally if each
//! roll stops it with probability 1 - z (van Dantzig's collective marks).

use super::{Branch, Chain, ChainState, FractionSize, Law, Next};
use flipcost_number::{BigInt, BigUint, Rational};
use num_traits::{One, Zero};

/// Computes sum_t c_t x^t. Cost: proportional to the total length of all partial sums.
fn sum_series(x: &Rational, terms: impl Iterator<Item = BigUint>) -> Rational {
    let (p, q) = (x.numer().magnitude(), x.denom().magnitude());
    let (mut sum, mut power, mut scale) = (BigUint::ZERO, BigUint::one(), BigUint::one());
    for count in terms {
        sum = sum * q + count * &power; // Horner in q
        power *= p;
        scale *= q;
    }
    Rational::new(BigInt::from(sum * q), scale.into())
}

/// 1 - (1 - z) S(z/m).
fn function_from_series(z: &Rational, sum: Rational) -> Rational {
    Rational::one() - (Rational::one() - z) * sum
}

/// The function for a sequence of undecided nodes: a head of s terms, and then a cycle of p terms.
pub(super) fn of_period(
    m: u128,
    mut terms: impl Iterator<Item = BigUint>,
    (s, p): (u64, u64),
    z: &Rational,
) -> Rational {
    let x = z / BigInt::from(m);
    let head = sum_series(&x, (&mut terms).take(s as usize));
    let cycle = sum_series(&x, terms.take(p as usize));
    let power = |t: u64| num_traits::pow(x.clone(), t as usize);
    function_from_series(z, head + power(s) * cycle / (Rational::one() - power(p)))
}

/// The function for the parts of [`super::Blocks`], if the blocks start with probability 1 /
/// `rarity` and otherwise T = 0.
pub(super) fn of_blocks(
    m: &BigUint,
    (head, alive, returns): (&[BigUint], &[BigUint], &[(usize, BigUint)]),
    z: &Rational,
    rarity: &BigInt,
) -> Rational {
    let x = z / BigInt::from(m.clone());
    let power = |t: usize| num_traits::pow(x.clone(), t);
    let returned = |(t, count): &(usize, BigUint)| power(*t) * BigInt::from(count.clone());
    let returned: Rational = returns.iter().map(returned).sum();
    let alive = sum_series(&x, alive.iter().cloned()) / (Rational::one() - returned);
    let sum = sum_series(&x, head.iter().cloned()) + power(head.len()) * alive;
    function_from_series(z, sum / rarity)
}

/// The probability that the chain ends normally, if each roll stops it with probability 1 - z, 0 <
/// z < 1.
pub(super) fn of_chain(law: &Chain, z: &Rational) -> Rational {
    let (lives, all) = (z.numer().magnitude(), z.denom().magnitude());
    let state = |state: u32| {
        let rolls = law.rolls(state);
        let (survives, of) = (lives.pow(rolls), all.pow(rolls));
        let (next, total) = law.transitions(state);
        let branch = |(next, weight): (Next, BigUint)| Branch {
            weight: weight * &survives,
            next: match next {
                Next::Outcome(_) => Next::Outcome(0),
                state => state,
            },
        };
        let killed = Branch {
            weight: total * (of - &survives),
            next: Next::Outcome(1),
        };
        ChainState {
            rolls,
            branches: next.into_iter().map(branch).chain([killed]).collect(),
        }
    };
    let start = match law.start() {
        Next::Outcome(_) => return Rational::one(),
        state => state,
    };
    let states = (0..law.len() as u32).map(state).collect();
    let chain = Chain::new(start, states, vec![BigUint::ZERO, BigUint::one()]);
    let mut ends = chain.expect("every state can be killed").probabilities();
    ends.remove(&BigUint::ZERO).unwrap_or_default()
}

impl Law {
    /// `E[z^T]` as a reduced fraction, for 0 <= z <= 1. Cost: as [`Law::mean_up_to`], but the
    /// numbers are longer by the length of z for every roll of the head and the block.
    ///
    /// # Errors
    /// As [`Law::mean_up_to`].
    ///
    /// # Panics
    /// If z is not between 0 and 1.
    ///
    /// ```
    /// use flipcost::prelude::*;
    /// use flipcost::number::Rational;
    /// // A d3 takes attempts of 2 flips, each accepted with probability 3/4.
    /// let law = FAST_DICE_ROLLER.law(&Task::new(Target::uniform(3u8)?, Source::COIN))?;
    /// let half = Rational::new(1.into(), 2.into());
    /// assert_eq!(law.generating_function(&half).unwrap().to_string(), "1/5"); // (3/4 z^2) / (1 - z^2/4)
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn generating_function(&self, z: &Rational) -> Result<Rational, FractionSize> {
        let one = Rational::one();
        assert!(*z >= Rational::zero() && *z <= one, "z is within 0 to 1");
        if *z == one {
            return Ok(one);
        }
        if z.is_zero() {
            let decided = |first: BigUint| first.is_zero();
            let at_once = self.undecided_nodes().0.next().is_some_and(decided);
            return Ok(if at_once { one } else { Rational::zero() });
        }
        self.0.generating_function(z)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::REGISTRY;
    use crate::task::{Source, Target, Task};
    use std::collections::BTreeSet;

    /// Compares the functions with the first 60 terms of the definition; the other terms add less
    /// than P(T > 60) z^60.
    #[test]
    fn generating_functions_are_the_sums_of_their_terms() {
        let mut kinds = BTreeSet::new();
        for (m, target) in [
            (2u8, Target::uniform(6u8)),
            (2, Target::uniform(8u8)),
            (3, Target::uniform(7u8)),
            (2, Target::weighted([4u8, 7, 8])),
            (3, Target::weighted([1u8, 1, 3])),
        ] {
            let task = Task::new(target.unwrap(), Source::die(m).unwrap());
            for algorithm in REGISTRY {
                let Ok(prepared) = algorithm.prepare(&task) else {
                    continue;
                };
                let (chain, _) = prepared.chain(100_000).unwrap();
                let laws = [prepared.closed_law(), Some(chain.into())];
                for law in laws.iter().flatten() {
                    for (p, q) in [(0, 1), (1, 2), (2, 3), (1, 1)] {
                        let z = Rational::new(p.into(), q.into());
                        let survival: Vec<Rational> = law.survival().take(61).collect();
                        let mut sum = &Rational::one() - &survival[0];
                        let mut power = Rational::one();
                        for pair in survival.windows(2) {
                            power *= &z;
                            sum += (&pair[0] - &pair[1]) * &power;
                        }
                        let rest = law.generating_function(&z).unwrap() - sum;
                        let most = &survival[60] * &power;
                        let what = format!("{task} by {}, z = {z}", algorithm.about().id);
                        assert!(rest >= Rational::zero() && rest <= most, "{what}: {rest}");
                    }
                    kinds.insert(law.0.name());
                }
            }
        }
        assert_eq!(kinds.len(), 4, "{kinds:?}");
    }
}
