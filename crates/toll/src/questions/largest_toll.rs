//! The largest toll of all weights of a sum.

use crate::largest_toll::{LargestTolls, least_depth};
use flipcost::algorithms::find;
use flipcost::table::Costs;
use flipcost::task::{Source, Target, Task};
use flipcost_number::Rational;
use flipcost_question::prelude::*;

question! {
    /// The largest toll of the amplified loaded dice roller among all weights with a given sum
    ///
    /// One row: among all weights with this sum and without a common divisor, those with the
    /// largest toll, in flips. The toll of all such weights is at most `at_most_exact`. With the
    /// least depth the algorithm is the fast loaded dice roller.
    pub struct LoadedToll: "toll-loaded", "toll loaded" {
        /// The sum of the weights
        sum: u64; word("M"),
        /// The depth K of the tree [default: the least depth]
        depth: Option<u32>; option("K"),
        /// Decimals after the point; without it, the nearest doubles.
        digits: Option<u32>; DIGITS,
    }
    purpose: Numbers
    examples: ["toll loaded 24 --depth 10", "toll loaded 1000"]
}

/// The maximum depth of a tree.
const MAX_DEPTH: u32 = 40;

impl Question for LoadedToll {
    fn summary(&self, answer: &Answer) -> String {
        format!(
            "of all weights with the sum {} the largest toll is {}, of {}",
            self.sum,
            answer.measure(0, "toll").unwrap_or_default(),
            answer.cell(0, "weights")
        )
    }

    fn run(&self, _: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let precision = precision(self.digits, false)?;
        let (sum, most) = (self.sum, LargestTolls::MAX_SUM);
        if !(2..=most).contains(&sum) {
            let what = say!("weights with the sum {sum} are not searched");
            let right = say!("the sum must be 2 to {most}");
            return Err(QueryError::wrong("sum", what).right(right));
        }
        let least = least_depth(sum);
        let depth = self.depth.unwrap_or(least);
        if !(least..=MAX_DEPTH).contains(&depth) {
            let what = say!(
                field("depth").is(depth),
                " is not a depth for weights with the sum ",
                sum.to_string()
            );
            let right = say!("choose {least} to {MAX_DEPTH}");
            return Err(QueryError::wrong("depth", what).right(right));
        }
        let largest = LargestTolls::up_to(sum).largest_toll(sum, depth);
        let target = Target::weighted(largest.weights).map_err(QueryError::input)?;
        let task = Task::new(target, Source::COIN);
        let aldr = find(&format!("aldr:K={depth}")).map_err(QueryError::input)?;
        let costs = Costs::new(aldr, &task).map_err(QueryError::input)?;
        let at_most = Rational::new(largest.high.into(), (1u64 << 56).into());
        let head = Head::new()
            .columns(CellKind::Count, ["sum", "depth"])
            .column("weights", CellKind::Text)
            .answers()
            .measured("toll", CellKind::Decimal, "flips")
            .answers()
            .measured("at_most_exact", CellKind::Exact, "flips");
        let (weights, toll) = (
            task.target().to_string(),
            decimal(&costs.toll(), precision)?,
        );
        let row = row![sum, depth, weights, toll, &at_most];
        sink.write_answer(&head, vec![row], Foot::default())
    }
}
