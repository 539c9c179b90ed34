//! Models for model checkers: the chain of an algorithm written for PRISM, Storm and Graphviz, and
//! the chains of others read and analysed.
//!
//! A [`Model`] is a discrete-time Markov chain with one reward and labels. [`Model::from_algorithm`] is the chain
//! of an algorithm: the unfinished states first, then one final state for every outcome. It is
//! written by [`write()`] in a [`Language`]; [`drn::read`] and [`explicit::read`] read a model, and
//! [`Model::analysis`] says what it costs and which outcomes it has, with exact fractions.
//!
//! ```
//! use flipcost::algorithms::FAST_DICE_ROLLER;
//! use flipcost::task::Task;
//! use flipcost_models::{Language, Model, drn, write};
//! let model = Model::from_algorithm(FAST_DICE_ROLLER, &Task::dice(2u8, 6u8)?)?;
//! let text = write(&model, Language::Drn);
//! let again = drn::read("d6.drn", text.as_bytes(), None)?;
//! let analysis = again.analysis()?;
//! assert_eq!(analysis.expected.to_string(), "11/3");
//! assert!(analysis.is_fair());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(missing_docs)]

mod analysis;
mod dot;
pub mod drn;
pub mod explicit;
pub mod family;
mod jani;
mod model;
mod parameter;
mod prism;
pub mod questions;
mod refusal;
mod text;

pub use analysis::{Analysis, ChainFault, ModelOutcome, Undriven};
pub use model::{MOST_TRANSITIONS, Model, ModelState};
pub use parameter::{ModelParameter, ModelParameterError};
pub use refusal::ModelFileError;
pub use text::{MOST_BYTES, MOST_DIGITS};

/// A language in which models are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// The PRISM language (Kwiatkowska, Norman & Parker 2011).
    Prism,
    /// JANI, in JSON (Budde, Dehnert, Hahn, Hartmanns, Junges & Turrini 2017).
    Jani,
    /// DRN, the explicit format of Storm (Hensel, Junges, Katoen, Quatmann & Volk 2022).
    Drn,
    /// A picture for Graphviz.
    Dot,
}

impl Language {
    /// All of them.
    pub const ALL: [Language; 4] = [
        Language::Prism,
        Language::Jani,
        Language::Drn,
        Language::Dot,
    ];

    /// How it is written in commands and in names of files: `prism`, `jani`, `drn`, `dot`.
    pub fn id(self) -> &'static str {
        match self {
            Language::Prism => "prism",
            Language::Jani => "jani",
            Language::Drn => "drn",
            Language::Dot => "dot",
        }
    }

    /// About the bytes that one transition takes, the longest.
    pub fn bytes_of_a_transition(self) -> u64 {
        match self {
            Language::Prism => 60,
            Language::Jani => 330,
            Language::Drn => 60,
            Language::Dot => 90,
        }
    }
}

/// The model as a text. Cost: O(transitions).
pub fn write(model: &Model, language: Language) -> String {
    match language {
        Language::Prism => prism::write(model),
        Language::Jani => jani::write(model),
        Language::Drn => drn::write(model),
        Language::Dot => dot::write(model),
    }
}
