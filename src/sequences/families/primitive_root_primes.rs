//! Primes with primitive root 2.

use super::parts::*;

pub(super) const FAMILY: Family = Family {
    id: "primitive-root-primes",
    listed: &[("", "A001122")],
    title: "Primes with primitive root 2",
    definition: "The primes p whose order of 2 is p-1",
    comments: &[
        "The odd n > 1 with (n-1)/2 rounds in the cycle of the flow chart of the fast dice roller with a coin: for such n the order exceeds (n-1)/2, so n is a prime power with primitive root 2, the rounds are phi(n)/2, and n is prime",
    ],
    examples: &["The powers of 2 modulo 5 are 1, 2, 4, 3, so 5 is a term."],
    see: &["A136043", "A115591"],
    pari: "isok(k) = k>2 && isprime(k) && znorder(Mod(2,k))==k-1;",
    python: with_order!("def isok(k): return k > 2 and prime(k) and order(k) == k - 1"),
    work: Work::List,
    rule: |_, range| {
        members(range, |k, orbit| {
            k > 1 && orbit.period == k - 1 && k % 2 == 1
        })
    },
    ..BLANK
};
