//! Rules that take single bits from words: each is a rule for a coin, and its flips are the bits of
//! a word, the highest first.
//!
//! The unused bits of a word at the end of a result are either discarded, so that T flips take N =
//! ceil(T / w) words, or kept for the next result, so that each flip costs 1/w words. Pictures show
//! the tree of the coin, because in the tree of words each node would have 2^w children.

use super::about::{About, Purpose};
use super::parameters::{Parameter, ParameterError};
use super::prepared::{Algorithm, AlgorithmError, Prepared, Rolled, Traced};
use crate::law::{Chain, Law, Words};
use crate::task::{Refusal, RollUnit, Source, Task};
use flipcost_number::Rational;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// The number of bits in a word of this task, if the task has weights and the rule takes single
/// bits; otherwise `None`.
pub(super) fn bits_per_word(task: &Task) -> Option<u32> {
    let source = task.source();
    let words = source.is_fair() && source.unit() == RollUnit::Words;
    (words && task.target().sides().is_none()).then(|| (source.sides().bits() - 1) as u32)
}

/// Replaces the source of a task by a coin.
pub(super) fn with_coin_source(task: &Task) -> Task {
    Task::new(task.target().clone(), Source::COIN)
}

/// A rule for a coin, prepared for a task whose source is words.
pub(super) struct BufferedRule {
    pub flips: Box<dyn Prepared>,
    pub task: Task,
    pub bits: u32,
    /// Whether bits are kept for the next result.
    pub kept: bool,
    /// If unused bits are discarded and the law has a closed form: that law.
    pub closed: Option<Law>,
}

impl Prepared for BufferedRule {
    fn task(&self) -> &Task {
        &self.task
    }

    fn law(&self) -> Result<Law, AlgorithmError> {
        match &self.closed {
            Some(law) if !self.kept => Ok(law.clone()),
            _ => Ok(Words::new(self.flips.law()?, self.bits, self.kept).into()),
        }
    }

    fn bits_used(&self) -> Option<Rational> {
        self.flips.law().ok()?.mean().ok()
    }

    fn chain(&self, _: usize) -> Result<(Chain, Vec<String>), AlgorithmError> {
        Err(Refusal::Rule(format!(
            "it takes bits one by one from words of {}: its tree is that of a coin",
            self.bits
        ))
        .into())
    }

    fn bias(&self) -> Result<Option<crate::law::Bias>, AlgorithmError> {
        self.flips.bias()
    }

    fn play(
        &self,
        roll: &mut dyn FnMut(u128) -> Option<u64>,
        trace: Option<&mut dyn FnMut(Traced)>,
    ) -> Result<Option<Rolled>, AlgorithmError> {
        if self.bits > 64 {
            return Err(
                Refusal::Rule("words of more than 64 bits are not drawn".to_string()).into(),
            );
        }
        let (mut word, mut left, mut words) = (0u64, 0, 0);
        let mut flip = |_: u128| {
            if left == 0 {
                word = roll(1u128 << self.bits)?;
                (left, words) = (self.bits, words + 1);
            }
            left -= 1;
            Some(word >> left & 1)
        };
        let rolled = self.flips.play(&mut flip, trace)?;
        Ok(rolled.map(|rolled| Rolled {
            rolls: words,
            ..rolled
        }))
    }
}

/// An algorithm that keeps the unused bits of a word for the next result.
struct KeepsBits(&'static dyn Algorithm);

impl Algorithm for KeepsBits {
    fn about(&self) -> &About {
        self.0.about()
    }

    fn prepare(&self, task: &Task) -> Result<Box<dyn Prepared>, Refusal> {
        let Some(bits) = bits_per_word(task) else {
            return self.0.prepare(task);
        };
        Ok(Box::new(BufferedRule {
            flips: self.0.prepare(&with_coin_source(task))?,
            task: task.clone(),
            bits,
            kept: true,
            closed: None,
        }))
    }

    fn takes_bits(&self) -> bool {
        true
    }

    fn purpose(&self) -> Purpose {
        self.0.purpose()
    }

    fn is_optimal(&self) -> bool {
        self.0.is_optimal()
    }

    fn parameters(&self) -> &'static [Parameter] {
        self.0.parameters()
    }

    fn with(&self, parameters: &str) -> Result<&'static dyn Algorithm, ParameterError> {
        self.0.with(parameters).map(keeping_bits)
    }
}

