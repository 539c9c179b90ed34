//! The question `rule new`: the text of a rule to start from.

use flipcost_question::prelude::*;

question! {
    /// The text of a rule to start from, with comments, for a file such as my.rhai
    pub struct RuleNew: "rule-new", "rule new" {
        /// Print a published rule instead of the commented one: three-flips-modulo-6, recycler or
        /// shuffle-swap-any
        example: Option<String>; word("EXAMPLE"),
    }
    purpose: Numbers
    examples: ["rule new", "rule new recycler"]
}

/// The text of the rule with comments.
pub const TEMPLATE: &str = include_str!("../new.rhai");

macro_rules! examples {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!("../../../../analysis/rules/", $name, ".rhai")))),*]
    };
}

/// Rules that other people published, right and wrong, by name.
const EXAMPLES: &[(&str, &str)] =
    examples! { "three-flips-modulo-6" "recycler" "shuffle-swap-any" };

impl Question for RuleNew {
    fn summary(&self, _: &Answer) -> String {
        match &self.example {
            Some(name) => format!("the rule {name}: write it to a file such as {name}.rhai"),
            None => "a rule to start from: write it to a file such as my.rhai".to_string(),
        }
    }

    fn run(&self, _: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let text = match &self.example {
            None => TEMPLATE,
            Some(wanted) => {
                let found = EXAMPLES.iter().find(|(name, _)| name == wanted);
                let names: Vec<&str> = EXAMPLES.iter().map(|(name, _)| *name).collect();
                let wrong = || {
                    let what = say!("there is no example {wanted}");
                    QueryError::wrong("example", what).right(say!("there are ", names.join(", ")))
                };
                found.ok_or_else(wrong)?.1
            }
        };
        sink.write_answer(&Head::new(), Vec::new(), Foot::text(text.to_string()))
    }
}
