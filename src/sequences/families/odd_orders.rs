//! Odd numbers k such that the order of 2 modulo k is odd.

use super::parts::*;

pub(super) const FAMILY: Family = Family {
    id: "odd-orders",
    listed: &[("", "A036259")],
    title: "Odd numbers k such that the order of 2 modulo k is odd",
    definition: "The odd k whose order of 2 is odd, 1 among them",
    comments: &[
        "No power of 2 is -1 modulo such a k > 1, so the rounds of its flow chart are not half the flips",
    ],
    examples: &["The order of 2 modulo 7 is 3, so 7 is a term."],
    see: &["A014657"],
    pari: "isok(k) = k%2 && znorder(Mod(2,k))%2;",
    python: with_order!("def isok(k): return k % 2 == 1 and order(k) % 2 == 1"),
    work: Work::List,
    rule: |_, range| members(range, |k, orbit| k % 2 == 1 && orbit.period % 2 == 1),
    ..BLANK
};
