//! The least n with n rounds in the cycle of the flow chart for a coin.

use super::parts::*;

pub(super) const FAMILY: Family = Family {
    id: "least-with-rounds",
    listed: &[("", "")],
    title: "Least k such that one period of the binary expansion of 1/k has exactly n digits 1",
    definition: "Least k with A136043(k) = n: the flow chart of the fast dice roller (Lumbroso 2013) for a fair die with k sides and a coin has n rounds in its cycle",
    comments: &[
        "Where 1/k terminates, that is for k a power of 2, it is written with a period of one digit 1: 1/2 = 0.0111...",
        "a(n) <= 2^n + 1, because 1/(2^n+1) has the period 2*n in base 2, in which the residues pair off as x and 2^n+1-x, so that just n digits are 1",
        "a(n) >= 2*n+1 for n > 1, because the digits 1 belong to different residues between k/2 and k; equality holds if and only if 2*n+1 is a prime with primitive root 2 (A001122)",
        "For n > 1, a(n) is odd, because A136043(2*k) = A136043(k)",
    ],
    examples: &[
        "1/5 = 0.001100110011... has two digits 1 in its period 0011; 1, 2, 3 and 4 have one, so a(2) = 5.",
    ],
    see: &["A001122", "A007733", "A136043"],
    keywords: &["base"],
    pari: "b(n) = my(k=n>>valuation(n,2)); if(k==1, 1, hammingweight((2^znorder(Mod(2,k))-1)/k));\na(n) = my(k=1); while(b(k)!=n, k += 2); k;",
    python: "def rounds(k):\n    x, r = 1, 0\n    while True:\n        r, x = r + (2 * x >= k), 2 * x % k\n        if x <= 1: return max(r, 1)\ndef a(n):\n    k = 1\n    while rounds(k) != n: k += 2\n    return k",
    work: Work::List,
    rule: |_, range| rules::least_with_rounds(range),
    ..BLANK
};
