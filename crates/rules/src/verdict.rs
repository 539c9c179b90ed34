//! The properties of a rule that are proved from its chain.

use crate::bounds::enclose_chain;
use crate::endless::{LawBounds, enclose};
use crate::explore::{ExploredChain, MAX_ENCLOSED, MAX_STATES, Program};
use crate::{Fault, RuleText};
use flipcost::algorithms::{CHAIN_LIMIT, Fairness, Rule};
use flipcost::law::UnknownLaw;
use flipcost::task::{Target, Task};
use flipcost_number::near::nearest;
use flipcost_number::{BigUint, Rational};
use num_traits::{One, Signed, ToPrimitive, Zero};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The proved properties of a rule for a task.
pub enum RuleVerdict {
    /// Complete results, for a finite chain.
    Finite(Box<FiniteVerdict>),
    /// Functions of the probabilities, for a finite chain that rolls an unknown source.
    Unknown(Box<UnknownVerdict>),
    /// Bounds, for a rule with more states than are explored.
    Endless(Box<LawBounds>),
}

/// The proved properties of a finite chain.
pub struct FiniteVerdict {
    /// The law of the outcomes, and whether the rule ends.
    pub fairness: Fairness,
    /// The expected rolls; `None` if the rule may never end.
    pub expected: Option<Rational>,
    /// Whether the number of rolls is bounded.
    pub bounded: bool,
    /// The number of states in which the rule rolls.
    pub states: usize,
    /// The number of faces of all states together.
    pub transitions: usize,
    /// Whether the rule's steps are rolls of the source; a table with probabilities has its own
    /// dice.
    pub rolls_source: bool,
    /// The shortest rolls that show an error, in words; `None` if there is no error.
    pub witness: Option<String>,
}

/// The properties that are proved for every probability of the source.
pub struct UnknownVerdict {
    /// The law; `None` if the rule may never end.
    pub law: Option<UnknownLaw>,
    /// Whether every outcome has the target's probability, for every source.
    pub fair: bool,
    /// Whether the number of rolls is bounded.
    pub bounded: bool,
    /// The number of states in which the rule rolls.
    pub states: usize,
    /// The number of faces of all states together.
    pub transitions: usize,
    /// An outcome with a wrong probability, in words; `None` if there is none.
    pub witness: Option<String>,
}

/// The largest number of sequences of rolls that a witness lists for an outcome.
const MAX_WITNESS_PATHS: usize = 3;
/// The undecided probability of an endless rule is at most 2 to the power of minus this number.
const UNDECIDED_BITS: u64 = 64;
/// The largest number of states of an endless rule that are followed.
const MAX_ENDLESS_STATES: usize = 20_000;
/// The largest number of states that are explored by default.
const DEFAULT_MAX_STATES: usize = 50_000;
/// The maximum number of faces of a source, since faces are followed one by one.
const MAX_FACES: u64 = 1 << 20;
/// The largest number of transitions of a chain with an unknown source.
const MAX_UNKNOWN_TRANSITIONS: usize = 10_000;

/// The result of exploring the first states of a rule.
enum Explored {
    /// All states.
    Chain(Box<ExploredChain>),
    /// Bounds that leave almost nothing undecided, for a chain with more states than are explored.
    Enclosed {
        bounds: Box<LawBounds>,
        /// The error that says so.
        large: Fault,
    },
}

impl RuleText {
    /// Returns the program for a task.
    ///
    /// # Errors
    /// [`Fault`] if the text is not a rule, or the source has too many faces.
    pub(crate) fn program_of(&self, task: &Task) -> Result<Arc<dyn Program>, Fault> {
        let faces = task.source().sides();
        let m = faces.to_u64().filter(|m| *m <= MAX_FACES);
        let m = m.ok_or_else(|| Fault::Wide {
            file: self.file.clone(),
            faces,
        })?;
        self.program(&task.target().outcomes(), m)
    }

    /// Explores the chain of the rule for a task. Unless `all` is set, a rule that a few states
    /// decide counts as endless, and its chain is not explored.
    ///
    /// # Errors
    /// [`Fault`] if the text is not a rule, or [`Fault::TooLarge`].
    pub fn explored(&self, task: &Task, all: bool) -> Result<ExploredChain, Fault> {
        match self.explore_or_enclose(task, all)? {
            Explored::Chain(chain) => Ok(*chain),
            Explored::Enclosed { large, .. } => Err(large),
        }
    }

    /// If the program uses an unknown variable, adds the similar name that the user probably meant.
    fn with_hint(&self, mut fault: Fault) -> Fault {
        if let Fault::Run { what, .. } = &mut fault
            && let Some((name, _)) =
                (what.strip_prefix("Variable not found: ")).and_then(|rest| rest.split_once(": "))
        {
            let is_letter = |c: char| c.is_alphanumeric() || c == '_';
            let words = self.text.split(|c| !is_letter(c));
            let rolls = ["flip()", "roll(m)", "word(w)"].into_iter();
            let names = words.filter(|word| *word != name).chain(rolls);
            if let Some(near) = nearest(name, names) {
                *what = format!("Variable not found: {name}: did you mean `{near}`?");
            }
        }
        fault
    }

