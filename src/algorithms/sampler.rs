//! Samples an algorithm many times: with a table of the transitions of its chain if the table is
//! small, with two integers if it is the fast dice roller for a large target, otherwise step by
//! step.

use super::bits::WordBits;
use super::faces::{FaceOrigin, Faces};
use super::prepared::{Algorithm, AlgorithmError, Prepared};
use crate::law::{Chain, Next};
use crate::task::{Refusal, Task};
use num_traits::ToPrimitive;
use std::convert::Infallible;

/// The maximum number of transitions of a table: 2 MB, which is made in about the time of a million
/// rolls.
const MAX_MOVES: usize = 1 << 19;

/// The least number of sides of a target for which the fast dice roller uses two integers; for
/// smaller targets a table is faster.
const MIN_ROLLER_SIDES: u64 = 1 << 10;

/// Marks a transition to an outcome instead of a state.
const OUTCOME_FLAG: u32 = 1 << 31;

/// An algorithm prepared to be rolled many times with the bits of machine words. The fast dice
/// roller takes some 10 ns for a d6 from flips and 100 ns for a d1000003; another algorithm takes
/// as many words as its law says, which for `rejection` of a d6 from words of 32 bits are some
/// 700 million. Each outcome has exactly the probability that the
/// algorithm gives it. This is its probability in the target, except for `canon` and for biased
/// rules of your own. With the feature `rand` it is a `Distribution<u64>`: `rng.sample(&sampler)`.
///
/// ```
/// use flipcost::algorithms::{FAST_DICE_ROLLER, Sampler};
/// use flipcost::task::{Source, Task};
/// let sampler = Sampler::new(FAST_DICE_ROLLER.prepare(&Task::die(6u8, Source::COIN)?)?)?;
/// // lowest bit first: flips 1, 1, 1 give 7 of 8, rejected, which leaves 1 of 2; 0, 0 give 4 of 8
/// assert_eq!(sampler.sample_words(|| 0b00_111), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Sampler(Sampling);

/// Shows the way of sampling.
impl std::fmt::Debug for Sampler {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match &self.0 {
            Sampling::Table(table) => {
                write!(f, "Sampler(a table of {} branches)", table.moves.len())
            }
            Sampling::Roller(roller) => {
                write!(f, "Sampler(a d{} with two integers)", roller.target)
            }
            Sampling::Steps(_) => f.write_str("Sampler(step by step)"),
        }
    }
}

// A sampler does not change after its creation.
impl std::panic::UnwindSafe for Sampler {}
impl std::panic::RefUnwindSafe for Sampler {}

/// The way in which an algorithm is rolled.
enum Sampling {
    Table(MoveTable),
    Roller(WordRoller),
    Steps(Box<dyn Prepared>),
}

/// The fast dice roller for a target of n sides, with numbers below 2^128.
struct WordRoller {
    source: u128,
    target: u128,
}

impl WordRoller {
    /// Rolls one outcome. The number c is uniform on v values; if it is below the largest multiple
    /// of n it gives an outcome, otherwise the remaining values are kept.
    fn sample<E>(
        &self,
        bits: &mut WordBits,
        word: &mut impl FnMut() -> Result<u64, E>,
    ) -> Result<u64, E> {
        let n = self.target;
        let (mut v, mut c) = (1u128, 0u128);
        while v < n {
            c = c * self.source + u128::from(bits.face(self.source, &mut *word)?);
            v *= self.source;
            if v >= n {
                let most = v - v % n;
                if c < most {
                    return Ok((c % n) as u64);
                }
                (v, c) = (v - most, c - most);
            }
        }
        Ok(0) // n = 1
    }
}

/// The chain of an algorithm as a table, with one lookup for each roll.
pub(super) struct MoveTable {
    start: u32,
    states: Vec<SamplerState>,
    /// For each branch of each state: the next state, or with [`OUTCOME_FLAG`] the index of an
    /// outcome in the list.
    moves: Vec<u32>,
    /// For loaded dice, the sum of the weights up to each branch.
    ends: Vec<u64>,
    outcomes: Vec<u64>,
}

