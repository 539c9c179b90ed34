//! What the chain of a rule proves.

use crate::bounds::enclose_chain;
use crate::endless::{Enclosed, enclose};
use crate::explore::{Explored, MAX_ENCLOSED, MAX_STATES, Program};
use crate::{Fault, RuleText};
use flipcost::algorithms::{Fairness, Rule};
use flipcost::law::UnknownLaw;
use flipcost::task::{Target, Task};
use flipcost_number::near::nearest;
use flipcost_number::{BigUint, Rational};
use num_traits::{One, Signed, ToPrimitive, Zero};
use std::collections::BTreeSet;
use std::sync::Arc;

/// What is proved of a rule for a task.
pub enum RuleVerdict {
    /// Of a finite chain, all of it.
    Finite(Box<FiniteVerdict>),
    /// Of a finite chain that rolls an unknown source, functions of its probabilities.
    Unknown(Box<UnknownVerdict>),
    /// Of a rule with more states than are explored, bounds.
    Endless(Box<Enclosed>),
}

/// What is proved of a finite chain.
pub struct FiniteVerdict {
    /// The law of its outcomes, and whether it ends.
    pub fairness: Fairness,
    /// The expected rolls; `None` if it may never end.
    pub expected: Option<Rational>,
    /// Is there a bound on the rolls?
    pub bounded: bool,
    /// States in which it rolls.
    pub states: usize,
    /// Faces of all states together.
    pub transitions: usize,
    /// Are its steps rolls of the source? A table of probabilities has its own.
    pub rolls_source: bool,
    /// The shortest rolls that show what is wrong, in words; `None` if nothing is.
    pub witness: Option<String>,
}

/// What is proved for every probability of the source.
pub struct UnknownVerdict {
    /// The law; `None` if it may never end.
    pub law: Option<UnknownLaw>,
    /// Has every outcome the probability that the target gives it, whatever the source?
    pub fair: bool,
    /// As of [`FiniteVerdict`].
    pub bounded: bool,
    /// As of [`FiniteVerdict`].
    pub states: usize,
    /// As of [`FiniteVerdict`].
    pub transitions: usize,
    /// What is wrong, in words: an outcome and its probability; `None` if nothing is.
    pub witness: Option<String>,
}

/// Rolls of an outcome that a witness lists.
const WITNESSES: usize = 3;
/// Undecided at most, as a power of 2.
const UNDECIDED_BITS: u64 = 64;
/// States of an endless rule that are looked at.
const ENDLESS_STATES: usize = 20_000;
/// States that are looked at unless all are asked for.
const MANY_STATES: usize = 50_000;
/// Faces of a source, which are followed one by one.
const MAX_FACES: u64 = 1 << 20;
/// Transitions of a chain of an unknown source, at most.
const UNKNOWN_TRANSITIONS: usize = 10_000;

impl RuleText {
    /// The rule for a task.
    ///
    /// # Errors
    /// [`Fault`] if the text is no rule, or the source has too many faces.
    pub(crate) fn program_of(&self, task: &Task) -> Result<Arc<dyn Program>, Fault> {
        let faces = task.source().sides();
        let m = faces.to_u64().filter(|m| *m <= MAX_FACES);
        let m = m.ok_or_else(|| Fault::Wide {
            file: self.file.clone(),
            faces,
        })?;
        self.program(&task.target().outcomes(), m)
    }

    /// All that the rule can do for a task; with `all`, also where so few states decide it that it
    /// is taken for endless.
    ///
    /// # Errors
    /// [`Fault`] if the text is no rule, or [`Fault::TooLarge`].
    pub fn explored(&self, task: &Task, all: bool) -> Result<Explored, Fault> {
        self.followed(task, all)
            .map_err(|fault| self.with_hint(fault))
    }

    /// With the name in the text that was probably meant by a variable that is not there.
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

    fn followed(&self, task: &Task, all: bool) -> Result<Explored, Fault> {
        let program = self.program_of(task)?;
        let m = task.source().sides().to_u64().unwrap_or(MAX_FACES);
        let explore = |most| Explored::new(&*program, &self.file, m, most);
        if program.is_finite() {
            // it has an end, so that nothing is to be enclosed
            let explored = explore(MAX_STATES).map_err(|fault| Fault::Run {
                file: self.file.clone(),
                line: None,
                what: fault.without_file(&self.file),
            })?;
            if explored.has_own_dice() && !task.source().is_fair() {
                return Err(Fault::OwnDice(self.file.clone()));
            }
            return Ok(explored);
        }
        let few = program.few_states();
        match explore(few) {
            Err(Fault::TooLarge { .. }) if all => explore(MAX_STATES),
            Err(large @ Fault::TooLarge { .. }) if task.source().is_unknown() => Err(large),
            Err(large @ Fault::TooLarge { .. }) => {
                let enclosed = enclose(&*program, task.source(), m, UNDECIDED_BITS, few)?;
                if enclosed.is_decided(UNDECIDED_BITS) {
                    Err(large)
                } else {
                    explore(MANY_STATES)
                }
            }
            explored => explored,
        }
    }