    fn explore_or_enclose(&self, task: &Task, all: bool) -> Result<Explored, Fault> {
        self.explore_with_limits(task, all)
            .map_err(|fault| self.with_hint(fault))
    }

    fn explore_with_limits(&self, task: &Task, all: bool) -> Result<Explored, Fault> {
        let chain = |chain| Explored::Chain(Box::new(chain));
        let program = self.program_of(task)?;
        let m = task.source().sides().to_u64().unwrap_or(MAX_FACES);
        let explore = |most| ExploredChain::new(&*program, &self.file, m, most);
        if program.is_finite() {
            // the chain is finite, so no enclosure is needed
            let explored = explore(MAX_STATES).map_err(|fault| Fault::Run {
                file: self.file.clone(),
                line: None,
                what: fault.without_file(&self.file),
            })?;
            if explored.has_own_dice() && !task.source().is_fair() {
                return Err(Fault::OwnDice(self.file.clone()));
            }
            return Ok(chain(explored));
        }
        let few = program.few_states();
        match explore(few) {
            Err(Fault::TooLarge { .. }) if all => explore(MAX_STATES).map(chain),
            Err(large @ Fault::TooLarge { .. }) if !task.source().is_unknown() => {
                let bounds = enclose(&*program, task.source(), m, UNDECIDED_BITS, few)?;
                if bounds.is_decided(UNDECIDED_BITS) {
                    let bounds = Box::new(bounds);
                    Ok(Explored::Enclosed { bounds, large })
                } else {
                    explore(DEFAULT_MAX_STATES).map(chain)
                }
            }
            explored => explored.map(chain),
        }
    }

    /// Returns the proved properties of the rule for a task. `all` has the same meaning as for
    /// [`RuleText::explored`]. Cost: one run of the program for every face of every state, and
    /// solving the linear equations of the chain once.
    ///
    /// # Errors
    /// [`Fault`] if the rule is broken.
    pub fn verdict(&self, task: &Task, all: bool) -> Result<RuleVerdict, Fault> {
        let explored = match self.explore_or_enclose(task, all) {
            Ok(Explored::Chain(chain)) => *chain,
            Ok(Explored::Enclosed { bounds, .. }) => return Ok(RuleVerdict::Endless(bounds)),
            Err(Fault::TooLarge { .. }) if !task.source().is_unknown() => {
                let bounds = Box::new(self.enclose_large(task, all)?);
                return Ok(RuleVerdict::Endless(bounds));
            }
            Err(fault) => return Err(fault),
        };
        if task.source().is_unknown() {
            self.unknown_source_verdict(explored, task)
        } else {
            self.finite_verdict(explored, task)
        }
    }

    /// Encloses the law of a rule with too many states to explore, by as many states as are
    /// followed.
    fn enclose_large(&self, task: &Task, all: bool) -> Result<LawBounds, Fault> {
        let m = task.source().sides().to_u64().unwrap_or(MAX_FACES);
        let program = self.program_of(task)?;
        let most = MAX_ENDLESS_STATES;
        let bounds = enclose(&*program, task.source(), m, UNDECIDED_BITS, most)?;
        if !all || bounds.is_decided(UNDECIDED_BITS) {
            return Ok(bounds);
        }
        match ExploredChain::new(&*program, &self.file, m, MAX_ENCLOSED) {
            Err(Fault::TooLarge { .. }) => Ok(bounds),
            chain => {
                let known = enclose_chain(&chain?, task.source().weights(), UNDECIDED_BITS);
                Ok(known.unwrap_or(bounds))
            }
        }
    }

    fn or_fault<T, E: std::fmt::Display>(&self, solved: Result<T, E>) -> Result<T, Fault> {
        solved.map_err(|error| Fault::Run {
            file: self.file.clone(),
            line: None,
            what: error.to_string(),
        })
    }

    fn finite_verdict(&self, explored: ExploredChain, task: &Task) -> Result<RuleVerdict, Fault> {
        let prepared = explored.prepare(task);
        // `own_chain` fails for a chain that may never end, which is then followed face by face
        let own = explored.own_chain().and_then(Result::ok);
        let fairness = match &own {
            Some(chain) => Fairness::new(chain, task.target()),
            None => self.or_fault(prepared.check())?,
        };
        let (mut expected, mut bounded) = (None, false);
        if fairness.ends.is_one() {
            let outside = first_outside(&explored, task.target()).is_some();
            let chain = match own {
                None if outside => Some(self.or_fault(prepared.chain(CHAIN_LIMIT))?.0),
                own => own,
            };
            (expected, bounded) = match chain {
                Some(chain) => (Some(chain.mean()), chain.worst_case().is_some()),
                None => {
                    let law = self.or_fault(prepared.law())?;
                    (Some(self.or_fault(law.mean())?), law.max().is_some())
                }
            };
        }
        let witness = (!fairness.is_fair()).then(|| describe_witness(&explored, &fairness, task));
        Ok(RuleVerdict::Finite(Box::new(FiniteVerdict {
            expected,
            bounded,
            states: explored.states().len(),
            transitions: explored.transitions(),
            rolls_source: !explored.has_own_dice(),
            fairness,
            witness,
        })))
    }

