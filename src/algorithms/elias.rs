//! Elias' blocks: sequences of rolls with the same face counts (the same type) are equally likely,
//! so the index of the sequence decides the outcome.
//!
//! Roll N times. List the M words (sequences of rolls) with the same number of each face in
//! alphabetical order, and number them from 0. A word whose index is below the largest multiple of
//! n that is at most M gives the outcome index modulo n; any other word starts again.
//!
//! ```text
//! E = N / sum over types of floor(M / n) n p^type,   M = N! / (k_1! ... k_m!)
//! ```
//!
//! Elias extracts several bits from each block, by the binary digits of M; no rule that uses N
//! tosses of an unknown coin extracts more. Here each block gives a single outcome, which has to
//! wait for the end of the block, so a short block is best. The default N is the length that costs
//! the least for the source, or for a fair source if the probabilities are unknown.
//!
//! **Longer blocks are not cheaper.** A block ends with probability at most f(N) = 1 - sum of
//! p_i^N, and f(N) / N does not increase from N = 2 on, so that N / f(N) is a lower bound for all
//! longer blocks. Proof: with a_s = sum of p_i^s (1 - p_i), f(N) = a_1 + ... + a_(N-1), so we must
//! show that N a_N <= a_1 + ... + a_(N-1). For N = 2 this says that the sum of p_i (1 - p_i) (1 - 2
//! p_i) is not negative. If one p_i = P is above 1/2, with Q = 1 - P, its term is -PQ (P - Q).
//! Since (1 - x) (1 - 2x) falls up to 3/4, the other terms add up to at least (1 - Q) (1 - 2Q) Q =
//! PQ (P - Q). From N to N + 1: a_1 + ... + a_N >= (N + 1) a_N, and a_N >= a_(N+1).
//!
//! **Source.** Elias 1972, for bits; here for any n.

use super::loaded::{LoadedDie, sides};
use super::words::{count_types, rank, types};
use super::{About, Arguments, Memory, Parameter, Purpose, Rule, RuleInfo, Step};
use crate::law::{CostFormula, Law};
use crate::task::{Refusal, Task};
use flipcost_number::budget::spend;
use flipcost_number::short::short;
use flipcost_number::{BigUint, Polynomial, RationalFunction};
use num_traits::{One, Zero};
use std::fmt;

/// The maximum number of types of the words of a block.
const MAX_TYPES: u64 = 100_000;
/// The maximum number of types for which a formula is expanded.
const MAX_TERMS: u64 = 128;
/// The maximum length of a block.
const MAX_BLOCK: u64 = 4096;

/// See the module documentation.
pub(crate) struct Elias {
    die: LoadedDie,
    weights: Vec<BigUint>,
    target: BigUint,
    length: u32,
}

/// The number of rolls of each face so far in the block.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct EliasState(Vec<usize>);

impl fmt::Debug for EliasState {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let faces: Vec<String> = self.0.iter().map(|face| (face + 1).to_string()).collect();
        if faces.is_empty() {
            f.write_str("before a block")
        } else {
            write!(f, "block {}", faces.join(" "))
        }
    }
}

/// The number of types; `None` if there are too many.
fn number_of_types(m: u128, length: u64) -> Option<u64> {
    count_types(m, length, MAX_TYPES)
}

impl Elias {
    /// All types, each with the number of its words that end the block with an outcome.
    fn accepted_types(&self) -> impl Iterator<Item = (Vec<u32>, BigUint)> {
        let all = types(self.weights.len(), self.length).into_iter();
        all.map(|(counts, words)| (counts, &words - &words % &self.target))
    }

    /// Returns the block length with the least cost for a source with these weights, among the
    /// lengths with few enough types.
    fn best_length(die: &LoadedDie, weights: &[BigUint], n: &BigUint) -> Option<u32> {
        let mut powers: Vec<Vec<BigUint>> = vec![vec![BigUint::one()]; weights.len()];
        let mut best: Option<(u32, BigUint, BigUint)> = None; // N, weight of all words, weight of the words that end
        let mut all = BigUint::one();
        for length in 1..=MAX_BLOCK as u32 {
            for (powers, weight) in powers.iter_mut().zip(weights) {
                powers.push(&powers[powers.len() - 1] * weight);
            }
            all *= die.sum();
            let equal: BigUint = powers.iter().filter_map(|powers| powers.last()).sum();
            if let Some((found, whole, accepted)) = &best
                && accepted * &all * length >= whole * (&all - equal) * *found
            {
                break;
            }
            if number_of_types(die.faces(), length.into()).is_none() {
                break;
            }
            spend(all.bits() / 16 * u64::from(length));
            let mass = |(counts, words): (Vec<u32>, BigUint)| {
                let faces = counts.iter().zip(&powers);
                faces.fold(&words - &words % n, |product, (k, powers)| {
                    product * &powers[*k as usize]
                })
            };
            let accepted: BigUint = types(weights.len(), length).into_iter().map(mass).sum();
            let better = best.as_ref().is_none_or(|(found, whole, ended)| {
                &accepted * whole * *found > ended * &all * length
            });
            if better && !accepted.is_zero() {
                best = Some((length, all.clone(), accepted));
            }
        }
        best.map(|(length, ..)| length)
    }
}

impl Rule for Elias {
    type State = EliasState;

    fn start(&self) -> Step<EliasState> {
        Step::Roll(EliasState(Vec::new()))
    }

