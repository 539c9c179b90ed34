//! From a rule to its algorithm: the law, the chain and the rolls follow from the steps.

use super::parameters::{self, Arguments, Parameter, ParameterError};
use super::prepared::{Algorithm, AlgorithmError, CHAIN_LIMIT, Prepared, Rolled, Traced};
use super::quantity::{Known, Quantity, TableRequest, Tables, WorkLimit};
use super::rule::{About, Purpose, Rule};
use crate::law::{Chain, CostFormula, Law, OutcomeLaw, Step, TooLarge};
use crate::task::{Refusal, Source, Task};
use flipcost_number::Rational;
use num_traits::ToPrimitive;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// The algorithm of a rule, as the registry holds its own: the law, the rolls and every column
/// follow from the rule.
///
/// ```
/// use flipcost::algorithms::{self, About, Memory, Rule};
/// use flipcost::law::Step;
/// use flipcost::prelude::*;
/// use flipcost::task::Refusal;
///
/// /// A d4 from two flips.
/// struct TwoFlips;
///
/// impl Rule for TwoFlips {
///     const ABOUT: About = About {
///         id: "two-flips",
///         name: "Two flips",
///         citation: "folklore",
///         memory: Memory::State,
///         bounded: "always",
///         rule: "flip twice and read the flips as a binary number",
///         law: "always two flips: E = 2",
///     };
///     type State = String; // the flips so far
///
///     fn new(task: &Task) -> Result<Self, Refusal> {
///         if *task == Task::dice(2u8, 4u8).expect("dice") {
///             Ok(TwoFlips)
///         } else {
///             Err(Refusal::Rule("two flips make a d4 from a coin only".into()))
///         }
///     }
///
///     fn start(&self) -> Step<String> {
///         Step::Roll(String::new())
///     }
///
///     fn step(&self, flips: &String, face: u64) -> Step<String> {
///         let flips = format!("{flips}{face}");
///         match flips.len() {
///             2 => Step::Output(u8::from_str_radix(&flips, 2).expect("two flips").into()),
///             _ => Step::Roll(flips),
///         }
///     }
/// }
///
/// let law = algorithms::from_rule::<TwoFlips>().law(&Task::dice(2u8, 4u8)?)?;
/// assert_eq!(law.mean(), Rational::from_integer(2.into())); // flips
/// assert_eq!(law.worst_case(), Some(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub const fn from_rule<A: Rule>() -> &'static dyn Algorithm {
    const { &RuleEntry::<A>::NEW }
}

pub(super) struct RuleEntry<A> {
    about: &'static About,
    arguments: Arguments,
    rule: std::marker::PhantomData<fn() -> A>,
}

impl<A: Rule> RuleEntry<A> {
    pub(super) const NEW: Self = RuleEntry {
        about: &A::ABOUT,
        arguments: Arguments::NONE,
        rule: std::marker::PhantomData,
    };
}

impl<A: Rule> RuleEntry<A> {
    /// The rule for a task, of a source that may be unknown.
    fn instance(&self, task: &Task) -> Result<Instance<A>, Refusal> {
        let algorithm = if self.arguments == Arguments::NONE {
            A::new(task)?
        } else {
            A::with(task, &self.arguments)?
        };
        Instance::new(algorithm, task)
    }
}

/// An algorithm that is bound to a task, and the sizes that limit its chain.
pub struct Instance<A> {
    pub(super) algorithm: A,
    pub(super) size: ChainLimits,
}

/// What a chain of a task is limited by.
pub(crate) struct ChainLimits {
    pub(super) source: Source,
    /// The faces of the source, at most the largest number.
    pub(super) faces: u128,
    /// How many outcomes the target has; `None` for 2^64 or more.
    pub(super) outcomes: Option<u64>,
    /// Of the numbers in a state.
    pub(super) words: usize,
}

impl ChainLimits {
    fn from_task(task: &Task) -> Result<ChainLimits, Refusal> {
        let source = task.source().clone();
        // of a wider word no chain is explored
        let faces = source.sides().to_u128().unwrap_or(u128::MAX);
        Ok(ChainLimits {
            source,
            faces,
            outcomes: task.target().outcomes().to_u64(),
            words: (task.target().weight_sum().bits() / 64 + 1) as usize,
        })
    }

    /// The limit of an exploration, once each transition leads to an outcome and a state holds a
    /// few numbers as long as the target's: what has too many is known before a state is made.
    fn limit(&self, limit: usize) -> Result<usize, TooLarge> {
        let limit = limit / self.words;
        if self
            .outcomes
            .is_some_and(|outcomes| outcomes <= limit as u64)
        {
            Ok(limit)
        } else {
            Err(TooLarge { limit })
        }
    }
}

