//! A user's own rule as an algorithm. Its id is `rule:my.rhai`, with the text of the rule in the
//! lines below.

use crate::explore::{ExploredChain, Move, Program};
use crate::table::has_probabilities;
use crate::{Fault, RuleText};
use flipcost::algorithms::{
    About, Algorithm, AlgorithmError, ParameterError, Prepared, Purpose, Rolled, Rule, Traced,
};
use flipcost::law::{Chain, Law, Next, Step};
use flipcost::task::{Refusal, RollUnit, Source, Task};
use flipcost_question::side_files::rule_file;
use num_traits::{ToPrimitive, Zero};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The id under which a user's own rule is requested.
pub const RULE_ID: &str = "rule";

/// The largest number of bytes of the texts of all rules of one process.
const MAX_TEXT: usize = 1 << 28;

/// The algorithm `rule`: it needs the file of a rule, and then is the algorithm of that file.
pub static RULES: &dyn Algorithm = &Rules;

struct Rules;

static ABOUT: About = About::new(RULE_ID);

impl Algorithm for Rules {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn prepare(&self, _: &Task) -> Result<Box<dyn Prepared>, Refusal> {
        Err(Refusal::Rule(
            "it needs the file of a rule, as in rule:my.rhai".to_string(),
        ))
    }

    fn with(&self, parameters: &str) -> Result<&'static dyn Algorithm, ParameterError> {
        static REQUESTED_RULES: Mutex<KnownRules> = Mutex::new(KnownRules {
            bytes: 0,
            rules: None,
        });
        let text = RuleText::parse(parameters).map_err(ParameterError::new)?;
        let mut made = REQUESTED_RULES
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let KnownRules { bytes, rules } = &mut *made;
        let rules = rules.get_or_insert_default();
        if let Some(known) = rules.get(parameters) {
            return Ok(*known);
        }
        *bytes += parameters.len();
        if *bytes > MAX_TEXT {
            return Err(ParameterError::new(
                "too many rules for one process: start it again",
            ));
        }
        let id: &'static str = format!("{RULE_ID}:{}", text.file).leak();
        let spelling = match rule_file(parameters) {
            Some(program) => format!("{RULE_ID}:{}\n{program}", text.file),
            None => format!("{RULE_ID}:{parameters}"),
        };
        let about = About::new(id);
        let named: &'static dyn Algorithm = Box::leak(Box::new(RuleAlgorithm {
            about,
            spelling,
            text,
        }));
        rules.insert(parameters.to_string(), named);
        Ok(named)
    }
}

/// The rules that users requested; each is made only once.
struct KnownRules {
    bytes: usize,
    rules: Option<HashMap<String, &'static dyn Algorithm>>,
}

struct RuleAlgorithm {
    about: About,
    spelling: String,
    text: RuleText,
}

impl Algorithm for RuleAlgorithm {
    fn about(&self) -> &About {
        &self.about
    }

    fn spelling(&self) -> &str {
        &self.spelling
    }

    fn purpose(&self) -> Purpose {
        Purpose::Nothing
    }

    fn unit(&self, source: &Source) -> RollUnit {
        if has_probabilities(&self.text.text) {
            RollUnit::Steps
        } else {
            source.unit()
        }
    }

    fn prepare(&self, task: &Task) -> Result<Box<dyn Prepared>, Refusal> {
        if task.source().is_unknown() {
            return Err(Refusal::UnknownSource(task.source().clone()));
        }
        self.prepare_to_play(task)
    }

    fn prepare_to_play(&self, task: &Task) -> Result<Box<dyn Prepared>, Refusal> {
        let refused = |fault: Fault| Refusal::Rule(fault.without_file(&self.text.file));
        match self.text.explored(task, false) {
            Ok(explored) => Ok(explored.into_prepared(task)),
            Err(large @ Fault::TooLarge { .. }) => Ok(Box::new(EndlessRule {
                task: task.clone(),
                program: self.text.program_of(task).map_err(refused)?,
                refusal: refused(large),
                file: self.text.file.clone(),
            })),
            Err(fault) => Err(refused(fault)),
        }
    }

    fn of_unknown(&'static self, _: &Task) -> Result<&'static dyn Algorithm, Refusal> {
        Ok(self)
    }
}

/// A rule with too many states to explore, which can still be rolled.
struct EndlessRule {
    task: Task,
    program: Arc<dyn Program>,
    /// The reason why the rule has no law.
    refusal: Refusal,
    file: String,
}

impl EndlessRule {
    fn is_refused<T>(&self) -> Result<T, AlgorithmError> {
        Err(self.refusal.clone().into())
    }
}

impl Prepared for EndlessRule {
    fn task(&self) -> &Task {
        &self.task
    }

    fn law(&self) -> Result<Law, AlgorithmError> {
        self.is_refused()
    }

    fn chain(&self, _: usize) -> Result<(Chain, Vec<String>), AlgorithmError> {
        self.is_refused()
    }

    fn play(
        &self,
        roll: &mut dyn FnMut(u128) -> Option<u64>,
        mut trace: Option<&mut dyn FnMut(Traced)>,
    ) -> Result<Option<Rolled>, AlgorithmError> {
        let refused = |fault: Fault| Refusal::Rule(fault.without_file(&self.file));
        let mut now = self.program.start().map_err(refused)?;
        let sides = self.task.source().sides().to_u128().unwrap_or(u128::MAX);
        let (target, mut rolls) = (self.task.target(), 0);
        loop {
            let state = match now {
                Move::Roll(state) => state,
                Move::Output(outcome) if !target.probability(&outcome).is_zero() => {
                    return Ok(Some(Rolled { outcome, rolls }));
                }
                Move::Output(outcome) => return Err(AlgorithmError::Outside(outcome)),
            };
            let Some(face) = roll(sides) else {
                return Ok(None);
            };
            if u128::from(face) >= sides {
                return Err(AlgorithmError::Face { face, sides });
            }
            rolls += 1;
            now = self.program.step(&state, face).map_err(refused)?;
            if let Some(trace) = trace.as_mut() {
                let name = |state| self.program.state_name(state);
                let after = match &now {
                    Move::Roll(next) => Some(name(next)),
                    Move::Output(_) => None,
                };
                trace(Traced::new(sides, face, name(&state), after));
            }
        }
    }
}

/// Follows the program state by state.
impl Rule for ExploredChain {
    type State = u32;

    fn start(&self) -> Step<u32> {
        self.to_step(self.first())
    }

    fn step(&self, state: &u32, face: u64) -> Step<u32> {
        self.to_step(self.next(*state, face))
    }

    fn sides(&self, state: &u32) -> Option<u64> {
        self.own_die(*state)
    }

    fn state_name(&self, state: &u32) -> String {
        self.name(*state).to_string()
    }
}

impl ExploredChain {
    fn to_step(&self, next: Next) -> Step<u32> {
        match next {
            Next::State(state) => Step::Roll(state),
            Next::Outcome(outcome) => Step::Output(self.outcomes()[outcome as usize].clone()),
        }
    }
}
