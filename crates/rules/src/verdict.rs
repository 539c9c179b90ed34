//! What the chain of a rule proves.

use crate::explore::{Explored, rolls};
use crate::fault::Fault;
use flipcost::task::{Source, Target};
use flipcost_number::{BigUint, Rational};
use num_traits::{One, Signed, Zero};
use std::collections::{BTreeMap, BTreeSet};

/// What is proved of a rule for a target and a source.
pub struct Verdict {
    /// The probability of every outcome that can come.
    pub outcomes: BTreeMap<BigUint, Rational>,
    /// Half the sum of the differences from the target, what never ends counted.
    pub total_variation: Rational,
    /// The expected rolls; `None` if it may never end.
    pub expected: Option<Rational>,
    /// The most rolls; `None` if there is no bound.
    pub worst_case: Option<u64>,
    /// The probability that it ends.
    pub ends: Rational,
    /// The shortest rolls that show what is wrong, in words; `None` if nothing is.
    pub witness: Option<String>,
}

/// Rolls of an outcome that a witness lists.
const WITNESSES: usize = 3;

impl Verdict {
    /// Cost: one elimination of the chain, and one comparison for every outcome.
    ///
    /// # Errors
    /// [`Fault::Outside`] if it gives an outcome that the target has not.
    pub fn new(
        explored: &Explored,
        file: &str,
        source: &Source,
        target: &Target,
    ) -> Result<Verdict, Fault> {
        let faces = explored.faces();
        let all = target.outcomes();
        if let Some(i) = explored
            .outcomes()
            .iter()
            .position(|outcome| *outcome >= all)
        {
            let path = &explored.witnesses(1)[i][0];
            return Err(Fault::Outside {
                file: file.to_string(),
                path: rolls(path, faces),
                outcome: explored.outcomes()[i].clone(),
                n: all,
            });
        }
        let chain = explored.chain(source);
        let mut outcomes = chain.probabilities();
        let never = explored.endless().and_then(|_| outcomes.pop_last());
        let never = never.map_or_else(Rational::zero, |(_, probability)| probability);
        let ends = Rational::one() - &never;
        let mut wanted: BTreeSet<BigUint> = outcomes.keys().cloned().collect();
        if outcomes.len() < WITNESSES + (1 << 16) {
            wanted.extend(target.iter().map(|(outcome, _)| outcome).take(1 << 20));
        }
        let zero = Rational::zero();
        let excess = |outcome: &BigUint| {
            outcomes.get(outcome).unwrap_or(&zero) - target.probability(outcome)
        };
        let above = wanted.iter().map(excess).filter(Signed::is_positive);
        // the probabilities of outcomes and of no end sum to 1, as those of the target do
        let total_variation: Rational = above.fold(never.clone(), |sum, part| sum + part);
        let bounded = ends.is_one().then(|| chain.worst_case()).flatten();
        let witness = if total_variation.is_zero() {
            None
        } else {
            Some(witness(explored, &outcomes, &wanted, &excess))
        };
        Ok(Verdict {
            expected: ends.is_one().then(|| chain.mean()),
            outcomes,
            total_variation,
            worst_case: bounded,
            ends,
            witness,
        })
    }

    /// Has every outcome the probability that the target gives it, and does it always end?
    pub fn is_fair(&self) -> bool {
        self.total_variation.is_zero()
    }
}

/// The shortest rolls that show that a rule is not fair, or that it may never end.
fn witness(
    explored: &Explored,
    outcomes: &BTreeMap<BigUint, Rational>,
    wanted: &BTreeSet<BigUint>,
    excess: &dyn Fn(&BigUint) -> Rational,
) -> String {
    let faces = explored.faces();
    if let Some(path) = explored.endless() {
        return match path.as_slice() {
            [] => "it never ends".to_string(),
            path => format!("after {} it never ends", rolls(path, faces)),
        };
    }
    let short = explored.witnesses(WITNESSES);
    let shown = |outcome: &BigUint| {
        let Some(probability) = outcomes.get(outcome) else {
            return format!("{outcome} never comes");
        };
        let place = explored
            .outcomes()
            .iter()
            .position(|other| other == outcome);
        let paths: Vec<String> = place
            .map_or(&[][..], |i| &short[i])
            .iter()
            .map(|path| rolls(path, faces))
            .collect();
        format!(
            "{outcome} has {probability} (as after {})",
            paths.join(", ")
        )
    };
    let most = wanted.iter().rev().max_by_key(|outcome| excess(outcome));
    let least = wanted.iter().min_by_key(|outcome| excess(outcome));
    let parts: Vec<String> = most.into_iter().chain(least).map(shown).collect();
    parts.join(", ")
}
