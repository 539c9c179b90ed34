//! `flipcost shuffle`: what it costs to shuffle a deck.

use super::args::{self, DigitsArg, OutputArgs, SourceArg};
use super::{Failure, remark};
use flipcost::streams::shuffle;
use flipcost::table::Cell;

/// What a Fisher-Yates shuffle of K cards costs, against the entropy log K!
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

/// The largest deck.
const MOST: u64 = 200;

impl Shuffle {
    pub fn run(self) -> Result<(), Failure> {
        if self.cards > MOST {
            return Err(Failure::Input(format!(
                "a deck of {} cards is too large: {MOST} is the most",
                self.cards
            )));
        }
        let ways = shuffle(self.source.source, self.cards);
        let bound = ways.last().map(|way| way.cost.clone());
        let bound = bound.and_then(Result::ok).expect("the bound comes last");
        let mut rows = Vec::new();
        for way in ways {
            let cost = match way.cost {
                Ok(cost) => cost,
                Err(error) => {
                    remark(&format!("{}: {error}", way.id));
                    continue;
                }
            };
            // next to the fraction of a whole deck, a longer one would only be in the way
            let short = cost.exact().filter(|exact| exact.denom().bits() <= 256);
            let exact = short.map_or(Cell::Empty, |exact| Cell::Exact(exact.to_string()));
            let toll = match way.id {
                "bound" => self
                    .digits
                    .cell(&flipcost::number::real::Real::integer(0))?,
                _ => self.digits.cell(&cost.minus(&bound))?,
            };
            let what = Cell::Text(way.name);
            let id = Cell::Text(way.id.to_string());
            rows.push(vec![id, exact, self.digits.cell(&cost)?, toll, what]);
        }
        let headers = ["algorithm", "expected_exact", "expected", "toll", "what"];
        self.output.write(&headers, &rows)
    }
}
