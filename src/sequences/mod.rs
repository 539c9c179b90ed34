//! Integer sequences with names, and their terms. The texts of the OEIS entries are in
//! `crates/oeis`.
//!
//! Each family of sequences is described by a few lines in `families`. A family may have
//! parameters, as in `mr-period:base=3`; a family with values for its parameters is a [`Sequence`].
//! [`find`] takes an A-number or an id, and [`all`] returns every sequence that the registry lists.
//! Terms are always computed from the definition.

mod error;
pub(crate) mod families;
pub(crate) mod family;
mod rounds;
mod rules;
pub(crate) mod work;

pub use error::SequenceError;
use families::families;
use family::ArgumentValue;
pub(crate) use family::{Family, FamilyArguments, FamilyParameter, ParameterKind};
pub(crate) use work::Work;

use crate::algorithms::{Algorithm, Catalogue, Quantity};
use flipcost_number::constant::Constant;
use flipcost_number::expression::parse_u64;
use flipcost_number::{BigInt, Real};
use std::ops::RangeInclusive;

/// The maximum number of terms of one call.
pub const MAX_TERMS: u64 = 100_000_000;

/// The maximum work of one call, in steps of [`Sequence::work`]; it would take one core decades.
const MAX_WORK: u128 = 1 << 60;

/// The largest index of a term, small enough that no machine word overflows.
pub const MAX_INDEX: u64 = 1 << 53;

/// A sequence: a family with its arguments.
///
/// ```
/// let rounds = flipcost::sequences::find("A136043")?;
/// assert_eq!((rounds.id(), rounds.offset()), ("cycle-rounds:source=2", 1));
/// assert_eq!(rounds.first(6)?, [1, 1, 1, 1, 2, 1].map(Into::into));
/// # Ok::<(), flipcost::sequences::SequenceError>(())
/// ```
#[derive(Clone)]
pub struct Sequence {
    id: String,
    a_number: Option<&'static str>,
    family: &'static Family,
    arguments: FamilyArguments,
}

/// Shows the id.
impl std::fmt::Debug for Sequence {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "Sequence({})", self.id)
    }
}

impl Sequence {
    fn new(
        family: &'static Family,
        arguments: FamilyArguments,
        a_number: Option<&'static str>,
    ) -> Sequence {
        let id = id_of(family, &arguments);
        Sequence {
            id,
            a_number,
            family,
            arguments,
        }
    }

