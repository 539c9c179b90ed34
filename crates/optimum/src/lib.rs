//! The best rule for a target from one source with known probabilities, fair or loaded. A search
//! finds bounds on the least expected cost.
//!
//! A rule is a tree, perhaps infinite: every inner node rolls the source, and every leaf has an
//! outcome. Each outcome must get its exact probability. The mass of a node is the product of the
//! probabilities on the path to it; rolling a node of mass x costs x. The order in which nodes are
//! decided does not matter, so the heaviest is decided first. A *state* consists of two multisets
//! with the same sum: the nodes that are neither leaves nor rolled, and the *deficits*, which are
//! the probabilities that the outcomes have not yet received. Let V be the least cost to finish, g
//! the heaviest node and p the probabilities of the faces:
//!
//! ```text
//! V(nodes, deficits) = min( g + V(nodes - g + {g p_1, ..., g p_m}, deficits),
//!                           min over deficits d >= g of V(nodes - g, deficits - d + (d - g)) ).
//! ```
//!
//! The minimum over all rules is attained, as for several dice (see `dice_set`).
//!
//! **Both bounds.** If nodes below a mass e were free, no rule would cost more than its true cost,
//! so the least cost under this assumption is a lower bound. For the upper bound, suppose that all
//! nodes of a state are at most e and that k outcomes have not yet received their full probability.
//! The nodes can be laid on a line and cut at k - 1 places. At each depth a cut lies in only one
//! node, so this costs at most (k - 1) e / (1 - q), where q is the greatest probability of a face.
//! The two bounds converge as e tends to 0: given enough steps, the search encloses the optimum to
//! any width.
//!
//! A fair bit costs at least 2 flips from any loaded coin of rational bias (proofs/Loaded.v,
//! flips_until).
//!
//! **Exact optima.** The cost of a rule is a fraction if the rule finishes, or if it returns to an
//! earlier state up to scale. Then an exact search (`exact`) can prove that no rule costs less.

mod exact;
mod kinds;
mod rule;
mod search;

pub use exact::{ExactDecision, PathEnd};
pub use rule::AfterFace;

use flipcost::task::{Source, Task};
use flipcost_number::{BigInt, BigUint, Rational};
use kinds::{Kinds, from_fixed, to_fixed};
use num_traits::{One, ToPrimitive};
use rule::RuleTree;
use search::LoadedSearch;

/// The default number of search steps.
pub const EFFORT: u64 = 20_000_000;

/// The maximum number of outcomes, and the maximum number of faces.
pub const MAX_TARGET: u64 = 1024;

/// An enclosure counts as closed if its width is below 1 divided by this number, which is less than
/// 10^-9.
const CLOSED_WIDTH_INVERSE: u64 = 2_500_000_000;

/// The reason why a search is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OptimumError {
    /// The probabilities of the source are unknown.
    #[error("the optimum needs known probabilities, and the source is {}", .0.with_article())]
    Unknown(Source),
    /// The source has too many faces.
    #[error("the search takes sources of up to {MAX_TARGET} faces, and {} has more", .0.with_article())]
    Faces(Source),
    /// The target has too many outcomes.
    #[error("the search takes targets of up to {MAX_TARGET} outcomes, and this one has {0}")]
    Outcomes(BigUint),
    /// The bound on a rule's cost is too large for the search.
    #[error("a face of {} is too likely for a search, since nearly all nodes are as heavy as the root: a source nearer to a fair one was expected", .0.with_article())]
    Likely(Source),
}

impl From<OptimumError> for flipcost::Error {
    fn from(error: OptimumError) -> flipcost::Error {
        flipcost::Error::other(error)
    }
}

/// The enclosure of the optimum, and the best rule that was found.
///
/// ```
/// use flipcost_optimum::{EFFORT, optimum};
/// use flipcost::task::{Source, Target, Task};
/// let task = Task::new(Target::uniform(2u8)?, Source::loaded([1u8, 2])?);
/// let found = optimum(&task, EFFORT, &mut |_| true)?;
/// assert_eq!(found.exact().unwrap().to_string(), "2"); // von Neumann's rule costs 9/2
/// assert!(found.is_proved());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Optimum {
    /// An upper bound of the rule's cost, which is the exact cost unless the rule ends on a line.
    pub upper: Rational,
    /// A lower bound of the cost of every rule.
    pub lower: Rational,
    /// The decisions of the rule, the heaviest node first.
    pub actions: Vec<ExactDecision>,
    /// How the rule ends.
    pub end: PathEnd,
    /// The number of search steps taken.
    pub steps: u64,
}

