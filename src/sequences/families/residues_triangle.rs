//! Irregular triangle whose row n lists 2^t mod (2n-1) over one period, t >= 0.

use super::parts::*;

pub(super) const FAMILY: Family = Family {
    id: "residues-triangle",
    listed: &[("", "A201908")],
    title: "Irregular triangle whose row n lists 2^t mod (2n-1) over one period, t >= 0",
    definition: "Row n has the residues 2^t mod (2n-1), t = 0 .. p-1, p the order of 2 modulo 2n-1; the row of n = 1 is 0",
    comments: &[
        "The undecided nodes at depth t of the optimal decision tree of a fair die with 2n-1 sides from coin flips, as far as they do not repeat",
    ],
    examples: &["Row 4 is 1, 2, 4, the powers of 2 modulo 7."],
    see: &["A002326"],
    keywords: &["tabf", "easy"],
    pari: "a(n) = my(k=1, p); while(n>p=znorder(Mod(2,k)), n -= p; k += 2); lift(Mod(2,k)^(n-1));",
    python: with_order!(
        "def a(n):\n    k = 1\n    while n > order(k): n, k = n - order(k), k + 2\n    return pow(2, n - 1, k)"
    ),
    work: Work::List,
    rule: |_, range| rules::rows_of_residues(range),
    ..BLANK
};
