//! Named integer sequences: what they are, their terms, and their entries in the OEIS.
//!
//! There is one file per family, and one line in the registry. A family may take parameters, as in
//! `mr-period:base=3`; with its parameters filled in it is a [`Sequence`]. [`find`] takes an
//! A-number or an id, [`all`] lists every sequence that the registry names. Terms are always
//! computed from the definition.

pub(crate) mod description;
mod error;
pub(crate) mod families;
pub(crate) mod family;
mod rounds;
mod rules;
pub mod verify;
pub(crate) mod work;

pub use description::Description;
pub use error::SequenceError;
pub(crate) use families::FAMILIES;
use family::Value;
pub(crate) use family::{Arguments, Family, Parameter, ParameterKind};
pub(crate) use work::Work;

use crate::algorithms::literature::{self, Listed};
use crate::algorithms::{self, Algorithm, Program};
use flipcost_number::BigInt;
use flipcost_number::constant::Constant;
use flipcost_number::expression::parse_u64;
use flipcost_number::order;
use flipcost_number::residues::ResidueSequence;
use std::ops::RangeInclusive;

/// The most terms that are computed in one call.
pub const MOST_TERMS: u64 = 100_000_000;

/// The most work of one call, in steps of [`Sequence::work`]: decades of one core.
const MOST_WORK: u128 = 1 << 60;

/// The largest index of a term, so that no machine word overflows.
pub const LARGEST_INDEX: u64 = 1 << 53;

/// A named sequence: a family with its arguments.
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
    description: Description,
    family: &'static Family,
    arguments: Arguments,
}

