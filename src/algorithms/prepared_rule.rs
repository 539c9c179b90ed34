//! Turns a rule into an algorithm: the law, the law of the outcomes, the chain and the rolls are
//! all derived from the steps of the rule.

use super::about::{About, Purpose};
use super::faces::Faces;
use super::fairness::Fairness;
use super::prepared::{Algorithm, AlgorithmError, CHAIN_LIMIT, Prepared, Rolled, Traced, endless};
use super::sampler::Sampler;
use crate::law::{Chain, Law, Step, TooLarge};
use crate::task::{Refusal, Task};
use flipcost_number::BigUint;
use flipcost_number::budget::spend;
use num_traits::{ToPrimitive, Zero};
use std::cell::Cell;
use std::fmt::Debug;
use std::hash::Hash;
use std::sync::{Arc, OnceLock};

/// A rule that consumes one source roll at a time. The rule is a struct whose fields are its
/// parameters. The law of the number of rolls, the fairness and the results of rolling are derived
/// from its steps.
///
/// ```
/// use flipcost::algorithms::{Faces, Rule};
/// use flipcost::law::Step;
/// use flipcost::task::{Source, Task};
///
/// /// A die of n sides from one of m: roll again while it shows more than n.
/// struct AgainAbove {
///     n: u64,
/// }
///
/// impl Rule for AgainAbove {
///     type State = (); // a single state
///
///     fn start(&self) -> Step<()> {
///         Step::Roll(())
///     }
///
///     fn step(&self, _: &(), face: u64) -> Step<()> {
///         if face < self.n { Step::Output(face.into()) } else { Step::Roll(()) }
///     }
/// }
///
/// let (rule, task) = (AgainAbove { n: 5 }, Task::die(5u8, Source::die(6u8)?)?);
/// assert_eq!(rule.law(&task)?.mean()?.to_string(), "6/5"); // rolls, exactly
/// assert!(rule.check(&task)?.is_fair()); // each outcome has the probability 1/5, exactly
/// let rolled = rule.roll(&task, &mut Faces::from_rolls("6 3"))?;
/// assert_eq!((rolled.outcome, rolled.rolls), (2u8.into(), 2)); // outcomes are counted from 0
/// let sampler = rule.sampler(&task)?; // for many rolls
/// assert_eq!(sampler.sample_words(|| 0b011), 3); // your own random words; this one shows face 3
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Rule: Send + Sync {
    /// The state that the rule keeps between two rolls. Equal states must have the same future,
    /// even if they were reached by different rolls.
    type State: Clone + Debug + Eq + Hash + Send + Sync;

    /// The first step, before any roll.
    fn start(&self) -> Step<Self::State>;

    /// The step after one more roll, which showed `face` (from 0). It may depend only on the state
    /// and the face.
    fn step(&self, state: &Self::State, face: u64) -> Step<Self::State>;

    /// The number of sides of the die that is rolled in this state, at least 1; `None` means that
    /// the source is rolled.
    #[expect(unused_variables, reason = "named for the documentation")]
    fn sides(&self, state: &Self::State) -> Option<u64> {
        None
    }

    /// The text of a state in trees and traces.
    fn state_name(&self, state: &Self::State) -> String {
        format!("{state:?}")
    }

    /// Prepares the rule for a task, as an algorithm does: its chain is explored once, and the law,
    /// the fairness and more are computed from it.
    ///
    /// ```
    /// use flipcost::prelude::*;
    ///
    /// struct Never;
    ///
    /// impl Rule for Never {
    ///     type State = u8;
    ///
    ///     fn start(&self) -> Step<u8> {
    ///         Step::Roll(0)
    ///     }
    ///
    ///     fn step(&self, state: &u8, face: u64) -> Step<u8> {
    ///         match (state, face) {
    ///             (0, 0) => Step::Output(0u8.into()),
    ///             _ => Step::Roll(7), // and never more
    ///         }
    ///     }
    /// }
    ///
    /// let task = Task::die(2, Source::COIN)?;
    /// let prepared = Never.prepare(&task);
    /// assert_eq!(prepared.law().err().unwrap().to_string(), "it may never end: from state 7 no outcome is reached");
    /// assert_eq!(prepared.check()?.ends.to_string(), "1/2"); // the probability of ending
    /// # Ok::<(), flipcost::Error>(())
    /// ```
    fn prepare(&self, task: &Task) -> Box<dyn Prepared + '_>
    where
        Self: Sized,
    {
        Box::new(PreparedRule::new(BorrowedRule(self), task))
    }

    /// Prepares the rule for a task; the result owns the rule.
    fn into_prepared(self, task: &Task) -> Box<dyn Prepared>
    where
        Self: Sized + 'static,
    {
        Box::new(PreparedRule::new(self, task))
    }

    /// Prepares the rule to be rolled many times for a task; see [`Sampler::new`].
    ///
    /// # Errors
    /// As [`Sampler::new`].
    fn sampler(self, task: &Task) -> Result<Sampler, AlgorithmError>
    where
        Self: Sized + 'static,
    {
        Sampler::new(self.into_prepared(task))
    }

    /// Returns the exact law of the number of rolls, solved from the chain of the steps. Cost: see
    /// [`Chain::explore`], up to [`CHAIN_LIMIT`] transitions.
    ///
    /// # Errors
    /// [`AlgorithmError`] if the chain is too large, if it may never end, or if the target does not
    /// have an outcome.
    ///
    /// [`Chain::explore`]: crate::law::Chain::explore
    /// [`CHAIN_LIMIT`]: super::CHAIN_LIMIT
    fn law(&self, task: &Task) -> Result<Law, AlgorithmError>
    where
        Self: Sized,
    {
        self.prepare(task).law()
    }

    /// Compares the exact law of the outcomes with the target. Cost: as [`Rule::law`].
    ///
    /// # Errors
    /// [`AlgorithmError`] if the chain is too large.
    fn check(&self, task: &Task) -> Result<Fairness, AlgorithmError>
    where
        Self: Sized,
    {
        self.prepare(task).check()
    }

    /// Rolls one outcome (from 0), and returns it with the number of rolls.
    ///
    /// # Errors
    /// [`AlgorithmError`] if `faces` fails, or if the rule returns an outcome that the target does
    /// not have.
    fn roll(&self, task: &Task, faces: &mut Faces) -> Result<Rolled, AlgorithmError>
    where
        Self: Sized,
    {
        self.prepare(task).roll(faces)
    }
}

