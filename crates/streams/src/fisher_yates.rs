//! What the indices of a Fisher-Yates shuffle cost: the sum of an algorithm's costs for i = 2, ..., K.

use flipcost::algorithms::Algorithm;
use flipcost::law::Bias;
use flipcost::task::{Refusal, Source, Target, Task};
use flipcost_libraries::Library;
use flipcost_number::Enclosure;
use flipcost_number::Real;
use flipcost_number::total::{exact_terms, exact_total};
use flipcost_number::{BigInt, BigUint, Rational};
use num_traits::Zero;
use std::cmp::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

/// The most cards for which every index is costed.
pub const MOST_CARDS: u64 = 1 << 16;

/// Sums of the first terms of a list, all of them enclosed in one pass.
#[derive(Clone)]
pub(super) struct RunningSums(Arc<SummedTerms>);

struct SummedTerms {
    terms: Vec<Real>,
    /// The sums of so many of the first terms are fractions.
    exact: usize,
    /// The sums within 2^-bits, for the most bits that were asked for.
    kept: Mutex<Option<(u64, Arc<Vec<Enclosure>>)>>,
}

impl RunningSums {
    pub(super) fn new(terms: Vec<Real>) -> RunningSums {
        RunningSums(Arc::new(SummedTerms {
            exact: exact_terms(&terms),
            kept: Mutex::new(None),
            terms,
        }))
    }

    /// Of the first 0, 1, 2, ... terms, each within 2^-bits. Cost: one enclosure of each term, for
    /// every 64 bits anew.
    pub(super) fn enclosures(&self, bits: u64) -> Arc<Vec<Enclosure>> {
        let mut kept = self.0.kept.lock().unwrap_or_else(PoisonError::into_inner);
        match &*kept {
            Some((known, sums)) if *known >= bits => return sums.clone(),
            _ => {}
        }
        let bits = bits.next_multiple_of(64);
        let count = self.0.terms.len() as u64;
        let work = bits + u64::from(64 - count.leading_zeros()) + 1;
        let mut sum = Enclosure::of_rational(&Rational::zero(), work + 4);
        let mut sums = vec![sum.clone()];
        for term in &self.0.terms {
            sum = sum.plus(&term.enclose(work).coarsen(work + 4));
            sums.push(sum.clone());
        }
        let sums = Arc::new(sums);
        *kept = Some((bits, sums.clone()));
        sums
    }

    /// The sum of the first so many terms: exact where the fraction is small.
    ///
    /// # Panics
    /// If there are fewer terms.
    pub(super) fn first(&self, count: usize) -> Real {
        if count <= self.0.exact {
            return Real::Exact(exact_total(&self.0.terms[..count]));
        }
        let sums = self.clone();
        Real::enclosed(move |bits| sums.enclosures(bits)[count].clone())
    }
}

/// The sums up to i = K for each K, of costs for i = 2, 3, ...
fn up_to(costs: Vec<Real>, sizes: &[u64]) -> Vec<Real> {
    let sums = RunningSums::new(costs);
    let of = |cards: &u64| sums.first(cards.saturating_sub(1) as usize);
    sizes.iter().map(of).collect()
}

/// From this n on the fraction of a mean is not looked for: the sum has none that is small, and an
/// enclosure is found sooner.
const MOST_EXACT: u64 = 200;

fn largest(sizes: &[u64]) -> Result<u64, Refusal> {
    let most = sizes.iter().copied().max().unwrap_or(0);
    if most > MOST_CARDS {
        Err(Refusal::Rule(format!(
            "a deck of {most} cards is too large: {MOST_CARDS} is the most"
        )))
    } else {
        Ok(most)
    }
}

/// Expected rolls of a source of m sides for the indices of a shuffle of K cards, by one algorithm,
/// for each K of a list: the sum of its costs for i = 2, ..., K.
///
/// Cost: one law for each i up to the largest K, and an enclosure of it.
///
/// ```
/// use flipcost::prelude::*;
/// // a d2 costs 1 flip, a d3 8/3: 11/3 for three cards
/// let costs = flipcost_streams::fisher_yates(FAST_DICE_ROLLER, &Source::COIN, &[3, 52])?;
/// assert_eq!(costs[0].to_string(), "11/3");
/// assert_eq!(costs[1].decimals(3)?, "277.842");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the algorithm refuses an i or the source, or a deck has more than 2^16 cards.
pub fn fisher_yates(
    method: &dyn Algorithm,
    source: &Source,
    sizes: &[u64],
) -> Result<Vec<Real>, Refusal> {
    let cost = |i: u64| {
        let task = Task::new(source.clone(), Target::uniform(i).expect("i >= 2"));
        let law = method.prepare(&task)?.law();
        let law = law.map_err(|e| Refusal::Rule(e.to_string()))?;
        let mean = law.mean_real();
        Ok(if i > MOST_EXACT {
            Real::enclosed(move |bits| mean.enclose(bits))
        } else {
            mean
        })
    };
    let costs = (2..=largest(sizes)?).map(cost);
    Ok(up_to(costs.collect::<Result<_, Refusal>>()?, sizes))
}

