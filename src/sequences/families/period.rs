//! Period of the powers of {source} modulo n.

use super::parts::*;

pub(super) const FAMILY: Family = Family {
    id: "period",
    parameters: SOURCE,
    listed: &[
        ("source=2", "A007733"),
        ("source=3", "A007734"),
        ("source=6", "A007737"),
        ("source=10", "A007732"),
    ],
    title: "Period of the powers of {source} modulo n",
    definition: "Multiplicative order of {source} modulo the largest divisor of n that is coprime to {source}; 1 if n divides a power of {source}",
    comments: &[
        "Also the rolls in the cycle of the flow chart that rolls a fair n-sided die with a {source}-sided one",
        "{coin}If n is not a power of two, the terms of one period of the base-2 MR-expansion of 1/n sum to a(n): they are the flips of the rounds",
    ],
    examples: &["The powers of 2 modulo 6 are 1, 2, 4, 2, 4, ..., so a(6) = 2."],
    keywords: &["base", "easy"],
    pari: "a(n) = my(g); while((g=gcd(n,{source}))>1, n /= g); znorder(Mod({source},n));",
    python: "from math import gcd\ndef a(n):\n    while gcd(n, {source}) > 1: n //= gcd(n, {source})\n    p, x = 1, {source} % n\n    while x != 1 % n: p, x = p + 1, x * {source} % n\n    return p",
    work: Work::Sieve,
    rule: |a, range| from_orbits(a.source(), range, |_, orbit| orbit.period),
    ..BLANK
};
