//! A target, or a function of an unknown probability.

use flipcost::algorithms::{Algorithm, CoinFunction};
use flipcost::task::{Source, Task};
use flipcost_number::RationalFunction;
use flipcost_number::expression::ExpressionError;
use flipcost_number::functions::parse_function;
use flipcost_question::description::{FieldValue, ValueAbout, text_of};
use flipcost_question::sentence::Sentence;
use flipcost_question::sides::known;
use flipcost_question::target_text::why_no_target;
use flipcost_question::targets::is_list;
use flipcost_question::value::registered;
use flipcost_question::{AlgorithmId, QueryError, Sides, TargetText, TargetTextError};
use serde_json::Value as Json;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// A target as [`TargetText`] reads it, or a coin that shows heads with probability f(p), as in
/// `f(p)=p^2/(p^2+(1-p)^2)`, where p is that of the source.
///
/// ```
/// use flipcost_one_draw::CostTarget;
/// let function: CostTarget = "f(p) = p^2".parse()?;
/// assert_eq!(function.to_string(), "f(p)=p^2");
/// assert!(matches!("1:2".parse()?, CostTarget::Outcomes(_)));
/// # Ok::<(), flipcost_one_draw::CostTargetError>(())
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
    /// Heads and tails, for their names.
    coin: TargetText,
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

    /// The rule that makes it from this source, which must be a coin.
    ///
    /// # Errors
    /// A sentence that says so, or why no rule makes it.
    pub(crate) fn rule(&self, source: &Source) -> Result<CoinFunction, QueryError> {
        if source.sides() != 2u8.into() {
            let what = format!(
                "p is the probability of heads of a coin, and the source is {}",
                source.with_article()
            );
            let right = "unknown:2 or a coin such as p=1/3 was expected";
            return Err(QueryError::wrong("source", what).right(right));
        }
        CoinFunction::new(self.function.clone())
            .map_err(|error| QueryError::wrong("target", format!("{self} is not made: {error}")))
    }

    /// That this algorithm is the one rule for it.
    ///
    /// # Errors
    /// A sentence that says so.
    pub(crate) fn made_by(&self, field: &str, algorithm: AlgorithmId) -> Result<(), QueryError> {
        if algorithm == registered(RULE) {
            return Ok(());
        }
        let what = format!("{algorithm} is for a number of sides or weights");
        let right = format!("{self} has one rule, {RULE}");
        Err(QueryError::wrong(field, what).right(right))
    }
}

/// The rule for functions of p.
pub(crate) const RULE: &str = "mossel-peres";

/// What plays a target.
pub enum Player {
    /// An algorithm, for outcomes.
    Listed(&'static dyn Algorithm),
    /// The rule for a function of p.
    Coin(CoinFunction, Box<dyn Algorithm>),
}

impl Player {
    /// It as an algorithm.
    pub fn get(&self) -> &dyn Algorithm {
        match self {
            Player::Listed(algorithm) => *algorithm,
            Player::Coin(_, algorithm) => &**algorithm,
        }
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
    /// The algorithm of a question about it that names none: see [`TargetText::algorithm`].
    pub fn algorithm(&self, source: &Sides) -> AlgorithmId {
        match self {
            CostTarget::Outcomes(target) => target.algorithm(source),
            CostTarget::Function(_) => registered(RULE),
        }
    }

    /// What a title calls it: `a d6`, `weights 1:2:3`, `f(p)=p^2`.
    pub fn with_article(&self) -> String {
        match self {
            CostTarget::Outcomes(target) => target.with_article(),
            CostTarget::Function(function) => function.to_string(),
        }
    }

    /// What a sentence calls it.
    pub(crate) fn in_words(&self) -> String {
        match self {
            CostTarget::Outcomes(target) => target.in_words(),
            CostTarget::Function(function) => function.to_string(),
        }
    }

    /// The outcomes with their names; those of a coin stand as if they were equally likely.
    pub fn names(&self) -> &TargetText {
        match self {
            CostTarget::Outcomes(target) => target,
            CostTarget::Function(function) => &function.coin,
        }
    }

    /// The task from a source of known probabilities, and what plays it.
    ///
    /// # Errors
    /// A sentence that says why there is no such task, or no such function.
    pub fn played(
        &self,
        source: &Source,
        algorithm: AlgorithmId,
    ) -> Result<(Task, Player), QueryError> {
        known(source)?;
        let (task, player) = self.played_by_anyone(source, algorithm)?;
        let Player::Coin(rule, _) = &player else {
            return Ok((task, player));
        };
        let target = rule
            .target(source)
            .map_err(QueryError::for_field("source"))?;
        Ok((Task::new(source.clone(), target), player))
    }

    /// The same where the probabilities may be unknown: of a function they stand as if they were equal.
    ///
    /// # Errors
    /// As [`CostTarget::played`].
    pub fn played_by_anyone(
        &self,
        source: &Source,
        algorithm: AlgorithmId,
    ) -> Result<(Task, Player), QueryError> {
        let player = match self {
            CostTarget::Outcomes(_) => Player::Listed(algorithm.0),
            CostTarget::Function(function) => {
                function.made_by("algorithm", algorithm)?;
                let rule = function.rule(source)?;
                Player::Coin(rule.clone(), rule.algorithm())
            }
        };
        Ok((self.names().task_of_any(source)?, player))
    }

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
        if !flipcost_question::target_text::is_function(text) {
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
            coin: "{'heads': 1, 'tails': 1}".parse()?,
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

impl FieldValue for CostTarget {
    const ABOUT: ValueAbout = ValueAbout {
        python: "WantedLike",
        fits: |json| !is_list(json),
        ..TargetText::ABOUT
    };

    fn of_json(json: &Json) -> Result<CostTarget, Sentence> {
        let text = text_of(json)?;
        text.parse::<CostTarget>().map_err(why_no_target(&text))
    }

    fn json(&self) -> Option<Json> {
        Some(self.to_string().into())
    }

    fn reading(&self) -> Option<String> {
        self.outcomes().and_then(TargetText::reading)
    }
}