/// What the indices of a shuffle draw by a function of a library.
///
/// ```
/// use flipcost_libraries::library;
/// use flipcost_streams::library_shuffle;
/// let deck = library_shuffle(library("cpython-randbelow").unwrap(), 52)?;
/// assert_eq!(deck.words.decimals(3)?, "76.395"); // words of 32 bits
/// assert_eq!(deck.bits_drawn.unwrap().decimals(1)?, "2444.6");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
#[non_exhaustive]
pub struct LibraryShuffle {
    /// Expected words.
    pub words: Real,
    /// Expected bits of these words; `None` where a word has no whole number of bits.
    pub bits_drawn: Option<Real>,
    /// At most so far are the orders from uniform, in total variation: the sum of that of the indices
    /// (a coupling index by index) or 1, exact or enclosed; 0 if all are uniform.
    pub bias_at_most: Real,
}

/// A Fisher-Yates shuffle of K cards whose indices are drawn by one function of a library: the sums of
/// its costs for i = 2, ..., K.
///
/// Cost: one call of [`Library::cost`] for each i, which is O(i) for those that compute with doubles.
///
/// # Errors
/// If the function takes no i as large as K, or the deck has more than 2^16 cards.
pub fn library_shuffle(library: &Library, cards: u64) -> Result<LibraryShuffle, Refusal> {
    let (mut words, mut bits, mut bias) = (Vec::new(), Some(Vec::new()), Vec::new());
    for i in 2..=largest(&[cards])? {
        let n = BigUint::from(i);
        let cost = library.cost(&n)?;
        let mean = cost.words.mean_real();
        bits = bits.zip(cost.word_bits).map(|(mut bits, word)| {
            bits.push(mean.times(&Real::integer(BigInt::from(word))));
            bits
        });
        words.push(mean);
        let distance = cost.outcomes.map(|law| Bias::new(&law, n.clone()));
        bias.extend(distance.map(|bias| Real::Exact(bias.total_variation())));
    }
    let all = |terms: Vec<Real>| {
        let count = terms.len();
        RunningSums::new(terms).first(count)
    };
    Ok(LibraryShuffle {
        words: all(words),
        bits_drawn: bits.map(all),
        bias_at_most: at_most_one(all(bias)),
    })
}

/// The lesser of a sum of distances and 1.
fn at_most_one(sum: Real) -> Real {
    match sum.compare(1) {
        Ok(Ordering::Greater) => Real::integer(1),
        _ => sum,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shuffle;
    use flipcost::algorithms::{FAST_DICE_ROLLER, find};
    use flipcost_libraries::library;

    /// One by one, and all sizes at once.
    #[test]
    fn every_size_is_a_sum() {
        let sizes = [0, 1, 2, 40, 17, 200];
        for id in ["fast-dice-roller", "rejection", "interval"] {
            let method = find(id).unwrap();
            let costs = fisher_yates(method, &Source::COIN, &sizes).unwrap();
            for (cards, cost) in sizes.iter().zip(&costs).skip(1) {
                let rows = shuffle(&Source::COIN, *cards).unwrap();
                let row = rows.iter().find(|row| row.id == id).unwrap();
                let known = row.cost.as_ref().unwrap();
                assert_eq!(known.decimals(20), cost.decimals(20), "{id}, {cards}");
            }
        }
        let large = fisher_yates(FAST_DICE_ROLLER, &Source::COIN, &[MOST_CARDS + 1]);
        assert!(
            large
                .err()
                .unwrap()
                .to_string()
                .contains("65536 is the most")
        );
    }

    /// CPython's shuffle of 52 cards draws 2^K / n words for each n, K = bit length of n; with that of
    /// n - 1 it would save a word at each of 2, 4, 8, 16, 32.
    #[test]
    fn a_deck_in_python() {
        let words = |id: &str| {
            let deck = library_shuffle(library(id).unwrap(), 52).unwrap();
            deck.words.exact().unwrap().clone()
        };
        let by_hand = |length: fn(u64) -> u32| -> Rational {
            let words = |n: u64| Rational::new((1u64 << length(n)).into(), n.into());
            (2..=52).map(words).sum()
        };
        let python = by_hand(|n| 64 - n.leading_zeros());
        assert_eq!(words("cpython-randbelow"), python);
        let shorter = by_hand(|n| 64 - (n - 1).leading_zeros());
        assert_eq!(python - &shorter, Rational::from_integer(5.into()));
        assert_eq!(words("ruby-rand"), shorter);
    }

    /// 2^32 / (2^32 - 2^32 mod n) words for each n.
    #[test]
    fn a_deck_of_words_that_are_hardly_ever_rejected() {
        let deck = library_shuffle(library("rust-rand-uniform32").unwrap(), 52).unwrap();
        assert_eq!(deck.words.decimals(8).unwrap(), "51.00000014");
        assert_eq!(deck.bias_at_most.exact(), Some(&Rational::zero()));
        let deck = library_shuffle(library("c-rand-mod-msvc").unwrap(), 3).unwrap();
        // 15 bits modulo 3: two outcomes have a word more, total variation 2 / (3 2^15)
        assert_eq!(deck.bias_at_most.exact().unwrap().to_string(), "1/49152");
        let small = library("numpy-integers-uint8-array").unwrap();
        assert!(library_shuffle(small, 257).is_err());
    }
}
