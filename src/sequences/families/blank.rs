//! Definitions that several groups of families use.

pub(super) use super::super::rules::{self, compute_terms, from_digits, from_orbits, members};
pub(super) use super::super::{Family, FamilyParameter, ParameterKind, Work, rounds};
pub(super) use crate::algorithms::{FastDiceRoller, Quantity, RuleInfo};
pub(super) use flipcost_number::{BigInt, Rational, order};

/// The members for the sources 2, 3, 6 and 10, of which the first has the given A-number.
macro_rules! four_sources {
    ($number:literal) => {
        &[
            ("source=2", $number),
            ("source=3", ""),
            ("source=6", ""),
            ("source=10", ""),
        ]
    };
}

pub(super) use four_sources;

/// A family whose fields are all empty.
pub(super) const BLANK: Family = Family {
    id: "",
    parameters: &[],
    listed: &[("", "")],
    offset: 1,
    practical: None,
    work: Work::Index,
    quantity: None,
    rule: |_, _| Ok(Vec::new()),
};

pub(super) const fn parameter(
    name: &'static str,
    default: &'static str,
    kind: ParameterKind,
) -> FamilyParameter {
    FamilyParameter {
        name,
        default,
        kind,
    }
}

pub(super) const SOURCE: &[FamilyParameter] = &[parameter("source", "2", ParameterKind::Source)];
pub(super) const FOUR_SOURCES: &[(&str, &str)] = four_sources!("");
