//! An algorithm's chain in the PRISM language.

use crate::dice::{fast_dice_roller, unless};
use crate::{
    AlgorithmId, CommandLine, Control, Estimate, Foot, Head, QueryError, Question, Sides, Sink,
    TargetText,
};
use flipcost::unstable::algorithms::prism::{MOST_TRANSITIONS, prism};
use serde::{Deserialize, Serialize};

/// The chain of an algorithm in the PRISM language, for a model checker, in which
/// `R{"rolls"}=? [F "done"]` is the expected cost. No rows: the model is the text of the foot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExportPrism {
    /// The target: the sides of a fair die, or weights.
    pub target: TargetText,
    /// The algorithm.
    #[serde(default = "fast_dice_roller")]
    pub algorithm: AlgorithmId,
    /// The source.
    #[serde(default)]
    pub source: Sides,
}

impl ExportPrism {
    /// The model of the fast dice roller, with a coin.
    pub fn new(n: impl Into<TargetText>) -> ExportPrism {
        let target = n.into();
        ExportPrism {
            algorithm: target.algorithm(),
            target,
            source: Sides::default(),
        }
    }
}

impl Question for ExportPrism {
    fn command(&self) -> CommandLine {
        CommandLine::new("export prism")
            .target(&self.target)
            .maybe("algorithm", unless(self.algorithm, self.target.algorithm()))
            .maybe("source", unless(self.source, Sides::default()))
    }

    fn estimate(&self) -> Estimate {
        let n: u128 = self
            .target
            .target()
            .weight_sum()
            .try_into()
            .unwrap_or(u128::MAX);
        let transitions = n.saturating_mul(n).saturating_mul(self.source.get());
        Estimate::table(transitions.min(MOST_TRANSITIONS as u128), 1, 1000, 40)
    }

    fn run(&self, control: &Control, sink: &mut dyn Sink) -> Result<(), QueryError> {
        let task = self.target.task(self.source.0)?;
        control.go_on()?;
        let text = prism(self.algorithm.0, &task).map_err(QueryError::input)?;
        sink.head(&Head::new())?;
        sink.foot(Foot {
            text: Some(text),
            ..Foot::default()
        })
    }
}
