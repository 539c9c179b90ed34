//! Ways to shuffle a deck and their cost: in flips of a coin, or in words for the shuffles of
//! libraries.

use super::error::{Mistake, StudyError};
use super::limits::{MAX_TOTAL_CARDS, check_at_most};
use super::values::{AlgorithmName, FromText, read_from_text};
use flipcost::task::Source;
use flipcost_libraries::{LibraryShuffle, MAX_SHUFFLED, SHUFFLES};
use flipcost_number::{BigInt, Real};
use flipcost_streams::fisher_yates::MAX_CARDS;
use flipcost_streams::{
    BestBatches, WordBatches, all_orders, fisher_yates, order_entropy, published_batches,
};

/// A way to shuffle a deck.
#[derive(Clone, Copy)]
pub enum DeckShuffle {
    /// Draw each index by an algorithm or by a function of a library. The cost of a function is the
    /// number of bits in its words.
    Indices(AlgorithmName),
    /// Shuffle as a library does, at a cost in words.
    Library(&'static LibraryShuffle),
    /// Draw the order of the deck in one call of the fast dice roller, whose target is the number
    /// of orders.
    Product,
    /// The entropy of all orders, a lower bound.
    Bound,
    /// Draw several indices from a word of 64 bits, in the best groups.
    BestBatches,
    /// Draw several indices from a word, in the groups of the published shuffle.
    PublishedBatches,
}

const NAMES: [(&str, DeckShuffle); 4] = [
    ("product", DeckShuffle::Product),
    ("bound", DeckShuffle::Bound),
    ("best-batches", DeckShuffle::BestBatches),
    ("published-batches", DeckShuffle::PublishedBatches),
];

impl FromText for DeckShuffle {
    const WHAT: &'static str = "a way to shuffle: product, bound, best-batches, published-batches, the id of a shuffle of a library, or that of an algorithm for each index";

    fn read(text: &str) -> Result<Self, Mistake> {
        let named = NAMES.iter().find(|(name, _)| *name == text);
        let library = SHUFFLES.iter().find(|line| line.id == text);
        match named
            .map(|(_, way)| *way)
            .or(library.map(DeckShuffle::Library))
        {
            Some(way) => Ok(way),
            None => AlgorithmName::read(text).map(DeckShuffle::Indices),
        }
    }
}

read_from_text!(DeckShuffle);

impl DeckShuffle {
    /// Returns the expected flips or words for each of these decks, the smallest deck first.
    ///
    /// # Errors
    /// If a deck is too large, or an algorithm refuses one of its indices.
    pub fn costs(self, sizes: &[u64]) -> Result<Vec<Real>, StudyError> {
        let most = sizes.iter().copied().max().unwrap_or(0);
        let most_of_all = match self {
            DeckShuffle::Library(_)
            | DeckShuffle::Bound
            | DeckShuffle::BestBatches
            | DeckShuffle::PublishedBatches => MAX_SHUFFLED,
            _ => MAX_CARDS,
        };
        check_at_most("cards", most, "cards of a deck", most_of_all)?;
        check_at_most(
            "cards",
            sizes.iter().sum(),
            "cards of all decks",
            MAX_TOTAL_CARDS,
        )?;
        let bits = |batches: WordBatches| batches.words().times(&Real::integer(BigInt::from(64)));
        Ok(match self {
            DeckShuffle::Indices(algorithm) => fisher_yates(algorithm.0, &Source::COIN, sizes)?,
            DeckShuffle::Product => {
                let decks = all_orders(&Source::COIN, sizes)?;
                decks.into_iter().map(|deck| deck.cost).collect()
            }
            DeckShuffle::Library(line) => line.words(sizes)?,
            DeckShuffle::Bound => {
                let entropy = sizes
                    .iter()
                    .map(|cards| order_entropy(&Source::COIN, *cards));
                entropy.collect::<Result<_, _>>()?
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