/// Returns the same algorithm, but keeping the unused bits of a word for the next result. An
/// algorithm that does not take single bits is returned unchanged.
///
/// ```
/// use flipcost::algorithms::{find, keeping_bits};
/// let knuth_yao = find("knuth-yao")?;
/// let task = "1:2:3 from word:64".parse()?;
/// // one word for each result, though 2 of its bits are enough on average
/// assert_eq!(knuth_yao.law(&task)?.mean_real().decimals(9)?, "1.000000000");
/// assert_eq!(keeping_bits(knuth_yao).law(&task)?.mean_real().to_string(), "1/32");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn keeping_bits(algorithm: &'static dyn Algorithm) -> &'static dyn Algorithm {
    static ALGORITHMS: Mutex<BTreeMap<&str, &'static dyn Algorithm>> = Mutex::new(BTreeMap::new());
    if !algorithm.takes_bits() {
        return algorithm;
    }
    let mut made = ALGORITHMS.lock().unwrap_or_else(PoisonError::into_inner);
    *made
        .entry(algorithm.about().id)
        .or_insert_with(|| Box::leak(Box::new(KeepsBits(algorithm))))
}

#[cfg(test)]
mod tests {
    use super::super::find;
    use super::*;
    use crate::task::Target;

    /// For each rule, the law of ceil(T / w) words follows from the survival of T flips. When a
    /// rule is played, it uses as many words as its flips need.
    #[test]
    fn words_follow_from_the_flips() {
        for weights in [&[1u8, 2, 3][..], &[4, 7, 8], &[1, 7, 1, 1, 7, 1], &[1, 3]] {
            let target = Target::weighted(weights).unwrap();
            for bits in [8u32, 32, 64] {
                let task = Task::new(target.clone(), Source::word(bits).unwrap());
                for id in ["knuth-yao", "fldr", "aldr", "interval", "alias"] {
                    let algorithm = find(id).unwrap();
                    let flips = algorithm.law(&with_coin_source(&task)).unwrap();
                    let words = algorithm.law(&task).unwrap();
                    let mut survival = words.survival();
                    for j in 0..4u64 {
                        assert_eq!(
                            survival.next().unwrap(),
                            flips.sf(j * u64::from(bits)),
                            "{id} {bits}"
                        );
                    }
                    // The mean is exact; the partial sums of the survival probabilities approach it
                    // from below.
                    let mean = words.mean().unwrap();
                    let below: flipcost_number::Rational = words.survival().take(40).sum();
                    assert!(
                        below <= mean
                            && mean.clone() - below
                                < flipcost_number::Rational::new(1.into(), (1u64 << 40).into()),
                        "{id} {bits}"
                    );
                    let kept = keeping_bits(algorithm).law(&task).unwrap().mean().unwrap();
                    assert_eq!(
                        kept * flipcost_number::BigInt::from(bits),
                        flips.mean().unwrap(),
                        "{id}"
                    );
                    let mut faces = [0x5Au64, 0xC3, 0x17, 0x99].into_iter().cycle();
                    let played = algorithm
                        .prepare(&task)
                        .unwrap()
                        .play(&mut |_| faces.next(), None)
                        .unwrap()
                        .unwrap();
                    let mut all = [0x5Au64, 0xC3, 0x17, 0x99]
                        .into_iter()
                        .cycle()
                        .flat_map(|word| (0..bits).rev().map(move |bit| word >> bit & 1));
                    let coin = algorithm
                        .prepare(&with_coin_source(&task))
                        .unwrap()
                        .play(&mut |_| all.next(), None)
                        .unwrap()
                        .unwrap();
                    assert_eq!(
                        (played.outcome, played.rolls),
                        (coin.outcome, coin.rolls.div_ceil(bits.into())),
                        "{id} {bits}"
                    );
                }
            }
        }
    }
}
