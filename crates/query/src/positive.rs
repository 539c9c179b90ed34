//! A positive real number as people write it and as JSON holds it.

use crate::value::text_of;
use flipcost::number::Real;
use flipcost::unstable::number::constant::{Constant, ConstantError};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// A positive real number as it was written: `1/29`, `e`, `sqrt(2)`, `ln(2)`, `e-2`. Two are equal
/// if they are written alike.
///
/// ```
/// let x: flipcost_query::Positive = "e - 2".parse()?;
/// assert_eq!(x.value().decimals(10).unwrap(), "0.7182818285");
/// assert_eq!(x.to_string(), "e - 2");
/// # Ok::<(), flipcost::unstable::number::constant::ConstantError>(())
/// ```
#[derive(Clone)]
pub struct Positive {
    text: String,
    value: Constant,
}

impl Positive {
    /// Its value: a fraction, or enclosed.
    pub fn value(&self) -> &Real {
        self.value.value()
    }
}

impl PartialEq for Positive {
    fn eq(&self, other: &Positive) -> bool {
        self.text == other.text
    }
}

impl fmt::Debug for Positive {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Display for Positive {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Positive {
    type Err = ConstantError;

    fn from_str(text: &str) -> Result<Positive, ConstantError> {
        let value = Constant::positive(text)?;
        let text = text.trim().to_string();
        Ok(Positive { text, value })
    }
}

impl Serialize for Positive {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Positive {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        text_of(from)?.parse().map_err(serde::de::Error::custom)
    }
}
