//! A rule to start from.

use flipcost_question::prelude::*;

question! {
    /// The text of a rule to start from, with comments, for a file such as my.rhai
    pub struct RuleNew: "rule-new", "rule new" {}
    purpose: Numbers
    examples: ["rule new"]
}

/// The text.
pub const TEMPLATE: &str = include_str!("../new.rhai");

impl Question for RuleNew {
    fn summary(&self, _: &Answer) -> String {
        "a rule to start from: write it to a file such as my.rhai".to_string()
    }

    fn run(&self, _: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        sink.write_answer(&Head::new(), Vec::new(), Foot::text(TEMPLATE.to_string()))
    }
}
