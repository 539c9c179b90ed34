//! `flipcost shuffle`: what it costs to shuffle a deck.

use super::args::{self, DigitsArg, OutputArgs, SourceArg};
use super::{Failure, answer};
use flipcost_query::Query;

/// What a Fisher-Yates shuffle of K cards costs, and the entropy bound log K!
#[derive(clap::Args)]
pub struct Shuffle {
    /// Cards in the deck
    #[arg(value_name = "K", value_parser = args::positive, allow_negative_numbers = true)]
    cards: u64,
    #[command(flatten)]
    source: SourceArg,
    #[command(flatten)]
    digits: DigitsArg,
    #[command(flatten)]
    output: OutputArgs,
}

impl Shuffle {
    pub fn query(&self) -> Result<Query, Failure> {
        Ok(flipcost_query::Shuffle {
            cards: self.cards,
            source: self.source.source,
            digits: self.digits.digits,
        }
        .into())
    }

    pub fn run(self) -> Result<(), Failure> {
        answer::write(self.query()?, &self.output)
    }
}
