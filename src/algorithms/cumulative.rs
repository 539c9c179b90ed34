//! The outcomes of a target as consecutive cells of [0, M), each as wide as the weight of its
//! outcome.

use crate::task::Target;
use flipcost_number::BigUint;
use num_traits::{One, Zero};

/// The ends of the cells: for each outcome, the sum of the weights up to it.
pub(crate) enum Cumulative {
    /// A fair die: the cell of outcome i is [i, i + 1).
    Fair,
    /// The end of the cell and the outcome, for every outcome of a weight above 0, in order.
    Weights(Vec<(BigUint, usize)>),
}

impl Cumulative {
    /// Computes the cells of a target. Cost: one sum for each weight.
    pub(crate) fn from_target(target: &Target) -> Cumulative {
        let Some(weights) = target.weights() else {
            return Cumulative::Fair;
        };
        let mut end = BigUint::zero();
        let mut ends = Vec::new();
        for (outcome, weight) in weights.iter().enumerate() {
            if !weight.is_zero() {
                end += weight;
                ends.push((end.clone(), outcome));
            }
        }
        Cumulative::Weights(ends)
    }

    /// Returns the outcome whose cell contains `place`, a position below M, and the end of that
    /// cell. Cost: a binary search.
    pub fn find(&self, place: &BigUint) -> (BigUint, BigUint) {
        match self {
            Cumulative::Fair => (place.clone(), place + BigUint::one()),
            Cumulative::Weights(ends) => {
                let found = ends.partition_point(|(end, _)| end <= place);
                let (end, outcome) = &ends[found];
                ((*outcome).into(), end.clone())
            }
        }
    }

    /// The outcome of the cell at this index.
    pub(crate) fn outcome(&self, cell: usize) -> BigUint {
        match self {
            Cumulative::Fair => cell.into(),
            Cumulative::Weights(ends) => ends[cell].1.into(),
        }
    }

    /// The ends of cells strictly between 0 and M; `None` for a fair die, where they are 1, ...,
    /// n - 1.
    pub(crate) fn cuts(&self) -> Option<Vec<BigUint>> {
        match self {
            Cumulative::Fair => None,
            Cumulative::Weights(ends) => {
                let inner = &ends[..ends.len() - 1];
                Some(inner.iter().map(|(end, _)| end.clone()).collect())
            }
        }
    }
}
