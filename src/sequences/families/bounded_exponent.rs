//! Least k such that n divides {source}^k, or -1 if there is none.

use super::parts::*;

pub(super) const FAMILY: Family = Family {
    id: "bounded-exponent",
    parameters: SOURCE,
    listed: &[("source=2", ""), ("source=6", ""), ("source=10", "")],
    title: "Least k such that n divides {source}^k, or -1 if there is none",
    definition: "Rolls of a {source}-sided die with which a fair n-sided die can be rolled for certain, or -1 if no number of rolls is enough",
    comments: &[
        "n outcomes can be equally likely among the {source}^k values of k rolls iff n divides {source}^k",
    ],
    examples: &["8 divides 2^3, so a(8) = 3; no power of 2 is divisible by 6, so a(6) = -1."],
    see: &["A007814", "A086415"],
    pari: "a(n) = my(g, s=0); while((g=gcd(n,{source}))>1, n /= g; s++); if(n==1, s, -1);",
    python: "from math import gcd\ndef a(n):\n    s = 0\n    while gcd(n, {source}) > 1: n, s = n // gcd(n, {source}), s + 1\n    return s if n == 1 else -1",
    rule: |a, range| each(range, |n| rules::bounded_exponent(a.source(), n)),
    ..BLANK
};
