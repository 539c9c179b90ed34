//! The question `show --as leaves`: how the leaves of a decision tree give the probability of each
//! outcome.

use super::tree::BITS_OF_WORDS_NOTE;
use crate::questions::DecisionTree;
use flipcost::algorithms::tree::{DecisionNodeKind, MAX_NODES, drawn_task, nodes};
use flipcost_number::{BigUint, Rational, Real};
use flipcost_question::prelude::*;
use num_traits::{ToPrimitive, Zero};

question! {
    /// The probability of each outcome after at most T rolls
    ///
    /// The leaves of the decision tree by outcome: a row for each outcome with the number of its
    /// leaves within the given rolls, the sum of their probabilities, and the probability of all
    /// its leaves.
    pub struct Leaves: "show" {
        /// The target: the sides of a fair die, or weights.
        target: TargetText; TARGET,
        /// How the algorithm is shown
        view: LeavesView; option("VIEW").name("as"),
        /// Count the leaves within this number of rolls
        upto: u64; option("T").short('u'),
        /// The algorithm.
        algorithm: AlgorithmId => target.algorithm(&source); ALGORITHM,
        /// The source.
        source: Sides = Sides::default(); SOURCE,
        /// Decimals after the point; without it, the nearest doubles.
        digits: Option<u32>; DIGITS,
    }
    purpose: Table
    examples: ["show 6 --as leaves --upto 5", "show 1:2:3 --as leaves --upto 8 -a fldr"]
}

choices! {
    /// The view that selects this question.
    pub enum LeavesView {
        /// The probability of each outcome after at most T rolls.
        Leaves = "leaves",
    }
}

/// The largest number of outcomes.
const MAX_OUTCOMES: u64 = 100_000;

impl Question for Leaves {
    fn summary(&self, answer: &Answer) -> String {
        let leaves = answer.column("leaves").into_iter().flatten();
        let leaves: u64 = leaves
            .filter_map(|cell| cell.to_string().parse::<u64>().ok())
            .sum();
        let decided = answer.column("decided_exact").into_iter().flatten();
        let decided: Rational = decided
            .filter_map(|cell| match cell {
                Cell::Exact(part) => Some(&**part),
                _ => None,
            })
            .sum();
        format!(
            "within {} {leaves} {} {}, with probability {}",
            count_with_noun(self.upto, self.drawn_source().0.unit().singular()),
            if leaves == 1 {
                "leaf decides"
            } else {
                "leaves decide"
            },
            self.target.with_article(),
            exact_phrase(&decided)
        )
    }

    fn estimate(&self) -> Estimate {
        let (m, rolls) = (
            self.drawn_source().get(),
            self.upto.min(DecisionTree::MAX_DEPTH),
        );
        let level = m.saturating_pow(rolls as u32).min(MAX_NODES as u128);
        let rows = self.target.target().outcomes().to_u128();
        let rows = rows.unwrap_or(u128::MAX).min(MAX_OUTCOMES.into());
        let digits = u128::from(self.digits.unwrap_or(20)) + u128::from(rolls);
        Estimate::space(
            2 * level * 200 + rows * (100 + digits),
            rows * (40 + 2 * digits),
        )
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let precision = precision(self.digits, false)?;
        let (task, target) = (self.target.task(&self.source.0)?, self.target.target());
        if self.upto > DecisionTree::MAX_DEPTH {
            let what = format!("a tree of depth {} is too deep", self.upto);
            let right = format!("{} is the most", DecisionTree::MAX_DEPTH);
            return Err(QueryError::wrong("upto", what).right(right));
        }
        let outcomes = target.outcomes();
        let count = outcomes.to_u64().filter(|count| *count <= MAX_OUTCOMES);
        let count = count.ok_or_else(|| {
            let target = self.target.phrase();
            let what =
                say!("{target} has more than {MAX_OUTCOMES} outcomes, the most that are listed");
            QueryError::wrong("target", what).right("choose a smaller target")
        })?;
        let mut filled = vec![(0u64, Rational::zero()); count as usize];
        for node in nodes(self.algorithm.0, &task, self.upto)
            .map_err(QueryError::of_algorithm("algorithm", self.algorithm.0))?
        {
            control.go_on()?;
            let node = node.map_err(QueryError::input)?;
            if let DecisionNodeKind::Output(outcome) = node.kind {
                let at = outcome.to_usize().expect("an outcome");
                filled[at].0 += 1;
                filled[at].1 += node.probability;
            }
        }
        let head = Head::new()
            .column("outcome", self.target.outcome_kind())
            .column("leaves", CellKind::Count)
            .column("decided_exact", CellKind::Exact)
            .column("decided", CellKind::Decimal)
            .column("probability_exact", CellKind::Exact);
        let mut rows = Chunks::begin(&head, control, sink)?;
        for (i, (leaves, decided)) in filled.into_iter().enumerate() {
            let outcome = BigUint::from(i);
            rows.push(row![
                self.target.outcome(&outcome),
                leaves,
                &decided,
                decimal(&Real::Exact(decided), precision)?,
                target.probability(&outcome)
            ])?;
        }
        let mut foot = Foot::default();
        if self.drawn_source() != self.source {
            foot.note(BITS_OF_WORDS_NOTE);
        }
        rows.end(foot)
    }
}

impl Leaves {
    /// Returns the source of the tree: a coin if bits are taken from words.
    fn drawn_source(&self) -> Sides {
        match self.target.task(&self.source.0) {
            Ok(task) => Sides(drawn_task(self.algorithm.0, &task).source().clone()),
            Err(_) => self.source.clone(),
        }
    }
}
