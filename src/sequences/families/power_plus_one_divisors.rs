//! Numbers that divide 2^k + 1 for some k >= 0.

use super::parts::*;

pub(super) const FAMILY: Family = Family {
    id: "power-plus-one-divisors",
    listed: &[("", "A014657")],
    title: "Numbers that divide 2^k + 1 for some k >= 0",
    definition: "1, 2, and the odd m > 1 with -1 a power of 2 modulo m",
    comments: &[
        "From 3 on, the odd m whose flow chart has half as many rounds as flips in its cycle by pairs x and m-x",
    ],
    examples: &["11 divides 2^5 + 1 = 33, so 11 is a term."],
    see: &["A195610", "A136043"],
    pari: "isok(k) = k<3 || (k%2 && lift(Mod(2,k)^(znorder(Mod(2,k))\\2))==k-1);",
    python: "def isok(k): return any((pow(2, j, k) + 1) % k == 0 for j in range(k))",
    work: Work::List,
    rule: |_, range| members(range, rules::divides_a_power_plus_one),
    ..BLANK
};
