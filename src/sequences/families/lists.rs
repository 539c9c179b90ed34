//! The families of increasing lists of numbers, and of values computed for the members of such
//! lists.

use super::blank::*;

pub(super) static FAMILIES: &[Family] = &[
    Family {
        id: "primitive-root-primes",
        listed: &[("", "A001122")],
        work: Work::List(10_000),
        rule: |_, range| {
            members(range, |k, orbit| {
                k > 1 && orbit.period == k - 1 && k % 2 == 1
            })
        },
        ..BLANK
    },
    Family {
        id: "half-order-primes",
        listed: &[("", "A115591")],
        work: Work::List(12_000),
        rule: |_, range| {
            members(range, |k, orbit| {
                k > 1 && k % 2 == 1 && 2 * orbit.period == k - 1
            })
        },
        ..BLANK
    },
    Family {
        id: "odd-orders",
        listed: &[("", "A036259")],
        work: Work::List(7000),
        rule: |_, range| members(range, |k, orbit| k % 2 == 1 && orbit.period % 2 == 1),
        ..BLANK
    },
    Family {
        id: "power-plus-one-divisors",
        listed: &[("", "A014657")],
        work: Work::List(3000),
        rule: |_, range| members(range, rules::divides_a_power_plus_one),
        ..BLANK
    },
    Family {
        id: "power-plus-one-exponents",
        listed: &[("", "A195610")],
        work: Work::List(6000),
        rule: |_, range| rules::least_exponents(range),
        ..BLANK
    },
    Family {
        id: "residues-triangle",
        listed: &[("", "A201908")],
        work: Work::List(100),
        rule: |_, range| rules::rows_of_residues(range),
        ..BLANK
    },
    Family {
        id: "class-numbers",
        listed: &[("", "A002143")],
        work: Work::Steps,
        rule: |_, range| {
            let primes = rules::primes_at(range, |p| p % 4 == 3);
            Ok(rules::class_numbers(&primes))
        },
        ..BLANK
    },
    Family {
        id: "quarter-rounds",
        listed: &[("", "A155072")],
        work: Work::List(250_000),
        practical: Some(1000),
        rule: |_, range| rules::quarter_rounds(range),
        ..BLANK
    },
    Family {
        id: "two-rounds",
        work: Work::Long,
        rule: |_, range| {
            rules::check_fits_in_memory(&range)?;
            Ok(rules::two_rounds(range))
        },
        ..BLANK
    },
    Family {
        id: "exactly-rounds",
        parameters: &[parameter("rounds", "3", ParameterKind::Step)],
        listed: &[("rounds=3", ""), ("rounds=4", "")],
        work: Work::List(50_000_000),
        practical: Some(20),
        rule: |a, range| rules::exactly_rounds(a.number("rounds"), range),
        ..BLANK
    },
    Family {
        id: "least-with-rounds",
        work: Work::List(50_000),
        rule: |_, range| rules::least_with_rounds(range),
        ..BLANK
    },
];
