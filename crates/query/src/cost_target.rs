//! What `cost` is asked of: a target, or a function of an unknown probability.

use crate::description::{Value, ValueAbout, said, text_of};
use crate::sentence::Sentence;
use crate::{TargetText, TargetTextError};
use flipcost::number::RationalFunction;
use flipcost::unstable::number::expression::ExpressionError;
use flipcost::unstable::number::functions::parse_function;
use serde_json::Value as Json;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// A target as [`TargetText`] reads it, or a coin that shows heads with probability f(p), as in
/// `f(p)=p^2/(p^2+(1-p)^2)`, where p is that of the source.
///
/// ```
/// use flipcost_query::CostTarget;
/// let function: CostTarget = "f(p) = p^2".parse()?;
/// assert_eq!(function.to_string(), "f(p)=p^2");
/// assert!(matches!("1:2".parse()?, CostTarget::Outcomes(_)));
/// # Ok::<(), flipcost_query::CostTargetError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum CostTarget {
    /// A fair die or weights.
    Outcomes(TargetText),
    /// A coin.
    Function(FunctionText),
}

/// A function of p as it was written.
#[derive(Clone, Debug)]
pub struct FunctionText {
    text: Arc<str>,
    function: RationalFunction,
}

/// Why a text is neither.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CostTargetError {
    /// It is no target.
    #[error(transparent)]
    Target(#[from] TargetTextError),
    /// It begins as a function, but is none.
    #[error(transparent)]
    Function(#[from] ExpressionError),
    /// It has no `f(p)=` before it.
    #[error(
        "\"{0}\" is no function: a coin of f(p) is written f(p)=p^2, where p is the probability of heads"
    )]
    Name(String),
}

impl FunctionText {
    /// The function.
    pub fn function(&self) -> &RationalFunction {
        &self.function
    }
}

impl PartialEq for FunctionText {
    fn eq(&self, other: &FunctionText) -> bool {
        self.function == other.function
    }
}

impl fmt::Display for FunctionText {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "f(p)={}", self.text)
    }
}

impl CostTarget {
    /// A fair die or weights.
    pub fn outcomes(&self) -> Option<&TargetText> {
        match self {
            CostTarget::Outcomes(target) => Some(target),
            CostTarget::Function(_) => None,
        }
    }
}

impl From<TargetText> for CostTarget {
    fn from(target: TargetText) -> CostTarget {
        CostTarget::Outcomes(target)
    }
}

impl FromStr for CostTarget {
    type Err = CostTargetError;

    fn from_str(text: &str) -> Result<CostTarget, CostTargetError> {
        if !crate::target_text::is_function(text) {
            return Ok(CostTarget::Outcomes(text.parse()?));
        }
        let named = text.split_once('=').filter(|(name, _)| {
            let name = name.chars().filter(|c| !c.is_whitespace());
            name.eq("f(p)".chars())
        });
        let Some((_, written)) = named else {
            return Err(CostTargetError::Name(text.chars().take(60).collect()));
        };
        let written = written.trim();
        Ok(CostTarget::Function(FunctionText {
            function: parse_function(written)?,
            text: written.into(),
        }))
    }
}

/// As it was written.
impl fmt::Display for CostTarget {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            CostTarget::Outcomes(target) => target.fmt(f),
            CostTarget::Function(function) => function.fmt(f),
        }
    }
}

impl Value for CostTarget {
    const ABOUT: ValueAbout = TargetText::ABOUT;

    fn of_json(json: &Json) -> Result<CostTarget, Sentence> {
        text_of(json)?.parse::<CostTarget>().map_err(said)
    }

    fn json(&self) -> Option<Json> {
        Some(self.to_string().into())
    }

    fn reading(&self) -> Option<String> {
        self.outcomes().and_then(TargetText::reading)
    }
}
