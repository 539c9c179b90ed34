//! The exact law of your own sampler.
//!
//! A rule is a small program, in two forms: *steps*, `start(n, m)` and `step(state, face, n, m)`,
//! or *straight code*, `rule(n, m)`, which flips and rolls anywhere. Either form becomes the finite
//! chain of its states. The chain says whether the rule is fair, what it costs and whether it ends.

#![warn(missing_docs)]

mod algorithm;
mod bounds;
mod endless;
mod explore;
mod fault;
mod functions;
mod integer;
pub mod questions;
mod registry;
mod replay;
mod script;
mod steps;
mod table;
mod value;
mod verdict;

pub use algorithm::{RULE_ID, RULES};
pub use bounds::enclose_chain;
pub use endless::{Enclosed, decimals_below, enclose};
pub use explore::{Explored, MAX_ENCLOSED, MAX_STATES, MAX_TRANSITIONS, Move, Program};
pub use fault::Fault;
pub use functions::{MakeProgram, register_functions};
pub use registry::{REGISTRY_RULES, registry_rule};
pub use value::Value;
pub use verdict::{FiniteVerdict, RuleVerdict, UnknownVerdict};

use flipcost_number::{BigInt, BigUint};
use flipcost_question::side_files::rule_file;
use replay::Replay;
use std::sync::Arc;
use steps::Steps;
use table::Table;

/// The text of a rule, and the name of its file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RuleText {
    /// The name in messages.
    pub file: String,
    /// The program.
    pub text: String,
}

impl RuleText {
    /// Parses the name of the file in the first line and the program below it, or a program alone.
    ///
    /// # Errors
    /// A sentence, if the text is only the name of a file.
    pub fn parse(text: &str) -> Result<RuleText, String> {
        match text.split_once('\n') {
            Some((file, text))
                if !file.contains("fn ")
                    && !file.starts_with("//")
                    && !table::is_table("", file) =>
            {
                Ok(RuleText {
                    file: file.to_string(),
                    text: text.to_string(),
                })
            }
            None if !text.contains("fn ") => match rule_file(text) {
                Some(program) => Ok(RuleText {
                    file: text.to_string(),
                    text: program,
                }),
                None => Err(format!(
                    "\"{text}\" is the name of a rule without its text: the name, a line break and the program were expected"
                )),
            },
            _ => Ok(RuleText {
                file: "rule".to_string(),
                text: text.to_string(),
            }),
        }
    }

    /// Returns the program for a target of n outcomes from a source of m faces.
    ///
    /// # Errors
    /// [`Fault`] if the text is not a rule.
    pub fn program(&self, n: &BigUint, m: u64) -> Result<Arc<dyn Program>, Fault> {
        if let Some(make) = functions::functions(&self.file, &self.text) {
            return make?(n, m);
        }
        // Some editors write a byte order mark.
        let text = self.text.trim_start_matches('\u{feff}');
        if table::is_table(&self.file, text) {
            return Ok(Arc::new(Table::parse(&self.file, text, m)?));
        }
        let engine = script::engine();
        let ast = script::parse(&engine, &self.file, text)?;
        let number = |number: BigInt| Value::from(number).to_dynamic();
        let (n, sides, file) = (
            number(n.clone().into()),
            number(m.into()),
            self.file.clone(),
        );
        if script::has_function(&ast, "start", 2) && script::has_function(&ast, "step", 4) {
            if script::has_function(&ast, "rule", 2) {
                return Err(Fault::TwoRules(file));
            }
            Ok(Arc::new(Steps {
                engine,
                ast,
                file,
                n,
                m: sides,
            }))
        } else {
            match Replay::new(engine, &ast, &file, n, sides, m) {
                Some(replay) => Ok(Arc::new(replay)),
                None => Err(Fault::NoRule(file)),
            }
        }
    }
}

#[cfg(test)]
mod tests;