/// Makes an algorithm from a rule. It can be used like an algorithm of the registry: its law, its
/// fairness, its rolls and every column are derived from its steps. `make` creates the rule for a
/// task, or refuses the task.
///
/// ```
/// use flipcost::algorithms::{About, Rule, algorithm_from_rule};
/// use flipcost::law::Step;
/// use flipcost::table::Costs;
/// use flipcost::task::{Source, Task};
///
/// /// A roll of the source modulo n: biased unless n divides m.
/// struct Modulo {
///     n: u64,
/// }
///
/// impl Rule for Modulo {
///     type State = ();
///
///     fn start(&self) -> Step<()> {
///         Step::Roll(())
///     }
///
///     fn step(&self, _: &(), face: u64) -> Step<()> {
///         Step::Output((face % self.n).into())
///     }
/// }
///
/// let algorithm = algorithm_from_rule(About::new("modulo"), |_| Ok(Modulo { n: 4 }));
/// let costs = Costs::new(&*algorithm, &Task::die(4u8, Source::die(6u8)?)?)?;
/// assert_eq!(costs.mean().to_string(), "1");
/// assert_eq!(costs.bias().unwrap().total_variation().to_string(), "1/6");
/// assert_eq!(costs.entropy().decimals(4)?, "0.7421"); // of its outcomes, in rolls
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn algorithm_from_rule<R: Rule + 'static>(
    about: About,
    make: impl Fn(&Task) -> Result<R, Refusal> + Send + Sync + 'static,
) -> Box<dyn Algorithm> {
    Box::new(RuleAlgorithm { about, make })
}

