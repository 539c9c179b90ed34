//! The quantity `mean-toll`: see [`MeanToll`].

use crate::studies::case::Case;
use crate::studies::error::StudyError;
use crate::studies::measure::Measure;
use flipcost::number::Real;
use flipcost::unstable::law::toll;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The mean of the toll of the fast dice roller with a coin over a period, between two powers of
/// two: over log n, 1/2 + (1 - gamma) / ln 2, or over n, as n grows.
///
/// ```toml
/// mean-toll = { over = "log n" }
/// # or: mean-toll = { over = "n" }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MeanToll {
    /// What the mean is over.
    over: Over,
}

#[derive(Clone, Copy, Deserialize, JsonSchema, Serialize)]
#[schemars(inline)]
enum Over {
    #[serde(rename = "log n")]
    Log,
    #[serde(rename = "n")]
    Sides,
}

impl Measure for MeanToll {
    fn of_n(&self) -> bool {
        false
    }

    fn value(&self, _: &Case) -> Result<Real, StudyError> {
        Ok(match self.over {
            Over::Log => toll::mean_over_log(),
            Over::Sides => toll::mean_over_n(),
        })
    }
}
