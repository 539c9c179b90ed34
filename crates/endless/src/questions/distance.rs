//! The distance of a table from the law without an end that it approximates.

use crate::measures::TableComparison;
use crate::tables::TableText;
use crate::text::EndlessText;
use flipcost_number::{Rational, Real};
use flipcost_question::precision::nonnegative_decimal;
use flipcost_question::prelude::*;
use num_traits::{One, Signed};

question! {
    /// How far a table is from the law with infinitely many outcomes that it approximates
    ///
    /// The table is a file of whole numbers with their weights, weights with whole numbers as
    /// names, dice, or one of `frodo640`, `frodo976`, `frodo1344` (which approximate `rgauss`) and
    /// `falcon` (`dgauss` with `from=0`). The divergences are those of the table from the law, in
    /// bits.
    pub struct EndlessDistance: "distance" {
        /// The table
        law: TableText; word("A"),
        /// The intended law
        other: EndlessText; word("B"),
        /// The order of a Renyi divergence, for an intended law with infinitely many outcomes, as
        /// in 200 or 3/2 [default: 2]
        order: Option<String>; option("ORDER"),
        /// Decimals after the point; without it, the nearest doubles.
        digits: Option<u32>; DIGITS,
    }
    purpose: Libraries
    examples: ["distance frodo640 rgauss:sigma=14/5 --order 200", "distance falcon dgauss:sigma=1.8205,from=0 --order 513"]
}

/// The largest order of a Renyi divergence.
const MAX_ORDER: u64 = 1 << 20;

impl EndlessDistance {
    fn order(&self) -> Result<Rational, QueryError> {
        let Some(text) = &self.order else {
            return Ok(Rational::from(flipcost_number::BigInt::from(2)));
        };
        let order = flipcost_number::expression::parse_signed(text);
        let order = order.map_err(QueryError::for_field("order"))?;
        let most = Rational::from(flipcost_number::BigInt::from(MAX_ORDER));
        if !order.is_positive() || order.is_one() || order > most {
            let what = format!("{order} is not an order of a Renyi divergence here");
            let right = "a number above 0 other than 1, at most 2^20, was expected";
            return Err(QueryError::wrong("order", what).right(right));
        }
        Ok(order)
    }
}

impl Question for EndlessDistance {
    fn summary(&self, answer: &Answer) -> String {
        let distance = answer.phrase(0, "total_variation").unwrap_or_default();
        format!(
            "The table {} and the law {} are {distance} apart in total variation",
            self.law, self.other
        )
    }

    fn estimate(&self) -> Estimate {
        Estimate::space(1 << 24, 4000)
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let precision = precision(self.digits, false)?;
        let order = self.order()?;
        self.other.checked("other", 64)?;
        let Some(apart) = TableComparison::new(&self.law, &self.other) else {
            let what = format!(
                "some outcomes of the table have probability 0 in the law {}",
                self.other
            );
            return Err(
                QueryError::wrong("other", what).right("a law with all of them was expected")
            );
        };
        control.go_on()?;
        let write = |value: &Real| nonnegative_decimal(value, precision);
        let cells = row![
            write(&apart.total_variation())?,
            write(&apart.divergence())?,
            write(&apart.chi_square())?,
            write(&apart.hellinger())?,
            &order,
            write(&apart.renyi(&order))?,
            write(&apart.max_log_divergence())?
        ];
        let head = Head::new()
            .column("total_variation", CellKind::Decimal)
            .answers()
            .measured("kullback_leibler_bits", CellKind::Decimal, "bits")
            .column("chi_square", CellKind::Decimal)
            .column("hellinger", CellKind::Decimal)
            .column("order", CellKind::Exact)
            .measured("renyi_bits", CellKind::Decimal, "bits")
            .answers()
            .measured("max_log_bits", CellKind::Decimal, "bits");
        sink.write_answer(&head, vec![cells], Foot::default())
    }
}