/// A state: its first branch, the number of its branches, and the number that is rolled, which is
/// below `sides` and has `bits` bits.
struct SamplerState {
    first: u32,
    faces: u32,
    bits: u32,
    sides: u64,
}

impl SamplerState {
    #[inline]
    fn face<E>(
        &self,
        bits: &mut WordBits,
        word: &mut impl FnMut() -> Result<u64, E>,
    ) -> Result<u64, E> {
        let mask = (1 << self.bits) - 1;
        loop {
            let face = bits.take(self.bits, mask, word)?;
            if face < self.sides {
                return Ok(face);
            }
        }
    }
}

impl Sampler {
    /// Creates a sampler of an algorithm for a task with up to 2^64 outcomes. Cost: nothing for the
    /// fast dice roller from 1024 sides on. For other algorithms, the law is computed first;
    /// without a closed form, its chain is explored up to [`CHAIN_LIMIT`](super::CHAIN_LIMIT)
    /// transitions. A chain of at most 2^19 transitions is then made into a table of up to 2 MB;
    /// otherwise there is no table, and each sample plays the steps.
    ///
    /// # Errors
    /// [`AlgorithmError`] if the algorithm has no law ([`Prepared::law`]): its chain is too large,
    /// it may never end, or it has an outcome outside the target. Also if the target has more than
    /// 2^64 outcomes, if its source is a word of more than 64 bits, or if the weights of its source
    /// sum to 2^63 or more.
    pub fn new(prepared: Box<dyn Prepared>) -> Result<Sampler, AlgorithmError> {
        prepared.law()?; // it ends, and the target has all its outcomes
        let outcomes = prepared.task().target().outcomes();
        let sides = prepared
            .roller_sides()
            .filter(|(_, n)| *n >= MIN_ROLLER_SIDES);
        if let Some((source, target)) = sides {
            let target = target.into();
            return Ok(Sampler(Sampling::Roller(WordRoller { source, target })));
        }
        if outcomes.bits() > 65 || (outcomes.bits() == 65 && outcomes.trailing_zeros() != Some(64))
        {
            let what = format!(
                "a sampler returns words, and the outcomes of the target have {} bits",
                outcomes.bits()
            );
            return Err(Refusal::Rule(what).into());
        }
        let Ok((chain, _)) = prepared.chain(MAX_MOVES) else {
            let source = prepared.task().source();
            if source.is_fair() && source.in_a_word().is_none() {
                let what = "words of more than 64 bits are not drawn".to_string();
                return Err(Refusal::Rule(what).into());
            }
            return Ok(Sampler(Sampling::Steps(prepared)));
        };
        let sum = prepared.task().source().weight_sum();
        match MoveTable::from_chain(&chain) {
            Some(table) => Ok(Sampler(Sampling::Table(table))),
            None => Err(Refusal::Rule(format!(
                "the weights of its source sum to {}, and a sampler needs a sum below 2^63",
                sum.unwrap_or_default()
            ))
            .into()),
        }
    }

    /// Returns one outcome (from 0), using random words of 64 bits. Cost: a lookup for each roll,
    /// and for loaded dice a search among the faces; without a table, the steps of the algorithm.
    #[inline]
    pub fn sample_words(&self, mut next_word: impl FnMut() -> u64) -> u64 {
        let mut word = || Ok::<u64, Infallible>(next_word());
        let sampled = match &self.0 {
            Sampling::Table(table) => table.sample(&mut word),
            Sampling::Roller(roller) => roller.sample(&mut WordBits::default(), &mut word),
            Sampling::Steps(prepared) => {
                let words = FaceOrigin::Words(Box::new(|| Ok(next_word())));
                let rolled = prepared.roll(&mut Faces::new(words));
                // Words never run out, and the law has no outcome outside the target.
                let outcome = rolled.map(|rolled| rolled.outcome.to_u64());
                return outcome.ok().flatten().expect("an outcome that fits a word");
            }
        };
        let Ok(outcome) = sampled;
        outcome
    }
}