    fn step(&self, at: &EliasState, face: u64) -> Step<EliasState> {
        let word = [&at.0[..], &[face as usize]].concat();
        if word.len() < self.length as usize {
            return Step::Roll(EliasState(word));
        }
        let (rank, words) = rank(&word, self.weights.len());
        if rank < &words - &words % &self.target {
            Step::Output(rank % &self.target)
        } else {
            self.start()
        }
    }
}

impl RuleInfo for Elias {
    const ABOUT: About = About {
        id: "elias",
        name: "Elias' blocks",
        citation: "Elias 1972",
        memory: Memory::OneAttempt { effort: 9 },
        bounded: "never",
        rule: "roll N times; the outcome is the rank of the word among the words with the same numbers of each face, modulo n, if the rank is below the largest multiple of n; else start again",
        law: "with M = N! / (k_1! ... k_m!) words of each type: E = N / sum of floor(M / n) n p^type",
    };
    const PURPOSE: Purpose = Purpose::UnknownSources;
    const PARAMETERS: &'static [Parameter] = &[Parameter {
        name: "N",
        about: "the number of rolls in a block; by default the number that costs the least (with a fair source, if the probabilities are unknown)",
        least: 1,
        most: MAX_BLOCK,
    }];

    fn new(task: &Task) -> Result<Self, Refusal> {
        Elias::with(task, &Arguments::NONE)
    }

    fn with(task: &Task, arguments: &Arguments) -> Result<Self, Refusal> {
        let (die, n) = (LoadedDie::from_task(task)?, sides(task)?);
        let m = die.faces();
        let many = || {
            Refusal::Rule(format!(
                "its blocks would have more than {MAX_TYPES} types of words, for n = {} from a source of {m} faces",
                short(n)
            ))
        };
        // If N is not given, try blocks with at least as many words as the target has sides.
        let shortest = || n.bits() / u64::from(m.ilog2()) + 1;
        number_of_types(m, arguments.get("N").unwrap_or_else(shortest)).ok_or_else(many)?;
        let weights = die.weights();
        let length = match arguments.get("N") {
            Some(length) => length as u32,
            None => Elias::best_length(&die, &weights, n).ok_or_else(many)?,
        };
        number_of_types(m, length.into()).ok_or_else(many)?;
        let rule = Elias {
            die,
            weights,
            target: n.clone(),
            length,
        };
        if rule.accepted_types().all(|(_, words)| words.is_zero()) {
            return Err(Refusal::Rule(format!(
                "there are no {} blocks of length {length} with the same number of each face: longer blocks are needed",
                short(n)
            )));
        }
        Ok(rule)
    }

    fn closed_law(&self) -> Option<Law> {
        let term = |(counts, words): (Vec<u32>, BigUint)| -> BigUint {
            let faces = counts.iter().zip(&self.weights);
            faces.fold(words, |product, (k, w)| product * w.pow(*k))
        };
        let accepted = self.accepted_types().map(term).sum();
        Some(self.die.blocks(self.length, accepted))
    }

    fn settled(&self) -> Option<String> {
        Some(format!("N={}", self.length))
    }

    fn formula(&self) -> Option<CostFormula> {
        let m = self.die.faces();
        if number_of_types(m, self.length.into()).is_none_or(|types| types > MAX_TERMS) {
            let (n, length) = (&self.target, self.length);
            return Some(CostFormula::Text(match m {
                2 => format!(
                    "{length}/(sum over k = 0, ..., {length} of {n}*floor(C({length}, k)/{n})*p^k*(1 - p)^({length} - k))"
                ),
                _ => format!(
                    "{length}/(sum over k1 + ... + k{m} = {length} of {n}*floor({length}!/(k1!*...*k{m}!)/{n})*p1^k1*...*p{m}^k{m})"
                ),
            }));
        }
        let faces = crate::law::unknown_faces(self.die.faces() as u64);
        let mut accepted = Polynomial::zero();
        for (counts, words) in self.accepted_types().filter(|(_, words)| !words.is_zero()) {
            let powers = counts.iter().zip(&faces).map(|(k, p)| p.power(*k));
            let whole = Polynomial::constant(words);
            accepted = &accepted + &powers.fold(whole, |product, power| &product * &power);
        }
        let length = Polynomial::constant(self.length);
        Some(CostFormula::Rational(RationalFunction::new(
            length, accepted,
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// For every source, the default N has the least cost.
    #[test]
    fn the_length_is_the_cheapest() {
        let elias = |id: &str| super::super::find(id).unwrap();
        for weights in [
            &[1u64, 1][..],
            &[1, 2],
            &[2, 3],
            &[1, 40],
            &[1, 1, 1, 1, 1, 2],
            &[1, 30, 1],
        ] {
            for n in [2u64, 3, 5, 6, 7, 10] {
                let source = crate::task::Source::loaded(weights).unwrap();
                let task = Task::new(crate::task::Target::uniform(n).unwrap(), source);
                let best = elias("elias").law(&task).unwrap().mean().unwrap();
                let most = if weights.len() == 2 { 40 } else { 12 };
                let others = (1..=most)
                    .filter_map(|length| elias(&format!("elias:N={length}")).law(&task).ok());
                let least = others.map(|law| law.mean().unwrap()).min().unwrap();
                assert_eq!(best, least, "a d{n} from {weights:?}");
            }
        }
    }
}
