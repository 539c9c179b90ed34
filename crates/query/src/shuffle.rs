//! What it costs to shuffle a deck.

use crate::precision::{decimal, precision};
use crate::{
    CommandLine, Control, Estimate, Foot, Head, Kind, QueryError, Question, Sides, Sink, precision,
};
use flipcost::number::Real;
use flipcost::streams::shuffle;
use flipcost::table::Cell;
use serde::{Deserialize, Serialize};

/// What a Fisher-Yates shuffle costs, a row for each way to do it, against the entropy of all
/// orders of the deck.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shuffle {
    /// Cards in the deck.
    pub cards: u64,
    /// The source.
    #[serde(default)]
    pub source: Sides,
    /// Decimals after the point; without it, the nearest doubles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digits: Option<u32>,
}

/// The largest deck.
const MOST: u64 = 200;
/// Longer fractions, in bits of their denominator, are left out: next to the fraction of a whole
/// deck, a longer one would only be in the way.
const LONGEST: u64 = 256;

impl Question for Shuffle {
    fn command(&self) -> CommandLine {
        let line = CommandLine::new("shuffle").word(self.cards);
        let line = match self.source == Sides::default() {
            true => line,
            false => line.option("source", self.source),
        };
        line.maybe("digits", self.digits)
    }

    fn estimate(&self) -> Estimate {
        let cards = u128::from(self.cards.min(MOST));
        let digits = u128::from(self.digits.unwrap_or(16));
        Estimate::table(15, 5, cards * cards * (10_000 + digits), 64 + digits)
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        match self.cards {
            0 => return Err(QueryError::input("a deck has at least 1 card")),
            1..=MOST => {}
            cards => {
                return Err(QueryError::Input(format!(
                    "a deck of {cards} cards is too large: {MOST} is the most"
                )));
            }
        }
        let precision = precision(self.digits, false)?;
        control.go_on()?;
        let ways = shuffle(self.source.get(), self.cards);
        let bound = ways.last().map(|way| way.cost.clone());
        let bound = bound.and_then(Result::ok).expect("the bound comes last");
        let (mut rows, mut foot) = (Vec::new(), Foot::default());
        let all = ways.len() as u64;
        for (done, way) in (0..).zip(ways) {
            control.go_on()?;
            control.progress(done, all);
            let cost = match way.cost {
                Ok(cost) => cost,
                Err(error) => {
                    foot.note(format!("{}: {error}", way.id));
                    continue;
                }
            };
            let short = cost.exact().is_some_and(|x| x.denom().bits() <= LONGEST);
            let exact = if short {
                precision::exact(&cost)
            } else {
                Cell::Empty
            };
            let toll = match way.id {
                "bound" => Real::integer(0),
                _ => cost.minus(&bound),
            };
            rows.push(vec![
                Cell::Text(way.id.to_string()),
                exact,
                decimal(&cost, precision)?,
                decimal(&toll, precision)?,
                Cell::Text(way.name),
            ]);
        }
        let unit = self.source.0.unit().plural();
        let head = Head::new()
            .column("algorithm", Kind::Text)
            .measured("expected_exact", Kind::Exact, unit)
            .measured("expected", Kind::Decimal, unit)
            .measured("toll", Kind::Decimal, unit)
            .column("what", Kind::Text);
        sink.head(&head)?;
        sink.rows(rows)?;
        sink.foot(foot)
    }
}
