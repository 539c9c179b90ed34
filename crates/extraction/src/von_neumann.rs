//! Von Neumann's method: the order of two different rolls is a fair bit.
//!
//! The number of bits from n rolls has the binomial law of floor(n/2) pairs. The two rolls of a
//! pair differ with probability 1 - sum p_j^2 (2pq for a coin). If n is odd, the last roll is not
//! used.

use super::extractor::{BlockYield, Extractor, NotComputed, check_type_count};
use flipcost::task::Source;
use flipcost_number::BigUint;
use flipcost_number::reduce::reduce;
use flipcost_number::{BigInt, Polynomial, Rational};
use num_traits::One;

pub(super) struct VonNeumannExtractor;

impl Extractor for VonNeumannExtractor {
    fn id(&self) -> &'static str {
        "von-neumann"
    }

    fn extract(&self, rolls: &[usize], _: usize) -> Vec<bool> {
        let pairs = rolls.chunks_exact(2).filter(|pair| pair[0] != pair[1]);
        pairs.map(|pair| pair[0] > pair[1]).collect()
    }

    fn yielded(&self, source: &Source, n: u64) -> Result<BlockYield, NotComputed> {
        let repeats = repeat_probability(source)?;
        let differs = Rational::one() - &repeats;
        let bits = &differs * BigInt::from(n / 2);
        let variance = &bits * repeats;
        Ok(BlockYield {
            bits: bits.into(),
            variance: Some(variance),
        })
    }

    fn polynomial(&self, faces: u64, n: u64) -> Result<Polynomial, NotComputed> {
        let twice = BigInt::from(n / 2 * 2);
        if faces > 2 {
            // all types of two rolls, except those of two equal rolls
            check_type_count(faces, 2)?;
            let both = |i: usize, j: usize| {
                let mut powers = vec![0; j + 1];
                (powers[i], powers[j]) = (1, 1);
                (powers, twice.clone())
            };
            let pairs = (0..faces as usize).flat_map(|j| (0..j).map(move |i| (i, j)));
            return Ok(Polynomial::from_terms(pairs.map(|(i, j)| both(i, j))));
        }
        Ok(Polynomial::from_terms([
            (vec![1], twice.clone()),
            (vec![2], -twice),
        ]))
    }
}

/// Returns the probability that two rolls are equal.
fn repeat_probability(source: &Source) -> Result<Rational, NotComputed> {
    match (source.weights(), source.weight_sum()) {
        (Some(weights), Some(sum)) => {
            let squares = weights.iter().map(|weight| weight * weight).sum();
            Ok(reduce(&squares, &(&sum * &sum)))
        }
        (None, Some(faces)) => Ok(reduce(&BigUint::one(), &faces)),
        _ => Err(NotComputed::Unknown),
    }
}
