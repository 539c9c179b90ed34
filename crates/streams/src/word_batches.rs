//! Draws several indices of a shuffle from one word, and finds the best way to divide a shuffle
//! into such batches.
//!
//! A batch of l indices below i, i-1, ..., i-l+1 takes one roll of a die of m sides (a word: m =
//! 2^64) if their product b is at most m: m mod b of its values are rejected, and the other values
//! give each combination equally often, by multiplications as in Brackett-Rozinsky & Lemire, or by
//! division. So a batch costs
//!
//! ```text
//! m / (m - m mod b) = 1 + (m mod b) / (m - m mod b)   rolls,
//! ```
//!
//! and a shuffle of K cards costs the sum over its batches, which divide K, K-1, ..., 2 into runs.
//! The best division follows from the best divisions of smaller decks (dynamic programming).
//!
//! **Exactness.** Sums are kept in units of 2^-100, with each batch rounded down, so two divisions
//! can be compared unless they differ by fewer units than they have batches; such divisions are
//! compared as fractions.
//!
//! **Source.** Lemire 2019, Fast random integer generation in an interval, arXiv 1805.10941;
//! Brackett-Rozinsky & Lemire 2024, Batched ranged random integer generation, arXiv 2408.06213.

use flipcost::task::Source;
use flipcost_libraries::MAX_SHUFFLED;
use flipcost_number::Rational;
use flipcost_number::Real;
use flipcost_number::total::ratio_total;
use num_traits::Zero;
use std::cmp::Ordering;
use std::sync::Arc;

/// Consecutive indices of a shuffle that come from one word.
///
/// ```
/// use flipcost_streams::published_batches;
/// let batches = published_batches(52).batches;
/// // eight batches of six, and at last one for 4, 3, 2
/// assert_eq!((batches[0].from, batches[0].indices), (52, 6));
/// assert_eq!((batches[8].from, batches[8].indices, batches[8].product), (4, 3, 24));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WordBatch {
    /// The first index is below this number.
    pub from: u64,
    /// The number of indices, which are below `from`, `from` - 1, ...
    pub indices: u64,
    /// The product of the ranges of the indices, at most m.
    pub product: u128,
    /// The number m of values of a word.
    source: u128,
}

impl WordBatch {
    /// The number m mod b of values of a word that are rejected.
    fn rejected(&self) -> u128 {
        self.source % self.product
    }

    /// The probability that a word is accepted.
    pub fn accepted(&self) -> Rational {
        Rational::new((self.source - self.rejected()).into(), self.source.into())
    }

    /// The expected number of words.
    pub fn words(&self) -> Rational {
        self.accepted().recip()
    }

    /// The expected words in units of 2^-100, rounded down. Both divisions fit 128 bits: m mod b <
    /// b <= m - m mod b <= 2^64.
    fn units(&self) -> u128 {
        let (rejected, accepted) = (self.rejected(), self.source - self.rejected());
        let (high, rest) = ((rejected << 64) / accepted, (rejected << 64) % accepted);
        (1 << 100) + (high << 36) + (rest << 36) / accepted
    }
}

/// A shuffle that is divided into batches.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct WordBatches {
    /// The number of cards of the deck.
    pub cards: u64,
    /// The batches, from the whole deck down to two cards.
    pub batches: Vec<WordBatch>,
}

impl WordBatches {
    /// The expected words of the whole shuffle: exact if the fraction is small, otherwise enclosed.
    pub fn words(&self) -> Real {
        let count = Real::integer(self.batches.len());
        let starts = self.batches.iter().map(|batch| (batch.from, batch.indices));
        let starts: Arc<[(u64, u64)]> = starts.collect();
        let source = self.batches.first().map_or(1, |batch| batch.source);
        let again = ratio_total(move || {
            let starts = starts.clone();
            (0..starts.len()).filter_map(move |i| {
                let batch = batch(source, starts[i].0, starts[i].1)?;
                Some((batch.rejected(), source - batch.rejected()))
            })
        });
        count.plus(&again)
    }
}

