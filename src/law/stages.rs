//! The law of two stages: a fair die of r sides, and then a coin whose bias depends on the face of
//! the die.
//!
//! The first stage is the fast dice roller, with m^t mod r undecided nodes at depth t. The second
//! is the optimal tree for two outcomes with probabilities b/M and 1 - b/M: depth t has one
//! undecided node as long as M does not divide m^t b, and then none. Let c(t) be the number of
//! faces whose coin is undecided after t rolls of the second stage. The number T1 of rolls of the
//! first stage is independent of the resulting face, because at every depth u each face has the
//! same number of leaves, the digit q_u of 1/r. So T1 and the number T2 of rolls of the second
//! stage are independent, and
//!
//! ```text
//! s(t) = (m^t mod r) + sum_{u<=t} q_u c(t-u)
//! E[T] = E[T1] + (1/r) sum_{t>=0} c(t) / m^t,   Var[T] = Var[T1] + Var[T2].
//! ```

use super::words::moments_of_chain;
use super::{Blocks, FractionSize, LawKind, Residues, generating, moments};
use crate::task::RollUnit;
use flipcost_number::Real;
use flipcost_number::{BigInt, BigUint, Rational};
use num_integer::Integer;
use num_traits::{One, ToPrimitive};
use std::any::Any;
use std::sync::Arc;

/// The law of a fair die of r sides, followed by a coin that depends on the face of the die.
#[derive(PartialEq)]
pub(crate) struct Stages {
    first: Arc<Residues>,
    /// c(t), for all faces together.
    second: Blocks,
}

impl Stages {
    /// Creates the law for a source of m sides and a die of r faces: `head[t]` = c(t) as long as
    /// this number changes, and then c(t) = `rest`, the number of coins that can remain undecided
    /// forever.
    ///
    /// # Panics
    /// If m < 2, m > 2^64 or r = 0.
    pub fn new(source: u128, faces: u64, head: Vec<u64>, rest: u64) -> Self {
        let head = head.into_iter().map(BigUint::from).collect();
        let returns = match rest {
            0 => Vec::new(),
            _ => vec![(1, BigUint::one())],
        };
        Stages {
            first: Residues::new(source, faces.into()).into(),
            second: Blocks::new(source, head, vec![rest.into()], returns),
        }
    }

    fn faces(&self) -> BigInt {
        self.first.target().clone().into()
    }

    /// (`E[T2]`, `E[T2^2]`) of the second stage.
    fn second_stage_moments(&self) -> (Rational, Rational) {
        let (mean, square) = self.second.first_moments();
        (mean / self.faces(), square / self.faces())
    }

    /// E[T2^j], j = 0, ..., 4.
    fn second_stage_powers(&self) -> [Rational; 5] {
        let [one, powers @ ..] = moments::of_blocks(self.second.source(), self.second.terms());
        let [a, b, c, d] = powers.map(|power| power / self.faces());
        [one, a, b, c, d]
    }
}

impl LawKind for Stages {
    fn is_same(&self, other: &dyn Any) -> bool {
        other.downcast_ref() == Some(self)
    }

    fn order(&self) -> Option<u128> {
        self.first.order()?.checked_add(self.second.order()?)
    }

    fn unit(&self) -> RollUnit {
        self.first.unit()
    }

    fn base(&self) -> BigUint {
        self.first.base()
    }

