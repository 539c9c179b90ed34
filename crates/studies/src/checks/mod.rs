//! The kinds of checks: each has one file, one line in the list below, and its `mod`.
//!
//! A new kind is a struct that serde reads and that implements [`Decide`]; what it computes with
//! (values, costs, terms, rules) lies in the files below it, and it imports none of its siblings.

mod enclosed;
mod fairness;
mod identified;
mod sequence;
mod that;
mod theorem;

use super::decide::Decide;
use super::tagged::tagged;

tagged! {
    /// The question of a check: its key names the kind of question.
    pub enum CheckQuestion: Decide {
        "that" => That(that::Statements),
        "sequence" => Sequence(sequence::SequenceTerms),
        "fairness" => Fairness(fairness::FairnessCheck),
        "theorem" => Theorem(theorem::Theorem),
        "enclosed" => Enclosed(enclosed::EnclosedRule),
        "identified" => Identified(identified::Identified),
    }
}
