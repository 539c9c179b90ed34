//! Bitwise AND of n-1 and n.

use super::parts::*;

pub(super) const FAMILY: Family = Family {
    id: "interval-undecided",
    listed: &[("", "A129760")],
    title: "Bitwise AND of n-1 and n",
    definition: "n - gcd(n, 2^k): the undecided nodes of the interval algorithm with a coin at its first depth k with 2^k >= n",
    examples: &["6 AND 5 = 110 AND 101 = 100 in binary, so a(6) = 4."],
    see: &["A080079"],
    pari: "a(n) = bitand(n, n-1);",
    python: "def a(n): return n & (n - 1)",
    rule: |_, range| {
        each(range, |n| {
            let k = u64::BITS - (n - 1).leading_zeros();
            n - num_integer::gcd(n, 1u64 << k)
        })
    },
    ..BLANK
};