    /// The id with all arguments, for example `mr-period:base=3`.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The A-number, for example `A136043`, if the OEIS has the sequence.
    pub fn a_number(&self) -> Option<&'static str> {
        self.a_number
    }

    /// The A-number, or the id if there is none.
    pub fn name(&self) -> &str {
        self.a_number.unwrap_or(&self.id)
    }

    /// The id of the family, for example `mr-period`.
    pub fn family(&self) -> &'static str {
        self.family.id
    }

    /// The sequence's parameters, each with its value.
    pub fn arguments(&self) -> Vec<(&'static str, String)> {
        self.arguments.texts().collect()
    }

    /// The algorithm whose costs are the terms, if the sequence has such a parameter.
    pub fn algorithm(&self) -> Option<&'static dyn Algorithm> {
        self.arguments.0.iter().find_map(|(_, value)| match value {
            ArgumentValue::Algorithm(method) => Some(*method),
            _ => None,
        })
    }

    /// The index of the first term.
    pub fn offset(&self) -> u64 {
        self.family.offset
    }

    /// The number and the base of an MR-expansion; `None` for any other sequence.
    pub fn mr_expansion(&self) -> Option<(&Real, u64)> {
        let is_expansion = self.family.id == "mr";
        is_expansion.then(|| (self.arguments.real().value(), self.arguments.number("base")))
    }

    /// If the terms are the values of a quantity of the fast dice roller at n = 1, 2, ..., this
    /// quantity and the number of sides of the source; otherwise `None`.
    ///
    /// ```
    /// use flipcost::{algorithms::Quantity, sequences};
    /// let period = sequences::find("A007737")?;
    /// assert_eq!(period.quantity(), Some((Quantity::Period, 6)));
    /// # Ok::<(), sequences::SequenceError>(())
    /// ```
    pub fn quantity(&self) -> Option<(Quantity, u64)> {
        let quantity = self.family.quantity?;
        Some((quantity, self.arguments.source()))
    }

    /// The number of terms that can be computed in one call; `None` if it is at least ten thousand.
    pub fn practical(&self) -> Option<u64> {
        self.family.practical
    }

    /// Computes the terms of a range of indices.
    ///
    /// Cost: orders come from a sieve; counting rounds takes about one step for every 64 rolls of
    /// the period of each odd target. For an increasing sequence, all members from the first up to
    /// the range are computed.
    ///
    /// # Errors
    /// [`SequenceError`] if the range begins before the offset, is too long, exceeds 2^53, would
    /// take one core decades, or if a term cannot be computed.
    pub fn terms(&self, range: RangeInclusive<u64>) -> Result<Vec<BigInt>, SequenceError> {
        let (from, to) = (*range.start(), *range.end());
        if from < self.offset() {
            return Err(SequenceError::Early {
                id: self.name().to_string(),
                offset: self.offset(),
                from,
            });
        }
        if range.is_empty() {
            return Ok(Vec::new());
        }
        if to > MAX_INDEX || to - from >= MAX_TERMS {
            return Err(SequenceError::Cannot(format!(
                "n = {from} to {to} is too large a range: at most {MAX_TERMS} terms are computed at once, and n up to 2^53"
            )));
        }
        if self.work(&range) > MAX_WORK {
            return Err(SequenceError::Cannot(format!(
                "{} to n = {to} would take more than 2^60 steps, decades of one core: ask for fewer terms",
                self.name()
            )));
        }
        let terms = (self.family.rule)(&self.arguments, range)?;
        debug_assert_eq!(terms.len() as u64, to - from + 1);
        Ok(terms)
    }

    /// Computes the first terms.
    ///
    /// # Errors
    /// As [`Sequence::terms`].
    pub fn first(&self, count: u64) -> Result<Vec<BigInt>, SequenceError> {
        match count {
            0 => Ok(Vec::new()),
            _ => self.terms(self.offset()..=self.offset().saturating_add(count - 1)),
        }
    }
}

/// The id with its arguments, as text.
fn id_of(family: &Family, arguments: &FamilyArguments) -> String {
    let texts = arguments.texts();
    let arguments: Vec<String> = texts
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    if arguments.is_empty() {
        family.id.to_string()
    } else {
        format!("{}:{}", family.id, arguments.join(","))
    }
}

/// Parses `source=3,algorithm=rejection`; omitted parameters get their defaults.
fn parse_arguments(
    family: &Family,
    text: &str,
    algorithms: Catalogue,
) -> Result<FamilyArguments, SequenceError> {
    let id = family.id;
    let refuse = |what: String| SequenceError::Argument(what);
    let mut given: Vec<(&str, &str)> = Vec::new();
    for part in text.split(',').filter(|part| !part.is_empty()) {
        let Some((name, value)) = part.split_once('=') else {
            return Err(refuse(format!(
                "\"{part}\" does not say which parameter of {id} it is: write NAME=VALUE"
            )));
        };
        let (name, value) = (name.trim(), value.trim());
        if !family.parameters.iter().any(|p| p.name == name) {
            let known: Vec<&str> = family.parameters.iter().map(|p| p.name).collect();
            return Err(refuse(if known.is_empty() {
                format!("{id} has no parameter \"{name}\": it has none at all")
            } else {
                format!(
                    "{id} has no parameter \"{name}\": it has {}",
                    known.join(", ")
                )
            }));
        }
        if given.iter().any(|(known, _)| *known == name) {
            return Err(refuse(format!("{id} is given \"{name}\" twice")));
        }
        given.push((name, value));
    }
    let mut values = Vec::new();
    for parameter in family.parameters {
        let text = given
            .iter()
            .find(|(name, _)| *name == parameter.name)
            .map_or(parameter.default, |(_, value)| value);
        let name = parameter.name;
        let number = |least: u64| match parse_u64(text) {
            Ok(value) if (least..=1 << 32).contains(&value) => Ok(ArgumentValue::Number(value)),
            Ok(value) => Err(refuse(format!(
                "{name} = {value} is out of range: it must be {least} to 2^32"
            ))),
            Err(error) => Err(refuse(format!("{name}: {error}"))),
        };
        let value = match parameter.kind {
            ParameterKind::Source => number(2)?,
            ParameterKind::Step => number(1)?,
            ParameterKind::Algorithm => {
                let found = algorithms.find(text);
                ArgumentValue::Algorithm(found.map_err(|error| refuse(error.to_string()))?)
            }
            ParameterKind::Real => {
                let value =
                    Constant::positive(text).map_err(|error| refuse(format!("{name}: {error}")))?;
                ArgumentValue::Real(text.to_string(), value)
            }
        };
        values.push((name, value));
    }
    Ok(FamilyArguments(values))
}