impl<A: Rule> Algorithm for RuleEntry<A> {
    fn about(&self) -> &'static About {
        self.about
    }

    fn purpose(&self) -> Purpose {
        A::PURPOSE
    }

    fn parameters(&self) -> &'static [Parameter] {
        A::PARAMETERS
    }

    fn with(&self, text: &str) -> Result<&'static dyn Algorithm, ParameterError> {
        let (spelled, values) = parameters::read(A::ABOUT.id, A::PARAMETERS, text)?;
        Ok(made_once(spelled, &|id| {
            Box::leak(Box::new(RuleEntry::<A> {
                about: Box::leak(Box::new(About { id, ..A::ABOUT })),
                arguments: Arguments::leak(values.clone()),
                rule: std::marker::PhantomData,
            }))
        }))
    }

    fn prepare(&self, task: &Task) -> Result<Box<dyn Prepared>, Refusal> {
        let instance = self.instance(task)?;
        if task.source().is_unknown() {
            Err(Refusal::UnknownSource(task.source().clone()))
        } else {
            Ok(Box::new(instance))
        }
    }

    fn prepare_to_play(&self, task: &Task) -> Result<Box<dyn Prepared>, Refusal> {
        Ok(Box::new(self.instance(task)?))
    }

    fn of_unknown(&'static self, task: &Task) -> Result<&'static dyn Algorithm, Refusal> {
        let Some(settled) = self.instance(task)?.algorithm.settled() else {
            return Ok(self);
        };
        let (spelled, values) = parameters::read(A::ABOUT.id, A::PARAMETERS, &settled)
            .unwrap_or_else(|error| unreachable!("a rule settles its own parameters: {error}"));
        // by the name that it was asked for
        Ok(made_once(
            format!("{} as {spelled}", self.about.id),
            &|_| {
                Box::leak(Box::new(RuleEntry::<A> {
                    about: self.about,
                    arguments: Arguments::leak(values.clone()),
                    rule: std::marker::PhantomData,
                }))
            },
        ))
    }

    fn formula(&self, task: &Task, limit: usize) -> Result<CostFormula, AlgorithmError> {
        let instance = self.instance(task)?;
        if let Some(formula) = instance.algorithm.formula() {
            return Ok(formula);
        }
        let (chain, _) = instance.explore(limit)?;
        Ok(formula(&chain).ok_or(TooLarge { limit })?)
    }

    fn pseudocode(&self) -> &'static [&'static str] {
        A::PSEUDOCODE
    }

    fn quantities(&self) -> &'static [Quantity] {
        A::QUANTITIES
    }

    fn tables(&self, source: u64, last: u64, wanted: &[TableRequest]) -> Option<Box<dyn Tables>> {
        A::tables(source, last, wanted)
    }
}

/// The algorithm that is spelled so, arguments and all; it is made the first time.
fn made_once(
    spelled: String,
    make: &dyn Fn(&'static str) -> &'static dyn Algorithm,
) -> &'static dyn Algorithm {
    static MADE: Mutex<BTreeMap<String, &'static dyn Algorithm>> = Mutex::new(BTreeMap::new());
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    *made
        .entry(spelled)
        .or_insert_with_key(|spelled| make(spelled.clone().leak()))
}

/// The expected rolls of a chain, of a source that is unknown.
fn formula(chain: &Chain) -> Option<CostFormula> {
    Some(CostFormula::Rational(chain.of_unknown_source()?.mean()))
}

/// Transitions of a chain that hardly ever ends, at most.
const ENDLESS: usize = 1 << 13;

impl<A: Rule> Instance<A> {
    /// A rule that was made for this task.
    pub fn new(algorithm: A, task: &Task) -> Result<Instance<A>, Refusal> {
        Ok(Instance {
            algorithm,
            size: ChainLimits::from_task(task)?,
        })
    }

    fn sides(&self, state: &A::State) -> u128 {
        self.algorithm
            .sides(state)
            .map_or(self.size.faces, u128::from)
    }

    fn explore(&self, limit: usize) -> Result<(Chain, Vec<A::State>), TooLarge> {
        let rule = &self.algorithm;
        let (chain, states) = Chain::explore(
            rule.start(),
            self.size.limit(limit)?,
            // 2^64 faces are as much beyond every limit
            |s| u64::try_from(self.sides(s)).unwrap_or(u64::MAX),
            |s, face| rule.step(s, face),
        )?;
        Ok((chain.loaded(&self.size.source), states))
    }
}

impl<A: Rule> Prepared for Instance<A> {
    fn law(&self) -> Result<Law, TooLarge> {
        match self.algorithm.law() {
            Some(law) => Ok(law),
            None => Ok(self.explore(CHAIN_LIMIT)?.0.into()),
        }
    }

    fn closed_law(&self) -> Option<Law> {
        self.algorithm.law()
    }

    fn outcomes(&self) -> Option<OutcomeLaw> {
        self.algorithm.outcomes()
    }

    fn bits_used(&self) -> Option<Rational> {
        self.algorithm.bits_used()
    }

    fn chain(&self, limit: usize) -> Result<(Chain, Vec<String>), TooLarge> {
        // One whose law is an infinite sum or product has no end but in special cases, which are small.
        let limit = match self.algorithm.law() {
            Some(law) if !law.has_fraction() => limit.min(ENDLESS),
            _ => limit,
        };
        let (chain, states) = self.explore(limit)?;
        Ok((
            chain,
            states.iter().map(|state| state.to_string()).collect(),
        ))
    }

    fn quantity(&self, quantity: Quantity, limit: WorkLimit) -> Known {
        self.algorithm.quantity(quantity, limit)
    }

    fn play(
        &self,
        roll: &mut dyn FnMut(u128) -> Option<u64>,
        mut trace: Option<&mut dyn FnMut(Traced)>,
    ) -> Option<Rolled> {
        let mut now = self.algorithm.start();
        let mut rolls = 0;
        loop {
            let state = match now {
                Step::Output(outcome) => return Some(Rolled { outcome, rolls }),
                Step::Roll(state) => state,
            };
            let sides = self.sides(&state);
            let face = roll(sides)?;
            rolls += 1;
            now = self.algorithm.step(&state, face);
            if let Some(trace) = trace.as_mut() {
                let after = match &now {
                    Step::Roll(next) => Some(next.to_string()),
                    Step::Output(_) => None,
                };
                trace(Traced {
                    sides,
                    face,
                    before: state.to_string(),
                    after,
                });
            }
        }
    }
}
