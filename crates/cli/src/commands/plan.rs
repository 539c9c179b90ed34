//! `flipcost plan`: several dice at once.

use super::args::{self, OutputArgs, RowFormat, TargetArg};
use super::{Failure, answer, flowchart};
use crate::rows::{Output, reader};
use crate::{screen, terminal};
use flipcost_query::{Dice, Price, Query, Throw};

/// A die from a set of dice, as a recipe to follow by hand: the cheapest of all rules that keep one
/// number uniform below v, roll a die with it, and share out its values equally
///
/// In tables heads is face 1 of a coin and tails is face 2. In arithmetic a roll counts as its face
/// less 1: heads is 0, and tails is 1.
#[derive(clap::Args)]
pub struct Plan {
    #[command(flatten)]
    target: TargetArg,
    /// The dice, as in 6,10 or coin,d6; `polyhedral` is 4,6,8,10,12,20
    #[arg(
        long,
        value_name = "DICE",
        required_unless_present = "throw",
        allow_negative_numbers = true
    )]
    dice: Option<Dice>,
    /// Dice thrown together at a price of 1, as in 6,6: distinguishable dice, of two colours say; may be
    /// repeated for other throws. cards:4/52 is four cards drawn from a deck of 52 without replacement
    #[arg(long, value_name = "DICE", conflicts_with_all = ["dice", "cost"], allow_negative_numbers = true)]
    throw: Vec<Throw>,
    /// Never split what is left over between two dice: simpler tables, sometimes more rolls
    #[arg(long)]
    no_split: bool,
    /// What a roll of a die costs, as in 6=1,10=3/2 [default: 1 each]
    #[arg(
        long,
        value_name = "PRICES",
        value_delimiter = ',',
        allow_negative_numbers = true
    )]
    cost: Vec<Price>,
    /// Compare the rules of every form: the best that a search finds, and whether it is proved
    #[arg(long, conflicts_with = "no_split")]
    optimal: bool,
    /// The steps of that search, at most, as in 10^8 [default: 2*10^7, some seconds]
    #[arg(long, value_name = "STEPS", requires = "optimal", value_parser = args::word)]
    effort: Option<u64>,
    #[command(flatten)]
    output: OutputArgs,
}

impl Plan {
    fn question(&self) -> flipcost_query::Plan {
        flipcost_query::Plan {
            target: self.target.get(),
            dice: self.dice.clone(),
            throws: self.throw.clone(),
            no_split: self.no_split,
            cost: self.cost.clone(),
            optimal: self.optimal,
            effort: self.effort,
        }
    }

    pub fn query(&self) -> Result<Query, Failure> {
        Ok(self.question().into())
    }

    /// The letters of a line, where the recipe is a text.
    const WIDTH: usize = 80;

    pub fn run(self) -> Result<(), Failure> {
        let path = self.output.output.as_deref();
        let kind = path.and_then(|path| path.extension()?.to_str());
        let given = self.output.format;
        let written = match kind {
            Some("txt" | "md" | "svg" | "png") => given.is_none_or(|f| f == RowFormat::Table),
            _ => self.output.format() == RowFormat::Table,
        };
        if !written {
            return answer::write(self.query()?, &self.output);
        }
        if !matches!(kind, Some("svg" | "png")) {
            args::refuse_picture(path)?;
        }
        let (control, bar) = answer::progress();
        let sheet = self.question().sheet(&control);
        bar.finish_and_clear();
        let mut sheet = sheet?;
        match (path, kind) {
            (Some(path), Some("svg" | "png")) => {
                flowchart::write(path, None, || flipcost_pictures::sheet(&sheet))
            }
            (Some(_), Some("md")) => Ok(Output::write_all(path, sheet.to_markdown().as_bytes())?),
            (None, _) if terminal::is_read() => {
                for (_, value) in &mut sheet.facts {
                    *value = reader::rounded(value);
                }
                Ok(screen::print(&sheet.to_text(terminal::width()))?)
            }
            _ => Ok(Output::write_all(
                path,
                sheet.to_text(Self::WIDTH).as_bytes(),
            )?),
        }
    }
}
