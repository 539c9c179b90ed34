//! Primes p where the order of 2 is (p-1)/2.

use super::parts::*;

pub(super) const FAMILY: Family = Family {
    id: "half-order-primes",
    listed: &[("", "A115591")],
    title: "Primes p where the order of 2 is (p-1)/2",
    definition: "The odd numbers k whose order of 2 is (k-1)/2: that alone makes k prime",
    examples: &["The powers of 2 modulo 7 are 1, 2, 4, and (7-1)/2 = 3, so 7 is a term."],
    see: &["A001122"],
    pari: "isok(k) = k>2 && isprime(k) && znorder(Mod(2,k))==(k-1)/2;",
    python: with_order!("def isok(k): return k > 2 and prime(k) and 2 * order(k) == k - 1"),
    work: Work::List,
    rule: |_, range| {
        members(range, |k, orbit| {
            k > 1 && k % 2 == 1 && 2 * orbit.period == k - 1
        })
    },
    ..BLANK
};
