//! The best rule of all from one source with known probabilities, fair or loaded.
//!
//! A rule is a tree, infinite perhaps: every inner node rolls the source, and a leaf is an outcome;
//! each outcome has its exact probability. A node of mass x (the product of the probabilities on
//! its way) costs x if it is rolled. The order in which nodes are decided does not matter, so the
//! heaviest is decided first: a *state* is the multiset of the nodes that are neither leaves nor
//! rolled, and that of what the outcomes lack; both have the same sum. With V the least cost of an
//! end, g the heaviest node and p the faces,
//!
//! ```text
//! V(nodes, deficits) = min( g + V(nodes - g + {g p_1, ..., g p_m}, deficits),
//!                           min over deficits d >= g of V(nodes - g, deficits - d + (d - g)) ).
//! ```
//!
//! The minimum over all rules is attained, as for several dice (`dice_set`).
//!
//! **Both ends.** If nodes below a mass e are free, every rule costs no more than it does, so that
//! the least cost then is a lower bound. And where all nodes of a state are at most e and k
//! outcomes lack something, the nodes can be laid on a line and cut at k - 1 places; a cut lies in
//! one node of each depth, so that this end costs at most (k - 1) e / (1 - q), q the greatest
//! probability of a face. Both ends meet as e tends to 0: the search encloses the optimum to any
//! width, if its effort is enough.
//!
//! A fair bit costs at least 2 flips from any loaded coin of rational bias (proofs/Loaded.v,
//! flips_until).
//!
//! **Exact optima.** A rule may finish, or come back to a state up to scale; then its cost is a
//! fraction, and an exact search (`exact`) can prove that no rule costs less.

mod exact;
mod kinds;
mod rule;
mod search;

pub use exact::{ExactDecision, PathEnd};
pub use rule::AfterFace;

use flipcost::task::{Source, Task};
use flipcost_number::{BigInt, BigUint, Rational};
use kinds::{Kinds, exactly, fixed};
use num_traits::{One, ToPrimitive};
use rule::RuleTree;
use search::LoadedSearch;

/// The steps of the search, unless another number is given.
pub const EFFORT: u64 = 20_000_000;

/// Outcomes and faces, at most.
pub const MAX_TARGET: u64 = 1024;

/// How far apart the ends of a closed enclosure are: less than 10^-9.
const WIDTH: u64 = 2_500_000_000;

/// Why there is no search.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OptimumError {
    /// The probabilities are not known.
    #[error("the optimum needs known probabilities, and the source is {}", .0.with_article())]
    Unknown(Source),
    /// The source has too many faces.
    #[error("the search takes sources of up to {MAX_TARGET} faces, and {} has more", .0.with_article())]
    Faces(Source),
    /// The target has too many outcomes.
    #[error("the search takes targets of up to {MAX_TARGET} outcomes, and this one has {0}")]
    Outcomes(BigUint),
    /// A rule could cost too much for its search.
    #[error("a face of {} is too likely for a search, since nearly all nodes are as heavy as the root: a source that is nearer to a fair one was expected", .0.with_article())]
    Likely(Source),
}

impl From<OptimumError> for flipcost::Error {
    fn from(error: OptimumError) -> flipcost::Error {
        flipcost::Error::other(error)
    }
}

/// What is known of the best rule.
///
/// ```
/// use flipcost_optimum::{EFFORT, optimum};
/// use flipcost::task::{Source, Target, Task};
/// let task = Task::new(Source::loaded([1u8, 2])?, Target::uniform(2u8)?);
/// let found = optimum(&task, EFFORT, &mut |_| true)?;
/// assert_eq!(found.exact().unwrap().to_string(), "2"); // von Neumann's rule costs 9/2
/// assert!(found.is_proved());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Optimum {
    /// What the rule costs, at most: exactly so unless it ends on a line.
    pub upper: Rational,
    /// What no rule costs less than.
    pub lower: Rational,
    /// The decisions of the rule, the heaviest node first.
    pub actions: Vec<ExactDecision>,
    /// How it ends.
    pub end: PathEnd,
    /// The steps of the search.
    pub steps: u64,
}

impl Optimum {
    /// The exact cost of the rule, if it finishes or comes back to itself.
    pub fn exact(&self) -> Option<&Rational> {
        (!matches!(self.end, PathEnd::Line)).then_some(&self.upper)
    }

    /// The rule for the task that it was found for: its rolls, from the first one, and what follows
    /// each of their faces. `None` for another task, and for more than 10,000 rolls.
    pub fn rolls(&self, task: &Task) -> Option<Vec<Vec<AfterFace>>> {
        let weights = weights(task.source()).ok()?;
        let sum: BigUint = weights.iter().sum();
        let face = |weight: BigUint| Rational::new(weight.into(), sum.clone().into());
        let faces: Vec<Rational> = weights.into_iter().map(face).collect();
        RuleTree::new(&self.actions, &self.end, &faces, shares(task).ok()?)?.rolls(&faces)
    }

    /// Is the optimum a fraction that is known?
    pub fn is_proved(&self) -> bool {
        self.upper == self.lower
    }

    /// Is it known to 10^-9?
    pub fn is_enclosed(&self) -> bool {
        &self.upper - &self.lower <= Rational::new(1.into(), 1_000_000_000.into())
    }
}

/// The best rule of all for this task, as far as `effort` steps of a search find it: about a
/// million a second. Deterministic. `go_on` is called with the steps so far and ends the search by
/// `false`. Memory: up to about 10^6 states.
///
/// # Errors
/// [`OptimumError`] for a source that is not known, and for more than [`MAX_TARGET`] faces or
/// outcomes.
pub fn optimum(
    task: &Task,
    effort: u64,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Result<Optimum, OptimumError> {
    let (faces, shares) = (weights(task.source())?, shares(task)?);
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
    let scale = |x: &Rational| fixed(x, kinds.bits, true);
    let near = flipcost_number::nearest_f64(q.numer(), q.denom());
    let mut search = LoadedSearch::new(&kinds, near, scale(&most) + 1, effort);
    let deficits: Vec<u64> = shares.iter().map(scale).collect();
    search.run(&deficits, (1 << kinds.bits) / WIDTH, go_on);
    let path = exact::replay(&shares, &kinds, &search.best);
    let mut found = Optimum {
        upper: path.cost,
        lower: exactly(search.lower, kinds.bits),
        actions: path.actions,
        end: path.end,
        steps: search.states,
    };
    let closes = found.exact().is_some() && found.is_enclosed();
    if closes && exact::is_least(&shares, &kinds.faces, &found.upper) {
        found.lower = found.upper.clone();
    }
    Ok(found)
}

/// The weights of the faces.
fn weights(source: &Source) -> Result<Vec<BigUint>, OptimumError> {
    let few = source.sides().to_u64().filter(|m| *m <= MAX_TARGET);
    match (source.weights(), few) {
        _ if source.is_unknown() => Err(OptimumError::Unknown(source.clone())),
        (_, None) => Err(OptimumError::Faces(source.clone())),
        (Some(weights), _) => Ok(weights.to_vec()),
        (None, Some(m)) => Ok(vec![BigUint::one(); m as usize]),
    }
}

/// The probabilities of the outcomes.
fn shares(task: &Task) -> Result<Vec<Rational>, OptimumError> {
    let target = task.target();
    match target.outcomes().to_u64().filter(|n| *n <= MAX_TARGET) {
        Some(n) => Ok((0..n).map(|i| target.probability(&i.into())).collect()),
        None => Err(OptimumError::Outcomes(target.outcomes())),
    }
}

#[cfg(test)]
mod tests;
