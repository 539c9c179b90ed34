//! Least v of the cycle of the flow chart that rolls a fair n-sided die with a {source}-sided one,
//! 0 if there is no cycle.

use super::parts::*;

pub(super) const FAMILY: Family = Family {
    id: "least-v",
    parameters: SOURCE,
    listed: &[
        ("source=2", "A080940"),
        ("source=3", ""),
        ("source=6", ""),
        ("source=10", ""),
    ],
    title: "Least v of the cycle of the flow chart that rolls a fair n-sided die with a {source}-sided one, 0 if there is no cycle",
    definition: "Least of the residues {source}^t mod n, t large; 0 if n divides a power of {source}",
    comments: &[CHART],
    formulas: &["{coin}a(n) is the highest power of 2 dividing n, and 0 for powers of two"],
    examples: &["The powers of 2 modulo 12 are 1, 2, 4, 8, 4, 8, ..., so a(12) = 4."],
    keywords: &["base", "easy"],
    pari: "a(n) = my(m={source}, v=lift(Mod(m,n)^n), x, b); x=v; b=v; until(x==v, x = x*m%n; b = min(b,x)); b;",
    python: "def a(n): return min(pow({source}, t, n) for t in range(n, 2 * n + 1))",
    work: Work::Rounds,
    rule: |a, range| {
        from_orbits(a.source(), range, |n, orbit| {
            rules::least_in_cycle(a.source(), n, orbit)
        })
    },
    ..BLANK
};
