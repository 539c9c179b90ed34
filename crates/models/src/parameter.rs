//! Parameters of models, by name, with their values.

use crate::text::{number, quoted_prefix};
use flipcost_number::Rational;
use flipcost_number::expression::{ExpressionError, parse_signed};
use num_traits::Signed;
use std::fmt;
use std::str::FromStr;

/// A parameter with its value: `p=1/3`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelParameter {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: Rational,
}

/// Why a text is no parameter with a value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModelParameterError {
    /// No name and `=`.
    #[error("a parameter is given its value as in p=1/3")]
    Form,
    /// No number behind it.
    #[error(transparent)]
    Number(#[from] ExpressionError),
}

impl FromStr for ModelParameter {
    type Err = ModelParameterError;

    fn from_str(text: &str) -> Result<ModelParameter, ModelParameterError> {
        let (name, value) = text.split_once('=').ok_or(ModelParameterError::Form)?;
        let name = name.trim().to_string();
        if name.is_empty() {
            return Err(ModelParameterError::Form);
        }
        let value = parse_signed(value.trim())?;
        Ok(ModelParameter { name, value })
    }
}

impl fmt::Display for ModelParameter {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}={}", self.name, self.value)
    }
}

/// The value of an expression of parameters, not negative. Their names are replaced by their values in brackets.
pub(crate) fn value(text: &str, parameters: &[ModelParameter]) -> Result<Rational, String> {
    let plain = number(text);
    if plain.is_ok() || parameters.is_empty() {
        return plain;
    }
    let in_name = |c: char| c.is_alphanumeric() || c == '_';
    let (mut written, mut rest) = (String::new(), text);
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c| !in_name(c)).unwrap_or(rest.len());
        if !in_name(first) {
            written.push(first);
            rest = &rest[first.len_utf8()..];
        } else {
            let (word, after) = rest.split_at(end);
            match parameters.iter().find(|one| one.name == word) {
                Some(one) => written += &format!("({})", one.value),
                None => written += word,
            }
            rest = after;
        }
    }
    match parse_signed(&written) {
        Ok(value) if !value.is_negative() => Ok(value),
        Ok(value) => Err(format!("{} is {value}, below 0", quoted_prefix(text))),
        Err(error) => Err(format!("{}: {}", quoted_prefix(text), error.what())),
    }
}
