//! The entries of the registry: each combines a rule with its description.

use super::about::{About, Purpose};
use super::buffered::{self, BufferedRule};
use super::parameters::{self, Arguments, Parameter, ParameterError};
use super::prepared::{Algorithm, AlgorithmError, Prepared, Rolled, Traced};
use super::prepared_rule::PreparedRule;
use super::quantity::{OfferedTables, Quantity, QuantityResult, TablesWanted, WorkLimit};
use super::rule::RuleInfo;
use crate::law::{Bias, Chain, CostFormula, Law};
use crate::task::{Refusal, Task};
use flipcost_number::Rational;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Makes an algorithm from a rule with a description.
pub(crate) const fn from_rule<A: RuleInfo>() -> &'static dyn Algorithm {
    const { &RuleEntry::<A>::NEW }
}

pub(super) struct RuleEntry<A> {
    about: &'static About,
    arguments: Arguments,
    rule: std::marker::PhantomData<fn() -> A>,
}

impl<A: RuleInfo> RuleEntry<A> {
    pub(super) const NEW: Self = RuleEntry {
        about: &A::ABOUT,
        arguments: Arguments::NONE,
        rule: std::marker::PhantomData,
    };
}

impl<A: RuleInfo> RuleEntry<A> {
    /// Creates the rule for a task, whose source may be unknown.
    fn rule(&self, task: &Task) -> Result<A, Refusal> {
        if self.arguments == Arguments::NONE {
            A::new(task)
        } else {
            A::with(task, &self.arguments)
        }
    }
}

impl<A: RuleInfo> Algorithm for RuleEntry<A> {
    fn about(&self) -> &About {
        self.about
    }

    fn purpose(&self) -> Purpose {
        A::PURPOSE
    }

    fn is_optimal(&self) -> bool {
        A::OPTIMAL
    }

    fn parameters(&self) -> &'static [Parameter] {
        A::PARAMETERS
    }

    fn with(&self, text: &str) -> Result<&'static dyn Algorithm, ParameterError> {
        let (spelled, values) = parameters::parse_arguments(A::ABOUT.id, A::PARAMETERS, text)?;
        Ok(intern_algorithm(spelled, &|id| {
            Box::leak(Box::new(RuleEntry::<A> {
                about: Box::leak(Box::new(About { id, ..A::ABOUT })),
                arguments: Arguments::leak(values.clone()),
                rule: std::marker::PhantomData,
            }))
        }))
    }

    fn takes_bits(&self) -> bool {
        A::BITS
    }

    fn prepare(&self, task: &Task) -> Result<Box<dyn Prepared>, Refusal> {
        if let Some(bits) = buffered::bits_per_word(task).filter(|_| A::BITS) {
            let coin = buffered::with_coin_source(task);
            let closed = || self.rule(task).ok()?.closed_law();
            return Ok(Box::new(BufferedRule {
                flips: Box::new(PreparedEntry::new(self.rule(&coin)?, &coin)),
                task: task.clone(),
                bits,
                kept: false,
                closed: A::SAME_IN_WORDS.then(closed).flatten(),
            }));
        }
        let rule = self.rule(task)?;
        if task.source().is_unknown() {
            Err(Refusal::UnknownSource(task.source().clone()))
        } else {
            Ok(Box::new(PreparedEntry::new(rule, task)))
        }
    }

    fn prepare_to_play(&self, task: &Task) -> Result<Box<dyn Prepared>, Refusal> {
        if A::BITS && buffered::bits_per_word(task).is_some() {
            return self.prepare(task);
        }
        Ok(Box::new(PreparedEntry::new(self.rule(task)?, task)))
    }

    fn of_unknown(&'static self, task: &Task) -> Result<&'static dyn Algorithm, Refusal> {
        let Some(settled) = self.rule(task)?.settled() else {
            return Ok(self);
        };
        let (spelled, values) = parameters::parse_arguments(A::ABOUT.id, A::PARAMETERS, &settled)
            .unwrap_or_else(|error| unreachable!("a rule settles only valid parameters: {error}"));
        // The algorithm is stored under the name by which it was requested.
        Ok(intern_algorithm(
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
        let prepared = PreparedEntry::new(self.rule(task)?, task);
        match prepared.0.rule().formula() {
            Some(formula) => Ok(formula),
            None => (&prepared as &dyn Prepared).formula(limit),
        }
    }

    fn pseudocode(&self) -> &'static [&'static str] {
        A::PSEUDOCODE
    }

    fn quantities(&self) -> &'static [Quantity] {
        A::QUANTITIES
    }

    fn tables(&self, source: u64, last: u64, wanted: TablesWanted<'_>) -> Option<OfferedTables> {
        A::tables(source, last, wanted.0).map(OfferedTables)
    }
}

/// Returns the algorithm with this spelling (its id and arguments); `make` creates it on the first
/// call.
fn intern_algorithm(
    spelled: String,
    make: &dyn Fn(&'static str) -> &'static dyn Algorithm,
) -> &'static dyn Algorithm {
    static ALGORITHMS: Mutex<BTreeMap<String, &'static dyn Algorithm>> =
        Mutex::new(BTreeMap::new());
    let mut made = ALGORITHMS.lock().unwrap_or_else(PoisonError::into_inner);
    *made
        .entry(spelled)
        .or_insert_with_key(|spelled| make(spelled.clone().leak()))
}

/// The maximum number of transitions to explore if the chain is probably infinite.
const MAX_ENDLESS_TRANSITIONS: usize = 1 << 13;

/// A rule that is prepared for a task and that states its law and its outcomes.
pub(super) struct PreparedEntry<A>(PreparedRule<A>);

impl<A: RuleInfo> PreparedEntry<A> {
    /// Wraps a rule that was made for this task.
    pub(super) fn new(rule: A, task: &Task) -> PreparedEntry<A> {
        PreparedEntry(PreparedRule::new(rule, task))
    }
}

impl<A: RuleInfo> Prepared for PreparedEntry<A> {
    fn task(&self) -> &Task {
        self.0.task()
    }

    fn law(&self) -> Result<Law, AlgorithmError> {
        self.closed_law().map_or_else(|| self.0.law(), Ok)
    }

    fn closed_law(&self) -> Option<Law> {
        self.0.rule().closed_law()
    }

    fn bias(&self) -> Result<Option<Bias>, AlgorithmError> {
        let bias = || {
            let sides = self.task().target().sides()?;
            Some(Bias::new(&self.0.rule().outcomes()?, sides.clone()))
        };
        Ok(bias())
    }

    fn roller_sides(&self) -> Option<(u128, u64)> {
        self.0.rule().roller_sides()
    }

    fn bits_used(&self) -> Option<Rational> {
        self.0.rule().bits_used()
    }

    fn chain(&self, limit: usize) -> Result<(Chain, Vec<String>), AlgorithmError> {
        // If the law is an infinite sum or product, the chain is usually infinite; in the few
        // special cases where it is finite, it is small.
        let limit = match self.closed_law() {
            Some(law) if !law.has_fraction() => limit.min(MAX_ENDLESS_TRANSITIONS),
            _ => limit,
        };
        self.0.chain(limit)
    }

    fn quantity(&self, quantity: Quantity, limit: WorkLimit) -> QuantityResult {
        self.0.rule().quantity(quantity, limit)
    }

    fn play(
        &self,
        roll: &mut dyn FnMut(u128) -> Option<u64>,
        trace: Option<&mut dyn FnMut(Traced)>,
    ) -> Result<Option<Rolled>, AlgorithmError> {
        self.0.play(roll, trace)
    }
}
