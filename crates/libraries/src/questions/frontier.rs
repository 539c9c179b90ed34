//! The least bias that any rule of at most t flips can reach.

use crate::frontier::frontier;
use crate::{LIBRARIES, Library};
use flipcost::law::Bias;
use flipcost::table::Precision;
use flipcost_figures::Drawing;
use flipcost_number::threads;
use flipcost_number::{BigUint, Rational, Real};
use flipcost_question::prelude::*;
use flipcost_question::{Answer, PictureError, Query};

question! {
    /// The least bias that any rule of at most t flips can reach, and the least expected flips for it
    ///
    /// A row for each number of flips, from 0 on: the least total variation distance of any rule of at
    /// most so many flips of a coin, and the least expected flips that reach it.
    ///
    /// With `libraries`, the functions of `libraries` follow, in a first column `id`
    /// (`frontier` for the rows before): in `bits` the most that one call draws, or `inf`, in
    /// `expected_exact` those that it draws on average (empty where a word has no whole number of bits),
    /// and in `bits_enough` the flips up to `flips` with which a rule can be as near to fair; empty where
    /// none are.
    pub struct Frontier: "bias" {
        /// The target: the sides of a fair die, or weights.
        target: TargetText; TARGET,
        /// In place of words, the least bias of any rule of at most so many flips: a row for each number from 0 to T
        flips: u64; option("T").without(&["words", "from", "double", "samples", "within"]),
        /// Add a row for each function of a library (see `flipcost libraries`), with the flips that would be
        /// enough for its bias; a picture of a fair die has these functions in any case
        libraries: bool; flag(),
        /// Decimals after the point; without it, the nearest doubles.
        digits: Option<u32>; DIGITS,
    }
    purpose: Libraries
    examples: ["bias 6 --flips 16", "bias 1:2:3 --flips 10 -f csv"]
}

/// The most flips that are asked for.
const MOST: u64 = 1 << 12;

impl Question for Frontier {
    fn summary(&self, answer: &Answer) -> String {
        let last = (self.flips as usize).min(answer.rows.len().saturating_sub(1));
        let distance = answer.phrase(last, "total_variation").unwrap_or_default();
        format!(
            "with at most {} no rule makes {} with a bias below {distance}",
            counted(self.flips, "flip"),
            self.target.with_article()
        )
    }

    fn estimate(&self) -> Estimate {
        let (weights, bits) = self.target.size();
        let flips = u128::from(self.flips.min(MOST)) + 1;
        let length = flips + bits + 4 * u128::from(self.digits.unwrap_or(20));
        let libraries = match (self.libraries, self.target.sides()) {
            (true, Some(n)) => super::libraries::estimate(n),
            _ => Estimate::SMALL,
        };
        Estimate::space(
            libraries.memory + weights.saturating_mul(length),
            libraries.output + flips.saturating_mul(length * 2),
        )
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let precision = precision(self.digits, false)?;
        let target = self.target.checked()?;
        if self.flips > MOST {
            let what = say!(field("flips").is(self.flips), " is too many flips");
            return Err(QueryError::wrong("flips", what).right(say!("{MOST} is the most")));
        }
        let fair = match (self.libraries, self.target.sides()) {
            (false, _) => None,
            (true, Some(n)) => Some(n),
            (true, None) => {
                let right = say!(
                    "leave ",
                    field("libraries"),
                    " out, or give a number of sides such as 6"
                );
                return Err(QueryError::wrong("libraries", "libraries roll fair dice").right(right));
            }
        };
        let head = if self.libraries {
            Head::new().column("id", CellKind::Text)
        } else {
            Head::new()
        };
        let head = head
            .measured("bits", CellKind::Count, "flips")
            .answers()
            .column("total_variation_exact", CellKind::Exact)
            .answers()
            .measured("expected_exact", CellKind::Exact, "flips")
            .answers()
            .column("total_variation", CellKind::Decimal)
            .measured("expected", CellKind::Decimal, "flips");
        let head = if self.libraries {
            head.measured("bits_enough", CellKind::Count, "flips")
                .answers()
        } else {
            head
        };
        let number = |value: &Rational| decimal(&Real::Exact(value.clone()), precision);
        let mut rows = Chunks::begin(&head, control, sink)?;
        let mut distances = Vec::new();
        for bits in 0..=self.flips as u32 {
            control.go_on()?; // a row of many weights takes long
            let point = frontier(target, bits);
            let mut row = if self.libraries {
                row![FRONTIER.to_string()]
            } else {
                Vec::new()
            };
            row.extend([
                Cell::Integer(u64::from(bits).into()),
                Cell::from(&point.total_variation),
                Cell::from(&point.expected),
                number(&point.total_variation)?,
                number(&point.expected)?,
            ]);
            if self.libraries {
                row.push(Cell::Integer(u64::from(bits).into()));
                distances.push(point.total_variation);
            }
            rows.push(row)?;
            control.progress(u64::from(bits) + 1, self.flips + 1);
        }
        if let Some(n) = fair {
            let stands = threads::map_of(&LIBRARIES, &|line| Stands::from_library(line, n));
            for stands in stands.into_iter().flatten() {
                rows.push(stands.to_row(&distances, precision)?)?;
            }
        }
        rows.end(Foot::default())
    }

    fn picture_query(&self) -> Option<Query> {
        let libraries = self.libraries || self.target.sides().is_some();
        Some(Query::from(Frontier {
            libraries,
            ..self.clone()
        }))
    }

    fn draw(&self, answer: &Answer) -> Result<Drawing, PictureError> {
        self.picture(answer)
    }
}

/// What stands in the column `id` of a row that is no library's.
const FRONTIER: &str = "frontier";

/// Where a library is.
struct Stands {
    line: &'static Library,
    /// The most bits of one call, `None` if there is no bound or no whole number.
    most: Option<u64>,
    bounded: bool,
    expected: Option<Rational>,
    distance: Rational,
}

impl Stands {
    /// `None` if n is beyond the type of the function.
    fn from_library(line: &'static Library, n: &BigUint) -> Option<Stands> {
        let cost = line.cost(n).ok()?;
        let worst = cost.words.max();
        let bits = |words: u64| Some(words * u64::from(cost.word_bits?));
        let bias = cost.outcomes.as_ref().map(|law| Bias::new(law, n.clone()));
        Some(Stands {
            line,
            most: worst.and_then(bits),
            bounded: worst.is_some(),
            expected: cost.bits_drawn(),
            distance: bias.map(|bias| bias.total_variation()).unwrap_or_default(),
        })
    }

    /// Its row, for the least distances with 0, 1, ... flips.
    fn to_row(
        &self,
        distances: &[Rational],
        precision: Precision,
    ) -> Result<Vec<Cell>, QueryError> {
        let number = |value: &Rational| decimal(&Real::Exact(value.clone()), precision);
        let enough = distances.iter().position(|least| *least <= self.distance);
        let count = |value: u64| Cell::Integer(value.into());
        Ok(row![
            self.line.id.to_string(),
            if self.bounded {
                self.most.map_or(Cell::Empty, count)
            } else {
                Cell::Infinite
            },
            &self.distance,
            self.expected.as_ref(),
            number(&self.distance)?,
            self.expected.as_ref().map_or(Ok(Cell::Empty), number)?,
            enough.map_or(Cell::Empty, |bits| count(bits as u64))
        ])
    }
}
