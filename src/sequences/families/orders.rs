//! The families of multiplicative orders.

use super::blank::*;

pub(super) static FAMILIES: &[Family] = &[
    Family {
        id: "order",
        parameters: &[
            parameter("base", "2", ParameterKind::Source),
            parameter("step", "2", ParameterKind::Step),
        ],
        listed: &[
            ("base=2,step=2", "A002326"),
            ("base=3,step=3", "A003571"),
            ("base=4,step=2", "A053447"),
        ],
        offset: 0,
        work: Work::Sieve,
        rule: |a, range| rules::orders_in_progression(a.number("base"), a.number("step"), range),
        ..BLANK
    },
    Family {
        id: "order-coprime",
        parameters: &[parameter("base", "3", ParameterKind::Source)],
        listed: &[("base=3", "A053446")],
        work: Work::List(2500),
        rule: |a, range| rules::orders_modulo_coprime(a.number("base"), range),
        ..BLANK
    },
    Family {
        id: "order-or-zero",
        parameters: &[parameter("base", "3", ParameterKind::Source)],
        listed: &[("base=3", "A070676")],
        work: Work::Sieve,
        rule: |a, range| {
            let base = a.number("base");
            from_orbits(base, range, |n, orbit| {
                if n > 1 && num_integer::gcd(n, base) == 1 {
                    orbit.period
                } else {
                    0
                }
            })
        },
        ..BLANK
    },
    Family {
        id: "order-prime",
        listed: &[("", "A014664")],
        offset: 2,
        work: Work::List(4000),
        rule: |_, range| rules::orders_modulo_primes(range),
        ..BLANK
    },
    Family {
        id: "sign-order",
        listed: &[("", "A003558")],
        offset: 0,
        rule: |_, range| {
            compute_terms(range, |n| {
                let orbit = order::orbit(2, 2 * n + 1);
                orbit.half_period().unwrap_or(orbit.period)
            })
        },
        ..BLANK
    },
];