    /// What is proved of the rule for a task; `all` as for [`RuleText::explored`]. Cost: one run of
    /// the program for every face of every state, and one elimination of the chain.
    ///
    /// # Errors
    /// [`Fault`] if the rule is broken, or gives an outcome that the target does not have.
    pub fn verdict(&self, task: &Task, all: bool) -> Result<RuleVerdict, Fault> {
        let explored = match self.explored(task, all) {
            Err(Fault::TooLarge { .. }) if !task.source().is_unknown() => {
                let m = task.source().sides().to_u64().unwrap_or(MAX_FACES);
                let program = self.program_of(task)?;
                let mut enclosed =
                    enclose(&*program, task.source(), m, UNDECIDED_BITS, ENDLESS_STATES)?;
                if all && !enclosed.is_decided(UNDECIDED_BITS) {
                    match Explored::new(&*program, &self.file, m, MAX_ENCLOSED) {
                        Err(Fault::TooLarge { .. }) => {}
                        chain => {
                            let weights = task.source().weights();
                            let known = enclose_chain(&chain?, weights, UNDECIDED_BITS);
                            enclosed = known.unwrap_or(enclosed);
                        }
                    }
                }
                let mut outcomes = enclosed.outcomes.keys();
                if let Some(outcome) =
                    outcomes.find(|outcome| **outcome >= task.target().outcomes())
                {
                    return Err(self.outside(outcome, None, task.target()));
                }
                return Ok(RuleVerdict::Endless(Box::new(enclosed)));
            }
            explored => explored?,
        };
        let inside = |outcome: &BigUint| *outcome < task.target().outcomes();
        if let Some(i) = explored
            .outcomes()
            .iter()
            .position(|outcome| !inside(outcome))
        {
            let path = &explored.witnesses(1)[i][0];
            let path = explored.path_name(path);
            return Err(self.outside(&explored.outcomes()[i], Some(path), task.target()));
        }
        if task.source().is_unknown() {
            self.unknown(explored, task)
        } else {
            self.finite(explored, task)
        }
    }

    fn outside(&self, outcome: &BigUint, path: Option<String>, target: &Target) -> Fault {
        Fault::Outside {
            file: self.file.clone(),
            path,
            outcome: outcome.clone(),
            n: target.outcomes(),
        }
    }

    fn solved<T, E: std::fmt::Display>(&self, solved: Result<T, E>) -> Result<T, Fault> {
        solved.map_err(|error| Fault::Run {
            file: self.file.clone(),
            line: None,
            what: error.to_string(),
        })
    }

    fn finite(&self, explored: Explored, task: &Task) -> Result<RuleVerdict, Fault> {
        let prepared = explored.prepare(task);
        // a chain that may never end is followed face by face
        let own = explored.own_chain().and_then(Result::ok);
        let fairness = match &own {
            Some(chain) => Fairness::new(chain, task.target()),
            None => self.solved(prepared.check())?,
        };
        let (mut expected, mut bounded) = (None, false);
        if fairness.ends.is_one() {
            (expected, bounded) = match own {
                Some(chain) => (Some(chain.mean()), chain.worst_case().is_some()),
                None => {
                    let law = self.solved(prepared.law())?;
                    (Some(self.solved(law.mean())?), law.max().is_some())
                }
            };
        }
        let witness = (!fairness.is_fair()).then(|| witness(&explored, &fairness, task));
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

    fn unknown(&self, explored: Explored, task: &Task) -> Result<RuleVerdict, Fault> {
        let fair = Task::new(
            self.solved(flipcost::task::Source::die(explored.faces()))?,
            task.target().clone(),
        );
        let prepared = explored.prepare(&fair);
        let (chain, _) = self.solved(prepared.chain(UNKNOWN_TRANSITIONS))?;
        let endless = endless(&explored);
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
        let outcome = || strange_outcome(law.as_ref()?, target);
        let witness = if fair { None } else { endless.or_else(outcome) };
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

/// Of a coin the outcome 1, else the first outcome whose probability is not the target's, with its
/// probability.
fn strange_outcome(law: &UnknownLaw, target: &Target) -> Option<String> {
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

/// The shortest rolls after which it never ends, in words.
fn endless(explored: &Explored) -> Option<String> {
    Some(match explored.endless()?.as_slice() {
        [] => "it never ends".to_string(),
        path => format!("after {} it never ends", explored.path_name(path)),
    })
}

/// The shortest rolls that show that a rule is not fair, or that it may never end.
fn witness(explored: &Explored, fairness: &Fairness, task: &Task) -> String {
    if let Some(endless) = endless(explored) {
        return endless;
    }
    let short = explored.witnesses(WITNESSES);
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
    // what never comes is among the first so many outcomes, as every outcome that comes may be
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