struct RuleAlgorithm<F> {
    about: About,
    make: F,
}

// The algorithm has no state, so a panic in `make` cannot leave it in an inconsistent state.
impl<F> std::panic::RefUnwindSafe for RuleAlgorithm<F> {}

impl<R, F> Algorithm for RuleAlgorithm<F>
where
    R: Rule + 'static,
    F: Fn(&Task) -> Result<R, Refusal> + Send + Sync + 'static,
{
    fn about(&self) -> &About {
        &self.about
    }

    fn purpose(&self) -> Purpose {
        Purpose::Nothing
    }

    fn prepare(&self, task: &Task) -> Result<Box<dyn Prepared>, Refusal> {
        if task.source().is_unknown() {
            return Err(Refusal::UnknownSource(task.source().clone()));
        }
        self.prepare_to_play(task)
    }

    fn prepare_to_play(&self, task: &Task) -> Result<Box<dyn Prepared>, Refusal> {
        Ok(Box::new(PreparedRule::new((self.make)(task)?, task)))
    }

    fn of_unknown(&'static self, _: &Task) -> Result<&'static dyn Algorithm, Refusal> {
        Ok(self)
    }
}

/// A rule that is prepared for a task. Its chain is explored once.
pub(super) struct PreparedRule<R> {
    rule: R,
    task: Task,
    /// The number of faces of the source; a number above the largest integer is replaced by that
    /// integer.
    faces: u128,
    explored: OnceLock<Result<ExploredRule, AlgorithmError>>,
}

/// A borrowed rule.
struct BorrowedRule<'a, R>(&'a R);

impl<R: Rule> Rule for BorrowedRule<'_, R> {
    type State = R::State;

    fn start(&self) -> Step<R::State> {
        self.0.start()
    }

    fn step(&self, state: &R::State, face: u64) -> Step<R::State> {
        self.0.step(state, face)
    }

    fn sides(&self, state: &R::State) -> Option<u64> {
        self.0.sides(state)
    }

    fn state_name(&self, state: &R::State) -> String {
        self.0.state_name(state)
    }
}

/// The chain of a rule, and the error if the rule is faulty.
struct ExploredRule {
    chain: Arc<Chain>,
    fault: Option<AlgorithmError>,
}

impl<R: Rule> PreparedRule<R> {
    /// Prepares a rule for this task.
    pub(super) fn new(rule: R, task: &Task) -> PreparedRule<R> {
        PreparedRule {
            rule,
            task: task.clone(),
            // A source with more faces has no chain that is explored.
            faces: task.source().sides().to_u128().unwrap_or(u128::MAX),
            explored: OnceLock::new(),
        }
    }

    /// The rule.
    pub(super) fn rule(&self) -> &R {
        &self.rule
    }

    /// Lowers the limit of the exploration for a target with long weights: the worst case is that
    /// each transition leads to a different outcome, and each state contains a few numbers as long
    /// as the weights. A target that is too large is refused before any state is created.
    fn limit_for_target(&self, limit: usize) -> Result<usize, TooLarge> {
        let target = self.task.target();
        let words = (target.weight_sum().bits() / 64 + 1) as usize;
        let limit = limit / words;
        if target.outcomes() <= limit.into() {
            Ok(limit)
        } else {
            Err(TooLarge { limit })
        }
    }

    /// Refuses a rule that rolls its own dice if the source is not fair, because rolls of its own
    /// dice could not be distinguished from rolls of the source.
    fn check_own_dice(&self) -> Result<(), AlgorithmError> {
        if self.task.source().is_fair() {
            Ok(())
        } else {
            Err(Refusal::LoadedSource(self.task.source().clone()).into())
        }
    }

