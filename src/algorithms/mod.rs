//! The algorithms: one file each, and the registry that everything else reads.
//!
//! A [`Rule`] consumes one source roll at a time: its `start` and its `step`.
//! The rest follows from them. For speed it may also state its `law`, the closed form; the shared
//! test `every_law_is_the_law_of_its_step` proves every law against its step.

mod aldr;
mod alias;
mod attempt;
mod base_conversion;
mod base_conversion_early;
mod bitmask_words;
mod block;
pub(crate) mod bounded;
mod canon;
mod cumulative;
mod ddg;
pub(crate) mod faces;
pub(crate) mod factoring;
pub(crate) mod fast_dice_roller;
mod fldr;
mod interval;
mod knuth_yao;
pub(crate) mod largest_toll;
mod lemire;
pub mod libraries;
pub(crate) mod literature;
mod mask_reject;
mod modulo_reject;
mod parameters;
mod parity_bits;
mod program;
pub(crate) mod quantity;
mod rejection;
mod rejection_ceil;
mod rejection_uniform;
pub(crate) mod simulate;
pub(crate) mod table;
pub(crate) mod tree;

pub use faces::Faces;
pub(crate) use fast_dice_roller::{Extract, FastDiceRoller, Uniform};
pub use parameters::{Arguments, Parameter, ParameterError};
pub use program::Program;
pub(crate) use quantity::{Known, Tables, Value, Values, Wanted, WorkLimit};
pub use quantity::{NotKnown, Quantity};

use crate::law::{Chain, Law, Next, OutcomeLaw, TooLarge};
use crate::number::{BigUint, Rational};
use crate::task::{Refusal, Task, Unit};
use num_traits::ToPrimitive;
use std::fmt::Display;
use std::hash::Hash;

pub(crate) use crate::law::Step;

/// The registry: one line per algorithm, in the order in which they are listed everywhere.
pub static REGISTRY: &[&dyn Algorithm] = &[
    FAST_DICE_ROLLER,
    from_rule::<rejection::Rejection>(),
    from_rule::<rejection_ceil::RejectionCeil>(),
    from_rule::<interval::Interval>(),
    from_rule::<base_conversion::BaseConversion>(),
    from_rule::<base_conversion_early::BaseConversionEarly>(),
    from_rule::<parity_bits::ParityBits>(),
    from_rule::<bounded::Bounded>(),
    from_rule::<factoring::Factoring>(),
    from_rule::<knuth_yao::KnuthYao>(),
    from_rule::<fldr::Fldr>(),
    from_rule::<aldr::Aldr>(),
    from_rule::<alias::Alias>(),
    from_rule::<rejection_uniform::RejectionUniform>(),
    from_rule::<lemire::Lemire>(),
    from_rule::<modulo_reject::ModuloReject>(),
    from_rule::<mask_reject::MaskReject>(),
    from_rule::<bitmask_words::BitmaskWords>(),
    from_rule::<canon::Canon>(),
];

/// The fast dice roller, the cheapest for one target.
///
/// ```
/// use flipcost::algorithms::FAST_DICE_ROLLER;
/// use flipcost::task::Task;
/// let law = FAST_DICE_ROLLER.law(&Task::dice(2u8, 6u8)?)?;
/// assert_eq!(law.mean().to_string(), "11/3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub static FAST_DICE_ROLLER: &dyn Algorithm = from_rule::<FastDiceRoller>();

/// No algorithm has this id.
///
/// ```
/// use flipcost::algorithms::find;
/// let unknown = find("fast-dice-rolled").err().unwrap().to_string();
/// assert!(unknown.starts_with("\"fast-dice-rolled\" is not an algorithm: choose one of fast-dice-roller"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnknownAlgorithm {
    /// The registry does not hold it.
    #[error("\"{0}\" is not an algorithm: choose one of {ids}, or a function of a library", ids = ids().join(", "))]
    Id(String),
    /// It is a policy for a stream of targets (see [`crate::streams`]).
    #[error("{0} is a policy for a stream of targets, not an algorithm for one: batches take it")]
    Policy(&'static str),
    /// There is such an algorithm, but what stands after its id are not its parameters.
    #[error(transparent)]
    Parameters(#[from] ParameterError),
}

/// Policies for streams, by the names under which they might be looked for here.
pub const POLICIES: [&str; 1] = ["recycling"];

/// Short forms of ids, as people write them.
pub const SHORT_IDS: [(&str, &str); 2] = [("fdr", "fast-dice-roller"), ("ky", "knuth-yao")];

/// The ids, in the order of the registry.
pub fn ids() -> Vec<&'static str> {
    REGISTRY.iter().map(|method| method.about().id).collect()
}

