//! A rule of one's own wherever an algorithm is named: `rule:my.rhai`, and its text in the lines below.

use crate::RuleText;
use crate::explore::Explored;
use flipcost::algorithms::AlgorithmError;
use flipcost::algorithms::{About, Algorithm, ParameterError, Prepared, Rule, algorithm_from_rule};
use flipcost::law::{CostFormula, Next, Step};
use flipcost::task::{Refusal, Task};
use flipcost_question::side_files::rule_file;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Under this id rules of one's own are asked for.
pub const RULE_ID: &str = "rule";

/// Bytes of the texts of all rules of one process.
const MOST_TEXT: usize = 1 << 28;

/// The algorithm that is none itself, but becomes one with a file.
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
        static MADE: Mutex<KnownRules> = Mutex::new(KnownRules {
            bytes: 0,
            rules: None,
        });
        let text = RuleText::parse(parameters).map_err(ParameterError::new)?;
        let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
        let KnownRules { bytes, rules } = &mut *made;
        let rules = rules.get_or_insert_default();
        if let Some(known) = rules.get(parameters) {
            return Ok(*known);
        }
        *bytes += parameters.len();
        if *bytes > MOST_TEXT {
            return Err(ParameterError::new(
                "too many rules for one process: start it again",
            ));
        }
        let id: &'static str = format!("{RULE_ID}:{}", text.file).leak();
        let spelling = match rule_file(parameters) {
            Some(program) => format!("{RULE_ID}:{}\n{program}", text.file),
            None => format!("{RULE_ID}:{parameters}"),
        };
        let inner = algorithm_from_rule(About::new(id), move |task| {
            text.explored(task, false)
                .map_err(|fault| Refusal::Rule(fault.to_string()))
        });
        let named: &'static dyn Algorithm = Box::leak(Box::new(RuleAlgorithm { spelling, inner }));
        rules.insert(parameters.to_string(), named);
        Ok(named)
    }
}

/// The rules that were asked for, each of which is made once.
struct KnownRules {
    bytes: usize,
    rules: Option<HashMap<String, &'static dyn Algorithm>>,
}

struct RuleAlgorithm {
    spelling: String,
    inner: Box<dyn Algorithm>,
}

impl Algorithm for RuleAlgorithm {
    fn about(&self) -> &About {
        self.inner.about()
    }

    fn spelling(&self) -> &str {
        &self.spelling
    }

    fn purpose(&self) -> flipcost::algorithms::Purpose {
        self.inner.purpose()
    }

    fn prepare(&self, task: &Task) -> Result<Box<dyn Prepared>, Refusal> {
        self.inner.prepare(task)
    }

    fn prepare_to_play(&self, task: &Task) -> Result<Box<dyn Prepared>, Refusal> {
        self.inner.prepare_to_play(task)
    }

    fn formula(&self, task: &Task, limit: usize) -> Result<CostFormula, AlgorithmError> {
        self.inner.formula(task, limit)
    }

    fn of_unknown(&'static self, _: &Task) -> Result<&'static dyn Algorithm, Refusal> {
        Ok(self)
    }
}

/// The program, state by state.
impl Rule for Explored {
    type State = u32;

    fn start(&self) -> Step<u32> {
        self.go(self.first())
    }

    fn step(&self, state: &u32, face: u64) -> Step<u32> {
        self.go(self.next(*state, face))
    }

    fn state_name(&self, state: &u32) -> String {
        self.name(*state).to_string()
    }
}

impl Explored {
    fn go(&self, next: Next) -> Step<u32> {
        match next {
            Next::State(state) => Step::Roll(state),
            Next::Outcome(outcome) => Step::Output(self.outcomes()[outcome as usize].clone()),
        }
    }
}
