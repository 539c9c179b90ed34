//! The trait that all methods for making fair bits implement.

use flipcost::algorithms::words::count_types;
use flipcost::task::Source;
use flipcost_number::Real;
use flipcost_number::budget::spend_on;
use flipcost_number::reduce::reduce;
use flipcost_number::{BigInt, BigUint, Polynomial, Rational};
use num_traits::{One, Zero};

/// A method that makes fair bits from n rolls of a source.
pub trait Extractor: Sync {
    /// Returns the name of the method in the rows of an answer.
    fn id(&self) -> &'static str;

    /// Returns the bits from these rolls of a die with this many faces, counted from 0.
    fn extract(&self, rolls: &[usize], faces: usize) -> Vec<bool>;

    /// Returns the expected bits from n rolls of a known source.
    ///
    /// # Errors
    /// If the method does not support the source, or does not support this many rolls.
    ///
    /// ```
    /// use flipcost_extraction::EXTRACTORS;
    /// use flipcost::task::Source;
    /// let coin = Source::loaded([1u8, 2])?; // heads with probability 1/3
    /// let bits = |id: &str| {
    ///     let rule = EXTRACTORS.iter().find(|rule| rule.id() == id).unwrap();
    ///     rule.yielded(&coin, 8).unwrap().bits.to_string()
    /// };
    /// assert_eq!([bits("von-neumann"), bits("peres")], ["16/9", "2704/729"]);
    /// # Ok::<(), flipcost::task::SourceError>(())
    /// ```
    fn yielded(&self, source: &Source, n: u64) -> Result<BlockYield, NotComputed>;

    /// Returns the expected bits from n rolls of an unknown source with at least two faces. For a
    /// coin this is a polynomial in p, the probability of face 1; for a die it is a polynomial in
    /// p1, p2, ..., the probabilities of all faces.
    ///
    /// # Errors
    /// [`NotComputed::Long`], [`NotComputed::Dice`], [`NotComputed::Terms`].
    ///
    /// ```
    /// use flipcost_extraction::EXTRACTORS;
    /// let elias = EXTRACTORS.iter().find(|rule| rule.id() == "elias").unwrap();
    /// // two different rolls give a bit
    /// assert_eq!(elias.polynomial(2, 2).unwrap().to_string(), "2*p - 2*p^2");
    /// assert_eq!(elias.polynomial(3, 2).unwrap().to_string(), "2*p1*p2 + 2*p1*p3 + 2*p2*p3");
    /// ```
    fn polynomial(&self, faces: u64, n: u64) -> Result<Polynomial, NotComputed>;
}

/// The number of fair bits that a block yields: its mean and its variance.
#[derive(Clone, Debug)]
pub struct BlockYield {
    /// The expected number of bits.
    pub bits: Real,
    /// The variance of the number of bits, if it is known exactly.
    pub variance: Option<Rational>,
}

impl BlockYield {
    /// Returns the yield of words with the total weight `all`. The arguments are the sums of their
    /// bits and of the squares of their bits, each multiplied by the weight of the word.
    pub(crate) fn from_sums([bits, squares]: [BigUint; 2], all: &BigUint) -> BlockYield {
        spend_on(all.bits(), all.bits());
        let variance = squares * all - &bits * &bits;
        BlockYield {
            bits: reduce(&bits, all).into(),
            variance: Some(reduce(&variance, &(all * all))),
        }
    }
}

/// The reason why the yield of a block is not computed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotComputed {
    /// The probabilities are unknown.
    #[error("the probabilities of the source are unknown")]
    Unknown,
    /// The block has too many rolls.
    #[error("it is computed for blocks of up to {most} rolls of this source")]
    Long {
        /// The most rolls.
        most: u64,
    },
    /// The source has more than two faces.
    #[error("it is computed for coins only")]
    Dice,
    /// The polynomial has too many terms.
    #[error("its polynomial in the probabilities of the faces has more than {MAX_TERMS} terms")]
    Terms,
}

/// The largest number of terms of a polynomial in the probabilities of the faces of a die. It is
/// the number of types of two rolls of 64 faces, the largest unknown source.
const MAX_TERMS: u64 = 2080;

/// Checks that n rolls of a die with m faces do not have too many types. Their number is C(n+m-1,
/// n), and each type gives at most one term.
///
/// # Errors
/// [`NotComputed::Terms`] if there are too many types.
pub(super) fn check_type_count(faces: u64, n: u64) -> Result<(), NotComputed> {
    let types = count_types(faces.into(), n, MAX_TERMS);
    types.map(drop).ok_or(NotComputed::Terms)
}

/// Returns both weights of a known coin.
pub(crate) fn coin_weights(source: &Source) -> Option<[BigUint; 2]> {
    match (source.weights(), source.small()) {
        (Some(weights), _) => weights.to_vec().try_into().ok(),
        (None, Some(2)) => Some([BigUint::one(), BigUint::one()]),
        _ => None,
    }
}

/// For each k from 0 to n, the sum of the bits over the words of n flips with k heads, and the sum
/// of the squares of these bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ByHeads {
    pub(crate) bits: Vec<BigUint>,
    pub(crate) squares: Vec<BigUint>,
}

impl ByHeads {
    /// Returns the mean and the variance of the bits for a coin with these weights.
    pub(crate) fn yielded(&self, [heads, tails]: &[BigUint; 2]) -> BlockYield {
        let n = self.bits.len() as u32 - 1;
        let all = (heads + tails).pow(n);
        // The sum of c_k heads^k tails^(n-k) from k = 0.
        let weigh = |counts: &[BigUint]| {
            let mut sum = (BigUint::zero(), BigUint::one());
            for count in counts {
                spend_on(sum.0.bits(), tails.bits());
                spend_on(sum.1.bits(), heads.bits());
                sum.0 = sum.0 * tails + count * &sum.1;
                sum.1 *= heads;
            }
            sum.0
        };
        BlockYield::from_sums([weigh(&self.bits), weigh(&self.squares)], &all)
    }

    /// Returns the sum of c_k p^k (1 - p)^(n-k) in powers of p, by multiplications by 1 - p. Cost:
    /// O(n^2) additions.
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
        Polynomial::from_terms(
            sum.into_iter()
                .zip(0..)
                .map(|(c, exponent)| (vec![exponent], c)),
        )
    }
}
