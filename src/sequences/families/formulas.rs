//! The families whose terms have a formula: lengths, blocks, and numbers of rolls that always
//! suffice.

use super::blank::*;

pub(super) static FAMILIES: &[Family] = &[
    Family {
        id: "bit-length",
        listed: &[("", "A070939")],
        offset: 0,
        rule: |_, range| compute_terms(range, |n| u64::BITS - (n | 1).leading_zeros()),
        ..BLANK
    },
    Family {
        id: "block-size",
        listed: &[("", "A062383")],
        offset: 0,
        rule: |_, range| compute_terms(range, |n| 1u64 << (u64::BITS - n.leading_zeros())),
        ..BLANK
    },
    Family {
        id: "least-flips",
        listed: &[("", "A029837")],
        rule: |_, range| compute_terms(range, |n| u64::BITS - (n - 1).leading_zeros()),
        ..BLANK
    },
    Family {
        id: "round-one-rest",
        listed: &[("", "A080079")],
        rule: |_, range| compute_terms(range, |n| (1u64 << (u64::BITS - n.leading_zeros())) - n),
        ..BLANK
    },
    Family {
        id: "interval-undecided",
        listed: &[("", "A129760")],
        rule: |_, range| {
            compute_terms(range, |n| {
                let k = u64::BITS - (n - 1).leading_zeros();
                n - num_integer::gcd(n, 1u64 << k)
            })
        },
        ..BLANK
    },
    Family {
        id: "bounded-exponent",
        parameters: SOURCE,
        listed: &[("source=2", ""), ("source=6", ""), ("source=10", "")],
        rule: |a, range| compute_terms(range, |n| rules::bounded_exponent(a.source(), n)),
        ..BLANK
    },
    Family {
        id: "fewest-dice",
        rule: |_, range| compute_terms(range, rules::fewest_dice),
        ..BLANK
    },
    Family {
        id: "bounded-exponent-smooth",
        listed: &[("", "A086415")],
        work: Work::List(600),
        rule: |_, range| rules::exponents_of_smooth_numbers(range),
        ..BLANK
    },
];
