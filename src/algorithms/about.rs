//! The description of an algorithm for lists, and the kinds of tasks that the algorithm was made
//! for.

use crate::task::{RollUnit, Task};

/// The description of an algorithm, shown in every list of algorithms.
///
/// ```
/// use flipcost::algorithms::find;
/// let about = find("interval")?.about();
/// assert_eq!((about.name, about.citation), ("Interval algorithm", "Han & Hoshi 1997"));
/// # Ok::<(), flipcost::algorithms::UnknownAlgorithm>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct About {
    /// The id that users write on the command line and in queries.
    pub id: &'static str,
    /// The algorithm's name.
    pub name: &'static str,
    /// Where the algorithm was published.
    pub citation: &'static str,
    /// The state that the algorithm keeps from one roll to the next.
    pub memory: Memory,
    /// The dice for which the number of rolls is bounded.
    pub bounded: &'static str,
    /// How the algorithm works, in one sentence.
    pub rule: &'static str,
    /// The law of T and its mean E, as formulas of the sides m of the source and n of the target.
    pub law: &'static str,
}

impl About {
    /// The description of a user's own rule, of which only the id is known.
    pub const fn new(id: &'static str) -> About {
        About {
            id,
            name: id,
            citation: "",
            memory: Memory::State,
            bounded: "see the column worst_case",
            rule: "",
            law: "solved from its steps",
        }
    }
}

/// The state that an algorithm keeps from one roll to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Memory {
    /// Only the rolls of the current attempt; an attempt succeeds or fails as a whole.
    OneAttempt {
        /// The algorithm's rank among the algorithms with this memory, by the work for one attempt;
        /// rank 1 means the least work.
        effort: u8,
    },
    /// Two numbers, so that a person can use the algorithm with pencil and paper.
    TwoNumbers,
    /// A more complex state.
    State,
}

/// The kind of tasks that an algorithm was made for. Lists name the algorithm only for these tasks;
/// a user can request it by name for others.
///
/// ```
/// use flipcost::algorithms::{FAST_DICE_ROLLER, Purpose, find};
/// assert_eq!(FAST_DICE_ROLLER.purpose(), Purpose::FairDice);
/// // For a fair die it is the fast dice roller: used only if requested by name.
/// assert_eq!(find("knuth-yao")?.purpose(), Purpose::Weights);
/// assert_eq!(find("interval")?.purpose(), Purpose::Both);
/// # Ok::<(), flipcost::algorithms::UnknownAlgorithm>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Purpose {
    /// Fair dice.
    FairDice,
    /// Weights that are not all equal.
    Weights,
    /// Both fair dice and weights.
    Both,
    /// Fair dice from machine words.
    Words,
    /// Fair dice from sources whose probabilities are unknown, or known but not equal.
    UnknownSources,
    /// Fair dice and weights from sources whose probabilities are known but not equal.
    LoadedSources,
    /// No task: the algorithm is used only if requested by name.
    Nothing,
}

impl Purpose {
    /// Whether the algorithm was made for tasks like this one.
    pub(crate) fn lists(self, task: &Task) -> bool {
        let (fair, source) = (task.target().sides().is_some(), task.source());
        match self {
            Purpose::FairDice => fair && source.is_fair(),
            Purpose::Weights => !fair && source.is_fair(),
            Purpose::Both => !source.is_unknown(),
            Purpose::Words => fair && source.is_fair() && source.unit() == RollUnit::Words,
            Purpose::UnknownSources => fair && !source.is_fair(),
            Purpose::LoadedSources => !source.is_fair() && !source.is_unknown(),
            Purpose::Nothing => false,
        }
    }
}