    /// Cost of term t: t sums and products of about t log m bits.
    fn undecided_nodes(&self) -> Box<dyn Iterator<Item = BigUint> + '_> {
        let (m, r) = (self.first.base(), self.first.target());
        let mut faces = self.first.undecided_nodes();
        let mut coins = self.second.undecided_nodes();
        let mut digits: Vec<u64> = Vec::new(); // q_u
        let mut alive: Vec<BigUint> = Vec::new(); // c(t)
        let mut before: Option<BigUint> = None;
        Box::new(std::iter::repeat_with(move || {
            let x = faces.next().expect("residues never end");
            let digit = match &before {
                None => u64::from(r.is_one()),
                Some(before) => (before * &m).div_floor(r).to_u64().expect("below m"),
            };
            digits.push(digit);
            alive.push(coins.next().expect("counts never end"));
            before = Some(x.clone());
            let pairs = digits.iter().zip(alive.iter().rev());
            let second = pairs.filter(|(q, _)| **q > 0).map(|(q, c)| c * *q);
            x + second.sum::<BigUint>()
        }))
    }

    /// The states of the chain are the numbers m^t mod r of undecided nodes of the die, and the
    /// coins, grouped by their maximum number of flips.
    fn moments_of_words(&self, bits: u32) -> Option<(Rational, Rational)> {
        let (m, r) = (
            self.first.base().to_u64()?,
            self.first.target().to_u64().filter(|r| *r <= 32)?,
        );
        let mut rests = vec![1 % r];
        while let Some(last) = rests.last().filter(|last| **last > 0) {
            let next = m * last % r;
            if rests.contains(&next) {
                break;
            }
            rests.push(next);
        }
        rests.retain(|rest| *rest > 0);
        let (head, alive, _) = self.second.terms();
        // The coins that take at most d flips, for d = 1, ..., and last those without a limit.
        let undecided: Vec<BigUint> = head.iter().chain(alive).cloned().collect();
        let part = |nodes: &BigUint| Rational::new(nodes.clone().into(), r.into());
        let kinds = undecided
            .windows(2)
            .map(|pair| part(&(&pair[0] - &pair[1])));
        let kinds: Vec<Rational> = kinds.chain(undecided.last().map(part)).collect();
        let first_coin = rests.len();
        let half = Rational::new(1.into(), m.into());
        let mut steps: Vec<Vec<(usize, Rational)>> = Vec::new();
        for rest in &rests {
            let next = m * rest % r;
            let all = BigInt::from(m * rest);
            let accepted = Rational::new((m * rest - next).into(), all.clone());
            let on = rests.iter().position(|other| *other == next);
            let mut ways: Vec<_> = on
                .map(|to| (to, Rational::new(next.into(), all)))
                .into_iter()
                .collect();
            ways.extend(
                kinds
                    .iter()
                    .enumerate()
                    .map(|(i, kind)| (first_coin + i, kind * &accepted)),
            );
            steps.push(ways);
        }
        for i in 0..kinds.len() {
            // The last group of coins has no limit.
            let to = match i {
                i if i + 1 == kinds.len() => Some(i),
                i => i.checked_sub(1),
            };
            steps.push(
                to.map(|to| (first_coin + to, half.clone()))
                    .into_iter()
                    .collect(),
            );
        }
        if rests.is_empty() {
            return None;
        }
        moments_of_chain(&steps, bits)
    }

    fn worst_case(&self) -> Option<u64> {
        // If there are no coins to toss, the second stage takes no roll.
        Some(self.first.worst_case()? + self.second.worst_case()?)
    }

    fn size(&self) -> FractionSize {
        match self.first.size() {
            FractionSize::Bits(bits) => {
                let more = self.second.bits() + u128::from(self.first.target().bits());
                FractionSize::Bits(bits.saturating_add(more))
            }
            size => size,
        }
    }

    fn mean(self: Arc<Self>) -> Real {
        self.first
            .clone()
            .mean()
            .plus(&self.second_stage_moments().0.into())
    }

    fn second_moment(self: Arc<Self>) -> Real {
        let mean = self.clone().mean();
        self.variance().plus(&mean.times(&mean))
    }

    fn variance(self: Arc<Self>) -> Real {
        let (mean, square) = self.second_stage_moments();
        let second = square - &mean * &mean;
        self.first.clone().variance().plus(&second.into())
    }

    fn moments(self: Arc<Self>) -> [Real; 4] {
        let [a, b, c, d] = self.first.clone().moments();
        let second = self.second_stage_powers().map(Real::Exact);
        let [_, powers @ ..] = moments::of_sum(&[Real::integer(1), a, b, c, d], &second);
        powers
    }

    fn exact_mean(&self) -> Result<Rational, FractionSize> {
        Ok(self.first.exact_mean()? + self.second_stage_moments().0)
    }

    fn exact_moments(&self) -> Result<(Rational, Rational), FractionSize> {
        let ((a, a2), (b, b2)) = (self.first.exact_moments()?, self.second_stage_moments());
        let both = (&a * &b) * BigInt::from(2u8);
        Ok((a + b, a2 + both + b2))
    }

    fn exact_powers(&self) -> Result<[Rational; 5], FractionSize> {
        let first = self.first.exact_powers()?;
        Ok(moments::of_sum(&first, &self.second_stage_powers()))
    }

    fn generating_function(&self, z: &Rational) -> Result<Rational, FractionSize> {
        let first = self.first.generating_function(z)?;
        Ok(first
            * generating::of_blocks(self.second.source(), self.second.terms(), z, &self.faces()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_traits::Zero;

    /// If no coin is needed, only the die remains. The survival series approach the moments from
    /// below, and after 300 rolls only a small tail is missing.
    #[test]
    fn a_die_and_its_coins() {
        for m in [2u64, 3, 10] {
            for r in 1u64..=12 {
                let die = Stages::new(m.into(), r, vec![], 0);
                assert_eq!(
                    die.exact_moments().unwrap(),
                    Residues::new(m.into(), r.into()).exact_moments().unwrap()
                );
                assert!(
                    die.undecided_nodes()
                        .take(30)
                        .eq(Residues::new(m.into(), r.into()).undecided_nodes().take(30))
                );
                let law = Arc::new(Stages::new(m.into(), r, vec![r, r / 2 + 1], 1));
                let (mean, second) = law.exact_moments().unwrap();
                let (mut sum, mut squares, mut scale) =
                    (Rational::zero(), Rational::zero(), BigInt::one());
                for (t, s) in law.undecided_nodes().take(300).enumerate() {
                    let p = Rational::new(s.into(), scale.clone());
                    squares += &p * BigInt::from(2 * t + 1);
                    sum += p;
                    scale *= m;
                }
                let near = Rational::new(1.into(), BigInt::one() << 200u8);
                assert!(sum < mean && mean < sum + &near, "m = {m}, r = {r}");
                assert!(squares < second && second < squares + &near);
                assert_eq!(law.worst_case(), None);
                assert_eq!(law.exact_mean().as_ref(), Ok(&mean));
                assert!(law.clone().mean().enclose(90).contains(&mean));
                assert!(law.clone().second_moment().enclose(90).contains(&second));
                let FractionSize::Bits(bits) = law.size() else {
                    panic!("small")
                };
                assert!(u128::from(mean.denom().bits()) <= bits);
            }
        }
    }
}
