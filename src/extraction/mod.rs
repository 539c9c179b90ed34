//! Fair bits from a block of n rolls of a source whose probabilities nobody knows.
//!
//! An [`Extractor`] reads n independent rolls and gives some fair bits, more of them or fewer; which n is told
//! beforehand. It is fair for every law of the source: given that there are i bits, each of the 2^i outputs has
//! the same probability. **Theorem.** That is so iff for every i and every type (the numbers of rolls that show
//! each face) the words of that type that give i bits are shared out equally among the 2^i outputs. For an output
//! z of i bits comes with probability sum over the types t of c_t(z) p^t, where c_t(z) counts its words and p^t =
//! prod p_j^(t_j), and the products p^t of one degree are linearly independent as functions of p.
//!
//! One file each: `von_neumann`, `elias`, `peres`, and beside them `peres_far`, the enclosure for long blocks, and
//! `scaled`, numbers between two ends with an exponent.
//!
//! **The optimum of a block** is Elias's: the words of a type, C of them, are shared out in groups of 2^i, of which
//! c_i give i bits, sum c_i 2^i = C. Two groups of 2^i as one of 2^(i+1) give (i+1) 2^(i+1) > 2 i 2^i bits, so the
//! most bits come where every c_i is 0 or 1: by the binary digits of C. For a *known* source this is no bound: 8
//! tosses of a fair coin are 8 bits, and 565/128 by Elias.
//!
//! **Source.** von Neumann 1951, Various techniques used in connection with random digits; Elias 1972, The
//! efficient construction of an unbiased random sequence, Ann. Math. Statist. 43; Peres 1992, Iterating von
//! Neumann's procedure for extracting random bits, Ann. Statist. 20; Pae & Loui 2006, Randomizing functions:
//! simulation of discrete probability distribution using a source of unknown distribution, IEEE Trans. Inf. Theory
//! 52 (Elias is the optimum).

mod elias;
mod peres;
mod peres_far;
mod scaled;
mod von_neumann;

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

/// All of them, in the order of rows.
pub const EXTRACTORS: &[&dyn Extractor] = &[&von_neumann::VonNeumann, &peres::Peres, &elias::Elias];

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
    /// A rule for coins.
    #[error("it takes a coin, and the source has {0} faces")]
    Faces(usize),
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
fn weights(source: &Source) -> Result<Vec<BigUint>, NotComputed> {
    match (source.weights(), source.small()) {
        (Some(weights), _) => Ok(weights.to_vec()),
        (None, Some(m)) if m <= MOST_FACES => Ok(vec![BigUint::one(); m as usize]),
        _ if source.is_unknown() => Err(NotComputed::Unknown),
        _ => Err(NotComputed::Wide),
    }
}

/// Both weights of a coin.
fn coin(source: &Source) -> Result<[BigUint; 2], NotComputed> {
    let weights = weights(source)?;
    let faces = weights.len();
    weights.try_into().map_err(|_| NotComputed::Faces(faces))
}

/// For the words of n flips with k heads, k from 0 to n: the sum of their bits, and of the squares of these.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ByHeads {
    bits: Vec<BigUint>,
    squares: Vec<BigUint>,
}

impl ByHeads {
    /// Mean and variance with a coin of these weights.
    fn yielded(&self, [heads, tails]: &[BigUint; 2]) -> Yielded {
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
    fn polynomial(&self) -> Polynomial {
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn coin(heads: u64, tails: u64) -> Source {
        Source::loaded([heads, tails]).unwrap()
    }

    fn words(n: u32, faces: usize) -> impl Iterator<Item = Vec<usize>> {
        (0..faces.pow(n)).map(move |word| (0..n).map(|i| word / faces.pow(i) % faces).collect())
    }

    fn type_of(word: &[usize], faces: usize) -> Vec<usize> {
        (0..faces)
            .map(|face| word.iter().filter(|roll| **roll == face).count())
            .collect()
    }

    /// The theorem of the module's page: within a type, all outputs of one length have equally many words.
    #[test]
    fn every_extractor_is_fair_for_every_source() {
        for rule in EXTRACTORS {
            for (faces, longest) in [(2, 9), (3, 6), (4, 4)] {
                for n in 0..=longest {
                    let mut words_of: BTreeMap<_, BTreeMap<Vec<bool>, u64>> = BTreeMap::new();
                    if rule.yielded(&Source::die(faces).unwrap(), n).is_err() {
                        continue;
                    }
                    for word in words(n as u32, faces) {
                        let bits = rule.extract(&word, faces);
                        let class = (type_of(&word, faces), bits.len());
                        *words_of.entry(class).or_default().entry(bits).or_default() += 1;
                    }
                    for ((of, length), outputs) in words_of {
                        assert_eq!(outputs.len(), 1 << length, "{} {of:?}", rule.id());
                        let first = outputs.values().next();
                        assert!(
                            outputs.values().all(|count| Some(count) == first),
                            "{} {of:?}",
                            rule.id()
                        );
                    }
                }
            }
        }
    }

    /// Mean, variance and polynomial are those of the bits that come, word by word.
    #[test]
    fn the_yield_is_that_of_all_words() {
        let weights: [&[u64]; 4] = [&[1, 2], &[1, 1], &[3, 1, 2], &[1, 1, 1, 1]];
        for (rule, weights) in EXTRACTORS
            .iter()
            .flat_map(|rule| weights.map(|weights| (rule, weights)))
        {
            let source = Source::loaded(weights.iter().copied()).unwrap();
            let sum: u64 = weights.iter().sum();
            for n in 0..=if weights.len() == 2 { 9 } else { 5 } {
                let Ok(yielded) = rule.yielded(&source, n) else {
                    assert!(weights.len() > 2, "{}", rule.id());
                    continue;
                };
                let (mut bits, mut squares) = (0, 0);
                for word in words(n as u32, weights.len()) {
                    let weight: u64 = word.iter().map(|&roll| weights[roll]).product();
                    let count = rule.extract(&word, weights.len()).len() as u64;
                    bits += weight * count;
                    squares += weight * count * count;
                }
                let over = |total: u64| Rational::new(total.into(), sum.pow(n as u32).into());
                assert_eq!(yielded.bits, over(bits), "{} {weights:?} {n}", rule.id());
                assert_eq!(
                    yielded.variance,
                    Some(over(squares) - over(bits) * over(bits))
                );
                if let [heads, _] = weights {
                    let p = Rational::new((*heads).into(), sum.into());
                    let value = rule.polynomial(n).unwrap().at(&[p]);
                    assert_eq!(value, over(bits), "{} {n}", rule.id());
                }
            }
        }
    }

    /// Elias's block is never beaten by the others, nor by the entropy of the source.
    #[test]
    fn elias_yields_the_most() {
        for (heads, tails) in [(1, 1), (1, 2), (1, 9)] {
            for n in [1, 2, 3, 7, 8, 31, 64] {
                let [neumann, peres, elias] = EXTRACTORS else {
                    panic!()
                };
                let bits = |rule: &&dyn Extractor| {
                    rule.yielded(&coin(heads, tails), n)
                        .unwrap()
                        .bits
                        .exact()
                        .unwrap()
                        .clone()
                };
                assert!(
                    bits(neumann) <= bits(peres) && bits(peres) <= bits(elias),
                    "{n}"
                );
            }
        }
    }
}
