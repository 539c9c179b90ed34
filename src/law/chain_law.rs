//! Makes an absorbing chain usable as a law.

use super::{Chain, FractionSize, LawKind, generating, moments};
use crate::task::RollUnit;
use flipcost_number::Real;
use flipcost_number::{BigUint, Rational};
use std::any::Any;
use std::sync::Arc;

impl LawKind for Chain {
    fn is_same(&self, other: &dyn Any) -> bool {
        (other.downcast_ref()).is_some_and(|other| self.is_same_chain(other))
    }

    fn order(&self) -> Option<u128> {
        let rolls = (0..self.len() as u32).map(|state| u128::from(self.rolls(state)));
        Some(rolls.sum())
    }

    fn unit(&self) -> RollUnit {
        self.unit()
    }

    fn base(&self) -> BigUint {
        self.base().clone()
    }

    fn undecided_nodes(&self) -> Box<dyn Iterator<Item = BigUint> + '_> {
        Box::new(self.undecided_nodes())
    }

    fn worst_case(&self) -> Option<u64> {
        self.worst_case()
    }

    fn size(&self) -> FractionSize {
        FractionSize::Bits(self.mean().denom().bits().into())
    }

    fn mean(self: Arc<Self>) -> Real {
        Chain::mean(&self).into()
    }

    fn second_moment(self: Arc<Self>) -> Real {
        Chain::moments(&self).1.into()
    }

    fn moments(self: Arc<Self>) -> [Real; 4] {
        let [_, powers @ ..] = moments::of_chain(&self);
        powers.map(Real::Exact)
    }

    fn exact_mean(&self) -> Result<Rational, FractionSize> {
        Ok(self.mean())
    }

    fn exact_moments(&self) -> Result<(Rational, Rational), FractionSize> {
        Ok(self.moments())
    }

    fn exact_powers(&self) -> Result<[Rational; 5], FractionSize> {
        Ok(moments::of_chain(self))
    }

    fn generating_function(&self, z: &Rational) -> Result<Rational, FractionSize> {
        Ok(generating::of_chain(self, z))
    }
}