    fn unknown_source_verdict(
        &self,
        explored: ExploredChain,
        task: &Task,
    ) -> Result<RuleVerdict, Fault> {
        let fair = Task::new(
            task.target().clone(),
            self.or_fault(flipcost::task::Source::die(explored.faces()))?,
        );
        let prepared = explored.prepare(&fair);
        let (chain, _) = self.or_fault(prepared.chain(MAX_UNKNOWN_TRANSITIONS))?;
        let endless = describe_endless_rolls(&explored);
        let law = if endless.is_none() {
            chain.of_unknown_source()
        } else {
            None
        };
        let target = task.target();
        let fair = law
            .as_ref()
            .is_some_and(|law| law.shares(|outcome| target.probability(outcome)));
        let bounded = endless.is_none() && chain.worst_case().is_some();
        let outcome = || outcome_with_wrong_probability(law.as_ref()?, target);
        let outside = || describe_outside(&explored, target);
        let witness = if fair {
            None
        } else {
            outside().or(endless).or_else(outcome)
        };
        Ok(RuleVerdict::Unknown(Box::new(UnknownVerdict {
            fair,
            law,
            bounded,
            states: explored.states().len(),
            transitions: explored.transitions(),
            witness,
        })))
    }
}

/// Describes an outcome whose probability differs from the target's, and states this probability.
/// For a coin it is outcome 1, otherwise the first such outcome.
fn outcome_with_wrong_probability(law: &UnknownLaw, target: &Target) -> Option<String> {
    let coin = target.outcomes() == 2u8.into();
    let mut all = law.outcomes().into_iter();
    let (outcome, share) = all.find(|(outcome, share)| {
        if coin {
            outcome.is_one()
        } else {
            share.to_string() != target.probability(outcome).to_string()
        }
    })?;
    Some(format!("{outcome} has {share}"))
}

/// Returns the place of the first outcome of a rule that its target does not have.
fn first_outside(explored: &ExploredChain, target: &Target) -> Option<usize> {
    let mut outcomes = explored.outcomes().iter();
    outcomes.position(|outcome| *outcome >= target.outcomes())
}

/// Describes the shortest rolls that lead to an outcome which the target does not have.
fn describe_outside(explored: &ExploredChain, target: &Target) -> Option<String> {
    let place = first_outside(explored, target)?;
    let path = explored.numbered_path(&explored.witnesses(1)[place][0]);
    let said = outside_sentence(&explored.outcomes()[place], target);
    Some(format!("{path} {said}"))
}

/// Says that a rule gives an outcome which the target does not have.
pub(crate) fn outside_sentence(outcome: &BigUint, target: &Target) -> String {
    let n = target.outcomes();
    let last = &n - 1u8;
    format!("it gives {outcome}, and the outcomes of a target with {n} are 0 to {last}")
}

/// Describes the shortest rolls after which the rule never ends.
fn describe_endless_rolls(explored: &ExploredChain) -> Option<String> {
    Some(match explored.endless()?.as_slice() {
        [] => "it never ends".to_string(),
        path => format!("after {} it never ends", explored.path_name(path)),
    })
}

/// Describes the shortest rolls that show that a rule is not fair, or that it may never end.
fn describe_witness(explored: &ExploredChain, fairness: &Fairness, task: &Task) -> String {
    let outside = describe_outside(explored, task.target());
    if let Some(shown) = outside.or_else(|| describe_endless_rolls(explored)) {
        return shown;
    }
    let short = explored.witnesses(MAX_WITNESS_PATHS);
    let zero = Rational::zero();
    let excess = |outcome: &BigUint| {
        fairness.probabilities.get(outcome).unwrap_or(&zero) - task.target().probability(outcome)
    };
    let shown = |outcome: &BigUint| {
        let Some(probability) = fairness.probabilities.get(outcome) else {
            return format!("{outcome} never comes");
        };
        let place = explored
            .outcomes()
            .iter()
            .position(|other| other == outcome);
        let paths = place.map_or(&[][..], |i| &short[i]);
        let mut paths: Vec<String> = paths.iter().map(|path| explored.path_name(path)).collect();
        paths.dedup();
        format!(
            "{outcome} has {probability} (as after {})",
            paths.join(", ")
        )
    };
    // If only k outcomes occur, one of the first k + 1 outcomes of the target never occurs.
    let all: BTreeSet<BigUint> = (task.target().iter().map(|(outcome, _)| outcome))
        .take(explored.outcomes().len() + 1)
        .chain(fairness.probabilities.keys().cloned())
        .collect();
    let most = all.iter().rev().max_by_key(|outcome| excess(outcome));
    let least = all
        .iter()
        .min_by_key(|outcome| excess(outcome))
        .filter(|least| excess(least).is_negative());
    let parts: Vec<String> = most.into_iter().chain(least).map(shown).collect();
    parts.join(", ")
}