impl Sequence {
    fn new(
        family: &'static Family,
        arguments: Arguments,
        a_number: Option<&'static str>,
    ) -> Sequence {
        let texts: Vec<(&str, String)> = arguments.texts().collect();
        let is = |name: &str, value: &str| texts.iter().all(|(n, v)| *n != name || v == value);
        let coin = is("source", "2") && is("base", "2");
        let fdr = is("algorithm", algorithms::FAST_DICE_ROLLER.about().id);
        let fill = |text: &str| {
            let mut text = text.to_string();
            for (name, value) in &texts {
                text = text.replace(&format!("{{{name}}}"), value);
                if let Ok(number) = value.parse::<u64>() {
                    text = text.replace(&format!("{{{name}-1}}"), &(number - 1).to_string());
                }
            }
            if text.contains("{method}") {
                text = text.replace("{method}", &method_in_text(arguments.algorithm()));
            }
            // A die with two sides is a coin, and it is flipped.
            for (die, coin) in [
                ("rolls of a 2-sided die", "flips of a coin"),
                ("per roll of a die with 2 sides", "per flip of a coin"),
                ("a 2-sided die", "a coin"),
                ("a 2-sided one", "a coin"),
            ] {
                text = text.replace(die, coin);
            }
            text
        };
        let fill_all = |lines: &[&str]| -> Vec<String> {
            let mut all = Vec::new();
            for mut line in lines.iter().copied() {
                let mut holds = true;
                for (mark, is_so) in [("{fdr}", fdr), ("{coin}", coin), ("{die}", !coin)] {
                    if let Some(rest) = line.strip_prefix(mark) {
                        (line, holds) = (rest, holds && is_so);
                    }
                }
                if holds {
                    all.push(fill(line));
                }
            }
            all
        };
        let defaults = family.parameters.iter().map(|p| p.default);
        let is_default = texts.iter().map(|(_, text)| text.as_str()).eq(defaults);
        let program = |code: &str, moments: fn(Program) -> &'static str| {
            let code = if code.contains("{moments}") {
                let moments = moments(arguments.algorithm().program()?);
                code.replace("{moments}", &format!("{moments}\n"))
            } else {
                code.trim().to_string()
            };
            (!code.is_empty()).then(|| fill(&code))
        };
        let mut cross_references: Vec<String> = fill_all(family.see);
        let siblings = family.listed.iter().map(|(_, number)| number);
        cross_references.extend(siblings.filter(|n| !n.is_empty()).map(|n| n.to_string()));
        cross_references.retain(|number| Some(number.as_str()) != a_number);
        let comments = fill_all(family.comments);
        let formulas = fill_all(family.formulas);
        let definition = fill(family.definition);
        let said = [&comments[..], &formulas, std::slice::from_ref(&definition)].concat();
        let (mut references, mut links) = (Vec::new(), Vec::new());
        for work in literature::said_in(&said) {
            match work.oeis() {
                Listed::Reference(line) => references.push(line),
                Listed::Link(line) => links.push(line),
            }
        }
        let id = id_of(family, &texts);
        let description = Description {
            title: fill(family.title),
            definition,
            comments,
            references,
            links,
            formulas,
            examples: match is_default {
                true => fill_all(family.examples),
                false if fdr => example(family, &arguments).into_iter().collect(),
                false => Vec::new(),
            },
            pari: program(family.pari, |program| program.pari),
            python: program(family.python, |program| program.python),
            cross_references,
            keywords: fill_all(family.keywords),
        };
        Sequence {
            id,
            a_number,
            description,
            family,
            arguments,
        }
    }

    /// The id with all arguments, such as `mr-period:base=3`.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The A-number, such as `A136043`, if the OEIS has the sequence.
    pub fn a_number(&self) -> Option<&'static str> {
        self.a_number
    }

    /// The A-number, or else the id.
    pub fn name(&self) -> &str {
        self.a_number.unwrap_or(&self.id)
    }

    /// What an entry of the OEIS says of the sequence.
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// The index of the first term.
    pub fn offset(&self) -> u64 {
        self.family.offset
    }

    /// How many terms come at once; `None` if ten thousand do.
    pub fn practical(&self) -> Option<u64> {
        self.family.practical
    }

    /// The terms of a range of indices.
    ///
    /// Cost: orders come from a sieve; where rounds are counted each odd target takes about one
    /// step for 64 rolls of its period. Members of an increasing sequence are found from its start
    /// on.
    ///
    /// # Errors
    /// [`SequenceError`] if the range begins before the offset, is too long, passes 2^53, is more work
    /// than decades of one core, or a term cannot be computed.
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
        if to > LARGEST_INDEX || to - from >= MOST_TERMS {
            return Err(SequenceError::Cannot(format!(
                "n = {from} to {to} is too much at once: up to {MOST_TERMS} terms are computed, and n up to 2^53"
            )));
        }
        if self.work(&range) > MOST_WORK {
            return Err(SequenceError::Cannot(format!(
                "{} to n = {to} would take more than 2^60 steps, decades of one core: ask for fewer terms",
                self.name()
            )));
        }
        let terms = (self.family.rule)(&self.arguments, range)?;
        debug_assert_eq!(terms.len() as u64, to - from + 1);
        Ok(terms)
    }

    /// The first terms.
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

/// An algorithm's name within a sentence: `the fast dice roller`, `rejection (bit length)`.
fn method_in_text(method: &dyn Algorithm) -> String {
    let name = method.about().name;
    let name = name[..1].to_lowercase() + &name[1..];
    if name.ends_with("roller") || name.ends_with("algorithm") {
        format!("the {name}")
    } else {
        name
    }
}

/// An example of a family about the powers of a source modulo n: those modulo 14, which has a
/// pre-period for even sources, and the term.
fn example(family: &Family, arguments: &Arguments) -> Option<String> {
    const N: u64 = 14;
    let about_powers = ["source", "base"].into_iter().find(|name| {
        let mut parameters = family.parameters.iter();
        parameters.any(|p| p.name == *name) && (*name == "source" || family.id == "mr-period")
    })?;
    let m = arguments.number(about_powers);
    let orbit = order::orbit(m, N);
    let shown = orbit.pre_period + 2 * orbit.period.min(3);
    let powers: Vec<String> = ResidueSequence::new(m, N)
        .take(shown.max(orbit.pre_period + orbit.period) as usize)
        .map(|x| x.to_string())
        .collect();
    let term = (family.rule)(arguments, N..=N).ok()?.pop()?;
    Some(format!(
        "The powers of {m} modulo {N} are {}, ..., which gives a({N}) = {term}.",
        powers.join(", ")
    ))
}