/// The algorithms that are listed for a task unless others are named, in the order of the
/// registry: those that were made for fair dice, for weights, or for words.
///
/// ```
/// use flipcost::algorithms::listed;
/// use flipcost::task::{Source, Target, Task};
/// let ids = |source, target: Target| -> Vec<&str> {
///     let task = Task::new(source, target);
///     listed(&task).into_iter().map(|algorithm| algorithm.about().id).collect()
/// };
/// let loaded = ids(Source::COIN, Target::weighted([1u8, 2, 3])?);
/// assert_eq!(loaded, ["interval", "knuth-yao", "fldr", "aldr", "alias", "rejection-uniform"]);
/// let fair = Target::uniform(6u8)?;
/// let flips = ids(Source::COIN, fair.clone());
/// assert!(!flips.contains(&"knuth-yao") && !flips.contains(&"lemire")); // but they can be asked for
/// assert!(ids(Source::word(64).unwrap(), fair).contains(&"lemire"));
/// # Ok::<(), flipcost::task::TargetError>(())
/// ```
pub fn listed(task: &Task) -> Vec<&'static dyn Algorithm> {
    let made = |algorithm: &&'static dyn Algorithm| algorithm.made_for().lists(task);
    REGISTRY.iter().copied().filter(made).collect()
}

/// The algorithm with this id, as a person types it, perhaps with parameters: `aldr:K=11`; or a
/// function of a library ([`libraries`]).
///
/// # Errors
/// [`UnknownAlgorithm`], whose sentence names the ids that there are, or the command for a policy.
pub fn find(id: &str) -> Result<&'static dyn Algorithm, UnknownAlgorithm> {
    let named = |id: &str| REGISTRY.iter().find(|method| method.about().id == id);
    if let Some((base, parameters)) = id.split_once(':')
        && let Some(algorithm) = named(base)
    {
        return Ok(algorithm.with(parameters)?);
    }
    let short = SHORT_IDS.into_iter().find(|(short, _)| *short == id);
    let id = short.map_or(id, |(_, id)| id);
    let found = named(id).copied().or_else(|| libraries::find(id));
    found.ok_or_else(|| match POLICIES.into_iter().find(|policy| *policy == id) {
        Some(policy) => UnknownAlgorithm::Policy(policy),
        None => UnknownAlgorithm::Id(id.to_string()),
    })
}

/// The description of an algorithm, for every list.
///
/// ```
/// use flipcost::algorithms::find;
/// let about = find("interval")?.about();
/// assert_eq!((about.name, about.citation), ("Interval algorithm", "Han & Hoshi 1997"));
/// # Ok::<(), flipcost::algorithms::UnknownAlgorithm>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct About {
    /// The id, as it is written on the command line and in queries.
    pub id: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Where it was published.
    pub citation: &'static str,
    /// For which dice the number of rolls is bounded.
    pub bounded: &'static str,
    /// How it works, in one sentence.
    pub rule: &'static str,
    /// The law of T and its mean E, as formulas of the sides m of the source and n of the target.
    pub law: &'static str,
}

/// The tasks that an algorithm was made for. For them it is listed; it may work for others too,
/// where it is asked for by name.
///
/// ```
/// use flipcost::algorithms::{FAST_DICE_ROLLER, MadeFor, find};
/// assert_eq!(FAST_DICE_ROLLER.made_for(), MadeFor::FairDice);
/// // For a fair die it is the fast dice roller: asked for by name only.
/// assert_eq!(find("knuth-yao")?.made_for(), MadeFor::Weights);
/// assert_eq!(find("interval")?.made_for(), MadeFor::Both);
/// # Ok::<(), flipcost::algorithms::UnknownAlgorithm>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MadeFor {
    /// Fair dice.
    FairDice,
    /// Weights that are not all equal.
    Weights,
    /// Fair dice and weights alike.
    Both,
    /// Fair dice from machine words.
    Words,
    /// Nothing that it would be listed for: it is asked for by name only.
    Nothing,
}

impl MadeFor {
    /// Was it made for such a task?
    pub fn lists(self, task: &Task) -> bool {
        let fair = task.target().sides().is_some();
        match self {
            MadeFor::FairDice => fair,
            MadeFor::Weights => !fair,
            MadeFor::Both => true,
            MadeFor::Words => fair && task.source().unit() == Unit::Words,
            MadeFor::Nothing => false,
        }
    }

    /// Are fair dice among what it makes? (All others are made for weights alone.)
    pub fn makes_fair_dice(self) -> bool {
        self != MadeFor::Weights
    }

    /// Are weights among what it makes?
    pub fn makes_weights(self) -> bool {
        matches!(self, MadeFor::Weights | MadeFor::Both)
    }
}

