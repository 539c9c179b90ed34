//! Number of distinct powers of {source} modulo n.

use super::parts::*;

pub(super) const FAMILY: Family = Family {
    id: "distinct-powers",
    parameters: SOURCE,
    listed: &[
        ("source=2", "A054703"),
        ("source=3", ""),
        ("source=6", ""),
        ("source=10", ""),
    ],
    title: "Number of distinct powers of {source} modulo n",
    definition: "Pre-period plus period of the powers of {source} modulo n; a 0 counts",
    formulas: &["{coin}a(n) = A007814(n) + A007733(n)"],
    examples: &["The powers of 2 modulo 6 are 1, 2, 4, 2, 4, ..., so a(6) = 3."],
    see: &["A007814", "A007733"],
    pari: "a(n) = #Set(vector(2*n+1, t, lift(Mod({source},n)^(t-1))));",
    python: "def a(n): return len(set(pow({source}, t, n) for t in range(2 * n)))",
    work: Work::Sieve,
    rule: |a, range| {
        from_orbits(a.source(), range, |_, orbit| {
            orbit.pre_period + orbit.period
        })
    },
    ..BLANK
};
