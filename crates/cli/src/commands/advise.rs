//! `flipcost advise`: which method to use.

use super::args::{self, OutputArgs, RowFormat};
use super::{Failure, answer};
use crate::screen;
use flipcost_query::{Dice, Prefer, Query, Sides, TargetText};

/// Which method to use: its exact cost, what it gives up, how it is done, on one page
#[derive(clap::Args)]
#[command(group = clap::ArgGroup::new("wanted").required(true).args(["n", "weights", "shuffle", "bits"]))]
#[command(group = clap::ArgGroup::new("rolled").args(["coin", "dice", "source"]))]
pub struct Advise {
    /// The target: the sides of a fair die, or weights such as 1:2:3, 3d6 or @FILE
    #[arg(value_name = "N", value_parser = args::wanted, allow_negative_numbers = true)]
    n: Option<TargetText>,
    /// The target by its weights, in place of N and in the same notation
    #[arg(long, value_name = "TEXT", value_parser = args::wanted, allow_negative_numbers = true)]
    weights: Option<TargetText>,
    /// A deck of so many cards in random order, in place of N
    #[arg(long, value_name = "CARDS", value_parser = args::word, allow_negative_numbers = true)]
    shuffle: Option<u64>,
    /// So many random bits, a seed or a key, in place of N
    #[arg(long, value_name = "BITS", value_parser = args::word, allow_negative_numbers = true)]
    bits: Option<u64>,
    /// A coin is flipped (also what is taken without a source)
    #[arg(long)]
    coin: bool,
    /// The dice that are at hand, as in 6,10
    #[arg(long, value_name = "DICE", allow_negative_numbers = true)]
    dice: Option<Dice>,
    /// The source: a number of sides, or a word such as word:64
    #[arg(short, long, value_name = "M", allow_negative_numbers = true)]
    source: Option<Sides>,
    /// What matters: few rolls, a bound, nothing to remember, little to do, always the same rolls
    #[arg(long, value_name = "WHAT", default_value = "rolls", value_parser = prefer())]
    prefer: Prefer,
    #[command(flatten)]
    output: OutputArgs,
}

/// The names of what can be preferred.
fn prefer() -> impl clap::builder::TypedValueParser<Value = Prefer> {
    use clap::builder::TypedValueParser;
    let names = Prefer::ALL.map(|(_, name)| name);
    clap::builder::PossibleValuesParser::new(names).try_map(|name| name.parse::<Prefer>())
}

impl Advise {
    pub fn query(&self) -> Result<Query, Failure> {
        Ok(Query::from(flipcost_query::Advise {
            target: self.n.as_ref().or(self.weights.as_ref()).map(args::told),
            shuffle: self.shuffle,
            bits: self.bits,
            source: self.source.unwrap_or_default(),
            dice: self.dice.clone(),
            prefer: self.prefer,
        }))
    }

    pub fn run(self) -> Result<(), Failure> {
        if self.output.output.is_some() || self.output.format() != RowFormat::Table {
            return answer::write(self.query()?, &self.output);
        }
        let answer = answer::collect(self.query()?)?;
        let page = answer.foot.text.as_deref().unwrap_or_default();
        Ok(screen::print(page)?)
    }
}
