//! Rounds in the cycle of the flow chart that rolls a fair n-sided die with a {source}-sided one, 1
//! if there is no cycle.

use super::parts::*;

pub(super) const FAMILY: Family = Family {
    id: "cycle-rounds",
    parameters: SOURCE,
    listed: &[
        ("source=2", "A136043"),
        ("source=3", ""),
        ("source=6", ""),
        ("source=10", ""),
    ],
    title: "Number of digits other than 0 in one period of the base-{source} expansion of 1/n, 1 if the expansion terminates",
    definition: "Number of t in one period of x(t) = {source}^t mod n with {source}*x(t) >= n, and 1 if n divides a power of {source}",
    comments: &[
        CHART,
        "Also the rounds in the cycle of that flow chart, 1 if there is none",
    ],
    formulas: &[
        "{coin}a(p) = (p-1)/2 if 2 is a primitive root of the prime p: 2^((p-1)/2) == -1 (mod p), so the residues pair off as x and p-x, and exactly one of each pair has 2*x >= p",
    ],
    examples: &[
        "n = 11: the powers of 2 modulo 11 are 1, 2, 4, 8, 5, 10, 9, 7, 3, 6; twice 8, 10, 9, 7 or 6 is at least 11, so a(11) = 5.",
    ],
    keywords: &["base", "easy"],
    pari: "a(n) = my(m={source}, g=n, x=1, h, r=0); while((h=gcd(g,m))>1, g /= h; x = x*m%n); if(g==1, return(1)); for(i=1, znorder(Mod(m,g)), r += (x*m>=n); x = x*m%n); r;",
    python: "from math import gcd\ndef a(n):\n    m, g, x, r = {source}, n, 1, 0\n    while gcd(g, m) > 1: g, x = g // gcd(g, m), x * m % n\n    if g == 1: return 1\n    first = x\n    while True:\n        r, x = r + (x * m >= n), x * m % n\n        if x == first: return r",
    work: Work::Rounds,
    rule: |a, range| rules::rounds_of(a.source(), range, 1),
    ..BLANK
};
