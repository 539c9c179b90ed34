//! The cost of the indices of a Fisher-Yates shuffle: the sum of an algorithm's costs for i = 2,
//! ..., K.

use flipcost::algorithms::Algorithm;
use flipcost::task::{Refusal, Source, Target, Task};
use flipcost_libraries::MAX_SHUFFLED;
use flipcost_number::Enclosure;
use flipcost_number::Rational;
use flipcost_number::Real;
use flipcost_number::threads;
use flipcost_number::total::{exact_terms, exact_total, total};
use num_traits::Zero;
use std::sync::{Arc, Mutex, PoisonError};

/// The maximum number of cards for which the sums of all smaller decks are kept.
pub const MAX_CARDS: u64 = 1 << 16;

/// The prefix sums of a list of reals; one pass encloses all of them.
#[derive(Clone)]
struct RunningSums(Arc<SummedTerms>);

struct SummedTerms {
    terms: Vec<Real>,
    /// The prefix sums below this index are computed as fractions.
    exact: usize,
    /// The sums within 2^-bits, for the largest number of bits requested so far.
    kept: Mutex<Option<(u64, Arc<Vec<Enclosure>>)>>,
}

impl RunningSums {
    fn new(terms: Vec<Real>) -> RunningSums {
        RunningSums(Arc::new(SummedTerms {
            exact: exact_terms(&terms),
            kept: Mutex::new(None),
            terms,
        }))
    }

    /// Encloses the sums of the first 0, 1, 2, ... terms, each within 2^-bits. Cost: one enclosure
    /// of each term, repeated for every further 64 bits.
    fn enclosures(&self, bits: u64) -> Arc<Vec<Enclosure>> {
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

    /// Returns the sum of the first `count` terms: exact if the fraction is small.
    ///
    /// # Panics
    /// If there are fewer than `count` terms.
    fn first(&self, count: usize) -> Real {
        if count <= self.0.exact {
            return Real::Exact(exact_total(&self.0.terms[..count]));
        }
        let sums = self.clone();
        Real::enclosed(move |bits| sums.enclosures(bits)[count].clone())
    }
}

/// Given the costs for i = 2, 3, ..., returns for each K in `sizes` the sum of the costs up to i =
/// K.
fn sums_up_to_sizes(costs: Vec<Real>, sizes: &[u64]) -> Vec<Real> {
    let sums = RunningSums::new(costs);
    let of = |cards: &u64| sums.first(cards.saturating_sub(1) as usize);
    sizes.iter().map(of).collect()
}

/// Above this i, the mean is not computed as a fraction: the sum would not be a small fraction, and
/// an enclosure takes less time.
const MAX_EXACT_INDEX: u64 = 200;

fn largest(sizes: &[u64]) -> Result<u64, Refusal> {
    let most = sizes.iter().copied().max().unwrap_or(0);
    if most > MAX_CARDS {
        Err(Refusal::Rule(format!(
            "a deck of {most} cards is too large: {MAX_CARDS} is the most"
        )))
    } else {
        Ok(most)
    }
}

/// Returns the expected rolls of a source for the indices of a shuffle of K cards, by one
/// algorithm, for each K of a list: the sum of the algorithm's costs for i = 2, ..., K.
///
/// Cost: one law for each i up to the largest K, and an enclosure of its mean.
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
    let cost = |i: u64| Ok(exact_cost_if_small(i, index_cost(method, source, i)?));
    let costs = (2..=largest(sizes)?).map(cost);
    Ok(sums_up_to_sizes(
        costs.collect::<Result<_, Refusal>>()?,
        sizes,
    ))
}

/// The cost of an index; as a fraction only below [`MAX_EXACT_INDEX`].
fn exact_cost_if_small(i: u64, cost: Real) -> Real {
    if i > MAX_EXACT_INDEX {
        Real::enclosed(move |bits| cost.enclose(bits))
    } else {
        cost
    }
}

/// The cost of drawing an index below i.
pub(crate) fn index_cost(method: &dyn Algorithm, source: &Source, i: u64) -> Result<Real, Refusal> {
    let task = Task::new(Target::uniform(i).expect("i >= 2"), source.clone());
    let law = method.prepare(&task)?.law();
    let law = law.map_err(|e| Refusal::Rule(e.to_string()))?;
    Ok(if i > MAX_EXACT_INDEX {
        law.mean_enclosed()
    } else {
        law.mean_real()
    })
}

/// Returns the cost for the first J of K cards, whose indices are below K, K - 1, ..., K - J + 1.
/// Up to 2^16 cards, uses [`fisher_yates`]; for more cards, adds up parts of the sum, without
/// keeping the cost of each index. Cost: as for [`fisher_yates`], in parallel.
///
/// # Errors
/// As for [`fisher_yates`], and if there are more than 10^7 cards.
pub(crate) fn indices(
    method: &'static dyn Algorithm,
    source: &Source,
    cards: u64,
    drawn: u64,
) -> Result<Real, Refusal> {
    let last = (cards - drawn + 1).max(2);
    if drawn > MAX_SHUFFLED {
        return Err(Refusal::Rule(format!(
            "a deck of {drawn} cards is too large: {MAX_SHUFFLED} is the most"
        )));
    }
    if cards.saturating_sub(last) < MAX_CARDS {
        let costs = (last..=cards)
            .rev()
            .map(|i| index_cost(method, source, i).map(|cost| exact_cost_if_small(i, cost)));
        return Ok(total(&costs.collect::<Result<Vec<_>, _>>()?));
    }
    let source = source.clone();
    let sum = move |bits: u64| {
        let bits = bits + 28; // 2^24 terms, and the sums of parts
        let parts = threads::concat((cards - last + 1) as usize, &|part| {
            let mut sum = Enclosure::of_rational(&Rational::zero(), bits);
            for i in part {
                match index_cost(method, &source, last + i as u64) {
                    Ok(cost) => sum = sum.plus(&cost.enclose(bits).coarsen(bits)),
                    Err(refusal) => return vec![Err(refusal)],
                }
            }
            vec![Ok(sum)]
        });
        let zero = Enclosure::of_rational(&Rational::zero(), bits);
        let parts = parts.into_iter();
        parts.reduce(|a, b| Ok(a?.plus(&b?))).unwrap_or(Ok(zero))
    };
    let first = sum(64)?;
    Ok(Real::cached(move |bits| {
        if bits <= 64 {
            first.clone()
        } else {
            sum(bits).expect("it was summed before")
        }
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shuffle;
    use flipcost::algorithms::{FAST_DICE_ROLLER, find};

    /// The sums for single sizes equal the sums for all sizes at once.
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
        let large = fisher_yates(FAST_DICE_ROLLER, &Source::COIN, &[MAX_CARDS + 1]);
        assert!(
            large
                .err()
                .unwrap()
                .to_string()
                .contains("65536 is the most")
        );
    }
}