/// A rule that consumes one source roll at a time, for given dice.
///
/// ```
/// use flipcost::algorithms::{About, Rule, from_rule};
/// use flipcost::law::Step;
/// use flipcost::task::{Refusal, Task};
///
/// /// A d5 from a d6: roll again while it shows 6.
/// struct AgainOnSix;
///
/// impl Rule for AgainOnSix {
///     const ABOUT: About = About {
///         id: "again-on-six",
///         name: "Again on six",
///         citation: "folklore",
///         bounded: "never",
///         rule: "Roll a d6 until it does not show 6.",
///         law: "P(T > t) = 1/6^t, E = 6/5",
///     };
///     type State = u8; // one state only
///
///     fn new(_: &Task) -> Result<Self, Refusal> {
///         Ok(AgainOnSix)
///     }
///     fn start(&self) -> Step<u8> {
///         Step::Roll(0)
///     }
///     fn step(&self, _: &u8, face: u64) -> Step<u8> {
///         if face < 5 { Step::Output(face.into()) } else { Step::Roll(0) }
///     }
/// }
///
/// let law = from_rule::<AgainOnSix>().law(&Task::dice(6u8, 5u8)?)?;
/// assert_eq!(law.mean().to_string(), "6/5");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Rule: Sized + Send + Sync + 'static {
    /// Its description, for every list.
    const ABOUT: About;

    /// The targets that it was made for.
    const MADE_FOR: MadeFor = MadeFor::FairDice;

    /// The parameters that may stand after its id.
    const PARAMETERS: &'static [Parameter] = &[];

    /// A canonical state: two nodes of the decision tree with the same future are one state.
    type State: Clone + Eq + Hash + Display + Send + Sync;

    /// The algorithm for these dice.
    ///
    /// # Errors
    /// [`Refusal`] if it does not work on this task.
    fn new(dice: &Task) -> Result<Self, Refusal>;

    /// The algorithm for these dice with values of its parameters, those in
    /// [`Rule::PARAMETERS`].
    ///
    /// # Errors
    /// As [`Rule::new`].
    fn with(dice: &Task, _arguments: &Arguments) -> Result<Self, Refusal> {
        Self::new(dice)
    }

    /// Before any roll.
    fn start(&self) -> Step<Self::State>;

    /// After one more roll, which showed `face` (from 0).
    fn step(&self, state: &Self::State, face: u64) -> Step<Self::State>;

    /// The sides of the die that is rolled in this state; `None`: the source.
    fn sides(&self, _state: &Self::State) -> Option<u64> {
        None
    }

    /// The closed form of the law of T, where there is one.
    fn law(&self) -> Option<Law> {
        None
    }

    /// The law of the outcomes, where it is not that of the target: the rule is biased.
    fn outcomes(&self) -> Option<OutcomeLaw> {
        None
    }

    /// The bits of the source that it looks at on average, where they are fewer than those of the
    /// words that it draws.
    fn bits_used(&self) -> Option<Rational> {
        None
    }

    /// Pseudocode, line by line, for a source of m sides and a target of n; empty if there is none.
    /// `roll()` is a face from 0 to m - 1.
    const PSEUDOCODE: &'static [&'static str] = &[];

    /// Programs in other languages for its moments, for entries of the OEIS.
    const PROGRAM: Option<Program> = None;

    /// The quantities that it offers.
    const QUANTITIES: &'static [Quantity] = &[];

    /// One of them, for these dice.
    ///
    /// # Errors
    /// [`NotKnown`], which says why it has no answer.
    fn quantity(&self, _quantity: Quantity, _limit: WorkLimit) -> Known {
        Err(NotKnown::NotOffered)
    }

    /// Tables for a source of `_source` sides and all targets up to `_last`, where they are faster
    /// than one target at a time; `_wanted` lists what they will be used for.
    fn tables(_source: u64, _last: u64, _wanted: &[Wanted]) -> Option<Box<dyn Tables>> {
        None
    }
}

/// An algorithm without its type: what the registry holds.
///
/// ```
/// use flipcost::algorithms::REGISTRY;
/// use flipcost::task::Task;
/// // The mean number of flips for a d5, by each algorithm that can roll it with a coin.
/// let task = Task::dice(2u8, 5u8)?;
/// let laws = REGISTRY.iter().filter_map(|algorithm| algorithm.law(&task).ok());
/// let means: Vec<String> = laws.map(|law| law.mean().to_string()).collect();
/// assert_eq!(means[0], "18/5"); // the fast dice roller comes first
/// # Ok::<(), flipcost::task::TaskError>(())
/// ```
pub trait Algorithm: Sync {
    /// Its description, for every list.
    fn about(&self) -> &'static About;
    /// The algorithm for these dice.
    ///
    /// # Errors
    /// [`Refusal`] if it does not work on this task.
    fn prepare(&self, dice: &Task) -> Result<Box<dyn Prepared>, Refusal>;
    /// The targets that it was made for.
    fn made_for(&self) -> MadeFor {
        MadeFor::FairDice
    }
    /// The parameters that may stand after its id, as in `aldr:K=11`.
    fn parameters(&self) -> &'static [Parameter] {
        &[]
    }
    /// The algorithm with values of its parameters, as they are written after the id: `K=11`. It is
    /// made once and kept.
    ///
    /// # Errors
    /// [`ParameterError`] if it has no such parameters, or they no such values.
    fn with(&self, _parameters: &str) -> Result<&'static dyn Algorithm, ParameterError> {
        Err(ParameterError::None(self.about().id))
    }
    /// See [`Rule::PSEUDOCODE`].
    fn pseudocode(&self) -> &'static [&'static str] {
        &[]
    }
    /// See [`Rule::PROGRAM`].
    fn program(&self) -> Option<Program>;
    /// The quantities that it offers.
    fn quantities(&self) -> &'static [Quantity];
    /// See [`Rule::tables`].
    fn tables(&self, source: u64, last: u64, wanted: &[Wanted]) -> Option<Box<dyn Tables>>;
}

