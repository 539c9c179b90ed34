//! Least power of two above n.

use super::parts::*;

pub(super) const FAMILY: Family = Family {
    id: "block-size",
    listed: &[("", "A062383")],
    offset: 0,
    title: "Least power of two above n",
    definition: "2^(floor(log2 n) + 1) for n >= 1, 1 for n = 0: the values of a block of rejection by bit length",
    comments: &[
        "For n not a power of two also the v that ends round 1 of the flow chart that rolls a fair n-sided die with a coin",
    ],
    examples: &["a(6) = 8, the least power of two above 6."],
    see: &["A070939", "A080079"],
    pari: "a(n) = if(n, 2^#binary(n), 1);",
    python: "def a(n): return 1 << n.bit_length()",
    rule: |_, range| each(range, |n| 1u64 << (u64::BITS - n.leading_zeros())),
    ..BLANK
};
