//! Length of the binary representation of n, 1 for n = 0.

use super::parts::*;

pub(super) const FAMILY: Family = Family {
    id: "bit-length",
    listed: &[("", "A070939")],
    offset: 0,
    title: "Length of the binary representation of n, 1 for n = 0",
    definition: "floor(log2 n) + 1 for n >= 1: the flips of a block of rejection by bit length",
    examples: &["11 is 1011 in binary, so a(11) = 4."],
    see: &["A029837", "A062383"],
    keywords: &["base", "easy"],
    pari: "a(n) = if(n, #binary(n), 1);",
    python: "def a(n): return max(n.bit_length(), 1)",
    rule: |_, range| each(range, |n| u64::BITS - (n | 1).leading_zeros()),
    ..BLANK
};
