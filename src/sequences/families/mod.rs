//! The registry: the families of sequences, a few lines each, grouped by subject. What is said of them, with their
//! programs, is in `crates/oeis/data/families.toml`.

/// The members for the sources 2, 3, 6 and 10, of which the first has an A-number.
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

mod flow_chart;
mod formulas;
mod lists;
mod moments;
mod orders;

use super::rules::{self, each, from_digits, from_orbits, members};
use super::{Family, Parameter, ParameterKind, Work, rounds};
use crate::algorithms::{FastDiceRoller, Rule};
use flipcost_number::{BigInt, Rational, order};

/// The families, in the order in which they are listed everywhere.
pub fn families() -> impl Iterator<Item = &'static Family> {
    let groups = [
        flow_chart::FAMILIES,
        orders::FAMILIES,
        formulas::FAMILIES,
        lists::FAMILIES,
        moments::FAMILIES,
    ];
    groups.into_iter().flatten()
}

/// A family with all fields empty.
const BLANK: Family = Family {
    id: "",
    parameters: &[],
    listed: &[("", "")],
    offset: 1,
    practical: None,
    work: Work::Index,
    rule: |_, _| Ok(Vec::new()),
};

const fn parameter(name: &'static str, default: &'static str, kind: ParameterKind) -> Parameter {
    Parameter {
        name,
        default,
        kind,
    }
}

const SOURCE: &[Parameter] = &[parameter("source", "2", ParameterKind::Source)];
const FOUR_SOURCES: &[(&str, &str)] = four_sources!("");
