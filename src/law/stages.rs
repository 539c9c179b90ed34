//! The law of two stages: a fair die of r, and then, for each of its faces, a coin with a bias.
//!
//! The first stage is the fast dice roller, with m^t mod r undecided nodes at depth t. The second is
//! the optimal way to one of two outcomes with probabilities b/M and 1 - b/M: at most one node of a
//! depth is undecided, and it is while M does not divide m^t b. Let c(t) be the number of faces
//! whose coin is undecided after t rolls of its own. The rolls T1 of the first stage do not depend
//! on its face (at every depth all faces have as many leaves, the digit q_u of 1/r), so T1 and the
//! rolls T2 of the second stage are independent, and
//!
//! ```text
//! s(t) = (m^t mod r) + sum_{u<=t} q_u c(t-u)
//! E[T] = E[T1] + (1/r) sum_{t>=0} c(t) / m^t,   Var[T] = Var[T1] + Var[T2].
//! ```

use super::{Blocks, FractionSize, Residues};
use flipcost_number::real::Real;
use flipcost_number::{BigInt, BigUint, Rational};
use num_integer::Integer;
use num_traits::{One, ToPrimitive};
use std::sync::Arc;

/// A fair die of r, and then a coin of its face.
///
/// ```
/// use flipcost::law::Stages;
/// // A d2, and then for one of its faces a coin of 1/3 and 2/3: never decided for sure.
/// let law = Stages::new(2, 2, vec![], 1);
/// let undecided: Vec<String> = law.undecided_nodes().take(4).map(|s| s.to_string()).collect();
/// assert_eq!(undecided, ["1", "1", "1", "1"]);
/// assert_eq!(law.exact_mean().to_string(), "2"); // 1 + 1/2 (1 + 1/2 + 1/4 + ...)
/// ```
pub struct Stages {
    first: Arc<Residues>,
    /// c(t), for all faces together.
    second: Blocks,
}

impl Stages {
    /// For a source of m and a die of r faces: `head[t]` = c(t) while the coins change, and then
    /// `rest` coins that are never decided for sure.
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

    /// Sides of the source.
    pub fn source(&self) -> u128 {
        self.first.source()
    }

    /// s(0), s(1), s(2), ... Cost of term t: t sums and products of about t log m bits.
    pub fn undecided_nodes(&self) -> impl Iterator<Item = BigUint> + '_ {
        let (m, r) = (self.source(), self.first.target());
        let mut faces = self.first.undecided_nodes();
        let mut coins = self.second.undecided_nodes();
        let mut digits: Vec<u64> = Vec::new(); // q_u
        let mut alive: Vec<BigUint> = Vec::new(); // c(t)
        let mut before: Option<BigUint> = None;
        std::iter::repeat_with(move || {
            let x = faces.next().expect("residues never end");
            let digit = match &before {
                None => u64::from(r.is_one()),
                Some(before) => (before * m).div_floor(r).to_u64().expect("below m"),
            };
            digits.push(digit);
            alive.push(coins.next().expect("counts never end"));
            before = Some(x.clone());
            let pairs = digits.iter().zip(alive.iter().rev());
            let second = pairs.filter(|(q, _)| **q > 0).map(|(q, c)| c * *q);
            x + second.sum::<BigUint>()
        })
    }

    /// The law of the first stage.
    pub(super) fn first(&self) -> &Arc<Residues> {
        &self.first
    }

    /// c(t), for all faces together.
    pub(super) fn coins(&self) -> &Blocks {
        &self.second
    }

    /// (E, E of the square) of the second stage alone.
    fn second(&self) -> (Rational, Rational) {
        let faces = BigInt::from(self.first.target().clone());
        let (mean, square) = self.second.moments();
        (mean / &faces, square / faces)
    }

    /// `E[T]`: exact where the fraction is small, else enclosed.
    pub fn mean(&self) -> Real {
        self.first.mean().plus(&Real::Exact(self.second().0))
    }

    /// `E[T^2]`: exact where the fraction is small, else enclosed.
    pub(crate) fn second_moment(&self) -> Real {
        let mean = self.mean();
        self.variance().plus(&mean.times(&mean))
    }

    /// `Var[T]`: exact where the fraction is small, else enclosed.
    pub fn variance(&self) -> Real {
        let first = self.first.variance();
        let (mean, square) = self.second();
        first.plus(&Real::Exact(square - &mean * &mean))
    }

    /// `E[T]` as a reduced fraction: ask [`Stages::size`] first. Cost: as [`Residues::exact_mean`]
    /// for r and [`Blocks::mean`].
    ///
    /// # Panics
    /// As [`Residues::exact_moments`].
    pub fn exact_mean(&self) -> Rational {
        self.first.exact_mean() + self.second().0
    }

    /// (`E[T]`, `E[T^2]`) as reduced fractions. Cost: as [`Stages::exact_mean`], for numbers twice as
    /// long.
    ///
    /// # Panics
    /// As [`Residues::exact_moments`].
    pub fn exact_moments(&self) -> (Rational, Rational) {
        let ((a, a2), (b, b2)) = (self.first.exact_moments(), self.second());
        let both = (&a * &b) * BigInt::from(2u8);
        (a + b, a2 + both + b2)
    }

    /// The bits of the exact mean, at most.
    pub fn size(&self) -> FractionSize {
        match self.first.size() {
            FractionSize::Bits(bits) => {
                let more = self.second.bits() + u128::from(self.first.target().bits());
                FractionSize::Bits(bits.saturating_add(more))
            }
            size => size,
        }
    }

    /// The largest T of positive probability; `None` if T is unbounded.
    pub fn worst_case(&self) -> Option<u64> {
        // without coins to toss, the second stage takes no roll
        Some(self.first.worst_case()? + self.second.worst_case()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_traits::Zero;

    /// Coins that are never needed leave the die; and the survival series are the moments, from
    /// below, up to the tail after 300 rolls.
    #[test]
    fn a_die_and_its_coins() {
        for m in [2u64, 3, 10] {
            for r in 1u64..=12 {
                let die = Stages::new(m.into(), r, vec![], 0);
                assert_eq!(
                    die.exact_moments(),
                    Residues::new(m.into(), r.into()).exact_moments()
                );
                assert!(
                    die.undecided_nodes()
                        .take(30)
                        .eq(Residues::new(m.into(), r.into()).undecided_nodes().take(30))
                );
                let law = Stages::new(m.into(), r, vec![r, r / 2 + 1], 1);
                let (mean, second) = law.exact_moments();
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
                assert_eq!(law.exact_mean(), mean);
                assert!(law.mean().enclose(90).contains(&mean));
                assert!(law.second_moment().enclose(90).contains(&second));
                let FractionSize::Bits(bits) = law.size() else {
                    panic!("small")
                };
                assert!(u128::from(mean.denom().bits()) <= bits);
            }
        }
    }
}