/// The id with its arguments.
fn id_of(family: &Family, texts: &[(&str, String)]) -> String {
    let arguments: Vec<String> = texts
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    if arguments.is_empty() {
        family.id.to_string()
    } else {
        format!("{}:{}", family.id, arguments.join(","))
    }
}

/// Reads `source=3,algorithm=rejection`; what is left out has its default.
fn arguments(family: &Family, text: &str) -> Result<Arguments, SequenceError> {
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
            Ok(value) if (least..=1 << 32).contains(&value) => Ok(Value::Number(value)),
            Ok(value) => Err(refuse(format!(
                "{name} = {value} is out of range: it must be {least} to 2^32"
            ))),
            Err(error) => Err(refuse(format!("{name}: {error}"))),
        };
        let value = match parameter.kind {
            ParameterKind::Source => number(2)?,
            ParameterKind::Step => number(1)?,
            ParameterKind::Algorithm => {
                let found = algorithms::find(text);
                Value::Algorithm(found.map_err(|error| refuse(error.to_string()))?)
            }
            ParameterKind::Real => {
                let value =
                    Constant::positive(text).map_err(|error| refuse(format!("{name}: {error}")))?;
                Value::Real(text.to_string(), value)
            }
        };
        values.push((name, value));
    }
    Ok(Arguments(values))
}

/// The sequence of an A-number, in either case, or of an id such as `mr-period:base=3`.
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
    let id = id.trim();
    // digits alone are an A-number
    let digits = id.len() <= 6 && !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit());
    let number = digits.then(|| format!("A{id:0>6}"));
    let id = number.as_deref().unwrap_or(id);
    let unknown = || SequenceError::Unknown(id.chars().take(60).collect());
    for family in FAMILIES {
        let mut numbered = family.listed.iter().filter(|(_, known)| !known.is_empty());
        if let Some((given, number)) = numbered.find(|(_, known)| known.eq_ignore_ascii_case(id)) {
            let arguments = arguments(family, given)?;
            return Ok(Sequence::new(family, arguments, Some(*number)));
        }
    }
    let (name, given) = id.split_once(':').unwrap_or((id, ""));
    let family = FAMILIES.iter().find(|family| family.id == name);
    let family = family.ok_or_else(unknown)?;
    let arguments = arguments(family, given)?;
    let sequence = Sequence::new(family, arguments, None);
    let listed = listed(family).into_iter();
    let known = listed.filter(|known| known.id() == sequence.id()).last();
    Ok(known.unwrap_or(sequence))
}

fn listed(family: &'static Family) -> Vec<Sequence> {
    let member = |(given, number): &(&'static str, &'static str)| {
        let arguments = arguments(family, given).expect("a test reads every entry");
        let number = (!number.is_empty()).then_some(*number);
        Sequence::new(family, arguments, number)
    };
    family.listed.iter().map(member).collect()
}

/// Every sequence that the registry lists.
pub fn all() -> Vec<Sequence> {
    FAMILIES.iter().flat_map(listed).collect()
}

impl Sequence {
    /// About how many steps of machine words the terms of a range take; saturates. O(1).
    pub fn work(&self, range: &RangeInclusive<u64>) -> u128 {
        self.family.work.steps(self.is_of_a_coin(), range)
    }

    /// About how many decimal digits a term up to the index `last` has, at most. O(1).
    pub fn digits(&self, last: u64) -> u64 {
        self.family.work.digits(last)
    }

    /// How many consecutive terms are worth computing together, if a long range may be cut into
    /// such parts at little cost; `None` if a range is best computed as a whole.
    pub fn part(&self) -> Option<u64> {
        self.family.work.part(self.is_of_a_coin())
    }

    /// Is the source or the base 2?
    fn is_of_a_coin(&self) -> bool {
        let mut texts = self.arguments.texts();
        texts.all(|(name, value)| !["source", "base"].contains(&name) || value == "2")
    }
}

#[cfg(test)]
mod tests;
