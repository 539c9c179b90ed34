//! Writes an algorithm's chain as a model for other programs.

use crate::{Language, MAX_TRANSITIONS, Model, write};
use flipcost_question::prelude::*;

question! {
    /// Write an algorithm as a model for a model checker or as a picture of its chain
    ///
    /// The chain of an algorithm as a model: in the PRISM language, in which the expected reward
    /// `rolls` until `done` is the expected cost; in DRN, Storm's explicit format; or as a picture
    /// for Graphviz. There are no rows: the model is the document of the answer.
    pub struct Export: "export" {
        /// The language
        language: Language; word("LANGUAGE"),
        /// The target: the sides of a fair die, or weights.
        target: TargetText; TARGET,
        /// The algorithm.
        algorithm: AlgorithmId => target.finite_algorithm(&source); ALGORITHM,
        /// The source.
        source: Sides = Sides::default(); SOURCE,
    }
    purpose: Models
    examples: [
        "export prism 6",
        "export drn 6 --source 10 -a interval",
        "export dot 4:7:8 -o chain.dot",
    ]
}

impl Question for Export {
    fn summary(&self, answer: &Answer) -> String {
        let lines = answer
            .foot
            .text
            .as_deref()
            .unwrap_or_default()
            .lines()
            .count();
        format!(
            "a model of {} from {} by {} in {}, {}",
            self.target.with_article(),
            self.source.0.with_article(),
            algorithm_phrase(self.algorithm.id()),
            self.language,
            count_with_noun(lines as u64, "line")
        )
    }

    fn estimate(&self) -> Estimate {
        let n = self.target.sum_or_most();
        let transitions = n.saturating_mul(n).saturating_mul(self.source.get());
        let transitions = transitions.min(MAX_TRANSITIONS as u128);
        let bytes = u128::from(self.language.bytes_of_a_transition());
        // The memory for the chain and the model, and for the text.
        Estimate::space((400 + bytes) * transitions, bytes * transitions)
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let task = self.target.task(&self.source.0)?;
        control.go_on()?;
        let model = Model::from_algorithm(self.algorithm.0, &task)
            .map_err(QueryError::of_algorithm("algorithm", self.algorithm.0))?;
        control.go_on()?;
        let text = write(&model, self.language);
        sink.head(&Head::new())?;
        sink.foot(Foot::text(text))
    }
}
