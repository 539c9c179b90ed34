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
/// mean-toll = { over = "log-sides" }
/// # or: mean-toll = { over = "sides" }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MeanToll {
    /// What the mean is over, log n or n.
    over: Over,
}

#[derive(Clone, Copy, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
enum Over {
    LogSides,
    Sides,
}

impl Measure for MeanToll {
    fn of_n(&self) -> bool {
        false
    }

    fn value(&self, _: &Case) -> Result<Real, StudyError> {
        Ok(match self.over {
            Over::LogSides => toll::mean_over_log(),
            Over::Sides => toll::mean_over_n(),
        })
    }
}
