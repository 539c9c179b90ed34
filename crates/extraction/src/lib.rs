//! Makes fair bits from a block of n rolls of a source with unknown probabilities.
//!
//! An [`Extractor`] reads n independent rolls, where n is known in advance, and gives a varying
//! number of fair bits. The bits are fair for every law of the source: given that there are i bits,
//! each of the 2^i outputs has the same probability. **Theorem.** This holds if and only if, for
//! every i and every type (the counts of all faces), the words of the type that give i bits are
//! distributed equally among the 2^i outputs. Proof: an output z of i bits has probability sum over
//! the types t of c_t(z) p^t, where c_t(z) counts its words and p^t = prod p_j^(t_j), and the
//! products p^t of one degree are linearly independent as functions of p.
//!
//! Each method has a file: `von_neumann`, `elias`, `peres`.
//!
//! **The optimum of a block** is Elias's method. The C words of a type are divided into groups of
//! 2^i words, each of which gives i bits. With c_i groups of 2^i words, sum c_i 2^i = C. Merging
//! two groups of 2^i words into one of 2^(i+1) words increases their total number of bits from 2 i
//! 2^i to (i+1) 2^(i+1). So the number of bits is largest if every c_i is 0 or 1, that is, if the
//! c_i are the binary digits of C. For a *known* source this is not a bound: 8 tosses of a fair
//! coin are 8 bits, but 565/128 by Elias.
//!
//! **Source.** von Neumann 1951, Various techniques used in connection with random digits; Elias
//! 1972, The efficient construction of an unbiased random sequence, Ann. Math. Statist. 43; Peres
//! 1992, Iterating von Neumann's procedure for extracting random bits, Ann. Statist. 20; Pae & Loui
//! 2006, Randomizing functions: simulation of discrete probability distribution using a source of
//! unknown distribution, IEEE Trans. Inf. Theory 52 (Elias is the optimum).

mod elias;
mod extractor;
pub mod fairness;
mod peres;
pub mod questions;
mod von_neumann;

pub use extractor::{BlockYield, Extractor, NotComputed};

/// All methods, in the order of the rows of an answer.
pub const EXTRACTORS: &[&dyn Extractor] = &[
    &von_neumann::VonNeumannExtractor,
    &peres::PeresExtractor,
    &elias::EliasExtractor,
];

#[cfg(test)]
mod tests {
    use super::*;
    use flipcost::task::Source;
    use flipcost_number::Rational;
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

    /// Checks the condition of the theorem in the module documentation: within a type, all outputs
    /// of one length have the same number of words.
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

    /// Compares the mean, the variance and the polynomial with the bits of all words, word by word.
    #[test]
    fn the_yield_agrees_with_counting_all_words() {
        let weights: [&[u64]; 6] = [
            &[1, 2],
            &[1, 1],
            &[3, 1, 2],
            &[1, 1, 1, 1],
            &[2, 1, 1],
            &[1, 2, 1, 2],
        ];
        for (rule, weights) in EXTRACTORS
            .iter()
            .flat_map(|rule| weights.map(|weights| (rule, weights)))
        {
            let source = Source::loaded(weights).unwrap();
            let sum: u64 = weights.iter().sum();
            for n in 0..=if weights.len() == 2 { 9 } else { 5 } {
                let Ok(yielded) = rule.yielded(&source, n) else {
                    continue; // Peres's method takes only coins
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
                let probability = |weight: &u64| Rational::new((*weight).into(), sum.into());
                let p: Vec<Rational> = weights.iter().map(probability).collect();
                let polynomial = rule.polynomial(weights.len() as u64, n).unwrap();
                assert_eq!(
                    polynomial.evaluate(&p),
                    over(bits),
                    "{} {weights:?} {n}",
                    rule.id()
                );
            }
        }
    }

    /// Elias's block yields at least as much as the other methods, and at most the entropy of the
    /// source.
    #[test]
    fn elias_yields_the_most_bits() {
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