/// Why an algorithm has no law for a task, or gave no outcome.
///
/// ```
/// use flipcost::algorithms::{AlgorithmError, find};
/// use flipcost::task::Task;
/// let bounded = find("bounded").unwrap();
/// let law = bounded.law(&Task::dice(2u8, 3u8).unwrap());
/// assert!(matches!(law, Err(AlgorithmError::Refused(_))));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AlgorithmError {
    /// It does not work on the task.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// It has no closed form, and its chain is too large to be solved.
    #[error("it has no closed form, and {0}")]
    TooLarge(#[from] TooLarge),
    /// The source of faces ran out, or the operating system had no randomness.
    #[error("the rolls ran out before an outcome was decided")]
    NoRolls,
}

impl dyn Algorithm + '_ {
    /// The exact law of the number of rolls for a task. Cost: none for a closed form, else that of
    /// exploring the chain, up to [`CHAIN_LIMIT`] transitions.
    ///
    /// # Errors
    /// [`AlgorithmError`] if the task is refused, or the chain is too large.
    pub fn law(&self, task: &Task) -> Result<Law, AlgorithmError> {
        Ok(self.prepare(task)?.law()?)
    }

    /// One outcome (from 0) and the rolls that it took.
    ///
    /// # Errors
    /// [`AlgorithmError`] if the task is refused, or `faces` fails.
    pub fn roll(&self, task: &Task, faces: &mut Faces) -> Result<Rolled, AlgorithmError> {
        let prepared = self.prepare(task)?;
        let rolled = prepared.play(&mut |sides| faces.roll(sides), None);
        rolled.ok_or(AlgorithmError::NoRolls)
    }
}

/// One roll of a sampler, as it is traced.
///
/// ```
/// use flipcost::algorithms::{FAST_DICE_ROLLER, Traced};
/// use flipcost::task::Task;
/// let prepared = FAST_DICE_ROLLER.prepare(&Task::dice(2u8, 2u8).unwrap()).unwrap();
/// let mut steps: Vec<Traced> = Vec::new();
/// prepared.play(&mut |_sides| Some(1), Some(&mut |step| steps.push(step))).unwrap();
/// assert_eq!((steps.len(), steps[0].sides, steps[0].face), (1, 2, 1));
/// assert_eq!(steps[0].after, None); // that flip decided
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Traced {
    /// The die that was rolled.
    pub sides: u128,
    /// The face that it showed, from 0.
    pub face: u64,
    /// The state before the roll, in the algorithm's own terms.
    pub before: String,
    /// The state after it, or `None` with an output.
    pub after: Option<String>,
}

/// What a sampler returns: the outcome (from 0) and the rolls used.
///
/// ```
/// use flipcost::algorithms::{FAST_DICE_ROLLER, Faces};
/// use flipcost::task::Task;
/// let task = Task::dice(2u8, 8u8)?;
/// let rolled = FAST_DICE_ROLLER.roll(&task, &mut Faces::seeded(1))?;
/// assert!(rolled.outcome < 8u8.into());
/// assert_eq!(rolled.rolls, 3); // a d8 always takes three flips
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rolled {
    /// The face of the target, from 0.
    pub outcome: BigUint,
    /// Source rolls used.
    pub rolls: u64,
}

