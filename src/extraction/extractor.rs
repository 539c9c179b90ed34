//! What all ways to make fair bits share.

use crate::number::real::Real;
use crate::number::reduce::reduce;
use crate::number::{BigInt, BigUint, Polynomial, Rational};
use crate::task::Source;
use num_traits::{One, Zero};

/// A way to make fair bits of n rolls.
pub trait Extractor: Sync {
    /// Its name in rows.
    fn id(&self) -> &'static str;

    /// The bits of these rolls of a die with so many faces, which count from 0.
    fn extract(&self, rolls: &[usize], faces: usize) -> Vec<bool>;

    /// What n rolls of a known source yield.
    ///
    /// # Errors
    /// [`NotComputed`], if it takes other sources, or fewer rolls.
    ///
    /// ```
    /// use flipcost::extraction::EXTRACTORS;
    /// use flipcost::task::Source;
    /// let coin = Source::loaded([1u8, 2])?; // heads with probability 1/3
    /// let bits = |id: &str| {
    ///     let rule = EXTRACTORS.iter().find(|rule| rule.id() == id).unwrap();
    ///     rule.yielded(&coin, 8).unwrap().bits.to_string()
    /// };
    /// assert_eq!([bits("von-neumann"), bits("peres")], ["16/9", "2704/729"]);
    /// # Ok::<(), flipcost::task::SourceError>(())
    /// ```
    fn yielded(&self, source: &Source, n: u64) -> Result<Yielded, NotComputed>;

    /// The expected bits from n flips of a coin that shows face 1 with an unknown probability p, as a polynomial in p.
    ///
    /// # Errors
    /// [`NotComputed::Long`].
    fn polynomial(&self, n: u64) -> Result<Polynomial, NotComputed>;
}

/// What a block yields.
#[derive(Clone, Debug)]
pub struct Yielded {
    /// The expected number of bits.
    pub bits: Real,
    /// Its variance, where it is known exactly.
    pub variance: Option<Rational>,
}

/// Why the yield of a block is not computed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotComputed {
    /// The source has too many faces to go through them.
    #[error("it takes a source of up to {MOST_FACES} faces")]
    Wide,
    /// Nobody knows the probabilities.
    #[error("the probabilities of the source are unknown")]
    Unknown,
    /// Too many rolls.
    #[error("it is computed for blocks of up to {most} rolls of this source")]
    Long {
        /// The most.
        most: u64,
    },
}

/// The most faces of a source where they are gone through.
const MOST_FACES: u64 = 1 << 20;

/// The weights of a source whose probabilities are known.
pub(crate) fn weights(source: &Source) -> Result<Vec<BigUint>, NotComputed> {
    match (source.weights(), source.small()) {
        (Some(weights), _) => Ok(weights.to_vec()),
        (None, Some(m)) if m <= MOST_FACES => Ok(vec![BigUint::one(); m as usize]),
        _ if source.is_unknown() => Err(NotComputed::Unknown),
        _ => Err(NotComputed::Wide),
    }
}

/// Both weights of a known coin.
pub(crate) fn coin(source: &Source) -> Option<[BigUint; 2]> {
    weights(source).ok()?.try_into().ok()
}

/// For the words of n flips with k heads, k from 0 to n: the sum of their bits, and of the squares of these.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ByHeads {
    pub(crate) bits: Vec<BigUint>,
    pub(crate) squares: Vec<BigUint>,
}

impl ByHeads {
    /// Mean and variance with a coin of these weights.
    pub(crate) fn yielded(&self, [heads, tails]: &[BigUint; 2]) -> Yielded {
        let n = self.bits.len() as u32 - 1;
        let all = (heads + tails).pow(n);
        // sum of c_k heads^k tails^(n-k), from k = 0 on
        let mean = |counts: &[BigUint]| {
            let mut sum = (BigUint::zero(), BigUint::one());
            for count in counts {
                sum.0 = sum.0 * tails + count * &sum.1;
                sum.1 *= heads;
            }
            reduce(&sum.0, &all)
        };
        let bits = mean(&self.bits);
        let variance = mean(&self.squares) - &bits * &bits;
        Yielded {
            bits: bits.into(),
            variance: Some(variance),
        }
    }

    /// The sum of c_k p^k (1 - p)^(n-k) in powers of p, by multiplying with 1 - p. Cost: O(n^2) additions.
    pub(crate) fn polynomial(&self) -> Polynomial {
        let mut sum: Vec<BigInt> = Vec::new();
        for (k, count) in self.bits.iter().enumerate() {
            sum.push(BigInt::zero());
            for i in (1..sum.len()).rev() {
                let before = sum[i - 1].clone();
                sum[i] -= before;
            }
            sum[k] += BigInt::from(count.clone());
        }
        Polynomial::of(
            sum.into_iter()
                .zip(0..)
                .map(|(c, exponent)| (vec![exponent], c)),
        )
    }
}