impl Optimum {
    /// The exact cost of the rule, if the rule finishes or returns to an earlier state.
    pub fn exact(&self) -> Option<&Rational> {
        (!matches!(self.end, PathEnd::Line)).then_some(&self.upper)
    }

    /// Returns the rule as a list of rolls, beginning with the first roll. For each roll, lists
    /// what follows each of its faces. The task must be the one for which the rule was found.
    /// Returns `None` for another task, or if there are more than 10,000 rolls.
    pub fn rolls(&self, task: &Task) -> Option<Vec<Vec<AfterFace>>> {
        let weights = face_weights(task.source()).ok()?;
        let sum: BigUint = weights.iter().sum();
        let face = |weight: BigUint| Rational::new(weight.into(), sum.clone().into());
        let faces: Vec<Rational> = weights.into_iter().map(face).collect();
        RuleTree::new(
            &self.actions,
            &self.end,
            &faces,
            outcome_probabilities(task).ok()?,
        )?
        .rolls(&faces)
    }

    /// Whether the optimum is known as a fraction.
    pub fn is_proved(&self) -> bool {
        self.upper == self.lower
    }

    /// Whether the optimum is known to within 10^-9.
    pub fn is_enclosed(&self) -> bool {
        &self.upper - &self.lower <= Rational::new(1.into(), 1_000_000_000.into())
    }
}

/// Searches for the best rule for this task, in at most `effort` steps. A million steps take about
/// a second. The result is deterministic. The search calls `go_on` with the number of steps so far,
/// and ends if `go_on` returns `false`. Memory: up to about 10^6 states.
///
/// # Errors
/// [`OptimumError`] if the source's probabilities are unknown, or if there are more than
/// [`MAX_TARGET`] faces or outcomes.
pub fn optimum(
    task: &Task,
    effort: u64,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Result<Optimum, OptimumError> {
    let (faces, shares) = (face_weights(task.source())?, outcome_probabilities(task)?);
    let sum: BigUint = faces.iter().sum();
    let greatest = faces.iter().max().cloned().unwrap_or_default();
    let q = Rational::new(greatest.into(), sum.into());
    let line = (Rational::one() - &q).recip();
    let cuts = shares.len().saturating_sub(1).max(1);
    let most = &line * BigInt::from(cuts);
    if most > Rational::from_integer(1_000_000_000.into()) {
        return Err(OptimumError::Likely(task.source().clone()));
    }
    let least = Rational::new(1.into(), 10_000_000_000u64.into()) / &most;
    let kinds = Kinds::new(&faces, &most, least)
        .ok_or_else(|| OptimumError::Likely(task.source().clone()))?;
    let scale = |x: &Rational| to_fixed(x, kinds.bits, true);
    let near = flipcost_number::nearest_f64(q.numer(), q.denom());
    let mut search = LoadedSearch::new(&kinds, near, scale(&most) + 1, effort);
    let deficits: Vec<u64> = shares.iter().map(scale).collect();
    search.run(&deficits, (1 << kinds.bits) / CLOSED_WIDTH_INVERSE, go_on);
    let path = exact::replay(&shares, &kinds, &search.best);
    let mut found = Optimum {
        upper: path.cost,
        lower: from_fixed(search.lower, kinds.bits),
        actions: path.actions,
        end: path.end,
        steps: search.states,
    };
    let closes = found.exact().is_some() && found.is_enclosed();
    if closes && exact::proves_least_cost(&shares, &kinds.faces, &found.upper) {
        found.lower = found.upper.clone();
    }
    Ok(found)
}

/// The weights of the faces.
fn face_weights(source: &Source) -> Result<Vec<BigUint>, OptimumError> {
    let few = source.sides().to_u64().filter(|m| *m <= MAX_TARGET);
    match (source.weights(), few) {
        _ if source.is_unknown() => Err(OptimumError::Unknown(source.clone())),
        (_, None) => Err(OptimumError::Faces(source.clone())),
        (Some(weights), _) => Ok(weights.to_vec()),
        (None, Some(m)) => Ok(vec![BigUint::one(); m as usize]),
    }
}

/// The probabilities of the outcomes.
fn outcome_probabilities(task: &Task) -> Result<Vec<Rational>, OptimumError> {
    let target = task.target();
    match target.outcomes().to_u64().filter(|n| *n <= MAX_TARGET) {
        Some(n) => Ok((0..n).map(|i| target.probability(&i.into())).collect()),
        None => Err(OptimumError::Outcomes(target.outcomes())),
    }
}

#[cfg(test)]
mod tests;
