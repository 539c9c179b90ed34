//! Number of powers of {source} modulo n before they are periodic.

use super::parts::*;

pub(super) const FAMILY: Family = Family {
    id: "preperiod",
    parameters: SOURCE,
    listed: &[
        ("source=2", "A007814"),
        ("source=3", ""),
        ("source=6", ""),
        ("source=10", ""),
    ],
    title: "Number of powers of {source} modulo n before they are periodic",
    definition: "Least s >= 0 such that n/gcd(n, {source}^s) is coprime to {source}",
    comments: &[
        "{source}^(s+p) == {source}^s (mod n) for some p > 0, and s = a(n) is the least such s >= 0",
    ],
    examples: &["The powers of 2 modulo 12 are 1, 2, 4, 8, 4, 8, ..., so a(12) = 2."],
    see: &["A007733"],
    keywords: &["easy"],
    pari: "a(n) = my(g, s=0); while((g=gcd(n,{source}))>1, n /= g; s++); s;",
    python: "from math import gcd\ndef a(n):\n    s = 0\n    while gcd(n, {source}) > 1: n, s = n // gcd(n, {source}), s + 1\n    return s",
    rule: |a, range| each(range, |n| order::pre_period(a.source(), n)),
    ..BLANK
};
