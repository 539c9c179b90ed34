//! The least expected number of rolls of a loaded source for a target, over all decision trees.
//!
//! A source shows face j with probability p_j = a_j / A, and outcome i of the target has probability
//! w_i / W. After t rolls an undecided node of a tree has a mass that is an integer in units of
//! 1/(W A^t), and so has what an outcome still lacks, its *deficit*; both have the same sum. One more
//! roll costs the mass that is open and turns an open mass g into g a_1, ..., g a_m in the next unit;
//! each of these becomes a leaf of an outcome whose deficit it does not exceed, or stays open. Equal
//! masses are exchangeable, and so are equal deficits. With V(open, deficits) the least cost of the
//! rest, which scales with its arguments,
//!
//! ```text
//! V(G, D) = sum of G + min over the choices of V(G', D'),   V(empty, empty) = 0,   E = V(W, w).
//! ```
//!
//! **Bounds of V from below.** Each open mass is rolled, and so is each of its descendants that is
//! larger than the largest deficit, since no outcome can take it. **From above.** Laid side by side on
//! a line, the open masses are cut by the deficits, k of them, in at most k - 1 places; the interval
//! algorithm rolls on only where a cut is, so V is at most (k - 1) max(G) / (1 - p_max). And a
//! situation that comes back up to scale may be repeated for ever: if it cost Δ from one time to the
//! next and shrank from σ to σ', then that rule costs Δ / (1 - σ'/σ) from the first time on.
//!
//! **Search.** Depth first over the levels, child by child from the largest on, as long as the cost so
//! far with the bound of the rest is less than the best rule's. Cut is also what comes back (the
//! repetition is a rule, and whoever takes another way the second time did better to take it the
//! first), and a situation that was searched before at no greater cost and no larger scale. What the
//! search has cut costs at least what it was cut at, so when it ends the best rule is proved to be
//! the optimum, or within what was left out on purpose. Every comparison is one of integers.

mod search;

pub use search::{Ending, Found, Optimum, Placed};

use crate::task::{Refusal, Task};

/// The steps that are taken where nobody says how many: some seconds.
pub const EFFORT: u64 = 3_000_000;

/// The least expected rolls of the task's loaded source for its target: the best rule that was found,
/// and a bound that no rule is below. Cost: one step for each choice that is looked at, at most
/// `effort`, each of some products of numbers of up to a thousand bits.
///
/// ```
/// use flipcost::task::{Source, Target, Task};
/// use flipcost::loaded::{EFFORT, optimum};
/// let coin = Source::loaded([1u8, 2])?;
/// let found = optimum(&Task::new(coin, Target::uniform(2u8)?), EFFORT)?;
/// // Heads is one outcome, tails tails the other, and then the same with the outcomes exchanged.
/// assert_eq!((found.upper.to_string(), found.lower.to_string()), ("2".into(), "2".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Refusal`] if the source is fair or unknown, or source or target have too many faces.
pub fn optimum(task: &Task, effort: u64) -> Result<Optimum, Refusal> {
    let Some(law) = task.source().law() else {
        return Err(Refusal::Rule(format!(
            "the search is for loaded sources whose probabilities are known, such as 1:2, and not {}",
            task.source().with_article()
        )));
    };
    let faces = law.weights().unwrap_or_default();
    let outcomes = task.target().possible();
    if faces.len() > MOST || outcomes > MOST.into() {
        return Err(Refusal::Rule(format!(
            "the search takes at most {MOST} faces and {MOST} outcomes, and here are {} and {outcomes}",
            faces.len()
        )));
    }
    Ok(search::optimum(faces, task.target(), effort))
}

/// The most faces, and the most outcomes.
const MOST: usize = 64;
