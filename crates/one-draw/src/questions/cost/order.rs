//! The interval algorithm with its faces and outcomes in the best order.

use super::Cost;
use crate::{MOST_ORDERS, cheapest_order, different_orders};
use flipcost::algorithms::find;
use flipcost::task::Task;
use flipcost_question::counted;
use flipcost_question::prelude::*;

choices! {
    /// In which order the interval algorithm takes the faces of its source and the outcomes.
    pub enum Order {
        /// As they were given.
        Given = "given",
        /// So that it costs the least.
        Best = "best",
    }
}

impl Cost {
    /// The orders that are compared, at most.
    pub(super) fn orders(&self, target: &TargetText) -> u128 {
        let task = Task::new(self.source.0.clone(), target.target().clone());
        different_orders(&task).min(MOST_ORDERS).into()
    }

    /// The row of the interval algorithm in its best order.
    pub(super) fn in_best_order(
        &self,
        target: &TargetText,
        control: &Control,
        sink: &mut dyn Sink,
    ) -> Result<(), QueryError> {
        for (name, given) in [("optimal", self.optimal), ("at", self.at.is_some())] {
            if given {
                return Err(QueryError::both(name, "order"));
            }
        }
        let interval = AlgorithmId(find("interval").map_err(QueryError::input)?);
        if self.algorithms.iter().any(|other| *other != interval) {
            let what = "the best order is that of the interval algorithm";
            let right = say!("it goes with ", field("algorithms").is(vec!["interval"]));
            return Err(QueryError::wrong("order", what).right(right));
        }
        let task = target.task(&self.source.0)?;
        control.go_on()?;
        let best = cheapest_order(&task).map_err(QueryError::for_field("order"))?;
        let target = best.task.target().to_string().parse();
        let target: TargetText = target.map_err(QueryError::for_field("target"))?;
        let cost = Cost {
            target: target.clone().into(),
            source: Sides(best.task.source().clone()),
            algorithms: vec![interval],
            order: None,
            ..self.clone()
        };
        let mut foot = Foot::default();
        let (columns, rows) = cost.known(
            &cost.prepare_target(&target, control)?,
            &cost.source,
            control,
            &mut foot,
        )?;
        let listed = |of: &str, order: &[usize]| {
            if order.is_empty() {
                format!("{of} are equally likely")
            } else {
                let from_1: Vec<String> = order.iter().map(|i| (i + 1).to_string()).collect();
                format!("{of} {}", from_1.join(","))
            }
        };
        let (faces, outcomes) = (
            listed("faces", &best.faces),
            listed("outcomes", &best.outcomes),
        );
        let sure = if best.proved {
            ""
        } else {
            "; some that are no fractions were compared to 64 bits"
        };
        foot.note(format!(
            "the cheapest of {} (mirror images counted once): {faces}; {outcomes}{sure}",
            counted(best.orders, "order")
        ));
        sink.write_answer(
            &flipcost_question::column::head(&columns, Some(&cost.source.0), &cost.columns),
            rows,
            foot,
        )
    }
}
