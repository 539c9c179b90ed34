//! Largest v on the flow chart that rolls a fair n-sided die with a {source}-sided one.

use super::parts::*;

pub(super) const FAMILY: Family = Family {
    id: "largest-v",
    parameters: SOURCE,
    listed: FOUR_SOURCES,
    title: "Largest v on the flow chart that rolls a fair n-sided die with a {source}-sided one",
    definition: "{source} times the maximum of {source}^t mod n over t >= 0, for n >= 2; a(1) = 1, where nothing is rolled",
    comments: &[CHART],
    formulas: &["{coin}a(n) = 2*A327649(n) for n >= 2"],
    examples: &["The powers of 2 modulo 7 are 1, 2, 4, so a(7) = 8."],
    see: &["A327649"],
    pari: "a(n) = if(n==1, 1, {source}*vecmax(vector(2*n, t, lift(Mod({source},n)^(t-1)))));",
    python: "def a(n): return 1 if n == 1 else {source} * max(pow({source}, t, n) for t in range(2 * n))",
    work: Work::Steps,
    rule: |a, range| {
        from_orbits(a.source(), range, |n, orbit| match n {
            1 => BigInt::from(1),
            _ => BigInt::from(rules::largest_residue(a.source(), n, orbit)) * a.source(),
        })
    },
    ..BLANK
};
