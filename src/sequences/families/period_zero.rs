//! Period of the powers of {source} modulo n, or 0 if n divides a power of {source}.

use super::parts::*;

pub(super) const FAMILY: Family = Family {
    id: "period-zero",
    parameters: SOURCE,
    listed: &[
        ("source=2", "A351912"),
        ("source=3", ""),
        ("source=6", ""),
        ("source=10", ""),
    ],
    title: "Period of the powers of {source} modulo n, or 0 if n divides a power of {source}",
    definition: "Rolls in the cycle of the flow chart that rolls a fair n-sided die with a {source}-sided one, 0 if there is no cycle",
    comments: &[CHART],
    examples: &["a(6) = 2, and a(8) = 0: the powers of 2 modulo 8 are 1, 2, 4, 0, 0, ..."],
    see: &["A007733"],
    keywords: &["base", "easy"],
    pari: "a(n) = my(g); while((g=gcd(n,{source}))>1, n /= g); if(n==1, 0, znorder(Mod({source},n)));",
    python: "from math import gcd\ndef a(n):\n    while gcd(n, {source}) > 1: n //= gcd(n, {source})\n    if n == 1: return 0\n    p, x = 1, {source} % n\n    while x != 1: p, x = p + 1, x * {source} % n\n    return p",
    work: Work::Sieve,
    rule: |a, range| {
        from_orbits(a.source(), range, |n, orbit| {
            if order::coprime_part(a.source(), n) == 1 {
                0
            } else {
                orbit.period
            }
        })
    },
    ..BLANK
};
