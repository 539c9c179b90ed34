//! Models for model checkers: writes the chain of an algorithm for PRISM, Storm and Graphviz.
//!
//! A [`Model`] is a discrete-time Markov chain with one reward and labels.
//! [`Model::from_algorithm`] returns the chain of an algorithm: first the unfinished states, then
//! one final state for every outcome. [`write()`] writes the model in a [`Language`].
//!
//! ```
//! use flipcost::algorithms::FAST_DICE_ROLLER;
//! use flipcost::task::{Source, Task};
//! use flipcost_models::{Language, Model, write};
//! let model = Model::from_algorithm(FAST_DICE_ROLLER, &Task::die(6u8, Source::COIN)?)?;
//! assert!(write(&model, Language::Drn).starts_with("// Fast dice roller"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(missing_docs)]

use flipcost_question::choices;

mod dot;
mod drn;
mod model;
mod prism;
pub mod questions;

pub use model::{MAX_TRANSITIONS, Model, ModelState};

choices! {
    /// A language in which a model can be written.
    pub enum Language {
        /// The chain in the PRISM language, for PRISM and Storm: R{"rolls"}=? [F "done"] is the
        /// expected cost.
        Prism = "prism",
        /// The chain in DRN, the explicit format of Storm.
        Drn = "drn",
        /// The chain as a picture for Graphviz.
        Dot = "dot",
    }
}

impl Language {
    /// The approximate maximum number of bytes of a transition.
    pub fn bytes_of_a_transition(self) -> u64 {
        match self {
            Language::Prism => 60,
            Language::Drn => 60,
            Language::Dot => 90,
        }
    }
}

/// Writes the model as text. Cost: O(transitions).
pub fn write(model: &Model, language: Language) -> String {
    match language {
        Language::Prism => prism::write(model),
        Language::Drn => drn::write(model),
        Language::Dot => dot::write(model),
    }
}
