//! The quantity `cost`: see [`CostOfTarget`].

use crate::studies::asked::cost;
use crate::studies::case::Case;
use crate::studies::costs;
use crate::studies::error::{Mistake, StudyError};
use crate::studies::measure::Measure;
use crate::studies::of_n::OfN;
use crate::studies::values::{AlgorithmName, TargetText, coin};
use flipcost::number::Real;
use flipcost::task::{Source, Task};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What any target costs, a fair die or weights: the expected rolls, the entropy or the toll, which
/// is the first less the second.
///
/// ```toml
/// cost = { algorithm = "aldr:K=5", target = "4:7:8" }
/// # or: cost = { algorithm = "fldr", target = "2*n:1:1", column = "toll" }
/// # or: cost = { source = 6, target = "4:7:8", column = "entropy" }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CostOfTarget {
    #[serde(default = "coin")]
    source: u64,
    /// How it is rolled; the entropy needs none.
    algorithm: Option<OfN<AlgorithmName>>,
    /// What is made.
    target: OfN<TargetText>,
    /// What is asked for.
    #[serde(default)]
    column: Column,
}

#[derive(Clone, Copy, Default, PartialEq, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
enum Column {
    #[default]
    Expected,
    Entropy,
    Toll,
}

impl Measure for CostOfTarget {
    fn of_n(&self) -> bool {
        self.target.of_n() || self.algorithm.as_ref().is_some_and(OfN::of_n)
    }

    fn question(&self) -> Option<Value> {
        let algorithm = match &self.algorithm {
            Some(algorithm) => *algorithm.at(None).ok()?,
            None => AlgorithmName(flipcost::algorithms::find("knuth-yao").ok()?),
        };
        let target = self.target.at(None).ok()?.0.to_string();
        let columns: &[&str] = match self.column {
            Column::Expected => &["expected_exact", "expected"],
            Column::Entropy => &["entropy"],
            Column::Toll => &["toll"],
        };
        Some(cost(algorithm, self.source, &target, columns))
    }

    fn value(&self, case: &Case) -> Result<Real, StudyError> {
        let target = self.target.at(case.n)?.0.clone();
        let source = Source::die(self.source).map_err(Mistake::new)?;
        let task = Task::new(source, target);
        if self.column == Column::Entropy {
            task.sides()?;
            return Ok(task.entropy());
        }
        let Some(algorithm) = &self.algorithm else {
            let what = "an algorithm has a cost";
            return Err(Mistake::new(what)
                .field("algorithm")
                .right("write algorithm = \"knuth-yao\" or another")
                .into());
        };
        let mean = costs::mean(algorithm.at(case.n)?.0, &task)?;
        Ok(match self.column {
            Column::Toll => mean.minus(&task.entropy()),
            _ => mean,
        })
    }
}