/// An algorithm that is bound to its dice.
///
/// ```
/// use flipcost::algorithms::FAST_DICE_ROLLER;
/// use flipcost::task::Task;
/// let prepared = FAST_DICE_ROLLER.prepare(&Task::dice(2u8, 6u8)?)?;
/// let (chain, names) = prepared.chain(1000)?;
/// assert_eq!(chain.mean().to_string(), "11/3");
/// assert_eq!(names.len(), chain.len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Prepared: Send + Sync {
    /// The law of T: the closed form, or the chain solved. Cost: none for a closed form, else as
    /// [`Chain::explore`] with up to [`CHAIN_LIMIT`] transitions.
    ///
    /// # Errors
    /// [`TooLarge`] if there is no closed form and the chain has more than [`CHAIN_LIMIT`]
    /// transitions.
    fn law(&self) -> Result<Law, TooLarge>;
    /// The closed form alone.
    fn closed_law(&self) -> Option<Law>;
    /// See [`Rule::outcomes`].
    fn outcomes(&self) -> Option<OutcomeLaw> {
        None
    }
    /// See [`Rule::bits_used`].
    fn bits_used(&self) -> Option<Rational> {
        None
    }
    /// The absorbing chain of the algorithm, and the names of its states. Cost: as
    /// [`Chain::explore`].
    ///
    /// # Errors
    /// [`TooLarge`] if the chain has more than `limit` transitions.
    fn chain(&self, limit: usize) -> Result<(Chain, Vec<String>), TooLarge>;
    /// See [`Rule::quantity`].
    ///
    /// # Errors
    /// [`NotKnown`], which says why it has no answer.
    fn quantity(&self, quantity: Quantity, limit: WorkLimit) -> Known;
    /// One outcome. `roll(m)` returns a face (from 0) of a die with m sides, or `None` when the
    /// rolls run out, and then there is no outcome; `trace`, if given, gets every roll.
    fn play(
        &self,
        roll: &mut dyn FnMut(u128) -> Option<u64>,
        trace: Option<&mut dyn FnMut(Traced)>,
    ) -> Option<Rolled>;
}

/// The chain of a law without a closed form may have this many transitions.
pub const CHAIN_LIMIT: usize = 20_000_000;

/// The algorithm of a rule, as the registry holds its own: the law, the rolls and every column
/// follow from the rule.
///
/// ```
/// use flipcost::algorithms::{self, About, Rule};
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
///         bounded: "always",
///         rule: "flip twice and read the flips as a binary number",
///         law: "always two flips: E = 2",
///     };
///     type State = String; // the flips so far
///
///     fn new(task: &Task) -> Result<Self, Refusal> {
///         match *task == Task::dice(2u8, 4u8).expect("dice") {
///             true => Ok(TwoFlips),
///             false => Err(Refusal::Rule("two flips make a d4 from a coin only".into())),
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
    const { &Entry::<A>::NEW }
}

struct Entry<A> {
    about: &'static About,
    arguments: Arguments,
    rule: std::marker::PhantomData<fn() -> A>,
}

impl<A: Rule> Entry<A> {
    const NEW: Self = Entry {
        about: &A::ABOUT,
        arguments: Arguments::NONE,
        rule: std::marker::PhantomData,
    };
}

struct Instance<A> {
    algorithm: A,
    source: u128,
    /// How many outcomes the target has; `None` for 2^64 or more.
    outcomes: Option<u64>,
}

impl<A: Rule> Algorithm for Entry<A> {
    fn about(&self) -> &'static About {
        self.about
    }

    fn made_for(&self) -> MadeFor {
        A::MADE_FOR
    }

    fn parameters(&self) -> &'static [Parameter] {
        A::PARAMETERS
    }

    fn with(&self, parameters: &str) -> Result<&'static dyn Algorithm, ParameterError> {
        parameters::with(A::ABOUT.id, A::PARAMETERS, parameters, |id, arguments| {
            Box::leak(Box::new(Entry::<A> {
                about: Box::leak(Box::new(About { id, ..A::ABOUT })),
                arguments,
                rule: std::marker::PhantomData,
            }))
        })
    }

    fn prepare(&self, task: &Task) -> Result<Box<dyn Prepared>, Refusal> {
        let algorithm = match self.arguments == Arguments::NONE {
            true => A::new(task)?,
            false => A::with(task, &self.arguments)?,
        };
        let source = task.words()?;
        let outcomes = task.target().outcomes().to_u64();
        Ok(Box::new(Instance {
            algorithm,
            source,
            outcomes,
        }))
    }

    fn pseudocode(&self) -> &'static [&'static str] {
        A::PSEUDOCODE
    }

    fn program(&self) -> Option<Program> {
        A::PROGRAM
    }

    fn quantities(&self) -> &'static [Quantity] {
        A::QUANTITIES
    }

    fn tables(&self, source: u64, last: u64, wanted: &[Wanted]) -> Option<Box<dyn Tables>> {
        A::tables(source, last, wanted)
    }
}

impl<A: Rule> Instance<A> {
    fn sides(&self, state: &A::State) -> u128 {
        self.algorithm.sides(state).map_or(self.source, u128::from)
    }

    fn explore(&self, limit: usize) -> Result<(Chain, Vec<A::State>), TooLarge> {
        // A transition leads to each outcome: what has too many is known before a state is made,
        // and no state takes more than a few words.
        if self.outcomes.is_none_or(|outcomes| outcomes > limit as u64) {
            return Err(TooLarge { limit });
        }
        let rule = &self.algorithm;
        Chain::explore(
            rule.start(),
            limit,
            // 2^64 faces are as much beyond every limit
            |s| u64::try_from(self.sides(s)).unwrap_or(u64::MAX),
            |s, face| rule.step(s, face),
        )
    }
}

