//! Ways to shuffle a deck, and what they cost in flips of a coin.

use super::error::{Mistake, StudyError};
use super::limits::at_most;
use super::values::{AlgorithmName, FromText, read_from_text};
use flipcost::task::Source;
use flipcost_number::{BigInt, Real};
use flipcost_streams::fisher_yates::MOST_CARDS;
use flipcost_streams::{
    BestBatches, WordBatches, all_orders, fisher_yates, merge_shuffle, published_batches,
    rao_sandelius,
};

/// A way to shuffle a deck.
#[derive(Clone, Copy)]
pub enum DeckShuffle {
    /// Each index by an algorithm, or by a function of a library, in the bits of its words.
    Indices(AlgorithmName),
    /// Rao and Sandelius.
    RaoSandelius,
    /// MergeShuffle.
    MergeShuffle,
    /// The fast dice roller for all orders.
    Product,
    /// The entropy of all orders.
    Bound,
    /// Several indices from a word of 64 bits, cut in the best way.
    BestBatches,
    /// The same as it is published.
    PublishedBatches,
}

const NAMES: [(&str, DeckShuffle); 6] = [
    ("rao-sandelius", DeckShuffle::RaoSandelius),
    ("merge-shuffle", DeckShuffle::MergeShuffle),
    ("product", DeckShuffle::Product),
    ("bound", DeckShuffle::Bound),
    ("best-batches", DeckShuffle::BestBatches),
    ("published-batches", DeckShuffle::PublishedBatches),
];

impl FromText for DeckShuffle {
    const WHAT: &'static str = "a way to shuffle: rao-sandelius, merge-shuffle, product, bound, best-batches, published-batches, or the id of an algorithm for each index";

    fn read(text: &str) -> Result<Self, Mistake> {
        match NAMES.iter().find(|(name, _)| *name == text) {
            Some((_, way)) => Ok(*way),
            None => AlgorithmName::read(text).map(DeckShuffle::Indices),
        }
    }
}

read_from_text!(DeckShuffle);

impl DeckShuffle {
    /// Expected flips for each of these decks, the smallest first.
    ///
    /// # Errors
    /// If a deck is too large, or an algorithm refuses one of its indices.
    pub fn flips(self, sizes: &[u64]) -> Result<Vec<Real>, StudyError> {
        let most = sizes.iter().copied().max().unwrap_or(0);
        at_most("cards", most, "cards of a deck", MOST_CARDS)?;
        let bits = |batches: WordBatches| batches.words().times(&Real::integer(BigInt::from(64)));
        Ok(match self {
            DeckShuffle::Indices(algorithm) => fisher_yates(algorithm.0, &Source::COIN, sizes)?,
            DeckShuffle::RaoSandelius => {
                let flips = sizes
                    .iter()
                    .map(|cards| rao_sandelius(&Source::COIN, *cards));
                flips.collect::<Result<_, _>>()?
            }
            DeckShuffle::MergeShuffle => merge_shuffle(&Source::COIN, sizes)?,
            DeckShuffle::Product => {
                let decks = all_orders(&Source::COIN, sizes)?;
                decks.into_iter().map(|deck| deck.cost).collect()
            }
            DeckShuffle::Bound => {
                let decks = all_orders(&Source::COIN, sizes)?;
                decks.into_iter().map(|deck| deck.entropy).collect()
            }
            DeckShuffle::BestBatches => {
                let best = BestBatches::new(&Source::word(64).expect("a word"), most);
                let best = best.expect("a small deck");
                sizes
                    .iter()
                    .map(|cards| bits(best.for_cards(*cards)))
                    .collect()
            }
            DeckShuffle::PublishedBatches => {
                let published = sizes.iter().map(|cards| published_batches(*cards));
                published.map(bits).collect()
            }
        })
    }
}