impl MoveTable {
    /// Creates the table of a chain whose outcomes and sums of weights fit in words.
    pub(super) fn from_chain(chain: &Chain) -> Option<MoveTable> {
        let place = |next: &Next| match *next {
            Next::State(state) => state,
            Next::Outcome(outcome) => outcome | OUTCOME_FLAG,
        };
        let (mut states, mut moves, mut ends) = (Vec::new(), Vec::new(), Vec::new());
        for state in 0..chain.len() as u32 {
            let faces = chain.branches(state).len() as u32;
            let mut sides = u64::from(faces);
            let first = moves.len() as u32;
            moves.extend(chain.branches(state).iter().map(place));
            if let Some(weights) = chain.weights(state) {
                sides = 0;
                for weight in weights {
                    sides = weight
                        .to_u64()
                        .and_then(|weight| sides.checked_add(weight))?;
                    ends.push(sides);
                }
            }
            let bits = 64 - sides.saturating_sub(1).leading_zeros();
            if bits == 64 {
                return None;
            }
            states.push(SamplerState {
                first,
                faces,
                bits,
                sides,
            });
        }
        let outcomes = chain.outcomes().iter().map(ToPrimitive::to_u64);
        Some(MoveTable {
            start: place(&chain.start()),
            states,
            moves,
            ends,
            outcomes: outcomes.collect::<Option<_>>()?,
        })
    }

    #[inline]
    fn sample<E>(&self, word: &mut impl FnMut() -> Result<u64, E>) -> Result<u64, E> {
        let mut bits = WordBits::default();
        let mut at = self.start;
        while at & OUTCOME_FLAG == 0 {
            let state = &self.states[at as usize];
            let mut face = state.face(&mut bits, word)?;
            if !self.ends.is_empty() {
                let ends = &self.ends[state.first as usize..][..state.faces as usize];
                face = ends.partition_point(|end| *end <= face) as u64;
            }
            at = self.moves[state.first as usize + face as usize];
        }
        Ok(self.outcomes[(at ^ OUTCOME_FLAG) as usize])
    }

    /// Rolls one outcome with faces of fair dice: returns its index in the list of the chain's
    /// outcomes, and the number of rolls used.
    #[cfg(feature = "simulate")]
    pub(super) fn roll<E>(
        &self,
        mut face: impl FnMut(u64) -> Result<u64, E>,
    ) -> Result<(usize, u64), E> {
        let (mut at, mut rolls) = (self.start, 0);
        while at & OUTCOME_FLAG == 0 {
            let state = &self.states[at as usize];
            at = self.moves[(u64::from(state.first) + face(state.sides)?) as usize];
            rolls += 1;
        }
        Ok(((at ^ OUTCOME_FLAG) as usize, rolls))
    }

    /// The outcomes in the order of the chain.
    #[cfg(feature = "simulate")]
    pub(super) fn outcomes(&self) -> &[u64] {
        &self.outcomes
    }

    /// Whether all dice are fair.
    #[cfg(feature = "simulate")]
    pub(super) fn is_fair(&self) -> bool {
        self.ends.is_empty()
    }
}

impl dyn Algorithm + '_ {
    /// Prepares the algorithm to be rolled many times for a task; see [`Sampler::new`].
    ///
    /// ```
    /// use flipcost::prelude::*;
    /// let sampler = FAST_DICE_ROLLER.sampler(&Task::die(6, Source::COIN)?)?;
    /// assert!(sampler.sample_words(|| 0x9e37_79b9_7f4a_7c15) < 6); // your own random words
    /// # Ok::<(), flipcost::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Sampler::new`]; also if the task is refused.
    pub fn sampler(&self, task: &Task) -> Result<Sampler, AlgorithmError> {
        self.with_prepared(task, Sampler::new)
    }
}