impl<A: Rule> Prepared for Instance<A> {
    fn law(&self) -> Result<Law, TooLarge> {
        match self.algorithm.law() {
            Some(law) => Ok(law),
            None => Ok(Law::Chain(self.explore(CHAIN_LIMIT)?.0.into())),
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

/// A chain as a table of moves, to roll many times: no big numbers, one look-up per roll.
pub(crate) struct Sampler {
    chain: Chain,
}

impl Sampler {
    /// The sampler of a chain of dice, as [`Chain::explore`] makes it; `None` if a state has
    /// weights instead of faces.
    pub fn new(chain: Chain) -> Option<Self> {
        let dice = (0..chain.len() as u32).all(|state| chain.weights(state).is_none());
        dice.then_some(Sampler { chain })
    }

    /// One roll of the target: the outcome's index in [`Chain::outcomes`], and the rolls used.
    pub fn roll(&self, mut face: impl FnMut(u64) -> u64) -> (u32, u64) {
        let (mut at, mut rolls) = (self.chain.start(), 0);
        loop {
            match at {
                Next::Outcome(outcome) => return (outcome, rolls),
                Next::State(state) => {
                    let row = self.chain.branches(state);
                    at = row[face(row.len() as u64) as usize];
                    rolls += 1;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::OutcomeClass;
    use crate::number::BigInt;
    use crate::number::factor::factor;
    use crate::task::{Source, Target};
    use rayon::prelude::*;
    use std::collections::BTreeSet;

    const SOURCES: [u64; 7] = [2, 3, 4, 5, 6, 10, 20];

    /// Is there an algorithm of this id for these dice? Only bounded simulation needs every prime
    /// of n to divide m.
    fn exists(id: &str, m: u64, n: u64) -> bool {
        let primes = factor(n).into_iter().map(|(q, _)| q);
        id != "bounded" || primes.into_iter().all(|q| m.is_multiple_of(q))
    }

    /// The theorem of an algorithm and a task: each outcome has exactly the probability that the
    /// target says (or a biased rule says), and the law's mean, variance, worst case and first 30
    /// survival values are those of the step. `Err` is a refusal.
    fn theorem(method: &dyn Algorithm, task: &Task) -> Result<(), Refusal> {
        let bound = method.prepare(task)?;
        let what = format!("{}: {task}", method.about().id);
        let (chain, names) = bound
            .chain(CHAIN_LIMIT)
            .unwrap_or_else(|e| panic!("{what}: {e}"));
        assert_eq!(names.len(), chain.len());
        let target = task.target();
        let sum = BigInt::from(target.weight_sum().clone());
        let classes = target
            .groups()
            .into_iter()
            .map(|(weight, multiplicity)| OutcomeClass {
                probability: Rational::new(weight.into(), sum.clone()),
                multiplicity,
            });
        let exact = OutcomeLaw::new(classes).unwrap();
        let biased = bound.outcomes();
        assert!(biased.as_ref() != Some(&exact), "{what} is not biased");
        assert_eq!(
            chain.outcome_law(),
            *biased.as_ref().unwrap_or(&exact),
            "{what}"
        );
        let probabilities = chain.probabilities();
        let last = probabilities.keys().next_back().expect("an outcome");
        assert!(*last < target.outcomes(), "{what}");
        if biased.is_none() {
            assert_eq!(
                BigUint::from(probabilities.len()),
                target.possible(),
                "{what}"
            );
            for (outcome, p) in probabilities {
                assert_eq!(
                    p,
                    target.probability(&outcome),
                    "outcome {outcome} of {what}"
                );
            }
        }
        let law = bound.law().unwrap();
        let (mean, second) = chain.moments();
        assert_eq!(law.exact_mean(), mean, "mean of {what}");
        assert_eq!(
            law.exact_variance(),
            second - &mean * &mean,
            "variance of {what}"
        );
        assert_eq!(law.worst_case(), chain.worst_case(), "worst case of {what}");
        let stepped = Law::Chain(chain.into());
        for (t, (a, b)) in law.survival().zip(stepped.survival()).take(30).enumerate() {
            assert_eq!(a, b, "P(T > {t}) of {what}");
        }
        Ok(())
    }

    /// What is refused is counted, and is exactly what does not exist.
    #[test]
    fn every_law_is_the_law_of_its_step() {
        let words = |method: &&&'static dyn Algorithm| method.made_for() == MadeFor::Words;
        let cases: Vec<_> = REGISTRY
            .iter()
            .filter(|method| !words(method))
            .flat_map(|method| SOURCES.map(|m| (method, m)))
            .flat_map(|(method, m)| (1..=48u64).map(move |n| (method, m, n)))
            .collect();
        let missing = cases
            .iter()
            .map(|(method, m, n)| (method.about().id, *m, *n));
        let missing: BTreeSet<_> = missing.filter(|&(id, m, n)| !exists(id, m, n)).collect();
        let refused = cases.into_par_iter().filter_map(|(method, m, n)| {
            let refused = theorem(*method, &Task::dice(m, n).unwrap()).is_err();
            refused.then(|| (method.about().id, m, n))
        });
        let refused: BTreeSet<_> = refused.collect();
        assert_eq!(refused, missing);
        // targets up to 48 that exist: 2^a (6), 3^b (4), 5^c (3), 2^a 3^b (15), 2^a 5^c (11)
        let possible = 6 + 4 + 6 + 3 + 15 + 11 + 11; // by source
        assert_eq!(refused.len(), 7 * 48 - possible);
    }

    /// Weights with no common factor, in decreasing order, of a sum up to `most`; with a common
    /// factor they are the same target as smaller ones. A fair die is not among them.
    fn multisets(most: u64) -> Vec<Vec<u64>> {
        fn of_sum(sum: u64, most: u64, begun: &mut Vec<u64>, all: &mut Vec<Vec<u64>>) {
            if sum == 0 {
                all.push(begun.clone());
            }
            for weight in 1..=most.min(sum) {
                begun.push(weight);
                of_sum(sum - weight, weight, begun, all);
                begun.pop();
            }
        }
        let mut all = Vec::new();
        (1..=most).for_each(|sum| of_sum(sum, sum, &mut Vec::new(), &mut all));
        all.retain(|weights| loaded(weights));
        all
    }

    /// Different weights without a common factor.
    fn loaded(weights: &[u64]) -> bool {
        let common = weights.iter().fold(0, |a, b| num_integer::gcd(a, *b));
        common == 1 && weights.iter().any(|weight| *weight != 1)
    }

    /// Every order of every multiset of weights of sum up to `most`, and each once more with a weight
    /// of 0 at a place that goes around.
    fn ordered(most: u64) -> Vec<Vec<u64>> {
        // weights of sum s: the cuts 1, ..., s - 1 are there or not
        let compositions = (1..=most).flat_map(|sum| {
            (0u64..1 << (sum - 1)).map(move |cuts| {
                let mut weights = vec![1u64];
                for i in 0..sum - 1 {
                    match cuts >> i & 1 {
                        1 => weights.push(1),
                        _ => *weights.last_mut().expect("one at least") += 1,
                    }
                }
                weights
            })
        });
        let compositions: Vec<Vec<u64>> = compositions.collect();
        let zeros = compositions.iter().enumerate().map(|(i, weights)| {
            let mut weights = weights.clone();
            weights.insert(i % (weights.len() + 1), 0);
            weights
        });
        let all: Vec<Vec<u64>> = zeros.chain(compositions.iter().cloned()).collect();
        all.into_iter().filter(|weights| loaded(weights)).collect()
    }

    /// The theorem for weights: all multisets of sum up to 24 from a coin and up to 12 from 3, 6 and
    /// 10 sides, and all orders of those up to 9. The algorithms for fair dice refuse all of them,
    /// and no other refuses any.
    #[test]
    fn every_law_is_the_law_of_its_step_for_weights() {
        let mut vectors: Vec<(u64, Vec<u64>)> = Vec::new();
        for (m, most) in [(2u64, 24u64), (3, 12), (6, 12), (10, 12)] {
            vectors.extend(multisets(most).into_iter().map(|weights| (m, weights)));
            vectors.extend(ordered(9).into_iter().map(|weights| (m, weights)));
        }
        let refused: usize = (vectors.par_iter())
            .map(|(m, weights)| {
                let target = Target::weighted(weights.clone()).unwrap();
                let task = Task::new(Source::die(*m).unwrap(), target);
                let refused = REGISTRY.iter().filter(|method| {
                    let outcome = theorem(**method, &task);
                    let refuses = !method.made_for().makes_weights();
                    assert_eq!(outcome.is_err(), refuses, "{}: {task}", method.about().id);
                    refuses
                });
                refused.count()
            })
            .sum();
        // Moebius: sum_{n<=24} sum_{d|n} mu(d) p(n/d) partitions without a common factor, 24 of them
        // all ones, p as OEIS A000041
        assert_eq!(multisets(24).len(), 6994 - 24);
        let fair = REGISTRY
            .iter()
            .filter(|method| !method.made_for().makes_weights());
        assert_eq!(refused, vectors.len() * fair.count());
    }

    /// The rules for machine words, by counting all words: of 1 to 7 bits, and dice that are none.
    #[test]
    fn every_law_is_the_law_of_its_step_for_words() {
        let sources = (1..=7).map(|bits| 1u64 << bits).chain([3, 6, 10, 100]);
        let mut cases = Vec::new();
        for m in sources {
            for n in (1..=40u64).chain([63, 64, 65, 100, 127, 128, 129, 255, 1000]) {
                cases.push((m, n));
            }
        }
        let named = ["lemire", "modulo-reject", "mask-reject", "bitmask-words"];
        let canon = ["canon", "canon:t=1", "canon:t=3"];
        cases.par_iter().for_each(|&(m, n)| {
            let task = Task::dice(m, n).unwrap();
            for id in named.into_iter().chain(canon) {
                let masks = matches!(id, "mask-reject" | "bitmask-words") && !m.is_power_of_two();
                let narrow = !matches!(id, "bitmask-words") && !id.starts_with("canon") && n > m;
                if m.pow(3) > 1 << 12 && (id == "canon:t=3" || n > m) {
                    continue; // more words than are to be counted
                }
                let refused = theorem(find(id).unwrap(), &task).is_err();
                assert_eq!(refused, n > 1 && (masks || narrow), "{id}: {task}");
            }
        });
    }

    /// The depth of the amplified roller's tree is free from k on.
    #[test]
    fn every_depth_of_the_amplified_roller() {
        let cases: Vec<(u64, Vec<u64>)> = [2u64, 3, 6]
            .into_iter()
            .flat_map(|m| multisets(9).into_iter().map(move |weights| (m, weights)))
            .collect();
        cases.par_iter().for_each(|(m, weights)| {
            let target = Target::weighted(weights.clone()).unwrap();
            let task = Task::new(Source::die(*m).unwrap(), target);
            let sum: u64 = weights.iter().sum();
            for depth in 1..=9u32 {
                let method = find(&format!("aldr:K={depth}")).unwrap();
                let outcome = theorem(method, &task);
                assert_eq!(outcome.is_err(), m.pow(depth) < sum, "K = {depth}: {task}");
            }
        });
    }

    /// Enclosures of mean and second moment hold the exact values.
    #[test]
    fn enclosures_hold_the_exact_moments() {
        for (m, n) in [
            (2u128, 6u64),
            (2, 97),
            (3, 7),
            (6, 35),
            (10, 48),
            (20, 21),
            (1 << 32, 10),
            (1 << 53, 11),
            ((1 << 64) - 59, 97),
            (1 << 64, 6),
            (1 << 64, 1000),
        ] {
            let law = crate::law::Residues::new(m, n.into());
            let (mean, second) = law.exact_moments();
            for bits in [1, 20, 64, 333] {
                assert!(law.mean_within(bits).contains(&mean), "m = {m}, n = {n}");
                assert!(
                    law.second_moment_within(bits).contains(&second),
                    "m = {m}, n = {n}"
                );
            }
        }
    }

    /// A word of 64 bits for a d6: 2^64 mod 6 = 4 of its faces roll again, and of those 4 * 2^64 mod
    /// 6 = 4 each time, E = 1 + 4 / (2^64 - 1); rejection keeps the largest multiple of 6, E = 2^64 /
    /// (2^64 - 4); the interval algorithm has 6 - 2 cuts inside a face, E = 1 + 4 / (2^64 - 1).
    #[test]
    fn words_of_64_bits() {
        let task = Task::new(Source::word(64).unwrap(), Target::uniform(6u8).unwrap());
        let mean = |id| find(id).unwrap().law(&task).map(|law| law.exact_mean());
        let all = BigInt::from(1u128 << 64);
        let four = BigInt::from(4);
        let kept = Rational::from_integer(1.into()) + Rational::new(four.clone(), &all - 1);
        assert_eq!(mean("fast-dice-roller"), Ok(kept.clone()));
        assert_eq!(mean("interval"), Ok(kept));
        assert_eq!(
            mean("base-conversion"),
            Ok(Rational::new(all.clone(), all - four))
        );
        let refused = mean("parity-bits").unwrap_err().to_string();
        assert!(
            refused.contains("a word of 64 bits is too wide"),
            "{refused}"
        );
        let mut faces = Faces::seeded(1);
        let rolled = FAST_DICE_ROLLER.roll(&task, &mut faces).unwrap();
        assert!(rolled.outcome < 6u8.into() && rolled.rolls == 1);
        assert_eq!(task.entropy().decimals(6).unwrap(), "0.040390"); // log2(6) / 64
    }

    #[test]
    fn ids_are_unique() {
        let ids: std::collections::BTreeSet<_> = ids().into_iter().collect();
        assert_eq!(ids.len(), REGISTRY.len());
        assert!(POLICIES.iter().all(|policy| !ids.contains(policy)));
    }

    #[test]
    fn ids_are_found_and_a_policy_is_named() {
        for method in REGISTRY {
            let id = method.about().id;
            assert_eq!(find(id).ok().map(|found| found.about().id), Some(id));
        }
        assert_eq!(FAST_DICE_ROLLER.about().id, "fast-dice-roller");
        let sentence = |id| find(id).err().unwrap().to_string();
        assert!(sentence("recycling").ends_with("batches take it"));
        assert!(sentence("recyclin").contains("choose one of fast-dice-roller, rejection,"));
    }
}