    pub(super) fn explore(&self, limit: usize) -> Result<(Chain, Vec<R::State>), AlgorithmError> {
        let own_dice = Cell::new(false);
        let (chain, states) = Chain::explore(
            self.rule.start(),
            self.limit_for_target(limit)?,
            |state| match self.rule.sides(state) {
                Some(sides) => {
                    own_dice.set(true);
                    sides
                }
                // 2^64 faces exceed every limit of transitions.
                None => u64::try_from(self.faces).unwrap_or(u64::MAX),
            },
            |state, face| self.rule.step(state, face),
        )?;
        if own_dice.get() {
            self.check_own_dice()?;
        }
        Ok((chain.loaded(self.task.source()), states))
    }

    fn explored(&self) -> Result<&ExploredRule, AlgorithmError> {
        let explore = || {
            if self.task.source().is_unknown() {
                return Err(Refusal::UnknownSource(self.task.source().clone()).into());
            }
            let (chain, states) = self.explore(CHAIN_LIMIT)?;
            let name = |state: usize| self.rule.state_name(&states[state]);
            let target = self.task.target();
            let outside = |outcome: &&BigUint| target.probability(outcome).is_zero();
            let outside = chain.outcomes().iter().find(outside);
            let fault = endless(&chain, name)
                .or_else(|| outside.map(|outcome| AlgorithmError::Outside(outcome.clone())));
            Ok(ExploredRule {
                chain: chain.into(),
                fault,
            })
        };
        let explored = self.explored.get_or_init(explore);
        explored.as_ref().map_err(Clone::clone)
    }
}

impl<R: Rule> Prepared for PreparedRule<R> {
    fn task(&self) -> &Task {
        &self.task
    }

    fn law(&self) -> Result<Law, AlgorithmError> {
        let explored = self.explored()?;
        match &explored.fault {
            Some(fault) => Err(fault.clone()),
            None => Ok(Law::shared(explored.chain.clone())),
        }
    }

    fn check(&self) -> Result<Fairness, AlgorithmError> {
        Ok(Fairness::new(&self.explored()?.chain, self.task.target()))
    }

    fn chain(&self, limit: usize) -> Result<(Chain, Vec<String>), AlgorithmError> {
        let (chain, states) = self.explore(limit)?;
        let names = states.iter().map(|state| self.rule.state_name(state));
        Ok((chain, names.collect()))
    }

    fn play(
        &self,
        roll: &mut dyn FnMut(u128) -> Option<u64>,
        mut trace: Option<&mut dyn FnMut(Traced)>,
    ) -> Result<Option<Rolled>, AlgorithmError> {
        let mut now = self.rule.start();
        let mut rolls = 0;
        loop {
            let state = match now {
                Step::Roll(state) => state,
                Step::Output(outcome) if self.task.target().has(&outcome) => {
                    return Ok(Some(Rolled { outcome, rolls }));
                }
                Step::Output(outcome) => return Err(AlgorithmError::Outside(outcome)),
            };
            spend(10);
            let sides = match self.rule.sides(&state) {
                None => self.faces,
                Some(sides) => {
                    self.check_own_dice()?;
                    sides.into()
                }
            };
            let Some(face) = roll(sides) else {
                return Ok(None);
            };
            if u128::from(face) >= sides {
                return Err(AlgorithmError::Face { face, sides });
            }
            rolls += 1;
            now = self.rule.step(&state, face);
            if let Some(trace) = trace.as_mut() {
                let after = match &now {
                    Step::Roll(next) => Some(self.rule.state_name(next)),
                    Step::Output(_) => None,
                };
                trace(Traced {
                    sides,
                    face,
                    before: self.rule.state_name(&state),
                    after,
                });
            }
        }
    }
}

#[cfg(test)]
mod tests;
