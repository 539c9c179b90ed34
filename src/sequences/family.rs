//! Types that describe a family of sequences in the registry, and the arguments of a member.

use super::error::SequenceError;
use super::work::Work;
use crate::algorithms::{Algorithm, Quantity};
use flipcost_number::BigInt;
use flipcost_number::constant::Constant;
use std::ops::RangeInclusive;

/// The function that computes the terms of a range of indices, given the arguments.
pub(crate) type Terms =
    fn(&FamilyArguments, RangeInclusive<u64>) -> Result<Vec<BigInt>, SequenceError>;

/// A family of sequences, as the registry describes it.
pub(crate) struct Family {
    /// The id.
    pub(crate) id: &'static str,
    /// The family's parameters, each with its default.
    pub(crate) parameters: &'static [FamilyParameter],
    /// The members that are listed, as pairs: the arguments, and the A-number (empty if there is
    /// none).
    pub(crate) listed: &'static [(&'static str, &'static str)],
    /// The index of the first term.
    pub(crate) offset: u64,
    /// The number of terms that can be computed in one call; `None` if it is at least ten thousand.
    pub(crate) practical: Option<u64>,
    /// The kind of work that computing the terms takes.
    pub(crate) work: Work,
    /// The quantity of the fast dice roller whose values are the terms, for the source of the
    /// parameter `source`.
    pub(crate) quantity: Option<Quantity>,
    /// The function that computes the terms.
    pub(crate) rule: Terms,
}

/// A parameter of a family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FamilyParameter {
    /// The parameter's name.
    pub(crate) name: &'static str,
    /// The parameter's default value.
    pub(crate) default: &'static str,
    /// The kind of values that the parameter accepts.
    pub(crate) kind: ParameterKind,
}

/// The kind of values that a parameter accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ParameterKind {
    /// The number of sides of a source, or a base: 2 to 2^32.
    Source,
    /// The step of a progression: 1 to 2^32.
    Step,
    /// The id of an algorithm.
    Algorithm,
    /// A positive number, for example 1/29 or e.
    Real,
}

#[derive(Clone)]
pub enum ArgumentValue {
    Number(u64),
    Algorithm(&'static dyn Algorithm),
    Real(String, Constant),
}

/// The parameters of a family with their values.
#[derive(Clone)]
pub(crate) struct FamilyArguments(pub(super) Vec<(&'static str, ArgumentValue)>);

impl FamilyArguments {
    pub(super) fn value(&self, name: &str) -> &ArgumentValue {
        let found = self.0.iter().find(|(known, _)| *known == name);
        &found.expect("a rule asks for parameters of its family").1
    }

    /// The value of a parameter that is a number.
    pub(super) fn number(&self, name: &str) -> u64 {
        match self.value(name) {
            ArgumentValue::Number(value) => *value,
            _ => unreachable!("{name} is a number"),
        }
    }

    /// The value of the parameter `source`.
    pub(super) fn source(&self) -> u64 {
        self.number("source")
    }

    pub(super) fn algorithm(&self) -> &'static dyn Algorithm {
        match self.value("algorithm") {
            ArgumentValue::Algorithm(method) => *method,
            _ => unreachable!("it is an algorithm"),
        }
    }

    pub(super) fn real(&self) -> &Constant {
        match self.value("x") {
            ArgumentValue::Real(_, value) => value,
            _ => unreachable!("it is a real number"),
        }
    }

    pub(super) fn texts(&self) -> impl Iterator<Item = (&'static str, String)> + '_ {
        self.0.iter().map(|(name, value)| {
            let text = match value {
                ArgumentValue::Number(value) => value.to_string(),
                ArgumentValue::Algorithm(method) => method.about().id.to_string(),
                ArgumentValue::Real(text, _) => text.clone(),
            };
            (*name, text)
        })
    }
}
