//! The benchmark family KY-n with its exact answers.

use crate::family;
use flipcost::algorithms::FAST_DICE_ROLLER;
use flipcost::task::Task;
use flipcost_number::{Rational, Real};
use flipcost_question::Always;
use flipcost_question::prelude::*;

question! {
    /// The family KY-n, a benchmark for model checkers: the optimal tree for a coin and n sides, with the
    /// exact answers
    ///
    /// Without --folder the answers, a row for each n. With it a folder: KY.prism, the family as one
    /// program with the constant n; answers.csv and answers.json; and models/KY-n.drn, the explicit model,
    /// where it has at most --explicit states. The folder appears whole: until then FOLDER.part holds
    /// what there is, and the same command goes on from there.
    ///
    /// The family KY-n of models, the optimal tree for a coin and a fair die of n sides, with the exact
    /// answers that a model checker should give: a row for each n from 2, and for some chosen ones above.
    ///
    /// `states` and `transitions` are those of the explicit model, final ones included; `period` is that
    /// of 2^t mod n; every outcome has the probability `probability_exact`.
    pub struct ModelFamily: "export" {
        /// The family KY-n in place of one model: the answers, a row for each n
        family: Always; flag().printed().without(&["language", "target", "algorithm", "source"]),
        /// Every n from 2 to N
        to: u64 = 1000; option("N"),
        /// So many n above that, up to 10^5, of at most 200000 states each
        chosen: u64 = 100; option("K"),
    }
    purpose: Models
    examples: ["export --family --to 20", "export --family --folder KY"]
}

impl Default for ModelFamily {
    fn default() -> ModelFamily {
        ModelFamily::usual([("family", Always.json())])
    }
}

impl ModelFamily {
    /// The largest n.
    pub const LAST: u64 = 100_000;

    /// A chosen n has at most this many states.
    pub const MOST_STATES: u64 = 200_000;

    /// All n, in increasing order.
    ///
    /// # Errors
    /// [`QueryError::Input`] if `to` is not 2 to [`ModelFamily::LAST`], or `chosen` above 10,000.
    pub fn members(&self) -> Result<Vec<u64>, QueryError> {
        if !(2..=ModelFamily::LAST).contains(&self.to) {
            let what = say!(field("to").is(self.to), " is not in the family KY-n");
            let right = format!("n from 2 to {} was expected", ModelFamily::LAST);
            return Err(QueryError::wrong("to", what).right(right));
        }
        if self.chosen > 10_000 {
            let what = format!("{} chosen n are too many", self.chosen);
            return Err(QueryError::wrong("chosen", what).right("10000 is the most"));
        }
        let mut all: Vec<u64> = (2..=self.to).collect();
        all.extend(family::chosen(
            self.to,
            ModelFamily::LAST,
            ModelFamily::MOST_STATES,
            self.chosen as usize,
        ));
        Ok(all)
    }
}

impl Question for ModelFamily {
    fn summary(&self, answer: &Answer) -> String {
        format!(
            "the family KY-n for {} n up to {}, with the exact answers",
            answer.rows.len(),
            answer
                .rows
                .len()
                .checked_sub(1)
                .map_or(Cell::Empty, |last| answer.cell(last, "n").clone())
        )
    }

    fn estimate(&self) -> Estimate {
        let to = u128::from(self.to.min(ModelFamily::LAST));
        let chosen = u128::from(self.chosen.min(10_000));
        // a fraction has up to n bits, a chosen one few; the variance has twice as many
        Estimate::space(1 << 24, (to * to / 2) + chosen * 1000 + 1000)
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let members = self.members()?;
        let head = Head::new()
            .columns(CellKind::Count, ["n", "states", "transitions"])
            .measured("period", CellKind::Count, "flips")
            .measured("expected", CellKind::Decimal, "flips")
            .measured("expected_exact", CellKind::Exact, "flips")
            .columns(CellKind::Exact, ["variance_exact", "probability_exact"]);
        let mut rows = Chunks::begin(&head, control, sink)?;
        let all = members.len() as u64;
        for (done, n) in (1..).zip(members) {
            control.go_on()?;
            let size = family::size(n);
            let task = Task::dice(2u8, n).map_err(QueryError::input)?;
            let law = FAST_DICE_ROLLER.law(&task).map_err(QueryError::input)?;
            let mean = law.mean().map_err(QueryError::input)?;
            let variance = law.variance().map_err(QueryError::input)?;
            rows.push(row![
                n,
                size.states,
                size.transitions,
                size.period,
                Cell::Double(
                    Real::Exact(mean.clone())
                        .to_f64()
                        .map_err(QueryError::input)?,
                ),
                mean,
                variance,
                Rational::new(1.into(), n.into())
            ])?;
            control.progress(done, all);
        }
        rows.end(Foot::default())
    }
}
