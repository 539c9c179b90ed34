//! The families about the flow chart of the fast dice roller, and about the powers of a source
//! modulo n, from which the chart is computed.

use super::blank::*;

pub(super) static FAMILIES: &[Family] = &[
    Family {
        id: "cycle-rounds",
        parameters: SOURCE,
        listed: four_sources!("A136043"),
        work: Work::Rounds,
        quantity: Some(Quantity::CycleRounds),
        rule: |a, range| rules::rounds_of(a.source(), range, 1),
        ..BLANK
    },
    Family {
        id: "cycle-rounds-zero",
        parameters: SOURCE,
        listed: FOUR_SOURCES,
        work: Work::Rounds,
        rule: |a, range| rules::rounds_of(a.source(), range, 0),
        ..BLANK
    },
    Family {
        id: "mr-period",
        parameters: &[parameter("base", "2", ParameterKind::Source)],
        listed: &[
            ("base=2", "A136043"),
            ("base=3", "A158379"),
            ("base=4", ""),
            ("base=5", ""),
            ("base=6", ""),
            ("base=10", ""),
        ],
        work: Work::Rounds,
        rule: |a, range| match a.number("base") {
            2 => rules::rounds_of(2, range, 1),
            base => from_digits(base, range, |n, orbit| rounds::mr_period(base, n, orbit)),
        },
        ..BLANK
    },
    Family {
        id: "mr",
        parameters: &[
            parameter("x", "1/29", ParameterKind::Real),
            parameter("base", "2", ParameterKind::Source),
        ],
        listed: &[
            ("x=1/29", "A136042"),
            ("x=e", "A136044"),
            ("x=pi", ""),
            ("x=sqrt(2)", ""),
            ("x=ln(2)", ""),
        ],
        work: Work::List(300),
        rule: rules::mr_terms,
        ..BLANK
    },
    Family {
        id: "period",
        parameters: SOURCE,
        listed: &[
            ("source=2", "A007733"),
            ("source=3", "A007734"),
            ("source=6", "A007737"),
            ("source=10", "A007732"),
        ],
        work: Work::Sieve,
        quantity: Some(Quantity::Period),
        rule: |a, range| from_orbits(a.source(), range, |_, orbit| orbit.period),
        ..BLANK
    },
    Family {
        id: "period-zero",
        parameters: SOURCE,
        listed: four_sources!("A351912"),
        work: Work::Sieve,
        rule: |a, range| {
            from_orbits(a.source(), range, |n, orbit| {
                if order::coprime_part(a.source(), n) == 1 {
                    0
                } else {
                    orbit.period
                }
            })
        },
        ..BLANK
    },
    Family {
        id: "preperiod",
        parameters: SOURCE,
        listed: four_sources!("A007814"),
        quantity: Some(Quantity::Preperiod),
        rule: |a, range| compute_terms(range, |n| order::pre_period(a.source(), n)),
        ..BLANK
    },
    Family {
        id: "distinct-powers",
        parameters: SOURCE,
        listed: four_sources!("A054703"),
        work: Work::Sieve,
        rule: |a, range| {
            from_orbits(a.source(), range, |_, orbit| {
                orbit.pre_period + orbit.period
            })
        },
        ..BLANK
    },
    Family {
        id: "flips-before",
        parameters: SOURCE,
        listed: FOUR_SOURCES,
        rule: |a, range| compute_terms(range, |n| rules::before_cycle(a.source(), n).rolls),
        ..BLANK
    },
    Family {
        id: "rounds-before",
        parameters: SOURCE,
        listed: FOUR_SOURCES,
        rule: |a, range| compute_terms(range, |n| rules::before_cycle(a.source(), n).rounds),
        ..BLANK
    },
    Family {
        id: "total-flips",
        parameters: SOURCE,
        listed: FOUR_SOURCES,
        work: Work::Sieve,
        rule: |a, range| {
            from_orbits(a.source(), range, |n, orbit| {
                let before = rules::before_cycle(a.source(), n);
                before.rolls + if before.v == 0 { 0 } else { orbit.period }
            })
        },
        ..BLANK
    },
    Family {
        id: "total-rounds",
        parameters: SOURCE,
        listed: FOUR_SOURCES,
        work: Work::Digits,
        rule: |a, range| {
            from_digits(a.source(), range, |n, orbit| {
                rules::before_cycle(a.source(), n).rounds
                    + rounds::cycle_rounds(a.source(), n, orbit)
            })
        },
        ..BLANK
    },
    Family {
        id: "first-v",
        parameters: SOURCE,
        listed: FOUR_SOURCES,
        rule: |a, range| compute_terms(range, |n| rules::before_cycle(a.source(), n).v),
        ..BLANK
    },
    Family {
        id: "least-v",
        parameters: SOURCE,
        listed: four_sources!("A080940"),
        work: Work::Extreme,
        rule: |a, range| {
            from_orbits(a.source(), range, |n, orbit| {
                rules::least_in_cycle(a.source(), n, orbit)
            })
        },
        ..BLANK
    },
    Family {
        id: "largest-residue",
        parameters: SOURCE,
        listed: four_sources!("A327649"),
        work: Work::Steps,
        rule: |a, range| {
            from_orbits(a.source(), range, |n, orbit| {
                rules::largest_residue(a.source(), n, orbit)
            })
        },
        ..BLANK
    },
    Family {
        id: "largest-v",
        parameters: SOURCE,
        listed: FOUR_SOURCES,
        work: Work::Steps,
        rule: |a, range| {
            from_orbits(a.source(), range, |n, orbit| match n {
                1 => BigInt::from(1),
                _ => BigInt::from(rules::largest_residue(a.source(), n, orbit)) * a.source(),
            })
        },
        ..BLANK
    },
    Family {
        id: "most-flips",
        parameters: SOURCE,
        listed: four_sources!("A070940"),
        work: Work::Extreme,
        rule: |a, range| {
            from_orbits(a.source(), range, |n, orbit| {
                rules::most_rolls_in_round(a.source(), n, orbit)
            })
        },
        ..BLANK
    },
    Family {
        id: "odd-cycle-rounds",
        listed: &[("", "A179382")],
        work: Work::Digits,
        rule: |_, range| {
            let odd = |n: u64| {
                let n = 2 * n - 1;
                rounds::cycle_rounds(2, n, order::orbit(2, n)).max(1)
            };
            compute_terms(range, odd)
        },
        ..BLANK
    },
];