/// Creates a batch, if its product is at most m.
fn batch(source: u128, from: u64, indices: u64) -> Option<WordBatch> {
    let product = (0..indices).try_fold(1u128, |product, i| {
        let next = product * u128::from(from - i); // at most 2^64 2^24
        (next <= source).then_some(next)
    })?;
    Some(WordBatch {
        from,
        indices,
        product,
        source,
    })
}

/// Returns the number of sides of the source, if one roll is enough for each index and the deck is
/// not too large.
fn word_sides(source: &Source, cards: u64) -> Option<u128> {
    let sides = source.in_a_word()?;
    (u128::from(cards) <= sides && cards <= MAX_SHUFFLED).then_some(sides)
}

/// The best divisions into batches of all decks up to a maximum size.
///
/// ```
/// use flipcost_streams::BestBatches;
/// let best = BestBatches::new(&"word:64".parse()?, 52).unwrap();
/// let sizes: Vec<u64> = best.for_cards(52).batches.iter().map(|batch| batch.indices).collect();
/// assert_eq!(sizes, [10, 11, 12, 18]);
/// assert_eq!(best.for_cards(20).batches.len(), 1); // 20! is below 2^64
/// # Ok::<(), flipcost::Error>(())
/// ```
pub struct BestBatches {
    source: u128,
    /// The cost, in units of 2^-100, for decks of 0, 1, 2, ... cards.
    units: Vec<u128>,
    /// For each deck, the number of batches of its best division, and the number of indices in the
    /// first of them; unused for 0 and 1 cards.
    divisions: Vec<(u32, u8)>,
}

impl BestBatches {
    fn units_beginning_with(&self, first: &WordBatch) -> u128 {
        first.units() + self.units[(first.from - first.indices) as usize]
    }

    fn batches_beginning_with(&self, first: &WordBatch) -> u32 {
        1 + self.divisions[(first.from - first.indices) as usize].0
    }

    /// The first batch for a deck.
    fn first_batch(&self, cards: u64) -> Option<WordBatch> {
        match self.divisions[cards as usize].1 {
            0 => None,
            indices => batch(self.source, cards, indices.into()),
        }
    }

    fn next_batch(&self, batch: &WordBatch) -> Option<WordBatch> {
        self.first_batch(batch.from - batch.indices)
    }

    /// Compares the costs of the best divisions that begin with these batches.
    fn compare(&self, a: &WordBatch, b: &WordBatch) -> Ordering {
        let [low_a, low_b] = [a, b].map(|first| self.units_beginning_with(first));
        // Each batch was rounded down by less than a unit.
        let [high_a, high_b] = [(low_a, a), (low_b, b)]
            .map(|(low, first)| low + u128::from(self.batches_beginning_with(first)));
        if high_a <= low_b {
            return Ordering::Less;
        }
        if high_b <= low_a {
            return Ordering::Greater;
        }
        // Compare exactly: add up the difference down to the deck from which both divisions have
        // the same batches.
        let mut difference = Rational::zero();
        let (mut a, mut b) = (Some(*a), Some(*b));
        loop {
            let place = |batch: &Option<WordBatch>| batch.map_or(0, |batch| batch.from);
            match place(&a).cmp(&place(&b)) {
                Ordering::Equal if a == b => return difference.cmp(&Rational::zero()),
                Ordering::Less => {
                    let batch = b.expect("further to go");
                    difference -= batch.words();
                    b = self.next_batch(&batch);
                }
                _ => {
                    let batch = a.expect("further to go");
                    difference += batch.words();
                    a = self.next_batch(&batch);
                }
            }
        }
    }

    /// Computes the best divisions for all decks of up to `most` cards; each batch takes one roll
    /// of a source of m sides. `None` if one roll does not decide every index (m < K), if the
    /// source is not fair, or if there are more than 10^7 cards or m > 2^64.
    ///
    /// Cost: O(K log m / log K) divisions of words; fractions are computed only if two divisions
    /// have nearly the same cost.
    pub fn new(source: &Source, most: u64) -> Option<BestBatches> {
        let source = word_sides(source, most)?;
        let mut best = BestBatches {
            source,
            units: vec![0, 0],
            divisions: vec![(0, 0); 2],
        };
        (2..=most).for_each(|_| best.push());
        Some(best)
    }

