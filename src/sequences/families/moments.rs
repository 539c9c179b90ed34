//! The families of exact means and variances of an algorithm, and of the records of the toll.

use super::blank::*;

/// The parameters of these families: an algorithm and its source.
const MOMENT: &[FamilyParameter] = &[
    parameter(
        "algorithm",
        FastDiceRoller::ABOUT.id,
        ParameterKind::Algorithm,
    ),
    parameter("source", "2", ParameterKind::Source),
];

pub(super) static FAMILIES: &[Family] = &[
    Family {
        id: "expected-numerator",
        parameters: MOMENT,
        listed: FOUR_SOURCES,
        work: Work::Law,
        rule: |a, range| rules::moment(a, range, false, Rational::numer),
        ..BLANK
    },
    Family {
        id: "expected-denominator",
        parameters: MOMENT,
        listed: FOUR_SOURCES,
        work: Work::Law,
        rule: |a, range| rules::moment(a, range, false, Rational::denom),
        ..BLANK
    },
    Family {
        id: "variance-numerator",
        parameters: MOMENT,
        listed: FOUR_SOURCES,
        work: Work::Law,
        rule: |a, range| rules::moment(a, range, true, Rational::numer),
        ..BLANK
    },
    Family {
        id: "variance-denominator",
        parameters: MOMENT,
        listed: FOUR_SOURCES,
        work: Work::Law,
        rule: |a, range| rules::moment(a, range, true, Rational::denom),
        ..BLANK
    },
    Family {
        id: "toll-records",
        work: Work::Long,
        rule: |_, range| {
            rules::check_fits_in_memory(&range)?;
            compute_terms(range, rules::toll_record)
        },
        ..BLANK
    },
];