#[cfg(feature = "rand")]
impl rand::distr::Distribution<u64> for Sampler {
    #[inline]
    fn sample<R: rand::Rng + ?Sized>(&self, rng: &mut R) -> u64 {
        self.sample_words(|| rng.next_u64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::{FAST_DICE_ROLLER, Faces, REGISTRY};
    use crate::task::{Source, Target};

    /// For fair and loaded dice, the sampler gives the same outcomes as the algorithm played with
    /// the same words.
    #[test]
    fn samples_agree_with_the_played_rule() {
        let mut sampled = 0;
        for (source, weights) in [
            ("2", vec![1u64; 6]),
            ("2", vec![1, 2, 5]),
            ("6", vec![1; 4]),
            ("10", vec![1; 48]),
            ("1:3", vec![1, 1]),
            ("1:1:2", vec![3, 1]),
        ] {
            let target = Target::weighted(weights).unwrap();
            let task = Task::new(target, source.parse().unwrap());
            for algorithm in REGISTRY {
                let Ok(prepared) = algorithm.prepare(&task) else {
                    continue;
                };
                let Ok(sampler) = algorithm.sampler(&task) else {
                    continue;
                };
                sampled += 1;
                let mut words = crate::algorithms::bits::tests::words();
                for _ in 0..500 {
                    let some: Vec<u64> = words.by_ref().take(99).collect();
                    let bytes: Vec<u8> = some.iter().flat_map(|word| word.to_le_bytes()).collect();
                    let mut faces = Faces::from_reader(&bytes[..]);
                    let rolled = prepared.roll(&mut faces).unwrap();
                    let mut words = some.into_iter();
                    let outcome = sampler.sample_words(|| words.next().unwrap());
                    assert_eq!(rolled.outcome, outcome.into(), "{task}");
                }
            }
        }
        assert!(sampled > 60, "{sampled}");
    }

    /// If the chain of a target is too large for a table, the sampler still gives the same outcomes
    /// as playing: with two integers, or step by step.
    #[test]
    fn large_targets_are_sampled_without_a_table() {
        for (source, n) in [
            ("2", 3329u64),
            ("2", 1_000_003),
            ("6", 100_003),
            ("2", 1_000_000_000_000_000_009),
        ] {
            let task = Task::new(Target::uniform(n).unwrap(), source.parse().unwrap());
            for id in ["fast-dice-roller", "rejection", "interval"] {
                let algorithm = crate::algorithms::find(id).unwrap();
                let Ok(prepared) = algorithm.prepare(&task) else {
                    continue;
                };
                if id != "fast-dice-roller" && n > 1 << 20 && prepared.closed_law().is_none() {
                    continue;
                }
                let sampler = algorithm.sampler(&task).unwrap();
                let mut words = crate::algorithms::bits::tests::words();
                for _ in 0..50 {
                    let some: Vec<u64> = words.by_ref().take(99).collect();
                    let bytes: Vec<u8> = some.iter().flat_map(|word| word.to_le_bytes()).collect();
                    let rolled = prepared.roll(&mut Faces::from_reader(&bytes[..])).unwrap();
                    let mut words = some.into_iter();
                    let outcome = sampler.sample_words(|| words.next().unwrap());
                    assert_eq!(rolled.outcome, outcome.into(), "{id}: {task}");
                }
            }
        }
        assert!(
            FAST_DICE_ROLLER
                .sampler(&Task::die(u128::MAX, Source::COIN).unwrap())
                .is_err()
        );
    }

    /// Words of any width are sampled or refused.
    #[test]
    fn wide_words_are_sampled_or_refused() {
        for (bits, n) in [(64u32, 6u64), (65, 6), (128, 3329), (8192, 6)] {
            let task = Task::die(n, Source::word(bits).unwrap()).unwrap();
            for algorithm in REGISTRY {
                if let Ok(sampler) = algorithm.sampler(&task) {
                    let mut words = crate::algorithms::bits::tests::words();
                    let outcome = sampler.sample_words(|| words.next().unwrap());
                    assert!(outcome < n, "{algorithm:?}: {task}");
                }
            }
        }
    }

    #[test]
    fn one_outcome_needs_no_word() {
        let heavy = Task::new(
            Target::uniform(1u8).unwrap(),
            format!("1:{}", u64::MAX).parse().unwrap(),
        );
        let rule = crate::algorithms::find("interval").unwrap();
        let sampler = rule.sampler(&heavy).unwrap();
        assert_eq!(
            sampler.sample_words(|| unreachable!("one outcome needs no word")),
            0
        );
    }
}
