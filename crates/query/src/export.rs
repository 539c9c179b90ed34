//! An algorithm's chain as a model for other programs.

use crate::dice::{fast_dice_roller, unless};
use crate::{
    AlgorithmId, CommandLine, Control, Estimate, Foot, Head, QueryError, Question, Sides, Sink,
    TargetText,
};
use flipcost_models::{Language, MOST_TRANSITIONS, Model, write};
use serde::{Deserialize, Serialize};

/// The chain of an algorithm as a model: in the PRISM language or JANI, in which the expected reward
/// `rolls` until `done` is the expected cost; in DRN, Storm's explicit format; or as a picture for
/// Graphviz. No rows: the model is the text of the foot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Export {
    /// The language.
    pub language: ModelLanguage,
    /// The target: the sides of a fair die, or weights.
    pub target: TargetText,
    /// The algorithm.
    #[serde(default = "fast_dice_roller")]
    pub algorithm: AlgorithmId,
    /// The source.
    #[serde(default)]
    pub source: Sides,
}

/// A language in which models are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ModelLanguage {
    /// The PRISM language.
    Prism,
    /// JANI, in JSON.
    Jani,
    /// DRN, Storm's explicit format.
    Drn,
    /// A picture for Graphviz.
    Dot,
}

impl ModelLanguage {
    fn get(self) -> Language {
        match self {
            ModelLanguage::Prism => Language::Prism,
            ModelLanguage::Jani => Language::Jani,
            ModelLanguage::Drn => Language::Drn,
            ModelLanguage::Dot => Language::Dot,
        }
    }
}

impl Export {
    /// The model of the cheapest algorithm, with a coin.
    pub fn new(language: ModelLanguage, n: impl Into<TargetText>) -> Export {
        let target = n.into();
        Export {
            language,
            algorithm: target.algorithm(),
            target,
            source: Sides::default(),
        }
    }
}

impl Question for Export {
    fn command(&self) -> CommandLine {
        CommandLine::new("export")
            .word(self.language.get().id())
            .target(&self.target)
            .maybe("algorithm", unless(self.algorithm, self.target.algorithm()))
            .maybe("source", unless(self.source, Sides::default()))
    }

    fn estimate(&self) -> Estimate {
        let n = self.target.sum_or_most();
        let transitions = n.saturating_mul(n).saturating_mul(self.source.get());
        let transitions = transitions.min(MOST_TRANSITIONS as u128);
        let bytes = u128::from(self.language.get().bytes_of_a_transition());
        let mut estimate = Estimate::table(transitions, 1, 1000, bytes);
        // the chain and the model beside the text
        estimate.memory = estimate.memory.saturating_add(400 * transitions);
        estimate
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let task = self.target.task(self.source.0)?;
        control.go_on()?;
        let model = Model::of(self.algorithm.0, &task).map_err(QueryError::of("algorithm"))?;
        control.go_on()?;
        let text = write(&model, self.language.get());
        sink.head(&Head::new())?;
        sink.foot(Foot {
            text: Some(text),
            ..Foot::default()
        })
    }
}
