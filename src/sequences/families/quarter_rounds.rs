//! Numbers n with (n-1)/4 rounds in the cycle of the flow chart of the fast dice roller with a
//! coin.

use super::parts::*;

pub(super) const FAMILY: Family = Family {
    id: "quarter-rounds",
    listed: &[("", "A155072")],
    title: "Numbers n with (n-1)/4 rounds in the cycle of the flow chart of the fast dice roller with a coin",
    definition: "The n with A136043(n) = (n-1)/4",
    comments: &["All terms up to 60000 are primes of the form 8k+1; that is not proved"],
    examples: &[
        "The powers of 2 modulo 17 are 1, 2, 4, 8, 16, 15, 13, 9; twice 16, 15, 13 or 9 is at least 17, and (17-1)/4 = 4, so 17 is a term.",
    ],
    see: &["A136043"],
    pari: "b(n) = my(x=1, r=0); for(i=1, znorder(Mod(2,n)), r += (2*x>=n); x = 2*x%n); r;\nisok(k) = k>1 && k%4==1 && b(k)==(k-1)/4;",
    python: "def isok(k):\n    if k % 4 != 1 or k == 1: return False\n    x, r = 1, 0\n    while True:\n        r, x = r + (2 * x >= k), 2 * x % k\n        if x == 1: return 4 * r == k - 1",
    practical: Some(1000),
    work: Work::List,
    rule: |_, range| rules::quarter_rounds(range),
    ..BLANK
};
