//! The quantity `toll-amplitude`: see [`TollAmplitude`].

use crate::studies::case::Case;
use crate::studies::error::{Mistake, StudyError};
use crate::studies::limits::{OSCILLATIONS, at_most};
use crate::studies::measure::Measure;
use flipcost::number::Real;
use flipcost::unstable::law::toll;
use schemars::JsonSchema;
use serde::Deserialize;

/// The amplitude of an oscillation of the toll of the fast dice roller with a coin about its mean
/// over log n: twice the absolute value of the h-th Fourier coefficient.
///
/// ```toml
/// toll-amplitude = { h = 1 }
/// ```
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TollAmplitude {
    /// Which: it has h periods between two powers of two.
    h: u64,
}

impl Measure for TollAmplitude {
    fn of_n(&self) -> bool {
        false
    }

    fn value(&self, _: &Case) -> Result<Real, StudyError> {
        at_most("h", self.h, "oscillations", OSCILLATIONS)?;
        match self.h {
            0 => {
                let what = "the oscillations are counted from h = 1";
                Err(Mistake::of("h", 0, what).into())
            }
            h => Ok(toll::amplitude(h as usize)),
        }
    }
}