    /// Returns the division of a shuffle of K cards with the fewest expected rolls; of several
    /// equally good divisions, the one with the longest first batches.
    ///
    /// # Panics
    /// If K exceeds the maximum.
    pub fn for_cards(&self, cards: u64) -> WordBatches {
        let batches =
            std::iter::successors(self.first_batch(cards), |batch| self.next_batch(batch));
        WordBatches {
            cards,
            batches: batches.collect(),
        }
    }

    /// Adds the next larger deck.
    fn push(&mut self) {
        let cards = self.units.len() as u64;
        let batches = (1..cards).map_while(|indices| batch(self.source, cards, indices));
        // Of equally good batches take the longest.
        let best = batches.reduce(|best, batch| match self.compare(&best, &batch) {
            Ordering::Less => best,
            _ => batch,
        });
        let best = best.expect("one index takes one roll");
        self.units.push(self.units_beginning_with(&best));
        self.divisions
            .push((self.batches_beginning_with(&best), best.indices as u8)); // 20! < 2^64 < 21!
    }
}

/// Returns the division of a shuffle of K cards into batches with the fewest expected rolls: see
/// [`BestBatches::for_cards`]. `None` as in [`BestBatches::new`].
///
/// ```
/// use flipcost_streams::{best_batches, published_batches};
/// let best = best_batches(&"word:64".parse()?, 52).unwrap();
/// assert!(best.words() < published_batches(52).words());
/// assert!(best_batches(&"d6".parse()?, 52).is_none());
/// # Ok::<(), flipcost::Error>(())
/// ```
pub fn best_batches(source: &Source, cards: u64) -> Option<WordBatches> {
    Some(BestBatches::new(source, cards)?.for_cards(cards))
}

/// Returns a division of a shuffle of K cards that needs no list of sizes: each batch has the
/// largest number of indices for which the product of their ranges is at most m / 16, but at least
/// one index. So fewer than one roll in 16 is rejected if a batch has more than one index. `None`
/// as in [`BestBatches::new`].
///
/// ```
/// use flipcost_streams::{best_batches, greedy_batches};
/// let source = "word:64".parse()?;
/// // for 52 cards it is the best one: 10, 11, 12 and 18 indices
/// assert_eq!(greedy_batches(&source, 52).unwrap().batches, best_batches(&source, 52).unwrap().batches);
/// # Ok::<(), flipcost::Error>(())
/// ```
pub fn greedy_batches(source: &Source, cards: u64) -> Option<WordBatches> {
    let source = word_sides(source, cards)?;
    let mut from = cards;
    let next = |(indices, _)| {
        let next = batch(source, from, indices);
        from -= indices;
        next
    };
    let batches = greedy_products(cards, source / 16).into_iter();
    Some(WordBatches {
        cards,
        batches: batches.map(next).collect::<Option<_>>()?,
    })
}

/// Divides the indices below K, K - 1, ..., 2 into runs. Each run has the largest number of indices
/// for which the product of their ranges is at most `most`, but at least one index. Returns the
/// length and the product of each run.
///
/// ```
/// assert_eq!(flipcost_streams::greedy_products(5, 20), [(2, 20), (2, 6)]);
/// ```
pub fn greedy_products(cards: u64, most: u128) -> Vec<(u64, u128)> {
    let (mut runs, mut n) = (Vec::new(), cards);
    while n > 1 {
        let (mut indices, mut product) = (1, u128::from(n));
        while n - indices > 1
            && let Some(longer) = product.checked_mul((n - indices).into())
            && longer <= most
        {
            (indices, product) = (indices + 1, longer);
        }
        runs.push((indices, product));
        n -= indices;
    }
    runs
}

/// The expected words if each index takes a separate roll of a source of m sides. `None` as in
/// [`BestBatches::new`].
///
/// ```
/// let words = flipcost_streams::one_by_one(&"word:32".parse()?, 52).unwrap();
/// assert_eq!(words.decimals(8)?, "51.00000014");
/// # Ok::<(), flipcost::Error>(())
/// ```
pub fn one_by_one(source: &Source, cards: u64) -> Option<Real> {
    let source = word_sides(source, cards)?;
    let again = ratio_total(move || {
        (2..=u128::from(cards)).map(move |i| (source % i, source - source % i))
    });
    Some(Real::integer(cards.saturating_sub(1)).plus(&again))
}

