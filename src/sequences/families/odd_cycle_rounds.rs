//! Rounds in the cycle of the flow chart that rolls a fair die with 2n-1 sides with a coin.

use super::parts::*;

pub(super) const FAMILY: Family = Family {
    id: "odd-cycle-rounds",
    listed: &[("", "A179382")],
    title: "Rounds in the cycle of the flow chart that rolls a fair die with 2n-1 sides with a coin",
    definition: "a(n) = A136043(2n-1): the 1 bits of one period of 1/(2n-1) in base 2, 1 for n = 1",
    comments: &[
        "The period of x -> odd part of x + 2n-1, from x = 1: backwards, the residues at which a round begins",
    ],
    examples: &["a(6) = 5: the flow chart of 11 goes round v = 1, 5, 9, 7, 3."],
    see: &["A136043"],
    keywords: &["easy"],
    pari: "a(n) = my(d=2*n-1, x=1, c=0); until(x==1, x += d; x >>= valuation(x,2); c++); c;",
    python: "def a(n):\n    d, x, c = 2 * n - 1, 1, 0\n    while True:\n        x, c = x + d, c + 1\n        while x % 2 == 0: x //= 2\n        if x == 1: return c",
    work: Work::Steps,
    rule: |_, range| {
        let odd = |n: u64| {
            let n = 2 * n - 1;
            rounds::cycle_rounds(2, n, order::orbit(2, n)).max(1)
        };
        each(range, odd)
    },
    ..BLANK
};
