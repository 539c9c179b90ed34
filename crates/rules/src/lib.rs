//! Computes the exact law of a sampler that a user writes as a rule.
//!
//! A rule is a small program in one of two forms. *Steps* are two functions, `start(n, m)` and
//! `step(state, face, n, m)`. *Straight code* is one function, `rule(n, m)`, which can flip and
//! roll at any point. Both forms become a finite chain of states. The chain shows whether the rule
//! is fair, what it costs and whether it ends.

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
pub use endless::{LawBounds, decimals_below, enclose};
pub use explore::{ExploredChain, MAX_ENCLOSED, MAX_STATES, MAX_TRANSITIONS, Move, Program};
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
    /// The name of the file in error messages.
    pub file: String,
    /// The text of the program.
    pub text: String,
}

impl RuleText {
    /// Parses a rule: the name of its file in the first line and the program below, or a program
    /// alone.
    ///
    /// # Errors
    /// If the text is only the name of a file; the error is a sentence.
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
