//! Multiplicative order of {base} modulo n, or 0 if n = 1 or there is none.

use super::parts::*;

pub(super) const FAMILY: Family = Family {
    id: "order-or-zero",
    parameters: &[parameter("base", "3", ParameterKind::Source)],
    listed: &[("base=3", "A070676")],
    title: "Multiplicative order of {base} modulo n, or 0 if n = 1 or there is none",
    definition: "Least p > 0 with {base}^p == 1 (mod n); 0 if n is 1 or has a factor in common with {base}",
    comments: &["At n = 1 every p would do, and 1 is the least; 0 stands there by convention"],
    examples: &["3^4 = 81 == 1 (mod 5), so a(5) = 4; 3 divides 6, so a(6) = 0."],
    see: &["A007734"],
    pari: "a(n) = if(n==1 || gcd(n,{base})>1, 0, znorder(Mod({base},n)));",
    python: "from math import gcd\ndef a(n):\n    if n == 1 or gcd(n, {base}) > 1: return 0\n    p, x = 1, {base} % n\n    while x != 1: p, x = p + 1, x * {base} % n\n    return p",
    work: Work::Sieve,
    rule: |a, range| {
        let base = a.number("base");
        from_orbits(base, range, |n, orbit| {
            if n > 1 && num_integer::gcd(n, base) == 1 {
                orbit.period
            } else {
                0
            }
        })
    },
    ..BLANK
};
