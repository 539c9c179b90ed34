//! Most rolls in a round of the cycle of the flow chart that rolls a fair n-sided die with a
//! {source}-sided one, 1 if there is no cycle.

use super::parts::*;

pub(super) const FAMILY: Family = Family {
    id: "most-flips",
    parameters: SOURCE,
    listed: &[
        ("source=2", "A070940"),
        ("source=3", ""),
        ("source=6", ""),
        ("source=10", ""),
    ],
    title: "Most rolls in a round of the cycle of the flow chart that rolls a fair n-sided die with a {source}-sided one, 1 if there is no cycle",
    definition: "Least d with {source}^d*v >= n, v the least of the residues {source}^t mod n, t large",
    comments: &[CHART],
    formulas: &[
        "{coin}a(n) = floor(log_2(n)) - A007814(n) + 1, the number of binary digits of the odd part of n",
    ],
    examples: &[
        "n = 11: the cycle goes through v = 1, 5, 9, 7, 3, and four flips lead from 1 to 16 >= 11, so a(11) = 4.",
    ],
    see: &["A080940"],
    keywords: &["base", "easy"],
    pari: "a(n) = my(m={source}, v=lift(Mod(m,n)^n), x, b, d=0); if(!v, return(1)); x=v; b=v; until(x==v, x = x*m%n; b = min(b,x)); while(b<n, b *= m; d++); d;",
    python: "def a(n):\n    v, d = min(pow({source}, t, n) for t in range(n, 2 * n + 1)), 0\n    if v == 0: return 1\n    while v < n: v, d = v * {source}, d + 1\n    return d",
    work: Work::Rounds,
    rule: |a, range| {
        from_orbits(a.source(), range, |n, orbit| {
            rules::most_rolls_in_round(a.source(), n, orbit)
        })
    },
    ..BLANK
};
