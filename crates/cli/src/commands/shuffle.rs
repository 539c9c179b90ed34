//! `flipcost shuffle`: what it costs to shuffle a deck, and shuffling it.

use super::args::{self, DigitsArg, OutputArgs, RowFormat, SourceArg};
use super::{Failure, answer};
use crate::screen;
use flipcost_query::{AlgorithmId, Query};

/// What a Fisher-Yates shuffle of K cards costs, and the entropy bound log K!; with --deal, the
/// cards really dealt
///
/// The cards are the outcome and the source is rolled for them: a deck is no source here, since a
/// card that is drawn from it does not come back. With --algorithm, --libraries, --batches or --broken
/// the rows are other ones.
#[derive(clap::Args)]
pub struct Shuffle {
    /// Cards in the deck
    #[arg(value_name = "K", value_parser = args::positive, allow_negative_numbers = true)]
    cards: u64,
    #[command(flatten)]
    source: SourceArg,
    #[command(flatten)]
    digits: DigitsArg,
    /// Only the first J cards, in order: K!/(K-J)! outcomes
    #[arg(long, value_name = "J", value_parser = args::positive, allow_negative_numbers = true)]
    draw: Option<u64>,
    /// Draw each index by this algorithm, or function of a library (see `flipcost libraries`)
    #[arg(short, long, value_name = "ID", group = "view", value_parser = args::algorithm_id())]
    algorithm: Option<AlgorithmId>,
    /// What the functions of libraries draw for all indices: words and bits
    #[arg(long, group = "view")]
    libraries: bool,
    /// Several indices from one word: the best batches, and the published ones (with -s word:64)
    #[arg(long, group = "view")]
    batches: bool,
    /// Shuffles that are not uniform, of up to 8 cards: how biased they are, exactly
    #[arg(long, group = "view")]
    broken: bool,
    /// Really deal: the cards are the numbers 1 to K
    #[arg(long, conflicts_with_all = ["digits", "view"])]
    deal: bool,
    /// The players, as in Ann,Bob: each gets a card in turn
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        requires = "deal",
        allow_hyphen_values = true
    )]
    names: Vec<String>,
    /// Repeatable rolls from this seed, instead of the operating system's randomness
    #[arg(long, value_name = "S", requires = "deal", value_parser = args::word, allow_negative_numbers = true)]
    seed: Option<u64>,
    /// Your own physical rolls: HTHHT for a coin (H is face 1, T is 2), or faces such as 6,3,4,3
    #[arg(
        short,
        long,
        value_name = "ROLLS",
        requires = "deal",
        conflicts_with = "seed",
        allow_hyphen_values = true
    )]
    input: Option<String>,
    #[command(flatten)]
    output: OutputArgs,
}

impl Shuffle {
    pub fn query(&self) -> Result<Query, Failure> {
        Ok(flipcost_query::Shuffle {
            cards: self.cards,
            source: self.source.source,
            digits: self.digits.digits,
            draw: self.draw,
            algorithm: self.algorithm,
            libraries: self.libraries,
            batches: self.batches,
            broken: self.broken,
            deal: self.deal,
            names: self.names.clone(),
            seed: self.seed,
            input: self.input.clone(),
        }
        .into())
    }

    pub fn run(self) -> Result<(), Failure> {
        if !self.deal || self.output.format() != RowFormat::Table {
            return answer::write(self.query()?, &self.output);
        }
        args::refuse_picture(self.output.output.as_deref())?;
        let answer = answer::collect(self.query()?)?;
        let hands = answer.foot.text.as_deref().unwrap_or_default();
        screen::print_or_write(self.output.output.as_deref(), hands)?;
        answer::conclude(&answer.foot)
    }
}
