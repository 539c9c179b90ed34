//! 2^(floor(log2 n) + 1) - n.

use super::parts::*;

pub(super) const FAMILY: Family = Family {
    id: "round-one-rest",
    listed: &[("", "A080079")],
    title: "2^(floor(log2 n) + 1) - n",
    definition: "The values that a block of rejection by bit length rejects, and for n not a power of two the v after round 1 of the flow chart",
    examples: &["a(6) = 8 - 6 = 2."],
    see: &["A062383"],
    keywords: &["base", "easy"],
    pari: "a(n) = 2^#binary(n) - n;",
    python: "def a(n): return (1 << n.bit_length()) - n",
    rule: |_, range| each(range, |n| (1u64 << (u64::BITS - n.leading_zeros())) - n),
    ..BLANK
};
