//! Plans for weights: the outcome is looked up from the face of a planned die, or Knuth & Yao's
//! algorithm makes it from one die.

use super::{KNUTH_YAO, Plan, SingleDieCost, fraction_and_decimals};
use flipcost::task::Source;
use flipcost_number::BigUint;
use flipcost_one_draw::questions::DecisionTree;
use flipcost_question::prelude::*;
use num_traits::{ToPrimitive, Zero};

impl crate::DicePlan {
    /// Returns the index of the die that is cheapest alone, if that die alone costs less than the
    /// plan.
    pub(super) fn cheaper_die(&self, alone: &[SingleDieCost]) -> Option<usize> {
        let best = (0..alone.len()).min_by(|a, b| alone[*a].0.cmp(&alone[*b].0))?;
        (alone[best].0 < self.expected).then_some(best)
    }
}

impl Plan {
    /// Returns the note on a plan for weights: it names the die that is planned, and says that
    /// other methods were not compared.
    pub(super) fn look_up_note(&self, plan: &crate::DicePlan) -> Option<String> {
        let note = format!(
            "the plan rolls a d{} and looks its face up in a table: other ways to make these weights \
             from several dice are not compared",
            plan.target
        );
        (plan.dice.len() > 1).then_some(note)
    }

    /// If one die alone is cheaper than the plan, returns a note that says so.
    pub(super) fn knuth_yao_note(
        &self,
        plan: &crate::DicePlan,
        alone: &[SingleDieCost],
    ) -> Result<Option<Sentence>, QueryError> {
        let is_cheaper = self.target.sides().is_none() && self.throws.is_empty();
        let Some(at) = plan.cheaper_die(alone).filter(|_| is_cheaper) else {
            return Ok(None);
        };
        let (die, cost) = (&plan.dice[at], fraction_and_decimals(&alone[at].0)?);
        let tree = DecisionTree {
            source: Sides(Source::die(die.sides).map_err(QueryError::for_field("dice"))?),
            ..DecisionTree::new(self.target.clone())
        };
        let name = self.name(die);
        Ok(Some(say!(
            "{KNUTH_YAO} with the {name} alone is cheaper, {cost}: ",
            tree
        )))
    }

    /// The outcomes of the weights, each with the last face that leads to it.
    pub(super) fn outcomes(&self) -> Vec<(u64, String)> {
        let mut last = 0;
        let outcome = |(outcome, weight): (BigUint, BigUint)| {
            last += weight.to_u64()?;
            (!weight.is_zero()).then(|| (last, self.target.label(&outcome)))
        };
        self.target.target().iter().filter_map(outcome).collect()
    }

    /// The label of the outcome for a face of the die; faces count from 0.
    pub(super) fn outcome_label(&self, face: &BigUint) -> String {
        let outcomes = self.outcomes().into_iter();
        let mut from = outcomes.skip_while(|(last, _)| BigUint::from(*last) <= *face);
        from.next()
            .map(|(_, name)| name)
            .expect("a face of the planned die")
    }

    /// Lists which faces of the die lead to which outcome of the weights.
    pub(super) fn cells(&self) -> String {
        let mut from = 1;
        let cell = |(last, name): (u64, String)| {
            let first = std::mem::replace(&mut from, last + 1);
            if first == last {
                format!("{last} is {name}")
            } else {
                format!("{first} to {last} is {name}")
            }
        };
        let cells: Vec<String> = self.outcomes().into_iter().map(cell).collect();
        cells.join(", ")
    }
}