/// Finds a sequence by its A-number, in upper or lower case, or by its id, for example
/// `mr-period:base=3`.
///
/// ```
/// use flipcost::sequences;
/// let rounds = sequences::find("a136043").unwrap();
/// assert_eq!(rounds.id(), "cycle-rounds:source=2");
/// assert_eq!(rounds.terms(11..=11).unwrap(), [5.into()]);
/// ```
///
/// # Errors
/// [`SequenceError`] if there is no such sequence, or a parameter of the id is invalid.
pub fn find(id: &str) -> Result<Sequence, SequenceError> {
    find_with(id, Catalogue::default())
}

/// As [`find`], but a parameter may also name any algorithm of `algorithms`.
///
/// # Errors
/// As [`find`].
pub fn find_with(id: &str, algorithms: Catalogue) -> Result<Sequence, SequenceError> {
    let id = id.trim();
    // A text of digits only is an A-number.
    let digits = id.len() <= 6 && !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit());
    let number = digits.then(|| format!("A{id:0>6}"));
    let id = number.as_deref().unwrap_or(id);
    let unknown = || SequenceError::Unknown(id.chars().take(60).collect());
    for family in families() {
        let mut numbered = family.listed.iter().filter(|(_, known)| !known.is_empty());
        if let Some((given, number)) = numbered.find(|(_, known)| known.eq_ignore_ascii_case(id)) {
            let arguments = parse_arguments(family, given, algorithms)?;
            return Ok(Sequence::new(family, arguments, Some(*number)));
        }
    }
    let (name, given) = id.split_once(':').unwrap_or((id, ""));
    let family = families().find(|family| family.id == name);
    let family = family.ok_or_else(unknown)?;
    let arguments = parse_arguments(family, given, algorithms)?;
    let sequence = Sequence::new(family, arguments, None);
    let listed = listed_sequences(family).into_iter();
    let known = listed.filter(|known| known.id() == sequence.id()).last();
    Ok(known.unwrap_or(sequence))
}

fn listed_sequences(family: &'static Family) -> Vec<Sequence> {
    let member = |(given, number): &(&'static str, &'static str)| {
        let arguments = parse_arguments(family, given, Catalogue::default());
        let arguments = arguments.expect("a test reads every entry");
        let number = (!number.is_empty()).then_some(*number);
        Sequence::new(family, arguments, number)
    };
    family.listed.iter().map(member).collect()
}

/// Returns every sequence that the registry lists.
pub fn all() -> Vec<Sequence> {
    families().flat_map(listed_sequences).collect()
}

impl Sequence {
    /// Estimates the number of steps of about a nanosecond that the terms of a range take; at most
    /// `u128::MAX`. Cost: O(1).
    pub fn work(&self, range: &RangeInclusive<u64>) -> u128 {
        let work = match self.mr_expansion() {
            Some((Real::Exact(_), _)) | None => self.family.work,
            Some(_) => Work::Expansion,
        };
        work.steps(self.is_of_a_coin(), range)
    }

    /// Estimates the maximum number of decimal digits of a term up to the index `last`. Cost: O(1).
    pub fn digits(&self, last: u64) -> u64 {
        self.family.work.digits(last)
    }

    /// The number of consecutive terms to compute together, if dividing a long range into parts of
    /// this size costs little; `None` if a range should be computed as a whole.
    pub fn part(&self) -> Option<u64> {
        self.family.work.part(self.is_of_a_coin())
    }

    /// Whether the source or the base is 2.
    fn is_of_a_coin(&self) -> bool {
        let mut texts = self.arguments.texts();
        texts.all(|(name, value)| !["source", "base"].contains(&name) || value == "2")
    }
}

#[cfg(test)]
mod tests;
