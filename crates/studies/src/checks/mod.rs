//! The kinds of checks. Each kind has its own file, a line in the list below, and a `mod`.
//!
//! A new kind is a struct that serde reads and that implements [`Decide`]. The file of a kind
//! imports the layers below (values, costs, terms, rules), but no other kind.

mod enclosed;
mod fairness;
mod identified;
mod sequence;
mod that;
mod theorem;

use super::decide::Decide;
use super::tagged::tagged;

tagged! {
    /// The question of a check; its key names its kind.
    pub enum CheckQuestion: Decide {
        "that" => That(that::Statements),
        "sequence" => Sequence(sequence::SequenceTerms),
        "fairness" => Fairness(fairness::FairnessCheck),
        "theorem" => Theorem(theorem::Theorem),
        "enclosed" => Enclosed(enclosed::EnclosedRule),
        "identified" => Identified(identified::Identified),
    }
}