/// Pairs of a number of indices and the largest deck at which published batches of this number of
/// indices begin.
const PUBLISHED: [(u64, u64); 5] = [
    (6, 1 << 9),
    (5, 1 << 11),
    (4, 1 << 14),
    (3, 1 << 19),
    (2, 1 << 30),
];

/// The first of the published batches for K >= 2 cards.
fn published_batch(cards: u64) -> WordBatch {
    let size = PUBLISHED.iter().find(|(_, most)| cards <= *most);
    let indices = size.map_or(1, |(indices, _)| *indices).min(cards - 1);
    batch(1 << 64, cards, indices).expect("the published products fit")
}

/// Returns the batches that Brackett-Rozinsky and Lemire publish for words of 64 bits: 2, 3, 4, 5
/// and 6 indices for decks of up to 2^30, 2^19, 2^14, 2^11 and 2^9 cards, and a last batch for the
/// remaining six cards or fewer. Cost: O(K).
///
/// ```
/// let words = flipcost_streams::published_batches(1024).words();
/// assert_eq!(words.decimals(5)?, "188.00624");
/// # Ok::<(), flipcost_number::Undecided>(())
/// ```
pub fn published_batches(cards: u64) -> WordBatches {
    let first = |left| (left > 1).then(|| published_batch(left));
    let next = |batch: &WordBatch| first(batch.from - batch.indices);
    let batches = std::iter::successors(first(cards), next).collect();
    WordBatches { cards, batches }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::die;

    /// Finds the fewest expected words by trying all divisions.
    fn fewest_words_by_trying(source: u128, cards: u64) -> Rational {
        if cards <= 1 {
            return Rational::zero();
        }
        let batches = (1..cards).map_while(|indices| batch(source, cards, indices));
        let cuts = batches
            .map(|batch| batch.words() + fewest_words_by_trying(source, cards - batch.indices));
        cuts.min().expect("one index takes one roll")
    }

    #[test]
    fn the_best_of_all_cuts() {
        for (source, most) in [(16, 12), (60, 12), (256, 13), (1000, 13), (1 << 12, 12)] {
            for cards in 0..=most {
                let best = best_batches(&die(source), cards).unwrap();
                let words = best.words();
                assert_eq!(
                    words.exact(),
                    Some(&fewest_words_by_trying(source, cards)),
                    "{cards} of {source}"
                );
                let indices: u64 = best.batches.iter().map(|batch| batch.indices).sum();
                assert_eq!(indices, cards.saturating_sub(1));
            }
        }
    }

    /// Divides every word of 8 bits: each combination of two indices is equally frequent.
    #[test]
    fn a_word_gives_every_combination_equally_often() {
        let batch = batch(256, 7, 2).unwrap();
        let mut counts = [[0; 6]; 7];
        let accepted = 256 - batch.rejected() as usize;
        (0..accepted).for_each(|x| counts[x % 7][x / 7 % 6] += 1);
        assert!(counts.iter().flatten().all(|count| *count == counts[0][0]));
        assert_eq!(batch.accepted().to_string(), "63/64"); // 6 42 = 252 of 256
    }

    /// The thresholds are derived with exact fractions.
    #[test]
    fn published_thresholds() {
        let words = |cards| published_batches(cards).words();
        let nine = words(52).minus(&Real::integer(9));
        assert_eq!(nine.decimals(11).unwrap(), "0.00000000089");
        assert_eq!(words(1 << 14).decimals(3).unwrap(), "3978.678");
        let sizes = |cards| {
            let first = published_batch(cards);
            (first.indices, first.product)
        };
        assert_eq!(sizes((1 << 30) + 1).0, 1);
        assert_eq!(sizes(1 << 30), (2, (1 << 60) - (1 << 30)));
        assert_eq!(
            [1 << 19, 1 << 14, 1 << 11, 1 << 9].map(|k| sizes(k).0),
            [3, 4, 5, 6]
        );
        for cards in [2, 52, 600, 3000] {
            let best = best_batches(&die(1u128 << 64), cards).unwrap().words();
            assert!(
                best.compare(words(cards)).unwrap().is_lt() || cards == 2,
                "{cards}"
            );
        }
    }
}
