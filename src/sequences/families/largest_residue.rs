//! Largest power of {source} modulo n.

use super::parts::*;

pub(super) const FAMILY: Family = Family {
    id: "largest-residue",
    parameters: SOURCE,
    listed: &[
        ("source=2", "A327649"),
        ("source=3", ""),
        ("source=6", ""),
        ("source=10", ""),
    ],
    title: "Largest power of {source} modulo n",
    definition: "Maximum of {source}^t mod n over t >= 0",
    comments: &[
        "Also the largest number of undecided nodes at any depth of the optimal decision tree of a fair n-sided die from a {source}-sided one",
    ],
    examples: &["The powers of 2 modulo 7 are 1, 2, 4, so a(7) = 4."],
    pari: "a(n) = vecmax(vector(2*n, t, lift(Mod({source},n)^(t-1))));",
    python: "def a(n): return max(pow({source}, t, n) for t in range(2 * n))",
    work: Work::Steps,
    rule: |a, range| {
        from_orbits(a.source(), range, |n, orbit| {
            rules::largest_residue(a.source(), n, orbit)
        })
    },
    ..BLANK
};
